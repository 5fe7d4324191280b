"""Origins and sites, with every example of the URL Standard and the HTML Standard."""

from __future__ import annotations

import copy
import io
import pickle

import pytest

from weburl import URL, InvalidURL, validate
from weburl.display import SpoofingRisk
from weburl.hosts import (
    Origin,
    PublicSuffixList,
    parse_host,
    same_origin,
    same_origin_domain,
    same_site,
    schemelessly_same_site,
)


# https://url.spec.whatwg.org/#concept-url-origin
@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("blob:https://whatwg.org/d0360e2f-caee-469f-9a2f-87d5b0456f6f", ("https", "whatwg.org", None)),
        ("blob:http://h:81/x", ("http", "h", 81)),
        ("https://EXAMPLE.org:443/a?b#c", ("https", "example.org", None)),
        ("http://u:p@example.org:443/", ("http", "example.org", 443)),
        ("http://h:0/", ("http", "h", 0)),
        ("ftp://h/", ("ftp", "h", None)),
        ("ws://h:8080/", ("ws", "h", 8080)),
        ("wss://h/", ("wss", "h", None)),
        ("http://0x7f.1/", ("http", "127.0.0.1", None)),
        ("http://[::1]:8080/", ("http", "[::1]", 8080)),
        ("http://bücher.example./", ("http", "xn--bcher-kva.example.", None)),
        ("blob:blob:https://whatwg.org/", None),
        ("blob:ftp://h/", None),
        ("blob:ws://h/", None),
        ("blob:file:///x", None),
        ("blob:d0360e2f-caee-469f-9a2f-87d5b0456f6f", None),
        ("file:///x", None),
        ("file://host/x", None),
        ("data:,x", None),
        ("about:blank", None),
        ("mailto:a@example.org", None),
        ("foo://h:81/", None),
    ],
)
def test_origin_of(url: str, expected: tuple[str, str, int | None] | None) -> None:
    for origin in (Origin.of(url), Origin.of(URL(url))):
        assert str(origin) == URL(url).origin
        assert origin.domain is None
        if expected is None:
            assert origin.is_opaque
            assert (origin.scheme, origin.host, origin.port) == (None, None, None)
        else:
            assert not origin.is_opaque
            assert (origin.scheme, str(origin.host), origin.port) == expected
            assert origin.host == parse_host(expected[1])
            assert origin == Origin.of(str(origin))


def test_serialization() -> None:
    """https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin"""
    assert str(Origin("https", parse_host("xn--maraa-rta.example"))) == "https://xn--maraa-rta.example"
    assert str(Origin("https", parse_host("maraña.example"), 8443, "example")) == "https://xn--maraa-rta.example:8443"
    assert str(Origin()) == "null"


def example(scheme: str, port: int | None, domain: str | None) -> Origin:
    return Origin(scheme, parse_host("example.org"), port, domain)


# The table of https://html.spec.whatwg.org/multipage/browsers.html#same-origin-domain
@pytest.mark.parametrize(
    ("a", "b", "origin", "domain"),
    [
        (("https", None, None), ("https", None, None), True, True),
        (("https", 314, None), ("https", 420, None), False, False),
        (("https", 314, "example.org"), ("https", 420, "example.org"), False, True),
        (("https", None, None), ("https", None, "example.org"), True, False),
        (("https", None, "example.org"), ("http", None, "example.org"), False, False),
        # And ours.
        (("https", None, "example.org"), ("https", None, "org"), True, False),
        (("https", None, "example.org"), ("https", None, "example.org"), True, True),
    ],
)
def test_same_origin_domain(
    a: tuple[str, int | None, str | None], b: tuple[str, int | None, str | None], origin: bool, domain: bool
) -> None:
    for one, other in ((example(*a), example(*b)), (example(*b), example(*a))):
        assert same_origin(one, other) is origin
        assert same_origin_domain(one, other) is domain


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("https://example.org/a", "https://user@EXAMPLE.org:443/b#c", True),
        ("https://example.org", "http://example.org", False),
        ("https://example.org", "https://www.example.org", False),
        ("https://example.org", "https://example.org.", False),
        ("http://0x7f.1", "http://127.0.0.1", True),
        ("blob:https://example.org/x", "https://example.org", True),
        ("file:///a", "file:///a", False),
        ("data:,a", "data:,a", False),
        ("foo://h/", "foo://h/", False),
    ],
)
def test_same_origin_of_urls(a: str, b: str, expected: bool) -> None:
    assert same_origin(a, b) is expected
    assert same_origin(URL(a), b) is expected
    assert same_origin_domain(a, Origin.of(b)) is expected


MUSEUM = "// VERSION: museum\ncom\nmuseum\nwildlife.museum\n"


@pytest.fixture(scope="module")
def museum() -> PublicSuffixList:
    return PublicSuffixList(io.StringIO(MUSEUM))


# The table of https://html.spec.whatwg.org/multipage/browsers.html#schemelessly-same-site
@pytest.mark.parametrize(
    ("a", "b", "schemelessly", "same"),
    [
        ("https://example.com", "https://sub.example.com", True, True),
        ("https://example.com", "https://sub.other.example.com", True, True),
        ("https://example.com", "http://non-secure.example.com", True, False),
        ("https://r.wildlife.museum", "https://sub.r.wildlife.museum", True, True),
        ("https://r.wildlife.museum", "https://sub.other.r.wildlife.museum", True, True),
        ("https://r.wildlife.museum", "https://other.wildlife.museum", False, False),
        ("https://r.wildlife.museum", "https://wildlife.museum", False, False),
        ("https://wildlife.museum", "https://wildlife.museum", True, True),
        ("https://example.com", "https://example.com.", False, False),
        # And ours.
        ("https://example.com:81", "https://sub.example.com:82", True, True),
        ("https://127.0.0.1", "https://0x7f.1", True, True),
        ("https://127.0.0.1", "https://127.0.0.2", False, False),
        ("https://1.0.0.1", "https://2.0.0.1", False, False),
        ("ws://[::1]:8080", "http://[::1]", True, False),
        ("https://a.unknown", "https://b.unknown", False, False),
        ("https://a..com", "https://b..com", False, False),
        ("https://a..com", "https://a..com", True, True),
        ("blob:https://a.example.com/x", "https://b.example.com", True, True),
        ("file:///a", "file:///a", False, False),
        ("file:///a", "https://com", False, False),
    ],
)
def test_same_site(museum: PublicSuffixList, a: str, b: str, schemelessly: bool, same: bool) -> None:
    for one, other in ((a, b), (URL(b), Origin.of(a))):
        assert schemelessly_same_site(one, other, psl=museum) is schemelessly
        assert same_site(one, other, psl=museum) is same


def test_the_default_list() -> None:
    assert same_site("https://a.example.co.uk", "https://b.example.co.uk")
    assert not same_site("https://a.github.io", "https://b.github.io")
    assert not schemelessly_same_site("https://a.co.uk", "https://b.co.uk")


def test_port_and_domain_do_not_count_for_a_site() -> None:
    assert same_site(example("https", 314, "example.org"), example("https", None, None))


def test_opaque() -> None:
    opaque, other = Origin(), Origin.of("data:,x")
    for function in (same_origin, same_origin_domain, same_site, schemelessly_same_site):
        assert function(opaque, opaque)
        assert not function(opaque, other)
        assert not function(opaque, "https://example.com")
        assert not function("https://example.com", opaque)
    assert opaque == copy.copy(opaque)
    assert opaque != other
    assert len({opaque, opaque, other}) == 2
    assert pickle.loads(pickle.dumps(opaque)) != opaque  # from no serialization can it be made again


def test_values() -> None:
    origin = example("https", 314, None)
    assert origin == Origin.of("https://example.org:314/")
    assert hash(origin) == hash(Origin.of("https://example.org:314/"))
    assert pickle.loads(pickle.dumps(origin)) == copy.deepcopy(origin) == origin
    assert origin != example("https", 314, "example.org")
    text: object = "https://example.org:314"
    assert origin != text
    assert repr(Origin()) == "Origin(scheme=None, host=None, port=None, domain=None)"
    with pytest.raises(AttributeError):
        origin.port = 1  # type: ignore[misc]


def test_half_an_origin() -> None:
    for scheme, host in (("https", None), (None, parse_host("example.org"))):
        with pytest.raises(TypeError, match="both a scheme and a host"):
            Origin(scheme, host)


def test_not_a_url() -> None:
    for function in (same_origin, same_origin_domain, same_site, schemelessly_same_site):
        with pytest.raises(InvalidURL):
            function("https://example.com", "example.com")
        with pytest.raises(TypeError):
            function(b"https://example.com", "https://example.com")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="PublicSuffixList"):
        same_site("https://a.com", "https://a.com", psl="x")  # type: ignore[arg-type]


def test_pickles_name_public_modules_only() -> None:
    risk = SpoofingRisk("mixed-script", "a", "b")
    for value in (parse_host("h"), Origin.of("http://h:8/"), risk, validate("http://h/ ")[0]):
        pickled = pickle.dumps(value, 0)
        assert pickle.loads(pickled) == value
        assert b"weburl." in pickled
        assert b"._" not in pickled


def test_the_origin_of_a_url_that_changes_is_its_new_one() -> None:
    url = URL("blob:https://user@h:8/x")
    assert (str(Origin.of(url)), Origin.of(url).port, url.origin) == ("https://h:8", 8, "https://h:8")
    url.href = "http://u:p@[::1]:80/"
    assert (Origin.of(url).host, url.origin) == (parse_host("[::1]"), "http://[::1]")
