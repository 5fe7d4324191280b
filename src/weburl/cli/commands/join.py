"""weburl join: puts the rows of two files together that have the same key."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, Final

from weburl._arrow.pieces import Piece
from weburl.cli._arguments import ArgumentParser
from weburl.cli._conversion import Filtered
from weburl.cli._exit import UsageError
from weburl.cli._output_fields import COLUMN, INPUT, OutputField, named
from weburl.cli.commands.convert import ConvertCommand, run_command
from weburl.cli.commands.convert import make_parser as make_convert_parser
from weburl.cli.keys.keys import Keys, add_key_option
from weburl.cli.keys.table import read_table
from weburl.cli.readers.inputs import READERS, STDIN
from weburl.cli.readers.rows import RowBlock
from weburl.cli.writers.output_writer import OutputWriter
from weburl.cli.writers.text import LineWriter

EXAMPLES: Final = """\
examples:
  weburl join --with seen.txt -f today.txt
  weburl join --with owners.csv --with-column site --key site --csv --keep -f logs.csv --column url
  weburl join --left --with owners.csv --with-column site --key site -g '{input} {column:with.owner}' -f today.txt

"""
DESCRIPTION: Final = """\
Prints the rows of FILE, each with the columns of every row of another file that has the same key. By default, two rows
have one key if they are URLs of one page. The other file is held in memory."""


def make_parser() -> ArgumentParser:
    parser = make_convert_parser("weburl join", DESCRIPTION, EXAMPLES, "{input} and its columns")
    add = parser.add_argument_group("the other file").add_argument
    add("--with", metavar="FILE", dest="with_file", required=True, help="the other file")
    add("--with-column", metavar="NAME", help="its column that has the URLs, as --column is that of FILE")
    add("--with-field", metavar="NAME", help="its field that has the URLs, as --field is that of FILE")
    add("--with-input", choices=list(READERS), help="its format, whatever its name")
    add("--with-keep", metavar="NAMES", help="its columns to take, instead of all: --with-keep=id,owner. In formats "
        "and headers, they are with.id and with.owner")  # fmt: skip
    group = parser.add_argument_group("keys")
    add_key_option(group)
    group.add_argument("--left", action="store_true", help="also print rows of FILE that have no counterpart")
    parser.set_defaults(invalid="drop")
    return parser


def main(arguments: list[str]) -> int:
    parser = make_parser()
    return run_command(parser, parser.parse_intermixed_args(arguments), JoinCommand)


class JoinCommand(ConvertCommand):
    def __init__(self, options: argparse.Namespace) -> None:
        reads_stdin = STDIN in options.files or not (options.files or options.urls)
        if options.with_file == STDIN and reads_stdin:
            raise UsageError("--with - and FILE are both standard input")
        self.keys = Keys(options)
        self.table = read_table(options, self.keys)
        self.more_names = self.table.names
        super().__init__(options)

    def format_of(self, format: str | None) -> Sequence[str | OutputField]:
        if format is not None:
            return super().format_of(format)
        columns = [OutputField(COLUMN, name, name) for name in self.more_names]
        if self.writer is LineWriter:
            return [named(INPUT), *(part for column in columns for part in ("\t", column))]
        # --keep has the columns of both.
        others = super().format_of("{href}")[1:]
        return others if self.options.keep is not None else [named(INPUT), *columns, *others]

    def cancel(self) -> None:
        super().cancel()
        self.keys.job.cancelled = True

    def worked(self, writer: OutputWriter, block: RowBlock, piece: Piece) -> Any:
        given = self._joined(block, piece)
        return self.rendered(writer, given, block, piece)

    def head(self, writer: OutputWriter, block: RowBlock, piece: Piece, rows: int) -> Any:
        first = block.head(piece, rows)
        return self.rendered(writer, self._joined(block, first), block, first).rendered

    def _joined(self, block: RowBlock, piece: Piece) -> Filtered:
        given = self.conversion.filtered(block, piece)
        keys, marks = self.keys(given.piece)
        joined = self.table.joined(given, keys, marks, is_left=self.options.left, is_marked=self.explains)
        # The rows that were read are those of the file.
        return joined if given.left is not None else joined._replace(left=len(marks), rows_read=len(marks))
