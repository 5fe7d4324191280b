"""From str to URL records and back. Answers what the core asks for: domains to ASCII, and queries in an encoding."""

from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from weburl._core.ascii cimport SET_SPECIAL_QUERY
from weburl._core.buffer cimport Buffer, is_kept, release, start
from weburl._core.door cimport enter, open_at
from weburl._core.host cimport HOST_EMPTY, DomainToASCII, HostType, close_to_ascii, open_to_ascii, parse_host
from weburl._core.parser cimport (
    PATH_END_STATE, Parser, State, close_parser, length_limit, parse,
)
from weburl._core.percent cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII, Utf8Text, ascii_text, close_utf8, open_utf8,
    percent_encode_after_encoding, utf8_text,
)
from weburl._core.record cimport (
    OPAQUE_ORIGIN, PATH_ORIGIN, PATHNAME, OriginKind, Part, Record, URLView, has_http_scheme, origin_kind, part_text,
    push_origin, view_text,
)
from weburl._core.setters cimport set_part, set_query
from weburl._core.status cimport BASE, HOST_MISSING, NEED_DOMAIN, NEED_ENCODE, NO_MEMORY, OK, RAISED, Status
from weburl._core.urlencoded cimport push_urlencoded

# The function for domains, imported when it is first needed. A dict, since threads may need it at the same time.
cdef dict imported = {}


ctypedef struct ParsedText:
    Utf8Text text
    Parser parser


cdef object answer_domain(DomainToASCII* to_ascii):
    domain_to_ascii = imported.get("domain_to_ascii")
    if domain_to_ascii is None:
        from weburl._unicode.idna import cached_domain_to_ascii

        domain_to_ascii = imported.setdefault("domain_to_ascii", cached_domain_to_ascii)
    answer = domain_to_ascii(utf8_text(to_ascii.domain.data, to_ascii.domain.length))
    to_ascii.failed = answer is None
    if answer is None:
        answer = ""
    to_ascii.answer = <const uint8_t*> PyUnicode_DATA(answer)
    to_ascii.answer_length = PyUnicode_GET_LENGTH(answer)
    return answer


# The encoding of a label; None for UTF-8.
cdef object output_encoding(object label):
    if not isinstance(label, str):
        raise TypeError(f"encoding must be a str, not {type(label).__name__}")
    from weburl._unicode.encoding import get_output_encoding

    encoding = get_output_encoding(label)
    return None if encoding.is_utf8 else encoding


# What is known of a str.
ctypedef struct Known:
    State state
    Py_ssize_t pointer
    Record* record              # the result, if nothing is left to parse


# Whether a str, which is ASCII, is known to its end.
cdef inline bint is_known(Known* self, object url, bint host_only, Record* record) noexcept:
    self.record = record
    if not PyUnicode_IS_ASCII(url):
        return False
    self.state = enter(
        <const uint8_t*> PyUnicode_DATA(url), PyUnicode_GET_LENGTH(url), host_only, record, &self.pointer
    )
    return self.state == PATH_END_STATE


# Parses what is not known of a str. The caller closes `parsed`, unless an exception is raised.
cdef Status open_parsed(
    ParsedText* parsed, object url, const URLView* base, object encoding, bint host_only, Known* known
) except RAISED:
    cdef Parser* parser = &parsed.parser
    cdef Status status
    open_utf8(&parsed.text, url)
    if not PyUnicode_IS_ASCII(url):
        known.state = enter(parsed.text.data, parsed.text.length, host_only, known.record, &known.pointer)
    if open_at(
        parser, parsed.text.data, parsed.text.length, base, encoding is None, host_only, known.state, known.pointer,
        known.record,
    ):
        return OK
    status = parse(parser)
    if status == NEED_DOMAIN or status == NEED_ENCODE or status == NO_MEMORY:
        try:
            status = answer(parser, status, encoding)
        except:
            close_parsed(parsed)
            raise
    return status


cdef void close_parsed(ParsedText* parsed) noexcept:
    close_parser(&parsed.parser)
    close_utf8(&parsed.text)


cdef Status answer(Parser* parser, Status status, object encoding) except RAISED:
    cdef bytes query
    cdef object domain
    while True:
        if status == NEED_DOMAIN:
            domain = answer_domain(&parser.to_ascii)
        elif status == NEED_ENCODE:
            text = utf8_text(parser.input + parser.pointer, parser.query_end - parser.pointer)
            query = percent_encode_after_encoding(encoding, text, SET_SPECIAL_QUERY)
            parser.query = <const uint8_t*> <char*> query
            parser.query_length = len(query)
        elif status == NO_MEMORY:
            raise MemoryError
        else:
            return status
        status = parse(parser)


# Parses a base; every failure of it is BASE. The caller closes `parsed` if that is needed for it.
cdef Status open_base(ParsedText* parsed, URLView* view, object base, bint* is_open) except RAISED:
    cdef Known known
    is_open[0] = not is_known(&known, base, False, &view.record)
    if not is_open[0]:
        view.href = <const uint8_t*> PyUnicode_DATA(base)
        view.length = PyUnicode_GET_LENGTH(base)
        return OK
    if open_parsed(parsed, base, NULL, None, False, &known) != OK:
        close_parsed(parsed)
        return BASE
    view.href = parsed.parser.out.data
    view.length = parsed.parser.out.length
    view.record = parsed.parser.record
    return OK


cdef str parse_text(object url, object base, const URLView* base_url, object encoding, Record* record, Status* status):
    cdef Known known
    if base is not None:
        return parse_with_base(url, base, encoding, record, status)
    if is_known(&known, url, False, record):
        status[0] = OK
        if type(url) is str:
            return <str> url
        return ascii_text(<const uint8_t*> PyUnicode_DATA(url), PyUnicode_GET_LENGTH(url))
    return parse_on(&known, url, base_url, encoding, status)


cdef str parse_with_base(object url, object base, object encoding, Record* record, Status* status):
    cdef ParsedText base_parsed
    cdef URLView view
    cdef bint is_open
    status[0] = open_base(&base_parsed, &view, base, &is_open)
    if status[0]:
        return None
    try:
        return parse_text(url, None, &view, encoding, record, status)
    finally:
        if is_open:
            close_parsed(&base_parsed)


# Parses what is not known yet.
cdef str parse_on(Known* known, object url, const URLView* base, object encoding, Status* status):
    cdef ParsedText parsed
    status[0] = open_parsed(&parsed, url, base, encoding, False, known)
    if status[0]:
        close_parsed(&parsed)
        return None
    known.record[0] = parsed.parser.record
    try:
        return href_text(&parsed, url)
    finally:
        close_parsed(&parsed)


# The output as a str: the input itself if they are equal.
cdef str href_text(ParsedText* parsed, object url):
    cdef Buffer* out = &parsed.parser.out
    if (
        type(url) is str and PyUnicode_IS_ASCII(url) and out.length == parsed.text.length
        and ((is_kept(out) and out.data == parsed.text.data) or memcmp(out.data, parsed.text.data, out.length) == 0)
    ):
        return <str> url
    return ascii_text(out.data, out.length)


cdef bint can_parse_text(object url, object base, const URLView* base_url) except -1:
    cdef Known known
    cdef Record record
    if base is not None:
        return can_parse_with_base(url, base)
    return is_known(&known, url, True, &record) or can_parse_on(&known, url, base_url)


cdef bint can_parse_with_base(object url, object base) except -1:
    cdef ParsedText base_parsed
    cdef URLView view
    cdef bint is_open
    if open_base(&base_parsed, &view, base, &is_open):
        return False
    try:
        return can_parse_text(url, None, &view)
    finally:
        if is_open:
            close_parsed(&base_parsed)


cdef bint can_parse_on(Known* known, object url, const URLView* base) except -1:
    cdef ParsedText parsed
    cdef Status status = open_parsed(&parsed, url, base, None, True, known)
    close_parsed(&parsed)
    return status == OK


cdef str origin_source(str href, const Record* record, Record* source):
    cdef OriginKind kind = origin_kind(<const uint8_t*> PyUnicode_DATA(href), record)
    cdef Status status
    if kind == OPAQUE_ORIGIN:
        return None
    if kind == PATH_ORIGIN:
        inner = parse_text(part_text(href, record, PATHNAME), None, NULL, None, source, &status)
        return inner if inner is not None and has_http_scheme(source) else None
    source[0] = record[0]
    return href


cdef str origin_text(str href, const Record* record):
    cdef uint8_t[256] scratch
    cdef Record source
    cdef Buffer out
    cdef str url = origin_source(href, record, &source)
    if url is None:
        return "null"
    start(&out, scratch, sizeof(scratch), length_limit)
    try:
        push_origin(&out, <const uint8_t*> PyUnicode_DATA(url), PyUnicode_GET_LENGTH(url), &source)
        if out.status:
            raise MemoryError
        return ascii_text(out.data, out.length)
    finally:
        release(&out)


def parse_host_text(text, bint is_opaque):
    """The host parser: (the index of the host type, the serialization), or (the index of the failure,)."""
    cdef uint8_t[256] scratch
    cdef Utf8Text utf8
    cdef Buffer out
    cdef DomainToASCII to_ascii
    cdef HostType host_type = HOST_EMPTY
    cdef Status status
    cdef object mapped
    if not isinstance(text, str):
        raise TypeError(f"host must be a str, not {type(text).__name__}")
    open_utf8(&utf8, text)
    open_to_ascii(&to_ascii)
    start(&out, scratch, sizeof(scratch), length_limit)
    try:
        if utf8.length == 0 and not is_opaque:
            return (<int> HOST_MISSING,)
        status = parse_host(&out, utf8.data, utf8.length, is_opaque, &to_ascii, &host_type)
        if status == NEED_DOMAIN:
            mapped = answer_domain(&to_ascii)
            status = parse_host(&out, utf8.data, utf8.length, is_opaque, &to_ascii, &host_type)
        status = status or out.status
        if status == NO_MEMORY:
            raise MemoryError
        if status:
            return (<int> status,)
        return <int> host_type, ascii_text(out.data, out.length)
    finally:
        release(&out)
        close_to_ascii(&to_ascii)
        close_utf8(&utf8)


cdef str set_part_text(str href, const Record* before, Part part, object value, Record* record, Status* status):
    cdef uint8_t[1024] scratch
    cdef URLView url
    cdef Utf8Text text
    cdef Buffer out
    cdef DomainToASCII to_ascii
    cdef object mapped
    view_text(&url, href, before)
    open_utf8(&text, value)
    open_to_ascii(&to_ascii)
    start(&out, scratch, sizeof(scratch), length_limit)
    try:
        status[0] = set_part(&url, part, text.data, text.length, &to_ascii, &out, record)
        if status[0] == NEED_DOMAIN:
            mapped = answer_domain(&to_ascii)
            status[0] = set_part(&url, part, text.data, text.length, &to_ascii, &out, record)
        if status[0] == NO_MEMORY:
            raise MemoryError
        if out.length == 0:
            return None
        return ascii_text(out.data, out.length)
    finally:
        release(&out)
        close_to_ascii(&to_ascii)
        close_utf8(&text)


cdef str set_query_text(str href, const Record* before, list pairs, Record* record):
    cdef uint8_t[1024] scratch, query_scratch
    cdef URLView url
    cdef Buffer out, query
    view_text(&url, href, before)
    start(&out, scratch, sizeof(scratch), length_limit)
    start(&query, query_scratch, sizeof(query_scratch), length_limit)
    try:
        push_urlencoded(&query, pairs)
        set_query(&url, query.data if query.length else NULL, query.length, &out, record)
        # The mutators of URLSearchParams see to the limit, so only memory can have run out.
        if query.status or out.status:
            raise MemoryError
        return ascii_text(out.data, out.length)
    finally:
        release(&query)
        release(&out)
