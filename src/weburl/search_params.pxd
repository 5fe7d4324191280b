cimport cython

from weburl._percent cimport usv_text
from weburl._urlencoded cimport parse_urlencoded_text, serialize_urlencoded, urlencoded_length


cdef class URLSearchParams:
    cdef list _pairs                # of tuples of two scalar value strings; once it is not empty never another, for iterators hold it
    cdef object _url                # the URL object, or None
    cdef dict _index                # the first value of each name, or None
    cdef object __weakref__
    cdef Py_ssize_t _length         # of the serialization and one delimiter; -1 where it has not been counted
    cdef Py_ssize_t _room           # the most that the serialization may grow to in its URL
    cdef bint _dirty                # the URL's query is behind the list


@cython.locals(params=URLSearchParams)
cdef URLSearchParams attached(object url, list pairs, Py_ssize_t room)
cdef list pairs_of(URLSearchParams params)
cdef list list_of(URLSearchParams params)
cdef object lock_of(URLSearchParams params)
cdef str scalar_value_string(object text, str what)
cdef tuple scalar_value_pair(object pair)
cdef list initial_pairs(object init)

@cython.locals(pair=tuple)
cdef Py_ssize_t field_length(tuple pair) except -1

@cython.locals(pair=tuple)
cdef Py_ssize_t count(URLSearchParams params) except -1
cdef tuple wanted(object name, object value)
cdef bint matches(tuple pair, str name, str value) except -1
cdef int check_room(URLSearchParams params, Py_ssize_t length, str value) except -1
cdef void changed(URLSearchParams params) noexcept

@cython.locals(length=Py_ssize_t, pair=tuple)
cdef int replace_pairs(URLSearchParams params, list pairs) except -1
