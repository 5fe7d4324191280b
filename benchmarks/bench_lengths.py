"""What a URL costs against its length, beside other libraries and hostile; rows a second against threads."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import version
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter_ns
from typing import Any

import corpora
import figures
from bench import describe_machine
from programs import BUILT, Ada, JavaScript, write_lines
from timing import Loop, alternate, measure

from weburl import URL
from weburl.bulk import parse_many

# Inputs of any length, by the number of the round: no cache has seen them.
SHAPES: dict[str, Callable[[int, int], str]] = {
    "a long path": lambda n, i: f"http://h{i}/" + "a" * n,
    "a/../ again and again": lambda n, i: f"http://h{i}/" + "a/../" * (n // 5),
    "@ again and again": lambda n, i: f"http://h{i}" + "@" * n + "h",
    "a query, not ASCII": lambda n, i: f"http://h{i}/?" + "é" * (n // 2),
    "a host, not ASCII": lambda n, i: f"http://h{i}" + "é" * (n // 2),
    "a host of combining marks": lambda n, i: f"http://h{i}" + "\u0301\u0323" * (n // 4),
}
FOUR = ("href", "hostname", "pathname", "search")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a smoke run: up to 1 KiB, one round")
    parser.add_argument("--rounds", type=int, help="rounds a length, else 5")
    parser.add_argument("--require-peers", action="store_true", help="fail when a peer is missing")
    arguments = figures.parsed(parser, "lengths")
    rounds = arguments.rounds or (1 if arguments.short else 5)
    longest = 4**5 if arguments.short else 4**10
    ours = shapes(rounds, longest)
    missing: list[str] = []
    versions = {"weburl": version("weburl")}
    theirs = links(rounds, longest, missing, versions)
    speeds = threads(rounds, 10**5 if arguments.short else 10**6)
    for title, table in (("nanoseconds a link of so many bytes", theirs), ("nanoseconds a byte, hostile", ours)):
        print(f"{title:36}" + "".join(f"{length:>10,}" for length in next(iter(table.values()))))
        for name, line in table.items():
            print(f"{name:36}" + "".join(f"{value:>10,.1f}" for value in line.values()))
        print()
    print(", ".join(f"{count} threads: {speed / 1e6:.1f} million URLs a second" for count, speed in speeds.items()))
    if arguments.json:
        measured = {"machine": describe_machine(), "missing": missing, "rounds": rounds, "versions": versions}
        figures.add(arguments.json, "lengths", measured | {"links": theirs, "shapes": ours, "threads": speeds})
    return 1 if missing and arguments.require_peers else 0


def lengths_to(length: int, longest: int) -> Iterator[int]:
    while length <= longest:
        yield length
        length *= 4


def shapes(rounds: int, longest: int) -> dict[str, dict[int, float]]:
    """Nanoseconds a byte."""
    found: dict[str, dict[int, float]] = {}
    for name, shape in SHAPES.items():
        for length in lengths_to(4**2, longest):
            count = max(1, 4096 // length)
            # One for the warming round, too.
            inputs = [[shape(length, turn * count + i) for i in range(count)] for turn in range(rounds + 1)]
            loop = Loop(parse_all, inputs)
            size = len(inputs[0][0].encode())
            found.setdefault(name, {})[length] = measure({name: loop}, rounds)[name].best / size
    return found


def parse_all(urls: Iterable[str]) -> None:
    for url in urls:
        URL.parse(url)


def load(
    missing: list[str], versions: dict[str, str]
) -> tuple[dict[str, Callable[[Any], None]], dict[str, tuple[Ada | JavaScript, str]]]:
    """The libraries, and the programs with the name of the work."""
    libraries: dict[str, Callable[[Any], None]] = {}
    programs: dict[str, tuple[Ada | JavaScript, str]] = {}
    for name in ("weburl", "ada", "can_ada", "Bun"):
        try:
            if name == "ada":
                ada = Ada(BUILT)
                versions[name] = ada.version
                programs[f"ada {ada.version.split()[0]} in C++"] = (ada, "parse")
            elif name == "Bun":
                bun = JavaScript(name)
                versions[name] = bun.version
                programs[f"Bun {bun.version}"] = (bun, "URL.parse(s)")
            else:
                library = import_module(f"compare.{name}")
                versions[name] = version(library.DISTRIBUTION)
                libraries[name] = library.parse
        except ImportError as error:
            missing.append(name)
            print(f"MISSING PEER {name}: {error}")
    return libraries, programs


def links(rounds: int, longest: int, missing: list[str], versions: dict[str, str]) -> dict[str, dict[int, float]]:
    """Nanoseconds a URL, of links that are as long as that."""
    found: dict[str, dict[int, float]] = {}
    libraries, programs = load(missing, versions)
    with TemporaryDirectory() as folder:
        for length in lengths_to(4**3, longest):
            urls = [link(length, i) for i in range(max(4, min(1000, 2**22 // length)))]
            lines = write_lines(Path(folder, "links"), urls)
            contenders: dict[str, Loop | Callable[[], float]] = {}
            contenders |= {name: Loop(parse, [urls]) for name, parse in libraries.items()}
            running = {name: (program.over(lines, urls), work) for name, (program, work) in programs.items()}
            contenders |= {name: partial(program.a_line, work) for name, (program, work) in running.items()}
            for contender, timing in measure(contenders, rounds).items():
                found.setdefault(contender, {})[length] = timing.best
            for program, _ in running.values():
                program.close()
    return found


def link(length: int, number: int) -> str:
    start = f"https://www{number}.example.com/"
    return start + "".join(islice(cycle("articles/2026/a-name-page=1&q="), length - len(start)))


def threads(rounds: int, count: int) -> dict[int, float]:
    """Rows a second, by the clock."""
    links = corpora.real_links() or corpora.links(20_000)
    links = list(islice(cycle([each for each in links if URL.can_parse(each)]), count))
    column = import_module("pyarrow").array(links)

    def spent(threads: int) -> Callable[[int], float]:
        def run(turn: int) -> float:
            start = perf_counter_ns()
            parse_many(column, FOUR, threads=threads)
            return perf_counter_ns() - start

        return run

    counts = range(1, (os.cpu_count() or 1) + 1)
    timings = alternate({str(count): spent(count) for count in counts}, 10 * rounds)
    return {count: len(links) / timings[str(count)].best * 1e9 for count in counts}


if __name__ == "__main__":
    raise SystemExit(main())
