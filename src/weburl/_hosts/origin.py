"""Origins and sites: https://html.spec.whatwg.org/multipage/browsers.html#origin"""

from __future__ import annotations

from dataclasses import dataclass, field

from weburl._host import Host
from weburl._hosts.arguments import url_of
from weburl._hosts.suffixes import PublicSuffixList, registrable_domain
from weburl._parsed import origin_url
from weburl.url import URL, FrozenURL

# What to write for a host.
WITH_SCHEME = "write its scheme before it, as in https://"


@dataclass(frozen=True, slots=True)
class Origin:
    """An origin: a scheme, a host, a port and perhaps a domain or, without arguments, a new opaque origin.

    >>> str(Origin.of("https://ada@example.com:443/a?q")), str(Origin())
    ('https://example.com', 'null')
    >>> Origin() == Origin()
    False

    `scheme`, `host` (a `Host`) and the rest are None for an opaque origin. `port` is None if it is the scheme's
    default. `domain` is what a document has set `document.domain` to. `str()` gives the serialization. An opaque origin
    is equal only to itself.
    """

    scheme: str | None = None
    host: Host | None = None
    port: int | None = None
    domain: str | None = None
    _identity: object = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if (self.scheme is None) != (self.host is None):
            raise TypeError("an Origin has both a scheme and a host, or neither")
        object.__setattr__(self, "_identity", object() if self.scheme is None else None)

    @classmethod
    def of(cls, url: str | URL | FrozenURL) -> Origin:
        """The origin of a URL; an opaque origin is new each time.

        >>> Origin.of("https://example.com/a") == Origin.of("HTTPS://example.com:443/b?q")
        True
        >>> Origin.of("data:,hello") == Origin.of("data:,hello")
        False

        A str is parsed as a URL; InvalidURL is raised if it does not parse.
        https://url.spec.whatwg.org/#concept-url-origin
        """
        source = origin_url(url_of(url, WITH_SCHEME))
        if source is None:
            return cls()
        return cls(source.scheme, source.host_value, int(source.port) if source.port else None)

    @property
    def is_opaque(self) -> bool:
        """Whether the origin is opaque; an opaque origin equals only itself.

        >>> Origin.of("data:,hello").is_opaque, Origin.of("blob:https://example.com/5a3f").is_opaque
        (True, False)
        """
        return self.scheme is None

    def __str__(self) -> str:
        if self.is_opaque:
            return "null"
        return f"{self.scheme}://{self.host}" + ("" if self.port is None else f":{self.port}")


# help() shows these.
Origin.__slots__ = {  # type: ignore[assignment]
    "scheme": "The scheme, or None for an opaque origin.",
    "host": "The host as a `Host`, or None for an opaque origin.",
    "port": "The port, or None if it is the scheme's default.",
    "domain": "What a document has set `document.domain` to, or None.",
}


Origin.__module__ = "weburl.hosts"


def _origin(value: str | URL | FrozenURL | Origin, what: str) -> Origin:
    if isinstance(value, Origin):
        return value
    if not isinstance(value, (str, URL, FrozenURL)):
        url_of(value, WITH_SCHEME, what)
    return Origin.of(value)


def same_origin(a: str | URL | FrozenURL | Origin, b: str | URL | FrozenURL | Origin) -> bool:
    """Whether two URLs or origins have the same scheme, host and port, or are the same opaque origin.

    >>> same_origin("https://example.com/a", "https://example.com:443/b")
    True
    >>> same_origin("https://example.com/", "http://example.com/")
    False

    A URL stands for its origin. The opaque origin of a URL is new each time: such a URL is not same origin with itself.
    https://html.spec.whatwg.org/multipage/browsers.html#same-origin
    """
    one, other = _origin(a, "a"), _origin(b, "b")
    return (one.scheme, one.host, one.port, one._identity) == (other.scheme, other.host, other.port, other._identity)


def same_origin_domain(a: str | URL | FrozenURL | Origin, b: str | URL | FrozenURL | Origin) -> bool:
    """Like `same_origin`, but for documents that may have set `document.domain`.

    >>> from dataclasses import replace
    >>> shop, blog = Origin.of("https://shop.example.com/"), Origin.of("https://blog.example.com/")
    >>> same_origin_domain(shop, blog)
    False
    >>> same_origin_domain(replace(shop, domain="example.com"), replace(blog, domain="example.com"))
    True

    If both have set it, the scheme and the domain decide; if only one has, they differ.

    https://html.spec.whatwg.org/multipage/browsers.html#same-origin-domain
    """
    one, other = _origin(a, "a"), _origin(b, "b")
    if one.domain is None and other.domain is None:
        return same_origin(one, other)
    return one.domain is not None and (one.scheme, one.domain) == (other.scheme, other.domain)


def schemelessly_same_site(
    a: str | URL | FrozenURL | Origin, b: str | URL | FrozenURL | Origin, *, psl: PublicSuffixList | None = None
) -> bool:
    """Whether two URLs or origins have the same registrable domain; hosts without one must be equal.

    >>> schemelessly_same_site("https://shop.example.co.uk/", "http://example.co.uk/")
    True
    >>> schemelessly_same_site("https://ada.github.io/", "https://bob.github.io/")
    False

    It takes the Public Suffix List of the publicsuffixlist package, or `psl`. Not for security decisions: lists differ.
    https://html.spec.whatwg.org/multipage/browsers.html#schemelessly-same-site
    """
    return _site(_origin(a, "a"), psl)[1:] == _site(_origin(b, "b"), psl)[1:]


def same_site(
    a: str | URL | FrozenURL | Origin, b: str | URL | FrozenURL | Origin, *, psl: PublicSuffixList | None = None
) -> bool:
    """Whether two URLs or origins have the same scheme and the same site, as in `schemelessly_same_site`.

    >>> same_site("https://shop.example.com/", "https://example.com/"), same_site("http://a.com/", "https://a.com/")
    (True, False)

    https://html.spec.whatwg.org/multipage/browsers.html#same-site
    """
    return _site(_origin(a, "a"), psl) == _site(_origin(b, "b"), psl)


# https://html.spec.whatwg.org/multipage/browsers.html#obtain-a-site: a tuple that is equal for equal sites.
def _site(origin: Origin, psl: PublicSuffixList | None) -> tuple[object, ...]:
    if origin.host is None:
        return None, origin._identity
    return origin.scheme, registrable_domain(origin.host, psl=psl) or origin.host
