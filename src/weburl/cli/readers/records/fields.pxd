from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcmp, memcpy

from weburl._core.buffer cimport Buffer, push, push_run
from weburl.cli.readers.text_column cimport Builder


# A part of a line. It has no text if there is no such part.
ctypedef struct Slice:
    const uint8_t* text
    Py_ssize_t length


# A field that is wanted: its whole name, and the names that it has between dots.
ctypedef struct Field:
    Slice* names
    int n_names                 # the first is the whole name; 1 if it has no dot, and no others
    Slice whole                 # what the object has under these names
    Slice first
    const uint8_t* inside       # the object that `first` is looked for in, if not the line's, and the number of its name
    int level


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


# Whether one of eight bytes is a quote, a backslash or a control character. Some others may count as one of these.
cdef inline bint has_special(const uint8_t* p) noexcept nogil:
    cdef uint64_t bytes, quotes, escapes, ones = 0x0101010101010101
    memcpy(&bytes, p, 8)
    quotes = bytes ^ ones * 0x22
    escapes = bytes ^ ones * 0x5C
    return ((quotes - ones) | (escapes - ones) | (bytes - ones * 0x20)) & ~bytes & ones * 0x80 != 0


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


# These go over what is there. They are false, and note that it is wrong, if it is not JSON.
cdef bint skip_string(Reader* self, bint* has_escapes) noexcept nogil
cdef bint skip_value(Reader* self, int depth) noexcept nogil


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


cdef inline bint next_element(Reader* self, bint is_first) noexcept nogil:
    self.at += is_first
    skip_space(self)
    if skip(self, c']'):
        return False
    if not is_first and not skip(self, c','):
        return fail(self)
    skip_space(self)
    return self.at < self.end or fail(self)


cdef inline void push_member(Buffer* out, const Slice* name, const uint8_t* value, const uint8_t* end) noexcept nogil:
    if out.data[out.length - 1] != c'{':
        push(out, c',')
    push_run(out, name.text, name.length)
    push(out, c':')
    push_run(out, value, end - value)


cdef inline void set_run(Slice* to, const uint8_t* begin, const uint8_t* end) noexcept nogil:
    to.text = begin
    to.length = end - begin


cdef inline bint skip_number(Reader* self) noexcept nogil:
    skip(self, c'-')
    if not skip(self, c'0') and not skip_digits(self):
        return False
    if skip(self, c'.') and not skip_digits(self):
        return False
    if skip(self, c'e') or skip(self, c'E'):
        if not skip(self, c'+'):
            skip(self, c'-')
        return skip_digits(self)
    return True


cdef inline void set_name(Slice* to, bytes name) noexcept:
    to.text = <const uint8_t*> <const char*> name
    to.length = len(name)
