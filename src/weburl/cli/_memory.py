"""The memory that the command may use for what it keeps: --memory."""

from __future__ import annotations

from typing import Final

from weburl.cli._exit import InputError

# Beside Python, pyarrow and the pieces in work, the process then stays below 300 MB.
MEMORY: Final = 1 << 27  # bytes


def too_little_memory(what: str, memory: int) -> InputError:
    """What is raised where something needs more than --memory, and cannot be kept on disk."""
    return InputError(f"{what} needs more than {_size(memory)} of memory: give it more with --memory, as --memory 1G")


def _size(memory: int) -> str:
    for number, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if memory >> number and not memory & ((1 << number) - 1):
            return f"{memory >> number} {unit}"
    return f"{memory:,} bytes"
