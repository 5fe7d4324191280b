from cpython.buffer cimport Py_buffer
from cpython.object cimport PyObject
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy


# https://arrow.apache.org/docs/format/CDataInterface.html#structure-definitions
cdef extern from *:
    """
    #ifndef ARROW_C_DATA_INTERFACE
    #define ARROW_C_DATA_INTERFACE
    struct ArrowSchema {
        const char *format, *name, *metadata;
        int64_t flags, n_children;
        struct ArrowSchema **children, *dictionary;
        void (*release)(struct ArrowSchema *);
        void *private_data;
    };
    struct ArrowArray {
        int64_t length, null_count, offset, n_buffers, n_children;
        const void **buffers;
        struct ArrowArray **children, *dictionary;
        void (*release)(struct ArrowArray *);
        void *private_data;
    };
    #endif
    #ifndef ARROW_C_STREAM_INTERFACE
    #define ARROW_C_STREAM_INTERFACE
    struct ArrowArrayStream {
        int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
        int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
        const char *(*get_last_error)(struct ArrowArrayStream *);
        void (*release)(struct ArrowArrayStream *);
        void *private_data;
    };
    #endif
    """
    struct ArrowSchema:
        const char* format
        const char* name
        const char* metadata
        int64_t flags
        int64_t n_children
        ArrowSchema** children
        ArrowSchema* dictionary
        void (*release)(ArrowSchema*) noexcept nogil
        void* private_data

    struct ArrowArray:
        int64_t length
        int64_t null_count
        int64_t offset
        int64_t n_buffers
        int64_t n_children
        const void** buffers
        ArrowArray** children
        ArrowArray* dictionary
        void (*release)(ArrowArray*) noexcept nogil
        void* private_data

    struct ArrowArrayStream:
        int (*get_schema)(ArrowArrayStream*, ArrowSchema*) noexcept nogil
        int (*get_next)(ArrowArrayStream*, ArrowArray*) noexcept nogil
        const char* (*get_last_error)(ArrowArrayStream*) noexcept nogil
        void (*release)(ArrowArrayStream*) noexcept nogil
        void* private_data


cdef enum RowsKind:
    ROWS_NULL           # all of them
    ROWS_UTF8           # Arrow's layouts: 32-bit offsets,
    ROWS_LARGE_UTF8     # 64-bit offsets,
    ROWS_VIEWS          # views
    ROWS_OBJECTS        # str or None
    ROWS_LINES          # separated by newlines


# The rows of an input, checked: no offset, view or index leads outside.
ctypedef struct Rows:
    RowsKind kind
    Py_ssize_t length           # of lines: in bytes
    Py_ssize_t offset           # of `values`, in rows
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


ctypedef struct View:
    int32_t length
    int32_t prefix              # where the string is longer than 12; else it stands from here on
    int32_t buffer
    int32_t offset


cdef class Input:
    cdef Rows rows
    cdef ArrowArray array
    cdef Py_buffer buffer
    cdef object objects


cdef enum ColumnType:
    STRINGS             # large_utf8
    STRING_VIEWS
    CODES               # a dictionary of names
    BITS                # bool
    PAIRS               # a list of structs of the two columns behind this one


ctypedef struct Column:
    ColumnType type
    int field
    int dictionary              # of CODES: which one
    uint8_t* data               # the bytes of strings
    Py_ssize_t length
    Py_ssize_t capacity
    uint8_t* slots              # offsets, views, codes or bits
    Py_ssize_t slots_capacity
    Py_ssize_t count            # of the entries; of pairs' columns, of the pairs
    uint8_t* validity           # NULL where it is the batch's
    Py_ssize_t null_count


cdef enum:
    HOST_TYPES
    ERROR_NAMES


# Columns of the same rows. Nothing changes in it once it is handed out.
cdef class Batch:
    cdef Column* columns
    cdef int n_columns
    cdef readonly Py_ssize_t length
    cdef uint8_t* validity      # of the rows that are URLs
    cdef readonly Py_ssize_t null_count
    # What views point to: memory of the input, and what was not there.
    cdef Input input
    cdef uint8_t* arena
    cdef Py_ssize_t arena_length, arena_capacity
    cdef const void** view_buffers
    cdef int64_t* view_sizes
    cdef Py_ssize_t n_view_buffers
    cdef readonly tuple names   # of the columns, but for those that belong to PAIRS
    cdef readonly bint is_struct
    cdef readonly dict errors   # how many rows failed, by name
    cdef readonly Py_ssize_t first_failed   # or -1
    cdef readonly object first_error        # its name
    cdef Batch whole            # whose memory this is, or None
    cdef list pieces            # whose memory views point to, too, or None


cdef bint grow_memory(uint8_t** data, Py_ssize_t* capacity, Py_ssize_t needed) noexcept nogil

# 2**30: of memory that is larger, a view's offset counts from the nearest multiple of it.
cdef enum:
    WINDOW_BITS = 30

cdef int export_batch(Batch batch, ArrowArray* out) except -1
cdef int export_schema(Batch batch, ArrowSchema* out) except -1


cdef inline int32_t load32(const void* p, Py_ssize_t i) noexcept nogil:
    cdef int32_t value
    memcpy(&value, <const uint8_t*> p + 4 * i, 4)
    return value


# Arrow's buffers need not be aligned.
cdef inline int64_t load64(const void* p, Py_ssize_t i) noexcept nogil:
    cdef int64_t value
    memcpy(&value, <const uint8_t*> p + 8 * i, 8)
    return value


cdef inline bint has_bit(const uint8_t* bits, Py_ssize_t i) noexcept nogil:
    return bits == NULL or (bits[i >> 3] >> (i & 7)) & 1


# The entry of the dictionary that a row is, or -1 where the index is none.
cdef inline int64_t load_index(char format, const void* p, Py_ssize_t i) noexcept nogil:
    if format == c'c':
        return (<const int8_t*> p)[i]
    if format == c'C':
        return (<const uint8_t*> p)[i]
    if format == c's':
        return load16(p, i)
    if format == c'S':
        return <uint16_t> load16(p, i)
    if format == c'i':
        return load32(p, i)
    if format == c'I':
        return <uint32_t> load32(p, i)
    return load64(p, i)


cdef inline int16_t load16(const void* p, Py_ssize_t i) noexcept nogil:
    cdef int16_t value
    memcpy(&value, <const uint8_t*> p + 2 * i, 2)
    return value
