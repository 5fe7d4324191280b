"""What is asked of every implementation: a case in, what it shows after each step out, as JSON that compares as text.

A case is [URL, base or null, steps], a step the name of an attribute and the value that it is assigned, or the name of
a method of the search params and its arguments. Where the URL does not parse, the steps are those of the base.
observe.js asks the same of those that are JavaScript.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

FIELDS = (
    "href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash",
)  # fmt: skip
PARAMS_METHODS = frozenset(("append", "delete", "set", "sort"))

Step = Sequence[str]
Case = tuple[str, "str | None", Sequence[Step]]
# The values of FIELDS, and then the names and values of the search params in turn; None where something fails.
Shown = list[str] | None


class Implementation(Protocol):
    """`assign` gives false where the assignment raises; `call` calls a method of the search params."""

    def parse(self, url: str, base: str | None) -> Any: ...
    def pairs(self, url: Any) -> Iterable[tuple[str, str]]: ...
    def call(self, url: Any, method: str, *arguments: str) -> None: ...
    def assign(self, url: Any, name: str, value: str) -> bool: ...


def observed(implementation: Implementation, case: Case) -> list[Shown]:
    """What is shown when it has been parsed, and after each step."""
    text, base, steps = case

    def show() -> Shown:
        return [getattr(url, name) for name in FIELDS] + [text for pair in implementation.pairs(url) for text in pair]

    url = implementation.parse(text, base)
    found: list[Shown] = [None if url is None else show()]
    if url is None and base is not None:
        url = implementation.parse(base, None)
    for name, *arguments in steps:
        works = url is not None
        if url is not None and name in PARAMS_METHODS:
            implementation.call(url, name, *arguments)
        elif url is not None:
            works = implementation.assign(url, name, arguments[0])
        found.append(show() if works else None)
    return found


def line(shown: list[Shown]) -> str:
    """As JSON.stringify writes it."""
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":"))


def serve(version: str, implementation: Implementation) -> None:
    """A line of cases in, a line for each case out; the first line is the version."""
    out = sys.stdout.buffer
    out.write(f"{version}\n".encode())
    out.flush()
    for batch in sys.stdin.buffer:
        for case in json.loads(batch):
            out.write(f"{line(observed(implementation, case))}\n".encode())
        out.flush()
