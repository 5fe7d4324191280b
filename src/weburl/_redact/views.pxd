from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memchr

from weburl._core.buffer cimport Buffer
from weburl._crawl.canonical cimport push_unescaped
from weburl._redact.forms cimport (
    ADDRESS, HAS_BACKSLASH, HAS_DIGIT, HAS_LINK, HAS_QUOTE, IN_SEGMENT, NOTHING, Kind, Names, Place, bytes_of, find_form,
)


# Pushes addresses, shortened; false if it is anything else.
cdef bint push_networks(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil


# What a part of a text says: the part as it is written, and without its escapes.
ctypedef struct Part:
    const uint8_t* raw
    Py_ssize_t raw_length
    const uint8_t* p
    Py_ssize_t length


# Reads a part. What it says is valid until `decoded`, which it uses, is used for another part.
cdef inline void read_part(Part* self, Buffer* decoded, const uint8_t* raw, Py_ssize_t length) noexcept nogil:
    self.raw = self.p = raw
    self.raw_length = self.length = length
    if memchr(raw, c'%', length) != NULL:
        decoded.length = 0
        push_unescaped(decoded, raw, length)
        self.p = decoded.data
        self.length = decoded.length


# Whether a text with these bytes has an IP address after an equals sign or a quote, as in JSON or in another URL.
cdef bint has_address(const uint8_t* p, Py_ssize_t n, const Names* names) noexcept nogil

# An address without a digit is one of IPv6, and has two colons.
cdef inline bint may_have_address(const uint8_t* p, Py_ssize_t n, uint16_t classes, Place place) noexcept nogil:
    return classes & (HAS_LINK | HAS_QUOTE) and place != IN_SEGMENT and (classes & HAS_DIGIT or has_two_colons(p, n))

cdef inline bint has_two_colons(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef const uint8_t* colon = <const uint8_t*> memchr(p, c':', n)
    return colon != NULL and memchr(colon + 1, c':', p + n - colon - 1) != NULL

# The form of a secret in a text that is quoted more than once, or in JSON. An address is the last thing that counts.
cdef Kind form_of_views(Part* self, Buffer* decoded, Place place, const Names* names, bint* is_address) noexcept nogil

# The form of a secret in a part, however it is quoted. Moves what the part says, if it is in `decoded`.
cdef inline Kind form_of_part(Part* self, Buffer* decoded, Place place, const Names* names) noexcept nogil:
    cdef uint16_t classes = bytes_of(self.p, self.length)
    cdef Kind kind = find_form(self.p, self.length, classes, place, names)
    cdef bint is_address = (
        kind == NOTHING and may_have_address(self.p, self.length, classes, place)
        and has_address(self.p, self.length, names)
    )
    if kind == NOTHING and (classes & HAS_BACKSLASH or self.p != self.raw):
        kind = form_of_views(self, decoded, place, names, &is_address)
    return ADDRESS if kind == NOTHING and is_address else kind


# What the part says, without escapes of JSON.
cdef const uint8_t* plain_part(Part* self, Buffer* decoded, Py_ssize_t* n) noexcept nogil

# The lists that have a name with escapes of JSON, however it is quoted.
cdef uint16_t lists_of_views(Part* self, Buffer* decoded, const Names* names) noexcept nogil

# Whether a part, without the escapes of JSON, ends with a colon, and perhaps solidi: those alone follow a colon if the
# part does. And whether it has an @ after its first byte.
cdef bint ends_with_colon(Part* self, Buffer* decoded, bint may_be_authority) noexcept nogil
cdef bint has_inner_at(Part* self, Buffer* decoded) noexcept nogil

# A value that looks random, perhaps in quotes, or with spaces and line ends around it.
cdef bint is_random_in_quotes(const uint8_t* p, Py_ssize_t n) noexcept nogil


# What stands for a segment, or for its beginning, in templates.
cdef enum Placeholder:
    NO_PLACEHOLDER
    INT
    UUID
    HEX
    DATE
    TIME
    IP
    COORDINATES
    ID
    SLUG
    EMAIL_ADDRESS
    A_SECRET
    VALUE
    OPAQUE
    PLACEHOLDERS

# The text of each, such as `{int}`.
cdef const char* placeholder_text(Placeholder which) noexcept nogil
cdef Py_ssize_t placeholder_length(Placeholder which) noexcept nogil
# The placeholder that a text without escapes is.
cdef Placeholder placeholder_of(const uint8_t* p, Py_ssize_t n) noexcept nogil

# All of these are of a text without escapes. The placeholder for a text of a form that its whole text has.
cdef Placeholder class_of_form(const uint8_t* p, Py_ssize_t n) noexcept nogil
# The placeholder for a segment.
cdef Placeholder class_of(const uint8_t* p, Py_ssize_t n) noexcept nogil
# Whether letters and digits look random, without what is among them; more of them do if it is relaxed.
cdef bint looks_random(const uint8_t* p, Py_ssize_t n, bint is_relaxed) noexcept nogil
cdef Placeholder class_of_words(const uint8_t* p, Py_ssize_t n) noexcept nogil
