# A part of redact.pyx: headers in texts: Authorization, Cookie and those with a key, as requests, JSON, logfmt and
# lists have them.

from libc.stdint cimport uint8_t
from libc.string cimport memchr

from weburl._core.ascii cimport is_digit
from weburl._core.buffer cimport push

from weburl._redact.secrets import AUTHORIZATION_SCHEMES, COOKIE_ATTRIBUTES, TOKEN_SCHEMES

cdef enum:
    LONGEST_WRAPPER = 48
    SHORT_NUMBER = 5
    SHORTEST_TOKEN = 6          # that looks random
    SHORTEST_IN_SENTENCE = 16
    LONGEST_RANDOM = 256        # that is looked at

# Words between line ends.
cdef bytes _schemes = lines_of(AUTHORIZATION_SCHEMES | TOKEN_SCHEMES)
cdef bytes _token_schemes = lines_of(TOKEN_SCHEMES)
cdef bytes _attributes = lines_of(COOKIE_ATTRIBUTES)
cdef const uint8_t* schemes = _schemes
cdef const uint8_t* token_schemes = _token_schemes
cdef const uint8_t* attributes = _attributes
cdef Py_ssize_t schemes_length = len(_schemes), token_schemes_length = len(_token_schemes), attributes_length = len(_attributes)


# Where the two escapes of a line end are that logs write for it, as in a dump of a request, before the line ends; or n. In a
# form, `%0D%0A` is data. No byte is looked at twice.
cdef Py_ssize_t next_break(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n, bint is_form) noexcept nogil:
    cdef Breaks* seen = &self.breaks[is_form]
    cdef Py_ssize_t begin = i, stop = n, length, both
    if seen.begin <= i <= seen.end:
        return seen.end if seen.is_break else n
    if i < seen.begin:
        stop = seen.begin
    while i < stop and p[i] != c'\n' and p[i] != c'\r':
        length = line_escape(p, i, n) if gaps[p[i]] and not (is_form and p[i] == c'%') else 0
        if length > 0 and memchr(b"5dD", p[i + length - 1], 3) != NULL:
            both = length + line_escape(p, i + length, n) if i + length < n else length
            if both > length and memchr(b"2aA", p[i + both - 1], 3) != NULL and (p[i] != c'%' or begins_header(p, i + both, n)):
                break
        i += 1
    if i < stop or stop == n:
        seen.end = i
        seen.is_break = i < n and p[i] != c'\n' and p[i] != c'\r'
    seen.begin = begin
    return seen.end if seen.is_break else n


# After a line end and spaces, or i. The line end can be escaped, as in a copy of JSON with an indent in quotes.
cdef Py_ssize_t after_line_end(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t k = after_backslashes(p, i, n)
    cdef bint is_escaped = k > i
    if k < n and p[k] == (c'r' if is_escaped else c'\r'):
        k = after_backslashes(p, k + 1, n)
    if k == n or p[k] != (c'n' if is_escaped else c'\n') or is_escaped != (p[k - 1] == c'\\'):
        look(self, k)
        return i
    return after_blank(p, k + 1, n)


# Spaces, and one line end if a quote follows it, as in JSON with an indent, or the begin of another item of a list.
cdef Py_ssize_t after_break(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n, bint in_list) noexcept nogil:
    cdef Py_ssize_t k
    i = after_blank(p, i, n)
    k = after_line_end(self, p, i, n)
    look(self, after_backslashes(p, k, n))
    return k if is_quote_after(p, k, n, i < n and p[i] == c'\\') or (in_list and begins_item(p, k, n)) else i


# Reads `,"value":` up to the quote that follows it, as an archive of requests has it after `"name":"cookie"`; or `value=`.
cdef Py_ssize_t after_value_name(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef bint is_quoted
    i = after_break(self, p, i, n, False)
    is_quoted = is_quote_after(p, i, n, True)
    i = after_backslashes(p, i, n) + 1 if is_quoted else i
    look(self, i)
    if not begins_with(p + i, n - i, b"value", 5):
        return -1
    i += 5
    if is_quoted:
        i = after_backslashes(p, i, n)
        look(self, i)
        if i == n or not is_quote(p[i]):
            return -1
        i += 1
    i = after_blank(p, i, n)
    look(self, i)
    return after_blank(p, i + 1, n) if i < n and (p[i] == c':' or p[i] == c'=') else -1


# Where a text in quotes ends: before its last quote and that one's backslashes, or where the line ends.
cdef Py_ssize_t quoted_end(
    Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint8_t quote, Py_ssize_t opening
) noexcept nogil:
    cdef Py_ssize_t run
    while i < n and p[i] != c'\n' and p[i] != c'\r':
        run = i
        i = after_backslashes(p, i, n)
        if i < n and p[i] == quote and closes_at(p, i, n, i - run, opening, False):
            look(self, i)
            return run
        if i == run:
            i += 1
        elif i < n and p[i] == quote:
            i += 1
    look(self, i)
    return i


# Whether a text in quotes is a name: a colon follows it, or what was hidden, or it ends with the name of a header. In a list
# it also is one if it has no equals sign, which cookies have, or no digit and no space, which keys and credentials have.
cdef bint is_name(Header* self, const uint8_t* p, Py_ssize_t n, bint is_pair) noexcept nogil:
    cdef Py_ssize_t end = quoted_end(self, p, self.value, n, self.quote, self.backslashes), i = self.value
    if word_begin(p, self.value, end) == self.value and (
        (end - self.value >= 6 and begins_with(p + end - 6, 6, b"cookie", 6))
        or (end - self.value >= 13 and begins_with(p + end - 13, 13, b"authorization", 13))
        or (end - self.value >= 3 and key_name(p, self.value, end) == KEY_FIELD)
    ):
        return True
    if is_pair:
        while i < end and not (p[i] == c'=' if self.is_cookie else (is_digit(p[i]) or p[i] == c' ')):
            i += 1
        if i == end:
            return True
    i = after_backslashes(p, end, n)
    if i == n or p[i] != self.quote:
        return False
    i = after_blank(p, i + 1, n)
    look(self, i)
    return i < n and (p[i] == c':' or p[i] == c'=' or hidden_length(p + i, n - i) > 0)


# Where an item of a list ends that is a number or a word, or is empty: before a comma or a bracket; or -1. It begins after an
# empty list or object, as these were literals.
cdef Py_ssize_t word_end(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t end = i, next
    while end < n and (is_alphanumeric(p[end]) or memchr(b"-.+", p[end], 3) != NULL):
        end += 1
    next = after_blank(p, end, n)
    look(self, next)
    return end if (end > i or follows_bracket(p, i)) and (next == n or memchr(b",])}\r\n\\", p[next], 7) != NULL) else -1


cdef inline bint is_literal(const Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    return not is_secret_value(SECRET, p + i, end - i) or (end - i <= SHORT_NUMBER and not self.is_own and is_number(p, i, end))


# What is before the first text of a list, or between two: `[`, `null, `, `{}, `, and numbers that are not secrets.
cdef Py_ssize_t after_literals(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t end, next
    cdef bint is_empty
    while True:
        is_empty = i + 1 < n and memchr(b"[{(", p[i], 3) != NULL and p[i + 1] == (c')' if p[i] == c'(' else p[i] + 2)
        if i < n and p[i] == c'[' and not is_empty:
            look(self, i + 1)
            self.depth += 1
            i = after_break(self, p, i + 1, n, True)
            continue
        end = i + 2 if is_empty else word_end(self, p, i, n)
        if end < 0 or not (is_empty or is_literal(self, p, i, end)):
            return i
        next = after_blank(p, end, n)
        look(self, next)
        if next == n or p[next] != c',':
            return end if is_empty else i
        i = after_break(self, p, next + 1, n, True)


# After the bracket that a name is in, if it is escaped or a quote follows; and after an index: `user[password]`, `password[0]`.
cdef Py_ssize_t after_brackets(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t end = i + (3 if begins_with(p + i, n - i, b"%5d", 3) else 1 if i < n and p[i] == c']' else 0), k
    k = end + (3 if begins_with(p + end, n - end, b"%5b", 3) else 1 if end < n and p[end] == c'[' else 0)
    if k > end:
        while k < n and is_digit(p[k]):
            k += 1
        look(self, k)
        if begins_with(p + k, n - k, b"%5d", 3) or (k < n and p[k] == c']'):
            return k + (1 if p[k] == c']' else 3)
    return end if end == i + 3 or (end > i and is_quote_after(p, end, n, True)) else i


# Spaces, and brackets that end lists in the list, each perhaps in the next line.
cdef Py_ssize_t after_inner_lists(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t k
    i = after_blank(p, i, n)
    while self.depth > 1:
        k = after_line_end(self, p, i, n)
        look(self, k)
        if k == n or p[k] != c']':
            break
        self.depth -= 1
        i = after_blank(p, k + 1, n)
    return i


# Reads what is between the name of a header, which ends at i, and its value. Its token begins at `token`.
cdef void read_assignment(Header* self, const uint8_t* p, Py_ssize_t token, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t k, value, backslashes
    cdef bint is_quoted, follows_space, is_pair = False, is_next_line
    cdef uint8_t quote
    i = after_brackets(self, p, i, n)
    k = after_backslashes(p, i, n)
    backslashes = k - i
    is_quoted = k < n and is_quote(p[k])
    quote = p[k] if is_quoted else 0
    self.value = -1
    self.is_list = self.is_assigned = False
    self.depth = 1
    self.is_quoted = is_quoted
    self.name_quote, self.name_backslashes = quote, backslashes
    look(self, k)
    if is_quoted:
        i = k + 1
    k = i
    i = after_blank(p, i, n)
    if i < n and p[i] == c']':
        # An entry: `headers["cookie"] = "a=b"`.
        i = after_blank(p, i + 1, n)
        if i < n and p[i] != c'=':
            return
    look(self, i)
    follows_space = self.is_apart = i > k
    if i == n:
        return
    if p[i] == c':':
        i += 1
    elif p[i] == c'=':
        i += 2 if i + 1 < n and p[i + 1] == c'>' else 1
        self.is_assigned = True
        # Nothing, as in `cookie= status=200`.
        if p[i - 1] == c'=' and not follows_space and i < n and (p[i] == c' ' or p[i] == c'\t'):
            return
    elif p[i] == c',' and is_quoted:
        i += 1
        value = after_value_name(self, p, i, n)
        if value >= 0:
            i = value
        elif self.is_field or not is_in_list(p, word_begin(p, token, self.begin), quote):
            return
        else:
            is_pair = True
        # In a list of names and values, both are in quotes.
        k = after_break(self, p, i, n, False)
        k = after_backslashes(p, after_prefix(self, p, k, n), n)
        look(self, k)
        if k == n or not is_quote(p[k]):
            return
    else:
        return
    k = after_blank(p, i, n)
    i = after_break(self, p, i, n, False)
    is_next_line = i > k
    if begins_with(p + i, n - i, b"[]string{", 9) and is_quote_after(p, i + 9, n, True):
        # A list of Go.
        self.is_list = True
        i += 9
    elif i < n and p[i] == c'[':
        look(self, i + 1)
        if i + 1 < n and p[i + 1] == c']':
            return
        self.is_list = True
        self.depth = 0
        i = after_literals(self, p, i, n)
    elif i < n and p[i] == c'(':
        # A tuple of Python.
        k = after_literals(self, p, after_blank(p, i + 1, n), n)
        look(self, after_backslashes(p, k, n))
        if is_quote_after(p, after_prefix(self, p, k, n), n, True):
            self.is_list = True
            i = k
    if not self.is_list:
        i = after_wrapper(self, p, i, n)
    read_quote(self, p, i, n)
    # The text that the name is in ends before its value, as of JSON that is cut off.
    if is_quoted and is_quote(self.quote) and self.backslashes < backslashes:
        self.value = -1
    if (is_pair or is_next_line) and self.value >= 0 and is_name(self, p, n, is_pair):
        self.value = -1


# Reads what programs write between a name and a text in quotes: `Some(`, `(string) (len=9) `, `&`, `!!str `, `str = `.
cdef Py_ssize_t after_wrapper(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t begin = i, limit = min(n, i + LONGEST_WRAPPER), k, last
    cdef bint is_call = False
    while i < limit and i < begin + 2 and p[i] == c'=':
        i = after_spaces(p, i + 1, limit)
    while i < limit:
        k = i
        if p[i] == c'&' or p[i] == c'*':
            i += 1
            continue
        if p[i] == c'(':
            while k < limit - 1 and (k == i or memchr(b"()\"'\r\n", p[k], 6) == NULL):
                k += 1
            look(self, k + 1)
            if p[k] == c')' and after_spaces(p, k + 1, limit) > k + 1:
                i = after_spaces(p, k + 1, limit)
                continue
            k = i
        while k < limit and (is_word(p[k]) or memchr(b".:[]!", p[k], 5) != NULL):
            k += 1
        look(self, k)
        # What was hidden may have been anything.
        last = k
        while last > i and memchr(b".:[]!", p[last - 1], 5) != NULL:
            last -= 1
        if follows_hidden(p, last, 0):
            break
        if k < limit and p[k] == c'(':
            is_call = True
            i = after_spaces(p, k + 1, limit)
            continue
        if k == i or after_spaces(p, k, limit) == k:
            break
        # A tag of YAML, or a type.
        if p[i] != c'!':
            k = after_spaces(p, k, limit)
            if k == limit or p[k] != c'=' or after_spaces(p, k + 1, limit) == k + 1:
                break
            k += 1
        i = after_spaces(p, k, limit)
    look(self, i)
    k = after_backslashes(p, after_prefix(self, p, i, n), n)
    look(self, k)
    if k < n and is_quote(p[k]) and not follows_text(self, p, k + 1, n):
        return i
    return i if is_call and self.is_assigned and not self.is_cookie and after_scheme(p, i, n, &is_call) > i else begin


# Reads the quote before a value, if there is one.
cdef void read_quote(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t begin, end
    begin = i = after_prefix(self, p, i, n)
    end = after_backslashes(p, begin, n)
    look(self, end)
    self.quote = 0
    self.backslashes = 0
    if end < n and is_quote(p[end]):
        self.quote = p[end]
        self.backslashes = end - begin
        i = end + 1
    elif i < n and p[i] == c'{':
        # An object: its texts are read as any others; but not `{bcrypt}$2a$`.
        while end < n and end - i < LONGEST_WRAPPER and (is_word(p[end]) or end == i):
            end += 1
        look(self, end + 1)
        if not (n - end > 1 and end > i + 1 and p[end] == c'}' and (is_alphanumeric(p[end + 1]) or p[end + 1] == c'$')):
            self.quote = c'{'
    self.value = -1 if i == n or ((p[i] == c'\n' or p[i] == c'\r') and not (self.is_list and follows_bracket(p, i))) else i


# Whether the value can be a secret. A text in quotes that ends with the name has none, as in `"Enter password:",`. A field has
# none in a sentence, as in `password: wrong`, but in `password: q8Zx`; nor in `password == x`; nor has PWD, which is a path.
cdef bint is_value(Header* self, const uint8_t* p, Py_ssize_t token, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = self.value, word
    cdef bint is_token
    look(self, i + 2)
    if (
        self.is_field and not self.is_own and p[self.begin + 1] | 0x20 == c'w' and is_path(p, i, n)
        and (p[self.begin + 1] == c'W' if self.is_quoted else self.is_assigned)
    ):
        word = word_begin(p, token, self.begin)
        if (word == self.begin and not (word > token and p[word - 1] == c';')) or (self.begin - word == 3 and begins_with(p + word, 3, b"old", 3)):
            return False
    if self.is_quoted or self.quote == c'{':
        return self.is_assigned or self.quote or self.is_list or not (
            self.is_apart and self.is_key and begins_sentence(self, p, i, n) and after_scheme(p, i, n, &is_token) == i
        )
    if self.quote:
        return not follows_text(self, p, i, n)
    if not self.is_field or self.is_list:
        return True
    if self.is_assigned:
        return p[i - 1] == c'=' and p[i] != c'='
    return (self.is_own or p[self.begin] | 0x20 == c'p') and is_mixed(self, p, i, n)


# Whether the value of a token looks random, by its first bytes: it has digits among letters, or capitals after small letters.
# A URL does not, nor what was hidden, which may have been anything, nor another name with a value.
cdef bint is_random_token(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t begin = i, limit = min(n, i + LONGEST_RANDOM)
    cdef int changes = 0, digits = 0
    i += hidden_length(p + i, n - i)
    if i > begin:
        look(self, i)
        return ends_value(p, i, n)
    while i < limit and (is_word(p[i]) or memchr(b"+/.~:|!%", p[i], 8) != NULL):
        if (p[i] == c':' and n - i > 2 and p[i + 1] == p[i + 2] == c'/') or hidden_length(p + i, n - i) > 0:
            return False
        digits += is_digit(p[i])
        if i > begin and is_alphanumeric(p[i]) and is_alphanumeric(p[i - 1]):
            changes += is_digit(p[i]) != is_digit(p[i - 1]) or begins_hump(p, i)
        i += 1
    while i < limit and p[i] == c'=':
        i += 1
    look(self, i)
    if i - begin < (SHORTEST_TOKEN if self.is_quoted or self.is_assigned else SHORTEST_IN_SENTENCE) or not digits or changes < 2 or (p[begin] == c'0' and p[begin + 1] | 0x20 == c'x'):
        return False
    # A time: `2026-11-29T10:00:00.123+01:00`.
    if i - begin > 15 and p[begin + 4] == p[begin + 7] == c'-' and p[begin + 10] | 0x20 == c't' and p[begin + 13] == c':' and i - begin - digits <= 8:
        return False
    return i == limit or ends_value(p, i, n)


# Reads what follows a name that ends at `end`; says whether it is a value to hide.
cdef bint read_header(Header* self, const uint8_t* p, Py_ssize_t token, Py_ssize_t end, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t last
    cdef bint is_token
    read_assignment(self, p, token, end, n)
    if self.value < 0 or not is_value(self, p, token, n):
        return False
    last = n if self.quote or self.is_list else next_break(self, p, self.value, n, self.is_assigned)
    if self.is_random and not is_random_token(self, p, after_scheme(p, self.value, last, &is_token), last):
        return False
    self.end = value_end(self, p, token, last)
    return True


# The same of the name of a policy in a run of bytes that names have, which ends at `end`. The value of a name that it keeps
# is no secret: `kept` gets the end.
cdef bint find_own_name(
    Header* self, const Names* names, const uint8_t* p, Py_ssize_t token, Py_ssize_t end, Py_ssize_t n, Py_ssize_t* kept
) noexcept nogil:
    cdef Py_ssize_t begin = own_name_begin(p, end, token, n)
    cdef int lists = own_lists(names, p, begin, end)
    if lists & KEPT:
        kept[0] = end
    if lists == 0 or lists & KEPT or ends_with_header(p, token, end, b"cookie", 6) or ends_with_header(p, token, end, b"authorization", 13):
        return False
    self.begin = begin
    self.is_cookie = self.is_set_cookie = False
    self.is_key = True
    self.is_field = self.is_own = lists & OWN != 0
    self.is_random = not self.is_field
    return read_header(self, p, token, end, n)


# Finds the first name of a header with a value among the bytes of a token.
cdef bint find_header(
    Header* self, const Names* names, const uint8_t* p, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t n
) noexcept nogil:
    # Where the next name can begin that the policy has, and where the last one ends that it keeps.
    cdef Py_ssize_t i, name_end, own = begin if names.own else end, kept = begin
    cdef FieldName name
    self.is_open = False
    for i in range(begin, end if names.own else end - 2):
        if i == own:
            own += 1
            if is_in_name(p[i]):
                while own < end and is_in_name(p[own]):
                    own += 1
                if find_own_name(self, names, p, begin, own, n, &kept):
                    return True
        self.is_own = False
        self.is_cookie = self.is_key = self.is_field = self.is_random = False
        if p[i] | 0x20 == c'c' and begins_with(p + i, end - i, b"cookie", 6):
            name_end = i + 6
            self.is_cookie = True
        elif p[i] | 0x20 == c'a' and begins_with(p + i, end - i, b"authorization", 13):
            name_end = i + 13
        elif p[i] | 0x20 == c'k' or p[i] | 0x20 == c't':
            name_end = i + (3 if p[i] | 0x20 == c'k' else 5)
            name = key_name(p, begin, name_end) if name_end <= end else NO_FIELD
            if name == NO_FIELD:
                continue
            self.is_key = True
            self.is_random = name == RANDOM_FIELD
        elif field_length(p, i, end) > 0:
            name_end = i + field_length(p, i, end)
            self.is_key = self.is_field = True
        else:
            continue
        if i < kept if self.is_key else not begins_name(p, i, begin):
            continue
        self.begin = i
        self.is_set_cookie = (
            (i - begin >= 4 and begins_with(p + i - 4, 3, b"set", 3) and (p[i - 1] == c'-' or p[i - 1] == c'_'))
            or (i - begin >= 3 and begins_with(p + i - 3, 3, b"set", 3))
        )
        if read_header(self, p, begin, name_end, n):
            return True
    return False


# Where the value of a line ends that is not in quotes: at its end, at an escaped line end, at a bracket of XML, or at a
# quote; but not at one after an equals sign, which begins a text in quotes.
cdef Py_ssize_t line_end(Header* self, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t begin = i, k
    while i < n and p[i] != c'\n' and p[i] != c'\r' and p[i] != c'<' and p[i] != 0:
        k = after_backslashes(p, i, n)
        if k < n and k > i and (p[k] == c'n' or p[k] == c'r'):
            return i
        if (k < n and line_break(p, k, n) > 0) or (k > i and line_break(p, k - 1, n) > 0):
            return i
        if k < n and p[k] == c'"':
            if i == begin or not begins_text(self, p, i, k + 1, n):
                return i
            k += 1
            while k < n and p[k] != c'"' and p[k] != c'\n' and p[k] != c'\r':
                k += 1
            look(self, k)
            if k == n or p[k] != c'"':
                return i
            i = k + 1
        elif k > i:
            i = k
        else:
            i += 1
    return i


# Where credentials end that are not in quotes as a whole: parts of them can be, as in `token="a", nonce="b"`.
cdef Py_ssize_t credentials_end(
    Header* self, const uint8_t* p, Py_ssize_t begin, Py_ssize_t n, bint is_token
) noexcept nogil:
    cdef Py_ssize_t i = begin, k, run
    cdef bint has_parameters = not is_token or begins_parameter(p, begin, n)
    while True:
        i = token_end(p, i, n)
        k = i + 1
        if i == n:
            return i
        run = backslashes_before(p, i)
        if (p[i] == c'"' or ends[p[i]] == IS_QUOTE) and k < n and (is_word(p[k]) or p[k] == c'/') and (i - run <= begin or p[i - run - 1] == c'='):
            k = after_backslashes(p, quoted_end(self, p, k, n, p[i], run), n)
            look(self, k)
            if k == n or p[k] != p[i]:
                return k
            i = k + 1
        elif has_parameters and p[i] == c' ' and i > begin and p[i - 1] == c',':
            while k < n and is_word(p[k]):
                k += 1
            look(self, k)
            if k == n or k == i + 1 or p[k] != c'=':
                return i
            i += 1
        else:
            return i


# Where the credentials begin after a scheme that is known, or `begin`.
cdef Py_ssize_t after_scheme(const uint8_t* p, Py_ssize_t begin, Py_ssize_t end, bint* is_token) noexcept nogil:
    cdef Py_ssize_t i = begin, k
    is_token[0] = False
    while i < end and (is_alphanumeric(p[i]) or p[i] == c'-'):
        i += 1
    k = after_blank(p, i, end)
    if k == i and not (k == end and k > begin):
        return begin
    if not is_one_of(schemes, schemes_length, p + begin, i - begin):
        return begin
    is_token[0] = is_one_of(token_schemes, token_schemes_length, p + begin, i - begin)
    return k


# Where the line ends in a text in quotes: at an escaped line end before another header or before the end; or `end`.
cdef Py_ssize_t line_end_in_quotes(const uint8_t* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t begin, k
    while i < end:
        begin = i
        k = after_backslashes(p, i, end)
        while k > i and k < end and (p[k] == c'n' or p[k] == c'r'):
            i = k + 1
            k = after_backslashes(p, i, end)
        if i > begin and (i == end or begins_header(p, i, end)):
            return begin
        i = max(k, begin + 1)
    return end


# Where the value of a header ends.
cdef Py_ssize_t value_end(Header* self, const uint8_t* p, Py_ssize_t token, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = self.value, begin, end, next
    cdef bint is_token = False
    if self.quote == c'{':
        return i
    if self.quote:
        return quoted_end(self, p, i, n, self.quote, self.backslashes)
    if self.is_list:
        end = word_end(self, p, i, n) if self.is_quoted or follows_bracket(p, i) else -1
        if end >= 0:
            return end
        while i < n and p[i] != c']' and p[i] != c'\n' and p[i] != c'\r':
            i += 1
        look(self, i)
        return i
    if self.is_cookie and self.is_assigned:
        end = token_end(p, i, n)
        while end + 1 < n and end > i and p[end - 1] == c';' and p[end] == c' ' and not ends[p[end + 1]]:
            end = token_end(p, end + 1, n)
        look(self, end)
        return without_delimiters(p, i, end)
    if self.is_quoted and not self.is_assigned:
        # A number or a word, as in JSON. A short number is not a secret.
        end = i
        while end < n and (is_alphanumeric(p[end]) or p[end] == c'.' or p[end] == c'-' or p[end] == c'+'):
            end += 1
        next = after_spaces(p, end, n)
        look(self, next)
        if end > i and (next == n or memchr(b",]}\r\n", p[next], 5) != NULL):
            if end - i <= SHORT_NUMBER and not self.is_own and is_number(p, i, end):
                return i
            if is_digit(p[i]) or p[i] == c'-' or is_hidden(p + i, end - i) or not is_secret_value(SECRET, p + i, end - i):
                return end
    if self.is_key:
        # One word. Another parameter may follow, as in the body of a form.
        begin = end = i if self.is_field else after_scheme(p, i, n, &is_token)
        # What was hidden is the whole value: a `?` after it was not hidden with it.
        next = end + hidden_length(p + end, n - end)
        if next > end and next < n and not is_word(p[next]):
            return next
        while end < n and memchr(b"&,;", p[end], 3) == NULL and not (gaps[p[end]] and (ends[p[end]] or ends_token_at(p, end, n))):
            end += 1
        look(self, end)
        # As in source code: `password=None):`.
        while self.is_field and end > begin and p[end - 1] == c':':
            end = without_delimiters(p, begin, end - 1)
        return without_delimiters(p, begin, end)
    if not self.is_cookie:
        end = after_scheme(p, i, n, &is_token)
        if is_token or (self.is_assigned and end > i):
            begin = end
            end = credentials_end(self, p, begin, n, is_token)
            look(self, end)
            return without_delimiters(p, begin, end)
        if self.is_assigned:
            end = token_end(p, i, n)
            look(self, end)
            return without_delimiters(p, i, end)
    # The whole line, or the text in quotes that begins with the name.
    if follows_quote(p, token, self.begin):
        return line_end_in_quotes(p, i, quoted_end(self, p, i, n, p[token - 1], backslashes_before(p, token - 1)))
    end = line_end(self, p, i, n)
    look(self, end)
    while end > i and (p[end - 1] == c' ' or p[end - 1] == c'\t' or p[end - 1] == c'\\'):
        end -= 1
    return end


# A number in JSON becomes a text, in quotes as its name is.
cdef void hide_value(Redactor* self, const Header* header, Py_ssize_t begin, Py_ssize_t end, Kind kind) noexcept nogil:
    cdef const uint8_t* p = self.text
    cdef bint is_number_of_json = (
        header.quote == 0 and header.name_quote and not header.is_assigned and begin == header.value and end == header.end
        and begin < end and is_number(p, begin, end)
    )
    if begin < end and not is_place(p, begin, end) and not is_hidden(p + begin, end - begin) and is_secret_value(SECRET, p + begin, end - begin):
        skip_to(self, begin, end, kind)
        push_quote(self, header, is_number_of_json)
        push_hidden_text(self, begin, end)
        push_quote(self, header, is_number_of_json)


cdef inline void push_quote(Redactor* self, const Header* header, bint is_needed) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(header.name_backslashes if is_needed else 0):
        push(self.out, c'\\')
    if is_needed:
        push(self.out, header.name_quote)


# https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1
cdef void redact_cookies(Redactor* self, const Header* header) noexcept nogil:
    cdef Py_ssize_t begin = header.value, end = header.end
    cdef const uint8_t* p = self.text
    cdef const uint8_t* found
    cdef Py_ssize_t i, last, equals
    cdef bint is_attribute, is_first = True
    while begin < end:
        found = <const uint8_t*> memchr(p + begin, c';', end - begin)
        i = end if found == NULL else found - p
        begin = after_spaces(p, begin, i)
        last = i
        while last > begin and (p[last - 1] == c' ' or p[last - 1] == c'\t'):
            last -= 1
        # No name has a space, a quote or a comma: it is another text.
        equals = begin
        while equals < last and p[equals] != c'=' and not ends[p[equals]] and p[equals] != c',':
            equals += 1
        equals = equals if equals < last and p[equals] == c'=' else last
        is_attribute = (
            header.is_set_cookie and not is_first and is_one_of(attributes, attributes_length, p + begin, equals - begin)
            and (equals == last or memchr(p + equals + 1, c'=', last - equals - 1) == NULL)
        )
        if not is_attribute:
            hide_value(self, header, begin if equals == last else equals + 1, last, NAME)
        is_first = False
        begin = i + 1


cdef void hide_header(Redactor* self, Header* header) noexcept nogil:
    cdef Py_ssize_t begin = header.value
    cdef bint is_token = False
    if header.is_list and header.quote == 0 and header.is_quoted and is_literal(header, self.text, begin, header.end):
        return
    if header.is_cookie:
        redact_cookies(self, header)
        return
    if not header.is_field:
        begin = after_scheme(self.text, begin, header.end, &is_token)
    if not (header.is_random and not is_random_token(header, self.text, begin, header.end)):
        hide_value(self, header, begin, header.end, NAME if header.is_key else CREDENTIALS)


# Hides the value of a header, and those that follow it in a list; returns where they end. If the header is open then, the
# list may go on after that.
cdef Py_ssize_t redact_header(Redactor* self, Header* header, Py_ssize_t n) noexcept nogil:
    hide_header(self, header)
    return redact_list(self, header, header.end, n)


# The other texts of a list, after one that ends at `end`.
cdef Py_ssize_t redact_list(Redactor* self, Header* header, Py_ssize_t end, Py_ssize_t n) noexcept nogil:
    cdef const uint8_t* p = self.text
    cdef Py_ssize_t i
    header.previous = header.quote
    header.previous_depth = header.depth
    # What is not in quotes and no word ended with the list.
    while header.is_list and header.quote != c'{':
        i = end
        if header.quote:
            i = after_backslashes(p, end, n)
            look(header, i)
            if i == n or p[i] != header.quote:
                break
            i += 1
        i = after_inner_lists(header, p, i, n)
        look(header, i)
        if i == n or p[i] != c',':
            break
        read_quote(header, p, after_literals(header, p, after_break(header, p, i + 1, n, True), n), n)
        if header.value < 0 or header.quote == c'{' or (not header.quote and word_end(header, p, header.value, n) < 0):
            break
        header.is_quoted = True
        header.end = value_end(header, p, end, n)
        if header.is_open:
            break
        hide_header(self, header)
        header.previous = header.quote
        header.previous_depth = header.depth
        end = header.end
    return end if header.is_open else after_line_escapes(p, end, n)


# Pushes what stands for a secret in a text. Its hash is that of the secret without escapes: `\u0439` as UTF-8.
cdef void push_hidden_text(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    if self.names.keyed == NULL or memchr(self.text + begin, c'\\', end - begin) == NULL:
        push_hidden(self.out, self.names, self.text + begin, end - begin)
        return
    self.decoded.length = 0
    push_without_escapes(self.decoded, self.text, begin, end)
    push_hidden(self.out, self.names, self.decoded.data, self.decoded.length)
