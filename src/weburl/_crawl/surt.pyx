"""The policy `surt`: the Sort-friendly URI Reordering Transform of web archives."""

from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcmp

from weburl._core.ascii cimport is_alpha, is_digit, is_hex_digit, to_lower
from weburl._core.buffer cimport OMITTED, Buffer, push, push_run, release, start
from weburl._core.host cimport HOST_IPV6
from weburl._core.record cimport HOSTNAME, PATHNAME, QUERY, Span, URLView, span
from weburl._core.status cimport NO_MEMORY, OK, RAISED, Status
from weburl._crawl.escapes cimport escaped_byte, is_escape
from weburl._crawl.policy cimport SURT, Rules
from weburl._crawl.query cimport Parameter, ParameterList, close_list, open_list, push_list, sort_parameters

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef const char* LOWER_HEX = b"0123456789abcdef"


cdef bint is_alphanumeric(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if not (is_alpha(p[i]) or is_digit(p[i])):
            return False
    return True


cdef bint are_letters(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if not is_alpha(p[i]):
            return False
    return True


cdef bint has_name(const Parameter* parameter, const char* name, Py_ssize_t n) noexcept nogil:
    return parameter.name_length == n and memcmp(parameter.p, name, n) == 0


# Session identifiers as web archives leave them out. The query is in lower case.
cdef bint is_session(const Parameter* parameter) noexcept nogil:
    cdef const uint8_t* value = parameter.p + parameter.name_length + 1
    cdef Py_ssize_t n = parameter.length - parameter.name_length - 1
    if n == 32 and (
        has_name(parameter, b"jsessionid", 10) or has_name(parameter, b"phpsessid", 9) or has_name(parameter, b"sid", 3)
    ):
        return is_alphanumeric(value, n)
    if n == 24 and parameter.name_length == 20 and memcmp(parameter.p, b"aspsessionid", 12) == 0:
        return are_letters(parameter.p + 12, 8) and are_letters(value, n)
    return n > 0 and (has_name(parameter, b"cfid", 4) or has_name(parameter, b"cftoken", 7))


# Decodes escapes until none are left, including those that decoding makes. One pass does it: a byte that is pushed can
# only end an escape, and two escapes never overlap.
cdef void push_unescaped(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, length
    for i in range(n):
        push(out, p[i])
        length = out.length
        while length > 2 and is_escape(out.data, length - 3, length):
            out.data[length - 3] = escaped_byte(out.data, length - 3)
            length -= 2
        out.length = length


# In lower case. Bytes that are not graphic ASCII characters, or would be read as delimiters, are escaped.
cdef void push_surt_text(Buffer* out, const uint8_t* p, Py_ssize_t n, bint path) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if c' ' < p[i] < 0x7F and p[i] != c'%' and p[i] != c'#' and not (path and (p[i] == c'?' or p[i] == c'\\')):
            push(out, to_lower(p[i]))
        else:
            push(out, c'%')
            push(out, LOWER_HEX[p[i] >> 4])
            push(out, LOWER_HEX[p[i] & 15])


# Where the name begins without its first labels of www and digits.
cdef Py_ssize_t skip_www(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, begin = 0
    while n - begin > 4 and memcmp(p + begin, b"www", 3) == 0:
        i = begin + 3
        while i < n and is_digit(p[i]):
            i += 1
        if n - i < 2 or p[i] != c'.':
            break
        begin = i + 1
    return begin


cdef void push_surt_host(Buffer* out, const uint8_t* p, Py_ssize_t n, bint keep_www) noexcept nogil:
    cdef Py_ssize_t begin, end, i
    if n > 1 and p[n - 1] == c'.' and p[n - 2] != c'.':
        n -= 1
    begin = 0 if keep_www else skip_www(p, n)
    end = n
    while True:
        i = end
        while i > begin and p[i - 1] != c'.':
            i -= 1
        while i < end:
            # A domain may have commas and parentheses.
            if p[i] == c',' or p[i] == c')' or p[i] == c'(':
                push(out, c'%')
                push(out, LOWER_HEX[p[i] >> 4])
                push(out, LOWER_HEX[p[i] & 15])
            else:
                push(out, p[i])
            i += 1
        while end > begin and p[end - 1] != c'.':
            end -= 1
        if end == begin:
            return
        end -= 1
        push(out, c',')


# Pushes a path by its segments, without empty ones and without the dot segments that decoding makes.
cdef void push_surt_path(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t path = out.length, begin = 0, i
    while begin < n:
        i = begin
        while i < n and p[i] != c'/':
            i += 1
        if i - begin == 2 and p[begin] == c'.' and p[begin + 1] == c'.':
            while out.length > path:
                out.length -= 1
                if out.data[out.length] == c'/':
                    break
        elif i > begin and not (i - begin == 1 and p[begin] == c'.'):
            push(out, c'/')
            push_surt_text(out, p + begin, i - begin, True)
        begin = i + 1
    if out.length == path:
        push(out, c'/')


# Pushes a question mark and the parameters of a query, sorted, without session identifiers.
cdef void push_surt_query(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef ParameterList parameters
    cdef Parameter* parameter
    cdef const uint8_t* end
    cdef Py_ssize_t begin = 0
    if not open_list(&parameters, p, n):
        out.status = NO_MEMORY
        return
    while begin <= n:
        parameter = parameters.items + parameters.count
        parameter.p = p + begin
        end = <const uint8_t*> memchr(p + begin, c'&', n - begin)
        parameter.length = (p + n if end == NULL else end) - parameter.p
        end = <const uint8_t*> memchr(parameter.p, c'=', parameter.length)
        parameter.name_length = parameter.length if end == NULL else end - parameter.p
        begin += parameter.length + 1
        if not is_session(parameter):
            parameters.count += 1
    sort_parameters(parameters.items, parameters.count, parameters.items + parameters.count)
    push_list(out, &parameters)
    close_list(&parameters)


cdef void push_surt(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil:
    cdef uint8_t[512] scratch, escaped_scratch
    cdef Buffer decoded, escaped
    cdef Span s = span(&url.record, url.length, HOSTNAME)
    start(&decoded, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&escaped, escaped_scratch, sizeof(escaped_scratch), PY_SSIZE_T_MAX)
    if rules.with_scheme:
        push_run(out, url.href, url.record.scheme_end)
        push_run(out, b"://(", 4)
    if url.record.host_type == HOST_IPV6:
        push_run(out, url.href + s.start, s.end - s.start)
    else:
        push_surt_host(out, url.href + s.start, s.end - s.start, rules.keep_www)
    # The port with its colon.
    push_run(out, url.href + s.end, url.record.path_start - s.end)
    if rules.trailing_comma:
        push(out, c',')
    push(out, c')')
    s = span(&url.record, url.length, PATHNAME)
    push_unescaped(&decoded, url.href + s.start, s.end - s.start)
    push_surt_path(out, decoded.data, decoded.length)
    if url.record.query_start != OMITTED:
        s = span(&url.record, url.length, QUERY)
        decoded.length = 0
        push_unescaped(&decoded, url.href + s.start, s.end - s.start)
        push_surt_text(&escaped, decoded.data, decoded.length, False)
        push_surt_query(out, escaped.data, escaped.length)
    out.status = out.status or decoded.status or escaped.status
    release(&decoded)
    release(&escaped)


# How long the scheme is before the parenthesis that opens a SURT; 0 if there are none.
cdef Py_ssize_t scheme_length(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    if n > 8 and memcmp(p, b"http://(", 8) == 0:
        return 4
    return 5 if n > 9 and memcmp(p, b"https://(", 9) == 0 else 0


cdef Py_ssize_t surt_end(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t end = 0
    while end < n and p[end] != c'/':
        end += 1
    return end if 2 <= end < n and p[end - 1] == c')' else -1


# Pushes a URL for a SURT, which need not parse; false if the text is not a SURT.
cdef bint push_url_of_surt(Buffer* out, const uint8_t* p, Py_ssize_t n, const Rules* rules) noexcept nogil:
    cdef Py_ssize_t scheme = scheme_length(p, n) if rules.with_scheme else 0, end, close, host, i, label
    cdef const uint8_t* text = p
    if scheme:
        p += scheme + 4
        n -= scheme + 4
    end = surt_end(p, n)
    if end < 0:
        return False
    close = end - 1
    if rules.trailing_comma and close > 0 and p[close - 1] == c',':
        close -= 1
    host = close
    while host > 0 and is_digit(p[host - 1]):
        host -= 1
    # A port, or else no colon outside of an IPv6 address.
    host = host - 1 if host > 0 and host < close and p[host - 1] == c':' else close
    if host == 0:
        return False
    if p[0] == c'[':
        for i in range(1, host - 1):
            if not (is_hex_digit(p[i]) or p[i] == c':'):
                return False
        if p[host - 1] != c']':
            return False
    else:
        for i in range(host):
            if (
                p[i] <= c' ' or p[i] >= 0x7F or p[i] == c'?' or p[i] == c'#' or p[i] == c'@' or p[i] == c':'
                or p[i] == c'\\' or p[i] == c'(' or p[i] == c')' or p[i] == c'[' or p[i] == c']'
            ):
                return False
    # Where it does not say: the scheme whose default port is another.
    if scheme:
        push_run(out, text, scheme + 3)
    elif close - host == 3 and memcmp(p + host, b":80", 3) == 0:
        push_run(out, b"https://", 8)
    else:
        push_run(out, b"http://", 7)
    if p[0] == c'[':
        push_run(out, p, host)
    else:
        i = host
        while True:
            label = i
            while label > 0 and p[label - 1] != c',':
                label -= 1
            push_run(out, p + label, i - label)
            if label == 0:
                break
            push(out, c'.')
            i = label - 1
    push_run(out, p + host, close - host)
    push_run(out, p + end, n - end)
    return True


cdef bint parse_surt(
    const Rules* rules, ParseText parse, void* caller, const uint8_t* p, Py_ssize_t n, Buffer* scratch, URLView* url
) except -1 nogil:
    scratch.length = 0
    if not push_url_of_surt(scratch, p, n, rules):
        return False
    if scratch.status:
        with gil:
            raise MemoryError
    return parse(caller, scratch.data, scratch.length, url) == OK


cdef Status parse_under(
    const Rules* rules, ParseText parse, void* caller, const uint8_t* text, Py_ssize_t length, Buffer* scratch,
    URLView* url,
) except RAISED nogil:
    cdef Status status
    if rules.kind != SURT:
        return parse(caller, NULL, 0, url)
    if text != NULL and parse_surt(rules, parse, caller, text, length, scratch, url):
        return OK
    status = parse(caller, NULL, 0, url)
    if status == OK:
        # A text that becomes a SURT by being parsed: `A:80)/`. The serialization of an http or https URL is not one, but
        # for those of SURTs with a scheme, ` http://(a)/`.
        parse_surt(rules, parse, caller, url.href, url.length, scratch, url)
    return status
