from weburl._arrow.batch cimport ColumnType
from weburl._columns.columns cimport Writer


# How much of a URL a field needs.
cdef enum Reads:
    NO_TEXT             # whether it parses, and what its host is
    TEXT_TO_PORT        # the text up to the port
    WHOLE_URL


cdef class Field:
    cdef readonly str name
    cdef readonly str use
    cdef readonly str doc
    cdef readonly bint has_nulls
    cdef readonly bint is_any_text
    cdef readonly bint needs_list
    cdef ColumnType type
    cdef Reads reads
    cdef Writer write
    cdef int part
    cdef int dictionary
