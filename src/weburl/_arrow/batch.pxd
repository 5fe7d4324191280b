from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcpy

from weburl._arrow.input cimport Input, RowReader


# Memory for columns, of at least `size` bytes and not zeroed; `capacity` gets its size. NULL if there is none.
cdef uint8_t* take_memory(Py_ssize_t size, Py_ssize_t* capacity) noexcept nogil

# Keeps or frees a block of malloc(). `capacity` is at most its size; 0 frees it.
cdef void give_memory(void* data, Py_ssize_t capacity) noexcept nogil

# More room, at least for `needed` bytes; false if there is none. It has 64 bits, so that a sum of two sizes fits.
cdef bint grow_memory(uint8_t** data, Py_ssize_t* capacity, int64_t needed) noexcept nogil


cdef enum:
    MOST_PAIRS = 0x7FFFFFFF     # of all rows of a MAP, whose offsets have 32 bits
    SLACK = 64          # bytes that can be read and written after the texts, so that short ones are copied without branches


cdef enum ColumnType:
    STRINGS             # large_utf8
    STRING_VIEWS
    CODES               # a dictionary of names
    BITS                # bool
    PAIRS               # a list of structs of the next two columns
    MAP                 # a map from the next column to the one after it
    NUMBERS             # uint64
    DIGESTS             # of 16 bytes
    SHORT_DIGESTS       # of 12
    LISTS               # a list of the strings of the next column


# The bytes of an entry in a column's slots; 0 for bits.
cdef inline int entry_size(ColumnType type) noexcept nogil:
    if type == STRING_VIEWS or type == DIGESTS:
        return 16
    if type == SHORT_DIGESTS:
        return 12
    if type == STRINGS or type == PAIRS or type == LISTS or type == NUMBERS:
        return 8
    if type == MAP:
        return 4
    return 1 if type == CODES else 0


# Whether the slots are offsets: one more than there are entries.
cdef inline bint has_offsets(ColumnType type) noexcept nogil:
    return type == STRINGS or type == PAIRS or type == LISTS or type == MAP


# The bytes of the slots of so many entries.
cdef inline int64_t slots_size(ColumnType type, int64_t count) noexcept nogil:
    return (count + 7) // 8 if type == BITS else entry_size(type) * (count + has_offsets(type))


cdef inline bint is_digest(ColumnType type) noexcept nogil:
    return type == DIGESTS or type == SHORT_DIGESTS


ctypedef struct ColumnBuffers:
    ColumnType type
    int part                    # of a component: which Part
    int dictionary              # of CODES: which one
    bint is_printable           # strings that are surely ASCII without control characters
    uint8_t* data               # the bytes of strings
    Py_ssize_t length
    Py_ssize_t capacity
    uint8_t* slots              # offsets, views, codes, bits, numbers or digests
    Py_ssize_t slots_capacity
    bint zeroed                 # whether the slots are zeros before they are written
    Py_ssize_t count            # entries; in the columns of PAIRS, a MAP or LISTS, items
    uint8_t* validity           # or NULL: the batch's
    Py_ssize_t null_count


# Which dictionary a column of codes has.
cdef enum:
    HOST_TYPES
    ERROR_NAMES


# Columns of the same rows. It does not change once it is handed out.
cdef class Batch:
    cdef ColumnBuffers* columns
    cdef int n_columns
    cdef readonly Py_ssize_t length
    cdef uint8_t* validity      # of the rows that are URLs
    cdef readonly Py_ssize_t null_count
    # What views point to: memory of the input, and the arena for other texts.
    cdef Input input
    cdef uint8_t* arena
    cdef Py_ssize_t arena_length, arena_capacity
    cdef const void** view_buffers
    cdef int64_t* view_sizes
    cdef Py_ssize_t n_view_buffers
    cdef readonly tuple names   # of the columns, but for those that belong to PAIRS, a MAP or LISTS
    cdef readonly bint is_struct
    cdef readonly dict errors   # how many rows failed, by name
    cdef readonly Py_ssize_t first_failed   # or -1
    cdef readonly object first_error        # its name
    cdef Batch whole            # the batch that owns this memory, or None
    cdef list combined          # other batches whose memory the views point to, or None


cdef void* allocate(size_t size) except NULL
cdef void* allocate_items(size_t count, size_t size) except NULL
cdef int open_column(ColumnBuffers* column, ColumnType type, Py_ssize_t rows, bint has_nulls) except -1
cdef int add_input(Batch batch, Input rows, const RowReader* reader) except -1
cdef int add_view_buffer(Batch batch, const void* data, int64_t size) except -1
cdef int add_windows(Batch batch, const uint8_t* data, Py_ssize_t size) except -1
cdef int finish(Batch batch, bint views) except -1

# The bytes of so many bits, with more room.
cdef Py_ssize_t bit_size(Py_ssize_t rows) noexcept nogil

# How many places a column takes.
cdef inline int places_of(ColumnType type) noexcept nogil:
    return 3 if type == PAIRS or type == MAP else 2 if type == LISTS else 1

# The place of a column.
cdef int column_index(Batch batch, Py_ssize_t index) noexcept nogil
cdef const uint8_t* validity_of(Batch batch, const ColumnBuffers* column) noexcept nogil
cdef Py_ssize_t null_count_of(Batch batch, const ColumnBuffers* column) noexcept nogil


cdef inline bint push_arena(Batch batch, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    # Also if n is 0, so that the arena is not NULL.
    if n > batch.arena_capacity - batch.arena_length - SLACK and not grow_memory(
        &batch.arena, &batch.arena_capacity, <int64_t> batch.arena_length + n + SLACK
    ):
        return False
    memcpy(batch.arena + batch.arena_length, p, n)
    batch.arena_length += n
    return True
cdef int check_batches(list batches) except -1
