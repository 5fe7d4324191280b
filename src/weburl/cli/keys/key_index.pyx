"""Which rows have a key of 128 bits, and the pairs of rows that have one key."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy

from weburl.cli.keys.key_set cimport hash_key
from weburl.cli.keys.row_store cimport RowStore

cdef enum:
    NOT_A_URL = 0
    HAS_KEY = 1
    NONE = 0                    # in place of the number of a row, from 1
    PAIR = 64                   # bytes that a pair takes, besides its texts

cdef int64_t MOST_ROWS = 0xFFFFFFFE


def index_memory(Py_ssize_t rows):
    """The bytes of memory that an index of so many rows takes, with their keys."""
    return rows * (16 + 1 + sizeof(uint32_t)) + table_size(rows) * sizeof(uint32_t)


cdef Py_ssize_t table_size(Py_ssize_t rows) noexcept nogil:
    cdef Py_ssize_t size = 2
    while 3 * size < 4 * rows:
        size *= 2
    return size


cdef class KeyIndex:
    """KeyIndex(keys, marks): the rows of a file, by their keys: 16 bytes for each row, and 1 in `marks` where it has one."""

    cdef object held            # so that nobody resizes the keys
    cdef const uint8_t* keys
    cdef Py_ssize_t count, size
    cdef uint32_t* firsts       # the table: the first row with a key
    cdef uint32_t* nexts        # of the rows: the next one with the same key

    def __cinit__(self, bytearray keys not None, bytearray marks not None):
        cdef const uint8_t* marked = <const uint8_t*> <const char*> marks
        cdef Py_ssize_t count = len(marks), row, slot
        if len(keys) // 16 != count or len(keys) % 16:
            raise ValueError("a key has 16 bytes")
        if count > MOST_ROWS:
            raise ValueError("an index has less than 2**32 rows")
        self.held = memoryview(keys)
        self.keys = <const uint8_t*> <const char*> keys
        self.count = count
        self.size = table_size(count)
        self.firsts = <uint32_t*> calloc(self.size, sizeof(uint32_t))
        self.nexts = <uint32_t*> malloc((count + 1) * sizeof(uint32_t))
        if self.firsts == NULL or self.nexts == NULL:
            raise MemoryError
        with nogil:
            # From the last row on, so that each comes before those that are there.
            for row in range(count - 1, -1, -1):
                if marked[row] == HAS_KEY:
                    slot = place(self, self.keys + 16 * row)
                    self.nexts[row] = self.firsts[slot]
                    self.firsts[slot] = <uint32_t> (row + 1)

    def __dealloc__(self):
        free(self.firsts)
        free(self.nexts)


cdef class Pairs:
    """Pairs(index, store, keys, marks, sizes, is_left): the pairs of rows of another file and of rows with their keys.

    `keys` has 16 bytes for each row of the other file, `marks` 1 where it has a key, and `sizes` its length, of 64 bits.
    Rows that are not URLs, with 0 in `marks`, are in a pair with -1; so are, if `is_left`, those whose key is not there.
    """

    cdef KeyIndex index
    cdef RowStore store
    cdef tuple held
    cdef const uint8_t* keys
    cdef const uint8_t* marks
    cdef const int64_t* sizes
    cdef bint is_left
    cdef readonly Py_ssize_t count  # rows
    cdef readonly Py_ssize_t row    # those before it are done
    cdef uint32_t match             # the next row that it is in a pair with, if some are done; or NONE

    def __cinit__(
        self, KeyIndex index not None, RowStore store not None, bytes keys not None, bytes marks not None,
        bytearray sizes not None, bint is_left
    ):
        self.count = len(marks)
        if len(keys) // 16 != self.count or len(keys) % 16:
            raise ValueError("a key has 16 bytes")
        if len(sizes) // 8 != self.count or len(sizes) % 8:
            raise ValueError("a size has 8 bytes")
        if len(store) != index.count:
            raise ValueError("the index is not that of these rows")
        self.index, self.store, self.is_left = index, store, is_left
        self.held = keys, marks, memoryview(sizes)
        self.keys, self.marks = <const uint8_t*> <const char*> keys, <const uint8_t*> <const char*> marks
        self.sizes = <const int64_t*> <const char*> sizes

    def rows_within(self, int64_t most):
        """How many of the next rows have pairs of at most so many bytes together."""
        cdef Py_ssize_t row = self.row
        cdef uint32_t match
        cdef int64_t size = 0
        with nogil:
            while row < self.count:
                match = first_of(self, row)
                if match == NONE:
                    size += pair_size(self, row, NONE) if is_alone(self, row) else 0
                while match != NONE and size <= most:
                    size += pair_size(self, row, match)
                    match = self.index.nexts[match - 1]
                if size > most:
                    break
                row += 1
        return row - self.row

    def skip(self, Py_ssize_t rows):
        self.row += rows
        self.match = NONE

    def take(self, int64_t most):
        """The numbers of the rows of the next pairs, of 64 bits each: one pair, or more of at most so many bytes."""
        cdef Py_ssize_t row = self.row, found, begin = self.row
        cdef uint32_t match = self.match
        cdef int64_t size = 0
        cdef bytearray lefts, rights
        cdef int64_t* left = NULL
        cdef int64_t* right = NULL
        # They are counted first.
        with nogil:
            found = walk(self, &row, &match, most, NULL, NULL)
        lefts, rights = bytearray(found * sizeof(int64_t)), bytearray(found * sizeof(int64_t))
        left, right = <int64_t*> <char*> lefts, <int64_t*> <char*> rights
        with nogil:
            walk(self, &self.row, &self.match, most, left, right)
        return bytes(lefts), bytes(rights)


# Goes on from a row and a match of it, which it changes, and says how many pairs it has passed.
cdef Py_ssize_t walk(
    Pairs self, Py_ssize_t* at, uint32_t* at_match, int64_t most, int64_t* left, int64_t* right
) noexcept nogil:
    cdef Py_ssize_t found = 0, row = at[0]
    cdef uint32_t match = at_match[0]
    cdef int64_t size = 0
    while row < self.count:
        if match == NONE:
            match = first_of(self, row)
        if match == NONE and not is_alone(self, row):
            row += 1
            continue
        size += pair_size(self, row, match)
        if size > most and found:
            break
        if left != NULL:
            left[found], right[found] = row, <int64_t> match - 1
        found += 1
        if match != NONE:
            match = self.index.nexts[match - 1]
        row += match == NONE
    at[0] = row
    at_match[0] = match
    return found


# Where a key is in the table, or would be.
cdef Py_ssize_t place(KeyIndex self, const uint8_t* key) noexcept nogil:
    cdef uint64_t[2] halves
    cdef Py_ssize_t slot
    memcpy(halves, key, sizeof(halves))
    slot = <Py_ssize_t> (hash_key(halves[0], halves[1]) & <uint64_t> (self.size - 1))
    while self.firsts[slot] != NONE and memcmp(self.keys + 16 * (<Py_ssize_t> self.firsts[slot] - 1), key, 16) != 0:
        slot = (slot + 1) & (self.size - 1)
    return slot


cdef inline uint32_t first_of(Pairs self, Py_ssize_t row) noexcept nogil:
    return self.index.firsts[place(self.index, self.keys + 16 * row)] if self.marks[row] == HAS_KEY else <uint32_t> NONE


cdef inline bint is_alone(Pairs self, Py_ssize_t row) noexcept nogil:
    return self.is_left or self.marks[row] == NOT_A_URL


cdef inline int64_t pair_size(Pairs self, Py_ssize_t row, uint32_t match) noexcept nogil:
    cdef int64_t size = PAIR + self.sizes[row]
    if match != NONE:
        size += self.store.offsets[match] - self.store.offsets[match - 1]
    return size
