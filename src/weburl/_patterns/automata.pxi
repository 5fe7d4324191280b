# A part of matcher.pyx: automata with priorities. They find the match that a backtracking engine finds first, but in
# linear time.

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from weburl._core.record cimport Span
from weburl._patterns.automaton cimport (
    ACCEPT, ASSERT, CHARS, CLOSE, FAIL, IS_BEGIN, IS_BOUNDARY, IS_END, IS_LOOK, IS_NOT_BOUNDARY, NODE_LIMIT, OPEN,
    PLACES, SMALL_LIMIT, SPLIT, Automaton, Node, holds, place_of,
)
from weburl._patterns.lookaround cimport add_words, match_bytes, run_with_looks

cdef extern from "bits.h":
    unsigned int lowest_bit(uint64_t mask) noexcept nogil

# A pass from the end finds at each place of the input which nodes can get to the end. A walk from the start takes, at each
# SPLIT, the first way that can: so it never turns back.

cdef enum:
    # So many sets of a small automaton are on the stack.
    SETS_ON_STACK = 512

# For compile.py.
NODE_KINDS = FAIL, ACCEPT, CHARS, SPLIT, OPEN, CLOSE, ASSERT
ASSERTIONS = {"begin": IS_BEGIN, "end": IS_END, "boundary": IS_BOUNDARY, "not-boundary": IS_NOT_BOUNDARY}
FIRST_LOOK = IS_LOOK
MOST_NODES = NODE_LIMIT


# Makes one of [kind, number, first, second] nodes, with the classes of its CHARS as integers of 128 bits. A lookaround is
# nodes, a start, classes, and whether it is a lookbehind.
cdef int build_automaton(Automaton* self, list nodes, int start, list classes, list looks) except -1:
    cdef int32_t i, count = <int32_t> len(nodes), chars = <int32_t> len(classes)
    cdef Node* node
    if count > NODE_LIMIT:
        raise ValueError("too many nodes")
    memset(self, 0, sizeof(Automaton))
    self.count = count
    self.start = start
    self.chars = chars
    self.nodes = <Node*> malloc(count * sizeof(Node))
    self.classes = <uint64_t*> malloc(2 * max(chars, 1) * sizeof(uint64_t))
    if self.nodes == NULL or self.classes == NULL:
        raise MemoryError
    for i in range(count):
        kind, number, first, second = nodes[i]
        node = &self.nodes[i]
        node.kind = kind
        node.number = number
        node.first = first
        node.second = second
        self.has_assertions = self.has_assertions or node.kind == ASSERT
    for i in range(chars):
        self.classes[2 * i] = classes[i] & 0xFFFFFFFFFFFFFFFF
        self.classes[2 * i + 1] = classes[i] >> 64
    if looks is not None:
        add_looks(self, looks)
    elif chars < SMALL_LIMIT:
        add_sets(self)
    return 0


cdef int add_looks(Automaton* self, list looks) except -1:
    add_words(self)
    self.looks = <Automaton*> calloc(max(len(looks), 1), sizeof(Automaton))
    if self.looks == NULL:
        raise MemoryError
    for nodes, start, classes, is_behind in looks:
        # A list, so that it has sets of words like the component.
        build_automaton(&self.looks[self.look_count], nodes, start, classes, [])
        self.looks[self.look_count].is_behind = is_behind
        self.look_count += 1
    return 0


cdef inline int places(const Automaton* self) noexcept nogil:
    return PLACES if self.has_assertions else 1


cdef int add_sets(Automaton* self) except -1:
    cdef int32_t i, place, byte
    cdef int accept = self.chars
    cdef const Node* node
    cdef uint64_t nodes
    cdef uint64_t* reached
    cdef uint64_t* before
    self.by_byte = <uint64_t*> malloc(128 * sizeof(uint64_t))
    self.reached = <uint64_t*> malloc(places(self) * self.count * sizeof(uint64_t))
    self.before = <uint64_t*> malloc(places(self) * (accept + 1) * sizeof(uint64_t))
    if self.by_byte == NULL or self.reached == NULL or self.before == NULL:
        raise MemoryError
    for byte in range(128):
        nodes = 0
        for i in range(self.chars):
            nodes |= (self.classes[2 * i + byte // 64] >> (byte % 64) & 1) << i
        self.by_byte[byte] = nodes
    memset(self.before, 0, places(self) * (accept + 1) * sizeof(uint64_t))
    for place in range(places(self)):
        reached = self.reached + place * self.count
        before = self.before + place * (accept + 1)
        for i in range(self.count):
            node = &self.nodes[i]
            nodes = 0
            if node.kind == ACCEPT:
                nodes = <uint64_t> 1 << accept
            elif node.kind == CHARS:
                nodes = <uint64_t> 1 << node.number
            elif node.kind == SPLIT:
                nodes = reached[node.first] | reached[node.second]
            elif node.kind != FAIL and (node.kind != ASSERT or holds(node.number, place)):
                nodes = reached[node.first]
            reached[i] = nodes
        for i in range(self.count):
            node = &self.nodes[i]
            if node.kind == CHARS:
                nodes = reached[node.first]
                while nodes:
                    before[lowest_bit(nodes)] |= <uint64_t> 1 << node.number
                    nodes &= nodes - 1
    return 0


cdef void free_automaton(Automaton* self) noexcept nogil:
    cdef int32_t k
    for k in range(self.look_count):
        free_automaton(&self.looks[k])
    free(self.looks)
    free(self.takes)
    free(self.assertions)
    free(self.nodes)
    free(self.classes)
    free(self.by_byte)
    free(self.reached)
    free(self.before)


# Whether all of p[0:n], which is ASCII, matches; -1 if memory runs out. If `groups` is not NULL, it is filled for a match.
cdef int run_automaton(const Automaton* self, const uint8_t* p, Py_ssize_t n, Span* groups) noexcept nogil:
    if self.by_byte == NULL:
        if self.looks != NULL:
            return run_with_looks(self, p, n, groups)
        return match_bytes(self, NULL, p, n, groups)
    return run_small(self, p, n, groups)


# Small automata: the set at a place has the CHARS that can take the byte there and then get to the end, or ACCEPT.

cdef int run_small(const Automaton* self, const uint8_t* p, Py_ssize_t n, Span* groups) noexcept nogil:
    cdef uint64_t[SETS_ON_STACK] scratch
    cdef uint64_t* sets = scratch
    cdef uint64_t states = <uint64_t> 1 << self.chars, left, next_states
    cdef const uint64_t* before = self.before
    cdef Py_ssize_t i = n
    if groups != NULL:
        if n >= SETS_ON_STACK:
            sets = <uint64_t*> malloc((n + 1) * sizeof(uint64_t))
            if sets == NULL:
                return -1
        sets[n] = states
    while i > 0 and states:
        if self.has_assertions:
            before = self.before + place_of(p, i, n) * (self.chars + 1)
        i -= 1
        next_states = 0
        left = self.by_byte[p[i] & 0x7F]
        while states:
            next_states |= before[lowest_bit(states)]
            states &= states - 1
        states = next_states & left
        if groups != NULL:
            sets[i] = states
    states &= self.reached[(place_of(p, 0, n) if self.has_assertions else 0) * self.count + self.start]
    if states and groups != NULL:
        walk_small(self, p, n, sets, groups)
    if sets != scratch:
        free(sets)
    return states != 0


cdef void walk_small(
    const Automaton* self, const uint8_t* p, Py_ssize_t n, const uint64_t* sets, Span* groups
) noexcept nogil:
    cdef const Node* node = &self.nodes[self.start]
    cdef const uint64_t* reached = self.reached
    cdef Py_ssize_t i = 0
    if self.has_assertions:
        reached = self.reached + place_of(p, 0, n) * self.count
    while node.kind != ACCEPT:
        if node.kind == CHARS:
            i += 1
            if self.has_assertions:
                reached = self.reached + place_of(p, i, n) * self.count
        elif node.kind == OPEN:
            groups[node.number].start = i
        elif node.kind == CLOSE:
            groups[node.number].end = i
        elif node.kind == SPLIT and not reached[node.first] & sets[i]:
            node = &self.nodes[node.second]
            continue
        node = &self.nodes[node.first]
