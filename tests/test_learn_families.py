"""Routes beside each other whose values only patterns can tell apart: counts are those of the patterns, and the file is
stable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from string import ascii_letters, ascii_lowercase, digits

import pytest
from test_learn_counts import date, uuid

from weburl import URL
from weburl.bulk import route_many
from weburl.patterns import learn_routes

Value = Callable[[Random], str]
KEYS = "Orders(4%32) Orders(7) Orders(a=1,b=2) Orders(ID) page=%37 page=7 page=".split()
NAMES = "en de login about v1 v2".split()


def word(random: Random, least: int = 2) -> str:
    return "".join(random.choices(ascii_lowercase, k=random.randint(least, least + 6)))


def words(random: Random, least: int, most: int) -> str:
    return "-".join(word(random) for _ in range(random.randint(least, most)))


def number(random: Random) -> str:
    return str(random.randrange(10 ** random.randint(1, 11)))


def numbered(random: Random) -> Value:
    """A family: a text with one number or two, which are small in some, and large in others."""
    before = random.choice(
        [
            "",
            word(random),
            f"{word(random)}-",
            f"{words(random, 2, 6)}-",
            "c",
            "ab",
            "beef",
            "KA",
            f"{word(random, 17)}_",
        ]
    )
    between = random.choice(["", "", "", "x", "-", "_s"])
    after = random.choice(["", "", "k", "-foo", ".html", ".js", ".tar.gz", f"-{word(random)}.m4s"])
    most = random.choice([30, 999, 2999, 10**6, 10**10])
    if not (before or between or after):
        before = "x"

    def value(random: Random) -> str:
        second = f"{between}{random.randrange(most)}" if between else ""
        return f"{before}{random.randrange(most)}{second}{after}"

    return value


def prefixed(random: Random) -> Value:
    before = random.choice(["in-", "@", "~", "by_", f"{word(random)}-", f"{word(random, 15)}-", "$"])
    kinds: list[Value] = [
        word, lambda random: words(random, 1, 2), lambda random: words(random, 4, 7), number, identifier,
    ]  # fmt: skip
    chosen = random.sample(kinds, random.randint(1, 3))
    return lambda random: before + random.choice(chosen)(random)


def identifier(random: Random) -> str:
    alphabet = random.choice([ascii_lowercase + digits, ascii_letters + digits, "0123456789abcdef"])
    return "".join(random.choices(alphabet, k=random.randint(4, 24)))


def any_file(random: Random) -> str:
    return random.choice([word, identifier, number])(random) + random.choice(
        [".html", ".js", ".de", ".tar.gz", ".pdf.gz"]
    )


KINDS: tuple[Callable[[Random], Value], ...] = (
    numbered, numbered, numbered, prefixed, prefixed,
    lambda random: identifier,
    lambda random: number,
    lambda random: word,
    lambda random: lambda random: words(random, 2, 9),
    lambda random: any_file,
    lambda random: uuid,
    lambda random: date,
    lambda random: lambda random: f"{word(random)}@{word(random)}.{random.choice(['de', 'example', 'js'])}",
    lambda random: lambda random: f"{words(random, 1, 4)}-{number(random)}",
    lambda random: lambda random: f"{number(random)}-{words(random, 1, 4)}",
    lambda random: lambda random: random.choice(KEYS).replace("ID", identifier(random)),
    lambda random: lambda random: random.choice(NAMES),
)  # fmt: skip


def style(random: Random) -> list[tuple[float, list[str | Value]]]:
    """Routes with their shares. Many have the same parents, and differ in the values of one place."""
    routes: list[tuple[float, list[str | Value]]] = []
    for _ in range(random.randint(1, 3)):
        parent: list[str | Value] = []
        if random.random() < 0.8:
            parent.append(word(random) if random.random() < 0.1 else random.choice(KINDS)(random))
        for _ in range(random.randint(1, 4)):
            rest: list[str | Value] = [random.choice(KINDS)(random)]
            if random.random() < 0.3:
                rest.append(word(random) if random.random() < 0.5 else random.choice(KINDS)(random))
            routes.append((random.choice([0.01, 0.1, 1, 5]), [*parent, *rest]))
    return routes


def column(random: Random, count: int) -> list[str]:
    routes = style(random)
    chosen = random.choices([route for _, route in routes], [share for share, _ in routes], k=count)
    made = (
        "https://shop.example/" + "/".join(each if isinstance(each, str) else each(random) for each in route)
        for route in chosen
    )
    return [url for url in made if URL.can_parse(url)]


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 10))])
def test_counts_of_families(part: int, tmp_path: Path) -> None:
    for seed in range(20 * part, 20 * part + 20):
        random = Random(seed)
        urls = column(random, random.choice([300, 3000, 3000]))
        learnt = learn_routes(urls)
        found = Counter(route_many(urls, learnt.patterns)["route"].to_pylist())
        assert {route.key: route.lines for route in learnt.routes if route.lines} == found, seed
        file = tmp_path / "a.routes"
        file.write_text(learnt.text)
        again = learn_routes(urls, update=file)
        assert again.new == [] == again.died, seed
        assert again.text == learnt.text, seed
