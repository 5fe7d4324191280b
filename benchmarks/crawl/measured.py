"""The example crawler, which at its end tells what page_links() takes for URLs: resolving them, and their keys.

The rest of page_links() is for HTML. The two functions that it calls for URLs are replaced by ones that are measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from crawler.__main__ import main
from crawler.crawl import Meter

import weburl.crawl
from weburl._verbs import links


def measured(function: Callable[..., Any], meter: Meter) -> Any:
    def call(*arguments: Any, **options: Any) -> Any:
        with meter:
            return function(*arguments, **options)

    return call


if __name__ == "__main__":
    meter = Meter()
    links.link_table = measured(links.link_table, meter)
    # A class elsewhere; page_links() only makes objects of it.
    vars(weburl.crawl)["DocumentBase"] = measured(weburl.crawl.DocumentBase, meter)
    began = time.process_time()
    main()
    share = meter.nanoseconds / (time.process_time() - began) / 1e7
    print(f"{share:.1f} % of the CPU is for the URLs of links of pages, which is part of the first share")
