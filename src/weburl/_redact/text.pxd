from libc.stdint cimport uint8_t

from weburl._core.buffer cimport Buffer
from weburl._redact.forms cimport Names
from weburl._redact.headers cimport Header
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
