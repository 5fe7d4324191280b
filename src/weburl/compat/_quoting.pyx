"""Percent-encoding to the taste of older standards, and the short way for what is a page: for weburl.compat."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp

from weburl._core.ascii cimport hex_value, is_hex_digit
from weburl._core.buffer cimport OMITTED, Buffer, push, push_run, release, reserve, start
from weburl._core.percent cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, Utf8Text, close_utf8, open_utf8, percent_decode, push_percent_encoded, raise_for,
    utf8_text,
)
from weburl._core.record cimport Record, has_credentials, path_end
from weburl._core.scalar cimport parse_text
from weburl._core.status cimport NO_MEMORY, Status
from weburl._crawl.canonical cimport Parameter, sort_parameters

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef enum:
    FEW = 64

UNRESERVED = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
# What is safe for the standard, RFC 3986, RFC 2396 and RFC 2732 alike.
SAFE = UNRESERVED + b"%:/?@!$&'()*+,;="


cdef class Quoter:
    """Percent-encodes bytes, or the UTF-8 of a str, but for what is safe."""

    cdef uint8_t[256] safe
    cdef uint8_t space      # what becomes of it; 0 where it is percent-encoded

    def __cinit__(self, bytes safe not None, bint plus=False):
        cdef int byte
        for byte in range(256):
            self.safe[byte] = byte in safe
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
# What a URL that is its own serialization consists of, if it is safe for certain.
cdef Quoter PLAIN = Quoter(SAFE.translate(None, b"%@"))
# What escapes in canonical paths do not stand for.
cdef Quoter CANONICAL = Quoter(UNRESERVED + b":@!$&'()*+,=[]|")


# What has been pushed, as a str.
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


# Whether a page's URL has what its serialization may not keep, though it is safe: credentials, dot segments, default
# ports, what is no graphic character but may stand for one in another encoding.
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


# Where the host of a page begins: 0 if the URL is none.
cdef Py_ssize_t page_host(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    if n > 6 and memcmp(p, b"http://", 7) == 0:
        return 7
    return 8 if n > 7 and memcmp(p, b"https://", 8) == 0 else 0


def page_of(str url not None, encoding):
    """The safe form of a URL where it can be told from the serialization, as for almost all pages; else None.

    `encoding` is that of the page that the URL comes from: a PageEncoding, or None for UTF-8.
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
    return None if lost else safe_page(p, n, &record)


cdef str safe_page(const uint8_t* p, Py_ssize_t n, const Record* record):
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
    """The path, its escapes decoded where that changes nothing, else in upper case."""
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
            # A percent sign; quoted paths hold no NUL.
            push(&decoded, 0)
            stray = True
            i += 1
    close_utf8(&text)
    if not stray:
        return take_text(&decoded)
    # One that would make an escape with what has been decoded after it becomes one itself.
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
    """The query with its pairs sorted by name, then by value, as bytes, and serialized as those of a form."""
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


# Where the text next is in p[i:n], pluses read as spaces, or else n.
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
    # Decoding makes nothing longer, so what has been decoded does not move.
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
