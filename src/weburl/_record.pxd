from libc.stdint cimport uint8_t, uint16_t, uint32_t


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


cdef void clear_record(Record* record) noexcept
cdef void view_text(URLView* view, str href, const Record* record) noexcept
cdef bint is_opaque(str href, const Record* record) noexcept
