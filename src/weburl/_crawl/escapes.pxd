from libc.stdint cimport uint8_t, uint16_t

from weburl._core.ascii cimport hex_value, is_hex_digit
from weburl._core.buffer cimport Buffer


# What a byte is to the policy `crawl`: whether it cannot stand raw in a component, and whether its escape there is
# decoded. What separates stands raw and is not decoded, so each spelling stays.
cdef enum:
    PATH_ESCAPED = 1
    PATH_DECODED = 1 << 1
    QUERY_ESCAPED = 1 << 2
    NAME_DECODED = 1 << 3
    VALUE_DECODED = 1 << 4
    USERINFO_ESCAPED = 1 << 5
    USERINFO_DECODED = 1 << 6
    OPENS_SESSION = 1 << 7      # a path that has none of these bytes has no session identifier
    ENDS_PARAMETER = 1 << 8     # or its name

cdef uint16_t[256] escape_class


# The next index from i on with a byte of these classes, or n. Ors the classes of those before into `seen`.
cdef inline Py_ssize_t scan_classes(
    const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint16_t classes, uint16_t* seen
) noexcept nogil:
    cdef uint16_t bits, found = 0
    while n - i >= 4:
        bits = escape_class[p[i]] | escape_class[p[i + 1]] | escape_class[p[i + 2]] | escape_class[p[i + 3]]
        if bits & classes:
            break
        found |= bits
        i += 4
    while i < n and not escape_class[p[i]] & classes:
        found |= escape_class[p[i]]
        i += 1
    seen[0] |= found
    return i


cdef inline bint is_escape(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    return p[i] == c'%' and n - i > 2 and is_hex_digit(p[i + 1]) and is_hex_digit(p[i + 2])


cdef inline uint8_t escaped_byte(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    return hex_value(p[i + 1]) << 4 | hex_value(p[i + 2])


# Pushes p[0:n] with each byte in its one spelling: raw, or as an escape in upper case. A percent sign that is not part of
# an escape is a byte like others. Gives the classes of the bytes that stand raw now, or-ed.
cdef uint16_t push_respelled(Buffer* out, const uint8_t* p, Py_ssize_t n, uint16_t escaped, uint16_t decoded) noexcept nogil
