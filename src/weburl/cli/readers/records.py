"""Records of CSV, of which no longer one than a limit is held."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from enum import Enum
from typing import Final

from weburl._columns.input import TOO_LONG, TooLong
from weburl.cli.readers.input import Block, InputError

# No decoded text has it, and csv takes it before Python 3.11, unlike NUL.
NUL: Final = "\udc00"
QUOTES: Final = re.compile(b'"+')


class Longer(Exception):
    """A record is: with its line that makes it so."""


class State(Enum):
    """Where in a record a byte is."""

    START = 0  # of a field
    PLAIN = 1  # in a field without quotes, or behind the closing one
    QUOTED = 2


class Records:
    """Records(parts, delimiter, limit): lists of str, and TOO_LONG for what has more than `limit` bytes.

    `line` is the last line of the record, `done` how many bytes of the file were read for it.
    """

    def __init__(self, parts: Iterator[Block], delimiter: str, limit: int) -> None:
        self.parts = parts
        self.delimiter = delimiter
        self.limit = limit
        self.line = 0
        self.done = 0
        self.has_nul = False
        self.held = 0  # bytes of the record that is being read, each line with its newline
        self.pieces = self._pieces()

    def __iter__(self) -> Iterator[list[str] | TooLong]:
        csv.field_size_limit((1 << 31) - 1)
        while True:
            # Strict: else a quote that is not closed takes all that follows for its own.
            reader = csv.reader(self._texts(), delimiter=self.delimiter, strict=True)
            try:
                for record in reader:
                    self.held = 0
                    yield [field.replace(NUL, "\0") for field in record] if self.has_nul else record
                return
            except Longer as longer:
                # Between two lines csv is at the start of a record or within quotes.
                self._skip(longer.args[0], State.QUOTED if self.held else State.START)
                self.held = 0
                yield TOO_LONG
            except csv.Error as error:
                raise InputError(f"line {self.line}: {error}") from None

    def _pieces(self) -> Iterator[bytes]:
        """Each line with its newline, also the last one; of one that is too long, pieces, and only the last has it."""
        is_open = False
        for block in self.parts:
            is_open = block.partial
            self.done = block.done
            self.has_nul |= b"\0" in block.rows
            *lines, rest = block.rows[: block.size].split(b"\n")
            for line in lines:
                yield line + b"\n"
            if rest:
                yield rest if is_open else rest + b"\n"
        if is_open:
            yield b"\n"

    def _texts(self) -> Iterator[str]:
        for piece in self.pieces:
            ends = piece[-1] == 10
            if self.held + len(piece) - ends > self.limit or not ends:
                raise Longer(piece)
            self.held += len(piece)
            self.line += 1
            text = piece.decode("utf-8", "replace")
            yield text.replace("\0", NUL) if self.has_nul else text

    def _skip(self, piece: bytes | None, state: State) -> None:
        """Reads on to the end of a record: a newline that is not within quotes."""
        rest = b""
        while piece is not None:
            ends = piece[-1] == 10
            state, rest = self._after(rest + piece.removesuffix(b"\n"), state, ends)
            if ends:
                self.line += 1
                if state is not State.QUOTED:
                    return
            piece = next(self.pieces, None)

    def _after(self, piece: bytes, state: State, ends: bool) -> tuple[State, bytes]:
        """The state behind a piece, and what of it must be seen together with the next one."""
        delimiter = self.delimiter.encode()
        at = 0
        if state is State.START and piece:
            state = State.QUOTED if piece[0] == 34 else State.PLAIN
            at = state is State.QUOTED
        while piece:
            if state is State.PLAIN:
                # A quote elsewhere in a field without quotes is a character as others are.
                at = piece.find(delimiter + b'"', at) + 2
                if at == 1:
                    return (State.START if piece.endswith(delimiter) else State.PLAIN), b""
                state = State.QUOTED
            begin = piece.find(b'"', at)
            if begin < 0:
                return State.QUOTED, b""
            at = QUOTES.match(piece, begin).end()  # type: ignore[union-attr]  # one is there
            if (at - begin) % 2:
                if at == len(piece) and not ends:
                    # It may be the first of two.
                    return State.QUOTED, b'"'
                state = State.PLAIN
        return state, b""
