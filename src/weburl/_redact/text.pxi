# A part of redact.pyx: texts without their secrets, such as lines of logs, also if they come in parts.
# docs/redact-text.md has the definitions.

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcpy, memset

from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push, push_run, release, start
from weburl._core.arguments import wrong_type
from weburl._core.percent cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, kernels, raise_for
from weburl._core.status cimport OK

from weburl._redact.secrets import FIELD_TAILS, KEY_GROUPS as GROUPS_OF_KEYS, KEY_PREFIXES, KINDS as KIND_NAMES

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

cdef extern from "_redact/triggers.h":
    ctypedef struct Triggers:
        uint8_t[3][256] exact
        uint8_t[3][16] low
        uint8_t[3][16] high
    ctypedef struct TriggerScan:
        pass
    void start_triggers(
        TriggerScan* scan, const uint8_t* p, Py_ssize_t n, const Triggers* triggers, bint is_plain
    ) noexcept nogil
    Py_ssize_t next_trigger(TriggerScan* scan, Py_ssize_t i) noexcept nogil

cdef enum:
    KEY_GROUPS = 7              # of texts that begin a secret, one bit each; after them, that of names of headers
    PWD_GROUP = 2
    LONGEST_ESCAPE = 6
    LOOKAHEAD = 32              # what decides about the begin of a header's value, besides spaces and backslashes
    SHORTEST_SEGMENT = 16       # after a dot, of a key that has several

# Those of policies with rules for paths find a slash, too; and those of policies with names what ends one.
cdef Triggers triggers, triggers_with_paths, triggers_with_names, triggers_with_both


cdef int add_trigger(Triggers* to, int group, list text) except -1:
    for k in range(3):
        for c in text[k]:
            to.exact[<int> k][<uint8_t> c] |= <uint8_t> (1 << group)
            to.low[<int> k][<int> c & 15] |= <uint8_t> (1 << group)
            to.high[<int> k][<int> c >> 4] |= <uint8_t> (1 << group)
    return 0


cdef int open_triggers() except -1:
    # Of a JWT, of keys with a mark in the middle, and of the ends of `key`, `token` and `pwd`, before what may follow a name.
    ends_name = b"\"'\\:= []%\t\x1b#^"
    # `pwd` can also come before what FIELD_TAILS has. Its group is the one that English texts hit least. And of
    # `HTTP/1.1`, which follows the path of a request.
    others = {"eyI": [b"eE", b"yYnN", b"IJKL" + ends_name], "0Q~": [b"0123456789wWT", b"QdDP", b"~/" + ends_name]}
    starts = {start: group for group, starts in enumerate(GROUPS_OF_KEYS) for start in starts.split()}
    if len(GROUPS_OF_KEYS) != KEY_GROUPS or not {prefix[:3] for prefix in KEY_PREFIXES} <= starts.keys():
        raise SystemError("secrets.py has keys without a group")
    for start, group in starts.items():
        add_trigger(&triggers, group, others.get(start) or [one.encode() for one in start])
    tails = "".join(sorted({letter for tail in FIELD_TAILS for letter in tail[0] + tail[0].upper()}))
    add_trigger(&triggers, PWD_GROUP, [b"wW", b"dD", b"-_" + tails.encode()])
    add_trigger(&triggers, KEY_GROUPS, [b"oO", b"kK", b"iI"])  # of `cookie`, and of `authorization`
    add_trigger(&triggers, KEY_GROUPS, [b"rR", b"iI", b"zZ"])
    add_trigger(&triggers, KEY_GROUPS, [b"sS", b"sS", b"wWpP"])  # of `password` and others, and of `secret`
    add_trigger(&triggers, KEY_GROUPS, [b"cC", b"rR", b"eE"])
    letters = bytes([c for c in range(128) if chr(c).isalnum()])
    memcpy(&triggers_with_paths, &triggers, sizeof(Triggers))
    add_trigger(&triggers_with_paths, KEY_GROUPS, [b"/\\", bytes(range(256)), bytes(range(256))])
    memcpy(&triggers_with_names, &triggers, sizeof(Triggers))
    memcpy(&triggers_with_both, &triggers_with_paths, sizeof(Triggers))
    add_trigger(&triggers_with_names, KEY_GROUPS, [letters, ends_name, bytes(range(256))])
    add_trigger(&triggers_with_both, KEY_GROUPS, [letters, ends_name, bytes(range(256))])
    return 0

open_triggers()


# Tokens: texts without spaces and quotes.

cdef void forget_token(Token* self) noexcept nogil:
    self.begin = self.end = self.quotes_begin = self.quotes_end = self.in_token.limit = self.in_quotes.limit = -1


# Reads a token from `begin` on. Where its URL ends: it can have quotes, but not if one is before the token, or with a
# backslash before it.
cdef Py_ssize_t read_token(Token* self, const uint8_t* p, Py_ssize_t begin, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t end
    if not self.begin < begin < self.end:
        self.begin = begin
        self.end = token_end(p, begin, n)
        self.colon = self.mark = self.solidus = self.mark_after_solidus = -1
    end = self.end
    if begin > 0 and ends[p[begin - 1]] == IS_QUOTE:
        return end
    if not self.quotes_begin <= end <= self.quotes_end:
        self.quotes_begin = end
        while end < n and ends[p[end]] == IS_QUOTE and (end == 0 or p[end - 1] != c'\\'):
            end = token_end(p, end + 1, n)
        self.quotes_end = end
    return self.quotes_end


# Where the last equals sign of a text ends, or `begin`.
cdef Py_ssize_t last_equals(LastEquals* self, const uint8_t* p, Py_ssize_t begin, Py_ssize_t limit) noexcept nogil:
    if self.limit != limit or begin < self.least:
        self.limit = self.at = limit
        self.least = begin
        while self.at > begin and not ends_with_equals(p, self.at, begin):
            self.at -= 1
    return max(self.at, begin)


# Where the first URL of a token has its colon, or a target its `?` or `#`; -1 if there is none. A target has a solidus
# before that, or an equals sign after it.
cdef Py_ssize_t find_url(Token* self, const uint8_t* p, Py_ssize_t begin, Py_ssize_t limit) noexcept nogil:
    cdef Py_ssize_t end = self.end, url
    if self.colon < begin:
        self.colon = begin
        while self.colon < end and not (p[self.colon] == c':' and begins_authority(p, self.colon, end)):
            self.colon += 1
    url = self.colon
    if self.mark < begin:
        self.mark = next_query_mark(p, begin, end)
    if self.mark < url:
        if self.solidus < begin:
            self.solidus = begin
            while self.solidus < end and p[self.solidus] != c'/':
                self.solidus += 1
        if self.mark_after_solidus < self.solidus:
            self.mark_after_solidus = next_query_mark(p, self.solidus, end)
        if self.solidus < self.mark or (
            last_equals(&self.in_token if limit == end else &self.in_quotes, p, begin, limit) > self.mark
        ):
            url = self.mark
        else:
            url = min(url, self.mark_after_solidus)
    return url if url < end else -1


# Where a URL with a query ends that begins a token and has its first end at `end`: it goes on after an escaped quote of
# its own, and after an escaped line end and a bracket of XML if another parameter follows.
cdef Py_ssize_t query_end(const TextRedactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t n = self.n
    cdef uint8_t before = p[begin - 1] if begin > 0 else 0
    cdef Ahead ahead
    ahead.stop = -1
    while end < n:
        if p[end] == c'\\':
            end += 2
            if not goes_on(&ahead, p, end, n):
                return end - 2
        elif p[end] == c'"' or ends[p[end]] == IS_QUOTE:
            if closes_url(self, begin, end) if p[end - 1] == c'\\' else p[end] == c'"' or ends[before] == IS_QUOTE:
                return end
            end += 1
        elif p[end] == c'<' or p[end] == c'>':
            end += 1
            if before == c'<' or before == c'>' or not goes_on(&ahead, p, end, n):
                return end - 1
        else:
            return end
        end = token_end(p, end, n)
    return end


# In a copy without escapes, what ends a token was escaped. A URL with a query goes on after it, if it is not in quotes.
cdef Py_ssize_t query_end_of_copy(const TextRedactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef uint8_t last = self.p[begin - 1] if begin > 0 else 0
    if last == c'<':
        last = c'>'
    elif last == c'>':
        last = c'<'
    elif last != c'"' and ends[last] != IS_QUOTE:
        return self.n
    while end < self.n and self.p[end] != last:
        end += 1
    return end


# Where the URL of a token begins that goes on up to `end`: at its first mark if an equals sign follows that now.
cdef Py_ssize_t first_mark(const TextRedactor* self, Py_ssize_t url, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t mark = self.token.mark
    if mark >= url:
        return url
    while end > mark and not ends_with_equals(self.p, end, mark):
        end -= 1
    return mark if end > mark else url


# Where the key of a bot begins, or `end`.
cdef inline Py_ssize_t next_bot_key(const uint8_t* p, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t at = find_bot_key(p + begin, end - begin)
    return end if at < 0 else begin + at


# Where a key ends that begins at i: with its word. The next parts of a JWT belong to it, and those of keys that have some.
cdef Py_ssize_t key_end(const uint8_t* p, Py_ssize_t i, Py_ssize_t end, Kind kind) noexcept nogil:
    cdef Py_ssize_t last
    i += known_length(p + i, end - i) if kind == KEY else 0
    while i < end and is_word(p[i]):
        i += 1
    last = i
    while i < end and p[i] == c'.':
        i += 1
        while i < end and is_word(p[i]):
            i += 1
        if kind == JWT or i - last > SHORTEST_SEGMENT:
            last = i
        else:
            break
    while p[last - 1] == c'.':
        last -= 1
    return last


# Keys and JWTs in a token that is not a URL.
cdef void redact_keys(TextRedactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t key = -1, bot = -1, last
    cdef Kind kind = NOTHING
    if self.urls.names.exact != NULL:
        return
    while begin < end:
        if key < begin:
            kind = next_key(p + begin, end - begin, &key)
            key = end if kind == NOTHING else begin + key
        if bot < begin:
            bot = next_bot_key(p, begin, end)
        if key <= bot:
            if key == end:
                return
            last = key_end(p, key, end, kind)
            hide(&self.urls, key, last, kind)
        else:
            last = <const uint8_t*> memchr(p + bot, c':', end - bot) - p + 36
            hide(&self.urls, bot, last, KEY)
        begin = last


# Whether a path can begin at i, in a text from `least` on.
cdef inline bint begins_path(const uint8_t* p, Py_ssize_t i, Py_ssize_t least, Py_ssize_t n) noexcept nogil:
    return p[i] == c'/' and (begins_token(p, i, least, n) or is_before_path(p[i - 1]))


# A token that is not a URL, or what is before a URL in it, can have paths without a query, whose segments rules hide. Keys
# are looked for up to `limit`: at `end` begins the word that the scheme of a URL is in.
cdef void redact_word(TextRedactor* self, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t limit) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef const PathRules* paths = &self.urls.names.paths
    cdef Py_ssize_t i = begin, least = begin, last, last_of_segment, key
    cdef PathMatch match
    cdef bint is_last = False, begins_next
    if not paths.all:
        i = end
    while i < end and not begins_path(p, i, least, self.n):
        i += 1
    if i == end:
        redact_keys(self, begin, limit)
        return
    redact_keys(self, begin, i)
    start_match(&match, paths, False)
    last = trimmed(p, i, end)
    begin = i
    while not is_last:
        i = begin
        while i < last and p[i] != c'/' and p[i] != c'\\':
            i += 1
        is_last = i == last
        begins_next = begin < i < last and begins_path(p, i, least, self.n)
        if not hides_segment(paths, &match, p + begin, i - begin):
            redact_keys(self, begin, limit if is_last and end < limit else i)
        elif is_last and end < limit and (
            next_key(p + begin, limit - begin, &key) != NOTHING or next_bot_key(p, begin, limit) < limit
        ):
            # The key may go on into the word.
            hide(&self.urls, begin, limit, NAME)
        else:
            # What is between it and another path stays.
            last_of_segment = i - begins_next
            if begin < last_of_segment and not is_hidden(p + begin, last_of_segment - begin):
                hide(&self.urls, begin, last_of_segment, NAME)
        if begins_next:
            begin_path(&match, paths)
        begin = i + 1


# Where the word with the scheme of a URL begins, whose colon is at `url`, without what is before it in a list.
cdef Py_ssize_t before_scheme(const uint8_t* p, Py_ssize_t begin, Py_ssize_t url) noexcept nogil:
    while url > begin and (is_word(p[url - 1]) or p[url - 1] == c'+' or p[url - 1] == c'.' or p[url - 1] >= 0x80):
        url -= 1
    return max(url - 1, begin)


# A token without escapes, and the quotes that its URL has; `url` is from find_url().
cdef void redact_plain(TextRedactor* self, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t url) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef const uint8_t* solidus
    if url < 0:
        redact_word(self, begin, end, end)
    elif p[url] == c':':
        redact_word(self, begin, before_scheme(p, begin, url), url)
        redact_authority(&self.urls, begin, url, trimmed(p, url, end))
    else:
        solidus = <const uint8_t*> memchr(p + begin, c'/', url - begin)
        if solidus != NULL:
            url = solidus - p
        redact_keys(self, begin, url)
        self.urls.has_paths = True
        redact_target(&self.urls, url, trimmed(p, url, end))


# Escapes.

# A token with escapes: what is hidden in a copy without them is hidden in the text.
cdef void redact_escaped(TextRedactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef uint8_t[512] scratch, out_scratch, decoded_scratch
    cdef uint8_t[512] spans_scratch
    # Aligned, as the numbers in it are read where they are.
    cdef Py_ssize_t[512] places_scratch
    cdef Buffer copy, places, out, decoded, spans
    cdef Py_ssize_t i = begin, length, k, count, at_end
    cdef Py_ssize_t[<int> KINDS] counts
    cdef const uint8_t* p = self.p
    cdef const Py_ssize_t* place
    cdef HiddenSpan span, following
    cdef TextRedactor inner
    cdef uint8_t value
    start(&copy, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&places, <uint8_t*> places_scratch, sizeof(places_scratch), PY_SSIZE_T_MAX)
    start(&out, out_scratch, sizeof(out_scratch), PY_SSIZE_T_MAX)
    start(&decoded, decoded_scratch, sizeof(decoded_scratch), PY_SSIZE_T_MAX)
    start(&spans, spans_scratch, sizeof(spans_scratch), PY_SSIZE_T_MAX)
    while i < end:
        length = 1
        value = p[i]
        if value == c'\\':
            length = escape_length(p, i, end, &value)
            # Backslashes that stay.
            while value == 0 and length > 0:
                push(&copy, c'\\')
                push_run(&places, <const uint8_t*> &i, sizeof(i))
                i += 1
                length -= 1
        if length > 0:
            push(&copy, value)
            push_run(&places, <const uint8_t*> &i, sizeof(i))
            i += length
    push_run(&places, <const uint8_t*> &end, sizeof(end))
    if copy.status == OK and places.status == OK:
        memset(counts, 0, sizeof(counts))
        open_redactor(&inner.urls, self.urls.names, &out, &decoded, copy.data, counts)
        inner.urls.spans = &spans
        inner.p = copy.data
        inner.n = copy.length
        inner.is_copy = True
        forget_token(&inner.token)
        redact_tokens_of_copy(&inner)
        close_redactor(&inner.urls, copy.length)
        count = spans.length // <Py_ssize_t> sizeof(HiddenSpan)
        for k in range(count if out.status == OK and spans.status == OK else 0):
            memcpy(&span, spans.data + k * <Py_ssize_t> sizeof(HiddenSpan), sizeof(HiddenSpan))
            at_end = out.length - (copy.length - span.end)
            if k + 1 < count:
                memcpy(&following, spans.data + (k + 1) * <Py_ssize_t> sizeof(HiddenSpan), sizeof(HiddenSpan))
                at_end = following.at - (following.begin - span.end)
            place = <const Py_ssize_t*> places.data
            skip_to(&self.urls, place[span.begin], place[span.end], span.kind)
            if at_end - span.at >= WITH_TAG and is_hidden(out.data + span.at, WITH_TAG):
                # The hash of the copy: there, a byte stands for many letters.
                push_hidden_text(&self.urls, place[span.begin], place[span.end])
                span.at += WITH_TAG
            push_run(self.urls.out, out.data + span.at, at_end - span.at)
    self.urls.out.status = (
        self.urls.out.status or copy.status or places.status or out.status or decoded.status or spans.status
    )
    release(&copy)
    release(&places)
    release(&out)
    release(&decoded)
    release(&spans)


# What escapes stood for can end tokens.
cdef void redact_tokens_of_copy(TextRedactor* self) noexcept nogil:
    cdef Py_ssize_t begin = 0, end, limit, url
    while begin < self.n:
        limit = read_token(&self.token, self.p, begin, self.n)
        end = self.token.end
        if end == begin:
            begin += max(gap_length(self.p, begin, self.n), 1)
            continue
        url = find_url(&self.token, self.p, begin, limit)
        if url >= 0:
            end = limit
            if has_query(self.p, url, end):
                end = query_end_of_copy(self, begin, end)
                url = first_mark(self, url, end)
        redact_plain(self, begin, end, url)
        begin = end


# Texts.

# A token that begins at `begin`; returns where to look on.
cdef Py_ssize_t redact_token(TextRedactor* self, Py_ssize_t begin) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t limit = read_token(&self.token, p, begin, self.n)
    cdef Py_ssize_t end = self.token.end
    cdef Py_ssize_t url = find_url(&self.token, p, begin, limit)
    cdef Header* header = &self.header
    cdef bint is_header
    if self.urls.names.exact == NULL:
        is_header = find_header(header, self.urls.names, p, begin, end if url < 0 else url, self.n)
        if header.is_open:
            self.cut = begin
            return begin
        if is_header:
            # A key in the word of the name would be gone, and with it the name.
            redact_part(self, begin, word_begin(p, begin, header.begin), -1)
            self.quote = last_quote(self, begin)
            self.seen = redact_header(&self.urls, header, self.n)
            if header.is_open:
                self.cut = self.seen
                self.is_in_list = True
            return self.seen
    if url < 0 and is_request_path(p, begin, end, self.n):
        url = begin
    if url >= 0:
        end = limit
        self.quote = last_quote(self, begin)
        if has_query(p, url, end):
            end = query_end(self, begin, end)
            url = first_mark(self, url, end)
            limit = before_quote(self, begin, end)
        self.seen = end
        redact_part(self, begin, limit, url)
    else:
        redact_part(self, begin, end, url)
    return end


cdef void redact_part(TextRedactor* self, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t url) noexcept nogil:
    if memchr(self.p + begin, c'\\', end - begin) != NULL:
        redact_escaped(self, begin, end)
    else:
        redact_plain(self, begin, end, url)


cdef inline bint has_escape_before(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    return memchr(p + max(i - LONGEST_ESCAPE, 0), c'\\', min(i, LONGEST_ESCAPE)) != NULL


# Whether what was found at i can be a secret. Without a decision, the token is read.
cdef bint may_be_secret_at(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, Py_ssize_t least) noexcept nogil:
    cdef uint8_t c = p[i]
    if c == c'?' or c == c'#':
        return True
    if is_after_path(p, i):
        i -= 3
        return may_have_secret(p, i, least) and is_request_path(p, token_begin(p, i, least, n), i, n)
    if c == c'/':
        return begins_path(p, i, least, n) or has_escape_before(p, i)
    if c == c'\\':
        # A slash in an escape; of a run of backslashes, the last one.
        if p[i + 1] == c'u' or p[i + 1] == c'x':
            escape_length(p, i, n, &c)
        return c == c'/'
    if c == c':':
        return p[i + 1] != c'/' or p[i + 2] == c'/' or p[i + 2] == c'\\'
    if c | 0x20 == c'o' and p[i + 1] | 0x20 == c'k':
        return i > 1 and begins_with(p + i - 2, n - i + 2, b"cookie", 6)
    if c | 0x20 == c'r' and p[i + 1] | 0x20 == c'i':
        return i > 4 and begins_with(p + i - 5, n - i + 5, b"authorization", 13)
    if (c | 0x20 == c's' or c | 0x20 == c'c') and may_be_in_field_name(p, i):
        return True
    if (c | 0x20 == c'e' or c | 0x20 == c'w') and may_end_name(p, i):
        return True
    # Within a word, a key can only begin after an escape.
    if (p[i + 1] == c'Q' or p[i + 1] == c'v') and is_around(p, i, n):
        return True
    return may_begin_key(p + i, n - i) and (
        i == 0 or i == least or not is_alphanumeric(p[i - 1])
        or has_escape_before(p, i) or follows_colour(p, i, 0) or follows_break(p, i, 0, n)
    )


# Tokens that begin from `begin` on, and before `stop`. Returns where the last one ends, or `stop`.
cdef Py_ssize_t redact_tokens(TextRedactor* self, Py_ssize_t begin, Py_ssize_t stop) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t i = begin, done = begin
    cdef bint has_rules = self.urls.names.paths.all != 0 or self.urls.names.hosts.count != 0
    cdef bint has_names = self.urls.names.own & (OWN | OWN_TOKEN)
    cdef const Triggers* table = &triggers_with_both if has_names else &triggers_with_paths
    cdef TriggerScan scan
    if not has_rules:
        table = &triggers_with_names if has_names else &triggers
    start_triggers(&scan, p, self.n, table, kernels.door == NULL)
    while self.cut < 0:
        i = next_trigger(&scan, i)
        if i >= stop:
            # What the scan looks for has three bytes.
            i = self.n - 2
            if has_rules and stop == self.n and i >= done and p[i] == c'/' and may_be_secret_at(p, i, self.n, done):
                done = redact_token(self, token_begin(p, i, done, self.n))
            return max(done, stop)
        if p[i] == c'#' and gap_length(p, i, self.n) > 0:
            i += gap_length(p, i, self.n)
        # What begins with the letter of an escape is not in a token.
        elif (may_be_secret_at(p, i, self.n, done) and not is_escaped_space(p, i, done)) or (
            has_names and may_end_own_name(self.urls.names, p, i, done, self.n, self.header.limit)
        ):
            i = redact_token(self, token_begin(p, i - 3 * is_after_path(p, i), done, self.n))
            done = i
        else:
            i += 1
    return self.cut


cdef void open_text(
    TextRedactor* self, Buffer* out, Buffer* decoded, const uint8_t* p, Py_ssize_t n, const Names* names,
    Py_ssize_t* counts, Buffer* spans
) noexcept nogil:
    memset(counts, 0, KINDS * sizeof(Py_ssize_t))
    open_redactor(&self.urls, names, out, decoded, p, counts)
    self.urls.spans = spans
    self.p = p
    self.n = n
    self.seen = 0
    self.quote = self.cut = -1
    self.is_in_list = False
    self.header.limit = PY_SSIZE_T_MAX
    memset(&self.header.breaks, 0, sizeof(self.header.breaks))
    forget_token(&self.token)


# Pushes a text without its secrets, or nothing if there are none; says which. `spans` gets each HiddenSpan, if it is not
# NULL.
cdef bint redact_text_into(
    Buffer* out, Buffer* decoded, const uint8_t* p, Py_ssize_t n, const Names* names, Buffer* spans
) noexcept nogil:
    cdef Py_ssize_t[<int> KINDS] counts
    cdef TextRedactor self
    open_text(&self, out, decoded, p, n, names, counts, spans)
    redact_tokens(&self, 0, n)
    out.status = out.status or decoded.status
    if self.urls.copied == 0:
        return False
    close_redactor(&self.urls, n)
    return True


# The bytes of a text: of a str, those of UTF-8, with lone surrogates as they are.
cdef object octets_of(object text):
    if isinstance(text, bytes):
        return bytes(text) if type(text) is bytes else bytes.__getitem__(text, slice(None))
    if not isinstance(text, str):
        raise wrong_type(text, "text must be a str or bytes")
    return str.encode(text, "utf-8", "surrogatepass")


def redact_text(text, policy="logs/1"):
    """redact_text(text, policy="logs/1")
--

    A text, such as lines of a log, without its secrets: `REDACTED` stands where they were.

    >>> redact_text('GET /reset?password=q8Zx HTTP/1.1" 200 "Authorization: Bearer 3f7a"')
    'GET /reset?password=REDACTED HTTP/1.1" 200 "Authorization: Bearer REDACTED"'

    `text` is a str or bytes, and so is the result. Everything else in the text stays as it is. If you redact the result
    again, it nearly never changes. The policy is the same as for `weburl.redact.redact`.
    """
    cdef LogPolicy used = log_policy_in_use(policy)
    cdef bytes octets
    cdef const uint8_t* p
    cdef Py_ssize_t n
    cdef uint8_t[1024] scratch, decoded_scratch
    cdef Buffer out, decoded
    cdef bint changed
    if type(text) is str and PyUnicode_IS_ASCII(text):
        p = <const uint8_t*> PyUnicode_DATA(text)
        n = PyUnicode_GET_LENGTH(text)
    else:
        octets = octets_of(text)
        p = octets
        n = len(octets)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&decoded, decoded_scratch, sizeof(decoded_scratch), PY_SSIZE_T_MAX)
    try:
        with nogil:
            changed = redact_text_into(&out, &decoded, p, n, &used.names, NULL)
        raise_for(&out)
        if isinstance(text, bytes):
            return PyBytes_FromStringAndSize(<const char*> out.data, out.length) if changed else octets
        if not changed:
            return text if type(text) is str else str.__str__(text)
        return out.data[:out.length].decode("utf-8", "surrogatepass")
    finally:
        release(&out)
        release(&decoded)


# HiddenSpans as tuples: from, to, and the name of the kind.
cdef list spans_of(const Buffer* spans):
    cdef HiddenSpan span
    cdef Py_ssize_t k
    cdef list found = []
    for k in range(spans.length // <Py_ssize_t> sizeof(HiddenSpan)):
        memcpy(&span, spans.data + k * <Py_ssize_t> sizeof(HiddenSpan), sizeof(HiddenSpan))
        found.append((span.begin, span.end, KIND_NAMES[<int> span.kind]))
    return found


def hidden_spans(text, policy):
    """Where secrets are in the bytes of a text: from, to, and the number of the kind."""
    cdef LogPolicy used = log_policy_in_use(policy)
    cdef bytes octets = octets_of(text)
    cdef uint8_t[1024] scratch, decoded_scratch, spans_scratch
    cdef Buffer out, decoded, spans
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&decoded, decoded_scratch, sizeof(decoded_scratch), PY_SSIZE_T_MAX)
    start(&spans, spans_scratch, sizeof(spans_scratch), PY_SSIZE_T_MAX)
    try:
        redact_text_into(&out, &decoded, octets, len(octets), &used.names, &spans)
        out.status = out.status or spans.status
        raise_for(&out)
        return octets, spans_of(&spans)
    finally:
        release(&out)
        release(&decoded)
        release(&spans)


# Texts that come in parts, such as files that are too large for memory.

@cython.final
cdef class TextParts:
    """TextParts(policy): redacts a text that comes in parts, as redact_text() does the whole text.

    >>> parts = TextParts("logs/1")
    >>> parts.redact(b"GET /?token=1 GET /?tok", 0, True), parts.cut
    (b'GET /?token=REDACTED GET ', 18)

    `cut` says up to where the text is decided. What follows must come again, before the next part. `is_header` says
    whether a header begins there, or the next text of its list.
    """

    cdef readonly LogPolicy policy
    cdef TextRedactor text
    cdef bytes data
    cdef Buffer out, decoded, spans
    cdef uint8_t[64] scratch, decoded_scratch, spans_scratch
    cdef Py_ssize_t[<int> KINDS] hidden
    cdef Py_ssize_t list_end    # where the last text of a list ends that may go on, or -1
    cdef readonly Py_ssize_t cut
    cdef readonly bint is_header

    def __cinit__(self, policy):
        self.policy = log_policy_in_use(policy)
        start(&self.out, self.scratch, sizeof(self.scratch), PY_SSIZE_T_MAX)
        start(&self.decoded, self.decoded_scratch, sizeof(self.decoded_scratch), PY_SSIZE_T_MAX)
        start(&self.spans, self.spans_scratch, sizeof(self.spans_scratch), PY_SSIZE_T_MAX)
        self.text.seen = 0
        self.list_end = self.text.quote = -1

    def __dealloc__(self):
        release(&self.out)
        release(&self.decoded)
        release(&self.spans)

    @property
    def header(self):
        """Of the header at `cut`: where its value begins, or -1; the byte before that, or 0; whether it is a list; and
        whether only the policy names it."""
        return self.text.header.value, self.text.header.quote, self.text.header.is_list, self.text.header.is_own

    def has_own_name(self, bytes text, bint at_end):
        """Whether a name of the policy is in a text, or at its end."""
        return has_own_name(&self.policy.names, text, len(text), at_end)

    def redact(self, bytes data, Py_ssize_t begin, bint more):
        """The text from `begin` to where it is decided if `more` follows."""
        cdef const uint8_t* p = data
        cdef Py_ssize_t n = len(data), end = begin, stop = n, k
        cdef Py_ssize_t seen = self.text.seen, quote = self.text.quote
        cdef Py_ssize_t[<int> KINDS] counts
        cdef Header* header = &self.text.header
        cdef HiddenSpan span
        cdef bint has_lines = n > 0 and p[n - 1] == c'\n', changed
        self.data = data
        self.out.length = self.spans.length = 0
        self.out.status = self.decoded.status = self.spans.status = OK
        open_text(&self.text, &self.out, &self.decoded, p, n, &self.policy.names, counts, &self.spans)
        self.text.seen = seen
        self.text.quote = quote
        self.text.urls.copied = begin
        with nogil:
            if more and has_lines:
                header.limit = n
            elif more:
                header.limit = n - LOOKAHEAD
                stop = before_request(p, begin, last_break(p, begin, n), n)
                stop = before_own_name(&self.policy.names, p, begin, stop, n)
            if self.list_end >= 0:
                header.is_open = False
                header.quote, header.depth = header.previous, header.previous_depth
                self.text.seen = redact_list(&self.text.urls, header, self.list_end, n)
                end = max(begin, self.text.seen)
                if header.is_open:
                    self.text.cut = self.text.seen
                    self.text.is_in_list = True
            end = max(begin, redact_tokens(&self.text, end, stop))
            self.list_end = -1
            if self.text.is_in_list:
                self.list_end = self.text.seen
                # Nothing but a comma follows it.
                end = n if has_lines else end
            changed = self.text.urls.copied > begin
            if changed:
                close_redactor(&self.text.urls, end)
            for k in range(self.spans.length // <Py_ssize_t> sizeof(HiddenSpan)):
                memcpy(&span, self.spans.data + k * <Py_ssize_t> sizeof(HiddenSpan), sizeof(HiddenSpan))
                self.hidden[<int> span.kind] += 1
        self.cut = end
        self.is_header = self.text.cut >= 0
        self.out.status = self.out.status or self.decoded.status or self.spans.status
        raise_for(&self.out)
        if not changed:
            return data if begin == 0 and end == n else data[begin:end]
        return PyBytes_FromStringAndSize(<const char*> self.out.data, self.out.length)

    @property
    def found(self):
        """What was hidden in the last part: from, to, and the kind."""
        return spans_of(&self.spans)

    @property
    def counts(self):
        """How often each kind was hidden."""
        return {name: self.hidden[<Py_ssize_t> k] for k, name in enumerate(KIND_NAMES) if self.hidden[<Py_ssize_t> k]}

    def needed(self):
        """Where the text begins that must come again, at most: before `cut`, or a text of a list."""
        return self.cut if self.list_end < 0 else min(self.cut, self.list_end)

    def move(self, Py_ssize_t begin):
        """Says that the next part begins with this one's text from `begin` on."""
        if self.text.seen < begin:
            self.text.quote = last_quote(&self.text, begin)
            self.text.seen = begin
        self.text.seen -= begin
        self.cut -= begin
        self.list_end -= begin if self.list_end >= 0 else 0
        self.data = None

    def restart(self, bint is_in_list):
        """Says that the next part is a new text, or that it begins where a value of a list ends."""
        self.text.header.previous, self.text.header.previous_depth = self.text.header.quote, self.text.header.depth
        self.text.seen = self.cut = 0
        self.text.quote = -1
        self.list_end = 0 if is_in_list else -1
        self.data = None
