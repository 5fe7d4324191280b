"""Parts of a text, as they are looked at: without their escapes, of URLs and of JSON; IP addresses as their networks; and
placeholders for segments of paths; docs/redact-rules.md and docs/redact.md have the definitions."""

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memchr, memcmp, memcpy

from weburl._core.ascii cimport hex_value, is_alpha, is_digit, is_hex_digit
from weburl._core.buffer cimport Buffer, push, push_run, reserve, start
from weburl._redact.forms cimport (
    HAS_DIGIT, HAS_LETTER, HAS_LINK, HAS_LOWER, HAS_OTHER, HAS_PLUS, HAS_QUOTE, HAS_SPACE, HAS_UPPER, NOTHING,
    Kind, Names, Place, bytes_of, find_form, has, has_plain_name, is_base64, is_hex, is_random, lists_of,
)
from weburl._redact.values cimport is_uuid

from weburl._redact.secrets import LETTER_PAIRS

cdef bytes _letter_pairs = LETTER_PAIRS.encode()
cdef const uint8_t* letter_pairs = _letter_pairs

# IP addresses in values, shortened to their networks.

cdef const char* LOWER_HEX = b"0123456789abcdef"


# Where an IPv4 address at p ends, or -1; `last` gets the place of its last number.
cdef Py_ssize_t ipv4_end(const uint8_t* p, Py_ssize_t n, Py_ssize_t* last) noexcept nogil:
    cdef Py_ssize_t i = 0, begin
    cdef int part, value
    for part in range(4):
        begin = i
        value = 0
        while i < n and i - begin < 3 and is_digit(p[i]):
            value = 10 * value + p[i] - c'0'
            i += 1
        if i == begin or value > 255 or (p[begin] == c'0' and i - begin > 1):
            return -1
        last[0] = begin
        if part < 3:
            if i == n or p[i] != c'.':
                return -1
            i += 1
    return i


# Where an IPv6 address at p ends, or -1; `pieces` gets its eight numbers.
cdef Py_ssize_t ipv6_end(const uint8_t* p, Py_ssize_t n, uint16_t* pieces) noexcept nogil:
    cdef uint16_t[8] groups
    cdef Py_ssize_t i = 0, begin, last
    cdef int count = 0, gap = -1, value, k
    for k in range(8):
        pieces[k] = groups[k] = 0
    if n >= 2 and p[0] == c':' and p[1] == c':':
        gap = 0
        i = 2
    while i < n and count < 8 and is_hex_digit(p[i]):
        begin = i
        value = 0
        while i < n and i - begin < 4 and is_hex_digit(p[i]):
            value = value << 4 | hex_value(p[i])
            i += 1
        if i < n and p[i] == c'.' and count < 7:
            i = ipv4_end(p + begin, n - begin, &last)
            if i < 0:
                return -1
            # Its numbers are never shown.
            i += begin
            count += 2
            break
        groups[count] = <uint16_t> value
        count += 1
        if n - i >= 2 and p[i] == c':' and p[i + 1] == c':':
            if gap >= 0:
                return -1
            gap = count
            i += 2
        elif count < 8:
            if i == n or p[i] != c':':
                break
            if i + 1 == n or not is_hex_digit(p[i + 1]):
                return -1
            i += 1
    if (gap < 0 and count != 8) or (gap >= 0 and count > 7):
        return -1
    for k in range(count):
        pieces[k if gap < 0 or k < gap else 8 - count + k] = groups[k]
    return i


# What can be around an address.
cdef inline bint is_around(uint8_t c) noexcept nogil:
    return c == c' ' or c == c'+' or c == c'"' or c == c"'" or c == c'\\' or c == c'\t' or c == c'\n' or c == c'\r'


cdef inline bint ends_address(uint8_t c) noexcept nogil:
    return memchr(b"&;?#,{}/\\<>|()\n\r[]\"' \t=:+", c, 25) != NULL


# What the last walk along addresses said, and where it ended: one that begins later, and reaches a comma before that,
# would say the same. And what was passed after an address, which walks from there end alike.
ctypedef struct Walk:
    Py_ssize_t end
    bint is_found
    Py_ssize_t gap, gap_end


# Whether an address is at i, perhaps after others, that is not a network, or that is any. They have commas between them.
cdef bint begins_with_address(Walk* walk, const uint8_t* p, Py_ssize_t i, Py_ssize_t n, bint is_any) noexcept nogil:
    cdef uint8_t[64] scratch
    cdef uint16_t[8] pieces
    cdef Py_ssize_t last, end
    cdef Buffer network
    cdef bint is_found = False
    while True:
        end = ipv4_end(p + i, n - i, &last)
        if end >= 0:
            if not (i + end == n or ends_address(p[i + end])):
                break
            is_found = is_any or end - last > 1 or p[i + last] != c'0'
        else:
            end = ipv6_end(p + i, n - i, pieces)
            if end < 0 or not (i + end == n or (ends_address(p[i + end]) and p[i + end] != c':')):
                break
            # Never longer than the scratch.
            start(&network, scratch, sizeof(scratch), sizeof(scratch))
            push_ipv6_network(&network, pieces)
            is_found = is_any or network.length != end or memcmp(network.data, p + i, end) != 0
        if is_found:
            break
        i += end
        if not walk.gap <= i < walk.gap_end:
            walk.gap = i
            while i < n and (is_around(p[i]) or p[i] == c':' or p[i] == c']' or is_digit(p[i])):
                i += 1
            walk.gap_end = i
        i = walk.gap_end
        if i == n or p[i] != c',':
            break
        if i < walk.end:
            return walk.is_found
        i += 1
        while i < n and (is_around(p[i]) or p[i] == c'['):
            i += 1
    if i >= walk.end:
        walk.end = i
        walk.is_found = is_found
    return is_found


cdef void push_ipv6_network(Buffer* out, const uint16_t* pieces) noexcept nogil:
    cdef int count = 3, k, shift
    while count > 0 and pieces[count - 1] == 0:
        count -= 1
    for k in range(count):
        shift = 12
        while shift > 0 and pieces[k] >> shift == 0:
            shift -= 4
        while shift >= 0:
            push(out, LOWER_HEX[pieces[k] >> shift & 15])
            shift -= 4
        push(out, c':')
    if count == 0:
        push(out, c':')
    push(out, c':')


cdef bint push_networks(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint16_t[8] pieces
    cdef Py_ssize_t i = 0, end, last
    cdef bint has_port
    while True:
        while i < n and is_around(p[i]):
            i += 1
        has_port = True
        end = ipv4_end(p + i, n - i, &last)
        if end >= 0:
            push_run(out, p + i, last)
            push(out, c'0')
            i += end
        elif i < n and p[i] == c'[':
            i += 1
            end = ipv6_end(p + i, n - i, pieces)
            if end < 0 or end == n - i or p[i + end] != c']':
                return False
            push(out, c'[')
            push_ipv6_network(out, pieces)
            push(out, c']')
            i += end + 1
        else:
            end = ipv6_end(p + i, n - i, pieces)
            if end < 0:
                return False
            push_ipv6_network(out, pieces)
            i += end
            has_port = False
        if has_port and n - i > 1 and p[i] == c':' and is_digit(p[i + 1]):
            push(out, c':')
            i += 1
            while i < n and is_digit(p[i]):
                push(out, p[i])
                i += 1
        while i < n and is_around(p[i]):
            i += 1
        if i == n:
            return True
        if p[i] != c',':
            return False
        push(out, c',')
        i += 1


# Views.

cdef enum:
    # How many times a text is unquoted, to be looked at each time. Time is linear because of this bound.
    MOST_LEVELS = 8


# How long the escape is that a text begins with, or 0; `value` gets its byte.
cdef int escape_at(const uint8_t* p, Py_ssize_t n, uint8_t* value) noexcept nogil:
    cdef const uint8_t* place
    if p[0] == c'%':
        if n > 2 and is_hex_digit(p[1]) and is_hex_digit(p[2]):
            value[0] = <uint8_t> (hex_value(p[1]) << 4 | hex_value(p[2]))
            return 3
        return 0
    if p[0] != c'\\' or n < 2:
        return 0
    # https://www.rfc-editor.org/rfc/rfc8259#section-7
    if p[1] == c'u':
        if n > 5 and is_hex_digit(p[2]) and is_hex_digit(p[3]) and is_hex_digit(p[4]) and is_hex_digit(p[5]):
            # What is not ASCII is a letter of another alphabet.
            value[0] = <uint8_t> (hex_value(p[4]) << 4 | hex_value(p[5])) if p[2] == p[3] == c'0' else 0x80
            return 6
        return 0
    place = <const uint8_t*> memchr(b"\"\\/'bfnrt", p[1], 9)
    if place == NULL:
        return 0
    value[0] = b"\"\\/'\b\f\n\r\t"[place - <const uint8_t*> b"\"\\/'bfnrt"]
    return 2


# Without escapes, including those that decoding makes, as push_unescaped() does it.
cdef void push_plain(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, begin = out.length
    cdef int length
    cdef uint8_t value = 0
    for i in range(n):
        push(out, p[i])
        length = 2
        while length <= 6:
            if length != 4 and length != 5 and out.length - begin >= length and escape_at(
                out.data + out.length - length, length, &value
            ) == length:
                out.length -= length - 1
                out.data[out.length - 1] = value
                length = 1
            length += 1


# Undoes each escape once, in place; returns the length.
cdef Py_ssize_t unescape_once(uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, end = 0
    cdef int length
    while i < n:
        p[end] = p[i]
        length = escape_at(p + i, n - i, &p[end])
        i += max(length, 1)
        end += 1
    return end


# Makes room for n more bytes after what the part says; where they begin, or NULL.
cdef uint8_t* room(Part* self, Buffer* decoded, Py_ssize_t n) noexcept nogil:
    cdef bint is_decoded = self.p != self.raw
    decoded.length = self.length if is_decoded else 0
    if not reserve(decoded, n):
        return NULL
    if is_decoded:
        self.p = decoded.data
    return decoded.data + decoded.length


cdef inline bint has_backslash(const Part* self) noexcept nogil:
    return memchr(self.p, c'\\', self.length) != NULL


# Whether an escape follows an escaped percent sign.
cdef bint is_quoted_twice(const Part* self) noexcept nogil:
    cdef const uint8_t* p = self.raw
    cdef const uint8_t* end = p + self.raw_length
    if self.p == p:
        return False
    while True:
        p = <const uint8_t*> memchr(p, c'%', end - p)
        if p == NULL or end - p < 5:
            return False
        if p[1] == c'2' and p[2] == c'5':
            return True
        p += 1


# Whether a percent-escape can be within an escape of JSON: one of a letter, a digit or a percent sign, or any if there is
# a backslash that is not escaped.
cdef bint has_mixed_escapes(const Part* self) noexcept nogil:
    cdef const uint8_t* p = self.raw
    cdef Py_ssize_t n = self.raw_length, i
    cdef uint8_t value = 0
    if self.p == p or memchr(p, c'\\', n) != NULL:
        return self.p != p
    for i in range(n):
        if p[i] == c'%' and escape_at(p + i, n - i, &value) and (is_alpha(value) or is_digit(value) or value == c'%'):
            return True
    return False


cdef const uint8_t* plain_part(Part* self, Buffer* decoded, Py_ssize_t* n) noexcept nogil:
    cdef uint8_t* begin
    n[0] = self.length
    if not has_backslash(self):
        return self.p
    begin = room(self, decoded, self.length)
    if begin == NULL:
        return self.p
    push_plain(decoded, self.p, self.length)
    n[0] = decoded.length - (begin - decoded.data)
    return begin


# A copy of the part as it is written, to be unquoted, or NULL.
cdef uint8_t* raw_copy(Part* self, Buffer* decoded) noexcept nogil:
    cdef uint8_t* p = room(self, decoded, self.raw_length)
    if p != NULL:
        memcpy(p, self.raw, self.raw_length)
    return p


# A copy of what the part says, to be unquoted further, or NULL.
cdef uint8_t* said_copy(Part* self, Buffer* decoded) noexcept nogil:
    cdef uint8_t* p = room(self, decoded, self.length)
    if p != NULL:
        memcpy(p, self.p, self.length)
    return p


cdef Kind form_of_view(const uint8_t* p, Py_ssize_t n, Place place, const Names* names, bint* is_address) noexcept nogil:
    cdef uint16_t classes = bytes_of(p, n)
    cdef Kind kind = find_form(p, n, classes, place, names)
    if kind == NOTHING and not is_address[0] and may_have_address(p, n, classes, place):
        is_address[0] = has_address(p, n, names)
    return kind


# Of the part as it is written, or of what it says.
cdef Kind form_of_levels(
    Part* self, Buffer* decoded, bint is_raw, Place place, const Names* names, bint* is_address
) noexcept nogil:
    cdef uint8_t* p = raw_copy(self, decoded) if is_raw else said_copy(self, decoded)
    cdef Py_ssize_t n = self.raw_length if is_raw else self.length, before
    cdef Kind kind = NOTHING
    cdef int level
    if p == NULL:
        return NOTHING
    for level in range(MOST_LEVELS):
        before = n
        n = unescape_once(p, n)
        if n == before:
            break
        kind = form_of_view(p, n, place, names, is_address)
        if kind != NOTHING:
            break
    return kind


cdef Kind form_of_views(Part* self, Buffer* decoded, Place place, const Names* names, bint* is_address) noexcept nogil:
    cdef bint in_json = has_backslash(self)
    cdef Kind kind = NOTHING
    cdef const uint8_t* p
    cdef Py_ssize_t n
    if in_json:
        p = plain_part(self, decoded, &n)
        kind = form_of_view(p, n, place, names, is_address)
    if kind == NOTHING and (in_json or is_quoted_twice(self)):
        kind = form_of_levels(self, decoded, True, place, names, is_address)
    if kind == NOTHING and in_json and has_mixed_escapes(self):
        kind = form_of_levels(self, decoded, False, place, names, is_address)
    return kind


cdef bint has_address(const uint8_t* p, Py_ssize_t n, const Names* names) noexcept nogil:
    return has_address_after(names, p, n, c'=') or has_address_after(names, p, n, c'"') or has_address_after(names, p, n, c"'")


cdef bint has_address_after(const Names* names, const uint8_t* p, Py_ssize_t n, uint8_t before) noexcept nogil:
    cdef Py_ssize_t k
    cdef Walk walk
    cdef const uint8_t* found = <const uint8_t*> memchr(p, before, n)
    walk.end = walk.gap = walk.gap_end = 0
    walk.is_found = False
    while found != NULL:
        k = found + 1 - p
        while k < n and (has[p[k]] & (HAS_SPACE | HAS_PLUS) or p[k] == c'['):
            k += 1
        if (
            k < n and (has[p[k]] & (HAS_DIGIT | HAS_LETTER) or p[k] == c':')
            and begins_with_address(&walk, p, k, n, names.hides_addresses) and not has_plain_name(names, p, k)
        ):
            return True
        found = <const uint8_t*> memchr(p + k, before, n - k)
    return False


cdef uint16_t lists_of_levels(Part* self, Buffer* decoded, bint is_raw, const Names* names) noexcept nogil:
    cdef uint8_t* p = raw_copy(self, decoded) if is_raw else said_copy(self, decoded)
    cdef Py_ssize_t n = self.raw_length if is_raw else self.length, before
    cdef uint16_t lists = 0
    cdef int level
    if p == NULL:
        return lists
    for level in range(MOST_LEVELS):
        before = n
        n = unescape_once(p, n)
        if n == before:
            break
        lists |= lists_of(names, p, n)
    return lists


cdef uint16_t lists_of_views(Part* self, Buffer* decoded, const Names* names) noexcept nogil:
    cdef Py_ssize_t n
    cdef const uint8_t* p = plain_part(self, decoded, &n)
    cdef uint16_t lists = lists_of(names, p, n) | lists_of_levels(self, decoded, True, names)
    return lists | lists_of_levels(self, decoded, False, names) if has_mixed_escapes(self) else lists


cdef bint ends_with_colon(Part* self, Buffer* decoded, bint may_be_authority) noexcept nogil:
    cdef Py_ssize_t n
    cdef const uint8_t* p = plain_part(self, decoded, &n)
    # The parser leaves out tabs and newlines.
    while n > 0 and memchr(b"/\\\t\n\r", p[n - 1], 5) != NULL:
        n -= 1
    return p[n - 1] == c':' if n > 0 else may_be_authority


cdef bint has_inner_at(Part* self, Buffer* decoded) noexcept nogil:
    cdef Py_ssize_t n
    cdef const uint8_t* p = plain_part(self, decoded, &n)
    return n > 1 and memchr(p + 1, c'@', n - 1) != NULL


cdef bint is_random_in_quotes(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    while n > 0 and (has[p[0]] & (HAS_QUOTE | HAS_SPACE) or p[0] == c'\\'):
        p += 1
        n -= 1
    while n > 0 and (has[p[n - 1]] & (HAS_QUOTE | HAS_SPACE) or p[n - 1] == c'\\'):
        n -= 1
    return is_random(p, n)


# Placeholders for segments of paths.

cdef const char* TEXTS[<int> PLACEHOLDERS]
TEXTS[:] = [
    b"", b"{int}", b"{uuid}", b"{hex}", b"{date}", b"{time}", b"{ip}", b"{coordinates}", b"{id}", b"{slug}", b"{email}",
    b"{redacted}", b"{value}", b"{opaque}",
]
cdef Py_ssize_t[<int> PLACEHOLDERS] LENGTHS = [0, 5, 6, 5, 6, 6, 4, 13, 4, 6, 7, 10, 7, 8]

cdef enum:
    SLUG_WORDS = 5
    SLUG_LENGTH = 16


cdef const char* placeholder_text(Placeholder which) noexcept nogil:
    return TEXTS[<int> which]


cdef Py_ssize_t placeholder_length(Placeholder which) noexcept nogil:
    return LENGTHS[<int> which]


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
            return HEX
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
# words, digits among the letters, or many digits.
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


cdef Placeholder class_of(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Placeholder placeholder = class_of_form(p, n)
    return class_of_words(p, n) if placeholder == NO_PLACEHOLDER else placeholder
