"""The columns of hosts: sites and public suffixes, and whether a host is private or on a list."""

from libc.stdint cimport uint8_t, uint64_t

from weburl._arrow.batch cimport BITS, STRINGS, Batch, ColumnBuffers
from weburl._arrow.columns cimport (
    TEXT_TO_PORT, Block, ParsedRow, VerbState, Worker, answer_domain, bound, field, put_bits, put_text, put_validity,
    settle, verb_state, with_arguments,
)
from weburl._core.buffer cimport Buffer
from weburl._core.host cimport (
    HOST_DOMAIN, HOST_OPAQUE, DomainToASCII, HostType, close_to_ascii, open_to_ascii, parse_host,
)
from weburl._core.parser cimport length_limit
from weburl._core.status cimport NEED_DOMAIN, NO_MEMORY, OK, RAISED, Status
from weburl._hosts.suffixes cimport (
    HostPatterns, HostRules, PublicSuffixList, Site, Suffixes, find_site, is_looked_at, is_match, is_private,
    list_in_use,
)


# The public suffix, or with `registrable` the registrable domain.
cdef Status put_site_part(
    const Suffixes* suffixes, Batch batch, ColumnBuffers* column, Worker* worker, bint registrable
) noexcept nogil:
    cdef Block* block = &worker.block
    cdef uint64_t valid = 0
    cdef const ParsedRow* row
    cdef const uint8_t* host
    cdef Py_ssize_t n, begin
    cdef Site site
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        row = &block.rows[i]
        begin = -1
        if block.ok >> i & 1 and row.record.host_type == HOST_DOMAIN:
            host = row.href + row.record.host_start
            n = row.record.host_end - row.record.host_start
            site = find_site(suffixes, host, n, True)
            begin = site.registrable_domain if registrable else site.public_suffix
        if begin < 0:
            if not put_text(batch, column, NULL, 0, NULL):
                return NO_MEMORY
        else:
            valid |= <uint64_t> 1 << i
            if not put_text(batch, column, host + begin, n - begin, row):
                return NO_MEMORY
    put_validity(column, block, valid)
    return OK


cdef Status put_site(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    return put_site_part(<const Suffixes*> state, batch, column, worker, True)


cdef Status put_public_suffix(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    return put_site_part(<const Suffixes*> state, batch, column, worker, False)


# What a row says of its host, read as in an http URL: whether it is private or, with `listed`, whether it is on the list.
cdef Status put_hosts(
    const HostRules* hosts, Batch batch, ColumnBuffers* column, Worker* worker, bint listed
) except RAISED nogil:
    cdef Block* block = &worker.block
    cdef Buffer* out = &worker.result
    cdef uint64_t bits = 0
    cdef const ParsedRow* row
    cdef const uint8_t* host
    cdef Py_ssize_t n
    cdef HostType host_type, in_http = HOST_OPAQUE
    cdef Status status
    cdef int i
    settle(batch, block)
    for i in range(block.count):
        row = &block.rows[i]
        if not block.ok >> i & 1 or (listed and not is_looked_at(hosts, row.href, row.record.scheme_end)):
            continue
        host_type = <HostType> row.record.host_type
        host = row.href + row.record.host_start
        n = row.record.host_end - row.record.host_start
        if host_type == HOST_OPAQUE:
            status = read_in_http(worker, host, n, &in_http)
            if status == NO_MEMORY:
                return NO_MEMORY
            if status == OK and out.length <= length_limit:
                host_type = in_http
                host = out.data
                n = out.length
        if is_match(hosts, host_type, host, n) if listed else is_private(hosts, host_type, host, n):
            bits |= <uint64_t> 1 << i
    put_bits(column.slots, block.index, bits)
    column.count += block.count
    return OK


# Parses an opaque host as that of an http URL, into the worker's result.
cdef Status read_in_http(Worker* worker, const uint8_t* p, Py_ssize_t n, HostType* host_type) except RAISED nogil:
    cdef DomainToASCII* to_ascii = &worker.parser.to_ascii
    cdef Status status
    worker.result.length = 0
    # No parser is at work meanwhile. What raises leaves it to be closed with the worker.
    open_to_ascii(to_ascii)
    status = parse_host(&worker.result, p, n, False, to_ascii, host_type)
    if status == NEED_DOMAIN:
        status = answer_domain(worker, to_ascii)
        if status == OK:
            status = parse_host(&worker.result, p, n, False, to_ascii, host_type)
    close_to_ascii(to_ascii)
    return worker.result.status or status


cdef Status put_is_private(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    return put_hosts(<const HostRules*> state, batch, column, worker, False)


cdef Status put_host_in(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    return put_hosts(<const HostRules*> state, batch, column, worker, True)


FIELDS = {each.name: with_arguments(each) for each in (
    field(
        "registrable_domain", STRINGS, TEXT_TO_PORT, True, put_site, "the registrable domain; null if there is none",
    ),
    field(
        "public_suffix", STRINGS, TEXT_TO_PORT, True, put_public_suffix,
        "the public suffix; null if there is none",
    ),
    field("is_private", BITS, TEXT_TO_PORT, False, put_is_private, "whether the URL's host is private"),
    field("host_in", BITS, TEXT_TO_PORT, False, put_host_in, "whether the URL's host matches a pattern"),
)}


def sites(psl=None):
    """The fields of sites and of public suffixes, by a list."""
    cdef PublicSuffixList used = list_in_use(psl)
    cdef VerbState state = verb_state(used, &used.suffixes)
    return bound(FIELDS["registrable_domain"], state), bound(FIELDS["public_suffix"], state)


def private_hosts():
    """The field that says whether hosts are private."""
    cdef HostPatterns hosts = HostPatterns.private()
    return bound(FIELDS["is_private"], verb_state(hosts, &hosts.rules))


def hosts_in(HostPatterns hosts not None):
    """The field that says whether hosts are on a list."""
    return bound(FIELDS["host_in"], verb_state(hosts, &hosts.rules))
