"""url/urlsearchparams-set.any.js"""

from __future__ import annotations

from weburl import URLSearchParams


def test_basics() -> None:
    params = URLSearchParams("a=b&c=d")
    params.set("a", "B")
    assert str(params) == "a=B&c=d"
    params = URLSearchParams("a=b&c=d&a=e")
    params.set("a", "B")
    assert str(params) == "a=B&c=d"
    params.set("e", "f")
    assert str(params) == "a=B&c=d&e=f"


def test_first_of_several() -> None:
    params = URLSearchParams("a=1&a=2&a=3")
    assert params.has("a")
    assert params.get("a") == "1"
    assert str(params) == "a=1&a=2&a=3"
    params.set("first", "4")
    assert params.has("a")
    assert params.get("a") == "1"
    assert str(params) == "a=1&a=2&a=3&first=4"
    params.set("a", "4")
    assert params.has("a")
    assert params.get("a") == "4"
    assert str(params) == "a=4&first=4"
