"""Learns routes from generated lines whose true routes are known, and says how right, fast and small that is.

    python benchmarks/learn.py                      # 10,000,000 lines
    python benchmarks/learn.py --lines 300000       # a smoke test
    python benchmarks/learn.py --only held-out      # some of the styles: tuned, seen, new or held-out
    python benchmarks/learn.py --only new --wrong   # the lines of each style, and of each route that is not right
    python benchmarks/learn.py --hostile            # inputs that would make a tree large
    python benchmarks/learn.py --json benchmarks/figures.json [--before]

There are 35 styles of routes. The rules were tuned with those of learning/styles.py. Those of learning/seen.py were
held out at first, and their results were seen. Rules were and may be mended with those of learning/new.py, never with
those of learning/held_out.py: of these, only the sum may be looked at.
A line is right if its learnt route has lines of one true route only. Grouping is measured as Loghub-2.0 does: GA is
the share of the lines, and FGA the F1 of the groups, where a group is right if it has all lines of a true route, and
no others. Peers read fewer lines, and weburl the same ones for that table. They are in learning/requirements.txt;
what is missing is left out.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import figures
from bench import describe_machine
from learning.held_out import HELD_OUT
from learning.lines import lines, names
from learning.new import NEW
from learning.seen import SEEN
from learning.site import Site
from learning.styles import SITES

from weburl import URL
from weburl.bulk import route_many
from weburl.patterns import PatternList

KINDS = {"tuned": SITES, "seen": SEEN, "new": NEW, "held-out": HELD_OUT}
LINES = 10_000_000
STEP = 200_000
MEGABYTE = 1 << 20


class Learnt(NamedTuple):
    """What the command has learnt, in how many seconds, and the most memory that it had."""

    routes: PatternList
    seconds: float
    megabytes: float
    text: str


def learn(path: Path, *options: str) -> Learnt:
    out = path.with_suffix(".routes")
    command = [sys.executable, "-m", "weburl", "learn", str(path), "-o", str(out), *options]
    start = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status:
        raise SystemExit(f"weburl learn failed: {status}")
    text = out.read_text("utf-8")
    return Learnt(PatternList.read(out), seconds, usage.ru_maxrss / 1024, text)


class Groups:
    """The lines of each pair of a true route and a group."""

    def __init__(self) -> None:
        self.pairs: Counter[tuple[int, object]] = Counter()

    def add(self, truths: Iterable[int], groups: Iterable[object]) -> None:
        self.pairs.update(zip(truths, groups, strict=True))

    def pure(self) -> float:
        """The share of the lines in groups of one true route."""
        truths: dict[object, set[int]] = defaultdict(set)
        for truth, group in self.pairs:
            truths[group].add(truth)
        return sum(n for (_, group), n in self.pairs.items() if len(truths[group]) == 1) / self.pairs.total()

    def most(self) -> tuple[int, int]:
        """The true route with the most groups, and how many it has."""
        count = Counter(truth for truth, _ in self.pairs)
        return count.most_common(1)[0]

    def of(self, truths: range) -> Groups:
        """Those of some true routes, in the groups that these have among all lines."""
        some = Groups()
        some.pairs = Counter({pair: n for pair, n in self.pairs.items() if pair[0] in truths})
        return some

    def grouping(self) -> tuple[float, float]:
        """GA and FGA."""
        truths, groups = Counter(truth for truth, _ in self.pairs), Counter(group for _, group in self.pairs)
        right = {pair: n for pair, n in self.pairs.items() if truths[pair[0]] == 1 == groups[pair[1]]}
        return sum(right.values()) / self.pairs.total(), 2 * len(right) / (len(truths) + len(groups))


def write(path: Path, sites: Sequence[Site], count: int, seed: int) -> array[int]:
    """Writes URLs; returns the numbers of their true routes."""
    truths = array("H")
    with path.open("w") as file:
        for truth, url in lines(sites, count, seed):
            truths.append(truth)
            file.write(f"{url}\n")
    return truths


def applied(routes: PatternList, path: Path, truths: Sequence[int]) -> tuple[Groups, float]:
    groups, seconds, done = Groups(), 0.0, 0
    with path.open() as file:
        while urls := list(islice(map(str.rstrip, file), STEP)):
            start = time.perf_counter()
            column = route_many(urls, routes)["route"]
            seconds += time.perf_counter() - start
            groups.add(truths[done : done + len(urls)], column.to_pylist())
            done += len(urls)
    return groups, seconds


# Peers: each takes URLs, and gives a group for each.


def ddtrace(urls: Sequence[str]) -> list[object]:
    from ddtrace._trace.processor.resource_renaming import SimplifiedEndpointComputer

    computer = SimplifiedEndpointComputer()
    return [(URL(url).host, computer.from_url(url)) for url in urls]


def drain(urls: Sequence[str]) -> list[object]:
    from drain3 import TemplateMiner
    from drain3.template_miner_config import TemplateMinerConfig

    config = TemplateMinerConfig()
    config.drain_extra_delimiters = ["/"]
    miner = TemplateMiner(config=config)
    return [miner.add_log_message(url.partition("://")[2])["cluster_id"] for url in urls]


def bounded_trie(urls: Sequence[str], bound: int = 10) -> list[object]:
    """A trie of segments: a node with more than so many children has a wildcard in their place, as Beyla's has."""
    root: dict[str, Any] = {}

    def merged(one: dict[str, Any], other: dict[str, Any]) -> None:
        for name, child in other.items():
            merged(one.setdefault(name, {}), child)

    def walk(url: str, grow: bool) -> tuple[str, ...]:
        node, found = root, []
        host, *segments = url.partition("://")[2].split("/")
        node = root.setdefault(host, {})
        for segment in segments:
            if "*" in node:
                segment = "*"
            elif grow and segment not in node and len(node) >= bound:
                common: dict[str, Any] = {}
                for child in node.values():
                    merged(common, child)
                node.clear()
                node["*"] = common
                segment = "*"
            node = node.setdefault(segment, {})
            found.append(segment)
        return host, *found

    for url in urls:
        walk(url, True)
    return [walk(url, False) for url in urls]


PEERS: dict[str, Callable[[Sequence[str]], list[object]]] = {
    "ddtrace's http.endpoint": ddtrace, "Drain3": drain, "a trie with at most 10 children": bounded_trie,
}  # fmt: skip


def versions() -> dict[str, str]:
    return {name: version(name) for name in ("ddtrace", "drain3", "weburl") if find_spec(name)}


def compare(sites: Sequence[Site], count: int, folder: Path) -> list[dict[str, Any]]:
    """Prints a row for each, and returns what --json has of it."""
    path = folder / "few.txt"
    truths = write(path, sites, count, 3)
    learnt = learn(path)
    groups, _ = applied(learnt.routes, path, truths)
    urls = path.read_text().splitlines()
    print(f"\n| of {count:,} lines | groups | pure | GA | FGA | lines/s |\n|---|---:|---:|---:|---:|---:|")
    found = [("weburl learn", groups, learnt.seconds)]
    for name, peer in PEERS.items():
        start = time.perf_counter()
        try:
            answer = peer(urls)
        except ImportError as error:
            print(f"| {name} | left out: {error} |")
            continue
        seconds = time.perf_counter() - start
        groups = Groups()
        groups.add(truths, answer)
        found.append((name, groups, seconds))
    rows = []
    for name, groups, seconds in found:
        ga, fga = groups.grouping()
        count_of = len({group for _, group in groups.pairs})
        print(f"| {name} | {count_of:,} | {groups.pure():.1%} | {ga:.1%} | {fga:.1%} | {count / seconds:,.0f} |")
        rows.append({"name": name, "groups": count_of, "right": groups.pure(), "GA": ga, "FGA": fga})
    return rows


# Inputs that would make a tree large.


def texts(seed: int, length: int) -> Iterator[str]:
    made = random.Random(seed)
    while True:
        yield "".join(made.choices("abcdefghijklmnopqrstuvwxyz", k=length))


def hostile(count: int) -> dict[str, Callable[[], Iterator[str]]]:
    def paths() -> Iterator[str]:
        words = texts(1, 6)
        return (f"https://h.example/{'/'.join(islice(words, 1 + i % 6))}" for i in range(count))

    def shapes() -> Iterator[str]:
        words = texts(2, 4)
        return (
            "https://h.example/" + "/".join([next(words), str(i % 7), next(words), "x" * (i % 5 + 1)])
            for i in range(count)
        )

    def hosts() -> Iterator[str]:
        return (
            f"https://{word}.{tail}.example/users/{i}"
            for i, (word, tail) in enumerate(zip(islice(texts(3, 8), count), texts(4, 5), strict=False))
        )

    def long() -> Iterator[str]:
        return (f"https://h.example/a/{chr(97 + i % 26) * MEGABYTE}/b" for i in range(max(count // 10_000, 3)))

    def one_segment() -> Iterator[str]:
        return (f"https://h.example/{i}{word}" for i, word in enumerate(islice(texts(5, 20), count)))

    def numbers() -> Iterator[str]:
        words = texts(6, 7)
        return (f"https://h.example/{next(words)}-{i + 10_000}/{next(words)}_12345678" for i in range(count))

    def deep() -> Iterator[str]:
        return ("https://h.example" + f"/a{i % 9}" * (i % 3000) for i in range(max(count // 300, 3)))

    return {
        "random paths": paths, "one host with many shapes": shapes, "many hosts": hosts, "segments of 1 MB": long,
        "everything in one segment": one_segment, "deep paths": deep, "numbers after words": numbers,
    }  # fmt: skip


def stress(count: int, folder: Path) -> bool:
    right = True
    print("| input | MB | routes | lines/s | MB/s | MB of memory |\n|---|---:|---:|---:|---:|---:|")
    for name, made in hostile(count).items():
        path = folder / "hostile.txt"
        with path.open("w") as file:
            number = sum(file.write(f"{url}\n") > 0 for url in made())
        learnt = learn(path)
        size = path.stat().st_size / MEGABYTE
        rate = number / learnt.seconds
        cells = f"{size:.0f} | {len(learnt.routes):,} | {rate:,.0f} | {size / learnt.seconds:.0f}"
        print(f"| {name} | {cells} | {learnt.megabytes:.0f} |")
        right = right and len(learnt.routes) <= 2000 and learnt.megabytes < 250
    return right


def parts(kinds: dict[str, list[Site]]) -> Iterator[tuple[str, range]]:
    """The numbers of the true routes of each of these, which follow each other."""
    start = 0
    for kind, sites in kinds.items():
        some = range(start, start := start + len(names(sites)))
        yield kind, some


def say_wrong(groups: Groups, sites: list[Site], first: int) -> None:
    """The figures of each style, with the groups that hold lines of more than one true route, and the many of one.

    True routes of other kinds of styles have no name here: they can be held out.
    """
    holds: dict[object, Counter[int]] = defaultdict(Counter)
    for (truth, group), n in groups.pairs.items():
        holds[group][truth] += n
    own = dict(enumerate(names(sites), first))
    for host, some in parts({site.host: [site] for site in sites}):
        of = groups.of(range(first + some.start, first + some.stop))
        mine = {group for _, group in of.pairs}
        right = sum(n for (_, group), n in of.pairs.items() if len(holds[group]) == 1)
        print(f"\n{host}: {right / of.pairs.total():.2%} pure, {len(mine)} groups of {len(some)} true routes")
        for group in sorted((one for one in mine if len(holds[one]) > 1), key=lambda one: -holds[one].total()):
            found = [f"{n:,} {own[truth]}" for truth, n in holds[group].most_common() if truth in own]
            print(f"  {group}: {'; '.join(found[:6])}")
        for truth, n in Counter(truth for truth, _ in of.pairs).most_common():
            if n > 12:
                print(f"  {own[truth]}: {n} groups, as", *sorted(str(g) for t, g in of.pairs if t == truth)[:40])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=LINES)
    parser.add_argument("--peer-lines", type=int, default=200_000, help="0 leaves out the peers")
    parser.add_argument("--only", choices=KINDS, help="the styles of one kind")
    parser.add_argument("--wrong", action="store_true", help="what is wrong in each style but those held out")
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--before", action="store_true", help='of an older weburl: written as "learn before"')
    options = figures.parsed(parser, "learn", lambda options: options.lines == LINES and not options.only)
    kinds = {options.only: KINDS[options.only]} if options.only else KINDS
    sites = [site for some in kinds.values() for site in some]
    every = names(sites)
    with TemporaryDirectory() as name:
        folder = Path(name)
        if options.hostile:
            return 0 if stress(min(options.lines, 1_000_000), folder) else 1
        path = folder / "lines.txt"
        truths = write(path, sites, options.lines, 2)
        learnt = learn(path)
        groups, seconds = applied(learnt.routes, path, truths)
        print(f"{options.lines:,} lines of {len(every)} true routes in {len(sites)} styles")
        print(f"learnt: {len(learnt.routes):,} routes")
        of_kinds: dict[str, dict[str, float]] = {}
        for kind, some in (("all", range(len(every))), *parts(kinds)):
            of = groups.of(some)
            truth, most = of.most()
            of_kinds[kind] = {"right": of.pure(), "most": most}
            name = "" if kind in ("all", "held-out") else f", {every[truth]}"
            print(f"{kind}: {of.pure():.2%} of the lines are pure; at most {most} for a true route{name}")
            if options.wrong and kind in kinds and kind != "held-out":
                say_wrong(groups, kinds[kind], some.start)
        most = groups.most()[1]
        print(f"learn: {options.lines / learnt.seconds:,.0f} lines/s, {learnt.megabytes:.0f} MB")
        print(f"applied: {options.lines / seconds:,.0f} lines/s")
        peers = compare(sites, options.peer_lines, folder) if options.peer_lines else []
        if options.json:
            figures.add(options.json, "learn before" if options.before else "learn", {
                "machine": describe_machine(), "versions": versions(), "lines": options.lines, "kinds": of_kinds,
                "styles": {"all": len(sites)} | {kind: len(some) for kind, some in kinds.items()},
                "true routes": len(every), "routes": len(learnt.routes), "megabytes": learnt.megabytes,
                "speed": options.lines / learnt.seconds, "peer lines": options.peer_lines, "peers": peers,
            })  # fmt: skip
        is_right = len(learnt.routes) <= 2000 and most <= 12 and groups.pure() >= 0.95 and learnt.megabytes < 250
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
