"""docs/scale.md says what the benchmark's plan says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_tables_are_those_of_the_plan() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "engines.py"), "--plan"]
    tables = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip().split("\n\n")
    page = (ROOT / "docs" / "scale.md").read_text("utf-8")
    assert len(tables) == 4
    for table in tables:
        assert table in page
