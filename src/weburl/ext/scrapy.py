"""Scrapy with a browser's URLs. In the settings of a project,

    ADDONS = {"weburl.ext.scrapy.AddOn": 0}

makes its link extractors, requests, responses and fingerprints use weburl. Each part can also be used alone:

    >>> from scrapy.http import HtmlResponse
    >>> from weburl.ext.scrapy import LinkExtractor, document_base
    >>> page = HtmlResponse("http://a/b", body=b'<base href="c/"><a href="d?&eacute;">', encoding="latin-1")
    >>> LinkExtractor().extract_links(page)[0].url
    'http://a/c/d?%E9'
    >>> document_base(page).href
    'http://a/c/'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING

try:
    import scrapy
    import scrapy.utils.request
    from scrapy.downloadermiddlewares import offsite, redirect, robotstxt
    from scrapy.exceptions import IgnoreRequest
    from scrapy.linkextractors import lxmlhtml
    from scrapy.utils.misc import load_object
except ModuleNotFoundError as _error:
    raise ImportError("this needs Scrapy: pip install scrapy weburl[html]") from _error

# The extractor of older ones cannot be told which tags it has been told.
if scrapy.version_info < (2, 17):
    raise ImportError(f"this needs Scrapy 2.17 or later, not {scrapy.__version__}: pip install -U scrapy")

from weburl._core.percent import utf8
from weburl._crawl.policy import find_policy
from weburl._unicode.encoding import get_encoding
from weburl.compat.w3lib import canonicalize_url
from weburl.crawl import CrawlPolicy, SurtPolicy, fingerprint
from weburl.errors import InvalidURL
from weburl.ext._scrapy import links, urls
from weburl.ext._scrapy.links import LinkExtractor, document_base
from weburl.ext._scrapy.robots import RobotParser, RobotsTxtMiddleware
from weburl.ext._scrapy.scope import CrawlScope, ScopeMiddleware
from weburl.hosts import HostSet
from weburl.url import URL

if TYPE_CHECKING:
    from typing import Any, Self

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

__all__ = [
    "AddOn",
    "CrawlScope",
    "LinkExtractor",
    "OffsiteMiddleware",
    "RequestFingerprinter",
    "RobotParser",
    "RobotsTxtMiddleware",
    "ScopeMiddleware",
    "document_base",
    "install",
]


def __dir__() -> list[str]:
    return __all__


class RequestFingerprinter:
    """Gives requests for the same page the same fingerprint: for the setting REQUEST_FINGERPRINTER_CLASS.

    >>> from scrapy import Request
    >>> urls = ["https://example.com/?b=2&a=1", "HTTPS://Example.com:443/?a=1&b=2&utm_source=x#top"]
    >>> len({RequestFingerprinter().fingerprint(Request(url)) for url in urls})
    1

    That of a GET request without a body has the bits of `weburl.crawl.fingerprint(url, policy, bits=128)`; others have
    method and body besides, as a BLAKE2b digest. The policy is that of the setting WEBURL_POLICY, or else "crawl/1".

    Some requests have a fingerprint of their own, though their page has one: if the page redirects to them, as / to
    /index.html, also by way of other pages, or if a robots.txt that was read before forbids them.
    """

    def __init__(self, policy: str | CrawlPolicy | SurtPolicy = "crawl/1", crawler: Crawler | None = None) -> None:
        fingerprint("http://a/", policy)
        self.policy = policy
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RequestFingerprinter:
        """That of a crawl. ValueError is raised if its JOBDIR has fingerprints of another policy.

        >>> from scrapy.utils.test import get_crawler
        >>> RequestFingerprinter.from_crawler(get_crawler(settings_dict={"WEBURL_POLICY": "whatwg"})).policy
        'whatwg'
        """
        policy = policy_of(crawler.settings)
        urls.check_job(crawler.settings, repr(find_policy(policy)))
        return cls(policy, crawler)

    def fingerprint(self, request: Request) -> bytes:
        page = self._of_page(request)
        if request.method == "GET" and not request.body:
            return page
        return digest(page + request.method.encode() + b"\0" + request.body)

    def _of_page(self, request: Request) -> bytes:
        if not request.meta.get("verbatim_url"):
            with suppress(InvalidURL):
                page = fingerprint(request.url, self.policy, bits=128)
                return digest(page + utf8(request.url)) if self._is_apart(request, page) else page
        return digest(utf8(request.url))

    def _is_apart(self, request: Request, page: bytes) -> bool:
        """Whether a request is told apart from others for its page: if it is forbidden, or the page redirects to it."""
        forbids = getattr(self.crawler, "weburl_forbids", None)
        if forbids is not None and forbids(request):
            return True
        before = {url.partition("#")[0] for url in request.meta.get("redirect_urls") or ()}
        if request.url.partition("#")[0] in before:
            return False
        return any(fingerprint(url, self.policy, bits=128) == page for url in filter(URL.can_parse, before))


class OffsiteMiddleware(offsite.OffsiteMiddleware):  # type: ignore[misc]
    """Scrapy's downloader middleware of that name, which sees hosts as a browser does.

    >>> DOWNLOADER_MIDDLEWARES = {  # in settings.py
    ...     "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    ...     "weburl.ext.scrapy.OffsiteMiddleware": 50,
    ... }

    The spider's `allowed_domains` are entries of a `weburl.hosts.HostSet`, such as `*.example.org` and
    `=www.example.net`, or a HostSet; without any, all requests are allowed. A request is allowed if its URL is in the
    set, so its scheme is http, https, ws or wss. An entry that is not a host is an error, and then no request is
    allowed. Signals, statistics, `allow_offsite` and `dont_filter` are those of Scrapy.
    """

    # The entries that the set is made of.
    entries: tuple[str, ...] = ()
    hosts: HostSet = HostSet()
    # What can be read once, and what it gave.
    iterator: object = None
    read: tuple[str | None, ...] = ()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        self: Self = super().from_crawler(crawler)
        if crawler.spider is not None:
            # An error in an entry ends the crawl before it starts.
            self.update_hosts(crawler.spider)
        return self

    def spider_opened(self, spider: Spider) -> None:
        self.update_hosts(spider)

    def process_request(self, request: Request, spider: Spider | None = None) -> None:
        self.update_hosts(self.crawler.spider)
        try:
            super().process_request(request)
        except ValueError:
            # Scrapy reads the host, to name it, with urllib, which raises for some.
            self.stats.inc_value("offsite/filtered")
            raise IgnoreRequest("Filtered offsite request to a URL that does not parse") from None

    def should_follow(self, request: Request, spider: Spider) -> bool:
        hosts = self.update_hosts(spider)
        if hosts is None:
            return True
        url = URL.parse(request.url)
        return url is not None and url in hosts

    def update_hosts(self, spider: Spider) -> HostSet | None:
        """The set of `allowed_domains`, which a spider may change; None if it has none."""
        allowed = getattr(spider, "allowed_domains", None)
        if not allowed:
            return None
        if type(allowed) is HostSet:
            return allowed
        if isinstance(allowed, Iterator):
            if allowed is not self.iterator:
                self.iterator, self.read = allowed, tuple(allowed)
            allowed = self.read
        names = (allowed,) if isinstance(allowed, str) else allowed
        entries = tuple(entry for entry in names if entry is not None)
        if entries != self.entries:
            self.hosts = HostSet(entries)
            self.entries = entries
        return self.hosts


def policy_of(settings: BaseSettings) -> Any:
    """The setting WEBURL_POLICY; ValueError is raised if there is no such policy."""
    policy = settings.get("WEBURL_POLICY", "crawl/1")
    try:
        find_policy(policy)
    except (TypeError, ValueError) as error:
        raise ValueError(f"WEBURL_POLICY: {error}") from None
    return policy


def digest(data: bytes) -> bytes:
    return blake2b(data).digest()[:16]


def install() -> None:
    """Makes Scrapy's own classes use weburl, in this process.

    >>> install()  # doctest: +SKIP
    >>> Request("http://example.com/a/../b c").url  # doctest: +SKIP
    'http://example.com/b%20c'

    The URL of a request is `URL(...).href`. Text that is not a URL stays as Scrapy reads it.
    """
    # Let an ImportError come now, not with the first page that is not in UTF-8.
    get_encoding("latin1")
    urls.install()
    for module in (scrapy.utils.request, lxmlhtml):
        module.canonicalize_url = canonicalize_url
    redirect.get_meta_refresh = links.get_meta_refresh
    links.install()


class AddOn:
    """Installs everything of this module: for the setting ADDONS.

    >>> ADDONS = {"weburl.ext.scrapy.AddOn": 0}  # in settings.py

    That includes the fingerprints, unless the project sets REQUEST_FINGERPRINTER_CLASS, and the parser of robots.txt,
    unless it sets ROBOTSTXT_PARSER. OffsiteMiddleware and RobotsTxtMiddleware take the places that Scrapy's have in the
    settings. ScopeMiddleware is added after the first, unless the project has it in its settings.
    """

    def update_settings(self, settings: BaseSettings) -> None:
        policy_of(settings)
        install()
        for name in ("DOWNLOADER_MIDDLEWARES_BASE", "DOWNLOADER_MIDDLEWARES"):
            places = settings.getdict(name)
            keys = {load_object(key): key for key in places}
            for theirs, ours in (
                (offsite.OffsiteMiddleware, OffsiteMiddleware),
                (robotstxt.RobotsTxtMiddleware, RobotsTxtMiddleware),
            ):
                key = keys.get(theirs)
                if key is not None:
                    place = places.pop(key)
                    if ours not in keys:
                        # Scrapy compares the keys of the first setting as texts.
                        places[f"{__name__}.{ours.__name__}"] = place
                    settings.set(name, places, settings.getpriority(name) or 0)
        settings.set("ROBOTSTXT_PARSER", RobotParser, "addon")
        settings.set("REQUEST_FINGERPRINTER_CLASS", RequestFingerprinter, "addon")
        settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", ScopeMiddleware, 55)
