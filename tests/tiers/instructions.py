"""Compares the instructions of each operation with benchmarks/instructions.json: no row may rise by more than 2 %."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support import debian

COUNTS = Path(__file__).resolve().parents[2] / "benchmarks" / "instructions.py"

if __name__ == "__main__":
    debian.require("valgrind", "valgrind")
    sys.exit(subprocess.run([sys.executable, COUNTS, *(sys.argv[1:] or ["--check"])]).returncode)
