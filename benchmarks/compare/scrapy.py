from collections.abc import Callable, Iterable
from functools import cache

from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.utils import request as requests

import weburl.crawl
import weburl.ext.scrapy

DISTRIBUTION = "scrapy"
# What is measured does not make the requests.
request_of = cache(Request)


def fingerprint(urls: Iterable[str]) -> None:
    requests._fingerprint_cache.clear()
    for url in urls:
        requests.fingerprint(request_of(url))


def links_of(pages: Iterable[tuple[str, str]], extract_links: Callable[[HtmlResponse], object]) -> None:
    for url, body in pages:
        extract_links(HtmlResponse(url, body=body, encoding="utf-8"))


def extract_links(pages: Iterable[tuple[str, str]]) -> None:
    links_of(pages, LinkExtractor().extract_links)


# Both decode the page: it is what a server sends.
def extract_links_of_bytes(pages: Iterable[tuple[str, bytes]]) -> None:
    extractor = LinkExtractor()
    for url, body in pages:
        extractor.extract_links(HtmlResponse(url, headers={"Content-Type": "text/html; charset=utf-8"}, body=body))


def page_links(pages: Iterable[tuple[str, bytes]]) -> None:
    for url, body in pages:
        weburl.crawl.page_links(body, url, charset="utf-8")


def extract_links_with_weburl(pages: Iterable[tuple[str, str]]) -> None:
    links_of(pages, weburl.ext.scrapy.LinkExtractor().extract_links)
