"""Where the command writes: standard output, or a file that gets its name only when all of it is written."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, Final

STANDARD_OUTPUT: Final = "standard output"  # in messages
# On Windows a file is read-only or not, and one that is read-only is not replaced.
HAS_MODES: Final = hasattr(os, "fchown")


def is_same_file(one: str, other: str) -> bool:
    """Whether two paths are of one file, which may not be there yet. A device can be written by both."""
    return os.path.realpath(one) == os.path.realpath(other) and (os.path.isfile(one) or not os.path.exists(one))


@contextmanager
def open_output(path: str | None) -> Iterator[IO[bytes]]:
    """Standard output, or a temporary file that replaces the one at `path` if nothing is raised."""
    if path is None or path == "-":
        if sys.stdout is None:
            raise OSError(f"{STANDARD_OUTPUT} is closed")
        out: Any = sys.stdout.buffer
        if isinstance(out, io.RawIOBase):
            # With python -u, a write may write less than it is given.
            is_file = isinstance(out, io.FileIO)
            out = io.BufferedWriter(io.FileIO(out.fileno(), "w", closefd=False) if is_file else _Console(out))
        try:
            yield out
            out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            error.filename = STANDARD_OUTPUT
            raise
        return
    try:
        with _open_file(path) as file:
            yield file
    except OSError as error:
        # It is about this file: errors of inputs are InputError.
        error.filename = path
        raise


@contextmanager
def _open_file(path: str) -> Iterator[IO[bytes]]:
    try:
        before = os.stat(path)
    except FileNotFoundError:
        before = None
    if before is not None and not stat.S_ISREG(before.st_mode):
        # A device or a pipe cannot be replaced.
        with open(path, "wb") as file:
            yield file
        return
    # Replace the file that a link leads to, not the link.
    path = os.path.realpath(path)
    temporary = os.path.join(os.path.dirname(path), f".weburl-{os.urandom(6).hex()}")
    # Somebody who can open a file can keep it open, so nobody else can until it has the mode of the file it replaces.
    mode = 0o666 if before is None else 0o600
    number = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    try:
        with open(number, "wb") as file:
            if before is not None and HAS_MODES:
                os.chmod(number, _mode_like(before, number))
            yield file
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


class _Console(io.RawIOBase):
    """A console of Windows: it takes UTF-8 only from the object that Python made. It is not closed with its buffer."""

    def __init__(self, raw: io.RawIOBase) -> None:
        self.raw = raw

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int | None:
        return self.raw.write(data)


def _mode_like(before: os.stat_result, number: int) -> int:
    """The rights of a file, for the file that replaces it; without the group's rights if that cannot have the group.

    Set-user-ID and set-group-ID would be those of whoever writes it.
    """
    mode = before.st_mode & (stat.S_IRWXU | stat.S_IRWXG | stat.S_IRWXO)
    if os.fstat(number).st_gid != before.st_gid:
        try:
            os.fchown(number, -1, before.st_gid)
        except OSError:
            mode &= ~stat.S_IRWXG
    return mode
