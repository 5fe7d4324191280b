"""Paths of fields in JSON: `a.b`, `a."url.full"`, and `spans[].name` for the fields of each element of an array."""

from __future__ import annotations

import re
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# A step that stands for each element of an array. No name is it.
EACH: Final = None
STEP: Final = re.compile(r'(?:"((?:[^"\\]|\\.)+)"|([^".\[\]]+))((?:\[\])*)(?:\.|\Z)')
ESCAPE: Final = re.compile(r'\\(["\\])')


@lru_cache(64)
def field_path(text: str) -> tuple[str | None, ...]:
    """The names of a path, and EACH for each pair of brackets. A text that is not a path is a name."""
    steps: list[str | None] = []
    end = 0
    while end < len(text) or text.endswith("."):
        match = STEP.match(text, end)
        if match is None:
            return (text,)
        quoted, plain, brackets = match.groups()
        steps.append(plain if quoted is None else ESCAPE.sub(r"\1", quoted))
        steps += [EACH] * (len(brackets) // 2)
        end = match.end()
        if end == len(text) and not text.endswith("."):
            break
    return tuple(steps) if steps else (text,)


def field_names(text: str) -> list[str | None]:
    """The whole name of a field, which counts first; and the steps of its path if that is another one."""
    steps = [*field_path(text)]
    return [text] if steps == [text] else [text, *steps] if len(steps) > 1 else steps
