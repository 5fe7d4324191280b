"""Builds the wheels of Linux for each CPython, with glibc and with musl, for x86-64 and AArch64, and loads each.

All are compiled from the same C code and with the flags of setup.py: by GCC for glibc, by Zig for musl. pip installs
each. Then an interpreter imports all its modules and parses a URL: on this machine, or for AArch64 in qemu. Where there
is no interpreter that was built with musl, the names that the modules ask for are looked up in musl and in CPython.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from support import debian, interpreters
from support.interpreters import ROOT
from tiers import cross, emulated, musl, pythons
from tiers.pythons import run

FOLDER = ROOT / "build" / "wheels"
VERSIONS = ("3.11", "3.12", "3.13", "3.14", "3.15", "3.14t")
# The others are built from source for AArch64.
OF_DEBIAN = {"3.11": "bookworm", "3.13": "trixie", "3.14": "sid", "3.15": "sid"}
# Debian 12's files for AArch64, with the C library that wheels are linked with.
BASE = emulated.Machine("aarch64", "aarch64-linux-gnu-gcc", "arm64", "neon")
CROSS = f"{BASE.compiler} --sysroot={BASE.root}"
QEMU = f"qemu-{BASE.name}-static"
# What `configure` cannot ask a program of another processor. Libraries of this machine are of no use to it.
OPTIONS = [
    "--build=x86_64-linux-gnu", "--host=aarch64-linux-gnu", "--without-ensurepip", "PKG_CONFIG=false",
    "ac_cv_file__dev_ptmx=yes", "ac_cv_file__dev_ptc=no", "ac_cv_buggy_getaddrinfo=no",
]  # fmt: skip
IMPORT = """
import importlib, pathlib, sys, weburl
folder = pathlib.Path(weburl.__file__).parents[1]
assert folder == pathlib.Path(sys.argv[1]), folder
names = [".".join(path.relative_to(folder).parts).partition(".cpython-")[0] for path in folder.rglob("*.so")]
for name in names:
    importlib.import_module(name)
href = weburl.URL("http://EX%41mple/../a").href
assert href == "http://example/a", href
print(f"{len(names)} modules, `{href}`")
"""
# Says which of these names CPython does not have.
LOOK_UP = "import ctypes, sys; print(*(name for name in sys.argv[1:] if not hasattr(ctypes.pythonapi, name)))"


class Kind(NamedTuple):
    libc: str
    processor: str

    @property
    def name(self) -> str:
        return f"{'musl' if self.libc == 'musl' else 'many'}linux {self.processor}"


KINDS = tuple(Kind(libc, processor) for libc in ("gnu", "musl") for processor in ("x86_64", "aarch64"))


class Python(NamedTuple):
    """A CPython of AArch64."""

    command: Sequence[str | Path]
    headers: Sequence[Path]


def of_aarch64(version: str, native: Path) -> Python:
    """Debian's, or one that is built from source, by a CPython of this machine."""
    if version in OF_DEBIAN:
        machine = BASE._replace(suite=OF_DEBIAN[version], version=version)
        emulated.unpack_python(machine)
        headers = machine.root / "usr" / "include"
        own = headers / f"python{version}"
        # As in interpreters.unpacked: without the headers of its C library, which is newer.
        shutil.copy(headers / "aarch64-linux-gnu" / own.name / "pyconfig.h", own / "pyconfig.h")
        return Python([machine.python], [own])
    options = [*OPTIONS, f"--with-build-python={native}"]
    program = interpreters.built(version, "-aarch64", options, CC=CROSS)
    return Python([QEMU, "-L", BASE.root, program], [program.parent, interpreters.source(version) / "Include"])


def libc(processor: str) -> Path:
    """musl, of Debian 12."""
    architecture = {"x86_64": "amd64", "aarch64": "arm64"}[processor]
    root = debian.unpack(FOLDER / f"musl-{processor}", musl.SUITE, architecture, "musl")
    return root / "lib" / f"{processor}-linux-musl" / "libc.so"


def compilers(kind: Kind) -> tuple[str, str]:
    """What compiles, and what links."""
    if kind.libc == "gnu":
        command = CROSS if kind.processor == "aarch64" else "gcc"
        return command, f"{command} -shared"
    libraries, name = FOLDER / f"lib-{kind.processor}", f"libc.musl-{kind.processor}.so.1"
    shutil.rmtree(libraries, ignore_errors=True)
    libraries.mkdir(parents=True)
    (libraries / name).symlink_to(libc(kind.processor))
    command = f"{cross.ZIG} cc -target {kind.processor}-linux-musl -dynamic"
    return command, f"{command} -shared -nolibc -L{libraries} -l:{name}"


def build(version: str, kind: Kind, native: Path, headers: Sequence[Path]) -> Path:
    """The wheel, with the tag that auditwheel finds by what it needs: without a patcher, it can add no library."""
    folder = FOLDER / f"{version}-{kind.libc}-{kind.processor}"
    built, tagged = folder / "built", folder / "wheel"
    for old in (built, tagged):
        shutil.rmtree(old, ignore_errors=True)
    compiler, linker = compilers(kind)
    run(
        native, "setup.py", "-q", "build", "--build-base", folder, "bdist_wheel", "--dist-dir", built,
        CC=compiler, LDSHARED=linker, LDFLAGS="-Wl,-s", CFLAGS=" ".join(f"-I{header}" for header in headers),
        SETUPTOOLS_EXT_SUFFIX=f".cpython-{version.replace('.', '')}-{kind.processor}-linux-{kind.libc}.so",
        _PYTHON_HOST_PLATFORM=f"linux-{kind.processor}", **musl.CACHES,
    )  # fmt: skip
    (wheel,) = built.glob("*.whl")
    repair = ("repair", "--patcher", "none", "--wheel-dir", tagged, wheel)
    run(sys.executable, "-m", "auditwheel", *repair, PYTHONPATH=str(musl.TOOLS))
    (wheel,) = tagged.glob("*.whl")
    return wheel


def install(wheel: Path) -> Path:
    """pip refuses a wheel whose tags are not those of the platform."""
    folder = wheel.parents[1] / "installed"
    shutil.rmtree(folder, ignore_errors=True)
    python, abi, platforms = wheel.stem.split("-")[2:]
    platform = platforms.partition(".")[0]
    tags = ("--python-version", python.removeprefix("cp"), "--abi", abi, "--platform", platform)
    options = ("--target", folder, "--only-binary", ":all:", "--no-deps", *tags)
    run(sys.executable, "-m", "pip", "install", "-q", *options, wheel)
    return folder


def load(command: Sequence[str | Path], folder: Path) -> str:
    path = os.pathsep.join((str(folder), str(emulated.PACKAGES)))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.check_output([*command, "-c", IMPORT, folder], cwd=FOLDER, env=environment, text=True).strip()


def symbols(*files: Path) -> tuple[set[str], set[str]]:
    """The names that shared libraries need and define."""
    read = subprocess.check_output(["readelf", "--dyn-syms", "-W", *files], text=True)
    needed, defined = set(), set()
    for binding, place, name in re.findall(r" (GLOBAL|WEAK) +\S+ +(\S+) ([^\s@]+)", read):
        if place != "UND":
            defined.add(name)
        elif binding == "GLOBAL":
            needed.add(name)
    return needed, defined


def look_up(folder: Path, processor: str, native: Path) -> str:
    """Whether musl and CPython have all that the modules need, as the loader would ask."""
    needed, _ = symbols(*folder.rglob("*.so"))
    _, of_musl = symbols(libc(processor))
    others = sorted(needed - of_musl)
    missing = [name for name in others if not name.lstrip("_").startswith("Py")]
    missing += subprocess.check_output([native, "-c", LOOK_UP, *others], text=True).split()
    if missing or not needed:
        raise LookupError(f"not in musl nor in CPython: {missing}")
    return f"not loaded; musl and CPython have all {len(needed)} names that it needs"


def row(version: str, kind: Kind, native: Path) -> str:
    """Builds a wheel and tries it; what the table says of it."""
    other = of_aarch64(version, native) if kind.processor == "aarch64" else None
    wheel = build(version, kind, native, other.headers if other else [])
    folder = install(wheel)
    if kind.libc == "gnu":
        loaded = load(other.command if other else [native], folder)
    elif kind.processor == "x86_64" and version == musl.VERSION:
        loaded = load([musl.interpreter()], folder)
    else:
        loaded = look_up(folder, kind.processor, native)
    return f"`{wheel.stem.split('-', 2)[2]}` | {wheel.stat().st_size:,} | {loaded}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("versions", nargs="*", default=VERSIONS, help=f"of {' '.join(VERSIONS)}; all by default")
    names = [kind.name.replace(" ", "-") for kind in KINDS]
    parser.add_argument("--kinds", nargs="+", default=names, choices=names)
    options = parser.parse_args(arguments)
    FOLDER.mkdir(parents=True, exist_ok=True)
    debian.require(QEMU, "qemu-user-static")
    debian.require(BASE.compiler, f"gcc-{BASE.compiler.removesuffix('-gcc')}")
    debian.require(musl.LOADER, "musl")
    cross.install_zig()
    musl.install_tools()
    emulated.unpack_python(BASE)
    emulated.install_packages()
    natives = {version: pythons.environment(version) for version in options.versions}
    newest = max((python.parents[1] / "pyproject.toml" for python in natives.values()), key=lambda f: f.stat().st_mtime)
    interpreters.make_c_files(newest)
    rows, failed = [], 0
    for name, kind in zip(names, KINDS, strict=True):
        for version, native in natives.items():
            if name not in options.kinds:
                continue
            began = time.monotonic()
            try:
                said = row(version, kind, native)
            except (subprocess.CalledProcessError, LookupError, OSError) as error:
                said, failed = f"none | | {error}", failed + 1
            rows.append(f"| {version} | {kind.name} | {said} |")
            print(f"{rows[-1]} {time.monotonic() - began:.0f} s", flush=True)
    print("\n| Python | kind | wheel | bytes | import |\n|---|---|---|---:|---|", *rows, sep="\n")
    print(f"{len(rows)} wheels, {failed} failed")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
