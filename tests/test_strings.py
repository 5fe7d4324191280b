"""normalize and join, on strings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from weburl import URL, InvalidURL, join, normalize


class Text(str):
    pass


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HTTP://H:80/a/../b c?d e#f g", "http://h/b%20c?d%20e#f%20g"),
        ("http://h/", "http://h/"),
        ("x:a ?q", "x:a%20?q"),
        ("http://É", "http://xn--9ca/"),
    ],
)
def test_normalize(text: str, expected: str) -> None:
    assert normalize(text) == expected
    assert normalize(Text(text)) == expected
    assert type(normalize(Text(text))) is str


def test_normalize_keeps_what_is_normal() -> None:
    text = "".join(["http://h/", "a?b#c"])
    assert normalize(text) is text


def test_normalize_with_base() -> None:
    assert normalize("b", "http://h/a/c") == "http://h/a/b"
    assert normalize("b", base="http://h/a/c") == "http://h/a/b"
    assert normalize("b", URL("http://h/a/c")) == "http://h/a/b"
    assert normalize("http://h", None) == "http://h/"


def test_join() -> None:
    assert join("http://h/a/c?d#e", "b") == "http://h/a/b"
    assert join("http://h/a/c?d#e", "") == "http://h/a/c?d"
    assert join(URL("http://h/a"), "//o") == "http://o/"
    assert join("x:a", "#b") == "x:a#b"
    assert type(join(Text("http://h"), Text("b"))) is str


@pytest.mark.parametrize(
    ("call", "text", "base", "error"),
    [
        (lambda: normalize("x"), "x", None, "missing-scheme-non-relative-URL"),
        (lambda: normalize("//a b", "http://h"), "//a b", "http://h", "domain-to-ASCII"),
        (lambda: normalize("http://h", "x"), "http://h", "x", "base"),
        (lambda: join("http://h", "http://"), "http://", "http://h", "host-missing"),
        (lambda: join("x", "http://h/"), "http://h/", "x", "base"),
        (lambda: join("x:a", "b"), "b", "x:a", "missing-scheme-non-relative-URL"),
    ],
)
def test_failures(call: Callable[[], str], text: str, base: str | None, error: str) -> None:
    with pytest.raises(InvalidURL) as raised:
        call()
    assert (raised.value.input, raised.value.base, raised.value.error) == (text, base, error)


@pytest.mark.parametrize("value", [None, b"http://h/", 5, []], ids=repr)
def test_not_text(value: Any) -> None:
    calls: list[Callable[[], str]] = [
        lambda: normalize(value),
        lambda: join(value, "x"),
        lambda: join("http://h", value),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="str") as raised:
            call()
        assert "decode" in str(raised.value) or not isinstance(value, bytes)


def test_join_needs_both() -> None:
    with pytest.raises(TypeError):
        join("http://h")  # type: ignore[call-arg]
