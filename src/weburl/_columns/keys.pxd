from libc.stdint cimport int32_t, uint8_t, uint64_t


ctypedef struct Key:
    const uint8_t* text
    Py_ssize_t length


# Names that queries are searched for.
ctypedef struct Keys:
    Key* keys
    int32_t count
    int32_t* slots              # by the hash of a name: the number of a key, or -1
    uint64_t mask
    uint64_t lengths            # a bit for the length of each key, modulo 64
    Py_ssize_t shortest


cdef class QueryKeys:
    cdef Keys keys
    cdef list texts


# Sets a single key, whose text stays where it is.
cdef void set_only_key(Keys* self, Key* key, const uint8_t* p, Py_ssize_t n) noexcept nogil

# Whether no key is as long as a name. Most other names end here.
cdef inline bint has_other_length(const Keys* self, Py_ssize_t n) noexcept nogil:
    return not self.lengths >> (n & 63) & 1

# The number of the key that a name is, or -1.
cdef int32_t find_key(const Keys* self, const uint8_t* p, Py_ssize_t n) noexcept nogil
