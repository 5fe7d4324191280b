"""The parser's input, and where its code points are in the string that the caller passed."""

from __future__ import annotations

from array import array
from bisect import bisect_right

# How many code points of the string are between two places that are kept.
PIECE = 64
REPLACEMENT = "\ufffd"


class Source:
    """A scalar value string, `text`, and the place of each of its code points in the string that it comes from.

    https://infra.spec.whatwg.org/#javascript-string-convert

    Only some places are kept: another one is counted from the last kept place before it.
    """

    __slots__ = ("end", "has_lone_surrogates", "indexes", "positions", "removed", "start", "string", "text")

    def __init__(self, string: str) -> None:
        self.string = string
        self.text = convert(string)
        self.has_lone_surrogates = self.text.count(REPLACEMENT) > string.count(REPLACEMENT)
        # The part of the string that `text` comes from, and the code points that are removed from it.
        self.start, self.end = 0, len(string)
        self.removed: frozenset[str] = frozenset()
        # The places that are kept, in the string, and their indexes in the text; empty until one is needed.
        self.positions = array("Q")
        self.indexes = array("Q")

    def cut(self, start: int, end: int) -> None:
        """Keeps the code points from `start` up to `end`."""
        self.start, self.end = self.position(start), self.position(end)
        self.text = self.text[start:end]
        self.positions, self.indexes = array("Q"), array("Q")

    def remove(self, code_points: frozenset[str]) -> None:
        self.removed = code_points
        self.text = without(self.text, code_points)
        self.positions, self.indexes = array("Q"), array("Q")

    def position(self, index: int) -> int:
        """Where the code point at an index starts in the caller's string. The index may be the length of the text."""
        if len(self.text) == self.end - self.start:
            return self.start + index
        if not self.positions:
            self._keep_places()
        kept = bisect_right(self.indexes, index) - 1
        position, left = self.positions[kept], index - self.indexes[kept]
        while position < self.end:
            if self.string[position] not in self.removed:
                if left == 0:
                    break
                left -= 1
            position += self._width(position)
        return position

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Start and end, in the caller's string, of the code points from `start` up to `end`."""
        position = self.position(start)
        if end <= start:
            return position, position
        last = self.position(end - 1)
        return position, last + self._width(last)

    def is_lone_surrogate(self, index: int) -> bool:
        """Whether the code point at an index of the text is U+FFFD in place of a lone surrogate."""
        return (
            self.has_lone_surrogates
            and self.text[index : index + 1] == REPLACEMENT
            and self.string[self.position(index)] != REPLACEMENT
        )

    def _width(self, position: int) -> int:
        return 2 if is_surrogate_pair(self.string, position) else 1

    def _keep_places(self) -> None:
        position = self.start
        index = 0
        while position <= self.end:
            self.positions.append(position)
            self.indexes.append(index)
            end = min(position + PIECE, self.end)
            end += end < self.end and is_surrogate_pair(self.string, end - 1)
            index += len(without(convert(self.string[position:end]), self.removed))
            position = max(end, position + 1)


def is_surrogate_pair(string: str, position: int) -> bool:
    return "\ud800" <= string[position] <= "\udbff" and "\udc00" <= string[position + 1 : position + 2] <= "\udfff"


def convert(string: str) -> str:
    """https://infra.spec.whatwg.org/#javascript-string-convert"""
    if string.isascii():
        return string
    text = string.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return string if text == string else text


def without(text: str, code_points: frozenset[str]) -> str:
    for code_point in code_points:
        text = text.replace(code_point, "")
    return text
