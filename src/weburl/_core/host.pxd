from libc.stdint cimport uint8_t

from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, release, start
from weburl._core.status cimport Status


cdef enum HostType:
    HOST_NULL
    HOST_EMPTY
    HOST_DOMAIN
    HOST_IPV4
    HOST_IPV6
    HOST_OPAQUE


# https://url.spec.whatwg.org/#concept-domain-to-ascii: the question and the answer of NEED_DOMAIN. parse_host() puts
# the percent-decoded domain here. The caller puts its ASCII form here and calls parse_host() again.
ctypedef struct DomainToASCII:
    Buffer domain
    uint8_t[256] scratch
    const uint8_t* answer       # NULL before there is one
    Py_ssize_t answer_length
    bint failed                 # the answer is failure


# Without a limit, as the answer can be shorter than the domain.
cdef inline void open_to_ascii(DomainToASCII* self) noexcept nogil:
    start(&self.domain, self.scratch, sizeof(self.scratch), PY_SSIZE_T_MAX)
    self.answer = NULL
    self.failed = False


cdef inline void close_to_ascii(DomainToASCII* self) noexcept nogil:
    release(&self.domain)


# https://url.spec.whatwg.org/#concept-host-parser: pushes the host's serialization.
cdef Status parse_host(
    Buffer* out, const uint8_t* p, Py_ssize_t n, bint is_opaque, DomainToASCII* to_ascii, HostType* host_type
) noexcept nogil


# Whether a label of a name is empty.
cdef inline bint has_empty_label(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    if n == 0 or p[0] == c'.' or p[n - 1] == c'.':
        return True
    for i in range(1, n):
        if p[i] == c'.' and p[i - 1] == c'.':
            return True
    return False


# The end of the host parser, for a domain in its final form that is not empty.
cdef Status finish_host(Buffer* out, const uint8_t* p, Py_ssize_t n, HostType* host_type) noexcept nogil
