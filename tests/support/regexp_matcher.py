"""ECMAScript's backtracking over the nodes of regular expressions: slow, and as its text says."""

from __future__ import annotations

from collections.abc import Callable

from weburl._patterns.expressions import Assertion, Capture, Chars, Choice, Look, Node, Repeat, Sequence

Continuation = Callable[[int], int | None]
WORD = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")


class TooLong(Exception):
    """There were too many steps."""


class Matcher:
    """Matches an ASCII text. The steps of all its matches together are limited."""

    def __init__(self, text: str, steps: int = 100_000) -> None:
        self.text = text
        self.steps = steps
        # Where the groups of the last match are.
        self.groups: dict[int, tuple[int, int]] = {}

    def match(self, node: Node, full: bool = False) -> int | None:
        """The end of the first match at the beginning, or None. It ends with the text if it is to be full."""
        try:
            return self.at(node, 0, lambda end: None if full and end != len(self.text) else end)
        except RecursionError:
            raise TooLong from None

    def at(self, node: Node, index: int, then: Continuation) -> int | None:
        self.steps -= 1
        if self.steps < 0:
            raise TooLong
        match node:
            case Chars(mask):
                if index < len(self.text) and mask >> ord(self.text[index]) & 1:
                    return then(index + 1)
                return None
            case Sequence(items):
                return self.sequence(items, 0, index, then)
            case Choice(items):
                ends = (self.at(item, index, then) for item in items)
                return next((end for end in ends if end is not None), None)
            case Repeat(item, minimum, maximum, greedy):
                return self.repeat(item, minimum, maximum, greedy, index, then)
            case Assertion(kind):
                return then(index) if self.holds(kind, index) else None
            case Look(item, ahead, negated):
                return then(index) if self.looks(item, ahead, index) != negated else None
            case Capture(item, number):
                return self.at(item, index, lambda end: self.captured(number, (index, end), then))

    def looks(self, item: Node, ahead: bool, index: int) -> bool:
        if ahead:
            return self.at(item, index, lambda end: end) is not None
        ends_here = lambda end: end if end == index else None  # noqa: E731
        return any(self.at(item, start, ends_here) is not None for start in range(index, -1, -1))

    def captured(self, number: int, place: tuple[int, int], then: Continuation) -> int | None:
        """Each group is in a match once at most: none is inside a repetition."""
        before = self.groups.get(number)
        self.groups[number] = place
        found = then(place[1])
        if found is None:
            del self.groups[number]
            if before is not None:
                self.groups[number] = before
        return found

    def sequence(self, items: tuple[Node, ...], first: int, index: int, then: Continuation) -> int | None:
        if first == len(items):
            return then(index)
        return self.at(items[first], index, lambda end: self.sequence(items, first + 1, end, then))

    # https://tc39.es/ecma262/#sec-runtime-semantics-repeatmatcher-abstract-operation
    def repeat(
        self, item: Node, minimum: int, maximum: int | None, greedy: bool, index: int, then: Continuation
    ) -> int | None:
        if maximum == 0:
            return then(index)

        def again(end: int) -> int | None:
            if minimum == 0 and end == index:
                return None
            rest = None if maximum is None else maximum - 1
            return self.repeat(item, max(minimum - 1, 0), rest, greedy, end, then)

        if minimum:
            return self.at(item, index, again)
        if greedy:
            found = self.at(item, index, again)
            return then(index) if found is None else found
        found = then(index)
        return self.at(item, index, again) if found is None else found

    def holds(self, kind: str, index: int) -> bool:
        if kind in ("begin", "end"):
            return index == (0 if kind == "begin" else len(self.text))
        before = index > 0 and self.text[index - 1] in WORD
        after = index < len(self.text) and self.text[index] in WORD
        return (before != after) == (kind == "boundary")
