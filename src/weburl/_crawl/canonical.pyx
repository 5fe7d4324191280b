"""The keys of a URL: its canonical form, its fingerprint and its group of hosts; docs/crawl.md has the definitions.
surt.pxi has SURTs, groups.pxi has groups of hosts and shards."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memchr, memcmp, memmove

from weburl._core.ascii cimport is_alpha, is_digit, to_lower
from weburl._core.buffer cimport OMITTED, PY_SSIZE_T_MAX, Buffer, push, push_run, release, reserve, start
from weburl._core.host cimport HOST_DOMAIN
from weburl._core.percent cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII, ascii_text, raise_for
from weburl._core.record cimport (
    HTTP, HTTPS, PASSWORD, QUERY, USERNAME, Record, Span, URLView, has_credentials, has_port,
    path_end, span, view_text,
)
from weburl._core.status cimport NO_MEMORY, OK, RAISED, Status
from weburl._core.texts cimport output_encoding, parse_text
from weburl._crawl.policy cimport (
    ANY_FRAGMENT, CRAWL, ENDS_PARAMETER, NAME_DECODED, NO_FRAGMENT, OPENS_SESSION, PATH_DECODED, PATH_ESCAPED,
    QUERY_ESCAPED, SURT, USERINFO_DECODED, USERINFO_ESCAPED, VALUE_DECODED, WHATWG, Parameter, ParameterList, Policy,
    Rules, big_endian, blake2b, close_list, contains, drop_repeated, escape_class, open_list,
    policy_in_use, push_list, push_respelled, scan_classes, sort_parameters,
)
from weburl._core.arguments import wrong_type
from weburl._hosts.suffixes cimport Suffixes, find_site
from weburl._parsed cimport ParsedURL, failure, snapshot
from weburl.url cimport is_url

include "surt.pxi"

cdef str UTF_8 = "utf-8"


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
    if rules.kind != SURT or rules.archive_exact:
        return parse(caller, NULL, 0, url)
    if text != NULL and parse_surt(rules, parse, caller, text, length, scratch, url):
        return OK
    status = parse(caller, NULL, 0, url)
    if status == OK:
        # A text that becomes a SURT by being parsed: `A:80)/`. The serialization of an http or https URL is not one, but
        # for those of SURTs with a scheme, ` http://(a)/`.
        parse_surt(rules, parse, caller, url.href, url.length, scratch, url)
    return status


# The authority, up to the path.

cdef void push_userinfo(Buffer* out, const uint8_t* p, Span s) noexcept nogil:
    push_respelled(out, p + s.start, s.end - s.start, USERINFO_ESCAPED, USERINFO_DECODED)


cdef void respell_credentials(Buffer* out, const URLView* url) noexcept nogil:
    cdef Span password = span(&url.record, url.length, PASSWORD)
    push_userinfo(out, url.href, span(&url.record, url.length, USERNAME))
    if password.end > password.start:
        push(out, c':')
        push_userinfo(out, url.href, password)
    push(out, c'@')


# Whether a name is a site of its own, or a public suffix, if its first label has this length. By the list, and by its
# look: under a name like `co.uk`, also if the list does not have it.
cdef bint is_site(const Suffixes* suffixes, const uint8_t* p, Py_ssize_t n, Py_ssize_t label) noexcept nogil:
    cdef const uint8_t* dot = <const uint8_t*> memchr(p + label, c'.', n - label)
    cdef const uint8_t* end = p + n - (p[n - 1] == c'.')
    if dot != NULL and dot - p - label <= 3 and end - dot == 3 and dot[1] != c'.' and dot[2] != c'.':
        return True
    return find_site(suffixes, p, n, True).registrable_domain < label


# Where the name begins without `www.`, `m.` or `mobile.`, which stay if no dot would be left in the name.
cdef Py_ssize_t skip_label(const uint8_t* p, Py_ssize_t n, const char* label, Py_ssize_t length) noexcept nogil:
    return length if n > length and memcmp(p, label, length) == 0 and memchr(p + length, c'.', n - length - 1) != NULL else 0


cdef Py_ssize_t skip_labels(const uint8_t* p, Py_ssize_t n, const Rules* rules) noexcept nogil:
    cdef Py_ssize_t begin = 0, more = 1
    while more:
        more = 0
        if rules.remove_www:
            more = skip_label(p + begin, n - begin, b"www.", 4)
        if rules.remove_mobile and not more:
            more = skip_label(p + begin, n - begin, b"m.", 2)
            if not more:
                more = skip_label(p + begin, n - begin, b"mobile.", 7)
            if more and is_site(rules.suffixes, p + begin, n - begin, more):
                more = 0
        begin += more
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
        respell_credentials(out, url)
    if record.host_type == HOST_DOMAIN:
        # What has no name before the dot, or two dots, is as it is.
        if rules.remove_trailing_dot and end - begin > 1 and url.href[end - 1] == c'.' and url.href[end - 2] != c'.':
            end -= 1
        begin += skip_labels(url.href + begin, end - begin, rules)
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
cdef void drop_from_path(Buffer* out, Py_ssize_t begin, uint16_t classes, const Rules* rules) noexcept nogil:
    cdef Py_ssize_t i, to
    if classes & OPENS_SESSION and rules.session_ids and out.status == OK:
        out.length = begin + drop_sessions(out.data + begin, out.length - begin)
    if rules.merge_slashes and out.status == OK:
        to = begin
        for i in range(begin, out.length):
            if out.data[i] != c'/' or to == begin or out.data[to - 1] != c'/':
                out.data[to] = out.data[i]
                to += 1
        out.length = to
    while True:
        if rules.remove_trailing_slash:
            while out.length > begin + 1 and out.data[out.length - 1] == c'/':
                out.length -= 1
        if rules.remove_amp and drop_amp(out, begin):
            continue
        i = out.length
        while i > begin and out.data[i - 1] != c'/':
            i -= 1
        if not contains(&rules.index_names, out.data + i, out.length - i, NULL, NULL):
            return
        out.length = i
        if not (rules.remove_trailing_slash or rules.remove_amp):
            return


# Drops `/amp` or `amp/` from the end of a path, or `.amp` before `.html`; false if it is not there. No dot segment comes
# of it.
cdef bint drop_amp(Buffer* out, Py_ssize_t begin) noexcept nogil:
    cdef Py_ssize_t n = out.length - begin
    cdef const uint8_t* end = out.data + out.length
    if n > 9 and memcmp(end - 9, b".amp.html", 9) == 0 and (end - 10)[0] != c'/':
        memmove(out.data + out.length - 9, b".html", 5)
        out.length -= 4
    elif n > 4 and memcmp(end - 5, b"/amp/", 5) == 0:
        out.length -= 4
    elif n > 3 and memcmp(end - 4, b"/amp", 4) == 0:
        out.length -= 3 if n == 4 else 4
    else:
        return False
    return True


# Queries.

# Pushes a parameter with the raw equals sign that separates, and lets it point there; there is room for it.
cdef void respell_parameter(Buffer* out, Parameter* parameter) noexcept nogil:
    cdef Py_ssize_t begin = out.length, name = parameter.name_length, rest = parameter.length - name - 1
    push_respelled(out, parameter.p, name, QUERY_ESCAPED, NAME_DECODED)
    parameter.name_length = out.length - begin
    if rest >= 0:
        push(out, c'=')
        push_respelled(out, parameter.p + name + 1, rest, QUERY_ESCAPED, VALUE_DECODED)
    parameter.p = out.data + begin
    parameter.length = out.length - begin


# The most that respelling makes of a query.
cdef Py_ssize_t most_respelled(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, most = n
    for i in range(n):
        most += 2 if escape_class[p[i]] & QUERY_ESCAPED else 0
    return most


# Whether a parameter asks for the AMP version of a page: `amp`, `amp=1`, `amp=true` or `outputType=amp`.
cdef bint asks_for_amp(const Parameter* parameter) noexcept nogil:
    cdef const uint8_t* p = parameter.p
    cdef Py_ssize_t n = parameter.length
    if parameter.name_length == 3:
        return memcmp(p, b"amp", 3) == 0 and (
            n < 5 or (n == 5 and p[4] == c'1') or (n == 8 and memcmp(p + 4, b"true", 4) == 0)
        )
    return n == 14 and memcmp(p, b"outputType=amp", 14) == 0


cdef void push_query(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil:
    cdef Span s = span(&url.record, url.length, QUERY)
    cdef const uint8_t* p = url.href + s.start
    cdef Py_ssize_t n = s.end - s.start
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
        if contains(&rules.parameters, parameter.p, parameter.name_length, parameter, url):
            continue
        if rules.remove_amp and asks_for_amp(parameter):
            continue
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
        drop_from_path(out, begin, classes, rules)
        if url.record.query_start != OMITTED:
            push_query(out, url, rules)
    if keeps_fragment(url, rules):
        begin = url.record.fragment_start
        push_run(out, url.href + begin, url.length - begin)


cdef void push_canonical(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil:
    if rules.kind == WHATWG:
        push_run(out, url.href, url.length)
    elif rules.kind == CRAWL:
        push_crawl(out, url, rules)
    elif rules.kind == SURT and rules.archive_exact:
        push_exact_surt(out, url, rules)
    elif rules.kind == SURT and (url.record.scheme_type == HTTP or url.record.scheme_type == HTTPS):
        push_surt(out, url, rules)
    else:
        push_run(out, url.href, min(<Py_ssize_t> url.record.fragment_start, url.length))


# The serialization of a str or a URL; None if it does not parse. `encoder` is that of the query, or None for UTF-8.
cdef str href_of(object url, object encoder, Record* record, Status* status):
    if is_url(url):
        return snapshot(<ParsedURL> url, record)
    if isinstance(url, str):
        return parse_text(url, None, NULL, encoder, record, status)
    raise wrong_type(url, "url must be a str or a URL")


# What parse_under() asks for a str or a URL.
cdef class URLToParse:
    cdef object url
    cdef object encoder
    cdef str href
    cdef Record record


cdef Status parse_this_url(void* caller, const uint8_t* text, Py_ssize_t length, URLView* url) except RAISED with gil:
    cdef URLToParse self = <URLToParse> caller
    cdef Record record
    cdef Status status = OK
    cdef str href
    if text == NULL:
        href = href_of(self.url, self.encoder, &record, &status)
    else:
        href = href_of(ascii_text(text, length), None, &record, &status)
    if href is None:
        return status
    self.href = href
    self.record = record
    view_text(url, href, &self.record)
    return OK


cdef str href_under_surt(
    object url, object encoder, const Rules* rules, Buffer* scratch, Record* record, Status* status
):
    cdef URLToParse parsed = URLToParse.__new__(URLToParse)
    cdef const uint8_t* text = NULL
    cdef Py_ssize_t length = 0
    cdef URLView view
    parsed.url = url
    parsed.encoder = encoder
    if isinstance(url, str) and PyUnicode_IS_ASCII(url):
        text = <const uint8_t*> PyUnicode_DATA(url)
        length = PyUnicode_GET_LENGTH(url)
    status[0] = parse_under(rules, parse_this_url, <void*> parsed, text, length, scratch, &view)
    scratch.length = 0
    record[0] = parsed.record
    return parsed.href if status[0] == OK else None


# Pushes the canonical form; gives the serialization of the URL.
cdef str open_canonical(Buffer* out, object url, object policy, object encoding):
    cdef Policy rules = policy_in_use(policy)
    cdef Record record
    cdef URLView view
    cdef Status status = OK
    cdef str href
    # Most calls pass the default itself.
    encoder = None if encoding is UTF_8 or encoding == UTF_8 else output_encoding(encoding)
    if rules.rules.kind == SURT:
        href = href_under_surt(url, encoder, &rules.rules, out, &record, &status)
    else:
        href = href_of(url, encoder, &record, &status)
    if href is None:
        raise failure(url, None, status)
    view_text(&view, href, &record)
    push_canonical(out, &view, &rules.rules)
    raise_for(out)
    return href


def canonicalize(url, policy="crawl/1", *, encoding=UTF_8):
    """canonicalize(url, policy="crawl/1", *, encoding="utf-8")
--

    The canonical form of a URL: the same for all URLs that the policy treats as the same page.

    >>> canonicalize("HTTP://Example.com:80/index.html?b=2&utm_source=x&a=1#top")
    'http://example.com/?a=1&b=2'

    The policy is "whatwg/1", "whatwg-no-fragment/1", "crawl/1" or "surt/1", a CrawlPolicy or a SurtPolicy. If you
    canonicalize a canonical form again, it does not change. InvalidURL is raised if a str does not parse. `encoding` is
    the encoding of the query, if you pass a str.
    """
    cdef uint8_t[1024] scratch
    cdef Buffer out
    cdef str href
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        href = open_canonical(&out, url, policy, encoding)
        if (
            out.length == PyUnicode_GET_LENGTH(href)
            and memcmp(out.data, PyUnicode_DATA(href), out.length) == 0
        ):
            return href
        return ascii_text(out.data, out.length)
    finally:
        release(&out)


# Pushes the serialization without the parameters of the policy; all others stay as they are. False if it has none.
cdef bint push_without(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil:
    cdef uint8_t[512] scratch
    cdef Buffer respelled
    cdef Parameter parameter
    cdef Span s = span(&url.record, url.length, QUERY)
    cdef const uint8_t* end
    cdef Py_ssize_t i = s.start, piece, kept = 0, first
    cdef bint removed = False
    if url.record.query_start == OMITTED:
        return False
    start(&respelled, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    push_run(out, url.href, s.start)
    first = out.length
    while i <= s.end:
        end = <const uint8_t*> memchr(url.href + i, c'&', s.end - i)
        piece = (s.end if end == NULL else end - url.href) - i
        parameter.p = url.href + i
        parameter.length = piece
        end = <const uint8_t*> memchr(parameter.p, c'=', piece)
        parameter.name_length = piece if end == NULL else end - parameter.p
        respelled.length = 0
        respell_parameter(&respelled, &parameter)
        if respelled.status == OK and contains(
            &rules.parameters, parameter.p, parameter.name_length, &parameter, url
        ):
            removed = True
        else:
            if kept:
                push(out, c'&')
            push_run(out, url.href + i, piece)
            kept += 1
        i += piece + 1
    if out.length == first:
        out.length -= 1
    push_run(out, url.href + s.end, url.length - s.end)
    out.status = out.status or respelled.status
    release(&respelled)
    return removed


def without_parameters(url, policy, encoding=UTF_8):
    """The serialization without the parameters that the policy removes. All others stay as they are written."""
    cdef Policy rules = policy_in_use(policy)
    cdef uint8_t[1024] scratch
    cdef Record record
    cdef URLView view
    cdef Status status = OK
    cdef Buffer out
    cdef str href = href_of(url, None if encoding == UTF_8 else output_encoding(encoding), &record, &status)
    cdef bint removed
    if href is None:
        raise failure(url, None, status)
    view_text(&view, href, &record)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        removed = push_without(&out, &view, &rules.rules)
        raise_for(&out)
        return ascii_text(out.data, out.length) if removed else href
    finally:
        release(&out)


def fingerprint(url, policy="crawl/1", *, bits=64, encoding=UTF_8):
    """fingerprint(url, policy="crawl/1", *, bits=64, encoding="utf-8")
--

    The first bits of the BLAKE2b digest of the canonical form, which are the same for all URLs of a page.

    >>> fingerprint("https://example.com/#top")
    11102882730230929499
    >>> fingerprint("https://example.com/#top", bits=128).hex()
    '9a155d047e3bd85b676a07b71719d44c'

    Up to 64 bits are an int; 96 or 128 bits are bytes.
    """
    cdef uint8_t[1024] scratch
    cdef uint64_t[8] digest
    cdef uint8_t[16] octets
    cdef Buffer out
    cdef Py_ssize_t i, size
    check_bits(bits)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        open_canonical(&out, url, policy, encoding)
        blake2b(digest, out.data, out.length)
    finally:
        release(&out)
    if bits <= 64:
        return big_endian(digest, 0) >> <int> (64 - bits)
    size = bits // 8
    for i in range(size):
        octets[i] = <uint8_t> (digest[i >> 3] >> 8 * (i & 7))
    return (<const char*> octets)[:size]


cpdef object check_bits(object bits):
    """The argument, if a fingerprint can have so many bits."""
    if not isinstance(bits, int) or isinstance(bits, bool) or not (1 <= bits <= 64 or bits == 96 or bits == 128):
        raise ValueError("bits must be an int from 1 to 64, or 96 or 128")
    return bits


include "groups.pxi"
