"""A set of keys of 128 bits in bounded memory: what does not fit is on disk."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memcpy, memset

from os import urandom

from weburl.cli.keys.temporary import open_temporary, read_exactly, write_all

cdef extern from "bits.h":
    uint64_t folded_product(uint64_t a, uint64_t b) nogil

cdef enum:
    FIRST = 1 << 12             # slots of a new table
    PAGE = 256                  # keys that are read from a disk at a time
    WORDS = 8                   # of a block of a filter: a line of the cache
    MOST_BITS = 6               # of a key in its block
    KEYS = 48                   # of a block, about: 10.7 bits for each
    FANOUT = 4                  # runs of one level become one of the next
    LEVELS = 32
    MERGED = 1 << 12            # keys of each run that are in memory while runs are merged
    WRITTEN = 1 << 20           # bytes at a time


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


# `blocks` is 0 where there was no memory for a filter: then all keys pass.
ctypedef struct Filter:
    uint64_t* words
    Py_ssize_t blocks
    int bits                    # of a key


cdef class Run:
    """Sorted keys in a file. In memory are the first keys of pages, and a filter that knows most keys that are not there."""

    cdef object file
    cdef int level
    cdef Py_ssize_t count, pages
    cdef Key* firsts            # of each page whose number is a multiple of `stride`
    cdef Py_ssize_t stride
    cdef Filter filter
    cdef Py_ssize_t written     # keys

    def __dealloc__(self):
        free(self.firsts)
        free(self.filter.words)


# Which block of the filter a key has bits in. Their numbers have nine bits each.
cdef inline uint64_t* block_of(const Filter* self, Key key) noexcept nogil:
    return self.words + WORDS * (key.high % <uint64_t> self.blocks)


cdef bint passes(const Filter* self, Key key) noexcept nogil:
    cdef const uint64_t* block
    cdef int i
    cdef uint64_t bit
    if self.blocks == 0:
        return True
    block = block_of(self, key)
    for i in range(self.bits):
        bit = key.low >> 9 * i & 511
        if not block[bit >> 6] >> (bit & 63) & 1:
            return False
    return True


cdef void note(const Filter* self, Key key) noexcept nogil:
    cdef uint64_t* block
    cdef int i
    cdef uint64_t bit
    if self.blocks == 0:
        return
    block = block_of(self, key)
    for i in range(self.bits):
        bit = key.low >> 9 * i & 511
        block[bit >> 6] |= <uint64_t> 1 << (bit & 63)


cdef class KeySet:
    """KeySet(memory, lists=16777216)

    A set that takes about `memory` bytes. Half of them, but at least `lists`, may say where the keys on disk are.

    A table that is full becomes a sorted run on disk, and FANOUT runs of one level become one of the next, so that a key is
    looked for in at most a few runs for each level. Filters say that a key is not in a run; where keys are so many that
    there is little memory for each, filters have fewer bits, and pages more keys: more is read from the disk then.
    """

    cdef Key* slots
    cdef Py_ssize_t capacity, most, count
    cdef Py_ssize_t lists       # bytes for the filters and the first keys of all runs
    cdef bint has_zero
    cdef list runs              # from the largest on
    cdef Filter[FANOUT * LEVELS] filters    # those of the runs
    cdef int n_filters

    def __cinit__(self, Py_ssize_t memory, Py_ssize_t lists=1 << 24):
        self.capacity = FIRST
        # While it grows, a table takes its memory and that of the one before.
        self.most = FIRST
        while self.most <= memory // (3 * <Py_ssize_t> sizeof(Key)):
            self.most *= 2
        self.lists = max(memory // 2, lists)
        self.slots = <Key*> calloc(self.capacity, sizeof(Key))
        self.runs = []
        if self.slots == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.slots)

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

    @property
    def list_memory(self):
        """The bytes of memory that say where the keys on disk are."""
        return used_lists(self)

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


# Writes all keys to a new file, and begins again with a table without any. Then merges what is enough.
cdef int spill(KeySet self) except -1:
    cdef Py_ssize_t slot, i = 0
    cdef Run run
    with nogil:
        for slot in range(self.capacity):
            if not is_free(&self.slots[slot]):
                self.slots[i] = self.slots[slot]
                i += 1
        qsort(self.slots, self.count, sizeof(Key), compare)
    run = open_run(self, 0, self.count)
    try:
        append(run, self.slots, run.count)
    except BaseException:
        run.file.close()
        raise
    self.runs.append(run)
    memset(self.slots, 0, self.capacity * sizeof(Key))
    self.count = 0
    while merge_last(self):
        pass
    self.n_filters = <int> len(self.runs)
    for i in range(self.n_filters):
        run = self.runs[i]
        self.filters[i] = run.filter
    return 0


cdef Py_ssize_t used_lists(KeySet self) except -1:
    cdef Run run
    cdef Py_ssize_t used = 0
    for run in self.runs:
        used += WORDS * sizeof(uint64_t) * run.filter.blocks + sizeof(Key) * ((run.pages - 1) // run.stride + 1)
    return used


# A run for so many keys, which append() puts into it. Its filter and the list of its pages take at most half of the memory
# that others leave, so that there is always some.
cdef Run open_run(KeySet self, int level, Py_ssize_t count):
    cdef Run run = Run.__new__(Run)
    cdef Py_ssize_t left = max((self.lists - used_lists(self)) // 2, 0), wanted
    run.level = level
    run.count = count
    run.pages = (count + PAGE - 1) // PAGE
    run.stride = 1
    while run.pages // run.stride * <Py_ssize_t> sizeof(Key) > left // 4:
        run.stride *= 2
    wanted = count // KEYS + 1
    run.filter.blocks = min(wanted, left // 4 * 3 // <Py_ssize_t> (WORDS * sizeof(uint64_t)))
    # The best number of bits is the one that leaves half of them set. A filter with less than half a bit for each key is of no use.
    run.filter.bits = <int> max(1, MOST_BITS * run.filter.blocks // wanted)
    if 20 * run.filter.blocks < wanted:
        run.filter.blocks = 0
    run.firsts = <Key*> malloc(((run.pages - 1) // run.stride + 1) * sizeof(Key))
    if run.filter.blocks:
        run.filter.words = <uint64_t*> calloc(run.filter.blocks * WORDS, sizeof(uint64_t))
    if run.firsts == NULL or (run.filter.words == NULL and run.filter.blocks):
        raise MemoryError
    run.file = open_temporary("keys")
    return run


# The next keys of a run, in their order.
cdef int append(Run run, const Key* keys, Py_ssize_t count) except -1:
    cdef const uint8_t* p = <const uint8_t*> keys
    cdef Py_ssize_t i, page, done = 0, size
    with nogil:
        for i in range(count):
            note(&run.filter, keys[i])
            page = (run.written + i) // PAGE
            if (run.written + i) % PAGE == 0 and page % run.stride == 0:
                run.firsts[page // run.stride] = keys[i]
    while done < <Py_ssize_t> (count * sizeof(Key)):
        size = min(<Py_ssize_t> (count * sizeof(Key)) - done, <Py_ssize_t> WRITTEN)
        write_all(run.file, p[done:done + size], "keys")
        done += size
    run.written += count
    return 0


# Whether the last FANOUT runs were of one level: they are one run of the next level then. No key is in two of them.
cdef bint merge_last(KeySet self) except -1:
    cdef Run run, last
    cdef list merged
    cdef Py_ssize_t count = 0
    if len(self.runs) < FANOUT:
        return False
    merged = self.runs[-FANOUT:]
    last = merged[FANOUT - 1]
    for run in merged:
        if run.level != last.level:
            return False
        count += run.count
    # While they are merged, nobody asks their filters.
    self.n_filters = 0
    for run in merged:
        free(run.filter.words)
        free(run.firsts)
        run.filter.words = NULL
        run.firsts = NULL
        run.filter.blocks = 0
        run.pages = 1
    last = open_run(self, min(last.level + 1, <int> LEVELS - 1), count)
    try:
        merge_into(last, merged)
    except BaseException:
        last.file.close()
        raise
    del self.runs[-FANOUT:]
    self.runs.append(last)
    for run in merged:
        run.file.close()
    return True


cdef int merge_into(Run out, list runs) except -1:
    cdef Py_ssize_t[FANOUT] counts, done, at, ends
    cdef const Key* keys[FANOUT]
    cdef bytearray block = bytearray(MERGED * sizeof(Key))
    cdef Key* to = <Key*> <char*> block
    cdef Py_ssize_t n = 0
    cdef list parts = [b""] * FANOUT
    cdef int i, least
    for i in range(FANOUT):
        counts[i] = (<Run> runs[i]).count
        done[i] = at[i] = ends[i] = 0
    with nogil:
        while True:
            least = -1
            for i in range(FANOUT):
                if at[i] == ends[i]:
                    if done[i] == counts[i]:
                        continue
                    with gil:
                        ends[i] = min(counts[i] - done[i], <Py_ssize_t> MERGED)
                        parts[i] = keys_from(runs[i], done[i], ends[i])
                        keys[i] = <const Key*> <const char*> <bytes> parts[i]
                    done[i] += ends[i]
                    at[i] = 0
                if least < 0 or compare(&keys[i][at[i]], &keys[least][at[least]]) < 0:
                    least = i
            if least < 0 or n == MERGED:
                with gil:
                    append(out, to, n)
                n = 0
                if least < 0:
                    return 0
            to[n] = keys[least][at[least]]
            n += 1
            at[least] += 1


cdef bytes keys_from(Run run, Py_ssize_t number, Py_ssize_t count):
    return read_exactly(run.file, number * sizeof(Key), count * sizeof(Key), "keys")


# Reads the page on which the key would be, and pages whose first keys tell which one that is.
cdef bint has(Run run, Key key) except -1:
    cdef Py_ssize_t low = 0, high = (run.pages - 1) // run.stride + 1, middle, i, count = 0
    cdef bytes page
    cdef const Key* keys = NULL
    while low < high:
        middle = (low + high) // 2
        if compare(&run.firsts[middle], &key) <= 0:
            low = middle + 1
        else:
            high = middle
    if low == 0:
        return False
    # It is on one of the pages from low to high, without the last one.
    high = min(low * run.stride, run.pages)
    low = (low - 1) * run.stride
    while True:
        middle = (low + high) // 2
        count = min(PAGE, run.count - middle * PAGE)
        page = keys_from(run, middle * PAGE, count)
        keys = <const Key*> <const char*> page
        if compare(&keys[0], &key) > 0:
            high = middle
            if low == high:
                return False
        elif compare(&keys[count - 1], &key) < 0:
            low = middle + 1
            if low == high:
                return False
        else:
            break
    for i in range(count):
        if keys[i].high == key.high and keys[i].low == key.low:
            return True
    return False
