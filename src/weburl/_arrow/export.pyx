"""Columns on their way out: copies of rows, pickles, values for NumPy, and the Arrow C data interface."""

from cpython.buffer cimport Py_buffer, PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from weburl._arrow.arrow cimport WINDOW_BITS, WINDOW_MASK, ArrowArray, ArrowArrayStream, ArrowSchema, View, has_bit
from weburl._arrow.batch cimport (
    BITS, CODES, LISTS, MAP, MOST_PAIRS, PAIRS, STRING_VIEWS, STRINGS, Batch, ColumnBuffers, ColumnType, add_windows,
    allocate, allocate_items, bit_size, check_batches, column_index, null_count_of, places_of, push_arena, slots_size,
    validity_of,
)
from weburl._arrow.columns cimport BLOCK_ROWS, ParsedRow
from weburl._core.ascii cimport is_ascii
from weburl._core.door cimport Door, open_door
from weburl._core.parser cimport PATH_END_STATE
from weburl._core.percent cimport is_utf8, kernels
from weburl._core.record cimport Record
from weburl._core.status cimport OK
from weburl._core.texts cimport read_prefix

from weburl._arrow.batch import COLUMN_TYPES, DICTIONARIES

cdef extern from "Python.h":
    bint Py_IsInitialized() nogil

cdef extern from "errno.h":
    const int ENOMEM

# In the order of ColumnType. Pickles have the names.
cdef tuple TYPES = tuple([COLUMN_TYPES[type][0] for type in range(len(COLUMN_TYPES))])
cdef tuple FORMATS = tuple([COLUMN_TYPES[type][2] for type in range(len(COLUMN_TYPES))])


# Some rows.

# The entries of a row in a column of strings: one, or those of a row of its parent.
cdef void range_of(const ColumnBuffers* parent, Py_ssize_t row, int64_t* begin, int64_t* end) noexcept nogil:
    if parent == NULL:
        begin[0] = row
        end[0] = row + 1
    elif parent.type == MAP:
        begin[0] = (<const int32_t*> parent.slots)[row]
        end[0] = (<const int32_t*> parent.slots)[row + 1]
    else:
        begin[0] = (<const int64_t*> parent.slots)[row]
        end[0] = (<const int64_t*> parent.slots)[row + 1]


cdef int take_strings(
    ColumnBuffers* out, const ColumnBuffers* column, const ColumnBuffers* parent, Py_ssize_t start, Py_ssize_t count,
    Py_ssize_t step,
) except -1:
    cdef const int64_t* offsets = <const int64_t*> column.slots
    cdef Py_ssize_t k, i
    cdef int64_t begin, end, entries = 0, length = 0
    cdef int64_t* to
    for k in range(count):
        range_of(parent, start + k * step, &begin, &end)
        entries += end - begin
        length += offsets[end] - offsets[begin]
    # Not more than the column has.
    out.slots = <uint8_t*> allocate_items(<size_t> entries + 1, 8)
    out.data = <uint8_t*> allocate(<size_t> length + 16)
    to = <int64_t*> out.slots
    for k in range(count):
        range_of(parent, start + k * step, &begin, &end)
        memcpy(out.data + out.length, column.data + offsets[begin], offsets[end] - offsets[begin])
        for i in range(begin, end):
            out.length += offsets[i + 1] - offsets[i]
            out.count += 1
            to[out.count] = out.length
    return 0


cdef int take_lists(
    ColumnBuffers* out, const ColumnBuffers* column, Py_ssize_t start, Py_ssize_t count, Py_ssize_t step
) except -1:
    cdef int64_t begin, end, total = 0
    cdef Py_ssize_t k
    for k in range(count):
        range_of(column, start + k * step, &begin, &end)
        total += end - begin
        # Fits: no step takes a row twice.
        if column.type == MAP:
            (<int32_t*> out.slots)[k + 1] = <int32_t> total
        else:
            (<int64_t*> out.slots)[k + 1] = total
    for k in range(1, places_of(column.type)):
        take_strings(out + k, column + k, column, start, count, step)
        out[k].type = STRINGS
    return 0


cdef int take_column(
    ColumnBuffers* out, const ColumnBuffers* column, Py_ssize_t start, Py_ssize_t count, Py_ssize_t step
) except -1:
    cdef Py_ssize_t k, row, size
    out.type = column.type
    out.dictionary = column.dictionary
    if column.validity != NULL:
        out.validity = <uint8_t*> allocate(bit_size(count))
        out.null_count = take_bits(out.validity, column.validity, start, count, step)
    if column.type == STRINGS:
        return take_strings(out, column, NULL, start, count, step)
    out.slots = <uint8_t*> allocate(<size_t> slots_size(column.type, count) + 16)
    out.count = count
    if places_of(column.type) > 1:
        return take_lists(out, column, start, count, step)
    if column.type == BITS:
        take_bits(out.slots, column.slots, start, count, step)
        return 0
    size = <Py_ssize_t> slots_size(column.type, 1)
    for k in range(count):
        row = start + k * step
        memcpy(out.slots + size * k, column.slots + size * row, size)
    return 0


# Gives how many are 0.
cdef Py_ssize_t take_bits(
    uint8_t* out, const uint8_t* bits, Py_ssize_t start, Py_ssize_t count, Py_ssize_t step
) noexcept:
    cdef Py_ssize_t k, zeros = 0
    for k in range(count):
        if has_bit(bits, start + k * step):
            out[k >> 3] |= 1 << (k & 7)
        else:
            zeros += 1
    return zeros


def take_rows(Batch batch not None, Py_ssize_t start, Py_ssize_t count, Py_ssize_t step):
    """A batch of `count` rows: `start` and every `step`-th after it."""
    # Python's integers, which do not wrap.
    last = <object> start + (<object> count - 1) * <object> step
    if batch.columns == NULL or count < 0 or (count and not (0 <= start < batch.length and 0 <= last < batch.length)):
        raise IndexError("a batch has no such rows")
    cdef Batch out = Batch.__new__(Batch)
    cdef Py_ssize_t k
    cdef int i = 0
    out.first_failed = -1
    out.names = batch.names
    out.is_struct = batch.is_struct
    out.errors = {}
    out.length = count
    out.validity = <uint8_t*> allocate(bit_size(count))
    out.null_count = take_bits(out.validity, batch.validity, start, count, step)
    out.columns = <ColumnBuffers*> allocate(batch.n_columns * sizeof(ColumnBuffers))
    out.n_columns = batch.n_columns
    while i < batch.n_columns:
        take_column(&out.columns[i], &batch.columns[i], start, count, step)
        i += places_of(batch.columns[i].type)
    if batch.n_view_buffers:
        # Views point to where they did.
        out.combined = [batch]
        out.view_buffers = <const void**> allocate(batch.n_view_buffers * sizeof(void*))
        out.view_sizes = <int64_t*> allocate(batch.n_view_buffers * sizeof(int64_t))
        memcpy(out.view_buffers, batch.view_buffers, batch.n_view_buffers * sizeof(void*))
        memcpy(out.view_sizes, batch.view_sizes, batch.n_view_buffers * sizeof(int64_t))
        out.n_view_buffers = batch.n_view_buffers
    return out


# Pickles.

# Views with a buffer of their own, into which those of all columns of `out` point.
cdef bytes own_views(Batch batch, const ColumnBuffers* column, Batch out):
    cdef bytes slots = (<const char*> column.slots)[:16 * column.count]
    cdef uint8_t* to = <uint8_t*> <char*> slots
    cdef const uint8_t* valid = validity_of(batch, column)
    cdef Py_ssize_t row, place
    cdef View view
    for row in range(column.count):
        memcpy(&view, to + 16 * row, 16)
        if has_bit(valid, row) and view.length > 12:
            place = out.arena_length
            if not push_arena(out, <const uint8_t*> batch.view_buffers[view.buffer] + view.offset, view.length):
                raise MemoryError
            view.buffer = <int32_t> (place >> WINDOW_BITS)
            view.offset = <int32_t> (place & WINDOW_MASK)
            memcpy(to + 16 * row, &view, 16)
    return slots


def state_of(Batch batch not None):
    """What makes this batch again: names, numbers and bytes."""
    cdef Batch views = Batch.__new__(Batch)
    cdef const ColumnBuffers* column
    cdef list columns = []
    cdef object validity, names
    cdef bytes slots
    cdef int i
    check_batches([batch])
    for i in range(batch.n_columns):
        column = &batch.columns[i]
        validity = names = None
        if column.validity != NULL:
            validity = (<const char*> column.validity)[:(column.count + 7) // 8]
        if column.type == CODES:
            names = DICTIONARIES[column.dictionary]
        if column.type == STRING_VIEWS:
            slots = own_views(batch, column, views)
        else:
            slots = (<const char*> column.slots)[:<Py_ssize_t> slots_size(column.type, column.count)]
        data = (<const char*> column.data)[:column.length] if column.length else b""
        columns.append((TYPES[<int> column.type], column.count, names, validity, slots, data))
    arena = (<const char*> views.arena)[:views.arena_length] if views.arena_length else b""
    rows = (<const char*> batch.validity)[:(batch.length + 7) // 8]
    return batch.names, bool(batch.is_struct), batch.errors, batch.length, rows, columns, arena


def damaged():
    return ValueError("the pickle of a column is damaged")


cdef uint8_t* copy_of(bytes data, int64_t size, Py_ssize_t least) except NULL:
    cdef uint8_t* memory
    if len(data) != size:
        raise damaged()
    memory = <uint8_t*> allocate(<size_t> max(least, len(data)) + 16)
    memcpy(memory, <const char*> data, len(data))
    return memory


cdef Py_ssize_t count_zeros(const uint8_t* bits, Py_ssize_t count) noexcept:
    cdef Py_ssize_t i, zeros = 0
    for i in range(count):
        zeros += not has_bit(bits, i)
    return zeros


# Offsets that ascend from 0 to `last`.
cdef int check_offsets(const ColumnBuffers* column, Py_ssize_t last) except -1:
    cdef int64_t begin = 0, end, before = 0
    cdef Py_ssize_t row
    range_of(column, 0, &begin, &end)
    if begin:
        raise damaged()
    for row in range(column.count):
        range_of(column, row, &begin, &end)
        if begin != before or end < begin:
            raise damaged()
        before = end
    if before != last:
        raise damaged()
    return 0


cdef int check_codes(ColumnBuffers* column, const uint8_t* valid, tuple names) except -1:
    """Lets the codes stand for the same names, whose order is not the same in every version."""
    cdef int8_t* codes = <int8_t*> column.slots
    cdef Py_ssize_t row
    cdef tuple ours
    cdef list new
    for which, known in enumerate(DICTIONARIES):
        if set(names) <= set(known):
            column.dictionary = which
            break
    else:
        raise damaged()
    ours = DICTIONARIES[column.dictionary]
    new = [ours.index(name) for name in names]
    for row in range(column.count):
        if not has_bit(valid, row):
            codes[row] = 0
        elif 0 <= codes[row] < len(new):
            codes[row] = new[codes[row]]
        else:
            raise damaged()
    return 0


cdef int check_text(const uint8_t* p, Py_ssize_t n) except -1:
    if not (is_ascii(p, n) or is_utf8(p, n)):
        raise damaged()
    return 0


cdef int check_views(Batch batch, const ColumnBuffers* column, const uint8_t* valid) except -1:
    cdef Py_ssize_t row
    cdef uint8_t* slot = column.slots
    cdef const uint8_t* text
    cdef View view
    for row in range(column.count):
        memcpy(&view, slot, 16)
        text = slot + 4
        if not has_bit(valid, row):
            memset(slot, 0, 16)
        elif view.length < 0 or (view.length > 12 and not (
            0 <= view.buffer < batch.n_view_buffers and view.offset >= 0
            and <int64_t> view.offset + view.length <= batch.view_sizes[view.buffer]
        )):
            raise damaged()
        else:
            if view.length > 12:
                text = <const uint8_t*> batch.view_buffers[view.buffer] + view.offset
                memcpy(slot + 4, text, 4)
            else:
                memset(slot + 4 + view.length, 0, 12 - view.length)
            check_text(text, view.length)
        slot += 16
    return 0


# Of the last byte, the bits after so many. When batches are combined, they would be those of the next batch.
cdef inline void clear_rest(uint8_t* bits, Py_ssize_t count) noexcept:
    if count & 7:
        bits[count >> 3] &= (1 << (count & 7)) - 1


cdef int open_restored(Batch batch, int i, tuple state, Py_ssize_t count) except -1:
    """Fills in a column; of PAIRS, a MAP or LISTS, its first."""
    cdef ColumnBuffers* column = &batch.columns[i]
    cdef const int64_t* offsets
    cdef const uint8_t* valid
    cdef Py_ssize_t row
    kind, given_count, names, validity, slots, data = state
    if kind not in TYPES or given_count != count or type(slots) is not bytes or count // 8 > len(slots):
        raise damaged()
    column.type = <ColumnType> <int> TYPES.index(kind)
    column.slots = copy_of(slots, slots_size(column.type, count), bit_size(count))
    if column.type == BITS:
        clear_rest(column.slots, count)
    column.data = copy_of(data, len(data), 0)
    column.length = len(data)
    column.count = count
    if validity is not None:
        column.validity = copy_of(validity, (count + 7) // 8, bit_size(count))
        clear_rest(column.validity, count)
        column.null_count = count_zeros(column.validity, count)
    if column.type == STRINGS:
        check_offsets(column, column.length)
        offsets = <const int64_t*> column.slots
        for row in range(count):
            check_text(column.data + offsets[row], offsets[row + 1] - offsets[row])
    if column.type == CODES or column.type == STRING_VIEWS:
        valid = validity_of(batch, column)
        if column.type == CODES:
            check_codes(column, valid, names)
        else:
            check_views(batch, column, valid)
    return 0


def batch_of(state):
    """The batch of a state_of(). It is checked: no offset, view or code points outside of what it is for, and texts are UTF-8."""
    cdef Batch batch = Batch.__new__(Batch)
    cdef ColumnBuffers* column
    cdef list columns
    cdef bytes arena
    cdef Py_ssize_t pairs
    cdef int i = 0
    names, is_struct, errors, length, rows, columns, arena = state
    if type(names) is not tuple or any([type(name) is not str for name in names]):
        raise damaged()
    # Not one chain of comparisons: Cython gives back its first result twice if the last operand raises.
    if type(length) is not int or type(rows) is not bytes or length < 0 or length // 8 > len(rows):
        raise damaged()
    if not columns or any([type(each) is not tuple or len(each) != 6 for each in columns]):
        raise damaged()
    if type(errors) is not dict or any([type(name) is not str or type(n) is not int for name, n in errors.items()]):
        raise damaged()
    batch.first_failed = -1
    batch.names = names
    batch.is_struct = is_struct
    batch.errors = errors
    batch.length = length
    batch.validity = copy_of(rows, (batch.length + 7) // 8, bit_size(batch.length))
    clear_rest(batch.validity, batch.length)
    batch.null_count = count_zeros(batch.validity, batch.length)
    if arena:
        if not push_arena(batch, <const uint8_t*> <const char*> arena, len(arena)):
            raise MemoryError
        add_windows(batch, batch.arena, batch.arena_length)
    batch.columns = <ColumnBuffers*> allocate(len(columns) * sizeof(ColumnBuffers))
    batch.n_columns = <int> len(columns)
    count = 0
    while i < batch.n_columns:
        column = &batch.columns[i]
        open_restored(batch, i, columns[i], batch.length)
        count += 1
        if places_of(column.type) > 1:
            places = range(i + 1, i + places_of(column.type))
            if batch.n_columns < places.stop or any([columns[each][0] != "strings" for each in places]):
                raise damaged()
            pairs = columns[i + 1][1]
            if pairs < 0 or (column.type == MAP and pairs > MOST_PAIRS):
                raise damaged()
            check_offsets(column, pairs)
            for each in places:
                open_restored(batch, each, columns[each], pairs)
        i += places_of(column.type)
    if count != len(names) or not (batch.is_struct or count == 1):
        raise damaged()
    return batch


def shape_of(Batch batch not None):
    """What all batches of a column or a table have in common: names, and the type and memory of each column."""
    cdef const ColumnBuffers* column
    cdef list shapes = []
    cdef int i
    for i in range(batch.n_columns):
        column = &batch.columns[i]
        shapes.append((<int> column.type, column.dictionary, column.validity != NULL))
    return batch.names, bool(batch.is_struct), tuple(shapes)


# NumPy.

def type_of(Batch batch not None):
    """The type of the only column."""
    check_batches([batch])
    return TYPES[<int> batch.columns[0].type]


def values_of(Batch batch not None):
    """The values of a column of numbers or digests, or of bits, one byte for each. What is null is 0."""
    check_batches([batch])
    cdef const ColumnBuffers* column = &batch.columns[0]
    cdef const uint8_t* valid = validity_of(batch, column)
    cdef Py_ssize_t row, size = 1 if column.type == BITS else <Py_ssize_t> slots_size(column.type, 1)
    values = bytearray(size * batch.length)
    cdef uint8_t* to = <uint8_t*> <char*> values
    for row in range(batch.length):
        if has_bit(valid, row):
            if column.type == BITS:
                to[row] = has_bit(column.slots, row)
            else:
                memcpy(to + size * row, column.slots + size * row, size)
    return values


def valid_of(Batch batch not None):
    """Whether each row of the only column has a value: a byte for each."""
    check_batches([batch])
    cdef const uint8_t* valid = validity_of(batch, &batch.columns[0])
    cdef Py_ssize_t row
    result = bytearray(batch.length)
    cdef uint8_t* to = <uint8_t*> <char*> result
    for row in range(batch.length):
        to[row] = has_bit(valid, row)
    return result


# The Arrow C data interface: https://arrow.apache.org/docs/format/CDataInterface.html

cdef enum:
    NULLABLE = 2

# The names of a dictionary as one Arrow array, which is never released.
cdef list texts = ["".join(names).encode() for names in DICTIONARIES]
cdef int32_t[2][64] text_offsets
for _which, _names in enumerate(DICTIONARIES):
    for _index, _name in enumerate(_names):
        text_offsets[_which][_index + 1] = text_offsets[_which][_index] + <int32_t> len(_name)


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


cdef int column_schema(const ColumnBuffers* column, bytes name, ArrowSchema* out) except -1:
    cdef const char* format = <const char*> <bytes> FORMATS[<int> column.type]
    if column.type == CODES:
        open_schema(out, format, name, 0)
        out.dictionary = <ArrowSchema*> calloc(1, sizeof(ArrowSchema))
        if out.dictionary == NULL:
            raise MemoryError
        open_schema(out.dictionary, "u", b"", 0)
    elif column.type == LISTS:
        open_schema(out, format, name, 1)
        column_schema(column + 1, b"item", out.children[0])
    elif column.type == MAP:
        open_schema(out, format, name, 1)
        open_schema(out.children[0], "+s", b"entries", 2)
        column_schema(column + 1, b"key", out.children[0].children[0])
        column_schema(column + 2, b"value", out.children[0].children[1])
        # Arrow's rule for entries and keys.
        out.children[0].flags = out.children[0].children[0].flags = 0
    elif column.type == PAIRS:
        open_schema(out, format, name, 1)
        open_schema(out.children[0], "+s", b"item", 2)
        column_schema(column + 1, b"name", out.children[0].children[0])
        column_schema(column + 2, b"value", out.children[0].children[1])
    else:
        open_schema(out, format, name, 0)
    return 0


cdef int export_schema(Batch batch, ArrowSchema* out) except -1:
    memset(out, 0, sizeof(ArrowSchema))
    try:
        if not batch.is_struct:
            return column_schema(batch.columns, b"", out)
        open_schema(out, "+s", b"", <int> len(batch.names))
        out.flags = 0
        for index, name in enumerate(batch.names):
            column_schema(&batch.columns[column_index(batch, index)], (<str> name).encode(), out.children[index])
        return 0
    except:
        if out.release != NULL:
            out.release(out)
        raise


# Arrays.

# Consumers may release an array from any thread. It owns a reference to the batch, a Python object.
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
    # Not NULL, which some readers take for a released array.
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
    cdef const ColumnBuffers* column = &batch.columns[index]
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
    elif column.type == LISTS:
        open_array(out, batch, column.count, 2, 1)
        out.buffers[1] = column.slots
        export_column(batch, index + 1, out.children[0])
        out.children[0].null_count = 0
        out.children[0].buffers[0] = NULL
    elif column.type == PAIRS or column.type == MAP:
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
        open_array(out, batch, batch.length, 1, <int> len(batch.names))
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


def schema_capsule(Batch batch not None):
    check_batches([batch])
    cdef ArrowSchema* schema = <ArrowSchema*> allocate(sizeof(ArrowSchema))
    capsule = PyCapsule_New(schema, "arrow_schema", destroy_schema)
    export_schema(batch, schema)
    return capsule


def array_capsule(Batch batch not None):
    check_batches([batch])
    cdef ArrowArray* array = <ArrowArray*> allocate(sizeof(ArrowArray))
    capsule = PyCapsule_New(array, "arrow_array", destroy_array)
    export_batch(batch, array)
    return capsule


# A stream's private data: the batches that are left, and one for the schema.
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
    """A stream of one or more batches."""
    check_batches(batches)
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


# The door, for tests.

cdef tuple record_bytes(const ParsedRow* row):
    return row.length, (<const char*> &row.record)[:sizeof(Record)]


def through_door(data not None, list places not None, *, bint host_only=False, bint status_only=False, bint alone=False):
    """For tests: of at most 64 rows, by their places in the data, what the door finds, and what it finds one by one.

    A row is None if it is not let in. If a row is `alone`, nothing is read after it.
    """
    cdef Py_buffer memory
    cdef const uint8_t* p
    cdef ParsedRow[BLOCK_ROWS] rows
    cdef Door door
    cdef uint64_t known
    cdef int64_t length = 0
    cdef int k = 0, count = <int> len(places)
    cdef list found = [], expected = []
    if len(places) > BLOCK_ROWS or not open_door(&door, status_only, host_only):
        raise ValueError("there is no such door")
    memset(rows, 0xA5, sizeof(rows))
    PyObject_GetBuffer(data, &memory, PyBUF_SIMPLE)
    try:
        p = <const uint8_t*> memory.buf
        for begin, end in places:
            if not 0 <= begin <= end <= memory.len:
                raise IndexError(begin)
            rows[k].href = p + <Py_ssize_t> begin
            rows[k].length = end - begin
            k += 1
        door.end = <const uint8_t*> NULL if alone else p + memory.len
        known = kernels.door(rows, count, &door, &length)
        for k in range(count):
            found.append((rows[k].status == OK if status_only else record_bytes(&rows[k])) if known >> k & 1 else None)
        for begin, end in places:
            k = read_prefix(p + <Py_ssize_t> begin, end - begin, host_only, &rows[0].record, &rows[0].length)
            expected.append(record_bytes(&rows[0]) if k == PATH_END_STATE else None)
    finally:
        PyBuffer_Release(&memory)
    return found, expected, length
