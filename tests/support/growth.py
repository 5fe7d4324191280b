"""How much memory many calls leave behind. Linux with glibc only.

Two figures, of which the larger counts: the resident memory of the process, and the bytes that malloc has given out and
not got back. The latter is exact in an environment such as EXACT, where all that Python allocates comes from malloc:
memory that was freed before cannot hide a leak then, as it can from the former.
"""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Callable
from itertools import repeat

# The growth that many calls may cause: what an allocator keeps, not a byte a call.
LIMIT = 64 << 10
ATTEMPTS = 4
EXACT = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}


class Mallinfo(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    )


def in_use() -> int:
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = Mallinfo
    info = mallinfo2()
    return int(info.uordblks + info.hblkhd)


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def give_back() -> None:
    """Frees what nobody holds, and what malloc keeps of it, which is sometimes more, sometimes less."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)


def growth(call: Callable[[], object], count: int) -> int:
    """The least of a few attempts: what is lost is lost in each of them, and caches fill but once."""
    for _ in repeat(None, count // 10 + 10):
        call()
    least = 1 << 62
    for _ in range(ATTEMPTS):
        give_back()
        before = resident(), in_use()
        for _ in repeat(None, count):
            call()
        give_back()
        least = min(least, max(resident() - before[0], in_use() - before[1]))
        if least <= LIMIT:
            break
    return least
