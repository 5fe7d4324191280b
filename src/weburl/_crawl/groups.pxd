from libc.stdint cimport int64_t, uint8_t

from weburl._core.record cimport Record
from weburl._hosts.suffixes cimport Suffixes


# The registrable domain of a URL, or its host if there is none; the length is 0 without a host.
cdef const uint8_t* group_of(
    const Suffixes* suffixes, const uint8_t* href, const Record* record, Py_ssize_t* length
) noexcept nogil

cdef int64_t shard_of(const Suffixes* suffixes, const uint8_t* href, const Record* record, int64_t count) noexcept nogil
