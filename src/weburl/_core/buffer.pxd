# Bytes that are written, for serializations and columns: a buffer that grows, and stays the source while it equals it.

from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy

from weburl._core.status cimport NO_MEMORY, OK, TOO_LONG, Status

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX     # the limit of a buffer that needs none

cdef extern from "offsets.h":
    ctypedef uint32_t Offset            # of a byte in a serialization
    const Offset OMITTED "WEBURL_OMITTED"
    const Py_ssize_t MAX_LENGTH "WEBURL_MAX_LENGTH"
    const Py_ssize_t MOST_POOL "WEBURL_MOST_POOL"   # bytes, if offsets of 32 bits tell where they are


# Growable output. It starts on scratch memory of its owner's stack and moves to the heap when that is full. It can also
# be *kept*: then `data` is the source itself, no byte is written, and what has been pushed so far equals the source's
# first `length` bytes; the first push that differs ends that.
#
# A push never fails visibly: when memory or the limit runs out, `status` says so and later pushes are dropped. Neither the
# capacity nor a source that is kept passes the limit, so `length` is at most the limit at any time.
ctypedef struct Buffer:
    uint8_t* data
    Py_ssize_t length
    Py_ssize_t capacity         # 0 while kept
    Py_ssize_t source_length    # while kept
    uint8_t* scratch
    Py_ssize_t scratch_size
    Py_ssize_t limit
    Status status


cdef inline void start(Buffer* self, uint8_t* scratch, Py_ssize_t size, Py_ssize_t limit) noexcept nogil:
    self.data = self.scratch = scratch
    self.capacity = self.scratch_size = min(size, limit)
    self.length = self.source_length = 0
    self.limit = limit
    self.status = OK


# Does nothing if the source is longer than the limit.
cdef inline void keep(Buffer* self, const uint8_t* source, Py_ssize_t length) noexcept nogil:
    if length > self.limit:
        return
    self.data = <uint8_t*> source
    self.source_length = length
    self.capacity = 0


cdef inline bint is_kept(const Buffer* self) noexcept nogil:
    return self.capacity == 0


cdef inline void release(Buffer* self) noexcept nogil:
    if self.capacity and self.data != self.scratch:
        free(self.data)
        start(self, self.scratch, self.scratch_size, self.limit)


# Makes room for n more bytes; false if that fails.
cdef inline bint grow(Buffer* self, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t size
    cdef uint8_t* data
    if self.status or n > self.limit - self.length:
        self.status = self.status or TOO_LONG
        return False
    # None of these passes the limit, nor does a sum on the way.
    size = max(self.length + n, self.capacity + min(self.capacity, self.limit - self.capacity), self.scratch_size)
    if self.capacity == 0 and size == self.scratch_size:
        data = self.scratch
    else:
        data = <uint8_t*> (realloc(self.data, size) if self.capacity and self.data != self.scratch else malloc(size))
    if data == NULL:
        self.status = NO_MEMORY
        return False
    if self.capacity == 0 or self.data == self.scratch:
        memcpy(data, self.data, self.length)
    self.data = data
    self.capacity = size
    return True


cdef inline bint reserve(Buffer* self, Py_ssize_t n) noexcept nogil:
    return n <= self.capacity - self.length or grow(self, n)


cdef inline void push_slow(Buffer* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    if self.capacity == 0 and n <= self.source_length - self.length and memcmp(self.data + self.length, p, n) == 0:
        self.length += n
    elif grow(self, n):
        memcpy(self.data + self.length, p, n)
        self.length += n


cdef inline void push(Buffer* self, uint8_t c) noexcept nogil:
    if self.length < self.capacity:
        self.data[self.length] = c
        self.length += 1
    elif self.capacity == 0 and self.length < self.source_length and self.data[self.length] == c:
        self.length += 1
    else:
        push_slow(self, &c, 1)


cdef inline void push_run(Buffer* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    if n <= self.capacity - self.length:
        memcpy(self.data + self.length, p, n)
        self.length += n
    elif self.capacity == 0 and p == self.data + self.length:
        self.length += n
    else:
        push_slow(self, p, n)


# Of a code point, also of a surrogate, the bytes of UTF-8.
cdef inline void push_code_point(Buffer* self, int code) noexcept nogil:
    if code < 0x80:
        push(self, <uint8_t> code)
        return
    if code < 0x800:
        push(self, <uint8_t> (0xC0 | code >> 6))
    else:
        if code < 0x10000:
            push(self, <uint8_t> (0xE0 | code >> 12))
        else:
            push(self, <uint8_t> (0xF0 | code >> 18))
            push(self, <uint8_t> (0x80 | code >> 12 & 0x3F))
        push(self, <uint8_t> (0x80 | code >> 6 & 0x3F))
    push(self, <uint8_t> (0x80 | code & 0x3F))


# Only here does a length become an Offset: of an output, or of an input that could be kept. Both are within the limit,
# which is at most MAX_LENGTH.
cdef inline Offset as_offset(Py_ssize_t length) noexcept nogil:
    return <Offset> length


# Where the next byte goes.
cdef inline Offset end_offset(const Buffer* self) noexcept nogil:
    return as_offset(self.length)
