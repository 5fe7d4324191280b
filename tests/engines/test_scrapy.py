"""Scrapy with weburl: what it requests for the links of a page, against what Chromium requests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rows import DOCS, check_examples
from scrapy import FormRequest, Request
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware, RedirectMiddleware
from scrapy.exceptions import ScrapyDeprecationWarning
from scrapy.http import HtmlResponse, JsonResponse, Response, TextResponse, XmlResponse
from scrapy.linkextractors import LinkExtractor as ScrapyLinkExtractor
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler
from support.browser import PAGE, Link, ask

import weburl.crawl
from weburl import URL
from weburl.ext._scrapy.links import get_meta_refresh
from weburl.ext.scrapy import AddOn, LinkExtractor, RequestFingerprinter, document_base
from weburl.forms import serialize_form
from weburl.percent import percent_decode

SPIDER = re.search(r"```python\n(.*?)```", (DOCS / "scrapy.md").read_text("utf-8"), re.DOTALL)
ADD_ON = 'custom_settings = {"ADDONS": {"weburl.ext.scrapy.AddOn": 0}}'
ENCODINGS = ("utf-8", "iso-8859-1", "shift_jis", "windows-1251", "gb18030")
LINKS = """
    relative?straße
    /é/ö?é=ö#ü
    ?q=€
    日本語?日本語=表示ソ
    /kana?ｶﾅ\\~¥
    /кириллица?кириллица=ё
    //faß.example/é?é
    //日本語.example?é
    \\\\backslashes.example\\path\\x?é\\x
    http:relative-with-scheme?é
    http:///three.example/é?é
    HTTP://UPPER.example:080/Ä?Ä
    /dots/./a/../%2e%2E/b/%2e?é
    /delimiters|^`{}[]"<>?|^`{}[]"'<>é
    /escapes%/%zz%41%7e%c3%a9?%/%zz%41%7e%c3%a9é
    /unencodable?\U0001f600한국어ÿ
    //0x7f.1/numbers?é
    //h.example:8080?é
    /a//b/;c=d;e?;=&&é+ü
    #nothing-but-é
    http://[v6a.ip]/é
    //us%3Aer.example:port/é
    mailto:é@example.com
    javascript:é()
""".strip().splitlines()
LINKS = [link.strip() for link in LINKS] + [" \x01/white space?é é ", "/ta\tbs\nand lines?\té", "/\x0e?\x0e"]


def links_in(encoding: str) -> list[Link]:
    """Each link as characters, and as bytes of the page where its encoding has it."""
    links = [Link(link, encoding) for link in LINKS]
    for link in LINKS:
        try:
            links.append(Link(f"{link}-in-bytes".encode(encoding), encoding))
        except UnicodeEncodeError:
            assert encoding != "utf-8"
    return links


class Log:
    """A proxy that has one page, and the targets of the requests for others."""

    def __init__(self, page: bytes, content_type: str) -> None:
        self.targets: list[str] = []
        log = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                is_page = self.path == PAGE.rstrip("?")
                if not is_page:
                    log.targets.append(self.path)
                self.send_response(200)
                self.send_header("Content-Type", content_type if is_page else "text/plain")
                self.end_headers()
                self.wfile.write(page if is_page else b"-")

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        self.handler = Handler

    @contextmanager
    def serve(self) -> Iterator[str]:
        with ThreadingHTTPServer(("127.0.0.1", 0), self.handler) as server:
            threading.Thread(target=server.serve_forever).start()
            yield f"http://127.0.0.1:{server.server_port}"
            server.shutdown()


def crawl(folder: Path, spider: str, links: list[Link]) -> set[bytes]:
    """What Scrapy requests for the links of a page."""
    body = b"".join(b'<p><a href="%s">x</a></p>' % link.markup() for link in links)
    log = Log(b"<!doctype html>" + body, f"text/html; charset={links[0].encoding}")
    file = folder / "pages.py"
    file.write_text(spider, "utf-8")
    with log.serve() as proxy:
        environment = os.environ | {"http_proxy": proxy, "no_proxy": "", "PYTHONPATH": os.pathsep.join(sys.path)}
        settings = ["-s", "ROBOTSTXT_OBEY=False", "-s", "TELNETCONSOLE_ENABLED=False", "-s", "RETRY_ENABLED=False"]
        command = [sys.executable, "-m", "scrapy", "runspider", str(file), "-a", f"url={PAGE.rstrip('?')}", *settings]
        ran = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert "Traceback" not in ran.stderr, ran.stderr
    assert "'finish_reason': 'finished'" in ran.stderr
    return set(map(percent_decode, log.targets))


@pytest.fixture(scope="module")
def chromium() -> dict[str, set[bytes]]:
    """What Chromium requests, by the encoding of the page."""
    links = [link for encoding in ENCODINGS for link in links_in(encoding)]
    answers = ask(links)
    return {
        encoding: {
            percent_decode(answer.requested)
            for link, answer in zip(links, answers, strict=True)
            if link.encoding == encoding and answer.requested
        }
        for encoding in ENCODINGS
    }


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_requests_are_those_of_chromium(encoding: str, tmp_path: Path, chromium: dict[str, set[bytes]]) -> None:
    assert SPIDER
    assert ADD_ON in SPIDER[1]
    expected = chromium[encoding]
    assert len(expected) > 20
    assert crawl(tmp_path, SPIDER[1], links_in(encoding)) == expected
    without = crawl(tmp_path, SPIDER[1].replace(ADD_ON, ""), links_in(encoding))
    assert len(expected - without) > 5


def page(body: str, encoding: str = "utf-8", url: str = "http://a.example/dir/page?q") -> HtmlResponse:
    return HtmlResponse(url, body=body.encode(encoding), encoding=encoding)


def links_of(response: TextResponse, **arguments: Any) -> list[str]:
    return [link.url for link in LinkExtractor(**arguments).extract_links(response)]


@pytest.mark.parametrize(
    ("markup", "base"),
    [
        ("", "http://a.example/dir/page?q"),
        ("<base target=x><base href=x/><base href=y/>", "http://a.example/dir/x/"),
        ("<base href=''><base href=y/>", "http://a.example/dir/page?q"),
        ("<base href='data:,x'><base href=y/>", "http://a.example/dir/page?q"),
        ("<base href='javascript:x'>", "http://a.example/dir/page?q"),
        ("<base href='http://a b'>", "http://a.example/dir/page?q"),
        ("<!-- <base href=x/> --><BASE HREF=' /z?é '>", "http://a.example/z?%E9"),
        ("-" * 5000 + "<base href=late/>", "http://a.example/dir/late/"),
        ("<template><base href=no/></template><base href=x/>", "http://a.example/dir/x/"),
        ("<svg><base href=no/></svg>", "http://a.example/dir/page?q"),
        ("<noscript><base href=no/></noscript>", "http://a.example/dir/page?q"),
        ("<textarea><base href=no/></textarea>", "http://a.example/dir/page?q"),
        ("<script>'<base href=no/>'</script>", "http://a.example/dir/page?q"),
    ],
)
def test_document_base(markup: str, base: str) -> None:
    response = page(f"{markup}<a href='#ß'>", "latin-1")
    assert document_base(response).href == base
    assert document_base(response) is document_base(response)
    assert links_of(response) == [f"{base}#%C3%9F"]


@pytest.mark.parametrize(
    ("codec", "label"),
    [
        ("cp1252", "windows-1252"),
        ("cp932", "shift_jis"),
        ("big5hkscs", "big5"),
        ("utf-16-le", "utf-8"),
        ("cp437", "utf-8"),
    ],
)
def test_encodings_as_scrapy_names_them(codec: str, label: str) -> None:
    assert document_base(page("x", codec)).encoding == label


@pytest.mark.parametrize(
    ("charset", "body", "query"),
    [
        ("gb2312", "<a href='?€丂㐀'>".encode("gb18030"), "%80%81@%26%2313312%3B"),
        ("gbk", "<a href='?€丂㐀'>".encode("gb18030"), "%80%81@%26%2313312%3B"),
        ("gb18030", "<a href='?€'>".encode("gb18030"), "%A2%E3"),
        ("unknown", b"<meta charset=koi8-r><a href='?\xc2'>", "%C2"),
        ("utf-8", b"<meta charset=koi8-r><a href='?\xc2\xa3'>", "%C2%A3"),
        # A page that declares nothing is what Scrapy guesses.
        (None, "<a href='?£'>".encode(), "%C2%A3"),
        (None, b"<a href='?\xa3'>", "%A3"),
        (None, b"<meta charset=gb2312><a href='?\x80'>", "%80"),
        (None, b"<head><!--" + b"x" * 3000 + b"--><meta charset=koi8-r><a href='?\xc2'>", "%C2"),
    ],
)
def test_encodings_of_responses(charset: str | None, body: bytes, query: str) -> None:
    kind = "text/html" + (f"; charset={charset}" if charset else "")
    response = HtmlResponse("http://a.example/", headers={"Content-Type": kind}, body=body)
    assert links_of(response) == [f"http://a.example/?{query}"]


REFRESHES = {
    "5; url=x": (5, "x"),
    "5;URL='x y'z": (5, "x%20y"),
    "5,x": (5, "x"),
    "5 x": (5, "x"),
    "5;x": (5, "x"),
    ".5;url=x": (0, "x"),
    "5.9; url = x": (5, "x"),
    "05;url=?é": (5, "page?%E9"),
    "5": None,
    "x;url=x": None,
    "5x;url=x": None,
    "5;url=http://": None,
    "5;url=javascript:x": None,
    ";url=x": None,
}


@pytest.mark.parametrize("content", REFRESHES)
def test_refresh(content: str) -> None:
    expected = REFRESHES[content]
    found = (None, None) if expected is None else (expected[0], f"http://a.example/dir/{expected[1]}")
    meta = f'<meta http-equiv=Refresh content="{content}">'
    assert get_meta_refresh(page(meta + "<base href=/late/>", "latin-1")) == found
    assert get_meta_refresh(page(meta, url="a b")) == (None, None)
    assert get_meta_refresh(page("-" * 5000 + meta, "latin-1")) == found
    for start, end in (("<noscript>", "</noscript>"), ("<!--", "-->"), ("<template>", "</template>")):
        assert get_meta_refresh(page(f"{start}{meta}{end}")) == (None, None)


def test_a_refresh_in_noscript_if_that_is_not_ignored() -> None:
    response = page("<noscript><meta http-equiv=refresh content='5;url=x'></noscript>")
    assert get_meta_refresh(response, ignore_tags=()) == (5, "http://a.example/dir/x")


@pytest.mark.parametrize(
    ("kind", "body", "base"),
    [(TextResponse, "<base href=y/>", "y/"), (XmlResponse, "<base href='y/'/>", ""), (JsonResponse, "{}", "")],
)
def test_what_has_a_base(kind: type[TextResponse], body: str, base: str) -> None:
    response = kind("http://a.example/", body=body, encoding="utf-8")
    assert document_base(response).href == f"http://a.example/{base}"


@pytest.mark.parametrize("url", ["", "page.html", "http://a b/"])
def test_a_response_whose_url_is_none(url: str) -> None:
    response = page("<a href=http://c.example/x?y>x</a>", url=url)
    theirs = ScrapyLinkExtractor().extract_links(response)
    assert theirs
    assert LinkExtractor().extract_links(response) == theirs


def test_older_scrapy() -> None:
    program = "import scrapy; scrapy.version_info = (2, 16, 0); import weburl.ext.scrapy"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].startswith("ImportError: this needs Scrapy 2.17 or later, not ")


def test_what_links_hold() -> None:
    body = """<a href="é" rel="x NoFollow">te<b>xt</b></a><area href="/b|c"><link href=no><a href="é">again</a>
        <a href="http://a b/">no URL</a><a href="mailto:x@y">no page</a><a name=x>no link</a>"""
    first, second = LinkExtractor().extract_links(page(body))
    assert (first.url, first.text, first.nofollow) == ("http://a.example/dir/%C3%A9", "text", True)
    assert (second.url, second.text, second.nofollow) == ("http://a.example/b|c", "", False)
    assert len(LinkExtractor(unique=False).extract_links(page(body))) == 3


def test_links_of_a_browsers_tree() -> None:
    body = """<template><a href=no></a></template><noscript><a href=no></a></noscript><svg><a xlink:href=1>x</a></svg>
        <a href=2>a
        b</a><textarea><a href=no></a></textarea><link rel=next href=no><iframe src=no></iframe>"""
    found = LinkExtractor().extract_links(page(body))
    assert [(link.url[-1], link.text) for link in found] == [("1", "x"), ("2", "a b")]


def test_arguments() -> None:
    body = "<a href=/1>x</a><p><a href='/2?b&a#f'>y</a><a href=/3.pdf>y</a><img src=4><a href=//c.example/>z</a></p>"
    for arguments in (
        {"restrict_xpaths": "//p"},
        {"restrict_xpaths": ["//p", "//body"]},
        {"restrict_css": "p", "deny_domains": "c.example"},
        {"restrict_text": "y", "deny_extensions": ()},
        {"allow": r"/\d", "deny": "1"},
        {"tags": ("a", "img"), "attrs": ("href", "src"), "allow_domains": ["a.example"]},
        {"canonicalize": True},
        {"process_value": lambda value: value.replace("1", "5")},
        {"process_value": lambda value: None if "2" in value else value},
        {"process_value": lambda value: "http://d.example/6"},
    ):
        theirs = ScrapyLinkExtractor(**arguments).extract_links(page(body))
        assert theirs
        assert LinkExtractor(**arguments).extract_links(page(body)) == theirs


def test_values_that_have_been_processed_are_resolved() -> None:
    body = """<base href="/base/"><a href="javascript:go('é?é')">x</a><a href="/2">y</a>"""

    def process(url: str) -> str:
        found = re.search(r"^javascript:go\('(.*)'\)", url)
        return percent_decode(found[1]).decode() if found else "http://a b/"

    assert links_of(page(body, "latin-1"), process_value=process) == ["http://a.example/base/%C3%A9?%E9"]


def test_fingerprints() -> None:
    fingerprints = RequestFingerprinter()
    url = "http://a.example/?b=1&a=2"
    key = fingerprints.fingerprint(Request(url))
    assert key == weburl.crawl.fingerprint(url, bits=128)
    same = [Request("HTTP://A.example:80/index.html?a=2&b=1&utm_source=x#f"), Request(url, headers={"X": "y"})]
    assert {fingerprints.fingerprint(request) for request in same} == {key}
    others = [
        Request(url, method="POST"),
        Request(url, body=b"x"),
        Request(url, method="POST", body=b"x"),
        Request(url + "&c=3"),
        Request("http://a b/"),
        Request("http://a b/x"),
        Request(url, meta={"verbatim_url": True}),
        Request(url + "#f", meta={"verbatim_url": True}),
    ]
    found = [fingerprints.fingerprint(request) for request in others]
    assert len({key, *found}) == 9
    assert {len(each) for each in found} == {16}
    verbatim = Request(weburl.crawl.canonicalize(url), meta={"verbatim_url": True})
    assert fingerprints.fingerprint(verbatim) == key


def test_a_redirect_to_the_same_page_has_a_fingerprint_of_its_own() -> None:
    fingerprints = RequestFingerprinter()

    def key(url: str, *before: str) -> bytes:
        return fingerprints.fingerprint(Request(url, meta={"redirect_urls": [*before]}))

    page = key("http://a/")
    assert key("http://a/index.html") == key("http://a/#top", "http://a/") == page
    apart = [key("http://a/index.html", "http://a/"), key("http://a/", "http://b/", "http://a/index.html")]
    assert len({page, *apart}) == 3
    # Each of the redirects counts, as of a page that sends visitors to another one first.
    assert key("http://a/", "http://a/index.html", "http://b/") == apart[1]
    assert key("http://a/", "http://a/index.html", "http://a b/") == apart[1]
    # A page that redirects to others is none of them, and in a loop, nothing is requested again.
    assert key("http://a/b", "http://a/", "http://a b/") == key("http://a/b")
    assert key("http://a/", "http://a/", "http://b/") == key("http://a/#x", "http://a/", "http://a/index.html") == page


def check_forms() -> None:
    AddOn().update_settings(Settings())
    rng = Random(5)
    texts = [
        "",
        "\r",
        "\n",
        "\r\n",
        "*-._~ +",
        "\u00e9\u20ac",
        "\u4e2d\u6587",
        "\U0001f600",
        "a&b=c",
        "%zz",
        "'\"<>`{}|",
    ]
    for encoding in ("utf-8", "latin-1", "gb2312", "shift_jis"):
        for _ in range(500):
            pairs = [tuple("".join(rng.choices(texts, k=3)) for _ in range(2)) for _ in range(rng.randrange(1, 4))]
            lines = [tuple(re.sub("\r\n?|\n", "\r\n", part) for part in pair) for pair in pairs]
            wanted = serialize_form(lines, encoding=weburl.crawl.label_of(encoding))
            assert FormRequest("http://a/", formdata=pairs, encoding=encoding).body == wanted.encode()
            got = FormRequest("http://a/?x#f", method="GET", formdata=pairs, encoding=encoding)
            assert got.url == URL(f"http://a/?{wanted}#f").href
    listed = FormRequest("http://a/", formdata={"a": ["1", b"\xff \n"], "b": ()})
    assert listed.body == b"a=1&a=%FF+%0A"
    with pytest.raises(UnicodeEncodeError):
        # Browsers do not have this encoding, so this is what Scrapy does.
        FormRequest("http://a/", formdata={"a": "\u4e2d"}, encoding="cp437")


def test_forms() -> None:
    """In a process of its own, because it changes Scrapy."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    program = f"import {__name__}; {__name__}.check_forms()"
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, timeout=60)


def test_policies() -> None:
    class Crawler:
        settings = Settings({"WEBURL_POLICY": "whatwg"})

    requests = [Request("http://a.example/"), Request("http://a.example/#f")]
    for fingerprints, number in ((RequestFingerprinter(), 1), (RequestFingerprinter.from_crawler(Crawler()), 2)):
        assert len({fingerprints.fingerprint(request) for request in requests}) == number
    with pytest.raises(ValueError, match="policy"):
        RequestFingerprinter("none")


def check_add_on() -> None:
    extractor = ScrapyLinkExtractor(canonicalize=True)
    settings, own = Settings(), Settings({"REQUEST_FINGERPRINTER_CLASS": "own"})
    for each in (settings, own):
        AddOn().update_settings(each)
    assert settings["REQUEST_FINGERPRINTER_CLASS"] is RequestFingerprinter
    assert own["REQUEST_FINGERPRINTER_CLASS"] == "own"

    assert Request("http://faß.example\\é?é", encoding="latin-1").url == "http://xn--fa-hia.example/%C3%A9?%E9"
    response = page("<base href=b/><a href='\\\\c?ß'>", "latin-1", "http://a.example/")
    assert [link.url for link in extractor.extract_links(response)] == ["http://c/?%DF="]
    assert response.urljoin(" d?ß ") == "http://a.example/b/d?%DF"
    assert [request.url for request in response.follow_all(["d?ß"])] == ["http://a.example/b/d?%DF"]
    for markup, target in (
        ("<base href=data:,x><form action=y?ß>", "dir/y?%DF"), ("<base href=/b/><form action=y>", "b/y"),
        ("<base href=/b/><form action=''>", "dir/page?q"), ("<base href=/b/><form>", "dir/page?q"),
    ):  # fmt: skip
        with pytest.warns(ScrapyDeprecationWarning, match="form2request"):
            form = FormRequest.from_response(page(markup, "latin-1"), method="POST", formdata={"a": "1"})
        assert (form.url, form.body) == (f"http://a.example/{target}", b"a=1")
    middleware = MetaRefreshMiddleware.from_crawler(get_crawler())
    refreshed = middleware.process_response(Request("http://a.example/"), page("<meta http-equiv=refresh content=5,x>"))
    assert refreshed.url == "http://a.example/dir/x"
    # Text that is not a URL stays as Scrapy reads it.
    assert response.urljoin("http://a b/") == "http://a b/"
    assert page("x", url="a b").urljoin("http://c") == "http://c"
    redirection = Response("http://a.example/", 302, {"Location": "\\\\faß.example/ä?ö"})
    redirected = RedirectMiddleware.from_crawler(get_crawler()).process_response(
        Request("http://a.example/"), redirection
    )
    assert redirected.url == "http://xn--fa-hia.example/%C3%A4?%C3%B6"


TOKENS = [*map(chr, range(0x100)), "\u200b", "\ud800", "\U0001f600", "日本"]
TOKENS += """
%41 %2f %2F % %% %zz %00 %7e %5b %5D %C3%A9 %e9 // .. ./ %2e + & = ? # #! @ : ; / [ ] { } | ^ ` \\ a b index.html
utm_source=1 ;jsessionid=1 http:// é
""".split()
STARTS = """
http:// https:// HTTP:// http://h/ https://h/? http://h/a?b= http://u@h/ http://h:80/ http://ü.example/ http://u:p@h:81
""".split()


def check_fingerprints() -> None:
    """Before and after Request has rewritten the URL."""
    AddOn().update_settings(Settings())
    fingerprints = RequestFingerprinter()
    random = Random(1)
    count = rewritten = 0
    while count < 20_000:
        text = random.choice(STARTS) + "".join(random.choices(TOKENS, k=random.randint(0, 8)))
        url = URL.parse(text)
        if url is None or url.scheme not in ("http", "https"):
            continue
        count += 1
        expected = weburl.crawl.fingerprint(text, bits=128)
        requests = Request(text), Request(url.href)
        assert [fingerprints.fingerprint(request) for request in requests] == [expected, expected], text
        rewritten += requests[0].url != text
        again = Request(requests[0].url)
        assert fingerprints.fingerprint(again) == expected
    assert rewritten > 5000


def test_the_fingerprints_of_urls() -> None:
    """For every http and https URL in the default encoding, with the add-on; so in a process of its own."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    program = f"import {__name__}; {__name__}.check_fingerprints()"
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, timeout=120)


def test_add_on() -> None:
    """In a process of its own, because it changes Scrapy."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    program = f"import {__name__}; {__name__}.check_add_on()"
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, timeout=60)


def test_examples() -> None:
    check_examples("scrapy")
