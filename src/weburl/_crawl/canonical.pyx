"""Canonical forms of URLs, and their fingerprints; docs/crawl.md has the definitions."""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy

from weburl._core.ascii cimport hex_value, is_alpha, is_digit, is_hex_digit, to_lower
from weburl._core.buffer cimport OMITTED, Buffer, push, push_run, release, start
from weburl._core.host cimport HOST_IPV6
from weburl._core.percent cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII, ascii_text, raise_for,
)
from weburl._core.record cimport (
    HOSTNAME, HTTP, HTTPS, PATHNAME, QUERY, Record, Span, URLView, span, view_text,
)
from weburl._core.scalar cimport parse_text
from weburl._core.status cimport NO_MEMORY, OK, RAISED, Status
from weburl._crawl.blake2b cimport big_endian, blake2b
from weburl.url cimport URL, failure, snapshot, wrong_type

from weburl._crawl.tracking import INDEX_NAMES, TRACKING_PARAMETERS

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef const char* UPPER_HEX = b"0123456789ABCDEF"
cdef const char* LOWER_HEX = b"0123456789abcdef"

cdef enum:
    FEW = 64


cdef inline bint is_escape(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    return p[i] == c'%' and n - i > 2 and is_hex_digit(p[i + 1]) and is_hex_digit(p[i + 2])


cdef inline uint8_t escaped_byte(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    return hex_value(p[i + 1]) << 4 | hex_value(p[i + 2])


# https://www.rfc-editor.org/rfc/rfc3986#section-2.3
cdef inline bint is_unreserved(uint8_t c) noexcept nogil:
    return is_alpha(c) or is_digit(c) or c == c'-' or c == c'.' or c == c'_' or c == c'~'


# Pushes p[0:n] with its escapes in upper case, those of unreserved characters decoded. A character that would complete
# an escape after a lone percent sign is not decoded, so that a second pass changes nothing.
cdef void push_normalized(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, run, lone = -3
    cdef uint8_t c
    while i < n:
        run = i
        while i < n and p[i] != c'%':
            i += 1
        push_run(out, p + run, i - run)
        if i == n:
            return
        if not is_escape(p, i, n):
            lone = out.length
            push(out, c'%')
            i += 1
            continue
        c = escaped_byte(p, i)
        i += 3
        if is_unreserved(c) and not (
            out.length - lone == 1 or (out.length - lone == 2 and is_hex_digit(out.data[lone + 1]))
        ):
            push(out, c)
        else:
            push(out, c'%')
            push(out, UPPER_HEX[c >> 4])
            push(out, UPPER_HEX[c & 15])


cdef bint contains(const Words* words, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t first
    cdef const uint8_t* q
    cdef Py_ssize_t word, i, length
    if n == 0:
        return False
    first = to_lower(p[0])
    for word in range(words.starts[first], words.starts[first + 1]):
        q = words.pool + words.ends[word]
        length = words.ends[word + 1] - words.ends[word]
        if q[length - 1] == c'*':
            length -= 1
            if n < length:
                continue
        elif n != length:
            continue
        i = 1
        while i < length and to_lower(p[i]) == q[i]:
            i += 1
        if i == length:
            return True
    return False


cdef int compare(const uint8_t* p, Py_ssize_t n, const uint8_t* q, Py_ssize_t m) noexcept nogil:
    cdef int order = memcmp(p, q, min(n, m))
    return order if order else (n > m) - (n < m)


# By name, then by value; a name alone before the same with an empty value.
cdef int compare_parameters(const Parameter* a, const Parameter* b) noexcept nogil:
    cdef int order = compare(a.p, a.name_length, b.p, b.name_length)
    return order if order else compare(
        a.p + a.name_length, a.length - a.name_length, b.p + b.name_length, b.length - b.name_length
    )


# Merge sort: its cost does not depend on the order.
cdef void sort_parameters(Parameter* parameters, Py_ssize_t n, Parameter* other) noexcept nogil:
    cdef Py_ssize_t half = n // 2, i = 0, j = half, k = 0
    if n < 2:
        return
    sort_parameters(parameters, half, other)
    sort_parameters(parameters + half, n - half, other)
    if compare_parameters(&parameters[half - 1], &parameters[half]) <= 0:
        return
    memcpy(other, parameters, half * sizeof(Parameter))
    while i < half:
        if j == n or compare_parameters(&other[i], &parameters[j]) <= 0:
            parameters[k] = other[i]
            i += 1
        else:
            parameters[k] = parameters[j]
            j += 1
        k += 1


cdef bint is_alphanumeric(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if not (is_alpha(p[i]) or is_digit(p[i])):
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
        return is_alphanumeric(value, n)
    return n > 0 and (has_name(parameter, b"cfid", 4) or has_name(parameter, b"cftoken", 7))


# Pushes a question mark and the parameters of a query, sorted, without those that the policy leaves out.
cdef void push_sorted(Buffer* out, const uint8_t* p, Py_ssize_t n, const Rules* rules) noexcept nogil:
    cdef Parameter[2 * FEW] few
    cdef Parameter* parameters = few
    cdef Parameter parameter
    cdef Py_ssize_t i, count = 1, kept = 0, begin = 0
    for i in range(n):
        count += p[i] == c'&'
    if count > FEW:
        parameters = <Parameter*> malloc(2 * count * sizeof(Parameter))
        if parameters == NULL:
            out.status = NO_MEMORY
            return
    while begin <= n:
        parameter.p = p + begin
        parameter.name_length = -1
        i = begin
        while i < n and p[i] != c'&':
            if p[i] == c'=' and parameter.name_length < 0:
                parameter.name_length = i - begin
            i += 1
        parameter.length = i - begin
        if parameter.name_length < 0:
            parameter.name_length = parameter.length
        begin = i + 1
        if rules.kind == SURT:
            if is_session(&parameter):
                continue
        elif parameter.length == 0 or contains(&rules.tracking_parameters, parameter.p, parameter.name_length):
            continue
        parameters[kept] = parameter
        kept += 1
    sort_parameters(parameters, kept, parameters + kept)
    if kept > 1 or (kept == 1 and parameters[0].length):
        for i in range(kept):
            push(out, c'&' if i else c'?')
            push_run(out, parameters[i].p, parameters[i].length)
    if parameters != few:
        free(parameters)


cdef void push_crawl(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil:
    cdef uint8_t[512] scratch
    cdef Buffer query
    cdef Span s = span(&url.record, url.length, PATHNAME)
    cdef Py_ssize_t i
    push_run(out, url.href, s.start)
    push_normalized(out, url.href + s.start, s.end - s.start)
    i = out.length
    while i > 0 and out.data[i - 1] != c'/':
        i -= 1
    if contains(&rules.index_names, out.data + i, out.length - i):
        out.length = i
    if url.record.query_start != OMITTED:
        s = span(&url.record, url.length, QUERY)
        start(&query, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
        push_normalized(&query, url.href + s.start, s.end - s.start)
        push_sorted(out, query.data, query.length, rules)
        out.status = out.status or query.status
        release(&query)


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


cdef void push_surt_host(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t begin, end, i
    if n > 1 and p[n - 1] == c'.' and p[n - 2] != c'.':
        n -= 1
    begin = skip_www(p, n)
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


cdef void push_surt(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil:
    cdef uint8_t[512] scratch, escaped_scratch
    cdef Buffer decoded, escaped
    cdef Span s = span(&url.record, url.length, HOSTNAME)
    start(&decoded, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&escaped, escaped_scratch, sizeof(escaped_scratch), PY_SSIZE_T_MAX)
    if url.record.host_type == HOST_IPV6:
        push_run(out, url.href + s.start, s.end - s.start)
    else:
        push_surt_host(out, url.href + s.start, s.end - s.start)
    # The port with its colon.
    push_run(out, url.href + s.end, url.record.path_start - s.end)
    push(out, c')')
    s = span(&url.record, url.length, PATHNAME)
    push_unescaped(&decoded, url.href + s.start, s.end - s.start)
    push_surt_path(out, decoded.data, decoded.length)
    if url.record.query_start != OMITTED:
        s = span(&url.record, url.length, QUERY)
        decoded.length = 0
        push_unescaped(&decoded, url.href + s.start, s.end - s.start)
        push_surt_text(&escaped, decoded.data, decoded.length, False)
        push_sorted(out, escaped.data, escaped.length, rules)
    out.status = out.status or decoded.status or escaped.status
    release(&decoded)
    release(&escaped)


cdef inline bint is_http(const Record* record) noexcept nogil:
    return record.scheme_type == HTTP or record.scheme_type == HTTPS


cdef void push_canonical(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil:
    if rules.kind == WHATWG:
        push_run(out, url.href, url.length)
    elif not is_http(&url.record):
        push_run(out, url.href, min(<Py_ssize_t> url.record.fragment_start, url.length))
    elif rules.kind == CRAWL:
        push_crawl(out, url, rules)
    else:
        push_surt(out, url, rules)


cdef Py_ssize_t surt_end(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t end = 0
    while end < n and p[end] != c'/':
        end += 1
    return end if 2 <= end < n and p[end - 1] == c')' else -1


# Pushes a URL for a SURT, which need not parse; false if the text is not a SURT.
cdef bint push_url_of_surt(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t end = surt_end(p, n), host, i, label
    if end < 0:
        return False
    host = end - 1
    while host > 0 and is_digit(p[host - 1]):
        host -= 1
    # A port, or else no colon outside of an IPv6 address.
    host = host - 1 if host > 0 and host < end - 1 and p[host - 1] == c':' else end - 1
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
    # The scheme whose default port is another.
    if end - host == 4 and memcmp(p + host, b":80", 3) == 0:
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
    push_run(out, p + host, end - 1 - host)
    push_run(out, p + end, n - end)
    return True


cdef bint parse_surt(
    ParseText parse, void* caller, const uint8_t* p, Py_ssize_t n, Buffer* scratch, URLView* url
) except -1 nogil:
    scratch.length = 0
    if not push_url_of_surt(scratch, p, n):
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
    if text != NULL and parse_surt(parse, caller, text, length, scratch, url):
        return OK
    status = parse(caller, NULL, 0, url)
    if status == OK:
        # A text that becomes a SURT by being parsed: `A:80)/`. The serialization of an http or https URL is not one.
        parse_surt(parse, caller, url.href, url.length, scratch, url)
    return status


cdef bytes open_words(Words* words, object names):
    """Fills in the table; returns what it points into."""
    cdef list lowered = sorted(name.lower().encode() for name in names)
    cdef Py_ssize_t i, place = 0
    cdef int first
    pool = b"".join(lowered)
    words.ends = <Py_ssize_t*> calloc(len(lowered) + 1, sizeof(Py_ssize_t))
    if words.ends == NULL:
        raise MemoryError
    words.pool = <const uint8_t*> <char*> pool
    for i in range(len(lowered)):
        place += len(lowered[i])
        words.ends[i + 1] = place
    i = 0
    for first in range(256):
        words.starts[first] = i
        while i < len(lowered) and lowered[i][0] == first:
            i += 1
    words.starts[256] = i
    return pool


cdef object checked_names(object names, str what):
    if isinstance(names, str):
        raise TypeError(f"{what} must be a collection of str, not a str")
    result = frozenset(names)
    for name in result:
        if not isinstance(name, str):
            raise TypeError(f"{what} must be of str, not {type(name).__name__}")
        if not name.isascii() or name in ("", "*"):
            raise ValueError(f"{what}: {name!r} is not a name as it stands in a URL, in ASCII")
    return result


cdef class Policy:
    """How canonicalize() changes a URL; see docs/crawl.md."""

    def __cinit__(self):
        self.name = "whatwg"
        self.version = 1
        self.rules.kind = WHATWG
        self.rules.tracking_parameters.ends = NULL
        self.rules.index_names.ends = NULL

    def __dealloc__(self):
        free(self.rules.tracking_parameters.ends)
        free(self.rules.index_names.ends)

    def __repr__(self):
        return f"<{type(self).__name__} {self.name}/{self.version}>"


cdef class CrawlPolicy(Policy):
    """CrawlPolicy(tracking_parameters=TRACKING_PARAMETERS, index_names=INDEX_NAMES)

    The policy `crawl` with other lists of what is removed: names of query parameters, in which a star at the end
    matches any rest, and last segments of paths. Case makes no difference.
    """

    def __cinit__(self, tracking_parameters=TRACKING_PARAMETERS, index_names=INDEX_NAMES):
        tracking_parameters = checked_names(tracking_parameters, "tracking_parameters")
        index_names = checked_names(index_names, "index_names")
        self.tracking_pool = open_words(&self.rules.tracking_parameters, tracking_parameters)
        self.index_pool = open_words(&self.rules.index_names, index_names)
        self.tracking_parameters = tracking_parameters
        self.index_names = index_names
        self.name = "crawl"
        self.rules.kind = CRAWL

    def __reduce__(self):
        return CrawlPolicy, (self.tracking_parameters, self.index_names)


cdef Policy surt_policy():
    cdef Policy policy = Policy()
    policy.name = "surt"
    policy.rules.kind = SURT
    return policy


cdef dict POLICIES = {policy.name: policy for policy in (Policy(), CrawlPolicy(), surt_policy())}
POLICIES.update({f"{name}/1": policy for name, policy in POLICIES.items()})


cdef Policy policy_in_use(object policy):
    if isinstance(policy, str):
        found = POLICIES.get(policy)
        if found is None:
            raise ValueError(f"policy must be whatwg, crawl or surt, with /1 or without, or a CrawlPolicy, not {policy!r}")
        return <Policy> found
    if not isinstance(policy, Policy):
        raise TypeError(f"policy must be a str or a CrawlPolicy, not {type(policy).__name__}")
    return <Policy> policy


# The serialization of a str or a URL; None if it does not parse.
cdef str href_of(object url, Record* record, Status* status):
    if isinstance(url, URL):
        return snapshot(<URL> url, record)
    if isinstance(url, str):
        return parse_text(url, None, NULL, None, record, status)
    raise wrong_type(url, "url must be a str or a URL")


# What parse_under() asks for a str or a URL.
cdef class URLToParse:
    cdef object url
    cdef str href
    cdef Record record


cdef Status parse_this_url(void* caller, const uint8_t* text, Py_ssize_t length, URLView* url) except RAISED with gil:
    cdef URLToParse self = <URLToParse> caller
    cdef Record record
    cdef Status status = OK
    cdef str href = href_of(self.url if text == NULL else ascii_text(text, length), &record, &status)
    if href is None:
        return status
    self.href = href
    self.record = record
    view_text(url, href, &self.record)
    return OK


cdef str href_under_surt(object url, const Rules* rules, Buffer* scratch, Record* record, Status* status):
    cdef URLToParse given = URLToParse.__new__(URLToParse)
    cdef const uint8_t* text = NULL
    cdef Py_ssize_t length = 0
    cdef URLView view
    given.url = url
    if isinstance(url, str) and PyUnicode_IS_ASCII(url):
        text = <const uint8_t*> PyUnicode_DATA(url)
        length = PyUnicode_GET_LENGTH(url)
    status[0] = parse_under(rules, parse_this_url, <void*> given, text, length, scratch, &view)
    scratch.length = 0
    record[0] = given.record
    return given.href if status[0] == OK else None


# Pushes the canonical form; gives the serialization of the URL.
cdef str open_canonical(Buffer* out, object url, object policy):
    cdef Policy rules = policy_in_use(policy)
    cdef Record record
    cdef URLView view
    cdef Status status = OK
    cdef str href
    if rules.rules.kind == SURT:
        href = href_under_surt(url, &rules.rules, out, &record, &status)
    else:
        href = href_of(url, &record, &status)
    if href is None:
        raise failure(url, None, status)
    view_text(&view, href, &record)
    push_canonical(out, &view, &rules.rules)
    raise_for(out)
    return href


def canonicalize(url, policy="crawl"):
    """canonicalize(url, policy="crawl")

    The canonical form of a URL: the same for all URLs that the policy treats as the same page. The policy is `whatwg`,
    `crawl`, `surt` or a CrawlPolicy. InvalidURL is raised if a str does not parse. A canonical form is its own
    canonical form.
    """
    cdef uint8_t[1024] scratch
    cdef Buffer out
    cdef str href
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        href = open_canonical(&out, url, policy)
        if (
            out.length == PyUnicode_GET_LENGTH(href)
            and memcmp(out.data, PyUnicode_DATA(href), out.length) == 0
        ):
            return href
        return ascii_text(out.data, out.length)
    finally:
        release(&out)


def fingerprint(url, policy="crawl", bits=64):
    """fingerprint(url, policy="crawl", bits=64)

    A number below 2 ** bits, the same for all URLs with the same canonical form: the first bits of its BLAKE2b digest.
    """
    cdef uint8_t[1024] scratch
    cdef uint64_t[8] digest
    cdef Buffer out
    cdef int i, words
    if not isinstance(bits, int) or not 1 <= bits <= 512:
        raise ValueError("bits must be an int from 1 to 512")
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        open_canonical(&out, url, policy)
        blake2b(digest, out.data, out.length)
    finally:
        release(&out)
    if bits == 64:
        return big_endian(digest, 0)
    value = 0
    words = (bits + 63) // 64
    for i in range(words):
        value = value << 64 | big_endian(digest, i)
    return value >> (64 * words - bits)
