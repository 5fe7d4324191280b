"""weburl join: puts the rows of two files together that have the same key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any, Final, NamedTuple

from weburl._arrow.cutting import Piece
from weburl.cli._arguments import argument_text, flag, option
from weburl.cli._conversion import NO_URLS, is_surt
from weburl.cli._exit import UsageError
from weburl.cli._options import HiArgs, KeyedArgs, column_option, format_option, input_option, names_of
from weburl.cli._options import decided as output_decided
from weburl.cli._output_fields import COLUMN, INPUT, OutputField, named
from weburl.cli.commands.convert import ConvertCommand, ConvertedPiece, parsed, run_command
from weburl.cli.commands.convert import make_parser as make_convert_parser
from weburl.cli.commands.dedup import keys_of
from weburl.cli.keys.key_set import Pairs
from weburl.cli.keys.keys import Keys
from weburl.cli.keys.table import Table, read_table
from weburl.cli.readers.reading import STDIN, Keep, Reading
from weburl.cli.readers.row_blocks import RowBlock
from weburl.cli.writers.output_writer import OutputWriter
from weburl.cli.writers.text import LineWriter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weburl.cli._parser import ArgumentParser

OTHER: Final = "the other file"
EXAMPLES: Final = """\
examples:
  weburl join --with seen.txt -f today.txt
  weburl join --with owners.csv --with-column domain --key registrable_domain --csv --keep -f logs.csv --column url
  weburl join --left --with owners.csv --with-column domain --key registrable_domain -g '{column:with.owner}' -f a.txt

"""
DESCRIPTION: Final = """\
Joins two files by URL. A row of -f is printed once for each row of --with that has the same key, with the columns of
both. By default, two rows have the same key if their URLs mean the same page. The file of --with is held in memory, or
in a temporary file if it does not fit in --memory."""


class JoinArgs(KeyedArgs):
    format: str | None = format_option("{input} and its columns")
    with_file: str = option("--with", group=OTHER, metavar="FILE", required=True, help="the other file")
    with_column: str | None = column_option("the column of the other file that has the URLs", OTHER, "--with-column")
    with_field: str | None = option("--with-field", group=OTHER, metavar="NAME", type=argument_text,
        help="the field of the other file that has the URLs")  # fmt: skip
    with_input: str | None = input_option("the format of the other file", OTHER, "--with-input")
    with_keep: str | None = option("--with-keep", group=OTHER, metavar="NAMES",
        help="the columns of the other file to add (default: all): --with-keep=id,owner. In formats and headers, they "
        "are with.id and with.owner")  # fmt: skip
    left: bool = flag("--left", group="keys", help="also print rows of FILE that have no match")


def make_parser() -> ArgumentParser:
    return make_convert_parser("weburl join", JoinArgs, DESCRIPTION, EXAMPLES)


def main(arguments: list[str]) -> int:
    return run_command(parsed(make_parser, arguments, JoinArgs(), "weburl join"), decided, JoinCommand)


class JoinHiArgs(NamedTuple):
    """What join does."""

    output: HiArgs
    keys: Keys
    other: Reading
    other_keep: Keep
    is_left: bool
    adds_columns: bool  # the columns of the other file come after the input


def decided(low: JoinArgs) -> JoinHiArgs:
    """Decides what the options mean together; UsageError if they contradict each other."""
    args = output_decided(low, default_template)
    reads_stdin = STDIN in args.reading.files or not (args.reading.files or args.urls)
    if low.with_file == STDIN and reads_stdin:
        raise UsageError("--with - and FILE are both standard input")
    keys = keys_of(low, args)
    if low.format is None and args.plan.policy is not None and is_surt(args.plan.policy):
        # The columns of the other file are printed, and not {href}.
        raise UsageError(NO_URLS)
    kept = None if low.with_keep is None else tuple(names_of(low.with_keep))
    keep = Keep(kept, redacts=args.plan.redacts, or_lines=True, option="--with-keep")
    other = Reading(
        files=[low.with_file],
        column=low.with_column,
        field=low.with_field,
        format=low.with_input,
        limit=args.reading.limit,
        memory=args.reading.memory,
        threads=args.reading.threads,
    )
    return JoinHiArgs(args, keys, other, keep, low.left, adds_columns=low.format is None and low.keep is None)


def with_columns(join: JoinHiArgs, names: tuple[str, ...]) -> HiArgs:
    """What join does when the columns of the other file are known: they are not read from this one."""
    args = join.output
    kept = args.keep.names and tuple(name for name in args.keep.names if name not in names)
    keep = args.keep._replace(names=kept, left_out=args.keep.left_out.union(names))
    template = args.template
    if join.adds_columns:
        columns: list[str | OutputField] = [OutputField(COLUMN, name, name) for name in names]
        if args.writer is LineWriter:
            columns = [part for column in columns for part in ("\t", column)]
        after = list(template).index(named(INPUT)) + 1
        template = [*template[:after], *columns, *template[after:]]
    return args._replace(keep=keep, template=template)


def default_template(writer: type[OutputWriter], keeps: bool, drop: bool) -> Sequence[str | OutputField]:
    """Without the columns of the other file, which are known when it is read. --keep has the columns of both."""
    others = [] if writer is LineWriter else writer.template("{href}", drop=drop)[1:]
    return others if keeps else [named(INPUT), *others]


STEP: Final = 1 << 20  # bytes of the pairs that are rendered at a time
MOST: Final = 1 << 22  # and of those that a thread renders of a piece, before it is their turn


class LargePiece(NamedTuple):
    """A piece whose pairs are too many to be rendered at once, and which of its rows the filter leaves."""

    block: RowBlock
    piece: Piece
    pairs: Pairs
    marks: bytes | None

    def parts(self) -> Iterator[Piece]:
        """Its rows in parts: each has a row, or more of them whose pairs have at most STEP bytes."""
        rest, pairs = self.piece, self.pairs
        # Where the rows that are left are, and where the last one ends.
        places: Sequence[int] = range(pairs.count)
        end = pairs.count
        if self.marks is not None:
            places = [place for place, mark in enumerate(self.marks) if mark]
            end = len(self.marks)
        done = 0
        while done < end:
            rows = pairs.rows_within(STEP)
            after = pairs.row + rows
            if rows or pairs.row == pairs.count:
                to = places[after] if after < pairs.count else end
            elif places[pairs.row] > done:
                # Only rows that are left out.
                to = places[pairs.row]
            else:
                rows, to = 1, done + 1
            pairs.skip(rows)
            part = self.block.head(rest, to - done)
            yield part
            rest = rest._replace(begin=part.end)
            done = to


class JoinCommand(ConvertCommand):
    table: Table

    def __init__(self, args: JoinHiArgs) -> None:
        super().__init__(args.output)
        self.join = args
        self.keys: Keys = args.keys

    def run(self) -> None:
        self.table = read_table(self.join.other, self.join.other_keep, self.keys, is_left=self.join.is_left)
        with closing(self.table.rows):
            self.status: int = self.table.status
            self.more_names: tuple[str, ...] = self.table.names
            # They are known from here on.
            self.args: HiArgs = with_columns(self.join, self.table.names)
            super().run()

    def cancel(self) -> None:
        super().cancel()
        self.keys.job.cancelled = True

    def worked(self, writer: OutputWriter, block: RowBlock, piece: Piece) -> ConvertedPiece | LargePiece:
        filtered = self.conversion.filtered(block, piece)
        pairs = self.table.pairs(filtered, *self.keys(filtered.block, filtered.piece))
        if pairs.rows_within(MOST) < pairs.count:
            return LargePiece(block, piece, pairs, filtered.marks)
        return self.rendered(writer, self.table.joined(filtered, pairs, MOST, is_marked=self.explains), block, piece)

    def settled(self, writer: OutputWriter, worked: Any) -> Iterator[ConvertedPiece]:
        if isinstance(worked, LargePiece):
            for part in worked.parts():
                yield from self._steps(writer, worked.block, part)
        else:
            yield worked

    def _steps(self, writer: OutputWriter, block: RowBlock, piece: Piece) -> Iterator[ConvertedPiece]:
        """The pairs of a piece, in steps. Its rows are counted and explained with the first one."""
        filtered = self.conversion.filtered(block, piece)
        pairs = self.table.pairs(filtered, *self.keys(filtered.block, filtered.piece))
        joined = self.table.joined(filtered, pairs, STEP, is_marked=self.explains)
        yield self.rendered(writer, joined, block, piece)
        filtered = filtered._replace(errors=Counter())
        nothing = piece._replace(end=piece.begin)
        while pairs.row < pairs.count:
            joined = self.table.joined(filtered, pairs, STEP, is_marked=False)
            yield self.rendered(writer, joined, block, nothing)._replace(rows=0)

    def head(self, writer: OutputWriter, block: RowBlock, piece: Piece, rows: int) -> Any:
        first = block.head(piece, rows)
        filtered = self.conversion.filtered(block, first)
        pairs = self.table.pairs(filtered, *self.keys(filtered.block, filtered.piece))
        joined = self.table.joined(filtered, pairs, MOST, is_marked=self.explains)
        return self.rendered(writer, joined, block, first).rendered
