"""weburl.display: URLs and hosts for people."""

from __future__ import annotations

import subprocess
import sys
import time
import unicodedata
from ipaddress import IPv6Address
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.idn_labels import is_right_to_left

from weburl import URL, InvalidURL
from weburl._hosts.rendering import decode_visible
from weburl.display import display_host, display_url, spoofing_risks
from weburl.hosts import domain_to_ascii, parse_host, registrable_domain
from weburl.percent import percent_decode, percent_encode

LRI, PDI = "\u2066", "\u2069"


def encoded(text: str) -> str:
    return quote(text, safe="")


# https://url.spec.whatwg.org/#url-rendering-simplification
@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://examplecorp.com@attacker.example/", "https://attacker.example/"),
        ("https://user:secret@example.com:8080/a?b#c", "https://example.com:8080/a?b#c"),
        ("https://:secret@example.com", "https://example.com/"),
        ("foo://user:secret@host/x", "foo://host/x"),
        ("HTTP://EXAMPLE.COM:80", "http://example.com/"),
        ("http://example.com/?", "http://example.com/?"),
        ("http://example.com/#", "http://example.com/#"),
        ("http://[2001:0DB8::1]:81/", "http://[2001:db8::1]:81/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("file:///etc/passwd", "file:///etc/passwd"),
        ("file://server/share", "file://server/share"),
        ("foo:///x", "foo:///x"),
        ("foo:/x", "foo:/x"),
        ("foo:/..//x", "foo:/.//x"),
        ("foo://h%2Fx%C3%BC/", "foo://h%2Fx%C3%BC/"),
        ("mailto:someone@example.com", "mailto:someone@example.com"),
        ("mailto:a:b@example.com", "mailto:a:b@example.com"),
        ("data:text/html,%C3%BC", "data:text/html,ü"),
        ("data:?#", "data:?#"),
        ("blob:https://example.com/id?#", "blob:https://example.com/id?#"),
        ("javascript:alert('%C3%BC')?x#y", "javascript:alert('ü')?x#y"),
        ("blob:https://user:secret@example.com/id", "blob:https://example.com/id"),
        ("blob:https:user:secret@example.com/id?q#f", "blob:https://example.com/id?q#f"),
        ("blob:BLOB:https://user:secret@example.com/id", "blob:BLOB:https://example.com/id"),
        ("blob:https://user:secret@exa mple.com/id", "blob:https://***@exa mple.com/id"),
        ("blob:mailto:someone@example.com", "blob:mailto:someone@example.com"),
        ("blob: https://user:secret@example.com/id", "blob:https://example.com/id"),
        ("blob:%68ttps://user:secret@example.com/%41#%C3%BC", "blob:%68ttps://***@example.com/%41#ü"),
        ("blob:null/https://user:secret@example.com", "blob:null/https://***@example.com"),
        ("blob:https://user:sec/ret@example.com", "blob:https://***@example.com"),
        ("blob:file:///user:secret@example.com", "blob:file:///***@example.com"),
        ("blob:blob:x:///user:secret@example.com?q", "blob:blob:x:///***@example.com?q"),
        ("blob:https://example.com/a@b//c", "blob:https://example.com/a@b//c"),
        ("view-source: https://user:secret@example.com/", "view-source:https://example.com/"),
        ("data:,see//user:secret@example.com,//a:b@c", "data:,see//***@example.com,//***@c"),
        ("view-source:https://user:secret@example.com/", "view-source:https://example.com/"),
        ("jar:foo://user:secret@host/x?q", "jar:foo://host/x?q"),
        ("filesystem:ftp:user:secret@example.com/x", "filesystem:ftp://example.com/x"),
        ("view-source:https://example.com/%C3%BC?%41", "view-source:https://example.com/ü?A"),
    ],
)
def test_simplification(url: str, expected: str) -> None:
    assert display_url(url) == display_url(URL(url)) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://user:secret@www.example.com:81/a", "www.example.com"),
        ("http://1.2.3/", "1.2.0.3"),
        ("http://[::FF]/", "[::ff]"),
        ("foo://H%20x/", "H%20x"),
        ("foo:///x", ""),
        ("mailto:someone@example.com", ""),
        ("blob:https://user:secret@example.com/id", "example.com"),
        ("blob: https://user:secret@example.com/id", "example.com"),
        ("blob:%68ttps://example.com/id", ""),
        ("javascript:https://example.com/", ""),
        ("https://xn--bcher-kva.example/", "bücher.example"),
    ],
)
def test_host(url: str, expected: str) -> None:
    assert display_host(URL(url)) == display_url(url, host_only=True) == expected
    assert display_url(URL(url), host_only=True) == expected


def test_host_of_a_host() -> None:
    assert display_host(parse_host("www.BÜCHER.example")) == "www.bücher.example"
    assert display_host(parse_host("www.bücher.example"), max_width=10, omit_trivial_subdomains=True) == "…example"
    assert display_host("www.BÜCHER.example", omit_trivial_subdomains=True) == "bücher.example"
    assert display_host(parse_host("[::1]")) == display_host(IPv6Address("::1")) == "[::1]"
    assert display_host(parse_host("", opaque=True)) == ""


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com/a", "example.com/a"),
        ("https://example.com:81/a", "example.com:81/a"),
        ("file://server/a", "server/a"),
        # Without a host, the text after the scheme could be read as one.
        ("javascript:examplecorp.com/a", "javascript:examplecorp.com/a"),
        ("file:///examplecorp.com", "file:///examplecorp.com"),
        ("foo:examplecorp.com", "foo:examplecorp.com"),
    ],
)
def test_omit_scheme(url: str, expected: str) -> None:
    assert display_url(url, omit_scheme=True) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.example.com/", "https://example.com/"),
        ("https://www.sub.example.co.uk/", "https://sub.example.co.uk/"),
        ("https://www.www.example.com/", "https://www.example.com/"),
        ("https://www.xn--bcher-kva.de/", "https://bücher.de/"),
        ("https://m.example.com/", "https://example.com/"),
        ("https://m.example.co.uk:81/a", "https://example.co.uk:81/a"),
        # One label, and the first one.
        ("https://m.m.example.com/", "https://m.example.com/"),
        ("https://m.www.example.com/", "https://www.example.com/"),
        ("https://www.m.example.com/", "https://m.example.com/"),
        ("https://en.m.example.org/", "https://en.m.example.org/"),
        ("https://m2.example.com/", "https://m2.example.com/"),
        ("https://m/", "https://m/"),
        ("https://m.com/", "https://m.com/"),
        ("https://m.co.uk/", "https://m.co.uk/"),
        ("https://www2.example.com/", "https://www2.example.com/"),
        ("https://wwwexample.com/", "https://wwwexample.com/"),
        # Registrable domains themselves.
        ("https://www.com/", "https://www.com/"),
        ("https://www.github.io/", "https://www.github.io/"),
        ("https://www.co.uk/", "https://www.co.uk/"),
        ("https://www/", "https://www/"),
        ("https://www../", "https://www../"),
        ("foo://www.example.com/", "foo://www.example.com/"),
    ],
)
def test_omit_trivial_subdomains(url: str, expected: str) -> None:
    assert display_url(url, omit_trivial_subdomains=True) == expected
    host = display_host(URL(url), omit_trivial_subdomains=True)
    assert host == display_url(url, omit_trivial_subdomains=True, host_only=True)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://user:secret@www.shop.example.co.uk:81/a", "example.co.uk"),
        ("https://example.com/", "example.com"),
        ("https://example.com./", "example.com."),
        ("https://a.b.xn--bcher-kva.de/", "bücher.de"),
        ("https://a.xn--comx-2g7a.evil.com/", "evil.com"),
        ("https://xn--comx-2g7a.com/", "xn--comx-2g7a.com"),
        ("https://examplecorp.com.evil.com/", "evil.com"),
        ("https://user.github.io/", "user.github.io"),
        ("blob:https://www.example.com/id", "example.com"),
        # Without one.
        ("https://192.0.2.1/", "192.0.2.1"),
        ("https://[::1]/", "[::1]"),
        ("https://localhost/", "localhost"),
        ("https://co.uk/", "co.uk"),
        ("foo://www.example.com/", "www.example.com"),
        ("mailto:a@example.com", ""),
    ],
)
def test_the_registrable_domain_alone(url: str, expected: str) -> None:
    parsed = URL(url)
    assert display_host(parsed, registrable_only=True) == expected
    assert display_host(parsed, registrable_only=True, omit_trivial_subdomains=True) == expected
    if parsed.host_type == "domain":
        assert display_host(parse_host(parsed.hostname), registrable_only=True) == expected


def test_the_registrable_domain_alone_in_little_room() -> None:
    url = URL("https://www.examplecorp.com/")
    assert display_host(url, max_width=15, registrable_only=True) == "examplecorp.com"
    assert display_host(url, max_width=14, registrable_only=True) == "…com"
    assert display_host(URL("https://www.אבג.com/"), registrable_only=True) == f"{LRI}אבג.com{PDI}"


EVIL = "https://user:secret@examplecorp.com.evil.com:81/path/x?y"


# https://url.spec.whatwg.org/#url-rendering-elision
@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (44, "https://examplecorp.com.evil.com:81/path/x?y"),
        (43, "https://examplecorp.com.evil.com:81/path/x…"),
        (37, "https://examplecorp.com.evil.com:81/…"),
        (36, "https://examplecorp.com.evil.com:81"),
        (35, "https://examplecorp.com.evil.com:81"),
        (34, "https://…com.evil.com:81"),
        (24, "https://…com.evil.com:81"),
        (23, "https://…evil.com:81"),
        (20, "https://…evil.com:81"),
        (19, "…com.evil.com:81"),
        (12, "…evil.com:81"),
        (11, "…evil.com"),
        (9, "…evil.com"),
        (8, "…com"),
        (4, "…com"),
        (3, "…om"),
        (2, "…m"),
        (1, "…"),
    ],
)
def test_elision(width: int, expected: str) -> None:
    assert display_url(EVIL, max_width=width) == expected


@pytest.mark.parametrize(
    ("url", "width", "expected"),
    [
        # The two examples of the standard.
        ("https://not-really-examplecorp.com/", 16, "…com"),
        ("https://not-really-examplecorp.com/", 26, "not-really-examplecorp.com"),
        ("https://examplecorp.com.evil.com/", 31, "https://…com.evil.com"),
        ("https://a.b.example.co.uk/", 16, "…b.example.co.uk"),
        ("https://a.b.example.co.uk/", 14, "…example.co.uk"),
        ("https://a.b.example.co.uk/", 13, "…co.uk"),
        ("https://a.example.com./", 15, "a.example.com."),
        ("https://a.example.com./", 13, "…example.com."),
        ("https://a.example.com./", 5, "…com."),
        ("https://a.example.com./", 3, "…m."),
        ("https://co.uk/", 4, "…uk"),
        ("http://192.168.100.200/", 12, "…168.100.200"),
        ("http://[2001:db8::1234]/", 8, "…::1234]"),
        ("blob:https://user:secret@examplecorp.com.evil.com/id", 39, "blob:https://examplecorp.com.evil.com/…"),
        ("blob:https://user:secret@examplecorp.com.evil.com/id", 30, "blob:https://…com.evil.com"),
        # Neither the page of examplecorp.com nor that of its owner.
        ("javascript://examplecorp.com/%0Aalert(1)", 30, "javascript://examplecorp.com/…"),
        ("javascript://examplecorp.com/%0Aalert(1)", 27, "javascript://…com"),
        ("javascript://examplecorp.com/%0Aalert(1)", 15, "javascript://…m"),
        ("javascript://examplecorp.com/%0Aalert(1)", 14, "javascript://…"),
        ("javascript://examplecorp.com/%0Aalert(1)", 5, "java…"),
        ("foo://a.example.com:81/x", 21, "foo://a.example.com"),
        ("foo://a.example.com:81/x", 18, "foo://…example.com"),
        ("https://example.com/", 19, "https://example.com"),
        ("https://example.com/", 20, "https://example.com/"),
        ("https://example.com/a%E2%80%8Bb", 23, "https://example.com/a…"),
        ("https://example.com/a%E2%80%8Bb", 26, "https://example.com/a%E2…"),
        ("https://example.com/äöü", 23, "https://example.com/äöü"),
        ("https://example.com/äöü", 22, "https://example.com/ä…"),
        ("https://example.com/" + "%F0%9F%98%80" * 100, 60, "https://example.com/" + "😀" * 39 + "…"),
        ("mailto:someone@example.com", 10, "mailto:so…"),
        ("data:,", 3, "da…"),
        ("file:///etc/passwd", 12, "file:///etc…"),
    ],
)
def test_more_elision(url: str, width: int, expected: str) -> None:
    assert display_url(url, max_width=width) == expected


def test_elided_host() -> None:
    assert display_host(URL(EVIL), max_width=24) == "examplecorp.com.evil.com"
    assert display_host(URL(EVIL), max_width=23) == display_host(URL(EVIL), max_width=13) == "…com.evil.com"
    assert display_host(URL(EVIL), max_width=12) == display_host(URL(EVIL), max_width=9) == "…evil.com"
    assert display_host(URL(EVIL), max_width=8) == "…com"


def test_without_the_list() -> None:
    code = f"""
import sys
sys.modules["publicsuffixlist"] = None
from weburl import URL
from weburl.display import display_host, display_url, spoofing_risks
assert display_url({EVIL!r}) == "https://examplecorp.com.evil.com:81/path/x?y"
assert display_url({EVIL!r}, max_width=35) == "https://examplecorp.com.evil.com:81"
assert display_url({EVIL!r}, max_width=34) == "examplecorp.com.evil.com:81"
assert display_url({EVIL!r}, max_width=26) == "examplecorp.com.evil.com"
assert display_url({EVIL!r}, max_width=23) == "…com.evil.com"
assert display_url({EVIL!r}, max_width=10) == "…evil.com"
assert display_url("https://www.example.com/", omit_trivial_subdomains=True) == "https://www.example.com/"
assert [risk.kind for risk in spoofing_risks("аррӏе.com")] == ["ascii-lookalike"]
try:
    display_host(URL("https://www.example.com/"), registrable_only=True)
except ImportError as error:
    assert "weburl[psl]" in str(error)
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-X", "utf8", "-c", code], check=True)


@pytest.mark.parametrize("width", [0, -1])
def test_too_narrow(width: int) -> None:
    for function in (display_url, display_host):
        with pytest.raises(ValueError, match="at least 1"):
            function(URL("https://example.com/"), max_width=width)


@pytest.mark.parametrize("width", [1.5, "10", True])
def test_wrong_width(width: object) -> None:
    for function in (display_url, display_host):
        with pytest.raises(TypeError, match="max_width"):
            function(URL("https://example.com/"), max_width=width)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [None, b"https://example.com/", 1])
def test_wrong_type(value: object) -> None:
    for function in (display_url, display_host, spoofing_risks):
        with pytest.raises(TypeError):
            function(value)  # type: ignore[arg-type]


def test_no_url() -> None:
    with pytest.raises(InvalidURL, match=r"This is a host, not a URL: use display_host\(\)\.$"):
        display_url("example.com")
    with pytest.raises(InvalidURL, match=r"This is a URL, not a host: use display_url\(url, host_only=True\)\.$"):
        display_host("https://example.com")
    with pytest.raises(InvalidURL):
        spoofing_risks("a b")


# https://url.spec.whatwg.org/#url-rendering-i18n
@pytest.mark.parametrize(
    "text",
    [
        "ü", "über/größe", "日本語", "Ελληνικά", "हिन्दी", "ไทย", "한국어", "е\u0301",
        "a\u0301\u0323\u0307\u0308", "😀", "½", "€", "«»", "ABCxyz019", "-._~", "!$'()*,", "·", "ノ",
        "丿", "रामः", "٠", "、", "“”",
    ],
)  # fmt: skip
def test_decoded(text: str) -> None:
    for place in ("/", "?q=", "#", "/x/"):
        for before in ("https://example.com/", "data:", "foo:/p"):
            url = before + place + encoded(text).replace("%2F", "/")
            assert display_url(url, isolate=False) == before + place + text


UNSAFE = {
    "controls": "\x00\x01\x1b\t\n\r\x7f\x80\x85\x9f",
    "whitespace": " \xa0\u1680\u2000\u2003\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
    "fillers": "\u034f\u115f\u1160\u17b4\u180b\u2800\u3164\ufe0f\uffa0\ufffc\U0001d159\U000e0100\U00016fe4",
    "invisible": "\xad\u061c\u180e\u200b\u200c\u200d\u2060\u2064\u206a\ufeff\ufff9\U0001d173\U000e0001\U000e0041",
    "bidi": "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
    "delimiters": "%/?#\\@:;&=+[]<>\"{}|^`",
    "look-alikes": "\u2044\u2215\uff0f\uff1a\uff03\uff1f\u2024\uff0e\u3002\uff61\uff05\uff20\uff3c\uff1b",
    "more look-alikes": "\u0589\u05c3\u2047\u2048\u2100\u2105\u2488\u2026\u0338\u066a\u2216\u29f5\u037e",
    "yet more look-alikes": "\u2571\u29f8\u27cb\u2236\ua789\u2a74",
    "locks": "\U0001f512\U0001f513\U0001f50f\U0001f510\U0001f511\U0001f6e1",
    "unassigned": "\u0378\ufdd0\ufffe\uffff\U0001ffff\U000e0000\U0010ffff",
    "private use": "\ue000\uf8ff\U000f0000\U0010fffd",
    "replacement": "\ufffd",
}  # fmt: skip


@pytest.mark.parametrize("kind", UNSAFE)
def test_left_alone(kind: str) -> None:
    for character in UNSAFE[kind]:
        for text in (encoded(character), "x" + encoded(character) + "y", "/" + encoded("é" + character + "é")):
            for place in ("/", "?", "#"):
                shown = display_url(f"https://example.com/{place}{text}", isolate=False)
                assert character not in shown[len("https://example.com//") :] or character.isascii()
                assert encoded(character) in shown


@pytest.mark.parametrize(
    "text",
    [
        "%FF", "%C3", "%ED%A0%80", "%ED%B0%80", "%F4%90%80%80", "%C0%AF", "%E0%80%AF", "%F8%88%80%80%80",
        "%EF%BB%BF", "%80%80", "%E2%82", "%F0%9F%92", "%c3", "%ff%Fe", "%", "%%", "%4", "%zz", "100%", "%2525",
        "%252F", "%C1%81",
    ],
)  # fmt: skip
def test_not_decoded(text: str) -> None:
    for place in ("/", "?", "#"):
        assert display_url(f"https://example.com/{place}{text}") == f"https://example.com/{place}{text}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%C3%BC%FF%C3%BC", "ü%FFü"),
        ("%E2%82%AC%E2%82", "€%E2%82"),
        ("%c3%bc%e2%80%8b", "ü%e2%80%8b"),
        ("%41%2f%42", "A%2fB"),
        ("%25%34%31", "%2541"),
        ("%%34%31", "%%341"),
        ("%4%31", "%4%31"),
        ("%%67", "%g"),
        ("%2%C3%BC", "%2ü"),
        ("x%%34%31", "x%%341"),
        ("%252525%34", "%2525254"),
        ("%CC%81", "%CC%81"),
        ("a/%CC%81", "a/%CC%81"),
        ("a%CC%81", "a\u0301"),
        ("-%CC%81", "-%CC%81"),
        ("%2F%CC%81", "%2F%CC%81"),
        ("%E2%80%8B%CC%81", "%E2%80%8B%CC%81"),
        ("%2D%CC%81", "-%CC%81"),
        ("a" + "%CC%81" * 5 + "%C3%BC%CC%81", "a" + "\u0301" * 4 + "%CC%81ü\u0301"),
        ("%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9", "👨%E2%80%8D👩"),
    ],
)
def test_partly_decoded(text: str, expected: str) -> None:
    for place in ("/", "?", "#", "/b/?c="):
        assert display_url(f"https://example.com/{place}{text}") == f"https://example.com/{place}{expected}"


@pytest.mark.parametrize(
    ("host", "in_ascii"),
    [
        ("bücher.example", []),
        ("faß.example", []),
        ("日本語.jp", []),
        ("क्षष.example", []),
        ("क्\u200cष.example", [0]),
        ("pаypal.bücher.example", [0]),
        ("ノート.example", []),
        # Look-alikes of delimiters, and locks, are valid in a domain.
        ("bücher.com\u2044login.evil.example", [1]),
        ("bücher.com\u2215bücher.\u2236.example", [1, 2]),
        ("\U0001f512bank.bücher", [0]),
        ("a.com\u30ceaccount.evil.example", [1]),
        ("com\u0338x.example", [0]),
        ("bücher.com\ua789443.evil.example", [1]),
        ("\u2800.example", [0]),
    ],
)
def test_shown_host(host: str, in_ascii: list[int]) -> None:
    labels = host.split(".")
    for index in in_ascii:
        labels[index] = domain_to_ascii(labels[index])
        assert labels[index].startswith("xn--")
    assert display_host(host) == ".".join(labels)
    assert display_host(domain_to_ascii(host)) == ".".join(labels)


def test_shown_host_that_has_no_unicode() -> None:
    assert display_host("xn--a.xn--bcher-kva.example") == "xn--a.xn--bcher-kva.example"


@pytest.mark.parametrize(
    ("url", "isolated"),
    [
        ("https://example.com/", False),
        ("https://bücher.example/日本", False),
        ("https://אבג.example/", True),
        ("https://example.com/%D8%A5", True),
        ("https://example.com/%D9%A1", True),
        ("https://example.com/%E2%80%8F", False),
        ("data:,%D7%90", True),
        # Adlam is not for identifiers, so it stays in ASCII.
        ("https://\U0001e922\U0001e923.example/", False),
    ],
)
def test_isolation(url: str, isolated: bool) -> None:
    plain = display_url(url, isolate=False)
    assert not {LRI, PDI} & set(plain)
    assert display_url(url, isolate=True) == LRI + plain + PDI
    assert display_url(url) == (LRI + plain + PDI if isolated else plain)


def test_isolation_of_nothing() -> None:
    assert display_host(URL("data:,x"), isolate=True) == ""


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (21, LRI + "https://אב.example/" + PDI),
        (20, LRI + "https://אב.example" + PDI),
        (19, LRI + "אב.example" + PDI),
        (12, LRI + "אב.example" + PDI),
        # Without the right-to-left characters, there is no need.
        (11, "…example"),
        (8, "…example"),
        (5, "…mple"),
        (2, "…e"),
    ],
)
def test_isolation_in_width(width: int, expected: str) -> None:
    assert display_url("https://אב.example/", max_width=width) == expected


@pytest.mark.parametrize(
    ("width", "expected"), [(1, "…"), (2, "…"), (3, LRI + "…" + PDI), (4, LRI + "…m" + PDI), (6, LRI + "…com" + PDI)]
)
def test_isolation_in_hardly_any_width(width: int, expected: str) -> None:
    assert display_url("https://example.com/", max_width=width, isolate=True) == expected
    assert display_url("https://example.אב/", max_width=2) == "…"


SECRETS = ("s3cr3t", "u5er")
HOSTS = (
    "example.com", "www.examplecorp.com.evil.com", "a.b.co.uk", "co.uk", "bücher.example", "אבג.אב", "مثال.إختبار",
    "127.0.0.1", "[::1]", "a.b.c.d.example.org.", "paypal.com\u2044x.evil.com", "🔒.com", "аррӏе.com", "www.www", "..",
)  # fmt: skip
BYTES = st.integers(0, 255).map(lambda byte: f"%{byte:02X}")
CHARACTERS = st.characters(exclude_categories=["Cs"]).map(encoded)
PIECES = st.one_of(
    BYTES,
    CHARACTERS,
    st.sampled_from([encoded(c) for text in UNSAFE.values() for c in text]),
    st.sampled_from(list("/?#&=%@:.aF4-")),
)
RESTS = st.lists(PIECES, max_size=20).map("".join)
URLS = st.builds(
    lambda scheme, credentials, host, port, rest: f"{scheme}//{credentials}{host}{port}/{rest}",
    st.sampled_from(["https:", "http:", "ws:", "ftp:", "blob:https:", "blob:blob:http:", "view-source:https:"]),
    st.sampled_from(["", "u5er@", "u5er:s3cr3t@", ":s3cr3t@", "example.com:s3cr3t@"]),
    st.sampled_from(HOSTS),
    st.sampled_from(["", ":8443"]),
    RESTS,
)


def content_of(shown: str) -> str:
    """The text without its isolates, which are first and last or nowhere."""
    return shown[1:-1] if shown[:1] == LRI and shown[-1:] == PDI else shown


def is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn")


@given(URLS, st.none() | st.integers(1, 80), st.booleans(), st.booleans(), st.sampled_from([None, True, False]))
def test_properties(url: str, width: int | None, scheme: bool, www: bool, isolate: bool | None) -> None:
    for host_only in (False, True):
        shown = display_url(
            url, max_width=width, omit_scheme=scheme, omit_trivial_subdomains=www, host_only=host_only, isolate=isolate
        )
        assert not any(secret in shown for secret in SECRETS)
        assert width is None or len(shown) <= width
        assert not any(map(is_control, content_of(shown)))
        if isolate is None:
            assert (shown[:1] == LRI) == is_right_to_left(shown)
    assert display_host(URL(url), max_width=width, omit_trivial_subdomains=www, isolate=isolate) == shown


@given(st.sampled_from(HOSTS), st.integers(1, 80), RESTS)
def test_the_registrable_domain_is_kept(host: str, width: int, rest: str) -> None:
    url = URL(f"https://u5er:s3cr3t@{host}/{rest}")
    registrable = registrable_domain(url)
    whole = display_host(url, isolate=False)
    shown = display_host(url, max_width=width, isolate=False)
    kept = ".".join(whole.split(".")[-registrable.count(".") - 1 :]) if registrable else whole
    if len(whole) <= width:
        assert shown == whole
    elif len(kept) < width:
        assert shown[0] == "…"
        assert whole.endswith("." + shown[1:])
        assert shown.endswith(kept)
    else:
        assert shown[0] == "…"
        assert whole.endswith(shown[1:])
    in_url = display_url(url, max_width=width, isolate=False)
    assert shown in in_url or in_url.endswith(kept) or len(kept) >= width
    if "…" in in_url and whole not in in_url:
        assert in_url.startswith(("https://…", "…"))
        assert whole.endswith(in_url.rpartition("…")[2])


@given(RESTS)
def test_decoding_changes_no_byte(rest: str) -> None:
    url = URL(f"https://example.com/{rest}")
    assert percent_decode(display_url(url, isolate=False)) == percent_decode(url.href)


@given(URLS, st.integers(1, 200))
def test_width_only_cuts(url: str, width: int) -> None:
    whole = display_url(url, isolate=False)
    shown = display_url(url, max_width=width, isolate=False)
    if len(whole) <= width:
        assert shown == whole
    elif shown[-1] == "…" and shown != "…":
        assert whole.startswith(shown[:-1])


def test_every_character_alone() -> None:
    """Controls, spaces and characters unknown to the interpreter are not shown; nearly all others are."""
    characters = [chr(code) for code in (*range(0x80, 0xD800), *range(0xE000, 0x20000), *range(0xE0000, 0xE1000))]
    shown = {c for c in characters if decode_visible("x" + percent_encode(c, "component")) == "x" + c}
    assert {unicodedata.category(c)[0] for c in shown} == set("LMNPS")
    hidden = {c for c in characters if unicodedata.category(c)[0] in "LMNPS"} - shown
    assert {c for c in hidden if unicodedata.category(c)[0] == "L"} == set("\u115f\u1160\u3164\uffa0")
    assert {c for c in hidden if unicodedata.category(c) == "Nd"} == set()
    assert 400 < len(hidden) < 600


LONG = 2**20


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/" + "%C3%BC" * (LONG // 6),
        "https://example.com/" + "%E2%80%8B" * (LONG // 9),
        "https://example.com/a" + "%CC%81" * (LONG // 6),
        "https://example.com/" + "%25" * (LONG // 3),
        "https://example.com/" + "%" * LONG,
        "https://example.com/" + "%4" * (LONG // 2),
        "https://example.com/?" + "%FF" * (LONG // 3),
        "https://example.com/#" + "%D7%90" * (LONG // 6),
        "https://" + "a." * (LONG // 2) + "com/",
        "https://" + "a" * LONG + "/",
        "https://" + "." * LONG + "/",
        "https://u" + "@" * LONG + "h/",
        "blob:" * (LONG // 5),
        "blob:" * (LONG // 5) + "https://u5er:s3cr3t@example.com/",
        "x:" + "ftp:" * (LONG // 4) + "u5er:s3cr3t@",
        "x:" + "a:" * (LONG // 2) + "//u5er:s3cr3t@h/",
        "data:" + "a" * LONG,
        "data:," + "//a:b" * (LONG // 5),
        "data:@" + "//a:b" * (LONG // 5),
        "data:" + "http:" * (LONG // 5) + "@",
        "data:," + "//" * (LONG // 2) + "@",
        "x:" + " a:" * (LONG // 3),
        "x:a:" + " " * LONG + "b",
    ],
    ids=lambda url: url[:24],
)
def test_long_urls(url: str) -> None:
    shown = [
        display_url(url),
        display_url(url, max_width=80),
        display_url(url, max_width=1),
        display_host(URL(url), max_width=40),
    ]
    assert len(shown[1]) <= 80
    assert not any(secret in text for text in shown for secret in SECRETS)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "label",
    ["ı", *(pytest.param(label, marks=pytest.mark.long) for label in ("é.", "а.", "\u2044.", "ا.", "c\u0301."))],
)
def test_long_hosts(label: str) -> None:
    """What this costs is counted in support/shapes.py."""
    host = parse_host(label * 50_000 + "x.com")
    assert len(display_host(host, max_width=40)) <= 40
    spoofing_risks(host)


@pytest.mark.timed
def test_a_narrow_view_of_a_long_url_is_cheap() -> None:
    url = URL("https://example.com/" + "%C3%BC" * LONG)
    start = time.thread_time()
    assert display_url(url, max_width=40) == "https://example.com/" + "ü" * 19 + "…"
    narrow = time.thread_time() - start
    start = time.thread_time()
    display_url(url)
    assert narrow < (time.thread_time() - start) / 4


def test_import_of_the_package_alone() -> None:
    code = "import sys, weburl; assert not {'weburl.display', 'weburl._unicode.confusables'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
