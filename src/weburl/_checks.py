"""What a fetcher asks about the host of a URL, by what is written there: nothing is looked up."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from weburl.errors import InvalidURL
from weburl.url import URL

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

    from weburl.hosts import Host

# What is not globally reachable, with the networks of which only single addresses are, and those for multicast:
# https://www.iana.org/assignments/iana-ipv4-special-registry/
IPV4_NETWORKS = tuple(
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 "
    "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4".split()
)

# The same in global unicast, which is all that is public: https://www.iana.org/assignments/iana-ipv6-special-registry/
# With 6to4, 2002::/16, which nobody needs and which would lead to any IPv4 address.
GLOBAL_UNICAST = ("2000::/3",)
IPV6_NETWORKS = ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

# IPv6 addresses that stand for the IPv4 address in their last 32 bits: mapped ones, and those of NAT64.
IPV4_IN_IPV6 = ("::ffff:0:0/96", "64:ff9b::/96")

# RFC 6761, 6762 with its appendix G, and 8375; ICANN has set internal aside. In /etc/hosts of some systems, 127.0.0.1
# and ::1 are localhost.localdomain, or the same with 4 or 6.
PRIVATE_NAMES = (
    "localhost test local internal home.arpa intranet private corp home lan localdomain localdomain4 localdomain6"
).split()


@cache
def _networks(texts: tuple[str, ...]) -> list[IPv4Network | IPv6Network]:
    from ipaddress import ip_network

    return [ip_network(text) for text in texts]


def _is_in(address: IPv4Address | IPv6Address, texts: tuple[str, ...]) -> bool:
    return any(address in network for network in _networks(texts))


def _is_private_address(address: IPv4Address | IPv6Address) -> bool:
    from ipaddress import IPv4Address

    if _is_in(address, IPV4_IN_IPV6):
        address = IPv4Address(int(address) & 0xFFFFFFFF)
    if address.version == 4:
        return _is_in(address, IPV4_NETWORKS)
    return not _is_in(address, GLOBAL_UNICAST) or _is_in(address, IPV6_NETWORKS)


def _host_of(url: str | URL | Host) -> Host | None:
    """The host; an opaque one as what it would be in an http URL, if it can be that."""
    from weburl.hosts import Host, parse_host

    if isinstance(url, Host):
        return url
    parsed = URL(url)  # of a URL, a copy as of one moment
    if parsed.host_type is None:
        return None
    if parsed.host_type == "opaque":
        try:
            return parse_host(parsed.hostname)
        except InvalidURL:
            pass
    return Host(parsed.host_type, parsed.hostname)


def is_private_host(url: str | URL | Host) -> bool:
    """Whether the host is, by what is written there, not one of the public internet.

    That is an IP address that is not globally reachable, however it is written; localhost, a name without a dot or with
    an empty label, or one below a top-level domain for private use; and no host, or one that cannot be told
    (`file:///`, `data:`). A str is parsed as a URL, and InvalidURL raised where it is none. A public name may have a
    private address: check what DNS gives, too, with `ipaddress` where you connect.
    """
    host = _host_of(url)
    if host is None:
        return True
    address = host.ip_address
    if address is not None:
        return _is_private_address(address)
    name = str(host).removesuffix(".")
    if host.host_type != "domain" or "." not in name or "" in name.split("."):
        return True
    return any(name == private or name.endswith("." + private) for private in PRIVATE_NAMES)


@lru_cache(2**16)
def _parse_pattern(pattern: str) -> tuple[Host, bool]:
    """The pattern's host, a domain without its trailing dot; and whether only names below it match."""
    from weburl.hosts import Host, parse_host

    name = pattern.removeprefix("*.")
    host = parse_host(name)
    below = name != pattern
    if host.host_type == "domain":
        host = Host("domain", str(host).removesuffix("."))
    if not str(host) or (below and host.host_type != "domain"):
        raise ValueError(f"no host is below {name!r}")
    if "*" in str(host) or (host.host_type == "domain" and "" in str(host).split(".")):
        raise ValueError(f"a pattern is a host, or *. and a domain, not {pattern!r}")
    return host, below


def host_matches(url: str | URL | Host, patterns: str | Iterable[str]) -> bool:
    """Whether the host matches one of the patterns, both parsed as hosts.

    `example.com` stands for that name and all names below it, `*.example.com` for those below it alone; an IP address
    stands for itself. One trailing dot makes no difference. A str is parsed as a URL. InvalidURL is raised where it is
    none, or a pattern is no host; ValueError for a pattern with a star elsewhere, or an empty label.
    """
    host = _host_of(url)
    name = "" if host is None or host.host_type != "domain" else str(host).removesuffix(".")
    found = False
    # To the end, so that a wrong pattern is noticed whatever the URL.
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        if not isinstance(pattern, str):
            raise TypeError(f"a pattern must be a str, not {type(pattern).__name__}")
        wanted, below = _parse_pattern(pattern)
        if wanted.host_type != "domain":
            found |= wanted == host
        else:
            found |= name.endswith("." + str(wanted)) or (not below and name == str(wanted))
    return found
