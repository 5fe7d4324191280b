"""Hosts: the host parser with its IPv4, IPv6 and opaque-host parsers, and their serializers."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from weburl._core.ascii cimport (
    CLASS_FORBIDDEN_DOMAIN, CLASS_FORBIDDEN_HOST, CLASS_NOT_DOMAIN, SET_C0_CONTROL, byte_class, hex_value, is_digit,
    is_hex_digit, scan_class, to_lower,
)
from weburl._core.buffer cimport Buffer, push_run, reserve
from weburl._core.percent cimport kernels, percent_decode, percent_encode
from weburl._core.status cimport (
    DOMAIN_TO_ASCII, HOST_INVALID_CODE_POINT, IPV4_IN_IPV6_INVALID_CODE_POINT, IPV4_IN_IPV6_OUT_OF_RANGE_PART,
    IPV4_IN_IPV6_TOO_FEW_PARTS, IPV4_IN_IPV6_TOO_MANY_PIECES, IPV4_NON_NUMERIC_PART, IPV4_OUT_OF_RANGE_PART,
    IPV4_TOO_MANY_PARTS, IPV6_INVALID_CODE_POINT, IPV6_INVALID_COMPRESSION, IPV6_MULTIPLE_COMPRESSION,
    IPV6_TOO_FEW_PIECES, IPV6_TOO_MANY_PIECES, IPV6_UNCLOSED, NEED_DOMAIN, OK, Status,
)

# In the order of HostType.
HOST_TYPE_NAMES = (None, "empty", "domain", "ipv4", "ipv6", "opaque")


def ip_address_of(str host_type, str host):
    """A serialized host as an object of the ipaddress module; None if it is not an IP address."""
    if host_type != "ipv4" and host_type != "ipv6":
        return None
    from ipaddress import ip_address

    return ip_address(host.strip("[]"))


cdef Status parse_host(
    Buffer* out, const uint8_t* p, Py_ssize_t n, bint is_opaque, DomainToASCII* to_ascii, HostType* host_type
) noexcept nogil:
    cdef Py_ssize_t i, label
    cdef bint ascii = True
    if n and p[0] == c'[':
        if p[n - 1] != c']':
            return IPV6_UNCLOSED
        host_type[0] = HOST_IPV6
        return parse_ipv6(out, p + 1, n - 2)
    if is_opaque:
        host_type[0] = HOST_OPAQUE if n else HOST_EMPTY
        return parse_opaque_host(out, p, n)
    if n and kernels.domain(p, 0, n, &label) == n:
        return finish_host(out, p, n, host_type)
    if to_ascii.answer == NULL:
        if push_lower(&to_ascii.domain, p, n):
            return finish_host(out, to_ascii.domain.data, n, host_type)
        percent_decode(&to_ascii.domain, p, n, False)
        if to_ascii.domain.status:
            return to_ascii.domain.status
        # ToASCII lower-cases as well. Done before it, hosts that differ only in case share one answer.
        for i in range(to_ascii.domain.length):
            to_ascii.domain.data[i] = to_lower(to_ascii.domain.data[i])
            ascii &= to_ascii.domain.data[i] < 0x80
        if ascii:
            return finish_domain(out, to_ascii.domain.data, to_ascii.domain.length, host_type)
        return NEED_DOMAIN
    if to_ascii.failed:
        return DOMAIN_TO_ASCII
    return finish_domain(out, to_ascii.answer, to_ascii.answer_length, host_type)


# Pushes a domain in lower case, if that is its final form.
cdef bint push_lower(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint16_t classes = 0
    cdef uint8_t* to
    cdef Py_ssize_t i
    if n == 0 or not reserve(out, n):
        return False
    to = out.data + out.length
    for i in range(n):
        to[i] = to_lower(p[i])
        classes |= byte_class[to[i]]
    if classes & CLASS_NOT_DOMAIN:
        return False
    out.length += n
    return True


# https://url.spec.whatwg.org/#concept-domain-to-ascii from its check for the empty string on
cdef Status finish_domain(Buffer* out, const uint8_t* p, Py_ssize_t n, HostType* host_type) noexcept nogil:
    if n == 0 or scan_class(p, 0, n, CLASS_FORBIDDEN_DOMAIN) != n:
        return DOMAIN_TO_ASCII
    return finish_host(out, p, n, host_type)


cdef Status finish_host(Buffer* out, const uint8_t* p, Py_ssize_t n, HostType* host_type) noexcept nogil:
    if ends_in_a_number(p, n):
        host_type[0] = HOST_IPV4
        return parse_ipv4(out, p, n)
    host_type[0] = HOST_DOMAIN
    push_run(out, p, n)
    return OK


# https://url.spec.whatwg.org/#ends-in-a-number-checker
cdef bint ends_in_a_number(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, last
    if p[n - 1] == c'.':
        n -= 1
    # Numbers end in a hex digit or are 0x: most domains leave here.
    if n == 0 or not (is_hex_digit(p[n - 1]) or p[n - 1] == c'x'):
        return False
    last = n - 1
    while last > 0 and p[last - 1] != c'.':
        last -= 1
    if p[last] == c'.' or not is_digit(p[last]):
        return False
    if n - last >= 2 and p[last] == c'0' and p[last + 1] == c'x':
        for i in range(last + 2, n):
            if not is_hex_digit(p[i]):
                return False
        return True
    for i in range(last, n):
        if not is_digit(p[i]):
            return False
    return True


# https://url.spec.whatwg.org/#ipv4-number-parser: at most 2**32, which stands for every larger number; -1 for failure.
cdef int64_t parse_ipv4_number(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint64_t value = 0
    cdef int radix = 10
    cdef uint8_t digit
    if n == 0:
        return -1
    if n >= 2 and p[0] == c'0' and p[1] | 0x20 == c'x':
        radix = 16
        p += 2
        n -= 2
    elif n >= 2 and p[0] == c'0':
        radix = 8
        p += 1
        n -= 1
    for i in range(n):
        digit = <uint8_t> (p[i] - c'0')
        if digit > 9 and radix == 16:
            digit = hex_value(p[i]) if is_hex_digit(p[i]) else 255
        if digit >= radix:
            return -1
        value = min(value * radix + digit, <uint64_t> 1 << 32)
    return <int64_t> value


# https://url.spec.whatwg.org/#concept-ipv4-parser
cdef Status parse_ipv4(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef int64_t[4] numbers
    cdef int64_t limit, ipv4
    cdef int count = 0
    cdef bint is_numeric = True
    cdef Py_ssize_t i, part = 0
    if p[n - 1] == c'.':
        n -= 1
    for i in range(n + 1):
        if i == n or p[i] == c'.':
            if count == 4:
                return IPV4_TOO_MANY_PARTS
            numbers[count] = parse_ipv4_number(p + part, i - part)
            is_numeric &= numbers[count] >= 0
            count += 1
            part = i + 1
    if not is_numeric:
        return IPV4_NON_NUMERIC_PART
    limit = <int64_t> 1 << 8 * (5 - count)
    ipv4 = numbers[count - 1]
    if ipv4 >= limit:
        return IPV4_OUT_OF_RANGE_PART
    for i in range(count - 1):
        if numbers[i] > 255:
            return IPV4_OUT_OF_RANGE_PART
        ipv4 += numbers[i] << 8 * (3 - i)
    serialize_ipv4(out, <uint32_t> ipv4)
    return OK


# https://url.spec.whatwg.org/#concept-ipv4-serializer
cdef void serialize_ipv4(Buffer* out, uint32_t address) noexcept nogil:
    cdef uint8_t[16] text
    cdef uint8_t* q = text
    cdef uint32_t byte
    cdef int i
    for i in range(4):
        byte = address >> 24
        address <<= 8
        if byte >= 100:
            q[0] = <uint8_t> (c'0' + byte // 100)
            q += 1
        if byte >= 10:
            q[0] = <uint8_t> (c'0' + byte // 10 % 10)
            q += 1
        q[0] = <uint8_t> (c'0' + byte % 10)
        q[1] = c'.'
        q += 2
    push_run(out, text, q - text - 1)


# https://url.spec.whatwg.org/#concept-ipv6-parser
cdef Status parse_ipv6(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint16_t[8] address
    cdef uint32_t value
    cdef int piece_index = 0, compress = -1, length, numbers_seen, ipv4_piece, swaps
    cdef Py_ssize_t i = 0
    for piece_index in range(8):
        address[piece_index] = 0
    piece_index = 0
    if n and p[0] == c':':
        if n < 2 or p[1] != c':':
            return IPV6_INVALID_COMPRESSION
        i = 2
        piece_index = 1
        compress = 1
    while i < n:
        if piece_index == 8:
            return IPV6_TOO_MANY_PIECES
        if p[i] == c':':
            if compress >= 0:
                return IPV6_MULTIPLE_COMPRESSION
            i += 1
            piece_index += 1
            compress = piece_index
            continue
        value = 0
        length = 0
        while length < 4 and i < n and is_hex_digit(p[i]):
            value = value << 4 | hex_value(p[i])
            i += 1
            length += 1
        if i < n and p[i] == c'.':
            if length == 0:
                return IPV4_IN_IPV6_INVALID_CODE_POINT
            i -= length
            if piece_index > 6:
                return IPV4_IN_IPV6_TOO_MANY_PIECES
            numbers_seen = 0
            while i < n:
                ipv4_piece = -1
                if numbers_seen > 0:
                    if p[i] != c'.' or numbers_seen == 4:
                        return IPV4_IN_IPV6_INVALID_CODE_POINT
                    i += 1
                if i == n or not is_digit(p[i]):
                    return IPV4_IN_IPV6_INVALID_CODE_POINT
                while i < n and is_digit(p[i]):
                    if ipv4_piece == 0:
                        return IPV4_IN_IPV6_INVALID_CODE_POINT
                    ipv4_piece = <int> (max(ipv4_piece, 0) * 10 + (p[i] - c'0'))
                    if ipv4_piece > 255:
                        return IPV4_IN_IPV6_OUT_OF_RANGE_PART
                    i += 1
                address[piece_index] = <uint16_t> (address[piece_index] << 8 | ipv4_piece)
                numbers_seen += 1
                if numbers_seen == 2 or numbers_seen == 4:
                    piece_index += 1
            if numbers_seen != 4:
                return IPV4_IN_IPV6_TOO_FEW_PARTS
            break
        if i < n:
            if p[i] != c':':
                return IPV6_INVALID_CODE_POINT
            i += 1
            if i == n:
                return IPV6_INVALID_CODE_POINT
        address[piece_index] = <uint16_t> value
        piece_index += 1
    if compress >= 0:
        swaps = piece_index - compress
        piece_index = 7
        while piece_index != 0 and swaps > 0:
            value = address[piece_index]
            address[piece_index] = address[compress + swaps - 1]
            address[compress + swaps - 1] = <uint16_t> value
            piece_index -= 1
            swaps -= 1
    elif piece_index != 8:
        return IPV6_TOO_FEW_PIECES
    serialize_ipv6(out, address)
    return OK


# https://url.spec.whatwg.org/#concept-ipv6-serializer
cdef void serialize_ipv6(Buffer* out, const uint16_t* address) noexcept nogil:
    cdef uint8_t[41] text
    cdef uint8_t* q = text
    cdef int i, size, compress = -1, longest = 1, zeros = 0, shift
    for i in range(9):
        if i < 8 and address[i] == 0:
            zeros += 1
            continue
        if zeros > longest:
            longest = zeros
            compress = i - zeros
        zeros = 0
    q[0] = c'['
    q += 1
    i = 0
    while i < 8:
        if i == compress:
            q[0] = c':'
            q += 1
            if i == 0:
                q[0] = c':'
                q += 1
            i += longest
            continue
        shift = 12
        while shift and not address[i] >> shift:
            shift -= 4
        while shift >= 0:
            q[0] = b"0123456789abcdef"[address[i] >> shift & 15]
            q += 1
            shift -= 4
        if i < 7:
            q[0] = c':'
            q += 1
        i += 1
    q[0] = c']'
    push_run(out, text, q + 1 - text)


# https://url.spec.whatwg.org/#concept-opaque-host-parser
cdef Status parse_opaque_host(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    if scan_class(p, 0, n, CLASS_FORBIDDEN_HOST) != n:
        return HOST_INVALID_CODE_POINT
    percent_encode(out, p, n, SET_C0_CONTROL)
    return OK
