"""What is counted of URLs: their schemes, hosts, registrable domains, templates, parameters and lengths."""

from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from weburl._arrow.arrow cimport has_bit
from weburl._arrow.batch cimport STRINGS, Batch, ColumnBuffers, bit_size, validity_of
from weburl._arrow.input cimport Input, RowReader, RowText, is_empty_row, open_reader, read_row
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push, push_run, release, start
from weburl._core.hash cimport HashKey, draw_key, hash_bytes
from weburl._core.host cimport HOST_DOMAIN
from weburl._core.record cimport URLView, clear_record
from weburl._core.urlencoded cimport PLAIN, FieldDecoder, Pair, PairReader, decode_field, next_pair, open_pairs
from weburl._redact.redact cimport LogPolicy, path_policy_in_use, push_template

include "tally.pxi"


cdef HashKey hash_key
draw_key(&hash_key)


cdef inline Outcome count_text(Tally* self, const uint8_t* p, Py_ssize_t n, int64_t times) noexcept nogil:
    return count_hashed(self, hash_bytes(&hash_key, p, <size_t> n), p, n, times)


# The largest count that at least so many texts have; 0 if there are not so many.
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
    count = select_number(counts, self.n, self.n - number, hash_key.words[2])
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
    GROUPS                      # of each level
    CELLS = 9                   # how many numbers of a group are in a bucket; these get wider before groups are forgotten
    KINDS

cdef enum:
    MOST_COARSE = 5

# The columns of a batch that is counted; a registrable domain need not be among them.
FIELDS = ("href", "scheme", "hostname", "pathname", "query", "registrable_domain")
MOST_LEVELS = <int> CELLS - <int> GROUPS
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
    const int64_t* times        # of each row; or NULL: it counts once


cdef inline const int64_t* bounds_of(const ColumnBuffers* column, Py_ssize_t row) noexcept nogil:
    return <const int64_t*> column.slots + row


cdef class Counts:
    """Counts(texts=1048576, bytes=67108864)

    Counts of many batches. There is room for so many texts of all kinds together, and for so many bytes of them. When
    there are more, the kind with the most forgets its rarest half: see tally.h.
    """

    cdef Tally[<int> KINDS] tallies
    cdef int64_t* lengths
    cdef readonly Py_ssize_t texts, bytes
    cdef readonly int64_t urls          # that are counted
    cdef readonly int64_t blank         # rows that are blank, and failed
    cdef readonly int64_t characters    # of all URLs
    cdef readonly Py_ssize_t shortest, longest
    cdef readonly int coarse            # how many of the last bits of buckets are not known
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
        bytes marks=None, bytes times=None, Counts whole=None
    ):
        """Counts the rows of a batch that are URLs, but for blank ones; it was made from these rows. Those whose byte in
        `marks` is 0 are left out. A row counts as often as `times` says, which has 64-bit numbers.

        With a base, blank rows are URLs, too. False if there is no room for a text: then these counts are of no use,
        and can be cleared. With `whole` they are merged into it when there is no room, and nobody else may use it
        meanwhile.
        """
        cdef Columns columns
        cdef uint8_t* counted = NULL
        cdef Outcome outcome
        cdef int count = <int> len(batch.names) - 1
        # The last has the errors.
        if batch.names[:count] != FIELDS[:count] or count < len(FIELDS) - 1:
            raise ValueError("these are not the columns that are counted")
        columns.href, columns.scheme, columns.hostname = &batch.columns[0], &batch.columns[1], &batch.columns[2]
        columns.pathname, columns.query = &batch.columns[3], &batch.columns[4]
        columns.site = &batch.columns[5] if count > 5 else NULL
        for index in range(count):
            if batch.columns[<int> index].type != STRINGS:
                raise ValueError("these are not columns of strings")
        columns.has_query = validity_of(batch, columns.query)
        columns.has_site = NULL
        if columns.site != NULL:
            columns.has_site = validity_of(batch, columns.site)
        try:
            columns.times = NULL
            if times is not None:
                if len(times) != batch.length * <Py_ssize_t> sizeof(int64_t):
                    raise ValueError("each row has a number")
                columns.times = <const int64_t*> <const char*> times
            columns.counted = counted = counted_rows(self, batch, rows, begin, end, has_base, marks, columns.times)
            with nogil:
                add_lengths(self, columns.href, counted, columns.times, batch.length)
                outcome = add_texts(self, whole, &columns, batch.length)
            if outcome == OUT_OF_MEMORY:
                raise MemoryError
            return outcome == COUNTED
        finally:
            free(counted)

    def add_groups(
        self, Batch batch not None, Input rows not None, Py_ssize_t begin, Py_ssize_t end, bint has_base,
        bytes marks, int href, list levels not None, list numbers not None, Counts whole=None
    ):
        """Counts the groups of rows, and their numbers. The column `href` of the batch has the URLs.

        A level is an input, where its rows begin and end, and how many bytes of a time are its text, or 0. The groups of each level
        are within those of the level before. The lengths of URLs are numbers, too, before those of columns: an input, its begin and end.
        Without levels, `add` has counted the rows, and only the numbers are counted.
        """
        cdef Readers readers
        cdef uint8_t* counted = NULL
        cdef Outcome outcome = OUT_OF_MEMORY
        cdef int64_t blank
        cdef int i
        if not 0 <= href < batch.n_columns or batch.columns[href].type != STRINGS or len(levels) > MOST_LEVELS:
            raise ValueError("these are not columns that are counted")
        inputs = [*levels, *numbers]
        readers.levels = <int> len(levels)
        readers.count = <int> len(inputs)
        readers.each = <Reader*> calloc(readers.count + 1, sizeof(Reader))
        try:
            if readers.each == NULL:
                raise MemoryError
            for i in range(readers.count):
                column, first, last = inputs[i][:3]
                readers.each[i].cut = inputs[i][3] if i < readers.levels else 0
                open_reader(&readers.each[i].reader, &(<Input?> column).rows, first, last)
                start(&readers.each[i].scratch, readers.each[i].memory, sizeof(readers.each[i].memory), PY_SSIZE_T_MAX)
            blank = self.blank
            counted = counted_rows(self, batch, rows, begin, end, has_base, marks, NULL)
            if readers.levels:
                add_lengths(self, &batch.columns[href], counted, NULL, batch.length)
            else:
                # `add` has counted them.
                self.blank = blank
            with nogil:
                outcome = add_rows(self, whole, &readers, bounds_of(&batch.columns[href], 0), counted, batch.length)
            if outcome == OUT_OF_MEMORY:
                raise MemoryError
            return outcome == COUNTED
        finally:
            if readers.each != NULL:
                for i in range(readers.count):
                    release(&readers.each[i].scratch)
            free(readers.each)
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

    def groups(self, int level, parents, Py_ssize_t number):
        """The groups of a level within each of the groups before: how many, and the most frequent ones, from the first on, each
        with its negative count, its name, which is None for no value, by how much the count may be too low, and its hash."""
        from heapq import nsmallest

        cdef const Tally* tally = &self.tallies[<int> GROUPS + level]
        cdef const Entry* entry
        cdef const uint8_t* p
        cdef Py_ssize_t i, n
        found = {parent: [0, []] for parent in parents}
        for i in range(tally.n):
            entry = tally.entries + i
            p = tally.pool + entry.offset
            one = found.get(load_hash(p))
            if one is None:
                continue
            n = kept_length(entry) - <int> HEAD
            text = "" if p[HASH] == NO_VALUE else p[<int> HEAD:<int> HEAD + n].decode("utf-8", "replace" if entry.length <= LONGEST else "ignore")
            if entry.length > LONGEST:
                text += "…"
            one[0] += 1
            one[1].append((-entry.count, p[HASH] == NO_VALUE, text, entry.missed, entry.hash))
            if len(one[1]) > 2 * number + 1000:
                one[1] = nsmallest(number, one[1])
        return {parent: (count, [
            (None if is_null else text, -times, missed, hash) for times, is_null, text, missed, hash in nsmallest(number, each)
        ]) for parent, (count, each) in found.items()}

    def group_bounds(self, int level):
        """The largest count of a group of a level that is not known; and how many groups there are, an estimate."""
        cdef const Tally* tally = &self.tallies[<int> GROUPS + level]
        return tally.missed, min(max(round(estimate_different(tally)), tally.n), tally.total)

    def buckets(self, groups):
        """For each of the groups, by their hashes, and each number of a column: how many are in a bucket, by its least number."""
        cdef const Tally* tally = &self.tallies[<int> CELLS]
        cdef const Cell* cell
        cdef Py_ssize_t i
        found = {group: {} for group in groups}
        for i in range(tally.n):
            cell = <const Cell*> (tally.pool + tally.entries[i].offset)
            one = found.get(cell.group)
            if one is not None:
                one.setdefault(cell.column, []).append((least_of_bucket(cell.bucket), tally.entries[i].count))
        return found

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


cdef Outcome merge_kind(Counts self, int kind, Tally* piece) noexcept nogil:
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
        if self.tallies[other].n == 0 or (other == CELLS and self.coarse == MOST_COARSE and not has_groups(self)):
            break
        if other < GROUPS:
            outcome = forget_half(&self.tallies[other], hash_key.words[2])
        elif other == CELLS and self.coarse < MOST_COARSE:
            outcome = coarsen(self)
        else:
            outcome = forget_groups(self, other)
        if outcome:
            return outcome
    if kind == CELLS and self.coarse:
        round_cells(piece, self.coarse)
    return add_tally(&self.tallies[kind], piece)


# Makes buckets twice as wide: cells that are one then are joined.
cdef Outcome coarsen(Counts self) noexcept nogil:
    cdef Tally* cells = &self.tallies[<int> CELLS]
    cdef Tally fine = cells[0]
    cdef Outcome outcome
    self.coarse += 1
    round_cells(&fine, self.coarse)
    open_tally(cells, self.texts, self.bytes)
    outcome = add_tally(cells, &fine)
    close_tally(&fine)
    return outcome


# Several cells can be the same afterwards: add_tally() joins them.
cdef void round_cells(Tally* cells, int coarse) noexcept nogil:
    cdef Entry* entry
    cdef Cell* cell
    cdef Py_ssize_t i
    for i in range(cells.n):
        entry = cells.entries + i
        cell = <Cell*> (cells.pool + entry.offset)
        cell.bucket = cell.bucket >> coarse << coarse
        entry.hash = hash_bytes(&hash_key, <const uint8_t*> cell, sizeof(Cell))


# Forgets the rarest half of the groups of a level, and what is known of their numbers. If these need room, it goes on with the
# level that has the most groups, until there is an eighth of it: so many cells can come before they are looked at again.
cdef Outcome forget_groups(Counts self, int kind) noexcept nogil:
    cdef Tally* cells = &self.tallies[<int> CELLS]
    cdef Py_ssize_t enough = cells.n - (self.texts >> 3) if kind == CELLS else PY_SSIZE_T_MAX
    cdef Outcome outcome
    cdef int level = kind, each
    while True:
        if kind == CELLS:
            level = GROUPS
            for each in range(<int> GROUPS, <int> CELLS):
                if self.tallies[each].n > self.tallies[level].n:
                    level = each
        outcome = forget_half(&self.tallies[level], hash_key.words[2])
        if outcome:
            return outcome
        keep_cells(self, cells)
        if self.tallies[level].n == 0 or cells.n <= enough:
            return COUNTED


# Leaves out the cells of groups that are not known; those of all rows stay.
cdef void keep_cells(Counts self, Tally* cells) noexcept nogil:
    cdef Py_ssize_t i, n = 0, length = 0
    cdef uint64_t group
    cdef int level
    cdef bint is_known
    for i in range(cells.n):
        group = (<const Cell*> (cells.pool + cells.entries[i].offset)).group
        is_known = group == 0
        for level in range(<int> GROUPS, <int> CELLS):
            is_known = is_known or has_hash(&self.tallies[level], group)
        if is_known:
            length = keep_entry(cells, i, n, length)
            n += 1
    if n < cells.n:
        keep_entries(cells, n, length)


# A bit for each row of a batch that is counted.
cdef uint8_t* counted_rows(
    Counts self, Batch batch, Input rows, Py_ssize_t begin, Py_ssize_t end, bint has_base, bytes marks,
    const int64_t* times
) except NULL:
    cdef uint8_t* counted = <uint8_t*> malloc(bit_size(batch.length))
    cdef const uint8_t* mark
    cdef Py_ssize_t row
    # A blank row without a base fails with it.
    cdef bint may_be_blank = has_base or "missing-scheme-non-relative-URL" in batch.errors, is_done = True
    if counted == NULL:
        raise MemoryError
    with nogil:
        memcpy(counted, batch.validity, (batch.length + 7) >> 3)
        if may_be_blank:
            is_done = leave_out_blank(self, batch, rows, begin, end, counted, times)
    if not is_done:
        free(counted)
        raise MemoryError
    if marks is not None:
        mark = <const uint8_t*> <const char*> marks
        for row in range(min(batch.length, <Py_ssize_t> len(marks))):
            if not mark[row]:
                counted[row >> 3] &= <uint8_t> ~(1 << (row & 7))
    return counted


# Clears the bits of rows that are only the base, and counts blank ones that failed; false if memory runs out.
cdef bint leave_out_blank(
    Counts self, Batch batch, Input rows, Py_ssize_t begin, Py_ssize_t end, uint8_t* counted, const int64_t* times
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
        if i == text.length:
            self.blank += times_of(times, row)
    release(&scratch)
    return is_done


cdef inline int64_t times_of(const int64_t* times, Py_ssize_t row) noexcept nogil:
    return 1 if times == NULL else times[row]


cdef void add_lengths(
    Counts self, const ColumnBuffers* href, const uint8_t* counted, const int64_t* times, Py_ssize_t rows
) noexcept nogil:
    cdef const int64_t* bounds = bounds_of(href, 0)
    cdef Py_ssize_t row, length
    cdef int64_t n
    for row in range(rows):
        if has_bit(counted, row):
            length = bounds[row + 1] - bounds[row]
            n = times_of(times, row)
            self.lengths[counter_of(length)] += n
            self.shortest = min(self.shortest, length) if self.urls else length
            self.longest = max(self.longest, length)
            self.characters += n * length
            self.urls += n


cdef Outcome add_texts(Counts self, Counts whole, const Columns* columns, Py_ssize_t rows) noexcept nogil:
    cdef Outcome outcome = add_column(self, whole, SCHEMES, columns.scheme, columns, NULL, rows)
    if not outcome:
        outcome = add_column(self, whole, HOSTS, columns.hostname, columns, NULL, rows)
    if not outcome and columns.site != NULL:
        outcome = add_column(self, whole, SITES, columns.site, columns, columns.has_site, rows)
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
    Counts self, Counts whole, int kind, const ColumnBuffers* column, const Columns* columns, const uint8_t* valid,
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
        if n == 0 or not (has_bit(columns.counted, row) and has_bit(valid, row)):
            continue
        p = column.data + bounds[row]
        if n == length and memcmp(p, last, n) == 0:
            times += times_of(columns.times, row)
            continue
        if times:
            outcome = add_text(self, whole, kind, last, length, times)
            if outcome:
                return outcome
        last = p
        length = n
        times = times_of(columns.times, row)
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
        outcome = add_text(self, whole, TEMPLATES, out.data, out.length, times_of(columns.times, row))
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
    cdef int64_t times
    cdef Pair pair
    decoder.octets = &self.octets
    decoder.text = &self.text
    for row in range(rows):
        if not has_bit(columns.counted, row) or not has_bit(columns.has_query, row):
            continue
        query = columns.query.data + bounds[row]
        times = times_of(columns.times, row)
        open_pairs(&reader, query, bounds[row + 1] - bounds[row])
        while next_pair(&reader, &pair):
            if pair.name_coding == PLAIN:
                outcome = add_text(
                    self, whole, PARAMETERS, query + pair.name.start, pair.name.end - pair.name.start, times
                )
            else:
                decode_field(&decoder, query + pair.name.start, pair.name.end - pair.name.start)
                if self.octets.status or self.text.status:
                    return OUT_OF_MEMORY
                outcome = add_text(self, whole, PARAMETERS, self.text.data, self.text.length, times)
            if outcome:
                return outcome
    return COUNTED


# Groups.

# The text of a group is the hash of the group that it is in, a byte, and its name.
cdef enum:
    HASH = 8
    HEAD = 9
    NO_VALUE = 0
    SOME_VALUE

ctypedef struct Cell:
    uint64_t group              # its hash; 0 for all rows
    uint32_t column
    uint32_t bucket


ctypedef struct Reader:
    RowReader reader
    Py_ssize_t cut
    Buffer scratch
    uint8_t[256] memory


ctypedef struct Readers:
    Reader* each
    int levels
    int count


cdef bint has_groups(Counts self) noexcept nogil:
    cdef int level
    for level in range(<int> GROUPS, <int> CELLS):
        if self.tallies[level].n:
            return True
    return False


cdef inline uint64_t load_hash(const uint8_t* p) noexcept nogil:
    cdef uint64_t hash
    memcpy(&hash, p, HASH)
    return hash


# Counts a group or a cell. If there is no room, all of them are merged into the whole: cells after their groups.
cdef Outcome add_part(Counts self, Counts whole, int kind, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Outcome outcome = count_text(&self.tallies[kind], p, n, 1)
    cdef int each
    if outcome != FULL or whole is None:
        return outcome
    for each in range(<int> GROUPS, <int> KINDS):
        outcome = merge_kind(whole, each, &self.tallies[each])
        if outcome:
            return outcome
        clear_tally(&self.tallies[each])
    return count_text(&self.tallies[kind], p, n, 1)


cdef Outcome add_cells(
    Counts self, Counts whole, uint64_t group, const double* numbers, int count, int first
) noexcept nogil:
    cdef Outcome outcome = COUNTED
    cdef Cell cell
    cdef int i
    cell.group = group
    for i in range(first, count):
        if numbers[i] >= 0 and not outcome:
            cell.column = <uint32_t> i
            cell.bucket = bucket_of(numbers[i])
            outcome = add_part(self, whole, CELLS, <const uint8_t*> &cell, sizeof(Cell))
    return outcome


cdef Outcome add_rows(
    Counts self, Counts whole, Readers* readers, const int64_t* bounds, const uint8_t* counted, Py_ssize_t rows
) noexcept nogil:
    cdef int levels = readers.levels, count = readers.count - levels + 1, i
    cdef double* numbers = <double*> malloc(count * sizeof(double))
    cdef uint64_t group
    cdef Outcome outcome = COUNTED if numbers != NULL else OUT_OF_MEMORY
    cdef Buffer* out = &self.text
    cdef Reader* reader
    cdef Py_ssize_t row
    cdef RowText text
    for row in range(rows):
        if outcome:
            break
        group = 0
        numbers[0] = <double> (bounds[row + 1] - bounds[row])
        # Numbers come first: each level needs them.
        for i in range(levels, readers.count):
            reader = &readers.each[i]
            if not read_row(&reader.reader, &text, &reader.scratch) or reader.scratch.status:
                outcome = OUT_OF_MEMORY
            numbers[i - levels + 1] = -1 if outcome or text.data == NULL else read_number(text.data, text.length)
        if has_bit(counted, row) and not outcome:
            outcome = add_cells(self, whole, 0, numbers, count, 1)
        for i in range(levels):
            reader = &readers.each[i]
            if outcome or not read_row(&reader.reader, &text, &reader.scratch) or reader.scratch.status:
                outcome = outcome or OUT_OF_MEMORY
                break
            if not has_bit(counted, row):
                continue
            out.length = 0
            push_run(out, <const uint8_t*> &group, HASH)
            if text.data == NULL or (reader.cut and not is_date(text.data, text.length, reader.cut)):
                push(out, NO_VALUE)
            else:
                push(out, SOME_VALUE)
                push_run(out, text.data, reader.cut or text.length)
            if out.status:
                outcome = OUT_OF_MEMORY
                break
            outcome = add_part(self, whole, GROUPS + i, out.data, out.length)
            group = hash_bytes(&hash_key, out.data, <size_t> out.length)
            if not outcome:
                outcome = add_cells(self, whole, group, numbers, count, 0)
    free(numbers)
    return outcome


# Whether a time begins with a date of ISO 8601, and is long enough.
cdef inline bint is_date(const uint8_t* p, Py_ssize_t n, Py_ssize_t cut) noexcept nogil:
    return n >= cut and p[4] == c'-' and p[7] == c'-'
