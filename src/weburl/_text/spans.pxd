from libc.stdint cimport uint8_t, uint16_t

from weburl._core.buffer cimport Buffer
from weburl._core.parser cimport Parser
from weburl._core.status cimport Status


cdef extern from "find.h" nogil:
    ctypedef enum FindSyntax:
        FIND_TEXT
        FIND_JSON
        FIND_HTML
        FIND_MARKDOWN
        FIND_SHELL

    ctypedef enum FindPunctuation:
        FIND_NO_PUNCTUATION
        FIND_MARK
        FIND_OPENING
        FIND_CLOSING

    ctypedef struct FindScheme:
        const uint8_t* name
        const uint8_t* other
        Py_ssize_t length
        bint is_special

    ctypedef struct FindOptions:
        FindSyntax syntax
        bint defanged
        bint is_plain
        const void* suffixes
        const FindScheme* schemes
        int n_schemes
        uint8_t second, third
        uint16_t[256] classes


cdef enum:
    # How often a text is looked at until nothing in it is left to defang: a domain may be one only then.
    MOST_PASSES = 16


# What a URL begins with.
cdef enum Kind:
    SCHEME
    WWW
    BARE


# What URLs are looked for, and how. It does not change.
cdef class FindRules:
    cdef FindOptions options
    cdef readonly tuple arguments
    cdef object kept


# Runs a parser, and answers what it asks for; NO_MEMORY stops the finder.
ctypedef Status (*RunParser)(void* context, Parser* parser) noexcept nogil


ctypedef struct Candidate:
    Kind kind
    int scheme                  # which one
    Py_ssize_t start
    Py_ssize_t after            # where its authority begins
    # What check() finds.
    Py_ssize_t base             # in `text`: where the URL starts, where its authority does, and where that ends
    Py_ssize_t authority
    Py_ssize_t authority_end
    Py_ssize_t stop             # where that is in the input, if the URL goes on, or where to look on if this is not a URL
    bint goes_on


ctypedef struct Finder:
    const FindOptions* options
    const uint8_t* p
    Py_ssize_t n
    RunParser run
    void* context
    # The last URL found.
    Py_ssize_t start, end
    Candidate found
    const uint8_t* url          # what is parsed
    Py_ssize_t url_length
    # Where to look on.
    Py_ssize_t position
    Py_ssize_t bare             # for bare domains
    Py_ssize_t floor            # no URL starts before
    Py_ssize_t www_floor        # none with www. and without a scheme starts before
    bint has_next
    Candidate next              # with a scheme or www.
    uint8_t delimiter           # what the last walk ended at, or 0
    Py_ssize_t[2] depths        # of round and square brackets
    Parser parser
    bint is_open
    Buffer decoded
    uint8_t[512] decoded_scratch
    Buffer repaired
    uint8_t[64] repaired_scratch


cdef void open_finder(Finder* self, const FindOptions* options, RunParser run, void* context) noexcept nogil
cdef void close_finder(Finder* self) noexcept nogil
cdef void start_finding(Finder* self, const uint8_t* p, Py_ssize_t n) noexcept nogil

# The next URL: 1, or 0 at the end, or -1 if it was stopped.
cdef int find_next(Finder* self) noexcept nogil

# Parses the URL that was found: `parser` has it until the next one.
cdef Status parse_found(Finder* self) noexcept nogil

# The URL that was found, defanged.
cdef void push_defanged(Buffer* out, Finder* self) noexcept nogil
