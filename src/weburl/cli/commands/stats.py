"""weburl stats: counts hosts, registrable domains, schemes, templates, parameters, errors and lengths in files."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from typing import Any, Final, NamedTuple

from weburl._arrow.batch import Batch
from weburl._arrow.job import Job
from weburl._arrow.pieces import Piece
from weburl._arrow.schedule import in_order
from weburl._verbs.table import columns_of
from weburl.cli._arguments import flag, option
from weburl.cli._exit import UsageError
from weburl.cli._memory import limited_memory
from weburl.cli._options import FileArgs, base_of, positive, reading_of, threads_option
from weburl.cli._parser import ArgumentParser
from weburl.cli._progress import Progress
from weburl.cli.counting.chart import SUFFIXES, draw, import_pyplot, suffix
from weburl.cli.counting.counts import FIELDS, Counts
from weburl.cli.counting.report import Report, as_json, as_table, make_report
from weburl.cli.readers.inputs import Inputs, piece_of
from weburl.cli.readers.reading import Reading

EXAMPLES: Final = r"""examples:
  weburl stats urls.txt
  weburl stats --top 3 --json urls.txt
  weburl stats --plot hosts.png logs.csv --column url
  zcat -f urls.txt | weburl stats

Hosts are counted as browsers see them. Registrable domains need pip install weburl[psl]. A template is a path with
placeholders, such as /users/{int}. A parameter is a decoded name in the query. Blank lines are skipped. If more
different names occur than --memory has room for (by default a million), the rarest ones are forgotten. Then the output
says which counts may be too low, and by how much.

"""

MOST_BARS: Final = 50


class StatsArgs(FileArgs):
    base: str | None = option(
        "--base", metavar="URL", help="resolve relative URLs against this URL; without it, relative URLs are errors"
    )
    top: int = option(
        "--top", type=positive, default=10, metavar="N", help="show the N most frequent of each (default: 10)"
    )
    json: bool = flag("--json", help="print a JSON object, instead of a table")
    plot: str | None = option(
        "--plot", metavar="FILE", help="draw bars into FILE (png, svg or pdf), instead of printing a table"
    )
    threads: int | None = threads_option()


def make_parser() -> ArgumentParser:
    return ArgumentParser(
        "weburl stats",
        StatsArgs,
        description="Counts schemes, hosts, registrable domains, templates of paths, names of parameters, errors and "
        "lengths in the URLs of files or of standard input. Each line is a URL.",
        examples=EXAMPLES,
    )


class StatsHiArgs(NamedTuple):
    """What stats does."""

    reading: Reading
    top: int  # how many of each are shown
    as_json: bool
    plot: str | None  # the file of the bars


def decided(low: StatsArgs) -> StatsHiArgs:
    reading = reading_of(low, base_of(low.base), low.threads)
    if low.plot is not None and suffix(low.plot) not in SUFFIXES:
        raise UsageError(f"--plot takes a FILE that ends in {', '.join(SUFFIXES)}")
    return StatsHiArgs(reading, low.top if low.plot is None else min(low.top, MOST_BARS), low.json, low.plot)


def main(arguments: list[str]) -> int:
    args = decided(make_parser().parse_args(arguments, StatsArgs()))
    if args.plot is not None:
        import_pyplot()
    command = StatsCommand(args.reading)
    with limited_memory("the report", args.reading.memory, args.reading.threads):
        report = command.run(args.top)
        if args.plot is None:
            print(json.dumps(as_json(report)) if args.as_json else "\n".join(as_table(report)))
    if args.plot is not None:
        draw(report, args.plot)
    return command.inputs.status


class CountedPiece(NamedTuple):
    """The counts of a piece; its batch, if the piece has too many different texts for them."""

    counts: Counts
    errors: Counter[str]
    piece: Piece
    batch: Batch | None
    done: int  # how many bytes of the file have been read


class StatsCommand:
    """What is counted of the files, and what has been."""

    job: Job
    has_domains: bool

    def __init__(self, reading: Reading) -> None:
        self.inputs: Inputs = Inputs(reading)
        base = reading.base
        self.has_base: bool = base is not None
        try:
            self.job = Job(columns_of(FIELDS), is_struct=True, base=base)
            self.has_domains = True
        except ImportError as error:
            if error.name != "publicsuffixlist":
                raise
            self.job = Job(columns_of(FIELDS[:-1]), is_struct=True, base=base)
            self.has_domains = False
        self.threads: int = reading.threads
        self.counts: Counts = Counts.within(reading.memory)
        self.errors: Counter[str] = Counter()
        # For pieces; each is used again and again.
        self.free: list[Counts] = []

    def run(self, number: int) -> Report:
        """The report, with the `number` most frequent of each kind."""
        for source in self.inputs:
            with (
                closing(Progress(source.size, shown=True)) as progress,
                closing(in_order(source.tasks(), self._count, self.threads, self._cancel)) as results,
            ):
                for _, counted in results:
                    self._merge(counted)
                    progress(counted.done)
        return make_report(self.counts, self.errors, number, has_domains=self.has_domains)

    def _count(self, task: Any) -> CountedPiece:
        """Counts the piece of a task, in any thread."""
        block, piece = piece_of(task)
        batch = self.job.run(*piece)
        # Only a cancelled job gives None, and then the result is not read.
        assert batch is not None
        try:
            counts = self.free.pop()
        except IndexError:
            counts = self.counts.share()
        is_counted = counts.add(batch, piece.rows, piece.begin, piece.end, self.has_base)
        errors = Counter(batch.errors)
        # What cannot be read is a null for the job.
        errors.update(fault.name for row, fault in block.faults.items() if piece.begin <= row < piece.end)
        return CountedPiece(counts, errors, piece, None if is_counted else batch, block.done)

    def _merge(self, counted: CountedPiece) -> None:
        """Adds the counts of a piece, in the order of the pieces, so that the same names are forgotten in each run."""
        counts, piece = counted.counts, counted.piece
        if counted.batch is not None:
            counts.clear()
            counts.add(counted.batch, piece.rows, piece.begin, piece.end, self.has_base, self.counts)
        self.counts.merge(counts)
        self.errors.update(counted.errors)
        counts.clear()
        self.free.append(counts)

    def _cancel(self) -> None:
        self.job.cancelled = True
