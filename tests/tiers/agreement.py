"""Compares the parser and the setters with the literal transcription of the standard, over many hostile inputs.

It also compares `validate` with `is_valid`: there are no errors if, and only if, the string is valid.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from multiprocessing import get_context
from typing import NamedTuple

from support.counts import add_seeds, next_seed
from support.hostile import Input, inputs
from support.literal_compare import SETTERS, compare, error_of, is_too_long, same

from weburl import URL, InvalidURL, is_valid, normalize, validate
from weburl._literal import LiteralURL, parse
from weburl._literal.record import EMPTY_HOST, is_windows_drive_letter

SEED_INPUTS = 1000
SHOWN_DIFFERENCES = 5


class Report(NamedTuple):
    """The results for the inputs of one seed."""

    inputs: int
    parsed: int
    assignments: int
    differences: list[Input]


def check(case: Input) -> tuple[bool, int]:
    """Whether the input parses, and the number of assignments. AssertionError for a difference."""
    url, base, encoding, assignments = case
    is_short = same(url, base, encoding)
    error = error_of(url, base, encoding)
    if not is_short:
        assert URL.parse(url, base, encoding=encoding) is None
        assert not URL.can_parse(url, base)
        return False, 0
    if error == "base":
        # validate() and is_valid() raise: a base that does not parse says nothing about the URL.
        assert refuses_base(validate, url, base)
        assert refuses_base(is_valid, url, base)
        assert URL.parse(url, base, encoding=encoding) is None
        assert not URL.can_parse(url, base)
        assert normalize_error(url, base) == error
        return False, 0
    errors = validate(url, base)
    failures = [found.name for found in errors if found.failure]
    assert failures == ([] if error is None else [errors[-1].name]), (error, errors)
    assert error is None or error == errors[-1].name, (error, errors)
    assert (errors == []) is is_valid(url, base), errors
    parsed = URL.parse(url, base, encoding=encoding)
    assert (parsed is None) is (error is not None), error
    assert URL.can_parse(url, base) is (parsed is not None)
    if parsed is None:
        assert normalize_error(url, base) == error
    else:
        assert normalize(url, base) == URL(url, base).href
        again = URL(parsed.href)
        assert again == parsed
        literal = parse(parsed.href).url
        assert literal is not None, parsed.href
        compare(again, literal)
        compare(parsed, literal)
    start = url if parsed is not None else base
    if not assignments or start is None:
        return parsed is not None, 0
    assign(start, base if parsed is not None else None, encoding, assignments)
    return parsed is not None, len(assignments)


def refuses_base(function: Callable[..., object], url: object, base: str | None) -> bool:
    try:
        function(url, base=base)
    except InvalidURL as error:
        return error.error == "base"
    return False


def normalize_error(url: str, base: str | None) -> str | None:
    try:
        normalize(url, base)
    except InvalidURL as error:
        return error.error
    return None


def set_error(url: URL, name: str, value: str) -> str | None:
    """Sets a part; returns the name of the error, if one is raised."""
    try:
        setattr(url, name, value)
    except InvalidURL as error:
        return error.error
    return None


def assign(start: str, base: str | None, encoding: str, assignments: Sequence[tuple[str, str]]) -> None:
    """Asserts that a sequence of assignments does the same to both."""
    literal = parse(start, None if base is None else parse(base).url, encoding=encoding).url
    assert literal is not None
    url = URL(start, base, encoding=encoding)
    for name, value in assignments:
        if name == "href":
            outcome = parse(value)
            error = set_error(url, name, value)
            if error == "too-long":
                assert is_too_long(outcome.url, value), (name, value, error)
                continue
            assert error == (outcome.errors[-1].name if outcome.failure else None), (name, value, error)
            literal = outcome.url or literal
        else:
            SETTERS[name](literal, value)
            if set_error(url, name, value) == "too-long":
                assert is_too_long(literal, url.href, value), (name, value)
                literal = parse(url.href).url
                assert literal is not None
        compare(url, literal, name, value)
    if "protocol" in dict(assignments):
        read_back(literal)
    compare(URL(url.href), literal, "parsed again", url.href)


def read_back(literal: LiteralURL) -> None:
    """Changes the two kinds of URL that do not parse to themselves, see test_roundtrip.py, to what they parse to."""
    if literal.scheme == "file" and literal.host is not None and literal.host.value == "localhost":
        literal.host = EMPTY_HOST
    if literal.scheme == "file" and literal.path and is_windows_drive_letter(literal.path[0]):
        assert not isinstance(literal.path, str)
        literal.path[0] = literal.path[0][0] + ":"


def difference(case: Input) -> str | None:
    try:
        check(case)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def shorter(text: str) -> Iterator[str]:
    """Simpler texts: without a piece of half the length, then without smaller ones, and with simpler characters."""
    size = len(text) // 2 or len(text)
    while size:
        for start in range(0, len(text), size):
            yield text[:start] + text[start + size :]
        size //= 2
    for i, character in enumerate(text):
        if character != "a":
            yield text[:i] + "a" + text[i + 1 :]


def simpler(case: Input) -> Iterator[Input]:
    url, base, encoding, assignments = case
    for i in range(len(assignments)):
        yield case._replace(assignments=assignments[:i] + assignments[i + 1 :])
    if base is not None:
        yield case._replace(base=None)
    if encoding != "utf-8":
        yield case._replace(encoding="utf-8")
    yield from (case._replace(url=text) for text in shorter(url))
    if base is not None:
        yield from (case._replace(base=text) for text in shorter(base))
    for i, (name, value) in enumerate(assignments):
        for text in shorter(value):
            yield case._replace(assignments=(*assignments[:i], (name, text), *assignments[i + 1 :]))


def minimized(case: Input) -> Input:
    """The simplest input that still differs."""
    found: Input | None = case
    while found is not None:
        case = found
        found = next((candidate for candidate in simpler(case) if difference(candidate) is not None), None)
    return case


def run(task: tuple[int, int]) -> Report:
    seed, count = task
    parsed = assigned = 0
    differences = []
    for case in islice(inputs(seed), count):
        try:
            parses, assignments = check(case)
        except Exception as error:
            print(f"seed {seed}: {case!a:.300}\n{type(error).__name__}: {error!s:.300}", flush=True)
            differences.append(case)
        else:
            parsed += parses
            assigned += assignments
    return Report(count, parsed, assigned, differences)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("inputs", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--seed", type=int, default=1, help=f"the first seed: every {SEED_INPUTS} inputs have the next")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--count", action="store_true", help="go on after the seeds of tests/tiers/seeds.json, and add these to it"
    )
    options = parser.parse_args(arguments)
    if options.inputs < 1 or options.jobs < 1:
        parser.error("inputs and jobs are at least 1")
    counts = [min(SEED_INPUTS, options.inputs - done) for done in range(0, options.inputs, SEED_INPUTS)]
    tasks = list(enumerate(counts, next_seed("agreement") if options.count else options.seed))

    start = time.monotonic()
    done = parsed = assigned = 0
    differences: list[Input] = []
    with ExitStack() as stack:
        reports: Iterable[Report] = map(run, tasks)
        if options.jobs > 1:
            reports = stack.enter_context(get_context("spawn").Pool(options.jobs)).imap_unordered(run, tasks)
        for report in reports:
            before = done
            done += report.inputs
            parsed += report.parsed
            assigned += report.assignments
            differences += report.differences
            if before * 20 // options.inputs < done * 20 // options.inputs:
                count = f", {len(differences):,} differences" if differences else ""
                print(f"{done:,} inputs{count}, {time.monotonic() - start:.0f} s", flush=True)
    seeds = f"seeds {tasks[0][0]} to {tasks[-1][0]}"
    print(
        f"{done:,} inputs ({seeds}), {parsed:,} of them parse; {assigned:,} assignments; "
        f"{len(differences):,} differences; {time.monotonic() - start:.0f} s"
    )
    for case in sorted(differences, key=size)[:SHOWN_DIFFERENCES]:
        least = minimized(case)
        print(f"\n{case!a}\nleast: {least!a}\n{difference(least)!a}", flush=True)
    if options.count and not differences:
        add_seeds("agreement", "the literal parser", tasks[0][0], tasks[-1][0], done)
    return 1 if differences else 0


def size(case: Input) -> tuple[int, str]:
    text = ascii(case)
    return len(text), text


if __name__ == "__main__":
    sys.exit(main())
