"""An expression plugin for Polars: the C symbols that Polars looks up, which run jobs.

The interface is version 0.1 of Polars' `polars-ffi`. Polars loads the file of this module, and calls from its own
threads, without the GIL.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from weburl._arrow.arrow cimport ArrowArray, ArrowSchema, View, has_bit
from weburl._arrow.batch cimport CODES, STRING_VIEWS, Batch, ColumnBuffers, add_view_buffer
from weburl._arrow.export cimport export_batch, export_schema
from weburl._arrow.input cimport input_of

from weburl._arrow.batch import DICTIONARIES
from weburl._arrow.input import from_objects
from weburl._arrow.job import Job
from weburl._arrow.cutting import cut_rows
from weburl.ext._engines.polars_plans import job_from

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef extern from *:
    """
    #ifdef _MSC_VER
    #define THREAD_LOCAL __declspec(thread)
    #else
    #define THREAD_LOCAL __thread
    #endif
    typedef struct SeriesExport {
        struct ArrowSchema *field;
        struct ArrowArray **arrays;
        size_t len;
        void (*release)(struct SeriesExport *);
        void *private_data;
    } SeriesExport;

    Py_EXPORTED_SYMBOL uint32_t _polars_plugin_get_version(void);
    Py_EXPORTED_SYMBOL const char *_polars_plugin_get_last_error_message(void);
    Py_EXPORTED_SYMBOL void _polars_plugin_run(
        SeriesExport *, size_t, const uint8_t *, size_t, SeriesExport *, const void *);
    Py_EXPORTED_SYMBOL void _polars_plugin_field_run(
        const struct ArrowSchema *, size_t, struct ArrowSchema *, const uint8_t *, size_t);

    static THREAD_LOCAL char last_error[1024];

    /* A plan can come from another process, to one that has loaded the file but not the module. */
    static void import_this(void) {
        PyGILState_STATE state;
        PyObject *module;
        if (!Py_IsInitialized()) return;
        state = PyGILState_Ensure();
        module = PyImport_ImportModule("weburl.ext._polars");
        if (module == NULL) PyErr_Clear();
        Py_XDECREF(module);
        PyGILState_Release(state);
    }
    """
    ctypedef struct SeriesExport:
        ArrowSchema* field
        ArrowArray** arrays
        size_t len
        void (*release)(SeriesExport*) noexcept nogil
        void* private_data          # NULL for one that is not filled in

    char[1024] last_error
    void import_this() noexcept nogil

# Whether this module is imported: its file may be loaded alone.
cdef bint imported = False


cdef enum:
    NO_NAME = 63

# The views of a dictionary's names, into a buffer of its text.
ctypedef struct Names:
    View[NO_NAME + 1] views
    int32_t length
    const char* text

cdef Names[2] names
cdef list texts = ["".join(words).encode() for words in DICTIONARIES]


cdef int open_names(Names* self, tuple words, bytes text) except -1:
    cdef bytes word
    cdef View* view
    self.text = text
    for i, word in enumerate(map(str.encode, words)):
        view = &self.views[i]
        view.length = <int32_t> len(word)
        if view.length <= 12:
            memcpy(&view.prefix, <const char*> word, view.length)
        else:
            memcpy(&view.prefix, <const char*> word, 4)
            view.offset = self.length
        self.length += view.length
    return 0

for index in range(2):
    open_names(&names[index], DICTIONARIES[index], texts[index])


def evaluate(dict job not None, list columns not None):
    """The batches of a job for the chunks of URLs, or for those of bases and of references.

    The job is what `Plan.job` gives. A column of one row stands for as many as the other has.
    Where Arrow has a dictionary of names, these have the names.
    """
    cdef Batch batch
    cdef int i
    batches = run_job(Job(**job), columns)
    for batch in batches:
        for i in range(batch.n_columns):
            if batch.columns[i].type == CODES:
                spell_out(batch, &batch.columns[i])
    return batches


# Polars would look up the text of each row of a dictionary among its categories, which all threads share.
cdef int spell_out(Batch batch, ColumnBuffers* column) except -1:
    cdef Names own = names[column.dictionary]
    cdef uint8_t* slots = <uint8_t*> malloc(16 * max(column.count, 1))
    cdef const int8_t* codes = <const int8_t*> column.slots
    cdef Py_ssize_t i
    if slots == NULL:
        raise MemoryError
    with nogil:
        for i in range(NO_NAME):
            if own.views[i].length > 12:
                own.views[i].buffer = <int32_t> batch.n_view_buffers
        for i in range(column.count):
            memcpy(slots + 16 * i, &own.views[codes[i] if has_bit(column.validity, i) else NO_NAME], 16)
    free(column.slots)
    column.slots = slots
    column.type = STRING_VIEWS
    add_view_buffer(batch, own.text, own.length)
    return 0


cdef list run_job(object work, list columns):
    if len(columns) == 1:
        return [work.run(chunk, 0, len(chunk)) for chunk in columns[0]] or [work.run(from_objects(()), 0, 0)]
    lengths = [sum(map(len, chunks)) for chunks in columns]
    length = lengths[1] if lengths[0] == 1 else lengths[0]
    bases, rows = [
        chunks if n == length else repeated(work, chunks, n, length) for chunks, n in zip(columns, lengths)
    ]
    return [work.run(*piece) for piece in cut_rows(rows, bases)] or [work.run(from_objects(()), 0, 0)]


def repeated(job, list chunks, Py_ssize_t rows, Py_ssize_t length):
    if rows != 1:
        raise ValueError(f"columns of {rows} and {length} rows do not go together")
    text, = [job.row_text(chunk, 0, 1, 0) for chunk in chunks if len(chunk)]
    return [from_objects((text,) * length)]


cdef void keep_error(object error) noexcept:
    cdef bytes text
    try:
        text = f"{type(error).__name__}: {error}".encode("utf-8", "replace")[:sizeof(last_error) - 1]
    except BaseException:
        text = b"it has no description"
    memcpy(last_error, <const char*> text, len(text) + 1)


# The memory of a series that is handed over.
ctypedef struct Series:
    ArrowSchema field
    ArrowArray** pointers
    ArrowArray* arrays


# The arrays have been taken out.
cdef void release_series(SeriesExport* self) noexcept nogil:
    cdef Series* series = <Series*> self.private_data
    if series.field.release != NULL:
        series.field.release(&series.field)
    free(series.pointers)
    free(series.arrays)
    free(series)
    self.release = NULL


cdef int export_series(list batches, const char* name, SeriesExport* out) except -1:
    cdef Series* series = <Series*> calloc(1, sizeof(Series))
    cdef size_t n = len(batches), i
    if series == NULL:
        raise MemoryError
    out.private_data = series
    series.pointers = <ArrowArray**> calloc(n, sizeof(ArrowArray*))
    series.arrays = <ArrowArray*> calloc(n, sizeof(ArrowArray))
    try:
        if series.pointers == NULL or series.arrays == NULL:
            raise MemoryError
        export_named_schema(batches[0], name, &series.field)
        for i in range(n):
            series.pointers[i] = &series.arrays[i]
            export_batch(batches[i], &series.arrays[i])
    except:
        if series.arrays != NULL:
            for i in range(n):
                if series.arrays[i].release != NULL:
                    series.arrays[i].release(&series.arrays[i])
        release_series(out)
        out.private_data = NULL
        raise
    out.field = &series.field
    out.arrays = series.pointers
    out.len = n
    out.release = release_series
    return 0


cdef int export_named_schema(Batch batch, const char* name, ArrowSchema* out) except -1:
    cdef bytes text = name if name != NULL else b""
    cdef char* copy = <char*> malloc(len(text) + 1)
    if copy == NULL:
        raise MemoryError
    memcpy(copy, <const char*> text, len(text) + 1)
    try:
        export_schema(batch, out)
    except:
        free(copy)
        raise
    # The private data is the name.
    free(out.private_data)
    out.private_data = copy
    out.name = copy
    return 0


cdef list read_series(SeriesExport* self):
    cdef list chunks = []
    cdef size_t i
    if self.release == NULL or self.field == NULL or (self.len and self.arrays == NULL):
        raise ValueError("malformed series: it is released")
    for i in range(self.len):
        if self.arrays[i] == NULL:
            raise ValueError("malformed series: an array is missing")
        chunks.append(input_of(self.arrays[i], self.field))
    return chunks


cdef bytes read_arguments(const void* inputs, size_t n, const uint8_t* kwargs, size_t length):
    if n > 2 or (n and inputs == NULL):
        raise ValueError(f"a job has one column or two, not {n}")
    # A size that no object has says that the caller counts wrongly.
    if kwargs == NULL or length > <size_t> PY_SSIZE_T_MAX:
        raise ValueError("these are not the arguments of a job")
    return (<const char*> kwargs)[:length]


cdef void run(SeriesExport* inputs, size_t n, const uint8_t* kwargs, size_t length, SeriesExport* out) noexcept with gil:
    cdef size_t i
    try:
        arguments = read_arguments(inputs, n, kwargs, length)
        columns = []
        for i in range(n):
            columns.append(read_series(&inputs[i]))
        export_series(evaluate(job_from(arguments, <int> n), columns), inputs[0].field.name, out)
    except BaseException as error:
        keep_error(error)


cdef void field(
    const ArrowSchema* inputs, size_t n, ArrowSchema* out, const uint8_t* kwargs, size_t length
) noexcept with gil:
    try:
        arguments = read_arguments(inputs, n, kwargs, length)
        export_named_schema(evaluate(job_from(arguments, <int> n), [[] for _ in range(n)])[0], inputs[0].name, out)
    except BaseException as error:
        keep_error(error)


cdef bint is_ready() noexcept nogil:
    if not imported:
        import_this()
    if not imported:
        memcpy(last_error, b"weburl.ext._polars cannot be imported", 38)
    return imported


cdef public uint32_t _polars_plugin_get_version() noexcept nogil:
    return 0 << 16 | 1


cdef public const char* _polars_plugin_get_last_error_message() noexcept nogil:
    return last_error


cdef public void _polars_plugin_run(
    SeriesExport* inputs, size_t n, const uint8_t* kwargs, size_t length, SeriesExport* out, const void* context
) noexcept nogil:
    cdef size_t i, k
    if is_ready():
        run(inputs, n, kwargs, length, out)
    # The plugin releases them, with the arrays that are left.
    for i in range(n if inputs != NULL else 0):
        if inputs[i].release == NULL:
            continue
        for k in range(inputs[i].len if inputs[i].arrays != NULL else 0):
            if inputs[i].arrays[k] != NULL and inputs[i].arrays[k].release != NULL:
                inputs[i].arrays[k].release(inputs[i].arrays[k])
        inputs[i].release(&inputs[i])


# The fields remain the caller's.
cdef public void _polars_plugin_field_run(
    const ArrowSchema* inputs, size_t n, ArrowSchema* out, const uint8_t* kwargs, size_t length
) noexcept nogil:
    if is_ready():
        field(inputs, n, out, kwargs, length)


imported = True
