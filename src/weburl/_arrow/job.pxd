# What other modules use of job.pyx, which parses a piece of rows.

from libc.stdint cimport uint8_t

from weburl._arrow.batch cimport Batch
from weburl._arrow.columns cimport ParsedRow, TextSetter, Worker
from weburl._arrow.input cimport Rows
from weburl._core.status cimport Status


# For writers of columns that make a text of their own: takes a text that was made as that of a row, by copying it into
# the arena; `row.length` is its length, which views limit.
cdef Status move_row(const Worker* self, Batch batch, const uint8_t* p, ParsedRow* row) noexcept nogil


# For the native functions of DuckDB (ext/_duckdb.pyx): a job that is run again and again, without the GIL and in the same
# memory. One thread at a time may use it.
cdef class Runner:
    cdef object job
    cdef Batch batch            # the columns of the last run
    cdef Worker* worker
    cdef TextSetter set_text    # of the only text among the job's arguments, or NULL
    cdef void* text_state


# Makes the columns of at most as many rows as the runner has room for. A text takes the place of the only one among the
# job's arguments. False if the worker was stopped: then raise_error() says why, and the runner cannot be used again.
cdef bint run_again(
    Runner self, const Rows* rows, const Rows* bases, Py_ssize_t begin, Py_ssize_t end, const uint8_t* text,
    Py_ssize_t text_length
) noexcept nogil

# The bytes that it holds for the next run: as many as the largest run needed.
cdef Py_ssize_t memory_of(Runner self) noexcept nogil
