from weburl._core.buffer cimport Buffer
from weburl._core.record cimport URLView
from weburl._crawl.policy cimport Rules


# Pushes the canonical form of a URL.
cdef void push_canonical(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil
