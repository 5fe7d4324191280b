"""The text of URL patterns with Python's regular expressions, for patterns that have none of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tiers.pattern_oracles.cases import Arguments
from tiers.pattern_oracles.literal import Literal

# Own expressions; what takes Python's `re` forever; an optional group that takes nothing, where JavaScript differs.
UNLIKE = re.compile(r"\(|[\w}*][+*]|[*]\}?[?]|[*].*[*].*[*]|:.*:.*:.*:.*:", re.DOTALL)


def run(source: str, flags: str, inputs: Sequence[str]) -> list[list[str | None] | None]:
    """What the text makes of wildcards means the same in Python, but for a class that has everything."""
    expression = re.compile(source.replace("[^]", r"[\s\S]").replace("[^\\/]", "[^/]"), re.IGNORECASE * ("i" in flags))
    found = [expression.fullmatch(text) for text in inputs]
    return [None if one is None else [one[0], *one.groups()] for one in found]


TEXT = Literal(run)


def is_like_in_python(arguments: Arguments) -> bool:
    """Whether a pattern, by its constructor's arguments, means the same with Python's regular expressions."""
    first = arguments[0] if arguments else {}
    texts = [first] if isinstance(first, str) else first.values()
    return not any(UNLIKE.search(text) for text in texts if isinstance(text, str))
