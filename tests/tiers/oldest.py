"""Runs the tests of engines, HTTP clients and extras on the oldest versions that are allowed: tests/engines/oldest.txt.

Those that need or compare with what only newer versions have are left out.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

from support.interpreters import ROOT
from tiers.pythons import install, run, with_scripts

FOLDER = ROOT / "build" / "oldest"
REQUIREMENTS = ROOT / "tests" / "engines" / "oldest.txt"
# They say what is installed; of the second, groups.
WANTED = {FOLDER / file.name: file for file in (REQUIREMENTS, ROOT / "pyproject.toml")}
# What these compare or use has no oldest version: other libraries, recipes, servers, engines that only call functions.
LEFT_OUT = (
    *("libraries", "from_pages", "peer_tasks", "frameworks", "archive_readers"),
    *("dask", "datafusion", "duckdb_native", "spark_connect", "workflows", "cli_storage"),
)
# Scrapy's middleware and Matplotlib's picture are those of the newest.
NAMES_LEFT_OUT = ("chromium", "as_scrapys", "picture")
# DuckDB's native functions need a newer one; and the last test, a pyarrow that knows zones by their offsets.
TESTS_LEFT_OUT = (
    "test_duckdb.py::test_examples",
    "test_engine_agreement.py::test_engines[duckdb]",
    "test_cli_tables.py::test_values_that_json_or_python_do_not_have[nanoseconds-and-offset]",
)


def environment() -> Path:
    """The interpreter of an environment with the oldest versions."""
    python = FOLDER / "bin" / "python"
    if not all(copy.exists() and copy.read_bytes() == file.read_bytes() for copy, file in WANTED.items()):
        venv.create(FOLDER, clear=True)
        wanted = ["--only-binary", ":all:", "--no-binary", "pyspark", "--group", "build", "--group", "test"]
        run(sys.executable, "-m", "pip", "--python", python, "install", "-q", *wanted, "-r", REQUIREMENTS)
        for copy, file in WANTED.items():
            shutil.copy(file, copy)
    return python


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", nargs="*", default=["tests/engines"], help="files and folders")
    options = parser.parse_args(arguments)
    python = environment()
    install(python)
    run(sys.executable, "-m", "pip", "--python", python, "list")
    without = [f"--ignore=tests/engines/test_{name}.py" for name in LEFT_OUT]
    without += [f"--deselect=tests/engines/{test}" for test in TESTS_LEFT_OUT]
    names = f"not ({' or '.join(NAMES_LEFT_OUT)})"
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", names, *without, *options.tests]
    return subprocess.run(command, cwd=ROOT, env=with_scripts(python)).returncode


if __name__ == "__main__":
    sys.exit(main())
