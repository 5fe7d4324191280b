"""Fields of CSV and of JSON Lines, read without the GIL. log_lines.pxi reads the lines of logs."""

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memset

from weburl._arrow.input cimport count_newlines
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push, push_run, release, start
from weburl.cli.readers.rows.text_column cimport Builder, columns_of, end_row, free_builders, make_builders, push_string

from weburl.cli.readers.field_path import EACH, field_names, field_path

include "cell_scan.pxi"
include "log_lines.pxi"


# What is wrong with a record: first of CSV, then of JSON Lines.
cdef enum Fault:
    NONE
    OPEN_QUOTE
    AFTER_QUOTE
    LONE_CR
    NOT_JSON
    NOT_IN_OBJECT
    NOT_A_STRING
    TOO_MANY


# CSV.

MESSAGES = {
    OPEN_QUOTE: "a quote has no end",
    AFTER_QUOTE: "a delimiter must follow the closing quote",
    LONE_CR: "a carriage return outside quotes must be before a newline",
}


# The last record that does not parse and has several lines: each line of it up to `end` begins within quotes. So a record
# that is within quotes where one of them begins has the same fault, and time is linear.
ctypedef struct Broken:
    Py_ssize_t end
    Fault fault


# https://www.rfc-editor.org/rfc/rfc4180#section-2
#
# The end of the record that begins at i, after its newline; -1 if it is not there. A record that does not parse ends with
# its first line: what follows may be as it should. A quote within a field that does not begin with one is a character.
# Field f is put into cells[slots[f]], if that is not -1.
cdef Py_ssize_t read_record(
    const uint8_t* p, Py_ssize_t i, Py_ssize_t end, uint8_t delimiter, Cell* cells, const int* slots, int n_slots,
    Fault* fault, Broken* broken,
) noexcept nogil:
    cdef Py_ssize_t first = i, begin, stop, line = end_of_line(p, i, end) if i < broken.end else -1
    cdef bint is_known = 0 <= line <= broken.end
    cdef Py_ssize_t quoted_end = line if is_known else end
    cdef const uint8_t* quote
    cdef int field = 0
    cdef bint has_quotes
    cdef uint8_t c
    fault[0] = NONE
    while True:
        begin = i
        has_quotes = False
        if i < end and p[i] == c'"':
            begin += 1
            i += 1
            while True:
                quote = <const uint8_t*> memchr(p + i, c'"', quoted_end - i)
                if quote == NULL:
                    if not is_known:
                        broken[0] = Broken(end, OPEN_QUOTE)
                    fault[0] = broken.fault
                    return -1 if fault[0] == OPEN_QUOTE else line
                i = quote - p + 1
                if i == end or p[i] != c'"':
                    break
                has_quotes = True
                i += 1
            stop = i - 1
        else:
            while i < end and p[i] != delimiter and p[i] != c'\n' and p[i] != c'\r':
                i += 1
            stop = i
        if i == end or p[i] == c'\r' and i + 1 == end:
            broken[0] = Broken(end, OPEN_QUOTE)
            return -1
        if field < n_slots and slots[field] >= 0:
            cells[slots[field]].text = p + begin
            cells[slots[field]].length = stop - begin
            cells[slots[field]].has_quotes = has_quotes
        c = p[i]
        if c == delimiter:
            field += 1
            i += 1
        elif c == c'\n':
            return i + 1
        elif c == c'\r' and p[i + 1] == c'\n':
            return i + 2
        else:
            fault[0] = LONE_CR if c == c'\r' else AFTER_QUOTE
            if i > broken.end:
                broken[0] = Broken(i, fault[0])
            return end_of_line(p, first, end)


# The end of a record that is too long, by its quotes alone: how much of it is there decides nothing. -1 if it is not there.
cdef Py_ssize_t end_by_quotes(const uint8_t* p, Py_ssize_t i, Py_ssize_t end, uint8_t delimiter) noexcept nogil:
    cdef const uint8_t* quote
    cdef bint is_begin = True
    while i < end:
        if is_begin and p[i] == c'"':
            while True:
                quote = <const uint8_t*> memchr(p + i + 1, c'"', end - i - 1)
                if quote == NULL:
                    return -1
                i = quote - p + 1
                if i == end or p[i] != c'"':
                    break
            is_begin = False
        elif p[i] == c'\n':
            return i + 1
        else:
            is_begin = p[i] == delimiter
            i += 1
    return -1


def cut_records(bytes data not None, str delimiter, Py_ssize_t size, Py_ssize_t limit, bint is_last=False):
    """Where pieces of whole records end, each of at least `size` bytes but for the last.

    A record whose end is not there is not whole. If the data is the last, such a record does not parse, unless it has
    more than `limit` bytes.
    """
    cdef const uint8_t* p = <const uint8_t*> <const char*> data
    cdef Py_ssize_t end = len(data), cut = 0
    cdef uint8_t separator = <uint8_t> ord(delimiter)
    cdef list cuts = []
    cdef Broken broken = Broken(-1, NONE)
    while True:
        with nogil:
            cut = next_cut(p, cut, end, separator, size, limit, is_last, &broken)
        if cut < 0:
            return cuts
        cuts.append(cut)


# The end of the last whole record that begins less than `size` bytes after i; -1 if there is none.
cdef Py_ssize_t next_cut(
    const uint8_t* p, Py_ssize_t i, Py_ssize_t end, uint8_t delimiter, Py_ssize_t size, Py_ssize_t limit, bint is_last,
    Broken* broken,
) noexcept nogil:
    cdef Py_ssize_t last = i, enough = min(i + size, end), stop, line, far
    cdef Fault fault
    while last < enough:
        # Up to the next quote, each newline ends a record.
        stop = find(p, last, enough, c'"')
        while stop > last and p[stop - 1] != c'\n':
            stop -= 1
        if stop == enough:
            return stop
        last = stop
        stop = line = end_of_line(p, last, end)
        # A record without quotes is a line.
        if line > 0 and find(p, last, line, c'"') < line:
            far = reach(last, end, limit)
            stop = read_record(p, last, far, delimiter, NULL, NULL, 0, &fault, broken)
            if stop < 0 and far < end:
                stop = end_by_quotes(p, last, end, delimiter)
            elif stop < 0 and is_last:
                stop = line
        if stop < 0:
            break
        last = stop
    return last if last > i else -1


def read_columns(
    bytes data not None, Py_ssize_t begin, Py_ssize_t end, str delimiter, tuple wanted not None, Py_ssize_t limit
):
    """read_columns(data, begin, end, delimiter, wanted, limit): the wanted columns, by their indices, of whole records, newlines included.

    Also, for each row, the line that its record ends in, from 0 at `begin`; and a dict with a message and the first line of
    each record that does not parse, or None if it has more than `limit` bytes. Such a row is null in all columns. Empty lines are
    not rows.
    """
    cdef const uint8_t* p = <const uint8_t*> <const char*> data
    cdef uint8_t separator = <uint8_t> ord(delimiter)
    cdef int count = <int> len(wanted), n_slots = max(wanted, default=-1) + 1, field
    cdef Py_ssize_t rows = count_newlines(p, begin, end), i = begin, stop, far, length, line = 0, row = 0
    cdef Py_ssize_t quote = begin - 1, cr = begin - 1
    cdef Fault fault
    cdef Broken broken = Broken(-1, NONE)
    cdef dict faults = {}
    cdef bytearray lines = bytearray(rows * sizeof(int64_t))
    cdef int64_t* numbers = <int64_t*> <char*> lines
    cdef Builder* builders = make_builders(count, rows)
    cdef Cell* cells = <Cell*> calloc(count + 1, sizeof(Cell))
    cdef int* slots = <int*> calloc(n_slots + 1, sizeof(int))
    try:
        if end > begin and p[end - 1] != c'\n':
            raise ValueError("the last record has no end")
        if cells == NULL or slots == NULL:
            raise MemoryError
        memset(slots, -1, n_slots * sizeof(int))
        for index in range(count):
            slots[<int> wanted[index]] = index
        with nogil:
            while i < end:
                # Where the next quote and the next carriage return are, and the end of the line.
                if quote < i:
                    quote = find(p, i, end, c'"')
                if cr < i:
                    cr = find(p, i, end, c'\r')
                stop = find(p, i, end, c'\n')
                length = stop - i - (stop < end and cr == stop - 1)
                fault = NONE
                memset(cells, 0, count * sizeof(Cell))
                if quote > stop and cr >= i + length and stop < end:
                    line += 1
                    stop += 1
                    if length == 0:
                        i = stop
                        continue
                    read_csv_line(p, i, i + length, separator, cells, slots, n_slots)
                else:
                    far = reach(i, end, limit)
                    stop = read_record(p, i, far, separator, cells, slots, n_slots, &fault, &broken)
                    if stop < 0 and far < end:
                        fault = NONE
                        stop = end_by_quotes(p, i, end, separator)
                    elif stop < 0:
                        # A quote without an end: pieces have whole records.
                        fault = OPEN_QUOTE
                        stop = end_of_line(p, i, end)
                    if stop < 0:
                        stop = end
                    line += count_newlines(p, i, stop)
                numbers[row] = line
                if fault or stop - 1 - i > limit:
                    memset(cells, 0, count * sizeof(Cell))
                    with gil:
                        faults[row] = (MESSAGES[fault], data[i:stop]) if fault else None
                for field in range(count):
                    push_cell(&builders[field], &cells[field])
                row += 1
                i = stop
        return columns_of(builders, count), memoryview(lines)[:row * sizeof(int64_t)].cast("q"), faults
    finally:
        free_builders(builders, count)
        free(cells)
        free(slots)


cdef void push_cell(Builder* to, const Cell* cell) noexcept nogil:
    cdef const uint8_t* text = cell.text
    cdef const uint8_t* quote
    cdef Py_ssize_t left = cell.length, length
    while text != NULL and cell.has_quotes and left:
        quote = <const uint8_t*> memchr(text, c'"', left)
        if quote == NULL:
            break
        length = quote - text + 1
        push_run(&to.data, text, length)
        text += length + 1
        left -= length + 1
    if text != NULL:
        push_run(&to.data, text, left)
    end_row(to, cell.text == NULL)


# JSON Lines.

cdef enum:
    MOST_COPIES = 64            # of a line: so much is kept beside all its values


# Reads an object, and notes the values of the fields; of one inside the line's, only what is under the names of that
# number. Of members with the same name the last counts.
cdef bint read_object(Reader* self, const uint8_t* inner, int number) noexcept nogil:
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
        if inner != NULL:
            for i in range(self.n_fields):
                if self.fields[i].inside == inner and is_same(&self.fields[i].names[number], name, length):
                    set_run(&self.fields[i].first, begin, self.at)
        else:
            for i in range(self.n_fields):
                if is_same(&self.fields[i].names[0], name, length):
                    set_run(&self.fields[i].whole, begin, self.at)
                elif self.fields[i].n_names > 1 and is_same(&self.fields[i].names[1], name, length):
                    set_run(&self.fields[i].first, begin, self.at)
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


# Goes into the objects that the members of an object are, for the fields whose names have dots: each is read once for all
# fields in it.
cdef void find_values(Reader* self) noexcept nogil:
    cdef const uint8_t* inner
    cdef bint has_more = True
    cdef Field* field
    cdef int number = 1, i
    while has_more:
        number += 1
        has_more = False
        for i in range(self.n_fields):
            field = &self.fields[i]
            if field.level != number - 1 or number >= field.n_names or field.first.text == NULL:
                continue
            inner = field.first.text
            if inner[0] == c'{':
                mark_fields(self, i, inner, number)
                self.at = inner
                read_object(self, inner, number)
                has_more = True


# Pushes a row for each string that a value has under the steps of a path from this number on. What is absent or null has
# none. The result says whether something there is not as the path says.
cdef Fault push_each(Reader* self, Field* field, int number, Slice value, Builder* to) noexcept nogil:
    cdef Fault fault = NONE, other
    cdef Slice element
    cdef bint is_first = True
    if value.text == NULL or value.text[0] == c'n':
        return NONE
    if number == field.n_names:
        if value.text[0] != c'"':
            return NOT_A_STRING
        push_string(&to.data, value.text + 1, value.length - 2)
        end_row(to, False)
        return NONE
    if value.text[0] != (c'{' if field.names[number].text != NULL else c'['):
        return NOT_IN_OBJECT
    if field.names[number].text != NULL:
        field.inside = self.at = value.text
        field.first.text = NULL
        read_object(self, value.text, number)
        return push_each(self, field, number + 1, field.first, to)
    self.at = value.text
    while next_element(self, is_first):
        is_first = False
        element.text = self.at
        skip_value(self, 1)
        set_run(&element, element.text, self.at)
        other = push_each(self, field, number + 1, element, to)
        fault = fault or other
        self.at = element.text + element.length
    return fault


# Pushes the rows of a line of this length, and for each of them the other fields.
cdef Fault push_rows(Reader* self, Builder* builders, const bint* is_raw, Py_ssize_t length) noexcept nogil:
    cdef Py_ssize_t first = builders[0].length, size = 0, rows
    cdef Fault fault = push_each(self, &self.fields[0], 2, self.fields[0].first, &builders[0])
    cdef Slice value
    cdef int i
    for i in range(1, self.n_fields):
        value_of(&self.fields[i], &value)
        size += 0 if value.text == NULL else value.length
        self.fields[i].whole = value
    if size * (builders[0].length - first) > MOST_COPIES * length:
        fault = TOO_MANY
        drop_rows(&builders[0], first)
    if fault or builders[0].length == first:
        end_row(&builders[0], True)
    rows = builders[0].length
    for i in range(1, self.n_fields):
        value = self.fields[i].whole
        if value.text != NULL and value.text[0] == c'n':
            value.text = NULL
        while builders[i].length < rows:
            if value.text != NULL and value.text[0] == c'"' and not is_raw[i]:
                push_string(&builders[i].data, value.text + 1, value.length - 2)
            elif value.text != NULL:
                push_run(&builders[i].data, value.text, value.length)
            end_row(&builders[i], value.text == NULL)
    return fault


# Reads a line, and pushes a row to each builder. The first field is the URL, and must be a string or null; if its path has
# each element of an array, there is a row for each string, and then one for what is not a string, or if there is none.
#
# In a record, all fields are alike: any may be missing, and if the value is an array, its first element is taken.
cdef Fault read_json_line(
    Reader* self, Builder* builders, const bint* is_raw, bint has_each, bint is_record
) noexcept nogil:
    cdef Fault fault = NONE
    cdef Slice value
    cdef Py_ssize_t length = self.end - self.at
    cdef int i
    for i in range(self.n_fields):
        self.fields[i].whole.text = self.fields[i].first.text = self.fields[i].inside = NULL
        self.fields[i].level = 1
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
    if has_each:
        # push_rows() goes into it.
        self.fields[0].level = 0
    if fault != NOT_JSON:
        find_values(self)
    if has_each and not fault and self.fields[0].whole.text == NULL:
        return push_rows(self, builders, is_raw, length)
    for i in range(self.n_fields):
        value.text = NULL
        if fault != NOT_JSON and not value_of(&self.fields[i], &value) and i == 0 and not is_record:
            fault = NOT_IN_OBJECT
        if is_record and value.text != NULL and value.text[0] == c'[':
            take_first(self, &value)
        if value.text != NULL and value.text[0] == c'n':
            value.text = NULL
        if i == 0 and not fault and value.text != NULL and value.text[0] != c'"' and not is_record:
            fault = NOT_A_STRING
        if fault and (i == 0 or fault == NOT_JSON or is_record):
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


def read_fields(
    bytes data not None, Py_ssize_t begin, Py_ssize_t end, tuple wanted not None, left_out, bint is_record=False
):
    """read_fields(data, begin, end, wanted, left_out, is_record): fields of the objects on lines, as columns.

    A field is a name and whether its column has JSON instead of the text of strings; a.b is b in a. The first is the URL; only
    its path may have each element of arrays, and then there is a row for each string, all with the other fields of the line.
    With `left_out`, a set of names, there is one more column: all other members of the object, in JSON. With `is_record`,
    no field is the URL, and of an array, a column has the first element.

    Also, for each row, the number of its line, from 1 for the first; and a dict with a message, the line, and the place, or
    0, of each row that does not parse, which is null in all columns, or has no URL. Lines without anything are not rows.
    """
    cdef const uint8_t* p = <const uint8_t*> <const char*> data
    cdef const uint8_t* newline
    cdef const uint8_t* line_end
    cdef int count = <int> len(wanted), columns = count + (left_out is not None), i, n_names = 0
    cdef Py_ssize_t rows = count_newlines(p, begin, end) + 1, at = begin, line = 0, row = 0
    cdef list texts = [
        [step for step in field_names(field[0]) if not is_record or step is not EACH] for field in wanted
    ]
    cdef bint has_each = EACH in texts[0]
    cdef list encoded = []      # which keeps the names
    cdef list skipped = [] if left_out is None else [name.encode() for name in left_out]
    cdef dict faults = {}
    if has_each:
        # Each element has one of these before it.
        rows += data.count(b",", begin, end) + data.count(b"[", begin, end)
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
                # A step without a text stays as calloc made it.
                if name is not EACH:
                    text = name.encode()
                    encoded.append(text)
                    set_name(names + n_names, text)
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
                    fault = read_json_line(&reader, builders, is_raw, has_each, is_record)
                    while row < builders[0].length:
                        numbers[row] = line
                        row += 1
                    if fault:
                        with gil:
                            record = data[at:line_end - p]
                            faults[row - 1] = (
                                message(fault, &reader, record, wanted[0][0], is_record), record,
                                column_of(&reader, record) if fault == NOT_JSON else 0,
                            )
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


# Where the reader is in a line, in characters from 1.
cdef Py_ssize_t column_of(const Reader* reader, bytes line) except -1:
    return len(line[:len(line) - (reader.end - reader.at)].decode("utf-8", "replace")) + 1


cdef str message(Fault fault, const Reader* reader, bytes line, str field, bint is_record):
    if fault == NOT_JSON:
        if reader.at >= reader.end:
            return "it is not JSON: it ends too early"
        return f"it is not JSON: character {column_of(reader, line)} is wrong"
    from weburl.cli._messages import quoted

    if is_record:
        return "it is not an object of JSON"
    if fault == TOO_MANY:
        return f"the field {quoted(field)} has too many values to keep other fields beside each"
    if EACH in field_path(field):
        return f"a value of the field {quoted(field)} is not {'where its path says' if fault == NOT_IN_OBJECT else 'a string'}"
    return f"the field {quoted(field)} is not {'in an object' if fault == NOT_IN_OBJECT else 'a string'}"


cdef enum:
    MOST_TYPED = 8              # arrays and lists in each other: each level is read once more


# A value that has been read, which begins there, as JSON has it: OTLP has it in an object with one member, whose name is its
# type. So have the elements of arrays; a list has attributes. What is deeper stays as it is.
cdef inline void push_typed(Reader* self, Buffer* out, const uint8_t* begin, int depth) noexcept nogil:
    cdef const uint8_t* after = self.at
    cdef Slice name
    cdef bint is_list, is_first = True
    self.at = begin
    if begin[0] != c'{':
        skip_value(self, 1)
        push_run(out, begin, self.at - begin)
    elif not next_member(self, &name, True):
        push_run(out, <const uint8_t*> b"null", 4)
    else:
        begin = self.at
        is_list = is_same(&name, <const uint8_t*> b'"kvlistValue"', 13)
        if depth == MOST_TYPED or begin[0] != c'{' or not (is_list or is_same(&name, <const uint8_t*> b'"arrayValue"', 12)):
            skip_value(self, 1)
            push_run(out, begin, self.at - begin)
        else:
            push(out, c'{' if is_list else c'[')
            if next_member(self, &name, True) and is_same(&name, <const uint8_t*> b'"values"', 8) and self.at[0] == c'[':
                while next_element(self, is_first):
                    begin = self.at
                    if is_list and begin[0] == c'{':
                        push_attribute(self, out, depth + 1)
                    else:
                        skip_value(self, 1)
                        if not is_list:
                            if not is_first:
                                push(out, c',')
                            push_typed(self, out, begin, depth + 1)
                    is_first = False
            push(out, c'}' if is_list else c']')
    self.at = after


# An attribute has a key, and as its value an object with one member, whose name is a type.
cdef void push_attribute(Reader* self, Buffer* out, int depth) noexcept nogil:
    cdef Slice name, key, value
    cdef const uint8_t* end
    cdef bint is_first = True
    memset(&key, 0, sizeof(key))
    memset(&value, 0, sizeof(value))
    while next_member(self, &name, is_first):
        is_first = False
        end = self.at
        if not skip_value(self, 1):
            return
        if is_same(&name, <const uint8_t*> b'"key"', 5):
            set_run(&key, end, self.at)
        elif is_same(&name, <const uint8_t*> b'"value"', 7):
            set_run(&value, end, self.at)
    if self.is_wrong or key.text == NULL or key.text[0] != c'"' or value.text == NULL or value.text[0] != c'{':
        return
    end = self.at
    self.at = value.text
    if next_member(self, &name, True):
        push_name(out, &key)
        push_typed(self, out, value.text, depth)
    self.at = end


# A span or a record of logs as an object without arrays of attributes, on a line.
cdef void push_record(Reader* self, Buffer* out) noexcept nogil:
    cdef Slice name
    cdef const uint8_t* begin
    cdef bint is_first = True, is_inner
    push(out, c'{')
    while next_member(self, &name, is_first):
        is_first = False
        begin = self.at
        if is_same(&name, <const uint8_t*> b'"attributes"', 12) and begin[0] == c'[':
            is_inner = True
            while next_element(self, is_inner):
                is_inner = False
                if self.at[0] == c'{':
                    push_attribute(self, out, 0)
                else:
                    skip_value(self, 1)
                if self.is_wrong:
                    return
        elif skip_value(self, 1):
            push_name(out, &name)
            if begin[0] == c'{' and is_same(&name, <const uint8_t*> b'"body"', 6):
                push_typed(self, out, begin, 0)
            else:
                push_run(out, begin, self.at - begin)
        if self.is_wrong:
            return
    push_run(out, <const uint8_t*> b"}\n", 2)


cdef void push_records(Reader* self, Buffer* out, int level) noexcept nogil:
    cdef Slice name
    cdef bint is_first = True, is_inner
    while next_member(self, &name, is_first):
        is_first = False
        is_inner = True
        if self.at[0] != c'[' or not is_of_level(&name, level):
            skip_value(self, 1)
        else:
            while not self.is_wrong and next_element(self, is_inner):
                is_inner = False
                if self.at[0] != c'{':
                    skip_value(self, 1)
                elif level == 2:
                    push_record(self, out)
                else:
                    push_records(self, out, level + 1)
        if self.is_wrong:
            return


def split_otlp(bytes data not None, Py_ssize_t end):
    """split_otlp(data, end): the spans and records of logs of the lines up to `end`, each on a line, as an object.

    Attributes are members of it; they and `body` have values without the names of their types. A line that has none, or is wrong, is as it was. Also, for each line, how many lines there
    are up to the last one of it.
    """
    cdef const uint8_t* p = <const uint8_t*> <const char*> data
    cdef const uint8_t* stop
    cdef Py_ssize_t at = 0, lines = count_newlines(p, 0, end) + 1, line = 0, before, count = 0
    cdef bytearray counts = bytearray(lines * sizeof(int64_t))
    cdef int64_t* numbers = <int64_t*> <char*> counts
    cdef uint8_t[256] memory
    cdef Buffer out
    cdef Reader reader
    memset(&reader, 0, sizeof(reader))
    start(&out, memory, sizeof(memory), PY_SSIZE_T_MAX)
    try:
        with nogil:
            while at < end:
                stop = p + find(p, at, end, c'\n')
                before = out.length
                reader.at = p + at
                reader.end = stop
                reader.is_wrong = False
                skip_space(&reader)
                if reader.at < stop and reader.at[0] == c'{':
                    push_records(&reader, &out, 0)
                    skip_space(&reader)
                if reader.is_wrong or reader.at < stop:
                    out.length = before
                if out.length == before:
                    push_run(&out, p + at, stop - p - at)
                    push(&out, c'\n')
                if out.status:
                    break
                count += count_newlines(out.data, before, out.length)
                numbers[line] = count
                line += 1
                at = stop - p + 1
        if out.status:
            raise MemoryError
        return out.data[:out.length], memoryview(counts)[:line * sizeof(int64_t)].cast("q")
    finally:
        release(&out)
