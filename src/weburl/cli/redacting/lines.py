"""Records that are lines, and where the values of a field are in them."""

from __future__ import annotations

import json.decoder
import re
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final, Protocol, TypeAlias

from weburl.cli.readers.byte_stream import BOM
from weburl.cli.readers.field_path import EACH, field_path

# From where to where, and how it is written: 0 as it is, others as the Lines know it.
Place: TypeAlias = tuple[int, int, int]

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

    # How many records were read, how many of them could not be, how many were too long, and whether one has the value.
    records: int
    unread: int
    too_long: int
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

    def decoded(self, value: bytes, *, form: int) -> bytes | None:
        """The text of a value; None if it cannot be one."""
        ...

    def encoded(self, text: bytes, value: bytes, *, form: int) -> bytes:
        """A text as it is written instead of the value."""
        ...


class OneLine:
    """A record that is a line."""

    def __init__(self) -> None:
        self.records: int = 0
        self.unread: int = 0
        self.too_long: int = 0
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

    def decoded(self, value: bytes, *, form: int) -> bytes | None:
        if not form or b"\\" not in value:
            return None if form and b'"' in value else value
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

    def encoded(self, text: bytes, value: bytes, *, form: int) -> bytes:
        if not form:
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
            end, strings = self._leaf(text, begin)
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
                name = place + 1
                key, place = read_string(text, name, False)
                if "\\" in text[name:place]:
                    # Escapes stand for characters, and the other characters for bytes.
                    raw = text[name:place].encode("latin-1").decode("utf-8", "surrogateescape")
                    key = as_bytes(read_string(raw, 0, False)[0])
                place = after_space(text, place)
                if text[place] != ":":
                    raise ValueError
                place = after_space(text, place + 1)
                if is_top and self.whole == key and len(path) > 1:
                    rest = ()
                elif path[0] != key:
                    rest = None
            place = DECODER.raw_decode(text, place)[1] if rest is None else self._walk(text, place, rest, places)
            place = after_space(text, place)
            if text[place] != ",":
                break
            place = after_space(text, place + 1)
        if text[place] != ("}" if is_object else "]"):
            raise ValueError
        return place + 1

    def _leaf(self, text: str, begin: int) -> tuple[int, list[Place]]:
        """Where a value ends, and its strings."""
        end = DECODER.raw_decode(text, begin)[1]
        return end, [(*match.span(1), True) for match in STRING.finditer(text, begin, end)]

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
