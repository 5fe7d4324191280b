"""Lookaheads and lookbehinds of URL patterns: by sets of words, of bytes, and against backtracking."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from support.regexp_matcher import TooLong
from test_pattern_automata import LENGTHS, OPTIONS, Engine, automaton, backtracked, expression, inputs, regexp

from weburl import PatternError, URLPattern
from weburl._patterns.component import DEFAULT, PATHNAME
from weburl._patterns.parts import FIXED_TEXT, FULL_WILDCARD, SEGMENT_WILDCARD, Options, Part
from weburl.bulk import pattern_extract_many, pattern_test_many, route_many
from weburl.patterns import PatternList

# Texts that never match. With the first, sets are of some words; with the second, a node is a byte.
WORDS, BYTES = "\x7f" * 100, "\x7f" * 300
LETTERS = ("a", "b", ".", "/", "[ab]", "[^a]", "[^]", r"\w", "A")
QUANTIFIERS = ("", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,2}?")
PLACES = ("^", "$", r"\b", r"\B")
LOOKAROUNDS = ("(?=", "(?!", "(?<=", "(?<!")


class Generator:
    """Regular expressions with lookarounds. Each can be had again with a text in all of them that never matches."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def choice(self, depth: int) -> str:
        return "|".join(self.sequence(depth) for _ in range(self.random.choice((1, 1, 2, 3))))

    def sequence(self, depth: int) -> str:
        return "".join(self.item(depth) for _ in range(self.random.choice((0, 1, 1, 2, 2, 3))))

    def item(self, depth: int) -> str:
        kind = self.random.random()
        if kind < 0.1:
            return self.random.choice(PLACES)
        if depth and kind < 0.4:
            return f"{self.random.choice(LOOKAROUNDS)}<{self.choice(depth - 1)}>)"
        if depth and kind < 0.6:
            return f"(?:{self.choice(depth - 1)}){self.random.choice(QUANTIFIERS)}"
        return self.random.choice(LETTERS) + self.random.choice(QUANTIFIERS)

    def text(self) -> str:
        """With < and > around what stands in a lookaround."""
        while True:
            text = f"{self.choice(3)}{self.random.choice(LOOKAROUNDS)}<{self.choice(2)}>){self.choice(2)}"
            if len(text) < 80 and not text.startswith("(?"):
                return text


def padded(text: str, padding: str) -> str:
    # What stands in a lookbehind begins after its own "<".
    marked = text.replace("(?<=<", "(?<=\x01").replace("(?<!<", "(?<!\x01").replace("(?=<", "(?=\x01")
    marked = marked.replace("(?!<", "(?!\x01")
    # The padding goes on from what could match, so that its states are in use.
    return marked.replace("\x01", f"(?:a?{padding}|" if padding else "").replace(">)", "))" if padding else ")")


def parts_of(random: Random, generator: Generator, options: Options) -> list[tuple[Part, ...]]:
    """A pattern with one regular expression or two; then with larger lookarounds; then with more parts."""
    texts = [generator.text() for _ in range(random.choice((1, 1, 2)))]
    around = [
        Part(FIXED_TEXT, random.choice(("/", "a", "b.")), random.choice(("", "?", "*"))),
        Part(FULL_WILDCARD, "", random.choice(("", "?", "+")), "w", random.choice(("", "/"))),
        Part(SEGMENT_WILDCARD, "", random.choice(("", "?", "*")), "s", random.choice(("", "/", "."))),
    ]
    modifiers = [random.choice(("", "", "?", "*", "+")) for _ in texts]
    chosen = random.sample(around, random.randint(0, 2))
    at = random.randint(0, len(chosen))

    def made(padding: str, *more: Part) -> tuple[Part, ...]:
        regexps = [
            Part(REGEXP, padded(text, padding), modifier, f"{number}", random_prefix)
            for number, (text, modifier) in enumerate(zip(texts, modifiers, strict=True))
        ]
        return (*chosen[:at], *regexps, *chosen[at:], *more)

    random_prefix = random.choice(("", "", "a"))
    never = [Part(FIXED_TEXT, text, "?") for text in (WORDS, BYTES)]
    return [made(""), made(WORDS), made("", never[0]), made("", never[1]), made(BYTES)]


REGEXP = regexp("a").type


def cases(seed: int, count: int) -> Iterator[tuple[Random, list[tuple[Part, ...]], Options]]:
    random = Random(f"lookarounds {seed}")
    generator = Generator(random)
    while count:
        options = random.choice(OPTIONS)
        made = parts_of(random, generator, options)
        try:
            automaton(made[0], options)
        except PatternError:
            continue
        count -= 1
        yield random, made, options


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))])
def test_lookarounds_match_as_backtracking_does(seed: int) -> None:
    compared = matches = 0
    for random, made, options in cases(seed, 250):
        engines = []
        for number, parts in enumerate(made):
            try:
                engines.append(Engine(automaton(parts, options)))
            except PatternError:
                # Too many copies of what does not match.
                assert number in (1, 4)
        node = expression(made[0], options)
        for text in {*inputs(random, made[0]), *("".join(random.choices("aabA./", k=k)) for k in range(1, 8))}:
            try:
                expected = backtracked(node, sum(part.type != FIXED_TEXT for part in made[0]), text)
            except TooLong:
                continue
            compared += len(engines)
            matches += expected is not None
            for engine in engines:
                assert engine.groups(text) == expected, (made[0], options, text)
    assert compared > 10_000
    assert matches > 300


@pytest.mark.sample(26)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize(
    ("text", "found"),
    [
        # For a text of a's, and one with a "b" in it at some place.
        ("(?=a*$)a*|b*", (True, False)), ("(?!.*b).*", (True, False)), (".*(?<!b.*)", (True, False)),
        ("[^]*(?<=b[^]*)", (False, True)), ("(?:(?!b)[^])*", (True, False)), ("(?:[^](?<!b))*", (True, False)),
        ("(?=(?:aa)*b)[^]*|(?=(?:aa)*ab)[^]*", (False, True)), (r"(?:(?=a)a|(?<=^a*)b(?=a*$))*(?<!^a*)", (False, True)),
    ],
)  # fmt: skip
def test_lookarounds_in_long_texts(text: str, found: tuple[bool, bool], length: int) -> None:
    never = Part(FIXED_TEXT, BYTES, "?")
    tail = Part(FULL_WILDCARD, "", "?", "t", "#")
    engines = [Engine(automaton((regexp(text), *more), DEFAULT)) for more in ((), (never,), (tail,), (never, tail))]
    for place in (None, 0, 1, 62, 63, 64, 65, length // 2, 511, 512, 1023, 1024, length - 1):
        if place is not None and place >= length:
            continue
        subject = "a" * length if place is None else f"{'a' * place}b{'a' * (length - place - 1)}"
        for engine in engines:
            expected = [subject, None][: engine.count] if found[place is not None] else None
            assert engine.groups(subject) == expected, place


def test_many_lookarounds() -> None:
    """More than a row's worth on the stack, and more assertions than words have bits."""
    for count in (1, 10, 63, 64, 65, 130, 270):
        ahead = "".join(f"(?=.{{{number % 5}}}{'ab'[number % 2]})" for number in range(count))
        engine = Engine(automaton((regexp(f"{ahead}.*"),), DEFAULT))
        wanted = "".join("ab"[number % 2] for number in range(5)) if count < 6 else None
        assert (engine.groups("ababa") is not None) == (wanted is not None)
        negative = "".join(f"(?!.{{{number % 12}}}b)" for number in range(count))
        engine = Engine(automaton((regexp(f"{negative}.*"),), DEFAULT))
        for place in (0, 1, count - 1, count, 11, 12, 60):
            text = f"{'a' * place}b"
            assert (engine.groups(text) is None) == (place < min(count, 12)), (count, place)


def test_a_lookaround_in_a_repetition_is_one() -> None:
    compiled = automaton((regexp("(?:(?!b).){100}"),), DEFAULT)
    assert len(compiled.looks) == 1
    engine = Engine(compiled)
    assert engine.groups("a" * 100) == ["a" * 100]
    assert engine.groups("a" * 99 + "b") is None
    with pytest.raises(PatternError, match="4,096 states"):
        automaton((regexp("(?=a{4096})"),), DEFAULT)
    with pytest.raises(PatternError, match="4,096 states"):
        automaton((regexp("(?:(?=a{64})b){64}"), regexp("(?:(?!b).){2000}")), DEFAULT)


def path(pattern: str, url: str) -> bool:
    return URLPattern(pathname=pattern).test(url, "https://example.com")


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        # The rest of the component is seen, and what stands before it: also what other parts of the pattern take.
        ("/((?=.*z)a)/:b", ("/a/z", "/a/xz"), ("/a/b", "/z/a")), ("/:a/((?<=/x/)b)", ("/x/b",), ("/y/b", "/xx/b")),
        ("/((?!api$).*)", ("/", "/apis", "/api/"), ("/api",)), ("/((?=a$|b).*)", ("/a", "/bc"), ("/ac", "/")),
        ("/(.*(?<=^/a.*))", ("/a", "/ab"), ("/b", "/")), ("/(a(?=b))b", ("/ab",), ("/a", "/abb")),
        ("/((?=a)b)", (), ("/a", "/b")), ("/((?!(?!a)).*)", ("/a", "/ab"), ("/", "/b")),
        (r"/((?=\bab\b).*)", ("/ab", "/ab-c"), ("/abc", "/-ab")), ("/((?<!(?<=/)).*)", (), ("/", "/a")),
        # No end of the query is seen from the path.
        ("/((?!.*\\?).*)", ("/a?b", "/a"), ()), ("/((?<n>a)(?=(?<m>b)))b", ("/ab",), ("/a",)),
    ],
)  # fmt: skip
def test_what_they_see(pattern: str, matching: tuple[str, ...], others: tuple[str, ...]) -> None:
    for url in matching:
        assert path(pattern, url), url
    for url in others:
        assert not path(pattern, url), url


def test_ignoring_case() -> None:
    pattern = URLPattern(pathname="/((?!api)(?-i:(?=A)).*)", ignore_case=True)
    assert [pattern.test(f"https://h/{path}") for path in ("Api", "APE", "ape", "Ax")] == [False, True, False, True]


def test_lists_and_columns_are_as_single_patterns() -> None:
    """The bits are those of one pattern and one URL, whatever was matched before."""
    random = Random(41)
    texts = ["/((?!api|_next).*)", "/((?=.*x).*)/:id", "/:a/((?<!b/).*)", "/(.*(?<=a)b)", "/*", f"/((?!{BYTES}|a).*)"]
    patterns = [URLPattern(pathname=text) for text in texts]
    for _ in range(20):
        random.shuffle(patterns)
        routes = PatternList([(pattern.pathname, pattern) for pattern in patterns])
        urls = [f"https://h/{''.join(random.choices('abx/', k=random.randint(0, 90)))}" for _ in range(100)]
        for url, found in zip(urls, route_many(urls, routes)["route"].to_pylist(), strict=True):
            alone = [pattern.pathname for pattern in patterns if pattern.test(url)]
            assert [key for key, _ in routes.all(url)] == alone
            assert found == alone[0]
        for pattern in patterns:
            expected = [pattern.exec(url) for url in urls]
            assert pattern_test_many(urls, pattern).to_pylist() == [match is not None for match in expected]
            if ":" in pattern.pathname:
                (name,) = set(pattern.pathname.split(":")[1][:2].rstrip("/").split()) - {"i"} or {"id"}
                taken = pattern_extract_many(urls, pattern, [name])[name].to_pylist()
                assert taken == [match and match[name] for match in expected]


def test_explain_says_where_a_lookaround_does_not_hold() -> None:
    text = URLPattern(pathname="/((?!api).*)").explain("https://example.com/api/x")
    assert "/api/x\n                                    ^ a lookaround does not hold here\n" in text
    assert "needs 'b'" in URLPattern(pathname="/((?!api)a(?<=a)b)").explain("https://example.com/ax")


@pytest.mark.parametrize("text", ["(?=a)*", "(?!a)+", "(?<=a)?", "(?<!a){2}", "b(?=a)*?"])
def test_nothing_repeats_them(text: str) -> None:
    with pytest.raises(PatternError, match="nothing to repeat"):
        automaton((regexp(text),), PATHNAME)


def test_a_group_around_them_repeats() -> None:
    for text in ("(?:(?=a))*a", "(?:(?<!a))+a", "(?:(?!b)){2}?a", "(?:(?=a)){0}a"):
        assert Engine(automaton((regexp(text),), PATHNAME)).groups("a") == ["a"]
