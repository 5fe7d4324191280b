"""Columns of texts as input: Arrow arrays, tuples of str, buffers of lines."""

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memchr, memcmp, memcpy, memset, strcmp

from weburl._arrow.arrow cimport (
    MOST_BYTES, MOST_ROWS, MOST_VIEW_BUFFERS, WINDOW_BITS, ArrowArray, ArrowArrayStream, ArrowSchema, View, has_bit,
    load32, load64,
)
from weburl._core.ascii cimport is_ascii
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, release, start
from weburl._core.percent cimport is_utf8, push_decoded, push_utf8, utf8_text
from weburl._core.record cimport Record
from weburl._parsed cimport ParsedURL, snapshot
from weburl.url cimport is_url

cdef extern from "Python.h":
    bint PyUnicode_Check(object o) noexcept
    PyObject** PySequence_Fast_ITEMS(object)
    int KIND "PyUnicode_KIND"(PyObject*) nogil

cdef extern from "errno.h":
    const int ENOMEM

cdef enum:
    FEW = 240                   # fit into a byte
    AHEAD = 4096                # bytes


cdef class TooLong:
    """Stands for a row that is longer than its reader allows: it fails with "too-long"."""

TOO_LONG_ROW = TooLong()
cdef TooLong too_long_row = TOO_LONG_ROW


# Its rows point to memory that only its deallocation may release.
@cython.no_gc_clear
cdef class Input:
    """A column of texts: an Arrow array, a tuple, or a buffer of lines."""

    def __dealloc__(self):
        if self.array.release != NULL:
            self.array.release(&self.array)
        # Does nothing without a buffer.
        PyBuffer_Release(&self.buffer)

    def __len__(self):
        """The number of rows; for lines, of bytes."""
        return self.rows.length

    def end_of_line(self, Py_ssize_t position):
        """Where the line at a position ends and the next line begins."""
        cdef const uint8_t* newline = NULL
        if position < self.rows.length:
            newline = <const uint8_t*> memchr(self.rows.data + position, c'\n', self.rows.length - position)
        return self.rows.length if newline == NULL else newline - self.rows.data + 1


def malformed(str what):
    return ValueError(f"malformed Arrow array: {what}")


def from_objects(objects):
    """The rows of an iterable of str, URL and None."""
    cdef Input self = Input.__new__(Input)
    cdef Record record
    cdef list texts = None
    cdef Py_ssize_t index
    self.objects = tuple(objects)
    for index in range(len(<tuple> self.objects)):
        text = (<tuple> self.objects)[index]
        if text is None or PyUnicode_Check(text) or text is too_long_row:
            continue
        if not is_url(text):
            from weburl._advice import wrong_type
            raise wrong_type(text, f"row {index} must be a str, a URL or None")
        if texts is None:
            texts = list(self.objects)
        texts[index] = snapshot(<ParsedURL> text, &record)
    if texts is not None:
        self.objects = tuple(texts)
    self.rows.kind = ROWS_OBJECTS
    self.rows.values = PySequence_Fast_ITEMS(self.objects)
    self.rows.length = len(<tuple> self.objects)
    return self


def from_lines(data, bint is_begin=False):
    """The lines of an object with the buffer interface; without a byte order mark, if it is the begin of a text."""
    cdef Input self = Input.__new__(Input)
    PyObject_GetBuffer(data, &self.buffer, PyBUF_SIMPLE)
    self.rows.kind = ROWS_LINES
    self.rows.length = self.buffer.len
    self.rows.data = <const uint8_t*> self.buffer.buf
    if is_begin and self.buffer.len >= 3 and memcmp(self.rows.data, b"\xef\xbb\xbf", 3) == 0:
        self.rows.offset = 3
    return self


def from_arrow(column):
    """The chunks of an object with the Arrow PyCapsule interface."""
    if hasattr(column, "__arrow_c_stream__"):
        return from_stream(column.__arrow_c_stream__())
    schema, array = column.__arrow_c_array__()
    return [input_of(
        <ArrowArray*> PyCapsule_GetPointer(array, "arrow_array"),
        <const ArrowSchema*> PyCapsule_GetPointer(schema, "arrow_schema"),
    )]


cdef list from_stream(object capsule):
    cdef ArrowArrayStream* stream = <ArrowArrayStream*> PyCapsule_GetPointer(capsule, "arrow_array_stream")
    cdef ArrowSchema schema
    cdef ArrowArray array
    cdef list inputs = []
    cdef int code
    if stream.release == NULL:
        raise malformed("the stream is released")
    # If the producer leaves them as they are, they must not look like a schema and an array.
    memset(&schema, 0, sizeof(schema))
    memset(&array, 0, sizeof(array))
    # Without the GIL: threads of the producer may need it.
    with nogil:
        code = stream.get_schema(stream, &schema)
    check_stream(stream, code)
    try:
        check_schema(&schema)
        while True:
            memset(&array, 0, sizeof(array))
            with nogil:
                code = stream.get_next(stream, &array)
            check_stream(stream, code)
            PyErr_CheckSignals()
            if array.release == NULL:
                return inputs
            inputs.append(input_of(&array, &schema))
    finally:
        # A signal came after an array that nothing has taken over.
        if array.release != NULL:
            array.release(&array)
        if schema.release != NULL:
            schema.release(&schema)


cdef int check_stream(ArrowArrayStream* stream, int code) except -1:
    cdef const char* text
    if code == ENOMEM:
        raise MemoryError
    if code:
        text = stream.get_last_error(stream)
        raise ValueError(f"the Arrow stream failed: {text.decode('utf-8', 'replace') if text != NULL else code}")
    return 0


# ROWS_LINES stands for a format that is not supported.
cdef RowsKind kind_of(const char* format) noexcept:
    # Columns of bytes have the same layouts.
    if strcmp(format, "u") == 0 or strcmp(format, "z") == 0:
        return ROWS_UTF8
    if strcmp(format, "U") == 0 or strcmp(format, "Z") == 0:
        return ROWS_LARGE_UTF8
    if strcmp(format, "vu") == 0 or strcmp(format, "vz") == 0:
        return ROWS_VIEWS
    return ROWS_NULL if strcmp(format, "n") == 0 else ROWS_LINES


cdef int check_schema(const ArrowSchema* schema) except -1:
    if schema.release == NULL or schema.format == NULL:
        raise malformed("the schema is released")
    cdef const char* format = schema.format
    if schema.dictionary != NULL:
        if schema.dictionary.format == NULL or format[0] == 0 or format[1] != 0 or format[0] not in b"cCsSiIlL":
            raise malformed("the indices of a dictionary are not integers")
        format = schema.dictionary.format
    if kind_of(format) == ROWS_LINES:
        # Polars hands its objects over as bytes of one width.
        hint = ": for objects, pass [url.href for url in urls]" if format[0] == c"w" else ""
        raise TypeError(
            "must be a column of strings or of bytes (utf8, large_utf8, string_view, binary, large_binary, binary_view, "
            "or a dictionary of one of these), "
            f"not of the Arrow format {format.decode('utf-8', 'replace')!r}{hint}"
        )
    return 0


cdef Input input_of(ArrowArray* array, const ArrowSchema* schema):
    """Takes the array over."""
    cdef Input self = Input.__new__(Input)
    if array.release == NULL:
        raise malformed("it is released")
    self.array = array[0]
    array.release = NULL
    check_schema(schema)
    cdef const ArrowArray* own = &self.array
    if schema.dictionary == NULL:
        read_values(&self.rows, own, kind_of(schema.format))
        return self
    if own.dictionary == NULL:
        raise malformed("a dictionary is missing")
    read_values(&self.rows, own.dictionary, kind_of(schema.dictionary.format))
    check_shape(own, 2)
    cdef Py_ssize_t entries = self.rows.length, i
    self.rows.length = own.length
    self.rows.index_format = schema.format[0]
    self.rows.index_offset = own.offset
    self.rows.index_validity = <const uint8_t*> own.buffers[0]
    self.rows.indices = own.buffers[1]
    if own.length and self.rows.indices == NULL:
        raise malformed("the buffer of indices is missing")
    cdef bint bad = False
    with nogil:
        for i in range(own.offset, own.offset + own.length):
            if has_bit(self.rows.index_validity, i) and not (
                0 <= load_index(self.rows.index_format, self.rows.indices, i) < entries
            ):
                bad = True
                break
    if bad:
        raise malformed("an index leads outside its dictionary")
    return self


cdef int check_shape(const ArrowArray* array, int n_buffers) except -1:
    if array.length < 0 or array.offset < 0 or array.offset > MOST_ROWS or array.length > MOST_ROWS:
        raise malformed("its length or offset is out of range")
    if array.n_buffers < n_buffers or (array.n_buffers and array.buffers == NULL):
        raise malformed("buffers are missing")
    if array.n_buffers > MOST_VIEW_BUFFERS:
        raise malformed("it has too many buffers")
    if n_buffers and array.null_count > 0 and array.buffers[0] == NULL:
        raise malformed("it has nulls, and no buffer that says where")
    return 0


cdef int read_values(Rows* rows, const ArrowArray* array, RowsKind kind) except -1:
    check_shape(array, 0 if kind == ROWS_NULL else 3)
    cdef const char* problem = NULL
    rows.kind = kind
    rows.length = array.length
    if kind == ROWS_NULL:
        return 0
    rows.offset = array.offset
    rows.validity = <const uint8_t*> array.buffers[0]
    rows.values = array.buffers[1]
    if rows.length == 0:
        return 0
    if rows.values == NULL:
        raise malformed("a buffer is missing")
    if kind == ROWS_VIEWS:
        rows.n_buffers = array.n_buffers - 3
        rows.buffers = <const uint8_t**> array.buffers + 2
        rows.sizes = <const int64_t*> array.buffers[array.n_buffers - 1]
        if rows.n_buffers and rows.sizes == NULL:
            raise malformed("the sizes of its buffers are missing")
        with nogil:
            problem = check_views(rows)
    else:
        rows.data = <const uint8_t*> array.buffers[2]
        with nogil:
            problem = check_offsets(rows)
    if problem != NULL:
        raise malformed(problem.decode())
    if rows.data == NULL:
        # Arrow allows NULL if all entries are empty; in a row it means null.
        rows.data = <const uint8_t*> b""
    return 0


cdef const char* check_offsets(const Rows* rows) noexcept nogil:
    cdef Py_ssize_t i
    cdef int64_t before, offset, first
    cdef bint bad = False
    if rows.kind == ROWS_UTF8:
        first = before = load32(rows.values, rows.offset)
        for i in range(rows.offset + 1, rows.offset + rows.length + 1):
            offset = load32(rows.values, i)
            bad |= offset < before
            before = offset
    else:
        first = before = load64(rows.values, rows.offset)
        for i in range(rows.offset + 1, rows.offset + rows.length + 1):
            offset = load64(rows.values, i)
            bad |= offset < before
            before = offset
    if bad or first < 0:
        return "its offsets do not ascend"
    if before > MOST_BYTES:
        return "its offsets lead outside memory"
    if rows.data == NULL and before != first:
        return "its data is missing"
    return NULL


cdef const char* check_views(const Rows* rows) noexcept nogil:
    cdef Py_ssize_t i
    cdef int64_t size
    cdef View view
    for i in range(rows.n_buffers):
        size = load64(rows.sizes, i)
        if size < 0 or size > MOST_BYTES or (rows.buffers[i] == NULL and size):
            return "the size of a buffer is wrong"
    for i in range(rows.offset, rows.offset + rows.length):
        if has_bit(rows.validity, i):
            memcpy(&view, <const uint8_t*> rows.values + 16 * i, 16)
            if view.length < 0:
                return "a view's length is negative"
            if view.length > 12 and not (
                0 <= view.buffer < rows.n_buffers and view.offset >= 0
                and <int64_t> view.offset + view.length <= load64(rows.sizes, view.buffer)
            ):
                return "a view leads outside its buffer"
    return NULL


cdef Py_ssize_t count_rows(const Rows* rows, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    if rows.kind != ROWS_LINES:
        return end - begin
    return count_newlines(rows.data, begin, end) + (end > begin and rows.data[end - 1] != c'\n')


cdef Py_ssize_t count_newlines(const uint8_t* p, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t i = begin, stop, count = 0
    cdef uint8_t few
    # The compiler counts in vectors of bytes, which have no room for more than FEW.
    while i < end:
        stop = min(i + FEW, end)
        few = 0
        while i < stop:
            few += p[i] == c'\n'
            i += 1
        count += few
    return count


cdef void open_reader(RowReader* self, const Rows* rows, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    place_reader(self, rows, begin, end)
    if self.has_offsets:
        look_over(self)


cdef void look_over(RowReader* self) noexcept nogil:
    self.is_looked_at = True
    self.looked_at = NULL
    if is_ascii(self.window, self.window_end - self.window):
        self.ascii_end = self.window_end
        self.plain = True


cdef void place_reader(RowReader* self, const Rows* rows, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t first = 0, last = 0
    self.rows = rows
    if rows.kind == ROWS_LINES and begin < rows.offset:
        begin = min(<Py_ssize_t> rows.offset, end)
    self.i = begin
    self.end = end
    self.left = count_rows(rows, begin, end)
    self.window = NULL
    self.has_offsets = self.is_looked_at = self.plain = False
    self.direct = not rows.index_format and (rows.kind == ROWS_VIEWS or rows.kind == ROWS_POINTERS)
    self.ascii_end = self.looked_at = self.clear_end = NULL
    if rows.index_format:
        return
    if rows.kind == ROWS_UTF8 and end > begin:
        first = load32(rows.values, rows.offset + begin)
        last = load32(rows.values, rows.offset + end)
    elif rows.kind == ROWS_LARGE_UTF8 and end > begin:
        first = load64(rows.values, rows.offset + begin)
        last = load64(rows.values, rows.offset + end)
    elif rows.kind == ROWS_LINES:
        first = begin
        last = end
    else:
        return
    if last > first:
        self.window = rows.data + first
        self.window_end = rows.data + last
        self.has_offsets = rows.kind != ROWS_LINES
        if self.has_offsets:
            # So that a row is looked at without those after it.
            self.looked_at = self.window_end


cdef inline void read_line(RowReader* self, RowText* row) noexcept nogil:
    cdef const void* newline
    row.data = self.rows.data + self.i
    newline = memchr(row.data, c'\n', self.end - self.i)
    row.length = <const uint8_t*> newline - row.data if newline != NULL else self.end - self.i
    self.i += row.length + (newline != NULL)
    if row.length and row.data[row.length - 1] == c'\r':
        row.length -= 1


cdef bint read_row(RowReader* self, RowText* row, Buffer* text) noexcept nogil:
    cdef const Rows* rows = self.rows
    cdef PyObject* item
    cdef Py_ssize_t i = self.i
    if self.left == 0 or i == self.end:
        return False
    self.left -= 1
    row.too_long = False
    row.stable = True
    row.buffer = 0
    if rows.kind == ROWS_LINES:
        row.in_input = True
        read_line(self, row)
    else:
        self.i = i + 1
        find_text(rows, i, row)
        if rows.kind == ROWS_OBJECTS:
            item = (<PyObject**> rows.values)[i]
            if row.data == NULL and IS_TEXT(item):
                text.length = 0
                push_utf8(text, KIND(item), DATA(item), GET_LENGTH(item))
                row.data = text.data
                row.length = text.length
                row.stable = False
            row.too_long = item == <PyObject*> too_long_row
            return True
        if row.data == NULL:
            return True
    if self.window != NULL:
        row.offset = row.data - self.window
        row.window_bits = WINDOW_BITS
    check_row(self, row, text)
    return True


cdef void check_row(RowReader* self, RowText* row, Buffer* text) noexcept nogil:
    if row.data + row.length > self.ascii_end and not look_at(self, row) and not is_utf8(row.data, row.length):
        text.length = 0
        push_decoded(text, row.data, row.length, True)
        row.data = text.data
        row.length = text.length
        row.stable = row.in_input = False


# Whether a row is ASCII. Rows that follow each other in the window are looked at together.
cdef bint look_at(RowReader* self, const RowText* row) noexcept nogil:
    if self.window != NULL and row.data >= self.looked_at:
        self.looked_at = row.data + min(self.window_end - row.data, AHEAD)
        if is_ascii(row.data, self.looked_at - row.data):
            self.ascii_end = self.looked_at
            if row.data + row.length <= self.ascii_end:
                return True
    return is_ascii(row.data, row.length)


def only_text(Input rows not None):
    """The text that all rows have; None if there is none, or one is null, is another or is not UTF-8."""
    cdef Buffer scratch
    cdef RowReader reader
    cdef RowText first, text
    cdef bint is_same = True
    start(&scratch, NULL, 0, PY_SSIZE_T_MAX)
    open_reader(&reader, &rows.rows, 0, rows.rows.length)
    try:
        if not read_row(&reader, &first, &scratch) or first.data == NULL or not first.stable:
            return None
        with nogil:
            while is_same and next_row(&reader, &text, &scratch):
                is_same = text.data != NULL and text.length == first.length
                is_same = is_same and memcmp(text.data, first.data, first.length) == 0
        return utf8_text(first.data, first.length) if is_same else None
    finally:
        release(&scratch)


def empty_rows(Input rows not None, Py_ssize_t begin, Py_ssize_t end):
    """The numbers of the rows from begin to end that the URL parser takes for the empty string."""
    cdef Buffer scratch
    cdef uint8_t[512] memory
    cdef RowReader reader
    cdef RowText text
    cdef Py_ssize_t row = 0
    cdef list empty = []
    start(&scratch, memory, sizeof(memory), PY_SSIZE_T_MAX)
    try:
        with nogil:
            open_reader(&reader, &rows.rows, begin, end)
            while read_row(&reader, &text, &scratch) and not scratch.status:
                if text.data != NULL and is_empty_row(&text):
                    with gil:
                        empty.append(row)
                row += 1
        if scratch.status:
            raise MemoryError
        return empty
    finally:
        release(&scratch)
