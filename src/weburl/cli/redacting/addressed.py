"""Values in the lines of a text, redacted where they are: of a field, of a column, or of requests in an access log."""

from __future__ import annotations

import json.decoder
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol, TypeAlias

from weburl._redact.redact import LogPolicy
from weburl._redact.secrets import HIDDEN
from weburl._redact.stream import TextStream
from weburl._redact.text import hidden_spans, redact_text
from weburl.cli._exit import UsageError
from weburl.cli._messages import quoted
from weburl.cli.readers.column_names import column_index, column_number
from weburl.cli.readers.field_path import EACH, field_path
from weburl.cli.readers.files import BOM
from weburl.cli.readers.records.log_format import PARTS, WHOLE, LogFormat

# From where to where.
Place: TypeAlias = tuple[int, int]

# Characters of JSON stand for bytes here.
DECODER: Final = json.JSONDecoder(strict=False)
read_string: Final[Callable[[str, int, bool], tuple[str, int]]] = getattr(json.decoder, "scanstring")  # noqa: B009
SPACE: Final = re.compile(rb"[ \t\r\n]")
END_OF_QUOTES: Final = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
NO_SPACE: Final = re.compile(rb"[^ \t\r\n]")
NAME: Final = re.compile(rb"[^ \t\r\n=]+|=")
VERSION: Final = re.compile(rb" HTTP/[0-9.]+\Z")
# The URLs of a log.
URLS: Final = ("target", "referrer")


class Lines(Protocol):
    """Where the values are in a record, which is a line or, in CSV, perhaps several."""

    # How many records were read, and whether one has the value.
    records: int
    seen: bool

    def is_whole(self, record: bytes) -> bool:
        """Whether the record does not go on in the next line."""
        ...

    def places(self, record: bytes) -> list[Place] | None:
        """Where the values are; None if the record cannot be read."""
        ...

    def is_valid(self, value: bytes) -> bool:
        """Whether the record can be read with this value in it."""
        ...


class OneLine:
    """A record that is a line."""

    def __init__(self) -> None:
        self.records: int = 0
        self.seen: bool = False

    def is_whole(self, record: bytes) -> bool:
        return True

    def is_valid(self, value: bytes) -> bool:
        return True


class FieldLines(OneLine):
    """FieldLines(field): the values of a field. A line is an object of JSON, or else logfmt."""

    def __init__(self, field: str) -> None:
        super().__init__()
        self.field: str = field
        # Names as the characters that stand for their bytes.
        self.whole: str = as_bytes(field)
        self.path: tuple[str | None, ...] = tuple(
            step if step is EACH else as_bytes(step) for step in field_path(field)
        )
        path = field_path(field)
        self.name: bytes = (path[0] or "").encode() if len(path) == 1 else field.encode()

    def places(self, record: bytes) -> list[Place] | None:
        first = NO_SPACE.search(record)
        if first is None:
            return []
        is_json = first[0] == b"{"
        places = self._places_of_json(record, first.start()) if is_json else [*self._places_of_logfmt(record)]
        if places:
            self.seen = True
        return places

    def is_valid(self, value: bytes) -> bool:
        try:
            return read_string(value.decode("latin-1") + '"', 0, False)[1] == len(value) + 1
        except ValueError:
            return False

    def _places_of_json(self, record: bytes, begin: int) -> list[Place] | None:
        text = record.decode("latin-1")
        places: list[Place] = []
        try:
            end = self._walk(text, begin, self.path, places, is_top=True)
        except (ValueError, IndexError, RecursionError):
            return None
        return None if text[end:].strip(" \t\r\n") else places

    def _walk(
        self, text: str, begin: int, path: Sequence[str | None], places: list[Place], *, is_top: bool = False
    ) -> int:
        """Notes the strings that a value has under a path. The result is where the value ends."""
        opening = text[begin]
        if not path and opening == '"':
            end = read_string(text, begin + 1, False)[1]
            places.append((begin + 1, end - 1))
            return end
        is_object = opening == "{"
        if not path or opening != ("[" if path[0] is EACH else "{"):
            return DECODER.raw_decode(text, begin)[1]
        place = after_space(text, begin + 1)
        if text[place] == ("}" if is_object else "]"):
            return place + 1
        while True:
            rest: Sequence[str | None] | None = path[1:]
            if is_object:
                if text[place] != '"':
                    raise ValueError
                key, place = read_string(text, place + 1, False)
                place = after_space(text, place)
                if text[place] != ":":
                    raise ValueError
                place = after_space(text, place + 1)
                # A name is written with its bytes, or with escapes.
                names = {key, as_bytes(key)}
                if is_top and self.whole in names and len(path) > 1:
                    rest = ()
                elif path[0] not in names:
                    rest = None
            place = DECODER.raw_decode(text, place)[1] if rest is None else self._walk(text, place, rest, places)
            place = after_space(text, place)
            if text[place] != ",":
                break
            place = after_space(text, place + 1)
        if text[place] != ("}" if is_object else "]"):
            raise ValueError
        return place + 1

    def _places_of_logfmt(self, record: bytes) -> Iterator[Place]:
        place = 0
        while (name := NAME.search(record, place)) is not None:
            place = name.end()
            if not record.startswith(b"=", place):
                continue
            value = place + 1
            if record.startswith(b'"', value):
                value += 1
                quotes = END_OF_QUOTES.match(record, value)
                place = len(record) if quotes is None else quotes.end()
                end = place - (quotes is not None)
            else:
                space = SPACE.search(record, value)
                place = end = len(record) if space is None else space.start()
            if name[0] == self.name and value < end:
                yield value, end


def as_bytes(text: str) -> str:
    """A text whose characters stand for the bytes of a text."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def after_space(text: str, place: int) -> int:
    while text[place] in " \t\r\n":
        place += 1
    return place


class RequestLines(OneLine):
    """RequestLines(format, field): the targets of requests and the referrers in a log, or the values of one field."""

    def __init__(self, format: LogFormat, field: str | None) -> None:
        super().__init__()
        self.format: LogFormat = format
        known = [*format.columns]
        if field is not None and field not in known:
            listed = ", ".join(map(quoted, known))
            raise UsageError(f"the format has no field {quoted(field)}: its fields are {listed}")
        self.wanted: tuple[str, ...] = URLS if field is None else (field,)

    def places(self, record: bytes) -> list[Place] | None:
        fields = self._fields(record.rstrip(b"\r\n"))
        if fields is None:
            return None
        places = [
            part
            for name, begin, end in fields
            for part in ((begin, end),)
            if name in self.wanted and begin < end and record[begin:end] != b"-"
        ]
        if places:
            self.seen = True
        return places

    def is_valid(self, value: bytes) -> bool:
        quotes = END_OF_QUOTES.match(value + b'"')
        return quotes is not None and quotes.end() == len(value) + 1

    def _fields(self, line: bytes) -> list[tuple[str, int, int]] | None:
        """The name of each field, and where it is."""
        texts = [text.encode() for text in self.format.texts]
        if not line.startswith(texts[0]):
            return None
        place = len(texts[0])
        fields: list[tuple[str, int, int]] = []
        for number, name in enumerate(self.format.names):
            before, after = texts[number], texts[number + 1]
            if before.endswith(b'"') and after.startswith(b'"'):
                quotes = END_OF_QUOTES.match(line, place)
                end = -1 if quotes is None else quotes.end() - 1
            else:
                end = line.find(after, place) if after else len(line)
            if end < 0 or not line.startswith(after, end):
                return None
            if name == WHOLE:
                fields += request_parts(line, place, end)
            else:
                fields.append((name, place, end))
            place = end + len(after)
        return fields


def request_parts(line: bytes, begin: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The method, the target and the version of a request."""
    version = VERSION.search(line[begin:end])
    target_end = end if version is None else begin + version.start()
    space = line.find(b" ", begin, target_end)
    if space < 0:
        yield PARTS[1], begin, target_end
        return
    yield PARTS[0], begin, space
    yield PARTS[1], space + 1, target_end
    if version is not None:
        yield PARTS[2], target_end + 1, end


class ColumnLines:
    """ColumnLines(column): the cells of a column of CSV or TSV. A name is one of those in the first record."""

    def __init__(self, column: str) -> None:
        self.column: str = column
        self.records: int = 0
        self.seen: bool = False
        self.index: int | None = None
        self.delimiter: bytes = b","

    def is_whole(self, record: bytes) -> bool:
        return record.count(b'"') % 2 == 0

    def places(self, record: bytes) -> list[Place] | None:
        line = record.rstrip(b"\r\n")
        mark = 0
        if self.index is None:
            mark = len(BOM) if line.startswith(BOM) else 0
            self.delimiter = b"\t" if b"\t" in line and b"," not in line else b","
            texts = [line[begin:end].decode("utf-8", "replace") for begin, end in self._cells(line, mark)]
            names = [text.replace('""', '"') for text in texts]
            number = column_number(self.column)
            # A number needs no header: the first record may have a value.
            if number is None or self.column in names:
                self.index = column_index(names, self.column)
                self.records = 0
                return []
            self.index = number
        if not line:
            return []
        cells = self._cells(line, mark)
        if self.index >= len(cells):
            return None
        self.seen = True
        return [cells[self.index]]

    def is_valid(self, value: bytes) -> bool:
        return b'"' not in value.replace(b'""', b"")

    def _cells(self, line: bytes, place: int) -> list[Place]:
        """Where the cells are that begin at a place, without their quotes."""
        cells: list[Place] = []
        while True:
            begin = place
            if line.startswith(b'"', place):
                place = end_of_cell(line, place + 1)
                cells.append((begin + 1, place))
                place = line.find(self.delimiter, place)
            else:
                place = line.find(self.delimiter, place)
                cells.append((begin, len(line) if place < 0 else place))
            if place < 0:
                return cells
            place += 1


def end_of_cell(line: bytes, place: int) -> int:
    """Where the quote is that ends a cell: two of them are one of its text."""
    while True:
        place = line.find(b'"', place)
        if place < 0:
            return len(line)
        if not line.startswith(b'"', place + 1):
            return place
        place += 2


class Address:
    """Address(field, column, log): which values are redacted, and whether a record had one."""

    def __init__(self, *, field: str | None, column: str | None, log: LogFormat | None) -> None:
        self.field = field
        self.column = column
        self.log = log
        self.files: list[Lines] = []
        # A field that the format does not have is an error before anything is read.
        self.make()

    @property
    def option(self) -> str:
        return "--column" if self.column is not None else "--field" if self.log is None else "--log"

    def make(self) -> Lines:
        if self.column is not None:
            return ColumnLines(self.column)
        if self.log is not None:
            return RequestLines(self.log, self.field)
        assert self.field is not None
        return FieldLines(self.field)

    def lines(self) -> Lines:
        """Finds the values of one file."""
        self.files.append(self.make())
        return self.files[-1]

    @property
    def missing(self) -> str | None:
        """A sentence if records were read, and none of them has the value."""
        if any(lines.seen for lines in self.files) or not any(lines.records for lines in self.files):
            return None
        if self.column is not None:
            return f"no record has a value in the column {quoted(self.column)}"
        if self.field is None:
            return "no line is of this format and has a target"
        return f"no record has a text in the field {quoted(self.field)}"


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
        # Of a record that is too long.
        self.rest: TextStream | None = None

    @property
    def counts(self) -> dict[str, int]:
        return dict(self.kinds)

    def redact(self, part: bytes) -> bytes:
        return b"".join(self._lines(part))

    def finish(self, part: bytes = b"") -> bytes:
        shown = [*self._lines(part, is_last=True)]
        if self.held:
            shown.append(self._record(b"".join(self.held)))
            self.held = []
        if self.rest is not None:
            shown.append(self._end_rest(b""))
        return b"".join(shown)

    def _lines(self, part: bytes, *, is_last: bool = False) -> Iterator[bytes]:
        begin = 0
        while begin < len(part):
            end = part.find(b"\n", begin) + 1
            line = part[begin : end or len(part)]
            begin += len(line)
            if self.rest is not None:
                yield self._end_rest(line) if end else self.rest.redact(line)
            elif not end and not is_last:
                # A part of a line that is too long.
                yield self._begin_rest(line)
            else:
                self.held.append(line)
                self.held_size += len(line)
                if self._is_whole(line):
                    record = b"".join(self.held)
                    self.held, self.held_size = [], 0
                    yield self._record(record)
                elif self.held_size > self.limit:
                    yield self._begin_rest(b"")

    def _is_whole(self, line: bytes) -> bool:
        if len(self.held) == 1:
            self.is_open = not self.lines.is_whole(line)
        elif not self.lines.is_whole(line):
            self.is_open = not self.is_open
        return not self.is_open

    def _begin_rest(self, line: bytes) -> bytes:
        self.rest = TextStream(self.policy)
        text = b"".join((*self.held, line))
        self.held, self.held_size = [], 0
        return self.rest.redact(text)

    def _end_rest(self, line: bytes) -> bytes:
        assert self.rest is not None
        text = self.rest.finish(line)
        self.kinds.update(self.rest.counts)
        self.rest = None
        return text

    def _record(self, record: bytes) -> bytes:
        self.lines.records += not record.isspace()
        places = self.lines.places(record)
        if places is None:
            return self._shown(record)
        parts: list[bytes] = []
        copied = 0
        for begin, end in places:
            value = record[begin:end]
            shown = self._value(value)
            if shown != value:
                parts += record[copied:begin], shown
                copied = end
        return b"".join((*parts, record[copied:])) if parts else record

    def _value(self, value: bytes) -> bytes:
        # A path is read as a request is.
        end = b"?" if value.startswith((b"/", b"\\/")) and b"?" not in value and b"#" not in value else b""
        shown = self._shown(value + end).removesuffix(end)
        return shown if shown == value or self.lines.is_valid(shown) else HIDDEN.encode()

    def _shown(self, text: bytes) -> bytes:
        shown = redact_text(text, self.policy)
        if shown != text:
            self.kinds.update(kind for _, _, kind in hidden_spans(text, self.policy)[1])
        return shown
