"""Matches URLs against the components of a pattern: https://urlpattern.spec.whatwg.org/#url-pattern-match"""

cimport cython
from cpython.tuple cimport PyTuple_GET_ITEM
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr, memcmp, memcpy, memset

from weburl._core.buffer cimport MAX_LENGTH
from weburl._core.parts cimport wrong_type
from weburl._core.percent cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII, ascii_text
from weburl._core.record cimport (
    FRAGMENT, HOSTNAME, PASSWORD, PATHNAME, PORT, QUERY, SCHEME, USERNAME, Part, Record, Span, span,
)
from weburl._core.status cimport Status
from weburl._core.texts cimport parse_text
from weburl._patterns.automaton cimport (
    ACCEPT, ASSERT, BLOCK, CHARS, CLOSE, FAIL, IS_BEGIN, IS_BOUNDARY, IS_END, IS_LOOK, IS_NOT_BOUNDARY, NODE_LIMIT, OPEN,
    PLACES, SMALL_LIMIT, SPLIT, Automaton, Node, holds, place_of,
)
from weburl._patterns.lookaround cimport add_words, run_with_looks, walk_bytes
from weburl._parsed cimport ParsedURL, snapshot
from weburl.url cimport is_url

cdef extern from "bits.h":
    unsigned int lowest_bit(uint64_t mask) noexcept nogil

# Automata with priorities: the match that a backtracking engine finds first, in linear time.
#
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


cdef int run_automaton(const Automaton* self, const uint8_t* p, Py_ssize_t n, Span* groups) noexcept nogil:
    if self.by_byte == NULL:
        if self.looks != NULL:
            return run_with_looks(self, p, n, groups)
        return run_large(self, p, n, groups)
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


# Large ones: the set at a place has all nodes that can get to the end from there, a byte each.

cdef void step_large(
    const Automaton* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n, const uint8_t* after, uint8_t* before
) noexcept nogil:
    cdef int place = place_of(p, i, n) if self.has_assertions else 0
    cdef uint8_t byte = p[i] & 0x7F if i < n else 0
    cdef const Node* node
    cdef int32_t k
    for k in range(self.count):
        node = &self.nodes[k]
        if node.kind == CHARS:
            before[k] = (
                i < n and after[node.first] and (self.classes[2 * node.number + (byte >> 6)] >> (byte & 63)) & 1
            )
        elif node.kind == SPLIT:
            before[k] = before[node.first] | before[node.second]
        elif node.kind == ACCEPT:
            before[k] = i == n
        elif node.kind == FAIL or (node.kind == ASSERT and not holds(node.number, place)):
            before[k] = False
        else:
            before[k] = before[node.first]


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
                node = walk_bytes(self, node, block * BLOCK, end, sets, groups)
    free(kept)
    free(sets)
    return result


cdef void copy_set(uint8_t* to, const uint8_t* source, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(size):
        to[k] = source[k]


# Steps, and automata for what they cannot say.

# For compile.py.
STEP_KINDS = TEXT, SEGMENT, REST, OPTIONAL, RUN

# The likeliest to fail first.
ORDER = (5, 3, 0, 4, 6, 7, 1, 2)
cdef enum:
    GROUPS_ON_STACK = 32

cdef Part[COMPONENTS] PARTS = [SCHEME, USERNAME, PASSWORD, HOSTNAME, PORT, PATHNAME, QUERY, FRAGMENT]


cdef inline void view_part(
    Text* self, const uint8_t* href, Py_ssize_t length, const Record* record, Part part
) noexcept nogil:
    cdef Span part_span = span(record, length, part)
    self.data = href + part_span.start
    self.length = part_span.end - part_span.start


cdef void view_subject(Subject* self, const uint8_t* href, Py_ssize_t length, const Record* record) noexcept nogil:
    # A loop would look for what each part is.
    view_part(&self.texts[0], href, length, record, SCHEME)
    view_part(&self.texts[1], href, length, record, USERNAME)
    view_part(&self.texts[2], href, length, record, PASSWORD)
    view_part(&self.texts[3], href, length, record, HOSTNAME)
    view_part(&self.texts[4], href, length, record, PORT)
    view_part(&self.texts[5], href, length, record, PATHNAME)
    view_part(&self.texts[6], href, length, record, QUERY)
    view_part(&self.texts[7], href, length, record, FRAGMENT)


cdef inline uint8_t lower(uint8_t c) noexcept nogil:
    return c | 0x20 if c'A' <= c <= c'Z' else c


# memcmp() without a call: most texts are short.
cdef inline bint are_equal(const uint8_t* p, const uint8_t* q, Py_ssize_t n) noexcept nogil:
    cdef uint64_t first, second
    cdef uint32_t head, other
    if n >= 8:
        if n > 32:
            return memcmp(p, q, n) == 0
        while n > 8:
            memcpy(&first, p, 8)
            memcpy(&second, q, 8)
            if first != second:
                return False
            n -= 8
            p += 8
            q += 8
        # The last eight; some of them may have been compared.
        memcpy(&first, p + n - 8, 8)
        memcpy(&second, q + n - 8, 8)
        return first == second
    if n >= 4:
        memcpy(&head, p, 4)
        memcpy(&other, q, 4)
        if head != other:
            return False
        memcpy(&head, p + n - 4, 4)
        memcpy(&other, q + n - 4, 4)
        return head == other
    return n == 0 or (p[0] == q[0] and p[n >> 1] == q[n >> 1] and p[n - 1] == q[n - 1])


cdef inline bint is_text(
    const Component* self, const uint8_t* p, const uint8_t* text, Py_ssize_t n
) noexcept nogil:
    cdef Py_ssize_t i
    if not self.ignore_case:
        return are_equal(p, text, n)
    for i in range(n):
        if lower(p[i]) != text[i]:
            return False
    return True


cdef inline void set_group(Span* groups, int32_t group, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    if groups != NULL:
        groups[group].start = start
        groups[group].end = end


cdef bint match_steps(
    const Component* self, const uint8_t* texts, const uint8_t* p, Py_ssize_t n, Span* groups
) noexcept nogil:
    cdef const Step* step = self.steps
    cdef const uint8_t* stop
    cdef const uint8_t* bits
    cdef Py_ssize_t i = 0, end
    while step.kind != STEPS_END:
        if step.kind == TEXT:
            if step.length > n - i or not is_text(self, p + i, texts + step.start, step.length):
                return False
            i += step.length
        elif step.kind == SEGMENT:
            stop = NULL
            if self.delimiter and i < n:
                stop = <const uint8_t*> memchr(p + i, self.delimiter, n - i)
            end = n if stop == NULL else stop - p
            if end == i:
                return False
            set_group(groups, step.group, i, end)
            i = end
        elif step.kind == REST:
            end = n - step.length
            if end < i or not is_text(self, p + end, texts + step.start, step.length):
                return False
            set_group(groups, step.group, i, end)
            return True
        elif step.kind == RUN:
            bits = texts + step.start
            end = i
            while end < n and bits[p[end] >> 3 & 15] >> (p[end] & 7) & 1:
                end += 1
            if end - i < step.length:
                return False
            set_group(groups, step.group, i, end)
            i = end
        elif i == n:
            # OPTIONAL
            return True
        step += 1
    return i == n


cdef int match_subject(const Patterns* self, const Subject* subject, Span* groups, int known) noexcept nogil:
    cdef const Component* component
    cdef const Text* text
    cdef Span* spans = NULL
    cdef int k, i, result
    if groups != NULL:
        for k in range(self.group_count):
            groups[k].start = -1
    for k in range(self.checked_count):
        i = self.checked[k]
        if known >> i & 1:
            continue
        component = &self.components[i]
        text = &subject.texts[i]
        if groups != NULL:
            spans = groups + component.first_group
        if component.steps != NULL:
            result = match_steps(component, self.texts, text.data, text.length, spans)
        else:
            result = run_automaton(component.automaton, text.data, text.length, spans)
        if result != 1:
            return result
    if groups != NULL:
        for i in range(COMPONENTS):
            component = &self.components[i]
            if component.matches_all:
                groups[component.first_group].start = 0
                groups[component.first_group].end = subject.texts[i].length
    return 1


@cython.final
cdef class Matcher:
    """Matcher(components)

    Takes eight of (steps, texts, nodes, start, classes, group count, delimiter, ignore case, lookarounds).
    """

    def __cinit__(self, components):
        cdef Component* component
        cdef Step* step
        cdef int i
        cdef list checked = []
        # A match reads them one after the other: they are together in memory.
        step = self.steps = <Step*> malloc(sum([len(each[0] or ()) + 1 for each in components]) * sizeof(Step))
        if step == NULL:
            raise MemoryError
        self.texts = b"".join([each[1] for each in components])
        self.patterns.texts = self.texts
        offset = 0
        for i in range(COMPONENTS):
            component = &self.patterns.components[i]
            steps, texts, nodes, start, classes, group_count, delimiter, ignore_case, looks = components[i]
            component.ignore_case = ignore_case
            component.delimiter = delimiter
            component.first_group = self.patterns.group_count
            component.group_count = group_count
            self.patterns.group_count += group_count
            if steps is None:
                component.automaton = <Automaton*> calloc(1, sizeof(Automaton))
                if component.automaton == NULL:
                    raise MemoryError
                build_automaton(component.automaton, nodes, start, classes, looks or None)
            else:
                component.steps = step
                for kind, group, at, length in steps:
                    # No text has more, and a size of 32 bits may not say what a pattern asks for.
                    step[0] = Step(kind, group, offset + at, min(length, MAX_LENGTH + 1))
                    step += 1
                step[0] = Step(STEPS_END, 0, 0, 0)
                step += 1
                component.matches_all = len(steps) == 1 and steps[0][0] == REST and steps[0][3] == 0
            offset += len(texts)
            if not component.matches_all:
                checked.append(i)
        for i in sorted(checked, key=ORDER.index):
            self.patterns.checked[self.patterns.checked_count] = i
            self.patterns.checked_count += 1

    def __dealloc__(self):
        cdef int i
        free(self.steps)
        for i in range(COMPONENTS):
            if self.patterns.components[i].automaton != NULL:
                free_automaton(self.patterns.components[i].automaton)
                free(self.patterns.components[i].automaton)

    def test(self, url, base):
        """Whether a URL matches, a str or a URL. False if it does not parse."""
        cdef Subject subject
        cdef Record record
        cdef str href = parse_input(url, base, &record)
        if href is None:
            return False
        view_subject(&subject, <const uint8_t*> PyUnicode_DATA(href), PyUnicode_GET_LENGTH(href), &record)
        return is_match(self, &subject)

    def match(self, url, base):
        """The Match of a URL, or None."""
        cdef Subject subject
        cdef Record record
        cdef Match result
        cdef str href = parse_input(url, base, &record)
        if href is None:
            return None
        view_subject(&subject, <const uint8_t*> PyUnicode_DATA(href), PyUnicode_GET_LENGTH(href), &record)
        result = find_match(self, &subject)
        if result is not None:
            result.url = href
            result.record = record
        return result

    def test_components(self, tuple texts not None):
        """Whether eight components match."""
        cdef Subject subject
        view_components(&subject, texts)
        return is_match(self, &subject)

    def match_components(self, tuple texts not None):
        """The Match of eight components, or None."""
        cdef Subject subject
        cdef Match result
        view_components(&subject, texts)
        result = find_match(self, &subject)
        if result is not None:
            result.url = texts
        return result


cdef str parse_input(object url, object base, Record* record):
    cdef Status status
    cdef str href
    if is_url(url):
        href = snapshot(<ParsedURL> url, record)
        # That of a subclass that has not called __init__() is empty.
        return href if href else None
    # What only says that it is a str would be read as one.
    if not isinstance(url, str):
        raise wrong_type(url, "url must be a str, a URL or a mapping")
    if not (base is None or isinstance(base, str)):
        raise wrong_type(base, "base must be a str, a URL or None")
    return parse_text(url, base, NULL, None, record, &status)


cdef int view_components(Subject* self, tuple texts) except -1:
    cdef int i
    cdef str text
    if len(texts) != COMPONENTS:
        raise ValueError("not eight components")
    for i in range(COMPONENTS):
        text = texts[i]
        if text is None or not PyUnicode_IS_ASCII(text):
            raise ValueError("a component is in ASCII")
        self.texts[i] = Text(<const uint8_t*> PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text))
    return 0


cdef bint is_match(Matcher self, const Subject* subject) except -1:
    cdef int result = match_subject(&self.patterns, subject, NULL, NO_COMPONENTS)
    if result < 0:
        raise MemoryError
    return result


cdef Match find_match(Matcher self, const Subject* subject):
    cdef Span[GROUPS_ON_STACK] scratch
    cdef Span* groups = scratch
    cdef Match match
    cdef int result = -1
    cdef size_t size = self.patterns.group_count * sizeof(Span)
    if self.patterns.group_count > GROUPS_ON_STACK:
        groups = <Span*> malloc(size)
    if groups != NULL:
        result = match_subject(&self.patterns, subject, groups, NO_COMPONENTS)
    try:
        if result < 0:
            raise MemoryError
        if result == 0:
            return None
        match = Match.__new__(Match)
        match.matcher = self
        match.spans = <Span*> malloc(size + 1)
        if match.spans == NULL:
            raise MemoryError
        memcpy(match.spans, groups, size)
        return match
    finally:
        if groups != scratch:
            free(groups)


@cython.final
cdef class Match:
    """What a URL has in the places of a pattern's groups."""

    def __dealloc__(self):
        free(self.spans)

    def component(self, int i):
        """The text of a component."""
        if not 0 <= i < COMPONENTS or self.matcher is None:
            raise IndexError(i)
        cdef Text text = component_of(self, i)
        return ascii_text(text.data, text.length)

    def named(self, int i, tuple names not None):
        """The texts of a component's groups, by their names; None for one that took no part."""
        return {name: self.group(i, <int> k) for k, name in enumerate(names)}

    cpdef group(self, int i, int k):
        """The text of one group."""
        cdef const Component* component
        cdef const Span* group_span
        cdef Text text
        if self.matcher is None or not (0 <= i < COMPONENTS and 0 <= k < self.matcher.patterns.components[i].group_count):
            raise IndexError(i, k)
        component = &self.matcher.patterns.components[i]
        group_span = &self.spans[component.first_group + k]
        if group_span.start < 0:
            return None
        text = component_of(self, i)
        return ascii_text(text.data + group_span.start, group_span.end - group_span.start)


cdef Text component_of(Match self, int i) noexcept:
    cdef object text = self.url
    cdef Span part_span
    if type(text) is tuple:
        text = <object> PyTuple_GET_ITEM(text, i)
        return Text(<const uint8_t*> PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text))
    part_span = span(&self.record, PyUnicode_GET_LENGTH(text), PARTS[i])
    return Text(<const uint8_t*> PyUnicode_DATA(text) + part_span.start, part_span.end - part_span.start)
