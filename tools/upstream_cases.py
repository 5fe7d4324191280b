"""The cases of docs/upstream/, and the classes of what Bun and Node do differently: see upstream.py."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from tiers.oracles.lags import LAGS, Difference
from tiers.oracles.observe import FIELDS

from weburl._unicode.idna import to_ascii

# What is asked, and its arguments: see answer() in upstream.js.
Case = tuple[object, ...]


class Class(NamedTuple):
    """A kind of difference: what it is, a case that shows it, and which differences are of it."""

    what: str
    example: Case
    explains: Callable[[Difference], bool]


CASES: dict[str, list[Case]] = {
    "ipv4-out-of-range-part": [
        ("parse", "https://255.255.4000.1"),
        ("parse", "https://256.1"),
        ("parse", "https://1.2.3.256"),
        ("parse", "https://1.256"),
        ("parse", "https://4294967295"),
        ("parse", "https://4294967296"),
    ],
    "windows-drive-letter-example": [
        ("parse", "/c:/path/to/file", "file:///c:/"),
        ("parse", "c|/path/to/file", "file:///c:/"),
        ("parse", "file:c:/path/to/file", "file:///c:/"),
        ("parse", "/c|/path/to/file", "file:///c:/"),
    ],
    "protocol-setter-file": [
        ("set", "https://localhost/", "protocol", "file"),
        ("set", "https://example.com/c|/path", "protocol", "file"),
        ("set", "https://example.com/path", "protocol", "file"),
    ],
    "domain-to-ascii-failure": [
        ("parse", "https://exa%23mple.org"),
        ("parse", "https://a b/"),
        ("parse", "https://a_b/"),
        ("parse", "https://xn--a/"),
        ("parse", "https://\u2100.example/"),
        ("parse", "https://%C2%AD/"),
    ],
    "pattern-ports": [
        ("pattern", {"protocol": "https", "port": "443"}, "https://example.com/"),
        ("pattern", {"protocol": "https", "port": "0443"}, "https://example.com/"),
        ("pattern", {"protocol": "https", "port": "08443"}, "https://example.com:8443/"),
        ("pattern", {"protocol": "http{s}?", "port": "0443"}, "https://example.com:443/"),
    ],
    "v8-regexps": [
        ("test", {"hash": expression}, {"hash": tested}, {"ignoreCase": ignore_case})
        for expression, tested, ignore_case in (
            (r"([\q{a}])", "A", True),
            (r"([\q{ab}])", "AB", True),
            ("([a])", "A", True),
            ("((?:(?i:b)|[ab]))", "A", False),
            ("((?:(?i:b)|a))", "A", False),
            ("((?:(?i:b)|[ab]))", "B", False),
            (r"((?i:a)[\p{L}--[a-c]])", "aA", False),
            (r"(a[\p{L}--[a-c]])", "aA", False),
        )
    ],
}


def shown(name: str) -> Callable[[list[str]], str]:
    return lambda fields: fields[FIELDS.index(name)]


href, origin, protocol, hostname, pathname = map(shown, ("href", "origin", "protocol", "hostname", "pathname"))


def accepted(explains: Callable[[list[str], list[str]], bool]) -> Callable[[Difference], bool]:
    """A class of URLs that both accept."""
    return lambda one: one.ours is not None and one.theirs is not None and explains(one.ours, one.theirs)


def refused(explains: Callable[[list[str]], bool]) -> Callable[[Difference], bool]:
    """A class of URLs that only the other refuses."""
    return lambda one: one.ours is not None and one.theirs is None and explains(one.ours)


BUN = [
    Class(
        "a URL of the scheme ftps has an origin that is not opaque",
        ("origin", "ftps://example.com/"),
        accepted(lambda ours, theirs: protocol(ours) == "ftps:" and origin(theirs) != "null"),
    ),
    Class(
        "an object URL of ftp, ws, wss or file has an origin that is not opaque",
        ("origin", "blob:ws://example.com/"),
        accepted(lambda ours, theirs: protocol(ours) == "blob:" and origin(theirs) != origin(ours) == "null"),
    ),
    Class(
        "an empty path before a query or fragment becomes /, if there are credentials",
        ("parse", "x://user@host?query"),
        accepted(lambda ours, theirs: pathname(ours) == "" and pathname(theirs) == "/"),
    ),
    Class(
        "a path against file:///C: loses the drive letter",
        ("parse", "path", "file:///C:"),
        accepted(lambda ours, theirs: pathname(ours) == "/C:" + pathname(theirs)),
    ),
    Class(
        "pathname leaves out /. where a path begins with it",
        ("pathname", "x:/.a"),
        accepted(lambda ours, theirs: href(ours) == href(theirs) and pathname(ours) == "/." + pathname(theirs)),
    ),
    Class(
        "a reverse solidus ends a dot segment, although the scheme is not special",
        ("parse", "x:/a/..\\b"),
        lambda one: (
            one.theirs is not None
            and re.search(r"(?:\.|%2e)\\", re.sub("[\t\n\r]", "", one.case[0]), re.IGNORECASE) is not None
        ),
    ),
    Class(
        "a drive letter keeps its vertical bar after a host, or after a segment that is removed",
        ("parse", "file:///x/../C|/y"),
        accepted(lambda ours, theirs: protocol(ours) == "file:" and "|" in href(theirs) != href(ours)),
    ),
    Class(
        "a drive letter as the host of a file URL gets a / after it",
        ("parse", "file://c:#f"),
        accepted(lambda ours, theirs: protocol(ours) == "file:" and pathname(ours) + "/" == pathname(theirs)),
    ),
    Class(
        "an ASCII domain with a label that is not Punycode after xn-- fails",
        ("parse", "https://xn--a/"),
        refused(lambda ours: "xn--" in hostname(ours) and to_ascii(hostname(ours), strict=False).failures != ()),
    ),
    Class(
        "an IPv6 address with :: that stands for two pieces, before an IPv4 address, fails",
        ("parse", "https://[::1:2:3:4:192.0.2.1]/"),
        refused(lambda ours: hostname(ours).startswith("[")),
    ),
    Class(
        "an IPv6 address parses that ends with one colon, somewhere after ::",
        ("parse", "https://[1::2:]/"),
        lambda one: one.ours is None and one.theirs is not None and ":]" in one.case[0] + (one.case[1] or ""),
    ),
    Class(
        "an opaque host with a code point above U+FFFF fails",
        ("parse", "x://\U00020000/"),
        refused(lambda ours: re.search("%F[0-4]", hostname(ours)) is not None),
    ),
    Class(
        "a domain that is not ASCII, and has more than some 2,000 characters as ASCII, fails",
        ("parse", f"https://{'é.' * 300}example/"),
        refused(lambda ours: len(hostname(ours)) > 2000),
    ),
]
# ada is Node's parser: the classes of `make differential` that need no setter.
ADA = [
    Class(lag.reason, ("parse", *lag.example[:2]), lag.explains)
    for lag in LAGS
    if lag.oracle == "ada-url" and not lag.example[2]
]
CLASSES = {"bun": [*BUN, *(one for one in ADA if "tables older" in one.what)], "node": ADA}
CASES |= {name: [one.example for one in classes] for name, classes in CLASSES.items()}
