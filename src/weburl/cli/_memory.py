"""The memory that the command may use for what it keeps: --memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from weburl.cli._exit import InputError
from weburl.cli._last_words import listen, say, unsay
from weburl.cli._signals import held_signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap
    from typing import Final

# Beside Python, pyarrow and the pieces in work, the process then stays below 300 MB.
MEMORY: Final = 1 << 27  # bytes
THREAD: Final = 1 << 25  # what the pieces of a thread take at most, with all parts of their URLs
# Of memory that is not code: for Python, pyarrow and the pieces in work; and those of it that are used later.
BESIDES: Final = 104 << 20
LATER: Final = 70 << 20
DATA: Final = 5  # the number in Linux's list of the sizes of a process, in pages
UNUSED: Final = ("numpy", "pandas")
RESERVE: Final = 1 << 22  # what Python takes to say that there is no memory, and to end

# The file that is read, and its --memory.
_read: tuple[str, int] | None = None

# Whether this process runs nothing but the command, and what it takes before it keeps anything of a file; and the room
# that others have asked for.
_is_alone = False
_begin = 0
_room = 0

# Held while a file is read, for what comes after a MemoryError.
_reserve: mmap | None = None


def run_alone() -> None:
    """Says that this process runs nothing but the command, so that memory can be saved for all of it."""
    global _is_alone
    _is_alone = True
    # Of the memories that pyarrow can have, the one that gives back what is no longer used.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


class _NotFound:
    """A finder for imports, which says of some modules that they are not installed."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name in UNUSED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


_not_found: Final = _NotFound()


def import_pyarrow(*modules: str) -> None:
    """Imports pyarrow, and modules of it; if the command is alone, without numpy and pandas.

    pyarrow imports these two where they are installed. They take 70 MB, and only plots use them.
    """
    if _is_alone and "pyarrow" not in sys.modules:
        # pyarrow imports pandas when it first needs to know whether it is there.
        sys.meta_path.insert(0, _not_found)
    # Modules in C make another error of what is raised in them, or lose it.
    with held_signals():
        import_module("pyarrow")
        for name in modules:
            import_module(f"pyarrow.{name}")
    if _is_alone:
        listen()


def make_room(size: int) -> None:
    """Lets the process take more memory, from the next file that is read: a library needs it that is used now."""
    global _room
    _room = max(_room, size)


def allow_imports() -> None:
    """Lets what `import_pyarrow` kept away be imported."""
    if _not_found in sys.meta_path:
        sys.meta_path.remove(_not_found)


def most_threads(memory: int) -> int:
    """How many threads work on rows at most."""
    return max(memory // THREAD, 1)


def too_little_memory(what: str, memory: int) -> InputError:
    """What is raised where something needs more than --memory, and cannot be kept on disk."""
    return InputError(f"{what} needs more than {_size(memory)} of memory: give it more with --memory, as --memory 1G")


def give_back_reserve() -> None:
    """Is called first where a MemoryError is met: what holds the memory lives as long as the exception."""
    if _reserve is not None:
        _reserve.close()


def out_of_memory() -> str:
    """The message of a MemoryError that ends the command."""
    if _read is None:
        return "there is not enough memory"
    name, memory = _read
    return f"{name}: {too_little_memory('it', memory)}"


@contextmanager
def limited_memory(what: str, memory: int, threads: int) -> Iterator[None]:
    """While a file is read, allocations fail with MemoryError that would take the process far above --memory.

    Readers know what they need. This is for what they cannot know: a few bytes of thrift, flatbuffers or a packed page,
    which take as much as they say in libraries. Only Linux counts the memory of a process so that it can be limited.
    Within another limit, there is no more memory than that one leaves. What was made of earlier files, such as a set of
    hosts, counts, too.
    """
    global _read
    before, _read = _read, (what, memory)
    limits = _limit(what, memory, threads)
    # This function is short: where CPython 3.11 has no memory for the number of an instruction, it tries forever. It
    # needs none for a small one.
    try:
        yield
    finally:
        give_back_reserve()
        _unlimit(limits)
    # After an error it stays: the message is written later.
    _read = before


def _limit(what: str, memory: int, threads: int) -> tuple[int, int] | None:
    """Limits the memory; returns the limits that there were."""
    global _begin, _reserve
    limits = _data_limits()
    if limits is None:
        return None
    import resource
    from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap

    soft, hard = limits
    # Stacks are counted whole.
    stack = resource.getrlimit(resource.RLIMIT_STACK)[0]
    stacks = (threads - 1) * (stack if 0 < stack <= 1 << 26 else 1 << 23)
    # A process that runs other things, too, has what they take.
    _begin = _begin if _is_alone and _begin else _data_size()
    _reserve = mmap(-1, RESERVE, flags=MAP_PRIVATE | MAP_ANONYMOUS)
    limit = max(memory, MEMORY) + max(BESIDES, _begin + LATER) + stacks + RESERVE + _room
    others = [number for number in (soft, hard) if number != resource.RLIM_INFINITY]
    say(f"{what}: pyarrow cannot go on: perhaps {too_little_memory('it', memory)}")
    resource.setrlimit(resource.RLIMIT_DATA, (min(limit, *others) if others else limit, hard))
    return limits


def _unlimit(limits: tuple[int, int] | None) -> None:
    if limits is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, limits)
        unsay()


def _data_limits() -> tuple[int, int] | None:
    if sys.platform != "linux":
        return None
    import resource

    return resource.getrlimit(resource.RLIMIT_DATA)


def _data_size() -> int:
    """The bytes of memory that this process can write and does not share, also those that are not used."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[DATA]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _size(memory: int) -> str:
    for number, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if memory >> number and not memory & ((1 << number) - 1):
            return f"{memory >> number} {unit}"
    return f"{memory:,} bytes"
