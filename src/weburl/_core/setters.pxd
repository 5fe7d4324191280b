from libc.stdint cimport uint8_t

from weburl._core.buffer cimport Buffer
from weburl._core.host cimport DomainToASCII
from weburl._core.record cimport Part, Record, URLView
from weburl._core.status cimport Status

# https://url.spec.whatwg.org/#url-class: the setter of `part`. If `out` is not empty afterwards, it and `record` are the
# changed URL. That is so with OK and with a port failure of HOST, which keeps the host that comes before the port.
cdef Status set_part(
    const URLView* url, Part part, const uint8_t* value, Py_ssize_t n, DomainToASCII* to_ascii, Buffer* out, Record* record
) noexcept nogil

# The URL with this query, which is percent-encoded already; NULL is a null query.
cdef void set_query(const URLView* url, const uint8_t* query, Py_ssize_t n, Buffer* out, Record* record) noexcept nogil
