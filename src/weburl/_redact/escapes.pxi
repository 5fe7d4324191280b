# A part of redact.pyx: escapes in texts, such as those of JSON, of line ends and of colours; and what is written where
# no value is, such as `?`, `-` and `***`.

from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcmp

from weburl._core.ascii cimport hex_value, is_alpha, is_digit, is_hex_digit
from weburl._core.buffer cimport Buffer, push, push_code_point, push_run

cdef enum:
    NOT_ASCII = 0x80            # what stands for an escape of any such character, or of a control


# Where a run of backslashes ends.
cdef inline Py_ssize_t after_backslashes(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    while i < n and p[i] == c'\\':
        i += 1
    return i


# How long an escape is that begins with the backslash at i, and its byte; or the length of the run of backslashes, and 0.
# Letters, digits and what URLs are found by are not escaped.
cdef Py_ssize_t escape_length(const uint8_t* p, Py_ssize_t i, Py_ssize_t end, uint8_t* value) noexcept nogil:
    cdef Py_ssize_t k = after_backslashes(p, i, end), digits
    cdef uint8_t c = 0
    cdef bint is_ascii = True
    value[0] = 0
    if k < end and p[k] == c'/':
        value[0] = c'/'
        return k + 1 - i
    if k + 5 <= end and p[k] == c'u' and is_hex_digit(p[k + 1]) and is_hex_digit(p[k + 2]):
        digits = k + 3
        is_ascii = p[k + 1] == p[k + 2] == c'0'
    elif k + 3 <= end and p[k] == c'x':
        digits = k + 1
    else:
        return k - i
    if is_hex_digit(p[digits]) and is_hex_digit(p[digits + 1]):
        c = <uint8_t> (hex_value(p[digits]) << 4 | hex_value(p[digits + 1]))
        if not is_ascii or c < c' ' or c >= 0x7F:
            c = NOT_ASCII
        elif is_alpha(c) or is_digit(c) or memchr(b"_-.:?#\\", c, 7) != NULL:
            return k - i
        value[0] = c
        return digits + 2 - i
    return k - i


# The number of an escape with four hexadecimal digits that ends at `end`, or -1.
cdef int escaped_unit(const uint8_t* p, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t i = end - 4
    if i - 1 <= begin or p[i - 1] != c'u':
        return -1
    return hex_value(p[i]) << 12 | hex_value(p[i + 1]) << 8 | hex_value(p[i + 2]) << 4 | hex_value(p[i + 3])


# Pushes a text without the escapes that escape_length() knows.
cdef void push_without_escapes(Buffer* out, const uint8_t* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t begin
    cdef uint8_t value = 0, other = 0
    cdef int unit, low
    while i < end:
        begin = i
        if p[i] != c'\\':
            push(out, p[i])
            i += 1
            continue
        i += escape_length(p, begin, end, &value)
        unit = escaped_unit(p, begin, i)
        if value == 0:
            push_run(out, p + begin, i - begin)
        elif unit >= 0:
            # https://www.rfc-editor.org/rfc/rfc8259#section-7
            if unit >> 10 == 0xD800 >> 10 and i < end and p[i] == c'\\':
                begin = i + escape_length(p, i, end, &other)
                low = escaped_unit(p, i, begin) if other != 0 else -1
                if low >> 10 == 0xDC00 >> 10:
                    unit = 0x10000 + ((unit & 0x3FF) << 10 | (low & 0x3FF))
                    i = begin
            push_code_point(out, unit)
        elif p[i - 1] == c'/':
            push(out, c'/')
        else:
            push(out, <uint8_t> (hex_value(p[i - 2]) << 4 | hex_value(p[i - 1])))


# How long an escaped line end is, as programs of logs write them; or 0.
cdef Py_ssize_t line_escape(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t k = i + 1
    if n - i < 3:
        return 0
    if p[i] == c'%':
        return 3 if p[k] == c'0' and memchr(b"aAdD", p[k + 1], 4) != NULL else 0
    if n - i >= 4 and (p[i] == c'#' or p[i] == c'\\') and p[k] == c'0' and p[k + 1] == c'1':
        return 4 if p[k + 2] == c'2' or p[k + 2] == c'5' else 0
    if p[i] != c'\\':
        return 0
    if n - i >= 6 and p[k] == c'u' and p[k + 1] == c'0' and p[k + 2] == c'0':
        k += 2
    elif n - i < 4 or p[k] != c'x':
        return 0
    return k + 3 - i if p[k + 1] == c'0' and memchr(b"aAdD", p[k + 2], 4) != NULL else 0


# Whether another value will be there, as in SQL: `?`, `$1`; or none is, as in access logs: `-`, `N/A`; or it is hidden, as
# in `***` and `[FILTERED]`. A byte must be before it.
cdef bint is_place(const uint8_t* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t k = i
    if end - i == 1 and (p[i] == c'?' or p[i] == c'-'):
        return True
    if end - i > 1 and p[i] == c'$' and end - i <= 3:
        return is_digit(p[i + 1]) and is_digit(p[end - 1])
    while k < end and p[k] == c'*':
        k += 1
    if k == end or (end - i == 3 and p[i] | 0x20 == c'n' and p[i + 1] == c'/' and p[i + 2] | 0x20 == c'a'):
        return True
    k = i + (memchr(b"[(<", p[i], 3) != NULL)
    end -= memchr(b"])>", p[end - 1], 3) != NULL
    return (k > i or memchr(b"[(<", p[i - 1], 3) != NULL) and k < end and is_one_of(
        hidden_words, hidden_words_length, p + k, end - k
    )


# Colours.

cdef enum:
    LONGEST_COLOUR = 16         # of its numbers
    MOST_BACKSLASHES = 4        # before its escape


# How long a text is that sets a colour, as for terminals, also when its first byte is escaped; or 0.
# https://ecma-international.org/publications-and-standards/standards/ecma-48/
cdef Py_ssize_t colour(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t k = i + 1, begin
    if p[i] == c'\\':
        while k < n and p[k] == c'\\' and k - i < MOST_BACKSLASHES:
            k += 1
        if n - k > 1 and p[k] == c'e':
            k += 1
        elif n - k > 3 and p[k] == c'0' and p[k + 1] == c'3' and p[k + 2] == c'3':
            k += 3
        elif n - k > 3 and p[k] == c'x' and p[k + 1] == c'1' and p[k + 2] | 0x20 == c'b':
            k += 3
        elif n - k > 5 and memcmp(p + k, b"u001", 4) == 0 and p[k + 4] | 0x20 == c'b':
            k += 5
        else:
            return 0
    elif p[i] == c'#':
        # As syslog writes it, and other programs.
        if n - k < 4 or memcmp(p + k, b"033", 3) != 0:
            return 0
        k += 3
    elif p[i] == c'^':
        k += 1 if k < n and p[k] == c'[' else n - k
    elif p[i] != 0x1B:
        return 0
    if k >= n or p[k] != c'[':
        return 0
    begin = k = k + 1
    while k < n and k - begin < LONGEST_COLOUR and (is_digit(p[k]) or p[k] == c';' or p[k] == c':'):
        k += 1
    return k + 1 - i if k < n and (p[k] == c'm' or p[k] == c'K') else 0


# Whether a colour ends at i.
cdef bint follows_colour(const uint8_t* p, Py_ssize_t i, Py_ssize_t begin) noexcept nogil:
    cdef Py_ssize_t k = i - 1
    if k < begin or (p[k] != c'm' and p[k] != c'K'):
        return False
    while k > begin and i - 1 - k < LONGEST_COLOUR and (is_digit(p[k - 1]) or p[k - 1] == c';' or p[k - 1] == c':'):
        k -= 1
    if k == begin or p[k - 1] != c'[':
        return False
    k -= 1
    # The byte itself, or its escapes: `\e`, `\033` and `\x1b`, `\u001b`.
    return (
        (k > begin and colour(p, k - 1, i) == i - k + 1) or (k - begin >= 2 and colour(p, k - 2, i) == i - k + 2)
        or (k - begin >= 4 and colour(p, k - 4, i) == i - k + 4) or (k - begin >= 6 and colour(p, k - 6, i) == i - k + 6)
    )
