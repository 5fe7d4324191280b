# cython: embedsignature=True, embedsignature.format=clinic
"""What URL and FrozenURL have in common: the record, the getters and setters, and edits that make another URL."""

from __future__ import annotations

import cython

from weburl._core.failures import FAILURE_NAMES
from weburl._core.host import HOST_TYPE_NAMES, ip_address_of
from weburl._parts import assign_parts, host_text, params_text
from weburl.errors import InvalidURL

# For type checkers: the compiled module takes these names from url.pxd.
if not cython.compiled:
    from weburl._core.parser import default_port, length_limit
    from weburl._core.parts import (
        append_segment,
        bind_once,
        build_text,
        decoded_path,
        parts_of,
        port_value,
        wrong_type,
    )
    from weburl._core.record import (
        FRAGMENT,
        HASH,
        HOST,
        HOSTNAME,
        HREF,
        NOT_SPECIAL,
        OMITTED,
        PASSWORD,
        PATHNAME,
        PORT,
        PROTOCOL,
        QUERY,
        SCHEME,
        SEARCH,
        USERNAME,
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
        set_part_text,
        set_query_text,
    )
    from weburl._core.urlencoded import parse_urlencoded_text
    from weburl._core.vectorcall import (
        PyTypeObject,
        PyVectorcall_NARGS,
        call_slowly,
        has_new_of,
        inherit,
        new_object,
        set_vectorcall,
    )
    from weburl.search_params import URLSearchParams, attached, follow_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from ipaddress import IPv4Address, IPv6Address
    from os import PathLike
    from typing import Any, Final, NoReturn, Self

    from weburl._core.parts import Params, URLParts
    from weburl._hosts.host import Host

UTF_8: Final = "utf-8"

# url.py sets them, as this module does not import it: URL, and FrozenURL.
url_class: Any = None
frozen_class: Any = None


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
        sync(self)
        record[0] = self._record
        return self._href


def read(self: ParsedURL, part: int) -> str:
    """The value of a part."""
    with cython.critical_section(self):
        if self._params is not None:
            sync(self)
        return self._href if part == HREF else part_text(self._href, cython.address(self._record), part)


def room(href: str, record: Any) -> int:
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
        follow_url(self._params, pairs, room(href, record))
    self._href = href
    self._record = record[0]


def query_pairs(href: str, record: Any) -> list[tuple[str, str]]:
    """The name-value pairs of the query."""
    return parse_urlencoded_text(part_text(href, record, QUERY), 0)


def is_frozen(self: ParsedURL) -> bool:
    return type(self) is not url_class and isinstance(self, frozen_class)


def raise_frozen(name: str) -> NoReturn:
    raise AttributeError(f"a FrozenURL does not change: use replace({name}=...)")


def instance(cls: Any) -> Any:
    """A new object of a class; TypeError if the __new__() of a subclass returns something else."""
    if has_new_of(cls, ParsedURL):
        return cython.cast(ParsedURL, new_object(cls, ()))
    self = cls.__new__(cls)
    if not isinstance(self, ParsedURL):
        raise TypeError(f"{cls.__name__}.__new__() must give a URL, not {type(self).__name__}")
    if self._href != "" and is_frozen(self):
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
    if type(self) is not url_class and is_frozen(self):
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
    self = instance(cls)
    self._href = href
    self._record = record[0]
    return self


def new_url(cls: Any, args: Any, nargsf: int, names: Any) -> Any:
    """The call of a class: URL(url) and URL(url, base), without a tuple for their arguments."""
    record = cython.declare(Record)
    status = cython.declare(Status)
    count = PyVectorcall_NARGS(nargsf)
    if names != cython.NULL or not 1 <= count <= 2:
        return call_slowly(cls, args, nargsf, names)
    url = cython.cast(object, args[0])
    if count == 2 or type(url) is not str:
        return create(cls, url, cython.cast(object, args[1]) if count == 2 else None, "utf-8", True)
    # Most calls.
    href = parse_text(url, None, cython.NULL, None, cython.address(record), cython.address(status))
    if href is None:
        raise failure(url, None, status)
    return with_record(cls, href, cython.address(record))


def restore(cls: type[Any], href: str, attributes: dict[str, Any] | None) -> ParsedURL:
    """Makes a URL or a FrozenURL from its pickle."""
    if not (isinstance(cls, type) and issubclass(cls, ParsedURL) and isinstance(href, str)):
        raise TypeError("not the pickle of a URL")
    self: ParsedURL = create(cls, href, None, "utf-8", True)
    if attributes:
        self.__dict__.update(attributes)
    return self


@cython.freelist(32)
@cython.cclass
class ParsedURL:
    """The base of URL and FrozenURL, which have no fields of their own."""

    __match_args__ = ("href",)

    # For type checkers: the compiled class has its fields from url.pxd.
    if not cython.compiled:
        _href: str
        _record: Record
        _params: URLSearchParams | None

    def __cinit__(self) -> None:
        self._href = ""
        clear_record(cython.address(self._record))

    def __init__(self, url: str | ParsedURL, base: str | ParsedURL | None = None, *, encoding: str = "utf-8") -> None:
        status = assign_href(self, url, base, encoding)
        if status:
            raise failure(url, base, status)

    @classmethod
    def parse(
        cls, url: str | ParsedURL, base: str | ParsedURL | None = None, *, encoding: str = "utf-8"
    ) -> Self | None:
        """A new URL, or None if it does not parse."""
        url_or_none: Self | None = create(cls, url, base, encoding, False)
        return url_or_none

    @classmethod
    def from_path(cls, path: str | bytes | PathLike[str] | PathLike[bytes], *, windows: bool | None = None) -> Self:
        """The file URL of an absolute path.

        InvalidURL is raised for a relative path, and for one that a URL cannot name, such as one with the segment `..`.
        `windows` says whether the path is one of Windows; by default it is one of this system.
        """
        from weburl._files import url_of_path

        url: Self = create(cls, url_of_path(path, windows, length_limit), None, "utf-8", True)
        return url

    @classmethod
    def build(
        cls,
        *,
        scheme: str,
        host: str | Host | IPv4Address | IPv6Address | None = None,
        port: str | int | None = None,
        path: str | None = None,
        query: str | None = None,
        fragment: str | None = None,
        username: str | None = None,
        password: str | None = None,
        path_segments: Iterable[str] | None = None,
        params: Params | None = None,
    ) -> Self:
        """A new URL of parts, given without their delimiters. None is the same as a part that is not given.

        What a part cannot have is percent-encoded, and `%` is kept. `path_segments` and `params` are given instead of
        `path` and `query`: they are decoded text, so `%` is encoded too, and `/` in a segment. InvalidURL is raised
        for what cannot be said, and names the part.
        """
        record = cython.declare(Record)
        if query is not None and params is not None:
            raise TypeError("build() takes query or params, not both")
        if params is not None:
            # No pairs are no query, as in search_params.
            query = params_text(params) or None
        if not (host is None or isinstance(host, str)):
            host = host_text(host)
        source = "query" if params is None else "params"
        href = build_text(
            scheme, username, password, host, port, path, path_segments, query, source, fragment, cython.address(record)
        )
        url: Self = with_record(cls, href, cython.address(record))
        return url

    @staticmethod
    def can_parse(url: str | ParsedURL, base: str | ParsedURL | None = None) -> bool:
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

    @property
    def href(self) -> str:
        """The serialization. Assigning to it parses the value; InvalidURL is raised if that fails."""
        return read(self, HREF)

    @href.setter
    def href(self, value: str) -> None:
        if not isinstance(value, str):
            raise wrong_type(value, "href must be a str")
        status = assign_href(self, value, None, "utf-8")
        if status:
            raise failure(value, None, status)

    @property
    def origin(self) -> str:
        """The origin as a string: scheme, host and port, or "null" for file URLs and for schemes without an origin."""
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        return origin_text(href, cython.address(record))

    @property
    def protocol(self) -> str:
        """The scheme with its colon."""
        return read(self, PROTOCOL)

    @protocol.setter
    def protocol(self, value: str) -> None:
        assign(self, PROTOCOL, value, "protocol")

    @property
    def username(self) -> str:
        """The username, percent-encoded."""
        return read(self, USERNAME)

    @username.setter
    def username(self, value: str) -> None:
        assign(self, USERNAME, value, "username")

    @property
    def password(self) -> str:
        """The password, percent-encoded."""
        return read(self, PASSWORD)

    @password.setter
    def password(self, value: str) -> None:
        assign(self, PASSWORD, value, "password")

    @property
    def host(self) -> str:
        """The host, with the port if it is not the scheme's default."""
        return read(self, HOST)

    @host.setter
    def host(self, value: str) -> None:
        assign(self, HOST, value, "host")

    @property
    def hostname(self) -> str:
        """The host without the port. A domain is in ASCII, an IPv6 address in brackets."""
        return read(self, HOSTNAME)

    @hostname.setter
    def hostname(self, value: str) -> None:
        assign(self, HOSTNAME, value, "hostname")

    @property
    def port(self) -> str:
        """The port as a str, empty if it is the scheme's default. An int can be assigned, too."""
        return read(self, PORT)

    @port.setter
    def port(self, value: str | int) -> None:
        assign(self, PORT, port_value(value), "port")

    @property
    def pathname(self) -> str:
        """The path, percent-encoded."""
        return read(self, PATHNAME)

    @pathname.setter
    def pathname(self, value: str) -> None:
        assign(self, PATHNAME, value, "pathname")

    @property
    def search(self) -> str:
        """The query with its question mark; empty if the query is empty or missing."""
        return read(self, SEARCH)

    @search.setter
    def search(self, value: str) -> None:
        assign(self, SEARCH, value, "search")

    @property
    def search_params(self) -> URLSearchParams:
        """The name-value pairs of the query, always the same object. Changing it changes the URL, and vice versa."""
        with cython.critical_section(self):
            while self._params is None:
                href = self._href
                query = part_text(href, cython.address(self._record), QUERY)
                new = attached(self, query, room(href, cython.address(self._record)), is_frozen(self))
                # An allocation may run a finalizer that does the same, or changes the URL.
                if self._params is None and self._href is href:
                    self._params = new
            return self._params

    @property
    def hash(self) -> str:
        """The fragment with its number sign; empty if the fragment is empty or missing."""
        return read(self, HASH)

    @hash.setter
    def hash(self, value: str) -> None:
        assign(self, HASH, value, "hash")

    @property
    def scheme(self) -> str:
        """The scheme without the colon."""
        return read(self, SCHEME)

    @property
    def port_number(self) -> int | None:
        """The port or the scheme's default port, as an int; None if there is neither."""
        record = cython.declare(Record)
        snapshot(self, cython.address(record))
        port: int = record.port if has_port(cython.address(record)) else default_port(record.scheme_type)
        return None if port < 0 else port

    @property
    def path_segments(self) -> tuple[str, ...] | None:
        """The segments of the path, percent-encoded; None for an opaque path."""
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        if is_opaque(href, cython.address(record)):
            return None
        return tuple(part_text(href, cython.address(record), PATHNAME).split("/")[1:])

    @property
    def decoded_segments(self) -> tuple[str, ...] | None:
        """The segments of the path, percent-decoded as UTF-8 (other bytes are U+FFFD); None for an opaque path."""
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        return None if is_opaque(href, cython.address(record)) else decoded_path(href, cython.address(record))

    @property
    def query(self) -> str | None:
        """The query without the question mark; None if the URL has no query."""
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        return None if record.query_start == OMITTED else part_text(href, cython.address(record), QUERY)

    @property
    def fragment(self) -> str | None:
        """The fragment without the number sign; None if the URL has no fragment."""
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        return None if record.fragment_start == OMITTED else part_text(href, cython.address(record), FRAGMENT)

    @property
    def host_type(self) -> str | None:
        """The kind of host: 'domain', 'ipv4', 'ipv6', 'opaque' or 'empty'; None if the URL has no host."""
        record = cython.declare(Record)
        snapshot(self, cython.address(record))
        host_type: str | None = HOST_TYPE_NAMES[record.host_type]
        return host_type

    @property
    def host_value(self) -> Host | None:
        """The host as a value, with its labels; None if the URL has no host. The empty host is a Host, too."""
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        host_type = HOST_TYPE_NAMES[record.host_type]
        if host_type is None:
            return None
        from weburl._hosts.host import make_host

        host: Host = make_host(host_type, part_text(href, cython.address(record), HOSTNAME))
        return host

    @property
    def ip_address(self) -> IPv4Address | IPv6Address | None:
        """The host as an object of the ipaddress module; None if it is not an IP address."""
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        return ip_address_of(HOST_TYPE_NAMES[record.host_type], part_text(href, cython.address(record), HOSTNAME))

    @property
    def is_special(self) -> bool:
        """Whether the scheme is one of http, https, ws, wss, ftp and file."""
        record = cython.declare(Record)
        snapshot(self, cython.address(record))
        special: bool = record.scheme_type != NOT_SPECIAL
        return special

    @property
    def has_opaque_path(self) -> bool:
        """Whether the path is opaque, as in mailto:someone@example.com."""
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        return is_opaque(href, cython.address(record))

    @property
    def includes_credentials(self) -> bool:
        """Whether there is a username or a password."""
        record = cython.declare(Record)
        snapshot(self, cython.address(record))
        return has_credentials(cython.address(record))

    def join(self, ref: str | ParsedURL, *, encoding: str = "utf-8") -> Self:
        """Resolves a reference, such as a relative URL, against this URL; `encoding` is that of `URL`."""
        joined: Self = create(type(self), ref, self, encoding, True)
        return joined

    def __truediv__(self, segment: str) -> Self:
        """The URL with one more path segment, given as decoded text, and without query and fragment.

        A path that ends in a slash gets the segment after it. InvalidURL is raised for "." and "..", and if the path is
        opaque.
        """
        before = cython.declare(Record)
        record = cython.declare(Record)
        if not isinstance(segment, str):
            return NotImplemented
        href = snapshot(self, cython.address(before))
        href = append_segment(href, cython.address(before), segment, cython.address(record))
        url: Self = with_record(type(self), href, cython.address(record))
        return url

    def parts(self) -> URLParts:
        """The parts as a dict with keywords for `build`: `URL.build(**url.parts())` is the same URL."""
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        return parts_of(href, cython.address(record))

    def replace(
        self,
        *,
        href: str = ...,
        protocol: str = ...,
        scheme: str = ...,
        username: str = ...,
        password: str = ...,
        host: str = ...,
        hostname: str = ...,
        port: str | int | None = ...,
        pathname: str = ...,
        path_segments: Iterable[str] = ...,
        search: str = ...,
        query: str | None = ...,
        params: Params = ...,
        hash: str = ...,
        fragment: str | None = ...,
    ) -> Self:
        """A copy with other parts, which are assigned in this order.

        A value that fails or that an assignment would ignore raises InvalidURL, which names the part. `scheme`, `query`
        and `fragment` are given without their delimiters. None removes the port, the query or the fragment.
        `path_segments` and `params` are decoded text, as in `build`.
        """
        copy = with_record_of(url_class, self)
        if href is not ...:
            try:
                copy.href = href
            except InvalidURL as error:
                raise InvalidURL(error.input, None, error.error, "href") from None
        parts = {
            "protocol": protocol, "scheme": scheme, "username": username, "password": password, "host": host,
            "hostname": hostname, "port": port, "pathname": pathname, "path_segments": path_segments,
            "search": search, "query": query, "params": params, "hash": hash, "fragment": fragment,
        }  # fmt: skip
        assign_parts(copy, parts, assign_part)
        if copy.scheme == "file" != self.scheme:
            # The standard's setter can leave a URL that parses to another one: https://url.spec.whatwg.org/#file-host-state
            # and the drive letters of https://url.spec.whatwg.org/#path-state.
            copy.href = copy.href
        replaced: Self = like(self, copy)
        return replaced

    def serialize(self, *, exclude_fragment: bool = False) -> str:
        """The serialization, with or without the fragment."""
        return serialization(self, exclude_fragment)

    def equals(self, other: ParsedURL, *, exclude_fragments: bool = False) -> bool:
        """Whether the serializations are equal, with or without the fragments."""
        if not isinstance(other, ParsedURL):
            raise wrong_type(other, "other must be a URL")
        return serialization(self, exclude_fragments) == serialization(other, exclude_fragments)

    def to_path(self, *, windows: bool | None = None) -> str:
        """The path of a file URL; its query and fragment do not count.

        InvalidURL is raised for other URLs, and for one that stands for no file, or for something else than a file.
        `windows` says whether the path is one of Windows; by default it is one of this system.
        """
        from weburl._files import path_of_url

        return path_of_url(read(self, HREF), windows)

    def to_json(self) -> str:
        """The serialization."""
        return read(self, HREF)

    def __str__(self) -> str:
        return read(self, HREF)

    def __repr__(self) -> str:
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        if has_credentials(cython.address(record)) and record.username_end + 1 < record.host_start:
            href = f"{href[: record.username_end + 1]}***{href[record.host_start - 1 :]}"
        elif is_opaque(href, cython.address(record)) and "@" in href:
            from weburl._diagnosis.credentials import without_inner_credentials

            path = part_text(href, cython.address(record), PATHNAME)
            rest = record.path_start + len(path)
            href = f"{href[: record.path_start]}{without_inner_credentials(path)}{href[rest:]}"
        return f"{type(self).__name__}({href!r})"

    def __copy__(self) -> Self:
        copy: Self = self if type(self) is frozen_class else like(self, self)
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        from copy import deepcopy

        if type(self) is frozen_class:
            return self
        copy: Self = like(self, self)
        memo[id(self)] = copy
        attributes = getattr(self, "__dict__", None)
        if attributes:
            copy.__dict__.update(deepcopy(attributes, memo))
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return restore, (type(self), read(self, HREF), getattr(self, "__dict__", None))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from weburl._pydantic import core_schema_of

        return core_schema_of(cls, ParsedURL)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        json_schema: dict[str, Any] = handler(schema["schema"])
        return json_schema


def with_record_of(cls: Any, url: ParsedURL) -> Any:
    """A new URL of a class, with the record of another one."""
    record = cython.declare(Record)
    href = snapshot(url, cython.address(record))
    return with_record(cls, href, cython.address(record))


def like(self: ParsedURL, url: ParsedURL) -> Any:
    """A URL of the same class and with the same attributes, with the record of another one."""
    copy = with_record_of(type(self), url)
    attributes = getattr(self, "__dict__", None)
    if attributes:
        copy.__dict__.update(attributes)
    return copy


def is_equal(self: ParsedURL, other: object) -> Any:
    """What == gives for two URLs of either class."""
    if not isinstance(other, ParsedURL):
        return NotImplemented
    return read(self, HREF) == read(other, HREF)


def set_classes(mutable: type[Any], frozen: type[Any]) -> None:
    """Finishes the two classes: nothing that they have is slower than in a class without a base."""
    global url_class, frozen_class
    url_class, frozen_class = mutable, frozen
    for cls in (mutable, frozen):
        inherit(cython.cast(cython.pointer[PyTypeObject], cls), cython.cast(cython.pointer[PyTypeObject], ParsedURL))
        set_vectorcall(cls, new_url)
        bind_once(cls, ParsedURL, "build")
