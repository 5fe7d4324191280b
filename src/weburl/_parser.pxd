from libc.stdint cimport uint8_t, uint16_t, uint32_t

from weburl._buffer cimport Buffer
from weburl._host cimport Domain
from weburl._status cimport Status


# https://url.spec.whatwg.org/#special-scheme
cdef enum SchemeType:
    NOT_SPECIAL
    HTTP
    HTTPS
    WS
    WSS
    FTP
    FILE


# A URL record is its serialization and the offsets of its components in it:
#
#     https://user:pass@example.com:1234/foo/bar?baz#quux
#          |      |    |          | ^^^^|       |   |
#          |      |    |          | |   |       |   fragment_start
#          |      |    |          | |   |       query_start
#          |      |    |          | |   path_start
#          |      |    |          | port
#          |      |    |          host_end
#          |      |    host_start
#          |      username_end
#          scheme_end
#
# With a null host, username_end, host_start and host_end all stand behind the scheme's colon; path_start may be two
# more, behind the "/." of https://url.spec.whatwg.org/#url-serializing. A null query or fragment is OMITTED.
ctypedef struct Record:
    uint32_t scheme_end
    uint32_t username_end
    uint32_t host_start
    uint32_t host_end
    uint32_t path_start
    uint32_t query_start
    uint32_t fragment_start
    uint16_t port               # 0 also where there is none: then path_start is host_end
    uint8_t scheme_type         # a SchemeType
    uint8_t host_type           # a HostType

cdef enum:
    OMITTED = 0xFFFFFFFF


# https://url.spec.whatwg.org/#url-class: the getters.
cdef enum Part:
    HREF
    PROTOCOL
    USERNAME
    PASSWORD
    HOST
    HOSTNAME
    PORT
    PATHNAME
    SEARCH
    HASH
    # And for Python, without their delimiters.
    SCHEME
    QUERY
    FRAGMENT


ctypedef struct Span:
    Py_ssize_t start
    Py_ssize_t end


cdef Span span(const Record* record, Py_ssize_t length, Part part) noexcept nogil
cdef str part_text(str href, const Record* record, Part part)


cdef inline bint has_host(const Record* record) noexcept nogil:
    return record.host_type != 0


cdef inline bint has_port(const Record* record) noexcept nogil:
    return record.host_type != 0 and record.path_start != record.host_end


cdef inline bint has_credentials(const Record* record) noexcept nogil:
    return record.host_type != 0 and record.host_start != record.scheme_end + 3


cdef inline bint is_special(const Record* record) noexcept nogil:
    return record.scheme_type != NOT_SPECIAL


cdef inline Py_ssize_t path_end(const Record* record, Py_ssize_t length) noexcept nogil:
    return min(<Py_ssize_t> min(record.query_start, record.fragment_start), length)


# https://url.spec.whatwg.org/#url-opaque-path
cdef inline bint has_opaque_path(const uint8_t* href, Py_ssize_t length, const Record* record) noexcept nogil:
    return record.host_type == 0 and (
        path_end(record, length) == record.path_start or href[record.path_start] != c'/'
    )


ctypedef struct URLView:
    const uint8_t* href
    Py_ssize_t length
    Record record


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
    OPAQUE_PATH_STATE
    PATH_END_STATE
    QUERY_STATE
    FRAGMENT_STATE


# One run of the basic URL parser, without url and state override. Where parse() ends with NEED_DOMAIN, domain.domain is
# the question; with NEED_ENCODE, input[pointer:query_end] is. The caller puts the answer in place and calls it again.
ctypedef struct Parser:
    const uint8_t* input
    Py_ssize_t end
    Py_ssize_t pointer
    State state
    const URLView* base         # or NULL
    bint utf8                   # the encoding is UTF-8
    uint8_t* stripped           # the input without tabs and newlines, or NULL
    Buffer out
    Record record
    Domain domain
    Py_ssize_t host_end         # of the input, while in HOST_STATE
    Py_ssize_t query_end
    const uint8_t* query        # the answer, or NULL
    Py_ssize_t query_length
    uint8_t[1024] scratch


cdef void open_parser(
    Parser* self, const uint8_t* input, Py_ssize_t length, const URLView* base, bint utf8
) noexcept nogil
cdef void close_parser(Parser* self) noexcept nogil
cdef Status parse(Parser* self) noexcept nogil

# What the setters share with it.
cdef SchemeType scheme_type(const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef int default_port(int scheme) noexcept nogil
cdef Py_ssize_t remove_tab_and_newline(uint8_t* out, const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef inline bint is_solidus(uint8_t c, bint special) noexcept nogil:
    return c == c'/' or (special and c == c'\\')


cdef Py_ssize_t find_delimiter(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, bint special) noexcept nogil
cdef Py_ssize_t find_port_colon(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil
cdef Py_ssize_t scan_port(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint32_t* port) noexcept nogil
cdef void push_port(Buffer* out, uint32_t port) noexcept nogil
cdef Status parse_path(
    Buffer* out, Py_ssize_t path_start, const uint8_t* p, Py_ssize_t* pointer, Py_ssize_t n, SchemeType scheme,
    bint state_override
) noexcept nogil


# The limit on a serialization's length: 2**32 - 2 unless a test lowers it.
cdef Py_ssize_t max_length() noexcept nogil
