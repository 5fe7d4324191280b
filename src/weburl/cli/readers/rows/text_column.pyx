"""Columns of texts, without the GIL: those that readers make, and rows that a filter leaves. moments.pxi compares numbers and
times, distinct_rows.pxi counts rows, and row_store.pxi keeps rows."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memset

from weburl._arrow.arrow cimport has_bit, load64
from weburl._arrow.batch cimport BITS, Batch
from weburl._arrow.input cimport ROWS_LARGE_UTF8, Input, RowReader, RowText, count_newlines, open_reader, read_row
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push, push_run, release, reserve, start


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


include "builders.pxi"


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


# The rows that a filter leaves.

def kept_rows(list batches not None, tuple answers not None):
    """A byte for each row: 1 where it is a URL, and the first column of each batch, one of bool, has the answer."""
    cdef Batch batch
    cdef bytes kept
    cdef uint8_t* marks
    cdef Py_ssize_t row
    cdef bint answer
    # Not by an operator, which may give an object that others have, too.
    kept = PyBytes_FromStringAndSize(NULL, (<Batch> batches[0]).length)
    marks = <uint8_t*> <char*> kept
    memset(marks, 1, len(kept))
    for batch, answer in zip(batches, answers, strict=True):
        if batch.columns[0].type != BITS or batch.length != len(kept):
            raise ValueError("a filter has a bool for each row")
        with nogil:
            for row in range(batch.length):
                if has_bit(batch.columns[0].slots, row) != answer or not has_bit(batch.validity, row):
                    marks[row] = 0
    return kept


def kept_lines(Input rows not None, Py_ssize_t begin, Py_ssize_t end, bytes kept not None):
    """The lines from begin to end that are kept."""
    cdef const uint8_t* marks = <const uint8_t*> <const char*> kept
    cdef Py_ssize_t count = len(kept), row
    cdef Buffer out, scratch
    cdef uint8_t[512] memory, scratch_memory
    cdef RowReader reader
    cdef RowText text
    start(&out, memory, sizeof(memory), PY_SSIZE_T_MAX)
    start(&scratch, scratch_memory, sizeof(scratch_memory), PY_SSIZE_T_MAX)
    try:
        with nogil:
            open_reader(&reader, &rows.rows, begin, end)
            reserve(&out, end - begin)
            for row in range(count):
                if not read_row(&reader, &text, &scratch) or out.status or scratch.status:
                    break
                if marks[row]:
                    push_run(&out, text.data, text.length)
                    # A reader takes one carriage return for a part of the newline.
                    if text.length and text.data[text.length - 1] == c'\r':
                        push(&out, c'\r')
                    push(&out, c'\n')
        if out.status or scratch.status:
            raise MemoryError
        return PyBytes_FromStringAndSize(<const char*> out.data, out.length)
    finally:
        release(&out)
        release(&scratch)


include "moments.pxi"
include "distinct_rows.pxi"
include "row_store.pxi"
