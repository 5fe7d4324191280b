"""How far it is, for who waits at a terminal."""

from __future__ import annotations

import sys
from time import monotonic
from typing import Any, Final

AFTER: Final = 1.0  # seconds
EVERY: Final = 0.1


class Progress:
    """A bar by tqdm, or a counter without it, on a terminal that shows nothing else; on none, nothing."""

    def __init__(self, total: int | None, shown: bool) -> None:
        self.total = total
        self.shown = shown and is_terminal(sys.stderr)
        self.next = monotonic() + AFTER
        self.bar: Any = None

    def __call__(self, done: int) -> None:
        if not self.shown or (now := monotonic()) < self.next:
            return
        self.next = now + EVERY
        if self.bar is None:
            self.bar = _Bar.best(self.total)
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None


class _Bar:
    """What tqdm does, without it."""

    def __init__(self, total: int | None) -> None:
        self.n = 0
        self.of = f" of {total >> 20}" if total else ""

    @staticmethod
    def best(total: int | None) -> Any:
        try:
            from tqdm import tqdm
        except ImportError:
            return _Bar(total)
        return tqdm(total=total, unit="B", unit_scale=True, leave=False, file=sys.stderr)

    def update(self, more: int) -> None:
        self.n += more
        print(f"\r{self.n >> 20}{self.of} MiB", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def is_terminal(stream: Any) -> bool:
    return stream is not None and bool(stream.isatty())
