"""sitemap_links: sitemaps, indexes, texts and feeds, against a reader over ElementTree; and hostile files."""

from __future__ import annotations

import gzip
import random
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

import pytest

import weburl._crawl.sitemaps as sitemaps
from weburl import URL, InvalidURL
from weburl.crawl import fingerprint, sitemap_links

BASE = "https://www.site.example/dir/sitemap.xml"
ENDS_EARLY = ("the file ends early",)


def shown(data: bytes | str, **options: Any) -> list[tuple[Any, ...]]:
    data = data.encode() if isinstance(data, str) else data
    return [(row["kind"], row["href"], row["lastmod"]) for row in sitemap_links(data, BASE, **options)]


def test_the_columns() -> None:
    data = b"<urlset><url><loc>https://shop.site.example/?a=1&amp;b</loc><lastmod> 2026-11-28 </lastmod></url></urlset>"
    table = sitemap_links(data, BASE)
    assert table.to_pylist() == [{
        "kind": "link", "tag": "loc", "attribute": None, "value": "https://shop.site.example/?a=1&b", "text": None,
        "rel": None, "hreflang": None, "type": None, "lastmod": "2026-11-28",
        "href": "https://shop.site.example/?a=1&b", "registrable_domain": "site.example",
        "key": fingerprint("https://shop.site.example/?a=1&b"), "error": None,
    }]  # fmt: skip
    assert (table.base, table.canonical, table.encoding, table.warnings) == (BASE, None, ("utf-8", "default"), ())
    assert sitemap_links(b"", BASE).column_names == table.column_names


def test_a_sitemap_with_everything() -> None:
    data = """<?xml version="1.0" encoding="UTF-8"?><!-- <url><loc>https://no/</loc></url> -->
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="http://www.w3.org/1999/xhtml">
    <url><lastmod>1</lastmod><loc>https://a/1</loc><x:link rel='alternate' hreflang="de" href="https://a/de?x&amp;y"/>
    <image:image><image:loc>https://a/i.png</image:loc><image:title>https://no/</image:title></image:image></url>
    <url><loc>https://a/2</loc><video:video><video:thumbnail_loc>https://a/t</video:thumbnail_loc>
    <video:content_loc>https://a/v</video:content_loc><video:player_loc>https://a/p</video:player_loc></video:video></url>
    <url><loc><![CDATA[https://a/3?x&y]]></loc><priority>https://no/</priority></url><loc>https://no/</loc></urlset>"""
    assert shown(data) == [
        ("link", "https://a/1", "1"), ("link", "https://a/de?x&y", "1"), ("image", "https://a/i.png", "1"),
        ("link", "https://a/2", None), ("image", "https://a/t", None), ("media", "https://a/v", None),
        ("frame", "https://a/p", None), ("link", "https://a/3?x&y", None),
    ]  # fmt: skip
    table = sitemap_links(data.encode(), BASE)
    assert (table["rel"][1], table["hreflang"][1], table["attribute"][1]) == ("alternate", "de", "href")
    assert (table.encoding, table.warnings) == (("utf-8", "xml"), ())


def test_an_index_and_a_text() -> None:
    data = "<sitemapindex><sitemap><loc>https://a/1.xml.gz</loc><lastmod>2</lastmod></sitemap></sitemapindex>"
    assert shown(data) == [("sitemap", "https://a/1.xml.gz", "2")]
    text = "\r\n https://a/1 \r\n\nhttps://a/é\nno URL\n/2"
    assert shown(text) == [
        ("link", "https://a/1", None),
        ("link", "https://a/%C3%A9", None),
        *[("link", None, None)] * 2,
    ]
    assert shown(text.encode("utf-8-sig")) == shown(text)
    assert shown(text.encode("utf-16"))[1] == ("link", "https://a/%C3%A9", None)


def test_relative_urls_are_reported() -> None:
    data = b"<urlset xml:base='https://a/'><url><loc>/a</loc></url><url><loc>#b</loc></url><url><loc/></url></urlset>"
    table = sitemap_links(data, BASE)
    assert table["error"].to_pylist() == ["missing-scheme-non-relative-URL"] * 3
    assert table["value"].to_pylist() == ["/a", "#b", ""]
    assert table.errors == {"missing-scheme-non-relative-URL": 3}


def test_rss() -> None:
    data = """<rss version="2.0"><channel><title>https://no/</title><link>https://a/</link>
    <atom:link rel="self" href="f"/><image><url>/logo.png</url></image>
    <item><link>1</link><guid>https://no/</guid><pubDate>Sat, 28 Nov 2026 10:00:00 GMT</pubDate><comments>1#c</comments>
    <enclosure url="m.mp3" length="1" type="audio/mpeg"/><description>&lt;a href="https://no/"></description></item>
    <item><guid>7</guid></item><item><guid isPermaLink="false">https://no/</guid></item><item><guid
    isPermaLink=' TRUE '>8</guid><media:group><media:content url='v'/></media:group></item></channel></rss>"""
    day = "Sat, 28 Nov 2026 10:00:00 GMT"
    assert shown(data) == [
        ("link", "https://a/", None), (None, "https://www.site.example/dir/f", None),
        ("image", "https://www.site.example/logo.png", None), ("link", "https://www.site.example/dir/1", day),
        ("link", "https://www.site.example/dir/1#c", day), ("media", "https://www.site.example/dir/m.mp3", day),
        ("link", "https://www.site.example/dir/7", None), ("media", "https://www.site.example/dir/v", None),
        ("link", "https://www.site.example/dir/8", None),
    ]  # fmt: skip
    within = """<rss><channel><item><guid>https://a/</guid><pubDate>1</pubDate><image><url>https://a/i.png</url></image>
    <link>https://a/x</link></item><item><guid>https://b/</guid><image><url>https://b/i.png</url></image>
    <pubDate>2</pubDate></item></channel></rss>"""
    assert shown(within) == [
        ("image", "https://a/i.png", "1"), ("link", "https://a/x", "1"),
        ("image", "https://b/i.png", "2"), ("link", "https://b/", "2"),
    ]  # fmt: skip
    older = "<rdf:RDF><item rdf:about='https://no/'><link>https://a/</link><dc:date>3</dc:date></item></rdf:RDF>"
    assert shown(older) == [("link", "https://a/", "3")]


def test_atom() -> None:
    data = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/f/"><link href="x"/><link rel="self" href="y"/>
    <logo>l.png</logo><updated>no</updated><entry xml:base='e/'><published>4</published><link href="1" title="A &amp; B"
    hreflang="de" type="text/html"/><link rel="enclosure" href="m"/><content src="c" type="a/b"/><updated>5</updated>
    <summary xml:base="https://no/">x</summary><link rel="Next" href="2"/></entry><entry><link href="3"/></entry>
    </feed>"""
    assert shown(data) == [
        ("link", "https://www.site.example/f/x", None), (None, "https://www.site.example/f/y", None),
        ("image", "https://www.site.example/f/l.png", None), ("link", "https://www.site.example/f/e/1", "5"),
        ("media", "https://www.site.example/f/e/m", "5"), ("link", "https://www.site.example/f/e/c", "5"),
        ("link", "https://www.site.example/f/e/2", "5"), ("link", "https://www.site.example/f/3", None),
    ]  # fmt: skip
    row = sitemap_links(data.encode(), BASE).to_pylist()[3]
    assert (row["text"], row["hreflang"], row["type"]) == ("A & B", "de", "text/html")


ONE = [("link", "http://a/", None)]


@pytest.mark.parametrize(
    ("data", "rows", "warnings"),
    [
        ("", [], ()), (" \n", [], ()), ("<", [], ("neither a sitemap nor a feed",)),
        ("<html><url><loc>http://a/", [], ("neither a sitemap nor a feed: its first element is 'html'",)),
        ("<!doctype html><p>", [], ("neither a sitemap nor a feed: its first element is 'p'",)),
        ("<!-- x", [], ("neither a sitemap nor a feed",)), ("<?xml?>", [], ("neither a sitemap nor a feed",)),
        ("<urlset>", [], ENDS_EARLY), ("<urlset/>", [], ()), ("<urlset></urlset>", [], ()),
        ("<urlset><url><loc>http://a/</loc>", ONE, ENDS_EARLY), ("<urlset><url><loc>http://a/", [], ENDS_EARLY),
        # What is not well-formed.
        ("<urlset><url><loc>http://a/?b&c&d;e&amp;&#38;&#x26;&quot</loc></url></urlset>",
         [("link", "http://a/?b&c&d;e&&&&quot", None)], ()),
        ("<urlset><url><loc>http://a/<loc></url><url><loc>http://a/</loc></url></urlset>", ONE * 2, ()),
        ("<urlset><url><loc>http://a/?<b<c</loc></url></urlset>", [("link", "http://a/?%3Cb%3Cc", None)], ()),
        ("<urlset><url></x><loc>http://a/</loc></url></urlset></urlset>", ONE, ()),
        ("<urlset><url><loc>http://a/</url></urlset>", ONE, ()),
        ("<urlset><url><a b=c><loc x='>' y=\">\">http://a/</loc></a></url></urlset>", [], ()),
        ("<urlset><url><loc>http://a/\0&#0;&#xD800;&#x110000;&#9999999;</loc></url></urlset>",
         [("link", "http://a/%00%EF%BF%BD%EF%BF%BD%EF%BF%BD%EF%BF%BD", None)], ()),
        ("<urlset><url><loc>http://<!-- x -->a<?x?>/<![CDATA[]]></loc></url></urlset>", ONE, ()),
        ("<urlset><url><loc>http://a/<![CDATA[&amp;", [], ENDS_EARLY),
        ("<rss><channel/></rss><urlset><url><loc>http://a/</loc></url></urlset>", ONE, ()),
        # Entities: what they stand for is not put in, and nothing is loaded.
        ("<!DOCTYPE x [<!ENTITY a 'b'><!ENTITY c SYSTEM 'file:///etc/passwd'>]><urlset><url><loc>http://a/?&a;&c;</loc>"
         "</url></urlset>", [("link", "http://a/?&a;&c;", None)], ("entities are declared: they are not read",)),
        ("<!DOCTYPE urlset SYSTEM 'http://no/'><urlset><url><loc>http://a/</loc></url></urlset>", ONE, ()),
        ("<!DOCTYPE urlset [<!ELEMENT x (y)>", [], ("neither a sitemap nor a feed",)),
        ("<urlset>" + "<a>" * 2000, [], ("more than 1000 elements are in each other: the rest is not read",)),
        ("<urlset>" + "<a>" * 900 + "</urlset><urlset><url><loc>http://a/</loc></url></urlset>", ONE, ()),
    ],
)  # fmt: skip
def test_files(data: str, rows: list[Any], warnings: tuple[str, ...]) -> None:
    table = sitemap_links(data.encode(), BASE)
    assert ([(row["kind"], row["href"], row["lastmod"]) for row in table], table.warnings) == (rows, warnings)


SITEMAP = "<urlset><url><loc>https://a/é</loc></url></urlset>"


@pytest.mark.parametrize(
    ("data", "charset", "encoding"),
    [
        (SITEMAP.encode(), None, ("utf-8", "default")), (SITEMAP.encode(), "unknown", ("utf-8", "default")),
        (SITEMAP.encode("latin-1"), "latin1", ("windows-1252", "charset")),
        (SITEMAP.encode("utf-16"), "latin1", ("utf-16le", "bom")),
        (SITEMAP.encode("utf-16-be"), None, ("utf-16be", "xml")),
        (SITEMAP.encode("utf-16-le"), None, ("utf-16le", "xml")),
        (SITEMAP.encode("utf-8-sig"), "big5", ("utf-8", "bom")),
        (b"<?xml version='1.0' encoding='iso-8859-1'?>" + SITEMAP.encode("latin-1"), None, ("windows-1252", "xml")),
        (b"<?xml version='1.0' encoding='gbk'?>" + SITEMAP.encode("gbk"), None, ("gbk", "xml")),
        (b"<?xml version='1.0' encoding='utf-16'?>" + SITEMAP.encode(), None, ("utf-8", "xml")),
    ],
)  # fmt: skip
def test_encodings(data: bytes, charset: str | None, encoding: tuple[str, str]) -> None:
    for form in (data, gzip.compress(data)):
        table = sitemap_links(form, BASE, charset=charset)
        assert (table["href"].to_pylist(), table.encoding) == (["https://a/%C3%A9"], encoding)
    assert (
        sitemap_links(b"<urlset><url><loc>https://a/\xff</loc></url></urlset>", BASE)["href"][0]
        == "https://a/%EF%BF%BD"
    )


def test_long_files_in_encodings_with_several_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is decoded in pieces, which do not split a character."""
    text = "".join(f"<url><loc>https://a/{number}/日本語小</loc></url>" for number in range(300))
    for encoding in ("shift_jis", "gbk", "euc_jp", "big5", "euc_kr", "gb18030", "iso2022_jp"):
        label = encoding.replace("iso2022_", "iso-2022-").replace("euc_", "euc-")
        for piece in (1, 7, 1000, 1 << 16):
            monkeypatch.setattr(sitemaps, "PIECE", piece)
            hrefs = sitemap_links(f"<urlset>{text}</urlset>".encode(encoding), BASE, charset=label)["href"].to_pylist()
            assert hrefs == [URL(f"https://a/{number}/日本語小").href for number in range(300)]


@pytest.mark.parametrize("size", [0, 1, 1000, 65535, 65536, 65537, 200_000])
def test_gzip(size: int) -> None:
    noise = random.Random(size).randbytes(size).hex()[:size]
    data = f"<urlset><!-- {noise} --><url><loc>http://a/</loc></url></urlset>".encode()
    packed = gzip.compress(data)
    parts = [data[i : i + len(data) // 3 + 1] for i in range(0, len(data), len(data) // 3 + 1)]
    members = b"".join(map(gzip.compress, parts))
    for form in (
        packed,
        gzip.compress(packed),
        packed + b"\0" * 1000,
        packed + b"\x1f",
        members,
        members + gzip.compress(b""),
    ):
        table = sitemap_links(form, BASE)
        assert ([row["href"] for row in table], table.warnings) == (["http://a/"], ())
    cut = sitemap_links(packed[:-9], BASE)
    assert "gzip: the file ends early" in cut.warnings
    damaged = bytearray(packed)
    damaged[-5] ^= 1
    assert "gzip: the file is damaged, so the rest is not read" in sitemap_links(bytes(damaged), BASE).warnings
    # Three times is once too often.
    assert sitemap_links(gzip.compress(gzip.compress(packed)), BASE)["href"].to_pylist() != ["http://a/"]


def test_members_that_begin_at_any_place() -> None:
    for end in range(65530, 65545):
        first = b"<urlset><url><loc>http://a/</loc>" + random.Random(end).randbytes(end).hex().encode()
        packed = gzip.compress(first, 0)
        packed = gzip.compress(first[: len(first) - len(packed) + end], 0)
        data = packed + gzip.compress(b"</url><url><loc>http://b/</loc></url></urlset>")
        assert len(packed) - end in range(-40, 40)
        assert sitemap_links(data, BASE)["href"].to_pylist() == ["http://a/", "http://b/"]


def test_files_that_are_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "LARGEST", 10_000)
    warning = "the file is longer than 10000 bytes: the rest is not read"
    row = b"<url><loc>http://a/</loc></url>"
    data = b"<urlset>" + row * 1000 + b"</urlset>"
    for form in (data, gzip.compress(data), gzip.compress(gzip.compress(data))):
        table = sitemap_links(form, BASE)
        assert (len(table), table.warnings) == ((10_000 - 8) // len(row), (warning, *ENDS_EARLY))
    monkeypatch.setattr(sitemaps, "MOST_OF_LINKS", 100_000)
    monkeypatch.setattr(sitemaps, "LARGEST", 1_000_000)
    for many in (data, b"http://a/\n" * 1000):
        table = sitemap_links(many, BASE)
        assert table.warnings == ("too many links: the rest is not read",)
        assert len(table) == 99_999 // (512 + len("http://a/"))
    members = gzip.compress(b"") * 1001 + gzip.compress(data)
    assert sitemap_links(members, BASE).warnings == ("gzip: more than 1000 members, so the rest is not read",)


def test_long_bases_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "MOST_OF_LINKS", 1_000_000)
    feed = b"<feed xml:base='/%b/'>" % (b"x" * 100_000) + b"<entry><link href='y'/></entry>" * 100
    table = sitemap_links(feed, BASE)
    assert 5 <= len(table) <= 10
    assert table.warnings == ("too many links: the rest is not read",)
    nested = b"<feed xml:base='/%b/'>" % (b"x" * 100_000) + b"<entry xml:base='z/'>" * 900
    assert sitemap_links(nested, BASE).warnings == ("too many links: the rest is not read",)


def test_arguments() -> None:
    with pytest.raises(TypeError, match="data must be bytes or a str, not int"):
        sitemap_links(1, BASE)  # type: ignore[arg-type]
    for text in (SITEMAP, f"\ufeff<?xml version='1.0' encoding='utf-16'?>{SITEMAP}"):
        table = sitemap_links(text, BASE, charset="latin1")
        assert (table["href"].to_pylist(), table.encoding) == (["https://a/%C3%A9"], ("utf-8", "text"))
    assert sitemap_links("http://a/\ud800", BASE)["href"].to_pylist() == ["http://a/%EF%BF%BD"]
    with pytest.raises(TypeError, match="charset must be a str or None"):
        sitemap_links(b"", BASE, charset=1)  # type: ignore[arg-type]
    with pytest.raises(InvalidURL) as raised:
        sitemap_links(b"", "x")
    assert raised.value.error == "base"
    (row,) = sitemap_links(b"http://a/#f", BASE, policy="whatwg")
    assert row["key"] == fingerprint("http://a/#f", "whatwg")


# A reader of trees.

XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"


# Where links are: an element in another one. The kind of the link, and the attribute if it is not the text.
# https://www.sitemaps.org/protocol.html, https://developers.google.com/search/docs/crawling-indexing/sitemaps/,
# https://www.rssboard.org/media-rss, https://www.rssboard.org/rss-specification, https://www.rfc-editor.org/rfc/rfc4287
PLACES = {
    "url loc": "link", "url link": "link href", "sitemap loc": "sitemap", "image loc": "image",
    "video content_loc": "media", "video player_loc": "frame", "video thumbnail_loc": "image",
    "channel link": "link", "item link": "link", "item guid": "link", "item comments": "link",
    "item enclosure": "media url", "item content": "media url", "group content": "media url",
    "item thumbnail": "image url", "image url": "image", "feed link": "link href", "feed icon": "image",
    "feed logo": "image", "entry link": "link href", "entry content": "link src",
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_each_place_has_its_link(place: str) -> None:
    parent, name = place.split()
    kind, _, attribute = PLACES[place].partition(" ")
    root = {"url": "urlset", "sitemap": "sitemapindex", "feed": "", "entry": "feed"}.get(parent, "rss")
    link = f"<{name} {attribute}='https://h/a'/>" if attribute else f"<{name}>https://h/a</{name}>"
    text = f"<{parent}>{link}</{parent}>"
    rows = sitemap_links((f"<{root}>{text}</{root}>" if root else text).encode(), BASE).to_pylist()
    assert [(row["kind"], row["href"]) for row in rows] == [(kind, "https://h/a")]


def by_tree(data: str) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []

    def local(element: ElementTree.Element) -> str:
        return element.tag.rpartition("}")[2]

    def walk(element: ElementTree.Element, parent: str, base: URL, item: list[Any]) -> None:
        name = local(element)
        base = URL(element.get(XML_BASE, ""), base) if is_feed else base
        own = item
        if name in ("url", "sitemap", "item", "entry"):
            dates = [(e.text or "").strip(" \n") for e in element if local(e) in ("lastmod", "updated")]
            own = [next(filter(None, dates), None)]
        place = f"{parent} {name}"
        if place in PLACES:
            attribute = PLACES[place].partition(" ")[2] or ("href" if element.get("href") is not None else None)
            value = element.get(attribute) if attribute else element.text or ""
            if value is not None:
                url = URL.parse(value.strip(), base if is_feed else None)
                rows.append((None if url is None else url.href, own[0]))
        for child in element:
            walk(child, name, base, own)

    root = ElementTree.fromstring(data)
    is_feed = local(root) in ("rss", "feed")
    walk(root, "", URL(BASE), [None])
    return rows


URLS = ["https://a/", "/b", "x?a&b<c", "//h/é", "#f", "", " y ", "mailto:a@b", "http://[", "]]>", "'\""]


def texts(rng: random.Random, text: str) -> str:
    parts = []
    for piece in (text[: len(text) // 2], text[len(text) // 2 :]):
        ways = [escape(piece), "".join(f"&#{ord(c)};" for c in piece)]
        if "]]>" not in piece:
            ways.append(f"<![CDATA[{piece}]]>")
        parts.append(rng.choice(ways))
    return rng.choice(("", "<!-- <loc>http://no/</loc> -->", "<?x y?>")).join(parts)


def elements(rng: random.Random, names: dict[str, list[str]], name: str, depth: int) -> Iterator[str]:
    attributes = ""
    if name in ("link", "content", "enclosure", "thumbnail") and rng.random() < 0.8:
        attribute = {"content": "src"}.get(name, "href" if name == "link" else "url")
        attributes = f" {attribute} = {quoteattr(rng.choice(URLS))}"
    if rng.random() < 0.1:
        attributes += f"\n xml:base={quoteattr(rng.choice(['/b/', 'c/', 'https://d/e']))}"
    if rng.random() < 0.2:
        attributes = f" other='>'{attributes} "
    prefix = rng.choice(("", "", "p:"))
    children = names.get(name, [])
    if not children and rng.random() < 0.1:
        yield f"<{prefix}{name}{attributes}/>"
        return
    yield f"<{prefix}{name}{attributes}>"
    if children:
        for child in rng.choices(children, k=rng.randrange(6)) if depth < 6 else ():
            yield from elements(rng, names, child, depth + 1)
            yield rng.choice(("", "\n ", "text", "<!-- x -->"))
    else:
        yield texts(rng, rng.choice(URLS))
    yield f"</{prefix}{name} >"


SHAPES: dict[str, dict[str, list[str]]] = {
    "urlset": {"urlset": ["url", "url", "other"], "url": ["loc", "link", "image", "video", "lastmod", "title"],
               "image": ["loc"], "video": ["content_loc", "player_loc", "thumbnail_loc", "title"], "other": ["url"]},
    "sitemapindex": {"sitemapindex": ["sitemap"], "sitemap": ["loc", "lastmod"]},
    "rss": {"rss": ["channel"], "channel": ["item", "item", "link", "other"], "other": ["item"],
            "item": ["link", "comments", "enclosure", "thumbnail", "title"]},
    "feed": {"feed": ["entry", "entry", "link", "icon", "title"], "entry": ["link", "content", "updated", "title"]},
}  # fmt: skip


@pytest.mark.parametrize("root", SHAPES)
@pytest.mark.parametrize("seed", range(100))
def test_against_a_tree(root: str, seed: int) -> None:
    rng = random.Random(f"{root} {seed}")
    text = "".join(elements(rng, SHAPES[root], root, 0)).replace(root, f"{root} xmlns:p='p'", 1)
    table = sitemap_links(text.encode(), BASE)
    found = [(row["href"], row["lastmod"]) for row in table]
    assert (found, table.warnings) == (by_tree(text), ()), text


@pytest.mark.parametrize("seed", range(300))
def test_any_bytes(seed: int) -> None:
    """No exception, and no warning that is not one of ours."""
    rng = random.Random(seed)
    words = ["<", ">", "<urlset>", "<url>", "<loc>", "</loc>", "</url>", "http://a/", "<feed", " xml:base='", "'", '"',
             "<![CDATA[", "]]>", "<!--", "-->", "<?", "?>", "<!DOCTYPE", "[", "]", "<!ENTITY", "&amp;", "&#", "\0", "/",
             "<item>", "<guid>", "<entry>", "<link href=", "\xff", "=", " ", "<updated>", "<rss>",
             "<channel>"]  # fmt: skip
    text = rng.choice(("", "<urlset>", "<feed>", "<rss>")) + "".join(rng.choices(words, k=rng.randrange(60)))
    data = text.encode(rng.choice(("latin-1", "utf-16", "utf-8")))
    for form in (data, gzip.compress(data)[: rng.randrange(200)], zlib.compress(data), rng.randbytes(50)):
        table = sitemap_links(form, BASE)
        assert len(table.to_pylist()) == len(table)


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "open": lambda n: b"<urlset>" + b"<url>" * n,
    "other end tags": lambda n: b"<urlset>" + b"<a>" * 900 + b"</b>" * n,
    "tags that do not end": lambda n: b"<urlset>" + b"<a " * n,
    "quotes": lambda n: b"<urlset>" + b"<a '" * n,
    "quotes of two kinds": lambda n: b"<urlset>" + b"<a x='\" y=\"'" * n,
    "a tag": lambda n: b"<feed><link " + b"a" * n + b">",
    "attributes": lambda n: b"<feed><link " + b" href = " * n + b"/>",
    "attributes with values": lambda n: b"<feed><link " + b" href=''" * n + b"/>",
    "white space": lambda n: b"<feed><link href" + b" " * n + b"/>",
    "comments": lambda n: b"<urlset><url><loc>" + b"<!---->x" * n,
    "comments that do not end": lambda n: b"<urlset>" + b"<!-- " * n,
    "declarations": lambda n: b"<!DOCTYPE [<!ENTITY" * n,
    "sections": lambda n: b"<urlset><url><loc>" + b"<![CDATA[x]]>" * n,
    "references": lambda n: b"<urlset><url><loc>http://a/" + b"&#" * n + b"&amp;" * n + b"</loc>",
    "rows": lambda n: b"<urlset>" + b"<url><loc>a</loc></url>" * n,
    "rows of a text": lambda n: b"a\n" * n,
    "empty lines": lambda n: b"\n" * n + b"a",
    "dates": lambda n: b"<urlset><url>" + b"<loc>a</loc><lastmod>b</lastmod>" * n,
    "bases": lambda n: b"<feed>" + b"<entry xml:base='a/'><link href='b'/></entry>" * n,
    "items in each other": lambda n: b"<rss>" + b"<item><link>a</link>" * 900 + b"</item>" * n,
    "less than": lambda n: b"<urlset><url><loc>" + b"<" * n,
    "names": lambda n: b"<urlset>" + b"".join(b"<n%d/>" % i for i in range(n)),
    "members": lambda n: gzip.compress(b"") * n,
    "a bomb": lambda n: gzip.compress(b"<urlset>" + b" " * 60_000_000),
    "a bomb in a bomb": lambda n: gzip.compress(gzip.compress(b"<urlset>" + b"\0" * 60_000_000) * 3),
}


@pytest.mark.timed
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_take_little_time(name: str) -> None:
    data = HOSTILE[name](500_000)
    start = time.process_time()
    assert len(sitemap_links(data, BASE)) >= 0
    assert time.process_time() - start < 10


PEAK = """
import gzip, resource, sys
from weburl.crawl import sitemap_links

sitemap_links(b"<urlset><url><loc>http://a/</loc></url></urlset>", "http://h/")
data = sys.stdin.buffer.read()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
sitemap_links(data, "http://h/")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
FULL: dict[str, Callable[[], bytes]] = {
    "a bomb": lambda: gzip.compress(b"<urlset>" + b" " * 1_000_000_000, 1),
    "rows": lambda: gzip.compress(b"<urlset>" + b"<url><loc>http://a/bcd</loc></url>" * 2_000_000, 1),
    "lines": lambda: gzip.compress(b"a\n" * 30_000_000, 1),
    "bases": lambda: gzip.compress(
        b"<feed xml:base='/" + b"x" * 100_000 + b"/'>" + b"<entry><link href='y'/></entry>" * 1_000_000, 1
    ),
    "names": lambda: gzip.compress(b"<urlset>" + b"".join(b"<%x/>" % i for i in range(6_000_000)), 1),
    "attributes": lambda: gzip.compress(
        b"<feed><link " + b"".join(b" x%x=''" % i for i in range(4_000_000)) + b"/>", 1
    ),
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="of Linux")
@pytest.mark.parametrize("name", FULL)
def test_memory_has_a_bound(name: str) -> None:
    """50 MB of a file, and 256 MB of links."""
    command = [sys.executable, "-c", PEAK]
    peak = int(subprocess.run(command, input=FULL[name](), capture_output=True, check=True).stdout)
    assert peak < 900_000, f"{peak} kB"
