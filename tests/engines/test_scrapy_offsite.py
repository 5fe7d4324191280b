"""Scrapy's offsite middleware with the hosts that browsers see."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from scrapy import Request, Spider, signals
from scrapy.downloadermiddlewares.offsite import OffsiteMiddleware as ScrapyOffsiteMiddleware
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware as ScrapyRobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.settings import Settings
from scrapy.utils.misc import load_object
from scrapy.utils.test import get_crawler

from weburl.ext._scrapy.robots import RobotsTxtMiddleware
from weburl.ext.scrapy import AddOn, OffsiteMiddleware, ScopeMiddleware
from weburl.hosts import HostSet

OURS = "weburl.ext.scrapy.OffsiteMiddleware"
SCRAPYS = "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware"


def make(allowed: Any, kind: type = OffsiteMiddleware) -> tuple[Any, Any]:
    """A middleware whose spider is open, and its crawler."""
    crawler = get_crawler(Spider)
    crawler.spider = crawler._create_spider("spider")
    if allowed != "none":
        crawler.spider.allowed_domains = allowed
    middleware = kind.from_crawler(crawler)  # type: ignore[attr-defined]
    crawler.signals.send_catch_log(signals.spider_opened, spider=crawler.spider)
    return middleware, crawler


def is_allowed(middleware: Any, url: str, **options: Any) -> bool:
    try:
        assert middleware.process_request(Request(url, **options)) is None
    except IgnoreRequest:
        return False
    return True


ENTRIES = ["example.com", "*.example.org", "=www.example.net", "b\u00fccher.example", "127.0.0.1"]


@pytest.mark.parametrize("allowed", [ENTRIES, tuple(ENTRIES), set(ENTRIES), [None, *ENTRIES], HostSet(ENTRIES)])
def test_entries(allowed: Any) -> None:
    middleware, _ = make(allowed)
    for url in (
        "http://example.com/", "https://a.EXAMPLE.com.:8/x", "wss://a.example.org", "http://www.example.net/",
        "http://xn--bcher-kva.example/", "http://a.b%C3%BCcher.example/", "http://0x7f.1/", "http://u:p@example.com/",
    ):  # fmt: skip
        assert is_allowed(middleware, url), url
    for url in (
        "http://example.org/", "http://a.www.example.net/", "http://notexample.com/", "http://evil.test\\@example.com/",
        "http://example.com@evil.test/", "ftp://example.com/x", "file://example.com/etc/passwd", "data:,x",
        "http://[v6a.ip]/", "http://127.0.0.2/",
    ):  # fmt: skip
        assert not is_allowed(middleware, url), url
        assert is_allowed(middleware, url, dont_filter=True)
        assert is_allowed(middleware, url, meta={"allow_offsite": True})


@pytest.mark.parametrize("allowed", ["none", None, [], (), HostSet()])
def test_without_entries_all_is_allowed(allowed: Any) -> None:
    middleware, _ = make(allowed)
    for url in ("http://a/", "data:,x", "http://[v6a.ip]/", "ftp://h/"):
        assert is_allowed(middleware, url)


@pytest.mark.parametrize("allowed", [lambda: [None], lambda: iter(()), lambda: map(str.strip, [])])
def test_what_has_no_entries_allows_nothing(allowed: Any) -> None:
    """A variable that is not set, or a file that is empty, must not let a crawl go everywhere. Scrapy does the same."""
    for kind in (OffsiteMiddleware, ScrapyOffsiteMiddleware):
        middleware, _ = make(allowed(), kind)
        for _ in range(2):
            assert not is_allowed(middleware, "http://example.com/")


def test_an_iterator_is_read_once() -> None:
    """A file of names, for example. Scrapy's own middleware would allow nothing."""
    middleware, crawler = make(map(str.strip, ["example.com\n", "b.com\n"]))
    for _ in range(3):
        assert is_allowed(middleware, "http://a.b.com/")
        assert not is_allowed(middleware, "http://evil.test/")
    # Another crawl of the same spider gets what is left.
    assert not is_allowed(make(crawler.spider.allowed_domains)[0], "http://a.b.com/")


def test_a_property_that_gives_iterators() -> None:
    class Own(Spider):  # type: ignore[misc]
        @property
        def allowed_domains(self) -> Any:
            return (name for name in ["example.com"])

    crawler = get_crawler(Own)
    crawler.spider = crawler._create_spider("spider")
    middleware = OffsiteMiddleware.from_crawler(crawler)
    crawler.signals.send_catch_log(signals.spider_opened, spider=crawler.spider)
    for _ in range(2):
        assert is_allowed(middleware, "http://example.com/")
        assert not is_allowed(middleware, "http://evil.test/")


def test_an_entry_that_is_not_a_host(caplog: pytest.LogCaptureFixture) -> None:
    wrong = ["example.com", "https://example.org/"]
    with pytest.raises(ValueError, match="This is a URL, not a host"):
        make(wrong)
    # Domains that are set later are found then.
    middleware, crawler = make(["example.com"])
    crawler.spider.allowed_domains = wrong
    crawler.signals.send_catch_log(signals.spider_opened, spider=crawler.spider)
    assert "https://example.org/" in caplog.text
    for _ in range(2):
        with pytest.raises(ValueError, match="This is a URL, not a host"):
            middleware.process_request(Request("http://example.com/"))


def test_it_is_as_scrapys(caplog: pytest.LogCaptureFixture) -> None:
    """Answers, statistics and log of both are the same for usual domains and URLs; also if the domains change."""
    urls = [
        f"https://{host}/x?y"
        for host in ("example.com", "a.example.com", "b.com", "c.b.com", "xb.com", "z.org", "z.org")
    ]
    found = []
    for kind in (OffsiteMiddleware, ScrapyOffsiteMiddleware):
        caplog.clear()
        caplog.set_level(logging.DEBUG)
        middleware, crawler = make(["example.com", "b.com"], kind)
        answers = [is_allowed(middleware, url) for url in urls]
        crawler.spider.allowed_domains.append("z.org")
        answers += [is_allowed(middleware, url) for url in urls]
        for url in urls:
            try:
                middleware.request_scheduled(Request(url), crawler.spider)
            except IgnoreRequest:
                answers.append(False)
        crawler.spider.allowed_domains = []
        answers += [is_allowed(middleware, url) for url in urls]
        stats = {name: crawler.stats.get_value(name) for name in ("offsite/filtered", "offsite/domains")}
        found.append(
            (answers, stats, [record.getMessage() for record in caplog.records if "offsite" in record.message])
        )
    assert found[0] == found[1]
    assert found[0][1]["offsite/filtered"] > found[0][1]["offsite/domains"] > 1


def test_statistics_of_what_does_not_parse() -> None:
    middleware, crawler = make(["example.com"])
    assert not is_allowed(middleware, "http://[v6a.ip]/")
    assert crawler.stats.get_value("offsite/filtered") == 1


def test_a_million_domains() -> None:
    names = HostSet(f"host{number}.example" for number in range(10**6))
    middleware, _ = make(names)
    assert is_allowed(middleware, "http://a.host999999.example/")
    assert not is_allowed(middleware, "http://a.host1000000.example/")


@pytest.mark.parametrize(
    ("own", "place"),
    [
        ({}, 50),
        ({SCRAPYS: 40}, 40),
        ({ScrapyOffsiteMiddleware: 41}, 41),
        ({SCRAPYS: None}, None),
        ({SCRAPYS: None, OURS: 60}, 60),
        ({OffsiteMiddleware: 61, SCRAPYS: None}, 61),
        ({OURS: None}, None),
    ],
)
def test_the_add_on_takes_its_place(own: dict[Any, Any], place: int | None) -> None:
    settings = Settings({"DOWNLOADER_MIDDLEWARES": own})
    AddOn().update_settings(settings)
    middlewares = settings.get_component_priority_dict_with_base("DOWNLOADER_MIDDLEWARES")
    assert {load_object(name): middlewares[name] for name in middlewares}.get(OffsiteMiddleware) == place
    assert ScrapyOffsiteMiddleware not in map(load_object, middlewares)
    # The others are where they were, but for those of patterns and of robots.txt.
    before = Settings().get_component_priority_dict_with_base("DOWNLOADER_MIDDLEWARES")
    ours = (OffsiteMiddleware, ScopeMiddleware, RobotsTxtMiddleware)
    theirs = (ScrapyOffsiteMiddleware, ScrapyRobotsTxtMiddleware)
    assert {name: value for name, value in middlewares.items() if load_object(name) not in ours} == {
        name: value for name, value in before.items() if load_object(name) not in theirs
    }
