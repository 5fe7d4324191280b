# A fast path for blocks of rows, which job.pyx of _arrow uses: door.h makes the records of plain http and https rows, all
# at once. For each such row, read_prefix() of texts.pyx would make the same record, to the end of the row.

from libc.stdint cimport uint8_t

from weburl._core.buffer cimport as_offset
from weburl._core.host cimport HOST_DOMAIN
from weburl._core.parser cimport length_limit
from weburl._core.percent cimport kernels
from weburl._core.record cimport HTTP, Record, clear_record

cdef extern from "rows.h":
    ctypedef struct Door:
        Record[2] records
        const uint8_t* end
        size_t longest
        bint status_only
        bint host_only

cdef enum:
    LONGEST_ROW = 1 << 13       # so that a block takes no long time


# A door without `end`; false if it would let in nothing. `host_only` is that of a parser.
cdef inline bint open_door(Door* self, bint status_only, bint host_only) noexcept nogil:
    cdef Record* record
    cdef int secure
    # In a SchemeType, https comes after http.
    for secure in range(2):
        record = &self.records[secure]
        clear_record(record)
        record.scheme_type = <uint8_t> (HTTP + secure)
        record.host_type = HOST_DOMAIN
        record.scheme_end = as_offset(4 + secure)
        record.username_end = record.host_start = as_offset(7 + secure)
    self.end = NULL
    self.status_only = status_only
    self.host_only = host_only
    # What follows a host can become three times as long, and then it is too long.
    self.longest = <size_t> min(length_limit // 3 if host_only else length_limit, <Py_ssize_t> LONGEST_ROW)
    return kernels.door != NULL and self.longest >= 8
