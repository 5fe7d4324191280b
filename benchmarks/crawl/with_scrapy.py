"""The same crawl with Scrapy: python with_scrapy.py URL PAGES [add-on [both]]"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

from weburl.crawl import label_of, page_links

ADD_ON = {"ADDONS": {"weburl.ext.scrapy.AddOn": 0}}


class Links(scrapy.Spider):  # type: ignore[misc]
    name = "links"
    allowed_domains = ("127.0.0.1",)

    def parse(self, response: Any) -> Iterator[Any]:
        for link in LinkExtractor().extract_links(response):
            yield scrapy.Request(link.url)
        if not self.settings.getbool("METAREFRESH_ENABLED"):
            charset = label_of(response.encoding)
            found = page_links(response.body, response.url, charset=charset, kinds=("refresh",))
            for href in found["href"]:
                if href is not None:
                    yield scrapy.Request(href)


def main(start: str, limit: str, *options: str) -> None:
    settings = {
        "LOG_ENABLED": False,
        "ROBOTSTXT_OBEY": False,
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS": 16,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
        "CLOSESPIDER_PAGECOUNT": int(limit),
    }
    # With "both", pages that have a refresh are read, too.
    settings |= {"METAREFRESH_ENABLED": "both" not in options}
    process = CrawlerProcess(settings | (ADD_ON if options else {}))
    crawler = process.create_crawler(Links)
    process.crawl(crawler, start_urls=[start])
    process.start()
    # What went to another place than the site.
    print(crawler.stats.get_value("downloader/exception_count", 0))


if __name__ == "__main__":
    main(*sys.argv[1:])
