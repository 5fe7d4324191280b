"""Automata with priorities: the match that a backtracking engine finds first, in linear time.

A pass from the end finds at each place of the input which nodes can get to the end. A walk from the start takes, at each
SPLIT, the first way that can: so it never turns back.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from weburl._core.record cimport Span

cdef enum:
    # Kinds of places, for assertions.
    AT_START = 1
    AT_END = 2
    AT_BOUNDARY = 4
    PLACES = 8
    # What is asserted.
    IS_BEGIN = 0
    IS_END = 1
    IS_BOUNDARY = 2
    IS_NOT_BOUNDARY = 3
    # So many sets of a small automaton are on the stack.
    ON_STACK = 512
    # Of a large one, the sets of every so many places are kept, and those between them are found again.
    BLOCK = 1024

# For compile.py.
NODE_KINDS = FAIL, ACCEPT, CHARS, SPLIT, OPEN, CLOSE, ASSERT
ASSERTIONS = {"begin": IS_BEGIN, "end": IS_END, "boundary": IS_BOUNDARY, "not-boundary": IS_NOT_BOUNDARY}
MOST_NODES = NODE_LIMIT


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


cdef extern from "bits.h":
    unsigned int lowest_bit(uint64_t mask) noexcept nogil


cdef int build_automaton(Automaton* self, list nodes, int start, list classes) except -1:
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
    if chars < SMALL_LIMIT:
        add_sets(self)
    return 0


cdef inline int places(const Automaton* self) noexcept nogil:
    return PLACES if self.has_assertions else 1


cdef int add_sets(Automaton* self) except -1:
    cdef int32_t i, place, byte
    cdef int accept = self.chars
    cdef const Node* node
    cdef uint64_t found
    cdef uint64_t* reached
    cdef uint64_t* before
    self.by_byte = <uint64_t*> malloc(128 * sizeof(uint64_t))
    self.reached = <uint64_t*> malloc(places(self) * self.count * sizeof(uint64_t))
    self.before = <uint64_t*> malloc(places(self) * (accept + 1) * sizeof(uint64_t))
    if self.by_byte == NULL or self.reached == NULL or self.before == NULL:
        raise MemoryError
    for byte in range(128):
        found = 0
        for i in range(self.chars):
            found |= (self.classes[2 * i + byte // 64] >> (byte % 64) & 1) << i
        self.by_byte[byte] = found
    memset(self.before, 0, places(self) * (accept + 1) * sizeof(uint64_t))
    for place in range(places(self)):
        reached = self.reached + place * self.count
        before = self.before + place * (accept + 1)
        for i in range(self.count):
            node = &self.nodes[i]
            found = 0
            if node.kind == ACCEPT:
                found = <uint64_t> 1 << accept
            elif node.kind == CHARS:
                found = <uint64_t> 1 << node.number
            elif node.kind == SPLIT:
                found = reached[node.first] | reached[node.second]
            elif node.kind != FAIL and (node.kind != ASSERT or holds(node.number, place)):
                found = reached[node.first]
            reached[i] = found
        for i in range(self.count):
            node = &self.nodes[i]
            if node.kind == CHARS:
                found = reached[node.first]
                while found:
                    before[lowest_bit(found)] |= <uint64_t> 1 << node.number
                    found &= found - 1
    return 0


cdef void free_automaton(Automaton* self) noexcept nogil:
    free(self.nodes)
    free(self.classes)
    free(self.by_byte)
    free(self.reached)
    free(self.before)


cdef int run_automaton(const Automaton* self, const uint8_t* p, Py_ssize_t n, Span* groups) noexcept nogil:
    if self.by_byte == NULL:
        return run_large(self, p, n, groups)
    return run_small(self, p, n, groups)


# Small automata: the set at a place has the CHARS that can take the byte there and then get to the end, or ACCEPT.

cdef int run_small(const Automaton* self, const uint8_t* p, Py_ssize_t n, Span* groups) noexcept nogil:
    cdef uint64_t[ON_STACK] scratch
    cdef uint64_t* sets = scratch
    cdef uint64_t found = <uint64_t> 1 << self.chars, left, next_found
    cdef const uint64_t* before = self.before
    cdef Py_ssize_t i = n
    if groups != NULL:
        if n >= ON_STACK:
            sets = <uint64_t*> malloc((n + 1) * sizeof(uint64_t))
            if sets == NULL:
                return -1
        sets[n] = found
    while i > 0 and found:
        if self.has_assertions:
            before = self.before + place_of(p, i, n) * (self.chars + 1)
        i -= 1
        next_found = 0
        left = self.by_byte[p[i] & 0x7F]
        while found:
            next_found |= before[lowest_bit(found)]
            found &= found - 1
        found = next_found & left
        if groups != NULL:
            sets[i] = found
    found &= self.reached[(place_of(p, 0, n) if self.has_assertions else 0) * self.count + self.start]
    if found and groups != NULL:
        walk_small(self, p, n, sets, groups)
    if sets != scratch:
        free(sets)
    return found != 0


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


# Large ones: the set at a place has all nodes that can get to the end from there, a byte each.

cdef void step_large(
    const Automaton* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n, const uint8_t* after, uint8_t* found
) noexcept nogil:
    cdef int place = place_of(p, i, n) if self.has_assertions else 0
    cdef uint8_t byte = p[i] & 0x7F if i < n else 0
    cdef const Node* node
    cdef int32_t k
    for k in range(self.count):
        node = &self.nodes[k]
        if node.kind == CHARS:
            found[k] = (
                i < n and after[node.first] and (self.classes[2 * node.number + (byte >> 6)] >> (byte & 63)) & 1
            )
        elif node.kind == SPLIT:
            found[k] = found[node.first] | found[node.second]
        elif node.kind == ACCEPT:
            found[k] = i == n
        elif node.kind == FAIL or (node.kind == ASSERT and not holds(node.number, place)):
            found[k] = False
        else:
            found[k] = found[node.first]


cdef int run_large(const Automaton* self, const uint8_t* p, Py_ssize_t n, Span* groups) noexcept nogil:
    cdef Py_ssize_t blocks = n // BLOCK + 1, size = self.count, i, block, end
    cdef uint8_t* kept = <uint8_t*> calloc(blocks, size)                # the sets at the start of each block
    cdef uint8_t* sets = <uint8_t*> malloc((BLOCK + 1) * size)          # those of one block, and of the next place
    cdef const Node* node = &self.nodes[self.start]
    cdef int result = -1
    if kept != NULL and sets != NULL:
        # Two sets are in use in turn.
        for i in range(n, -1, -1):
            step_large(self, p, i, n, sets + ((i + 1) & 1) * size, sets + (i & 1) * size)
            if i % BLOCK == 0:
                copy_set(kept + i // BLOCK * size, sets + (i & 1) * size, size)
        result = kept[self.start]
        if result and groups != NULL:
            for block in range(blocks):
                end = min(n, (block + 1) * BLOCK)
                if block + 1 < blocks:
                    copy_set(sets + BLOCK * size, kept + (block + 1) * size, size)
                    end -= 1
                for i in range(end, block * BLOCK - 1, -1):
                    step_large(self, p, i, n, sets + (i - block * BLOCK + 1) * size, sets + (i - block * BLOCK) * size)
                node = walk_large(self, node, block * BLOCK, end, sets, groups)
    free(kept)
    free(sets)
    return result


cdef void copy_set(uint8_t* to, const uint8_t* source, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(size):
        to[k] = source[k]


# Walks through the places from `i` to `end`; returns the node that goes on after them.
cdef const Node* walk_large(
    const Automaton* self, const Node* node, Py_ssize_t i, Py_ssize_t end, const uint8_t* sets, Span* groups
) noexcept nogil:
    cdef Py_ssize_t start = i
    while node.kind != ACCEPT:
        if node.kind == CHARS:
            i += 1
            node = &self.nodes[node.first]
            if i > end:
                break
            continue
        if node.kind == OPEN:
            groups[node.number].start = i
        elif node.kind == CLOSE:
            groups[node.number].end = i
        elif node.kind == SPLIT and not sets[(i - start) * self.count + node.first]:
            node = &self.nodes[node.second]
            continue
        node = &self.nodes[node.first]
    return node
