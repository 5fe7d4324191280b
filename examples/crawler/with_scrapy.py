"""The same crawl in Scrapy, with the add-on: python -m crawler.with_scrapy START [--scope HOST...] [--jobdir FOLDER]"""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator, Iterator
from typing import Any

import scrapy
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.exceptions import IgnoreRequest
from scrapy.resolver import CachingThreadedResolver

from weburl import URL
from weburl.crawl import RobotsDirectives, host_group, label_of, page_links, sitemap_links, trap_key
from weburl.ext.scrapy import RobotParser
from weburl.hosts import HostSet, is_private_host, is_private_url
from weburl.robots import product_token

# Here is what the add-on leaves to the project. It does the rest: URLs, fingerprints, hosts, robots.txt and redirects.


class Pages(scrapy.Spider):  # type: ignore[misc]
    name = "pages"

    async def start(self) -> AsyncIterator[Any]:
        # Scrapy alone sends these without the filter of duplicates, so that it fetches them twice.
        for url in self.start_urls:
            yield scrapy.Request(url)

    def parse(self, response: Any) -> Iterator[Any]:
        kind, _, _ = response.headers.get("Content-Type", b"").partition(b";")
        if kind.strip() in (b"text/html", b"application/xhtml+xml"):
            table = page_links(response.body, response.url, charset=label_of(response.encoding))
        elif kind.strip() in (b"text/xml", b"application/xml", b"application/gzip"):
            table = sitemap_links(response.body, response.url)
        else:
            return
        headers = [value.decode("latin-1") for value in response.headers.getlist("X-Robots-Tag")]
        token = product_token(self.settings["USER_AGENT"])
        follows = table.may_follow(token, RobotsDirectives.parse(headers))
        for href, follow in zip(table["href"], follows, strict=True):
            if follow:
                yield scrapy.Request(href)


class Checks:
    """Requests to private hosts, and to more pages of a trap than are wanted, are dropped. A site has one queue."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.reach = HostSet(crawler.settings.getlist("REACH"))
        self.trap_limit = crawler.settings.getint("TRAP_LIMIT")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Checks:
        return cls(crawler)

    def process_request(self, request: scrapy.Request) -> None:
        if is_private_url(request.url) and URL(request.url) not in self.reach:
            raise IgnoreRequest("its host is private")
        # Scrapy keeps `state` in JOBDIR.
        traps = self.crawler.spider.state.setdefault("traps", {})
        key = trap_key(request.url)
        traps[key] = traps.get(key, 0) + 1
        if traps[key] > self.trap_limit:
            raise IgnoreRequest("too many pages have this trap key")
        request.meta["download_slot"] = host_group(request.url)


class Parser(RobotParser):
    """The sitemaps that a robots.txt names are fetched, too."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> Parser:
        parser = cls(robotstxt_body)
        for sitemap in parser.robots(crawler.settings["USER_AGENT"]).sitemaps:
            if URL.can_parse(sitemap):
                crawler.engine.crawl(scrapy.Request(sitemap))
        return parser


class Resolver(CachingThreadedResolver):  # type: ignore[misc]
    """A public name can have a private address. Scrapy connects to the address that was checked."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: Any) -> Resolver:
        resolver: Resolver = super().from_crawler(crawler, reactor)
        resolver.reach = HostSet(crawler.settings.getlist("REACH"))
        return resolver

    def getHostByName(self, name: str, timeout: Any = ()) -> Any:
        return super().getHostByName(name, timeout).addCallback(self.check)

    def check(self, address: str) -> str:
        if is_private_host(address) and address not in self.reach:
            raise OSError(f"{address} is private")
        return address


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("start", nargs="+")
    parser.add_argument("--scope", nargs="+", metavar="HOST")
    parser.add_argument("--agent", default="ExampleBot/1.0")
    parser.add_argument("--delay", type=float, default=1.0)
    parser.add_argument("--trap-limit", type=int, default=1000)
    parser.add_argument("--reach", nargs="+", default=[], metavar="HOST")
    parser.add_argument("--jobdir", metavar="FOLDER")
    arguments = parser.parse_args()
    settings = {
        "ADDONS": {"weburl.ext.scrapy.AddOn": 0},
        "DOWNLOADER_MIDDLEWARES": {"crawler.with_scrapy.Checks": 60},
        "ROBOTSTXT_OBEY": True,
        "ROBOTSTXT_PARSER": "crawler.with_scrapy.Parser",
        "TWISTED_DNS_RESOLVER": "crawler.with_scrapy.Resolver",
        "USER_AGENT": arguments.agent,
        "DOWNLOAD_DELAY": arguments.delay,
        "CONCURRENT_REQUESTS": 32,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "REDIRECT_MAX_TIMES": 10,
        "METAREFRESH_ENABLED": False,
        "JOBDIR": arguments.jobdir,
        "LOG_LEVEL": "WARNING",
        "TELNETCONSOLE_ENABLED": False,
        "TRAP_LIMIT": arguments.trap_limit,
        "REACH": arguments.reach,
    }
    process = CrawlerProcess(settings)
    scope = HostSet(arguments.scope or [f"={URL(start).hostname}" for start in arguments.start])
    process.crawl(Pages, start_urls=arguments.start, allowed_domains=scope)
    process.start()


if __name__ == "__main__":
    main()
