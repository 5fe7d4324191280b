"""Runs the tests on musl: in a CPython that Zig compiles for it, on a wheel that pip installs there as on Alpine Linux.

The interpreter is made from Debian's source and runs with the loader of Debian's package `musl`. It is kept in
build/pythons. Its threads have the stacks that musl gives them, 128 KiB, where glibc gives them 8 MiB.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from support import debian, interpreters
from support.interpreters import ROOT
from tiers import cross, pythons
from tiers.pythons import run

REQUIREMENTS = Path(__file__).with_name("musl") / "requirements.txt"
FOLDER = ROOT / "build" / "musl"
# What makes a wheel of musllinux from one of Linux.
TOOLS = FOLDER / "tools"
# The libraries of the interpreter's modules.
PREFIX = FOLDER / "prefix"
WHEELS = FOLDER / "wheels"
ENVIRONMENT = FOLDER / "environment"
VERSION, SUITE = "3.11", "bookworm"
# 1.2 is the oldest musl that this tag allows. What is linked finds all its functions in Debian's, which is 1.2.3.
PLATFORM = "musllinux_1_2_x86_64"
LOADER = "/lib/ld-musl-x86_64.so.1"
# As Alpine Linux names it, and so auditwheel. The loader takes any `libc.` for itself.
LIBC = "libc.musl-x86_64.so.1"
COMPILER = f"{cross.ZIG} cc -target x86_64-linux-musl -dynamic"
# The size of threads' stacks. Zig asks for more, which musl would grant.
STACK = "-Wl,-z,stack-size=131072"
COMPILED = {"CC": COMPILER, "AR": f"{cross.ZIG} ar", "RANLIB": f"{cross.ZIG} ranlib", "CFLAGS": "-O2 -fPIC -g0 -w"}
CACHES = {name: str(FOLDER / "cache") for name in ("ZIG_LOCAL_CACHE_DIR", "ZIG_GLOBAL_CACHE_DIR")}


class Library(NamedTuple):
    """A library that a module of Python needs, from Debian's source."""

    package: str
    options: Sequence[str]
    archive: str


LIBRARIES = (
    Library("zlib", ["--static"], "libz.a"),
    Library("xz-utils", "--disable-shared --disable-xz --disable-xzdec --disable-lzmadec --disable-lzmainfo "
            "--disable-scripts --disable-doc --disable-nls".split(), "liblzma.a"),
    # It has trampolines in a file that is only there with glibc.
    Library("libffi", "--disable-shared --disable-docs --disable-exec-static-tramp".split(), "libffi.a"),
    Library("bzip2", [], "libbz2.a"),
)  # fmt: skip
OPTIONS = [
    "--build=x86_64-linux-musl", "--without-ensurepip",
    # OpenSSL is much to build, and pip, which would need it, downloads in the machine's own Python.
    "py_cv_module__ssl=n/a", "py_cv_module__hashlib=n/a",
    # `configure` asks a resolver, which may not answer.
    "ac_cv_buggy_getaddrinfo=no",
    # Zig's musl is newer than Debian's, which does not have these.
    "ac_cv_func_preadv2=no", "ac_cv_func_pwritev2=no",
]  # fmt: skip

# What the names of tests that are left out begin with, by the reason.
LEFT_OUT = {
    "mypy needs sqlite3, and types are the same everywhere": """
        tests/test_typing.py tests/test_names.py::test_every_public_name_has_a_type
    """,
    "the page on fetching needs ssl": """
        tests/test_docs.py::test_examples[howto/fetching.md] tests/test_docs.py::test_the_page_on_fetching
    """,
}


def build_libraries() -> None:
    for package, options, archive in LIBRARIES:
        if (PREFIX / "lib" / archive).exists():
            continue
        source = debian.source(FOLDER / "sources", SUITE, package)
        commands = [["./configure", f"--prefix={PREFIX}", *options], ["make", "-s", "install"]]
        if not (source / "configure").exists():
            # The Makefile of bzip2 takes variables as arguments only.
            commands = [["make", "-s", "install", f"PREFIX={PREFIX}", *map("=".join, COMPILED.items())]]
        with (FOLDER / f"{package}.log").open("w") as log:
            for command in commands:
                variables = {**os.environ, **CACHES, **COMPILED}
                subprocess.run(command, cwd=source, env=variables, stdout=log, stderr=log, check=True)


def interpreter() -> Path:
    build_libraries()
    variables = {
        "CC": COMPILER,
        "AR": COMPILED["AR"],
        "CFLAGS": "-g0 -w -Wno-date-time",
        "CPPFLAGS": f"-I{PREFIX / 'include'}",
    }
    flags = f"-L{PREFIX / 'lib'} {STACK}"
    return interpreters.built(VERSION, "-musl", OPTIONS, LDFLAGS=flags, **variables, **CACHES)


def install_packages() -> Path:
    """The interpreter of an environment with what the tests need, which pip installs from wheels for musl."""
    python, installed = ENVIRONMENT / "bin" / "python", ENVIRONMENT / "pyproject.toml"
    # It says what is installed.
    if not installed.exists() or installed.read_bytes() != (ROOT / "pyproject.toml").read_bytes():
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        run(interpreter(), "-m", "venv", "--without-pip", ENVIRONMENT)
        # NumPy's and pyarrow's do not load: this musl does not know the RELR relocations of the C++ library in them.
        wanted = ["--group", "build", "--group", "test", "idna"]
        pip = (sys.executable, "-m", "pip")
        for_musl = ["--platform", PLATFORM, "--python-version", VERSION, "--only-binary", ":all:"]
        run(*pip, "download", "-q", "--dest", WHEELS, *for_musl, *wanted)
        offline: list[str | Path] = ["--no-index", "--find-links", WHEELS]
        run(*pip, "--python", python, "install", "-q", *offline, *wanted)
        shutil.copy(ROOT / "pyproject.toml", installed)
    return python


def install_tools() -> None:
    installed = TOOLS / "installed.txt"
    if not installed.exists() or installed.read_bytes() != REQUIREMENTS.read_bytes():
        shutil.rmtree(TOOLS, ignore_errors=True)
        run(sys.executable, "-m", "pip", "install", "-q", "--target", TOOLS, "-r", REQUIREMENTS)
        shutil.copy(REQUIREMENTS, installed)


def build_wheel(python: Path) -> Path:
    """Builds the wheel, and gives it the tag. It fails if the wheel needs a library that is not musl's."""
    libraries, built, wheels = FOLDER / "lib", FOLDER / "built", FOLDER / "wheel"
    for folder in (libraries, built, wheels):
        shutil.rmtree(folder, ignore_errors=True)
    libraries.mkdir()
    (libraries / LIBC).symlink_to(LOADER)
    interpreters.make_c_files(ENVIRONMENT / "pyproject.toml")
    linker = f"{COMPILER} -shared -nolibc -L{libraries} -l:{LIBC}"
    # Elsewhere than for glibc, whose wheel would have these modules, too.
    folders: tuple[str | Path, ...] = ("build", "--build-base", FOLDER / "build", "bdist_wheel", "--dist-dir", built)
    run(python, "setup.py", "-q", *folders, **CACHES, LDSHARED=linker, LDFLAGS="-Wl,-s")
    (wheel,) = built.glob("*.whl")
    install_tools()
    # It finds the tag by what the wheel needs, and without a patcher it can add no library.
    run(
        sys.executable, "-m", "auditwheel", "repair", "--patcher", "none", "--wheel-dir", wheels, wheel,
        PYTHONPATH=str(TOOLS),
    )  # fmt: skip
    (tagged,) = wheels.glob(f"*-{PLATFORM}.whl")
    return tagged


def needed(wheel: Path) -> set[str]:
    """The libraries that the modules of a wheel need."""
    folder = FOLDER / "unpacked"
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    read = subprocess.check_output(["readelf", "-dW", *folder.rglob("*.so*")], text=True)
    return set(re.findall(r"\(NEEDED\).*\[(.+)\]", read))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", nargs="*", help="files and folders; all by default")
    parser.add_argument("--short", action="store_true", help="some of the tests")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    FOLDER.mkdir(parents=True, exist_ok=True)
    debian.require(LOADER, "musl")
    cross.install_zig()
    python = install_packages()
    wheel = build_wheel(python)
    libraries = needed(wheel)
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--force-reinstall", wheel)
    built = time.monotonic()
    for reason, names in LEFT_OUT.items():
        print(f"left out, because {reason}: {' '.join(names.split())}", flush=True)
    left_out = [f"--deselect={name}" for names in LEFT_OUT.values() for name in names.split()]
    tests = pythons.SHORT if options.short else options.tests
    result = pythons.suite(VERSION, python, [*left_out, *tests])
    version = subprocess.run([LOADER], stderr=subprocess.PIPE, text=True).stderr.split()
    number = version[version.index("Version") + 1]
    print(f"musl {number}, {interpreters.source(VERSION).name}: {wheel.name}, {wheel.stat().st_size:,} bytes, ", end="")
    print(
        f"needs {' '.join(sorted(libraries))}; {built - began:.0f} s to build; {result.passed} tests passed, ", end=""
    )
    print(f"{result.skipped} skipped, {result.failed} failed in {result.seconds:.0f} s")
    return 1 if result.failed or not result.passed or libraries != {LIBC} else 0


if __name__ == "__main__":
    sys.exit(main())
