"""application/x-www-form-urlencoded: the parser and the serializer."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t

from weburl._ascii cimport SET_FORM, byte_class
from weburl._buffer cimport Buffer, push, release, start
from weburl._percent cimport (
    Text, ascii_text, close_text, open_text, percent_decode, percent_encode, raise_for, utf8_text,
)
from weburl._status cimport OK

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


cdef list parse_urlencoded(const uint8_t* p, Py_ssize_t n):
    cdef list pairs = []
    cdef Py_ssize_t i = 0, begin, equals
    cdef bint plain, plain_name
    cdef str name
    while i < n:
        begin = i
        equals = -1
        plain = plain_name = True
        while i < n:
            # All that matters here is in the set, and it in turn is rare.
            if byte_class[p[i]] & SET_FORM:
                if p[i] == c'&':
                    break
                if p[i] == c'=' and equals < 0:
                    equals = i
                    plain_name = plain
                    plain = True
                elif p[i] == c'%' or p[i] == c'+' or p[i] >= 0x80:
                    plain = False
            i += 1
        if equals >= 0:
            name = field_text(p + begin, equals - begin, plain_name)
            pairs.append((name, field_text(p + equals + 1, i - equals - 1, plain)))
        elif i > begin:
            pairs.append((field_text(p + begin, i - begin, plain), ""))
        i += 1
    return pairs


cdef list parse_urlencoded_text(object text, Py_ssize_t skip):
    cdef Text utf8
    open_text(&utf8, text)
    try:
        return parse_urlencoded(utf8.data + skip, utf8.length - skip)
    finally:
        close_text(&utf8)


cdef int push_field(Buffer* out, str text) except -1:
    cdef Text utf8
    open_text(&utf8, text)
    if utf8.length <= SHORT and 3 * utf8.length <= out.capacity - out.length:
        push_short_field(out, utf8.data, utf8.length)
    else:
        percent_encode(out, utf8.data, utf8.length, SET_FORM)
    close_text(&utf8)
    return 0


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
