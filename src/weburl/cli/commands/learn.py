"""weburl learn: learns the routes of sites from URLs, as a file for --routes."""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import Any, Final, NamedTuple

from weburl._arrow.schedule import in_order
from weburl._learn.learning import MOST_ROUTES, NONE, Learning, Learnt, OldRoutes, counted, read_old, text_of
from weburl.cli._arguments import ERRORS_WITHOUT, base_option, option, output_option
from weburl.cli._exit import InputError, UsageError
from weburl.cli._memory import limited_memory
from weburl.cli._messages import complain, printable, quoted_part
from weburl.cli._options import FileArgs, base_of, positive, reading_of, threads_option
from weburl.cli._parser import ArgumentParser
from weburl.cli._patterns import check_names
from weburl.cli._progress import Progress
from weburl.cli._system import openable
from weburl.cli.readers.byte_stream import name_in_errors
from weburl.cli.readers.inputs import Inputs, piece_of
from weburl.cli.readers.open_files import check_file_of_text
from weburl.cli.readers.reading import STDIN, Reading
from weburl.cli.writers.output_file import is_same_file, open_output
from weburl.patterns import PatternError

EXAMPLES: Final = r"""examples:
  weburl learn urls.txt > shop.routes
  weburl learn --log combined --base https://shop.example access.log -o shop.routes
  weburl --routes shop.routes -g '{route}' -f today.txt | sort | uniq -c
  weburl learn today.txt --update shop.routes -o shop.routes
  weburl learn urls.txt --report routes.html > shop.routes

Each line of the output is the template of a path, a tab, and a URL pattern. A comment above it says how many lines have
it. You may change keys and patterns. The last route, {other}, matches the rest. Segments in fewer than 10 lines are not
shown, unless many sites have them.

"""
SHOWN: Final = 5


class LearnArgs(FileArgs):
    base: str | None = base_option(ERRORS_WITHOUT)
    most: int = option(
        "--max-routes", type=positive, default=MOST_ROUTES, metavar="N",
        help=f"learn at most N routes, with {{other}} (default: {MOST_ROUTES})",
    )  # fmt: skip
    update: str | None = option(
        "--update", metavar="FILE",
        help="keep the names and patterns of this file of routes, learn only from other URLs, and say which routes are "
        "new, and which have no lines",
    )  # fmt: skip
    report: str | None = option("--report", metavar="HTML", help="also write a page with the tree of the routes")
    output: str | None = output_option("the file of --update")
    threads: int | None = threads_option()


def make_parser() -> ArgumentParser:
    return ArgumentParser(
        "weburl learn",
        LearnArgs,
        description="Learns routes from the URLs of files or of standard input: templates of paths, whose number is "
        "bounded. The output is a file for --routes.",
        examples=EXAMPLES,
    )


class LearnHiArgs(NamedTuple):
    """What learn does."""

    reading: Reading
    most: int
    update: str | None
    report: str | None
    output: str | None


def decided(low: LearnArgs) -> LearnHiArgs:
    if low.update == STDIN:
        raise UsageError("--update takes the name of a file")
    if low.report == STDIN:
        raise UsageError("--report takes the name of a file")
    for name, path in (("-o", low.output), ("--update", low.update)):
        if path is not None and low.report is not None and is_same_file(path, low.report):
            raise UsageError(f"{name} and --report name one file")
    return LearnHiArgs(reading_of(low, base_of(low.base), low.threads), low.most, low.update, low.report, low.output)


def main(arguments: list[str]) -> int:
    args = decided(make_parser().parse_args(arguments, LearnArgs()))
    command = LearnCommand(args.reading, NONE if args.update is None else read_update(args.update, args.reading.memory))
    with limited_memory("the routes", args.reading.memory, args.reading.threads):
        learnt = command.run(args.most)
        if command.inputs.status:
            # No record has the field: an old file stays.
            return command.inputs.status
        with ExitStack() as outputs:
            out = outputs.enter_context(open_output(args.output))
            page = None if args.report is None else outputs.enter_context(open_output(args.report))
            out.writelines(f"{line}\n".encode() for line in text_of(learnt))
            if page is not None:
                from weburl.cli.viewer.routes import page_of

                page.write(page_of(learnt).encode())
    if args.update is not None:
        say_changes(learnt)
    return command.inputs.status


def read_update(path: str, memory: int) -> OldRoutes:
    check_file_of_text(path)
    try:
        with limited_memory(path, memory, 1), name_in_errors(path):
            try:
                old = read_old(openable(path))
            except FileNotFoundError:
                raise InputError("there is no such file: the first time, leave out --update") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: it is not in UTF-8") from None
    check_names("--update", path, [route.key for route in (*old.routes, old.rest)])
    return old


def say_changes(learnt: Learnt) -> None:
    left_out = list(learnt.left_out)
    for word, routes in (("new", learnt.new), ("no longer used", learnt.died), ("left out", left_out)):
        if routes:
            keys = ", ".join(printable(route.key) for route in routes[:SHOWN])
            more = f" and {len(routes) - SHOWN:,} more" if len(routes) > SHOWN else ""
            complain(f"{counted(len(routes), 'route')} {'is' if len(routes) == 1 else 'are'} {word}: {keys}{more}")


class LearnCommand:
    """What is learnt from the files."""

    def __init__(self, reading: Reading, old: OldRoutes) -> None:
        self.inputs: Inputs = Inputs(reading)
        self.skips_empty: bool = reading.base is not None
        self.threads: int = reading.threads
        try:
            self.learning: Learning = Learning(reading.base, old)
        except PatternError as error:
            route = next((route for route in old.routes if route.line == error.line), None)
            if route is None:
                raise UsageError(f"--update: {error.message}") from None
            key = quoted_part(route.key, route.key)
            raise UsageError(f"--update: line {route.line}: the pattern of {key}: {error.message}") from None

    def run(self, most: int) -> Learnt:
        for source in self.inputs:
            with (
                closing(Progress(source.size, shown=True)) as progress,
                closing(in_order(source.tasks(), self._count, self.threads, self.learning.cancel)) as results,
            ):
                for _, (done, each) in results:
                    self.learning.merge(each)
                    progress(done)
        return self.learning.result(most)

    def _count(self, task: Any) -> tuple[int, Any]:
        """Counts the piece of a task, in any thread."""
        block, piece = piece_of(task)
        if self.skips_empty:
            piece, _ = block.without_empty(piece)
        return block.done, self.learning.count(piece)
