from weburl._core.buffer cimport Buffer
from weburl._core.record cimport Record, URLView
from weburl._core.status cimport Status
from weburl._crawl.policy cimport Rules


# Pushes the canonical form of a URL, into a buffer that is empty.
cdef void push_canonical(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil

# The serialization of a str or a URL; None if it does not parse.
cdef str href_of(object url, Record* record, Status* status)
