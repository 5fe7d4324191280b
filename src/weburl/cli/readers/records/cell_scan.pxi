# A part of cells.pyx: where cells begin and end in CSV, in JSON and in lines of logs.

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy

from weburl._core.ascii cimport hex_value, is_hex_digit
from weburl._core.buffer cimport Buffer, push, push_run
from weburl.cli.readers.rows.text_column cimport Builder


# CSV.

# Where a cell is, without the quotes around it.
ctypedef struct Cell:
    const uint8_t* text
    Py_ssize_t length
    bint has_quotes             # two stand for one


cdef inline Py_ssize_t end_of_line(const uint8_t* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    cdef const void* newline = memchr(p + i, c'\n', end - i)
    return -1 if newline == NULL else <const uint8_t*> newline - p + 1


# How far to look for the end of the record that begins at i: what is longer is not read.
cdef inline Py_ssize_t reach(Py_ssize_t i, Py_ssize_t end, Py_ssize_t limit) noexcept nogil:
    return end if end - i <= limit else i + limit + 1


# Where the first such byte is, from i on; `end` if there is none.
cdef inline Py_ssize_t find(const uint8_t* p, Py_ssize_t i, Py_ssize_t end, uint8_t c) noexcept nogil:
    cdef const void* place = memchr(p + i, c, end - i)
    return end if place == NULL else <const uint8_t*> place - p


# The cells of a line without quotes.
cdef inline void read_csv_line(
    const uint8_t* p, Py_ssize_t i, Py_ssize_t end, uint8_t delimiter, Cell* cells, const int* slots, int n_slots
) noexcept nogil:
    cdef Py_ssize_t stop
    cdef int field
    for field in range(n_slots):
        stop = find(p, i, end, delimiter)
        if slots[field] >= 0:
            cells[slots[field]].text = p + i
            cells[slots[field]].length = stop - i
            cells[slots[field]].has_quotes = False
        if stop == end:
            return
        i = stop + 1


# JSON Lines.

cdef enum:
    DEEPEST = 512               # objects and arrays in each other

# A part of a line. It has no text if there is no such part.
ctypedef struct Slice:
    const uint8_t* text
    Py_ssize_t length


# A field that is wanted: its whole name, and the steps of its path. One without a text stands for each element of an array.
ctypedef struct Field:
    Slice* names
    int n_names                 # the first is the whole name; 1 if it has no path
    Slice whole                 # what the object has under these names
    Slice first
    const uint8_t* inside       # the object that `first` is looked for in, if not the line's, and the number of its name
    int level


# Reads a line. `at` is how far, and where it is wrong if `is_wrong`.
ctypedef struct Reader:
    const uint8_t* at
    const uint8_t* end
    bint is_wrong
    Field* fields
    int n_fields
    Buffer key                  # with escapes decoded
    # With all members, in JSON, but for those with these names.
    Builder* members
    Slice* left_out
    int n_left_out


# Whether one of eight bytes is a quote, a backslash or a control character. Some others may count as one of these.
cdef inline bint has_special(const uint8_t* p) noexcept nogil:
    cdef uint64_t bytes, quotes, escapes, ones = 0x0101010101010101
    memcpy(&bytes, p, 8)
    quotes = bytes ^ ones * 0x22
    escapes = bytes ^ ones * 0x5C
    return ((quotes - ones) | (escapes - ones) | (bytes - ones * 0x20)) & ~bytes & ones * 0x80 != 0


cdef inline void skip_space(Reader* self) noexcept nogil:
    while self.at < self.end and (
        self.at[0] == c' ' or self.at[0] == c'\t' or self.at[0] == c'\r' or self.at[0] == c'\n'
    ):
        self.at += 1


cdef inline bint skip(Reader* self, uint8_t c) noexcept nogil:
    if self.at < self.end and self.at[0] == c:
        self.at += 1
        return True
    return False


cdef inline bint fail(Reader* self) noexcept nogil:
    self.is_wrong = True
    return False


cdef inline bint is_same(const Slice* one, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    return one.length == length and memcmp(one.text, text, length) == 0


cdef inline bint skip_digits(Reader* self) noexcept nogil:
    cdef const uint8_t* begin = self.at
    while self.at < self.end and c'0' <= self.at[0] <= c'9':
        self.at += 1
    return self.at > begin or fail(self)


cdef inline bint skip_word(Reader* self, const char* word, Py_ssize_t length) noexcept nogil:
    if self.end - self.at < length or memcmp(self.at, word, length):
        return fail(self)
    self.at += length
    return True


cdef inline bint next_element(Reader* self, bint is_first) noexcept nogil:
    self.at += is_first
    skip_space(self)
    if skip(self, c']'):
        return False
    if not is_first and not skip(self, c','):
        return fail(self)
    skip_space(self)
    return self.at < self.end or fail(self)


cdef inline void push_name(Buffer* out, const Slice* name) noexcept nogil:
    if out.data[out.length - 1] != c'{':
        push(out, c',')
    push_run(out, name.text, name.length)
    push(out, c':')


cdef inline void set_run(Slice* to, const uint8_t* begin, const uint8_t* end) noexcept nogil:
    to.text = begin
    to.length = end - begin


cdef inline bint skip_number(Reader* self) noexcept nogil:
    skip(self, c'-')
    if not skip(self, c'0') and not skip_digits(self):
        return False
    if skip(self, c'.') and not skip_digits(self):
        return False
    if skip(self, c'e') or skip(self, c'E'):
        if not skip(self, c'+'):
            skip(self, c'-')
        return skip_digits(self)
    return True


# These go over what is there. They are false, and note that it is wrong, if it is not JSON.
cdef bint skip_string(Reader* self, bint* has_escapes) noexcept nogil:
    cdef int i
    has_escapes[0] = False
    if not skip(self, c'"'):
        return fail(self)
    while True:
        while self.end - self.at >= 8 and not has_special(self.at):
            self.at += 8
        if self.at == self.end or self.at[0] < 0x20:
            return fail(self)
        if self.at[0] == c'"':
            self.at += 1
            return True
        if self.at[0] == c'\\':
            has_escapes[0] = True
            self.at += 1
            if self.at == self.end:
                return fail(self)
            if self.at[0] == c'u':
                for i in range(4):
                    self.at += 1
                    if self.at == self.end or not is_hex_digit(self.at[0]):
                        return fail(self)
            elif memchr(b"\"\\/bfnrt", self.at[0], 8) == NULL:
                return fail(self)
        self.at += 1


# https://www.rfc-editor.org/rfc/rfc8259#section-3; NaN and Infinity are what Python and others write.
cdef bint skip_value(Reader* self, int depth) noexcept nogil:
    cdef bint has_escapes
    cdef uint8_t close
    if self.at == self.end or depth > DEEPEST:
        return fail(self)
    cdef uint8_t c = self.at[0]
    if c == c'"':
        return skip_string(self, &has_escapes)
    if c == c'{' or c == c'[':
        close = c + 2
        self.at += 1
        skip_space(self)
        if skip(self, close):
            return True
        while True:
            if c == c'{':
                if not skip_string(self, &has_escapes):
                    return False
                skip_space(self)
                if not skip(self, c':'):
                    return fail(self)
                skip_space(self)
            if not skip_value(self, depth + 1):
                return False
            skip_space(self)
            if skip(self, close):
                return True
            if not skip(self, c','):
                return fail(self)
            skip_space(self)
    if c == c't':
        return skip_word(self, b"true", 4)
    if c == c'f':
        return skip_word(self, b"false", 5)
    if c == c'n':
        return skip_word(self, b"null", 4)
    if c == c'N':
        return skip_word(self, b"NaN", 3)
    if c == c'I':
        return skip_word(self, b"Infinity", 8)
    if c == c'-' and self.end - self.at > 1 and self.at[1] == c'I':
        return skip_word(self, b"-Infinity", 9)
    return skip_number(self)


cdef inline void set_name(Slice* to, bytes name) noexcept:
    to.text = <const uint8_t*> <const char*> name
    to.length = len(name)


# The first element of an array that has been read.
cdef inline void take_first(Reader* self, Slice* array) noexcept nogil:
    self.at = array.text + 1
    skip_space(self)
    array.text = NULL
    if self.at[0] != c']':
        array.text = self.at
        skip_value(self, 1)
        array.length = self.at - array.text


# Marks the fields that an object has at a level, from the field i on.
cdef inline void mark_fields(Reader* self, int i, const uint8_t* inner, int number) noexcept nogil:
    cdef Field* field
    for i in range(i, self.n_fields):
        field = &self.fields[i]
        if field.level == number - 1 and number < field.n_names and field.first.text == inner:
            field.inside = inner
            field.level = number
            field.first.text = NULL


# The value of a field; false if a part of its name is not in an object.
cdef inline bint value_of(const Field* field, Slice* value) noexcept nogil:
    value[0] = field.whole
    if value.text == NULL and field.n_names > 1:
        value[0] = field.first
        if value.text != NULL and value.text[0] != c'n' and field.level < field.n_names - 1:
            value.text = NULL
            return False
    return True


# Goes to the value of the next member of an object; false after the last one, and if it is wrong.
cdef inline bint next_member(Reader* self, Slice* name, bint is_first) noexcept nogil:
    cdef bint has_escapes
    self.at += is_first
    skip_space(self)
    if skip(self, c'}'):
        return False
    if not is_first and not skip(self, c','):
        return fail(self)
    skip_space(self)
    name.text = self.at
    if not skip_string(self, &has_escapes):
        return False
    name.length = self.at - name.text
    skip_space(self)
    if not skip(self, c':'):
        return fail(self)
    skip_space(self)
    return self.at < self.end or fail(self)


cdef inline void drop_rows(Builder* self, Py_ssize_t rows) noexcept nogil:
    while self.length > rows:
        self.length -= 1
        self.validity[self.length >> 3] &= ~(1 << (self.length & 7))
    self.data.length = self.ends[rows]


# https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/
#
# The names of the arrays in each other in which spans and records of logs are.
cdef inline bint is_of_level(const Slice* name, int level) noexcept nogil:
    if level == 0:
        return is_same(name, <const uint8_t*> b'"resourceSpans"', 15) or is_same(name, <const uint8_t*> b'"resourceLogs"', 14)
    if level == 1:
        return is_same(name, <const uint8_t*> b'"scopeSpans"', 12) or is_same(name, <const uint8_t*> b'"scopeLogs"', 11)
    return is_same(name, <const uint8_t*> b'"spans"', 7) or is_same(name, <const uint8_t*> b'"logRecords"', 12)


# Lines of logs.

cdef enum:
    DIGITS = 18                 # of a number; those that have more do not fit into 64 bits

# What is escaped in a text: nothing, as Apache and nginx do it, a quote by another one, or as in a string of JSON.
cdef enum Form:
    PLAIN
    ESCAPED
    DOUBLED
    QUOTED


# A text in a line; its `text` is NULL if the line has none.
ctypedef struct LogText:
    const uint8_t* text
    Py_ssize_t length
    Form form
    int rank                    # of the name by which it was found


cdef inline bint is_absent(const LogText* text) noexcept nogil:
    return text.text == NULL or text.length == 0 or text.length == 1 and text.text[0] == c'-'


cdef inline bint has_digits(const LogText* text) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(text.length):
        if not c'0' <= text.text[i] <= c'9':
            return False
    return True


cdef inline bint is_number(const LogText* text) noexcept nogil:
    return has_digits(text) and 0 < text.length <= DIGITS and (text.text[0] != c'0' or text.length == 1)


# Whether four digits are a code point, which half of a surrogate pair is not.
cdef inline bint is_hex4(const uint8_t* p, const uint8_t* end) noexcept nogil:
    cdef int i
    if end - p < 4 or (p[0] | 0x20) == c'd' and hex_value(p[1]) >= 8:
        return False
    for i in range(4):
        if not is_hex_digit(p[i]):
            return False
    return True


# https://www.rfc-editor.org/rfc/rfc3986#section-3.1
cdef inline bint is_absolute(const LogText* target) noexcept nogil:
    cdef Py_ssize_t i = 0
    cdef uint8_t c
    while i < target.length:
        c = target.text[i]
        if c == c':' and i:
            return target.length - i > 2 and target.text[i + 1] == c'/' and target.text[i + 2] == c'/'
        if not (c'a' <= (c | 0x20) <= c'z' or i and (c'0' <= c <= c'9' or c == c'+' or c == c'-' or c == c'.')):
            return False
        i += 1
    return False


# Whether a host is one: what others would be part of the path, or credentials.
cdef inline bint is_authority(const LogText* host) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(host.length):
        if host.text[i] <= c' ' or memchr(b"/?#@\\", host.text[i], 5) != NULL:
            return False
    return True


cdef inline bint is_scheme(const LogText* scheme) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(scheme.length):
        if not c'a' <= (scheme.text[i] | 0x20) <= c'z':
            return False
    return True
