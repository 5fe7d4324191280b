# A part of canonical.pyx: the policy `surt`, the Sort-friendly URI Reordering Transform of web archives.
# docs/crawl-rules.md has the rules.

from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcmp, memmove

from weburl._core.ascii cimport is_alpha, is_digit, is_hex_digit, to_lower
from weburl._core.buffer cimport OMITTED, PY_SSIZE_T_MAX, Buffer, push, push_run, release, start
from weburl._core.host cimport HOST_IPV6
from weburl._core.record cimport HOSTNAME, PATHNAME, QUERY, Span, URLView, has_port, span
from weburl._core.status cimport NO_MEMORY
from weburl._crawl.policy cimport (
    Parameter, ParameterList, Rules, close_list, escaped_byte, is_escape, open_list, push_list, sort_parameters,
)

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
cdef Py_ssize_t skip_www_labels(const uint8_t* p, Py_ssize_t n) noexcept nogil:
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
    begin = 0 if keep_www else skip_www_labels(p, n)
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


# Pushes a question mark and the parameters of a query, sorted; if asked, without session identifiers.
cdef void push_pairs(Buffer* out, const uint8_t* p, Py_ssize_t n, bint without_sessions) noexcept nogil:
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
        if not (without_sessions and is_session(parameter)):
            parameters.count += 1
    sort_parameters(parameters.items, parameters.count, parameters.items + parameters.count)
    push_list(out, &parameters)
    close_list(&parameters)


# Pushes the SURT of an http or https URL.
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
        push_pairs(out, escaped.data, escaped.length, True)
    out.status = out.status or decoded.status or escaped.status
    release(&decoded)
    release(&escaped)


# SURTs as the library surt of web archives writes them, byte for byte: docs/crawl-rules.md has the rules.

# Pushes a host without its first and last dots, and with one dot for two.
cdef void push_exact_host(Buffer* out, const uint8_t* p, Py_ssize_t n, const Rules* rules) noexcept nogil:
    cdef uint8_t[256] scratch
    cdef Buffer host
    cdef Py_ssize_t i = 0, begin = 0, end
    start(&host, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    if p[0] == c'[':
        p += 1
        n -= 2
    while i < n:
        push(&host, to_lower(p[i]))
        i += 2 if p[i] == c'.' and i + 1 < n and p[i + 1] == c'.' else 1
    end = host.length
    while begin < end and host.data[begin] == c'.':
        begin += 1
    while end > begin and host.data[end - 1] == c'.':
        end -= 1
    if not rules.keep_www and end - begin > 3 and memcmp(host.data + begin, b"www", 3) == 0:
        i = begin + 3
        while i < end and is_digit(host.data[i]):
            i += 1
        if i < end and host.data[i] == c'.':
            begin = i + 1
    while begin < end:
        i = end
        while i > begin and host.data[i - 1] != c'.':
            i -= 1
        push_surt_text(out, host.data + i, end - i, False)
        if i == begin:
            break
        push(out, c',')
        end = i - 1
        if end == begin:
            # The label before is empty.
            break
    out.status = out.status or host.status
    release(&host)


# Pushes a path without empty segments and dot segments. What is above the root stays.
cdef void push_exact_path(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t[512] scratch
    cdef Buffer kept
    cdef Py_ssize_t begin = 1, i
    start(&kept, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    while begin <= n:
        i = begin
        while i < n and p[i] != c'/':
            i += 1
        if i - begin == 2 and p[begin] == c'.' and p[begin + 1] == c'.' and kept.length:
            while kept.length:
                kept.length -= 1
                if kept.data[kept.length] == c'/':
                    break
        elif not (i - begin == 1 and p[begin] == c'.'):
            push(&kept, c'/')
            push_run(&kept, p + begin, i - begin)
        begin = i + 1
    push(out, c'/')
    begin = 1
    while begin <= kept.length:
        i = begin
        while i < kept.length and kept.data[i] != c'/':
            i += 1
        push_surt_text(out, kept.data + begin, i - begin, False)
        if i < kept.length and i > begin:
            push(out, c'/')
        begin = i + 1
    out.status = out.status or kept.status
    release(&kept)


cdef bint are_alphanumeric(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, int count) noexcept nogil:
    return n - i >= count and is_alphanumeric(p + i, count)


# Where the text after a segment `(S(24 letters))`, or `(24 letters)`, begins that starts at i; or -1.
cdef Py_ssize_t asp_session_end(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, bint nested) noexcept nogil:
    cdef Py_ssize_t begin = i + 1
    i = begin
    if nested:
        while n - i > 27 and is_alpha(p[i]) and p[i + 1] == c'(' and p[i + 26] == c')' and is_alphanumeric(p + i + 2, 24):
            i += 27
        if i == begin:
            return -1
    elif are_alphanumeric(p, i, n, 24):
        i += 24
    else:
        return -1
    return i + 2 if n - i > 1 and p[i] == c')' and p[i + 1] == c'/' else -1


# Removes the last such segment before `.aspx`, in place; gives the new length.
cdef Py_ssize_t drop_asp_session(uint8_t* p, Py_ssize_t n, bint nested) noexcept nogil:
    cdef Py_ssize_t i = n, question = n, page = -1, later_page = -1, rest, at
    while i > 0:
        i -= 1
        if p[i] == c'?':
            question = i
        elif p[i] == c'.' and n - i > 4 and memcmp(p + i, b".aspx", 5) == 0:
            later_page = page
            page = i
        elif p[i] == c'/' and n - i > 1 and p[i + 1] == c'(':
            rest = asp_session_end(p, i + 1, n, nested)
            at = later_page if page == rest else page
            if rest >= 0 and rest < at < question:
                memmove(p + i + 1, p + rest, n - rest)
                return n - (rest - i - 1)
    return n


# Where a session identifier ends that starts at i; or -1. `ampersand` is the next one, and `later` the one after it.
cdef Py_ssize_t exact_session_end(
    const uint8_t* p, Py_ssize_t i, Py_ssize_t n, int kind, Py_ssize_t ampersand, Py_ssize_t later
) noexcept nogil:
    cdef const uint8_t* text = p + i
    cdef Py_ssize_t length = n - i
    cdef int name = 0
    if kind == 0 and length > 42 and memcmp(text, b"jsessionid=", 11) == 0:
        name = 11
    elif kind == 1 and length > 41 and memcmp(text, b"phpsessid=", 10) == 0:
        name = 10
    elif kind == 2 and length > 35 and memcmp(text, b"sid=", 4) == 0:
        name = 4
    if name:
        i += name + 32
        return i if is_alphanumeric(text + name, 32) and (i == n or p[i] == c'&') else -1
    if kind == 3 and length > 44 and memcmp(text, b"aspsessionid", 12) == 0:
        i += 45
        if are_letters(text + 12, 8) and text[20] == c'=' and are_letters(text + 21, 24) and (i == n or p[i] == c'&'):
            return i
    elif kind == 4 and length > 5 and memcmp(text, b"cfid=", 5) == 0 and ampersand > i + 5:
        if later > ampersand + 9 and memcmp(p + ampersand, b"&cftoken=", 9) == 0:
            return later
    return -1


# Removes the last session identifier of each of the five kinds from a query in lower case, in place; gives its length.
cdef Py_ssize_t drop_exact_sessions(uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, end, ampersand, later
    cdef int kind
    for kind in range(5):
        i = ampersand = later = n
        while i > 0:
            i -= 1
            if p[i] == c'&':
                later = ampersand
                ampersand = i
                continue
            end = exact_session_end(p, i, n, kind, ampersand, later)
            if end >= 0:
                if end < n:
                    memmove(p + i, p + end + 1, n - end - 1)
                    n -= end + 1 - i
                else:
                    n = i
                break
    return n


# A text whose escapes are decoded, and then written once.
cdef void push_exact_text(Buffer* out, Buffer* decoded, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    decoded.length = 0
    push_unescaped(decoded, p, n)
    push_surt_text(out, decoded.data, decoded.length, False)


# Pushes the SURT of any URL, as the library surt writes it.
cdef void push_exact_surt(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil:
    cdef uint8_t[512] scratch, text_scratch, host_scratch
    cdef Buffer decoded, text, host
    cdef Span s = span(&url.record, url.length, PATHNAME)
    cdef bint has_query = url.record.query_start != OMITTED, has_host
    if url.length > 7 and memcmp(url.href, b"filedesc", 8) == 0:
        push_run(out, url.href, url.length)
        return
    start(&decoded, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&text, text_scratch, sizeof(text_scratch), PY_SSIZE_T_MAX)
    start(&host, host_scratch, sizeof(host_scratch), PY_SSIZE_T_MAX)
    if not url.record.host_type:
        # With the dot segment that keeps two slashes from being a host.
        s.start = url.record.scheme_end + 1
    if url.record.host_type and url.record.host_end > url.record.host_start:
        push_unescaped(&decoded, url.href + url.record.host_start, url.record.host_end - url.record.host_start)
        push_exact_host(&host, decoded.data, decoded.length, rules)
    has_host = host.length > 0
    if rules.with_scheme or not has_host:
        push_run(out, url.href, url.record.scheme_end + 1)
    if has_host:
        if rules.with_scheme:
            push_run(out, b"//(", 3)
        push_run(out, host.data, host.length)
        if has_port(&url.record) and url.record.port:
            push_run(out, url.href + url.record.host_end, url.record.path_start - url.record.host_end)
        if rules.trailing_comma:
            push(out, c',')
        push(out, c')')
        decoded.length = 0
        push_unescaped(&decoded, url.href + s.start, s.end - s.start)
        push_exact_path(&text, decoded.data, decoded.length)
    else:
        push_exact_text(&text, &decoded, url.href + s.start, s.end - s.start)
    text.length = drop_asp_session(text.data, text.length, True)
    text.length = drop_asp_session(text.data, text.length, False)
    if text.length > 1 and text.data[text.length - 1] == c'/':
        text.length -= 1
    push_run(out, text.data, text.length)
    if has_query:
        s = span(&url.record, url.length, QUERY)
        has_query = text.length == 0
        text.length = 0
        push_exact_text(&text, &decoded, url.href + s.start, s.end - s.start)
        text.length = drop_exact_sessions(text.data, text.length)
        if has_query and text.length:
            push(out, c'/')
        push_pairs(out, text.data, text.length, False)
    out.status = out.status or decoded.status or text.status or host.status
    release(&decoded)
    release(&text)
    release(&host)


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
