"""Runs the tests of engines, HTTP clients and extras on the oldest versions that are allowed: tests/engines/oldest.txt.

Those of Chromium are left out, and those of packages that only the newest versions are tested of.
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
from tiers.pythons import install, run

FOLDER = ROOT / "build" / "oldest"
REQUIREMENTS = ROOT / "tests" / "engines" / "oldest.txt"
# What these compare or use has no oldest version: pages of other libraries, and engines that only call functions.
LEFT_OUT = ("libraries", "dask", "datafusion", "pydantic", "workflows")


def environment() -> Path:
    """The interpreter of an environment with the oldest versions."""
    python, installed = FOLDER / "bin" / "python", FOLDER / REQUIREMENTS.name
    if not installed.exists() or installed.read_bytes() != REQUIREMENTS.read_bytes():
        venv.create(FOLDER, clear=True)
        wanted = ["--only-binary", ":all:", "--no-binary", "pyspark", "--group", "build", "--group", "test"]
        run(sys.executable, "-m", "pip", "--python", python, "install", "-q", *wanted, "-r", REQUIREMENTS)
        shutil.copy(ROOT / "pyproject.toml", FOLDER)
        shutil.copy(REQUIREMENTS, installed)
    return python


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", nargs="*", default=["tests/engines"], help="files and folders")
    options = parser.parse_args(arguments)
    python = environment()
    install(python)
    run(sys.executable, "-m", "pip", "--python", python, "list")
    without = [f"--ignore=tests/engines/test_{name}.py" for name in LEFT_OUT]
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "not chromium", *without, *options.tests]
    return subprocess.run(command, cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
