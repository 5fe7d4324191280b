"""w3lib's quoting, compiled, with a shortcut for plain http(s) URLs."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp

from weburl._core.ascii cimport hex_value, is_hex_digit
from weburl._core.buffer cimport OMITTED, PY_SSIZE_T_MAX, Buffer, push, push_run, release, reserve, start
from weburl._core.percent cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, Utf8Text, close_utf8, open_utf8, percent_decode, push_percent_encoded, raise_for,
    utf8_text,
)
from weburl._core.record cimport Record, has_credentials, path_end
from weburl._core.status cimport NO_MEMORY, Status
from weburl._core.texts cimport parse_text
from weburl._crawl.policy cimport FEW, Parameter, sort_parameters

UNRESERVED = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
# Safe in the URL Standard, RFC 3986, RFC 2396 and RFC 2732 alike.
SAFE = UNRESERVED + b"%:/?@!$&'()*+,;="


cdef class Quoter:
    """Percent-encodes the bytes that are not safe, of bytes or of a str in UTF-8."""

    cdef uint8_t[256] safe
    cdef uint8_t space      # what a space becomes; 0 if it is percent-encoded

    def __cinit__(self, bytes safe not None, bint plus=False):
        cdef int byte
        for byte in range(256):
            self.safe[byte] = <char> byte in safe
        self.space = c'+' if plus else 0

    def __call__(self, data not None):
        cdef uint8_t[512] scratch
        cdef Buffer out
        cdef Utf8Text text
        start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
        if isinstance(data, bytes):
            push_quoted(&out, <const uint8_t*> PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data), self)
        else:
            open_utf8(&text, data)
            push_quoted(&out, text.data, text.length, self)
            close_utf8(&text)
        return take_text(&out)


cdef Quoter SAFE_QUOTER = Quoter(SAFE)
cdef Quoter FIELD_QUOTER = Quoter(UNRESERVED, True)
# A URL of these bytes is safe if it is its own serialization.
cdef Quoter PLAIN = Quoter(SAFE.translate(None, b"%@"))
# Not escaped in canonical paths.
cdef Quoter CANONICAL = Quoter(UNRESERVED + b":@!$&'()*+,=[]|")


# The output as a str. Releases it.
cdef str take_text(Buffer* out):
    try:
        raise_for(out)
        return utf8_text(out.data, out.length)
    finally:
        release(out)


cdef void push_quoted(Buffer* out, const uint8_t* p, Py_ssize_t n, Quoter quoter) noexcept:
    cdef Py_ssize_t i = 0, run
    while True:
        run = i
        while i < n and quoter.safe[p[i]]:
            i += 1
        push_run(out, p + run, i - run)
        if i == n:
            return
        if p[i] == c' ' and quoter.space:
            push(out, quoter.space)
        else:
            push_percent_encoded(out, p[i])
        i += 1


# Whether the URL of a page has something that w3lib keeps and the serialization may not: credentials, dot segments,
# default ports, control characters that switch states in some encoding.
cdef bint has_what_is_lost(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, j
    for i in range(n):
        if p[i] == c'@' or p[i] == c'\t' or p[i] == c'\n' or p[i] == c'\r' or p[i] in (0x0E, 0x0F, 0x1B):
            return True
        if p[i] == c'/' or p[i] == c'\\':
            if n - i > 1 and p[i + 1] == c'.':
                return True
            if n - i > 3 and p[i + 1] == c'%' and p[i + 2] == c'2' and (p[i + 3] | 0x20) == c'e':
                return True
        elif p[i] == c':':
            j = i + 1
            while j < n and p[j] == c'0':
                j += 1
            if n - j > 1 and memcmp(p + j, b"80", 2) == 0:
                j += 2
            elif n - j > 2 and memcmp(p + j, b"443", 3) == 0:
                j += 3
            if j == n or p[j] == c'/' or p[j] == c'\\' or p[j] == c'?' or p[j] == c'#':
                return True
    return False


# Where the host of a page begins; 0 if the URL is not that of a page.
cdef Py_ssize_t page_host(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    if n > 6 and memcmp(p, b"http://", 7) == 0:
        return 7
    return 8 if n > 7 and memcmp(p, b"https://", 8) == 0 else 0


def safe_page(str url not None, encoding):
    """The safe form of a URL, if the serialization is enough to know it, as for almost all pages; otherwise None.

    `encoding` is that of the page that contains the URL: a PageEncoding, or None for UTF-8.
    """
    cdef Record record
    cdef Status status
    cdef Utf8Text text
    cdef Py_ssize_t host, i, n
    cdef const uint8_t* p
    cdef bint lost
    cdef str href = parse_text(url, None, NULL, encoding, &record, &status)
    if href is None:
        return None
    p = <const uint8_t*> PyUnicode_DATA(href)
    n = PyUnicode_GET_LENGTH(href)
    if href is url:
        i = 0
        while i < n and PLAIN.safe[p[i]]:
            i += 1
        if i == n:
            return href
        lost = has_credentials(&record) or page_host(p, n) == 0
    elif path_end(&record, n) == record.path_start + 1:
        lost = True
    else:
        open_utf8(&text, url)
        host = page_host(text.data, text.length)
        lost = host == 0 or has_what_is_lost(text.data + host, text.length - host)
        close_utf8(&text)
    return None if lost else quote_page(p, n, &record)


cdef str quote_page(const uint8_t* p, Py_ssize_t n, const Record* record):
    cdef uint8_t[1024] scratch
    cdef Buffer out
    cdef Py_ssize_t end = min(<Py_ssize_t> record.fragment_start, n)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    push_run(&out, p, record.path_start)
    push_quoted(&out, p + record.path_start, end - record.path_start, SAFE_QUOTER)
    if record.fragment_start != OMITTED:
        push(&out, c'#')
        push_quoted(&out, p + end + 1, n - end - 1, SAFE_QUOTER)
    return take_text(&out)


def canonical_path(str path not None):
    """The path. Its escapes are decoded if that does not change its meaning; otherwise they are in upper case."""
    cdef uint8_t[512] scratch, other
    cdef Buffer decoded, out
    cdef Utf8Text text
    cdef Py_ssize_t i, run
    cdef const uint8_t* p
    cdef uint8_t c
    cdef bint stray = False
    open_utf8(&text, path)
    p = text.data
    if memchr(p, c'%', text.length) == NULL:
        close_utf8(&text)
        return path
    start(&decoded, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    i = 0
    while i < text.length:
        run = i
        while i < text.length and p[i] != c'%':
            i += 1
        push_run(&decoded, p + run, i - run)
        if i == text.length:
            break
        if text.length - i > 2 and is_hex_digit(p[i + 1]) and is_hex_digit(p[i + 2]):
            c = hex_value(p[i + 1]) << 4 | hex_value(p[i + 2])
            if CANONICAL.safe[c]:
                push(&decoded, c)
            else:
                push_percent_encoded(&decoded, c)
            i += 3
        else:
            # NUL, which a quoted path does not have, stands for a percent sign.
            push(&decoded, 0)
            stray = True
            i += 1
    close_utf8(&text)
    if not stray:
        return take_text(&decoded)
    # A percent sign that would make an escape with the characters decoded after it is escaped itself.
    start(&out, other, sizeof(other), PY_SSIZE_T_MAX)
    p = decoded.data
    for i in range(decoded.length):
        if p[i]:
            push(&out, p[i])
        elif decoded.length - i > 2 and is_hex_digit(p[i + 1]) and is_hex_digit(p[i + 2]):
            push_percent_encoded(&out, c'%')
        else:
            push(&out, c'%')
    out.status = out.status or decoded.status
    release(&decoded)
    return take_text(&out)


def canonical_query(str query not None, bint keep_blank_values, str separator not None):
    """The query with its pairs sorted as bytes, by name and then by value, and serialized like a form."""
    cdef uint8_t[1024] scratch
    cdef Buffer out
    cdef Utf8Text text, between
    if not query:
        return ""
    open_utf8(&text, query)
    open_utf8(&between, separator)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        if between.length == 0:
            raise ValueError("empty separator")
        push_canonical_query(&out, &text, &between, keep_blank_values)
        return take_text(&out)
    finally:
        close_utf8(&text)
        close_utf8(&between)


# The next index of the text in p[i:n], where a plus counts as a space; n if there is none.
cdef Py_ssize_t find(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, const Utf8Text* text) noexcept nogil:
    cdef Py_ssize_t j
    while i + text.length <= n:
        j = 0
        while j < text.length and (c' ' if p[i + j] == c'+' else p[i + j]) == text.data[j]:
            j += 1
        if j == text.length:
            return i
        i += 1
    return n


# https://url.spec.whatwg.org/#concept-urlencoded-parser, without text, and #concept-urlencoded-serializer
cdef void push_canonical_query(Buffer* out, const Utf8Text* query, const Utf8Text* separator, bint keep_blank_values) noexcept:
    cdef uint8_t[1024] scratch
    cdef Parameter[2 * FEW] few
    cdef Parameter* pieces = few
    cdef Buffer decoded
    cdef Py_ssize_t i = 0, end, equals, count = 1, kept = 0
    cdef const uint8_t* p = query.data
    while i < query.length:
        i = find(p, i, query.length, separator)
        if i < query.length:
            count += 1
            i += separator.length
    start(&decoded, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    # Decoding does not lengthen anything, so the buffer does not move.
    if count > FEW:
        pieces = <Parameter*> malloc(2 * count * sizeof(Parameter))
    if pieces == NULL or not reserve(&decoded, query.length):
        out.status = NO_MEMORY
        count = 0
    i = 0
    while count:
        count -= 1
        end = find(p, i, query.length, separator)
        equals = i
        while equals < end and p[equals] != c'=':
            equals += 1
        if end - equals > 1 or (keep_blank_values and end > i):
            pieces[kept].p = decoded.data + decoded.length
            percent_decode(&decoded, p + i, equals - i, True)
            pieces[kept].name_length = decoded.data + decoded.length - pieces[kept].p
            if equals < end:
                percent_decode(&decoded, p + equals + 1, end - equals - 1, True)
            pieces[kept].length = decoded.data + decoded.length - pieces[kept].p
            kept += 1
        i = end + separator.length
    sort_parameters(pieces, kept, pieces + kept)
    for i in range(kept):
        if i:
            push_run(out, separator.data, separator.length)
        push_quoted(out, pieces[i].p, pieces[i].name_length, FIELD_QUOTER)
        push(out, c'=')
        push_quoted(
            out, pieces[i].p + pieces[i].name_length, pieces[i].length - pieces[i].name_length, FIELD_QUOTER
        )
    if pieces != few:
        free(pieces)
    release(&decoded)
