"""When a command shows its progress: after a second, on a terminal, and only where it does not disturb the output."""

from __future__ import annotations

import sys
from time import monotonic

from weburl.cli._terminal import unescaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from weburl._arrow.progress import Bar

AFTER: Final = 1.0  # seconds
EVERY: Final = 0.1


class Progress:
    """Progress(total, shown): draws a bar on standard error if that is a terminal and `shown` is true."""

    def __init__(self, total: int | None, shown: bool) -> None:
        self.total = total
        self.shown = shown and is_terminal(sys.stderr)
        self.next = monotonic() + AFTER
        self.bar: Bar | None = None

    def __call__(self, done: int) -> None:
        """Says how many bytes are done."""
        if not self.shown or not done or (now := monotonic()) < self.next:
            return
        self.next = now + EVERY
        if self.bar is None:
            from weburl._arrow.progress import Bar

            self.bar = Bar(self.total, leave=False, stream=unescaped(sys.stderr))
        self.bar.show(done)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None


def is_terminal(stream: Any) -> bool:
    return stream is not None and bool(stream.isatty())
