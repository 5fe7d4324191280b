"""The columns of patterns that rows are matched against, and of the groups of these."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from weburl._arrow.batch cimport BITS, MAP, MOST_PAIRS, STRINGS, Batch, ColumnBuffers
from weburl._arrow.columns cimport (
    BLOCK_ROWS, TEXT_TO_PORT, WHOLE_URL, Block, Field, ParsedRow, VerbState, Worker, Writer, bound, field, put_bits,
    put_entry, put_text, put_validity, settle, verb_state, with_arguments,
)
from weburl._core.percent cimport usv_text
from weburl._core.record cimport Span
from weburl._core.status cimport NO_MEMORY, OK, RAISED, Status
from weburl._patterns.matcher cimport (
    COMPONENTS, NO_COMPONENTS, NO_ROUTE, ROUTE_NO_MEMORY, Matcher, Patterns, Routes, RouteTable, Subject, find_route,
    match_subject, view_subject,
)

cdef enum:
    PORT = 4                    # the last component before the path


# A group of a pattern that a column has.
ctypedef struct Group:
    const uint8_t* name
    Py_ssize_t length
    int component
    int32_t place               # among all groups of the pattern


# One of the patterns.
ctypedef struct Target:
    const uint8_t* key
    Py_ssize_t length
    const Group* groups
    int32_t group_count


# What rows are matched against: a pattern, or a list of them.
ctypedef struct Matches:
    const Patterns* pattern     # or NULL, and then:
    const Routes* routes
    Target* targets             # one for each pattern
    Target nothing              # the key of URLs that match no pattern, or NULL
    int32_t* columns            # for each pattern, which of its groups each column of a group has, or -1
    int32_t column_count
    int32_t most_spans          # of any pattern, how many groups it has at all,
    int32_t most_groups         # and how many of them are in columns


cdef class Matching:
    """Matching(source, targets, columns=(), nothing=None)

    `source` is the Matcher of a pattern, or the RouteTable of a list. Each pattern is a target: its key, and the groups
    that columns have, each by a name, the number of its component, and its number there. `columns` are names of groups:
    each is a column, with the groups of that name. `nothing` is the key of URLs that match no pattern.
    """
    cdef Matches matches
    cdef readonly tuple columns     # the names of the columns of groups
    cdef readonly bint host_only    # nothing after the port is looked at
    cdef Group* groups
    cdef list kept

    def __cinit__(self, source, targets, columns=(), nothing=None):
        cdef Matches* matches = &self.matches
        cdef const Patterns* pattern
        cdef Target* target
        cdef Group* group
        cdef bytes text
        cdef int32_t i, k, count
        # As integers of Python first: what an int32_t does not hold raises.
        count = <object> len(targets)
        self.columns = tuple(columns)
        self.kept = [source]
        if isinstance(source, Matcher):
            matches.pattern = &(<Matcher> source).patterns
        else:
            matches.routes = &(<RouteTable?> source).routes
        if count != (1 if matches.pattern != NULL else matches.routes.count):
            raise ValueError("each pattern is a target")
        matches.column_count = <object> len(self.columns)
        matches.targets = <Target*> calloc(count + 1, sizeof(Target))
        matches.columns = <int32_t*> calloc(
            <size_t> count + 1, <size_t> max(matches.column_count, 1) * sizeof(int32_t)
        )
        self.groups = <Group*> calloc(sum([len(places) for _, places in targets]) + 1, sizeof(Group))
        if matches.targets == NULL or matches.columns == NULL or self.groups == NULL:
            raise MemoryError
        if nothing is not None:
            text = keep(self, nothing)
            matches.nothing.key = <const uint8_t*> <const char*> text
            matches.nothing.length = len(text)
        group = self.groups
        self.host_only = matches.pattern != NULL
        for i in range(count):
            key, places = targets[i]
            pattern = matches.pattern if matches.pattern != NULL else matches.routes.patterns[i]
            target = &matches.targets[i]
            text = keep(self, key)
            target.key = <const uint8_t*> <const char*> text
            target.length = len(text)
            target.groups = group
            target.group_count = <int32_t> len(places)
            matches.most_spans = max(matches.most_spans, pattern.group_count)
            matches.most_groups = max(matches.most_groups, target.group_count)
            for name, component, number in places:
                if not (0 <= component < COMPONENTS and 0 <= number < pattern.components[component].group_count):
                    raise ValueError("the pattern has no such group")
                text = keep(self, name)
                group.name = <const uint8_t*> <const char*> text
                group.length = len(text)
                group.component = component
                group.place = pattern.components[component].first_group + number
                self.host_only = self.host_only and component <= PORT
                group += 1
            place_of_name = {name: k for k, (name, _, _) in enumerate(places)}
            for k, column in enumerate(self.columns):
                matches.columns[<Py_ssize_t> i * matches.column_count + k] = place_of_name.get(column, -1)
            for k in range(pattern.checked_count):
                self.host_only = self.host_only and pattern.checked[k] <= PORT

    def __dealloc__(self):
        free(self.matches.targets)
        free(self.matches.columns)
        free(self.groups)


cdef bytes keep(Matching self, str text):
    """The text in UTF-8, which stays in place."""
    cdef bytes encoded = usv_text(text).encode()
    self.kept.append(encoded)
    return encoded


# What the rows of a block match.
ctypedef struct MatchState:
    const Matches* matches
    int32_t[BLOCK_ROWS] targets # or -1
    uint64_t matched
    Span* spans                 # for each row, its groups: where they are in the href, from -1 on for one that took no part
    Span* groups                # room for all groups of a pattern


# Room for the groups of a match, and for those of a block that are in columns.
cdef void* open_match_state(const void* shared) noexcept nogil:
    cdef const Matches* matches = <const Matches*> shared
    cdef size_t kept = BLOCK_ROWS * <size_t> matches.most_groups
    cdef size_t count = kept + <size_t> matches.most_spans if matches.most_groups else 0
    cdef MatchState* self = <MatchState*> malloc(sizeof(MatchState) + count * sizeof(Span))
    if self != NULL:
        self.matches = matches
        self.spans = <Span*> (self + 1)
        self.groups = self.spans + kept
    return self


cdef Status match_block(void* state, Batch batch, Worker* worker) noexcept nogil:
    cdef MatchState* self = <MatchState*> state
    cdef Block* block = &worker.block
    cdef const Matches* matches = self.matches
    cdef Span* groups = self.groups if matches.most_groups else NULL
    cdef const ParsedRow* row
    cdef Subject subject
    cdef int32_t target
    cdef int i
    settle(batch, block)
    self.matched = 0
    for i in range(block.count):
        self.targets[i] = NO_ROUTE
        if not block.ok >> i & 1:
            continue
        row = &block.rows[i]
        view_subject(&subject, row.href, row.length, &row.record)
        if matches.pattern != NULL:
            # 0 is the number of the only pattern.
            target = match_subject(matches.pattern, &subject, groups, NO_COMPONENTS)
            target = <int32_t> (ROUTE_NO_MEMORY if target < 0 else target - 1)
        else:
            target = find_route(matches.routes, &subject, groups)
        if target == ROUTE_NO_MEMORY:
            return NO_MEMORY
        if target == NO_ROUTE:
            continue
        self.targets[i] = target
        self.matched |= <uint64_t> 1 << i
        if groups != NULL:
            keep_groups(self, block.rows[i].href, i, &matches.targets[target], &subject)
    return OK


cdef void keep_groups(
    MatchState* self, const uint8_t* href, int i, const Target* target, const Subject* subject
) noexcept nogil:
    cdef Span* kept = self.spans + <Py_ssize_t> i * self.matches.most_groups
    cdef const Group* group
    cdef Py_ssize_t start
    cdef int32_t k
    for k in range(target.group_count):
        group = &target.groups[k]
        kept[k] = self.groups[group.place]
        if kept[k].start >= 0:
            start = subject.texts[group.component].data - href
            kept[k].start += start
            kept[k].end += start


cdef Status put_pattern_test(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const MatchState* self = <const MatchState*> state
    cdef const Block* block = &worker.block
    put_bits(column.slots, block.index, self.matched)
    put_validity(column, block, block.not_null)
    column.count += block.count
    return OK


cdef Status put_group(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const MatchState* self = <const MatchState*> state
    cdef Block* block = &worker.block
    cdef const Matches* matches = self.matches
    cdef const Span* group
    cdef const ParsedRow* row
    cdef uint64_t valid = 0
    cdef int32_t which
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        which = -1
        if self.matched >> i & 1:
            which = matches.columns[<Py_ssize_t> self.targets[i] * matches.column_count + column.part]
        group = NULL if which < 0 else self.spans + <Py_ssize_t> i * matches.most_groups + which
        if group == NULL or group.start < 0:
            if not put_text(batch, column, NULL, 0, NULL):
                return NO_MEMORY
        else:
            valid |= <uint64_t> 1 << i
            row = &block.rows[i]
            if not put_text(batch, column, row.href + group.start, group.end - group.start, row):
                return NO_MEMORY
    put_validity(column, block, valid)
    return OK


cdef Status put_route(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const MatchState* self = <const MatchState*> state
    cdef const Block* block = &worker.block
    cdef const Target* target
    cdef uint64_t valid = self.matched
    cdef int i
    if self.matches.nothing.key != NULL:
        valid = block.ok
    for i in range(block.count):
        target = &self.matches.nothing
        if self.matched >> i & 1:
            target = &self.matches.targets[self.targets[i]]
        if not put_text(batch, column, target.key, target.length if valid >> i & 1 else 0, NULL):
            return NO_MEMORY
    put_validity(column, block, valid)
    return OK


# The groups that took part.
cdef Status put_route_groups(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const MatchState* self = <const MatchState*> state
    cdef Block* block = &worker.block
    cdef const Target* target
    cdef const Group* group
    cdef const Span* group_span
    cdef const uint8_t* href
    cdef int32_t k
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        if self.matched >> i & 1:
            target = &self.matches.targets[self.targets[i]]
            href = block.rows[i].href
            for k in range(target.group_count):
                group = &target.groups[k]
                group_span = self.spans + <Py_ssize_t> i * self.matches.most_groups + k
                if group_span.start >= 0 and not (
                    put_entry(batch, column + 1, group.name, group.length)
                    and put_entry(batch, column + 2, href + group_span.start, group_span.end - group_span.start)
                ):
                    return NO_MEMORY
        if column[1].count > MOST_PAIRS:
            return NO_MEMORY
        column.count += 1
        (<int32_t*> column.slots)[column.count] = <int32_t> column[1].count
    put_validity(column, block, self.matched)
    return OK


cdef Field any_text(str name, Writer write, str doc):
    cdef Field self = field(name, STRINGS, TEXT_TO_PORT, True, write, doc)
    self.is_any_text = True
    return self


FIELDS = {each.name: with_arguments(each) for each in (
    field("pattern_test", BITS, TEXT_TO_PORT, True, put_pattern_test, "whether the URL matches a pattern"),
    field("group", STRINGS, TEXT_TO_PORT, True, put_group, "what a group of the pattern took"),
    any_text("route", put_route, "the key of the first pattern that the URL matches"),
    field("groups", MAP, TEXT_TO_PORT, True, put_route_groups, "what the named groups of that pattern took"),
)}


def matches(Matching matching not None, names=()):
    """Fields by their names: pattern_test, route, groups; and then one for each column of a group."""
    cdef VerbState state = verb_state(matching, &matching.matches)
    cdef Field each
    cdef list fields = []
    state.open = open_match_state
    state.read_block = match_block
    for name in (*names, *["group"] * len(matching.columns)):
        each = bound(FIELDS[name], state)
        if not matching.host_only:
            each.reads = WHOLE_URL
        fields.append(each)
    for index, column in enumerate(matching.columns, -len(matching.columns)):
        each = fields[index]
        each.name = column
        each.part = len(matching.columns) + index
    return tuple(fields)
