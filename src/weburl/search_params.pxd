cimport cython

from weburl._core.percent cimport usv_text
from weburl._core.texts cimport output_encoding
from weburl._core.urlencoded cimport (
    QueryKeys, edit_query, first_value, parse_urlencoded_text, serialize_query, serialize_urlencoded, urlencoded_length,
)
from weburl._core.vectorcall cimport PyObject, PyVectorcall_NARGS, call_slowly, set_vectorcall


cdef class URLSearchParams:
    cdef list _pairs                # of tuples of two scalar value strings; not replaced once somebody has it
    cdef str _query                 # what the list is to be made of, once more than a few values are asked for; or None
    cdef int _asked                 # how often a value has been looked for in the query
    cdef object _url                # the URL object, or None
    cdef dict _index                # the first value of each name, or None
    cdef object __weakref__
    cdef Py_ssize_t _length         # of the serialization and one delimiter; -1 where it has not been counted
    cdef Py_ssize_t _longest_query  # the most that the serialization may grow to in its URL
    cdef bint _dirty                # the URL's query is older than the list; _parsed.py clears it
    cdef bint _is_frozen            # these are of a FrozenURL, which has no room for changes


@cython.locals(params=URLSearchParams)
cdef URLSearchParams attached(object url, str query, Py_ssize_t longest, bint is_frozen)
cdef int check_mutable(URLSearchParams params) except -1
cdef int follow_url(URLSearchParams params, list pairs, Py_ssize_t longest) except -1

@cython.locals(query=str, pairs=list)
cdef list made_list(URLSearchParams params)
cdef list pairs_of(URLSearchParams params)
cdef list list_of(URLSearchParams params)
cdef object lock_of(URLSearchParams params)
cdef str scalar_value_string(object text, str what)
cdef str value_text(object value, str must)

cdef bint is_mapping(object given) except -1

@cython.locals(values=dict, entries=dict)
cdef dict read_mapping(object given)
cdef int read_entry(dict values, object key, object value) except -1
cdef list pairs_with(str name, object value)

@cython.locals(pairs=list, two=tuple)
cdef list read_pairs(object given, list empty, str must)

@cython.locals(values=dict, empty=list, pair=tuple)
cdef dict read_values(object given, str must)
cdef str first(URLSearchParams params, object name)
cdef str query_of(str text)

@cython.locals(query=str, pairs=list)
cdef int initialize(URLSearchParams params, object init) except -1

@cython.locals(self=URLSearchParams)
cdef object new_params(object cls, PyObject** args, size_t nargsf, PyObject* names)

@cython.locals(pair=tuple)
cdef Py_ssize_t field_length(tuple pair) except -1

@cython.locals(length=Py_ssize_t, pair=tuple)
cdef Py_ssize_t count(URLSearchParams params) except -1
@cython.locals(length=Py_ssize_t, pairs=list)
cdef int append_pair(URLSearchParams params, tuple pair) except -1
cdef list pairs_of_lists(object values)

@cython.locals(values=dict)
cdef dict updates(object params, dict names)
cdef tuple wanted(object name, object value)
cdef bint matches(tuple pair, str name, str value) except -1
cdef int check_room(URLSearchParams params, Py_ssize_t length, str value) except -1

@cython.locals(length=Py_ssize_t, pair=tuple)
cdef int replace_pairs(URLSearchParams params, list pairs) except -1

cdef object encoder_of(object params, dict names)
@cython.locals(pair=tuple)
cdef str form_text(list pairs, object encoder)
cdef object given_params(object params, dict names)
@cython.locals(left=dict, pieces=list, added=list)
cdef object edited_query(str query, dict replacements, object encoder)
cdef str name_in(str pair, object encoder)
cdef str parameter_name(object name)

# The query after with_params(), add_params() or without_params(); see edit_query().
@cython.locals(values=dict, texts=list)
cdef str query_with(str query, object params, dict names)
@cython.locals(pairs=list)
cdef str query_and(str query, object params, dict names)
@cython.locals(wanted_names=tuple)
cdef str query_without(str query, tuple names, object encoding)
