"""The formats of files that are read. To add one, write its row in ROWS."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from weburl._named_tuple import NamedTuple
from weburl.cli._exit import WrongOptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from weburl.cli.readers.byte_stream import ByteStream
    from weburl.cli.readers.reading import Keep, Reading
    from weburl.cli.readers.row_blocks import RecordBlock, RowBlock

    Blocks = Iterator[RowBlock | RecordBlock]


class Format(NamedTuple):
    """A format: its name for --input, its reader, the ends of its files' names, and the mark that its files begin with.

    The reader imports what it needs: most commands read one format, or none. What begins with a mark is of that
    format, and what has no mark is not. Files that are text, too, can also be read as that.
    """

    name: str
    read: Callable[[ByteStream, Reading, Keep], Blocks]
    extensions: tuple[str, ...] = ()
    mark: bytes | None = None  # a regular expression
    is_text: bool = False


def _read_lines(stream: ByteStream, reading: Reading, keep: Keep) -> Blocks:
    from weburl.cli.readers.text import read_text

    if keep.names != () and not keep.or_lines:
        raise WrongOptionError("its lines have no columns: --column, --field or --log says that they are records")
    return read_text(stream, reading.limit)


def _read_csv(stream: ByteStream, reading: Reading, keep: Keep) -> Blocks:
    from weburl.cli.readers.records.delimited import read_csv

    return read_csv(stream, reading, keep)


def _read_tsv(stream: ByteStream, reading: Reading, keep: Keep) -> Blocks:
    from weburl.cli.readers.records.delimited import read_tsv

    return read_tsv(stream, reading, keep)


def _read_jsonl(stream: ByteStream, reading: Reading, keep: Keep) -> Blocks:
    from weburl.cli.readers.records.jsonl import read_jsonl

    return read_jsonl(stream, reading, keep)


def _read_parquet(stream: ByteStream, reading: Reading, keep: Keep) -> Blocks:
    from weburl.cli.readers.tables import read_parquet

    return read_parquet(stream, reading, keep)


def _read_arrow(stream: ByteStream, reading: Reading, keep: Keep) -> Blocks:
    from weburl.cli.readers.tables import read_arrow

    return read_arrow(stream, reading, keep)


def _read_warc(stream: ByteStream, reading: Reading, keep: Keep) -> Blocks:
    from weburl.cli.readers.archives import read_archive

    return read_archive(stream, reading, keep)


def _read_cdxj(stream: ByteStream, reading: Reading, keep: Keep) -> Blocks:
    from weburl.cli.readers.archives import read_cdxj

    return read_cdxj(stream, reading, keep)


ROWS: Final = (
    Format("text", _read_lines),
    Format("csv", _read_csv, (".csv",)),
    Format("tsv", _read_tsv, (".tsv",)),
    Format("jsonl", _read_jsonl, (".jsonl", ".ndjson", ".json")),
    Format("parquet", _read_parquet, (".parquet",), rb"PAR1(?![\t\n\r -~])"),
    # Also Feather, of version 2. A stream from before 2019 has no mark.
    Format("arrow", _read_arrow, (".arrow", ".arrows", ".feather", ".ipc"), rb"ARROW1\0\0|\xff\xff\xff\xff"),
    Format("warc", _read_warc, (".warc", ".wet", ".wat"), rb"[\r\n]{0,99}WARC/[0-9]", is_text=True),
    Format("cdxj", _read_cdxj, (".cdxj",)),
)
FORMATS: Final = {format.name: format for format in ROWS}
BY_EXTENSION: Final = {extension: format for format in ROWS for extension in format.extensions}


def marked_format(head: bytes) -> Format | None:
    """The format of a file, if its first bytes are a mark."""
    import re

    return next((format for format in ROWS if format.mark is not None and re.match(format.mark, head)), None)
