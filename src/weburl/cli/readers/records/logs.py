"""Logs: the requests that a server has answered, each on a line, or in OTLP several on a line."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from weburl import URL
from weburl._arrow import input
from weburl._named_tuple import NamedTuple
from weburl._redact.secrets import HIDDEN
from weburl.cli._exit import InputError
from weburl.cli._messages import quoted
from weburl.cli.readers.byte_stream import ByteStream
from weburl.cli.readers.reading import Keep, Reading, SeenFields
from weburl.cli.readers.records.cells import KINDS, PLACE_NAMES, LogLayout, compose, read_fields, read_log, split_otlp
from weburl.cli.readers.records.line_records import read_line_records, read_lines, record_block, too_long
from weburl.cli.readers.records.log_format import ENDS_HEADER, NUMBERS, OTHER_URLS, OWN_URL, LogFormat, before_secrets
from weburl.cli.readers.records.log_formats import FIELDS, w3c_format
from weburl.cli.readers.row_blocks import (
    Fault,
    KeptColumn,
    LineNumbers,
    RecordBlock,
    RowBlock,
    invalid_record,
    kept_names,
)
from weburl.cli.readers.rows.text_column import TextColumn, kept_texts
from weburl.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weburl.redact import LogPolicy

# A line that is not a directive of W3C.
ENTRY: Final = re.compile(rb"^[^#\r\n]", re.MULTILINE)


class LogReader(NamedTuple):
    """How the lines of a format are read, and which columns are kept."""

    format: LogFormat
    layout: LogLayout
    keep: Keep
    names: tuple[str, ...]
    fields: SeenFields

    @property
    def wanted(self) -> tuple[tuple[int, int], ...]:
        """The number and the kind of each column that is kept."""
        columns = self.format.columns
        return tuple((columns.get(name, -1), KINDS[_kind(name)]) for name in self.names)

    def parse(self, data: bytes, begin: int, end: int, line: int) -> RowBlock:
        (urls, *kept), lines, wrong = read_log(self.layout, data, begin, end, self.wanted)
        faults = {
            row: invalid_record(_why(why, self.format), text, column) for row, (why, text, column) in wrong.items()
        }
        return self.rows(urls, kept, LineNumbers(lines, line), faults)

    def parse_json(self, data: bytes, begin: int, end: int, line: int) -> RowBlock:
        urls, kept, lines, faults = self.read_json(data, begin, end)
        return self.rows(urls, kept, LineNumbers(lines, line), faults)

    def parse_otlp(self, data: bytes, begin: int, end: int, before: int, *, ends: Sequence[int], line: int) -> RowBlock:
        """Records of lines that were split: `ends` is how many there are up to each line; `line` lines are before."""
        urls, kept, lines, faults = self.read_json(data, begin, end)
        numbers = [line + 1 + bisect_left(ends, number + before) for number in lines]
        return self.rows(urls, kept, numbers, faults)

    def read_json(
        self, data: bytes, begin: int, end: int
    ) -> tuple[TextColumn, list[TextColumn], Sequence[int], dict[int, Fault]]:
        paths: dict[str, int] = {}
        # Only what is kept, and what makes a URL.
        needed = {*self.names, *PLACE_NAMES} - ({"time", "date", "user"} - {*self.names})
        sources = [
            tuple(paths.setdefault(path, len(paths)) for path in each if name in needed)
            for name, each in zip(self.format.names, self.format.sources, strict=True)
        ]
        wanted = tuple((path, False) for path in paths)
        columns, lines, wrong = read_fields(data, begin, end, wanted, None, is_record=True)
        (urls, *kept), why = compose(self.layout, columns, sources, self.wanted)
        records = data[begin:end].split(b"\n") if why.keys() - wrong.keys() else []
        faults = {row: invalid_record(*fault) for row, fault in wrong.items()}
        faults |= {row: invalid_record(why[row], records[lines[row] - 1]) for row in why if row not in wrong}
        return urls, kept, lines, dict(sorted(faults.items()))

    def rows(
        self, urls: TextColumn, kept: Sequence[TextColumn], lines: Sequence[int], faults: dict[int, Fault]
    ) -> RowBlock:
        if len(lines) and self.fields.wanted:
            self.fields.has_records = True
            columns = zip(self.names, kept, strict=True)
            self.fields.seen.update(
                name for name, column in columns if name not in self.fields.seen and any(column.validity)
            )
        kept_columns = [_kept(column, name, self.keep) for name, column in zip(self.names, kept, strict=True)]
        return RowBlock(urls, len(lines), lines, names=self.names, kept=kept_columns, faults=faults)


def read_access_log(stream: ByteStream, reading: Reading, keep: Keep) -> Iterator[RowBlock | RecordBlock]:
    format = reading.log
    assert format is not None
    url = None if reading.base is None else URL(reading.base)
    base = (url.scheme, url.host) if url else ("http", "")
    if keep.redacts:
        keep = keep._replace(left_out=keep.left_out | {*OWN_URL})
    if format.syntax == "w3c":
        yield from read_w3c(stream, reading, keep, base)
        return
    if format.takes_names:
        added = tuple(name for name in keep.names or () if name not in format.columns)
        format = format.with_names(added)
        stream.fields.wanted = added
    reader = LogReader(format, format.layout(*base), keep, _kept_names(format, keep), stream.fields)
    if format.is_otlp:
        yield from read_otlp(stream, reading, reader)
        return
    parse = reader.parse_json if format.syntax == "columns" else reader.parse
    yield from read_line_records(stream, reading.limit, reader.names, parse)


def _kept_names(format: LogFormat, keep: Keep) -> tuple[str, ...]:
    return kept_names([*format.columns], keep, "target")


def read_otlp(stream: ByteStream, reading: Reading, reader: LogReader) -> Iterator[RowBlock | RecordBlock]:
    """A row for each span and each record of logs."""
    yield reader.parse_json(b"", 0, 0, 0)
    for data, size, line, block in read_lines(stream, reading.limit):
        if data is None:
            yield too_long(line, reader.names, block)
            continue
        records, ends = split_otlp(data, size)
        parse = partial(reader.parse_otlp, ends=ends, line=line)
        yield record_block(records, len(records), parse, 0, block)


def read_w3c(
    stream: ByteStream, reading: Reading, keep: Keep, base: tuple[str, str]
) -> Iterator[RowBlock | RecordBlock]:
    """Lines whose format is that of the line #Fields: before them. The columns are those of the first one."""
    format = w3c_format(b"")
    reader: LogReader | None = None
    directive = b""
    for data, size, line, block in read_lines(stream, reading.limit):
        if data is None:
            if reader is None:
                reader = _first_reader(format, keep, base, stream.fields)
                yield reader.parse(b"", 0, 0, 0)
            yield too_long(line, reader.names, block)
            continue
        cut = 0
        for begin, end in _directives(data, size):
            text = data[begin:end].rstrip()
            if text == directive:
                continue
            if cut < begin and (reader is not None or ENTRY.search(data, cut, begin)):
                if reader is None:
                    reader = _first_reader(format, keep, base, stream.fields)
                    yield reader.parse(b"", 0, 0, 0)
                yield record_block(data[cut:begin], begin - cut, reader.parse, line, block._replace(pause=False))
            line += data.count(b"\n", cut, begin)
            cut = begin
            directive = text
            format = w3c_format(directive)
            stream.fields.seen.update(format.columns)
            if reader is not None:
                _check_columns(format, reader.names, keep, line + 1)
                reader = reader._replace(format=format, layout=format.layout(*base))
        if reader is None and (format.names or ENTRY.search(data, cut, size)):
            reader = _first_reader(format, keep, base, stream.fields)
            yield reader.parse(b"", 0, 0, 0)
        if reader is not None:
            yield record_block(data[cut:size] if cut else data, size - cut, reader.parse, line, block)
    if reader is None:
        yield _first_reader(format, keep, base, stream.fields).parse(b"", 0, 0, 0)


def _directives(data: bytes, size: int) -> Iterator[tuple[int, int]]:
    """Where the lines #Fields: begin and end."""
    begin = 0 if data.startswith(FIELDS) else data.find(b"\n" + FIELDS, 0, size) + 1
    while begin or data.startswith(FIELDS):
        end = data.find(b"\n", begin, size) + 1 or size
        yield begin, end
        begin = data.find(b"\n" + FIELDS, end - 1, size) + 1
        if not begin:
            return


def _first_reader(format: LogFormat, keep: Keep, base: tuple[str, str], fields: SeenFields) -> LogReader:
    # Later lines and files may have what the first ones do not have, if it is asked for by name. What a line #Fields:
    # names is there, even if no line has a value.
    asked = keep.more if keep.names is None else keep.names
    fields.wanted = tuple(dict.fromkeys((*fields.wanted, *asked)))
    names = kept_names([*dict.fromkeys((*format.columns, *asked))], keep, "target")
    return LogReader(format, format.layout(*base), keep, names, fields)


def _check_columns(format: LogFormat, names: Sequence[str], keep: Keep, line: int) -> None:
    others = [name for name in format.columns if name not in names and name not in keep.left_out]
    if keep.names is None and others:
        raise InputError(
            f"line {line} names a field that the first line #Fields: does not have, {quoted(others[0])}: {keep.option} "
            "must name the columns"
        )


def _kind(name: str) -> str:
    return "number" if name in NUMBERS else "time" if name == "time" else "text"


def _kept(column: TextColumn, name: str, keep: Keep) -> KeptColumn:
    policy = keep.redacts
    before = None if policy is None else before_secrets(name)
    if policy is not None and (name in OTHER_URLS or before is not None):
        shown = partial(redact, policy=policy) if before is None else partial(_header, before=before, policy=policy)
        texts = [None if text is None else shown(text) for text in column.texts(0, len(column))]
        return KeptColumn(kept_texts(input.from_objects(texts), 0, len(texts), b"\1" * len(texts)))
    if name not in NUMBERS:
        return KeptColumn(column)
    if keep.as_arrow:
        import pyarrow

        return KeptColumn(KeptColumn(column).arrow().cast(pyarrow.int64()))
    return KeptColumn(column, keep.as_json)


def _header(value: str, *, before: bytes, policy: LogPolicy) -> str:
    """The value of a header without its secrets."""
    from weburl.text import redact_text

    text = before + ENDS_HEADER.sub(b"_", value.encode("utf-8", "surrogateescape"))
    shown = redact_text(text, policy)
    if shown == text:
        return value
    return shown.removeprefix(before).decode("utf-8", "replace") if shown.startswith(before) else HIDDEN


def _why(why: str | int, format: LogFormat) -> str:
    if isinstance(why, str):
        return why
    if why < 0:
        return f"it is not of this format: {format.names[~why]} is not a number"
    if format.syntax != "template":
        return f"it is not of this format: it ends before {format.names[why]}"
    after = format.texts[why + 1] if why < len(format.names) else ""
    return f"it is not of this format: {quoted(after)} is not there after {format.names[why]}"
