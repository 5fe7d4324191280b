from libc.stdint cimport uint8_t, uint64_t

# RFC 7693, unkeyed, with a digest of 64 bytes: the digest as its eight words, in their order.
cdef void blake2b(uint64_t* h, const uint8_t* p, Py_ssize_t n) noexcept nogil


# The first eight bytes of what blake2b() gives from word i on, as a number.
cdef inline uint64_t big_endian(const uint64_t* h, int i) noexcept nogil:
    cdef uint64_t value = 0
    cdef int byte
    for byte in range(8):
        value = value << 8 | (h[i] >> 8 * byte & 0xFF)
    return value
