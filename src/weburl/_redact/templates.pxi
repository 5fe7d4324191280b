# A part of redact.pyx: URLs one by one, without their secrets, and as templates of their paths, which many URLs share.
# docs/redact.md has the definitions.

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcpy, memset

from weburl._core.ascii cimport SET_C0_CONTROL, SET_COMPONENT, is_alpha, is_digit
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push, push_run, release, start
from weburl._core.percent cimport (
    Marks, PyUnicode_DATA, PyUnicode_GET_LENGTH, ascii_text, next_mark, open_marks, percent_encode,
    raise_for, usv_text,
)
from weburl._core.record cimport PATHNAME, Record, Span, URLView, has_opaque_path, span, view_text
from weburl._core.status cimport OK, TOO_LONG, Status
from weburl._core.texts cimport output_encoding
from weburl._crawl.canonical cimport href_of, push_unescaped
from weburl._parsed cimport failure

import re

from weburl._redact.secrets import KINDS as KIND_NAMES

# A scheme, or two solidi.
cdef object URL_START = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[/\\]{2}")
cdef object AUTHORITY = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\]{2,}([^/\\?#]*)")
cdef str UTF_8 = "utf-8"

cdef enum:
    UUID_LENGTH = 36
    HASH_LENGTH = 8             # of Vite's, after a dash at the end of a name


cdef void push_placeholder(Buffer* out, Placeholder which) noexcept nogil:
    push_run(out, <const uint8_t*> placeholder_text(which), placeholder_length(which))


# The same in place of a segment. If a policy has the name `id`, `{id}` says that a secret follows, as it does to whoever
# reads the template.
cdef void replace_by(Redactor* self, Placeholder which) noexcept nogil:
    push_placeholder(self.out, which)
    if self.names.are_of_placeholders and lists_of(
        self.names, <const uint8_t*> placeholder_text(which), placeholder_length(which)
    ) & SEGMENT:
        self.path_lists |= SEGMENT


cdef bint is_digits(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if not is_digit(p[i]):
            return False
    return n > 0


# Where a short extension of a file's name begins, at its dot; n if there is none. `5.x` is a version.
cdef Py_ssize_t extension(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = n
    cdef Py_ssize_t least = max(n - 5, 1)
    while i > least and has[p[i - 1]] & (HAS_DIGIT | HAS_LETTER):
        i -= 1
    if i == n or i <= 1 or p[i - 1] != c'.' or not is_alpha(p[i]):
        return n
    return n if n - i == 1 and p[i] == c'x' else i - 1


# Whether the name of a file ends with a hash as Vite's are: eight letters, digits, dashes and low lines.
cdef bint ends_with_hash(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef bint has_capital = False, has_small = False, is_joined = True
    if n < HASH_LENGTH + 2 or (p[n - HASH_LENGTH - 1] != c'-' and p[n - HASH_LENGTH - 1] != c'.'):
        return False
    p += n - HASH_LENGTH
    for i in range(HASH_LENGTH):
        has_capital |= has[p[i]] == HAS_UPPER
        has_small |= has[p[i]] == HAS_LOWER
        is_joined &= has[p[i]] & (HAS_DIGIT | HAS_LETTER | HAS_DASH) != 0
    return has_capital and has_small and is_joined and looks_random(p, HASH_LENGTH, True)


# The placeholder for a text or, with its extension, for the text before that; `stem` gets where that ends. Of a secret, a
# form alone counts.
cdef Placeholder class_of_file(const uint8_t* p, Py_ssize_t n, Py_ssize_t* stem, bint is_secret) noexcept nogil:
    cdef Py_ssize_t end = n
    cdef Placeholder placeholder = NO_PLACEHOLDER
    stem[0] = n
    if is_digits(p, n):
        return INT
    stem[0] = end = extension(p, n)
    placeholder = class_of_form(p, end)
    if placeholder == NO_PLACEHOLDER and end > 4 and not is_secret:
        placeholder = class_of_words(p, end)
        if placeholder == NO_PLACEHOLDER and end < n and ends_with_hash(p, end):
            return ID
    return placeholder


cdef enum:
    LONGEST_WORDS = 16          # without a look at their dashes
    MOST_CAPITALS = 3           # and low lines, of words, without a look at their letters
    MOST_DASHES = 3


# Eight bytes: whether there is a digit among them, or a sign from `:` to `?`, or a bracket; and a bit for each that is a
# capital or a low line: the others of plain text have 0x20.
cdef inline bint has_digit_of_8(uint64_t word) noexcept nogil:
    word ^= <uint64_t> 0x3838383838383838
    word |= (word & <uint64_t> 0x7F7F7F7F7F7F7F7F) + <uint64_t> 0x6E6E6E6E6E6E6E6E
    return ~word & <uint64_t> 0x8080808080808080 != 0


cdef inline uint64_t capitals_of_8(uint64_t word) noexcept nogil:
    return ~word >> 5 & <uint64_t> 0x0101010101010101


# Whether plain text of four bytes or more has no digit, no bracket, and few capitals and low lines: those of its last eight bytes may
# count twice.
cdef inline bint has_letters_alone(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint64_t word = 0, capitals = 0
    cdef uint32_t first, last
    if n >= 8:
        while n > 8:
            memcpy(&word, p, 8)
            if has_digit_of_8(word):
                return False
            capitals += capitals_of_8(word)
            p += 8
            n -= 8
        memcpy(&word, p + n - 8, 8)
        capitals += capitals_of_8(word)
    else:
        memcpy(&first, p, 4)
        memcpy(&last, p + n - 4, 4)
        word = first | <uint64_t> last << 32
    return not has_digit_of_8(word) and capitals * <uint64_t> 0x0101010101010101 >> 56 <= MOST_CAPITALS


# Whether more than eight bytes may have many dashes, low lines and capitals: those of the last eight may count twice.
cdef inline bint has_many_dashes(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint64_t word, dashes = 0
    while n > 0:
        memcpy(&word, p + (0 if n > 8 else n - 8), 8)
        dashes += capitals_of_8(word)
        word ^= <uint64_t> 0x2D2D2D2D2D2D2D2D
        dashes += ~((word + <uint64_t> 0x7F7F7F7F7F7F7F7F) | word) >> 7 & <uint64_t> 0x0101010101010101
        p += 8
        n -= 8
    return dashes * <uint64_t> 0x0101010101010101 >> 56 > MOST_DASHES


# Whether plain text is words, and no secret: it has no digit, no key, few capitals and dashes, is shorter than a UUID, and
# has no brackets.
cdef inline bint is_words(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    # The shortest key in brackets is A(1), the shortest file 1.a.
    if n < 5:
        return n == 0 or not (is_digit(p[0]) or p[n - 1] == c')')
    return (
        n < UUID_LENGTH and has_letters_alone(p, n)
        and (n < LONGEST_WORDS or not has_many_dashes(p, n)) and (n < SHORTEST or find_key(p, n) == NOTHING)
    )


# Whether plain text that is too short for a secret is a word of small letters with a short number at its end, and perhaps an
# extension: rfc2649, page26.html. Those have no placeholder, but hex has.
cdef bint is_word_with_number(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 1, digits
    if n < 5 or n >= SHORTEST or is_digit(p[0]):
        return False
    while i < n and has[p[i]] == HAS_LOWER:
        i += 1
    digits = i
    while i < n and is_digit(p[i]):
        i += 1
    digits = i - digits
    # Other numbers may make a word look random.
    if (digits > 2 and (i > 7 or digits > (4 if i == 7 else 3))) or (i > 7 and is_hex(p, i)):
        return False
    if i < n and p[i] == c'.':
        i += 1
        while i < n and has[p[i]] == HAS_LOWER:
            i += 1
    return i == n


# Whether one of the texts between `&`s is a secret.
cdef bint has_secret_piece(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t i
    while begin < end:
        i = piece_end(self, begin, end)
        if i > begin and is_secret_segment(self, begin, i):
            return True
        begin = i + 1
    return False


# A segment that a rule hides. A placeholder is no secret: so a template is its own template.
cdef void push_ruled(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Placeholder placeholder
    self.decoded.length = 0
    push_unescaped(self.decoded, self.text + begin, end - begin)
    placeholder = placeholder_of(self.decoded.data, self.decoded.length)
    replace_by(self, A_SECRET if placeholder == NO_PLACEHOLDER else placeholder)


# Whether a segment may end with a bracket, without an extension.
cdef inline bint may_have_key(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint64_t word = 0
    if n < 6 or p[n - 1] == c')':
        return p[n - 1] == c')'
    if p[0] < c'A':
        return False
    if n < 8:
        memcpy(&word, p + n - 6, 4)
    else:
        memcpy(&word, p + n - 8, 8)
    word ^= <uint64_t> 0x2929292929292929
    return (word - <uint64_t> 0x0101010101010101) & ~word & <uint64_t> 0x8080808080808080 != 0


# Pushes a segment with a key in brackets, as OData has: `Products(42)`, `Products('x').json`. Words in brackets are no key.
cdef bint push_key(Redactor* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, length, end = n if p[n - 1] == c')' else extension(p, n)
    cdef const uint8_t* key
    cdef Placeholder placeholder = VALUE
    if p[end - 1] != c')':
        return False
    while i < end and (is_alpha(p[i]) or (i > 0 and (is_digit(p[i]) or p[i] == c'.' or p[i] == c'_'))):
        i += 1
    if i == 0 or p[i - 1] == c'_' or p[i] != c'(' or i + 2 == end:
        return False
    key = p + i + 1
    length = end - i - 2
    if memchr(key, c'%', length) != NULL:
        self.decoded.length = 0
        push_unescaped(self.decoded, key, length)
        key = self.decoded.data
        length = self.decoded.length
    if key[0] != c"'" and memchr(key, c'=', length) == NULL:
        placeholder = class_of(key, length)
        if placeholder == NO_PLACEHOLDER:
            return False
    push_run(self.out, p, i + 1)
    replace_by(self, placeholder)
    push_run(self.out, p + end - 1, n - end + 1)
    return True


# A plain segment has no byte of the component percent-encode set.
cdef void push_segment(Redactor* self, Py_ssize_t begin, Py_ssize_t end, bint is_plain) noexcept nogil:
    cdef Buffer* out = self.out
    cdef const uint8_t* p = self.text + begin
    cdef const uint8_t* mark = NULL
    cdef Py_ssize_t n = end - begin, length, stem
    cdef bint is_secret, is_email
    cdef Placeholder placeholder
    cdef Part part
    # Parameters are not part of the template.
    if not is_plain:
        mark = <const uint8_t*> memchr(p, c';', n)
        if mark != NULL:
            n = mark - p
    length = n
    is_secret = (n >= SHORTEST if is_plain else may_be_secret(p, n)) and is_secret_segment(self, begin, begin + n)
    if n < end - begin and not is_secret and self.may_be_authority:
        # A password can have a semicolon.
        read_part(&part, self.decoded, p, end - begin)
        is_secret = has_inner_at(&part, self.decoded)
    if not (is_plain or is_secret):
        mark = <const uint8_t*> memchr(p, c'=', n)
        if mark != NULL:
            length = mark - p
        is_secret = (
            (mark != NULL and (is_base64(p, n) or (may_be_secret(p, length) and is_secret_segment(self, begin, begin + length))))
            or (memchr(p, c'&', length) != NULL and has_secret_piece(self, begin, begin + length))
        )
        if mark != NULL and not is_secret and not (may_have_key(p, n) and push_key(self, p, n)):
            push_run(out, p, length + 1)
            replace_by(self, VALUE)
        if mark != NULL and not is_secret:
            return
    if not is_secret and n > 0 and may_have_key(p, n) and push_key(self, p, n):
        return
    if not is_plain and memchr(p, c'%', n) != NULL:
        self.decoded.length = 0
        push_unescaped(self.decoded, p, n)
        p = self.decoded.data
        length = self.decoded.length
    else:
        length = n
    placeholder = class_of_file(p, length, &stem, is_secret)
    if placeholder != NO_PLACEHOLDER:
        replace_by(self, placeholder)
        push_run(out, p + stem, length - stem)
    elif is_secret:
        is_email = not self.may_be_authority and find_form(p, length, bytes_of(p, length), IN_PATH, self.names) == EMAIL
        replace_by(self, EMAIL_ADDRESS if is_email else A_SECRET)
    else:
        push_run(out, self.text + begin, n)
        if n < end - begin and length < 3 and p[0] == c'.' and p[length - 1] == c'.':
            # Without it, this would be a dot segment.
            push(out, c';')


cdef bint ends_before_credentials(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    if self.text[end - 1] == c':':
        return not is_drive(self.text + begin, end - begin)
    return is_before_credentials(self, begin, end)


# Where the last @ is, or -1.
cdef Py_ssize_t last_at(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    while n > 0 and p[n - 1] != c'@':
        n -= 1
    return n - 1


# Whether an authority has the start of a password that goes on after it: a colon, and no port.
cdef bint opens_password(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t begin = last_at(p, n) + 1
    return has_no_port(p + begin, n - begin)


# The same of a segment, also without its parameters.
cdef bint has_open_password(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef const uint8_t* mark = <const uint8_t*> memchr(p, c';', n)
    return opens_password(p, n) or (mark != NULL and opens_password(p, mark - p))


# Pushes a URL that has a text that begins with a solidus as its path. Of a password that ends the path, nothing is left.
cdef void push_url_of_path(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, begin, path_end
    cdef int solidi = 0
    # A scheme that is not special leaves the path as it is.
    push_run(out, <const uint8_t*> b"a://a", 5)
    while i < n and (is_solidus(p[i]) or is_removed(p[i])):
        solidi += not is_removed(p[i])
        i += 1
    begin = i
    while i < n and not (is_solidus(p[i]) or p[i] == c'?' or p[i] == c'#'):
        i += 1
    path_end = i
    while path_end < n and p[path_end] != c'?' and p[path_end] != c'#':
        path_end += 1
    if solidi > 1 and last_at(p, n) > path_end and opens_password(p + begin, i - begin):
        push_run(out, p, begin)
        push_placeholder(out, A_SECRET)
    else:
        push_run(out, p, n)


# Pushes the template of a URL's path.
cdef void push_template(Buffer* out, Buffer* decoded, const URLView* url, const Names* names) noexcept nogil:
    cdef Py_ssize_t[<int> KINDS] counts
    cdef const uint8_t* p = url.href
    cdef const uint8_t* mark
    cdef Span s = span(&url.record, url.length, PATHNAME)
    cdef Py_ssize_t i, begin = s.start, pushed = begin, read = begin, run = -1, run_begin = begin, at = -2
    cdef bint is_plain, ends_with_colon, was_authority
    cdef Redactor self
    cdef PathMatch rules, before_run
    cdef Marks marks
    cdef Part part
    if has_opaque_path(p, url.length, &url.record):
        push(out, c'/')
        push_placeholder(out, OPAQUE)
        return
    if s.start == s.end:
        push(out, c'/')
    names = names_of_url(names, url)
    open_redactor(&self, names, out, decoded, p, counts)
    start_match(&rules, &names.paths, False)
    self.read = self.first = begin
    open_marks(&marks, p + begin, s.end - begin, SET_COMPONENT)
    while begin < s.end:
        is_plain = True
        i = s.start + next_mark(&marks)
        while i < s.end and p[i] != c'/' and p[i] != c'\\':
            is_plain = False
            i = s.start + next_mark(&marks)
        if not is_plain and self.may_be_authority and at != -1 and has_open_password(p + begin, i - begin):
            if at == -2:
                at = last_at(p, s.end)
            if at > i:
                read = max(read, run_end(&self, at, s.end))
                while i < read:
                    i = s.start + next_mark(&marks)
                push_run(out, p + pushed, begin - pushed)
                replace_by(&self, A_SECRET)
                hides_segment(&names.paths, &rules, p + begin, i - begin)
                # Of the segment, nothing is left.
                pushed = begin = i
                is_plain = True
        if i < s.end and p[i] == c'\\' and i >= read:
            read = run_end(&self, i, s.end)
            if kind_of_run(&self, begin, read, IN_TEMPLATE) != NOTHING:
                while i < read:
                    i = s.start + next_mark(&marks)
                push_run(out, p + pushed, begin - pushed)
                replace_by(&self, A_SECRET)
                hides_segment(&names.paths, &rules, p + begin, i - begin)
                pushed = i
                self.may_be_authority = ends_before_credentials(&self, begin, i)
                begin = i + 1
                continue
            push_run(out, p + pushed, begin - pushed)
            pushed = begin
            run = out.length
            run_begin = begin
            before_run = rules
        if rules.deepest >= 0 and hides_segment(&names.paths, &rules, p + begin, i - begin):
            push_run(out, p + pushed, begin - pushed)
            push_ruled(&self, begin, i)
            pushed = i
        elif is_plain and i - begin < SHORTEST and i > begin and is_digit(p[begin]) and is_digits(p + begin, i - begin):
            push_run(out, p + pushed, begin - pushed)
            replace_by(&self, INT)
            pushed = i
        # Most segments are words, which stay as they are.
        elif not (is_plain and (is_words(p + begin, i - begin) or is_word_with_number(p + begin, i - begin))) or (
            i - begin >= SHORTEST and follows_team(p, begin)
        ):
            push_run(out, p + pushed, begin - pushed)
            push_segment(&self, begin, i, is_plain)
            pushed = i
        was_authority = self.may_be_authority and i < s.end and p[i] == c'\\'
        if is_plain:
            # What is empty is between two solidi.
            self.may_be_authority = was_authority or (i == begin and (self.may_be_authority or begin > s.start))
        else:
            # Without its parameters, too, a segment can end with a colon, or be empty.
            mark = <const uint8_t*> memchr(p + begin, c';', i - begin)
            ends_with_colon = (
                self.may_be_authority or begin > s.start if mark == p + begin
                else mark != NULL and ends_before_credentials(&self, begin, mark - p)
            )
            self.may_be_authority = was_authority or ends_with_colon or ends_before_credentials(&self, begin, i)
        if run >= 0 and i + 1 >= read:
            # Without its parameters, a secret may begin a value. A backslash may be last.
            push_run(out, p + pushed, read - pushed)
            pushed = read
            read_part(&part, decoded, out.data + run, out.length - run)
            if not out.status and form_of_part(&part, decoded, IN_TEMPLATE, names) != NOTHING:
                out.length = run
                replace_by(&self, A_SECRET)
                rules = before_run
                hides_segment(&names.paths, &rules, p + run_begin, i - run_begin)
            run = -1
        begin = i + 1
    push_run(out, p + pushed, s.end - pushed)
    out.status = out.status or decoded.status


cdef str url_of_path(object path):
    cdef uint8_t[1024] scratch
    cdef Buffer out
    cdef bytes octets = usv_text(path).encode()
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        push_url_of_path(&out, <const uint8_t*> <const char*> octets, len(octets))
        raise_for(&out)
        return out.data[:out.length].decode()
    finally:
        release(&out)


def path_template(url, policy="paths/1"):
    """path_template(url, policy="paths/1")
--

    The path of a URL with placeholders for what differs between URLs of one kind.

    >>> path_template("https://example.com/users/123?page=2")
    '/users/{int}'

    The result begins with a slash. It has no secret that redact() hides, and its own template is the same text. A str
    that begins with a slash is taken as a path. Any other str that does not parse raises InvalidURL; its `input` is
    without secrets. The policy is "paths/1", or a LogPolicy, whose secrets are then hidden in the template.
    """
    cdef LogPolicy used = path_policy_in_use(policy)
    cdef uint8_t[1024] scratch, decoded_scratch
    cdef Buffer out, decoded
    cdef Py_ssize_t[<int> KINDS] counts
    cdef URLView view
    cdef Record record
    cdef Status status = OK, of_path = OK
    cdef str href = href_of(url, None, &record, &status)
    if href is None and isinstance(url, str) and str.startswith(url, "/"):
        href = href_of(url_of_path(url), None, &record, &of_path)
    if href is None:
        memset(counts, 0, sizeof(counts))
        raise failure(redacted_text(url, &used.names, counts), None, status)
    view_text(&view, href, &record)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&decoded, decoded_scratch, sizeof(decoded_scratch), PY_SSIZE_T_MAX)
    try:
        with nogil:
            push_template(&out, &decoded, &view, &used.names)
        raise_for(&out)
        return ascii_text(out.data, out.length)
    finally:
        release(&out)
        release(&decoded)


# URLs, one by one.

# The whole text in ASCII, as the parser would encode it in a path, and without what it removes.
cdef str encoded_text(object text):
    cdef uint8_t[1024] scratch
    cdef Buffer out
    cdef bytes octets
    cleaned = usv_text(text).strip("".join(map(chr, range(0x21)))).translate({9: None, 10: None, 13: None})
    octets = cleaned.encode()
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        percent_encode(&out, <const uint8_t*> <const char*> octets, len(octets), SET_C0_CONTROL)
        raise_for(&out)
        return ascii_text(out.data, out.length)
    finally:
        release(&out)


# What stands for a secret in ASCII.
cdef str stand_in(str text, const Names* names):
    cdef uint8_t[64] scratch
    cdef Buffer out
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        push_hidden(&out, names, <const uint8_t*> PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text))
        raise_for(&out)
        return ascii_text(out.data, out.length)
    finally:
        release(&out)


def hidden(value, policy):
    """What stands for a secret: a str or bytes."""
    cdef LogPolicy used = log_policy_in_use(policy)
    from urllib.parse import quote_from_bytes

    octets = value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
    # A character for each byte.
    return stand_in(quote_from_bytes(octets, safe=""), &used.names)


def is_hidden_text(text):
    """Whether a text stands for a secret."""
    return isinstance(text, str) and text.isascii() and is_hidden(<const uint8_t*> PyUnicode_DATA(text), len(text))


# A text that does not parse, without its secrets.
cdef str redacted_text(object text, const Names* names, Py_ssize_t* counts):
    from weburl._diagnosis.credentials import credentials_in

    cdef str encoded = encoded_text(text)
    cdef const uint8_t* p
    cdef Py_ssize_t n, host, begin, path_end, query_end, authority, authority_end
    cdef uint8_t[1024] scratch, decoded_scratch
    cdef Buffer out, decoded
    cdef Redactor self
    # Otherwise there is no authority; it would be that of a URL in the text.
    has_authority = URL_START.match(encoded) is not None
    place = credentials_in(encoded) if has_authority else None
    if place is not None and place[0] < place[1]:
        hidden = ":".join([
            part if not part or is_hidden_text(part) else stand_in(part, names)
            for part in encoded[place[0]:place[1]].split(":", 1)
        ])
        if encoded[place[0]:place[1]] != hidden:
            counts[<int> CREDENTIALS] += 1
            encoded = encoded[:place[0]] + hidden + encoded[place[1]:]
        host = place[0] + len(hidden) + 1
    else:
        host = 0 if place is None else place[1] + 1
    # Rules for paths and hosts know where these are.
    found = AUTHORITY.match(encoded) if host == 0 and (names.paths.all or names.hosts.count) else None
    authority, authority_end = (-1, -1) if found is None else found.span(1)
    p = <const uint8_t*> PyUnicode_DATA(encoded)
    n = PyUnicode_GET_LENGTH(encoded)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&decoded, decoded_scratch, sizeof(decoded_scratch), PY_SSIZE_T_MAX)
    try:
        with nogil:
            query_end = host
            while query_end < n and p[query_end] != c'#':
                query_end += 1
            path_end = host
            while path_end < query_end and p[path_end] != c'?':
                path_end += 1
            # The host after credentials stays as it is.
            begin = host
            while 0 < host < path_end and p[host] != c'/' and p[host] != c'\\':
                host += 1
            if authority >= 0:
                names = names_of_host(names, p + authority, authority_end - authority)
            else:
                names = names_of_host(names, p + begin, host - begin)
            open_redactor(&self, names, &out, &decoded, p, counts)
            self.authority_end = authority_end
            self.path_begin = host
            self.path_end = path_end
            redact_path(&self, host, path_end)
            self.authority_end = -1
            redact_query(&self, path_end + 1, query_end)
            if query_end < n:
                redact_fragment(&self, query_end + 1, n)
            close_redactor(&self, n)
            out.status = out.status or decoded.status
        raise_for(&out)
        return ascii_text(out.data, out.length)
    finally:
        release(&out)
        release(&decoded)


cdef str redacted(object url, object encoder, const Names* names, Py_ssize_t* counts):
    cdef uint8_t[1024] scratch, decoded_scratch
    cdef Buffer out, decoded
    cdef URLView view
    cdef Record record
    cdef Status status = OK
    cdef bint changed
    cdef str href = href_of(url, encoder, &record, &status)
    if href is None:
        text = redacted_text(url, names, counts)
        # Without what was hidden it may parse: a password with a solidus.
        status = OK
        href = href_of(text, None, &record, &status)
        if href is None:
            # Without a secret in place of a host, there may be credentials where none were seen.
            return redacted_text(text, names, counts)
    view_text(&view, href, &record)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&decoded, decoded_scratch, sizeof(decoded_scratch), PY_SSIZE_T_MAX)
    try:
        with nogil:
            changed = redact_url(&out, &decoded, &view, names, counts)
        if out.status == TOO_LONG:
            raise failure("REDACTED", None, TOO_LONG)
        raise_for(&out)
        return ascii_text(out.data, out.length) if changed else href
    finally:
        release(&out)
        release(&decoded)


# A text that may be a URL all the same, without its secrets.
cdef str redacted_anyway(object text, const Names* names, Py_ssize_t* counts):
    return redacted(text, None, names, counts)


# Most calls pass the default itself.
cdef inline object encoder_of(object encoding):
    return None if encoding is UTF_8 or encoding == UTF_8 else output_encoding(encoding)


def redact(url, policy="logs/1", *, encoding=UTF_8):
    """redact(url, policy="logs/1", *, encoding="utf-8")
--

    The URL without its secrets: `REDACTED` stands where they were.

    >>> redact("https://user:pass@example.com/?page=2&access_token=q8Zx")
    'https://REDACTED:REDACTED@example.com/?page=2&access_token=REDACTED'

    The result is a URL with the same scheme, host and port. If you redact it again, it does not change. If a str does
    not parse, the result is the text without its secrets. The policy is "logs/1", "logs-strict/1", "otel/1" or
    a LogPolicy. `encoding` is the encoding of the query, if you pass a str.
    """
    cdef Py_ssize_t[<int> KINDS] counts
    memset(counts, 0, sizeof(counts))
    cdef LogPolicy used = log_policy_in_use(policy)
    return redacted(url, encoder_of(encoding), &used.names, counts)


def redactions(url, policy="logs/1", *, encoding=UTF_8):
    """redactions(url, policy="logs/1", *, encoding="utf-8")
--

    How many secrets redact() hides in a URL, by kind.

    >>> redactions("https://user:pass@example.com/?page=2&access_token=q8Zx")
    {'credentials': 1, 'name': 1, 'jwt': 0, 'key': 0, 'email': 0, 'card': 0, 'hex': 0, 'base64': 0, 'address': 0}

    The kinds are always these nine, as in the columns of `weburl.bulk.redactions_many`. `any(redactions(url).values())`
    says whether there is a secret.
    """
    cdef Py_ssize_t[<int> KINDS] counts
    cdef LogPolicy used = log_policy_in_use(policy)
    memset(counts, 0, sizeof(counts))
    redacted(url, encoder_of(encoding), &used.names, counts)
    return {name: counts[<Py_ssize_t> i] for i, name in enumerate(KIND_NAMES)}


# URLs in texts.

# After these schemes, any number of solidi may follow.
cdef bint ends_with_scheme(const uint8_t* p, Py_ssize_t n, const char* scheme, Py_ssize_t length) noexcept nogil:
    return n >= length and begins_with(p + n - length, length, scheme, length) and (
        # A key would take in what is before the scheme, and the scheme.
        n == length or not (is_word(p[n - length - 1]) or p[n - length - 1] == c'+' or p[n - length - 1] == c'.')
    )


cdef bint ends_with_special_scheme(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return (
        ends_with_scheme(p, n, b"https", 5) or ends_with_scheme(p, n, b"http", 4) or ends_with_scheme(p, n, b"wss", 3)
        or ends_with_scheme(p, n, b"ws", 2) or ends_with_scheme(p, n, b"ftp", 3)
    )


# Hides what is secret in a path, a query and a fragment.
cdef void redact_target(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* p = self.text
    cdef Py_ssize_t path_end = begin, query_end
    while path_end < end and p[path_end] != c'?' and p[path_end] != c'#':
        path_end += 1
    query_end = path_end
    while query_end < end and p[query_end] != c'#':
        query_end += 1
    self.path_begin = begin
    self.path_end = path_end
    self.is_link = -1
    self.route_begin = self.route_end = 0
    self.path_lists = 0
    self.may_be_authority = False
    redact_path(self, begin, path_end)
    self.has_paths = False
    if path_end < query_end:
        redact_query(self, path_end + 1, query_end)
    if query_end < end:
        redact_fragment(self, query_end + 1, end)


# The username and the password before an @.
cdef void redact_userinfo(Redactor* self, Py_ssize_t begin, Py_ssize_t at) noexcept nogil:
    cdef const uint8_t* p = self.text
    cdef const uint8_t* colon = <const uint8_t*> memchr(p + begin, c':', at - begin)
    cdef Py_ssize_t name_end = at if colon == NULL else colon - p
    if begin < name_end and not is_hidden(p + begin, name_end - begin):
        hide(self, begin, name_end, CREDENTIALS)
    if name_end + 1 < at and not is_hidden(p + name_end + 1, at - name_end - 1):
        hide(self, name_end + 1, at, CREDENTIALS)


# Hides what is secret in what follows the colon at i, in a token from `token` on: solidi, credentials, a host, and the
# rest.
cdef void redact_authority(Redactor* self, Py_ssize_t token, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* p = self.text
    cdef const Names* names
    cdef Py_ssize_t begin = i + 3, host_end, at, last
    if ends_with_special_scheme(p + token, i - token):
        while begin < end and (p[begin] == c'/' or p[begin] == c'\\'):
            begin += 1
    host_end = begin
    at = -1
    while host_end < end and not ends_host(p[host_end]):
        if p[host_end] == c'@':
            at = host_end
        host_end += 1
    # A password with a delimiter, which should have been escaped.
    if has_no_port(p + max(at + 1, begin), host_end - max(at + 1, begin)):
        last = end - 1
        while last > host_end and p[last] != c'@':
            last -= 1
        if last > host_end:
            at = last
            host_end = last + 1
            while host_end < end and not ends_host(p[host_end]):
                host_end += 1
    if at > begin:
        redact_userinfo(self, begin, at)
    begin = max(begin, at + 1)
    names = self.names
    self.names = names_of_host(names, p + begin, host_end - begin)
    if memchr(p + begin, c'=', host_end - begin) != NULL:
        redact_properties(self, begin, host_end)
    redact_target(self, host_end, end)
    self.names = names
