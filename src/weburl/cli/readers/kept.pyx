"""The rows that a filter leaves, without the GIL."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t
from libc.string cimport memset

from weburl._arrow.arrow cimport has_bit
from weburl._arrow.batch cimport BITS, Batch
from weburl._arrow.input cimport Input, RowReader, RowText, open_reader, read_row
from weburl._core.buffer cimport Buffer, push, push_run, release, reserve, start

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX


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
