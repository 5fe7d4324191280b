from libc.stdint cimport uint8_t

from weburl._core.buffer cimport Buffer
from weburl._core.record cimport URLView
from weburl._crawl.policy cimport Rules


# Pushes a text with its escapes decoded until none are left, including those that decoding makes.
cdef void push_unescaped(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil

# Pushes the SURT of an http or https URL.
cdef void push_surt(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil

# Pushes the SURT of any URL, as the library surt writes it.
cdef void push_exact_surt(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil

# Pushes a URL for a SURT, which need not parse; false if the text is not a SURT.
cdef bint push_url_of_surt(Buffer* out, const uint8_t* p, Py_ssize_t n, const Rules* rules) noexcept nogil
