"""What the command writes: to standard output, or to a file that is there when all of it is."""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any

from weburl._diagnosis.credentials import HIDDEN, inner_credentials, redact, without_inner_credentials
from weburl._diagnosis.messages import shown

if TYPE_CHECKING:
    from weburl._columns.pieces import Piece
    from weburl.cli._conversion import Conversion, Done
    from weburl.cli.readers.input import Block

# What does not count in a URL.
IGNORED = re.compile(r"[\t\n\r]+")
Write = Callable[["Block", "Piece", "Done"], object]


def complain(message: str) -> None:
    """A line on standard error, if there is one; nothing else of the command writes there what somebody gave."""
    if sys.stderr is not None:
        print(f"weburl: {printable(without_credentials(message))}", file=sys.stderr)


def without_credentials(message: str) -> str:
    """A message, with `***` for what may be credentials of URLs in it."""
    if "@" not in message:
        return message
    message = without_inner_credentials(message)
    starts: list[int] = []
    end = 0
    for match in IGNORED.finditer(message):
        starts += range(end, match.start())
        end = match.end()
    starts += range(end, len(message))
    for start, end in reversed(list(inner_credentials("".join(message[i] for i in starts)))):
        message = f"{message[: starts[start]]}{HIDDEN}{message[starts[end] :]}"
    return message


def quoted(text: str) -> str:
    """What somebody gave, for a message: quoted, escaped, not too long, and without credentials."""
    return shown(redact(text))


def printable(text: str) -> str:
    """A text for a terminal: what it would not show, escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def quoted_of(part: str, whole: str) -> str:
    """The same for a part of what somebody gave: where the whole has credentials, it may be of them."""
    return quoted(part) if without_credentials(whole) == whole else f"'{HIDDEN}'"


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
        before = os.stat(path)
    except FileNotFoundError:
        before = None
    if before is not None and not stat.S_ISREG(before.st_mode):
        # A device or a pipe.
        with open(path, "wb") as file:
            yield file
        return
    # What a link leads to, not the link.
    path = os.path.realpath(path)
    beside = os.path.join(os.path.dirname(path), f".weburl-{os.urandom(6).hex()}")
    # What is open to others can be held open by them: until it has the mode of what it replaces, it is open to none.
    mode = 0o666 if before is None else 0o600
    number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    try:
        with open(number, "wb") as file:
            if before is not None:
                os.chmod(beside, _mode_like(before, number))
            yield file
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def _mode_like(before: os.stat_result, number: int) -> int:
    """The mode of a file, for one that takes its place; less what its group may, where that cannot be the new one's."""
    mode = stat.S_IMODE(before.st_mode)
    if os.fstat(number).st_gid != before.st_gid:
        try:
            os.fchown(number, -1, before.st_gid)
        except OSError:
            mode &= ~stat.S_IRWXG
    return mode


@contextmanager
def open_writer(out: IO[bytes], conversion: Conversion) -> Iterator[Write]:
    """What writes that which is made of each piece."""
    if conversion.is_table:
        from weburl.cli.writers.parquet import open_parquet

        with open_parquet(out, conversion) as write_rows:
            yield write_rows
        return
    if conversion.is_csv:
        is_safe = conversion.style == "csv-safe"
        out.write(",".join(_cell(field.label, is_safe) for field in conversion.fields).encode() + b"\n")

    def write_lines(block: Block, piece: Piece, done: Done) -> None:
        out.write(done.lines)
        if block.pause:
            out.flush()

    yield write_lines


def _cell(text: str, is_safe: bool) -> str:
    if is_safe and text.startswith(("=", "+", "-", "@", "\t", "\r")):
        text = f"'{text}"
    return '"{}"'.format(text.replace('"', '""')) if set(text) & set('",\r\n') else text
