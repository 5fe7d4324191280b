from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memchr

from weburl._core.buffer cimport Buffer

# Words between line ends, and whether a word is one of them, without case.
cdef bytes lines_of(names)
cdef bint is_one_of(const uint8_t* words, Py_ssize_t length, const uint8_t* p, Py_ssize_t n) noexcept nogil

# These look anywhere in a text without escapes: for the number of a card or an account.
cdef bint has_email(const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef bint has_card(const uint8_t* p, Py_ssize_t n) noexcept nogil
# Where the key of a bot begins, which has a colon and 35 bytes after its digits, or -1.
cdef Py_ssize_t find_bot_key(const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef inline bint has_bot_key(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return find_bot_key(p, n) >= 0
# How many characters belong to the key of a service that begins a text, at least, or 0 if none does.
cdef Py_ssize_t begins_with_key(const uint8_t* p, Py_ssize_t n, bint follows_word) noexcept nogil
# All of those that may not be in its word, or 0.
cdef Py_ssize_t known_length(const uint8_t* p, Py_ssize_t n) noexcept nogil
# Where a key begins that has `Q~` or `.atlasv1.` in it, whose tilde or first dot is at i, or -1. And whether its `8Q~` or
# `sv1` is at i.
cdef Py_ssize_t begin_around(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil
cdef bint is_around(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil
cdef bint is_uuid(const uint8_t* p, Py_ssize_t n) noexcept nogil

# Whether a text begins with base64 of a name, a colon and a password.
cdef bint is_name_and_password(const uint8_t* p, Py_ssize_t n) noexcept nogil


# What stands for a secret, perhaps with a dash and a hash, which has a letter for each hexadecimal digit; as in secrets.py.
cdef enum:
    HIDDEN_LENGTH = 8
    WITH_TAG = 25

cdef inline const uint8_t* hidden_text() noexcept nogil:
    return b"REDACTED"

cdef inline const uint8_t* tag_letters() noexcept nogil:
    return b"bcdfghjklmnpqrst"

# How long what stands for a secret is that a text begins with, or 0.
cdef Py_ssize_t hidden_length(const uint8_t* p, Py_ssize_t n) noexcept nogil

# Whether what stands for a secret ends at i.
cdef inline bint follows_hidden(const uint8_t* p, Py_ssize_t i, Py_ssize_t begin) noexcept nogil:
    return (i - begin >= HIDDEN_LENGTH and hidden_length(p + i - HIDDEN_LENGTH, HIDDEN_LENGTH) > 0) or (
        i - begin >= WITH_TAG and hidden_length(p + i - WITH_TAG, WITH_TAG) == WITH_TAG
    )


# Rules of a policy for paths, from rules.py.
ctypedef struct PathRules:
    uint64_t all                # one bit for each
    const int32_t* starts       # the first segment of each
    const int32_t* segments     # where each is in the pool, and its length, ANY_SEGMENT or SECRET_SEGMENT
    const uint8_t* pool


cdef enum:
    MOST_DEPTH = 33             # segments of a rule, with the empty one before the first slash

# Which rules the text agrees with, by the number of their segments: several paths can have begun.
ctypedef struct PathMatch:
    uint64_t[MOST_DEPTH + 1] alive
    int deepest                 # the last of these that has a rule, or -1

cdef inline void start_match(PathMatch* self, const PathRules* rules, bint is_begun) noexcept nogil:
    self.alive[0] = 0
    self.alive[<int> is_begun] = rules.all
    self.deepest = is_begun if rules.all else -1

# A path begins with a slash, after the segment that was read last.
cdef inline void begin_path(PathMatch* self, const PathRules* rules) noexcept nogil:
    if rules.all:
        self.alive[1] = rules.all if self.deepest < 1 else self.alive[1] | rules.all
        self.deepest = max(self.deepest, <int> 1)

# What a path in a text can follow, besides the begin of a word.
cdef inline bint is_before_path(uint8_t c) noexcept nogil:
    return memchr(b"=:,;([{|\\", c, 9) != NULL



# Sorted hosts, and the number of the rules of each.
ctypedef struct HostTable:
    Py_ssize_t count
    const int32_t* ends         # of each in the pool; ends[0] is 0
    const uint16_t* sets
    const uint8_t* pool

# Whether a rule hides the next segment.
cdef bint hides_segment(const PathRules* self, PathMatch* match, const uint8_t* p, Py_ssize_t n) noexcept nogil

# The number of a host's rules, which may be for a domain above it, or -1.
cdef Py_ssize_t set_of_host(const HostTable* self, const uint8_t* p, Py_ssize_t n) noexcept nogil


# Where a run of backslashes ends.
cdef inline Py_ssize_t after_backslashes(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    while i < n and p[i] == c'\\':
        i += 1
    return i

# How long an escape is that begins with the backslash at i, and its byte; or the length of the run of backslashes, and 0.
cdef Py_ssize_t escape_length(const uint8_t* p, Py_ssize_t i, Py_ssize_t end, uint8_t* value) noexcept nogil

# Pushes a text without the escapes that escape_length() knows.
cdef void push_without_escapes(Buffer* out, const uint8_t* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil


# Whether another value will be there, as in SQL: `?`, `$1`; or none is, as in access logs: `-`, `N/A`; or it is hidden, as
# in `***` and `[FILTERED]`. A byte must be before it. And whether it is a number,
# and whether a path begins there.
cdef bint is_place(const uint8_t* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil
cdef bint is_number(const uint8_t* p, Py_ssize_t i, Py_ssize_t end) noexcept nogil
cdef bint is_path(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil

# How long an escaped line end is, as programs of logs write them; or 0.
cdef Py_ssize_t line_escape(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil

# How long a text is that sets a colour, as for terminals, also when its first byte is escaped; or 0.
cdef Py_ssize_t colour(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil

# Whether a colour ends at i.
cdef bint follows_colour(const uint8_t* p, Py_ssize_t i, Py_ssize_t begin) noexcept nogil
