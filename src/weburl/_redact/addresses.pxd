from libc.stdint cimport uint8_t

from weburl._core.buffer cimport Buffer


# Pushes addresses, shortened; false if it is anything else.
cdef bint push_networks(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil
