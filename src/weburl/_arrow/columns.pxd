from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from weburl._arrow.arrow cimport ViewOffset
from weburl._arrow.batch cimport Batch, ColumnBuffers, ColumnType
from weburl._arrow.input cimport RowText
from weburl._core.buffer cimport Buffer
from weburl._core.door cimport Door
from weburl._core.host cimport DomainToASCII
from weburl._core.parser cimport Parser, parse
from weburl._core.record cimport Record, URLView
from weburl._core.status cimport NEED_DOMAIN, NEED_ENCODE, RAISED, Status


cdef enum:
    BLOCK_ROWS = 64             # the bits of a word
    NULL_ROW = -2               # a Status of rows only


cdef extern from "rows.h":
    ctypedef struct ParsedRow:
        const uint8_t* href
        Py_ssize_t length
        Py_ssize_t arena        # where its text is in the arena, or -1
        int32_t buffer          # for views
        ViewOffset offset       # all of the href is within MAX_VIEW_OFFSET
        Status status           # or NULL_ROW
        Record record


# Rows that are parsed before their columns are written. Of a row that is not a URL, all parts are empty.
ctypedef struct Block:
    ParsedRow[BLOCK_ROWS] rows
    int count
    Py_ssize_t index            # among the blocks
    int64_t length              # of all texts: several rows can have the same one
    uint64_t ok                 # one bit a row
    uint64_t not_null
    const uint8_t* arena        # where the batch's arena was when the rows were settled
    bint has_slack              # SLACK bytes can be read after each text


# A domain, and the answer that Python has given for it.
ctypedef struct Memo:
    uint8_t* data               # the domain, then the answer
    Py_ssize_t length
    Py_ssize_t answer_length
    bint failed


# What one thread works with.
ctypedef struct Worker:
    Parser parser
    Parser base_parser
    URLView base
    Status base_status
    RowText base_text
    # What makes or writes texts uses these buffers, too, while they hold nothing else.
    Buffer text                 # of a row that must first become UTF-8
    uint8_t[512] text_scratch
    Buffer base_buffer          # the same for a base, or a text that a verb makes
    uint8_t[512] base_scratch
    Buffer result               # what is made from a text
    uint8_t[512] result_scratch
    PyObject* domains           # the job's
    Memo* memos                 # MEMOS of them and one for domains too long to keep; or NULL
    PyObject* encoding          # the job's
    (PyObject*)[3] error       # the exception that has stopped it, with its kind and its traceback, or NULL
    Block block
    int64_t work             # bytes read since the last check for signals
    # As in the job.
    bint views
    int64_t longest             # text that is not a part of its row
    bint utf8                   # queries are encoded as UTF-8
    bint host_only              # nothing after the port is read
    bint needs_text
    Door door
    bint has_door               # rows can take it
    int past_door               # so many blocks do not
    bint keeps_rows             # a row that comes in is as it stays
    void** states               # what the job's verbs have in this thread; the first is NULL, for none; or NULL
    void** opened               # those that are the worker's own
    int n_states


cdef void open_worker(Worker* self) noexcept
cdef void close_worker(Worker* self) noexcept

# The answer for a host parser that has stopped with NEED_DOMAIN. A thread that Python does not know cannot hold an
# exception, so the worker keeps it, and the status is NO_MEMORY.
cdef Status answer_domain(Worker* self, DomainToASCII* to_ascii) noexcept nogil

# Keeps the exception of this thread as what has stopped the worker, for a status of NO_MEMORY.
cdef void keep_error(Worker* self) noexcept

# Between rows that Python works on, in a thread that Python knows.
cdef int check_signals(const Worker* self) except -1

# Raises what has stopped the worker.
cdef int raise_error(Worker* self) except -1

# Answers what a parser has stopped for, and continues.
cdef Status answer_parser(Worker* self, Parser* parser, Status status) noexcept nogil


cdef inline Status run_parser(Worker* self, Parser* parser) noexcept nogil:
    cdef Status status = parse(parser)
    if status == NEED_DOMAIN or status == NEED_ENCODE:
        return answer_parser(self, parser, status)
    return status


# How much of a row a field needs.
cdef enum Reads:
    STATUS_ONLY         # whether it parses
    NO_TEXT             # what its host is
    TEXT_TO_PORT        # the text up to the port
    WHOLE_URL


# The functions of a verb get what open() has made of its arguments for their thread, or else what all threads share.

# Puts the worker's block of rows into a column; NO_MEMORY or OK.
ctypedef Status (*Writer)(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil
# Reads the worker's block of rows before any column of it is written; NO_MEMORY or OK.
ctypedef Status (*BlockReader)(void* state, Batch batch, Worker* worker) noexcept nogil
# Makes the text of a row, instead of parsing it; or changes the text of a row that is parsed. Columns of other verbs can
# then only have the row's status.
ctypedef Status (*RowMaker)(
    void* state, Worker* worker, Batch batch, const RowText* text, const URLView* base, ParsedRow* row
) except RAISED nogil
ctypedef Status (*RowChanger)(void* state, Worker* worker, Batch batch, ParsedRow* row) except RAISED nogil
# Makes the text of a row that does not parse: its status then, which is `status` if it has none.
ctypedef Status (*RowRescuer)(
    void* state, Worker* worker, Batch batch, const RowText* text, ParsedRow* row, Status status
) noexcept nogil
# NULL if memory runs out.
ctypedef void* (*OpenState)(const void* shared) noexcept nogil
# Takes a text instead of the only one among the arguments; the text stays where it is.
ctypedef void (*TextSetter)(void* state, const uint8_t* p, Py_ssize_t n) noexcept nogil


cdef class VerbState:
    cdef object kept            # what owns the shared arguments
    cdef const void* shared
    cdef OpenState open         # or NULL; its memory is freed
    cdef BlockReader read_block # or NULL
    cdef RowMaker make_row      # or NULL
    cdef uint8_t marker         # it leaves a text without this byte as it is; or 0
    cdef RowChanger change_row  # or NULL
    cdef RowRescuer rescue_row  # or NULL
    cdef TextSetter set_text    # or NULL
    cdef bint hides             # what it makes must not be a view, which would bring along the text of the input


cdef VerbState verb_state(object kept, const void* shared)


cdef class Field:
    cdef readonly str name
    cdef readonly bint is_default
    cdef readonly str doc
    cdef readonly bint has_nulls
    cdef readonly bint is_any_text
    cdef readonly bint needs_arguments
    cdef ColumnType type
    cdef Reads reads
    cdef Writer write
    cdef int part
    cdef int dictionary
    cdef VerbState state        # or None


cdef Field field(str name, ColumnType type, Reads reads, bint has_nulls, Writer write, str doc)

# A part of the row's text.
cdef Field component(str name, int part, Reads reads, bint has_nulls, str doc)

# Says that the field must be bound.
cdef Field by_default(Field self)
cdef Field with_arguments(Field self)

# A copy of the field, with arguments.
cdef Field bound(Field self, VerbState state)


# Copies short runs without a call, and reads nothing beyond them.
cdef inline void copy_bytes(uint8_t* to, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 16
    if n >= 16:
        if n > 256:
            memcpy(to, p, n)
            return
        memcpy(to, p, 16)
        while i < n - 16:
            memcpy(to + i, p + i, 16)
            i += 16
        memcpy(to + n - 16, p + n - 16, 16)
    elif n >= 8:
        memcpy(to, p, 8)
        memcpy(to + n - 8, p + n - 8, 8)
    elif n >= 4:
        memcpy(to, p, 4)
        memcpy(to + n - 4, p + n - 4, 4)
    elif n > 0:
        to[0] = p[0]
        to[n >> 1] = p[n >> 1]
        to[n - 1] = p[n - 1]


# Points rows to where their texts are in the arena, which moves when it grows.
cdef void settle(Batch batch, Block* block) noexcept nogil

# How much memory to reserve for the strings of a column, if those of the block take no more than its texts.
cdef int64_t expected_length(Batch batch, const ColumnBuffers* column, const Block* block) noexcept nogil

# Adds a text to a column of strings. If `row` is given, the text is part of its href.
cdef bint put_text(
    Batch batch, ColumnBuffers* column, const uint8_t* p, Py_ssize_t n, const ParsedRow* row
) noexcept nogil

# Adds a text to one of the columns of PAIRS, a MAP or LISTS, which grow.
cdef bint put_entry(Batch batch, ColumnBuffers* column, const uint8_t* p, Py_ssize_t n) noexcept nogil

# Adds nulls, until the column has so many entries.
cdef void put_nulls(ColumnBuffers* column, Py_ssize_t count) noexcept nogil

cdef void put_validity(ColumnBuffers* column, const Block* block, uint64_t valid) noexcept nogil

cdef inline void put_bits(uint8_t* bits, Py_ssize_t block, uint64_t word) noexcept nogil:
    cdef int k
    for k in range(8):
        bits[8 * block + k] = <uint8_t> (word >> 8 * k)

cdef inline int count_bits(uint64_t word) noexcept nogil:
    # By pairs, by fours, by bytes; the product's highest byte is the sum of all.
    word -= word >> 1 & <uint64_t> 0x5555555555555555
    word = (word & <uint64_t> 0x3333333333333333) + (word >> 2 & <uint64_t> 0x3333333333333333)
    word = (word + (word >> 4)) & <uint64_t> 0x0F0F0F0F0F0F0F0F
    return <int> (word * <uint64_t> 0x0101010101010101 >> 56)
