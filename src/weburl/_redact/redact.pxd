from libc.stdint cimport uint8_t, uint16_t, uint64_t

from weburl._core.ascii cimport is_alpha
from weburl._core.buffer cimport Buffer
from weburl._core.record cimport URLView
from weburl._crawl.policy cimport PolicyValue
from weburl._redact.forms cimport HAS_AT, HAS_LINK, SHORTEST, Kind, Names, Place, bytes_of
from weburl._redact.values cimport HIDDEN_LENGTH, hidden_length, hidden_text


# A part of the text that is hidden, and where what stands for it begins in the output.
ctypedef struct HiddenSpan:
    Py_ssize_t begin, end, at
    Kind kind


# Puts a copy of a text together: all of it but for the parts that are hidden.
ctypedef struct Redactor:
    const Names* names
    Buffer* out
    Buffer* decoded             # of a part of the text
    const uint8_t* text
    Py_ssize_t copied           # how much of the text has been pushed
    Py_ssize_t* counts          # KINDS of them; what was hidden
    Py_ssize_t first            # where the path begins that is read
    Py_ssize_t authority_end    # in that path, if rules count from there on, or -1
    # Of the path: the lists that have names of segments before `read`.
    Py_ssize_t read
    uint16_t path_lists
    # Where the paths are, for values of the query: that of the URL, and that in the fragment. And whether one is that of a
    # link in a mail: -1 if that is not known.
    Py_ssize_t path_begin, path_end, route_begin, route_end
    int is_link
    bint may_be_authority       # the next segment: it follows a colon and solidi, or two solidi
    bint has_paths              # the path can be several ones, as in `/a,/b`
    Buffer* spans               # of HiddenSpan, or NULL


cdef class LogPolicy(PolicyValue):
    cdef object tables          # which the names point into
    cdef Names names
    cdef Names* of_hosts
    cdef uint64_t[8] keyed


# The policy for an argument `policy`: of redact(), and of path_template().
cdef LogPolicy log_policy_in_use(object policy)
cdef LogPolicy path_policy_in_use(object policy)

cdef void open_redactor(
    Redactor* self, const Names* names, Buffer* out, Buffer* decoded, const uint8_t* text, Py_ssize_t* counts
) noexcept nogil
cdef void close_redactor(Redactor* self, Py_ssize_t length) noexcept nogil

# Leaves out a part of the text; pushes REDACTED for it, perhaps with a hash.
cdef void skip_to(Redactor* self, Py_ssize_t begin, Py_ssize_t end, Kind kind) noexcept nogil
cdef void hide(Redactor* self, Py_ssize_t begin, Py_ssize_t end, Kind kind) noexcept nogil
cdef void push_hidden(Buffer* out, const Names* names, const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef inline bint is_hidden(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return n >= HIDDEN_LENGTH and p[0] == hidden_text()[0] and hidden_length(p, n) == n

# The parts of a URL.
cdef void redact_path(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef void redact_query(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
# What drivers of databases have in place of a host, or after it: `h:1433;user=u;password=p`, `(host=h,password=p)`.
cdef void redact_properties(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef void redact_fragment(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil

# The segments that rules of the policy hide.
cdef void redact_by_rules(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil

# The names for a host, perhaps with a port; and for that of a URL.
cdef const Names* names_of_host(const Names* self, const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef const Names* find_names_of_url(const Names* self, const URLView* url) noexcept nogil
cdef inline const Names* names_of_url(const Names* self, const URLView* url) noexcept nogil:
    return self if self.hosts.count == 0 else find_names_of_url(self, url)

# Pushes a URL without its secrets, or nothing if there are none; says which.
cdef bint redact_url(
    Buffer* out, Buffer* decoded, const URLView* url, const Names* names, Py_ssize_t* counts
) noexcept nogil

# Whether a segment can have a secret, by its length and its bytes; and whether it has one.
cdef inline bint may_be_secret(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return n >= SHORTEST or bytes_of(p, n) & (HAS_AT | HAS_LINK)

# The letter of a Windows drive, which is not a scheme: `C:`.
cdef inline bint is_drive(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return n == 2 and is_alpha(p[0]) and p[1] == c':'

# Where the text before the next `/` or `&` ends; and the secret in such a text whose first backslash comes next.
cdef Py_ssize_t run_end(const Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef Kind kind_of_run(Redactor* self, Py_ssize_t begin, Py_ssize_t end, Place place) noexcept nogil
cdef Py_ssize_t piece_end(const Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef bint is_before_credentials(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef bint is_secret_segment(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
