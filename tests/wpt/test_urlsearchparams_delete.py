"""url/urlsearchparams-delete.any.js"""

from __future__ import annotations

import pytest

from weburl import URL, URLSearchParams


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("a=b&c=d", "a", "c=d"),
        ("a=a&b=b&a=a&c=c", "a", "b=b&c=c"),
        ("a=a&=&b=b&c=c", "", "a=a&b=b&c=c"),
        ("a=a&null=null&b=b", "null", "a=a&b=b"),
        ("a=a&undefined=undefined&b=b", "undefined", "a=a&b=b"),
    ],
)
def test_basics(text: str, name: str, expected: str) -> None:
    params = URLSearchParams(text)
    params.delete(name)
    assert str(params) == expected


def test_none_is_no_name() -> None:
    params = URLSearchParams("a=b")
    with pytest.raises(TypeError):
        params.delete(None)  # type: ignore[arg-type]
    assert str(params) == "a=b"


def test_appended_multiple() -> None:
    params = URLSearchParams()
    params.append("first", "1")
    assert params.has("first")
    assert params.get("first") == "1"
    params.delete("first")
    assert not params.has("first")
    params.append("first", "1")
    params.append("first", "10")
    params.delete("first")
    assert not params.has("first")


@pytest.mark.parametrize(
    ("text", "names"),
    [("http://example.com/?param1&param2", ["param1", "param2"]), ("http://example.com/?", ["param1"])],
)
def test_question_mark_goes_with_the_last(text: str, names: list[str]) -> None:
    url = URL(text)
    for name in names:
        url.search_params.delete(name)
    assert url.href == "http://example.com/"
    assert url.search == ""


@pytest.mark.parametrize("fragment", ["", "#test"])
def test_opaque_path_with_trailing_spaces(fragment: str) -> None:
    url = URL(f"data:space    ?test{fragment}")
    assert url.search_params.has("test")
    url.search_params.delete("test")
    assert not url.search_params.has("test")
    assert url.search == ""
    assert url.pathname == "space   %20"
    assert url.href == f"data:space   %20{fragment}"


def test_two_arguments() -> None:
    params = URLSearchParams()
    for value in "bcd":
        params.append("a", value)
    params.delete("a", "c")
    assert str(params) == "a=b&a=d"


def test_none_as_second_argument() -> None:
    params = URLSearchParams()
    for name, value in [("a", "b"), ("a", "c"), ("b", "c"), ("b", "d")]:
        params.append(name, value)
    params.delete("b", "c")
    params.delete("a", None)
    assert str(params) == "b=d"
