"""url/urlsearchparams-stringifier.any.js"""

from __future__ import annotations

import pytest

from weburl import URL, URLSearchParams


@pytest.mark.parametrize(
    ("raw", "encoded"),
    [
        ("b c", "b+c"),
        ("b+c", "b%2Bc"),
        ("*-._", "*-._"),
        ("b%c", "b%25c"),
        ("b\0c", "b%00c"),
        ("b💩c", "b%F0%9F%92%A9c"),
        ("b\ud83d\udca9c", "b%F0%9F%92%A9c"),
        ("=", "%3D"),
        ("&", "%26"),
    ],
)
def test_serialize(raw: str, encoded: str) -> None:
    params = URLSearchParams()
    params.append("a", raw)
    assert str(params) == f"a={encoded}"
    params.delete("a")
    params.append(raw, "c")
    assert str(params) == f"{encoded}=c"
    params.append("b", raw)
    assert str(params) == f"{encoded}=c&b={encoded}"


@pytest.mark.parametrize(
    "steps",
    [
        [("a", "", "a="), ("a", "", "a=&a="), ("", "b", "a=&a=&=b"), ("", "", "a=&a=&=b&="), ("", "", "a=&a=&=b&=&=")],
        [("", "b", "=b"), ("", "b", "=b&=b")],
        [("", "", "="), ("", "", "=&=")],
    ],
    ids=["value", "name", "both"],
)
def test_serialize_empty(steps: list[tuple[str, str, str]]) -> None:
    params = URLSearchParams()
    for name, value, expected in steps:
        params.append(name, value)
        assert str(params) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id=0&value=%", "id=0&value=%25"),
        ("a=b&c=d&&e&&", "a=b&c=d&e="),
        ("a = b &a=b&c=d%20", "a+=+b+&a=b&c=d+"),
        ("a=&a=b", "a=&a=b"),
        ("b=%2sf%2a", "b=%252sf*"),
        ("b=%2%2af%2a", "b=%252*f*"),
        ("b=%%2a", "b=%25*"),
    ],
)
def test_parse_and_serialize(text: str, expected: str) -> None:
    assert str(URLSearchParams(text)) == expected


def test_of_a_url() -> None:
    url = URL("http://www.example.com/?a=b,c")
    params = url.search_params
    assert str(url) == "http://www.example.com/?a=b,c"
    assert str(params) == "a=b%2Cc"
    params.append("x", "y")
    assert str(url) == "http://www.example.com/?a=b%2Cc&x=y"
    assert str(params) == "a=b%2Cc&x=y"


def test_newlines_stay() -> None:
    params = URL("http://www.example.com/").search_params
    params.append("a\nb", "c\rd")
    params.append("e\n\rf", "g\r\nh")
    assert str(params) == "a%0Ab=c%0Dd&e%0A%0Df=g%0D%0Ah"
