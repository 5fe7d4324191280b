from libc.stdint cimport uint8_t

from weburl._core.parser cimport Parser, State
from weburl._core.record cimport Record, URLView

# The front door of the parser. Most URLs are http, https, ws, wss or ftp URLs that are their own serialization: they need
# no parser, and others less of it. No base changes what is found. `host_only` is that of a parser.
#
# What is known: p[0:pointer] is the serialization so far, with this record and the parser in this state. It is
# SCHEME_START_STATE if nothing is known, and PATH_END_STATE if nothing is left to do.
cdef State enter(
    const uint8_t* p, Py_ssize_t n, bint host_only, Record* record, Py_ssize_t* pointer
) noexcept nogil


# Opens a parser of p[0:n] that begins where that left off; true if nothing is left to do. Spaces and controls around a
# URL keep it from the door, so it enters here without them.
cdef bint open_at(
    Parser* parser, const uint8_t* p, Py_ssize_t n, const URLView* base, bint utf8, bint host_only, State state,
    Py_ssize_t pointer, const Record* record
) noexcept nogil
