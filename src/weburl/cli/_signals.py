"""Signals that end the command: Ctrl-C, SIGTERM and the like."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from weburl.cli._system import SYSTEM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


class Terminated(BaseException):
    """A signal of `System.ending_signals` as an exception, so that temporary files are removed."""


def raise_on_signals() -> None:
    """Lets the signals that would end the process raise `Terminated`."""
    # What the module signal is made of, without its enums.
    import _signal as signal  # type: ignore[import-not-found]

    for name in SYSTEM.ending_signals:
        number = getattr(signal, name)
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _terminate)


def _terminate(number: int, frame: FrameType | None) -> None:
    raise Terminated(number)


@contextmanager
def held_signals() -> Iterator[list[int]]:
    """Holds Ctrl-C and the like back. Those that have come are in the list. At the end, the first one raises what it
    would have raised."""
    import _signal as signal

    met: list[int] = []
    kept: dict[int, Callable[[int, object], object]] = {}
    is_over = False

    def hold(number: int, frame: object) -> None:
        if is_over:
            kept[number](number, frame)
        else:
            met.append(number)

    try:
        for name in ("SIGINT", *SYSTEM.ending_signals):
            number = getattr(signal, name)
            handler = signal.getsignal(number)
            if callable(handler):
                kept[number] = handler
                try:
                    signal.signal(number, hold)
                except ValueError:
                    # Only the first thread can set handlers. Signals come to it, and not here.
                    kept.clear()
                    break
        yield met
    finally:
        is_over = True
        for number, handler in kept.items():
            signal.signal(number, handler)
        for number in met:
            kept[number](number, None)
