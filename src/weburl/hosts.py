"""Hosts: https://url.spec.whatwg.org/#hosts-(domains-and-ip-addresses)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weburl._core.arguments import wrong_type
from weburl._host import Host, scalar_value_string
from weburl._host import restore_host as restore_host  # for pickles
from weburl._hosts.arguments import parse_host
from weburl._hosts.host_files import SkippedLine
from weburl._hosts.host_set import HostSet
from weburl._hosts.host_set import restore_host_set as restore_host_set  # for pickles
from weburl._hosts.origin import Origin, same_origin, same_origin_domain, same_site, schemelessly_same_site
from weburl._hosts.private_hosts import host_matches, is_private_host, is_private_url, url_host_matches
from weburl._hosts.safe_targets import is_safe_link, is_safe_redirect
from weburl._hosts.schemes import default_port, is_special_scheme
from weburl._hosts.suffixes import PublicSuffixList, public_suffix, registrable_domain
from weburl.errors import InvalidURL

if TYPE_CHECKING:
    from weburl._diagnosis.grammar import Kind

__all__ = [
    "Host",
    "HostSet",
    "Origin",
    "PublicSuffixList",
    "SkippedLine",
    "default_port",
    "domain_to_ascii",
    "domain_to_unicode",
    "host_matches",
    "is_private_host",
    "is_private_url",
    "is_safe_link",
    "is_safe_redirect",
    "is_special_scheme",
    "is_valid_domain",
    "is_valid_host",
    "parse_host",
    "public_suffix",
    "registrable_domain",
    "same_origin",
    "same_origin_domain",
    "same_site",
    "schemelessly_same_site",
    "url_host_matches",
]


def __dir__() -> list[str]:
    return __all__


def domain_to_ascii(domain: str, *, strict: bool = False) -> str:
    """The ASCII form of a domain; InvalidURL is raised if it has none.

    >>> domain_to_ascii("Bücher.example"), domain_to_ascii("faß.example")
    ('xn--bcher-kva.example', 'xn--fa-hia.example')

    With `strict`, it also raises for a domain that parses in a URL but is not valid.
    https://url.spec.whatwg.org/#concept-domain-to-ascii
    """
    from weburl._unicode.idna import domain_parser

    result = domain_parser(scalar_value_string(domain, "domain"), strict)
    if result is None:
        raise InvalidURL(str.__str__(domain), None, "domain-to-ASCII", "domain")
    return result


def domain_to_unicode(domain: str) -> str:
    """The Unicode form of a domain; the domain itself if its Unicode form would not parse to it again.

    >>> domain_to_unicode("xn--bcher-kva.example")
    'bücher.example'

    It may deceive: to show a host to people, use `weburl.display.display_host`.

    https://url.spec.whatwg.org/#concept-domain-to-unicode
    """
    from weburl._unicode import idna

    return idna.domain_to_unicode(scalar_value_string(domain, "domain"))


def is_valid_domain(domain: str) -> bool:
    """Whether a text is a valid domain, which is stricter than whether it parses in a URL.

    >>> is_valid_domain("example.com"), is_valid_domain("a_b.example.com"), URL.can_parse("https://a_b.example.com/")
    (True, False, True)

    https://url.spec.whatwg.org/#valid-domain

    Some domains parse in a URL and are not valid.
    """
    return _is_valid(domain, "domain", "valid-domain")


def is_valid_host(text: str, *, opaque: bool = False) -> bool:
    """Whether a text is a valid domain or IP address, as the standard wants it to be written.

    >>> is_valid_host("[::1]"), is_valid_host("127.0.0.1"), is_valid_host("127.1")
    (True, True, False)

    https://url.spec.whatwg.org/#valid-host-string

    With `opaque`, whether it is a valid host of a URL whose scheme is not special:
    https://url.spec.whatwg.org/#valid-opaque-host-string
    """
    return _is_valid(text, "text", "valid-opaque-host" if opaque else "valid-host")


def _is_valid(text: str, what: str, kind: Kind) -> bool:
    from weburl._diagnosis import grammar

    if not isinstance(text, str):
        raise wrong_type(text, f"{what} must be a str, the text of a host")
    return grammar.is_valid_string(str.__str__(text), kind, None)
