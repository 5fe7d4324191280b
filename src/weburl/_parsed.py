# cython: embedsignature=True, embedsignature.format=clinic
"""URLs as records: their fields, and what reads, makes and changes them. url.py has the classes that people see."""

from __future__ import annotations

import cython

from weburl._core.arguments import wrong_type
from weburl._core.failures import FAILURE_NAMES
from weburl._core.host import HOST_TYPE_NAMES, ip_address_of
from weburl.errors import InvalidURL

# For type checkers: the compiled module takes these names from _parsed.pxd.
if not cython.compiled:
    from weburl._core.parser import default_port, length_limit
    from weburl._core.parts import bind_once, decoded_path, last_segment, parts_of
    from weburl._core.record import (
        FRAGMENT,
        HOSTNAME,
        HREF,
        NOT_SPECIAL,
        OMITTED,
        PATHNAME,
        QUERY,
        SEARCH,
        Record,
        URLView,
        clear_record,
        has_credentials,
        has_port,
        is_opaque,
        part_text,
        span,
        view_text,
    )
    from weburl._core.status import BASE, TOO_LONG, Status
    from weburl._core.texts import (
        can_parse_text,
        origin_source,
        origin_text,
        output_encoding,
        parse_text,
        replace_query_text,
        set_part_text,
        set_query_text,
    )
    from weburl._core.urlencoded import parse_urlencoded_text
    from weburl._core.vectorcall import (
        PyTypeObject,
        PyVectorcall_NARGS,
        call_slowly,
        delete_attribute,
        has_new_of,
        inherit,
        new_object,
        set_vectorcall,
    )
    from weburl._parsed import read
    from weburl.search_params import URLSearchParams, follow_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address
    from typing import Any, NoReturn

    from weburl._core.parts import URLParts

UTF_8: str = "utf-8"

# url.py sets them, as this module does not import it: URL, and FrozenURL.
url_class: Any = None
frozen_class: Any = None

# What new_url() leaves.
other_calls: Any = cython.NULL


def text_of(url: str | ParsedURL, what: str) -> str:
    if isinstance(url, ParsedURL):
        return read(url, HREF)
    if isinstance(url, str):
        return url
    raise wrong_type(url, f"{what} must be a str or a URL")


def resolve(url: Any, base: Any, encoding: str, record: Any, status: Any) -> str | None:
    """Parses a URL: the serialization, or None with the failure in `status`."""
    base_record = cython.declare(Record)
    view = cython.declare(URLView)
    if not isinstance(url, str):
        url = text_of(url, "url")
    # Most calls pass the default itself.
    encoder = None if encoding is UTF_8 or encoding == UTF_8 else output_encoding(encoding)
    if base is None or isinstance(base, str):
        return parse_text(url, base, cython.NULL, encoder, record, status)
    if not isinstance(base, ParsedURL):
        raise wrong_type(base, "base must be a str, a URL or None")
    href = snapshot(base, cython.address(base_record))
    if href == "":
        # A subclass has not called __init__().
        status[0] = BASE
        return None
    view_text(cython.address(view), href, cython.address(base_record))
    return parse_text(url, None, cython.address(view), encoder, record, status)


def failure(url: str | ParsedURL, base: str | ParsedURL | None, status: int) -> InvalidURL:
    # The same as InvalidURL(...), at a third of the cost.
    error = ValueError.__new__(InvalidURL)
    error.input = str.__str__(text_of(url, "url"))
    error.base = None if base is None else str.__str__(text_of(base, "base"))
    error.error = FAILURE_NAMES[status]
    error.part = error.row = None
    return error


def invalid_part(part: str, value: str, status: int) -> InvalidURL:
    return InvalidURL(str.__str__(value), None, FAILURE_NAMES[status], part)


def sync(self: ParsedURL) -> None:
    """Writes the pairs of search_params back into the query if they have changed. The caller holds the lock."""
    record = cython.declare(Record)
    params = self._params
    if params is not None and params._dirty and self._href != "":
        self._href = set_query_text(self._href, cython.address(self._record), params._pairs, cython.address(record))
        self._record = record
        params._dirty = False


def snapshot(self: ParsedURL, record: Any) -> str:
    """The serialization, and its record in `record`, at the same moment."""
    with cython.critical_section(self):
        if self._params is not None:
            sync(self)
        record[0] = self._record
        return self._href


def longest_query(href: str, record: Any) -> int:
    """The maximum length of the query."""
    length = len(href)
    rest = length
    if record.query_start != OMITTED:
        query = span(record, length, QUERY)
        rest -= query.end - query.start + 1
    return length_limit - rest - 1


def store(self: ParsedURL, href: str, record: Any, pairs: list[tuple[str, str]] | None) -> None:
    """Gives this URL a new serialization and record. The caller holds the lock.

    `pairs`, unless None, become those of search_params.
    """
    # What can run out of memory comes first.
    if self._params is not None:
        follow_url(self._params, pairs, longest_query(href, record))
    self._href = href
    self._record = record[0]


def query_pairs(href: str, record: Any) -> list[tuple[str, str]]:
    """The name-value pairs of the query."""
    return parse_urlencoded_text(part_text(href, record, QUERY), 0)


def uninitialized(self: ParsedURL) -> TypeError:
    """The error for an object whose __init__() has not been called."""
    return TypeError(f"{type(self).__name__}.__init__() has not been called")


def is_frozen(self: ParsedURL) -> bool:
    return type(self) is not url_class and isinstance(self, frozen_class)


def raise_frozen(name: str) -> NoReturn:
    raise AttributeError(f"a FrozenURL does not change: use replace({name}=...)")


def raise_read_only(self: ParsedURL, name: str, assignable: str, keyword: str) -> NoReturn:
    """For attributes that are another form of one that can be assigned to."""
    if is_frozen(self):
        raise_frozen(keyword)
    raise AttributeError(f"{name} is read-only: assign to {assignable}, or use replace({keyword}=...)")


def delete(self: ParsedURL, name: str) -> None:
    """What `del` does: a URL always has its parts."""
    try:
        delete_attribute(self, name)
    except NotImplementedError:
        if is_frozen(self):
            raise_frozen(name)
        raise AttributeError(f"{name} cannot be deleted: assign another value, or use replace()") from None


def instance(cls: Any) -> Any:
    """What the __new__() of a subclass gives; TypeError if that is not a new URL."""
    self = cls.__new__(cls)
    if not isinstance(self, ParsedURL):
        raise TypeError(f"{cls.__name__}.__new__() must give a URL, not {type(self).__name__}")
    if is_frozen(self) and self._href != "":
        raise TypeError(f"{cls.__name__}.__new__() must give a new object")
    return self


def create(cls: Any, url: str | ParsedURL, base: str | ParsedURL | None, encoding: str, must: bool) -> Any:
    """A new URL of a class. If it does not parse: None or, with `must`, InvalidURL."""
    record = cython.declare(Record)
    status = cython.declare(Status)
    if base is None and isinstance(url, ParsedURL) and encoding == UTF_8:
        # A subclass that has not called __init__() has no serialization.
        href = snapshot(url, cython.address(record))
        if href != "":
            return url if type(url) is cls and cls is frozen_class else with_record(cls, href, cython.address(record))
    href = resolve(url, base, encoding, cython.address(record), cython.address(status))
    if href is None:
        if must:
            raise failure(url, base, status)
        return None
    return with_record(cls, href, cython.address(record))


def assign(self: ParsedURL, part: int, value: str, name: str) -> Any:
    """Runs the setter of a part; returns its status."""
    before = cython.declare(Record)
    record = cython.declare(Record)
    status = cython.declare(Status)
    if is_frozen(self):
        raise_frozen(name)
    if type(value) is not str:
        if not isinstance(value, str):
            raise wrong_type(value, f"{name} must be a str")
        value = str.__str__(value)
    while True:
        href = snapshot(self, cython.address(before))
        changed = set_part_text(
            href, cython.address(before), part, value, cython.address(record), cython.address(status)
        )
        if status == TOO_LONG:
            raise invalid_part(name, value, status)
        if changed is None:
            return status
        with cython.critical_section(self):
            has_pairs = part == SEARCH and self._params is not None
        pairs = query_pairs(changed, cython.address(record)) if has_pairs else None
        with cython.critical_section(self):
            params = self._params
            # If another thread has changed the URL meanwhile, start again.
            if self._href is href and (params is None or not (params._dirty or (part == SEARCH and pairs is None))):
                store(self, changed, cython.address(record), pairs)
                return status


def assign_part(self: ParsedURL, part: int, value: str, name: str) -> int:
    """For _parts.py, which does not import this module."""
    status: int = assign(self, part, value, name)
    return status


def assign_href(self: ParsedURL, value: str | ParsedURL, base: str | ParsedURL | None, encoding: str) -> Any:
    """Parses a URL and makes this one the result; returns the status."""
    record = cython.declare(Record)
    status = cython.declare(Status)
    if is_frozen(self) and self._href != "":
        raise_frozen("href")
    href = resolve(value, base, encoding, cython.address(record), cython.address(status))
    if href is not None:
        with cython.critical_section(self):
            if self._href != "" and is_frozen(self):
                raise_frozen("href")
            if self._params is None:
                self._href = href
                self._record = record
            else:
                store(self, href, cython.address(record), query_pairs(href, cython.address(record)))
    return status


def serialization(self: ParsedURL, exclude_fragment: bool) -> str:
    """https://url.spec.whatwg.org/#concept-url-serializer"""
    record = cython.declare(Record)
    href = snapshot(self, cython.address(record))
    return href[: record.fragment_start] if exclude_fragment and record.fragment_start != OMITTED else href


def origin_url(url: ParsedURL) -> Any:
    """The URL whose scheme, host and port are the origin of another; None if its origin is opaque."""
    record = cython.declare(Record)
    source = cython.declare(Record)
    href = origin_source(snapshot(url, cython.address(record)), cython.address(record), cython.address(source))
    return None if href is None else with_record(url_class, href, cython.address(source))


def with_record(cls: Any, href: str, record: Any) -> Any:
    """A new URL of a class."""
    self = cython.cast(ParsedURL, new_object(cls, ())) if has_new_of(cls, ParsedURL) else instance(cls)
    self._href = href
    self._record = record[0]
    return self


def new_url(cls: Any, args: Any, nargsf: int, names: Any) -> Any:
    """The call of a class: URL(url) and URL(url, base), without a tuple for their arguments."""
    record = cython.declare(Record)
    status = cython.declare(Status)
    if names != cython.NULL or PyVectorcall_NARGS(nargsf) != 1 or type(cython.cast(object, args[0])) is not str:
        return other_calls(cls, args, nargsf, names)
    # Most calls.
    url = cython.cast(object, args[0])
    href = parse_text(url, None, cython.NULL, None, cython.address(record), cython.address(status))
    if href is None:
        raise failure(url, None, status)
    return with_record(cls, href, cython.address(record))


def new_url_slowly(cls: Any, args: Any, nargsf: int, names: Any) -> Any:
    """The calls that new_url() leaves. It calls this by a pointer, so that it does not have this in itself."""
    count = PyVectorcall_NARGS(nargsf)
    if names != cython.NULL or not 1 <= count <= 2:
        return call_slowly(cls, args, nargsf, names)
    url = cython.cast(object, args[0])
    return create(cls, url, cython.cast(object, args[1]) if count == 2 else None, UTF_8, True)


def parses(url: str | ParsedURL, base: str | ParsedURL | None) -> bool:
    """Whether a URL parses."""
    base_record = cython.declare(Record)
    view = cython.declare(URLView)
    if not isinstance(url, str):
        url = text_of(url, "url")
    if base is None or isinstance(base, str):
        return can_parse_text(url, base, cython.NULL)
    if not isinstance(base, ParsedURL):
        raise wrong_type(base, "base must be a str, a URL or None")
    href = snapshot(base, cython.address(base_record))
    if href == "":
        return False
    view_text(cython.address(view), href, cython.address(base_record))
    return can_parse_text(url, None, cython.address(view))


@cython.freelist(32)
@cython.cclass
class ParsedURL:
    """A serialization and its record: the fields of URL and FrozenURL, and what only reads them."""

    # For type checkers: the compiled class has its fields from _parsed.pxd.
    if not cython.compiled:
        _href: str
        _record: Record
        _params: URLSearchParams | None

    def __cinit__(self) -> None:
        self._href = ""
        clear_record(cython.address(self._record))

    @property
    def origin(self) -> str:
        """The origin as a string: scheme, host and port; "null" for a file URL and for a scheme without origins.

        >>> URL("https://ada:secret@example.com:443/a?q").origin, URL("file:///etc/hosts").origin
        ('https://example.com', 'null')
        """
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        return origin_text(href, cython.address(record))

    @property
    def port_number(self) -> int | None:
        """The port as an int, also if it is the default of the scheme; None if there is neither.

        >>> URL("https://example.com/").port_number, URL("file:///etc/hosts").port_number
        (443, None)
        """
        record = cython.declare(Record)
        snapshot(self, cython.address(record))
        port: int = record.port if has_port(cython.address(record)) else default_port(record.scheme_type)
        return None if port < 0 else port

    @port_number.setter
    def port_number(self, value: object) -> None:
        raise_read_only(self, "port_number", "port", "port")

    @property
    def path_segments(self) -> tuple[str, ...] | None:
        """The segments of the path, percent-encoded; None for an opaque path.

        >>> URL("https://example.com/AC%2FDC/live/").path_segments
        ('AC%2FDC', 'live', '')
        """
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        if is_opaque(href, cython.address(record)):
            return None
        return tuple(part_text(href, cython.address(record), PATHNAME).split("/")[1:])

    @path_segments.setter
    def path_segments(self, value: object) -> None:
        raise_read_only(self, "path_segments", "pathname", "path_segments")

    @property
    def decoded_segments(self) -> tuple[str, ...] | None:
        """The segments of the path, percent-decoded; None for an opaque path.

        >>> URL("https://example.com/AC%2FDC/caf%C3%A9").decoded_segments
        ('AC/DC', 'café')

        Bytes that are not UTF-8 become U+FFFD.
        """
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        return None if is_opaque(href, cython.address(record)) else decoded_path(href, cython.address(record))

    @property
    def query(self) -> str | None:
        """The query without its question mark; None if there is none.

        >>> URL("https://example.com/?q=1").query, URL("https://example.com/?").query, URL("https://example.com/").query
        ('q=1', '', None)
        """
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        return None if record.query_start == OMITTED else part_text(href, cython.address(record), QUERY)

    @query.setter
    def query(self, value: object) -> None:
        raise_read_only(self, "query", "search", "query")

    @property
    def fragment(self) -> str | None:
        """The fragment without its number sign; None if there is none.

        >>> URL("https://example.com/#top").fragment, URL("https://example.com/").fragment
        ('top', None)
        """
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        return None if record.fragment_start == OMITTED else part_text(href, cython.address(record), FRAGMENT)

    @fragment.setter
    def fragment(self, value: object) -> None:
        raise_read_only(self, "fragment", "hash", "fragment")

    @property
    def host_type(self) -> str | None:
        """The kind of the host: 'domain', 'ipv4', 'ipv6', 'opaque' or 'empty'; None if the URL has no host.

        >>> URL("http://3232235777/").host_type, URL("git://3232235777/").host_type, URL("mailto:ada@h").host_type
        ('ipv4', 'opaque', None)
        """
        record = cython.declare(Record)
        snapshot(self, cython.address(record))
        host_type: str | None = HOST_TYPE_NAMES[record.host_type]
        return host_type

    @property
    def ip_address(self) -> IPv4Address | IPv6Address | None:
        """The host as an object of the ipaddress module; None if it is not an IP address.

        >>> URL("http://0300.0250.1/").ip_address
        IPv4Address('192.168.0.1')
        """
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        return ip_address_of(HOST_TYPE_NAMES[record.host_type], part_text(href, cython.address(record), HOSTNAME))

    @property
    def is_special(self) -> bool:
        """Whether the scheme is one of http, https, ws, wss, ftp and file.

        >>> URL("wss://example.com/").is_special, URL("git://example.com/").is_special
        (True, False)
        """
        record = cython.declare(Record)
        snapshot(self, cython.address(record))
        special: bool = record.scheme_type != NOT_SPECIAL
        return special

    @property
    def has_opaque_path(self) -> bool:
        """Whether the path is opaque, which means that it has no segments.

        >>> URL("mailto:ada@example.com").has_opaque_path, URL("https://example.com/a").has_opaque_path
        (True, False)
        """
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        return is_opaque(href, cython.address(record))

    @property
    def includes_credentials(self) -> bool:
        """Whether there is a username or a password.

        >>> URL("https://:secret@example.com/").includes_credentials, URL("https://@example.com/").includes_credentials
        (True, False)
        """
        record = cython.declare(Record)
        snapshot(self, cython.address(record))
        return has_credentials(cython.address(record))

    @property
    def name(self) -> str:
        """The last segment of the path, percent-decoded; empty if the path ends in a slash, or is opaque.

        >>> URL("https://example.com/a/b%20c.tar.gz").name
        'b c.tar.gz'

        It may have a slash, as for `%2F`: check it before you name a file after it.
        """
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        return last_segment(href, cython.address(record))

    @property
    def suffix(self) -> str:
        """The ending of the name with its dot, as in pathlib; empty if there is none.

        >>> URL("https://example.com/a/b%20c.tar.gz").suffix
        '.gz'
        """
        name = self.name
        dot = name.rfind(".")
        return name[dot:] if 0 < dot < len(name) - 1 else ""

    def parts(self) -> URLParts:
        """The parts as a dict with the keywords of `build`.

        >>> parts = URL("https://example.com:8080/a?q").parts()
        >>> parts["hostname"], parts["port"], parts["query"], parts["fragment"]
        ('example.com', 8080, 'q', None)
        >>> URL.build(**parts).href
        'https://example.com:8080/a?q'
        """
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        return parts_of(href, cython.address(record))

    def serialize(self, *, exclude_fragment: bool = False) -> str:
        """The URL as a string, with or without its fragment.

        >>> URL("https://example.com/docs#install").serialize(exclude_fragment=True)
        'https://example.com/docs'
        """
        return serialization(self, exclude_fragment)

    def equals(self, other: ParsedURL, *, exclude_fragments: bool = False) -> bool:
        """Whether two URLs are the same, with or without their fragments.

        >>> page = URL("https://example.com/docs")
        >>> page.equals(URL("HTTPS://example.com:443/docs#install"), exclude_fragments=True)
        True
        """
        if not isinstance(other, ParsedURL):
            raise wrong_type(other, "other must be a URL")
        return serialization(self, exclude_fragments) == serialization(other, exclude_fragments)

    def to_json(self) -> str:
        """The URL as a string, for JSON.

        >>> import json
        >>> json.dumps({"home": URL("https://example.com/café")}, default=URL.to_json)
        '{"home": "https://example.com/caf%C3%A9"}'
        """
        return read(self, HREF)


def with_record_of(cls: Any, url: ParsedURL) -> Any:
    """A new URL of a class, with the record of another one."""
    record = cython.declare(Record)
    href = snapshot(url, cython.address(record))
    return with_record(cls, href, cython.address(record))


def like(self: ParsedURL, url: ParsedURL) -> Any:
    """A URL of the same class and with the same attributes, with the record of another one."""
    record = cython.declare(Record)
    href = snapshot(url, cython.address(record))
    return with_attributes(self, href, cython.address(record))


def with_attributes(self: ParsedURL, href: str, record: Any) -> Any:
    """A new URL of the same class and with the same attributes."""
    copy = with_record(type(self), href, record)
    if type(self) is url_class or type(self) is frozen_class:
        return copy
    attributes = getattr(self, "__dict__", None)
    if attributes:
        copy.__dict__.update(attributes)
    set_slots(copy, slots_of(self))
    return copy


# The type of slots, without the module types.
MEMBER = type(type("Slotted", (), {"__slots__": ("slot",)}).__dict__["slot"])


def members(cls: Any) -> dict[str, Any]:
    """The slots of a subclass, by their names."""
    found: dict[str, Any] = {}
    for each in cls.__mro__:
        if "__slots__" in each.__dict__:
            for name, member in each.__dict__.items():
                if type(member) is MEMBER:
                    found.setdefault(name, member)
    return found


def slots_of(self: ParsedURL) -> dict[str, Any]:
    """The values that a URL of a subclass has in its slots."""
    found: dict[str, Any] = {}
    if type(self) is url_class or type(self) is frozen_class:
        return found
    for name, member in members(type(self)).items():
        try:
            found[name] = member.__get__(self)
        except AttributeError:  # without a value
            continue
    return found


def set_slots(self: ParsedURL, values: Any) -> None:
    """A KeyError if there is no such slot."""
    if values:
        own = members(type(self))
        for name, value in values.items():
            own[name].__set__(self, value)


def edited(self: ParsedURL, href: str, before: Any, query: str | None) -> Any:
    """A URL of the same class and with the same attributes, with another query in a serialization."""
    record = cython.declare(Record)
    if href == "":
        raise uninitialized(self)
    if query == "" and before.query_start == OMITTED:
        query = None
    changed = replace_query_text(href, before, query, cython.address(record))
    if changed is None:
        raise InvalidURL(query or "", None, "too-long", "query")
    return with_attributes(self, changed, cython.address(record))


def is_equal(self: ParsedURL, other: object) -> Any:
    """What == gives for two URLs of either class."""
    if not isinstance(other, ParsedURL):
        return NotImplemented
    return read(self, HREF) == read(other, HREF)


def set_classes(common: type[Any], mutable: type[Any], frozen: type[Any], utf_8: str) -> None:
    """Finishes the two classes, and what they have in common: nothing is slower than in one class without a base."""
    global UTF_8, url_class, frozen_class, other_calls
    # The same object as the default of functions there, so that most calls compare no text.
    UTF_8 = utf_8
    url_class, frozen_class, other_calls = mutable, frozen, new_url_slowly
    inherit(cython.cast(cython.pointer[PyTypeObject], common), cython.cast(cython.pointer[PyTypeObject], ParsedURL))
    for cls in (mutable, frozen):
        inherit(cython.cast(cython.pointer[PyTypeObject], cls), cython.cast(cython.pointer[PyTypeObject], common))
        set_vectorcall(cls, new_url)
        bind_once(cls, common, "build")
