"""Runs the tests on every CPython that the package supports, on a wheel that is built for it."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from support import interpreters
from support.interpreters import ROOT

VERSIONS = ("3.11", "3.12", "3.13", "3.14", "3.15", "3.14t", "3.15t")
# The standard's data, objects of Python, columns, threads and the command.
SHORT = """
    tests/wpt tests/test_bulk.py tests/test_cli.py tests/test_import.py tests/test_memory.py tests/test_pickle_copy.py
    tests/test_strings.py tests/test_threads.py tests/test_url.py
""".split()


class Result(NamedTuple):
    version: str
    passed: int = 0
    skipped: int = 0
    failed: int = 0
    seconds: float = 0


def run(*command: str | Path, **variables: str) -> None:
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, **variables})


def environment(version: str) -> Path:
    """The interpreter of an environment with what the tests need."""
    folder = interpreters.FOLDER / f"environment-{version}"
    python, installed = folder / "bin" / "python", folder / "pyproject.toml"
    # It says what is installed.
    if not installed.exists() or installed.read_bytes() != (ROOT / "pyproject.toml").read_bytes():
        shutil.rmtree(folder, ignore_errors=True)
        run(interpreters.interpreter(version), "-m", "venv", "--without-pip", folder)
        wanted = ["--only-binary", ":all:", "--group", "build", "--group", "test", "idna"]
        run(sys.executable, "-m", "pip", "--python", python, "install", "-q", *wanted)
        shutil.copy(ROOT / "pyproject.toml", installed)
    return python


def install(python: Path) -> None:
    """Builds the wheel from the C code that the other versions have too, and installs it."""
    folder = python.parents[1] / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    interpreters.make_c_files(python.parents[1] / "pyproject.toml")
    pip = (sys.executable, "-m", "pip", "--python", python)
    run(*pip, "wheel", "-q", "--no-build-isolation", "--no-deps", "--wheel-dir", folder, ".")
    (wheel,) = folder.glob("*.whl")
    print(wheel.name, flush=True)
    run(*pip, "install", "-q", "--no-deps", "--force-reinstall", wheel)


def with_scripts(python: Path) -> dict[str, str]:
    """The variables with which the scripts of its environment are what the tests start by name."""
    return {**os.environ, "PATH": os.pathsep.join((str(python.parent), os.environ["PATH"]))}


def suite(version: str, python: Path, tests: Sequence[str]) -> Result:
    """Runs tests in an environment; `tests` are arguments of pytest."""
    begin = time.monotonic()
    report = python.parents[1] / "report.xml"
    report.unlink(missing_ok=True)
    options = ["-q", "-p", "no:cacheprovider", "-n", "auto", "--maxprocesses", "8", "--dist", "worksteal"]
    command: list[str | Path] = [python, "-m", "pytest", *options, "-m", "not slow", f"--junit-xml={report}", *tests]
    status = subprocess.run(command, cwd=ROOT, env=with_scripts(python)).returncode
    seconds = time.monotonic() - begin
    if not report.exists():
        return Result(version, failed=1, seconds=seconds)
    (suite,) = ElementTree.parse(report).getroot()
    count, skipped, failures, errors = (int(suite.get(name, 0)) for name in "tests skipped failures errors".split())
    failed = failures + errors
    return Result(version, count - skipped - failed, skipped, failed or int(status != 0), seconds)


def test(version: str, tests: Sequence[str]) -> Result:
    python = environment(version)
    install(python)
    return suite(version, python, tests)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("versions", nargs="*", default=VERSIONS, help=f"of {' '.join(VERSIONS)}; all by default")
    parser.add_argument("--short", action="store_true", help="some of the tests")
    options = parser.parse_args(arguments)
    results = []
    for version in options.versions:
        print(f"\n{version}", flush=True)
        try:
            results.append(test(version, SHORT if options.short else []))
        except (subprocess.CalledProcessError, LookupError) as error:
            # The table has the others.
            print(error, flush=True)
            results.append(Result(version))
    print("\nPython  passed  skipped  failed  seconds")
    for version, passed, skipped, failed, seconds in results:
        note = "" if passed else "  did not run"
        print(f"{version:6}  {passed:6}  {skipped:7}  {failed:6}  {seconds:7.0f}{note}")
    return 1 if any(result.failed or not result.passed for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
