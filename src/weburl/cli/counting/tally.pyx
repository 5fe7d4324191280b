"""Counts of texts, in bounded memory."""

from libc.math cimport ldexp, log
from libc.stdint cimport UINT32_MAX, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memmove, memset

from os import urandom

cdef extern from "bits.h":
    unsigned highest_bit(uint64_t mask) nogil
    uint64_t folded_product(uint64_t a, uint64_t b) nogil
    void prefetch(const void* address) noexcept nogil

cdef enum:
    FEWEST = 256                # slots
    AHEAD = 16                  # entries
    REGISTERS = 1 << <int> REGISTER_BITS

# Nobody knows them, so that nobody can choose texts that collide.
cdef uint64_t[3] seeds
for _index in range(3):
    seeds[_index] = <uint64_t> int.from_bytes(urandom(8), "little")


cdef inline uint64_t load(const uint8_t* p) noexcept nogil:
    cdef uint64_t word
    memcpy(&word, p, 8)
    return word


cdef inline uint64_t hash_text(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint64_t hash = seeds[1], first = 0, last = 0, length = <uint64_t> n
    cdef uint32_t begin, end
    while n > 16:
        hash = folded_product(load(p) ^ seeds[0], load(p + 8) ^ hash)
        p += 16
        n -= 16
    # The two halves of what is left may overlap.
    if n >= 8:
        first = load(p)
        last = load(p + n - 8)
    elif n >= 4:
        memcpy(&begin, p, 4)
        memcpy(&end, p + n - 4, 4)
        first = begin
        last = end
    elif n > 0:
        first = p[0] | <uint64_t> p[n >> 1] << 8 | <uint64_t> p[n - 1] << 16
    return folded_product(folded_product(first ^ seeds[0], last ^ hash) ^ length, seeds[2])


cdef void open_tally(Tally* self, Py_ssize_t most_texts, Py_ssize_t most_bytes) noexcept nogil:
    memset(self, 0, sizeof(Tally))
    self.most_texts = most_texts
    self.most_bytes = most_bytes


cdef void close_tally(Tally* self) noexcept nogil:
    free(self.entries)
    free(self.slots)
    free(self.pool)
    free(self.registers)


cdef void clear_tally(Tally* self) noexcept nogil:
    if self.n:
        memset(self.slots, 0, (self.mask + 1) * sizeof(uint32_t))
    self.n = self.pool_length = 0
    self.total = self.missed = 0
    free(self.registers)
    self.registers = NULL


# Puts the entries into slots, which are empty.
cdef void fill_slots(Tally* self) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint64_t place
    for i in range(self.n):
        if i + AHEAD < self.n:
            prefetch(self.slots + (self.entries[i + AHEAD].hash & self.mask))
        place = self.entries[i].hash & self.mask
        while self.slots[place]:
            place = (place + 1) & self.mask
        self.slots[place] = <uint32_t> (i + 1)


# Room for so many more texts, and at least so many slots, a power of two. Afterwards there is a pool, even if all texts
# are empty.
cdef inline bint reserve(Tally* self, Py_ssize_t texts, Py_ssize_t bytes, Py_ssize_t slots) noexcept nogil:
    texts += self.n
    bytes += self.pool_length
    return (
        texts <= self.capacity and bytes <= self.pool_capacity and self.slots != NULL
        and <uint64_t> slots <= self.mask + 1
    ) or grow(self, texts, bytes, slots)


cdef bint grow(Tally* self, Py_ssize_t texts, Py_ssize_t bytes, Py_ssize_t slots) noexcept nogil:
    cdef Py_ssize_t size
    cdef void* grown
    if texts > self.capacity:
        size = max(texts, 2 * self.capacity, FEWEST)
        grown = realloc(self.entries, size * sizeof(Entry))
        if grown == NULL:
            return False
        self.entries = <Entry*> grown
        self.capacity = size
    if self.pool == NULL or bytes > self.pool_capacity:
        size = max(bytes, 2 * self.pool_capacity, 16 * FEWEST)
        grown = realloc(self.pool, size)
        if grown == NULL:
            return False
        self.pool = <uint8_t*> grown
        self.pool_capacity = size
    if self.slots == NULL or <uint64_t> slots > self.mask + 1:
        grown = calloc(slots, sizeof(uint32_t))
        if grown == NULL:
            return False
        free(self.slots)
        self.slots = <uint32_t*> grown
        self.mask = slots - 1
        fill_slots(self)
    return True


# Adds an entry, for which there is room.
cdef inline void add_entry(
    Tally* self, uint64_t place, uint64_t hash, const uint8_t* p, uint32_t n, int64_t count
) noexcept nogil:
    cdef Entry* entry = self.entries + self.n
    entry.hash = hash
    entry.count = count
    entry.missed = self.missed
    entry.length = n
    entry.offset = <uint32_t> self.pool_length
    memcpy(self.pool + self.pool_length, p, kept_length(entry))
    self.pool_length += kept_length(entry)
    self.n += 1
    self.slots[place] = <uint32_t> self.n


cdef Outcome count_text(Tally* self, const uint8_t* p, Py_ssize_t length, int64_t times) noexcept nogil:
    cdef uint32_t n = <uint32_t> min(<int64_t> length, <int64_t> UINT32_MAX)
    cdef uint64_t hash = hash_text(p, length)
    cdef uint64_t place = hash & (RECENT - 1)
    cdef Entry* entry
    if self.n and self.slots[place]:
        entry = self.entries + (self.slots[place] - 1)
        if entry.hash == hash and entry.length == n:
            entry.count += times
            self.total += times
            return COUNTED
    if self.n == self.most_texts or self.pool_length + LONGEST > self.most_bytes:
        return FULL
    if not reserve(self, 1, LONGEST, RECENT):
        return OUT_OF_MEMORY
    add_entry(self, place, hash, p, n, times)
    self.total += times
    return COUNTED


cdef Outcome add_tally(Tally* self, const Tally* other) noexcept nogil:
    cdef Py_ssize_t i = 0, size = FEWEST
    while size < 2 * (self.n + other.n):
        size *= 2
    if not reserve(self, other.n, other.pool_length, size):
        return OUT_OF_MEMORY
    while i < other.n:
        add_entries(self, other, i, min(i + AHEAD, other.n))
        i += AHEAD
    self.total += other.total
    return COUNTED


# Each loop asks memory for what the next one reads.
cdef void add_entries(Tally* self, const Tally* other, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const Entry* entry
    cdef uint32_t number
    cdef Py_ssize_t i
    for i in range(begin, end):
        prefetch(self.slots + (other.entries[i].hash & self.mask))
    for i in range(begin, end):
        number = self.slots[other.entries[i].hash & self.mask]
        if number:
            prefetch(self.entries + (number - 1))
    for i in range(begin, end):
        entry = other.entries + i
        if self.registers != NULL:
            put_register(self.registers, entry.hash)
        join_entry(self, entry, other.pool + entry.offset)


cdef inline void join_entry(Tally* self, const Entry* other, const uint8_t* p) noexcept nogil:
    cdef uint64_t place = other.hash & self.mask
    cdef Entry* entry
    while self.slots[place]:
        entry = self.entries + (self.slots[place] - 1)
        if entry.hash == other.hash and entry.length == other.length:
            entry.count += other.count
            return
        place = (place + 1) & self.mask
    add_entry(self, place, other.hash, p, other.length, other.count)


cdef inline void put_register(uint8_t* registers, uint64_t hash) noexcept nogil:
    cdef uint64_t rest = hash << REGISTER_BITS
    cdef uint8_t rank = <uint8_t> (64 - <int> highest_bit(rest) if rest else 65 - <int> REGISTER_BITS)
    cdef uint8_t* register = registers + (hash >> (64 - <int> REGISTER_BITS))
    if rank > register[0]:
        register[0] = rank


cdef Outcome forget_half(Tally* self) noexcept nogil:
    cdef int64_t* bounds
    cdef const Entry* entry
    cdef Py_ssize_t i, n = 0, length = 0
    if self.n == 0:
        return COUNTED
    if self.registers == NULL:
        self.registers = <uint8_t*> calloc(REGISTERS, 1)
        if self.registers == NULL:
            return OUT_OF_MEMORY
        for i in range(self.n):
            put_register(self.registers, self.entries[i].hash)
    bounds = <int64_t*> malloc(self.n * sizeof(int64_t))
    if bounds == NULL:
        return OUT_OF_MEMORY
    for i in range(self.n):
        bounds[i] = self.entries[i].count + self.entries[i].missed
    self.missed = select(bounds, self.n, (self.n - 1) // 2)
    free(bounds)
    for i in range(self.n):
        entry = self.entries + i
        if entry.count + entry.missed > self.missed:
            memmove(self.pool + length, self.pool + entry.offset, kept_length(entry))
            self.entries[n] = entry[0]
            self.entries[n].offset = <uint32_t> length
            length += kept_length(entry)
            n += 1
    self.n = n
    self.pool_length = length
    shrink(self)
    memset(self.slots, 0, (self.mask + 1) * sizeof(uint32_t))
    fill_slots(self)
    return COUNTED


# Gives back what is not needed now: other tallies may need it.
cdef void shrink(Tally* self) noexcept nogil:
    cdef Py_ssize_t texts = max(self.n, FEWEST), bytes = max(self.pool_length, FEWEST)
    cdef void* shrunk = realloc(self.entries, texts * sizeof(Entry)) if texts < self.capacity else NULL
    if shrunk != NULL:
        self.entries = <Entry*> shrunk
        self.capacity = texts
    shrunk = realloc(self.pool, bytes) if bytes < self.pool_capacity else NULL
    if shrunk != NULL:
        self.pool = <uint8_t*> shrunk
        self.pool_capacity = bytes


# The k-th of the numbers, from the smallest; it changes their order. A pivot is chosen at random, so that no order of them
# is slow.
cdef int64_t select(int64_t* numbers, Py_ssize_t n, Py_ssize_t k) noexcept nogil:
    cdef Py_ssize_t begin = 0, end = n - 1, i, j
    cdef uint64_t state = seeds[2]
    cdef int64_t pivot, number
    while begin < end:
        state = state * <uint64_t> 6364136223846793005ULL + 1442695040888963407ULL
        pivot = numbers[begin + <Py_ssize_t> ((state >> 33) % <uint64_t> (end - begin + 1))]
        i = begin
        j = end
        while i <= j:
            while numbers[i] < pivot:
                i += 1
            while numbers[j] > pivot:
                j -= 1
            if i <= j:
                number = numbers[i]
                numbers[i] = numbers[j]
                numbers[j] = number
                i += 1
                j -= 1
        if k <= j:
            end = j
        elif k >= i:
            begin = i
        else:
            break
    return numbers[k]


cdef double estimate_different(const Tally* self) noexcept nogil:
    cdef double estimate, inverse = 0.0, m = REGISTERS
    cdef Py_ssize_t i, zeros = 0
    if self.registers == NULL:
        return <double> self.n
    for i in range(REGISTERS):
        inverse += ldexp(1.0, -<int> self.registers[i])
        zeros += self.registers[i] == 0
    estimate = 0.7213 / (1 + 1.079 / m) * m * m / inverse
    if zeros and estimate <= 2.5 * m:
        estimate = m * log(m / <double> zeros)
    return estimate


cdef int64_t nth_count(const Tally* self, Py_ssize_t number) except -1:
    cdef int64_t* counts
    cdef int64_t found
    cdef Py_ssize_t i
    if number > self.n:
        return 0
    counts = <int64_t*> malloc(self.n * sizeof(int64_t))
    if counts == NULL:
        raise MemoryError
    for i in range(self.n):
        counts[i] = self.entries[i].count
    found = select(counts, self.n, self.n - number)
    free(counts)
    return found
