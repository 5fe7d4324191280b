"""Compare find_urls with a regular expression and with other finders: GB/s without URLs, and nanoseconds a URL."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter_ns, thread_time_ns
from typing import Any

import corpora
import figures
from bench import describe_machine, print_table
from timing import Timing, alternate

from weburl.text import find_urls

# What most programs use.
COMMON = r"""https?://[^\s<>"'`]+"""
# GB/s at least, and the share of the time of the regular expression at most.
FASTEST, SHARE = 2.0, 0.6
# Their results are not the same: each has rules of its own.
PEERS = {"urlextract": "urlextract", "linkify_it": "linkify-it-py", "ioc_finder": "ioc-finder"}
QUIET = (
    '127.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "GET /apache_pb.gif HTTP/1.0" 200 2326 "-" "Mozilla/5.0 (X11; Linux)"'
)
# Characters that slow peers get.
SLOW = 20_000


@dataclass(frozen=True)
class Measured:
    """What a finder takes for a text: nanoseconds of all of it."""

    finder: str
    text: str
    characters: int
    urls: int
    time: Timing

    def cells(self) -> list[str]:
        gigabytes = self.characters / self.time.best
        each = f"{self.time.best / self.urls:,.0f} ns" if self.urls else ""
        return [self.finder, self.text, f"{self.characters:,}", f"{self.urls:,}", f"{gigabytes:.3f} GB/s", each]


def texts(short: bool) -> dict[str, str]:
    links = corpora.real_links() or [f"https://www{i}.example.com/books/{i}?q={i}#x" for i in range(5000)]
    links = list(islice(cycle(link for link in links if link.isascii() and "'" not in link), 1000 if short else 2000))
    messages = [f'2026-11-28 12:00:00 INFO fetched "{link}" in 12 ms (status=200)' for link in links]
    lines = [json.dumps({"message": f"fetched {link}", "ms": 12}).replace("/", "\\/") for link in links]
    return {
        "log without URLs": f"{QUIET}\n" * (20_000 if short else 300_000),
        "log with URLs": "\n".join(messages),
        "JSON lines": "\n".join(lines),
    }


def finders(missing: list[str]) -> dict[str, Callable[[str], int]]:
    """How many URLs each finds. The text of a program is in a file."""
    made: dict[str, Callable[[str], int]] = {
        "re.findall": lambda text: len(re.findall(COMMON, text)),
    }
    for name, distribution in PEERS.items():
        try:
            module = import_module(name)
        except ImportError as error:
            missing.append(distribution)
            print(f"MISSING PEER {distribution}: {error}")
            continue
        made[f"{distribution} {version(distribution)}"] = peer(name, module)
    return made


def peer(name: str, module: Any) -> Callable[[str], int]:
    if name == "urlextract":
        extractor = module.URLExtract()
        return lambda text: len(extractor.find_urls(text))
    if name == "linkify_it":
        finder = module.LinkifyIt()
        return lambda text: len(finder.match(text) or ())
    return lambda text: len(module.find_iocs(text, parse_domain_from_url=False)["urls"])


def spent(work: Callable[[], int], clock: Callable[[], int], turn: int) -> float:
    start = clock()
    work()
    return clock() - start


def measured(
    name: str, text: str, rounds: int, others: dict[str, Callable[[str], int]], folder: Path
) -> list[Measured]:
    syntax: Any = "json" if name == "JSON lines" else "text"
    contenders: dict[str, Callable[[], int]] = {
        "find_urls": lambda: len(find_urls(text, syntax=syntax)),
        "find_urls, bytes": partial(of_bytes, text.encode(), syntax),
    }
    sizes = dict.fromkeys(contenders, len(text))
    for finder, function in others.items():
        some = text if finder == "re.findall" else text[:SLOW]
        contenders[finder] = partial(function, some)
        sizes[finder] = len(some)
    if shutil.which("rg"):
        path = folder / "text"
        path.write_text(text, "utf-8")
        contenders["rg -o"] = partial(ripgrep, path)
        sizes["rg -o"] = len(text)
    found = {finder: work() for finder, work in contenders.items()}
    # A program has threads of its own, and is not this one.
    clocks = {finder: perf_counter_ns if finder == "rg -o" else thread_time_ns for finder in contenders}
    times = alternate({finder: partial(spent, work, clocks[finder]) for finder, work in contenders.items()}, rounds)
    return [Measured(finder, name, sizes[finder], found[finder], time) for finder, time in times.items()]


def of_bytes(data: bytes, syntax: Any) -> int:
    return len(find_urls(data, syntax=syntax))


def ripgrep(path: Path) -> int:
    # With the start of the program.
    done = subprocess.run(["rg", "-o", "--no-line-number", COMMON, path], capture_output=True, check=False)
    return done.stdout.count(b"\n")


def verdicts(rows: list[Measured]) -> list[str]:
    """A line for each limit."""
    by = {(row.finder, row.text): row for row in rows}
    lines = []
    for finder in ("find_urls", "find_urls, bytes"):
        quiet = by[finder, "log without URLs"]
        speed = quiet.characters / quiet.time.best
        lines.append(
            f"{finder}: {speed:.1f} GB/s without URLs, at least {FASTEST}: {'OK' if speed >= FASTEST else 'MISS'}"
        )
    ours, theirs = (by[finder, "log with URLs"].time.best for finder in ("find_urls", "re.findall"))
    share = ours / theirs
    lines.append(f"find_urls: {share:.2f} of re.findall, at most {SHARE}: {'OK' if share <= SHARE else 'MISS'}")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a smoke run, where no limit fails: short texts, 3 rounds")
    parser.add_argument("--rounds", type=int, help="rounds a text; else WEBURL_BENCH_ROUNDS, else 15")
    parser.add_argument("--json", type=Path, metavar="FILE", help='write every figure there too, as "text"')
    parser.add_argument("--require-peers", action="store_true", help="fail when a peer is missing")
    arguments = parser.parse_args()
    rounds = arguments.rounds or int(os.environ.get("WEBURL_BENCH_ROUNDS", "3" if arguments.short else "15"))
    missing: list[str] = []
    others = finders(missing)
    if not shutil.which("rg"):
        print("MISSING PEER ripgrep: it is not on PATH")
    print(f"{describe_machine()}, one thread, best of {rounds} rounds", end="\n\n")
    rows: list[Measured] = []
    with TemporaryDirectory() as folder:
        for name, text in texts(arguments.short).items():
            rows += measured(name, text, rounds, others, Path(folder))
    header = ("finder", "text", "characters", "URLs", "speed", "a URL")
    print_table(header, (row.cells() for row in rows), (24, 16, 12, 7, 11, 10))
    print("\n".join(verdicts(rows)))
    if arguments.json:
        section = {
            "machine": describe_machine(),
            "rounds": rounds,
            "missing": missing,
            "rows": [asdict(row) for row in rows],
        }
        figures.add(arguments.json, "text", section)
    return 1 if missing and arguments.require_peers else 0


if __name__ == "__main__":
    sys.exit(main())
