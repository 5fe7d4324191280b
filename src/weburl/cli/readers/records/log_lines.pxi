# A part of cells.pyx: lines of logs, read without the GIL.

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memcmp, memset

from weburl._arrow.input cimport count_newlines
from weburl._core.ascii cimport hex_value, is_hex_digit
from weburl._core.buffer cimport Buffer, push, push_code_point, push_run
from weburl.cli.readers.rows.text_column cimport Builder, TextColumn, columns_of, end_row, free_builders, make_builders
from weburl.cli.readers.times cimport has_pattern, push_time

cdef enum Kind:
    TEXT
    NUMBER
    TIME

KINDS = {"text": TEXT, "number": NUMBER, "time": TIME}

# How the fields of a line are found: by the texts between them, by spaces or tabs, or by their names; or in columns that
# have been read.
cdef enum Syntax:
    TEMPLATE
    WORDS
    W3C
    PAIRS
    COLUMNS

SYNTAXES = {"template": TEMPLATE, "words": WORDS, "w3c": W3C, "pairs": PAIRS, "columns": COLUMNS}

FORMS = {"plain": PLAIN, "escaped": ESCAPED, "doubled": DOUBLED, "quoted": QUOTED}

cdef enum LogFault:
    NO_FAULT
    OTHER_FORMAT
    NO_NUMBER
    TOO_MANY_FIELDS
    QUOTE_WITHOUT_END
    NO_PAIR
    NO_HEADER
    MORE_IN_FRONT
    NO_REQUEST
    NO_TARGET
    NO_HOST

LOG_MESSAGES = {
    TOO_MANY_FIELDS: "it has more fields than the line #Fields: names",
    QUOTE_WITHOUT_END: "a quote has no end",
    NO_PAIR: "it has no name=value",
    NO_HEADER: "no line #Fields: is before it",
    MORE_IN_FRONT: "a field is before the client, such as the host: write --log '%v %h %l %u %t \"%r\" %>s %b'",
    NO_REQUEST: "it has no request",
    NO_TARGET: "what it requests is neither a path nor a URL",
    NO_HOST: "it has no host, and there is no --base",
}

# The fields that a URL is made of.
cdef enum Place:
    REQUEST
    REQUEST_METHOD
    REQUEST_TARGET
    HOST
    SCHEME
    WHOLE_URL
    QUERY
    PORT
    TLS
    SERVER_PORT
    DATE
    CLOCK
    USER

PLACE_NAMES = (
    "request", "method", "target", "host", "scheme", "url", "query", "port", "tls_version", "s-port", "date", "time", "user"
)

cdef enum:
    PLACES = USER + 1
    # The parts of a request come after the fields.
    METHOD = 0
    TARGET = 1
    VERSION = 2
    PARTS = 3


# What comes after a field, and whether that is the end of quotes, before which a quote can be escaped.
ctypedef struct Step:
    LogText end
    bint is_quoted
    bint is_number              # or `-`, or nothing


# A name that a field can have in PAIRS.
ctypedef struct Key:
    LogText name
    int field
    int rank                    # of several names, the one with the least counts


cdef class LogLayout:
    """LogLayout(syntax, fields, places, scheme, authority, start, steps, needed, keys, escapes)

    A format: its syntax, one of SYNTAXES, and how many fields it has. `places` says which of them are some of PLACE_NAMES.
    `scheme` and `authority` are for lines that do not have them; `authority` may be empty.

    A template has the text before the first field, and steps: for each field, the text after it, whether it is in quotes
    with escapes, and whether it is a number. Of words, a line has at least the first `needed`. Pairs have keys: names, and
    for each the number of its field and its rank. Without `escapes`, a backslash in a template is one.
    """

    cdef tuple owned
    cdef Syntax syntax
    cdef LogText start, default_scheme, default_authority
    cdef Step* steps
    cdef Key* keys
    cdef int n_fields, n_keys, needed
    cdef bint escapes
    cdef int[PLACES] places

    def __init__(
        self, str syntax, int fields, dict places, bytes scheme, bytes authority, bytes start=b"", list steps=[],
        int needed=0, list keys=[], bint escapes=True,
    ):
        cdef int i
        self.owned = (start, scheme, authority, steps, keys)
        self.syntax = SYNTAXES[syntax]
        self.n_fields = fields
        self.needed = needed
        self.escapes = escapes
        set_slice(&self.start, start)
        set_slice(&self.default_scheme, scheme)
        set_slice(&self.default_authority, authority)
        free(self.steps)
        free(self.keys)
        self.n_keys = <int> len(keys)
        self.keys = NULL
        self.steps = <Step*> calloc(fields + 1, sizeof(Step))
        self.keys = <Key*> calloc(self.n_keys + 1, sizeof(Key))
        if self.steps == NULL or self.keys == NULL:
            raise MemoryError
        if syntax == "template" and len(steps) != fields:
            raise ValueError("each field of a template has a step")
        for i in range(<int> len(steps)):
            end, self.steps[i].is_quoted, self.steps[i].is_number = steps[i]
            set_slice(&self.steps[i].end, end)
        for i in range(self.n_keys):
            name, self.keys[i].field, self.keys[i].rank = keys[i]
            set_slice(&self.keys[i].name, name)
            if not 0 <= self.keys[i].field < fields:
                raise ValueError("there is no such field")
        for i in range(PLACES):
            self.places[i] = places.get(PLACE_NAMES[i], -1)
            if self.places[i] >= fields:
                raise ValueError("there is no such field")

    def __dealloc__(self):
        free(self.steps)
        free(self.keys)


cdef void set_slice(LogText* to, bytes text) noexcept:
    to.text = <const uint8_t*> <const char*> text
    to.length = len(text)


cdef inline bint starts_with(const uint8_t* p, const uint8_t* end, const LogText* text) noexcept nogil:
    return end - p >= text.length and memcmp(p, text.text, text.length) == 0


cdef inline void set_field(LogText* field, const uint8_t* begin, const uint8_t* end, Form form) noexcept nogil:
    field.text = begin
    field.length = end - begin
    field.form = form


# Where the field that begins at p ends; NULL if what must come after it is not there.
cdef const uint8_t* end_of_field(const uint8_t* p, const uint8_t* end, const Step* step) noexcept nogil:
    cdef const uint8_t* first = NULL
    cdef const uint8_t* escape
    if step.end.length == 0:
        # It is the last; what some server adds after a number is ignored.
        first = <const uint8_t*> memchr(p, c' ', end - p) if step.is_number else NULL
        return end if first == NULL else first
    while True:
        # Before an escape that is not the last, it stays where it is.
        if first < p:
            first = <const uint8_t*> memchr(p, step.end.text[0], end - p)
        if first == NULL:
            return NULL
        if step.is_quoted:
            escape = <const uint8_t*> memchr(p, c'\\', first - p)
            if escape != NULL:
                p = min(escape + 2, end)
                continue
        if starts_with(first, end, &step.end):
            return first
        p = first + 1


# These find the fields of a line. If it is wrong, `at` is where, and `number` the field that is not there.
cdef LogFault split_template(
    LogLayout self, const uint8_t* p, const uint8_t* end, LogText* fields, int* number, const uint8_t** at
) noexcept nogil:
    cdef const uint8_t* stop
    cdef int i
    number[0] = 0
    at[0] = p
    if not starts_with(p, end, &self.start):
        return OTHER_FORMAT
    p += self.start.length
    for i in range(self.n_fields):
        stop = end_of_field(p, end, &self.steps[i])
        if stop == NULL:
            number[0] = i
            at[0] = p
            return OTHER_FORMAT
        set_field(&fields[i], p, stop, ESCAPED if self.escapes else PLAIN)
        if self.steps[i].is_number and not is_absent(&fields[i]) and not has_digits(&fields[i]):
            number[0] = i
            at[0] = p
            return NO_NUMBER
        p = stop + self.steps[i].end.length
    i = self.places[<int> USER]
    if i > 0 and fields[i].length > 2 and memcmp(fields[i].text, b"- ", 2) == 0:
        at[0] = fields[0].text
        return MORE_IN_FRONT
    return NO_FAULT


# The quote that ends a quoted word that begins at p; NULL if it is not there.
cdef const uint8_t* end_of_quotes(
    const uint8_t* p, const uint8_t* end, uint8_t separator, bint is_doubled
) noexcept nogil:
    cdef const uint8_t* quote = NULL
    cdef const uint8_t* escape
    while True:
        if quote < p:
            quote = <const uint8_t*> memchr(p, c'"', end - p)
        if quote == NULL:
            return NULL
        escape = NULL
        if not is_doubled:
            escape = <const uint8_t*> memchr(p, c'\\', quote - p)
        if escape != NULL:
            p = min(escape + 2, end)
        elif quote + 1 == end or quote[1] == separator:
            return quote
        elif is_doubled and quote[1] != c'"':
            return NULL
        else:
            p = quote + 1 + is_doubled


# Where a word ends, after its quotes or brackets; NULL if the quotes have no end. In W3C, that is a word with a quote.
cdef const uint8_t* read_word(
    const uint8_t* p, const uint8_t* end, uint8_t separator, bint is_w3c, LogText* field
) noexcept nogil:
    cdef const uint8_t* stop = NULL
    if p[0] == c'"':
        stop = end_of_quotes(p + 1, end, separator, is_w3c)
        if stop != NULL:
            set_field(field, p + 1, stop, DOUBLED if is_w3c else ESCAPED)
            return stop + 1
        if not is_w3c:
            return NULL
    elif p[0] == c'[' and not is_w3c:
        stop = <const uint8_t*> memchr(p, c']', end - p)
        if stop != NULL and (stop + 1 == end or stop[1] == separator):
            set_field(field, p + 1, stop, PLAIN)
            return stop + 1
    stop = <const uint8_t*> memchr(p, separator, end - p)
    set_field(field, p, end if stop == NULL else stop, PLAIN)
    return field.text + field.length


# https://www.w3.org/TR/WD-logfile.html
#
# A line with a tab has tabs between its fields. Quoted fields are also those of AWS, which has no tabs and no header.
cdef LogFault split_words(
    LogLayout self, const uint8_t* p, const uint8_t* end, LogText* fields, int* number, const uint8_t** at
) noexcept nogil:
    cdef bint is_w3c = self.syntax == W3C
    cdef uint8_t separator = c' '
    cdef const uint8_t* stop
    cdef int i = 0
    at[0] = p
    if self.n_fields == 0:
        return NO_HEADER
    if is_w3c and memchr(p, c'\t', end - p) != NULL:
        separator = c'\t'
    while end > p and (end - 1)[0] == c' ':
        end -= 1
    while p < end:
        at[0] = p
        if i == self.n_fields:
            return TOO_MANY_FIELDS if is_w3c else NO_FAULT
        stop = read_word(p, end, separator, is_w3c, &fields[i])
        if stop == NULL:
            return QUOTE_WITHOUT_END
        i += 1
        p = min(stop + 1, end)
        while separator == c' ' and p < end and p[0] == c' ':
            p += 1
    at[0] = end
    number[0] = i
    if i < self.needed:
        return OTHER_FORMAT
    # The time of W3C is beside its date, if neither is absent.
    i = self.places[<int> CLOCK] if is_w3c else -1
    if i > 0 and self.places[<int> DATE] == i - 1 and fields[i].length > 1 < fields[i - 1].length == fields[i].text - fields[i - 1].text - 1:
        set_field(&fields[i], fields[i - 1].text, fields[i].text + fields[i].length, PLAIN)
    return NO_FAULT


cdef inline bint is_blank(uint8_t c) noexcept nogil:
    return c == c' ' or c == c'\t'


# https://pkg.go.dev/github.com/kr/logfmt
#
# The next name=value from p on, and where it ends; its name has no text after the last one. NULL if a quote has no end,
# where the value begins. Words without a value are not read.
cdef const uint8_t* next_pair(const uint8_t* p, const uint8_t* end, LogText* name, LogText* value) noexcept nogil:
    cdef const uint8_t* begin
    name.text = NULL
    while p < end:
        while p < end and is_blank(p[0]):
            p += 1
        begin = p
        while p < end and not is_blank(p[0]) and p[0] != c'=':
            p += 1
        if p == end or p[0] != c'=':
            continue
        set_field(name, begin, p, PLAIN)
        p += 1
        begin = p
        if p < end and p[0] == c'"':
            p += 1
            while p < end and p[0] != c'"':
                p += 1 + (p[0] == c'\\')
            set_field(value, begin + 1, p, QUOTED)
            if p >= end:
                return NULL
            return p + 1
        while p < end and not is_blank(p[0]):
            p += 1
        set_field(value, begin, p, PLAIN)
        break
    return p


# Takes a date and time of ISO 8601 before the first name=value for the time of a line that has none, as Heroku's lines begin.
cdef void read_time_before(LogLayout self, const uint8_t* p, const uint8_t* end, LogText* fields) noexcept nogil:
    cdef int number = self.places[<int> CLOCK]
    cdef const uint8_t* begin
    while number >= 0 and p < end:
        begin = p
        while p < end and not is_blank(p[0]) and p[0] != c'=':
            p += 1
        if p < end and p[0] == c'=':
            return
        if p - begin >= 16 and has_pattern(begin, b"0000-00-00T00:00", 16):
            set_field(&fields[number], begin, p, PLAIN)
            fields[number].rank = self.n_keys
            return
        p += 1


cdef LogFault split_pairs(LogLayout self, const uint8_t* p, const uint8_t* end, LogText* fields, const uint8_t** at) noexcept nogil:
    cdef LogText name, value
    cdef bint has_pair = False
    cdef const Key* key
    cdef LogText* field
    cdef int i
    at[0] = p
    read_time_before(self, p, end, fields)
    while True:
        p = next_pair(p, end, &name, &value)
        if p == NULL:
            at[0] = value.text - 1
            return QUOTE_WITHOUT_END
        if name.text == NULL:
            return NO_FAULT if has_pair else NO_PAIR
        has_pair = True
        for i in range(self.n_keys):
            key = &self.keys[i]
            field = &fields[key.field]
            if key.name.length == name.length and memcmp(key.name.text, name.text, name.length) == 0:
                if field.text == NULL or key.rank <= field.rank:
                    field[0] = value
                    field.rank = key.rank


cdef LogFault split(
    LogLayout self, const uint8_t* p, const uint8_t* end, LogText* fields, int* number, const uint8_t** at
) noexcept nogil:
    if self.syntax == TEMPLATE:
        return split_template(self, p, end, fields, number, at)
    if self.syntax == PAIRS:
        return split_pairs(self, p, end, fields, at)
    return split_words(self, p, end, fields, number, at)


# https://www.rfc-editor.org/rfc/rfc9112#section-3
#
# A target may have spaces, which clients should not send.
cdef void split_request(const LogText* request, LogText* parts) noexcept nogil:
    cdef const uint8_t* p = request.text
    cdef const uint8_t* end = p + request.length
    cdef const uint8_t* space = <const uint8_t*> memchr(p, c' ', request.length)
    cdef const uint8_t* last = end
    if space == NULL:
        return
    set_field(&parts[METHOD], p, space, request.form)
    p = space + 1
    while last > p and (last - 1)[0] != c' ':
        last -= 1
    if last > p and end - last >= 5 and memcmp(last, b"HTTP/", 5) == 0:
        set_field(&parts[VERSION], last, end, request.form)
        end = last - 1
    set_field(&parts[TARGET], p, end, request.form)


cdef const char* ESCAPES = b"ntrbvf"
cdef const char* ESCAPED_AS = b"\n\t\r\b\v\f"

# A text without its escapes.
cdef void push_text(Buffer* out, const LogText* text) noexcept nogil:
    cdef const uint8_t* p = text.text
    cdef const uint8_t* end = p + text.length
    cdef const uint8_t* escape
    cdef uint8_t c
    while True:
        escape = NULL
        if text.form != PLAIN:
            escape = <const uint8_t*> memchr(p, c'"' if text.form == DOUBLED else c'\\', end - p)
        if escape == NULL or escape + 1 == end:
            push_run(out, p, end - p)
            return
        push_run(out, p, escape - p)
        c = escape[1]
        p = escape + 2
        if text.form == DOUBLED:
            push(out, c'"')
        elif c == c'x' and end - escape >= 4 and is_hex_digit(escape[2]) and is_hex_digit(escape[3]):
            push(out, <uint8_t> (hex_value(escape[2]) << 4 | hex_value(escape[3])))
            p = escape + 4
        elif memchr(ESCAPES, c, 5 + (text.form == QUOTED)) != NULL:
            push(out, <uint8_t> ESCAPED_AS[<const char*> memchr(ESCAPES, c, 6) - ESCAPES])
        elif c == c'"' or c == c'\\' or text.form == QUOTED and c == c'/':
            push(out, c)
        elif text.form == QUOTED and c == c'u' and is_hex4(p, end):
            push_code_point(out, hex_value(p[0]) << 12 | hex_value(p[1]) << 8 | hex_value(p[2]) << 4 | hex_value(p[3]))
            p += 4
        else:
            push(out, c'\\')
            p = escape + 1


# A field that a URL is made of; NULL if the line does not have it.
cdef inline const LogText* part_of(LogLayout self, const LogText* fields, Place place) noexcept nogil:
    cdef int number = self.places[<int> place]
    if number < 0 or is_absent(&fields[number]):
        return NULL
    return &fields[number]


# A host and a port; of an address of IPv6, also with the brackets that it needs.
cdef void push_host(Buffer* out, const LogText* host, const LogText* port) noexcept nogil:
    cdef const uint8_t* colon = <const uint8_t*> memchr(host.text, c':', host.length)
    cdef const uint8_t* end = host.text + host.length
    cdef bint is_bare = colon != NULL and host.text[0] != c'[' and memchr(colon + 1, c':', end - colon - 1) != NULL
    if is_bare:
        push(out, c'[')
    push_text(out, host)
    if is_bare:
        push(out, c']')
    if port != NULL and (colon == NULL or is_bare or (end - 1)[0] == c']') and is_number(port):
        push(out, c':')
        push_text(out, port)


# https://www.rfc-editor.org/rfc/rfc9112#section-3.3
cdef LogFault push_url(LogLayout self, Buffer* out, const LogText* fields) noexcept nogil:
    cdef const LogText* parts = fields + self.n_fields
    cdef const LogText* target = parts + TARGET
    cdef const LogText* scheme = &self.default_scheme
    cdef const LogText* authority = &self.default_authority
    cdef const LogText* port = NULL
    cdef const LogText* host = part_of(self, fields, HOST)
    cdef const LogText* query = part_of(self, fields, QUERY)
    cdef const LogText* part = part_of(self, fields, WHOLE_URL)
    cdef LogText https
    cdef bint is_asterisk, is_connect
    if part != NULL and (is_absolute(part) or part.text[0] == c'/' or is_absent(target)):
        target = part
    if target.text == NULL or target.length == 0:
        return NO_REQUEST
    is_asterisk = (
        target.length == 1 and target.text[0] == c'*'
        and parts[METHOD].length == 7 and memcmp(parts[METHOD].text, b"OPTIONS", 7) == 0
    )
    is_connect = parts[METHOD].length == 7 and memcmp(parts[METHOD].text, b"CONNECT", 7) == 0 and is_authority(target)
    if is_connect:
        authority = target
    elif target.text[0] != c'/' and not is_asterisk:
        if not is_absolute(target):
            return NO_TARGET
        push_text(out, target)
        push_query(out, target, query)
        return NO_FAULT
    elif host != NULL and is_authority(host):
        authority = host
        port = part_of(self, fields, PORT)
    if authority.length == 0:
        return NO_HOST
    part = part_of(self, fields, SERVER_PORT)
    if part_of(self, fields, TLS) != NULL or part != NULL and part.length == 3 and memcmp(part.text, b"443", 3) == 0:
        set_field(&https, <const uint8_t*> b"https", <const uint8_t*> b"https" + 5, PLAIN)
        scheme = &https
    part = part_of(self, fields, SCHEME)
    if part != NULL and is_scheme(part):
        scheme = part
    push_text(out, scheme)
    push_run(out, <const uint8_t*> b"://", 3)
    push_host(out, authority, port)
    if not is_connect and not is_asterisk:
        push_text(out, target)
        push_query(out, target, query)
    return NO_FAULT


# The query after a target, which may have its own.
cdef void push_query(Buffer* out, const LogText* target, const LogText* query) noexcept nogil:
    if query != NULL and memchr(target.text, c'?', target.length) == NULL:
        if query.text[0] != c'?':
            push(out, c'?')
        push_text(out, query)


cdef void push_field(LogLayout self, Builder* to, const LogText* text, Kind kind) noexcept nogil:
    cdef bint is_null = is_absent(text) or kind == NUMBER and not is_number(text)
    if not is_null:
        # The times of W3C are in UTC.
        if kind != TIME or not push_time(&to.data, text.text, text.length, self.syntax == W3C):
            push_text(&to.data, text)
    end_row(to, is_null)


# Ends a row of each builder: the URL, and the columns. A field with the number -1 is null.
cdef LogFault push_row(
    LogLayout self, Builder* builders, LogText* fields, LogFault fault, int count, const int* indices, const int* kinds
) noexcept nogil:
    cdef LogText none
    cdef int i
    memset(&none, 0, sizeof(none))
    if fault:
        memset(fields, 0, (self.n_fields + PARTS) * sizeof(LogText))
    else:
        set_parts(self, fields)
        fault = push_url(self, &builders[0].data, fields)
    end_row(&builders[0], fault != NO_FAULT)
    for i in range(count):
        push_field(self, &builders[i + 1], &none if indices[i] < 0 else &fields[indices[i]], <Kind> kinds[i])
    return fault


cdef void set_parts(LogLayout self, LogText* fields) noexcept nogil:
    cdef LogText* parts = fields + self.n_fields
    cdef const LogText* request = part_of(self, fields, REQUEST)
    if request != NULL:
        split_request(request, parts)
    if self.places[<int> REQUEST_METHOD] >= 0:
        parts[METHOD] = fields[self.places[<int> REQUEST_METHOD]]
    if self.places[<int> REQUEST_TARGET] >= 0 and not is_absent(&fields[self.places[<int> REQUEST_TARGET]]):
        parts[TARGET] = fields[self.places[<int> REQUEST_TARGET]]


# Where the request of a line is, or else the line.
cdef const uint8_t* place_of_request(LogLayout self, const LogText* fields, const uint8_t* line) noexcept nogil:
    cdef const uint8_t* target = fields[self.n_fields + TARGET].text
    cdef int request = self.places[<int> REQUEST]
    if target == NULL and request >= 0:
        target = fields[request].text
    return target if target != NULL else line


# What is read of the fields: their numbers and kinds, and memory for the fields of a line.
cdef class Wanted:
    cdef int* indices
    cdef int* kinds
    cdef LogText* fields
    cdef int count

    def __init__(self, LogLayout layout, tuple wanted):
        cdef int i, size = layout.n_fields + PARTS
        self.count = <int> len(wanted)
        self.indices = <int*> calloc(self.count + 1, sizeof(int))
        self.kinds = <int*> calloc(self.count + 1, sizeof(int))
        self.fields = <LogText*> calloc(size, sizeof(LogText))
        if self.fields == NULL or self.indices == NULL or self.kinds == NULL:
            raise MemoryError
        for i in range(self.count):
            self.indices[i], self.kinds[i] = wanted[i]
            if not -1 <= self.indices[i] < size:
                raise ValueError("there is no such field")

    def __dealloc__(self):
        free(self.fields)
        free(self.indices)
        free(self.kinds)


def read_log(LogLayout layout not None, bytes data not None, Py_ssize_t begin, Py_ssize_t end, tuple wanted not None):
    """read_log(layout, data, begin, end, wanted): the URLs of lines, and fields of them, as columns.

    `wanted` has, for each of these, its number and one of KINDS; after the numbers of the layout's fields come those of the
    request's method, target and version. The column of the number -1 is null.

    Also, for each row, the number of its line, from 1 for the first; and a dict with a message, the line, and the column in
    characters from 1, of each row whose URL is not known; of a line of another format, all columns are null. In place of a
    message can be the number of the field that is missing, and if that is not a number, its bits inverted. Lines without
    anything, and directives of W3C, are not rows.
    """
    cdef const uint8_t* p = <const uint8_t*> <const char*> data
    cdef Wanted columns = Wanted(layout, wanted)
    cdef int count = columns.count, size = layout.n_fields + PARTS, missing = 0
    cdef Py_ssize_t rows = count_newlines(p, begin, end) + 1, at = begin, line = 0, row = 0
    cdef const uint8_t* newline
    cdef const uint8_t* line_end
    cdef const uint8_t* stop
    cdef const uint8_t* wrong = NULL
    cdef LogFault fault
    cdef dict faults = {}
    cdef bytearray lines = bytearray(rows * sizeof(int64_t))
    cdef int64_t* numbers = <int64_t*> <char*> lines
    cdef Builder* builders = make_builders(count + 1, rows)
    try:
        with nogil:
            while at < end:
                newline = <const uint8_t*> memchr(p + at, c'\n', end - at)
                line_end = p + end if newline == NULL else newline
                stop = line_end
                if stop > p + at and (stop - 1)[0] == c'\r':
                    stop -= 1
                line += 1
                if stop > p + at and not (layout.syntax == W3C and p[at] == c'#'):
                    memset(columns.fields, 0, size * sizeof(LogText))
                    fault = split(layout, p + at, stop, columns.fields, &missing, &wrong)
                    fault = push_row(layout, builders, columns.fields, fault, count, columns.indices, columns.kinds)
                    if fault:
                        if fault >= NO_REQUEST:
                            wrong = place_of_request(layout, columns.fields, p + at)
                        with gil:
                            text = data[at:wrong - p].decode("utf-8", "replace") if p + at <= wrong <= stop else ""
                            faults[row] = LOG_MESSAGES.get(fault, missing if fault == OTHER_FORMAT else ~missing), data[at:line_end - p], len(text) + 1
                    numbers[row] = line
                    row += 1
                at = line_end - p + 1
        return columns_of(builders, count + 1), memoryview(lines)[:row * sizeof(int64_t)].cast("q"), faults
    finally:
        free_builders(builders, count + 1)


def compose(LogLayout layout not None, list columns not None, sources not None, tuple wanted not None):
    """compose(layout, columns, sources, wanted): the URLs of rows whose fields are in columns, and fields of them.

    For each field, `sources` has the numbers of columns: the first one that is not null is its value. The rest is as in
    `read_log`: `wanted`, and a dict with a message for each row whose URL is not known.
    """
    cdef Wanted taken = Wanted(layout, wanted)
    cdef int count = taken.count, i, j, n = <int> len(columns), n_sources = 0
    cdef TextColumn column
    cdef Py_ssize_t rows = (<TextColumn?> columns[0]).length, row
    cdef LogFault fault
    cdef dict faults = {}
    cdef const int64_t** ends = <const int64_t**> calloc(n, sizeof(void*))
    cdef const uint8_t** valid = <const uint8_t**> calloc(n, sizeof(void*))
    cdef const uint8_t** texts = <const uint8_t**> calloc(n, sizeof(void*))
    # For each field where its sources end, and the sources of all.
    cdef int* bounds = <int*> calloc(layout.n_fields + 1, sizeof(int))
    cdef int* numbers = <int*> calloc(sum(map(len, sources)) + 1, sizeof(int))
    cdef Builder* builders = NULL
    try:
        if ends == NULL or valid == NULL or texts == NULL or bounds == NULL or numbers == NULL:
            raise MemoryError
        if len(sources) != layout.n_fields:
            raise ValueError("each field has its sources")
        for i in range(n):
            column = columns[i]
            if column.length != rows:
                raise ValueError("columns have the same length")
            ends[i] = <const int64_t*> <const char*> column.offsets
            valid[i] = <const uint8_t*> <const char*> column.validity
            texts[i] = <const uint8_t*> <const char*> column.data
        for i in range(layout.n_fields):
            for number in sources[i]:
                if not 0 <= number < n:
                    raise ValueError("there is no such column")
                numbers[n_sources] = number
                n_sources += 1
            bounds[i + 1] = n_sources
        builders = make_builders(count + 1, rows)
        with nogil:
            for row in range(rows):
                memset(taken.fields, 0, (layout.n_fields + PARTS) * sizeof(LogText))
                for i in range(layout.n_fields):
                    for j in range(bounds[i], bounds[i + 1]):
                        n = numbers[j]
                        if valid[n][row >> 3] >> (row & 7) & 1:
                            set_field(&taken.fields[i], texts[n] + ends[n][row], texts[n] + ends[n][row + 1], PLAIN)
                            break
                fault = push_row(layout, builders, taken.fields, NO_FAULT, count, taken.indices, taken.kinds)
                if fault:
                    with gil:
                        faults[row] = LOG_MESSAGES[fault]
        return columns_of(builders, count + 1), faults
    finally:
        if builders != NULL:
            free_builders(builders, count + 1)
        free(<void*> ends)
        free(<void*> valid)
        free(<void*> texts)
        free(bounds)
        free(numbers)


def field_spans(LogLayout layout not None, bytes line not None):
    """field_spans(layout, line): for each field that a line has, its number, its begin, its end, and one of FORMS.

    It is None if the line is of another format. Of pairs, all with a name of a field are there.
    """
    cdef const uint8_t* p = <const uint8_t*> <const char*> line
    cdef const uint8_t* begin = p
    cdef const uint8_t* end = p + len(line)
    cdef const uint8_t* wrong = NULL
    cdef Wanted wanted = Wanted(layout, ())
    cdef LogText name, value
    cdef int i, missing = 0
    if split(layout, p, end, wanted.fields, &missing, &wrong):
        return None
    found = []
    if layout.syntax != PAIRS:
        for i in range(layout.n_fields):
            value = wanted.fields[i]
            if value.text != NULL:
                found.append((i, value.text - begin, value.text - begin + value.length, value.form))
        return found
    while True:
        p = next_pair(p, end, &name, &value)
        if name.text == NULL:
            return found
        for i in range(layout.n_keys):
            if layout.keys[i].name.length == name.length and memcmp(layout.keys[i].name.text, name.text, name.length) == 0:
                found.append((layout.keys[i].field, value.text - begin, value.text - begin + value.length, value.form))
