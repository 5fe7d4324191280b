cimport cython

from weburl._core.buffer cimport OMITTED
from weburl._core.parser cimport default_port, length_limit
from weburl._core.parts cimport bind_once, decoded_path, last_segment, parts_of
from weburl._core.record cimport (
    FRAGMENT, HOSTNAME, HREF, NOT_SPECIAL, PATHNAME, QUERY, SEARCH, Part, Record, Span, URLView, clear_record,
    has_credentials, has_port, is_opaque, part_text, span, view_text,
)
from weburl._core.status cimport BASE, RAISED, TOO_LONG, Status
from weburl._core.texts cimport (
    can_parse_text, origin_source, origin_text, output_encoding, parse_text, replace_query_text, set_part_text,
    set_query_text,
)
from weburl._core.urlencoded cimport parse_urlencoded_text
from weburl._core.vectorcall cimport (
    PyObject, PyTypeObject, PyVectorcall_NARGS, Vectorcall, call_slowly, delete_attribute, has_new_of, inherit, new_object,
    set_vectorcall,
)
from weburl.search_params cimport URLSearchParams, follow_url


cdef class ParsedURL:
    cdef str _href
    cdef URLSearchParams _params    # None until it is asked for
    cdef object __weakref__
    cdef Record _record


cdef str UTF_8
cdef type url_class
cdef type frozen_class

cdef object text_of(object url, str what)

@cython.locals(href=str)
cdef str resolve(object url, object base, object encoding, Record* record, Status* status)
cdef object failure(object url, object base, Status status)
cdef object invalid_part(str part, object value, Status status)

@cython.locals(params=URLSearchParams)
cdef int sync(ParsedURL self) except -1


cdef str snapshot(ParsedURL self, Record* record)


# The value of a part. Inline, as every getter has it.
cdef inline str read(ParsedURL self, Part part):
    with cython.critical_section(self):
        if self._params is not None:
            sync(self)
        return self._href if part == HREF else part_text(self._href, &self._record, part)


@cython.locals(length=Py_ssize_t, rest=Py_ssize_t, query=Span)
cdef Py_ssize_t longest_query(str href, const Record* record) noexcept

cdef int store(ParsedURL self, str href, const Record* record, list pairs) except -1
cdef list query_pairs(str href, const Record* record)

cdef bint is_frozen(ParsedURL self) except -1
cdef int raise_frozen(str name) except -1
cdef int raise_read_only(ParsedURL self, str name, str assignable, str keyword) except -1
cdef object uninitialized(ParsedURL self)
cdef int delete(ParsedURL self, object name) except -1

@cython.locals(self=ParsedURL)
cdef ParsedURL instance(object cls)

@cython.locals(href=str)
cdef ParsedURL create(object cls, object url, object base, object encoding, bint must)

@cython.locals(params=URLSearchParams, href=str, changed=str)
cdef Status assign(ParsedURL self, Part part, object value, str name) except RAISED

@cython.locals(href=str)
cdef Status assign_href(ParsedURL self, object value, object base, object encoding) except RAISED

cdef str serialization(ParsedURL self, bint exclude_fragment)


cpdef ParsedURL origin_url(ParsedURL url)

@cython.locals(self=ParsedURL)
cdef ParsedURL with_record(object cls, str href, const Record* record)

@cython.locals(href=str)
cdef ParsedURL with_record_of(object cls, ParsedURL url)

@cython.locals(href=str)
cdef ParsedURL like(ParsedURL self, ParsedURL url)

@cython.locals(copy=ParsedURL)
cdef ParsedURL with_attributes(ParsedURL self, str href, const Record* record)
cdef dict members(object cls)
cdef dict slots_of(ParsedURL self)
cdef int set_slots(ParsedURL self, dict values) except -1


cdef Vectorcall other_calls

@cython.locals(href=str)
cdef object new_url(object cls, PyObject** args, size_t nargsf, PyObject* names)

@cython.locals(count=Py_ssize_t)
cdef object new_url_slowly(object cls, PyObject** args, size_t nargsf, PyObject* names)

@cython.locals(changed=str)
cdef ParsedURL edited(ParsedURL self, str href, const Record* before, str query)

cdef bint parses(object url, object base) except -1
cdef object is_equal(ParsedURL self, object other)
cdef int set_classes(type common, type mutable, type frozen, str utf_8) except -1
