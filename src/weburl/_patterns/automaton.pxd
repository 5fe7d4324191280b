from libc.stdint cimport int32_t, uint8_t, uint64_t

from weburl._core.record cimport Span


# What a node of an automaton does. A SPLIT prefers its first way to its second.
cdef enum NodeKind:
    FAIL
    ACCEPT
    CHARS                       # takes a byte of its class
    SPLIT
    OPEN                        # a group begins here
    CLOSE                       # it ends here
    ASSERT


cdef enum:
    NODE_LIMIT = 4096
    # An automaton with fewer CHARS works on sets of one word.
    SMALL_LIMIT = 64


# The ways of a node other than CHARS lead to nodes before it, so that one pass in their order settles a place of the input.
ctypedef struct Node:
    NodeKind kind
    int32_t number              # of the CHARS, of the group, or what is asserted
    int32_t first
    int32_t second


# For one part of a URL: https://urlpattern.spec.whatwg.org/#component-regular-expression
ctypedef struct Automaton:
    int32_t count
    int32_t start
    int32_t chars               # how many CHARS there are
    bint has_assertions
    Node* nodes
    uint64_t* classes           # two words for each of the CHARS: the bytes that it takes
    # Of a small automaton. The bit of a CHARS node is its number, that of ACCEPT is the one above. With assertions,
    # there is a table for each kind of place.
    uint64_t* by_byte           # the CHARS that take each of 128 bytes
    uint64_t* reached           # for each node: the CHARS and ACCEPT that it leads to
    uint64_t* before            # for each CHARS and ACCEPT: the CHARS that lead to it


# Makes one of [kind, number, first, second] nodes, with the classes of its CHARS as integers of 128 bits.
cdef int build_automaton(Automaton* self, list nodes, int start, list classes) except -1
cdef void free_automaton(Automaton* self) noexcept nogil

# Whether all of p[0:n], which is ASCII, matches; -1 if memory runs out. If `groups` is not NULL, it is filled for a match.
cdef int run_automaton(const Automaton* self, const uint8_t* p, Py_ssize_t n, Span* groups) noexcept nogil
