"""The columns of crawlers: canonical forms and their fingerprints, and the groups of hosts with their shards;
and those of the index of Common Crawl.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memset

from weburl._arrow.batch cimport DIGESTS, NUMBERS, SHORT_DIGESTS, STRINGS, Batch, ColumnBuffers, entry_size
from weburl._arrow.columns cimport (
    TEXT_TO_PORT, WHOLE_URL, Block, Field, ParsedRow, VerbState, Worker, bound, component, field, put_text, put_validity,
    run_parser, settle, verb_state, with_arguments,
)
from weburl._arrow.input cimport RowText
from weburl._arrow.job cimport move_row
from weburl._core.ascii cimport is_ascii
from weburl._core.buffer cimport Buffer, push, push_run
from weburl._core.host cimport HOST_DOMAIN, HOST_NULL, HOST_OPAQUE
from weburl._core.parser cimport PATH_END_STATE, Parser, State, close_parser, open_parser
from weburl._core.record cimport HREF, PATHNAME, QUERY, SCHEME, Record, URLView, has_port
from weburl._core.status cimport NO_MEMORY, OK, RAISED, Status
from weburl._core.texts cimport open_at, read_prefix
from weburl._crawl.canonical cimport group_of, parse_under, push_canonical, shard_of
from weburl._crawl.policy cimport SURT, WHATWG, Policy, Rules, big_endian, blake2b, policy_in_use
from weburl._hosts.suffixes cimport PublicSuffixList, Site, Suffixes, find_site, list_in_use

from weburl._crawl.canonical import check_shards
from weburl._crawl.policy import SurtPolicy


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
    cdef int size = entry_size(column.type), i, k
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


# The key of a page under a policy, of a URL that stays beside it in other columns.
cdef Status put_key(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef Block* block = &worker.block
    cdef uint64_t* numbers = <uint64_t*> column.slots + column.count
    cdef Buffer* out = &worker.result
    cdef uint64_t[8] digest
    cdef URLView url
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        numbers[i] = 0
        if block.ok >> i & 1:
            out.length = 0
            url.href = block.rows[i].href
            url.length = block.rows[i].length
            url.record = block.rows[i].record
            push_canonical(out, &url, <const Rules*> state)
            if out.status:
                return NO_MEMORY
            blake2b(digest, out.data, out.length)
            numbers[i] = big_endian(digest, 0)
    column.count += block.count
    return OK


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


# The columns of Common Crawl's index, by its names:
# https://github.com/commoncrawl/cc-index-table/blob/fe3a5e0/src/main/resources/schema/cc-index-schema-flat.json

ctypedef struct CommonCrawl:
    const Suffixes* suffixes
    const Rules* surt


cdef class CommonCrawlArguments:
    cdef PublicSuffixList psl
    cdef Policy policy
    cdef CommonCrawl arguments


# The parts of hosts that columns have. Positive ones count labels from the end.
cdef enum HostPart:
    HOST_NAME = -1
    REVERSED_NAME = -2
    REGISTRY_SUFFIX = -3
    REGISTERED_DOMAIN = -4
    PRIVATE_SUFFIX = -5
    PRIVATE_DOMAIN = -6


cdef Status put_host_part(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const Suffixes* suffixes = (<const CommonCrawl*> state).suffixes
    cdef Block* block = &worker.block
    cdef Buffer* out = &worker.result
    cdef const Record* record
    cdef const uint8_t* host
    cdef const uint8_t* text
    cdef Py_ssize_t n
    cdef uint64_t valid = 0
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        record = &block.rows[i].record
        text = NULL
        n = 0
        if block.ok >> i & 1 and record.host_type != HOST_NULL and record.host_end > record.host_start:
            host = block.rows[i].href + record.host_start
            n = record.host_end - record.host_start
            if record.host_type != HOST_DOMAIN and record.host_type != HOST_OPAQUE:
                text = host if column.part == HOST_NAME else NULL
            elif record.host_type == HOST_DOMAIN or column.part >= REVERSED_NAME:
                if n > 1 and host[n - 1] == c'.':
                    n -= 1
                if column.part == REVERSED_NAME:
                    out.length = 0
                    push_reversed(out, host, n)
                    if out.status:
                        return NO_MEMORY
                    text = out.data
                else:
                    text = part_of_host(suffixes, column.part, host, &n)
        if text != NULL:
            valid |= <uint64_t> 1 << i
        if not put_text(batch, column, text, n if text != NULL else 0, NULL):
            return NO_MEMORY
    put_validity(column, block, valid)
    return OK


cdef inline Py_ssize_t start_of_label(const uint8_t* host, Py_ssize_t end) noexcept nogil:
    while end > 0 and host[end - 1] != c'.':
        end -= 1
    return end


# Where a part of a domain without a dot at its end starts, and its length; NULL if it has no such part.
cdef const uint8_t* part_of_host(
    const Suffixes* suffixes, int part, const uint8_t* host, Py_ssize_t* length
) noexcept nogil:
    cdef Py_ssize_t begin = 0, end = length[0]
    cdef Site site
    if part == HOST_NAME:
        return host
    if part < 0:
        if host[end - 1] == c'.':
            return NULL
        site = find_site(suffixes, host, end, part == PRIVATE_SUFFIX or part == PRIVATE_DOMAIN)
        begin = site.registrable_domain
        if part == REGISTRY_SUFFIX or part == PRIVATE_SUFFIX:
            begin = site.public_suffix
        if begin < 0 or not site.is_listed:
            return NULL
    else:
        begin = start_of_label(host, end)
        for part in range(part - 1, 0, -1):
            if begin == 0:
                return NULL
            end = begin - 1
            begin = start_of_label(host, end)
    length[0] = end - begin
    return host + begin


# The labels from the last to the first.
cdef void push_reversed(Buffer* out, const uint8_t* host, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t begin = start_of_label(host, n)
    push_run(out, host + begin, n - begin)
    while begin > 0:
        n = begin - 1
        begin = start_of_label(host, n)
        push(out, c'.')
        push_run(out, host + begin, n - begin)


cdef Status put_surt_key(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef Block* block = &worker.block
    cdef Buffer* out = &worker.result
    cdef URLView url
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        out.length = 0
        if block.ok >> i & 1:
            url.href = block.rows[i].href
            url.length = block.rows[i].length
            url.record = block.rows[i].record
            push_canonical(out, &url, (<const CommonCrawl*> state).surt)
            if out.status:
                return NO_MEMORY
        if not put_text(batch, column, out.data, out.length, NULL):
            return NO_MEMORY
    return OK


cdef Status put_port_number(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const Block* block = &worker.block
    cdef uint64_t* numbers = <uint64_t*> column.slots + column.count
    cdef const Record* record
    cdef uint64_t valid = 0
    cdef int i
    for i in range(block.count):
        record = &block.rows[i].record
        numbers[i] = 0
        if block.ok >> i & 1 and has_port(record):
            numbers[i] = record.port
            valid |= <uint64_t> 1 << i
    put_validity(column, block, valid)
    column.count += block.count
    return OK


cdef Field host_part(str name, int part, str doc):
    cdef Field self = with_arguments(field(name, STRINGS, TEXT_TO_PORT, True, put_host_part, doc))
    self.part = part
    return self


FIELDS = {each.name: each for each in (
    component("canonical", HREF, WHOLE_URL, False, "the canonical form"),
    fingerprint("fingerprint", "the fingerprint of the canonical form"),
    with_arguments(field(
        "host_group", STRINGS, TEXT_TO_PORT, True, put_host_group,
        "the registrable domain or, if there is none, the host",
    )),
    with_arguments(field("shard", NUMBERS, TEXT_TO_PORT, False, put_shard, "the shard of the host's group")),
    with_arguments(field("url_surtkey", STRINGS, WHOLE_URL, False, put_surt_key, "the SURT, as the library surt writes it")),
    component("url", HREF, WHOLE_URL, False, "the URL, serialized"),
    host_part("url_host_name", HOST_NAME, "the host, without a dot at its end"),
    host_part("url_host_tld", 1, "the last label"),
    host_part("url_host_2nd_last_part", 2, "the label before it"),
    host_part("url_host_3rd_last_part", 3, "the third label from the end"),
    host_part("url_host_4th_last_part", 4, "the fourth"),
    host_part("url_host_5th_last_part", 5, "the fifth"),
    host_part("url_host_registry_suffix", REGISTRY_SUFFIX, "the public suffix, by the list without its private domains"),
    host_part("url_host_registered_domain", REGISTERED_DOMAIN, "that suffix and the label before it"),
    host_part("url_host_private_suffix", PRIVATE_SUFFIX, "the public suffix, by the whole list"),
    host_part("url_host_private_domain", PRIVATE_DOMAIN, "that suffix and the label before it"),
    host_part("url_host_name_reversed", REVERSED_NAME, "the labels of a domain from the last to the first"),
    component("url_protocol", SCHEME, TEXT_TO_PORT, False, "the scheme"),
    field("url_port", NUMBERS, TEXT_TO_PORT, True, put_port_number, "the port, unless it is the scheme's default"),
    component("url_path", PATHNAME, WHOLE_URL, False, "the path"),
    component("url_query", QUERY, WHOLE_URL, True, "the query; null if there is none"),
)}
COMMON_CRAWL = tuple([name for name in FIELDS if name.startswith("url")])


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


def common_crawl(psl=None):
    """The fields of the columns of Common Crawl's index."""
    cdef CommonCrawlArguments used = CommonCrawlArguments()
    used.psl = list_in_use(psl)
    used.policy = SurtPolicy(archive_exact=True)
    used.arguments.suffixes = &used.psl.suffixes
    used.arguments.surt = &used.policy.rules
    cdef VerbState state = verb_state(used, &used.arguments)
    return tuple([
        bound(each, state) if (<Field> each).needs_arguments else each for each in [FIELDS[name] for name in COMMON_CRAWL]
    ])


KEY = with_arguments(field("key", NUMBERS, WHOLE_URL, False, put_key, "the fingerprint of the canonical form"))


def keys_beside(policy):
    """The field of fingerprints of 64 bits that can be beside other columns, or None.

    Under a policy that reads URLs as SURTs, there is none: then the canonical form is of another URL.
    """
    cdef Policy used = policy_in_use(policy)
    if used.rules.kind == SURT and not used.rules.archive_exact:
        return None
    if used.rules.kind == WHATWG:
        return FIELDS["fingerprint"]
    return bound(KEY, verb_state(used, &used.rules))


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
