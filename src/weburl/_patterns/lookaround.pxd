"""Automata with lookarounds, in linear time.

A lookahead is matched from the end of the text to its start, a lookbehind from the start to the end, once each, and the
inner ones first. A bit for each place says where it holds. Then the component is matched, where a lookaround is an
assertion like any other: https://doi.org/10.1145/3632934
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from weburl._core.record cimport Span
from weburl._patterns.automaton cimport (
    ACCEPT, ASSERT, BLOCK, CHARS, CLOSE, FAIL, IS_LOOK, OPEN, SPLIT, Automaton, Node, holds, place_of,
)

cdef extern from "bits.h":
    unsigned int lowest_bit(uint64_t mask) noexcept nogil

cdef enum:
    # An automaton whose sets are longer has a byte for each node: then a step takes the time of its nodes.
    MOST_WORDS = 4
    ROWS_ON_STACK = 64


# Where each lookaround holds.
ctypedef struct Rows:
    uint64_t* bits
    Py_ssize_t length           # of a row, in words


# Sets of words: at a place, the CHARS that can take the next byte and then get to the end, the ASSERT that hold and can, and
# ACCEPT where it may end.

cdef inline int add_words(Automaton* self) except -1:
    cdef int32_t i, k, state, bits, words
    cdef const Node* node
    cdef uint64_t* reached
    cdef uint64_t states
    self.assertions = <int32_t*> malloc(max(self.count, 1) * sizeof(int32_t))
    if self.assertions == NULL:
        raise MemoryError
    for i in range(self.count):
        if self.nodes[i].kind == ASSERT:
            self.assertions[self.assertion_count] = i
            self.assertion_count += 1
    bits = self.chars + 1 + self.assertion_count
    words = (bits + 63) // 64
    if words > MOST_WORDS:
        return 0
    self.takes = <uint64_t*> calloc(128 * words, sizeof(uint64_t))
    self.reached = <uint64_t*> calloc(max(self.count, 1) * words, sizeof(uint64_t))
    self.before = <uint64_t*> calloc(bits * words, sizeof(uint64_t))
    if self.takes == NULL or self.reached == NULL or self.before == NULL:
        raise MemoryError
    self.words = words
    for i in range(128):
        for k in range(self.chars):
            if self.classes[2 * k + (i >> 6)] >> (i & 63) & 1:
                put_state(self.takes + i * words, k)
    state = self.chars + 1
    for i in range(self.count):
        node = &self.nodes[i]
        reached = self.reached + i * words
        if node.kind == CHARS:
            put_state(reached, node.number)
        elif node.kind == ACCEPT:
            put_state(reached, self.chars)
        elif node.kind == ASSERT:
            put_state(reached, state)
            state += 1
        elif node.kind != FAIL:
            for k in range(words):
                reached[k] = self.reached[node.first * words + k]
                if node.kind == SPLIT:
                    reached[k] |= self.reached[node.second * words + k]
    for i in range(self.count):
        node = &self.nodes[i]
        if node.kind == CHARS:
            for k in range(words):
                states = self.reached[node.first * words + k]
                while states:
                    put_state(self.before + (64 * k + <int32_t> lowest_bit(states)) * words, node.number)
                    states &= states - 1
    return 0


cdef inline void put_state(uint64_t* states, int32_t state) noexcept nogil:
    states[state >> 6] |= <uint64_t> 1 << (state & 63)


cdef inline bint have_common(const uint64_t* first, const uint64_t* second, int32_t words) noexcept nogil:
    cdef uint64_t common = 0
    cdef int32_t k
    for k in range(words):
        common |= first[k] & second[k]
    return common != 0


cdef inline bint is_held(
    const Rows* rows, int32_t asserted, const uint8_t* p, Py_ssize_t i, Py_ssize_t n
) noexcept nogil:
    cdef uint64_t bit
    if asserted < IS_LOOK:
        return holds(asserted, place_of(p, i, n))
    asserted -= IS_LOOK
    bit = rows.bits[(asserted >> 1) * rows.length + (i >> 6)] >> (i & 63) & 1
    return bit != <uint64_t> (asserted & 1)


# The next byte in the direction of an automaton, or -1 if there is none.
cdef inline int byte_at(const Automaton* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    if self.is_behind:
        return <int> (p[i - 1] & 0x7F) if i > 0 else <int> -1
    return <int> (p[i] & 0x7F) if i < n else <int> -1


# From the set at the place after this one, in the direction of the automaton. False where the set is empty.
cdef inline bint step_words(
    const Automaton* self, const Rows* rows, const uint8_t* p, Py_ssize_t i, Py_ssize_t n, bint may_end,
    const uint64_t* after, uint64_t* states
) noexcept nogil:
    cdef int32_t words = self.words, k, w
    cdef int byte = byte_at(self, p, i, n)
    cdef uint64_t left
    cdef const uint64_t* more
    cdef const Node* node
    for w in range(words):
        states[w] = 0
    if byte >= 0:
        for k in range(words):
            left = after[k]
            while left:
                more = self.before + (64 * k + <int32_t> lowest_bit(left)) * words
                for w in range(words):
                    states[w] |= more[w]
                left &= left - 1
        more = self.takes + byte * words
        for w in range(words):
            states[w] &= more[w]
    if may_end:
        put_state(states, self.chars)
    for k in range(self.assertion_count):
        node = &self.nodes[self.assertions[k]]
        if have_common(self.reached + node.first * words, states, words) and is_held(rows, node.number, p, i, n):
            put_state(states, self.chars + 1 + k)
    left = 0
    for w in range(words):
        left |= states[w]
    return left != 0


cdef inline int match_words(
    const Automaton* self, const Rows* rows, const uint8_t* p, Py_ssize_t n, Span* groups
) noexcept nogil:
    cdef uint64_t[2 * MOST_WORDS] scratch
    cdef uint64_t* sets = scratch
    cdef int32_t words = self.words
    cdef Py_ssize_t i = n + 1
    cdef Py_ssize_t mask = 1            # two sets are in use in turn
    cdef int result = 0
    if groups != NULL:
        sets = <uint64_t*> malloc((n + 2) * words * sizeof(uint64_t))
        if sets == NULL:
            return -1
        mask = -1
    while i > 0:
        i -= 1
        if not step_words(self, rows, p, i, n, i == n, sets + (i + 1 & mask) * words, sets + (i & mask) * words):
            break
    else:
        result = have_common(self.reached + self.start * words, sets, words)
        if result and groups != NULL:
            walk_words(self, sets, groups)
    if sets != scratch:
        free(sets)
    return result


cdef inline void walk_words(const Automaton* self, const uint64_t* sets, Span* groups) noexcept nogil:
    cdef const Node* node = &self.nodes[self.start]
    cdef int32_t words = self.words
    cdef Py_ssize_t i = 0
    while node.kind != ACCEPT:
        if node.kind == CHARS:
            i += 1
        elif node.kind == OPEN:
            groups[node.number].start = i
        elif node.kind == CLOSE:
            groups[node.number].end = i
        elif node.kind == SPLIT and not have_common(self.reached + node.first * words, sets + i * words, words):
            node = &self.nodes[node.second]
            continue
        node = &self.nodes[node.first]


# Sets of bytes: at a place, all nodes that can get to the end. Without lookarounds, `rows` is not looked at.

cdef inline void step_bytes(
    const Automaton* self, const Rows* rows, const uint8_t* p, Py_ssize_t i, Py_ssize_t n, bint may_end,
    const uint8_t* after, uint8_t* nodes
) noexcept nogil:
    cdef int byte = byte_at(self, p, i, n)
    cdef const Node* node
    cdef int32_t k
    for k in range(self.count):
        node = &self.nodes[k]
        if node.kind == CHARS:
            nodes[k] = (
                byte >= 0 and after[node.first]
                and (self.classes[2 * node.number + (byte >> 6)] >> (byte & 63)) & 1
            )
        elif node.kind == SPLIT:
            nodes[k] = nodes[node.first] | nodes[node.second]
        elif node.kind == ACCEPT:
            nodes[k] = may_end
        elif node.kind == FAIL or (node.kind == ASSERT and not is_held(rows, node.number, p, i, n)):
            nodes[k] = False
        else:
            nodes[k] = nodes[node.first]


cdef inline int match_bytes(
    const Automaton* self, const Rows* rows, const uint8_t* p, Py_ssize_t n, Span* groups
) noexcept nogil:
    cdef Py_ssize_t blocks = n // BLOCK + 1, size = self.count, i, block, start, end
    cdef uint8_t* kept = <uint8_t*> calloc(blocks, size)                # the sets at the start of each block
    cdef uint8_t* sets = <uint8_t*> malloc((BLOCK + 1) * size)          # those of one block, and of the next place
    cdef const Node* node = &self.nodes[self.start]
    cdef int result = -1
    if kept != NULL and sets != NULL:
        for i in range(n, -1, -1):
            step_bytes(self, rows, p, i, n, i == n, sets + ((i + 1) & 1) * size, sets + (i & 1) * size)
            if i % BLOCK == 0:
                memcpy(kept + i // BLOCK * size, sets + (i & 1) * size, size)
        result = kept[self.start]
        if result and groups != NULL:
            for block in range(blocks):
                start = block * BLOCK
                end = min(n, start + BLOCK)
                if block + 1 < blocks:
                    memcpy(sets + BLOCK * size, kept + (block + 1) * size, size)
                    end -= 1
                for i in range(end, start - 1, -1):
                    step_bytes(self, rows, p, i, n, i == n, sets + (i - start + 1) * size, sets + (i - start) * size)
                node = walk_bytes(self, node, start, end, sets, groups)
    free(kept)
    free(sets)
    return result


# Walks through the places from `i` to `end`; returns the node that goes on after them.
cdef inline const Node* walk_bytes(
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


# Where a lookaround holds: from there, some text matches, whatever comes after it. False if memory runs out.
cdef inline bint fill_row(
    const Automaton* self, const Rows* rows, uint64_t* row, const uint8_t* p, Py_ssize_t n
) noexcept nogil:
    cdef uint64_t[2 * MOST_WORDS] scratch
    cdef int32_t words = self.words
    cdef Py_ssize_t size = self.count, i, k
    cdef uint8_t* nodes = NULL
    cdef bint holds_here
    memset(scratch, 0, sizeof(scratch))
    if not words:
        nodes = <uint8_t*> calloc(2, size)
        if nodes == NULL:
            return False
    for k in range(n + 1):
        i = k if self.is_behind else n - k
        # Two sets are in use in turn.
        if words:
            step_words(self, rows, p, i, n, True, scratch + (k + 1 & 1) * words, scratch + (k & 1) * words)
            holds_here = have_common(self.reached + self.start * words, scratch + (k & 1) * words, words)
        else:
            step_bytes(self, rows, p, i, n, True, nodes + (k + 1 & 1) * size, nodes + (k & 1) * size)
            holds_here = nodes[(k & 1) * size + self.start]
        row[i >> 6] |= <uint64_t> holds_here << (i & 63)
    free(nodes)
    return True


# As run_automaton().
cdef inline int run_with_looks(const Automaton* self, const uint8_t* p, Py_ssize_t n, Span* groups) noexcept nogil:
    cdef uint64_t[ROWS_ON_STACK] scratch
    cdef Rows rows
    cdef int32_t k
    cdef int result = -1
    rows.bits = scratch
    rows.length = n // 64 + 1
    if self.look_count * rows.length > ROWS_ON_STACK:
        rows.bits = <uint64_t*> calloc(self.look_count, rows.length * sizeof(uint64_t))
        if rows.bits == NULL:
            return -1
    else:
        memset(scratch, 0, self.look_count * rows.length * sizeof(uint64_t))
    for k in range(self.look_count):
        if not fill_row(&self.looks[k], &rows, rows.bits + k * rows.length, p, n):
            break
    else:
        if self.words:
            result = match_words(self, &rows, p, n, groups)
        else:
            result = match_bytes(self, &rows, p, n, groups)
    if rows.bits != scratch:
        free(rows.bits)
    return result
