from libc.stdint cimport uint8_t
from libc.string cimport memchr

from weburl._core.ascii cimport hex_value, is_hex_digit

cdef enum:
    DIGITS = 18                 # of a number; those that have more do not fit into 64 bits

# What is escaped in a text: nothing, as Apache and nginx do it, a quote by another one, or as in a string of JSON.
cdef enum Form:
    PLAIN
    ESCAPED
    DOUBLED
    QUOTED


# A part of a line. It has no text if there is no such part.
ctypedef struct Slice:
    const uint8_t* text
    Py_ssize_t length
    Form form
    int rank                    # of the name by which it was found


cdef inline bint is_absent(const Slice* text) noexcept nogil:
    return text.text == NULL or text.length == 0 or text.length == 1 and text.text[0] == c'-'


cdef inline bint has_digits(const Slice* text) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(text.length):
        if not c'0' <= text.text[i] <= c'9':
            return False
    return True


cdef inline bint is_number(const Slice* text) noexcept nogil:
    return has_digits(text) and 0 < text.length <= DIGITS and (text.text[0] != c'0' or text.length == 1)


# Whether four digits are a code point, which half of a surrogate pair is not.
cdef inline bint is_hex4(const uint8_t* p, const uint8_t* end) noexcept nogil:
    cdef int i
    if end - p < 4 or (p[0] | 0x20) == c'd' and hex_value(p[1]) >= 8:
        return False
    for i in range(4):
        if not is_hex_digit(p[i]):
            return False
    return True


# https://www.rfc-editor.org/rfc/rfc3986#section-3.1
cdef inline bint is_absolute(const Slice* target) noexcept nogil:
    cdef Py_ssize_t i = 0
    cdef uint8_t c
    while i < target.length:
        c = target.text[i]
        if c == c':' and i:
            return target.length - i > 2 and target.text[i + 1] == c'/' and target.text[i + 2] == c'/'
        if not (c'a' <= (c | 0x20) <= c'z' or i and (c'0' <= c <= c'9' or c == c'+' or c == c'-' or c == c'.')):
            return False
        i += 1
    return False


# Whether a host is one: what others would be part of the path, or credentials.
cdef inline bint is_authority(const Slice* host) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(host.length):
        if host.text[i] <= c' ' or memchr(b"/?#@\\", host.text[i], 5) != NULL:
            return False
    return True


cdef inline bint is_scheme(const Slice* scheme) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(scheme.length):
        if not c'a' <= (scheme.text[i] | 0x20) <= c'z':
            return False
    return True
