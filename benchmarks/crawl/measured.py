"""The example crawler, which at its end tells where its CPU time goes: what is work with URLs, and what is not.

It runs as it is. Ticks of its CPU time are counted: each belongs to the innermost function that PARTS knows.
"""

from __future__ import annotations

import signal
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Final

import crawler
from crawler.__main__ import main

import weburl

# The parts of modules and, where they differ, of their functions.
PARTS: Final = {
    "HTML: its encoding, the tree, the attributes of links": ("_crawl/pages", "_crawl/sniffing", "_crawl/refresh"),
    "the table of links, and what a page says to crawlers": (
        "crawl:page_links", "crawl:sitemap_links", "crawl:columns_of_page", "crawl:columns_of_links", "_verbs/links",
        "_verbs/rows", "_crawl/directives", "crawler/crawl:links",
    ),
    "URLs: links, resolved, with sites and keys": ("crawl", "_verbs/links:resolve"),
    "URLs: robots.txt": ("_robots/cache", "_robots/robots"),
    "URLs: scope, keys, shards and traps of what is new": ("crawler/crawl:pages", "crawler/crawl:keyed_pages"),
    "URLs: what is sent, and redirects": (
        "ext/aiohttp:yarl_url", "_crawl/redirects", "crawler/crawl:redirect", "ext/aiohttp:drop_headers",
    ),
    "SQLite: the frontier": ("crawler/frontier",),
}  # fmt: skip
OF: Final = {name: part for part, names in PARTS.items() for name in names}
ROOTS: Final = [Path(module.__file__ or "").parent for module in (weburl, crawler)]
names: dict[str, str | None] = {}
ticks: Counter[str] = Counter()


def name_of(file: str) -> str | None:
    """A module of weburl or of the crawler, as in PARTS."""
    path = Path(file).with_suffix("")
    if path.is_relative_to(ROOTS[0]):
        return path.relative_to(ROOTS[0]).as_posix()
    return path.relative_to(ROOTS[1].parent).as_posix() if path.is_relative_to(ROOTS[1]) else None


def part_of(frame: FrameType | None) -> str:
    while frame is not None:
        code = frame.f_code
        if code.co_filename not in names:
            names[code.co_filename] = name_of(code.co_filename)
        name = names[code.co_filename]
        # A signal that comes while C code runs is handled after it: at the start of a function if one is called next.
        if name is not None and frame.f_lineno != code.co_firstlineno:
            part = OF.get(f"{name}:{code.co_name}") or OF.get(name)
            if part is not None:
                return part
        frame = frame.f_back
    return "aiohttp, asyncio and the rest"


if __name__ == "__main__":
    signal.signal(signal.SIGPROF, lambda _, frame: ticks.update([part_of(frame)]))
    signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
    main()
    signal.setitimer(signal.ITIMER_PROF, 0)
    total = ticks.total()
    cpu = time.process_time()
    for part, count in ticks.most_common():
        print(f"{count / total:6.1%} {count / total * cpu:7.2f} s {part}")
    share = sum(count for part, count in ticks.items() if part.startswith("URLs")) / total
    print(f"{share:6.1%} all work with URLs (of {total} ticks, +- {(share * (1 - share) / total) ** 0.5:.1%})")
