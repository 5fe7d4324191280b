"""Compares weburl with other implementations, over many generated cases.

The oracles are whatwg-url on Node, ada-url and upa-url, and Chromium for fewer cases, each in a process of its own.
If something that they need is missing, it is installed into this environment and into build/differential.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from support import debian
from support.counts import add_seeds, next_seed
from tiers.agreement import shorter
from tiers.oracles.cases import cases
from tiers.oracles.departures import DEPARTURES, rewritten
from tiers.oracles.lags import LAGS, Difference, Lag
from tiers.oracles.observe import FIELDS, PARAMS_METHODS, Case, line, observed

from weburl import URL, InvalidURL, validate

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests" / "tiers" / "oracles"
BUILD = ROOT / "build" / "differential"
COMMANDS = {
    "ada-url": [sys.executable, "-m", "tiers.oracles.ada"],
    "upa-url": [sys.executable, "-m", "tiers.oracles.upa"],
    "whatwg-url": ["node", str(HERE / "whatwg_url.mjs"), str(BUILD)],
    "chromium": [sys.executable, "-m", "tiers.oracles.chromium"],
}
LIBRARIES = ("ada-url", "upa-url", "whatwg-url")
BROWSERS = ("chromium",)
SEED_CASES = 1000
SHOWN_DIFFERENCES = 10
KNOWN = LAGS + DEPARTURES
# Of the cases of the libraries, those that lags may excuse.
MOST_EXCUSED = 0.005
# A lag that excuses nothing in this many cases is out of date.
STALE_AFTER = 100_000
# Where a field that differs has been decided.
RULES = {
    "protocol": "scheme-state", "username": "authority-state", "password": "authority-state",
    "hostname": "concept-host-parser", "port": "port-state", "pathname": "path-state", "search": "query-state",
    "hash": "fragment-state", "origin": "concept-url-origin", "href": "concept-url-serializer",
}  # fmt: skip
# The other errors are anchors themselves.
RULE_OF_ERROR = {"domain-to-ASCII": "concept-domain-to-ascii", "base": "concept-basic-url-parser"}


class Weburl:
    def parse(self, url: str, base: str | None) -> URL | None:
        return URL.parse(url, base)

    def pairs(self, url: URL) -> list[tuple[str, str]]:
        return list(url.search_params)

    def call(self, url: URL, method: str, *arguments: str) -> None:
        getattr(url.search_params, method)(*arguments)

    def assign(self, url: URL, name: str, value: str) -> bool:
        try:
            setattr(url, name, value)
        except InvalidURL:
            return False
        return True


WEBURL = Weburl()


class Oracle:
    """A process that answers batches of cases."""

    def __init__(self, name: str) -> None:
        self.name = name
        paths = [str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
        self.process = subprocess.Popen(
            COMMANDS[name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, bufsize=1 << 16
        )
        self.version = self.read()

    def read(self) -> str:
        assert self.process.stdout is not None
        text = self.process.stdout.readline().decode()
        if not text.endswith("\n"):
            raise EOFError(f"{self.name} has ended, with {self.process.wait()}")
        return text[:-1]

    def send(self, batch: Sequence[Case]) -> None:
        """Scalar values, except for JavaScript: a Python str can have pairs of surrogates."""
        assert self.process.stdin is not None
        text = json.dumps(batch, ensure_ascii=False)
        scalar = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        sent = json.dumps(batch) if self.name in ("whatwg-url", "chromium") else scalar
        self.process.stdin.write(sent.encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, batch: Sequence[Case]) -> list[str]:
        self.send(batch)
        return [self.read() for _ in batch]

    def end(self) -> None:
        self.process.communicate()


@cache
def oracle(name: str) -> Oracle:
    return Oracle(name)


class Found(NamedTuple):
    """A difference that no lag excuses."""

    oracle: str
    case: Case


class Report(NamedTuple):
    """The results for the cases of one seed; the excused ones by the index of the lag."""

    cases: int
    steps: int
    excused: Counter[int]
    found: list[Found]


def difference(name: str, case: Case, answer: str) -> Difference | None:
    """The first difference of a case, preferably one that no rewriting of the output explains."""
    ours, theirs = observed(WEBURL, case), json.loads(answer)
    if line(ours) == answer:
        return None
    if name == "chromium":
        as_chromium = list(map(rewritten, ours))
        ours = as_chromium if as_chromium != theirs else ours
    text, base, steps = case
    at = next((i for i, (own, other) in enumerate(zip(ours, theirs, strict=True)) if own != other), None)
    if at is None:
        raise ValueError(f"{name} writes what is shown in another way: {answer}")
    if at == 0 and base is not None:
        return Difference((base, None, []), None, None, ours[0], theirs[0])
    if at == 1:
        return Difference((text, base, []), None, None, ours[1], theirs[1])
    before = next((shown for shown in reversed(ours[:at]) if shown is not None), None)
    return Difference(case, steps[at - 2], before, ours[at], theirs[at])


def excuse(name: str, found: Difference) -> int | None:
    """The index of the lag that explains a difference."""
    return next((i for i, lag in enumerate(KNOWN) if lag.oracle == name and lag.explains(found)), None)


def run(task: tuple[tuple[str, ...], int, int]) -> Report:
    names, seed, count = task
    batch = list(islice(cases(seed), count))
    for name in names:
        oracle(name).send(batch)
    observations = [observed(WEBURL, case) for case in batch]
    ours = list(map(line, observations))
    # Where neither the URL nor the base parses there is nothing to make a step on.
    steps = sum(len(case[2]) for case, seen in zip(batch, observations, strict=True) if any(seen[:2]))
    try:
        answers = [[oracle(name).read() for _ in batch] for name in names]
    except EOFError as error:
        raise EOFError(f"{error}, at a case of seed {seed}") from error
    excused: Counter[int] = Counter()
    found = []
    for case, right, *theirs in zip(batch, ours, *answers, strict=True):
        shown = {
            name: one
            for name, answer in zip(names, theirs, strict=True)
            if answer != right and (one := difference(name, case, answer)) is not None
        }
        # No lag is one where nobody agrees with us.
        places = {(one.case[0], one.step, line([one.ours])) for one in shown.values()}
        is_alone = len(shown) == len(LIBRARIES) and len(places) == 1
        for name, one in shown.items():
            index = excuse(name, one)
            if index is None or is_alone:
                found.append(Found(name, case))
            else:
                excused[index] += 1
    return Report(len(batch), steps, excused, found)


def simpler(case: Case) -> Iterator[Case]:
    url, base, steps = case
    for i in range(len(steps)):
        yield url, base, [*steps[:i], *steps[i + 1 :]]
    if base is not None:
        yield url, None, steps
        yield base, None, steps
    yield from ((text, base, steps) for text in shorter(url))
    if base is not None:
        yield from ((url, text, steps) for text in shorter(base))
    for i, (name, *arguments) in enumerate(steps):
        for j, argument in enumerate(arguments):
            for text in shorter(argument):
                changed = (name, *arguments[:j], text, *arguments[j + 1 :])
                yield url, base, [*steps[:i], changed, *steps[i + 1 :]]


def unexcused(name: str, batch: Sequence[Case]) -> Iterator[tuple[Case, Difference]]:
    for case, answer in zip(batch, oracle(name).ask(batch), strict=True):
        shown = difference(name, case, answer)
        if shown is not None and excuse(name, shown) is None:
            yield case, shown


def minimized(name: str, case: Case) -> Case:
    """The simplest case that still differs."""
    found: Case | None = case
    while found is not None:
        case = found
        found = next((one for one, _ in unexcused(name, list(simpler(case)))), None)
    return case


def rules(found: Difference) -> list[str]:
    """The anchors of the rules that decide a difference: of the step, and of the first field that differs."""
    decided = []
    if found.step is not None:
        name = found.step[0]
        decided.append(f"dom-urlsearchparams-{name}" if name in PARAMS_METHODS else f"dom-url-{name}")
    if found.ours is None or found.theirs is None:
        text, base = found.case[:2] if found.step is None else (found.step[-1], None)
        failures = [error.name for error in validate(text, base) if error.failure]
        decided.append(RULE_OF_ERROR.get(failures[0], failures[0].lower()) if failures else "concept-host-parser")
    else:
        fields = [name for name, ours, theirs in zip(FIELDS, found.ours, found.theirs, strict=False) if ours != theirs]
        # `href` and `host` differ with what is in them.
        of_one = [name for name in fields if name not in ("href", "origin", "host")] or fields
        decided.append(RULES[of_one[0]] if of_one else "concept-urlencoded-parser")
    return decided


def stale(lag: Lag) -> list[str]:
    """What is wrong with the example of a lag."""
    ours = observed(WEBURL, lag.example)
    (answer,) = oracle(lag.oracle).ask([lag.example])
    shown = difference(lag.oracle, lag.example, answer)
    problems = []
    if ours[-1] != lag.standard:
        problems.append(f"weburl shows {ours[-1]!a}")
    if json.loads(answer)[-1] != lag.lagging:
        problems.append(f"{lag.oracle} shows {json.loads(answer)[-1]!a}")
    if shown is None or not lag.explains(shown):
        problems.append("its predicate does not explain its example")
    return [f"{lag.oracle}, {lag.reason}: {problem}" for problem in problems]


def install(names: Sequence[str]) -> None:
    requirements = HERE / "requirements.txt"
    wanted = dict(one.split("==") for one in requirements.read_text("utf-8").split())
    if any(installed(name) != exact for name, exact in wanted.items() if name in names):
        pip = [sys.executable, "-m", "pip", "install", "-q", "--only-binary", ":all:", "-r", str(requirements)]
        subprocess.run(pip, check=True)
    package = HERE / "package.json"
    if "whatwg-url" in names and not (
        (BUILD / "node_modules").is_dir() and (BUILD / package.name).read_bytes() == package.read_bytes()
    ):
        shutil.rmtree(BUILD, ignore_errors=True)
        BUILD.mkdir(parents=True)
        shutil.copy(package, BUILD)
        # By force, for what it asks for is a newer Node than a distribution may have.
        subprocess.run(["npm", "install", "--force", "--silent"], cwd=BUILD, check=True)
    if "chromium" in names:
        debian.require("chromium", "chromium")


def installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def compare(names: tuple[str, ...], count: int, seed: int, jobs: int) -> bool:
    """Whether the oracles agree with weburl, apart from what lags excuse. Prints the results."""
    print("weburl against", ", ".join(oracle(name).version for name in names), flush=True)
    lags = {i: lag for i, lag in enumerate(KNOWN) if lag.oracle in names}
    problems = [problem for lag in lags.values() for problem in stale(lag)]
    counts = [min(SEED_CASES, count - done) for done in range(0, count, SEED_CASES)]
    tasks = [(names, *one) for one in enumerate(counts, seed)]
    start = time.monotonic()
    done = steps = 0
    excused: Counter[int] = Counter()
    found: list[Found] = []
    with ExitStack() as stack:
        reports: Iterable[Report] = map(run, tasks)
        if jobs > 1:
            reports = stack.enter_context(get_context("spawn").Pool(jobs)).imap_unordered(run, tasks)
        for report in reports:
            before = done
            done += report.cases
            steps += report.steps
            excused += report.excused
            found += report.found
            for one in report.found:
                print(f"{one.oracle} {one.case!a}", flush=True)
            if before * 20 // count < done * 20 // count:
                print(f"{done:,} cases, {len(found):,} differences, {time.monotonic() - start:.0f} s", flush=True)
    if done != count:
        problems.append(f"{done:,} cases have been compared, not {count:,}")
    print(
        f"{done:,} cases (seeds {seed} to {seed + len(tasks) - 1}) with {steps:,} steps; "
        f"{len(found):,} differences; {time.monotonic() - start:.0f} s"
    )
    share = excused.total() / done
    print(f"{excused.total():9,} excused, {share:.3%}, of these:")
    for i, lag in lags.items():
        print(f"{excused[i]:9,} excused, {excused[i] / done:.3%}: {lag.oracle}, {lag.reason} (#{lag.anchor})")
        if not excused[i] and done >= STALE_AFTER and not lag.is_rare:
            problems.append(f"{lag.oracle}, {lag.reason}: excuses nothing")
    if names == LIBRARIES and share > MOST_EXCUSED:
        problems.append(f"{share:.3%} of the cases are excused, more than {MOST_EXCUSED:.1%}")
    print(*problems, sep="\n", end="\n" if problems else "")
    for name, case in sorted(found, key=lambda one: len(ascii(one.case)))[:SHOWN_DIFFERENCES]:
        print(f"\n{name} {case!a}")
        least = minimized(name, case)
        shown = difference(name, least, *oracle(name).ask([least]))
        if shown is not None:
            print(f"least: {least!a}\nours:   {shown.ours!a}\ntheirs: {shown.theirs!a}")
            print(*[f"https://url.spec.whatwg.org/#{anchor}" for anchor in rules(shown)], sep="\n", flush=True)
    return not found and not problems


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=int, nargs="?", default=1_000_000, help="for the libraries")
    parser.add_argument("--browser-cases", type=int, help="for Chromium; a tenth of the others")
    parser.add_argument("--seed", type=int, default=1, help=f"the first seed: every {SEED_CASES} cases have the next")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--count", action="store_true", help="go on after the seeds of tests/tiers/seeds.json, and add these to it"
    )
    options = parser.parse_args(arguments)
    if options.cases < 1 or options.jobs < 1:
        parser.error("cases and jobs are at least 1")
    browser_cases = options.cases // 10 if options.browser_cases is None else options.browser_cases
    if browser_cases > options.cases:
        parser.error("the browser's cases are the first of the libraries'")
    first = next_seed("differential") if options.count else options.seed
    agree = True
    for names, count, jobs in ((LIBRARIES, options.cases, options.jobs), (BROWSERS, browser_cases, 1)):
        if count:
            install(names)
            agree &= compare(names, count, first, jobs)
            if names == BROWSERS and agree:
                print("where Chromium is excused, the libraries have agreed: its cases are the first of theirs")
            if options.count and agree:
                against = ", ".join(oracle(name).version for name in names)
                add_seeds("differential", against, first, first + (count - 1) // SEED_CASES, count)
            for name in names:
                oracle(name).end()
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
