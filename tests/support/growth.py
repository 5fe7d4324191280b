"""How much memory many calls leak. Linux with glibc only.

It is the larger of two figures: the resident memory of the process, and the bytes of malloc that are not freed. The
second one is exact in an environment like EXACT, in which Python allocates with malloc. The first one misses leaks that
reuse memory which was free before.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import time
from collections.abc import Callable
from itertools import repeat

# The growth that many calls may cause: what an allocator keeps, not a byte a call.
LIMIT = 64 << 10
ATTEMPTS = 4
# An allocation takes 32 bytes of malloc's memory: one that is lost in each of as many calls is twice the limit.
FEWEST = 4096
HAS_GLIBC = sys.platform == "linux" and hasattr(ctypes.CDLL(None), "mallinfo2")
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
    """Frees what nobody holds, and what malloc keeps, which varies."""
    gc.collect()
    if HAS_GLIBC:
        ctypes.CDLL(None).malloc_trim(0)


def growth(call: Callable[[], object], count: int, seconds: float = 1e9) -> int:
    """The minimum of a few attempts: a leak grows in each of them, a cache only once.

    A call that is slow is made for as long as `seconds`, but at least FEWEST times.
    """
    for _ in repeat(None, min(count // 10 + 10, FEWEST)):
        call()
    least = 1 << 62
    for _ in range(ATTEMPTS):
        give_back()
        before = resident(), in_use()
        end = time.monotonic() + seconds  # clock: deadline
        for done in range(0, count, FEWEST):
            for _ in repeat(None, min(count - done, FEWEST)):
                call()
            if time.monotonic() > end:
                break
        give_back()
        least = min(least, max(resident() - before[0], in_use() - before[1]))
        if least <= LIMIT:
            break
    return least
