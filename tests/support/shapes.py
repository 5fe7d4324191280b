"""Inputs of any length that hurt parsers, and the work that has to stay linear on them."""

from __future__ import annotations

import io
import itertools
import pickle
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from support.learn_shapes import learn_cases
from support.pattern_shapes import pattern_cases
from support.record_shapes import record_cases
from support.text_shapes import text_cases

from weburl import URL, FrozenURL, InvalidURL, URLSearchParams, is_valid, join, normalize, validate
from weburl import explain as explain_url
from weburl._crawl.nesting import cut
from weburl.bulk import (
    can_parse_many,
    canonicalize_many,
    component_many,
    fingerprint_many,
    host_in_many,
    is_private_url_many,
    join_many,
    parse_lines,
    parse_many,
    path_template_many,
    pattern_extract_many,
    pattern_test_many,
    percent_decode_many,
    query_get_many,
    query_pairs_many,
    query_values_many,
    redact_many,
    redact_text_many,
    route_many,
)
from weburl.compat.urllib import parse_qsl, urljoin, urlsplit
from weburl.compat.w3lib import canonicalize_url, safe_url_string
from weburl.crawl import canonicalize, fingerprint
from weburl.display import display_host, display_url, spoofing_risks
from weburl.forms import parse_form, serialize_form
from weburl.hosts import (
    HostSet,
    domain_to_ascii,
    domain_to_unicode,
    host_matches,
    is_private_host,
    is_private_url,
    is_safe_link,
    is_safe_redirect,
    is_valid_domain,
    is_valid_host,
    parse_host,
    public_suffix,
    registrable_domain,
    same_origin,
    same_site,
)
from weburl.percent import percent_decode, percent_decode_text, percent_encode
from weburl.redact import SECRET_NAMES, LogPolicy, path_template, redact
from weburl.text import explain_redaction, redact_text

Make = Callable[[int], Any]
Work = Callable[[Any], object]


class Case(NamedTuple):
    """Some work on an argument of about n characters, or pairs of a few."""

    name: str
    make: Make
    work: Work


STARTS = itertools.count(0, 20011)


def distinct(n: int) -> str:
    """Ideographs, all different up to 60,000, and not those of the last call, so that no cache helps."""
    start = next(STARTS)
    offsets = (index % 60000 for index in range(start, start + n))
    return "".join(chr(0x4E00 + offset if offset < 20000 else 0x20000 + offset - 20000) for offset in offsets)


def fill(unit: str, before: str = "", after: str = "") -> Make:
    """A text of about n characters, made of one unit."""
    return lambda n: before + unit * (n // len(unit)) + after


def parse(text: str) -> None:
    """Parses a text and, if that succeeds, reads all parts."""
    url = URL.parse(text)
    assert URL.can_parse(text) is (url is not None)
    if url is not None:
        url.href, url.origin, url.hostname, url.pathname, url.path_segments, repr(url)


HOSTS = {
    "numbers": fill("1."), "hexadecimal zeros": fill("0", "0x"), "nines": fill("9"), "colons": fill(":", "["),
    "closed colons": fill(":", "[", "]"), "zeros in brackets": fill("0", "[", "]"),
    "zeros after a bracket": fill("0", "["),
    "labels": fill("a."), "one label": fill("a"), "percent-encoded": fill("%61"),
    "percent-encoded letters": fill("%C3%A9"), "dots": fill("."), "hyphens": fill("-", "é"),
    "accented": fill("é"), "accented labels": fill("é."), "Arabic digits": fill("\u0660"),
    "Arabic letters": fill("\u0627"), "middle dots": fill("\u30fb"), "katakana middle dots": fill("\u30fb", "ア"),
    "combining marks": fill("\u0301\u0323", "a"), "marks in order": fill("\u0323\u0301", "a"),
    "joiners": fill("क्\u200d"), "bare joiners": fill("\u200d"), "non-joiners": fill("ب\u200c", "", "ب"),
    "Hangul": fill("\u1100\u1161\u11a8"), "Hangul and a vowel": fill("\uac01", "", "\u1161"), "emoji": fill("😀"),
    "many": lambda n: "".join(chr(0x4E00 + index % 3000) for index in range(n)), "soft hyphens": fill("\u00ad", "é"),
    "punycode": lambda n: f"xn--{'a' * (n // 2)}-{'a' * (n // 2)}.é", "punycode kva": fill("kva", "xn--", ".é"),
    "punycode that decomposes": fill("a", "xn--y3b", ".é"),
    "punycode nines": fill("9", "xn--", ".é"), "punycode labels": fill("xn--9ca.", "", "é"),
    "alternating": fill("aé"), "ligatures": fill("\ufdfa"), "fullwidth": fill("Ａ"),
    "ASCII then one": fill("a", "", "é"), "bidi labels": fill("א."), "mixed bidi": fill("א1"),
    "lone surrogates": fill("\ud800"),
}  # fmt: skip

SHAPES = {
    "@": fill("@", "http://"), "@ then host": fill("@", "http://", "h"), ":@": fill(":@", "http://"),
    ":@ then host": fill(":@", "http://", "h"), "colons": fill(":", "http://", "@h"),
    "opaque @": fill("@", "x://"), "user": fill("é", "http://", "@h"), "up": fill("../", "http://h/"),
    "percent up": fill("%2e%2E/", "http://h/"), "dots": fill(".", "http://h/"),
    "down and up": lambda n: "http://h/" + "a/" * (n // 5) + "../" * (n // 5), "zigzag": fill("a/../", "http://h/"),
    "slashes": fill("/", "http://h"), "backslashes": fill("\\", "http://h"),
    "no host, slashes": fill("/", "x:/.."), "here": fill("./", "http://h/"),
    "port zeros": fill("0", "http://h:", "80/"), "port nines": fill("9", "http://h:"),
    "letters and tabs": fill("a\t", "http://h/"),
    "tabs in the scheme": fill("\t", "ht", "tp://h"), "NULs before": fill("\0", "", "http://h"),
    "spaces after": fill(" ", "http://h/"), "spaces all": fill(" "), "controls": fill("\x01", "http://h/"),
    "controls in the query": fill("\x01", "http://h/?"), "percents": fill("%", "http://h/"),
    "opaque spaces": fill(" ", "x:a", "#f"), "opaque spaces and query": fill(" ?", "x:a"),
    "file slashes": fill("/", "file:"), "file backslashes": fill("\\", "file:"), "drives": fill("C|/", "file:///"),
    "drives and up": fill("../", "file:///C:/"), "scheme": fill("a"), "scheme:": fill("a", "", ":"),
    "upper-case scheme": fill("A", "", ":"), "blob": fill("blob:"), "blob http": fill("blob:", "", "http://h"),
    "non-ASCII path": fill("é", "http://h/"), "non-ASCII query": fill("😀", "http://h/?"),
    "fragment": fill("`", "http://h/#"), "hashes": fill("#", "http://h/"), "questions": fill("?", "http://h/"),
    "surrogates": fill("\ud800", "http://h/"), "opaque host": fill("é", "x://"),
    "opaque host of spaces": fill(" ", "x://a", "/"), "slashes after http:": fill("/", "http:"),
    "no scheme": fill("/"), "bad host after credentials": fill("u:p@", "http://", " "),
    "tabs and slashes": fill("/\t", "http:"),
}  # fmt: skip


def explain(text: str) -> None:
    """Parses a text and reads why it fails."""
    try:
        URL(text)
    except InvalidURL as error:
        str(error), repr(error)


def in_host(make: Make) -> Make:
    return lambda n: f"http://{make(n)}/"


DEEP = fill("a/", "http://h/", "b")
NAMES = ("href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash")
UNITS = ("a", "@", ":", "/", "../", "a/", "a/../", "a\t", "0", "9", "%", "é", " ", "\t", "\x01", "?", "#")


def setter(name: str) -> Work:
    def work(text: str) -> None:
        url = URL("http://h/a?b#c")
        try:
            setattr(url, name, text)
        except InvalidURL as error:
            str(error)
        assert url.href
        list(url.search_params)

    return work


def set_all(url: URL) -> None:
    for name in ("protocol", "username", "password", "host", "hostname", "port", "search", "hash"):
        setattr(url, name, "5")


def appended(n: int) -> URLSearchParams:
    url = URL("http://h/?a=1#f")
    for _ in range(n):
        url.search_params.append("k", "é")
    assert len(url.href) > n
    return url.search_params


def asked_for(text: str) -> None:
    params = URLSearchParams(text)
    for name in text.split("&"):
        params.get(name)


# Many names that are there, and as many that are not. Each edit is a call, so that it has to be linear alone.
def edited(text: str) -> None:
    names = text.split("&")
    given = dict.fromkeys(names, "é")
    for url in (URL("http://h/?" + text), FrozenURL("http://h/?" + text)):
        url.with_params(given), url.add_params(given), url.without_params(*names)
        url.with_params({"a": names}), url.add_params(a=names), url.with_params(given, encoding="windows-1252")
        url.without_params(*names, encoding="windows-1252")


def merged(text: str) -> None:
    given = dict.fromkeys(text.split("&"), "é")
    for params in (URLSearchParams(text), URL("http://h/?" + text).search_params):
        params.update(given)
        params.update(URLSearchParams(text), a="1")
        params.update({"a": list(given)})
        assert str(params)


def defaults_set(text: str) -> None:
    for params in (URLSearchParams(text), URL("http://h/?" + text).search_params):
        for name in text.split("&"):
            params.setdefault(name, "1")
            params.setdefault(f"{name}x", "1")
        assert str(params)


def popped(text: str) -> None:
    for params in (URLSearchParams(text), URL("http://h/?" + text).search_params):
        assert params.pop("a") == "1"
        params.pop("b", None)
        assert not params.has("a")


def walked_while_appending(n: int) -> None:
    params = URLSearchParams("a=1")
    for index, _ in enumerate(params):
        if index < n:
            params.append("k", "v")


def shown(text: str) -> None:
    """Makes a text canonical, compares it, and displays it."""
    url = URL.parse(text)
    if url is not None:
        canonicalize(url), canonicalize(url, "surt"), fingerprint(url), redact(url), path_template(url)
        same_origin(url, url), same_site(url, url), is_private_url(url)
        display_url(url), display_url(url, max_width=40), display_host(URL(url)), spoofing_risks(URL(url))


def judged(text: str) -> None:
    is_safe_redirect(text, allow=["example.com"]), is_safe_link(text)


def said(text: str) -> None:
    validate(text), is_valid(text), explain_url(text)


def replaced(text: str) -> None:
    """Uses the replacements for other libraries."""
    for call in (urlsplit, parse_qsl, partial(urljoin, "http://h/a"), safe_url_string, canonicalize_url):
        with suppress(ValueError):
            call(text)


def percent(text: str) -> None:
    for name in ("c0-control", "path", "userinfo", "form"):
        percent_encode(text, name)  # type: ignore[arg-type, unused-ignore]
    percent_decode(text)
    percent_decode_text(text)
    percent_encode(text, "form", encoding="windows-1252")


# Each ends with the next; only the longest that counts may be compared.
NESTED = HostSet(kind + "a." * depth + "com" for depth in range(300) for kind in ("=", "*."))


def listed(entries: list[str]) -> None:
    found = HostSet(entries)
    assert pickle.loads(pickle.dumps(found)) == found == HostSet(list(found))
    hash(found), [entry.removeprefix("*.") in found for entry in found if entry[0] != "="]


def in_order(text: str) -> None:
    host = parse_host(text)
    hash(host), repr(host), host.labels, host.unicode, sorted([host, parse_host("a.b")])
    assert pickle.loads(pickle.dumps(host)) == host


def hosts(text: str) -> None:
    matches = partial(host_matches, hosts=["example.com", "*.a", "1.2.3.4"])
    valid = partial(is_valid_host, opaque=True)
    for call in (
        parse_host, domain_to_ascii, domain_to_unicode, is_valid_domain, is_valid_host, valid, is_private_host, matches,
        in_order, display_host, spoofing_risks, public_suffix, registrable_domain,
    ):  # fmt: skip
        try:
            call(text)
        except InvalidURL as error:
            str(error)


def filed(path: str) -> None:
    """Makes a URL of a path by the rules of both systems, and a path of that; or the message if one is refused."""
    for root, windows in (("/", False), ("C:\\", True), ("\\\\?\\C:\\", True), ("\\\\server\\", True), ("\\\\", True)):
        try:
            URL.from_path(root + path, windows=windows).to_path(windows=windows)
        except InvalidURL as error:
            str(error)
    for windows in (False, True):
        try:
            URL(f"file:///C:/{path}").to_path(windows=windows)
        except InvalidURL as error:
            str(error)


def before_x(make: Make, n: int) -> str:
    return f"{make(n)}x"


# Units of which paths are made that every rule looks at.
PATH_UNITS = (
    "a",
    "a\\",
    "/",
    "\\",
    " ",
    ".",
    ". ",
    "a. ",
    "../",
    "%",
    "%2e",
    "%25",
    "CON",
    "con .",
    "NUL \\",
    "é",
    "\udcff",
    "|",
    ":",
)


def mapped_back(text: str) -> None:
    domain = domain_to_ascii(text)
    domain_to_ascii(distinct(20000))  # what is cached of the code points is now that of others
    domain_to_unicode(domain)


OWN_NAMES = LogPolicy(
    secret_names=SECRET_NAMES
    | {f"name{number}" for number in range(5)}
    | {f"*other{number}x" for number in range(2000)},
    kept_names={"password", "*token"},
)


def with_names(text: str) -> None:
    redact_text(text, OWN_NAMES)


OTHERS: dict[str, tuple[Make, Work]] = {
    "join: deep and up": (lambda n: (DEEP(n), "../" * (n // 2)), lambda pair: join(*pair)),
    "join: URL deep and up": (lambda n: (URL(DEEP(n)), "../" * (n // 2)), lambda pair: pair[0].join(pair[1])),
    "join: deep": (lambda n: (DEEP(n), "c"), lambda pair: join(*pair)),
    "normalize: deep base": (lambda n: (DEEP(n) + "?" + "q" * n, ""), lambda pair: normalize(pair[1], pair[0])),
    "join: credentials": (lambda n: "http://u:" + "p@" * (n // 2) + "h/", lambda text: URL("c", text)),
    "encoding: latin1": (lambda n: "é" * n, lambda text: URL("http://h/?" + text, encoding="latin1")),
    "encoding: iso-2022-jp": (
        lambda n: "¥a" * (n // 2), lambda text: URL("http://h/?" + text, encoding="iso-2022-jp")
    ),
    "encoding: shift_jis": (lambda n: "😀a" * (n // 2), lambda text: URL("http://h/?" + text, encoding="shift_jis")),
    "==": (lambda n: (URL(DEEP(n)), URL(DEEP(n))), lambda pair: pair[0] == pair[1]),
    "replace": (
        lambda n: URL(DEEP(n)),
        lambda url: url.replace(scheme="https", hash="x", search="y", hostname="é", port=1),
    ),
    "repr": (lambda n: URL("http://u:" + "p" * n + "@h/"), repr),
    "repr: nested blob": (lambda n: URL("blob:" * (n // 5) + "http://u:p@h/"), repr),
    "repr: opaque @": (lambda n: URL("x:a" + "//@" * (n // 3)), repr),
    "setters of a long URL": (lambda n: URL(DEEP(n)), set_all),
    "can_parse: é in a path": (fill("é", "http://h/"), URL.can_parse),
    "can_parse: 😀 in a query": (fill("😀", "http://h/?"), URL.can_parse),
    "can_parse: a surrogate in a fragment": (fill("\ud800", "http://h/#"), URL.can_parse),
    "params: pairs": (fill("a=1&"), lambda text: list(URLSearchParams(text))),
    "params: &": (fill("&"), lambda text: list(URLSearchParams(text))),
    "params: =": (fill("="), lambda text: list(URLSearchParams(text))),
    "params: +": (fill("+"), lambda text: list(URLSearchParams(text))),
    "params: %": (fill("%"), lambda text: str(URLSearchParams(text))),
    "params: %C3": (fill("%C3"), lambda text: str(URLSearchParams(text))),
    "params: %20, serialized": (fill("a=%20&"), lambda text: str(URLSearchParams(text))),
    "params: not found": (fill("%41=&a&"), lambda text: URLSearchParams(text).get("a1")),
    "params: each asked for": (lambda n: "&".join(map(str, range(n // 8))), asked_for),
    "params: duplicates deleted": (fill("a=1&"), lambda text: URLSearchParams(text).delete("a")),
    "params: duplicates set": (fill("a=1&"), lambda text: URLSearchParams(text).set("a", "2")),
    "params: duplicates popped": (fill("a=1&"), popped),
    "params: one popped": (lambda n: "a=1&" + "c=2&" * (n // 4), popped),
    "params: updated": (fill("a=1&"), lambda text: URLSearchParams(text).update({"a": "2", "b": "3"})),
    "params: many names updated": (lambda n: "&".join(map(str, range(n // 8))), merged),
    "params: one name updated": (fill("a=1&"), merged),
    "params: defaults set": (lambda n: "&".join(map(str, range(n // 8))), defaults_set),
    "params: many names edited": (lambda n: "&".join(map(str, range(n // 8))), edited),
    "params: one name edited": (fill("a&"), edited),
    "params: empty pieces edited": (lambda n: "&" * n + "a&1", edited),
    "params: escapes edited": (fill("%C3%A9&"), edited),
    "params: pairs deleted": (fill("a=1&b=2&"), lambda text: URLSearchParams(text).delete("a", "1")),
    "params: get_all": (fill("a=1&"), lambda text: URLSearchParams(text).get_all("a")),
    "params: equal, sorted": (fill("a=1&"), lambda text: URLSearchParams(text).sort()),
    "params: reversed, sorted": (
        lambda n: "&".join(f"{index:06}" for index in range(n // 7, 0, -1)), lambda text: URLSearchParams(text).sort()
    ),
    "params: beyond the BMP, sorted": (
        lambda n: "&".join(chr(0xE000 + index % 4000) + "😀" for index in range(n // 7)),
        lambda text: URLSearchParams(text).sort(),
    ),
    "params: of a URL": (fill("a=1&"), lambda text: str(URL("http://h/?" + text).search_params)),
    "params: appended, live": (lambda n: n // 8, appended),
    "params: walked while appending": (lambda n: n // 8, walked_while_appending),
    "params: from pairs": (lambda n: [("é", "~")] * (n // 4), lambda pairs: str(URLSearchParams(pairs))),
    "params: ==": (lambda n: [("é", "~")] * (n // 4), lambda pairs: URLSearchParams(pairs) == URLSearchParams(pairs)),
    "forms: pairs": (fill("a=1&"), parse_form),
    "forms: &": (fill("&"), lambda text: parse_form(text, isindex=True, use_charset=True)),
    "forms: _charset_": (fill("_charset_=x&"), lambda text: parse_form(text, use_charset=True)),
    "forms: latin1": (fill("a=%E9&"), lambda text: parse_form(text, encoding="latin1")),
    "forms: serialize": (lambda n: [("é", "~")] * (n // 4), serialize_form),
    "forms: serialize, shift_jis": (
        lambda n: [("é", "😀")] * (n // 4), lambda pairs: serialize_form(pairs, encoding="shift_jis")
    ),
    "bulk: rows": (lambda n: ["http://h/a?b#c"] * (n // 16), lambda urls: parse_many(urls, views=True)),
    "bulk: hosts": (lambda n: [f"http://é{index % 3000}.example/" for index in range(n // 32)], parse_many),
    "bulk: one host": (
        lambda n: ["http://u:p@é.example/"] * (n // 16), lambda urls: component_many(urls, "origin", views=True)
    ),
    "bulk: lines": (lambda n: b"http://h/\n" * (n // 10), parse_lines),
    "bulk: empty lines": (lambda n: b"\n" * n, parse_lines),
    "bulk: lines that are not UTF-8": (lambda n: b"\xff" * n, parse_lines),
    "bulk: one line": (lambda n: b"a" * n, lambda data: parse_lines(io.BytesIO(data))),
    "bulk: pairs": (lambda n: ["http://h/?" + "a=1&" * (n // 4)] * 2, query_pairs_many),
    "bulk: values": (lambda n: ["http://h/?" + "%61=1&" * (n // 6)] * 2, lambda urls: query_get_many(urls, "b")),
    "bulk: many values": (
        lambda n: ["http://h/?" + "%61=1&b=2&" * (n // 10)] * 2,
        lambda urls: query_values_many(urls, ["c", "d", ""]),
    ),
    "bulk: a long name": (lambda n: ["http://h/?" + "a" * n] * 2, lambda urls: query_get_many(urls, "a" * 1000)),
    "bulk: join": (
        lambda n: [DEEP(n), DEEP(n)], lambda bases: join_many(bases, ["../" * (len(bases[0]) // 3)] * 2)
    ),
    "bulk: canonical": (lambda n: ["http://h/?" + "b&a&" * (n // 4)] * 2, canonicalize_many),
    "bulk: redacted": (lambda n: ["http://h/?" + "pin=1&ip=1.2.3.4&" * (n // 17)] * 2, redact_many),
    "bulk: redacted, nothing": (lambda n: ["http://h/?x=" + "aB1.a@b%2540" * (n // 12)] * 2, redact_many),
    "bulk: templates": (lambda n: ["http://h/" + "5/x%40y=1;/reset/" * (n // 17)] * 2, path_template_many),
    "page: elements in each other": (lambda n: b"<div>" * (n // 5), cut),
    "page: formatting that is repeated": (lambda n: b"<p>" + b"<b>" * 99 + b"</p><p>x" * (n // 8), cut),
    # What is short is not cut.
    "page: end tags in SVG": (lambda n: b"<svg>" + b"<g></x>" * (n // 7) + b"x" * 9000, cut),
    "page: comments and scripts": (lambda n: b"<!-- ><script><!--<script>--!" * (n // 29), cut),
    "page: attributes": (lambda n: b"<a " + b"b='" * (n // 3), cut),
    "page: parts of tables": (lambda n: b"<table><tr><td></tr></b>" * (n // 24), cut),
    "redact: a text": (lambda n: "http://u@a b/" + "http:/x@y/é?token=1&a[b]=4-4-4&" * (n // 31), redact),
    "redact: an escape of an escape": (lambda n: "http://h/?a=%" + "25" * n + "40", redact),
    "redact: segments that look random": (lambda n: "http://h/" + "gggggggggggggG1/" * (n // 16), redact),
    "redact: a card": (lambda n: "http://h/?a=" + "4-" * (n // 2), redact),
    "redact: words": (lambda n: "http://h/?a=" + "eyJ.ghp_-" * (n // 9), redact),
    "redact: names": (lambda n: "http://h/?" + "a[token_]:" * (n // 10) + "=b", redact),
    "redact: links of mails": (lambda n: "http://h/?a=" + "/verify?t=[" * (n // 11), redact),
    "redact: addresses in others": (lambda n: "http://h/?a=" + '="1.2.3.0,' * (n // 10), redact),
    "redact: networks in quotes": (lambda n: "http://h/?a=" + '"10.0.0.0,' * (n // 10), redact),
    "redact: networks in escaped quotes": (lambda n: "http://h/?a=" + "%221::,%27[1::]," * (n // 16), redact),
    "redact: networks without commas": (lambda n: "http://h/?a=" + "'1::\"" * (n // 5) + ",", redact),
    "redact: networks in JSON": (lambda n: "a b/?a=" + '\\"1::,' * (n // 6), redact),
    "redact_text: networks in quotes": (lambda n: "http://h/?a=" + "'10.0.0.0," * (n // 10), redact_text),
    "redact_text: networks in JSON": (lambda n: "http://h/?a=" + "\\'1::," * (n // 6), redact_text),
    "redact: webhooks": (lambda n: "http://h/" + "%5C/T01234567/ggggggggggggggggggggg" * (n // 34), redact),
    "redact_text: brackets in a query": (lambda n: "/?" + "<" * n + "&a=", redact_text),
    "redact_text: line ends in a query": (lambda n: "/?=" + "\\n" * (n // 2) + "&a=", redact_text),
    "redact_text: colours in a query": (lambda n: "/?a=" + "\\x1b[0m" * (n // 7) + "&a=", redact_text),
    "redact_text: words with names": (lambda n: "cookie-authorization_4111-" * (n // 26), redact_text),
    "redact_text: quotes in headers": (lambda n: "authorization=bearer \\'a \"b " * (n // 27), redact_text),
    "redact_text: what is not ASCII": (lambda n: r"\u20acAKIA\xe9eyJ" * (n // 17), redact_text),
    "explain_redaction: a long name": (lambda n: "/?x=" + "a" * n + "%26token%3D1", explain_redaction),
    "explain_redaction: names": (lambda n: "/?x=" + "a:%5Cu0062;" * (n // 11) + "%26token%3D1", explain_redaction),
    "redact_text: URLs": (lambda n: "a?https://u:p@h/?token=1&b=" * (n // 27), redact_text),
    "redact_text: URLs in lines": (lambda n: "https://u:p@h/?token=1#/reset/ggggggG1\n" * (n // 39), redact_text),
    "redact_text: escapes": (lambda n: r"https:\/\/u:p@h\/?token=1\u0026" * (n // 33), redact_text),
    "redact_text: headers": (lambda n: 'cookie:="a;b=c authorization,"value":["' * (n // 40), redact_text),
    "redact_text: tokens that do not look random": (lambda n: "token=" * (n // 6), redact_text),
    "redact_text: names in one word": (lambda n: "pwdsecretpasswordapitoken" * (n // 25), redact_text),
    "redact_text: escaped line ends in headers": (
        lambda n: "'x Cookie: a'#015#012cookie=a#015#012" * (n // 37), redact_text
    ),
    "redact_text: items of lists": (lambda n: '"token":[1,{},"a",' * (n // 18), redact_text),
    "redact_text: headers in lists": (lambda n: '"cookie":["' + 'a=b","' * (n // 6), redact_text),
    "redact_text: keys": (lambda n: "eyJaaaaaaaa.a.ghp_1:AA-sk-ant-" * (n // 30), redact_text),
    "redact_text: headers in a token": (lambda n: "cookie=[a]set-cookie:[/];" * (n // 25) + "?", redact_text),
    "redact_text: objects in a token": (lambda n: "authorization:{cookie:[{" * (n // 24) + "?", redact_text),
    "redact_text: headers and quotes": (lambda n: "'cookie:[a]cookie:[a]" * (n // 21) + "?", redact_text),
    "redact_text: queries that go on": (lambda n: '/?a<b\\n\\"' * (n // 9), redact_text),
    "redact_text: escaped quotes": (lambda n: r"/?a\x22\u003c&b=" * (n // 16), redact_text),
    "redact_text: escaped line ends": (lambda n: r"#012a: \\x0A%0D%0Acookie: " * (n // 27), redact_text),
    "redact_text: colours": (lambda n: "cookie\x1b[0m\\e[1;1;1\x1b[m" * (n // 23), redact_text),
    "redact_text: calls": (lambda n: "authorization=Some((a) authorization: &x = " * (n // 43), redact_text),
    "redact_text: texts in lines": (lambda n: 'authorization: a "b" ["c cookie: a=","' * (n // 38), redact_text),
    "redact_text: copies of JSON": (lambda n: r"""\"cookie\":\\n  [[\n\\", """ * (n // 25), redact_text),
    "redact_text: escaped colours": (lambda n: r"#033[1mcookie^[[0m:\\\\e[0m#012a:" * (n // 35), redact_text),
    "redact_text: properties": (lambda n: "x://h;a=b(token=c,d=://" * (n // 23), redact_text),
    "redact_text: pairs": (lambda n: '"cookie","\'cookie\',\'' * (n // 20), redact_text),
    "redact_text: headers with keys": (lambda n: "x-api-key=a&_token:,-key[auth_token" * (n // 34), redact_text),
    "redact_text: fields": (lambda n: "password=secret:passwd" * (n // 22), redact_text),
    "redact_text: keys in lists": (lambda n: '"api_key":["a","' * (n // 16) + "?", redact_text),
    "redact_text: names of keys in a token": (lambda n: "-key_token" * (n // 10) + "=", redact_text),
    "explain_redaction: headers in a token": (lambda n: "cookie=[a]" * (n // 10), explain_redaction),
    "redact_text: names of a policy": (lambda n: 'name1=name2: q":a.b-name3\x1b[0m%5Bname4 ' * (n // 41), with_names),
    "redact_text: names of a policy in one word": (lambda n: "name1-name2." * (n // 12) + "name3=1", with_names),
    "redact_text: names of a policy and colours": (lambda n: "name1" + "\x1b[0m" * (n // 4) + "=1", with_names),
    "redact_text: names of a policy and spaces": (lambda n: "name1" + "\t" * n + "=1", with_names),
    "redact_text: names of a policy in lines": (lambda n: '\\"name1\\":\\n\\"name2:\\n' * (n // 23), with_names),
    "redact_text: names of a policy in lists": (lambda n: '"name1":[1,{},"a",[2,' * (n // 21), with_names),
    "redact_text: names that are kept": (lambda n: "password=name5=%token=" * (n // 22), with_names),
    "explain_redaction: names of a policy": (
        lambda n: "name1=q8Zx, " * (n // 12), lambda text: explain_redaction(text, OWN_NAMES)
    ),
    "redact_text: quotes": (lambda n: "a?'b/?`c\\'" * (n // 11), redact_text),
    "redact_text: nothing": (lambda n: "a.b " * (n // 4), redact_text),
    "bulk: texts": (lambda n: ["cookie: a=b; /?token=1 " * (n // 24)] * 2, redact_text_many),
    "explain_redaction": (lambda n: "é /?token=1 " * (n // 13), explain_redaction),
    "bulk: fingerprints": (lambda n: ["http://h/" + "%7E" * (n // 3)] * 2, fingerprint_many),
    "bulk: domains": (
        lambda n: ["http://" + "a." * (n // 2) + "com/"] * 2, lambda urls: component_many(urls, "registrable_domain")
    ),
    "bulk: private": (
        lambda n: [f"{scheme}://{'a.' * (n // 2)}com/" for scheme in ("http", "x")], is_private_url_many
    ),
    "bulk: patterns": (
        lambda n: [f"{scheme}://{'a.' * (n // 2)}com/" for scheme in ("http", "x")],
        lambda urls: host_in_many(urls, ["a.a.com", "*.b.com", "a." * 100 + "b"], schemes=None),
    ),
    "bulk: URL patterns": (
        lambda n: ["http://h/" + "a-" * (n // 2), "http://h/" + "a/" * (n // 2)],
        lambda urls: [pattern_test_many(urls, "*://*/*a*a*a*b"), pattern_extract_many(urls, "*://*/:a-:b-:c*")],
    ),
    "bulk: routes": (
        lambda n: [f"http://h/a/b/{index}" for index in range(n // 16)] + ["http://h/" + "a/" * (n // 2)],
        lambda urls: route_many(urls, ["*://h/:a/b/7", "*://*/*a/b", "*://h/:a+"]),
    ),
    "bulk: a HostSet": (
        lambda n: [f"{scheme}://{'a.' * (n // 2)}com/" for scheme in ("http", "x")],
        lambda urls: host_in_many(urls, NESTED, schemes=None),
    ),
    "HostSet: labels": (lambda n: "a." * (n // 2) + "com", NESTED.match),
    "HostSet: labels in the URL": (lambda n: URL(f"http://{'a.' * (n // 2)}com/"), lambda url: url in NESTED),
    "HostSet: one label": (lambda n: "a" * n + ".com", NESTED.match),
    "HostSet: entries": (lambda n: [f"*.host{index}.com" for index in range(n // 16)], listed),
    "HostSet: equal entries": (lambda n: ["a.com", "A.com"] * (n // 16), listed),
    "HostSet: a long entry": (lambda n: ["a." * (n // 2) + "com", f"={'b' * n}", f"*.{'é' * 100}.{'a.' * 9}"], listed),
    "pathname: down and up": (lambda n: "a/" * (n // 5) + "../" * (n // 5), setter("pathname")),
    "bulk: percent_decode": (lambda n: ["%C3"] * (n // 8) + ["%ff" * n], percent_decode_many),
    "domain_to_unicode: kva": (fill("kva", "xn--"), domain_to_unicode),
    "domain_to_unicode: nines": (fill("9", "xn--"), domain_to_unicode),
    "domain_to_unicode: letters": (lambda n: f"xn--{'a' * (n // 2)}-{'a' * (n // 2)}", domain_to_unicode),
    "domain_to_unicode: labels": (fill("xn--9ca."), domain_to_unicode),
    "hosts: distinct": (distinct, domain_to_ascii),
    "hosts: distinct, mapped back": (distinct, mapped_back),
}  # fmt: skip


def two_rows(make: Make, n: int) -> list[Any]:
    return [make(n)] * 2


def three_rows(make: Make, n: int) -> list[Any]:
    return [make(n), "http://h/", make(n)]


def cases() -> Iterator[Case]:
    for name, make in SHAPES.items():
        yield Case(f"parse: {name}", make, parse)
        yield Case(f"explain: {name}", make, explain)
        yield Case(f"bulk: {name}", partial(three_rows, make), parse_many)
    for name, make in HOSTS.items():
        yield Case(f"host: {name}", in_host(make), parse)
        yield Case(f"explain: host, {name}", in_host(make), explain)
        yield Case(f"hosts: {name}", make, hosts)
    for name, make in list(HOSTS.items())[::3]:
        yield Case(f"bulk: host, {name}", partial(two_rows, in_host(make)), can_parse_many)
    for name, make in HOSTS.items():
        yield Case(f"hostname = {name}", make, setter("hostname"))
    for name, make in list(SHAPES.items())[::2]:
        yield Case(f"shown: {name}", make, shown)
        yield Case(f"href = {name}", make, setter("href"))
    for name, make in list(SHAPES.items())[1::4]:
        yield Case(f"validate: {name}", make, said)
        yield Case(f"compat: {name}", make, replaced)
    for name, make in list(HOSTS.items())[1::4]:
        yield Case(f"shown: host, {name}", in_host(make), shown)
        yield Case(f"validate: host, {name}", in_host(make), said)
        yield Case(f"compat: host, {name}", in_host(make), replaced)
    for name in NAMES:
        for unit in UNITS:
            yield Case(f"{name} = {unit!a}", fill(unit), setter(name))
    for unit in ("a", "%", "%4", "%41", "%C3", "é", "😀", " ", "\ud800", "\x00"):
        yield Case(f"percent: {unit!a}", fill(unit), percent)
    for unit in PATH_UNITS:
        yield Case(f"files: {unit!a}", fill(unit), filed)
        yield Case(f"files: x after {unit!a}", partial(before_x, fill(unit)), filed)
    for unit in ("a", "\t", " ", "\\", "../", "@", ":", "&", "&#58;", "&#0", "&#x3a", "&colon", "\x00"):
        yield Case(f"targets: {unit!a}", fill(unit), judged)
    yield Case("targets: digits", lambda n: "&#" + "1" * n, judged)
    for name, (make, work) in OTHERS.items():
        yield Case(name, make, work)
    for each in (*pattern_cases(), *record_cases(), *text_cases(), *learn_cases()):
        yield Case(*each)


CASES = tuple(cases())
