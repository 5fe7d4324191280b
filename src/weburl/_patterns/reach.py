"""How far a URL comes with a pattern, as a picture for people: simple, and slow.

The engine goes from the end to the start. This goes from the start on, with all nodes that a place can be reached with.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

from weburl._core.percent import scalar_values
from weburl._diagnosis.credentials import HIDDEN, without_inner_credentials
from weburl._diagnosis.escapes import ELLIPSIS, WHOLE, cut
from weburl._diagnosis.pattern_errors import without_credentials
from weburl._diagnosis.picture import explain as explain_url
from weburl._diagnosis.picture import shown_href
from weburl._literal import parse
from weburl._patterns.canonical import COMPONENTS
from weburl._patterns.compile import Builder, in_order, lookarounds
from weburl._patterns.matcher import ASSERTIONS, FIRST_LOOK, MOST_NODES, NODE_KINDS
from weburl.url import URL, FrozenURL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from weburl._patterns.compile import Lookaround, Node
    from weburl._patterns.component import Component
    from weburl._patterns.matcher import Match

FAIL, ACCEPT, CHARS, SPLIT, OPEN, CLOSE, ASSERT = NODE_KINDS
WORD = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")

# Characters of a pattern, and of a text around the place where it stops, that are shown.
PATTERN = 40
BEFORE, AFTER = 40, 20
SECRET = ("username", "password")
# The characters of URLs.
FIRST, LAST = 0x21, 0x7E
FEW = 4
# Nodes for all characters: about a second. Beyond it, the place where a pattern stops is not looked for.
MOST_WORK = 500_000


def explain(
    input: object,
    base: str | URL | FrozenURL | None,
    texts: tuple[str, ...],
    components: Sequence[Component],
    mismatches: Sequence[str],
    result: Match | None,
) -> str:
    """The components of a URL beside those of a pattern; and the groups if it matches.

    `texts` are the components of what was given, none for what is not a URL.
    """
    lines = []
    if isinstance(input, (str, URL, FrozenURL)):
        base = base.href if isinstance(base, (URL, FrozenURL)) else base
        text = input.href if isinstance(input, (URL, FrozenURL)) else scalar_values(input)
        base_url = None if base is None else parse(scalar_values(base), most_errors=1).url
        url = parse(text, base_url, most_errors=1).url
        if url is None or not texts:
            return f"It does not match: this is not a URL.\n\n{explain_url(text, base)}"
        lines = [f"href    {cut(shown_href(url), 2 * WHOLE)}", ""]
    elif not texts:
        return "It does not match: this is not a URL."
    rows = compare(texts, components, mismatches)
    width = max(len(row.pattern) for row in rows)
    for row in rows:
        start = f"  {row.name:<9} {'matches' if row.matches else 'fails':<8} {row.pattern:<{width}}  "
        lines.append(f"{start}{row.text}".rstrip())
        if row.stop is not None:
            lines.append(f"{' ' * (len(start) + row.stop)}^ {row.needs}")
    lines += ["", "It does not match." if result is None else "It matches."]
    lines += [f"  {name:<9} {group}: {taken}" for name, group, taken in groups(result, components)]
    return "\n".join(lines)


class Row(NamedTuple):
    """A component of a pattern beside that of a URL, as they are shown.

    `stop` is the place in the text where the pattern stops, and `needs` what it needs there.
    """

    name: str
    matches: bool
    pattern: str
    text: str
    stop: int | None
    needs: str


def compare(texts: Sequence[str], components: Sequence[Component], mismatches: Sequence[str]) -> list[Row]:
    rows = []
    for name, component, text in zip(COMPONENTS, components, texts, strict=True):
        fails = name in mismatches
        pattern = shown_pattern(name, component.text)
        reached = reach(component, text) if fails and is_shown(name, text) else None
        if reached is not None:
            rows.append(Row(name, False, pattern, *around(text, reached.place), needed(reached)))
        else:
            rows.append(Row(name, not fails, pattern, shown_text(name, text), None, ""))
    return rows


def groups(match: Match | None, components: Sequence[Component]) -> Iterator[tuple[str, str, str]]:
    """What each group of a component took, as it is shown."""
    for index, (name, component) in enumerate(zip(COMPONENTS, components, strict=True)):
        # A wildcard that is all of a component says nothing.
        if match is not None and component.text != "*":
            for group, taken in match.named(index, component.names).items():
                # In https://user:password@host/ the password is the name of a group.
                yield name, HIDDEN if name in SECRET else group, shown_group(name, taken)


def is_shown(name: str, text: str) -> bool:
    return name not in SECRET and without_inner_credentials(text) == text


def shown_pattern(name: str, text: str) -> str:
    if name in SECRET and text not in ("", "*"):
        return HIDDEN
    return "".join([c if c.isprintable() else ascii(c)[1:-1] for c in cut(without_credentials(text), PATTERN)])


def shown_text(name: str, text: str) -> str:
    if name in SECRET:
        return HIDDEN if text else ""
    return cut(without_inner_credentials(text), BEFORE + AFTER)


def shown_group(name: str, text: str | None) -> str:
    return "takes no part" if text is None else repr(shown_text(name, text))


def around(text: str, place: int) -> tuple[str, int]:
    """The text around a place, and the column of the place in it."""
    start, end = max(place - BEFORE, 0), min(place + AFTER, len(text))
    before = (ELLIPSIS if start else "") + text[start:place]
    return before + text[place:end] + (ELLIPSIS if end < len(text) else ""), len(before)


def needed(reach: Reach) -> str:
    """What the pattern needs where it stops."""
    if reach.is_refused:
        return "a lookaround does not hold here"
    taken = [code for code in range(FIRST, LAST + 1) if reach.mask >> code & 1]
    others = [code for code in range(FIRST, LAST + 1) if not reach.mask >> code & 1]
    ways = ["the end"] if reach.may_end else []
    if taken and not others:
        ways.append("more")
    elif taken and len(others) <= FEW:
        ways.append(f"anything but {' and '.join(map(repr, map(chr, others)))}")
    elif taken:
        ways += runs(taken)
    if not ways:
        return "nothing can follow"
    return f"needs {', '.join(ways[:-1])} or {ways[-1]}" if len(ways) > 1 else f"needs {ways[0]}"


def runs(codes: list[int]) -> Iterator[str]:
    """Characters that follow each other as one: '0' to '9'."""
    start = codes[0]
    for code, following in zip(codes, [*codes[1:], 0], strict=True):
        if following != code + 1:
            if code - start > 1:
                yield f"{chr(start)!r} to {chr(code)!r}"
            else:
                yield from (repr(chr(each)) for each in range(start, code + 1))
            start = following


class Reach(NamedTuple):
    """The last place that a pattern comes to, the characters that it can take there, and whether it can end there.

    Or neither, because a lookaround does not hold.
    """

    place: int
    mask: int
    may_end: bool
    is_refused: bool = False


# For each lookaround, whether it holds at each place.
Held = list[list[bool]]


def reach(component: Component, text: str) -> Reach | None:
    # What has steps may be larger than an automaton.
    builder = Builder(component.options, MOST_NODES if component.compiled.steps is None else sys.maxsize)
    nodes, start, classes = in_order(builder, builder.build_parts(component.parts))
    looks = lookarounds(builder)
    work = sum([len(look[0]) for look in looks]) * len(text)
    if work > MOST_WORK:
        return None
    held = where_held(looks, text)
    states = closure(nodes, [start], text, 0, held)
    place = 0
    while place < len(text):
        work += len(states)
        if work > MOST_WORK:
            return None
        bit = 1 << ord(text[place])
        following = [
            first
            for kind, number, first, _ in map(nodes.__getitem__, states)
            if kind == CHARS and classes[number] & bit
        ]
        if not following:
            break
        place += 1
        states = closure(nodes, following, text, place, held)
        if not states:
            # An assertion does not hold here.
            break
    mask = 0
    for kind, number, _, _ in map(nodes.__getitem__, states):
        if kind == CHARS:
            mask |= classes[number]
    return Reach(place, mask, any(nodes[state][0] == ACCEPT for state in states), not states and bool(looks))


def where_held(looks: list[Lookaround], text: str) -> Held:
    held: Held = []
    for nodes, start, classes, is_behind in looks:
        row = [False] * (len(text) + 1)
        after = [False] * len(nodes)
        for place in range(len(text) + 1) if is_behind else range(len(text), -1, -1):
            character = text[place - 1 : place] if is_behind else text[place : place + 1]
            bit = 1 << ord(character) if character else 0
            here: list[bool] = []
            for kind, number, first, second in nodes:
                if kind == CHARS:
                    here.append(after[first] and bool(classes[number] & bit))
                elif kind == SPLIT:
                    here.append(here[first] or here[second])
                elif kind == ASSERT:
                    here.append(here[first] and holds(number, text, place, held))
                else:
                    here.append(kind == ACCEPT)
            row[place] = here[start]
            after = here
        held.append(row)
    return held


def closure(nodes: list[Node], states: list[int], text: str, place: int, held: Held) -> list[int]:
    """The nodes that take a character, or end, where those lead."""
    seen: set[int] = set()
    closed = []
    stack = states[::-1]
    while stack:
        state = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        kind, number, first, second = nodes[state]
        if kind in (CHARS, ACCEPT):
            closed.append(state)
        elif kind == SPLIT:
            stack += (second, first)
        elif kind in (OPEN, CLOSE) or (kind == ASSERT and holds(number, text, place, held)):
            stack.append(first)
    return closed


def holds(asserted: int, text: str, place: int, held: Held) -> bool:
    if asserted >= FIRST_LOOK:
        look, negated = divmod(asserted - FIRST_LOOK, 2)
        return held[look][place] != bool(negated)
    if asserted in (ASSERTIONS["begin"], ASSERTIONS["end"]):
        return place == (0 if asserted == ASSERTIONS["begin"] else len(text))
    before = place > 0 and text[place - 1] in WORD
    after = place < len(text) and text[place] in WORD
    return (before != after) == (asserted == ASSERTIONS["boundary"])
