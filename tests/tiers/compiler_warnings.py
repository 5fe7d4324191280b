"""Compiles each C file of the package with GCC and with Clang, and fails on a warning of -Wall -Wextra.

GCC warns of some things only when it optimizes, so it builds the modules with the flags that releases have. `.ci/run`
builds them so anyway, and runs the short form: Clang alone, which has all its warnings without. The widths are those of
offsets.h. Warnings of Cython are errors where it translates, see tools/package.py.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from support import debian
from tiers.cross import INCLUDES, ROOT, WARNINGS, sources
from tiers.fuzz import CLANG

FOLDER = ROOT / "build" / "warnings"
ERRORS = [*WARNINGS, "-Werror"]
# An unused variable, and a sign that is lost.
FAULT = "int f(unsigned a, int b);\nint f(unsigned a, int b) { int unused; return a < b; }\n"


def said_by_clang(source: Path, bits: int) -> str:
    """What Clang says. It compiles nothing: no warning of it depends on how it optimizes."""
    include = [f"-isystem{sysconfig.get_path('include')}", *INCLUDES]
    macros = [f"-DWEBURL_OFFSET_BITS={bits}", "-DCYTHON_COMPRESS_STRINGS=0"]
    command = [CLANG, "-fsyntax-only", *ERRORS, *include, *macros, str(source)]
    ended = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return ended.stdout


def with_clang(bits: int) -> int:
    """How many files it warns of."""
    begin, warned, files = time.monotonic(), 0, sources()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for source, said in zip(files, threads.map(lambda file: said_by_clang(file, bits), files), strict=True):
            if said:
                warned += 1
                print(f"{source.relative_to(ROOT)}:\n{said}", flush=True)
    print(f"{CLANG}, {bits} bits: {len(files)} files, {warned} with warnings, {time.monotonic() - begin:.0f} s")
    return warned if files else 1


def with_gcc(bits: int) -> int:
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        command = [sys.executable, "setup.py", "-q", "build_ext", "--build-temp", folder, "--build-lib", folder]
        variables = {"CC": "gcc", "CFLAGS": " ".join(ERRORS), "WEBURL_OFFSET_BITS": str(bits)}
        status = subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}).returncode
    print(f"gcc, {bits} bits: {'warnings' if status else 'no warning'}, {time.monotonic() - begin:.0f} s", flush=True)
    return 1 if status else 0


def sees_faults() -> bool:
    """Whether Clang has warnings on at all."""
    file = FOLDER / "fault.c"
    file.write_text(FAULT)
    return all(f"-W{name}" in said_by_clang(file, 32) for name in ("unused-variable", "sign-compare"))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="Clang only")
    options = parser.parse_args(arguments)
    FOLDER.mkdir(parents=True, exist_ok=True)
    debian.require(CLANG, CLANG)
    if not sees_faults():
        sys.exit(f"{CLANG} does not warn of a fault")
    found = sum(map(with_clang, (32, 16)))
    if not options.short:
        found += with_gcc(32)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
