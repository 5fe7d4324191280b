"""Rows of an input, as readers give them."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from weburl._columns import input
from weburl._columns.input import TooLong
from weburl._columns.pieces import Piece, cut_lines, cut_rows

# A text; TOO_LONG_ROW in place of one that has more bytes than --max-line; or None where there is no value.
Row = str | TooLong | None
TOO_LONG_NAME: Final = "too-long"


def line_limit(options: Namespace) -> int:
    """The most bytes of a line, by --max-line."""
    return options.max_line or sys.maxsize


def too_long_message(limit: int) -> str:
    return f"The line has more than {limit:,} bytes (--max-line)."


class RowBlock(NamedTuple):
    """Some rows of an input: lines (the first `size` bytes of `rows`), a list of `Row`, or a column of Arrow."""

    rows: Any
    size: int
    lines: list[int] | None = None  # the line number of each row, where rows are not lines
    done: int = 0  # how many bytes of the file have been read
    pause: bool = False  # the next block is not there yet, so the output should be flushed
    partial: bool = False  # the last line continues in the next block

    def pieces(self) -> Iterator[Piece]:
        if isinstance(self.rows, bytes):
            return cut_lines(self.rows, self.size)
        return cut_rows([input.from_objects(self.rows)] if isinstance(self.rows, list) else input.from_arrow(self.rows))

    def head(self, piece: Piece, rows: int) -> Piece:
        """The first rows of a piece of this block."""
        end = piece.begin + rows
        if isinstance(self.rows, bytes):
            end = piece.begin
            for _ in range(rows):
                end = piece.rows.end_of_line(end)
        return piece._replace(end=end)

    def texts(self, begin: int = 0, end: int | None = None) -> list[Row]:
        """The rows of the block, or of a piece of it."""
        end = self.size if end is None else end
        if isinstance(self.rows, bytes):
            lines = self.rows[begin:end].decode("utf-8", "replace").split("\n")
            if not lines[-1]:
                lines.pop()
            return [line.removesuffix("\r") for line in lines]
        rows = self.rows[begin:end]
        return rows if isinstance(rows, list) else rows.to_pylist()
