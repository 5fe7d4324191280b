"""Which hosts are private, and which match a pattern, judged by the text of the host: nothing is looked up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from weburl._core.arguments import need_iterable
from weburl._host import Host
from weburl._hosts.arguments import host_of, url_of
from weburl._hosts.host_set import HostSet
from weburl._hosts.schemes import WEB_SCHEMES, parse_schemes
from weburl._hosts.suffixes import has_private_host

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

    from weburl.url import URL, FrozenURL


def is_private_host(host: str | Host | URL | FrozenURL | IPv4Address | IPv6Address) -> bool:
    """Whether a host, judged by its text, is not on the public internet.

    >>> [is_private_host(host) for host in ("example.com", "localhost", "0x7f.1", "[::ffff:10.0.0.1]")]
    [False, True, True, True]

    Private are: an IP address that is not globally reachable, however it is written; localhost; a name without a dot or
    with an empty label; a special-use domain name that the public DNS does not have, or a name below it (`onion`,
    `invalid`, `example`, `home.arpa`; example.com is public); and a URL without a host. A str is parsed as a host;
    InvalidURL is raised if it is not one. For the text of a URL there is `is_private_url`. A public name may have a
    private address: when you connect, check the address that DNS gives, too, with `is_private_host(address)`.
    """
    return has_private_host(host, "is_private_url()")


# Pickles of the clients' adapters name it.
is_private_host.__module__ = "weburl.hosts"


def is_private_url(url: str | URL | FrozenURL) -> bool:
    """Whether the host of a URL is private, as by `is_private_host`, or the URL has no host.

    >>> [is_private_url(url) for url in ("https://example.com/", "http://2130706433/", "file:///etc/passwd")]
    [False, True, True]

    Such URLs without a host are `file:///` and `data:`. A str is parsed as a URL; InvalidURL is raised if it does not
    parse. The host of a URL that is not special is read as in an http URL.
    """
    return has_private_host(url_of(url, "use is_private_host()"), "is_private_url()")


def host_matches(
    host: str | Host | URL | FrozenURL | IPv4Address | IPv6Address, hosts: str | Iterable[str] | HostSet
) -> bool:
    """Whether a host is one of `hosts`, or below one of them.

    >>> host_matches("www.Example.com", ["example.com"]), host_matches("www.example.com", ["=example.com"])
    (True, False)
    >>> host_matches("notexample.com", ["example.com"])
    False

    Host and entries are parsed alike.

    `example.com` is for that name and all names below it, `*.example.com` only for the names below it, `=example.com`
    for that name alone; an IP address is for itself. One trailing dot makes no difference. There is none for a URL
    without a host. A str is parsed as a host; for the text of a URL there is `url_host_matches`, which looks at the
    scheme, too. InvalidURL is raised if the text or an entry is not a host; ValueError for an entry with a star
    elsewhere, or with an empty label. If there are many entries, or many hosts, make a `HostSet` once.
    """
    return _matches(host_of(host, "url_host_matches()"), hosts)


def url_host_matches(
    url: str | URL | FrozenURL,
    hosts: str | Iterable[str] | HostSet,
    *,
    schemes: str | Iterable[str] | None = WEB_SCHEMES,
) -> bool:
    """Whether the host of a URL is one of `hosts`, as in `host_matches`, and its scheme is one of `schemes`.

    >>> url_host_matches("https://ads.example.com/banner.js", ["example.com"])
    True
    >>> url_host_matches("ftp://example.com/", ["example.com"]), url_host_matches("ftp://a.com/", "a.com", schemes=None)
    (False, True)

    With None, all schemes count: use that for a list of hosts to keep out. A str is parsed as a URL; InvalidURL is
    raised if it does not parse. The host of a URL that is not special is read as in an http URL.
    """
    looked_at = None if schemes is None else parse_schemes(schemes)
    parsed = url_of(url, "use host_matches()")
    is_looked_at = looked_at is None or parsed.scheme in looked_at
    return _matches(parsed.host_value if is_looked_at else None, hosts)


def _matches(host: Host | None, hosts: str | Iterable[str] | HostSet) -> bool:
    # A wrong entry is noticed whatever the host.
    host_set = hosts if type(hosts) is HostSet else HostSet(need_iterable(hosts, "hosts must be a HostSet or entries"))
    return host is not None and host in host_set
