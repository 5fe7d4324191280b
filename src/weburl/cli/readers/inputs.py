"""The inputs of a command: its arguments and files, and the options that say how to read them."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from typing import Any, Final, NamedTuple

from weburl import URL
from weburl._arrow.pieces import Piece
from weburl._arrow.schedule import count_threads
from weburl.cli._arguments import argument_text
from weburl.cli._exit import InputError
from weburl.cli._memory import MEMORY, limited_memory, too_little_memory
from weburl.cli._messages import quoted
from weburl.cli.readers.files import ByteStream, file_size, name_in_errors
from weburl.cli.readers.names import files_of
from weburl.cli.readers.records.delimited import read_csv, read_tsv
from weburl.cli.readers.records.jsonl import read_jsonl
from weburl.cli.readers.rows import RecordBlock, Row, RowBlock, keep_of, memory_of, null_columns
from weburl.cli.readers.signatures import table_of
from weburl.cli.readers.tables import read_arrow, read_parquet
from weburl.cli.readers.text import read_text

# What --input takes, and the function that reads it. A new format has its line here and in EXTENSIONS.
READERS: Final[dict[str, Callable[[ByteStream, argparse.Namespace], Iterator[RowBlock | RecordBlock]]]] = {
    "text": lambda stream, options: _read_lines(stream, options),
    "csv": read_csv,
    "tsv": read_tsv,
    "jsonl": read_jsonl,
    "parquet": read_parquet,
    "arrow": read_arrow,
}
LOG: Final = "log"  # by --log, never by a name
TABLES: Final = ("parquet", "arrow")
EXTENSIONS: Final = {
    ".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".parquet": "parquet",
    ".arrow": "arrow", ".arrows": "arrow", ".feather": "arrow", ".ipc": "arrow",
}  # fmt: skip
PACKED: Final = (".gz", ".bz2", ".xz", ".zst")
STDIN: Final = "-"
ARGUMENT: Final = "argument"
MAX_LINE: Final = 1 << 24  # bytes
LARGE: Final = 1 << 20  # bytes of a piece
SIZE: Final = re.compile("([0-9]{1,15})([KMG]?)", re.ASCII | re.IGNORECASE)


# A piece of a block; or records that are to be read.
Task = tuple[RowBlock, Piece] | Callable[[], RowBlock]


class OpenInput(NamedTuple):
    """An input that is open; its blocks can be read once."""

    name: str  # for messages
    size: int | None  # in bytes, if it is known
    blocks: Iterator[RowBlock | RecordBlock]

    def row_blocks(self) -> Iterator[RowBlock]:
        """The blocks; records are read in this thread."""
        for block in self.blocks:
            if isinstance(block, RowBlock):
                yield block
            else:
                yield from (part() for part in block.parts())

    def numbered(self, progress: Callable[[int], object] | None = None) -> Iterator[tuple[int, Row]]:
        """Each row with the number of its line, or with the number of the row if the file has no lines."""
        before = 0
        for block in self.row_blocks():
            texts = block.texts()
            yield from zip(block.lines or count(before + 1), texts, strict=False)
            before += len(texts)
            if progress is not None:
                progress(block.done)

    def tasks(self) -> Iterator[Task | None]:
        """The pieces, and the records that are to be read; None where the next one is not there yet.

        It is also before and after a large one, which then is the only one in work: what is made of it is larger.
        """
        for block in self.blocks:
            tasks: Iterator[tuple[Task, int]]
            if isinstance(block, RecordBlock):
                tasks = zip(block.parts(), block.sizes(), strict=True)
            else:
                tasks = (((block, piece), block.bytes_of(piece)) for piece in block.pieces())
            for task, size in tasks:
                if size > LARGE:
                    yield None
                yield task
                if size > LARGE:
                    yield None
            if block.pause:
                yield None


def piece_of(task: Any) -> tuple[RowBlock, Piece]:
    """The piece of a task, with its block. Records are read in the thread that calls this."""
    if isinstance(task, tuple):
        return task
    block: RowBlock = task()
    return block, block.whole()


def add_input_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("input")
    group.add_argument(
        "-f", "--file", metavar="FILE", action="extend", nargs="+", default=[], dest="files",
        help="read URLs from the files up to the next option: one on each line, or csv, tsv, jsonl, parquet or arrow "
        "if a name ends so. FILE may also be a folder or a glob in quotes; gzip, bzip2, xz and zstd are unpacked; - is "
        "standard input",
    )  # fmt: skip
    group.add_argument(
        "--column", metavar="NAME", type=argument_text,
        help="the column of csv, tsv, parquet or arrow that has the URLs: its name, or its number (from 1) if there "
        "is no header",
    )  # fmt: skip
    group.add_argument(
        "--field", metavar="NAME", type=argument_text,
        help="the field of jsonl that has the URLs; a.b is the field b of the object a",
    )  # fmt: skip
    group.add_argument(
        "--input", choices=list(READERS), dest="input_format", help="the format of FILE, whatever its name"
    )
    group.add_argument(
        "--log", metavar="FORMAT", type=_log_format,
        help="read access logs: common, combined, or a format of nginx or Apache, as '$remote_addr \"$request\"'. The "
        "URLs are those of the requests: at the log's host, or at that of --base",
    )  # fmt: skip
    group.add_argument(
        "--max-line", metavar="SIZE", type=size, default=MAX_LINE,
        help="the most bytes of a line, or of a record of csv and tsv: 65536, 64K, 16M (the default) or 1G; 0 is no "
        "limit. A longer line is not held in memory: its row fails with too-long",
    )  # fmt: skip
    add_memory_option(group)


def add_memory_option(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--memory", metavar="SIZE", type=size, default=MEMORY,
        help="about how much memory the command may keep, as 64M or 4G (default: 128M). What needs more is kept on "
        "disk, or ends the command with status 3",
    )  # fmt: skip


def _log_format(text: str) -> object:
    from weburl.cli.readers.records.logs import log_format

    return log_format(argument_text(text))


def size(text: str) -> int:
    """A number of bytes, as --max-line takes it."""
    match = SIZE.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"SIZE is a number of bytes, as 65536, 64K, 16M or 1G, not {quoted(text)}")
    # More than anything has is as much as can be counted.
    return min(int(match[1]) << 10 * " KMG".index(match[2].upper() or " "), sys.maxsize >> 1)


def open_inputs(options: argparse.Namespace, arguments: list[str]) -> Iterator[OpenInput]:
    """The arguments, and the files that the options name; each file is open until the next one is asked for.

    Standard input is read if there are neither arguments nor files.
    """
    if arguments:
        texts = [argument_text(text) for text in arguments]
        names = keep_of(options).names or ()
        block = RowBlock(texts, len(texts), pause=True, names=names, kept=null_columns(len(texts), names))
        yield OpenInput(ARGUMENT, None, iter([block]))
    for given in options.files or ([] if arguments else [STDIN]):
        for name in (STDIN,) if given == STDIN else files_of(given):
            shown = "standard input" if name == STDIN else name
            with (
                limited_memory(shown, memory_of(options), count_threads(getattr(options, "threads", None))),
                open_file(name, hasattr(options, "urls")) as file,
            ):
                yield OpenInput(shown, file_size(file), _blocks(file, name, shown, options))


def _blocks(file: Any, name: str, shown: str, options: argparse.Namespace) -> Iterator[RowBlock | RecordBlock]:
    """The blocks of a file. One that cannot be read is closed here, as the generator that opened it does not go on."""
    try:
        with name_in_errors(shown):
            try:
                yield from _read(file, name, options)
            except MemoryError:
                raise too_little_memory("it", memory_of(options)) from None
    except InputError:
        if name != STDIN:
            file.close()
        raise


def _read(file: Any, name: str, options: argparse.Namespace) -> Iterator[RowBlock | RecordBlock]:
    stream = ByteStream(file, name, memory_of(options))
    kind = _kind_of(stream, name, options)
    if kind == LOG:
        from weburl.cli.readers.records.logs import read_access_log

        yield from read_access_log(stream, options)
    else:
        yield from READERS[kind](stream, options)


def _kind_of(stream: ByteStream, name: str, options: argparse.Namespace) -> str:
    if options.log is not None:
        for option in ("column", "field", "input_format"):
            if getattr(options, option) is not None:
                raise InputError(f"--log does not go with --{option.partition('_')[0]}")
    found = table_of(stream.head)
    given: str | None = options.input_format
    if found is not None:
        if given not in (found, None):
            raise InputError(f"it is {found}, not {given}: leave out --input {given}")
        return found
    root, extension = os.path.splitext(name.lower())
    if extension in PACKED:
        extension = os.path.splitext(root)[1]
    known = given or EXTENSIONS.get(extension)
    if known in TABLES:
        # A stream of Arrow from before 2019 has no mark.
        raise InputError(f"it is not {known}: its first bytes are not {known}'s")
    if given is None:
        stream.check_text()
    if options.log is not None:
        return LOG
    if known is not None:
        return known
    if options.column is not None:
        return "csv"
    if options.field is not None:
        return "jsonl"
    if stream.head.startswith((b'{"', b"[{")) and given is None:
        raise InputError("it looks like JSON: --field NAME says which field has the URLs")
    return "text"


def _read_lines(stream: ByteStream, options: argparse.Namespace) -> Iterator[RowBlock]:
    keep = keep_of(options)
    if keep.names != () and not keep.or_lines:
        raise InputError("its lines have no columns: --column, --field or --log says that they are records")
    return read_text(stream, options)


@contextmanager
def open_file(name: str, takes_urls: bool = False) -> Iterator[Any]:
    """A file, or standard input, to read bytes from."""
    if name == STDIN:
        if sys.stdin is None:
            raise InputError("standard input: it is closed")
        # Nobody has read from its buffer, so the buffer can be left out.
        file = sys.stdin.buffer
        yield getattr(file, "raw", file)
        return
    with name_in_errors(name):
        try:
            opened = open(name, "rb", buffering=0)  # noqa: SIM115
        except FileNotFoundError:
            if not takes_urls or not URL.can_parse(name):
                raise
            raise InputError("no such file or directory; all that follows -f is a file: URLs go before it") from None
    with closing(opened):
        yield opened
