"""Checks how much memory a call needs at its peak, apart from its input: a limit a byte of input, or a row.

Linux only. Each case runs in a process of its own, after the same on a short input. The growth of
the process's resident memory is measured, so everything counts: Python's objects, C's allocations, and the output.
"""

from __future__ import annotations

import argparse
import os
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from support.growth import give_back
from support.shapes import HOSTS, SHAPES, Make, Work, in_host

from weburl import URL, InvalidURL, explain, validate
from weburl.bulk import parse_lines
from weburl.redact import redact
from weburl.text import find_urls

LENGTH = 2**20
# The shortest input that the limits hold for: 10,000 errors, and what a process needs anyway, do not depend on it.
SHORTEST = 2**18
WARM_UP = 256
# Bytes for a byte of input.
ERROR, ERRORS, REDACTED, FOUND, EXPLAINED = 8, 40, 40, 40, 72
if sysconfig.get_config_var("Py_GIL_DISABLED"):
    # Objects are larger.
    ERRORS = REDACTED = FOUND = 60
    EXPLAINED = 100
# Bytes for a row.
ONE_FIELD, ALL_FIELDS = 8, 40


class Case(NamedTuple):
    """Some work on an input of about n bytes, and the bytes of memory that it may take for each of them."""

    name: str
    limit: int
    make: Make
    work: Work


class Measured(NamedTuple):
    """A case, and the bytes of memory that it took for a byte of input."""

    case: Case
    cost: float

    @property
    def fails(self) -> bool:
        return self.cost > self.case.limit


def size(argument: Any) -> int:
    text = argument.input if isinstance(argument, InvalidURL) else argument
    return len(text) if isinstance(text, bytes) else len(text.encode("utf-8", "surrogatepass"))


def of_bytes(make: Make) -> Make:
    """An input of about n bytes; the length of a shape is in code points."""

    def made(n: int) -> str:
        unit = size(make(1024)) / 1024
        text: str = make(int(n / unit))
        return text

    return made


def error(make: Make) -> Make:
    """The error of a text; if it parses, its error after a port that is not valid."""

    def made(n: int) -> InvalidURL:
        text = make(n)
        return error_of(text) or error_of(f"http://h:x/{text}") or InvalidURL()

    return made


def error_of(text: str) -> InvalidURL | None:
    try:
        URL(text)
    except InvalidURL as raised:
        # Without its traceback, which holds more.
        return InvalidURL(raised.input, raised.base, raised.error)
    return None


def error_of_part(part: str, make: Make) -> Make:
    return lambda n: InvalidURL(make(n), None, "domain-to-ASCII", part)


def said(error: InvalidURL) -> None:
    str(error), error.position, error.message


def cases() -> Iterator[Case]:
    texts = dict(SHAPES) | {f"host: {name}": in_host(make) for name, make in HOSTS.items()}
    for name, make in texts.items():
        made = of_bytes(make)
        yield Case(f"str(InvalidURL), {name}", ERROR, error(made), said)
        yield Case(f"validate, {name}", ERRORS, made, validate)
        yield Case(f"explain, {name}", EXPLAINED, made, explain)
        yield Case(f"redact, {name}", REDACTED, made, redact)
        yield Case(f"find_urls, {name}", FOUND, made, find_urls)
    for name, make in list(HOSTS.items())[::4]:
        yield Case(f"str(InvalidURL) of a host, {name}", ERROR, error_of_part("host", of_bytes(make)), said)
    for ending, newline in (("LF", b"\n"), ("CRLF", b"\r\n")):
        for views in (False, True):
            form = f"empty lines ending with {ending}" + ", views" * views
            rows = partial(lambda newline, n: newline * (n // len(newline)), newline)
            width = len(newline)
            for fields, limit in ((["hostname"], ONE_FIELD), (None, ALL_FIELDS)):
                what = fields[0] if fields else "all fields"
                work: Work = partial(lambda fields, views, data: parse_lines(data, fields, views=views), fields, views)
                yield Case(f"parse_lines, {what}, {form}", limit // width, rows, work)


CASES = tuple(cases())


def hog(data: bytes) -> None:
    """Needs more memory than any limit, and frees it."""
    [(number + 1000,) for number in data]


# What the measuring must see, and must not.
HOG = Case("a list of numbers, for comparison", ERRORS, bytes, hog)
NOTHING = Case("nothing, for comparison", 1, bytes, len)


def memory(field: str) -> int:
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith(f"{field}:"):
                return int(line.split()[1]) << 10
    raise AssertionError(field)


def measure(case: Case, n: int) -> float:
    """The bytes of memory for each byte of input, measured in a process of its own."""
    case.work(case.make(WARM_UP))
    argument = case.make(n)
    give_back()
    # Makes the highest resident memory that of now.
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = memory("VmRSS")
    output = case.work(argument)
    peak = memory("VmHWM")
    del output
    return (peak - before) / size(argument)


def forked(work: Callable[[], Iterator[str]]) -> tuple[int, int]:
    """Starts a process for some work: its id, and a file to read its answer from."""
    source, sink = os.pipe()
    sys.stdout.flush()
    process = os.fork()
    if process:
        os.close(sink)
        return process, source
    status = 1
    try:
        os.close(source)
        with open(sink, "w") as file:
            for text in work():
                print(text, file=file, flush=True)
        status = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(status)


def said_by(process: int, source: int) -> str:
    with open(source) as file:
        text = file.read()
    if os.waitpid(process, 0)[1]:
        sys.exit("the measuring has failed")
    return text


def measured_in_a_fork(case: Case, n: int) -> float:
    return float(said_by(*forked(lambda: iter([repr(measure(case, n))]))))


def measure_all(chosen: Sequence[Case], n: int, jobs: int) -> list[Measured]:
    def share(first: int) -> Iterator[str]:
        for case in chosen[first::jobs]:
            yield repr(measured_in_a_fork(case, n))

    workers = [forked(partial(share, first)) for first in range(jobs)]
    costs = {}
    for first, worker in enumerate(workers):
        for index, cost in enumerate(said_by(*worker).split()):
            costs[first + index * jobs] = float(cost)
    return [Measured(case, costs[index]) for index, case in enumerate(chosen)]


def report(found: Sequence[Measured]) -> None:
    print(f"{len(found)} cases, bytes of memory at the peak, beyond the input, for a byte of input")
    groups: dict[tuple[str, int], list[Measured]] = {}
    for each in found:
        groups.setdefault((each.case.name.split(",")[0], each.case.limit), []).append(each)
    for (name, limit), members in groups.items():
        print(f"{name}: at most {limit}")
        for each in sorted(members, key=lambda each: -each.cost)[:5]:
            print(f"  {each.cost:6.1f}  {each.case.name}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("length", type=int, nargs="?", default=LENGTH, help="bytes of each input")
    parser.add_argument("--every", type=int, default=1, help="run every Nth case")
    parser.add_argument("--only", default="", help="run cases with this in their name")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args(arguments)
    if options.length < SHORTEST:
        parser.error(f"the limits are for {SHORTEST} bytes and more")
    chosen = [case for case in CASES if options.only in case.name][:: options.every]
    if not chosen:
        parser.error(f"no case has {options.only!r} in its name")

    self_test = [measured_in_a_fork(case, options.length) for case in (HOG, NOTHING)]
    if self_test[0] <= HOG.limit or self_test[1] > NOTHING.limit:
        sys.exit(f"the measuring does not see what memory is needed: {self_test}")
    found = measure_all(chosen, options.length, options.jobs)
    report(found)
    failed = [each for each in found if each.fails]
    for each in sorted(failed, key=lambda each: -each.cost):
        print(f"FAILED {each.case.name}: {each.cost:.1f}, at most {each.case.limit}")
    print(f"{len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
