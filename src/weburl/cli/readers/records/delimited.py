"""CSV and TSV: each record has the URL in one column. No record over the limit is held in memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from itertools import chain
from typing import Final

from weburl._arrow.input import TOO_LONG_ROW
from weburl.cli._exit import InputError
from weburl.cli.readers.byte_stream import ByteStream
from weburl.cli.readers.column_names import column_index, column_number
from weburl.cli.readers.reading import Keep, Reading, SeenFields
from weburl.cli.readers.records.cells import cut_records, read_columns
from weburl.cli.readers.row_blocks import (
    RECORD_BYTES,
    TOO_LONG_NAME,
    Fault,
    KeptColumn,
    LineNumbers,
    RecordBlock,
    RowBlock,
    invalid_record,
    kept_names,
    null_columns,
    too_long_message,
)
from weburl.cli.readers.rows.text_column import count_lines

QUOTES: Final = re.compile(b'"+')
EMPTY_LINES: Final = re.compile(b"(?:\r?\n){0,65535}")  # re takes 120 bytes for each
MOST_COLUMNS: Final = 1 << 16
MOST_LOOKS: Final = 16  # at a byte of a long record, on average
MOST_CELLS: Final = 1 << 24  # about twice as many as a piece can have: a row has two bytes, and all columns


def read_csv(stream: ByteStream, reading: Reading, keep: Keep) -> Iterator[RowBlock | RecordBlock]:
    return _read(stream, reading, keep, ",")


def read_tsv(stream: ByteStream, reading: Reading, keep: Keep) -> Iterator[RowBlock | RecordBlock]:
    return _read(stream, reading, keep, "\t")


def _read(stream: ByteStream, reading: Reading, keep: Keep, delimiter: str) -> Iterator[RowBlock | RecordBlock]:
    limit = reading.limit
    table = _Table(reading.column, keep, delimiter, limit, stream.fields)
    skipping: Skipping | None = None
    data = b""
    unread = _Unread()
    line = done = 0
    for block in chain(stream.blocks(limit), (None,)):
        if block is not None:
            unread.add(block.rows[: block.size])
            done = block.done
            if unread.may_wait(data, limit, block.pause):
                continue
        data = unread.joined_to(data)
        if block is None and data and not data.endswith(b"\n"):
            data += b"\n"  # what ends the last line
        while data:
            if skipping is not None:
                size, lines = skipping.skip(data)
                line += lines
                data = data[size:]
                if skipping.is_open:
                    break
                skipping = None
                yield table.too_long(line, done)
            elif table.names is None:
                size = table.read_header(data, block is None)
                line += count_lines(data, 0, size)
                data = data[size:]
                if table.names is not None:
                    yield RowBlock([], 0, [], done, names=table.kept_names, kept=null_columns(0, table.kept_names))
                elif not size:
                    break
            elif cuts := cut_records(data, delimiter, table.piece_bytes, limit, block is None):
                yield RecordBlock(data[: cuts[-1]], cuts, table.parse, line, done, block is not None and block.pause)
                line += count_lines(data, 0, cuts[-1])
                data = data[cuts[-1] :]
            elif len(data) > limit + 1:  # with the newline
                skipping = Skipping(delimiter)
            else:
                break
    if skipping is not None:
        yield table.too_long(line + skipping.is_in_line, done)
    if table.names is None:
        column_index([], reading.column)


class _Unread:
    """What follows a long record whose end is not there yet.

    The record is looked at again when there is twice as much of it: time stays linear. It is also looked at when the
    writer waits after what may be its end, if that has not been done too often.
    """

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = self.given = self.looked_at = 0
        self.has_quote = self.has_newline = False

    def add(self, part: bytes) -> None:
        self.parts.append(part)
        self.size += len(part)
        self.given += len(part)
        self.has_quote = self.has_quote or b'"' in part
        self.has_newline = self.has_newline or b"\n" in part

    def may_wait(self, data: bytes, limit: int, writer_waits: bool) -> bool:
        """Whether the bytes before it need not be looked at again now."""
        if not self.size < len(data) <= limit - self.size:
            return False
        may_end = self.has_quote if b'"' in data else self.has_newline
        return not (writer_waits and may_end and self.looked_at < MOST_LOOKS * self.given)

    def joined_to(self, data: bytes) -> bytes:
        """All of it, which is looked at now."""
        data = b"".join(filter(None, (data, *self.parts)))  # which copies nothing if only one is not empty
        self.parts, self.size, self.has_quote, self.has_newline = [], 0, False, False
        self.looked_at += len(data)
        return data


class _Table:
    """What is read of each record. `names` are those of the columns, when the header has been read."""

    def __init__(self, column: str | None, keep: Keep, delimiter: str, limit: int, fields: SeenFields) -> None:
        self.column = column
        self.number = column_number(column)
        self.fields = fields
        # A name is looked for in the header.
        if column is not None and self.number is not None:
            fields.wanted = (column,)
        self.keep = keep
        self.delimiter = delimiter
        self.limit = limit
        self.names: list[str] | None = None
        self.kept_names: tuple[str, ...] = ()
        # The columns that are read, first that of the URL; and the places among these of those that are kept.
        self.wanted: tuple[int, ...] = ()
        self.places: list[int] = []
        if self.number is not None and self.keep.names == ():
            self._choose([], self.number)

    @property
    def piece_bytes(self) -> int:
        return min(RECORD_BYTES, MOST_CELLS // len(self.wanted))

    def read_header(self, data: bytes, is_last: bool) -> int:
        """How many bytes the header takes, or empty lines before it; 0 if its end is not there, or if there is none.

        If the column is asked for by its number, there is no header.
        """
        if size := EMPTY_LINES.match(data).end():  # type: ignore[union-attr]  # there may be none
            return size
        size = next(iter(cut_records(data, self.delimiter, 1, self.limit, is_last)), 0)
        if not size:
            if len(data) > self.limit + 1:
                raise self._long_header(1)
            return 0
        most = data.count(self.delimiter.encode(), 0, size) + 1
        if most > MOST_COLUMNS and size <= self.limit:
            raise InputError(f"line 1: the header has more than {MOST_COLUMNS:,} columns")
        columns, lines, wrong = read_columns(data, 0, size, self.delimiter, tuple(range(most)), self.limit)
        if wrong:
            raise self._long_header(1) if wrong[0] is None else InputError(f"line {lines[0]}: {wrong[0][0]}")
        names = [name for [name] in (column.texts(0, 1) for column in columns) if name is not None]
        if self.number is None:
            self._choose(names, column_index(names, self.column))
            return size
        self._choose([str(index + 1) for index in range(len(names))], self.number)
        return 0

    def _long_header(self, line: int) -> InputError:
        return InputError(f"line {line}: the header has more than {self.limit:,} bytes (--max-line)")

    def _choose(self, names: list[str], index: int) -> None:
        self.names = names
        self.kept_names = kept_names(names, self.keep, names[index] if index < len(names) else "")
        indices = {name: index for index, name in reversed([*enumerate(names)])}
        kept = [indices[name] for name in self.kept_names]
        self.wanted = tuple(dict.fromkeys((index, *kept)))
        places = {place: number for number, place in enumerate(self.wanted)}
        self.places = [places[place] for place in kept]

    def parse(self, data: bytes, begin: int, end: int, line: int) -> RowBlock:
        columns, lines, wrong = read_columns(data, begin, end, self.delimiter, self.wanted, self.limit)
        self.fields.has_records = self.fields.has_records or len(lines) > 0
        self.fields.seen.update(name for name in {*self.fields.wanted} - self.fields.seen if any(columns[0].validity))
        faults = {row: self._fault(why) for row, why in wrong.items()}
        kept = [KeptColumn(columns[place]) for place in self.places]
        return RowBlock(
            columns[0], len(lines), LineNumbers(lines, line), names=self.kept_names, kept=kept, faults=faults
        )

    def _fault(self, why: tuple[str, bytes] | None) -> Fault:
        if why is None:
            return Fault(TOO_LONG_NAME, too_long_message(self.limit), None)
        return invalid_record(*why)

    def too_long(self, line: int, done: int) -> RowBlock:
        if self.names is None:
            raise self._long_header(line)
        kept = null_columns(1, self.kept_names)
        return RowBlock([TOO_LONG_ROW], 1, [line], done, pause=True, names=self.kept_names, kept=kept)


class _State(Enum):
    """Where in a record a byte is."""

    START = 0  # at the start of a field
    PLAIN = 1  # in a field without quotes, or after the closing quote
    QUOTED = 2


class Skipping:
    """Skips a record over the limit, from its begin. `is_open` says whether it goes on."""

    def __init__(self, delimiter: str) -> None:
        self.delimiter: bytes = delimiter.encode()
        self.state: _State = _State.START
        self.rest: bytes = b""
        self.is_open: bool = True
        self.is_in_line: bool = False

    def skip(self, data: bytes) -> tuple[int, int]:
        """How many bytes and lines of the data the record takes."""
        size = lines = 0
        while size < len(data):
            if self.state is _State.QUOTED and not self.rest:
                # Lines without a quote change nothing.
                quote = data.find(b'"', size)
                begin = len(data) if quote < 0 else data.rfind(b"\n", size, quote) + 1
                if begin > size:
                    lines += count_lines(data, size, begin)
                    size = begin
                    self.is_in_line = data[size - 1] != 10
                    continue
            fragment = data[size : data.find(b"\n", size) + 1 or len(data)]
            ends = fragment[-1] == 10
            self.state, self.rest = self._state_after(self.rest + fragment.removesuffix(b"\n"), self.state, ends)
            size += len(fragment)
            lines += ends
            self.is_in_line = not ends
            if ends and self.state is not _State.QUOTED:
                self.is_open = False
                break
        return size, lines

    def _state_after(self, fragment: bytes, state: _State, ends: bool) -> tuple[_State, bytes]:
        """The state after a fragment, and the end of it that must be read together with the next one."""
        delimiter = self.delimiter
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
