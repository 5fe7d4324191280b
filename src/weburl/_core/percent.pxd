from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

from weburl._core.ascii cimport CLASS_DOT, CLASS_PATH_STOP, byte_class
from weburl._core.buffer cimport Buffer, release

cdef extern from "bits.h" nogil:
    unsigned lowest_bit(uint64_t mask) noexcept

cdef extern from "scan.h":
    ctypedef struct Kernels:
        Py_ssize_t (*run)(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint16_t class_) noexcept nogil
        Py_ssize_t (*domain)(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, Py_ssize_t* label) noexcept nogil
        Py_ssize_t (*path)(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil
        uint64_t (*marks)(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint16_t class_) noexcept nogil
        # For arrays of ParsedRow, with a Door.
        uint64_t (*door)(void* rows, int count, const void* door, int64_t* length) noexcept nogil
        const char* name

cdef extern from "Python.h":
    str PyUnicode_New(Py_ssize_t size, Py_UCS4 maxchar)
    void* PyUnicode_DATA(object o) nogil
    bint PyUnicode_IS_ASCII(object o) nogil
    Py_ssize_t PyUnicode_GET_LENGTH(object o) nogil

cdef extern from *:
    """
    #define weburl_new_ascii_data(text) ((uint8_t *)((PyASCIIObject *)(text) + 1))
    """
    # The bytes of a str that PyUnicode_New() has made for ASCII.
    uint8_t* new_ascii_data "weburl_new_ascii_data"(str text) noexcept


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
    cdef uint16_t classes
    while i < soon:
        classes = byte_class[p[i]] & (CLASS_PATH_STOP | CLASS_DOT)
        if classes and (classes & CLASS_PATH_STOP or before == c'/'):
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


# The UTF-8 bytes of a str as a scalar value string: those of the str itself where it is ASCII, else of `buffer`.
ctypedef struct Utf8Text:
    const uint8_t* data
    Py_ssize_t length
    Buffer buffer
    uint8_t[512] scratch


cdef int open_other_utf8(Utf8Text* self, object text) except -1


cdef inline int open_utf8(Utf8Text* self, object text) except -1:
    if not PyUnicode_IS_ASCII(text):
        return open_other_utf8(self, text)
    self.data = <const uint8_t*> PyUnicode_DATA(text)
    self.length = PyUnicode_GET_LENGTH(text)
    self.buffer.capacity = 0
    return 0


cdef inline void close_utf8(Utf8Text* self) noexcept:
    release(&self.buffer)


# Pushes p[0:n], its bytes in the set percent-encoded.
cdef void percent_encode(Buffer* out, const uint8_t* p, Py_ssize_t n, uint16_t percent_encode_set) noexcept nogil
cdef void push_percent_encoded(Buffer* out, uint8_t byte) noexcept nogil
# The same for p[i] and for the bytes beyond ASCII after it, which are in all sets; returns their end.
cdef Py_ssize_t percent_encode_from(Buffer* out, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil
cdef void percent_decode(Buffer* out, const uint8_t* p, Py_ssize_t n, bint plus_to_space) noexcept nogil


cdef bint is_utf8(const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef void push_utf8(Buffer* out, int kind, const void* data, Py_ssize_t n) noexcept nogil
cdef void push_decoded(Buffer* out, const uint8_t* p, Py_ssize_t n, bint replace) noexcept nogil


cdef inline str ascii_text(const uint8_t* p, Py_ssize_t n):
    cdef str text = PyUnicode_New(n, 127)
    memcpy(new_ascii_data(text), p, n)
    return text


cdef str utf8_text(const uint8_t* p, Py_ssize_t n)
cdef str usv_text(object text)
cdef int raise_for(Buffer* self) except -1

# https://url.spec.whatwg.org/#string-percent-encode-after-encoding for a legacy encoding (an encoding.Encoding).
cdef bytes percent_encode_after_encoding(object encoding, str text, uint16_t percent_encode_set)
