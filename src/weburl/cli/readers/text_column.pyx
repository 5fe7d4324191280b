"""Columns of texts, without the GIL: those that readers make of records, rows that a filter leaves, and rows in a store."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcpy, memset

from weburl._arrow.arrow cimport has_bit, load64
from weburl._arrow.batch cimport BITS, Batch
from weburl._arrow.input cimport (
    ROWS_LARGE_UTF8, Input, RowReader, RowText, count_newlines, next_row, open_reader, prefetch, read_row,
)
from weburl._core.ascii cimport hex_value
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push, push_code_point, push_run, release, reserve, start
from weburl._core.hash cimport HashKey, draw_key, hash_bytes
from weburl._core.percent cimport is_utf8, push_decoded

from _thread import allocate_lock as Lock

from weburl.cli._temporary import open_temporary, read_exactly, write_all

cdef enum:
    SCRATCH = 64                # bytes of a builder's first memory


cdef class TextColumn:
    """Texts and nulls: `offsets` (of 64 bits), `validity` (a bitmap) and `data` are the buffers of Arrow's large_utf8."""

    def __len__(self):
        return self.length

    def input(self):
        """The column as an input of jobs."""
        cdef Input column = Input.__new__(Input)
        column.objects = self
        column.rows.kind = ROWS_LARGE_UTF8
        column.rows.length = self.length
        column.rows.validity = <const uint8_t*> <const char*> self.validity
        column.rows.values = <const void*> <const char*> self.offsets
        column.rows.data = <const uint8_t*> <const char*> self.data
        return column

    def texts(self, Py_ssize_t begin, Py_ssize_t end):
        """The texts from one row to another; None where the row is null."""
        cdef const void* bounds = <const void*> <const char*> self.offsets
        cdef const uint8_t* validity = <const uint8_t*> <const char*> self.validity
        cdef Py_ssize_t row
        return [
            self.data[load64(bounds, row):load64(bounds, row + 1)].decode("utf-8") if has_bit(validity, row) else None
            for row in range(begin, min(end, self.length))
        ]


cdef Builder* make_builders(int count, Py_ssize_t rows) except NULL:
    cdef Builder* builders = <Builder*> calloc(count + 1, sizeof(Builder))
    cdef int i
    if builders == NULL:
        raise MemoryError
    for i in range(count):
        start(&builders[i].data, <uint8_t*> malloc(SCRATCH), SCRATCH, PY_SSIZE_T_MAX)
        builders[i].capacity = rows
        builders[i].ends = <int64_t*> malloc((rows + 1) * sizeof(int64_t))
        builders[i].validity = <uint8_t*> calloc(rows // 8 + 1, 1)
        if builders[i].ends == NULL or builders[i].validity == NULL or builders[i].data.scratch == NULL:
            free_builders(builders, count)
            raise MemoryError
        builders[i].ends[0] = 0
    return builders


cdef void free_builders(Builder* builders, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        release(&builders[i].data)
        free(builders[i].data.scratch)
        free(builders[i].ends)
        free(builders[i].validity)
    free(builders)


cdef list columns_of(Builder* builders, int count):
    cdef TextColumn column
    cdef list columns = []
    cdef int i
    for i in range(count):
        if builders[i].data.status:
            raise MemoryError
        column = TextColumn.__new__(TextColumn)
        column.length = builders[i].length
        column.offsets = (<char*> builders[i].ends)[:(builders[i].length + 1) * sizeof(int64_t)]
        column.validity = (<char*> builders[i].validity)[:builders[i].length // 8 + 1]
        column.data = (<char*> builders[i].data.data)[:builders[i].data.length]
        columns.append(column)
    return columns


cdef void end_row(Builder* self, bint is_null) noexcept nogil:
    cdef Py_ssize_t row = self.length
    cdef int64_t begin = self.ends[row]
    cdef Py_ssize_t length = self.data.length - begin
    if is_null or self.data.status:
        self.data.length = begin
    else:
        self.validity[row >> 3] |= 1 << (row & 7)
        if length and not is_utf8(self.data.data + begin, length):
            decode_row(self, begin, length)
    self.length = row + 1
    self.ends[row + 1] = self.data.length


cdef void decode_row(Builder* self, int64_t begin, Py_ssize_t length) noexcept nogil:
    cdef uint8_t[256] memory
    cdef Buffer clean
    start(&clean, memory, sizeof(memory), PY_SSIZE_T_MAX)
    push_decoded(&clean, self.data.data + begin, length, True)
    self.data.length = begin
    push_run(&self.data, clean.data, clean.length)
    self.data.status = self.data.status or clean.status
    release(&clean)


cdef int hex4(const uint8_t* p) noexcept nogil:
    return hex_value(p[0]) << 12 | hex_value(p[1]) << 8 | hex_value(p[2]) << 4 | hex_value(p[3])


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


def count_lines(bytes data not None, Py_ssize_t begin, Py_ssize_t end):
    """How many newlines the data has from begin to end."""
    cdef const uint8_t* p = <const uint8_t*> <const char*> data
    cdef Py_ssize_t count
    end = min(end, len(data))
    with nogil:
        count = count_newlines(p, max(begin, 0), end)
    return count


def kept_texts(Input rows not None, Py_ssize_t begin, Py_ssize_t end, bytes kept not None):
    """The rows from begin to end whose byte in `kept` is not 0, as a column."""
    cdef const uint8_t* marks = <const uint8_t*> <const char*> kept
    cdef Py_ssize_t count = len(kept), row
    cdef Builder* builder = make_builders(1, count)
    cdef uint8_t[512] memory
    cdef Buffer scratch
    cdef RowReader reader
    cdef RowText text
    start(&scratch, memory, sizeof(memory), PY_SSIZE_T_MAX)
    try:
        with nogil:
            open_reader(&reader, &rows.rows, begin, end)
            for row in range(count):
                if not read_row(&reader, &text, &scratch) or scratch.status:
                    break
                if marks[row]:
                    if text.data != NULL:
                        push_run(&builder.data, text.data, text.length)
                    end_row(builder, text.data == NULL)
        if scratch.status:
            raise MemoryError
        return columns_of(builder, 1)[0]
    finally:
        free_builders(builder, 1)
        release(&scratch)


def taken_texts(TextColumn column not None, bytes rows not None):
    """The rows of a column by their numbers, of 64 bits each; null where it is -1."""
    cdef const int64_t* numbers = <const int64_t*> <const char*> rows
    cdef const int64_t* bounds = <const int64_t*> <const char*> column.offsets
    cdef const uint8_t* validity = <const uint8_t*> <const char*> column.validity
    cdef const uint8_t* data = <const uint8_t*> <const char*> column.data
    cdef Py_ssize_t count = len(rows) // sizeof(int64_t), i
    cdef int64_t row
    cdef Builder* builder = make_builders(1, count)
    try:
        with nogil:
            for i in range(count):
                row = numbers[i]
                if row < 0 or row >= column.length or not has_bit(validity, row):
                    end_row(builder, True)
                else:
                    push_run(&builder.data, data + bounds[row], bounds[row + 1] - bounds[row])
                    end_row(builder, False)
        return columns_of(builder, 1)[0]
    finally:
        free_builders(builder, 1)


# The rows that a filter leaves.

def kept_rows(list batches not None, tuple answers not None):
    """A byte for each row: 1 where it is a URL, and the first column of each batch, one of bool, has the answer."""
    cdef Batch batch
    cdef bytes kept
    cdef uint8_t* marks
    cdef Py_ssize_t row
    cdef bint answer
    # Not by an operator, which may give an object that others have, too.
    kept = PyBytes_FromStringAndSize(NULL, (<Batch> batches[0]).length)
    marks = <uint8_t*> <char*> kept
    memset(marks, 1, len(kept))
    for batch, answer in zip(batches, answers, strict=True):
        if batch.columns[0].type != BITS or batch.length != len(kept):
            raise ValueError("a filter has a bool for each row")
        with nogil:
            for row in range(batch.length):
                if has_bit(batch.columns[0].slots, row) != answer or not has_bit(batch.validity, row):
                    marks[row] = 0
    return kept


def kept_lines(Input rows not None, Py_ssize_t begin, Py_ssize_t end, bytes kept not None):
    """The lines from begin to end that are kept."""
    cdef const uint8_t* marks = <const uint8_t*> <const char*> kept
    cdef Py_ssize_t count = len(kept), row
    cdef Buffer out, scratch
    cdef uint8_t[512] memory, scratch_memory
    cdef RowReader reader
    cdef RowText text
    start(&out, memory, sizeof(memory), PY_SSIZE_T_MAX)
    start(&scratch, scratch_memory, sizeof(scratch_memory), PY_SSIZE_T_MAX)
    try:
        with nogil:
            open_reader(&reader, &rows.rows, begin, end)
            reserve(&out, end - begin)
            for row in range(count):
                if not read_row(&reader, &text, &scratch) or out.status or scratch.status:
                    break
                if marks[row]:
                    push_run(&out, text.data, text.length)
                    # A reader takes one carriage return for a part of the newline.
                    if text.length and text.data[text.length - 1] == c'\r':
                        push(&out, c'\r')
                    push(&out, c'\n')
        if out.status or scratch.status:
            raise MemoryError
        return PyBytes_FromStringAndSize(<const char*> out.data, out.length)
    finally:
        release(&out)
        release(&scratch)


# The rows that have certain numbers or times.

cdef enum:
    DIGITS = 19                 # of a number, and of a time as a number
    SECOND = 1000000            # microseconds
    DAY = 86400

KINDS = ("number", "instant", "clock")


# What is read of a text: a number; or a time in microseconds as clocks show it, and by how much they are ahead.
ctypedef struct Moment:
    int64_t clock
    int64_t offset
    bint has_zone


def leave_out(Input rows not None, bytearray marks not None, bytes ranges not None, str kind not None):
    """leave_out(rows, marks, ranges, kind): makes the mark of each row 0 that is in none of the ranges, which are pairs of
    64-bit integers. A null whose mark is 2 keeps it. Returns how many rows could be read."""
    cdef const int64_t* ends = <const int64_t*> <const char*> ranges
    cdef Py_ssize_t count = len(ranges) // (2 * sizeof(int64_t)), n = len(marks), row, i, known = 0
    cdef uint8_t* mark = <uint8_t*> <char*> marks
    cdef int which = <int> KINDS.index(kind)
    cdef uint8_t[512] memory
    cdef Buffer scratch
    cdef RowReader reader
    cdef RowText text
    cdef Moment moment
    cdef bint is_known, stays
    start(&scratch, memory, sizeof(memory), PY_SSIZE_T_MAX)
    try:
        with nogil:
            open_reader(&reader, &rows.rows, 0, n)
            for row in range(n):
                if not read_row(&reader, &text, &scratch) or scratch.status:
                    break
                if text.data == NULL and mark[row] == 2:
                    continue
                is_known = text.data != NULL and read_moment(&moment, text.data, text.length, which == 0)
                stays = False
                # What a clock shows is not an instant.
                is_known = is_known and (which != 1 or moment.has_zone)
                known += is_known
                if is_known:
                    if which == 1:
                        moment.clock -= moment.offset
                    for i in range(count):
                        stays = stays or ends[2 * i] <= moment.clock <= ends[2 * i + 1]
                if not stays:
                    mark[row] = 0
        if scratch.status:
            raise MemoryError
    finally:
        release(&scratch)
    return known


def read_time(bytes text not None):
    """A time in microseconds as clocks show it, and by how much they are ahead, which is None if it has no zone."""
    cdef Moment moment
    if not read_moment(&moment, <const uint8_t*> <const char*> text, len(text), False):
        return None
    return moment.clock, moment.offset if moment.has_zone else None


# The number that begins at p, with so many digits at least and at most, which is negative if there is none.
cdef int64_t read_digits(const uint8_t** p, const uint8_t* end, int least, int most) noexcept nogil:
    cdef uint64_t number = 0
    cdef int digits = 0
    while digits < most and p[0] < end and c'0' <= p[0][0] <= c'9':
        number = 10 * number + <uint64_t> (p[0][0] - c'0')
        p[0] += 1
        digits += 1
    return <int64_t> number if digits >= least else -1


cdef inline bint skips(const uint8_t** p, const uint8_t* end, uint8_t c) noexcept nogil:
    if p[0] < end and p[0][0] == c:
        p[0] += 1
        return True
    return False


cdef inline int days_of(int64_t year, int64_t month) noexcept nogil:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 + (month + (month > 7)) % 2


# A number, or a time: that of RFC 3339, also without its end and with a space for the T; or a number of seconds, and one
# that is too large for it of milliseconds, microseconds or nanoseconds. Quotes around it, as in JSON, are left out.
cdef bint read_moment(Moment* moment, const uint8_t* p, Py_ssize_t n, bint is_number) noexcept nogil:
    cdef const uint8_t* end = p + n
    cdef const uint8_t* first
    cdef int64_t year, month, day, number
    if n >= 2 and p[0] == c'"' and (end - 1)[0] == c'"':
        p += 1
        end -= 1
    first = p
    moment.offset = 0
    moment.has_zone = False
    number = read_digits(&p, end, 1, DIGITS)
    if number < 0 or (p < end and c'0' <= p[0] <= c'9'):
        return False
    if is_number:
        moment.clock = number
        return p == end
    if p - first != 4 or p == end or p[0] != c'-':
        moment.has_zone = True
        return read_epoch(moment, number, p, end)
    year = number
    p += 1
    month = read_digits(&p, end, 2, 2)
    day = read_digits(&p, end, 2, 2) if skips(&p, end, c'-') else -1
    if not 1 <= month <= 12 or not 1 <= day <= days_of(year, month):
        return False
    # https://howardhinnant.github.io/date_algorithms.html#days_from_civil
    year -= month <= 2
    number = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    number += 365 * year + year // 4 - year // 100 + year // 400 - 719468
    moment.clock = number * DAY * SECOND
    if p == end:
        return True
    return (skips(&p, end, c'T') or skips(&p, end, c't') or skips(&p, end, c' ')) and read_clock(moment, p, end)


cdef bint read_epoch(Moment* moment, int64_t number, const uint8_t* p, const uint8_t* end) noexcept nogil:
    cdef int64_t unit = SECOND
    while unit > 1 and number >= <int64_t> 100000000000 * (SECOND // unit):
        unit //= 1000
    if number >= <int64_t> 100000000000 * SECOND:
        number //= 1000
    moment.clock = number * unit
    return p == end or (unit == SECOND and read_fraction(moment, &p, end) and p == end)


# The digits after a point, of a second.
cdef bint read_fraction(Moment* moment, const uint8_t** p, const uint8_t* end) noexcept nogil:
    cdef int64_t unit = SECOND
    if not (skips(p, end, c'.') or skips(p, end, c',')):
        return False
    while p[0] < end and c'0' <= p[0][0] <= c'9':
        unit //= 10
        moment.clock += unit * (p[0][0] - c'0')
        p[0] += 1
    return True


cdef bint read_clock(Moment* moment, const uint8_t* p, const uint8_t* end) noexcept nogil:
    cdef int64_t hour = read_digits(&p, end, 2, 2), minute = -1, second = 0
    cdef int sign
    if skips(&p, end, c':'):
        minute = read_digits(&p, end, 2, 2)
    if skips(&p, end, c':'):
        second = read_digits(&p, end, 2, 2)
    if not 0 <= hour <= 24 or not 0 <= minute <= 59 or not 0 <= second <= 60:
        return False
    moment.clock += (hour * 3600 + minute * 60 + second) * SECOND
    read_fraction(moment, &p, end)
    skips(&p, end, c' ')
    if p == end:
        return True
    moment.has_zone = True
    if skips(&p, end, c'Z') or skips(&p, end, c'z'):
        return p == end
    sign = 1 if skips(&p, end, c'+') else -1 if skips(&p, end, c'-') else 0
    hour = read_digits(&p, end, 2, 2)
    skips(&p, end, c':')
    minute = 0 if p == end else read_digits(&p, end, 2, 2)
    moment.offset = sign * (hour * 3600 + minute * 60) * SECOND
    return sign != 0 and 0 <= hour <= 24 and 0 <= minute <= 59 and p == end


# Rows that are different, and how often each occurs.

cdef enum:
    GROUP = 16                  # rows whose memory is asked for at once

cdef HashKey hash_key
draw_key(&hash_key)


ctypedef struct Distinct:
    uint64_t hash
    int64_t count
    Py_ssize_t length


cdef class DistinctRows:
    """DistinctRows(rows, bytes): the different rows of many inputs, until there are so many, or so many bytes of them.

    Rows of one hash and one length are one row: nobody can choose two such rows, because the hash is keyed.
    """

    cdef readonly Py_ssize_t most_rows, most_bytes
    cdef readonly Py_ssize_t total      # rows, as often as they occur
    cdef readonly Py_ssize_t too_long   # those that were too long to be held; others without a value are left out
    cdef Builder* builder
    cdef Distinct* rows
    cdef uint32_t* slots                # by hash: the number of a row, from 1, or 0
    cdef uint64_t mask

    def __cinit__(self, Py_ssize_t rows, Py_ssize_t bytes):
        cdef uint64_t size = 1024
        self.most_rows = min(max(rows, <Py_ssize_t> GROUP), <Py_ssize_t> 1 << 24)
        self.most_bytes = bytes
        while size < 2 * <uint64_t> self.most_rows:
            size *= 2
        self.mask = size - 1
        self.rows = <Distinct*> malloc(self.most_rows * sizeof(Distinct))
        self.slots = <uint32_t*> calloc(size, sizeof(uint32_t))
        if self.rows == NULL or self.slots == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.rows)
        free(self.slots)
        if self.builder != NULL:
            free_builders(self.builder, 1)

    def __len__(self):
        return 0 if self.builder == NULL else self.builder.length

    @property
    def is_full(self):
        return self.builder != NULL and not has_room(self)

    def add(self, Input rows not None, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t skipped):
        """Adds rows from begin to end, but for the first ones, and returns how many rows it has read, with these: fewer than
        there are if there is no more room."""
        cdef uint8_t[512] memory
        cdef Buffer scratch
        cdef RowReader reader
        cdef RowText[GROUP] texts
        cdef uint64_t[GROUP] hashes
        cdef Py_ssize_t read = 0
        cdef int count, i
        if self.builder == NULL:
            self.builder = make_builders(1, self.most_rows)
        start(&scratch, memory, sizeof(memory), PY_SSIZE_T_MAX)
        try:
            with nogil:
                open_reader(&reader, &rows.rows, begin, end)
                while read < skipped and next_row(&reader, &texts[0], &scratch):
                    read += 1
                while has_room(self):
                    count = 0
                    while count < GROUP and next_row(&reader, &texts[count], &scratch):
                        read += 1
                        if scratch.status:
                            break
                        self.too_long += texts[count].too_long
                        if texts[count].data == NULL:
                            continue
                        hashes[count] = hash_bytes(&hash_key, texts[count].data, <size_t> texts[count].length)
                        prefetch(self.slots + (hashes[count] & self.mask))
                        count += 1
                        if not texts[count - 1].stable:
                            # It is gone when the next one is read.
                            break
                    if scratch.status or (count == 0 and reader.left == 0):
                        break
                    for i in range(count):
                        add_distinct(self, &texts[i], hashes[i])
                    if self.builder.data.status:
                        break
            if <int> scratch.status | <int> self.builder.data.status:
                raise MemoryError
            return read
        finally:
            release(&scratch)

    def take(self):
        """The different rows, and how often each occurs, as 64-bit numbers; then there are none."""
        cdef Py_ssize_t count = len(self), i
        cdef bytes counts = PyBytes_FromStringAndSize(NULL, count * sizeof(int64_t))
        cdef int64_t* each = <int64_t*> <char*> counts
        for i in range(count):
            each[i] = self.rows[i].count
        column = columns_of(self.builder, 1)[0] if self.builder != NULL else None
        if self.builder != NULL:
            free_builders(self.builder, 1)
            self.builder = NULL
        memset(self.slots, 0, (self.mask + 1) * sizeof(uint32_t))
        self.total = self.too_long = 0
        return column, counts


cdef inline bint has_room(DistinctRows self) noexcept nogil:
    return self.builder.length + GROUP <= self.most_rows and self.builder.data.length < self.most_bytes


cdef inline void add_distinct(DistinctRows self, const RowText* text, uint64_t hash) noexcept nogil:
    cdef uint64_t place = hash & self.mask
    cdef Distinct* row
    self.total += 1
    while self.slots[place]:
        row = self.rows + (self.slots[place] - 1)
        if row.hash == hash and row.length == text.length:
            row.count += 1
            return
        place = (place + 1) & self.mask
    row = self.rows + self.builder.length
    row.hash = hash
    row.count = 1
    row.length = text.length
    push_run(&self.builder.data, text.data, text.length)
    end_row(self.builder, False)
    self.slots[place] = <uint32_t> self.builder.length


# The texts of rows that are looked up by their numbers: in memory, or in a temporary file.

cdef enum:
    PART = 1 << 20              # bytes that are written at a time
    WINDOW = 1 << 14            # and read at a time, at least: rows that follow each other are in it
    NULL_TEXT = -1


cdef class RowStore:
    """RowStore(columns): rows of so many texts or nulls. After spill(), the texts are in a temporary file."""

    # A row is the texts of its columns: before each its length, of 64 bits, which is -1 for null.
    def __cinit__(self, int columns):
        if columns < 1:
            raise ValueError("rows have columns")
        self.columns = columns
        try:
            self.lock = Lock()
        except RuntimeError:
            # A lock that cannot be allocated.
            raise MemoryError from None
        if not grow_offsets(self, 1):
            raise MemoryError
        self.offsets[0] = 0

    def __dealloc__(self):
        free(self.offsets)
        free(self.data)

    def __len__(self):
        return self.rows

    @property
    def memory(self):
        """The bytes of memory that it takes."""
        return self.rows * sizeof(int64_t) + self.length

    @property
    def is_on_disk(self):
        return self.file is not None

    def append(self, list columns not None):
        """Adds rows by their columns."""
        cdef Py_ssize_t count = len(columns[0]) if columns else 0, row
        cdef TextColumn column
        if len(columns) != self.columns or any([len(column) != count for column in columns]):
            raise ValueError("these are not the columns of rows")
        if not grow_offsets(self, self.rows + count + 1):
            raise MemoryError
        for row in range(count):
            for column in columns:
                if not put_text(self, column, row):
                    raise MemoryError
            self.rows += 1
            self.offsets[self.rows] = self.written + self.length
            if self.file is not None and self.length >= PART:
                write_out(self)

    def spill(self):
        """Moves the texts to a file, where later ones go, too."""
        if self.file is None:
            self.file = open_temporary("rows")
        write_out(self)

    def finish(self):
        """Says that there are no more rows: those that have been spilled can be read then."""
        if self.file is not None:
            write_out(self)
            free(self.data)
            self.data = NULL
            self.capacity = 0

    def close(self):
        if self.file is not None:
            self.file.close()

    def take(self, bytes rows not None):
        """The columns of rows by their numbers, of 64 bits each; null where it is -1. Several threads may call it at once."""
        cdef const int64_t* numbers = <const int64_t*> <const char*> rows
        cdef Py_ssize_t count = len(rows) // sizeof(int64_t), i
        cdef int64_t row, begin, end, window_begin = 0, window_end = 0
        cdef bytes window
        cdef const uint8_t* p = self.data
        cdef Builder* builders = make_builders(self.columns, count)
        try:
            with nogil:
                for i in range(count):
                    row = numbers[i]
                    if row < 0 or row >= self.rows:
                        put_nulls(self, builders)
                        continue
                    begin = self.offsets[row]
                    end = self.offsets[row + 1]
                    if self.written and (begin < window_begin or end > window_end):
                        window_begin = begin
                        window_end = min(max(end, begin + WINDOW), self.written)
                        with gil:
                            # Where memory ends, Cython's `with` packs a traceback that is not there.
                            self.lock.acquire()
                            try:
                                window = read_exactly(self.file, window_begin, window_end - window_begin, "rows")
                            finally:
                                self.lock.release()
                            p = <const uint8_t*> <const char*> window
                    put_row(self, builders, p + (begin - window_begin))
            return columns_of(builders, self.columns)
        finally:
            free_builders(builders, self.columns)


cdef bint grow_offsets(RowStore self, Py_ssize_t count) noexcept nogil:
    cdef void* grown
    cdef Py_ssize_t capacity
    if count <= self.offsets_capacity:
        return True
    capacity = count + (count >> 3)
    grown = realloc(self.offsets, capacity * sizeof(int64_t))
    if grown == NULL:
        return False
    self.offsets = <int64_t*> grown
    self.offsets_capacity = capacity
    return True


cdef bint put_text(RowStore self, TextColumn column, Py_ssize_t row) noexcept:
    cdef const int64_t* bounds = <const int64_t*> <const char*> column.offsets + row
    cdef int64_t length = bounds[1] - bounds[0]
    cdef Py_ssize_t needed = self.length + sizeof(int64_t) + length, capacity
    cdef void* grown
    if needed > self.capacity:
        capacity = needed + (needed >> 3)
        grown = realloc(self.data, capacity)
        if grown == NULL:
            return False
        self.data = <uint8_t*> grown
        self.capacity = capacity
    if not has_bit(<const uint8_t*> <const char*> column.validity, row):
        length = NULL_TEXT
    memcpy(self.data + self.length, &length, sizeof(int64_t))
    self.length += sizeof(int64_t)
    if length > 0:
        memcpy(self.data + self.length, <const uint8_t*> <const char*> column.data + bounds[0], length)
        self.length += length
    return True


cdef int write_out(RowStore self) except -1:
    cdef Py_ssize_t done = 0, size
    while done < self.length:
        size = min(self.length - done, <Py_ssize_t> PART)
        write_all(self.file, self.data[done:done + size], "rows")
        done += size
    self.written += self.length
    self.length = 0
    if self.capacity > 4 * PART:
        free(self.data)
        self.data = NULL
        self.capacity = 0
    return 0


cdef void put_nulls(RowStore self, Builder* builders) noexcept nogil:
    cdef int i
    for i in range(self.columns):
        end_row(&builders[i], True)


cdef void put_row(RowStore self, Builder* builders, const uint8_t* p) noexcept nogil:
    cdef int64_t length
    cdef int i
    for i in range(self.columns):
        memcpy(&length, p, sizeof(int64_t))
        p += sizeof(int64_t)
        if length > 0:
            push_run(&builders[i].data, p, length)
            p += length
        end_row(&builders[i], length < 0)


def add_sizes(bytearray sizes not None, Input rows not None, Py_ssize_t begin, Py_ssize_t end):
    """Adds the lengths of rows to their numbers in `sizes`, of 64 bits each."""
    cdef int64_t* to = <int64_t*> <char*> sizes
    cdef Py_ssize_t count = len(sizes) // sizeof(int64_t), row
    cdef uint8_t[512] memory
    cdef Buffer scratch
    cdef RowReader reader
    cdef RowText text
    start(&scratch, memory, sizeof(memory), PY_SSIZE_T_MAX)
    try:
        with nogil:
            open_reader(&reader, &rows.rows, begin, end)
            for row in range(count):
                if not read_row(&reader, &text, &scratch) or scratch.status:
                    break
                if text.data != NULL:
                    to[row] += text.length
        if scratch.status:
            raise MemoryError
    finally:
        release(&scratch)
