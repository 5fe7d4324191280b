from libc.stdint cimport uint8_t


cdef enum PolicyKind:
    WHATWG
    WHATWG_NO_FRAGMENT
    CRAWL
    SURT


cdef enum FragmentKept:
    NO_FRAGMENT
    HASHBANG
    ANY_FRAGMENT


# Names in lower case, by their first byte; one that ends in a star matches all names that begin with the rest.
ctypedef struct Words:
    const uint8_t* pool
    Py_ssize_t* ends            # of each in the pool; ends[0] is 0
    Py_ssize_t[257] starts      # the first with a byte


ctypedef struct Rules:
    PolicyKind kind
    Words parameters            # whose pairs are removed
    Words index_names
    FragmentKept fragment
    bint session_ids            # the others say what is done
    bint sort_query
    bint remove_repeated_pairs
    bint remove_trailing_slash
    bint remove_trailing_dot
    bint remove_www
    bint remove_credentials
    bint merge_schemes
    bint changes_authority      # one of the four above
    # Of a SURT:
    bint with_scheme
    bint trailing_comma
    bint keep_www


cdef class Policy:
    cdef readonly str name
    cdef readonly int version
    cdef object own_name        # as it was given, or None
    cdef dict knobs             # by their names
    cdef bytes parameter_pool, index_pool
    cdef Rules rules


# The policy for an argument `policy`.
cdef Policy policy_in_use(object policy)

cdef bint contains(const Words* words, const uint8_t* p, Py_ssize_t n) noexcept nogil
