"""The memory of one thread, and the answers that its parsers need from Python."""

from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject
from cpython.ref cimport Py_XDECREF
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from weburl._core.ascii cimport SET_SPECIAL_QUERY
from weburl._core.buffer cimport push_run, release, start
from weburl._core.host cimport DomainToASCII
from weburl._core.parser cimport close_parser, open_parser
from weburl._core.percent cimport percent_encode_after_encoding, utf8_text
from weburl._core.status cimport NEED_DOMAIN, NEED_ENCODE, NO_MEMORY, OK, Status

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX
    void PyErr_Fetch(PyObject** kind, PyObject** value, PyObject** traceback) noexcept
    void PyErr_Restore(PyObject* kind, PyObject* value, PyObject* traceback) noexcept

cdef enum:
    DOMAINS = 1 << 16           # the most domains that are kept with their answers
    MEMOS = 1024
    MEMO_SIZE = 256


cdef void open_worker(Worker* self) noexcept:
    self.base_status = OK
    self.base_text.data = NULL
    start(&self.text, self.text_scratch, sizeof(self.text_scratch), PY_SSIZE_T_MAX)
    start(&self.base_buffer, self.base_scratch, sizeof(self.base_scratch), PY_SSIZE_T_MAX)
    start(&self.result, self.result_scratch, sizeof(self.result_scratch), PY_SSIZE_T_MAX)
    self.memos = NULL
    self.states = NULL
    memset(self.error, 0, sizeof(self.error))
    self.work = 0
    self.block.index = 0
    # So that they can be closed.
    open_parser(&self.base_parser, NULL, 0, NULL, True)
    open_parser(&self.parser, NULL, 0, NULL, True)


cdef void close_worker(Worker* self) noexcept:
    cdef int i
    release(&self.text)
    release(&self.base_buffer)
    release(&self.result)
    close_parser(&self.base_parser)
    close_parser(&self.parser)
    drop_error(self)
    if self.states != NULL:
        for i in range(self.n_states):
            free(self.opened[i])
        free(self.states)
    if self.memos != NULL:
        for i in range(MEMOS + 1):
            free(self.memos[i].data)
        free(self.memos)


cdef Status answer_domain(Worker* self, DomainToASCII* to_ascii) noexcept nogil:
    cdef const uint8_t* p = to_ascii.domain.data
    cdef Py_ssize_t n = to_ascii.domain.length, i
    cdef uint32_t hash = 2166136261
    cdef Memo* memo
    if self.memos == NULL:
        self.memos = <Memo*> calloc(MEMOS + 1, sizeof(Memo))
        if self.memos == NULL:
            return NO_MEMORY
    memo = self.memos + MEMOS
    if n <= MEMO_SIZE:
        for i in range(n):
            hash = (hash ^ p[i]) * 16777619
        memo = self.memos + (hash ^ hash >> 16) % MEMOS
        if memo.data != NULL and memo.length == n and memcmp(memo.data, p, n) == 0:
            use_memo(memo, to_ascii)
            return OK
    # Python takes a hundred times as long as the parser, so signals are checked here.
    with gil:
        if (<Fill> fill_memo)(self, memo, p, n):
            keep_error(self)
            return NO_MEMORY
    use_memo(memo, to_ascii)
    return OK


# To catch an exception takes memory: where that is what lacks, `except` would lose it. So what raises is called as if it
# did not, and its exception is taken from the thread.
ctypedef int (*Fill)(Worker*, Memo*, const uint8_t*, Py_ssize_t) noexcept
ctypedef int (*Answer)(Worker*, Parser*) noexcept


cdef void keep_error(Worker* self) noexcept:
    drop_error(self)
    PyErr_Fetch(&self.error[0], &self.error[1], &self.error[2])


cdef void drop_error(Worker* self) noexcept:
    cdef int i
    for i in range(3):
        Py_XDECREF(self.error[i])
        self.error[i] = NULL


cdef int raise_error(Worker* self) except -1:
    if self.error[0] == NULL:
        raise MemoryError
    # It takes the references.
    PyErr_Restore(self.error[0], self.error[1], self.error[2])
    memset(self.error, 0, sizeof(self.error))
    return -1


cdef void use_memo(const Memo* memo, DomainToASCII* to_ascii) noexcept nogil:
    to_ascii.failed = memo.failed
    to_ascii.answer = memo.data + memo.length
    to_ascii.answer_length = memo.answer_length


cdef int fill_memo(Worker* self, Memo* memo, const uint8_t* p, Py_ssize_t n) except -1:
    cdef dict domains = <dict> self.domains
    if self.work >= 0:
        PyErr_CheckSignals()
    from weburl._unicode.idna import cached_domain_to_ascii

    domain = utf8_text(p, n)
    if domain in domains:
        answer = domains[domain]
    else:
        answer = cached_domain_to_ascii(domain)
        if n <= MEMO_SIZE and len(domains) < DOMAINS:
            domains[domain] = answer
    cdef bytes text = b"" if answer is None else (<str> answer).encode()
    cdef uint8_t* data = <uint8_t*> malloc(n + len(text) + 1)
    if data == NULL:
        raise MemoryError
    memcpy(data, p, n)
    memcpy(data + n, <const char*> text, len(text))
    free(memo.data)
    memo.data = data
    memo.length = n
    memo.answer_length = len(text)
    memo.failed = answer is None
    return 0


# The answer is in the worker's result, which nothing else uses until the parser ends.
cdef int answer_encode(Worker* self, Parser* parser) except -1:
    PyErr_CheckSignals()
    text = utf8_text(parser.input + parser.pointer, parser.query_end - parser.pointer)
    cdef bytes query = percent_encode_after_encoding(<object> self.encoding, text, SET_SPECIAL_QUERY)
    self.result.length = 0
    push_run(&self.result, <const uint8_t*> <const char*> query, len(query))
    if self.result.status:
        raise MemoryError
    parser.query = self.result.data
    parser.query_length = self.result.length
    return 0


cdef Status answer_parser(Worker* self, Parser* parser, Status status) noexcept nogil:
    while status == NEED_DOMAIN or status == NEED_ENCODE:
        if status == NEED_DOMAIN:
            status = answer_domain(self, &parser.to_ascii)
            if status:
                return status
        else:
            with gil:
                if (<Answer> answer_encode)(self, parser):
                    keep_error(self)
                    return NO_MEMORY
        status = parse(parser)
    return status
