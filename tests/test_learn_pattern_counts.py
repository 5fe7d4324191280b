"""The counts of learnt routes are those of their patterns: each line counts for the first route that matches it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from string import ascii_lowercase, ascii_uppercase, digits

import pytest
from test_learn_counts import date, uuid

from weburl import URL
from weburl._arrow.cutting import cut_rows, open_column
from weburl._arrow.schedule import in_order
from weburl._learn.learning import Learning, Learnt
from weburl._learn.summary import Summary
from weburl.bulk import route_many
from weburl.patterns import LearntRoutes, PatternList, learn_routes

HOSTS = (
    "a.example", "c.d.example:8080", "[::1]:80", "1.2.3.4", "1.2.3.4:99", "xn--mnchen-3ya.de", "localhost",
    "a_b.example",
)  # fmt: skip
PARENTS = (".big.example", ".co.uk", ".big.example:81", ".example")
ODD = (
    "a:b * + (x) {x} %7Bint%7D {int} {other} {slug} a{b}c ~ ! $ \\d a.b.c .. %2e %2F %00 %E9 \u00e9 %zz ' | ^ ` \" = @ "
    "@x a,b :id :int(\\d+) *.x _ - -- (?:x) [x] %2a %7e %3A //"
).split()


def word(random: Random, length: int = 6, letters: str = ascii_lowercase) -> str:
    return "".join(random.choices(letters, k=length))


NUMBERED = "k{} c{} ab{} KA{} x-{}.html {}-foo {}k item{}.js beef{} vol.{} a{}b part_{}.m4s".split()
KINDS: dict[str, Callable[[Random], str]] = {
    "int": lambda random: str(random.randrange(10 ** random.randint(1, 12))),
    "uuid": uuid,
    "hex": lambda random: f"{random.getrandbits(32):0{random.choice((8, 16, 32))}x}",
    "short hex": lambda random: f"{random.getrandbits(20):x}",
    "date": date,
    "odd date": lambda random: random.choice("2024 202401 2024-1 20240102 2024-01-02T03:04:05Z 2024W05".split()),
    "slug": lambda random: "-".join(word(random, random.randint(2, 7)) for _ in range(random.randint(2, 5))),
    "word": lambda random: word(random, random.randint(1, 4)),
    "email": lambda random: f"{word(random)}@{word(random)}.example",
    "file": lambda random: word(random, 3) + random.choice((".html", ".js", ".PDF", ".tar.gz", ".x1")),
    "numbered": lambda random: random.choice(("page{}", "img-{}", "p_{}.jpg")).format(random.randrange(1000)),
    "tea": lambda random: f"tea-{random.randrange(1, 3000)}",
    "any number": lambda random: random.choice(NUMBERED).format(random.randrange(10 ** random.randint(1, 9))),
    "id": lambda random: word(random, random.randint(5, 12), ascii_lowercase + digits),
    "prefixed": lambda random: (
        random.choice(("in-", "@", "~", "by_"))
        + random.choice((word(random), word(random, 9, ascii_lowercase + digits), "-".join([word(random)] * 4)))
    ),
    "key": lambda random: random.choice(("Orders(7)", "Orders('{}')", "X({})")).format(random.randrange(99)),
    "parameters": lambda random: random.choice(("cart", "7", word(random, 2))) + random.choice((";v=1", ";a.js")),
    "odd": lambda random: random.choice(ODD),
    "locale": lambda random: random.choice(("en", "de", "fr", "pt-BR", "zh-CN", "en_US")),
    "version": lambda random: random.choice(("v1", "v2", "v10", "1.2.3", "v1.2", "2.0", "1.0.0-beta")),
    "address": lambda random: ".".join(str(random.randrange(256)) for _ in range(4)),
    "place": lambda random: f"{random.uniform(-90, 90):.5f},{random.uniform(-180, 180):.5f}",
    "empty": lambda random: "",
    "long": lambda random: "x" * random.choice((79, 80, 81, 500)) + word(random, 2),
    "token": lambda random: word(random, 22, ascii_lowercase + ascii_uppercase + digits),
    "name": lambda random: random.choice(("users", "items", "shop", "login", "about", "img")),
}  # fmt: skip
NAMES = ("name", "word")


def column(random: Random) -> list[str]:
    """URLs of a few templates, on one host, on hosts of all kinds, or on many hosts with one parent."""
    kind = random.randrange(3)
    templates: list[list[str | Callable[[Random], str]]] = []
    for _ in range(random.randint(1, 6)):
        kinds = random.choices([*KINDS, "name", "name", "name"], k=random.randint(0, 4))
        templates.append(
            [KINDS[each](random) if each in NAMES and random.random() < 0.6 else KINDS[each] for each in kinds]
        )
    urls = []
    for _ in range(random.choice((5, 50, 300, 700))):
        host = (
            "shop.example"
            if kind == 0
            else random.choice(HOSTS)
            if kind == 1
            else word(random, 3) + random.choice(PARENTS)
        )
        path = "/".join(each if isinstance(each, str) else each(random) for each in random.choice(templates))
        scheme = random.choice(("https", "http", "ws", "ftp")) if random.random() < 0.97 else "myapp"
        urls.append(f"{scheme}://{host}/{path}{random.choice(('', '', '?q=1', '#f', '/'))}")
    # For {other}, as docs/learn.md says: a backslash in a path of myapp:, and what looks like a user and a password.
    return [
        url
        for url in urls
        if URL.can_parse(url)
        and not (url.startswith("myapp") and "\\" in url)
        and not re.search(r"/[^/]*:.*@", url[9:])
    ]


def check(learnt: LearntRoutes, urls: list[str]) -> None:
    """Each route has the lines whose first pattern is its own; keys of two routes may be the same."""
    found = Counter(route_many(urls, learnt.patterns)["route"].to_pylist())
    lines: Counter[str] = Counter()
    for route in learnt.routes:
        lines[route.key] += route.lines
    assert {key: count for key, count in lines.items() if count} == found


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 10))])
def test_counts_are_those_of_the_patterns(part: int, tmp_path: Path) -> None:
    """Of 320 columns; also after edits of the file, with other lines, in any order and with any number of threads."""
    for seed in range(32 * part, 32 * part + 32):
        random = Random(seed)
        urls = column(random)
        most = random.choice((2000, 2000, 50, 20, 10))
        learnt = learn_routes(urls, max_routes=most)
        check(learnt, urls)
        file = tmp_path / f"{seed}.routes"
        # Lines are deleted, and keys renamed.
        file.write_text(
            "".join(
                f"{random.choice((route.key, route.key, f'route {number}'))}\t{route.pattern}\n"
                for number, route in enumerate(learnt.routes)
                if random.random() < 0.8
            )
        )
        both = urls + column(Random(seed + 5000))
        updated = learn_routes(both, max_routes=most, update=file)
        check(updated, both)
        random.shuffle(both)
        assert learn_routes(both, max_routes=most, update=file, threads=random.randint(1, 3)).text == updated.text, seed


def shapes_of(random: Random, count: int) -> list[str]:
    """Paths that have many templates, of which most are in one line."""
    made: tuple[Callable[[], str], ...] = (
        lambda: "a",
        lambda: "users",
        lambda: str(random.randrange(99)),
        lambda: f"k{random.randrange(900)}",
        lambda: word(random, 2),
    )
    return [
        f"https://s.example/{'/'.join(random.choice(made)() for _ in range(random.randint(1, 6)))}"
        for _ in range(count)
    ]


def test_there_are_more_texts_than_a_tree_has() -> None:
    random = Random(9)
    urls = list(dict.fromkeys(f"https://s.example/{word(random, 5)}/{word(random, 3)}" for _ in range(50_000)))
    urls += ["https://s.example/login"] * 3000
    learnt = learn_routes(urls)
    assert learnt.is_exact
    assert Counter(route_many(urls, learnt.patterns)["route"].to_pylist()) == {
        route.key: route.lines for route in learnt.routes if route.lines
    }
    assert learnt.routes[0][:3] == ("/login", "*://s.example/login", 3000)


def learn_from_sample(urls: list[str], most: int, threads: int) -> Learnt:
    learning = Learning(None)
    learning.summary = Summary(most_texts=most)
    with closing(in_order(cut_rows(open_column(urls)), learning.count, threads, learning.cancel)) as results:
        for _, each in results:
            learning.merge(each)
    return learning.result(400)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(3))
def test_estimates_of_a_sample(seed: int) -> None:
    """Estimates differ from the lines of patterns as a sample does, and not more; their sum is right."""
    random = Random(seed)
    urls = shapes_of(random, random.randint(20_000, 30_000))
    most = random.randint(2000, 4000)
    learnt = learn_from_sample(urls, most, 1)
    assert not learnt.is_exact
    routes = [(route.key, route.pattern) for route in learnt.routes]
    found = Counter(route_many(urls, PatternList(routes))["route"].to_pylist())
    assert sum(route.lines for route in learnt.routes) == len(urls)
    weight = 2 * len(set(urls)) / most
    for route in learnt.routes:
        assert abs(route.lines - found[route.key]) < 6 * (found[route.key] * weight) ** 0.5 + 6 * weight, route
    assert sum(route.lines for route in learnt.routes[:-1]) == pytest.approx(len(urls) - found["{other}"], rel=0.05)
    random.shuffle(urls)
    assert learn_from_sample(urls, most, random.randint(2, 4)) == learnt
