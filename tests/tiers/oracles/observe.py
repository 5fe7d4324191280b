"""The program for every implementation: reads a case, writes what is shown after each step, as JSON to compare as text.

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
    """`assign` returns false if the assignment raises; `call` calls a method of the search params."""

    def parse(self, url: str, base: str | None) -> Any: ...
    def pairs(self, url: Any) -> Iterable[tuple[str, str]]: ...
    def call(self, url: Any, method: str, *arguments: str) -> None: ...
    def assign(self, url: Any, name: str, value: str) -> bool: ...


def observed(implementation: Implementation, case: Case) -> list[Shown]:
    """The values of the base, of the URL, and after each step."""
    text, base, steps = case

    def show(url: Any) -> Shown:
        if url is None:
            return None
        return [getattr(url, name) for name in FIELDS] + [text for pair in implementation.pairs(url) for text in pair]

    base_url = None if base is None else implementation.parse(base, None)
    url = implementation.parse(text, base)
    found = [show(base_url), show(url)]
    if url is None:
        url = base_url
    for name, *arguments in steps:
        if url is None:
            found.append(None)
        elif name in PARAMS_METHODS:
            implementation.call(url, name, *arguments)
            found.append(show(url))
        else:
            found.append(show(url) if implementation.assign(url, name, arguments[0]) else None)
    return found


def line(shown: list[Shown]) -> str:
    """JSON as JSON.stringify writes it."""
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":"))


def serve(version: str, implementation: Implementation) -> None:
    """Reads a line of cases and writes a line for each case. The first line is the version."""
    out = sys.stdout.buffer
    out.write(f"{version}\n".encode())
    out.flush()
    for batch in sys.stdin.buffer:
        for case in json.loads(batch):
            out.write(f"{line(observed(implementation, case))}\n".encode())
        out.flush()
