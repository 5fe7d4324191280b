"""Compares lists of URL patterns with a loop over their patterns, and columns with both, over generated inputs.

A list has some patterns of pattern_oracles/cases.py, and some that share hosts and paths, so that many match one URL.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from multiprocessing import get_context
from typing import Any, NamedTuple

from support.patterns import COMPONENTS, make_pattern
from tiers.agreement import refuses_base
from tiers.pattern_oracles.cases import Arguments, Cases, scalar

from weburl import URL, InvalidURL, PatternError, URLPattern
from weburl.bulk import pattern_extract_many, pattern_test_many, route_many
from weburl.patterns import PatternList

# Of one list.
INPUTS = 500
SHOWN_DIFFERENCES = 10
HOSTS = (
    "example.com", "*.example.com", "a.example.com", "*", ":sub.example.com", "{*.}?example.com", "b.a.example.com",
    "example.org", "*.com", "(.*)", "[::1]", "127.0.0.1", "*example.com", "bücher.de", "",
)  # fmt: skip
SEGMENTS = (
    "a",
    "b",
    "books",
    ":id",
    "*",
    ":x?",
    ":y+",
    ":z*",
    "(\\d+)",
    "{a}?",
    "a-:b",
    "*.zip",
    "",
    "%41",
    "é",
    "{b/c}",
)
OF_HOSTS = (
    "example.com",
    "a.example.com",
    "b.a.example.com",
    "example.org",
    "x.com",
    "[::1]",
    "127.0.0.1",
    "bücher.de",
)
OF_SEGMENTS = ("a", "b", "books", "7", "a-b", "x.zip", "", "%41", "é", "b/c", "a/b", "A")


class Routes(Cases):
    """One list of patterns, and inputs for it."""

    def patterns(self) -> list[URLPattern]:
        found = []
        for _ in range(self.choice((0, 1, 2, 5, 20, 60, 200))):
            arguments: Arguments = self.route() if self.chance() < 0.7 else scalar(self.case()[0])
            try:
                found.append(make_pattern(arguments))
            except (PatternError, InvalidURL, TypeError):
                continue
        return found

    def route(self) -> Arguments:
        path = "".join([f"/{self.choice(SEGMENTS)}" for _ in range(self.choice((0, 1, 1, 2, 3)))])
        port, tail = self.choice(("", "", "", ":8080", ":*")), self.choice(("", "", "", "?*", "\\?q=:q", "#:h", "?#"))
        if self.chance() < 0.2:
            return [{"pathname": path or "*"} | ({"hostname": self.choice(HOSTS)} if self.chance() < 0.5 else {})]
        options = [{"ignoreCase": True}] if self.chance() < 0.1 else []
        # A name that two parts have is refused.
        return [
            f"{self.choice(('https', 'http{s}?', '*', 'http', ':s'))}://{self.choice(HOSTS)}{port}{path}{tail}",
            *options,
        ]

    def inputs(self) -> Iterator[Arguments]:
        while True:
            kind = self.chance()
            if kind < 0.7:
                path = "".join([f"/{self.choice(OF_SEGMENTS)}" for _ in range(self.choice((0, 1, 1, 2, 3)))])
                tail = self.choice(("", "", "?q=1", "#x", "?q=1#x"))
                port = self.choice(("", "", "", ":8080"))
                yield [f"{self.choice(('https', 'http', 'x', 'HTTPS'))}://{self.choice(OF_HOSTS)}{port}{path}{tail}"]
            else:
                # One argument, or a text and its base.
                yield from (scalar(one) for one in self.case()[1] if len(one) == 1 or (one and isinstance(one[0], str)))


class Report(NamedTuple):
    """How many inputs there were, how many match a pattern, and those with another result."""

    inputs: int
    matches: int
    different: list[str]


def run(task: tuple[int, int]) -> Report:
    seed, count = task
    made = Routes(seed)
    patterns = made.patterns()
    routes = PatternList([(str(index), pattern) for index, pattern in enumerate(patterns)])
    matches, different = 0, []
    inputs = list(islice(made.inputs(), count))
    for given in inputs:
        base = given[1] if len(given) == 2 else None
        if base is not None and not URL.can_parse(base):
            # A pattern says that it does not match, as the standard has it; a list refuses the base.
            refused = [refuses_base(one, given[0], base) for one in (routes.all, routes.first)]
            if refused != [True, True] or any(one.test(*given) for one in patterns):
                different.append(f"seed {seed}, {given!a}: the base is not refused")
            continue
        expected = [(str(i), match) for i, one in enumerate(patterns) if (match := one.exec(*given)) is not None]
        found: Any = routes.all(given[0], base=base)
        matches += bool(expected)
        if found != expected or routes.first(given[0], base=base) != next(iter(expected), None):
            keys = [[key for key, _ in one] for one in (expected, found)]
            different.append(f"seed {seed}, {given!a}: the loop gives {keys[0]}, the list {keys[1]}")
    texts = [given[0] for given in inputs if len(given) == 1 and isinstance(given[0], str)]
    different += [f"seed {seed}, {text}" for text in in_columns(routes, patterns[:5], texts)]
    return Report(count, matches, different)


def in_columns(routes: PatternList, patterns: Sequence[URLPattern], texts: Sequence[str]) -> Iterator[str]:
    """What columns say otherwise than the functions for one URL."""

    def compared(what: str, right: Iterable[object], found: Iterable[object]) -> Iterator[str]:
        for text, one, other in zip(texts, right, found, strict=True):
            if one != other:
                yield f"{what}, {text!a}: {one!a} but {other!a}"

    keys = [first and first[0] for first in map(routes.first, texts)]
    yield from compared("route_many", keys, route_many(texts, routes, threads=1)["route"])
    for pattern in patterns:
        yield from compared(f"{pattern!r}", map(pattern.test, texts), pattern_test_many(texts, pattern, threads=1))
        matches = [pattern.exec(text) for text in texts]
        for component in COMPONENTS:
            names = next((getattr(match, component).groups for match in matches if match is not None), ())
            columns = [f"{component}.{name}" for name in names]
            if columns:
                table = pattern_extract_many(texts, pattern, columns, threads=1)
                for name, column in zip(names, columns, strict=True):
                    taken = [None if match is None else getattr(match, component).groups[name] for match in matches]
                    yield from compared(f"{pattern!r}, {column}", taken, table[column])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("inputs", type=int, nargs="?", default=100_000)
    parser.add_argument("--seed", type=int, default=1, help=f"the first seed: every {INPUTS} inputs have the next list")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    if options.inputs < 1 or options.jobs < 1:
        parser.error("inputs and jobs are at least 1")
    counts = [min(INPUTS, options.inputs - done) for done in range(0, options.inputs, INPUTS)]
    start = time.monotonic()
    done = matches = 0
    different: list[str] = []
    with ExitStack() as stack:
        tasks = list(enumerate(counts, options.seed))
        reports: Iterable[Report] = map(run, tasks)
        if options.jobs > 1:
            reports = stack.enter_context(get_context("spawn").Pool(options.jobs)).imap_unordered(run, tasks)
        for report in reports:
            done += report.inputs
            matches += report.matches
            different += report.different
    seeds = f"seeds {tasks[0][0]} to {tasks[-1][0]}"
    print(
        f"{done:,} inputs to {len(counts):,} lists ({seeds}), {matches / done:.1%} match; "
        f"{len(different):,} differences; {time.monotonic() - start:.0f} s"
    )
    print(*sorted(different, key=len)[:SHOWN_DIFFERENCES], sep="\n", end="\n" if different else "")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
