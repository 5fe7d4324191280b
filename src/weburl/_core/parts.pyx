"""URLs from parts, and URLs taken apart; what is given as a part is checked here."""

from cpython.unicode cimport PyUnicode_FindChar
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memchr

from weburl._core.ascii cimport (
    CLASS_NOT_SCHEME, CLASS_OPAQUE_STOP, SET_COMPONENT, SET_FRAGMENT, SET_PATH, SET_QUERY, SET_SPECIAL_QUERY,
    SET_USERINFO, byte_class, is_alpha, to_lower,
)
from weburl._core.buffer cimport OMITTED, PY_SSIZE_T_MAX, Buffer, end_offset, push, push_run, release, start
from weburl._core.host cimport HOST_EMPTY, HOST_NULL, HostType
from weburl._core.invariants cimport check
from weburl._core.parser cimport (
    default_port, drop_localhost, is_solidus, length_limit, parse_path, protect_path, push_port, scan_port, scheme_type,
)
from weburl._core.percent cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, Utf8Text, ascii_text, close_utf8, open_utf8, percent_decode, percent_encode,
    push_percent_encoded, raise_for, scan_run, utf8_text,
)
from weburl._core.record cimport (
    FILE, FRAGMENT, HASH, HOST, HOSTNAME, PASSWORD, PATHNAME, PORT, PROTOCOL, QUERY, SCHEME, SEARCH, USERNAME, Record,
    SchemeType, Span, has_port, is_opaque, is_special, part_text, path_end, span,
)
from weburl._core.status cimport (
    DOT_SEGMENT, HOST_MISSING, IGNORED, NO_MEMORY, OK, PORT_INVALID, PORT_OUT_OF_RANGE, RELATIVE_PATH,
    SCHEME_INVALID, Status,
)
from weburl._core.texts cimport parse_any_host
from weburl._core.vectorcall cimport set_attribute

from weburl._core.arguments import need_iterable, wrong_type

# What replace() assigns, by the part of the setter that it runs.
SETTERS = {
    "protocol": PROTOCOL, "scheme": PROTOCOL, "username": USERNAME, "password": PASSWORD, "host": HOST,
    "hostname": HOSTNAME, "port": PORT, "pathname": PATHNAME, "path_segments": PATHNAME, "search": SEARCH,
    "query": SEARCH, "params": SEARCH, "hash": HASH, "fragment": HASH,
}

cdef class BoundOnce:
    """A class method that is bound to its class only once: each time takes half as long as a parse."""

    cdef object method, owner, bound

    def __get__(self, instance, owner):
        return self.bound if owner is self.owner else self.method.__get__(instance, owner)


cdef int bind_once(type cls, type base, str name) except -1:
    cdef BoundOnce bound = BoundOnce.__new__(BoundOnce)
    bound.method = base.__dict__[name]
    bound.owner = cls
    bound.bound = getattr(cls, name)
    return set_attribute(cls, name, bound)


# Names that other libraries, and JavaScript, have: _advice.py says what to write instead.
ABSENT = {
    "URL":
        "add args asdict authority canParse child copy_add_param copy_merge_params copy_remove_param copy_set_param"
        " copy_with domain extend_query filename geturl human_repr include_query_params is_absolute joinpath netloc params"
        " path path_qs query_params query_string raw_host raw_path raw_query_string remove remove_query_params"
        " replace_query_params searchParams set subdomain tld toJSON toString to_text to_uri unicode_host unicode_string"
        " update_query url user userinfo with_fragment with_host with_name with_password with_path with_port with_query"
        " with_scheme with_user without_query_params",
    "URLSearchParams":
        "add copy extend getAll get_list getall getlist lists multi_items poplist remove setlist toString to_dict urlencode",
}

cdef class Absent:
    # An attribute that raises AttributeError. The others cost what they did; with __getattr__(), each would cost more.

    cdef str like, name

    @property
    def __doc__(self):
        """For help(), which shows all names of a class."""
        from weburl._advice import instead_of
        return f"Not an attribute: {instead_of(self.like, self.name)}."

    def __get__(self, instance, owner):
        own = attributes(instance)
        if self.name in own:
            return own[self.name]
        raise self.error(owner)

    def __set__(self, instance, value):
        if not hasattr(instance, "__dict__"):
            raise self.error(type(instance))
        instance.__dict__[self.name] = value

    def __delete__(self, instance):
        if self.name not in attributes(instance):
            raise self.error(type(instance))
        del instance.__dict__[self.name]

    cdef object error(self, cls):
        from weburl._advice import no_attribute
        return no_attribute(cls, self.name)


cdef object attributes(instance):
    """Those of its own that an object of a subclass may have, also with these names."""
    return getattr(instance, "__dict__", ())


cdef class Present:
    """`__dir__`, without the names that are absent."""

    cdef object instance

    def __get__(self, instance, owner):
        cdef Present bound = Present.__new__(Present)
        bound.instance = instance
        return bound

    def __call__(self):
        cdef type cls = type(self.instance)
        own = attributes(self.instance)
        names = object.__dir__(self.instance)
        return [name for name in names if name in own or type(getattr_static(cls, name)) is not Absent]


cdef object getattr_static(type cls, str name):
    for each in cls.__mro__:
        if name in each.__dict__:
            return each.__dict__[name]
    return None


def add_absent(type cls, str like):
    """Gives a class the names that are absent in the one that it is like."""
    cdef Absent absent
    cdef str name
    for name in ABSENT[like].split():
        if name not in cls.__dict__:
            absent = Absent.__new__(Absent)
            absent.like = like
            absent.name = name
            set_attribute(cls, name, absent)
    set_attribute(cls, "__dir__", Present.__new__(Present))


# Above every port, and short enough for str(), whatever sys.set_int_max_str_digits() says.
cdef object HUGE = 10**600


cpdef object port_value(object port):
    """A port as a str."""
    if isinstance(port, int) and not isinstance(port, bool):
        # Larger ints are too long for str() and for a message. A subclass has no say.
        return str(max(-HUGE, min(int.__int__(port), HUGE)))
    if isinstance(port, str):
        return port
    raise wrong_type(port, "port must be a str or an int")


cdef tuple segment_tuple(object segments):
    if type(segments) is tuple:
        return <tuple> segments
    if type(segments) is list:
        return tuple(<list> segments)
    cdef str what = "path_segments must be an iterable of str"
    if isinstance(segments, str):
        raise wrong_type(segments, what)
    return tuple(need_iterable(segments, what))


# A serialization that is made of parts, each with the parser's functions for it, and its record.
ctypedef struct Assembly:
    Buffer out
    Record* record
    uint8_t[1024] scratch


# Makes the exception for a part that cannot be said, of its name, its value and the status: _parts.py sets it.
refusal = None


def set_refusal(function):
    global refusal
    refusal = function


cdef int refuse(str name, object value, Status status) except -1:
    if status == NO_MEMORY:
        raise MemoryError
    raise refusal(name, str.__str__(value), <int> status)


cdef inline int check_room(Assembly* self, str name, object value) except -1:
    if self.out.status:
        refuse(name, value, self.out.status)
    return 0


cdef void start_assembly(Assembly* self, Record* record) noexcept nogil:
    start(&self.out, self.scratch, sizeof(self.scratch), length_limit)
    self.record = record


# The length of a part; 0 for None.
cdef inline Py_ssize_t length_of(str name, object value) except -1:
    if value is None:
        return 0
    if not isinstance(value, str):
        raise_wrong_type(name, value)
    return PyUnicode_GET_LENGTH(value)


cdef int raise_wrong_type(str name, object value) except -1:
    raise wrong_type(value, f"{name} must be a str or None")


cdef int push_encoded(Assembly* self, str name, object value, uint16_t percent_encode_set) except -1:
    cdef Utf8Text text
    length_of(name, value)
    open_utf8(&text, value)
    percent_encode(&self.out, text.data, text.length, percent_encode_set)
    close_utf8(&text)
    return check_room(self, name, value)


cdef int push_scheme(Assembly* self, object scheme) except -1:
    cdef Utf8Text text
    cdef Py_ssize_t i = 0
    if not isinstance(scheme, str):
        raise wrong_type(scheme, "scheme must be a str")
    open_utf8(&text, scheme)
    self.record.scheme_type = scheme_type(text.data, text.length)
    if is_special(self.record):
        i = text.length
        push_run(&self.out, text.data, i)
    elif text.length and is_alpha(text.data[0]):
        while i < text.length and not byte_class[to_lower(text.data[i])] & CLASS_NOT_SCHEME:
            push(&self.out, to_lower(text.data[i]))
            i += 1
    close_utf8(&text)
    if i == 0 or i < text.length:
        refuse("scheme", scheme, SCHEME_INVALID)
    if not is_special(self.record):
        self.record.scheme_type = scheme_type(self.out.data, self.out.length)
    self.record.scheme_end = end_offset(&self.out)
    push(&self.out, c':')
    return check_room(self, "scheme", scheme)


cdef int push_authority(
    Assembly* self, object username, object password, object host, str host_name, object port
) except -1:
    cdef Record* record = self.record
    cdef Py_ssize_t host_length = length_of(host_name, host), username_length = length_of("username", username)
    cdef Py_ssize_t password_length = length_of("password", password), port_length = length_of("port", port)
    if host_length == 0 or record.scheme_type == FILE:
        if is_special(record) and record.scheme_type != FILE:
            refuse(host_name, "", HOST_MISSING)
        # https://url.spec.whatwg.org/#cannot-have-a-username-password-port
        if username_length:
            refuse("username", username, IGNORED)
        if password_length:
            refuse("password", password, IGNORED)
        if port_length:
            refuse("port", port, IGNORED)
    record.port = 0
    record.host_type = HOST_NULL
    if host is not None or is_special(record):
        record.host_type = HOST_EMPTY
        push_run(&self.out, <const uint8_t*> b"//", 2)
    if username_length:
        push_encoded(self, "username", username, SET_USERINFO)
    record.username_end = end_offset(&self.out)
    if password_length:
        push(&self.out, c':')
        push_encoded(self, "password", password, SET_USERINFO)
    if username_length or password_length:
        push(&self.out, c'@')
    record.host_start = end_offset(&self.out)
    if host_length:
        push_host(self, host, host_name)
    record.host_end = end_offset(&self.out)
    if port_length:
        push_port_text(self, port)
    record.path_start = end_offset(&self.out)
    return 0


cdef int push_host(Assembly* self, object host, str host_name) except -1:
    cdef Utf8Text text
    cdef HostType host_type = HOST_EMPTY
    cdef Status status = OK
    open_utf8(&text, host)
    try:
        status = parse_any_host(&self.out, text.data, text.length, not is_special(self.record), &host_type)
    finally:
        close_utf8(&text)
    if status:
        refuse(host_name, host, status)
    self.record.host_type = host_type
    if self.record.scheme_type == FILE:
        drop_localhost(&self.out, self.record)
    return 0


cdef int push_port_text(Assembly* self, object port) except -1:
    cdef Utf8Text text
    cdef uint32_t number
    cdef Py_ssize_t end
    open_utf8(&text, port)
    end = scan_port(text.data, 0, text.length, &number)
    close_utf8(&text)
    if end < text.length:
        refuse("port", port, PORT_INVALID)
    if number > 65535:
        refuse("port", port, PORT_OUT_OF_RANGE)
    if <int> number != default_port(self.record.scheme_type):
        self.record.port = <uint16_t> number
        push_port(&self.out, number)
    return check_room(self, "port", port)


cdef int push_path(Assembly* self, object path) except -1:
    cdef Utf8Text text
    cdef Record* record = self.record
    cdef bint is_relative = False
    cdef Py_ssize_t i = 1
    if length_of("pathname", path) == 0:
        if is_special(record):
            push(&self.out, c'/')
        return check_room(self, "pathname", "")
    open_utf8(&text, path)
    if is_solidus(text.data[0], is_special(record)):
        push(&self.out, c'/')
        parse_path(
            &self.out, record.path_start, text.data, &i, text.length, <SchemeType> record.scheme_type, True
        )
        protect_path(&self.out, record)
    elif record.host_type == HOST_NULL:
        push_opaque_path(&self.out, text.data, text.length)
    else:
        is_relative = True
    close_utf8(&text)
    return refuse("pathname", path, RELATIVE_PATH) if is_relative else check_room(self, "pathname", path)


# https://url.spec.whatwg.org/#cannot-be-a-base-url-path-state: a space at its end would be stripped or encoded.
cdef void push_opaque_path(Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0, run
    while True:
        run = i
        i = scan_run(p, i, n, CLASS_OPAQUE_STOP)
        push_run(out, p + run, i - run)
        if i == n:
            return
        if p[i] == c' ' and i + 1 < n:
            push(out, c' ')
        else:
            push_percent_encoded(out, p[i])
        i += 1


cdef int push_segments(Assembly* self, tuple segments) except -1:
    cdef bint first = True
    cdef object segment
    if not segments and (is_special(self.record) or self.record.host_type == HOST_NULL):
        # As the pathname setter does with an empty value.
        push(&self.out, c'/')
    for segment in segments:
        push(&self.out, c'/')
        push_segment(self, "path_segments", segment, first)
        first = False
    protect_path(&self.out, self.record)
    return check_room(self, "path_segments", "")


# Pushes a segment so that the parser neither divides nor changes it.
cdef int push_segment(Assembly* self, str name, object segment, bint first) except -1:
    cdef Utf8Text text
    cdef Buffer* out = &self.out
    cdef bint special = is_special(self.record)
    cdef const uint8_t* p
    cdef Py_ssize_t i = 0, run, n
    cdef bint is_dots
    if not isinstance(segment, str):
        raise wrong_type(segment, "a segment must be a str")
    open_utf8(&text, segment)
    p = text.data
    n = text.length
    # https://url.spec.whatwg.org/#double-dot-path-segment
    is_dots = 1 <= n <= 2 and p[0] == c'.' and p[n - 1] == c'.'
    if self.record.scheme_type == FILE and first and n == 2 and is_alpha(p[0]) and p[1] == c'|':
        # https://url.spec.whatwg.org/#windows-drive-letter
        push(out, p[0])
        push_percent_encoded(out, p[1])
        i = 2
    while i < n:
        run = i
        # Of this set, the path and a segment in it leave some bytes as they are.
        i = scan_run(p, i, n, SET_COMPONENT)
        push_run(out, p + run, i - run)
        if i < n:
            if byte_class[p[i]] & SET_PATH or p[i] == c'%' or is_solidus(p[i], special):
                push_percent_encoded(out, p[i])
            else:
                push(out, p[i])
            i += 1
    close_utf8(&text)
    return refuse(name, segment, DOT_SEGMENT) if is_dots else check_room(self, name, segment)


cdef int push_query_and_fragment(Assembly* self, object query, str query_name, object fragment) except -1:
    cdef Record* record = self.record
    record.query_start = record.fragment_start = OMITTED
    if query is not None:
        record.query_start = end_offset(&self.out)
        push(&self.out, c'?')
        push_encoded(self, query_name, query, SET_SPECIAL_QUERY if is_special(record) else SET_QUERY)
    if fragment is not None:
        record.fragment_start = end_offset(&self.out)
        push(&self.out, c'#')
        push_encoded(self, "fragment", fragment, SET_FRAGMENT)
    return 0


cdef bint has_colon(object text) except -1:
    return PyUnicode_FindChar(text, c':', 0, PyUnicode_GET_LENGTH(text), 1) >= 0


cdef str build_text(
    object scheme, object username, object password, object host, str host_name, object port, object path,
    object path_segments, object query, str query_name, object fragment, Record* record
):
    cdef Assembly self
    cdef tuple segments = None
    if port is not None:
        port = port_value(port)
    if path_segments is not None:
        segments = segment_tuple(path_segments)
    start_assembly(&self, record)
    try:
        push_scheme(&self, scheme)
        push_authority(&self, username, password, host, host_name, port)
        if segments is None:
            push_path(&self, path)
        else:
            push_segments(&self, segments)
        push_query_and_fragment(&self, query, query_name, fragment)
        check(self.out.data, self.out.length, record)
        return ascii_text(self.out.data, self.out.length)
    finally:
        release(&self.out)


cdef str append_segment(str href, const Record* before, object segment, Record* record):
    cdef Assembly self
    cdef const uint8_t* p = <const uint8_t*> PyUnicode_DATA(href)
    cdef Py_ssize_t end = path_end(before, PyUnicode_GET_LENGTH(href))
    if is_opaque(href, before):
        refuse("segment", segment, IGNORED)
    start_assembly(&self, record)
    record[0] = before[0]
    record.query_start = record.fragment_start = OMITTED
    try:
        push_run(&self.out, p, end)
        if end == before.path_start or p[end - 1] != c'/':
            push(&self.out, c'/')
        push_segment(&self, "segment", segment, end <= before.path_start + 1)
        check(self.out.data, self.out.length, record)
        return ascii_text(self.out.data, self.out.length)
    finally:
        release(&self.out)


def segments_text(str scheme, segments):
    """The value of the pathname setter that gives a URL of this scheme these segments."""
    cdef Assembly self
    cdef Record record
    cdef tuple parts = segment_tuple(segments)
    start_assembly(&self, &record)
    record.scheme_type = scheme_type(<const uint8_t*> PyUnicode_DATA(scheme), PyUnicode_GET_LENGTH(scheme))
    record.host_type = HOST_EMPTY
    record.path_start = 0
    try:
        push_segments(&self, parts)
        return ascii_text(self.out.data, self.out.length)
    finally:
        release(&self.out)


cdef dict parts_of(str href, const Record* record):
    return {
        "scheme": part_text(href, record, SCHEME),
        "username": part_text(href, record, USERNAME),
        "password": part_text(href, record, PASSWORD),
        "hostname": part_text(href, record, HOSTNAME) if record.host_type else None,
        "port": record.port if has_port(record) else None,
        "pathname": part_text(href, record, PATHNAME),
        "query": part_text(href, record, QUERY) if record.query_start != OMITTED else None,
        "fragment": part_text(href, record, FRAGMENT) if record.fragment_start != OMITTED else None,
    }


cdef str decoded_segment(const uint8_t* p, Py_ssize_t n):
    cdef uint8_t[256] scratch
    cdef Buffer decoded
    if n == 0 or memchr(p, c'%', n) == NULL:
        return ascii_text(p, n)
    start(&decoded, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        percent_decode(&decoded, p, n, False)
        raise_for(&decoded)
        return utf8_text(decoded.data, decoded.length)
    finally:
        release(&decoded)


# Of a path that is not opaque.
cdef tuple decoded_path(str href, const Record* record):
    cdef const uint8_t* p = <const uint8_t*> PyUnicode_DATA(href)
    cdef Span path = span(record, PyUnicode_GET_LENGTH(href), PATHNAME)
    cdef Py_ssize_t begin, i = path.start
    cdef list segments = []
    while i < path.end:
        i += 1
        begin = i
        while i < path.end and p[i] != c'/':
            i += 1
        segments.append(decoded_segment(p + begin, i - begin))
    return tuple(segments)


cdef str last_segment(str href, const Record* record):
    cdef const uint8_t* p = <const uint8_t*> PyUnicode_DATA(href)
    cdef Py_ssize_t end = path_end(record, PyUnicode_GET_LENGTH(href)), begin = end
    if is_opaque(href, record):
        return ""
    while begin > record.path_start and p[begin - 1] != c'/':
        begin -= 1
    return decoded_segment(p + begin, end - begin)
