"""Texts that come in parts, such as files that are too large for memory, without their secrets."""

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from weburl._core.buffer cimport Buffer, release, start
from weburl._core.percent cimport raise_for
from weburl._core.status cimport OK
from weburl._redact.forms cimport KINDS
from weburl._redact.headers cimport Header, redact_list
from weburl._redact.redact cimport HiddenSpan, LogPolicy, close_redactor, log_policy_in_use
from weburl._redact.text cimport TextRedactor, last_quote, open_text, redact_tokens, spans_of

from weburl._redact.secrets import KINDS as KIND_NAMES

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef enum:
    LOOKAHEAD = 32              # what decides about the begin of a header's value, besides spaces


# Where a text may be cut whose end is not known: after what ends each URL. A colour goes on after its first byte.
cdef Py_ssize_t last_break(const uint8_t* p, Py_ssize_t begin, Py_ssize_t n) noexcept nogil:
    while n > begin and not (
        (p[n - 1] <= c' ' and p[n - 1] != 0x1B) or p[n - 1] == 0x7F or (p[n - 1] == c'"' and (n < 2 or p[n - 2] != c'\\'))
    ):
        n -= 1
    return n


@cython.final
cdef class TextParts:
    """TextParts(policy): redacts a text that comes in parts, as redact_text() does the whole text.

    >>> parts = TextParts("logs/1")
    >>> parts.redact(b"GET /?token=1 GET /?tok", 0, True), parts.cut
    (b'GET /?token=REDACTED GET ', 18)

    `cut` says up to where the text is decided. What follows must come again, before the next part. `is_header` says
    whether a header begins there, or the next text of its list.
    """

    cdef readonly LogPolicy policy
    cdef TextRedactor text
    cdef bytes data
    cdef Buffer out, decoded, spans
    cdef uint8_t[64] scratch, decoded_scratch, spans_scratch
    cdef Py_ssize_t[<int> KINDS] hidden
    cdef Py_ssize_t list_end    # where the last text of a list ends that may go on, or -1
    cdef readonly Py_ssize_t cut
    cdef readonly bint is_header

    def __cinit__(self, policy):
        self.policy = log_policy_in_use(policy)
        start(&self.out, self.scratch, sizeof(self.scratch), PY_SSIZE_T_MAX)
        start(&self.decoded, self.decoded_scratch, sizeof(self.decoded_scratch), PY_SSIZE_T_MAX)
        start(&self.spans, self.spans_scratch, sizeof(self.spans_scratch), PY_SSIZE_T_MAX)
        self.text.seen = 0
        self.list_end = self.text.quote = -1

    def __dealloc__(self):
        release(&self.out)
        release(&self.decoded)
        release(&self.spans)

    @property
    def header(self):
        """Of the header at `cut`: where its value begins, or -1; the byte before that, or 0; and whether it is a list."""
        return self.text.header.value, self.text.header.quote, self.text.header.is_list

    def redact(self, bytes data, Py_ssize_t begin, bint more):
        """The text from `begin` to where it is decided if `more` follows."""
        cdef const uint8_t* p = data
        cdef Py_ssize_t n = len(data), end = begin, stop = n, k
        cdef Py_ssize_t seen = self.text.seen, quote = self.text.quote
        cdef Py_ssize_t[<int> KINDS] counts
        cdef Header* header = &self.text.header
        cdef HiddenSpan span
        cdef bint has_lines = n > 0 and p[n - 1] == c'\n', changed
        self.data = data
        self.out.length = self.spans.length = 0
        self.out.status = self.decoded.status = self.spans.status = OK
        open_text(&self.text, &self.out, &self.decoded, p, n, &self.policy.names, counts, &self.spans)
        self.text.seen = seen
        self.text.quote = quote
        self.text.urls.copied = begin
        with nogil:
            if more and has_lines:
                header.limit = n
            elif more:
                header.limit = n - LOOKAHEAD
                stop = last_break(p, begin, n)
            if self.list_end >= 0:
                header.is_open = False
                header.quote = header.previous
                self.text.seen = redact_list(&self.text.urls, header, self.list_end, n)
                end = max(begin, self.text.seen)
                if header.is_open:
                    self.text.cut = self.text.seen
                    self.text.is_in_list = True
            end = max(begin, redact_tokens(&self.text, end, stop))
            self.list_end = -1
            if self.text.is_in_list:
                self.list_end = self.text.seen
                # Nothing but a comma follows it.
                end = n if has_lines else end
            changed = self.text.urls.copied > begin
            if changed:
                close_redactor(&self.text.urls, end)
            for k in range(self.spans.length // <Py_ssize_t> sizeof(HiddenSpan)):
                memcpy(&span, self.spans.data + k * <Py_ssize_t> sizeof(HiddenSpan), sizeof(HiddenSpan))
                self.hidden[<int> span.kind] += 1
        self.cut = end
        self.is_header = self.text.cut >= 0
        self.out.status = self.out.status or self.decoded.status or self.spans.status
        raise_for(&self.out)
        if not changed:
            return data if begin == 0 and end == n else data[begin:end]
        return PyBytes_FromStringAndSize(<const char*> self.out.data, self.out.length)

    @property
    def found(self):
        """What was hidden in the last part: from, to, and the kind."""
        return spans_of(&self.spans)

    @property
    def counts(self):
        """How often each kind was hidden."""
        return {name: self.hidden[<Py_ssize_t> k] for k, name in enumerate(KIND_NAMES) if self.hidden[<Py_ssize_t> k]}

    def needed(self):
        """Where the text begins that must come again, at most: before `cut`, or a text of a list."""
        return self.cut if self.list_end < 0 else min(self.cut, self.list_end)

    def move(self, Py_ssize_t begin):
        """Says that the next part begins with this one's text from `begin` on."""
        if self.text.seen < begin:
            self.text.quote = last_quote(&self.text, begin)
            self.text.seen = begin
        self.text.seen -= begin
        self.cut -= begin
        self.list_end -= begin if self.list_end >= 0 else 0
        self.data = None

    def restart(self, bint is_in_list):
        """Says that the next part is a new text, or that it begins where a value of a list ends."""
        self.text.header.previous = self.text.header.quote
        self.text.seen = self.cut = 0
        self.text.quote = -1
        self.list_end = 0 if is_in_list else -1
        self.data = None
