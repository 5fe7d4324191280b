"""Runs a command with its output, or its messages, on a terminal."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import NamedTuple


class Shown(NamedTuple):
    status: int
    out: bytes
    err: bytes


class Screen:
    """A terminal: `slave` is for the command, and what it writes is in `data` after close()."""

    def __init__(self) -> None:
        import fcntl
        import pty
        import termios
        import tty

        self.master, self.slave = pty.openpty()
        # Newlines are not turned into anything.
        tty.setraw(self.slave)
        # As wide as help is where there is no terminal.
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 100, 0, 0))
        self.data = b""
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self) -> None:
        while True:
            try:
                part = os.read(self.master, 1 << 16)
            except OSError:
                # Nobody has the other end any more.
                return
            self.data += part

    def close(self) -> bytes:
        os.close(self.slave)
        self.reader.join()
        os.close(self.master)
        return self.data


def run_in_terminal(
    arguments: Sequence[str], stdin: bytes = b"", *, python: Sequence[str] = (), env: dict[str, str] | None = None
) -> Shown:
    """Standard output and standard error are a terminal each."""
    out, err = Screen(), Screen()
    command = [sys.executable, *python, "-m", "weburl", *arguments]
    environment = os.environ | (env or {})
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=out.slave, stderr=err.slave, env=environment
    ) as process:
        process.communicate(stdin)
    return Shown(process.returncode, out.close(), err.close())
