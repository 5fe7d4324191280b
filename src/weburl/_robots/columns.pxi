# A part of rules.pyx: the column that says which URLs a file allows. It is in that module, since a compiled module of its own
# would take some KB of the wheel.

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc

from weburl._arrow.batch cimport BITS, Batch, ColumnBuffers
from weburl._arrow.columns cimport (
    WHOLE_URL, Block, Field, ParsedRow, VerbState, Worker, bound, field, put_bits, settle, verb_state,
    with_arguments,
)
from weburl._arrow.input cimport RowText
from weburl._core.record cimport URLView, clear_record
from weburl._core.status cimport NO_MEMORY, OK, RAISED, Status

ctypedef struct RobotsState:
    const Automaton* automaton
    Mode mode
    Scratch scratch
    uint64_t allowed            # of the rows that make_row() has seen


ctypedef struct SharedRules:
    const Automaton* automaton
    Mode mode


cdef void* open_robots_state(const void* shared) noexcept nogil:
    cdef const SharedRules* rules = <const SharedRules*> shared
    cdef const Automaton* automaton = rules.automaton
    cdef size_t size = sizeof(RobotsState) + automaton.n_stars * sizeof(Job) + automaton.n_outcomes * sizeof(uint32_t)
    cdef RobotsState* self = <RobotsState*> calloc(size, 1)
    if self != NULL:
        self.automaton = automaton
        self.mode = rules.mode
        self.scratch.jobs = <Job*> (self + 1)
        self.scratch.visited = <uint32_t*> (self.scratch.jobs + automaton.n_stars)
    return self


# Of URLs as they are parsed.
cdef Status put_robots(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef RobotsState* self = <RobotsState*> state
    cdef Block* block = &worker.block
    cdef const ParsedRow* row
    cdef uint64_t bits = 0
    cdef int64_t rank
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        if block.ok >> i & 1:
            row = &block.rows[i]
            rank = rank_of_record(
                self.automaton, row.href, row.length, &row.record, &worker.result, &self.scratch
            )
            if rank == FAILED:
                return NO_MEMORY
            bits |= <uint64_t> allows(self.automaton, rank) << i
    worker.result.length = 0
    put_bits(column.slots, block.index, bits)
    column.count += block.count
    return OK


# Of the texts, without a parser.
cdef Status read_robots_row(
    void* state, Worker* worker, Batch batch, const RowText* text, const URLView* base, ParsedRow* row
) except RAISED nogil:
    cdef RobotsState* self = <RobotsState*> state
    cdef uint64_t bit = <uint64_t> 1 << (row - worker.block.rows)
    cdef int64_t rank = rank_of_text(
        self.automaton, self.mode, text.data, text.length, &worker.result, &self.scratch
    )
    if rank == FAILED:
        return NO_MEMORY
    worker.result.length = 0
    self.allowed &= ~bit
    if allows(self.automaton, rank):
        self.allowed |= bit
    clear_record(&row.record)
    row.href = <const uint8_t*> b""
    row.length = 0
    row.arena = batch.arena_length
    row.buffer = 0
    row.offset = 0
    return OK


cdef Status put_read_rows(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const Block* block = &worker.block
    put_bits(column.slots, block.index, (<RobotsState*> state).allowed & block.ok)
    column.count += block.count
    return OK


FIELDS = {each.name: with_arguments(each) for each in (
    field("robots_allowed", BITS, WHOLE_URL, False, put_robots, "whether a robots.txt allows the URL"),
)}


@cython.final
@cython.no_gc
cdef class Column:
    """What the threads of a column share."""

    cdef SharedRules shared
    cdef Rules rules

    def __cinit__(self, Rules rules not None):
        self.rules = rules
        self.shared.automaton = &rules.automaton
        self.shared.mode = rules.mode


def allowed(Rules rules not None):
    """The field that says which URLs the rules allow."""
    cdef Column column = Column(rules)
    cdef VerbState state = verb_state(column, &column.shared)
    cdef Field made
    state.open = open_robots_state
    if rules.mode == WHATWG:
        return bound(FIELDS["robots_allowed"], state)
    state.make_row = read_robots_row
    made = bound(FIELDS["robots_allowed"], state)
    made.write = put_read_rows
    return made
