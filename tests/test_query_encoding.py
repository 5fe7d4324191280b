"""`encoding` of normalize, join, URL.join, validate and explain: the same as of URL."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl import URL, InvalidURL, explain, join, normalize, validate

BASE = "https://example.com/a?b"
LABELS = [
    "utf-8",
    "UTF8",
    "latin1",
    "windows-1252",
    "shift_jis",
    "iso-2022-jp",
    "gb18030",
    "big5",
    "utf-16le",
    "x-user-defined",
]
REFS = [
    "?é", "?日本&q=1", "é?é#é", "//h/?é", "ws://h/?é", "x:/?é", "x:?é", "ftp://h/?é", "file:///?é", "?\ud800", "?😀'",
    "#é", "", "https://é.example/é?é", "https:?é", "?a%E9é",
]  # fmt: skip


class Sub(URL):
    pass


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("ref", REFS, ids=ascii)
def test_the_same_as_url(ref: str, label: str) -> None:
    expected = URL(ref, BASE, encoding=label).href
    assert normalize(ref, BASE, encoding=label) == expected
    assert normalize(ref, URL(BASE), encoding=label) == expected
    assert join(BASE, ref, encoding=label) == expected
    assert join(URL(BASE), ref, encoding=label) == expected
    joined = Sub(BASE).join(ref, encoding=label)
    assert type(joined) is Sub
    assert joined.href == expected
    assert validate(ref, BASE, encoding=label) == validate(ref, BASE)
    shown = re.search("\nhref    (.*)", explain(ref, BASE, encoding=label))
    assert shown
    assert shown[1] == expected


def test_only_the_query_depends_on_it() -> None:
    ref = "é?é#é"
    assert join(BASE, ref, encoding="latin1") == "https://example.com/%C3%A9?%E9#%C3%A9"
    # Neither does the query of the base, nor one of a scheme other than http, https, ftp and file.
    assert join("https://h/?é", "#x", encoding="latin1") == "https://h/?%C3%A9#x"
    assert normalize("ws://h/?é", encoding="latin1") == "ws://h/?%C3%A9"
    assert normalize("x:?é", encoding="latin1") == "x:?%C3%A9"
    assert normalize("http://h/?日", encoding="latin1") == "http://h/?%26%2326085%3B"


@given(st.text("aé日😀&#?'%+ \\\ud800", max_size=12), st.sampled_from(LABELS))
def test_any_query(text: str, label: str) -> None:
    ref = f"?{text}"
    expected = URL(ref, BASE, encoding=label).href
    assert join(BASE, ref, encoding=label) == URL(BASE).join(ref, encoding=label).href == expected
    assert normalize(expected) == expected
    shown = re.search("\nhref    (.*)", explain(ref, BASE, encoding=label))
    assert shown
    assert shown[1] == expected or "…" in shown[1]


def test_what_explain_says() -> None:
    text = explain("http://h/?q=é", encoding="windows-1252")
    assert "query encoded as windows-1252: 'q=é' -> 'q=%E9'" in text
    assert "#query-state" in text
    assert "query percent-encoded: 'é' -> %C3%A9" in explain("http://h/?q=é", encoding="utf8")
    assert "query percent-encoded: 'é' -> %C3%A9" in explain("x:?q=é", encoding="windows-1252")
    assert "encoded as" not in explain("HTTP://h/?q=e", encoding="windows-1252")
    assert "encoded as" not in explain("HTTP://h/é#é", encoding="windows-1252")
    # The bytes of a character depend on those before it.
    assert "'日本' -> '%1B$BF|K\\%1B(B'" in explain("http://h/?日本", encoding="iso-2022-jp")


CALLS: list[Callable[[Any], Any]] = [
    lambda label: normalize("http://h/", encoding=label),
    lambda label: join("http://h/", "x", encoding=label),
    lambda label: URL("http://h/").join("x", encoding=label),
    lambda label: validate("http://h/", encoding=label),
    lambda label: explain("http://h/", encoding=label),
]


@pytest.mark.parametrize("call", CALLS)
def test_labels(call: Callable[[Any], Any]) -> None:
    for label in ("bogus", "", "latin_1", "\ud800"):
        with pytest.raises(LookupError):
            call(label)
    for value in (None, 5, b"utf-8"):
        with pytest.raises(TypeError, match="encoding must be a str"):
            call(value)


def test_failures() -> None:
    for call in (normalize, lambda ref, encoding: join("x:y", ref, encoding=encoding)):
        with pytest.raises(InvalidURL) as raised:
            call("//h:x/?é", encoding="latin1")
        assert raised.value.position is not None
    # Keyword only: a second positional argument of join would be easy to mix up.
    with pytest.raises(TypeError):
        join("http://h/", "x", "latin1")  # type: ignore[call-arg, misc, unused-ignore]
    with pytest.raises(TypeError):
        normalize("x", "http://h/", "latin1")  # type: ignore[call-arg, misc, unused-ignore]
