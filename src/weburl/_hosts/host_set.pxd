from libc.stdint cimport uint8_t, uint32_t

from weburl._core.buffer cimport Buffer, release, start
from weburl._core.host cimport HOST_NULL, HostType
from weburl._core.parser cimport length_limit


# The host that a function was called with, parsed. `data` is in `out`, or in the text that read_host() returns.
ctypedef struct ParsedHost:
    HostType host_type
    const uint8_t* data
    Py_ssize_t length
    Py_ssize_t scheme_end       # of a URL, in its text; else 0
    Buffer out
    uint8_t[256] scratch


cdef inline void start_host(ParsedHost* self) noexcept nogil:
    self.host_type = HOST_NULL
    self.scheme_end = 0
    start(&self.out, self.scratch, sizeof(self.scratch), length_limit)


cdef inline void close_host(ParsedHost* self) noexcept nogil:
    release(&self.out)


# Reads a str, a Host, a URL or an address, and returns the text that has the host, or None. InvalidURL is raised for a str
# that is not a host; `for_urls` is what to use for a URL's text.
cdef object read_host(ParsedHost* self, object host, str for_urls)

# Reads an opaque host as that of an http URL, if that parses.
cdef int read_in_http(ParsedHost* self) except -1


# Where an entry's name is in the pool, by the hash of the name. A name has a slot for each kind of entry.
ctypedef struct Slot:
    uint32_t hash
    uint32_t offset


# Entries: each is a line of the pool, in the order given: its kind (a byte), its name, and if the kind and the name do not
# give its text, a tab and that text. An empty table has no slots.
ctypedef struct HostTable:
    uint8_t* pool
    Py_ssize_t length
    uint8_t* tags               # eight bits of each slot's hash, which caches hold more of; 0 for a free slot
    Slot* slots
    Py_ssize_t size
    Py_ssize_t count


# The entries are names for themselves; the caller closes the table, whatever happens.
cdef int open_names(HostTable* self, object names) except -1
cdef void close_table(HostTable* self) noexcept nogil

# Where the name of the most specific entry for a name is in the pool, or -1. With `is_domain`, entries for names above it
# are looked at, too.
cdef Py_ssize_t find_name(const HostTable* self, const uint8_t* p, Py_ssize_t n, bint is_domain) noexcept nogil

# The same for the host of a URL.
cdef Py_ssize_t find_host(const HostTable* self, HostType host_type, const uint8_t* p, Py_ssize_t n) noexcept nogil


cdef class HostSet:
    cdef HostTable table
    cdef Py_hash_t hash         # 0 if it is not known


cdef HostSet host_set_of(object hosts)
