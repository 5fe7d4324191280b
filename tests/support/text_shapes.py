"""Texts with URLs: hostile ones at random, and shapes that grow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from logging import LogRecord
from random import Random
from typing import Any

from weburl._redact.stream import TextStream
from weburl.ext.logging import RedactingFilter
from weburl.text import URLSpan, defang, find_urls, refang, replace_urls

PIECES = (
    "http://", "https://", "ws://", "HTTP://", "hxxp://", "hxxps[:]//", "ftp[://]", "file:///", "ssh://", "git+https://",
    "www.", "WWW.", "www[.]", "http:\\/\\/", "http:&#x2f;/", "a", "b.com", "example.com", "co.uk", "x.zip", "1.2.3.4",
    "[::1]", "[", "]", "(", ")", "{", "}", "<", ">", '"', "'", "`", "|", " ", "\n", "\t", "\x00", "\x7f", ".", ",",
    ";", ":", "!", "?", "*", "_", "~", "-", "/", "\\", "#", "@", ":80", ":99999", "&", "&amp;", "&quot;", "&#39;",
    "&#x41;", "&lt;", "%", "%41", "\\n", "\\t", "\\u0041", "\\u0020", "\\ud83d\\ude00", "\\ud83d", "\\/", '\\"', "\\\\",
    "[.]", "(dot)", "{.}", "[:]", "[/]", "[@]", "é", "例子", "。", "，", "（", "）", "「", "」", "“", "”", "…",
    "\u00a0", "\u3000", "\u2003", "\u200b", "\x85", "😀", "ß", "user:pw@", "=", "+", "$", "^", "wwww.", "xn--a", "..",
    "://", "//", ":/", "\ud800",
)  # fmt: skip
SCHEMES = (
    ("http", "https", "ws", "wss", "ftp"), ("http", "https"), ("ssh", "file", "git+https", "https"), ("http",),
)  # fmt: skip
SYNTAXES = ("text", "json", "html", "markdown", "shell")


def hostile_text(random: Random) -> str | bytes:
    """A str, or bytes of which some are not UTF-8."""
    text = "".join(
        random.choice(PIECES[:21] if random.random() < 0.3 else PIECES) for _ in range(random.randrange(1, 14))
    )
    if random.random() < 0.6:
        return text
    data = bytearray(text.replace("\ud800", "\udcff").encode("utf-8", "surrogateescape"))
    for _ in range(random.choice((0, 0, 1, 2))):
        data[random.randrange(len(data))] = random.randrange(256)
    return bytes(data)


def options(random: Random) -> dict[str, Any]:
    return {
        "schemes": random.choice(SCHEMES), "bare": random.random() < 0.4,
        "syntax": random.choice(("text", *SYNTAXES)), "defanged": random.random() < 0.4,
    }  # fmt: skip


# What is repeated, in a text of its own or after a beginning.
SHAPES = (
    "http://", "http://a", "http://a/", "http://a.", "http://@", "http://:", "http://[", "http://a@", "http://%",
    "http://é", "http://a ", "http://a,", "www.", "www.a", "www.a:", "www.a,", "www.a.b,", "www.a@", "w", ":/", "://",
    "a.", "a.com ", "a.com:", "a.com/", "a.com@", "a.com,", "_www.a.com:", "foo.ws://", "a", ".", "(", ")", "[", "]",
    "()", "http://a/)", "http://a/(", "http://a/，", "http://a/）", "http://a/.", "\\", "\\n", "\\/", "http:\\/\\/",
    "&amp;", "&#", "&#x2f;", "hxxp[:]//", "[.]", "(dot)", "[:]", "[://]", "\\u0041", "\\ud83d", "é", "，", "\xff",
)  # fmt: skip
# Of one line that is redacted in parts.
PART_SHAPES = (
    "a", "\\", '\\"', '"', "'", " ", "token=", "?token=1 ", "&token=1", "https://u:p@h/", "/?a=\\x22&b=", "<",
    "Cookie: ", "cookie=", '"cookie":["a=1",', '"cookie":\n', '"name":"cookie",\n', "kie", "\x1b[1m",
    "Authorization: Digest a=\"", "x-api-key: ", '"api_key":["a",', "&auth_token=", '"api-key":\n',
    "password=", "password: ", '"secret":\n', "&passwd=", '"password":["a",', "passphrase",
)  # fmt: skip
# Of a message of logging that does not fit its arguments.
MESSAGE_SHAPES = ("%0", "0", "%(", "%(a", "%(a)", "%.", "%*", "% ", "%(a)0", "\\", "%%", "%s ", "%d")
BEGINNINGS = ("", "http://a/", "http://", "www.a.com/", "x.com/")


def repeated(unit: str, beginning: str, n: int) -> str:
    return beginning + unit * (n // len(unit))


def random_units(count: int) -> Iterator[str]:
    """What is repeated, of pieces that nobody chose."""
    random = Random(1)
    for _ in range(count):
        yield "".join(random.choices(PIECES[:-1], k=random.randrange(1, 6)))


def text_cases() -> Iterator[tuple[str, Callable[[int], Any], Callable[[Any], object]]]:
    """Rows of shapes.CASES: each shape with some of the options."""
    works = [
        (f"{syntax}{', bare' * bare}{', defanged' * defanged}",
         partial(find_urls, syntax=syntax, bare=bare, defanged=defanged))  # type: ignore[arg-type]
        for syntax in SYNTAXES for bare in (False, True) for defanged in (False, True)
    ]  # fmt: skip
    for index, unit in enumerate(SHAPES):
        beginning = BEGINNINGS[index % len(BEGINNINGS)]
        for step in range(4):
            name, work = works[(index * 7 + step * 5) % len(works)]
            yield f"text: {unit!a} after {beginning!a}, {name}", partial(repeated, unit, beginning), work
    changes: dict[str, Callable[[str], object]] = {
        "defanged": defang, "defanged, bare": partial(defang, bare=True), "refanged": refang,
        "replaced": partial(replace_urls, function=URLSpan.__str__, bare=True),
    }  # fmt: skip
    for index, unit in enumerate((*SHAPES, *random_units(100))):
        beginning = BEGINNINGS[index % len(BEGINNINGS)]
        for name in (*changes, *changes)[index % 4 :][:2]:
            yield f"text: {unit!a} after {beginning!a}, {name}", partial(repeated, unit, beginning), changes[name]
    for unit in PART_SHAPES:
        yield f"text in parts: {unit!a}", partial(repeated, unit, "x "), redacted_in_parts
    for unit in MESSAGE_SHAPES:
        for given in ((1,), ({"b": 1},), ("a", "token=b")):
            yield f"message: {unit!a} with {given}", partial(repeated, unit, "%"), partial(logged, given)


def logged(given: tuple[object, ...], message: str) -> None:
    RedactingFilter().filter(LogRecord("a", 20, "a.py", 1, message, given, None))


def redacted_in_parts(text: str) -> None:
    """A line in sixteen parts."""
    stream, data = TextStream(), text.encode()
    size = len(data) // 16 + 1
    for begin in range(0, len(data), size):
        stream.redact(data[begin : begin + size])
    stream.finish()
