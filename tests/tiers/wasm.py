"""Builds the wheel for Pyodide, which is CPython as WebAssembly, and runs the tests with it in Node.

Debian has the compiler, and the headers of the same CPython; npm has Pyodide. Sizes have 32 bits there. There are no
threads and no processes: tests that need them are skipped, see conftest.py. Files that are left out have their reason
below. A test with many seeds runs with one, as Python is slow there.

Each process of Node runs some files. If it ends before all tests have run, or if a test takes too long, that file has
failed, and another process runs the files that are left.
"""

from __future__ import annotations

import argparse
import json
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
SOURCES = (".py", ".pyx", ".pxi", ".pxd", ".pyi", ".h", ".html")
# How many files one process runs: Python takes ten seconds to start.
FILES = 12
SECONDS = 600  # for a test
OPTIONS = [*"-q -p no:cacheprovider -p told -o faulthandler_timeout=0 --tb=short -m".split(), "not slow"]
# A file that cannot be imported does not end the others.
OPTIONS += ["--continue-on-collection-errors"]
# The files of tests that are left out, by the reason.
LEFT_OUT = {
    "it tests how threads take turns": "schedule",
    "all its tests are slow ones, which are not run here": "linear roundtrip",
    "Pyodide has no time of a thread": "benchmarks cli_start pictures",
    "Pyodide makes no environments": "ext_versions",
    "it tests how the package is built, which needs setuptools": "package profiled",
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
    return files_of(["tests/wpt", *sorted(files - left_out)])


def files_of(names: Sequence[str]) -> list[str]:
    """The files of tests in files and folders."""
    found = []
    for name in names:
        path = ROOT / name
        found += [str(file.relative_to(ROOT)) for file in sorted(path.rglob("test_*.py"))] if path.is_dir() else [name]
    return found


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


def command_of(wheel: Path, *arguments: str | Path) -> list[str | Path]:
    """Runs pytest, or code, in Pyodide."""
    data = Path(os.environ["WEBURL_DATA"]).resolve()
    return ["node", HERE / "run.mjs", PYODIDE / "pyodide.mjs", wheel, PACKAGES, ROOT, data, *arguments]


class Result:
    """How the tests of a file ended: how many, by how; those that did not pass, and why others were skipped."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.failed: list[str] = []
        self.reasons: Counter[str] = Counter()
        self.seconds = 0.0


class Told(NamedTuple):
    """What a process has written, see wasm/told.py."""

    results: dict[str, Result]
    # Where it ended, if it did before all tests had run.
    file: str
    test: str
    status: int | None


def read_told(path: Path) -> Told:
    results: dict[str, Result] = {}
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    file = test = ""
    for line in map(json.loads, lines):
        if "ended" in line:
            return Told(results, "", "", line["ended"])
        if "outcome" not in line:
            file, test = line["file"], line["test"]
            continue
        result = results.setdefault(line["file"], Result())
        result.counts[line["outcome"]] += 1
        result.seconds += line["seconds"]
        if line["outcome"] == "skipped":
            result.reasons[line["text"].removeprefix("Skipped: ")] += 1
        elif line["outcome"] == "failed":
            message = " ".join(line["text"].split())[-300:]
            result.failed.append(f"{line['file']}::{line['test']}: {message}")
    return Told(results, file, test, None)


def of_the_last_run(wheel: Path, files: Sequence[str]) -> dict[str, Result]:
    """Those that ran to their end with this wheel, without a failure, and have not changed since."""
    found: dict[str, Result] = {}
    for path in sorted(LOGS.glob("*.jsonl")):
        told, written = read_told(path), path.stat().st_mtime
        if written > wheel.stat().st_mtime:
            for file, result in told.results.items():
                same = file in files and written > (ROOT / file).stat().st_mtime
                if same and file != told.file and not result.failed:
                    found[file] = result
    return found


def wait(process: subprocess.Popen[bytes], told: Path, seconds: float) -> str:
    """How a process ended. It is killed if one test, or the import of a file, takes longer."""
    begin = time.time()
    while True:
        try:
            return f"the process ended with {process.wait(timeout=1)}"
        except subprocess.TimeoutExpired:
            last = told.stat().st_mtime if told.exists() else begin
            if time.time() - last > seconds:
                process.kill()
                process.wait()
                return f"it took more than {seconds} s"


def test(command: Sequence[str | Path], number: int, files: Sequence[str]) -> dict[str, Result]:
    """The tests of some files, in one process. If it ends before they do, another one runs the files that are left."""
    found: dict[str, Result] = {}
    part = 0
    while files:
        part += 1
        log, told = LOGS / f"{number}.{part}.log", LOGS / f"{number}.{part}.jsonl"
        # The file system of Pyodide has the repository there.
        arguments = [f"--told={Path(os.path.relpath(told, ROOT)).as_posix()}", *files]
        with (
            log.open("w") as output,
            subprocess.Popen([*command, *arguments], cwd=ROOT, stdout=output, stderr=output) as process,
        ):
            how = wait(process, told, SECONDS)
        # The lines of JavaScript in a traceback have a million characters.
        lines = [line[:500] for line in log.read_text(errors="replace").splitlines()]
        log.write_text("\n".join(lines) + "\n")
        results, file, test, status = read_told(told)
        if status in (0, 1, 5):
            files = []
        else:
            file = file if file in files else files[0]
            result = results.setdefault(file, Result())
            result.counts["ended"] += 1
            result.failed.append(f"{file}::{test}: {how}" if test else f"{file}: {how}")
            # Those whose tests have run before are not run again.
            files = [name for name in files if name not in results]
        for file, result in results.items():
            print(f"{file}: {dict(result.counts)}, {result.seconds:.0f} s", *result.failed, sep="\n  ", flush=True)
        found |= results
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", nargs="*", help="files and folders; by default all")
    parser.add_argument("--short", action="store_true", help="the standard's data, objects of Python, and columns")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--seeds", type=int, default=1, help="of a test that has many, how many run")
    parser.add_argument("--resume", action="store_true", help="run the files that the last run did not, or that failed")
    parser.add_argument("--build", action="store_true", help="only the wheel, if there is none of this source")
    options = parser.parse_args(arguments)
    begin = time.monotonic()
    debian.require("emcc", "emscripten")
    install_pyodide()
    if options.build:
        print(wheel_of_this_source() or build())
        return 0
    install_packages()
    wheel = wheel_of_this_source() or build()
    built = time.monotonic()
    if subprocess.run(command_of(wheel, "-c", REPORT), cwd=ROOT).returncode:
        return 1
    files = files_of(SHORT if options.short else options.tests) or suite()
    results: dict[str, Result] = {}
    if options.resume:
        results |= of_the_last_run(wheel, files)
    else:
        shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir(exist_ok=True)
    left = [file for file in files if file not in results]
    print(f"{len(results)} of {len(files)} files have run before")
    # Files with similar names take a similar time, so they are spread over the processes.
    count = -(-len(left) // FILES)
    shares, first = [left[i::count] for i in range(count)], len(list(LOGS.iterdir()))
    command = command_of(wheel, *OPTIONS, f"--seeds={options.seeds}")
    with ThreadPoolExecutor(options.jobs) as threads:
        for found in threads.map(lambda i: test(command, first + i, shares[i]), range(count)):
            results |= found
    total: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for result in results.values():
        total += result.counts
        reasons += result.reasons
    for reason, count in reasons.most_common():
        print(f"{count:6} skipped: {reason}")
    for result in results.values():
        print(*result.failed, sep="\n", end="\n" if result.failed else "")
    print(f"{built - begin:.0f} s to build, {time.monotonic() - built:.0f} s to test {len(left)} files of {len(files)}")
    ended = sum(result.counts["ended"] > 0 for result in results.values())
    print(f"{total['passed']} passed, {total['skipped']} skipped, {total['failed']} failed", end="; ")
    print(f"{ended} files did not run to their end")
    return 1 if total["failed"] or ended or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
