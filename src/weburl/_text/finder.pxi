# A part of spans.pyx: where URLs begin and end in a text. docs/text.md has the rules.

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memchr, memcmp, memset

from weburl._core.ascii cimport SET_FRAGMENT, is_alpha, is_ascii, is_digit, to_lower
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push, push_run, release, start
from weburl._core.host cimport HOST_DOMAIN
from weburl._core.parser cimport PATH_END_STATE, SCHEME_START_STATE, State, close_parser, length_limit
from weburl._core.percent cimport is_utf8, kernels, push_decoded
from weburl._core.record cimport Record
from weburl._core.status cimport HOST_MISSING, NO_MEMORY, OK, Status
from weburl._core.texts cimport open_at, read_prefix
from weburl._hosts.suffixes cimport PublicSuffixList, Site, Suffixes, find_site, has_listed_end, list_in_use

from weburl._hosts.schemes import parse_schemes

cdef extern from "find.h" nogil:
    const uint16_t ENDS "FIND_ENDS", ESCAPES "FIND_ESCAPES", HIGH "FIND_HIGH", DELIMITER "FIND_DELIMITER"
    const uint16_t NOT_HOST "FIND_NOT_HOST", NOT_DOMAIN "FIND_NOT_DOMAIN", BRACKET "FIND_BRACKET"
    const uint16_t TRIMMED "FIND_TRIMMED", WORD "FIND_WORD", NOT_BEFORE_WWW "FIND_NOT_BEFORE_WWW"
    const uint16_t NOT_BEFORE_BARE "FIND_NOT_BEFORE_BARE"
    Py_ssize_t find_url_mark(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint8_t second, uint8_t third) noexcept
    bint is_wide_space(const uint8_t* p, Py_ssize_t n) noexcept
    int read_token(const FindOptions* options, const uint8_t* p, Py_ssize_t n, uint8_t* out, int* size) noexcept
    int read_hex(const uint8_t* p, Py_ssize_t n) noexcept
    FindPunctuation wide_punctuation(const uint8_t* p, Py_ssize_t n) noexcept


# Of Cython, a character is not an index.
cdef enum:
    AMPERSAND = 0x26
    APOSTROPHE = 0x27
    BACKSLASH = 0x5C
    BAR = 0x7C


# Those whose host must not be empty.
cdef frozenset WITH_HOST = frozenset((b"http", b"https", b"ws", b"wss", b"ftp"))
SYNTAXES = ("text", "json", "html", "markdown", "shell")


cdef class FindRules:
    """FindRules(schemes, bare, syntax, defanged)

    What URLs are looked for in a text.
    """

    def __cinit__(self, schemes, bint bare, syntax, bint defanged):
        cdef FindOptions* options = &self.options
        cdef FindScheme* each
        cdef bytes memory
        cdef list names, others, kept
        if syntax not in SYNTAXES:
            from weburl._diagnosis.messages import shown_argument

            raise ValueError(f"syntax must be one of {', '.join(SYNTAXES)}, not {shown_argument(syntax)}")
        names = [scheme.encode() for scheme in sorted(parse_schemes(schemes), key=len, reverse=True)]
        others = [name.replace(b"t", b"x") if name in (b"http", b"https", b"ftp") else None for name in names]
        memory = bytes(max(1, len(names)) * sizeof(FindScheme))
        kept = [memory, names, others]
        options.schemes = each = <FindScheme*> <char*> memory
        options.n_schemes = <int> len(names)
        for name, other in zip(names, others):
            each.name = <const uint8_t*> <char*> (<bytes> name)
            each.other = NULL
            if other is not None:
                each.other = <const uint8_t*> <char*> (<bytes> other)
            each.length = len(name)
            each.is_special = name in WITH_HOST
            each += 1
        options.syntax = <FindSyntax> <int> SYNTAXES.index(syntax)
        options.defanged = defanged
        options.is_plain = options.syntax == FIND_TEXT and not defanged
        options.suffixes = NULL
        if bare:
            kept.append(list_in_use(None))
            options.suffixes = <const void*> &(<PublicSuffixList> kept[3]).suffixes
        options.second = c'/' if options.syntax == FIND_TEXT else c'&' if options.syntax == FIND_HTML else c'\\'
        options.third = c']' if defanged else c'/'
        fill_classes(options)
        self.kept = kept
        self.arguments = (tuple([name.decode() for name in names]), bare, str(syntax), defanged)


cdef int fill_classes(FindOptions* options) except -1:
    cdef uint16_t* classes = options.classes
    cdef int c
    for c in range(256):
        classes[c] = 0
        if c <= 0x20 or c == 0x7F or chr(c) in '<>"`':
            classes[c] |= ENDS
        if c in (0xC2, 0xE1, 0xE2, 0xE3, 0xEF):
            classes[c] |= HIGH
        if not (c > 0x7F or chr(c).isalnum()):
            if c not in b"-._":
                classes[c] |= NOT_DOMAIN
            if c not in b"-._%:":
                classes[c] |= NOT_HOST
        if c < 0x80 and chr(c).isalnum():
            classes[c] |= WORD | NOT_BEFORE_WWW | NOT_BEFORE_BARE
    for byte in b"/?#\\":
        classes[<int> byte] |= DELIMITER
    for byte in b".,;:!?'*":
        classes[<int> byte] |= TRIMMED
    for byte in b".-@/\\+":
        classes[<int> byte] |= NOT_BEFORE_WWW
    for byte in b"@/\\%+&#$":
        classes[<int> byte] |= NOT_BEFORE_BARE
    if options.syntax == FIND_JSON:
        classes[BACKSLASH] |= ESCAPES
    elif options.syntax == FIND_HTML:
        classes[AMPERSAND] |= ESCAPES
        classes[APOSTROPHE] |= ENDS
    elif options.syntax == FIND_MARKDOWN:
        classes[BACKSLASH] |= ESCAPES
        classes[BAR] |= ENDS
        for byte in b"()[]":
            classes[<int> byte] |= BRACKET
        for byte in b"_~":
            classes[<int> byte] |= TRIMMED
    elif options.syntax == FIND_SHELL:
        classes[BACKSLASH] |= ESCAPES
        for byte in b"'|":
            classes[<int> byte] |= ENDS
    if options.defanged:
        for byte in b"([{":
            classes[<int> byte] |= ESCAPES
    return 0


# Steps of a URL.

# In a URL, one that is written as hxxps[:]// has its scheme again. Its colon is at i, and `out` has what is before that.
cdef void restore_scheme(Buffer* out, const Finder* self, Py_ssize_t i) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef const FindScheme* scheme
    if not self.options.defanged or self.n - i < 5 or memcmp(p + i, b"[:]//", 5) != 0:
        return
    scheme = scheme_before(self, i, 0)
    if scheme != NULL and scheme.other != NULL and out.length >= scheme.length:
        out.length -= scheme.length
        push_scheme(out, p + i - scheme.length, scheme.length)


# Goes on from i to the end of a URL, or to a byte of the class `stops`; `out` gets what the bytes stand for, if it is not
# NULL.
cdef Py_ssize_t walk(Finder* self, Py_ssize_t i, uint16_t stops, Buffer* out) noexcept nogil:
    cdef const FindOptions* options = self.options
    cdef const uint16_t* classes = &options.classes[0]
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t n = self.n, begin = i
    cdef Py_ssize_t* depth
    cdef uint8_t[4] token
    cdef uint16_t looks = <uint16_t> (
        ENDS | ESCAPES | HIGH | stops | (BRACKET if options.syntax == FIND_MARKDOWN else 0)
    )
    cdef int length, size
    self.delimiter = 0
    # What does not end a URL, as most of it does not in most texts.
    if stops == 0 and options.syntax == FIND_TEXT and not options.defanged and i < n:
        i = kernels.run(p, i, n, SET_FRAGMENT)
    while i < n:
        if not classes[p[i]] & looks:
            i += 1
            continue
        length = read_token(options, p + i, n - i, token, &size)
        if length == 0:
            break
        if stops & NOT_HOST and wide_punctuation(p + i, n - i) if length == 1 else stops & NOT_HOST and wide_punctuation(token, size):
            break
        if size == 1 and classes[token[0]] & stops:
            if classes[token[0]] & DELIMITER:
                self.delimiter = token[0]
            break
        if length == 1 and looks & BRACKET and classes[p[i]] & BRACKET:
            depth = &self.depths[p[i] == c'[' or p[i] == c']']
            if p[i] == c'(' or p[i] == c'[':
                depth[0] += 1
            elif depth[0] == 0:
                break
            else:
                depth[0] -= 1
        if out != NULL and length > 1:
            push_run(out, p + begin, i - begin)
            restore_scheme(out, self, i)
            push_run(out, token, size)
            begin = i + length
        i += length
    if out != NULL:
        push_run(out, p + begin, i - begin)
    return i


# How many more closing than opening brackets there are.
cdef Py_ssize_t excess_of(
    const uint8_t* p, Py_ssize_t n, const uint8_t* opening, const uint8_t* closing, Py_ssize_t size
) noexcept nogil:
    cdef Py_ssize_t i, excess = 0
    for i in range(n - size + 1):
        if p[i + size - 1] == closing[size - 1] and memcmp(p + i, closing, size) == 0:
            excess += 1
        elif p[i + size - 1] == opening[size - 1] and memcmp(p + i, opening, size) == 0:
            excess -= 1
    return excess


# The end of p[begin:end] without what is not the end of a URL; not before `least`.
cdef Py_ssize_t trim(
    const FindOptions* options, const uint8_t* p, Py_ssize_t begin, Py_ssize_t least, Py_ssize_t end
) noexcept nogil:
    cdef Py_ssize_t[16] excess
    cdef uint8_t[3] opening
    cdef uint16_t counted = 0
    cdef Py_ssize_t size
    cdef int kind
    cdef uint8_t c
    while end > least:
        c = p[end - 1]
        if options.classes[c] & TRIMMED:
            end -= 1
            continue
        size = 1
        if c == c')':
            kind = 0
            opening[0] = c'('
        elif c == c']' or c == c'}':
            kind = 1 + (c == c'}')
            opening[0] = <uint8_t> (c - 2)
        elif c < 0x80:
            break
        elif end - 2 >= least and wide_punctuation(p + end - 2, 2) == FIND_MARK:
            end -= 2
            continue
        elif end - 3 < least:
            break
        elif wide_punctuation(p + end - 3, 3) == FIND_MARK:
            end -= 3
            continue
        elif wide_punctuation(p + end - 3, 3) == FIND_CLOSING:
            # The last byte tells them apart: 0x89 of two blocks.
            kind = <int> (3 + ((c - 0x89) >> 1) if p[end - 3] == 0xE3 else 15)
            size = 3
            opening[0] = p[end - 3]
            opening[1] = p[end - 2]
            opening[2] = <uint8_t> (c - 1)
        else:
            break
        if not counted >> kind & 1:
            counted |= <uint16_t> (1 << kind)
            excess[kind] = excess_of(p + begin, end - begin, opening, p + end - size, size)
        if excess[kind] <= 0:
            break
        excess[kind] -= 1
        end -= size
    return end


# Runs the parser over a URL. What it has found stays there until the next one.
cdef Status read_url(Finder* self, const uint8_t* p, Py_ssize_t n, bint host_only, bint keeps) noexcept nogil:
    cdef Record record
    cdef Py_ssize_t known = 0
    cdef State state = SCHEME_START_STATE
    cdef Status status = OK
    if self.is_open:
        close_parser(&self.parser)
        self.is_open = False
    state = read_prefix(p, n, host_only, &record, &known)
    if state == PATH_END_STATE and not keeps:
        return OK
    if not is_ascii(p, n) and not is_utf8(p, n):
        self.repaired.length = 0
        push_decoded(&self.repaired, p, n, True)
        if self.repaired.status:
            return NO_MEMORY
        p = self.repaired.data
        n = self.repaired.length
        state = read_prefix(p, n, host_only, &record, &known)
    self.is_open = True
    if not open_at(&self.parser, p, n, NULL, True, host_only, state, known, &record):
        status = self.run(self.context, &self.parser)
    return status


# Where p[i:n] has what cannot be in a host with its port.
cdef Py_ssize_t host_end(const FindOptions* options, const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef const uint16_t* classes = &options.classes[0]
    cdef const uint8_t* close
    if i < n and p[i] == c'[':
        close = <const uint8_t*> memchr(p + i, c']', n - i)
        if close == NULL:
            return n
        i = close - p + 1
    while True:
        while i < n and not classes[p[i]] & (NOT_HOST | HIGH):
            i += 1
        if i == n or classes[p[i]] & NOT_HOST or wide_punctuation(p + i, n - i) or is_wide_space(p + i, n - i):
            break
        i += 1
    return i


# Pushes the scheme of a URL, as it was before it was defanged.
cdef void push_scheme(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        push(out, c't' if p[i] == c'x' else c'T' if p[i] == c'X' else p[i])


# The scheme of a candidate, as it was before it was defanged, and what follows it.
cdef void push_start(Buffer* out, Finder* self, const Candidate* candidate) noexcept nogil:
    cdef const FindScheme* scheme
    if candidate.kind != SCHEME:
        push_run(out, <const uint8_t*> b"http://", 7)
        return
    scheme = &self.options.schemes[candidate.scheme]
    if self.options.defanged and scheme.other != NULL:
        push_scheme(out, self.p + candidate.start, scheme.length)
    else:
        push_run(out, self.p + candidate.start, scheme.length)
    push_run(out, <const uint8_t*> b"://", 3)


# Whether a candidate is a URL, as far as its authority goes.
cdef Status check(Finder* self, Candidate* candidate) noexcept nogil:
    cdef const FindOptions* options = self.options
    cdef bint is_special = candidate.kind != SCHEME or options.schemes[candidate.scheme].is_special
    cdef Py_ssize_t i = candidate.after, end, at, host
    cdef const uint8_t* p = self.p
    cdef Buffer* out = NULL
    cdef uint8_t[4] token
    cdef int length, size
    cdef bint is_host = False, may_be_host
    candidate.base = candidate.start
    candidate.authority = i
    self.depths[0] = self.depths[1] = 0
    if candidate.kind != SCHEME or not options.is_plain:
        out = &self.decoded
        out.length = 0
        push_start(out, self, candidate)
        candidate.base = 0
        candidate.authority = out.length
    # Between a special scheme and its host there may be more of them.
    while candidate.kind == SCHEME and is_special and i < self.n:
        length = read_token(options, p + i, self.n - i, token, &size)
        if length == 0 or token[0] != c'/' and token[0] != c'\\':
            break
        if out != NULL:
            push(out, token[0])
        else:
            candidate.authority += 1
        i += length
    if out != NULL:
        candidate.authority = out.length
    # Most authorities are a host, with a port or without.
    may_be_host = out == NULL and i < self.n and p[i] != c'['
    end = host_end(options, p, i, self.n) if may_be_host else 0
    if may_be_host and (end == self.n or options.classes[p[end]] & (DELIMITER | ENDS)):
        is_host = True
        self.delimiter = p[end] if end < self.n and options.classes[p[end]] & DELIMITER else 0
        i = end
    else:
        i = walk(self, i, DELIMITER if candidate.kind == SCHEME else DELIMITER | NOT_HOST, out)
    candidate.goes_on = self.delimiter != 0 and (is_special or self.delimiter != c'\\')
    candidate.stop = i
    end = i
    if out != NULL:
        if out.status:
            return NO_MEMORY
        p = out.data
        end = out.length
    host = candidate.authority
    if is_host:
        pass
    elif candidate.kind == SCHEME:
        at = end
        while at > host and p[at - 1] != c'@':
            at -= 1
        host = host_end(options, p, at, end)
        if host < end:
            end = host
            candidate.goes_on = False
    elif i < self.n and self.p[i] == c'@':
        return HOST_MISSING
    if not candidate.goes_on:
        end = trim(options, p, candidate.base, candidate.authority, end)
    candidate.authority_end = end
    if end == candidate.authority and (is_special or not candidate.goes_on):
        return HOST_MISSING
    return read_url(self, p + candidate.base, end - candidate.base, True, False)


# Where in the input a candidate's decoded bytes end.
cdef Py_ssize_t place_of(Finder* self, Py_ssize_t i, Py_ssize_t decoded) noexcept nogil:
    cdef uint8_t[4] token
    cdef int length, size
    while decoded > 0:
        length = read_token(self.options, self.p + i, self.n - i, token, &size)
        i += length
        decoded -= size
    return i


# Goes on to the end of a URL whose authority has been checked.
cdef Status complete(Finder* self, Candidate* candidate) noexcept nogil:
    cdef bint is_plain = candidate.kind == SCHEME and self.options.is_plain
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t end = candidate.authority_end, begin
    cdef Status status
    if candidate.goes_on:
        if is_plain:
            end = walk(self, candidate.stop, 0, NULL)
        else:
            walk(self, candidate.stop, 0, &self.decoded)
            end = self.decoded.length
    if not is_plain:
        if self.decoded.status:
            return NO_MEMORY
        p = self.decoded.data
    if candidate.goes_on:
        end = trim(self.options, p, candidate.base, candidate.authority, end)
        if end == candidate.authority:
            return HOST_MISSING
        if end < candidate.authority_end:
            status = read_url(self, p + candidate.base, end - candidate.base, True, False)
            if status:
                return status
    self.url = p + candidate.base
    self.url_length = end - candidate.base
    # Each byte of a URL can become three. Some bytes are for what the parser adds.
    if self.url_length > (length_limit - 64) // 3:
        status = read_url(self, self.url, self.url_length, False, False)
        if status:
            return status
    self.found = candidate[0]
    self.start = candidate.start
    if is_plain:
        self.end = end
    elif candidate.kind == SCHEME:
        self.end = place_of(self, candidate.after, end - self.options.schemes[candidate.scheme].length - 3)
    else:
        self.end = place_of(self, candidate.after, end - 7)
    return OK


# Where URLs begin.

cdef inline bint is_escape_letter(uint8_t c) noexcept nogil:
    return c == c'n' or c == c'r' or c == c't' or c == c'b' or c == c'f'


# Whether a URL can begin at p[i], by what is before it. Of an escape such as \n, the letter is not part of a word.
cdef bint can_begin(const Finder* self, Py_ssize_t i, uint16_t not_before) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef uint8_t c
    if i == 0 or not self.options.classes[p[i - 1]] & not_before:
        return True
    c = p[i - 1]
    if i >= 2 and p[i - 2] == c'\\' and is_escape_letter(c):
        return True
    return i >= 6 and p[i - 6] == c'\\' and p[i - 5] == c'u' and read_hex(p + i - 4, 4) >= 0


# Two slashes at p[i], or -1; their end.
cdef Py_ssize_t read_slashes(Finder* self, Py_ssize_t i) noexcept nogil:
    cdef uint8_t[4] token
    cdef int length, size, k
    if self.n - i >= 2 and self.p[i] == c'/' and self.p[i + 1] == c'/':
        return i + 2
    for k in range(2):
        if i >= self.n:
            return -1
        length = read_token(self.options, self.p + i, self.n - i, token, &size)
        if length == 0 or token[0] != c'/':
            return -1
        i += length
    return i


# The scheme that ends at a place and does not begin before another one; or NULL.
cdef const FindScheme* scheme_before(const Finder* self, Py_ssize_t end, Py_ssize_t least) noexcept nogil:
    cdef const FindScheme* scheme
    cdef Py_ssize_t k
    cdef uint8_t c
    cdef int index
    # The longest ones come first.
    for index in range(self.options.n_schemes):
        scheme = &self.options.schemes[index]
        if end - scheme.length < least:
            continue
        k = 0
        while k < scheme.length:
            c = to_lower(self.p[end - scheme.length + k])
            if c != scheme.name[k] and not (
                self.options.defanged and scheme.other != NULL and c == scheme.other[k]
            ):
                break
            k += 1
        if k == scheme.length and can_begin(self, end - k, WORD):
            return scheme
    return NULL


# The scheme that ends before the colon at p[i], and the slashes after it.
cdef bint read_scheme(Finder* self, Py_ssize_t i, Candidate* candidate) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef const FindScheme* scheme
    cdef Py_ssize_t end = i, after
    if self.options.defanged and i > 0 and p[i - 1] == c'[':
        end = i - 1
        if i + 1 < self.n and p[i + 1] == c']':
            after = read_slashes(self, i + 2)
        else:
            after = read_slashes(self, i + 1)
            if after >= 0:
                after = after + 1 if after < self.n and p[after] == c']' else -1
    else:
        after = read_slashes(self, i + 1)
    if after < 0:
        return False
    scheme = scheme_before(self, end, self.floor)
    if scheme == NULL:
        return False
    candidate.kind = SCHEME
    candidate.scheme = <int> (scheme - self.options.schemes)
    candidate.start = end - scheme.length
    candidate.after = after
    return True


cdef bint is_www(Finder* self, Py_ssize_t i) noexcept nogil:
    cdef uint8_t[4] token
    cdef int length, size
    cdef Py_ssize_t n = self.n
    if n - i < 5 or self.p[i + 2] | 0x20 != c'w' or i < self.www_floor or not can_begin(self, i, NOT_BEFORE_WWW):
        return False
    length = read_token(self.options, self.p + i + 3, n - (i + 3), token, &size)
    if length == 0 or token[0] != c'.' or i + 3 + length >= n:
        return False
    i += 3 + length
    length = read_token(self.options, self.p + i, n - i, token, &size)
    if length == 1 and token[0] >= 0x80:
        return not wide_punctuation(self.p + i, n - i)
    if length != 0 and token[0] >= 0x80:
        return not wide_punctuation(token, size)
    return length != 0 and (is_alpha(token[0]) or is_digit(token[0]))


# The next URL with a scheme or www.: 1, or 0 at the end, or -1. Its end is not known yet.
cdef int look_ahead(Finder* self) noexcept nogil:
    cdef const FindOptions* options = self.options
    cdef Candidate* next = &self.next
    cdef Status status
    cdef Py_ssize_t i
    while True:
        i = find_url_mark(self.p, self.position, self.n, options.second, options.third)
        next.start = self.n
        if i >= self.n:
            self.position = self.n
            return 0
        self.position = i + 1
        if self.p[i] == c':':
            if not read_scheme(self, i, next):
                continue
            self.position = next.after
        elif is_www(self, i):
            next.kind = WWW
            next.start = next.after = i
        else:
            continue
        status = check(self, next)
        if status == OK:
            return 1
        if status == NO_MEMORY:
            return -1
        # The slashes after a colon may end an authority that is not one; of www. no byte is read twice.
        if next.kind == WWW:
            self.position = max(self.position, next.stop - (2 if options.defanged else 1))


# How many bytes are before the next that a domain can begin with: those of an escape such as \n are not in one.
cdef int length_to_skip(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    if p[0] != c'\\' or n < 2:
        return 1
    if p[1] == c'u' and read_hex(p + 2, n - 2) >= 0:
        return 6
    return 2 if is_escape_letter(p[1]) else 1


# The next bare domain that begins before a place: 1, or 0, or -1.
cdef int look_for_bare(Finder* self, Py_ssize_t limit, Candidate* candidate) noexcept nogil:
    cdef const FindOptions* options = self.options
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t i = self.bare, n = self.n, end, length
    cdef Status status
    while i < limit:
        if options.classes[p[i]] & NOT_DOMAIN or p[i] == c'.' or p[i] == c'-' or p[i] == c'_':
            i += length_to_skip(p + i, n - i)
            continue
        if p[i] >= 0x80 and (is_wide_space(p + i, n - i) or wide_punctuation(p + i, n - i)):
            i += 2 if p[i] == 0xC2 else 3
            continue
        candidate.kind = BARE
        candidate.start = candidate.after = i
        end = walk(self, i, DELIMITER | NOT_HOST | NOT_DOMAIN, NULL)
        if not options.defanged and options.syntax == FIND_TEXT and memchr(p + i, c'.', end - i) == NULL:
            i = end
            continue
        if end == i or not can_begin(self, i, NOT_BEFORE_BARE):
            i = max(end, i + 1)
            continue
        status = check_bare(self, candidate)
        if status == NO_MEMORY:
            return -1
        self.bare = max(end, i + 1)
        if status == OK:
            return 1
        i = self.bare
    self.bare = max(i, self.bare)
    return 0


cdef Status check_bare(Finder* self, Candidate* candidate) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef Buffer* out = &self.decoded
    cdef Py_ssize_t i, end, begin, n = self.n
    cdef const uint8_t* host
    cdef const Record* record
    cdef Status status
    cdef Site site
    self.depths[0] = self.depths[1] = 0
    out.length = 0
    push_start(out, self, candidate)
    candidate.base = 0
    candidate.authority = out.length
    i = walk(self, candidate.after, DELIMITER | NOT_HOST | NOT_DOMAIN, out)
    if i < n and (p[i] == c'@' or p[i] == c':' and i + 1 < n and (p[i + 1] == c'/' or p[i + 1] == c'\\')):
        return HOST_MISSING
    # A scheme that is defanged.
    if n - i > 3 and (memcmp(p + i, b"[:]/", 4) == 0 or memcmp(p + i, b"[://", 4) == 0):
        return HOST_MISSING
    if i < n and p[i] == c':' and i + 1 < n and is_digit(p[i + 1]):
        end = i + 1
        while end < n and is_digit(p[end]):
            end += 1
        if end == n or not self.options.classes[p[end]] & WORD:
            push_run(out, p + i, end - i)
            i = end
    end = walk(self, i, DELIMITER | NOT_HOST | NOT_DOMAIN, NULL)
    candidate.goes_on = self.delimiter != 0 and end == i
    candidate.stop = i
    if out.status:
        return NO_MEMORY
    if not candidate.goes_on:
        while out.length > candidate.authority and out.data[out.length - 1] in (c'.', c'-', c'_'):
            out.length -= 1
    candidate.authority_end = out.length
    status = read_url(self, out.data, out.length, True, True)
    if status:
        return status
    record = &self.parser.record
    host = self.parser.out.data + record.host_start
    end = record.host_end - record.host_start
    if record.host_type != HOST_DOMAIN or not has_listed_end(<const Suffixes*> self.options.suffixes, host, end):
        return HOST_MISSING
    site = find_site(<const Suffixes*> self.options.suffixes, host, end, False)
    return HOST_MISSING if site.registrable_domain < 0 else OK


# The finder.

cdef void open_finder(Finder* self, const FindOptions* options, RunParser run, void* context) noexcept nogil:
    memset(self, 0, sizeof(Finder))
    self.options = options
    self.run = run
    self.context = context
    start(&self.decoded, self.decoded_scratch, sizeof(self.decoded_scratch), PY_SSIZE_T_MAX)
    start(&self.repaired, self.repaired_scratch, sizeof(self.repaired_scratch), PY_SSIZE_T_MAX)


cdef void close_finder(Finder* self) noexcept nogil:
    if self.is_open:
        close_parser(&self.parser)
    self.is_open = False
    release(&self.decoded)
    release(&self.repaired)


cdef void start_finding(Finder* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    self.p = p
    self.n = n
    self.start = self.end = self.position = self.bare = self.floor = self.www_floor = 0
    self.has_next = False


cdef int find_next(Finder* self) noexcept nogil:
    cdef Candidate bare
    cdef Status status
    cdef int found
    while True:
        if not self.has_next:
            if look_ahead(self) < 0:
                return -1
            self.has_next = True
        if self.options.suffixes != NULL:
            found = look_for_bare(self, self.next.start, &bare)
            if found < 0:
                return -1
            if found:
                status = complete(self, &bare)
                if status == NO_MEMORY:
                    return -1
                if status == OK:
                    self.floor = self.www_floor = self.bare = self.end
                    if self.next.start < self.end:
                        self.has_next = False
                        self.position = self.end
                    return 1
                continue
        if self.next.start >= self.n:
            return 0
        self.has_next = False
        status = OK
        if self.options.suffixes != NULL:
            # What it decoded is gone.
            status = check(self, &self.next)
        if status == OK:
            status = complete(self, &self.next)
        if status == NO_MEMORY:
            return -1
        if status == OK:
            self.floor = self.www_floor = self.position = self.end
            self.bare = max(self.bare, self.end)
            return 1


cdef Status parse_found(Finder* self) noexcept nogil:
    return read_url(self, self.url, self.url_length, False, True)


# Defanged URLs, and those in them.

cdef void push_defanged_start(Buffer* out, const Finder* self, const Candidate* candidate) noexcept nogil:
    cdef const FindScheme* scheme = &self.options.schemes[candidate.scheme]
    cdef Py_ssize_t i
    for i in range(candidate.start, candidate.start + scheme.length):
        push(out, self.p[i] + 4 * <uint8_t> (scheme.other != NULL and self.p[i] | 0x20 == c't'))
    push_run(out, <const uint8_t*> b"[:]//", 5)
    push_run(out, self.p + candidate.after, candidate.authority - candidate.after)


# The next URL within the one that was found; its end does not count.
cdef int find_inner(Finder* self, Candidate* inner) noexcept nogil:
    cdef int found = 1, found_bare = 0
    if not self.has_next or self.next.start < (self.www_floor if self.next.kind == WWW else self.floor):
        found = look_ahead(self)
        self.has_next = found >= 0
    if found >= 0 and self.options.suffixes != NULL:
        found_bare = look_for_bare(self, self.next.start, inner)
    if found_bare:
        return found_bare
    inner[0] = self.next
    return min(found, <int> (self.next.start < self.n))


cdef void push_defanged(Buffer* out, Finder* self) noexcept nogil:
    cdef const uint8_t* p = self.p
    cdef Py_ssize_t n = self.n, position = self.position, bare = self.bare, floor = self.floor, www_floor = self.www_floor
    cdef Py_ssize_t i, stop
    cdef Candidate next = self.next, candidate = self.found
    cdef int found = 1, has_next = self.has_next
    self.n, self.has_next = self.end, False
    candidate.start = self.start
    while True:
        i = candidate.start
        if candidate.kind == SCHEME:
            push_defanged_start(out, self, &candidate)
            i = candidate.authority
        stop = i
        while stop < self.n and not self.options.classes[p[stop]] & DELIMITER:
            stop += 1
        self.position = self.floor = min(i + (3 if candidate.kind == WWW else 0), self.n)
        # A domain in a domain has the same dots.
        self.bare = self.www_floor = stop
        found = find_inner(self, &candidate)
        if found <= 0:
            candidate.start = self.n
        while i < min(stop, candidate.start):
            if p[i] == c'.':
                push_run(out, <const uint8_t*> b"[.]", 3)
            else:
                push(out, p[i])
            i += 1
        push_run(out, p + i, candidate.start - i)
        if found <= 0:
            out.status = NO_MEMORY if found < 0 else out.status
            break
    self.n, self.position, self.bare, self.floor, self.www_floor = n, position, bare, floor, www_floor
    self.next, self.has_next = next, has_next
