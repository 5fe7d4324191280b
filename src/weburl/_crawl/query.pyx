"""The parameters of a query, in order."""

from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

from weburl._core.buffer cimport Buffer, push, push_run


cdef int compare(const uint8_t* p, Py_ssize_t n, const uint8_t* q, Py_ssize_t m) noexcept nogil:
    cdef int order = memcmp(p, q, min(n, m))
    return order if order else (n > m) - (n < m)


# By name, then by value; a name alone before the same with an empty value.
cdef int compare_parameters(const Parameter* a, const Parameter* b) noexcept nogil:
    cdef int order = compare(a.p, a.name_length, b.p, b.name_length)
    return order if order else compare(
        a.p + a.name_length, a.length - a.name_length, b.p + b.name_length, b.length - b.name_length
    )


# Merge sort: its cost does not depend on the order.
cdef void sort_parameters(Parameter* parameters, Py_ssize_t n, Parameter* other) noexcept nogil:
    cdef Py_ssize_t half = n // 2, i = 0, j = half, k = 0
    if n < 2:
        return
    sort_parameters(parameters, half, other)
    sort_parameters(parameters + half, n - half, other)
    if compare_parameters(&parameters[half - 1], &parameters[half]) <= 0:
        return
    memcpy(other, parameters, half * sizeof(Parameter))
    while i < half:
        if j == n or compare_parameters(&other[i], &parameters[j]) <= 0:
            parameters[k] = other[i]
            i += 1
        else:
            parameters[k] = parameters[j]
            j += 1
        k += 1


cdef bint open_list(ParameterList* self, const uint8_t* query, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, room = 1
    if n >= FEW:
        for i in range(n):
            room += query[i] == c'&'
    self.count = 0
    self.items = self.few
    if room > FEW:
        self.items = <Parameter*> malloc(2 * room * sizeof(Parameter))
    return self.items != NULL


cdef void close_list(ParameterList* self) noexcept nogil:
    if self.items != self.few:
        free(self.items)


# Those that are not sorted are sorted beside, and found there: of equal ones, the first is the earliest.
cdef bint drop_repeated(ParameterList* self, bint is_sorted) noexcept nogil:
    cdef Parameter* items = self.items
    cdef Parameter* ordered = NULL
    cdef Py_ssize_t i, low, high, middle, n = self.count, kept = 0
    if not is_sorted:
        ordered = <Parameter*> malloc(2 * max(n, 1) * sizeof(Parameter))
        if ordered == NULL:
            return False
        memcpy(ordered, items, n * sizeof(Parameter))
        sort_parameters(ordered, n, ordered + n)
    for i in range(n):
        if is_sorted:
            if kept and compare_parameters(&items[kept - 1], &items[i]) == 0:
                continue
        else:
            low = 0
            high = n
            while low < high:
                middle = (low + high) // 2
                if compare_parameters(&ordered[middle], &items[i]) < 0:
                    low = middle + 1
                else:
                    high = middle
            if ordered[low].p != items[i].p:
                continue
        items[kept] = items[i]
        kept += 1
    self.count = kept
    free(ordered)
    return True


cdef void push_list(Buffer* out, const ParameterList* self) noexcept nogil:
    cdef Py_ssize_t i
    if self.count == 1 and self.items[0].length == 0:
        return
    for i in range(self.count):
        push(out, c'&' if i else c'?')
        push_run(out, self.items[i].p, self.items[i].length)
