"""Lines and columns of places in a text."""

from __future__ import annotations


def moved(data: bytes, begin: int, end: int, line: int, column: int) -> tuple[int, int]:
    """The line and the column of a place, from those of one before it."""
    newlines = data.count(b"\n", begin, end)
    if newlines:
        line += newlines
        column = 1
        begin = data.rfind(b"\n", begin, end) + 1
    return line, column + len(data[begin:end].decode("utf-8", "replace"))
