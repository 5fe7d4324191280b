"""How much memory a call needs at most, by tracemalloc."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any


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
