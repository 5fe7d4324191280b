"""Hosts: https://url.spec.whatwg.org/#hosts-(domains-and-ip-addresses)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from weburl._core.percent import scalar_values
from weburl._core.scalar import parse_host_text
from weburl._hosts.origin import Origin, same_origin, same_origin_domain, same_site, schemelessly_same_site
from weburl._hosts.private_hosts import host_matches, is_private_host
from weburl._hosts.suffixes import PublicSuffixList, public_suffix, registrable_domain
from weburl.errors import ERRORS, InvalidURL
from weburl.url import HOST_TYPES, URL, ip_address_of

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

__all__ = [
    "Host",
    "Origin",
    "PublicSuffixList",
    "domain_to_ascii",
    "domain_to_unicode",
    "host_matches",
    "is_private_host",
    "is_valid_domain",
    "is_valid_host",
    "parse_host",
    "public_suffix",
    "registrable_domain",
    "same_origin",
    "same_origin_domain",
    "same_site",
    "schemelessly_same_site",
]

DIGITS = frozenset("0123456789")
HEX_DIGITS = frozenset("0123456789ABCDEFabcdef")


@dataclass(frozen=True, slots=True)
class Host:
    """A parsed host; `str()` gives its serialization.

    `host_type` is 'domain', 'ipv4', 'ipv6', 'opaque' or 'empty'.
    """

    host_type: str
    serialization: str

    @property
    def ip_address(self) -> IPv4Address | IPv6Address | None:
        """The host as an object of the ipaddress module, where it is an IP address."""
        return ip_address_of(self.host_type, self.serialization)

    def __str__(self) -> str:
        return self.serialization


def scalar_value_string(text: str, what: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{what} must be a str, not {type(text).__name__}")
    return scalar_values(text)


def parse_host(host: str, *, opaque: bool = False) -> Host:
    """The host that a string stands for; InvalidURL where it stands for none.

    With `opaque`, as in a URL whose scheme is not special. https://url.spec.whatwg.org/#concept-host-parser
    """
    text = scalar_value_string(host, "host")
    result = parse_host_text(text, opaque)
    if len(result) == 1:
        raise InvalidURL(str.__str__(host), None, ERRORS[result[0]], "host")
    host_type = HOST_TYPES[result[0]]
    assert host_type is not None
    return Host(host_type, result[1])


def domain_of(host: str | Host | URL) -> str | None:
    """The host in ASCII, or None where it is not a domain."""
    if isinstance(host, URL):
        url = URL(host)  # as of one moment
        return url.hostname if url.host_type == "domain" else None
    if not isinstance(host, (Host, str)):
        raise TypeError(f"host must be a str, a Host or a URL, not {type(host).__name__}")
    parsed = host if isinstance(host, Host) else parse_host(host)
    return str(parsed) if parsed.host_type == "domain" else None


def domain_to_ascii(domain: str, *, strict: bool = False) -> str:
    """The ASCII form of a domain, for example xn--bcher-kva.example; InvalidURL where it has none.

    With `strict`, a domain fails that parses in a URL but is not valid.
    https://url.spec.whatwg.org/#concept-domain-to-ascii
    """
    from weburl._unicode.idna import domain_parser

    result = domain_parser(scalar_value_string(domain, "domain"), strict)
    if result is None:
        raise InvalidURL(str.__str__(domain), None, "domain-to-ASCII", "domain")
    return result


def domain_to_unicode(domain: str) -> str:
    """The Unicode form of a domain; the domain itself where that would not parse to it again.

    https://url.spec.whatwg.org/#concept-domain-to-unicode
    """
    from weburl._unicode import idna

    return idna.domain_to_unicode(scalar_value_string(domain, "domain"))


def is_valid_domain(domain: str) -> bool:
    """Whether it is a valid domain, which not every domain in a URL is: https://url.spec.whatwg.org/#valid-domain"""
    from weburl._literal.hosts import ends_in_a_number
    from weburl._unicode.idna import domain_parser

    ascii_domain = domain_parser(scalar_value_string(domain, "domain"), True)
    return ascii_domain is not None and not ends_in_a_number(ascii_domain)


def is_valid_host(host: str) -> bool:
    """Whether it is a valid domain or IP address: https://url.spec.whatwg.org/#valid-host-string"""
    text = scalar_value_string(host, "host")
    if text[:1] == "[":
        return text[-1:] == "]" and is_valid_ipv6_address(text[1:-1])
    return is_valid_ipv4_address(text) or is_valid_domain(text)


def is_valid_ipv4_address(text: str) -> bool:
    """https://url.spec.whatwg.org/#valid-ipv4-address-string"""
    parts = text.split(".", 4)
    return len(parts) == 4 and all(
        0 < len(part) <= 3 and DIGITS.issuperset(part) and int(part) <= 255 and str(int(part)) == part for part in parts
    )


def is_valid_ipv6_address(text: str) -> bool:
    """https://url.spec.whatwg.org/#valid-ipv6-address-string"""
    before, compressed, after = text.partition("::")
    if not compressed:
        return ipv6_piece_length(text, True) == 8
    lengths = (
        ipv6_piece_length(before, False) if before else 0,
        ipv6_piece_length(after, True) if after else 0,
    )
    return None not in lengths and sum(filter(None, lengths)) <= 7


def ipv6_piece_length(text: str, with_ipv4: bool) -> int | None:
    """https://url.spec.whatwg.org/#effective-piece-length, or None for what has none."""
    pieces = text.split(":", 8)
    length = len(pieces)
    if with_ipv4 and is_valid_ipv4_address(pieces[-1]):
        pieces.pop()
        length += 1
    for piece in pieces:
        if not 0 < len(piece) <= 4 or not HEX_DIGITS.issuperset(piece) or (piece[0] == "0" and piece != "0"):
            return None
    return length
