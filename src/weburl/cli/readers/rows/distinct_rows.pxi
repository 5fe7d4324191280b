# A part of text_column.pyx: rows that are different, and how often each occurs. `weburl stats` uses it.

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from weburl._arrow.input cimport Input, RowReader, RowText, next_row, open_reader, prefetch
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push_run, release, start
from weburl._core.hash cimport HashKey, draw_key, hash_bytes

cdef enum:
    GROUP = 16                  # rows whose memory is asked for at once

cdef HashKey hash_key
draw_key(&hash_key)


ctypedef struct Distinct:
    uint64_t hash
    int64_t count
    Py_ssize_t length


cdef class DistinctRows:
    """DistinctRows(rows, bytes): the different rows of many inputs, until there are so many, or so many bytes of them.

    Rows of one hash and one length are one row: nobody can choose two such rows, because the hash is keyed.
    """

    cdef readonly Py_ssize_t most_rows, most_bytes
    cdef readonly Py_ssize_t total      # rows, as often as they occur
    cdef readonly Py_ssize_t too_long   # those that were too long to be held; others without a value are left out
    cdef Builder* builder
    cdef Distinct* rows
    cdef uint32_t* slots                # by hash: the number of a row, from 1, or 0
    cdef uint64_t mask

    def __cinit__(self, Py_ssize_t rows, Py_ssize_t bytes):
        cdef uint64_t size = 1024
        self.most_rows = min(max(rows, <Py_ssize_t> GROUP), <Py_ssize_t> 1 << 24)
        self.most_bytes = bytes
        while size < 2 * <uint64_t> self.most_rows:
            size *= 2
        self.mask = size - 1
        self.rows = <Distinct*> malloc(self.most_rows * sizeof(Distinct))
        self.slots = <uint32_t*> calloc(size, sizeof(uint32_t))
        if self.rows == NULL or self.slots == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.rows)
        free(self.slots)
        if self.builder != NULL:
            free_builders(self.builder, 1)

    def __len__(self):
        return 0 if self.builder == NULL else self.builder.length

    @property
    def is_full(self):
        return self.builder != NULL and not has_room(self)

    def add(self, Input rows not None, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t skipped):
        """Adds rows from begin to end, but for the first ones, and returns how many rows it has read, with these: fewer than
        there are if there is no more room."""
        cdef uint8_t[512] memory
        cdef Buffer scratch
        cdef RowReader reader
        cdef RowText[GROUP] texts
        cdef uint64_t[GROUP] hashes
        cdef Py_ssize_t read = 0
        cdef int count, i
        if self.builder == NULL:
            self.builder = make_builders(1, self.most_rows)
        start(&scratch, memory, sizeof(memory), PY_SSIZE_T_MAX)
        try:
            with nogil:
                open_reader(&reader, &rows.rows, begin, end)
                while read < skipped and next_row(&reader, &texts[0], &scratch):
                    read += 1
                while has_room(self):
                    count = 0
                    while count < GROUP and next_row(&reader, &texts[count], &scratch):
                        read += 1
                        if scratch.status:
                            break
                        self.too_long += texts[count].too_long
                        if texts[count].data == NULL:
                            continue
                        hashes[count] = hash_bytes(&hash_key, texts[count].data, <size_t> texts[count].length)
                        prefetch(self.slots + (hashes[count] & self.mask))
                        count += 1
                        if not texts[count - 1].stable:
                            # It is gone when the next one is read.
                            break
                    if scratch.status or (count == 0 and reader.left == 0):
                        break
                    for i in range(count):
                        add_distinct(self, &texts[i], hashes[i])
                    if self.builder.data.status:
                        break
            if <int> scratch.status | <int> self.builder.data.status:
                raise MemoryError
            return read
        finally:
            release(&scratch)

    def take(self):
        """The different rows, and how often each occurs, as 64-bit numbers; then there are none."""
        cdef Py_ssize_t count = len(self), i
        cdef bytes counts = PyBytes_FromStringAndSize(NULL, count * sizeof(int64_t))
        cdef int64_t* each = <int64_t*> <char*> counts
        for i in range(count):
            each[i] = self.rows[i].count
        column = columns_of(self.builder, 1)[0] if self.builder != NULL else None
        if self.builder != NULL:
            free_builders(self.builder, 1)
            self.builder = NULL
        memset(self.slots, 0, (self.mask + 1) * sizeof(uint32_t))
        self.total = self.too_long = 0
        return column, counts


cdef inline bint has_room(DistinctRows self) noexcept nogil:
    return self.builder.length + GROUP <= self.most_rows and self.builder.data.length < self.most_bytes


cdef inline void add_distinct(DistinctRows self, const RowText* text, uint64_t hash) noexcept nogil:
    cdef uint64_t place = hash & self.mask
    cdef Distinct* row
    self.total += 1
    while self.slots[place]:
        row = self.rows + (self.slots[place] - 1)
        if row.hash == hash and row.length == text.length:
            row.count += 1
            return
        place = (place + 1) & self.mask
    row = self.rows + self.builder.length
    row.hash = hash
    row.count = 1
    row.length = text.length
    push_run(&self.builder.data, text.data, text.length)
    end_row(self.builder, False)
    self.slots[place] = <uint32_t> self.builder.length
