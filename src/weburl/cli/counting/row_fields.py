"""What stats reads of rows: which of them it counts, and the fields of --by and --percentiles."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from weburl._arrow import input
from weburl._arrow.batch import Batch
from weburl._arrow.cutting import Piece
from weburl._arrow.input import Input
from weburl._arrow.job import Job
from weburl.cli._arguments import ERRORS_WITHOUT, argument_text, base_option, option
from weburl.cli._conversion import Cancelled, Conversion, Filtered, RowPlan, plan_rows
from weburl.cli._exit import UsageError
from weburl.cli._host_filter import HostArgs, host_jobs
from weburl.cli._line_format import parse_format
from weburl.cli._messages import quoted
from weburl.cli._options import FileArgs, names_of
from weburl.cli._output_fields import COLUMN, HREF, OutputField
from weburl.cli._patterns import PatternArgs, patterns_of
from weburl.cli.counting.counts import MOST_LEVELS
from weburl.cli.readers.reading import Keep, Reading
from weburl.cli.readers.row_blocks import RowBlock
from weburl.cli.readers.rows.text_column import TextColumn, kept_rows

# How much of the column "time" they are, as in 2026-11-29T05:55.
TIMES: Final = {"day": 10, "hour": 13, "minute": 16}
TIME: Final = "time"
PERCENTILES: Final = ". --percentiles takes columns of numbers: it prints 50 %, 90 % and 99 %, and always of lengths"


class RowArgs(HostArgs, PatternArgs, FileArgs):
    base: str | None = base_option(ERRORS_WITHOUT)
    by: str | None = option(
        "--by", metavar="FIELDS", type=argument_text,
        help="count groups: of a field that -g has, such as hostname, template, query:id, route (with --routes), or a "
        "column of the input, such as status or column:country; or of minute, hour or day, which are the start of the "
        "column time. FIELDS can be several names with commas between them: each is counted within the groups of those "
        "before",
    )  # fmt: skip
    percentiles: str | None = option(
        "--percentiles", metavar="NAMES", type=argument_text,
        help="also print percentiles of these columns of numbers, such as bytes; with --by, of each group",
    )  # fmt: skip


class Level(NamedTuple):
    """A field of --by; `cut` is how many bytes of it count, or 0 for all."""

    field: OutputField
    label: str
    cut: int = 0


class CountedRows(NamedTuple):
    """The rows of a piece, as Counts takes them. A row whose byte in `marks` is 0 is left out.

    Begins and ends are those of pieces: for lines, they count bytes.
    """

    batch: Batch
    piece: Piece
    marks: bytes | None
    href: int  # its column
    levels: list[tuple[Input, int, int, int]]
    numbers: list[tuple[Input, int, int]]
    times: bytes | None = None  # how often each row occurs, as 64-bit numbers


class RowFields:
    """RowFields(plan, filter, levels, numbers): what is read of rows, besides what stats counts without options.

    The plan is for the levels, if there are some; `numbers` are columns.
    """

    def __init__(
        self,
        plan: RowPlan | None,
        filter: Sequence[tuple[Job, bool]],
        levels: Sequence[Level],
        numbers: Sequence[str],
    ) -> None:
        self.levels = levels
        self.filter = filter
        columns = [str(level.field.key) for level in levels if level.field.name == COLUMN]
        self.names: tuple[str, ...] = tuple(dict.fromkeys((*columns, *numbers)))
        self.keep: Keep = Keep(self.names)
        self.numbers: list[tuple[str, int]] = [(name, self.names.index(name)) for name in numbers]
        self.conversion: Conversion | None = None if plan is None else Conversion(plan, copies_input=False)

    @property
    def needs_gil(self) -> bool:
        """Whether most of the time goes into Python code."""
        return self.conversion is not None and self.conversion.plan.needs_gil

    def cancel(self) -> None:
        if self.conversion is not None:
            self.conversion.cancel()
        for job, _ in self.filter:
            job.cancelled = True

    def read(self, block: RowBlock, piece: Piece, job: Job | None) -> CountedRows:
        """The rows of a piece: with the columns of a job, or with those of the fields."""
        marks = self._marks(piece)
        numbers = [(block.kept[place].input(), piece.begin, piece.end) for _, place in self.numbers]
        if job is not None:
            return CountedRows(_run(job, piece), piece, marks, 0, [], numbers)
        assert self.conversion is not None
        kept = {name: number for number, name in enumerate(self.names)}
        converted = self.conversion.convert(Filtered(block, piece, None, Counter(), 0))
        levels = []
        for level in self.levels:
            place = self.conversion.place(level.field, kept)
            if place is None:
                levels.append((piece.rows, piece.begin, piece.end, level.cut))
            elif isinstance(place, int):
                levels.append((block.kept[place].input(), piece.begin, piece.end, level.cut))
            else:
                batch = converted.batches[place[0]]
                levels.append((_texts(batch, place[1]), 0, batch.length, level.cut))
        place = self.conversion.place(HREF, kept)
        assert isinstance(place, tuple)
        return CountedRows(converted.batches[place[0]], piece, marks, place[1], levels, numbers)

    def read_alone(self, column: TextColumn, job: Job) -> CountedRows:
        """Rows that have no other columns."""
        piece = Piece(column.input(), 0, len(column))
        return CountedRows(_run(job, piece), piece, self._marks(piece), 0, [], [])

    def _marks(self, piece: Piece) -> bytes | None:
        if not self.filter:
            return None
        batches = [_run(job, piece) for job, _ in self.filter]
        return kept_rows(batches, tuple(answer for _, answer in self.filter))


def _run(job: Job, piece: Piece) -> Batch:
    batch = job.run(piece.rows, piece.begin, piece.end)
    if batch is None:
        raise Cancelled
    return batch


def _texts(batch: Batch, index: int) -> Input:
    """A column as texts: those that are others, as in JSON."""
    from weburl._verbs.rows import Column

    try:
        [column] = input.from_arrow(Column([batch.select(index)]))
        return column
    except TypeError:
        entries = batch.entries(index)
        return input.from_objects(entry if isinstance(entry, str | None) else _json(entry) for entry in entries)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def row_fields(low: RowArgs, reading: Reading) -> RowFields:
    """Decides what the options say of rows; UsageError if they contradict each other."""
    names = [] if low.by is None else names_of(low.by)
    numbers = [] if low.percentiles is None else list(dict.fromkeys(names_of(low.percentiles)))
    if low.by is not None and not 0 < len(names) <= MOST_LEVELS:
        raise UsageError(f"--by takes 1 to {MOST_LEVELS} names, such as --by status,template")
    levels = [_level(name) for name in names]
    if low.routes is not None and not names:
        raise UsageError("--routes FILE is for --by route")
    of_levels = [HREF, *(level.field for level in levels)]
    patterns = patterns_of(low, of_levels, low.by or "", reading.base, reading.memory)
    filter = [*patterns.filters, *host_jobs(low, reading.base, reading.memory)]
    # stats itself leaves out blank lines.
    plan = plan_rows(of_levels, patterns, filter, base=reading.base, limit=reading.limit) if levels else None
    fields = RowFields(plan, filter, levels, numbers)
    if reading.log is not None and not reading.log.has_names_of_lines:
        for name in fields.names:
            if name not in reading.log.columns:
                listed = ", ".join(map(quoted, reading.log.columns))
                hint = PERCENTILES if name in numbers else ""
                raise UsageError(f"the lines of the log have no {quoted(name)}: they have {listed}{hint}")
    return fields


def _level(name: str) -> Level:
    if name in TIMES:
        return Level(OutputField(COLUMN, TIME, name), name, TIMES[name])
    [*parts] = parse_format(f"{{{name}}}")
    field = parts[0] if len(parts) == 1 else None
    if not isinstance(field, OutputField) or field.must:
        raise UsageError(f"--by takes names as -g does, without braces: not {quoted(name)}")
    return Level(field, name)
