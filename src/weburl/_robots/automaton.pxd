from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from weburl._core.buffer cimport Buffer

cdef enum:
    MOST_RULES = 0x7FFFFFFF

# A rule as Google's parser spells it.
cdef void push_as_google(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil

# A rule, or a path with its query: escapes of what needs none are decoded, and what needs one is escaped; with
# `delimiters`, also those of a query.
cdef void push_spelt(Buffer* out, const uint8_t* p, Py_ssize_t n, bint is_rule, bint delimiters) noexcept nogil
# Whether a path is spelt so already, but for its delimiters; and whether its query has some.
cdef bint is_spelt(const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef Py_ssize_t find_path(const uint8_t* p, Py_ssize_t n, Py_ssize_t* end) noexcept nogil
cdef bint has_delimiters(const uint8_t* p, Py_ssize_t n) noexcept nogil


# The rules, as a tree of states: what they have in common is there once. A path goes down the tree from its first byte.
# At each * of a rule, a tree of its own begins, with the links of Aho and Corasick: it finds what comes next in the rules
# at any place of the rest. One such tree is read once for a path, from the first place where the * can begin.

ctypedef struct Rule:
    Py_ssize_t line
    Py_ssize_t start            # of its text, in `texts`
    Py_ssize_t length
    int64_t rank                # of two rules that match, the higher one decides
    bint allows


ctypedef struct State:
    uint32_t child              # the first of its children, which follow each other
    uint32_t fail               # below a star: the longest end of its text with which another state begins; else
                                # where the rest of its text is in the pool
    uint32_t report             # below a star: the first state with an outcome from here on the way of `fail`; else
                                # how long the rest of its text is
    uint32_t outcome            # from 1 on; 0 for none
    uint32_t wide               # which bitmap its children have, from 1 on; 0 for none
    uint32_t count              # of children


ctypedef struct Outcome:
    int64_t accept              # the rank of a rule that matches here, or 0
    int64_t end                 # the same if the path ends here
    uint32_t star               # from 1 on; 0 for none


ctypedef struct Star:
    uint32_t root
    uint32_t depth              # of its tree
    uint32_t inner              # how many outcomes are not only for the end of a path
    int64_t best                # the highest rank below it
    bint has_ends
    uint8_t* begins             # which child of the root each byte leads to, from 1 on; or NULL


ctypedef struct Bitmap:
    uint64_t[4] bits
    uint32_t[4] before


ctypedef struct Automaton:
    Rule* rules
    Py_ssize_t count
    uint8_t* pool               # the patterns, without what means nothing; NUL is the end of a path
    State* states
    uint8_t* labels             # of states
    Outcome* outcomes
    Star* stars
    Bitmap* bitmaps
    uint32_t n_states, n_outcomes, n_stars, n_bitmaps
    bint has_escapes            # some rule has the escape of a delimiter


ctypedef struct Job:
    uint32_t star
    Py_ssize_t place


ctypedef struct Scratch:
    uint32_t* visited           # for each outcome: in which match
    Job* jobs
    uint32_t match


# What rules still go through a state, while it is being made.
ctypedef struct Range:
    uint32_t begin, end
    uint32_t depth
    uint32_t star               # the number of the tree, from 1 on, or 0
    uint32_t level              # in the tree


ctypedef struct Pattern:
    uint32_t start              # in the pool
    uint32_t length


ctypedef struct Builder:
    Automaton* made
    Buffer pool
    uint8_t[512] scratch
    Pattern* patterns           # of rules
    uint32_t* order             # rules, sorted as far as states have been made
    uint32_t* other             # room to sort
    Range* ranges               # of states
    uint32_t room, outcome_room, star_room, bitmap_room


# Makes room for so many rules. All of these are false if memory runs out.
cdef bint open_builder(Builder* self, Automaton* made, Py_ssize_t count) noexcept nogil
# A rule by its spelt text, and where it is in the file; texts are added in the order of lines.
cdef bint add_rule(
    Builder* self, const uint8_t* p, Py_ssize_t n, bint allows, Py_ssize_t line, Py_ssize_t start, Py_ssize_t length
) noexcept nogil
cdef bint build(Builder* self) noexcept nogil
cdef void close_builder(Builder* self) noexcept nogil
cdef void close_automaton(Automaton* self) noexcept nogil

# The rank of the rule that decides about a path, or 0.
cdef int64_t best_rank(const Automaton* self, const uint8_t* p, Py_ssize_t n, Scratch* scratch) noexcept nogil


cdef inline const Rule* rule_of(const Automaton* self, int64_t rank) noexcept nogil:
    return self.rules + (MOST_RULES - (rank & MOST_RULES))
