"""Reads and redacts lines of logs that were changed: by default 100,000 of each format.

    python tests/tiers/logs.py [N] [--seed SEED] [--format NAME]

Every line gives rows, and each row is a URL or has a reason with a place; `tests/support/log_mutants.py` says what
holds. Then the time for hostile lines of two sizes is measured: it must not grow faster than they do.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random

from support.command import run
from support.log_lines import SAMPLES
from support.log_mutants import check_lines, mutated

LINES = 2000
PIECES = (
    '"',
    '\\"',
    ' "',
    '""',
    '"a ',
    '"""a ',
    "[",
    "[ ",
    "a=",
    'a="',
    "\t",
    "{",
    '{"a":',
    '{"a":[',
    "\\",
    " ",
    "/?",
    "::",
)


def seconds(format: str, head: str, piece: str, size: int) -> float:
    text = f"{head}{piece * (size // len(piece))}\n"
    begin = time.process_time()
    run("--log", format, "--base", "http://h", "--max-line", "0", stdin=text)
    run("redact", "--log", format, stdin=text)
    return time.process_time() - begin


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--format", choices=list(SAMPLES))
    options = parser.parse_args()
    slow = 0
    for name in [options.format] if options.format else SAMPLES:
        sample = SAMPLES[name]
        random = Random(f"{name} {options.seed}")
        begin = time.perf_counter()
        for done in range(0, options.count, LINES):
            check_lines(sample, [mutated(random, sample) for _ in range(min(LINES, options.count - done))], random)
        print(f"{name}: {options.count:,} lines, {time.perf_counter() - begin:.0f} s")
        head = "".join(f"{line}\n" for line in sample.head)
        for piece in PIECES:
            short, long = (
                min(seconds(sample.format, head, piece, size) for _ in range(3)) for size in (1 << 17, 1 << 20)
            )
            if long > 24 * short + 0.1:
                slow += 1
                print(f"{name}: {piece!r}: {short:.3f} s for 128 KiB, {long:.3f} s for 1 MiB")
    return slow > 0


if __name__ == "__main__":
    sys.exit(main())
