"""Compares weburl's URL patterns with other implementations, over many generated pairs of a pattern and an input.

The others are upa-url, PyPI's urlpattern and Node, each in a process of its own, which is ended where it takes too
long. Where they differ, the standard's text decides, which literal.py has. Then a known deviation has to explain it.
What they need is installed into this environment and into build/patterns.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import select
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cache, lru_cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from support.patterns import COMPONENTS, make_pattern
from tiers.agreement import shorter
from tiers.differential import installed
from tiers.pattern_oracles.cases import INPUTS, Case, cases, scalar
from tiers.pattern_oracles.deviations import DEVIATIONS, Deviation
from tiers.pattern_oracles.literal import Literal
from tiers.pattern_oracles.observe import observed
from tiers.pattern_oracles.places import ENDED, LATE, Difference, differences

from weburl import InvalidURL, PatternError, URLPattern

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests" / "tiers" / "pattern_oracles"
BUILD = ROOT / "build" / "patterns"
NODE = [str(BUILD / "node_modules" / "node" / "bin" / "node"), "--max-old-space-size=512"]
COMMANDS = {
    "upa-url": [sys.executable, "-m", "tiers.pattern_oracles.upa"],
    "urlpattern": [sys.executable, "-m", "tiers.pattern_oracles.rust"],
    "node": [*NODE, str(HERE / "node.mjs")],
    "regexp": [*NODE, str(HERE / "regexp.mjs")],
    "path-to-regexp": [*NODE, str(HERE / "path_to_regexp.mjs"), str(BUILD / "node_modules" / "path-to-regexp")],
}
PEERS = ("upa-url", "urlpattern", "node")
SEED_CASES = 500
SHOWN_DIFFERENCES = 10
# Of one case. Their engines of regular expressions can take forever.
SECONDS = 0.5
MOST_BYTES = 2 << 30
# A deviation that explains nothing in this many pairs is out of date.
STALE_AFTER = 400_000


class Late(Exception):
    """Raised when a process does not answer in time, or has ended."""


class Weburl:
    # InvalidURL: the base does not parse.
    refusals = (PatternError, InvalidURL, TypeError)

    def make(self, arguments: Sequence[Any]) -> URLPattern:
        return make_pattern(arguments)

    def has_regexp_groups(self, pattern: URLPattern) -> bool:
        return pattern.has_regexp_groups

    def test(self, pattern: URLPattern, arguments: Sequence[Any]) -> bool:
        return pattern.test(*arguments)

    def exec(self, pattern: URLPattern, arguments: Sequence[Any]) -> Mapping[str, Any] | None:
        match = pattern.exec(*arguments)
        if match is None:
            return None
        parts = {name: getattr(match, name) for name in COMPONENTS}
        shown = {name: {"input": part.input, "groups": part.groups} for name, part in parts.items()}
        return shown | {"inputs": match.inputs}


WEBURL = Weburl()


class Oracle:
    """A process that answers lines. It starts anew after an answer that does not come in time."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.start()

    def start(self) -> None:
        paths = [str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
        self.process = subprocess.Popen(
            COMMANDS[self.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, bufsize=0
        )
        if COMMANDS[self.name][0] == sys.executable:
            resource.prlimit(self.process.pid, resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        self.read = b""
        self.version = self.line(60.0)

    def line(self, seconds: float) -> str:
        assert self.process.stdout is not None
        end = time.monotonic() + seconds
        while b"\n" not in self.read:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise Late(LATE)
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                raise Late(ENDED)
            self.read += data
        text, self.read = self.read.split(b"\n", 1)
        return text.decode()

    def write(self, lines: Sequence[bytes]) -> None:
        assert self.process.stdin is not None
        stdin = self.process.stdin
        # Beside the reading, for neither side has room for all lines of the other.
        # The file is its own, so that what the end of this process leaves is not written to the next one.
        threading.Thread(target=write_all, args=(os.dup(stdin.fileno()), b"".join(lines)), daemon=True).start()

    def answers(self, questions: Sequence[Any]) -> list[Any]:
        """An answer for each, or LATE or ENDED."""
        lines = [json.dumps(one).encode() + b"\n" for one in questions]
        found: list[Any] = []
        while len(found) < len(lines):
            self.write(lines[len(found) :])
            try:
                while len(found) < len(lines):
                    found.append(json.loads(self.line(SECONDS)))
            except Late as late:
                found.append(str(late))
                self.end()
                self.start()
        return found

    def ask(self, question: Any) -> Any:
        (answer,) = self.answers([question])
        if answer in (LATE, ENDED):
            raise Late(answer)
        return answer

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


def write_all(file: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(file, data) :]
    except OSError:
        # The process has ended, which the reading tells.
        return
    finally:
        os.close(file)


@cache
def oracle(name: str) -> Oracle:
    return Oracle(name)


@lru_cache(1 << 16)
def run_expression(source: str, flags: str, inputs: tuple[str, ...]) -> Any:
    return oracle("regexp").ask([source, flags, inputs])


TEXT = Literal(lambda source, flags, inputs: run_expression(source, flags, tuple(inputs)))


def by_the_text(case: Case) -> Any:
    try:
        return plain(observed(TEXT, case))
    except Late as late:
        return str(late)


def plain(answer: Any) -> Any:
    """As it comes out of JSON."""
    return json.loads(json.dumps(answer))


class Found(NamedTuple):
    """A difference from the text that no deviation explains."""

    who: str
    case: Case


class Report(NamedTuple):
    """What was seen of the cases of one seed; deviations by their index."""

    counts: Counter[str]
    explained: Counter[int]
    found: list[Found]


def explain(who: str, difference: Difference) -> int | None:
    return next((i for i, one in enumerate(DEVIATIONS) if one.who == who and one.explains(difference)), None)


def shared(one: Difference) -> tuple[Any, ...]:
    """What two implementations that are right where the text's engine is wrong have in common."""
    return one.place, one.input, isinstance(one.other, list) if one.place == "match" else one.other


def judged(case: Case, answers: Mapping[str, Any]) -> Iterator[tuple[str, Difference, int | None]]:
    """Who differs from the text and where, with the index of the deviation that explains it."""
    right = by_the_text(case)
    if right in (LATE, ENDED):
        yield "text", Difference(case, "text", None, right, None), None
        return
    is_special = True
    if right is not None:
        pattern = TEXT.make(case[0])
        is_special = pattern.is_special(pattern.components["protocol"])
    found = {
        who: list(differences(case, right, answer)) for who, answer in answers.items() if answer not in (LATE, ENDED)
    }
    elsewhere = [shared(one) for who in PEERS if who != "node" for one in found.get(who, ())]
    for who, each in found.items():
        for one in each:
            difference = one._replace(is_special=is_special, is_shared=shared(one) in elsewhere)
            yield who, difference, explain(who, difference)


def run(task: tuple[int, int]) -> Report:
    seed, count = task
    batch = list(islice(cases(seed), count))
    answers: dict[str, list[Any]] = {}
    threads = [
        threading.Thread(target=lambda name=name: answers.update({name: oracle(name).answers(batch)})) for name in PEERS
    ]
    for thread in threads:
        thread.start()
    answers["weburl"] = [plain(observed(WEBURL, case)) for case in batch]
    for thread in threads:
        thread.join()
    counts: Counter[str] = Counter(cases=len(batch))
    explained: Counter[int] = Counter()
    found: list[Found] = []
    for i, case in enumerate(batch):
        seen = {name: answers[name][i] for name in ("weburl", *PEERS)}
        counts.update(f"{name} {answer}" for name, answer in seen.items() if answer in (LATE, ENDED))
        ours = seen["weburl"]
        if ours is None:
            counts["pairs refused"] += len(case[1])
        else:
            counts["pairs"] += len(case[1])
            counts["matches"] += sum(isinstance(match, list) for match in ours[2])
        if all(answer == ours for answer in seen.values()):
            continue
        if seen["node"] == LATE:
            # The text's expressions run in the same engine.
            counts[f"text {LATE}"] += 1
            continue
        counts["cases that differ"] += 1
        unexplained = set()
        for who, difference, index in judged(case, seen):
            if difference.place == "text":
                counts[f"text {difference.right}"] += 1
            elif index is None:
                unexplained.add(who)
            else:
                explained[index] += 1
        found += [Found(who, case) for who in sorted(unexplained)]
    return Report(counts, explained, found)


def simpler(case: Case) -> Iterator[Case]:
    arguments, inputs = case
    if len(inputs) > 1:
        yield from ((arguments, [one]) for one in inputs)
    if inputs:
        yield arguments, []
    yield from ((one, inputs) for one in simpler_arguments(arguments))
    if len(inputs) == 1:
        yield from ((arguments, [one]) for one in simpler_arguments(inputs[0]))


def simpler_arguments(arguments: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for i, one in enumerate(arguments):
        before, after = list(arguments[:i]), list(arguments[i + 1 :])
        if i:
            yield [*before, *after]
        if isinstance(one, str):
            yield from ([*before, text, *after] for text in shorter(one))
        else:
            for name, value in one.items():
                yield [*before, {key: text for key, text in one.items() if key != name}, *after]
                if isinstance(value, str):
                    yield from ([*before, one | {name: text}, *after] for text in shorter(value))


def all_answers(case: Case) -> dict[str, Any]:
    return {"weburl": plain(observed(WEBURL, case))} | {name: oracle(name).answers([case])[0] for name in PEERS}


def unexplained(who: str, case: Case) -> Difference | None:
    shown = (one for name, one, index in judged(case, all_answers(case)) if name == who and index is None)
    return next(shown, None)


def minimized(who: str, case: Case) -> Case:
    """The simplest case that still differs."""
    found: Case | None = case
    while found is not None:
        case = found
        found = next((one for one in map(scalar, simpler(case)) if unexplained(who, one) is not None), None)
    return case


def stale(deviation: Deviation) -> list[str]:
    """What is wrong with the example of a deviation."""
    answers = all_answers(deviation.example)
    found = list(judged(deviation.example, answers))
    shown = [one for who, one, _ in found if who == deviation.who]
    if answers[deviation.who] in (LATE, ENDED) or any(one.place == "text" for _, one, _ in found):
        # On a busy machine; it says nothing.
        return []
    if any(map(deviation.explains, shown)):
        return []
    return [f"{deviation.who}, {deviation.reason}: its example {deviation.example!a} shows {shown!a}"]


def install() -> None:
    requirements = HERE / "requirements.txt"
    wanted = dict(one.split("==") for one in requirements.read_text("utf-8").split())
    if any(installed(name) != exact for name, exact in wanted.items()):
        pip = [sys.executable, "-m", "pip", "install", "-q", "--only-binary", ":all:", "-r", str(requirements)]
        subprocess.run(pip, check=True)
    package = HERE / "package.json"
    if not ((BUILD / "node_modules").is_dir() and (BUILD / package.name).read_bytes() == package.read_bytes()):
        shutil.rmtree(BUILD, ignore_errors=True)
        BUILD.mkdir(parents=True)
        shutil.copy(package, BUILD)
        subprocess.run(["npm", "install", "--silent"], cwd=BUILD, check=True)


def compare(pairs: int, seed: int, jobs: int) -> bool:
    """Whether all agree, apart from known deviations. Prints the results."""
    print("weburl against", ", ".join(oracle(name).version for name in PEERS), flush=True)
    problems = [problem for deviation in DEVIATIONS for problem in stale(deviation)]
    total = -(-pairs // INPUTS)
    tasks = [
        (number, min(SEED_CASES, total - done)) for number, done in enumerate(range(0, total, SEED_CASES), start=seed)
    ]
    start = time.monotonic()
    counts: Counter[str] = Counter()
    explained: Counter[int] = Counter()
    found: list[Found] = []
    with ExitStack() as stack:
        reports: Iterable[Report] = map(run, tasks)
        if jobs > 1:
            reports = stack.enter_context(get_context("spawn").Pool(jobs)).imap_unordered(run, tasks)
        for report in reports:
            before = counts["cases"]
            counts += report.counts
            explained += report.explained
            found += report.found
            for one in report.found:
                print(f"{one.who} {one.case!a}", flush=True)
            if before * 20 // total < counts["cases"] * 20 // total:
                done = f"{counts['cases']:,} patterns, {len(found):,} unexplained differences"
                print(f"{done}, {time.monotonic() - start:.0f} s", flush=True)
    print(
        f"{counts['pairs'] + counts['pairs refused']:,} pairs (seeds {seed} to {tasks[-1][0]}), "
        f"{counts['pairs']:,} of patterns that weburl makes, {counts['matches'] / counts['pairs']:.1%} are matches; "
        f"{counts['cases that differ']:,} of {counts['cases']:,} patterns differ somewhere, "
        f"{len(found):,} unexplained; {time.monotonic() - start:.0f} s"
    )
    print(*(f"{counts[key]:9,} {key}" for key in sorted(counts) if key.endswith((LATE, ENDED))), sep="\n")
    for i, deviation in enumerate(DEVIATIONS):
        print(f"{explained[i]:9,} {deviation.who}: {deviation.reason} (#{deviation.anchor})")
        if not explained[i] and counts["pairs"] >= STALE_AFTER:
            problems.append(f"{deviation.who}, {deviation.reason}: explains nothing")
    print(*problems, sep="\n", end="\n" if problems else "")
    for who, case in sorted(found, key=lambda one: (one.who != "weburl", len(ascii(one.case))))[:SHOWN_DIFFERENCES]:
        least = minimized(who, case)
        shown = unexplained(who, least)
        if shown is not None:
            print(
                f"\n{who}, {shown.place}: {least!a}\nby the text: {shown.right!a}\n{who}: {shown.other!a}", flush=True
            )
    return not found and not problems


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=int, nargs="?", default=20_000)
    parser.add_argument(
        "--seed", type=int, default=1, help=f"the first seed: every {SEED_CASES} patterns have the next"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    if options.pairs < 1 or options.jobs < 1:
        parser.error("pairs and jobs are at least 1")
    install()
    agree = compare(options.pairs, options.seed, options.jobs)
    for name in COMMANDS:
        oracle(name).end()
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
