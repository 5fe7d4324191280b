"""The URL record."""

from libc.stdint cimport uint8_t

from weburl._host cimport HOST_NULL
from weburl._percent cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, ascii_text


cdef Span span(const Record* record, Py_ssize_t length, Part part) noexcept nogil:
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


cdef str part_text(str href, const Record* record, Part part):
    cdef Span s
    if part == PROTOCOL:
        if record.scheme_type == HTTPS:
            return "https:"
        if record.scheme_type == HTTP:
            return "http:"
    s = span(record, PyUnicode_GET_LENGTH(href), part)
    if s.start == s.end:
        return ""
    return ascii_text(<const uint8_t*> PyUnicode_DATA(href) + s.start, s.end - s.start)


cdef void clear_record(Record* record) noexcept:
    record.scheme_end = record.username_end = record.host_start = record.host_end = record.path_start = 0
    record.query_start = record.fragment_start = OMITTED
    record.port = 0
    record.scheme_type = NOT_SPECIAL
    record.host_type = HOST_NULL


cdef void view_text(URLView* view, str href, const Record* record) noexcept:
    view.href = <const uint8_t*> PyUnicode_DATA(href)
    view.length = PyUnicode_GET_LENGTH(href)
    view.record = record[0]


cdef bint is_opaque(str href, const Record* record) noexcept:
    return has_opaque_path(<const uint8_t*> PyUnicode_DATA(href), PyUnicode_GET_LENGTH(href), record)
