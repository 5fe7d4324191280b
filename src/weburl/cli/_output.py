"""What the command writes: to standard output, or to a file that is there when all of it is."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weburl._work import Piece
    from weburl.cli._conversion import Conversion, Done
    from weburl.cli._input import Block

Write = Callable[["Block", "Piece", "Done"], object]


def complain(message: str) -> None:
    """A line on standard error, if there is one."""
    if sys.stderr is not None:
        print(f"weburl: {printable(message)}", file=sys.stderr)


def printable(text: str) -> str:
    """A text for a terminal: what it would not show, escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


@contextmanager
def open_output(path: str | None) -> Iterator[IO[bytes]]:
    """Standard output, or a file beside the one that it becomes when nothing is raised."""
    if path is None or path == "-":
        if sys.stdout is None:
            raise OSError("standard output is closed")
        out: Any = sys.stdout.buffer
        if isinstance(out, io.RawIOBase):
            # With python -u: it may write less than it is given.
            out = io.BufferedWriter(io.FileIO(out.fileno(), "w", closefd=False))
        try:
            yield out
            out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            error.filename = "standard output"
            raise
        return
    try:
        with _open_file(path) as file:
            yield file
    except OSError as error:
        # What else can fail is an input, of which a message says so itself.
        error.filename = path
        raise


@contextmanager
def _open_file(path: str) -> Iterator[IO[bytes]]:
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = 0
    if mode and not stat.S_ISREG(mode):
        # A device or a pipe.
        with open(path, "wb") as file:
            yield file
        return
    # What a link leads to, not the link.
    path = os.path.realpath(path)
    beside = os.path.join(os.path.dirname(path), f".weburl-{os.urandom(6).hex()}")
    number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with open(number, "wb") as file:
            if mode:
                os.chmod(beside, stat.S_IMODE(mode))
            yield file
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


@contextmanager
def open_writer(out: IO[bytes], conversion: Conversion) -> Iterator[Write]:
    """What writes that which is made of each piece."""
    if conversion.is_table:
        from weburl.cli._parquet import open_parquet

        with open_parquet(out, conversion) as write_rows:
            yield write_rows
        return
    if conversion.style == "csv":
        out.write(",".join(_cell(field.label) for field in conversion.fields).encode() + b"\n")

    def write_lines(block: Block, piece: Piece, done: Done) -> None:
        out.write(done.lines)
        if block.pause:
            out.flush()

    yield write_lines


def _cell(text: str) -> str:
    return '"{}"'.format(text.replace('"', '""')) if set(text) & set('",\r\n') else text
