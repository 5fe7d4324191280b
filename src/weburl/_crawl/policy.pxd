from libc.stdint cimport uint8_t, uint16_t, uint64_t

from weburl._core.ascii cimport hex_value, is_hex_digit
from weburl._core.buffer cimport Buffer
from weburl._core.record cimport URLView
from weburl._hosts.suffixes cimport PublicSuffixList, Suffixes


# What a byte is to the policy `crawl`: whether it cannot stand raw in a component, and whether its escape there is
# decoded. What separates stands raw and is not decoded, so each spelling stays.
cdef enum:
    PATH_ESCAPED = 1
    PATH_DECODED = 1 << 1
    QUERY_ESCAPED = 1 << 2
    NAME_DECODED = 1 << 3
    VALUE_DECODED = 1 << 4
    USERINFO_ESCAPED = 1 << 5
    USERINFO_DECODED = 1 << 6
    OPENS_SESSION = 1 << 7      # a path that has none of these bytes has no session identifier
    ENDS_PARAMETER = 1 << 8     # or its name

cdef uint16_t[256] escape_class


# The next index from i on with a byte of these classes, or n. Ors the classes of those before into `seen`.
cdef inline Py_ssize_t scan_classes(
    const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint16_t classes, uint16_t* seen
) noexcept nogil:
    cdef uint16_t bits, all_classes = 0
    while n - i >= 4:
        bits = escape_class[p[i]] | escape_class[p[i + 1]] | escape_class[p[i + 2]] | escape_class[p[i + 3]]
        if bits & classes:
            break
        all_classes |= bits
        i += 4
    while i < n and not escape_class[p[i]] & classes:
        all_classes |= escape_class[p[i]]
        i += 1
    seen[0] |= all_classes
    return i


cdef inline bint is_escape(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    return p[i] == c'%' and n - i > 2 and is_hex_digit(p[i + 1]) and is_hex_digit(p[i + 2])


cdef inline uint8_t escaped_byte(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    return hex_value(p[i + 1]) << 4 | hex_value(p[i + 2])


# Pushes p[0:n] with each byte in its one spelling: raw, or as an escape in upper case. A percent sign that is not part of
# an escape is a byte like others. Gives the classes of the bytes that stand raw now, or-ed.
cdef uint16_t push_respelled(Buffer* out, const uint8_t* p, Py_ssize_t n, uint16_t escaped, uint16_t decoded) noexcept nogil


cdef enum:
    FEW = 64


# What a query has between its ampersands: a name and, with an equals sign, a value.
ctypedef struct Parameter:
    const uint8_t* p
    Py_ssize_t length
    Py_ssize_t name_length


# The parameters of a query, and room to sort them.
ctypedef struct ParameterList:
    Parameter[2 * FEW] few
    Parameter* items
    Py_ssize_t count


# Makes room for all parameters of a query; false if that fails.
cdef bint open_list(ParameterList* self, const uint8_t* query, Py_ssize_t n) noexcept nogil
cdef void close_list(ParameterList* self) noexcept nogil

# Drops those that repeat an earlier one; false if memory runs out.
cdef bint drop_repeated(ParameterList* self, bint is_sorted) noexcept nogil

# Pushes a question mark and the parameters, or nothing if there is nothing.
cdef void push_list(Buffer* out, const ParameterList* self) noexcept nogil

# Sorts by name, then by value, with room for as many in `other`.
cdef void sort_parameters(Parameter* parameters, Py_ssize_t n, Parameter* other) noexcept nogil


# RFC 7693, unkeyed, with a digest of 64 bytes: the digest as its eight words, in their order.
cdef void blake2b(uint64_t* h, const uint8_t* p, Py_ssize_t n) noexcept nogil


# The same with a key of at most 64 bytes, and a digest of 8 bytes, which is the first word: of a text without its
# percent-escapes. `keyed` has eight words.
cdef void open_key(uint64_t* keyed, const uint8_t* key, Py_ssize_t n) noexcept nogil
cdef uint64_t keyed_hash(const uint64_t* keyed, const uint8_t* p, Py_ssize_t n) noexcept nogil


# The first eight bytes of what blake2b() gives from word i on, as a number.
cdef inline uint64_t big_endian(const uint64_t* h, int i) noexcept nogil:
    cdef uint64_t value = 0
    cdef int byte
    for byte in range(8):
        value = value << 8 | (h[i] >> 8 * byte & 0xFF)
    return value


cdef enum PolicyKind:
    WHATWG
    WHATWG_NO_FRAGMENT
    CRAWL
    SURT


cdef enum FragmentKept:
    NO_FRAGMENT
    HASHBANG
    ANY_FRAGMENT


# What the value of a parameter must look like.
cdef enum ValueShape:
    ANY_VALUE
    HEX32
    DIGITS
    TIME
    DOTTED


# Where a name counts, beside the name itself: of these hosts, if there is one, and with such a value.
ctypedef struct Condition:
    ValueShape shape
    Py_ssize_t host             # in the pool
    Py_ssize_t host_length


# Names in lower case, by their first byte; one that ends in a star matches all names that begin with the rest.
ctypedef struct Words:
    const uint8_t* pool
    Py_ssize_t* ends            # of each in the pool; ends[0] is 0
    Condition* conditions
    Py_ssize_t[257] starts      # the first with a byte
    uint64_t[256] lengths       # by their first byte: a bit for each length of what they match, the last for all longer


ctypedef struct Rules:
    PolicyKind kind
    Words parameters            # whose pairs are removed
    Words index_names
    FragmentKept fragment
    bint session_ids            # the others say what is done
    bint sort_query
    bint remove_repeated_pairs
    bint merge_slashes
    bint remove_trailing_slash
    bint remove_amp
    bint remove_trailing_dot
    bint remove_www
    bint remove_mobile
    const Suffixes* suffixes    # of remove_mobile, else NULL
    bint remove_credentials
    bint merge_schemes
    bint changes_authority      # one of the five above
    # Of a SURT:
    bint with_scheme
    bint trailing_comma
    bint keep_www
    bint archive_exact


cdef class PolicyValue:
    cdef str label
    cdef int number
    cdef dict settings          # by their names
    cdef dict defaults          # what they are in weburl's own policy
    cdef object restorer(self)  # what makes the policy from its pickle


# For constructors. Raises for arguments that are not settings; sets name and version.
cdef int refuse_others(PolicyValue self, tuple values, dict others) except -1
cdef int set_identity(PolicyValue self, str own_name, object name, object version) except -1


cdef class Policy(PolicyValue):
    cdef bytes parameter_pool, index_pool
    cdef PublicSuffixList psl   # of remove_mobile
    cdef Rules rules


# The policy for an argument `policy`.
cdef Policy policy_in_use(object policy)

# Whether there is such a name. With the parameter and the URL that it is from, conditions must hold.
cdef bint contains(
    const Words* words, const uint8_t* p, Py_ssize_t n, const Parameter* parameter, const URLView* url
) noexcept nogil
