from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t


cdef enum:
    LONGEST = 200               # bytes of a text that are kept
    REGISTER_BITS = 14
    RECENT = 1 << 11


cdef enum Outcome:
    COUNTED
    FULL
    OUT_OF_MEMORY


ctypedef struct Entry:
    uint64_t hash               # of the whole text
    int64_t count
    int64_t missed              # by how much the count may be too low
    uint32_t length             # of the whole text; it stops at the largest number
    uint32_t offset             # of its beginning, in the pool


# How often each text occurs. Texts of one hash and one length are one text. Nobody can choose two such texts, because the
# hash is keyed, and among 10**7 texts there are two by chance with a probability of 3 in a million.
#
# When there is no room for more texts, the rarest half is forgotten. An upper bound of each text's count is its count and
# what may have been missed before it came; `missed` is the largest upper bound of a text that was forgotten. It is that of
# the algorithm of Misra and Gries, https://doi.org/10.1016/0167-6423(82)90012-0: at most twice the sum of all counts
# divided by the number of texts for which there was room.
#
# From then on, different texts are estimated: https://doi.org/10.46298/dmtcs.3545 (HyperLogLog). The registers are NULL
# until then.
ctypedef struct Tally:
    Entry* entries              # in the order in which they came, as are their texts
    Py_ssize_t n
    Py_ssize_t capacity
    uint32_t* slots             # by hash: the number of an entry, from 1, or 0; of count_text(), RECENT of them
    uint64_t mask               # how many slots there are, less one
    uint8_t* pool
    Py_ssize_t pool_length
    Py_ssize_t pool_capacity
    Py_ssize_t most_texts       # beyond which count_text() answers FULL
    Py_ssize_t most_bytes
    int64_t total               # of all counts
    int64_t missed              # the largest count that a text without an entry can have
    uint8_t* registers


cdef void open_tally(Tally* self, Py_ssize_t most_texts, Py_ssize_t most_bytes) noexcept nogil
cdef void close_tally(Tally* self) noexcept nogil
cdef void clear_tally(Tally* self) noexcept nogil

# Counts a text, so many times, in a tally that is not the whole: only the texts that were counted last are looked for, where a processor
# has them at hand, so that a text can have several entries. add_tally() joins them.
cdef Outcome count_text(Tally* self, const uint8_t* p, Py_ssize_t n, int64_t times) noexcept nogil

# Adds the counts of a tally that has not forgotten a text. There is always room.
cdef Outcome add_tally(Tally* self, const Tally* other) noexcept nogil

# Forgets half of the texts, at least.
cdef Outcome forget_half(Tally* self) noexcept nogil

# How many different texts there are.
cdef double estimate_different(const Tally* self) noexcept nogil

# The largest count that at least so many texts have; 0 if there are not so many.
cdef int64_t nth_count(const Tally* self, Py_ssize_t number) except -1

cdef inline Py_ssize_t kept_length(const Entry* entry) noexcept nogil:
    return min(<Py_ssize_t> entry.length, <Py_ssize_t> LONGEST)
