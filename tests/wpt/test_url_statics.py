"""url/url-statics-canparse.any.js and url/url-statics-parse.any.js; `undefined` as URL is the string, as base None."""

from __future__ import annotations

import pytest

from weburl import URL

each_pair = pytest.mark.parametrize(
    ("url", "base", "expected"),
    [
        ("undefined", None, False),
        ("aaa:b", None, True),
        ("undefined", "aaa:b", False),
        ("undefined", "https://test:test/", False),
        ("aaa:/b", None, True),
        ("undefined", "aaa:/b", True),
        ("https://test:test", None, False),
        ("a", "https://b/", True),
        ("C:\\path\\file.node", None, True),
        ("file:///C:/path/file.node", None, True),
        ("C:/path/file.node", None, True),
        ("c:b", None, True),
    ],
)


@each_pair
def test_can_parse(url: str, base: str | None, expected: bool) -> None:
    assert URL.can_parse(url, base) is expected


@each_pair
def test_parse(url: str, base: str | None, expected: bool) -> None:
    parsed = URL.parse(url, base)
    if expected:
        assert parsed is not None
        assert parsed.href == URL(url, base).href
    else:
        assert parsed is None


def test_parse_gives_an_object_of_its_own() -> None:
    assert URL.parse("https://example/") is not URL.parse("https://example/")
