from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcpy

from weburl._core.buffer cimport Buffer, release

cdef extern from "Python.h":
    str PyUnicode_New(Py_ssize_t size, Py_UCS4 maxchar)
    void* PyUnicode_DATA(object o) nogil
    bint PyUnicode_IS_ASCII(object o) nogil
    Py_ssize_t PyUnicode_GET_LENGTH(object o) nogil

cdef extern from *:
    """
    #define weburl_new_ascii_data(text) ((uint8_t *)((PyASCIIObject *)(text) + 1))
    """
    # The bytes of a str that PyUnicode_New() has made for ASCII.
    uint8_t* new_ascii_data "weburl_new_ascii_data"(str text) noexcept


# The UTF-8 bytes of a str as a scalar value string: those of the str itself where it is ASCII, else of `buffer`.
ctypedef struct Utf8Text:
    const uint8_t* data
    Py_ssize_t length
    Buffer buffer
    uint8_t[512] scratch


cdef int open_other_utf8(Utf8Text* self, object text) except -1


cdef inline int open_utf8(Utf8Text* self, object text) except -1:
    if not PyUnicode_IS_ASCII(text):
        return open_other_utf8(self, text)
    self.data = <const uint8_t*> PyUnicode_DATA(text)
    self.length = PyUnicode_GET_LENGTH(text)
    self.buffer.capacity = 0
    return 0


cdef inline void close_utf8(Utf8Text* self) noexcept:
    release(&self.buffer)


# Pushes p[0:n], its bytes in the set percent-encoded.
cdef void percent_encode(Buffer* out, const uint8_t* p, Py_ssize_t n, uint16_t percent_encode_set) noexcept nogil
cdef void push_percent_encoded(Buffer* out, uint8_t byte) noexcept nogil
# The same for p[i] and for the bytes beyond ASCII after it, which are in all sets; returns their end.
cdef Py_ssize_t percent_encode_from(Buffer* out, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil
cdef void percent_decode(Buffer* out, const uint8_t* p, Py_ssize_t n, bint plus_to_space) noexcept nogil


cdef bint is_utf8(const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef void push_utf8(Buffer* out, int kind, const void* data, Py_ssize_t n) noexcept nogil
cdef void push_decoded(Buffer* out, const uint8_t* p, Py_ssize_t n, bint replace) noexcept nogil


cdef inline str ascii_text(const uint8_t* p, Py_ssize_t n):
    cdef str text = PyUnicode_New(n, 127)
    memcpy(new_ascii_data(text), p, n)
    return text


cdef str utf8_text(const uint8_t* p, Py_ssize_t n)
cdef str usv_text(object text)
cdef int raise_for(Buffer* self) except -1

# https://url.spec.whatwg.org/#string-percent-encode-after-encoding for a legacy encoding (an encoding.Encoding).
cdef bytes percent_encode_after_encoding(object encoding, str text, uint16_t percent_encode_set)
