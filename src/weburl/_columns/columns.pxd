from libc.stdint cimport uint8_t, uint64_t

from weburl._columns.batch cimport Batch, ColumnBuffers
from weburl._columns.worker cimport Worker
from weburl._core.status cimport RAISED, Status

# The parts of parse_url() that are not components.
cdef enum SQLPart:
    FILE_PART
    AUTHORITY_PART
    USERINFO_PART

# Puts the worker's block of rows into a column; NO_MEMORY or OK.
ctypedef Status (*Writer)(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil

cdef Status put_component(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_sql_part(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_host_type(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_error(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_valid(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_origin(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_query_value(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_query_pairs(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_site(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_public_suffix(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_is_private(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_host_in(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_fingerprint(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_redactions(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_pattern_test(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_group(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_route(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
cdef Status put_route_groups(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil

# Matches the rows of a block, for these four.
cdef Status match_block(Batch batch, Worker* worker) noexcept nogil

cdef void put_bits(uint8_t* bits, Py_ssize_t block, uint64_t word) noexcept nogil
cdef int count_bits(uint64_t word) noexcept nogil
