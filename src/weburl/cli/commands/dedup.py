"""weburl dedup: prints the first line of each key."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from typing import Any, Final, NamedTuple

from weburl._arrow.pieces import Piece
from weburl.cli._arguments import ArgumentParser
from weburl.cli._conversion import Filtered, only
from weburl.cli._output_fields import OutputField
from weburl.cli.commands.convert import ConvertCommand, ConvertedPiece, run_command
from weburl.cli.commands.convert import make_parser as make_convert_parser
from weburl.cli.keys.key_set import KeySet
from weburl.cli.keys.keys import Keys, add_key_option
from weburl.cli.readers.rows import RowBlock
from weburl.cli.writers.output_writer import OutputWriter
from weburl.cli.writers.text import LineWriter

EXAMPLES: Final = """\
examples:
  weburl dedup -f today.txt
  weburl dedup --key host -g '{hostname}' -f today.txt
  weburl dedup --key site --csv --keep -f logs.csv --column url
  weburl dedup --memory 4G -o unique.txt -f today.txt

"""
DESCRIPTION: Final = """\
Prints the first line of each key, in the order of the lines, as it was given. By default, lines have one key if they
are URLs of one page. Keys are compared by 128 bits; those that --memory has no room for are kept in temporary files."""


def make_parser() -> ArgumentParser:
    parser = make_convert_parser("weburl dedup", DESCRIPTION, EXAMPLES, "{input}")
    group = parser.add_argument_group("keys")
    add_key_option(group)
    parser.set_defaults(invalid="drop")
    return parser


def main(arguments: list[str]) -> int:
    parser = make_parser()
    return run_command(parser, parser.parse_intermixed_args(arguments), DedupCommand)


class KeyedPiece(NamedTuple):
    """A piece with the keys of its rows that the filter leaves, and which rows have one."""

    given: Filtered
    keys: bytes
    marks: bytes
    block: RowBlock
    piece: Piece


class DedupCommand(ConvertCommand):
    """Rows whose key was there before are left out. So are not URLs without a key, as those without a host."""

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        self.keys = Keys(options)
        self.key_set = KeySet(options.memory)
        self.kept = b""

    def format_of(self, format: str | None) -> Sequence[str | OutputField]:
        if format is not None:
            return super().format_of(format)
        if self.writer is LineWriter:
            return super().format_of("{input}")
        # The records as they are, if they are kept.
        return super().format_of("{href}")[1:] if self.options.keep is not None else super().format_of(None)

    def run(self) -> None:
        with closing(self.key_set):
            super().run()

    def cancel(self) -> None:
        super().cancel()
        self.keys.job.cancelled = True

    def worked(self, writer: OutputWriter, block: RowBlock, piece: Piece) -> KeyedPiece:
        given = self.conversion.filtered(block, piece)
        return KeyedPiece(given, *self.keys(given.piece), block, piece)

    def settled(self, writer: OutputWriter, worked: Any) -> tuple[ConvertedPiece]:
        given, keys, marks, block, piece = worked
        self.kept = self.key_set.add(keys, marks)
        left = self._left(given) if 0 in self.kept else given
        rows = len(self.kept) if given.left is None else given.rows_read
        return (self.rendered(writer, left, block, piece)._replace(rows=rows),)

    def head(self, writer: OutputWriter, block: RowBlock, piece: Piece, rows: int) -> Any:
        first = block.head(piece, rows)
        given = self.conversion.filtered(block, first)
        self.kept = self.kept[: rows if given.left is None else given.left]
        return self.rendered(writer, self._left(given) if self.kept else given, block, first).rendered

    def _left(self, given: Filtered) -> Filtered:
        block, piece = only(given.block, given.piece, self.kept)
        left = given._replace(block=block, piece=piece)
        return left.marked(self.kept) if self.explains else left
