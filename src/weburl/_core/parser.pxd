from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free

from weburl._core.buffer cimport Buffer, release
from weburl._core.host cimport HOST_NULL, DomainToASCII, close_to_ascii
from weburl._core.record cimport Record, SchemeType, URLView
from weburl._core.status cimport Status


cdef enum State:
    SCHEME_START_STATE
    NO_SCHEME_STATE
    SPECIAL_RELATIVE_OR_AUTHORITY_STATE
    PATH_OR_AUTHORITY_STATE
    RELATIVE_STATE
    RELATIVE_SLASH_STATE
    SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE
    AUTHORITY_STATE
    HOST_STATE
    PORT_STATE
    FILE_STATE
    FILE_SLASH_STATE
    FILE_HOST_STATE
    PATH_START_STATE
    PATH_STATE
    PATH_REST_STATE             # the path state after a part of the path
    OPAQUE_PATH_STATE
    PATH_END_STATE
    QUERY_STATE
    FRAGMENT_STATE


# One run of the basic URL parser, called without the arguments url and state override. If parse() ends with
# NEED_DOMAIN, the caller answers to_ascii.domain; with NEED_ENCODE, it encodes input[pointer:query_end] into `query`.
# Then it calls parse() again.
ctypedef struct Parser:
    const uint8_t* input
    Py_ssize_t end
    Py_ssize_t pointer
    State state
    const URLView* base         # or NULL
    bint utf8                   # the encoding is UTF-8
    bint host_only              # may stop before the path if nothing after it can fail; `out` and the record end there
    uint8_t* stripped           # the input without tabs and newlines, or NULL
    Buffer out
    Record record
    DomainToASCII to_ascii
    Py_ssize_t host_end         # of the input, while in HOST_STATE
    Py_ssize_t query_end
    const uint8_t* query        # the encoded query, or NULL
    Py_ssize_t query_length
    uint8_t[1024] scratch


cdef void open_parser(
    Parser* self, const uint8_t* input, Py_ssize_t length, const URLView* base, bint utf8
) noexcept nogil
cdef Status parse(Parser* self) noexcept nogil


cdef inline void close_parser(Parser* self) noexcept nogil:
    release(&self.out)
    close_to_ascii(&self.to_ascii)
    if self.stripped != NULL:
        free(self.stripped)
        self.stripped = NULL


# Also used by the setters.
cdef SchemeType scheme_type(const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef int default_port(int scheme) noexcept nogil
cdef Py_ssize_t remove_tab_and_newline(uint8_t* out, const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef inline bint is_solidus(uint8_t c, bint special) noexcept nogil:
    return c == c'/' or (special and c == c'\\')


# Ends an authority and a host.
cdef inline bint is_delimiter(uint8_t c, bint special) noexcept nogil:
    return is_solidus(c, special) or c == c'?' or c == c'#'


cdef Py_ssize_t find_delimiter(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, bint special) noexcept nogil
cdef Py_ssize_t find_port_colon(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil
cdef Py_ssize_t scan_port(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint32_t* port) noexcept nogil
cdef void push_port(Buffer* out, uint32_t port) noexcept nogil
cdef int dot_segment(
    const uint8_t* p, Py_ssize_t i, Py_ssize_t n, bint special, bint state_override, Py_ssize_t* end
) noexcept nogil
cdef void drop_localhost(Buffer* out, Record* record) noexcept nogil
cdef void protect_slashes(Buffer* out, Record* record) noexcept nogil


# https://url.spec.whatwg.org/#url-serializing: "/." goes before a path that would be taken for a host.
cdef inline void protect_path(Buffer* out, Record* record) noexcept nogil:
    if record.host_type == HOST_NULL:
        protect_slashes(out, record)


cdef Status parse_path(
    Buffer* out, Py_ssize_t path_start, const uint8_t* p, Py_ssize_t* pointer, Py_ssize_t n, SchemeType scheme,
    bint state_override
) noexcept nogil


# The limit on a serialization's length: MAX_LENGTH unless a test lowers it.
cdef Py_ssize_t length_limit
