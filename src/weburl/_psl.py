"""The Public Suffix List: https://url.spec.whatwg.org/#host-public-suffix

The list is the one that the `publicsuffixlist` package ships; it is read at first use. Both of its sections count.
"""

from __future__ import annotations

import pkgutil
import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from weburl.hosts import Host
    from weburl.url import URL

# What the list has for a name: the name as a rule, `*.` before it, `!` before it.
_RULE: Final = 1
_WILDCARD: Final = 2
_EXCEPTION: Final = 4


class _PublicSuffixList(NamedTuple):
    version: str
    rules: dict[str, int]
    depth: int


@cache
def _load() -> _PublicSuffixList:
    data = pkgutil.get_data("publicsuffixlist", "public_suffix_list.dat")
    if data is None:
        raise ImportError("the Public Suffix List needs publicsuffixlist: pip install weburl[psl]")
    return _parse(data.decode())


# https://github.com/publicsuffix/list/wiki/Format#format
def _parse(text: str) -> _PublicSuffixList:
    from weburl._idna import domain_parser

    rules: dict[str, int] = {}
    for line in text.splitlines():
        rule = line.split(maxsplit=1)[0] if line.strip() else "//"
        if not rule.startswith("//"):
            kind = _EXCEPTION if rule[0] == "!" else _WILDCARD if rule[:2] == "*." else _RULE
            name = rule.removeprefix("!").removeprefix("*.")
            if not name.isascii():
                name = domain_parser(name) or name
            rules[name] = rules.get(name, 0) | kind
    version = re.search(r"^// VERSION: (\S+)", text, re.MULTILINE)
    depth = max(name.count(".") for name in rules) + 2
    return _PublicSuffixList(version[1] if version else "", rules, depth)


def psl_version() -> str:
    """The version that the list in use gives itself, such as 2026-10-22_08-36-41_UTC."""
    return _load().version


# https://github.com/publicsuffix/list/wiki/Format#formal-algorithm
def _suffix_start(domain: str) -> int:
    """Where the public suffix starts. `domain` is in ASCII and without a trailing dot."""
    _, rules, depth = _load()
    start = len(domain) + 1
    suffix_start = -1
    above = 0
    for _ in range(depth):
        previous = start
        start = domain.rfind(".", 0, start - 1) + 1
        rule = rules.get(domain[start:], 0)
        if rule & _EXCEPTION:
            return previous
        if rule & _RULE or above & _WILDCARD or suffix_start < 0:
            suffix_start = start
        if start == 0:
            break
        above = rule
    return suffix_start


def domain_of(host: str | Host | URL) -> str | None:
    """The host in ASCII, or None where it is not a domain."""
    from weburl.hosts import Host, parse_host
    from weburl.url import URL

    if isinstance(host, URL):
        url = URL(host)  # as of one moment
        return url.hostname if url.host_type == "domain" else None
    if not isinstance(host, (Host, str)):
        raise TypeError(f"host must be a str, a Host or a URL, not {type(host).__name__}")
    parsed = host if isinstance(host, Host) else parse_host(host)
    return str(parsed) if parsed.host_type == "domain" else None


def _domain_and_suffix_start(host: str | Host | URL) -> tuple[str, int] | None:
    domain = domain_of(host)
    # The list's algorithm has no empty labels.
    if not domain or domain[0] == "." or ".." in domain:
        return None
    return domain, _suffix_start(domain.removesuffix("."))


def public_suffix(host: str | Host | URL) -> str | None:
    """The host's public suffix, such as co.uk; None where the host is not a domain, or one with an empty label.

    A str is parsed as a host, and InvalidURL raised where it is none. The answer is in ASCII and has the host's
    trailing dot. Not for security decisions: lists differ, https://url.spec.whatwg.org/#warning-avoid-psl
    """
    found = _domain_and_suffix_start(host)
    return found and found[0][found[1] :]


def registrable_domain(host: str | Host | URL) -> str | None:
    """The public suffix and the label before it, such as example.co.uk; None where there is none.

    A str is parsed as a host, and InvalidURL raised where it is none. The answer is in ASCII and has the host's
    trailing dot. Not for security decisions: lists differ, https://url.spec.whatwg.org/#warning-avoid-psl
    """
    domain, start = _domain_and_suffix_start(host) or ("", 0)
    return domain[domain.rfind(".", 0, start - 1) + 1 :] if start else None
