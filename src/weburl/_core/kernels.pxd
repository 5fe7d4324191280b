from libc.stdint cimport uint8_t, uint16_t, uint64_t

from weburl._core.ascii cimport CLASS_DOT, CLASS_PATH_STOP, byte_class

cdef extern from "bits.h" nogil:
    unsigned lowest_bit(uint64_t mask) noexcept

cdef extern from "scan.h":
    ctypedef struct Kernels:
        Py_ssize_t (*run)(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint16_t class_) noexcept nogil
        Py_ssize_t (*domain)(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, Py_ssize_t* label) noexcept nogil
        Py_ssize_t (*path)(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil
        uint64_t (*marks)(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint16_t class_) noexcept nogil
        const char* name


# Those for the machine's processor.
cdef const Kernels* kernels


# A kernel takes longer than a loop over some bytes, and often one of these ends the run.
cdef enum:
    SOON = 4


# The first index from i on whose byte is in a class, of those that kernels know; else n.
cdef inline Py_ssize_t scan_run(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint16_t class_) noexcept nogil:
    cdef Py_ssize_t soon = min(i + SOON, n)
    while i < soon:
        if byte_class[p[i]] & class_:
            return i
        i += 1
    return kernels.run(p, i, n, class_) if i < n else n


# From i on, where `before` is the byte before it: the first index that the path state looks at, which is a byte of
# CLASS_PATH_STOP, or one that can be the first of a dot segment; else n.
cdef inline Py_ssize_t scan_path(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint8_t before) noexcept nogil:
    cdef Py_ssize_t soon = min(i + SOON, n)
    cdef uint16_t found
    while i < soon:
        found = byte_class[p[i]] & (CLASS_PATH_STOP | CLASS_DOT)
        if found and (found & CLASS_PATH_STOP or before == c'/'):
            return i
        before = p[i]
        i += 1
    return kernels.path(p, i, n) if i < n else n


# Finds the bytes of p[0:n] that are in a class, of those that kernels know: one after the other, 64 bytes at a time.
ctypedef struct Marks:
    const uint8_t* p
    Py_ssize_t n
    uint16_t class_
    Py_ssize_t begin            # what `left` is about
    uint64_t left


cdef inline void open_marks(Marks* self, const uint8_t* p, Py_ssize_t n, uint16_t class_) noexcept nogil:
    self.p = p
    self.n = n
    self.class_ = class_
    self.begin = 0
    self.left = kernels.marks(p, 0, n, class_) if n else 0


# The index of the next one, else n.
cdef inline Py_ssize_t next_mark(Marks* self) noexcept nogil:
    cdef Py_ssize_t i
    while self.left == 0:
        if self.n - self.begin <= 64:
            return self.n
        self.begin += 64
        self.left = kernels.marks(self.p, self.begin, self.n, self.class_)
    i = self.begin + lowest_bit(self.left)
    self.left &= self.left - 1
    return i
