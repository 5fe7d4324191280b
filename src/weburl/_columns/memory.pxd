from libc.stdint cimport uint8_t

# Memory for columns, of at least `size` bytes and not zeroed; `capacity` gets its size. NULL if there is none.
cdef uint8_t* take_memory(Py_ssize_t size, Py_ssize_t* capacity) noexcept nogil

# What has been taken, or any memory of malloc(). If it is smaller than `capacity`, that is 0.
cdef void give_memory(void* data, Py_ssize_t capacity) noexcept nogil

# More room, at least for `needed` bytes; false if there is none.
cdef bint grow_memory(uint8_t** data, Py_ssize_t* capacity, Py_ssize_t needed) noexcept nogil
