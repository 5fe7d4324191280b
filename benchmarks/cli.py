"""The command on 10^7 lines and records, next to other programs: lines a second, and the memory of the largest process.

    python benchmarks/cli.py --json benchmarks/figures.json
    python benchmarks/cli.py --work stats --work dedup --lines 1000000

Each run is a process of its own, from its start to its end, that reads a file and writes nowhere; the best of the
rounds, in which the contenders take turns. Processor time counts where a machine has other work. can_ada, adaparse,
trurl, Miller and jq get the first tenth of the lines. A program that is missing is left out; a line says so.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, NamedTuple

import corpora
import figures
import records

from weburl import URL

# At 10^7 lines and two threads. With fewer, the start of Python counts for more.
GOALS: Final = {"hostname": 25e6, "stats": 5e6, "dedup": 4e6}  # lines a second
FASTEST: Final = 1.5  # times of parse_lines
SMALLEST: Final = 250e6  # bytes of memory
ENOUGH: Final = 10**7
OURS: Final = "weburl, 2 threads"
BLOCK: Final = 480_000  # lines that differ; larger files repeat them
LINES = "import sys; from weburl.bulk import parse_lines; parse_lines(sys.argv[1], ['hostname'], threads={})"
CAN_ADA = (
    "import sys, can_ada; "
    r"sys.stdout.writelines(can_ada.parse(line[:-1]).hostname + '\n' for line in open(sys.argv[1], encoding='utf-8'))"
)
# Hosts alone, and only of links like these: what is between the second solidus and the third.
HOSTS = 'cut -d/ -f3 "$1" | sort | uniq -c | sort -rn | head'
VERSIONS: Final = {name: ["--version"] for name in ("trurl", "mlr", "jq", "sort")} | {"awk": ["-W", "version"]}


@dataclass
class Spent:
    seconds: float = float("inf")
    processor: float = float("inf")  # seconds
    memory: int = 0  # bytes


class Contender(NamedTuple):
    command: list[str]
    lines: int  # that it reads


class Inputs:
    """The files, each written when it is asked for."""

    def __init__(self, folder: Path, lines: int) -> None:
        self.folder = folder
        self.count = lines
        self.tenth = max(lines // 10, 1)

    def lines(self, count: int) -> str:
        return self._made("links", count, write_lines)

    def csv(self, count: int) -> str:
        return self._made("links.csv", count, lambda path, count: self._write_records(count, path, Path(os.devnull)))

    def jsonl(self, count: int) -> str:
        return self._made("links.jsonl", count, lambda path, count: self._write_records(count, Path(os.devnull), path))

    def _write_records(self, count: int, table: Path, objects: Path) -> None:
        records.write_records(Path(self.lines(count)), table, objects, count)

    def _made(self, name: str, count: int, write: Callable[[Path, int], None]) -> str:
        path = self.folder / f"{count}-{name}"
        if not path.exists():
            # In a process of its own: a program that is started counts the memory of this one as its own.
            child = os.fork()
            if child == 0:
                write(path, count)
                os._exit(0)
            if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
                raise SystemExit(f"{path} is not written")
        return str(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=ENOUGH, metavar="N", help="as many, instead of 10^7")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--work", action="append", choices=list(WORKS), help="only this work")
    options = figures.parsed(parser, "command", lambda options: options.lines == ENOUGH)
    found: dict[str, dict[str, Spent]] = {}
    counts: dict[str, dict[str, int]] = {}
    with TemporaryDirectory() as folder:
        inputs = Inputs(Path(folder), options.lines)
        machine = (
            f"CPython {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores; "
            f"{options.lines:,} lines, best of {options.rounds} rounds"
        )
        print(f"{machine}; load average {os.getloadavg()[0]:.1f}")
        for work in options.work or WORKS:
            contenders = WORKS[work](inputs)
            found[work] = measure(
                {name: each.command for name, each in contenders.items()},
                Path(inputs.lines(inputs.tenth)),
                options.rounds,
            )
            counts[work] = {name: each.lines for name, each in contenders.items()}
            print_table(work, found[work], counts[work])
            for path in inputs.folder.glob("*.*"):
                path.unlink()
    results = judge(found, options.lines)
    print()
    for text, held in results.items():
        print(f"{'ok' if held else 'MISS':4} {text}")
    if options.json is not None:
        add_figures(options.json, machine, found, counts, whole=not options.work)


def write_lines(path: Path, count: int) -> None:
    links = corpora.real_links()
    if links is None:
        print("no real links (WEBURL_DATA is not set, or has none): generated ones instead")
        links = corpora.links(20_000)
    # One of the real links is not a URL: can_ada raises an exception for it.
    links = [link for link in links if URL.can_parse(link)]
    random = Random(corpora.SEED)
    block: list[str] = []
    while len(block) < min(count, BLOCK):
        random.shuffle(links)
        block += (f"{link}\n" for link in links)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        records.repeat(file, block, count)


def weburl(*arguments: str, threads: int = 2) -> list[str]:
    return [sys.executable, "-m", "weburl", *arguments, "--threads", str(threads)]


def command(path: Path | str, threads: int) -> list[str]:
    return weburl("-g", "{hostname}", "-f", str(path), threads=threads)


def stats(path: Path | str) -> list[str]:
    return weburl("stats", str(path))


def dedup(path: Path | str) -> list[str]:
    return weburl("dedup", "-f", str(path))


def programs(count: int, **commands: list[str]) -> dict[str, Contender]:
    """Those that are on PATH; underscores in a name are spaces."""
    found = {}
    for name, arguments in commands.items():
        missing = [each for each in name.split("_") if not shutil.which(each)]
        if missing:
            print(f"MISSING PEER {missing[0]}: it is not on PATH")
        else:
            found[name.replace("_", " | ")] = Contender(arguments, count)
    return found


def hostnames(inputs: Inputs) -> dict[str, Contender]:
    path = inputs.lines(inputs.count)
    found = {}
    for threads in (2, 1):
        plural = "s" * (threads > 1)
        found[f"weburl, {threads} thread{plural}"] = Contender(command(path, threads), inputs.count)
        lines = [sys.executable, "-c", LINES.format(threads), path]
        found[f"parse_lines, {threads} thread{plural}"] = Contender(lines, inputs.count)
    few = inputs.lines(inputs.tenth)
    if find_spec("can_ada"):
        found["can_ada, a loop"] = Contender([sys.executable, "-c", CAN_ADA, few], inputs.tenth)
    else:
        print("MISSING PEER can_ada: pip install can_ada")
    found |= programs(inputs.tenth, adaparse=["adaparse", "-g", "hostname"], trurl=["trurl", "-f", few, "-g", "{host}"])
    return found | programs(inputs.count, cut=["cut", "-d/", "-f3", path])


def policies(inputs: Inputs) -> dict[str, Contender]:
    path = inputs.lines(inputs.count)
    return {
        f"weburl, {threads} thread{'s' * (threads > 1)}": Contender(
            weburl("--policy", "crawl", "-f", path, threads=threads), inputs.count
        )
        for threads in (2, 1)
    }


def tallies(inputs: Inputs) -> dict[str, Contender]:
    path, few = inputs.lines(inputs.count), inputs.lines(inputs.tenth)
    ours = {
        OURS: Contender(stats(path), inputs.count),
        "weburl, 1 thread": Contender(weburl("stats", path, threads=1), inputs.count),
    }
    return (
        ours
        | programs(inputs.count, cut_sort_uniq=["sh", "-c", HOSTS, "sh", path], awk=["awk", "-F/", "{n[$3]++}", path])
        | programs(inputs.tenth, mlr=["mlr", "--inidx", "--ifs", "/", "--repifs", "count-distinct", "-f", "2", few])
    )


def first_lines(inputs: Inputs) -> dict[str, Contender]:
    path = inputs.lines(inputs.count)
    ours = {OURS: Contender(dedup(path), inputs.count)}
    return ours | programs(inputs.count, sort=["sort", "-u", path], awk=["awk", "!seen[$0]++", path])


def of_records(inputs: Inputs, path: str, few: str, kind: str) -> dict[str, Contender]:
    found = {name: Contender(each, inputs.count) for name, each in records.contenders(kind, path).items()}
    return found | programs(inputs.tenth, **records.programs(kind, few))


def tables(inputs: Inputs) -> dict[str, Contender]:
    return of_records(inputs, inputs.csv(inputs.count), inputs.csv(inputs.tenth), "CSV")


def objects(inputs: Inputs) -> dict[str, Contender]:
    return of_records(inputs, inputs.jsonl(inputs.count), inputs.jsonl(inputs.tenth), "JSON")


def parquet(inputs: Inputs) -> dict[str, Contender]:
    if not find_spec("pyarrow"):
        print("MISSING pyarrow: pip install pyarrow")
        return {}
    path = inputs.csv(inputs.count)
    arguments = ("-g", "{href} {hostname}", "-f", path, "--column", "url", "--parquet", os.devnull)
    theirs = [sys.executable, "-c", records.ARROW_PARQUET, path, os.devnull]
    return {
        OURS: Contender(weburl(*arguments), inputs.count),
        "pyarrow: the column as it is": Contender(theirs, inputs.count),
    }


WORKS: Final[dict[str, Callable[[Inputs], dict[str, Contender]]]] = {
    "hostname": hostnames, "policy": policies, "stats": tallies, "dedup": first_lines, "CSV": tables, "JSON": objects,
    "Parquet": parquet,
}  # fmt: skip


def measure(commands: dict[str, list[str]], path: Path, rounds: int) -> dict[str, Spent]:
    spent = {name: Spent() for name in commands}
    for turn in range(rounds):
        for name in Random(turn).sample(list(commands), len(commands)):
            turned = run(commands[name], path)
            best = spent[name]
            spent[name] = Spent(
                min(best.seconds, turned.seconds),
                min(best.processor, turned.processor),
                max(best.memory, turned.memory),
            )
    return spent


def run(command: Sequence[str], path: Path) -> Spent:
    """Runs a command that reads a file, or `path` as standard input. It counts what its own children take, too."""
    start = perf_counter()
    # trurl writes a message for each line that it does not take for a URL.
    complaints = None if command[0] == sys.executable else subprocess.DEVNULL
    # adaparse reads only standard input unless that is a terminal, and its exit status is 1 on success.
    with (
        path.open("rb") as lines,
        subprocess.Popen(
            command, stdin=lines, stdout=subprocess.DEVNULL, stderr=complaints, env=os.environ | {"LC_ALL": "C.UTF-8"}
        ) as process,
    ):
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = perf_counter() - start
    if process.returncode > (command[0] == "adaparse"):
        raise SystemExit(f"{command[0]} ended with {process.returncode}")
    # In bytes on macOS.
    memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Spent(seconds, usage.ru_utime + usage.ru_stime, memory)


def print_table(work: str, spent: Mapping[str, Spent], lines: Mapping[str, int]) -> None:
    print(f"\n{work:30} {'seconds':>8} {'processor':>10} {'million lines/s':>16} {'ns a line':>10} {'MB':>6}")
    for name, each in spent.items():
        speed = lines[name] / each.seconds / 1e6
        print(
            f"{name:30} {each.seconds:8.2f} {each.processor:10.2f} {speed:16.2f} "
            f"{each.seconds / lines[name] * 1e9:10.0f} {each.memory / 1e6:6.0f}"
        )


def judge(found: Mapping[str, Mapping[str, Spent]], lines: int) -> dict[str, bool]:
    results = {}
    for work, least in GOALS.items():
        if work in found and lines >= ENOUGH:
            speed = lines / found[work][OURS].seconds
            results[f"{work}: {speed / 1e6:.2f} million lines a second (at least {least / 1e6:.0f})"] = speed >= least
    if "hostname" in found:
        ratio = found["hostname"][OURS].seconds / found["hostname"]["parse_lines, 2 threads"].seconds
        results[f"hostname: {ratio:.2f} times parse_lines (at most {FASTEST})"] = ratio <= FASTEST
    for kind, pairs in records.PAIRS.items():
        for ours, other in pairs:
            if other in found.get(kind, ()):
                ratio = found[kind][ours].processor / found[kind][other].processor
                text = f"{kind}: {ratio:.2f} times the processor time of {other} (at most {records.MOST})"
                results[text] = ratio <= records.MOST
    for work, spent in found.items():
        memory = max((each.memory for name, each in spent.items() if name.startswith("weburl")), default=0)
        results[f"{work}: {memory / 1e6:.0f} MB of memory (less than {SMALLEST / 1e6:.0f})"] = memory < SMALLEST
    return results


def add_figures(
    path: Path,
    machine: str,
    found: Mapping[str, Mapping[str, Spent]],
    lines: Mapping[str, Mapping[str, int]],
    whole: bool,
) -> None:
    """The works that were not asked for stay as they are, and those that were have a date of their own."""
    section: dict[str, Any] = {} if whole else figures.read(path).get("command", {})
    section = {"machine": machine, "versions": versions(), "works": {}, "dates": {}} | section
    for work, spent in found.items():
        section["works"][work] = {name: asdict(each) | {"lines": lines[work][name]} for name, each in spent.items()}
        if not whole:
            section["dates"][work] = figures.today()
    figures.add(path, "command", section)


def versions() -> dict[str, str]:
    """Of the programs, the first number that each says; adaparse has none."""
    found = {name: version(name) for name in ("weburl", "pyarrow", "orjson", "can_ada") if find_spec(name)}
    for name, option in VERSIONS.items():
        if shutil.which(name):
            said = subprocess.run([name, *option], capture_output=True, text=True, stdin=subprocess.DEVNULL)
            if number := re.search(r"[0-9]+(\.[0-9]+)+", said.stdout + said.stderr):
                found[name] = number[0]
    return found


if __name__ == "__main__":
    main()
