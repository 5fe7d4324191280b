"""What the command does otherwise on Windows, in one place: a row for each kind of system, and the one that this is.

What another module asks of Python itself, such as whether there is a signal, it asks there.
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


POSIX: Final = System((errno.EPIPE,), "/", "", True, True, True)
# The C library has no error for a closed pipe. With SO_REUSEADDR, another process could listen on the same port.
WINDOWS: Final = System((errno.EPIPE, errno.EINVAL), "/\\", " <>|", False, False, False)
SYSTEM: Final = WINDOWS if os.name == "nt" else POSIX
