"""The example crawler, which at its end tells where its CPU time goes: what is work with URLs, and what is not.

The functions of each part are replaced by ones that are measured. What these themselves take is taken off.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from crawler import crawl
from crawler.__main__ import main
from crawler.frontier import Frontier

import weburl.crawl
from weburl._crawl import pages
from weburl._verbs import links
from weburl.robots import RobotsCache


class Part:
    """CPU time and calls of some functions, without those of other parts in them."""

    def __init__(self) -> None:
        self.nanoseconds = self.calls = 0


class Meter:
    def __init__(self) -> None:
        self.inner: list[int] = []
        self.parts: dict[str, Part] = {}

    def replace(self, part: str, holder: Any, *names: str) -> None:
        for name in names:
            setattr(holder, name, self.measured(part, getattr(holder, name)))

    def measured(self, name: str, function: Callable[..., Any]) -> Any:
        part = self.parts.setdefault(name, Part())
        inner = self.inner
        clock = time.thread_time_ns

        def call(*arguments: Any, **options: Any) -> Any:
            inner.append(0)
            began = clock()
            try:
                return function(*arguments, **options)
            finally:
                taken = clock() - began
                part.nanoseconds += taken - inner.pop()
                part.calls += 1
                if inner:
                    inner[-1] += taken

        return call

    def with_nothing(self, function: Callable[..., Any]) -> Any:
        """The function, with a call of one that does nothing before: what that seems to take is a meter's own time."""
        nothing = self.measured("nothing", len)

        def call(*arguments: Any) -> Any:
            nothing(arguments)
            return function(*arguments)

        return call

    def overhead(self) -> float:
        nothing = self.parts.pop("nothing")
        return nothing.nanoseconds / nothing.calls


PARTS: dict[str, Iterable[tuple[Any, tuple[str, ...]]]] = {
    "HTML: its encoding, the tree, the attributes of links": ((pages, ("sniff", "read_text")),),
    "the table of links": ((crawl, ("page_links", "sitemap_links")), (links, ("link_table",))),
    "URLs: links, resolved, with sites and keys": ((links, ("resolve",)), (weburl.crawl, ("DocumentBase", "base_of"))),
    "URLs: robots.txt": ((RobotsCache, ("allowed", "robots", "put", "robots_url")),),
    "URLs: scope, keys, shards and traps of what is new": ((crawl.Crawler, ("pages",)),),
    "URLs: what is sent, and redirects": ((crawl, ("yarl_url", "redirect_target")),),
    "SQLite: the frontier": ((Frontier, ("unknown", "finish", "claim", "add", "queue_again", "is_finished")),),
}

if __name__ == "__main__":
    meter = Meter()
    for part, holders in PARTS.items():
        for holder, names in holders:
            meter.replace(part, holder, *names)
    Frontier.claim = meter.with_nothing(Frontier.claim)  # type: ignore[method-assign]
    began = time.process_time_ns()
    main()
    total = time.process_time_ns() - began
    overhead = meter.overhead()
    print(f"{overhead / 1e3:.1f} us: a call of nothing, which is taken off for each call")
    shares = {name: (part.nanoseconds - part.calls * overhead) / total for name, part in meter.parts.items()}
    for name, share in shares.items():
        print(f"{share:6.1%} {name}")
    print(f"{1 - sum(shares.values()):6.1%} aiohttp, asyncio and the rest")
    print(f"{sum(share for name, share in shares.items() if name.startswith('URLs')):6.1%} all work with URLs")
