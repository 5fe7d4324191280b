"""Sentences whose URLs are known: words, punctuation and brackets around URLs, and what only looks like a URL."""

from __future__ import annotations

import html
import json
import shlex
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

WORDS = (
    "the", "page", "at", "Siehe", "voilà", "смотри", "参照", "见", "انظر", "12:34:56", "10.0.0.1", "v1.2.3", "e.g.",
    "C:\\new", "foo::bar", "a/b", "http:", "//cdn", "http://", "www.", "ada@example.com", "x=1&y=2", "100%", "#tag",
    "50:50", "😀", "-", "--data", "GET", "HTTP/1.1", "200", "[info]", "key:value", "mailto:ada@example.com", "xhttp://no.example",
    "htp://no.example",
)  # fmt: skip
BEFORE = ("", "(", "[", '"', "<", "'", "“", "«", "（", "「", "{", "url=", "url:", "*", "`", ">", "，", "(see ")
AFTER = (
    "",
    ".",
    ",",
    ";",
    ":",
    "!",
    "?",
    "...",
    ".)",
    "),",
    '"',
    ">",
    "'",
    "”.",
    "»",
    "）",
    "」。",
    "}",
    "]",
    "`",
    "*",
    "。",
    "，",
)
LETTERS = "abcdefghijklmnopqrstuvwxyz"
HOSTS = (
    "example.com", "www.example.co.uk", "localhost", "bücher.example", "例え.jp", "xn--bcher-kva.example", "127.0.0.1",
    "[::1]", "[2001:db8::7]", "a-b.example.org", "x_y.example.net", "EXAMPLE.com", "t.co",
)  # fmt: skip
NAMES = ("example.com", "shop.example.co.uk", "a-b.example.org", "例子.com")
SEGMENTS = (
    "a", "index.html", "caf%C3%A9", "été", "日本", "a-b_c~d", "x=1;y=2", "2026", "(a)", "b_(c)", "{id}", "a,b", "it's",
    "@me", "a:b", "v1.2", "$x", "+1", "!a", "*b*c", "[a]", "a|b", "^", "\\x",
)  # fmt: skip


class Sentence(NamedTuple):
    """A text, its URLs as they are written and what they are, and how it is to be read."""

    text: str
    urls: list[tuple[str, str]]
    options: dict[str, Any]


def path(random: Random) -> str:
    """A path, a query and a fragment; its last character is one that a URL ends with."""
    text = "".join(f"/{random.choice(SEGMENTS)}" for _ in range(random.randrange(4)))
    if random.random() < 0.4:
        text += "?" + "&".join(
            f"{name}={random.choice(SEGMENTS)}" for name in random.sample(LETTERS, random.randrange(1, 4))
        )
    if random.random() < 0.2:
        text += f"#{random.choice(SEGMENTS)}"
    return text + random.choice(("", "/", "x", "7")) if text else text


def url(random: Random) -> str:
    scheme = random.choice(("http", "https", "https", "https", "ftp", "ws", "wss", "HTTP", "Https"))
    user = random.choice(("", "", "", "", "ada@", "ada:pw@"))
    port = random.choice(("", "", "", ":8080", ":1"))
    text = f"{scheme}://{user}{random.choice(HOSTS)}{port}{path(random)}"
    return text if text[-1].isalnum() or text[-1] in "/]" else text + "/"


# How a URL is written: the text, what it means, and what is before and after it.
Writer = Callable[[Random], tuple[str, str, str, str]]


def around(random: Random) -> tuple[str, str]:
    return random.choice(BEFORE), random.choice(AFTER)


def plain(random: Random) -> tuple[str, str, str, str]:
    text = url(random)
    return (text, text, *around(random))


def www(random: Random) -> tuple[str, str, str, str]:
    text = f"www.{random.choice(NAMES)}{path(random)}"
    text = text if text[-1].isalnum() or text[-1] == "/" else text + "/"
    return (text, f"http://{text}", *around(random))


def bare(random: Random) -> tuple[str, str, str, str]:
    text = random.choice(NAMES) + path(random)
    text = text if text[-1].isalnum() or text[-1] == "/" else text + "/"
    return (text, f"http://{text}", *around(random))


def defanged(random: Random) -> tuple[str, str, str, str]:
    meaning = f"{random.choice(('http', 'https', 'ftp'))}://{random.choice(NAMES)}/{random.choice(('', 'a', 'b.js'))}"
    dot = random.choice(("[.]", "(.)", "{.}", "[dot]", "(dot)", "[DOT]"))
    scheme, _, rest = meaning.partition("://")
    text = scheme.replace("t", "x") + random.choice(("[:]//", "://", "[://]")) + rest.replace(".", dot)
    return (text, meaning, *around(random))


def in_json(random: Random) -> tuple[str, str, str, str]:
    meaning = url(random)
    text = json.dumps(meaning, ensure_ascii=random.random() < 0.5)[1:-1]
    if random.random() < 0.5:
        text = text.replace("/", "\\/")
    if random.random() < 0.5:
        text = text.replace("&", "\\u0026")
    return text, meaning, '"', '"'


def in_html(random: Random) -> tuple[str, str, str, str]:
    meaning = url(random).replace("'", "")
    text = html.escape(meaning)
    if random.random() < 0.3:
        text = text.replace("&amp;", "&#38;").replace("/", "&#x2F;")
    return (
        text,
        meaning,
        *random.choice((('<a href="', '">'), ("<a href='", "'>"), ("<b>", "</b>"), ("&lt;", "&gt;"))),
    )


def in_markdown(random: Random) -> tuple[str, str, str, str]:
    meaning = url(random).replace("|", "").replace("\\", "").replace("[a]", "a")
    return (
        meaning,
        meaning,
        *random.choice((("[a](", ")"), ("_", "_"), ("**", "**"), ("<", ">"), ("|", "|"), ("[", "]"))),
    )


def in_shell(random: Random) -> tuple[str, str, str, str]:
    meaning = url(random).replace("'", "").replace("|", "").replace("\\", "")
    if random.random() < 0.5:
        text = shlex.quote(f"{meaning}&")[1:-2]
        return text, meaning, "'", "'"
    text = meaning.replace("&", "\\&").replace("?", "\\?").replace("(", "\\(").replace(")", "\\)")
    return text, meaning, "", random.choice(("", "|jq", ";"))


WRITERS: tuple[tuple[Writer, dict[str, Any]], ...] = (
    (plain, {}), (plain, {}), (plain, {}), (www, {}), (bare, {"bare": True}), (defanged, {"defanged": True}),
    (in_json, {"syntax": "json"}), (in_html, {"syntax": "html"}), (in_markdown, {"syntax": "markdown"}),
    (in_shell, {"syntax": "shell"}),
)  # fmt: skip


def sentence(random: Random) -> Sentence:
    write, options = random.choice(WRITERS)
    parts: list[str] = []
    urls: list[tuple[str, str]] = []
    for _ in range(random.randrange(1, 9)):
        if random.random() < 0.6:
            parts.append(random.choice(WORDS))
            continue
        text, meaning, before, after = write(random)
        parts.append(before + text + after)
        urls.append((text, meaning))
    if "syntax" in options:
        # Words that have another meaning there.
        parts = [part for part in parts if part not in WORDS or part.isalnum()]
    if options.get("bare"):
        parts = [part for part in parts if part not in WORDS or "." not in part]
    return Sentence(" ".join(parts), urls, options)
