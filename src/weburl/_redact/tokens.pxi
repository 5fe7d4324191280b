# A part of redact.pyx: tokens of texts, which have no spaces and quotes, and what is around them; and where names of
# headers and of fields begin and end.

from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcmp

from weburl._core.ascii cimport is_alpha, is_digit, is_hex_digit
from weburl._core.buffer cimport Buffer

cdef enum:
    LONGEST_PASSWORD = 64       # that is looked at in a sentence
    # What a byte does to a token.
    ENDS_TOKEN = 1
    IS_QUOTE = 2                # ends it, but a URL goes on, unless it is in such quotes
    LONGEST_OWN_NAME = 64       # of a policy, without what a star stands for
    SHORTEST_IN_PATH = 13       # characters of a segment that is hidden without a sign in it: a card has so many


# Whether a byte ends a token, or begins an escape that may end it.
cdef uint8_t[256] gaps


cdef void open_token_tables() noexcept:
    cdef int c
    for c in range(256):
        if c <= c' ' or c == 0x7F:
            ends[c] = ENDS_TOKEN
    for c in b"\"<>":
        ends[c] = ENDS_TOKEN
    for c in b"'`":
        ends[c] = IS_QUOTE
    for c in range(256):
        gaps[c] = ends[c] != 0 or memchr(b"\\#%^", c, 4) != NULL

open_token_tables()


# Whether a byte and the one before it are an escaped line end or tab, as in JSON.
cdef inline bint is_escaped_space(const uint8_t* p, Py_ssize_t i, Py_ssize_t begin) noexcept nogil:
    return i > begin and p[i - 1] == c'\\' and (p[i] == c'n' or p[i] == c'r' or p[i] == c't')


cdef bint begins_header(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t begin = i
    while i < n and is_word(p[i]):
        i += 1
    return begin < i < n - 1 and p[i] == c':' and after_blank(p, i + 1, n) > i + 1


# How long an escaped line end is that begins a line with a header, as in a dump of a request; or 0.
cdef Py_ssize_t line_break(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t end = i + line_escape(p, i, n)
    if end > i:
        end += line_escape(p, end, n)
    return end - i if end > i and begins_header(p, end, n) else 0


# Whether an escaped line end ends at i.
cdef bint follows_break(const uint8_t* p, Py_ssize_t i, Py_ssize_t begin, Py_ssize_t n) noexcept nogil:
    if i - begin < 3 or memchr(b"aAdD25", p[i - 1], 6) == NULL:
        return False
    return (
        line_escape(p, i - 3, i) == 3 or (i - begin >= 4 and line_escape(p, i - 4, i) == 4)
        or (i - begin >= 6 and line_escape(p, i - 6, i) == 6)
    ) and begins_header(p, i, n)


# How long an escaped line end or a colour is, or 0.
cdef inline Py_ssize_t gap_length(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t length = line_break(p, i, n)
    return length if length > 0 else colour(p, i, n)


cdef inline bint ends_token_at(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    if p[i] == c'\\':
        return (i + 1 < n and is_escaped_space(p, i + 1, i)) or line_break(p, i, n) > 0 or colour(p, i, n) > 0
    return gap_length(p, i, n) > 0


cdef inline Py_ssize_t token_end(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    while i < n and not (gaps[p[i]] and (ends[p[i]] or ends_token_at(p, i, n))):
        i += 1
    return i


cdef inline bint begins_token(const uint8_t* p, Py_ssize_t i, Py_ssize_t least, Py_ssize_t n) noexcept nogil:
    cdef uint8_t c
    if i <= least or ends[p[i - 1]] or is_escaped_space(p, i - 1, least):
        return True
    # The last bytes of both decide for most others.
    c = p[i - 1]
    return ((c == c'm' or c == c'K') and follows_colour(p, i, least)) or (
        i - 1 > least and (p[i - 2] == c'0' or p[i - 2] == c'1') and follows_break(p, i, least, n)
    )


cdef inline Py_ssize_t token_begin(const uint8_t* p, Py_ssize_t i, Py_ssize_t least, Py_ssize_t n) noexcept nogil:
    while not begins_token(p, i, least, n):
        i -= 1
    return i


# Whether a token is the path of a request: `GET /a HTTP/1.1`.
cdef inline bint is_request_path(const uint8_t* p, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t n) noexcept nogil:
    return (
        begin > 3 and p[begin] == c'/' and p[begin - 1] == c' '
        and is_capital(p[begin - 2]) and is_capital(p[begin - 3]) and is_capital(p[begin - 4])
        and n - end >= 6 and memcmp(p + end, b" HTTP/", 6) == 0
    )


# Whether what stands at i is the end of ` HTTP/`.
cdef inline bint is_after_path(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    return p[i] == c'T' and p[i + 1] == c'P' and i > 3 and p[i - 1] == c'T' and p[i - 2] == c'H' and p[i - 3] == c' '


# Whether the word before i can be a path with a secret: short and plain segments have none, and none in small letters.
cdef inline bint may_have_secret(const uint8_t* p, Py_ssize_t i, Py_ssize_t least) noexcept nogil:
    cdef Py_ssize_t end = i
    cdef bint is_mixed = False
    while i > least and p[i - 1] != c' ':
        i -= 1
        if p[i] == c'/':
            end = i
            is_mixed = False
            continue
        if not is_word(p[i]) and p[i] != c'.':
            return True
        is_mixed = is_mixed or is_capital(p[i]) or c'0' <= p[i] <= c'9'
        if is_mixed and end - i >= SHORTEST_IN_PATH:
            return True
    return False


# Where a text may be cut whose end is not known: after what ends each URL. A colour goes on after its first byte.
cdef inline Py_ssize_t last_break(const uint8_t* p, Py_ssize_t begin, Py_ssize_t n) noexcept nogil:
    while n > begin and not (
        (p[n - 1] <= c' ' and p[n - 1] != 0x1B) or p[n - 1] == 0x7F or (p[n - 1] == c'"' and (n < 2 or p[n - 2] != c'\\'))
    ):
        n -= 1
    return n


# What follows a path must be there, as it may say that the path is one of a request.
cdef inline Py_ssize_t before_request(const uint8_t* p, Py_ssize_t begin, Py_ssize_t stop, Py_ssize_t n) noexcept nogil:
    if stop > begin and p[stop - 1] == c' ' and memcmp(p + stop, b"HTTP/", min(n - stop, 5)) == 0:
        begin = token_begin(p, stop - 1, begin, n)
        return begin if p[begin] == c'/' else stop
    return stop


# Without what follows a URL in a sentence, in brackets or in a list.
cdef inline Py_ssize_t trimmed(const uint8_t* p, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    while end > begin and not is_word(p[end - 1]) and memchr(b".,:;)]}'\\", p[end - 1], 9) != NULL:
        end -= 1
    return end


cdef inline bint is_quote(uint8_t c) noexcept nogil:
    return c == c'"' or c == c"'"


cdef inline bint is_quote_after(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, bint may_be_escaped) noexcept nogil:
    i = after_backslashes(p, i, n) if may_be_escaped else i
    return i < n and is_quote(p[i])


cdef inline bint begins_item(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    return i < n and (is_alphanumeric(p[i]) or memchr(b"-.+[{(@$", p[i], 8) != NULL)


# Whether a bracket is before i that ends an empty list.
cdef inline bint follows_bracket(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    return memchr(b"])}", p[i - 1], 3) != NULL


cdef inline bint ends_value(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    return i == n or ends[p[i]] or memchr(b"&,;)]}\\", p[i], 7) != NULL


# How many backslashes are before i.
cdef inline Py_ssize_t backslashes_before(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    cdef Py_ssize_t begin = i
    while i > 0 and p[i - 1] == c'\\':
        i -= 1
    return begin - i


# Whether a quote that has so many backslashes before it ends a text whose first quote has `opening`: each level of JSON
# doubles them, and adds one.
cdef inline bint closes(Py_ssize_t backslashes, Py_ssize_t opening) noexcept nogil:
    return backslashes < opening or backslashes % (2 * (opening + 1)) == opening


# The same of the quote at i, by what follows it, too: in the repr() of JSON, `\\"` can be a quote of the text.
cdef inline bint closes_at(
    const uint8_t* p, Py_ssize_t i, Py_ssize_t n, Py_ssize_t backslashes, Py_ssize_t opening, bint in_url
) noexcept nogil:
    cdef Py_ssize_t k = i + 2
    if not closes(backslashes, opening):
        return False
    if backslashes <= opening or i + 1 == n:
        return True
    if p[i + 1] != c',' or in_url:
        return memchr(b"}]):,\r\n", p[i + 1], 7) != NULL
    while k < n and k < i + 10 and p[k] == c' ':
        k += 1
    return k == n or memchr(b"\"'{[\\\r\n", p[k], 7) != NULL


cdef inline Py_ssize_t after_spaces(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    while i < n and (p[i] == c' ' or p[i] == c'\t'):
        i += 1
    return i


cdef inline Py_ssize_t after_letters(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    while i < n and is_alpha(p[i]):
        i += 1
    return i


# Spaces, and colours between them.
cdef inline Py_ssize_t after_blank(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    i = after_spaces(p, i, n)
    while i < n and gaps[p[i]] and colour(p, i, n) > 0:
        i = after_spaces(p, i + colour(p, i, n), n)
    return i


# After the two escapes of a line end: no `#` in them begins a fragment.
cdef inline Py_ssize_t after_line_escapes(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t begin = after_blank(p, i, n), end = begin + (line_escape(p, begin, n) if begin < n else 0), both = 0
    if end > begin and end < n:
        both = line_escape(p, end, n)
    return end + both if both > 0 else i


# Where the word begins that a name is in: `x-authorization`.
cdef inline Py_ssize_t word_begin(const uint8_t* p, Py_ssize_t token, Py_ssize_t begin) noexcept nogil:
    while begin > token and is_word(p[begin - 1]):
        begin -= 1
    return begin


# Whether a quote is before the name of a header.
cdef inline bint follows_quote(const uint8_t* p, Py_ssize_t token, Py_ssize_t begin) noexcept nogil:
    return token > 0 and is_quote(p[token - 1]) and word_begin(p, token, begin) == token


# Without what follows a value in a list.
cdef inline Py_ssize_t without_delimiters(const uint8_t* p, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    while end > begin and memchr(b" \t,;)]}\\", p[end - 1], 8) != NULL:
        end -= 1
    return end


# Where an escaped line end or, if there is none, the line ends, which is not before `begin`.
ctypedef struct Breaks:
    Py_ssize_t begin, end
    bint is_break


# The name of a header, and the value that follows it.
ctypedef struct Header:
    Breaks[2] breaks
    Py_ssize_t begin            # of the name
    Py_ssize_t value            # or -1 if there is none
    bint is_cookie, is_set_cookie
    bint is_key                 # its value is a key or a token: one word
    bint is_field               # a field with a secret: its value is one, too, after a name in quotes or an equals sign
    bint is_random              # its value is a secret if it looks random
    bint is_own                 # a field that only the policy names
    bint is_quoted              # the name, or the text before it in a list
    bint is_assigned            # by an equals sign
    bint is_apart               # a space is before the colon
    bint is_list                # a bracket is before the value
    uint8_t name_quote          # that is after the name, or 0
    Py_ssize_t name_backslashes # before that
    uint8_t quote               # that is before the value; or `{`, or 0
    uint8_t previous            # that of the text before it in a list
    Py_ssize_t depth            # of the value in lists
    Py_ssize_t previous_depth   # that of the text before it
    Py_ssize_t backslashes      # before the quote
    Py_ssize_t end              # of the value
    Py_ssize_t limit            # if the text is looked at from here on, what follows its end may decide
    bint is_open                # it was


# Says that the text up to i was looked at: what follows its end may decide.
cdef inline void look(Header* self, Py_ssize_t i) noexcept nogil:
    self.is_open = self.is_open or i >= self.limit


# What languages write before the first quote of a text: `b"`, `rb'`, `N'` of SQL, `@"` of C#.
cdef inline Py_ssize_t after_prefix(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t k = i, end
    while k < n and k < i + 2 and memchr(b"bBuUrRfFnNeE@$", p[k], 14) != NULL:
        k += 1
    end = after_backslashes(p, k, n)
    look(self, end)
    return k if end < n and is_quote(p[end]) else i


# Whether a quote before i ends a text, by what follows it. One that begins a text is before a letter or a digit.
cdef inline bint follows_text(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    if i < n and p[i] == c'\\':
        i = after_backslashes(p, i, n)
        look(self, i)
        return i == n or memchr(b"nrt", p[i], 3) != NULL
    return i == n or memchr(b",}]):; \t\r\n", p[i], 10) != NULL


# Whether a word is there, and after a space another one or a quote, as in a sentence.
cdef inline bint begins_sentence(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t end = after_letters(p, i, n), next = end + 1
    if end == i or next >= n or p[end] != c' ':
        look(self, next)
        return False
    end = after_letters(p, next, n)
    look(self, after_backslashes(p, end, n))
    return is_quote_after(p, next, n, True) or (end > next and (end == n or p[end] <= c' ' or memchr(b".,:;", p[end], 4) != NULL))


# What goes_on() said, and up to where it looked for that: it says the same of all places up to there. At first -1.
ctypedef struct Ahead:
    Py_ssize_t stop
    bint goes_on


# Whether the query of a URL goes on at i: with another parameter, before a space or a quote; `stop` gets where it was seen.
cdef inline bint has_parameter(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, Py_ssize_t* stop) noexcept nogil:
    cdef Py_ssize_t begin
    stop[0] = n
    while i < n and p[i] != c'&' and not (p[i] == c'\\' and n - i > 6 and memcmp(p + i + 1, b"u0026", 5) == 0):
        if (
            p[i] <= c' ' or p[i] == 0x7F or memchr(b"\"'`?#=", p[i], 6) != NULL
            or (p[i] == c':' and not (n - i > 2 and p[i + 1] == c'A' and p[i + 2] == c'A'))
        ):
            stop[0] = i
            return False
        i += 1
    stop[0] = i
    begin = i = min(i + (1 if i < n and p[i] == c'&' else 6), n)
    while i < n and (is_word(p[i]) or memchr(b".[]%", p[i], 4) != NULL):
        i += 1
    return begin < i < n and p[i] == c'='


# The same of what ends a token.
cdef inline bint goes_on(Ahead* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    if i > self.stop:
        self.goes_on = has_parameter(p, i, n, &self.stop)
    return self.goes_on


cdef inline bint ends_host(uint8_t c) noexcept nogil:
    return c == c'/' or c == c'\\' or c == c'?' or c == c'#'


# Whether a URL with a colon at `url` has a query in its text, and not in a password that should have been escaped.
cdef inline bint has_query(const uint8_t* p, Py_ssize_t url, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t begin = url + 1, host_end, i
    if next_query_mark(p, url, end) == end:
        return False
    if p[url] != c':':
        return True
    while begin < end and (p[begin] == c'/' or p[begin] == c'\\'):
        begin += 1
    host_end = begin
    while host_end < end and not ends_host(p[host_end]):
        host_end += 1
    for i in range(begin, host_end):
        if p[i] == c'@':
            begin = i + 1
    return not has_no_port(p + begin, host_end - begin)


# Whether two solidi, perhaps escaped, follow the colon at i.
cdef inline bint begins_authority(const uint8_t* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    i = after_backslashes(p, i + 1, end)
    if i == end or p[i] != c'/':
        return False
    i = after_backslashes(p, i + 1, end)
    return i < end and p[i] == c'/'


# Whether a text ends with an equals sign, perhaps escaped: in a copy without escapes it may be the one that stays.
cdef inline bint ends_with_equals(const uint8_t* p, Py_ssize_t end, Py_ssize_t begin) noexcept nogil:
    return p[end - 1] == c'=' or (
        p[end - 1] | 0x20 == c'd' and end - begin >= 4 and p[end - 2] == c'3' and (
            (p[end - 3] == c'x' and p[end - 4] == c'\\')
            or (end - begin >= 6 and memcmp(p + end - 6, b"\\u00", 4) == 0)
        )
    )


# Whether what stands at i is in the name of a field with a secret: `ssw` and `ssp` of `password`, `cre` of `secret`.
cdef inline bint may_be_in_field_name(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    return i > 1 and (
        begins_with(p + i - 2, 5, b"passw", 5) or begins_with(p + i - 2, 5, b"passp", 5)
        or begins_with(p + i - 2, 5, b"secre", 5)
    )


# Whether `key`, `token` or `pwd` ends after the two bytes at i: the name of a header or of a field may end there.
cdef inline bint may_end_name(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    return i > 0 and (
        begins_with(p + i - 1, 3, b"key", 3) or begins_with(p + i - 1, 3, b"pwd", 3)
        or (i > 2 and begins_with(p + i - 3, 5, b"token", 5))
    )


# Names of headers.

# Whether a word begins at i, and not inside of another one: `proxyAuthorization` has one, and `XAuthorization`.
cdef inline bint begins_word(const uint8_t* p, Py_ssize_t i, Py_ssize_t begin) noexcept nogil:
    return i == begin or not is_alphanumeric(p[i - 1]) or (p[i] <= c'Z' and not is_digit(p[i - 1]) and max(p[i - 1], p[i + 1]) >= c'a')


cdef inline bint begins_name(const uint8_t* p, Py_ssize_t i, Py_ssize_t begin) noexcept nogil:
    return begins_word(p, i, begin) or (
        i - begin >= 3 and begins_with(p + i - 3, 3, b"set", 3) and begins_word(p, i - 3, begin)
    )


# Whether a quote before `after`, with backslashes from i on, begins a text in a value: `token="a`, `Just "a`, `x["a`.
cdef inline bint begins_text(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t after, Py_ssize_t n) noexcept nogil:
    if p[i - 1] == c'=':
        return not follows_text(self, p, after, n)
    return not self.is_cookie and memchr(b" \t([{&", p[i - 1], 6) != NULL and after < n and is_alphanumeric(p[after])


# Whether a name with a value is there: `user="ada"`, and not a text with padding.
cdef inline bint begins_parameter(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t begin = i
    while i < n and is_word(p[i]):
        i += 1
    return begin < i < n - 1 and p[i] == c'=' and (
        is_word(p[i + 1]) or p[i + 1] == c'"' or ends[p[i + 1]] == IS_QUOTE or p[i + 1] == c'\\'
    )


# Whether the text in quotes whose quote is before i is in a list: what is before it does not assign it.
cdef inline bint is_in_list(const uint8_t* p, Py_ssize_t i, uint8_t quote) noexcept nogil:
    if i == 0 or p[i - 1] != quote:
        return False
    i -= 1
    i -= backslashes_before(p, i)
    if i > 0 and (p[i - 1] == c'b' or p[i - 1] == c'u' or p[i - 1] == c'r'):
        i -= 1
    while i > 0 and (p[i - 1] == c' ' or p[i - 1] == c'\t'):
        i -= 1
    # What is hidden may have been an equals sign.
    return i == 0 or not (memchr(b":=>", p[i - 1], 3) != NULL or follows_hidden(p, i, 0))


# Whether a word may be a password: it is not a URL, and has digits and letters. After a name of the policy, digits are
# enough.
cdef inline bint is_mixed(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t end = min(n, i + LONGEST_PASSWORD)
    cdef bint has_digit = False, has_letter = False
    if p[i] == c'/' or p[i] == c'\\':
        return False
    while i < end and not ends_value(p, i, n):
        if p[i] == c':' and n - i > 2 and p[i + 1] == p[i + 2] == c'/':
            return False
        has_digit = has_digit or is_digit(p[i])
        has_letter = has_letter or (is_alphanumeric(p[i]) and not is_digit(p[i]))
        i += 1
    look(self, i)
    return has_digit and (has_letter or self.is_own)


# Names of a policy.

cdef inline bint is_in_name(uint8_t c) noexcept nogil:
    return is_word(c) or c == c'.' or c >= 0x80


# Whether a sign that is not ASCII is before i, in UTF-8: a space that does not break, a comma as in Chinese, a line of a box.
cdef inline bint follows_sign(const uint8_t* p, Py_ssize_t i, Py_ssize_t least) noexcept nogil:
    if i - least < 2 or p[i - 1] >> 6 != 2:
        return False
    return p[i - 2] == 0xC2 or (i - least >= 3 and (
        (p[i - 3] == 0xE2 and 0x80 <= p[i - 2] < 0xB0) or (p[i - 3] == 0xE3 and p[i - 2] == 0x80) or (p[i - 3] == 0xEF and p[i - 2] == 0xBC)
    ))


# Where the name of a field begins that ends at `end`, in a text from `least` on: after what was hidden, after a sign, and
# after the escape of a character, as in `%26` and `\u0026`.
cdef inline Py_ssize_t own_name_begin(const uint8_t* p, Py_ssize_t end, Py_ssize_t least, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = end, k, length = 0
    while not (begins_token(p, i, least, n) or follows_hidden(p, i, least) or follows_sign(p, i, least)) and is_in_name(p[i - 1]):
        i -= 1
    if i > least and p[i - 1] == c'%' and end - i >= 2 and is_hex_digit(p[i]) and is_hex_digit(p[i + 1]):
        return i + 2
    if i > least and p[i - 1] == c'\\' and i < end:
        length = 5 if p[i] == c'u' else 3 if p[i] == c'x' else 0
        for k in range(i + 1, i + length):
            if k >= end or not is_hex_digit(p[k]):
                return i
    return i + length


# The lists of a policy that have the name between two places.
cdef inline int own_lists(const Names* names, const uint8_t* p, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef int lists
    if begin >= end or not is_alphanumeric(p[end - 1]):
        return 0
    lists = lists_of(names, p + begin, end - begin)
    return lists & (KEPT | OWN) if lists & (KEPT | OWN) or not lists & TOKEN else lists & OWN_TOKEN


# Whether a name ends with that of a header.
cdef inline bint ends_with_header(
    const uint8_t* p, Py_ssize_t token, Py_ssize_t end, const char* name, Py_ssize_t length
) noexcept nogil:
    return end - token >= length and begins_with(p + end - length, length, name, length) and begins_name(p, end - length, token)


# Whether the name of a field that a policy names ends after i, before what may follow a name. From `limit` on, more may come.
cdef inline bint may_end_own_name(
    const Names* names, const uint8_t* p, Py_ssize_t i, Py_ssize_t least, Py_ssize_t n, Py_ssize_t limit
) noexcept nogil:
    cdef Py_ssize_t end = i + 1, next
    if not is_alphanumeric(p[i]) or end == n or memchr(b"\"'\\:= []%\t\x1b#^", p[end], 13) == NULL:
        return False
    if p[end] == c' ' and end + 1 < n and is_word(p[end + 1]):
        return False
    if own_lists(names, p, own_name_begin(p, end, least, n), end) & (OWN | OWN_TOKEN) == 0:
        return False
    next = after_blank(p, end, n)
    return next == end or next >= min(n, limit) or p[next] == c':' or p[next] == c'=' or p[next] == c']'


# The same of any in a text, or at its end. Its first one may have been cut.
cdef inline bint has_own_name(const Names* names, const uint8_t* p, Py_ssize_t n, bint at_end) noexcept nogil:
    cdef Py_ssize_t i = 0, begin
    while i < n and names.own & (OWN | OWN_TOKEN):
        begin = i
        while i < n and is_in_name(p[i]):
            i += 1
        if i > begin and (i == n or not at_end) and (
            (begin == 0 and i >= LONGEST_OWN_NAME)
            or own_lists(names, p, own_name_begin(p, i, begin, n), i) & (OWN | OWN_TOKEN)
        ):
            return True
        i += i == begin
    return False


# If a text goes on after the byte that ends a word, this can be the name of a field whose sign is not there yet.
cdef inline Py_ssize_t before_own_name(const Names* names, const uint8_t* p, Py_ssize_t begin, Py_ssize_t stop, Py_ssize_t n) noexcept nogil:
    if names.own & (OWN | OWN_TOKEN) and stop == n and n - begin > 1 and is_alphanumeric(p[n - 2]):
        return token_begin(p, n - 1, begin, n)
    return stop


# Texts.

# What was found in the last token, so that it is not read again after a header in it. Each place is the next one of
# its kind, from where it was looked for; or that of the end.
ctypedef struct LastEquals:
    Py_ssize_t limit, at, least


ctypedef struct Token:
    Py_ssize_t begin, end
    Py_ssize_t quotes_begin, quotes_end     # what a URL with quotes can go on to
    Py_ssize_t colon, mark, solidus, mark_after_solidus
    LastEquals in_token, in_quotes


# What one text is redacted with. Of a token with escapes, a copy without them is redacted.
ctypedef struct TextRedactor:
    Redactor urls
    const uint8_t* p
    Py_ssize_t n
    bint is_copy
    Buffer* spans               # HiddenSpans, of a copy
    Token token
    # Where the last URL or header ends, and how many backslashes the last `"` before it in its line has, or -1.
    Py_ssize_t seen, quote
    # If the text may go on after its end: where a header is cut that what follows may decide, or -1; see TextParts.
    Header header
    Py_ssize_t cut
    bint is_in_list             # it is cut after a text of a list


# Quotes around URLs.

# How many backslashes the last `"` has before i, or -1 if there is none in the line.
cdef inline Py_ssize_t last_quote(const TextRedactor* self, Py_ssize_t i) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t begin
    while i > self.seen and p[i - 1] != c'"' and p[i - 1] != c'\n' and p[i - 1] != c'\r':
        i -= 1
    if i <= self.seen:
        return self.quote
    if p[i - 1] != c'"':
        return -1
    i -= 1
    begin = i
    while i > self.seen and p[i - 1] == c'\\':
        i -= 1
    return begin - i


# Whether the quote at `end`, with backslashes before it, ends the text in quotes that the URL from `begin` on is in.
cdef inline bint closes_url(const TextRedactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t run = backslashes_before(p, end)
    if begin > 0 and is_quote(p[begin - 1]):
        return p[begin - 1] == p[end] and closes_at(p, end, self.n, run, backslashes_before(p, begin - 1), True)
    return p[end] == c'`' or (p[end] == c'"' and self.quote >= 0 and closes_at(p, end, self.n, run, self.quote, True))


# Where a URL ends that would end after an escaped quote: before it if that can be the last one of a text in quotes, since
# nothing but punctuation follows.
cdef inline Py_ssize_t before_quote(const TextRedactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t quote = trimmed(p, begin, end) - 1, opening = self.quote
    if quote <= begin or p[quote] != c'"' or p[quote - 1] != c'\\':
        return end
    if begin > 0 and is_quote(p[begin - 1]):
        opening = backslashes_before(p, begin - 1) if p[begin - 1] == c'"' else -1
    return quote if opening >= 0 and closes(backslashes_before(p, quote), opening) else end
