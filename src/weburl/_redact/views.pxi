# A part of redact.pyx: parts of a text, as they are looked at: without their escapes, of URLs and of JSON; and IP
# addresses as their networks. docs/redact-rules.md has the definitions.

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memchr, memcmp, memcpy

from weburl._core.ascii cimport hex_value, is_alpha, is_digit, is_hex_digit
from weburl._core.buffer cimport Buffer, push, push_run, reserve, start
from weburl._crawl.canonical cimport push_unescaped

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
cdef inline bint is_around_address(uint8_t c) noexcept nogil:
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
            while i < n and (is_around_address(p[i]) or p[i] == c':' or p[i] == c']' or is_digit(p[i])):
                i += 1
            walk.gap_end = i
        i = walk.gap_end
        if i == n or p[i] != c',':
            break
        if i < walk.end:
            return walk.is_found
        i += 1
        while i < n and (is_around_address(p[i]) or p[i] == c'['):
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


# Pushes addresses, shortened; false if it is anything else.
cdef bint push_networks(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint16_t[8] pieces
    cdef Py_ssize_t i = 0, end, last
    cdef bint has_port
    while True:
        while i < n and is_around_address(p[i]):
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
        while i < n and is_around_address(p[i]):
            i += 1
        if i == n:
            return True
        if p[i] != c',':
            return False
        push(out, c',')
        i += 1


# Views.

# What a part of a text says: the part as it is written, and without its escapes.
ctypedef struct Part:
    const uint8_t* raw
    Py_ssize_t raw_length
    const uint8_t* p
    Py_ssize_t length


# Reads a part. What it says is valid until `decoded`, which it uses, is used for another part.
cdef inline void read_part(Part* self, Buffer* decoded, const uint8_t* raw, Py_ssize_t length) noexcept nogil:
    self.raw = self.p = raw
    self.raw_length = self.length = length
    if memchr(raw, c'%', length) != NULL:
        decoded.length = 0
        push_unescaped(decoded, raw, length)
        self.p = decoded.data
        self.length = decoded.length


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
cdef uint8_t* reserve_decoded(Part* self, Buffer* decoded, Py_ssize_t n) noexcept nogil:
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


# What the part says, without escapes of JSON.
cdef const uint8_t* plain_part(Part* self, Buffer* decoded, Py_ssize_t* n) noexcept nogil:
    cdef uint8_t* begin
    n[0] = self.length
    if not has_backslash(self):
        return self.p
    begin = reserve_decoded(self, decoded, self.length)
    if begin == NULL:
        return self.p
    push_plain(decoded, self.p, self.length)
    n[0] = decoded.length - (begin - decoded.data)
    return begin


# A copy of the part as it is written, to be unquoted, or NULL.
cdef uint8_t* raw_copy(Part* self, Buffer* decoded) noexcept nogil:
    cdef uint8_t* p = reserve_decoded(self, decoded, self.raw_length)
    if p != NULL:
        memcpy(p, self.raw, self.raw_length)
    return p


# A copy of what the part says, to be unquoted further, or NULL.
cdef uint8_t* said_copy(Part* self, Buffer* decoded) noexcept nogil:
    cdef uint8_t* p = reserve_decoded(self, decoded, self.length)
    if p != NULL:
        memcpy(p, self.p, self.length)
    return p


# An address without a digit is one of IPv6, and has two colons.
cdef inline bint may_have_address(const uint8_t* p, Py_ssize_t n, uint16_t classes, Place place) noexcept nogil:
    return classes & (HAS_LINK | HAS_QUOTE) and place != IN_SEGMENT and (classes & HAS_DIGIT or has_two_colons(p, n))


cdef inline bint has_two_colons(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef const uint8_t* colon = <const uint8_t*> memchr(p, c':', n)
    return colon != NULL and memchr(colon + 1, c':', p + n - colon - 1) != NULL


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


# The form of a secret in a text that is quoted more than once, or in JSON. An address is the last thing that counts.
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


# The form of a secret in a part, however it is quoted. Moves what the part says, if it is in `decoded`.
cdef inline Kind form_of_part(Part* self, Buffer* decoded, Place place, const Names* names) noexcept nogil:
    cdef uint16_t classes = bytes_of(self.p, self.length)
    cdef Kind kind = find_form(self.p, self.length, classes, place, names)
    cdef bint is_address = (
        kind == NOTHING and may_have_address(self.p, self.length, classes, place)
        and has_address(self.p, self.length, names)
    )
    if kind == NOTHING and (classes & HAS_BACKSLASH or self.p != self.raw):
        kind = form_of_views(self, decoded, place, names, &is_address)
    return ADDRESS if kind == NOTHING and is_address else kind


# Whether a text with these bytes has an IP address after an equals sign or a quote, as in JSON or in another URL.
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


# The lists that have a name with escapes of JSON, however it is quoted.
cdef uint16_t lists_of_views(Part* self, Buffer* decoded, const Names* names) noexcept nogil:
    cdef Py_ssize_t n
    cdef const uint8_t* p = plain_part(self, decoded, &n)
    cdef uint16_t lists = lists_of(names, p, n) | lists_of_levels(self, decoded, True, names)
    return lists | lists_of_levels(self, decoded, False, names) if has_mixed_escapes(self) else lists


# Whether a part, without the escapes of JSON, ends with a colon, and perhaps solidi: those alone follow a colon if the
# part does.
cdef bint ends_with_colon(Part* self, Buffer* decoded, bint may_be_authority) noexcept nogil:
    cdef Py_ssize_t n
    cdef const uint8_t* p = plain_part(self, decoded, &n)
    # The parser leaves out tabs and newlines.
    while n > 0 and memchr(b"/\\\t\n\r", p[n - 1], 5) != NULL:
        n -= 1
    return p[n - 1] == c':' if n > 0 else may_be_authority


# Whether a part, without the escapes of JSON, has an @ after its first byte.
cdef bint has_inner_at(Part* self, Buffer* decoded) noexcept nogil:
    cdef Py_ssize_t n
    cdef const uint8_t* p = plain_part(self, decoded, &n)
    return n > 1 and memchr(p + 1, c'@', n - 1) != NULL


# A value that looks random, perhaps in quotes, or with spaces and line ends around it.
cdef bint is_random_in_quotes(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    while n > 0 and (has[p[0]] & (HAS_QUOTE | HAS_SPACE) or p[0] == c'\\'):
        p += 1
        n -= 1
    while n > 0 and (has[p[n - 1]] & (HAS_QUOTE | HAS_SPACE) or p[n - 1] == c'\\'):
        n -= 1
    return is_random(p, n)
