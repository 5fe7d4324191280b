"""What is counted of URLs: their schemes, hosts, registrable domains, templates, parameters and lengths."""

from libc.math cimport ldexp, log, sqrt
from libc.stdint cimport UINT32_MAX, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memmove, memset

from weburl._arrow.arrow cimport has_bit
from weburl._arrow.batch cimport STRINGS, Batch, ColumnBuffers, bit_size, validity_of
from weburl._arrow.input cimport Input, RowReader, RowText, is_empty_row, open_reader, read_row
from weburl._core.buffer cimport Buffer, release, start
from weburl._core.hash cimport HashKey, draw_key, hash_bytes
from weburl._core.host cimport HOST_DOMAIN
from weburl._core.record cimport URLView, clear_record
from weburl._core.urlencoded cimport PLAIN, FieldDecoder, Pair, PairReader, decode_field, next_pair, open_pairs
from weburl._redact.redact cimport LogPolicy, path_policy_in_use
from weburl._redact.templates cimport push_template

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef extern from "bits.h":
    unsigned highest_bit(uint64_t mask) nogil
    void prefetch(const void* address) noexcept nogil

# Tallies: counts of texts, in bounded memory.

cdef enum:
    FEWEST = 256                # slots
    AHEAD = 16                  # entries
    REGISTERS = 1 << <int> REGISTER_BITS

cdef HashKey hash_key
draw_key(&hash_key)


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
    cdef uint64_t hash = hash_bytes(&hash_key, p, <size_t> length)
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
    cdef uint64_t state = hash_key.words[2]
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
    cdef int64_t count
    cdef Py_ssize_t i
    if number > self.n:
        return 0
    counts = <int64_t*> malloc(self.n * sizeof(int64_t))
    if counts == NULL:
        raise MemoryError
    for i in range(self.n):
        counts[i] = self.entries[i].count
    count = select(counts, self.n, self.n - number)
    free(counts)
    return count


# What is counted.

cdef enum:
    SHARE = 16                  # of the whole, for the counts of a piece
    MOST_BYTES = 0x7FFFFFFF     # of texts, whose offsets have 32 bits
    # Lengths below EXACT have a counter each; above it, STEPS of them are between two powers of two.
    EXACT_BITS = 12
    EXACT = 1 << 12
    STEP_BITS = 6
    STEPS = 1 << 6
    LENGTHS = EXACT + 29 * STEPS    # up to 2**41

cdef enum Kind:
    SCHEMES
    HOSTS
    SITES
    TEMPLATES
    PARAMETERS
    KINDS

# The columns of a batch that is counted; a registrable domain need not be among them.
FIELDS = ("href", "scheme", "hostname", "pathname", "query", "registrable_domain")
NAMES = ("schemes", "hosts", "registrable_domains", "templates", "parameters")
# Of an estimate, relative.
STANDARD_ERROR = 1.04 / sqrt(<double> (1 << <int> REGISTER_BITS))


cdef Py_ssize_t counter_of(Py_ssize_t length) noexcept nogil:
    cdef int high
    if length < EXACT:
        return length
    high = <int> highest_bit(<uint64_t> length)
    return min(
        EXACT + (high - EXACT_BITS) * STEPS + (length >> (high - STEP_BITS) & (STEPS - 1)), <Py_ssize_t> LENGTHS - 1
    )


# The least length of a counter.
cdef Py_ssize_t length_of(Py_ssize_t counter) noexcept nogil:
    cdef Py_ssize_t above = counter - EXACT
    if above < 0:
        return counter
    return (STEPS + above % STEPS) << (above // STEPS + EXACT_BITS - STEP_BITS)


# What `add` works with.
ctypedef struct Columns:
    const ColumnBuffers* href
    const ColumnBuffers* scheme
    const ColumnBuffers* hostname
    const ColumnBuffers* pathname
    const ColumnBuffers* query
    const ColumnBuffers* site   # or NULL
    const uint8_t* counted      # a bit for each row
    const uint8_t* has_query
    const uint8_t* has_site


cdef inline const int64_t* bounds_of(const ColumnBuffers* column, Py_ssize_t row) noexcept nogil:
    return <const int64_t*> column.slots + row


cdef class Counts:
    """Counts(texts=1048576, bytes=67108864)

    Counts of many batches. There is room for so many texts of all kinds together, and for so many bytes of them. When
    there are more, the kind with the most forgets its rarest half: see counts.pxd.
    """

    cdef Tally[<int> KINDS] tallies
    cdef int64_t* lengths
    cdef readonly Py_ssize_t texts, bytes
    cdef readonly int64_t urls          # that are counted
    cdef readonly int64_t blank         # rows that are blank, and failed
    cdef readonly int64_t characters    # of all URLs
    cdef readonly Py_ssize_t shortest, longest
    cdef LogPolicy policy
    cdef Buffer text                    # a template, or a decoded name
    cdef uint8_t[512] text_scratch
    cdef Buffer octets
    cdef uint8_t[512] octets_scratch

    def __cinit__(self, Py_ssize_t texts=1 << 20, Py_ssize_t bytes=1 << 26):
        cdef int kind
        self.texts = texts
        self.bytes = bytes
        for kind in range(<int> KINDS):
            open_tally(&self.tallies[kind], texts, bytes)
        start(&self.text, self.text_scratch, sizeof(self.text_scratch), PY_SSIZE_T_MAX)
        start(&self.octets, self.octets_scratch, sizeof(self.octets_scratch), PY_SSIZE_T_MAX)
        self.lengths = <int64_t*> calloc(LENGTHS, sizeof(int64_t))
        if self.lengths == NULL:
            raise MemoryError
        self.policy = path_policy_in_use("paths/1")

    def __dealloc__(self):
        cdef int kind
        for kind in range(<int> KINDS):
            close_tally(&self.tallies[kind])
        free(self.lengths)
        release(&self.text)
        release(&self.octets)

    @staticmethod
    def within(Py_ssize_t memory):
        """Counts that take about so many bytes of memory: by default there is room for a million texts."""
        # A text takes 64 bytes, beside its own: an entry, which moves while there are more, and a slot.
        return Counts(max(memory >> 7, 1), min(max(memory >> 1, <Py_ssize_t> LONGEST), <Py_ssize_t> MOST_BYTES))

    def share(self):
        """Counts for a piece, which are merged into these. There is less room."""
        return Counts(max(self.texts // SHARE, 1), max(self.bytes // SHARE, <Py_ssize_t> LONGEST))

    def clear(self):
        cdef int kind
        with nogil:
            for kind in range(<int> KINDS):
                clear_tally(&self.tallies[kind])
            memset(self.lengths, 0, LENGTHS * sizeof(int64_t))
        self.urls = self.blank = self.characters = 0
        self.shortest = self.longest = 0

    def merge(self, Counts piece not None):
        """Adds the counts of a piece."""
        cdef Outcome outcome = COUNTED
        cdef Py_ssize_t i
        cdef int kind
        with nogil:
            for kind in range(<int> KINDS):
                outcome = merge_kind(self, kind, &piece.tallies[kind])
                if outcome:
                    break
            for i in range(LENGTHS):
                self.lengths[i] += piece.lengths[i]
        if outcome:
            raise MemoryError
        if piece.urls:
            self.shortest = min(self.shortest, piece.shortest) if self.urls else piece.shortest
            self.longest = max(self.longest, piece.longest)
        self.urls += piece.urls
        self.blank += piece.blank
        self.characters += piece.characters

    def add(
        self, Batch batch not None, Input rows not None, Py_ssize_t begin, Py_ssize_t end, bint has_base,
        Counts whole=None
    ):
        """Counts the rows of a batch that are URLs, but for blank ones; it was made from these rows.

        With a base, blank rows are URLs, too. False if there is no room for a text: then these counts are of no use,
        and can be cleared. With `whole` they are merged into it when there is no room, and nobody else may use it
        meanwhile.
        """
        cdef Columns columns
        cdef uint8_t* counted = NULL
        cdef Outcome outcome
        # A blank row without a base fails with it.
        cdef bint may_be_blank = has_base or "missing-scheme-non-relative-URL" in batch.errors
        if batch.names != FIELDS[:len(batch.names)] or len(batch.names) < len(FIELDS) - 1:
            raise ValueError("these are not the columns that are counted")
        columns.href, columns.scheme, columns.hostname = &batch.columns[0], &batch.columns[1], &batch.columns[2]
        columns.pathname, columns.query = &batch.columns[3], &batch.columns[4]
        columns.site = &batch.columns[5] if len(batch.names) > 5 else NULL
        for index in range(batch.n_columns):
            if batch.columns[<int> index].type != STRINGS:
                raise ValueError("these are not columns of strings")
        columns.counted = batch.validity
        columns.has_query = validity_of(batch, columns.query)
        columns.has_site = NULL
        if columns.site != NULL:
            columns.has_site = validity_of(batch, columns.site)
        try:
            counted = <uint8_t*> malloc(bit_size(batch.length))
            if counted == NULL:
                raise MemoryError
            with nogil:
                memcpy(counted, batch.validity, (batch.length + 7) >> 3)
                if may_be_blank and not leave_out_blank(self, batch, rows, begin, end, counted):
                    with gil:
                        raise MemoryError
                columns.counted = counted
                add_lengths(self, &columns, batch.length)
                outcome = add_texts(self, whole, &columns, batch.length)
            if outcome == OUT_OF_MEMORY:
                raise MemoryError
            return outcome == COUNTED
        finally:
            free(counted)

    def total(self, str name not None):
        """How many texts of a kind there are, as often as they occur."""
        return self.tallies[<int> NAMES.index(name)].total

    def different(self, str name not None):
        """How many different texts of a kind there are. It is an estimate if `is_exact` says so."""
        cdef const Tally* tally = &self.tallies[<int> NAMES.index(name)]
        return min(max(round(estimate_different(tally)), tally.n), tally.total)

    def is_exact(self, str name not None):
        """Whether all texts of a kind and all their counts are known."""
        return self.tallies[<int> NAMES.index(name)].registers == NULL

    def missed(self, str name not None):
        """The largest count of a text that is not known."""
        return self.tallies[<int> NAMES.index(name)].missed

    def top(self, str name not None, Py_ssize_t number):
        """The texts of a kind with the highest counts: each with its count, and by how much that may be too low."""
        from heapq import nsmallest

        return nsmallest(number, self._candidates(<int> NAMES.index(name), number), key=rank)

    def _candidates(self, int kind, Py_ssize_t number):
        cdef const Tally* tally = &self.tallies[kind]
        cdef int64_t least = nth_count(tally, number)
        cdef const Entry* entry
        cdef Py_ssize_t i
        for i in range(tally.n):
            entry = tally.entries + i
            if entry.count >= least:
                yield text_of(tally, entry), entry.count, entry.missed

    def length_counts(self):
        """Pairs of a length and how many URLs have it. From 4,096 on, each length stands for those up to the next one:
        at most 1.6 % more."""
        cdef Py_ssize_t i
        return [(length_of(i), self.lengths[i]) for i in range(LENGTHS) if self.lengths[i]]


def rank(tuple candidate):
    return -candidate[1], candidate[0]


# An ellipsis stands for what is not kept.
cdef str text_of(const Tally* tally, const Entry* entry):
    cdef const uint8_t* p = tally.pool + entry.offset
    cdef Py_ssize_t n = kept_length(entry)
    if entry.length == n:
        return p[:n].decode("utf-8", "replace")
    return p[:n].decode("utf-8", "ignore") + "…"


cdef Outcome merge_kind(Counts self, int kind, const Tally* piece) noexcept nogil:
    cdef Py_ssize_t texts, bytes
    cdef int other, most_texts, most_bytes
    cdef Outcome outcome
    while True:
        texts = piece.n
        bytes = piece.pool_length
        most_texts = most_bytes = 0
        for other in range(<int> KINDS):
            texts += self.tallies[other].n
            bytes += self.tallies[other].pool_length
            if self.tallies[other].n > self.tallies[most_texts].n:
                most_texts = other
            if self.tallies[other].pool_length > self.tallies[most_bytes].pool_length:
                most_bytes = other
        if texts <= self.texts and bytes <= self.bytes:
            break
        other = most_texts if texts > self.texts else most_bytes
        if self.tallies[other].n == 0:
            break
        outcome = forget_half(&self.tallies[other])
        if outcome:
            return outcome
    return add_tally(&self.tallies[kind], piece)


# Clears the bits of rows that are only the base, and counts blank ones that failed; false if memory runs out.
cdef bint leave_out_blank(
    Counts self, Batch batch, Input rows, Py_ssize_t begin, Py_ssize_t end, uint8_t* counted
) noexcept nogil:
    cdef Buffer scratch
    cdef uint8_t[512] memory
    cdef RowReader reader
    cdef RowText text
    cdef Py_ssize_t row, i
    cdef bint is_done = True
    start(&scratch, memory, sizeof(memory), PY_SSIZE_T_MAX)
    open_reader(&reader, &rows.rows, begin, end)
    for row in range(batch.length):
        if not read_row(&reader, &text, &scratch) or scratch.status:
            is_done = scratch.status == 0
            break
        if text.data == NULL:
            continue
        if has_bit(batch.validity, row):
            if is_empty_row(&text):
                counted[row >> 3] &= <uint8_t> ~(1 << (row & 7))
            continue
        i = 0
        while i < text.length and (text.data[i] == c' ' or c'\t' <= text.data[i] <= c'\r'):
            i += 1
        self.blank += i == text.length
    release(&scratch)
    return is_done


cdef void add_lengths(Counts self, const Columns* columns, Py_ssize_t rows) noexcept nogil:
    cdef const int64_t* bounds = bounds_of(columns.href, 0)
    cdef Py_ssize_t row, length
    for row in range(rows):
        if has_bit(columns.counted, row):
            length = bounds[row + 1] - bounds[row]
            self.lengths[counter_of(length)] += 1
            self.shortest = min(self.shortest, length) if self.urls else length
            self.longest = max(self.longest, length)
            self.characters += length
            self.urls += 1


cdef Outcome add_texts(Counts self, Counts whole, const Columns* columns, Py_ssize_t rows) noexcept nogil:
    cdef Outcome outcome = add_column(self, whole, SCHEMES, columns.scheme, columns.counted, NULL, rows)
    if not outcome:
        outcome = add_column(self, whole, HOSTS, columns.hostname, columns.counted, NULL, rows)
    if not outcome and columns.site != NULL:
        outcome = add_column(self, whole, SITES, columns.site, columns.counted, columns.has_site, rows)
    if not outcome:
        outcome = add_templates(self, whole, columns, rows)
    return outcome or add_parameters(self, whole, columns, rows)


cdef inline Outcome add_text(
    Counts self, Counts whole, int kind, const uint8_t* p, Py_ssize_t n, int64_t times
) noexcept nogil:
    cdef Outcome outcome = count_text(&self.tallies[kind], p, n, times)
    if outcome == FULL and whole is not None:
        outcome = merge_kind(whole, kind, &self.tallies[kind])
        if outcome:
            return outcome
        clear_tally(&self.tallies[kind])
        outcome = count_text(&self.tallies[kind], p, n, times)
    return outcome


# The texts of a column that are not empty. Those of rows one after the other are often the same.
cdef Outcome add_column(
    Counts self, Counts whole, int kind, const ColumnBuffers* column, const uint8_t* counted, const uint8_t* valid,
    Py_ssize_t rows
) noexcept nogil:
    cdef const int64_t* bounds = bounds_of(column, 0)
    cdef const uint8_t* last = NULL
    cdef const uint8_t* p
    cdef Py_ssize_t row, n, length = 0
    cdef int64_t times = 0
    cdef Outcome outcome
    for row in range(rows):
        n = bounds[row + 1] - bounds[row]
        if n == 0 or not (has_bit(counted, row) and has_bit(valid, row)):
            continue
        p = column.data + bounds[row]
        if n == length and memcmp(p, last, n) == 0:
            times += 1
            continue
        if times:
            outcome = add_text(self, whole, kind, last, length, times)
            if outcome:
                return outcome
        last = p
        length = n
        times = 1
    return add_text(self, whole, kind, last, length, times) if times else COUNTED


cdef Outcome add_templates(Counts self, Counts whole, const Columns* columns, Py_ssize_t rows) noexcept nogil:
    cdef const int64_t* paths = bounds_of(columns.pathname, 0)
    cdef const int64_t* schemes = bounds_of(columns.scheme, 0)
    cdef const int64_t* hrefs = bounds_of(columns.href, 0)
    cdef Buffer* out = &self.text
    cdef Outcome outcome
    cdef Py_ssize_t row, colon
    cdef URLView path
    for row in range(rows):
        if not has_bit(columns.counted, row):
            continue
        # A URL that is only its path. After its scheme, one without a host has a solidus unless its path is opaque.
        clear_record(&path.record)
        colon = hrefs[row] + schemes[row + 1] - schemes[row]
        if colon + 1 < hrefs[row + 1] and columns.href.data[colon + 1] == c'/':
            path.record.host_type = HOST_DOMAIN
        path.href = columns.pathname.data + paths[row]
        path.length = paths[row + 1] - paths[row]
        out.length = 0
        push_template(out, &self.octets, &path, &self.policy.names)
        if out.status:
            return OUT_OF_MEMORY
        outcome = add_text(self, whole, TEMPLATES, out.data, out.length, 1)
        if outcome:
            return outcome
    return COUNTED


cdef Outcome add_parameters(Counts self, Counts whole, const Columns* columns, Py_ssize_t rows) noexcept nogil:
    cdef const int64_t* bounds = bounds_of(columns.query, 0)
    cdef const uint8_t* query
    cdef FieldDecoder decoder
    cdef Outcome outcome
    cdef PairReader reader
    cdef Py_ssize_t row
    cdef Pair pair
    decoder.octets = &self.octets
    decoder.text = &self.text
    for row in range(rows):
        if not has_bit(columns.counted, row) or not has_bit(columns.has_query, row):
            continue
        query = columns.query.data + bounds[row]
        open_pairs(&reader, query, bounds[row + 1] - bounds[row])
        while next_pair(&reader, &pair):
            if pair.name_coding == PLAIN:
                outcome = add_text(
                    self, whole, PARAMETERS, query + pair.name.start, pair.name.end - pair.name.start, 1
                )
            else:
                decode_field(&decoder, query + pair.name.start, pair.name.end - pair.name.start)
                if self.octets.status or self.text.status:
                    return OUT_OF_MEMORY
                outcome = add_text(self, whole, PARAMETERS, self.text.data, self.text.length, 1)
            if outcome:
                return outcome
    return COUNTED
