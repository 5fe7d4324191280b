# Arrow's C data interface: its structs, and small functions for them.

from libc.stdint cimport int32_t, int64_t, uint8_t
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


# https://arrow.apache.org/docs/format/Columnar.html#variable-size-binary-view-layout
ctypedef struct View:
    int32_t length
    int32_t prefix              # of a string above 12 bytes; a shorter one is stored from here on
    int32_t buffer
    int32_t offset


cdef extern from "offsets.h":
    ctypedef int32_t ViewOffset             # what View.offset may be
    # Of 64 bits, as one more than the first is not a Py_ssize_t everywhere.
    const int64_t MAX_VIEW_OFFSET "WEBURL_MAX_VIEW_OFFSET"
    const int64_t MAX_VIEW_LENGTH "WEBURL_MAX_VIEW_LENGTH"
    const int64_t WINDOW_MASK "WEBURL_WINDOW_MASK"
    const int64_t MOST_VIEW_BUFFERS "WEBURL_MOST_VIEW_BUFFERS"
    const int64_t MOST_ROWS "WEBURL_MOST_ROWS"
    const int64_t MOST_BYTES "WEBURL_MOST_BYTES"
    # Memory above 2**WINDOW_BITS bytes is exported as several buffers, which begin at multiples of that; a view's
    # offset counts from the start of its buffer.
    const int WINDOW_BITS "WEBURL_WINDOW_BITS"


# Arrow's buffers need not be aligned.
cdef inline int32_t load32(const void* p, Py_ssize_t i) noexcept nogil:
    cdef int32_t value
    memcpy(&value, <const uint8_t*> p + 4 * i, 4)
    return value


cdef inline int64_t load64(const void* p, Py_ssize_t i) noexcept nogil:
    cdef int64_t value
    memcpy(&value, <const uint8_t*> p + 8 * i, 8)
    return value


cdef inline bint has_bit(const uint8_t* bits, Py_ssize_t i) noexcept nogil:
    return bits == NULL or (bits[i >> 3] >> (i & 7)) & 1
