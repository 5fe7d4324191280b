# A URL record: its serialization, and where its components are in it. Here is what is read of a record; parser.pyx
# makes it.

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcmp

from weburl._core.buffer cimport OMITTED, Buffer, Offset, push_run
from weburl._core.percent cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, ascii_text

cdef extern from *:
    """
    #ifndef WEBURL_DEBUG
    #define WEBURL_DEBUG 0
    #endif
    """
    const bint WEBURL_DEBUG


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
# With a null host, username_end, host_start and host_end are all right after the scheme's colon; so is path_start, unless
# it follows the "/." of https://url.spec.whatwg.org/#url-serializing. A null query or fragment is OMITTED.
cdef extern from "rows.h":
    ctypedef struct Record:
        Offset scheme_end
        Offset username_end
        Offset host_start
        Offset host_end
        Offset path_start
        Offset query_start
        Offset fragment_start
        uint16_t port               # 0 if there is no port, too: see has_port()
        uint8_t scheme_type         # a SchemeType
        uint8_t host_type           # a HostType


# A record whose parts are all empty.
cdef inline void clear_record(Record* record) noexcept nogil:
    record.scheme_end = record.username_end = record.host_start = record.host_end = record.path_start = 0
    record.query_start = record.fragment_start = OMITTED
    record.port = 0
    record.scheme_type = NOT_SPECIAL
    record.host_type = 0        # HOST_NULL


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
    # Not getters of the standard: without delimiters.
    SCHEME
    QUERY
    FRAGMENT


ctypedef struct Span:
    Py_ssize_t start
    Py_ssize_t end


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


# Long for an inline function, but most callers pass a constant part, and the compiler drops the rest.
cdef inline Span span(const Record* record, Py_ssize_t length, Part part) noexcept nogil:
    cdef Span s
    cdef Py_ssize_t query_end = min(<Py_ssize_t> record.fragment_start, length)
    s.start = 0
    s.end = 0
    if part == HREF:
        s.end = length
    elif part == PROTOCOL:
        s.end = min(<Py_ssize_t> record.scheme_end + 1, length)
    elif part == SCHEME:
        s.end = record.scheme_end
    elif part == USERNAME:
        if has_credentials(record):
            s.start = record.scheme_end + 3
            s.end = record.username_end
    elif part == PASSWORD:
        if has_credentials(record) and record.username_end + 1 < record.host_start:
            s.start = record.username_end + 1
            s.end = record.host_start - 1
    elif part == HOST:
        s.start = record.host_start
        s.end = record.path_start if record.host_type else record.host_start
    elif part == HOSTNAME:
        s.start = record.host_start
        s.end = record.host_end
    elif part == PORT:
        if has_port(record):
            s.start = record.host_end + 1
            s.end = record.path_start
    elif part == PATHNAME:
        s.start = record.path_start
        s.end = path_end(record, length)
    elif part == SEARCH:
        # A query that is empty gives the empty string, as a null one does.
        if <Py_ssize_t> record.query_start + 1 < query_end:
            s.start = record.query_start
            s.end = query_end
    elif part == QUERY:
        if record.query_start != OMITTED:
            s.start = record.query_start + 1
            s.end = query_end
    elif part == HASH:
        if <Py_ssize_t> record.fragment_start + 1 < length:
            s.start = record.fragment_start
            s.end = length
    elif part == FRAGMENT:
        if record.fragment_start != OMITTED:
            s.start = record.fragment_start + 1
            s.end = length
    return s


cdef inline str part_text(str href, const Record* record, Part part):
    cdef Span s
    if part == PROTOCOL:
        if record.scheme_type == HTTPS:
            return "https:"
        if record.scheme_type == HTTP:
            return "http:"
    s = span(record, PyUnicode_GET_LENGTH(href), part)
    if s.start == s.end:
        return ""
    if part == PATHNAME and s.end - s.start == 1 and (<const uint8_t*> PyUnicode_DATA(href))[s.start] == c'/':
        return "/"
    return ascii_text(<const uint8_t*> PyUnicode_DATA(href) + s.start, s.end - s.start)


# https://url.spec.whatwg.org/#concept-url-origin
cdef enum OriginKind:
    OPAQUE_ORIGIN
    TUPLE_ORIGIN                # scheme, host and port
    PATH_ORIGIN                 # that of the URL in the path if has_http_scheme(), else opaque


cdef inline OriginKind origin_kind(const uint8_t* href, const Record* record) noexcept nogil:
    if record.scheme_type == NOT_SPECIAL:
        return PATH_ORIGIN if record.scheme_end == 4 and memcmp(href, b"blob", 4) == 0 else OPAQUE_ORIGIN
    return OPAQUE_ORIGIN if record.scheme_type == FILE else TUPLE_ORIGIN


cdef inline bint has_http_scheme(const Record* record) noexcept nogil:
    return record.scheme_type == HTTP or record.scheme_type == HTTPS


# Pushes the serialization of a tuple origin.
# https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin
cdef inline void push_origin(Buffer* out, const uint8_t* href, Py_ssize_t length, const Record* record) noexcept nogil:
    cdef Span host = span(record, length, HOST)
    push_run(out, href, record.scheme_end + 3)
    push_run(out, href + host.start, host.end - host.start)


ctypedef struct URLView:
    const uint8_t* href
    Py_ssize_t length
    Record record


cdef inline void view_text(URLView* view, str href, const Record* record) noexcept:
    view.href = <const uint8_t*> PyUnicode_DATA(href)
    view.length = PyUnicode_GET_LENGTH(href)
    view.record = record[0]


cdef inline bint is_opaque(str href, const Record* record) noexcept:
    return has_opaque_path(<const uint8_t*> PyUnicode_DATA(href), PyUnicode_GET_LENGTH(href), record)
