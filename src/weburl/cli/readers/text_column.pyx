"""Columns of texts, without the GIL: those that readers make of records, rows that a filter leaves, and rows in a store."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memset

from weburl._arrow.arrow cimport has_bit, load64
from weburl._arrow.batch cimport BITS, Batch
from weburl._arrow.input cimport ROWS_LARGE_UTF8, Input, RowReader, RowText, count_newlines, open_reader, read_row
from weburl._core.ascii cimport hex_value
from weburl._core.buffer cimport Buffer, push, push_code_point, push_run, release, reserve, start
from weburl._core.percent cimport is_utf8, push_decoded

from _thread import allocate_lock as Lock

from weburl.cli._temporary import open_temporary, read_exactly, write_all

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

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


# Whether a text has a pattern, in which 0 is any digit, a any letter, and + also -.
cdef bint has_pattern(const uint8_t* p, const char* pattern, int length) noexcept nogil:
    cdef int i
    for i in range(length):
        if pattern[i] == c'0':
            if not c'0' <= p[i] <= c'9':
                return False
        elif pattern[i] == c'+':
            if p[i] != c'+' and p[i] != c'-':
                return False
        elif pattern[i] != c'a' and p[i] != pattern[i]:
            return False
    return True


cdef void push_digits(Buffer* out, int64_t number, int count) noexcept nogil:
    cdef int64_t unit = 1
    cdef int i
    for i in range(count - 1):
        unit *= 10
    while unit:
        push(out, <uint8_t> (c'0' + number // unit % 10))
        unit //= 10


# https://howardhinnant.github.io/date_algorithms.html#civil_from_days
cdef void push_seconds(Buffer* out, int64_t seconds) noexcept nogil:
    cdef int64_t days = seconds // 86400 + 719468, era = days // 146097, of_era = days - era * 146097
    cdef int64_t year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    cdef int64_t of_year = of_era - (365 * year + year // 4 - year // 100), month = (5 * of_year + 2) // 153
    seconds %= 86400
    push_digits(out, year + era * 400 + (month >= 10), 4)
    push(out, c'-')
    push_digits(out, month + 3 - 12 * (month >= 10), 2)
    push(out, c'-')
    push_digits(out, of_year - (153 * month + 2) // 5 + 1, 2)
    push(out, c'T')
    push_digits(out, seconds // 3600, 2)
    push(out, c':')
    push_digits(out, seconds // 60 % 60, 2)
    push(out, c':')
    push_digits(out, seconds % 60, 2)


# The seconds since 1970, or thousandths, millionths or billionths of them: as many digits as they have now. False if a text
# is not such a number.
cdef bint push_epoch(Buffer* out, const uint8_t* p, Py_ssize_t length) noexcept nogil:
    cdef Py_ssize_t digits = 0, i
    cdef int unit
    cdef int64_t whole = 0
    cdef uint8_t[20] fraction
    while digits < length and c'0' <= p[digits] <= c'9':
        digits += 1
    if not 9 <= digits <= 19 or length > digits and (
        p[digits] != c'.' or length - digits > 10 or length == digits + 1
    ):
        return False
    for i in range(digits + 1, length):
        if not c'0' <= p[i] <= c'9':
            return False
    unit = 0 if digits < 12 else 3 if digits < 15 else 6 if digits < 18 else 9
    for i in range(digits - unit):
        whole = whole * 10 + p[i] - c'0'
    push_seconds(out, whole)
    unit = 0
    for i in range(i + 1, length):
        if p[i] != c'.' and unit < 20:
            fraction[unit] = p[i]
            unit += 1
    while unit and fraction[unit - 1] == c'0':
        unit -= 1
    if unit:
        push(out, c'.')
        push_run(out, fraction, unit)
    push_run(out, <const uint8_t*> b"+00:00", 6)
    return True


# 10/Oct/2000:13:55:36 -0700 as 2000-10-10T13:55:36-07:00, and so the date and time of W3C, and seconds. False for others.
cdef bint push_time(Buffer* out, const uint8_t* p, Py_ssize_t length) noexcept nogil:
    cdef const char* months = b"JanFebMarAprMayJunJulAugSepOctNovDec"
    cdef int i, month = -1
    if length == 26 and has_pattern(p, b"00/aaa/0000:00:00:00 +0000", 26):
        for i in range(12):
            if memcmp(p + 3, months + 3 * i, 3) == 0:
                month = i + 1
    if month < 0:
        if length >= 19 and has_pattern(p, b"0000-00-00a00:00:00", 19) and (p[10] == c' ' or p[10] == c'\t'):
            push_run(out, p, 10)
            push(out, c'T')
            push_run(out, p + 11, length - 11)
            push_run(out, <const uint8_t*> b"+00:00", 6)
            return True
        return push_epoch(out, p, length)
    push_run(out, p + 7, 4)
    push(out, c'-')
    push_digits(out, month, 2)
    push(out, c'-')
    push_run(out, p, 2)
    push(out, c'T')
    push_run(out, p + 12, 8)
    push_run(out, p + 21, 3)
    push(out, c':')
    push_run(out, p + 24, 2)
    return True


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
