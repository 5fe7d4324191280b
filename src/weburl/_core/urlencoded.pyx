"""application/x-www-form-urlencoded: the parser and the serializer."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from weburl._core.ascii cimport SET_FORM, byte_class
from weburl._core.buffer cimport Buffer, push, release, start
from weburl._core.percent cimport (
    Text, ascii_text, close_text, open_text, percent_decode, percent_encode, push_decoded, raise_for, utf8_text,
)
from weburl._core.record cimport Span
from weburl._core.status cimport OK

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef const char* HEX = b"0123456789ABCDEF"
cdef enum:
    SHORT = 64


# A name or a value; `plain` where none of its bytes is a plus, a percent sign or beyond ASCII.
cdef str field_text(const uint8_t* p, Py_ssize_t n, bint plain):
    cdef uint8_t[256] scratch
    cdef Buffer decoded
    if plain:
        return ascii_text(p, n) if n else ""
    start(&decoded, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    percent_decode(&decoded, p, n, True)
    if decoded.status == OK and decoded.data == scratch:
        # Short, so that nothing is to be released: most fields leave here.
        if is_ascii(scratch, decoded.length):
            return ascii_text(scratch, decoded.length)
        return utf8_text(scratch, decoded.length)
    try:
        raise_for(&decoded)
        return utf8_text(decoded.data, decoded.length)
    finally:
        release(&decoded)


cdef inline bint is_ascii(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t bits = 0
    cdef Py_ssize_t i
    for i in range(n):
        bits |= p[i]
    return bits < 0x80


cdef str span_text(const uint8_t* p, Span s, bint plain):
    return field_text(p + s.start, s.end - s.start, plain)


cdef list parse_urlencoded(const uint8_t* p, Py_ssize_t n):
    cdef list pairs = []
    cdef Py_ssize_t i = 0
    cdef Pair pair
    cdef str name
    while next_pair(p, &i, n, &pair):
        name = span_text(p, pair.name, pair.plain_name)
        pairs.append((name, span_text(p, pair.value, pair.plain_value)))
    return pairs


cdef list parse_urlencoded_text(object text, Py_ssize_t skip):
    cdef Text utf8
    open_text(&utf8, text)
    try:
        return parse_urlencoded(utf8.data + skip, utf8.length - skip)
    finally:
        close_text(&utf8)


# What a name or a value is decoded into.
cdef struct Pieces:
    Buffer decoded
    Buffer text
    uint8_t[256] decoded_scratch
    uint8_t[256] text_scratch


cdef inline void start_pieces(Pieces* self) noexcept nogil:
    start(&self.decoded, self.decoded_scratch, sizeof(self.decoded_scratch), PY_SSIZE_T_MAX)
    start(&self.text, self.text_scratch, sizeof(self.text_scratch), PY_SSIZE_T_MAX)


cdef inline void release_pieces(Pieces* self) noexcept nogil:
    release(&self.decoded)
    release(&self.text)


cdef void decode_field(Buffer* raw, Buffer* text, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    raw.length = text.length = 0
    percent_decode(raw, p, n, True)
    push_decoded(text, raw.data, raw.length, True)


cdef int raise_for_pieces(Pieces* pieces) except -1:
    raise_for(&pieces.decoded)
    return raise_for(&pieces.text)


cdef bint is_text(Pieces* pieces, const uint8_t* p, Span s, bint plain, const Text* text) noexcept nogil:
    cdef Py_ssize_t n = s.end - s.start
    p += s.start
    if not plain:
        decode_field(&pieces.decoded, &pieces.text, p, n)
        p = pieces.text.data
        n = pieces.text.length
    return n == text.length and memcmp(p, text.data, n) == 0


# None where there is no such name.
cdef str first_value(object query, object name):
    cdef Text utf8, key
    cdef Pieces pieces
    cdef Pair pair
    cdef Py_ssize_t i = 0
    cdef str value = None
    open_text(&key, name)
    try:
        open_text(&utf8, query)
        start_pieces(&pieces)
        try:
            while value is None and next_pair(utf8.data, &i, utf8.length, &pair):
                if is_text(&pieces, utf8.data, pair.name, pair.plain_name, &key):
                    value = span_text(utf8.data, pair.value, pair.plain_value)
            raise_for_pieces(&pieces)
            return value
        finally:
            release_pieces(&pieces)
            close_text(&utf8)
    finally:
        close_text(&key)


cdef void push_span(Buffer* out, Pieces* pieces, const uint8_t* p, Span s, bint plain) noexcept nogil:
    if plain:
        push_encoded(out, p + s.start, s.end - s.start)
    else:
        decode_field(&pieces.decoded, &pieces.text, p + s.start, s.end - s.start)
        push_encoded(out, pieces.text.data, pieces.text.length)


cdef str serialize_query(object query):
    cdef uint8_t[1024] scratch
    cdef Text utf8
    cdef Buffer out
    cdef Pieces pieces
    cdef Pair pair
    cdef Py_ssize_t i = 0
    open_text(&utf8, query)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start_pieces(&pieces)
    try:
        while next_pair(utf8.data, &i, utf8.length, &pair):
            if out.length:
                push(&out, c'&')
            push_span(&out, &pieces, utf8.data, pair.name, pair.plain_name)
            push(&out, c'=')
            push_span(&out, &pieces, utf8.data, pair.value, pair.plain_value)
        raise_for_pieces(&pieces)
        raise_for(&out)
        return ascii_text(out.data, out.length)
    finally:
        release(&out)
        release_pieces(&pieces)
        close_text(&utf8)


cdef int push_field(Buffer* out, str text) except -1:
    cdef Text utf8
    open_text(&utf8, text)
    push_encoded(out, utf8.data, utf8.length)
    close_text(&utf8)
    return 0


cdef inline void push_encoded(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    if n <= SHORT and 3 * n <= out.capacity - out.length:
        push_short_field(out, p, n)
    else:
        percent_encode(out, p, n, SET_FORM)


# percent_encode() for what there is room for: byte by byte, which is faster where runs are short.
cdef void push_short_field(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t* q = out.data + out.length
    cdef Py_ssize_t i
    for i in range(n):
        if not byte_class[p[i]] & SET_FORM:
            q[0] = p[i]
            q += 1
        elif p[i] == c' ':
            q[0] = c'+'
            q += 1
        else:
            q[0] = c'%'
            q[1] = HEX[p[i] >> 4]
            q[2] = HEX[p[i] & 15]
            q += 3
    out.length = q - out.data


cdef int push_urlencoded(Buffer* out, list pairs) except -1:
    cdef tuple pair
    cdef bint first = True
    for pair in pairs:
        if not first:
            push(out, c'&')
        first = False
        push_field(out, <str> pair[0])
        push(out, c'=')
        push_field(out, <str> pair[1])
    return 0


cdef Py_ssize_t urlencoded_length(str text) except -1:
    cdef Text utf8
    cdef Py_ssize_t i, length
    open_text(&utf8, text)
    length = utf8.length
    for i in range(utf8.length):
        if byte_class[utf8.data[i]] & SET_FORM and utf8.data[i] != c' ':
            length += 2
    close_text(&utf8)
    return length


def parse(data not None):
    """The pairs of a str or of bytes, as UTF-8."""
    if isinstance(data, str):
        return parse_urlencoded_text(data, 0)
    # Nobody can change a bytes meanwhile.
    data = data if type(data) is bytes else bytes(data)
    return parse_urlencoded(<const uint8_t*> PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))


cdef str serialize_urlencoded(list pairs):
    cdef uint8_t[1024] scratch
    cdef Buffer out
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        push_urlencoded(&out, pairs)
        raise_for(&out)
        return ascii_text(out.data, out.length)
    finally:
        release(&out)
