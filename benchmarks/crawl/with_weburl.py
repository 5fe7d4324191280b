"""A crawler over weburl and aiohttp: python with_weburl.py URL PAGES"""

from __future__ import annotations

import asyncio
import sys

import aiohttp

from weburl import URL, InvalidURL
from weburl.crawl import fingerprint, page_links, redirect_target
from weburl.ext.aiohttp import Connector, NotFetched, yarl_url

WORKERS = 16
SIZE_LIMIT = 1 << 20
TIME_LIMIT = 20


class Crawler:
    """Gets the pages of one origin, each once, as far as their keys tell."""

    def __init__(self, start: str, limit: int) -> None:
        self.origin = URL(start).origin
        self.limit = limit
        self.failed = 0
        self.seen: set[int] = set()
        self.queue: asyncio.Queue[str] = asyncio.Queue()
        self.add(start, fingerprint(start))

    def add(self, href: str, key: int) -> None:
        if key not in self.seen and len(self.seen) < self.limit and URL(href).origin == self.origin:
            self.seen.add(key)
            self.queue.put_nowait(href)

    async def get(self, session: aiohttp.ClientSession, href: str) -> None:
        """Gets one URL. Where it redirects to is another one, which may have been seen."""
        async with asyncio.timeout(TIME_LIMIT), session.get(yarl_url(href), allow_redirects=False) as response:
            if 300 < response.status < 400:
                for name, value in response.raw_headers:
                    if name.lower() == b"location":
                        target = redirect_target(value, href)
                        self.add(target.href, fingerprint(target))
            elif response.status == 200:
                body = b""
                async for piece in response.content.iter_any():
                    body += piece
                    if len(body) > SIZE_LIMIT:
                        break
                links = page_links(body, href, charset=response.charset, kinds=("link", "refresh"))
                for link, key in zip(links["href"], links["key"], strict=True):
                    if link is not None:
                        self.add(link, key)

    async def work(self, session: aiohttp.ClientSession) -> None:
        while True:
            href = await self.queue.get()
            try:
                await self.get(session, href)
            except (NotFetched, InvalidURL, OSError, aiohttp.ClientError):
                self.failed += 1
            finally:
                self.queue.task_done()

    async def run(self) -> None:
        # The site is on loopback. Elsewhere leave is_refused out: then no link leads into your network.
        async with aiohttp.ClientSession(connector=Connector(is_refused=lambda host: False)) as session:
            workers = [asyncio.create_task(self.work(session)) for _ in range(WORKERS)]
            await self.queue.join()
            for worker in workers:
                worker.cancel()


if __name__ == "__main__":
    crawler = Crawler(sys.argv[1], int(sys.argv[2]))
    asyncio.run(crawler.run())
    print(crawler.failed)
