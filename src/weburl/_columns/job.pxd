from libc.stdint cimport uint8_t

from weburl._arrow.batch cimport Batch
from weburl._arrow.input cimport Rows
from weburl._columns.worker cimport Worker
from weburl._core.urlencoded cimport Key, Keys


# A job that is run again and again, without the GIL and in the same memory. One thread at a time may use it.
cdef class Runner:
    cdef object job
    cdef Batch batch            # the columns of the last run
    cdef Worker* worker
    cdef Keys keys              # of a key that a run is given
    cdef Key key


# Makes the columns of at most as many rows as the runner has room for. A key takes the place of the job's only one. False if the
# worker was stopped: then raise_error() says why, and the runner cannot be used again.
cdef bint run_again(
    Runner self, const Rows* rows, const Rows* bases, Py_ssize_t begin, Py_ssize_t end, const uint8_t* key,
    Py_ssize_t key_length
) noexcept nogil

# The bytes that it holds for the next run: as many as the largest run needed.
cdef Py_ssize_t memory_of(Runner self) noexcept nogil
