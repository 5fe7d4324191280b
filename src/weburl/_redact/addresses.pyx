"""IP addresses in values, shortened to their networks; docs/redact.md has the definitions."""

from libc.stdint cimport uint8_t, uint16_t

from weburl._core.ascii cimport hex_value, is_digit, is_hex_digit
from weburl._core.buffer cimport Buffer, push, push_run

cdef const char* LOWER_HEX = b"0123456789abcdef"


# Where an IPv4 address at p ends, or -1; `last` gets the place of its last number.
cdef Py_ssize_t ipv4_end(const uint8_t* p, Py_ssize_t n, Py_ssize_t* last) noexcept nogil:
    cdef Py_ssize_t i = 0, begin
    cdef int part, value
    for part in range(4):
        begin = i
        value = 0
        while i < n and i - begin < 3 and is_digit(p[i]):
            value = 10 * value + p[i] - c'0'
            i += 1
        if i == begin or value > 255 or (p[begin] == c'0' and i - begin > 1):
            return -1
        last[0] = begin
        if part < 3:
            if i == n or p[i] != c'.':
                return -1
            i += 1
    return i


# Where an IPv6 address at p ends, or -1; `pieces` gets its eight numbers.
cdef Py_ssize_t ipv6_end(const uint8_t* p, Py_ssize_t n, uint16_t* pieces) noexcept nogil:
    cdef uint16_t[8] found
    cdef Py_ssize_t i = 0, begin, last
    cdef int count = 0, gap = -1, value, k
    for k in range(8):
        pieces[k] = found[k] = 0
    if n >= 2 and p[0] == c':' and p[1] == c':':
        gap = 0
        i = 2
    while i < n and count < 8 and is_hex_digit(p[i]):
        begin = i
        value = 0
        while i < n and i - begin < 4 and is_hex_digit(p[i]):
            value = value << 4 | hex_value(p[i])
            i += 1
        if i < n and p[i] == c'.' and count < 7:
            i = ipv4_end(p + begin, n - begin, &last)
            if i < 0:
                return -1
            # Its numbers are never shown.
            i += begin
            count += 2
            break
        found[count] = <uint16_t> value
        count += 1
        if n - i >= 2 and p[i] == c':' and p[i + 1] == c':':
            if gap >= 0:
                return -1
            gap = count
            i += 2
        elif count < 8:
            if i == n or p[i] != c':':
                break
            if i + 1 == n or not is_hex_digit(p[i + 1]):
                return -1
            i += 1
    if (gap < 0 and count != 8) or (gap >= 0 and count > 7):
        return -1
    for k in range(count):
        pieces[k if gap < 0 or k < gap else 8 - count + k] = found[k]
    return i


cdef void push_ipv6_network(Buffer* out, const uint16_t* pieces) noexcept nogil:
    cdef int count = 3, k, shift
    while count > 0 and pieces[count - 1] == 0:
        count -= 1
    for k in range(count):
        shift = 12
        while shift > 0 and pieces[k] >> shift == 0:
            shift -= 4
        while shift >= 0:
            push(out, LOWER_HEX[pieces[k] >> shift & 15])
            shift -= 4
        push(out, c':')
    if count == 0:
        push(out, c':')
    push(out, c':')


cdef bint push_networks(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint16_t[8] pieces
    cdef Py_ssize_t i = 0, end, last
    cdef bint has_port
    while True:
        while i < n and (p[i] == c' ' or p[i] == c'+'):
            i += 1
        has_port = True
        end = ipv4_end(p + i, n - i, &last)
        if end >= 0:
            push_run(out, p + i, last)
            push(out, c'0')
            i += end
        elif i < n and p[i] == c'[':
            i += 1
            end = ipv6_end(p + i, n - i, pieces)
            if end < 0 or end == n - i or p[i + end] != c']':
                return False
            push(out, c'[')
            push_ipv6_network(out, pieces)
            push(out, c']')
            i += end + 1
        else:
            end = ipv6_end(p + i, n - i, pieces)
            if end < 0:
                return False
            push_ipv6_network(out, pieces)
            i += end
            has_port = False
        if has_port and n - i > 1 and p[i] == c':' and is_digit(p[i + 1]):
            push(out, c':')
            i += 1
            while i < n and is_digit(p[i]):
                push(out, p[i])
                i += 1
        while i < n and (p[i] == c' ' or p[i] == c'+'):
            i += 1
        if i == n:
            return True
        if p[i] != c',':
            return False
        push(out, c',')
        i += 1
