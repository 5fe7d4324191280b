from weburl._core.buffer cimport Buffer
from weburl._core.record cimport URLView
from weburl._redact.forms cimport Names


# Pushes the template of a URL's path.
cdef void push_template(Buffer* out, Buffer* decoded, const URLView* url, const Names* names) noexcept nogil
