"""URLPattern.explain(), weburl explain --pattern, and how far a pattern comes."""

from __future__ import annotations

from random import Random

import pytest
from test_pattern_automata import OPTIONS, Engine, automaton, inputs, parsed

from weburl import URL, InvalidURL, URLPattern
from weburl._patterns.component import Component
from weburl._patterns.parts import parse_pattern
from weburl._patterns.reach import needed, reach
from weburl.cli import main

BOOKS = URLPattern("https://*.example.com/books/:id")


def test_a_url_that_does_not_match() -> None:
    assert (
        BOOKS.explain("http://example.com:81/books/7/")
        == """\
href    http://example.com:81/books/7/

  protocol  fails    https          http
                                        ^ needs 's'
  username  matches  *
  password  matches  *
  hostname  fails    *.example.com  example.com
                                               ^ needs more
  port      fails                   81
                                    ^ needs the end
  pathname  fails    /books/:id     /books/7/
                                            ^ needs the end or anything but '/'
  search    matches  *
  hash      matches  *

It does not match."""
    )


def test_a_url_that_matches() -> None:
    pattern = URLPattern("https://{:sub.}?example.com/books/(\\d+)*")
    expected = """\
href    https://example.com/books/7?a#b

  protocol  matches  https                  https
  username  matches  *
  password  matches  *
  hostname  matches  {:sub.}?example.com    example.com
  port      matches
  pathname  matches  /books/(\\d+)*          /books/7
  search    matches  *                      a
  hash      matches  *                      b

It matches.
  hostname  sub: takes no part
  pathname  0: '7'"""
    expected = expected.replace("example.com    example.com", "example.com  example.com")
    for given in (
        ("https://example.com/books/7?a#b",),
        (URL("https://example.com/books/7?a#b"),),
        ("7?a#b", "https://example.com/books/"),
    ):
        lines = pattern.explain(*given).splitlines()
        assert [line.split() for line in lines] == [line.split() for line in expected.splitlines()]


def test_mappings() -> None:
    picture = BOOKS.explain({"hostname": "www.example.com", "pathname": "/books"})
    assert not picture.startswith("href")
    assert "  protocol  fails    https\n" + " " * 36 + "^ needs 'h'\n" in picture
    assert BOOKS.explain({"port": "none"}) == "It does not match: this is not a URL."
    assert BOOKS.explain() == BOOKS.explain({})
    with pytest.raises(TypeError, match="input must be a str, a URL or a mapping"):
        BOOKS.explain(5)  # type: ignore[arg-type]


def test_what_is_not_a_url_is_explained() -> None:
    for base in (None, URL("x:y")):
        assert BOOKS.explain("//a b", base).startswith("It does not match: this is not a URL.\n\n")
    with pytest.raises(InvalidURL, match=r"^base: The base 'no base' does not parse"):
        BOOKS.explain("/a", "no base")
    assert "\ufffd" not in BOOKS.explain("https://www.example.com/books/\ud800")


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("https://user:secret@example.com/a", "https://user:secret@example.com/b"),
        ("https://user:secret@example.com/a", "https://user:secretly@example.com/a"),
        ("https://user::x(secret)@example.com/*", "https://user:secret@example.com/a"),
        ("https://*@example.com/", "https://secret:secret@example.com/a"),
        ("blob\\:x", "blob:https://user:secret@example.com/"),
        ("*:*", "blob:https://user:secret@example.com/"),
        ("https://example.com/", "https://user:secret@exa mple.com/"),
    ],
)
def test_credentials_are_hidden(pattern: str, url: str) -> None:
    picture = URLPattern(pattern).explain(url)
    assert "secret" not in picture
    assert "***" in picture


def test_long_components() -> None:
    pattern = URLPattern(pathname="/" + "a" * 10_000 + "b")
    picture = pattern.explain("https://example.com/" + "a" * 20_000)
    assert max(map(len, picture.splitlines())) < 250
    assert f"…{'a' * 40}{'a' * 20}…\n" in picture
    # A fixed text has no limit of states.
    assert "^ needs 'b'" in picture


def test_a_pattern_that_takes_too_long() -> None:
    """The place where it stops is left out, and all else is there."""
    pattern = URLPattern(pathname="*a" * 300 + "!")
    for length, stops in ((500, 1), (9000, 0)):
        picture = pattern.explain("https://example.com/" + "a" * length)
        assert picture.count("^ needs") == stops
        assert "pathname  fails" in picture


def test_other_characters_in_patterns() -> None:
    picture = URLPattern(pathname="/:\u65e5\u672c-:\u05d0", hash="x").explain("https://example.com/a-b")
    assert picture.isascii() or "\u65e5" in picture
    assert picture.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("text", "subject", "place", "expected"),
    [
        ("", "", 0, "needs the end"), ("", "x", 0, "needs the end"), ("abc", "", 0, "needs 'a'"),
        ("abc", "abd", 2, "needs 'c'"),
        ("abc", "abcd", 3, "needs the end"), ("*", "a", 1, "needs the end or more"),
        ("a{b}?", "ac", 1, "needs the end or 'b'"),
        ("([ab])", "c", 0, "needs 'a' or 'b'"), ("([abc])", "d", 0, "needs 'a' to 'c'"),
        ("([a-c0x-y])", "d", 0, "needs '0', 'a' to 'c', 'x' or 'y'"),
        ("([^\\/?])", "", 0, "needs anything but '/' and '?'"),
        ("([])", "a", 0, "nothing can follow"), ("(a\\b)b", "ab", 1, "nothing can follow"),
        ("(ab|ac|b)x", "acb", 2, "needs 'x'"),
        ("(a*)(b|c)", "aaad", 3, "needs 'a' to 'c'"), ("(?i:a)", "b", 0, "needs 'A' or 'a'"),
        ("(^a)", "b", 0, "needs 'a'"),
        ("a(\\Bb)", "ac", 1, "needs 'b'"), ("((?:a|b$))c", "b", 1, "needs 'c'"),
    ],
)  # fmt: skip
def test_how_far(text: str, subject: str, place: int, expected: str) -> None:
    if text.startswith("(?"):
        text = f"({text})"
    component = Component(tuple(parse_pattern(text, OPTIONS[0], str)), OPTIONS[0], str)
    found = reach(component, subject)
    assert found is not None
    assert found.place == place
    assert needed(found) == expected


@pytest.mark.parametrize("seed", range(4))
def test_reach_agrees_with_the_engine(seed: int) -> None:
    """A text matches if the pattern can end at its end; and the start up to the place is the longest that can go on."""
    random = Random(seed)
    for number in range(150):
        options = OPTIONS[number % len(OPTIONS)]
        parts = parsed(random, True, options)
        component = Component(parts, options, str)
        engine = Engine(automaton(parts, options))
        for text in inputs(random, parts):
            found = reach(component, text)
            assert found is not None
            matches = found.place == len(text) and found.may_end
            assert matches == (engine.groups(text) is not None), (parts, text)
            if found.place < len(text):
                assert not found.mask >> ord(text[found.place]) & 1


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    pattern = "https://*.example.com/books/:id"
    for url, status in (("https://www.example.com/books/7", 0), ("https://www.example.com/book/7", 1), ("//", 1)):
        assert main(["explain", "--pattern", pattern, url]) == status
        assert capsys.readouterr().out == f"{BOOKS.explain(url)}\n"
    assert main(["explain", "--pattern", "/books/:id", "--base", "https://a.example.com/", "books/7"]) == 0
    assert "id: '7'" in capsys.readouterr().out
    assert main(["explain", "--pattern", "https://example.com/:a/:a", "x"]) == 2
    err = capsys.readouterr().err
    shown = f"  https://example.com/:a/:a\n{' ' * 24}^\n"
    assert err.endswith(f"weburl: --pattern: two groups have the name 'a' in the pathname:\n{shown}")
    assert main(["explain", "--pattern", "https://user:secret@example.com/:a/:a", "x"]) == 2
    assert "secret" not in capsys.readouterr().err
    assert main(["explain", "--pattern", "/:a", "x"]) == 2
    assert "weburl: --pattern: a relative pattern needs a base" in capsys.readouterr().err
