from libc.stdint cimport uint8_t

from weburl._core.buffer cimport Buffer


cdef enum:
    FEW = 64


# What a query has between its ampersands: a name and, with an equals sign, a value.
ctypedef struct Parameter:
    const uint8_t* p
    Py_ssize_t length
    Py_ssize_t name_length


# The parameters of a query, and room to sort them.
ctypedef struct ParameterList:
    Parameter[2 * FEW] few
    Parameter* items
    Py_ssize_t count


# Makes room for all parameters of a query; false if that fails.
cdef bint open_list(ParameterList* self, const uint8_t* query, Py_ssize_t n) noexcept nogil
cdef void close_list(ParameterList* self) noexcept nogil

# Drops those that repeat an earlier one; false if memory runs out.
cdef bint drop_repeated(ParameterList* self, bint is_sorted) noexcept nogil

# Pushes a question mark and the parameters, or nothing if there is nothing.
cdef void push_list(Buffer* out, const ParameterList* self) noexcept nogil

# Sorts by name, then by value, with room for as many in `other`.
cdef void sort_parameters(Parameter* parameters, Py_ssize_t n, Parameter* other) noexcept nogil
