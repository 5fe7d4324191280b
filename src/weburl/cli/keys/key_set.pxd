from libc.stdint cimport uint64_t


cdef uint64_t hash_key(uint64_t high, uint64_t low) noexcept nogil
