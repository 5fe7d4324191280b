"""Regular expressions as trees, for ASCII texts."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Chars(NamedTuple):
    """One character of those whose bits are set. None matches where no bit is set."""

    mask: int


class Sequence(NamedTuple):
    """All of the items. No items match the empty string."""

    items: tuple[Node, ...]


class Choice(NamedTuple):
    """One of the items, the first that leads to a match."""

    items: tuple[Node, ...]


class Repeat(NamedTuple):
    """The item as often as the numbers say. A round above the minimum does not match the empty string."""

    item: Node
    minimum: int
    maximum: int | None
    greedy: bool


class Assertion(NamedTuple):
    """A place: "begin", "end", "boundary" of a word or "not-boundary"."""

    kind: str


class Look(NamedTuple):
    """A place: the item matches what comes after it, or before it; or, negated, does not."""

    item: Node
    ahead: bool
    negated: bool


class Capture(NamedTuple):
    """A group of the pattern, which takes what the item takes. Regular expressions have none."""

    item: Node
    number: int


Node: TypeAlias = Chars | Sequence | Choice | Repeat | Assertion | Look | Capture
