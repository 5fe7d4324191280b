from libc.stdint cimport uint8_t, uint32_t


# The rules that the list has for a name: the name itself, with `*.` before it, with `!` before it; shifted by PRIVATE
# for the section of private domains. A name that is only a parent of others has no rule.
cdef enum:
    RULE = 1
    WILDCARD = 2
    EXCEPTION = 4
    PRIVATE = 3


ctypedef struct Node:
    uint32_t hash
    uint32_t offset             # of the name in the pool
    uint32_t length             # 0 for a free place
    uint32_t rules


# The names of the list and all their parents, by hash; `mask` is the size less one.
ctypedef struct Suffixes:
    Node* nodes
    const uint8_t* pool
    uint32_t mask


ctypedef struct Site:
    Py_ssize_t public_suffix        # where it starts, or -1
    Py_ssize_t registrable_domain   # the same


# https://github.com/publicsuffix/list/wiki/Format#formal-algorithm for a domain in ASCII. Both include a trailing dot.
cdef Site find_site(
    const Suffixes* suffixes, const uint8_t* domain, Py_ssize_t n, bint private
) noexcept nogil


cdef class PublicSuffixList:
    cdef readonly str version
    cdef bytes pool
    cdef Suffixes suffixes


cdef PublicSuffixList list_in_use(object psl)
