"""Compares weburl.robots with the verdicts of Google's parser, and with a model, on files that are hard to read.

The verdicts are generated files, agents and URLs with what Google's parser answered: 2,000 of them are in tests/data,
and 60,000 in $WEBURL_DATA. The model is plain Python, in all three ways of comparing; columns must say the same. Then
files of many sizes are read, and long rules are matched: the time for each byte must not grow.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Literal

from support import robots_model
from support.robots_files import body as hard_body
from support.robots_files import url as hard_url

from weburl import InvalidURL
from weburl.robots import Robots

DATA = Path(__file__).resolve().parent.parent / "data" / "robots_verdicts.jsonl"
AGENTS = ("FooBot", "foobot", "BarBot", "unicorn", "Foo", "foo-bot")
MODES: tuple[Literal["rfc9309", "google"] | None, ...] = (None, "rfc9309", "google")
URLS_A_FILE = 20


def verdicts(path: Path) -> Iterator[str]:
    """The rows that weburl answers in another way."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        for number, line in enumerate(file, 1):
            text, agent, url, allowed = json.loads(line)
            robots = Robots.parse(text.encode("latin-1"), agent=agent, compat="google")
            if robots.allowed(url) != bool(allowed):
                yield f"{path.name} {number}: {text!a} {agent} {url!a}: {robots.rule(url)}, not {allowed}"


def differences(count: int, seed: int, forbidden: list[int]) -> Iterator[str]:
    """URLs for which the rule is another than in the model."""
    random = Random(seed)
    for done in range(0, count, URLS_A_FILE):
        compat = MODES[done // URLS_A_FILE % 3]
        text, agent = hard_body(random), random.choice(AGENTS)
        robots = Robots.parse(text, agent=agent, compat=compat)
        groups = robots_model.groups_of(text, agent, compat)
        patterns = [rule.pattern.decode("utf-8", "replace") for rule in (*groups.own, *groups.others)]
        urls = [hard_url(random, patterns, compat is None) for _ in range(URLS_A_FILE)]
        scalar: list[bool | None] = []
        for url in urls:
            try:
                expected, line = robots_model.verdict(text, agent, url, compat)
            except InvalidURL:
                scalar.append(None)
                continue
            rule = robots.rule(url)
            scalar.append(robots.allowed(url))
            forbidden[0] += not expected
            if (scalar[-1], None if rule is None else rule.line) != (expected, line):
                yield f"{compat} {text!a} {agent} {url!a}: {scalar[-1]} by {rule}, in the model {expected} by {line}"
        column = robots.allowed_many(urls).to_pylist()
        if column != scalar:
            yield f"{compat} {text!a} {agent} {urls!a}: {column} in a column, not {scalar}"


# Files of about n bytes, and a URL for each.
SHAPES: dict[str, Callable[[int], tuple[str, str]]] = {
    "many rules": lambda n: ("".join(f"Disallow: /x{i:07}\n" for i in range(n // 19)), "/x0000012"),
    "many rules with stars": lambda n: ("".join(f"Disallow: /*x{i:07}$\n" for i in range(n // 21)), "/a/x0000012"),
    "many stars at many places": lambda n: (
        "".join(f"Disallow: /{i:07}*b*c\n" for i in range(n // 22)), "/0000012" + "b" * 1000,
    ),
    "stars after many stars": lambda n: (
        "".join(f"Disallow: /*a{i:07}*zz\n" for i in range(n // 24)), "/" + "".join(f"a{i:07}" for i in range(n // 24)),
    ),
    "one text after many": lambda n: (
        "".join(f"Disallow: /*{'a' * i}*b\n" for i in range(1, int(n**0.5))) + f"Disallow: /*{'a*' * (n // 4)}b",
        "/" + "a" * n,
    ),
    "ends after many stars": lambda n: (
        "".join(f"Disallow: /*{i:x}*a{i}$\n" for i in range(n // 22)), "/" + "".join(f"{i:x}" for i in range(n // 22)),
    ),
    "one long rule": lambda n: ("Disallow: /" + "a" * n, "/" + "a" * n),
    "one long rule of stars": lambda n: ("Disallow: /" + "a*" * (n // 2) + "b", "/" + "a" * n),
    "two long rules": lambda n: (f"Disallow: /{'a' * (n // 2)}b\nAllow: /{'a' * (n // 2)}c", "/" + "a" * (n // 2)),
    "a long search": lambda n: ("Disallow: /*" + "a" * (n // 2) + "b", "/" + "a" * (n // 2)),
    "nested searches": lambda n: (
        "".join(f"Disallow: /*{'a' * i}\n" for i in range(1, int((2 * n) ** 0.5) + 1)), "/" + "a" * 2000,
    ),
    "long escapes": lambda n: ("Disallow: /" + "é" * (n // 2), "/" + "%c3%a9" * (n // 2)),
    "HTML": lambda n: ("<p>User-agent: * </p>\n" * (n // 22), "/"),
    "one line": lambda n: ("a" * n, "/"),
    "NUL": lambda n: ("\0" * n, "/"),
    "empty lines": lambda n: ("\n" * n, "/"),
    "agents": lambda n: ("User-agent: ExampleBot\n" * (n // 23) + "Disallow: /a", "/a"),
    "sitemaps": lambda n: ("Sitemap: https://a/b\n" * (n // 21), "/"),
    "unknown keys": lambda n: ("a:b\n" * (n // 4), "/"),
}  # fmt: skip


def seconds(shape: Callable[[int], tuple[str, str]], size: int) -> float:
    text, path = shape(size)
    data = f"User-agent: *\n{text}".encode()
    url = f"https://example.com{path}"
    best = float("inf")
    for _ in range(3):
        begin = time.thread_time()
        robots = Robots.parse(data, agent="ExampleBot")
        robots.allowed(url)
        robots.allowed_many([url], threads=1)
        best = min(best, time.thread_time() - begin)
    return best


def growth(sizes: Sequence[int]) -> Iterator[str]:
    """Shapes whose time grows faster than their size."""
    for name, shape in SHAPES.items():
        times = [seconds(shape, size) for size in sizes]
        print(
            f"  {name:26} "
            + "  ".join(f"{size >> 10:,} KiB {each * 1e3:8.2f} ms" for size, each in zip(sizes, times, strict=True))
        )
        # What is quadratic takes 16 times the time for each byte. What does not fit into a cache takes some times it.
        if times[-1] / times[0] > 8 * sizes[-1] / sizes[0]:
            yield f"{name}: {times}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "count", type=int, nargs="?", default=1_000_000, help="how many URLs are compared with the model"
    )
    parser.add_argument("--seed", type=int, default=1)
    parsed = parser.parse_args(arguments)
    failed = 0
    large = Path(os.environ.get("WEBURL_DATA", "")) / "robots" / "google_verdicts.jsonl.gz"
    forbidden = [0]
    checks: list[tuple[str, Iterator[str]]] = [("2,000 verdicts of tests/data", verdicts(DATA))]
    if large.is_file():
        checks.append(("60,000 verdicts of $WEBURL_DATA", verdicts(large)))
    else:
        print("$WEBURL_DATA has no robots/google_verdicts.jsonl.gz: only the verdicts of tests/data are compared")
    checks.append((f"{parsed.count:,} URLs beside the model", differences(parsed.count, parsed.seed, forbidden)))
    small = parsed.count < 1_000_000
    checks.append(("shapes of growth", growth([1 << 16, 1 << 20] if small else [1 << 18, 1 << 22])))
    for what, lines in checks:
        number = 0
        for line in lines:
            number += 1
            if number <= 20:
                print(f"FAILED {line}")
        print(f"{what}: {number:,} differences" if "shapes" not in what else f"{what}: {number:,} are not linear")
        failed += number
    print(f"{forbidden[0]:,} of the URLs are forbidden")
    return 1 if failed or forbidden[0] * 20 < parsed.count else 0


if __name__ == "__main__":
    sys.exit(main())
