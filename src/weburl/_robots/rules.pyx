"""The rules of a robots.txt for one crawler: read from the file, and asked about URLs. columns.pxi makes their
column."""

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memchr, memcmp, memset

from weburl._core.ascii cimport is_alpha, is_digit, to_lower
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push, push_run, release, start
from weburl._core.arguments import wrong_type
from weburl._core.percent cimport Utf8Text, close_utf8, open_utf8
from weburl._core.record cimport Record, URLView, has_opaque_path, view_text
from weburl._core.status cimport OK, Status
from weburl._parsed cimport ParsedURL, failure, resolve, snapshot, uninitialized

include "automaton_types.pxi"
include "automaton.pxi"


# How rules are compared with URLs.
cdef enum Mode:
    WHATWG
    RFC
    GOOGLE

MODES = {None: <int> WHATWG, "rfc9309": <int> RFC, "google": <int> GOOGLE}

# What a line is.
cdef enum Kind:
    ALLOW
    DISALLOW
    AGENT                       # one that is the crawler's
    SITEMAP
    CRAWL_DELAY
    CONTENT_SIGNAL
    CONTENT_USAGE
    OTHER
    FIRST_WARNING
    NO_COLON = FIRST_WARNING
    MISSING_COLON
    MISSPELT
    UNKNOWN_KEY
    NO_GROUP
    NO_SLASH
    HAS_NUL
    TOO_LONG_LINE
    TOO_MANY_RULES

KINDS = (
    "allow", "disallow", "user-agent", "sitemap", "crawl-delay", "content-signal", "content-usage", "other", "no-colon",
    "missing-colon", "misspelt", "unknown-key", "no-group", "no-slash", "nul", "too-long-line", "too-many-rules",
)

cdef enum:
    SPECIFIC = 1                # the group is the crawler's
    GLOBAL = 2                  # the group is that of all crawlers
    MOST_WARNINGS = 1000
    LONGEST_LINE = 16663        # Google's parser does not read further
    MOST_POOL = 1 << 30         # bytes of rules
    STACK_OUTCOMES = 256
    STACK_STARS = 32


# A line that says something: its value, or what the warning is about, is body[start:start + length].
ctypedef struct Entry:
    Py_ssize_t line
    Py_ssize_t start
    Py_ssize_t length
    uint8_t kind
    uint8_t groups


ctypedef struct Entries:
    Entry* data
    Py_ssize_t count
    Py_ssize_t capacity
    Py_ssize_t warnings
    bint no_memory


cdef void add_entry(
    Entries* self, int kind, int groups, Py_ssize_t line, Py_ssize_t start, Py_ssize_t length
) noexcept nogil:
    cdef Entry* entry
    cdef Entry* data
    if kind >= FIRST_WARNING:
        self.warnings += 1
        if self.warnings > MOST_WARNINGS:
            return
    if self.count == self.capacity:
        data = <Entry*> realloc(self.data, <size_t> (2 * self.capacity + 16) * sizeof(Entry))
        if data == NULL:
            self.no_memory = True
            return
        self.data = data
        self.capacity = 2 * self.capacity + 16
    entry = self.data + self.count
    self.count += 1
    entry.kind = <uint8_t> kind
    entry.groups = <uint8_t> groups
    entry.line = line
    entry.start = start
    entry.length = length


# Reading the file.

cdef inline bint is_space(uint8_t c) noexcept nogil:
    return c == c' ' or 9 <= c <= 13


cdef inline void strip(const uint8_t* p, Py_ssize_t* begin, Py_ssize_t* end) noexcept nogil:
    while begin[0] < end[0] and is_space(p[begin[0]]):
        begin[0] += 1
    while begin[0] < end[0] and is_space(p[end[0] - 1]):
        end[0] -= 1


# Whether a text begins with a word, which is in lower case; or is that word.
cdef bint begins_with(const uint8_t* p, Py_ssize_t n, const char* word, bint whole=False) noexcept nogil:
    cdef Py_ssize_t i = 0
    while word[i]:
        if i == n or to_lower(p[i]) != <uint8_t> word[i]:
            return False
        i += 1
    return i == n or not whole


cdef inline bint is_word(const uint8_t* p, Py_ssize_t n, const char* word) noexcept nogil:
    return begins_with(p, n, word, True)


# What a key means; `misspelt` where it is not written as it should be.
cdef int kind_of_key(const uint8_t* p, Py_ssize_t n, Mode mode, bint* misspelt) noexcept nogil:
    misspelt[0] = False
    if is_word(p, n, b"user-agent"):
        return AGENT
    if is_word(p, n, b"allow"):
        return ALLOW
    if is_word(p, n, b"disallow"):
        return DISALLOW
    if is_word(p, n, b"sitemap"):
        return SITEMAP
    if is_word(p, n, b"crawl-delay"):
        return CRAWL_DELAY
    if is_word(p, n, b"content-signal"):
        return CONTENT_SIGNAL
    if is_word(p, n, b"content-usage"):
        return CONTENT_USAGE
    if mode == RFC:
        return OTHER if is_other(p, n) else UNKNOWN_KEY
    misspelt[0] = True
    if begins_with(p, n, b"user-agent") or begins_with(p, n, b"useragent") or begins_with(p, n, b"user agent"):
        return AGENT
    if begins_with(p, n, b"allow"):
        return ALLOW
    if (
        begins_with(p, n, b"disallow") or begins_with(p, n, b"dissallow") or begins_with(p, n, b"dissalow")
        or begins_with(p, n, b"disalow") or begins_with(p, n, b"diasllow") or begins_with(p, n, b"disallaw")
    ):
        return DISALLOW
    if begins_with(p, n, b"sitemap") or begins_with(p, n, b"site-map"):
        return SITEMAP
    misspelt[0] = False
    return OTHER if is_other(p, n) else UNKNOWN_KEY


# Keys that other crawlers read.
cdef bint is_other(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return (
        is_word(p, n, b"host") or is_word(p, n, b"clean-param") or is_word(p, n, b"request-rate")
        or is_word(p, n, b"visit-time") or is_word(p, n, b"noindex")
    )


cdef inline bint is_token_byte(uint8_t c, Mode mode) noexcept nogil:
    return is_alpha(c) or c == c'-' or c == c'_' or (mode == WHATWG and is_digit(c))


ctypedef struct FileReader:
    const uint8_t* p
    Py_ssize_t n
    const uint8_t* agent
    Py_ssize_t agent_length
    Mode mode
    Entries entries
    int groups                  # that the lines belong to
    bint seen_agent
    bint seen_rule              # in the group
    bint is_named               # some group is the crawler's


cdef void read_agent(FileReader* self, Py_ssize_t line, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t i = begin, k
    self.seen_agent = True
    if self.seen_rule:
        self.groups = 0
        self.seen_rule = False
    if begin < end and p[begin] == c'*' and (end - begin == 1 or is_space(p[begin + 1])):
        self.groups |= GLOBAL
        add_entry(&self.entries, AGENT, GLOBAL, line, begin, end - begin)
        return
    while i < end and is_token_byte(p[i], self.mode):
        i += 1
    if i - begin != self.agent_length:
        return
    for k in range(i - begin):
        if to_lower(p[begin + k]) != to_lower(self.agent[k]):
            return
    self.groups |= SPECIFIC
    self.is_named = True
    add_entry(&self.entries, AGENT, SPECIFIC, line, begin, end - begin)


cdef void read_line(FileReader* self, Py_ssize_t line, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Entries* entries = &self.entries
    cdef const uint8_t* p = self.p
    cdef const uint8_t* found
    cdef Py_ssize_t key_begin, key_end, whole = end, i
    cdef int kind
    cdef bint misspelt
    if begin == end:
        return
    if self.mode == GOOGLE and end - begin > LONGEST_LINE:
        end = begin + LONGEST_LINE
        add_entry(entries, TOO_LONG_LINE, 0, line, begin, whole - begin)
    found = <const uint8_t*> memchr(p + begin, 0, end - begin)
    if found != NULL:
        add_entry(entries, HAS_NUL, 0, line, begin, end - begin)
        end = found - p
    found = <const uint8_t*> memchr(p + begin, c'#', end - begin)
    if found != NULL:
        end = found - p
    strip(p, &begin, &end)
    if begin == end:
        return
    whole = end
    key_begin = begin
    found = <const uint8_t*> memchr(p + begin, c':', end - begin)
    if found != NULL:
        key_end = found - p
        begin = key_end + 1
    else:
        key_end = begin
        while key_end < end and p[key_end] != c' ' and p[key_end] != c'\t':
            key_end += 1
        begin = key_end
        while begin < end and (p[begin] == c' ' or p[begin] == c'\t'):
            begin += 1
        i = begin
        while i < end and p[i] != c' ' and p[i] != c'\t':
            i += 1
        if key_end == end or i < end or self.mode == RFC:
            add_entry(entries, NO_COLON, 0, line, key_begin, whole - key_begin)
            return
    strip(p, &key_begin, &key_end)
    strip(p, &begin, &end)
    if key_begin == key_end:
        add_entry(entries, UNKNOWN_KEY, 0, line, begin, end - begin)
        return
    kind = kind_of_key(p + key_begin, key_end - key_begin, self.mode, &misspelt)
    if kind == UNKNOWN_KEY:
        add_entry(entries, kind, 0, line, key_begin, whole - key_begin)
        return
    if found == NULL:
        add_entry(entries, MISSING_COLON, 0, line, key_begin, whole - key_begin)
    if misspelt:
        add_entry(entries, MISSPELT, 0, line, key_begin, whole - key_begin)
    if kind == AGENT:
        read_agent(self, line, begin, end)
    elif kind == SITEMAP:
        add_entry(entries, kind, 0, line, begin, end - begin)
    elif kind == ALLOW or kind == DISALLOW:
        if not self.seen_agent:
            add_entry(entries, NO_GROUP, 0, line, key_begin, whole - key_begin)
        elif begin < end and p[begin] != c'/' and p[begin] != c'*':
            add_entry(entries, NO_SLASH, 0, line, key_begin, whole - key_begin)
        self.seen_rule = True
        if self.groups and begin < end:
            add_entry(entries, kind, self.groups, line, begin, end - begin)
    elif kind != OTHER and self.groups:
        add_entry(entries, kind, self.groups, line, begin, end - begin)


cdef void read_file(FileReader* self) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t n = self.n, i = 0, begin, line = 0
    cdef bint after_return = False
    # A byte order mark, or the first bytes of one.
    while i < 3 and i < n and p[i] == (<const uint8_t*> b"\xEF\xBB\xBF")[i]:
        i += 1
    begin = i
    while True:
        while i < n and p[i] != c'\n' and p[i] != c'\r':
            i += 1
        if i == n:
            break
        if not (i == begin and after_return and p[i] == c'\n'):
            line += 1
            read_line(self, line, begin, i)
        after_return = p[i] == c'\r'
        i += 1
        begin = i
    read_line(self, line + 1, begin, n)


# Deciding about URLs.

cdef enum:
    ALWAYS = -1                 # allowed, whatever the rules are
    FAILED = -2                 # memory has run out


cdef inline bint is_robots_txt(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return n == 11 and memcmp(p, b"/robots.txt", 11) == 0


# The rank of the rule that decides about a path with its query, or one of the above. `out` has room for a spelling.
cdef int64_t rank_of_path(
    const Automaton* self, const uint8_t* p, Py_ssize_t n, Buffer* out, Scratch* scratch
) noexcept nogil:
    cdef const uint8_t* spelt = p
    cdef Py_ssize_t length = n
    cdef int64_t best
    out.length = 0
    if n == 0 or p[0] != c'/':
        push(out, c'/')
    if out.length or not is_spelt(p, n):
        push_spelt(out, p, n, False, PLAIN)
        spelt = out.data
        length = out.length
        if out.status:
            return FAILED
    if is_robots_txt(spelt, length):
        return ALWAYS
    best = best_rank(self, spelt, length, scratch)
    # A rule can have the delimiters of a query as they are, or escaped.
    if self.has_marks:
        out.length = 0
        if n == 0 or p[0] != c'/':
            push(out, c'/')
        push_spelt(out, p, n, False, MARKED)
        if out.status:
            return FAILED
        if is_marked(out):
            best = max(best, best_rank(self, out.data, out.length, scratch))
    return best


cdef int64_t rank_of_record(
    const Automaton* self, const uint8_t* href, Py_ssize_t length, const Record* record, Buffer* out, Scratch* scratch
) noexcept nogil:
    cdef Py_ssize_t end = min(<Py_ssize_t> record.fragment_start, length)
    if record.host_type == 0 and has_opaque_path(href, length, record):
        return 0
    return rank_of_path(self, href + record.path_start, end - record.path_start, out, scratch)


cdef inline Py_ssize_t find_any(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    while i < n and p[i] not in (c'/', c'?', c';'):
        i += 1
    return i


# Where the path begins in the text of a URL, without a parser: as Google's parser finds it, which takes any text.
cdef Py_ssize_t find_path(const uint8_t* p, Py_ssize_t n, Py_ssize_t* end) noexcept nogil:
    cdef Py_ssize_t begin = 2 if n >= 2 and p[0] == c'/' and p[1] == c'/' else 0
    cdef Py_ssize_t early = find_any(p, begin, n), colon = begin
    cdef const uint8_t* hash = <const uint8_t*> memchr(p + begin, c'#', n - begin) if n > begin else NULL
    end[0] = hash - p if hash != NULL else n
    # The first "://" counts if nothing of a path is before it; its slash is the first then.
    if early < n and p[early] == c'/' and early > begin and early + 1 < n and p[early + 1] == c'/' and p[early - 1] == c':':
        colon = early + 2
        early = find_any(p, colon, n)
    return early if early < n and early <= end[0] else n


# The rank for the text of a URL.
cdef int64_t rank_of_text(
    const Automaton* self, Mode mode, const uint8_t* p, Py_ssize_t n, Buffer* out, Scratch* scratch
) noexcept nogil:
    cdef Py_ssize_t end = n, begin = find_path(p, n, &end)
    cdef const uint8_t* found
    if begin == n:
        return rank_of_path(self, b"/", 1, out, scratch)
    if mode != GOOGLE:
        return rank_of_path(self, p + begin, end - begin, out, scratch)
    found = <const uint8_t*> memchr(p + begin, 0, end - begin)
    if found != NULL:
        end = found - p
    if p[begin] == c'/':
        return best_rank(self, p + begin, end - begin, scratch)
    out.length = 0
    push(out, c'/')
    push_run(out, p + begin, end - begin)
    return FAILED if out.status else best_rank(self, out.data, out.length, scratch)


cdef inline bint allows(const Automaton* self, int64_t rank) noexcept nogil:
    return rank <= 0 or rule_of(self, rank).allows


# Google's parser reads "Allow: /a/index.html" as "Allow: /a/$", too.
cdef bint add_index(Builder* self, const Entry* entry, Buffer* spelt) noexcept nogil:
    cdef Py_ssize_t i = spelt.length
    while i and spelt.data[i - 1] != c'/':
        i -= 1
    if i == 0 or spelt.length - i < 9 or memcmp(spelt.data + i, b"index.htm", 9) != 0:
        return True
    spelt.length = i
    push(spelt, c'$')
    return spelt.status == OK and add_rule(
        self, spelt.data, spelt.length, True, entry.line, entry.start, entry.length
    )


# Whether a star stands before the first "?" of a rule, and can thus stand for that of a URL.
cdef bint hides_query(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef const uint8_t* query = <const uint8_t*> memchr(p, c'?', n)
    return query != NULL and memchr(p, c'*', query - p) != NULL


# Adds a rule that has marks again, in another spelling. It counts as much as before.
cdef bint add_again(Builder* self, const uint8_t* body, const Entry* entry, Buffer* spelt, Marks marks) noexcept nogil:
    cdef Automaton* made = self.made
    cdef Py_ssize_t count = made.count
    spelt.length = 0
    push_spelt(spelt, body + entry.start, entry.length, True, marks)
    if spelt.status != OK or not add_rule(
        self, spelt.data, spelt.length, entry.kind == ALLOW, entry.line, entry.start, entry.length
    ):
        return False
    if made.count > count:
        made.rules[count].rank = made.rules[count - 1].rank
    return True


# Makes the automaton of the rules in the groups; false if memory runs out.
cdef bint build_rules(Automaton* made, const uint8_t* body, Entries* entries, int groups, Mode mode) noexcept nogil:
    cdef Builder builder
    cdef Buffer spelt
    cdef uint8_t[512] scratch
    cdef const Entry* entry
    cdef Py_ssize_t k, count = 0, length = 0
    cdef bint done
    for k in range(entries.count):
        count += entries.data[k].kind <= DISALLOW and (entries.data[k].groups & groups) != 0
    # Some are added three times.
    count *= 3
    start(&spelt, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    done = open_builder(&builder, made, count)
    for k in range(entries.count):
        entry = entries.data + k
        if not done:
            break
        if entry.kind > DISALLOW or not entry.groups & groups:
            continue
        length += 3 * entry.length + 2
        if length > MOST_POOL:
            add_entry(entries, TOO_MANY_RULES, 0, entry.line, entry.start, 0)
            break
        spelt.length = 0
        if mode == GOOGLE:
            push_as_google(&spelt, body + entry.start, entry.length)
        else:
            push_spelt(&spelt, body + entry.start, entry.length, True, MARKED)
        done = spelt.status == OK and add_rule(
            &builder, spelt.data, spelt.length, entry.kind == ALLOW, entry.line, entry.start, entry.length
        )
        if done and mode == GOOGLE and entry.kind == ALLOW:
            done = add_index(&builder, entry, &spelt)
        elif done and mode != GOOGLE and made.has_marks and is_marked(&spelt):
            done = add_again(&builder, body, entry, &spelt, PLAIN) and (
                not hides_query(body + entry.start, entry.length)
                or add_again(&builder, body, entry, &spelt, ALL_MARKED)
            )
    done = done and build(&builder)
    close_builder(&builder)
    release(&spelt)
    return done


@cython.final
@cython.no_gc
cdef class Rules:
    """Rules(body, agent, mode, lines=None)

    What a robots.txt says to a crawler. `lines` are the numbers of the lines, if they are not counted from 1.
    """

    cdef Automaton automaton
    cdef Mode mode
    cdef bytes texts            # of the rules
    cdef readonly bint is_named
    cdef readonly list entries  # lines that are not rules: kind, number, text; warnings among them
    cdef readonly Py_ssize_t warning_count
    cdef Py_ssize_t count       # of the rules as the file has them

    def __cinit__(self, bytes body not None, bytes agent not None, int mode, lines=None):
        cdef FileReader reader
        cdef bint done
        cdef int groups
        cdef const Entry* entry
        cdef Rule* rule
        cdef Py_ssize_t k, length, source = -1
        cdef list texts = []
        memset(&reader, 0, sizeof(reader))
        reader.p = <const uint8_t*> <const char*> body
        reader.n = len(body)
        reader.agent = <const uint8_t*> <const char*> agent
        reader.agent_length = len(agent)
        reader.mode = self.mode = <Mode> mode
        try:
            with nogil:
                read_file(&reader)
                groups = SPECIFIC if reader.is_named else GLOBAL
                done = not reader.entries.no_memory and build_rules(
                    &self.automaton, reader.p, &reader.entries, groups, reader.mode
                )
            if not done or reader.entries.no_memory:
                raise MemoryError
            self.is_named = reader.is_named
            self.warning_count = reader.entries.warnings
            self.entries = []
            for k in range(reader.entries.count):
                entry = reader.entries.data + k
                if entry.kind > DISALLOW and (entry.groups == 0 or entry.groups & groups):
                    # What a warning is about can have any length.
                    length = min(entry.length, 200) if entry.kind >= FIRST_WARNING else entry.length
                    text = body[entry.start:entry.start + length]
                    self.entries.append((KINDS[entry.kind], entry.line, text.decode("utf-8", "replace")))
            # Only the texts of rules stay in memory.
            length = 0
            for k in range(self.automaton.count):
                rule = self.automaton.rules + k
                # One that was added for another has the same place.
                if rule.start == source:
                    rule.start = length - rule.length
                else:
                    source = rule.start
                    texts.append(body[source:source + rule.length])
                    rule.start = length
                    length += rule.length
                    self.count += 1
                if lines is not None:
                    rule.line = lines[rule.line - 1]
            self.texts = b"".join(texts)
        finally:
            free(reader.entries.data)

    def __dealloc__(self):
        close_automaton(&self.automaton)

    def __len__(self):
        return self.count

    def rule(self, Py_ssize_t index):
        """A rule: the number of its line, whether it allows, and its text."""
        cdef const Rule* rule
        if not 0 <= index < self.automaton.count:
            raise IndexError(index)
        rule = self.automaton.rules + index
        return rule.line, bool(rule.allows), self.texts[rule.start:rule.start + rule.length].decode("utf-8", "replace")

    def lines(self):
        """The rules as the lines of a file, and their numbers."""
        cdef const Rule* rule
        cdef list texts = [], numbers = []
        cdef Py_ssize_t k
        for k in range(self.automaton.count):
            rule = self.automaton.rules + k
            if k == 0 or rule.start != (rule - 1).start:
                texts.append(b"allow:" if rule.allows else b"disallow:")
                texts.append(self.texts[rule.start:rule.start + rule.length])
                texts.append(b"\n")
                numbers.append(rule.line)
        return b"".join(texts), numbers

    def allowed(self, url, base=None):
        """Whether the rules allow a URL."""
        return bool(allows(&self.automaton, decide(self, url, base)))

    def find(self, url, base=None):
        """The number of the rule that decides, or None."""
        cdef int64_t rank = decide(self, url, base)
        return None if rank <= 0 else MOST_RULES - (rank & MOST_RULES)

    def __reduce__(self):
        raise TypeError("cannot pickle Rules")


# The rank of the rule for a URL.
cdef int64_t decide(Rules self, object url, object base) except? FAILED:
    cdef const Automaton* automaton = &self.automaton
    cdef Record record
    cdef Status status = OK
    cdef Utf8Text utf8
    cdef Scratch scratch
    cdef uint32_t[STACK_OUTCOMES] visited
    cdef Job[STACK_STARS] jobs
    cdef Buffer out
    cdef uint8_t[512] bytes_of_out
    cdef URLView view
    cdef int64_t rank
    cdef str href = None
    if isinstance(url, ParsedURL) and base is None:
        href = snapshot(<ParsedURL> url, &record)
        if href == "":
            raise uninitialized(<ParsedURL> url)
    elif self.mode == WHATWG or base is not None:
        href = resolve(url, base, "utf-8", &record, &status)
        if href is None:
            raise failure(url, base, status)
    elif not isinstance(url, str):
        raise wrong_type(url, "url must be a str or a URL")
    scratch.visited = visited
    scratch.jobs = jobs
    scratch.match = 0
    if automaton.n_stars:
        if automaton.n_outcomes > STACK_OUTCOMES or automaton.n_stars > STACK_STARS:
            scratch.jobs = <Job*> calloc(
                automaton.n_stars * sizeof(Job) + automaton.n_outcomes * sizeof(uint32_t), 1
            )
            if scratch.jobs == NULL:
                raise MemoryError
            scratch.visited = <uint32_t*> (scratch.jobs + automaton.n_stars)
        else:
            memset(visited, 0, automaton.n_outcomes * sizeof(uint32_t))
    start(&out, bytes_of_out, sizeof(bytes_of_out), PY_SSIZE_T_MAX)
    try:
        if href is not None:
            view_text(&view, href, &record)
            if self.mode == WHATWG:
                rank = rank_of_record(automaton, view.href, view.length, &record, &out, &scratch)
            else:
                rank = rank_of_text(automaton, self.mode, view.href, view.length, &out, &scratch)
        else:
            open_utf8(&utf8, url)
            rank = rank_of_text(automaton, self.mode, utf8.data, utf8.length, &out, &scratch)
            close_utf8(&utf8)
        if rank == FAILED:
            raise MemoryError
        return rank
    finally:
        release(&out)
        if scratch.jobs != jobs:
            free(scratch.jobs)


def path_of(bytes url not None):
    """The path and the query in the text of a URL."""
    cdef Py_ssize_t end = 0, begin = find_path(<const uint8_t*> <const char*> url, len(url), &end)
    return url[begin:max(begin, end)]


def spelt(bytes path not None):
    """A path as rules are compared with it."""
    cdef Buffer out
    cdef uint8_t[512] scratch
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    push_spelt(&out, <const uint8_t*> <const char*> path, len(path), False, PLAIN)
    try:
        if out.status:
            raise MemoryError
        return out.data[:out.length]
    finally:
        release(&out)


include "columns.pxi"
