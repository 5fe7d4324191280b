"""Automata with priorities, and the places of a text that they assert something about."""

from libc.stdint cimport int32_t, uint8_t, uint64_t


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
    # Of a large one, the sets of every so many places are kept, and those between them are found again.
    BLOCK = 1024
    # Kinds of places, for assertions.
    AT_START = 1
    AT_END = 2
    AT_BOUNDARY = 4
    PLACES = 8
    # What is asserted. From IS_LOOK on there are two for each lookaround: that it holds, and that it does not.
    IS_BEGIN = 0
    IS_END = 1
    IS_BOUNDARY = 2
    IS_NOT_BOUNDARY = 3
    IS_LOOK = 4


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
    # With lookarounds, and of them: see lookaround.pxd. Those of a component stand each after those inside of it.
    Automaton* looks
    int32_t look_count
    bint is_behind              # of a lookbehind, which goes from the start to the end
    int32_t words               # of a set, in `reached` and `before`, too; 0 where a node is a byte
    uint64_t* takes             # the CHARS that take each of 128 bytes
    int32_t assertion_count
    int32_t* assertions         # the ASSERT nodes in their order, whose bits are above that of ACCEPT


cdef inline bint is_word(uint8_t c) noexcept nogil:
    return c'a' <= (c | 0x20) <= c'z' or c'0' <= c <= c'9' or c == c'_'


cdef inline int place_of(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef bint before = i > 0 and is_word(p[i - 1])
    cdef bint after = i < n and is_word(p[i])
    return <int> ((AT_START if i == 0 else 0) | (AT_END if i == n else 0) | (AT_BOUNDARY if before != after else 0))


cdef inline bint holds(int asserted, int place) noexcept nogil:
    if asserted == IS_BEGIN:
        return place & AT_START
    if asserted == IS_END:
        return place & AT_END
    return ((place & AT_BOUNDARY) != 0) == (asserted == IS_BOUNDARY)
