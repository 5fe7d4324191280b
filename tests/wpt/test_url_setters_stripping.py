"""url/url-setters-stripping.any.js: tabs and newlines in what is set are removed, other controls are not."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from weburl import URL

PARTS = {
    "username": "username",
    "password": "password",
    "host": "host",
    "port": "8000",
    "pathname": "path",
    "search": "query",
    "hash": "fragment",
}
STRIPPED = "\t\n\r"
REPLACEMENT = {"https": "http", "wpt++": "wpt--"}
PLACES = {"leading": "{}test", "middle": "te{}st", "trailing": "test{}"}

each_scheme = pytest.mark.parametrize("scheme", REPLACEMENT)
each_control = pytest.mark.parametrize("control", ["\0", "\t", "\n", "\r", "\x1f"], ids=lambda c: f"U+{ord(c):04X}")
each_place = pytest.mark.parametrize("place", PLACES)


def href(scheme: str, **changed: str) -> str:
    parts = PARTS | changed
    return "{scheme}://{username}:{password}@{host}:{port}/{pathname}?{search}#{hash}".format(scheme=scheme, **parts)


@each_control
@each_scheme
@pytest.mark.parametrize("template", ["{control}{name}", "{name}{control}"], ids=["leading", "before the colon"])
def test_protocol(scheme: str, control: str, template: str) -> None:
    url = URL(href(scheme))
    url.protocol = template.format(control=control, name=REPLACEMENT[scheme])
    expected = REPLACEMENT[scheme] if control in STRIPPED else scheme
    assert url.protocol == f"{expected}:"
    assert url.href == href(expected)


@each_control
@each_scheme
@each_place
@pytest.mark.parametrize("attribute", ["username", "password"])
def test_credentials(scheme: str, control: str, place: str, attribute: str) -> None:
    url = URL(href(scheme))
    setattr(url, attribute, PLACES[place].format(control))
    expected = PLACES[place].format(quote(control))
    assert getattr(url, attribute) == expected
    assert url.href == href(scheme, **{attribute: expected})


def expected_host(scheme: str, control: str, place: str) -> str:
    if control in STRIPPED:
        return "test"
    # U+0000 is a forbidden host code point, U+001F a forbidden domain code point.
    if control == "\0" or scheme == "https":
        return PARTS["host"]
    return PLACES[place].format(quote(control))


@each_control
@each_scheme
@each_place
def test_host(scheme: str, control: str, place: str) -> None:
    url = URL(href(scheme))
    url.host = PLACES[place].format(control)
    expected = expected_host(scheme, control, place)
    assert url.host == f"{expected}:8000"
    assert url.href == href(scheme, host=expected)


@each_control
@each_scheme
@each_place
def test_hostname(scheme: str, control: str, place: str) -> None:
    url = URL(href(scheme))
    url.hostname = PLACES[place].format(control)
    expected = expected_host(scheme, control, place)
    assert url.hostname == expected
    assert url.href == href(scheme, host=expected)


@each_control
@each_scheme
@pytest.mark.parametrize(
    ("template", "when_kept"), [("{}9000", "8000"), ("90{}00", "90"), ("9000{}", "9000")], ids=list(PLACES)
)
def test_port(scheme: str, control: str, template: str, when_kept: str) -> None:
    url = URL(href(scheme))
    url.port = template.format(control)
    expected = "9000" if control in STRIPPED else when_kept
    assert url.port == expected
    assert url.href == href(scheme, port=expected)


@each_control
@each_scheme
@each_place
@pytest.mark.parametrize(("attribute", "separator"), [("pathname", "/"), ("search", "?"), ("hash", "#")])
def test_path_query_fragment(scheme: str, control: str, place: str, attribute: str, separator: str) -> None:
    url = URL(href(scheme))
    setattr(url, attribute, PLACES[place].format(control))
    expected = "test" if control in STRIPPED else PLACES[place].format(quote(control))
    assert getattr(url, attribute) == separator + expected
    assert url.href == href(scheme, **{attribute: expected})
