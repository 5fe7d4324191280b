from libc.stdint cimport int64_t, uint8_t

from weburl._core.buffer cimport Buffer


# Columns of texts while rows are pushed: offsets, and a bitmap of the rows that are not null, as in Arrow.
ctypedef struct Builder:
    Py_ssize_t length           # in rows
    Py_ssize_t capacity
    int64_t* ends               # of the rows; the first is 0
    uint8_t* validity
    Buffer data


cdef class TextColumn:
    cdef readonly Py_ssize_t length
    cdef readonly bytes offsets
    cdef readonly bytes validity
    cdef readonly bytes data


# A list of builders; free_builders() releases them.
cdef Builder* make_builders(int count, Py_ssize_t rows) except NULL
cdef void free_builders(Builder* builders, int count) noexcept nogil
cdef list columns_of(Builder* builders, int count)

# Ends the row whose text has been pushed to `data`; a text that is not UTF-8 becomes it. Or makes the row null.
cdef void end_row(Builder* self, bint is_null) noexcept nogil

# Writes the text of a string of JSON whose quotes are left out.
cdef void push_string(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil


cdef class RowStore:
    cdef int columns
    cdef Py_ssize_t rows
    cdef int64_t* offsets       # of the rows, in the file or in memory; after the last one is the end
    cdef Py_ssize_t offsets_capacity
    cdef uint8_t* data          # what is not written yet
    cdef Py_ssize_t length, capacity
    cdef int64_t written        # bytes
    cdef object file, lock
