"""The columns of texts: the URLs in each, and each with its URLs defanged or as they were before that."""

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport malloc
from libc.string cimport memcpy

from weburl._arrow.batch cimport LISTS, Batch, ColumnBuffers
from weburl._arrow.columns cimport (
    BLOCK_ROWS, WHOLE_URL, Block, Field, ParsedRow, RowMaker, VerbState, Worker, bound, component, field, put_entry,
    run_parser, verb_state, with_arguments,
)
from weburl._arrow.input cimport RowText
from weburl._arrow.job cimport move_row
from weburl._core.buffer cimport Buffer, push_run
from weburl._core.parser cimport Parser
from weburl._core.record cimport HREF, URLView, clear_record
from weburl._core.status cimport NO_MEMORY, OK, RAISED, Status
from weburl._text.spans cimport (
    MOST_PASSES, SCHEME, Finder, FindOptions, FindRules, close_finder, find_next, open_finder, parse_found, push_defanged,
    start_finding,
)


# What a thread works with. The texts of the URLs in a block are in the worker's result, and where each ends is in its
# base_buffer.
ctypedef struct FindState:
    Finder finder
    int64_t[BLOCK_ROWS] counts


cdef void* open_find_state(const void* shared) noexcept nogil:
    cdef FindState* self = <FindState*> malloc(sizeof(FindState))
    if self != NULL:
        open_finder(&self.finder, <const FindOptions*> shared, run_in_worker, NULL)
    return self


cdef Status run_in_worker(void* context, Parser* parser) noexcept nogil:
    return run_parser(<Worker*> context, parser)


cdef inline Finder* start_row(void* state, Worker* worker, const RowText* text) noexcept nogil:
    cdef Finder* finder = &(<FindState*> state).finder
    finder.context = worker
    start_finding(finder, text.data, text.length)
    return finder


# A row that has URLs, perhaps none. The column is written from what is kept.
cdef Status find_row(
    void* state, Worker* worker, Batch batch, const RowText* text, const URLView* base, ParsedRow* row
) except RAISED nogil:
    cdef FindState* self = <FindState*> state
    cdef Finder* finder = start_row(state, worker, text)
    cdef Py_ssize_t place = row - worker.block.rows
    cdef int found = 1
    cdef Status status = OK
    self.counts[place] = 0
    while status == OK:
        found = find_next(finder)
        if found <= 0:
            break
        status = parse_found(finder)
        if status == OK:
            push_run(&worker.result, finder.parser.out.data, finder.parser.out.length)
            push_run(&worker.base_buffer, <const uint8_t*> &worker.result.length, sizeof(Py_ssize_t))
            self.counts[place] += 1
    # Its memory is the worker's no longer when the state is freed.
    close_finder(finder)
    if found < 0 or status or worker.result.status or worker.base_buffer.status:
        return NO_MEMORY
    clear_record(&row.record)
    row.href = <const uint8_t*> b""
    row.length = 0
    row.arena = batch.arena_length
    row.buffer = 0
    row.offset = 0
    return OK


cdef Status put_found(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef FindState* self = <FindState*> state
    cdef const Block* block = &worker.block
    cdef Py_ssize_t begin = 0, end, at = 0
    cdef int64_t k
    cdef int i
    for i in range(block.count):
        if block.ok >> i & 1:
            for k in range(self.counts[i]):
                memcpy(&end, worker.base_buffer.data + at, sizeof(Py_ssize_t))
                at += sizeof(Py_ssize_t)
                if not put_entry(batch, column + 1, worker.result.data + begin, end - begin):
                    return NO_MEMORY
                begin = end
        column.count += 1
        (<int64_t*> column.slots)[column.count] = column[1].count
    worker.result.length = worker.base_buffer.length = 0
    return OK


# The URL that was found, as it was before it was defanged.
cdef void push_refanged(Buffer* out, Finder* self) noexcept nogil:
    if self.found.kind == SCHEME:
        push_run(out, self.url, self.url_length)
    else:
        push_run(out, self.url + 7, self.url_length - 7)


# Whether a text has URLs, or -1; `out` gets it with others in their places.
cdef int replace_some(Buffer* out, Finder* finder, bint defangs) noexcept nogil:
    cdef Py_ssize_t end = 0
    cdef int found
    out.length = 0
    while True:
        found = find_next(finder)
        if found <= 0:
            break
        push_run(out, finder.p + end, finder.start - end)
        if defangs:
            push_defanged(out, finder)
        else:
            push_refanged(out, finder)
        end = finder.end
    push_run(out, finder.p + end, finder.n - end)
    return found if found < 0 else end > 0


cdef Status replaced_row(
    void* state, Worker* worker, Batch batch, const RowText* text, ParsedRow* row, bint defangs
) noexcept nogil:
    cdef Finder* finder = start_row(state, worker, text)
    cdef Buffer* source = &worker.base_buffer
    cdef int found = replace_some(&worker.result, finder, defangs), passes = 1
    while defangs and found > 0 and passes < MOST_PASSES and worker.result.status == OK:
        passes += 1
        source.length = 0
        push_run(source, worker.result.data, worker.result.length)
        if source.status:
            break
        start_finding(finder, source.data, source.length)
        found = replace_some(&worker.result, finder, True)
    close_finder(finder)
    if found < 0 or worker.result.status or source.status:
        return NO_MEMORY
    clear_record(&row.record)
    row.length = worker.result.length
    return move_row(worker, batch, worker.result.data, row)


cdef Status defang_row(
    void* state, Worker* worker, Batch batch, const RowText* text, const URLView* base, ParsedRow* row
) except RAISED nogil:
    return replaced_row(state, worker, batch, text, row, True)


cdef Status refang_row(
    void* state, Worker* worker, Batch batch, const RowText* text, const URLView* base, ParsedRow* row
) except RAISED nogil:
    return replaced_row(state, worker, batch, text, row, False)


cdef Field text_field(str name, str doc):
    cdef Field self = with_arguments(component(name, HREF, WHOLE_URL, False, doc))
    self.is_any_text = True
    return self


FIELDS = {each.name: each for each in (
    with_arguments(field("found_urls", LISTS, WHOLE_URL, False, put_found, "the URLs in the text, serialized")),
    text_field("defanged", "the text, its URLs defanged"),
    text_field("refanged", "the text, its defanged URLs as they were"),
)}


cdef Field with_rules(str name, FindRules rules, RowMaker make_row):
    cdef VerbState state = verb_state(rules, &rules.options)
    state.open = open_find_state
    state.make_row = make_row
    return bound(<Field> FIELDS[name], state)


def found_urls(schemes, bint bare, syntax, bint defanged):
    """The field of the URLs in a text."""
    return with_rules("found_urls", FindRules(schemes, bare, syntax, defanged), find_row)


def defanged(schemes, bint bare):
    """The field of texts whose URLs are defanged."""
    return with_rules("defanged", FindRules(schemes, bare, "text", False), defang_row)


def refanged(schemes, bint bare):
    """The field of texts whose URLs are as they were before they were defanged."""
    return with_rules("refanged", FindRules(schemes, bare, "text", True), refang_row)
