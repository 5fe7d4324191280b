"""Compares the regular expressions of URL patterns with Node's RegExp: which are accepted, and what they match.

They are matched twice: by backtracking over what was parsed, and by the automata of URL patterns.

The version of Node that benchmarks/package.json names is installed into build/pattern-regexps.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import IO, NamedTuple

from support.regexp_matcher import Matcher as Backtracker
from support.regexp_matcher import TooLong

from weburl import PatternError
from weburl._patterns.compile import Compiled, compile_parts
from weburl._patterns.matcher import Matcher
from weburl._patterns.parts import REGEXP_PART, Options, Part
from weburl._patterns.properties import BINARY, CATEGORIES, CHARACTERS, OF_STRINGS, SCRIPTS
from weburl._patterns.regexp import RegexpError, parse_regexp

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "tests" / "tiers" / "oracles" / "regexps.mjs"
BUILD = ROOT / "build" / "pattern-regexps"
SHOWN_DIFFERENCES = 20
BLOCK = 500
ASCII = CHARACTERS[:128]

Answer = str | list[tuple[bool, int | None]]


class Case(NamedTuple):
    source: str
    ignore_case: bool
    subjects: list[str]
    mutated: bool = False


PROPERTIES = sorted(
    {*BINARY, *CATEGORIES, *OF_STRINGS}
    | {f"{name}={value}" for name in ("General_Category", "gc") for value in CATEGORIES}
    | {f"{name}={value}" for name in ("Script", "sc", "Script_Extensions", "scx") for value in SCRIPTS}
)
NOT_PROPERTIES = ["latin", "Latin", "Hyphen", "Script", "gc", "Lu=", "=Lu", "ASCII=Yes", "gc=Latin", "sc=Lu", "", "L u"]
# The letters that have case, those that others fold to, and what begins or ends a range.
LETTERS = "aAbBkKsSzZ"
SIGNS = " !\"#$%&'*+,-./0189:;<=>?@^_`~(){}[]|\\"
ESCAPES = [
    r"\d", r"\D", r"\w", r"\W", r"\s", r"\S",
    r"\t", r"\n", r"\v", r"\f", r"\r", r"\0", r"\cJ", r"\ck", r"\x41", r"\x6b", r"\u0061", r"\u{4B}",
    r"\u{000053}", r"\u017F", r"\u{17f}", r"\u212A", r"\u{10ffff}", r"\uD83D\uDE00", r"\uDE00", r"\uD83D", r"\u{e9}",
    r"\/", r"\.", r"\-",
    r"\^", r"\$", r"\(", r"\)", r"\[", r"\]", r"\{", r"\}", r"\|", r"\\", r"\*", r"\+", r"\?",
]  # fmt: skip
ONLY_IN_CLASSES = [r"\b", r"\&", r"\!", r"\#", r"\,", r"\:", r"\@", r"\`", r"\~", r"\%", r"\;", r"\<", r"\=", r"\>"]
BAD_ESCAPES = [
    r"\B",
    r"\a",
    r"\e",
    r"\_",
    r"\x4",
    r"\u00",
    r"\u{}",
    r"\u{110000}",
    r"\u{ 1}",
    r"\c",
    r"\c1",
    r"\00",
    r"\1",
    r"\k",
    r"\q",
    r"\é",
]
NAMES = ["a", "b", "_", "$x", r"\u0061", r"\u{62}", r"\u{e9}", r"\u{10400}", r"\uD801\uDC00", r"a\u200d"]
BAD_NAMES = ["", "1", "a-b", r"\u0031", r"\x61", r"\u{2e2f}", r"\uD801", "a b"]
MODIFIERS = ["i", "s", "m", "ims", "-i", "-s", "-ims", "i-s", "s-i", "i-", "ms-i"]
BAD_MODIFIERS = ["-", "ii", "i-i", "g", "i--s", "--", "I", "i s"]
QUANTIFIERS = ["*", "+", "?", "{2}", "{0}", "{1,}", "{0,2}", "{1,3}", "{02,2}", "{0,99999999999999999999}"]
BAD_QUANTIFIERS = ["{", "{2", "{,2}", "{3,2}", "{a}", "{1,2", "{ 1}", "**", "+{2}", "???"]
MULTILINE = re.compile(r"\(\?[is]*m")
# Faults of V8 14, which generated expressions do not meet, but mutated ones do. Where case is ignored, one letter in
# \q{} is folded and then matches only itself. After a group with the modifier i, its case holds for the classes that
# follow it in the group around.
FAULTS_OF_NODE = [
    re.compile(r"\\q\{.*?(?<=[{|])(?:[A-Za-z]|\\[cxu]\{?[0-9A-Za-z]+\}?)[|}]"),
    re.compile(r"\(\?[ms]*-?[ms]*i[ims-]*:.*(?:\[|\\[pPwWdDsS])", re.DOTALL),
]


class Generator:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.has_modifiers = False
        self.ignore_case = False

    def one(self, good: Sequence[str], bad: Sequence[str]) -> str:
        return self.random.choice(bad if self.random.random() < 0.01 else good)

    def case(self) -> Case:
        self.ignore_case = self.random.random() < 0.5
        self.has_modifiers = self.random.random() < 0.5
        source = self.disjunction(self.random.randrange(4))
        mutated = self.random.random() < 0.3
        if mutated:
            source = self.mutated(source)
        alphabet = [c for c in ASCII if c not in "\n\r"] if MULTILINE.search(source) else ASCII
        near = [c for c in source if c in alphabet] + list(LETTERS)
        subjects = [
            "".join(self.random.choice(near if self.random.random() < 0.8 else alphabet) for _ in range(length))
            for length in (0, 1, 1, 2, 3, 6)
        ]
        return Case(source, self.ignore_case, subjects, mutated)

    def mutated(self, source: str) -> str:
        for _ in range(self.random.randint(1, 2)):
            at = self.random.randint(0, len(source))
            until = min(len(source), at + self.random.randrange(3))
            put = self.random.choice(["", "", source[at:until] * 2, *LETTERS, *SIGNS, "&&", "--", "(?", "[^", r"\q{"])
            source = source[:at] + put + source[until:]
        # A minimum of so many rounds of nothing takes Node hours.
        return re.sub("9{4,}", "9", source)

    def disjunction(self, depth: int) -> str:
        return "|".join(self.alternative(depth) for _ in range(self.random.choice((1, 1, 1, 2, 3))))

    def alternative(self, depth: int) -> str:
        return "".join(self.term(depth) for _ in range(self.random.choice((0, 1, 1, 2, 3))))

    def term(self, depth: int) -> str:
        if self.random.random() < 0.08:
            return self.random.choice(["^", "$", r"\b", r"\B"])
        if depth and self.random.random() < 0.12:
            look = self.random.choice(["(?=", "(?!", "(?<=", "(?<!"]) + self.disjunction(depth - 1) + ")"
            return look + (self.random.choice(QUANTIFIERS) if self.random.random() < 0.01 else "")
        atom = self.atom(depth)
        return atom + (self.one(QUANTIFIERS, BAD_QUANTIFIERS) + self.random.choice(["", "?"])) * (
            self.random.random() < 0.35
        )

    def atom(self, depth: int) -> str:
        kind = self.random.randrange(10)
        if kind < 3 and depth:
            return self.group() + self.disjunction(depth - 1) + ")"
        if kind < 7:
            found = self.escape() if kind == 6 else self.class_(depth)
            return f"(?:{found})" if self.has_modifiers else found
        return self.random.choice(f"{LETTERS}.-/_&")

    def group(self) -> str:
        kind = self.random.randrange(8)
        if kind == 0:
            return f"(?<{self.one(NAMES, BAD_NAMES)}>"
        if kind < 4 and self.has_modifiers:
            return f"(?{self.one(MODIFIERS, BAD_MODIFIERS)}:"
        if kind == 4 and self.random.random() < 0.05:
            return self.random.choice(["(?=", "(?!", "(?<=", "(?<!", "(", "(?", "(?P<a>"])
        return "(?:"

    def escape(self, in_class: bool = False) -> str:
        if self.random.random() < 0.4:
            return rf"\{self.random.choice('pP')}{{{self.one(PROPERTIES, NOT_PROPERTIES)}}}"
        good = [*ESCAPES, *ONLY_IN_CLASSES] if in_class else ESCAPES
        return self.one(good, BAD_ESCAPES)

    def class_(self, depth: int) -> str:
        begin = self.random.choice(["[", "[", "[^"])
        count = self.random.choice((0, 1, 1, 2, 2, 3))
        kind = self.random.randrange(6)
        operands = [self.operand(depth) for _ in range(count)]
        if kind < 2:
            return begin + ("&&" if kind else "--").join(operands) + "]"
        return begin + "".join(self.range() if self.random.random() < 0.3 else operand for operand in operands) + "]"

    def range(self) -> str:
        first, last = self.class_character(), self.class_character()
        if self.random.random() < 0.9 and len(first) == len(last) == 1:
            first, last = min(first, last), max(first, last)
        return f"{first}-{last}"

    def class_character(self) -> str:
        kind = self.random.randrange(10)
        if kind < 6:
            return self.random.choice(LETTERS + "09_ ")
        if kind == 6:
            return self.random.choice(SIGNS)
        return self.random.choice(ESCAPES[6:] + ONLY_IN_CLASSES)

    def string(self, length: int) -> str:
        characters = [self.class_character() for _ in range(length)]
        return "".join(f"\\{character}" if character in ("|", "}") else character for character in characters)

    def operand(self, depth: int) -> str:
        kind = self.random.randrange(8)
        if kind == 0 and depth:
            return self.class_(depth - 1)
        if kind == 1:
            lengths = (0, 2, 3) if self.ignore_case or self.has_modifiers else (0, 1, 1, 2, 3)
            strings = (self.string(self.random.choice(lengths)) for _ in range(self.random.choice((1, 2))))
            return rf"\q{{{'|'.join(strings)}}}"
        if kind == 2:
            return self.escape(in_class=True)
        return self.class_character()


def properties() -> Iterator[Case]:
    """Each property of the tables, with each of the characters that matter, by both cases and as complements."""
    for name in PROPERTIES:
        for kind in "pP":
            for ignore_case in (False, True):
                yield Case(rf"\{kind}{{{name}}}", ignore_case, list(ASCII))
                yield Case(rf"[^\{kind}{{{name}}}]", ignore_case, list(ASCII))


def scripts() -> Iterator[Case]:
    """Each code of four letters that might be a script's; no other has one."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    for first in letters.upper():
        for rest in (a + b + c for a in letters for b in letters for c in letters):
            yield Case(rf"\p{{sc={first}{rest}}}", False, [])


def generated(seed: int) -> Iterator[Case]:
    generator = Generator(Random(seed))
    while True:
        yield generator.case()


def install() -> list[str]:
    version = json.loads((ROOT / "benchmarks" / "package.json").read_text("utf-8"))["dependencies"]["node"]
    program = BUILD / "node_modules" / ".bin" / "node"
    if not program.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--prefix", str(BUILD), f"node@{version}"], check=True)
    # What V8 compiles to machine code loses modifiers now and then.
    return [str(program), "--regexp-interpret-all", str(PROGRAM)]


def ask(cases: Iterable[Case], writer: IO[str], reader: IO[str]) -> Iterator[tuple[Case, Answer]]:
    """Node's answers, in blocks: the answers to one fit into the pipe while the next is not written."""
    rest = iter(cases)
    while block := list(islice(rest, BLOCK)):
        writer.writelines(json.dumps(case) + "\n" for case in block)
        writer.flush()
        for case in block:
            yield case, json.loads(reader.readline())


def compiled(*expressions: str, ignore_case: bool = False) -> Compiled:
    parts = [Part(REGEXP_PART, expression, "", str(index)) for index, expression in enumerate(expressions)]
    return compile_parts(tuple(parts), Options(ignore_case=ignore_case))


OTHER_COMPONENTS = [compiled("[^]*")] * 7
NO_TEXTS = ("",) * 7


def automata(case: Case) -> tuple[Matcher, Matcher] | None:
    """What matches a whole subject, and what matches the beginning of one; None if they are too large."""
    try:
        full = compiled(case.source, ignore_case=case.ignore_case)
        prefix = compiled(case.source, "[^]*", ignore_case=case.ignore_case)
    except PatternError:
        return None
    return Matcher([full, *OTHER_COMPONENTS]), Matcher([prefix, *OTHER_COMPONENTS])


def matches(case: Case) -> Iterator[tuple[str, list[tuple[bool, int | None]]]]:
    """For each subject, by each way, whether all of it matches, and the end of what matches at its beginning."""
    node = parse_regexp(case.source, case.ignore_case)
    matchers = automata(case)
    for subject in case.subjects:
        backtracker = Backtracker(subject)
        found = [(backtracker.match(node, full=True) is not None, backtracker.match(node))]
        if matchers is not None:
            full, prefix = matchers
            match = prefix.match_components((subject, *NO_TEXTS))
            end = None if match is None else len(match.group(0, 0) or "")
            found.append((full.test_components((subject, *NO_TEXTS)), end))
        yield subject, found


def difference(case: Case, answer: Answer) -> str | None:
    """What differs; "" if nothing does; None if the case is not compared."""
    source = case.source
    if isinstance(answer, str) and "too large" in answer:
        return None
    try:
        parse_regexp(source, case.ignore_case)
    except RegexpError as error:
        if isinstance(answer, str):
            return ""
        is_captured = re.match(r"\((?!\?)", source[error.position :])
        return None if is_captured or "not supported" in error.message else f"refused: {error}"
    if isinstance(answer, str):
        return f"accepted: {answer}"
    try:
        for (subject, found), there in zip(matches(case), answer, strict=True):
            if any(here != tuple(there) for here in found):
                if case.mutated and any(fault.search(source) for fault in FAULTS_OF_NODE):
                    return None
                return f"{subject!r}: {found} here, {tuple(there)} there"
    except TooLong:
        return None
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("expressions", type=int, nargs="?", default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    found = 0
    with subprocess.Popen(install(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        assert node.stdin is not None
        assert node.stdout is not None
        for cases in (properties(), scripts(), islice(generated(options.seed), options.expressions)):
            for case, answer in ask(cases, node.stdin, node.stdout):
                differs = difference(case, answer)
                kind = "refused" if isinstance(answer, str) else "matched"
                counts[kind if differs is not None else "not compared"] += 1
                if differs:
                    found += 1
                    if found <= SHOWN_DIFFERENCES:
                        print(case.source, "ignoring case" * case.ignore_case, differs, sep="   ")
        node.stdin.close()
    print(", ".join(f"{count:,} {kind}" for kind, count in counts.items()), f"and {found} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
