from libc.stdint cimport uint8_t

from weburl._core.buffer cimport Buffer
from weburl._core.record cimport Record, URLView
from weburl._core.status cimport RAISED, Status
from weburl._crawl.policy cimport Rules


# Parses a text into `url`, or what the caller was given where the text is NULL. Where it fails, `url` stays.
ctypedef Status (*ParseText)(void* caller, const uint8_t* text, Py_ssize_t length, URLView* url) except RAISED nogil

# Parses what the caller was given, as the policy reads it: under `surt`, a SURT means a URL that has this SURT. `text` is
# what was given, if it is ASCII and may be a SURT, else NULL; `scratch` holds the URL of a SURT.
cdef Status parse_under(
    const Rules* rules, ParseText parse, void* caller, const uint8_t* text, Py_ssize_t length, Buffer* scratch,
    URLView* url,
) except RAISED nogil


# Pushes the canonical form of a URL, into a buffer that is empty.
cdef void push_canonical(Buffer* out, const URLView* url, const Rules* rules) noexcept nogil

# The serialization of a str or a URL; None if it does not parse.
cdef str href_of(object url, object encoder, Record* record, Status* status)
