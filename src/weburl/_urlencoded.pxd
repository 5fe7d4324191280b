from libc.stdint cimport uint8_t

from weburl._buffer cimport Buffer

# https://url.spec.whatwg.org/#concept-urlencoded-parser
cdef list parse_urlencoded(const uint8_t* p, Py_ssize_t n)

# https://url.spec.whatwg.org/#concept-urlencoded-string-parser
cdef list parse_urlencoded_text(object text, Py_ssize_t skip)

# https://url.spec.whatwg.org/#concept-urlencoded-serializer, UTF-8: pairs of scalar value strings.
cdef int push_urlencoded(Buffer* out, list pairs) except -1
cdef str serialize_urlencoded(list pairs)
cdef Py_ssize_t urlencoded_length(str text) except -1
