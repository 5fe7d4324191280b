# A part of redact.pyx: what secrets look like. docs/redact-rules.md has the definitions.

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memchr

from weburl._core.ascii cimport is_alpha, is_digit

from weburl._redact.secrets import KEY_PREFIXES

# One bit for each two bytes that a key or a JWT can begin with.
cdef uint8_t[256 * 32] key_pairs


cdef void add_pair(uint8_t first, uint8_t second) noexcept nogil:
    key_pairs[first << 5 | second >> 3] |= <uint8_t> (1 << (second & 7))


cdef inline bint begins_key(const uint8_t* p) noexcept nogil:
    return key_pairs[p[0] << 5 | p[1] >> 3] >> (p[1] & 7) & 1


cdef int open_key_pairs() except -1:
    add_pair(c'e', c'y')
    for prefix, least in KEY_PREFIXES.items():
        if len(prefix) + least < SHORTEST:
            raise SystemError(f"{prefix} begins shorter keys than forms.pxi looks for")
        add_pair(ord(prefix[0]), ord(prefix[1]))
    return 0

open_key_pairs()


cdef inline bint is_space_in_url(uint8_t c) noexcept nogil:
    return c == c' ' or c == c'+' or is_removed(c)


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


# Whether a value can begin after a byte, as in JSON, in lists and in queries.
cdef inline bint begins_value(uint8_t c) noexcept nogil:
    return character[c] > SKIPPED and c != c' '


# Whether a value begins at i, perhaps after spaces, or the text after spaces and controls.
cdef bint is_value_begin(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    cdef bint follows_line = i > 0 and begins_value(p[i - 1])
    while i > 0 and is_space_in_url(p[i - 1]):
        i -= 1
    if follows_line or (i > 0 and begins_value(p[i - 1])):
        return True
    while i > 0 and p[i - 1] <= c' ':
        i -= 1
    return i == 0


# Whether the colon at i follows a special scheme at the beginning of a value. Tabs and line ends in it do not count.
cdef bint follows_special_scheme(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    cdef Py_ssize_t begin = i
    cdef int letters = 0
    while begin > 0 and letters < 5 and (is_alpha(p[begin - 1]) or is_removed(p[begin - 1])):
        begin -= 1
        if is_alpha(p[begin]):
            letters += 1
            if letters > 1 and end_of_special_scheme(p + begin, i + 1 - begin) >= 0 and is_value_begin(p, begin):
                return True
    return False


# Whether what follows the first colon of an authority cannot be a port, so that it is the start of a password.
cdef bint has_no_port(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef const uint8_t* colon = <const uint8_t*> memchr(p, c':', n)
    cdef Py_ssize_t i
    cdef int port = 0
    if colon == NULL or (p[0] == c'[' and memchr(p, c']', n) != NULL):
        return False
    for i in range(colon + 1 - p, n):
        if is_removed(p[i]):
            continue
        port = 10 * port + p[i] - c'0'
        if not is_digit(p[i]) or port > 65535:
            return True
    return False


# The credentials of a URL in a text. A URL without solidi after its scheme is found where a value begins. A password
# can have a delimiter in it that should have been escaped.
cdef bint has_credentials_in_it(const uint8_t* p, Py_ssize_t n, bint has_values) noexcept nogil:
    # One authority can begin in another.
    cdef Py_ssize_t i, begin = end_of_special_scheme(p, n), scheme_end = begin, authority = begin, outer = -1
    cdef bint follows_scheme = begin >= 0, in_password = False
    cdef uint8_t before = 0, two_before = 0  # without bytes that are removed
    for i in range(max(begin, 0), n):
        if is_removed(p[i]):
            begin += begin == i
            authority += authority == i
            scheme_end += scheme_end == i
        elif is_solidus(p[i]) or p[i] == c'?' or p[i] == c'#':
            if (0 <= authority < i and follows_scheme and has_no_port(p + authority, i - authority)) or (
                outer >= 0 and has_no_port(p + outer, i - outer)
            ):
                in_password = True
            outer = -1
            if not is_solidus(p[i]):
                begin = -1
            elif begin == i or scheme_end == i:  # after a special scheme, any number of solidi
                follows_scheme = follows_scheme or scheme_end == i
                begin = i + 1
            elif is_solidus(before):
                begin = i + 1
                follows_scheme = two_before == c':'
            else:
                begin = -1
            authority = begin
        elif p[i] == c'@':
            if in_password or 0 <= begin < i:
                return True
            authority = -1
        elif p[i] == c'"' or p[i] == c"'" or p[i] == c' ' or p[i] == c'<' or p[i] == c'>':
            in_password = False
        elif p[i] == c':' and has_values and follows_special_scheme(p, i):
            if follows_scheme and outer < 0:
                outer = authority
            scheme_end = authority = i + 1
            follows_scheme = True
            begin = scheme_end if begin < 0 else begin
        if not is_removed(p[i]):
            two_before = before
            before = p[i]
    return False


# Not the next words of a sentence: alone before a delimiter, or with a capital or a digit.
cdef bint is_bearer_token(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0
    while i < n and is_in_value(p[i]) and p[i] != c'+':
        if has[p[i]] & (HAS_DIGIT | HAS_UPPER):
            return True
        i += 1
    if i == 0:
        return False
    while i < n and is_space_in_url(p[i]):
        i += 1
    return i == n or character[p[i]] > SKIPPED


# `Bearer` or `Basic` with credentials, https://www.rfc-editor.org/rfc/rfc6750#section-2.1: at the beginning of a text, or
# of a value in it.
cdef bint has_authorization(const uint8_t* p, Py_ssize_t n, bint has_values) noexcept nogil:
    cdef Py_ssize_t i, begin, end
    cdef bint is_bearer, begins
    for i in range(n - 6):
        if p[i] | 0x20 != c'b':
            continue
        is_bearer = begins_with(p + i, n - i, b"bearer", 6)
        if not is_bearer and not begins_with(p + i, n - i, b"basic", 5):
            continue
        end = i + (6 if is_bearer else 5)
        begin = end
        while end < n and is_space_in_url(p[end]):
            end += 1
        if end == begin or end == n:
            continue
        begin = i
        # A tab and a line end are spaces, and a value can begin after them.
        begins = False
        while begin > 0 and is_space_in_url(p[begin - 1]):
            begin -= 1
            begins = begins or begins_value(p[begin])
        if begin == 0:
            return True
        if not has_values:
            return False
        if (begins or begins_value(p[begin - 1])) and (
            is_bearer_token(p + end, n - end) if is_bearer else is_name_and_password(p + end, n - end)
        ):
            return True
    return False


# https://www.rfc-editor.org/rfc/rfc7519: the header is JSON, so that it begins with a brace and, mostly, a quote.
cdef bint is_jwt(const uint8_t* p, Py_ssize_t word, Py_ssize_t n) noexcept nogil:
    return (
        word >= 11 and p[1] == c'y' and c'I' <= p[2] <= c'L'
        and n - word > 1 and p[word] == c'.'
        # The key of https://www.rfc-editor.org/rfc/rfc7516 can be empty, and so can what is signed.
        and (is_word(p[word + 1]) or (n - word > 2 and p[word + 1] == c'.' and is_word(p[word + 2])))
    )


# A JWT or the key of a service, at the beginning of a word of a text without escapes.
cdef Kind find_key(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t at
    return next_key(p, n, &at)


# The same; `at` gets where it begins.
cdef Kind next_key(const uint8_t* p, Py_ssize_t n, Py_ssize_t* at) noexcept nogil:
    cdef Py_ssize_t i = 0, begin = 0, end = 0, around
    # What begins later is too short.
    while i <= n - SHORTEST:
        if begins_key(p + i):
            at[0] = i
            if p[i] == c'e' and p[i + 1] == c'y':
                if end <= i:
                    end = i
                    while end < n and is_word(p[end]):
                        end += 1
                if is_jwt(p + i, end - i, n - i):
                    return JWT
            if begins_with_key(p + i, n - i, i > begin) > 0:
                return KEY
        while is_alphanumeric(p[i]):
            i += 1
            if i > n - SHORTEST:
                return NOTHING
        if p[i] == c'~' or p[i] == c'.':
            around = begin_around(p, i, n)
            if around >= 0:
                at[0] = around
                return KEY
        if not is_word(p[i]):
            begin = i + 1
        i += 1
    return NOTHING


# Whether the value in which a run begins has a name that says that it is no secret: `sha256=`, `"etag": "`.
cdef bint has_plain_name(const Names* self, const uint8_t* p, Py_ssize_t i) noexcept nogil:
    cdef Py_ssize_t end = i
    while i > 0 and end - i < LONGEST_LOOK and has[p[i - 1]] & (HAS_WORD | HAS_BASE64 | HAS_QUOTE | HAS_SPACE | HAS_OTHER):
        i -= 1
    if i == 0 or (p[i - 1] != c'=' and p[i - 1] != c':'):
        return False
    i -= 1
    end = i
    while i > 0 and end - i < LONGEST_LOOK and character[p[i - 1]] != ENDS_NAME and character[p[i - 1]] != ASSIGNS:
        i -= 1
    return lists_of(self, p + i, end - i) & PLAIN != 0


# 128 bits or more, which may follow 0x.
cdef bint has_hex(const Names* names, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, begin
    while i < n:
        begin = i
        while i < n and is_alphanumeric(p[i]):
            i += 1
        if i - begin > 2 and p[begin] == c'0' and p[begin + 1] == c'x':
            begin += 2
        if i - begin >= 32 and is_hex(p + begin, i - begin) and not has_plain_name(names, p, begin):
            return True
        i += 1
    return False


# Of a text without escapes.
cdef bint is_base64(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, lower = 0
    cdef uint16_t classes = 0
    cdef int padding = 0
    while padding < 2 and n > 0 and p[n - 1] == c'=':
        padding += 1
        n -= 1
    if n < 32:
        return False
    for i in range(n):
        classes |= has[p[i]]
        lower += has[p[i]] == HAS_LOWER
    # Words have more small letters, and capitals at their beginnings only.
    return (
        not classes & ~(HAS_WORD | HAS_BASE64) and classes & HAS_UPPER and classes & HAS_LOWER and 4 * lower <= 3 * n
        and changes_often(p, n)
    )


# Whether a letter follows a digit, a digit a letter, a capital a letter, or a plus is beside another byte or an end, in more than
# a quarter of the places; and in more than a tenth, if capitals after capitals do not count: those are in words, too.
cdef bint changes_often(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, changes = 0, capitals = 0
    cdef uint16_t before = 0, two
    for i in range(n):
        two = before | has[p[i]]
        if two & HAS_PLUS or (two & HAS_DIGIT and two & HAS_LETTER) or (before == HAS_LOWER and two & HAS_UPPER):
            changes += 1
        capitals += before == HAS_UPPER == two
        before = has[p[i]]
    changes += before == HAS_PLUS
    return 4 * (changes + capitals) > n and 10 * changes > n


cdef inline bint ends_base64(uint8_t c) noexcept nogil:
    return has[c] & (HAS_SPACE | HAS_SOLIDUS | HAS_QUOTE | HAS_MARK | HAS_BACKSLASH) or c == c'&' or c == c';'


# A value in a text, between delimiters, that is base64.
cdef bint has_base64(const Names* names, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, begin, end
    cdef bint begins = True
    while i < n:
        begin = i
        while i < n and has[p[i]] & (HAS_WORD | HAS_BASE64):
            i += 1
        if begins and i - begin >= 32:
            end = i
            while end < n and p[end] == c'=':
                end += 1
            if (
                (end == n or ends_base64(p[end])) and is_base64(p + begin, end - begin)
                and not has_plain_name(names, p, begin)
            ):
                return True
        begins = i < n and (p[i] == c'=' or p[i] == c'"' or p[i] == c"'")
        i += 1
    return False


# Where a query in a path begins: after a question mark, or after a number sign and with an equals sign.
cdef Py_ssize_t inner_query(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0
    while i < n and p[i] != c'?' and p[i] != c'#':
        i += 1
    return n if i < n and p[i] == c'#' and memchr(p + i, c'=', n - i) == NULL else i + 1


# The form of a secret in a text that has these bytes.
cdef Kind find_form(const uint8_t* p, Py_ssize_t n, uint16_t classes, Place place, const Names* names) noexcept nogil:
    cdef bint in_path = place >= IN_PATH
    cdef Py_ssize_t begin
    cdef Kind kind
    # The shortest: a name with a value, an address, `basic` with a letter, a JWT.
    if n < SHORTEST and not classes & (HAS_AT | HAS_LINK) and not (n > 6 and classes & (HAS_SPACE | HAS_PLUS)):
        return NOTHING
    if classes & (HAS_SPACE | HAS_PLUS) and has_authorization(p, n, place != IN_SEGMENT):
        return CREDENTIALS
    if classes & HAS_AT and has_credentials_in_it(p, n, place != IN_SEGMENT):
        return CREDENTIALS
    if place != IN_SEGMENT:
        if classes & HAS_LINK and has_secret_parameter(names, p, n, place):
            return NAME
        if (
            n >= 18 and classes & (HAS_SOLIDUS | HAS_BACKSLASH | HAS_MARK) and classes & HAS_DIGIT and classes & HAS_LETTER
            and has_secret_segment(names, p, n)
        ):
            return NAME
    kind = find_key(p, n)
    if kind != NOTHING:
        return kind
    if classes & HAS_LINK and n >= 44 and has_bot_key(p, n):
        return KEY
    if place == IN_KEPT:
        return NOTHING
    if classes & HAS_AT and has_email(p, n):
        return EMAIL
    if n >= 14 and classes & HAS_DIGIT and has_card(p, n):
        return CARD
    if not in_path and n >= 32:
        if classes & HAS_DIGIT and classes & HAS_LETTER and has_hex(names, p, n):
            return HEX
        if classes & HAS_LETTER == HAS_LETTER and (
            is_base64(p, n)
            or (classes & (HAS_LINK | HAS_QUOTE | HAS_MARK | HAS_BACKSLASH | HAS_SPACE) and has_base64(names, p, n))
        ):
            return BASE64
    if in_path and place != IN_SEGMENT and classes & HAS_MARK:
        begin = inner_query(p, n)
        if begin < n:
            return find_form(p + begin, n - begin, bytes_of(p + begin, n - begin), IN_QUERY, names)
    return NOTHING


# Whether a JWT or a key may begin there, decided by a few bytes.
cdef bint may_begin_key(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return n >= SHORTEST and begins_key(p) and ((p[0] == c'e' and c'I' <= p[2] <= c'L') or begins_with_key(p, n, False) > 0)
