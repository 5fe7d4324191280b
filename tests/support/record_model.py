"""Records as the csv and json modules read them, one after the other, and a check that the command's readers agree."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from unittest.mock import patch

from weburl.cli._exit import InputError
from weburl.cli.readers import byte_stream
from weburl.cli.readers.byte_stream import ByteStream
from weburl.cli.readers.reading import Keep, Reading
from weburl.cli.readers.records import delimited, jsonl, line_records
from weburl.cli.readers.records.cells import cut_records, read_columns, read_fields
from weburl.cli.readers.row_blocks import RowBlock

# csv refuses NUL before Python 3.11. This stands for it: decoded text never has a lone surrogate.
NUL = "\udc00"
RETURNS = re.compile(b"\r+")
COLUMNS = 3
LIMIT = 1 << 24
# The reader of objects goes no deeper.
DEEP = 500

Record = tuple[int, list[str | None] | None]


def csv_rows(data: bytes, delimiter: str) -> Iterator[Record]:
    """The line that each record ends in, and its cells; None if it does not parse, which ends with its first line."""
    lines = [f"{line}\n".replace("\0", NUL) for line in data.decode("utf-8", "replace").split("\n")]
    if lines[-1] == "\n":
        lines.pop()
    begin = 0
    while begin < len(lines):
        reader = csv.reader(lines[begin:], delimiter=delimiter, strict=True)
        try:
            cells = next(reader)
        except csv.Error:
            begin += 1
            yield begin, None
        else:
            begin += reader.line_num
            if cells:
                texts: list[str | None] = [cell.replace(NUL, "\0") for cell in cells]
                yield begin, (texts + [None] * COLUMNS)[:COLUMNS]


FIELD = r'(?:"(?:[^"]|"")*"|(?!")[^,\r\n]*)'
RECORD = re.compile(rf"{FIELD}(?:,{FIELD})*\r?\n")
# What may become a record.
UNFINISHED = re.compile(rf'(?:{FIELD},)*(?:"(?:[^"]|"")*|{FIELD}\r?)')
# By its quotes alone: a field begins in quotes or not, and any text may follow the last of them.
BEGIN = r'(?:"(?:[^"]|"")*"(?!")|(?!"))[^,\n]*'
BY_QUOTES = re.compile(rf"{BEGIN}(?:,{BEGIN})*\n")


def limited_rows(data: str, limit: int) -> list[tuple[int, str | None]]:
    """The line that each record of CSV ends in, and its first cell; None if it is too long or does not parse."""
    rows: list[tuple[int, str | None]] = []
    begin = 0
    while begin < len(data):
        window = data[begin : begin + limit + 1]
        cell = None
        if record := RECORD.match(window):
            end = begin + record.end()
            cells = next(csv.reader(io.StringIO(record[0], ""), strict=True))
            cell = cells[0] if cells else None
        elif len(data) - begin > limit + 1 and (UNFINISHED.fullmatch(window) or "\n" not in window):
            whole = BY_QUOTES.match(data, begin)
            end = whole.end() if whole else len(data)
        else:
            end = data.index("\n", begin) + 1
        if data[begin:end] not in ("\n", "\r\n"):
            rows.append((data.count("\n", 0, end), cell))
        begin = end
    return rows


def read_csv(data: bytes, begin: int, end: int, delimiter: str) -> list[Record]:
    """The records by the compiled reader. It gets its columns in another order than the file has them."""
    wanted = tuple(reversed(range(COLUMNS)))
    columns, lines, faults = read_columns(data, begin, end, delimiter, wanted, LIMIT)
    texts = zip(*(column.texts(0, len(column)) for column in reversed(columns)), strict=True)
    before = data.count(b"\n", 0, begin)
    rows: list[Record] = []
    for row, (line, cells) in enumerate(zip(lines, map(list, texts), strict=True)):
        assert row not in faults or cells == [None] * COLUMNS
        rows.append((line + before, None if row in faults else cells))
    return rows


def check_csv(data: bytes, delimiter: str, size: int) -> None:
    """`size` is that of pieces."""
    # csv takes any number of carriage returns before a newline for its end.
    data = RETURNS.sub(b"\r", data.removeprefix(byte_stream.BOM))
    ended = data if data.endswith(b"\n") or not data else data + b"\n"
    expected = list(csv_rows(ended, delimiter))
    assert read_csv(ended, 0, len(ended), delimiter) == expected
    cuts = [0, *cut_records(ended, delimiter, size, LIMIT)]
    rows = [row for begin, end in pairwise(cuts) for row in read_csv(ended, begin, end, delimiter)]
    assert rows == expected[: len(rows)]
    read = delimited.read_csv if delimiter == "," else delimited.read_tsv
    found = read_blocks(read, data, size, column="1")
    if found is not None:
        assert found == [(line, cells and cells[0]) for line, cells in expected]


def read_blocks(read: Any, data: bytes, size: int, **options: Any) -> list[tuple[int, str | None]] | None:
    """The rows of a stream that comes in blocks; None if it is not text. What cannot be read is None."""
    try:
        stream = ByteStream(io.BytesIO(data), "")
    except InputError:
        return None
    if stream.is_packed:
        return None
    found: list[tuple[int, str | None]] = []
    with (
        patch.object(byte_stream, "PIPE", size),
        patch.object(delimited, "RECORD_BYTES", size),
        patch.object(line_records, "RECORD_BYTES", size),
    ):
        for block in read(stream, Reading(**{"limit": LIMIT, **options}), Keep()):
            for part in [block] if isinstance(block, RowBlock) else [parse() for parse in block.parts()]:
                texts = [text if isinstance(text, str) else None for text in part.texts()]
                found += zip(part.lines or (), texts, strict=True)
    return found


class Number(str):
    """A number as it is spelled: some have more digits than Python converts, and NaN is not equal to itself."""

    __slots__ = ()


def loads(text: str) -> Any:
    return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=Number)


def json_rows(data: bytes) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """The line of each object, and the object; None if it does not parse."""
    for number, line in enumerate(data.split(b"\n"), 1):
        text = line.decode("utf-8", "replace").strip(" \t\r")
        if text:
            try:
                value = loads(text)
            except ValueError:
                value = None
            yield number, value if isinstance(value, dict) else None


def scalar(text: str) -> str:
    """A text without surrogates, of which json makes none, either, where two belong together."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def check_json(data: bytes, size: int) -> None:
    data = data.removeprefix(byte_stream.BOM)
    if data.count(b"[") + data.count(b"{") > DEEP:
        return
    columns, lines, faults = read_fields(data, 0, len(data), (("u", False), ("a.b", True)), frozenset({"u"}))
    urls, nested, members = (column.texts(0, len(column)) for column in columns)
    expected = list(json_rows(data))
    assert list(lines) == [line for line, _ in expected]
    rows: list[tuple[int, str | None]] = []
    for row, (line, value) in enumerate(expected):
        if value is None:
            assert row in faults
            assert urls[row] is nested[row] is None
            rows.append((line, None))
            continue
        url = value.get("u")
        assert (row in faults) == (url is not None and type(url) is not str)
        assert urls[row] == (None if row in faults or url is None else scalar(url))
        inner = value["a.b"] if "a.b" in value else value["a"].get("b") if isinstance(value.get("a"), dict) else None
        raw = nested[row]
        assert inner == (None if raw is None else loads(raw))
        rest = loads(f"{{{members[row]}}}")
        assert rest == {key: item for key, item in value.items() if key != "u"}
        rows.append((line, urls[row]))
    found = read_blocks(jsonl.read_jsonl, data, size, field="u")
    if found is not None:
        assert found == rows


def check(data: bytes) -> None:
    """Checks the bytes after the first, which says what they are, and how large the pieces."""
    kind, rest = data[:1] or b"\0", data[1:]
    size = 1 + (kind[0] >> 2) * 7
    if kind[0] & 1:
        check_json(rest, size)
    else:
        check_csv(rest, "\t" if kind[0] & 2 else ",", size)
