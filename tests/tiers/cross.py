"""Compiles each C file of the package for Windows and macOS, against CPython's headers, and fails on a warning.

The compilers are Debian's MinGW GCC and Clang, as `zig cc`. The headers are those of Debian's source of CPython, with
PC/pyconfig.h for Windows; that for macOS is written by hand. Nothing is linked or run, and Microsoft's compiler is not
there: for it, the parts of bits.h that only it uses are compared with the others.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from support import debian, interpreters

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).with_name("cross")
FOLDER = ROOT / "build" / "cross"
PACKAGES = FOLDER / "packages"
ZIG = PACKAGES / "ziglang" / "zig"
PYTHON = "3.11"
# As in tools/package.py.
INCLUDES = [f"-I{ROOT / 'src/weburl/_core'}", f"-I{ROOT / 'src/weburl'}"]

MINGW = "x86_64-w64-mingw32-gcc"
WARNINGS = ["-Wall", "-Wextra"]
# Only Clang can tell sizes that are cut from other conversions. Zig adds checks for undefined behaviour.
CLANG = ["-Wshorten-64-to-32", "-fno-sanitize=undefined", "-O0", "-c"]


class Target(NamedTuple):
    """A system, by the name that its compiler has for it."""

    name: str
    command: Sequence[str]
    # Which of the two faults of faults.c it must report.
    reports: Sequence[str]

    @property
    def is_windows(self) -> bool:
        return "macos" not in self.name

    def compile(self, headers: Path, source: Path) -> str:
        """What the compiler says."""
        # As setuptools does for MinGW: pyconfig.h defines MS_WIN64 for Microsoft's compiler only.
        system = [f"-isystem{headers / 'PC'}", "-DMS_WIN64"] if self.is_windows else [f"-isystem{HERE / 'macos'}"]
        include = [*system, f"-isystem{headers / 'Include'}", *INCLUDES]
        with tempfile.TemporaryDirectory() as folder:
            command = [*self.command, *WARNINGS, *include]
            command += ["-DWEBURL_OFFSET_BITS=32", "-o", f"{folder}/out.o", str(source)]
            # What Zig finds in a cache it does not warn of again.
            cache = {"ZIG_LOCAL_CACHE_DIR": folder, "ZIG_GLOBAL_CACHE_DIR": folder}
            ended = subprocess.run(
                command,
                cwd=ROOT,
                env={**os.environ, **cache},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        return ended.stdout or ("" if ended.returncode == 0 else f"{source}: exit code {ended.returncode}\n")


TARGETS = (
    Target("x86_64-w64-mingw32", [MINGW, "-fsyntax-only"], ["shift"]),
    Target("x86_64-windows-gnu", [str(ZIG), "cc", "-target", "x86_64-windows-gnu", *CLANG], ["shift", "shorten"]),
    Target("aarch64-macos", [str(ZIG), "cc", "-target", "aarch64-macos", *CLANG], ["shorten"]),
)


def install_zig() -> None:
    requirements, installed = HERE / "requirements.txt", PACKAGES / "installed.txt"
    if not installed.exists() or installed.read_bytes() != requirements.read_bytes():
        shutil.rmtree(PACKAGES, ignore_errors=True)
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "-q", "--target", PACKAGES, "-r", requirements], check=True
        )
        shutil.copy(requirements, installed)


def sources() -> list[Path]:
    """The C files that `make dev` has made."""
    made = ROOT / "build" / "src"
    found = sorted(made.rglob("*.c"))
    return [
        c
        for c in found
        if any((ROOT / c.relative_to(ROOT / "build")).with_suffix(end).exists() for end in (".pyx", ".py"))
    ]


def fallbacks() -> list[str]:
    """What fallbacks.c prints with the types of GCC, and without."""
    printed = []
    with tempfile.TemporaryDirectory() as folder:
        for option in ("-D__SIZEOF_INT128__=16", "-U__SIZEOF_INT128__"):
            program = f"{folder}/fallbacks"
            subprocess.run(["cc", "-w", "-O1", option, *INCLUDES, HERE / "fallbacks.c", "-o", program], check=True)
            printed.append(subprocess.check_output([program], text=True).strip())
    return printed


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    debian.require(MINGW, "gcc-mingw-w64-x86-64-win32")
    install_zig()
    python, files = interpreters.source(PYTHON), sources()
    failed = 0
    print(f"{'target':<20} {'files':>5} {'with warnings':>13} {'seconds':>7}   headers: {python.name}")
    for target in TARGETS:
        said = target.compile(python, HERE / "faults.c")
        for fault in target.reports:
            if f"-W{fault}" not in said:
                failed += 1
                print(f"{target.name} does not report -W{fault}: {said}")
        start = time.monotonic()
        warned = 0
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            for source, said in zip(files, threads.map(partial(target.compile, python), files), strict=True):
                if said:
                    warned += 1
                    print(f"{source.relative_to(ROOT)}:\n{said}", flush=True)
        print(f"{target.name:<20} {len(files):>5} {warned:>13} {time.monotonic() - start:>7.0f}", flush=True)
        failed += warned
    with_types, without = fallbacks()
    if with_types != without:
        failed += 1
        print(f"bits.h gives {with_types}, and {without} without the types of GCC")
    print(f"{len(TARGETS)} targets, {len(files)} files: {failed} faults")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
