"""The command `weburl -g '{hostname}'` on 10^7 lines, next to `weburl.bulk.parse_lines` and other programs.

Each run is a process of its own, from its start to its end, that reads a file and writes nowhere; the best of the
rounds, in which the contenders take turns.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

import corpora

from weburl import URL

FASTEST, LEAST, SMALLEST = 1.5, 25e6, 200e6  # times of parse_lines, lines a second, bytes of memory
LINES = "import sys; from weburl.bulk import parse_lines; parse_lines(sys.argv[1], ['hostname'], threads={})"
CAN_ADA = (
    "import sys, can_ada; "
    r"sys.stdout.writelines(can_ada.parse(line[:-1]).hostname + '\n' for line in open(sys.argv[1], encoding='utf-8'))"
)


@dataclass
class Spent:
    seconds: float = float("inf")
    processor: float = float("inf")  # seconds
    memory: int = 0  # bytes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=10**7, metavar="N", help="as many, instead of 10^7")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = Path(folder, "links")
        write_lines(path, options.lines)
        print(
            f"CPython {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores; "
            f"{options.lines:,} lines, {path.stat().st_size >> 20} MiB; best of {options.rounds} rounds; "
            f"load average {os.getloadavg()[0]:.1f}"
        )
        spent = measure(contenders(str(path)), path, options.rounds)
    print_table(spent, options.lines)
    return 0 if holds(spent, options.lines) else 1


def write_lines(path: Path, count: int) -> None:
    links = corpora.real_links()
    if links is None:
        print("no real links (WEBURL_DATA is not set, or has none): generated ones instead")
        links = corpora.links(20_000)
    # One of the real links is not a URL: can_ada raises an exception for it.
    links = [link for link in links if URL.can_parse(link)]
    random = Random(corpora.SEED)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        while count > 0:
            random.shuffle(links)
            file.writelines(f"{link}\n" for link in links[:count])
            count -= len(links)


def command(path: Path | str, threads: int) -> list[str]:
    return [sys.executable, "-m", "weburl", "-g", "{hostname}", "-f", str(path), "--threads", str(threads)]


def contenders(path: str) -> dict[str, list[str]]:
    found = {}
    for threads in (1, 2):
        found[f"weburl, {threads} thread{'s' * (threads > 1)}"] = command(path, threads)
        found[f"parse_lines, {threads}"] = [sys.executable, "-c", LINES.format(threads), path]
    try:
        import can_ada  # noqa: F401

        found["can_ada, a loop"] = [sys.executable, "-c", CAN_ADA, path]
    except ImportError:
        print("MISSING PEER can_ada: pip install can_ada")
    for program, arguments in {"trurl": ["-f", path, "-g", "{host}"], "adaparse": ["-g", "hostname"]}.items():
        if shutil.which(program):
            found[program] = [program, *arguments]
        else:
            print(f"MISSING PEER {program}: it is not on PATH")
    return found


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
    start = perf_counter()
    # trurl writes a message for each line that it does not take for a URL.
    complaints = None if command[0] == sys.executable else subprocess.DEVNULL
    # adaparse reads only standard input unless that is a terminal, and its exit status is 1 on success.
    with (
        path.open("rb") as lines,
        subprocess.Popen(command, stdin=lines, stdout=subprocess.DEVNULL, stderr=complaints) as process,
    ):
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = perf_counter() - start
    if process.returncode > (command[0] == "adaparse"):
        raise SystemExit(f"{command[0]} ended with {process.returncode}")
    # In bytes on macOS.
    memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Spent(seconds, usage.ru_utime + usage.ru_stime, memory)


def print_table(spent: dict[str, Spent], lines: int) -> None:
    print(f"\n{'':20} {'seconds':>8} {'processor':>10} {'million lines/s':>16} {'ns a line':>10} {'MB':>6}")
    for name, each in spent.items():
        speed = lines / each.seconds / 1e6
        print(
            f"{name:20} {each.seconds:8.2f} {each.processor:10.2f} {speed:16.2f} "
            f"{each.seconds / lines * 1e9:10.0f} {each.memory / 1e6:6.0f}"
        )


def holds(spent: dict[str, Spent], lines: int) -> bool:
    ours, alone = spent["weburl, 2 threads"], spent["parse_lines, 2"]
    speed, ratio = lines / ours.seconds, ours.seconds / alone.seconds
    results = {
        f"{speed / 1e6:.2f} million lines a second (at least {LEAST / 1e6:.0f})": speed >= LEAST,
        f"{ratio:.2f} times parse_lines (at most {FASTEST})": ratio <= FASTEST,
        f"{ours.memory / 1e6:.0f} MB of memory (less than {SMALLEST / 1e6:.0f})": ours.memory < SMALLEST,
    }
    print()
    for text, held in results.items():
        print(f"{'ok' if held else 'MISS':4} {text}")
    return all(results.values())


if __name__ == "__main__":
    sys.exit(main())
