# Policies, and URLs without secrets: for the columns of columns.pyx. `_learn` and `cli/counting` make templates of paths.

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

from weburl._core.buffer cimport Buffer
from weburl._core.record cimport URLView
from weburl._crawl.policy cimport PolicyValue


# What a secret is found by. The names are in secrets.py.
cdef enum Kind:
    NOTHING = -1
    CREDENTIALS
    NAME
    JWT
    KEY
    EMAIL
    CARD
    HEX
    BASE64
    ADDRESS
    KINDS


# What bytes a text has; bytes.pxi has the others.
cdef enum:
    HAS_DIGIT = 1
    HAS_UPPER = 2
    HAS_LOWER = 4
    HAS_DASH = 8                # - _
    HAS_LETTER = HAS_UPPER | HAS_LOWER
    HAS_WORD = HAS_DIGIT | HAS_LETTER | HAS_DASH

# Filled in bytes.pxi.
cdef uint16_t[256] has

cdef inline bint is_word(uint8_t c) noexcept nogil:
    return (has[c] & HAS_WORD) != 0


# Rules of a policy for paths, from rules.py.
ctypedef struct PathRules:
    uint64_t all                # one bit for each
    const int32_t* starts       # the first segment of each
    const int32_t* segments     # where each is in the pool, and its length, ANY_SEGMENT or SECRET_SEGMENT
    const uint8_t* pool


# Sorted hosts, and the number of the rules of each.
ctypedef struct HostTable:
    Py_ssize_t count
    const int32_t* ends         # of each in the pool; ends[0] is 0
    const uint16_t* sets
    const uint8_t* pool


# secrets.Automaton, which owns the memory.
ctypedef struct Names:
    const uint16_t* next
    const uint16_t* now
    const uint16_t* at_end
    uint16_t start
    # Whether what a template has in place of a segment has a name.
    bint are_of_placeholders
    bint hides_addresses        # whole ones
    uint16_t own                # OWN, OWN_TOKEN and KEPT, if there are such names
    # If not NULL, the only names, each after a line end and before one, as they are written.
    const uint8_t* exact
    Py_ssize_t exact_length
    PathRules paths
    # Hosts that have names of their own.
    HostTable hosts
    const Names* of_hosts
    # What hashes are made with, or NULL.
    const uint64_t* keyed


cdef class LogPolicy(PolicyValue):
    cdef object tables          # which the names point into
    cdef Names names
    cdef Names* of_hosts
    cdef uint64_t[8] keyed


# The policy for an argument `policy`: of redact(), and of path_template().
cdef LogPolicy log_policy_in_use(object policy)
cdef LogPolicy path_policy_in_use(object policy)


# A part of the text that is hidden, and where what stands for it begins in the output.
ctypedef struct HiddenSpan:
    Py_ssize_t begin, end, at
    Kind kind


# Pushes a URL without its secrets, or nothing if there are none; says which.
cdef bint redact_url(
    Buffer* out, Buffer* decoded, const URLView* url, const Names* names, Py_ssize_t* counts
) noexcept nogil


# Pushes a text without its secrets, or nothing if there are none; says which. `spans` gets each HiddenSpan, if it is not
# NULL.
cdef bint redact_text_into(
    Buffer* out, Buffer* decoded, const uint8_t* p, Py_ssize_t n, const Names* names, Buffer* spans
) noexcept nogil


# Pushes a URL that has a text that begins with a solidus as its path. Of a password that ends the path, nothing is left.
cdef void push_url_of_path(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil

# Pushes the template of a URL's path.
cdef void push_template(Buffer* out, Buffer* decoded, const URLView* url, const Names* names) noexcept nogil

# A text that may be a URL all the same, without its secrets.
cdef str redacted_anyway(object text, const Names* names, Py_ssize_t* counts)


# What a byte does to a token: filled in tokens.pxi.
cdef uint8_t[256] ends

# Where the next `?` or `#` is, or `end`.
cdef inline Py_ssize_t next_query_mark(const uint8_t* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil:
    while i < end and p[i] != c'?' and p[i] != c'#':
        i += 1
    return i
