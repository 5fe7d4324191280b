"""weburl explain and weburl diff."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise

import pytest
from support.command import run
from support.shapes import SHAPES

from weburl import URL, explain
from weburl.cli import main


@pytest.mark.parametrize(
    ("url", "base", "status"),
    [
        ("https://user@ex ample.com:80/../a b", None, 1),
        ("HTTP://h:80/a b", None, 0),
        ("../c", "https://example.com/a/b", 0),
        ("../c", None, 1),
        ("x", "no base", 1),
        ("", "http://h", 0),
        ("\udcff\x1b[31m\u202e", "http://h", 0),
    ],
)
def test_explain(url: str, base: str | None, status: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *(["--base", base] if base is not None else []), "--", url]) == status
    out, err = capsys.readouterr()
    assert out == explain(url.replace("\udcff", "\ufffd"), base) + "\n"
    assert out.replace("\n", "").isprintable()
    assert err == ""


@pytest.mark.parametrize(
    ("a", "b", "href"),
    [
        ("HTTP://Example.com:80/a/../b", "http://example.com/b", "http://example.com/b"),
        ("http://bücher.example", "http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
        ("http://0x7f.1/", "http://127.0.0.1", "http://127.0.0.1/"),
        ("http://u:secret@h", "http://u:secret@h/", "http://***@h/"),
        ("blob:http://u:secret@h", "blob:http://u:secret@h", "blob:http://***@h"),
    ],
)
def test_the_same(a: str, b: str, href: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", a, b]) == 0
    assert capsys.readouterr().out == f"The same URL: '{href}'\n"


def differing(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["diff", *arguments]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_different(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        differing(capsys, "http://u:a@example.com/a?q=1&r#x", "https://u:b@example.org:81/a?q=2&r")
        == """\
Not the same URL: scheme, password, host, port, query, fragment.

- scheme    http
+ scheme    https
                ^
  username  ***
- password  ***
+ password  ***
            (the hidden text differs)
- host      example.com
+ host      example.org
                    ^
- port      (none)
+ port      81
  path      /a
- query     q=1&r
+ query     q=2&r
              ^
- fragment  x
+ fragment  (none)
"""
    )


@pytest.mark.parametrize(
    ("a", "b", "last"),
    [
        ("http://h/", "http://h/?", ["- query     (none)", "+ query     (empty)"]),
        ("http://h/#", "http://h/", ["- fragment  (empty)", "+ fragment  (none)"]),
        ("file:///", "x:/", ["- host      (empty)", "+ host      (none)", "  path      /"]),
        ("mailto:ab", "mailto:abc", ["- path      ab", "+ path      abc", "              ^"]),
        (
            "blob:http://u:a@h",
            "blob:http://u:b@h",
            ["+ path      http://***@h", "            (the hidden text differs)"],
        ),
        (
            "http://h/?token=abc&q=1",
            "http://h/?token=abd&q=1",
            ["- query     token=***&q=1", "+ query     token=***&q=1", "            (the hidden text differs)"],
        ),
        (
            "http://h/?token=abc&q=1",
            "http://h/?token=abc&q=2",
            ["+ query     token=***&q=2", "                        ^"],
        ),
        (
            "http://h/?sig=abc#access_token=abc",
            "http://h/?sig=abc#x",
            ["  query     sig=***", "- fragment  access_token=***", "+ fragment  x", "            ^"],
        ),
        ("x:/.//a", "x://a", ["- path      //a", "+ path      (empty)"]),
    ],
)
def test_where_they_differ(a: str, b: str, last: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert differing(capsys, a, b).splitlines()[-len(last) :] == last


def test_long_parts(capsys: pytest.CaptureFixture[str]) -> None:
    """The text that is shown has the place where they differ."""
    same = "a" * 1000
    lines = differing(capsys, f"http://h/{same}b{same}", f"http://h/{same}c{same}").splitlines()
    ours, theirs, marker = lines[-3:]
    assert max(map(len, lines)) < 120
    assert (ours[len(marker) - 1], theirs[len(marker) - 1], marker.strip()) == ("b", "c", "^")
    assert ours.startswith("- path      …aaa")
    assert ours.endswith("aaa…")


def test_with_a_base_and_without_fragments(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--base", "https://example.com/a/", "../b", "https://example.com/b#c"]
    assert differing(capsys, *arguments).startswith("Not the same URL: fragment.\n")
    assert main(["diff", "--ignore-fragment", *arguments]) == 0
    assert capsys.readouterr().out == "The same URL: 'https://example.com/b'\n"


def test_no_token_of_two_equal_urls(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "http://u:p@h/?token=abc", "HTTP://u:p@H/?token=abc"]) == 0
    assert capsys.readouterr().out == "The same URL: 'http://***@h/?token=***'\n"


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["http://a b", "http://h"], ["A"]),
        (["http://h", "http://a b"], ["B"]),
        (["x", "x"], ["A", "B"]),
        (["http://u:secret@h:x", "//\x1b[31m"], ["A", "B"]),
    ],
)
def test_what_is_not_a_url(arguments: list[str], names: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    out = differing(capsys, *arguments)
    assert [line.partition(" is not a URL: ")[0] for line in out.splitlines()] == names
    assert "secret" not in out
    assert out.replace("\n", "").isprintable()


def test_every_difference_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """No pair of URLs makes it fail."""
    texts = [shape(40) for shape in SHAPES.values()]
    urls = [text for text in texts if URL.can_parse(text)]
    assert len(urls) > 10
    for a, b in pairwise(urls):
        status = main(["diff", "--", a, b])
        out = capsys.readouterr().out
        assert status == (URL(a) != URL(b))
        if status:
            first, _, rest = out.partition("\n")
            named = first.removeprefix("Not the same URL: ").removesuffix(".").split(", ")
            assert named == [line.split()[1] for line in rest.splitlines() if line.startswith("-")]


def test_an_encoding_that_lacks_characters() -> None:
    """Characters that the output's encoding does not have are escaped."""
    done = subprocess.run(
        [sys.executable, "-m", "weburl", "explain", "http://é.example/"],
        env=os.environ | {"PYTHONIOENCODING": "ascii"}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("input   http://\\xe9.example/\n")


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "http://h/"]) == 2
    assert main(["explain"]) == 2
    assert capsys.readouterr().out == ""


def test_an_invalid_base(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "--base", "x", "a", "b"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "weburl: --base: missing-scheme-non-relative-URL in 'x': " in err


@pytest.mark.parametrize(
    "texts",
    [
        ("http://user:hunter2@h/", "http://user:hunter22@h/"), ("http://hunter2@h/", "http://h/"),
        ("blob:http://u:hunter2@h/", "blob:http://u:hunter22@h/"), ("http://u:hunter2@h:x", "http://u:hunter2@a b"),
        ("http://u:hunter2/x@h/", "http://u:99999?hunter2@h/"), ("http://hunter2 :x/@h", "//u:hunter2@h"),
        ("http://h/\x1b[31m\u202e\udc9b", "x:\x9b31m\x00"), ("\ud800", "\x07"), ("-", "-"), ("", " \t\n"),
        ("http://h/" + "a" * 99_999, "http://h/" + "a" * 99_998), ("x:" + "@" * 9999, "x:a" + "//u:p@" * 999),
    ],
)  # fmt: skip
def test_hostile_inputs(texts: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """What is said can be shown by a terminal, is short, and has no password."""
    for a, b in (texts, texts[::-1], texts[:1] * 2):
        status = main(["diff", "--", a, b])
        out, err = capsys.readouterr()
        is_same = URL.can_parse(a) and URL.can_parse(b) and URL(a) == URL(b)
        assert (status, err) == (0 if is_same else 1, "")
        assert out.replace("\n", "").isprintable()
        assert "hunter2" not in out
        assert "The same URL" in out or max(map(len, out.splitlines())) < 400


@pytest.mark.skipif(os.name == "nt", reason="arguments in bytes are a matter of POSIX")
def test_bytes_that_are_no_text() -> None:
    """Python gives them as surrogates, which no argument has."""
    command: list[str | bytes] = [sys.executable, "-m", "weburl", "explain", b"http://a/\xff"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0
    assert b"surrogate" not in done.stdout
    assert b"/%EF%BF%BD" in done.stdout
    done = subprocess.run([*command, "--base", b"http://\xff", "--pattern", b"/\xff"], capture_output=True, check=False)
    assert b"surrogate" not in done.stdout + done.stderr


def test_the_url_of_a_page() -> None:
    ended = run("links", "--base", "bad", stdin="<a href=x>")
    assert ended.status == 2
    assert ended.err.splitlines()[-1].startswith("weburl: --base: missing-scheme-non-relative-URL")
    # As in the other commands.
    assert ended.err.splitlines()[-1] == run("--base", "bad", "x").err.splitlines()[-1]
    assert run("links", "--url", "http://h/", stdin="<a href=x>").status == 2


@pytest.mark.parametrize("base", ["nope", ""])
def test_a_base_that_does_not_parse_is_explained_with_a_pattern_too(base: str) -> None:
    plain = run("explain", "https://example.com/7", "--base", base)
    done = run("explain", "https://example.com/7", "--base", base, "--pattern", "https://*/7")
    assert (done.status, done.out, done.err) == (plain.status, plain.out, plain.err)
    assert (done.status, done.err) == (1, "")
