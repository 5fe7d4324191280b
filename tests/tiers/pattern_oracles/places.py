"""Where what is seen of a URL pattern differs from what should be seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from support.patterns import COMPONENTS
from tiers.pattern_oracles.cases import Arguments, Case


class Difference(NamedTuple):
    """A place with the right value and another.

    The place is "constructor", the name of a component (its pattern), "has regexp groups", "match", "inputs", or
    "input of" or "groups of" a component. `input` has the arguments of `exec`, where it is one of these.
    """

    case: Case
    place: str
    input: Arguments | None
    right: Any
    other: Any
    # Of the components, by the text.
    patterns: Sequence[str] = ()
    # Whether a special scheme matches the pattern of the protocol.
    is_special: bool = True
    # Whether another engine than V8, which runs the text's expressions, has the other value, too.
    is_shared: bool = False

    @property
    def text(self) -> str:
        """The string that the constructor gets, or the patterns."""
        arguments = self.case[0]
        first = arguments[0] if arguments else {}
        return first if isinstance(first, str) else " ".join(text for name, text in first.items() if name in COMPONENTS)

    @property
    def base(self) -> str | None:
        arguments = self.case[0]
        if len(arguments) > 1 and isinstance(arguments[1], str):
            return arguments[1]
        first = arguments[0] if arguments else {}
        return first.get("baseURL") if isinstance(first, dict) else None


# What is written for an answer that did not come in time, and for a process that ended.
LATE, ENDED = "late", "ended"


def differences(case: Case, right: Any, other: Any) -> Iterator[Difference]:
    """The places that differ, without those that follow from others."""
    if right is None or other is None:
        if right is not other:
            yield Difference(case, "constructor", None, right, other)
        return
    patterns = [
        Difference(case, name, None, one, another, right[0])
        for name, one, another in zip(COMPONENTS, right[0], other[0], strict=True)
        if one != another
    ]
    if right[1] != other[1]:
        patterns.append(Difference(case, "has regexp groups", None, right[1], other[1], right[0]))
    yield from patterns
    if not patterns:
        for given, *pair in zip(case[1], right[2], other[2], strict=True):
            yield from (one._replace(patterns=right[0]) for one in differences_of_match(case, given, *pair))


def differences_of_match(case: Case, given: Arguments, right: Any, other: Any) -> Iterator[Difference]:
    if not (isinstance(right, list) and isinstance(other, list)):
        if right != other:
            yield Difference(case, "match", given, right, other)
        return
    if right[0] != other[0]:
        yield Difference(case, "inputs", given, right[0], other[0])
    for name, one, another in zip(COMPONENTS, right[1], other[1], strict=True):
        if one[0] != another[0]:
            yield Difference(case, f"input of {name}", given, one[0], another[0])
        elif one[1] != another[1]:
            yield Difference(case, f"groups of {name}", given, one[1], another[1])
