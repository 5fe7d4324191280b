"""Origins and sites: https://html.spec.whatwg.org/multipage/browsers.html#origin"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from weburl._hosts.suffixes import PublicSuffixList, registrable_domain
from weburl.url import URL

if TYPE_CHECKING:
    from weburl.hosts import Host


@dataclass(frozen=True, slots=True)
class Origin:
    """An origin: a tuple of scheme, host, port and domain or, with no arguments, a new opaque origin.

    `port` is None where it is the scheme's default; `domain` is what a document has set `document.domain` to. `str()`
    gives the serialization. Opaque origins are equal only to themselves.
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
    def of(cls, url: str | URL) -> Origin:
        """The origin of a URL; an opaque one is new each time.

        A str is parsed as a URL, and InvalidURL raised where it is none.
        https://url.spec.whatwg.org/#concept-url-origin
        """
        from weburl.hosts import Host

        serialized = (url if isinstance(url, URL) else URL(url)).origin
        if serialized == "null":
            return cls()
        parsed = URL(serialized)
        assert parsed.host_type is not None
        return cls(parsed.scheme, Host(parsed.host_type, parsed.hostname), int(parsed.port) if parsed.port else None)

    @property
    def is_opaque(self) -> bool:
        """Whether it is equal to nothing but itself."""
        return self.scheme is None

    def __str__(self) -> str:
        if self.is_opaque:
            return "null"
        return f"{self.scheme}://{self.host}" + ("" if self.port is None else f":{self.port}")


def _origin(value: str | URL | Origin) -> Origin:
    return value if isinstance(value, Origin) else Origin.of(value)


def same_origin(a: str | URL | Origin, b: str | URL | Origin) -> bool:
    """Whether scheme, host and port are the same, or both are the same opaque origin.

    URLs stand for their origins; a URL with an opaque origin is not even same origin with itself.
    https://html.spec.whatwg.org/multipage/browsers.html#same-origin
    """
    one, other = _origin(a), _origin(b)
    return (one.scheme, one.host, one.port, one._identity) == (other.scheme, other.host, other.port, other._identity)


def same_origin_domain(a: str | URL | Origin, b: str | URL | Origin) -> bool:
    """The same, but where both have set a domain, scheme and domain decide, and where one has, they differ.

    https://html.spec.whatwg.org/multipage/browsers.html#same-origin-domain
    """
    one, other = _origin(a), _origin(b)
    if one.domain is None and other.domain is None:
        return same_origin(one, other)
    return one.domain is not None and (one.scheme, one.domain) == (other.scheme, other.domain)


def schemelessly_same_site(
    a: str | URL | Origin, b: str | URL | Origin, *, psl: PublicSuffixList | None = None
) -> bool:
    """Whether the registrable domains are the same or, where there are none, the hosts.

    Needs the Public Suffix List, of which `psl` may be another one. Not for security decisions: lists differ.
    https://html.spec.whatwg.org/multipage/browsers.html#schemelessly-same-site
    """
    return _site(_origin(a), psl)[1:] == _site(_origin(b), psl)[1:]


def same_site(a: str | URL | Origin, b: str | URL | Origin, *, psl: PublicSuffixList | None = None) -> bool:
    """The same with the scheme.

    https://html.spec.whatwg.org/multipage/browsers.html#same-site
    """
    return _site(_origin(a), psl) == _site(_origin(b), psl)


# https://html.spec.whatwg.org/multipage/browsers.html#obtain-a-site, as what two sites are compared by.
def _site(origin: Origin, psl: PublicSuffixList | None) -> tuple[object, ...]:
    if origin.host is None:
        return None, origin._identity
    return origin.scheme, registrable_domain(origin.host, psl=psl) or origin.host
