# A part of redact.pyx: values that are secrets wherever they are, such as mail addresses, numbers of cards and
# accounts, and keys of services; what stands for a secret; and what a policy compares paths and hosts with.

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy, memmove, memset

from weburl._core.ascii cimport hex_value, is_alpha, is_digit, is_hex_digit, to_lower

from weburl._redact import rules
from weburl._redact.secrets import (
    CAPITAL_PREFIXES, CARD_RANGES, EXTENSIONS, HIDDEN, HIDDEN_WORDS, IBAN_LENGTHS, KEY_CHARACTERS, KEY_PREFIXES, KEY_TAILS,
    TAG_LENGTH, TAG_LETTERS,
)

# What stands for a secret, perhaps with a dash and a hash, which has a letter for each hexadecimal digit; as in secrets.py.
cdef enum:
    HIDDEN_LENGTH = 8
    WITH_TAG = 25

cdef inline const uint8_t* hidden_text() noexcept nogil:
    return b"REDACTED"

cdef inline const uint8_t* tag_letters() noexcept nogil:
    return b"bcdfghjklmnpqrst"

cdef enum:
    MOST_KEYS = 255
    LONGEST_PREFIX = 16
    MOST_RANGES = 16
    MOST_GROUPS = 5             # of a card's digits
    LONGEST_IBAN = 34
    LONGEST_NAME = 256          # of a user in base64, which is looked at
    # In place of the length of a rule's segment.
    ANY_SEGMENT = -1
    SECRET_SEGMENT = -2

ctypedef struct CardRange:
    int first, last
    int digits                  # of both
    int lengths                 # one bit each

# What follows the prefix of a key, in the order of KEY_CHARACTERS.
cdef enum:
    OF_LETTERS = 1
    OF_HEX = 2
    OF_CAPITALS = 4
    OF_GROUPS = 8
    OF_NUMBERS = 16
    OF_BASE64 = 32
    OF_WORDS = 64
    OF_AZURE = 128              # the secret of a client

ctypedef struct KeyPrefix:
    uint8_t[LONGEST_PREFIX] text
    int length
    int least                   # characters that follow
    int tail                    # after these and a dot or a hyphen
    uint8_t characters
    bint is_of_capitals

cdef uint8_t[256] key_characters
cdef KeyPrefix[MOST_KEYS] key_prefixes
cdef int key_count = 0
# Which prefixes begin with two bytes, from and to.
cdef uint8_t[128 * 128] first_key, last_key

cdef CardRange[MOST_RANGES] card_ranges
cdef int range_count = 0
# Lengths of account numbers by the country's two letters.
cdef uint8_t[26 * 26] iban_lengths

cdef bytes _extensions = lines_of(EXTENSIONS), _hidden_words = lines_of(HIDDEN_WORDS)
cdef const uint8_t* extensions = _extensions
cdef const uint8_t* hidden_words = _hidden_words
cdef Py_ssize_t extensions_length = len(_extensions), hidden_words_length = len(_hidden_words)
# Whether a byte is one of a hash.
cdef uint8_t[256] is_tag_letter


cdef int open_value_tables() except -1:
    global range_count
    if (HIDDEN, TAG_LETTERS, len(HIDDEN), len(HIDDEN) + 1 + TAG_LENGTH) != (
        hidden_text().decode(), tag_letters().decode(), HIDDEN_LENGTH, WITH_TAG,
    ):
        raise SystemError("secrets.py does not fit values.pxi")
    for letter in tag_letters()[:16]:
        is_tag_letter[letter] = True
    if len(CARD_RANGES) > MOST_RANGES:
        raise SystemError("secrets.py has more than values.pxi can hold")
    for country, length in IBAN_LENGTHS.items():
        iban_lengths[(ord(country[0]) - c'A') * 26 + ord(country[1]) - c'A'] = length
    for first, last, lengths in CARD_RANGES:
        card_ranges[range_count].first = first
        card_ranges[range_count].last = last
        card_ranges[range_count].digits = <int> len(str(first))
        for length in lengths:
            card_ranges[range_count].lengths |= 1 << length
        range_count += 1
    return 0

open_value_tables()


cdef int open_key_tables() except -1:
    global key_count
    cdef int c, k
    cdef bytes text
    if len(KEY_PREFIXES) > MOST_KEYS:
        raise SystemError("secrets.py has more keys than values.pxi can hold")
    for c in range(256):
        is_word = is_alpha(c) or is_digit(c) or c == c'-' or c == c'_'
        is_capital = is_digit(c) or c'A' <= c <= c'Z'
        key_characters[c] = (
            OF_LETTERS * (is_alpha(c) or is_digit(c)) | OF_HEX * is_hex_digit(c) | OF_CAPITALS * is_capital
            | OF_GROUPS * (is_capital or c == c'-') | OF_NUMBERS * (is_digit(c) or c == c'-')
            | OF_BASE64 * (is_word or c == c'+' or c == c'/') | OF_WORDS * is_word
            | OF_AZURE * (is_word or c == c'.' or c == c'~')
        )
    for prefix, least in sorted(KEY_PREFIXES.items()):
        text = prefix.encode()
        if len(text) > LONGEST_PREFIX:
            raise SystemError(f"{prefix} is too long for values.pxi")
        memcpy(key_prefixes[key_count].text, <const uint8_t*> text, len(text))
        key_prefixes[key_count].length = <int> len(text)
        key_prefixes[key_count].least = least
        key_prefixes[key_count].tail = KEY_TAILS.get(prefix, 0)
        key_prefixes[key_count].characters = OF_WORDS
        for k, prefixes in enumerate(KEY_CHARACTERS.values()):
            if prefix in prefixes:
                key_prefixes[key_count].characters = <uint8_t> (1 << k)
        key_prefixes[key_count].is_of_capitals = prefix in CAPITAL_PREFIXES
        k = text[0] << 7 | text[1]
        if not last_key[k]:
            first_key[k] = <uint8_t> key_count
        key_count += 1
        last_key[k] = <uint8_t> key_count
    return 0

open_key_tables()


cdef inline bint is_in_domain(uint8_t c) noexcept nogil:
    return is_alphanumeric(c) or c == c'-' or c == c'.' or c >= 0x80


cdef inline bint is_punycode(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return n >= 4 and to_lower(p[0]) == c'x' and to_lower(p[1]) == c'n' and p[2] == c'-' and p[3] == c'-'


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
                (is_name and not (i - label < 6 and is_one_of(extensions, extensions_length, p + label, i - label)))
                or is_punycode(p + label, i - label)
            )
        label = i + 1
        is_number = is_name = True
    return False


# Whether a text ends with a part of a mail address before its @. Other characters that the part may have are delimiters.
cdef bint ends_with_mailbox(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    while n > 0 and memchr(b"!$%*^~", p[n - 1], 6) != NULL:
        n -= 1
    return n > 0 and (is_word(p[n - 1]) or p[n - 1] == c'.' or p[n - 1] == c'+' or p[n - 1] >= 0x80)


# It and has_card() look anywhere in a text without escapes: for an address, and for the number of a card or an account.
cdef bint has_email(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 1, end
    while i < n:
        if p[i] != c'@' or not ends_with_mailbox(p, i):
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
    if not is_issued:
        return False
    for i in range(n):
        digit = digits[n - 1 - i] - c'0'
        if i & 1:
            digit *= 2
        total += <int> (digit - 9 if digit > 9 else digit)
    return total % 10 == 0


# Whether the digits at i begin a text of letters and digits, perhaps after letters: `card4111`.
cdef bint begins_number(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    while i > 0 and is_alpha(p[i - 1]):
        i -= 1
    return i == 0 or not (is_digit(p[i - 1]) or p[i - 1] == c'_' or p[i - 1] == c'.')


# Whether the last groups of digits, each with one byte between it and the next, are a card.
cdef bint are_card(const uint8_t* end, const Py_ssize_t* groups, int count) noexcept nogil:
    cdef uint8_t[19] digits
    cdef int k, length = 0
    end -= count - 1
    for k in range(MOST_GROUPS - count, MOST_GROUPS):
        end -= groups[k]
    for k in range(MOST_GROUPS - count, MOST_GROUPS):
        memcpy(digits + length, end, groups[k])
        length += <int> groups[k]
        end += groups[k] + 1
    return is_card(digits, length)


# Whether groups of digits end with a card as cards are written; `groups` are the lengths of the last ones: as one
# group, in groups of 4 digits, or of 4, 6 and 4 or 5.
cdef bint ends_with_card(const uint8_t* end, const Py_ssize_t* groups) noexcept nogil:
    cdef Py_ssize_t last = groups[4]
    if 14 <= last <= 19:
        return are_card(end, groups, 1)
    if groups[3] == 6:
        return groups[2] == 4 and 4 <= last <= 5 and are_card(end, groups, 3)
    return 1 <= last <= 4 == groups[3] and groups[2] == groups[1] == 4 and (
        (last > 1 and are_card(end, groups, 4)) or (last < 4 == groups[0] and are_card(end, groups, 5))
    )


# https://www.iso.org/standard/81090.html (ISO 13616-1): a country, two check digits, and an account, perhaps in groups.
cdef bint is_iban(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef int length = iban_lengths[(p[0] - c'A') * 26 + p[1] - c'A']
    cdef uint8_t[LONGEST_IBAN] letters
    cdef Py_ssize_t i = 0
    cdef int k = 0, at
    cdef uint32_t rest = 0, value
    if length == 0:
        return False
    while k < length:
        if i < n and k and k % 4 == 0 and (p[i] == c' ' or p[i] == c'+' or p[i] == c'-'):
            i += 1
        if i == n or not (is_digit(p[i]) or is_capital(p[i])):
            return False
        letters[k] = p[i]
        k += 1
        i += 1
    if i < n and is_word(p[i]):
        return False
    for k in range(length):
        at = <int> (k + 4 if k + 4 < length else k + 4 - length)
        value = <uint32_t> (letters[at] - c'0' if is_digit(letters[at]) else letters[at] - c'A' + 10)
        rest = (rest * (100 if value > 9 else 10) + value) % 97
    return rest == 1


# Whether two capitals, which are not part of a word, and an account follow before the digits at i.
cdef inline bint begins_iban(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    return (
        i > 1 and is_capital(p[i - 1]) and is_capital(p[i - 2]) and n - i > 12 and is_digit(p[i + 1])
        and (i == 2 or not is_word(p[i - 3])) and is_iban(p + i - 2, n - i + 2)
    )


cdef bint has_card(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t[20] digits
    cdef Py_ssize_t[<int> MOST_GROUPS] groups
    cdef Py_ssize_t i = 0, begin, group
    cdef int count
    cdef bint is_number
    while i < n:
        if not is_digit(p[i]):
            i += 1
            continue
        if begins_iban(p, i, n):
            return True
        begin = group = i
        count = 0
        # What follows another group begins a number.
        is_number = begins_number(p, begin)
        memset(groups, 0, sizeof(groups))
        while True:
            if count < 20:
                digits[count] = p[i]
                count += 1
            i += 1
            if i < n and is_digit(p[i]):
                continue
            memmove(groups, groups + 1, (MOST_GROUPS - 1) * sizeof(Py_ssize_t))
            groups[MOST_GROUPS - 1] = i - group if group > begin or is_number else 0
            if i < n and (is_alphanumeric(p[i]) or p[i] == c'_'):
                break
            if ends_with_card(p + i, groups):
                return True
            if n - i > 1 and (p[i] == c' ' or p[i] == c'-' or p[i] == c'+') and is_digit(p[i + 1]):
                i += 1
                group = i
                continue
            if 14 <= count <= 19 and is_number and is_card(digits, count):
                return True
            break
    return False


# Where the key of a bot begins, or -1.
# https://core.telegram.org/bots/api#authorizing-your-bot: a number, a colon, and 35 letters, digits, `-` and `_`.
cdef Py_ssize_t find_bot_key(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, begin, end
    cdef const uint8_t* colon
    while True:
        colon = <const uint8_t*> memchr(p + i, c':', n - i)
        if colon == NULL or p + n - colon < 36:
            return -1
        i = colon - p
        begin = i
        while begin > 0 and i - begin < 13 and is_digit(p[begin - 1]):
            begin -= 1
        end = i + 1
        if 8 <= i - begin <= 12 and p[end] == c'A' and p[end + 1] == c'A':
            while end < n and end - i < 37 and is_word(p[end]):
                end += 1
            if end - i == 36:
                return begin
        i += 1


cdef inline bint has_bot_key(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return find_bot_key(p, n) >= 0


# Whether a text begins with base64 of a name, a colon and a password. The word `Basic` is common.
# https://www.rfc-editor.org/rfc/rfc7617#section-2
cdef bint is_name_and_password(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint32_t bits = 0
    cdef int count = 0, digit
    # A longer name is not looked at, so that time is linear.
    for i in range(min(n, LONGEST_NAME)):
        if is_digit(p[i]):
            digit = p[i] - c'0' + 52
        elif is_alpha(p[i]):
            digit = <int> (p[i] - c'A' if p[i] <= c'Z' else p[i] - c'a' + 26)
        elif p[i] == c'+' or p[i] == c'-':
            digit = 62
        elif p[i] == c'/' or p[i] == c'_':
            digit = 63
        else:
            return False
        bits = (bits << 6 | <uint32_t> digit) & 0xFFFF
        count += 6
        if count >= 8:
            count -= 8
            if bits >> count & 0xFF == c':':
                return True
            if bits >> count & 0xFF < c' ':
                return False
    return False


# https://www.rfc-editor.org/rfc/rfc9562#section-4
cdef bint is_uuid(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    if n != 36:
        return False
    for i in range(36):
        if not (p[i] == c'-' if i == 8 or i == 13 or i == 18 or i == 23 else is_hex_digit(p[i])):
            return False
    return True


# How long what stands for a secret is that a text begins with, or 0.
cdef Py_ssize_t hidden_length(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    if n < HIDDEN_LENGTH or memcmp(p, hidden_text(), HIDDEN_LENGTH) != 0:
        return 0
    if n < WITH_TAG or p[HIDDEN_LENGTH] != c'-':
        return HIDDEN_LENGTH
    for i in range(HIDDEN_LENGTH + 1, WITH_TAG):
        if not is_tag_letter[p[i]]:
            return HIDDEN_LENGTH
    return WITH_TAG


# Whether what stands for a secret ends at i.
cdef inline bint follows_hidden(const uint8_t* p, Py_ssize_t i, Py_ssize_t begin) noexcept nogil:
    return (i - begin >= HIDDEN_LENGTH and hidden_length(p + i - HIDDEN_LENGTH, HIDDEN_LENGTH) > 0) or (
        i - begin >= WITH_TAG and hidden_length(p + i - WITH_TAG, WITH_TAG) == WITH_TAG
    )


# Paths.

cdef enum:
    MOST_DEPTH = 33             # segments of a rule, with the empty one before the first slash

if rules.MOST_SEGMENTS + 1 != MOST_DEPTH:
    raise SystemError("rules.py does not fit values.pxi")

# Which rules the text agrees with, by the number of their segments: several paths can have begun.
ctypedef struct PathMatch:
    uint64_t[MOST_DEPTH + 1] alive
    int deepest                 # the last of these that has a rule, or -1


cdef inline void start_match(PathMatch* self, const PathRules* rules, bint is_begun) noexcept nogil:
    self.alive[0] = 0
    self.alive[<int> is_begun] = rules.all
    self.deepest = is_begun if rules.all else -1


# A path begins with a slash, after the segment that was read last.
cdef inline void begin_path(PathMatch* self, const PathRules* rules) noexcept nogil:
    if rules.all:
        self.alive[1] = rules.all if self.deepest < 1 else self.alive[1] | rules.all
        self.deepest = max(self.deepest, <int> 1)


# What a path in a text can follow, besides the begin of a word.
cdef inline bint is_before_path(uint8_t c) noexcept nogil:
    return memchr(b"=:,;([{|\\", c, 9) != NULL


# Whether a segment without its escapes and its parameters is a text.
cdef bint is_segment(const uint8_t* text, Py_ssize_t length, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, k = 0
    cdef uint8_t c
    while i < n and p[i] != c';':
        c = p[i]
        if c == c'%' and n - i > 2 and is_hex_digit(p[i + 1]) and is_hex_digit(p[i + 2]):
            c = <uint8_t> (hex_value(p[i + 1]) << 4 | hex_value(p[i + 2]))
            i += 2
        i += 1
        if k == length or text[k] != c:
            return False
        k += 1
    return k == length


# Of these rules, those that agree with one more segment. `hides` gets whether one of them hides it.
cdef uint64_t still_alive(
    const PathRules* self, uint64_t alive, int depth, const uint8_t* p, Py_ssize_t n, bint* hides
) noexcept nogil:
    cdef uint64_t left = alive
    cdef int rule = 0
    cdef int32_t place, length
    while left:
        if left & 1:
            place = self.starts[rule] + depth
            length = 0
            if place < self.starts[rule + 1]:
                length = self.segments[2 * place + 1]
            if place == self.starts[rule + 1] or (
                length >= 0 and not is_segment(self.pool + self.segments[2 * place], length, p, n)
            ):
                alive &= ~(<uint64_t> 1 << rule)
            elif length == SECRET_SEGMENT:
                hides[0] = True
        left >>= 1
        rule += 1
    return alive


# Whether a rule hides the next segment. Before the first slash is an empty segment; any other empty one does not count, as in `//`.
cdef bint hides_segment(const PathRules* self, PathMatch* match, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef int depth = match.deepest
    cdef uint64_t alive
    cdef bint hides = False
    if n == 0 and depth > 0:
        return False
    match.deepest = -1
    while depth >= 0:
        alive = match.alive[depth]
        match.alive[depth] = 0
        # A rule has at most MOST_DEPTH segments, so none is left after these.
        alive = still_alive(self, alive, depth, p, n, &hides) if alive and (depth > 0 or n == 0) else 0
        if depth < MOST_DEPTH:
            match.alive[depth + 1] = alive
        if alive and match.deepest < 0:
            match.deepest = depth + 1
        depth -= 1
    return hides


# Hosts.

cdef int compare_host(const uint8_t* host, Py_ssize_t length, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(min(length, n)):
        if host[i] != to_lower(p[i]):
            return 1 if host[i] > to_lower(p[i]) else -1
    return (length > n) - (length < n)


# The number of a host's rules, which may be for a domain above it, or -1.
cdef Py_ssize_t set_of_host(const HostTable* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t begin = 0, low, high, middle
    cdef int order
    if n > 0 and p[n - 1] == c'.':
        n -= 1
    while begin < n:
        low = 0
        high = self.count
        while low < high:
            middle = (low + high) // 2
            order = compare_host(
                self.pool + self.ends[middle], self.ends[middle + 1] - self.ends[middle], p + begin, n - begin
            )
            if order == 0:
                return self.sets[middle]
            if order < 0:
                low = middle + 1
            else:
                high = middle
        while begin < n and p[begin] != c'.':
            begin += 1
        begin += 1
    return -1


# Keys of services.

# Whether what follows the prefix of a key is not words, as in `npm_package_config_registry`; after another word, it can be
# fewer words, as in `NEWS-ASIA-PACIFIC-SUMMIT`.
cdef bint is_key_body(const KeyPrefix* prefix, const uint8_t* p, bint follows_word) noexcept nogil:
    cdef int i, changes = 0
    cdef bint has_dash = False, has_digit = False
    for i in range(prefix.least):
        if follows_word and prefix.is_of_capitals and not key_characters[p[i]] & OF_CAPITALS:
            return False
        has_dash = has_dash or p[i] == c'-' or p[i] == c'_'
        has_digit = has_digit or is_digit(p[i])
    # In words, capitals follow hyphens, and digits stand alone.
    for i in range(1, 0 if prefix.is_of_capitals else prefix.least):
        if (
            (is_digit(p[i - 1]) and is_alpha(p[i])) or (is_alpha(p[i - 1]) and is_digit(p[i]))
            or (is_alpha(p[i - 1]) and p[i - 1] > c'Z' and is_alpha(p[i]) and p[i] <= c'Z')
        ):
            changes += 1
    return not has_dash or changes > 1 or (not follows_word and (has_digit or changes > 0))


# How many characters of the key of a service are known to belong to it, or 0 if none begins there. What follows another
# word, as in `key-AKIA`, must not look like words.
cdef Py_ssize_t begins_with_key(const uint8_t* p, Py_ssize_t n, bint follows_word) noexcept nogil:
    cdef const KeyPrefix* prefix
    cdef Py_ssize_t i, least
    cdef int k, pair = p[0] << 7 | p[1]
    if (p[0] | p[1]) >= 0x80:
        return 0
    for k in range(first_key[pair], last_key[pair]):
        prefix = &key_prefixes[k]
        i = 2
        while i < prefix.length and p[i] == prefix.text[i]:
            i += 1
        least = prefix.length + prefix.least
        if i < prefix.length or n < least:
            continue
        while i < least and key_characters[p[i]] & prefix.characters:
            i += 1
        if i < least or not is_key_body(prefix, p + prefix.length, follows_word):
            continue
        if prefix.tail > 0:
            if n - i <= prefix.tail or not (p[i] == c'.' or p[i] == c'-'):
                continue
            least += prefix.tail + 1
            i += 1
            while i < least and key_characters[p[i]] & OF_LETTERS:
                i += 1
            if i < least:
                continue
        return i
    return 0


# Where a key begins that has `Q~` or `.atlasv1.` in it, whose tilde or first dot is at i; -1 if it is none.
cdef Py_ssize_t begin_around(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t begin, end, k
    cdef uint8_t before, after
    if p[i] == c'~':
        if i < 5 or n - i < 32 or p[i - 1] != c'Q' or not is_digit(p[i - 2]):
            return -1
        begin, end, before, after = i - 5, i + 32, OF_AZURE, OF_AZURE
    else:
        if i < 14 or n - i < 69 or memcmp(p + i, b".atlasv1.", 9):
            return -1
        begin, end, before, after = i - 14, i + 69, OF_LETTERS, OF_WORDS
    for k in range(begin, i):
        if not key_characters[p[k]] & before:
            return -1
    for k in range(i + 1 if after == OF_AZURE else i + 9, end):
        if not key_characters[p[k]] & after:
            return -1
    return begin


# All characters of a key that may not be in its word, or 0.
cdef Py_ssize_t known_length(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = begins_with_key(p, n, False)
    cdef int k
    if i > 0:
        for k in range(first_key[p[0] << 7 | p[1]], last_key[p[0] << 7 | p[1]]):
            if (
                key_prefixes[k].characters == OF_BASE64 and i >= key_prefixes[k].length
                and memcmp(p, key_prefixes[k].text, key_prefixes[k].length) == 0
            ):
                while i < n and (key_characters[p[i]] & OF_BASE64 or p[i] == c'='):
                    i += 1
    elif n > 5 and p[5] == c'~' and begin_around(p, 5, n) == 0:
        i = 6
        while i < n and key_characters[p[i]] & OF_AZURE:
            i += 1
    elif n > 14 and p[14] == c'.' and begin_around(p, 14, n) == 0:
        i = 14 + 9
    return i


# Whether the `8Q~` or `sv1` of such a key is at i.
cdef bint is_around(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    if p[i] == c's':
        return i > 4 and p[i - 5] == c'.' and begin_around(p, i - 5, n) >= 0
    return p[i + 2] == c'~' and begin_around(p, i + 2, n) >= 0


# What looks random, in a text without escapes.

cdef bint is_hex(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint16_t classes = 0
    for i in range(n):
        if not is_hex_digit(p[i]):
            return False
        classes |= has[p[i]]
    return classes & HAS_DIGIT and classes & HAS_LETTER


cdef inline bint is_in_value(uint8_t c) noexcept nogil:
    return has[c] & (HAS_WORD | HAS_BASE64) or c == c'=' or c == c'.' or c == c'~' or c == c':'


# Whether a value looks random.
cdef bint is_random(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint16_t classes = 0
    if n < 16:
        return False
    for i in range(n):
        if not is_in_value(p[i]):
            return False
        classes |= has[p[i]]
    return classes & HAS_DIGIT and classes & HAS_LETTER


cdef bint is_random_segment(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint16_t classes
    if n < 16:
        return False
    classes = bytes_of(p, n)
    if classes & ~HAS_WORD or not classes & HAS_DIGIT:
        return False
    return (classes & HAS_UPPER and classes & HAS_LOWER) or is_hex(p, n) or (n >= 32 and is_uuid(p, n))


# Whether a segment ends at i, perhaps after padding: not in a word, and not before the extension of a file.
cdef bint ends_segment(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    while i < n and p[i] == c'=':
        i += 1
    return i == n or not (is_word(p[i]) or (p[i] == c'.' and i + 1 < n and is_word(p[i + 1])))


# Whether a text begins with a segment of a path that looks random.
cdef bint begins_with_random_segment(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0
    while i < n and is_word(p[i]):
        i += 1
    return i >= 16 and ends_segment(p, i, n) and is_random_segment(p, i)
