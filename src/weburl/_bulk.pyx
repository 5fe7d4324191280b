"""Columns of URLs: rows in, parsed by the hot core without the GIL, columns out."""

from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memset

from weburl._arrow cimport (
    BITS, CODES, ERROR_NAMES, HOST_TYPES, PAIRS, ROWS_LARGE_UTF8, ROWS_LINES, ROWS_NULL, ROWS_OBJECTS, ROWS_UTF8,
    ROWS_VIEWS, STRING_VIEWS, STRINGS, WINDOW_BITS, Batch, Column, ColumnType, Input, Rows, View, grow_memory, has_bit, load32,
    load64, load_index,
)
from weburl._ascii cimport SET_FORM, byte_class
from weburl._buffer cimport Buffer, is_kept, push_run, release, start
from weburl._host cimport HOST_NULL, Domain
from weburl._parser cimport Parser, close_parser, max_length, open_parser, parse
from weburl._percent cimport is_utf8, percent_decode, push_decoded, push_utf8, usv_text, utf8_text
from weburl._record cimport (
    FILE, FRAGMENT, HASH, HOST, HOSTNAME, HREF, NOT_SPECIAL, OMITTED, PASSWORD, PATHNAME, PORT, PROTOCOL, QUERY, SCHEME,
    SEARCH, USERNAME, Part, Record, Span, URLView, has_credentials, span,
)
from weburl._status cimport BASE, IGNORED, NEED_DOMAIN, NO_MEMORY, OK, RAISED, TOO_LONG, Status

from weburl._arrow import DICTIONARIES

cdef extern from "Python.h":
    PyObject* Py_None
    bint IS_ASCII "PyUnicode_IS_ASCII"(PyObject*) nogil
    int KIND "PyUnicode_KIND"(PyObject*) nogil
    void* DATA "PyUnicode_DATA"(PyObject*) nogil
    Py_ssize_t GET_LENGTH "PyUnicode_GET_LENGTH"(PyObject*) nogil
    PyObject** PySequence_Fast_ITEMS(object)
    const Py_ssize_t PY_SSIZE_T_MAX

# What a column can hold: a Part, or
cdef enum Field:
    ORIGIN = FRAGMENT + 1
    HOST_TYPE
    ERROR
    VALID               # whether the row parses
    QUERY_GET           # a value of the query
    QUERY_PAIRS

FIELDS = {
    "href": HREF, "protocol": PROTOCOL, "scheme": SCHEME, "username": USERNAME, "password": PASSWORD, "host": HOST,
    "hostname": HOSTNAME, "port": PORT, "pathname": PATHNAME, "search": SEARCH, "hash": HASH, "query": QUERY,
    "fragment": FRAGMENT, "origin": ORIGIN, "host_type": HOST_TYPE, "error": ERROR,
}  # fmt: skip
OTHER_FIELDS = {"valid": VALID, "query_get": QUERY_GET, "query_pairs": QUERY_PAIRS, "decoded": HREF}

cdef enum:
    BLOCK = 64                      # rows that are parsed before their columns are written: the bits of a word
    BETWEEN_SIGNALS = 1 << 22       # bytes of input
    MEMOS = 1024
    MEMO_SIZE = 256
    VIEW_SIZE = 1 << WINDOW_BITS    # the longest URL of which there are views
    NULL_ROW = -2
    MOST_COLUMNS = 32
    NOT_UTF8 = IGNORED              # a failure that URLs do not have, for one that rows do not have


cdef enum DecodeErrors:
    REPLACE
    STRICT
    IGNORE

DECODE_ERRORS = {"replace": REPLACE, "strict": STRICT, "ignore": IGNORE}

HOST_FIELDS = frozenset(
    (PROTOCOL, SCHEME, USERNAME, PASSWORD, HOST, HOSTNAME, PORT, ORIGIN, HOST_TYPE, ERROR, VALID)
)


# The rows of an input, one after the other.
ctypedef struct Reader:
    const Rows* rows
    Py_ssize_t i                # of lines: in bytes, as is `end`
    Py_ssize_t end
    const uint8_t* window       # where the data starts that views can point to, or NULL
    bint ascii                  # what is not known to be UTF-8 is at least ASCII


# The text of a row, as UTF-8.
ctypedef struct RowText:
    const uint8_t* data
    Py_ssize_t length
    bint stable                 # it stays where it is while the block is worked on
    bint in_input               # views can point to it
    int32_t buffer              # for views
    Py_ssize_t offset
    int window_bits


ctypedef struct Row:
    const uint8_t* href
    Py_ssize_t length
    Py_ssize_t arena            # where it is in the arena, or -1
    int32_t buffer              # for views
    int32_t offset
    Status status               # or NULL_ROW
    Record record


ctypedef struct Memo:
    uint8_t* data               # the domain, then the answer
    Py_ssize_t length
    Py_ssize_t answer_length
    bint failed


# What one thread works with.
ctypedef struct Worker:
    Parser parser
    Parser base_parser
    URLView base
    Status base_status
    RowText base_text
    Buffer text
    uint8_t[512] text_scratch
    Buffer base_buffer
    uint8_t[512] base_scratch
    Buffer piece
    uint8_t[512] piece_scratch
    Memo* memos                 # MEMOS of them, and one for a domain that is too long to be kept; or NULL
    Row[BLOCK] rows
    int count
    Py_ssize_t hrefs_length     # of the block
    uint64_t ok                 # one bit a row
    uint64_t not_null


# What is done with each row.
cdef class Job:
    cdef tuple fields           # their names
    cdef bint is_struct
    cdef bint views
    cdef bint host_only
    cdef bint needs_text
    cdef bint decodes
    cdef DecodeErrors decode_errors
    cdef bytes base_href        # or None
    cdef bint has_base
    cdef URLView base
    cdef bytes key
    cdef const uint8_t* key_data
    cdef Py_ssize_t key_length
    cdef public bint cancelled

    def __init__(
        self, tuple fields not None, *, bint is_struct=False, bint views=False, str base=None, str key=None,
        str decode_errors=None,
    ):
        cdef Parser parser
        ids = {FIELDS[name] if name in FIELDS else OTHER_FIELDS[name] for name in fields}
        self.fields = fields
        self.is_struct = is_struct
        self.views = views
        self.host_only = ids <= HOST_FIELDS
        self.needs_text = not ids <= {HOST_TYPE, ERROR, VALID}
        self.decodes = decode_errors is not None
        if self.decodes:
            self.decode_errors = DECODE_ERRORS[decode_errors]
        if key is not None:
            self.key = usv_text(key).encode()
            self.key_data = <const uint8_t*> <const char*> self.key
            self.key_length = len(self.key)
        if base is not None:
            # An href, which is its own serialization.
            self.base_href = base.encode()
            self.has_base = True
            self.base.href = <const uint8_t*> <const char*> self.base_href
            self.base.length = len(self.base_href)
            open_parser(&parser, self.base.href, self.base.length, NULL, True)
            parse(&parser)
            self.base.record = parser.record
            close_parser(&parser)

    def run(self, Input rows not None, Py_ssize_t begin, Py_ssize_t end, Input bases=None, Py_ssize_t bases_begin=0):
        """The columns of the rows (of lines: of the bytes) from begin to end; None where the job was cancelled."""
        cdef Batch batch = Batch.__new__(Batch)
        cdef Worker* worker = <Worker*> malloc(sizeof(Worker))
        cdef Reader reader, base_reader
        cdef Py_ssize_t[NOT_UTF8 + 1] failures
        cdef int status
        if worker == NULL:
            raise MemoryError
        memset(failures, 0, sizeof(failures))
        open_worker(worker, self)
        try:
            with nogil:
                open_reader(&reader, &rows.rows, begin, end)
                batch.length = count_rows(&rows.rows, begin, end)
                if bases is not None:
                    open_reader(&base_reader, &bases.rows, bases_begin, bases_begin + batch.length)
            open_batch(self, batch, rows, &reader)
            with nogil:
                run_rows(self, worker, &reader, NULL if bases is None else &base_reader, batch, failures)
        finally:
            close_worker(worker)
            free(worker)
        if self.cancelled:
            return None
        close_batch(self, batch)
        names = DICTIONARIES[ERROR_NAMES]
        batch.errors = {names[status - 1]: failures[status] for status in range(1, NOT_UTF8 + 1) if failures[status]}
        batch.first_error = names[failures[0] - 1] if batch.first_failed >= 0 else None
        return batch

    def row_text(self, Input rows not None, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t row):
        """What stands in a row of those, or None."""
        cdef Reader reader
        cdef RowText text
        cdef Buffer buffer
        cdef uint8_t[64] scratch
        start(&buffer, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
        open_reader(&reader, &rows.rows, begin, end)
        try:
            for _ in range(row + 1):
                if not read_row(&reader, &text, &buffer):
                    raise IndexError(row)
            return None if text.data == NULL else utf8_text(text.data, text.length)
        finally:
            release(&buffer)


cdef bint is_ascii(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint64_t word, bits = 0
    cdef Py_ssize_t i = 0
    if n < 8:
        for i in range(n):
            bits |= p[i]
        return bits < 0x80
    while i <= n - 8:
        memcpy(&word, p + i, 8)
        bits |= word
        i += 8
    memcpy(&word, p + n - 8, 8)
    return ((bits | word) & <uint64_t> 0x8080808080808080) == 0


# Reading rows.

cdef void open_reader(Reader* self, const Rows* rows, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t first = 0, last = 0
    self.rows = rows
    self.i = begin
    self.end = end
    self.window = NULL
    self.ascii = False
    if rows.index_format:
        return
    if rows.kind == ROWS_UTF8 and end > begin:
        first = load32(rows.values, rows.offset + begin)
        last = load32(rows.values, rows.offset + end)
    elif rows.kind == ROWS_LARGE_UTF8 and end > begin:
        first = load64(rows.values, rows.offset + begin)
        last = load64(rows.values, rows.offset + end)
    elif rows.kind == ROWS_LINES:
        first = begin
        last = end
    else:
        return
    if last > first:
        self.window = rows.data + first
        self.ascii = is_ascii(self.window, last - first)


# False at the end. A row that is null has NULL for its data.
cdef bint read_row(Reader* self, RowText* row, Buffer* text) noexcept nogil:
    cdef const Rows* rows = self.rows
    cdef const void* newline
    cdef PyObject* item
    cdef View view
    cdef Py_ssize_t i = self.i
    if i == self.end:
        return False
    row.data = NULL
    row.stable = row.in_input = True
    row.buffer = 0
    if rows.kind == ROWS_LINES:
        row.data = rows.data + i
        newline = memchr(row.data, c'\n', self.end - i)
        row.length = <const uint8_t*> newline - row.data if newline != NULL else self.end - i
        self.i = i + row.length + (newline != NULL)
        if row.length and row.data[row.length - 1] == c'\r':
            row.length -= 1
    else:
        self.i = i + 1
        if rows.index_format:
            i += rows.index_offset
            if not has_bit(rows.index_validity, i):
                return True
            i = load_index(rows.index_format, rows.indices, i)
            row.in_input = False
        if rows.kind == ROWS_OBJECTS:
            item = (<PyObject**> rows.values)[i]
            if item == Py_None:
                return True
            row.in_input = False
            if not IS_ASCII(item):
                text.length = 0
                push_utf8(text, KIND(item), DATA(item), GET_LENGTH(item))
                row.data = text.data
                row.length = text.length
                row.stable = False
            else:
                row.data = <const uint8_t*> DATA(item)
                row.length = GET_LENGTH(item)
            return True
        i += rows.offset
        if rows.kind == ROWS_NULL or not has_bit(rows.validity, i):
            return True
        if rows.kind == ROWS_UTF8:
            row.data = rows.data + load32(rows.values, i)
            row.length = load32(rows.values, i + 1) - load32(rows.values, i)
        elif rows.kind == ROWS_LARGE_UTF8:
            row.data = rows.data + load64(rows.values, i)
            row.length = load64(rows.values, i + 1) - load64(rows.values, i)
        else:
            memcpy(&view, <const uint8_t*> rows.values + 16 * i, 16)
            row.length = view.length
            if view.length <= 12:
                row.data = <const uint8_t*> rows.values + 16 * i + 4
                row.in_input = False
            else:
                row.data = rows.buffers[view.buffer] + view.offset
                row.buffer = view.buffer
                row.offset = view.offset
                row.window_bits = 32
    if self.window != NULL:
        row.offset = row.data - self.window
        row.window_bits = WINDOW_BITS
    if not self.ascii and not is_ascii(row.data, row.length) and not is_utf8(row.data, row.length):
        text.length = 0
        push_decoded(text, row.data, row.length, True)
        row.data = text.data
        row.length = text.length
        row.stable = row.in_input = False
    return True


cdef Py_ssize_t count_rows(const Rows* rows, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t i, count = 0
    if rows.kind != ROWS_LINES:
        return end - begin
    for i in range(begin, end):
        count += rows.data[i] == c'\n'
    return count + (end > begin and rows.data[end - 1] != c'\n')


# Answers.

cdef Status answer_domain(Worker* self, Domain* domain) except RAISED nogil:
    cdef const uint8_t* p = domain.domain.data
    cdef Py_ssize_t n = domain.domain.length, i
    cdef uint32_t hash = 2166136261
    cdef Memo* memo
    if self.memos == NULL:
        self.memos = <Memo*> calloc(MEMOS + 1, sizeof(Memo))
        if self.memos == NULL:
            return NO_MEMORY
    memo = self.memos + MEMOS
    if n <= MEMO_SIZE:
        for i in range(n):
            hash = (hash ^ p[i]) * 16777619
        memo = self.memos + (hash ^ hash >> 16) % MEMOS
        if memo.data != NULL and memo.length == n and memcmp(memo.data, p, n) == 0:
            use_memo(memo, domain)
            return OK
    with gil:
        fill_memo(memo, p, n)
    use_memo(memo, domain)
    return OK


cdef void use_memo(const Memo* memo, Domain* domain) noexcept nogil:
    domain.failed = memo.failed
    domain.answer = memo.data + memo.length
    domain.answer_length = memo.answer_length


cdef int fill_memo(Memo* memo, const uint8_t* p, Py_ssize_t n) except -1:
    from weburl._idna import cached_domain_to_ascii

    answer = cached_domain_to_ascii(utf8_text(p, n))
    cdef bytes text = b"" if answer is None else (<str> answer).encode()
    cdef uint8_t* data = <uint8_t*> malloc(n + len(text) + 1)
    if data == NULL:
        raise MemoryError
    memcpy(data, p, n)
    memcpy(data + n, <const char*> text, len(text))
    free(memo.data)
    memo.data = data
    memo.length = n
    memo.answer_length = len(text)
    memo.failed = answer is None
    return 0


cdef Status run_parser(Worker* self, Parser* parser) except RAISED nogil:
    cdef Status status = parse(parser)
    while status == NEED_DOMAIN:
        status = answer_domain(self, &parser.domain)
        if status:
            break
        status = parse(parser)
    if status == NO_MEMORY:
        with gil:
            raise MemoryError
    return status


# Blocks of rows.

cdef inline bint push_arena(Batch batch, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    if n > batch.arena_capacity - batch.arena_length and not grow_memory(
        &batch.arena, &batch.arena_capacity, batch.arena_length + n
    ):
        return False
    memcpy(batch.arena + batch.arena_length, p, n)
    batch.arena_length += n
    return True


# The record of what was parsed, and where its text is.
cdef Status keep_row(Job job, Batch batch, const RowText* text, const Parser* parser, Row* row) except RAISED nogil:
    cdef Py_ssize_t place
    row.record = parser.record
    row.length = parser.out.length
    row.arena = -1
    row.href = parser.out.data
    if not job.needs_text:
        return OK
    if job.views and row.length > VIEW_SIZE:
        return TOO_LONG
    if is_kept(&parser.out) and parser.stripped == NULL and text.stable and (text.in_input or not job.views):
        if job.views:
            place = text.offset + (parser.out.data - text.data)
            row.buffer = text.buffer + <int32_t> (place >> text.window_bits)
            row.offset = <int32_t> (place - (place >> text.window_bits << text.window_bits))
        return OK
    return move_row(batch, parser.out.data, row)


# Puts a row's text into the arena.
cdef Status move_row(Batch batch, const uint8_t* p, Row* row) except RAISED nogil:
    row.arena = batch.arena_length
    row.buffer = <int32_t> (batch.n_view_buffers + (row.arena >> WINDOW_BITS))
    row.offset = <int32_t> (row.arena & (VIEW_SIZE - 1))
    if not push_arena(batch, p, row.length):
        with gil:
            raise MemoryError
    return OK


# The text of a row, percent-decoded.
cdef Status decode_row(Job job, Worker* self, Batch batch, const RowText* text, Row* row) except RAISED nogil:
    cdef const uint8_t* p = text.data
    row.length = text.length
    row.href = p
    row.arena = -1
    if text.stable and memchr(p, c'%', text.length) == NULL:
        return OK
    self.piece.length = 0
    percent_decode(&self.piece, p, text.length, False)
    p = self.piece.data
    row.length = self.piece.length
    if not is_ascii(p, row.length) and not is_utf8(p, row.length):
        if job.decode_errors == STRICT:
            return <Status> NOT_UTF8
        self.base_buffer.length = 0
        push_decoded(&self.base_buffer, p, row.length, job.decode_errors == REPLACE)
        p = self.base_buffer.data
        row.length = self.base_buffer.length
    if self.piece.status or self.base_buffer.status:
        with gil:
            raise MemoryError
    return move_row(batch, p, row)


# The base of a row; NULL_ROW where it is null.
cdef int next_base(Worker* self, Reader* reader) except -1 nogil:
    cdef RowText text
    cdef const uint8_t* before = self.base_text.data
    read_row(reader, &text, &self.base_buffer)
    if text.data == NULL:
        return NULL_ROW
    # Bases often come in runs.
    if before != NULL and text.length == self.base_text.length and memcmp(text.data, before, text.length) == 0:
        return self.base_status
    close_parser(&self.base_parser)
    self.base_text = text
    if text.data == self.base_buffer.data:
        # What comes next overwrites it.
        self.base_text.data = NULL
    open_parser(&self.base_parser, text.data, text.length, NULL, True)
    self.base_status = run_parser(self, &self.base_parser)
    self.base.href = self.base_parser.out.data
    self.base.length = self.base_parser.out.length
    self.base.record = self.base_parser.record
    return self.base_status


cdef int read_block(Job job, Worker* self, Reader* reader, Reader* bases, Batch batch) except -1 nogil:
    cdef RowText text
    cdef Row* row
    cdef Parser* parser = &self.parser
    cdef const URLView* base = &self.base if job.has_base else NULL
    cdef uint64_t bit = 1
    cdef int status
    self.count = 0
    self.ok = self.not_null = 0
    self.hrefs_length = 0
    if not job.views:
        batch.arena_length = 0
    while self.count < BLOCK and read_row(reader, &text, &self.text):
        row = &self.rows[self.count]
        row.length = 0
        row.status = OK
        status = OK
        if self.text.status or self.base_buffer.status:
            with gil:
                raise MemoryError
        if bases != NULL:
            status = next_base(self, bases)
            base = &self.base
        if text.data == NULL or status == NULL_ROW:
            row.status = <Status> NULL_ROW
        elif status:
            row.status = BASE
        elif job.decodes:
            row.status = decode_row(job, self, batch, &text, row)
        else:
            open_parser(parser, text.data, text.length, base, True)
            parser.host_only = job.host_only
            row.status = run_parser(self, parser)
            if row.status == OK:
                row.status = keep_row(job, batch, &text, parser, row)
            close_parser(parser)
        if row.status == OK:
            self.ok |= bit
            self.hrefs_length += row.length
        if row.status != NULL_ROW:
            self.not_null |= bit
        bit <<= 1
        self.count += 1
    return self.count


# Where the block's texts are in the arena, now that it does not move.
cdef void settle_block(Worker* self, const uint8_t* arena) noexcept nogil:
    cdef int i
    for i in range(self.count):
        if self.ok >> i & 1 and self.rows[i].arena >= 0:
            self.rows[i].href = arena + self.rows[i].arena


# Columns.

# For short runs, without a call, and without reading beyond.
cdef inline void copy_bytes(uint8_t* to, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 16
    if n >= 16:
        if n > 256:
            memcpy(to, p, n)
            return
        memcpy(to, p, 16)
        while i < n - 16:
            memcpy(to + i, p + i, 16)
            i += 16
        memcpy(to + n - 16, p + n - 16, 16)
    elif n >= 8:
        memcpy(to, p, 8)
        memcpy(to + n - 8, p + n - 8, 8)
    elif n >= 4:
        memcpy(to, p, 4)
        memcpy(to + n - 4, p + n - 4, 4)
    elif n > 0:
        to[0] = p[0]
        to[n >> 1] = p[n >> 1]
        to[n - 1] = p[n - 1]


cdef inline void put_bits(uint8_t* bits, Py_ssize_t block, uint64_t word) noexcept nogil:
    cdef int k
    for k in range(8):
        bits[8 * block + k] = <uint8_t> (word >> 8 * k)


cdef inline int count_bits(uint64_t word) noexcept nogil:
    cdef int count = 0
    while word:
        word &= word - 1
        count += 1
    return count


# The component of each row. With a constant for `part`, little is left of it.
cdef inline void put_strings(Column* column, const Worker* self, Part part) noexcept nogil:
    cdef int64_t* offsets = <int64_t*> column.slots + column.count
    cdef uint8_t* data = column.data
    cdef int64_t at = column.length
    cdef const Row* row
    cdef Span s
    cdef int i
    for i in range(self.count):
        if self.ok >> i & 1:
            row = &self.rows[i]
            s = span(&row.record, row.length, part)
            copy_bytes(data + at, row.href + s.start, s.end - s.start)
            at += s.end - s.start
        offsets[i + 1] = at
    column.length = at


cdef inline void put_view(uint8_t* slot, const uint8_t* p, Py_ssize_t n, int32_t buffer, int32_t offset) noexcept nogil:
    cdef View view
    memset(slot, 0, 16)
    view.length = <int32_t> n
    if n <= 12:
        memcpy(slot, &view, 4)
        copy_bytes(slot + 4, p, n)
    else:
        memcpy(&view.prefix, p, 4)
        view.buffer = buffer
        view.offset = offset
        memcpy(slot, &view, 16)


cdef inline void put_views(Column* column, const Worker* self, Part part) noexcept nogil:
    cdef uint8_t* slot = column.slots + 16 * column.count
    cdef const Row* row
    cdef Span s
    cdef int i
    for i in range(self.count):
        if self.ok >> i & 1:
            row = &self.rows[i]
            s = span(&row.record, row.length, part)
            put_view(slot, row.href + s.start, s.end - s.start, row.buffer, row.offset + <int32_t> s.start)
        else:
            memset(slot, 0, 16)
        slot += 16


cdef inline void put_parts(Column* column, const Worker* self, Part part) noexcept nogil:
    if column.type == STRINGS:
        put_strings(column, self, part)
    else:
        put_views(column, self, part)


cdef void put_field(Column* column, const Worker* self) noexcept nogil:
    cdef int field = column.field
    if field == HREF:
        put_parts(column, self, HREF)
    elif field == PROTOCOL:
        put_parts(column, self, PROTOCOL)
    elif field == USERNAME:
        put_parts(column, self, USERNAME)
    elif field == PASSWORD:
        put_parts(column, self, PASSWORD)
    elif field == HOST:
        put_parts(column, self, HOST)
    elif field == HOSTNAME:
        put_parts(column, self, HOSTNAME)
    elif field == PORT:
        put_parts(column, self, PORT)
    elif field == PATHNAME:
        put_parts(column, self, PATHNAME)
    elif field == SEARCH:
        put_parts(column, self, SEARCH)
    elif field == HASH:
        put_parts(column, self, HASH)
    elif field == SCHEME:
        put_parts(column, self, SCHEME)
    elif field == QUERY:
        put_parts(column, self, QUERY)
    else:
        put_parts(column, self, FRAGMENT)


# One text more for a column of strings. Where `row` is given, the text is part of its href.
cdef bint put_text(Batch batch, Column* column, const uint8_t* p, Py_ssize_t n, const Row* row) noexcept nogil:
    cdef Py_ssize_t place
    if column.type == STRINGS:
        if n > column.capacity - column.length and not grow_memory(
            &column.data, &column.capacity, column.length + n
        ):
            return False
        copy_bytes(column.data + column.length, p, n)
        column.length += n
        (<int64_t*> column.slots)[column.count + 1] = column.length
    elif n <= 12 or row != NULL:
        put_view(
            column.slots + 16 * column.count, p, n,
            0 if row == NULL else row.buffer, 0 if row == NULL else row.offset + <int32_t> (p - row.href)
        )
    else:
        place = batch.arena_length
        if not push_arena(batch, p, n):
            return False
        put_view(
            column.slots + 16 * column.count, batch.arena + place, n,
            <int32_t> (batch.n_view_buffers + (place >> WINDOW_BITS)), <int32_t> (place & (VIEW_SIZE - 1))
        )
    column.count += 1
    return True


# https://url.spec.whatwg.org/#concept-url-origin, serialized
cdef Status put_origins(Batch batch, Column* column, Worker* self) except RAISED nogil:
    cdef Parser inner
    cdef const Row* row
    cdef Span s
    cdef int i
    cdef bint done
    for i in range(self.count):
        row = &self.rows[i]
        if not self.ok >> i & 1:
            done = put_text(batch, column, NULL, 0, NULL)
        elif row.record.scheme_type != NOT_SPECIAL:
            done = put_tuple_origin(batch, column, self, row.href, row.length, &row.record, row)
        elif row.record.scheme_end == 4 and memcmp(row.href, b"blob", 4) == 0:
            s = span(&row.record, row.length, PATHNAME)
            open_parser(&inner, row.href + s.start, s.end - s.start, NULL, True)
            if run_parser(self, &inner) == OK and 4 <= inner.record.scheme_end <= 5 and inner.out.data[0] == c'h' and (
                inner.record.scheme_type != NOT_SPECIAL
            ):
                done = put_tuple_origin(batch, column, self, inner.out.data, inner.out.length, &inner.record, NULL)
            else:
                done = put_text(batch, column, <const uint8_t*> b"null", 4, NULL)
            close_parser(&inner)
        else:
            done = put_text(batch, column, <const uint8_t*> b"null", 4, NULL)
        if not done:
            with gil:
                raise MemoryError
    return OK


cdef bint put_tuple_origin(
    Batch batch, Column* column, Worker* self, const uint8_t* href, Py_ssize_t length, const Record* record,
    const Row* row,
) noexcept nogil:
    cdef Span host = span(record, length, HOST)
    cdef Buffer* out = &self.piece
    if record.scheme_type == FILE:
        return put_text(batch, column, <const uint8_t*> b"null", 4, NULL)
    if not has_credentials(record):
        return put_text(batch, column, href, host.end, row)
    out.length = 0
    push_run(out, href, record.scheme_end + 3)
    push_run(out, href + host.start, host.end - host.start)
    return out.status == OK and put_text(batch, column, out.data, out.length, NULL)


cdef void put_codes(Column* column, const Worker* self, Py_ssize_t block) noexcept nogil:
    cdef int8_t* codes = <int8_t*> column.slots + column.count
    cdef uint64_t valid = 0
    cdef const Row* row
    cdef int i
    for i in range(self.count):
        row = &self.rows[i]
        codes[i] = 0
        if column.field == ERROR:
            if row.status > OK:
                codes[i] = <int8_t> (row.status - 1)
                valid |= <uint64_t> 1 << i
        elif self.ok >> i & 1 and row.record.host_type != HOST_NULL:
            codes[i] = <int8_t> (row.record.host_type - 1)
            valid |= <uint64_t> 1 << i
    put_validity(column, self, block, valid)


cdef void put_validity(Column* column, const Worker* self, Py_ssize_t block, uint64_t valid) noexcept nogil:
    put_bits(column.validity, block, valid)
    column.null_count += self.count - count_bits(valid)


cdef uint64_t not_omitted(const Worker* self, int field) noexcept nogil:
    cdef uint64_t valid = 0
    cdef const Record* record
    cdef int i
    for i in range(self.count):
        record = &self.rows[i].record
        if self.ok >> i & 1 and (record.query_start if field == QUERY else record.fragment_start) != OMITTED:
            valid |= <uint64_t> 1 << i
    return valid


# Queries.

# https://url.spec.whatwg.org/#concept-urlencoded-parser: the sequence at i, without its end; `equals` is where its name
# ends, and `plain` whether nothing in it is to be decoded.
ctypedef struct Pair:
    Span name
    Span value
    bint plain_name
    bint plain_value


cdef bint next_pair(const uint8_t* p, Py_ssize_t* pointer, Py_ssize_t n, Pair* pair) noexcept nogil:
    cdef Py_ssize_t i = pointer[0], begin
    cdef bint plain, has_value
    while i < n and p[i] == c'&':
        i += 1
    if i >= n:
        return False
    begin = i
    plain = True
    has_value = False
    while i < n:
        if byte_class[p[i]] & SET_FORM:
            if p[i] == c'&':
                break
            if p[i] == c'=' and not has_value:
                pair.name.start = begin
                pair.name.end = i
                pair.plain_name = plain
                begin = i + 1
                plain = has_value = True
            elif p[i] == c'%' or p[i] == c'+':
                plain = False
        i += 1
    if not has_value:
        pair.name.start = begin
        pair.name.end = i
        pair.plain_name = plain
        begin = i
        plain = True
    pair.value.start = begin
    pair.value.end = i
    pair.plain_value = plain
    pointer[0] = i
    return True


# A name or a value, decoded into `out`.
cdef void decode_piece(Buffer* out, Buffer* bytes_, const uint8_t* p, Span s) noexcept nogil:
    bytes_.length = 0
    percent_decode(bytes_, p + s.start, s.end - s.start, True)
    out.length = 0
    push_decoded(out, bytes_.data, bytes_.length, True)
    out.status = out.status or bytes_.status


cdef bint has_name(Worker* self, const uint8_t* p, const Pair* pair, const uint8_t* key, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t length = pair.name.end - pair.name.start
    if pair.plain_name:
        return length == n and memcmp(p + pair.name.start, key, n) == 0
    if length < n:
        return False
    decode_piece(&self.piece, &self.text, p, pair.name)
    return self.piece.length == n and memcmp(self.piece.data, key, n) == 0


cdef Status put_query_values(Job job, Batch batch, Column* column, Worker* self, Py_ssize_t block) except RAISED nogil:
    cdef uint64_t valid = 0
    cdef const Row* row
    cdef const uint8_t* p
    cdef Span s
    cdef Pair pair
    cdef Py_ssize_t at
    cdef bint found, done
    cdef int i
    for i in range(self.count):
        row = &self.rows[i]
        found = False
        if self.ok >> i & 1:
            s = span(&row.record, row.length, QUERY)
            p = row.href + s.start
            at = 0
            while not found and next_pair(p, &at, s.end - s.start, &pair):
                found = has_name(self, p, &pair, job.key_data, job.key_length)
        if not found:
            done = put_text(batch, column, NULL, 0, NULL)
        else:
            valid |= <uint64_t> 1 << i
            if pair.plain_value:
                done = put_text(batch, column, p + pair.value.start, pair.value.end - pair.value.start, row)
            else:
                decode_piece(&self.piece, &self.text, p, pair.value)
                done = put_text(batch, column, self.piece.data, self.piece.length, NULL)
        if not done or self.piece.status or self.text.status:
            with gil:
                raise MemoryError
    put_validity(column, self, block, valid)
    return OK


cdef Status put_pairs(Batch batch, Column* column, Worker* self) except RAISED nogil:
    cdef const Row* row
    cdef const uint8_t* p
    cdef Span s
    cdef Pair pair
    cdef Py_ssize_t at
    cdef int i
    for i in range(self.count):
        row = &self.rows[i]
        if self.ok >> i & 1:
            s = span(&row.record, row.length, QUERY)
            p = row.href + s.start
            at = 0
            while next_pair(p, &at, s.end - s.start, &pair):
                if not (
                    put_piece(batch, column + 1, self, p, pair.name, pair.plain_name)
                    and put_piece(batch, column + 2, self, p, pair.value, pair.plain_value)
                ):
                    with gil:
                        raise MemoryError
        column.count += 1
        (<int64_t*> column.slots)[column.count] = column[1].count
    return OK


cdef bint put_piece(Batch batch, Column* column, Worker* self, const uint8_t* p, Span s, bint plain) noexcept nogil:
    cdef Py_ssize_t needed = 8 * (column.count + 2)
    if needed > column.slots_capacity and not grow_memory(&column.slots, &column.slots_capacity, needed):
        return False
    if plain:
        return put_text(batch, column, p + s.start, s.end - s.start, NULL)
    decode_piece(&self.piece, &self.text, p, s)
    return not (self.piece.status or self.text.status) and put_text(
        batch, column, self.piece.data, self.piece.length, NULL
    )


# Runs.

cdef void open_worker(Worker* self, Job job) noexcept:
    # Not the parsers: they are opened for each row.
    self.base = job.base
    self.base_status = OK
    self.base_text.data = NULL
    start(&self.text, self.text_scratch, sizeof(self.text_scratch), PY_SSIZE_T_MAX)
    start(&self.base_buffer, self.base_scratch, sizeof(self.base_scratch), PY_SSIZE_T_MAX)
    start(&self.piece, self.piece_scratch, sizeof(self.piece_scratch), PY_SSIZE_T_MAX)
    self.memos = NULL
    self.count = 0
    open_parser(&self.base_parser, NULL, 0, NULL, True)
    open_parser(&self.parser, NULL, 0, NULL, True)


cdef void close_worker(Worker* self) noexcept:
    cdef int i
    release(&self.text)
    release(&self.base_buffer)
    release(&self.piece)
    close_parser(&self.base_parser)
    close_parser(&self.parser)
    if self.memos != NULL:
        for i in range(MEMOS + 1):
            free(self.memos[i].data)
        free(self.memos)


cdef int open_column(Column* column, ColumnType type, int field, Py_ssize_t rows) except -1:
    cdef Py_ssize_t bits = (rows + 63) // 64 * 8
    column.type = type
    column.field = field
    column.slots_capacity = 8 * (rows + 1)
    if type == STRING_VIEWS:
        column.slots_capacity = 16 * rows
    elif type == CODES:
        column.slots_capacity = rows
        column.dictionary = ERROR_NAMES if field == ERROR else HOST_TYPES
    elif type == BITS:
        column.slots_capacity = bits
    column.slots = <uint8_t*> malloc(max(column.slots_capacity, 16))
    if column.slots == NULL:
        raise MemoryError
    memset(column.slots, 0, 16)
    if type == STRINGS and not grow_memory(&column.data, &column.capacity, 16):
        raise MemoryError
    if type == CODES or field == VALID or field == QUERY or field == FRAGMENT or field == QUERY_GET:
        column.validity = <uint8_t*> malloc(max(bits, 8))
        if column.validity == NULL:
            raise MemoryError
    return 0


cdef int open_batch(Job job, Batch batch, Input rows, const Reader* reader) except -1:
    cdef ColumnType strings = STRING_VIEWS if job.views else STRINGS
    cdef Py_ssize_t i, size = 0
    batch.first_failed = -1
    batch.names = job.fields
    batch.is_struct = job.is_struct
    batch.columns = <Column*> calloc(3 * len(job.fields), sizeof(Column))
    batch.validity = <uint8_t*> malloc((batch.length + 63) // 64 * 8 + 8)
    if batch.columns == NULL or batch.validity == NULL:
        raise MemoryError
    for name in job.fields:
        field = FIELDS[name] if name in FIELDS else OTHER_FIELDS[name]
        type = strings
        if field == HOST_TYPE or field == ERROR:
            type = CODES
        elif field == VALID:
            type = BITS
        elif field == QUERY_PAIRS:
            type = PAIRS
        batch.n_columns += 1
        open_column(&batch.columns[batch.n_columns - 1], type, field, batch.length)
        if type == PAIRS:
            for _ in range(2):
                batch.n_columns += 1
                open_column(&batch.columns[batch.n_columns - 1], STRINGS, QUERY_PAIRS, 0)
    if job.views:
        batch.input = rows
        if rows.rows.kind == ROWS_VIEWS:
            for i in range(rows.rows.n_buffers):
                add_view_buffer(batch, rows.rows.buffers[i], rows.rows.sizes[i])
        elif reader.window != NULL:
            size = last_byte(reader) - reader.window
            for i in range((size >> WINDOW_BITS) + 1):
                add_view_buffer(batch, reader.window + (i << WINDOW_BITS), size - (i << WINDOW_BITS))
    return 0


cdef const uint8_t* last_byte(const Reader* reader) noexcept:
    cdef const Rows* rows = reader.rows
    if rows.kind == ROWS_LINES:
        return rows.data + reader.end
    if rows.kind == ROWS_UTF8:
        return rows.data + load32(rows.values, rows.offset + reader.end)
    return rows.data + load64(rows.values, rows.offset + reader.end)


cdef int add_view_buffer(Batch batch, const void* data, int64_t size) except -1:
    cdef Py_ssize_t n = batch.n_view_buffers + 1
    cdef void* grown = realloc(batch.view_buffers, n * sizeof(void*))
    if grown == NULL:
        raise MemoryError
    batch.view_buffers = <const void**> grown
    grown = realloc(batch.view_sizes, n * sizeof(int64_t))
    if grown == NULL:
        raise MemoryError
    batch.view_sizes = <int64_t*> grown
    batch.view_buffers[n - 1] = data
    batch.view_sizes[n - 1] = size
    batch.n_view_buffers = n
    return 0


cdef int run_rows(
    Job job, Worker* worker, Reader* reader, Reader* bases, Batch batch, Py_ssize_t* failures
) except -1 nogil:
    cdef Py_ssize_t block = 0, since = 0
    cdef Column* column
    cdef int i
    while not job.cancelled and read_block(job, worker, reader, bases, batch):
        settle_block(worker, batch.arena)
        for i in range(worker.count):
            if worker.rows[i].status > OK:
                failures[<int> worker.rows[i].status] += 1
                if batch.first_failed < 0:
                    batch.first_failed = BLOCK * block + i
                    failures[0] = worker.rows[i].status
        put_bits(batch.validity, block, worker.ok)
        batch.null_count += worker.count - count_bits(worker.ok)
        i = 0
        while i < batch.n_columns:
            column = &batch.columns[i]
            put_column(job, batch, column, worker, block)
            i += 3 if column.type == PAIRS else 1
        block += 1
        since += worker.hrefs_length
        if since > BETWEEN_SIGNALS:
            since = 0
            with gil:
                PyErr_CheckSignals()
    return 0


cdef int put_column(Job job, Batch batch, Column* column, Worker* worker, Py_ssize_t block) except -1 nogil:
    cdef Py_ssize_t needed
    if column.field <= FRAGMENT:
        needed = column.length + worker.hrefs_length
        if column.type == STRINGS and needed > column.capacity and not grow_memory(
            &column.data, &column.capacity, needed
        ):
            with gil:
                raise MemoryError
        put_field(column, worker)
        column.count += worker.count
        if column.validity != NULL:
            put_validity(column, worker, block, not_omitted(worker, column.field))
    elif column.field == ORIGIN:
        put_origins(batch, column, worker)
    elif column.field == VALID:
        put_bits(column.slots, block, worker.ok)
        put_validity(column, worker, block, worker.not_null)
        column.count += worker.count
    elif column.field == QUERY_GET:
        put_query_values(job, batch, column, worker, block)
    elif column.field == QUERY_PAIRS:
        put_pairs(batch, column, worker)
    else:
        put_codes(column, worker, block)
        column.count += worker.count
    return 0


# What was reserved and not needed is given back.
cdef int close_batch(Job job, Batch batch) except -1:
    cdef Column* column
    cdef void* shrunk
    cdef Py_ssize_t i, n
    for i in range(batch.n_columns):
        column = &batch.columns[i]
        if column.data != NULL:
            shrunk = realloc(column.data, max(column.length, 16))
            column.data = <uint8_t*> shrunk if shrunk != NULL else column.data
    if not job.views:
        free(batch.arena)
        batch.arena = NULL
    elif batch.arena != NULL:
        shrunk = realloc(batch.arena, max(batch.arena_length, 16))
        batch.arena = <uint8_t*> shrunk if shrunk != NULL else batch.arena
        n = batch.arena_length
        for i in range((n >> WINDOW_BITS) + 1):
            add_view_buffer(batch, batch.arena + (i << WINDOW_BITS), n - (i << WINDOW_BITS))
    return 0
