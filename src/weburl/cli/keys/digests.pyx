"""The keys of rows: 16 bytes for each, without the GIL."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from weburl._arrow.arrow cimport has_bit
from weburl._arrow.batch cimport DIGESTS, STRINGS, Batch, ColumnBuffers, validity_of
from weburl._crawl.blake2b cimport blake2b


def digests_of(Batch batch not None):
    """The keys of the rows of a batch, and a byte for each row: 1 if it has a key, 2 if it has not, 0 if it is not a URL.

    The key is the first column: a fingerprint of 128 bits, or the digest of a text. Where that is null or empty, it is the
    second column.
    """
    cdef Py_ssize_t count = batch.length, row
    cdef bytes keys = PyBytes_FromStringAndSize(NULL, 16 * count)
    cdef bytes marks = PyBytes_FromStringAndSize(NULL, count)
    cdef uint8_t* to = <uint8_t*> <char*> keys
    cdef uint8_t* marked = <uint8_t*> <char*> marks
    cdef const ColumnBuffers* first = &batch.columns[0]
    cdef int others = batch.n_columns - 1
    if first.type == DIGESTS:
        with nogil:
            memcpy(to, first.slots, 16 * count)
            for row in range(count):
                marked[row] = has_bit(batch.validity, row)
        return keys, marks
    if first.type != STRINGS or others and batch.columns[1].type != STRINGS:
        raise ValueError("a key is a fingerprint of 128 bits or a text")
    with nogil:
        memset(to, 0, 16 * count)
        for row in range(count):
            if not has_bit(batch.validity, row):
                marked[row] = 0
            elif put_digest(to + 16 * row, batch, first, row):
                marked[row] = 1
            elif others > 0 and put_digest(to + 16 * row, batch, &batch.columns[1], row):
                marked[row] = 1
            else:
                marked[row] = 2
    return keys, marks


cdef bint put_digest(uint8_t* to, Batch batch, const ColumnBuffers* column, Py_ssize_t row) noexcept nogil:
    cdef const int64_t* bounds = <const int64_t*> column.slots + row
    cdef uint64_t[8] digest
    if not has_bit(validity_of(batch, column), row) or bounds[1] == bounds[0]:
        return False
    blake2b(digest, column.data + bounds[0], bounds[1] - bounds[0])
    memcpy(to, digest, 16)
    return True
