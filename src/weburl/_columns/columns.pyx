"""Columns, written a block of rows at a time."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from weburl._columns.arrow cimport WINDOW_BITS, View, ViewOffset
from weburl._columns.batch cimport STRINGS, Batch, Column, grow_memory, push_arena
from weburl._core.buffer cimport OMITTED
from weburl._core.host cimport HOST_NULL
from weburl._core.record cimport (
    FRAGMENT, HASH, HOST, HOSTNAME, HREF, PASSWORD, PATHNAME, PORT, PROTOCOL, QUERY, SCHEME, SEARCH, USERNAME,
    Part, Record, Span, span,
)
from weburl._core.status cimport OK
from weburl._core.urlencoded cimport Pair, decode_field, is_field, next_pair


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


cdef void settle(Batch batch, Block* block) noexcept nogil:
    cdef int i
    if block.arena == batch.arena:
        return
    block.arena = batch.arena
    for i in range(block.count):
        if block.ok >> i & 1 and block.rows[i].arena >= 0:
            block.rows[i].href = batch.arena + block.rows[i].arena


cdef void put_bits(uint8_t* bits, Py_ssize_t block, uint64_t word) noexcept nogil:
    cdef int k
    for k in range(8):
        bits[8 * block + k] = <uint8_t> (word >> 8 * k)


cdef int count_bits(uint64_t word) noexcept nogil:
    cdef int count = 0
    while word:
        word &= word - 1
        count += 1
    return count


# The component of each row. With a constant for `part`, little is left of it.
cdef inline void put_strings(Column* column, const Block* block, Part part) noexcept nogil:
    cdef int64_t* offsets = <int64_t*> column.slots + column.count
    cdef uint8_t* data = column.data
    cdef int64_t at = column.length
    cdef const Row* row
    cdef Span s
    cdef int i
    for i in range(block.count):
        if block.ok >> i & 1:
            row = &block.rows[i]
            s = span(&row.record, row.length, part)
            copy_bytes(data + at, row.href + s.start, s.end - s.start)
            at += s.end - s.start
        offsets[i + 1] = at
    column.length = at


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


cdef inline void put_views(Column* column, const Block* block, Part part) noexcept nogil:
    cdef uint8_t* slot = column.slots + 16 * column.count
    cdef const Row* row
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


cdef inline void put_parts(Column* column, const Block* block, Part part) noexcept nogil:
    if column.type == STRINGS:
        put_strings(column, block, part)
    else:
        put_views(column, block, part)


cdef void put_field(Column* column, const Block* block) noexcept nogil:
    cdef int field = column.field
    if field == HREF:
        put_parts(column, block, HREF)
    elif field == PROTOCOL:
        put_parts(column, block, PROTOCOL)
    elif field == USERNAME:
        put_parts(column, block, USERNAME)
    elif field == PASSWORD:
        put_parts(column, block, PASSWORD)
    elif field == HOST:
        put_parts(column, block, HOST)
    elif field == HOSTNAME:
        put_parts(column, block, HOSTNAME)
    elif field == PORT:
        put_parts(column, block, PORT)
    elif field == PATHNAME:
        put_parts(column, block, PATHNAME)
    elif field == SEARCH:
        put_parts(column, block, SEARCH)
    elif field == HASH:
        put_parts(column, block, HASH)
    elif field == SCHEME:
        put_parts(column, block, SCHEME)
    elif field == QUERY:
        put_parts(column, block, QUERY)
    else:
        put_parts(column, block, FRAGMENT)


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
            <int32_t> (batch.n_view_buffers + (place >> WINDOW_BITS)), <ViewOffset> (place & ((1 << WINDOW_BITS) - 1))
        )
    column.count += 1
    return True


cdef void put_codes(Column* column, const Block* block) noexcept nogil:
    cdef int8_t* codes = <int8_t*> column.slots + column.count
    cdef uint64_t valid = 0
    cdef const Row* row
    cdef int i
    for i in range(block.count):
        row = &block.rows[i]
        codes[i] = 0
        if column.field == ERROR:
            if row.status > OK:
                codes[i] = <int8_t> (row.status - 1)
                valid |= <uint64_t> 1 << i
        elif block.ok >> i & 1 and row.record.host_type != HOST_NULL:
            codes[i] = <int8_t> (row.record.host_type - 1)
            valid |= <uint64_t> 1 << i
    put_validity(column, block, valid)


cdef void put_validity(Column* column, const Block* block, uint64_t valid) noexcept nogil:
    put_bits(column.validity, block.index, valid)
    column.null_count += block.count - count_bits(valid)


cdef uint64_t not_omitted(const Block* block, int field) noexcept nogil:
    cdef uint64_t valid = 0
    cdef const Record* record
    cdef int i
    for i in range(block.count):
        record = &block.rows[i].record
        if block.ok >> i & 1 and (record.query_start if field == QUERY else record.fragment_start) != OMITTED:
            valid |= <uint64_t> 1 << i
    return valid


# Queries.

cdef inline bint has_memory(const Block* block) noexcept nogil:
    return not (block.decoder.octets.status or block.decoder.text.status)


cdef bint put_decoded(Batch batch, Column* column, Block* block, const uint8_t* p, Span s) noexcept nogil:
    decode_field(&block.decoder, p + s.start, s.end - s.start)
    return has_memory(block) and put_text(
        batch, column, block.decoder.text.data, block.decoder.text.length, NULL
    )


cdef bint put_query_values(Batch batch, Column* column, Block* block) noexcept nogil:
    cdef uint64_t valid = 0
    cdef const Row* row
    cdef const uint8_t* p
    cdef Span s
    cdef Pair pair
    cdef Py_ssize_t at
    cdef bint found, done
    cdef int i
    for i in range(block.count):
        row = &block.rows[i]
        found = False
        if block.ok >> i & 1:
            settle(batch, block)
            s = span(&row.record, row.length, QUERY)
            p = row.href + s.start
            at = 0
            while not found and next_pair(p, &at, s.end - s.start, &pair):
                found = is_field(&block.decoder, p, pair.name, pair.plain_name, block.key, block.key_length)
        if not found:
            done = put_text(batch, column, NULL, 0, NULL)
        else:
            valid |= <uint64_t> 1 << i
            if pair.plain_value:
                done = put_text(batch, column, p + pair.value.start, pair.value.end - pair.value.start, row)
            else:
                done = put_decoded(batch, column, block, p, pair.value)
        if not done:
            return False
    put_validity(column, block, valid)
    # Of a name that could not be decoded.
    return has_memory(block)


cdef bint put_pairs(Batch batch, Column* column, Block* block) noexcept nogil:
    cdef const Row* row
    cdef const uint8_t* p
    cdef Span s
    cdef Pair pair
    cdef Py_ssize_t at
    cdef int i
    for i in range(block.count):
        row = &block.rows[i]
        if block.ok >> i & 1:
            s = span(&row.record, row.length, QUERY)
            p = row.href + s.start
            at = 0
            while next_pair(p, &at, s.end - s.start, &pair):
                if not (
                    put_field_text(batch, column + 1, block, p, pair.name, pair.plain_name)
                    and put_field_text(batch, column + 2, block, p, pair.value, pair.plain_value)
                ):
                    return False
        column.count += 1
        (<int64_t*> column.slots)[column.count] = column[1].count
    return True


cdef bint put_field_text(Batch batch, Column* column, Block* block, const uint8_t* p, Span s, bint plain) noexcept nogil:
    cdef Py_ssize_t needed = 8 * (column.count + 2)
    if needed > column.slots_capacity and not grow_memory(&column.slots, &column.slots_capacity, needed):
        return False
    if plain:
        return put_text(batch, column, p + s.start, s.end - s.start, NULL)
    return put_decoded(batch, column, block, p, s)


cdef bint put_column(Batch batch, Column* column, Block* block) noexcept nogil:
    cdef Py_ssize_t needed, expected
    settle(batch, block)
    if column.field == QUERY_GET:
        return put_query_values(batch, column, block)
    if column.field == QUERY_PAIRS:
        return put_pairs(batch, column, block)
    if column.field == VALID:
        put_bits(column.slots, block.index, block.ok)
        put_validity(column, block, block.not_null)
    elif column.field == HOST_TYPE or column.field == ERROR:
        put_codes(column, block)
    else:
        # Room for the whole block at once; and, so that it is rarely moved, for the blocks to come if they are like those
        # before.
        if column.type == STRINGS and block.length > column.capacity - column.length:
            needed = column.length + block.length
            if block.index:
                expected = column.length // (BLOCK * block.index) + 2
                needed = max(needed, min(expected, 128) * batch.length)
            if not grow_memory(&column.data, &column.capacity, needed):
                return False
        if block.ok or not column.zeroed or (column.type == STRINGS and column.length):
            put_field(column, block)
        if column.validity != NULL:
            put_validity(column, block, not_omitted(block, column.field))
    column.count += block.count
    return True
