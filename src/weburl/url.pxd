cimport cython

from weburl._core.parser cimport length_limit
from weburl._core.parts cimport append_segment, build_text, has_colon, port_value
from weburl._core.record cimport (
    HASH, HOST, HOSTNAME, HREF, PASSWORD, PATHNAME, PORT, PROTOCOL, QUERY, SCHEME, SEARCH, USERNAME, Record,
    has_credentials, is_opaque, part_text,
)
from weburl._core.status cimport Status
from weburl._core.texts cimport can_parse_text, output_encoding, parent_text, parse_text
from weburl._parsed cimport (
    ParsedURL, assign, assign_href, create, delete, edited, failure, frozen_class, is_equal, is_frozen, like,
    longest_query, members, parses, raise_read_only, read, resolve, set_classes, set_slots, slots_of, snapshot, text_of,
    uninitialized, url_class, with_attributes, with_record, with_record_of,
)
from weburl.search_params cimport attached, query_and, query_with, query_without


# What URL and FrozenURL have in common. No class has fields of its own: see set_classes().
cdef class CommonURL(ParsedURL):
    pass


cdef class URL(CommonURL):
    pass


cdef class FrozenURL(CommonURL):
    pass


# A URL of either class.
cdef inline bint is_url(object value) noexcept:
    return type(value) is URL or isinstance(value, ParsedURL)
