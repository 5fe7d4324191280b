"""Compare weburl's URL patterns with other implementations: a table of the limits they are held to."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from importlib import import_module
from importlib.metadata import version
from time import thread_time_ns
from types import ModuleType

import figures
from bench import Row, describe_machine, print_table
from bench_bulk import keep_memory, real_links, to_column
from bench_bulk import measure as measure_rows
from columns import timed
from timing import Loop, Timing, measure

from weburl import URL, URLPattern
from weburl.bulk import component_many, pattern_test_many, route_many
from weburl.patterns import PatternList

PURE = ("urlpattern_py", "yarlpattern")
PEERS = ("upa_url", "urlpattern", *PURE)
NEEDS: dict[str, tuple[int, int]] = {"yarlpattern": (3, 12)}
# What is measured, in a word for the table: the pattern, and URLs that it matches.
PATTERNS: dict[str, tuple[str | dict[str, str], list[str]]] = {
    "/books/:id": ({"pathname": "/books/:id"}, [f"https://example.com/books/{i}" for i in range(1000)]),
    "https://*.example.com/*": (
        "https://*.example.com/*",
        [f"https://www{i}.example.com/books/{i}?q={i}#x" for i in range(1000)],
    ),
}
# At most so many times what the peer takes.
LIMITS: dict[str, dict[str, float]] = {
    "pattern_test": {"upa_url": 0.25, "urlpattern": 0.35, "urlpattern_py": 0.1, "yarlpattern": 0.1},
    "pattern_groups": {"upa_url": 0.30, "urlpattern": 0.30, "urlpattern_py": 0.1, "yarlpattern": 0.1},
    # urlpattern_py makes most of a pattern when it is first used.
    "make_patterns": {"upa_url": 1.0, "urlpattern": 1.0, "yarlpattern": 1.0},
}
NAMES = {"pattern_test": "p.test(s)", "pattern_groups": "p.exec(s).pathname.groups", "make_patterns": "URLPattern(...)"}
ROUTES = 1000
# Nanoseconds a row above can_parse_many.
TEST_MANY, ROUTE_MANY = 25, 80
PATHS = (
    "/books/:id", "/users/:user/posts/:post", "/static/*", "/search", "/tags/:tag?", "/:year/:month/:slug", "/feed.xml",
    "/files/*.zip", "/api/v1/:kind/:id", "/",
)  # fmt: skip
FILLED = (
    "/books/7", "/users/ann/posts/12", "/static/css/a.css", "/search", "/tags/x", "/2026/11/a-title", "/feed.xml",
    "/files/b.zip", "/api/v1/books/7", "/",
)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a smoke run, where no limit fails: 10^5 rows, 3 rounds")
    parser.add_argument("--rounds", type=int, help="rounds a row; else WEBURL_BENCH_ROUNDS, else 15")
    parser.add_argument(
        "--pure",
        action="store_true",
        help='only the libraries of pure Python, as "pure patterns": one needs Python 3.12',
    )
    parser.add_argument("--require-peers", action="store_true", help="fail when a peer is missing")
    arguments = figures.parsed(parser, "patterns")
    rounds = arguments.rounds or int(os.environ.get("WEBURL_BENCH_ROUNDS", "3" if arguments.short else "15"))
    count = 10**5 if arguments.short else 10**6
    keep_memory()
    libraries = {"weburl": import_module("compare.weburl")}
    missing = []
    for name in PURE if arguments.pure else PEERS:
        if sys.version_info < (needed := NEEDS.get(name, (3, 11))):
            print(f"MISSING PEER {name}: it needs Python {needed[0]}.{needed[1]}")
            continue
        try:
            libraries[name] = import_module(f"compare.{name}")
        except ImportError as error:
            missing.append(name)
            print(f"MISSING PEER {name}: {error}")
    versions = {name: version(library.DISTRIBUTION) for name, library in libraries.items()}
    machine = describe_machine()
    print(f"{machine}, one thread, best of {rounds} rounds")
    print(", ".join(f"{name} {number}" for name, number in versions.items()), end="\n\n")
    rows = print_limits(libraries, rounds, count, arguments.pure)
    if arguments.json:
        measured = {
            "machine": machine,
            "versions": versions,
            "missing": missing,
            "rounds": rounds,
            "rows": count,
            "limits": [asdict(row) | {"ratio": row.ratio, "verdict": row.verdict} for row in rows],
        }
        figures.add(arguments.json, "pure patterns" if arguments.pure else "patterns", measured)
    return 1 if missing and arguments.require_peers else 0


def print_limits(libraries: dict[str, ModuleType], rounds: int, count: int, pure: bool) -> list[Row]:
    rows = []
    parts = [scalar(libraries, rounds)]
    if not pure:
        parts += [routes(libraries["weburl"], rounds), columns(rounds, count)]

    def cells() -> Iterator[list[str]]:
        for measured in parts:
            for row in measured:
                rows.append(row)
                yield row.cells()

    header = ("work", "pattern", "weburl", "peer", "its time", "ratio", "at most", "")
    print_table(header, cells(), (39, 23, 10, 13, 10, 5, 9, 7))
    return rows


def scalar(libraries: dict[str, ModuleType], rounds: int) -> Iterator[Row]:
    for work, limits in LIMITS.items():
        for shown, (pattern, urls) in PATTERNS.items():
            contenders = {}
            for name, library in libraries.items():
                made = library.pattern(pattern)
                if not all(map(made.test, urls)):
                    raise ValueError(f"{name} does not match {shown}")
                function = getattr(library, work)
                contenders[name] = (
                    Loop(function, [[pattern] * 100])
                    if work == "make_patterns"
                    else Loop(partial(function, made), [urls])
                )
            timings = measure(contenders, rounds)
            for name, limit in limits.items():
                yield Row(NAMES[work], shown, "ns", timings["weburl"], limit, name, timings.get(name))


def routes(weburl: ModuleType, rounds: int) -> Iterator[Row]:
    """The first of a list that matches, against the pattern that does."""
    hosts = [f"https://site{i}.example.com" for i in range(ROUTES // len(PATHS))]
    patterns = [f"{host}{path}" for host in hosts for path in PATHS]
    urls = [f"{host}{path}" for host in hosts for path in FILLED]
    made = PatternList(patterns)
    pairs = [(URLPattern(pattern), url) for pattern, url in zip(patterns, urls, strict=True)]
    for pattern, url in zip(patterns, urls, strict=True):
        first = made.first(url)
        if first is None or first[0] != pattern:
            raise ValueError(f"the first of the list for {url} is {first}, not {pattern}")
    contenders = {
        "first": Loop(partial(weburl.first_route, made), [urls]),
        "exec": Loop(weburl.pattern_exec, [pairs]),
    }
    timings = measure(contenders, rounds)
    yield Row("routes.first(s)", f"{ROUTES:,} routes", "ns", timings["first"], 2, "p.exec(s)", timings["exec"])


def of_links(links: Sequence[str]) -> list[str]:
    """A route for each of the most frequent beginnings of the links: of a host and the first segment of a path."""
    found: Counter[tuple[str, str]] = Counter()
    for url in map(URL, dict.fromkeys(links)):
        if url.scheme in ("http", "https"):
            found[url.host, url.pathname.split("/")[1]] += 1
    return [f"http{{s}}?://{host}/{first and first + '/'}*" for (host, first), _ in found.most_common(ROUTES)]


def columns(rounds: int, count: int) -> Iterator[Row]:
    """What a pattern, and a list of them, costs a row, above finding out whether the row is a URL."""
    links = real_links(count)
    column = to_column(links)
    pattern = URLPattern("http{s}?://*.wikipedia.org/wiki/*")
    routes = PatternList(
        [text for text in of_links(links) if not any(c in text.partition("://")[2][:-1] for c in "(){}*+?:\\")]
    )
    contenders: dict[str, Callable[[], object]] = {
        # All of a URL is parsed, and next to nothing is written.
        "parse": partial(component_many, column, "hash", threads=1),
        "test": partial(pattern_test_many, column, pattern, threads=1),
        "route": partial(route_many, column, routes, threads=1),
    }
    spent = {name: timed(thread_time_ns, work) for name, work in contenders.items()}
    timings = measure_rows(spent, count, min(rounds, 9))
    parse = timings["parse"]
    for name, work, limit in (("test", "pattern_test_many", TEST_MANY), ("route", "route_many", ROUTE_MANY)):
        above = Timing(timings[name].best - parse.best, timings[name].median - parse.median)
        shown = "http{s}?://*.wikipedia.…" if name == "test" else f"{len(routes):,} routes"
        yield Row(f"{work}, above component_many('hash')", shown, "ns", above, limit)


if __name__ == "__main__":
    sys.exit(main())
