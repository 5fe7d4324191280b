"""What the command reads: arguments and files, a block of rows at a time, in constant memory."""

from __future__ import annotations

import argparse
import os
import re
import select
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from typing import Any, Final, NamedTuple

from weburl._columns import input
from weburl._columns.input import TOO_LONG, TooLong
from weburl._columns.pieces import PIECE_ROWS, Piece, cut_lines, cut_rows
from weburl.cli.writers.output import quoted

BLOCK: Final = 1 << 23  # bytes of a file
PIPE: Final = 1 << 16  # and of a pipe, at a time
GZIP: Final = b"\x1f\x8b"
BOM: Final = b"\xef\xbb\xbf"
# What no text in UTF-8 begins with.
UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
STDIN: Final = "-"
ARGUMENT: Final = "argument"
FORMATS: Final = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
SURROGATES: Final = re.compile("[\ud800-\udfff]")
MAX_LINE: Final = 1 << 24  # bytes
SIZE: Final = re.compile("([0-9]{1,15})([KMG]?)", re.ASCII | re.IGNORECASE)
Row = str | TooLong | None
TOO_LONG_NAME: Final = "too-long"


def too_long_message(limit: int) -> str:
    return f"The line has more than {limit:,} bytes (--max-line)."


class InputError(Exception):
    """An input that cannot be read, and why."""


class Block(NamedTuple):
    """Some rows of an input: lines (the first `size` bytes of bytes), or a column as `weburl.bulk` takes it."""

    rows: Any
    size: int
    lines: list[int] | None = None  # the line of each row, where a row is not always one
    done: int = 0  # bytes of the file that are read
    pause: bool = False  # nothing more is there yet: what is known should be shown
    partial: bool = False  # its last line goes on in the next block

    def pieces(self) -> Iterator[Piece]:
        """What `Job.run` takes."""
        if isinstance(self.rows, bytes):
            return cut_lines(self.rows, self.size)
        return cut_rows([input.from_objects(self.rows)] if isinstance(self.rows, list) else input.from_arrow(self.rows))

    def head(self, piece: Piece, rows: int) -> Piece:
        """The first rows of one of the pieces."""
        end = piece.begin + rows
        if isinstance(self.rows, bytes):
            end = piece.begin
            for _ in range(rows):
                end = piece.rows.end_of_line(end)
        return piece._replace(end=end)

    def texts(self, begin: int = 0, end: int | None = None) -> list[Row]:
        """The rows, or those of a piece, as `weburl.bulk` reads them; TOO_LONG for one that was not held."""
        end = self.size if end is None else end
        if isinstance(self.rows, bytes):
            lines = self.rows[begin:end].decode("utf-8", "replace").split("\n")
            if not lines[-1]:
                lines.pop()
            return [line.removesuffix("\r") for line in lines]
        rows = self.rows[begin:end]
        return rows if isinstance(rows, list) else rows.to_pylist()


class Source(NamedTuple):
    """An input."""

    name: str  # for messages
    size: int | None  # in bytes, where that is known
    blocks: Iterator[Block]  # to be read once

    def numbered(self, progress: Callable[[int], object] | None = None) -> Iterator[tuple[int, Row]]:
        """Each row and the number of its line, or of the row in a file that has no lines."""
        before = 0
        for block in self.blocks:
            texts = block.texts()
            yield from zip(block.lines or count(before + 1), texts, strict=False)
            before += len(texts)
            if progress is not None:
                progress(block.done)


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """The options that say what to read."""
    group = parser.add_argument_group("input")
    group.add_argument(
        "-f", "--file", metavar="FILE", action="append", default=[], dest="files",
        help="read URLs from FILE, a line each, or as its name says: csv, tsv, jsonl, parquet; gzip is unpacked; "
        "- is standard input",
    )  # fmt: skip
    group.add_argument(
        "--column", metavar="NAME",
        help="the column that has the URLs, of csv, tsv and parquet: its name, or its number where there is no header",
    )  # fmt: skip
    group.add_argument("--field", metavar="NAME", help="the field that has the URLs, of jsonl; a.b is b in a")
    group.add_argument(
        "--input", choices=["text", *dict.fromkeys(FORMATS.values())], dest="input_format",
        help="what a FILE is, whatever its name",
    )  # fmt: skip
    group.add_argument(
        "--max-line", metavar="SIZE", type=size, default=MAX_LINE,
        help="the most bytes of a line, and of a record of csv and tsv: as 65536, 64K, 16M (the default) or 1G; 0 for "
        "any number. A longer one is not held in memory: its row fails with too-long",
    )  # fmt: skip


def size(text: str) -> int:
    """A number of bytes, as --max-line takes it."""
    match = SIZE.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"SIZE is a number of bytes, as 65536, 64K, 16M or 1G, not {quoted(text)}")
    return int(match[1]) << 10 * " KMG".index(match[2].upper() or " ")


def sources(options: argparse.Namespace, arguments: list[str]) -> Iterator[Source]:
    """The inputs that the options of `add_input_options` name, each opened when it is its turn, and closed after it.

    Standard input where there are neither arguments nor files.
    """
    if arguments:
        texts = [argument_text(text) for text in arguments]
        yield Source(ARGUMENT, None, iter([Block(texts, len(texts), pause=True)]))
    for name in options.files or ([] if arguments else [STDIN]):
        shown = "standard input" if name == STDIN else name
        with _open(name) as (file, size):
            with _failing_as_input(shown):
                blocks = _blocks(file, name, options)
            yield Source(shown, size, _checked(blocks, shown))


def argument_text(text: str) -> str:
    """An argument; bytes that are no UTF-8 come as surrogates."""
    return SURROGATES.sub("\ufffd", text)


def _checked(blocks: Iterator[Block], name: str) -> Iterator[Block]:
    with _failing_as_input(name):
        yield from blocks


@contextmanager
def _failing_as_input(name: str) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, zlib.error) as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        raise InputError(f"{name}: {reason[:1].lower()}{reason[1:]}") from None
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


@contextmanager
def _open(name: str) -> Iterator[tuple[Any, int | None]]:
    if name == STDIN:
        if sys.stdin is None:
            raise InputError("standard input: it is closed")
        # Without what may be between: nobody has read from it.
        file = sys.stdin.buffer
        file = getattr(file, "raw", file)
        yield file, _size(file)
        return
    with _failing_as_input(name):
        opened = open(name, "rb", buffering=0)  # noqa: SIM115
    with closing(opened):
        yield opened, _size(opened)


def _size(file: Any) -> int | None:
    """Of a file on a disk; nobody knows how much will come out of a pipe."""
    try:
        status = os.fstat(file.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _blocks(file: Any, name: str, options: argparse.Namespace) -> Iterator[Block]:
    kind = options.input_format or FORMATS.get(os.path.splitext(name.removesuffix(".gz"))[1])
    if kind is None and options.column is not None:
        kind = "csv"
    elif kind is None and options.field is not None:
        kind = "jsonl"
    if kind == "parquet":
        return _parquet(file, options.column)
    limit = options.max_line or sys.maxsize
    parts = _parts(file, limit)
    if kind in ("csv", "tsv"):
        return _csv(parts, options.column, "\t" if kind == "tsv" else ",", limit)
    lines = _lines(parts, limit)
    if kind == "jsonl":
        if options.field is None:
            raise InputError("--field must say which field has the URLs")
        return _jsonl(lines, options.field)
    return lines


class _Joined:
    """A file whose first bytes were read already."""

    def __init__(self, head: bytes, file: Any) -> None:
        self.head = head
        self.file = file

    def read(self, size: int) -> bytes | None:
        if self.head:
            found, self.head = self.head[:size], self.head[size:]
            return found
        more: bytes | None = self.file.read(size)
        return more


def _head(file: Any, marks: tuple[bytes, ...]) -> bytes:
    """The first bytes of a file: one of the marks, or as many as it takes to know that none is there."""
    head = b""
    while head not in marks and any(mark.startswith(head) for mark in marks) and (more := file.read(1)):
        head += more
    return head


def _parts(file: Any, limit: int) -> Iterator[Block]:
    """The bytes of a file, unpacked where they are packed: blocks of whole lines.

    After more than `limit` bytes without a newline a block is partial: its last line goes on in the next one.
    """
    is_regular = _size(file) is not None
    ready = _always if is_regular else _readiness(file)
    head = _head(file, (GZIP,))
    reader: Any = _Joined(head, file)
    if head == GZIP:
        import gzip

        reader = gzip.GzipFile(fileobj=reader, mode="rb")
        ready = _always
    head = _head(reader, (BOM, *UTF_16))
    if head in UTF_16:
        raise InputError("it is in UTF-16: only UTF-8 is read")
    if head != BOM:
        reader = _Joined(head, reader)
    size = BLOCK if is_regular else PIPE
    parts: list[bytes] = []
    length = end = total = 0
    while True:
        part = reader.read(size)
        if part is None:
            raise BlockingIOError("there is nothing to read yet, and it is in non-blocking mode")
        if not part:
            break
        newline = part.rfind(b"\n")
        if newline >= 0:
            end = length + newline + 1
        parts.append(part)
        length += len(part)
        total += len(part)
        pause = not ready()
        is_partial = length - end > limit
        if is_partial or (end and (length >= BLOCK or pause)):
            data = b"".join(parts)
            end = length if is_partial else end
            yield Block(data, end, None, file.tell() if is_regular else total, pause, is_partial)
            parts = [data[end:]]
            length -= end
            end = 0
    if length:
        yield Block(b"".join(parts), length, None, file.tell() if is_regular else total, pause=True)


def _lines(parts: Iterator[Block], limit: int) -> Iterator[Block]:
    """The lines of blocks that may be partial; TOO_LONG for those of more than `limit` bytes, which are not held."""
    is_open = is_due = False  # amid such a line, whose row is yet to come
    for block in parts:
        data, end = block.rows, block.size
        begin = data.find(b"\n", 0, end) + 1 if is_open else 0
        if is_due and (begin or block.pause):
            yield Block([TOO_LONG], 1, None, block.done, block.pause)
            is_due = False
        if is_open and not begin:
            continue
        if block.partial:
            end = max(data.rfind(b"\n", begin, end) + 1, begin)
        if _has_longer(data, begin, end, limit):
            rows = [TOO_LONG if len(line) > limit else _text(line) for line in _split(data[begin:end])]
            yield Block(rows, len(rows), None, block.done, block.pause)
        elif begin < end:
            yield Block(data[begin:end] if begin else data, end - begin, None, block.done, block.pause)
        is_open = is_due = block.partial
    if is_due:
        yield Block([TOO_LONG], 1, pause=True)


def _has_longer(data: bytes, begin: int, end: int, limit: int) -> bool:
    """Whether a line has more than `limit` bytes, which takes a look at as many lines as there are limits in them."""
    while end - begin > limit:
        newline = data.rfind(b"\n", begin, begin + limit + 1)
        if newline < 0:
            return True
        begin = newline + 1
    return False


def _split(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").removesuffix("\r")


def _always() -> bool:
    return True


def _readiness(file: Any) -> Callable[[], bool]:
    """What says whether there is something to read at once."""
    try:
        number = file.fileno()
    except OSError:
        return _always
    if not hasattr(select, "poll"):
        return lambda: False
    poll = select.poll()
    poll.register(number, select.POLLIN)
    return lambda: bool(poll.poll(0))


def _csv(parts: Iterator[Block], column: str | None, delimiter: str, limit: int) -> Iterator[Block]:
    from weburl.cli.readers.records import Records

    records = Records(parts, delimiter, limit)
    rows: list[Row] = []
    numbers: list[int] = []
    size = 0
    index = _number(column) if column and column.isdecimal() else None
    for record in records:
        if index is None:
            if isinstance(record, TooLong):
                raise InputError(f"line {records.line}: the header has more than {limit:,} bytes (--max-line)")
            index = _index(record, column)
            continue
        if not record:
            continue
        row: Row = None
        if isinstance(record, TooLong):
            row = record
        elif index < len(record):
            row = record[index]
            size += len(row)
        rows.append(row)
        numbers.append(records.line)
        if len(rows) == PIECE_ROWS or size > BLOCK:
            yield Block(rows, len(rows), numbers, records.done)
            rows, numbers, size = [], [], 0
    if index is None:
        _index([], column)
    if rows:
        yield Block(rows, len(rows), numbers, records.done, pause=True)


def _number(column: str) -> int:
    if int(column) < 1:
        raise InputError("--column counts from 1")
    return int(column) - 1


def _index(names: list[str], column: str | None) -> int:
    if column is None and len(names) == 1:
        return 0
    if column in names:
        return names.index(column)
    if column is None:
        raise InputError(f"--column must say which column has the URLs: {_listed(names)}")
    raise InputError(f"there is no column {quoted(column)}: {_listed(names)}")


def _listed(names: list[str]) -> str:
    return "it has " + (", ".join(map(quoted, names)) or "none")


def _jsonl(blocks: Iterator[Block], field: str) -> Iterator[Block]:
    import json

    number = 0
    for block in blocks:
        rows: list[Row] = []
        numbers = []
        for line in block.texts():
            number += 1
            if isinstance(line, TooLong):
                rows.append(line)
                numbers.append(number)
            elif line and line.strip():
                try:
                    value = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise InputError(f"line {number}: no JSON: {error}") from None
                rows.append(_field(value, field, number))
                numbers.append(number)
        yield Block(rows, len(rows), numbers, block.done, block.pause)


def _field(value: Any, field: str, number: int) -> str | None:
    if isinstance(value, dict) and field in value:
        value = value[field]
    else:
        for name in field.split("."):
            if not isinstance(value, dict):
                raise InputError(f"line {number}: there is no object for the field {quoted(field)} to be in")
            value = value.get(name)
            if value is None:
                break
    if value is not None and not isinstance(value, str):
        raise InputError(f"line {number}: the field {quoted(field)} is no string")
    return value


def _parquet(file: Any, column: str | None) -> Iterator[Block]:
    try:
        import pyarrow
        from pyarrow.parquet import ParquetFile
    except ModuleNotFoundError as error:
        raise InputError(f"Parquet needs {error.name}: pip install weburl[parquet]") from None
    if not file.seekable():
        raise InputError("Parquet is read from its end: give a file, no pipe")
    try:
        # Else it reads ahead without end, and a column of a row group at once.
        table = ParquetFile(file, pre_buffer=False, buffer_size=1 << 20)
        names = table.schema_arrow.names
        name = names[_index(names, column)]
        for batch in table.iter_batches(PIECE_ROWS, columns=[name]):
            yield Block(_strings(batch.column(0), name), len(batch), done=file.tell())
    except pyarrow.ArrowException as error:
        raise InputError(str(error)) from None


def _strings(column: Any, name: str) -> Any:
    try:
        input.from_arrow(column)
    except TypeError as error:
        raise InputError(f"the column {quoted(name)} {error}") from None
    return column
