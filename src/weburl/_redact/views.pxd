from libc.stdint cimport uint8_t

from weburl._core.buffer cimport Buffer
from weburl._redact.forms cimport Kind, Names, Place


# What a part of a text says: the part as it is written, and without its escapes.
ctypedef struct Part:
    const uint8_t* raw
    Py_ssize_t raw_length
    const uint8_t* p
    Py_ssize_t length

# Reads a part. What it says is valid until `decoded`, which it uses, is used for another part.
cdef void read_part(Part* self, Buffer* decoded, const uint8_t* raw, Py_ssize_t length) noexcept nogil
# The form of a secret in a part, however it is quoted. Moves what the part says, if it is in `decoded`.
cdef Kind form_of_part(Part* self, Buffer* decoded, Place place, const Names* names) noexcept nogil
# Whether a part, without the escapes of JSON, ends with a colon, and perhaps solidi; and whether it has an @ after its
# first byte.
cdef bint ends_with_colon(Part* self, Buffer* decoded) noexcept nogil
cdef bint has_inner_at(Part* self, Buffer* decoded) noexcept nogil
