"""The parser's front door."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcmp

from weburl._core.ascii cimport SET_FRAGMENT, SET_SPECIAL_QUERY
from weburl._core.buffer cimport OMITTED, Buffer, as_offset, is_kept, keep, release, start
from weburl._core.host cimport HOST_DOMAIN, HostType, finish_host
from weburl._core.kernels cimport kernels
from weburl._core.parser cimport (
    AUTHORITY_STATE, FRAGMENT_STATE, PATH_END_STATE, PATH_REST_STATE, PATH_START_STATE, PORT_STATE, QUERY_STATE,
    SCHEME_START_STATE, Parser, State, default_port, dot_segment, is_delimiter, is_solidus, length_limit,
    open_parser, push_port, scan_port,
)
from weburl._core.record cimport FTP, HTTP, WS, Record, URLView, check
from weburl._core.status cimport OK


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


cdef State enter(
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
        state = enter(parser.input, parser.end, host_only, &parser.record, &pointer)
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
    cdef State state = enter(<const uint8_t*> <const char*> url, len(url), host_only, &record, &pointer)
    return state, pointer
