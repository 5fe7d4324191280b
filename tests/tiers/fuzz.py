"""Fuzzes the compiled core: through the Python API (fuzz_targets.py), and alone (fuzz/native.pyx, fuzz/scans.pyx,
fuzz/redaction.pyx).

WEBURL_OFFSET_BITS=16 fuzzes a build whose offsets wrap at 64 KiB.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
from collections import Counter
from collections.abc import Sequence
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import NamedTuple

from support import counts, debian
from support.reports import shown
from tiers.fuzz_inputs import generated, line_of, read

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests" / "tiers" / "fuzz"
OFFSET_BITS = os.environ.get("WEBURL_OFFSET_BITS", "32")
BUILD = ROOT / "build" / ("fuzz" if OFFSET_BITS == "32" else f"fuzz-{OFFSET_BITS}")
COUNTS = HERE / "counts.json"
CLANG = "clang-14"
# Without Python: each is a program, of a module in fuzz/.
NATIVE_TARGETS = ("native", "scans", "redaction")
PYTHON_TARGETS = (
    "parse",
    "base",
    "setters",
    "params",
    "percent",
    "forms",
    "idna",
    "arrow",
    "bulk",
    "lines",
    "compat",
    "people",
    "host_sets",
    "files",
    "build",
    "patterns",
    "records",
    "counts",
    "logs",
    "texts",
    "secrets",
    "robots",
)
GENERATED = 300
# Cython makes pointers to the arguments of functions that have none. CPython's flags would let signed numbers wrap.
# Numbers that a narrower integer cuts are reported, too, but for casts, which say so, and what Cython itself writes.
INSTRUMENT = (
    "-fsanitize=address,undefined,implicit-integer-truncation -fno-wrapv -fno-sanitize=pointer-overflow"
    " -fno-sanitize-recover=undefined,implicit-integer-truncation -fno-omit-frame-pointer"
    f" -fsanitize-ignorelist={HERE / 'ignored.txt'} -fsanitize-coverage=inline-8bit-counters,pc-table"
).split()
OPTIONS = (
    f"-dict={HERE / 'url.dict'}", f"-artifact_prefix={BUILD / 'found'}/", "-len_control=0",
    "-entropic=0", "-timeout=1200", "-rss_limit_mb=4096", "-print_final_stats=1", "-verbosity=1", "-detect_leaks=0",
)  # fmt: skip
LONGEST = 1 << 20
# A few vectors long; and a few lines of a log, which the target repeats if it wants a long text.
LONGEST_OF = {"scans": 512, "redaction": 1024}
SANITIZERS = {
    "ASAN_OPTIONS": "detect_leaks=0:malloc_context_size=1:quarantine_size_mb=4",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "PYTHONPATH": os.pathsep.join((str(BUILD / "lib"), str(ROOT / "tests"))),
    "PYTHONDONTWRITEBYTECODE": "1",
}


def run(*command: str | Path, **variables: str) -> None:
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, **variables})


def install() -> None:
    debian.require_clang(14)
    run(sys.executable, "-m", "pip", "install", "-q", "--only-binary", ":all:", "-r", HERE / "requirements.txt")


def build() -> None:
    """Builds the package and the native targets, instrumented, with debug checks."""
    run(
        sys.executable, "setup.py", "-q", "build", "--build-base", BUILD, "--build-lib", BUILD / "lib",
        WEBURL_DEBUG="1", CC=CLANG, LDSHARED=f"{CLANG} -shared", CFLAGS=" ".join(INSTRUMENT),
    )  # fmt: skip
    include, library = sysconfig.get_path("include"), sysconfig.get_config_var("LIBDIR")
    for target in NATIVE_TARGETS:
        code, compiled = BUILD / f"{target}.c", BUILD / f"{target}.o"
        run(sys.executable, "-m", "cython", "-3", "-I", "src", HERE / f"{target}.pyx", "-o", code)
        run(
            CLANG, "-g", "-O2", *INSTRUMENT, "-DWEBURL_DEBUG=1", f"-DWEBURL_OFFSET_BITS={OFFSET_BITS}",
            "-I", "src/weburl/_core", "-I", "src/weburl", "-I", HERE, "-I", include, "-c", code, "-o", compiled,
        )  # fmt: skip
        run(
            CLANG, "-fsanitize=fuzzer,address,undefined", compiled, "-o", BUILD / target, "-rdynamic",
            f"-L{library}", f"-Wl,-rpath,{library}", f"-lpython{sysconfig.get_python_version()}",
        )  # fmt: skip


def start(target: str) -> tuple[list[str], dict[str, str]]:
    """The command that runs a target, and its environment."""
    site = sysconfig.get_path("purelib")
    if target in NATIVE_TARGETS:
        paths = os.pathsep.join((SANITIZERS["PYTHONPATH"], site))
        return [str(BUILD / target)], {**SANITIZERS, "PYTHONPATH": paths, "PYTHONHOME": sys.base_prefix}
    # libFuzzer looks for a mutator when it is loaded.
    (mutator,) = Path(site).glob("atheris/custom_mutator.*.so")
    preload = {"LD_PRELOAD": f"{site}/asan_with_fuzzer.so {mutator}", "PYTHONMALLOC": "malloc"}
    return [sys.executable, str(ROOT / "tests" / "tiers" / "fuzz_targets.py"), target], {**SANITIZERS, **preload}


def write_seeds(target: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    seeds = [data for name in ("seeds.txt", "found.txt") for owner, data in read(name) if owner == target]
    for data in (*seeds, *generated(target, GENERATED)):
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


class Task(NamedTuple):
    target: str
    seconds: int
    longest: int


def fuzz(task: Task) -> tuple[str, int, int]:
    """Runs a target for some seconds: the number of runs, and the exit status."""
    target, seconds, longest = task
    corpus, seeds = BUILD / "corpus" / target, BUILD / "seeds" / target
    corpus.mkdir(parents=True, exist_ok=True)
    write_seeds(target, seeds)
    command, variables = start(target)
    log = BUILD / f"{target}.log"
    with log.open("wb") as output:
        status = subprocess.run(
            [*command, *OPTIONS, f"-max_len={longest}", f"-max_total_time={seconds}", str(corpus), str(seeds)],
            stdout=output, stderr=subprocess.STDOUT, cwd=ROOT, env={**os.environ, **variables},
        ).returncode  # fmt: skip
    text = log.read_bytes().decode("utf-8", "replace")
    runs = re.findall(r"^stat::number_of_executed_units: *(\d+)", text, re.MULTILINE)
    count = int(runs[-1]) if runs else 0
    # A fuzzer that has not run has shown nothing.
    status = status or (0 if count else 1)
    print(f"{target}: {count:,} runs{f', FAILED with {status}' if status else ''}", flush=True)
    if status:
        print(shown(text))
        for unit in re.findall(r"Test unit written to (\S+)", text):
            print(f"make fuzz T='--again {target} {unit}'\n{line_of(target, Path(unit).read_bytes())[:4000]}")
    return target, count, status


def add_counts(runs: dict[str, int]) -> None:
    entries, today = counts.read(COUNTS), counts.today()
    for target, count in runs.items():
        key = {**today, "target": target}
        if OFFSET_BITS != "32":
            key["offset_bits"] = OFFSET_BITS
        entry = next((entry for entry in entries if entry.items() - {("runs", entry["runs"])} == key.items()), None)
        if entry is None:
            entries.append({**key, "runs": count})
        else:
            entry["runs"] += count
    counts.write(COUNTS, entries)


def print_totals() -> None:
    totals: dict[str, Counter[str]] = {"32": Counter(), "16": Counter()}
    for entry in counts.read(COUNTS):
        totals[entry.get("offset_bits", "32")][entry["target"]] += entry["runs"]
    for bits, runs in totals.items():
        native, scans, texts = (runs[target] for target in NATIVE_TARGETS)
        alone = f"{native:,} runs of the core, {scans:,} of its kernels and its door, {texts:,} of texts"
        others = runs.total() - native - scans - texts
        print(f"offsets of {bits} bits: {alone}, {others:,} through Python", dict(runs))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "seconds", type=int, nargs="?", default=600, help="for those without Python and, beside them, the others"
    )
    parser.add_argument(
        "--targets", nargs="+", default=[*NATIVE_TARGETS, *PYTHON_TARGETS], choices=[*NATIVE_TARGETS, *PYTHON_TARGETS]
    )
    parser.add_argument("--longest", type=int, default=LONGEST, help="how long inputs are: of short ones, more run")
    parser.add_argument("--again", nargs=2, metavar=("TARGET", "FILE"), help="runs one input")
    parser.add_argument("--totals", action="store_true", help="prints what tests/tiers/fuzz/counts.json adds up to")
    options = parser.parse_args(arguments)
    if options.totals:
        print_totals()
        return 0
    install()
    build()
    if options.again:
        command, variables = start(options.again[0])
        return subprocess.run([*command, options.again[1]], cwd=ROOT, env={**os.environ, **variables}).returncode
    (BUILD / "found").mkdir(exist_ok=True)
    # Two at a time, one of them without Python; those of a kind share the time.
    kinds = [[target for target in options.targets if target in kind] for kind in (NATIVE_TARGETS, PYTHON_TARGETS)]
    tasks = [
        [Task(target, max(1, options.seconds // len(kind)), LONGEST_OF.get(target, options.longest)) for target in kind]
        for kind in kinds
    ]
    with ThreadPool(len(tasks)) as pool:
        results = [result for kind in pool.map(lambda kind: [fuzz(task) for task in kind], tasks) for result in kind]
    add_counts({target: runs for target, runs, _ in results})
    print_totals()
    return 1 if any(status for _, _, status in results) else 0


if __name__ == "__main__":
    sys.exit(main())
