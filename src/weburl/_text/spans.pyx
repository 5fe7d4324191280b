"""URLs in a str or in bytes: where they are, and what they are. finder.pxi finds them."""

cimport cython
from libc.stdint cimport uint8_t

from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push_run, release, start
from weburl._core.parser cimport Parser, parse
from weburl._core.percent cimport PyUnicode_IS_ASCII, Utf8Text, ascii_text, close_utf8, open_utf8
from weburl._core.status cimport NEED_DOMAIN, NEED_ENCODE, NO_MEMORY, OK, Status
from weburl._core.texts cimport continue_parser

from weburl.url import FrozenURL

cdef extern from "Python.h":
    str PyUnicode_Substring(object text, Py_ssize_t begin, Py_ssize_t end)
    Py_UCS4 PyUnicode_READ_CHAR(object text, Py_ssize_t index)

include "finder.pxi"


# What the parser asks for: `context` is a list that gets the exception, if there is one.
cdef Status run_parser(void* context, Parser* parser) noexcept nogil:
    cdef Status status = parse(parser)
    if status == OK or not (status == NEED_DOMAIN or status == NEED_ENCODE):
        return status
    return go_on(context, parser, status)


cdef Status go_on(void* context, Parser* parser, Status status) noexcept with gil:
    try:
        return continue_parser(parser, status, None)
    except BaseException as error:
        (<list> context).append(error)
        return NO_MEMORY


ctypedef struct Found:
    Py_ssize_t start, end, after
    int scheme                  # or -1 without one


cdef enum:
    MOST_FOUND = 64
    LARGE = 1 << 14             # bytes of a text that other threads need not wait for


cdef int find_some(Finder* finder, Found* found, int* count) noexcept nogil:
    cdef int result = 1
    count[0] = 0
    while count[0] < MOST_FOUND:
        result = find_next(finder)
        if result <= 0:
            break
        found[count[0]].start = finder.start
        found[count[0]].end = finder.end
        found[count[0]].after = finder.found.after
        found[count[0]].scheme = finder.found.scheme if finder.found.kind == SCHEME else -1
        count[0] += 1
    return result


# Where the characters of a text end that are these bytes of UTF-8, and begin at a place. A character beyond U+FFFF can
# be two surrogates in the text.
cdef Py_ssize_t end_of_characters(
    object text, Py_ssize_t place, const uint8_t* p, Py_ssize_t begin, Py_ssize_t end
) noexcept:
    cdef Py_ssize_t i
    for i in range(begin, end):
        if p[i] >= 0xF0:
            place += 1 + (0xD800 <= PyUnicode_READ_CHAR(text, place) < 0xDC00)
        else:
            place += (p[i] & 0xC0) != 0x80
    return place


@cython.no_gc
@cython.freelist(64)
cdef class URLSpan:
    """URLSpan()\n--\n

    A URL in a text: where it is, as it is there, and what it is.

    >>> span = find_urls("see https://example.com/a.")[0]
    >>> span.start, span.end, span.text, span.url
    (4, 25, 'https://example.com/a', FrozenURL('https://example.com/a'))

    `find_urls` makes them. Two are equal if their places and their texts are.
    """

    cdef Py_ssize_t begins, ends
    cdef object written
    cdef FindRules rules
    cdef Py_ssize_t after
    cdef int scheme

    def __init__(self, *args, **kwargs):
        raise TypeError("find_urls() makes a URLSpan")

    @property
    def start(self):
        """Where it begins: a number of characters, or of bytes if the text was bytes.

        >>> find_urls("at www.example.com")[0].start
        3
        """
        return self.begins

    @property
    def end(self):
        """Where it ends.

        >>> find_urls("at www.example.com")[0].end
        18
        """
        return self.ends

    @property
    def text(self):
        """What is written there: a str, or bytes.

        >>> find_urls(b"at www.example.com.")[0].text
        b'www.example.com'
        """
        return self.written

    @property
    def url(self):
        """The URL, a `FrozenURL` that is made when it is asked for.

        >>> find_urls("at www.example.com")[0].url
        FrozenURL('http://www.example.com/')
        """
        if self.scheme >= 0 and self.rules.options.is_plain and type(self.written) is str:
            return FrozenURL(self.written)
        value = meaning_of(self, True)
        return FrozenURL(value if isinstance(value, str) else (<bytes> value).decode("utf-8", "replace"))

    def __eq__(self, other):
        if type(other) is not URLSpan:
            return NotImplemented
        return (self.begins, self.ends, self.written) == (
            (<URLSpan> other).begins, (<URLSpan> other).ends, (<URLSpan> other).written
        )

    def __hash__(self):
        return hash((self.begins, self.ends, self.written))

    def __repr__(self):
        return f"<URLSpan {self.begins}:{self.ends} {self.written!r}>"

    def __reduce__(self):
        return restore_span, (self.rules.arguments, self.begins, self.ends, self.written, self.after, self.scheme)


def restore_span(arguments, Py_ssize_t start, Py_ssize_t end, text, Py_ssize_t after, int scheme):
    """For pickles."""
    cdef FindRules rules = FindRules(*arguments)
    if not isinstance(text, (str, bytes)) or end - start != len(text) or not 0 <= start:
        raise ValueError("not a URLSpan")
    if not -1 <= scheme < rules.options.n_schemes or not 0 <= after <= len(text):
        raise ValueError("not a URLSpan")
    # What is read of the text is there.
    if scheme >= 0 and after < rules.options.schemes[scheme].length:
        raise ValueError("not a URLSpan")
    return new_span(rules, start, end, text, after, scheme)


cdef URLSpan new_span(FindRules rules, Py_ssize_t begin, Py_ssize_t end, object text, Py_ssize_t after, int scheme):
    cdef URLSpan self = URLSpan.__new__(URLSpan)
    self.rules = rules
    self.begins = begin
    self.ends = end
    self.written = text
    self.after = after
    self.scheme = scheme
    return self


# The text as bytes. A lone surrogate comes back as it was.
cdef bytes bytes_of(URLSpan self):
    return self.written if isinstance(self.written, bytes) else (<str> self.written).encode("utf-8", "surrogatepass")


cdef object like_text(URLSpan self, const Buffer* out):
    cdef bytes data
    if out.status:
        raise MemoryError
    data = out.data[:out.length]
    return data if isinstance(self.written, bytes) else data.decode("utf-8", "surrogatepass")


# What a span's text stands for, in its type.
cdef object meaning_of(URLSpan self, bint with_scheme):
    cdef Finder finder
    cdef Candidate candidate
    cdef uint8_t[4] token
    cdef int length, size
    cdef bytes data = bytes_of(self)
    cdef Py_ssize_t i = self.after
    open_finder(&finder, &self.rules.options, run_parser, NULL)
    try:
        start_finding(&finder, <const uint8_t*> <const char*> data, len(data))
        candidate.kind = WWW if self.scheme < 0 else SCHEME
        candidate.scheme = self.scheme
        candidate.start = 0
        if with_scheme or self.scheme >= 0:
            push_start(&finder.decoded, &finder, &candidate)
        while i < finder.n:
            length = read_token(finder.options, finder.p + i, finder.n - i, token, &size)
            if length > 1:
                restore_scheme(&finder.decoded, &finder, i)
            push_run(&finder.decoded, token, size)
            i += max(length, 1)
        return like_text(self, &finder.decoded)
    finally:
        close_finder(&finder)


cdef list find_all(object text, FindRules rules):
    cdef Finder finder
    cdef Utf8Text utf8
    cdef Found[MOST_FOUND] found
    cdef list spans = [], errors = []
    cdef bytes data
    cdef const uint8_t* p
    cdef Py_ssize_t n, at = 0, place = 0, begin, end
    cdef bint is_text = isinstance(text, str), is_ascii
    cdef int result = 1, count, k
    cdef str written
    if is_text:
        open_utf8(&utf8, text)
        p = utf8.data
        n = utf8.length
        is_ascii = PyUnicode_IS_ASCII(text)
    elif isinstance(text, bytes):
        data = text if type(text) is bytes else bytes(memoryview(text))
        p = <const uint8_t*> <const char*> data
        n = len(data)
        is_ascii = True
    else:
        from weburl._advice import wrong_type

        raise wrong_type(text, "text must be a str or bytes")
    open_finder(&finder, &rules.options, run_parser, <void*> errors)
    try:
        start_finding(&finder, p, n)
        while result > 0:
            if n >= LARGE:
                with nogil:
                    result = find_some(&finder, found, &count)
            else:
                result = find_some(&finder, found, &count)
            for k in range(count):
                begin, end = found[k].start, found[k].end
                if not is_text:
                    spans.append(new_span(
                        rules, begin, end, p[begin:end], found[k].after - begin, found[k].scheme
                    ))
                    continue
                if not is_ascii:
                    at = end_of_characters(text, at, p, place, begin)
                    place = end
                    end = end_of_characters(text, at, p, begin, end)
                    found[k].after += at - begin
                    begin = at
                    at = end
                written = ascii_text(p + begin, end - begin) if is_ascii else PyUnicode_Substring(text, begin, end)
                spans.append(new_span(rules, begin, end, written, found[k].after - begin, found[k].scheme))
        if result < 0:
            raise errors[0] if errors else MemoryError()
    finally:
        close_finder(&finder)
        if is_text:
            close_utf8(&utf8)
    return spans


def find(text, schemes, bint bare, syntax, bint defanged):
    """The URLs in a text, as a list of URLSpan."""
    return find_all(text, FindRules(schemes, bare, syntax, defanged))


def meaning(URLSpan span not None):
    """What stands for the span's text in a text that is not defanged."""
    return meaning_of(span, False)


PASSES = <int> MOST_PASSES


def defanged(URLSpan span not None):
    """The span's text, defanged."""
    cdef Finder finder
    cdef Buffer out
    cdef uint8_t[256] scratch
    cdef bytes data = bytes_of(span)
    cdef Candidate* found = &finder.found
    cdef bint is_special
    cdef list errors = []
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    open_finder(&finder, &span.rules.options, run_parser, <void*> errors)
    try:
        start_finding(&finder, <const uint8_t*> <const char*> data, len(data))
        finder.end = finder.n
        found.kind = SCHEME if span.scheme >= 0 else WWW
        found.scheme = span.scheme
        found.after = found.authority = span.after
        is_special = span.scheme >= 0 and finder.options.schemes[span.scheme].is_special
        while is_special and found.authority < finder.n and (
            finder.p[found.authority] == c'/' or finder.p[found.authority] == c'\\'
        ):
            found.authority += 1
        push_defanged(&out, &finder)
        if errors:
            raise errors[0]
        return like_text(span, &out)
    finally:
        release(&out)
        close_finder(&finder)


restore_span.__module__ = "weburl.text"
