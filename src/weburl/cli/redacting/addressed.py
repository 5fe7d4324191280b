"""Values in the lines of a text, redacted where they are: of a field, of a column, or of requests in a log."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from weburl import URL
from weburl._redact.redact import LogPolicy, hidden_spans, redact, redact_text, redactions
from weburl._redact.secrets import HIDDEN
from weburl._redact.stream import TextStream
from weburl.cli._exit import MissingColumnError
from weburl.cli._messages import quoted
from weburl.cli.readers.byte_stream import BOM
from weburl.cli.readers.column_names import column_index, column_number
from weburl.cli.readers.open_files import format_of_name
from weburl.cli.readers.records.delimited import Skipping
from weburl.cli.readers.records.log_format import LogFormat
from weburl.cli.redacting.lines import FieldLines, Lines, Place, Skips, State
from weburl.cli.redacting.log_places import JsonLogLines, RequestLines


class ColumnLines:
    """ColumnLines(column, delimiter): the cells of a column of CSV or TSV. A name is one of those in the first record.

    Records are those of the reader of CSV: a quote opens a cell only where the cell begins.
    """

    def __init__(self, column: str, delimiter: bytes = b",") -> None:
        self.column: str = column
        self.records: int = 0
        self.unread: int = 0
        self.too_long: int = 0
        self.seen: bool = False
        # Several columns may have the name.
        self.indices: list[int] | None = None
        self.delimiter: bytes = delimiter
        self.end_of_plain: re.Pattern[bytes] = re.compile(b"[" + delimiter + rb"\r\n]|\Z")

    def state(self, line: bytes, *, is_open: bool) -> State:
        if not is_open and b'"' not in line:
            return State.WHOLE
        return self._read(line, is_open=is_open)[1]

    def skipping(self, limit: int) -> Skips:
        if self.indices is None and column_number(self.column) is None:
            raise self._no_header(f"it has more than {limit:,} bytes (--max-line)")
        return Skipping(self.delimiter.decode())

    def places(self, record: bytes) -> list[Place] | None:
        if not record.strip(b"\r\n"):
            return []
        cells, state = self._read(record)
        is_whole = state is State.WHOLE
        if self.indices is None:
            texts = [record[begin:end].decode("utf-8", "replace") for begin, end, _ in cells]
            names = [text.replace('""', '"') for text in texts]
            number = column_number(self.column)
            # A number needs no header: the first record may have a value.
            if number is None or (is_whole and self.column in names):
                if not is_whole:
                    raise self._no_header("a quote or a carriage return is wrong in it")
                column_index(names, self.column)
                self.indices = [index for index, name in enumerate(names) if name == self.column]
                self.records = 0
                return []
            self.indices = [number]
        if not is_whole or self.indices[-1] >= len(cells):
            return None
        self.seen = True
        return [cells[index] for index in self.indices]

    def decoded(self, value: bytes, *, form: int) -> bytes | None:
        if not form:
            return value
        return None if b'"' in value.replace(b'""', b"") else value.replace(b'""', b'"')

    def encoded(self, text: bytes, value: bytes, *, form: int) -> bytes:
        return text.replace(b'"', b'""') if form else text

    def _no_header(self, why: str) -> MissingColumnError:
        return MissingColumnError(f"there is no column {quoted(self.column)}: the header cannot be read: {why}")

    def _read(self, record: bytes, *, is_open: bool = False) -> tuple[list[Place], State]:
        """Where the cells are, without their quotes, of a record or of a line of it, which may begin in a cell."""
        cells: list[Place] = []
        place = 0
        while True:
            begin = place
            is_quoted = is_open or record.startswith(b'"', place)
            if is_quoted:
                begin += not is_open
                is_open = False
                end = end_of_cell(record, begin)
                if end < 0:
                    return cells, State.OPEN
                place = end + 1
            else:
                match = self.end_of_plain.search(record, place)
                place = end = match.start() if match else len(record)
            cells.append((begin, end, is_quoted))
            if not record.startswith(self.delimiter, place):
                break
            place += 1
        # What comes after a closing quote, or a carriage return alone, is not of a record.
        return cells, State.WHOLE if record[place:] in (b"", b"\n", b"\r\n", b"\r") else State.BROKEN


def end_of_cell(line: bytes, place: int) -> int:
    """Where the quote is that ends a cell: two of them are one of its text. -1 if it is not there."""
    while True:
        place = line.find(b'"', place)
        if place < 0 or not line.startswith(b'"', place + 1):
            return place
        place += 2


class Address(NamedTuple):
    """Which values are redacted, and the format that --input names."""

    field: str | None
    column: str | None
    log: LogFormat | None
    input: str | None = None

    @property
    def option(self) -> str:
        return "--column" if self.column is not None else "--field" if self.log is None else "--log"

    def lines(self, name: str) -> Lines:
        """Finds the values of a file of this name."""
        format = self.input or format_of_name(name)
        if self.column is not None:
            return ColumnLines(self.column, b"\t" if format == "tsv" else b",")
        if self.log is not None:
            lines = JsonLogLines if self.log.syntax == "columns" else RequestLines
            return lines(self.log, self.field)
        assert self.field is not None
        return FieldLines(self.field, is_json=format == "jsonl")

    def check(self) -> None:
        """An error if the format does not have the field, or the column cannot be: before anything is read."""
        self.lines("")
        column_number(self.column)

    def missing(self, files: Sequence[Lines]) -> str | None:
        """A sentence if records of the files were read, and none of them has the value."""
        if any(lines.seen for lines in files) or not any(lines.records for lines in files):
            return None
        if self.log is not None and self.field is None:
            return "no line is of this format and has a target"
        unread = sum(lines.unread for lines in files)
        record = "no record that can be read" if unread else "no record"
        end = ": what cannot be read was redacted as text" if unread else ""
        if self.column is not None:
            return f"{record} has a value in the column {quoted(self.column)}{end}"
        assert self.field is not None
        return f"{record} has a text in the field {quoted(self.field)}{end}"


def too_long(files: Sequence[Lines]) -> str | None:
    """A sentence if records were too long to be read. In a text, a value may not look like a secret."""
    count = sum(lines.too_long for lines in files)
    if count == 1:
        return "1 record is longer than --max-line: it was redacted as text"
    return f"{count:,} records are longer than --max-line: they were redacted as text" if count else None


class AddressedStream:
    """AddressedStream(policy, lines, limit): a text in parts, of which only the values of `lines` are redacted.

    A record that cannot be read, or has more than `limit` bytes, is redacted as a text is.
    """

    def __init__(self, policy: LogPolicy, lines: Lines, limit: int) -> None:
        self.policy: LogPolicy = policy
        self.lines: Lines = lines
        self.limit: int = limit
        self.kinds: Counter[str] = Counter()
        self.held: list[bytes] = []
        self.held_size: int = 0
        # Whether the record goes on in the next line.
        self.is_open: bool = False
        self.is_begin: bool = True
        # Of a record that is too long.
        self.rest: TextStream | None = None
        self.skips: Skips | None = None

    @property
    def counts(self) -> dict[str, int]:
        return dict(self.kinds)

    def redact(self, part: bytes) -> bytes:
        return b"".join(self._lines(part))

    def finish(self, part: bytes = b"") -> bytes:
        shown = [*self._lines(part, is_last=True)]
        if self.held:
            # It has no end: each line is by itself.
            first, *lines = self._taken()
            shown += self._broken(first), *map(self._line, lines)
        if self.rest is not None:
            shown.append(self._end_rest(b""))
        return b"".join(shown)

    def _lines(self, part: bytes, *, is_last: bool = False) -> Iterator[bytes]:
        begin = 0
        if self.is_begin and part:
            self.is_begin = False
            begin = len(BOM) if part.startswith(BOM) else 0
            yield part[:begin]
        while begin < len(part):
            end = part.find(b"\n", begin) + 1
            line = part[begin : end or len(part)]
            begin += len(line)
            if self.skips is not None:
                self.skips.skip(line)
                yield self._rest(line)
            elif end or is_last:
                yield from self._add(line)
            else:
                # A part of a line that is too long.
                self.held.append(line)
                yield self._begin_rest()

    def _add(self, line: bytes) -> Iterator[bytes]:
        """What is decided by a line."""
        self.held.append(line)
        self.held_size += len(line)
        state = self.lines.state(line, is_open=self.is_open)
        self.is_open = state is State.OPEN
        if state is State.BROKEN:
            # As the reader does, it ends with its first line. What begins in the others and is open at the end of its
            # line breaks at the same place; so each is read once more.
            first, *lines = self._taken()
            yield self._broken(first)
            yield from map(self._line, lines[:-1])
            for last in lines[-1:]:
                yield from self._add(last)
        elif self.held_size - 1 > self.limit:
            yield self._begin_rest()
        elif state is State.WHOLE:
            yield self._record(b"".join(self._taken()))

    def _taken(self) -> list[bytes]:
        held, self.held, self.held_size, self.is_open = self.held, [], 0, False
        return held

    def _line(self, line: bytes) -> bytes:
        """A line that is a record, or else a text."""
        is_whole = self.lines.state(line, is_open=False) is State.WHOLE
        return self._record(line) if is_whole else self._broken(line)

    def _begin_rest(self) -> bytes:
        self.lines.records += 1
        self.lines.unread += 1
        self.lines.too_long += 1
        self.skips = self.lines.skipping(self.limit)
        self.rest = TextStream(self.policy)
        text = b"".join(self._taken())
        self.skips.skip(text)
        return self._rest(text)

    def _rest(self, text: bytes) -> bytes:
        assert self.rest is not None
        assert self.skips is not None
        return self.rest.redact(text) if self.skips.is_open else self._end_rest(text)

    def _end_rest(self, text: bytes) -> bytes:
        assert self.rest is not None
        text = self.rest.finish(text)
        self.kinds.update(self.rest.counts)
        self.rest = self.skips = None
        return text

    def _broken(self, record: bytes) -> bytes:
        """A record that cannot be read."""
        self.lines.records += 1
        # This says so if it is the header.
        self.lines.places(record)
        return self._unread(record)

    def _unread(self, record: bytes) -> bytes:
        self.lines.unread += 1
        return self._text(record)

    def _record(self, record: bytes) -> bytes:
        self.lines.records += not record.isspace()
        places = self.lines.places(record)
        if places is None:
            return self._unread(record)
        parts: list[bytes] = []
        copied = 0
        for begin, end, form in places:
            value = record[begin:end]
            shown = self._value(value, form=form)
            if shown != value:
                parts += record[copied:begin], shown
                copied = end
        return b"".join((*parts, record[copied:])) if parts else record

    def _value(self, value: bytes, *, form: int) -> bytes:
        text = self.lines.decoded(value, form=form)
        if text is None:
            shown = self._text(value)
            return value if shown == value else HIDDEN.encode()
        shown = self._shown(text)
        if shown == text:
            return value
        # If the value can be redacted as it is written, its other bytes stay.
        raw = shown if text == value else without_text_secrets(value, self.policy)
        if self.lines.decoded(raw, form=form) == shown:
            return raw
        return self.lines.encoded(shown, value, form=form)

    def _shown(self, value: bytes) -> bytes:
        """A value without its secrets: those of a URL, if it is one, and those of a text."""
        text = without_text_secrets(value, self.policy)
        whole = value.decode("utf-8", "replace")
        if (value.startswith(b"/") or URL.can_parse(whole)) and self._has_more(text.decode("utf-8", "replace")):
            # A text ends where the URL goes on, as at a space.
            self.kinds.update({kind: count for kind, count in redactions(whole, self.policy).items() if count})
            return self._text(redact(whole, self.policy).encode())
        if text != value:
            self._count(value + end_of_path(value))
        return text

    def _has_more(self, url: str) -> bool:
        """Whether a URL has secrets."""
        return redact(url, self.policy) != url and any(redactions(url, self.policy).values())

    def _text(self, text: bytes) -> bytes:
        shown = redact_text(text, self.policy)
        if shown != text:
            self._count(text)
        return shown

    def _count(self, text: bytes) -> None:
        self.kinds.update(kind for _, _, kind in hidden_spans(text, self.policy)[1])


def end_of_path(text: bytes) -> bytes:
    """What makes a text see that a path is a path: it is read as a request is."""
    return b"?" if text.startswith((b"/", b"\\/")) and b"?" not in text and b"#" not in text else b""


def without_text_secrets(value: bytes, policy: LogPolicy) -> bytes:
    end = end_of_path(value)
    return redact_text(value + end, policy).removesuffix(end)
