from libc.stdint cimport uint8_t

from weburl._core.buffer cimport Buffer
from weburl._core.host cimport DomainToASCII, HostType
from weburl._core.parser cimport Parser, State
from weburl._core.record cimport Part, Record, URLView
from weburl._core.status cimport RAISED, Status


# The front door of the parser. Most URLs are http, https, ws, wss or ftp URLs that are their own serialization: they need
# no parser, and others less of it. No base changes what is found. `host_only` is that of a parser.
#
# What is known: p[0:pointer] is the serialization so far, with this record and the parser in this state. It is
# SCHEME_START_STATE if nothing is known, and PATH_END_STATE if nothing is left to do.
cdef State read_prefix(
    const uint8_t* p, Py_ssize_t n, bint host_only, Record* record, Py_ssize_t* pointer
) noexcept nogil


# Opens a parser of p[0:n] that begins where that left off; true if nothing is left to do. Spaces and controls around a
# URL keep it from the door, so it enters here without them.
cdef bint open_at(
    Parser* parser, const uint8_t* p, Py_ssize_t n, const URLView* base, bint utf8, bint host_only, State state,
    Py_ssize_t pointer, const Record* record
) noexcept nogil


# https://url.spec.whatwg.org/#url-class: the setter of `part`. If `out` is not empty afterwards, it and `record` are the
# changed URL. That is so with OK and with a port failure of HOST, which keeps the host that comes before the port.
cdef Status set_part(
    const URLView* url, Part part, const uint8_t* value, Py_ssize_t n, DomainToASCII* to_ascii, Buffer* out, Record* record
) noexcept nogil

# The URL with this query, which is percent-encoded already; NULL is a null query.
cdef void set_query(const URLView* url, const uint8_t* query, Py_ssize_t n, Buffer* out, Record* record) noexcept nogil


# From str to URL records, and from records to str: what the classes share, under the GIL.

# The serialization, or None with a failure for `status`. `base` is a str or None; `base_url`, where it is not NULL, is
# a base that has been parsed already. `encoding` is an encoding.Encoding; None is UTF-8.
cdef str parse_text(object url, object base, const URLView* base_url, object encoding, Record* record, Status* status)
cdef bint can_parse_text(object url, object base, const URLView* base_url) except -1

# The same for a setter: the serialization where the URL changes, else None.
cdef str set_part_text(str href, const Record* before, Part part, object value, Record* record, Status* status)
cdef str set_query_text(str href, const Record* before, list pairs, Record* record)

# The URL with this query, percent-encoded already, or without one; None if it would be too long.
cdef str replace_query_text(str href, const Record* before, str query, Record* record)
# The URL without the last segment of its path, and without query and fragment.
cdef str parent_text(str href, const Record* before, Record* record)

# The URL whose scheme, host and port are the origin of one, with its record; None where the origin is opaque.
cdef str origin_source(str href, const Record* record, Record* source)
cdef str origin_text(str href, const Record* record)

cdef object output_encoding(object label)

# The host parser, with the answer that it asks for: OK, or why the text is not a host.
cdef Status parse_any_host(
    Buffer* out, const uint8_t* p, Py_ssize_t n, bint is_opaque, HostType* host_type
) except RAISED

# Answers NEED_DOMAIN; returns the str that holds the answer.
cdef object answer_domain(DomainToASCII* to_ascii)
# Goes on with a parser that has stopped with a status that is not a failure.
cdef Status continue_parser(Parser* parser, Status status, object encoding) except RAISED
