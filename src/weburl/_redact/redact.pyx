"""URLs without their secrets, for logs; docs/redact-rules.md has the definitions."""

cimport cython
from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memchr, memcmp, memset

from weburl._core.ascii cimport SET_C0_CONTROL, is_hex_digit
from weburl._core.buffer cimport OMITTED, Buffer, push, push_run, release, start
from weburl._core.parser cimport length_limit
from weburl._core.percent cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, ascii_text, percent_encode, raise_for, usv_text
from weburl._core.record cimport (
    FRAGMENT, PASSWORD, PATHNAME, QUERY, USERNAME, Record, Span, URLView, has_credentials, has_opaque_path, span,
    view_text,
)
from weburl._core.status cimport OK, TOO_LONG, Status
from weburl._core.texts cimport output_encoding
from weburl._crawl.canonical cimport href_of
from weburl._crawl.policy cimport PolicyValue, refuse_others, set_identity
from weburl._redact.forms cimport (
    ADDRESS, BASE64, BY_NAME, COUNT, CREDENTIALS, ESCAPED, FIRM, HAS_AT, HAS_BACKSLASH, HAS_LINK,
    HAS_PLUS, HAS_QUOTE, HAS_SOLIDUS, HAS_SPACE, HEX, IN_NAME, IN_PATH, IN_QUERY, IN_SEGMENT, KEY, KINDS, LINK, NAME, NOTHING, NUMBER,
    PLAIN, SECRET, SEGMENT, TOKEN, Kind, Names, Place, begins_with_hook, begins_with_random_segment, bytes_of, follows_team,
    has, has_random_parameter, is_random, is_secret_value, lists_of,
)
from weburl._redact.views cimport (
    Part, ends_with_colon, form_of_part, has_inner_at, is_random_in_quotes, lists_of_views, plain_part, push_networks, read_part,
)
from weburl._parsed cimport failure

import re

from weburl._crawl.policy_text import read_policy
from weburl._redact import secrets
from weburl._redact.secrets import KINDS as KIND_NAMES, SECRET_NAMES, TOKEN_NAMES, Automaton, checked_globs

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

# A scheme, or two solidi.
cdef object URL_START = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[/\\]{2}")
cdef const uint8_t* HIDDEN = b"REDACTED"
cdef str UTF_8 = "utf-8"
# Those of templates.
cdef bytes PLACEHOLDERS = b"{int}{uuid}{hex}{date}{id}{email}{redacted}{value}{opaque}"

cdef enum:
    HIDDEN_LENGTH = 8

if secrets.HIDDEN != "REDACTED" or (
    secrets.SECRET, secrets.TOKEN, secrets.SEGMENT, secrets.PLAIN, secrets.NUMBER, secrets.COUNT, secrets.LINK, secrets.FIRM
) != (SECRET, TOKEN, SEGMENT, PLAIN, NUMBER, COUNT, LINK, FIRM):
    raise SystemError("secrets.py does not fit redact.pyx")


cdef void open_redactor(
    Redactor* self, const Names* names, Buffer* out, Buffer* decoded, const uint8_t* text, Py_ssize_t* counts
) noexcept nogil:
    self.names = names
    self.out = out
    self.decoded = decoded
    self.text = text
    self.copied = 0
    self.counts = counts
    self.read = self.first = 0
    self.path_lists = 0
    self.may_be_authority = False
    self.path_begin = self.path_end = self.route_begin = self.route_end = 0
    self.is_link = -1
    self.spans = NULL


cdef void close_redactor(Redactor* self, Py_ssize_t length) noexcept nogil:
    push_run(self.out, self.text + self.copied, length - self.copied)


cdef void skip_to(Redactor* self, Py_ssize_t begin, Py_ssize_t end, Kind kind) noexcept nogil:
    push_run(self.out, self.text + self.copied, begin - self.copied)
    self.copied = end
    self.counts[<int> kind] += 1
    if self.spans != NULL:
        push_span(self.spans, begin, end, self.out.length, kind)


cdef void push_span(Buffer* spans, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t at, Kind kind) noexcept nogil:
    cdef HiddenSpan span
    span.begin = begin
    span.end = end
    span.at = at
    span.kind = kind
    push_run(spans, <const uint8_t*> &span, sizeof(HiddenSpan))


cdef void hide(Redactor* self, Py_ssize_t begin, Py_ssize_t end, Kind kind) noexcept nogil:
    skip_to(self, begin, end, kind)
    push_run(self.out, HIDDEN, HIDDEN_LENGTH)


cdef bint is_hidden(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return n == HIDDEN_LENGTH and memcmp(p, HIDDEN, HIDDEN_LENGTH) == 0


# A part of the text, until the next one is asked for.
cdef Part part_of(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Part part
    read_part(&part, self.decoded, self.text + begin, end - begin)
    return part


cdef uint16_t lists_of_part(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Part part = part_of(self, begin, end)
    return lists_of(self.names, part.p, part.length)


# Those of a parameter's name, however it is quoted.
cdef uint16_t lists_of_name(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Part part = part_of(self, begin, end)
    cdef uint16_t lists = lists_of(self.names, part.p, part.length)
    return lists | lists_of_views(&part, self.decoded, self.names) if lists & ESCAPED else lists


# Shortens the addresses that a value is; false if it is anything else.
cdef bint shorten(Redactor* self, Py_ssize_t begin, Py_ssize_t end, Part* part) noexcept nogil:
    cdef uint8_t[64] scratch
    cdef Buffer networks
    cdef uint8_t first = part.p[0] if part.length > 0 else 0
    cdef const uint8_t* p
    cdef Py_ssize_t n
    cdef bint is_shortened
    if not (
        is_hex_digit(first) or has[first] & (HAS_SPACE | HAS_PLUS | HAS_QUOTE | HAS_BACKSLASH) or first == c':' or first == c'['
    ):
        return False
    start(&networks, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    p = plain_part(part, self.decoded, &n)
    is_shortened = push_networks(&networks, p, n) and networks.status == OK
    if is_shortened and not (
        networks.length == end - begin and memcmp(networks.data, self.text + begin, end - begin) == 0
    ):
        if self.names.hides_addresses:
            hide(self, begin, end, ADDRESS)
        else:
            skip_to(self, begin, end, ADDRESS)
            push_run(self.out, networks.data, networks.length)
    self.out.status = self.out.status or networks.status
    release(&networks)
    return is_shortened


# The value of a parameter whose name is on these lists.
cdef void redact_value(Redactor* self, Py_ssize_t begin, Py_ssize_t end, uint16_t lists, Place place) noexcept nogil:
    cdef Part part
    cdef Kind kind
    if begin == end or is_hidden(self.text + begin, end - begin):
        return
    part = part_of(self, begin, end)
    if lists & BY_NAME and (
        is_secret_value(lists, part.p, part.length) or (lists & TOKEN and is_random_in_quotes(part.p, part.length))
    ):
        hide(self, begin, end, NAME)
        return
    kind = form_of_part(&part, self.decoded, place, self.names)
    if kind == NOTHING and part.length >= 16 and place == IN_QUERY and not lists & PLAIN and is_random(part.p, part.length):
        if follows_link(self):
            kind = NAME
        elif part.p != part.raw:
            part = part_of(self, begin, end)
    if kind == NOTHING or kind == ADDRESS or kind == HEX or kind == BASE64:
        # What is not secret with a plain name.
        if lists & PLAIN or ((kind == NOTHING or kind == ADDRESS) and shorten(self, begin, end, &part)) or kind == NOTHING:
            return
    hide(self, begin, end, kind)


# Whether the path is that of a link in a mail, such as one that resets a password.
cdef bint follows_link(Redactor* self) noexcept nogil:
    if self.is_link < 0:
        self.is_link = (
            lists_of_part(self, self.path_begin, self.path_end) | lists_of_part(self, self.route_begin, self.route_end)
        ) & LINK != 0
    return self.is_link > 0


# Whether the name of a parameter has the path of a link in a mail, before a value that looks random: a URL without a name.
cdef bint is_link_parameter(
    Redactor* self, Py_ssize_t begin, Py_ssize_t equals, Py_ssize_t end, Place place
) noexcept nogil:
    cdef Part part = part_of(self, equals + 1, end)
    if not is_random(part.p, part.length):
        return False
    part = part_of(self, begin, end)
    return form_of_part(&part, self.decoded, place, self.names) == NAME


# Whether the credentials of a URL begin before the equals sign of a parameter, which is in the password.
cdef bint has_equals_in_credentials(
    Redactor* self, Py_ssize_t begin, Py_ssize_t equals, Py_ssize_t end, Place place
) noexcept nogil:
    cdef Part part
    if not (
        bytes_of(self.text + begin, equals - begin) & (HAS_LINK | HAS_SOLIDUS | HAS_BACKSLASH)
        and bytes_of(self.text + equals + 1, end - equals - 1) & (HAS_AT | HAS_LINK | HAS_BACKSLASH)
    ):
        return False
    part = part_of(self, equals, end)
    if not has_inner_at(&part, self.decoded):
        return False
    part = part_of(self, begin, end)
    if form_of_part(&part, self.decoded, place, self.names) != CREDENTIALS:
        return False
    # Those of a URL that is the value are hidden alone.
    part = part_of(self, equals + 1, end)
    return form_of_part(&part, self.decoded, place, self.names) != CREDENTIALS


# If the policy has names that are compared as they are written, values of these alone are hidden.
cdef void redact_exactly(Redactor* self, Py_ssize_t begin, Py_ssize_t end, const uint8_t* equals) noexcept nogil:
    cdef const uint8_t* names = self.names.exact
    cdef Py_ssize_t i = 0, n, value
    if equals == NULL:
        return
    n = equals - self.text - begin
    value = begin + n + 1
    while i + n + 1 < self.names.exact_length:
        if names[i] == c'\n' and names[i + n + 1] == c'\n' and memcmp(names + i + 1, self.text + begin, n) == 0:
            if value < end and not is_hidden(self.text + value, end - value):
                hide(self, value, end, NAME)
            return
        i += 1


# A name with a value, or a value alone.
cdef void redact_parameter(Redactor* self, Py_ssize_t begin, Py_ssize_t end, Place place) noexcept nogil:
    cdef const uint8_t* equals = <const uint8_t*> memchr(self.text + begin, c'=', end - begin)
    cdef Py_ssize_t name_end
    cdef uint16_t lists
    cdef Part part
    cdef Kind kind
    if self.names.exact != NULL:
        redact_exactly(self, begin, end, equals)
        return
    if equals == NULL:
        redact_value(self, begin, end, 0, place)
        return
    name_end = equals - self.text
    # A secret that ends with an equals sign, or is followed by one. The equals sign stays: a fragment is a query because
    # of it.
    if may_be_secret(self.text + begin, name_end - begin):
        part = part_of(self, begin, name_end)
        kind = form_of_part(&part, self.decoded, IN_PATH if place == IN_PATH else IN_NAME, self.names)
        if kind != NOTHING:
            hide(self, begin, end, kind)
            push(self.out, c'=')
            return
    if has_equals_in_credentials(self, begin, name_end, end, place):
        hide(self, begin, end, CREDENTIALS)
        push(self.out, c'=')
        return
    lists = lists_of_name(self, begin, name_end)
    if lists & LINK and not lists & PLAIN and is_link_parameter(self, begin, name_end, end, place):
        hide(self, name_end + 1, end, NAME)
        return
    redact_value(self, name_end + 1, end, lists, place)


# Where the text before the next `/` ends.
cdef Py_ssize_t run_end(const Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* solidus = <const uint8_t*> memchr(self.text + begin, c'/', end - begin)
    return end if solidus == NULL else solidus - self.text


# Where the text before the next `&` ends.
cdef Py_ssize_t piece_end(const Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* ampersand = <const uint8_t*> memchr(self.text + begin, c'&', end - begin)
    return end if ampersand == NULL else ampersand - self.text


cdef void redact_query(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t i
    while begin < end:
        i = piece_end(self, begin, end)
        redact_parameter(self, begin, i, IN_QUERY)
        begin = i + 1


# Where REDACTED is next, or `end`.
cdef Py_ssize_t next_hidden(const uint8_t* p, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* first
    while begin < end:
        first = <const uint8_t*> memchr(p + begin, HIDDEN[0], end - begin)
        if first == NULL:
            break
        begin = first - p
        if end - begin >= HIDDEN_LENGTH and is_hidden(first, HIDDEN_LENGTH):
            return begin
        begin += 1
    return end


# The lists that have names of earlier segments, which say whether a secret follows. What is hidden has none, whatever a
# policy's names are.
cdef uint16_t lists_before(Redactor* self, Py_ssize_t begin) noexcept nogil:
    cdef Py_ssize_t i
    while self.read < begin:
        i = next_hidden(self.text, self.read, begin)
        self.path_lists |= lists_of_part(self, self.read, i)
        self.read = begin if i == begin else i + HIDDEN_LENGTH
    return self.path_lists


cdef bint is_secret_segment(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    return kind_of_segment(self, begin, end) != NOTHING


cdef Kind kind_of_segment(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Part part
    cdef Kind kind
    cdef const uint8_t* p
    cdef Py_ssize_t mark, n
    cdef bint has_equals
    if is_hidden(self.text + begin, end - begin) or self.names.exact != NULL:
        return NOTHING
    part = part_of(self, begin, end)
    # The credentials of a URL in the path, which follow the solidi after its scheme.
    if self.may_be_authority and has_inner_at(&part, self.decoded):
        return CREDENTIALS
    if part.length >= 20 and follows_team(self.text + self.first, begin - self.first) and begins_with_hook(part.p, part.length):
        return KEY
    if begins_with_random_segment(part.p, part.length):
        if lists_before(self, begin) & SEGMENT:
            return NAME
        part = part_of(self, begin, end)
    # Of a name with a value, only the value is hidden.
    has_equals = memchr(part.raw, c'=', end - begin) != NULL
    kind = form_of_part(&part, self.decoded, IN_SEGMENT if has_equals else IN_PATH, self.names)
    if kind == NOTHING and part.p != part.raw and part.length > 16:
        # The last segment of a link in a mail, with its query.
        p = plain_part(&part, self.decoded, &n)
        mark = 0
        while mark < n and p[mark] != c'?' and p[mark] != c'#':
            mark += 1
        if mark < n and has_random_parameter(self.names, p + mark + 1, n - mark - 1) and lists_before(self, begin) & LINK:
            return NAME
    return kind


# Whether the credentials of a URL can follow a segment with an escape.
cdef bint is_before_credentials(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Part part = part_of(self, begin, end)
    return part.p != part.raw and ends_with_colon(&part, self.decoded, self.may_be_authority)


# A segment can have parameters: `page;jsessionid=1`.
cdef void redact_segment(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* equals
    cdef bint is_padded
    cdef Py_ssize_t i = begin
    cdef Kind kind
    while i < end and self.text[i] != c';' and self.text[i] != c'&' and self.text[i] != c'=':
        i += 1
    if i == end or self.may_be_authority:
        kind = kind_of_segment(self, begin, end)
        if kind != NOTHING:
            hide(self, begin, end, kind)
        if i == end or kind != NOTHING:
            return
    while begin < end:
        i = begin
        while i < end and self.text[i] != c';' and self.text[i] != c'&':
            i += 1
        if i > begin:
            equals = <const uint8_t*> memchr(self.text + begin, c'=', i - begin)
            is_padded = equals != NULL
            while is_padded and equals < self.text + i:
                is_padded = equals[0] == c'='
                equals += 1
            # Padding can belong to a segment.
            kind = NOTHING if equals != NULL and not is_padded else kind_of_segment(self, begin, i)
            if kind != NOTHING:
                hide(self, begin, i, kind)
            elif equals != NULL:
                redact_parameter(self, begin, i, IN_PATH)
        begin = i + 1


# With the backslashes in it: JSON in JSON has them, and paths that keep them are split there.
cdef Kind kind_of_run(Redactor* self, Py_ssize_t begin, Py_ssize_t end, Place place) noexcept nogil:
    cdef Part part = part_of(self, begin, end)
    return form_of_part(&part, self.decoded, place, self.names)


# What has been pushed since `begin`, and the text up to `end`: without what was hidden, it can have a secret as a whole.
# `run` is where that is in the text.
cdef void redact_again(Redactor* self, Py_ssize_t begin, Py_ssize_t run, Py_ssize_t end) noexcept nogil:
    cdef Buffer* spans = self.spans
    cdef Part part
    cdef Kind kind
    push_run(self.out, self.text + self.copied, end - self.copied)
    self.copied = end
    if self.out.status:
        return
    read_part(&part, self.decoded, self.out.data + begin, self.out.length - begin)
    kind = form_of_part(&part, self.decoded, IN_PATH, self.names)
    if kind != NOTHING:
        self.counts[<int> kind] += 1
        self.out.length = begin
        if spans != NULL:
            while spans.length and (<const HiddenSpan*> (spans.data + spans.length - sizeof(HiddenSpan))).at >= begin:
                spans.length -= sizeof(HiddenSpan)
            push_span(spans, run, end, begin, kind)
        push_run(self.out, HIDDEN, HIDDEN_LENGTH)


cdef void redact_path(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* p = self.text
    cdef Py_ssize_t i = begin, read = begin, first = begin, run = -1, copied = 0, pushed = 0
    cdef uint16_t classes
    cdef Kind kind
    cdef bint is_replaced
    if self.names.exact != NULL:
        return
    self.read = self.first = begin
    while begin <= end:
        classes = 0
        i = begin
        while i < end and p[i] != c'/' and p[i] != c'\\':
            classes |= has[p[i]]
            i += 1
        kind = NOTHING
        if i < end and p[i] == c'\\' and i >= read:
            read = run_end(self, i, end)
            kind = kind_of_run(self, begin, read, IN_PATH)
            if kind == NOTHING:
                run = begin
                copied = self.copied
                pushed = self.out.length
        if kind != NOTHING:
            i = read
            classes = HAS_LINK
            hide(self, begin, i, kind)
        elif i - begin >= SHORTEST or classes & (HAS_AT | HAS_LINK):
            redact_segment(self, begin, i)
        if run >= 0 and i == read:
            if self.copied > run:
                redact_again(self, pushed + run - copied, run, i)
            run = -1
        if i == begin:
            # Between two solidi.
            self.may_be_authority = self.may_be_authority or begin > first
        else:
            # A shortened address can end with a colon.
            is_replaced = self.copied == i and self.out.length > 0
            self.may_be_authority = (
                (p[i - 1] == c':' and not is_drive(p + begin, i - begin)) or (classes & HAS_LINK and is_before_credentials(self, begin, i))
                or (is_replaced and self.out.data[self.out.length - 1] == c':')
                # In a text without a scheme, a backslash does not end it.
                or (self.may_be_authority and i < end and p[i] == c'\\')
            )
        begin = i + 1


# A fragment can be a query, or a path with a query.
cdef void redact_fragment(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* mark = <const uint8_t*> memchr(self.text + begin, c'?', end - begin)
    cdef Py_ssize_t path_end = end if mark == NULL else mark - self.text
    if self.names.exact != NULL:
        return
    if memchr(self.text + begin, c'=', path_end - begin) != NULL:
        redact_query(self, begin, end)
        return
    self.path_lists = 0
    self.may_be_authority = False
    redact_path(self, begin, path_end)
    if path_end < end:
        self.route_begin = begin
        self.route_end = path_end
        self.is_link = 1 if self.is_link > 0 else -1
    redact_query(self, path_end + 1, end)


cdef bint redact_url(
    Buffer* out, Buffer* decoded, const URLView* url, const Names* names, Py_ssize_t* counts
) noexcept nogil:
    cdef const uint8_t* p = url.href
    cdef Redactor self
    cdef Span name, password, s
    open_redactor(&self, names, out, decoded, p, counts)
    if has_credentials(&url.record):
        name = span(&url.record, url.length, USERNAME)
        password = span(&url.record, url.length, PASSWORD)
        if name.start < name.end and not is_hidden(p + name.start, name.end - name.start):
            hide(&self, name.start, name.end, CREDENTIALS)
        if password.start < password.end and not is_hidden(p + password.start, password.end - password.start):
            # Of both, one is counted.
            counts[<int> CREDENTIALS] -= self.copied > 0
            hide(&self, password.start, password.end, CREDENTIALS)
    s = span(&url.record, url.length, PATHNAME)
    # What is before an @ there: `user:password@host` is a URL with the scheme `user`.
    self.may_be_authority = has_opaque_path(p, url.length, &url.record)
    self.path_begin = s.start
    self.path_end = s.end
    redact_path(&self, s.start, s.end)
    if url.record.query_start != OMITTED:
        s = span(&url.record, url.length, QUERY)
        redact_query(&self, s.start, s.end)
    if url.record.fragment_start != OMITTED:
        s = span(&url.record, url.length, FRAGMENT)
        redact_fragment(&self, s.start, s.end)
    out.status = out.status or decoded.status
    if self.copied == 0:
        return False
    close_redactor(&self, url.length)
    if out.length > length_limit:
        out.status = out.status or TOO_LONG
    return True


# Policies.

cdef object UNSET = object()


@cython.final
cdef class LogPolicy(PolicyValue):
    """LogPolicy(*, name="custom", version=1, secret_names=..., token_names=..., exact_names=(), whole_addresses=False)
--

    The policy `logs/1` with other names of parameters.

    >>> redact("https://h/?plate=AB1", LogPolicy(secret_names=SECRET_NAMES | {"*plate"}))
    'https://h/?plate=REDACTED'

    Values of `secret_names`, by default SECRET_NAMES, are always hidden. Values of `token_names`, by default
    TOKEN_NAMES, are hidden if they look random. A name has lower-case letters and digits. A star before or after a name
    stands for any text. With `exact_names`, only usernames, passwords and the values of these parameters are hidden. These
    names are compared as they are written. With `whole_addresses`, IP addresses of clients are hidden. Otherwise, they are
    shortened. `name` and `version` label what you store.

    A policy is a value: it does not change, and two policies are equal if their name, version and rules are. You cannot
    subclass it.
    """

    def __cinit__(
        self, *values, name="custom", version=1, secret_names=UNSET, token_names=UNSET, exact_names=UNSET,
        whole_addresses=UNSET, **others
    ):
        own_name = "paths" if name == "paths" else name if isinstance(name, str) and name in LOGS else "logs"
        self.settings = self.defaults = {**DEFAULTS, **LOGS.get(own_name, {})}
        refuse_others(self, values, others)
        # A policy of weburl's own has its own defaults.
        secret_names = self.defaults["secret_names"] if secret_names is UNSET else secret_names
        token_names = self.defaults["token_names"] if token_names is UNSET else token_names
        exact_names = self.defaults["exact_names"] if exact_names is UNSET else exact_names
        whole_addresses = self.defaults["whole_addresses"] if whole_addresses is UNSET else whole_addresses
        secret_names = checked_globs(secret_names, "secret_names")
        token_names = checked_globs(token_names, "token_names")
        exact_names = secrets.checked_names(exact_names, "exact_names")
        if not isinstance(whole_addresses, bool):
            raise TypeError(f"whole_addresses must be a bool, not {type(whole_addresses).__name__}")
        automaton = Automaton((
            (SECRET, secret_names),
            (TOKEN, token_names),
            (SEGMENT, secret_names | secrets.TOKEN_SEGMENTS),
            (PLAIN, secrets.PLAIN_NAMES),
            (NUMBER, secrets.NUMBER_NAMES),
            (COUNT, secrets.COUNT_NAMES),
            (LINK, secrets.LINK_SEGMENTS),
            (FIRM, secret_names - SECRET_NAMES),
        ))
        self.automaton = automaton
        self.names.next = <const uint16_t*> <const char*> <bytes> automaton.next
        self.names.now = <const uint16_t*> <const char*> <bytes> automaton.now
        self.names.at_end = <const uint16_t*> <const char*> <bytes> automaton.at_end
        self.names.start = automaton.start
        self.names.are_of_placeholders = lists_of(&self.names, PLACEHOLDERS, len(PLACEHOLDERS)) & SEGMENT
        self.names.hides_addresses = whole_addresses
        if exact_names:
            self.exact = "\n".join(["", *sorted(exact_names), ""]).encode()
            self.names.exact = <const uint8_t*> <const char*> self.exact
            self.names.exact_length = len(self.exact)
        self.settings = {
            "secret_names": secret_names, "token_names": token_names, "exact_names": exact_names,
            "whole_addresses": whole_addresses,
        }
        # path_template() hides the same.
        set_identity(self, own_name, name, version)

    cdef object restorer(self):
        return restore_log_policy


def restore_log_policy(kind, settings):
    """Makes a policy from its pickle."""
    if not isinstance(settings, dict) or kind != "LogPolicy":
        raise TypeError("not the pickle of a policy")
    return LogPolicy(**settings)


restore_log_policy.__module__ = "weburl.redact"

# Those of logs/1.
cdef dict DEFAULTS = {
    "secret_names": SECRET_NAMES, "token_names": TOKEN_NAMES, "exact_names": frozenset(), "whole_addresses": False,
}
cdef dict CLASSES = {"LogPolicy": LogPolicy}
cdef dict CONSTANTS = {
    "SECRET_NAMES": SECRET_NAMES, "TOKEN_NAMES": TOKEN_NAMES, "IDENTIFIER_NAMES": secrets.IDENTIFIER_NAMES,
    "OTEL_NAMES": secrets.OTEL_NAMES,
}
# weburl's own policies, and how those differ from logs/1.
cdef dict LOGS = {
    "logs": {},
    "logs-strict": {"secret_names": SECRET_NAMES | secrets.IDENTIFIER_NAMES, "whole_addresses": True},
    "otel": {"exact_names": secrets.OTEL_NAMES},
}

# By their names, made when they are first asked for. Dicts, since threads may ask at the same time.
cdef dict logs = {}, paths = {}


cdef LogPolicy policy_among(dict made, tuple own, object policy):
    if isinstance(policy, LogPolicy):
        return <LogPolicy> policy
    if not isinstance(policy, str):
        raise TypeError(f"policy must be a str or a LogPolicy, not {type(policy).__name__}")
    own_name = str.removesuffix(policy, "/1")
    if own_name not in own:
        return <LogPolicy> read_policy(str.__str__(policy), CLASSES, CONSTANTS, f"{', '.join(own)}, with /1 or without")
    named = made.setdefault(own_name, LogPolicy(name=own_name))
    return <LogPolicy> made.setdefault(f"{own_name}/1", named)


cdef LogPolicy log_policy_in_use(object policy):
    named = logs.get(policy) if type(policy) is str else None
    return <LogPolicy> named if named is not None else policy_among(logs, tuple(LOGS), policy)


cdef LogPolicy path_policy_in_use(object policy):
    named = paths.get(policy) if type(policy) is str else None
    return <LogPolicy> named if named is not None else policy_among(paths, ("paths",), policy)


def find_log_policy(policy):
    """The policy that an argument `policy` of redact() names or is."""
    return log_policy_in_use(policy)


def find_path_policy(policy):
    """The same of path_template()."""
    return path_policy_in_use(policy)


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


cdef str redacted_text(object text, const Names* names, Py_ssize_t* counts):
    from weburl._diagnosis.credentials import credentials_in

    cdef str encoded = encoded_text(text)
    cdef const uint8_t* p
    cdef Py_ssize_t n, host, path_end, query_end
    cdef uint8_t[1024] scratch, decoded_scratch
    cdef Buffer out, decoded
    cdef Redactor self
    # Otherwise there is no authority; it would be that of a URL in the text.
    has_authority = URL_START.match(encoded) is not None
    place = credentials_in(encoded) if has_authority else None
    if place is not None and place[0] < place[1]:
        hidden = ":".join(["REDACTED" if part else "" for part in encoded[place[0]:place[1]].split(":", 1)])
        if encoded[place[0]:place[1]] != hidden:
            counts[<int> CREDENTIALS] += 1
            encoded = encoded[:place[0]] + hidden + encoded[place[1]:]
        host = place[0] + len(hidden) + 1
    else:
        host = 0 if place is None else place[1] + 1
    p = <const uint8_t*> PyUnicode_DATA(encoded)
    n = PyUnicode_GET_LENGTH(encoded)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&decoded, decoded_scratch, sizeof(decoded_scratch), PY_SSIZE_T_MAX)
    try:
        with nogil:
            open_redactor(&self, names, &out, &decoded, p, counts)
            query_end = host
            while query_end < n and p[query_end] != c'#':
                query_end += 1
            path_end = host
            while path_end < query_end and p[path_end] != c'?':
                path_end += 1
            # The host after credentials stays as it is.
            while 0 < host < path_end and p[host] != c'/' and p[host] != c'\\':
                host += 1
            self.path_begin = host
            self.path_end = path_end
            redact_path(&self, host, path_end)
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
