"""One spelling for each byte of a component: raw or escaped."""

from libc.stdint cimport uint8_t, uint16_t

from weburl._core.buffer cimport Buffer, push, push_run

cdef const char* UPPER_HEX = b"0123456789ABCDEF"


cdef int classify(bytes characters, uint16_t classes) except -1:
    cdef uint8_t c
    for c in characters:
        escape_class[c] |= classes
    return 0


# What RFC 3986 allows raw in a component and the URL parser leaves as it is, but for the separators:
# https://www.rfc-editor.org/rfc/rfc3986#section-3.3 and #section-3.4, https://url.spec.whatwg.org/#path-percent-encode-set
# and the sets after it. A plus is one more separator: some servers read it as a space.
classify(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$()*,",
    PATH_RAW | PATH_DECODED | QUERY_RAW | NAME_DECODED | VALUE_DECODED | USERINFO_RAW | USERINFO_DECODED,
)
classify(b":@", PATH_RAW | PATH_DECODED | QUERY_RAW | NAME_DECODED | VALUE_DECODED)
classify(b"&'", PATH_RAW | PATH_DECODED | USERINFO_RAW | USERINFO_DECODED)
classify(b"=", PATH_RAW | PATH_DECODED | QUERY_RAW | VALUE_DECODED)
classify(b";", PATH_RAW | QUERY_RAW | NAME_DECODED | VALUE_DECODED)
classify(b"/", PATH_RAW | QUERY_RAW | NAME_DECODED | VALUE_DECODED)
classify(b"?", QUERY_RAW | NAME_DECODED | VALUE_DECODED)
classify(b"&", QUERY_RAW)
classify(b"+", PATH_RAW | QUERY_RAW | USERINFO_RAW | USERINFO_DECODED)
classify(b";(", OPENS_SESSION)


cdef uint16_t push_respelled(
    Buffer* out, const uint8_t* p, Py_ssize_t n, uint16_t raw, uint16_t decoded
) noexcept nogil:
    cdef Py_ssize_t i = 0, run
    cdef uint16_t seen = 0
    cdef uint8_t c
    while True:
        run = i
        while i < n and escape_class[p[i]] & raw:
            seen |= escape_class[p[i]]
            i += 1
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
