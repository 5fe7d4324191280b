"""Hosts: https://url.spec.whatwg.org/#hosts-(domains-and-ip-addresses)"""

from __future__ import annotations

from weburl._hosts.host import Host, parse_host, scalar_value_string
from weburl._hosts.origin import Origin, same_origin, same_origin_domain, same_site, schemelessly_same_site
from weburl._hosts.private_hosts import host_matches, is_private_host
from weburl._hosts.schemes import default_port, is_special_scheme
from weburl._hosts.suffixes import PublicSuffixList, public_suffix, registrable_domain
from weburl.errors import InvalidURL

__all__ = [
    "Host",
    "Origin",
    "PublicSuffixList",
    "default_port",
    "domain_to_ascii",
    "domain_to_unicode",
    "host_matches",
    "is_private_host",
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
]


def __dir__() -> list[str]:
    return __all__


def domain_to_ascii(domain: str, *, strict: bool = False) -> str:
    """The ASCII form of a domain, for example xn--bcher-kva.example. It raises InvalidURL if there is none.

    With `strict`, it also raises for a domain that parses in a URL but is not valid.
    https://url.spec.whatwg.org/#concept-domain-to-ascii
    """
    from weburl._unicode.idna import domain_parser

    result = domain_parser(scalar_value_string(domain, "domain"), strict)
    if result is None:
        raise InvalidURL(str.__str__(domain), None, "domain-to-ASCII", "domain")
    return result


def domain_to_unicode(domain: str) -> str:
    """The Unicode form of a domain, or the domain itself if its Unicode form would not parse to it again.

    https://url.spec.whatwg.org/#concept-domain-to-unicode
    """
    from weburl._unicode import idna

    return idna.domain_to_unicode(scalar_value_string(domain, "domain"))


def is_valid_domain(domain: str) -> bool:
    """Whether a text is a valid domain, which is stricter than in URLs: https://url.spec.whatwg.org/#valid-domain"""
    from weburl._diagnosis import grammar

    return grammar.is_valid_domain(scalar_value_string(domain, "domain"))


def is_valid_host(host: str) -> bool:
    """Whether a text is a valid domain or IP address: https://url.spec.whatwg.org/#valid-host-string"""
    from weburl._diagnosis import grammar

    return grammar.is_valid_host_string(scalar_value_string(host, "host"))
