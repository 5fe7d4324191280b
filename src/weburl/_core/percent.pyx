"""Percent-encoding, the way from str to UTF-8 bytes and back, and the scans of bytes that all algorithms share."""

from cpython.buffer cimport Py_buffer, PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport getenv
from libc.string cimport memcpy

from weburl._core.ascii cimport (
    SET_C0_CONTROL, SET_COMPONENT, SET_FORM, SET_FRAGMENT, SET_PATH, SET_QUERY, SET_SPECIAL_QUERY, SET_USERINFO,
    byte_class, hex_value, is_hex_digit,
)
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push, push_run, release, reserve, start
from weburl._core.status cimport NO_MEMORY

cdef extern from "Python.h":
    int PyUnicode_KIND(object o) nogil
    Py_UCS4 PyUnicode_READ(int kind, const void* data, Py_ssize_t index) nogil
    object PyUnicode_FromKindAndData(int kind, const void* buffer, Py_ssize_t size)
    const int PyUnicode_1BYTE_KIND, PyUnicode_2BYTE_KIND

cdef extern from "kernels.h":
    enum: MOST_KERNELS
    int usable_kernels(const Kernels** found) noexcept

# The scans of scan.h, by the instructions that the machine's processor has.

cdef (const Kernels*)[MOST_KERNELS] usable
cdef int n_usable = usable_kernels(usable)
kernels = usable[0]
# For tests and benchmarks.
cdef const char* wanted = getenv("WEBURL_SIMD")


def kernel_name():
    """The instruction set that is in use."""
    return kernels.name.decode()


def kernel_names():
    """Those that the processor has, best first; "c" is C without any."""
    return [usable[i].name.decode() for i in range(n_usable)]


def choose_kernels(str name not None):
    """Uses the kernels of a name, for tests."""
    global kernels
    if name not in kernel_names():
        raise ValueError(f"WEBURL_SIMD is {name!r}; for this processor, it can be {', '.join(kernel_names())}")
    kernels = usable[kernel_names().index(name)]


if wanted != NULL and wanted[0] != 0:
    choose_kernels(wanted.decode("ascii", "backslashreplace"))


def scan(str kernel not None, data, Py_ssize_t i, int class_=0):
    """What a kernel finds, for tests: an index; of a domain, also where its last label starts; of marks, their bits."""
    cdef Py_buffer buffer
    cdef const uint8_t* p
    cdef Py_ssize_t label = 0
    PyObject_GetBuffer(data, &buffer, PyBUF_SIMPLE)
    try:
        p = <const uint8_t*> buffer.buf
        if kernel == "run":
            return kernels.run(p, i, buffer.len, <uint16_t> class_)
        if kernel == "marks":
            return kernels.marks(p, i, buffer.len, <uint16_t> class_)
        if kernel == "path":
            return kernels.path(p, i, buffer.len)
        i = kernels.domain(p, i, buffer.len, &label)
        return i, label
    finally:
        PyBuffer_Release(&buffer)


# Percent-encoding.

# What a str consists of.
ctypedef fused Unit:
    uint8_t
    uint16_t
    uint32_t

cdef const char* HEX = b"0123456789ABCDEF"
cdef enum:
    SHORT = 64
    MOST_AT_ONCE = 1 << 24      # bytes: three times as many are a length everywhere


cdef int raise_for(Buffer* self) except -1:
    if self.status == NO_MEMORY:
        raise MemoryError
    if self.status:
        raise OverflowError("the result is too long")
    return 0


cdef int open_other_utf8(Utf8Text* self, object text) except -1:
    start(&self.buffer, self.scratch, sizeof(self.scratch), PY_SSIZE_T_MAX)
    push_utf8(&self.buffer, PyUnicode_KIND(text), PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text))
    self.data = self.buffer.data
    self.length = self.buffer.length
    if self.buffer.status:
        close_utf8(self)
        raise MemoryError
    return 0


# https://infra.spec.whatwg.org/#javascript-string-convert: surrogates that make no pair become U+FFFD.
cdef void push_utf8(Buffer* out, int kind, const void* data, Py_ssize_t n) noexcept nogil:
    if kind == PyUnicode_1BYTE_KIND:
        push_units(out, <const uint8_t*> data, n)
    elif kind == PyUnicode_2BYTE_KIND:
        push_units(out, <const uint16_t*> data, n)
    else:
        push_units(out, <const uint32_t*> data, n)


# Writes eight units as bytes, if they are ASCII.
cdef inline bint narrow(const Unit* units, uint8_t* p) noexcept nogil:
    cdef uint64_t[4] words
    cdef uint64_t bits = 0, not_ascii
    cdef size_t k
    if Unit is uint8_t:
        not_ascii = 0x8080808080808080
    elif Unit is uint16_t:
        not_ascii = 0xFF80FF80FF80FF80
    else:
        not_ascii = 0xFFFFFF80FFFFFF80
    memcpy(words, units, 8 * sizeof(Unit))
    for k in range(sizeof(Unit)):
        bits |= words[k]
    if bits & not_ascii:
        return False
    for k in range(8):
        p[k] = <uint8_t> units[k]
    return True


cdef void push_units(Buffer* out, const Unit* units, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, end
    cdef uint32_t c, high, low
    cdef uint8_t* p
    while i < n:
        # Room for the worst case of a block, so that nothing is checked inside.
        end = min(n, i + 256)
        if not reserve(out, 4 * (end - i)):
            return
        p = out.data + out.length
        while i < end:
            c = units[i]
            if c < 0x80:
                if end - i >= 8 and narrow(units + i, p):
                    p += 8
                    i += 8
                else:
                    p[0] = <uint8_t> c
                    p += 1
                    i += 1
                continue
            i += 1
            if 0xD800 <= c <= 0xDFFF:
                low = units[i] if i < n else 0
                if c <= 0xDBFF and 0xDC00 <= low <= 0xDFFF:
                    continue    # the low one writes the pair
                high = units[i - 2] if i > 1 else 0
                if c >= 0xDC00 and 0xD800 <= high <= 0xDBFF:
                    c = 0x10000 + ((high - 0xD800) << 10) + (c - 0xDC00)
                else:
                    c = 0xFFFD
            if c < 0x800:
                p[0] = <uint8_t> (0xC0 | c >> 6)
                p += 1
            else:
                if c < 0x10000:
                    p[0] = <uint8_t> (0xE0 | c >> 12)
                    p += 1
                else:
                    p[0] = <uint8_t> (0xF0 | c >> 18)
                    p[1] = <uint8_t> (0x80 | c >> 12 & 0x3F)
                    p += 2
                p[0] = <uint8_t> (0x80 | c >> 6 & 0x3F)
                p += 1
            p[0] = <uint8_t> (0x80 | c & 0x3F)
            p += 1
        out.length = p - out.data


cdef bint has_surrogates(object text) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t i
    if kind == PyUnicode_1BYTE_KIND:
        return False
    for i in range(PyUnicode_GET_LENGTH(text)):
        if 0xD800 <= PyUnicode_READ(kind, data, i) <= 0xDFFF:
            return True
    return False


# The scalar value string of a str, as an exact str.
cdef str usv_text(object text):
    cdef Utf8Text utf8
    if not has_surrogates(text):
        if type(text) is str:
            return <str> text
        return PyUnicode_FromKindAndData(PyUnicode_KIND(text), PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text))
    open_utf8(&utf8, text)
    try:
        return utf8_text(utf8.data, utf8.length)
    finally:
        close_utf8(&utf8)


# https://encoding.spec.whatwg.org/#utf-8-decode-without-bom
cdef str utf8_text(const uint8_t* p, Py_ssize_t n):
    return PyUnicode_DecodeUTF8(<const char*> p, n, "replace")


# The length of the UTF-8 sequence at the start of some bytes or, negative, how many bytes the decoder replaces by one
# U+FFFD.
cdef int utf8_sequence(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t low = 0x80, high = 0xBF
    cdef int length, i
    if p[0] < 0x80:
        return 1
    if 0xC2 <= p[0] <= 0xDF:
        length = 2
    elif 0xE0 <= p[0] <= 0xEF:
        length = 3
        low = 0xA0 if p[0] == 0xE0 else 0x80
        high = 0x9F if p[0] == 0xED else 0xBF
    elif 0xF0 <= p[0] <= 0xF4:
        length = 4
        low = 0x90 if p[0] == 0xF0 else 0x80
        high = 0x8F if p[0] == 0xF4 else 0xBF
    else:
        return -1
    for i in range(1, length):
        if i == n or not low <= p[i] <= high:
            return -i
        low = 0x80
        high = 0xBF
    return length


# Whether there are only ASCII bytes, at least eight of them. The last eight may be looked at twice.
cdef inline bint is_plain_ascii(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef const uint8_t* last = p + n - 8
    cdef uint64_t word, all = 0
    while p < last:
        memcpy(&word, p, 8)
        all |= word
        p += 8
    memcpy(&word, last, 8)
    return (all | word) & <uint64_t> 0x8080808080808080 == 0


cdef bint is_utf8(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0
    cdef int length
    if n >= 8 and is_plain_ascii(p, n):
        return True
    while i < n:
        length = utf8_sequence(p + i, n - i)
        if length < 0:
            return False
        i += length
    return True


# https://encoding.spec.whatwg.org/#utf-8-decode-without-bom, and back to UTF-8.
cdef void push_decoded(Buffer* out, const uint8_t* p, Py_ssize_t n, bint replace) noexcept nogil:
    cdef Py_ssize_t begin = 0, i = 0
    cdef int length
    while i < n:
        length = utf8_sequence(p + i, n - i)
        if length > 0:
            i += length
            continue
        if i > begin:
            push_run(out, p + begin, i - begin)
        if replace:
            push_run(out, <const uint8_t*> b"\xEF\xBF\xBD", 3)
        i -= length
        begin = i
    if n > begin:
        push_run(out, p + begin, n - begin)


cdef void push_percent_encoded(Buffer* out, uint8_t byte) noexcept nogil:
    cdef uint8_t[3] triplet
    triplet[0] = c'%'
    triplet[1] = HEX[byte >> 4]
    triplet[2] = HEX[byte & 15]
    push_run(out, triplet, 3)


cdef Py_ssize_t percent_encode_from(Buffer* out, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t end = i + 1
    cdef uint8_t* q
    while end < n and end - i < MOST_AT_ONCE and p[end] >= 0x80:
        end += 1
    if reserve(out, 3 * (end - i)):
        q = out.data + out.length
        out.length += 3 * (end - i)
        for i in range(i, end):
            q[0] = c'%'
            q[1] = HEX[p[i] >> 4]
            q[2] = HEX[p[i] & 15]
            q += 3
    return end


# Whether n bytes are few, and can be written at once however they are encoded.
cdef inline bint has_room(const Buffer* out, Py_ssize_t n) noexcept nogil:
    return n <= SHORT and 3 * n <= out.capacity - out.length


# https://url.spec.whatwg.org/#string-percent-encode-after-encoding, after the step that encodes
cdef void percent_encode(Buffer* out, const uint8_t* p, Py_ssize_t n, uint16_t percent_encode_set) noexcept nogil:
    cdef Py_ssize_t i = 0, run
    if has_room(out, n):
        percent_encode_short(out, p, n, percent_encode_set)
        return
    while True:
        run = i
        i = scan_run(p, i, n, percent_encode_set)
        push_run(out, p + run, i - run)
        if i == n:
            return
        if p[i] == c' ' and percent_encode_set == SET_FORM:
            push(out, c'+')
        else:
            i = percent_encode_from(out, p, i, n)
            continue
        i += 1


# The same if there is room: byte by byte, which is faster for short runs.
cdef void percent_encode_short(
    Buffer* out, const uint8_t* p, Py_ssize_t n, uint16_t percent_encode_set
) noexcept nogil:
    cdef uint8_t* q = out.data + out.length
    cdef Py_ssize_t i
    for i in range(n):
        q[0] = p[i]
        q += 1
        if byte_class[p[i]] & percent_encode_set:
            if p[i] == c' ' and percent_encode_set == SET_FORM:
                (q - 1)[0] = c'+'
            else:
                (q - 1)[0] = c'%'
                q[0] = HEX[p[i] >> 4]
                q[1] = HEX[p[i] & 15]
                q += 2
    out.length = q - out.data


# https://url.spec.whatwg.org/#percent-decode
cdef void percent_decode(Buffer* out, const uint8_t* p, Py_ssize_t n, bint plus_to_space) noexcept nogil:
    cdef Py_ssize_t i = 0
    cdef uint8_t c
    cdef uint8_t* q
    if not reserve(out, n):
        return
    q = out.data + out.length
    while i < n:
        c = p[i]
        i += 1
        if c == c'%':
            if i + 1 < n and is_hex_digit(p[i]) and is_hex_digit(p[i + 1]):
                c = hex_value(p[i]) << 4 | hex_value(p[i + 1])
                i += 2
        elif c == c'+' and plus_to_space:
            c = c' '
        q[0] = c
        q += 1
    out.length = q - out.data


cdef bytes percent_encode_after_encoding(object encoding, str text, uint16_t percent_encode_set):
    cdef uint8_t[512] scratch
    cdef Buffer out
    cdef bytes encoded
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        for part in encoding.encode(text):
            if isinstance(part, int):
                encoded = b"%%26%%23%d%%3B" % part
                push_run(&out, <const uint8_t*> PyBytes_AS_STRING(encoded), PyBytes_GET_SIZE(encoded))
            else:
                encoded = part
                percent_encode(
                    &out, <const uint8_t*> PyBytes_AS_STRING(encoded), PyBytes_GET_SIZE(encoded), percent_encode_set
                )
        raise_for(&out)
        return out.data[:out.length]
    finally:
        release(&out)


SETS = {
    "c0-control": SET_C0_CONTROL,
    "fragment": SET_FRAGMENT,
    "query": SET_QUERY,
    "special-query": SET_SPECIAL_QUERY,
    "path": SET_PATH,
    "userinfo": SET_USERINFO,
    "component": SET_COMPONENT,
    "form": SET_FORM,
}


# The callers have used Python's isinstance(), which believes what an object says about its class.
cdef int check_text(object text) except -1:
    if not isinstance(text, str):
        from weburl._advice import wrong_type
        raise wrong_type(text, "text must be a str")
    return 0


def encode(text not None, uint16_t percent_encode_set, encoding=None):
    """The str with its UTF-8 bytes, or those of a legacy encoding, percent-encoded."""
    cdef uint8_t[512] scratch
    cdef Utf8Text utf8
    cdef Buffer out
    check_text(text)
    if encoding is not None:
        return percent_encode_after_encoding(encoding, usv_text(text), percent_encode_set).decode("ascii")
    open_utf8(&utf8, text)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        if type(text) is str and scan_run(utf8.data, 0, utf8.length, percent_encode_set) == utf8.length:
            return text
        percent_encode(&out, utf8.data, utf8.length, percent_encode_set)
        raise_for(&out)
        return ascii_text(out.data, out.length)
    finally:
        release(&out)
        close_utf8(&utf8)


def encode_bytes(bytes data not None, uint16_t percent_encode_set):
    """The bytes, percent-encoded, as a str."""
    cdef uint8_t[512] scratch
    cdef Buffer out
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        percent_encode(
            &out, <const uint8_t*> PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data), percent_encode_set
        )
        raise_for(&out)
        return ascii_text(out.data, out.length)
    finally:
        release(&out)


def encode_by_table(data not None, bytes table not None):
    """A str or bytes, percent-encoded: the ASCII bytes whose bits a table of 128 bits has, and all others."""
    cdef uint8_t[512] scratch
    cdef Utf8Text utf8
    cdef Buffer out
    cdef const uint8_t* bits = <const uint8_t*> PyBytes_AS_STRING(table)
    cdef const uint8_t* p
    cdef Py_ssize_t i = 0, run, n
    cdef bint is_text = not isinstance(data, bytes)
    if PyBytes_GET_SIZE(table) != 16:
        raise ValueError("a table has 128 bits")
    if is_text:
        check_text(data)
        open_utf8(&utf8, data)
        p, n = utf8.data, utf8.length
    else:
        p, n = <const uint8_t*> PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        while True:
            run = i
            while i < n and p[i] < 0x80 and not bits[p[i] >> 3] >> (p[i] & 7) & 1:
                i += 1
            if i == n and run == 0 and type(data) is str:
                return data
            push_run(&out, p + run, i - run)
            if i == n:
                break
            push_percent_encoded(&out, p[i])
            i += 1
        raise_for(&out)
        return ascii_text(out.data, out.length)
    finally:
        release(&out)
        if is_text:
            close_utf8(&utf8)


cdef bytes decode_bytes(const uint8_t* p, Py_ssize_t n):
    cdef uint8_t[512] scratch
    cdef Buffer out
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    percent_decode(&out, p, n, False)
    try:
        raise_for(&out)
        return out.data[:out.length]
    finally:
        release(&out)


def decode(data not None):
    """The percent-decoding of a str or of bytes."""
    cdef Utf8Text text
    if isinstance(data, str):
        open_utf8(&text, data)
        try:
            return decode_bytes(text.data, text.length)
        finally:
            close_utf8(&text)
    # A bytes object cannot change meanwhile, and the methods of a subclass have no say.
    data = data if type(data) is bytes else bytes(memoryview(data))
    return decode_bytes(<const uint8_t*> PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))


def utf8(text not None):
    """The UTF-8 bytes of a str as a scalar value string."""
    cdef Utf8Text encoded
    check_text(text)
    open_utf8(&encoded, text)
    try:
        return encoded.data[:encoded.length]
    finally:
        close_utf8(&encoded)


def scalar_values(text not None):
    """The str as a scalar value string."""
    check_text(text)
    return usv_text(text)
