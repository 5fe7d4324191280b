"""url/urlencoded-parser.any.js and url/urlencoded-parser-request-response.any.js"""

from __future__ import annotations

import pytest

from weburl import URLSearchParams
from weburl.forms import parse_form

Pairs = list[tuple[str, str]]

each_form = pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("test", [("test", "")]),
        ("\ufefftest=\ufeff", [("\ufefftest", "\ufeff")]),
        ("%EF%BB%BFtest=%EF%BB%BF", [("\ufefftest", "\ufeff")]),
        ("%EF%BF%BF=%EF%BF%BF", [("\uffff", "\uffff")]),
        ("%FE%FF", [("\ufffd\ufffd", "")]),
        ("%FF%FE", [("\ufffd\ufffd", "")]),
        ("†&†=x", [("†", ""), ("†", "x")]),
        ("%C2", [("\ufffd", "")]),
        ("%C2x", [("\ufffdx", "")]),
        ("_charset_=windows-1252&test=%C2x", [("_charset_", "windows-1252"), ("test", "\ufffdx")]),
        ("", []),
        ("a", [("a", "")]),
        ("a=b", [("a", "b")]),
        ("a=", [("a", "")]),
        ("=b", [("", "b")]),
        ("&", []),
        ("&a", [("a", "")]),
        ("a&", [("a", "")]),
        ("a&a", [("a", ""), ("a", "")]),
        ("a&b&c", [("a", ""), ("b", ""), ("c", "")]),
        ("a=b&c=d", [("a", "b"), ("c", "d")]),
        ("a=b&c=d&", [("a", "b"), ("c", "d")]),
        ("&&&a=b&&&&c=d&", [("a", "b"), ("c", "d")]),
        ("a=a&a=b&a=c", [("a", "a"), ("a", "b"), ("a", "c")]),
        ("a==a", [("a", "=a")]),
        ("a=a+b+c+d", [("a", "a b c d")]),
        ("%=a", [("%", "a")]),
        ("%a=a", [("%a", "a")]),
        ("%a_=a", [("%a_", "a")]),
        ("%61=a", [("a", "a")]),
        ("%61+%4d%4D=", [("a MM", "")]),
        ("id=0&value=%", [("id", "0"), ("value", "%")]),
        ("b=%2sf%2a", [("b", "%2sf*")]),
        ("b=%2%2af%2a", [("b", "%2*f*")]),
        ("b=%%2a", [("b", "%*")]),
    ],
)


@each_form
def test_search_params(text: str, pairs: Pairs) -> None:
    assert list(URLSearchParams(text)) == pairs


@each_form
def test_parse_form(text: str, pairs: Pairs) -> None:
    assert parse_form(text) == pairs
    assert parse_form(text.encode()) == pairs
