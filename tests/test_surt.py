"""SURTs as the archives' library surt writes them, ranges of SURTs, and ssurt."""

from __future__ import annotations

import bisect
import re
from itertools import product
from typing import Any
from urllib.parse import quote_from_bytes, unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.shapes import fill
from test_linear import check

from weburl import URL, InvalidURL
from weburl.bulk import canonicalize_many, fingerprint_many
from weburl.crawl import SurtPolicy, canonicalize, fingerprint, ssurt, surt_range

EXACT = SurtPolicy(archive_exact=True)
HEX = "0123456789abcdefABCDEF0123456789"
ASP, LETTERS = "abcdefghijklmnopqrstuvwx", "ABCDEFGHIJKLMNOPQRSTUVWX"

# What surt 0.3.1 printed for these URLs.
PRINTED = [
    ("http://www.www.com/", "com,www)/"),
    ("http://example.com/a%3Fb", "com,example)/a?b"),
    ("http://example.com/a%5cb", "com,example)/a\\b"),
    ("http://[::1]/", "::1)/"),
    ("ftp://example.com/A", "com,example)/a"),
    ("data:,X", "data:,x"),
    ("mailto:/%2e%2e//?", "mailto:/./"),
    ("urn:pageinfo:http://Example.com/", "urn:pageinfo:http://example.com"),
    ("screenshot:http://example.com/", "screenshot:http://example.com"),
    ("filedesc://A.warc.gz", "filedesc://A.warc.gz"),
    (f"http://example.com/(S({ASP}))/a.aspx", "com,example)/a.aspx"),
    (f"http://example.com/({ASP})/a.ASPX", "com,example)/a.aspx"),
    (f"http://example.com/(S({ASP}))/a", f"com,example)/(s({ASP}))/a"),
    (f"http://example.com/?a=1&sid={HEX}&b=2", "com,example)/?a=1&b=2"),
    (f"http://example.com/?a=1&xsid={HEX}", "com,example)/?a=1&x"),
    (f"http://example.com/?a=1&sid={HEX}", "com,example)/?&a=1"),
    (f"http://example.com/?PHPSESSID={HEX}", "com,example)/"),
    (f"http://example.com/?jsessionid={HEX}&", "com,example)/"),
    (f"http://example.com/?ASPSESSIONIDabcdefgh={LETTERS}&a", "com,example)/?a"),
    ("http://example.com/?cfid=1&cftoken=2&a", "com,example)/?a"),
    ("http://example.com/?cfid=1&a&cftoken=2", "com,example)/?a&cfid=1&cftoken=2"),
    ("http://example.com:0/", "com,example)/"),
    ("http://a..b./", "b,a)/"),
    ("http://./a", "http:/a"),
]  # fmt: skip


@pytest.mark.parametrize(("url", "surt"), PRINTED)
def test_as_printed(url: str, surt: str) -> None:
    assert canonicalize(url, EXACT) == surt
    assert canonicalize_many([url, None, "no URL"], EXACT).to_pylist() == [surt, None, None]
    assert fingerprint_many([url], EXACT).to_pylist() == [fingerprint(url, EXACT)]


# The rules once more, as expressions; docs/crawl-rules.md has them in words.
SESSIONS = [
    r"(.*)jsessionid=[0-9a-z]{32}(?:&(.*))?", r"(.*)phpsessid=[0-9a-z]{32}(?:&(.*))?",
    r"(.*)sid=[0-9a-z]{32}(?:&(.*))?", r"(.*)aspsessionid[a-z]{8}=[a-z]{24}(?:&(.*))?",
    r"(.*)cfid=[^&]+&cftoken=[^&]+(?:&(.*))?",
]  # fmt: skip
SEGMENTS = [
    r"(.*/)\((?:[a-z]\([0-9a-z]{24}\))+\)/([^?]+\.aspx.*)", r"(.*/)\([0-9a-z]{24}\)/([^?]+\.aspx.*)",
]  # fmt: skip


def unescaped(text: str) -> bytes:
    octets = text.encode()
    while (shorter := unquote_to_bytes(octets)) != octets:
        octets = shorter
    return octets


def escaped(octets: bytes) -> str:
    return quote_from_bytes(octets, safe="!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~").lower()


def model(url: URL) -> str:
    host = unescaped(url.hostname.strip("[]")).replace(b"..", b".").strip(b".").lower()
    host = re.sub(rb"^www[0-9]*\.", b"", host)
    dot = "/." if url.host_type is None and url.pathname.startswith("//") else ""
    octets = unescaped(dot + url.pathname)
    if host:
        kept: list[bytes] = []
        for segment in octets.split(b"/")[1:]:
            if segment == b".." and kept:
                kept.pop()
            elif segment != b".":
                kept.append(segment)
        octets = b"/" + b"".join(segment + b"/" for segment in kept[:-1] if segment) + b"".join(kept[-1:])
    path = escaped(octets)
    for pattern in SEGMENTS:
        path = re.sub(rf"\A{pattern}\Z", r"\1\2", path)
    path = path[:-1] if len(path) > 1 and path.endswith("/") else path
    query = escaped(unescaped(url.query or ""))
    for pattern in SESSIONS:
        if match := re.fullmatch(pattern, query):
            query = match[1] + (match[2] or "")
    pairs = sorted(tuple(pair.split("=", 1)) for pair in query.split("&"))
    query = "&".join(map("=".join, pairs))
    port = f":{url.port}" if url.port not in ("", "0") else ""
    head = ",".join(reversed(escaped(host).split("."))) + port + ")" if host else f"{url.scheme}:"
    return head + (path or "/" * bool(query)) + f"?{query}" * bool(query)


HOSTS = st.sampled_from(
    ["example.com", "www.example.com", "www2.www.com", "www.com", "wwwx.com", "1.2.3.4", "[2001:db8::1]", "a..b",
     "a...", "..a", ".", "a,b", "a(b)", "u:p@h", "h:81", "h:0", "xn--bcher-kva.de"]
)  # fmt: skip
PATHS = st.lists(
    st.sampled_from(
        ["/", "//", "/a", "/B", "/..", "/%2e%2E", "/.", "%25%32%35", "%41", "%2f", "%3F", "%23", "%5c", "%", "é",
         "%ff", f"/(S({ASP}))", f"/(a({LETTERS})b({ASP}))", f"/({ASP})", f"/({ASP}", "/p.aspx", ".ASPX", "(", ")", "|",
         "`"]
    )
).map("".join)  # fmt: skip
QUERIES = st.lists(
    st.sampled_from(
        ["&", "=", "a=1", "b", "B=2", "jsessionid=", "PHPSESSID=", "sid=", HEX, "x", "ASPSESSIONIDabcdefgh=",
         "aspsessionid", LETTERS, "cfid=", "cftoken=", "cfid=1&cftoken=2", "%26", "%3d", "%2541", "é", "?", "%",
         "s%69d="]
    )
).map("".join)  # fmt: skip


@given(st.sampled_from(["http://", "https://", "ftp://", "ws://"]), HOSTS, PATHS, st.none() | QUERIES)
def test_the_model(scheme: str, host: str, path: str, query: str | None) -> None:
    url = URL.parse(scheme + host + "/"[: path[:1] != "/"] + path + ("" if query is None else f"?{query}"))
    if url is None:
        return
    made = canonicalize(url, EXACT)
    assert made == model(url)
    named = SurtPolicy(archive_exact=True, with_scheme=True)
    if not made.startswith(f"{url.scheme}:"):
        assert canonicalize(url, named) == f"{url.scheme}://({made}"


@given(st.sampled_from(["urn:", "data:", "screenshot:", "x:/"]), PATHS, QUERIES)
def test_the_model_without_hosts(scheme: str, path: str, query: str) -> None:
    url = URL.parse(scheme + path + "?" + query)
    if url is not None and not url.hostname:
        assert canonicalize(url, EXACT) == model(url)


def test_options() -> None:
    url = "https://www.example.com:81/a"
    assert canonicalize(url, SurtPolicy(archive_exact=True, keep_www=True)) == "com,example,www:81)/a"
    assert canonicalize(url, SurtPolicy(archive_exact=True, trailing_comma=True)) == "com,example:81,)/a"
    assert canonicalize("x:?q", SurtPolicy(archive_exact=True)) == "x:/?q"
    with pytest.raises(InvalidURL):
        canonicalize("com,example)/", EXACT)


# Which of these is in a range of which is said by the parts of the URLs.
SITES = ["example.com", "www.example.com", "a.example.com", "example.com:81", "example-shop.com", "exampl.com",
         "example.org", "xexample.com", "1.2.3.4", "[::1]", "b.a.example.com:81"]  # fmt: skip
PAGES = ["/", "/a", "/a/", "/a/b", "/ab", "/a?b", "/a?b=c", "/a!", "/a%20b", "/b", "/?q"]


def in_range(url: URL, match: str, other: URL) -> bool:
    mine, theirs = (each.host.removeprefix("www.") for each in (url, other))
    if match == "host":
        return mine == theirs
    if match == "domain":
        if url.host_type != "domain":
            return mine == theirs
        name = url.hostname.removeprefix("www.")
        return theirs == name or other.hostname.removeprefix("www.").endswith(f".{name}")
    return False


@pytest.mark.parametrize("policy", ["surt", SurtPolicy(with_scheme=True), SurtPolicy(trailing_comma=True), EXACT])
def test_ranges(policy: Any) -> None:
    urls = [URL(f"http://{site}{page}") for site, page in product(SITES, PAGES)]
    index = sorted({canonicalize(url, policy) for url in urls})
    lines = [f"{key} 20261128000000 {{}}" for key in index]
    for url, match in product(urls, ("exact", "prefix", "host", "domain")):
        first, end = surt_range(url, match, policy)  # type: ignore[arg-type]
        found = index[bisect.bisect_left(index, first) : bisect.bisect_left(index, end)]
        assert [line.partition(" ")[0] for line in lines if first <= line < end] == found
        key = canonicalize(url, policy)
        if match == "exact":
            expected = [key]
        elif match == "prefix":
            prefix = key + "/" if url.pathname.endswith("/") and url.query is None and key[-1] != "/" else key
            expected = [each for each in index if each.startswith(prefix)]
        else:
            expected = sorted({canonicalize(other, policy) for other in urls if in_range(url, match, other)})
        assert found == expected, (url, match)


def test_wrong_ranges() -> None:
    with pytest.raises(ValueError, match="match must be one of exact, prefix, host, domain, not 'site'"):
        surt_range("http://h/", "site")  # type: ignore[arg-type]
    for url in ("mailto:a@b", "ftp://h/", "http://./"):
        with pytest.raises(ValueError, match="ranges are of the SURTs of http and https URLs"):
            surt_range(url, "exact", EXACT)
    with pytest.raises(InvalidURL):
        surt_range("no URL")
    with pytest.raises(ValueError, match="ranges are of the SURTs"):
        surt_range("http://h/", "host", "crawl")


# What urlcanon 0.3.1 printed, after its rules `whatwg`.
SORTED = [
    ("http://user:p@www.Example.com:8080/a//b?c#d", "com,example,www,//8080:http@user:p:/a//b?c#d"),
    ("https://1.2.3.4/", "1.2.3.4//https:/"),
    ("http://[::1]:81/x", "[::1]//81:http:/x"),
    ("mailto:a@b", "mailto:a@b"),
    ("file:///a/b", "//file:/a/b"),
    ("http://example.com./", ",com,example,//http:/"),
]


@pytest.mark.parametrize(("url", "form"), SORTED)
def test_ssurt(url: str, form: str) -> None:
    assert ssurt(url) == ssurt(URL(url)) == form


@pytest.mark.timed
@pytest.mark.long
@pytest.mark.parametrize(
    "unit",
    f"/ /.. /a/.. %25 %2541 . .. www. /(S({ASP})) a({ASP}) .aspx ? cfid= cfid=1&cftoken= cfid=1&cftoken=2& "
    f"sid= sid={HEX}& & a&".split(),
)
def test_linear(unit: str) -> None:
    for start in ("http://h/", "http://h/?", "http://h/(", "urn:"):
        check(fill(unit, start), lambda url: canonicalize(url, EXACT))
