"""The columns of crawlers: canonical forms and their fingerprints, and the groups of hosts with their shards."""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memset

from weburl._arrow.batch cimport DIGESTS, NUMBERS, SHORT_DIGESTS, STRINGS, Batch, ColumnBuffers, digest_size
from weburl._arrow.columns cimport (
    TEXT_TO_PORT, WHOLE_URL, Block, Field, ParsedRow, VerbState, Worker, bound, component, field, put_text, put_validity,
    run_parser, settle, verb_state, with_arguments,
)
from weburl._arrow.input cimport RowText
from weburl._arrow.job cimport move_row
from weburl._core.ascii cimport is_ascii
from weburl._core.parser cimport PATH_END_STATE, Parser, State, close_parser, open_parser
from weburl._core.record cimport HREF, Record, URLView
from weburl._core.status cimport NO_MEMORY, OK, RAISED, Status
from weburl._core.texts cimport open_at, read_prefix
from weburl._crawl.canonical cimport parse_under, push_canonical
from weburl._crawl.groups cimport group_of, shard_of
from weburl._crawl.policy cimport SURT, WHATWG, Policy, Rules, big_endian, blake2b, policy_in_use
from weburl._hosts.suffixes cimport PublicSuffixList, Suffixes, list_in_use

from weburl._crawl.groups import check_shards


# What parse_under() asks for a row.
ctypedef struct RowToParse:
    Worker* worker
    const RowText* text
    const URLView* base


cdef Status parse_this_row(void* caller, const uint8_t* text, Py_ssize_t length, URLView* url) except RAISED nogil:
    cdef const RowToParse* self = <const RowToParse*> caller
    cdef Worker* worker = self.worker
    cdef Parser* parser = &worker.parser
    cdef Record record
    cdef Py_ssize_t known = 0
    cdef State state
    cdef Status status
    if text == NULL:
        state = read_prefix(self.text.data, self.text.length, False, &record, &known)
        if state == PATH_END_STATE:
            url.href = self.text.data
            url.length = known
            url.record = record
            return OK
        open_at(parser, self.text.data, self.text.length, self.base, worker.utf8, False, state, known, &record)
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
    void* state, Worker* worker, Batch batch, const RowText* text, const URLView* base, ParsedRow* row
) except RAISED nogil:
    cdef const Rules* rules = <const Rules*> state
    cdef RowToParse to_parse
    cdef URLView url
    cdef Status status
    cdef bint may_be_surt = rules.kind == SURT and base == NULL and is_ascii(text.data, text.length)
    to_parse.worker = worker
    to_parse.text = text
    to_parse.base = base
    status = parse_under(
        rules, parse_this_row, &to_parse, text.data if may_be_surt else NULL, text.length, &worker.base_buffer, &url
    )
    if status == OK:
        worker.result.length = 0
        push_canonical(&worker.result, &url, rules)
        row.length = worker.result.length
        status = NO_MEMORY if worker.result.status else move_row(worker, batch, worker.result.data, row)
    close_parser(&worker.parser)
    return status


# `part` is how many bits of numbers are kept.
cdef Status put_fingerprint(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef Block* block = &worker.block
    cdef uint64_t* numbers = <uint64_t*> column.slots + column.count
    cdef int size = digest_size(column.type), i, k
    cdef uint8_t* to = column.slots + size * column.count
    cdef uint64_t[8] digest
    settle(batch, block)
    for i in range(block.count):
        if block.ok >> i & 1:
            blake2b(digest, block.rows[i].href, block.rows[i].length)
        else:
            memset(digest, 0, sizeof(digest))
        if column.type == NUMBERS:
            numbers[i] = big_endian(digest, 0) >> (64 - column.part)
        else:
            for k in range(size):
                to[size * i + k] = <uint8_t> (digest[k >> 3] >> 8 * (k & 7))
    column.count += block.count
    return OK


cdef Field fingerprint(str name, str doc):
    cdef Field self = field(name, NUMBERS, WHOLE_URL, False, put_fingerprint, doc)
    self.part = 64
    return self


cdef Status put_host_group(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef Block* block = &worker.block
    cdef const ParsedRow* row
    cdef const uint8_t* group
    cdef uint64_t valid = 0
    cdef Py_ssize_t n
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        row = &block.rows[i]
        n = 0
        group = NULL
        if block.ok >> i & 1:
            group = group_of(<const Suffixes*> state, row.href, &row.record, &n)
        if n:
            valid |= <uint64_t> 1 << i
        if not put_text(batch, column, group, n, row if n else NULL):
            return NO_MEMORY
    put_validity(column, block, valid)
    return OK


# How many shards there are, and the list of suffixes for their groups.
ctypedef struct Shards:
    const Suffixes* suffixes
    int64_t count


cdef class ShardArguments:
    cdef PublicSuffixList psl
    cdef Shards shards


cdef Status put_shard(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const Shards* self = <const Shards*> state
    cdef Block* block = &worker.block
    cdef uint64_t* numbers = <uint64_t*> column.slots + column.count
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        numbers[i] = 0
        if block.ok >> i & 1:
            numbers[i] = shard_of(self.suffixes, block.rows[i].href, &block.rows[i].record, self.count)
    column.count += block.count
    return OK


FIELDS = {each.name: each for each in (
    component("canonical", HREF, WHOLE_URL, False, "the canonical form"),
    fingerprint("fingerprint", "the fingerprint of the canonical form"),
    with_arguments(field(
        "host_group", STRINGS, TEXT_TO_PORT, True, put_host_group,
        "the registrable domain or, if there is none, the host",
    )),
    with_arguments(field("shard", NUMBERS, TEXT_TO_PORT, False, put_shard, "the shard of the host's group")),
)}


def host_groups(psl=None):
    """The field of the groups of hosts, by a list of suffixes."""
    cdef PublicSuffixList used = list_in_use(psl)
    return bound(FIELDS["host_group"], verb_state(used, &used.suffixes))


def shards(n, psl=None):
    """The field of shards."""
    cdef ShardArguments used = ShardArguments()
    used.psl = list_in_use(psl)
    used.shards.suffixes = &used.psl.suffixes
    used.shards.count = check_shards(n)
    return bound(FIELDS["shard"], verb_state(used, &used.shards))


def canonical_forms(policy, int bits=64):
    """The fields of canonical forms and of their fingerprints. Without a policy these are of the serialization."""
    cdef Policy used
    cdef VerbState state = None
    cdef Field fingerprints
    if policy is not None:
        used = policy_in_use(policy)
        # The canonical form under WHATWG is the serialization.
        if used.rules.kind != WHATWG:
            state = verb_state(used, &used.rules)
            state.make_row = canonicalize_row
    fingerprints = bound(FIELDS["fingerprint"], state)
    fingerprints.part = bits
    if bits > 64:
        fingerprints.type = DIGESTS if bits == 128 else SHORT_DIGESTS
    return bound(FIELDS["canonical"], state), fingerprints
