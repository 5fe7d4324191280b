from libc.stdint cimport uint8_t

from weburl._core.parser cimport Parser, State
from weburl._core.record cimport Record

# The front door of the parser. Most URLs are http, https, ws or wss URLs that are their own serialization: they need no
# parser, and others less of it. No base changes what is found. `host_only` is that of a parser.
#
# What is known: p[0:pointer] is the serialization so far, with this record and the parser in this state. It is
# SCHEME_START_STATE if nothing is known, and PATH_END_STATE if nothing is left to do.
cdef State enter(
    const uint8_t* p, Py_ssize_t n, bint host_only, Record* record, Py_ssize_t* pointer
) noexcept nogil


# Lets a parser that has been opened begin where that leaves off.
cdef inline void begin_at(Parser* parser, State state, Py_ssize_t pointer, const Record* record) noexcept nogil:
    if state:
        parser.state = state
        parser.pointer = parser.out.length = pointer
        parser.record = record[0]
