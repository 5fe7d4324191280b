"""Runs the tests of the kernels and of the core on other processors, which qemu emulates.

Debian's CPython for each is unpacked in build/emulated, and the package is compiled for it with debug checks. What is
left out: the command, engines and pages, which have little compiled code; tests of time and of gigabytes of memory; and
large tables that only Python reads.
"""

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

from support import debian

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = Path(__file__).with_name("emulated") / "requirements.txt"
FOLDER = ROOT / "build" / "emulated"
PACKAGES = FOLDER / "packages"
SUITE, PYTHON = "bookworm", "python3.11"
PYTHON_PACKAGES = (f"{PYTHON}-minimal", f"lib{PYTHON}-stdlib", f"lib{PYTHON}-dev")

TESTS = """
    tests/wpt tests/test_agreement.py tests/test_build.py tests/test_bulk.py tests/test_bulk_arrow.py
    tests/test_bulk_crawl.py tests/test_bulk_hosts.py tests/test_bulk_patterns.py tests/test_crawl.py
    tests/test_door.py tests/test_errors.py tests/test_fields.py tests/test_files.py tests/test_forms.py
    tests/test_fuzz.py tests/test_host_value.py tests/test_hosts.py tests/test_limit.py tests/test_literal.py
    tests/test_origin.py tests/test_own_cases.py tests/test_percent.py tests/test_pickle_copy.py
    tests/test_private_hosts.py tests/test_psl.py tests/test_query_encoding.py tests/test_roundtrip.py
    tests/test_scan.py tests/test_schemes.py tests/test_search_params.py tests/test_strings.py
    tests/test_surrogates.py tests/test_url.py
""".split()
# For a short run: the parser and the setters with all their cases; and kernels, where they are not plain C.
SHORT = ["tests/wpt/test_url_constructor.py", "tests/wpt/test_url_setters.py"]
SHORT_KERNELS = ["tests/test_scan.py", "tests/test_door.py"]
# Emulation is slow, and not by the same factor for all that a test compares.
MEASURES_TIME = "interrupted or linear or costs"


class Machine(NamedTuple):
    """A processor, by its name in qemu, its compiler's and Debian's."""

    name: str
    compiler: str
    architecture: str
    kernels: str

    @property
    def folder(self) -> Path:
        return FOLDER / self.name

    @property
    def root(self) -> Path:
        """Debian's files for it."""
        return self.folder / "root"

    @property
    def python(self) -> Path:
        return self.root / "usr" / "bin" / "python"


MACHINES = (
    Machine("aarch64", "aarch64-linux-gnu-gcc", "arm64", "neon"),
    # Big-endian.
    Machine("s390x", "s390x-linux-gnu-gcc", "s390x", "plain"),
)


def run(*command: str | Path, **variables: str) -> None:
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, **variables})


def unpack_python(machine: Machine) -> None:
    """Debian's CPython for the machine, and a program that starts it."""
    if machine.python.exists():
        return
    debian.unpack(machine.folder, SUITE, machine.architecture, *PYTHON_PACKAGES)
    # A script, so that the tests can start other processes of it as sys.executable.
    script = f'exec qemu-{machine.name}-static -0 "$0" -L {machine.root} {machine.root}/usr/bin/{PYTHON} "$@"'
    machine.python.write_text(f"#!/bin/sh\n{script}\n")
    machine.python.chmod(0o755)


def install_packages() -> None:
    """What the tests import, which is Python only."""
    installed = PACKAGES / "installed.txt"
    if not installed.exists() or installed.read_bytes() != REQUIREMENTS.read_bytes():
        shutil.rmtree(PACKAGES, ignore_errors=True)
        for_all = ["--platform", "any", "--python-version", PYTHON.removeprefix("python"), "--only-binary", ":all:"]
        run(sys.executable, "-m", "pip", "install", "-q", "--target", PACKAGES, *for_all, "-r", REQUIREMENTS)
        shutil.copy(REQUIREMENTS, installed)


def build(machine: Machine) -> None:
    compiler = f"{machine.compiler} --sysroot={machine.root}"
    run(
        sys.executable, "setup.py", "-q", "build", "--build-base", machine.folder,
        "--build-lib", machine.folder / "lib", WEBURL_DEBUG="1", CC=compiler, LDSHARED=f"{compiler} -shared",
        CFLAGS=f"-I{machine.root}/usr/include/{PYTHON}", SETUPTOOLS_EXT_SUFFIX=".so",
    )  # fmt: skip


def test(machine: Machine, *tests: str) -> int:
    variables = {
        "PYTHONPATH": os.pathsep.join((str(machine.folder / "lib"), str(PACKAGES))),
        "PYTHONPYCACHEPREFIX": str(machine.folder / "pycache"),
        "PYTHONDONTWRITEBYTECODE": "",
    }
    report = (
        "import sys, weburl, weburl._core.kernels as kernels; name = kernels.kernel_name(); "
        "print(weburl.__file__, sys.version, sys.byteorder, name); sys.exit(name != sys.argv[1])"
    )
    run(machine.python, "-c", report, machine.kernels, **variables)
    options = ["-q", "-p", "no:cacheprovider", "-n", "auto", "--maxprocesses", "8", "--dist", "worksteal"]
    options += ["-o", "faulthandler_timeout=1800", "-k", f"not ({MEASURES_TIME})"]
    command: list[str | Path] = [machine.python, "-m", "pytest", *options, *tests]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}).returncode


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", nargs="*", default=TESTS, help="files and folders")
    parser.add_argument("--short", action="store_true", help="the kernels, the parser and the setters only")
    names = [machine.name for machine in MACHINES]
    parser.add_argument("--machines", nargs="+", default=names, choices=names)
    options = parser.parse_args(arguments)
    failed = []
    for machine in MACHINES:
        if machine.name not in options.machines:
            continue
        start = time.monotonic()
        debian.require(f"qemu-{machine.name}-static", "qemu-user-static")
        debian.require(machine.compiler, f"gcc-{machine.compiler.removesuffix('-gcc')}")
        unpack_python(machine)
        install_packages()
        build(machine)
        built = time.monotonic()
        short = SHORT + SHORT_KERNELS * (machine.kernels != "plain")
        if test(machine, *(short if options.short else options.tests)):
            failed.append(machine.name)
        print(f"{machine.name}: {built - start:.0f} s to build, {time.monotonic() - built:.0f} s to test", flush=True)
    print(f"{len(options.machines)} machines, {len(failed)} failed: {' '.join(failed)}".rstrip(": "))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
