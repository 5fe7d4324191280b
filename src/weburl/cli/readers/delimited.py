"""CSV and TSV: each record has the URL in one column. No record over the limit is held in memory."""

from __future__ import annotations

import io
import re
from argparse import Namespace
from collections.abc import Iterator
from enum import Enum
from typing import Final

from weburl._columns.input import TOO_LONG_ROW, TooLong
from weburl._columns.pieces import PIECE_ROWS
from weburl.cli._exit import InputError
from weburl.cli.readers import files
from weburl.cli.readers.column_names import column_index, column_number
from weburl.cli.readers.files import ByteStream
from weburl.cli.readers.rows import Row, RowBlock, line_limit

# csv refuses NUL before Python 3.11. This stands for it: decoded text never has a lone surrogate.
NUL: Final = "\udc00"
QUOTES: Final = re.compile(b'"+')


def read_csv(stream: ByteStream, options: Namespace) -> Iterator[RowBlock]:
    return _read(stream, options, ",")


def read_tsv(stream: ByteStream, options: Namespace) -> Iterator[RowBlock]:
    return _read(stream, options, "\t")


def _read(stream: ByteStream, options: Namespace, delimiter: str) -> Iterator[RowBlock]:
    limit = line_limit(options)
    records = Records(stream.blocks(limit), delimiter, limit)
    rows: list[Row] = []
    numbers: list[int] = []
    size = 0
    index = column_number(options.column)
    for record in records:
        if index is None:
            if isinstance(record, TooLong):
                raise InputError(f"line {records.line}: the header has more than {limit:,} bytes (--max-line)")
            index = column_index(record, options.column)
            continue
        if not record:
            continue
        row: Row = None
        if isinstance(record, TooLong):
            row = record
        elif index < len(record):
            row = record[index]
            size += len(row)
        rows.append(row)
        numbers.append(records.line)
        if len(rows) == PIECE_ROWS or size > files.BLOCK:
            yield RowBlock(rows, len(rows), numbers, records.done)
            rows, numbers, size = [], [], 0
    if index is None:
        column_index([], options.column)
    if rows:
        yield RowBlock(rows, len(rows), numbers, records.done, pause=True)


class _OverLimit(Exception):
    """Raised in the middle of a record, with the line that makes it longer than the limit."""


class _State(Enum):
    """Where in a record a byte is."""

    START = 0  # at the start of a field
    PLAIN = 1  # in a field without quotes, or after the closing quote
    QUOTED = 2


class Records:
    """Records(blocks, delimiter, limit): each record as a list of str.

    It is TOO_LONG_ROW if it has more than `limit` bytes.

    `line` is the number of the record's last line; `done` is how many bytes of the file have been read.
    """

    def __init__(self, blocks: Iterator[RowBlock], delimiter: str, limit: int) -> None:
        self.blocks = blocks
        self.delimiter = delimiter
        self.limit = limit
        self.line = 0
        self.done = 0
        self.has_nul = False
        self.held = 0  # bytes of the current record, with the newlines
        self.fragments = self._fragments()

    def __iter__(self) -> Iterator[list[str] | TooLong]:
        import csv

        csv.field_size_limit((1 << 31) - 1)
        while True:
            # Without strict, a quote that is never closed would take the rest of the file.
            reader = csv.reader(self._texts(), delimiter=self.delimiter, strict=True)
            try:
                for record in reader:
                    self.held = 0
                    yield [field.replace(NUL, "\0") for field in record] if self.has_nul else record
                return
            except _OverLimit as over:
                # Between two lines, csv is at the start of a record or within quotes.
                self._skip(over.args[0], _State.QUOTED if self.held else _State.START)
                self.held = 0
                yield TOO_LONG_ROW
            except csv.Error as error:
                raise InputError(f"line {self.line}: {error}") from None

    def _fragments(self) -> Iterator[bytes]:
        """Each line with its newline, also the last one. A line over the limit comes in fragments."""
        is_open = False
        for block in self.blocks:
            is_open = block.partial
            self.done = block.done
            self.has_nul |= b"\0" in block.rows
            for line in io.BytesIO(block.rows[: block.size]):
                yield line if is_open or line[-1] == 10 else line + b"\n"
        if is_open:
            yield b"\n"

    def _texts(self) -> Iterator[str]:
        for fragment in self.fragments:
            ends = fragment[-1] == 10
            if self.held + len(fragment) - ends > self.limit or not ends:
                raise _OverLimit(fragment)
            self.held += len(fragment)
            self.line += 1
            text = fragment.decode("utf-8", "replace")
            yield text.replace("\0", NUL) if self.has_nul else text

    def _skip(self, fragment: bytes | None, state: _State) -> None:
        """Reads on to the end of the record: a newline that is not within quotes."""
        rest = b""
        while fragment is not None:
            ends = fragment[-1] == 10
            state, rest = self._state_after(rest + fragment.removesuffix(b"\n"), state, ends)
            if ends:
                self.line += 1
                if state is not _State.QUOTED:
                    return
            fragment = next(self.fragments, None)

    def _state_after(self, fragment: bytes, state: _State, ends: bool) -> tuple[_State, bytes]:
        """The state after a fragment, and the end of it that must be read together with the next one."""
        delimiter = self.delimiter.encode()
        at = 0
        if state is _State.START and fragment:
            state = _State.QUOTED if fragment[0] == 34 else _State.PLAIN
            at = state is _State.QUOTED
        while fragment:
            if state is _State.PLAIN:
                # Elsewhere in a field without quotes, a quote is a character like others.
                at = fragment.find(delimiter + b'"', at) + 2
                if at == 1:
                    return (_State.START if fragment.endswith(delimiter) else _State.PLAIN), b""
                state = _State.QUOTED
            begin = fragment.find(b'"', at)
            if begin < 0:
                return _State.QUOTED, b""
            at = QUOTES.match(fragment, begin).end()  # type: ignore[union-attr]  # one is there
            if (at - begin) % 2:
                if at == len(fragment) and not ends:
                    # It may be the first of two.
                    return _State.QUOTED, b'"'
                state = _State.PLAIN
        return state, b""
