from weburl._core.buffer cimport Buffer
from weburl._core.record cimport URLView
from weburl._crawl.policy cimport Rules


# Pushes the canonical form of a URL, into a buffer that is empty.
cdef void push_canonical(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil
