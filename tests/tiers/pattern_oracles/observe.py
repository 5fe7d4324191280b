"""The program for every implementation of URL patterns: reads cases, writes for each what is seen, as JSON.

A case is [the constructor's arguments, [the arguments of `test` and `exec`, ...]] as JavaScript has them. What is seen
is null where the constructor refuses, else [patterns, has regexp groups, matches]: the eight patterns, and for each
input what `test` and `exec` say. node.mjs writes the same.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from support.patterns import COMPONENTS


class Implementation(Protocol):
    """`make` raises for what it refuses. `exec` gives a mapping as JavaScript's exec, or None."""

    @property
    def refusals(self) -> tuple[type[Exception], ...]: ...
    def make(self, arguments: Sequence[Any]) -> Any: ...
    def has_regexp_groups(self, pattern: Any) -> bool: ...
    def test(self, pattern: Any, arguments: Sequence[Any]) -> bool: ...
    def exec(self, pattern: Any, arguments: Sequence[Any]) -> Mapping[str, Any] | None: ...


def observed(implementation: Implementation, case: Sequence[Any]) -> list[Any] | None:
    arguments, inputs = case
    try:
        pattern = implementation.make(arguments)
    except implementation.refusals:
        return None
    shown = [getattr(pattern, name) for name in COMPONENTS]
    matches = []
    for given in inputs:
        try:
            matches.append(seen(implementation.test(pattern, given), implementation.exec(pattern, given)))
        except implementation.refusals:
            matches.append("error")
    return [shown, implementation.has_regexp_groups(pattern), matches]


def seen(tested: bool, match: Mapping[str, Any] | None) -> Any:
    """False where there is no match, else the inputs, and the input and groups of each component."""
    if tested is not (match is not None):
        return f"test is {tested} but exec is {'a match' if match else None}"
    if match is None:
        return False
    inputs = [{name: one[name] for name in sorted(one)} if isinstance(one, Mapping) else one for one in match["inputs"]]
    parts = [match[name] for name in COMPONENTS]
    return [inputs, [[part["input"], dict(sorted(part["groups"].items()))] for part in parts]]


def serve(version: str, implementation: Implementation) -> None:
    """Reads a line for a case and writes a line for it. The first line is the version."""
    out = sys.stdout.buffer
    out.write(f"{version}\n".encode())
    out.flush()
    for text in sys.stdin.buffer:
        answer = observed(implementation, json.loads(text))
        out.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        out.flush()
