"""Where the command writes: standard output, or a file or a folder that gets its name when all of it is written."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from weburl.cli._exit import InputError
from weburl.cli._last_words import removed_at_abort
from weburl.cli._system import SYSTEM, openable, real_path
from weburl.cli._terminal import buffered, for_terminal
from weburl.cli.readers import storage
from weburl.cli.writers import STANDARD_OUTPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Final

# Names of what a process has open.
OPEN: Final = r"/dev/(?:std(?:in|(out)|(err))|fd/([0-9]{1,9}))|/proc/([0-9]+)(?:/task/[0-9]+)?/fd/([0-9]{1,9})"
BUFFER: Final = 1 << 16  # bytes
MOST_LINKS: Final = 40  # to each other; Linux follows as many
# What file systems say that do not write at once when they are asked.
NOT_FLUSHED: Final = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)


def is_same_file(one: str, other: str) -> bool:
    """Whether two paths are of one file, which may not be there yet. A device can be written by both."""
    path = openable(one)
    return real_path(one) == real_path(other) and (os.path.isfile(path) or not os.path.exists(path))


class _Raw(io.FileIO):
    """A file that names itself in errors: the command may write two."""

    def __init__(self, file: str | int, mode: str, shown: str, *, closefd: bool = True) -> None:
        super().__init__(file, mode, closefd=closefd)
        self.shown: str = shown

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise _named(error, self.shown) from None


def _named(error: OSError, shown: str) -> OSError:
    """The error with the name of the output that it is about, if it does not have it yet."""
    if not hasattr(error, "output"):
        error.filename = error.output = shown  # type: ignore[attr-defined]
    return error


def _flush(number: int) -> None:
    """Waits until what is open is on the disk: a name must not be there before the data, if the machine stops."""
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno not in NOT_FLUSHED:
            raise


def _flush_folder(path: str) -> None:
    """The same of the names in a folder, if the system opens folders."""
    try:
        number = os.open(path, os.O_RDONLY)
    except OSError:
        return
    try:
        _flush(number)
    finally:
        os.close(number)


def _name_folder(temporary: str, path: str) -> None:
    for folder, _, _ in os.walk(temporary):
        _flush_folder(folder)
    os.rename(temporary, path)
    _flush_folder(os.path.dirname(path))


def _buffer(raw: _Raw) -> io.BufferedWriter:
    return io.BufferedWriter(raw, BUFFER)


def _check_kind(out: Any, name: str, is_text: bool) -> None:
    if not is_text and out.isatty():
        raise InputError(f"{name}: a terminal does not show such a file")


@contextmanager
def open_output(path: str | None, *, is_text: bool = True, waits: bool = True) -> Iterator[IO[bytes]]:
    """Standard output, or a temporary file that replaces the one at `path` if nothing is raised.

    A terminal takes text only, and what controls it is escaped. With `waits`, the disk has the file when it gets its
    name.
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
            raise _named(error, STANDARD_OUTPUT) from None
        return
    if storage.is_remote(path):
        with storage.open_to_write(path) as out:
            yield out
        return
    try:
        with _open_file(path, waits) as file:
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
        raise _named(error, path) from None


def _opened_before(path: str) -> int | str | None:
    """What is open under a path, such as /dev/stdout: the descriptor, or the path if another process has opened it."""
    if not SYSTEM.names_what_is_open:
        return None
    import re

    for _ in range(MOST_LINKS):
        # The folder may be written in many ways; /dev/fd and /proc/self are links.
        folder, name = os.path.split(path)
        match = re.fullmatch(OPEN, os.path.join(os.path.realpath(folder), name))
        if match is not None:
            output, errors, number, process, number_of_process = match.groups()
            if process is None:
                return int(number) if number else 1 if output else 2 if errors else 0
            return int(number_of_process) if int(process) == os.getpid() else path
        try:
            path = os.path.join(folder, os.readlink(path))
        except OSError:
            break
    return None


@contextmanager
def _open_file(path: str, waits: bool) -> Iterator[IO[bytes]]:
    opened = _opened_before(path)
    if opened is not None:
        # Others write the file, too: before, or after what is written here.
        with _buffer(_Raw(os.dup(opened), "w", path) if isinstance(opened, int) else _Raw(opened, "a", path)) as file:
            yield file
        return
    from weburl.cli.writers.file_rights import CLOSED, copy_rights

    shown, path = path, openable(path)
    try:
        before = os.stat(path)
    except FileNotFoundError:
        before = None
    if before is not None and not stat.S_ISREG(before.st_mode):
        # A device or a pipe cannot be replaced.
        with _buffer(_Raw(path, "w", shown)) as file:
            yield file
        return
    # Replace the file that a link leads to, not the link.
    path = openable(os.path.realpath(path))
    # It may be longer than what it replaces.
    temporary = openable(os.path.join(os.path.dirname(path), f".weburl-{os.urandom(6).hex()}"))
    # Somebody who can open a file can keep it open, so nobody else can until all is written. A new file is for those
    # for whom new files are in this folder.
    mode = 0o666 if before is None else CLOSED
    try:
        with removed_at_abort(temporary):
            # A signal may come before its number is kept.
            number = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
            try:
                with _buffer(_Raw(number, "w", shown, closefd=False)) as file:
                    yield file
                copy_rights(before, path, number)
                if waits:
                    _flush(number)
            finally:
                os.close(number)
            os.replace(temporary, path)
            if waits:
                _flush_folder(os.path.dirname(path))
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


class NewFolder:
    """NewFolder(path, shown): a folder that files are written into."""

    def __init__(self, path: str, shown: str) -> None:
        self.path = path
        self.shown = shown

    def flush(self) -> None:
        """Does nothing: nobody sees a file before all are there."""

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """A new file, in a folder of it if the name has slashes."""
        path = os.path.join(self.path, *name.split("/"))
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with _buffer(_Raw(path, "x", self.shown)) as file:
                yield file
                file.flush()
                _flush(file.fileno())
        except OSError as error:
            raise _named(error, self.shown) from None


@contextmanager
def open_folder(path: str) -> Iterator[NewFolder]:
    """A temporary folder that gets its name, or is uploaded, if nothing is raised. The name must be free."""
    import shutil
    import tempfile

    if storage.is_remote(path):
        storage.check_empty(path)
        above = openable(tempfile.gettempdir(), has_more_below=True)
        with tempfile.TemporaryDirectory(prefix="weburl-", dir=above) as local:
            yield NewFolder(local, f"a temporary file of {storage.shown(path)}")
            storage.upload(local, path)
        return
    shown = path
    path = os.path.realpath(openable(path, has_more_below=True))
    temporary = os.path.join(os.path.dirname(path), f".weburl-{os.urandom(6).hex()}")
    from weburl.cli.writers.file_rights import HAS_MODES, copy_rights

    try:
        if os.path.lexists(path) and (not os.path.isdir(path) or os.listdir(path)):
            raise InputError(f"{shown}: there is something: --partition-by needs a new folder")
        before = os.stat(path) if os.path.isdir(path) else None
        if before is not None and (os.path.ismount(path) or os.path.samefile(path, os.curdir)):
            what = "a mount point" if os.path.ismount(path) else "the current folder"
            raise InputError(
                f"{shown}: {what} cannot be replaced: --partition-by needs a new folder, such as one in it"
            )
        os.mkdir(temporary, 0o777 if before is None else 0o700)
        yield NewFolder(temporary, shown)
        if before is not None:
            # It is empty. Its rights stay. Windows does not replace it.
            if HAS_MODES:
                number = os.open(temporary, os.O_RDONLY)
                try:
                    copy_rights(before, path, number)
                finally:
                    os.close(number)
            os.rmdir(path)
        _name_folder(temporary, path)
    except OSError as error:
        raise _named(error, shown) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
