# A part of redact.pyx: the names that say that a value is a secret, also those of fields and of headers.
# docs/redact-rules.md has the definitions.

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memchr

from weburl._core.ascii cimport is_alpha, is_digit, to_lower

from weburl._redact import secrets
from weburl._redact.secrets import (
    BEGIN, CHARACTERS, FIELD_TAILS, KEY_HEADERS, KINDS as KIND_NAMES, PAGE_OWNERS, PLAIN_TOKENS, PLAIN_VALUES,
    SECRET_FIELDS, WIDTH,
)

# Where a text is, which says what counts as a secret.
cdef enum Place:
    IN_QUERY                    # all of it
    IN_KEPT                     # of a name that a policy keeps: no mail address, card, hex and base64
    IN_NAME                     # names as in a path
    IN_PATH                     # no hex and no base64; a name needs an equals sign after it, or quotes around it
    IN_TEMPLATE                 # as in a path; an empty value counts, for which a template has a placeholder
    IN_SEGMENT                  # no names, either

# Of a name, one bit for each list; as in secrets.py.
cdef enum:
    SECRET = 1
    TOKEN = 2
    SEGMENT = 4
    PLAIN = 8                   # no secret by name, hex or base64
    ESCAPED = 16                # a backslash is in the name
    NUMBER = 32                 # hidden if it is digits
    COUNT = 64                  # hidden if it is not a number
    LINK = 128                  # in a path: what looks random in the query is hidden
    FIRM = 256                  # a name that a policy adds, which is not PLAIN or COUNT
    KEPT = 512                  # a policy says that values are no secrets
    # What rules for a host say, which counts before all others.
    HOST_HIDDEN = 1024
    HOST_KEPT = 2048
    # Names that a policy has besides those of weburl's, which fields in texts can have: of secrets, and of tokens.
    OWN = 4096
    OWN_TOKEN = 8192
    BY_NAME = SECRET | TOKEN | NUMBER | COUNT

if (
    secrets.SECRET, secrets.TOKEN, secrets.SEGMENT, secrets.PLAIN, secrets.NUMBER, secrets.COUNT, secrets.LINK, secrets.FIRM,
    secrets.KEPT, secrets.HOST_HIDDEN, secrets.HOST_KEPT, secrets.OWN, secrets.OWN_TOKEN,
) != (SECRET, TOKEN, SEGMENT, PLAIN, NUMBER, COUNT, LINK, FIRM, KEPT, HOST_HIDDEN, HOST_KEPT, OWN, OWN_TOKEN):
    raise SystemError("secrets.py does not fit names.pxi")

cdef enum:
    ROW = 37                    # characters of an automaton
    # Characters that are not part of a name.
    SKIPPED = 64
    ENDS_WORD                   # the next word may belong to the same name
    ENDS_NAME
    ASSIGNS
    LONGEST_LOOK = 64           # for a name
    LONGEST_PLAIN = 9           # of PLAIN_VALUES, and digits of a number that counts
    LONGEST_WORD = 20           # with `-key` or `-token`
    LONGEST_TAIL = 12

cdef uint8_t[256] character     # its number, or what it does to a name

# Words between line ends.
cdef bytes _plain_values = lines_of(PLAIN_VALUES), _plain_tokens = lines_of(PLAIN_TOKENS), _field_tails = lines_of(FIELD_TAILS)
cdef bytes _page_owners = lines_of(PAGE_OWNERS), _key_words = lines_of(name.removesuffix("-key") for name in KEY_HEADERS if name.endswith("-key"))
cdef bytes _token_words = lines_of(name.removesuffix("-token") for name in KEY_HEADERS if name.endswith("-token"))
cdef const uint8_t* plain_values = _plain_values
cdef const uint8_t* plain_tokens = _plain_tokens
cdef const uint8_t* field_tails = _field_tails
cdef const uint8_t* page_owners = _page_owners
cdef const uint8_t* key_words = _key_words
cdef const uint8_t* token_words = _token_words
cdef Py_ssize_t plain_values_length = len(_plain_values), plain_tokens_length = len(_plain_tokens), page_owners_length = len(_page_owners)
cdef Py_ssize_t field_tails_length = len(_field_tails), key_words_length = len(_key_words), token_words_length = len(_token_words)


cdef int open_name_tables() except -1:
    cdef int c
    if (
        (WIDTH, BEGIN, len(CHARACTERS), len(KIND_NAMES)) != (ROW, ROW - 1, ROW - 1, KINDS)
        or SECRET_FIELDS != ("passphrase", "passwd", "password", "pwd", "secret")
        or max(map(len, FIELD_TAILS)) > LONGEST_TAIL or any(len(name) > LONGEST_WORD or not name.endswith(("-key", "-token")) for name in KEY_HEADERS)
    ):
        raise SystemError("secrets.py does not fit names.pxi")
    for c in range(256):
        character[c] = SKIPPED
        if is_digit(c) or is_alpha(c):
            character[c] = CHARACTERS.index(chr(to_lower(c)))
    for characters, value in ((b"[]\"' \t", ENDS_WORD), (b"&;?#,{}/\\<>|()\n\r", ENDS_NAME), (b"=:", ASSIGNS)):
        for c in characters:
            character[c] = value
    return 0

open_name_tables()


# Names.

# Of one word: rules for a host count first, then what a policy keeps and what it adds. Of the others, those that say that
# there is no secret win.
cdef inline uint16_t settled(uint16_t lists) noexcept nogil:
    if not lists & (PLAIN | COUNT | KEPT | HOST_KEPT):
        return lists
    if lists & HOST_KEPT or (lists & KEPT and not lists & HOST_HIDDEN):
        return PLAIN | KEPT
    if lists & (FIRM | HOST_HIDDEN):
        return lists
    return PLAIN | (lists & OWN) if lists & PLAIN else lists & ~(SECRET | TOKEN)


# The lists that have one of the names: a name can have several, as in `user[password]`. And whether it has a backslash.
cdef uint16_t lists_of(const Names* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint16_t state = self.start
    cdef uint16_t lists = 0, word = 0
    cdef uint8_t c
    cdef Py_ssize_t i
    for i in range(n):
        c = character[p[i]]
        if c < ROW:
            state = self.next[<Py_ssize_t> state * ROW + c]
            word |= self.now[state]
        elif c != SKIPPED:
            lists |= settled(word | self.at_end[state])
            if p[i] == c'\\':
                lists |= ESCAPED
            state = self.start
            word = 0
    return lists | settled(word | self.at_end[state])


# Whether a value is a secret because its name is on these lists, by the value's shape; is_random() says so of TOKEN.
cdef bint is_secret_value(uint16_t lists, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint16_t classes
    if lists & SECRET and lists & FIRM:
        return True
    # Quotes and spaces around it do not count.
    while n > 0 and (has[p[0]] & (HAS_QUOTE | HAS_SPACE) or p[0] == c'\\'):
        p += 1
        n -= 1
    while n > 0 and (has[p[n - 1]] & (HAS_QUOTE | HAS_SPACE) or p[n - 1] == c'\\'):
        n -= 1
    if lists & SECRET:
        return n == 0 or n > LONGEST_PLAIN or not is_one_of(plain_values, plain_values_length, p, n)
    if lists & COUNT and (n == 0 or n > LONGEST_PLAIN):
        return True
    classes = bytes_of(p, n)
    if lists & COUNT:
        return classes != HAS_DIGIT and not is_one_of(plain_values, plain_values_length, p, n)
    return lists & NUMBER and classes == HAS_DIGIT


# A text that may be a value: where it ends, and where its last digit and letter are.
ctypedef struct Run:
    Py_ssize_t end, digit, letter


# Where a value begins, after an equals sign or a colon: after spaces, line ends, quotes and brackets, and after empty
# items of an array.
cdef Py_ssize_t value_begin(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t depth = 0
    while i < n and (
        character[p[i]] == ENDS_WORD or p[i] == c'+' or p[i] == c'\n' or p[i] == c'\r' or (p[i] == c',' and depth > 0)
    ):
        depth += (p[i] == c'[') - (p[i] == c']')
        i += 1
    return i


# Whether a value that looks random begins at i. Values can overlap, as in `key=key=key=`: no byte is read twice.
cdef bint is_random_value(Run* run, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    i = value_begin(p, i, n)
    if i >= run.end:
        run.digit = run.letter = -1
        run.end = i
        while run.end < n and is_in_value(p[run.end]):
            if is_digit(p[run.end]):
                run.digit = run.end
            elif is_alpha(p[run.end]):
                run.letter = run.end
            run.end += 1
    return run.end - i >= 16 and run.digit >= i and run.letter >= i and (
        run.end == n or character[p[run.end]] > SKIPPED
    )


# What is hidden is not a value: a result is its own result.
cdef bint has_value(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t length
    i = value_begin(p, i, n)
    length = hidden_length(p + i, n - i)
    if length > 0 and (n - i == length or not is_word(p[i + length])):
        return False
    return i < n and memchr(b"&;#,})>", p[i], 7) == NULL


# Whether a value that begins there is a secret, by its shape: that of a short one is looked at.
cdef bint is_secret_after(uint16_t lists, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t end
    i = value_begin(p, i, n)
    end = i
    while end < n and end - i <= 2 * LONGEST_PLAIN and character[p[end]] <= SKIPPED:
        end += 1
    return is_secret_value(lists, p + i, end - i)


# Whether a text ends with a quote, perhaps with spaces after it.
cdef bint ends_with_quote(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    while n > 0 and (p[n - 1] == c' ' or p[n - 1] == c'+' or p[n - 1] == c'\t'):
        n -= 1
    return n > 0 and (p[n - 1] == c'"' or p[n - 1] == c"'")


# Whether a text has a parameter in it that is secret because of its name: another query, or JSON.
cdef bint has_secret_parameter(const Names* self, const uint8_t* p, Py_ssize_t n, Place place) noexcept nogil:
    cdef uint16_t state = self.start
    cdef uint16_t lists = 0, word = 0
    cdef uint8_t c
    cdef Py_ssize_t i
    cdef bint assigns
    cdef Run run
    run.end = run.digit = run.letter = 0
    for i in range(n):
        c = character[p[i]]
        if c < ROW:
            state = self.next[<Py_ssize_t> state * ROW + c]
            word |= self.now[state]
            continue
        if c == SKIPPED:
            continue
        if c == ENDS_WORD or c == ASSIGNS:
            lists |= settled(word | self.at_end[state])
            if c == ASSIGNS and lists & BY_NAME:
                assigns = p[i] == c'=' or ends_with_quote(p, i)
                if lists & (SECRET | COUNT | NUMBER) and is_secret_after(lists, p, i + 1, n):
                    if place <= IN_KEPT:
                        return True
                    if assigns and (place == IN_TEMPLATE or has_value(p, i + 1, n)):
                        return True
                if lists & TOKEN and assigns and is_random_value(&run, p, i + 1, n):
                    return True
        if c != ENDS_WORD:
            lists = 0
        word = 0
        state = self.start
    return False


# Whether a query has a value that looks random, whose name is not plain.
cdef bint has_random_parameter(const Names* names, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t begin = 0, end, equals
    cdef Run run
    run.end = run.digit = run.letter = 0
    while begin < n:
        equals = -1
        end = begin
        while end < n and not (p[end] == c'&' or p[end] == c';' or p[end] == c'?' or p[end] == c'#'):
            if p[end] == c'=' and equals < 0:
                equals = end
            end += 1
        if is_random_value(&run, p, begin if equals < 0 else equals + 1, n) and not (
            equals > begin and lists_of(names, p + begin, equals - begin) & PLAIN
        ):
            return True
        begin = end + 1
    return False


cdef inline bint is_between_names(uint8_t c) noexcept nogil:
    return character[c] == ENDS_NAME or character[c] == ENDS_WORD


# Whether a text has a path with a segment that looks random, after one with a name that says so, or a link of a mail.
cdef bint has_secret_segment(const Names* names, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, begin, read = 0
    cdef uint16_t lists = 0
    cdef bint is_looked_at = False
    while i < n:
        begin = i
        while i < n and not (is_solidus(p[i]) or p[i] == c'=' or is_between_names(p[i])):
            i += 1
        if i - begin >= 20 and follows_team(p, begin) and begins_with_hook(p + begin, n - begin):
            return True
        if (
            i - begin >= 16 and begin > 0 and is_solidus(p[begin - 1])
            and begins_with_random_segment(p + begin, n - begin)
        ):
            lists |= lists_of(names, p + read, begin - read)
            read = begin
            if lists & SEGMENT:
                return True
        if i < n - 16 and (p[i] == c'?' or p[i] == c'#') and not is_looked_at:
            is_looked_at = (lists | lists_of(names, p + read, i - read)) & LINK != 0
            if is_looked_at and has_random_parameter(names, p + i + 1, n - i - 1):
                return True
        if i + 1 < n and is_solidus(p[i]) and is_solidus(p[i + 1]) and (i == read or p[i - 1] == c':'):
            # A host has no name.
            while i < n and is_solidus(p[i]):
                i += 1
            while i < n and not is_between_names(p[i]):
                i += 1
            read = i
            lists = 0
        else:
            if i < n and not is_solidus(p[i]) and p[i] != c';':
                read = i + 1
                lists = 0
            i += 1
    return False


# Where a name of a team or a channel begins that ends at i, with a solidus before it, or -1: `T0123ABCD`.
cdef Py_ssize_t team_begin(const uint8_t* p, Py_ssize_t i, uint8_t first) noexcept nogil:
    cdef Py_ssize_t end = i
    while i > 0 and end - i < 14 and has[p[i - 1]] & (HAS_UPPER | HAS_DIGIT):
        i -= 1
    return i if end - i >= 9 and i > 0 and p[i] == first and p[i - 1] == c'/' else -1


# Where the text before a solidus at i ends, without the backslashes that JSON has before it.
cdef Py_ssize_t segment_end(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    while i > 0:
        if p[i - 1] == c'\\':
            i -= 1
        elif i > 2 and p[i - 3] == c'%' and p[i - 2] == c'5' and p[i - 1] | 0x20 == c'c':
            i -= 3
        else:
            break
    return i


# Whether the key of a webhook follows a path that ends at i with names of a team and of a channel.
# https://api.slack.com/messaging/webhooks
cdef bint follows_team(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    if i < 21 or p[i - 1] != c'/':
        return False
    i = team_begin(p, segment_end(p, i - 1), c'B')
    return i > 0 and team_begin(p, segment_end(p, i - 1), c'T') >= 0


# Whether a text begins with the key of a webhook.
cdef bint begins_with_hook(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0
    while i < n and is_alphanumeric(p[i]):
        i += 1
    return i >= 20 and ends_segment(p, i, n)


# Names of fields and of headers.

# What a name says of its value.
cdef enum FieldName:
    NO_FIELD
    KEY_FIELD                   # `api-key`, `auth_token`, `apiKey`, `apikey`
    RANDOM_FIELD                # any other token, which is a secret if it looks random


# Where the word of a name begins and ends, before i: after a hyphen, or at a capital if no hyphen follows.
cdef Py_ssize_t word_before(const uint8_t* p, Py_ssize_t begin, Py_ssize_t i, Py_ssize_t* end) noexcept nogil:
    cdef bint is_apart = i > begin and (p[i - 1] == c'-' or p[i - 1] == c'_')
    i = end[0] = i - is_apart
    while i > begin and end[0] - i <= LONGEST_WORD and is_alphanumeric(p[i - 1]) and not follows_hidden(p, i, begin) and (
        is_apart or i == end[0] or not begins_hump(p, i)
    ) and not (i - begin > 2 and p[i - 3] == c'%' and is_alphanumeric(p[i - 2])):
        i -= 1
    return i


# Of the name that ends with `key` or `token`.
cdef FieldName key_name(const uint8_t* p, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef bint is_token = p[end - 1] | 0x20 == c'n'
    cdef Py_ssize_t last = end - (5 if is_token else 3), i
    if last < begin or not begins_with(p + last, end - last, b"token" if is_token else b"key", end - last):
        return NO_FIELD
    i = word_before(p, begin, last, &last)
    if is_one_of(token_words if is_token else key_words, token_words_length if is_token else key_words_length, p + i, last - i):
        return KEY_FIELD
    if not is_token or not is_one_of(plain_tokens, plain_tokens_length, p + i, last - i):
        return RANDOM_FIELD if is_token else NO_FIELD
    i = word_before(p, begin, i, &last)
    return RANDOM_FIELD if is_one_of(page_owners, page_owners_length, p + i, last - i) else NO_FIELD


# How long the rest of a name is that begins with that of a field with a secret, or 0.
cdef Py_ssize_t field_length(const uint8_t* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t length = 0, begin, k
    cdef uint8_t c = p[i] | 0x20
    if c == c's':
        length = 6 if begins_with(p + i, end - i, b"secret", 6) else 0
    elif c == c'p':
        length = 3 if begins_with(p + i, end - i, b"pwd", 3) else 8 if begins_with(p + i, end - i, b"password", 8) else 0
        length = 6 if begins_with(p + i, end - i, b"passwd", 6) else length
        length = 10 if begins_with(p + i, end - i, b"passphrase", 10) else length
    if length == 0:
        return 0
    begin = i + length
    k = begin = begin + (begin < end and (p[begin] == c'-' or p[begin] == c'_'))
    while k < end and k - begin <= LONGEST_TAIL and is_alphanumeric(p[k]):
        k += 1
    return k - i if k > begin and is_one_of(field_tails, field_tails_length, p + begin, k - begin) else length
