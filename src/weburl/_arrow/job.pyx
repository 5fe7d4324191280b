"""Columns of URLs: rows in, parsed by the hot core without the GIL, columns out."""

from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject
from libc.stdint cimport INT64_MAX, UINT32_MAX, int32_t, int64_t, uint8_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr, memcmp, memset

from weburl._arrow.arrow cimport (
    MAX_VIEW_LENGTH, MAX_VIEW_OFFSET, WINDOW_BITS, WINDOW_MASK, ViewOffset, has_bit, load32, load64,
)
from weburl._arrow.batch cimport (
    ERROR_NAMES, SLACK, STRING_VIEWS, STRINGS, Batch, ColumnBuffers, add_input, finish, open_column, places_of,
    push_arena,
)
from weburl._arrow.columns cimport (
    BLOCK_ROWS, NO_TEXT, NULL_ROW, STATUS_ONLY, WHOLE_URL, Block, BlockReader, Field, ParsedRow, RowChanger, RowMaker,
    RowRescuer, VerbState, Worker, Writer, close_worker, count_bits, open_worker, put_bits, raise_error, run_parser,
)
from weburl._arrow.input cimport (
    PREFETCHED, ROWS_LINES, ROWS_OBJECTS, ROWS_UTF8, ROWS_VIEWS, Input, RowReader, Rows, RowText, check_row, find_text,
    look_over, next_row, offset_of, open_reader, place_reader, prefetch, read_row, take_row,
)
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, is_kept, release, start
from weburl._core.door cimport open_door
from weburl._core.invariants cimport check
from weburl._core.parser cimport PATH_END_STATE, Parser, State, close_parser, open_parser
from weburl._core.percent cimport kernels, lowest_bit, usv_text, utf8_text
from weburl._core.record cimport WEBURL_DEBUG, URLView, clear_record
from weburl._core.status cimport BASE, LAST_OF_ROWS, NO_MEMORY, OK, RAISED, TOO_LONG, Status
from weburl._core.texts cimport open_at, output_encoding, read_prefix

from weburl._arrow.batch import DICTIONARIES

cdef enum:
    BETWEEN_SIGNALS = 1 << 19       # bytes of input
    STOPPED = -2
    PAST_DOOR = 7                   # blocks
    SEARCH_AHEAD = 4096             # bytes


cdef const uint8_t[SLACK] EMPTY


# How a column is written: `state` is the place of its field's state among those of the job, or 0 for none.
ctypedef struct FieldWriter:
    Writer write
    int state


# The work for each row: which columns it gives, and how.
cdef class Job:
    cdef tuple names            # of the columns
    cdef tuple fields
    cdef dict states            # the states of the fields, each with its place: from 1 on
    cdef FieldWriter* writers   # one for each field
    cdef BlockReader* readers   # one for each state, or NULL
    cdef int n_fields
    cdef int n_states
    cdef RowMaker make_row      # or NULL
    cdef RowChanger change_row  # or NULL
    cdef RowRescuer rescue_row  # or NULL
    cdef bint any_text
    cdef uint8_t marker
    cdef int maker              # the place of the state of these three
    cdef bint is_struct
    cdef bint views
    cdef bint host_only
    cdef bint status_only
    cdef bint needs_text
    cdef bytes base_href        # or None
    cdef bint has_base
    cdef URLView base
    cdef object encoding        # of the queries, if that is not UTF-8; else None
    # The ASCII forms of mapped domains, for all threads. A thread finds many in its memos, without the GIL.
    cdef dict domains
    cdef public bint cancelled
    cdef public int64_t longest     # text that is not a part of its row; a longer one fails

    def __init__(
        self, fields, *, bint is_struct=False, bint views=False, str base=None, encoding="utf-8",
        bint any_text=False,
    ):
        cdef Field field
        cdef int index
        self.domains = {}
        self.fields = tuple(fields)
        self.states = {}
        for field in self.fields:
            if field.needs_arguments:
                raise ValueError(f"{field.name} has not been bound to its arguments")
            if field.state is not None:
                self.states.setdefault(field.state, 1 + len(self.states))
        self.names = tuple([(<Field> each).name for each in self.fields])
        self.is_struct = is_struct
        self.any_text = any_text
        self.views = views
        self.longest = MAX_VIEW_LENGTH if views else INT64_MAX
        self.n_fields = <int> len(self.fields)
        self.n_states = <int> len(self.states)
        free(self.writers)
        free(self.readers)
        self.writers = <FieldWriter*> calloc(self.n_fields + 1, sizeof(FieldWriter))
        self.readers = <BlockReader*> calloc(self.n_states + 1, sizeof(BlockReader))
        if self.writers == NULL or self.readers == NULL:
            raise MemoryError
        self.host_only = True
        self.status_only = self.n_states == 0
        for index in range(self.n_fields):
            field = self.fields[index]
            self.writers[index].write = field.write
            self.writers[index].state = place_of(self, field.state)
            self.host_only = self.host_only and field.reads != WHOLE_URL
            self.status_only = self.status_only and field.reads == STATUS_ONLY
            self.needs_text = self.needs_text or field.reads > NO_TEXT
        find_functions(self)
        if self.n_fields != 1 and not is_struct:
            raise ValueError(f"a column that is not a struct has one field, not {self.n_fields}")
        self.encoding = None if encoding == "utf-8" else output_encoding(encoding)
        if base is not None:
            set_base(self, usv_text(base).encode())

    def __dealloc__(self):
        free(self.writers)
        free(self.readers)

    def run(self, Input rows not None, Py_ssize_t begin, Py_ssize_t end, Input bases=None, Py_ssize_t bases_begin=0):
        """The columns of the rows from begin to end; None if the job was cancelled.

        `begin` and `end` count rows, or bytes if the input is lines.
        """
        cdef Batch batch = Batch.__new__(Batch)
        cdef Worker* worker = <Worker*> malloc(sizeof(Worker))
        cdef RowReader reader, base_reader
        cdef Py_ssize_t[LAST_OF_ROWS + 1] failures
        cdef int status
        cdef bint is_done
        if worker == NULL:
            raise MemoryError
        memset(failures, 0, sizeof(failures))
        open_job_worker(worker, self)
        try:
            open_states(worker, self)
            with nogil:
                place_reader(&reader, &rows.rows, begin, end)
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
        batch.errors = {names[status - 1]: failures[status] for status in range(1, LAST_OF_ROWS + 1) if failures[status]}
        batch.first_error = names[failures[0] - 1] if batch.first_failed >= 0 else None
        return batch

    def row_text(self, Input rows not None, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t row):
        """The text of one of these rows, or None."""
        if rows.rows.kind == ROWS_OBJECTS:
            value = rows.objects[begin + row]
            return None if value is None else str.__str__(value)
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


# The place of a state among those of the job, or 0 for none.
cdef int place_of(Job self, VerbState state) except -1:
    return self.states.get(state, 0)


# What reads blocks, and what makes or changes the texts of rows. Such a row has no record that columns of other verbs could
# read.
cdef int find_functions(Job self) except -1:
    cdef VerbState state
    cdef Field field
    self.maker = 0
    self.make_row = NULL
    self.change_row = NULL
    self.rescue_row = NULL
    self.marker = 0
    for state in self.states:
        self.readers[place_of(self, state) - 1] = state.read_block
        if state.make_row != NULL or state.change_row != NULL:
            self.maker = place_of(self, state)
            self.make_row = state.make_row
            self.change_row = state.change_row
            self.rescue_row = state.rescue_row if self.any_text else NULL
            self.marker = state.marker
    for field in self.fields:
        if self.views and field.state is not None and field.state.hides:
            raise ValueError(f"{field.name} cannot be views")
        if self.maker and field.reads != STATUS_ONLY and place_of(self, field.state) != self.maker:
            raise ValueError(f"{field.name} cannot be beside texts that another verb makes")
    return 0


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
    const Worker* self, Batch batch, const RowText* text, const uint8_t* href, bint kept, ParsedRow* row
) noexcept nogil:
    row.arena = -1
    row.href = href
    if not self.needs_text or (kept and stays(self, text, href, row)):
        return OK
    return move_row(self, batch, href, row)


# Whether a row's text can stay where it is in the input; sets the place for views. A buffer of the input can be longer
# than a view's offset can express.
cdef inline bint stays(const Worker* self, const RowText* text, const uint8_t* p, ParsedRow* row) noexcept nogil:
    # Of 64 bits: the windows of an input's own views have 2**32 bytes.
    cdef int64_t place, offset
    if not self.views:
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


# Copies a row's text into the arena.
cdef Status move_row(const Worker* self, Batch batch, const uint8_t* p, ParsedRow* row) noexcept nogil:
    if row.length > self.longest:
        return TOO_LONG
    row.arena = batch.arena_length
    row.buffer = <int32_t> (batch.n_view_buffers + (row.arena >> WINDOW_BITS))
    row.offset = <ViewOffset> (row.arena & WINDOW_MASK)
    return OK if push_arena(batch, p, row.length) else NO_MEMORY


# Most rows.
cdef inline Status parse_row(
    Worker* self, Batch batch, RowReader* reader, RowText* text, const URLView* base, ParsedRow* row
) noexcept nogil:
    cdef Py_ssize_t known = 0
    cdef State state = read_prefix(text.data, text.length, self.host_only, &row.record, &known)
    if state != PATH_END_STATE:
        if reader.direct:
            check_row(reader, text, &self.text)
            if self.text.status:
                return NO_MEMORY
            if not text.stable:
                state = read_prefix(text.data, text.length, self.host_only, &row.record, &known)
        return parse_on(self, batch, text, base, row, state, known)
    row.length = known
    return keep_row(self, batch, text, text.data, True, row)


# Parses what is not known of a row.
cdef Status parse_on(
    Worker* self, Batch batch, const RowText* text, const URLView* base, ParsedRow* row, State state,
    Py_ssize_t known
) noexcept nogil:
    cdef Parser* parser = &self.parser
    cdef Status status = OK
    if not open_at(parser, text.data, text.length, base, self.utf8, self.host_only, state, known, &row.record):
        status = run_parser(self, parser)
    if status == OK:
        row.record = parser.record
        row.length = parser.out.length
        status = keep_row(self, batch, text, parser.out.data, is_kept(&parser.out) and parser.stripped == NULL, row)
    close_parser(parser)
    return status


# Parses the base of a row; NULL_ROW if it is null.
cdef int next_base(Worker* self, RowReader* reader) noexcept nogil:
    cdef RowText text
    cdef const uint8_t* before = self.base_text.data
    next_row(reader, &text, &self.base_buffer)
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


# Whether the texts of rows can be found before they are read.
cdef inline bint is_at_hand(const RowReader* reader) noexcept nogil:
    if reader.rows.kind == ROWS_LINES:
        return reader.window != NULL
    return reader.has_offsets or reader.rows.index_format or reader.rows.kind >= ROWS_VIEWS


# Points rows to their lines, up to a block; returns how many there are.
cdef inline int place_lines(RowReader* reader, ParsedRow* row) noexcept nogil:
    cdef const uint8_t* p = reader.rows.data + reader.i
    cdef const uint8_t* end = reader.rows.data + reader.end
    cdef const uint8_t* newline
    cdef int most = <int> min(<Py_ssize_t> BLOCK_ROWS, reader.left), k = 0
    while k < most and p < end:
        newline = <const uint8_t*> memchr(p, c'\n', end - p)
        row[k].href = p
        row[k].length = (end if newline == NULL else newline) - p
        p = end if newline == NULL else newline + 1
        if row[k].length and row[k].href[row[k].length - 1] == c'\r':
            row[k].length -= 1
        k += 1
    reader.i = p - reader.rows.data
    return k


# The same for rows that are anywhere. One that is null is empty, and so is a str that is not ASCII.
cdef inline int place_others(RowReader* reader, ParsedRow* row) noexcept nogil:
    cdef RowText text
    cdef int count = <int> min(<Py_ssize_t> BLOCK_ROWS, reader.left), k
    for k in range(count):
        find_text(reader.rows, reader.i + k, &text)
        row[k].href = text.data
        row[k].length = text.length
    reader.i += count
    return count


# The same for the texts between offsets. A row that is null is empty.
cdef inline int place_rows(RowReader* reader, ParsedRow* row) noexcept nogil:
    cdef const Rows* rows = reader.rows
    cdef const void* offsets = rows.values
    cdef const uint8_t* validity = rows.validity
    cdef const uint8_t* data = rows.data
    cdef const uint8_t* begin
    cdef const uint8_t* end
    cdef Py_ssize_t first = reader.i + rows.offset
    cdef int count = <int> min(<Py_ssize_t> BLOCK_ROWS, reader.left), k
    begin = end = data + offset_of(rows, first)
    if rows.kind == ROWS_UTF8:
        for k in range(count):
            row[k].href = end
            end = data + load32(offsets, first + k + 1)
            row[k].length = end - row[k].href
    else:
        for k in range(count):
            row[k].href = end
            end = data + load64(offsets, first + k + 1)
            row[k].length = end - row[k].href
    if validity != NULL:
        for k in range(count):
            if not has_bit(validity, first + k):
                row[k].length = 0
    while begin < end:
        prefetch(<const void*> (<uintptr_t> begin + PREFETCHED))
        begin += 64
    reader.i += count
    return count


# Lets the next rows in at the door, most of a block together: a bit for each that is in.
cdef uint64_t let_in(Worker* self, RowReader* reader, int* count) noexcept nogil:
    cdef Block* block = &self.block
    cdef const ParsedRow* last
    cdef uint64_t known
    cdef int k
    if reader.has_offsets:
        count[0] = place_rows(reader, block.rows)
    elif reader.rows.kind == ROWS_LINES:
        count[0] = place_lines(reader, block.rows)
    else:
        count[0] = place_others(reader, block.rows)
    if count[0] == 0:
        return 0
    if reader.window != NULL:
        last = &block.rows[count[0] - 1]
        self.work += last.href + last.length - block.rows[0].href
        block.has_slack = last.href + last.length <= reader.window_end - SLACK
        self.door.end = reader.window_end
    else:
        for k in range(count[0]):
            self.work += block.rows[k].length
        block.has_slack = False
        self.door.end = NULL
    known = kernels.door(block.rows, count[0], &self.door, &block.length)
    # Where few rows come in, most go to waste that the door looks at.
    if count_bits(known) < count[0] >> 3:
        self.past_door = PAST_DOOR
    if WEBURL_DEBUG and not self.host_only:
        for k in range(count[0]):
            if known >> k & 1:
                check(block.rows[k].href, block.rows[k].length, &block.rows[k].record)
    return known


# What is left to do of a row that is in, whose text is as it was found.
cdef inline Status keep_found(
    Job job, Worker* self, Batch batch, const RowText* text, ParsedRow* row
) except RAISED nogil:
    cdef Status status = keep_row(self, batch, text, text.data, True, row)
    if job.change_row != NULL and status == OK:
        return job.change_row(self.states[job.maker], self, batch, row)
    return status


cdef Status keep_known(Job job, Worker* self, Batch batch, const RowReader* reader, ParsedRow* row) except RAISED nogil:
    cdef RowText text
    text.data = row.href
    text.stable = text.in_input = True
    text.buffer = 0
    text.offset = text.data - reader.window if reader.window != NULL else 0
    text.window_bits = WINDOW_BITS
    return keep_found(job, self, batch, &text, row)


# The same for views of a row that is anywhere.
cdef Status keep_viewed(
    Job job, Worker* self, Batch batch, const Rows* rows, Py_ssize_t i, ParsedRow* row
) except RAISED nogil:
    cdef RowText text
    text.buffer = 0
    text.offset = 0
    text.window_bits = WINDOW_BITS
    find_text(rows, i, &text)
    text.stable = True
    return keep_found(job, self, batch, &text, row)


# Puts a row into its block; false if the worker was stopped.
cdef inline bint end_row(Block* block, const uint8_t* slack_end, uint64_t bit, ParsedRow* row) noexcept nogil:
    if row.status == OK:
        block.ok |= bit
        block.length += row.length
        # An arena has it.
        if row.arena < 0 and row.href + row.length > slack_end:
            block.has_slack = False
    elif row.status > LAST_OF_ROWS:
        # NO_MEMORY.
        return False
    else:
        row.href = EMPTY
        row.length = 0
        row.arena = -1
        clear_record(&row.record)
    if <int> row.status != NULL_ROW:
        block.not_null |= bit
    return True


# Whether the row has this byte. In an ASCII window, one search answers for all rows up to the next such byte. All calls
# for one reader ask for the same byte, and rows follow each other.
cdef inline bint has_byte(RowReader* self, const RowText* row, uint8_t byte) noexcept nogil:
    cdef Py_ssize_t most
    cdef const uint8_t* found
    if not self.plain:
        return memchr(row.data, byte, row.length) != NULL
    if row.data > self.clear_end:
        most = min(self.window_end - row.data, max(<Py_ssize_t> SEARCH_AHEAD, row.length))
        found = <const uint8_t*> memchr(row.data, byte, most)
        self.clear_end = row.data + most if found == NULL else found
    return row.data + row.length > self.clear_end and memchr(row.data, byte, row.length) != NULL


# Reads and parses rows into the places from `count` to `end` of the block; returns where they end, or STOPPED.
cdef int read_rows(
    Job job, Worker* self, RowReader* reader, RowReader* bases, Batch batch, int count, int end
) except -1 nogil:
    cdef Block* block = &self.block
    cdef RowText text
    cdef ParsedRow* row = block.rows + count
    cdef const URLView* base = &self.base if job.has_base else NULL
    cdef const uint8_t* slack_end = reader.window_end - SLACK if reader.window != NULL else NULL
    cdef uint64_t bit = <uint64_t> 1 << count
    cdef int status = OK
    cdef RowMaker make_row = job.make_row
    cdef void* state = self.states[job.maker]
    # Without make_row, parse_row() checks the rows that it needs to.
    cdef bint checks_here = reader.direct and make_row != NULL
    while count < end and not job.cancelled and take_row(reader, &text, &self.text):
        if checks_here:
            check_row(reader, &text, &self.text)
        if self.work > BETWEEN_SIGNALS:
            self.work = 0
            with gil:
                PyErr_CheckSignals()
        if self.text.status:
            return STOPPED
        if bases != NULL:
            status = next_base(self, bases)
            if status == NO_MEMORY or self.base_buffer.status:
                return STOPPED
            base = &self.base
        if text.data == NULL:
            row.status = TOO_LONG if text.too_long else <Status> NULL_ROW
        elif status:
            row.status = <Status> (NULL_ROW if status == NULL_ROW else BASE)
        elif make_row == NULL:
            row.status = parse_row(self, batch, reader, &text, base, row)
            if job.change_row != NULL and row.status == OK:
                row.status = job.change_row(state, self, batch, row)
            elif job.rescue_row != NULL and OK < row.status <= LAST_OF_ROWS:
                row.status = job.rescue_row(state, self, batch, &text, row, row.status)
        elif job.marker and not has_byte(reader, &text, job.marker):
            row.length = text.length
            row.status = keep_row(self, batch, &text, text.data, True, row)
        else:
            row.status = make_row(state, self, batch, &text, base, row)
        if not end_row(block, slack_end, bit, row):
            return STOPPED
        if <int> row.status != NULL_ROW:
            self.work += text.length
        bit <<= 1
        row += 1
        count += 1
    return count


# Reads and parses the next block of rows; returns how many, or 0 at the end, or STOPPED.
cdef int read_block(Job job, Worker* self, RowReader* reader, RowReader* bases, Batch batch) except -1 nogil:
    cdef Block* block = &self.block
    block.ok = block.not_null = 0
    block.length = 0
    block.has_slack = True
    block.arena = NULL
    if not job.views:
        batch.arena_length = 0
    if self.has_door and bases == NULL and is_at_hand(reader):
        if self.past_door == 0 and kernels.door != NULL:
            block.count = read_through_door(job, self, reader, batch)
            return block.count
        self.past_door -= self.past_door > 0
    if reader.has_offsets and not reader.is_looked_at:
        look_over(reader)
    block.count = read_rows(job, self, reader, bases, batch, 0, BLOCK_ROWS)
    return block.count


# The same where most rows come in at the door. The others are read one after the other.
cdef int read_through_door(Job job, Worker* self, RowReader* reader, Batch batch) except -1 nogil:
    cdef Block* block = &self.block
    cdef const uint8_t* slack_end = reader.window_end - SLACK if reader.window != NULL else NULL
    cdef Py_ssize_t first = reader.i, left = reader.left, end
    cdef uint64_t bit, known, rest = 0
    cdef int count = 0, k
    known = let_in(self, reader, &count)
    end = reader.i
    if count:
        rest = ~<uint64_t> 0 >> (BLOCK_ROWS - count)
    if self.keeps_rows:
        block.ok = block.not_null = known
        rest ^= known
    else:
        block.length = 0
    while rest:
        k = <int> lowest_bit(rest)
        bit = <uint64_t> 1 << k
        rest &= rest - 1
        if known & bit:
            if self.views and reader.window == NULL:
                block.rows[k].status = keep_viewed(job, self, batch, reader.rows, first + k, &block.rows[k])
            else:
                block.rows[k].status = keep_known(job, self, batch, reader, &block.rows[k])
            if not end_row(block, slack_end, bit, &block.rows[k]):
                return STOPPED
        else:
            reader.i = first + k
            if reader.rows.kind == ROWS_LINES:
                reader.i = block.rows[k].href - reader.rows.data
            reader.left = 1
            if read_rows(job, self, reader, NULL, batch, k, k + 1) != k + 1:
                return STOPPED
    reader.i = end
    reader.left = left - count
    return count


# One piece.

cdef void open_job_worker(Worker* self, Job job) noexcept:
    open_worker(self)
    self.base = job.base
    self.domains = <PyObject*> job.domains
    self.encoding = <PyObject*> job.encoding
    self.views = job.views
    self.longest = job.longest
    self.utf8 = job.encoding is None
    self.host_only = job.host_only
    self.needs_text = job.needs_text
    self.has_door = job.make_row == NULL and open_door(&self.door, job.status_only, job.host_only)
    self.past_door = 0
    self.keeps_rows = job.change_row == NULL and not (job.views and job.needs_text)


# What the job's verbs have in this thread.
cdef int open_states(Worker* self, Job job) except -1:
    cdef VerbState state
    cdef int place = 0
    self.states = <void**> calloc(2 * job.n_states + 1, sizeof(void*))
    if self.states == NULL:
        raise MemoryError
    self.opened = self.states + job.n_states + 1
    self.n_states = job.n_states
    for state in job.states:
        if state.open != NULL:
            self.opened[place] = state.open(state.shared)
            if self.opened[place] == NULL:
                raise MemoryError
        self.states[place + 1] = <void*> state.shared if state.open == NULL else self.opened[place]
        place += 1
    return 0


cdef int open_batch(Job job, Batch batch, Input rows, const RowReader* reader) except -1:
    cdef Field field
    cdef ColumnBuffers* column
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
        column = &batch.columns[batch.n_columns]
        batch.n_columns += 1
        column.part = field.part
        column.dictionary = field.dictionary
        column.is_printable = not field.is_any_text
        open_column(column, type, batch.length, field.has_nulls)
        for _ in range(places_of(type) - 1):
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
        for i in range(job.n_states):
            if job.readers[i] != NULL and job.readers[i](worker.states[i + 1], batch, worker):
                return False
        column = batch.columns
        for i in range(job.n_fields):
            if job.writers[i].write(worker.states[job.writers[i].state], batch, column, worker):
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
        # DuckDB says a text's length in 32 bits. Decoding makes three bytes of each that is not UTF-8.
        job.longest = UINT32_MAX
        self.worker = <Worker*> malloc(sizeof(Worker))
        if self.worker == NULL:
            raise MemoryError
        open_job_worker(self.worker, job)
        self.job = job
        self.batch = Batch.__new__(Batch)
        self.batch.length = most_rows
        open_states(self.worker, job)
        for state in job.states:
            if (<VerbState> state).set_text != NULL:
                self.set_text = (<VerbState> state).set_text
                self.text_state = self.worker.states[place_of(job, state)]
        open_batch(job, self.batch, None, NULL)

    def __dealloc__(self):
        if self.worker != NULL:
            close_worker(self.worker)
            free(self.worker)


cdef bint run_again(
    Runner self, const Rows* rows, const Rows* bases, Py_ssize_t begin, Py_ssize_t end, const uint8_t* text,
    Py_ssize_t text_length
) noexcept nogil:
    cdef Worker* worker = self.worker
    cdef RowReader reader, base_reader
    cdef Py_ssize_t[LAST_OF_ROWS + 1] failures
    cdef int i
    for i in range(self.batch.n_columns):
        self.batch.columns[i].length = self.batch.columns[i].count = self.batch.columns[i].null_count = 0
    self.batch.null_count = 0
    self.batch.first_failed = -1
    memset(failures, 0, sizeof(failures))
    worker.block.index = 0
    # The memory of the last base may be gone, and these rows may have none.
    worker.base_text.data = NULL
    worker.base = (<Job> self.job).base
    # The engine looks for signals.
    worker.work = -PY_SSIZE_T_MAX
    if text != NULL and self.set_text != NULL:
        self.set_text(self.text_state, text, text_length)
    place_reader(&reader, rows, begin, end)
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
