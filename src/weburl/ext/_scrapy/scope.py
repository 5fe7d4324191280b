"""Which URLs a crawl may request, by patterns; exported by weburl.ext.scrapy."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals
from scrapy.exceptions import IgnoreRequest

from weburl.patterns import PatternList, URLPattern
from weburl.url import URL, FrozenURL

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.link import Link

ALLOW: Final = ("allowed_patterns", "WEBURL_ALLOWED_PATTERNS")
DENY: Final = ("denied_patterns", "WEBURL_DENIED_PATTERNS")
logger: Final = logging.getLogger("weburl.ext.scrapy")


class CrawlScope:
    """CrawlScope(allow=(), deny=())

    Which URLs a crawl may request: those that match one of `allow`, and none of `deny`.

    >>> scope = CrawlScope(allow=["https://*.example.com/*"], deny=["*://*/logout"])
    >>> scope.allows("https://shop.example.com/tea"), scope.allows("https://shop.example.com/logout")
    (True, False)

    Without patterns in `allow`, all URLs are allowed. Text that is not a URL may be requested only if there are no
    patterns at all.

    Each is a `weburl.patterns.PatternList`, its patterns, or the path of a file of patterns, as a `str` or a `Path`.
    """

    def __init__(self, allow: Any = (), deny: Any = ()) -> None:
        self.allow: PatternList = read_patterns(allow)
        self.deny: PatternList = read_patterns(deny)

    def __bool__(self) -> bool:
        """Whether there are patterns."""
        return bool(len(self.allow) or len(self.deny))

    def allows(self, url: str | URL | FrozenURL) -> bool:
        """Whether a URL may be requested.

        >>> CrawlScope(deny=["*://*/private/*"]).allows("https://example.com/private/../public/")
        True
        """
        return not self or self.reason(url) is None

    def reason(self, url: str | URL | FrozenURL, start: bool = False) -> str | None:
        """Why a URL may not be requested; None if it may.

        >>> scope = CrawlScope(allow=["https://example.com/*"], deny={"logout": "*://*/logout"})
        >>> scope.reason("https://example.com/logout"), scope.reason("https://example.org/")
        ('denied by logout', 'not allowed')

        It is the key of the pattern that denies it, or "not allowed".

        `start` is for URLs from which a crawl starts: they need not be allowed.

        `start` is for URLs from which a crawl starts: they need not be allowed.
        """
        if not self:
            return None
        parsed = URL.parse(url)
        if parsed is None:
            return "not a URL"
        denied = self.deny.first(parsed)
        if denied is not None:
            return f"denied by {denied[0]}"
        if start or not len(self.allow) or self.allow.first(parsed) is not None:
            return None
        return "not allowed"

    def filter_links(self, links: Iterable[Link]) -> list[Link]:
        """The links that may be requested: for `process_links` of a Rule.

        >>> from scrapy.link import Link
        >>> links = [Link("https://example.com/"), Link("https://example.org/")]
        >>> [link.url for link in CrawlScope(allow=["https://example.com/*"]).filter_links(links)]
        ['https://example.com/']
        """
        return [link for link in links if self.allows(link.url)]


CrawlScope.__module__ = "weburl.ext.scrapy"


def read_patterns(setting: Any) -> PatternList:
    if isinstance(setting, PatternList):
        return setting
    if isinstance(setting, (str, PathLike)):
        return PatternList.read(setting)
    if setting is None:
        return PatternList()
    if not isinstance(setting, (Mapping, Iterable)) or isinstance(setting, URLPattern):
        raise TypeError(f"patterns must be a PatternList, patterns or a path, not {type(setting).__name__}")
    return PatternList(setting)


class ScopeMiddleware:
    """A downloader middleware that ignores requests outside of the scope of the crawl.

    >>> settings = {  # in settings.py
    ...     "DOWNLOADER_MIDDLEWARES": {"weburl.ext.scrapy.ScopeMiddleware": 40},
    ...     "WEBURL_ALLOWED_PATTERNS": ["https://*.example.com/*"],
    ... }

    The scope is that of the spider's `allowed_patterns` and `denied_patterns`; where the spider has none, that of the
    settings WEBURL_ALLOWED_PATTERNS and WEBURL_DENIED_PATTERNS. Requests with `dont_filter`, such as those for
    `start_urls`, need not be allowed, but those to which they are redirected must be. Requests with
    `meta={"allow_out_of_scope": True}` are not filtered.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.scope: CrawlScope | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        self = cls(crawler)
        crawler.signals.connect(self.request_scheduled, signal=signals.request_scheduled)
        if crawler.spider is not None:
            # An error in a pattern ends the crawl before it starts.
            self._scope_of_crawl()
        return self

    def request_scheduled(self, request: Request, spider: Spider) -> None:
        """So that what is ignored does not wait in the queue."""
        self.process_request(request)

    def process_request(self, request: Request) -> None:
        scope = self._scope_of_crawl()
        if not scope or request.meta.get("allow_out_of_scope"):
            return
        start = request.dont_filter and not request.meta.get("redirect_urls")
        reason = scope.reason(request.url, start)
        if reason is not None:
            logger.debug(
                "Filtered request out of scope, %s: %s", reason, request, extra={"spider": self.crawler.spider}
            )
            if self.crawler.stats is not None:
                self.crawler.stats.inc_value("scope/filtered")
            raise IgnoreRequest(f"Filtered request out of scope: {reason}")

    def _scope_of_crawl(self) -> CrawlScope:
        if self.scope is None:
            self.scope = CrawlScope(self._setting(*ALLOW), self._setting(*DENY))
        return self.scope

    def _setting(self, attribute: str, setting: str) -> Any:
        attribute_value = getattr(self.crawler.spider, attribute, None)
        return self.crawler.settings.get(setting) if attribute_value is None else attribute_value


# Scrapy logs it.
ScopeMiddleware.__module__ = "weburl.ext.scrapy"
