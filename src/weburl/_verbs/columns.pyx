"""The columns of a URL itself: its components, its origin, its query, and whether it is a URL at all; and decoded texts."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport malloc
from libc.string cimport memset

from weburl._arrow.batch cimport (
    BITS, CODES, ERROR_NAMES, HOST_TYPES, MAP, MOST_PAIRS, PAIRS, SLACK, STRINGS, Batch, ColumnBuffers, grow_memory,
)
from weburl._arrow.columns cimport (
    BLOCK_ROWS, NO_TEXT, STATUS_ONLY, TEXT_TO_PORT, WHOLE_URL, Block, Field, ParsedRow, Reads, VerbState, Worker,
    Writer, bound, by_default, component, copy_bytes, expected_length, field, put_bits, put_entry, put_nulls, put_text,
    put_validity, run_parser, settle, verb_state, with_arguments,
)
from weburl._arrow.input cimport RowText
from weburl._arrow.job cimport move_row
from weburl._core.ascii cimport is_ascii
from weburl._core.buffer cimport OMITTED, Buffer
from weburl._core.host cimport HOST_NULL
from weburl._core.parser cimport Parser, close_parser, open_parser
from weburl._core.arguments import wrong_type
from weburl._core.percent cimport is_utf8, percent_decode, push_decoded, usv_text
from weburl._core.record cimport (
    FRAGMENT, HASH, HOST, HOSTNAME, HREF, PASSWORD, PATH_ORIGIN, PATHNAME, PORT, PROTOCOL, QUERY, SCHEME, SEARCH,
    TUPLE_ORIGIN, USERNAME, OriginKind, Record, Span, URLView, has_credentials, has_http_scheme, origin_kind,
    push_origin, span,
)
from weburl._core.status cimport INVALID_UTF8, NO_MEMORY, OK, RAISED, Status
from weburl._core.urlencoded cimport (
    ENCODED, PLAIN, Coding, FieldDecoder, Key, Keys, Pair, PairReader, QueryKeys, decode_field, find_key,
    find_plain_key, has_other_length, next_pair, open_pairs, set_only_key,
)

cdef extern from "bits.h":
    unsigned lowest_bit(uint64_t mask) noexcept nogil


# The parts of parse_url() that are not components.
cdef enum SQLPart:
    FILE_PART
    AUTHORITY_PART
    USERINFO_PART


# Each is a part of the href.
cdef Status put_sql_part(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
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


cdef Status put_host_type(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
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


cdef Status put_error(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
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


cdef Status put_can_parse(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const Block* block = &worker.block
    put_bits(column.slots, block.index, block.ok)
    put_validity(column, block, block.not_null)
    column.count += block.count
    return OK


# https://url.spec.whatwg.org/#concept-url-origin, serialized
cdef Status put_origin(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
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

# The first values of keys in the rows of a block: for each key, a span of each row's href; and bits of the rows that have
# one, and of those where it must be decoded.
ctypedef struct QueryState:
    const Keys* keys
    Keys own                    # of the key that a run is given
    Key key
    uint64_t* found
    uint64_t* encoded
    Span* spans


cdef void* open_query_state(const void* shared) noexcept nogil:
    cdef const Keys* keys = <const Keys*> shared
    cdef size_t count = keys.count
    cdef QueryState* self = <QueryState*> malloc(
        sizeof(QueryState) + count * (BLOCK_ROWS * sizeof(Span) + 2 * sizeof(uint64_t))
    )
    if self != NULL:
        self.keys = keys
        self.spans = <Span*> (self + 1)
        self.found = <uint64_t*> (self.spans + BLOCK_ROWS * count)
        self.encoded = self.found + count
    return self


cdef void set_query_key(void* state, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef QueryState* self = <QueryState*> state
    set_only_key(&self.own, &self.key, p, n)
    self.keys = &self.own


cdef VerbState query_state(tuple keys):
    cdef QueryKeys kept = QueryKeys(keys)
    cdef VerbState state = verb_state(kept, &kept.keys)
    state.open = open_query_state
    state.read_block = find_values
    state.set_text = set_query_key
    return state


cdef inline FieldDecoder decoder_of(Worker* worker) noexcept nogil:
    cdef FieldDecoder decoder
    decoder.octets = &worker.text
    decoder.text = &worker.result
    return decoder


cdef inline bint has_memory(const Worker* worker) noexcept nogil:
    return not (worker.text.status or worker.result.status)


# False if memory runs out.
cdef inline bint find_row_values(QueryState* self, FieldDecoder* decoder, const Worker* worker, int i) noexcept nogil:
    cdef const Keys* keys = self.keys
    cdef const ParsedRow* row = &worker.block.rows[i]
    cdef Span s = span(&row.record, row.length, QUERY)
    cdef const uint8_t* p = row.href + s.start
    cdef uint64_t bit = <uint64_t> 1 << i
    cdef Py_ssize_t key, n, left = keys.count
    cdef PairReader reader
    cdef Pair pair
    cdef bint is_encoded = False
    if keys.is_plain:
        if find_plain_key(keys, decoder, row.href, s, &self.spans[i], &is_encoded):
            self.found[0] |= bit
            self.encoded[0] |= <uint64_t> is_encoded << i
        return has_memory(worker)
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
            decode_field(decoder, p + pair.name.start, n)
            if not has_memory(worker):
                return False
            key = find_key(keys, worker.result.data, worker.result.length)
        if key >= 0 and not self.found[key] & bit:
            left -= 1
            self.found[key] |= bit
            if pair.value_coding != PLAIN:
                self.encoded[key] |= bit
            self.spans[BLOCK_ROWS * key + i] = Span(s.start + pair.value.start, s.start + pair.value.end)
    return True


cdef Status find_values(void* state, Batch batch, Worker* worker) noexcept nogil:
    cdef QueryState* self = <QueryState*> state
    cdef Block* block = &worker.block
    cdef FieldDecoder decoder = decoder_of(worker)
    cdef int i
    settle(batch, block)
    # Both: the bits of those to decode follow.
    memset(self.found, 0, 2 * <size_t> self.keys.count * sizeof(uint64_t))
    for i in range(block.count):
        # Of what is not a URL all is omitted.
        if block.rows[i].record.query_start != OMITTED and not find_row_values(self, &decoder, worker, i):
            return NO_MEMORY
    return OK


# put_text() of a part of the row, inline where there is room for strings.
cdef inline bint put_value(Batch batch, ColumnBuffers* column, const ParsedRow* row, Span s) noexcept nogil:
    cdef Py_ssize_t n = s.end - s.start
    if column.type != STRINGS or n > column.capacity - column.length:
        return put_text(batch, column, row.href + s.start, n, row)
    copy_bytes(column.data + column.length, row.href + s.start, n)
    column.length += n
    column.count += 1
    (<int64_t*> column.slots)[column.count] = column.length
    return True


# The value of the column's key, in rows that have it.
cdef Status put_query_value(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const QueryState* self = <const QueryState*> state
    cdef Block* block = &worker.block
    cdef FieldDecoder decoder = decoder_of(worker)
    cdef uint64_t left = self.found[column.part], encoded = self.encoded[column.part]
    cdef const Span* values = self.spans + BLOCK_ROWS * <Py_ssize_t> column.part
    cdef const ParsedRow* row
    cdef Py_ssize_t first = column.count
    cdef bint done
    cdef int i
    put_validity(column, block, left)
    # No text gets longer by decoding.
    if left and column.type == STRINGS and block.length + SLACK > column.capacity - column.length:
        if not grow_memory(&column.data, &column.capacity, expected_length(batch, column, block)):
            return NO_MEMORY
    while left:
        i = lowest_bit(left)
        left &= left - 1
        if column.count < first + i:
            put_nulls(column, first + i)
        # The arena moves when a decoded value of a view is put there.
        if block.arena != batch.arena:
            settle(batch, block)
        row = &block.rows[i]
        if encoded >> i & 1:
            decode_field(&decoder, row.href + values[i].start, values[i].end - values[i].start)
            done = has_memory(worker) and put_text(batch, column, worker.result.data, worker.result.length, NULL)
        else:
            done = put_value(batch, column, row, values[i])
        if not done:
            return NO_MEMORY
    put_nulls(column, first + block.count)
    return OK


# The keys that a row has, with their values.
cdef Status put_query_map(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const QueryState* self = <const QueryState*> state
    cdef Block* block = &worker.block
    cdef const Keys* keys = self.keys
    cdef const Span* at = self.spans
    cdef uint64_t has_any = 0
    cdef Py_ssize_t k
    cdef int i
    cdef Coding coding
    settle(batch, block)
    for k in range(keys.count):
        has_any |= self.found[k]
    for i in range(block.count):
        for k in range(keys.count if has_any >> i & 1 else 0):
            if self.found[k] >> i & 1:
                coding = ENCODED if self.encoded[k] >> i & 1 else PLAIN
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


cdef Status put_query_pairs(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
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
    cdef FieldDecoder decoder
    if coding == PLAIN:
        return put_entry(batch, column, p + s.start, s.end - s.start)
    decoder = decoder_of(worker)
    decode_field(&decoder, p + s.start, s.end - s.start)
    return has_memory(worker) and put_entry(batch, column, worker.result.data, worker.result.length)


# Texts, percent-decoded.

cdef enum DecodeErrors:
    REPLACE
    STRICT
    IGNORE

DECODE_ERRORS = {"replace": REPLACE, "strict": STRICT, "ignore": IGNORE}
cdef DecodeErrors[3] decode_errors = [REPLACE, STRICT, IGNORE]


cdef Status decode_row(
    void* state, Worker* worker, Batch batch, const RowText* text, const URLView* base, ParsedRow* row
) except RAISED nogil:
    cdef DecodeErrors errors = (<const DecodeErrors*> state)[0]
    cdef const uint8_t* p = text.data
    worker.result.length = 0
    percent_decode(&worker.result, p, text.length, False)
    p = worker.result.data
    row.length = worker.result.length
    if worker.result.status == OK and not is_ascii(p, row.length) and not is_utf8(p, row.length):
        if errors == STRICT:
            return INVALID_UTF8
        worker.base_buffer.length = 0
        push_decoded(&worker.base_buffer, p, row.length, errors == REPLACE)
        p = worker.base_buffer.data
        row.length = worker.base_buffer.length
    if worker.result.status or worker.base_buffer.status:
        return NO_MEMORY
    return move_row(worker, batch, p, row)


# Fields.

cdef Field part(str name, int part, Reads reads, bint has_nulls, str doc):
    return by_default(component(name, part, reads, has_nulls, doc))


cdef Field code(str name, int dictionary, Reads reads, Writer write, str doc):
    cdef Field self = by_default(field(name, CODES, reads, True, write, doc))
    self.dictionary = dictionary
    return self


cdef Field sql_part(str name, int part, Reads reads, bint has_nulls, str doc):
    cdef Field self = field(name, STRINGS, reads, has_nulls, put_sql_part, doc)
    self.part = part
    return self


cdef Field query_value(str name, str doc):
    cdef Field self = with_arguments(field(name, STRINGS, WHOLE_URL, True, put_query_value, doc))
    self.is_any_text = True
    return self


cdef Field decoded_field(str name, str doc):
    cdef Field self = with_arguments(component(name, HREF, WHOLE_URL, False, doc))
    self.is_any_text = True
    return self


FIELDS = {each.name: each for each in (
    part("href", HREF, WHOLE_URL, False, "the URL, serialized"),
    part("protocol", PROTOCOL, TEXT_TO_PORT, False, "the scheme and a colon"),
    part("scheme", SCHEME, TEXT_TO_PORT, False, "the scheme"),
    part("username", USERNAME, TEXT_TO_PORT, False, "the username"),
    part("password", PASSWORD, TEXT_TO_PORT, False, "the password"),
    part("host", HOST, TEXT_TO_PORT, False, "the host and, unless it is the scheme's default, the port"),
    part("hostname", HOSTNAME, TEXT_TO_PORT, False, "the host"),
    part("port", PORT, TEXT_TO_PORT, False, "the port, unless it is the scheme's default"),
    part("pathname", PATHNAME, WHOLE_URL, False, "the path"),
    part("search", SEARCH, WHOLE_URL, False, "a question mark and the query, unless that is empty"),
    part("hash", HASH, WHOLE_URL, False, "a number sign and the fragment, unless that is empty"),
    part("query", QUERY, WHOLE_URL, True, "the query; null if there is none"),
    part("fragment", FRAGMENT, WHOLE_URL, True, "the fragment; null if there is none"),
    by_default(field("origin", STRINGS, TEXT_TO_PORT, False, put_origin, "the origin, serialized")),
    code("host_type", HOST_TYPES, NO_TEXT, put_host_type, "`domain`, `ipv4`, `ipv6`, `opaque` or `empty`; null for a URL without a host"),
    code("error", ERROR_NAMES, STATUS_ONLY, put_error, "for a row that is not a URL, the name of the error; else null"),
    field("can_parse", BITS, STATUS_ONLY, True, put_can_parse, "whether the row parses"),
    sql_part("file", FILE_PART, WHOLE_URL, False, "the path, and the query after a question mark unless it is empty"),
    sql_part("authority", AUTHORITY_PART, TEXT_TO_PORT, True, "the credentials and the host; null without a host"),
    sql_part("userinfo", USERINFO_PART, TEXT_TO_PORT, True, "the credentials; null if there are none"),
    query_value("query_get", "a value of the query, decoded"),
    with_arguments(
        field("query_map", MAP, WHOLE_URL, False, put_query_map, "keys that the query has, with their values")
    ),
    field("query_pairs", PAIRS, WHOLE_URL, False, put_query_pairs, "the pairs of the query, decoded"),
    decoded_field("decoded", "the text, percent-decoded"),
)}


# Not each engine sees to it that keys are texts.
cdef tuple texts_of(tuple keys):
    cdef list texts = []
    for key in keys:
        if not isinstance(key, str):
            raise wrong_type(key, "a key must be a str")
        texts.append(usv_text(key))
    return tuple(texts)


def query_values(tuple keys not None):
    """A field for each of the keys: its first value."""
    cdef tuple texts = texts_of(keys)
    cdef VerbState state = query_state(texts)
    cdef Field each
    cdef list fields = []
    for index, key in enumerate(texts):
        each = bound(<Field> FIELDS["query_get"], state)
        each.name = key
        each.part = <int> index
        fields.append(each)
    return tuple(fields)


def query_map(tuple keys not None):
    """The field of a map of these keys."""
    return bound(<Field> FIELDS["query_map"], query_state(texts_of(keys)))


def decoded(str errors not None):
    """The field of decoded texts."""
    cdef Field field = FIELDS["decoded"]
    cdef VerbState state = verb_state(None, &decode_errors[<int> DECODE_ERRORS[errors]])
    state.make_row = decode_row
    state.marker = c'%'
    return bound(field, state)
