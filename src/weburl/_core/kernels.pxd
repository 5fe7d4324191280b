from libc.stdint cimport uint8_t, uint16_t

from weburl._core.ascii cimport CLASS_DOT, CLASS_PATH_STOP, byte_class

cdef extern from "scan.h":
    ctypedef struct Kernels:
        Py_ssize_t (*run)(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint16_t class_) noexcept nogil
        Py_ssize_t (*domain)(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, Py_ssize_t* label) noexcept nogil
        Py_ssize_t (*path)(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil
        const char* name


# Those for the machine's processor.
cdef const Kernels* kernels


# From i on, where `before` is the byte before it: the first index that the path state looks at, which is a byte of
# CLASS_PATH_STOP, or one that can be the first of a dot segment; else n.
cdef inline Py_ssize_t scan_path(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint8_t before) noexcept nogil:
    cdef uint16_t found
    if i == n:
        return n
    found = byte_class[p[i]] & (CLASS_PATH_STOP | CLASS_DOT)
    if found and (found & CLASS_PATH_STOP or before == c'/'):
        return i
    return kernels.path(p, i + 1, n)
