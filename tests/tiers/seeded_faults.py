"""Checks that the tests notice faults: they are put into a copy of the source, and a test has to catch each one.

The patches of tests/tiers/faults come first, then mutants of the compiled files, drawn by a seed. A mutant
that no test catches is listed. It is a failure unless tests/tiers/faults/reasons.json says why it changes nothing.
`100` is the patches and the first 100 mutants. `61-100,7` is these mutants alone, by their numbers, in a
copy of their own: two such runs do not meet.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "weburl"
FAULTS = ROOT / "tests" / "tiers" / "faults"
REASONS = FAULTS / "reasons.json"
COPIES = ROOT / "build" / "faults"
COPY = COPIES / "first"
LIBRARY = COPY / "build" / "lib"

CORE = "tests/wpt tests/test_own_cases.py tests/test_url.py tests/test_search_params.py tests/test_limit.py".split()
CORE += [
    f"tests/test_{name}.py"
    for name in "percent forms hosts scan door strings surrogates errors bulk bulk_hosts bulk_queries".split()
]
# What is run first for a mutant: the tests of its module, or of its room. A survivor then meets all the others.
QUICK = {
    room: [f"tests/test_{name}.py" for name in names.split()]
    for room, names in {
        "_arrow": "bulk bulk_arrow memory",
        "_arrow/batch": "column_memory bulk bulk_arrow memory",
        "_arrow/export": "column_copies column_memory bulk_arrow memory",
        "_crawl": "crawl surt crawl_parameters tracking groups common_crawl bulk_crawl",
        "_crawl/nesting": "page_parts",
        "_hosts": "host_sets host_files bulk_hosts labels",
        "_hosts/columns": "bulk_hosts bulk_crawl",
        "_hosts/suffixes": "psl bulk_hosts bulk_crawl",
        "_learn": "learn learn_counts learn_families learn_rules learn_update cli_learn",
        "_patterns": "patterns pattern_objects pattern_automata bulk_patterns pattern_agreement cli_patterns",
        "_patterns/columns": "bulk_patterns bulk_hosts",
        "_redact": "redaction_lists redact redact_text redact_text_fields redact_text_names redact_text_requests "
        "redaction_corpus redact_each redact_stream log_policies path_template",
        "_redact/columns": "redact bulk bulk_arrow bulk_queries redact_each",
        "_robots": "robots cli_robots",
        "_text": "text text_cases text_model cli_find redact_text",
        "_unicode": "idna hosts",
        "_verbs": "bulk bulk_queries",
        "cli/counting": "cli_stats cli_stats_groups",
        "cli/keys": "cli_dedup cli_join",
        "cli/readers": "cli_records cli_logs cli_log_fields cli_log_formats cli_row_filter cli_input cli_max_line "
        "cli_failing_files",
        "cli/writers": "cli cli_hygiene cli_stats cli_check cli_explain_diff",
        "compat": "compat_w3lib",
    }.items()
}
# Of the types and the texts of the repository only, or with a time between two looks that this build has not.
APART = [f"--ignore=tests/test_{name}.py" for name in ("typing", "check_source", "docs", "package")]
UNTIMED = ["-k", "not interrupted"]
# All tests take minutes.
TOGETHER = ["-n", "auto", "--maxprocesses", "8", "--dist", "worksteal"]
# Tested by `make test-engines`.
NOT_HERE = {"ext/_duckdb.pyx", "ext/_polars.pyx"}
# Nothing is left of them in the build that is tested here.
DEBUG_ONLY: set[str] = set()

# A test that takes longer hangs, on a busy machine, too; and all tests together, of the processor's time.
SECONDS_A_TEST = 240
SECONDS = 600
ADDRESS_SPACE = 8 << 30
SANITIZE = "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"


class Mutant(NamedTuple):
    """A line of a module, and its replacement."""

    file: str
    number: int
    before: str
    after: str
    # Names it also when other lines of the module have moved or changed.
    key: str


# Mutants.

SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "+=": "-=", "-=": "+=",
    "&": "|", "|": "&", "<<": ">>", ">>": "<<", "//": "*", "and": "or", "or": "and", "True": "False", "False": "True",
    "break": "continue", "continue": "break", "min": "max", "max": "min",
}  # fmt: skip
WORDS = {"return", "if", "elif", "else", "while", "and", "or", "not", "in", "is", "except", "yield", "for"}
# Names and types, which can look like operators: with the lines after them that are indented further.
DECLARATION = re.compile(r"\s*(cdef extern|cdef enum|ctypedef|from|import|cimport)\b|.*\bcimport\b")
# The sizes of scratch memory, and the ends of signatures.
SIGNATURE = re.compile(r"\s*(cdef [\w ]+\[\d+\]|@)|.*\) (noexcept|except)\b")

FUNCTION = re.compile(r"(?:    )?(?:cdef|def)\b[^=]*?(\w+)\(")


def is_operand(token: tokenize.TokenInfo) -> bool:
    """Whether an operator after this token has two sides."""
    if token.type == tokenize.NAME:
        return token.string not in WORDS
    return token.type in (tokenize.NUMBER, tokenize.STRING) or token.string in (")", "]")


def replacements(tokens: Sequence[tokenize.TokenInfo]) -> Iterator[tuple[tokenize.TokenInfo, str]]:
    """The tokens that can be changed, with their replacements."""
    cast = False
    for i in range(1, len(tokens) - 1):
        before, token, after = tokens[i - 1 : i + 2]
        text = token.string
        if token.type == tokenize.NUMBER and text.isalnum():
            yield token, str(int(text, 0) + 1)
        elif text == "<" and not is_operand(before):
            cast = True
        elif text == ">" and cast:
            cast = False
        elif text == "not" and before.string != "is" and after.string not in ("in", "None"):
            yield token, ""
        elif text in SWAPS and (token.type == tokenize.NAME or is_operand(before)):
            yield token, SWAPS[text]


def declarations(lines: Sequence[str]) -> set[int]:
    """The numbers of the lines that are not changed."""
    found = set()
    inside = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        if inside is not None and indent <= inside:
            inside = None
        if DECLARATION.match(line):
            inside = indent
        if inside is not None or SIGNATURE.match(line):
            found.add(number)
    return found


def mutants_of(path: Path) -> Iterator[Mutant]:
    text = path.read_text("utf-8")
    lines = text.splitlines(keepends=True)
    declared = declarations(lines)
    tokens = [
        token
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    ]
    seen: Counter[str] = Counter()
    for token, new in replacements(tokens):
        number = token.start[0]
        line = lines[number - 1]
        if number in declared:
            continue
        changed = line[: token.start[1]] + new + line[token.end[1] :]
        heads = (FUNCTION.match(above) for above in reversed(lines[:number]))
        function = next((head[1] for head in heads if head), "")
        if function in DEBUG_ONLY:
            continue
        key = f"{path.relative_to(SOURCE).as_posix()} {function}: {line.strip()} -> {changed.strip()}"
        seen[key] += 1
        yield Mutant(
            path.relative_to(SOURCE).as_posix(),
            number,
            line,
            changed,
            f"{key} ({seen[key]})" if seen[key] > 1 else key,
        )


def drawn(seed: int) -> list[Mutant]:
    """All mutants, in an order that the seed gives. Changing a line does not change the order of the others."""
    paths = sorted(path for path in SOURCE.rglob("*") if path.suffix in (".pyx", ".pxi"))
    mutants = [mutant for path in paths for mutant in mutants_of(path) if mutant.file not in NOT_HERE]
    return sorted(mutants, key=lambda mutant: hashlib.sha256(f"{seed} {mutant.key}".encode()).digest())


# The copy.


def run(command: Sequence[str], environment: dict[str, str] | None = None, **options: object) -> tuple[int, str]:
    """Runs a command in the copy: its status, negative for a signal, and its output."""
    done = subprocess.run(
        command,
        cwd=COPY,
        env={**os.environ, "PYTHONPATH": str(LIBRARY), **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        **options,  # type: ignore[call-overload]
    )
    return done.returncode, done.stdout


def use_copy(folder: Path) -> None:
    global COPY, LIBRARY
    COPY = folder
    LIBRARY = COPY / "build" / "lib"


def make_copy() -> None:
    """Copies the repository with its build, so that only changed files are built again."""
    shutil.rmtree(COPY, ignore_errors=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    names = [name for name in listed.decode().split("\0") if name]
    copies = {ROOT / name: COPY / name for name in names if (ROOT / name).is_file()}
    copies |= {path: COPY / path.relative_to(ROOT) for path in (ROOT / "build" / "src" / "weburl").rglob("*.c")}
    copies |= {path: LIBRARY / path.relative_to(ROOT / "src") for path in SOURCE.rglob("*.so")}
    for path, copy in copies.items():
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
    status, output = build()
    if status:
        sys.exit(f"the copy cannot be built:\n{output}")
    status, output = run([sys.executable, "-c", "import weburl; print(weburl.__file__)"])
    if not output.startswith(str(COPY)):
        sys.exit(f"the copy is not what is imported: {output}")


def build(sanitize: bool = False) -> tuple[int, str]:
    flags = {"CFLAGS": SANITIZE, "LDFLAGS": SANITIZE} if sanitize else {}
    return run([sys.executable, "setup.py", "-q", "build", "--build-lib", str(LIBRARY)], flags)


def module_of(source: Path) -> Path:
    """The module that is compiled from a file, or from one of its parts."""
    if source.suffix == ".pyx":
        return source
    includes = f'include "{source.name}"\n'
    (module,) = [path for path in (COPY / source).parent.glob("*.pyx") if includes in path.read_text("utf-8")]
    return module.relative_to(COPY)


class Changed:
    """A module of the copy, or a part of one. It is restored at the end."""

    def __init__(self, source: str) -> None:
        module = module_of(Path(source)).with_suffix("")
        extension = f"{module.relative_to('src')}{sysconfig.get_config_var('EXT_SUFFIX')}"
        self.paths = [COPY / source, COPY / "build" / f"{module}.c", LIBRARY / extension]

    def __enter__(self) -> None:
        self.kept = [(path.read_bytes(), path.stat()) for path in self.paths]

    def __exit__(self, *error: object) -> None:
        for path, (data, stat) in zip(self.paths, self.kept, strict=True):
            path.write_bytes(data)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def set_limits() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def caught_by(tests: Sequence[str], sanitize: bool = False) -> str | None:
    """The first test that fails or hangs, or None."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", *tests]
    command += ["-o", f"faulthandler_timeout={SECONDS_A_TEST}", "-o", "faulthandler_exit_on_timeout=true"]
    if sanitize:
        libraries = [subprocess.check_output(["gcc", f"-print-file-name=lib{name}.so"], text=True).strip()
                     for name in ("asan", "ubsan")]  # fmt: skip
        # What ends the process says so on the standard error of its own.
        status, output = run([*command, "--capture=no"], {
            "LD_PRELOAD": " ".join(libraries), "PYTHONMALLOC": "malloc",
            "ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "halt_on_error=1",
        })  # fmt: skip
    else:
        status, output = run(command, preexec_fn=set_limits)
    if status == 0:
        return None
    if "Timeout (" in output:
        stack = re.findall(r"(tests/[\w/]+\.py).*, line \d+ in (test_\w+)", output)
        return f"hangs: {'::'.join(stack[-1]) if stack else 'no test'}"
    report = re.search(r"AddressSanitizer: [\w-]+|^(?:FAILED|ERROR) (\S.*?)(?: - |$)|runtime error: .*", output, re.M)
    found = (report[1] or report[0]) if report else ""
    return f"{signal.Signals(-status).name} {found}".strip()[:110] if status < 0 else found[:110]


@cache
def check_passes(tests: tuple[str, ...], sanitize: bool = False) -> None:
    """Runs the tests without a fault, as a test that always fails would catch them all."""
    found = caught_by(tests, sanitize)
    if found is not None:
        sys.exit(f"{' '.join(tests)} without a fault: {found}")


# The two parts.


def try_patches() -> int:
    """Applies each patch in turn; returns how many are not caught."""
    patches = sorted(FAULTS.glob("*.patch"))
    assert patches
    missed = 0
    print(f"{len(patches)} faults of tests/tiers/faults:")
    for path in patches:
        text = path.read_text("utf-8")
        source = re.search(r"^--- a/(\S+)", text, re.M)
        tests = re.search(r"^Tests: (.*)", text, re.M)
        if source is None or tests is None:
            sys.exit(f"{path.name} does not say what it changes, or which tests to run")
        sanitize = "\nSanitized: yes\n" in text
        with Changed(source[1]):
            if sanitize:
                (COPY / source[1]).touch()
                build(sanitize)
            check_passes(tuple(tests[1].split()), sanitize)
            for command in (["patch", "-p1", "-s", "-i", str(path)], None):
                status, output = run(command) if command else build(sanitize)
                if status:
                    sys.exit(f"{path.name}: {output}")
            found = caught_by(tests[1].split(), sanitize)
        missed += found is None
        print(f"  {'NOT CAUGHT' if found is None else 'caught'}  {path.stem}: {found or tests[1]}", flush=True)
    print(f"{len(patches) - missed} of {len(patches)} caught\n", flush=True)
    return missed


def tests_of(file: str) -> list[str]:
    path = PurePosixPath(file)
    rooms = [str(room) for room in (path.with_suffix(""), *path.parents)]
    return next((QUICK[room] for room in rooms if room in QUICK), CORE)


def numbers_of(text: str) -> list[int] | None:
    """The numbers of `61-100,7`, in order. None for a count: `7,` is the seventh mutant, `7` are seven."""
    if text.isdecimal():
        return None
    ends = [part.partition("-") for part in text.split(",") if part]
    return sorted({number for a, _, b in ends for number in range(int(a), int(b or a) + 1)})


def try_mutants(text: str, seed: int, everything: bool) -> int:
    """Builds some mutants; returns how many survive without a reason."""
    numbers = numbers_of(text)
    count = int(text) if numbers is None else len(numbers)
    reasons: dict[str, str] = json.loads(REASONS.read_text("utf-8"))
    mutants = drawn(seed)
    if stale := reasons.keys() - {mutant.key for mutant in mutants}:
        sys.exit(f"reasons for mutants that do not exist: {sorted(stale)}")
    survivors = []
    built = 0
    print(f"{count} mutants, seed {seed}:")
    rest = ("tests", *APART, *UNTIMED, *TOGETHER)
    if count and everything:
        check_passes(rest)
    for i, mutant in enumerate(mutants, 1):
        if built == count:
            break
        if numbers is not None and i not in numbers:
            continue
        source = f"src/weburl/{mutant.file}"
        files = tests_of(mutant.file)
        quick = (*files, *UNTIMED)
        # All tests include them.
        if not everything:
            check_passes(quick)
        began = time.monotonic()
        with Changed(source):
            lines = (COPY / source).read_text("utf-8").splitlines(keepends=True)
            assert lines[mutant.number - 1] == mutant.before
            lines[mutant.number - 1] = mutant.after
            (COPY / source).write_text("".join(lines), "utf-8")
            if build()[0]:
                print(f"  {i}: does not build  {mutant.key}", flush=True)
                continue
            built += 1
            found = caught_by(quick)
            if found is None and everything and mutant.key not in reasons:
                found = caught_by((*rest, *(f"--ignore={file}" for file in files)))
        if found is None:
            survivors.append(mutant)
        verdict = "survives" if found is None else "caught"
        print(f"  {i}: {verdict}  {mutant.key}  (line {mutant.number}, {time.monotonic() - began:.0f} s)", flush=True)
        if found is not None:
            print(f"          {found}", flush=True)
    for mutant in survivors:
        print(f"survives  {mutant.key}\n          {reasons.get(mutant.key, 'WITHOUT A REASON: a test is missing')}")
    unexplained = sum(mutant.key not in reasons for mutant in survivors)
    print(f"{built} mutants, seed {seed}: {built - len(survivors)} caught, {len(survivors)} survive, ", end="")
    print(f"{unexplained} of them without a reason")
    return unexplained


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mutants", nargs="?", default="30", help="how many mutants to build, or which: 61-100,7")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="give a survivor of a module's own tests up for lost")
    options = parser.parse_args(arguments)
    which = numbers_of(options.mutants)
    if which is not None:
        use_copy(COPIES / options.mutants)
    make_copy()
    missed = try_patches() if which is None else 0
    return 1 if missed + try_mutants(options.mutants, options.seed, not options.quick) else 0


if __name__ == "__main__":
    sys.exit(main())
