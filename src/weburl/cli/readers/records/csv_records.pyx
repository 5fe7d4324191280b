"""Records of CSV, read without the GIL."""

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memset

from weburl._arrow.input cimport count_newlines
from weburl._core.buffer cimport push_run
from weburl.cli.readers.text_column cimport Builder, columns_of, end_row, free_builders, make_builders


cdef enum Fault:
    NONE
    OPEN_QUOTE
    AFTER_QUOTE
    LONE_CR

MESSAGES = {
    OPEN_QUOTE: "a quote has no end",
    AFTER_QUOTE: "a delimiter must follow the closing quote",
    LONE_CR: "a carriage return outside quotes must be before a newline",
}


# Where a field is; one in quotes without them.
ctypedef struct Cell:
    const uint8_t* text
    Py_ssize_t length
    bint has_quotes             # two stand for one


cdef inline Py_ssize_t end_of_line(const uint8_t* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    cdef const void* newline = memchr(p + i, c'\n', end - i)
    return -1 if newline == NULL else <const uint8_t*> newline - p + 1


# The last record that does not parse and has several lines: each line of it up to `end` begins within quotes. So a record
# that is within quotes where one of them begins has the same fault, and time is linear.
ctypedef struct Broken:
    Py_ssize_t end
    Fault fault


# https://www.rfc-editor.org/rfc/rfc4180#section-2
#
# The end of the record that begins at i, after its newline; -1 if it is not there. A record that does not parse ends with
# its first line: what follows may be as it should. A quote within a field that does not begin with one is a character.
# Field f is put into cells[slots[f]], if that is not -1.
cdef Py_ssize_t read_record(
    const uint8_t* p, Py_ssize_t i, Py_ssize_t end, uint8_t delimiter, Cell* cells, const int* slots, int n_slots,
    Fault* fault, Broken* broken,
) noexcept nogil:
    cdef Py_ssize_t first = i, begin, stop, line = end_of_line(p, i, end) if i < broken.end else -1
    cdef bint is_known = 0 <= line <= broken.end
    cdef Py_ssize_t quoted_end = line if is_known else end
    cdef const uint8_t* quote
    cdef int field = 0
    cdef bint has_quotes
    cdef uint8_t c
    fault[0] = NONE
    while True:
        begin = i
        has_quotes = False
        if i < end and p[i] == c'"':
            begin += 1
            i += 1
            while True:
                quote = <const uint8_t*> memchr(p + i, c'"', quoted_end - i)
                if quote == NULL:
                    if not is_known:
                        broken[0] = Broken(end, OPEN_QUOTE)
                    fault[0] = broken.fault
                    return -1 if fault[0] == OPEN_QUOTE else line
                i = quote - p + 1
                if i == end or p[i] != c'"':
                    break
                has_quotes = True
                i += 1
            stop = i - 1
        else:
            while i < end and p[i] != delimiter and p[i] != c'\n' and p[i] != c'\r':
                i += 1
            stop = i
        if i == end or p[i] == c'\r' and i + 1 == end:
            broken[0] = Broken(end, OPEN_QUOTE)
            return -1
        if field < n_slots and slots[field] >= 0:
            cells[slots[field]].text = p + begin
            cells[slots[field]].length = stop - begin
            cells[slots[field]].has_quotes = has_quotes
        c = p[i]
        if c == delimiter:
            field += 1
            i += 1
        elif c == c'\n':
            return i + 1
        elif c == c'\r' and p[i + 1] == c'\n':
            return i + 2
        else:
            fault[0] = LONE_CR if c == c'\r' else AFTER_QUOTE
            if i > broken.end:
                broken[0] = Broken(i, fault[0])
            return end_of_line(p, first, end)


# How far to look for the end of the record that begins at i: what is longer is not read.
cdef inline Py_ssize_t reach(Py_ssize_t i, Py_ssize_t end, Py_ssize_t limit) noexcept nogil:
    return end if end - i <= limit else i + limit + 1


# The end of a record that is too long, by its quotes alone: how much of it is there decides nothing. -1 if it is not there.
cdef Py_ssize_t end_by_quotes(const uint8_t* p, Py_ssize_t i, Py_ssize_t end, uint8_t delimiter) noexcept nogil:
    cdef const uint8_t* quote
    cdef bint is_begin = True
    while i < end:
        if is_begin and p[i] == c'"':
            while True:
                quote = <const uint8_t*> memchr(p + i + 1, c'"', end - i - 1)
                if quote == NULL:
                    return -1
                i = quote - p + 1
                if i == end or p[i] != c'"':
                    break
            is_begin = False
        elif p[i] == c'\n':
            return i + 1
        else:
            is_begin = p[i] == delimiter
            i += 1
    return -1


def cut_records(bytes data not None, str delimiter, Py_ssize_t size, Py_ssize_t limit, bint is_last=False):
    """Where pieces of whole records end, each of at least `size` bytes but for the last.

    A record whose end is not there is not whole. If the data is the last, such a record does not parse, unless it has
    more than `limit` bytes.
    """
    cdef const uint8_t* p = <const uint8_t*> <const char*> data
    cdef Py_ssize_t end = len(data), cut = 0
    cdef uint8_t separator = <uint8_t> ord(delimiter)
    cdef list cuts = []
    cdef Broken broken = Broken(-1, NONE)
    while True:
        with nogil:
            cut = next_cut(p, cut, end, separator, size, limit, is_last, &broken)
        if cut < 0:
            return cuts
        cuts.append(cut)


# The end of the last whole record that begins less than `size` bytes after i; -1 if there is none.
cdef Py_ssize_t next_cut(
    const uint8_t* p, Py_ssize_t i, Py_ssize_t end, uint8_t delimiter, Py_ssize_t size, Py_ssize_t limit, bint is_last,
    Broken* broken,
) noexcept nogil:
    cdef Py_ssize_t last = i, enough = min(i + size, end), stop, line, far
    cdef Fault fault
    while last < enough:
        # Up to the next quote, each newline ends a record.
        stop = find(p, last, enough, c'"')
        while stop > last and p[stop - 1] != c'\n':
            stop -= 1
        if stop == enough:
            return stop
        last = stop
        stop = line = end_of_line(p, last, end)
        # A record without quotes is a line.
        if line > 0 and find(p, last, line, c'"') < line:
            far = reach(last, end, limit)
            stop = read_record(p, last, far, delimiter, NULL, NULL, 0, &fault, broken)
            if stop < 0 and far < end:
                stop = end_by_quotes(p, last, end, delimiter)
            elif stop < 0 and is_last:
                stop = line
        if stop < 0:
            break
        last = stop
    return last if last > i else -1


# Where the first such byte is, from i on; `end` if there is none.
cdef inline Py_ssize_t find(const uint8_t* p, Py_ssize_t i, Py_ssize_t end, uint8_t c) noexcept nogil:
    cdef const void* found = memchr(p + i, c, end - i)
    return end if found == NULL else <const uint8_t*> found - p


# The cells of a line without quotes.
cdef void read_line(
    const uint8_t* p, Py_ssize_t i, Py_ssize_t end, uint8_t delimiter, Cell* cells, const int* slots, int n_slots
) noexcept nogil:
    cdef Py_ssize_t stop
    cdef int field
    for field in range(n_slots):
        stop = find(p, i, end, delimiter)
        if slots[field] >= 0:
            cells[slots[field]].text = p + i
            cells[slots[field]].length = stop - i
            cells[slots[field]].has_quotes = False
        if stop == end:
            return
        i = stop + 1


def read_columns(
    bytes data not None, Py_ssize_t begin, Py_ssize_t end, str delimiter, tuple wanted not None, Py_ssize_t limit
):
    """read_columns(data, begin, end, delimiter, wanted, limit): the wanted columns, by their indices, of whole records, newlines included.

    Also, for each row, the line that its record ends in, from 0 at `begin`; and a dict with a message and the first line of
    each record that does not parse, or None if it has more than `limit` bytes. Such a row is null in all columns. Empty lines are
    not rows.
    """
    cdef const uint8_t* p = <const uint8_t*> <const char*> data
    cdef uint8_t separator = <uint8_t> ord(delimiter)
    cdef int count = <int> len(wanted), n_slots = max(wanted, default=-1) + 1, field
    cdef Py_ssize_t rows = count_newlines(p, begin, end), i = begin, stop, far, length, line = 0, row = 0
    cdef Py_ssize_t quote = begin - 1, cr = begin - 1
    cdef Fault fault
    cdef Broken broken = Broken(-1, NONE)
    cdef dict faults = {}
    cdef bytearray lines = bytearray(rows * sizeof(int64_t))
    cdef int64_t* numbers = <int64_t*> <char*> lines
    cdef Builder* builders = make_builders(count, rows)
    cdef Cell* cells = <Cell*> calloc(count + 1, sizeof(Cell))
    cdef int* slots = <int*> calloc(n_slots + 1, sizeof(int))
    try:
        if end > begin and p[end - 1] != c'\n':
            raise ValueError("the last record has no end")
        if cells == NULL or slots == NULL:
            raise MemoryError
        memset(slots, -1, n_slots * sizeof(int))
        for index in range(count):
            slots[<int> wanted[index]] = index
        with nogil:
            while i < end:
                # Where the next quote and the next carriage return are, and the end of the line.
                if quote < i:
                    quote = find(p, i, end, c'"')
                if cr < i:
                    cr = find(p, i, end, c'\r')
                stop = find(p, i, end, c'\n')
                length = stop - i - (stop < end and cr == stop - 1)
                fault = NONE
                memset(cells, 0, count * sizeof(Cell))
                if quote > stop and cr >= i + length and stop < end:
                    line += 1
                    stop += 1
                    if length == 0:
                        i = stop
                        continue
                    read_line(p, i, i + length, separator, cells, slots, n_slots)
                else:
                    far = reach(i, end, limit)
                    stop = read_record(p, i, far, separator, cells, slots, n_slots, &fault, &broken)
                    if stop < 0 and far < end:
                        fault = NONE
                        stop = end_by_quotes(p, i, end, separator)
                    elif stop < 0:
                        # A quote without an end: pieces have whole records.
                        fault = OPEN_QUOTE
                        stop = end_of_line(p, i, end)
                    if stop < 0:
                        stop = end
                    line += count_newlines(p, i, stop)
                numbers[row] = line
                if fault or stop - 1 - i > limit:
                    memset(cells, 0, count * sizeof(Cell))
                    with gil:
                        faults[row] = (MESSAGES[fault], data[i:stop]) if fault else None
                for field in range(count):
                    push_cell(&builders[field], &cells[field])
                row += 1
                i = stop
        return columns_of(builders, count), memoryview(lines)[:row * sizeof(int64_t)].cast("q"), faults
    finally:
        free_builders(builders, count)
        free(cells)
        free(slots)


cdef void push_cell(Builder* to, const Cell* cell) noexcept nogil:
    cdef const uint8_t* text = cell.text
    cdef const uint8_t* quote
    cdef Py_ssize_t left = cell.length, length
    while text != NULL and cell.has_quotes and left:
        quote = <const uint8_t*> memchr(text, c'"', left)
        if quote == NULL:
            break
        length = quote - text + 1
        push_run(&to.data, text, length)
        text += length + 1
        left -= length + 1
    if text != NULL:
        push_run(&to.data, text, left)
    end_row(to, cell.text == NULL)
