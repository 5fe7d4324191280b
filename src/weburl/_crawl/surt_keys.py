"""Ranges of SURTs in an index, and the sorting form of the library urlcanon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weburl._crawl.canonical import canonicalize
from weburl.url import URL

if TYPE_CHECKING:
    from typing import Literal

    from weburl._crawl.policy import Policy
    from weburl.url import FrozenURL

    Match = Literal["exact", "prefix", "host", "domain"]

MATCHES = ("exact", "prefix", "host", "domain")


def surt_range(
    url: str | URL | FrozenURL,
    match: Match = "prefix",
    policy: str | Policy = "surt/1",
    *,
    encoding: str = "utf-8",
) -> tuple[str, str]:
    """The first SURT of a sorted index that matches, and the first one after those that match.

    >>> surt_range("https://example.com/news/"), surt_range("https://example.com/", "host")
    (('com,example)/news/', 'com,example)/news0'), ('com,example)', 'com,example*'))
    >>> surt_range("https://example.com/", "domain"), surt_range("https://example.com/a", "exact")
    (('com,example)', 'com,example-'), ('com,example)/a', 'com,example)/a!'))

    All SURTs with `first <= surt < end` match, and so do the lines of a CDX file that begin with such a SURT and a
    space. "exact" is the URL itself, "prefix" all that begin with it, and "host" all of its host and port. "domain" is
    all of its host without a port, and of its subdomains with any port. `policy` is "surt", or a SurtPolicy. InvalidURL
    is raised if a str does not parse, and ValueError for a URL that is not an http or https URL. `encoding` is the
    encoding of the query.
    """
    if match not in MATCHES:
        from weburl._diagnosis.messages import shown_argument

        raise ValueError(f"match must be one of {', '.join(MATCHES)}, not {shown_argument(match)}")
    parsed = URL(url, encoding=encoding)
    key = canonicalize(parsed, policy)
    host, end, _ = key.partition(")/")
    if parsed.scheme not in ("http", "https") or not end:
        raise ValueError("ranges are of the SURTs of http and https URLs")
    if match == "exact":
        return key, key + "!"
    if match == "prefix":
        # A SURT has no slash at its end, and a prefix with one means a folder.
        prefix = f"{key}/" if parsed.query is None and parsed.pathname.endswith("/") and key[-1] != "/" else key
        return prefix, after(prefix)
    name = host.rpartition(":")[0] if parsed.port else host
    if match == "host" or parsed.host_type != "domain":
        return f"{host})", after(f"{host})")
    return f"{name})", after(f"{name.removesuffix(',')},")


def after(prefix: str) -> str:
    """The first text after all that begin with the prefix."""
    return prefix[:-1] + chr(ord(prefix[-1]) + 1)


def ssurt(url: str | URL | FrozenURL, *, encoding: str = "utf-8") -> str:
    """The URL in the form that the library urlcanon sorts by: the host in reverse order, and nothing removed.

    >>> ssurt("https://www.example.com:8080/a?b#c")
    'com,example,www,//8080:https:/a?b#c'

    All URLs of a domain and its subdomains follow each other, whatever their scheme and port are. An IP address is not
    reversed. InvalidURL is raised if a str does not parse. `encoding` is the encoding of the query.
    """
    parsed = URL(url, encoding=encoding)
    host = parsed.hostname
    if host and parsed.host_type not in ("ipv4", "ipv6"):
        host = ",".join([*[label.replace(",", ".") for label in reversed(host.split("."))], ""])
    port = f"{parsed.port}:" if parsed.port else ""
    password = f":{parsed.password}" if parsed.password else ""
    user = f"@{parsed.username}{password}" if parsed.username or password else ""
    slashes = "//" if parsed.host_type is not None else ""
    query = "" if parsed.query is None else f"?{parsed.query}"
    fragment = "" if parsed.fragment is None else f"#{parsed.fragment}"
    return f"{host}{slashes}{port}{parsed.scheme}{user}:{parsed.pathname}{query}{fragment}"
