from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from weburl._arrow.arrow cimport ViewOffset
from weburl._arrow.input cimport RowText
from weburl._core.buffer cimport Buffer
from weburl._core.host cimport DomainToASCII
from weburl._core.parser cimport Parser, parse
from weburl._core.record cimport Record, URLView
from weburl._core.status cimport NEED_DOMAIN, NEED_ENCODE, Status


cdef enum:
    BLOCK_ROWS = 64             # the bits of a word
    NULL_ROW = -2               # a Status of rows only


ctypedef struct ParsedRow:
    const uint8_t* href
    Py_ssize_t length
    Py_ssize_t arena            # where its text is in the arena, or -1
    int32_t buffer              # for views
    ViewOffset offset           # all of the href is within MAX_VIEW_OFFSET
    Status status               # or NULL_ROW
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
    Buffer base_buffer          # the same for a base, and the URL of a SURT
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
    void** states               # what the job's verbs have in this thread; the first is NULL, for none; or NULL
    void** opened               # those that are the worker's own
    int n_states


cdef void open_worker(Worker* self) noexcept
cdef void close_worker(Worker* self) noexcept

# The answer for a host parser that has stopped with NEED_DOMAIN. A thread that Python does not know cannot hold an
# exception, so the worker keeps it, and the status is NO_MEMORY.
cdef Status answer_domain(Worker* self, DomainToASCII* to_ascii) noexcept nogil

# Raises what has stopped the worker.
cdef int raise_error(Worker* self) except -1

# Answers what a parser has stopped for, and continues.
cdef Status answer_parser(Worker* self, Parser* parser, Status status) noexcept nogil


cdef inline Status run_parser(Worker* self, Parser* parser) noexcept nogil:
    cdef Status status = parse(parser)
    if status == NEED_DOMAIN or status == NEED_ENCODE:
        return answer_parser(self, parser, status)
    return status
