# The compiled public suffix list: finds the public suffix and the site of a host. For `_hosts`, `_crawl` and `_learn`.

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from weburl._core.host cimport HostType
from weburl._hosts.host_set cimport HostSet, HostTable


# The rules that the list has for a name: the name itself, with `*.` before it, with `!` before it; shifted by PRIVATE
# for the section of private domains. A name that is only a parent of others has no rule.
cdef enum:
    RULE = 1
    WILDCARD = 2
    EXCEPTION = 4
    PRIVATE = 3
    FILTER_WORDS = 1 << 12


ctypedef struct Node:
    uint32_t hash
    uint32_t offset             # of the name in the pool
    uint32_t length             # 0 for a free place
    uint32_t rules


# Names with their rules, by hash; `mask` is the size less one. The names of the public suffix list are there with all
# their parents.
ctypedef struct Suffixes:
    Node* nodes
    const uint8_t* pool
    uint32_t mask
    uint64_t seed               # where hashes start
    uint64_t[FILTER_WORDS] filter       # a bit for each name, by its hash


ctypedef struct Site:
    Py_ssize_t public_suffix        # where it starts, or -1
    Py_ssize_t registrable_domain   # the same
    bint is_listed                  # a rule of the list matches, and not only the rule for all other domains


# Makes the table of names that are not empty; the caller keeps the pool and frees the nodes.
cdef bytes fill(Suffixes* self, dict rules)

# https://github.com/publicsuffix/list/wiki/Format#formal-algorithm for a domain in ASCII. Both include a trailing dot.
cdef Site find_site(
    const Suffixes* suffixes, const uint8_t* domain, Py_ssize_t n, bint private
) noexcept nogil

# Whether the list has rules for the last label of such a domain.
cdef bint has_listed_end(const Suffixes* suffixes, const uint8_t* domain, Py_ssize_t n) noexcept nogil


cdef class PublicSuffixList:
    cdef str number
    cdef bytes pool
    cdef Suffixes suffixes


cdef PublicSuffixList list_in_use(object psl)


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
