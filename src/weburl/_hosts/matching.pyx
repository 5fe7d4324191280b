"""Whether a host is private, and whether it is on a list, without the GIL."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from weburl._core.host cimport HOST_DOMAIN, HOST_IPV4, HOST_IPV6, HostType
from weburl._core.percent cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII
from weburl._hosts.host_set cimport close_table, find_host, find_name, host_set_of, open_names

cdef enum:
    IPV4
    GLOBAL
    IPV6
    WITH_IPV4

from weburl._core.host import HOST_TYPE_NAMES

# Private hosts, made when they are first asked for. A dict, since threads may ask at the same time.
cdef dict made = {}


cdef class HostPatterns:
    """HostPatterns(hosts, schemes)

    The hosts of url_host_matches(), and the schemes that are looked at, or None for all.
    """

    def __cinit__(self, hosts, schemes):
        from weburl._hosts.patterns import parse_schemes

        self.rules.all_schemes = schemes is None
        if schemes is not None:
            open_names(&self.rules.schemes, [scheme.encode() for scheme in parse_schemes(schemes)])
        self.hosts = host_set_of(hosts)
        self.rules.names = self.hosts.table

    @staticmethod
    def private():
        """The names and networks of private hosts."""
        found = made.get("private")
        if found is None:
            from weburl._hosts.patterns import (
                GLOBAL_UNICAST, IPV4_IN_IPV6, IPV4_NETWORKS, IPV6_NETWORKS, PRIVATE_NAMES,
            )

            new = HostPatterns(PRIVATE_NAMES, None)
            add_networks(new, (IPV4_NETWORKS, GLOBAL_UNICAST, IPV6_NETWORKS, IPV4_IN_IPV6))
            found = made.setdefault("private", new)
        return <HostPatterns> found

    def __dealloc__(self):
        close_table(&self.rules.schemes)


cdef int add_networks(HostPatterns self, tuple groups) except -1:
    from ipaddress import ip_network

    cdef HostRules* rules = &self.rules
    cdef Network* network
    cdef int count = 0, group
    if sum(map(len, groups)) > MOST_NETWORKS:
        raise ValueError("too many networks")
    for group in range(4):
        for text in groups[group]:
            found = ip_network(text)
            address, mask = int(found.network_address), int(found.netmask)
            network = &rules.networks[count]
            network.high = address >> 64
            network.low = address & 0xFFFFFFFFFFFFFFFF
            network.high_mask = mask >> 64
            network.low_mask = mask & 0xFFFFFFFFFFFFFFFF
            count += 1
        rules.ends[group] = count
    return 0


cdef bint is_in(const HostRules* self, int group, uint64_t high, uint64_t low) noexcept nogil:
    cdef int i
    cdef const Network* network
    for i in range(self.ends[group - 1] if group else 0, self.ends[group]):
        network = &self.networks[i]
        if high & network.high_mask == network.high and low & network.low_mask == network.low:
            return True
    return False


# Addresses as the host serializer writes them.

cdef uint32_t read_ipv4(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint32_t address = 0, number = 0
    cdef Py_ssize_t i
    for i in range(n):
        if p[i] == c'.':
            address = address << 8 | number
            number = 0
        else:
            number = 10 * number + p[i] - c'0'
    return address << 8 | number


cdef void read_ipv6(const uint8_t* p, Py_ssize_t n, uint64_t* high, uint64_t* low) noexcept nogil:
    cdef uint16_t[8] pieces
    cdef uint64_t[2] halves
    cdef uint16_t piece
    cdef int count = 0, compress = 8, zeros, at
    cdef Py_ssize_t i = 1, end = n - 1
    if p[i] == c':':
        compress = 0
        i += 2
    while i < end and count < 8:
        piece = 0
        while i < end and p[i] != c':':
            piece = <uint16_t> (piece << 4 | (p[i] - c'0' if p[i] <= c'9' else p[i] - c'a' + 10))
            i += 1
        pieces[count] = piece
        count += 1
        i += 1
        if i < end and p[i] == c':':
            compress = count
            i += 1
    zeros = 8 - count
    halves[0] = halves[1] = 0
    for at in range(8):
        piece = 0
        if at < compress:
            piece = pieces[at]
        elif at >= compress + zeros:
            piece = pieces[at - zeros]
        halves[at >> 2] = halves[at >> 2] << 16 | piece
    high[0] = halves[0]
    low[0] = halves[1]


cdef bint has_empty_label(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    if n == 0 or p[0] == c'.' or p[n - 1] == c'.':
        return True
    for i in range(1, n):
        if p[i] == c'.' and p[i - 1] == c'.':
            return True
    return False


cdef bint has_dot(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if p[i] == c'.':
            return True
    return False


cdef bint is_private(const HostRules* self, HostType host_type, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint64_t high = 0, low = 0
    if host_type == HOST_DOMAIN:
        if n and p[n - 1] == c'.':
            n -= 1
        return has_empty_label(p, n) or not has_dot(p, n) or find_host(&self.names, HOST_DOMAIN, p, n) >= 0
    if host_type == HOST_IPV4:
        return is_in(self, IPV4, 0, read_ipv4(p, n))
    if host_type != HOST_IPV6 or n < 4:
        return True
    read_ipv6(p, n, &high, &low)
    if is_in(self, WITH_IPV4, high, low):
        return is_in(self, IPV4, 0, <uint32_t> low)
    return not is_in(self, GLOBAL, high, low) or is_in(self, IPV6, high, low)


cdef bint is_match(const HostRules* self, HostType host_type, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return find_host(&self.names, host_type, p, n) >= 0


cdef bint is_looked_at(const HostRules* self, const uint8_t* scheme, Py_ssize_t n) noexcept nogil:
    return self.all_schemes or find_name(&self.schemes, scheme, n, False) >= 0


def is_private_text(str host_type, str host not None):
    """Whether a host, by its type and serialization, is private."""
    cdef HostPatterns rules = HostPatterns.private()
    if not PyUnicode_IS_ASCII(host):
        raise ValueError("the serialization of a Host is in ASCII")
    return is_private(
        &rules.rules, <HostType> <int> HOST_TYPE_NAMES.index(host_type), <const uint8_t*> PyUnicode_DATA(host),
        PyUnicode_GET_LENGTH(host)
    )
