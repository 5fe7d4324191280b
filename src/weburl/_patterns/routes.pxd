from libc.stdint cimport int32_t, uint8_t, uint64_t

from weburl._core.record cimport Span
from weburl._patterns.matcher cimport Patterns, Subject


# A node of a trie: a whole host, or one of the labels that hosts end with, the last one first; and for each of them, the
# segments of paths. -1 is no node. The patterns of a list stand one after the other, in the order of the list of routes.
ctypedef struct RouteNode:
    int32_t path                # where the paths of these hosts begin
    int32_t any_segment
    int32_t ending, ending_count    # the patterns whose path ends here
    int32_t open, open_count        # those for whatever follows


# The child of a node by a label or a segment.
ctypedef struct RouteEdge:
    uint64_t hash
    const uint8_t* text
    Py_ssize_t length
    int32_t parent
    int32_t child               # 0 in a place that is free


ctypedef struct Routes:
    int32_t count
    int32_t most_groups
    const Patterns** patterns
    RouteNode* nodes
    int32_t* lists
    RouteEdge* edges
    uint64_t mask
    uint64_t seed
    bint has_labels             # whether a pattern fixes only the end of a host


cdef enum:
    NO_ROUTE = -1
    ROUTE_NO_MEMORY = -2


# The first pattern that matches, or one of these two. `groups`, unless NULL, has room for those of any pattern.
cdef int32_t find_route(const Routes* self, const Subject* subject, Span* groups) noexcept nogil


cdef class RouteTable:
    cdef Routes routes
    cdef readonly list matchers
    cdef list kept
