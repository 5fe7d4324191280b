from weburl._core.host cimport DomainToASCII
from weburl._core.parser cimport Parser
from weburl._core.record cimport Part, Record, URLView
from weburl._core.status cimport RAISED, Status

# From str to URL records, and from records to str: what the classes share, under the GIL.

# The serialization, or None with a failure for `status`. `base` is a str or None; `base_url`, where it is not NULL, is
# a base that has been parsed already. `encoding` is an encoding.Encoding; None is UTF-8.
cdef str parse_text(object url, object base, const URLView* base_url, object encoding, Record* record, Status* status)
cdef bint can_parse_text(object url, object base, const URLView* base_url) except -1

# The same for a setter: the serialization where the URL changes, else None.
cdef str set_part_text(str href, const Record* before, Part part, object value, Record* record, Status* status)
cdef str set_query_text(str href, const Record* before, list pairs, Record* record)

# The URL whose scheme, host and port are the origin of one, with its record; None where the origin is opaque.
cdef str origin_source(str href, const Record* record, Record* source)
cdef str origin_text(str href, const Record* record)

cdef object output_encoding(object label)

# Answers NEED_DOMAIN; returns the str that holds the answer.
cdef object answer_domain(DomainToASCII* to_ascii)
# Goes on with a parser that has stopped with a status that is not a failure.
cdef Status answer(Parser* parser, Status status, object encoding) except RAISED
