"""Writes the tables of docs/compat-w3lib.md and docs/compat-urllib.md: where weburl.compat differs, and who is right.

    cd tests && python -m tiers.compat.divergences

It needs w3lib 2.5.0, and Debian's chromium. Each input is a link on a page, and so are both outputs. The output that
leads to the same place as the input is right. With `--check`, it writes nothing and fails if a table is out of date.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from support.browser import Answer, Link, ask

import weburl.compat.urllib
import weburl.compat.w3lib
from weburl.percent import percent_decode

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGE = "http://page.test/dir/page"


@dataclass(frozen=True)
class Case:
    """A call. `link` is the link for a browser, if there is something to request."""

    function: str
    arguments: tuple[Any, ...]
    options: dict[str, Any] = field(default_factory=dict)
    link: str | bytes | None = None

    def __str__(self) -> str:
        options = [f"{name}={value!r}" for name, value in self.options.items()]
        return f"{self.function}({', '.join([*map(repr, self.arguments), *options])})"

    def result(self, module: ModuleType) -> object:
        try:
            return getattr(module, self.function)(*self.arguments, **self.options)
        except Exception as error:
            return type(error)


def case(function: str, *arguments: Any, **options: Any) -> Case:
    return Case(function, arguments, options)


def link(function: str, *arguments: Any, **options: Any) -> Case:
    return Case(function, arguments, options, arguments[-1])


W3LIB: dict[str, list[Case]] = {
    "Hosts": [
        link("safe_url_string", "http://faß.example/"),
        link("safe_url_string", "http://.éxamplé.example/"),
        link("safe_url_string", f"http://{'é' * 60}.example/"),
        link("safe_url_string", "http://a\u200db.example/"),
        link("safe_url_string", "http://ex%61mple.example/"),
        link("safe_url_string", "http://0x7f.1/"),
        link("safe_url_string", "http://[::0:1]/"),
        link("safe_url_string", "http://[v6a.ip]/"),
        link("safe_url_string", "http://a b.example/"),
        link("safe_url_string", "http://us：er@example.com/"),
        link("safe_url_string", "s3://Bucket/key"),
        link("safe_url_string", "foo://us[er]@example.com"),
        link("safe_url_string", "foo://é.example"),
        link("safe_url_string", "file://localhost/x"),
        link("canonicalize_url", "sftp://UsEr:PaSsWoRd@www.EXAMPLE.com/"),
    ],
    "Where the host begins": [
        link("safe_url_string", "http:///example.com/x"),
        link("safe_url_string", "///example.com/x"),
        link("safe_url_string", "\\\\example.com\\x"),
        link("safe_url_string", "/\\example.com/x"),
        link("safe_url_string", "a\\b"),
        link("safe_url_string", "http:/x"),
        link("safe_url_string", "http:?x"),
        link("safe_url_string", "http://:/x"),
        link("safe_url_string", "sftp:/x"),
        link("safe_url_string", "foo:///x"),
        link("safe_url_string", "file:///C|/x"),
        case("parse_url", "http:///example.com/x"),
        case("parse_url", "\\\\example.com\\x"),
        case("parse_url", "http://[x"),
        case("add_http_if_no_scheme", "///example.com/x"),
        case("add_http_if_no_scheme", "\\\\example.com\\x"),
    ],
    "Queries and fragments": [
        link("safe_url_string", "http://example.com/?€", encoding="latin1"),
        link("safe_url_string", "http://example.com/?€é", encoding="iso-8859-2"),
        link("safe_url_string", "http://example.com/?①", encoding="euc-jp"),
        case("safe_url_string", "http://example.com/?é", encoding="utf-16"),
        link("safe_url_string", b"http://example.com/?\x81\xff", encoding="shift_jis"),
        link("safe_url_string", "ws://example.com/?é", encoding="latin1"),
        link("safe_url_string", "foo://example.com/?é", encoding="latin1"),
        link("safe_url_string", "http://example.com/#é", encoding="latin1"),
        link("safe_url_string", "http://example.com/?\ud800"),
        link("safe_url_string", "/x?it's"),
        link("safe_url_string", "http://example.com/?"),
        link("safe_url_string", "http://example.com/#"),
        link("safe_url_string", "http://example.com/€", path_encoding="iso-8859-2"),
        link("canonicalize_url", "http://example.com/?q=€é", encoding="iso-8859-2"),
        case("url_query_parameter", b"http://example.com/?q=\xe9", "q"),
        case("url_query_cleaner", b"http://example.com/?q=\xe9", ["q"]),
        case("url_query_parameter", "http://example.com/?q=a ", "q"),
        case("add_or_replace_parameter", "http://example.com/?#", "q", "a"),
        case("url_query_cleaner", "/?q=\ud800", ["q"]),
    ],
    "Paths": [
        link("canonicalize_url", "http://example.com/a/..;b"),
        link("canonicalize_url", "http://example.com/a;"),
        case("canonicalize_url", "http://example.com/a;%7Eb"),
        link("canonicalize_url", "http://example.com/%%35%35"),
        link("canonicalize_url", "a%3Ab"),
        link("canonicalize_url", "mailto:%41"),
        link("canonicalize_url", "mailto:"),
        link("canonicalize_url", "foo:/.//x"),
        link("canonicalize_url", "file:///C:/.."),
        link("safe_download_url", "http://example.com/a//b"),
        link("safe_download_url", "mailto:a/../b"),
        case("add_or_replace_parameter", "a\\b", "q", "c"),
    ],
    "data: URLs": [
        case("parse_data_uri", "data:,a#b"),
        case("parse_data_uri", "data:;base64,YQ"),
        case("parse_data_uri", "data:; BASE64,YQ=="),
        case("parse_data_uri", b" data:,a "),
    ],
}
URLLIB: dict[str, list[Case]] = {
    "urljoin": [
        link("urljoin", PAGE, "HTTP://EXAMPLE.com:80"),
        link("urljoin", PAGE, "\\\\example.com\\x"),
        link("urljoin", PAGE, "http:///example.com/x"),
        link("urljoin", PAGE, "https:x"),
        link("urljoin", PAGE, " x "),
        link("urljoin", PAGE, "a b"),
        link("urljoin", PAGE, "é?é"),
        link("urljoin", PAGE, "x/%2e%2E/y"),
        link("urljoin", PAGE, "a//b/../c"),
        link("urljoin", PAGE, "?"),
        link("urljoin", PAGE, "//faß.example"),
        link("urljoin", PAGE, "http://0x7f.1"),
        link("urljoin", PAGE, "http://a|b"),
        link("urljoin", PAGE, "http://example.com:99999"),
        link("urljoin", PAGE, "foo:/a/../b"),
        case("urljoin", "http://example.com/#a", ""),
        case("urljoin", "foo://example.com/a/b", "c"),
        case("urljoin", "mailto:a", "b"),
    ],
    "urlsplit": [
        case("urlsplit", "http://EXAMPLE.com:80\\@x.example/../b"),
        case("urlsplit", "http:example.com"),
        case("urlsplit", "http://faß.example/é"),
        case("urlsplit", "http://0x7f.1"),
        case("urlsplit", "http://a b"),
        case("urlsplit", "http://example.com:x"),
        case("urlsplit", "file:///C|/x"),
        case("urlsplit", "\\\\example.com\\x"),
        case("urlsplit", b"http://example.com/\xc3\xa9"),
    ],
    "parse_qsl, quote, unquote": [
        case("parse_qsl", b"q=%C3%A9"),
        case("parse_qsl", "q=\ud800"),
        case("quote", "it's (a)!*"),
        case("quote", "\ud800"),
        case("unquote", "\udc3d\ud83d%3F"),
    ],
}


@dataclass(frozen=True)
class Peer:
    """A module that weburl.compat replaces, and its name in the docs."""

    name: str
    module: str
    ours: ModuleType
    cases: dict[str, list[Case]]
    page: Path


PEERS = (
    Peer("w3lib 2.5", "w3lib.url", weburl.compat.w3lib, W3LIB, DOCS / "compat-w3lib.md"),
    Peer("urllib", "urllib.parse", weburl.compat.urllib, URLLIB, DOCS / "compat-urllib.md"),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = 0
    for peer in PEERS:
        before = peer.page.read_text("utf-8")
        after = re.sub(r"(<!-- tables -->\n).*(<!-- end of tables -->)", r"\1{}\2", before, flags=re.DOTALL)
        after = after.replace("{}", tables(peer))
        if after != before:
            stale += 1
            if not check:
                peer.page.write_text(after, "utf-8")
    print(f"{stale} of {len(PEERS)} pages were not up to date")
    return stale if check else 0


def tables(peer: Peer) -> str:
    theirs = import_module(peer.module)
    cases = [each for section in peer.cases.values() for each in section]
    results = [(each.result(theirs), each.result(peer.ours)) for each in cases]
    same = [str(each) for each, (their, our) in zip(cases, results, strict=True) if their == our]
    if same:
        raise SystemExit("\n".join(["no divergences:", *same]))
    links = [to_request for each, pair in zip(cases, results, strict=True) for to_request in links_of(each, pair)]
    log = iter(ask(links))
    rows = {
        str(each): row(peer.name, each, pair, [next(log) for _ in links_of(each, pair)])
        for each, pair in zip(cases, results, strict=True)
    }
    header = ["call", peer.name, "weburl", "Chromium", "right"]
    return "\n".join(
        f"### {title}\n\n"
        + "\n".join(map(line, [header, ["---"] * len(header), *(rows[str(each)] for each in section)]))
        + "\n"
        for title, section in peer.cases.items()
    )


def links_of(each: Case, results: Sequence[object]) -> list[Link]:
    """The links to request: the input and the outputs."""
    if each.link is None:
        return []
    encoding = each.options.get("encoding", "utf-8")
    return [Link(each.link, encoding), *(Link(result) for result in results if isinstance(result, str))]


def row(peer: str, each: Case, results: tuple[object, object], log: list[Answer]) -> list[str]:
    cells = [code(str(each)), *(code(result_text(result)) for result in results)]
    if not log:
        return [*cells, "", ""]
    of_input, *of_outputs = log
    outputs = iter(of_outputs)
    names = [
        name
        for name, result in zip((peer, "weburl"), results, strict=True)
        if isinstance(result, str) and comparable(next(outputs)) == comparable(of_input) is not None
    ]
    if of_input.requested:
        seen = "requests " + code(of_input.requested)
    else:
        seen = code(of_input.href) if of_input.href else "not a URL"
    return [*cells, seen, "both" if len(names) == 2 else "".join(names)]


def comparable(answer: Answer) -> bytes | None:
    url = answer.requested or answer.href
    return percent_decode(url) if url else None


def result_text(result: object) -> str:
    return result.__name__ if isinstance(result, type) else repr(result)


def code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`"


def line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
