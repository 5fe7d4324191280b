# A part of redact.pyx: URLs without their secrets, for logs. docs/redact-rules.md has the definitions.

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy

from weburl._core.ascii cimport is_alpha, is_hex_digit
from weburl._core.buffer cimport OMITTED, PY_SSIZE_T_MAX, Buffer, push, push_run, release, start
from weburl._core.parser cimport length_limit
from weburl._core.record cimport (
    FRAGMENT, HOSTNAME, PASSWORD, PATHNAME, QUERY, USERNAME, Span, URLView, has_credentials, has_opaque_path, span,
)
from weburl._core.status cimport OK, TOO_LONG
from weburl._crawl.policy cimport keyed_hash

from weburl._redact import rules

# Puts a copy of a text together: all of it but for the parts that are hidden.
ctypedef struct Redactor:
    const Names* names
    Buffer* out
    Buffer* decoded             # of a part of the text
    const uint8_t* text
    Py_ssize_t copied           # how much of the text has been pushed
    Py_ssize_t* counts          # KINDS of them; what was hidden
    Py_ssize_t first            # where the path begins that is read
    Py_ssize_t authority_end    # in that path, if rules count from there on, or -1
    # Of the path: the lists that have names of segments before `read`.
    Py_ssize_t read
    uint16_t path_lists
    # Where the paths are, for values of the query: that of the URL, and that in the fragment. And whether one is that of a
    # link in a mail: -1 if that is not known.
    Py_ssize_t path_begin, path_end, route_begin, route_end
    int is_link
    bint may_be_authority       # the next segment: it follows a colon and solidi, or two solidi
    bint has_paths              # the path can be several ones, as in `/a,/b`
    Buffer* spans               # of HiddenSpan, or NULL


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
    self.may_be_authority = self.has_paths = False
    self.path_begin = self.path_end = self.route_begin = self.route_end = 0
    self.is_link = self.authority_end = -1
    self.spans = NULL


cdef void close_redactor(Redactor* self, Py_ssize_t length) noexcept nogil:
    push_run(self.out, self.text + self.copied, length - self.copied)


# Leaves out a part of the text.
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


# Leaves out a part of the text, and pushes REDACTED for it, perhaps with a hash.
cdef void hide(Redactor* self, Py_ssize_t begin, Py_ssize_t end, Kind kind) noexcept nogil:
    skip_to(self, begin, end, kind)
    push_hidden(self.out, self.names, self.text + begin, end - begin)


# Pushes what stands for a secret.
cdef void push_hidden(Buffer* out, const Names* names, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    push_run(out, hidden_text(), HIDDEN_LENGTH)
    if names.keyed != NULL:
        push_tag(out, keyed_hash(names.keyed, p, n))


cdef inline bint is_hidden(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return n >= HIDDEN_LENGTH and p[0] == hidden_text()[0] and hidden_length(p, n) == n


# The bytes of a hash, each as two letters.
cdef void push_tag(Buffer* out, uint64_t digest) noexcept nogil:
    cdef int i
    push(out, c'-')
    for i in range(8):
        push(out, tag_letters()[digest >> (8 * i + 4) & 15])
        push(out, tag_letters()[digest >> 8 * i & 15])


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
    kind = form_of_part(
        &part, self.decoded, IN_KEPT if lists & KEPT and place == IN_QUERY else place, self.names
    )
    if kind == NOTHING and part.length >= 16 and place == IN_QUERY and not lists & PLAIN and is_random(part.p, part.length):
        if follows_link(self):
            kind = NAME
        elif part.p != part.raw:
            part = part_of(self, begin, end)
    if kind == NOTHING or kind == ADDRESS or kind == HEX or kind == BASE64:
        # What is not secret with a plain name.
        if lists & PLAIN or ((kind == NOTHING or kind == ADDRESS) and shorten(self, begin, end, &part)) or kind == NOTHING:
            return
    if not (lists & KEPT and (kind == EMAIL or kind == CARD)):
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


# What drivers of databases have in place of a host, or after it: `h:1433;user=u;password=p`, `(host=h,password=p)`.
cdef void redact_properties(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t i, value
    cdef const uint8_t* equals
    self.path_begin = self.path_end = self.route_begin = self.route_end = begin
    self.is_link = -1
    while begin < end:
        i = begin
        while i < end and memchr(b";,()&", self.text[i], 5) == NULL:
            i += 1
        equals = <const uint8_t*> memchr(self.text + begin, c'=', i - begin)
        value = i if equals == NULL else equals + 1 - self.text
        # What follows the host can be hidden, too, with the backslash between them.
        while value < i and hidden_length(self.text + value, i - value) > 0:
            value += hidden_length(self.text + value, i - value)
        if value < i:
            redact_parameter(self, begin, i, IN_PATH)
        begin = i + 1


# Where REDACTED is next, or `end`.
cdef Py_ssize_t next_hidden(const uint8_t* p, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* first
    while begin < end:
        first = <const uint8_t*> memchr(p + begin, hidden_text()[0], end - begin)
        if first == NULL:
            break
        begin = first - p
        if hidden_length(first, end - begin) > 0:
            return begin
        begin += 1
    return end


# Whether a segment can have a secret, by its length and its bytes.
cdef inline bint may_be_secret(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return n >= SHORTEST or bytes_of(p, n) & (HAS_AT | HAS_LINK)


# The letter of a Windows drive, which is not a scheme: `C:`.
cdef inline bint is_drive(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return n == 2 and is_alpha(p[0]) and p[1] == c':'


# The lists that have names of earlier segments, which say whether a secret follows. What is hidden has none, whatever a
# policy's names are.
cdef uint16_t lists_before(Redactor* self, Py_ssize_t begin) noexcept nogil:
    cdef Py_ssize_t i
    while self.read < begin:
        i = next_hidden(self.text, self.read, begin)
        self.path_lists |= lists_of_part(self, self.read, i)
        self.read = i + hidden_length(self.text + i, begin - i)
    return self.path_lists


# Whether a segment has a secret.
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


# The secret in a text up to the next `/` or `&` whose first backslash comes next.
# With the backslashes in it: JSON in JSON has them, and paths that keep them are split there.
cdef Kind kind_of_run(Redactor* self, Py_ssize_t begin, Py_ssize_t end, Place place) noexcept nogil:
    cdef Part part = part_of(self, begin, end)
    return form_of_part(&part, self.decoded, place, self.names)


# What has been pushed since `begin`, and the text up to `end`: without what was hidden, it can have a secret as a whole.
# `run` is where that is in the text.
cdef bint redact_again(Redactor* self, Py_ssize_t begin, Py_ssize_t run, Py_ssize_t end) noexcept nogil:
    cdef Buffer* spans = self.spans
    cdef HiddenSpan last
    cdef Part part
    cdef Kind kind
    push_run(self.out, self.text + self.copied, end - self.copied)
    self.copied = end
    if self.out.status:
        return False
    read_part(&part, self.decoded, self.out.data + begin, self.out.length - begin)
    kind = form_of_part(&part, self.decoded, IN_PATH, self.names)
    if kind != NOTHING:
        self.counts[<int> kind] += 1
        self.out.length = begin
        if spans != NULL:
            while spans.length > 0:
                memcpy(&last, spans.data + spans.length - sizeof(HiddenSpan), sizeof(HiddenSpan))
                if last.at < begin:
                    break
                spans.length -= sizeof(HiddenSpan)
            push_span(spans, run, end, begin, kind)
        push_hidden(self.out, self.names, self.text + run, end - run)
    return kind != NOTHING


# Whether another path follows the segment that ends at i.
cdef inline bint begins_next_path(const Redactor* self, Py_ssize_t begin, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    return self.has_paths and begin < i < end and self.text[i] == c'/' and is_before_path(self.text[i - 1])


# Hides a segment because of a rule. What is between it and another path stays.
cdef void hide_segment(Redactor* self, Py_ssize_t begin, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    i -= begins_next_path(self, begin, i, end)
    if begin < i and not is_hidden(self.text + begin, i - begin):
        hide(self, begin, i, NAME)


# The segments that rules of the policy hide.
cdef void redact_by_rules(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* p = self.text
    cdef Py_ssize_t i
    cdef PathMatch rules
    start_match(&rules, &self.names.paths, False)
    begin = max(begin, self.authority_end)
    while rules.deepest >= 0 and begin <= end:
        i = begin
        while i < end and p[i] != c'/' and p[i] != c'\\':
            i += 1
        if hides_segment(&self.names.paths, &rules, p + begin, i - begin):
            hide_segment(self, begin, i, end)
        if begins_next_path(self, begin, i, end):
            begin_path(&rules, &self.names.paths)
        begin = i + 1


cdef void redact_path(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* p = self.text
    cdef Py_ssize_t i = begin, read = begin, first = begin, run = -1, copied = 0, pushed = 0
    cdef uint16_t classes
    cdef Kind kind
    cdef bint is_replaced
    cdef PathMatch rules, before_run
    if self.names.exact != NULL:
        redact_by_rules(self, begin, end)
        return
    # Before the first slash is an empty segment.
    start_match(&rules, &self.names.paths, self.authority_end >= 0)
    self.read = self.first = begin
    while begin <= end:
        classes = 0
        i = begin
        while i < end and p[i] != c'/' and p[i] != c'\\':
            classes |= has[p[i]]
            i += 1
        if (
            rules.deepest < 0 and run < 0 and begin < i and not classes & (HAS_AT | HAS_LINK) and i - begin < SHORTEST
            and (i == end or (p[i] == c'/' and not self.has_paths))
        ):
            # Most segments: nothing is hidden.
            self.may_be_authority = False
            begin = i + 1
            continue
        kind = NOTHING
        if i < end and p[i] == c'\\' and i >= read:
            read = run_end(self, i, end)
            kind = kind_of_run(self, begin, read, IN_PATH)
            if kind == NOTHING:
                run = begin
                before_run = rules
                copied = self.copied
                pushed = self.out.length
        if kind != NOTHING:
            i = read
            classes = HAS_LINK
            # A text that is hidden as a whole is one segment, as REDACTED is.
            if begin > self.authority_end:
                hides_segment(&self.names.paths, &rules, p + begin, i - begin)
            hide(self, begin, i, kind)
        elif rules.deepest >= 0 and begin > self.authority_end and hides_segment(&self.names.paths, &rules, p + begin, i - begin):
            hide_segment(self, begin, i, end)
        elif i - begin >= SHORTEST or classes & (HAS_AT | HAS_LINK):
            redact_segment(self, begin, i)
        if run >= 0 and i == read:
            if self.copied > run and redact_again(self, pushed + run - copied, run, i):
                rules = before_run
                if run > self.authority_end:
                    hides_segment(&self.names.paths, &rules, p + run, i - run)
            run = -1
        if begins_next_path(self, begin, i, end):
            begin_path(&rules, &self.names.paths)
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
        redact_by_rules(self, begin, path_end)
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


# The names for the host of a URL.
cdef const Names* find_names_of_url(const Names* self, const URLView* url) noexcept nogil:
    cdef Span host = span(&url.record, url.length, HOSTNAME)
    return names_of_host(self, url.href + host.start, host.end - host.start)


cdef inline const Names* names_of_url(const Names* self, const URLView* url) noexcept nogil:
    return self if self.hosts.count == 0 else find_names_of_url(self, url)


# The names for a host, perhaps with a port.
cdef const Names* names_of_host(const Names* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef const uint8_t* colon = NULL
    cdef Py_ssize_t found
    if self.hosts.count == 0:
        return self
    if n > 0 and p[0] != c'[':
        colon = <const uint8_t*> memchr(p, c':', n)
    elif n > 0:
        colon = <const uint8_t*> memchr(p, c']', n)
        colon = colon + 1 if colon != NULL else NULL
    found = set_of_host(&self.hosts, p, n if colon == NULL else colon - p)
    return self if found < 0 else &self.of_hosts[found]


# Pushes a URL without its secrets, or nothing if there are none; says which.
cdef bint redact_url(
    Buffer* out, Buffer* decoded, const URLView* url, const Names* names, Py_ssize_t* counts
) noexcept nogil:
    cdef const uint8_t* p = url.href
    cdef Redactor self
    cdef Span name, password, s
    open_redactor(&self, names_of_url(names, url), out, decoded, p, counts)
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
