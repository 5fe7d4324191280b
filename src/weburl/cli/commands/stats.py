"""weburl stats: counts hosts, registrable domains, schemes, templates, parameters, errors and lengths in files."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final, NamedTuple

from weburl._arrow.cutting import Piece
from weburl._arrow.job import Job
from weburl._arrow.schedule import in_order
from weburl._verbs.table import columns_of
from weburl.cli._arguments import json_option, option
from weburl.cli._exit import UsageError
from weburl.cli._memory import limited_memory
from weburl.cli._options import base_of, positive, reading_of, threads_option
from weburl.cli._parser import ArgumentParser
from weburl.cli._progress import Progress
from weburl.cli.counting.chart import SUFFIXES, draw, import_pyplot, suffix
from weburl.cli.counting.counts import FIELDS, Counts
from weburl.cli.counting.report import Report, as_json, as_table, group_report, make_report
from weburl.cli.counting.row_fields import CountedRows, RowArgs, RowFields, row_fields
from weburl.cli.readers.inputs import Inputs, OpenInput, piece_of
from weburl.cli.readers.reading import Reading
from weburl.cli.readers.row_blocks import TOO_LONG_NAME, RowBlock
from weburl.cli.readers.rows.text_column import DistinctRows, TextColumn

EXAMPLES: Final = r"""examples:
  weburl stats urls.txt
  weburl stats --top 3 --json urls.txt
  weburl stats --plot hosts.png logs.csv --column url
  zcat -f urls.txt | weburl stats
  weburl stats --log combined --base https://shop.example --status 5xx --since 1d access.log
  weburl stats --log combined --base https://shop.example --by status,template --percentiles bytes access.log
  weburl stats --match 'https://shop.example/*' --by query:utm_source urls.txt

Hosts are counted as browsers see them. Registrable domains need pip install weburl[psl]. A template is a path with
placeholders, such as /users/{int}. A parameter is a decoded name in the query. Blank lines are skipped. If more
different names occur than --memory has room for (by default a million), the rarest ones are forgotten. Then the output
says which counts may be too low, and by how much.

"""

MOST_BARS: Final = 50
# Of the memory, what rows that are joined may take; and so many of them, which the caches of a processor hold.
ROW_SHARE: Final = 16
ROW_BYTES: Final = 64
MOST_ROWS: Final = 1 << 17
LEAST_BYTES: Final = 1 << 20
# Below so many rows for each that is different, joining them costs more than it saves: the next pieces are not joined.
WORTH: Final = 1.2
ALONE: Final = 64


class StatsArgs(RowArgs):
    top: int = option(
        "--top", type=positive, default=10, metavar="N", help="show the N most frequent of each (default: 10)"
    )
    json: bool = json_option("print a JSON object, instead of a table")
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
    rows: RowFields
    top: int  # how many of each are shown
    as_json: bool
    plot: str | None  # the file of the bars


def decided(low: StatsArgs) -> StatsHiArgs:
    reading = reading_of(low, base_of(low.base), low.threads)
    if low.plot is not None and suffix(low.plot) not in SUFFIXES:
        raise UsageError(f"--plot takes a FILE that ends in {', '.join(SUFFIXES)}")
    rows = row_fields(low, reading)
    if rows.needs_gil:
        reading = reading._replace(threads=1)
    return StatsHiArgs(reading, rows, low.top if low.plot is None else min(low.top, MOST_BARS), low.json, low.plot)


def main(arguments: list[str]) -> int:
    args = decided(make_parser().parse_args(arguments, StatsArgs()))
    if args.plot is not None:
        import_pyplot()
    command = StatsCommand(args.reading, args.rows)
    with limited_memory("the report", args.reading.memory, args.reading.threads):
        report = command.run(args.top)
        if args.plot is None:
            print(json.dumps(as_json(report)) if args.as_json else "\n".join(as_table(report)))
    if args.plot is not None:
        draw(report, args.plot)
    return command.inputs.status


class ReadPiece(NamedTuple):
    """Rows of a file that have been read."""

    block: RowBlock
    piece: Piece


class DistinctPiece(NamedTuple):
    """Different rows, and how often each occurs, as 64-bit numbers."""

    rows: TextColumn
    times: bytes


class CountedPiece(NamedTuple):
    """The counts of a piece; and its rows, if the piece has too many different texts for them."""

    counts: Counts
    errors: Counter[str]
    rows: CountedRows | None


class StatsCommand:
    """What is counted of the files, and what has been.

    Logs repeat URLs. So rows are not counted one by one: each different row of many is parsed once, and counts as
    often as it occurs. Where few are the same, the next ones are counted as they are.
    """

    job: Job
    has_domains: bool

    def __init__(self, reading: Reading, rows: RowFields) -> None:
        self.rows = rows
        self.inputs: Inputs = Inputs(reading, rows.keep)
        base = reading.base
        self.has_base: bool = base is not None
        try:
            self.job = Job(columns_of((*FIELDS, "error")), is_struct=True, base=base)
            self.has_domains = True
        except ImportError as error:
            if error.name != "publicsuffixlist":
                raise
            self.job = Job(columns_of((*FIELDS[:-1], "error")), is_struct=True, base=base)
            self.has_domains = False
        self.threads: int = reading.threads
        self.counts: Counts = Counts.within(reading.memory)
        self.errors: Counter[str] = Counter()
        # For pieces; each is used again and again.
        self.free: list[Counts] = []
        # Columns of records are of each row.
        self.joins: bool = not rows.names and not rows.levels
        share = max(reading.memory // ROW_SHARE, LEAST_BYTES)
        self.distinct: DistinctRows = DistinctRows(min(share // ROW_BYTES, MOST_ROWS), share)
        self.alone: int = 0  # how many pieces are counted as they are
        # What is ready to be counted.
        self.pending: deque[ReadPiece | DistinctPiece] = deque()

    def run(self, number: int) -> Report:
        """The report, with the `number` most frequent of each kind."""
        for source in self.inputs:
            with (
                closing(Progress(source.size, shown=True)) as progress,
                closing(in_order(self._tasks(source), self._work, self.threads, self._cancel)) as results,
            ):
                for _, (done, result) in results:
                    if isinstance(result, CountedPiece):
                        self._merge(result)
                    else:
                        self._join(result)
                    progress(done)
        names = [name for name, _ in self.rows.numbers]
        if self.rows.levels:
            return group_report(self.counts, self.errors, number, [level.label for level in self.rows.levels], names)
        return make_report(self.counts, self.errors, number, names, has_domains=self.has_domains)

    def _tasks(self, source: OpenInput) -> Iterator[Any]:
        """What is to be read, and what has been read and is to be counted."""
        for task in source.tasks():
            while self.pending:
                yield self.pending.popleft()
            yield task
        # All that is read has been joined then.
        yield None
        self._take()
        while self.pending:
            yield self.pending.popleft()

    def _work(self, task: Any) -> tuple[int, ReadPiece | CountedPiece]:
        """Reads or counts a piece, in any thread. Also how many bytes of the file have been read."""
        if isinstance(task, DistinctPiece):
            rows = self.rows.read_alone(task.rows, self.job)._replace(times=task.times)
            errors: Counter[str] = Counter()
            if rows.batch.errors:
                names = rows.batch.entries(len(rows.batch.names) - 1)
                for name, times in zip(names, memoryview(task.times).cast("q"), strict=True):
                    if name is not None:
                        errors[name] += times
            return 0, self._counted(rows, errors)
        if isinstance(task, ReadPiece):
            block, piece = task
        else:
            block, piece = piece_of(task)
            if self.joins:
                return block.done, ReadPiece(block, piece)
        rows = self.rows.read(block, piece, None if self.rows.levels else self.job)
        return block.done, self._counted(rows, _with_faults(Counter(rows.batch.errors), block, piece))

    def _counted(self, rows: CountedRows, errors: Counter[str]) -> CountedPiece:
        try:
            counts = self.free.pop()
        except IndexError:
            counts = self.counts.share()
        return CountedPiece(counts, errors, None if self._add(counts, rows) else rows)

    def _add(self, counts: Counts, rows: CountedRows, whole: Counts | None = None) -> bool:
        piece = rows.piece
        place = rows.batch, piece.rows, piece.begin, piece.end, self.has_base
        is_counted = True
        if not self.rows.levels:
            is_counted = counts.add(*place, rows.marks, rows.times, whole)
        if is_counted and (self.rows.levels or rows.numbers):
            is_counted = counts.add_groups(*place, rows.marks, rows.href, rows.levels, rows.numbers, whole)
        return is_counted

    def _join(self, read: ReadPiece) -> None:
        """Joins the rows of a piece with others, in the order of the pieces."""
        block, piece = read
        if self.alone:
            self.alone -= 1
            self.pending.append(read)
            return
        before = -1
        rows = 0
        while before < rows:
            before = rows
            rows = self.distinct.add(piece.rows, piece.begin, piece.end, rows)
            if self.distinct.is_full:
                if self.distinct.total < WORTH * len(self.distinct):
                    self.alone = ALONE
                self._take()
        self.errors = _with_faults(self.errors, block, piece)

    def _take(self) -> None:
        """Gives the rows that have been joined to be counted."""
        if self.distinct.too_long:
            self.errors[TOO_LONG_NAME] += self.distinct.too_long
        column, times = self.distinct.take()
        if column is not None:
            self.pending.append(DistinctPiece(column, times))

    def _merge(self, counted: CountedPiece) -> None:
        """Adds the counts of a piece, in the order of the pieces, so that the same names are forgotten in each run."""
        counts = counted.counts
        if counted.rows is not None:
            counts.clear()
            self._add(counts, counted.rows, self.counts)
        self.counts.merge(counts)
        self.errors.update(counted.errors)
        counts.clear()
        self.free.append(counts)

    def _cancel(self) -> None:
        self.job.cancelled = True
        self.rows.cancel()


def _with_faults(errors: Counter[str], block: RowBlock, piece: Piece) -> Counter[str]:
    """With the errors of what cannot be read, which is a null for the job."""
    errors.update(fault.name for row, fault in block.faults.items() if piece.begin <= row < piece.end)
    return errors
