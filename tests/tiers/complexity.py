"""Checks that time is linear, by counting: four times the input takes at most 4.8 times the instructions.

Callgrind counts the instructions of each case of shapes.py at lengths that grow by four, up to 2**20 or until the next
would take more instructions than `--most`. Then what a byte costs URL.parse() is measured, as CPU time at the largest
length; and, for hosts that are not ASCII, how many times as long that takes as a fourth of it. At last the tests that
measure time run: beside other work they would fail without a fault, so that no other command runs them. Those of
engines are left out if something is missing that `make test-engines` installs.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from support import debian
from support.shapes import CASES, HOSTS, SHAPES, Case, Make, fill, in_host

from weburl import URL
from weburl._unicode.idna import cached_domain_to_ascii

ROOT = Path(__file__).resolve().parents[2]
# What the tests of tests/engines that measure time import.
OF_ENGINES = ("aiohttp", "httpx", "requests", "selectolax")
RATIO = 4.8
SMALLEST, LARGEST = 2**10, 2**20
DOMAINS: dict[str, str | None] = cached_domain_to_ascii.__self__  # type: ignore[attr-defined]
# Nanoseconds a byte.
ASCII_HOST, OTHER_HOST = 60, 1500

# Copies are made by one loop: from some length on the C library takes an instruction that is counted for each byte.
COUNTABLE = {
    "PYTHONHASHSEED": "0",
    "GLIBC_TUNABLES": "glibc.cpu.x86_rep_movsb_threshold=1000000000:glibc.cpu.x86_rep_stosb_threshold=1000000000",
}
COUNTER = """
#include <valgrind/callgrind.h>
void begin(void) { CALLGRIND_ZERO_STATS; }
void end(const char *label) { CALLGRIND_DUMP_STATS_AT(label); }
"""


class Counted(NamedTuple):
    """The instructions of a case at lengths that grow by four from the smallest."""

    case: Case
    counts: list[int]

    @property
    def ratio(self) -> float:
        return max(after / before for before, after in zip(self.counts, self.counts[1:], strict=False))


def quadratic(n: int) -> None:
    zeros = bytes(n)
    for _ in range(n // 2**9):
        zeros.rstrip(b"\0")


# What the count must refuse; it does not need long for it.
SELF_TEST = Case("quadratic, for comparison", int, quadratic)


def chosen(every: int, only: str) -> tuple[Case, ...]:
    return (SELF_TEST, *[case for case in CASES if only in case.name][::every])


# Runs under callgrind: each case has its first run uncounted, which fills what is filled once. No host is known, and a
# full collection empties what Python keeps of freed objects: from 2000 tuples on the next would cost more.
def count_here(share: int, shares: int, folder: Path, largest: int, most: int, every: int, only: str) -> None:
    library = ctypes.CDLL(str(folder / "counter.so"))
    gc.disable()
    gc.freeze()
    # Short hosts would be known at their second sight.
    setattr(type(DOMAINS), "characters", -1)  # noqa: B010
    # The first call of these, which costs more.
    library.begin(), library.end(b"")
    for index, case in list(enumerate(chosen(every, only)))[share::shares]:
        case.work(case.make(256))
        n = SMALLEST
        while n <= largest:
            argument = case.make(n)
            gc.collect()
            library.begin()
            case.work(argument)
            library.end(f"{index} {n}".encode())
            if last_count(folder, share) * 4 > most and n > SMALLEST:
                break
            n *= 4


def read_counts(path: Path) -> Iterator[tuple[str, int]]:
    text = path.read_text("utf-8", "replace")
    label = re.search(r"^desc: Trigger: Client Request: (\d+ \d+)$", text, re.M)
    total = re.search(r"^totals: (\d+)", text, re.M)
    if label and total:
        yield label[1], int(total[1])


def last_count(folder: Path, share: int) -> int:
    """The instructions in the newest dump."""
    dumps = sorted(folder.glob(f"out{share}.*"), key=lambda path: int(path.suffix[1:]))
    ((label, total),) = read_counts(dumps[-1])
    for path in dumps:
        path.unlink()
    with (folder / f"counts{share}").open("a") as file:
        print(label, total, file=file)
    return total


def count(largest: int, most: int, every: int, only: str, jobs: int) -> list[Counted]:
    """Counts the instructions of the cases, in several processes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "counter.c").write_text(COUNTER)
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", folder / "counter.so", folder / "counter.c"], check=True)
        processes = [
            subprocess.Popen(
                ["valgrind", "-q", "--tool=callgrind", "--main-stacksize=8388608",
                 f"--callgrind-out-file={folder}/out{share}", sys.executable, __file__, "--child",
                 str(share), str(jobs), name, str(largest), str(most), str(every), only],
                env={**os.environ, **COUNTABLE},
            )
            for share in range(jobs)
        ]  # fmt: skip
        if sum(process.wait() for process in processes):
            sys.exit("the counting has failed")
        found: dict[int, list[int]] = {}
        for share in range(jobs):
            for line in (folder / f"counts{share}").read_text().splitlines():
                index, _, total = map(int, line.split())
                found.setdefault(index, []).append(total)
    return [Counted(case, found[index]) for index, case in enumerate(chosen(every, only))]


class Cost(NamedTuple):
    """Nanoseconds a byte, and the time as a multiple of that for a fourth of the length."""

    name: str
    limit: float
    nanoseconds: float
    ratio: float

    @property
    def fails(self) -> bool:
        # What an ASCII host costs is too short to be compared; its instructions have been counted.
        return self.nanoseconds > self.limit or (self.limit == OTHER_HOST and self.ratio > RATIO)


def best_time(texts: Sequence[str]) -> float:
    times = []
    for text in texts:
        start = time.process_time()
        URL.parse(text)
        times.append(time.process_time() - start)
    return min(times)


def cost(name: str, make: Make, n: int, limit: float) -> Cost:
    """Measures up to five times, until the limits are kept: other processes make the time longer, never shorter."""
    large = small = math.inf
    for _ in range(5):
        text = make(n)
        large = min(large, best_time([text]))
        small = min(small, best_time([make(n // 4) for _ in range(4)]))
        size = len(text.encode("utf-8", "surrogatepass"))
        found = Cost(name, limit, large * 1e9 / size, large / max(small, 1e-9))
        if not found.fails:
            break
    return found


def costs(n: int) -> Iterator[Cost]:
    for name, make in SHAPES.items():
        yield cost(name, make, n, ASCII_HOST)
    for name, make in {**HOSTS, "xn-- in ASCII": fill("xn--9ca.")}.items():
        host = unquote(make(64))
        limit = ASCII_HOST if host.isascii() and "xn--" not in host else OTHER_HOST
        yield cost(f"host: {name}", in_host(make), n, limit)


def check_counts(counted: Sequence[Counted]) -> list[str]:
    """Prints the results; returns those that fail."""
    reached = [SMALLEST * 4 ** (len(each.counts) - 1) for each in counted]
    print(f"{len(counted)} cases over {len(SHAPES) + len(HOSTS)} shapes, instructions at 4n / at n, at most {RATIO}")
    for n in sorted(set(reached)):
        print(f"  up to {n:>9,}: {reached.count(n)} cases")
    highest = sorted(counted, key=lambda each: -each.ratio)
    for each in highest[:10]:
        print(f"  {each.ratio:5.2f}  {each.case.name}  ({', '.join(f'{n:,}' for n in each.counts)})")
    return [f"{each.case.name}: {each.ratio:.2f}" for each in highest if each.ratio > RATIO]


def check_costs(measured: Sequence[Cost], largest: int) -> list[str]:
    """Prints the results; returns those that fail."""
    print(f"CPU time a byte of {largest:,}, at most {ASCII_HOST} ns, {OTHER_HOST} ns where a host is not ASCII")
    for limit in (ASCII_HOST, OTHER_HOST):
        rows = [row for row in measured if row.limit == limit]
        for row in sorted(rows, key=lambda row: -row.nanoseconds)[:5]:
            print(f"  {row.nanoseconds:7.1f} ns  {row.name}")
    others = [row for row in measured if row.limit == OTHER_HOST]
    highest_ratio = max(others, key=lambda row: row.ratio)
    print(f"CPU time of {len(others)} hosts that are not ASCII, at 4n / at n: {highest_ratio.ratio:.2f} at most")
    return [f"{row.name}: {row.nanoseconds:.1f} ns a byte, {row.ratio:.2f} times" for row in measured if row.fails]


def timed_tests() -> list[str]:
    """Where the tests are that measure time."""
    missing = [name for name in OF_ENGINES if find_spec(name) is None]
    if missing:
        print(f"tests/engines is left out, without {', '.join(missing)}")
        return ["tests"]
    files = (ROOT / "tests" / "engines").glob("test_*.py")
    return ["tests", *sorted(str(path) for path in files if "mark.timed" in path.read_text("utf-8"))]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("largest", type=int, nargs="?", default=LARGEST, help="the longest input")
    parser.add_argument("--most", type=float, default=1e9, help="the most instructions of one count")
    parser.add_argument("--every", type=int, default=1, help="run every Nth case, and measure no time")
    parser.add_argument("--only", default="", help="run cases with this in their name, and measure no time")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--child", nargs=7, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        share, shares, folder, largest, most, every, only = options.child
        count_here(int(share), int(shares), Path(folder), int(largest), int(float(most)), int(every), only)
        return 0

    debian.require("valgrind", "valgrind")
    cases = len(chosen(options.every, options.only))
    if cases == 1:
        parser.error(f"no case has {options.only!r} in its name")
    self_test, *counted = count(options.largest, options.most, options.every, options.only, min(options.jobs, cases))
    if self_test.ratio <= RATIO:
        sys.exit(f"the count does not see what is quadratic: {self_test.ratio:.2f}")
    failed = check_counts(counted)
    if options.every == 1 and not options.only:
        failed += check_costs(list(costs(options.largest)), options.largest)
    if not options.only:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "--timed"]
        if subprocess.run([*command, *timed_tests()], cwd=ROOT).returncode:
            failed.append("the tests that measure time")
    for line in failed:
        print(f"FAILED {line}")
    print(f"{len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
