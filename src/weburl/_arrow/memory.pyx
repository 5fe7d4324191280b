"""Memory for columns. What one column has given back, the next one takes.

The C library returns it to the system instead, which clears each page when it is used again: that would take longer than
to parse what is written there.
"""

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

from weburl._core.record cimport WEBURL_DEBUG

cdef extern from "pythread.h":
    ctypedef void* PyThread_type_lock
    PyThread_type_lock PyThread_allocate_lock()
    int PyThread_acquire_lock(PyThread_type_lock, int) nogil
    void PyThread_release_lock(PyThread_type_lock) nogil
    const int NOWAIT_LOCK

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef enum:
    SMALLEST = 1 << 14          # smaller blocks are the C library's, which keeps these itself
    BLOCKS = 512


ctypedef struct Block:
    uint8_t* data
    Py_ssize_t size


# The blocks that are kept. No thread waits for another, nor for one that a fork has left behind: while the lock is taken,
# the C library serves.
cdef PyThread_type_lock lock = PyThread_allocate_lock()
cdef Block[BLOCKS] blocks
cdef int n_blocks = 0
cdef int next_out = 0
cdef Py_ssize_t kept = 0
# A debug build keeps nothing, so that its tools see what is used after it was given back.
cdef Py_ssize_t limit = 0 if WEBURL_DEBUG else 1 << 27


cdef inline bint is_ours() noexcept nogil:
    return lock != NULL and PyThread_acquire_lock(lock, NOWAIT_LOCK) == 1


cdef uint8_t* take_out(int i) noexcept nogil:
    global n_blocks, kept
    cdef uint8_t* data = blocks[i].data
    n_blocks -= 1
    kept -= blocks[i].size
    blocks[i] = blocks[n_blocks]
    return data


# Frees blocks until `size` more bytes, in one block, are within the limit.
cdef void make_room(Py_ssize_t size) noexcept nogil:
    global next_out
    while n_blocks and (n_blocks == BLOCKS or kept + size > limit):
        next_out = (next_out + 1) % n_blocks
        free(take_out(next_out))


cdef uint8_t* take_memory(Py_ssize_t size, Py_ssize_t* capacity) noexcept nogil:
    cdef uint8_t* data
    cdef int i, best = -1
    if size >= SMALLEST and is_ours():
        for i in range(n_blocks):
            # Of those that are not much too large, the smallest.
            if 0 <= blocks[i].size - size <= size // 2 + SMALLEST and (best < 0 or blocks[i].size < blocks[best].size):
                best = i
        if best >= 0:
            capacity[0] = blocks[best].size
            data = take_out(best)
            PyThread_release_lock(lock)
            return data
        PyThread_release_lock(lock)
    capacity[0] = size
    data = <uint8_t*> malloc(size)
    if data == NULL and is_ours():
        # What is kept may be what is missing.
        while n_blocks:
            free(take_out(0))
        PyThread_release_lock(lock)
        data = <uint8_t*> malloc(size)
    return data


cdef void give_memory(void* data, Py_ssize_t capacity) noexcept nogil:
    global n_blocks, kept
    if data == NULL or not SMALLEST <= capacity <= limit or not is_ours():
        free(data)
        return
    make_room(capacity)
    blocks[n_blocks].data = <uint8_t*> data
    blocks[n_blocks].size = capacity
    n_blocks += 1
    kept += capacity
    PyThread_release_lock(lock)


cdef bint grow_memory(uint8_t** data, Py_ssize_t* capacity, int64_t needed) noexcept nogil:
    cdef int64_t wanted = capacity[0]
    cdef Py_ssize_t size = PY_SSIZE_T_MAX
    cdef uint8_t* grown
    if needed > PY_SSIZE_T_MAX:
        return False
    wanted = max(needed, wanted + wanted // 2, <int64_t> 64)
    if wanted < PY_SSIZE_T_MAX:
        size = <Py_ssize_t> wanted
    if size < SMALLEST:
        grown = <uint8_t*> realloc(data[0], size)
    else:
        grown = take_memory(size, &size)
        if grown != NULL and data[0] != NULL:
            memcpy(grown, data[0], capacity[0])
            give_memory(data[0], capacity[0])
    if grown == NULL:
        return False
    data[0] = grown
    capacity[0] = size
    return True


def keep_at_most(Py_ssize_t size):
    """Sets how many bytes are kept, for tests; returns the limit before."""
    global limit
    cdef Py_ssize_t before = limit
    limit = size
    if is_ours():
        make_room(0)
        PyThread_release_lock(lock)
    return before


def kept_memory():
    """How many bytes are kept."""
    return kept
