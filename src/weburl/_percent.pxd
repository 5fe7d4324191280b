from libc.stdint cimport uint8_t, uint16_t

from weburl._buffer cimport Buffer


# The UTF-8 bytes of a str as a scalar value string: those of the str itself where it is ASCII, else of `buffer`.
ctypedef struct Text:
    const uint8_t* data
    Py_ssize_t length
    Buffer buffer
    uint8_t[512] scratch


cdef int open_text(Text* self, object text) except -1
cdef void close_text(Text* self) noexcept

# Pushes p[0:n], its bytes in the set percent-encoded.
cdef void percent_encode(Buffer* out, const uint8_t* p, Py_ssize_t n, uint16_t percent_encode_set) noexcept nogil
cdef void push_percent_encoded(Buffer* out, uint8_t byte) noexcept nogil
cdef void percent_decode(Buffer* out, const uint8_t* p, Py_ssize_t n, bint plus_to_space) noexcept nogil

cdef str ascii_text(const uint8_t* p, Py_ssize_t n)
cdef str utf8_text(const uint8_t* p, Py_ssize_t n)
cdef str usv_text(object text)
cdef int raise_for(Buffer* self) except -1

# https://url.spec.whatwg.org/#string-percent-encode-after-encoding for a legacy encoding (an _encoding.Encoding).
cdef bytes percent_encode_after_encoding(object encoding, str text, uint16_t percent_encode_set)
