"""url/urlsearchparams-append.any.js"""

from __future__ import annotations

import pytest

from weburl import URLSearchParams


def test_same_name() -> None:
    params = URLSearchParams()
    for value, expected in [("b", "a=b"), ("b", "a=b&a=b"), ("c", "a=b&a=b&a=c")]:
        params.append("a", value)
        assert str(params) == expected


def test_empty_strings() -> None:
    params = URLSearchParams()
    for expected in ["=", "=&="]:
        params.append("", "")
        assert str(params) == expected


def test_null() -> None:
    params = URLSearchParams()
    for expected in ["null=null", "null=null&null=null"]:
        params.append("null", "null")
        assert str(params) == expected


@pytest.mark.parametrize(("name", "value"), [(None, None), (None, "a"), ("a", None), ("a", 1.5)])
def test_what_is_not_text_or_a_number(name: str, value: str) -> None:
    params = URLSearchParams("a=b")
    with pytest.raises(TypeError):
        params.append(name, value)
    assert str(params) == "a=b"


def test_multiple() -> None:
    params = URLSearchParams()
    params.append("first", "1")
    params.append("second", "2")
    params.append("third", "")
    params.append("first", "10")
    assert params.has("first")
    assert params.get("first") == "1"
    assert params.get("second") == "2"
    assert params.get("third") == ""
    params.append("first", "10")
    assert params.get("first") == "1"
