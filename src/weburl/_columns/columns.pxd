from libc.stdint cimport uint8_t, uint64_t

from weburl._arrow.batch cimport Batch, ColumnBuffers
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
cdef Status put_query_map(Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
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

# Finds the values of keys in the rows of a block, for put_query_value() and put_query_map().
cdef Status find_values(Batch batch, Worker* worker) noexcept nogil

# Matches the rows of a block, for the last four.
cdef Status match_block(Batch batch, Worker* worker) noexcept nogil

cdef inline void put_bits(uint8_t* bits, Py_ssize_t block, uint64_t word) noexcept nogil:
    cdef int k
    for k in range(8):
        bits[8 * block + k] = <uint8_t> (word >> 8 * k)

cdef inline int count_bits(uint64_t word) noexcept nogil:
    # By pairs, by fours, by bytes; the product's highest byte is the sum of all.
    word -= word >> 1 & <uint64_t> 0x5555555555555555
    word = (word & <uint64_t> 0x3333333333333333) + (word >> 2 & <uint64_t> 0x3333333333333333)
    word = (word + (word >> 4)) & <uint64_t> 0x0F0F0F0F0F0F0F0F
    return <int> (word * <uint64_t> 0x0101010101010101 >> 56)
