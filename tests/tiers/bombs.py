"""Runs the command on small inputs that ask for much memory, and measures the peak of its process."""

from __future__ import annotations

import argparse
import re
import sys
from multiprocessing.pool import ThreadPool
from pathlib import Path
from tempfile import TemporaryDirectory

from support.bombs import LIMIT, Bomb, Ended, explode, size_of
from support.table_bombs import TABLES
from support.text_bombs import KEYS, OTHERS, PACKED, TEXT


def measured(bomb: Bomb) -> tuple[Bomb, int, Ended]:
    """A bomb, its bytes, and how the command ended."""
    with TemporaryDirectory() as folder:
        ended = explode(bomb, Path(folder))
        return bomb, size_of(Path(folder)), ended


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bombs", description=__doc__)
    parser.add_argument("--short", action="store_true", help="without those that take long")
    parser.add_argument("--only", metavar="WORDS", default="", help="those whose name has a match of this")
    options = parser.parse_args()
    bombs = (*PACKED, *TEXT, *TABLES, *OTHERS, *KEYS)
    chosen = [bomb for bomb in bombs if re.search(options.only, bomb.name) and not (options.short and bomb.is_slow)]
    failed = 0
    # Two at a time: each is measured by itself.
    with ThreadPool(2) as pool:
        for bomb, size, ended in pool.imap(measured, chosen):
            fault = ended.fault(bomb)
            failed += fault is not None
            outcome = "refused: " + ended.err.strip().rpartition("/")[2] if ended.status == 3 else "read"
            print(
                f"{'FAILS' if fault else 'ok':5} {ended.peak / 1e6:4,.0f} MB {ended.seconds:5.1f} s  {bomb.name} "
                f"({size:,} bytes): {outcome}" + (f"  <- {fault}" if fault else ""),
                flush=True,
            )  # fmt: skip
    print(f"{len(chosen) - failed} of {len(chosen)} inputs below {LIMIT // 10**6} MB, and read or refused in words")
    return failed > 0 or not chosen


if __name__ == "__main__":
    sys.exit(main())
