# cython: embedsignature=True, embedsignature.format=clinic
"""The classes URL and FrozenURL, and functions for URLs as strings."""

from __future__ import annotations

import cython

from weburl._core.arguments import wrong_type
from weburl._core.failures import FAILURE_NAMES
from weburl._core.host import HOST_TYPE_NAMES
from weburl._parsed import ParsedURL, assign_part
from weburl._parts import (
    assign_parts,
    check_alternatives,
    encoded_query,
    encoded_search,
    host_text,
    may_divide,
    scheme_of,
    split_host,
    two_ports,
    undelimited,
    unknown_part,
)
from weburl.errors import InvalidURL
from weburl.search_params import query_of_params

# For type checkers: the compiled module takes these names from url.pxd.
if not cython.compiled:
    from weburl._core.parser import length_limit
    from weburl._core.parts import append_segment, build_text, has_colon, port_value
    from weburl._core.record import (
        HASH,
        HOST,
        HOSTNAME,
        HREF,
        PASSWORD,
        PATHNAME,
        PORT,
        PROTOCOL,
        QUERY,
        SCHEME,
        SEARCH,
        USERNAME,
        Record,
        has_credentials,
        is_opaque,
        part_text,
    )
    from weburl._core.status import Status
    from weburl._core.texts import can_parse_text, output_encoding, parent_text, parse_text
    from weburl._parsed import (
        assign,
        assign_href,
        create,
        delete,
        edited,
        failure,
        frozen_class,
        is_equal,
        is_frozen,
        like,
        longest_query,
        members,
        parses,
        raise_read_only,
        read,
        resolve,
        set_classes,
        set_slots,
        slots_of,
        snapshot,
        text_of,
        uninitialized,
        url_class,
        with_attributes,
        with_record,
        with_record_of,
    )
    from weburl.search_params import attached, query_and, query_with, query_without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from ipaddress import IPv4Address, IPv6Address
    from os import PathLike
    from typing import Any, Self

    from weburl._core.parts import Params
    from weburl._host import Host
    from weburl.search_params import URLSearchParams

__all__ = ["URL", "FrozenURL", "join", "normalize"]


def __dir__() -> list[str]:
    return __all__


UTF_8 = cython.declare(str, "utf-8")
EMPTY_HASH = cython.declare(cython.Py_hash_t, hash(""))


def restore(
    cls: type[Any], href: str, attributes: dict[str, Any] | None, slots: dict[str, Any] | None = None
) -> ParsedURL:
    """Makes a URL or a FrozenURL from its pickle."""
    is_one = isinstance(cls, type) and issubclass(cls, (URL, FrozenURL)) and isinstance(href, str)
    if (
        not is_one
        or not (attributes is None or (isinstance(attributes, dict) and cls.__dictoffset__))
        or not (slots is None or (type(slots) is dict and slots.keys() <= members(cls).keys()))
    ):
        raise TypeError("not the pickle of a URL")
    self: ParsedURL = create(cls, href, None, "utf-8", True)
    if attributes:
        self.__dict__.update(attributes)
    set_slots(self, slots)
    return self


@cython.cclass
class CommonURL(ParsedURL):
    """What URL and FrozenURL have in common."""

    __match_args__ = ("href",)

    def __init__(self, url: str | ParsedURL, base: str | ParsedURL | None = None, *, encoding: str = "utf-8") -> None:
        status = assign_href(self, url, base, encoding)
        if status:
            raise failure(url, base, status)

    @classmethod
    def parse(
        cls, url: str | ParsedURL, base: str | ParsedURL | None = None, *, encoding: str = "utf-8"
    ) -> Self | None:
        """A new URL, or None if the text does not parse.

        >>> URL.parse("img/logo.svg", "https://example.com/docs/")
        URL('https://example.com/docs/img/logo.svg')
        >>> URL.parse("www.example.com/docs") is None  # it has no scheme, and there is no base
        True
        """
        url_or_none: Self | None = create(cls, url, base, encoding, False)
        return url_or_none

    @classmethod
    def from_path(cls, path: str | bytes | PathLike[str] | PathLike[bytes], *, windows: bool | None = None) -> Self:
        """The file URL of an absolute path.

        >>> URL.from_path("/srv/100% off.txt", windows=False).href
        'file:///srv/100%25%20off.txt'
        >>> URL.from_path("C:\\\\Users\\\\ada", windows=True).href
        'file:///C:/Users/ada'

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
        scheme: str | None = None,
        protocol: str | None = None,
        username: str | None = None,
        password: str | None = None,
        host: str | Host | IPv4Address | IPv6Address | None = None,
        hostname: str | Host | IPv4Address | IPv6Address | None = None,
        port: str | int | None = None,
        pathname: str | None = None,
        path_segments: Iterable[str] | None = None,
        search: str | None = None,
        query: str | None = None,
        params: Params | None = None,
        hash: str | None = None,
        fragment: str | None = None,
        encoding: str = "utf-8",
        **others: Any,
    ) -> Self:
        """A new URL, made of its parts. A part that is None is absent.

            >>> URL.build(scheme="https", host="example.com", path_segments=["a b", "c/d"], params={"q": "1&2"}).href
            'https://example.com/a%20b/c%2Fd?q=1%262'

        The keywords are the names of the attributes. Some parts have two names, such as `hash` and `fragment`: pass one
        of them. A character that a part cannot have is percent-encoded; `%` is kept. `path_segments` and `params` are
        plain text: there `%` is encoded too, and in a segment `/` as well. `host` is a text, a Host or an address of
        ipaddress. It may have a port, but `hostname` may not. `encoding` is that of the query, as in `URL`. If a part
        cannot be in a URL, InvalidURL is raised, and names the part.
        """
        record = cython.declare(Record)
        if others:
            raise unknown_part("build", others)
        if (
            (protocol is not None and scheme is not None)
            or (hostname is not None and host is not None)
            or (pathname is not None and path_segments is not None)
            or (search is not None) + (query is not None) + (params is not None) > 1
            or (hash is not None and fragment is not None)
        ):
            parts = {"protocol": protocol, "scheme": scheme, "host": host, "hostname": hostname}
            parts |= {"pathname": pathname, "path_segments": path_segments, "hash": hash, "fragment": fragment}
            check_alternatives("build", {**parts, "search": search, "query": query, "params": params}, None)
        host_name, source = "host", "query"
        scheme = scheme_of(protocol) if scheme is None else scheme
        if hostname is not None:
            host, host_name = hostname, "hostname"
        if not (host is None or isinstance(host, str)):
            host = host_text(host, host_name)
        elif host is not None and hostname is None and has_colon(host):
            host, own_port = split_host(host)
            if own_port is not None:
                if port is not None:
                    raise two_ports("build")
                port = own_port
        if params is not None:
            # No pairs are no query, as in search_params.
            query, source = query_of_params(params, encoding) or None, "params"
        elif search is not None:
            query, source = undelimited("?", search, "search"), "search"
        if hash is not None:
            fragment = undelimited("#", hash, "hash")
        if encoding is not UTF_8:
            query = encoded_query(scheme, query, output_encoding(encoding))
        href = build_text(
            scheme, username, password, host, host_name, port, pathname, path_segments, query, source, fragment,
            cython.address(record),
        )  # fmt: skip
        url: Self = with_record(cls, href, cython.address(record))
        return url

    @staticmethod
    def can_parse(url: str | ParsedURL, base: str | ParsedURL | None = None) -> bool:
        """Whether a text parses as a URL.

        >>> URL.can_parse("https://example.com/a b"), URL.can_parse("https://example.com:99999/")
        (True, False)
        """
        return can_parse_text(url, None, cython.NULL) if type(url) is str and base is None else parses(url, base)

    @property
    def href(self) -> str:
        """The whole URL as a string, spelled as the standard spells it.

        >>> URL("HTTP://Example.COM:80/docs/../a b").href
        'http://example.com/a%20b'

        Assigning to it parses the new value; InvalidURL is raised if that fails.
        """
        return read(self, HREF)

    @href.setter
    def href(self, value: str) -> None:
        if not isinstance(value, str):
            raise wrong_type(value, "href must be a str")
        status = assign_href(self, value, None, "utf-8")
        if status:
            raise failure(value, None, status)

    @property
    def protocol(self) -> str:
        """The scheme, with its colon.

        >>> url = URL("HTTPS://shop.example.com/")
        >>> url.protocol
        'https:'
        >>> url.protocol = "mailto"  # no browser makes a mail address of a page: it is ignored
        >>> url.href
        'https://shop.example.com/'
        """
        return read(self, PROTOCOL)

    @protocol.setter
    def protocol(self, value: str) -> None:
        assign(self, PROTOCOL, value, "protocol")

    @property
    def username(self) -> str:
        """The username, percent-encoded; empty if there is none.

        >>> URL("ftp://ada@example.com:secret@files.example.com/").username
        'ada%40example.com'
        """
        return read(self, USERNAME)

    @username.setter
    def username(self, value: str) -> None:
        assign(self, USERNAME, value, "username")

    @property
    def password(self) -> str:
        """The password, percent-encoded; empty if there is none.

        >>> URL("ftp://ada:p:ss@word@files.example.com/").password
        'p%3Ass%40word'
        """
        return read(self, PASSWORD)

    @password.setter
    def password(self, value: str) -> None:
        assign(self, PASSWORD, value, "password")

    @property
    def host(self) -> str:
        """The host, with the port if that is not the default of the scheme.

        >>> URL("https://example.com:443/").host, URL("https://example.com:8443/").host
        ('example.com', 'example.com:8443')
        """
        return read(self, HOST)

    @host.setter
    def host(self, value: str) -> None:
        assign(self, HOST, value, "host")

    @property
    def hostname(self) -> str:
        """The host without the port: a domain in ASCII, an IPv6 address in brackets.

        >>> URL("https://Bücher.example:8080/").hostname, URL("http://0x7f.1/").hostname
        ('xn--bcher-kva.example', '127.0.0.1')
        """
        return read(self, HOSTNAME)

    @hostname.setter
    def hostname(self, value: str) -> None:
        assign(self, HOSTNAME, value, "hostname")

    @property
    def port(self) -> str:
        """The port as a str; empty if it is the default of the scheme.

        >>> url = URL("http://localhost:0080/")
        >>> url.port
        ''
        >>> url.port = 8000
        >>> url.href
        'http://localhost:8000/'

        An int can be assigned, too.
        """
        return read(self, PORT)

    @port.setter
    def port(self, value: str | int) -> None:
        assign(self, PORT, port_value(value), "port")

    @property
    def pathname(self) -> str:
        """The path, percent-encoded.

        >>> URL("https://example.com/menu/./../café au lait").pathname
        '/caf%C3%A9%20au%20lait'
        """
        return read(self, PATHNAME)

    @pathname.setter
    def pathname(self, value: str) -> None:
        assign(self, PATHNAME, value, "pathname")

    @property
    def search(self) -> str:
        """The query with its question mark; empty if the query is empty or there is none.

        >>> URL("https://example.com/?q=a b").search, URL("https://example.com/?").search
        ('?q=a%20b', '')
        """
        return read(self, SEARCH)

    @search.setter
    def search(self, value: str) -> None:
        assign(self, SEARCH, value, "search")

    def set_search(self, search: str, *, encoding: str = "utf-8") -> None:
        """Does what assigning to `search` does, for a query in the encoding of a page.

        >>> url = URL("https://example.com/search")
        >>> url.set_search("?q=café", encoding="windows-1252")
        >>> url.href
        'https://example.com/search?q=caf%E9'
        """
        encoder = None if encoding is UTF_8 else output_encoding(encoding)
        assign(self, SEARCH, search if encoder is None else encoded_search(self.scheme, search, encoder), "search")

    @property
    def search_params(self) -> URLSearchParams:
        """The name-value pairs of the query: changing them changes the URL, and changing the URL changes them.

            >>> url = URL("https://example.com/?a=%20&b=1")
            >>> url.search_params["b"] = "2"
            >>> url.href
            'https://example.com/?a=+&b=2'

        It is always the same object. Any change rewrites the whole query as form data. To keep the spelling of the
        other pairs, use `with_params`, `add_params` or `without_params`. The pairs of a FrozenURL cannot be changed.
        """
        with cython.critical_section(self):
            while self._params is None:
                href = self._href
                query = part_text(href, cython.address(self._record), QUERY)
                new = attached(self, query, longest_query(href, cython.address(self._record)), is_frozen(self))
                # An allocation may run a finalizer that does the same, or changes the URL.
                if self._params is None and self._href is href:
                    self._params = new
            return self._params

    @search_params.setter
    def search_params(self, value: object) -> None:
        raise_read_only(self, "search_params", "search", "params")

    @property
    def hash(self) -> str:
        """The fragment with its number sign; empty if the fragment is empty or there is none.

        >>> URL("https://example.com/docs#getting started").hash
        '#getting%20started'
        """
        return read(self, HASH)

    @hash.setter
    def hash(self, value: str) -> None:
        assign(self, HASH, value, "hash")

    @property
    def scheme(self) -> str:
        """The scheme without its colon, in lower case.

        >>> URL("HTTPS://example.com/").scheme, URL("mailto:ada@example.com").scheme
        ('https', 'mailto')
        """
        return read(self, SCHEME)

    @scheme.setter
    def scheme(self, value: object) -> None:
        raise_read_only(self, "scheme", "protocol", "scheme")

    @property
    def host_value(self) -> Host | None:
        """The host as a `Host`, with its labels; None if the URL has no host.

        >>> URL("https://www.bücher.example/").host_value.labels
        ('www', 'xn--bcher-kva', 'example')

        An empty host, as in file:///etc/hosts, is a Host too.
        """
        record = cython.declare(Record)
        href = snapshot(self, cython.address(record))
        host_type = HOST_TYPE_NAMES[record.host_type]
        if host_type is None:
            return None
        from weburl._host import make_host

        host: Host = make_host(host_type, part_text(href, cython.address(record), HOSTNAME))
        return host

    def join(self, ref: str | ParsedURL, *, encoding: str = "utf-8") -> Self:
        """Resolves a reference, such as a relative URL, against this URL.

        >>> URL("https://example.com/docs/tour").join("api?v=2").href
        'https://example.com/docs/api?v=2'
        >>> URL("https://example.com/docs/tour/").join("api?v=2").href
        'https://example.com/docs/tour/api?v=2'

        `encoding` is the encoding of the query of `ref`.
        """
        record = cython.declare(Record)
        status = cython.declare(Status)
        if not isinstance(ref, str):
            ref = text_of(ref, "ref")
        href = resolve(ref, self, encoding, cython.address(record), cython.address(status))
        if href is None:
            raise failure(ref, self, status)
        joined: Self = with_attributes(self, href, cython.address(record))
        return joined

    def __truediv__(self, segment: str) -> Self:
        """The URL with one more path segment, and without query and fragment.

        >>> (URL("https://example.com/files?page=2") / "a/b 100%").href
        'https://example.com/files/a%2Fb%20100%25'

        The segment is decoded text: what a path cannot have in a segment is percent-encoded. A path that ends in a
        slash gets the segment after it, so nothing is left of `/ ""` before another segment. InvalidURL is raised for
        "." and "..", and if the path is opaque.
        """
        before = cython.declare(Record)
        record = cython.declare(Record)
        if not isinstance(segment, str):
            if may_divide(segment):
                return NotImplemented
            raise wrong_type(segment, "a segment must be a str")
        href = snapshot(self, cython.address(before))
        href = append_segment(href, cython.address(before), segment, cython.address(record))
        url: Self = with_attributes(self, href, cython.address(record))
        return url

    @property
    def parent(self) -> Self:
        """The URL without the last segment of its path, and without query and fragment.

            >>> URL("https://example.com/a/b?q#f").parent
            URL('https://example.com/a')

        A slash at the end is a segment of its own, as in yarl. A path without segments, and an opaque path, stay.
        """
        before = cython.declare(Record)
        record = cython.declare(Record)
        href = snapshot(self, cython.address(before))
        if href == "":
            # A subclass has not called __init__().
            return with_attributes(self, href, cython.address(before))
        href = parent_text(href, cython.address(before), cython.address(record))
        url: Self = with_attributes(self, href, cython.address(record))
        return url

    def replace(
        self,
        *,
        href: str = ...,
        protocol: str = ...,
        scheme: str = ...,
        username: str | None = ...,
        password: str | None = ...,
        host: str | Host | IPv4Address | IPv6Address | None = ...,
        hostname: str | Host | IPv4Address | IPv6Address | None = ...,
        port: str | int | None = ...,
        pathname: str | None = ...,
        path_segments: Iterable[str] | None = ...,
        search: str | None = ...,
        query: str | None = ...,
        params: Params | None = ...,
        hash: str | None = ...,
        fragment: str | None = ...,
        encoding: str = "utf-8",
        **others: Any,
    ) -> Self:
        """A new URL with some parts replaced.

            >>> URL("http://example.com:8080/a?b#c").replace(scheme="https", port=None, query="d=1").href
            'https://example.com/a?d=1#c'

        It takes the keywords of `build`, and `href`. The parts are assigned in the order of the parameters. None
        removes a part, and `...`, the default, leaves it as it is. `encoding` is that of a query in the arguments.
        InvalidURL is raised if a value fails, or if an assignment would ignore it, and names the part.
        """
        if others:
            raise unknown_part("replace", others)
        copy = with_record_of(url_class, self)
        if href is not ...:
            if not isinstance(href, str):
                raise wrong_type(href, "href must be a str")
            status = assign_href(copy, href, None, encoding)
            if status:
                raise InvalidURL(str.__str__(href), None, FAILURE_NAMES[status], "href")
        parts = {
            "protocol": protocol, "scheme": scheme, "username": username, "password": password, "host": host,
            "hostname": hostname, "port": port, "pathname": pathname, "path_segments": path_segments,
            "search": search, "query": query, "params": params, "hash": hash, "fragment": fragment,
        }  # fmt: skip
        assign_parts(copy, parts, assign_part, encoding, None if encoding is UTF_8 else output_encoding(encoding))
        if copy.scheme == "file" != self.scheme:
            # The standard's setter can leave a URL that parses to another one: https://url.spec.whatwg.org/#file-host-state
            # and the drive letters of https://url.spec.whatwg.org/#path-state.
            copy.href = copy.href
        replaced: Self = like(self, copy)
        return replaced

    def with_params(self, params: Any = ..., /, **names: Any) -> Self:
        """A new URL with these parameters set to these values; all other parameters keep their spelling.

            >>> url = URL("https://example.com/s?q=old&sig=a%2fb&&q=more")
            >>> url.with_params(q="caf\u00e9 1", page=[1, 2]).href
            'https://example.com/s?q=caf%C3%A9+1&sig=a%2fb&&page=1&page=2'

        The first pair of a name is replaced, and its other pairs are removed. A new name is added at the end. A value
        is a str, an int or a list of them. If a name is not an identifier, pass a mapping or a list of pairs. Then you
        can also pass `encoding`: names are read in this encoding, and new pairs are written in it.
        """
        before = cython.declare(Record)
        href = snapshot(self, cython.address(before))
        query = query_with(part_text(href, cython.address(before), QUERY), params, names)
        with_query: Self = edited(self, href, cython.address(before), query)
        return with_query

    def add_params(self, params: Any = ..., /, **names: Any) -> Self:
        """A new URL with these parameters added at the end of its query; the others keep their spelling.

            >>> URL("https://example.com/?a=%20").add_params(a=1).href
            'https://example.com/?a=%20&a=1'

        It takes the same arguments as `with_params`.
        """
        before = cython.declare(Record)
        href = snapshot(self, cython.address(before))
        query = query_and(part_text(href, cython.address(before), QUERY), params, names)
        with_query: Self = edited(self, href, cython.address(before), query)
        return with_query

    def without_params(self, *names: str, encoding: str = "utf-8") -> Self:
        """A new URL without the parameters of these names; all other parameters keep their spelling.

        >>> URL("https://example.com/?a=1&b=%20&a=2#c").without_params("a").href
        'https://example.com/?b=%20#c'

        `encoding` is the one that names are read in.
        """
        before = cython.declare(Record)
        href = snapshot(self, cython.address(before))
        query = query_without(part_text(href, cython.address(before), QUERY), names, encoding)
        with_query: Self = edited(self, href, cython.address(before), query)
        return with_query

    def to_path(self, *, windows: bool | None = None) -> str:
        """The path of the file that a file URL names.

        >>> URL("file:///srv/100%25%20off.txt").to_path(windows=False)
        '/srv/100% off.txt'

        The query and the fragment do not count. InvalidURL is raised for other URLs, and for one that names no file, or
        something else than a file.
        `windows` says whether the path is one of Windows; by default it is one of this system.
        """
        from weburl._files import path_of_url

        return path_of_url(read(self, HREF), windows)

    def __str__(self) -> str:
        """The serialization, with the password if there is one; repr() hides it."""
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

    def __delattr__(self, name: str) -> None:
        delete(self, name)

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
        set_slots(copy, deepcopy(slots_of(self), memo))
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        state = (type(self), read(self, HREF), getattr(self, "__dict__", None))
        slots = slots_of(self)
        return restore, (*state, slots) if slots else state

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from weburl._pydantic import core_schema_of

        return core_schema_of(cls, ParsedURL)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        json_schema: dict[str, Any] = handler(schema["schema"])
        return json_schema


@cython.cclass
class URL(CommonURL):
    """URL(url, base=None, *, encoding='utf-8')\n--\n\nA URL, parsed as browsers parse it.

        >>> url = URL("../img?q=1", "HTTPS://Example.com/a/b")
        >>> url.href, url.hostname
        ('https://example.com/img?q=1', 'example.com')

    `url` is a str, a URL or a FrozenURL. A relative one needs a `base`. InvalidURL is raised if the URL does not parse.
    `encoding` is the character encoding of the page that contains the URL, a label of the Encoding Standard; the query
    of an http, https, ftp or file URL is encoded with it. https://url.spec.whatwg.org/#url-class

    The parts are attributes. Assigning to one does what a browser does: a value that does not fit is ignored. `replace`
    raises instead. Two URLs are equal if their serializations are equal. A URL is mutable, so it is not hashable: use a
    FrozenURL as a key.
    """

    def __eq__(self, other: object) -> bool:
        return is_equal(self, other)

    __hash__ = None  # type: ignore[assignment]


@cython.cclass
class FrozenURL(CommonURL):
    """FrozenURL(url, base=None, *, encoding='utf-8')\n--\n\nA URL that does not change, so that it can be a key.

        >>> start = FrozenURL("https://example.com/a?q=1")
        >>> start.with_params(q=2)
        FrozenURL('https://example.com/a?q=2')
        >>> {start: "seen"}[FrozenURL("HTTPS://example.com:443/a?q=1")]
        'seen'

    It has the attributes and methods of URL, but you cannot assign to an attribute, and `search_params` is read-only.
    It equals a URL with the same serialization. FrozenURLs are sorted by their serializations. `<` with a URL raises
    TypeError, because a URL can change.
    """

    def __eq__(self, other: object) -> bool:
        if type(other) is FrozenURL:
            return self._href == cython.cast(FrozenURL, other)._href
        return is_equal(self, other)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, FrozenURL):
            return NotImplemented
        return self._href < cython.cast(FrozenURL, other)._href

    def __le__(self, other: object) -> bool:
        if not isinstance(other, FrozenURL):
            return NotImplemented
        return self._href <= cython.cast(FrozenURL, other)._href

    def __gt__(self, other: object) -> bool:
        if not isinstance(other, FrozenURL):
            return NotImplemented
        return self._href > cython.cast(FrozenURL, other)._href

    def __ge__(self, other: object) -> bool:
        if not isinstance(other, FrozenURL):
            return NotImplemented
        return self._href >= cython.cast(FrozenURL, other)._href

    def __hash__(self) -> int:
        value = cython.declare(cython.Py_hash_t, hash(self._href))
        # Few texts have the hash of the empty one.
        if value == EMPTY_HASH and self._href == "":
            raise uninitialized(self)
        return value


set_classes(CommonURL, URL, FrozenURL, UTF_8)


def normalize(url: str | URL | FrozenURL, base: str | URL | FrozenURL | None = None, *, encoding: str = "utf-8") -> str:
    """The serialization of a URL; the argument itself if it is the serialization already.

        >>> normalize("HTTP://EXAMPLE.com:80/a/../b")
        'http://example.com/b'

    `base` and `encoding` mean the same as in `URL`.
    """
    record = cython.declare(Record)
    status = cython.declare(Status)
    if type(url) is str and base is None and encoding is UTF_8:  # Most calls.
        href = parse_text(url, None, cython.NULL, None, cython.address(record), cython.address(status))
    else:
        href = resolve(url, base, encoding, cython.address(record), cython.address(status))
    if href is None:
        raise failure(url, base, status)
    return href


def join(base: str | URL | FrozenURL, ref: str, *, encoding: str = "utf-8") -> str:
    """Resolves a reference, such as a relative URL, against a base; returns the serialization.

        >>> join("https://example.com/a/b", "../c?d")
        'https://example.com/c?d'

    `encoding` is the encoding of the query of `ref`.
    """
    record = cython.declare(Record)
    status = cython.declare(Status)
    if base is None:
        raise wrong_type(base, "base must be a str or a URL")
    if type(base) is str and type(ref) is str and encoding is UTF_8:  # Most calls.
        href = parse_text(ref, base, cython.NULL, None, cython.address(record), cython.address(status))
    else:
        if not isinstance(ref, str):
            ref = text_of(ref, "ref")
        href = resolve(ref, base, encoding, cython.address(record), cython.address(status))
    if href is None:
        raise failure(ref, base, status)
    return href
