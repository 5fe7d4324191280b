from cpython.buffer cimport Py_buffer
from cpython.object cimport PyObject
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uintptr_t
from libc.string cimport memcpy

from weburl._arrow.arrow cimport WINDOW_BITS, ArrowArray, ArrowSchema, View, has_bit, load32, load64
from weburl._core.buffer cimport Buffer


cdef extern from "bits.h":
    void prefetch(const void* address) noexcept nogil

cdef extern from "Python.h":
    bint IS_TEXT "PyUnicode_Check"(PyObject*) nogil
    bint IS_ASCII "PyUnicode_IS_ASCII"(PyObject*) nogil
    void* DATA "PyUnicode_DATA"(PyObject*) nogil
    Py_ssize_t GET_LENGTH "PyUnicode_GET_LENGTH"(PyObject*) nogil

cdef enum:
    PREFETCHED = 6144           # bytes ahead of the row that is read
    ROWS_AHEAD = 16             # the same, in rows


cdef enum RowsKind:
    ROWS_NULL           # every row is null
    ROWS_UTF8           # Arrow's layouts: 32-bit offsets,
    ROWS_LARGE_UTF8     # 64-bit offsets,
    ROWS_VIEWS          # views
    ROWS_POINTERS       # DuckDB's strings
    ROWS_OBJECTS        # str or None
    ROWS_LINES          # separated by newlines


# A string of DuckDB: a View with an address. It has 16 bytes everywhere.
cdef extern from *:
    """
    #include "offsets.h"
    #ifndef WEBURL_POINTER
    #define WEBURL_POINTER
    typedef struct {
        uint32_t length;
        uint8_t prefix[4];
        union {
            const uint8_t *data;
            uint8_t rest[8];
        };
    } Pointer;
    WEBURL_ASSERT(a_string_of_duckdb_has_16_bytes, sizeof(Pointer) == 16 && offsetof(Pointer, data) == 8);
    #endif
    """
    ctypedef struct Pointer:
        uint32_t length
        uint8_t[4] prefix       # of a string above 12 bytes; a shorter one is stored from here on
        const uint8_t* data


# The rows of an input, checked: no offset, view or index points outside its buffer.
ctypedef struct Rows:
    RowsKind kind
    Py_ssize_t length           # of lines: in bytes
    Py_ssize_t offset           # of `values`, in rows; of lines: the length of the byte order mark, or 0
    const uint8_t* validity     # of `values`; or NULL
    const void* values          # offsets, views, or objects
    const uint8_t* data
    const uint8_t** buffers     # the data that views point to
    const int64_t* sizes
    Py_ssize_t n_buffers
    # Of dictionary-encoded rows; `length` counts these, and `values` is the dictionary.
    char index_format           # or 0
    const void* indices
    Py_ssize_t index_offset
    const uint8_t* index_validity


cdef class Input:
    cdef Rows rows
    cdef ArrowArray array
    cdef Py_buffer buffer
    cdef object objects


# The rows of an input, one after the other.
ctypedef struct RowReader:
    const Rows* rows
    Py_ssize_t i                # of lines: in bytes, as is `end`
    Py_ssize_t end
    Py_ssize_t left             # rows left, as counted first: the file under a memory map may change
    const uint8_t* window       # where the data starts that views can point to, or NULL
    const uint8_t* window_end
    const uint8_t* ascii_end    # the window is ASCII from the next row to here
    const uint8_t* looked_at    # and what follows is not, up to here
    bint direct                 # its rows are views or pointers, without a dictionary
    bint has_offsets            # its rows are between offsets, without a dictionary
    bint is_looked_at           # so that this is known:
    bint plain                  # and all of it is ASCII
    const uint8_t* clear_end    # from the last row that has_byte() searched, its byte is not before here


# The text of a row, as UTF-8.
ctypedef struct RowText:
    const uint8_t* data         # NULL where the row is null
    Py_ssize_t length
    bint too_long               # it is null because it was too long to be held
    bint stable                 # it stays in place when the next row is read
    bint in_input               # views can point to it, at the place below
    int32_t buffer
    Py_ssize_t offset
    int window_bits


cdef Input input_of(ArrowArray* array, const ArrowSchema* schema)
cdef Py_ssize_t count_newlines(const uint8_t* p, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef void open_reader(RowReader* self, const Rows* rows, Py_ssize_t begin, Py_ssize_t end) noexcept nogil

# The same for a reader most of whose rows need no look: look_over() looks at the others, when it is called.
cdef void place_reader(RowReader* self, const Rows* rows, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef void look_over(RowReader* self) noexcept nogil

# The next row; false at the end. A null row has NULL as its data. `text` takes a row that must first become UTF-8.
cdef bint read_row(RowReader* self, RowText* row, Buffer* text) noexcept nogil


# Looks whether a row is UTF-8; `text` takes one that must first become it.
cdef void check_row(RowReader* self, RowText* row, Buffer* text) noexcept nogil


# Of an array with offsets.
cdef inline int64_t offset_of(const Rows* rows, Py_ssize_t i) noexcept nogil:
    return load32(rows.values, i) if rows.kind == ROWS_UTF8 else load64(rows.values, i)


# The text of row i of it.
cdef inline void read_offsets(const Rows* rows, Py_ssize_t i, RowText* row) noexcept nogil:
    cdef int64_t begin = offset_of(rows, i)
    row.data = rows.data + begin
    row.length = offset_of(rows, i + 1) - begin


# Whether the URL parser takes a row, which is not null, for the empty string: it removes C0 controls and spaces at both
# ends.
cdef inline bint is_empty_row(const RowText* row) noexcept nogil:
    cdef Py_ssize_t i = 0
    while i < row.length and row.data[i] <= c' ':
        i += 1
    return i == row.length


# read_row(), inline for most rows.
cdef inline bint next_row(RowReader* self, RowText* row, Buffer* text) noexcept nogil:
    cdef const Rows* rows = self.rows
    cdef Py_ssize_t i = self.i + rows.offset
    if not self.plain or self.i == self.end or not has_bit(rows.validity, i):
        return read_row(self, row, text)
    self.i += 1
    self.left -= 1
    read_offsets(rows, i, row)
    # Two lines of the cache, as long as most links.
    prefetch(<const void*> (<uintptr_t> row.data + PREFETCHED))
    prefetch(<const void*> (<uintptr_t> row.data + PREFETCHED + 64))
    row.too_long = False
    row.stable = row.in_input = True
    row.buffer = 0
    row.offset = row.data - self.window
    row.window_bits = WINDOW_BITS
    return True


cdef inline void read_pointer(const Pointer* text, RowText* row) noexcept nogil:
    row.length = text.length
    row.data = text.data if text.length > 12 else text.prefix
    row.in_input = False


cdef inline void read_view(const Rows* rows, Py_ssize_t i, RowText* row) noexcept nogil:
    cdef View view
    memcpy(&view, <const uint8_t*> rows.values + 16 * i, 16)
    row.length = view.length
    if view.length <= 12:
        row.data = <const uint8_t*> rows.values + 16 * i + 4
        row.in_input = False
    else:
        row.data = rows.buffers[view.buffer] + view.offset
        row.buffer = view.buffer
        row.offset = view.offset
        row.window_bits = 32


# The index of a row's entry in the dictionary.
cdef inline int64_t load_index(char format, const void* p, Py_ssize_t i) noexcept nogil:
    cdef int16_t short_index
    if format == c'i':
        return load32(p, i)
    if format == c'I':
        return <uint32_t> load32(p, i)
    if format == c'c':
        return (<const int8_t*> p)[i]
    if format == c'C':
        return (<const uint8_t*> p)[i]
    if format == c'l' or format == c'L':
        return load64(p, i)
    memcpy(&short_index, <const uint8_t*> p + 2 * i, 2)
    return short_index if format == c's' else <uint16_t> short_index


# The text of a row where it is; of a row of lines, this is not known. It is NULL if the row is null, or a str that must first
# become UTF-8.
cdef inline void find_text(const Rows* rows, Py_ssize_t i, RowText* row) noexcept nogil:
    cdef PyObject* item
    row.data = NULL
    row.length = 0
    row.in_input = not rows.index_format
    if rows.index_format:
        i += rows.index_offset
        if not has_bit(rows.index_validity, i):
            return
        i = load_index(rows.index_format, rows.indices, i)
    i += rows.offset
    if rows.kind == ROWS_OBJECTS:
        row.in_input = False
        item = (<PyObject**> rows.values)[i]
        if IS_TEXT(item) and IS_ASCII(item):
            row.data = <const uint8_t*> DATA(item)
            row.length = GET_LENGTH(item)
    elif rows.kind == ROWS_NULL or not has_bit(rows.validity, i):
        return
    elif rows.kind == ROWS_POINTERS:
        read_pointer(<const Pointer*> rows.values + i, row)
    elif rows.kind == ROWS_VIEWS:
        read_view(rows, i, row)
    else:
        read_offsets(rows, i, row)


# next_row(), which does not look yet whether views and pointers are UTF-8. Who reads all of a row sees whether it is ASCII.
cdef inline bint take_row(RowReader* self, RowText* row, Buffer* text) noexcept nogil:
    cdef const Rows* rows = self.rows
    cdef Py_ssize_t i = self.i + rows.offset
    if not self.direct:
        return next_row(self, row, text)
    if self.left == 0 or self.i == self.end:
        return False
    self.i += 1
    self.left -= 1
    row.too_long = False
    row.stable = row.in_input = True
    row.buffer = 0
    if not has_bit(rows.validity, i):
        row.data = NULL
        row.length = 0
    elif rows.kind == ROWS_POINTERS:
        read_pointer(<const Pointer*> rows.values + i, row)
        if self.end - self.i > ROWS_AHEAD:
            prefetch((<const Pointer*> rows.values)[i + ROWS_AHEAD].data)
            prefetch((<const Pointer*> rows.values)[i + ROWS_AHEAD].data + 64)
    else:
        read_view(rows, i, row)
        # Views often point to neighbouring texts.
        prefetch(<const void*> (<uintptr_t> row.data + PREFETCHED))
        prefetch(<const void*> (<uintptr_t> row.data + PREFETCHED + 64))
    return True
