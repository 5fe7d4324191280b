"""A line that is counted for a route is matched by the pattern of that route, and by none before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from weburl import URL
from weburl.bulk import route_many
from weburl.patterns import LearntRoutes, learn_routes

WORDS = "cart users about login news-item tag a b js deadbeef".split()
HOSTS = (
    "shop.example", "SHOP.Example:8443", "[::1]:81", "[2001:DB8::1]", "192.0.2.7", "a(b).example",
    "b\u00fccher.example", "*.x.example", "a+b{c}.example",
)  # fmt: skip
KEYS = ("Orders({})", "Orders('{}')", "page={}", "page=", "ada{}@mail.example", "sha256:{}")
SCHEMES = ("http", "https", "ws", "foo")


def uuid(random: Random) -> str:
    text = f"{random.getrandbits(128):032x}"
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"


def date(random: Random) -> str:
    year, month, day = random.randrange(1990, 2030), random.randrange(1, 13), random.randrange(1, 29)
    mark = random.choice("-_")
    return random.choice(
        [f"{year}{mark}{month:02}", f"{year}{mark}{month}{mark}{day}", f"{day}{mark}{month}{mark}{year}", f"{year}-W07"]
    )


def segment(random: Random) -> str:
    number = random.randrange(10 ** random.randint(1, 9))
    file = random.choice(["", ".html", ".js", ".PNG"])
    made = [
        lambda: random.choice(WORDS),
        lambda: str(number),
        lambda: date(random) + file,
        lambda: "".join(random.choices("abcdefghijklmnopq", k=random.randint(2, 9))) + file,
        lambda: f"{random.getrandbits(128):032x}{file}",
        lambda: uuid(random) + file,
        lambda: f"{random.choice(['page', '~', 'p.', '|'])}{number}{file}",
        lambda: "".join(random.choices("ab1-_.~!$&'()*+,:=@%[]{}^|\u00e9\\", k=random.randint(0, 9))),
        lambda: random.choice(KEYS).format(number),
        lambda: "".join(random.choices("0123456789-_W", k=random.randint(5, 12))),
        lambda: random.choice("xy") * random.choice([79, 80, 81, 90]) + file,
        lambda: "".join(random.choices("abcdefABCDEF0123456789", k=random.randint(12, 30))) + file,
    ]  # fmt: skip
    return random.choice(made)()


def odd(random: Random, text: str) -> str:
    """With parameters, or an escape, or as it is."""
    if text and random.random() < 0.1:
        at = random.randrange(len(text))
        escape = "".join(f"%{byte:02{random.choice('xX')}}" for byte in text[at].encode())
        text = text[:at] + escape + text[at + 1 :]
    if random.random() < 0.12:
        text += ";" + random.choice(["jsessionid=7", "v=1.1;w", "", "a.js", "%20"])
    return text


def lines(random: Random, count: int) -> Iterator[str]:
    hosts = random.sample(HOSTS, random.randint(1, 4))
    shapes = [[random.choice([None, random.choice(WORDS)]) for _ in range(random.randint(0, 4))] for _ in range(5)]
    for _ in range(count):
        path = "/".join(odd(random, word or segment(random)) for word in random.choice(shapes))
        start = f"{random.choice(SCHEMES)}://{random.choice(['', '', 'u:p@'])}{random.choice(hosts)}"
        yield start + random.choice([f"/{path}", f"/{path}", f"/{path}", ""]) + random.choice(["", "?a=1;b", "#x"])


def missing(learnt: LearntRoutes, urls: list[str]) -> list[tuple[str, int]]:
    """The routes that have more lines than their patterns match first, and how many more."""
    found = Counter(route_many(urls, learnt.patterns)["route"].to_pylist())
    return [
        (route.key, route.lines - found[route.key])
        for route in learnt.routes
        if route.key != "{other}" and route.lines > found[route.key]
    ]


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(8))
def test_each_line_alone(seed: int) -> None:
    random = Random(seed)
    urls = [url for url in lines(random, 200) if URL.can_parse(url)]
    learnt = 0
    for url in urls:
        routes = learn_routes([url] * 10)
        assert missing(routes, [url] * 10) == [], url
        learnt += routes.routes[0].key != "{other}"
    assert learnt > len(urls) / 2


@pytest.mark.sample(8)
@pytest.mark.parametrize("seed", range(30))
def test_lines_of_a_site(seed: int) -> None:
    random = Random(seed)
    urls = list(lines(random, random.randint(500, 1500)))
    learnt = learn_routes(urls)
    assert missing(learnt, urls) == []
    assert learnt.routes[-1].lines < 0.7 * learnt.lines


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/cart;jsessionid=7", "/cart;{value}"),
        ("/7;v=1/items", "/{int};{value}/items"),
        ("/%37", "/{id}"),
        ("/%37.js", "/{id}.js"),
        ("/ada%40mail.example", "/{email}"),
        ("/page=", "/{id}"),
        ("/page=%37", "/page={value}"),
        ("/page=7;v=1", "/page={value};{value}"),
        ("/page=;v=1", "/{id};{value}"),
        ("/..;/x", "{other}"),
        ("/cart;", "{other}"),
        ("/" + "x" * 90 + ".js", "/{opaque}.js"),
        ("/" + "x" * 90 + ".js;a", "/{opaque}.js;{value}"),
        ("/" + "f" * 90 + ".js;a", "/{hex}.js;{value}"),
    ],
)
def test_odd_segments(path: str, key: str) -> None:
    assert learn_routes([f"https://shop.example{path}"] * 10).routes[0].key == key


@pytest.mark.parametrize("seed", range(4))
def test_long_words_of_a_to_f_are_counted_as_their_pattern_sees_them(seed: int) -> None:
    random = Random(seed)
    urls = [f"https://shop.example/x/{random.getrandbits(256):064x}" for _ in range(30)]
    for letters in ("a", "fg", "defaced", "f%66"):
        urls += [f"https://shop.example/x/{''.join(random.choices(letters, k=n))}" for n in range(70, 95)]
    learnt = learn_routes(urls)
    found = Counter(route_many(urls, learnt.patterns)["route"].to_pylist())
    assert {route.key: route.lines for route in learnt.routes if route.lines} == found
