"""The formats of files that are read. To add one, write its row in FORMATS."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from weburl.cli._exit import InputError
from weburl.cli.readers.files import ByteStream
from weburl.cli.readers.reading import Keep, Reading
from weburl.cli.readers.records.delimited import read_csv, read_tsv
from weburl.cli.readers.records.jsonl import read_jsonl
from weburl.cli.readers.rows import RecordBlock, RowBlock
from weburl.cli.readers.tables import read_arrow, read_parquet
from weburl.cli.readers.text import read_text


class Format(NamedTuple):
    """A format: its name for --input, its reader, the ends of its files' names, and the mark that its files begin with.

    What begins with a mark is of that format, and what has no mark is not.
    """

    name: str
    read: Callable[[ByteStream, Reading, Keep], Iterator[RowBlock | RecordBlock]]
    extensions: tuple[str, ...] = ()
    mark: re.Pattern[bytes] | None = None


def _read_lines(stream: ByteStream, reading: Reading, keep: Keep) -> Iterator[RowBlock]:
    if keep.names != () and not keep.or_lines:
        raise InputError("its lines have no columns: --column, --field or --log says that they are records")
    return read_text(stream, reading.limit)


ROWS: Final = (
    Format("text", _read_lines),
    Format("csv", read_csv, (".csv",)),
    Format("tsv", read_tsv, (".tsv",)),
    Format("jsonl", read_jsonl, (".jsonl", ".ndjson", ".json")),
    Format("parquet", read_parquet, (".parquet",), re.compile(rb"PAR1(?![\t\n\r -~])")),
    # Also Feather, of version 2. A stream from before 2019 has no mark.
    Format("arrow", read_arrow, (".arrow", ".arrows", ".feather", ".ipc"), re.compile(rb"ARROW1\0\0|\xff\xff\xff\xff")),
)
FORMATS: Final = {format.name: format for format in ROWS}
BY_EXTENSION: Final = {extension: format for format in ROWS for extension in format.extensions}


def marked_format(head: bytes) -> Format | None:
    """The format of a file, if its first bytes are a mark."""
    return next((format for format in ROWS if format.mark is not None and format.mark.match(head)), None)
