"""Compare weburl.robots with other readers of robots.txt: nanoseconds a URL, for a file of 500 rules."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import cycle, islice
from random import Random
from time import thread_time_ns
from typing import Any
from urllib.robotparser import RobotFileParser

import corpora
import figures
from bench import describe_machine, print_table
from timing import Timing, alternate

from weburl import URL
from weburl.robots import Robots

RULES = 500
# Nanoseconds a URL of a column, and microseconds to compile a rule: at most.
SLOWEST_URL, SLOWEST_RULE = 200, 10
AGENT = "ExampleBot"
PEERS = {"protego": "Protego", "robots": "robotspy", "fastrobots": "fastrobots"}
# It has no wheel for some interpreters, and then it may be missing.
OPTIONAL = {"fastrobots"}
# URLs that the slow ones get.
FEW = 200
# Files that are made to be slow, and a URL for each: rules with two stars, and one rule of stars.
HOSTILE: dict[str, Callable[[], tuple[str, str]]] = {
    "many rules": lambda: (
        "".join(f"Disallow: /*a{i:05}*zz\n" for i in range(25_000)), "".join(f"a{i:05}" for i in range(8_000)),
    ),
    "many stars": lambda: (f"Disallow: /{'a*' * 500_000}b\n", "a" * 1_000_000),
}  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """What a reader takes for all of its URLs, or to read the file."""

    reader: str
    work: str
    count: int
    time: Timing

    def cells(self) -> list[str]:
        return [self.reader, self.work, f"{self.time.best / self.count:,.0f} ns", f"{self.count:,}"]


def file_of_rules() -> str:
    """80 % of the rules are for a folder; others have stars, and some of these are only for the end of a path."""
    random = Random(corpora.SEED)
    rules = []
    for i in range(RULES):
        kind = random.random()
        folder = f"/{random.choice(corpora.WORDS)}/{random.choice(corpora.WORDS)}{i}"
        if kind < 0.8:
            rules.append(f"{'Allow' if kind < 0.1 else 'Disallow'}: {folder}/")
        elif kind < 0.9:
            rules.append(f"Disallow: /*?*{random.choice(corpora.WORDS)}{i}=")
        elif kind < 0.95:
            rules.append(f"Disallow: /*.{random.choice(corpora.WORDS)}{i}$")
        else:
            rules.append(f"Disallow: {folder}/*/print")
    return "User-agent: *\n" + "\n".join(rules) + "\nSitemap: https://example.com/sitemap.xml\n"


def urls(short: bool) -> list[str]:
    """Real links, if there are some; every tenth is below one of the folders."""
    links = [link for link in corpora.real_links() or [] if link.isascii() and URL.can_parse(link)]
    made = [f"https://www.example.com/{word}/{i}?page={i}" for i, word in enumerate(corpora.WORDS)]
    some = list(islice(cycle(links or made), 2_000 if short else 20_000))
    folders = [line.partition(": ")[2] for line in file_of_rules().splitlines() if line.endswith("/")]
    return [
        f"https://www.example.com{folders[i % len(folders)]}{i}" if i % 10 == 0 else url for i, url in enumerate(some)
    ]


def peers(text: str, missing: list[str]) -> dict[str, Callable[[str], bool]]:
    standard = RobotFileParser()
    standard.parse(text.splitlines())
    made: dict[str, Callable[[str], bool]] = {"urllib.robotparser": lambda url: standard.can_fetch(AGENT, url)}
    for name, distribution in PEERS.items():
        try:
            module = import_module(name)
        except ImportError as error:
            print(f"MISSING PEER {distribution}: {error}")
            missing += [] if distribution in OPTIONAL else [distribution]
            continue
        made[distribution] = reader_of(name, module, text)
    return made


def reader_of(name: str, module: Any, text: str) -> Callable[[str], bool]:
    if name == "protego":
        file = module.Protego.parse(text)
        return lambda url: bool(file.can_fetch(url, AGENT))
    if name == "robots":
        parser = module.RobotsParser.from_string(text)
        return lambda url: bool(parser.can_fetch(AGENT, url))
    robots = module.Robots.parse(text)
    # It takes paths.
    return lambda url: bool(robots.allowed(url.partition("://")[2].partition("/")[1:][1], AGENT))


def spent(work: Callable[[], object], turn: int) -> float:
    start = thread_time_ns()
    work()
    return thread_time_ns() - start


def measured(short: bool, rounds: int, missing: list[str]) -> list[Measured]:
    text = file_of_rules()
    all_urls = urls(short)
    few = all_urls[:FEW]
    robots = Robots.parse(text, agent=AGENT)
    works: dict[tuple[str, str], tuple[int, Callable[[], object]]] = {
        ("Robots.allowed", "a URL"): (len(all_urls), lambda: [robots.allowed(url) for url in all_urls]),
        ("Robots.allowed_many", "a URL"): (len(all_urls), lambda: robots.allowed_many(all_urls, threads=1)),
        ("Robots.parse", "a rule"): (RULES, lambda: Robots.parse(text, agent=AGENT)),
    }
    for name, compat in (("Robots.allowed, rfc9309", "rfc9309"), ("Robots.allowed, google", "google")):
        other = Robots.parse(text, agent=AGENT, compat=compat)  # type: ignore[arg-type]
        works[name, "a URL"] = (len(all_urls), partial(lambda file: [file.allowed(url) for url in all_urls], other))
    for name, function in peers(text, missing).items():
        works[name, "a URL"] = (len(few), partial(lambda ask: [ask(url) for url in few], function))
    for name, make in HOSTILE.items():
        rules, path = make()
        hostile = Robots.parse(f"User-agent: *\n{rules}", agent=AGENT)
        works[name, "a hostile URL"] = (1, partial(hostile.allowed, f"https://www.example.com/{path}"))
    times = alternate({" ".join(key): partial(spent, work) for key, (_, work) in works.items()}, rounds)
    return [Measured(*key, count, times[" ".join(key)]) for key, (count, _) in works.items()]


def verdicts(rows: list[Measured]) -> list[str]:
    """A line for each limit."""
    by = {row.reader: row.time.best / row.count for row in rows}
    lines = []
    for reader, found, limit, unit in (
        ("Robots.allowed_many", by["Robots.allowed_many"], SLOWEST_URL, "ns a URL"),
        ("Robots.parse", by["Robots.parse"] / 1000, SLOWEST_RULE, "us a rule"),
    ):
        lines.append(f"{reader}: {found:.1f} {unit}, at most {limit}: {'OK' if found <= limit else 'MISS'}")
    return lines


def versions(names: list[str]) -> dict[str, str]:
    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a smoke run, where no limit fails: few URLs, 3 rounds")
    parser.add_argument("--rounds", type=int, help="rounds; else WEBURL_BENCH_ROUNDS, else 15")
    parser.add_argument("--require-peers", action="store_true", help="fail when a peer is missing")
    arguments = figures.parsed(parser, "robots")
    rounds = arguments.rounds or int(os.environ.get("WEBURL_BENCH_ROUNDS", "3" if arguments.short else "15"))
    missing: list[str] = []
    print(f"{describe_machine()}, one thread, best of {rounds} rounds", end="\n\n")
    rows = measured(arguments.short, rounds, missing)
    print_table(("reader", "for", "each", "count"), (row.cells() for row in rows), (24, 13, 12, 9))
    print("\n".join(verdicts(rows)))
    if arguments.json:
        section: dict[str, Any] = {
            "machine": describe_machine(),
            "rounds": rounds,
            "versions": versions(["weburl", *PEERS.values()]),
            "missing": missing,
            "rows": [asdict(row) for row in rows],
        }
        figures.add(arguments.json, "robots", section)
    return 1 if missing and arguments.require_peers else 0


if __name__ == "__main__":
    sys.exit(main())
