"""Builds the wheel for Pyodide, which is CPython as WebAssembly, and runs the tests with it in Node.

Debian has the compiler, and the headers of the same CPython; npm has Pyodide. Sizes have 32 bits there. There are no
threads and no processes: tests that need them are skipped, see conftest.py. Each process of Node runs some files, and
what ends it does not end the others. What is left out has its reason below.
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
from typing import Any, NamedTuple
from xml.etree import ElementTree

from support import debian, interpreters
from tiers import pythons

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
# The files that a wheel is made of.
SOURCES = (".py", ".pyx", ".pxd", ".pyi", ".h", ".html")
# Of those that one process runs. Python takes ten seconds to start.
FILES = 6
SECONDS = 2400  # for a process
# The files of tests that are left out, by the reason.
LEFT_OUT = {
    "it tests how threads take turns": "schedule",
    "Pyodide has no time of a thread": "benchmarks cli_start pictures",
    "Pyodide makes no environments": "ext_versions",
    "Pyodide does not limit the memory of a process": "pattern_agreement polars_interface seeded_faults",
}
REPORT = """
import sys, weburl
from weburl.bulk import fingerprint_many
found = fingerprint_many(["https://example.com/", "HTTPS://EXAMPLE.com:443/."]).to_pylist()
print(sys.platform, sys.version.split()[0], sys.maxsize, weburl.__version__, found[0] == found[1])
assert sys.maxsize < 2**32 and found[0] == found[1]
"""


def suite() -> list[str]:
    """The files of tests, without those that are left out."""
    left_out = {f"tests/test_{name}.py" for names in LEFT_OUT.values() for name in names.split()}
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").glob("test_*.py")}
    assert left_out <= files, f"there is no {left_out - files}"
    return ["tests/wpt", *sorted(files - left_out)]


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


def wheel_of_this_source() -> Path | None:
    """The wheel that is there, if nothing that goes into it has changed since."""
    wheels = sorted((FOLDER / "dist").glob("*.whl"))
    made_of = [ROOT / "pyproject.toml", ROOT / "setup.py", HERE / "cc.py"]
    made_of += [path for path in (ROOT / "src" / "weburl").rglob("*") if path.suffix in SOURCES]
    newest = max(path.stat().st_mtime for path in made_of)
    return wheels[0] if wheels and wheels[0].stat().st_mtime > newest else None


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


class Result(NamedTuple):
    """How the tests of a file ended: how many, by how; those that did not pass, and why others were skipped."""

    counts: Counter[str]
    failed: list[str]
    reasons: Counter[str]


def outcomes(report: Path) -> dict[str, Result]:
    """What pytest has written, by file."""
    found: dict[str, Result] = {}
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        # A file that is not imported has neither its class nor its file there.
        file = case.get("file") or case.get("name", "").replace(".", "/") + ".py"
        result = found.setdefault(file, Result(Counter(), [], Counter()))
        how = next((child for child in case if child.tag in ("failure", "error", "skipped")), None)
        if how is None:
            result.counts["passed"] += 1
        elif how.tag == "skipped":
            result.counts["skipped"] += 1
            result.reasons[how.get("message", "")] += 1
        else:
            result.counts["failed"] += 1
            message = " ".join(how.get("message", "").split())[:200]
            result.failed.append(f"{file}::{case.get('name')}: {message}")
    return found


def test(wheel: Path, number: int, files: Sequence[str]) -> dict[str, Result]:
    """The tests of some files, in one process. If it ends before they do, each file has a process of its own."""
    log, begin = LOGS / f"{number}.log", time.monotonic()
    options = ["-q", "-p", "no:cacheprovider", "-o", "faulthandler_timeout=0", "--tb=short", "-m", "not slow"]
    # The file system of Pyodide has the repository there.
    report = log.with_suffix(".xml")
    # A file that cannot be imported does not end the others.
    options += ["--continue-on-collection-errors", "-o", "junit_family=xunit1"]
    options += [f"--junit-xml=/repository/{report.relative_to(ROOT).as_posix()}"]
    status = node(wheel, *options, *files, log=log)
    # The lines of JavaScript in a traceback have a million characters.
    lines = [line[:500] for line in log.read_text(errors="replace").splitlines()]
    log.write_text("\n".join(lines) + "\n")
    if report.exists() and status in (0, 1, 5):
        found = outcomes(report)
    elif len(files) > 1:
        print(f"{number}: ended with {status}; its files are run one by one", flush=True)
        found = {}
        for i, file in enumerate(files):
            found |= test(wheel, number * 1000 + i, [file])
        return found
    else:
        found = {files[0]: Result(Counter(ended=1), [f"{files[0]}: the process ended with {status}"], Counter())}
    for file, result in found.items():
        print(f"{file}: {dict(result.counts)}", *result.failed, sep="\n  ", flush=True)
    print(f"{number}: {time.monotonic() - begin:.0f} s", flush=True)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", nargs="*", help="files and folders; by default all")
    parser.add_argument("--short", action="store_true", help="the standard's data, objects of Python, and columns")
    parser.add_argument("--build", action="store_true", help="only the wheel, if there is none of this source")
    options = parser.parse_args(arguments)
    begin = time.monotonic()
    debian.require("emcc", "emscripten")
    install_pyodide()
    if options.build:
        print(wheel_of_this_source() or build())
        return 0
    install_packages()
    wheel = build()
    built = time.monotonic()
    if node(wheel, "-c", REPORT):
        return 1
    shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir()
    files = SHORT if options.short else options.tests or suite()
    # Files with names that are alike take alike long: each process has others.
    count = -(-len(files) // FILES)
    shards = [files[i::count] for i in range(count)]
    total: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        numbers = range(1, len(shards) + 1)
        for results in threads.map(lambda number: test(wheel, number, shards[number - 1]), numbers):
            for result in results.values():
                total += result.counts
                reasons += result.reasons
    for reason, count in reasons.most_common():
        print(f"{count:6} skipped: {reason}")
    print(f"{built - begin:.0f} s to build, {time.monotonic() - built:.0f} s to test: {dict(total)}")
    return 1 if total["failed"] or total["ended"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
