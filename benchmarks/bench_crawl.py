"""Compare weburl with the libraries of a crawler's parts: nanoseconds a URL, each for what it is made for."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from itertools import cycle, islice
from typing import Any
from urllib.robotparser import RobotFileParser

import bench_robots
import figures
from bench import describe_machine, print_table
from bench_robots import AGENT, spent, versions
from timing import Timing, alternate

from weburl import URL
from weburl.bulk import canonicalize_many, parse_many
from weburl.crawl import SurtPolicy, canonicalize
from weburl.hosts import registrable_domain
from weburl.robots import Robots

# Distributions by the names of their modules.
PEERS = {
    "protego": "Protego",
    "w3lib.url": "w3lib",
    "courlan": "courlan",
    "samepage": "samepage",
    "surt": "surt",
    "tldextract": "tldextract",
    "crup": "crup",
}
SURT = SurtPolicy(archive_exact=True)
# URLs that a library gets, and weburl in columns.
FEW, MANY = 200, 20_000


@dataclass(frozen=True)
class Measured:
    """What a library, or a function of weburl, takes for all of its URLs."""

    job: str
    library: str
    count: int
    time: Timing

    def cells(self) -> list[str]:
        return [self.job, self.library, f"{self.time.best / self.count:,.0f} ns", f"{self.count:,}"]


def site_of(url: str) -> str | None:
    host = URL(url).hostname
    return registrable_domain(host) if host else None


# For each job weburl's function of a URL, and that of a column.
OURS: dict[str, tuple[Callable[[str], object], Callable[[Sequence[str]], object]]] = {
    "one key for a page": (canonicalize, partial(canonicalize_many, threads=1)),
    "SURT": (
        lambda url: canonicalize(url, SURT),
        lambda urls: canonicalize_many(urls, SURT, threads=1),
    ),
    "site": (site_of, lambda urls: parse_many(urls, ["registrable_domain"], threads=1)),
}


def functions_of(name: str, module: Any) -> Iterator[tuple[str, Callable[[str], object]]]:
    """What a library does for which job."""
    if name == "w3lib.url":
        yield "one key for a page", module.canonicalize_url
    elif name == "protego":
        file = module.Protego.parse(bench_robots.file_of_rules())
        yield "robots.txt", lambda url: file.can_fetch(url, AGENT)
    elif name == "courlan":
        yield "one key for a page", module.clean_url
    elif name == "samepage":
        yield "one key for a page", module.normalize_url
    elif name == "surt":
        yield "SURT", module.surt
    elif name == "tldextract":
        # The list that it brings, as weburl takes the one of its package: nothing is fetched.
        extract = module.TLDExtract(suffix_list_urls=(), include_psl_private_domains=True)
        yield "site", lambda url: extract(url).top_domain_under_public_suffix
    else:
        yield "site", lambda url: module.parse(url, psl=module.PslType.ALL).domain


def works(urls: list[str], missing: list[str]) -> Iterator[tuple[str, str, int, Callable[[], object]]]:
    """Job, library, how many URLs it gets, and a call for all of them."""
    few, many = urls[:FEW], list(islice(cycle(urls), MANY))
    for job, (one, column) in OURS.items():
        yield job, "weburl", len(few), partial(lambda function: [function(url) for url in few], one)
        yield job, "weburl, a column", len(many), partial(column, many)
    for name, distribution in PEERS.items():
        try:
            module = import_module(name)
        except ImportError as error:
            print(f"MISSING PEER {distribution}: {error}")
            missing.append(distribution)
            continue
        for job, function in functions_of(name, module):
            yield job, distribution, len(few), partial(lambda call: [call(url) for url in few], function)
    text = bench_robots.file_of_rules()
    robots = Robots.parse(text, agent=AGENT)
    yield "robots.txt", "weburl", len(few), lambda: [robots.allowed(url) for url in few]
    yield "robots.txt", "weburl, a column", len(many), lambda: robots.allowed_many(many, threads=1)
    standard = RobotFileParser()
    standard.parse(text.splitlines())
    yield "robots.txt", "urllib.robotparser", len(few), lambda: [standard.can_fetch(AGENT, url) for url in few]


def measured(rounds: int, missing: list[str]) -> list[Measured]:
    urls = [url for url in bench_robots.urls(short=False) if url.isascii()]
    found = list(works(urls, missing))
    times = alternate({f"{job}/{library}": partial(spent, work) for job, library, _, work in found}, rounds)
    return [Measured(job, library, count, times[f"{job}/{library}"]) for job, library, count, _ in found]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a smoke run: 3 rounds")
    parser.add_argument("--rounds", type=int, help="rounds; else WEBURL_BENCH_ROUNDS, else 15")
    parser.add_argument("--require-peers", action="store_true", help="fail when a peer is missing")
    arguments = figures.parsed(parser, "crawl")
    rounds = arguments.rounds or int(os.environ.get("WEBURL_BENCH_ROUNDS", "3" if arguments.short else "15"))
    missing: list[str] = []
    print(f"{describe_machine()}, one thread, best of {rounds} rounds", end="\n\n")
    rows = measured(rounds, missing)
    print_table(("job", "library", "a URL", "count"), (row.cells() for row in rows), (20, 20, 12, 9))
    if arguments.json:
        section: dict[str, Any] = {
            "machine": describe_machine(),
            "rounds": rounds,
            "versions": versions(["weburl", *PEERS.values()]),
            "missing": missing,
            "rows": [asdict(row) for row in rows],
        }
        figures.add(arguments.json, "crawl", section)
    return 1 if missing and arguments.require_peers else 0


if __name__ == "__main__":
    sys.exit(main())
