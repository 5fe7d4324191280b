"""The crawler of one process. What each URL is asked: is it in scope, is it new, is it in a trap, may it be fetched?"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

import aiohttp

from crawler.frontier import Frontier, Page
from weburl import URL
from weburl.crawl import (
    RobotsDirectives,
    fingerprint,
    host_group,
    page_links,
    redirect_target,
    shard,
    sitemap_links,
    trap_key,
)
from weburl.ext.aiohttp import Connector, yarl_url
from weburl.hosts import is_private_host
from weburl.robots import RobotsCache, product_token

# Of requests in one process, and of sites whose pages it fetches at the same time. No site has two requests at a time.
REQUESTS: Final = 32
SITES: Final = 1000
# Seconds and bytes.
TIME_LIMIT: Final = 20
LONGEST_DELAY: Final = 60
SIZE_LIMIT: Final = 4 << 20
MOST_HOPS: Final = 10
POLL: Final = 0.1


class Crawler:
    def __init__(self, options: argparse.Namespace, frontier: Frontier) -> None:
        self.options = options
        self.frontier = frontier
        self.token = product_token(options.agent)
        self.robots = RobotsCache(self.token)
        self.stopping = asyncio.Event()
        self.slots = asyncio.Semaphore(REQUESTS)
        self.requests = 0

    async def run(self) -> None:
        """Fetches what is queued, until nothing is, or until `stopping` is set: then what is in flight is finished."""
        connector = Connector(is_refused=lambda host: is_private_host(host) and host not in self.options.reach)
        headers = {"User-Agent": self.options.agent}
        tasks: dict[str, asyncio.Task[None]] = {}
        async with (
            aiohttp.ClientSession(connector=connector, headers=headers, cookie_jar=aiohttp.DummyCookieJar()) as session,
            asyncio.TaskGroup() as group,
        ):
            self.session = session
            while not self.stopping.is_set():
                tasks = {site: task for site, task in tasks.items() if not task.done()}
                for site in self.frontier.sites():
                    if site not in tasks and len(tasks) < SITES:
                        tasks[site] = group.create_task(self.crawl_site(site))
                if not tasks and self.frontier.is_finished():
                    break
                await self.pause(POLL)

    async def crawl_site(self, site: str) -> None:
        """One request after the other, with a pause after each."""
        while True:
            async with self.slots:
                if self.stopping.is_set() or (page := self.frontier.claim(site)) is None:
                    return
                url = URL(page.url)
                try:
                    await self.visit(page, url)
                except Exception as error:  # A page on the web, and the server that sends it, can be anything.
                    self.frontier.finish(page, f"{type(error).__name__}: {error}")
            robots = self.robots.robots(url)
            asked = (robots and robots.crawl_delay) or 0.0
            await self.pause(max(min(asked, LONGEST_DELAY), self.options.delay))

    async def pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.stopping.wait()

    async def visit(self, page: Page, url: URL) -> None:
        if not await self.is_allowed(url):
            is_read = self.robots.robots(url) is not None
            return self.frontier.finish(page, "forbidden by robots.txt" if is_read else "robots.txt cannot be read")
        response, body = await self.get(url)
        location = next((value for name, value in response.raw_headers if name.lower() == b"location"), None)
        if 300 < response.status < 400 and location is not None:
            return self.redirect(page, url, response.status, location)
        found = self.links(url, response, body) if response.status == 200 else []
        # Here a crawler keeps the page, `body`. After a SIGKILL it may do so again.
        self.frontier.finish(page, str(response.status), found)

    async def is_allowed(self, url: URL) -> bool:
        allowed = self.robots.allowed(url)
        if allowed is None:
            fetch: str | None = self.robots.robots_url(url)
            while fetch is not None:
                try:
                    response, body = await self.get(fetch)
                except (aiohttp.ClientError, OSError):
                    self.robots.failed(url)
                    break
                fetch = self.robots.put(url, response.status, body, response.raw_headers)
            if (robots := self.robots.robots(url)) is not None:
                self.frontier.add(self.pages(filter(None, map(URL.parse, robots.sitemaps))))
            allowed = self.robots.allowed(url)
        return bool(allowed)

    async def get(self, url: URL | str) -> tuple[aiohttp.ClientResponse, bytes]:
        """The response to exactly this URL, and its body; the connector refuses private addresses."""
        self.requests += 1
        get = self.session.get(yarl_url(url), allow_redirects=False)
        async with asyncio.timeout(TIME_LIMIT), get as response:
            body = bytearray()
            async for piece in response.content.iter_any():
                body += piece
                if len(body) >= SIZE_LIMIT:
                    break
            return response, bytes(body[:SIZE_LIMIT])

    def redirect(self, page: Page, url: URL, status: int, location: bytes) -> None:
        """Where a redirect leads is a page like others: in scope or not, known or not, allowed or not."""
        before = [*page.before.split(), page.url.partition("#")[0]]
        target = redirect_target(location, url).replace(fragment=None)
        is_end = len(before) > MOST_HOPS
        found = [] if is_end or target.href in before else self.pages([target], " ".join(before))
        if found and found[0].key in {fingerprint(each, bits=63) for each in before}:
            # Such as /index.html for /: by its key the page is known, but it was not fetched yet.
            found = [found[0]._replace(key=fingerprint(target, "whatwg", bits=63))]
        self.frontier.finish(page, "too many redirects" if is_end else str(status), found)

    def links(self, url: URL, response: aiohttp.ClientResponse, body: bytes) -> list[Page]:
        """The pages that a page leads to and that are new, unless it says nofollow."""
        if response.content_type in ("text/html", "application/xhtml+xml"):
            table = page_links(body, url, charset=response.charset)
        elif response.content_type in ("text/xml", "application/xml", "application/gzip"):
            table = sitemap_links(body, url, charset=response.charset)
        else:
            return []
        header = RobotsDirectives.parse(response.headers.getall("X-Robots-Tag", []))
        # Keys of the table have 64 bits. SQLite's integers have a sign: the first 63 bits are a key of the frontier.
        rows = zip(table["key"], table["href"], table.may_follow(self.token, header), strict=True)
        links = [(key >> 1, href) for key, href, follow in rows if follow]
        new = self.frontier.unknown({key for key, _ in links})
        return self.keyed_pages((key, URL(href)) for key, href in links if key in new)

    def pages(self, urls: Iterable[URL], before: str = "") -> list[Page]:
        return self.keyed_pages(((fingerprint(url, bits=63), url) for url in urls), before)

    def keyed_pages(self, urls: Iterable[tuple[int, URL]], before: str = "") -> list[Page]:
        """Which of the URLs may be fetched, as far as is known, and where each belongs."""
        found = []
        for key, url in urls:
            if url.scheme not in ("http", "https") or url not in self.options.scope:
                continue
            if is_private_host(url) and url not in self.options.reach:
                continue
            # Another spelling with the same key may be allowed: a URL that is forbidden does not take the key.
            robots = self.robots.robots(url)
            if robots is not None and not robots.allowed(url):
                continue
            site = host_group(url)
            assert site is not None  # It has a host.
            found.append(Page(key, url.href, shard(url, self.options.shards), site, trap_key(url), before))
        return found
