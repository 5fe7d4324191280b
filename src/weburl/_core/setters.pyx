"""The setters: the basic URL parser with a state override, and the URL serializer."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp

from weburl._core.ascii cimport (
    CLASS_NOT_SCHEME, SET_FRAGMENT, SET_QUERY, SET_SPECIAL_QUERY, SET_USERINFO, byte_class, contains_tab_or_newline,
    is_alpha, to_lower,
)
from weburl._core.buffer cimport OMITTED, Buffer, end_offset, push, push_run, release, start
from weburl._core.host cimport HOST_EMPTY, HOST_NULL, DomainToASCII, HostType, parse_host
from weburl._core.parser cimport (
    default_port, find_delimiter, find_port_colon, is_solidus, length_limit, parse_path, push_port,
    remove_tab_and_newline, scan_port, scheme_type,
)
from weburl._core.percent cimport percent_encode
from weburl._core.record cimport (
    FILE, FRAGMENT, HASH, HOST, HOSTNAME, NOT_SPECIAL, PASSWORD, PATHNAME, PORT, PROTOCOL, QUERY, SCHEME,
    SEARCH, USERNAME, Part, Record, SchemeType, Span, URLView, check, has_opaque_path, has_port, span,
)
from weburl._core.status cimport HOST_MISSING, IGNORED, NO_MEMORY, OK, PORT_INVALID, PORT_OUT_OF_RANGE, Status


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
