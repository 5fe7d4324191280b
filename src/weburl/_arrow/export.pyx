"""Columns by the Arrow C data interface: https://arrow.apache.org/docs/format/CDataInterface.html"""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from weburl._arrow.arrow cimport ArrowArray, ArrowArrayStream, ArrowSchema
from weburl._arrow.batch cimport (
    BITS, CODES, DIGESTS, MAP, NUMBERS, PAIRS, STRING_VIEWS, STRINGS, Batch, ColumnBuffers, allocate, check_batches,
    column_index, null_count_of, validity_of,
)

from weburl._arrow.batch import DICTIONARIES

cdef extern from "Python.h":
    bint Py_IsInitialized() nogil

cdef extern from "errno.h":
    const int ENOMEM

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
    if column.type == STRINGS:
        open_schema(out, "U", name, 0)
    elif column.type == STRING_VIEWS:
        open_schema(out, "vu", name, 0)
    elif column.type == BITS:
        open_schema(out, "b", name, 0)
    elif column.type == NUMBERS:
        open_schema(out, "L", name, 0)
    elif column.type == DIGESTS:
        open_schema(out, "w:16", name, 0)
    elif column.type == CODES:
        open_schema(out, "c", name, 0)
        out.dictionary = <ArrowSchema*> calloc(1, sizeof(ArrowSchema))
        if out.dictionary == NULL:
            raise MemoryError
        open_schema(out.dictionary, "u", b"", 0)
    elif column.type == MAP:
        open_schema(out, "+m", name, 1)
        open_schema(out.children[0], "+s", b"entries", 2)
        column_schema(column + 1, b"key", out.children[0].children[0])
        column_schema(column + 2, b"value", out.children[0].children[1])
        # Arrow's rule for entries and keys.
        out.children[0].flags = out.children[0].children[0].flags = 0
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
