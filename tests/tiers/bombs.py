"""Runs the command on small inputs that ask for much memory, and measures the peak of its process."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from support.bombs import LIMIT, bombs, explode, size_of


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bombs", description=__doc__)
    parser.add_argument("--short", action="store_true", help="without those that take long")
    parser.add_argument("--only", metavar="WORDS", default="", help="those whose name has a match of this")
    options = parser.parse_args()
    failed = count = 0
    for bomb in bombs():
        if not re.search(options.only, bomb.name) or (options.short and bomb.is_slow):
            continue
        with TemporaryDirectory() as folder:
            ended = explode(bomb, Path(folder))
            size = size_of(Path(folder))
        fault = ended.fault(bomb)
        count += 1
        failed += fault is not None
        outcome = ended.err.rstrip("\n").replace(folder, "")[-150:] if ended.status == 3 else "read"
        print(
            f"{'FAILS' if fault else 'ok':5} {ended.peak / 1e6:6,.0f} MB {ended.seconds:5.1f} s  {bomb.name} "
            f"({size:,} bytes): {outcome}" + (f"  <- {fault}" if fault else ""),
            flush=True,
        )  # fmt: skip
    print(f"{count - failed} of {count} inputs below {LIMIT // 10**6} MB, and read or refused in words")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
