from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcmp

from weburl._core.ascii cimport SET_FORM
from weburl._core.buffer cimport Buffer
from weburl._core.percent cimport Marks, next_mark, open_marks
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


# The pairs of p[0:n], one after the other.
ctypedef struct PairReader:
    Marks marks                 # every byte that matters here is in SET_FORM, and bytes of the set are rare
    Py_ssize_t start            # of what has not been read


cdef inline void open_pairs(PairReader* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    open_marks(&self.marks, p, n, SET_FORM)
    self.start = 0


# https://url.spec.whatwg.org/#concept-urlencoded-parser, a step: the next pair; false at the end.
cdef inline bint next_pair(PairReader* self, Pair* pair) noexcept nogil:
    cdef const uint8_t* p = self.marks.p
    cdef Py_ssize_t i, n = self.marks.n
    cdef Coding coding = PLAIN
    cdef bint has_value = False, has_other = False
    pair.name.start = self.start
    while True:
        i = next_mark(&self.marks)
        if i == n or p[i] == c'&':
            if i > pair.name.start:
                break
            if i == n:
                return False
            pair.name.start = i + 1
        elif p[i] == c'+':
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
    if not has_value:
        pair.name.end = pair.value.start = i
        pair.name_coding = coding
        coding = PLAIN
    pair.value.end = i
    pair.value_coding = coding
    pair.is_serialized = has_value and not has_other
    self.start = i if i == n else i + 1
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
    bint is_plain               # one key, whose bytes are not in SET_FORM: in a query, only an escape can hide it


cdef class QueryKeys:
    cdef Keys keys
    cdef list texts


# Sets a single key, whose text stays where it is.
cdef void set_only_key(Keys* self, Key* key, const uint8_t* p, Py_ssize_t n) noexcept nogil

# Whether no key is as long as a name. Most other names end here.
cdef inline bint has_other_length(const Keys* self, Py_ssize_t n) noexcept nogil:
    return not self.lengths >> (n & 63) & 1

# The number of the key that a name is, or -1.
cdef int32_t find_key(const Keys* self, const uint8_t* p, Py_ssize_t n) noexcept nogil

# Finds the first pair of the only key, if it is plain, in the query p[query.start:query.end], which is ASCII. Sets where its
# value is, and whether that must be decoded. Also false if memory runs out.
cdef bint find_plain_key(
    const Keys* self, FieldDecoder* decoder, const uint8_t* p, Span query, Span* value, bint* is_encoded
) noexcept nogil

# A query in which the first pair of each key becomes its replacement, which is pairs or "", and its other pairs are left
# out. A replacement whose key has no pair comes at the end, then the addition. All other pairs stay as they are written. The
# query itself if nothing is changed; None if no pair is left. Everything given is ASCII.
cdef str edit_query(str query, QueryKeys keys, list replacements, str addition)
