"""Waiting until another process has come so far; a `sleep` says nothing beside other work."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

SECONDS = 300


def wait_for(condition: Callable[[], object], process: subprocess.Popen[bytes] | None = None) -> None:
    """Until it holds; the process, if there is one, must go on until then."""
    end = time.monotonic() + SECONDS  # clock: deadline
    while not condition():
        assert process is None or process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.01)


def unread(pipe: IO[bytes]) -> int:
    """How many bytes wait in a pipe. Linux also knows it at the end where they are written."""
    import array
    import fcntl
    import termios

    count = array.array("i", [0])
    fcntl.ioctl(pipe.fileno(), termios.FIONREAD, count)
    return count[0]


def wait_until_read(pipe: IO[bytes], process: subprocess.Popen[bytes] | None = None) -> None:
    """So that what is written next comes by itself."""
    wait_for(lambda: unread(pipe) == 0, process)


def sleeps(process: subprocess.Popen[bytes]) -> bool:
    """Whether a process has waited for a while, and handles SIGINT."""
    path = Path(f"/proc/{process.pid}/status")
    status = path.read_text()
    time.sleep(0.1)
    handled = re.search("^SigCgt:\t([0-9a-f]+)$", status, re.MULTILINE)
    assert handled
    is_handled = int(handled[1], 16) >> (signal.SIGINT - 1) & 1
    # How often it has been woken is a line of it.
    return "State:\tS" in status and is_handled == 1 and path.read_text() == status


def wait_until_it_sleeps(process: subprocess.Popen[bytes]) -> None:
    """Until the process waits for more, where the system tells."""
    if sys.platform == "linux":
        wait_for(lambda: sleeps(process), process)
    else:
        time.sleep(0.3)
