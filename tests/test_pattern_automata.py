"""What matches a component: steps, small and large automata, against backtracking over the same expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest
from support.regexp_matcher import Matcher as Backtracking
from support.regexp_matcher import TooLong

from weburl._patterns.compile import Builder, Compiled, compile_parts, in_order, lookarounds, steps_of
from weburl._patterns.component import DEFAULT, HOSTNAME, PATHNAME
from weburl._patterns.expressions import Node, Sequence
from weburl._patterns.matcher import Matcher
from weburl._patterns.parts import (
    FIXED_TEXT,
    FULL_WILDCARD,
    REGEXP_PART,
    SEGMENT_WILDCARD,
    Options,
    Part,
    parse_pattern,
)
from weburl.errors import PatternError

# Without a match of their own, so that the large automaton of a pattern has the groups of the small one.
LARGE = 64
PADDING = Part(FIXED_TEXT, "\x7f" * LARGE, "?")
OPTIONS = (DEFAULT, HOSTNAME, PATHNAME, Options(ignore_case=True), Options("/", "/", True))
# Below are numbers of bytes around which something changes: what is on the stack, and the blocks of large automata.
LENGTHS = (510, 511, 512, 513, 1022, 1023, 1024, 1025, 1026, 2047, 2048, 2049, 3072)

REGEXPS = (
    "a*", "a*?", "a+", "a+?", "(?:a|ab)", "(?:ab|a)", "(?:a?){3}", "(?:a*)*", "(?:a*?)+?", "(?:|a)+", "(?:|a){2}", "a|",
    "[^/]*?", "[ab.]+", "(?:[^a]|a)*", "a{2,3}", "a{2,3}?", "(?:a*b?)*?", ".*", ".*?b", "(?:ab?|b)*", "[]|a",
    r"\ba", r"a\b", r"\B.", "^a", "a$", "(?:^|b)a?", r"(?:a|\b)*", r"(?:\b|a)+?", "(?:$|a)*", r"\b", r"(?:\Ba|b\b)*",
)  # fmt: skip


def components(text: str) -> tuple[str, ...]:
    return ("",) * 7 + (text,)


EMPTY = compile_parts((), DEFAULT)


class Engine:
    """What is compiled, for one component."""

    def __init__(self, compiled: Compiled) -> None:
        self.matcher = Matcher([EMPTY] * 7 + [compiled])
        self.count = compiled.group_count

    def groups(self, text: str) -> list[str | None] | None:
        """What the groups take; None without a match."""
        found = self.matcher.match_components(components(text))
        assert self.matcher.test_components(components(text)) == (found is not None)
        return None if found is None else [found.group(7, number) for number in range(self.count)]


def automaton(parts: tuple[Part, ...], options: Options) -> Compiled:
    """As compile_parts(), without the shortcut."""
    builder = Builder(options)
    nodes, start, classes = in_order(builder, builder.build_parts(parts))
    groups = sum(part.type != FIXED_TEXT for part in parts)
    return Compiled(None, b"", nodes, start, classes, groups, 0, options.ignore_case, lookarounds(builder))


def expression(parts: tuple[Part, ...], options: Options) -> Node:
    builder = Builder(options)
    group = -1
    items = []
    for part in parts:
        group += part.type != FIXED_TEXT
        items.append(builder.expression(part, group))
    return Sequence(tuple(items))


def backtracked(node: Node, count: int, text: str) -> list[str | None] | None:
    matcher = Backtracking(text, 20_000)
    if matcher.match(node, full=True) is None:
        return None
    places = [matcher.groups.get(number) for number in range(count)]
    return [None if place is None else text[slice(*place)] for place in places]


def pattern_text(random: Random, regexps: bool) -> str:
    names = iter("stuvwxyz")
    out = []
    for _ in range(random.randint(0, 5)):
        kind = random.random()
        modifier = random.choice(("", "", "", "?", "*", "+"))
        fixed = random.choice(("/", "a", ".", "b", "/a", "ab", ".b", "aB/", "A"))
        if kind < 0.35:
            out.append(fixed)
        elif kind < 0.45:
            out.append(f"{{{fixed}}}{modifier}")
        else:
            group = random.choice((f":{next(names)}", "*", "(.*)"))
            if regexps and random.random() < 0.6:
                group = f"({random.choice(REGEXPS)})"
            if random.random() < 0.5:
                before = random.choice(("", "/", ".", "a", "/a"))
                group = f"{{{before}{group}{random.choice(('', '', 'b', '.', '/'))}}}"
            elif group[0] == ":" and not modifier:
                # So that the name ends here.
                group = f"{{{group}}}"
            out.append(group + modifier)
    return "".join(out)


def parsed(random: Random, regexps: bool, options: Options) -> tuple[Part, ...]:
    """The parts of a random pattern."""
    while True:
        text = pattern_text(random, regexps)
        try:
            parts = tuple(parse_pattern(text, options, str))
            automaton(parts, options)
        except PatternError:
            continue
        return parts


def inputs(random: Random, parts: tuple[Part, ...]) -> Iterator[str]:
    """Texts that may match, and others."""
    yield ""
    for _ in range(6):
        out = []
        for part in parts:
            times = {"": 1, "?": random.randint(0, 1)}.get(part.modifier, random.randint(0, 3))
            for _ in range(times):
                value = part.value
                if part.type != FIXED_TEXT:
                    value = "".join(random.choices("aab./", k=random.randint(0, 3)))
                out.append(part.prefix + value + part.suffix)
        yield "".join(out)[:24]
    for _ in range(3):
        yield "".join(random.choices("aabAB./\n", k=random.randint(0, 8)))


@pytest.mark.parametrize("seed", range(2))
def test_automata_match_as_backtracking_does(seed: int) -> None:
    """Small ones, and the same made large; with the groups."""
    random = Random(seed)
    compared = matches = 0
    for number in range(400):
        options = OPTIONS[number % len(OPTIONS)]
        parts = parsed(random, True, options)
        small, large = automaton(parts, options), automaton((*parts, PADDING), options)
        assert len(small.classes) < 64 <= len(large.classes)
        engines = Engine(small), Engine(large)
        node = expression(parts, options)
        for text in inputs(random, parts):
            try:
                expected = backtracked(node, small.group_count, text)
            except TooLong:
                continue
            compared += 1
            matches += expected is not None
            for engine in engines:
                assert engine.groups(text) == expected, (parts, options, text)
    assert compared > 3000
    assert matches > 500


@pytest.mark.parametrize("seed", range(2))
def test_steps_match_as_automata_do(seed: int) -> None:
    random = Random(seed)
    compared = matches = 0
    while compared < 5000:
        options = random.choice(OPTIONS)
        parts = parsed(random, random.random() < 0.5, options)
        found = steps_of(parts, options)
        if found is None:
            continue
        compiled = compile_parts(parts, options)
        assert compiled.steps == found[0]
        steps, other = Engine(compiled), Engine(automaton(parts, options))
        for text in inputs(random, parts):
            if "\n" in text:
                # No component of a URL has it: it is all that a full wildcard does not take.
                continue
            expected = other.groups(text)
            assert steps.groups(text) == expected, (parts, options, text)
            compared += 1
            matches += expected is not None
    assert matches > 500


@pytest.mark.parametrize(
    ("text", "has_steps"),
    [
        ("", True), ("*", True), ("/a/:b", True), ("/a/:b/c", True), ("/:a/:b", True), ("/a/*", True),
        ("/*.html", True),
        ("/a/:b?", True), ("/:a/:b?", True), ("/:a{/b:c}?", True), ("/a{/*}?", True), ("/:a?/b", False),
        ("/:a:b", False),
        ("/:a-b", False), ("/*/:a", False), ("/:a+", False), ("/{a}?", True), ("/{a}?b", False),
        ("/{a}*", False), ("/(a)", False), ("/*{/:a}?", False),
        ("*/a/*", False), (":a{:b}?", False),
        ("/:a(\\d+)", True), ("/:a(\\d+)/:b", True), ("/(\\d{3,}).html", True), ("/(\\d+)-:b([a-f]+)", True),
        ("/:a(\\d+)/:b([a-z]+)?", True), ("/(\\d+)7", False), ("/(\\d*)", False), ("/(\\d+|a)", False),
        ("/(\\d+)(a+)", False),
        ("/(\\d{2,4})", False), ("/(\\d)+", False), ("/(\\d+?)/a", True),
    ],
)  # fmt: skip
def test_what_has_steps(text: str, has_steps: bool) -> None:
    parts = tuple(parse_pattern(text, PATHNAME, str))
    assert (steps_of(parts, PATHNAME) is not None) == has_steps


def regexp(text: str) -> Part:
    return Part(REGEXP_PART, text, "", text)


# Where Python's regular expressions are ECMAScript's.
LONG = (
    "(a*)(b?)(a*)", "(a*?)(b?)(a*)", "(a*?)(a*)", "(a*)(a*?)", "([ab]*)(b)([ab]*)", "([ab]*?)(b)([ab]*)",
    "((?:aa)*)(a?)([ab]*)", "((?:a|b)*?)(ba*)", r"((?:a|\bb)*)(.*)", r"(.*\B)(.*)", r"(.*?\b)(a*)(.*)",
    "([^b]*)(b?)(a*)",
)  # fmt: skip


@pytest.mark.sample(40)
@pytest.mark.parametrize("text", LONG)
@pytest.mark.parametrize("length", LENGTHS)
def test_lengths(text: str, length: int) -> None:
    parts = tuple(regexp(each) for each in re.findall(r"\(((?:\(\?:[^()]*\)|[^()])*)\)", text))
    engines = Engine(automaton(parts, DEFAULT)), Engine(automaton((*parts, PADDING), DEFAULT))
    for place in (None, 0, 1, length // 2, 510, 511, 512, 1022, 1023, 1024, 1025, 2047, 2048, length - 1):
        subject = "a" * length
        if place is not None:
            if place >= length:
                continue
            subject = f"{'a' * place}b{'a' * (length - place - 1)}"
        for end in ("", "/"):
            expected = re.fullmatch(text, subject + end)
            for engine in engines:
                found = engine.groups(subject + end)
                assert found == (None if expected is None else list(expected.groups())), place


@pytest.mark.parametrize("length", range(61, 68))
def test_as_many_chars_as_a_word_has_bits(length: int) -> None:
    """A group and a text that may be missing: with 63 CHARS sets are words, with 64 they are not."""
    padding = Part(FIXED_TEXT, ("ab" * length)[: length - 2], "?")
    parts = (Part(FIXED_TEXT, "x", "?"), Part(SEGMENT_WILDCARD, "", "", "s"), padding)
    compiled = automaton(parts[1:], DEFAULT)
    assert len(compiled.classes) == length
    engine = Engine(compiled)
    assert engine.groups("c" + padding.value) == ["c"]
    assert engine.groups("c" + padding.value[:-1]) == ["c" + padding.value[:-1]]
    assert engine.groups(padding.value) == [padding.value]
    assert engine.groups(padding.value * 2) == [padding.value]
    assert engine.groups("") is None
    node = expression(parts, DEFAULT)
    engine = Engine(automaton(parts, DEFAULT))
    for text in ("", "x", "xx", "xc", "c", f"x{padding.value}", f"xc{padding.value}", padding.value + "x"):
        assert engine.groups(text) == backtracked(node, 1, text)


def test_the_largest_automaton() -> None:
    count = 2047
    part = Part(FIXED_TEXT, "a", "?")
    compiled = automaton((part,) * count, DEFAULT)
    assert len(compiled.nodes) == 4095  # without FAIL, to which nothing leads
    engine = Engine(compiled)
    assert engine.groups("a" * count) == []
    assert engine.groups("") == []
    assert engine.groups("a" * (count + 1)) is None
    assert engine.groups("a" * (count - 1) + "b") is None
    with pytest.raises(PatternError, match="4,096 states"):
        automaton((part,) * (count + 1), DEFAULT)


def test_repetitions_are_built_as_often_as_they_say() -> None:
    for count in (0, 1, 2, 100, 1364):
        engine = Engine(automaton((regexp(f"a{{{count},{count + 1}}}"),), DEFAULT))
        assert [engine.groups("a" * length) is not None for length in (count, count + 1, count + 2)] == [
            True,
            True,
            False,
        ]
        assert count == 0 or engine.groups("a" * (count - 1)) is None
    for text in ("a{4096}", "(?:a{64}){64}", "(?:(?:a?){99}){99}", "a{4294967295}", "(?:(?:a|){99}|b){99}"):
        with pytest.raises(PatternError, match="4,096 states"):
            automaton((regexp(text),), DEFAULT)


def test_what_cannot_match() -> None:
    for text in ("[]", "a[]", "$a", "b^", "[]+", r"a\bb", "(?:[]|[])"):
        engine = Engine(automaton((regexp(text),), DEFAULT))
        for subject in ("", "a", "ab", "b"):
            assert engine.groups(subject) is None


def test_groups_that_take_no_part() -> None:
    parts = (Part(FULL_WILDCARD, "", "?", "0"), Part(SEGMENT_WILDCARD, "", "?", "s", "/"), regexp("(?:x*)*"))
    engine = Engine(automaton(parts, PATHNAME))
    # As JavaScript: what may be missing does not take the empty string.
    assert engine.groups("") == [None, None, ""]
    assert engine.groups("/a") == ["/a", None, ""]
