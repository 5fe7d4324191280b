# A part of matcher.pyx: the first of many patterns that matches a URL, without a look at each of them. A trie of what all
# URLs of a pattern have in common, the end of the host and the start of the path, gives the patterns that may match.
# These are tried in their order.

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr, memcmp, memcpy

from weburl._core.hash cimport draw_words, extend_hash, hash_step, short_word
from weburl._core.percent cimport PyUnicode_DATA, PyUnicode_GET_LENGTH
from weburl._core.record cimport Record, Span

cdef enum:
    HOSTNAME_COMPONENT = 3
    PATHNAME_COMPONENT = 5
    ON_STACK = 64
    # The parent of the nodes of whole hosts.
    WHOLE_HOST = -1
    MOST_ROUTES = 1 << 28       # four times as many, and three more, are an int32_t


cdef inline uint64_t hash_edge(uint64_t seed, int32_t parent, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return extend_hash(hash_step(seed, <uint64_t> parent), p, <size_t> n)


cdef inline int32_t find_child(const Routes* self, int32_t parent, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint64_t hash = hash_edge(self.seed, parent, p, n), i = hash & self.mask
    cdef const RouteEdge* edge
    while True:
        edge = &self.edges[i]
        if edge.child == 0:
            return -1
        if (
            edge.hash == hash and edge.parent == parent and edge.length == n
            and (short_word(edge.text, n) == short_word(p, n) if n <= 8 else memcmp(edge.text, p, n) == 0)
        ):
            return edge.child
        i = (i + 1) & self.mask


# A pattern of a list: its index, whether the node says that it is of this path, and whether it is of this whole host.
cdef inline int32_t index_of(int32_t item) noexcept nogil:
    return item >> 2


cdef inline bint is_of_path(int32_t item) noexcept nogil:
    return item >> 1 & 1


cdef inline bint is_of_host(int32_t item) noexcept nogil:
    return item & 1


# The patterns that may match; they move to the heap when the stack's place is full.
ctypedef struct Candidates:
    int32_t* items
    int32_t count
    int32_t size
    bint failed
    int32_t[ON_STACK] scratch


cdef void add_candidates(Candidates* self, const Routes* routes, int32_t first, int32_t count) noexcept nogil:
    cdef int32_t* items
    cdef int32_t size
    if count > self.size - self.count:
        size = 2 * (self.count + count)
        items = <int32_t*> malloc(size * sizeof(int32_t))
        if items == NULL:
            self.failed = True
            return
        memcpy(items, self.items, self.count * sizeof(int32_t))
        if self.items != self.scratch:
            free(self.items)
        self.items = items
        self.size = size
    memcpy(self.items + self.count, routes.lists + first, count * sizeof(int32_t))
    self.count += count


# A node and where in the path it stands.
ctypedef struct Place:
    int32_t node
    const uint8_t* p


cdef void add_paths(Candidates* self, const Routes* routes, int32_t root, const uint8_t* p, const uint8_t* end) noexcept nogil:
    cdef Place[ON_STACK] scratch
    cdef Place* places = scratch
    cdef Place* more
    cdef Place place
    cdef const RouteNode* node
    cdef const uint8_t* stop
    cdef int32_t count = 1, size = ON_STACK, child
    places[0] = Place(root, p)
    while count:
        count -= 1
        place = places[count]
        node = &routes.nodes[place.node]
        if node.open_count:
            add_candidates(self, routes, node.open, node.open_count)
        if place.p == end:
            if node.ending_count:
                add_candidates(self, routes, node.ending, node.ending_count)
            continue
        if place.p[0] != c'/':
            continue
        if count + 2 > size:
            more = <Place*> malloc(2 * size * sizeof(Place))
            if more == NULL:
                self.failed = True
                break
            memcpy(more, places, size * sizeof(Place))
            if places != scratch:
                free(places)
            places = more
            size *= 2
        p = place.p + 1
        stop = <const uint8_t*> memchr(p, c'/', end - p)
        if stop == NULL:
            stop = end
        if node.any_segment >= 0 and stop > p:
            places[count] = Place(node.any_segment, stop)
            count += 1
        child = find_child(routes, place.node, p, stop - p)
        if child >= 0:
            places[count] = Place(child, stop)
            count += 1
    if places != scratch:
        free(places)


cdef void add_hosts(Candidates* self, const Routes* routes, const Subject* subject) noexcept nogil:
    cdef const uint8_t* host = subject.texts[HOSTNAME_COMPONENT].data
    cdef const uint8_t* path = subject.texts[PATHNAME_COMPONENT].data
    cdef const uint8_t* path_end = path + subject.texts[PATHNAME_COMPONENT].length
    cdef Py_ssize_t end = subject.texts[HOSTNAME_COMPONENT].length, start
    cdef int32_t node = find_child(routes, WHOLE_HOST, host, end)
    if node >= 0:
        add_paths(self, routes, routes.nodes[node].path, path, path_end)
    node = 0
    while node >= 0:
        if routes.nodes[node].path >= 0:
            add_paths(self, routes, routes.nodes[node].path, path, path_end)
        if end < 0 or not routes.has_labels:
            break
        start = end
        while start > 0 and host[start - 1] != c'.':
            start -= 1
        node = find_child(routes, node, host + start, end - start)
        end = start - 1


cdef void sift(int32_t* items, int32_t i, int32_t count) noexcept nogil:
    cdef int32_t item = items[i], child = 2 * i + 1
    while child < count:
        if child + 1 < count and items[child + 1] > items[child]:
            child += 1
        if items[child] <= item:
            break
        items[i] = items[child]
        i = child
        child = 2 * i + 1
    items[i] = item


cdef void sort(int32_t* items, int32_t count) noexcept nogil:
    cdef int32_t i, last
    if count < 2:
        return
    for i in range(count // 2 - 1, -1, -1):
        sift(items, i, count)
    for i in range(count - 1, 0, -1):
        last = items[i]
        items[i] = items[0]
        items[0] = last
        sift(items, 0, i)


cdef void find_candidates(const Routes* self, const Subject* subject, Candidates* candidates) noexcept nogil:
    candidates.items = candidates.scratch
    candidates.count = 0
    candidates.size = ON_STACK
    candidates.failed = False
    add_hosts(candidates, self, subject)
    sort(candidates.items, candidates.count)


cdef void free_candidates(Candidates* self) noexcept nogil:
    if self.items != self.scratch:
        free(self.items)


cdef int32_t find_route(const Routes* self, const Subject* subject, Span* groups) noexcept nogil:
    cdef Candidates candidates
    cdef int32_t i, item, result = NO_ROUTE, matched = 0
    cdef int known
    find_candidates(self, subject, &candidates)
    if candidates.failed:
        result = ROUTE_NO_MEMORY
    else:
        for i in range(candidates.count):
            item = candidates.items[i]
            known = is_of_host(item) << <int> HOSTNAME_COMPONENT
            if groups == NULL:
                # Otherwise its groups are wanted.
                known |= is_of_path(item) << <int> PATHNAME_COMPONENT
            matched = match_subject(self.patterns[index_of(item)], subject, groups, known)
            if matched:
                result = index_of(item) if matched > 0 else ROUTE_NO_MEMORY
                break
    free_candidates(&candidates)
    return result


cdef class RouteTable:
    """RouteTable(matchers, keys)

    A key for each matcher: the whole host, or None; the labels that it ends with, from the last one on; the segments of
    the path, None for any; whether these are all; and whether the path of a URL with these segments matches.
    """

    def __cinit__(self, list matchers, list keys):
        cdef int32_t i, count
        cdef Routes* routes = &self.routes
        if len(matchers) > MOST_ROUTES:
            raise ValueError("there are too many patterns")
        count = <int32_t> len(matchers)
        self.matchers = matchers
        self.kept = []
        routes.count = count
        draw_words(&routes.seed, 1)
        routes.patterns = <const Patterns**> malloc((count + 1) * sizeof(Patterns*))
        if routes.patterns == NULL:
            raise MemoryError
        for i in range(count):
            routes.patterns[i] = &(<Matcher?> matchers[i]).patterns
            routes.most_groups = max(routes.most_groups, routes.patterns[i].group_count)
        nodes, edges = grow(keys)
        fill(self, nodes, edges)

    def __dealloc__(self):
        free(self.routes.patterns)
        free(self.routes.nodes)
        free(self.routes.lists)
        free(self.routes.edges)

    def find(self, url, base, bint all):
        """The indices of the patterns that a URL matches, the first or all, each with its Match."""
        cdef Subject subject
        cdef Record record
        cdef Match match
        cdef str href = parse_input(url, base, &record)
        if href is None:
            return []
        view_subject(&subject, <const uint8_t*> PyUnicode_DATA(href), PyUnicode_GET_LENGTH(href), &record)
        matches = find_matches(self, &subject, all)
        for _, match in matches:
            match.url = href
            match.record = record
        return matches

    def find_components(self, tuple texts not None, bint all):
        """The same of eight components."""
        cdef Subject subject
        cdef Match match
        view_components(&subject, texts)
        matches = find_matches(self, &subject, all)
        for _, match in matches:
            match.url = texts
        return matches


cdef list find_matches(RouteTable self, const Subject* subject, bint all):
    cdef Candidates candidates
    cdef Match match
    cdef int32_t i, index
    cdef list matches = []
    find_candidates(&self.routes, subject, &candidates)
    try:
        if candidates.failed:
            raise MemoryError
        for i in range(candidates.count):
            index = index_of(candidates.items[i])
            match = find_match(self.matchers[index], subject)
            if match is not None:
                matches.append((index, match))
                if not all:
                    break
        return matches
    finally:
        free_candidates(&candidates)


# Nodes as lists of [path, any segment, ending, open], and edges by (parent, text).
cdef tuple grow(list keys):
    cdef list nodes = [[-1, -1, [], []]]
    cdef dict edges = {}
    cdef int index

    def follow(at, slot):
        if nodes[at][slot] < 0:
            nodes[at][slot] = len(nodes)
            nodes.append([-1, -1, [], []])
        return nodes[at][slot]

    def child(at, text):
        key = at, text.encode()
        if key not in edges:
            edges[key] = len(nodes)
            nodes.append([-1, -1, [], []])
        return edges[key]

    for index, (host, labels, segments, whole_path, exact_path) in enumerate(keys):
        at = 0 if host is None else child(WHOLE_HOST, host)
        for label in labels:
            at = child(at, label)
        at = follow(at, 0)
        for segment in segments:
            at = follow(at, 1) if segment is None else child(at, segment)
        nodes[at][2 if whole_path else 3].append(4 * index + 2 * exact_path + (host is not None))
    return nodes, edges


cdef int fill(RouteTable self, list nodes, dict edges) except -1:
    cdef Routes* routes = &self.routes
    cdef RouteNode* node
    cdef RouteEdge* edge
    cdef bytes text
    cdef uint64_t hash, i
    cdef int32_t k, at = 0
    cdef size_t size = 8
    while size < 2 * <size_t> len(edges):
        size *= 2
    routes.mask = size - 1
    routes.edges = <RouteEdge*> calloc(size, sizeof(RouteEdge))
    routes.nodes = <RouteNode*> malloc(len(nodes) * sizeof(RouteNode))
    routes.lists = <int32_t*> malloc((routes.count + 1) * sizeof(int32_t))
    if routes.edges == NULL or routes.nodes == NULL or routes.lists == NULL:
        raise MemoryError
    for k, (path, any_segment, ending, open_) in enumerate(nodes):
        node = &routes.nodes[k]
        node.path = path
        node.any_segment = any_segment
        node.ending = at
        node.ending_count = <int32_t> len(ending)
        node.open = at + node.ending_count
        node.open_count = <int32_t> len(open_)
        for item in ending + open_:
            routes.lists[at] = item
            at += 1
    for (parent, text), child in edges.items():
        # The edges point into these.
        self.kept.append(text)
        routes.has_labels = routes.has_labels or parent == 0
        hash = hash_edge(routes.seed, parent, <const uint8_t*> <char*> text, len(text))
        i = hash & routes.mask
        while routes.edges[i].child:
            i = (i + 1) & routes.mask
        edge = &routes.edges[i]
        edge.hash = hash
        edge.text = <const uint8_t*> <char*> text
        edge.length = len(text)
        edge.parent = parent
        edge.child = child
    return 0
