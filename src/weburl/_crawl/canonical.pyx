"""Canonical forms of URLs, and their fingerprints; docs/crawl.md has the definitions."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memchr, memcmp, memmove

from weburl._core.ascii cimport is_alpha, is_digit, to_lower
from weburl._core.buffer cimport OMITTED, Buffer, push, push_run, release, reserve, start
from weburl._core.host cimport HOST_DOMAIN
from weburl._core.percent cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII, ascii_text, raise_for,
)
from weburl._core.record cimport (
    HTTP, HTTPS, PASSWORD, QUERY, USERNAME, Record, Span, URLView, has_credentials, has_port, path_end, span, view_text,
)
from weburl._core.scalar cimport parse_text
from weburl._core.status cimport NO_MEMORY, OK, RAISED, Status
from weburl._crawl.blake2b cimport big_endian, blake2b
from weburl._crawl.escapes cimport (
    ENDS_PARAMETER, NAME_DECODED, OPENS_SESSION, PATH_DECODED, PATH_ESCAPED, QUERY_ESCAPED, USERINFO_DECODED,
    USERINFO_ESCAPED, VALUE_DECODED, escape_class, push_respelled, scan_classes,
)
from weburl._crawl.policy cimport (
    ANY_FRAGMENT, CRAWL, NO_FRAGMENT, SURT, WHATWG, Policy, Rules, contains, policy_in_use,
)
from weburl._crawl.query cimport (
    Parameter, ParameterList, close_list, drop_repeated, open_list, push_list, sort_parameters,
)
from weburl._crawl.surt cimport parse_under, push_surt
from weburl.url cimport URL, failure, snapshot, wrong_type

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX


# The authority, up to the path.

cdef void push_userinfo(Buffer* out, const uint8_t* p, Span s) noexcept nogil:
    push_respelled(out, p + s.start, s.end - s.start, USERINFO_ESCAPED, USERINFO_DECODED)


cdef void push_credentials(Buffer* out, const URLView* url) noexcept nogil:
    cdef Span password = span(&url.record, url.length, PASSWORD)
    push_userinfo(out, url.href, span(&url.record, url.length, USERNAME))
    if password.end > password.start:
        push(out, c':')
        push_userinfo(out, url.href, password)
    push(out, c'@')


# Where the name begins without `www.`, which stays if no dot would be left in the name.
cdef Py_ssize_t skip_www(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t begin = 0
    while n - begin > 4 and memcmp(p + begin, b"www.", 4) == 0 and memchr(p + begin + 4, c'.', n - begin - 5) != NULL:
        begin += 4
    return begin


cdef void push_authority(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil:
    cdef const Record* record = &url.record
    cdef Py_ssize_t begin = record.host_start, end = record.host_end
    # A port that is https's default cannot stay in an https URL.
    if rules.merge_schemes and record.scheme_type == HTTP and not (has_port(record) and record.port == 443):
        push_run(out, b"https://", 8)
    else:
        push_run(out, url.href, record.scheme_end + 3)
    if has_credentials(record) and not rules.remove_credentials:
        push_credentials(out, url)
    if record.host_type == HOST_DOMAIN:
        # What has no name before the dot, or two dots, is as it is.
        if rules.remove_trailing_dot and end - begin > 1 and url.href[end - 1] == c'.' and url.href[end - 2] != c'.':
            end -= 1
        if rules.remove_www:
            begin += skip_www(url.href + begin, end - begin)
    push_run(out, url.href + begin, end - begin)
    push_run(out, url.href + record.host_end, record.path_start - record.host_end)


# Paths.

# Whether a segment is an identifier of ASP.NET, such as `(S(lit3py55t21z5v55vlm25s55))`.
cdef bint is_asp_session(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 1, k
    if n < 29 or n % 27 != 2 or p[0] != c'(' or p[n - 1] != c')':
        return False
    while i < n - 1:
        if not (is_alpha(p[i]) and p[i + 1] == c'(' and p[i + 26] == c')'):
            return False
        for k in range(i + 2, i + 26):
            if not (is_alpha(p[k]) or is_digit(p[k])):
                return False
        i += 27
    return True


cdef bint is_jsessionid(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef const char* name = b";jsessionid="
    cdef int i
    if n < 12:
        return False
    for i in range(12):
        if to_lower(p[i]) != <uint8_t> name[i]:
            return False
    return True


# Removes session identifiers from a path, in place; gives its length. No dot segment comes of it.
cdef Py_ssize_t drop_sessions(uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, to = 0, begin, segment
    while i < n:
        # At a slash.
        p[to] = c'/'
        to += 1
        i += 1
        begin = i
        segment = to
        while i < n and p[i] != c'/':
            if p[i] == c';' and is_jsessionid(p + i, n - i):
                i += 12
                while i < n and p[i] != c'/' and p[i] != c';':
                    i += 1
            else:
                p[to] = p[i]
                to += 1
                i += 1
        # Nothing was written beyond where the segment is read from.
        if i - begin != to - segment and 0 < to - segment < 3 and p[segment] == c'.' and p[to - 1] == c'.':
            memmove(p + segment, p + begin, i - begin)
            to = segment + (i - begin)
        elif i < n and is_asp_session(p + segment, to - segment):
            # The next slash takes the place of the one before.
            to = segment - 1
    return to


# Drops from the path, which begins there in the output, what the policy leaves out.
cdef void shorten_path(Buffer* out, Py_ssize_t begin, uint16_t classes, const Rules* rules) noexcept nogil:
    cdef Py_ssize_t i
    if classes & OPENS_SESSION and rules.session_ids and out.status == OK:
        out.length = begin + drop_sessions(out.data + begin, out.length - begin)
    while True:
        if rules.remove_trailing_slash:
            while out.length > begin + 1 and out.data[out.length - 1] == c'/':
                out.length -= 1
        i = out.length
        while i > begin and out.data[i - 1] != c'/':
            i -= 1
        if not contains(&rules.index_names, out.data + i, out.length - i):
            return
        out.length = i
        if not rules.remove_trailing_slash:
            return


# Queries.

# Pushes a parameter with the raw equals sign that separates, and lets it point there; there is room for it.
cdef void respell_parameter(Buffer* room, Parameter* parameter) noexcept nogil:
    cdef Py_ssize_t begin = room.length, name = parameter.name_length, rest = parameter.length - name - 1
    push_respelled(room, parameter.p, name, QUERY_ESCAPED, NAME_DECODED)
    parameter.name_length = room.length - begin
    if rest >= 0:
        push(room, c'=')
        push_respelled(room, parameter.p + name + 1, rest, QUERY_ESCAPED, VALUE_DECODED)
    parameter.p = room.data + begin
    parameter.length = room.length - begin


# The most that respelling makes of a query.
cdef Py_ssize_t most_respelled(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, most = n
    for i in range(n):
        most += 2 if escape_class[p[i]] & QUERY_ESCAPED else 0
    return most


cdef void push_query(Buffer* out, const uint8_t* p, Py_ssize_t n, const Rules* rules) noexcept nogil:
    cdef uint8_t[512] scratch
    cdef Buffer respelled
    cdef ParameterList parameters
    cdef Parameter* parameter
    cdef uint16_t classes
    cdef Py_ssize_t i = 0, begin
    start(&respelled, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    if not open_list(&parameters, p, n):
        out.status = NO_MEMORY
        return
    while i <= n:
        begin = i
        classes = 0
        parameter = parameters.items + parameters.count
        parameter.name_length = -1
        while True:
            i = scan_classes(p, i, n, ENDS_PARAMETER, &classes)
            if i == n or p[i] == c'&':
                break
            if parameter.name_length < 0:
                parameter.name_length = i - begin
            i += 1
        parameter.p = p + begin
        parameter.length = i - begin
        if parameter.name_length < 0:
            parameter.name_length = parameter.length
        i += 1
        if parameter.length == 0:
            continue
        if classes & QUERY_ESCAPED:
            # Room for all, so that nothing moves.
            if respelled.length == 0 and not reserve(&respelled, most_respelled(p, n)):
                break
            respell_parameter(&respelled, parameter)
        if not contains(&rules.parameters, parameter.p, parameter.name_length):
            parameters.count += 1
    if rules.sort_query:
        sort_parameters(parameters.items, parameters.count, parameters.items + parameters.count)
    if rules.remove_repeated_pairs and not drop_repeated(&parameters, rules.sort_query):
        out.status = NO_MEMORY
    push_list(out, &parameters)
    close_list(&parameters)
    out.status = out.status or respelled.status
    release(&respelled)


cdef bint keeps_fragment(const URLView* url, const Rules* rules) noexcept nogil:
    cdef Py_ssize_t begin = url.record.fragment_start
    if url.record.fragment_start == OMITTED or rules.fragment == NO_FRAGMENT:
        return False
    return rules.fragment == ANY_FRAGMENT or (begin + 1 < url.length and url.href[begin + 1] == c'!')


cdef void push_crawl(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil:
    cdef Py_ssize_t begin = url.record.path_start, end, i
    cdef uint16_t classes = 0
    cdef Span s
    if url.record.scheme_type != HTTP and url.record.scheme_type != HTTPS:
        push_run(out, url.href, min(<Py_ssize_t> url.record.fragment_start, url.length))
    else:
        end = path_end(&url.record, url.length)
        if rules.changes_authority or has_credentials(&url.record):
            push_authority(out, url, rules)
            i = begin
            begin = out.length
        else:
            # With what is raw of the path.
            i = scan_classes(url.href, begin, end, PATH_ESCAPED, &classes)
            push_run(out, url.href, i)
        if i < end:
            classes |= push_respelled(out, url.href + i, end - i, PATH_ESCAPED, PATH_DECODED)
        shorten_path(out, begin, classes, rules)
        if url.record.query_start != OMITTED:
            s = span(&url.record, url.length, QUERY)
            push_query(out, url.href + s.start, s.end - s.start, rules)
    if keeps_fragment(url, rules):
        begin = url.record.fragment_start
        push_run(out, url.href + begin, url.length - begin)


cdef void push_canonical(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil:
    if rules.kind == WHATWG:
        push_run(out, url.href, url.length)
    elif rules.kind == CRAWL:
        push_crawl(out, url, rules)
    elif rules.kind == SURT and (url.record.scheme_type == HTTP or url.record.scheme_type == HTTPS):
        push_surt(out, url, rules)
    else:
        push_run(out, url.href, min(<Py_ssize_t> url.record.fragment_start, url.length))


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
    `whatwg-no-fragment`, `crawl`, `surt`, a CrawlPolicy or a SurtPolicy. InvalidURL is raised if a str does not parse. A canonical form is its own
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
