"""Runs the suite on other processors, which qemu emulates; or this machine's runs their programs, too.

Debian's CPython for each is unpacked in build/emulated, and the package is compiled for it with debug checks. What is
left out has its reason below.
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

# The files of tests that are left out, by the reason.
LEFT_OUT = {
    "it is about files of the repository, or about tools, which are the same for every processor": """
        benchmarks check_source command_page differential docs ext_versions hosts_page names package pictures
        profiled sync typing
    """,
    "it tests what is written in Python only, on large tables": "display encoding grammar literal spoofing",
    "it starts hundreds of processes, or a shell": "cli_completion cli_examples cli_streams import",
    "it needs selectolax, which is compiled": "page_parts",
    "it serves a browser": "cli_view",
    "it measures time, or how much memory the process has, which is also qemu's": """
        cli_max_line column_memory large linear memory
    """,
    "qemu orders memory accesses as x86-64 does, so that it finds no race of another processor": "threads",
}
# For a short run: the parser and the setters with all their cases; and kernels, where they are not plain C.
SHORT = ["tests/wpt/test_url_constructor.py", "tests/wpt/test_url_setters.py"]
SHORT_KERNELS = ["tests/test_scan.py", "tests/test_door.py", "tests/test_block_door.py"]
# Single tests that are left out: emulation is slow, and not by the same factor for all that a test compares; and qemu
# takes memory, too.
MEASURES = "interrupted the_memory_of"
# For i386, a shell script starts CPython, and the shell needs an eleventh descriptor.
SHELL = "test_temporary_files_with_few_descriptors"
# Those that take most of a second or more without emulation.
SLOW = """
    test_memory_is_bounded test_nfc test_only_pattern_errors_come_out test_a_difference_is_found_and_minimized
    test_one_key_for_what_a_server_cannot_tell_apart test_many_hosts_against_a_loop test_a_mapping_that_calls_back
    test_no_cell_begins_as_a_formula_does test_many_columns test_automata_match_as_backtracking_does
    test_sessions_on_many test_generator_reaches_everything test_same_result_on_every_interpreter test_long_texts
    test_agrees_with_the_whole test_more_errors test_no_message_has_a_secret test_one_table_in_many_threads
    test_it_equals_a_loop hostile_links test_round_trip test_full_disks test_json_is_that_of_the_json_module
    test_plain_urls_are_valid_whatever_they_are test_idempotent_on_many test_joiner_rules test_what_is_not_json
    test_of_a_long_text test_classes_nest_without_limit test_pipes_and_signals test_it_is_a_join
"""


class Machine(NamedTuple):
    """A processor, by its name in qemu, its compiler's and Debian's."""

    name: str
    compiler: str
    architecture: str
    kernels: str
    # The loader of programs for it, if this machine's processor runs them, too.
    loader: str | None = None
    # Of Debian, and the version of CPython that it has.
    suite: str = "bookworm"
    version: str = "3.11"

    @property
    def folder(self) -> Path:
        return FOLDER / f"{self.name}-{self.version}"

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
    Machine("s390x", "s390x-linux-gnu-gcc", "s390x", "c"),
    # Sizes of 32 bits.
    Machine("i386", "i686-linux-gnu-gcc", "i386", "c", "lib/ld-linux.so.2"),
    Machine("arm", "arm-linux-gnueabihf-gcc", "armhf", "c"),
    # Debian 12 does not have it.
    Machine("riscv64", "riscv64-linux-gnu-gcc", "riscv64", "c", suite="trixie", version="3.13"),
    Machine("ppc64le", "powerpc64le-linux-gnu-gcc", "ppc64el", "c"),
)


def suite() -> list[str]:
    """The files of tests, without those that are left out."""
    left_out = {f"tests/test_{name}.py" for names in LEFT_OUT.values() for name in names.split()}
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").glob("test_*.py")}
    assert left_out <= files, f"there is no {left_out - files}"
    return ["tests/wpt", *sorted(files - left_out)]


def run(*command: str | Path, **variables: str) -> None:
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, **variables})


def unpack_python(machine: Machine) -> None:
    """Debian's CPython for the machine, and a program that starts it."""
    if machine.python.exists():
        return
    python = f"python{machine.version}"
    packages = (f"{python}-minimal", f"lib{python}-stdlib", f"lib{python}-dev")
    debian.unpack(machine.folder, machine.suite, machine.architecture, *packages)
    libraries = machine.root / "lib"
    if not libraries.exists():
        # Where Debian's package of the base system, which is not unpacked, has it.
        libraries.symlink_to("usr/lib")
    for link in machine.root.glob("lib64/ld*"):
        # From the root of the system, which is elsewhere.
        target = os.readlink(link)
        link.unlink()
        link.symlink_to(f"..{target}" if target.startswith("/") else target)
    # A script, so that the tests can start other processes of it as sys.executable.
    program = f"{machine.root}/usr/bin/{python}"
    script = f'exec qemu-{machine.name}-static -0 "$0" -L {machine.root} {program} "$@"'
    if machine.loader:
        triplet = f"{machine.architecture}-linux-gnu"
        path = f"{libraries}/{triplet}:{machine.root}/usr/lib/{triplet}"
        script = f'exec {machine.root}/{machine.loader} --library-path {path} --argv0 "$0" {program} "$@"'
    machine.python.write_text(f"#!/bin/sh\n{script}\n")
    machine.python.chmod(0o755)


def install_packages() -> None:
    """What the tests import, which is Python only."""
    installed = PACKAGES / "installed.txt"
    if not installed.exists() or installed.read_bytes() != REQUIREMENTS.read_bytes():
        shutil.rmtree(PACKAGES, ignore_errors=True)
        for_all = ["--platform", "any", "--python-version", "3.11", "--only-binary", ":all:"]
        run(sys.executable, "-m", "pip", "install", "-q", "--target", PACKAGES, *for_all, "-r", REQUIREMENTS)
        shutil.copy(REQUIREMENTS, installed)


def build(machine: Machine) -> None:
    """Compiles the package, and writes its metadata, where --version looks. CFLAGS come last."""
    library = machine.folder / "lib"
    compiler = f"{machine.compiler} --sysroot={machine.root}"
    run(
        sys.executable, "setup.py", "-q", "build", "--build-base", machine.folder, "--build-lib", library,
        "egg_info", "--egg-base", library, WEBURL_DEBUG="1", CC=compiler, LDSHARED=f"{compiler} -shared",
        CFLAGS=f"-g0 -I{machine.root}/usr/include/python{machine.version} {os.environ.get('CFLAGS', '')}",
        SETUPTOOLS_EXT_SUFFIX=".so",
    )  # fmt: skip


def test(machine: Machine, *tests: str) -> int:
    variables = {
        "PYTHONPATH": os.pathsep.join((str(machine.folder / "lib"), str(PACKAGES))),
        "PYTHONPYCACHEPREFIX": str(machine.folder / "pycache"),
        "PYTHONDONTWRITEBYTECODE": "",
    }
    report = (
        "import sys, weburl, weburl._core.percent as kernels; name = kernels.kernel_name(); "
        "print(weburl.__file__, sys.version, sys.byteorder, name); sys.exit(name != sys.argv[1])"
    )
    run(machine.python, "-c", report, machine.kernels, **variables)
    options = ["-q", "-p", "no:cacheprovider", "-n", "auto", "--maxprocesses", "8", "--dist", "worksteal"]
    left_out = " or ".join(f"{MEASURES} {SHELL} {SLOW}".split())
    options += ["-o", "faulthandler_timeout=1800", "-m", "not slow", "-k", f"not ({left_out})"]
    command: list[str | Path] = [machine.python, "-m", "pytest", *options, *tests]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}).returncode


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", nargs="*", default=suite(), help="files and folders")
    parser.add_argument("--short", action="store_true", help="the kernels, the parser and the setters only")
    names = [machine.name for machine in MACHINES]
    parser.add_argument("--machines", nargs="+", default=names, choices=names)
    options = parser.parse_args(arguments)
    failed = []
    for machine in MACHINES:
        if machine.name not in options.machines:
            continue
        start = time.monotonic()
        if machine.loader is None:
            debian.require(f"qemu-{machine.name}-static", "qemu-user-static")
        debian.require(machine.compiler, f"gcc-{machine.compiler.removesuffix('-gcc')}")
        unpack_python(machine)
        install_packages()
        build(machine)
        built = time.monotonic()
        short = SHORT + SHORT_KERNELS * (machine.kernels != "c")
        if test(machine, *(short if options.short else options.tests)):
            failed.append(machine.name)
        print(f"{machine.name}: {built - start:.0f} s to build, {time.monotonic() - built:.0f} s to test", flush=True)
    print(f"{len(options.machines)} machines, {len(failed)} failed: {' '.join(failed)}".rstrip(": "))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
