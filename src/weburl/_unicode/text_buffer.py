"""A string that grows at its end."""

from __future__ import annotations

PIECE = 1024


class TextBuffer:
    """The standard's buffer. A list of code points would take at least ten times the memory."""

    __slots__ = ("_code_points", "_length", "_pieces")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._code_points: list[str] = []
        self._length = 0

    def append(self, text: str) -> None:
        self._code_points.append(text)
        self._length += len(text)
        if len(self._code_points) == PIECE:
            self._pieces.append("".join(self._code_points))
            self._code_points.clear()

    def __len__(self) -> int:
        return self._length

    def __str__(self) -> str:
        if self._code_points:
            self._pieces.append("".join(self._code_points))
            self._code_points.clear()
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def clear(self) -> None:
        self._pieces.clear()
        self._code_points.clear()
        self._length = 0
