"""Columns for crawlers: what the Public Suffix List says of hosts, and fingerprints."""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from weburl._columns.batch cimport NUMBERS, Batch, Column
from weburl._columns.columns cimport FINGERPRINT, SITE, Block, Row, put_text, put_validity, settle
from weburl._core.host cimport HOST_DOMAIN
from weburl._crawl.blake2b cimport big_endian, blake2b
from weburl._hosts.suffixes cimport Site, find_site


cdef bint put_sites(Batch batch, Column* column, const Block* block) noexcept nogil:
    cdef uint64_t valid = 0
    cdef const Row* row
    cdef const uint8_t* host
    cdef Py_ssize_t n, begin
    cdef Site site
    cdef int i
    for i in range(block.count):
        row = &block.rows[i]
        begin = -1
        if block.ok >> i & 1 and row.record.host_type == HOST_DOMAIN:
            host = row.href + row.record.host_start
            n = row.record.host_end - row.record.host_start
            site = find_site(block.suffixes, host, n, True)
            begin = site.registrable_domain if column.field == SITE else site.public_suffix
        if begin < 0:
            if not put_text(batch, column, NULL, 0, NULL):
                return False
        else:
            valid |= <uint64_t> 1 << i
            if not put_text(batch, column, host + begin, n - begin, row):
                return False
    put_validity(column, block, valid)
    return True


cdef void put_fingerprints(Column* column, const Block* block) noexcept nogil:
    cdef uint64_t* numbers = <uint64_t*> column.slots + column.count
    cdef uint8_t* to = column.slots + 16 * column.count
    cdef uint64_t[8] digest
    cdef int i, k
    for i in range(block.count):
        if block.ok >> i & 1:
            blake2b(digest, block.rows[i].href, block.rows[i].length)
        else:
            memset(digest, 0, sizeof(digest))
        if column.type == NUMBERS:
            numbers[i] = big_endian(digest, 0) >> (64 - block.bits)
        else:
            for k in range(16):
                to[16 * i + k] = <uint8_t> (digest[k >> 3] >> 8 * (k & 7))
    column.count += block.count


cdef bint put_crawl_column(Batch batch, Column* column, Block* block) noexcept nogil:
    settle(batch, block)
    if column.field == FINGERPRINT:
        put_fingerprints(column, block)
        return True
    return put_sites(batch, column, block)
