"""Object storage and web servers: files named s3://, gs:// or https://, through fsspec.

Messages have words of our own and names of errors: the texts of the libraries quote URLs, and what servers say.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic

from weburl.cli._exit import InputError
from weburl.cli._memory import make_room
from weburl.cli._messages import hide_credentials
from weburl.cli._signals import held_signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO, Any, Final

HTTPS: Final = "https"
SCHEMES: Final = ("s3", "gs", HTTPS)
INSTALL: Final = "pip install weburl[storage]"
# What is read ahead, and a part of an upload. S3 takes 10,000 parts: 160 GB.
READ: Final = 1 << 22  # bytes
PART: Final = 1 << 24
# For the libraries, their threads, and the parts that are in work.
ROOM: Final = 1 << 28
SILENT: Final = 60  # seconds without a byte
# How many seconds the server has to answer, after Ctrl-C, the last request, and each that removes something.
PATIENCE: Final = 10
LOOK: Final = 0.1  # how many seconds pass at most until a signal is noticed
# A note of an exception: after a second Ctrl-C the command ends at once.
NOT_WAITED_FOR: Final = "no answer of the server was waited for"
COMPLETE: Final = "_SUCCESS"  # the last object of a folder, as Hadoop and Spark write it
MISSING: Final = "there is no such object"
DENIED: Final = "access is denied"
FAILED: Final = "the connection or the server failed"
# The loggers of the libraries: what they cannot say in an exception goes to standard error, with URLs.
LOGGERS: Final = ("asyncio", "aiohttp", "fsspec", "s3fs", "gcsfs", "botocore", "aiobotocore", "google")


def is_remote(path: str | None) -> bool:
    return _scheme(path) in SCHEMES


def _scheme(path: str | None) -> str:
    scheme, separator, _ = (path or "").partition("://")
    return scheme if separator else ""


def shown(path: str) -> str:
    """A name for messages. The query of a link often has a signature, under any name."""
    if not is_remote(path):
        return path
    return hide_credentials(path.partition("?")[0] if _scheme(path) == HTTPS else path)


def connect(path: str) -> Any:
    """The file system of fsspec that has a file."""
    scheme = _scheme(path)
    try:
        import fsspec

        options: dict[str, Any] = {"use_listings_cache": False}
        if scheme == HTTPS:
            from aiohttp import ClientTimeout

            options |= {"encoded": True, "client_kwargs": {"timeout": ClientTimeout(None, None, SILENT, SILENT)}}
        import logging

        for name in LOGGERS:
            logger = logging.getLogger(name)
            if not logger.handlers:
                logger.addHandler(logging.NullHandler())
        make_room(ROOM)
        with _in_words(path):
            return fsspec.filesystem(scheme, **options)
    except ImportError:
        hint = "; all that follows -f is a file: URLs go before it" if scheme == HTTPS else ""
        raise ImportError(f"{shown(path)}: {scheme}:// needs more packages: {INSTALL}{hint}") from None


@contextmanager
def _in_words(path: str = "") -> Iterator[None]:
    """Errors of the libraries in words of our own, with the name of the file if it is given."""
    try:
        yield
    except (ImportError, InputError, MemoryError, RecursionError, SystemError):
        raise
    except Exception as error:
        raise InputError(f"{shown(path)}: {_reason(error)}" if path else _reason(error)) from None


def _reason(error: BaseException) -> str:
    words = (
        MISSING if isinstance(error, FileNotFoundError) else DENIED if isinstance(error, PermissionError) else FAILED
    )
    names = [*([type(error).__name__] if words == FAILED else []), *_codes(error)]
    return f"{words} ({', '.join(dict.fromkeys(names))})" if names else words


def _codes(error: BaseException | None) -> list[str]:
    """What the server answered: a name as NoSuchBucket, or a number as 503. All else that it says is left out."""
    codes = []
    while error is not None:
        response = getattr(error, "response", None)
        answered = response.get("Error", {}).get("Code") if isinstance(response, dict) else None
        for code in (answered, getattr(error, "status", None), getattr(error, "code", None)):
            if code is not None and str(code).isalnum() and len(str(code)) < 40:
                codes.append(str(code))
        error = error.__cause__
    return codes


def _key(path: str) -> str:
    """A path without its scheme, as bucket/name; https is a URL."""
    return path if _scheme(path) == HTTPS else path.partition("://")[2]


def objects_of(path: str, skipped: tuple[str, ...], *, is_glob: bool) -> Iterator[str]:
    """The objects that a name after -f stands for: an object, all below a folder, or those that a glob matches.

    Below a folder, names are left out that begin with what is `skipped`.
    """
    files = connect(path)
    if _scheme(path) == HTTPS:
        yield path
        return
    key, scheme = _key(path), _scheme(path)
    with _in_words(path):
        if is_glob and not files.exists(key):
            names, why = sorted(files.glob(key)), "no object matches"
            names = [name for name in names if not name.endswith("/")]
        elif key.endswith("/") or not files.isfile(key):
            folder = f"{key.rstrip('/')}/"
            names = sorted(files.find(folder))
            parts = ((name, name.removeprefix(folder).split("/")) for name in names)
            # A folder itself may be an object. A name can have an empty part, which is no folder.
            names = [name for name, inside in parts if inside[-1] and not any(p.startswith(skipped) for p in inside)]
            why = MISSING
        else:
            names, why = [key], ""
    if not names:
        raise InputError(f"{shown(path)}: {why}")
    yield from (f"{scheme}://{name}" for name in names)


class _Reader:
    """A file to read from its begin to its end, as a pipe."""

    def __init__(self, path: str) -> None:
        self.file: Any
        files = connect(path)
        with _in_words(path):
            if _scheme(path) == HTTPS:
                # One request: with a size, no other asks for that.
                self.file = files.open(path, block_size=0, size=1)
                return
            key = _key(path)
            details = files.info(key)
            # It stays one version, if it is replaced while it is read: S3's is known by its tag.
            version = {"generation": details["generation"]} if "generation" in details else {}
            self.file = files.open(key, block_size=READ, cache_type="readahead", **version)

    def read(self, size: int) -> bytes:
        # Whoever reads names the file.
        with _in_words():
            data: bytes = self.file.read(size)
            return data

    def fileno(self) -> int:
        raise io.UnsupportedOperation("fileno")

    def close(self) -> None:
        with suppress(Exception):
            self.file.close()


def open_to_read(path: str) -> _Reader:
    return _Reader(path)


class _Writer(io.RawIOBase):
    def __init__(self, write: Callable[[bytes], object]) -> None:
        self.write_bytes: Callable[[bytes], object] = write

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.write_bytes(bytes(data))
        return len(data)


def _ask(method: Callable[..., object], *arguments: object) -> None:
    """Calls a method that asks a server.

    Ctrl-C does not leave a request half done: the server may just have begun an upload, and without its answer nothing
    could remove that. So the server has PATIENCE seconds more. A second Ctrl-C ends the wait.
    """
    signals: list[int] = []
    try:
        with held_signals() as signals:
            if not _is_answered(signals, (float("inf"), PATIENCE, 0), method, arguments):
                raise TimeoutError
    except BaseException as cause:
        if len(signals) > 1:
            cause.add_note(NOT_WAITED_FOR)
        raise


def _remove(cause: BaseException, method: Callable[..., object], *arguments: object) -> bool:
    """Calls a method that removes what was uploaded, because of what was raised. Whether the server answered in time.

    Ctrl-C ends the wait, and then all others. The command still ends because of `cause`.
    """
    seconds = (0,) if NOT_WAITED_FOR in getattr(cause, "__notes__", ()) else (PATIENCE, 0)
    try:
        with held_signals() as signals:
            return _is_answered(signals, seconds, method, arguments)
    except Exception as error:
        return isinstance(error, (FileNotFoundError, PermissionError)) or bool(_codes(error))
    except BaseException:
        cause.add_note(NOT_WAITED_FOR)
        return False


def _is_answered(
    signals: list[int], seconds: tuple[float, ...], method: Callable[..., object], arguments: tuple[object, ...]
) -> bool:
    """Calls a method in a thread. Whether it ends in so many seconds, and in so many after each signal."""
    # `Thread.start` would wait for the thread.
    from _thread import allocate_lock, start_new_thread

    answers: list[BaseException | None] = []
    done = allocate_lock()
    done.acquire()

    def call() -> None:
        try:
            method(*arguments)
            answers.append(None)
        except BaseException as error:
            answers.append(error)
        finally:
            done.release()

    start_new_thread(call, ())
    begin, met = monotonic(), 0
    # On Windows, signals are met only between two waits.
    while not done.acquire(timeout=LOOK):
        if met < len(signals):
            begin, met = monotonic(), len(signals)
        if monotonic() - begin >= seconds[min(met, len(seconds) - 1)]:
            return False
    for error in answers:
        if error is not None:
            raise error
    return bool(answers)


@contextmanager
def open_to_write(path: str) -> Iterator[IO[bytes]]:
    """An object that is there when all of it is written: if something is raised, its parts are discarded."""
    files = check_writable(path)

    raised: list[BaseException] = []

    def ask(method: Callable[..., object], *arguments: object) -> None:
        # After an error, who writes a table still writes its end: the server is asked no more.
        for error in raised:
            raise error
        try:
            with _in_words(path):
                _ask(method, *arguments)
        except BaseException as error:
            raised.append(error)
            raise

    with _in_words(path):
        file = files.open(_key(path), "wb", block_size=PART, autocommit=False)
    try:
        writer = _Writer(lambda data: ask(file.write, data))
        with io.BufferedWriter(writer, 1 << 16) as out:
            try:
                yield out
            except BaseException:
                # The rest is not written: if that failed, it would hide what was raised.
                writer.write_bytes = len
                raise
        ask(file.close)
        ask(file.commit)
    except BaseException as cause:
        # What removes it would write the rest of it first.
        file.closed = True
        _remove(cause, file.discard)
        raise


def check_writable(path: str) -> Any:
    """The file system of an object that can be written."""
    if _scheme(path) == HTTPS:
        raise InputError(f"{shown(path)}: https:// can be read, not written")
    if not _key(path).strip("/").partition("/")[2]:
        raise InputError(f"{shown(path)}: the name of an object is missing after the bucket")
    return connect(path)


def check_empty(path: str) -> None:
    """Refuses a folder in which there is something."""
    files = check_writable(path)
    with _in_words(path):
        if files.isfile(_key(path)) or files.find(f"{_key(path).rstrip('/')}/", maxdepth=None):
            raise InputError(f"{shown(path)}: there is something: --partition-by needs a new folder")


def upload(folder: str, path: str) -> None:
    """Writes the files of a folder, each whole, and last of all the object that says that they are all there.

    If something is raised, those that are there are removed.
    """
    import os
    import shutil

    files = check_writable(path)
    path = path.rstrip("/")
    written: list[str] = []
    try:
        for place, _, names in os.walk(folder):
            for name in sorted(names):
                file = os.path.join(place, name)
                to = f"{path}/{os.path.relpath(file, folder).replace(os.sep, '/')}"
                written.append(to)
                with open(file, "rb") as source, open_to_write(to) as out:
                    shutil.copyfileobj(source, out, READ)
        written.append(f"{path}/{COMPLETE}")
        with open_to_write(written[-1]):
            pass
    except BaseException as cause:
        for to in reversed(written):
            if not _remove(cause, files.rm_file, _key(to)):
                break
        raise
