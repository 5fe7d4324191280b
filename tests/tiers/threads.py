"""Tests the package without the GIL: the suite on 8 threads, engines, shared objects tortured, and ThreadSanitizer.

It uses a free-threaded CPython, the newest that can be built here, and another one built for ThreadSanitizer, as the
locks are Python's. Neither needs root if clang is installed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from support import debian, interpreters
from support.interpreters import ROOT
from tiers.fuzz import CLANG

HERE = ROOT / "tests" / "tiers" / "free_threaded"
FOLDER = ROOT / "build" / "free-threaded"

THREADS = 8
PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
PARALLEL = [f"--parallel-threads={THREADS}", "--iterations=1"]
# What is left out of the suite, by the reason: ours is not what runs; it has threads or processes of its own, or
# measures time; or it is about what a process has one of: a limit, a count of references, an entry of a cache.
APART = """
    conformance_page docs encoding hosts_page large check_source sync typing
    agreement cli cli_* command_page differential fuzz schedule threads
    benchmarks column_memory memory
""".split()
# And single tests, by words in their names.
NAMED_APART = "limit too_long interrupted are_written_are_read".split()
# These work for themselves, one after the other: Hypothesis under a lock, signals in the main thread.
UNSAFE = "signal.signal\nsys.setrecursionlimit"
SERIAL = ["--mark-hypothesis-as-unsafe", "-o", f"thread_unsafe_functions={UNSAFE}", "-o", "faulthandler_timeout=0"]
# What ThreadSanitizer runs, which takes ten times as long.
SHARED = [f"tests/test_{name}.py" for name in ("threads", "search_params", "url", "hosts", "percent", "forms")]
# For this version, engines have wheels: those of engines.txt. Polars, DuckDB and Daft have none.
ENGINES_VERSION = "3.14t"
NAMES = ("pyarrow", "pandas", "dask", "datafusion", "pydantic", "pydantic_constraints")
ENGINES = [f"tests/engines/test_{name}.py" for name in NAMES]
# Half as many: the rows are thousands.
ENGINES_PARALLEL = [f"--parallel-threads={THREADS // 2}", "--iterations=1"]
# It starts threads itself.
ENGINE_THREADS = "tests/engines/test_engine_threads.py"
# Python's doctest patches what a process has one of.
EXAMPLES = "examples or the_page"
# What ThreadSanitizer must report.
RACE = "int n; void add(void) { for (int i = 0; i < 100000000; i++) n++; }"
RACING = """
import ctypes, sys, threading
add = ctypes.CDLL(sys.argv[1]).add
begin = threading.Barrier(2)
threads = [threading.Thread(target=lambda: (begin.wait(), add())) for _ in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


class Kind(NamedTuple):
    """Of an interpreter and of what is compiled for it."""

    name: str = ""
    options: Sequence[str] = ()
    variables: Mapping[str, str] = {}


PLAIN = Kind()
TSAN = Kind(
    "-thread-sanitizer",
    ["--with-thread-sanitizer"],
    {"CC": CLANG, "CXX": CLANG.replace("clang", "clang++"), "CFLAGS": "-w"},
)


def run(command: Sequence[str | Path], folder: Path = ROOT, variables: Mapping[str, str] | None = None) -> None:
    subprocess.run(command, cwd=folder, env={**os.environ, **(variables or {})}, check=True)


def interpreter(version: str, kind: Kind) -> Path:
    return interpreters.built(version, kind.name, kind.options, **kind.variables)


def packages(version: str, name: str = "requirements") -> Path:
    """The folder with the packages that the tests need, or those of engines."""
    folder, requirements = FOLDER / f"{name}-{version}", HERE / f"{name}.txt"
    installed = folder / "installed.txt"
    if not installed.exists() or installed.read_bytes() != requirements.read_bytes():
        shutil.rmtree(folder, ignore_errors=True)
        number = version.removesuffix("t")
        for_it = ["--python-version", number, "--abi", f"cp{number.replace('.', '')}t", "--only-binary", ":all:"]
        run([sys.executable, "-m", "pip", "install", "-q", "--target", folder, *for_it, "-r", requirements])
        shutil.copy(requirements, installed)
    return folder


class Without(NamedTuple):
    """An interpreter without the GIL, and the environment in which it finds the package."""

    version: str
    python: Path
    variables: dict[str, str]

    def run(self, *arguments: str | Path, **variables: str) -> None:
        run([self.python, *arguments], variables={**self.variables, **variables})


def build(version: str, kind: Kind) -> Without:
    """The interpreter, and the package compiled for it."""
    python, base = interpreter(version, kind), FOLDER / (version + kind.name)
    paths = os.pathsep.join(map(str, (base / "lib", packages(version))))
    interpreters.make_c_files(packages(version) / "installed.txt")
    built = Without(version, python, {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": ""})
    # The compiler and its flags are those of the interpreter. CFLAGS would replace them, -fsanitize=thread with them.
    built.run("setup.py", "-q", "build", "--build-base", base, "--build-lib", base / "lib")
    built.run("-c", "import sys, weburl.bulk; assert not sys._is_gil_enabled(); print(sys.version, weburl.__file__)")
    return built


def with_engines(built: Without) -> Without:
    """The same with the engines, none of which switches the GIL on."""
    paths = os.pathsep.join((built.variables["PYTHONPATH"], str(packages(built.version, "engines"))))
    added = Without(built.version, built.python, {**built.variables, "PYTHONPATH": paths})
    imports = (
        "dask.dataframe, datafusion, numpy, pandas, pyarrow.compute, pydantic, weburl.ext.pandas, weburl.ext.pyarrow"
    )
    added.run("-c", f"import sys, {imports}; assert not sys._is_gil_enabled(); print(pyarrow.__version__)")
    return added


def run_engines(engines: Without) -> None:
    """Their tests on several threads, those of examples on one, and those that start threads themselves."""
    engines.run(*PYTEST, *ENGINES_PARALLEL, *SERIAL, *ENGINES, "-k", f"not ({EXAMPLES})")
    # The page of DataFusion also shows chDB, which has no wheel.
    engines.run(*PYTEST, *ENGINES, "-k", EXAMPLES, "--deselect=tests/engines/test_datafusion.py::test_the_page")
    engines.run(*PYTEST, ENGINE_THREADS, "-rs")


def step(what: str, began: float) -> None:
    print(f"\n{what} (after {time.monotonic() - began:.0f} s)", flush=True)


def sanitized(built: Without, *arguments: str | Path) -> str:
    """Runs a program with ThreadSanitizer; returns its reports."""
    for old in FOLDER.glob("report.*"):
        old.unlink()
    of_python = interpreters.source(built.version) / "Tools" / "tsan" / "suppressions_free_threading.txt"
    suppressions = FOLDER / "suppressions.txt"
    suppressions.write_text("".join(path.read_text() for path in (of_python, HERE / "tsan.txt")))
    built.run(*arguments, TSAN_OPTIONS=f"exitcode=0 log_path={FOLDER / 'report'} suppressions={suppressions}")
    return "".join(path.read_text("utf-8", "replace") for path in FOLDER.glob("report.*"))


def count(reports: str) -> int:
    return len(re.findall(r"^(?:WARNING|FATAL|==\d+==\w+): ThreadSanitizer", reports, re.M))


def check_that_races_are_seen(built: Without) -> None:
    """Checks that ThreadSanitizer works, and in each compiled module: one that does not would report nothing."""
    for module in (FOLDER / (built.version + TSAN.name) / "lib").rglob("*.so"):
        if b"__tsan_write" not in module.read_bytes():
            sys.exit(f"{module} is compiled without ThreadSanitizer")
    library = FOLDER / "race.so"
    command = [CLANG, "-O0", "-shared", "-fPIC", "-fsanitize=thread", "-x", "c", "-", "-o", str(library)]
    subprocess.run(command, input=RACE, text=True, check=True)
    if not count(sanitized(built, "-c", RACING, library)):
        sys.exit("ThreadSanitizer does not see a race")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("operations", type=int, nargs="?", default=1_000_000, help="on shared objects")
    parser.add_argument("--short", action="store_true", help="for ThreadSanitizer alone, and less of it")
    parser.add_argument("--prepare", action="store_true", help="for --short, and end when its interpreter is there")
    options = parser.parse_args(arguments)
    FOLDER.mkdir(parents=True, exist_ok=True)
    debian.require_clang(14)
    version = interpreters.newest_free_threaded()
    if options.prepare:
        interpreter(version, TSAN)
        return 0
    began = time.monotonic()
    pytest = [*PYTEST, *PARALLEL, *SERIAL]
    if not options.short:
        step("an interpreter, and the package", began)
        plain = build(version, PLAIN)
        step(f"the suite on {THREADS} threads", began)
        apart = [f"--ignore-glob=tests/test_{name}.py" for name in APART]
        plain.run(*pytest, "tests", *apart, "-k", f"not ({' or '.join(NAMED_APART)})")
        step("engines", began)
        run_engines(with_engines(build(ENGINES_VERSION, PLAIN)))
        step("shared objects", began)
        plain.run(HERE / "torture.py", str(options.operations))

    step("an interpreter, and the package, for ThreadSanitizer", began)
    built = build(version, TSAN)
    step("ThreadSanitizer", began)
    check_that_races_are_seen(built)
    reports = sanitized(built, HERE / "torture.py", str(options.operations // 20))
    reports += sanitized(built, *pytest, *(SHARED[:1] if options.short else SHARED))
    print(reports[:20000], *re.findall("^SUMMARY: .*", reports, re.M), sep="\n")
    if not options.short:
        print(f"the suite passes on {THREADS} threads; {options.operations:,} operations on shared objects; ", end="")
    print(f"ThreadSanitizer: {count(reports)} reports; {time.monotonic() - began:.0f} s")
    return 1 if reports else 0


if __name__ == "__main__":
    sys.exit(main())
