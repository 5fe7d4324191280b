"""The scans of scan.h, by the instructions that the machine's processor has."""

from cpython.buffer cimport PyBUF_SIMPLE, Py_buffer, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport uint8_t, uint16_t

cdef extern from "kernels.h":
    enum: MOST_KERNELS
    int usable_kernels(const Kernels** found) noexcept

cdef (const Kernels*)[MOST_KERNELS] usable
cdef int n_usable = usable_kernels(usable)
kernels = usable[0]


def kernel_name():
    """The instruction set that is in use."""
    return kernels.name.decode()


def kernel_names():
    """Those that the processor has, best first; "plain" is C without any."""
    return [usable[i].name.decode() for i in range(n_usable)]


def choose_kernels(str name not None):
    """Uses the kernels of a name, for tests."""
    global kernels
    kernels = usable[kernel_names().index(name)]


def scan(str kernel not None, data, Py_ssize_t i, int class_=0):
    """What a kernel finds, for tests: an index; of a domain, also where its last label starts; of marks, their bits."""
    cdef Py_buffer buffer
    cdef const uint8_t* p
    cdef Py_ssize_t label = 0
    PyObject_GetBuffer(data, &buffer, PyBUF_SIMPLE)
    try:
        p = <const uint8_t*> buffer.buf
        if kernel == "run":
            return kernels.run(p, i, buffer.len, <uint16_t> class_)
        if kernel == "marks":
            return kernels.marks(p, i, buffer.len, <uint16_t> class_)
        if kernel == "path":
            return kernels.path(p, i, buffer.len)
        i = kernels.domain(p, i, buffer.len, &label)
        return i, label
    finally:
        PyBuffer_Release(&buffer)
