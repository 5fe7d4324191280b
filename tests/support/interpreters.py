"""CPythons of other versions: the machine's, Debian's, or built from source; these are kept in build/pythons.

A version is "3.15", or "3.15t" without the GIL. Nothing is installed, and nothing needs root.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from support import debian

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "pythons"
# Debian's sid has the newest, for as long as they are the newest.
SUITES = {"3.11": "bookworm", "3.13": "trixie", "3.14": "sid", "3.15": "sid"}
# A mirror may have the packages of sid without their sources, and sid no longer has 3.12: then these suites of Ubuntu,
# which has the sources unchanged.
UBUNTU = {"3.12": "noble", "3.14": "resolute", "3.15": "stonking"}
FREE_THREADED = ("3.15t", "3.14t", "3.13t")
VERSION = """
import sys
t = "t" if "t" in sys.abiflags else ""
print("%d.%d" % sys.version_info[:2] + t if sys.version_info.releaselevel == "final" else None)
"""


def interpreter(version: str) -> Path:
    """An interpreter of this version: the machine's, if it has one."""
    if (found := of_this_machine(version)) is not None:
        return found
    if version.removesuffix("t") not in SUITES:
        raise LookupError(f"no Python {version}: neither on PATH nor under pyenv, nor has Debian one")
    return built(version) if version.endswith("t") else unpacked(version)


def of_this_machine(version: str) -> Path | None:
    """The first that runs: a name on PATH may stand for an interpreter that is not there."""
    number, free_threaded = re.fullmatch(r"([\d.]+)(t?)", version, re.ASCII).groups()  # type: ignore[union-attr]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    pattern = f"versions/{number}.*[0-9]{free_threaded}/bin/python"
    for candidate in (f"python{version}", *map(str, sorted(pyenv.glob(pattern)))):
        try:
            found = subprocess.run([candidate, "-c", f"{VERSION}print(sys.executable)"], capture_output=True, text=True)
        except OSError:
            continue
        lines = found.stdout.splitlines()
        if found.returncode == 0 and lines[0] == version:
            return Path(lines[1])
    return None


def unpacked(version: str) -> Path:
    """Debian's, and a script that starts it with Debian's C library, which may be newer than the machine's."""
    python, architecture = f"python{version}", subprocess.check_output(["dpkg", "--print-architecture"], text=True)
    packages = (f"{python}-minimal", f"lib{python}-stdlib", f"lib{python}-dev")
    root = debian.unpack(FOLDER / version, SUITES[version], architecture.strip(), *packages)
    script, triplet = root / "usr" / "bin" / "python", f"{platform.machine()}-linux-gnu"
    libraries, headers = root / "usr" / "lib" / triplet, root / "usr" / "include"
    # Debian's own includes this one, from where only an installed one is.
    shutil.copy(headers / triplet / python / "pyconfig.h", headers / python / "pyconfig.h")
    (loader,) = libraries.glob("ld-linux*.so.*")
    # The tests start other processes of it as sys.executable, which is the first argument.
    command = f'exec {loader} --library-path {libraries} --argv0 "$0" {root}/usr/bin/{python} "$@"'
    script.write_text(f"#!/bin/sh\n{command}\n")
    script.chmod(0o755)
    return script


def source(version: str) -> Path:
    """The folder of CPython's source: one that is there already, or that of Debian's package, or of Ubuntu's."""
    number = version.removesuffix("t")
    found = sorted(FOLDER.glob(f"Python-{number}.*/configure"))
    if found:
        return found[-1].parent
    return debian.source(FOLDER, SUITES.get(number, "sid"), f"python{number}", UBUNTU.get(number))


def newest_free_threaded() -> str:
    """The newest version whose source is here, or can be had: mirrors do not always have it."""
    for version in FREE_THREADED:
        if any(FOLDER.glob(f"Python-{version.removesuffix('t')}.*/configure")):
            return version
    for version in FREE_THREADED:
        try:
            source(version)
        except subprocess.CalledProcessError:
            print(f"no source of {version}", flush=True)
        else:
            return version
    sys.exit("no source of a free-threaded CPython")


def built(version: str, name: str = "", options: Sequence[str] = (), **variables: str) -> Path:
    """One that is compiled from source, with options for `configure`. It stays where it is built."""
    folder = FOLDER / (version + name)
    if not (folder / "built").exists():
        configure = source(version) / "configure"
        folder.mkdir(exist_ok=True)
        without_gil = ["--disable-gil"] * version.endswith("t")
        options = ["-q", *without_gil, "--disable-test-modules", "OPT=-O1 -DNDEBUG", *options]
        with (folder / "build.log").open("w") as log:
            for command in ([str(configure), *options], ["make", "-s", f"-j{os.cpu_count()}"]):
                environment = {**os.environ, **variables}
                subprocess.run(command, cwd=folder, env=environment, stdout=log, stderr=log, check=True)
        (folder / "built").touch()
    return folder / "python"


def make_c_files(installed: Path) -> None:
    """Makes the C code anew where it must be. Another environment takes it as it is if it is newer than its Cython.

    `installed` is a file that was written when that Cython was installed.
    """
    subprocess.run([sys.executable, "setup.py", "-q", "--version"], cwd=ROOT, check=True)
    for path in (ROOT / "build" / "src" / "weburl").rglob("*.c"):
        if path.stat().st_mtime <= installed.stat().st_mtime:
            path.touch()


if __name__ == "__main__":
    print(interpreter(*sys.argv[1:]))
