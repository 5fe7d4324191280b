from libc.stdint cimport uint8_t

from weburl._core.ascii cimport SET_FORM, byte_class
from weburl._core.buffer cimport Buffer
from weburl._core.record cimport Span


# Where a name and a value are, encoded; `plain` where none of the bytes is a plus, a percent sign or beyond ASCII.
ctypedef struct Pair:
    Span name
    Span value
    bint plain_name
    bint plain_value


# https://url.spec.whatwg.org/#concept-urlencoded-parser, a step: the next pair from i on; false where there is none.
cdef inline bint next_pair(const uint8_t* p, Py_ssize_t* pointer, Py_ssize_t n, Pair* pair) noexcept nogil:
    cdef Py_ssize_t i = pointer[0], begin
    cdef bint plain = True, has_value = False
    while i < n and p[i] == c'&':
        i += 1
    if i >= n:
        return False
    begin = i
    while i < n:
        # All that matters here is in the set, and it in turn is rare.
        if byte_class[p[i]] & SET_FORM:
            if p[i] == c'&':
                break
            if p[i] == c'=' and not has_value:
                pair.name.start = begin
                pair.name.end = i
                pair.plain_name = plain
                begin = i + 1
                plain = has_value = True
            elif p[i] == c'%' or p[i] == c'+' or p[i] >= 0x80:
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


# A name or a value, decoded: `text` is its UTF-8, in which U+FFFD stands for what is not; `raw` is used on the way. Nothing
# where memory runs out, which their status says.
cdef void decode_field(Buffer* raw, Buffer* text, const uint8_t* p, Py_ssize_t n) noexcept nogil

# https://url.spec.whatwg.org/#concept-urlencoded-parser
cdef list parse_urlencoded(const uint8_t* p, Py_ssize_t n)

# https://url.spec.whatwg.org/#concept-urlencoded-string-parser
cdef list parse_urlencoded_text(object text, Py_ssize_t skip)

# What list and serialization of a query that is not parsed into objects give.
cdef str first_value(object query, object name)
cdef str serialize_query(object query)

# https://url.spec.whatwg.org/#concept-urlencoded-serializer, UTF-8: pairs of scalar value strings.
cdef int push_urlencoded(Buffer* out, list pairs) except -1
cdef str serialize_urlencoded(list pairs)
cdef Py_ssize_t urlencoded_length(str text) except -1
