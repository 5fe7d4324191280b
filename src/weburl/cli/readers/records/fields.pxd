from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from weburl._core.buffer cimport Buffer
from weburl.cli.readers.text_column cimport Builder


# A part of a line. It has no text if there is no such part.
ctypedef struct Slice:
    const uint8_t* text
    Py_ssize_t length


# A field that is wanted: its whole name, and the steps of its path. One without a text stands for each element of an array.
ctypedef struct Field:
    Slice* names
    int n_names                 # the first is the whole name; 1 if it has no path
    Slice whole                 # what the object has under these names
    Slice first


# Reads a line. `at` is how far, and where it is wrong if `is_wrong`.
ctypedef struct Reader:
    const uint8_t* at
    const uint8_t* end
    bint is_wrong
    Field* fields
    int n_fields
    Buffer key                  # with escapes decoded
    # With all members, in JSON, but for those with these names.
    Builder* members
    Slice* left_out
    int n_left_out


cdef inline void skip_space(Reader* self) noexcept nogil:
    while self.at < self.end and (
        self.at[0] == c' ' or self.at[0] == c'\t' or self.at[0] == c'\r' or self.at[0] == c'\n'
    ):
        self.at += 1


cdef inline bint skip(Reader* self, uint8_t c) noexcept nogil:
    if self.at < self.end and self.at[0] == c:
        self.at += 1
        return True
    return False


cdef inline bint fail(Reader* self) noexcept nogil:
    self.is_wrong = True
    return False


cdef inline bint is_same(const Slice* one, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    return one.length == length and memcmp(one.text, text, length) == 0


cdef inline bint skip_digits(Reader* self) noexcept nogil:
    cdef const uint8_t* begin = self.at
    while self.at < self.end and c'0' <= self.at[0] <= c'9':
        self.at += 1
    return self.at > begin or fail(self)


cdef inline bint skip_word(Reader* self, const char* word, Py_ssize_t length) noexcept nogil:
    if self.end - self.at < length or memcmp(self.at, word, length):
        return fail(self)
    self.at += length
    return True
