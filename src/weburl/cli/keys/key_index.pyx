"""Which rows have a key of 128 bits."""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

from weburl.cli.keys.key_set cimport hash_key

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef enum:
    NOT_A_URL = 0
    HAS_KEY = 1
    NONE = -1


cdef class KeyIndex:
    """KeyIndex(keys, marks): the rows of a file, by their keys: 16 bytes for each row, and 1 in `marks` where it has one."""

    cdef bytes keys
    cdef Py_ssize_t capacity
    cdef int64_t* firsts        # of the table: the first row with a key
    cdef int64_t* lasts
    cdef int64_t* nexts         # of the rows: the next one with the same key

    def __cinit__(self, bytes keys not None, bytes marks not None):
        cdef const uint8_t* p = <const uint8_t*> <const char*> keys
        cdef const uint8_t* marked = <const uint8_t*> <const char*> marks
        cdef Py_ssize_t count = len(marks), row, slot
        if len(keys) // 16 != count or len(keys) % 16:
            raise ValueError("a key has 16 bytes")
        self.keys = keys
        self.capacity = 2
        while self.capacity < 2 * count:
            self.capacity *= 2
        self.firsts = <int64_t*> malloc(self.capacity * sizeof(int64_t))
        self.lasts = <int64_t*> malloc(self.capacity * sizeof(int64_t))
        self.nexts = <int64_t*> malloc((count + 1) * sizeof(int64_t))
        if self.firsts == NULL or self.lasts == NULL or self.nexts == NULL:
            raise MemoryError
        with nogil:
            for slot in range(self.capacity):
                self.firsts[slot] = NONE
            for row in range(count):
                self.nexts[row] = NONE
                if marked[row] == HAS_KEY:
                    slot = place(self, p, p + 16 * row)
                    if self.firsts[slot] == NONE:
                        self.firsts[slot] = row
                    else:
                        self.nexts[self.lasts[slot]] = row
                    self.lasts[slot] = row

    def __dealloc__(self):
        free(self.firsts)
        free(self.lasts)
        free(self.nexts)

    def pairs(self, bytes keys not None, bytes marks not None, bint is_left, Py_ssize_t most):
        """The numbers of rows of another file and of rows with their keys, of 64 bits each; None if they are more than `most`.

        Rows that are not URLs, with 0 in `marks`, have -1 beside them; so have, if `is_left`, those whose key is not there.
        """
        cdef const uint8_t* p = <const uint8_t*> <const char*> self.keys
        cdef const uint8_t* other = <const uint8_t*> <const char*> keys
        cdef const uint8_t* marked = <const uint8_t*> <const char*> marks
        cdef Py_ssize_t count = len(marks), row, found = 0
        cdef bytearray lefts, rights
        cdef int64_t* left
        cdef int64_t* right
        cdef int64_t match
        if len(keys) // 16 != count or len(keys) % 16:
            raise ValueError("a key has 16 bytes")
        # Counted first.
        with nogil:
            for row in range(count):
                match = first_of(self, p, other + 16 * row, marked[row])
                if match == NONE:
                    found += marked[row] == NOT_A_URL or is_left
                while match != NONE and found <= most:
                    found += 1
                    match = self.nexts[match]
        if found > most:
            return None
        lefts, rights = bytearray(found * sizeof(int64_t)), bytearray(found * sizeof(int64_t))
        left, right = <int64_t*> <char*> lefts, <int64_t*> <char*> rights
        with nogil:
            found = 0
            for row in range(count):
                match = first_of(self, p, other + 16 * row, marked[row])
                if match == NONE and (marked[row] == NOT_A_URL or is_left):
                    left[found], right[found] = row, NONE
                    found += 1
                while match != NONE:
                    left[found], right[found] = row, match
                    found += 1
                    match = self.nexts[match]
        return bytes(lefts), bytes(rights)


# Where a key is in the table, or would be.
cdef Py_ssize_t place(KeyIndex self, const uint8_t* keys, const uint8_t* key) noexcept nogil:
    cdef uint64_t[2] halves
    cdef Py_ssize_t slot
    memcpy(halves, key, sizeof(halves))
    slot = <Py_ssize_t> (hash_key(halves[0], halves[1]) & <uint64_t> (self.capacity - 1))
    while self.firsts[slot] != NONE and memcmp(keys + 16 * self.firsts[slot], key, 16) != 0:
        slot = (slot + 1) & (self.capacity - 1)
    return slot


cdef inline int64_t first_of(KeyIndex self, const uint8_t* keys, const uint8_t* key, uint8_t mark) noexcept nogil:
    return self.firsts[place(self, keys, key)] if mark == HAS_KEY else NONE
