"""From the parts of a component's pattern to what matches it: https://urlpattern.spec.whatwg.org/#compile-a-component

Where at each step only one thing can match, that is a list of steps; else the nodes of an automaton.
"""

from __future__ import annotations

from typing import NamedTuple

from weburl._patterns.expressions import Assertion, Capture, Chars, Choice, Look, Repeat, Sequence
from weburl._patterns.matcher import ASSERTIONS, FIRST_LOOK, MOST_NODES, NODE_KINDS, STEP_KINDS
from weburl._patterns.names import shown_name
from weburl._patterns.parts import FIXED_TEXT, FULL_WILDCARD, REGEXP_PART, SEGMENT_WILDCARD, Options, Part
from weburl.errors import PatternError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weburl._patterns.expressions import Node as Expression

    # The kind, the group, and where in the texts that of a TEXT, or the one after a REST, starts, and its length. For a
    # RUN, where the bits of its characters are, and how many it has at least.
    Step = tuple[int, int, int, int]
    # The kind, the number, the first way and the second.
    Node = list[int]
    # Of a lookaround: its nodes, the first of them, their classes, and whether it is a lookbehind.
    Lookaround = tuple[list[Node], int, list[int], bool]

TEXT, SEGMENT, REST, OPTIONAL, RUN = STEP_KINDS
FAIL, ACCEPT, CHARS, SPLIT, OPEN, CLOSE, ASSERT = NODE_KINDS

# Expressions that are looked at for each node there may be, where one is built several times.
WORK_LIMIT = 32

ALL_BYTES = (1 << 128) - 1
ANYTHING = Repeat(Chars(ALL_BYTES & ~(1 << 10 | 1 << 13)), 0, None, True)
TIMES: dict[str, tuple[int, int | None]] = {"": (1, 1), "?": (0, 1), "*": (0, None), "+": (1, None)}


class Compiled(NamedTuple):
    """What a Matcher takes for a component."""

    steps: list[Step] | None
    texts: bytes
    nodes: list[Node]
    start: int
    classes: list[int]
    group_count: int
    delimiter: int
    ignore_case: bool
    # Each after those inside of it.
    looks: list[Lookaround]


def compile_parts(parts: tuple[Part, ...], options: Options) -> Compiled:
    """What matches the parts."""
    groups = sum([part.type != FIXED_TEXT for part in parts])
    delimiter = ord(options.delimiter) if options.delimiter else 0
    simple = steps_of(parts, options)
    if simple is not None:
        steps, texts = simple
        return Compiled(steps, texts, [], 0, [], groups, delimiter, options.ignore_case, [])
    builder = Builder(options)
    start = builder.build_parts(parts)
    nodes, start, classes = in_order(builder, start)
    return Compiled(None, b"", nodes, start, classes, groups, delimiter, options.ignore_case, lookarounds(builder))


def steps_of(parts: tuple[Part, ...], options: Options) -> tuple[list[Step], bytes] | None:
    """The steps, and their texts; None if more than one thing can match at one of them."""
    steps: list[Step] = []
    texts: list[bytes] = []
    size, group, last = 0, 0, -1
    # What the text after a RUN does not begin with.
    run: Chars | None = None
    for index, part in enumerate(parts):
        fixed = part.type == FIXED_TEXT
        if part.modifier:
            first = part.value if fixed else part.prefix
            if part.modifier != "?" or not first or index + 1 < len(parts) or last == REST:
                return None
            steps.append((OPTIONAL, 0, 0, 0))
            last = OPTIONAL
        for text in (part.value,) if fixed else (part.prefix, None, part.suffix):
            if text is None:
                if last in (SEGMENT, REST, RUN):
                    return None
                if part.type == REGEXP_PART:
                    repeated = run_of(part, options)
                    if repeated is None or run is not None:
                        return None
                    run, least = repeated
                    last = RUN
                    steps.append((RUN, group, size, least))
                    texts.append(run.mask.to_bytes(16, "little"))
                    size += 16
                else:
                    last = SEGMENT if part.type == SEGMENT_WILDCARD else REST
                    steps.append((last, group, 0, 0))
                group += 1
            elif text:
                if last in (TEXT, REST):
                    # A text after the rest ends the pattern.
                    _, number, start, length = steps.pop()
                    steps.append((last, number, start if length else size, length + len(text)))
                elif (must_end_segment(steps) and not (options.delimiter and text.startswith(options.delimiter))) or (
                    run is not None and run.mask >> ord(text[0]) & 1
                ):
                    return None
                else:
                    last = TEXT
                    steps.append((TEXT, 0, size, len(text)))
                run = None
                texts.append((text.lower() if options.ignore_case else text).encode())
                size += len(text)
    return steps, b"".join(texts)


def run_of(part: Part, options: Options) -> tuple[Chars, int] | None:
    """The characters that a regular expression repeats, and how often at least: `\\d+`, or `[a-f]{8,}`."""
    from weburl._patterns.regexp import RegexpError, parse_with_names

    try:
        item, names = parse_with_names(part.value, options.ignore_case)
    except RegexpError:
        # Building says so.
        return None
    while isinstance(item, (Sequence, Choice)) and len(item.items) == 1:
        item = item.items[0]
    if names or not isinstance(item, Repeat) or item.maximum is not None or item.minimum < 1:
        return None
    inner = item.item
    return (inner, item.minimum) if isinstance(inner, Chars) else None


def last_kind(steps: list[Step]) -> int:
    return steps[-1][0] if steps else -1


def must_end_segment(steps: list[Step]) -> bool:
    """Whether a text that comes next is what a segment ends at."""
    return last_kind(steps) == SEGMENT or (last_kind(steps) == OPTIONAL and last_kind(steps[:-1]) == SEGMENT)


class Builder:
    """Builds nodes from the end: each expression is given the node that goes on after it.

    A repetition may not take the empty string once it has what it must have, as ECMAScript says:
    https://tc39.es/ecma262/#sec-runtime-semantics-repeatmatcher-abstract-operation
    So its expression is built for two ways on: one after it has taken something, and one after it has not, which fails.
    """

    def __init__(self, options: Options, most_nodes: int = MOST_NODES) -> None:
        self.options = options
        self.most_nodes = most_nodes
        # FAIL is also the number of its node, so that a node that leads only to it can be left out.
        self.nodes: list[Node] = [[FAIL, 0, 0, 0], [ACCEPT, 0, 0, 0]]
        self.classes: list[int] = []
        self.loops: dict[tuple[int, int], tuple[int, int]] = {}
        self.nullable: dict[int, bool] = {}
        # The first node of each lookaround, and whether it is a lookbehind; and their numbers.
        self.looks: list[tuple[int, bool]] = []
        self.look_numbers: dict[int, int] = {}
        # Keeps the ids of expressions, by which those three go.
        self.kept: list[Expression] = []
        self.work = 0
        # The groups with names in regular expressions, and where they are: a component is one regular expression.
        self.named: dict[str, int] = {}

    def add(self, kind: int, number: int, first: int, second: int = 0) -> int:
        if len(self.nodes) >= self.most_nodes:
            raise too_large()
        if first == FAIL and kind not in (SPLIT, FAIL):
            return FAIL
        self.nodes.append([kind, number, first, second])
        return len(self.nodes) - 1

    def split(self, first: int, second: int, greedy: bool = True) -> int:
        if not first or not second:
            return first or second
        return self.add(SPLIT, 0, first, second) if greedy else self.add(SPLIT, 0, second, first)

    def build_parts(self, parts: tuple[Part, ...]) -> int:
        node = ACCEPT
        group = sum([part.type != FIXED_TEXT for part in parts])
        for part in reversed(parts):
            group -= part.type != FIXED_TEXT
            try:
                self.kept.append(self.expression(part, group))
                node = self.build(self.kept[-1], node)
            except PatternError as error:
                if error.position is None:
                    error.position = part.position
                raise
        return node

    def expression(self, part: Part, group: int) -> Expression:
        """https://urlpattern.spec.whatwg.org/#generate-a-regular-expression-and-name-list"""
        minimum, maximum = TIMES[part.modifier]
        if part.type == FIXED_TEXT:
            return Repeat(self.text(part.value), minimum, maximum, True)
        value = self.value(part)
        prefix, suffix = self.text(part.prefix), self.text(part.suffix)
        if maximum is not None:
            node: Expression = Sequence((prefix, Capture(value, group), suffix))
        elif not prefix.items and not suffix.items:
            return Capture(Repeat(value, minimum, None, True), group)
        else:
            again = Repeat(Sequence((suffix, prefix, value)), 0, None, True)
            node = Sequence((prefix, Capture(Sequence((value, again)), group), suffix))
        return node if minimum else Repeat(node, 0, 1, True)

    def value(self, part: Part) -> Expression:
        if part.type == FULL_WILDCARD:
            return ANYTHING
        if part.type == SEGMENT_WILDCARD:
            delimiter = 1 << ord(self.options.delimiter) if self.options.delimiter else 0
            return Repeat(Chars(ALL_BYTES & ~delimiter), 1, None, False)
        # Most patterns need none of it.
        from weburl._patterns.regexp import RegexpError, parse_with_names

        try:
            value, names = parse_with_names(part.value, self.options.ignore_case)
        except RegexpError as error:
            raise PatternError(error.message, part.position + 1 + error.position) from None
        for name, position in names.items():
            position += part.position + 1
            # The regular expression of such a part has it twice, and JavaScript refuses that.
            if part.modifier in ("*", "+") and (part.prefix or part.suffix):
                raise PatternError(
                    f"the part with the group {shown_name(name)} is repeated: leave out the name of the group", position
                )
            if name in self.named:
                raise PatternError(
                    f"two regular expressions have the group {shown_name(name)}: leave out one name", self.named[name]
                )
            self.named[name] = position
        return value

    def text(self, text: str) -> Sequence:
        if self.options.ignore_case:
            return Sequence(tuple([Chars(1 << ord(c.lower()) | 1 << ord(c.upper())) for c in text]))
        return Sequence(tuple([Chars(1 << ord(c)) for c in text]))

    def build(self, item: Expression, node: int) -> int:
        """The node where an expression begins that goes on at `node`."""
        return self.build_either(item, node, node)

    def build_either(self, item: Expression, node: int, empty: int) -> int:
        """The same, but where the expression takes nothing it goes on at `empty`."""
        self.work += 1
        if self.work > WORK_LIMIT * self.most_nodes:
            raise too_large()
        if isinstance(item, Chars):
            self.classes.append(item.mask)
            return self.add(CHARS, len(self.classes) - 1, node)
        if isinstance(item, Assertion):
            return self.add(ASSERT, ASSERTIONS[item.kind], empty)
        if isinstance(item, Look):
            return self.add(ASSERT, self.look(item), empty)
        if isinstance(item, Capture):
            after = self.add(CLOSE, item.number, node)
            empty = after if node == empty else self.add(CLOSE, item.number, empty)
            return self.add(OPEN, item.number, self.build_either(item.item, after, empty))
        if isinstance(item, Sequence):
            for each in reversed(item.items):
                node, empty = self.build_before(each, node, empty)
            return empty
        if isinstance(item, Choice):
            start = FAIL
            for each in reversed(item.items):
                start = self.split(self.build_either(each, node, empty), start)
            return start
        return self.build_repeat(item, node, empty)

    def look(self, item: Look) -> int:
        """What is asserted by a lookaround. It is one however often it is built, as in a repetition."""
        key = id(item)
        if key not in self.look_numbers:
            # A lookbehind goes from its end to its start.
            self.kept.append(item.item if item.ahead else reversed_(item.item))
            start = self.build(self.kept[-1], ACCEPT)
            self.look_numbers[key] = len(self.looks)
            self.looks.append((start, not item.ahead))
        return FIRST_LOOK + 2 * self.look_numbers[key] + item.negated

    def build_before(self, item: Expression, node: int, empty: int) -> tuple[int, int]:
        """Where an expression begins: after something has been taken, and after nothing has."""
        before = self.build(item, node)
        if node == empty or not self.is_nullable(item):
            return before, before
        return before, self.build_either(item, node, empty)

    def build_repeat(self, item: Repeat, node: int, empty: int) -> int:
        end = node
        if item.maximum is None:
            node, body = self.build_loop(item, end)
            empty = node if end == empty else self.split(body, empty, item.greedy)
        else:
            end_empty = empty
            for _ in range(item.maximum - item.minimum):
                body = self.build_nonempty(item.item, node)
                if body == FAIL:
                    break
                node = self.split(body, end, item.greedy)
                empty = node if end == end_empty else self.split(body, end_empty, item.greedy)
        for _ in range(item.minimum):
            before = node, empty
            node, empty = self.build_before(item.item, node, empty)
            if (node, empty) == before:
                break
        return empty

    def build_loop(self, item: Repeat, end: int) -> tuple[int, int]:
        """The node from which an expression is repeated, and the one where the expression itself begins."""
        key = id(item), end
        if key not in self.loops:
            loop = self.add(SPLIT, 0, FAIL)
            body = self.build_nonempty(item.item, loop)
            self.nodes[loop][2:] = (body, end) if item.greedy else (end, body)
            self.loops[key] = loop, body
        return self.loops[key]

    def build_nonempty(self, item: Expression, node: int) -> int:
        return self.build_either(item, node, FAIL if self.is_nullable(item) else node)

    def is_nullable(self, item: Expression) -> bool:
        """Whether an expression can take nothing."""
        key = id(item)
        if key not in self.nullable:
            self.nullable[key] = (
                isinstance(item, (Assertion, Look))
                or (isinstance(item, Capture) and self.is_nullable(item.item))
                or (isinstance(item, Sequence) and all(map(self.is_nullable, item.items)))
                or (isinstance(item, Choice) and any(map(self.is_nullable, item.items)))
                or (isinstance(item, Repeat) and (item.minimum == 0 or self.is_nullable(item.item)))
            )
        return self.nullable[key]


def reversed_(item: Expression) -> Expression:
    """What matches the same texts from their end to their start. Lookarounds have a direction of their own."""
    if isinstance(item, Sequence):
        return Sequence(tuple(map(reversed_, item.items[::-1])))
    if isinstance(item, Choice):
        return Choice(tuple(map(reversed_, item.items)))
    if isinstance(item, Repeat):
        return item._replace(item=reversed_(item.item))
    return item


def lookarounds(builder: Builder) -> list[Lookaround]:
    return [(*in_order(builder, start), behind) for start, behind in builder.looks]


def too_large() -> PatternError:
    return PatternError(f"this needs an automaton of more than {MOST_NODES:,} states")


def in_order(builder: Builder, start: int) -> tuple[list[Node], int, list[int]]:
    """The nodes that are needed, each but CHARS after those it leads to; the first; and the classes of the CHARS."""
    numbers: dict[int, int] = {}
    order: list[Node] = []
    roots, stack = [start], []
    while roots:
        stack.append(roots.pop())
        while stack:
            node = builder.nodes[stack[-1]]
            kind, _, first, second = node
            ways = (first, second) if kind == SPLIT else (first,) if kind in (OPEN, CLOSE, ASSERT) else ()
            missing = [way for way in ways if way not in numbers]
            if stack[-1] in numbers or not missing:
                at = stack.pop()
                if at not in numbers:
                    numbers[at] = len(order)
                    order.append(node)
                    roots += [first] * (kind == CHARS)
            stack += missing
    classes: list[int] = []
    nodes = []
    for kind, number, first, second in order:
        if kind == CHARS:
            classes.append(builder.classes[number])
            number = len(classes) - 1
        nodes.append([kind, number, numbers.get(first, 0), numbers.get(second, 0)])
    return nodes, numbers[start], classes
