from libc.stdint cimport uint8_t, uint16_t, uint64_t

from weburl._redact.values cimport HostTable, PathRules


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


# Where a text is, which says what counts as a secret.
cdef enum Place:
    IN_QUERY                    # all of it
    IN_KEPT                     # of a name that a policy keeps: no mail address, card, hex and base64
    IN_NAME                     # names as in a path
    IN_PATH                     # no hex and no base64; a name needs an equals sign after it, or quotes around it
    IN_TEMPLATE                 # as in a path; an empty value counts, for which a template has a placeholder
    IN_SEGMENT                  # no names, either


# Of a name, one bit for each list; as in secrets.py.
cdef enum:
    SECRET = 1
    TOKEN = 2
    SEGMENT = 4
    PLAIN = 8                   # no secret by name, hex or base64
    ESCAPED = 16                # a backslash is in the name
    NUMBER = 32                 # hidden if it is digits
    COUNT = 64                  # hidden if it is not a number
    LINK = 128                  # in a path: what looks random in the query is hidden
    FIRM = 256                  # a name that a policy adds, which is not PLAIN or COUNT
    KEPT = 512                  # a policy says that values are no secrets
    # What rules for a host say, which counts before all others.
    HOST_HIDDEN = 1024
    HOST_KEPT = 2048
    # Names that a policy has besides those of weburl's, which fields in texts can have: of secrets, and of tokens.
    OWN = 4096
    OWN_TOKEN = 8192
    BY_NAME = SECRET | TOKEN | NUMBER | COUNT


# What bytes a text has.
cdef enum:
    HAS_DIGIT = 1
    HAS_UPPER = 2
    HAS_LOWER = 4
    HAS_DASH = 8                # - _
    HAS_PLUS = 16
    HAS_SOLIDUS = 32
    HAS_AT = 64
    HAS_LINK = 128              # = : ; & %
    HAS_SPACE = 256             # and tabs and newlines
    HAS_QUOTE = 512
    HAS_BACKSLASH = 1024
    HAS_MARK = 2048             # ? #
    HAS_OTHER = 4096
    HAS_LETTER = HAS_UPPER | HAS_LOWER
    HAS_WORD = HAS_DIGIT | HAS_LETTER | HAS_DASH
    HAS_BASE64 = HAS_PLUS | HAS_SOLIDUS
    SHORTEST = 13               # of what is hidden by its form and has no @ and no escape: a JWT


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


cdef uint16_t[256] has

cdef inline uint16_t bytes_of(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint16_t classes = 0
    cdef Py_ssize_t i
    for i in range(n):
        classes |= has[p[i]]
    return classes

cdef inline bint is_word(uint8_t c) noexcept nogil:
    return (has[c] & HAS_WORD) != 0

cdef inline bint is_alphanumeric(uint8_t c) noexcept nogil:
    return (has[c] & (HAS_DIGIT | HAS_LETTER)) != 0

cdef inline bint is_solidus(uint8_t c) noexcept nogil:
    return c == c'/' or c == c'\\'

# The parser removes these wherever they are.
cdef inline bint is_removed(uint8_t c) noexcept nogil:
    return c == c'\t' or c == c'\n' or c == c'\r'

# The lists that have one of the names: a name can have several, as in `user[password]`. And whether it has a backslash.
cdef uint16_t lists_of(const Names* self, const uint8_t* p, Py_ssize_t n) noexcept nogil

# Whether a value is a secret because its name is on these lists, by the value's shape; is_random() says so of TOKEN.
cdef bint is_secret_value(uint16_t lists, const uint8_t* p, Py_ssize_t n) noexcept nogil
# Whether a key of a webhook follows a path that ends at i with names of a team and of a channel.
cdef bint follows_team(const uint8_t* p, Py_ssize_t i) noexcept nogil
cdef bint begins_with_hook(const uint8_t* p, Py_ssize_t n) noexcept nogil

# Whether a query has a value that looks random, whose name is not plain.
cdef bint has_random_parameter(const Names* names, const uint8_t* p, Py_ssize_t n) noexcept nogil
# Whether the value in which a text at i is has a plain name.
cdef bint has_plain_name(const Names* self, const uint8_t* p, Py_ssize_t i) noexcept nogil

# All of these are of a text without escapes.
cdef bint is_hex(const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef bint is_base64(const uint8_t* p, Py_ssize_t n) noexcept nogil
# Whether bytes begin with a word in lower case, in any case.
cdef bint begins_with(const uint8_t* p, Py_ssize_t n, const char* word, Py_ssize_t length) noexcept nogil
# A value that looks random, and a text that begins with a segment of a path that does.
cdef bint is_random(const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef bint begins_with_random_segment(const uint8_t* p, Py_ssize_t n) noexcept nogil
# A JWT or the key of a service, at the beginning of a word.
cdef Kind find_key(const uint8_t* p, Py_ssize_t n) noexcept nogil
# The same; `at` gets where it begins.
cdef Kind next_key(const uint8_t* p, Py_ssize_t n, Py_ssize_t* at) noexcept nogil
# Whether one of these may begin there, decided by a few bytes.
cdef bint may_begin_key(const uint8_t* p, Py_ssize_t n) noexcept nogil
# Whether what follows the first colon of an authority cannot be a port, so that it is the start of a password.
cdef bint has_no_port(const uint8_t* p, Py_ssize_t n) noexcept nogil
# What a name says of its value.
cdef enum FieldName:
    NO_FIELD
    KEY_FIELD                   # `api-key`, `auth_token`, `apiKey`, `apikey`
    RANDOM_FIELD                # any other token, which is a secret if it looks random

# Of the name that ends with `key` or `token`.
cdef FieldName key_name(const uint8_t* p, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
# How long the rest of a name is that begins with that of a field with a secret, or 0.
cdef Py_ssize_t field_length(const uint8_t* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil

# Whether a word begins at i in a name such as `apiKey`.
cdef inline bint begins_hump(const uint8_t* p, Py_ssize_t i) noexcept nogil:
    return c'A' <= p[i] <= c'Z' and c'a' <= p[i - 1] <= c'z'

# The form of a secret in a text that has these bytes.
cdef Kind find_form(const uint8_t* p, Py_ssize_t n, uint16_t classes, Place place, const Names* names) noexcept nogil
