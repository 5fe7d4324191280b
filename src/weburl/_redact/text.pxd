from libc.stdint cimport uint8_t

from weburl._core.buffer cimport Buffer
from weburl._redact.forms cimport Names
from weburl._redact.headers cimport Header, backslashes_before, closes, closes_at, is_quote, trimmed
from weburl._redact.redact cimport Redactor


# What was found in the last token, so that it is not read again after a header in it. Each place is the next one of
# its kind, from where it was looked for; or that of the end.
ctypedef struct LastEquals:
    Py_ssize_t limit, at, least

ctypedef struct Token:
    Py_ssize_t begin, end
    Py_ssize_t quotes_begin, quotes_end     # what a URL with quotes can go on to
    Py_ssize_t colon, mark, solidus, mark_after_solidus
    LastEquals in_token, in_quotes


# What one text is redacted with. Of a token with escapes, a copy without them is redacted.
ctypedef struct TextRedactor:
    Redactor urls
    const uint8_t* p
    Py_ssize_t n
    bint is_copy
    Buffer* spans               # HiddenSpans, of a copy
    Token token
    # Where the last URL or header ends, and how many backslashes the last `"` before it in its line has, or -1.
    Py_ssize_t seen, quote
    # If the text may go on after its end: where a header is cut that what follows may decide, or -1; see TextParts.
    Header header
    Py_ssize_t cut
    bint is_in_list             # it is cut after a text of a list


# Pushes a text without its secrets, or nothing if there are none; says which. `spans` gets each HiddenSpan, if it is not
# NULL.
cdef bint redact_text_into(
    Buffer* out, Buffer* decoded, const uint8_t* p, Py_ssize_t n, const Names* names, Buffer* spans
) noexcept nogil


# Quotes around URLs.

# How many backslashes the last `"` has before i, or -1 if there is none in the line.
cdef inline Py_ssize_t last_quote(const TextRedactor* self, Py_ssize_t i) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t begin
    while i > self.seen and p[i - 1] != c'"' and p[i - 1] != c'\n' and p[i - 1] != c'\r':
        i -= 1
    if i <= self.seen:
        return self.quote
    if p[i - 1] != c'"':
        return -1
    i -= 1
    begin = i
    while i > self.seen and p[i - 1] == c'\\':
        i -= 1
    return begin - i

# Whether the quote at `end`, with backslashes before it, ends the text in quotes that the URL from `begin` on is in.
cdef inline bint closes_url(const TextRedactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t run = backslashes_before(p, end)
    if begin > 0 and is_quote(p[begin - 1]):
        return p[begin - 1] == p[end] and closes_at(p, end, self.n, run, backslashes_before(p, begin - 1), True)
    return p[end] == c'`' or (p[end] == c'"' and self.quote >= 0 and closes_at(p, end, self.n, run, self.quote, True))

# Where a URL ends that would end after an escaped quote: before it if that can be the last one of a text in quotes, since
# nothing but punctuation follows.
cdef inline Py_ssize_t before_quote(const TextRedactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t quote = trimmed(p, begin, end) - 1, opening = self.quote
    if quote <= begin or p[quote] != c'"' or p[quote - 1] != c'\\':
        return end
    if begin > 0 and is_quote(p[begin - 1]):
        opening = backslashes_before(p, begin - 1) if p[begin - 1] == c'"' else -1
    return quote if opening >= 0 and closes(backslashes_before(p, quote), opening) else end
