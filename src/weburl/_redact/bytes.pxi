# A part of redact.pyx: what bytes are; and words, numbers and paths.

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memchr

from weburl._core.ascii cimport is_alpha, is_digit, to_lower

# What bytes a text has, besides those in redact.pxd; and a length.
cdef enum:
    HAS_PLUS = 16
    HAS_SOLIDUS = 32
    HAS_AT = 64
    HAS_LINK = 128              # = : ; & %
    HAS_SPACE = 256             # and tabs and newlines
    HAS_QUOTE = 512
    HAS_BACKSLASH = 1024
    HAS_MARK = 2048             # ? #
    HAS_OTHER = 4096
    HAS_BASE64 = HAS_PLUS | HAS_SOLIDUS
    SHORTEST = 13               # of what is hidden by its form and has no @ and no escape: a JWT


cdef int open_classes() except -1:
    cdef int c
    for c in range(256):
        has[c] = HAS_OTHER
        if is_digit(c):
            has[c] = HAS_DIGIT
        elif is_alpha(c):
            has[c] = HAS_UPPER if c <= c'Z' else HAS_LOWER
    for characters, value in (
        (b"-_", HAS_DASH), (b"=:;&%", HAS_LINK), (b" \t\n\r", HAS_SPACE), (b"\"'", HAS_QUOTE), (b"?#", HAS_MARK),
        (b"+", HAS_PLUS), (b"/", HAS_SOLIDUS), (b"\\", HAS_BACKSLASH), (b"@", HAS_AT),
    ):
        for c in characters:
            has[c] = value
    return 0

open_classes()


cdef inline uint16_t bytes_of(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint16_t classes = 0
    cdef Py_ssize_t i
    for i in range(n):
        classes |= has[p[i]]
    return classes


cdef inline bint is_alphanumeric(uint8_t c) noexcept nogil:
    return (has[c] & (HAS_DIGIT | HAS_LETTER)) != 0


cdef inline bint is_capital(uint8_t c) noexcept nogil:
    return c'A' <= c <= c'Z'


cdef inline bint is_solidus(uint8_t c) noexcept nogil:
    return c == c'/' or c == c'\\'


# The parser removes these wherever they are.
cdef inline bint is_removed(uint8_t c) noexcept nogil:
    return c == c'\t' or c == c'\n' or c == c'\r'


# Whether a word begins at i in a name such as `apiKey`.
cdef inline bint begins_hump(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    return c'A' <= p[i] <= c'Z' and c'a' <= p[i - 1] <= c'z'


# Whether bytes begin with a word in lower case, in any case.
cdef bint begins_with(const uint8_t* p, Py_ssize_t n, const char* word, Py_ssize_t length) noexcept nogil:
    cdef Py_ssize_t i
    if n < length:
        return False
    for i in range(length):
        if to_lower(p[i]) != <uint8_t> word[i]:
            return False
    return True


# Words between line ends.
cdef bytes lines_of(names):
    return "\n".join(["", *sorted(names), ""]).encode()


# Whether a word is one of those between line ends.
cdef bint is_one_of(const uint8_t* words, Py_ssize_t length, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, k
    while i + n + 1 < length:
        k = 0
        while k < n and words[i + 1 + k] == to_lower(p[k]):
            k += 1
        if k == n and words[i + 1 + n] == c'\n':
            return True
        i += 1
        while words[i] != c'\n':
            i += 1
    return False


# Whether a path begins there.
cdef bint is_path(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    return p[i] == c'/' or p[i] == c'~' or p[i] == c'.' or (
        n - i > 2 and (is_alpha(p[i]) or is_digit(p[i])) and p[i + 1] == c':' and (p[i + 2] == c'/' or p[i + 2] == c'\\')
    )


# Whether it is a number.
cdef bint is_number(const uint8_t* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    i += 1 if p[i] == c'-' else 0
    if i < end and not (is_digit(p[i]) or p[i] == c'.'):
        return False
    while i < end and (is_digit(p[i]) or memchr(b".eE+-", p[i], 5) != NULL):
        i += 1
    return i == end
