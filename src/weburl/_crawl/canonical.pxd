from libc.stdint cimport uint8_t

from weburl._core.buffer cimport Buffer
from weburl._core.record cimport Record, URLView
from weburl._core.status cimport RAISED, Status


cdef enum PolicyKind:
    WHATWG
    CRAWL
    SURT


# Names in lower case, by their first byte; one that ends in a star matches all names that begin with the rest.
ctypedef struct Words:
    const uint8_t* pool
    Py_ssize_t* ends            # of each in the pool; ends[0] is 0
    Py_ssize_t[257] starts      # the first with a byte


ctypedef struct Rules:
    PolicyKind kind
    Words tracking_parameters
    Words index_names


# What a query has between its ampersands: a name and, with an equals sign, a value.
ctypedef struct Parameter:
    const uint8_t* p
    Py_ssize_t length
    Py_ssize_t name_length


cdef class Policy:
    cdef readonly str name
    cdef readonly int version
    cdef readonly object tracking_parameters, index_names
    cdef bytes tracking_pool, index_pool
    cdef Rules rules


# The policy for an argument `policy`.
cdef Policy policy_in_use(object policy)

# Pushes the canonical form of a URL.
cdef void push_canonical(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil

# Parses a text into `url`, or what the caller was given where the text is NULL. Where it fails, `url` stays.
ctypedef Status (*ParseText)(void* caller, const uint8_t* text, Py_ssize_t length, URLView* url) except RAISED nogil

# Parses what the caller was given, as the policy reads it: under `surt`, a SURT means a URL that has this SURT. `text` is
# what was given, if it is ASCII and may be a SURT, else NULL; `scratch` holds the URL of a SURT.
cdef Status parse_under(
    const Rules* rules, ParseText parse, void* caller, const uint8_t* text, Py_ssize_t length, Buffer* scratch,
    URLView* url,
) except RAISED nogil

# Sorts by name, then by value, with room for as many in `other`.
cdef void sort_parameters(Parameter* parameters, Py_ssize_t n, Parameter* other) noexcept nogil

# The serialization of a str or a URL; None if it does not parse.
cdef str href_of(object url, Record* record, Status* status)

# Pushes a text with its escapes decoded until none are left, including those that decoding makes.
cdef void push_unescaped(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil
