"""Which requests a crawl sends: weburl.ext.scrapy.ScopeMiddleware and CrawlScope."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import IgnoreRequest
from scrapy.link import Link
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from weburl import URL, PatternError, URLPattern
from weburl.ext.scrapy import AddOn, CrawlScope, ScopeMiddleware
from weburl.patterns import PatternList

ALLOW = ["https://example.com/books/*", "https://*.example.org/*"]
DENY = [("private", "https://*/books/private/*"), ("print", "https://*/*\\?*print=*")]


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://example.com/books/7", None), ("https://a.b.example.org/", None),
        ("https://example.com/", "not allowed"), ("https://example.org/", "not allowed"),
        ("http://example.com/books/7", "not allowed"),
        ("https://example.com/books/private/7", "denied by private"),
        ("https://example.com/books/7?a&print=1", "denied by print"), ("//", "not a URL"),
        # As a browser sees them.
        ("HTTPS://EXAMPLE.com:443\\books\\x\\..\\7", None), ("https://example.com/books/../", "not allowed"),
        ("https://example.com/books/%2e%2e/", "not allowed"),
        ("https://evil.test\\@example.com/books/7", "not allowed"),
        ("https://example.com/books/x/../private/7", "denied by private"),
        ("https://example.com/books/private\t/7", "denied by private"),
    ],
)  # fmt: skip
def test_scope(url: str, reason: str | None) -> None:
    scope = CrawlScope(ALLOW, DENY)
    assert scope.reason(url) == reason
    assert scope.allows(url) == (reason is None)
    if reason != "not a URL":
        assert scope.allows(URL(url)) == (reason is None)
    # A start need not be allowed; it can be denied.
    assert scope.reason(url, start=True) == (None if reason == "not allowed" else reason)


def test_scopes_are_made_from_anything_that_has_patterns(tmp_path: Path) -> None:
    path = tmp_path / "patterns.txt"
    path.write_text("// books\nbooks\thttps://example.com/books/*\n", "utf-8")
    pattern = URLPattern("https://example.com/books/*")
    for allow in (
        path,
        str(path),
        PatternList([pattern]),
        [pattern],
        ("https://example.com/books/*",),
        {"a": pattern},
        iter([pattern]),
    ):
        scope = CrawlScope(allow)
        assert scope.allows("https://example.com/books/7")
        assert not scope.allows("https://example.com/")
    assert not CrawlScope(deny=path).allows("https://example.com/books/7")
    nothing: tuple[Any, ...] = ((), None, [], PatternList())
    for empty in nothing:
        assert not CrawlScope(empty, empty)
        assert CrawlScope(empty, empty).allows("anything at all")
    for wrong in (5, pattern):
        with pytest.raises(TypeError, match="patterns must be a PatternList, patterns or a path, not"):
            CrawlScope(wrong)
    with pytest.raises(PatternError):
        CrawlScope(["https://example.com/("])
    with pytest.raises(FileNotFoundError):
        CrawlScope(str(tmp_path / "none.txt"))


def test_links() -> None:
    urls = ["https://example.com/books/7", "https://example.com/", "https://example.com/books/private/7"]
    links = [Link(url) for url in urls]
    assert CrawlScope(ALLOW, DENY).filter_links(links) == links[:1]


def middleware(settings: dict[str, Any] | None = None, **attributes: Any) -> ScopeMiddleware:
    crawler = get_crawler(settings_dict=settings)
    made = ScopeMiddleware.from_crawler(crawler)
    crawler.spider = Spider(name="spider", **attributes)
    return made


def is_sent(made: ScopeMiddleware, url: str, **arguments: Any) -> bool:
    try:
        made.process_request(Request(url, **arguments))
    except IgnoreRequest:
        return False
    return True


def test_middleware() -> None:
    made = middleware(allowed_patterns=ALLOW, denied_patterns=DENY)
    assert is_sent(made, "https://example.com/books/7")
    assert not is_sent(made, "https://example.com/")
    assert not is_sent(made, "https://example.com/books/private/7")
    assert is_sent(made, "https://example.com/", dont_filter=True)
    assert not is_sent(made, "https://example.com/books/private/7", dont_filter=True)
    assert not is_sent(
        made, "https://example.com/", dont_filter=True, meta={"redirect_urls": ["https://example.com/books/7"]}
    )
    assert is_sent(made, "https://example.com/books/private/7", meta={"allow_out_of_scope": True})
    assert made.crawler.stats is not None
    assert made.crawler.stats.get_value("scope/filtered") == 4


def test_settings_and_attributes(tmp_path: Path) -> None:
    assert is_sent(middleware(), "https://example.com/")
    path = tmp_path / "patterns.txt"
    path.write_text("https://example.com/books/*\n", "utf-8")
    for allow in (str(path), ["https://example.com/books/*"]):
        made = middleware({"WEBURL_ALLOWED_PATTERNS": allow})
        assert is_sent(made, "https://example.com/books/7")
        assert not is_sent(made, "https://example.com/")
    made = middleware({"WEBURL_ALLOWED_PATTERNS": ["https://example.org/*"]}, allowed_patterns=ALLOW)
    assert is_sent(made, "https://example.com/books/7")
    made = middleware({"WEBURL_DENIED_PATTERNS": ["https://example.org/*"]}, denied_patterns=[])
    assert is_sent(made, "https://example.org/")


def test_an_error_in_a_pattern_lets_nothing_through() -> None:
    made = middleware(denied_patterns=["https://example.com/("])
    for _ in range(2):
        with pytest.raises(PatternError):
            made.process_request(Request("https://example.org/"))
    crawler = get_crawler()
    crawler.spider = Spider(name="spider", denied_patterns=["https://example.com/("])
    with pytest.raises(PatternError):
        ScopeMiddleware.from_crawler(crawler)


@pytest.mark.parametrize("given", [{}, {ScopeMiddleware: 700}, {"weburl.ext.scrapy.ScopeMiddleware": 700}])
def test_the_add_on_adds_it_once(given: dict[Any, int]) -> None:
    settings = Settings({"DOWNLOADER_MIDDLEWARES": given})
    AddOn().update_settings(settings)
    places = settings.getdict("DOWNLOADER_MIDDLEWARES")
    assert [place for key, place in places.items() if "Scope" in str(key)] == [700 if given else 55]


@contextmanager
def site() -> Iterator[tuple[str, list[str]]]:
    """A site on which each page links to others, and what is requested."""
    requested: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requested.append(self.path)
            if self.path == "/books/moved":
                self.send_response(302)
                self.send_header("Location", "/other/page")
                self.end_headers()
                return
            body = b"".join(b'<a href="%s">x</a>' % each for each in (
                b"/books/1", b"/books/2?print=1", b"/books/x/../../other/page", b"/books/private/3", b"/books/moved"
            ))  # fmt: skip
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", requested
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


SPIDER = r"""
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Pages(CrawlSpider):
    name = "pages"
    custom_settings = {"ADDONS": {"weburl.ext.scrapy.AddOn": 0}, "TELNETCONSOLE_ENABLED": False, "LOG_LEVEL": "DEBUG"}
    rules = [Rule(LinkExtractor(), follow=True)]
    allowed_domains = ["127.0.0.1"]
    start_urls = ["URL/"]
    allowed_patterns = ["http://127.0.0.1:*/books/*"]
    denied_patterns = {"private": "*://*:*/books/private/*", "print": "*://*:*/*\\?*print=*"}
"""


def test_a_crawl(tmp_path: Path) -> None:
    with site() as (url, requested):
        path = tmp_path / "spider.py"
        path.write_text(SPIDER.replace("URL", url), "utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "scrapy", "runspider", str(path)], capture_output=True, text=True, timeout=120
        )
    assert done.returncode == 0, done.stderr
    # The page to which one of them is redirected is not requested.
    assert sorted(requested) == ["/", "/books/1", "/books/moved"]
    assert "denied by private" in done.stderr
    assert "'scope/filtered': " in done.stderr


def test_a_crawl_with_a_wrong_pattern_does_not_start(tmp_path: Path) -> None:
    with site() as (url, requested):
        path = tmp_path / "spider.py"
        path.write_text(SPIDER.replace("URL", url).replace("/books/private/*", "/books/("), "utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "scrapy", "runspider", str(path)], capture_output=True, text=True, timeout=120
        )
    assert requested == []
    assert "PatternError" in done.stderr
