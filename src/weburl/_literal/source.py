"""The input as the parser reads it, and where its code points are in what the caller passed."""

from __future__ import annotations

from collections.abc import Sequence


class Source:
    """A scalar value string: `text`, with the place of each of its code points in the string that it is made of.

    https://infra.spec.whatwg.org/#javascript-string-convert
    """

    __slots__ = ("ends", "starts", "text")

    def __init__(self, string: str) -> None:
        self.text = string
        self.starts: Sequence[int] = range(len(string) + 1)
        self.ends: Sequence[int] = range(1, len(string) + 1)
        if not string.isascii():
            self._convert(string)

    def _convert(self, string: str) -> None:
        self.text = string.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        if self.text == string:
            return
        starts, ends = [], []
        position = 0
        for code_point in self.text:
            starts.append(position)
            position += 2 if code_point != string[position] and code_point > "\uffff" else 1
            ends.append(position)
        starts.append(position)
        self.starts, self.ends = starts, ends

    def cut(self, start: int, end: int) -> None:
        """Keeps the code points from `start` up to `end`."""
        self.text = self.text[start:end]
        self.starts = self.starts[start : end + 1]
        self.ends = self.ends[start:end]

    def remove(self, code_points: frozenset[str]) -> None:
        kept = [index for index, code_point in enumerate(self.text) if code_point not in code_points]
        self.text = "".join([self.text[index] for index in kept])
        self.ends = [self.ends[index] for index in kept]
        self.starts = [*(self.starts[index] for index in kept), self.starts[-1]]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Position and end, in the caller's string, of the code points from `start` up to `end`."""
        position = self.starts[start]
        return position, self.ends[end - 1] if end > start else position
