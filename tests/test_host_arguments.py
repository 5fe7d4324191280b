"""A name says what a str is: functions about hosts take it as one, those about URLs as a URL; neither guesses."""

from __future__ import annotations

import ipaddress
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from weburl import URL, InvalidURL
from weburl.display import display_host, display_url, spoofing_risks
from weburl.hosts import (
    Host,
    HostSet,
    Origin,
    host_matches,
    is_private_host,
    is_private_url,
    parse_host,
    public_suffix,
    registrable_domain,
    same_origin,
    same_origin_domain,
    same_site,
    schemelessly_same_site,
    url_host_matches,
)

# With what they say about a text that is for another function.
OF_HOSTS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "parse_host": (parse_host, "use URL(url).host_value"),
    "opaque": (lambda host: parse_host(host, opaque=True), "use URL(url).host_value"),
    "public_suffix": (public_suffix, "use public_suffix(URL(url))"),
    "registrable_domain": (registrable_domain, "use registrable_domain(URL(url))"),
    "is_private_host": (is_private_host, "use is_private_url()"),
    "host_matches": (lambda host: host_matches(host, ["example.com"]), "use url_host_matches()"),
    "HostSet.match": (HostSet(["example.com", "co.uk", "=1.2.3.4"]).match, "use URL(url)"),
    "in a HostSet": (lambda host: host in HostSet(["example.com", "[::1]"]), "use URL(url)"),
    "spoofing_risks": (spoofing_risks, "use spoofing_risks(URL(url))"),
    "display_host": (display_host, "use display_url(url, host_only=True)"),
}
WITH_SCHEME = "write its scheme before it, as in https://"
OF_URLS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "is_private_url": (is_private_url, "use is_private_host()"),
    "url_host_matches": (lambda url: url_host_matches(url, ["example.com"]), "use host_matches()"),
    "display_url": (display_url, "use display_host()"),
    "Origin.of": (Origin.of, WITH_SCHEME),
    "same_origin": (lambda url: same_origin("http://h", url), WITH_SCHEME),
    "same_origin_domain": (lambda url: same_origin_domain(url, "http://h"), WITH_SCHEME),
    "same_site": (lambda url: same_site("http://h", url), WITH_SCHEME),
    "schemelessly_same_site": (lambda url: schemelessly_same_site(url, "http://h"), WITH_SCHEME),
}
URLS = ["https://example.com/", "http://user:hunter2@h", "://", "http://a b/", "mailto:a@example.com", "data:,x", "a:b"]
HOSTS = ["localhost", "example.com", "127.0.0.1", "0x7f.1", "[::1]", "bücher.example", "ex%61mple.com", "a..b"]
NEITHER = ["", "a b", "//h/", "[", "a.256", "\ud800", "a/b", "user@h", ":80", "1:x"]


@pytest.mark.parametrize("function", OF_HOSTS)
@pytest.mark.parametrize("text", URLS)
def test_a_url_for_a_host(text: str, function: str) -> None:
    call, advice = OF_HOSTS[function]
    with pytest.raises(InvalidURL) as raised:
        call(text)
    assert (raised.value.input, raised.value.part) == (text, "host")
    assert raised.value.message == f"This is a URL, not a host: {advice}."
    assert str(raised.value).endswith(f": {raised.value.message}")
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize("function", OF_URLS)
@pytest.mark.parametrize("text", HOSTS)
def test_a_host_for_a_url(text: str, function: str) -> None:
    call, advice = OF_URLS[function]
    with pytest.raises(InvalidURL) as raised:
        call(text)
    assert (raised.value.input, raised.value.error) == (text, "missing-scheme-non-relative-URL")
    assert raised.value.message == f"This is a host, not a URL: {advice}."
    assert str(raised.value).endswith(f": {raised.value.message}")


@pytest.mark.parametrize("function", OF_HOSTS)
@pytest.mark.parametrize("text", ["localhost:8080", "example.com:", "127.0.0.1:80", "[::1]:443"])
def test_a_host_and_a_port(text: str, function: str) -> None:
    with pytest.raises(InvalidURL) as raised:
        OF_HOSTS[function][0](text)
    assert raised.value.message == "This is a host and a port: leave out the colon and the port."


@pytest.mark.parametrize("text", NEITHER)
def test_neither(text: str) -> None:
    """What it says is the standard's error alone."""
    for call, _ in (*OF_HOSTS.values(), *OF_URLS.values()):
        if call is not OF_HOSTS["opaque"][0]:
            with pytest.raises(InvalidURL) as raised:
                call(text)
            assert "This is" not in raised.value.message


@pytest.mark.parametrize("function", OF_HOSTS)
def test_every_kind_of_host(function: str) -> None:
    call = OF_HOSTS[function][0]
    for text in ("www.example.co.uk", "1.2.3.4", "[::1]", "xn--80ak6aa92e.com"):
        # With `opaque`, a text is another host.
        found = call(parse_host(text) if function == "opaque" else text)
        for same in (parse_host(text), URL(f"http://u@{text}:80/x?y")):
            assert call(same) == found
        address = parse_host(text).ip_address
        assert address is None or call(address) == found
    with pytest.raises(InvalidURL, match="IPv6-invalid-code-point"):
        call(ipaddress.IPv6Address("fe80::1%eth0"))
    for value in (None, 1, b"h", ["h"], ipaddress.ip_network("1.0.0.0/8")):
        with pytest.raises(TypeError, match="host must be a str, a Host, a URL or an address of ipaddress, not "):
            call(value)
    with pytest.raises(TypeError, match=r"not bytes: decode it first, with host.decode\(\)$"):
        call(b"h")


@pytest.mark.parametrize("function", OF_URLS)
def test_what_is_not_a_url(function: str) -> None:
    call, advice = OF_URLS[function]
    call(URL("http://h/"))
    for value in (None, 1, b"http://h/", ["http://h/"], ipaddress.ip_address("::1")):
        with pytest.raises(TypeError, match=r"^(url|a|b) must be a str or a URL, not "):
            call(value)
    with pytest.raises(TypeError) as raised:
        call(parse_host("h"))
    _, _, said = str(raised.value).partition(" must be a str or a URL, ")
    assert said == f"not weburl.Host: {advice}"


def test_the_advice_is_pickled() -> None:
    with pytest.raises(InvalidURL) as raised:
        is_private_host("https://h/")
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.message) == (str(raised.value), raised.value.message)
    assert again.position == raised.value.position == 0


def test_a_url_that_is_a_subclass_of_str_in_disguise() -> None:
    class Text(str):
        def __contains__(self, item: object) -> bool:
            return False

    with pytest.raises(InvalidURL, match="This is a URL"):
        is_private_host(Text("http://h/"))


@pytest.mark.parametrize("function", [*OF_HOSTS, *OF_URLS])
@pytest.mark.parametrize("claimed", [Host, URL, str, ipaddress.IPv4Address, ipaddress.IPv6Address])
def test_what_only_claims_to_be_one(claimed: type, function: str) -> None:
    class Liar:
        __class__ = claimed
        host_type = "domain"
        hostname = href = _serialization = "bücher.example"
        host_value: Any = None

        def __str__(self) -> str:
            return "bücher.example"

    liar = Liar()
    liar.host_value = liar
    assert isinstance(liar, claimed)
    call = (OF_HOSTS | OF_URLS)[function][0]
    # Of an address the text counts, and that is parsed.
    with pytest.raises((TypeError, InvalidURL) if claimed is ipaddress.IPv6Address else TypeError):
        call(liar)


@pytest.mark.parametrize("function", OF_HOSTS)
def test_a_url_of_a_subclass(function: str) -> None:
    class Sub(URL):
        host_value = hostname = host_type = "a b"  # type: ignore[assignment]

    call = OF_HOSTS[function][0]
    assert call(Sub("http://www.example.co.uk/")) == call(URL("http://www.example.co.uk/"))


def test_of_a_long_text() -> None:
    for call, _ in (*OF_HOSTS.values(), *OF_URLS.values()):
        with pytest.raises(InvalidURL) as raised:
            call("a" * 2**16 + " b")
        assert len(str(raised.value)) < 500


def test_a_url_that_has_no_host() -> None:
    url = URL("data:,x")
    assert is_private_host(url)
    assert not host_matches(url, ["example.com"])
    assert (public_suffix(url), registrable_domain(url), spoofing_risks(url), display_host(url)) == (None, None, (), "")
