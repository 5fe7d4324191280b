"""Values in the lines of a text, redacted where they are: of a field, of a column, or of requests in an access log."""

from __future__ import annotations

import json.decoder
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Final, Protocol, TypeAlias

from weburl import URL
from weburl._redact.redact import LogPolicy
from weburl._redact.secrets import HIDDEN
from weburl._redact.stream import TextStream
from weburl._redact.templates import redact, redactions
from weburl._redact.text import hidden_spans, redact_text
from weburl.cli._exit import MissingColumnError, UsageError
from weburl.cli._messages import quoted
from weburl.cli.readers.column_names import column_index, column_number
from weburl.cli.readers.field_path import EACH, field_path
from weburl.cli.readers.files import BOM
from weburl.cli.readers.open_files import format_of_name
from weburl.cli.readers.records.delimited import Skipping
from weburl.cli.readers.records.log_format import NUMBERS, PARTS, WHOLE, LogFormat

# From where to where, and whether it is written with quotes and escapes.
Place: TypeAlias = tuple[int, int, bool]

# Characters of JSON stand for bytes here. Numbers are not read: they can have any number of digits.
DECODER: Final = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)
read_string: Final[Callable[[str, int, bool], tuple[str, int]]] = getattr(json.decoder, "scanstring")  # noqa: B009
STRING: Final = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
END_OF_QUOTES: Final = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
NO_SPACE: Final = re.compile(rb"[^ \t\r\n]")
# A pair of logfmt, or a name without a value.
PAIR: Final = re.compile(
    rb"""[ \t]*(?P<name>@?[^\x00-\x20\x7f="'?&@/:,;{}()<>\\]+)"""
    rb"""(?:=(?:"(?P<quoted>[^"\\]*(?:\\.[^"\\]*)*)"|(?P<plain>[^" \t\r\n][^ \t\r\n]*)?))?(?=[ \t\r\n]|\Z)""",
    re.DOTALL,
)
OTHER_ESCAPE: Final = re.compile(rb"\\(.)", re.DOTALL)
# Of Apache and nginx.
LOG_ESCAPE: Final = re.compile(rb'\\(?:x([0-9A-Fa-f]{2})|([ntrbv"\\]))')
LOG_ESCAPES: Final = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"v": b"\v"}
NOT_IN_LOGS: Final = re.compile(rb'[\x00-\x1f\x7f"\\]')
VERSION: Final = re.compile(rb" HTTP/[0-9.]+\Z")
# What some servers add after the last number is not of the format.
NUMBER: Final = re.compile(rb"(?:[0-9]*|-)(?= |\Z)")
# The URLs of a log.
URLS: Final = ("target", "referrer")


class State(Enum):
    """What is known of a record after a line of it."""

    WHOLE = 0
    OPEN = 1  # it goes on in the next line
    BROKEN = 2  # it cannot be read


class Skips(Protocol):
    """Finds the end of a record that is too long."""

    is_open: bool

    def skip(self, data: bytes) -> tuple[int, int]:
        """How many bytes and lines of the data the record takes."""
        ...


class SkippedLine:
    """SkippedLine(): skips a line."""

    def __init__(self) -> None:
        self.is_open: bool = True

    def skip(self, data: bytes) -> tuple[int, int]:
        end = data.find(b"\n") + 1
        self.is_open = not end
        return end or len(data), int(end > 0)


class Lines(Protocol):
    """Where the values are in a record, which is a line or, in CSV, perhaps several."""

    # How many records were read, how many of them could not be, and whether one has the value.
    records: int
    unread: int
    seen: bool

    def state(self, line: bytes, *, is_open: bool) -> State:
        """What is known of a record after a line of it, which may be open before."""
        ...

    def skipping(self, limit: int) -> Skips:
        """What finds the end of a record with more than `limit` bytes."""
        ...

    def places(self, record: bytes) -> list[Place] | None:
        """Where the values are; None if the record cannot be read."""
        ...

    def decoded(self, value: bytes, *, is_quoted: bool) -> bytes | None:
        """The text of a value; None if it cannot be one."""
        ...

    def encoded(self, text: bytes, value: bytes, *, is_quoted: bool) -> bytes:
        """A text as it is written instead of the value."""
        ...


class OneLine:
    """A record that is a line."""

    def __init__(self) -> None:
        self.records: int = 0
        self.unread: int = 0
        self.seen: bool = False

    def state(self, line: bytes, *, is_open: bool) -> State:
        return State.WHOLE

    def skipping(self, limit: int) -> Skips:
        return SkippedLine()


class FieldLines(OneLine):
    """FieldLines(field, is_json): the values of a field. A line is an object of JSON, or else logfmt.

    If a line is an object of JSON, all are. Until a line has the field in logfmt, no other line is logfmt: it can be
    one of another format.
    """

    seen: bool

    def __init__(self, field: str, *, is_json: bool = False) -> None:
        super().__init__()
        self.field: str = field
        self.is_json: bool = is_json
        self.is_logfmt: bool = False
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
        places: list[Place] | None = None
        if first[0] == b"{":
            places = self._places_of_json(record, first.start())
            self.is_json = self.is_json or places is not None
        elif not self.is_json and not record.startswith(BOM):
            places = self._places_of_logfmt(record)
        return places

    def decoded(self, value: bytes, *, is_quoted: bool) -> bytes | None:
        if not is_quoted or b"\\" not in value:
            return None if is_quoted and b'"' in value else value
        string = value.decode("utf-8", "surrogateescape") + '"'
        try:
            text, end = read_string(string, 0, False)
        except ValueError:
            # logfmt may have escapes that JSON has not.
            is_text = not self.is_json and END_OF_QUOTES.fullmatch(value + b'"') is not None
            return OTHER_ESCAPE.sub(rb"\1", value) if is_text else None
        if end != len(string):
            return None
        try:
            return text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return text.encode("utf-8", "surrogatepass")

    def encoded(self, text: bytes, value: bytes, *, is_quoted: bool) -> bytes:
        if not is_quoted:
            return text
        string = json.dumps(text.decode("utf-8", "replace"), ensure_ascii=value.isascii())[1:-1]
        return (string.replace("/", "\\/") if b"\\/" in value else string).encode()

    def _places_of_json(self, record: bytes, begin: int) -> list[Place] | None:
        text = record.decode("latin-1")
        places: list[Place] = []
        seen = self.seen
        try:
            end = self._walk(text, begin, self.path, places, is_top=True)
        except (ValueError, IndexError, RecursionError):
            end = -1
        if end < 0 or text[end:].strip(" \t\r\n"):
            self.seen = seen
            return None
        return places

    def _walk(
        self, text: str, begin: int, path: Sequence[str | None], places: list[Place], *, is_top: bool = False
    ) -> int:
        """Notes the strings that a value has under a path. The result is where the value ends."""
        opening = text[begin]
        is_object = opening == "{"
        if not path or opening != ("[" if path[0] is EACH else "{"):
            # All strings of what is there, even if the path goes on.
            end = DECODER.raw_decode(text, begin)[1]
            strings = [(*match.span(1), True) for match in STRING.finditer(text, begin, end)]
            places += strings
            if strings and not path:
                self.seen = True
            return end
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

    def _places_of_logfmt(self, record: bytes) -> list[Place] | None:
        places: list[Place] = []
        place = pairs = 0
        end = len(record.rstrip(b" \t\r\n"))
        while place < end:
            pair = PAIR.match(record, place, end)
            if pair is None:
                return None
            place = pair.end()
            value = "quoted" if pair["quoted"] is not None else "plain"
            pairs += pair[value] is not None
            if pair[value] and pair["name"] == self.name:
                places.append((*pair.span(value), value == "quoted"))
        if places:
            self.seen = self.is_logfmt = True
        return places if pairs and self.is_logfmt else None


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
            (begin, end, True)
            for name, begin, end in fields
            if name in self.wanted and begin < end and record[begin:end] != b"-"
        ]
        if places:
            self.seen = True
        return places

    def decoded(self, value: bytes, *, is_quoted: bool) -> bytes | None:
        # A backslash at the end would escape the quote.
        if (len(value) - len(value.rstrip(b"\\"))) % 2:
            return None
        return LOG_ESCAPE.sub(log_escape, value)

    def encoded(self, text: bytes, value: bytes, *, is_quoted: bool) -> bytes:
        return NOT_IN_LOGS.sub(lambda match: b"\\x%02X" % ord(match[0]), text)

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
                end = end_of_quoted(line, place, after)
            else:
                end = line.find(after, place) if after else len(line)
            if end < 0 or not line.startswith(after, end):
                return None
            # If a quote was not escaped, a part of the request stands here.
            if name in NUMBERS and not NUMBER.match(line[place:end]):
                return None
            if name == WHOLE:
                fields += request_parts(line, place, end)
            else:
                fields.append((name, place, end))
            place = end + len(after)
        return fields


def log_escape(match: re.Match[bytes]) -> bytes:
    return bytes.fromhex(match[1].decode()) if match[1] else LOG_ESCAPES.get(match[2], match[2])


def end_of_quoted(line: bytes, place: int, after: bytes) -> int:
    """Where the text after a quoted field is, which begins with a quote that is not escaped; -1 if it is not there."""
    while (quotes := END_OF_QUOTES.match(line, place)) is not None:
        place = quotes.end()
        if line.startswith(after, place - 1):
            return place - 1
    return -1


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
    """ColumnLines(column, delimiter): the cells of a column of CSV or TSV. A name is one of those in the first record.

    Records are those of the reader of CSV: a quote opens a cell only where the cell begins.
    """

    def __init__(self, column: str, delimiter: bytes = b",") -> None:
        self.column: str = column
        self.records: int = 0
        self.unread: int = 0
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

    def decoded(self, value: bytes, *, is_quoted: bool) -> bytes | None:
        if not is_quoted:
            return value
        return None if b'"' in value.replace(b'""', b"") else value.replace(b'""', b'"')

    def encoded(self, text: bytes, value: bytes, *, is_quoted: bool) -> bytes:
        return text.replace(b'"', b'""') if is_quoted else text

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


class Address:
    """Address(field, column, log, input): which values are redacted, and whether a record had one."""

    def __init__(
        self, *, field: str | None, column: str | None, log: LogFormat | None, input: str | None = None
    ) -> None:
        self.field = field
        self.column = column
        self.log = log
        self.input = input
        self.files: list[Lines] = []
        # A field that the format does not have is an error before anything is read.
        self.make("")

    @property
    def option(self) -> str:
        return "--column" if self.column is not None else "--field" if self.log is None else "--log"

    def make(self, name: str) -> Lines:
        format = self.input or format_of_name(name)
        if self.column is not None:
            return ColumnLines(self.column, b"\t" if format == "tsv" else b",")
        if self.log is not None:
            return RequestLines(self.log, self.field)
        assert self.field is not None
        return FieldLines(self.field, is_json=format == "jsonl")

    def lines(self, name: str) -> Lines:
        """Finds the values of a file of this name."""
        self.files.append(self.make(name))
        return self.files[-1]

    @property
    def missing(self) -> str | None:
        """A sentence if records were read, and none of them has the value."""
        if any(lines.seen for lines in self.files) or not any(lines.records for lines in self.files):
            return None
        if self.log is not None and self.field is None:
            return "no line is of this format and has a target"
        unread = sum(lines.unread for lines in self.files)
        record = "no record that can be read" if unread else "no record"
        end = ": what cannot be read was redacted as text" if unread else ""
        if self.column is not None:
            return f"{record} has a value in the column {quoted(self.column)}{end}"
        assert self.field is not None
        return f"{record} has a text in the field {quoted(self.field)}{end}"


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
        for begin, end, is_quoted in places:
            value = record[begin:end]
            shown = self._value(value, is_quoted=is_quoted)
            if shown != value:
                parts += record[copied:begin], shown
                copied = end
        return b"".join((*parts, record[copied:])) if parts else record

    def _value(self, value: bytes, *, is_quoted: bool) -> bytes:
        text = self.lines.decoded(value, is_quoted=is_quoted)
        if text is None:
            shown = self._text(value)
            return value if shown == value else HIDDEN.encode()
        shown = self._shown(text)
        if shown == text:
            return value
        # If the value can be redacted as it is written, its other bytes stay.
        raw = shown if text == value else without_text_secrets(value, self.policy)
        if self.lines.decoded(raw, is_quoted=is_quoted) == shown:
            return raw
        return self.lines.encoded(shown, value, is_quoted=is_quoted)

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
