"""From str to URL records and back, with the front door of the parser, and with the setters."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp

from weburl._core.ascii cimport (
    CLASS_NOT_SCHEME, SET_FRAGMENT, SET_QUERY, SET_SPECIAL_QUERY, SET_USERINFO, byte_class, contains_tab_or_newline,
    is_alpha, to_lower,
)
from weburl._core.buffer cimport OMITTED, Buffer, as_offset, end_offset, is_kept, keep, push, push_run, release, start
from weburl._core.host cimport (
    HOST_DOMAIN, HOST_EMPTY, HOST_NULL, DomainToASCII, HostType, close_to_ascii, finish_host, open_to_ascii, parse_host,
)
from weburl._core.invariants cimport check
from weburl._core.parser cimport (
    AUTHORITY_STATE, FRAGMENT_STATE, PATH_END_STATE, PATH_REST_STATE, PATH_START_STATE, PORT_STATE, QUERY_STATE,
    SCHEME_START_STATE, Parser, State, close_parser, default_port, dot_segment, find_delimiter, find_port_colon,
    is_delimiter, is_solidus, length_limit, open_parser, parse, parse_path, push_port, remove_tab_and_newline,
    scan_port, scheme_type,
)
from weburl._core.percent cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII, Utf8Text, ascii_text, close_utf8, kernels, open_utf8,
    percent_encode, percent_encode_after_encoding, raise_for, utf8_text,
)
from weburl._core.record cimport (
    FILE, FRAGMENT, FTP, HASH, HOST, HOSTNAME, HTTP, NOT_SPECIAL, OPAQUE_ORIGIN, PASSWORD, PATH_ORIGIN, PATHNAME, PORT,
    PROTOCOL, QUERY, SCHEME, SEARCH, USERNAME, WS, OriginKind, Part, Record, SchemeType, Span, URLView,
    has_http_scheme, has_opaque_path, has_port, origin_kind, part_text, push_origin, span, view_text,
)
from weburl._core.status cimport (
    BASE, HOST_MISSING, IGNORED, NEED_DOMAIN, NEED_ENCODE, NO_MEMORY, OK, PORT_INVALID, PORT_OUT_OF_RANGE, RAISED,
    Status,
)
from weburl._core.urlencoded cimport push_urlencoded

# The front door: most URLs need no parser.

# The state after the host p[begin:end] and its port. AUTHORITY_STATE: the host is not spelled as it is serialized,
# or these may be credentials. PORT_STATE: the port is not. Otherwise `end` moves to the end of the port.
cdef State pass_host(
    const uint8_t* p, Py_ssize_t begin, Py_ssize_t* end, Py_ssize_t n, Record* record
) noexcept nogil:
    cdef uint8_t[16] scratch
    cdef Buffer out
    cdef HostType host_type = HOST_DOMAIN
    cdef Py_ssize_t i = end[0]
    cdef State state = AUTHORITY_STATE
    cdef uint32_t port
    # What the parser pushes stays in the input as long as it equals it.
    start(&out, scratch, sizeof(scratch), length_limit)
    keep(&out, p, n)
    out.length = begin
    if finish_host(&out, p + begin, i - begin, &host_type) == OK and is_kept(&out) and out.length == i:
        record.host_type = host_type
        if i == n or p[i] != c':':
            state = PATH_START_STATE
        else:
            i = scan_port(p, i + 1, n, &port)
            # Before anything but a delimiter, these digits belong to credentials, or the port is invalid.
            if i == n or is_delimiter(p[i], True):
                state = PORT_STATE
                push_port(&out, port)
                if port <= 65535 and <int> port != default_port(record.scheme_type) and is_kept(&out) and out.length == i:
                    record.port = <uint16_t> port
                    end[0] = i
                    state = PATH_START_STATE
    # Without memory, what differs from the input is dropped.
    if out.status:
        state = AUTHORITY_STATE
    release(&out)
    return state


cdef State read_prefix(
    const uint8_t* p, Py_ssize_t n, bint host_only, Record* record, Py_ssize_t* pointer
) noexcept nogil:
    cdef Py_ssize_t i, label, end
    cdef int scheme, secure
    cdef State state
    if n < 8 or n > length_limit:
        return SCHEME_START_STATE
    if memcmp(p, b"http", 4) == 0:
        i = 4
        scheme = HTTP
        secure = p[i] == c's'
    elif memcmp(p, b"ws", 2) == 0:
        i = 2
        scheme = WS
        secure = p[i] == c's'
    elif memcmp(p, b"ftp", 3) == 0:
        i = 3
        scheme = FTP
        secure = False
    else:
        return SCHEME_START_STATE
    # In a SchemeType, https comes after http, and wss after ws. No branch could foresee which it is.
    i += secure
    if memcmp(p + i, b"://", 3) != 0 or i + 3 == n or is_solidus(p[i + 3], True):
        return SCHEME_START_STATE
    record.scheme_type = <uint8_t> (scheme + secure)
    record.scheme_end = as_offset(i)
    record.port = 0
    record.query_start = OMITTED
    record.fragment_start = OMITTED
    i += 3
    pointer[0] = i
    record.username_end = record.host_start = as_offset(i)

    end = kernels.domain(p, i, n, &label)
    if end == i:
        return AUTHORITY_STATE
    record.host_type = HOST_DOMAIN
    record.host_end = as_offset(end)
    # A last label that begins with a letter is not a number.
    if label == end or not c'a' <= p[label] <= c'z' or (end < n and p[end] == c':'):
        state = pass_host(p, i, &end, n, record)
        if state != PATH_START_STATE:
            pointer[0] = i if state == AUTHORITY_STATE else end
            return state
    if end < n and not is_delimiter(p[end], True):
        return AUTHORITY_STATE
    record.path_start = as_offset(end)
    pointer[0] = end
    if host_only and 3 * (n - end) < length_limit - end:
        return PATH_END_STATE
    if end == n or p[end] != c'/':
        return PATH_START_STATE

    i = kernels.path(p, end + 1, n)
    # Few segments that begin with a full stop or a percent sign are dot segments.
    while i < n and (p[i] == c'.' or p[i] == c'%') and dot_segment(p, i, n, True, False, &label) == 0:
        i = kernels.path(p, i + 1, n)
    if i < n and p[i] == c'?':
        record.query_start = as_offset(i)
        pointer[0] = i + 1
        i = kernels.run(p, i + 1, n, SET_SPECIAL_QUERY)
        if i < n and p[i] != c'#':
            return QUERY_STATE
    if i < n and p[i] == c'#':
        record.fragment_start = as_offset(i)
        pointer[0] = i + 1
        i = kernels.run(p, i + 1, n, SET_FRAGMENT)
        if i < n:
            return FRAGMENT_STATE
    if i < n:
        pointer[0] = i
        return PATH_REST_STATE
    pointer[0] = n
    check(p, n, record)
    return PATH_END_STATE


cdef bint open_at(
    Parser* parser, const uint8_t* p, Py_ssize_t n, const URLView* base, bint utf8, bint host_only, State state,
    Py_ssize_t pointer, const Record* record
) noexcept nogil:
    open_parser(parser, p, n, base, utf8)
    parser.host_only = host_only
    if parser.end != n:
        state = read_prefix(parser.input, parser.end, host_only, &parser.record, &pointer)
    elif state:
        parser.record = record[0]
    if state:
        parser.state = state
        parser.pointer = parser.out.length = pointer
    return state == PATH_END_STATE


NOTHING_KNOWN, PATH_BEGUN, ALL_KNOWN = SCHEME_START_STATE, PATH_REST_STATE, PATH_END_STATE


def leaves_off(bytes url not None, bint host_only=False):
    """For tests: the state and the pointer where the door leaves off."""
    cdef Record record
    cdef Py_ssize_t pointer = 0
    cdef State state = read_prefix(<const uint8_t*> <const char*> url, len(url), host_only, &record, &pointer)
    return state, pointer


# The setters: the basic URL parser with a state override, and the URL serializer.

# `data` is NULL for a null component.
ctypedef struct Component:
    const uint8_t* data
    Py_ssize_t length


ctypedef struct Components:
    Component scheme
    Component username
    Component password
    Component host
    Component path
    Component query
    Component fragment
    int port                    # -1 for null
    SchemeType scheme_type
    HostType host_type


cdef Component component(const URLView* url, Part part) noexcept nogil:
    cdef Span s = span(&url.record, url.length, part)
    return Component(url.href + s.start, s.end - s.start)


cdef Components split_url(const URLView* url) noexcept nogil:
    cdef Components components
    components.scheme = component(url, SCHEME)
    components.username = component(url, USERNAME)
    components.password = component(url, PASSWORD)
    components.host = component(url, HOSTNAME)
    components.path = component(url, PATHNAME)
    components.query = component(url, QUERY)
    if url.record.query_start == OMITTED:
        components.query.data = NULL
    components.fragment = component(url, FRAGMENT)
    if url.record.fragment_start == OMITTED:
        components.fragment.data = NULL
    components.port = url.record.port if has_port(&url.record) else -1
    components.scheme_type = <SchemeType> url.record.scheme_type
    components.host_type = <HostType> url.record.host_type
    return components


# https://url.spec.whatwg.org/#concept-url-serializer
cdef void serialize(const Components* components, bint opaque_path, Buffer* out, Record* record) noexcept nogil:
    record.scheme_type = components.scheme_type
    record.host_type = components.host_type
    record.port = 0
    push_run(out, components.scheme.data, components.scheme.length)
    record.scheme_end = end_offset(out)
    push(out, c':')
    record.username_end = record.host_start = record.host_end = end_offset(out)
    if components.host_type != HOST_NULL:
        push_run(out, <const uint8_t*> b"//", 2)
        push_run(out, components.username.data, components.username.length)
        record.username_end = end_offset(out)
        if components.password.length:
            push(out, c':')
            push_run(out, components.password.data, components.password.length)
        if components.username.length or components.password.length:
            push(out, c'@')
        record.host_start = end_offset(out)
        push_run(out, components.host.data, components.host.length)
        record.host_end = end_offset(out)
        if components.port >= 0:
            record.port = <uint16_t> components.port
            push_port(out, components.port)
    elif (
        not opaque_path and components.path.length >= 2 and components.path.data[0] == c'/' and components.path.data[1] == c'/'
    ):
        push_run(out, <const uint8_t*> b"/.", 2)
    record.path_start = end_offset(out)
    push_run(out, components.path.data, components.path.length)
    record.query_start = OMITTED
    if components.query.data != NULL:
        record.query_start = end_offset(out)
        push(out, c'?')
        push_run(out, components.query.data, components.query.length)
    record.fragment_start = OMITTED
    if components.fragment.data != NULL:
        record.fragment_start = end_offset(out)
        push(out, c'#')
        push_run(out, components.fragment.data, components.fragment.length)
    if out.status == OK:
        check(out.data, out.length, record)


cdef void set_query(const URLView* url, const uint8_t* query, Py_ssize_t n, Buffer* out, Record* record) noexcept nogil:
    cdef Components components = split_url(url)
    components.query = Component(query, n)
    serialize(&components, has_opaque_path(url.href, url.length, &url.record), out, record)


# https://url.spec.whatwg.org/#dom-url-protocol: scheme start state and scheme state with a state override. The
# standard's setter appends a colon to the value. Here the end of the value counts as one.
cdef Status set_protocol(Components* components, const uint8_t* p, Py_ssize_t n, Buffer* made) noexcept nogil:
    cdef Py_ssize_t i = 0
    cdef SchemeType scheme
    if n == 0 or not is_alpha(p[0]):
        return IGNORED
    while i < n and p[i] != c':':
        if byte_class[to_lower(p[i])] & CLASS_NOT_SCHEME:
            return IGNORED
        push(made, to_lower(p[i]))
        i += 1
    if made.status:
        return made.status
    scheme = scheme_type(made.data, made.length)
    if made.length == components.scheme.length and memcmp(made.data, components.scheme.data, made.length) == 0:
        return OK
    if (scheme == NOT_SPECIAL) != (components.scheme_type == NOT_SPECIAL):
        return IGNORED
    if scheme == FILE and (components.username.length or components.password.length or components.port >= 0):
        return IGNORED
    if components.scheme_type == FILE and components.host_type == HOST_EMPTY:
        return IGNORED
    components.scheme = Component(made.data, made.length)
    components.scheme_type = scheme
    if components.port == default_port(scheme):
        components.port = -1
    return OK


# https://url.spec.whatwg.org/#host-state, #hostname-state and #file-host-state with a state override
cdef Status set_host(
    Components* components, const uint8_t* p, Py_ssize_t n, bint hostname_only, DomainToASCII* to_ascii, Buffer* made
) noexcept nogil:
    cdef bint special = components.scheme_type != NOT_SPECIAL, is_file = components.scheme_type == FILE
    cdef HostType host_type = HOST_EMPTY
    cdef Py_ssize_t end = find_delimiter(p, 0, n, special), colon = end
    cdef Status status
    if not is_file:
        colon = find_port_colon(p, 0, end)
        if colon == 0 and (special or colon < end):
            return HOST_MISSING
        if colon < end and hostname_only:
            return IGNORED
        if colon == 0 and (components.username.length or components.password.length or components.port >= 0):
            return IGNORED
    if colon or not is_file:
        status = parse_host(made, p, colon, not special, to_ascii, &host_type)
        if status:
            return status
    if is_file and made.length == 9 and memcmp(made.data, b"localhost", 9) == 0:
        made.length = 0
        host_type = HOST_EMPTY
    components.host = Component(made.data, made.length)
    components.host_type = host_type
    if colon + 1 < end:
        return set_port(components, p + colon + 1, end - colon - 1)
    return OK


cdef bint is_port_failure(Status status) noexcept nogil:
    return status == PORT_INVALID or status == PORT_OUT_OF_RANGE


# https://url.spec.whatwg.org/#port-state with a state override
cdef Status set_port(Components* components, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint32_t port
    if scan_port(p, 0, n, &port) == 0:
        return PORT_INVALID
    if port > 65535:
        return PORT_OUT_OF_RANGE
    components.port = -1 if <int> port == default_port(components.scheme_type) else <int> port
    return OK


# https://url.spec.whatwg.org/#path-start-state with a state override
cdef Status set_pathname(Components* components, const uint8_t* p, Py_ssize_t n, Buffer* made) noexcept nogil:
    cdef bint special = components.scheme_type != NOT_SPECIAL
    cdef Py_ssize_t i = 0
    cdef Status status = OK
    if n or special or components.host_type == HOST_NULL:
        push(made, c'/')
        if n and is_solidus(p[0], special):
            i = 1
        status = parse_path(made, 0, p, &i, n, components.scheme_type, True)
    components.path = Component(made.data, made.length)
    return status


cdef Status set_component(
    Components* components, bint opaque_path, Part part, const uint8_t* p, Py_ssize_t n, DomainToASCII* to_ascii, Buffer* made
) noexcept nogil:
    if part == PROTOCOL:
        return set_protocol(components, p, n, made)
    if part == HOST or part == HOSTNAME:
        return IGNORED if opaque_path else set_host(components, p, n, part == HOSTNAME, to_ascii, made)
    if part == PATHNAME:
        return IGNORED if opaque_path else set_pathname(components, p, n, made)
    if part == USERNAME or part == PASSWORD or part == PORT:
        # https://url.spec.whatwg.org/#cannot-have-a-username-password-port
        if components.host_type == HOST_NULL or components.host_type == HOST_EMPTY or components.scheme_type == FILE:
            return IGNORED
        if part == PORT:
            return set_port(components, p, n)
        percent_encode(made, p, n, SET_USERINFO)
        if part == USERNAME:
            components.username = Component(made.data, made.length)
        else:
            components.password = Component(made.data, made.length)
        return OK
    if part == SEARCH:
        percent_encode(made, p, n, SET_QUERY if components.scheme_type == NOT_SPECIAL else SET_SPECIAL_QUERY)
        components.query = Component(made.data, made.length)
    else:
        percent_encode(made, p, n, SET_FRAGMENT)
        components.fragment = Component(made.data, made.length)
    return OK


cdef Status set_part(
    const URLView* url, Part part, const uint8_t* value, Py_ssize_t n, DomainToASCII* to_ascii, Buffer* out, Record* record
) noexcept nogil:
    cdef uint8_t[512] scratch
    cdef uint8_t* stripped = NULL
    cdef bint opaque_path = has_opaque_path(url.href, url.length, &url.record)
    cdef Components components = split_url(url)
    cdef Buffer made
    cdef Status status = OK
    start(&made, scratch, sizeof(scratch), length_limit)
    if url.length == 0:
        return IGNORED
    if n == 0 and part == SEARCH:
        components.query.data = NULL
    elif n == 0 and part == HASH:
        components.fragment.data = NULL
    elif n == 0 and part == PORT and components.host_type > HOST_EMPTY and components.scheme_type != FILE:
        components.port = -1
    else:
        if (part == SEARCH and value[0] == c'?') or (part == HASH and value[0] == c'#'):
            value += 1
            n -= 1
        if part != USERNAME and part != PASSWORD and contains_tab_or_newline(value, n):
            stripped = <uint8_t*> malloc(n)
            if stripped == NULL:
                return NO_MEMORY
            n = remove_tab_and_newline(stripped, value, n)
            value = stripped
        status = set_component(&components, opaque_path, part, value, n, to_ascii, &made)
    if made.status:
        status = made.status
    if status == OK or (part == HOST and components.host.data == made.data and is_port_failure(status)):
        serialize(&components, opaque_path, out, record)
        if out.status:
            status = out.status
            out.length = 0
    release(&made)
    free(stripped)
    return status


# From str and back. Answers what the core asks for: domains to ASCII, and queries in an encoding.

# Functions that are imported when they are first needed. A dict, since threads may need them at the same time.
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
        from weburl._advice import wrong_type
        raise wrong_type(label, "encoding must be a str")
    get = imported.get("get_output_encoding")
    if get is None:
        from weburl._unicode.encoding import get_output_encoding as get
        imported["get_output_encoding"] = get
    encoding = get(label)
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
    self.state = read_prefix(
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
        known.state = read_prefix(parsed.text.data, parsed.text.length, host_only, known.record, &known.pointer)
    if open_at(
        parser, parsed.text.data, parsed.text.length, base, encoding is None, host_only, known.state, known.pointer,
        known.record,
    ):
        return OK
    status = parse(parser)
    if status == NEED_DOMAIN or status == NEED_ENCODE or status == NO_MEMORY:
        try:
            status = continue_parser(parser, status, encoding)
        except:
            close_parsed(parsed)
            raise
    return status


cdef void close_parsed(ParsedText* parsed) noexcept:
    close_parser(&parsed.parser)
    close_utf8(&parsed.text)


cdef Status continue_parser(Parser* parser, Status status, object encoding) except RAISED:
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


cdef Status parse_any_host(
    Buffer* out, const uint8_t* p, Py_ssize_t n, bint is_opaque, HostType* host_type
) except RAISED:
    cdef DomainToASCII to_ascii
    cdef Status status
    cdef object mapped
    if n == 0 and not is_opaque:
        return HOST_MISSING
    open_to_ascii(&to_ascii)
    try:
        status = parse_host(out, p, n, is_opaque, &to_ascii, host_type)
        if status == NEED_DOMAIN:
            mapped = answer_domain(&to_ascii)
            status = parse_host(out, p, n, is_opaque, &to_ascii, host_type)
    finally:
        close_to_ascii(&to_ascii)
    status = status or out.status
    if status == NO_MEMORY:
        raise MemoryError
    return status


def parse_host_text(text, bint is_opaque):
    """The host parser: (the index of the host type, the serialization), or (the index of the failure,)."""
    cdef uint8_t[256] scratch
    cdef Utf8Text utf8
    cdef Buffer out
    cdef HostType host_type = HOST_EMPTY
    cdef Status status
    if not isinstance(text, str):
        from weburl._advice import wrong_type
        raise wrong_type(text, "host must be a str")
    open_utf8(&utf8, text)
    start(&out, scratch, sizeof(scratch), length_limit)
    try:
        status = parse_any_host(&out, utf8.data, utf8.length, is_opaque, &host_type)
        if status:
            return (<int> status,)
        return <int> host_type, ascii_text(out.data, out.length)
    finally:
        release(&out)
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


cdef str replace_query_text(str href, const Record* before, str query, Record* record):
    cdef uint8_t[1024] scratch
    cdef URLView url
    cdef Buffer out
    view_text(&url, href, before)
    start(&out, scratch, sizeof(scratch), length_limit)
    try:
        if query is None:
            set_query(&url, NULL, 0, &out, record)
        else:
            set_query(&url, <const uint8_t*> PyUnicode_DATA(query), PyUnicode_GET_LENGTH(query), &out, record)
        if out.status == NO_MEMORY:
            raise MemoryError
        return None if out.status else ascii_text(out.data, out.length)
    finally:
        release(&out)


cdef str parent_text(str href, const Record* before, Record* record):
    cdef uint8_t[1024] scratch
    cdef URLView url
    cdef Components components
    cdef const uint8_t* p
    cdef Py_ssize_t end, root = 1
    cdef bint opaque_path
    cdef Buffer out
    view_text(&url, href, before)
    opaque_path = has_opaque_path(url.href, url.length, before)
    components = split_url(&url)
    components.query.data = components.fragment.data = NULL
    p = components.path.data
    end = components.path.length
    # https://url.spec.whatwg.org/#shorten-a-urls-path keeps a drive letter.
    if before.scheme_type == FILE and end >= 3 and is_alpha(p[1]) and p[2] == c':' and (end == 3 or p[3] == c'/'):
        root = 4
    if not opaque_path and end > root:
        while p[end - 1] != c'/':
            end -= 1
        # The slash goes with the segment after it, unless it is that of the root.
        components.path.length = max(end - 1, root)
    start(&out, scratch, sizeof(scratch), length_limit)
    try:
        serialize(&components, opaque_path, &out, record)
        raise_for(&out)
        return ascii_text(out.data, out.length)
    finally:
        release(&out)


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
