from libc.stdint cimport uint8_t

from weburl._core.buffer cimport Buffer
from weburl._core.record cimport URLView
from weburl._redact.forms cimport Names
from weburl._redact.redact cimport Redactor
# What learns routes reads these here.
from weburl._redact.views cimport Placeholder, class_of, placeholder_length, placeholder_of, placeholder_text


# Pushes a URL that has a text that begins with a solidus as its path. Of a password that ends the path, nothing is left.
cdef void push_url_of_path(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil

# Pushes the template of a URL's path.
cdef void push_template(Buffer* out, Buffer* decoded, const URLView* url, const Names* names) noexcept nogil

# A text that does not parse, without its secrets.
cdef str redacted_text(object text, const Names* names, Py_ssize_t* counts)

# The same of what may be a URL all the same.
cdef str redacted_anyway(object text, const Names* names, Py_ssize_t* counts)

# The placeholder for a text or, with its extension, for the text before that; `stem` gets where that ends. Of a secret, a
# form alone counts.
cdef Placeholder class_of_file(const uint8_t* p, Py_ssize_t n, Py_ssize_t* stem, bint is_secret) noexcept nogil

# Hides what is secret in a path, a query and a fragment; and in what follows the colon at i, in a token from `token` on:
# solidi, credentials, a host, and the rest.
cdef void redact_target(Redactor* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef void redact_authority(Redactor* self, Py_ssize_t token, Py_ssize_t i, Py_ssize_t end) noexcept nogil
