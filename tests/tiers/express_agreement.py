"""Compares the paths of Express 5 as URL patterns with the package path-to-regexp, over generated paths and URLs.

For a path that weburl refuses because it needs several patterns, the list of the paths that the message names is
compared. What this needs is installed as for pattern_agreement.py.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from tiers.pattern_oracles.places import ENDED, LATE

from weburl import PatternError, URLPattern
from weburl._patterns.express import Reader, path_of
from weburl.patterns import from_path_to_regexp

URLS = 20
BLOCK = 500
SHOWN_DIFFERENCES = 20
HOST = "https://example.com"
DATA = Path(__file__).resolve().parents[1] / "data" / "express_paths.json"
WRITTEN = 400

TEXTS = (
    "/", "/", "/", "/", "/a", "/b", "/ab/", "a", "b", "ab", "A", "k", "-", "-", ".", ".", "~", "_", "--", "-.", "..",
    "/.", "/..", "/%2e", "%41", "%", ";", "@", "^", "|", "&", "&&", "$", "'", '"', "#", "=", ",", "<", " ", "\n", "é",
    "/é", "\\:", "\\*", "\\{", "\\}", "\\(", "\\)", "\\[", "\\]", "\\+", "\\?", "\\!", "\\\\", "\\/", "\\a", "\\é",
    "\U0001f600", "1",
)  # fmt: skip
DELIMITERS = ("/", "/", "/", "-", ".", "~", "--", "a", "ab", "/a/", "")
NAMES = ("a", "b", "id", "x1", "$", "_", "é", "ab", "tail", "K")
ENDS = ("", "", "", "?", "*", "+", "(", ")", "[", "]", "!", "}", "{", ":", "*", '"', "\\", ':"', ':""', ':"a b"', ":1")
LETTERS = "aabAk-./~_%;1"
VALUES = ("a", "b", "ab", "-", ".", "--", "a-b", "a.b", "a/b", "/", "a/", "b.a-b", "aA", "k", "~", "%41", "x", "1")
# What weburl refuses though the package takes it: a part of the message, and what is counted.
REFUSED = {
    "with two names": "a group with two names",
    "this group in a group": "a group in a group",
    "with a group and without it": "a name takes something else without a group",
    "ends": "a name ends elsewhere without a group",
    "segment of dots": "a segment of dots",
    "cannot have the name": "a name that is not an identifier",
    "too long": "too long for its groups",
    "automaton of more": "more than 4,096 states",
}
# Those of Express' guide and of its notes about version 5, and one for each rule.
KNOWN = (
    "/ab{c}d", "/*splat", "/{*splat}", "/:file{.:ext}", "/flights/:from-:to", "/users/:userId/books/:bookId", "/",
    "", "/about", "/random.text", "/plantae/:genus.:species", "/user/:id", "/user/:id{/:op}", "/user{/:id}/edit",
    "/users{/:id}/delete", "/{:lang/}about", "/:year{/:month{/:day}}", "/files/*path", "/files/*path/raw",
    "/api{/*rest}", "/*any.html", "/:id{.:format}", "/photos{/:id{.:format}}", "/x{/:a/:b}", "/:a{-:b}{-:c}",
    "/:file{--:ext}", "/a/*x/b/*y", "/*a-:b", "/:a-*b", '/:"user"name', '/:"user-id"', "/a{/}", "/books/",
    "/colo{u}r", "/.:a", "/a{b{c}}", "/:a{b}", "/{a}{b}:c", "/{:a-}:b", "/:a{{-:b}}", "/{}{}a", "/:a:b", "/*",
    "/:", "/a?", "/a+", "/(a)", "/[a]", "/a!", "/a{", "/a}", "/a\\", '/:"a', "/café/:café", "/\\:a\\{b\\}",
    "/:a/:a", "/{a}{b}{c}{d}{e}{f}{g}{h}{i}", "/:from-:to{.:format}", "/.well-known/:name", "/:a@:b", "/:a.:b.:c",
)  # fmt: skip

Tree = list[Any]


class Paths:
    """Paths, each with texts that it could match."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def tree(self, depth: int) -> Tree:
        random = self.random
        found: Tree = []
        for _ in range(random.choice((1, 2, 2, 3, 4) if depth else (1, 1, 2, 2, 3))):
            kind = random.random()
            if kind < 0.35:
                found.append(random.choice(TEXTS))
            elif kind < 0.75 or not depth:
                mark = random.choice("::::*")
                name = random.choice(NAMES)
                written = f'{mark}"{name}"' if random.random() < 0.1 else mark + name
                found += [random.choice(DELIMITERS), (written,)]
            else:
                found.append(self.tree(depth - 1))
        return found

    def written(self, tree: Tree) -> str:
        texts = [
            one if isinstance(one, str) else one[0] if isinstance(one, tuple) else f"{{{self.written(one)}}}"
            for one in tree
        ]
        if self.random.random() < 0.01:
            texts.insert(self.random.randint(0, len(texts)), self.random.choice(ENDS))
        return "".join(texts)

    def filled(self, tree: Tree) -> str:
        random = self.random
        found = []
        for one in tree:
            if isinstance(one, str):
                found.append(one.removeprefix("\\"))
            elif isinstance(one, tuple):
                found.append(random.choice(VALUES))
            elif random.random() < 0.6:
                found.append(self.filled(one))
        return "".join(found)

    def url(self, tree: Tree) -> str:
        random = self.random
        if random.random() < 0.25:
            return "/" + "".join(random.choices(LETTERS, k=random.randint(0, 8)))
        text = self.filled(tree) + random.choice(("", "", "", "/", "//", random.choice(VALUES)))
        if random.random() < 0.1:
            text = text.swapcase()
        # No query and no fragment, and no host.
        return "/" + text.replace("?", "%3F").replace("#", "%23").replace("\\", "%5C").lstrip("/")

    def case(self) -> list[Any]:
        random = self.random
        tree = ["/", *self.tree(2)] if random.random() < 0.9 else self.tree(2)
        path = self.written(tree)
        urls = [self.url(tree) for _ in range(URLS)]
        return [path, random.random() < 0.5, random.random() < 0.5, urls]


def groups(pattern: URLPattern, url: str) -> list[list[str | None]] | None:
    match = pattern.exec(HOST + url)
    return None if match is None else [list(one) for one in match.pathname.groups.items()]


def as_list(path: str, strict: bool, sensitive: bool, urls: Sequence[str]) -> list[Any]:
    """What the alternatives of a path match, as the first pattern of a list."""
    reader = Reader(path if strict else path.rstrip("/"))
    reader.read()
    names = {token.position: token.value for one in reader.alternatives for token in one if token.kind}
    ways = []
    for one in reader.alternatives:
        # Only the whole path had its slashes removed.
        text = from_path_to_regexp(path_of(one), strict=True, version=8) + ("" if strict else "{/}?")
        ways.append(
            (URLPattern(pathname=text, ignore_case=not sensitive), [token.position for token in one if token.kind])
        )
    answers: list[Any] = []
    for url in urls:
        answers.append(None)
        for pattern, positions in ways:
            found = groups(pattern, url)
            if found is not None:
                values = dict(zip(positions, [value for _, value in found], strict=True))
                answers[-1] = [[name, values.get(position)] for position, name in sorted(names.items())]
                break
    return answers


def observed(case: Sequence[Any]) -> tuple[str, list[Any] | None]:
    """Why a path is refused, and what it matches."""
    path, strict, sensitive, urls = case
    try:
        pattern = URLPattern(pathname=from_path_to_regexp(path, strict=strict, version=8), ignore_case=not sensitive)
        return "", [groups(pattern, url) for url in urls]
    except PatternError as error:
        why = next((said for known, said in REFUSED.items() if known in error.message), "refused")
        if not error.message.startswith("write this as"):
            return why, None
    try:
        return why, as_list(path, strict, sensitive, urls)
    except PatternError:
        # One of the paths has a segment of dots, or too many states.
        return why, None


def same(ours: Any, theirs: Any) -> bool:
    """A second group of one name has another one here."""
    if ours is None or theirs is None:
        return ours is theirs
    return len(ours) == len(theirs) and all(
        value == other and (name == wanted or name.startswith(f"{wanted}_"))
        for (name, value), (wanted, other) in zip(ours, theirs, strict=True)
    )


def compare(seed: int, pairs: int) -> Iterator[tuple[str, list[Any], int, int]]:
    """What was seen of each path, the case, how many results were compared, and how many of them are matches."""
    from tiers.pattern_agreement import oracle

    paths = Paths(Random(f"express {seed}"))
    while pairs > 0:
        cases = [paths.case() for _ in range(min(BLOCK, -(-pairs // URLS)))]
        pairs -= len(cases) * URLS
        for case, theirs in zip(cases, oracle("path-to-regexp").answers(cases), strict=True):
            why, ours = observed(case)
            if theirs in (LATE, ENDED):
                yield theirs, case, 0, 0
            elif theirs is None:
                yield "refused by both" if why and ours is None else "different", case, 0, 0
            elif ours is None:
                yield why if why != "refused" else "different", case, 0, 0
            elif all(map(same, ours, theirs)):
                yield why or "the same", case, len(ours), sum(one is not None for one in ours)
            else:
                print(ascii([(url, *two) for url, *two in zip(case[3], ours, theirs, strict=True) if not same(*two)]))
                yield "different", case, 0, 0


def write() -> None:
    """Writes the data of tests/test_express_paths.py: paths with their options, and what they match."""
    from tiers.pattern_agreement import oracle

    paths = Paths(Random("data"))
    cases: list[list[Any]] = []
    for path in KNOWN:
        # Some are the path itself, and others its alternatives with other names.
        texts = (path, path.replace("{", "").replace("}", ""), re.sub(r"\{[^{}]*\}", "", path))
        urls = ["/", "/a", "/a.b", "/a-b", "/a/b", "/a/b/c", "/a/", "/a.b.c/", "/x-y-z", "/x--y"]
        urls += sorted({"/" + re.sub(r'[:*"\\]', "", text).lstrip("/") for text in texts} - set(urls))
        cases += [[path, strict, False, urls] for strict in (True, False)]
    while len(cases) < 2 * len(KNOWN) + WRITTEN:
        path, strict, sensitive, urls = paths.case()
        cases.append([path, strict, sensitive, sorted(set(urls))[:8]])
    rows = []
    for case, theirs in zip(cases, oracle("path-to-regexp").answers(cases), strict=True):
        if theirs not in (LATE, ENDED):
            matches = theirs and [[url, found] for url, found in zip(case[3], theirs, strict=True)]
            rows.append(json.dumps([*case[:3], matches]))
    DATA.write_text("[\n" + ",\n".join(rows) + "\n]\n", "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    # The tests of the rest run on Windows, too.
    from tiers.pattern_agreement import install, oracle

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=int, nargs="?", default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write the data of the test")
    options = parser.parse_args(arguments)
    install()
    print("weburl against", oracle("path-to-regexp").version, flush=True)
    if options.write:
        write()
    start = time.monotonic()
    counts: Counter[str] = Counter()
    results = matches = differences = 0
    for kind, case, compared, matching in compare(options.seed, options.pairs):
        counts[kind] += 1
        results += compared
        matches += matching
        if kind == "different":
            differences += 1
            if differences <= SHOWN_DIFFERENCES:
                print(ascii(case), flush=True)
    oracle("path-to-regexp").end()
    print(*[f"{count:,} paths: {kind}" for kind, count in counts.most_common()], sep="\n")
    seconds = time.monotonic() - start
    print(
        f"{results:,} results, {matches / max(results, 1):.1%} are matches, {differences} paths differ; {seconds:.0f} s"
    )
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
