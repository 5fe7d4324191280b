"""Fields and the worker. A field writes a block of rows into a column. The worker has what a thread needs to parse."""

from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject
from cpython.ref cimport Py_XDECREF
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from weburl._arrow.arrow cimport WINDOW_BITS, WINDOW_MASK, View, ViewOffset
from weburl._arrow.batch cimport (
    SLACK, STRINGS, Batch, ColumnBuffers, ColumnType, grow_memory, push_arena,
)
from weburl._core.ascii cimport SET_SPECIAL_QUERY
from weburl._core.buffer cimport OMITTED, PY_SSIZE_T_MAX, push_run, release, start
from weburl._core.hash cimport HashKey, draw_key, hash_bytes
from weburl._core.host cimport DomainToASCII
from weburl._core.parser cimport close_parser, open_parser
from weburl._core.percent cimport percent_encode_after_encoding, utf8_text
from weburl._core.record cimport (
    FRAGMENT, HASH, HOST, HOSTNAME, HREF, PASSWORD, PATHNAME, PORT, PROTOCOL, QUERY, SCHEME, SEARCH, USERNAME, Part,
    Record, Span, span,
)
from weburl._core.status cimport NEED_DOMAIN, NEED_ENCODE, NO_MEMORY, OK, RAISED, Status

from weburl._arrow.batch import COLUMN_TYPES

cdef extern from "Python.h":
    void PyErr_Fetch(PyObject** kind, PyObject** value, PyObject** traceback) noexcept
    void PyErr_Restore(PyObject* kind, PyObject* value, PyObject* traceback) noexcept

# The memory of one thread, and the answers that its parsers need from Python.

cdef enum:
    DOMAINS = 1 << 16           # the most domains that are kept with their answers
    MEMOS = 1024
    MEMO_SIZE = 256


cdef HashKey hash_key
draw_key(&hash_key)


cdef void open_worker(Worker* self) noexcept:
    self.base_status = OK
    self.base_text.data = NULL
    start(&self.text, self.text_scratch, sizeof(self.text_scratch), PY_SSIZE_T_MAX)
    start(&self.base_buffer, self.base_scratch, sizeof(self.base_scratch), PY_SSIZE_T_MAX)
    start(&self.result, self.result_scratch, sizeof(self.result_scratch), PY_SSIZE_T_MAX)
    self.memos = NULL
    self.states = NULL
    memset(self.error, 0, sizeof(self.error))
    self.work = 0
    self.block.index = 0
    # So that they can be closed.
    open_parser(&self.base_parser, NULL, 0, NULL, True)
    open_parser(&self.parser, NULL, 0, NULL, True)


cdef void close_worker(Worker* self) noexcept:
    cdef int i
    release(&self.text)
    release(&self.base_buffer)
    release(&self.result)
    close_parser(&self.base_parser)
    close_parser(&self.parser)
    drop_error(self)
    if self.states != NULL:
        for i in range(self.n_states):
            free(self.opened[i])
        free(self.states)
    if self.memos != NULL:
        for i in range(MEMOS + 1):
            free(self.memos[i].data)
        free(self.memos)


cdef Status answer_domain(Worker* self, DomainToASCII* to_ascii) noexcept nogil:
    cdef const uint8_t* p = to_ascii.domain.data
    cdef Py_ssize_t n = to_ascii.domain.length
    cdef Memo* memo
    if self.memos == NULL:
        self.memos = <Memo*> calloc(MEMOS + 1, sizeof(Memo))
        if self.memos == NULL:
            return NO_MEMORY
    memo = self.memos + MEMOS
    if n <= MEMO_SIZE:
        memo = self.memos + hash_bytes(&hash_key, p, <size_t> n) % MEMOS
        if memo.data != NULL and memo.length == n and memcmp(memo.data, p, n) == 0:
            use_memo(memo, to_ascii)
            return OK
    # Python takes a hundred times as long as the parser, so signals are checked here.
    with gil:
        if (<Fill> fill_memo)(self, memo, p, n):
            keep_error(self)
            return NO_MEMORY
    use_memo(memo, to_ascii)
    return OK


# To catch an exception takes memory: where that is what lacks, `except` would lose it. So what raises is called as if it
# did not, and its exception is taken from the thread.
ctypedef int (*Fill)(Worker*, Memo*, const uint8_t*, Py_ssize_t) noexcept
ctypedef int (*Answer)(Worker*, Parser*) noexcept


cdef void keep_error(Worker* self) noexcept:
    drop_error(self)
    PyErr_Fetch(&self.error[0], &self.error[1], &self.error[2])


cdef void drop_error(Worker* self) noexcept:
    cdef int i
    for i in range(3):
        Py_XDECREF(self.error[i])
        self.error[i] = NULL


cdef int raise_error(Worker* self) except -1:
    if self.error[0] == NULL:
        raise MemoryError
    # It takes the references.
    PyErr_Restore(self.error[0], self.error[1], self.error[2])
    memset(self.error, 0, sizeof(self.error))
    return -1


cdef void use_memo(const Memo* memo, DomainToASCII* to_ascii) noexcept nogil:
    to_ascii.failed = memo.failed
    to_ascii.answer = memo.data + memo.length
    to_ascii.answer_length = memo.answer_length


cdef int check_signals(const Worker* self) except -1:
    if self.work >= 0:
        PyErr_CheckSignals()
    return 0


cdef int fill_memo(Worker* self, Memo* memo, const uint8_t* p, Py_ssize_t n) except -1:
    cdef dict domains = <dict> self.domains
    check_signals(self)
    from weburl._unicode.idna import cached_domain_to_ascii

    domain = utf8_text(p, n)
    if domain in domains:
        answer = domains[domain]
    else:
        answer = cached_domain_to_ascii(domain)
        if n <= MEMO_SIZE and len(domains) < DOMAINS:
            domains[domain] = answer
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


# The answer is in the worker's result, which nothing else uses until the parser ends.
cdef int answer_encode(Worker* self, Parser* parser) except -1:
    PyErr_CheckSignals()
    text = utf8_text(parser.input + parser.pointer, parser.query_end - parser.pointer)
    cdef bytes query = percent_encode_after_encoding(<object> self.encoding, text, SET_SPECIAL_QUERY)
    self.result.length = 0
    push_run(&self.result, <const uint8_t*> <const char*> query, len(query))
    if self.result.status:
        raise MemoryError
    parser.query = self.result.data
    parser.query_length = self.result.length
    return 0


cdef Status answer_parser(Worker* self, Parser* parser, Status status) noexcept nogil:
    while status == NEED_DOMAIN or status == NEED_ENCODE:
        if status == NEED_DOMAIN:
            status = answer_domain(self, &parser.to_ascii)
            if status:
                return status
        else:
            with gil:
                if (<Answer> answer_encode)(self, parser):
                    keep_error(self)
                    return NO_MEMORY
        status = parse(parser)
    return status


# Fields, and what their writers have in common.

cdef class VerbState:
    """The arguments of a verb, which its fields share."""


cdef VerbState verb_state(object kept, const void* shared):
    cdef VerbState self = VerbState.__new__(VerbState)
    self.kept = kept
    self.shared = shared
    return self


cdef class Field:
    """One of the things that a column can hold.

    parse_many() gives those that have `is_default`, unless it is told which. Each is an attribute of URL, or "error".
    A row that is a URL can be null if `has_nulls` is true. If `is_any_text` is true, the text can have any
    characters; all other texts are ASCII without control characters. A field that `needs_arguments` is a column
    of a Job only once its room has bound it to them.
    """

    @property
    def kind(self):
        """As the rows of COLUMN_TYPES say."""
        return COLUMN_TYPES[<int> self.type][1]


cdef Field field(str name, ColumnType type, Reads reads, bint has_nulls, Writer write, str doc):
    cdef Field self = Field.__new__(Field)
    self.name = name
    self.type = type
    self.reads = reads
    self.has_nulls = has_nulls
    self.write = write
    self.doc = doc
    return self


cdef Field component(str name, int part, Reads reads, bint has_nulls, str doc):
    cdef Field self = field(name, STRINGS, reads, has_nulls, put_component, doc)
    self.part = part
    return self


cdef Field by_default(Field self):
    self.is_default = True
    return self


cdef Field with_arguments(Field self):
    self.needs_arguments = True
    return self


cdef Field bound(Field self, VerbState state):
    cdef Field copy = field(self.name, self.type, self.reads, self.has_nulls, self.write, self.doc)
    copy.is_default = self.is_default
    copy.is_any_text = self.is_any_text
    copy.part = self.part
    copy.dictionary = self.dictionary
    copy.state = state
    return copy


# Texts.

# Points rows to where their texts are in the arena, which moves when it grows.
cdef void settle(Batch batch, Block* block) noexcept nogil:
    cdef int i
    if block.arena == batch.arena:
        return
    block.arena = batch.arena
    for i in range(block.count):
        if block.ok >> i & 1 and block.rows[i].arena >= 0:
            block.rows[i].href = batch.arena + block.rows[i].arena


# copy_bytes() where SLACK bytes can be read and written after the run. Most texts take the first copy only, or two.
cdef inline void copy_with_slack(uint8_t* to, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    memcpy(to, p, 32)
    if n > 32:
        memcpy(to + 32, p + 32, 32)
        if n > 64:
            memcpy(to + 64, p + 64, n - 64)


# The component of each row. A constant `part` lets the compiler drop most of span().
cdef inline void put_strings(ColumnBuffers* column, const Block* block, Part part) noexcept nogil:
    cdef int64_t* ends = <int64_t*> column.slots + column.count + 1
    cdef uint8_t* to = column.data + column.length
    cdef const ParsedRow* row
    cdef Span s
    cdef int i
    for i in range(block.count):
        row = &block.rows[i]
        s = span(&row.record, row.length, part)
        if block.has_slack:
            copy_with_slack(to, row.href + s.start, s.end - s.start)
        else:
            copy_bytes(to, row.href + s.start, s.end - s.start)
        to += s.end - s.start
        ends[i] = to - column.data
    column.length = to - column.data


cdef inline void put_view(
    uint8_t* slot, const uint8_t* p, Py_ssize_t n, int32_t buffer, ViewOffset offset
) noexcept nogil:
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


cdef inline void put_views(ColumnBuffers* column, const Block* block, Part part) noexcept nogil:
    cdef uint8_t* slot = column.slots + 16 * column.count
    cdef const ParsedRow* row
    cdef Span s
    cdef int i
    for i in range(block.count):
        if block.ok >> i & 1:
            row = &block.rows[i]
            s = span(&row.record, row.length, part)
            put_view(slot, row.href + s.start, s.end - s.start, row.buffer, <ViewOffset> (row.offset + s.start))
        else:
            memset(slot, 0, 16)
        slot += 16


cdef inline void put_parts(ColumnBuffers* column, const Block* block, Part part) noexcept nogil:
    if column.type == STRINGS:
        put_strings(column, block, part)
    else:
        put_views(column, block, part)


cdef void put_parts_of(ColumnBuffers* column, const Block* block) noexcept nogil:
    cdef int part = column.part
    if part == HREF:
        put_parts(column, block, HREF)
    elif part == PROTOCOL:
        put_parts(column, block, PROTOCOL)
    elif part == USERNAME:
        put_parts(column, block, USERNAME)
    elif part == PASSWORD:
        put_parts(column, block, PASSWORD)
    elif part == HOST:
        put_parts(column, block, HOST)
    elif part == HOSTNAME:
        put_parts(column, block, HOSTNAME)
    elif part == PORT:
        put_parts(column, block, PORT)
    elif part == PATHNAME:
        put_parts(column, block, PATHNAME)
    elif part == SEARCH:
        put_parts(column, block, SEARCH)
    elif part == HASH:
        put_parts(column, block, HASH)
    elif part == SCHEME:
        put_parts(column, block, SCHEME)
    elif part == QUERY:
        put_parts(column, block, QUERY)
    else:
        # FRAGMENT. tests/test_fields.py fails if another part has no branch here.
        put_parts(column, block, FRAGMENT)


# Adds a text to a column of strings. If `row` is given, the text is part of its href.
cdef bint put_text(
    Batch batch, ColumnBuffers* column, const uint8_t* p, Py_ssize_t n, const ParsedRow* row
) noexcept nogil:
    cdef Py_ssize_t place
    if column.type == STRINGS:
        if n > column.capacity - column.length and not grow_memory(
            &column.data, &column.capacity, <int64_t> column.length + n
        ):
            return False
        copy_bytes(column.data + column.length, p, n)
        column.length += n
        if column.length or not column.zeroed:
            (<int64_t*> column.slots)[column.count + 1] = column.length
    elif n == 0 and column.zeroed:
        pass
    elif n <= 12 or row != NULL:
        put_view(
            column.slots + 16 * column.count, p, n,
            0 if row == NULL else row.buffer, 0 if row == NULL else <ViewOffset> (row.offset + (p - row.href))
        )
    else:
        place = batch.arena_length
        if not push_arena(batch, p, n):
            return False
        put_view(
            column.slots + 16 * column.count, batch.arena + place, n,
            <int32_t> (batch.n_view_buffers + (place >> WINDOW_BITS)), <ViewOffset> (place & WINDOW_MASK)
        )
    column.count += 1
    return True


cdef void put_validity(ColumnBuffers* column, const Block* block, uint64_t valid) noexcept nogil:
    put_bits(column.validity, block.index, valid)
    column.null_count += block.count - count_bits(valid)


cdef uint64_t not_omitted(const Block* block, int part) noexcept nogil:
    cdef uint64_t valid = 0
    cdef const Record* record
    cdef int i
    for i in range(block.count):
        record = &block.rows[i].record
        if block.ok >> i & 1 and (record.query_start if part == QUERY else record.fragment_start) != OMITTED:
            valid |= <uint64_t> 1 << i
    return valid


# How much memory to reserve for the strings: for this block and, so that they are rarely moved, for later blocks like
# those before. Some 1,000 rows tell enough of all. Cython would take max() of an int64_t and a Py_ssize_t for the latter.
cdef int64_t expected_length(Batch batch, const ColumnBuffers* column, const Block* block) noexcept nogil:
    cdef int64_t needed = column.length + block.length + SLACK, length = column.length, each
    cdef int64_t rows = BLOCK_ROWS * <int64_t> block.index, all_rows = batch.length
    if rows:
        each = min(length * 9 // (8 * rows) + 2, <int64_t> 144)
        needed = max(needed, each * (all_rows if rows >= 1024 else min(all_rows, <int64_t> 2048)) + <int64_t> SLACK)
    return needed


cdef Status put_component(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef Block* block = &worker.block
    settle(batch, block)
    if column.type == STRINGS and block.length + SLACK > column.capacity - column.length:
        if not grow_memory(&column.data, &column.capacity, expected_length(batch, column, block)):
            return NO_MEMORY
    if block.ok or not column.zeroed or (column.type == STRINGS and column.length):
        put_parts_of(column, block)
    if column.validity != NULL:
        put_validity(column, block, not_omitted(block, column.part))
    column.count += block.count
    return OK


# Adds nulls, until the column has so many entries.
cdef void put_nulls(ColumnBuffers* column, Py_ssize_t count) noexcept nogil:
    cdef int64_t* ends = <int64_t*> column.slots + 1
    cdef Py_ssize_t i
    if column.type != STRINGS:
        if not column.zeroed:
            memset(column.slots + 16 * column.count, 0, 16 * (count - column.count))
    elif column.length or not column.zeroed:
        for i in range(column.count, count):
            ends[i] = column.length
    column.count = count


# Adds a text to one of the columns of PAIRS, a MAP or LISTS, which grow.
cdef bint put_entry(Batch batch, ColumnBuffers* column, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef int64_t needed = 8 * (<int64_t> column.count + 2)
    if needed > column.slots_capacity and not grow_memory(&column.slots, &column.slots_capacity, needed):
        return False
    return put_text(batch, column, p, n, NULL)
