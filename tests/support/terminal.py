"""Runs a command with its output, or its messages, on a terminal."""

from __future__ import annotations

import json
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


# One command after the other, each as if the process began with it; then the marks, which no command writes.
MANY = """
import json, os, sys
from weburl.cli import main
mark, streams = sys.argv[1].encode("latin-1"), (sys.stdout, sys.stderr)
output = os.dup(1)
for arguments in json.loads(sys.argv[2]):
    sys.argv[1:] = arguments
    sys.stdout, sys.stderr = streams
    status = main()
    for stream in (sys.stdout, sys.stderr, *streams):
        stream.flush()
    # A command that cannot write closes its output.
    os.dup2(output, 1)
    os.write(1, mark + b"%d" % status + mark)
    os.write(2, mark)
"""
MARK = b"\xfe\xff"


def run_all_in_terminal(commands: Sequence[Sequence[str]]) -> list[Shown]:
    """run_in_terminal() of each, in one process."""
    out, err = Screen(), Screen()
    arguments = [MARK.decode("latin-1"), json.dumps(commands)]
    subprocess.run(
        [sys.executable, "-c", MANY, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=out.slave,
        stderr=err.slave,
        check=False,
    )
    outs, errs = out.close().split(MARK), err.close().split(MARK)
    assert len(outs) == 2 * len(commands) + 1, errs[-1]
    return [Shown(int(status), *both) for status, *both in zip(outs[1::2], outs[::2], errs, strict=False)]


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
