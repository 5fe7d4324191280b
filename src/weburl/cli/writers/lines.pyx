"""Rows of batches as lines of text, made without the GIL. last_words.pxi has the last words of a process that a library
ends."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int8_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memcpy

from weburl._arrow.arrow cimport has_bit
from weburl._arrow.batch cimport CODES, PAIRS, SLACK, STRINGS, Batch, ColumnBuffers, column_index, validity_of
from weburl._arrow.input cimport Input, RowReader, RowText, open_reader, read_row
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push, push_run, release, reserve, start

from weburl._arrow.batch import DICTIONARIES

cdef enum:
    NAMES = 64


cdef enum Style:
    LINES
    JSON
    CSV
    CSV_SAFE                # without cells that a spreadsheet runs as formulas

STYLES = {"lines": LINES, "json": JSON, "csv": CSV, "csv-safe": CSV_SAFE}


cdef enum StepKind:
    TEXT                    # the same in all lines
    INPUT                   # the row's own text
    CODE                    # a column of names
    PLAIN                   # a column of ASCII without control characters
    ANY                     # a column of any text
    LIST                    # a column of pairs
    KEPT                    # a column of the input
    MEMBERS                 # a column with members of an object of JSON, before others
    ALL_MEMBERS             # or alone


# One part of a line.
ctypedef struct Step:
    StepKind kind
    const uint8_t* text         # of TEXT
    Py_ssize_t length
    const ColumnBuffers* column
    const uint8_t* validity
    Kept* kept


# A column of the input, and its text in the current row.
ctypedef struct Kept:
    RowReader reader
    RowText text
    Buffer scratch
    uint8_t[64] memory
    bint is_json


ctypedef struct Name:
    const uint8_t* text
    Py_ssize_t length

cdef list encoded_names = [[name.encode() for name in names] for names in DICTIONARIES]
cdef Name[2][NAMES] names_of
for _which, _names in enumerate(encoded_names):
    for _index, _name in enumerate(_names):
        names_of[_which][_index].text = <const uint8_t*> <const char*> <bytes> _name
        names_of[_which][_index].length = len(_name)

cdef const char* HEX = b"0123456789ABCDEF"

# The bytes that may need an escape: a bit for each style.
cdef uint8_t[256] special
for _byte in range(256):
    _is_control = _byte < 0x20 or _byte == 0x7F or _byte in (0xC2, 0xD8, 0xE2)
    special[_byte] = (
        (1 << LINES if _is_control else 0) | (1 << CSV | 1 << CSV_SAFE if _is_control or _byte == 0x22 else 0)
        | (1 << JSON if _is_control or _byte in (0x22, 0x5C) else 0) | (1 << CSV_SAFE if _byte == 0x3B else 0)
    )


# The length in bytes of the control character at i: C0, DEL, C1, a line or paragraph separator, or one that changes the
# direction of text (Bidi_Control); 0 if there is none.
cdef inline int control_length(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    if p[i] < 0x20 or p[i] == 0x7F:
        return 1
    if p[i] == 0xC2 and i + 1 < n and p[i + 1] < 0xA0 or p[i] == 0xD8 and i + 1 < n and p[i + 1] == 0x9C:
        return 2
    if p[i] == 0xE2 and i + 2 < n and (
        # U+200E, U+200F, U+2028 to U+202E
        p[i + 1] == 0x80 and (0x8E <= p[i + 2] <= 0x8F or 0xA8 <= p[i + 2] <= 0xAE)
        # U+2066 to U+2069
        or p[i + 1] == 0x81 and 0xA6 <= p[i + 2] <= 0xA9
    ):
        return 3
    return 0


cdef void push_control(Buffer* out, const uint8_t* p, int n, Style style) noexcept nogil:
    cdef int i, code = p[0]
    if style == JSON:
        if n == 2:
            code = (p[0] & 0x1F) << 6 | (p[1] & 0x3F)
        elif n == 3:
            code = (p[0] & 0x0F) << 12 | (p[1] & 0x3F) << 6 | (p[2] & 0x3F)
        push_run(out, <const uint8_t*> b"\\u", 2)
        for i in range(4):
            push(out, <uint8_t> HEX[code >> (12 - 4 * i) & 15])
        return
    for i in range(n):
        push(out, c'%')
        push(out, <uint8_t> HEX[p[i] >> 4])
        push(out, <uint8_t> HEX[p[i] & 15])


# https://owasp.org/www-community/attacks/CSV_Injection; the full-width forms are read as formulas, too, in some locales.
cdef bint starts_formula(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    if n >= 3 and p[0] == 0xEF and p[1] == 0xBC:
        return p[2] == 0x9D or p[2] == 0x8B or p[2] == 0x8D or p[2] == 0xA0
    return n > 0 and (p[0] == c'=' or p[0] == c'+' or p[0] == c'-' or p[0] == c'@' or p[0] == c'\t' or p[0] == c'\r')


# After a semicolon, where some locales begin another cell, whatever the quotes.
cdef bint starts_formula_in_quotes(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    while i < n and p[i] == c'"':
        i += 1
    return starts_formula(p + i, n - i)


cdef void push_text(Buffer* out, const uint8_t* p, Py_ssize_t n, Style style) noexcept nogil:
    cdef Py_ssize_t i = 0, begin = 0
    cdef int mask = 1 << style, length
    while i < n:
        if not special[p[i]] & mask:
            i += 1
            continue
        length = control_length(p, i, n)
        if length:
            push_run(out, p + begin, i - begin)
            push_control(out, p + i, length, style)
            i += length
            begin = i
            continue
        if p[i] == c';':
            i += 1
            if starts_formula_in_quotes(p, i, n):
                push_run(out, p + begin, i - begin)
                push(out, c'\'')
                begin = i
            continue
        if p[i] == c'"' or p[i] == c'\\':
            push_run(out, p + begin, i - begin)
            # JSON escapes both with a backslash, CSV doubles the quote.
            push(out, c'"' if style >= CSV else c'\\')
            begin = i
        i += 1
    push_run(out, p + begin, n - begin)


# https://www.rfc-editor.org/rfc/rfc4180; line breaks are written as other control characters are.
cdef bint needs_quotes(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if p[i] == c'"' or p[i] == c',':
            return True
    return n > 0 and (p[0] == c' ' or p[n - 1] == c' ')


cdef void push_cell(Buffer* out, const uint8_t* p, Py_ssize_t n, Style style, bint plain) noexcept nogil:
    if style == LINES:
        if plain:
            push_run(out, p, n)
        else:
            push_text(out, p, n, LINES)
        return
    cdef bint in_quotes = style == JSON or needs_quotes(p, n)
    if in_quotes:
        push(out, c'"')
    if style == CSV_SAFE and starts_formula(p, n):
        push(out, c'\'')
    push_text(out, p, n, style)
    if in_quotes:
        push(out, c'"')


# Nothing is escaped but what is quoted, so that the record has the text that it had.
cdef void push_kept_cell(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef const uint8_t* end = p + n
    cdef const uint8_t* quote
    if not (needs_quotes(p, n) or memchr(p, c'\n', n) != NULL or memchr(p, c'\r', n) != NULL):
        push_run(out, p, n)
        return
    push(out, c'"')
    while True:
        quote = <const uint8_t*> memchr(p, c'"', end - p)
        if quote == NULL:
            break
        push_run(out, p, quote - p + 1)
        push(out, c'"')
        p = quote + 1
    push_run(out, p, end - p)
    push(out, c'"')


# JSON as it is, but for characters in its strings that a terminal obeys.
cdef void push_json(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, begin = 0
    cdef int length
    while i < n:
        length = control_length(p, i, n) if p[i] >= 0x7F else 0
        if length:
            push_run(out, p + begin, i - begin)
            push_control(out, p + i, length, JSON)
            begin = i + length
        i += max(length, 1)
    push_run(out, p + begin, n - begin)


cdef void push_kept(Buffer* out, const Kept* kept, StepKind kind, Style style) noexcept nogil:
    cdef const RowText* text = &kept.text
    if text.data == NULL:
        if style == JSON and kind == KEPT:
            push_run(out, <const uint8_t*> b"null", 4)
    elif kind >= MEMBERS:
        push_json(out, text.data, text.length)
        if text.length and kind == MEMBERS:
            push(out, c',')
    elif kept.is_json and style == JSON:
        push_json(out, text.data, text.length)
    elif style == CSV:
        push_kept_cell(out, text.data, text.length)
    else:
        push_cell(out, text.data, text.length, style, False)


cdef void push_list(Buffer* out, const ColumnBuffers* column, Py_ssize_t row) noexcept nogil:
    cdef const int64_t* bounds = <const int64_t*> column.slots + row
    cdef const int64_t* names = <const int64_t*> column[1].slots
    cdef const int64_t* values = <const int64_t*> column[2].slots
    cdef int64_t i
    push(out, c'[')
    for i in range(bounds[0], bounds[1]):
        if i > bounds[0]:
            push(out, c',')
        push_run(out, <const uint8_t*> b'{"name":', 8)
        push_cell(out, column[1].data + names[i], names[i + 1] - names[i], JSON, False)
        push_run(out, <const uint8_t*> b',"value":', 9)
        push_cell(out, column[2].data + values[i], values[i + 1] - values[i], JSON, False)
        push(out, c'}')
    push(out, c']')


cdef void push_step(Buffer* out, const Step* step, const RowText* text, Py_ssize_t row, Style style) noexcept nogil:
    cdef const int64_t* bounds
    cdef const Name* name
    if step.kind == TEXT:
        push_run(out, step.text, step.length)
    elif step.kind == INPUT:
        if text.data != NULL:
            push_cell(out, text.data, text.length, style, False)
        elif style == JSON:
            push_run(out, <const uint8_t*> b"null", 4)
    elif step.kind >= KEPT:
        push_kept(out, step.kept, step.kind, style)
    elif not has_bit(step.validity, row):
        if style == JSON:
            push_run(out, <const uint8_t*> b"null", 4)
    elif step.kind == CODE:
        name = &names_of[step.column.dictionary][(<const int8_t*> step.column.slots)[row]]
        push_cell(out, name.text, name.length, style, True)
    elif step.kind == LIST:
        push_list(out, step.column, row)
    else:
        bounds = <const int64_t*> step.column.slots + row
        push_cell(out, step.column.data + bounds[0], bounds[1] - bounds[0], style, step.kind == PLAIN)


cdef class Layout:
    """Layout(parts, style, drop, blank)

    How rows become lines. A part is text (bytes), a column (the number of its batch, and its number there), the number
    of a column that is kept of the input (or -1 less that number, for members of an object of JSON), or None: the row's
    own text. `style` is "lines", "json", "csv" or "csv-safe", which puts an apostrophe before what a
    spreadsheet runs as a formula.

    In lines and CSV, control characters are percent-encoded, so that a row stays one line and cannot change the
    direction of text. Rows that fail have a null in the first batch. With `drop` they are left out; with `blank` their
    lines are empty.
    """

    cdef tuple parts
    cdef int n_parts
    cdef Style style
    cdef bint drop
    cdef bint blank
    cdef bint has_input

    def __init__(self, tuple parts not None, str style, bint drop, bint blank):
        self.parts = parts
        self.n_parts = <int> len(parts)
        self.style = STYLES[style]
        self.drop = drop
        self.blank = blank
        self.has_input = None in parts

    def render(
        self, list batches not None, Input rows not None, Py_ssize_t begin, Py_ssize_t end, list kept not None,
        dict replaced not None,
    ):
        """The lines of the rows from begin to end; the batches were made from these rows.

        `kept` has the columns that are kept of the input, and whether they have JSON; `replaced` has batches whose only
        column stands for another.
        """
        cdef Batch first = batches[0]
        cdef Step* steps = <Step*> calloc(len(self.parts) + 1, sizeof(Step))
        cdef Buffer out, scratch
        cdef uint8_t[512] memory, scratch_memory
        cdef RowReader reader
        cdef int64_t size
        cdef int n_kept = <int> len(kept), i
        cdef Kept* columns = <Kept*> calloc(n_kept + 1, sizeof(Kept))
        if steps == NULL or columns == NULL:
            free(steps)
            free(columns)
            raise MemoryError
        start(&out, memory, sizeof(memory), PY_SSIZE_T_MAX)
        start(&scratch, scratch_memory, sizeof(scratch_memory), PY_SSIZE_T_MAX)
        try:
            for number, (column, is_json) in enumerate(kept):
                i = <int> number
                start(&columns[i].scratch, columns[i].memory, sizeof(columns[i].memory), PY_SSIZE_T_MAX)
                columns[i].is_json = is_json
                open_reader(&columns[i].reader, &(<Input> column).rows, begin, end)
            size = open_steps(steps, self.parts, batches, columns, n_kept, replaced)
            with nogil:
                # For what is written as it is, with two quotes or a newline in each line, and SLACK.
                size += 2 * <int64_t> first.length + SLACK
                if size > PY_SSIZE_T_MAX or not reserve(&out, <Py_ssize_t> size):
                    with gil:
                        raise MemoryError
                if self.style == LINES and is_plain(steps, self.n_parts):
                    write_plain_rows(self, first, steps, &out)
                else:
                    if self.has_input:
                        open_reader(&reader, &rows.rows, begin, end)
                    write_rows(self, first, steps, &out, &reader, &scratch, columns, n_kept)
            for i in range(n_kept):
                scratch.status = scratch.status or columns[i].scratch.status
            if out.status or scratch.status:
                raise MemoryError
            return PyBytes_FromStringAndSize(<const char*> out.data, out.length)
        finally:
            for i in range(n_kept):
                if columns[i].scratch.limit:
                    release(&columns[i].scratch)
            free(columns)
            free(steps)
            release(&out)
            release(&scratch)


# Fills in the steps, and estimates how many bytes they write: at least those of TEXT and PLAIN.
cdef int64_t open_steps(
    Step* steps, tuple parts, list batches, Kept* kept, int n_kept, dict replaced
) except -1:
    cdef Batch batch
    cdef Step* step
    cdef int64_t size = 0
    for number, part in enumerate(parts):
        step = steps + <Py_ssize_t> number
        if part is None:
            step.kind = INPUT
        elif isinstance(part, bytes):
            step.kind = TEXT
            step.text = <const uint8_t*> <const char*> <bytes> part
            step.length = len(<bytes> part)
            size += <int64_t> step.length * (<Batch> batches[0]).length
        elif isinstance(part, int):
            step.kind = KEPT if part >= 0 else ALL_MEMBERS if parts[number + 1:] == (b"}",) else MEMBERS
            index = part if part >= 0 else -1 - part
            if index >= n_kept:
                raise ValueError("there is no such column")
            step.kept = kept + <Py_ssize_t> index
        else:
            which, index = part
            batch = batches[which]
            if part in replaced:
                batch, index = replaced[part], 0
            step.column = &batch.columns[column_index(batch, index)]
            step.validity = validity_of(batch, step.column)
            size += step.column.length
            if step.column.type == CODES:
                step.kind = CODE
            elif step.column.type == PAIRS:
                step.kind = LIST
            elif step.column.type == STRINGS:
                step.kind = PLAIN if step.column.is_printable else ANY
            else:
                raise ValueError("a column of that type has no text")
    return size


cdef void write_rows(
    Layout self, Batch first, const Step* steps, Buffer* out, RowReader* reader, Buffer* scratch, Kept* kept, int n_kept
) noexcept nogil:
    cdef RowText text
    cdef Py_ssize_t row, begin
    cdef int i
    text.data = NULL
    for row in range(first.length):
        if self.has_input:
            read_row(reader, &text, scratch)
        for i in range(n_kept):
            read_row(&kept[i].reader, &kept[i].text, &kept[i].scratch)
        if not has_bit(first.validity, row):
            if self.drop:
                continue
            if self.blank:
                push(out, c'\n')
                continue
        begin = out.length
        for i in range(self.n_parts):
            push_step(out, steps + i, &text, row, self.style)
        # Readers of CSV skip empty lines.
        if self.style >= CSV and out.length == begin:
            push_run(out, <const uint8_t*> b'""', 2)
        push(out, c'\n')


# Whether all lines are texts and columns as they are.
cdef bint is_plain(const Step* steps, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        if steps[i].kind != TEXT and steps[i].kind != PLAIN:
            return False
    return True


# The same for such lines. There is room for them, and SLACK. A null is an empty text in its column.
cdef void write_plain_rows(Layout self, Batch first, const Step* steps, Buffer* out) noexcept nogil:
    cdef uint8_t* to = out.data
    cdef const uint8_t* validity = first.validity if self.drop or self.blank else NULL
    cdef bint drop = self.drop
    cdef int i, n_parts = self.n_parts
    cdef const Step* step
    cdef const int64_t* bounds
    cdef Py_ssize_t row
    for row in range(first.length):
        if has_bit(validity, row):
            for i in range(n_parts):
                step = steps + i
                if step.kind == TEXT:
                    memcpy(to, step.text, step.length)
                    to += step.length
                else:
                    bounds = <const int64_t*> step.column.slots + row
                    copy_text(to, step.column, bounds[0], bounds[1] - bounds[0])
                    to += bounds[1] - bounds[0]
        elif drop:
            continue
        to[0] = c'\n'
        to += 1
    out.length = to - out.data


# Most texts are short, and in memory that goes on after them.
cdef inline void copy_text(uint8_t* to, const ColumnBuffers* column, Py_ssize_t begin, Py_ssize_t n) noexcept nogil:
    cdef const uint8_t* p = column.data + begin
    if begin + 32 > column.capacity:
        memcpy(to, p, n)
        return
    memcpy(to, p, 32)
    if n > 32:
        memcpy(to + 32, p + 32, n - 32)


include "last_words.pxi"
