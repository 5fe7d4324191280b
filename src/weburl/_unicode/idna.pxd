cimport cython


@cython.final
cdef class FenwickTree:
    cdef Py_ssize_t size, top
    cdef Py_ssize_t* counts

    @cython.locals(position=Py_ssize_t, step=Py_ssize_t, i=Py_ssize_t)
    cpdef Py_ssize_t take_at(self, Py_ssize_t rank) except -1

    @cython.locals(rank=Py_ssize_t, i=Py_ssize_t)
    cpdef Py_ssize_t take(self, Py_ssize_t position) except -1


# A delta is at most the number of code points times the length of a label: far below 2**63.

@cython.locals(k=cython.longlong)
cdef long long _adapt(long long delta, long long length, bint first) noexcept

@cython.locals(
    base=cython.longlong, t_max=cython.longlong, length=cython.longlong, n=cython.longlong, i=cython.longlong,
    bias=cython.longlong, code_point=cython.longlong, packed=cython.longlong, rank=cython.longlong,
    delta=cython.longlong, quotient=cython.longlong, threshold=cython.longlong, t=cython.longlong,
    digit=cython.longlong, digits=str, output=list,
)
cpdef str _punycode_encode(str label)
