from weburl._core.buffer cimport Buffer
from weburl._core.record cimport URLView
from weburl._redact.forms cimport Names
from weburl._redact.redact cimport LogPolicy


# The policy whose secrets are left out, for an argument `rules`.
cdef LogPolicy rules_in_use(object rules)

# Pushes the template of a URL's path.
cdef void push_template(Buffer* out, Buffer* decoded, const URLView* url, const Names* names) noexcept nogil
