from libc.stdint cimport int64_t, uint8_t

# Memory for columns, of at least `size` bytes and not zeroed; `capacity` gets its size. NULL if there is none.
cdef uint8_t* take_memory(Py_ssize_t size, Py_ssize_t* capacity) noexcept nogil

# Keeps or frees a block of malloc(). `capacity` is at most its size; 0 frees it.
cdef void give_memory(void* data, Py_ssize_t capacity) noexcept nogil

# More room, at least for `needed` bytes; false if there is none. It has 64 bits, so that a sum of two sizes fits.
cdef bint grow_memory(uint8_t** data, Py_ssize_t* capacity, int64_t needed) noexcept nogil
