"""url/urlsearchparams-constructor.any.js"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from weburl import URLSearchParams


def test_basic() -> None:
    assert str(URLSearchParams()) == ""
    assert str(URLSearchParams("")) == ""
    params = URLSearchParams("a=b")
    assert str(params) == "a=b"
    assert str(URLSearchParams(params)) == "a=b"


def test_leading_question_mark_is_dropped() -> None:
    assert str(URLSearchParams("?a=b")) == "a=b"


def test_class() -> None:
    assert type(URLSearchParams("")) is URLSearchParams


@pytest.mark.parametrize("init", [None, 1, object(), URLSearchParams, b"a=b"])
def test_what_has_no_pairs(init: str) -> None:
    with pytest.raises(TypeError):
        URLSearchParams(init)


def test_empty_mapping() -> None:
    assert str(URLSearchParams({})) == ""


@pytest.mark.parametrize(
    ("text", "names", "absent"),
    [
        ("a=b", ["a"], ["b"]),
        ("a=b&c", ["a", "c"], []),
        ("&a&&& &&&&&a+b=& c&m%c3%b8%c3%b8", ["a", "a b", " ", " c", "møø"], ["c"]),
        ("id=0&value=%", ["id", "value"], []),
        ("b=%2sf%2a", ["b"], []),
        ("b=%2%2af%2a", ["b"], []),
        ("b=%%2a", ["b"], []),
    ],
)
def test_string_names(text: str, names: list[str], absent: list[str]) -> None:
    params = URLSearchParams(text)
    assert all(params.has(name) for name in names)
    assert not any(params.has(name) for name in absent)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("id=0&value=%", "id", "0"),
        ("id=0&value=%", "value", "%"),
        ("b=%2sf%2a", "b", "%2sf*"),
        ("b=%2%2af%2a", "b", "%2*f*"),
        ("b=%%2a", "b", "%*"),
        ("a=b+c", "a", "b c"),
        ("a+b=c", "a b", "c"),
        ("a=b c", "a", "b c"),
        ("a b=c", "a b", "c"),
        ("a=b%20c", "a", "b c"),
        ("a%20b=c", "a b", "c"),
        ("a=b\0c", "a", "b\0c"),
        ("a\0b=c", "a\0b", "c"),
        ("a=b%00c", "a", "b\0c"),
        ("a%00b=c", "a\0b", "c"),
        ("a=b\u2384", "a", "b\u2384"),
        ("a\u2384b=c", "a\u2384b", "c"),
        ("a=b%e2%8e%84", "a", "b\u2384"),
        ("a%e2%8e%84b=c", "a\u2384b", "c"),
        ("a=b💩c", "a", "b💩c"),
        ("a💩b=c", "a💩b", "c"),
        ("a=b\ud83d\udca9c", "a", "b💩c"),
        ("a\ud83d\udca9b=c", "a\ud83d\udca9b", "c"),
        ("a\ud83d\udca9b=c", "a💩b", "c"),
        ("a=b%f0%9f%92%a9c", "a", "b💩c"),
        ("a%f0%9f%92%a9b=c", "a💩b", "c"),
    ],
)
def test_string_values(text: str, name: str, value: str) -> None:
    assert URLSearchParams(text).get(name) == value


def test_copy_is_independent() -> None:
    seed = URLSearchParams("a=b&c=d")
    params = URLSearchParams(seed)
    assert params.get("a") == "b"
    assert params.get("c") == "d"
    assert not params.has("d")
    seed.append("e", "f")
    assert not params.has("e")
    params.append("g", "h")
    assert not seed.has("g")


def test_encoded_plus() -> None:
    params = URLSearchParams()
    params.set("query", "+15555555555")
    again = URLSearchParams(str(params))
    assert str(params) == "query=%2B15555555555"
    assert params.get("query") == "+15555555555"
    assert again.get("query") == "+15555555555"


def test_pairs() -> None:
    assert list(URLSearchParams([])) == []
    params = URLSearchParams([["a", "b"], ["c", "d"]])
    assert params.get("a") == "b"
    assert params.get("c") == "d"


@pytest.mark.parametrize("pair", [["1"], ["1", "2", "3"]], ids=["one", "three"])
def test_pairs_of_another_length(pair: list[str]) -> None:
    with pytest.raises(TypeError):
        URLSearchParams([pair])


@pytest.mark.parametrize(
    ("init", "pairs"),
    [
        ({"+": "%C2"}, [("+", "%C2")]),
        ({"c": "x", "a": "?"}, [("c", "x"), ("a", "?")]),
        ([["c", "x"], ["a", "?"]], [("c", "x"), ("a", "?")]),
        ({chr(0xD835) + "x": "1", "xx": "2", chr(0xD83D) + "x": "3"}, [("\ufffdx", "3"), ("xx", "2")]),
        ({"x" + chr(low): value for low, value in [(0xDC53, "1"), (0xDC5C, "2"), (0xDC65, "3")]}, [("x\ufffd", "3")]),
        ({"a\0b": "42", "c\ud83d": "23", "d\u1234": "foo"}, [("a\0b", "42"), ("c\ufffd", "23"), ("d\u1234", "foo")]),
    ],
    ids=["plus", "two keys", "two pairs", "leading surrogates", "trailing surrogates", "null and surrogate"],
)
def test_mappings_and_pairs(init: dict[str, str] | list[list[str]], pairs: list[tuple[str, str]]) -> None:
    assert list(URLSearchParams(init)) == pairs


class Pairs:
    def __iter__(self) -> Iterator[tuple[str, str]]:
        yield "a", "b"


class Params(URLSearchParams):
    __iter__ = Pairs.__iter__


@pytest.mark.parametrize("iterable", [Pairs(), Params()], ids=["any object", "subclass"])
def test_custom_iterator(iterable: Pairs) -> None:
    assert URLSearchParams(iterable).get("a") == "b"
