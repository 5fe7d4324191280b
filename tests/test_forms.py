"""weburl.forms: application/x-www-form-urlencoded, with encodings, _charset_ and isindex."""

from __future__ import annotations

from typing import Any

import pytest

from weburl import URLSearchParams
from weburl.forms import parse_form, serialize_form


@pytest.mark.parametrize(
    ("data", "pairs"),
    [
        ("", []), ("?a=1", [("?a", "1")]), ("a=1&b=2&a=3", [("a", "1"), ("b", "2"), ("a", "3")]),
        ("&&a&", [("a", "")]), ("=", [("", "")]),
        ("a=b=c", [("a", "b=c")]), ("a+b=%2B", [("a b", "+")]), ("é=%C3%A9", [("é", "é")]), ("%FF", [("\ufffd", "")]),
        ("%EF%BB%BFa", [("\ufeffa", "")]),
        ("%zz=%", [("%zz", "%")]), ("a;b", [("a;b", "")]), ("a\0b", [("a\0b", "")]),
    ],
)  # fmt: skip
def test_parse(data: str, pairs: list[tuple[str, str]]) -> None:
    assert parse_form(data) == pairs
    assert parse_form(data.encode()) == pairs
    assert type(parse_form(data)) is list
    if not data.startswith("?"):
        assert list(URLSearchParams(data)) == pairs


def test_parse_ill_formed_bytes() -> None:
    assert parse_form(b"\xff=\xe9\xc3\xa9") == [("\ufffd", "\ufffdé")]


@pytest.mark.parametrize(
    ("data", "encoding", "pairs"),
    [
        ("a=%E9", "latin1", [("a", "é")]), ("a=%80", "iso-8859-1", [("a", "€")]),
        ("a=%81%DF", "shift_jis", [("a", "≡")]), ("a=%D6%D0+x", "gbk", [("a", "中 x")]),
        ("a=%C3%A9", "UTF-8", [("a", "é")]), ("%C6%FC=%CB%DC", "euc-jp", [("日", "本")]),
        ("a=%1B%24BF%7C%1B%28B", "iso-2022-jp", [("a", "日")]),
        ("a=%81", "shift_jis", [("a", "\ufffd")]), ("a%00=%E9%00", "utf-16le", [("a", "é")]),
        ("a%00=%AC%20", "utf-16", [("a", "€")]),
    ],
)  # fmt: skip
def test_parse_with_encoding(data: str, encoding: str, pairs: list[tuple[str, str]]) -> None:
    assert parse_form(data, encoding=encoding) == pairs
    assert parse_form(data.encode(), encoding=encoding) == pairs


@pytest.mark.parametrize("data", ["a=é", b"a=\xe9", "a=1&\x80"])
def test_bytes_beyond_ascii_need_utf_8(data: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"ASCII|0x7F|encoding"):
        parse_form(data, encoding="latin1")
    assert parse_form(data)


@pytest.mark.parametrize(
    ("data", "pairs"),
    [
        ("a=%E9&_charset_=latin1&b=%E9", [("a", "é"), ("_charset_", "latin1"), ("b", "é")]),
        ("a=%E9&_charset_=nothing", [("a", "\ufffd"), ("_charset_", "nothing")]),
        ("_charset_=nothing&_charset_=latin1&a=%E9", [("_charset_", "nothing"), ("_charset_", "latin1"), ("a", "é")]),
        (
            "_charset_=latin1&_charset_=shift_jis&a=%E9",
            [("_charset_", "latin1"), ("_charset_", "shift_jis"), ("a", "é")],
        ),
        ("_charset_&a=%E9", [("_charset_", ""), ("a", "\ufffd")]),
        ("_charset%5F=latin1&a=%E9", [("_charset_", "latin1"), ("a", "\ufffd")]),
        ("_CHARSET_=latin1&a=%E9", [("_CHARSET_", "latin1"), ("a", "\ufffd")]),
        ("_charset_=+LATIN1+&a=%E9", [("_charset_", " LATIN1 "), ("a", "é")]),
    ],
)
def test_charset(data: str, pairs: list[tuple[str, str]]) -> None:
    assert parse_form(data, use_charset=True) == pairs
    assert parse_form(data, use_charset=False) == list(URLSearchParams(data))


def test_charset_goes_before_encoding() -> None:
    assert parse_form("_charset_=utf-8&a=%C3%A9", encoding="latin1", use_charset=True) == [
        ("_charset_", "utf-8"),
        ("a", "é"),
    ]


@pytest.mark.parametrize(
    ("data", "pairs"),
    [
        ("a", [("", "a")]), ("a&b", [("", "a"), ("b", "")]), ("a=b&c", [("a", "b"), ("c", "")]),
        ("a+b&c=d", [("", "a b"), ("c", "d")]),
        ("%3D", [("", "=")]), ("=a", [("", "a")]), ("", [("", "")]), ("&a", [("", ""), ("a", "")]),
    ],
)  # fmt: skip
def test_isindex(data: str, pairs: list[tuple[str, str]]) -> None:
    assert parse_form(data, isindex=True) == pairs


@pytest.mark.parametrize(
    ("pairs", "encoding", "expected"),
    [
        ([], "utf-8", ""), ([("a", "b c"), ("", "")], "utf-8", "a=b+c&="),
        ([("é", "😀")], "utf-8", "%C3%A9=%F0%9F%98%80"), ([("é", "€")], "latin1", "%E9=%80"),
        ([("≡", "‽")], "shift_jis", "%81%DF=%26%238253%3B"), ([("é", "")], "utf-16", "%C3%A9="),
        ([("é", "")], "replacement", "%C3%A9="),
        ([("¥", "")], "iso-2022-jp", "%1B%28J%5C%1B%28B="), ([("a&=", "*-._~")], "koi8-r", "a%26%3D=*-._%7E"),
    ],
)  # fmt: skip
def test_serialize(pairs: list[tuple[str, str]], encoding: str, expected: str) -> None:
    assert serialize_form(pairs, encoding=encoding) == expected
    assert serialize_form(iter(pairs), encoding=encoding) == expected
    assert serialize_form(dict(pairs), encoding=encoding) == expected


def test_serialize_utf_8_by_default() -> None:
    pairs = [("a", "é ~"), ("a", "")]
    assert serialize_form(pairs) == str(URLSearchParams(pairs)) == "a=%C3%A9+%7E&a="
    assert serialize_form({"a": "1"}) == "a=1"
    assert parse_form(serialize_form(pairs)) == pairs


def test_values_are_those_of_parameters() -> None:
    pairs: list[tuple[str, Any]] = [("a", 1), ("b", ["é", 2]), ("c", [])]
    assert serialize_form(pairs) == serialize_form(dict(pairs)) == "a=1&b=%C3%A9&b=2"
    assert serialize_form(pairs, encoding="latin1") == "a=1&b=%E9&b=2"


@pytest.mark.parametrize("label", ["", "x", "latin_1"])
def test_unknown_encoding(label: str) -> None:
    with pytest.raises(LookupError):
        parse_form("a", encoding=label)
    with pytest.raises(LookupError):
        serialize_form([("a", "b")], encoding=label)


@pytest.mark.parametrize("value", [None, 1.5, [1.5]], ids=repr)
def test_type_errors(value: Any) -> None:
    with pytest.raises(TypeError):
        parse_form(value)
    with pytest.raises(TypeError):
        serialize_form([("a", value)])
    if value is not None:
        with pytest.raises(TypeError):
            serialize_form(value)
    with pytest.raises(TypeError):
        serialize_form([("a",)])  # type: ignore[list-item, unused-ignore]
    with pytest.raises(TypeError):
        parse_form("a", "utf-8")  # type: ignore[misc, call-arg, unused-ignore]
