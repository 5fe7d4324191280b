"""What a bomb is, a small input that asks for much memory, and the peak of the process of a command that reads it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

LIMIT: Final = 300_000_000  # bytes resident, of the whole process
SECONDS: Final = 60
MIB: Final = 1 << 20
URL: Final = b"http://example.com/"
KEPT: Final = ["--csv", "--keep"]
READ: Final = ""  # the outcome of a bomb that is read
BUDGET: Final = r"needs more than 128 MiB of memory: give it more with --memory, as --memory 1G"
# A process begins with the peak of the one that starts it, so one that is small starts it.
MEASURE: Final = """\
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss, usage.ru_utime + usage.ru_stime, os.waitstatus_to_exitcode(status), file=sys.stderr)
"""


class Bomb(NamedTuple):
    """`write` writes the files into a folder, and returns the arguments of the command.

    The command reads it, or it refuses it with a message that the regular expression `outcome` matches.
    """

    name: str
    write: Callable[[Path], list[str]]
    outcome: str = READ
    needs: str | None = None  # a package
    is_slow: bool = False  # for the long form


class Ended(NamedTuple):
    status: int
    err: str
    peak: int  # bytes
    seconds: float  # of a processor

    def fault(self, bomb: Bomb) -> str | None:
        """What is wrong about how the command ended."""
        if self.peak > LIMIT:
            return f"more than {LIMIT // 10**6} MB"
        if self.seconds > SECONDS:
            return f"more than {SECONDS} s"
        if self.status not in (0, 1, 3) or "Traceback" in self.err:
            return f"status {self.status}: {self.err[-300:]}"
        if (self.status == 3) != bool(bomb.outcome):
            return "it is refused" if self.status == 3 else "it is read"
        said = rf"weburl: (standard input|the report|\S*/\S+): .*(?:{bomb.outcome}).*\n"
        if bomb.outcome and not re.fullmatch(said, self.err):
            return f"another message: {self.err[-300:]}"
        return None


def explode(bomb: Bomb, folder: Path) -> Ended:
    """Runs the command on a bomb."""
    arguments = bomb.write(folder)
    command = [sys.executable, "-SE", "-c", MEASURE, sys.executable, "-m", "weburl", *arguments]
    with open(os.devnull, "wb") as nothing:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=nothing, stderr=subprocess.PIPE, check=False)
    *lines, last = done.stderr.decode().splitlines(keepends=True)
    peak, seconds, status = last.split()
    return Ended(int(status), "".join(lines), int(peak) * (1 if sys.platform == "darwin" else 1024), float(seconds))


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def file(name: str, data: Callable[[], bytes], *options: str) -> Callable[[Path], list[str]]:
    """A function that writes a file, for the command with these options."""

    def write(folder: Path) -> list[str]:
        path = folder / name
        path.write_bytes(data())
        return [*options, "-f", str(path)]

    return write
