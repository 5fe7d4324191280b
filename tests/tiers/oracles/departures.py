"""Where Chromium is known to depart from the standard: in which cases and, if that is simple, what it shows instead.

The predicates of file URLs, and of those that are not special, explain every difference in them. They
cannot hide a fault of weburl, because the other libraries get these cases, too.
"""

from __future__ import annotations

import re

from tiers.oracles.lags import Difference, Lag, http, is_of_old_tables, with_pairs_of_value
from tiers.oracles.observe import FIELDS, Shown

from weburl import URL
from weburl._unicode.idna import to_unicode

SPECIAL = ("ftp:", "http:", "https:", "ws:", "wss:", "file:")
HREF, ORIGIN, PROTOCOL, USERNAME, PASSWORD, HOSTNAME, PATHNAME, SEARCH = map(
    FIELDS.index, ("href", "origin", "protocol", "username", "password", "hostname", "pathname", "search")
)


def protocols(difference: Difference) -> set[str]:
    """All texts of a difference: what is shown, and the base."""
    _, step, before, ours, theirs = difference
    found = {shown[PROTOCOL] for shown in (before, ours, theirs) if shown is not None}
    base = difference.case[1]
    parsed = URL.parse(base) if step is None and base is not None else None
    return found if parsed is None else found | {parsed.protocol}


def is_of_file(difference: Difference) -> bool:
    return "file:" in protocols(difference)


def is_change_of_scheme(difference: Difference) -> bool:
    step, found = difference.step, protocols(difference)
    return step is not None and step[0] == "protocol" and not found <= set(SPECIAL)


def rewritten(shown: Shown) -> Shown:
    """With | in a path, and ' in a query and in credentials, percent-encoded, and an origin of file URLs."""
    if shown is None:
        return None
    made = list(shown)
    for field, character, code in (
        (USERNAME, "'", "%27"), (PASSWORD, "'", "%27"), (PATHNAME, "|", "%7C"), (SEARCH, "'", "%27"),
    ):  # fmt: skip
        made[field] = shown[field].replace(character, code)
    old = f"{shown[PATHNAME]}{shown[SEARCH]}"
    made[HREF] = made[HREF].replace(old, f"{made[PATHNAME]}{made[SEARCH]}") if old else made[HREF]
    old, new = (f"//{one[USERNAME]}{one[PASSWORD] and ':'}{one[PASSWORD]}@" for one in (shown, made))
    made[HREF] = made[HREF].replace(old, new, 1)
    if shown[PROTOCOL] == "file:":
        made[ORIGIN] = "file://"
    return made


def is_rewritten(difference: Difference) -> bool:
    return difference.theirs == rewritten(difference.ours)


def is_of_host_characters(difference: Difference) -> bool:
    shown = [one for one in (difference.ours, difference.theirs) if one is not None and one[PROTOCOL] in SPECIAL]
    return any(re.search(r"%20|%2A|[*]", one[HOSTNAME]) for one in shown)


def is_of_new_characters(difference: Difference) -> bool:
    return difference.is_refused_by_them and is_of_old_tables(difference)


def is_not_special(difference: Difference) -> bool:
    return bool(protocols(difference) - set(SPECIAL))


def is_empty_query(difference: Difference) -> bool:
    _, step, _, ours, theirs = difference
    if step is None or step[0] != "search" or ours is None or re.sub("[\t\n\r]", "", step[1]) != "?":
        return False
    return theirs == with_pairs_of_value([ours[HREF].replace("?", "", 1), *ours[1:]], step[1])


def is_stripped_first(difference: Difference) -> bool:
    step = difference.step
    return step is not None and step[0] == "search" and re.match(r"[\t\n\r]+\?", step[1]) is not None


def is_refused_for_tabs(difference: Difference) -> bool:
    _, step, before, _, theirs = difference
    return step is not None and step[0] == "protocol" and bool(re.search("[\t\n\r]", step[1])) and theirs == before


def is_of_mapped_ipv6(difference: Difference) -> bool:
    return difference.is_refused_by_us and difference.hostname.startswith("[")


def is_decoded_again(difference: Difference) -> bool:
    return difference.is_refused_by_us and not difference.is_refused_by_them and "％" in difference.text


def is_forbidden_before_mapping(difference: Difference) -> bool:
    is_refused = difference.is_refused_by_them and not difference.is_refused_by_us
    composed = to_unicode(difference.hostname).domain
    return is_refused and any(one in difference.text and other in composed for one, other in ("<≮", ">≯"))


def is_bracket_behind_host(difference: Difference) -> bool:
    _, step, before, _, theirs = difference
    return step is not None and step[0] == "host" and "]" in step[1] and theirs == before


DEPARTURES: tuple[Lag, ...] = (
    Lag(
        "chromium",
        "| in a path, and ' in a query or in credentials, are percent-encoded; the origin of file URLs is file://",
        "path-percent-encode-set",
        is_rewritten,
        ("http://u'@h/|", None, []),
        ["http://u'@h/|", "http://h", "http:", "u'", "", "h", "h", "", "/|", "", ""],
        ["http://u%27@h/%7C", "http://h", "http:", "u%27", "", "h", "h", "", "/%7C", "", ""],
    ),
    Lag(
        "chromium",
        "`search` that is assigned ? alone leaves no query",
        "dom-url-search",
        is_empty_query,
        ("http://h/", None, [("search", "?")]),
        ["http://h/?", "http://h", "http:", "", "", "h", "h", "", "/", "", ""],
        http("h"),
    ),
    Lag(
        "chromium",
        "`search` loses tabs and newlines before its ?",
        "dom-url-search",
        is_stripped_first,
        ("http://h/", None, [("search", "\t?a")]),
        ["http://h/??a", "http://h", "http:", "", "", "h", "h", "", "/", "??a", "", "?a", ""],
        ["http://h/?a", "http://h", "http:", "", "", "h", "h", "", "/", "?a", "", "\t?a", ""],
    ),
    Lag(
        "chromium",
        "`protocol` is refused where it has tabs or newlines",
        "dom-url-protocol",
        is_refused_for_tabs,
        ("http://h/", None, [("protocol", "ht\ttps")]),
        ["https://h/", "https://h", "https:", "", "", "h", "h", "", "/", "", ""],
        http("h"),
    ),
    Lag(
        "chromium",
        "`host` is refused where a ] comes after the host",
        "dom-url-host",
        is_bracket_behind_host,
        ("http://h/", None, [("host", "a:1]")]),
        ["http://a:1/", "http://a:1", "http:", "", "", "a:1", "a", "1", "/", "", ""],
        http("h"),
    ),
    Lag(
        "chromium",
        "an IPv6 address is read after mapping and decoding, and its IPv4 address may have leading zeros",
        "concept-host-parser",
        is_of_mapped_ipv6,
        ("http://[::\uff11]/", None, []),
        None,
        http("[::1]"),
    ),
    Lag(
        "chromium",
        "a fullwidth % is percent-decoded after mapping",
        "concept-host-parser",
        is_decoded_again,
        ("http://\uff05\uff16\uff11/", None, []),
        None,
        http("a"),
    ),
    Lag(
        "chromium",
        "< and > are refused, also where a U+0338 after them makes something else of them",
        "concept-host-parser",
        is_forbidden_before_mapping,
        ("http://<%CC%B8/", None, []),
        http("xn--gdh"),
        None,
    ),
    Lag(
        "chromium",
        "a space and an asterisk in a host are percent-encoded",
        "forbidden-domain-code-point",
        is_of_host_characters,
        ("http://a b*/", None, []),
        None,
        http("a%20b%2A"),
    ),
    Lag(
        "chromium",
        "Unicode tables older than Unicode 18",
        "concept-domain-to-ascii",
        is_of_new_characters,
        ("http://\ua7dd/", None, []),
        http("xn--noa"),
        None,
    ),
    Lag(
        "chromium",
        "`protocol` makes special what is not",
        "scheme-state",
        is_change_of_scheme,
        ("x://h", None, [("protocol", "http")]),
        ["x://h", "null", "x:", "", "", "h", "h", "", "", "", ""],
        http("h"),
    ),
    Lag(
        "chromium",
        "file URLs: their drives and hosts",
        "file-state",
        is_of_file,
        ("file:///C|/", None, []),
        ["file:///C:/", "null", "file:", "", "", "", "", "", "/C:/", "", ""],
        ["file:///C%7C/", "file://", "file:", "", "", "", "", "", "/C%7C/", "", ""],
    ),
    Lag(
        "chromium",
        "URLs that are not special: backslashes, opaque paths, empty hosts; data: and filesystem: altogether",
        "scheme-state",
        is_not_special,
        ("\\a", "x:/", []),
        ["x:/\\a", "null", "x:", "", "", "", "", "", "/\\a", "", ""],
        ["x:/a", "null", "x:", "", "", "", "", "", "/a", "", ""],
    ),
)
