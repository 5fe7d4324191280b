"""What the command writes: to standard output, or to a file that is there when all of it is."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO


def printable(text: str) -> str:
    """A text for a terminal: what it would not show, escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


@contextmanager
def open_output(path: str | None) -> Iterator[IO[bytes]]:
    """Standard output, or a file beside the one that it becomes when nothing is raised."""
    if path is None or path == "-":
        if sys.stdout is None:
            raise OSError("standard output is closed")
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = os.path.realpath(path)
    try:
        before = os.stat(path)
    except FileNotFoundError:
        before = None
    if before is not None and not stat.S_ISREG(before.st_mode):
        # A device or a pipe.
        with open(path, "wb") as file:
            yield file
        return
    beside = f"{path}.{os.getpid()}.part"
    number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with open(number, "wb") as file:
            if before is not None:
                os.chmod(beside, stat.S_IMODE(before.st_mode))
            yield file
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
