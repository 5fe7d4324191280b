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

from weburl import _rows
from weburl._credentials import without_inner_credentials
from weburl._work import LINES, ROWS, Piece

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
# No decoded text has it, and csv takes it before Python 3.11, unlike NUL.
NUL: Final = "\udc00"


class InputError(Exception):
    """An input that cannot be read, and why."""


class Block(NamedTuple):
    """Some rows of an input: lines (the first `size` bytes of bytes), or a column as `weburl.bulk` takes it."""

    rows: Any
    size: int
    lines: list[int] | None = None  # the line of each row, where a row is not always one
    done: int = 0  # bytes of the file that are read
    pause: bool = False  # nothing more is there yet: what is known should be shown

    def pieces(self) -> Iterator[Piece]:
        """What `Job.run` takes."""
        if isinstance(self.rows, bytes):
            lines = _rows.from_lines(self.rows)
            begin = 0
            while begin < self.size:
                end = lines.end_of_line(min(begin + LINES, self.size) - 1)
                yield Piece(lines, begin, end)
                begin = end
        else:
            for rows in [_rows.from_objects(self.rows)] if isinstance(self.rows, list) else _rows.from_arrow(self.rows):
                for begin in range(0, len(rows), ROWS):
                    yield Piece(rows, begin, min(begin + ROWS, len(rows)))

    def head(self, piece: Piece, rows: int) -> Piece:
        """The first rows of one of the pieces."""
        end = piece.begin + rows
        if isinstance(self.rows, bytes):
            end = piece.begin
            for _ in range(rows):
                end = piece.rows.end_of_line(end)
        return piece._replace(end=end)

    def texts(self, begin: int = 0, end: int | None = None) -> list[str | None]:
        """The rows, or those of a piece, as `weburl.bulk` reads them."""
        end = self.size if end is None else end
        if isinstance(self.rows, bytes):
            return [line.removesuffix("\r") for line in _split(self.rows, begin, end)]
        rows = self.rows[begin:end]
        return rows if isinstance(rows, list) else rows.to_pylist()


class Source(NamedTuple):
    """An input."""

    name: str  # for messages
    size: int | None  # in bytes, where that is known
    blocks: Iterator[Block]  # to be read once

    def numbered(self, progress: Callable[[int], object] | None = None) -> Iterator[tuple[int, str | None]]:
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
        # A URL may have been given for a file.
        raise InputError(f"{without_inner_credentials(name)}: {reason[:1].lower()}{reason[1:]}") from None
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
    text = _without_mark(_text(file))
    if kind in ("csv", "tsv"):
        return _csv(text, options.column, "\t" if kind == "tsv" else ",")
    if kind == "jsonl":
        if options.field is None:
            raise InputError("--field must say which field has the URLs")
        return _jsonl(text, options.field)
    return text


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


def _text(file: Any) -> Iterator[Block]:
    """The lines of a file, unpacked where they are packed."""
    is_regular = _size(file) is not None
    ready = _always if is_regular else _readiness(file)
    head = b""
    while len(head) < len(GZIP) and GZIP.startswith(head) and (more := file.read(len(GZIP) - len(head))):
        head += more
    reader: Any = _Joined(head, file)
    if head == GZIP:
        import gzip

        reader = gzip.GzipFile(fileobj=reader, mode="rb")
        ready = _always
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
        if end and (length >= BLOCK or pause):
            data = b"".join(parts)
            yield Block(data, end, done=file.tell() if is_regular else total, pause=pause)
            parts = [data[end:]]
            length -= end
            end = 0
    if length:
        yield Block(b"".join(parts), length, done=file.tell() if is_regular else total, pause=True)


def _without_mark(blocks: Iterator[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.rows.startswith(UTF_16):
            raise InputError("it is in UTF-16: only UTF-8 is read")
        mark = BOM if block.rows.startswith(BOM) else b""
        yield block._replace(rows=block.rows[len(mark) :], size=block.size - len(mark))
        break
    yield from blocks


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


def _split(data: bytes, begin: int, end: int) -> list[str]:
    lines = data[begin:end].decode("utf-8", "replace").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _csv(blocks: Iterator[Block], column: str | None, delimiter: str) -> Iterator[Block]:
    import csv

    done = 0

    def lines() -> Iterator[str]:
        nonlocal done
        for block in blocks:
            done = block.done
            for line in _split(block.rows, 0, block.size):
                yield f"{line}\n".replace("\0", NUL)

    csv.field_size_limit((1 << 31) - 1)
    # Strict: else a quote that is not closed takes all that follows for its own.
    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    rows: list[str | None] = []
    numbers: list[int] = []
    size = 0
    try:
        index = _number(column) if column and column.isdecimal() else _index(next(reader, []), column)
        for row in reader:
            if row:
                rows.append(row[index].replace(NUL, "\0") if index < len(row) else None)
                numbers.append(reader.line_num)
                size += len(rows[-1] or "")
            if len(rows) == ROWS or size > BLOCK:
                yield Block(rows, len(rows), numbers, done)
                rows, numbers, size = [], [], 0
    except csv.Error as error:
        raise InputError(f"line {reader.line_num}: {error}") from None
    if rows:
        yield Block(rows, len(rows), numbers, done, pause=True)


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
    raise InputError(f"there is no column {column!r}: {_listed(names)}")


def _listed(names: list[str]) -> str:
    return "it has " + (", ".join(map(repr, names)) or "none")


def _jsonl(blocks: Iterator[Block], field: str) -> Iterator[Block]:
    import json

    number = 0
    for block in blocks:
        rows: list[str | None] = []
        numbers = []
        for line in _split(block.rows, 0, block.size):
            number += 1
            if line.strip():
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
                raise InputError(f"line {number}: there is no object for the field {field!r} to be in")
            value = value.get(name)
            if value is None:
                break
    if value is not None and not isinstance(value, str):
        raise InputError(f"line {number}: the field {field!r} is no string")
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
        for batch in table.iter_batches(ROWS, columns=[name]):
            yield Block(_strings(batch.column(0), name), len(batch), done=file.tell())
    except pyarrow.ArrowException as error:
        raise InputError(str(error)) from None


def _strings(column: Any, name: str) -> Any:
    try:
        _rows.from_arrow(column)
    except TypeError as error:
        raise InputError(f"the column {name!r} {error}") from None
    return column
