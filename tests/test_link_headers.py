"""link_header: the header Link, against a reader that follows RFC 8288 step by step."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from weburl import InvalidURL
from weburl.crawl import fingerprint, link_header

BASE = "https://www.page.example/dir/page?q"


def shown(value: bytes | str) -> list[tuple[Any, ...]]:
    return [(row["href"], row["rel"], row["text"], row["anchor"]) for row in link_header(value, BASE)]


def test_the_columns() -> None:
    table = link_header('</x>; rel="next prev"; title=T; hreflang=de; type="a/b"; anchor="#y"', BASE)
    assert table.to_pylist() == [{
        "kind": "link", "tag": None, "attribute": "Link", "value": "/x", "text": "T", "rel": "next prev",
        "hreflang": "de", "type": "a/b", "anchor": "#y", "href": "https://www.page.example/x",
        "registrable_domain": "page.example", "key": fingerprint("https://www.page.example/x"), "error": None,
    }]  # fmt: skip
    assert (table.base, table.canonical, table.warnings, bool(table.robots)) == (BASE, None, (), False)
    assert link_header("", BASE).column_names == table.column_names


X = "https://www.page.example/dir/x"


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        ("", []), (" ,, ,\t", []), ("x", []), ("<", []), ("<x", []), (">", []), ("<x>", [(X, None, None, None)]),
        ("<>", [(BASE, None, None, None)]), (" < x > ", [(X, None, None, None)]), (",,<x>,,", [(X, None, None, None)]),
        ("<x>;rel=a", [(X, "a", None, None)]), ("<x> \t; \tRel \t= \ta \t; b", [(X, "a", None, None)]),
        ("<x>;rel=a;rel=b", [(X, "a", None, None)]), ("<x>;rel", [(X, "", None, None)]),
        ("<x>;rel=", [(X, "", None, None)]), ('<x>;rel=""', [(X, "", None, None)]),
        ('<x>;rel="a\\"\\\\b, <y>; c=d"', [(X, 'a"\\b, <y>; c=d', None, None)]),
        ('<x>;rel="a', [(X, "a", None, None)]), ('<x>;rel="a\\', [(X, "a", None, None)]),
        ('<x>;rel="a\\\\"', [(X, "a\\", None, None)]), ("<x>;rel=a b", [(X, "a b", None, None)]),
        ("<x>;rel='a;b'", [(X, "'a", None, None)]), ("<x>;;;rel=a;", [(X, "a", None, None)]),
        ("<x,y;z>;rel=a", [(f"{X},y;z", "a", None, None)]), ("<x>;=b;rel=a", [(X, "a", None, None)]),
        # What is not a link is skipped, up to a comma.
        ('<x> junk ";,<no>" , <x>', [(X, None, None, None)] * 2), ("junk,<x>", [(X, None, None, None)]),
        ('junk "," <no>, <x>', [(X, None, None, None)]), ('<x>;a="b"c;rel=d,<x>', [(X, None, None, None)] * 2),
        ("<x>,<x,<x>", [(X, None, None, None), ("https://www.page.example/dir/x,%3Cx", None, None, None)]),
        ("<http://a b/>", [(None, None, None, None)]), ("<x>;anchor=''", [(X, None, None, "''")]),
        ("<x>;title=a;title*=UTF-8'en'%e2%82%ac%20b", [(X, None, "€ b", None)]),
        ("<x>;title*=iso-8859-1''%A3;title=a", [(X, None, "£", None)]),
        ("<x>;title*=x''a;title=b", [(X, None, "b", None)]),
        ("<x>;title*=UTF-8''%ff", [(X, None, "\ufffd", None)]), ("<x>;title*=UTF-8;title=b", [(X, None, "b", None)]),
        ("<x>;TITLE=é", [(X, None, "é", None)]), ("<x\0>\0;rel=\0", [(X, None, None, None)]),
    ],
)  # fmt: skip
def test_values(value: str, rows: list[Any]) -> None:
    assert shown(value) == rows


def test_bytes_are_as_in_a_redirect() -> None:
    (row,) = link_header(b'<caf\xe9?\xe9\xc3\xa9>; title="\xc3\xa9\xe9"; rel=\xe9', BASE)
    assert (row["href"], row["text"]) == ("https://www.page.example/dir/caf%E9?%E9%C3%A9", "é\ufffd")
    (row,) = link_header("<café?é>; title=é", BASE)
    assert (row["href"], row["value"]) == ("https://www.page.example/dir/caf%C3%A9?%C3%A9", "café?é")
    # Lone surrogates are as in a URL.
    (row,) = link_header("<\udc80>; title=\ud800; anchor=\udfff; rel=\udbff", BASE)
    assert row["href"] == "https://www.page.example/dir/%EF%BF%BD"
    assert {row[name] for name in ("value", "text", "anchor", "rel")} == {"\ufffd"}


@pytest.mark.parametrize(
    ("parameters", "kinds"),
    [
        ("rel=next", ["link"]), ("rel=NEXT", ["link"]), ("rel=preload;as=style", ["style"]), ("rel=preload", [None]),
        ('rel="alternate stylesheet"', ["style"]), ('rel="icon next"', ["image", "link"]), ("rel=preconnect", [None]),
        ("rel=modulepreload", ["script"]), ("", [None]), ("rel=https://example.com/relation", [None]),
    ],
)  # fmt: skip
def test_kinds(parameters: str, kinds: list[str | None]) -> None:
    assert link_header(f"<x>;{parameters}", BASE)["kind"].to_pylist() == kinds


def test_the_canonical_url_and_languages() -> None:
    value = (
        "<//:80/>;rel=canonical, <o>;rel=canonical;anchor='', <c>;rel='x', <d>;rel=\"next Canonical\""
        ", <e>;rel=canonical, <f>;rel=alternate;hreflang=de;hreflang=de-AT"
    )
    table = link_header(value, BASE)
    assert table.canonical == "https://www.page.example/dir/d"
    assert table["hreflang"].to_pylist()[-1] == "de, de-AT"
    assert table.errors == {"host-missing": 1}


def test_arguments() -> None:
    with pytest.raises(TypeError, match="value must be bytes or a str, not int"):
        link_header(1, BASE)  # type: ignore[arg-type]
    with pytest.raises(InvalidURL) as raised:
        link_header("", "x")
    assert raised.value.error == "base"
    with pytest.raises(ValueError, match="11000 links and a base of 1"):
        link_header("<x>," * 11_000, BASE + "/" * 100_000)
    (row,) = link_header("<x#f>", BASE, policy="whatwg")
    assert row["key"] == fingerprint(f"{X}#f", "whatwg")


# https://www.rfc-editor.org/rfc/rfc8288#appendix-B.2, #appendix-B.3 and #appendix-B.4, a character at a time.
def by_the_rfc(text: str) -> list[tuple[str, list[tuple[str, str]]]]:
    links: list[tuple[str, list[tuple[str, str]]]] = []
    i = 0

    def skip(characters: str) -> None:
        nonlocal i
        while i < len(text) and text[i] in characters:
            i += 1

    def take(until: str) -> str:
        nonlocal i
        start = i
        while i < len(text) and text[i] not in until:
            i += 1
        return text[start:i]

    def quoted() -> str:
        nonlocal i
        i += 1
        output = ""
        while i < len(text):
            if text[i] == "\\":
                i += 1
                if i == len(text):
                    return output
            elif text[i] == '"':
                i += 1
                return output
            output += text[i]
            i += 1
        return output

    while True:
        skip(" \t,")
        if i >= len(text):
            return links
        parameters: list[tuple[str, str]] = []
        if text[i] == "<" and ">" in text[i:]:
            i += 1
            target = take(">")
            i += 1
            while True:
                start = i
                skip(" \t")
                if text[i : i + 1] != ";":
                    i = start
                    break
                i += 1
                skip(" \t")
                name = take(" \t=;,")
                skip(" \t")
                value = ""
                if text[i : i + 1] == "=":
                    i += 1
                    skip(" \t")
                    value = quoted() if text[i : i + 1] == '"' else take(";,").rstrip(" \t")
                parameters.append((name.lower(), value))
            links.append((target, parameters))
        # Ours: what is left, up to a comma that is in no quotes and in no target.
        while i < len(text) and text[i] != ",":
            if text[i] == '"':
                quoted()
            elif text[i] == "<":
                take(">")
                i += 1
            else:
                i += 1


WORDS = ["<", ">", "<x>", ";", ",", "=", '"', "\\", " ", "\t", "rel", "title", "anchor", "a", "é", "\ud800", "rel=next"]
WORDS.append('="')


@pytest.mark.parametrize("seed", range(400))
def test_any_text(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(10):
        text = "".join(rng.choices(WORDS, k=rng.randrange(30)))
        expected = []
        for target, parameters in by_the_rfc(text.replace("\ud800", "\ufffd")):
            first = dict(reversed(parameters))
            rows = max(1, len(set((first.get("rel") or "").lower().split()) & {"next"}))
            title = first.get("title")
            expected += [(target, first.get("rel"), title, first.get("anchor"))] * rows
        found = [(row["value"], row["rel"], row["text"], row["anchor"]) for row in link_header(text, BASE)]
        assert found == expected, text


@pytest.mark.timed
@pytest.mark.parametrize(
    "unit",
    [
        "<",
        "<x>",
        '"',
        '<x>;a="',
        ";",
        ",",
        "\\",
        '<x>;a="\\',
        " ",
        "<x> ",
        "<x>;",
        "<x>;rel=a ",
        "a,",
        '<"',
        "=",
        ";rel ",
    ],
)
@pytest.mark.parametrize("start", ["", "<x>", '<x>;a="', '<x> "', "<x>;a"])
def test_long_headers_take_linear_time(start: str, unit: str) -> None:
    begin = time.process_time()
    assert len(link_header(start + unit * (400_000 // len(unit)), "http://h/")) >= 0
    assert time.process_time() - begin < 10
