"""The file that DuckDB loads: a copy of the native module's file, with DuckDB's metadata at its end.

It has a private directory, where it stays until the process ends: a file that is loaded again is not mapped again. The
module's own file cannot carry the metadata, as it would not survive `strip`.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import shutil
import stat
import tempfile
from importlib.metadata import version
from pathlib import Path

from weburl.ext import _duckdb

API_VERSION = "v1.2.0"


def metadata(platform: str) -> bytes:
    """The 256 bytes before the signature: eight fields, the first of them last.

    https://duckdb.org/docs/stable/extensions/extension_distribution
    """
    fields = ("4", platform, API_VERSION, version("weburl"), "C_STRUCT", "", "", "")
    return b"".join(field.encode().ljust(32, b"\0") for field in reversed(fields))


def content_of(platform: str) -> bytes:
    """What is signed: all but the last 256 bytes."""
    return Path(_duckdb.__file__).read_bytes() + metadata(platform)


def open_library(path: Path) -> None:
    """Tells the copy where the module's function is. DuckDB opens the same copy after that."""
    library = ctypes.CDLL(str(path))
    ctypes.c_void_p.in_dll(library, "weburl_duckdb_load").value = _duckdb.address()


class Library:
    """The file, under each of the names that have an entry."""

    def __init__(self, platform: str) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="weburl-"))
        self.pid = os.getpid()
        self.content = self.directory / "library"
        self.content.write_bytes(content_of(platform) + bytes(256))
        atexit.register(self.remove)

    def remove(self) -> None:
        # A process that was forked from this one has the same directory.
        if os.getpid() == self.pid:
            shutil.rmtree(self.directory, ignore_errors=True)

    def is_ours(self) -> bool:
        """Whether the directory is still the one that was made: others may clean up, and make another of its name."""
        try:
            status = os.lstat(self.directory)
        except FileNotFoundError:
            return False
        is_private = os.name != "posix" or (status.st_uid == os.geteuid() and stat.S_IMODE(status.st_mode) == 0o700)
        return is_private and self.content.exists()

    def path(self, name: str) -> str:
        path = self.directory / f"{name}.duckdb_extension"
        if not path.exists():
            # The same file under two names is one library.
            os.link(self.content, path)
        open_library(path)
        return str(path)


_library: Library | None = None


def path_of(name: str, platform: str) -> str:
    """The path of the file with a name."""
    global _library
    if _library is None or not _library.is_ours():
        _library = Library(platform)
    return _library.path(name)
