"""Compares URL patterns that have lookarounds with Node's URLPattern: which are accepted, and what the groups take.

What it needs is installed as for pattern_agreement.py.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from tiers.pattern_agreement import WEBURL, install, oracle, plain
from tiers.pattern_oracles.observe import observed
from tiers.pattern_oracles.places import ENDED, LATE
from tiers.pattern_regexps import Generator

from weburl import PatternError, URLPattern

INPUTS = 20
BLOCK = 200
SHOWN_DIFFERENCES = 20
LETTERS = "aab.-/0K_~"
LOOKAROUNDS = ("(?=", "(?!", "(?<=", "(?<!")
# Known: a group with a name inside a regular expression does not shift the groups after it (whatwg/urlpattern #284).
NAMED = re.compile(r"\(\?<[^=!]")
ATOMS = ("a", "b", r"\.", "[ab]", "[^a]", r"[^b\/]", r"\w", r"\d", ".", "(?:ab|a)", "(?:a|)")
# Strings in a class, and an automaton above the limit. V8 is wrong about a string of one letter, if case is ignored.
RARE = (r"[\q{ab|ba}]", r"[\q{abb}b]", "(?:a{70}){70}")
# What is counted, as it is written.
COUNTED = {"strings in a class": "\\q{", "groups in a lookaround": "(?<inner"}
AROUND = ("/a", "/", "/:x", "/*", "{/b}?", "-:y", ".:z", "b", "(a)?", "/:w*")
COMPONENTS = ("pathname", "pathname", "search", "hash")


class Patterns(Generator):
    """Regular expressions with lookarounds, on letters that come together often."""

    # How many groups stand in a lookaround.
    inner = 0

    def atom(self, depth: int) -> str:
        if self.random.random() < 0.6:
            return self.random.choice(RARE if self.random.random() < 0.005 else ATOMS)
        return super().atom(depth)

    def lookaround(self) -> str:
        inner = self.disjunction(self.random.randrange(3))
        if self.random.random() < 0.05:
            self.inner += 1
            inner = f"(?<inner{self.inner}>{inner}){self.atom(0)}"
        return f"{self.random.choice(LOOKAROUNDS)}{inner})"

    def pattern(self) -> str:
        parts = [self.random.choice(AROUND) for _ in range(self.random.randint(0, 2))]
        rest = self.random.choice((".*", ".*", f"(?:{self.disjunction(2)}|.*)", self.disjunction(2)))
        before = self.random.choice(("", "", ".*", ".?", self.alternative(1)))
        inner = f"{before}{self.lookaround()}{rest}"
        if self.random.random() < 0.3:
            inner += self.lookaround()
        if before.startswith("?"):
            inner = f"a{inner}"
        parts.insert(self.random.randint(0, len(parts)), f"{self.random.choice(('', '/'))}({inner})")
        return "".join(parts)


def case(patterns: Patterns) -> tuple[list[Any], list[list[Any]]]:
    random = patterns.random
    component = random.choice(COMPONENTS)
    patterns.ignore_case = random.random() < 0.2
    given: list[Any] = [{component: patterns.pattern()}]
    if patterns.ignore_case:
        given.append({"ignoreCase": True})
    texts = ("".join(random.choices(LETTERS, k=random.randint(0, 7))) for _ in range(INPUTS))
    start = "/" if component == "pathname" else ""
    return given, [[{component: start + text}] for text in texts]


def is_excused(given: Sequence[Any]) -> str:
    """The limits of weburl, by name."""
    try:
        URLPattern(given[0], ignore_case=len(given) > 1)
    except PatternError as error:
        for known in ("backreference", "automaton of more than", "nested deeper"):
            if known in error.message:
                return known
    return ""


def compared(one: tuple[list[Any], Any], answer: Any) -> list[Any]:
    """The matches, with their groups unless those are known to differ."""
    has_names = NAMED.search(str(one[0])) is not None
    return [isinstance(match, list) if has_names else match for match in answer[2]]


def compare(seed: int, pairs: int) -> Iterator[tuple[str, Any, int]]:
    """What was seen of each pattern, the pattern, and how many matches it has."""
    patterns = Patterns(Random(f"lookarounds {seed}"))
    while pairs > 0:
        batch = [case(patterns) for _ in range(min(BLOCK, -(-pairs // INPUTS)))]
        pairs -= len(batch) * INPUTS
        for one, theirs in zip(batch, oracle("node").answers(batch), strict=True):
            ours = plain(observed(WEBURL, one))
            if theirs in (LATE, ENDED):
                yield theirs, one, 0
            elif ours is None or theirs is None:
                refused = "refused by both" if ours is None and theirs is None else is_excused(one[0])
                yield refused or "different", one, 0
            elif compared(one, ours) != compared(one, theirs):
                yield "different", one, 0
            else:
                yield "the same", one, sum(isinstance(match, list) for match in ours[2])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=int, nargs="?", default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    install()
    counts: Counter[str] = Counter()
    having: Counter[str] = Counter()
    matches = 0
    for kind, (given, texts), found in compare(options.seed, options.pairs):
        counts[kind] += 1
        matches += found
        having.update(what for what, written in COUNTED.items() if kind == "the same" and written in str(given))
        if kind == "different" and counts[kind] <= SHOWN_DIFFERENCES:
            print(ascii((given, texts)), flush=True)
    oracle("node").end()
    pairs = counts["the same"] * INPUTS
    print(", ".join(f"{count:,} patterns {kind}" for kind, count in counts.items()))
    print(", ".join(f"{count:,} of the same have {what}" for what, count in having.items()))
    print(f"{pairs:,} pairs, {matches / max(pairs, 1):.1%} are matches, {counts['different']} patterns differ")
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
