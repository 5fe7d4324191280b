"""The memory that columns of results are written to, with blocks that are kept for the next columns; and these columns: a
batch, and several as one."""

cimport cython
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from weburl._arrow.arrow cimport MAX_VIEW_OFFSET, MOST_VIEW_BUFFERS, WINDOW_BITS, View, has_bit, load64
from weburl._arrow.input cimport Input, RowReader
from weburl._core.buffer cimport PY_SSIZE_T_MAX
from weburl._core.record cimport WEBURL_DEBUG
from weburl._core.status cimport LAST_OF_ROWS

from weburl._core.failures import FAILURE_NAMES
from weburl._core.host import HOST_TYPE_NAMES

cdef extern from "pythread.h":
    ctypedef void* PyThread_type_lock
    PyThread_type_lock PyThread_allocate_lock()
    int PyThread_acquire_lock(PyThread_type_lock, int) nogil
    void PyThread_release_lock(PyThread_type_lock) nogil
    const int NOWAIT_LOCK

# Memory for columns. What one column has given back, the next one takes. The C library returns it to the system instead,
# which clears each page when it is used again: that would take longer than to parse what is written there.

cdef enum:
    SMALLEST = 1 << 14          # smaller blocks are the C library's, which keeps these itself
    BLOCKS = 512


ctypedef struct Block:
    uint8_t* data
    Py_ssize_t size


# The blocks that are kept. No thread waits for another, nor for one that a fork has left behind: while the lock is taken,
# the C library serves.
cdef PyThread_type_lock lock = PyThread_allocate_lock()
cdef Block[BLOCKS] blocks
cdef int n_blocks = 0
cdef int next_out = 0
cdef Py_ssize_t kept = 0
# A debug build keeps nothing, so that its tools see what is used after it was given back.
cdef Py_ssize_t limit = 0 if WEBURL_DEBUG else 1 << 27


cdef inline bint is_ours() noexcept nogil:
    return lock != NULL and PyThread_acquire_lock(lock, NOWAIT_LOCK) == 1


cdef uint8_t* take_out(int i) noexcept nogil:
    global n_blocks, kept
    cdef uint8_t* data = blocks[i].data
    n_blocks -= 1
    kept -= blocks[i].size
    blocks[i] = blocks[n_blocks]
    return data


# Frees blocks until `size` more bytes, in one block, are within the limit.
cdef void make_room(Py_ssize_t size) noexcept nogil:
    global next_out
    while n_blocks and (n_blocks == BLOCKS or kept + size > limit):
        next_out = (next_out + 1) % n_blocks
        free(take_out(next_out))


cdef uint8_t* take_memory(Py_ssize_t size, Py_ssize_t* capacity) noexcept nogil:
    cdef uint8_t* data
    cdef int i, best = -1
    if size >= SMALLEST and is_ours():
        for i in range(n_blocks):
            # Of those that are not much too large, the smallest.
            if 0 <= blocks[i].size - size <= size // 2 + SMALLEST and (best < 0 or blocks[i].size < blocks[best].size):
                best = i
        if best >= 0:
            capacity[0] = blocks[best].size
            data = take_out(best)
            PyThread_release_lock(lock)
            return data
        PyThread_release_lock(lock)
    capacity[0] = size
    data = <uint8_t*> malloc(size)
    if data == NULL and is_ours():
        # What is kept may be what is missing.
        while n_blocks:
            free(take_out(0))
        PyThread_release_lock(lock)
        data = <uint8_t*> malloc(size)
    return data


cdef void give_memory(void* data, Py_ssize_t capacity) noexcept nogil:
    global n_blocks, kept
    if data == NULL or not SMALLEST <= capacity <= limit or not is_ours():
        free(data)
        return
    make_room(capacity)
    blocks[n_blocks].data = <uint8_t*> data
    blocks[n_blocks].size = capacity
    n_blocks += 1
    kept += capacity
    PyThread_release_lock(lock)


cdef bint grow_memory(uint8_t** data, Py_ssize_t* capacity, int64_t needed) noexcept nogil:
    cdef int64_t wanted = capacity[0]
    cdef Py_ssize_t size = PY_SSIZE_T_MAX
    cdef uint8_t* grown
    if needed > PY_SSIZE_T_MAX:
        return False
    wanted = max(needed, wanted + wanted // 2, <int64_t> 64)
    if wanted < PY_SSIZE_T_MAX:
        size = <Py_ssize_t> wanted
    if size < SMALLEST:
        grown = <uint8_t*> realloc(data[0], size)
    else:
        grown = take_memory(size, &size)
        if grown != NULL and data[0] != NULL:
            memcpy(grown, data[0], capacity[0])
            give_memory(data[0], capacity[0])
    if grown == NULL:
        return False
    data[0] = grown
    capacity[0] = size
    return True


def keep_at_most(Py_ssize_t size):
    """Sets how many bytes are kept, for tests; returns the limit before."""
    global limit
    cdef Py_ssize_t before = limit
    limit = size
    if is_ours():
        make_room(0)
        PyThread_release_lock(lock)
    return before


def kept_memory():
    """How many bytes are kept."""
    return kept


# Columns.

# The names that codes stand for.
DICTIONARIES = (
    HOST_TYPE_NAMES[1:],
    FAILURE_NAMES[1:LAST_OF_ROWS + 1],
)

# Of each ColumnType: its name, which pickles have; its kind; Arrow's format; and NumPy's type, or "" if it has none.
COLUMN_TYPES = {
    STRINGS: ("strings", "text", b"U", ""),
    STRING_VIEWS: ("string_views", "text", b"vu", ""),
    CODES: ("codes", "name", b"c", ""),
    BITS: ("bits", "bool", b"b", "bool"),
    PAIRS: ("pairs", "pairs", b"+L", ""),
    MAP: ("map", "map", b"+m", ""),
    NUMBERS: ("numbers", "number", b"L", "uint64"),
    DIGESTS: ("digests", "digest", b"w:16", "V16"),
    SHORT_DIGESTS: ("short_digests", "digest", b"w:12", "V12"),
    LISTS: ("lists", "texts", b"+L", ""),
}

cdef enum:
    SPARE = 256                 # bytes that are not worth giving back
    ZEROED = 1 << 18            # bytes: those of 16,384 slots; a piece of short lines has more
    ZEROS = 1 << 15             # offsets, in so many bytes


# The offsets of columns without a byte, such as those of null rows, in batches of any caller. Nobody writes here.
cdef int64_t[ZEROS] zeros

# Of an array.
cdef Py_ssize_t most_pairs = MOST_PAIRS


def set_most_pairs(Py_ssize_t count):
    """Sets how many pairs the maps of one array can have, for tests; returns what it was before."""
    global most_pairs
    cdef Py_ssize_t before = most_pairs
    most_pairs = count
    return before


cdef int64_t most_view_buffers = MOST_VIEW_BUFFERS


def set_most_view_buffers(Py_ssize_t count):
    """Sets to how many buffers the views of one array can point, for tests; returns what it was before."""
    global most_view_buffers
    cdef Py_ssize_t before = <Py_ssize_t> most_view_buffers
    most_view_buffers = count
    return before


# __dealloc__ needs its objects, so the garbage collector must break cycles elsewhere.
@cython.no_gc_clear
cdef class Batch:
    """Columns of the same rows, in memory of their own."""

    def __dealloc__(self):
        cdef int i
        if self.whole is not None:
            # The whole owns all but the descriptions of the columns.
            free(self.columns)
            return
        for i in range(self.n_columns):
            give_memory(self.columns[i].data, self.columns[i].capacity)
            if self.columns[i].slots != <uint8_t*> zeros:
                give_memory(self.columns[i].slots, 0 if self.columns[i].zeroed else self.columns[i].slots_capacity)
            free(self.columns[i].validity)
        free(self.columns)
        free(self.validity)
        give_memory(self.arena, self.arena_capacity)
        free(self.view_buffers)
        free(self.view_sizes)

    def entry(self, Py_ssize_t row):
        """The entry of the first column in a row."""
        if self.columns == NULL or not 0 <= row < self.length:
            raise IndexError("a batch has no such row")
        return entry(self, 0, row)

    def entries(self, Py_ssize_t index):
        """The entries of a column, as Python objects."""
        check_batches([self])
        check_index(self, index)
        cdef int i = column_index(self, index)
        cdef Py_ssize_t row
        cdef list values = []
        for row in range(self.length):
            values.append(entry(self, i, row))
        return values

    def select(self, Py_ssize_t index):
        """One column of a struct, in the same memory."""
        check_batches([self])
        check_index(self, index)
        cdef Batch selected = Batch.__new__(Batch)
        cdef int i = column_index(self, index)
        cdef int n = places_of(self.columns[i].type)
        selected.whole = self
        selected.columns = <ColumnBuffers*> allocate(n * sizeof(ColumnBuffers))
        memcpy(selected.columns, self.columns + i, n * sizeof(ColumnBuffers))
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


cdef int check_index(Batch batch, Py_ssize_t index) except -1:
    if not 0 <= index < len(batch.names):
        raise IndexError("a batch has no such column")
    return 0


cdef int column_index(Batch batch, Py_ssize_t index) noexcept nogil:
    cdef int i = 0
    while index:
        i += places_of(batch.columns[i].type)
        index -= 1
    return i


cdef const uint8_t* validity_of(Batch batch, const ColumnBuffers* column) noexcept nogil:
    return column.validity if column.validity != NULL else batch.validity


cdef Py_ssize_t null_count_of(Batch batch, const ColumnBuffers* column) noexcept nogil:
    return column.null_count if column.validity != NULL else batch.null_count


cdef object entry(Batch batch, int index, Py_ssize_t row):
    cdef const ColumnBuffers* column = &batch.columns[index]
    cdef View view
    cdef const uint8_t* p
    cdef list pairs
    cdef Py_ssize_t i, size = entry_size(column.type)
    if not has_bit(validity_of(batch, column), row):
        return None
    if column.type == CODES:
        return DICTIONARIES[column.dictionary][(<const int8_t*> column.slots)[row]]
    if column.type == BITS:
        return has_bit(column.slots, row)
    if column.type == STRINGS:
        return string_entry(column, row)
    if column.type == NUMBERS:
        return (<const uint64_t*> column.slots)[row]
    if is_digest(column.type):
        return (<const char*> column.slots + size * row)[:size]
    if column.type == STRING_VIEWS:
        memcpy(&view, column.slots + 16 * row, 16)
        p = column.slots + 16 * row + 4
        if view.length > 12:
            p = <const uint8_t*> batch.view_buffers[view.buffer] + view.offset
        return PyUnicode_DecodeUTF8(<const char*> p, view.length, "replace")
    pairs = []
    if column.type == LISTS:
        for i in range((<const int64_t*> column.slots)[row], (<const int64_t*> column.slots)[row + 1]):
            pairs.append(string_entry(column + 1, i))
        return pairs
    if column.type == MAP:
        for i in range((<const int32_t*> column.slots)[row], (<const int32_t*> column.slots)[row + 1]):
            pairs.append((string_entry(column + 1, i), string_entry(column + 2, i)))
        return dict(pairs)
    for i in range((<const int64_t*> column.slots)[row], (<const int64_t*> column.slots)[row + 1]):
        pairs.append((string_entry(column + 1, i), string_entry(column + 2, i)))
    return pairs


cdef str string_entry(const ColumnBuffers* column, Py_ssize_t row):
    cdef const int64_t* offsets = <const int64_t*> column.slots + row
    return PyUnicode_DecodeUTF8(<const char*> column.data + offsets[0], offsets[1] - offsets[0], "replace")


# So many zeros.
cdef void* allocate(size_t size) except NULL:
    return allocate_items(size, 1)


# The C library sees whether the product is too large.
cdef void* allocate_items(size_t count, size_t size) except NULL:
    cdef void* memory = calloc(count, size)
    if memory == NULL:
        raise MemoryError
    return memory


cdef int open_column(ColumnBuffers* column, ColumnType type, Py_ssize_t rows, bint has_nulls) except -1:
    column.type = type
    column.slots_capacity = bit_size(rows) if type == BITS else <Py_ssize_t> slots_size(type, rows)
    # Rows without a text have zeros. In a large block the pages that stay zeros take no memory.
    column.zeroed = column.slots_capacity > ZEROED
    if column.zeroed:
        column.slots = <uint8_t*> allocate(column.slots_capacity)
    else:
        column.slots = take_memory(max(column.slots_capacity, 16), &column.slots_capacity)
        if column.slots == NULL:
            raise MemoryError
        memset(column.slots, 0, 16)
    if type == STRINGS and not grow_memory(&column.data, &column.capacity, 16):
        raise MemoryError
    if has_nulls:
        column.validity = <uint8_t*> allocate(bit_size(rows))
    return 0


# What views can point to.
cdef int add_input(Batch batch, Input rows, const RowReader* reader) except -1:
    cdef Py_ssize_t i
    if rows.rows.index_format or (rows.rows.n_buffers == 0 and reader.window == NULL):
        return 0
    batch.input = rows
    for i in range(rows.rows.n_buffers):
        add_view_buffer(batch, rows.rows.buffers[i], load64(rows.rows.sizes, i))
    if reader.window != NULL:
        add_windows(batch, reader.window, reader.window_end - reader.window)
    return 0


cdef int add_windows(Batch batch, const uint8_t* data, Py_ssize_t size) except -1:
    cdef Py_ssize_t i, begin
    for i in range((size >> WINDOW_BITS) + 1):
        begin = i << WINDOW_BITS
        # No view whose offset counts from here reaches further.
        add_view_buffer(batch, data + begin, min(<int64_t> (size - begin), MAX_VIEW_OFFSET + 1))
    return 0


cdef int add_view_buffer(Batch batch, const void* data, int64_t size) except -1:
    cdef Py_ssize_t n = batch.n_view_buffers + 1
    cdef void* grown
    check_view_buffers(n)
    grown = realloc(batch.view_buffers, n * sizeof(void*))
    if grown == NULL:
        raise MemoryError
    batch.view_buffers = <const void**> grown
    grown = realloc(batch.view_sizes, n * sizeof(int64_t))
    if grown == NULL:
        raise MemoryError
    batch.view_sizes = <int64_t*> grown
    batch.view_buffers[n - 1] = data
    batch.view_sizes[n - 1] = size
    batch.n_view_buffers = n
    return 0


# A view tells its buffer by an int32_t.
cdef int check_view_buffers(int64_t count) except -1:
    if count > most_view_buffers:
        raise ValueError("the views of one array of Arrow point to too many buffers: take the stream")
    return 0


# Gives back the memory that was reserved and not needed.
cdef int finish(Batch batch, bint views) except -1:
    cdef int i
    for i in range(batch.n_columns):
        shrink(&batch.columns[i].data, &batch.columns[i].capacity, batch.columns[i].length)
        share_zeros(&batch.columns[i])
    if not views:
        give_memory(batch.arena, batch.arena_capacity)
        batch.arena = NULL
        batch.arena_capacity = 0
    elif batch.arena != NULL:
        shrink(&batch.arena, &batch.arena_capacity, batch.arena_length)
        add_windows(batch, batch.arena, batch.arena_length)
    return 0


cdef void share_zeros(ColumnBuffers* column) noexcept:
    if column.type == STRINGS and column.length == 0 and not column.zeroed and column.count < ZEROS:
        give_memory(column.slots, column.slots_capacity)
        column.slots = <uint8_t*> zeros
        column.slots_capacity = 0


cdef void shrink(uint8_t** data, Py_ssize_t* capacity, Py_ssize_t size) noexcept:
    cdef void* shrunk
    # What is at least half full stays as it is: as much may be needed next.
    if data[0] != NULL and capacity[0] - size > max(size, SPARE):
        shrunk = realloc(data[0], max(size, 16))
        if shrunk != NULL:
            data[0] = <uint8_t*> shrunk
            capacity[0] = max(size, 16)


# Batches that are made of others, or of texts.

def from_texts(tuple names not None, list columns not None):
    """A column for each list of `str` and None; the lists have the same length."""
    cdef Batch batch = Batch.__new__(Batch)
    cdef ColumnBuffers* column
    cdef const char* data
    cdef Py_ssize_t row, n = 0
    batch.names = names
    batch.is_struct = True
    batch.errors = {}
    batch.first_failed = -1
    batch.length = len(columns[0])
    batch.validity = <uint8_t*> allocate(bit_size(batch.length))
    memset(batch.validity, 0xFF, bit_size(batch.length))
    batch.columns = <ColumnBuffers*> allocate(len(columns) * sizeof(ColumnBuffers))
    for texts in columns:
        column = &batch.columns[batch.n_columns]
        batch.n_columns += 1
        open_column(column, STRINGS, batch.length, True)
        column.count = batch.length
        for row in range(batch.length):
            (<int64_t*> column.slots)[row] = column.length
            text = (<list> texts)[row]
            if text is None:
                column.null_count += 1
                continue
            column.validity[row >> 3] |= 1 << (row & 7)
            data = PyUnicode_AsUTF8AndSize(text, &n)
            if n > column.capacity - column.length and not grow_memory(
                &column.data, &column.capacity, <int64_t> column.length + n
            ):
                raise MemoryError
            memcpy(column.data + column.length, data, n)
            column.length += n
        (<int64_t*> column.slots)[batch.length] = column.length
    return batch


def beside(list batches not None, tuple names not None):
    """The columns of batches with the same rows, beside each other, in the same memory. The errors are the last's."""
    cdef Batch batch, first = batches[0], out = Batch.__new__(Batch)
    cdef ColumnBuffers* column
    cdef int i
    out.whole = first
    out.combined = batches
    out.names = names
    out.is_struct = True
    out.length = first.length
    out.validity = first.validity
    out.first_failed = -1
    out.columns = <ColumnBuffers*> allocate(sum([(<Batch> each).n_columns for each in batches]) * sizeof(ColumnBuffers))
    for batch in batches:
        out.errors = batch.errors
        for i in range(batch.n_columns):
            column = &out.columns[out.n_columns]
            out.n_columns += 1
            column[0] = batch.columns[i]
            column.null_count = null_count_of(batch, &batch.columns[i])
            column.validity = <uint8_t*> validity_of(batch, &batch.columns[i])
    return out


# One batch of several.

# A caller can put together what no job gave: by Column's constructor, or with a pickle that sets its attributes.
cdef int check_batches(list batches) except -1:
    """Whether there is a batch, and the others have its columns."""
    cdef Batch first, batch
    cdef int i
    if not batches:
        raise ValueError("a column or a table has one batch or more")
    for each in batches:
        if not isinstance(each, Batch):
            raise TypeError(f"a batch is not a {type(each).__name__}")
    first = batches[0]
    for batch in batches:
        if batch.columns == NULL or batch.n_columns != first.n_columns:
            raise ValueError("the batches have not the same columns")
        if batch.names != first.names or batch.is_struct != first.is_struct:
            raise ValueError("the batches have not the same columns")
        for i in range(first.n_columns):
            if not has_layout(&batch.columns[i], &first.columns[i]):
                raise ValueError("the batches have not the same columns")
    return 0


cdef bint has_layout(const ColumnBuffers* one, const ColumnBuffers* other) noexcept:
    return one.type == other.type and one.dictionary == other.dictionary and (
        (one.validity == NULL) == (other.validity == NULL)
    )


def combine(list batches not None):
    """One batch with the rows of one or more batches of the same job."""
    check_batches(batches)
    cdef Batch first = batches[0], batch, out = Batch.__new__(Batch)
    cdef Py_ssize_t row = 0
    cdef int i
    if len(batches) == 1:
        return first
    out.names = first.names
    out.is_struct = first.is_struct
    out.errors = {}
    # Sums of Python's integers: what is more than a Py_ssize_t raises.
    out.length = sum([(<Batch> each).length for each in batches])
    for batch in batches:
        out.null_count += batch.null_count
        for name, count in batch.errors.items():
            out.errors[name] = out.errors.get(name, 0) + count
    out.validity = <uint8_t*> allocate(bit_size(out.length))
    out.columns = <ColumnBuffers*> allocate(first.n_columns * sizeof(ColumnBuffers))
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


# Memory for the column's entries in all batches.
cdef int open_combined(ColumnBuffers* out, list batches, int index) except -1:
    cdef const ColumnBuffers* column = &(<Batch> batches[0]).columns[index]
    cdef Py_ssize_t count = sum([(<Batch> each).columns[index].count for each in batches])
    cdef Py_ssize_t length = sum([(<Batch> each).columns[index].length for each in batches])
    out.type = column.type
    out.dictionary = column.dictionary
    if column.type == MAP and sum([(<Batch> each).columns[index + 1].count for each in batches]) > most_pairs:
        raise ValueError("there are too many groups for one array of Arrow: take the stream")
    if column.validity != NULL:
        out.validity = <uint8_t*> allocate(bit_size(count))
    out.data = <uint8_t*> allocate(<size_t> length + 16)
    out.slots = <uint8_t*> allocate_items(<size_t> count + 1, max(entry_size(column.type), 1))
    return 0


# Views into the memory of the batches, which stays theirs.
cdef int combine_views(Batch out, list batches) except -1:
    cdef Batch batch
    cdef Py_ssize_t n = 0, i
    for batch in batches:
        n += batch.n_view_buffers
        check_view_buffers(n)
    if n:
        out.combined = batches
    out.view_buffers = <const void**> allocate((n + 1) * sizeof(void*))
    out.view_sizes = <int64_t*> allocate((n + 1) * sizeof(int64_t))
    n = 0
    for batch in batches:
        for i in range(batch.n_view_buffers):
            out.view_buffers[n] = batch.view_buffers[i]
            out.view_sizes[n] = batch.view_sizes[i]
            n += 1
    return 0


cdef void append_column(ColumnBuffers* out, const ColumnBuffers* column, Py_ssize_t n_view_buffers) noexcept nogil:
    cdef int64_t* ends = <int64_t*> out.slots + out.count
    cdef int64_t before = ends[0] if out.type == STRINGS or out.type == PAIRS or out.type == LISTS else 0
    cdef int32_t* starts
    cdef View view
    cdef Py_ssize_t i, size = entry_size(out.type)
    if out.validity != NULL:
        copy_bits(out.validity, out.count, column.validity, column.count)
    if out.type == STRINGS:
        memcpy(out.data + out.length, column.data, column.length)
    if out.type == STRINGS or out.type == PAIRS or out.type == LISTS:
        for i in range(1, column.count + 1):
            ends[i] = before + (<const int64_t*> column.slots)[i]
    elif out.type == MAP:
        starts = <int32_t*> out.slots + out.count
        for i in range(1, column.count + 1):
            starts[i] = starts[0] + (<const int32_t*> column.slots)[i]
    elif out.type == BITS:
        copy_bits(out.slots, out.count, column.slots, column.count)
    else:
        memcpy(out.slots + size * out.count, column.slots, size * column.count)
    if out.type == STRING_VIEWS:
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
