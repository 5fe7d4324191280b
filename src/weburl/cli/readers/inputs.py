"""The inputs of a command: its arguments and files, and the options that say how to read them."""

from __future__ import annotations

import argparse
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from typing import Any, Final, NamedTuple

from weburl.cli._arguments import argument_text
from weburl.cli._exit import InputError
from weburl.cli._messages import quoted
from weburl.cli.readers.delimited import read_csv, read_tsv
from weburl.cli.readers.files import file_size
from weburl.cli.readers.jsonl import read_jsonl
from weburl.cli.readers.parquet import read_parquet
from weburl.cli.readers.rows import Row, RowBlock
from weburl.cli.readers.text import read_text

# What --input takes, and the function that reads it. A new format has its line here and in EXTENSIONS.
READERS: Final[dict[str, Callable[[Any, argparse.Namespace], Iterator[RowBlock]]]] = {
    "text": read_text,
    "csv": read_csv,
    "tsv": read_tsv,
    "jsonl": read_jsonl,
    "parquet": read_parquet,
}
EXTENSIONS: Final = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
STDIN: Final = "-"
ARGUMENT: Final = "argument"
MAX_LINE: Final = 1 << 24  # bytes
SIZE: Final = re.compile("([0-9]{1,15})([KMG]?)", re.ASCII | re.IGNORECASE)


class OpenInput(NamedTuple):
    """An input that is open; its blocks can be read once."""

    name: str  # for messages
    size: int | None  # in bytes, if it is known
    blocks: Iterator[RowBlock]

    def numbered(self, progress: Callable[[int], object] | None = None) -> Iterator[tuple[int, Row]]:
        """Each row with the number of its line, or with the number of the row if the file has no lines."""
        before = 0
        for block in self.blocks:
            texts = block.texts()
            yield from zip(block.lines or count(before + 1), texts, strict=False)
            before += len(texts)
            if progress is not None:
                progress(block.done)


def add_input_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("input")
    group.add_argument(
        "-f", "--file", metavar="FILE", action="append", default=[], dest="files",
        help="read URLs from FILE: one on each line, or csv, tsv, jsonl or parquet if its name ends so; gzip is "
        "unpacked; - is standard input",
    )  # fmt: skip
    group.add_argument(
        "--column", metavar="NAME",
        help="the column of csv, tsv or parquet that has the URLs: its name, or its number (from 1) if there is no "
        "header",
    )  # fmt: skip
    group.add_argument(
        "--field", metavar="NAME", help="the field of jsonl that has the URLs; a.b is the field b of the object a"
    )
    group.add_argument(
        "--input", choices=list(READERS), dest="input_format", help="the format of FILE, whatever its name"
    )
    group.add_argument(
        "--max-line", metavar="SIZE", type=size, default=MAX_LINE,
        help="the most bytes of a line, or of a record of csv and tsv: 65536, 64K, 16M (the default) or 1G; 0 is no "
        "limit. A longer line is not held in memory: its row fails with too-long",
    )  # fmt: skip


def size(text: str) -> int:
    """A number of bytes, as --max-line takes it."""
    match = SIZE.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"SIZE is a number of bytes, as 65536, 64K, 16M or 1G, not {quoted(text)}")
    return int(match[1]) << 10 * " KMG".index(match[2].upper() or " ")


def open_inputs(options: argparse.Namespace, arguments: list[str]) -> Iterator[OpenInput]:
    """The arguments, and the files that the options name; each file is open until the next one is asked for.

    Standard input is read if there are neither arguments nor files.
    """
    if arguments:
        texts = [argument_text(text) for text in arguments]
        yield OpenInput(ARGUMENT, None, iter([RowBlock(texts, len(texts), pause=True)]))
    for name in options.files or ([] if arguments else [STDIN]):
        shown = "standard input" if name == STDIN else name
        with _open(name) as file:
            blocks = READERS[_format_of(name, options)](file, options)
            yield OpenInput(shown, file_size(file), _with_name_in_errors(blocks, shown))


def _format_of(name: str, options: argparse.Namespace) -> str:
    known: str | None = options.input_format or EXTENSIONS.get(os.path.splitext(name.removesuffix(".gz"))[1])
    if known is not None:
        return known
    if options.column is not None:
        return "csv"
    return "text" if options.field is None else "jsonl"


@contextmanager
def _open(name: str) -> Iterator[Any]:
    if name == STDIN:
        if sys.stdin is None:
            raise InputError("standard input: it is closed")
        # Nobody has read from its buffer, so the buffer can be left out.
        file = sys.stdin.buffer
        yield getattr(file, "raw", file)
        return
    with _name_in_errors(name):
        opened = open(name, "rb", buffering=0)  # noqa: SIM115
    with closing(opened):
        yield opened


def _with_name_in_errors(blocks: Iterator[RowBlock], name: str) -> Iterator[RowBlock]:
    with _name_in_errors(name):
        yield from blocks


@contextmanager
def _name_in_errors(name: str) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, zlib.error) as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        raise InputError(f"{name}: {reason[:1].lower()}{reason[1:]}") from None
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
