# A part of rules.pyx: the types of the automaton of many rules, and of its builder.

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from weburl._core.buffer cimport Buffer

cdef enum:
    MOST_RULES = 0x7FFFFFFF

# In a query, a delimiter such as : is the same as its escape. A *mark* stands for both: a byte that no spelling has.
cdef enum Marks:
    PLAIN                       # there are none: a delimiter and its escape differ
    MARKED                      # in place of escapes of delimiters, and of delimiters after the first "?"
    ALL_MARKED                  # and in place of the first "?"


# The rules, as a tree of states: what they have in common is there once. A path goes down the tree from its first byte.
# At each * of a rule, a tree of its own begins, with the links of Aho and Corasick: it finds what comes next in the rules
# at any place of the rest. One such tree is read once for a path, from the first place where the * can begin.
#
# If many trees would have to be read, they are not: one tree of all texts reads the rest of the path, and each rule
# waits for its next text (`Everywhere`). That takes n log n steps, where n is the bytes of the path and of the rules.

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


# What comes next at a star, as it is told by an outcome: the text, and where that text is among those of all stars.
ctypedef struct Piece:
    uint32_t start              # in the pool
    uint32_t length
    uint32_t star               # whose it is, from 1 on; 0 for none
    uint32_t next               # another one of the star, from 1 on
    uint32_t rank               # in an order that has each text before those that end with it


# Finds the texts of all stars in one pass.
ctypedef struct Everywhere:
    Automaton* finder           # has one star, for all texts
    uint32_t* first             # of each star, its first piece, from 1 on
    uint32_t* ranks             # of the finder's outcomes
    uint32_t* ends              # of each rank, the rank after the texts that end with this one
    uint32_t count              # of texts


ctypedef struct Automaton:
    Rule* rules
    Py_ssize_t count
    uint8_t* pool               # the patterns, without what means nothing; NUL is the end of a path
    State* states
    uint8_t* labels             # of states
    Outcome* outcomes
    Star* stars
    Bitmap* bitmaps
    Piece* pieces               # of outcomes; NULL if there are few stars
    Everywhere everywhere
    uint32_t n_states, n_outcomes, n_stars, n_bitmaps
    bint has_marks              # some rule has


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
    uint32_t capacity, outcome_capacity, star_capacity, bitmap_capacity, piece_capacity


cdef inline const Rule* rule_of(const Automaton* self, int64_t rank) noexcept nogil:
    return self.rules + (MOST_RULES - (rank & MOST_RULES))
