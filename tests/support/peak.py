"""How much memory a call needs at most, by tracemalloc; and how much a process is resident with, by the system."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

# What the system counts for this process. After fork and exec, ru_maxrss is at least that of the process before.
PEAK = """
def peak():
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmHWM"))
    except FileNotFoundError:
        import resource, sys
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << (0 if sys.platform == "darwin" else 10)
"""
COMMAND = f"""{PEAK}
import sys
from weburl.cli import main
status = main(sys.argv[1:])
print(status, peak(), file=sys.stderr)
"""


def peak(call: Callable[..., object], *arguments: Any) -> int:
    tracemalloc.start()
    try:
        call(*arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def stays_below(limit: int, call: Callable[..., object], *arguments: Any) -> bool:
    """In one of three calls: what other threads, finalizers and first imports allocate is counted, too."""
    return any(peak(call, *arguments) < limit for _ in range(3))


def peak_of(arguments: list[str], most: int = 1 << 62) -> tuple[int, int]:
    """The status of the command in a process of its own, and the most bytes that the process has been resident with.

    When it has written `most` bytes, its standard output is closed.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    while most > 0 and (data := os.read(process.stdout.fileno(), 1 << 20)):
        most -= len(data)
    process.stdout.close()
    said = process.stderr.read().split()
    process.stderr.close()
    process.wait()
    return int(said[-2]), int(said[-1])


def peak_of_program(program: str) -> int:
    """The most bytes that a process has been resident with when it has run a program of Python."""
    done = subprocess.run([sys.executable, "-c", f"{PEAK}{program}\nprint(peak())"], stdout=subprocess.PIPE, check=True)
    return int(done.stdout)
