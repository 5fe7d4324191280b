"""Keys of rows, of 128 bits: an index of rows by their keys, and a set of keys in bounded memory."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memcmp, memcpy, memset

from weburl._arrow.arrow cimport has_bit
from weburl._arrow.batch cimport DIGESTS, STRINGS, Batch, ColumnBuffers, validity_of
from weburl._core.hash cimport HashKey, draw_key, hash_pair
from weburl._crawl.policy cimport blake2b
from weburl.cli.readers.rows.text_column cimport RowStore

from weburl.cli._temporary import open_temporary, read_exactly, write_all

# The keys of rows: 16 bytes for each, without the GIL.

def digests_of(Batch batch not None):
    """The keys of the rows of a batch, and a byte for each row: 1 if it has a key, 2 if it has not, 0 if it is not a URL.

    The key is the first column: a fingerprint of 128 bits, or the digest of a text. Where that is null or empty, it is the
    second column.
    """
    cdef Py_ssize_t count = batch.length, row
    cdef bytes keys = PyBytes_FromStringAndSize(NULL, 16 * count)
    cdef bytes marks = PyBytes_FromStringAndSize(NULL, count)
    cdef uint8_t* to = <uint8_t*> <char*> keys
    cdef uint8_t* marked = <uint8_t*> <char*> marks
    cdef const ColumnBuffers* first = &batch.columns[0]
    cdef int others = batch.n_columns - 1
    if first.type == DIGESTS:
        with nogil:
            memcpy(to, first.slots, 16 * count)
            for row in range(count):
                marked[row] = has_bit(batch.validity, row)
        return keys, marks
    if first.type != STRINGS or others and batch.columns[1].type != STRINGS:
        raise ValueError("a key is a fingerprint of 128 bits or a text")
    with nogil:
        memset(to, 0, 16 * count)
        for row in range(count):
            if not has_bit(batch.validity, row):
                marked[row] = 0
            elif put_digest(to + 16 * row, batch, first, row):
                marked[row] = 1
            elif others > 0 and put_digest(to + 16 * row, batch, &batch.columns[1], row):
                marked[row] = 1
            else:
                marked[row] = 2
    return keys, marks


cdef bint put_digest(uint8_t* to, Batch batch, const ColumnBuffers* column, Py_ssize_t row) noexcept nogil:
    cdef const int64_t* bounds = <const int64_t*> column.slots + row
    cdef uint64_t[8] digest
    if not has_bit(validity_of(batch, column), row) or bounds[1] == bounds[0]:
        return False
    blake2b(digest, column.data + bounds[0], bounds[1] - bounds[0])
    memcpy(to, digest, 16)
    return True


# Which rows have a key of 128 bits, and the pairs of rows that have one key.

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
                    slot = place_in_index(self, self.keys + 16 * row)
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
        cdef Py_ssize_t row = self.row, pairs, begin = self.row
        cdef uint32_t match = self.match
        cdef int64_t size = 0
        cdef bytearray lefts, rights
        cdef int64_t* left = NULL
        cdef int64_t* right = NULL
        # They are counted first.
        with nogil:
            pairs = walk(self, &row, &match, most, NULL, NULL)
        lefts, rights = bytearray(pairs * sizeof(int64_t)), bytearray(pairs * sizeof(int64_t))
        left, right = <int64_t*> <char*> lefts, <int64_t*> <char*> rights
        with nogil:
            walk(self, &self.row, &self.match, most, left, right)
        return bytes(lefts), bytes(rights)


# Goes on from a row and a match of it, which it changes, and says how many pairs it has passed.
cdef Py_ssize_t walk(
    Pairs self, Py_ssize_t* at, uint32_t* at_match, int64_t most, int64_t* left, int64_t* right
) noexcept nogil:
    cdef Py_ssize_t pairs = 0, row = at[0]
    cdef uint32_t match = at_match[0]
    cdef int64_t size = 0
    while row < self.count:
        if match == NONE:
            match = first_of(self, row)
        if match == NONE and not is_alone(self, row):
            row += 1
            continue
        size += pair_size(self, row, match)
        if size > most and pairs:
            break
        if left != NULL:
            left[pairs], right[pairs] = row, <int64_t> match - 1
        pairs += 1
        if match != NONE:
            match = self.index.nexts[match - 1]
        row += match == NONE
    at[0] = row
    at_match[0] = match
    return pairs


# Where a key is in the table, or would be.
cdef Py_ssize_t place_in_index(KeyIndex self, const uint8_t* key) noexcept nogil:
    cdef uint64_t[2] halves
    cdef Py_ssize_t slot
    memcpy(halves, key, sizeof(halves))
    slot = <Py_ssize_t> (hash_pair(&hash_key, halves[0], halves[1]) & <uint64_t> (self.size - 1))
    while self.firsts[slot] != NONE and memcmp(self.keys + 16 * (<Py_ssize_t> self.firsts[slot] - 1), key, 16) != 0:
        slot = (slot + 1) & (self.size - 1)
    return slot


cdef inline uint32_t first_of(Pairs self, Py_ssize_t row) noexcept nogil:
    return self.index.firsts[place_in_index(self.index, self.keys + 16 * row)] if self.marks[row] == HAS_KEY else <uint32_t> NONE


cdef inline bint is_alone(Pairs self, Py_ssize_t row) noexcept nogil:
    return self.is_left or self.marks[row] == NOT_A_URL


cdef inline int64_t pair_size(Pairs self, Py_ssize_t row, uint32_t match) noexcept nogil:
    cdef int64_t size = PAIR + self.sizes[row]
    if match != NONE:
        size += self.store.offsets[match] - self.store.offsets[match - 1]
    return size


# Sets of keys in bounded memory: what does not fit is on disk.

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


cdef HashKey hash_key
draw_key(&hash_key)


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
    cdef Py_ssize_t slot = <Py_ssize_t> (hash_pair(&hash_key, key.high, key.low) & <uint64_t> (capacity - 1))
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
    last = open_run(self, <int> min(last.level + 1, LEVELS - 1), count)
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
