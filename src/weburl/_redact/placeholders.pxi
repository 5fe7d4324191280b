# A part of redact.pyx: placeholders for segments of paths. docs/redact.md has the definitions.

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memchr, memcmp

from weburl._core.ascii cimport is_digit

from weburl._redact.secrets import LETTER_PAIRS

# What stands for a segment, or for its beginning, in templates.
cdef enum Placeholder:
    NO_PLACEHOLDER
    INT
    UUID
    HEX_DIGITS
    DATE
    TIME
    IP
    COORDINATES
    ID
    SLUG
    EMAIL_ADDRESS
    A_SECRET
    VALUE
    OPAQUE
    PLACEHOLDERS

cdef bytes _letter_pairs = LETTER_PAIRS.encode()
cdef const uint8_t* letter_pairs = _letter_pairs

cdef const char* TEXTS[<int> PLACEHOLDERS]
TEXTS[:] = [
    b"", b"{int}", b"{uuid}", b"{hex}", b"{date}", b"{time}", b"{ip}", b"{coordinates}", b"{id}", b"{slug}", b"{email}",
    b"{redacted}", b"{value}", b"{opaque}",
]
cdef Py_ssize_t[<int> PLACEHOLDERS] LENGTHS = [0, 5, 6, 5, 6, 6, 4, 13, 4, 6, 7, 10, 7, 8]

cdef enum:
    SLUG_WORDS = 5
    SLUG_LENGTH = 16


# The text of each, such as `{int}`.
cdef const char* placeholder_text(Placeholder which) noexcept nogil:
    return TEXTS[<int> which]


cdef Py_ssize_t placeholder_length(Placeholder which) noexcept nogil:
    return LENGTHS[<int> which]


# The placeholder that a text without escapes is.
cdef Placeholder placeholder_of(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef int which
    if n > 3 and p[0] == c'{':
        for which in range(1, <int> PLACEHOLDERS):
            if n == LENGTHS[which] and memcmp(p, TEXTS[which], n) == 0:
                return <Placeholder> which
    return NO_PLACEHOLDER


# What a byte is in a word: a digit, a small letter, a capital, or a letter of another alphabet.
cdef enum:
    DIGIT = 1
    CAPITAL = 2
    SMALL = 4
    OTHER_LETTER = 8

cdef uint8_t[256] letters
cdef int _c
for _c in range(256):
    letters[_c] = OTHER_LETTER if _c >= 0x80 else {HAS_DIGIT: DIGIT, HAS_UPPER: CAPITAL, HAS_LOWER: SMALL}.get(has[_c], 0)


# Where the digits end that begin there.
cdef inline Py_ssize_t digits_end(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    while i < n and is_digit(p[i]):
        i += 1
    return i


cdef inline bint is_year(const uint8_t* p) noexcept nogil:
    return (p[0] == c'1' and p[1] == c'9') or (p[0] == c'2' and p[1] == c'0')


# 1 to 12, as one or two digits.
cdef inline bint is_month(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return n == 1 and p[0] != c'0' or n == 2 and (
        (p[0] == c'0' and p[1] != c'0') or (p[0] == c'1' and p[1] <= c'2')
    )


# 2026-11-22, 2026_11_22, 2026-11, 22-11-2026 and 2026-W47.
cdef bint is_date(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t one = digits_end(p, 0, n), two, three
    if one == n or one > 4:
        return False
    if one == 4 and is_year(p) and n < 9:
        two = 4 + (p[4] == c'-')
        if n == two + 3 and p[two] == c'W' and c'0' <= p[two + 1] <= c'5' and is_digit(p[two + 2]):
            return True
    if p[one] != c'-' and p[one] != c'_':
        return False
    two = digits_end(p, one + 1, n)
    if two == n:
        return one == 4 and n == 7 and is_year(p) and is_month(p + 5, 2)
    if two - one > 3 or two == one + 1 or p[two] != p[one]:
        return False
    three = digits_end(p, two + 1, n)
    if three < n:
        return False
    if one == 4 and n == 10 and two == 7 and p[4] == c'-':
        return True
    three = n - two - 1
    if one == 4:
        return is_year(p) and is_month(p + 5, two - 5) and 1 <= three <= 2
    return 1 <= one <= 2 and three == 4 and is_year(p + two + 1)


# A date with a time of the day, or that alone.
cdef bint is_time(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = digits_end(p, 0, n), end
    if 1 <= i <= 2 and i < n and p[i] == c':':
        end = digits_end(p, i + 1, n)
        if end - i != 3 or end == n:
            return end - i == 3
        return p[end] == c':' and n == end + 3 and digits_end(p, end + 1, n) == n
    if i == 4 and n > 10 and p[4] == c'-' and p[7] == c'-' and digits_end(p, 5, n) == 7 and digits_end(p, 8, n) == 10:
        i = 10
    if (i != 8 and i != 10) or not is_year(p) or (i == 10 and p[4] != c'-'):
        return False
    if n < i + 3 or not (p[i] == c'T' or p[i] == c't' or p[i] == c'_' or p[i] == c' ' or p[i] == c'-'):
        return False
    if not (is_digit(p[i + 1]) and is_digit(p[i + 2])):
        return False
    for i in range(i + 3, n):
        if not is_digit(p[i]) and memchr(b":.Zz+-", p[i], 6) == NULL:
            return False
    return True


# With a port, or in brackets.
cdef bint is_ip(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint16_t[8] pieces
    cdef Py_ssize_t last, end = ipv4_end(p, n, &last)
    if end > 0:
        return end == n or (p[end] == c':' and end + 1 < n and digits_end(p, end + 1, n) == n)
    if n > 2 and p[0] == c'[' and p[n - 1] == c']':
        p += 1
        n -= 2
    return memchr(p, c':', n) != NULL and ipv6_end(p, n, pieces) == n


# Where a number of degrees ends that begins there, or -1; `has_fraction` says whether it has a fraction.
cdef Py_ssize_t degrees_end(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, bint* has_fraction) noexcept nogil:
    cdef Py_ssize_t begin
    if i < n and (p[i] == c'-' or p[i] == c'+'):
        i += 1
    begin = i
    i = digits_end(p, i, n)
    if i == begin or i - begin > 3:
        return -1
    has_fraction[0] = i + 1 < n and p[i] == c'.' and is_digit(p[i + 1])
    return digits_end(p, i + 1, n) if has_fraction[0] else i


# A latitude, a longitude with a fraction, and perhaps more: a height, a zoom.
cdef bint is_coordinates(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef bint has_fraction = False
    cdef Py_ssize_t begin, i = degrees_end(p, p[0] == c'@', n, &has_fraction)
    if i < 0 or i + 1 >= n or p[i] != c',':
        return False
    i += 1
    i = degrees_end(p, i + (p[i] == c' '), n, &has_fraction)
    if i < 0 or not has_fraction:
        return False
    while i < n:
        begin = i + 1
        if p[i] != c',':
            return False
        i = begin
        while i < n and (is_digit(p[i]) or p[i] == c'.'):
            i += 1
        if i == begin:
            return False
        i += i < n and letters[p[i]] == SMALL
    return True


# What a program has made up: letters with digits among them, or base64.
cdef bint is_id(const uint8_t* p, Py_ssize_t n, uint16_t classes) noexcept nogil:
    cdef Py_ssize_t i, digits = 0
    if n < 20:
        return False
    if classes & ~(HAS_DIGIT | HAS_LETTER):
        return is_base64(p, n)
    for i in range(n):
        digits += is_digit(p[i])
    return digits > 3


# Of a text without escapes: the placeholder for a text of a form that its whole text has.
cdef Placeholder class_of_form(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint16_t classes
    if n > 3 and p[0] == c'{':
        return placeholder_of(p, n)
    classes = bytes_of(p, n)
    if classes == HAS_DIGIT:
        return INT
    if not classes & HAS_DIGIT:
        return UUID if n == 36 and is_uuid(p, n) else NO_PLACEHOLDER
    if classes & ~(HAS_DIGIT | HAS_LETTER) == 0:
        # Eight, as `dec2019` are seven.
        if n < 7:
            return NO_PLACEHOLDER
        if n >= 8 and is_hex(p, n):
            return HEX_DIGITS
    elif is_uuid(p, n):
        return UUID
    if is_digit(p[0]) and n > 6 and is_date(p, n):
        return DATE
    if is_digit(p[0]) and n > 3 and is_time(p, n):
        return TIME
    if classes & (HAS_OTHER | HAS_LINK):
        if is_ip(p, n):
            return IP
        if classes & HAS_OTHER and is_coordinates(p, n):
            return COORDINATES
    return ID if is_id(p, n, classes) else NO_PLACEHOLDER


# Whether letters and digits look random, without what is among them: they have letters that seldom follow each other in
# words, digits among the letters, or many digits. More of them do if it is relaxed.
cdef bint looks_random(const uint8_t* p, Py_ssize_t n, bint is_relaxed) noexcept nogil:
    cdef Py_ssize_t i, length = 0, digits = 0, capitals = 0, small = 0, changes = 0, score = 0, run = 0, longest = 0
    cdef uint8_t letter, before = 0, first = 0, second = 0
    cdef bint is_hexadecimal = True, was_digit = False
    for i in range(n):
        if letters[p[i]] == 0:
            continue
        if letters[p[i]] == OTHER_LETTER:
            return False
        if length == 0:
            first = p[i]
        elif length == 1:
            second = p[i]
        if is_digit(p[i]):
            digits += 1
            changes += length > 0 and not was_digit
            was_digit = True
            before = run = 0
        else:
            letter = p[i] | 0x20
            changes += was_digit
            was_digit = False
            is_hexadecimal &= letter <= c'f'
            capitals += letters[p[i]] == CAPITAL
            small += letters[p[i]] == SMALL
            if before:
                score += letter_pairs[26 * (before - c'a') + letter - c'a'] - c'5'
            before = letter
            # After the first.
            run = run + 1 if length > 0 else 0
            longest = max(longest, run)
        length += 1
    if (first | 0x20) == c'v' and is_digit(second) and longest > 3:
        return False
    if digits and capitals + small:
        if is_hexadecimal and (length > 7 or (length == 7 and changes > 2)):
            return True
        # 1920x1080
        if capitals + small == 1 and changes == 2 and memchr(p, c'x', n) != NULL:
            return False
        if digits > 5:
            return True
        # Q1234, but not q42026, and no year.
        if changes == 1 and not is_digit(first) and (digits == 5 and capitals + small < 3 or digits == 4 and length == 5):
            if not (is_year(p + n - 4) and (length == 5 or (first | 0x20) == c'q')):
                return True
        if length > 5 and changes > 3:
            return True
    elif capitals < 4 or small == 0:
        return False
    score -= 3 * changes + capitals
    if is_relaxed:
        return length > 6 and score < 0
    return length > 7 and score < (-4 if digits else -(length >> 1))


cdef inline Py_ssize_t count_capitals(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, capitals = 0
    for i in range(n):
        capitals += letters[p[i]] == CAPITAL
    return capitals


# What is shorter than eight has many digits, or many changes; the shortest is Q1234. A digit or two at one end are those
# of words.
cdef inline bint may_look_random(
    const uint8_t* p, Py_ssize_t n, uint8_t classes, Py_ssize_t digits, Py_ssize_t changes
) noexcept nogil:
    if n < 8:
        return digits > 4 or changes > 2 or (digits == 4 and n == 5)
    return changes > 1 or digits > 2 or (classes & CAPITAL and count_capitals(p, n) > 3)


# The placeholder for words and numbers.
cdef Placeholder class_of_words(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, begin, words = 0, numbers = 0, digits, changes
    cdef uint8_t classes, one, before
    cdef bint has_long = False, has_other = False, is_mixed = False
    while i < n:
        classes = before = letters[p[i]]
        if classes == 0:
            has_other |= memchr(b"-_+ ", p[i], 4) == NULL
            i += 1
            continue
        begin = i
        digits = classes & DIGIT
        changes = 0
        i += 1
        while i < n:
            one = letters[p[i]]
            if one == 0:
                break
            classes |= one
            digits += one & DIGIT
            changes += (one ^ before) & DIGIT
            before = one
            i += 1
        if classes == DIGIT:
            numbers += 1
            if i - begin > 3 and not (begin > 0 and p[begin - 1] == c'.') and not (i < n and p[i] == c'.'):
                has_long |= i - begin > 4 or not is_year(p + begin)
            continue
        words += 1
        # Capitals alone may begin words.
        if digits > 0 or (classes == CAPITAL | SMALL and letters[p[begin]] == SMALL):
            is_mixed = True
        if may_look_random(p + begin, i - begin, classes, digits, changes) and looks_random(p + begin, i - begin, False):
            return ID
    if is_mixed and words + numbers > 1 and n > 9 and not has_other and count_capitals(p, n) > 2 and looks_random(p, n, False):
        return ID
    if words + numbers == 0:
        return NO_PLACEHOLDER
    if has_long:
        return SLUG if words > 1 and not has_other else ID
    return SLUG if words > 2 and words + numbers >= SLUG_WORDS and n >= SLUG_LENGTH and not has_other else NO_PLACEHOLDER


# The placeholder for a segment.
cdef Placeholder class_of(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Placeholder placeholder = class_of_form(p, n)
    return class_of_words(p, n) if placeholder == NO_PLACEHOLDER else placeholder
