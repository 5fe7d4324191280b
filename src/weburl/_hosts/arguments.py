"""What functions about hosts and functions about URLs take, and what they say to a text that is for the others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from weburl._host import Host, parse_text
from weburl.errors import InvalidURL
from weburl.url import URL, CommonURL, FrozenURL

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

# Of a URL itself, whatever a subclass says.
HOST_VALUE: Final = CommonURL.__dict__["host_value"].__get__
HOST_AND_PORT: Final = r"(?s:(.+):[0-9]*)"


def parse_host(host: str | Host | URL | FrozenURL | IPv4Address | IPv6Address, *, opaque: bool = False) -> Host:
    """The host that a text stands for; InvalidURL is raised if the text is not a host.

    >>> parse_host("Bücher.example"), parse_host("0x7f.1"), parse_host("[::0]")
    (<Host domain xn--bcher-kva.example>, <Host ipv4 127.0.0.1>, <Host ipv6 [::]>)

    With `opaque`, a text is parsed as in a URL whose scheme is not special. You can also pass a URL, a Host, or an
    address of the ipaddress module. InvalidURL is raised for a URL without a host, and for an IPv6 address with a
    scope, such as fe80::1%eth0.
    https://url.spec.whatwg.org/#concept-host-parser
    """
    parsed = host_of(host, "URL(url).host_value", opaque)
    if parsed is None:
        raise InvalidURL("", None, "host-missing", "host")
    return parsed


def host_of(
    host: str | Host | URL | FrozenURL | IPv4Address | IPv6Address, for_urls: str, opaque: bool = False
) -> Host | None:
    """The host of a function about hosts; None for a URL without one. `for_urls` is what to use for a URL's text."""
    # Not what only claims to be one.
    if type(host) is Host:
        return host
    if isinstance(host, str):
        try:
            return parse_text(host, opaque)
        except InvalidURL as error:
            error._advice = _advice_on_host(error.input, for_urls)
            raise
    if isinstance(host, (URL, FrozenURL)):
        value: Host | None = HOST_VALUE(host)
        return value
    return _host_of_address(host)


def url_of(url: str | URL | FrozenURL, for_hosts: str, what: str = "url") -> URL:
    """The URL of a function about URLs, as of one moment. `for_hosts` is what to use for a host's text. `what` is the
    name of the argument."""
    if isinstance(url, (str, URL, FrozenURL)):
        try:
            return URL(url)
        except InvalidURL as error:
            if error.error == "missing-scheme-non-relative-URL" and _is_host(error.input):
                error._advice = f"This is a host, not a URL: {for_hosts}."
            raise
    if isinstance(url, Host):
        raise TypeError(f"{what} must be a str or a URL, not weburl.Host: {for_hosts}")
    from weburl._advice import wrong_type

    raise wrong_type(url, f"{what} must be a str or a URL")


def _advice_on_host(text: str, for_urls: str) -> str | None:
    if "://" not in text:
        with_port = re.fullmatch(HOST_AND_PORT, text)
        if with_port is not None and _is_host(with_port[1]):
            return "This is a host and a port: leave out the colon and the port."
        if not URL.can_parse(text):
            return None
    return f"This is a URL, not a host: use {for_urls}."


def _is_host(text: str) -> bool:
    try:
        parse_text(text)
    except InvalidURL:
        return False
    return True


def _host_of_address(host: object) -> Host:
    from ipaddress import IPv4Address, IPv6Address

    if isinstance(host, (IPv4Address, IPv6Address)):
        # Parsed, so that it is serialized as in a URL. A scope does not parse.
        host_type, text = ("ipv4", str(host)) if isinstance(host, IPv4Address) else ("ipv6", f"[{host}]")
        parsed = parse_text(text)
        if parsed.host_type == host_type:
            return parsed
    from weburl._advice import wrong_type

    raise wrong_type(host, "host must be a str, a Host, a URL or an address of ipaddress")
