"""Where the command writes: standard output, or a file that gets its name only when all of it is written."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from weburl.cli._exit import InputError
from weburl.cli._terminal import buffered, for_terminal
from weburl.cli.writers import STANDARD_OUTPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Final

# Names of what this process has open.
OPEN: Final = r"/dev/(?:std(?:in|(out)|(err))|fd/([0-9]{1,9}))|/proc/(?:self|thread-self)/fd/([0-9]{1,9})"
MOST_LINKS: Final = 40  # to each other; Linux follows as many


def is_same_file(one: str, other: str) -> bool:
    """Whether two paths are of one file, which may not be there yet. A device can be written by both."""
    return os.path.realpath(one) == os.path.realpath(other) and (os.path.isfile(one) or not os.path.exists(one))


def _check_kind(out: Any, name: str, is_text: bool) -> None:
    if not is_text and out.isatty():
        raise InputError(f"{name}: a terminal does not show such a file")


@contextmanager
def open_output(path: str | None, *, is_text: bool = True) -> Iterator[IO[bytes]]:
    """Standard output, or a temporary file that replaces the one at `path` if nothing is raised.

    A terminal takes text only, and what controls it is escaped.
    """
    if path is None or path == "-":
        if sys.stdout is None:
            raise OSError(f"{STANDARD_OUTPUT} is closed")
        out: Any = buffered(sys.stdout.buffer)
        _check_kind(out, STANDARD_OUTPUT, is_text)
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
            _check_kind(file, path, is_text)
            if not file.isatty():
                yield file
                return
            encoding = os.device_encoding(file.fileno()) or "utf-8"
            terminal = for_terminal(io.TextIOWrapper(file, encoding, "backslashreplace"))
            yield terminal.buffer
            terminal.flush()
    except OSError as error:
        # It is about this file: errors of inputs are InputError.
        error.filename = path
        raise


def _open_number(path: str) -> int | None:
    """The descriptor that a path is a name of, as /dev/stdout is of standard output."""
    if os.name == "nt":
        return None
    import re

    for _ in range(MOST_LINKS):
        match = re.fullmatch(OPEN, os.path.normpath(path))
        if match is not None:
            number = match[3] or match[4]
            return int(number) if number else 1 if match[1] else 2 if match[2] else 0
        try:
            path = os.path.join(os.path.dirname(path), os.readlink(path))
        except OSError:
            break
    return None


@contextmanager
def _open_file(path: str) -> Iterator[IO[bytes]]:
    open_number = _open_number(path)
    if open_number is not None:
        # Others write the file, too: before, or after what is written here.
        with open(os.dup(open_number), "wb") as file:
            yield file
        return
    from weburl.cli.writers.file_rights import CLOSED, copy_rights

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
    # Somebody who can open a file can keep it open, so nobody else can until all is written. A new file is for those
    # for whom new files are in this folder.
    mode = 0o666 if before is None else CLOSED
    try:
        # A signal may come before its number is kept.
        number = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
        try:
            with open(number, "wb", closefd=False) as file:
                yield file
            copy_rights(before, path, number)
        finally:
            os.close(number)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
