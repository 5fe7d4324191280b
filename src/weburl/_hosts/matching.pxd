from libc.stdint cimport uint8_t, uint64_t

from weburl._core.host cimport HostType
from weburl._hosts.host_set cimport HostSet, HostTable


cdef enum:
    MOST_NETWORKS = 32


# An IPv4 address is in the low bits.
ctypedef struct Network:
    uint64_t high, low
    uint64_t high_mask, low_mask


# Hosts by name, and private networks: those of IPv4, those of IPv6 that are global, those in them that are not, and those
# with an IPv4 address in their last 32 bits; each group ends where the next starts.
ctypedef struct HostRules:
    HostTable names
    HostTable schemes           # that are looked at
    bint all_schemes
    Network[MOST_NETWORKS] networks
    int[4] ends


cdef class HostPatterns:
    cdef HostRules rules
    cdef HostSet hosts


# The host of a URL; one of type HOST_OPAQUE is not what an http URL can have.
cdef bint is_private(const HostRules* self, HostType host_type, const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef bint is_match(const HostRules* self, HostType host_type, const uint8_t* p, Py_ssize_t n) noexcept nogil

cdef bint is_looked_at(const HostRules* self, const uint8_t* scheme, Py_ssize_t n) noexcept nogil
