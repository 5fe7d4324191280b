from libc.stdint cimport uint8_t, uint64_t

from weburl._columns.batch cimport Batch, ColumnBuffers
from weburl._columns.worker cimport Worker

# Puts the worker's block of rows into a column; false where memory runs out.
ctypedef bint (*Writer)(Batch batch, ColumnBuffers* column, Worker* worker) except -1 nogil

cdef bint put_component(Batch batch, ColumnBuffers* column, Worker* worker) except -1 nogil
cdef bint put_host_type(Batch batch, ColumnBuffers* column, Worker* worker) except -1 nogil
cdef bint put_error(Batch batch, ColumnBuffers* column, Worker* worker) except -1 nogil
cdef bint put_valid(Batch batch, ColumnBuffers* column, Worker* worker) except -1 nogil
cdef bint put_origin(Batch batch, ColumnBuffers* column, Worker* worker) except -1 nogil
cdef bint put_query_value(Batch batch, ColumnBuffers* column, Worker* worker) except -1 nogil
cdef bint put_query_pairs(Batch batch, ColumnBuffers* column, Worker* worker) except -1 nogil
cdef bint put_site(Batch batch, ColumnBuffers* column, Worker* worker) except -1 nogil
cdef bint put_public_suffix(Batch batch, ColumnBuffers* column, Worker* worker) except -1 nogil
cdef bint put_fingerprint(Batch batch, ColumnBuffers* column, Worker* worker) except -1 nogil

cdef void put_bits(uint8_t* bits, Py_ssize_t block, uint64_t word) noexcept nogil
cdef int count_bits(uint64_t word) noexcept nogil
