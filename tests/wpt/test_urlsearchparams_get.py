"""url/urlsearchparams-get.any.js"""

from __future__ import annotations

import pytest

from weburl import URLSearchParams


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("a=b&c=d", "a", "b"),
        ("a=b&c=d", "c", "d"),
        ("a=b&c=d", "e", None),
        ("a=b&c=d&a=e", "a", "b"),
        ("=b&c=d", "", "b"),
        ("a=&c=d&a=e", "a", ""),
        ("first=second&third&&", "first", "second"),
        ("first=second&third&&", "third", ""),
        ("first=second&third&&", "fourth", None),
    ],
)
def test_get(text: str, name: str, value: str | None) -> None:
    params = URLSearchParams(text)
    assert params.has(name) is (value is not None)
    assert params.get(name) == value
