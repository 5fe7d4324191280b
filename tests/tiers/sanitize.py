"""Runs the test suite in a debug build with AddressSanitizer and UndefinedBehaviorSanitizer.

Every file has a process of its own; in a short run, so has a folder. Python allocates with malloc, so that reads after
the end of a str are seen. Memory of the package's C code that cannot be freed any more is a failure at the end of a
process. Lost references are for tests/tiers/leaks.py.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from multiprocessing.pool import ThreadPool
from pathlib import Path

from support.reports import shown

ROOT = Path(__file__).resolve().parents[2]
OFFSET_BITS = os.environ.get("WEBURL_OFFSET_BITS", "32")
BUILD = ROOT / "build" / ("sanitize" if OFFSET_BITS == "32" else f"sanitize-{OFFSET_BITS}")

# These use hardly any C code of the package, and work through large tables.
PYTHON_ONLY = {"tests/test_encoding.py", "tests/test_check_source.py", "tests/test_sync.py", "tests/test_typing.py"}
# Of the memory of a process, to which the sanitizers add theirs.
APART = [
    "--deselect=tests/test_cli_streams.py::test_memory_is_constant",
    "--deselect=tests/test_cli_max_line.py::test_a_small_file_with_one_line_of_a_gigabyte",
]
# The files for a short run: all of the compiled code. Those that take minutes come first.
SHORT = """
    tests/test_redact_text.py tests/test_block_door.py tests/test_lookaround.py
    tests/test_door.py tests/test_column_memory.py tests/wpt tests/test_bulk.py tests/test_bulk_arrow.py
    tests/test_bulk_crawl.py tests/test_bulk_patterns.py tests/test_cli_input.py tests/test_cli_logs.py
    tests/test_cli_dedup.py tests/test_cli_empty.py tests/test_cli_join.py tests/test_cli_records.py
    tests/test_cli_stats.py tests/test_column_copies.py tests/test_crawl.py tests/test_page_parts.py
    tests/test_errors.py tests/test_forms.py tests/test_fuzz.py tests/test_hostile_objects.py tests/test_hosts.py
    tests/test_limit.py tests/test_memory.py tests/test_own_cases.py tests/test_path_template.py tests/test_percent.py
    tests/test_pickle_copy.py tests/test_psl.py tests/test_redact.py tests/test_scan.py tests/test_search_params.py
    tests/test_strings.py tests/test_surrogates.py tests/test_text.py tests/test_text_model.py tests/test_threads.py
    tests/test_url.py
""".split()


def build() -> None:
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build", "--build-base", BUILD, "--build-lib", BUILD / "lib"],
        cwd=ROOT,
        env={**os.environ, "WEBURL_SANITIZE": "1"},
        check=True,
    )


def runtime(name: str) -> str:
    return subprocess.run(
        ["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()  # fmt: skip


def environment(file: str) -> dict[str, str]:
    return {
        **os.environ,
        # Python itself is not instrumented.
        "LD_PRELOAD": f"{runtime('libasan.so')} {runtime('libubsan.so')}",
        "PYTHONPATH": str(BUILD / "lib"),
        "PYTHONMALLOC": "pymalloc" if file in PYTHON_ONLY else "malloc",
        # Of the stack of an allocation only the caller counts: the interpreter's own are suppressed by it.
        # Damaged pickles ask for more memory than there is.
        "ASAN_OPTIONS": "detect_leaks=1:malloc_context_size=2:exitcode=99:allocator_may_return_null=1",
        "LSAN_OPTIONS": f"suppressions={Path(__file__).with_name('lsan.txt')}:print_suppressions=0",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    }


def pytest(file: str) -> tuple[int, str]:
    """Runs a command: its status and its output."""
    # A report ends the process: what pytest had captured of it would be lost.
    options = ["-q", "--capture=sys", "-p", "no:cacheprovider", "-o", "faulthandler_timeout=1800", *APART]
    if OFFSET_BITS != "32":
        options += ["-m", "not long"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, file],
        cwd=ROOT,
        env=environment(file),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout.decode("utf-8", "replace")


def run(file: str) -> tuple[bool, int]:
    """Whether a file fails, and the number of reports."""
    start = time.monotonic()
    for _ in range(3):
        status, output = pytest(file)
        # The tracer that looks for leaks at the end sometimes crashes itself; then nothing is known of them.
        if "LeakSanitizer has encountered a fatal error" not in output:
            break
    reports = len(re.findall(r"ERROR: \w+Sanitizer|: runtime error: |^weburl: broken record", output, re.MULTILINE))
    last = re.findall(r"^\d+ (?:passed|failed|skipped).*", output, re.MULTILINE)
    print(
        f"{file}: {last[-1] if last else 'no result'}; {reports} reports; {time.monotonic() - start:.0f} s", flush=True
    )
    failed = bool(status or reports)
    if failed:
        print(shown(output), flush=True)
    return failed, reports


def files(arguments: Sequence[str]) -> list[str]:
    found = []
    for argument in arguments:
        path = ROOT / argument
        tests = sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
        found += [test.relative_to(ROOT).as_posix() for test in tests if "engines" not in test.parts]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", nargs="*", default=["tests", "README.md"], help="files and folders")
    parser.add_argument("--short", action="store_true", help="what exercises the compiled code most")
    options = parser.parse_args(arguments)
    build()
    start = time.monotonic()
    todo = SHORT if options.short else files(options.tests)
    with ThreadPool(os.cpu_count()) as pool:
        results = pool.map(run, todo, chunksize=1)
    failed = sum(status for status, _ in results)
    reports = sum(count for _, count in results)
    print(f"{len(todo)} processes, {failed} failed, {reports} reports; {time.monotonic() - start:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
