"""robots.txt in Scrapy: the parser, and what a response for the file means."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from scrapy.downloadermiddlewares import robotstxt
from scrapy.exceptions import IgnoreRequest
from scrapy.robotstxt import RobotParser as ScrapyParser
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.misc import build_from_crawler

from weburl.errors import InvalidURL
from weburl.robots import Robots, product_token

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

FORBIDS: Final = b"User-agent: *\nDisallow: /"
# For so many seconds a file counts, and a failure.
DAY: Final = 86_400.0
SOON: Final = 600.0
# Names of crawlers, each with its own rules. Most projects have one.
MOST_AGENTS: Final = 16


class RobotParser(ScrapyParser):  # type: ignore[misc]
    """Scrapy's parser of robots.txt: for the setting ROBOTSTXT_PARSER.

    >>> ROBOTSTXT_PARSER = "weburl.ext.scrapy.RobotParser"  # in settings.py
    >>> parser = RobotParser.from_crawler(None, b"User-agent: *\\nDisallow: /private")
    >>> parser.allowed("https://example.com/a/../private", "ExampleBot/2.1 (+https://example.com/bot)")
    False

    The name of the crawler is cut out of the User-Agent header, as by `weburl.robots.product_token`. URLs and rules are
    compared as by `weburl.robots.Robots`. A URL that does not parse is not allowed.
    """

    def __init__(self, robotstxt_body: bytes) -> None:
        self._body = robotstxt_body
        self._robots: dict[str, Robots] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> RobotParser:
        return cls(robotstxt_body)

    def robots(self, user_agent: str | bytes) -> Robots:
        """The file for a crawler: its sitemaps, warnings and rules.

        >>> RobotParser(b"User-agent: *\\nCrawl-delay: 2").robots("ExampleBot/1.0").crawl_delay
        2.0
        """
        token = product_token(text_of(user_agent)) or "*"
        if token not in self._robots:
            if len(self._robots) >= MOST_AGENTS:
                self._robots.clear()
            self._robots[token] = Robots.parse(self._body, agent=token)
        return self._robots[token]

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        try:
            return self.robots(user_agent).allowed(text_of(url))
        except InvalidURL:
            return False

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        return self.robots(user_agent).crawl_delay


def text_of(text: str | bytes) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text


class RobotsTxtMiddleware(robotstxt.RobotsTxtMiddleware):  # type: ignore[misc]
    """Scrapy's downloader middleware of that name, which does what RFC 9309 says about responses and failures.

    >>> DOWNLOADER_MIDDLEWARES = {  # in settings.py
    ...     "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    ...     "weburl.ext.scrapy.RobotsTxtMiddleware": 100,
    ... }

    If the file is missing (status 400 to 499), everything is allowed. If the server fails, says 429, or cannot be
    reached, nothing is allowed, and the file is asked for again 10 minutes later. A file counts for a day. Scrapy alone
    reads rules from the body of any response, allows everything after a failure, and asks once.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        # When the file of a site is asked for again.
        self._ends: dict[str, float] = {}
        # For the fingerprints: a URL that is forbidden does not take that of its page.
        crawler.weburl_forbids = self._forbids

    def _forbids(self, request: Request) -> bool:
        """Whether it is known that the file of a site forbids a request."""
        parser = self._parsers.get(urlparse_cached(request).netloc)
        if not isinstance(parser, ScrapyParser) or request.meta.get("dont_obey_robotstxt"):
            return False
        agent = self._robotstxt_useragent or request.headers.get(b"User-Agent", self._default_useragent)
        return not parser.allowed(request.url, agent)

    async def robot_parser(self, request: Request) -> Any:
        netloc = urlparse_cached(request).netloc
        end = self._ends.get(netloc)
        if end is not None and monotonic() >= end:
            del self._ends[netloc]
            self._parsers.pop(netloc, None)
        await super().robot_parser(request)
        # To some requests that have waited for the file, Scrapy 2.19 gives None.
        return self._parsers[netloc]

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        status = response.status
        self._ends[netloc] = monotonic() + DAY
        if 300 <= status < 500 and status != 429:
            response = response.replace(body=b"")
        elif not 200 <= status < 300:
            response = response.replace(body=FORBIDS)
            self._ends[netloc] = monotonic() + SOON
        await super()._parse_robots(response, netloc, request)

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        waiting = self._parsers[netloc]
        self._parsers[netloc] = type(waiting)()
        super()._robots_error(exc, netloc)
        # What another middleware ignores is not a failure of the site.
        if not isinstance(exc, IgnoreRequest):
            self._parsers[netloc] = build_from_crawler(self._parserimpl, self.crawler, FORBIDS)
            self._ends[netloc] = monotonic() + SOON
        waiting.callback(self._parsers[netloc])


RobotParser.__module__ = "weburl.ext.scrapy"
RobotsTxtMiddleware.__module__ = "weburl.ext.scrapy"
