from libc.stdint cimport uint8_t, uint32_t, uint64_t


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


# Makes the table of names that are not empty; the caller keeps the pool and frees the nodes.
cdef bytes fill(Suffixes* self, dict rules)

# https://github.com/publicsuffix/list/wiki/Format#formal-algorithm for a domain in ASCII. Both include a trailing dot.
cdef Site find_site(
    const Suffixes* suffixes, const uint8_t* domain, Py_ssize_t n, bint private
) noexcept nogil


cdef class PublicSuffixList:
    cdef readonly str version
    cdef bytes pool
    cdef Suffixes suffixes


cdef PublicSuffixList list_in_use(object psl)
