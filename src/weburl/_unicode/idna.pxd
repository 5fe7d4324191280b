cimport cython

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
