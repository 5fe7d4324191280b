"""The URL record."""

from libc.stdint cimport uint8_t

from weburl._host cimport HOST_NULL
from weburl._percent cimport PyUnicode_DATA, PyUnicode_GET_LENGTH


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
