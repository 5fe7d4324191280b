"""Fields, and what their writers have in common: each writer puts a block of rows into a column."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from weburl._arrow.arrow cimport WINDOW_BITS, WINDOW_MASK, View, ViewOffset
from weburl._arrow.batch cimport (
    BITS, CODES, MAP, NUMBERS, PAIRS, SLACK, STRINGS, Batch, ColumnBuffers, ColumnType, push_arena,
)
from weburl._arrow.memory cimport grow_memory
from weburl._arrow.worker cimport BLOCK_ROWS, Block, ParsedRow, Worker
from weburl._core.buffer cimport OMITTED
from weburl._core.record cimport (
    FRAGMENT, HASH, HOST, HOSTNAME, HREF, PASSWORD, PATHNAME, PORT, PROTOCOL, QUERY, SCHEME, SEARCH, USERNAME, Part,
    Record, Span, span,
)
from weburl._core.status cimport NO_MEMORY, OK, RAISED, Status

cdef dict TYPES = {STRINGS: "text", CODES: "name", BITS: "bool", PAIRS: "pairs", MAP: "map", NUMBERS: "number"}


cdef class VerbState:
    """The arguments of a verb, which its fields share."""


cdef VerbState verb_state(object kept, const void* shared):
    cdef VerbState self = VerbState.__new__(VerbState)
    self.kept = kept
    self.shared = shared
    return self


cdef class Field:
    """One of the things that a column can hold. `use` says which function gives it:

    - "url": parse_many() gives it by default; it is an attribute of URL, or "error"
    - "site": parse_many() gives it on request; it needs the Public Suffix List
    - "own": another function gives it, as its only column

    A row that is a URL can be null if `has_nulls` is true. If `is_any_text` is true, the text can have any
    characters; all other texts are ASCII without control characters. A field that `needs_arguments` is a column
    of a Job only once its room has bound it to them.
    """

    @property
    def kind(self):
        """text, name, bool, pairs, map or number."""
        return TYPES[self.type]


cdef Field field(str use, str name, ColumnType type, Reads reads, bint has_nulls, Writer write, str doc):
    cdef Field self = Field.__new__(Field)
    self.use = use
    self.name = name
    self.type = type
    self.reads = reads
    self.has_nulls = has_nulls
    self.write = write
    self.doc = doc
    return self


cdef Field component(str use, str name, int part, Reads reads, bint has_nulls, str doc):
    cdef Field self = field(use, name, STRINGS, reads, has_nulls, put_component, doc)
    self.part = part
    return self


cdef Field with_arguments(Field self):
    self.needs_arguments = True
    return self


cdef Field bound(Field self, VerbState state):
    cdef Field copy = field(self.use, self.name, self.type, self.reads, self.has_nulls, self.write, self.doc)
    copy.is_any_text = self.is_any_text
    copy.part = self.part
    copy.dictionary = self.dictionary
    copy.state = state
    return copy


# Texts.

# Copies short runs without a call, and reads nothing beyond them.
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


# Adds a text to one of the two columns of PAIRS or a MAP, which grow.
cdef bint put_entry(Batch batch, ColumnBuffers* column, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef int64_t needed = 8 * (<int64_t> column.count + 2)
    if needed > column.slots_capacity and not grow_memory(&column.slots, &column.slots_capacity, needed):
        return False
    return put_text(batch, column, p, n, NULL)
