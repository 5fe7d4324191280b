"""Routes that are learnt: which they are, that they are the same in any order, and that they are bounded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from string import ascii_lowercase
from uuid import UUID

import pytest

from weburl import InvalidURL
from weburl._arrow.cutting import cut_rows, open_column
from weburl._arrow.job import Job
from weburl._learn.learning import read_old
from weburl._learn.summary import Summary, shapes
from weburl.bulk import route_many
from weburl.patterns import LearntRoutes, PatternList, learn_routes

HOST = "https://shop.example"


def word(random: Random, least: int = 4, most: int = 9) -> str:
    return "".join(random.choices(ascii_lowercase, k=random.randint(least, most)))


def keys(learnt: LearntRoutes) -> list[str]:
    return [route.key for route in learnt.routes]


def site(random: Random, count: int) -> list[str]:
    """A site with names, numbers, UUIDs, words and slugs, in sizes that are drawn."""
    names = [word(random) for _ in range(random.randint(200, 600))]
    made: list[Callable[[], str]] = [
        lambda: "/",
        lambda: f"/{random.choice(('about', 'cart', 'search'))}",
        lambda: f"/users/{random.randrange(10**6)}",
        lambda: f"/users/{random.randrange(10**6)}/orders/{UUID(int=random.getrandbits(128), version=4)}",
        lambda: f"/tags/{random.choice(names)}",
        lambda: f"/posts/{word(random)}-{word(random)}-{word(random)}-{word(random)}-{word(random)}.html",
        lambda: f"/pages/page{random.randrange(1000)}.html",
    ]
    return [HOST + random.choice(made)() for _ in range(count)]


@pytest.mark.parametrize("seed", range(3))
def test_a_site_has_its_routes(seed: int) -> None:
    random = Random(seed)
    learnt = learn_routes(site(random, random.randint(4000, 9000)))
    assert keys(learnt) == [
        "/", "/about", "/cart", "/pages/page{int}.html", "/posts/{slug}.html", "/search", "/tags/{slug}",
        "/users/{int}", "/users/{int}/orders/{uuid}", "{other}",
    ]  # fmt: skip
    assert learnt.is_exact
    assert learnt.invalid == 0


@pytest.mark.parametrize("seed", range(3))
def test_counts_are_those_of_the_routes_applied(seed: int) -> None:
    random = Random(seed)
    urls = site(random, random.randint(3000, 6000))
    learnt = learn_routes(urls)
    found = Counter(route_many(urls, learnt.patterns)["route"])
    assert {route.key: route.lines for route in learnt.routes if route.lines} == found
    assert sum(route.lines for route in learnt.routes) == learnt.lines == len(urls)


@pytest.mark.parametrize("seed", range(4))
def test_the_order_does_not_matter(seed: int) -> None:
    random = Random(seed)
    urls = site(random, random.randint(2000, 4000))
    expected = learn_routes(urls).text
    for threads in (1, 2, 3):
        random.shuffle(urls)
        assert learn_routes(urls, threads=threads).text == expected


@pytest.mark.parametrize("seed", range(4))
def test_the_order_does_not_matter_in_a_sample(seed: int) -> None:
    """Above its bound, a summary keeps a sample and frequent texts: the same ones in each order, and in any pieces."""
    random = Random(seed)
    frequent = [f"{HOST}/{word(random)}" for _ in range(20)]
    urls = [f"{HOST}/{word(random)}/{word(random)}" for _ in range(random.randint(9000, 15000))]
    urls += random.choices(frequent, k=6000)
    most = random.randint(300, 900)
    answers = []
    for _ in range(4):
        whole = Summary(most_texts=most)
        job = Job((shapes("paths"),))
        cuts = sorted(random.sample(range(len(urls)), random.randint(1, 40)))
        for begin, end in zip([0, *cuts], [*cuts, len(urls)], strict=True):
            part = Summary(is_bounded=False)
            for piece in cut_rows(open_column(urls[begin:end])):
                batch = job.run(*piece)
                assert batch is not None
                part.add(batch)
            whole.merge(part)
        answers.append(whole.rows())
        random.shuffle(urls)
    assert all(answer == answers[0] for answer in answers)
    assert whole.halvings > 0
    assert sum(weight > 1 for _, _, weight in answers[0]) <= most
    # What is frequent is there, with its lines.
    counts = Counter(urls)
    for url in frequent:
        lines = next(lines for text, lines, weight in answers[0] if f"https://{text}" == url and weight == 1)
        assert counts[url] <= lines <= counts[url] + 60
    # The sample stands for all.
    assert sum(weight for _, _, weight in answers[0]) == pytest.approx(len(counts), rel=0.25)


def test_names_beside_values_stay() -> None:
    random = Random(1)
    urls = [f"{HOST}/{word(random)}" for _ in range(3000)] + [f"{HOST}/login"] * 5 + [f"{HOST}/qwxyz"] * 900
    assert keys(learn_routes(urls)) == ["/login", "/qwxyz", "/{slug}", "{other}"]


@pytest.mark.parametrize("count", [3, 8, 12])
def test_few_values_stay(count: int) -> None:
    random = Random(count)
    names = sorted({word(random) for _ in range(count)})
    urls = [f"{HOST}/kinds/{name}/{n}" for name in names for n in range(30)]
    assert keys(learn_routes(urls)) == [*(f"/kinds/{name}/{{int}}" for name in names), "{other}"]


def test_languages_with_the_same_pages_are_values() -> None:
    urls = [
        f"{HOST}/{language}/{page}"
        for language in ("de", "en", "fr", "pt-BR")
        for page in ("help", "prices")
        for _ in range(20)
    ]
    assert keys(learn_routes(urls)) == ["/{slug}/help", "/{slug}/prices", "{other}"]


def test_rare_literals_are_not_shown() -> None:
    """What stood in few lines is in no key: not a name, not a host."""
    urls = [f"{HOST}/users/{n}" for n in range(100)] + [f"{HOST}/ada-secret-name"] * 9 + ["https://ada.example/x"] * 9
    learnt = learn_routes(urls)
    assert "ada" not in learnt.text
    assert learnt.routes[-1].lines == 18


def test_secrets_are_not_shown() -> None:
    random = Random(3)
    token = "".join(random.choices("ABCDEFabcdef0123456789ghijkl", k=40))
    urls = [f"https://user:{token}@shop.example/users/ada@mail.example/x?key={token}#{token}"] * 500
    urls += [f"{HOST}/reset/{token}"] * 500
    text = learn_routes(urls).text
    assert token not in text
    assert "ada" not in text
    assert "{email}" in text


def test_hosts() -> None:
    urls = [f"https://{host}/{n}" for host in ("a.example", "b.example:8080") for n in range(30)]
    learnt = learn_routes(urls)
    assert keys(learnt) == ["a.example/{int}", "b.example:8080/{int}", "{other}"]
    assert learnt.patterns.first("https://b.example:8080/7")[0] == "b.example:8080/{int}"  # type: ignore[index]


def test_many_hosts_of_one_domain_are_one() -> None:
    random = Random(4)
    urls = [f"https://{word(random)}.shop.example/tickets/{n}" for n in range(500)]
    learnt = learn_routes(urls)
    assert keys(learnt) == ["/tickets/{int}", "{other}"]
    assert learnt.patterns.first("https://new.shop.example/tickets/1") is not None


SPECIAL = (
    "a:b",
    "a*b",
    "a(b)",
    "a+b",
    "a{b}",
    "a\\b",
    "a?b",
    "ä",
    "a;b",
    "a'b",
    "a=b",
    "~a",
    "@a",
    "a|b",
    "[a]",
)


@pytest.mark.parametrize("text", SPECIAL)
def test_each_literal_has_a_pattern_that_matches_it(text: str) -> None:
    url = f"{HOST}/kinds/{text.replace('?', '%3F')}/x"
    learnt = learn_routes([url] * 20)
    found = learnt.patterns.first(url)
    assert found is not None
    if ";" not in text:
        # What follows a semicolon is not part of a template.
        assert found[0] == learnt.routes[0].key != "{other}"


def test_no_key_is_a_comment(tmp_path: Path) -> None:
    learnt = learn_routes([f"{HOST}//a/{n}" for n in range(20)])
    assert keys(learnt) == ["shop.example//a/{int}", "{other}"]
    file = tmp_path / "a.routes"
    file.write_text(learnt.text)
    assert PatternList.read(file) == learnt.patterns


def test_what_has_no_host_is_other() -> None:
    learnt = learn_routes(["mailto:ada@mail.example", "data:,x", "file:///etc/passwd", "not a URL", None])
    assert (keys(learnt), learnt.lines, learnt.invalid) == (["{other}"], 3, 1)


def test_a_base() -> None:
    assert keys(learn_routes(["/users/7"] * 20, base=HOST)) == ["/users/{int}", "{other}"]
    with pytest.raises(InvalidURL):
        learn_routes([], base="//")


@pytest.mark.parametrize("most", [1, 2, 3, 10, 77])
def test_there_are_at_most_so_many(most: int) -> None:
    random = Random(most)
    urls = [f"{HOST}/{name}/{n}" for name in (word(random) for _ in range(12)) for n in range(random.randint(20, 90))]
    urls += [f"https://{word(random)}.example/{name}" for name in ("a", "b", "c") for _ in range(300)]
    learnt = learn_routes(urls, max_routes=most)
    assert len(learnt.routes) <= most
    assert learnt.routes[-1].key == "{other}"
    assert sum(route.lines for route in learnt.routes) == len(urls)


@pytest.mark.parametrize("wrong", [0, -1])
def test_wrong_numbers(wrong: int) -> None:
    with pytest.raises(ValueError, match="max_routes must be at least 1"):
        learn_routes([], max_routes=wrong)
    with pytest.raises(TypeError, match="max_routes must be an int"):
        learn_routes([], max_routes="7")  # type: ignore[arg-type]


def hostile(random: Random, kind: str) -> Iterator[str]:
    count = random.randint(2000, 4000)
    for i in range(count):
        if kind == "paths":
            yield f"{HOST}/{'/'.join(word(random) for _ in range(random.randint(1, 7)))}"
        elif kind == "hosts":
            yield f"https://{word(random)}.{word(random)}.example/{word(random)}"
        elif kind == "segment":
            yield f"{HOST}/{word(random, 30, 60)}"
        elif kind == "deep":
            yield HOST + "".join(f"/{word(random, 1, 2)}" for _ in range(random.randint(20, 120)))
        elif kind == "long" and i < 4:
            yield f"{HOST}/a/{random.choice(ascii_lowercase) * (1 << 20)}/b"


@pytest.mark.parametrize("kind", ["paths", "hosts", "segment", "deep", "long"])
def test_hostile_inputs_are_bounded(kind: str) -> None:
    random = Random(kind)
    urls = list(hostile(random, kind))
    learnt = learn_routes(urls, max_routes=50)
    assert len(learnt.routes) <= 50
    assert len(learnt.text) < 50 * 5000
    assert sum(route.lines for route in learnt.routes) == len(urls)


def test_update_keeps_names(tmp_path: Path) -> None:
    random = Random(6)
    file = tmp_path / "shop.routes"
    urls = site(random, 4000)
    text = learn_routes(urls).text
    # A person changes a name, and writes a comment.
    file.write_text(text.replace("/users/{int}\t", "a user\t").replace("// weburl", "// our shop\n// weburl"))
    same = learn_routes(urls, update=file)
    assert [key.replace("a user", "/users/{int}") for key in keys(same)] == keys(learn_routes(urls))
    assert (same.new, same.died) == ([], [])
    assert "// our shop\n" in same.text
    # Another day: something is new, and something is not used.
    others = [url for url in urls if "/tags/" not in url] + [f"{HOST}/invoices/{n}" for n in range(50)]
    updated = learn_routes(others, update=file)
    assert [route.key for route in updated.new] == ["/invoices/{int}"]
    assert [route.key for route in updated.died] == ["/tags/{slug}"]
    assert keys(updated)[-2:] == ["/invoices/{int}", "{other}"]
    old = {route.key: route.pattern for route in read_old(file).routes}
    assert {route.key: route.pattern for route in updated.routes if not route.is_new} == old
    assert sum(route.lines for route in updated.routes) == len(others)


def test_a_full_file_leaves_out_routes_without_lines(tmp_path: Path) -> None:
    file = tmp_path / "a.routes"
    file.write_text("".join(f"k{n}\t*://shop.example/k{n}\n" for n in range(9)))
    learnt = learn_routes([f"{HOST}/k7"] * 5 + [f"{HOST}/k8"] * 5, max_routes=3, update=file)
    assert keys(learnt) == ["k7", "k8", "{other}"]


def test_the_text_is_a_file_of_routes(tmp_path: Path) -> None:
    learnt = learn_routes(site(Random(8), 3000))
    file = tmp_path / "a.routes"
    file.write_text(learnt.text)
    assert PatternList.read(file) == learnt.patterns
    counts = re.findall(r"^// ([\d,]+) lines?\n(.+)\t", learnt.text, re.M)
    assert [(key, int(number.replace(",", ""))) for number, key in counts] == [
        (route.key, route.lines) for route in learnt.routes
    ]
