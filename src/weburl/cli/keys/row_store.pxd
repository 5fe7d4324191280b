from libc.stdint cimport int64_t, uint8_t


cdef class RowStore:
    cdef int columns
    cdef Py_ssize_t rows
    cdef int64_t* offsets       # of the rows, in the file or in memory; after the last one is the end
    cdef Py_ssize_t offsets_capacity
    cdef uint8_t* data          # what is not written yet
    cdef Py_ssize_t length, capacity
    cdef int64_t written        # bytes
    cdef object file, lock
