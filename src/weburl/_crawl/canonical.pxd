from libc.stdint cimport uint8_t

from weburl._core.buffer cimport Buffer
from weburl._core.record cimport URLView


cdef enum PolicyKind:
    WHATWG
    CRAWL
    SURT


# Names in lower case, by their first byte; one that ends in a star stands for all that begin with the rest.
ctypedef struct Words:
    const uint8_t* pool
    Py_ssize_t* ends            # of each in the pool; ends[0] is 0
    Py_ssize_t[257] starts      # the first with a byte


ctypedef struct Rules:
    PolicyKind kind
    Words tracking_parameters
    Words index_names


# A piece of a query, between its ampersands: a name and, with an equals sign, a value.
ctypedef struct Piece:
    const uint8_t* p
    Py_ssize_t length
    Py_ssize_t name_length


cdef class Policy:
    cdef readonly str name
    cdef readonly int version
    cdef readonly object tracking_parameters, index_names
    cdef bytes tracking_pool, index_pool
    cdef Rules rules


# The policy that an argument stands for.
cdef Policy policy_in_use(object policy)

# Pushes the canonical form of a URL.
cdef void push_canonical(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil

# Under the policy `surt`, a SURT stands for a URL that has it: canonicalize() sees to that, for the text that is given, if
# it is ASCII, and then for the serialization (that of an http or https URL is none). Pushes a URL, which need not parse;
# false where there is no SURT.
cdef bint push_url_of_surt(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil

# Sorts by name, then by value, with room for as many in `other`.
cdef void sort_pieces(Piece* pieces, Py_ssize_t n, Piece* other) noexcept nogil
