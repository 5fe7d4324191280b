"""Columns of URLs: rows in, parsed by the hot core without the GIL, columns out."""

from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr, memcmp, memset

from weburl._arrow.arrow cimport MAX_VIEW_LENGTH, MAX_VIEW_OFFSET, WINDOW_BITS, ViewOffset
from weburl._arrow.batch cimport (
    DIGESTS, ERROR_NAMES, NUMBERS, SLACK, STRING_VIEWS, STRINGS, Batch, ColumnBuffers, add_input, finish, open_column,
    places_of, push_arena,
)
from weburl._columns.columns cimport Writer, count_bits, find_values, match_block, put_bits
from weburl._columns.fields cimport NO_TEXT, WHOLE_URL, Field
from weburl._arrow.input cimport ROWS_OBJECTS, Input, RowReader, Rows, RowText, next_row, open_reader, read_row
from weburl._columns.matches cimport Matches, Matching
from weburl._columns.worker cimport (
    BLOCK_ROWS, NULL_ROW, Block, ParsedRow, Worker, close_worker, open_worker, raise_error, run_parser,
)
from weburl._core.ascii cimport is_ascii
from weburl._core.buffer cimport Buffer, is_kept, release, start
from weburl._core.door cimport enter, open_at
from weburl._core.parser cimport PATH_END_STATE, Parser, State, close_parser, open_parser
from weburl._core.percent cimport is_utf8, percent_decode, push_decoded, usv_text, utf8_text
from weburl._core.record cimport Record, Span, URLView, clear_record
from weburl._core.scalar cimport output_encoding
from weburl._core.status cimport BASE, IGNORED, NO_MEMORY, OK, RAISED, TOO_LONG, Status
from weburl._core.urlencoded cimport QueryKeys, set_only_key
from weburl._crawl.canonical cimport push_canonical
from weburl._crawl.policy cimport WHATWG, Policy, Rules, policy_in_use
from weburl._crawl.surt cimport parse_under
from weburl._redact.forms cimport KINDS, Names
from weburl._redact.redact cimport LogPolicy, log_policy_in_use, redact_url
from weburl._redact.templates cimport push_template, rules_in_use
from weburl._hosts.matching cimport HostPatterns
from weburl._hosts.suffixes cimport PublicSuffixList, list_in_use

from weburl._arrow.batch import DICTIONARIES
from weburl._columns.fields import FIELDS
from weburl._redact.secrets import KINDS as KIND_NAMES

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef enum:
    BETWEEN_SIGNALS = 1 << 19       # bytes of input
    STOPPED = -2
    NOT_UTF8 = IGNORED              # a row never fails with IGNORED, so its number means invalid-UTF-8 here


cdef const uint8_t[SLACK] EMPTY


cdef enum DecodeErrors:
    REPLACE
    STRICT
    IGNORE

DECODE_ERRORS = {"replace": REPLACE, "strict": STRICT, "ignore": IGNORE}


# The work for each row: which columns it gives, and the arguments for them.
cdef class Job:
    cdef tuple names            # of the columns
    cdef tuple fields
    cdef Writer* writers        # one for each field
    cdef int n_fields
    cdef bint is_struct
    cdef bint views
    cdef bint host_only
    cdef bint needs_text
    cdef bint needs_list
    cdef bint decodes
    cdef DecodeErrors decode_errors
    cdef bytes base_href        # or None
    cdef bint has_base
    cdef URLView base
    cdef QueryKeys keys         # or None
    cdef object encoding        # of the queries, if that is not UTF-8; else None
    cdef bint utf8
    cdef Policy policy          # of the canonical forms, or None
    cdef const Rules* rules     # the policy's, or NULL
    cdef int bits               # of fingerprints
    cdef LogPolicy redaction    # or None
    cdef const Names* secret_names      # the policy's, or NULL
    cdef bint is_template
    cdef PublicSuffixList psl   # or None
    cdef HostPatterns hosts     # or None
    cdef Matching matching      # or None
    # The ASCII forms of mapped domains, for all threads. A thread finds many in its memos, without the GIL.
    cdef dict domains
    cdef public bint cancelled

    def __init__(
        self, tuple fields not None, *, bint is_struct=False, bint views=False, str base=None, tuple keys=None,
        str decode_errors=None, encoding="utf-8", policy=None, int bits=64, redaction=None, rules=None, psl=None,
        HostPatterns hosts=None, Matching matching=None,
    ):
        cdef Field field
        self.domains = {}
        groups = matching.columns if matching is not None else ()
        if keys is not None:
            keys = tuple([usv_text(name) for name in keys])
        values = keys if keys is not None and "query_map" not in fields else ()
        self.names = fields + values + groups
        self.fields = tuple(
            [FIELDS[name] for name in (*fields, *["query_get"] * len(values), *["group"] * len(groups))]
        )
        self.is_struct = is_struct
        self.views = views
        self.host_only = True
        self.n_fields = <int> len(self.fields)
        free(self.writers)
        self.writers = <Writer*> malloc(max(self.n_fields, 1) * sizeof(Writer))
        if self.writers == NULL:
            raise MemoryError
        for index, field in enumerate(self.fields):
            self.writers[<Py_ssize_t> index] = field.write
            self.host_only = self.host_only and field.reads != WHOLE_URL
            self.needs_text = self.needs_text or field.reads != NO_TEXT
            self.needs_list = self.needs_list or field.needs_list
        self.decodes = decode_errors is not None
        if self.decodes != (fields == ("decoded",)):
            raise ValueError("decoded texts have no other columns")
        if self.decodes:
            self.decode_errors = DECODE_ERRORS[decode_errors]
        if "query_get" in fields or ("query_map" in fields and keys is None):
            raise ValueError("values of queries go with keys")
        if keys is not None:
            self.keys = QueryKeys(keys)
        self.encoding = None if encoding == "utf-8" else output_encoding(encoding)
        self.utf8 = self.encoding is None
        if policy is not None:
            self.policy = policy_in_use(policy)
            # The canonical form under WHATWG is the serialization.
            if self.policy.rules.kind != WHATWG:
                self.rules = &self.policy.rules
        self.bits = bits
        self.is_template = rules is not None
        if redaction is not None or self.is_template:
            self.redaction = rules_in_use(rules) if self.is_template else log_policy_in_use(redaction)
            self.secret_names = &self.redaction.names
        # A view would bring along the memory where the secrets are.
        if self.redaction is not None and (views or policy is not None or matching is not None):
            raise ValueError("what has no secrets is not a view, and has no other policy or patterns")
        if any([name in fields for name in ("redacted", *KIND_NAMES)]) != (redaction is not None) or (
            ("template" in fields) != self.is_template or (self.is_template and redaction is not None)
        ):
            raise ValueError("redacted URLs and their counts go with a policy, templates with rules")
        if psl is not None or self.needs_list:
            self.psl = list_in_use(psl)
        self.hosts = HostPatterns.private() if "is_private" in fields else hosts
        if (hosts is not None) != ("host_in" in fields) or (self.hosts is not None and self.n_fields > 1):
            raise ValueError("patterns of hosts go with host_in, and private hosts have no other columns")
        self.matching = matching
        self.host_only = self.host_only and (matching is None or matching.host_only)
        if "group" in fields or (matching is None) == (bool(groups) or any([name in fields for name in ("pattern_test", "route", "groups")])):
            raise ValueError("what matches patterns goes with patterns")
        if base is not None:
            set_base(self, usv_text(base).encode())

    def __dealloc__(self):
        free(self.writers)

    def run(self, Input rows not None, Py_ssize_t begin, Py_ssize_t end, Input bases=None, Py_ssize_t bases_begin=0):
        """The columns of the rows from begin to end; None if the job was cancelled.

        `begin` and `end` count rows, or bytes if the input is lines.
        """
        cdef Batch batch = Batch.__new__(Batch)
        cdef Worker* worker = <Worker*> malloc(sizeof(Worker))
        cdef RowReader reader, base_reader
        cdef Py_ssize_t[NOT_UTF8 + 1] failures
        cdef int status
        cdef bint is_done
        if worker == NULL:
            raise MemoryError
        memset(failures, 0, sizeof(failures))
        open_job_worker(worker, self)
        try:
            open_values(worker)
            open_matches(worker, self)
            with nogil:
                open_reader(&reader, &rows.rows, begin, end)
                batch.length = reader.left
                if bases is not None:
                    open_reader(&base_reader, &bases.rows, bases_begin, bases_begin + batch.length)
            open_batch(self, batch, rows, &reader)
            with nogil:
                is_done = run_rows(self, worker, &reader, NULL if bases is None else &base_reader, batch, failures)
            if not is_done:
                raise_error(worker)
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
        """The text of one of these rows, or None."""
        if rows.rows.kind == ROWS_OBJECTS:
            given = rows.objects[begin + row]
            return None if given is None else str.__str__(given)
        cdef RowReader reader
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
    cdef Status status
    open_job_worker(&worker, self)
    try:
        open_parser(&worker.parser, <const uint8_t*> <const char*> text, len(text), NULL, True)
        status = run_parser(&worker, &worker.parser)
        if status == NO_MEMORY:
            raise_error(&worker)
        if status:
            raise ValueError("the base is not a URL")
        self.base_href = worker.parser.out.data[:worker.parser.out.length]
        self.base.href = <const uint8_t*> <const char*> self.base_href
        self.base.length = len(self.base_href)
        self.base.record = worker.parser.record
        self.has_base = True
    finally:
        close_worker(&worker)
    return 0


# Blocks of rows.

# Stores where the text of a parsed URL is; `kept` says whether that is still the input.
cdef inline Status keep_row(
    Job job, Batch batch, const RowText* text, const uint8_t* href, bint kept, ParsedRow* row
) noexcept nogil:
    row.arena = -1
    row.href = href
    if not job.needs_text or (kept and stays(job, text, href, row)):
        return OK
    return move_row(job, batch, href, row)


# Whether a row's text can stay where it is in the input; sets the place for views. A buffer of the input can be longer
# than a view's offset can express.
cdef inline bint stays(Job job, const RowText* text, const uint8_t* p, ParsedRow* row) noexcept nogil:
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


# Copies a row's text into the arena. Views limit its length.
cdef Status move_row(Job job, Batch batch, const uint8_t* p, ParsedRow* row) noexcept nogil:
    if job.views and row.length > MAX_VIEW_LENGTH:
        return TOO_LONG
    row.arena = batch.arena_length
    row.buffer = <int32_t> (batch.n_view_buffers + (row.arena >> WINDOW_BITS))
    row.offset = <ViewOffset> (row.arena & ((1 << WINDOW_BITS) - 1))
    return OK if push_arena(batch, p, row.length) else NO_MEMORY


# Most rows.
cdef inline Status parse_row(
    Job job, Worker* self, Batch batch, const RowText* text, const URLView* base, ParsedRow* row
) noexcept nogil:
    cdef Py_ssize_t known = 0
    cdef State state = enter(text.data, text.length, job.host_only, &row.record, &known)
    if state != PATH_END_STATE:
        return parse_on(job, self, batch, text, base, row, state, known)
    row.length = known
    return keep_row(job, batch, text, text.data, True, row)


# Parses what is not known of a row.
cdef Status parse_on(
    Job job, Worker* self, Batch batch, const RowText* text, const URLView* base, ParsedRow* row, State state,
    Py_ssize_t known
) noexcept nogil:
    cdef Parser* parser = &self.parser
    cdef Status status = OK
    if not open_at(parser, text.data, text.length, base, job.utf8, job.host_only, state, known, &row.record):
        status = run_parser(self, parser)
    if status == OK:
        row.record = parser.record
        row.length = parser.out.length
        status = keep_row(job, batch, text, parser.out.data, is_kept(&parser.out) and parser.stripped == NULL, row)
    close_parser(parser)
    return status


# What parse_under() asks for a row.
ctypedef struct RowToParse:
    Worker* worker
    const RowText* text
    const URLView* base
    bint utf8


cdef Status parse_this_row(void* caller, const uint8_t* text, Py_ssize_t length, URLView* url) except RAISED nogil:
    cdef const RowToParse* self = <const RowToParse*> caller
    cdef Worker* worker = self.worker
    cdef Parser* parser = &worker.parser
    cdef Record record
    cdef Py_ssize_t known = 0
    cdef State state
    cdef Status status
    if text == NULL:
        state = enter(self.text.data, self.text.length, False, &record, &known)
        if state == PATH_END_STATE:
            url.href = self.text.data
            url.length = known
            url.record = record
            return OK
        open_at(parser, self.text.data, self.text.length, self.base, self.utf8, False, state, known, &record)
    else:
        # The row's parser holds the text of the SURT. No row has a base here, so the base's parser is free.
        parser = &worker.base_parser
        close_parser(parser)
        open_parser(parser, text, length, NULL, True)
    status = run_parser(worker, parser)
    if status == OK:
        url.href = parser.out.data
        url.length = parser.out.length
        url.record = parser.record
    return status


# The canonical form of a row, under a policy whose form is not the serialization.
cdef Status canonicalize_row(
    Job job, Worker* self, Batch batch, const RowText* text, const URLView* base, ParsedRow* row
) except RAISED nogil:
    cdef RowToParse given
    cdef URLView url
    cdef Status status
    cdef bint may_be_surt = base == NULL and is_ascii(text.data, text.length)
    given.worker = self
    given.text = text
    given.base = base
    given.utf8 = job.utf8
    status = parse_under(
        job.rules, parse_this_row, &given, text.data if may_be_surt else NULL, text.length, &self.base_buffer, &url
    )
    if status:
        return status
    self.result.length = 0
    push_canonical(&self.result, &url, job.rules)
    if self.result.status:
        return NO_MEMORY
    row.length = self.result.length
    return move_row(job, batch, self.result.data, row)


# A row without its secrets, or the template of its path.
cdef Status redact_row(
    Job job, Worker* self, Batch batch, const RowText* text, const URLView* base, ParsedRow* row, Py_ssize_t* counts
) noexcept nogil:
    cdef URLView url
    cdef Status status = parse_row(job, self, batch, text, base, row)
    if status:
        return status
    url.href = row.href if row.arena < 0 else batch.arena + row.arena
    url.length = row.length
    url.record = row.record
    self.result.length = 0
    memset(counts, 0, KINDS * sizeof(Py_ssize_t))
    if job.is_template:
        push_template(&self.result, &self.base_buffer, &url, job.secret_names)
    elif not redact_url(&self.result, &self.base_buffer, &url, job.secret_names, counts) and not self.result.status:
        return OK
    if self.result.status == TOO_LONG:
        self.result.status = OK
        return TOO_LONG
    if self.result.status:
        return NO_MEMORY
    row.length = self.result.length
    return move_row(job, batch, self.result.data, row)


# The text of a row, percent-decoded.
cdef Status decode_row(Job job, Worker* self, Batch batch, const RowText* text, ParsedRow* row) noexcept nogil:
    cdef const uint8_t* p = text.data
    row.length = text.length
    row.href = p
    row.arena = -1
    if memchr(p, c'%', text.length) == NULL and stays(job, text, p, row):
        return OK
    self.result.length = 0
    percent_decode(&self.result, p, text.length, False)
    p = self.result.data
    row.length = self.result.length
    if self.result.status == OK and not is_ascii(p, row.length) and not is_utf8(p, row.length):
        if job.decode_errors == STRICT:
            return <Status> NOT_UTF8
        self.base_buffer.length = 0
        push_decoded(&self.base_buffer, p, row.length, job.decode_errors == REPLACE)
        p = self.base_buffer.data
        row.length = self.base_buffer.length
    if self.result.status or self.base_buffer.status:
        return NO_MEMORY
    return move_row(job, batch, p, row)


# Parses the base of a row; NULL_ROW if it is null.
cdef int next_base(Worker* self, RowReader* reader) noexcept nogil:
    cdef RowText text
    cdef const uint8_t* before = self.base_text.data
    read_row(reader, &text, &self.base_buffer)
    if text.data == NULL:
        return NULL_ROW
    # Neighbouring rows often have the same base.
    if before != NULL and text.length == self.base_text.length and memcmp(text.data, before, text.length) == 0:
        return self.base_status
    close_parser(&self.base_parser)
    self.base_text = text
    if text.data == self.base_buffer.data:
        # The next base overwrites the text.
        self.base_text.data = NULL
    open_parser(&self.base_parser, text.data, text.length, NULL, True)
    self.base_status = run_parser(self, &self.base_parser)
    self.base.href = self.base_parser.out.data
    self.base.length = self.base_parser.out.length
    self.base.record = self.base_parser.record
    return self.base_status


# Reads and parses the next block of rows; returns how many, or 0 at the end, or STOPPED.
cdef int read_block(Job job, Worker* self, RowReader* reader, RowReader* bases, Batch batch) except -1 nogil:
    cdef Block* block = &self.block
    cdef RowText text
    cdef ParsedRow* row = block.rows
    cdef const URLView* base = &self.base if job.has_base else NULL
    cdef const uint8_t* slack_end = reader.window_end - SLACK if reader.window != NULL else NULL
    cdef uint64_t bit = 1
    cdef int count = 0, status = OK
    block.ok = block.not_null = 0
    block.length = 0
    block.has_slack = True
    if not job.views:
        batch.arena_length = 0
    while count < BLOCK_ROWS and not job.cancelled and next_row(reader, &text, &self.text):
        if self.work > BETWEEN_SIGNALS:
            self.work = 0
            with gil:
                PyErr_CheckSignals()
        if bases != NULL:
            status = next_base(self, bases)
            base = &self.base
        if self.text.status or self.base_buffer.status or status == NO_MEMORY:
            return STOPPED
        if text.data == NULL or status == NULL_ROW:
            row.status = TOO_LONG if text.too_long else <Status> NULL_ROW
        elif status:
            row.status = BASE
        elif job.decodes:
            row.status = decode_row(job, self, batch, &text, row)
        elif job.rules != NULL:
            row.status = canonicalize_row(job, self, batch, &text, base, row)
            close_parser(&self.parser)
        elif job.secret_names != NULL:
            row.status = redact_row(job, self, batch, &text, base, row, self.redactions + KINDS * count)
        else:
            row.status = parse_row(job, self, batch, &text, base, row)
        if row.status == OK:
            block.ok |= bit
            block.length += row.length
            # An arena has it.
            if row.arena < 0 and row.href + row.length > slack_end:
                block.has_slack = False
        elif row.status == NO_MEMORY:
            return STOPPED
        else:
            row.href = EMPTY
            row.length = 0
            row.arena = -1
            clear_record(&row.record)
        if <int> row.status != NULL_ROW:
            block.not_null |= bit
            self.work += text.length
        bit <<= 1
        row += 1
        count += 1
    block.arena = NULL
    block.count = count
    return count


# One piece.

cdef void open_job_worker(Worker* self, Job job) noexcept:
    open_worker(self)
    self.base = job.base
    self.domains = <PyObject*> job.domains
    self.encoding = <PyObject*> job.encoding
    self.keys = NULL if job.keys is None else &job.keys.keys
    self.suffixes = NULL if job.psl is None else &job.psl.suffixes
    self.hosts = NULL if job.hosts is None else &job.hosts.rules
    self.bits = job.bits
    self.matches = NULL if job.matching is None else &job.matching.matches


# Room for the values of keys in a block.
cdef int open_values(Worker* self) except -1:
    cdef size_t count
    if self.keys != NULL:
        count = self.keys.count
        self.values.spans = <Span*> malloc(count * (BLOCK_ROWS * sizeof(Span) + 2 * sizeof(uint64_t)) + 1)
        if self.values.spans == NULL:
            raise MemoryError
        self.values.found = <uint64_t*> (self.values.spans + BLOCK_ROWS * count)
        self.values.encoded = self.values.found + count
    return 0


# Room for the groups of a match, and for those of a block that are in columns.
cdef int open_matches(Worker* self, Job job) except -1:
    cdef const Matches* matches = self.matches
    if matches != NULL and matches.most_groups:
        self.spans = <Span*> malloc((BLOCK_ROWS * matches.most_groups + <size_t> matches.most_spans) * sizeof(Span))
        if self.spans == NULL:
            raise MemoryError
        self.groups = self.spans + BLOCK_ROWS * <Py_ssize_t> matches.most_groups
    return 0


cdef int open_batch(Job job, Batch batch, Input rows, const RowReader* reader) except -1:
    cdef Field field
    cdef ColumnBuffers* column
    cdef int value = 0, group = 0
    batch.first_failed = -1
    batch.names = job.names
    batch.is_struct = job.is_struct
    batch.columns = <ColumnBuffers*> calloc(3 * len(job.fields), sizeof(ColumnBuffers))
    batch.validity = <uint8_t*> malloc((batch.length + 63) // 64 * 8 + 8)
    if batch.columns == NULL or batch.validity == NULL:
        raise MemoryError
    for field in job.fields:
        type = field.type
        if type == STRINGS and job.views:
            type = STRING_VIEWS
        elif type == NUMBERS and job.bits > 64:
            type = DIGESTS
        column = &batch.columns[batch.n_columns]
        batch.n_columns += 1
        column.part = field.part
        if field.name == "query_get":
            column.part = value
            value += 1
        elif field.name == "group":
            column.part = group
            group += 1
        column.dictionary = field.dictionary
        column.is_printable = not field.is_any_text
        open_column(column, type, batch.length, field.has_nulls)
        if places_of(type) == 3:
            for _ in range(2):
                batch.n_columns += 1
                open_column(&batch.columns[batch.n_columns - 1], STRINGS, 0, False)
    if job.views:
        add_input(batch, rows, reader)
    return 0


# failures[0] gets the status of the first row that failed, the others get the counts.
cdef void count_failures(const Block* block, Batch batch, Py_ssize_t* failures) noexcept nogil:
    cdef int i, status
    for i in range(block.count):
        status = block.rows[i].status
        if status > OK:
            failures[status] += 1
            if batch.first_failed < 0:
                batch.first_failed = BLOCK_ROWS * block.index + i
                failures[0] = status


# False if the worker was stopped, by its error or for want of memory.
cdef int run_rows(
    Job job, Worker* worker, RowReader* reader, RowReader* bases, Batch batch, Py_ssize_t* failures
) except -1 nogil:
    cdef Block* block = &worker.block
    cdef ColumnBuffers* column
    cdef int i, count
    cdef Py_ssize_t rows = 0
    while not job.cancelled:
        count = read_block(job, worker, reader, bases, batch)
        if count <= 0:
            if count == STOPPED:
                return False
            break
        rows += block.count
        if block.ok != block.not_null:
            count_failures(block, batch, failures)
        put_bits(batch.validity, block.index, block.ok)
        batch.null_count += block.count - count_bits(block.ok)
        if worker.keys != NULL and find_values(batch, worker):
            return False
        if worker.matches != NULL and match_block(batch, worker):
            return False
        column = batch.columns
        for i in range(job.n_fields):
            if job.writers[i](batch, column, worker):
                return False
            column += places_of(column.type)
        block.index += 1
    batch.length = rows
    return True


# Vector after vector.

cdef class Runner:
    def __cinit__(self, Job job not None, Py_ssize_t most_rows):
        if job.views:
            raise ValueError("a runner's texts are not views")
        self.worker = <Worker*> malloc(sizeof(Worker))
        if self.worker == NULL:
            raise MemoryError
        open_job_worker(self.worker, job)
        self.job = job
        self.batch = Batch.__new__(Batch)
        self.batch.length = most_rows
        open_values(self.worker)
        open_matches(self.worker, job)
        open_batch(job, self.batch, None, NULL)

    def __dealloc__(self):
        if self.worker != NULL:
            close_worker(self.worker)
            free(self.worker)


cdef bint run_again(
    Runner self, const Rows* rows, const Rows* bases, Py_ssize_t begin, Py_ssize_t end, const uint8_t* key,
    Py_ssize_t key_length
) noexcept nogil:
    cdef Worker* worker = self.worker
    cdef RowReader reader, base_reader
    cdef Py_ssize_t[NOT_UTF8 + 1] failures
    cdef int i
    for i in range(self.batch.n_columns):
        self.batch.columns[i].length = self.batch.columns[i].count = self.batch.columns[i].null_count = 0
    self.batch.null_count = 0
    self.batch.first_failed = -1
    memset(failures, 0, sizeof(failures))
    worker.block.index = 0
    # The memory of the last base may be gone.
    worker.base_text.data = NULL
    # The engine looks for signals.
    worker.work = -PY_SSIZE_T_MAX
    if key != NULL:
        set_only_key(&self.keys, &self.key, key, key_length)
        worker.keys = &self.keys
    open_reader(&reader, rows, begin, end)
    self.batch.length = reader.left
    if bases != NULL:
        open_reader(&base_reader, bases, begin, end)
    return run_rows(<Job> self.job, worker, &reader, NULL if bases == NULL else &base_reader, self.batch, failures)


cdef Py_ssize_t memory_of(Runner self) noexcept nogil:
    cdef const Worker* worker = self.worker
    cdef Py_ssize_t size = self.batch.arena_capacity + worker.text.capacity + worker.base_buffer.capacity
    cdef int i
    for i in range(self.batch.n_columns):
        size += self.batch.columns[i].capacity + self.batch.columns[i].slots_capacity
    return size + worker.result.capacity
