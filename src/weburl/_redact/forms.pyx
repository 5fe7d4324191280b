"""What secrets look like: the names of parameters, and the forms of values. docs/redact.md has the definitions."""

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcpy

from weburl._core.ascii cimport hex_value, is_alpha, is_digit, is_hex_digit, to_lower
from weburl._core.buffer cimport Buffer, push, push_run

from weburl._redact.secrets import BEGIN, CARD_RANGES, CHARACTERS, KEY_PREFIXES, KINDS as KIND_NAMES, WIDTH

cdef const char* LOWER_HEX = b"0123456789abcdef"

cdef enum:
    ROW = 37                    # characters of an automaton
    # Characters that are not part of a name.
    SKIPPED = 64
    ENDS_WORD                   # the next word may belong to the same name
    ENDS_NAME
    ASSIGNS
    MOST_KEYS = 64
    MOST_RANGES = 16

cdef uint8_t[256] character     # its number, or what it does to a name

ctypedef struct KeyPrefix:
    uint8_t[12] text
    int length
    int least                   # characters that follow

ctypedef struct CardRange:
    int first, last
    int digits                  # of both
    int lengths                 # one bit each

cdef KeyPrefix[MOST_KEYS] key_prefixes
cdef CardRange[MOST_RANGES] card_ranges
cdef int key_count = 0, range_count = 0
# Whether the key of a service, or a JWT, can begin with a byte.
cdef bint[256] begins_key


cdef int open_tables() except -1:
    global key_count, range_count
    cdef int c, length
    cdef bytes text
    if (WIDTH, BEGIN, len(CHARACTERS), len(KIND_NAMES)) != (ROW, ROW - 1, ROW - 1, KINDS):
        raise SystemError("secrets.py does not fit forms.pyx")
    if len(KEY_PREFIXES) > MOST_KEYS or len(CARD_RANGES) > MOST_RANGES:
        raise SystemError("secrets.py has more than forms.pyx can hold")
    for c in range(256):
        has[c] = HAS_OTHER
        character[c] = SKIPPED
        if is_digit(c):
            has[c] = HAS_DIGIT
        elif is_alpha(c):
            has[c] = HAS_UPPER if c <= c'Z' else HAS_LOWER
        if is_digit(c) or is_alpha(c):
            character[c] = CHARACTERS.index(chr(to_lower(c)))
    for c in b"-_":
        has[c] = HAS_DASH
    for c in b"+/":
        has[c] = HAS_BASE64
    for c in b"=:;&%":
        has[c] = HAS_LINK
    has[c'@'] = HAS_AT
    for c in b"[]\"' \t":
        character[c] = ENDS_WORD
    for c in b"&;?#,{}/\\<>|()\n\r":
        character[c] = ENDS_NAME
    for c in b"=:":
        character[c] = ASSIGNS
    begins_key[c'e'] = True
    for prefix, least in KEY_PREFIXES.items():
        text = prefix.encode()
        if len(text) + least < SHORTEST:
            raise SystemError(f"{prefix} begins shorter keys than forms.pyx looks for")
        memcpy(key_prefixes[key_count].text, <const uint8_t*> text, len(text))
        key_prefixes[key_count].length = <int> len(text)
        key_prefixes[key_count].least = least
        begins_key[text[0]] = True
        key_count += 1
    for first, last, lengths in CARD_RANGES:
        card_ranges[range_count].first = first
        card_ranges[range_count].last = last
        card_ranges[range_count].digits = <int> len(str(first))
        for length in lengths:
            card_ranges[range_count].lengths |= 1 << length
        range_count += 1
    return 0

open_tables()


cdef inline bint is_word(uint8_t c) noexcept nogil:
    return (has[c] & HAS_WORD) != 0


cdef inline bint is_alphanumeric(uint8_t c) noexcept nogil:
    return (has[c] & (HAS_DIGIT | HAS_LETTER)) != 0


cdef inline bint is_solidus(uint8_t c) noexcept nogil:
    return c == c'/' or c == c'\\'


cdef bint begins_with(const uint8_t* p, Py_ssize_t n, const char* word, Py_ssize_t length) noexcept nogil:
    cdef Py_ssize_t i
    if n < length:
        return False
    for i in range(length):
        if to_lower(p[i]) != <uint8_t> word[i]:
            return False
    return True


# Names.

cdef uint8_t lists_of(const Names* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint16_t state = self.start
    cdef uint8_t found = 0, c
    cdef Py_ssize_t i
    for i in range(n):
        c = character[p[i]]
        if c < ROW:
            state = self.next[<Py_ssize_t> state * ROW + c]
            found |= self.now[state]
        elif c != SKIPPED:
            found |= self.at_end[state]
            state = self.start
    return found | self.at_end[state]


# Whether a text has a parameter in it whose name is that of a secret: another query, or JSON.
cdef bint has_secret_parameter(const Names* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint16_t state = self.start
    cdef uint8_t found = 0, c
    cdef Py_ssize_t i
    for i in range(n):
        c = character[p[i]]
        if c < ROW:
            state = self.next[<Py_ssize_t> state * ROW + c]
            found |= self.now[state]
            continue
        if c == SKIPPED:
            continue
        if c == ENDS_WORD or c == ASSIGNS:
            found |= self.at_end[state]
            if c == ASSIGNS and found & SECRET:
                return True
        if c != ENDS_WORD:
            found = 0
        state = self.start
    return False


# Forms.

# The parser removes these wherever they are.
cdef inline bint is_removed(uint8_t c) noexcept nogil:
    return c == c'\t' or c == c'\n' or c == c'\r'


# Where what follows a special scheme with credentials begins, and its colon; -1 if the text is not a URL with one.
cdef Py_ssize_t end_of_special_scheme(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t[6] scheme
    cdef Py_ssize_t i = 0
    cdef int length = 0
    while i < n and p[i] <= c' ':
        i += 1
    while i < n and (length == 0 or scheme[length - 1] != c':'):
        if not is_removed(p[i]):
            if length == sizeof(scheme):
                return -1
            scheme[length] = p[i]
            length += 1
        i += 1
    if (
        begins_with(scheme, length, b"http:", 5) or begins_with(scheme, length, b"https:", 6)
        or begins_with(scheme, length, b"ws:", 3) or begins_with(scheme, length, b"wss:", 4)
        or begins_with(scheme, length, b"ftp:", 4)
    ):
        return i
    return -1


# The credentials of a URL in a text, or `Bearer` and `Basic` with theirs.
cdef bint has_credentials_in_it(const uint8_t* p, Py_ssize_t n, bint has_at) noexcept nogil:
    cdef Py_ssize_t i, begin
    cdef bint follows_solidus = False
    i = 6 if begins_with(p, n, b"bearer", 6) else 5 if begins_with(p, n, b"basic", 5) else 0
    if i and i < n and (p[i] == c' ' or p[i] == c'+'):
        while i < n and (p[i] == c' ' or p[i] == c'+'):
            i += 1
        if i < n:
            return True
    if not has_at:
        return False
    begin = end_of_special_scheme(p, n)
    for i in range(max(begin, 0), n):
        if is_removed(p[i]):
            begin += begin == i
        elif is_solidus(p[i]):
            # After a special scheme, any number of solidi.
            begin = i + 1 if begin == i or follows_solidus else -1
        elif p[i] == c'?' or p[i] == c'#':
            begin = -1
        elif p[i] == c'@' and 0 <= begin < i:
            return True
        if not is_removed(p[i]):
            follows_solidus = is_solidus(p[i])
    return False


# https://www.rfc-editor.org/rfc/rfc7519: the header is JSON, so that it begins with a brace and, mostly, a quote.
cdef bint is_jwt(const uint8_t* p, Py_ssize_t word, Py_ssize_t n) noexcept nogil:
    return (
        word >= 11 and p[1] == c'y' and c'I' <= p[2] <= c'L'
        and n - word > 1 and p[word] == c'.' and is_word(p[word + 1])
    )


cdef bint is_key(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef const KeyPrefix* prefix
    cdef Py_ssize_t i
    cdef int k, least
    for k in range(key_count):
        prefix = &key_prefixes[k]
        least = prefix.length + prefix.least
        if n < least or p[0] != prefix.text[0]:
            continue
        i = 0
        while i < prefix.length and p[i] == prefix.text[i]:
            i += 1
        if i < prefix.length:
            continue
        while i < least and is_word(p[i]):
            i += 1
        if i == least:
            return True
    return False


cdef Kind find_key(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, end
    # What begins later is too short.
    while i <= n - SHORTEST:
        if begins_key[p[i]]:
            end = i
            while end < n and is_word(p[end]):
                end += 1
            if p[i] == c'e' and is_jwt(p + i, end - i, n - i):
                return JWT
            if is_key(p + i, n - i):
                return KEY
            i = end
        while i <= n - SHORTEST and is_word(p[i]):
            i += 1
        i += 1
    return NOTHING


cdef inline bint is_in_domain(uint8_t c) noexcept nogil:
    return is_alphanumeric(c) or c == c'-' or c == c'.' or c >= 0x80


# A domain of two labels or more, as mail addresses have it, and not the version of a package: the last label is not a
# number, and at most one is.
cdef bint is_mail_domain(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, label = 0, labels = 0, numbers = 0
    cdef bint is_number = True, is_name = True
    while n > 0 and (p[n - 1] == c'.' or p[n - 1] == c'-'):
        n -= 1
    for i in range(n + 1):
        if i < n and p[i] != c'.':
            is_number = is_number and is_digit(p[i])
            is_name = is_name and (is_alpha(p[i]) or p[i] >= 0x80)
            continue
        if i == label:
            return False
        labels += 1
        numbers += is_number
        if i == n:
            return labels > 1 and numbers < 2 and i - label > 1 and (
                is_name or begins_with(p + label, i - label, b"xn--", 4)
            )
        label = i + 1
        is_number = is_name = True
    return False


cdef bint has_email(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 1, end
    while i < n:
        if p[i] != c'@' or not (is_word(p[i - 1]) or p[i - 1] == c'.' or p[i - 1] == c'+' or p[i - 1] >= 0x80):
            i += 1
            continue
        end = i + 1
        while end < n and is_in_domain(p[end]):
            end += 1
        if is_mail_domain(p + i + 1, end - i - 1):
            return True
        i = end
    return False


# https://www.iso.org/standard/70484.html (ISO/IEC 7812-1): the first digits say who issued the card, the last is Luhn's.
cdef bint is_card(const uint8_t* digits, int n) noexcept nogil:
    cdef const CardRange* cards
    cdef int i, k, first, digit, total = 0
    cdef bint is_issued = False
    for k in range(range_count):
        cards = &card_ranges[k]
        first = 0
        for i in range(cards.digits):
            first = 10 * first + digits[i] - c'0'
        if cards.first <= first <= cards.last and cards.lengths >> n & 1:
            is_issued = True
            break
    for i in range(n):
        digit = digits[n - 1 - i] - c'0'
        if i & 1:
            digit *= 2
        total += <int> (digit - 9 if digit > 9 else digit)
    return is_issued and total % 10 == 0


cdef bint has_card(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t[20] digits
    cdef Py_ssize_t i = 0, begin
    cdef int count
    while i < n:
        if not is_digit(p[i]):
            i += 1
            continue
        begin = i
        count = 0
        while True:
            if count < 20:
                digits[count] = p[i]
                count += 1
            i += 1
            if i < n and is_digit(p[i]):
                continue
            if n - i > 1 and (p[i] == c' ' or p[i] == c'-' or p[i] == c'+') and is_digit(p[i + 1]):
                i += 1
                continue
            break
        if (
            14 <= count <= 19
            and (begin == 0 or not (is_alphanumeric(p[begin - 1]) or p[begin - 1] == c'_' or p[begin - 1] == c'.'))
            and (i == n or not (is_alphanumeric(p[i]) or p[i] == c'_'))
            and is_card(digits, count)
        ):
            return True
    return False


cdef bint is_hex(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint8_t found = 0
    for i in range(n):
        if not is_hex_digit(p[i]):
            return False
        found |= has[p[i]]
    return found & HAS_DIGIT and found & HAS_LETTER


# 128 bits or more, which may follow 0x.
cdef bint has_hex(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, begin
    while i < n:
        begin = i
        while i < n and is_alphanumeric(p[i]):
            i += 1
        if i - begin > 2 and p[begin] == c'0' and p[begin + 1] == c'x':
            begin += 2
        if i - begin >= 32 and is_hex(p + begin, i - begin):
            return True
        i += 1
    return False


cdef bint is_base64(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, lower = 0
    cdef uint8_t found = 0
    cdef int padding = 0
    while padding < 2 and n > 0 and p[n - 1] == c'=':
        padding += 1
        n -= 1
    if n < 32:
        return False
    for i in range(n):
        found |= has[p[i]]
        lower += has[p[i]] == HAS_LOWER
    # Words have more small letters.
    return (
        not found & ~(HAS_WORD | HAS_BASE64) and found & HAS_UPPER and found & HAS_LOWER and 4 * lower <= 3 * n
    )


cdef bint is_random(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint8_t found = 0
    if n < 16:
        return False
    for i in range(n):
        if not (has[p[i]] & (HAS_WORD | HAS_BASE64) or p[i] == c'=' or p[i] == c'.' or p[i] == c'~' or p[i] == c':'):
            return False
        found |= has[p[i]]
    return found & HAS_DIGIT and found & HAS_LETTER


cdef bint is_random_segment(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t found
    if n < 16:
        return False
    found = bytes_of(p, n)
    if found & ~HAS_WORD or not found & HAS_DIGIT:
        return False
    return (found & HAS_UPPER and found & HAS_LOWER) or (n >= 32 and is_hex(p, n))


cdef Kind find_form(const uint8_t* p, Py_ssize_t n, bint in_path, const Names* names) noexcept nogil:
    cdef uint8_t found = bytes_of(p, n)
    cdef Kind kind
    # The shortest: a name with a value, an address, a card.
    if n < SHORTEST and not found & (HAS_AT | HAS_LINK) and not (
        found & (HAS_BASE64 | HAS_OTHER) and (p[0] | 0x20) == c'b'
    ):
        return NOTHING
    if has_credentials_in_it(p, n, found & HAS_AT):
        return CREDENTIALS
    if not in_path and found & HAS_LINK and has_secret_parameter(names, p, n):
        return NAME
    kind = find_key(p, n)
    if kind != NOTHING:
        return kind
    if found & HAS_AT and has_email(p, n):
        return EMAIL
    if n >= 14 and found & HAS_DIGIT and has_card(p, n):
        return CARD
    if not in_path and n >= 32:
        if has_hex(p, n):
            return HEX
        if is_base64(p, n):
            return BASE64
    return NOTHING


# Addresses.

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
    cdef uint16_t[8] found
    cdef Py_ssize_t i = 0, begin, last
    cdef int count = 0, gap = -1, value, k
    for k in range(8):
        pieces[k] = found[k] = 0
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
        found[count] = <uint16_t> value
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
        pieces[k if gap < 0 or k < gap else 8 - count + k] = found[k]
    return i


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
        while i < n and (p[i] == c' ' or p[i] == c'+'):
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
        while i < n and (p[i] == c' ' or p[i] == c'+'):
            i += 1
        if i == n:
            return True
        if p[i] != c',':
            return False
        push(out, c',')
        i += 1
