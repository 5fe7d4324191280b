"""Writers: each puts a block of rows into the column of one field."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from weburl._arrow.arrow cimport WINDOW_BITS, View, ViewOffset
from weburl._arrow.batch cimport MOST_PAIRS, NUMBERS, SLACK, STRINGS, Batch, ColumnBuffers, push_arena
from weburl._columns.matches cimport Group, Matches, Target
from weburl._arrow.memory cimport grow_memory
from weburl._columns.worker cimport BLOCK_ROWS, Block, ParsedRow, Worker, answer_domain, run_parser
from weburl._core.buffer cimport OMITTED, Buffer
from weburl._core.host cimport (
    HOST_DOMAIN, HOST_NULL, HOST_OPAQUE, DomainToASCII, HostType, close_to_ascii, open_to_ascii, parse_host,
)
from weburl._core.parser cimport Parser, close_parser, length_limit, open_parser
from weburl._core.record cimport (
    FRAGMENT, HASH, HOST, HOSTNAME, HREF, PASSWORD, PATH_ORIGIN, PATHNAME, PORT, PROTOCOL, QUERY, SCHEME, SEARCH,
    TUPLE_ORIGIN, USERNAME, OriginKind, Part, Record, Span, has_credentials, has_http_scheme, origin_kind, push_origin,
    span,
)
from weburl._core.status cimport NEED_DOMAIN, NO_MEMORY, OK, RAISED, Status
from weburl._core.urlencoded cimport (
    ENCODED, PLAIN, Coding, Keys, Pair, PairReader, decode_field, find_key, has_other_length, next_pair, open_pairs,
)
from weburl._crawl.blake2b cimport big_endian, blake2b
from weburl._redact.forms cimport KINDS
from weburl._hosts.matching cimport is_looked_at, is_match, is_private
from weburl._hosts.suffixes cimport Site, find_site
from weburl._patterns.matcher cimport NO_COMPONENT, Subject, match_subject, view_subject
from weburl._patterns.routes cimport NO_ROUTE, ROUTE_NO_MEMORY, find_route


cdef extern from "bits.h":
    unsigned lowest_bit(uint64_t mask) noexcept nogil


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


# Fields: a writer puts a block of rows into a column.

# How much memory to reserve for the strings: for this block and, so that they are rarely moved, for later blocks like
# those before. Some 1,000 rows tell enough of all.
cdef Py_ssize_t expected_length(Batch batch, const ColumnBuffers* column, const Block* block) noexcept nogil:
    cdef Py_ssize_t needed = column.length + block.length + SLACK, rows = BLOCK_ROWS * block.index, each
    if rows:
        each = min(column.length * 9 // (8 * rows) + 2, 144)
        needed = max(needed, each * (batch.length if rows >= 1024 else min(batch.length, 2048)) + SLACK)
    return needed


cdef Status put_component(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
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


# Each is a part of the href.
cdef Status put_sql_part(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef Block* block = &worker.block
    cdef uint64_t valid = 0
    cdef const ParsedRow* row
    cdef const Record* record
    cdef Span s
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        row = &block.rows[i]
        record = &row.record
        s.start = -1
        s.end = 0
        if not block.ok >> i & 1:
            pass
        elif column.part == FILE_PART:
            s = span(record, row.length, SEARCH)
            s.start = record.path_start
            s.end = max(s.end, span(record, row.length, PATHNAME).end)
        elif column.part == AUTHORITY_PART:
            if record.host_type != HOST_NULL:
                s = span(record, row.length, HOST)
                s.start = record.scheme_end + 3
        elif has_credentials(record):
            s.start = record.scheme_end + 3
            s.end = record.host_start - 1
        if s.start < 0:
            if not put_text(batch, column, NULL, 0, NULL):
                return NO_MEMORY
        else:
            valid |= <uint64_t> 1 << i
            if not put_text(batch, column, row.href + s.start, s.end - s.start, row):
                return NO_MEMORY
    if column.validity != NULL:
        put_validity(column, block, valid)
    return OK


cdef Status put_host_type(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const Block* block = &worker.block
    cdef int8_t* codes = <int8_t*> column.slots + column.count
    cdef uint64_t valid = 0
    cdef const Record* record
    cdef int i
    for i in range(block.count):
        record = &block.rows[i].record
        codes[i] = 0
        if block.ok >> i & 1 and record.host_type != HOST_NULL:
            codes[i] = <int8_t> (record.host_type - 1)
            valid |= <uint64_t> 1 << i
    put_validity(column, block, valid)
    column.count += block.count
    return OK


cdef Status put_error(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const Block* block = &worker.block
    cdef int8_t* codes = <int8_t*> column.slots + column.count
    cdef uint64_t valid = 0
    cdef int i, status
    for i in range(block.count):
        codes[i] = 0
        status = block.rows[i].status
        if status > OK:
            codes[i] = <int8_t> (status - 1)
            valid |= <uint64_t> 1 << i
    put_validity(column, block, valid)
    column.count += block.count
    return OK


cdef Status put_valid(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const Block* block = &worker.block
    put_bits(column.slots, block.index, block.ok)
    put_validity(column, block, block.not_null)
    column.count += block.count
    return OK


# https://url.spec.whatwg.org/#concept-url-origin, serialized
cdef Status put_origin(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef Parser* inner = &worker.parser
    cdef Block* block = &worker.block
    cdef const ParsedRow* row
    cdef OriginKind kind
    cdef Status status
    cdef Span s
    cdef int i
    cdef bint done
    for i in range(block.count):
        settle(batch, block)
        row = &block.rows[i]
        if not block.ok >> i & 1:
            done = put_text(batch, column, NULL, 0, NULL)
        else:
            kind = origin_kind(row.href, &row.record)
            if kind == TUPLE_ORIGIN:
                done = put_tuple_origin(batch, column, worker, row.href, row.length, &row.record, row)
            elif kind == PATH_ORIGIN:
                s = span(&row.record, row.length, PATHNAME)
                open_parser(inner, row.href + s.start, s.end - s.start, NULL, True)
                status = run_parser(worker, inner)
                if status == NO_MEMORY:
                    done = False
                elif status == OK and has_http_scheme(&inner.record):
                    done = put_tuple_origin(
                        batch, column, worker, inner.out.data, inner.out.length, &inner.record, NULL
                    )
                else:
                    done = put_text(batch, column, <const uint8_t*> b"null", 4, NULL)
                close_parser(inner)
            else:
                done = put_text(batch, column, <const uint8_t*> b"null", 4, NULL)
        if not done:
            return NO_MEMORY
    return OK


cdef bint put_tuple_origin(
    Batch batch, ColumnBuffers* column, Worker* worker, const uint8_t* href, Py_ssize_t length, const Record* record,
    const ParsedRow* row,
) noexcept nogil:
    cdef Buffer* out = &worker.result
    if row != NULL and not has_credentials(record):
        return put_text(batch, column, href, span(record, length, HOST).end, row)
    # The parser may have kept its URL in the arena, which moves when it grows.
    out.length = 0
    push_origin(out, href, length, record)
    return out.status == OK and put_text(batch, column, out.data, out.length, NULL)


# Queries.

cdef inline bint has_memory(const Worker* worker) noexcept nogil:
    return not (worker.text.status or worker.result.status)


# False if memory runs out.
cdef inline bint find_row_values(Worker* worker, const Keys* keys, int i) noexcept nogil:
    cdef const ParsedRow* row = &worker.block.rows[i]
    cdef Span s = span(&row.record, row.length, QUERY)
    cdef const uint8_t* p = row.href + s.start
    cdef uint64_t bit = <uint64_t> 1 << i
    cdef Py_ssize_t key, n, left = keys.count
    cdef PairReader reader
    cdef Pair pair
    open_pairs(&reader, p, s.end - s.start)
    while left and next_pair(&reader, &pair):
        n = pair.name.end - pair.name.start
        if pair.name_coding == PLAIN:
            if has_other_length(keys, n):
                continue
            key = find_key(keys, p + pair.name.start, n)
        elif n < keys.shortest:
            # Nothing gets longer by decoding.
            continue
        else:
            decode_field(&worker.decoder, p + pair.name.start, n)
            if not has_memory(worker):
                return False
            key = find_key(keys, worker.result.data, worker.result.length)
        if key >= 0 and not worker.values.found[key] & bit:
            left -= 1
            worker.values.found[key] |= bit
            if pair.value_coding != PLAIN:
                worker.values.encoded[key] |= bit
            worker.values.spans[BLOCK_ROWS * key + i] = Span(s.start + pair.value.start, s.start + pair.value.end)
    return True


cdef Status find_values(Batch batch, Worker* worker) noexcept nogil:
    cdef Block* block = &worker.block
    cdef int i
    settle(batch, block)
    # Both: the bits of those to decode follow.
    memset(worker.values.found, 0, 2 * <size_t> worker.keys.count * sizeof(uint64_t))
    for i in range(block.count):
        # Of what is not a URL all is omitted.
        if block.rows[i].record.query_start != OMITTED and not find_row_values(worker, worker.keys, i):
            return NO_MEMORY
    return OK


# Adds nulls, until the column has so many entries.
cdef inline void put_nulls(ColumnBuffers* column, Py_ssize_t count) noexcept nogil:
    cdef int64_t* ends = <int64_t*> column.slots + 1
    cdef Py_ssize_t i
    if column.type != STRINGS:
        if not column.zeroed:
            memset(column.slots + 16 * column.count, 0, 16 * (count - column.count))
    elif column.length or not column.zeroed:
        for i in range(column.count, count):
            ends[i] = column.length
    column.count = count


# The value of the column's key, in rows that have it.
cdef Status put_query_value(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef Block* block = &worker.block
    cdef uint64_t found = worker.values.found[column.part], encoded = worker.values.encoded[column.part]
    cdef const Span* values = worker.values.spans + BLOCK_ROWS * <Py_ssize_t> column.part
    cdef const ParsedRow* row
    cdef Py_ssize_t first = column.count
    cdef bint done
    cdef int i
    put_validity(column, block, found)
    # No text gets longer by decoding.
    if found and column.type == STRINGS and block.length + SLACK > column.capacity - column.length:
        if not grow_memory(&column.data, &column.capacity, expected_length(batch, column, block)):
            return NO_MEMORY
    while found:
        i = lowest_bit(found)
        found &= found - 1
        put_nulls(column, first + i)
        settle(batch, block)
        row = &block.rows[i]
        if encoded >> i & 1:
            decode_field(&worker.decoder, row.href + values[i].start, values[i].end - values[i].start)
            done = has_memory(worker) and put_text(batch, column, worker.result.data, worker.result.length, NULL)
        else:
            done = put_text(batch, column, row.href + values[i].start, values[i].end - values[i].start, row)
        if not done:
            return NO_MEMORY
    put_nulls(column, first + block.count)
    return OK


# The keys that a row has, with their values.
cdef Status put_query_map(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef Block* block = &worker.block
    cdef const Keys* keys = worker.keys
    cdef const Span* at = worker.values.spans
    cdef uint64_t found = 0
    cdef Py_ssize_t k
    cdef int i
    cdef Coding coding
    settle(batch, block)
    for k in range(keys.count):
        found |= worker.values.found[k]
    for i in range(block.count):
        for k in range(keys.count if found >> i & 1 else 0):
            if worker.values.found[k] >> i & 1:
                coding = ENCODED if worker.values.encoded[k] >> i & 1 else PLAIN
                if not (
                    put_entry(batch, column + 1, keys.keys[k].text, keys.keys[k].length)
                    and put_name_or_value(batch, column + 2, worker, block.rows[i].href, at[BLOCK_ROWS * k + i], coding)
                ):
                    return NO_MEMORY
        if column[1].count > MOST_PAIRS:
            return NO_MEMORY
        column.count += 1
        (<int32_t*> column.slots)[column.count] = <int32_t> column[1].count
    return OK


cdef Status put_query_pairs(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef Block* block = &worker.block
    cdef const ParsedRow* row
    cdef const uint8_t* p
    cdef Span s
    cdef PairReader reader
    cdef Pair pair
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        row = &block.rows[i]
        if block.ok >> i & 1:
            s = span(&row.record, row.length, QUERY)
            p = row.href + s.start
            open_pairs(&reader, p, s.end - s.start)
            while next_pair(&reader, &pair):
                if not (
                    put_name_or_value(batch, column + 1, worker, p, pair.name, pair.name_coding)
                    and put_name_or_value(batch, column + 2, worker, p, pair.value, pair.value_coding)
                ):
                    return NO_MEMORY
        column.count += 1
        (<int64_t*> column.slots)[column.count] = column[1].count
    return OK


cdef bint put_name_or_value(
    Batch batch, ColumnBuffers* column, Worker* worker, const uint8_t* p, Span s, Coding coding
) noexcept nogil:
    if coding == PLAIN:
        return put_entry(batch, column, p + s.start, s.end - s.start)
    decode_field(&worker.decoder, p + s.start, s.end - s.start)
    return has_memory(worker) and put_entry(batch, column, worker.result.data, worker.result.length)


# Adds a text to one of the two columns of PAIRS or a MAP, which grow.
cdef bint put_entry(Batch batch, ColumnBuffers* column, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t needed = 8 * (column.count + 2)
    if needed > column.slots_capacity and not grow_memory(&column.slots, &column.slots_capacity, needed):
        return False
    return put_text(batch, column, p, n, NULL)


# Crawlers' fields.

# The public suffix, or with `registrable` the registrable domain.
cdef Status put_site_part(Batch batch, ColumnBuffers* column, Worker* worker, bint registrable) noexcept nogil:
    cdef Block* block = &worker.block
    cdef uint64_t valid = 0
    cdef const ParsedRow* row
    cdef const uint8_t* host
    cdef Py_ssize_t n, begin
    cdef Site site
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        row = &block.rows[i]
        begin = -1
        if block.ok >> i & 1 and row.record.host_type == HOST_DOMAIN:
            host = row.href + row.record.host_start
            n = row.record.host_end - row.record.host_start
            site = find_site(worker.suffixes, host, n, True)
            begin = site.registrable_domain if registrable else site.public_suffix
        if begin < 0:
            if not put_text(batch, column, NULL, 0, NULL):
                return NO_MEMORY
        else:
            valid |= <uint64_t> 1 << i
            if not put_text(batch, column, host + begin, n - begin, row):
                return NO_MEMORY
    put_validity(column, block, valid)
    return OK


cdef Status put_site(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    return put_site_part(batch, column, worker, True)


cdef Status put_public_suffix(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    return put_site_part(batch, column, worker, False)


# What a row says of its host, read as in an http URL: whether it is private or, with `listed`, whether it is on the list.
cdef Status put_hosts(Batch batch, ColumnBuffers* column, Worker* worker, bint listed) except RAISED nogil:
    cdef Block* block = &worker.block
    cdef Buffer* out = &worker.result
    cdef uint64_t bits = 0
    cdef const ParsedRow* row
    cdef const uint8_t* host
    cdef Py_ssize_t n
    cdef HostType host_type, in_http = HOST_OPAQUE
    cdef Status status
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        row = &block.rows[i]
        if not block.ok >> i & 1 or (listed and not is_looked_at(worker.hosts, row.href, row.record.scheme_end)):
            continue
        host_type = <HostType> row.record.host_type
        host = row.href + row.record.host_start
        n = row.record.host_end - row.record.host_start
        if host_type == HOST_OPAQUE:
            status = read_in_http(worker, host, n, &in_http)
            if status == NO_MEMORY:
                return NO_MEMORY
            if status == OK and out.length <= length_limit:
                host_type = in_http
                host = out.data
                n = out.length
        if is_match(worker.hosts, host_type, host, n) if listed else is_private(worker.hosts, host_type, host, n):
            bits |= <uint64_t> 1 << i
    put_bits(column.slots, block.index, bits)
    column.count += block.count
    return OK


# Parses an opaque host as that of an http URL, into the worker's result.
cdef Status read_in_http(Worker* worker, const uint8_t* p, Py_ssize_t n, HostType* host_type) except RAISED nogil:
    cdef DomainToASCII* to_ascii = &worker.parser.to_ascii
    cdef Status status
    worker.result.length = 0
    # No parser is at work meanwhile. What raises leaves it to be closed with the worker.
    open_to_ascii(to_ascii)
    status = parse_host(&worker.result, p, n, False, to_ascii, host_type)
    if status == NEED_DOMAIN:
        status = answer_domain(worker, to_ascii)
        if status == OK:
            status = parse_host(&worker.result, p, n, False, to_ascii, host_type)
    close_to_ascii(to_ascii)
    return worker.result.status or status


cdef Status put_is_private(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    return put_hosts(batch, column, worker, False)


cdef Status put_host_in(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    return put_hosts(batch, column, worker, True)


cdef Status put_fingerprint(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef Block* block = &worker.block
    cdef uint64_t* numbers = <uint64_t*> column.slots + column.count
    cdef uint8_t* to = column.slots + 16 * column.count
    cdef uint64_t[8] digest
    cdef int i, k
    settle(batch, block)
    for i in range(block.count):
        if block.ok >> i & 1:
            blake2b(digest, block.rows[i].href, block.rows[i].length)
        else:
            memset(digest, 0, sizeof(digest))
        if column.type == NUMBERS:
            numbers[i] = big_endian(digest, 0) >> (64 - worker.bits)
        else:
            for k in range(16):
                to[16 * i + k] = <uint8_t> (digest[k >> 3] >> 8 * (k & 7))
    column.count += block.count
    return OK


# How many secrets of the column's kind are hidden.
cdef Status put_redactions(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const Block* block = &worker.block
    cdef uint64_t* numbers = <uint64_t*> column.slots + column.count
    cdef int i
    for i in range(block.count):
        numbers[i] = worker.redactions[KINDS * i + column.part] if block.ok >> i & 1 else 0
    column.count += block.count
    return OK


# Patterns.

cdef Status match_block(Batch batch, Worker* worker) noexcept nogil:
    cdef Block* block = &worker.block
    cdef const Matches* matches = worker.matches
    cdef Span* groups = worker.groups if matches.most_groups else NULL
    cdef const ParsedRow* row
    cdef Subject subject
    cdef int32_t target
    cdef int i
    settle(batch, block)
    worker.matched = 0
    for i in range(block.count):
        worker.targets[i] = NO_ROUTE
        if not block.ok >> i & 1:
            continue
        row = &block.rows[i]
        view_subject(&subject, row.href, row.length, &row.record)
        if matches.pattern != NULL:
            # 0 is the number of the only pattern.
            target = match_subject(matches.pattern, &subject, groups, NO_COMPONENT)
            target = <int32_t> (ROUTE_NO_MEMORY if target < 0 else target - 1)
        else:
            target = find_route(matches.routes, &subject, groups)
        if target == ROUTE_NO_MEMORY:
            return NO_MEMORY
        if target == NO_ROUTE:
            continue
        worker.targets[i] = target
        worker.matched |= <uint64_t> 1 << i
        if groups != NULL:
            keep_groups(worker, i, &matches.targets[target], &subject)
    return OK


cdef void keep_groups(Worker* worker, int i, const Target* target, const Subject* subject) noexcept nogil:
    cdef Span* kept = worker.spans + i * worker.matches.most_groups
    cdef const Group* group
    cdef Py_ssize_t start
    cdef int32_t k
    for k in range(target.group_count):
        group = &target.groups[k]
        kept[k] = worker.groups[group.place]
        if kept[k].start >= 0:
            start = subject.texts[group.component].data - worker.block.rows[i].href
            kept[k].start += start
            kept[k].end += start


cdef Status put_pattern_test(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const Block* block = &worker.block
    put_bits(column.slots, block.index, worker.matched)
    put_validity(column, block, block.not_null)
    column.count += block.count
    return OK


cdef Status put_group(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef Block* block = &worker.block
    cdef const Matches* matches = worker.matches
    cdef const Span* found
    cdef const ParsedRow* row
    cdef uint64_t valid = 0
    cdef int32_t which
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        which = -1
        if worker.matched >> i & 1:
            which = matches.columns[worker.targets[i] * matches.column_count + column.part]
        found = NULL if which < 0 else worker.spans + i * matches.most_groups + which
        if found == NULL or found.start < 0:
            if not put_text(batch, column, NULL, 0, NULL):
                return NO_MEMORY
        else:
            valid |= <uint64_t> 1 << i
            row = &block.rows[i]
            if not put_text(batch, column, row.href + found.start, found.end - found.start, row):
                return NO_MEMORY
    put_validity(column, block, valid)
    return OK


cdef Status put_route(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const Block* block = &worker.block
    cdef const Target* target
    cdef bint done
    cdef int i
    for i in range(block.count):
        if worker.matched >> i & 1:
            target = &worker.matches.targets[worker.targets[i]]
            done = put_text(batch, column, target.key, target.length, NULL)
        else:
            done = put_text(batch, column, NULL, 0, NULL)
        if not done:
            return NO_MEMORY
    put_validity(column, block, worker.matched)
    return OK


# The groups that took part.
cdef Status put_route_groups(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef Block* block = &worker.block
    cdef const Target* target
    cdef const Group* group
    cdef const Span* found
    cdef const uint8_t* href
    cdef int32_t k
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        if worker.matched >> i & 1:
            target = &worker.matches.targets[worker.targets[i]]
            href = block.rows[i].href
            for k in range(target.group_count):
                group = &target.groups[k]
                found = worker.spans + i * worker.matches.most_groups + k
                if found.start >= 0 and not (
                    put_entry(batch, column + 1, group.name, group.length)
                    and put_entry(batch, column + 2, href + found.start, found.end - found.start)
                ):
                    return NO_MEMORY
        if column[1].count > MOST_PAIRS:
            return NO_MEMORY
        column.count += 1
        (<int32_t*> column.slots)[column.count] = <int32_t> column[1].count
    put_validity(column, block, worker.matched)
    return OK
