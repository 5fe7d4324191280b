"""A set of keys of 128 bits in bounded memory: what does not fit is on disk."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcpy, memset

import tempfile
from os import urandom

from weburl.cli._exit import InputError

cdef extern from "bits.h":
    uint64_t folded_product(uint64_t a, uint64_t b) nogil

cdef enum:
    FIRST = 1 << 12             # slots of a new table
    PAGE = 256                  # keys that are read from a disk at a time
    WORDS = 8                   # of a block of a filter: a line of the cache
    BITS = 6                    # of a key in its block
    KEYS = 48                   # of a block, about: 10.7 bits for each


# Nobody knows them, so that nobody can choose URLs whose keys have one place.
cdef uint64_t[2] secrets
for _index in range(2):
    secrets[_index] = <uint64_t> int.from_bytes(urandom(8), "little")


cdef uint64_t hash_key(uint64_t high, uint64_t low) noexcept nogil:
    return folded_product(high ^ secrets[0], low ^ secrets[1])


# The digits of a key are as good as random.
ctypedef struct Key:
    uint64_t high
    uint64_t low


cdef int compare(const void* a, const void* b) noexcept nogil:
    cdef const Key* one = <const Key*> a
    cdef const Key* other = <const Key*> b
    if one.high != other.high:
        return 1 if one.high > other.high else -1
    return (one.low > other.low) - (one.low < other.low)


ctypedef struct Filter:
    uint64_t* words
    Py_ssize_t blocks


cdef class Run:
    """Sorted keys in a file. In memory are the first key of each page, and a filter that knows most keys that are not there."""

    cdef object file
    cdef Py_ssize_t count, pages
    cdef Key* firsts
    cdef Filter filter

    def __dealloc__(self):
        free(self.firsts)
        free(self.filter.words)


# Which block of the filter a key has bits in: six, whose numbers have nine bits each.
cdef inline uint64_t* block_of(const Filter* self, Key key) noexcept nogil:
    return self.words + WORDS * (key.high % <uint64_t> self.blocks)


cdef bint passes(const Filter* self, Key key) noexcept nogil:
    cdef const uint64_t* block = block_of(self, key)
    cdef int i
    cdef uint64_t bit
    for i in range(BITS):
        bit = key.low >> 9 * i & 511
        if not block[bit >> 6] >> (bit & 63) & 1:
            return False
    return True


cdef void note(const Filter* self, Key key) noexcept nogil:
    cdef uint64_t* block = block_of(self, key)
    cdef int i
    cdef uint64_t bit
    for i in range(BITS):
        bit = key.low >> 9 * i & 511
        block[bit >> 6] |= <uint64_t> 1 << (bit & 63)


cdef class KeySet:
    """KeySet(memory): a set that takes about so many bytes, besides two for each key that is on disk."""

    cdef Key* slots
    cdef Py_ssize_t capacity, most, count
    cdef bint has_zero
    cdef list runs
    cdef Filter* filters        # those of the runs
    cdef int n_filters

    def __cinit__(self, Py_ssize_t memory):
        self.capacity = FIRST
        # While it grows, a table takes its memory and that of the one before.
        self.most = FIRST
        while self.most <= memory // (3 * <Py_ssize_t> sizeof(Key)):
            self.most *= 2
        self.slots = <Key*> calloc(self.capacity, sizeof(Key))
        self.runs = []
        if self.slots == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.slots)
        free(self.filters)

    def __len__(self):
        cdef Run run
        return self.count + self.has_zero + sum([run.count for run in self.runs])

    def close(self):
        """Removes what is on disk. The set has nothing then."""
        cdef Run run
        for run in self.runs:
            run.file.close()
        self.runs.clear()
        self.n_filters = 0
        self.count = self.has_zero = 0
        memset(self.slots, 0, self.capacity * sizeof(Key))

    @property
    def n_runs(self):
        """How many parts are on disk."""
        return len(self.runs)

    def add(self, bytes keys not None, bytes marks not None):
        """Adds keys of 16 bytes. A byte for each: 0 where it was there, 1 where it is new or not a key: not 1 in `marks`."""
        cdef const uint8_t* p = <const uint8_t*> <const char*> keys
        cdef const uint8_t* marked = <const uint8_t*> <const char*> marks
        cdef Py_ssize_t count = len(marks), row
        cdef bytes added = PyBytes_FromStringAndSize(NULL, count)
        cdef uint8_t* to = <uint8_t*> <char*> added
        cdef Py_ssize_t slot
        cdef Key key
        if len(keys) // 16 != count or len(keys) % 16:
            raise ValueError("a key has 16 bytes")
        row = 0
        with nogil:
            while row < count:
                to[row] = marked[row] != 1
                if marked[row] == 1:
                    memcpy(&key, p + 16 * row, 16)
                    if is_free(&key):
                        # It stands for a free slot.
                        to[row] = not self.has_zero
                        self.has_zero = True
                    else:
                        slot = place(self.slots, self.capacity, key)
                        if is_free(&self.slots[slot]) and not is_on_disk(self, key):
                            if 4 * self.count >= 3 * self.capacity:
                                with gil:
                                    make_room(self)
                                slot = place(self.slots, self.capacity, key)
                            self.slots[slot] = key
                            self.count += 1
                            to[row] = 1
                row += 1
        return added


cdef inline bint is_free(const Key* slot) noexcept nogil:
    return slot.high == 0 and slot.low == 0


# Where a key is, or would be.
cdef Py_ssize_t place(const Key* slots, Py_ssize_t capacity, Key key) noexcept nogil:
    cdef Py_ssize_t slot = <Py_ssize_t> (hash_key(key.high, key.low) & <uint64_t> (capacity - 1))
    while (slots[slot].low != key.low or slots[slot].high != key.high) and not is_free(&slots[slot]):
        slot = (slot + 1) & (capacity - 1)
    return slot


# The filters are asked without the GIL, which most rows of other threads wait for.
cdef bint is_on_disk(KeySet self, Key key) except -1 nogil:
    cdef int i
    for i in range(self.n_filters):
        if passes(&self.filters[i], key):
            with gil:
                if has(self.runs[i], key):
                    return True
    return False


cdef int make_room(KeySet self) except -1:
    if self.capacity < self.most:
        grow(self)
    else:
        spill(self)
    return 0


cdef int grow(KeySet self) except -1:
    cdef Py_ssize_t slot
    cdef Key* slots = <Key*> calloc(2 * self.capacity, sizeof(Key))
    if slots == NULL:
        raise MemoryError
    with nogil:
        for slot in range(self.capacity):
            if not is_free(&self.slots[slot]):
                slots[place(slots, 2 * self.capacity, self.slots[slot])] = self.slots[slot]
        free(self.slots)
        self.slots = slots
        self.capacity *= 2
    return 0


# Writes all keys to a new file, and begins again with a table without any.
cdef int spill(KeySet self) except -1:
    cdef Py_ssize_t slot, i, page
    cdef Filter* filters
    cdef Run run = Run.__new__(Run)
    run.count = self.count
    run.pages = (run.count + PAGE - 1) // PAGE
    run.filter.blocks = run.count // KEYS + 1
    run.firsts = <Key*> malloc(run.pages * sizeof(Key))
    run.filter.words = <uint64_t*> calloc(run.filter.blocks * WORDS, sizeof(uint64_t))
    filters = <Filter*> realloc(self.filters, (self.n_filters + 1) * sizeof(Filter))
    if filters != NULL:
        self.filters = filters
    if run.firsts == NULL or run.filter.words == NULL or filters == NULL:
        raise MemoryError
    with nogil:
        i = 0
        for slot in range(self.capacity):
            if not is_free(&self.slots[slot]):
                self.slots[i] = self.slots[slot]
                i += 1
        qsort(self.slots, run.count, sizeof(Key), compare)
        for i in range(run.count):
            note(&run.filter, self.slots[i])
        for page in range(run.pages):
            run.firsts[page] = self.slots[page * PAGE]
    try:
        run.file = tempfile.TemporaryFile(buffering=0)
        write(run.file, <const uint8_t*> self.slots, run.count * sizeof(Key))
    except OSError as error:
        raise_input_error(error)
    self.runs.append(run)
    self.filters[self.n_filters] = run.filter
    self.n_filters += 1
    memset(self.slots, 0, self.capacity * sizeof(Key))
    self.count = 0
    return 0


cdef int write(file, const uint8_t* p, Py_ssize_t size) except -1:
    cdef Py_ssize_t done = 0
    while done < size:
        done += file.write(p[done:min(done + (1 << 20), size)])
    return 0


def raise_input_error(error):
    why = str(error.strerror or error)
    raise InputError(f"a temporary file of keys: {why[:1].lower()}{why[1:]}") from None


# Reads the page on which the key would be.
cdef bint has(Run run, Key key) except -1:
    cdef Py_ssize_t low = 0, high = run.pages, middle, i, count
    cdef bytes page
    cdef const Key* keys
    while low < high:
        middle = (low + high) // 2
        if compare(&run.firsts[middle], &key) <= 0:
            low = middle + 1
        else:
            high = middle
    if low == 0:
        return False
    count = min(PAGE, run.count - (low - 1) * PAGE)
    try:
        run.file.seek((low - 1) * PAGE * sizeof(Key))
        page = run.file.read(count * sizeof(Key))
    except OSError as error:
        raise_input_error(error)
    if len(page) != <Py_ssize_t> (count * sizeof(Key)):
        raise InputError("a temporary file of keys: it is cut off")
    keys = <const Key*> <const char*> page
    for i in range(count):
        if keys[i].high == key.high and keys[i].low == key.low:
            return True
    return False
