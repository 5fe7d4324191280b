from weburl._core.record cimport Record

# For a part that cannot be said they raise what set_refusal() says.

# Of a str.
cdef bint has_colon(object text) except -1

# A serialization with its record. `host` and the parts after it are a str or None; but `port` is as port_value() takes it,
# and `path_segments` an iterable.
cdef str build_text(
    object scheme, object username, object password, object host, str host_name, object port, object path,
    object path_segments, object query, str query_name, object fragment, Record* record
)
cdef str append_segment(str href, const Record* before, object segment, Record* record)

# URL.build, a class method of the base, as found in the class, but bound already; a subclass binds it each time.
cdef int bind_once(type cls, type base, str name) except -1

cdef dict parts_of(str href, const Record* record)
cdef tuple decoded_path(str href, const Record* record)
# The last of it; "" for an opaque path.
cdef str last_segment(str href, const Record* record)

cpdef object port_value(object port)
