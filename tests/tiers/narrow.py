"""Runs the test suite and agreement in a build whose offsets have 16 bits: what could wrap at 4 GiB wraps at 64 KiB.

Tests that need longer URLs are marked `long` and left out. The fuzzers and the sanitizers have such a build of their
own: WEBURL_OFFSET_BITS=16 make fuzz.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "narrow"
# For a short run: what makes records, views and columns.
SHORT = """
    tests/test_door.py tests/test_block_door.py tests/wpt tests/test_agreement.py tests/test_bulk.py
    tests/test_bulk_arrow.py tests/test_bulk_crawl.py tests/test_bulk_patterns.py tests/test_cli_dedup.py
    tests/test_cli_input.py tests/test_cli_join.py tests/test_cli_logs.py tests/test_cli_records.py
    tests/test_cli_stats.py tests/test_fuzz.py tests/test_limit.py tests/test_limit_everywhere.py tests/test_wrap.py
    tests/test_own_cases.py tests/test_path_template.py tests/test_roundtrip.py tests/test_redact.py
    tests/test_search_params.py tests/test_url.py
""".split()


def build() -> None:
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build", "--build-base", BUILD, "--build-lib", BUILD / "lib"],
        cwd=ROOT,
        env={**os.environ, "WEBURL_OFFSET_BITS": "16", "WEBURL_DEBUG": "1"},
        check=True,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("inputs", type=int, nargs="?", default=1_000_000, help="for agreement")
    parser.add_argument("--short", action="store_true", help="the tests of records, views and columns only")
    options = parser.parse_args(arguments)
    build()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(BUILD / "lib"), str(ROOT / "tests")))}
    tests = SHORT if options.short else []
    pytest = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--maxprocesses", "8", "-m", "not long", *tests]
    agreement = [sys.executable, str(ROOT / "tests" / "tiers" / "agreement.py"), str(options.inputs)]
    return max(subprocess.run(command, cwd=ROOT, env=environment).returncode for command in (pytest, agreement))


if __name__ == "__main__":
    sys.exit(main())
