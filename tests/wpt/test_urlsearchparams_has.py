"""url/urlsearchparams-has.any.js"""

from __future__ import annotations

import pytest

from weburl import URLSearchParams


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("a=b&c=d", "a", True),
        ("a=b&c=d", "c", True),
        ("a=b&c=d", "e", False),
        ("a=b&c=d&a=e", "a", True),
        ("=b&c=d", "", True),
        ("null=a", "null", True),
    ],
)
def test_basics(text: str, name: str, expected: bool) -> None:
    assert URLSearchParams(text).has(name) is expected


def test_none_is_no_name() -> None:
    with pytest.raises(TypeError):
        URLSearchParams("null=a").has(None)  # type: ignore[arg-type]


def test_after_delete() -> None:
    params = URLSearchParams("a=b&c=d&&")
    params.append("first", "1")
    params.append("first", "2")
    assert params.has("a")
    assert params.has("c")
    assert params.has("first")
    assert not params.has("d")
    params.delete("first")
    assert not params.has("first")


def test_two_arguments() -> None:
    params = URLSearchParams("a=b&a=d&c&e&")
    assert params.has("a", "b")
    assert not params.has("a", "c")
    assert params.has("a", "d")
    assert params.has("e", "")
    params.append("first", "null")
    assert not params.has("first", "")
    assert params.has("first", "null")
    params.delete("a", "b")
    assert params.has("a", "d")


def test_none_as_second_argument() -> None:
    params = URLSearchParams("a=b&a=d&c&e&")
    assert params.has("a", "b")
    assert not params.has("a", "c")
    assert params.has("a", "d")
    assert params.has("a", None)
