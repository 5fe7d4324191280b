"""The scans of scan.h, by the instructions that the machine's processor has."""

from cpython.buffer cimport PyBUF_SIMPLE, Py_buffer, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport uint8_t, uint16_t

cdef extern from "kernels.h":
    const Kernels* best_kernels() noexcept
    const Kernels plain_kernels

kernels = best_kernels()


def kernel_name():
    """The instruction set that is in use."""
    return kernels.name.decode()


def choose_kernels(str name not None):
    """For tests: the kernels of a name, which is the processor's or "plain". Returns the name of those before."""
    global kernels
    cdef const Kernels* best = best_kernels()
    cdef str before = kernel_name()
    if name not in ("plain", best.name.decode()):
        raise ValueError(f"no kernels {name!r}")
    kernels = &plain_kernels if name == "plain" else best
    return before


def scan(str kernel not None, data, Py_ssize_t i, int class_=0):
    """What a kernel finds, for tests: an index; of a domain, also where its last label starts."""
    cdef Py_buffer buffer
    cdef const uint8_t* p
    cdef Py_ssize_t label = 0
    PyObject_GetBuffer(data, &buffer, PyBUF_SIMPLE)
    try:
        p = <const uint8_t*> buffer.buf
        if kernel == "run":
            return kernels.run(p, i, buffer.len, <uint16_t> class_)
        if kernel == "path":
            return kernels.path(p, i, buffer.len)
        i = kernels.domain(p, i, buffer.len, &label)
        return i, label
    finally:
        PyBuffer_Release(&buffer)
