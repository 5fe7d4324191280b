"""application/x-www-form-urlencoded: the parser and the serializer."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr, memcmp, memset

from weburl._core.ascii cimport SET_FORM, byte_class, is_ascii
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, is_kept, keep, push, push_run, release, start
from weburl._core.hash cimport HashKey, draw_key, hash_bytes
from weburl._core.percent cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, Utf8Text, ascii_text, close_utf8, open_utf8, percent_decode, percent_encode, push_decoded, raise_for,
    usv_text, utf8_text,
)
from weburl._core.record cimport Span
from weburl._core.status cimport OK

cdef extern from "find.h" nogil:
    uint64_t bytes_equal(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint8_t byte) noexcept

cdef extern from "bits.h" nogil:
    unsigned lowest_bit(uint64_t mask) noexcept

cdef enum:
    MOST_KEYS = 1 << 30


cdef HashKey hash_key
draw_key(&hash_key)


# A name or a value as a str.
cdef str span_text(const uint8_t* p, Span s, Coding coding):
    cdef Py_ssize_t i, n = s.end - s.start
    cdef uint8_t* to
    cdef str text
    if coding == ENCODED:
        return form_text(p + s.start, n)
    if n == 0:
        return ""
    text = ascii_text(p + s.start, n)
    if coding == WITH_PLUS:
        to = <uint8_t*> PyUnicode_DATA(text)
        for i in range(n):
            if to[i] == c'+':
                to[i] = c' '
    return text


cdef str form_text(const uint8_t* p, Py_ssize_t n):
    cdef uint8_t[256] scratch
    cdef Buffer decoded
    start(&decoded, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    percent_decode(&decoded, p, n, True)
    if decoded.status == OK and decoded.data == scratch:
        # Most fields are short, so there is nothing to release.
        if is_ascii(scratch, decoded.length):
            return ascii_text(scratch, decoded.length)
        return utf8_text(scratch, decoded.length)
    try:
        raise_for(&decoded)
        return utf8_text(decoded.data, decoded.length)
    finally:
        release(&decoded)


cdef list parse_urlencoded(const uint8_t* p, Py_ssize_t n):
    cdef list pairs = []
    cdef PairReader reader
    cdef Pair pair
    cdef str name
    open_pairs(&reader, p, n)
    while next_pair(&reader, &pair):
        name = span_text(p, pair.name, pair.name_coding)
        pairs.append((name, span_text(p, pair.value, pair.value_coding)))
    return pairs


cdef list parse_urlencoded_text(object text, Py_ssize_t skip):
    cdef Utf8Text utf8
    open_utf8(&utf8, text)
    try:
        return parse_urlencoded(utf8.data + skip, utf8.length - skip)
    finally:
        close_utf8(&utf8)


# A decoder with its buffers.
cdef struct LocalDecoder:
    FieldDecoder decoder
    Buffer octets
    Buffer text
    uint8_t[256] octets_scratch
    uint8_t[256] text_scratch


cdef inline void open_decoder(LocalDecoder* self) noexcept nogil:
    start(&self.octets, self.octets_scratch, sizeof(self.octets_scratch), PY_SSIZE_T_MAX)
    start(&self.text, self.text_scratch, sizeof(self.text_scratch), PY_SSIZE_T_MAX)
    self.decoder.octets = &self.octets
    self.decoder.text = &self.text


cdef inline void close_decoder(LocalDecoder* self) noexcept nogil:
    release(&self.octets)
    release(&self.text)


cdef void decode_field(FieldDecoder* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    self.octets.length = self.text.length = 0
    percent_decode(self.octets, p, n, True)
    push_decoded(self.text, self.octets.data, self.octets.length, True)


cdef int raise_for_decoder(LocalDecoder* self) except -1:
    raise_for(&self.octets)
    return raise_for(&self.text)


# None if there is no such name.
cdef str first_value(object query, object name):
    cdef Utf8Text utf8, key
    cdef LocalDecoder local
    cdef PairReader reader
    cdef Pair pair
    cdef str value = None
    open_utf8(&key, name)
    try:
        open_utf8(&utf8, query)
        open_decoder(&local)
        open_pairs(&reader, utf8.data, utf8.length)
        try:
            while value is None and next_pair(&reader, &pair):
                if is_field(&local.decoder, utf8.data, pair.name, pair.name_coding, key.data, key.length):
                    value = span_text(utf8.data, pair.value, pair.value_coding)
            raise_for_decoder(&local)
            return value
        finally:
            close_decoder(&local)
            close_utf8(&utf8)
    finally:
        close_utf8(&key)


cdef void push_span(Buffer* out, FieldDecoder* decoder, const uint8_t* p, Span s, Coding coding) noexcept nogil:
    if coding == PLAIN:
        percent_encode(out, p + s.start, s.end - s.start, SET_FORM)
    else:
        decode_field(decoder, p + s.start, s.end - s.start)
        percent_encode(out, decoder.text.data, decoder.text.length, SET_FORM)


cdef str serialize_query(str query):
    cdef uint8_t[1024] scratch
    cdef Utf8Text utf8
    cdef Buffer out
    cdef LocalDecoder local
    cdef PairReader reader
    cdef Pair pair
    open_utf8(&utf8, query)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    # Most queries are their own serialization.
    keep(&out, utf8.data, utf8.length)
    open_decoder(&local)
    open_pairs(&reader, utf8.data, utf8.length)
    memset(&pair, 0, sizeof(pair))  # next_pair sets all of it, which GCC does not see
    try:
        while next_pair(&reader, &pair):
            if out.length:
                push(&out, c'&')
            if pair.is_serialized:
                push_run(&out, utf8.data + pair.name.start, pair.value.end - pair.name.start)
            else:
                push_span(&out, &local.decoder, utf8.data, pair.name, pair.name_coding)
                push(&out, c'=')
                push_span(&out, &local.decoder, utf8.data, pair.value, pair.value_coding)
        raise_for_decoder(&local)
        raise_for(&out)
        if is_kept(&out) and out.length == utf8.length:
            return query
        return ascii_text(out.data, out.length)
    finally:
        release(&out)
        close_decoder(&local)
        close_utf8(&utf8)


cdef int push_field(Buffer* out, str text) except -1:
    cdef Utf8Text utf8
    open_utf8(&utf8, text)
    percent_encode(out, utf8.data, utf8.length, SET_FORM)
    close_utf8(&utf8)
    return 0


cdef int push_urlencoded(Buffer* out, list pairs) except -1:
    cdef tuple pair
    cdef bint first = True
    for pair in pairs:
        if not first:
            push(out, c'&')
        first = False
        push_field(out, <str> pair[0])
        push(out, c'=')
        push_field(out, <str> pair[1])
    return 0


cdef Py_ssize_t urlencoded_length(str text) except -1:
    cdef Utf8Text utf8
    cdef Py_ssize_t i, length
    open_utf8(&utf8, text)
    length = utf8.length
    for i in range(utf8.length):
        if byte_class[utf8.data[i]] & SET_FORM and utf8.data[i] != c' ':
            length += 2
    close_utf8(&utf8)
    return length


def parse(data not None):
    """The pairs of a str or of bytes, as UTF-8."""
    if isinstance(data, str):
        return parse_urlencoded_text(data, 0)
    # A bytes object cannot change meanwhile.
    data = data if type(data) is bytes else bytes(data)
    return parse_urlencoded(<const uint8_t*> PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))


cdef str serialize_urlencoded(list pairs):
    cdef uint8_t[1024] scratch
    cdef Buffer out
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        push_urlencoded(&out, pairs)
        raise_for(&out)
        return ascii_text(out.data, out.length)
    finally:
        release(&out)


cdef class QueryKeys:
    """QueryKeys(names)"""

    def __cinit__(self, tuple names not None):
        cdef Keys* keys = &self.keys
        cdef bytes text
        cdef Key* key
        cdef uint64_t slot, size = 4
        cdef int32_t number, count = <int32_t> min(len(names), MOST_KEYS)
        if len(names) > MOST_KEYS:
            raise ValueError(f"there are more than {MOST_KEYS} keys")
        while size < 2 * <uint64_t> count:
            size *= 2
        self.texts = [usv_text(name).encode() for name in names]
        if len(set(self.texts)) < count:
            raise ValueError("keys must be one or more names, each once")
        keys.keys = <Key*> calloc(count + 1, sizeof(Key))
        keys.slots = <int32_t*> malloc(size * sizeof(int32_t))
        if keys.keys == NULL or keys.slots == NULL:
            raise MemoryError
        memset(keys.slots, 0xFF, size * sizeof(int32_t))
        keys.mask = size - 1
        keys.count = count
        for number in range(count):
            text = self.texts[number]
            key = &keys.keys[number]
            key.text = <const uint8_t*> <const char*> text
            key.length = len(text)
            keys.lengths |= <uint64_t> 1 << (key.length & 63)
            keys.shortest = key.length if number == 0 else min(keys.shortest, key.length)
            slot = hash_bytes(&hash_key, key.text, <size_t> key.length) & keys.mask
            while keys.slots[slot] >= 0:
                slot = slot + 1 & keys.mask
            keys.slots[slot] = number
        keys.is_plain = count == 1 and is_plain(keys.keys)

    def __dealloc__(self):
        free(self.keys.keys)
        free(self.keys.slots)


cdef void set_only_key(Keys* self, Key* key, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    key.text = p
    key.length = n
    self.keys = key
    self.count = 1
    self.lengths = <uint64_t> 1 << (n & 63)
    self.shortest = n
    self.is_plain = is_plain(key)


cdef bint is_plain(const Key* key) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(key.length):
        if byte_class[key.text[i]] & SET_FORM:
            return False
    return key.length > 0


cdef int32_t find_key(const Keys* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef const Key* key = self.keys
    cdef uint64_t slot
    if self.count == 1:
        return 0 if key.length == n and memcmp(key.text, p, n) == 0 else -1
    slot = hash_bytes(&hash_key, p, <size_t> n) & self.mask
    while self.slots[slot] >= 0:
        key = &self.keys[self.slots[slot]]
        if key.length == n and memcmp(key.text, p, n) == 0:
            return self.slots[slot]
        slot = slot + 1 & self.mask
    return -1


# Where a byte is in p[i:n]; n if it is not there.
cdef inline Py_ssize_t find_byte(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint8_t byte) noexcept nogil:
    cdef const uint8_t* found = <const uint8_t*> memchr(p + i, byte, n - i)
    return n if found == NULL else found - p


# The ends of pairs, of 64 bytes at a time.
ctypedef struct PairEnds:
    const uint8_t* p
    Py_ssize_t n
    Py_ssize_t begin
    uint64_t left


cdef inline Py_ssize_t next_end(PairEnds* self) noexcept nogil:
    cdef Py_ssize_t i
    while self.left == 0:
        if self.n - self.begin <= 64:
            return self.n
        self.begin += 64
        self.left = bytes_equal(self.p, self.begin, self.n, c'&')
    i = self.begin + lowest_bit(self.left)
    self.left &= self.left - 1
    return i


# Whether p[i:n] must be decoded. Most values are short.
cdef inline bint has_escape(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    if n - i > 32:
        return find_byte(p, i, n, c'%') < n or find_byte(p, i, n, c'+') < n
    while i < n and p[i] != c'%' and p[i] != c'+':
        i += 1
    return i < n


# Most keys are short.
cdef inline bint is_equal(const uint8_t* p, const uint8_t* q, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0
    if n > 8:
        return memcmp(p, q, n) == 0
    while i < n and p[i] == q[i]:
        i += 1
    return i == n


# Of most pairs, the first byte says that they are not it.
cdef bint find_plain_key(
    const Keys* self, FieldDecoder* decoder, const uint8_t* p, Span query, Span* value, bint* is_encoded
) noexcept nogil:
    cdef const uint8_t* key = self.keys.text
    cdef Py_ssize_t i = query.start, n = query.end, end, name_end, length = self.keys.length
    cdef PairEnds ends = PairEnds(p, n, i, bytes_equal(p, i, n, c'&'))
    cdef uint8_t first = key[0]
    cdef bint found
    # Nothing gets longer by decoding.
    while n - i >= length:
        end = next_end(&ends)
        if (p[i] == first or p[i] == c'%') and end - i >= length:
            name_end = i + length
            found = (name_end == end or p[name_end] == c'=') and is_equal(p + i, key, length)
            if not found and find_byte(p, i, end, c'%') < end:
                name_end = find_byte(p, i, end, c'=')
                if find_byte(p, i, name_end, c'%') < name_end:
                    decode_field(decoder, p + i, name_end - i)
                    found = decoder.text.length == length and memcmp(decoder.text.data, key, length) == 0
            if found:
                value.start = min(name_end + 1, end)
                value.end = end
                is_encoded[0] = has_escape(p, value.start, end)
                return True
        i = end + 1
    return False


# The pieces of a query that are written so far: pairs, and what is empty between two ampersands.
ctypedef struct Pieces:
    Buffer out
    bint has_one


cdef inline void push_piece(Pieces* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    if self.has_one:
        push(&self.out, c'&')
    self.has_one = True
    push_run(&self.out, p, n)


cdef inline void push_text(Pieces* self, object text) noexcept:
    if PyUnicode_GET_LENGTH(text):
        push_piece(self, <const uint8_t*> PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text))


cdef str edit_query(str query, QueryKeys keys, list replacements, str addition):
    cdef uint8_t[1024] scratch
    cdef LocalDecoder local
    cdef Pieces pieces
    cdef const uint8_t* p = <const uint8_t*> PyUnicode_DATA(query)
    cdef Py_ssize_t i = 0, end, name_end, n = PyUnicode_GET_LENGTH(query)
    cdef int32_t key
    cdef bint is_changed = PyUnicode_GET_LENGTH(addition) != 0, has_pair = is_changed
    # What is left to write of each key: "" if it was written, or is only removed.
    cdef list left = list(replacements)
    start(&pieces.out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    pieces.has_one = False
    open_decoder(&local)
    try:
        while n:
            end = find_byte(p, i, n, c'&')
            key = -1
            if i < end:
                name_end = find_byte(p, i, end, c'=')
                if find_byte(p, i, name_end, c'%') < name_end or find_byte(p, i, name_end, c'+') < name_end:
                    decode_field(&local.decoder, p + i, name_end - i)
                    raise_for_decoder(&local)
                    key = find_key(&keys.keys, local.text.data, local.text.length)
                elif not has_other_length(&keys.keys, name_end - i):
                    key = find_key(&keys.keys, p + i, name_end - i)
            if key < 0:
                has_pair |= i < end
                push_piece(&pieces, p + i, end - i)
            else:
                is_changed = True
                has_pair |= left[key] != ""
                push_text(&pieces, left[key])
                left[key] = ""
            if end == n:
                break
            i = end + 1
        for text in left:
            if text:
                is_changed = has_pair = True
                push_text(&pieces, text)
        push_text(&pieces, addition)
        raise_for(&pieces.out)
        if not is_changed:
            return query
        return ascii_text(pieces.out.data, pieces.out.length) if has_pair else None
    finally:
        release(&pieces.out)
        close_decoder(&local)
