from libc.stdint cimport int64_t, uint8_t

from weburl._core.buffer cimport Buffer
from weburl._core.record cimport Record, URLView
from weburl._core.status cimport RAISED, Status
from weburl._crawl.policy cimport Rules
from weburl._hosts.suffixes cimport Suffixes


# Parses a text into `url`, or what the caller was given where the text is NULL. Where it fails, `url` stays.
ctypedef Status (*ParseText)(void* caller, const uint8_t* text, Py_ssize_t length, URLView* url) except RAISED nogil

# Parses what the caller was given, as the policy reads it: under `surt`, a SURT means a URL that has this SURT. `text` is
# what was given, if it is ASCII and may be a SURT, else NULL; `scratch` holds the URL of a SURT.
cdef Status parse_under(
    const Rules* rules, ParseText parse, void* caller, const uint8_t* text, Py_ssize_t length, Buffer* scratch,
    URLView* url,
) except RAISED nogil


# Pushes the canonical form of a URL, into a buffer that is empty.
cdef void push_canonical(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil

# Pushes a text with its escapes decoded until none are left, including those that decoding makes.
cdef void push_unescaped(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil

# The serialization of a str or a URL; None if it does not parse.
cdef str href_of(object url, object encoder, Record* record, Status* status)

# The registrable domain of a URL, or its host if there is none; the length is 0 without a host.
cdef const uint8_t* group_of(
    const Suffixes* suffixes, const uint8_t* href, const Record* record, Py_ssize_t* length
) noexcept nogil

cdef int64_t shard_of(const Suffixes* suffixes, const uint8_t* href, const Record* record, int64_t count) noexcept nogil
