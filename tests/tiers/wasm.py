"""Builds the wheel for Pyodide, which is CPython as WebAssembly, and runs the tests with it in Node.

Debian has the compiler, and the headers of the same CPython; npm has Pyodide. Sizes have 32 bits there. There are no
threads and no processes: tests that need them are skipped, see conftest.py. What is left out has its reason below.
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
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from support import debian, interpreters
from tiers import emulated, pythons

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).with_name("wasm")
FOLDER = ROOT / "build" / "wasm"
PYODIDE = FOLDER / "node_modules" / "pyodide"
PACKAGES = FOLDER / "packages"
LOGS = FOLDER / "logs"
VERSION = "3.14"
PLATFORM = "pyodide_2026_0_wasm32"
SUFFIX = ".cpython-314-wasm32-emscripten.so"

SHORT = [
    "tests/wpt",
    "tests/test_url.py",
    "tests/test_bulk.py",
    "tests/test_bulk_arrow.py",
    "tests/test_wide_numbers.py",
]
SECONDS = 900  # for a file
REPORT = """
import sys, weburl
from weburl.bulk import fingerprint_many
found = fingerprint_many(["https://example.com/", "HTTPS://EXAMPLE.com:443/."]).to_pylist()
print(sys.platform, sys.version.split()[0], sys.maxsize, weburl.__version__, found[0] == found[1])
assert sys.maxsize < 2**32 and found[0] == found[1]
"""


def run(*command: str | Path, **variables: str) -> None:
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, **variables})


def install_pyodide() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "package.json", FOLDER)
    run("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", FOLDER)


def install_packages() -> None:
    """What the tests import, which is Python only."""
    requirements, installed = HERE / "requirements.txt", PACKAGES / "installed.txt"
    if not installed.exists() or installed.read_bytes() != requirements.read_bytes():
        shutil.rmtree(PACKAGES, ignore_errors=True)
        for_all = ["--platform", "any", "--python-version", VERSION, "--only-binary", ":all:"]
        run(sys.executable, "-m", "pip", "install", "-q", "--target", PACKAGES, *for_all, "-r", requirements)
        shutil.copy(requirements, installed)


def build_variables() -> dict[str, Any]:
    """What Pyodide's CPython was built with; 0 stands for what is not defined."""
    with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as library:
        (name,) = (name for name in library.namelist() if re.match(r"_sysconfigdata_.*\.py$", name))
        scope: dict[str, Any] = {}
        exec(library.read(name).decode(), scope)
    variables: dict[str, Any] = scope["build_time_vars"]
    assert variables["SIZEOF_SIZE_T"] == 4
    assert variables["EXT_SUFFIX"] == SUFFIX
    return variables


def headers(python: Path) -> Path:
    """CPython's headers, with the pyconfig.h of Pyodide."""
    folder = FOLDER / "include"
    command: list[str | Path] = [
        python,
        "-c",
        "import sysconfig; print(sysconfig.get_path('include')); print(sysconfig.get_config_h_filename())",
    ]
    include, configuration = subprocess.check_output(command, text=True).splitlines()
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(include, folder)
    variables = build_variables()
    names = set(re.findall(r"^(?:#define|/\* #undef) ([A-Z]\w+)", Path(configuration).read_text(), re.MULTILINE))
    names |= {name for name in variables if re.match(r"(?:HAVE|SIZEOF|ALIGNOF|WITH)_[A-Z0-9_]+$", name)}
    lines = ["#define Py_PYCONFIG_H", "#define _GNU_SOURCE 1", "#define _Py_STACK_GROWS_DOWN 1"]
    lines += [f"#define {name} {variables[name]}" for name in sorted(names) if variables.get(name) not in (None, 0, "")]
    (folder / "pyconfig.h").write_text("\n".join(["#ifndef Py_PYCONFIG_H", *lines, "#endif", ""]))
    return folder


def build() -> Path:
    """The wheel."""
    python = pythons.environment(VERSION)
    interpreters.make_c_files(python.parents[1] / "pyproject.toml")
    include, dist = headers(interpreters.interpreter(VERSION)), FOLDER / "dist"
    for folder in (dist, FOLDER / "build"):
        shutil.rmtree(folder, ignore_errors=True)
    (FOLDER / "build").mkdir()
    compiler = f"{sys.executable} {HERE / 'cc.py'}"
    run(
        python, "setup.py", "-q", "egg_info", "--egg-base", FOLDER / "build", "build", "--build-base", FOLDER / "build",
        "bdist_wheel", "--plat-name", PLATFORM, "--dist-dir", dist, "--bdist-dir", FOLDER / "build" / "wheel",
        CC=compiler, LDSHARED=compiler, CFLAGS=f"-I{include}", SETUPTOOLS_EXT_SUFFIX=SUFFIX,
    )  # fmt: skip
    (wheel,) = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        modules = [entry for entry in archive.infolist() if entry.filename.endswith(SUFFIX)]
    print(
        f"{wheel.name}: {wheel.stat().st_size:,} bytes, {len(modules)} modules of {sum(m.file_size for m in modules):,}"
    )
    return wheel


def node(wheel: Path, *arguments: str, log: Path | None = None) -> int:
    """Runs pytest, or code, in a process of its own: what ends one run does not end the others."""
    data = Path(os.environ["WEBURL_DATA"]).resolve()
    where = [HERE / "run.mjs", PYODIDE / "pyodide.mjs", wheel, PACKAGES, ROOT, data]
    command: list[str | Path] = ["node", *where, *arguments]
    if log is None:
        return subprocess.run(command, cwd=ROOT).returncode
    with log.open("w") as output:
        try:
            return subprocess.run(command, cwd=ROOT, stdout=output, stderr=output, timeout=SECONDS).returncode
        except subprocess.TimeoutExpired:
            return -1


def test(wheel: Path, file: str) -> tuple[str, Counter[str]]:
    """How many tests of a file ended in which way; "ended" is one that ends the process."""
    log, begin = LOGS / f"{file.replace('/', '.')}.log", time.monotonic()
    options = ["-q", "-p", "no:cacheprovider", "-o", "faulthandler_timeout=0", "--tb=short", "-m", "not slow"]
    status = node(wheel, *options, file, log=log)
    # The lines of JavaScript in a traceback have a million characters.
    lines = [line[:500] for line in log.read_text(errors="replace").splitlines()]
    log.write_text("\n".join(lines) + "\n")
    found: Counter[str] = Counter()
    last = next((line for line in reversed(lines) if re.search(r" in \d+\.\d+s", line)), "")
    for count, how in re.findall(r"(\d+) (passed|failed|skipped|error)", last):
        found[how] += int(count)
    if not last or status not in (0, 1, 5):
        found["ended"] += 1
    print(f"{file}: {dict(found)}, {time.monotonic() - begin:.0f} s", flush=True)
    return file, found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", nargs="*", help="files and folders; by default all")
    parser.add_argument("--short", action="store_true", help="the standard's data, objects of Python, and columns")
    options = parser.parse_args(arguments)
    begin = time.monotonic()
    debian.require("emcc", "emscripten")
    install_pyodide()
    install_packages()
    wheel = build()
    built = time.monotonic()
    if node(wheel, "-c", REPORT):
        return 1
    shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir()
    files = SHORT if options.short else options.tests or emulated.suite()
    total: Counter[str] = Counter()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for _, found in threads.map(lambda file: test(wheel, file), files):
            total += found
    print(f"{built - begin:.0f} s to build, {time.monotonic() - built:.0f} s to test: {dict(total)}")
    return 1 if total["failed"] or total["error"] or total["ended"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
