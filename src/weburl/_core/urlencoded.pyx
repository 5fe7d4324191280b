"""application/x-www-form-urlencoded: the parser and the serializer."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t

from weburl._core.ascii cimport SET_FORM, byte_class, is_ascii
from weburl._core.buffer cimport Buffer, is_kept, keep, push, push_run, release, start
from weburl._core.percent cimport (
    PyUnicode_DATA, Utf8Text, ascii_text, close_utf8, open_utf8, percent_decode, percent_encode, push_decoded, raise_for,
    utf8_text,
)
from weburl._core.record cimport Span
from weburl._core.status cimport OK

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX


# A name or a value as a str.
cdef str span_text(const uint8_t* p, Span s, Coding coding):
    cdef Py_ssize_t i, n = s.end - s.start
    cdef uint8_t* to
    cdef str text
    if coding == ENCODED:
        return decoded_text(p + s.start, n)
    if n == 0:
        return ""
    text = ascii_text(p + s.start, n)
    if coding == WITH_PLUS:
        to = <uint8_t*> PyUnicode_DATA(text)
        for i in range(n):
            if to[i] == c'+':
                to[i] = c' '
    return text


cdef str decoded_text(const uint8_t* p, Py_ssize_t n):
    cdef uint8_t[256] scratch
    cdef Buffer decoded
    start(&decoded, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    percent_decode(&decoded, p, n, True)
    if decoded.status == OK and decoded.data == scratch:
        # Most fields are short, so there is nothing to release.
        if is_ascii(scratch, decoded.length):
            return ascii_text(scratch, decoded.length)
        return utf8_text(scratch, decoded.length)
    try:
        raise_for(&decoded)
        return utf8_text(decoded.data, decoded.length)
    finally:
        release(&decoded)


cdef list parse_urlencoded(const uint8_t* p, Py_ssize_t n):
    cdef list pairs = []
    cdef PairReader reader
    cdef Pair pair
    cdef str name
    open_pairs(&reader, p, n)
    while next_pair(&reader, &pair):
        name = span_text(p, pair.name, pair.name_coding)
        pairs.append((name, span_text(p, pair.value, pair.value_coding)))
    return pairs


cdef list parse_urlencoded_text(object text, Py_ssize_t skip):
    cdef Utf8Text utf8
    open_utf8(&utf8, text)
    try:
        return parse_urlencoded(utf8.data + skip, utf8.length - skip)
    finally:
        close_utf8(&utf8)


# A decoder with its buffers.
cdef struct LocalDecoder:
    FieldDecoder decoder
    Buffer octets
    Buffer text
    uint8_t[256] octets_scratch
    uint8_t[256] text_scratch


cdef inline void open_decoder(LocalDecoder* self) noexcept nogil:
    start(&self.octets, self.octets_scratch, sizeof(self.octets_scratch), PY_SSIZE_T_MAX)
    start(&self.text, self.text_scratch, sizeof(self.text_scratch), PY_SSIZE_T_MAX)
    self.decoder.octets = &self.octets
    self.decoder.text = &self.text


cdef inline void close_decoder(LocalDecoder* self) noexcept nogil:
    release(&self.octets)
    release(&self.text)


cdef void decode_field(FieldDecoder* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    self.octets.length = self.text.length = 0
    percent_decode(self.octets, p, n, True)
    push_decoded(self.text, self.octets.data, self.octets.length, True)


cdef int raise_for_decoder(LocalDecoder* self) except -1:
    raise_for(&self.octets)
    return raise_for(&self.text)


# None if there is no such name.
cdef str first_value(object query, object name):
    cdef Utf8Text utf8, key
    cdef LocalDecoder local
    cdef PairReader reader
    cdef Pair pair
    cdef str value = None
    open_utf8(&key, name)
    try:
        open_utf8(&utf8, query)
        open_decoder(&local)
        open_pairs(&reader, utf8.data, utf8.length)
        try:
            while value is None and next_pair(&reader, &pair):
                if is_field(&local.decoder, utf8.data, pair.name, pair.name_coding, key.data, key.length):
                    value = span_text(utf8.data, pair.value, pair.value_coding)
            raise_for_decoder(&local)
            return value
        finally:
            close_decoder(&local)
            close_utf8(&utf8)
    finally:
        close_utf8(&key)


cdef void push_span(Buffer* out, FieldDecoder* decoder, const uint8_t* p, Span s, Coding coding) noexcept nogil:
    if coding == PLAIN:
        percent_encode(out, p + s.start, s.end - s.start, SET_FORM)
    else:
        decode_field(decoder, p + s.start, s.end - s.start)
        percent_encode(out, decoder.text.data, decoder.text.length, SET_FORM)


cdef str serialize_query(str query):
    cdef uint8_t[1024] scratch
    cdef Utf8Text utf8
    cdef Buffer out
    cdef LocalDecoder local
    cdef PairReader reader
    cdef Pair pair
    open_utf8(&utf8, query)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    # Most queries are their own serialization.
    keep(&out, utf8.data, utf8.length)
    open_decoder(&local)
    open_pairs(&reader, utf8.data, utf8.length)
    try:
        while next_pair(&reader, &pair):
            if out.length:
                push(&out, c'&')
            if pair.is_serialized:
                push_run(&out, utf8.data + pair.name.start, pair.value.end - pair.name.start)
            else:
                push_span(&out, &local.decoder, utf8.data, pair.name, pair.name_coding)
                push(&out, c'=')
                push_span(&out, &local.decoder, utf8.data, pair.value, pair.value_coding)
        raise_for_decoder(&local)
        raise_for(&out)
        if is_kept(&out) and out.length == utf8.length:
            return query
        return ascii_text(out.data, out.length)
    finally:
        release(&out)
        close_decoder(&local)
        close_utf8(&utf8)


cdef int push_field(Buffer* out, str text) except -1:
    cdef Utf8Text utf8
    open_utf8(&utf8, text)
    percent_encode(out, utf8.data, utf8.length, SET_FORM)
    close_utf8(&utf8)
    return 0


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
    cdef Utf8Text utf8
    cdef Py_ssize_t i, length
    open_utf8(&utf8, text)
    length = utf8.length
    for i in range(utf8.length):
        if byte_class[utf8.data[i]] & SET_FORM and utf8.data[i] != c' ':
            length += 2
    close_utf8(&utf8)
    return length


def parse(data not None):
    """The pairs of a str or of bytes, as UTF-8."""
    if isinstance(data, str):
        return parse_urlencoded_text(data, 0)
    # A bytes object cannot change meanwhile.
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
