from libc.stdint cimport int32_t, uint8_t, uint64_t

from weburl._core.record cimport Record, Span
from weburl._patterns.automaton cimport Automaton


# Declared here, although no other module cimports it: then gcc does not make it a part of match_subject(). Patterns
# without automata would be slower.
cdef int run_automaton(const Automaton* self, const uint8_t* p, Py_ssize_t n, Span* groups) noexcept nogil


# Most patterns need no automaton: at each step only one thing can match.
cdef enum StepKind:
    TEXT
    SEGMENT                     # a group: at least one byte, as far as the delimiter or the end
    REST                        # a group: everything but the text that ends the pattern
    OPTIONAL                    # at the end of the input, the pattern ends here, too
    RUN                         # a group: as many bytes of a class as there are, at least so many
    STEPS_END


ctypedef struct Step:
    StepKind kind
    int32_t group
    Py_ssize_t start            # of a text, in the texts of the matcher; of the text after REST; of the bits of a RUN
    Py_ssize_t length


# https://urlpattern.spec.whatwg.org/#component
ctypedef struct Component:
    bint matches_all
    bint ignore_case            # for texts
    uint8_t delimiter           # or 0
    int32_t first_group
    int32_t group_count
    Step* steps                 # in the steps of the matcher, or NULL, and then:
    Automaton* automaton


cdef enum:
    COMPONENTS = 8              # protocol, username, password, hostname, port, pathname, search, hash
    NO_COMPONENTS = 0


ctypedef struct Patterns:
    const uint8_t* texts
    int32_t group_count
    # Those that do not match everything, the likeliest to fail first.
    int checked_count
    int[COMPONENTS] checked
    Component[COMPONENTS] components


# The components of a URL are without delimiters.
ctypedef struct Text:
    const uint8_t* data
    Py_ssize_t length


ctypedef struct Subject:
    Text[COMPONENTS] texts


cdef class Matcher:
    cdef Patterns patterns
    cdef bytes texts
    cdef Step* steps


cdef void view_subject(Subject* self, const uint8_t* href, Py_ssize_t length, const Record* record) noexcept nogil

# 1 or 0, or -1 if memory runs out. `groups`, unless NULL, has room for all groups; one that took no part starts at -1.
# `known` has a bit for each component that is known to match and whose groups are not wanted, or is NO_COMPONENTS.
cdef int match_subject(const Patterns* self, const Subject* subject, Span* groups, int known) noexcept nogil


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
