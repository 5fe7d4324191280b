"""is_private_host and host_matches, and the same for URLs."""

from __future__ import annotations

import ipaddress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl import URL, InvalidURL
from weburl.hosts import host_matches, is_private_host, is_private_url, parse_host, url_host_matches

PRIVATE = """
http://127.0.0.1/ http://127.1/ http://0x7f.1/ http://2130706433/ http://017700000001/ http://①②⑦.0.0.1/
http://127。0。0。1/ http://%31%32%37.0.0.1/ http://127.0.0.1./ http://1２7.0.0.1:8080/ http://user@127.0.0.1/
http://127.0.0.1\\@good.example/ http://0/ http://0.0.0.0/ http://10.1.2.3/ http://172.16.0.1/ http://172.31.255.255/
http://192.168.1.1/ http://169.254.169.254/ http://0xa9fea9fe/ http://100.64.0.1/ http://198.18.0.1/ http://192.0.2.1/
http://198.51.100.7/ http://203.0.113.7/ http://224.0.0.1/ http://255.255.255.255/ http://[::]/ http://[::1]/
http://[0:0:0:0:0:0:0:1]/ http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://[::127.0.0.1]/ http://[fe80::1]/
http://[fc00::1]/ http://[fd12:3456::1]/ http://[fec0::1]/ http://[ff02::1]/ http://[64:ff9b::10.0.0.1]/
http://[64:ff9b:1::1]/ http://[2001:db8::1]/ http://[2002:7f00:1::]/ http://[2001::1]/ http://[100::1]/
http://localhost../ http://../ http://a..example.com/ http://.example.com/ http://localhost.localdomain/ http://shop.test/
http://localhost4.LOCALDOMAIN4./ http://localhost6.localdomain6/ foo://localhost../
http://localhost/ http://LOCALHOST./ http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/ http://a.localhost/ http://printer.local/ http://x.internal/
http://nas.home.arpa/ http://db/ http://db./ http://metadata.google.internal/ http://router.lan/ http://./
file:///etc/passwd file://localhost/x data:,x mailto:a@example.com about:blank blob:http://example.com/x
foo://127.0.0.1/ foo://%31%32%37.0.0.1/ foo://LocalHost/ foo:///x foo://a%20b/ ws://10.0.0.1/
http://expyuzz4wqqyqhjn.onion/ http://x.ONION./ http://a.invalid/ http://shop.example/ http://b.alt/ http://ex%61mple/
http://a.b.c.example/ http://notlocal.example/ http://localdomain.example/ http://home.arpa/ http://x.service.arpa/
http://resolver.arpa/ http://ipv4only.arpa/ http://1.0.0.10.in-addr.arpa/ http://1.0.31.172.in-addr.arpa/
http://b.e.f.ip6.arpa/ http://6tisch.arpa/ http://eap.arpa/ http://x.eap-noob.arpa/ foo://x.onion/
""".split()

PUBLIC = """
http://example.com/ http://8.8.8.8/ http://172.15.0.1/ http://172.32.0.1/ http://100.128.0.1/ http://11.0.0.1/
http://[2606:2800:220:1:248:1893:25c8:1946]/ http://[::ffff:8.8.8.8]/ http://[64:ff9b::8.8.8.8]/ https://a.b.co.uk./
http://localhost.example.com/ http://notlocal.example.org/ http://mylocalhost.com/ http://127.0.0.1.example.com/
http://xlocal.de/ foo://example.com/ foo://8.8.8.8/ file://example.com/x http://例え.jp/ http://home.arpa.com/
http://good.example.net\\@127.0.0.1/ http://test.example.com/ http://localdomain.example.net/ http://example.net/
http://example.org/ http://www.example.org./ http://onion.example.com/ http://notonion.com/ http://myexample.de/
http://onion.com/ http://alt.org/ http://invalid.net/ http://xalt.de/ http://b.in-addr-servers.arpa/
http://32.172.in-addr.arpa/ http://15.172.in-addr.arpa/
""".split()


@pytest.mark.parametrize("url", PRIVATE)
def test_private(url: str) -> None:
    assert is_private_url(url)
    assert is_private_url(URL(url))
    assert is_private_host(URL(url))


@pytest.mark.parametrize("url", PUBLIC)
def test_public(url: str) -> None:
    assert not is_private_url(url)
    assert not is_private_url(URL(url))
    host = URL(url).host_value
    assert host is not None
    assert not is_private_host(URL(url))
    assert not is_private_host(host)
    assert not is_private_host(str(host))


def test_a_host() -> None:
    assert is_private_host(parse_host("0x7f.1"))
    assert is_private_host(parse_host("[::1]"))
    assert not is_private_host(parse_host("example.com"))
    assert is_private_host(parse_host("", opaque=True))
    assert is_private_host("localhost")
    assert is_private_host("0x7f.1")
    assert not is_private_host("example.com")
    assert is_private_host(ipaddress.ip_address("::ffff:10.0.0.1"))
    assert not is_private_host(ipaddress.ip_address("8.8.8.8"))
    # As in an http URL.
    assert not is_private_host(parse_host("EXAMPLE.com", opaque=True))
    assert is_private_host(parse_host("a b".replace(" ", "%20"), opaque=True))


@given(st.ip_addresses(v=4) | st.ip_addresses(v=6))
def test_no_more_public_than_the_standard_library(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    mapped = getattr(address, "ipv4_mapped", None)
    host = str(address) if address.version == 4 else f"[{address}]"
    if mapped is not None:
        assert is_private_host(host) == is_private_host(mapped)
    elif not address.is_global or address.is_multicast:
        assert is_private_host(host)


def test_edges_of_the_networks() -> None:
    random = Random(1)
    for text in "10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16".split():
        network = ipaddress.IPv4Network(text)
        first, last = int(network[0]), int(network[-1])
        for number in (first, last, random.randint(first, last)):
            assert is_private_host(str(number))
        for number in (first - 1, last + 1):
            assert not is_private_host(ipaddress.IPv4Address(number))


MATCHES = [
    ("http://example.com/", ["example.com"], True),
    ("http://sub.example.com/", ["example.com"], True),
    ("http://a.b.example.com:81/", ["x.org", "example.com"], True),
    ("http://notexample.com/", ["example.com"], False),
    ("http://example.com.evil.org/", ["example.com"], False),
    ("http://example.com/", ["sub.example.com"], False),
    ("http://EXAMPLE.com./", ["Example.COM"], True),
    ("http://sub.example.com/", ["example.com."], True),
    ("http://ｅｘａｍｐｌｅ。com/", ["example.com"], True),
    ("http://bücher.example/", ["xn--bcher-kva.example"], True),
    ("http://xn--bcher-kva.example/", ["BÜCHER.example"], True),
    ("http://a%2eexample.com/", ["example.com"], True),
    ("http://evil.example\\@good.example/", ["good.example"], False),
    ("http://good.example@evil.example/", ["good.example"], False),
    ("http://example.com/", ["*.example.com"], False),
    ("http://a.example.com/", ["*.example.com"], True),
    ("http://b.a.example.com./", ["*.example.com"], True),
    ("http://xexample.com/", ["*.example.com"], False),
    ("http://example.com/", ["com"], True),
    ("http://example.com/", [], False),
    ("http://0x7f.1/", ["127.0.0.1"], True),
    ("http://①②⑦.0.0.1/", ["127.0.0.1"], True),
    ("http://127。0。0。1/", ["127.0.0.1"], True),
    ("http://127.0.0.1/", ["0x7f.1"], True),
    ("http://127.0.0.1/", ["127.0.0.2"], False),
    ("http://1.127.0.0.1.example/", ["127.0.0.1"], False),
    ("http://[0:0::1]/", ["[::1]"], True),
    ("http://[::1]/", ["127.0.0.1"], False),
    ("ssh://git@GitHub.com/x", ["github.com"], True),
    ("foo://0x7f.1/", ["127.0.0.1"], True),
    ("foo://a%20b/", ["example.com"], False),
    ("file:///x", ["example.com"], False),
    ("mailto:a@example.com", ["example.com"], False),
    ("data:,x", ["*.com"], False),
]


@pytest.mark.parametrize(("url", "patterns", "expected"), MATCHES)
def test_host_matches(url: str, patterns: list[str], expected: bool) -> None:
    assert url_host_matches(url, patterns, schemes=None) is expected
    assert url_host_matches(URL(url), iter(patterns), schemes=None) is expected
    assert url_host_matches(url, patterns) is (expected and URL(url).scheme in ("http", "https"))
    assert url_host_matches(url, patterns, schemes=[URL(url).scheme]) is expected
    assert url_host_matches(url, patterns, schemes=URL(url).protocol.upper()) is expected
    assert host_matches(URL(url), patterns) is expected
    host = URL(url).host_value
    assert (host is not None and host_matches(host, iter(patterns))) is expected


@pytest.mark.parametrize("scheme", ["http", "https", "ws", "wss", "ftp", "file", "ssh", "foo", "git+https"])
def test_schemes_that_are_looked_at(scheme: str) -> None:
    """A list of hosts does not say which schemes are safe with them."""
    url = f"{scheme}://a.example.com/x"
    assert url_host_matches(url, "example.com") is (scheme in ("http", "https", "ws", "wss"))
    assert url_host_matches(URL(url), "example.com", schemes=None)
    assert url_host_matches(url, "example.com", schemes=scheme.upper())
    assert url_host_matches(url, "example.com", schemes=iter(["x", scheme]))
    assert not url_host_matches(url, "example.com", schemes=["x"])
    assert not url_host_matches(url, "example.com", schemes=[])
    with pytest.raises(InvalidURL):
        url_host_matches(url, "a b", schemes=["x"])


def test_a_host_has_no_scheme() -> None:
    for host in ("a.Example.com.", parse_host("a.example.com"), URL("ssh://a.example.com")):
        assert host_matches(host, "example.com")
        assert not host_matches(host, "b.example.com")
    assert host_matches(ipaddress.ip_address("::1"), "[0::1]")
    assert not host_matches(URL("data:,x"), ["example.com"])
    assert not host_matches("127.0.0.1", ["example.com", "127.0.0.2"])


@pytest.mark.parametrize(
    "scheme", ["https::", ":", "", "1a", "a b", "https://user:secret@h/", "ｈttp", "http\n", "\ud800"]
)
def test_no_scheme(scheme: str) -> None:
    for schemes in (scheme, ["http", scheme]):
        with pytest.raises(ValueError, match=r"^a scheme is a name such as 'https', with its colon or without$"):
            url_host_matches("http://example.com/", "example.com", schemes=schemes)


def test_one_pattern() -> None:
    assert url_host_matches("http://a.example.com/", "example.com")
    assert not url_host_matches("http://c/", "com")
    assert host_matches("a.example.com", frozenset(["example.com"]))


@pytest.mark.parametrize("pattern", ["", "example.com:80", "https://example.com", "a b", "user@example.com", "*."])
def test_no_pattern(pattern: str) -> None:
    for patterns in (pattern, ["example.com", pattern]):
        with pytest.raises(InvalidURL):
            url_host_matches("http://example.com/", patterns)


@pytest.mark.parametrize("pattern", ["*.127.0.0.1", "*.[::1]", ".", "*.."])
def test_nothing_is_below(pattern: str) -> None:
    with pytest.raises(ValueError, match="no host is below"):
        url_host_matches("data:,x", pattern)


@pytest.mark.parametrize("pattern", ["*", "a.*.com", "*.*.com", "*example.com", ".example.com", "a..com", "*..com"])
def test_a_pattern_that_would_match_nothing(pattern: str) -> None:
    """If a wrong pattern went unnoticed, hosts that the list should keep out would get through."""
    with pytest.raises(ValueError, match="an entry is a host"):
        url_host_matches("http://example.com/", pattern)


def test_wrong_types() -> None:
    values: tuple[object, ...] = (None, b"http://h/", 1, [], ipaddress.ip_network("10.0.0.0/8"))
    for value in values:
        for function in (is_private_host, is_private_url):
            with pytest.raises(TypeError):
                function(value)  # type: ignore[arg-type]
        for matches in (host_matches, url_host_matches):
            with pytest.raises(TypeError):
                matches(value, [])  # type: ignore[arg-type]
    for patterns in (None, 1, [b"example.com"], [None]):
        with pytest.raises(TypeError):
            url_host_matches("http://h/", patterns)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            host_matches("h", patterns)  # type: ignore[arg-type]
    for schemes in (1, [b"http"], [None]):
        with pytest.raises(TypeError):
            url_host_matches("http://h/", "h", schemes=schemes)  # type: ignore[arg-type]


@given(st.text(max_size=30), st.sampled_from(["", "http://", "foo://", "file://", "http://127.", "blob:"]))
def test_only_invalid_url(text: str, start: str) -> None:
    try:
        is_private_url(start + text)
        url_host_matches(start + text, ["example.com", "127.0.0.1"], schemes=None)
    except InvalidURL:
        assert not URL.can_parse(start + text)


def test_surrogates() -> None:
    """A lone surrogate becomes U+FFFD, which no domain has; a pair becomes its character."""
    with pytest.raises(InvalidURL):
        is_private_url("http://a\ud800.example/")
    with pytest.raises(InvalidURL):
        url_host_matches("http://example/", "\udfff.example")
    assert is_private_url("foo://\ud800/")
    assert url_host_matches("http://\ud835\udfd9.0.0.1/", "1.0.0.1")


def test_many_patterns() -> None:
    patterns = [f"host{index}.example" for index in range(5000)]
    assert url_host_matches("http://a.host4999.example/", patterns)
    assert not url_host_matches("http://a.host5000.example/", patterns)
