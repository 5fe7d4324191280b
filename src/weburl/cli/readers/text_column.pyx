"""Columns of texts that readers make of records, without the GIL."""

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc

from weburl._arrow.arrow cimport has_bit, load64
from weburl._arrow.input cimport ROWS_LARGE_UTF8, Input, RowReader, RowText, count_newlines, open_reader, read_row
from weburl._core.buffer cimport Buffer, push_run, release, start
from weburl._core.percent cimport is_utf8, push_decoded

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef enum:
    SCRATCH = 64                # bytes of a builder's first memory


cdef class TextColumn:
    """Texts and nulls: `offsets` (of 64 bits), `validity` (a bitmap) and `data` are the buffers of Arrow's large_utf8."""

    def __len__(self):
        return self.length

    def input(self):
        """The column as an input of jobs."""
        cdef Input column = Input.__new__(Input)
        column.objects = self
        column.rows.kind = ROWS_LARGE_UTF8
        column.rows.length = self.length
        column.rows.validity = <const uint8_t*> <const char*> self.validity
        column.rows.values = <const void*> <const char*> self.offsets
        column.rows.data = <const uint8_t*> <const char*> self.data
        return column

    def texts(self, Py_ssize_t begin, Py_ssize_t end):
        """The texts from one row to another; None where the row is null."""
        cdef const void* bounds = <const void*> <const char*> self.offsets
        cdef const uint8_t* validity = <const uint8_t*> <const char*> self.validity
        cdef Py_ssize_t row
        return [
            self.data[load64(bounds, row):load64(bounds, row + 1)].decode("utf-8") if has_bit(validity, row) else None
            for row in range(begin, min(end, self.length))
        ]


cdef Builder* make_builders(int count, Py_ssize_t rows) except NULL:
    cdef Builder* builders = <Builder*> calloc(count + 1, sizeof(Builder))
    cdef int i
    if builders == NULL:
        raise MemoryError
    for i in range(count):
        start(&builders[i].data, <uint8_t*> malloc(SCRATCH), SCRATCH, PY_SSIZE_T_MAX)
        builders[i].capacity = rows
        builders[i].ends = <int64_t*> malloc((rows + 1) * sizeof(int64_t))
        builders[i].validity = <uint8_t*> calloc(rows // 8 + 1, 1)
        if builders[i].ends == NULL or builders[i].validity == NULL or builders[i].data.scratch == NULL:
            free_builders(builders, count)
            raise MemoryError
        builders[i].ends[0] = 0
    return builders


cdef void free_builders(Builder* builders, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        release(&builders[i].data)
        free(builders[i].data.scratch)
        free(builders[i].ends)
        free(builders[i].validity)
    free(builders)


cdef list columns_of(Builder* builders, int count):
    cdef TextColumn column
    cdef list columns = []
    cdef int i
    for i in range(count):
        if builders[i].data.status:
            raise MemoryError
        column = TextColumn.__new__(TextColumn)
        column.length = builders[i].length
        column.offsets = (<char*> builders[i].ends)[:(builders[i].length + 1) * sizeof(int64_t)]
        column.validity = (<char*> builders[i].validity)[:builders[i].length // 8 + 1]
        column.data = (<char*> builders[i].data.data)[:builders[i].data.length]
        columns.append(column)
    return columns


cdef void end_row(Builder* self, bint is_null) noexcept nogil:
    cdef Py_ssize_t row = self.length
    cdef int64_t begin = self.ends[row]
    cdef Py_ssize_t length = self.data.length - begin
    if is_null or self.data.status:
        self.data.length = begin
    else:
        self.validity[row >> 3] |= 1 << (row & 7)
        if length and not is_utf8(self.data.data + begin, length):
            decode_row(self, begin, length)
    self.length = row + 1
    self.ends[row + 1] = self.data.length


cdef void decode_row(Builder* self, int64_t begin, Py_ssize_t length) noexcept nogil:
    cdef uint8_t[256] memory
    cdef Buffer clean
    start(&clean, memory, sizeof(memory), PY_SSIZE_T_MAX)
    push_decoded(&clean, self.data.data + begin, length, True)
    self.data.length = begin
    push_run(&self.data, clean.data, clean.length)
    self.data.status = self.data.status or clean.status
    release(&clean)


def count_lines(bytes data not None, Py_ssize_t begin, Py_ssize_t end):
    """How many newlines the data has from begin to end."""
    cdef const uint8_t* p = <const uint8_t*> <const char*> data
    cdef Py_ssize_t count
    end = min(end, len(data))
    with nogil:
        count = count_newlines(p, max(begin, 0), end)
    return count


def kept_texts(Input rows not None, Py_ssize_t begin, Py_ssize_t end, bytes kept not None):
    """The rows from begin to end whose byte in `kept` is not 0, as a column."""
    cdef const uint8_t* marks = <const uint8_t*> <const char*> kept
    cdef Py_ssize_t count = len(kept), row
    cdef Builder* builder = make_builders(1, count)
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
                if marks[row]:
                    if text.data != NULL:
                        push_run(&builder.data, text.data, text.length)
                    end_row(builder, text.data == NULL)
        if scratch.status:
            raise MemoryError
        return columns_of(builder, 1)[0]
    finally:
        free_builders(builder, 1)
        release(&scratch)


def taken_texts(TextColumn column not None, bytes rows not None):
    """The rows of a column by their numbers, of 64 bits each; null where it is -1."""
    cdef const int64_t* numbers = <const int64_t*> <const char*> rows
    cdef const int64_t* bounds = <const int64_t*> <const char*> column.offsets
    cdef const uint8_t* validity = <const uint8_t*> <const char*> column.validity
    cdef const uint8_t* data = <const uint8_t*> <const char*> column.data
    cdef Py_ssize_t count = len(rows) // sizeof(int64_t), i
    cdef int64_t row
    cdef Builder* builder = make_builders(1, count)
    try:
        with nogil:
            for i in range(count):
                row = numbers[i]
                if row < 0 or row >= column.length or not has_bit(validity, row):
                    end_row(builder, True)
                else:
                    push_run(&builder.data, data + bounds[row], bounds[row + 1] - bounds[row])
                    end_row(builder, False)
        return columns_of(builder, 1)[0]
    finally:
        free_builders(builder, 1)
