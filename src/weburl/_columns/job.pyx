"""Columns of URLs: rows in, parsed by the hot core without the GIL, columns out."""

from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr, memcmp, memcpy, memset

from weburl._columns.arrow cimport MAX_VIEW_LENGTH, MAX_VIEW_OFFSET, WINDOW_BITS, ViewOffset
from weburl._columns.batch cimport (
    BITS, CODES, DIGESTS, ERROR_NAMES, HOST_TYPES, NUMBERS, PAIRS, STRING_VIEWS, STRINGS, Batch, Column, add_input,
    finish, open_column, push_arena,
)
from weburl._columns.columns cimport (
    BLOCK, ERROR, FINGERPRINT, HOST_TYPE, NULL_ROW, ORIGIN, PUBLIC_SUFFIX, QUERY_GET, QUERY_PAIRS, SITE, VALID, Block,
    Row, count_bits, put_bits, put_column, put_text, settle,
)
from weburl._columns.crawl_columns cimport put_crawl_column
from weburl._columns.input cimport ROWS_OBJECTS, Input, Reader, RowText, open_reader, read_row
from weburl._core.ascii cimport SET_SPECIAL_QUERY, is_ascii
from weburl._core.buffer cimport Buffer, is_kept, push_run, release, start
from weburl._core.host cimport DomainToASCII
from weburl._core.parser cimport Parser, close_parser, open_parser, parse
from weburl._core.percent cimport (
    is_utf8, percent_decode, percent_encode_after_encoding, push_decoded, usv_text, utf8_text,
)
from weburl._core.record cimport (
    FRAGMENT, HASH, HOST, HOSTNAME, HREF, PASSWORD, PATH_ORIGIN, PATHNAME, PORT, PROTOCOL, QUERY, SCHEME, SEARCH,
    TUPLE_ORIGIN, USERNAME, OriginKind, Record, Span, URLView, has_credentials, has_http_scheme, origin_kind, push_origin,
    span,
)
from weburl._core.scalar cimport output_encoding
from weburl._core.status cimport BASE, IGNORED, NEED_DOMAIN, NEED_ENCODE, NO_MEMORY, OK, RAISED, TOO_LONG, Status
from weburl._crawl.canonical cimport SURT, WHATWG, Policy, Rules, policy_in_use, push_canonical, push_url_of_surt
from weburl._hosts.suffixes cimport PublicSuffixList, list_in_use

from weburl._columns.batch import DICTIONARIES

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

FIELDS = {
    "href": HREF, "protocol": PROTOCOL, "scheme": SCHEME, "username": USERNAME, "password": PASSWORD, "host": HOST,
    "hostname": HOSTNAME, "port": PORT, "pathname": PATHNAME, "search": SEARCH, "hash": HASH, "query": QUERY,
    "fragment": FRAGMENT, "origin": ORIGIN, "host_type": HOST_TYPE, "error": ERROR,
}  # fmt: skip
# Those that need a list.
SITE_FIELDS = {"site": SITE, "public_suffix": PUBLIC_SUFFIX}
OTHER_FIELDS = {
    "valid": VALID, "query_get": QUERY_GET, "query_pairs": QUERY_PAIRS, "decoded": HREF, "canonical": HREF,
    "fingerprint": FINGERPRINT,
}  # fmt: skip
cdef dict ALL_FIELDS = {**FIELDS, **SITE_FIELDS, **OTHER_FIELDS}

cdef enum:
    BETWEEN_SIGNALS = 1 << 19       # bytes of input
    DOMAINS = 1 << 16               # that are kept with their answers
    MEMOS = 1024
    MEMO_SIZE = 256
    NOT_UTF8 = IGNORED              # a failure that URLs do not have, for one that rows do not have


cdef enum DecodeErrors:
    REPLACE
    STRICT
    IGNORE

DECODE_ERRORS = {"replace": REPLACE, "strict": STRICT, "ignore": IGNORE}

HOST_FIELDS = frozenset(
    (PROTOCOL, SCHEME, USERNAME, PASSWORD, HOST, HOSTNAME, PORT, ORIGIN, HOST_TYPE, ERROR, VALID, SITE, PUBLIC_SUFFIX)
)


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
    Buffer text
    uint8_t[512] text_scratch
    Buffer base_buffer
    uint8_t[512] base_scratch
    Buffer piece
    uint8_t[512] piece_scratch
    PyObject* domains           # the job's
    Memo* memos                 # MEMOS of them, and one for a domain that is too long to be kept; or NULL
    PyObject* encoding          # the job's
    Block block
    Py_ssize_t work             # bytes read since signals were looked for


# What is done with each row.
cdef class Job:
    cdef tuple fields           # their names
    cdef bint is_struct
    cdef bint views
    cdef bint host_only
    cdef bint needs_text
    cdef bint decodes
    cdef DecodeErrors decode_errors
    cdef bytes base_href        # or None
    cdef bint has_base
    cdef URLView base
    cdef bytes key
    cdef const uint8_t* key_data
    cdef Py_ssize_t key_length
    cdef object encoding        # of the queries, where that is not UTF-8; else None
    cdef bint utf8
    cdef Policy policy          # of the canonical forms that are made of the rows, or None
    cdef const Rules* rules     # the policy's, or NULL
    cdef int bits               # of fingerprints
    cdef PublicSuffixList psl   # or None
    cdef dict domains           # the answers for all threads; the memos save a thread the GIL
    cdef public bint cancelled

    def __init__(
        self, tuple fields not None, *, bint is_struct=False, bint views=False, str base=None, str key=None,
        str decode_errors=None, encoding="utf-8", policy=None, int bits=64, psl=None,
    ):
        ids = {ALL_FIELDS[name] for name in fields}
        self.domains = {}
        self.fields = fields
        self.is_struct = is_struct
        self.views = views
        self.host_only = ids <= HOST_FIELDS
        self.needs_text = not ids <= {HOST_TYPE, ERROR, VALID}
        self.decodes = decode_errors is not None
        if self.decodes != (fields == ("decoded",)):
            raise ValueError("decoded texts have no other columns")
        if self.decodes:
            self.decode_errors = DECODE_ERRORS[decode_errors]
        if key is not None:
            self.key = usv_text(key).encode()
            self.key_data = <const uint8_t*> <const char*> self.key
            self.key_length = len(self.key)
        self.encoding = None if encoding == "utf-8" else output_encoding(encoding)
        self.utf8 = self.encoding is None
        if policy is not None:
            self.policy = policy_in_use(policy)
            # Without one, the rows' texts are that form already.
            if self.policy.rules.kind != WHATWG:
                self.rules = &self.policy.rules
        self.bits = bits
        if psl is not None or not ids.isdisjoint(SITE_FIELDS.values()):
            self.psl = list_in_use(psl)
        if base is not None:
            set_base(self, usv_text(base).encode())

    def run(self, Input rows not None, Py_ssize_t begin, Py_ssize_t end, Input bases=None, Py_ssize_t bases_begin=0):
        """The columns of the rows (of lines: of the bytes) from begin to end; None where the job was cancelled."""
        cdef Batch batch = Batch.__new__(Batch)
        cdef Worker* worker = <Worker*> malloc(sizeof(Worker))
        cdef Reader reader, base_reader
        cdef Py_ssize_t[NOT_UTF8 + 1] failures
        cdef int status
        if worker == NULL:
            raise MemoryError
        memset(failures, 0, sizeof(failures))
        open_worker(worker, self)
        try:
            with nogil:
                open_reader(&reader, &rows.rows, begin, end)
                batch.length = reader.left
                if bases is not None:
                    open_reader(&base_reader, &bases.rows, bases_begin, bases_begin + batch.length)
            open_batch(self, batch, rows, &reader)
            with nogil:
                run_rows(self, worker, &reader, NULL if bases is None else &base_reader, batch, failures)
        finally:
            close_worker(worker)
            free(worker)
        if self.cancelled:
            return None
        finish(batch, self.views)
        names = DICTIONARIES[ERROR_NAMES]
        batch.errors = {names[status - 1]: failures[status] for status in range(1, NOT_UTF8 + 1) if failures[status]}
        batch.first_error = names[failures[0] - 1] if batch.first_failed >= 0 else None
        return batch

    def row_text(self, Input rows not None, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t row):
        """What stands in a row of those, or None."""
        if rows.rows.kind == ROWS_OBJECTS:
            given = rows.objects[begin + row]
            return None if given is None else str.__str__(given)
        cdef Reader reader
        cdef RowText text
        cdef Buffer buffer
        cdef uint8_t[64] scratch
        start(&buffer, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
        open_reader(&reader, &rows.rows, begin, end)
        try:
            for _ in range(row + 1):
                if not read_row(&reader, &text, &buffer):
                    raise IndexError(row)
            return None if text.data == NULL else utf8_text(text.data, text.length)
        finally:
            release(&buffer)


cdef int set_base(Job self, bytes text) except -1:
    cdef Worker worker
    open_worker(&worker, self)
    try:
        open_parser(&worker.parser, <const uint8_t*> <const char*> text, len(text), NULL, True)
        if run_parser(&worker, &worker.parser):
            raise ValueError("the base is no URL")
        self.base_href = worker.parser.out.data[:worker.parser.out.length]
        self.base.href = <const uint8_t*> <const char*> self.base_href
        self.base.length = len(self.base_href)
        self.base.record = worker.parser.record
        self.has_base = True
    finally:
        close_worker(&worker)
    return 0


# Answers.

cdef Status answer_domain(Worker* self, DomainToASCII* to_ascii) except RAISED nogil:
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
    # What is done in Python takes a hundred times as long as the parser.
    with gil:
        PyErr_CheckSignals()
        fill_memo(memo, <dict> self.domains, p, n)
    use_memo(memo, to_ascii)
    return OK


cdef void use_memo(const Memo* memo, DomainToASCII* to_ascii) noexcept nogil:
    to_ascii.failed = memo.failed
    to_ascii.answer = memo.data + memo.length
    to_ascii.answer_length = memo.answer_length


cdef int fill_memo(Memo* memo, dict domains, const uint8_t* p, Py_ssize_t n) except -1:
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


# The answer stands in the worker's piece, which nobody else needs meanwhile.
cdef int answer_encode(Worker* self, Parser* parser) except -1:
    text = utf8_text(parser.input + parser.pointer, parser.query_end - parser.pointer)
    cdef bytes query = percent_encode_after_encoding(<object> self.encoding, text, SET_SPECIAL_QUERY)
    self.piece.length = 0
    push_run(&self.piece, <const uint8_t*> <const char*> query, len(query))
    if self.piece.status:
        raise MemoryError
    parser.query = self.piece.data
    parser.query_length = self.piece.length
    return 0


cdef Status run_parser(Worker* self, Parser* parser) except RAISED nogil:
    cdef Status status = parse(parser)
    while status == NEED_DOMAIN or status == NEED_ENCODE:
        if status == NEED_DOMAIN:
            status = answer_domain(self, &parser.to_ascii)
            if status:
                break
        else:
            with gil:
                PyErr_CheckSignals()
                answer_encode(self, parser)
        status = parse(parser)
    if status == NO_MEMORY:
        with gil:
            raise MemoryError
    return status


# Blocks of rows.

# The record of what was parsed, and where its text is.
cdef Status keep_row(Job job, Batch batch, const RowText* text, const Parser* parser, Row* row) except RAISED nogil:
    row.record = parser.record
    row.length = parser.out.length
    row.arena = -1
    row.href = parser.out.data
    if not job.needs_text:
        return OK
    if is_kept(&parser.out) and parser.stripped == NULL and stays(job, text, parser.out.data, row):
        return OK
    return move_row(job, batch, parser.out.data, row)


# Whether a row's text can stay where it is in the input; for views, where that is. A buffer of the input can be longer
# than a view's offset can say.
cdef bint stays(Job job, const RowText* text, const uint8_t* p, Row* row) noexcept nogil:
    cdef Py_ssize_t place, offset
    if not job.views:
        return text.stable
    if not text.in_input or row.length > MAX_VIEW_LENGTH:
        return False
    place = text.offset + (p - text.data)
    offset = place - (place >> text.window_bits << text.window_bits)
    if offset > MAX_VIEW_OFFSET - row.length:
        return False
    row.buffer = text.buffer + <int32_t> (place >> text.window_bits)
    row.offset = <ViewOffset> offset
    return True


# Puts a row's text into the arena; views have a limit of their own.
cdef Status move_row(Job job, Batch batch, const uint8_t* p, Row* row) except RAISED nogil:
    if job.views and row.length > MAX_VIEW_LENGTH:
        return TOO_LONG
    row.arena = batch.arena_length
    row.buffer = <int32_t> (batch.n_view_buffers + (row.arena >> WINDOW_BITS))
    row.offset = <ViewOffset> (row.arena & ((1 << WINDOW_BITS) - 1))
    if not push_arena(batch, p, row.length):
        with gil:
            raise MemoryError
    return OK


# The URL of a SURT into the base's parser, where no row has a base of its own; false where a text is none.
cdef bint parse_surt(Worker* self, const uint8_t* p, Py_ssize_t n) except -1 nogil:
    self.base_buffer.length = 0
    if not (is_ascii(p, n) and push_url_of_surt(&self.base_buffer, p, n)):
        return False
    if self.base_buffer.status:
        with gil:
            raise MemoryError
    close_parser(&self.base_parser)
    open_parser(&self.base_parser, self.base_buffer.data, self.base_buffer.length, NULL, True)
    return run_parser(self, &self.base_parser) == OK


# The canonical form of a row, under a policy of which it is not the serialization.
cdef Status canonicalize_row(
    Job job, Worker* self, Batch batch, const RowText* text, const URLView* base, Row* row
) except RAISED nogil:
    cdef Parser* parser = &self.parser
    cdef URLView url
    cdef bint surt = job.rules.kind == SURT
    cdef Status status
    if surt and base == NULL and parse_surt(self, text.data, text.length):
        parser = &self.base_parser
    else:
        open_parser(parser, text.data, text.length, base, job.utf8)
        status = run_parser(self, parser)
        if status:
            return status
        if surt and parse_surt(self, parser.out.data, parser.out.length):
            parser = &self.base_parser
    url.href = parser.out.data
    url.length = parser.out.length
    url.record = parser.record
    self.piece.length = 0
    push_canonical(&self.piece, &url, job.rules)
    if self.piece.status:
        with gil:
            raise MemoryError
    row.length = self.piece.length
    return move_row(job, batch, self.piece.data, row)


# The text of a row, percent-decoded.
cdef Status decode_row(Job job, Worker* self, Batch batch, const RowText* text, Row* row) except RAISED nogil:
    cdef const uint8_t* p = text.data
    row.length = text.length
    row.href = p
    row.arena = -1
    if memchr(p, c'%', text.length) == NULL and stays(job, text, p, row):
        return OK
    self.piece.length = 0
    percent_decode(&self.piece, p, text.length, False)
    p = self.piece.data
    row.length = self.piece.length
    if self.piece.status == OK and not is_ascii(p, row.length) and not is_utf8(p, row.length):
        if job.decode_errors == STRICT:
            return <Status> NOT_UTF8
        self.base_buffer.length = 0
        push_decoded(&self.base_buffer, p, row.length, job.decode_errors == REPLACE)
        p = self.base_buffer.data
        row.length = self.base_buffer.length
    if self.piece.status or self.base_buffer.status:
        with gil:
            raise MemoryError
    return move_row(job, batch, p, row)


# The base of a row; NULL_ROW where it is null.
cdef int next_base(Worker* self, Reader* reader) except -1 nogil:
    cdef RowText text
    cdef const uint8_t* before = self.base_text.data
    read_row(reader, &text, &self.base_buffer)
    if text.data == NULL:
        return NULL_ROW
    # Bases often come in runs.
    if before != NULL and text.length == self.base_text.length and memcmp(text.data, before, text.length) == 0:
        return self.base_status
    close_parser(&self.base_parser)
    self.base_text = text
    if text.data == self.base_buffer.data:
        # What comes next overwrites it.
        self.base_text.data = NULL
    open_parser(&self.base_parser, text.data, text.length, NULL, True)
    self.base_status = run_parser(self, &self.base_parser)
    self.base.href = self.base_parser.out.data
    self.base.length = self.base_parser.out.length
    self.base.record = self.base_parser.record
    return self.base_status


# Reads and parses the next rows; how many, or 0 at the end.
cdef int read_block(Job job, Worker* self, Reader* reader, Reader* bases, Batch batch) except -1 nogil:
    cdef Block* block = &self.block
    cdef RowText text
    cdef Row* row
    cdef const URLView* base = &self.base if job.has_base else NULL
    cdef uint64_t bit = 1
    cdef int status = OK
    block.count = 0
    block.ok = block.not_null = 0
    block.length = 0
    if not job.views:
        batch.arena_length = 0
    while block.count < BLOCK and not job.cancelled and read_row(reader, &text, &self.text):
        if self.work > BETWEEN_SIGNALS:
            self.work = 0
            with gil:
                PyErr_CheckSignals()
        row = &block.rows[block.count]
        row.length = 0
        if bases != NULL:
            status = next_base(self, bases)
            base = &self.base
        if self.text.status or self.base_buffer.status:
            with gil:
                raise MemoryError
        if text.data == NULL or status == NULL_ROW:
            row.status = TOO_LONG if text.too_long else <Status> NULL_ROW
        elif status:
            row.status = BASE
        elif job.decodes:
            row.status = decode_row(job, self, batch, &text, row)
        elif job.rules != NULL:
            row.status = canonicalize_row(job, self, batch, &text, base, row)
            close_parser(&self.parser)
        else:
            open_parser(&self.parser, text.data, text.length, base, job.utf8)
            self.parser.host_only = job.host_only
            row.status = run_parser(self, &self.parser)
            if row.status == OK:
                row.status = keep_row(job, batch, &text, &self.parser, row)
            close_parser(&self.parser)
        if row.status == OK:
            block.ok |= bit
            block.length += row.length
        if <int> row.status != NULL_ROW:
            block.not_null |= bit
            self.work += text.length
        bit <<= 1
        block.count += 1
    block.arena = NULL
    return block.count


# Columns.

# https://url.spec.whatwg.org/#concept-url-origin, serialized
cdef Status put_origins(Batch batch, Column* column, Worker* self) except RAISED nogil:
    cdef Parser* inner = &self.parser
    cdef const Row* row
    cdef OriginKind kind
    cdef Span s
    cdef int i
    cdef bint done
    for i in range(self.block.count):
        settle(batch, &self.block)
        row = &self.block.rows[i]
        if not self.block.ok >> i & 1:
            done = put_text(batch, column, NULL, 0, NULL)
        else:
            kind = origin_kind(row.href, &row.record)
            if kind == TUPLE_ORIGIN:
                done = put_tuple_origin(batch, column, self, row.href, row.length, &row.record, row)
            elif kind == PATH_ORIGIN:
                s = span(&row.record, row.length, PATHNAME)
                open_parser(inner, row.href + s.start, s.end - s.start, NULL, True)
                if run_parser(self, inner) == OK and has_http_scheme(&inner.record):
                    done = put_tuple_origin(batch, column, self, inner.out.data, inner.out.length, &inner.record, NULL)
                else:
                    done = put_text(batch, column, <const uint8_t*> b"null", 4, NULL)
                close_parser(inner)
            else:
                done = put_text(batch, column, <const uint8_t*> b"null", 4, NULL)
        if not done:
            with gil:
                raise MemoryError
    return OK


cdef bint put_tuple_origin(
    Batch batch, Column* column, Worker* self, const uint8_t* href, Py_ssize_t length, const Record* record,
    const Row* row,
) noexcept nogil:
    cdef Buffer* out = &self.piece
    if row != NULL and not has_credentials(record):
        return put_text(batch, column, href, span(record, length, HOST).end, row)
    # The parser may have kept it in the arena, which is to grow.
    out.length = 0
    push_origin(out, href, length, record)
    return out.status == OK and put_text(batch, column, out.data, out.length, NULL)


# Runs.

cdef void open_worker(Worker* self, Job job) noexcept:
    self.base = job.base
    self.base_status = OK
    self.base_text.data = NULL
    start(&self.text, self.text_scratch, sizeof(self.text_scratch), PY_SSIZE_T_MAX)
    start(&self.base_buffer, self.base_scratch, sizeof(self.base_scratch), PY_SSIZE_T_MAX)
    start(&self.piece, self.piece_scratch, sizeof(self.piece_scratch), PY_SSIZE_T_MAX)
    self.domains = <PyObject*> job.domains
    self.memos = NULL
    self.work = 0
    self.block.index = 0
    self.block.decoder.octets = &self.text
    self.block.decoder.text = &self.piece
    self.block.key = job.key_data
    self.block.key_length = job.key_length
    self.block.suffixes = NULL if job.psl is None else &job.psl.suffixes
    self.block.bits = job.bits
    self.encoding = <PyObject*> job.encoding
    # So that they can be closed.
    open_parser(&self.base_parser, NULL, 0, NULL, True)
    open_parser(&self.parser, NULL, 0, NULL, True)


cdef void close_worker(Worker* self) noexcept:
    cdef int i
    release(&self.text)
    release(&self.base_buffer)
    release(&self.piece)
    close_parser(&self.base_parser)
    close_parser(&self.parser)
    if self.memos != NULL:
        for i in range(MEMOS + 1):
            free(self.memos[i].data)
        free(self.memos)


cdef int open_batch(Job job, Batch batch, Input rows, const Reader* reader) except -1:
    strings = STRING_VIEWS if job.views else STRINGS
    batch.first_failed = -1
    batch.names = job.fields
    batch.is_struct = job.is_struct
    batch.columns = <Column*> calloc(3 * len(job.fields), sizeof(Column))
    batch.validity = <uint8_t*> malloc((batch.length + 63) // 64 * 8 + 8)
    if batch.columns == NULL or batch.validity == NULL:
        raise MemoryError
    for name in job.fields:
        field = ALL_FIELDS[name]
        type = strings
        if field == HOST_TYPE or field == ERROR:
            type = CODES
        elif field == VALID:
            type = BITS
        elif field == QUERY_PAIRS:
            type = PAIRS
        elif field == FINGERPRINT:
            type = DIGESTS if job.bits > 64 else NUMBERS
        batch.n_columns += 1
        has_nulls = type == CODES or field in (VALID, QUERY, FRAGMENT, QUERY_GET, SITE, PUBLIC_SUFFIX)
        open_column(&batch.columns[batch.n_columns - 1], type, field, batch.length, has_nulls)
        if type == CODES:
            batch.columns[batch.n_columns - 1].dictionary = ERROR_NAMES if field == ERROR else HOST_TYPES
        elif type == PAIRS:
            for _ in range(2):
                batch.n_columns += 1
                open_column(&batch.columns[batch.n_columns - 1], STRINGS, QUERY_PAIRS, 0, False)
    if job.views:
        add_input(batch, rows, reader)
    return 0


cdef int run_rows(
    Job job, Worker* worker, Reader* reader, Reader* bases, Batch batch, Py_ssize_t* failures
) except -1 nogil:
    cdef Block* block = &worker.block
    cdef Column* column
    cdef int i, status
    cdef Py_ssize_t rows = 0
    while not job.cancelled and read_block(job, worker, reader, bases, batch):
        rows += block.count
        for i in range(block.count):
            status = block.rows[i].status
            if status > OK:
                failures[status] += 1
                if batch.first_failed < 0:
                    batch.first_failed = BLOCK * block.index + i
                    failures[0] = status
        put_bits(batch.validity, block.index, block.ok)
        batch.null_count += block.count - count_bits(block.ok)
        i = 0
        while i < batch.n_columns:
            column = &batch.columns[i]
            if column.field == ORIGIN:
                put_origins(batch, column, worker)
            elif not (
                put_crawl_column(batch, column, block) if column.field >= SITE else put_column(batch, column, block)
            ):
                with gil:
                    raise MemoryError
            i += 3 if column.type == PAIRS else 1
        block.index += 1
    batch.length = rows
    return 0
