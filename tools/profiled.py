"""WEBURL_PGO=1: weburl is compiled twice. The first build counts what runs most in tools/training.py. The second is
optimized for that."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
# What training does not run stays as it is without a profile.
GCC: Final = ("-fprofile-partial-training", "-Wno-missing-profile", "-Wno-coverage-mismatch")
CLANG: Final = ("-Wno-profile-instr-unprofiled", "-Wno-profile-instr-out-of-date")


# Says to the first build where its counts go.
COUNTS: Final = "WEBURL_PGO_COUNTS"


def flags(command: Any) -> tuple[list[str], list[str]]:
    """What the compiler and the linker are told in this build, which WEBURL_PGO=1 makes twice."""
    given = os.environ.get("WEBURL_PGO", "")
    if given not in ("", "0", "1"):
        sys.exit(f"WEBURL_PGO must be 0 or 1, not {given!r}")
    if given == "1":
        return profile(command), []
    counts = [f"-fprofile-generate={os.environ[COUNTS]}"] if COUNTS in os.environ else []
    return counts, counts


def compiler() -> list[str]:
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")


def kind_of(version: str) -> str:
    """The kind of a compiler that says this about itself."""
    if "clang" in version:
        return "clang"
    if "Free Software Foundation" in version:
        return "gcc"
    return sys.exit(f"WEBURL_PGO=1 needs GCC or Clang, not {version.partition(chr(10))[0]!r}")


def merger() -> list[str]:
    """What puts Clang's counts together."""
    if shutil.which("llvm-profdata"):
        return ["llvm-profdata"]
    if shutil.which("xcrun"):
        return ["xcrun", "llvm-profdata"]
    return sys.exit("WEBURL_PGO=1 with Clang needs llvm-profdata")


def profile(command: Any) -> list[str]:
    """Builds in `command.build_temp` and trains; the flags for the build there that comes next.

    GCC knows the counts of an object file by its path.
    """
    if os.name != "posix":
        sys.exit("WEBURL_PGO=1 needs GCC or Clang")
    kind = kind_of(subprocess.run([*compiler(), "--version"], capture_output=True, text=True, check=True).stdout)
    folder = (ROOT / "build" / "profile").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    counts, library = folder / "counts", folder / "lib"
    variables = {name: value for name, value in os.environ.items() if name != "WEBURL_PGO"}
    build = ["build", "--build-base", folder, "--build-lib", library, "--build-temp", command.build_temp]
    # Not in CFLAGS, which would take the place of Python's own: both builds must compile the same code.
    subprocess.run(
        [sys.executable, "setup.py", "-q", *build], cwd=ROOT, env={**variables, COUNTS: str(counts)}, check=True
    )
    paths = os.pathsep.join(filter(None, (str(library), variables.get("PYTHONPATH"))))
    training = {**variables, "PYTHONPATH": paths, "PYTHONHASHSEED": "0"}
    subprocess.run([sys.executable, ROOT / "tools" / "training.py"], env=training, check=True)
    if kind == "gcc":
        return [f"-fprofile-use={counts}", *GCC]
    merged = counts / "merged.profdata"
    subprocess.run([*merger(), "merge", "-o", merged, *counts.glob("*.profraw")], check=True)
    return [f"-fprofile-use={merged}", *CLANG]
