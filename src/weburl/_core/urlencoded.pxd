from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcmp

from weburl._core.ascii cimport SET_FORM, byte_class
from weburl._core.buffer cimport Buffer
from weburl._core.record cimport Span


# How a name or a value is written.
cdef enum Coding:
    PLAIN                       # as it is: in ASCII, without a plus or a percent sign
    WITH_PLUS                   # in ASCII, with a plus for each space, and without a percent sign
    ENCODED


# Where a name and its value are.
ctypedef struct Pair:
    Span name
    Span value
    Coding name_coding
    Coding value_coding
    bint is_serialized          # from the name's start to the value's end, it is written as the serializer writes it


# https://url.spec.whatwg.org/#concept-urlencoded-parser, a step: the next pair from i on; false at the end.
cdef inline bint next_pair(const uint8_t* p, Py_ssize_t* pointer, Py_ssize_t n, Pair* pair) noexcept nogil:
    cdef Py_ssize_t i = pointer[0]
    cdef Coding coding = PLAIN
    cdef bint has_value = False, has_other = False
    while i < n and p[i] == c'&':
        i += 1
    if i >= n:
        return False
    pair.name.start = i
    while True:
        # Every byte that matters here is in this set, and bytes of the set are rare.
        while i < n and not byte_class[p[i]] & SET_FORM:
            i += 1
        if i == n or p[i] == c'&':
            break
        if p[i] == c'+':
            if coding == PLAIN:
                coding = WITH_PLUS
        elif p[i] == c'=' and not has_value:
            pair.name.end = i
            pair.name_coding = coding
            pair.value.start = i + 1
            coding = PLAIN
            has_value = True
        else:
            has_other = True
            if p[i] == c'%' or p[i] >= 0x80:
                coding = ENCODED
        i += 1
    if not has_value:
        pair.name.end = pair.value.start = i
        pair.name_coding = coding
        coding = PLAIN
    pair.value.end = i
    pair.value_coding = coding
    pair.is_serialized = has_value and not has_other
    pointer[0] = i
    return True


# The buffers that decode a name or a value: to octets, then to text in UTF-8.
ctypedef struct FieldDecoder:
    Buffer* octets
    Buffer* text


cdef void decode_field(FieldDecoder* self, const uint8_t* p, Py_ssize_t n) noexcept nogil


# Whether a name or a value is this text. Also false if memory runs out.
cdef inline bint is_field(
    FieldDecoder* decoder, const uint8_t* p, Span s, Coding coding, const uint8_t* text, Py_ssize_t n
) noexcept nogil:
    if coding == PLAIN:
        return s.end - s.start == n and memcmp(p + s.start, text, n) == 0
    # Nothing gets longer by decoding.
    if s.end - s.start < n:
        return False
    decode_field(decoder, p + s.start, s.end - s.start)
    return decoder.text.length == n and memcmp(decoder.text.data, text, n) == 0


# https://url.spec.whatwg.org/#concept-urlencoded-parser
cdef list parse_urlencoded(const uint8_t* p, Py_ssize_t n)

# https://url.spec.whatwg.org/#concept-urlencoded-string-parser
cdef list parse_urlencoded_text(object text, Py_ssize_t skip)

# The same as get() and str() of the parsed list, without making it.
cdef str first_value(object query, object name)
cdef str serialize_query(str query)

# https://url.spec.whatwg.org/#concept-urlencoded-serializer, UTF-8: pairs of scalar value strings.
cdef int push_urlencoded(Buffer* out, list pairs) except -1
cdef str serialize_urlencoded(list pairs)
cdef Py_ssize_t urlencoded_length(str text) except -1


# Names that queries are searched for, all in one pass.
ctypedef struct Key:
    const uint8_t* text
    Py_ssize_t length


ctypedef struct Keys:
    Key* keys
    int32_t count
    int32_t* slots              # by the hash of a name: the number of a key, or -1
    uint64_t mask
    uint64_t lengths            # a bit for the length of each key, modulo 64
    Py_ssize_t shortest


cdef class QueryKeys:
    cdef Keys keys
    cdef list texts


# Sets a single key, whose text stays where it is.
cdef void set_only_key(Keys* self, Key* key, const uint8_t* p, Py_ssize_t n) noexcept nogil

cdef enum:
    KEY_ROWS = 64               # the bits of a word


# The first values of the keys in up to KEY_ROWS texts: for each key, a span of each text; and bits of those that have
# one, and of those where it must be decoded.
ctypedef struct KeyValues:
    Span* spans
    uint64_t* found
    uint64_t* encoded


# Adds those in the query of a text; false if memory runs out.
cdef bint find_values(
    const Keys* self, FieldDecoder* decoder, const uint8_t* p, Span query, KeyValues* values, int row
) noexcept nogil
