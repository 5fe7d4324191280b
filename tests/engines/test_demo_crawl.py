"""The crawler of `make demo-crawl`, on its site; and the table of docs/howto/crawl.md is of the demo's crawlers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest
from crawl.site import PAGES, Site
from crawl.with_weburl import Crawler
from demo_crawl import CRAWLERS
from support.pages import DOCS
from support.raw_server import RawServer, serving


@pytest.fixture
def site() -> Iterator[tuple[Site, RawServer]]:
    site, lock = Site(), threading.Lock()

    def answer(head: bytes) -> bytes:
        with lock:
            return site.answer(head.split(b" ")[1], f"127.0.0.1:{server.port}")

    with serving(answer) as server:
        yield site, server


def test_each_page_is_fetched_once(site: tuple[Site, RawServer]) -> None:
    counter, server = site
    crawler = Crawler(f"{server.origin}/", 2 * PAGES)
    asyncio.run(crawler.run())
    counts = counter.counts()
    assert (counts["missed"], counts["twice"], counts["wrong"], crawler.failed) == (0, 0, 0, 0)


def test_the_site_notices_what_is_wrong(site: tuple[Site, RawServer]) -> None:
    counter, _ = site
    page = counter.pages[77]
    path, query = page.target(page.encoding)
    for target in (f"{path}?{query}", f"{path}?{query}&utm_source=x"):
        counter.answer(target.encode(), "h")
    counter.answer(f"{path}x?{query}".encode(), "h")
    counts = counter.counts()
    assert (counts["missed"], counts["twice"], counts["wrong"]) == (PAGES - 1, 1, 1)


def test_the_table_has_the_crawlers() -> None:
    page = (DOCS / "howto/crawl.md").read_text("utf-8")
    assert [name for name in CRAWLERS if f"\n| {name} | " not in page] == []
