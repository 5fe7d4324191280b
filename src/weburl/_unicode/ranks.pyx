"""Which numbers are left, and how many below one: in Punycode, insertions count the places before them."""

from libc.stdlib cimport free, malloc


cdef class Places:
    """The numbers below `size`, taken one at a time, by rank among those left or by themselves, in logarithmic time.

    A binary indexed tree: `counts[i]` is how many are left of the numbers from `i - (i & -i)` up to and without `i`.
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
        """The number."""
        cdef Py_ssize_t number = 0, step = self.top, i
        while step:
            i = number + step
            if i <= self.size:
                if self.counts[i] <= rank:
                    rank -= self.counts[i]
                    number = i
                else:
                    self.counts[i] -= 1
            step //= 2
        if number >= self.size:
            raise IndexError(rank)
        return number

    def take(self, Py_ssize_t number):
        """Its rank."""
        cdef Py_ssize_t rank = 0, i = number
        if not 0 <= number < self.size:
            raise IndexError(number)
        while i:
            rank += self.counts[i]
            i &= i - 1
        i = number + 1
        while i <= self.size:
            self.counts[i] -= 1
            i += i & -i
        return rank
