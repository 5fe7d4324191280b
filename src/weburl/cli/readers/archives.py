"""Archives of the web: the pages of WARC, WET and WAT, and the captures in an index of the kind CDXJ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import IO, TYPE_CHECKING, Final, cast

from weburl._arrow import input
from weburl._arrow.cutting import PIECE_ROWS
from weburl._arrow.input import TOO_LONG_ROW
from weburl.archives import ArchiveError, ArchiveRecord, read_warc
from weburl.cli._exit import InputError
from weburl.cli.readers.byte_stream import ByteStream
from weburl.cli.readers.reading import Keep, Reading
from weburl.cli.readers.records.jsonl import read_jsonl
from weburl.cli.readers.row_blocks import INVALID_RECORD, Fault, KeptColumn, RecordBlock, Row, RowBlock, kept_names
from weburl.cli.readers.rows.text_column import kept_texts

if TYPE_CHECKING:
    from collections.abc import Callable

# What can be kept of a page.
COLUMNS: Final = ("type", "date", "status", "mime", "length")
NUMBERS: Final = frozenset(("status", "length"))
MOST_TEXT: Final = 1 << 21  # bytes of the URLs in a block
MOST_FILE: Final = 1 << 23  # bytes of the file that a block is made of, so that rows come early
# The key and the time before the object, which become two members of it. The key has no character that JSON escapes.
CDXJ_LINE: Final = re.compile(rb'^([^ \n"\\\x00-\x1f]+)[ \t]+(\d{1,17})[ \t]+\{(?=[ \t]*")', re.MULTILINE)
CDXJ_EMPTY: Final = re.compile(CDXJ_LINE.pattern.replace(b'")', b"})"), re.MULTILINE)
CHARACTER: Final = re.compile("(?<=character )[0-9]+")
CDXJ_HEADER: Final = re.compile(rb"^!.*$", re.MULTILINE)


def read_archive(stream: ByteStream, reading: Reading, keep: Keep) -> Iterator[RowBlock]:
    """The pages of a file; those before the place where it is cut off or damaged, and then the error."""
    names = kept_names(COLUMNS, keep, "url")
    block = _Block(names, keep, reading.limit)
    yield block.rows(0)
    begin = stream.tell()
    is_ready = stream.readiness()
    try:
        # Not with the stream's own read(): of a file that is cut off, it would give less.
        for record in read_warc(cast("IO[bytes]", stream.reader)):
            block.add(record)
            if not is_ready():
                yield block.rows(begin)._replace(pause=True)
            elif len(block.urls) >= PIECE_ROWS or block.size >= MOST_TEXT or stream.tell() - begin >= MOST_FILE:
                begin = stream.tell()
                yield block.rows(begin)
    except (ArchiveError, InputError) as error:
        # They are written before the error ends all work.
        yield block.rows(stream.tell())._replace(pause=True)
        raise InputError(str(error)) from None
    yield block.rows(stream.tell())


class _Block:
    """Pages that are read, until they are given as rows."""

    def __init__(self, names: tuple[str, ...], keep: Keep, limit: int) -> None:
        self.names = names
        self.keep = keep
        self.limit = limit
        self._clear()

    def _clear(self) -> None:
        self.urls: list[Row] = []
        self.kept: list[tuple[str | None, ...]] = []
        self.faults: dict[int, Fault] = {}
        self.size = 0

    def add(self, record: ArchiveRecord) -> None:
        url: Row = record.url
        if url is None:
            why = f"the record at byte {record.offset} has no WARC-Target-URI"
            self.faults[len(self.urls)] = Fault(INVALID_RECORD, why, None)
        elif len(record.url or "") > self.limit // 4 and len((record.url or "").encode()) > self.limit:
            url = TOO_LONG_ROW
        self.urls.append(url)
        values = (getattr(record, name) for name in self.names)
        self.kept.append(tuple(None if value is None else str(value) for value in values))
        self.size += len(record.url or "") + sum(len(value or "") for value in self.kept[-1])

    def rows(self, done: int) -> RowBlock:
        urls, faults, columns = self.urls, self.faults, list(zip(*self.kept, strict=True)) or [()] * len(self.names)
        self._clear()
        kept = [self._column(name, column) for name, column in zip(self.names, columns, strict=True)]
        return RowBlock(urls, len(urls), done=done, names=self.names, kept=kept, faults=faults)

    def _column(self, name: str, values: tuple[str | None, ...]) -> KeptColumn:
        column = KeptColumn(kept_texts(input.from_objects(values), 0, len(values), b"\1" * len(values)))
        if name not in NUMBERS:
            return column
        if self.keep.as_arrow:
            import pyarrow

            return KeptColumn(column.arrow().cast(pyarrow.int64()))
        return column._replace(is_json=self.keep.as_json)


def read_cdxj(stream: ByteStream, reading: Reading, keep: Keep) -> Iterator[RowBlock | RecordBlock]:
    """Each line is a key, a time and an object, whose `url` is the URL. The key and the time are fields of it, too."""
    for block in read_jsonl(stream, reading if reading.field else reading._replace(field="url"), keep):
        yield block._replace(parse=partial(_parse, parse=block.parse)) if isinstance(block, RecordBlock) else block


def _parse(
    data: bytes, begin: int, end: int, line: int, *, parse: Callable[[bytes, int, int, int], RowBlock]
) -> RowBlock:
    lines = CDXJ_LINE.sub(rb'{"urlkey": "\1", "timestamp": "\2", ', data[begin:end])
    lines = CDXJ_HEADER.sub(b"", CDXJ_EMPTY.sub(rb'{"urlkey": "\1", "timestamp": "\2"', lines))
    block = parse(lines, 0, len(lines), line)
    if not block.faults or block.lines is None:
        return block
    written = data[begin:end].split(b"\n")
    numbers = block.lines
    faults = {row: _as_written(fault, written[numbers[row] - line - 1]) for row, fault in block.faults.items()}
    return block._replace(faults=faults)


def _as_written(fault: Fault, line: bytes) -> Fault:
    """A fault with the line as it is in the file, and the place in that."""
    text = line.decode("utf-8", "replace").rstrip("\r")
    more = len(fault.record or "") - len(text)
    message = CHARACTER.sub(lambda match: str(int(match[0]) - more), fault.message)
    return Fault(fault.name, message, text, fault.column and fault.column - more)
