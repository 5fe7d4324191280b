"""page_links and weburl links."""

from __future__ import annotations

import gc
import gzip
import json
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.pages import DOCS, run_examples

import weburl.bulk
import weburl.crawl
from weburl import InvalidURL
from weburl._crawl.pages import KINDS, TAGS
from weburl.cli import main
from weburl.crawl import DocumentBase, RobotsDirectives, fingerprint, link_header, page_links, sitemap_links

URL = "http://www.page.example/dir/page"


def rows(html: bytes | str, url: str = URL, **options: Any) -> list[dict[str, Any]]:
    return page_links(html, url, **options).to_pylist()


def hrefs(html: bytes | str, url: str = URL, **options: Any) -> list[str | None]:
    return [row["href"] for row in rows(html, url, **options)]


def test_the_columns() -> None:
    table = page_links("<a href=' x?é ' rel='next nofollow'> a \n b </a><a href='http://a b/'></a><a href=y rel>", URL)
    assert table.column_names == (
        *("kind", "tag", "attribute", "value", "text", "rel", "hreflang", "type"),
        *("href", "registrable_domain", "key", "error"),
    )  # fmt: skip
    first, second, third = table
    assert first == {
        "kind": "link", "tag": "a", "attribute": "href", "value": " x?é ", "text": "a b", "rel": "next nofollow",
        "hreflang": None, "type": None, "href": "http://www.page.example/dir/x?%C3%A9",
        "registrable_domain": "page.example",
        "key": fingerprint("http://www.page.example/dir/x?%C3%A9"), "error": None,
    }  # fmt: skip
    assert list(second.values())[3:] == ["http://a b/", "", *[None] * 6, "domain-to-ASCII"]
    assert (third["rel"], third["error"]) == ("", None)
    assert table.errors == {"domain-to-ASCII": 1}
    assert repr(table) == "<LinkTable: 3 rows, 1 invalid>"


def test_the_table_is_one_of_columns() -> None:
    table = page_links("<a href=x>é</a><a href='http://a b'>" * 100, URL)
    assert len(table) == 200
    parrow = table.to_pyarrow()
    assert parrow.to_pylist() == table.to_pylist()
    assert parrow.column("key").null_count == 100
    assert parrow.column("rel").null_count == 200
    column = table["text"]
    del table
    gc.collect()
    assert column.to_pylist() == ["é", ""] * 100
    assert len(weburl.bulk.normalize_many(parrow.column("href"))) == 200
    capsule = page_links("<a href=x>", URL).__arrow_c_array__()
    assert len(capsule) == 2


@pytest.mark.parametrize("html", ["", b"", "x", b"\0", b"<", "<!--", "\ud800", b"\xff\xfe", b"\xff\xfe<", "<template>"])
def test_pages_without_links(html: bytes | str) -> None:
    table = page_links(html, URL, kinds=KINDS)
    assert table.to_pylist() == []
    assert table.errors == {}
    assert table.to_pyarrow().num_rows == 0
    assert len(table["href"].to_pylist()) == 0


def test_kinds() -> None:
    html = "<a href=1><iframe src=2></iframe><img src=3><meta http-equiv=refresh content='4;5'>"
    assert [row["kind"] for row in rows(html)] == ["link", "frame", "refresh"]
    assert [row["kind"] for row in rows(html, kinds="image")] == ["image"]
    assert rows(html, kinds=()) == []
    assert set(TAGS) == set(KINDS)
    with pytest.raises(ValueError, match=r"kinds must be of link, image, .*, not 'links'"):
        rows(html, kinds=("links", "link"))


def test_arguments() -> None:
    with pytest.raises(TypeError, match="html must be bytes or str, not int"):
        page_links(1, URL)  # type: ignore[arg-type]
    with pytest.raises(InvalidURL):
        page_links("", "page.html")
    with pytest.raises(ValueError, match="policy"):
        page_links("<a href=x>", URL, policy="none")
    (row,) = rows("<a href=x#f>", policy="whatwg")
    assert row["key"] == fingerprint(row["href"], "whatwg")


@pytest.mark.parametrize("url", [URL, URL + "/" * 100_000])
def test_a_base_that_is_too_long_for_the_links(url: str) -> None:
    base = f"<base href='/{'y' * 100_000}/'>" if url == URL else ""
    assert len(page_links(base + "<a href=x>" * 10, url)) == 10
    with pytest.raises(ValueError, match="11000 links"):
        page_links(base + "<a href=x>" * 11_000, url)


def test_languages_and_types() -> None:
    html = (
        "<link rel=alternate hreflang=de href=1 type=a/b><a href=2 hreflang type><area href=3 hreflang=fr type=c/d>"
        "<img src=4 hreflang=no type=no><script src=5 type=no></script><a href=6 class=x>"
    )
    found = [(row["hreflang"], row["type"]) for row in rows(html, kinds=("link", "image", "script"))]
    assert found == [("de", "a/b"), ("", ""), ("fr", "c/d"), (None, None), (None, None), (None, None)]


@pytest.mark.parametrize(
    ("html", "charset", "fallback", "encoding", "path"),
    [
        ("é".encode(), None, None, ("windows-1252", "default"), "%C3%83%C2%A9"),
        ("é".encode(), None, "utf_8", ("utf-8", "fallback"), "%C3%A9"),
        ("é".encode(), None, lambda html: (html[:3] == b"<a " and "utf8") or None, ("utf-8", "fallback"), "%C3%A9"),
        ("б".encode("koi8-r"), None, "koi8-r", ("koi8-r", "fallback"), "%D0%B1"),
        ("é".encode(), "latin-1", "utf-8", ("utf-8", "fallback"), "%C3%A9"),
        ("é".encode(), "latin1", "utf-8", ("windows-1252", "charset"), "%C3%83%C2%A9"),
        ("é", None, "koi8-r", ("utf-8", "text"), "%C3%A9"),
        ("é", "koi8-r", None, ("koi8-r", "charset"), "%C3%A9"),
    ],
)  # fmt: skip
def test_the_encoding_and_why(html: bytes | str, charset: str | None, fallback: Any, encoding: Any, path: str) -> None:
    page = f"<a href=/{html}>" if isinstance(html, str) else b"<a href=/%b>" % html
    links = page_links(page, URL, charset=charset, fallback_charset=fallback)
    assert links.encoding == encoding
    assert links.encoding.name == encoding[0]
    assert [row["href"] for row in links] == [f"http://www.page.example/{path}"]


def test_a_late_meta_element_is_stronger_than_a_fallback() -> None:
    for late in ("koi8-r", "big5"):
        html = b"<a href='?\xc2\xc2'>" + b" " * 2000 + f"<meta charset={late}>".encode()
        for fallback in (None, "big5", lambda html: "big5"):
            links = page_links(html, URL, fallback_charset=fallback)
            assert links.encoding == (late, "meta")
            assert links["href"][0] == "http://www.page.example/dir/page?%C2%C2"
    # The function is not asked where there is an answer.
    for declared in (b"<meta charset=big5>", b"\xef\xbb\xbf", "<?x".encode("utf-16le")):
        assert page_links(declared, URL, fallback_charset=lambda html: str(1 // 0)).encoding.source != "fallback"
    with pytest.raises(ZeroDivisionError):
        page_links(b"x", URL, fallback_charset=lambda html: str(1 // 0))
    assert page_links(b"x\0", URL, fallback_charset=lambda html: "utf-16le").encoding == ("utf-16le", "fallback")


def test_a_fallback_that_is_none() -> None:
    with pytest.raises(ValueError, match="fallback_charset must be the name of an encoding, not 'uft-8'"):
        page_links(b"", URL, fallback_charset="uft-8")
    with pytest.raises(TypeError, match="fallback_charset must be a str, a function of bytes, or None, not int"):
        page_links(b"", URL, fallback_charset=8)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the function fallback_charset must return a str or None, not int"):
        page_links(b"", URL, fallback_charset=lambda html: 8)  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize(
    ("html", "canonical"),
    [
        ("<link rel=canonical href=x>", "/b/x"),
        ("<link rel='Canonical next' href=' x '>", "/b/x"),
        ("<link rel=canonical href><link rel=canonical href='http://a b/'><link rel=canonical href=y>", "/b/y"),
        ("<link rel=canonical href=x><link rel=canonical href=y>", "/b/x"),
        ("<link rel=canonicals href=x><link href=x><a rel=canonical href=x>", None),
        ("<title>x</title><meta name=x><link rel=canonical href=x>", "/b/x"),
        # Strangers may write in the body.
        ("<body><link rel=canonical href=x>", None),
        ("<div></div><link rel=canonical href=x>", None),
        ("<div>" * 600 + "<link rel=canonical href=x>", None),
        ("<template><link rel=canonical href=x></template>", None),
        ("<noscript><link rel=canonical href=x></noscript>", None),
        ("<svg><link rel=canonical href=x></svg>", None),
        ("<title><link rel=canonical href=x></title>", None),
        ("<!-- <link rel=canonical href=x> -->", None),
    ],
)  # fmt: skip
def test_the_canonical_url(html: str, canonical: str | None) -> None:
    expected = None if canonical is None else f"http://www.page.example{canonical}"
    for kinds in ((), "link", KINDS):
        links = page_links(f"<base href=/b/>{html}", URL, kinds=kinds)
        assert (links.canonical, links.base) == (expected, "http://www.page.example/b/")


def test_robots_of_the_page() -> None:
    html = (
        "<meta name=Robots content='NOINDEX, nofollow'><meta name=description content='follow me'>"
        "<body><p><meta name=examplebot content=noarchive><template><meta name=robots content=no></template>"
        "<noscript><meta name=robots content=no></noscript><svg><meta name=robots content='in HTML'></svg>"
        "<meta content=no><meta name=robots><meta name=otherbot content='unavailable_after: 2030-01-01'>"
    )
    for kinds in ((), "link", "refresh", KINDS):
        robots = page_links(html, URL, kinds=kinds).robots
        assert repr(robots) == (
            "<RobotsDirectives noindex, nofollow, in html; examplebot: noarchive; "
            "otherbot: unavailable_after:2030-01-01>"
        )
    assert not page_links("<a href=x>", URL).robots


def test_links_that_may_be_followed() -> None:
    html = (
        "<a href=/a>a</a><a href=/b rel='UGC\tNoFollow'>b</a><a href=mailto:a@b.example>m</a>"
        "<a href='http://a b/'>x</a><area href=/c rel=sponsored><iframe src=/d></iframe><a href=HTTP:/e>e</a>"
        "<a href=javascript:1>j</a><link rel=next><meta name=otherbot content=nofollow><a>no link</a>"
    )
    links = page_links(html, URL)
    expected = {"a": True, "b": False, "m": False, "x": False, "": True, None: True, "e": True, "j": False}
    assert links.may_follow("examplebot") == [expected[text] for text in links["text"]]
    assert links.may_follow("OtherBot") == [False] * len(links)
    header = RobotsDirectives.parse("examplebot: none")
    assert links.may_follow("ExampleBot", header) == [False] * len(links)
    assert links.may_follow("anybot", header) == links.may_follow("anybot")
    with pytest.raises(ValueError, match="product_token"):
        links.may_follow("ExampleBot/2.1")
    with pytest.raises(TypeError, match=r"header must be RobotsDirectives, not str: use RobotsDirectives\.parse"):
        links.may_follow("examplebot", "noindex")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="agent must be a str, not NoneType"):
        links.may_follow(None)  # type: ignore[arg-type]


def test_links_of_headers_and_sitemaps_that_may_be_followed() -> None:
    header = link_header('</a>; rel=next, </b>; rel="nofollow prev", <mailto:a@b>; rel=author', URL)
    assert header.may_follow("examplebot") == [True, False, False]
    assert sitemap_links("https://h.example/\nhttps://h.example/b", URL).may_follow("examplebot") == [True, True]


def test_what_a_page_says_survives_a_pickle() -> None:
    links = page_links(b"<meta name=robots content=none><link rel=canonical href=c><base href=/b/>", URL)
    other = pickle.loads(pickle.dumps(links))
    assert type(other) is type(links) is weburl.crawl.LinkTable
    for name in ("base", "canonical", "encoding", "robots", "warnings"):
        assert getattr(other, name) == getattr(links, name)
    assert other.to_pylist() == links.to_pylist()


def test_srcdoc() -> None:
    html = "<base href=/base/><iframe srcdoc='<a href=x>1</a>' src=no></iframe>"
    (row,) = rows(html)
    assert (row["attribute"], row["value"], row["href"]) == ("srcdoc", "<a href=x>1</a>", "about:srcdoc")
    assert hrefs(row["value"], "about:srcdoc", about_base_url=DocumentBase(URL, "/base/").href) == [
        "http://www.page.example/base/x"
    ]
    assert hrefs(row["value"], "about:srcdoc") == [None]


def test_a_meta_element_does_not_change_utf_16() -> None:
    html = "<?xml version='1.0'?><meta charset=koi8-r><a href='?é'>é</a>"
    for encoding in ("utf-16-le", "utf-16-be"):
        (row,) = rows(html.encode(encoding))
        assert (row["text"], row["href"]) == ("é", "http://www.page.example/dir/page?%C3%A9")


def test_the_text_of_a_link_is_not_that_of_a_link_in_it() -> None:
    html = "<a href=1>1<table><td>2<a href=2>3<b>4</b></a>5</table>6<a href=7>7<svg><a href=8>8</a>9</svg>"
    assert [row["text"] for row in rows(html)] == ["1256", "34", "79", "8"]


def test_values_of_images_and_refreshes() -> None:
    html = "<img srcset='a, b 2x' src=c alt=' an  image '><meta http-equiv=refresh content='007; url=\"d\"e'>"
    found = [(row["attribute"], row["value"], row["text"]) for row in rows(html, kinds=("image", "refresh"))]
    assert found == [
        ("src", "c", "an image"),
        ("srcset", "a", "an image"),
        ("srcset", "b", "an image"),
        ("content", "d", "7"),
    ]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("5;x", [("x", "5")]), ("x", []), ("5", [(None, "5")]),
        # The first that parses counts.
        ("5;http://", [("http://", "5"), ("y", "6")]), ("5;javascript:x", [("y", "6")]),
    ],
)  # fmt: skip
def test_the_refresh_that_counts(html: str, found: list[tuple[str | None, str]]) -> None:
    page = f"<meta http-equiv=refresh content='{html}'>"
    if len(found) > 1 or "javascript" in html:
        page += "<meta http-equiv=refresh content='6;y'><meta http-equiv=refresh content='7;z'>"
    assert [(row["value"], row["text"]) for row in rows(page)] == found


def test_what_comes_before_the_base() -> None:
    html = (
        "<iframe src=1></iframe><iframe src='http://a b'></iframe><a href=2></a><base href=/b/><iframe src=3></iframe>"
    )
    found = ["http://www.page.example/dir/1", None, "http://www.page.example/b/2", "http://www.page.example/b/3"]
    assert hrefs(html) == found
    assert [row["error"] for row in rows(html)] == [None, "domain-to-ASCII", None, None]
    encoded = html.replace("=1>", "='?é'>").encode("latin-1")
    assert hrefs(encoded, charset="latin1")[0] == "http://www.page.example/dir/page?%E9"


@pytest.mark.parametrize("kind", KINDS)
def test_every_page_has_the_links_of_one_kind_of_all(kind: str) -> None:
    html = (Path(__file__).parent / "test_links_chromium.py").read_bytes()
    everything = [row for row in rows(html, kinds=KINDS) if row["kind"] == kind]
    assert rows(html, kinds=(kind,)) == everything


def deep(start: str, end: str = "") -> Callable[[int], str]:
    return lambda n: start * n + "<a href=x>y</a>" + end * n


BOLD = "<p>" + "".join(f"<b id={i}>" for i in range(480))
HOSTILE: dict[str, Callable[[int], str]] = {
    "div": deep("<div>", "</div>"),
    "b": deep("<b>", "</b>"),
    "p and b": lambda n: "".join(f"<p><b id={i}>" for i in range(n // 4)) + "<a href=x>y</a>",
    "links": lambda n: "<a href=x>y" * n,
    "links in links": lambda n: "<a href=x>y<table><td>" * n,
    "svg": deep("<svg>"),
    "svg links": lambda n: "<svg><a href=x>y" * n,
    "math": deep("<math><mi>"),
    "tables": deep("<table><td>"),
    "templates": deep("<template></template>"),
    "selects": deep("<select><option>"),
    "lists": deep("<ul><li>"),
    "formatting": lambda n: "<a href=x>" + "<p><i>" * n,
    "attributes": lambda n: f"<a href=x {' '.join(f'a{i}' for i in range(n))}>y</a>",
    "an attribute": lambda n: f"<a href=x title='{'y' * 10 * n}'>y</a>",
    "a URL": lambda n: f"<a href='{'y' * 10 * n}'>y</a>",
    "a text": lambda n: f"<a href=x>{'y z ' * n}</a>",
    "a srcset": lambda n: f"<img srcset='{'x 1x,' * n}'><a href=x>",
    "a refresh": lambda n: f"<meta http-equiv=refresh content='{'1' * n};x'><a href=x>",
    "comments": lambda n: "<!--x-->" * n + "<a href=x>y</a>",
    "NUL": lambda n: "\0" * n + "<a href='x\0'>y\0</a>" + "<\0" * n,
    "unclosed": lambda n: "<a href=x>y</a>" + "<a" * n,
    "end tags": lambda n: "<a href=x>y</a>" + "</div></p></br>" * n,
    "bases": lambda n: "<base href=x>" * n + "<a href=x>y</a>",
    "refreshes": lambda n: "<meta http-equiv=refresh content='x'>" * n + "<a href=x>y</a>",
    "attributes of body": lambda n: "".join(f"<html x{i}><body y{i}>" for i in range(n)) + "<a href=x>y</a>",
    "attributes of body after a frameset": lambda n: (
        "<a href=x>y</a>" + "</p>" * n + "<font>" * 600 + "<frameset>" + "".join(f"<html x{i}>" for i in range(n))
    ),
    "formatting that is repeated": lambda n: BOLD + "</p>" + "<p>x</p>" * n + "<a href=x>y</a>",
    "formatting that parts of tables repeat": lambda n: "<table>" + BOLD + "<col>x" * n + "<a href=x>y</a>",
    "formatting with long attributes": lambda n: f"<p><b title='{'y' * n}'></p>" + "<p>x</p>" * n + "<a href=x>y</a>",
    "links that are repeated": lambda n: f"<p><a href='{'y' * n}'></p>" + "<p>x</p>" * n,
    "a text in links in links": lambda n: "<svg>" + "<a href=x>" * 480 + "y" * 10 * n,
    "frames before the base": lambda n: "<iframe src=x></iframe>" * n + "<base href=/b/><a href=x>y</a>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages(name: str) -> None:
    """Lexbor alone takes 20 s for 100,000 elements in each other, and for as many attributes of a tag."""
    read_links_of(name)


@pytest.mark.timed
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_take_little_time(name: str) -> None:
    start = time.process_time()
    read_links_of(name)
    assert time.process_time() - start < 20


def read_links_of(name: str) -> None:
    html = HOSTILE[name](100_000)
    for form in (html, html.encode()):
        table = page_links(form, URL, kinds=KINDS, charset="utf-8")
        assert table["href"].to_pylist()


REPEATING = [name for name in HOSTILE if "repeat" in name or "attributes" in name or " in " in name]
PEAK = """
import re, sys
from pathlib import Path
from weburl.crawl import page_links

def peak():
    return int(re.search(r"VmHWM:\\s+([0-9]+) kB", Path("/proc/self/status").read_text())[1])

page_links("<a href=x>", "http://h/")
before = peak()
assert page_links(sys.stdin.buffer.read(), "http://h/")["href"].to_pylist()
print(peak() - before)
"""


@pytest.mark.parametrize("name", REPEATING)
def test_the_memory_of_hostile_pages(name: str) -> None:
    """A parser that opens elements again and again takes 20 KB for each byte of such a page."""
    html = HOSTILE[name](100_000).encode()
    done = subprocess.run([sys.executable, "-c", PEAK], input=html, capture_output=True, check=True)
    assert int(done.stdout) < 500_000


def test_the_import_is_lazy() -> None:
    program = (
        "import sys, weburl.crawl; print([name for name in sys.modules if 'selectolax' in name or 'bulk' in name])"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "[]\n"


def test_without_selectolax(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("selectolax", "selectolax.lexbor"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, "weburl._crawl.pages")
    with pytest.raises(ImportError, match=r"pip install weburl\[html\]"):
        page_links("", URL)


def run(*arguments: str) -> int:
    return main(["links", *arguments])


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "a page.html"
    page.write_bytes(b"<a href='?\xe9'>x</a><a href='http://a b'></a><img src=y>")
    assert run("--base", URL, "--charset", "latin1", str(page)) == 0
    out, err = capsys.readouterr()
    assert out == f"{URL}?%E9\n"
    assert err == "weburl: 1 of 2 links is not a URL (domain-to-ASCII: 1)\n"
    assert run("--kinds", "image", str(page), str(page)) == 0
    assert capsys.readouterr() == (f"{(tmp_path / 'y').as_uri()}\n" * 2, "")
    assert run("--json", "--base", URL, str(page)) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row.pop("file") for row in found] == [str(page)] * 2
    assert found == rows(page.read_bytes())


def test_the_command_with_a_fallback_and_sitemaps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, sitemap = tmp_path / "page.html", tmp_path / "sitemap.xml.gz"
    page.write_bytes("<a href=/é>".encode())
    assert run("--base", URL, "--fallback-charset", "utf8", str(page)) == 0
    assert capsys.readouterr().out == "http://www.page.example/%C3%A9\n"
    rows = "<urlset><url><loc>http://a/</loc><lastmod>1</lastmod></url><url><loc>/b</loc></url>"
    sitemap.write_bytes(gzip.compress(rows.encode()))
    assert run("--sitemap", "--json", str(sitemap)) == 0
    out, err = capsys.readouterr()
    first, second = map(json.loads, out.splitlines())
    assert (first["href"], first["lastmod"], first["kind"]) == ("http://a/", "1", "link")
    assert (second["href"], second["error"]) == (None, "missing-scheme-non-relative-URL")
    assert err == (
        f"weburl: {sitemap}: the file ends early\n"
        "weburl: 1 of 2 links is not a URL (missing-scheme-non-relative-URL: 1)\n"
    )
    assert run("--fallback-charset", "uft-8", str(page)) == 2
    assert "--fallback-charset takes the name of an encoding, not 'uft-8'" in capsys.readouterr().err


def test_the_command_reads_standard_input() -> None:
    command = [sys.executable, "-m", "weburl", "links", "--base", URL]
    done = subprocess.run(command, input=b"<a href=x>", capture_output=True, check=True)
    assert done.stdout == b"http://www.page.example/dir/x\n"


def test_what_the_command_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--base", "x"], ["--kinds", "x"], ["--kinds", ""], ["--none"]):
        assert run(*arguments) == 2
    assert run(str(tmp_path / "none")) == 3
    assert "none: no such file" in capsys.readouterr().err


def test_the_rows_can_be_pickled() -> None:
    found = rows("<a href=x>")
    assert pickle.loads(pickle.dumps(found)) == found


def test_examples() -> None:
    assert run_examples(DOCS / "links.md") > 0


@pytest.mark.parametrize("size", [24, 38, 40, 41, 42, 44])
@pytest.mark.parametrize("rest", ["", "<svg></svg>", "<p><a href=/1><table><td><a href=/2>"])
def test_a_text_that_memory_is_too_little_for(size: int, rest: str, tmp_path: Path) -> None:
    """Lexbor gives an empty text then. It must not be taken for the text of the link."""
    text = "x y " * (size << 18)
    page = tmp_path / "page.html"
    page.write_text(f"<a href=/x>{text}</a><a href=/second>z</a>{rest}")
    done = subprocess.run(
        [sys.executable, "-m", "weburl", "links", "--json", page], capture_output=True, text=True, check=False
    )
    if done.returncode == 3:
        assert "it needs more than 128 MiB of memory" in done.stderr
    else:
        assert done.returncode == 0
        assert json.loads(done.stdout.partition("\n")[0])["text"] == text.strip()
