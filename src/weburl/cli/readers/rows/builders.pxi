# A part of text_column.pyx: builders of columns, to which readers of records push texts row by row; and the strings of
# JSON, which records/cells.pyx reads.

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr

from weburl._core.ascii cimport hex_value
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push, push_code_point, push_run, release, start
from weburl._core.percent cimport is_utf8, push_decoded

cdef enum:
    SCRATCH = 64                # bytes of a builder's first memory


cdef Builder* make_builders(int count, Py_ssize_t rows) except NULL:
    cdef Builder* builders = <Builder*> calloc(count + 1, sizeof(Builder))
    cdef int i
    if builders == NULL:
        raise MemoryError
    for i in range(count):
        start(&builders[i].data, <uint8_t*> malloc(SCRATCH), SCRATCH, PY_SSIZE_T_MAX)
        builders[i].capacity = rows
        builders[i].ends = <int64_t*> malloc((rows + 1) * sizeof(int64_t))
        builders[i].validity = <uint8_t*> calloc(rows // 8 + 1, 1)
        if builders[i].ends == NULL or builders[i].validity == NULL or builders[i].data.scratch == NULL:
            free_builders(builders, count)
            raise MemoryError
        builders[i].ends[0] = 0
    return builders


cdef void free_builders(Builder* builders, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        release(&builders[i].data)
        free(builders[i].data.scratch)
        free(builders[i].ends)
        free(builders[i].validity)
    free(builders)


cdef list columns_of(Builder* builders, int count):
    cdef TextColumn column
    cdef list columns = []
    cdef int i
    for i in range(count):
        if builders[i].data.status:
            raise MemoryError
        column = TextColumn.__new__(TextColumn)
        column.length = builders[i].length
        column.offsets = (<char*> builders[i].ends)[:(builders[i].length + 1) * sizeof(int64_t)]
        column.validity = (<char*> builders[i].validity)[:builders[i].length // 8 + 1]
        column.data = (<char*> builders[i].data.data)[:builders[i].data.length]
        columns.append(column)
    return columns


cdef void end_row(Builder* self, bint is_null) noexcept nogil:
    cdef Py_ssize_t row = self.length
    cdef int64_t begin = self.ends[row]
    cdef Py_ssize_t length = self.data.length - begin
    if is_null or self.data.status:
        self.data.length = begin
    else:
        self.validity[row >> 3] |= 1 << (row & 7)
        if length and not is_utf8(self.data.data + begin, length):
            decode_row(self, begin, length)
    self.length = row + 1
    self.ends[row + 1] = self.data.length


cdef void decode_row(Builder* self, int64_t begin, Py_ssize_t length) noexcept nogil:
    cdef uint8_t[256] memory
    cdef Buffer clean
    start(&clean, memory, sizeof(memory), PY_SSIZE_T_MAX)
    push_decoded(&clean, self.data.data + begin, length, True)
    self.data.length = begin
    push_run(&self.data, clean.data, clean.length)
    self.data.status = self.data.status or clean.status
    release(&clean)


cdef int hex4(const uint8_t* p) noexcept nogil:
    return hex_value(p[0]) << 12 | hex_value(p[1]) << 8 | hex_value(p[2]) << 4 | hex_value(p[3])


# The text of a string whose quotes are left out. A surrogate without its other half becomes U+FFFD.
cdef void push_string(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef const uint8_t* end = p + n
    cdef const uint8_t* escape
    cdef int code, low
    while True:
        escape = <const uint8_t*> memchr(p, c'\\', end - p)
        if escape == NULL:
            push_run(out, p, end - p)
            return
        push_run(out, p, escape - p)
        p = escape + 2
        if escape[1] == c'u':
            code = hex4(p)
            p += 4
            if 0xD800 <= code < 0xE000:
                low = hex4(p + 2) if code < 0xDC00 and end - p >= 6 and p[0] == c'\\' and p[1] == c'u' else 0
                if 0xDC00 <= low < 0xE000:
                    code = 0x10000 + ((code - 0xD800) << 10) + low - 0xDC00
                    p += 6
                else:
                    code = 0xFFFD
            push_code_point(out, code)
        elif escape[1] == c'b':
            push(out, 8)
        elif escape[1] == c'f':
            push(out, 12)
        elif escape[1] == c'n':
            push(out, 10)
        elif escape[1] == c'r':
            push(out, 13)
        elif escape[1] == c't':
            push(out, 9)
        else:
            push(out, escape[1])
