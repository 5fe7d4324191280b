"""Scalar functions for DuckDB by its C extension API: jobs over its vectors, on its threads, without the GIL.

DuckDB loads a file and calls the entry that has the file's name. What it loads is a copy of this module's own file, with
DuckDB's metadata at its end. The copy is another library, which Python never initializes, so its entry does one thing: it
calls the function of this module whose address is stored in it.
"""

from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF, Py_XDECREF
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from weburl._arrow.arrow cimport has_bit
from weburl._arrow.batch cimport (
    BITS, CODES, DIGESTS, LISTS, MAP, NUMBERS, PAIRS, SHORT_DIGESTS, STRINGS, Batch, ColumnBuffers, column_index,
    entry_size, is_digest, null_count_of, places_of, validity_of,
)
from weburl._arrow.input cimport ROWS_POINTERS, Pointer, Rows
from weburl._arrow.job cimport Runner, memory_of, run_again
from weburl._arrow.columns cimport raise_error

import itertools
import threading

from weburl._arrow.batch import DICTIONARIES

cdef extern from "pythread.h":
    ctypedef void* PyThread_type_lock
    PyThread_type_lock PyThread_allocate_lock()
    void PyThread_free_lock(PyThread_type_lock)
    int PyThread_acquire_lock(PyThread_type_lock, int) nogil
    void PyThread_release_lock(PyThread_type_lock) nogil
    unsigned long PyThread_get_thread_ident() nogil
    const int WAIT_LOCK

cdef unsigned long main_thread = threading.main_thread().ident

# The names of the entries.
NAMES = ("weburl", *[f"weburl_{number}" for number in range(1, 10)])

cdef enum:
    VARCHAR = 17                # types
    BLOB = 18
    BOOLEAN = 1
    UBIGINT = 9
    MOST_KEPT = 1 << 24         # bytes that a runner keeps for its next vector
    MOST_RUNNERS = 64           # that a thread keeps for different values, times the number of these
    MOST_TOGETHER = 1 << 20     # bytes of texts that are given to DuckDB as one


# The places of Api's functions in DuckDB's table, which never change.
cdef tuple PLACES = (
    3, 6, 26, 156, 159, 161, 163, 184, 189, 190, 191, 194, 195, 196, 198, 199, 200, 201, 202, 203, 209, 210, 211, 212,
    213, 215, 216, 217, 218, 220, 221, 222, 223, 224, 225,
)
assert len(PLACES) * sizeof(void*) == sizeof(Api)

# Of the DuckDB that this process has.
cdef Api api
cdef bint has_api = False


# The memory for one call of a function at a time.
ctypedef struct Slot:
    Slot* next
    PyObject* runners           # a dict: the Runner for each tuple of the values that make a job
    PyObject* last              # the Runner used last, or NULL
    uint8_t* values             # its values: the length of each, and its text; or -1 for null
    Py_ssize_t count            # how many they are
    Texts* texts                # room for columns of values
    Py_ssize_t capacity
    int generation


# A function, as DuckDB's threads see it.
ctypedef struct Call:
    PyObject* function
    int bases                   # the column of bases, of URLs, and of keys, or -1
    bint base_is_optional       # a base that is null is none, and does not make the result null
    int urls
    int keys
    int first_value             # the columns of values that make a job
    int values
    bint any_number             # of values, which can be null
    PyThread_type_lock lock
    Slot* free_slots
    int generation              # of the jobs


# Strings.

# The names of the dictionaries, as DuckDB has strings. They are never freed, so that vectors can point to them.
cdef (Pointer*)[2] names

cdef void set_pointer(Pointer* to, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    to.length = <uint32_t> n
    if n <= 12:
        memset(to.prefix, 0, 12)
        memcpy(to.prefix, p, n)
    else:
        memcpy(to.prefix, p, 4)
        to.data = p


cdef int open_names(int which) except -1:
    cdef bytes text
    cdef uint8_t* copy
    names[which] = <Pointer*> calloc(len(DICTIONARIES[which]), sizeof(Pointer))
    if names[which] == NULL:
        raise MemoryError
    for i, name in enumerate(DICTIONARIES[which]):
        text = name.encode()
        copy = <uint8_t*> malloc(len(text) + 1)
        if copy == NULL:
            raise MemoryError
        memcpy(copy, <const char*> text, len(text) + 1)
        set_pointer(&names[which][<Py_ssize_t> i], copy, len(text))
    return 0

open_names(0)
open_names(1)


# Vectors. What DuckDB throws passes through these functions: they hold no lock then, and own nothing.

# The strings of rows are copied into the vector's memory together: as one string, into which theirs point.
cdef void put_strings(void* vector, const ColumnBuffers* column, Py_ssize_t begin) noexcept nogil:
    cdef Pointer* pointers = <Pointer*> api.get_data(vector) + begin
    cdef const int64_t* ends = <const int64_t*> column.slots + 1
    cdef const uint8_t* data
    cdef int64_t start = 0
    cdef Py_ssize_t first = 0, last, i
    while first < column.count:
        last = first
        while last + 1 < column.count and ends[last + 1] - start <= MOST_TOGETHER:
            last += 1
        data = column.data + start
        if ends[last] - start > 12:
            api.assign_string(vector, begin + first, <const char*> data, ends[last] - start)
            data = pointers[first].data
        for i in range(first, last + 1):
            set_pointer(&pointers[i], data, ends[i] - start)
            data += ends[i] - start
            start = ends[i]
        first = last + 1


cdef void put_names(void* vector, const ColumnBuffers* column, Py_ssize_t begin) noexcept nogil:
    cdef Pointer* pointers = <Pointer*> api.get_data(vector) + begin
    cdef const int8_t* codes = <const int8_t*> column.slots
    cdef Py_ssize_t i
    for i in range(column.count):
        pointers[i] = names[column.dictionary][codes[i]]


# A list for each row. `column` is the first of the columns of PAIRS, a MAP or LISTS.
cdef bint put_lists(void* vector, const ColumnBuffers* column, Py_ssize_t begin) noexcept nogil:
    cdef uint64_t* entries = <uint64_t*> api.get_data(vector) + 2 * begin
    cdef uint64_t size = api.get_list_size(vector), end = size + column[1].count
    cdef int64_t start = 0, stop
    cdef void* items
    cdef Py_ssize_t i
    if api.reserve_list(vector, end) or api.set_list_size(vector, end):
        return False
    for i in range(column.count):
        if column.type == MAP:
            stop = (<const int32_t*> column.slots)[i + 1]
        else:
            stop = (<const int64_t*> column.slots)[i + 1]
        entries[2 * i] = size + start
        entries[2 * i + 1] = stop - start
        start = stop
    items = api.get_list_child(vector)
    for i in range(places_of(column.type) - 1):
        put_strings(items if column.type == LISTS else api.get_struct_child(items, i), column + 1 + i, size)
    return True


cdef void put_nulls(void* vector, const uint8_t* valid, Py_ssize_t begin, Py_ssize_t count) noexcept nogil:
    cdef uint64_t* mask
    cdef Py_ssize_t i
    api.make_validity(vector)
    mask = api.get_validity(vector)
    for i in range(count):
        if valid == NULL or not has_bit(valid, i):
            mask[(begin + i) >> 6] &= ~(<uint64_t> 1 << ((begin + i) & 63))


cdef bint put_column(void* vector, Batch batch, int index, Py_ssize_t begin) noexcept nogil:
    cdef const ColumnBuffers* column = &batch.columns[index]
    cdef int size = entry_size(column.type)
    cdef uint8_t* bools
    cdef Py_ssize_t i
    if column.type == STRINGS:
        put_strings(vector, column, begin)
    elif column.type == CODES:
        put_names(vector, column, begin)
    elif column.type == BITS:
        bools = <uint8_t*> api.get_data(vector) + begin
        for i in range(column.count):
            bools[i] = has_bit(column.slots, i)
    elif column.type == NUMBERS:
        memcpy(<uint64_t*> api.get_data(vector) + begin, column.slots, 8 * column.count)
    elif is_digest(column.type):
        for i in range(column.count):
            api.assign_string(vector, begin + i, <const char*> column.slots + size * i, size)
    elif not put_lists(vector, column, begin):
        return False
    if null_count_of(batch, column):
        put_nulls(vector, validity_of(batch, column), begin, column.count)
    return True


cdef bint put_batch(void* vector, Batch batch, Py_ssize_t begin) noexcept nogil:
    cdef int index = 0, field = 0
    if not batch.is_struct:
        return put_column(vector, batch, 0, begin)
    while index < batch.n_columns:
        if not put_column(api.get_struct_child(vector, field), batch, index, begin):
            return False
        field += 1
        index += places_of(batch.columns[index].type)
    return True


# Calls.

cdef Slot* take_slot(Call* call) noexcept nogil:
    cdef Slot* slot
    PyThread_acquire_lock(call.lock, WAIT_LOCK)
    slot = call.free_slots
    if slot != NULL:
        call.free_slots = slot.next
    PyThread_release_lock(call.lock)
    return slot


cdef void give_slot(Call* call, Slot* slot) noexcept nogil:
    PyThread_acquire_lock(call.lock, WAIT_LOCK)
    slot.next = call.free_slots
    call.free_slots = slot
    PyThread_release_lock(call.lock)


cdef void free_slot(Slot* slot) noexcept:
    Py_XDECREF(slot.runners)
    free(slot.values)
    free(slot.texts)
    free(slot)


cdef int empty_slot(Slot* slot) except -1:
    slot.last = NULL
    free(slot.values)
    slot.values = NULL
    (<dict> slot.runners).clear()
    return 0


cdef void open_rows(Rows* rows, void* chunk, int column) noexcept nogil:
    cdef void* vector = api.get_vector(chunk, column)
    memset(rows, 0, sizeof(Rows))
    rows.kind = ROWS_POINTERS
    rows.length = api.get_size(chunk)
    rows.values = api.get_data(vector)
    rows.validity = <const uint8_t*> api.get_validity(vector)


# DuckDB writes a constant into each row.
cdef bint has_one_text(const Texts* self, Py_ssize_t length) noexcept nogil:
    cdef const uint64_t* words = <const uint64_t*> self.pointers
    cdef uint64_t first, second, other = 0
    cdef Py_ssize_t i = 0, end
    if self.validity != NULL or not length:
        return False
    first = words[0]
    second = words[1]
    while i < length and not other:
        end = min(i + 64, length)
        while i < end:
            other |= (words[2 * i] ^ first) | (words[2 * i + 1] ^ second)
            i += 1
    return not other


cdef void open_texts(Texts* self, Vectors* vectors, int column) noexcept nogil:
    cdef void* vector = api.get_vector(vectors.chunk, column)
    self.pointers = <const Pointer*> api.get_data(vector)
    self.validity = <const uint8_t*> api.get_validity(vector)
    vectors.is_constant = vectors.is_constant and has_one_text(self, vectors.urls.length)


# The columns of keys and values.
cdef bint open_values(const Call* call, Slot* slot, Vectors* self) noexcept nogil:
    cdef Py_ssize_t count = call.values
    cdef void* grown
    cdef int k
    self.is_constant = True
    if call.keys >= 0:
        open_texts(&self.keys, self, call.keys)
    if call.any_number:
        count = <Py_ssize_t> api.get_column_count(self.chunk) - call.first_value
    if count > slot.capacity:
        grown = realloc(slot.texts, count * sizeof(Texts))
        if grown == NULL:
            return False
        slot.texts = <Texts*> grown
        slot.capacity = count
    for k in range(count):
        open_texts(&slot.texts[k], self, call.first_value + k)
    self.values = slot.texts
    self.count = count
    return True


# NULL and -1 for null.
cdef inline const uint8_t* text_at(const Texts* self, Py_ssize_t i, Py_ssize_t* length) noexcept nogil:
    cdef const Pointer* text = self.pointers + i
    if not has_bit(self.validity, i):
        length[0] = -1
        return NULL
    length[0] = text.length
    return text.data if text.length > 12 else text.prefix


cdef bint is_same(const Texts* self, Py_ssize_t i, Py_ssize_t k) noexcept nogil:
    cdef Py_ssize_t n = 0, m = 0
    cdef const uint8_t* p = text_at(self, i, &n)
    cdef const uint8_t* q = text_at(self, k, &m)
    return n == m and (p == q or n == 0 or memcmp(p, q, n) == 0)


# Whether rows i and k have the same key and values, and both have a base or none.
cdef bint belong_together(const Call* call, const Vectors* vectors, Py_ssize_t i, Py_ssize_t k) noexcept nogil:
    cdef Py_ssize_t value
    if call.base_is_optional and has_bit(vectors.bases.validity, i) != has_bit(vectors.bases.validity, k):
        return False
    if vectors.is_constant:
        return True
    if call.keys >= 0 and not is_same(&vectors.keys, i, k):
        return False
    for value in range(vectors.count):
        if not is_same(&vectors.values[value], i, k):
            return False
    return True


# Where the rows end that are run together with row i.
cdef Py_ssize_t end_of_run(const Call* call, const Vectors* vectors, Py_ssize_t i) noexcept nogil:
    cdef Py_ssize_t end = i + 1
    if vectors.is_constant and (not call.base_is_optional or vectors.bases.validity == NULL):
        return vectors.urls.length
    while end < vectors.urls.length and belong_together(call, vectors, i, end):
        end += 1
    return end


cdef bint has_null(const Call* call, const Vectors* vectors, Py_ssize_t i) noexcept nogil:
    cdef Py_ssize_t k
    if not call.any_number:
        for k in range(vectors.count):
            if not has_bit(vectors.values[k].validity, i):
                return True
    return call.keys >= 0 and not has_bit(vectors.keys.validity, i)


# Whether the runner used last is for the values of a row.
cdef bint is_last(const Call* call, const Slot* slot, const Vectors* vectors, Py_ssize_t i) noexcept nogil:
    cdef const uint8_t* at = slot.values
    cdef const uint8_t* p
    cdef Py_ssize_t n = 0, k
    if slot.last == NULL or slot.generation != call.generation or slot.count != vectors.count:
        return False
    for k in range(vectors.count):
        p = text_at(&vectors.values[k], i, &n)
        if memcmp(at, &n, sizeof(n)) or (n > 0 and memcmp(at + sizeof(n), p, n)):
            return False
        at += sizeof(n) + max(n, 0)
    return True


# Gets the runner for the values of a row.
cdef int find_runner(const Call* call, Slot* slot, const Vectors* vectors, Py_ssize_t i) except -1:
    cdef const uint8_t* p
    cdef Py_ssize_t n = 0, size = 0, k
    cdef list texts = []
    cdef Function function = <Function> call.function
    kept = len(<dict> slot.runners)
    if slot.generation != call.generation or (kept and kept * vectors.count >= MOST_RUNNERS):
        empty_slot(slot)
        slot.generation = call.generation
    for k in range(vectors.count):
        p = text_at(&vectors.values[k], i, &n)
        texts.append(None if p == NULL else (<const char*> p)[:n])
        size += sizeof(n) + max(n, 0)
    runner = (<dict> slot.runners).get(tuple(texts))
    if runner is None:
        values = [each if each is None else (<bytes> each).decode("utf-8", "replace") for each in texts]
        runner = function.new_runner(values)
        (<dict> slot.runners)[tuple(texts)] = runner
    slot.last = NULL
    free(slot.values)
    slot.values = <uint8_t*> malloc(size + 1)
    if slot.values == NULL:
        raise MemoryError
    size = 0
    for k in range(vectors.count):
        p = text_at(&vectors.values[k], i, &n)
        memcpy(slot.values + size, &n, sizeof(n))
        size += sizeof(n)
        if n > 0:
            memcpy(slot.values + size, p, n)
            size += n
    slot.count = vectors.count
    slot.last = <PyObject*> runner
    return 0


# While Python shuts down, only the main thread can have the GIL: any other that asks for it does not return.
cdef bint has_python() noexcept nogil:
    return Py_IsInitialized() and (not Py_IsFinalizing() or PyThread_get_thread_ident() == main_thread)


# What DuckDB calls, from any of its threads.
cdef void run_call(void* info, void* chunk, void* out) noexcept nogil:
    cdef Call* call = <Call*> api.get_extra_info(info)
    cdef Slot* slot
    if not has_python():
        api.set_error(info, "weburl: Python is shutting down")
        return
    slot = take_slot(call)
    if slot == NULL:
        slot = open_slot(info)
    if slot != NULL:
        run_chunk(info, call, slot, chunk, out)
        give_slot(call, slot)


cdef void run_chunk(void* info, Call* call, Slot* slot, void* chunk, void* out) noexcept nogil:
    cdef Vectors vectors
    cdef const Rows* bases
    cdef const uint8_t* key = NULL
    cdef Py_ssize_t key_length = 0, i = 0, end
    open_rows(&vectors.urls, chunk, call.urls)
    if call.bases >= 0:
        open_rows(&vectors.bases, chunk, call.bases)
    vectors.chunk = chunk
    if not open_values(call, slot, &vectors):
        api.set_error(info, "weburl: out of memory")
        return
    while i < vectors.urls.length:
        end = end_of_run(call, &vectors, i)
        if has_null(call, &vectors, i):
            put_nulls(out, NULL, i, end - i)
        else:
            if not is_last(call, slot, &vectors, i) and not get_runner(info, call, slot, &vectors, i):
                return
            if call.keys >= 0:
                key = text_at(&vectors.keys, i, &key_length)
            bases = NULL
            if call.bases >= 0 and not (call.base_is_optional and not has_bit(vectors.bases.validity, i)):
                bases = &vectors.bases
            if not run_again(<Runner> slot.last, &vectors.urls, bases, i, end, key, key_length):
                report_stop(info, slot)
                return
            if not put_batch(out, (<Runner> slot.last).batch, i):
                api.set_error(info, "weburl: out of memory")
                return
            if memory_of(<Runner> slot.last) > MOST_KEPT:
                forget_runners(slot)
        i = end


cdef void report(void* info, object error) noexcept:
    cdef bytes text
    try:
        text = f"{type(error).__name__}: {error}".encode("utf-8", "replace")
    except BaseException:
        text = b"weburl: an error that has no description"
    api.set_error(info, text)


cdef Slot* open_slot(void* info) noexcept with gil:
    cdef Slot* slot = <Slot*> calloc(1, sizeof(Slot))
    try:
        if slot == NULL:
            raise MemoryError
        runners = {}
    except MemoryError as error:
        free(slot)
        report(info, error)
        return NULL
    Py_INCREF(runners)
    slot.runners = <PyObject*> runners
    return slot


cdef bint get_runner(void* info, const Call* call, Slot* slot, const Vectors* vectors, Py_ssize_t i) noexcept with gil:
    try:
        find_runner(call, slot, vectors, i)
        return True
    except BaseException as error:
        report(info, error)
        return False


cdef void report_stop(void* info, Slot* slot) noexcept with gil:
    try:
        raise_error((<Runner> slot.last).worker)
    except BaseException as error:
        report(info, error)
        if isinstance(error, KeyboardInterrupt):
            PyErr_SetInterrupt()
    forget_runners(slot)


cdef void forget_runners(Slot* slot) noexcept with gil:
    empty_slot(slot)


cdef extern from "Python.h":
    void PyErr_SetInterrupt()


# Functions.

RESULTS = {"text": (STRINGS, CODES), "bool": (BITS,), "number": (NUMBERS,), "pairs": (PAIRS,), "map": (MAP,)}
RESULTS.update(digest=(DIGESTS, SHORT_DIGESTS), texts=(LISTS,))


cdef class Function:
    """A function for DuckDB. `prepare` makes the job from the values of a call's other columns, which are texts.

    Of the columns, "base" and "key" are for each row. A "base" after "url" is optional: it can be NULL. With `any_number`, a call has any number of values after its
    columns, and NULL is one. The result is one of RESULTS, or the names of a struct of texts.
    """

    cdef Call call
    cdef readonly str name
    cdef readonly tuple columns
    cdef object result
    cdef object prepare

    def __cinit__(self, str name not None, tuple columns not None, result, prepare, bint any_number=False):
        cdef Call* call = &self.call
        self.name = name
        self.columns = columns
        self.result = result
        self.prepare = prepare
        call.function = <PyObject*> self
        call.bases = columns.index("base") if "base" in columns else -1
        call.keys = columns.index("key") if "key" in columns else -1
        call.urls = columns.index("url")
        # Between the URLs and the key or the base.
        call.base_is_optional = call.bases > call.urls
        call.first_value = call.urls + 1
        call.values = <int> len(columns) - (call.keys >= 0) - call.base_is_optional - call.first_value
        call.any_number = any_number
        call.lock = PyThread_allocate_lock()
        if call.lock == NULL:
            raise MemoryError

    def __dealloc__(self):
        cdef Slot* slot = self.call.free_slots
        cdef Slot* next
        while slot != NULL:
            next = slot.next
            free_slot(slot)
            slot = next
        if self.call.lock != NULL:
            PyThread_free_lock(self.call.lock)

    def replace(self, prepare):
        """From now on, another function makes the jobs."""
        self.prepare = prepare
        self.call.generation += 1

    cdef Runner new_runner(self, list values):
        cdef Runner runner = Runner(self.prepare(*values), api.vector_size())
        cdef Batch batch = runner.batch
        struct = isinstance(self.result, tuple)
        kinds = ["text"] * len(self.result) if struct else [self.result]
        types = [batch.columns[column_index(batch, index)].type for index in range(len(batch.names))]
        if batch.is_struct != struct or len(types) != len(kinds) or (struct and batch.names != self.result):
            raise TypeError("the job has other columns than the function")
        for kind, type in zip(kinds, types):
            if type not in RESULTS[kind]:
                raise TypeError(f"a column of the job is not {kind}")
        return runner


# Types.

cdef void* type_of_kind(str kind) noexcept:
    cdef void* text = api.create_type(VARCHAR)
    cdef void* made = NULL
    cdef void* pair
    cdef (void*)[2] types
    cdef const char** fields = [b"name", b"value"]
    if kind == "text":
        return text
    if kind in ("bool", "number", "digest"):
        made = api.create_type(BOOLEAN if kind == "bool" else UBIGINT if kind == "number" else BLOB)
    elif kind == "map" or kind == "texts":
        made = api.create_map_type(text, text) if kind == "map" else api.create_list_type(text)
    else:
        types[0] = types[1] = text
        pair = api.create_struct_type(types, fields, 2)
        made = api.create_list_type(pair)
        api.destroy_type(&pair)
    api.destroy_type(&text)
    return made


cdef void* type_of(object result) except NULL:
    cdef void* text
    cdef void* made = NULL
    cdef void** types
    cdef const char** fields
    cdef list texts
    cdef Py_ssize_t i
    if not isinstance(result, tuple):
        made = type_of_kind(result)
    else:
        texts = [(<str> each).encode() for each in result]
        types = <void**> malloc(len(texts) * sizeof(void*) + 1)
        fields = <const char**> malloc(len(texts) * sizeof(char*) + 1)
        text = api.create_type(VARCHAR)
        if types != NULL and fields != NULL and text != NULL:
            for i in range(len(texts)):
                types[i] = text
                fields[i] = <bytes> texts[i]
            made = api.create_struct_type(types, fields, len(texts))
        api.destroy_type(&text)
        free(types)
        free(fields)
    if made == NULL:
        raise MemoryError
    return made


# Loading.

# DuckDB drops a function.
cdef void release_function(void* call) noexcept nogil:
    if has_python():
        with gil:
            Py_DECREF(<object> (<Call*> call).function)


# The types are those of the columns. What is run is the same for all.
cdef int add_function(void* functions, Function self, tuple types) except -1:
    cdef void* function = api.create_function()
    cdef void* text = api.create_type(VARCHAR)
    cdef void* blob = api.create_type(BLOB)
    cdef void* result = NULL
    cdef bytes name = self.name.encode()
    cdef int failed
    if function == NULL or text == NULL or blob == NULL:
        raise MemoryError
    try:
        result = type_of(self.result)
        api.set_name(function, name)
        for type in types:
            api.add_parameter(function, blob if type == BLOB else text)
        if self.call.any_number:
            api.set_varargs(function, text)
        api.set_return_type(function, result)
        api.set_special_handling(function)
        Py_INCREF(self)
        api.set_extra_info(function, &self.call, release_function)
        api.set_function(function, run_call)
        failed = api.add_to_set(functions, function)
    finally:
        api.destroy_type(&result)
        api.destroy_type(&blob)
        api.destroy_type(&text)
        api.destroy_function(&function)
    if failed:
        raise RuntimeError(f"DuckDB refuses {self.name}")
    return 0


cdef int register_functions(void* connection, list functions) except -1:
    cdef Function function
    cdef bytes text
    cdef void* made
    cdef int failed
    for name in dict.fromkeys([(<Function> each).name for each in functions]):
        text = (<str> name).encode()
        made = api.create_set(text)
        if made == NULL:
            raise MemoryError
        try:
            for function in functions:
                if function.name != name:
                    continue
                # A NULL that is no base would fit two types.
                blobs = ("url",) if function.call.base_is_optional else ("url", "base")
                kinds = [[VARCHAR, BLOB][:2 if each in blobs else 1] for each in function.columns]
                for types in itertools.product(*kinds):
                    add_function(made, function, types)
            # Other threads of DuckDB may want the GIL and hold what this waits for.
            with nogil:
                failed = api.register_set(connection, made)
        finally:
            api.destroy_set(&made)
        if failed:
            raise RuntimeError(f"DuckDB does not register {name}")
    return 0


cdef int open_api(void* info, const Access* access) except -1:
    global api, has_api
    cdef const void* const* given
    cdef Api opened
    cdef int i = 0
    with nogil:
        given = <const void* const*> access.get_api(info, "v1.2.0")
    if given == NULL:
        raise RuntimeError("this DuckDB does not have version 1.2.0 of the C extension API")
    for place in PLACES:
        (<const void**> &opened)[i] = given[<int> place]
        i += 1
    if has_api and memcmp(&api, &opened, sizeof(Api)):
        raise RuntimeError("another DuckDB is loaded in this process")
    api = opened
    has_api = True
    return 0


# The functions of the register() that is at work, or None.
cdef list pending = None


cdef int load(void* info, const Access* access) noexcept with gil:
    global pending
    cdef void* connection = NULL
    cdef int failed
    cdef bytes text
    try:
        if pending is None:
            raise RuntimeError("only weburl.ext.duckdb.register() loads this")
        functions, pending = pending, None
        open_api(info, access)
        with nogil:
            failed = api.connect(access.get_database(info)[0], &connection)
        if failed:
            raise RuntimeError("DuckDB does not connect")
        try:
            register_functions(connection, functions)
        finally:
            with nogil:
                api.disconnect(&connection)
        return 1
    except BaseException as error:
        text = f"{type(error).__name__}: {error}".encode("utf-8", "replace")
        access.set_error(info, text)
        return 0

weburl_duckdb_load = load


def address():
    """Of the function that the copy calls."""
    return <uintptr_t> <void*> weburl_duckdb_load


def expect(functions):
    """Sets the functions that the next load registers; says whether those before were waiting still."""
    global pending
    cdef bint waited = pending is not None
    pending = None if functions is None else list(functions)
    return waited
