# A part of canonical.pyx: the host that a URL counts for, in limits and in shards. docs/crawl.md has the definitions.

from libc.stdint cimport int64_t, uint8_t, uint64_t

from weburl._core.host cimport HOST_DOMAIN
from weburl._core.arguments import wrong_type
from weburl._core.percent cimport ascii_text
from weburl._core.record cimport Record, URLView, view_text
from weburl._core.status cimport OK, Status
from weburl._crawl.policy cimport big_endian, blake2b
from weburl._hosts.suffixes cimport PublicSuffixList, Suffixes, find_site, list_in_use
from weburl._parsed cimport failure


cdef const uint8_t* group_of(
    const Suffixes* suffixes, const uint8_t* href, const Record* record, Py_ssize_t* length
) noexcept nogil:
    cdef const uint8_t* host = href + record.host_start
    cdef Py_ssize_t n = record.host_end - record.host_start, begin = -1
    if record.host_type == HOST_DOMAIN:
        begin = find_site(suffixes, host, n, True).registrable_domain
        if n > 1 and host[n - 1] == c'.':
            n -= 1
    begin = max(begin, 0)
    length[0] = n - begin
    return host + begin


# https://arxiv.org/abs/1406.2294
cdef int64_t jump(uint64_t key, int64_t count) noexcept nogil:
    cdef int64_t bucket = -1, next_bucket = 0
    while next_bucket < count:
        bucket = next_bucket
        key = key * <uint64_t> 0x27BB2EE687B0B0FD + 1
        next_bucket = <int64_t> (<double> (bucket + 1) * (<double> (<int64_t> 1 << 31) / <double> ((key >> 33) + 1)))
    return bucket


cdef int64_t shard_of(const Suffixes* suffixes, const uint8_t* href, const Record* record, int64_t count) noexcept nogil:
    cdef uint64_t[8] digest
    cdef Py_ssize_t n
    cdef const uint8_t* group = group_of(suffixes, href, record, &n)
    blake2b(digest, group, n)
    return jump(big_endian(digest, 0), count)


def jump_hash(key, count):
    """The bucket of a key of 64 bits among so many."""
    return jump(key, count)


cpdef object check_shards(object n):
    """The argument, if there can be so many shards."""
    if not isinstance(n, int) or isinstance(n, bool):
        raise wrong_type(n, "n must be an int")
    if not 1 <= n < 1 << 31:
        raise ValueError("n must be an int from 1 to 2147483647")
    return int(n)


def host_group(url, *, psl=None):
    """host_group(url, *, psl=None)
--

    The host that a URL counts for: its registrable domain or, if there is none, its host; None without a host.

    >>> host_group("https://news.example.co.uk/a"), host_group("http://127.0.0.1:8000/"), host_group("mailto:ada@example.com")
    ('example.co.uk', '127.0.0.1', None)

    A dot at the end of a domain is not part of the group. `psl` is the public suffix list, by default that of the package
    publicsuffixlist. InvalidURL is raised if a str does not parse.
    """
    cdef PublicSuffixList used = list_in_use(psl)
    cdef Record record
    cdef URLView view
    cdef Status status = OK
    cdef Py_ssize_t n = 0
    cdef const uint8_t* group
    cdef str href = href_of(url, None, &record, &status)
    if href is None:
        raise failure(url, None, status)
    view_text(&view, href, &record)
    group = group_of(&used.suffixes, view.href, &record, &n)
    return ascii_text(group, n) if n else None


def shard(url, n, *, psl=None):
    """shard(url, n, *, psl=None)
--

    The shard of a URL, from 0 to n - 1: the same for all URLs with the same `host_group`.

    >>> shard("https://news.example.co.uk/a", 16), shard("http://example.co.uk/", 16)
    (10, 10)

    If n grows by one, about one group in n moves, and only to the new shard. The number is the jump hash of the first 64
    bits of the BLAKE2b digest of the group. URLs without a host have one shard. `psl` is as in `host_group`.
    """
    cdef PublicSuffixList used = list_in_use(psl)
    cdef Record record
    cdef URLView view
    cdef Status status = OK
    cdef int64_t count = check_shards(n)
    cdef str href = href_of(url, None, &record, &status)
    if href is None:
        raise failure(url, None, status)
    view_text(&view, href, &record)
    return shard_of(&used.suffixes, view.href, &record, count)
