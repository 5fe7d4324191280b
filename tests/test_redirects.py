"""weburl.crawl.redirect_target: where the header Location leads."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl import URL, InvalidURL
from weburl.crawl import redirect_target

BASE = "https://example.com/a/b?c"


# The first five are those of the Web Platform Tests (redirect-location-escape.tentative.any.js).
# tests/engines/test_chromium_redirects.py asks a browser about these.
LOCATIONS = [
    (b"top.txt?%E2%98%83%e2%98%83", "https://example.com/a/top.txt?%E2%98%83%e2%98%83"),
    (b"top.txt?\xe2\x98\x83", "https://example.com/a/top.txt?%E2%98%83"),
    (b"top.txt?\xe2\x98\x83%e2%98%83", "https://example.com/a/top.txt?%E2%98%83%e2%98%83"),
    (b"top.txt?%\xe2\x98\x83", "https://example.com/a/top.txt?%%E2%98%83"),
    (b"top.txt?\xff", "https://example.com/a/top.txt?%FF"),
    (b"/caf\xc3\xa9", "https://example.com/caf%C3%A9"),
    (b"/caf\xe9", "https://example.com/caf%E9"),
    (b"/caf\xe9?\xe9#\xe9", "https://example.com/caf%E9?%E9#%E9"),
    (b"/\xc3\xa9\xe9", "https://example.com/%C3%A9%E9"),
    (b"/\xe9\xc3\xa9", "https://example.com/%E9%C3%A9"),
    (b"/\xb1\xe2\xbe\xa9?\x82\xa0", "https://example.com/%B1%E2%BE%A9?%82%A0"),
    (b"/\xc0\xaf..\xc0\xaf/\xed\xa0\x80", "https://example.com/%C0%AF..%C0%AF/%ED%A0%80"),
    (b"/\xef\xbb\xbfx", "https://example.com/%EF%BB%BFx"),
    (b"\xef\xbb\xbf/x", "https://example.com/a/%EF%BB%BF/x"),
    (b"/a\x80\x85\xa0", "https://example.com/a%80%85%A0"),
    (b"http://b\xc3\xbccher.example/", "http://xn--bcher-kva.example/"),
    (b"http://\xef\xbc\xa1.example/", "http://a.example/"),
    (b"http://127\xe3\x80\x820\xe3\x80\x820\xe3\x80\x821/", "http://127.0.0.1/"),
    (b"//\xc3\xa9:\xe9@h/", "https://%C3%A9:%E9@h/"),
    (b'  /x y\t|[]^`{}"<>\\z  ', "https://example.com/x%20y|[]%5E%60%7B%7D%22%3C%3E/z"),
    (b"?'\"<> |", "https://example.com/a/b?%27%22%3C%3E%20|"),
    (b"\\\\h\\x", "https://h/x"),
    (b"https:x", "https://example.com/a/x"),
    (b"", "https://example.com/a/b?c"),
    (b"#", "https://example.com/a/b?c#"),
    (b"foo:x", "foo:x"),
    (b"foo://\xc3\xa9/", "foo://%C3%A9/"),
    (b"javascript:\xe9", "javascript:%E9"),
]


@pytest.mark.parametrize(("location", "expected"), LOCATIONS, ids=lambda value: ascii(value)[:40])
def test_bytes(location: bytes, expected: str) -> None:
    assert redirect_target(location, BASE).href == expected
    assert redirect_target(location, URL(BASE)).href == expected


@pytest.mark.parametrize("location", [b"http://caf\xe9.example/", b"http://a b/", b"http://h:x/", b"//", b"http://%/"])
def test_what_does_not_parse(location: bytes) -> None:
    with pytest.raises(InvalidURL):
        redirect_target(location, BASE)
    with pytest.raises(InvalidURL):
        redirect_target(location.decode("latin-1").replace("\xe9", "%E9"), BASE)


def test_a_base_that_does_not_parse() -> None:
    with pytest.raises(InvalidURL):
        redirect_target(b"http://h/", "x")


@pytest.mark.parametrize(
    ("location", "base", "expected"),
    [
        ("/x", "http://h/#top", "http://h/x#top"),
        ("/x#", "http://h/#top", "http://h/x#"),
        ("/x#y", "http://h/#top", "http://h/x#y"),
        ("", "http://h/#top", "http://h/#top"),
        ("//other/", "http://h/#%C3%A9%zz`<", "http://other/#%C3%A9%zz%60%3C"),
        ("/x", "http://h/#", "http://h/x#"),
        ("/x", "http://h/", "http://h/x"),
        ("data:,x", "http://h/#a b", "data:,x#a%20b"),
        ("data:,x ", "http://h/#f", "data:,x#f"),
    ],
)
def test_the_fragment_is_kept(location: str, base: str, expected: str) -> None:
    assert redirect_target(location, base).href == expected
    assert redirect_target(location.encode(), base).href == expected


def test_text() -> None:
    assert redirect_target("/é", BASE).href == "https://example.com/%C3%A9"
    # What http.client and requests give for the UTF-8 bytes of é: their bytes are .encode("latin-1").
    assert redirect_target("/Ã©", BASE).href == "https://example.com/%C3%83%C2%A9"
    assert redirect_target("/Ã©".encode("latin-1"), BASE).href == "https://example.com/%C3%A9"


def test_types() -> None:
    wrongs: list[Any] = [None, 1, URL(BASE), bytearray(b"/x"), ["/x"]]
    for wrong in wrongs:
        with pytest.raises(TypeError, match="location must be bytes or a str"):
            redirect_target(wrong, BASE)


def test_the_base_does_not_change() -> None:
    base = URL("http://h/a#f")
    target = redirect_target(b"", base)
    target.pathname = "/changed"
    assert base.href == "http://h/a#f"


@given(st.text(), st.sampled_from([BASE, "http://h/#f", "file:///c:/x", "foo://h/y#", "a:b"]))
def test_bytes_that_are_utf_8_are_that_text(text: str, base: str) -> None:
    """Percent-encoding each byte is the same as decoding, then parsing."""
    data = text.encode("utf-8", "ignore")
    try:
        expected = URL(data.decode(), base)
    except InvalidURL:
        with pytest.raises(InvalidURL):
            redirect_target(data, base)
        return
    target = redirect_target(data, base)
    assert target.serialize(exclude_fragment=True) == expected.serialize(exclude_fragment=True)
    assert target.fragment == (URL(base).fragment if expected.fragment is None else expected.fragment)


@given(st.binary())
def test_any_bytes(location: bytes) -> None:
    try:
        target = redirect_target(location, BASE)
    except InvalidURL:
        return
    assert target.href.isascii()
    assert redirect_target(target.href.encode(), BASE) == target
