from libc.stdint cimport uint8_t

from weburl._core.buffer cimport Buffer
from weburl._redact.forms cimport Names


# Pushes a text without its secrets, or nothing if there are none; says which. `spans` gets each HiddenSpan, if it is not
# NULL.
cdef bint redact_text_into(
    Buffer* out, Buffer* decoded, const uint8_t* p, Py_ssize_t n, const Names* names, Buffer* spans
) noexcept nogil
