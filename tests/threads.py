"""The package without the GIL: the suite on 8 threads, shared objects tortured, and both once more for ThreadSanitizer.

It runs on a free-threaded CPython: the one that WEBURL_FREE_THREADED names, or one built from Debian's source in
build/free-threaded, once. It needs what apt-get and a C compiler need, but not root.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "tests" / "free_threaded"
FOLDER = ROOT / "build" / "free-threaded"
SUITE, PACKAGE = "trixie", "python3.13"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"

THREADS = 8
PARALLEL = [f"--parallel-threads={THREADS}", "--iterations=1"]
# What is left out of the suite, by the reason: ours is not what runs; it has threads or processes of its own, or
# measures time; or it is about what a process has one of: a limit, or a count of references.
APART = """
    conformance_page docs encoding hosts_page large source sync typing
    agreement cli cli_* command_page differential fuzz threads
    memory
""".split()
# These work for themselves, one after the other: Hypothesis under a lock, signals in the main thread.
SERIAL = ["--mark-hypothesis-as-unsafe", "-o", "thread_unsafe_functions=signal.signal", "-o", "faulthandler_timeout=0"]
# What ThreadSanitizer runs, which takes ten times as long.
SHARED = [f"tests/test_{name}.py" for name in ("threads", "search_params", "url", "hosts", "percent", "forms")]
# What ThreadSanitizer must report.
RACE = "int n; void add(void) { for (int i = 0; i < 3000000; i++) n++; }"
RACING = """
import ctypes, sys, threading
add = ctypes.CDLL(sys.argv[1]).add
begin = threading.Barrier(2)
threads = [threading.Thread(target=lambda: (begin.wait(), add())) for _ in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


def run(command: Sequence[str | Path], folder: Path = ROOT, variables: Mapping[str, str] | None = None) -> None:
    subprocess.run(command, cwd=folder, env={**os.environ, **(variables or {})}, check=True)


def debian_source() -> Path:
    """The folder of CPython's source, as Debian has it: from the mirror that apt is set to, signed."""
    found = sorted(FOLDER.glob("Python-3.13.*/configure"))
    if found:
        return found[-1].parent
    targets = subprocess.check_output(["apt-get", "indextargets", "--format", "$(REPO_URI)"], text=True).split()
    mirror = next((uri for uri in targets if "security" not in uri), "")
    if not mirror:
        sys.exit("apt has no mirror to take the source of CPython from: set WEBURL_FREE_THREADED to an interpreter")
    (FOLDER / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    (FOLDER / "sources.list").write_text(f"deb-src [signed-by={KEYRING}] {mirror} {SUITE} main\n")
    options = [f"Dir::Etc::SourceList={FOLDER}/sources.list", "Dir::Etc::SourceParts=-", f"Dir::Cache={FOLDER}"]
    options += [f"Dir::State::Lists={FOLDER}/lists", "APT::Sandbox::User="]
    apt = ["apt-get", "-q", *(word for option in options for word in ("-o", option))]
    run([*apt, "update"])
    run([*apt, "source", "--download-only", PACKAGE], FOLDER)
    (archive,) = FOLDER.glob(f"{PACKAGE}_*.orig.tar.xz")
    run(["tar", "-xf", archive], FOLDER)
    return next(FOLDER.glob("Python-3.13.*/configure")).parent


def interpreter() -> Path:
    """A free-threaded CPython."""
    named = os.environ.get("WEBURL_FREE_THREADED")
    if named:
        return Path(named)
    source = debian_source()
    if not (source / "built").exists():
        print("building a free-threaded CPython", flush=True)
        with (FOLDER / "build.log").open("w") as log:
            for command in (
                ["./configure", "-q", "--disable-gil", "--disable-test-modules", "OPT=-O1 -DNDEBUG"],
                ["make", "-s", f"-j{os.cpu_count()}"],
            ):
                subprocess.run(command, cwd=source, stdout=log, stderr=log, check=True)
        (source / "built").touch()
    return source / "python"


def environment() -> Path:
    """The interpreter of a virtual environment with what the tests need."""
    python = FOLDER / "venv" / "bin" / "python"
    requirements = HERE / "requirements.txt"
    installed = FOLDER / "venv" / "installed.txt"
    if not installed.exists() or installed.read_bytes() != requirements.read_bytes():
        shutil.rmtree(FOLDER / "venv", ignore_errors=True)
        run([interpreter(), "-m", "venv", FOLDER / "venv"])
        run([python, "-m", "pip", "install", "-q", "--only-binary", ":all:", "-r", requirements])
        shutil.copy(requirements, installed)
    run([python, "-c", "import sys; sys.exit(sys._is_gil_enabled())"])
    return python


def build(python: Path, kind: str, flags: str = "") -> Path:
    """The package, compiled; gives the folder to import it from."""
    base = FOLDER / kind
    command: list[str | Path] = [python, "setup.py", "-q", "build", "--build-base", base, "--build-lib", base / "lib"]
    run(command, variables={"CFLAGS": flags, "LDFLAGS": flags})
    program = "import sys, weburl.bulk; assert not sys._is_gil_enabled(); print(weburl.__file__)"
    if not flags:
        run([python, "-c", program], variables={"PYTHONPATH": str(base / "lib")})
    return base / "lib"


def step(what: str, began: float) -> None:
    print(f"\n{what} (after {time.monotonic() - began:.0f} s)", flush=True)


def sanitized(python: Path, library: Path, arguments: Sequence[str | Path], expected: bool = False) -> int:
    """Runs a program for ThreadSanitizer; how many reports it made."""
    tsan = subprocess.check_output(["gcc", "-print-file-name=libtsan.so"], text=True).strip()
    log = FOLDER / "tsan"
    for old in FOLDER.glob("tsan.*"):
        old.unlink()
    options = f"exitcode=0 log_path={log} suppressions={HERE / 'tsan.txt'}"
    variables = {"PYTHONPATH": str(library), "LD_PRELOAD": tsan, "TSAN_OPTIONS": options}
    run([python, *arguments], variables=variables)
    reports = "".join(path.read_text("utf-8", "replace") for path in FOLDER.glob("tsan.*"))
    found = len(re.findall(r"^(?:WARNING|FATAL|==\d+==\w+): ThreadSanitizer", reports, re.M))
    if not expected:
        print(reports[:20000])
    return found


def check_that_races_are_seen(python: Path) -> None:
    """ThreadSanitizer that does not work, and ends the program with the status it is told, would report nothing."""
    library = FOLDER / "race.so"
    command = ["gcc", "-O0", "-shared", "-fPIC", "-fsanitize=thread", "-x", "c", "-", "-o", str(library)]
    subprocess.run(command, input=RACE, text=True, check=True)
    if not sanitized(python, FOLDER, ["-c", RACING, library], expected=True):
        sys.exit("ThreadSanitizer does not see a race")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("operations", type=int, nargs="?", default=1_000_000, help="on shared objects")
    parser.add_argument("--short", action="store_true", help="for ThreadSanitizer alone, and less of it")
    options = parser.parse_args(arguments)
    FOLDER.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()

    python = environment()
    version = subprocess.check_output([python, "-VV"], text=True).strip()
    pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *PARALLEL, *SERIAL]
    if not options.short:
        step(f"{version}: the suite on {THREADS} threads", began)
        plain = {"PYTHONPATH": str(build(python, "plain"))}
        apart = [f"--ignore-glob=tests/test_{name}.py" for name in APART]
        run([python, *pytest, "tests", *apart, "-k", "not linear and not limit"], variables=plain)
        step("shared objects", began)
        run([python, HERE / "torture.py", str(options.operations)], variables=plain)

    step(f"{version}: ThreadSanitizer", began)
    check_that_races_are_seen(python)
    instrumented = build(python, "tsan", "-fsanitize=thread")
    reports = sanitized(python, instrumented, [HERE / "torture.py", str(options.operations // 20)])
    reports += sanitized(python, instrumented, [*pytest, *(SHARED[:1] if options.short else SHARED)])
    if not options.short:
        print(f"the suite passes on {THREADS} threads; {options.operations:,} operations on shared objects; ", end="")
    print(f"ThreadSanitizer: {reports} reports; {time.monotonic() - began:.0f} s")
    return 1 if reports else 0


if __name__ == "__main__":
    sys.exit(main())
