# A part of counts.pyx: what it uses of tally.h.

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

cdef extern from "cli/counting/tally.h":
    enum:
        LONGEST
        REGISTER_BITS

    ctypedef enum Outcome:
        COUNTED
        FULL
        OUT_OF_MEMORY

    ctypedef struct Entry:
        uint64_t hash
        int64_t count
        int64_t missed
        uint32_t length
        uint32_t offset

    ctypedef struct Tally:
        Entry* entries
        Py_ssize_t n
        uint8_t* pool
        Py_ssize_t pool_length
        int64_t total
        int64_t missed
        uint8_t* registers

    unsigned highest_bit(uint64_t mask) noexcept nogil
    int64_t select_number(int64_t* numbers, Py_ssize_t n, Py_ssize_t k, uint64_t random) noexcept nogil
    uint32_t bucket_of(double number) noexcept nogil
    double least_of_bucket(uint32_t bucket) noexcept nogil
    double read_number(const uint8_t* p, Py_ssize_t n) noexcept nogil
    Py_ssize_t kept_length(const Entry* entry) noexcept nogil
    void open_tally(Tally* self, Py_ssize_t most_texts, Py_ssize_t most_bytes) noexcept nogil
    void close_tally(Tally* self) noexcept nogil
    void clear_tally(Tally* self) noexcept nogil
    Outcome count_hashed(Tally* self, uint64_t hash, const uint8_t* p, Py_ssize_t n, int64_t times) noexcept nogil
    Outcome add_tally(Tally* self, const Tally* other) noexcept nogil
    Outcome forget_half(Tally* self, uint64_t random) noexcept nogil
    Py_ssize_t keep_entry(Tally* self, Py_ssize_t i, Py_ssize_t n, Py_ssize_t place) noexcept nogil
    void keep_entries(Tally* self, Py_ssize_t n, Py_ssize_t length) noexcept nogil
    bint has_hash(const Tally* self, uint64_t hash) noexcept nogil
    double estimate_different(const Tally* self) noexcept nogil
