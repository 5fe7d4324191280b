"""The crawler of one process. What each URL is asked: is it in scope, is it new, is it in a trap, may it be fetched?"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import aiohttp

from crawler.frontier import Found, Frontier, Page
from weburl import URL
from weburl.crawl import (
    LinkTable,
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
from weburl.hosts import HostSet, is_private_host
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


@dataclass
class Options:
    scope: HostSet
    agent: str = "ExampleBot/1.0"
    delay: float = 1.0
    shard: int = 0
    shards: int = 1
    # Private addresses that may be fetched nevertheless.
    reach: HostSet = field(default_factory=lambda: HostSet([]))


class Response(NamedTuple):
    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    content_type: str
    charset: str | None
    body: bytes

    def values(self, name: bytes) -> list[bytes]:
        return [value for key, value in self.headers if key.lower() == name]


class Meter:
    """The CPU time of this thread inside of `with meter:`, where no `await` may be."""

    nanoseconds = 0

    def __enter__(self) -> None:
        self.began = time.thread_time_ns()

    def __exit__(self, *error: object) -> None:
        self.nanoseconds += time.thread_time_ns() - self.began


class Crawler:
    def __init__(self, options: Options, frontier: Frontier) -> None:
        self.options = options
        self.frontier = frontier
        self.token = product_token(options.agent)
        self.robots = RobotsCache(self.token)
        self.stopping = asyncio.Event()
        self.slots = asyncio.Semaphore(REQUESTS)
        self.requests = 0
        self.url_work, self.page_work = Meter(), Meter()

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
                with self.url_work:
                    url = URL(page.url)
                await self.visit(page, url)
            with self.url_work:
                robots = self.robots.robots(url)
            asked = 0.0 if robots is None or robots.crawl_delay is None else min(robots.crawl_delay, LONGEST_DELAY)
            await self.pause(max(asked, self.options.delay))

    async def pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self.stopping.wait()
        except TimeoutError:
            pass

    async def visit(self, page: Page, url: URL) -> None:
        try:
            if not await self.is_allowed(url):
                known = self.robots.robots(url) is not None
                return self.frontier.finish(page, "forbidden by robots.txt" if known else "robots.txt cannot be read")
            response = await self.get(url)
            if 300 < response.status < 400 and (locations := response.values(b"location")):
                return self.redirect(page, url, response.status, locations[0])
            found = self.links(url, response) if response.status == 200 else []
        except Exception as error:  # A page on the web, and the server that sends it, can be anything.
            return self.frontier.finish(page, f"{type(error).__name__}: {error}")
        # Here a crawler keeps the page, response.body. After a SIGKILL it may do so again.
        self.frontier.finish(page, str(response.status), found)

    async def is_allowed(self, url: URL) -> bool:
        with self.url_work:
            allowed = self.robots.allowed(url)
        if allowed is None:
            fetch: str | None = self.robots.robots_url(url)
            while fetch is not None:
                try:
                    response = await self.get(fetch)
                except (aiohttp.ClientError, OSError):
                    self.robots.failed(url)
                    break
                fetch = self.robots.put(url, response.status, response.body, response.headers)
            if (robots := self.robots.robots(url)) is not None:
                self.frontier.add(self.places(filter(None, map(URL.parse, robots.sitemaps))))
            allowed = self.robots.allowed(url)
        return bool(allowed)

    async def get(self, url: URL | str) -> Response:
        """The response to exactly this URL; the connector refuses private addresses."""
        self.requests += 1
        with self.url_work:
            exact = yarl_url(url)
        async with asyncio.timeout(TIME_LIMIT), self.session.get(exact, allow_redirects=False) as response:
            body = bytearray()
            async for piece in response.content.iter_any():
                body += piece
                if len(body) >= SIZE_LIMIT:
                    break
            kind = response.content_type
            return Response(response.status, response.raw_headers, kind, response.charset, bytes(body[:SIZE_LIMIT]))

    def redirect(self, page: Page, url: URL, status: int, location: bytes) -> None:
        """Where a redirect leads is a page like others: in scope or not, known or not, allowed or not."""
        with self.url_work:
            target = redirect_target(location, url)
            found = self.places([target], page.hops + 1)
            is_same_page = fingerprint(target, bits=63) == page.key
            is_same_request = target.equals(url, exclude_fragments=True)
        if page.hops == MOST_HOPS:
            self.frontier.finish(page, "too many redirects")
        elif is_same_page and found and not is_same_request:
            # Such as /index.html for /: by its key the page is known, but it was not fetched yet.
            self.frontier.queue_again(page, target.href)
        else:
            self.frontier.finish(page, str(status), found)

    def links(self, url: URL, response: Response) -> list[Found]:
        table: LinkTable
        with self.page_work:
            if response.content_type in ("text/html", "application/xhtml+xml"):
                table = page_links(response.body, url, charset=response.charset)
            elif response.content_type in ("text/xml", "application/xml", "application/gzip"):
                table = sitemap_links(response.body, url, charset=response.charset)
            else:
                return []
        headers = [value.decode("latin-1") for value in response.values(b"x-robots-tag")]
        directives = table.robots | RobotsDirectives.parse(headers) if headers else table.robots
        if directives.for_agent(self.token).nofollow:
            return []
        # Keys of the table have 64 bits. SQLite's integers have a sign: the first 63 bits are a key of the frontier.
        keys = [None if key is None else key >> 1 for key in table["key"]]
        new = self.frontier.unknown({key for key in keys if key is not None})
        with self.url_work:
            return self.places(URL(href) for key, href in zip(keys, table["href"], strict=True) if key in new)

    def places(self, urls: Iterable[URL], hops: int = 0) -> list[Found]:
        """Which of the URLs may be fetched, as far as is known, and where each belongs."""
        found = []
        for url in urls:
            if url.scheme not in ("http", "https") or url not in self.options.scope:
                continue
            if is_private_host(url) and url not in self.options.reach:
                continue
            # Another spelling with the same key may be allowed: a URL that is forbidden does not take the key.
            robots = self.robots.robots(url)
            if robots is not None and not robots.allowed(url):
                continue
            group = host_group(url)
            assert group is not None  # It has a host.
            place = shard(url, self.options.shards)
            found.append(Found(fingerprint(url, bits=63), url.href, place, group, trap_key(url), hops))
        return found
