"""url/urlsearchparams-getall.any.js"""

from __future__ import annotations

import pytest

from weburl import URLSearchParams


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("a=b&c=d", "a", ["b"]),
        ("a=b&c=d", "c", ["d"]),
        ("a=b&c=d", "e", []),
        ("a=b&c=d&a=e", "a", ["b", "e"]),
        ("=b&c=d", "", ["b"]),
        ("a=&c=d&a=e", "a", ["", "e"]),
    ],
)
def test_basics(text: str, name: str, values: list[str]) -> None:
    assert URLSearchParams(text).get_all(name) == values


def test_multiples() -> None:
    params = URLSearchParams("a=1&a=2&a=3&a")
    assert params.has("a")
    assert params.get_all("a") == ["1", "2", "3", ""]
    params.set("a", "one")
    assert params.get("a") == "one"
    assert params.get_all("a") == ["one"]
