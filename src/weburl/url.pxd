cimport cython

from weburl._core.parts cimport wrong_type
from weburl._core.record cimport Record
from weburl._core.status cimport Status
from weburl._core.texts cimport parse_text
from weburl._parsed cimport UTF_8 as DEFAULT_ENCODING, ParsedURL, failure, is_equal, resolve, set_classes


# They have no fields of their own: see set_classes().
cdef class URL(ParsedURL):
    pass


cdef class FrozenURL(ParsedURL):
    pass


# A URL of either class.
cdef inline bint is_url(object value):
    return type(value) is URL or isinstance(value, ParsedURL)

