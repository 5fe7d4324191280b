"""Fenwick tree for Punycode: the rank of a position among those not yet taken."""

from libc.stdlib cimport free, malloc


cdef class FenwickTree:
    """The positions below `size`. Each can be taken once, by its rank among those left or by itself, in logarithmic time.

    `counts[i]` is how many of the positions from `i - (i & -i)` to `i - 1` are left.
    """

    cdef Py_ssize_t size, top
    cdef Py_ssize_t* counts

    def __cinit__(self, Py_ssize_t size):
        cdef Py_ssize_t i
        self.counts = <Py_ssize_t*> malloc((size + 1) * sizeof(Py_ssize_t))
        if self.counts == NULL:
            raise MemoryError
        for i in range(1, size + 1):
            self.counts[i] = i & -i
        self.size = size
        self.top = 1
        while self.top <= size // 2:
            self.top *= 2

    def __dealloc__(self):
        free(self.counts)

    def take_at(self, Py_ssize_t rank):
        """Takes the position with this rank; returns the position."""
        cdef Py_ssize_t position = 0, step = self.top, i
        while step:
            i = position + step
            if i <= self.size:
                if self.counts[i] <= rank:
                    rank -= self.counts[i]
                    position = i
                else:
                    self.counts[i] -= 1
            step //= 2
        if position >= self.size:
            raise IndexError(rank)
        return position

    def take(self, Py_ssize_t position):
        """Takes a position; returns its rank."""
        cdef Py_ssize_t rank = 0, i = position
        if not 0 <= position < self.size:
            raise IndexError(position)
        while i:
            rank += self.counts[i]
            i &= i - 1
        i = position + 1
        while i <= self.size:
            self.counts[i] -= 1
            i += i & -i
        return rank
