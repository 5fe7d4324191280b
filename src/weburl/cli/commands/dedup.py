"""weburl dedup: prints the first line of each key."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any, Final, NamedTuple

from weburl._arrow.cutting import Piece
from weburl.cli._conversion import Filtered, only
from weburl.cli._exit import UsageError
from weburl.cli._options import HiArgs, KeyedArgs
from weburl.cli._options import decided as output_decided
from weburl.cli._options import default_template as convert_template
from weburl.cli._output_fields import INPUT, OutputField, named
from weburl.cli.commands.convert import ConvertCommand, ConvertedPiece, parsed, run_command
from weburl.cli.commands.convert import make_parser as make_convert_parser
from weburl.cli.keys.key_set import KeySet
from weburl.cli.keys.keys import Keys
from weburl.cli.readers.row_blocks import RowBlock
from weburl.cli.writers.output_writer import OutputWriter
from weburl.cli.writers.text import LineWriter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weburl.cli._parser import ArgumentParser

EXAMPLES: Final = """\
examples:
  weburl dedup -f today.txt
  weburl dedup --key hostname -g '{hostname}' -f today.txt
  weburl dedup --key registrable_domain --csv --keep -f logs.csv --column url
  weburl dedup --memory 4G -o unique.txt -f today.txt

"""
DESCRIPTION: Final = """\
Removes duplicates: of all lines with the same key, it prints only the first, unchanged. By default, two lines have the
same key if their URLs mean the same page. Keys that do not fit in --memory go to temporary files. Keys are compared by
128 bits of their hashes."""


def make_parser() -> ArgumentParser:
    return make_convert_parser("weburl dedup", KeyedArgs, DESCRIPTION, EXAMPLES)


def main(arguments: list[str]) -> int:
    return run_command(parsed(make_parser, arguments, KeyedArgs(), "weburl dedup"), decided, DedupCommand)


class DedupHiArgs(NamedTuple):
    """What dedup does."""

    output: HiArgs
    keys: Keys


def decided(low: KeyedArgs) -> DedupHiArgs:
    args = output_decided(low, default_template)
    return DedupHiArgs(args, keys_of(low, args))


def default_template(writer: type[OutputWriter], keeps: bool, drop: bool) -> Sequence[str | OutputField]:
    if writer is LineWriter:
        return [named(INPUT)]
    # The records as they are, if they are kept.
    return writer.template("{href}", drop=drop)[1:] if keeps else convert_template(writer, keeps, drop)


def keys_of(low: KeyedArgs, args: HiArgs) -> Keys:
    plan = args.plan
    if plan.edits.iterates:
        raise UsageError("--iterate does not go with keys")
    if plan.policy is not None and low.format is None and args.writer is LineWriter:
        raise UsageError("--policy is for {href}, and lines are printed as they are: use --key POLICY, or -g '{href}'")
    return Keys(low.key, plan.base, plan.skips_empty)


class KeyedPiece(NamedTuple):
    """A piece with the keys of its rows that the filter leaves, and which rows have one."""

    filtered: Filtered
    keys: bytes
    marks: bytes
    block: RowBlock
    piece: Piece


class DedupCommand(ConvertCommand):
    """Rows whose key was there before are left out. So are not URLs without a key, as those without a host."""

    def __init__(self, args: DedupHiArgs) -> None:
        super().__init__(args.output)
        self.keys: Keys = args.keys
        self.key_set: KeySet = KeySet(args.output.reading.memory)
        self.kept: bytes = b""

    def run(self) -> None:
        with closing(self.key_set):
            super().run()

    def cancel(self) -> None:
        super().cancel()
        self.keys.job.cancelled = True

    def worked(self, writer: OutputWriter, block: RowBlock, piece: Piece) -> KeyedPiece:
        filtered = self.conversion.filtered(block, piece)
        return KeyedPiece(filtered, *self.keys(filtered.block, filtered.piece), block, piece)

    def settled(self, writer: OutputWriter, worked: Any) -> tuple[ConvertedPiece]:
        filtered, keys, marks, block, piece = worked
        self.kept = self.key_set.add(keys, marks)
        left = self._left(filtered) if 0 in self.kept else filtered
        rows = len(self.kept) if filtered.left is None else filtered.rows_read
        return (self.rendered(writer, left, block, piece)._replace(rows=rows),)

    def head(self, writer: OutputWriter, block: RowBlock, piece: Piece, rows: int) -> Any:
        first = block.head(piece, rows)
        filtered = self.conversion.filtered(block, first)
        self.kept = self.kept[: rows if filtered.left is None else filtered.left]
        return self.rendered(writer, self._left(filtered) if self.kept else filtered, block, first).rendered

    def _left(self, filtered: Filtered) -> Filtered:
        block, piece = only(filtered.block, filtered.piece, self.kept)
        left = filtered._replace(block=block, piece=piece)
        return left.marked(self.kept) if self.explains else left
