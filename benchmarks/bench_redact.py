"""What `weburl redact` takes: with --field and --explain, for a folder with --jobs, and in memory."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import figures
from bench import describe_machine
from bench_text import spent_by, texts
from timing import alternate

REDACT = (sys.executable, "-m", "weburl", "redact")
# Lines of JSON and their bytes, secrets to explain, files of a folder and their bytes, and bytes of a pipe.
LINES, LINE, SECRETS = 50_000, 240, 100_000
FILES, FILE = 20, 50_000_000
PIPE = 10_200_000_000


def json_lines(count: int) -> str:
    """Each has a secret in the field `request.url`."""
    line = '{{"request": {{"url": "https://shop.example/pay?id={0:06}&token=q8Zx{0:06}"}}, "note": "{1}"}}\n'
    filled = len(line.format(0, ""))
    return "".join(line.format(i, "x" * (LINE - filled)) for i in range(count))


def in_one_process(command: Sequence[str | Path], rounds: int) -> float:
    """The seconds of CPU time of the best round, with the start of the process."""
    return alternate({"": partial(spent_by, list(command))}, rounds)[""].best / 1e9


def by_the_clock(commands: Sequence[Sequence[str | Path]], turn: int) -> float:
    """The seconds until the last of the processes has ended."""
    start = perf_counter()
    for process in [subprocess.Popen(command, stderr=subprocess.DEVNULL) for command in commands]:
        assert process.wait() == 0
    return perf_counter() - start


def of_field(share: int, rounds: int, folder: Path) -> float:
    """Megabytes a second."""
    path = folder / "app.jsonl"
    path.write_text(json_lines(LINES // share), "utf-8")
    seconds = in_one_process([*REDACT, "--field", "request.url", path, "-o", folder / "out.jsonl"], rounds)
    return path.stat().st_size / seconds / 1e6


def of_explain(share: int, rounds: int, folder: Path) -> float:
    """Microseconds for each secret."""
    path = folder / "app.log"
    path.write_text("".join(f"GET /reset?password=q8Zx{i} HTTP/1.1\n" for i in range(SECRETS // share)), "utf-8")
    return in_one_process([*REDACT, "--explain", path], rounds) / (SECRETS // share) * 1e6


def of_jobs(share: int, rounds: int, folder: Path) -> Iterator[tuple[str, float]]:
    """Seconds by the clock for all files: with one job, with two, and with two processes for half of them each."""
    text = texts(share > 1)["access log"] + "\n"
    halves = [folder / "one", folder / "two"]
    for half in halves:
        half.mkdir()
        for i in range(FILES // 2):
            (half / f"{half.name}-{i}.log").write_text(text * max(1, FILE // share // len(text)), "utf-8")
    numbers: Iterator[int] = iter(range(10**6))

    def out() -> list[str | Path]:
        # A folder of its own for each run: what is done would not be done again.
        return ["-o", folder / f"out{next(numbers)}"]

    works: dict[str, Callable[[int], float]] = {
        "one job": lambda turn: by_the_clock([[*REDACT, *halves, *out(), "--jobs", "1"]], turn),
        "two jobs": lambda turn: by_the_clock([[*REDACT, *halves, *out(), "--jobs", "2"]], turn),
        "two processes": lambda turn: by_the_clock([[*REDACT, half, *out(), "--jobs", "1"] for half in halves], turn),
    }
    for name, time in alternate(works, rounds).items():
        yield name, time.best


def of_pipe(share: int) -> float:
    """The most memory for a long input, in MB."""
    block = (texts(True)["access log"] + "\n").encode()
    process = subprocess.Popen(REDACT, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    for _ in range(PIPE // share // len(block)):
        process.stdin.write(block)
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a smoke run: a hundredth of the input, one round")
    parser.add_argument("--require-peers", action="store_true", help="it has none")
    options = figures.parsed(parser, "redact command")
    share, rounds = (100, 1) if options.short else (1, 3)
    found: dict[str, float] = {}
    with TemporaryDirectory() as name:
        folder = Path(name)
        found["field"] = of_field(share, rounds, folder)
        found["explain"] = of_explain(share, rounds, folder)
        found |= of_jobs(share, rounds, folder)
        found["memory"] = of_pipe(share)
    machine = f"{describe_machine()}, best of {rounds}"
    print(machine)
    for work, value in found.items():
        print(f"{work:16}{value:10.3g} {UNITS.get(work, 's')}")
    if options.json:
        rows: list[dict[str, Any]] = [{"work": work, "value": value} for work, value in found.items()]
        versions = {"weburl": version("weburl")}
        figures.add(options.json, "redact command", {"machine": machine, "versions": versions, "rows": rows})
    return 0


UNITS = {"field": "MB/s", "explain": "us", "memory": "MB"}


if __name__ == "__main__":
    sys.exit(main())
