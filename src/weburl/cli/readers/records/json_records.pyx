"""Fields of JSON Lines, read without the GIL."""

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memcmp, memset

from weburl._arrow.input cimport count_newlines
from weburl._core.ascii cimport hex_value, is_hex_digit
from weburl._core.buffer cimport Buffer, push, push_run, release, start
from weburl.cli.readers.text_column cimport Builder, columns_of, end_row, free_builders, make_builders

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef enum:
    DEEPEST = 512               # objects and arrays in each other


# A part of a line. It has no text if there is no such part.
ctypedef struct Slice:
    const uint8_t* text
    Py_ssize_t length


# A field that is wanted: its whole name, and the names that it has between dots.
ctypedef struct Field:
    Slice* names
    int n_names                 # the first is the whole name; 1 if it has no dot, and no others
    Slice whole                 # what the object has under these names
    Slice first


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


cdef bint fail(Reader* self) noexcept nogil:
    self.is_wrong = True
    return False


cdef bint skip_string(Reader* self, bint* has_escapes) noexcept nogil:
    cdef int i
    has_escapes[0] = False
    if not skip(self, c'"'):
        return fail(self)
    while self.at < self.end:
        if self.at[0] == c'"':
            self.at += 1
            return True
        if self.at[0] < 0x20:
            return fail(self)
        if self.at[0] == c'\\':
            has_escapes[0] = True
            self.at += 1
            if self.at == self.end:
                break
            if self.at[0] == c'u':
                for i in range(4):
                    self.at += 1
                    if self.at == self.end or not is_hex_digit(self.at[0]):
                        return fail(self)
            elif memchr(b"\"\\/bfnrt", self.at[0], 8) == NULL:
                return fail(self)
        self.at += 1
    return fail(self)


cdef bint skip_digits(Reader* self) noexcept nogil:
    cdef const uint8_t* begin = self.at
    while self.at < self.end and c'0' <= self.at[0] <= c'9':
        self.at += 1
    return self.at > begin or fail(self)


cdef bint skip_number(Reader* self) noexcept nogil:
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


cdef bint skip_word(Reader* self, const char* word, Py_ssize_t length) noexcept nogil:
    if self.end - self.at < length or memcmp(self.at, word, length):
        return fail(self)
    self.at += length
    return True


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


cdef int hex4(const uint8_t* p) noexcept nogil:
    return hex_value(p[0]) << 12 | hex_value(p[1]) << 8 | hex_value(p[2]) << 4 | hex_value(p[3])


cdef void push_code_point(Buffer* out, int code) noexcept nogil:
    if code < 0x80:
        push(out, <uint8_t> code)
        return
    if code < 0x800:
        push(out, <uint8_t> (0xC0 | code >> 6))
    else:
        if code < 0x10000:
            push(out, <uint8_t> (0xE0 | code >> 12))
        else:
            push(out, <uint8_t> (0xF0 | code >> 18))
            push(out, <uint8_t> (0x80 | code >> 12 & 0x3F))
        push(out, <uint8_t> (0x80 | code >> 6 & 0x3F))
    push(out, <uint8_t> (0x80 | code & 0x3F))


# The text of a string whose quotes are left out. A surrogate without its other half becomes U+FFFD.
cdef void push_string(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef const uint8_t* end = p + n
    cdef const uint8_t* escape
    cdef int code, low
    while True:
        escape = <const uint8_t*> memchr(p, c'\\', end - p)
        if escape == NULL:
            push_run(out, p, end - p)
            return
        push_run(out, p, escape - p)
        p = escape + 2
        if escape[1] == c'u':
            code = hex4(p)
            p += 4
            if 0xD800 <= code < 0xE000:
                low = hex4(p + 2) if code < 0xDC00 and end - p >= 6 and p[0] == c'\\' and p[1] == c'u' else 0
                if 0xDC00 <= low < 0xE000:
                    code = 0x10000 + ((code - 0xD800) << 10) + low - 0xDC00
                    p += 6
                else:
                    code = 0xFFFD
            push_code_point(out, code)
        elif escape[1] == c'b':
            push(out, 8)
        elif escape[1] == c'f':
            push(out, 12)
        elif escape[1] == c'n':
            push(out, 10)
        elif escape[1] == c'r':
            push(out, 13)
        elif escape[1] == c't':
            push(out, 9)
        else:
            push(out, escape[1])


cdef inline bint is_same(const Slice* one, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    return one.length == length and memcmp(one.text, text, length) == 0


# Reads an object, and notes the values of the fields; of `one` field only what is under its name of that number. Of
# members with the same name the last counts.
cdef bint read_object(Reader* self, Field* one, int number) noexcept nogil:
    cdef const uint8_t* begin
    cdef const uint8_t* name
    cdef const uint8_t* member
    cdef Py_ssize_t length
    cdef bint has_escapes, is_empty = True
    cdef int i
    self.at += 1
    skip_space(self)
    if skip(self, c'}'):
        return True
    while True:
        member = self.at
        if not skip_string(self, &has_escapes):
            return False
        name = member + 1
        length = self.at - member - 2
        if has_escapes:
            self.key.length = 0
            push_string(&self.key, name, length)
            name = self.key.data
            length = self.key.length
        skip_space(self)
        if not skip(self, c':'):
            return fail(self)
        skip_space(self)
        begin = self.at
        if not skip_value(self, 1):
            return False
        if one != NULL:
            if is_same(&one.names[number], name, length):
                one.first.text = begin
                one.first.length = self.at - begin
        else:
            for i in range(self.n_fields):
                if is_same(&self.fields[i].names[0], name, length):
                    self.fields[i].whole.text = begin
                    self.fields[i].whole.length = self.at - begin
                elif self.fields[i].n_names > 1 and is_same(&self.fields[i].names[1], name, length):
                    self.fields[i].first.text = begin
                    self.fields[i].first.length = self.at - begin
            if self.members != NULL:
                for i in range(self.n_left_out):
                    if is_same(&self.left_out[i], name, length):
                        break
                else:
                    if not is_empty:
                        push(&self.members.data, c',')
                    is_empty = False
                    push_run(&self.members.data, member, self.at - member)
        skip_space(self)
        if skip(self, c'}'):
            return True
        if not skip(self, c','):
            return fail(self)
        skip_space(self)


# The value of a field of the object that has been read; false if a part of its name is not in an object.
cdef bint find_value(Reader* self, Field* field, Slice* value) noexcept nogil:
    cdef int number
    value.text = NULL
    if field.whole.text != NULL or field.n_names == 1:
        value[0] = field.whole
        return True
    for number in range(2, field.n_names + 1):
        value[0] = field.first
        if value.text == NULL or value.text[0] == c'n':
            value.text = NULL
            return True
        if number == field.n_names:
            return True
        if value.text[0] != c'{':
            value.text = NULL
            return False
        field.first.text = NULL
        self.at = value.text
        read_object(self, field, number)
    return True


cdef enum Fault:
    NONE
    NOT_JSON
    NOT_IN_OBJECT
    NOT_A_STRING


# Reads a line, and pushes a row to each builder. The first field is the URL, and must be a string or null.
cdef Fault read_line(Reader* self, Builder* builders, const bint* is_raw) noexcept nogil:
    cdef Fault fault = NONE
    cdef Slice value
    cdef int i
    for i in range(self.n_fields):
        self.fields[i].whole.text = self.fields[i].first.text = NULL
    skip_space(self)
    if self.at < self.end and self.at[0] == c'{':
        read_object(self, NULL, 0)
    else:
        fault = NOT_IN_OBJECT
        skip_value(self, 0)
    if not self.is_wrong:
        skip_space(self)
    if self.is_wrong or self.at < self.end:
        fault = NOT_JSON
    for i in range(self.n_fields):
        value.text = NULL
        if fault != NOT_JSON and not find_value(self, &self.fields[i], &value) and i == 0:
            fault = NOT_IN_OBJECT
        if value.text != NULL and value.text[0] == c'n':
            value.text = NULL
        if i == 0 and not fault and value.text != NULL and value.text[0] != c'"':
            fault = NOT_A_STRING
        if fault and (i == 0 or fault == NOT_JSON):
            value.text = NULL
        if value.text != NULL:
            if value.text[0] == c'"' and not is_raw[i]:
                push_string(&builders[i].data, value.text + 1, value.length - 2)
            else:
                push_run(&builders[i].data, value.text, value.length)
        end_row(&builders[i], value.text == NULL)
    if self.members != NULL:
        end_row(self.members, fault == NOT_JSON)
    return fault


def read_fields(bytes data not None, Py_ssize_t begin, Py_ssize_t end, tuple wanted not None, left_out):
    """read_fields(data, begin, end, wanted, left_out): fields of the objects on lines, as columns.

    A field is a name and whether its column has JSON instead of the text of strings; a.b is b in a. The first is the URL.
    With `left_out`, a set of names, there is one more column: all other members of the object, in JSON.

    Also, for each row, the number of its line, from 1 for the first; and a dict with a message and the line of each row
    that does not parse, which is null in all columns, or whose URL is not a string. Lines without anything are not rows.
    """
    cdef const uint8_t* p = <const uint8_t*> <const char*> data
    cdef const uint8_t* newline
    cdef const uint8_t* line_end
    cdef int count = <int> len(wanted), columns = count + (left_out is not None), i, n_names = 0
    cdef Py_ssize_t rows = count_newlines(p, begin, end) + 1, at = begin, line = 0, row = 0
    cdef list texts = [
        [name, *(name.split(b".") if b"." in name else ())] for name in (field[0].encode() for field in wanted)
    ]
    cdef list skipped = [] if left_out is None else [name.encode() for name in left_out]
    cdef dict faults = {}
    cdef bytearray lines = bytearray(rows * sizeof(int64_t))
    cdef int64_t* numbers = <int64_t*> <char*> lines
    cdef uint8_t[256] memory
    cdef Reader reader
    cdef Fault fault
    cdef Builder* builders = make_builders(columns, rows)
    cdef Field* fields = <Field*> calloc(count + 1, sizeof(Field))
    cdef Slice* names = <Slice*> calloc(sum(map(len, texts)) + len(skipped) + 1, sizeof(Slice))
    cdef bint* is_raw = <bint*> calloc(count + 1, sizeof(bint))
    memset(&reader, 0, sizeof(reader))
    start(&reader.key, memory, sizeof(memory), PY_SSIZE_T_MAX)
    try:
        if fields == NULL or names == NULL or is_raw == NULL:
            raise MemoryError
        for number, parts in enumerate(texts):
            i = <int> number
            fields[i].names = names + n_names
            fields[i].n_names = <int> len(parts)
            is_raw[i] = wanted[number][1]
            for name in parts:
                set_name(names + n_names, name)
                n_names += 1
        reader.left_out = names + n_names
        reader.n_left_out = <int> len(skipped)
        for name in skipped:
            set_name(names + n_names, name)
            n_names += 1
        reader.fields = fields
        reader.n_fields = count
        if columns > count:
            reader.members = &builders[count]
        with nogil:
            while at < end:
                newline = <const uint8_t*> memchr(p + at, c'\n', end - at)
                line_end = p + end if newline == NULL else newline
                line += 1
                reader.at = p + at
                reader.end = line_end
                reader.is_wrong = False
                skip_space(&reader)
                if reader.at < line_end:
                    fault = read_line(&reader, builders, is_raw)
                    if fault:
                        with gil:
                            faults[row] = message(fault, &reader, data[at:line_end - p], wanted[0][0]), data[at:line_end - p]
                    numbers[row] = line
                    row += 1
                at = line_end - p + 1
        if reader.key.status:
            raise MemoryError
        return columns_of(builders, columns), memoryview(lines)[:row * sizeof(int64_t)].cast("q"), faults
    finally:
        free_builders(builders, columns)
        free(fields)
        free(names)
        free(is_raw)
        release(&reader.key)


cdef void set_name(Slice* to, bytes name) noexcept:
    to.text = <const uint8_t*> <const char*> name
    to.length = len(name)


cdef str message(Fault fault, const Reader* reader, bytes line, str field):
    if fault == NOT_JSON:
        if reader.at >= reader.end:
            return "it is not JSON: it ends too early"
        before = line[:len(line) - (reader.end - reader.at)].decode("utf-8", "replace")
        return f"it is not JSON: character {len(before) + 1} is wrong"
    from weburl.cli._messages import quoted

    return f"the field {quoted(field)} is not {'in an object' if fault == NOT_IN_OBJECT else 'a string'}"
