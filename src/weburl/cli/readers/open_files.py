"""Opens files, and reads their rows by the format of each."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from weburl import URL
from weburl.cli._exit import InputError, WrongOptionError
from weburl.cli._packings import UNPACKED, packing_of
from weburl.cli._system import openable
from weburl.cli.readers import storage
from weburl.cli.readers.byte_stream import ByteStream, name_in_errors
from weburl.cli.readers.formats import BY_EXTENSION, FORMATS, marked_format
from weburl.cli.readers.reading import STDIN, Keep, Reading, SeenFields
from weburl.cli.readers.row_blocks import RecordBlock, RowBlock
from weburl.cli.readers.signatures import SIZE, UNPACK, is_text, refusal_of


def read_blocks(
    file: Any, name: str, reading: Reading, keep: Keep, fields: SeenFields
) -> Iterator[RowBlock | RecordBlock]:
    """The blocks of an open file."""
    stream = ByteStream(file, name, reading.memory, fields)
    kind = _kind_of(stream, name, reading)

    def read(keep: Keep) -> Iterator[RowBlock | RecordBlock]:
        if kind is None:
            from weburl.cli.readers.records.logs import read_access_log

            return read_access_log(stream, reading, keep)
        return FORMATS[kind].read(stream, reading, keep)

    if reading.filter is None:
        yield from read(keep)
    else:
        from weburl.cli.readers.row_filter import blocks_left

        yield from blocks_left(reading.filter, read, keep, fields)


def _kind_of(stream: ByteStream, name: str, reading: Reading) -> str | None:
    """The name of a file's format; None for an access log."""
    marked = marked_format(stream.head)
    wanted = reading.format
    if marked is not None and not (marked.is_text and wanted not in (marked.name, None)):
        if wanted not in (marked.name, None):
            raise WrongOptionError(f"it is {marked.name}, not {wanted}: leave out --input {wanted}")
        return marked.name
    known = FORMATS[wanted] if wanted else FORMATS.get(format_of_name(name) or "")
    if known is not None and known.mark is not None:
        wrong = WrongOptionError if wanted else InputError
        raise wrong(f"it is not {known.name}: its first bytes are not {known.name}'s")
    if wanted is None:
        stream.check_text()
    if reading.log is not None:
        return None
    if known is not None:
        return known.name
    if reading.column is not None:
        return "csv"
    if reading.field is not None:
        return "jsonl"
    if stream.head.startswith((b'{"', b"[{")) and wanted is None:
        raise WrongOptionError("it looks like JSON: --field NAME says which field has the URLs")
    return "text"


def format_of_name(name: str) -> str | None:
    """The name of the format that a file's name says that it has."""
    root, extension = os.path.splitext(name.lower())
    if extension in UNPACKED:
        extension = os.path.splitext(root)[1]
    known = BY_EXTENSION.get(extension)
    return None if known is None else known.name


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
    if storage.is_remote(name):
        with closing(storage.open_to_read(name)) as remote:
            yield remote
        return
    with name_in_errors(name):
        try:
            opened = open(openable(name), "rb", buffering=0)  # noqa: SIM115
        except FileNotFoundError:
            if not takes_urls or not URL.can_parse(name):
                raise
            raise InputError("no such file or directory; all that follows -f is a file: URLs go before it") from None
    with closing(opened):
        if is_standard_output(opened.fileno()):
            raise InputError(f"{name}: standard output goes to this file: write to it with -o")
        yield opened


def is_standard_output(number: int) -> bool:
    """Whether an open file is the one that standard output goes to: what is written there would be read."""
    try:
        out, file = os.fstat(1), os.fstat(number)
    except OSError:
        return False
    return stat.S_ISREG(out.st_mode) and os.path.samestat(out, file)


def check_file_of_text(name: str) -> None:
    """Refuses a file that is not text. What is not on a disk is not looked at: it can be read once."""
    path = openable(name)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return
        with open(path, "rb") as file:
            head = file.read(SIZE)
    except OSError:
        # Whoever reads it says what is wrong.
        return
    why = unlike_text(head)
    if why is not None:
        raise InputError(f"{name}: {why}")


def unlike_text(head: bytes) -> str | None:
    """A sentence that says why a file of text cannot be one, for files that are not unpacked."""
    packing = packing_of(head)
    if packing is not None:
        return f"it is packed with {packing.name}: {UNPACK}"
    format = marked_format(head)
    if format is not None and not format.is_text:
        return f"it is a file of {format.name.capitalize()}, not of text"
    return refusal_of(head) or (None if is_text(head) else "it is not text")
