"""Patterns that rows are matched against, with the groups that columns have of them."""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport calloc, free

from weburl._core.percent cimport usv_text
from weburl._patterns.matcher cimport COMPONENTS, Matcher, Patterns
from weburl._patterns.routes cimport RouteTable

cdef enum:
    PORT = 4                    # the last component before the path


cdef class Matching:
    """Matching(source, targets, columns=())

    `source` is the Matcher of a pattern, or the RouteTable of a list. Each pattern is a target: its key, and the groups
    that columns have, each by a name, the number of its component, and its number there. `columns` are names of groups:
    each is a column, with the groups of that name.
    """

    def __cinit__(self, source, targets, columns=()):
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
            names = [name for name, _, _ in places]
            for k, column in enumerate(self.columns):
                matches.columns[<Py_ssize_t> i * matches.column_count + k] = names.index(column) if column in names else -1
            for k in range(pattern.checked_count):
                self.host_only = self.host_only and pattern.checked[k] <= PORT

    def __dealloc__(self):
        free(self.matches.targets)
        free(self.matches.columns)
        free(self.groups)


cdef bytes keep(Matching self, str text):
    """The text in UTF-8, which stays in place."""
    cdef bytes found = usv_text(text).encode()
    self.kept.append(found)
    return found
