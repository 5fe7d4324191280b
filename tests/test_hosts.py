"""weburl.hosts: the host parser, domains to ASCII and to Unicode, valid hosts."""

from __future__ import annotations

import ipaddress
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from weburl import URL, InvalidURL
from weburl.hosts import Host, domain_to_ascii, domain_to_unicode, is_valid_domain, is_valid_host, parse_host

FAILS = None


# https://url.spec.whatwg.org/#host-representation
@pytest.mark.parametrize(
    ("text", "expected", "opaque"),
    [
        ("EXAMPLE.COM", ("example.com", "domain"), ("EXAMPLE.COM", "opaque")),
        ("example%2Ecom", ("example.com", "domain"), ("example%2Ecom", "opaque")),
        ("faß.example", ("xn--fa-hia.example", "domain"), ("fa%C3%9F.example", "opaque")),
        ("0", ("0.0.0.0", "ipv4"), ("0", "opaque")),
        ("%30", ("0.0.0.0", "ipv4"), ("%30", "opaque")),
        ("0x", ("0.0.0.0", "ipv4"), ("0x", "opaque")),
        ("0xffffffff", ("255.255.255.255", "ipv4"), ("0xffffffff", "opaque")),
        ("[0:0::1]", ("[::1]", "ipv6"), ("[::1]", "ipv6")),
        ("[0:0::1%5D", FAILS, FAILS),
        ("[0:0::%31]", FAILS, FAILS),
        ("09", FAILS, ("09", "opaque")),
        ("example.255", FAILS, ("example.255", "opaque")),
        ("example^example", FAILS, FAILS),
        ("a\tb", FAILS, FAILS),
        ("a\x01\x7f", FAILS, ("a%01%7F", "opaque")),
        ("h:80", FAILS, FAILS),
        ("h/", FAILS, FAILS),
        ("u@h", FAILS, FAILS),
        ("", FAILS, ("", "empty")),
        ("xn--a", ("xn--a", "domain"), ("xn--a", "opaque")),
        ("localhost", ("localhost", "domain"), ("localhost", "opaque")),
    ],
)
def test_parse_host(text: str, expected: tuple[str, str] | None, opaque: tuple[str, str] | None) -> None:
    for is_opaque, wanted in ((False, expected), (True, opaque)):
        if wanted is FAILS:
            with pytest.raises(InvalidURL) as raised:
                parse_host(text, opaque=is_opaque)
            assert raised.value.input == text
        else:
            host = parse_host(text, opaque=is_opaque)
            assert (str(host), host.host_type) == wanted
            assert type(host) is Host


@pytest.mark.parametrize(
    ("text", "opaque", "error"),
    [
        ("a b", False, "domain-to-ASCII"), ("a b", True, "host-invalid-code-point"), ("[::1", False, "IPv6-unclosed"),
        ("[::1", True, "IPv6-unclosed"),
        ("[1]", False, "IPv6-too-few-pieces"), ("1.2.3.4.5", False, "IPv4-too-many-parts"),
        ("1.2.3.256", False, "IPv4-out-of-range-part"),
        ("a.1", False, "IPv4-non-numeric-part"), ("é\u200c", False, "domain-to-ASCII"), ("%", False, "domain-to-ASCII"),
    ],
)  # fmt: skip
def test_errors(text: str, opaque: bool, error: str) -> None:
    with pytest.raises(InvalidURL) as raised:
        parse_host(text, opaque=opaque)
    assert (raised.value.input, raised.value.error) == (text, error)


def test_host() -> None:
    host = parse_host("1.2.3")
    assert host.ip_address == ipaddress.IPv4Address("1.2.0.3")
    assert parse_host("[::FF]").ip_address == ipaddress.IPv6Address("::ff")
    assert parse_host("h").ip_address is None
    assert parse_host("1.2.3.4", opaque=True).ip_address is None
    with pytest.raises(AttributeError):
        host.host_type = "domain"  # type: ignore[misc]
    assert host == parse_host("0x1.2.3")
    assert host != parse_host("1.2.3", opaque=True)
    assert host != parse_host("1.2.3.4")


def test_is_what_a_url_has() -> None:
    for text in ("EXAMPLE.com", "é", "1.2", "[::1]"):
        url, host = URL(f"http://{text}/"), parse_host(text)
        assert (url.hostname, url.host_type, url.ip_address) == (str(host), host.host_type, host.ip_address)


@pytest.mark.parametrize(
    ("domain", "expected", "strict"),
    [
        ("EXAMPLE.com", "example.com", "example.com"),
        ("bücher.example", "xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("faß.example", "xn--fa-hia.example", "xn--fa-hia.example"),
        ("☕.example", "xn--53h.example", "xn--53h.example"),
        ("example.com.", "example.com.", FAILS),
        ("a..b", "a..b", FAILS),
        ("a_b", "a_b", FAILS),
        ("-a", "-a", FAILS),
        ("a-", "a-", FAILS),
        ("aa--b", "aa--b", FAILS),
        ("xn--a", "xn--a", FAILS),
        ("xn--8i7caa", "xn--8i7caa", FAILS),
        ("a" * 63, "a" * 63, "a" * 63),
        ("a" * 64, "a" * 64, FAILS),
        ("é" + "a" * 64, "xn--" + "a" * 64 + "-9tf", FAILS),
        (".".join(["a" * 49] * 5 + ["abc"]), ".".join(["a" * 49] * 5 + ["abc"]), ".".join(["a" * 49] * 5 + ["abc"])),
        (".".join(["a" * 49] * 5 + ["abcd"]), ".".join(["a" * 49] * 5 + ["abcd"]), FAILS),
        ("a b", FAILS, FAILS),
        ("a%41", FAILS, FAILS),
        ("é%", FAILS, FAILS),
        ("", FAILS, FAILS),
        ("\u00ad", FAILS, FAILS),
        ("a\u200cb", FAILS, FAILS),
        ("xn--a.é", FAILS, FAILS),
        ("é_", "xn--_-9fa", FAILS),
        ("-é", "xn----bga", FAILS),
    ],
)
def test_domain_to_ascii(domain: str, expected: str | None, strict: str | None) -> None:
    for be_strict, wanted in ((False, expected), (True, strict)):
        if wanted is FAILS:
            with pytest.raises(InvalidURL):
                domain_to_ascii(domain, strict=be_strict)
        else:
            assert domain_to_ascii(domain, strict=be_strict) == wanted


def test_an_error_names_domain_to_ascii() -> None:
    with pytest.raises(InvalidURL) as raised:
        domain_to_ascii("a\u200cb")
    assert (raised.value.input, raised.value.error) == ("a\u200cb", "domain-to-ASCII")


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        ("example.com", "example.com"), ("xn--fa-hia.example", "faß.example"), ("xn--53h.example", "☕.example"),
        ("xn--9ca.xn--9ca", "é.é"),
        ("xn--8i7caa", "xn--8i7caa"), ("xn--a", "xn--a"), ("xn--", "xn--"), ("xn--9ca.xn--a", "xn--9ca.xn--a"),
        ("a..b", "a..b"), ("xn--wgv71a119e.jp", "日本語.jp"),
        ("xn--9ca.", "é."), ("a_b", "a_b"),
    ],
)  # fmt: skip
def test_domain_to_unicode(domain: str, expected: str) -> None:
    assert domain_to_unicode(domain) == expected
    assert domain_to_ascii(expected) == domain


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        ("example.com", True), ("EXAMPLE.com", True), ("é.com", True), ("xn--9ca", True), ("localhost", True),
        ("a-b.c1", True), ("1a", True),
        ("example.com.", False), ("", False), ("a_b", False), ("-a", False), ("a.", False), ("1.2.3.4", False),
        ("a.1", False), ("a.0x", False),
        ("xn--a", False), ("a" * 64, False), ("a b", False), ("[::1]", False), ("a%41", False), ("a\u200cb", False),
        ("a:80", False), ("１", False),
    ],
)  # fmt: skip
def test_is_valid_domain(domain: str, expected: bool) -> None:
    assert is_valid_domain(domain) is expected


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("example.com", True), ("é.com", True), ("", False), ("a b", False), ("ex%61mple", False),
        ("example.com.", False), ("h:80", False),
        ("1.2.3.4", True), ("255.255.255.255", True), ("0.0.0.0", True), ("1.2.3", False), ("01.2.3.4", False),
        ("1.2.3.256", False), ("1.2.3.4.", False),
        ("0x1.2.3.4", False), ("1.2.3.4.5", False), ("1.2.3.+4", False), ("1.2.3.٣", False),
        ("[::]", True), ("[::1]", True), ("[1::]", True), ("[::FFFF]", True), ("[1:2:3:4:5:6:7:8]", True),
        ("[1:2:3:4:5:6:7::]", True), ("[::2:3:4:5:6:7:8]", True),
        ("[::1.2.3.4]", True), ("[1:2:3:4:5:6:1.2.3.4]", True), ("[1::1.2.3.4]", True), ("[1:2:3:4:5::1.2.3.4]", True),
        ("[::01]", False), ("[00::]", False), ("[1:2:3:4::5:6:7:8]", False), ("[1:2:3]", False), ("[1.2.3.4]", False),
        ("[1:2:3:4:5:6::1.2.3.4]", False),
        ("[::1.2.3.04]", False), ("[::1::]", False), ("[:::]", False), ("[::g]", False), ("[::1", False),
        ("::1", False), ("[]", False), ("[1:2:3:4:5:6:7:]", False),
        ("[::12345]", False), ("[::1%eth0]", False), ("[:1]", False), ("[1:2:3:4:5:6:7:8:9]", False),
        ("[1.2.3.4::]", False),
    ],
)  # fmt: skip
def test_is_valid_host(host: str, expected: bool) -> None:
    assert is_valid_host(host) is expected
    if expected:
        assert parse_host(host)


def test_no_length_limit() -> None:
    label = "é" * 3000
    ascii_label = domain_to_ascii(label)
    assert URL(f"http://{label}/").hostname == ascii_label
    assert domain_to_unicode(ascii_label) == label
    assert len(domain_to_ascii(".".join(["é"] * 3000)).split(".")) == 3000


@pytest.mark.parametrize("value", [None, b"h", 5], ids=repr)
@pytest.mark.parametrize("call", [parse_host, domain_to_ascii, domain_to_unicode, is_valid_domain, is_valid_host])
def test_type_errors(call: Callable[[Any], object], value: object) -> None:
    with pytest.raises(TypeError, match="str"):
        call(value)


def test_ascii_needs_no_idna() -> None:
    program = """
import sys
import weburl
assert "idna" not in sys.modules
from weburl import URL, hosts, normalize
URL("http://EXAMPLE.com/é?é#é"); URL("http://xn--9ca/"); URL("http://%41.1a/"); URL("x://é/"); URL("http://[::1]/"); URL("http://1.2/")
URL.parse("http://a b/"); URL.can_parse("http://%/"); normalize("http://a..b/"); hosts.parse_host("h")
url = URL("http://h/"); url.host = "EXAMPLE.com"; url.hostname = "x--y"
assert "idna" not in sys.modules
assert URL("http://é/").hostname == "xn--9ca"
assert "idna" in sys.modules
"""
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)
