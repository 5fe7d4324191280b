"""Columns by the Arrow C data interface: https://arrow.apache.org/docs/format/CDataInterface.html"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from cpython.ref cimport Py_DECREF, Py_INCREF
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcpy, memset, strcmp

from weburl.errors import ERRORS

cdef extern from "Python.h":
    bint Py_IsInitialized() nogil
    bint PyUnicode_Check(object o) noexcept
    PyObject** PySequence_Fast_ITEMS(object)

cdef extern from "errno.h":
    const int ENOMEM

cdef enum:
    NULLABLE = 2

# Of the columns of codes; the names of one, one after the other, are an Arrow array that nobody releases.
DICTIONARIES = (("empty", "domain", "ipv4", "ipv6", "opaque"), (*(name for name, _ in ERRORS if name not in ("", "ignored")), "invalid-UTF-8"))
cdef list texts = ["".join(names).encode() for names in DICTIONARIES]
cdef int32_t[2][64] text_offsets
for _which, _names in enumerate(DICTIONARIES):
    for _index, _name in enumerate(_names):
        text_offsets[_which][_index + 1] = text_offsets[_which][_index] + <int32_t> len(_name)


cdef bint grow_memory(uint8_t** data, Py_ssize_t* capacity, Py_ssize_t needed) noexcept nogil:
    cdef Py_ssize_t size = max(needed, 2 * capacity[0], 64)
    cdef uint8_t* grown = <uint8_t*> realloc(data[0], size)
    if grown == NULL:
        return False
    data[0] = grown
    capacity[0] = size
    return True


cdef class Input:
    """A column of texts: an Arrow array, a tuple, or a buffer of lines."""

    def __dealloc__(self):
        if self.array.release != NULL:
            self.array.release(&self.array)
        # Does nothing where there is none.
        PyBuffer_Release(&self.buffer)

    def __len__(self):
        """The rows; of lines, the bytes."""
        return self.rows.length

    @property
    def is_lines(self):
        return self.rows.kind == ROWS_LINES

    def end_of_line(self, Py_ssize_t position):
        """Where the line at a position ends and the next one begins."""
        cdef const uint8_t* newline = NULL
        if position < self.rows.length:
            newline = <const uint8_t*> memchr(self.rows.data + position, c'\n', self.rows.length - position)
        return self.rows.length if newline == NULL else newline - self.rows.data + 1


def malformed(str what):
    return ValueError(f"malformed Arrow array: {what}")


def from_objects(objects):
    """The rows of an iterable of str and None."""
    cdef Input self = Input.__new__(Input)
    self.objects = tuple(objects)
    for index, text in enumerate(<tuple> self.objects):
        if text is not None and not PyUnicode_Check(text):
            raise TypeError(f"row {index} must be a str or None, not {type(text).__name__}")
    self.rows.kind = ROWS_OBJECTS
    self.rows.values = PySequence_Fast_ITEMS(self.objects)
    self.rows.length = len(<tuple> self.objects)
    return self


def from_lines(data):
    """The lines of an object with the buffer interface."""
    cdef Input self = Input.__new__(Input)
    PyObject_GetBuffer(data, &self.buffer, PyBUF_SIMPLE)
    self.rows.kind = ROWS_LINES
    self.rows.length = self.buffer.len
    self.rows.data = <const uint8_t*> self.buffer.buf
    return self


def from_arrow(column):
    """The chunks of an object with the Arrow PyCapsule interface."""
    if hasattr(column, "__arrow_c_stream__"):
        return from_stream(column.__arrow_c_stream__())
    schema, array = column.__arrow_c_array__()
    return [from_array(
        <ArrowArray*> PyCapsule_GetPointer(array, "arrow_array"),
        <const ArrowSchema*> PyCapsule_GetPointer(schema, "arrow_schema"),
    )]


cdef list from_stream(object capsule):
    cdef ArrowArrayStream* stream = <ArrowArrayStream*> PyCapsule_GetPointer(capsule, "arrow_array_stream")
    cdef ArrowSchema schema
    cdef ArrowArray array
    cdef list inputs = []
    if stream.release == NULL:
        raise malformed("the stream is released")
    check_stream(stream, stream.get_schema(stream, &schema))
    try:
        check_schema(&schema)
        while True:
            memset(&array, 0, sizeof(array))
            check_stream(stream, stream.get_next(stream, &array))
            if array.release == NULL:
                return inputs
            inputs.append(from_array(&array, &schema))
    finally:
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


cdef RowsKind kind_of(const char* format) noexcept:
    if strcmp(format, "u") == 0:
        return ROWS_UTF8
    if strcmp(format, "U") == 0:
        return ROWS_LARGE_UTF8
    if strcmp(format, "vu") == 0:
        return ROWS_VIEWS
    return ROWS_NULL if strcmp(format, "n") == 0 else ROWS_LINES


cdef int check_schema(const ArrowSchema* schema) except -1:
    if schema.release == NULL or schema.format == NULL:
        raise malformed("the schema is released")
    cdef const char* format = schema.format
    if schema.dictionary != NULL:
        if schema.dictionary.format == NULL or format[0] == 0 or format[1] != 0 or format[0] not in b"cCsSiIlL":
            raise malformed("the indices of a dictionary are no integers")
        format = schema.dictionary.format
    if kind_of(format) == ROWS_LINES:
        raise TypeError(
            "must be a column of strings (utf8, large_utf8, string_view, or a dictionary of them), "
            f"not of the Arrow format {format.decode('utf-8', 'replace')!r}"
        )
    return 0


cdef Input from_array(ArrowArray* array, const ArrowSchema* schema):
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
    if array.length < 0 or array.offset < 0 or array.offset > (<int64_t> 1 << 48) or array.length > (<int64_t> 1 << 48):
        raise malformed("its length or offset is out of range")
    if array.n_buffers < n_buffers or (array.n_buffers and array.buffers == NULL):
        raise malformed("buffers are missing")
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
    if rows.data == NULL and before != first:
        return "its data is missing"
    return NULL


cdef const char* check_views(const Rows* rows) noexcept nogil:
    cdef Py_ssize_t i
    cdef View view
    for i in range(rows.n_buffers):
        if rows.sizes[i] < 0 or (rows.buffers[i] == NULL and rows.sizes[i]):
            return "the size of a buffer is wrong"
    for i in range(rows.offset, rows.offset + rows.length):
        if has_bit(rows.validity, i):
            memcpy(&view, <const uint8_t*> rows.values + 16 * i, 16)
            if view.length < 0:
                return "a view's length is negative"
            if view.length > 12 and not (
                0 <= view.buffer < rows.n_buffers and view.offset >= 0
                and <int64_t> view.offset + view.length <= rows.sizes[view.buffer]
            ):
                return "a view leads outside its buffer"
    return NULL


cdef class Batch:
    """Columns of the same rows, in memory of their own."""

    def __dealloc__(self):
        cdef int i
        if self.whole is not None:
            # All but the columns' descriptions is the whole's.
            free(self.columns)
            return
        for i in range(self.n_columns):
            free(self.columns[i].data)
            free(self.columns[i].slots)
            free(self.columns[i].validity)
        free(self.columns)
        free(self.validity)
        free(self.arena)
        free(self.view_buffers)
        free(self.view_sizes)

    def entries(self, Py_ssize_t index):
        """The entries of a column, as Python objects."""
        cdef int i = column_index(self, index)
        cdef Py_ssize_t row
        cdef list found = []
        for row in range(self.length):
            found.append(entry(self, i, row))
        return found

    def select(self, Py_ssize_t index):
        """One column of a struct, in the same memory."""
        cdef Batch selected = Batch.__new__(Batch)
        cdef int i = column_index(self, index)
        cdef int n = 3 if self.columns[i].type == PAIRS else 1
        selected.whole = self
        selected.columns = <Column*> allocate(n * sizeof(Column))
        memcpy(selected.columns, self.columns + i, n * sizeof(Column))
        selected.n_columns = n
        selected.length = self.length
        selected.validity = self.validity
        selected.null_count = self.null_count
        selected.view_buffers = self.view_buffers
        selected.view_sizes = self.view_sizes
        selected.n_view_buffers = self.n_view_buffers
        selected.names = (self.names[index],)
        selected.errors = self.errors
        return selected


# Where a column stands among those that belong to others.
cdef int column_index(Batch batch, Py_ssize_t index) noexcept:
    cdef int i = 0
    while index:
        i += 3 if batch.columns[i].type == PAIRS else 1
        index -= 1
    return i


cdef const uint8_t* validity_of(Batch batch, const Column* column) noexcept:
    return column.validity if column.validity != NULL else batch.validity


cdef Py_ssize_t null_count_of(Batch batch, const Column* column) noexcept:
    return column.null_count if column.validity != NULL else batch.null_count


cdef object entry(Batch batch, int index, Py_ssize_t row):
    cdef const Column* column = &batch.columns[index]
    cdef View view
    cdef const uint8_t* p
    cdef list pairs
    cdef Py_ssize_t i
    if not has_bit(validity_of(batch, column), row):
        return None
    if column.type == CODES:
        return DICTIONARIES[column.dictionary][(<const int8_t*> column.slots)[row]]
    if column.type == BITS:
        return has_bit(column.slots, row)
    if column.type == STRINGS:
        return string_entry(column, row)
    if column.type == STRING_VIEWS:
        memcpy(&view, column.slots + 16 * row, 16)
        p = column.slots + 16 * row + 4
        if view.length > 12:
            p = <const uint8_t*> batch.view_buffers[view.buffer] + view.offset
        return PyUnicode_DecodeUTF8(<const char*> p, view.length, "replace")
    pairs = []
    for i in range((<const int64_t*> column.slots)[row], (<const int64_t*> column.slots)[row + 1]):
        pairs.append((string_entry(column + 1, i), string_entry(column + 2, i)))
    return pairs


cdef str string_entry(const Column* column, Py_ssize_t row):
    cdef const int64_t* offsets = <const int64_t*> column.slots + row
    return PyUnicode_DecodeUTF8(<const char*> column.data + offsets[0], offsets[1] - offsets[0], "replace")


# Schemas.

cdef void release_schema(ArrowSchema* schema) noexcept nogil:
    cdef int64_t i
    for i in range(schema.n_children):
        if schema.children[i] != NULL:
            if schema.children[i].release != NULL:
                schema.children[i].release(schema.children[i])
            free(schema.children[i])
    free(schema.children)
    if schema.dictionary != NULL:
        if schema.dictionary.release != NULL:
            schema.dictionary.release(schema.dictionary)
        free(schema.dictionary)
    free(schema.private_data)
    schema.release = NULL


# A nullable field without children; the name is copied.
cdef int open_schema(ArrowSchema* schema, const char* format, bytes name, int n_children) except -1:
    memset(schema, 0, sizeof(ArrowSchema))
    schema.release = release_schema
    schema.format = format
    schema.flags = NULLABLE
    schema.private_data = malloc(len(name) + 1)
    schema.children = <ArrowSchema**> calloc(max(n_children, 1), sizeof(ArrowSchema*))
    if schema.private_data == NULL or schema.children == NULL:
        raise MemoryError
    memcpy(schema.private_data, <const char*> name, len(name) + 1)
    schema.name = <const char*> schema.private_data
    schema.n_children = n_children
    for i in range(n_children):
        schema.children[i] = <ArrowSchema*> calloc(1, sizeof(ArrowSchema))
        if schema.children[i] == NULL:
            raise MemoryError
    return 0


cdef int column_schema(const Column* column, bytes name, ArrowSchema* out) except -1:
    if column.type == STRINGS:
        open_schema(out, "U", name, 0)
    elif column.type == STRING_VIEWS:
        open_schema(out, "vu", name, 0)
    elif column.type == BITS:
        open_schema(out, "b", name, 0)
    elif column.type == CODES:
        open_schema(out, "c", name, 0)
        out.dictionary = <ArrowSchema*> calloc(1, sizeof(ArrowSchema))
        if out.dictionary == NULL:
            raise MemoryError
        open_schema(out.dictionary, "u", b"", 0)
    else:
        open_schema(out, "+L", name, 1)
        open_schema(out.children[0], "+s", b"item", 2)
        column_schema(column + 1, b"name", out.children[0].children[0])
        column_schema(column + 2, b"value", out.children[0].children[1])
    return 0


cdef int export_schema(Batch batch, ArrowSchema* out) except -1:
    memset(out, 0, sizeof(ArrowSchema))
    try:
        if not batch.is_struct:
            return column_schema(batch.columns, b"", out)
        open_schema(out, "+s", b"", len(batch.names))
        out.flags = 0
        for index, name in enumerate(batch.names):
            column_schema(&batch.columns[column_index(batch, index)], (<str> name).encode(), out.children[index])
        return 0
    except:
        if out.release != NULL:
            out.release(out)
        raise


# Arrays.

# Whoever uses an array may release it from any thread; the batch is a Python object.
cdef void release_array(ArrowArray* array) noexcept nogil:
    cdef int64_t i
    for i in range(array.n_children):
        if array.children[i] != NULL:
            if array.children[i].release != NULL:
                array.children[i].release(array.children[i])
            free(array.children[i])
    free(array.children)
    if array.dictionary != NULL:
        if array.dictionary.release != NULL:
            array.dictionary.release(array.dictionary)
        free(array.dictionary)
    free(array.buffers)
    if array.private_data != NULL and Py_IsInitialized():
        with gil:
            Py_DECREF(<object> array.private_data)
    array.release = NULL


cdef int open_array(
    ArrowArray* array, object owner, Py_ssize_t length, Py_ssize_t n_buffers, int n_children
) except -1:
    memset(array, 0, sizeof(ArrowArray))
    array.release = release_array
    # Not NULL: some readers take that for an array that is released.
    Py_INCREF(owner)
    array.private_data = <void*> owner
    array.length = length
    array.buffers = <const void**> calloc(n_buffers, sizeof(void*))
    array.children = <ArrowArray**> calloc(max(n_children, 1), sizeof(ArrowArray*))
    if array.buffers == NULL or array.children == NULL:
        raise MemoryError
    array.n_buffers = n_buffers
    array.n_children = n_children
    for i in range(n_children):
        array.children[i] = <ArrowArray*> calloc(1, sizeof(ArrowArray))
        if array.children[i] == NULL:
            raise MemoryError
    return 0


cdef int export_column(Batch batch, int index, ArrowArray* out) except -1:
    cdef const Column* column = &batch.columns[index]
    cdef ArrowArray* items
    cdef Py_ssize_t i
    if column.type == STRINGS:
        open_array(out, batch, column.count, 3, 0)
        out.buffers[1] = column.slots
        out.buffers[2] = column.data
    elif column.type == STRING_VIEWS:
        open_array(out, batch, column.count, 3 + batch.n_view_buffers, 0)
        out.buffers[1] = column.slots
        for i in range(batch.n_view_buffers):
            out.buffers[2 + i] = batch.view_buffers[i]
        out.buffers[2 + batch.n_view_buffers] = batch.view_sizes
    elif column.type == PAIRS:
        open_array(out, batch, column.count, 2, 1)
        out.buffers[1] = column.slots
        items = out.children[0]
        open_array(items, batch, column[1].count, 1, 2)
        export_column(batch, index + 1, items.children[0])
        export_column(batch, index + 2, items.children[1])
        items.children[0].null_count = items.children[1].null_count = 0
        items.children[0].buffers[0] = items.children[1].buffers[0] = NULL
    else:
        open_array(out, batch, column.count, 2, 0)
        out.buffers[1] = column.slots
        if column.type == CODES:
            out.dictionary = <ArrowArray*> calloc(1, sizeof(ArrowArray))
            if out.dictionary == NULL:
                raise MemoryError
            open_array(out.dictionary, batch, len(DICTIONARIES[column.dictionary]), 3, 0)
            out.dictionary.buffers[1] = text_offsets[column.dictionary]
            out.dictionary.buffers[2] = <const char*> <bytes> texts[column.dictionary]
    out.null_count = null_count_of(batch, column)
    if out.null_count:
        out.buffers[0] = validity_of(batch, column)
    return 0


cdef int export_batch(Batch batch, ArrowArray* out) except -1:
    memset(out, 0, sizeof(ArrowArray))
    try:
        if not batch.is_struct:
            return export_column(batch, 0, out)
        open_array(out, batch, batch.length, 1, len(batch.names))
        for index in range(len(batch.names)):
            export_column(batch, column_index(batch, index), out.children[index])
        return 0
    except:
        if out.release != NULL:
            out.release(out)
        raise


cdef void destroy_schema(object capsule) noexcept:
    cdef ArrowSchema* schema = <ArrowSchema*> PyCapsule_GetPointer(capsule, "arrow_schema")
    if schema.release != NULL:
        schema.release(schema)
    free(schema)


cdef void destroy_array(object capsule) noexcept:
    cdef ArrowArray* array = <ArrowArray*> PyCapsule_GetPointer(capsule, "arrow_array")
    if array.release != NULL:
        array.release(array)
    free(array)


cdef void destroy_stream(object capsule) noexcept:
    cdef ArrowArrayStream* stream = <ArrowArrayStream*> PyCapsule_GetPointer(capsule, "arrow_array_stream")
    if stream.release != NULL:
        stream.release(stream)
    free(stream)


cdef void* allocate(Py_ssize_t size) except NULL:
    cdef void* memory = calloc(1, size)
    if memory == NULL:
        raise MemoryError
    return memory


def schema_capsule(Batch batch not None):
    cdef ArrowSchema* schema = <ArrowSchema*> allocate(sizeof(ArrowSchema))
    capsule = PyCapsule_New(schema, "arrow_schema", destroy_schema)
    export_schema(batch, schema)
    return capsule


def array_capsule(Batch batch not None):
    cdef ArrowArray* array = <ArrowArray*> allocate(sizeof(ArrowArray))
    capsule = PyCapsule_New(array, "arrow_array", destroy_array)
    export_batch(batch, array)
    return capsule


# A stream's private data: what is left of its batches, and the one that knows the schema.
cdef class Remaining:
    cdef Batch schema
    cdef object batches


cdef int stream_schema(ArrowArrayStream* stream, ArrowSchema* out) noexcept with gil:
    try:
        export_schema((<Remaining> stream.private_data).schema, out)
        return 0
    except MemoryError:
        return ENOMEM


cdef int stream_next(ArrowArrayStream* stream, ArrowArray* out) noexcept with gil:
    cdef object batch = next((<Remaining> stream.private_data).batches, None)
    memset(out, 0, sizeof(ArrowArray))
    if batch is None:
        return 0
    try:
        export_batch(batch, out)
        return 0
    except MemoryError:
        return ENOMEM


cdef const char* stream_error(ArrowArrayStream* stream) noexcept nogil:
    return NULL


cdef void release_stream(ArrowArrayStream* stream) noexcept nogil:
    if Py_IsInitialized():
        with gil:
            Py_DECREF(<object> stream.private_data)
    stream.release = NULL


def stream_capsule(list batches not None):
    """A stream of batches, of which there is at least one."""
    cdef ArrowArrayStream* stream = <ArrowArrayStream*> allocate(sizeof(ArrowArrayStream))
    cdef Remaining remaining = Remaining.__new__(Remaining)
    capsule = PyCapsule_New(stream, "arrow_array_stream", destroy_stream)
    remaining.schema = batches[0]
    remaining.batches = iter(list(batches))
    Py_INCREF(remaining)
    stream.private_data = <void*> remaining
    stream.get_schema = stream_schema
    stream.get_next = stream_next
    stream.get_last_error = stream_error
    stream.release = release_stream
    return capsule


# One batch of several.

def combine(list batches not None):
    """One batch with the rows of several of the same job, of which there is at least one."""
    cdef Batch first = batches[0], batch, out = Batch.__new__(Batch)
    cdef Py_ssize_t row = 0
    cdef int i
    if len(batches) == 1:
        return first
    out.names = first.names
    out.is_struct = first.is_struct
    out.errors = {}
    for batch in batches:
        out.length += batch.length
        out.null_count += batch.null_count
        for name, count in batch.errors.items():
            out.errors[name] = out.errors.get(name, 0) + count
    out.validity = <uint8_t*> allocate(bit_size(out.length))
    out.columns = <Column*> allocate(first.n_columns * sizeof(Column))
    out.n_columns = first.n_columns
    for i in range(first.n_columns):
        open_combined(&out.columns[i], batches, i)
    combine_views(out, batches)
    for batch in batches:
        copy_bits(out.validity, row, batch.validity, batch.length)
        for i in range(batch.n_columns):
            append_column(&out.columns[i], &batch.columns[i], out.n_view_buffers)
        out.n_view_buffers += batch.n_view_buffers
        row += batch.length
    return out


cdef Py_ssize_t bit_size(Py_ssize_t rows) noexcept nogil:
    return (rows + 63) // 64 * 8 + 8


# Memory for all that the column's pieces hold.
cdef int open_combined(Column* out, list batches, int index) except -1:
    cdef Batch batch
    cdef const Column* column = &(<Batch> batches[0]).columns[index]
    cdef Py_ssize_t count = 0, length = 0
    out.type = column.type
    out.field = column.field
    out.dictionary = column.dictionary
    for batch in batches:
        count += batch.columns[index].count
        length += batch.columns[index].length
    if column.validity != NULL:
        out.validity = <uint8_t*> allocate(bit_size(count))
    out.data = <uint8_t*> allocate(length + 16)
    out.slots = <uint8_t*> allocate(16 * (count + 1) if column.type == STRING_VIEWS else 8 * (count + 1))
    return 0


# The pieces' memory, which they go on to own.
cdef int combine_views(Batch out, list batches) except -1:
    cdef Batch batch
    cdef Py_ssize_t n = 0
    for batch in batches:
        n += batch.n_view_buffers
    out.pieces = batches
    out.view_buffers = <const void**> allocate((n + 1) * sizeof(void*))
    out.view_sizes = <int64_t*> allocate((n + 1) * sizeof(int64_t))
    n = 0
    for batch in batches:
        memcpy(out.view_buffers + n, batch.view_buffers, batch.n_view_buffers * sizeof(void*))
        memcpy(out.view_sizes + n, batch.view_sizes, batch.n_view_buffers * sizeof(int64_t))
        n += batch.n_view_buffers
    return 0


cdef void append_column(Column* out, const Column* column, Py_ssize_t n_view_buffers) noexcept nogil:
    cdef int64_t* ends = <int64_t*> out.slots + out.count
    cdef int64_t before = ends[0] if out.type == STRINGS or out.type == PAIRS else 0
    cdef View view
    cdef Py_ssize_t i
    if out.validity != NULL:
        copy_bits(out.validity, out.count, column.validity, column.count)
    if out.type == STRINGS:
        memcpy(out.data + out.length, column.data, column.length)
    if out.type == STRINGS or out.type == PAIRS:
        for i in range(1, column.count + 1):
            ends[i] = before + (<const int64_t*> column.slots)[i]
    elif out.type == CODES:
        memcpy(out.slots + out.count, column.slots, column.count)
    elif out.type == BITS:
        copy_bits(out.slots, out.count, column.slots, column.count)
    else:
        memcpy(out.slots + 16 * out.count, column.slots, 16 * column.count)
        for i in range(out.count, out.count + column.count):
            memcpy(&view, out.slots + 16 * i, 16)
            if view.length > 12:
                view.buffer += <int32_t> n_view_buffers
                memcpy(out.slots + 16 * i, &view, 16)
    out.length += column.length
    out.count += column.count
    out.null_count += column.null_count


cdef void copy_bits(uint8_t* to, Py_ssize_t at, const uint8_t* bits, Py_ssize_t count) noexcept nogil:
    cdef Py_ssize_t i
    if at & 7 == 0:
        memcpy(to + (at >> 3), bits, (count + 7) >> 3)
        return
    for i in range(count):
        if has_bit(bits, i):
            to[(at + i) >> 3] |= 1 << ((at + i) & 7)
