"""urlpattern/urlpattern-constructor.any.js"""

from __future__ import annotations

import pytest

from weburl import URL, PatternError, URLPattern


@pytest.mark.parametrize("text", ["https://example.org/%(", "https://example.org/%(("])
def test_unclosed_token_of_a_url(text: str) -> None:
    with pytest.raises(PatternError):
        URLPattern(URL(text).href)


def test_unclosed_token() -> None:
    with pytest.raises(PatternError):
        URLPattern("(\\")


def test_no_arguments() -> None:
    assert URLPattern().test("https://example.org/")
