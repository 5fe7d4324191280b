from weburl._core.buffer cimport Buffer
from weburl._core.record cimport URLView
from weburl._crawl.policy cimport Policy, Rules
from weburl._redact.forms cimport Names
from weburl._redact.redact cimport LogPolicy


# What placeholders stand for, and which parameters do not count.
ctypedef struct TrapRules:
    const Names* names
    const Rules* rules


cdef class TrapKeys:
    cdef LogPolicy paths
    cdef Policy policy
    cdef TrapRules rules


cdef void push_trap_key(Buffer* out, Buffer* spelled, const URLView* url, const TrapRules* self) noexcept nogil
