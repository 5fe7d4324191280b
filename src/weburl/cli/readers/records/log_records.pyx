"""Lines of access logs, read without the GIL."""

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memcmp, memset

from weburl._arrow.input cimport count_newlines
from weburl._core.ascii cimport hex_value, is_hex_digit
from weburl._core.buffer cimport Buffer, push, push_run
from weburl.cli.readers.text_column cimport Builder, columns_of, end_row, free_builders, make_builders

cdef enum Kind:
    TEXT
    NUMBER
    TIME

KINDS = {"text": TEXT, "number": NUMBER, "time": TIME}

cdef enum Fault:
    NONE
    OTHER_FORMAT
    NO_REQUEST
    NO_TARGET
    NO_HOST

MESSAGES = {
    NO_REQUEST: "it has no request",
    NO_TARGET: "what it requests is neither a path nor a URL",
    NO_HOST: "it has no host, and there is no --base",
}

cdef enum:
    DIGITS = 18                 # of a number; those that have more do not fit into 64 bits
    # The parts of a request come after the fields.
    METHOD = 0
    TARGET = 1
    VERSION = 2
    PARTS = 3


# A part of a line. It has no text if there is no such part.
ctypedef struct Slice:
    const uint8_t* text
    Py_ssize_t length


# What comes after a field, and whether that is the end of quotes, before which a quote can be escaped.
ctypedef struct Step:
    Slice end
    bint is_quoted
    bint is_number


cdef class LogLayout:
    """LogLayout(start, steps, places, scheme, authority)

    A format: the text before the first field; for each field, the text after it, whether it is in quotes, and whether it is a
    number. `places` says which fields are "request", "method", "target", "host" and "scheme". `scheme` and `authority` are for lines
    that do not have them; `authority` may be empty.
    """

    cdef tuple owned
    cdef Slice start, default_scheme, default_authority
    cdef Step* steps
    cdef int n_steps, request, method, target, host, scheme

    def __init__(self, bytes start, list steps, dict places, bytes scheme, bytes authority):
        cdef int i
        self.owned = (start, scheme, authority, [step[0] for step in steps])
        set_slice(&self.start, start)
        set_slice(&self.default_scheme, scheme)
        set_slice(&self.default_authority, authority)
        self.n_steps = <int> len(steps)
        free(self.steps)
        self.steps = <Step*> calloc(self.n_steps + 1, sizeof(Step))
        if self.steps == NULL:
            raise MemoryError
        for i in range(self.n_steps):
            end, self.steps[i].is_quoted, self.steps[i].is_number = steps[i]
            set_slice(&self.steps[i].end, end)
        self.request, self.method, self.target, self.host, self.scheme = (
            places.get(name, -1) for name in ("request", "method", "target", "host", "scheme")
        )

    def __dealloc__(self):
        free(self.steps)


cdef void set_slice(Slice* to, bytes text) noexcept:
    to.text = <const uint8_t*> <const char*> text
    to.length = len(text)


cdef inline bint starts_with(const uint8_t* p, const uint8_t* end, const Slice* text) noexcept nogil:
    return end - p >= text.length and memcmp(p, text.text, text.length) == 0


# Where the field that begins at p ends; NULL if what must come after it is not there.
cdef const uint8_t* end_of_field(const uint8_t* p, const uint8_t* end, const Step* step) noexcept nogil:
    cdef const uint8_t* first = NULL
    cdef const uint8_t* escape
    if step.end.length == 0:
        # It is the last; what some server adds after a number is ignored.
        first = <const uint8_t*> memchr(p, c' ', end - p) if step.is_number else NULL
        return end if first == NULL else first
    while True:
        # Before an escape that is not the last, it stays where it is.
        if first < p:
            first = <const uint8_t*> memchr(p, step.end.text[0], end - p)
        if first == NULL:
            return NULL
        if step.is_quoted:
            escape = <const uint8_t*> memchr(p, c'\\', first - p)
            if escape != NULL:
                p = min(escape + 2, end)
                continue
        if starts_with(first, end, &step.end):
            return first
        p = first + 1


# The fields of a line; the number of the one that it does not have, or -1.
cdef int split(LogLayout self, const uint8_t* p, const uint8_t* end, Slice* fields) noexcept nogil:
    cdef const uint8_t* stop
    cdef int i
    if not starts_with(p, end, &self.start):
        return 0
    p += self.start.length
    for i in range(self.n_steps):
        stop = end_of_field(p, end, &self.steps[i])
        if stop == NULL:
            return i
        fields[i].text = p
        fields[i].length = stop - p
        p = stop + self.steps[i].end.length
    return -1


cdef inline bint is_absent(const Slice* text) noexcept nogil:
    return text.text == NULL or text.length == 0 or text.length == 1 and text.text[0] == c'-'


# https://www.rfc-editor.org/rfc/rfc9112#section-3
#
# A target may have spaces, which clients should not send.
cdef void split_request(const Slice* request, Slice* parts) noexcept nogil:
    cdef const uint8_t* p = request.text
    cdef const uint8_t* end = p + request.length
    cdef const uint8_t* space = <const uint8_t*> memchr(p, c' ', request.length)
    cdef const uint8_t* last = end
    if space == NULL:
        return
    parts[METHOD].text = p
    parts[METHOD].length = space - p
    p = space + 1
    while last > p and (last - 1)[0] != c' ':
        last -= 1
    if last > p and end - last >= 5 and memcmp(last, b"HTTP/", 5) == 0:
        parts[VERSION].text = last
        parts[VERSION].length = end - last
        end = last - 1
    parts[TARGET].text = p
    parts[TARGET].length = end - p


# A text without the escapes of Apache and nginx.
cdef void push_text(Buffer* out, const Slice* text) noexcept nogil:
    cdef const uint8_t* p = text.text
    cdef const uint8_t* end = p + text.length
    cdef const uint8_t* escape
    cdef uint8_t c
    while True:
        escape = <const uint8_t*> memchr(p, c'\\', end - p)
        if escape == NULL or escape + 1 == end:
            push_run(out, p, end - p)
            return
        push_run(out, p, escape - p)
        c = escape[1]
        p = escape + 2
        if c == c'x' and end - escape >= 4 and is_hex_digit(escape[2]) and is_hex_digit(escape[3]):
            push(out, <uint8_t> (hex_value(escape[2]) << 4 | hex_value(escape[3])))
            p = escape + 4
        elif c == c'n':
            push(out, 10)
        elif c == c't':
            push(out, 9)
        elif c == c'r':
            push(out, 13)
        elif c == c'b':
            push(out, 8)
        elif c == c'v':
            push(out, 11)
        elif c == c'"' or c == c'\\':
            push(out, c)
        else:
            push(out, c'\\')
            p = escape + 1


# https://www.rfc-editor.org/rfc/rfc3986#section-3.1
cdef bint is_absolute(const Slice* target) noexcept nogil:
    cdef Py_ssize_t i = 0
    cdef uint8_t c
    while i < target.length:
        c = target.text[i]
        if c == c':' and i:
            return target.length - i > 2 and target.text[i + 1] == c'/' and target.text[i + 2] == c'/'
        if not (c'a' <= (c | 0x20) <= c'z' or i and (c'0' <= c <= c'9' or c == c'+' or c == c'-' or c == c'.')):
            return False
        i += 1
    return False


# Whether a host is one: what others would be part of the path, or credentials.
cdef bint is_authority(const Slice* host) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(host.length):
        if host.text[i] <= c' ' or memchr(b"/?#@\\", host.text[i], 5) != NULL:
            return False
    return True


# https://www.rfc-editor.org/rfc/rfc9112#section-3.3
cdef Fault push_url(LogLayout self, Buffer* out, const Slice* fields) noexcept nogil:
    cdef const Slice* parts = fields + self.n_steps
    cdef const Slice* target = parts + TARGET
    cdef const Slice* scheme = &self.default_scheme
    cdef const Slice* authority = &self.default_authority
    cdef bint is_asterisk, is_connect
    if target.text == NULL or target.length == 0:
        return NO_REQUEST
    is_asterisk = (
        target.length == 1 and target.text[0] == c'*'
        and parts[METHOD].length == 7 and memcmp(parts[METHOD].text, b"OPTIONS", 7) == 0
    )
    is_connect = parts[METHOD].length == 7 and memcmp(parts[METHOD].text, b"CONNECT", 7) == 0 and is_authority(target)
    if self.scheme >= 0 and not is_absent(&fields[self.scheme]):
        scheme = &fields[self.scheme]
    if is_connect:
        authority = target
    elif target.text[0] != c'/' and not is_asterisk:
        if not is_absolute(target):
            return NO_TARGET
        push_text(out, target)
        return NONE
    elif self.host >= 0 and not is_absent(&fields[self.host]) and is_authority(&fields[self.host]):
        authority = &fields[self.host]
    if authority.length == 0:
        return NO_HOST
    push_text(out, scheme)
    push_run(out, <const uint8_t*> b"://", 3)
    push_text(out, authority)
    if not is_connect and not is_asterisk:
        push_text(out, target)
    return NONE


cdef bint is_number(const Slice* text) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(text.length):
        if not c'0' <= text.text[i] <= c'9':
            return False
    return 0 < text.length <= DIGITS and (text.text[0] != c'0' or text.length == 1)


# 10/Oct/2000:13:55:36 -0700 as 2000-10-10T13:55:36-07:00; another time as it is.
cdef void push_time(Buffer* out, const Slice* text) noexcept nogil:
    cdef const uint8_t* p = text.text
    cdef const char* months = b"JanFebMarAprMayJunJulAugSepOctNovDec"
    cdef const char* layout = b"00/aaa/0000:00:00:00 +0000"
    cdef bint is_known = text.length == 26
    cdef int i, month = -1
    cdef uint8_t c
    if is_known:
        for i in range(26):
            c = p[i]
            if layout[i] == c'0':
                is_known = is_known and c'0' <= c <= c'9'
            elif layout[i] == c'+':
                is_known = is_known and (c == c'+' or c == c'-')
            elif layout[i] != c'a':
                is_known = is_known and c == layout[i]
        for i in range(12):
            if memcmp(p + 3, months + 3 * i, 3) == 0:
                month = i + 1
    if not is_known or month < 0:
        push_text(out, text)
        return
    push_run(out, p + 7, 4)
    push(out, c'-')
    push(out, <uint8_t> (c'0' + month // 10))
    push(out, <uint8_t> (c'0' + month % 10))
    push(out, c'-')
    push_run(out, p, 2)
    push(out, c'T')
    push_run(out, p + 12, 8)
    push_run(out, p + 21, 3)
    push(out, c':')
    push_run(out, p + 24, 2)


cdef void push_field(Builder* to, const Slice* text, Kind kind) noexcept nogil:
    cdef bint is_null = is_absent(text) or kind == NUMBER and not is_number(text)
    if not is_null:
        if kind == TIME:
            push_time(&to.data, text)
        else:
            push_text(&to.data, text)
    end_row(to, is_null)


def read_log(LogLayout layout not None, bytes data not None, Py_ssize_t begin, Py_ssize_t end, tuple wanted not None):
    """read_log(layout, data, begin, end, wanted): the URLs of lines, and fields of them, as columns.

    `wanted` has, for each of these, its number and one of KINDS; after the numbers of the layout's fields come those of the
    request's method, target and version.

    Also, for each row, the number of its line, from 1 for the first; and a dict with a message and the line of each row
    whose URL is not known; of a line of another format, all columns are null. Lines without anything are not rows.
    """
    cdef const uint8_t* p = <const uint8_t*> <const char*> data
    cdef int count = <int> len(wanted), size = layout.n_steps + PARTS, i, missing
    cdef Py_ssize_t rows = count_newlines(p, begin, end) + 1, at = begin, line = 0, row = 0
    cdef const uint8_t* newline
    cdef const uint8_t* line_end
    cdef const uint8_t* stop
    cdef Fault fault
    cdef dict faults = {}
    cdef bytearray lines = bytearray(rows * sizeof(int64_t))
    cdef int64_t* numbers = <int64_t*> <char*> lines
    cdef Builder* builders = make_builders(count + 1, rows)
    cdef Slice* fields = <Slice*> calloc(size, sizeof(Slice))
    cdef int* indices = <int*> calloc(count + 1, sizeof(int))
    cdef int* kinds = <int*> calloc(count + 1, sizeof(int))
    try:
        if fields == NULL or indices == NULL or kinds == NULL:
            raise MemoryError
        for i in range(count):
            indices[i], kinds[i] = wanted[i]
            if not 0 <= indices[i] < size:
                raise ValueError("there is no such field")
        with nogil:
            while at < end:
                newline = <const uint8_t*> memchr(p + at, c'\n', end - at)
                line_end = p + end if newline == NULL else newline
                stop = line_end
                if stop > p + at and (stop - 1)[0] == c'\r':
                    stop -= 1
                line += 1
                if stop > p + at:
                    memset(fields, 0, size * sizeof(Slice))
                    missing = split(layout, p + at, stop, fields)
                    if missing >= 0:
                        memset(fields, 0, size * sizeof(Slice))
                        fault = OTHER_FORMAT
                    else:
                        set_parts(layout, fields)
                        fault = push_url(layout, &builders[0].data, fields)
                    end_row(&builders[0], fault != NONE)
                    for i in range(count):
                        push_field(&builders[i + 1], &fields[indices[i]], <Kind> kinds[i])
                    if fault:
                        with gil:
                            faults[row] = MESSAGES.get(fault, missing), data[at:line_end - p]
                    numbers[row] = line
                    row += 1
                at = line_end - p + 1
        return columns_of(builders, count + 1), memoryview(lines)[:row * sizeof(int64_t)].cast("q"), faults
    finally:
        free_builders(builders, count + 1)
        free(fields)
        free(indices)
        free(kinds)


cdef void set_parts(LogLayout self, Slice* fields) noexcept nogil:
    cdef Slice* parts = fields + self.n_steps
    if self.request >= 0 and not is_absent(&fields[self.request]):
        split_request(&fields[self.request], parts)
    if self.method >= 0:
        parts[METHOD] = fields[self.method]
    if self.target >= 0:
        parts[TARGET] = fields[self.target]
