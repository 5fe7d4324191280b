"""URLs for people who decide whether to trust them: https://url.spec.whatwg.org/#url-rendering"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weburl._hosts.arguments import host_of
from weburl._hosts.rendering import ShownHost, ShownParts, rendered
from weburl._hosts.spoofing import SpoofingRisk, spoofing_risks
from weburl._hosts.suffixes import PublicSuffixList
from weburl.url import URL, FrozenURL

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

    from weburl._host import Host

__all__ = ["SpoofingRisk", "display_host", "display_url", "spoofing_risks"]


def __dir__() -> list[str]:
    return __all__


def display_host(
    host: str | Host | URL | FrozenURL | IPv4Address | IPv6Address,
    *,
    max_width: int | None = None,
    omit_trivial_subdomains: bool = False,
    registrable_only: bool = False,
    isolate: bool | None = None,
) -> str:
    """A host for people: in Unicode, except for labels that may deceive; empty for a URL without a host.

    >>> from weburl.display import display_host
    >>> display_host("www.xn--bcher-kva.example"), display_host("xn--pypal-4ve.com")
    ('www.b\u00fccher.example', 'xn--pypal-4ve.com')

    A str is parsed as a host; InvalidURL is raised if it is not one. If you have the text of a URL, use
    `display_url(url, host_only=True)`. You can also pass a URL object. For a blob URL, the host of the URL inside it is
    shown.

    `registrable_only` leaves out the labels above the registrable domain, and needs `pip install weburl[psl]`. A host
    without a registrable domain stays whole: an IP address, localhost, or a public suffix. The other arguments are
    those of `display_url`.
    """
    if registrable_only:
        PublicSuffixList.default()
    if isinstance(host, (URL, FrozenURL)):
        shown = ShownParts.of(host, omit_trivial_subdomains).host
    else:
        parsed = host_of(host, "display_url(url, host_only=True)")
        assert parsed is not None
        shown = ShownHost.of(parsed, omit_trivial_subdomains)
    if registrable_only:
        shown = shown.registrable
    return rendered(ShownParts("", shown, "", ""), max_width, isolate)


def display_url(
    url: str | URL | FrozenURL,
    *,
    max_width: int | None = None,
    omit_scheme: bool = False,
    omit_trivial_subdomains: bool = False,
    host_only: bool = False,
    isolate: bool | None = None,
) -> str:
    """A URL for people: without credentials, in Unicode, and decoded where that is safe.

    >>> from weburl.display import display_url
    >>> display_url("https://user:secret@xn--bcher-kva.example/caf%C3%A9")
    'https://b\u00fccher.example/caf\u00e9'

    A label of the domain stays in ASCII if `spoofing_risks` lists it.

    The text has at most `max_width` characters. If it is longer, three things are cut, in this order: the end of the
    text after the host, the labels of the host above the registrable domain, the scheme and the port. … stands for the
    cut text before the host, or at the end. The registrable domain is known only with `weburl[psl]`; without it, the
    scheme and the port are cut before any label. A scheme that is not special is never cut, because foo://example.com
    is not a page of example.com.

    - `omit_scheme` leaves out the scheme, if the URL has a host.
    - `omit_trivial_subdomains` leaves out a first label www or m above the registrable domain.
    - `host_only` leaves out everything but the host.
    - `isolate` puts the text between U+2066 and U+2069. So it is shown from left to right, apart from the text around
      it. By default, this is done if the text has right-to-left characters. `max_width` counts the two characters.
    """
    parts = ShownParts.of(url, omit_trivial_subdomains)
    if host_only:
        parts = ShownParts("", parts.host, "", "")
    elif omit_scheme and parts.host.text:
        parts = parts._replace(prefix="")
    return rendered(parts, max_width, isolate)
