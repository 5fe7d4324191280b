"""Progress bars: how many bytes are done, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from weburl._core.arguments import wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Progress = bool | Callable[[int, int | None], object] | None


class Bar:
    """A bar by tqdm, or a counter where tqdm is not installed. With `leave` it stays when it is closed.

    It is drawn on standard error, or on another stream.
    """

    def __init__(self, total: int | None, *, leave: bool, stream: Any = None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.total = total
        self.leave = leave
        self.tqdm: Any = None
        self.width = 0
        try:
            from tqdm import tqdm
        except ImportError:
            return
        self.tqdm = tqdm(total=total, unit="B", unit_scale=True, leave=leave, file=self.stream)

    def show(self, done: int) -> None:
        """How many bytes are done by now."""
        if self.tqdm is not None:
            self.tqdm.update(done - self.tqdm.n)
            return
        of = f" of {self.total >> 20}" if self.total else ""
        text = f"{done >> 20}{of} MiB"
        self.width = max(self.width, len(text))
        print(f"\r{text}", end="", file=self.stream, flush=True)

    def close(self) -> None:
        if self.tqdm is not None:
            self.tqdm.close()
        else:
            # Not every console knows the sequences of ECMA-48 that clear a line.
            print("\n" if self.leave else f"\r{' ' * self.width}\r", end="", file=self.stream, flush=True)


@contextmanager
def reporting(progress: Progress, total: int | None) -> Iterator[Callable[[int], object] | None]:
    """A function that is told how many bytes are done, for what a caller gives as `progress`."""
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        yield lambda done: progress(done, total)
    elif progress is True:
        with closing(Bar(total, leave=True)) as bar:
            yield bar.show
    else:
        raise wrong_type(progress, "progress must be a bool or a function")
