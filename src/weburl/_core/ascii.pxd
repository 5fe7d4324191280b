# Classes of bytes, most of them of the standard: a byte is in a set or not. scan.h has the table.

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

cdef extern from "scan.h" nogil:
    const uint16_t[256] byte_class
    const uint16_t SET_C0_CONTROL, SET_FRAGMENT, SET_QUERY, SET_SPECIAL_QUERY, SET_PATH, SET_USERINFO
    const uint16_t SET_COMPONENT, SET_FORM
    const uint16_t CLASS_FORBIDDEN_HOST, CLASS_FORBIDDEN_DOMAIN, CLASS_NOT_DOMAIN, CLASS_NOT_SCHEME
    const uint16_t CLASS_OPAQUE_STOP, CLASS_PATH_STOP, CLASS_DOT, CLASS_HEX
    Py_ssize_t scan_class(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint16_t mask) noexcept


# https://infra.spec.whatwg.org/#ascii-alpha
cdef inline bint is_alpha(uint8_t c) noexcept nogil:
    return c'a' <= (c | 0x20) <= c'z'


# https://infra.spec.whatwg.org/#ascii-digit
cdef inline bint is_digit(uint8_t c) noexcept nogil:
    return c'0' <= c <= c'9'


# https://infra.spec.whatwg.org/#ascii-hex-digit
cdef inline bint is_hex_digit(uint8_t c) noexcept nogil:
    return (byte_class[c] & CLASS_HEX) != 0


cdef inline uint8_t hex_value(uint8_t c) noexcept nogil:
    return (c & 15) + 9 * (c >> 6)


# https://infra.spec.whatwg.org/#ascii-lowercase
cdef inline uint8_t to_lower(uint8_t c) noexcept nogil:
    return c | 0x20 if c'A' <= c <= c'Z' else c


# https://infra.spec.whatwg.org/#ascii-tab-or-newline
cdef inline bint is_tab_or_newline(uint8_t c) noexcept nogil:
    return c == c'\t' or c == c'\n' or c == c'\r'


cdef inline bint contains_tab_or_newline(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if is_tab_or_newline(p[i]):
            return True
    return False


# Eight words at a time, which the compiler makes vectors of.
cdef inline bint is_ascii(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint64_t[8] words
    cdef uint64_t bits = 0
    cdef Py_ssize_t i = 0
    cdef int k
    while i <= n - 64:
        memcpy(words, p + i, 64)
        for k in range(8):
            bits |= words[k]
        i += 64
    while i <= n - 8:
        memcpy(words, p + i, 8)
        bits |= words[0]
        i += 8
    while i < n:
        bits |= p[i]
        i += 1
    return (bits & <uint64_t> 0x8080808080808080) == 0
