"""Access logs: the requests that a server has answered, each on a line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from weburl import URL
from weburl._arrow import input
from weburl.cli._messages import quoted
from weburl.cli.readers.files import ByteStream
from weburl.cli.readers.reading import Keep, Reading
from weburl.cli.readers.records.line_records import read_line_records
from weburl.cli.readers.records.log_format import NUMBERS, LogFormat
from weburl.cli.readers.records.log_records import KINDS, LogLayout, read_log
from weburl.cli.readers.rows import KeptColumn, LineNumbers, RecordBlock, RowBlock, invalid_record, kept_names
from weburl.cli.readers.text_column import TextColumn, kept_texts
from weburl.redact import redact


def read_access_log(stream: ByteStream, reading: Reading, keep: Keep) -> Iterator[RowBlock | RecordBlock]:
    format = reading.log
    assert format is not None
    url = None if reading.base is None else URL(reading.base)
    layout = format.layout(url.scheme if url else "http", url.host if url else "")
    names = kept_names([*format.columns], keep, "target")
    parse = partial(_parse, layout=layout, format=format, keep=keep, names=names)
    yield from read_line_records(stream, reading.limit, names, parse)


def _parse(
    data: bytes,
    begin: int,
    end: int,
    line: int,
    *,
    layout: LogLayout,
    format: LogFormat,
    keep: Keep,
    names: tuple[str, ...],
) -> RowBlock:
    columns = format.columns
    wanted = tuple((columns[name], KINDS[_kind(name)]) for name in names)
    (urls, *kept), lines, wrong = read_log(layout, data, begin, end, wanted)
    faults = {row: invalid_record(_why(why, format), text) for row, (why, text) in wrong.items()}
    numbers = LineNumbers(lines, line)
    kept_columns = [_kept(column, name, keep) for name, column in zip(names, kept, strict=True)]
    return RowBlock(urls, len(lines), numbers, names=names, kept=kept_columns, faults=faults)


def _kind(name: str) -> str:
    return "number" if name in NUMBERS else "time" if name == "time" else "text"


def _kept(column: TextColumn, name: str, keep: Keep) -> KeptColumn:
    policy = keep.redacts
    if name == "referrer" and policy is not None:
        texts = [None if text is None else redact(text, policy) for text in column.texts(0, len(column))]
        return KeptColumn(kept_texts(input.from_objects(texts), 0, len(texts), b"\1" * len(texts)))
    if name not in NUMBERS:
        return KeptColumn(column)
    if keep.as_arrow:
        import pyarrow

        return KeptColumn(KeptColumn(column).arrow().cast(pyarrow.int64()))
    return KeptColumn(column, keep.as_json)


def _why(why: str | int, format: LogFormat) -> str:
    if isinstance(why, str):
        return why
    after = format.texts[why + 1] if why < len(format.names) else ""
    return f"it is not of this format: {quoted(after)} is not there after {format.names[why]}"
