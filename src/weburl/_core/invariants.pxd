# Debug builds: is a record what it should be? Without WEBURL_DEBUG, the compiler drops all of it.

from libc.stdint cimport uint8_t, uint32_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort
from libc.string cimport memchr, memcmp, strlen

from weburl._core.ascii cimport CLASS_NOT_SCHEME, is_alpha, is_digit, scan_class
from weburl._core.buffer cimport OMITTED
from weburl._core.host cimport HOST_EMPTY, HOST_IPV6, HOST_NULL, HOST_OPAQUE
from weburl._core.record cimport (
    FILE, HTTP, WEBURL_DEBUG, Record, has_credentials, has_opaque_path, has_port, is_special, path_end,
)


cdef inline bint has_no(const char* bytes, const uint8_t* href, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(<Py_ssize_t> strlen(bytes)):
        if start < end and memchr(href + start, bytes[i], end - start):
            return False
    return True


# What is wrong with a record, or NULL.
cdef inline const char* broken_invariant(const uint8_t* href, Py_ssize_t length, const Record* record) noexcept nogil:
    cdef const char** names = ["", "http", "https", "ws", "wss", "ftp", "file"]
    cdef int* default_ports = [0, 80, 443, 80, 443, 21, 0]
    cdef Py_ssize_t i, scheme_end = record.scheme_end, path_start = record.path_start
    cdef Py_ssize_t end = path_end(record, length), query_end = min(<Py_ssize_t> record.fragment_start, length)
    cdef uint32_t port = 0
    cdef bint is_name
    if not 0 < scheme_end < length or href[scheme_end] != c':':
        return "scheme_end"
    if not is_alpha(href[0]) or scan_class(href, 0, scheme_end, CLASS_NOT_SCHEME) != scheme_end:
        return "scheme"
    if record.scheme_type > FILE or record.host_type > HOST_OPAQUE:
        return "scheme_type or host_type"
    for i in range(HTTP, FILE + 1):
        is_name = strlen(names[i]) == <size_t> scheme_end and memcmp(href, names[i], scheme_end) == 0
        if is_name != (record.scheme_type == i):
            return "scheme_type"
    if record.host_type == HOST_NULL:
        if is_special(record) or record.port:
            return "null host"
        if not scheme_end + 1 == record.username_end == record.host_start == record.host_end:
            return "offsets of a null host"
        if path_start == scheme_end + 3:
            if length < path_start + 2 or memcmp(href + scheme_end + 1, "/.//", 4) != 0:
                return "path after /."
        elif path_start != scheme_end + 1 or (end - path_start >= 2 and memcmp(href + path_start, "//", 2) == 0):
            return "path of a null host"
    else:
        if not (scheme_end + 3 <= record.username_end <= record.host_start <= record.host_end <= path_start <= length):
            return "order of offsets"
        if memcmp(href + scheme_end + 1, "//", 2) != 0 or not has_no("/?#@", href, record.host_start, path_start):
            return "host"
        if record.host_start != scheme_end + 3:
            if href[record.host_start - 1] != c'@' or not has_no("/?#@", href, scheme_end + 3, record.host_start - 1):
                return "credentials"
            if not has_no(":", href, scheme_end + 3, record.username_end):
                return "username"
            if record.username_end != record.host_start - 1 and (
                href[record.username_end] != c':' or record.username_end + 2 >= record.host_start
                or not has_no(":", href, record.username_end + 1, record.host_start - 1)
            ):
                return "password"
            if record.host_start == scheme_end + 4:
                return "empty credentials"
        elif record.username_end != record.host_start:
            return "no credentials"
        if (record.host_type == HOST_EMPTY) != (record.host_start == record.host_end):
            return "empty host"
        if (record.host_type == HOST_IPV6) != (record.host_start < path_start and href[record.host_start] == c'['):
            return "IPv6 address"
        if record.host_type != HOST_IPV6 and not has_no(":[]", href, record.host_start, record.host_end):
            return "host without brackets"
        if record.host_type == HOST_EMPTY and is_special(record) and record.scheme_type != FILE:
            return "empty host of a special scheme"
        if (record.host_type == HOST_OPAQUE) > (not is_special(record)):
            return "opaque host of a special scheme"
        if has_port(record):
            if href[record.host_end] != c':' or not 0 < path_start - record.host_end - 1 <= 5:
                return "delimiter of the port"
            for i in range(record.host_end + 1, path_start):
                if not is_digit(href[i]):
                    return "digits of the port"
                port = 10 * port + (href[i] - c'0')
            if port != record.port or (path_start - record.host_end > 2 and href[record.host_end + 1] == c'0'):
                return "port"
            if port and <int> port == default_ports[record.scheme_type]:
                return "default port"
        elif record.port:
            return "no port"
        if (has_port(record) or has_credentials(record)) and (
            record.host_type == HOST_EMPTY or record.scheme_type == FILE
        ):
            return "port or credentials"
        if end > path_start and href[path_start] != c'/' or (end == path_start and is_special(record)):
            return "path"
    if not path_start <= end <= query_end <= length or not has_no("?#", href, path_start, end):
        return "end of the path"
    if record.query_start != OMITTED and (record.query_start != end or end == length or href[end] != c'?'):
        return "query_start"
    if not has_no("#", href, end, query_end):
        return "query"
    if record.fragment_start != OMITTED and (query_end == length or href[query_end] != c'#'):
        return "fragment_start"
    if query_end != length and record.fragment_start == OMITTED:
        return "no fragment"
    for i in range(length):
        if not c' ' <= href[i] <= c'~':
            return "not printable ASCII"
        if href[i] == c' ' and not (has_opaque_path(href, length, record) and path_start <= i < end):
            return "space"
    return NULL


# Called when an operation has made a record. A debug build aborts if the record is broken; others do nothing.
cdef inline void check(const uint8_t* href, Py_ssize_t length, const Record* record) noexcept nogil:
    cdef const char* broken
    if WEBURL_DEBUG:
        broken = broken_invariant(href, length, record)
        if broken != NULL:
            fprintf(stderr, "weburl: broken record (%s): %.*s\n", broken, <int> min(length, 1000), <const char*> href)
            abort()
