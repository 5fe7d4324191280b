"""One spelling for each byte of a component: raw or escaped."""

from libc.stdint cimport uint8_t, uint16_t

from weburl._core.buffer cimport Buffer, push, push_run

cdef const char* UPPER_HEX = b"0123456789ABCDEF"


# What stands raw is all that is not said to be escaped.
cdef int classify(bytes characters, uint16_t raw, uint16_t decoded) except -1:
    cdef uint8_t c
    for c in characters:
        escape_class[c] = escape_class[c] & ~raw | decoded
    return 0


for _byte in range(256):
    escape_class[<int> _byte] = PATH_ESCAPED | QUERY_ESCAPED | USERINFO_ESCAPED

# What RFC 3986 allows raw in a component and the URL parser leaves as it is, but for the separators:
# https://www.rfc-editor.org/rfc/rfc3986#section-3.3 and #section-3.4, https://url.spec.whatwg.org/#path-percent-encode-set
# and the sets after it. A plus is one more separator: some servers read it as a space.
classify(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$()*,",
    PATH_ESCAPED | QUERY_ESCAPED | USERINFO_ESCAPED,
    PATH_DECODED | NAME_DECODED | VALUE_DECODED | USERINFO_DECODED,
)
classify(b":@", PATH_ESCAPED | QUERY_ESCAPED, PATH_DECODED | NAME_DECODED | VALUE_DECODED)
classify(b"&'", PATH_ESCAPED | USERINFO_ESCAPED, PATH_DECODED | USERINFO_DECODED)
classify(b"=", PATH_ESCAPED | QUERY_ESCAPED, PATH_DECODED | VALUE_DECODED)
classify(b";/", PATH_ESCAPED | QUERY_ESCAPED, NAME_DECODED | VALUE_DECODED)
classify(b"?", QUERY_ESCAPED, NAME_DECODED | VALUE_DECODED)
classify(b"&", QUERY_ESCAPED, 0)
classify(b"+", PATH_ESCAPED | QUERY_ESCAPED | USERINFO_ESCAPED, USERINFO_DECODED)
classify(b";(", 0, OPENS_SESSION)
classify(b"&=", 0, ENDS_PARAMETER)


cdef uint16_t push_respelled(
    Buffer* out, const uint8_t* p, Py_ssize_t n, uint16_t escaped, uint16_t decoded
) noexcept nogil:
    cdef Py_ssize_t i = 0, run
    cdef uint16_t seen = 0
    cdef uint8_t c
    while True:
        run = i
        i = scan_classes(p, i, n, escaped, &seen)
        push_run(out, p + run, i - run)
        if i == n:
            return seen
        c = p[i]
        if is_escape(p, i, n):
            c = escaped_byte(p, i)
            i += 3
            if escape_class[c] & decoded:
                seen |= escape_class[c]
                push(out, c)
                continue
        else:
            i += 1
        push(out, c'%')
        push(out, UPPER_HEX[c >> 4])
        push(out, UPPER_HEX[c & 15])
