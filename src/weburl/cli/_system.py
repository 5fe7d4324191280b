"""What differs on Windows, for the whole command: a row for each kind of system, and the row of this one.

What Python itself can tell, such as whether files have owners, other modules ask Python.
"""

from __future__ import annotations

import errno
import os

from weburl._named_tuple import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final


class System(NamedTuple):
    """A kind of system."""

    # The errors of a pipe whose reader has ended.
    closed_pipe: tuple[int, ...]
    # What separates the folders of a path.
    separators: str
    # What the name of a file cannot have, besides what Hive escapes anyway.
    reserved: str
    # Whether /dev/stdout, /dev/fd/3 and the like are names of what a process has open.
    names_what_is_open: bool
    # Whether what a process reads and writes can be told not to wait, by another process.
    shares_waiting: bool
    # Whether a port whose server has ended can be taken at once, and by no other process beside this one.
    takes_ports_again: bool
    # The signals that end the command from outside.
    ending_signals: tuple[str, ...]
    # A path of this length, or a longer one, needs the prefix for long paths. Only absolute paths can have it.
    long_path: int | None


POSIX: Final = System((errno.EPIPE,), "/", "", True, True, True, ("SIGTERM", "SIGHUP"), None)
# The C library has no error for a closed pipe. With SO_REUSEADDR, another process could listen on the same port.
# Windows also sends SIGBREAK when the console is closed. Without the prefix, the path of a folder has at most 247
# characters.
# https://learn.microsoft.com/windows/win32/fileio/maximum-file-path-limitation
WINDOWS: Final = System((errno.EPIPE, errno.EINVAL), "/\\", " <>|", False, False, False, ("SIGTERM", "SIGBREAK"), 248)
SYSTEM: Final = WINDOWS if os.name == "nt" else POSIX
LONG: Final = "\\\\?\\"
LONG_SERVER: Final = f"{LONG}UNC\\"
DEVICE: Final = "\\\\.\\"


def openable(path: str, *, has_more_below: bool = False) -> str:
    """The path, with the prefix of Windows if it is long.

    With `has_more_below`, a path has it however short it is: it is a folder, and the paths below it can be long.
    """
    if SYSTEM.long_path is None or not path:
        return path
    whole = os.path.abspath(path)
    if whole.startswith((LONG, DEVICE)) or not (has_more_below or len(whole) >= SYSTEM.long_path):
        return path
    return LONG_SERVER + whole[2:] if whole.startswith("\\\\") else LONG + whole


def real_path(path: str) -> str:
    """The path without links, in one spelling, to compare it with others."""
    return without_prefix(os.path.realpath(openable(path)))


def without_prefix(path: str) -> str:
    """The absolute path without the prefix that `openable` adds."""
    if SYSTEM.long_path is None or not path.startswith(LONG):
        return path
    return f"\\\\{path.removeprefix(LONG_SERVER)}" if path.startswith(LONG_SERVER) else path.removeprefix(LONG)
