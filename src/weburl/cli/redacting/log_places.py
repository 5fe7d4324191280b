"""Where the values to redact are in the lines of logs: the URLs of requests, and other fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from weburl._redact.secrets import HIDDEN
from weburl.cli._exit import UsageError
from weburl.cli._messages import quoted
from weburl.cli.readers.field_path import EACH, field_path
from weburl.cli.readers.records.cells import FORMS, LogLayout, field_spans
from weburl.cli.readers.records.log_format import (
    ENDS_HEADER,
    NUMBERS,
    OTHER_URLS,
    OWN_URL,
    PARTS,
    WHOLE,
    LogFormat,
    before_secrets,
)  # fmt: skip
from weburl.cli.readers.records.log_formats import FIELDS, w3c_format
from weburl.cli.redacting.lines import DECODER, FieldLines, OneLine, Place, as_bytes

# Of Apache and nginx.
LOG_ESCAPE: Final = re.compile(rb'\\(?:x([0-9A-Fa-f]{2})|([ntrbv"\\]))')
LOG_ESCAPES: Final = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"v": b"\v"}
NOT_IN_LOGS: Final = re.compile(rb'[\x00-\x1f\x7f"\\]')
VERSION: Final = re.compile(rb" HTTP/[0-9.]+\Z")
# What some servers add after the last number is not of the format.
NUMBER: Final = re.compile(rb"(?:[0-9]*|-)(?= |\Z)")
# The fields of a record in a line of OTLP.
OTLP_RECORDS: Final = ("resourceSpans[].scopeSpans[].spans[].", "resourceLogs[].scopeLogs[].logRecords[].")
# How a value is written; and whether it is a query without its question mark, or of a header, whose number follows.
PLAIN, ESCAPED, DOUBLED, QUOTED = (FORMS[name] for name in ("plain", "escaped", "doubled", "quoted"))
SYNTAX: Final = 7
IS_QUERY: Final = 8
HEADER: Final = 16
QUERY: Final = b"/?"
# What an attribute has as its value; and only the texts in it, without the names of types.
VALUE: Final = (("value",),)
TEXTS: Final = (("value", "stringValue"), ("value", "arrayValue", "values", EACH, "stringValue"))


class LogLines(OneLine):
    """The URLs in the lines of a log, or the values of one field."""

    def __init__(self, format: LogFormat, field: str | None) -> None:
        super().__init__()
        self.format: LogFormat = format
        self.wanted: tuple[str, ...] = (*OWN_URL, *OTHER_URLS) if field is None else (field,)
        self.field: str | None = field
        # What texts have before the values of headers.
        self.headers: list[bytes] = []
        # Reads strings with escapes: those of logfmt may have some that JSON has not.
        self.strings: FieldLines = FieldLines("", is_json=format.syntax == "columns")

    def header_form(self, name: str) -> int:
        """What is added to the form of the values of a field; 0 if it is not a header with secrets."""
        before = before_secrets(name)
        if before is None:
            return 0
        if before not in self.headers:
            self.headers.append(before)
        return HEADER * (self.headers.index(before) + 1)

    def decoded(self, value: bytes, *, form: int) -> bytes | None:
        text: bytes | None = value
        if form & SYNTAX == ESCAPED:
            # A backslash at the end would escape the quote.
            is_open = (len(value) - len(value.rstrip(b"\\"))) % 2
            text = None if is_open else LOG_ESCAPE.sub(log_escape, value)
        elif form & SYNTAX == DOUBLED:
            text = None if b'"' in value.replace(b'""', b"") else value.replace(b'""', b'"')
        elif form & SYNTAX == QUOTED:
            text = self.strings.decoded(value, form=1)
        if form >= HEADER and text is not None:
            return self.headers[form // HEADER - 1] + ENDS_HEADER.sub(b"_", text)
        return QUERY + text if form & IS_QUERY and text is not None else text

    def encoded(self, text: bytes, value: bytes, *, form: int) -> bytes:
        if form >= HEADER:
            before = self.headers[form // HEADER - 1]
            text = text.removeprefix(before) if text.startswith(before) else HIDDEN.encode()
        elif form & IS_QUERY:
            text = text.removeprefix(QUERY)
        if form & SYNTAX == ESCAPED:
            return NOT_IN_LOGS.sub(lambda match: b"\\x%02X" % ord(match[0]), text)
        if form & SYNTAX == DOUBLED:
            return text.replace(b'"', b'""')
        if form & SYNTAX == QUOTED:
            return self.strings.encoded(text, value, form=1)
        return text


class RequestLines(LogLines):
    """RequestLines(format, field): of lines whose fields are found by what is between them, or by their names."""

    def __init__(self, format: LogFormat, field: str | None) -> None:
        super().__init__(format, field)
        known = [*format.columns]
        if field is not None and field not in known:
            if format.takes_names:
                format = format.with_names([field])
            elif format.syntax != "w3c":
                listed = ", ".join(map(quoted, known))
                raise UsageError(f"the format has no field {quoted(field)}: its fields are {listed}")
        elif field is None and format.takes_names:
            format = format.with_names(format.headers)
        self.format: LogFormat = format
        self.layout: LogLayout = format.layout("http", "")
        self.directive: bytes = b""

    def places(self, record: bytes) -> list[Place] | None:
        line = record.rstrip(b"\r\n")
        if self.format.syntax == "w3c" and line.startswith(b"#"):
            # Other directives can have any text.
            return self._direct(line) if line.startswith(FIELDS) else None
        fields = self._fields(line)
        if fields is None:
            return None
        places = [
            (begin, end, form)
            for name, begin, end, form in fields
            if (name in self.wanted or (form >= HEADER and self.field is None))
            if begin < end and record[begin:end] != b"-"
        ]
        if places:
            self.seen = True
        return places

    def _direct(self, line: bytes) -> list[Place]:
        """Takes the format of a line #Fields:."""
        if line != self.directive:
            self.directive = line
            self.format = w3c_format(line)
            self.layout = self.format.layout("http", "")
        return []

    def _fields(self, line: bytes) -> list[tuple[str, int, int, int]] | None:
        """The name of each field, where it is, and how it is written."""
        spans = field_spans(self.layout, line)
        if spans is None:
            return None
        fields: list[tuple[str, int, int, int]] = []
        for number, begin, end, form in spans:
            name = self.format.names[number]
            # If a quote was not escaped, a part of the request stands here.
            if name in NUMBERS and self.format.syntax != "pairs" and not NUMBER.match(line[begin:end]):
                return None
            # So it is after a space in a target.
            if name == PARTS[2] and b" " in line[begin:end]:
                return None
            if name == WHOLE:
                parts = request_parts(line, begin, end)
                fields += ((part, part_begin, part_end, form) for part, part_begin, part_end in parts)
            else:
                is_query = name == "query" and not line.startswith(b"?", begin)
                fields.append((name, begin, end, form | IS_QUERY * is_query | self.header_form(name)))
        return fields


def log_escape(match: re.Match[bytes]) -> bytes:
    return bytes.fromhex(match[1].decode()) if match[1] else LOG_ESCAPES.get(match[2], match[2])


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


class JsonLogLines(LogLines):
    """JsonLogLines(format, field): of lines that are objects of JSON."""

    def __init__(self, format: LogFormat, field: str | None) -> None:
        super().__init__(format, field)
        named = dict(zip(format.names, format.sources, strict=True))
        # A record without a word of these has no value, unless its names have escapes.
        self.values: list[tuple[FieldLines, int, list[bytes]]] = []
        for name in (*self.wanted, *(format.headers if field is None else ())):
            paths = named.get(name, () if field is None and name not in format.headers else (name,))
            form = QUOTED | IS_QUERY * (name == "query") | self.header_form(name)
            if not format.is_otlp:
                self.values += ((FieldLines(path, is_json=True), form, [last_name(path)]) for path in paths)
                continue
            for record in OTLP_RECORDS:
                attributes = AttributeLines(f"{record}attributes[]", paths, TEXTS if form >= HEADER else VALUE)
                self.values.append((attributes, form, [path.encode() for path in paths]))
                members = (path for path in paths if len(field_path(path)) == 1)
                self.values += ((FieldLines(record + path, is_json=True), form, [path.encode()]) for path in members)

    def places(self, record: bytes) -> list[Place] | None:
        forms: dict[tuple[int, int], int] = {}
        has_escapes = b"\\u" in record
        for number, (lines, form, words) in enumerate(self.values):
            # The first one says whether it is a record.
            if number and not has_escapes and not any(word in record for word in words):
                continue
            places = lines.places(record)
            if places is None:
                return None
            for begin, end, _ in places:
                forms.setdefault((begin, end), form & ~(IS_QUERY * record.startswith(b"?", begin)))
            if lines.seen:
                self.seen = True
        return [(begin, end, forms[begin, end]) for begin, end in sorted(forms)]


def last_name(path: str) -> bytes:
    return [name for name in field_path(path) if name is not None][-1].encode()


class AttributeLines(FieldLines):
    """AttributeLines(field, names, values): attributes of OTLP with these names, in the array that a field is.

    `values` are the paths of what is looked at in each.
    """

    def __init__(self, field: str, names: Sequence[str], values: Sequence[Sequence[str | None]]) -> None:
        super().__init__(field, is_json=True)
        self.values: Sequence[Sequence[str | None]] = values
        self.names: set[str] = {*map(as_bytes, names), *names}

    def _leaf(self, text: str, begin: int) -> tuple[int, list[Place]]:
        value, end = DECODER.raw_decode(text, begin)
        if not isinstance(value, dict) or not isinstance(value.get("key"), str):
            return super()._leaf(text, begin)
        if value["key"] not in self.names:
            return end, []
        places: list[Place] = []
        for path in self.values:
            self._walk(text, begin, path, places)
        return end, places
