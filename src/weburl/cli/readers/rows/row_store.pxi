# A part of text_column.pyx: texts of rows that are looked up by their numbers, in memory or in a temporary file.
# `weburl join` uses it.

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from weburl._arrow.arrow cimport has_bit
from weburl._arrow.input cimport Input, RowReader, RowText, open_reader, read_row
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push_run, release, start

from _thread import allocate_lock as Lock

from weburl.cli._temporary import open_temporary, read_exactly, write_all

cdef enum:
    PART = 1 << 20              # bytes that are written at a time
    WINDOW = 1 << 14            # and read at a time, at least: rows that follow each other are in it
    NULL_TEXT = -1


cdef class RowStore:
    """RowStore(columns): rows of so many texts or nulls. After spill(), the texts are in a temporary file."""

    # A row is the texts of its columns: before each its length, of 64 bits, which is -1 for null.
    def __cinit__(self, int columns):
        if columns < 1:
            raise ValueError("rows have columns")
        self.columns = columns
        try:
            self.lock = Lock()
        except RuntimeError:
            # A lock that cannot be allocated.
            raise MemoryError from None
        if not grow_offsets(self, 1):
            raise MemoryError
        self.offsets[0] = 0

    def __dealloc__(self):
        free(self.offsets)
        free(self.data)

    def __len__(self):
        return self.rows

    @property
    def memory(self):
        """The bytes of memory that it takes."""
        return self.rows * sizeof(int64_t) + self.length

    @property
    def is_on_disk(self):
        return self.file is not None

    def append(self, list columns not None):
        """Adds rows by their columns."""
        cdef Py_ssize_t count = len(columns[0]) if columns else 0, row
        cdef TextColumn column
        if len(columns) != self.columns or any([len(column) != count for column in columns]):
            raise ValueError("these are not the columns of rows")
        if not grow_offsets(self, self.rows + count + 1):
            raise MemoryError
        for row in range(count):
            for column in columns:
                if not put_text(self, column, row):
                    raise MemoryError
            self.rows += 1
            self.offsets[self.rows] = self.written + self.length
            if self.file is not None and self.length >= PART:
                write_out(self)

    def spill(self):
        """Moves the texts to a file, where later ones go, too."""
        if self.file is None:
            self.file = open_temporary("rows")
        write_out(self)

    def finish(self):
        """Says that there are no more rows: those that have been spilled can be read then."""
        if self.file is not None:
            write_out(self)
            free(self.data)
            self.data = NULL
            self.capacity = 0

    def close(self):
        if self.file is not None:
            self.file.close()

    def take(self, bytes rows not None):
        """The columns of rows by their numbers, of 64 bits each; null where it is -1. Several threads may call it at once."""
        cdef const int64_t* numbers = <const int64_t*> <const char*> rows
        cdef Py_ssize_t count = len(rows) // sizeof(int64_t), i
        cdef int64_t row, begin, end, window_begin = 0, window_end = 0
        cdef bytes window
        cdef const uint8_t* p = self.data
        cdef Builder* builders = make_builders(self.columns, count)
        try:
            with nogil:
                for i in range(count):
                    row = numbers[i]
                    if row < 0 or row >= self.rows:
                        put_nulls(self, builders)
                        continue
                    begin = self.offsets[row]
                    end = self.offsets[row + 1]
                    if self.written and (begin < window_begin or end > window_end):
                        window_begin = begin
                        window_end = min(max(end, begin + WINDOW), self.written)
                        with gil:
                            # Where memory ends, Cython's `with` packs a traceback that is not there.
                            self.lock.acquire()
                            try:
                                window = read_exactly(self.file, window_begin, window_end - window_begin, "rows")
                            finally:
                                self.lock.release()
                            p = <const uint8_t*> <const char*> window
                    put_row(self, builders, p + (begin - window_begin))
            return columns_of(builders, self.columns)
        finally:
            free_builders(builders, self.columns)


cdef bint grow_offsets(RowStore self, Py_ssize_t count) noexcept nogil:
    cdef void* grown
    cdef Py_ssize_t capacity
    if count <= self.offsets_capacity:
        return True
    capacity = count + (count >> 3)
    grown = realloc(self.offsets, capacity * sizeof(int64_t))
    if grown == NULL:
        return False
    self.offsets = <int64_t*> grown
    self.offsets_capacity = capacity
    return True


cdef bint put_text(RowStore self, TextColumn column, Py_ssize_t row) noexcept:
    cdef const int64_t* bounds = <const int64_t*> <const char*> column.offsets + row
    cdef int64_t length = bounds[1] - bounds[0]
    cdef Py_ssize_t needed = self.length + sizeof(int64_t) + length, capacity
    cdef void* grown
    if needed > self.capacity:
        capacity = needed + (needed >> 3)
        grown = realloc(self.data, capacity)
        if grown == NULL:
            return False
        self.data = <uint8_t*> grown
        self.capacity = capacity
    if not has_bit(<const uint8_t*> <const char*> column.validity, row):
        length = NULL_TEXT
    memcpy(self.data + self.length, &length, sizeof(int64_t))
    self.length += sizeof(int64_t)
    if length > 0:
        memcpy(self.data + self.length, <const uint8_t*> <const char*> column.data + bounds[0], length)
        self.length += length
    return True


cdef int write_out(RowStore self) except -1:
    cdef Py_ssize_t done = 0, size
    while done < self.length:
        size = min(self.length - done, <Py_ssize_t> PART)
        write_all(self.file, self.data[done:done + size], "rows")
        done += size
    self.written += self.length
    self.length = 0
    if self.capacity > 4 * PART:
        free(self.data)
        self.data = NULL
        self.capacity = 0
    return 0


cdef void put_nulls(RowStore self, Builder* builders) noexcept nogil:
    cdef int i
    for i in range(self.columns):
        end_row(&builders[i], True)


cdef void put_row(RowStore self, Builder* builders, const uint8_t* p) noexcept nogil:
    cdef int64_t length
    cdef int i
    for i in range(self.columns):
        memcpy(&length, p, sizeof(int64_t))
        p += sizeof(int64_t)
        if length > 0:
            push_run(&builders[i].data, p, length)
            p += length
        end_row(&builders[i], length < 0)


def add_sizes(bytearray sizes not None, Input rows not None, Py_ssize_t begin, Py_ssize_t end):
    """Adds the lengths of rows to their numbers in `sizes`, of 64 bits each."""
    cdef int64_t* to = <int64_t*> <char*> sizes
    cdef Py_ssize_t count = len(sizes) // sizeof(int64_t), row
    cdef uint8_t[512] memory
    cdef Buffer scratch
    cdef RowReader reader
    cdef RowText text
    start(&scratch, memory, sizeof(memory), PY_SSIZE_T_MAX)
    try:
        with nogil:
            open_reader(&reader, &rows.rows, begin, end)
            for row in range(count):
                if not read_row(&reader, &text, &scratch) or scratch.status:
                    break
                if text.data != NULL:
                    to[row] += text.length
        if scratch.status:
            raise MemoryError
    finally:
        release(&scratch)
