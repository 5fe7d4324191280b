"""Rules of what is learnt: rare names are in no key, hosts of many owners stay apart, and routes do not multiply."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from string import ascii_lowercase
from urllib.parse import quote

import pytest
from support.command import run

from weburl._learn.tree import find_routes
from weburl.bulk import route_many
from weburl.patterns import LearntRoutes, learn_routes

HOST = "https://shop.example"
# Where a name can be in a URL. Each is a place of its own: a name in each of them is in few lines.
PLACES = (
    "/{name}", "/users/{name}", "/odata/{name}secret={n}", "/odata/{name}('x{n}')", "/odata/{name}({n})",
    "/odata/x{n}={name}", "/files/{n}.{name}", "/files/{n}.{name};v=1", "/search/{name}.smith{n}=1", "/a/{name};v={n}",
    "/a/b;{name}=1", "/{name}/{n}", "/{n}/{name}/edit", "/a/sha256:{name}", "/a/{name}.html", "/a/{name}{n}",
    "/a/{n}{name}", "/~{name}", "/@{name}", "/a/{name}@mail.example", "/a/{n}-{name}", "/a/{name}%20{n}",
    "/x{n}.{name}/y", "/a/{name}.{name}", "/odata/{n}({name}={n})/items", "/Orders({n}).{name}", "/a/{n},{name}",
    "/a/{name}:{n}", "/pages/page{n}.{name}", "/a/{name}|", "//{name}", "/a//{name}=", "/2026-11-07.{name}",
    "/deadbeefdeadbeef.{name}",
)  # fmt: skip
HOSTS = ("{name}.shop.example", "{name}.example", "x.{name}.example", "shop.example:8{n}", "{name}.shop.example:8080")


def names_of(random: Random, count: int) -> list[str]:
    """Names with a letter that is in no other text."""
    return [f"q{''.join(random.choices('aeiou', k=2))}q{random.choice(ascii_lowercase)}" for _ in range(count)]


@pytest.mark.parametrize("seed", range(12))
def test_names_in_few_lines_are_in_no_key_and_in_no_report(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    urls = [f"{HOST}/{kind}/{n}" for kind in ("users", "odata", "files", "a", "pages") for n in range(40)]
    urls += [f"{HOST}/odata/Orders({n})" for n in range(30)] + [f"{HOST}/files/{n}.pdf" for n in range(30)]
    urls += [f"{HOST}/search/{word}" for word in ("books", "music") for _ in range(50)]
    names = sorted(set(names_of(random, 60)))
    for name in names:
        place = random.choice(PLACES)
        host = random.choice(HOSTS) if random.random() < 0.2 else "shop.example"
        for n in range(random.randint(1, 9)):
            urls.append(f"https://{host}{place}".format(name=name, n=n))
    lines, page = tmp_path / "urls.txt", tmp_path / "page.html"
    lines.write_text("\n".join(urls))
    text = run("learn", str(lines), "--report", str(page)).out
    shown = page.read_text()
    assert [name for name in names if name in text or name in shown] == []
    assert "/odata/Orders({int})\t" in text
    assert "/files/{int}.pdf\t" in text
    assert "/search/books\t" in text


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("times", [1, 9])
def test_each_place_of_a_name(place: str, times: int) -> None:
    urls = [f"{HOST}/a/{n}" for n in range(40)] + [HOST + place.format(name="qalq", n=n) for n in range(times)]
    learnt = learn_routes(urls)
    assert "qalq" not in learnt.text
    assert sum(route.lines for route in learnt.routes) == len(urls)


@pytest.mark.parametrize("path", ["/odata/Qalq({n})", "/files/{n}.qalq", "/qalq/{n}", "/a/qalq={n}"])
def test_names_in_many_lines_are_names(path: str) -> None:
    """So the tests above can fail."""
    assert "qalq" in learn_routes([HOST + path.format(n=n) for n in range(10)]).text.lower()


def keys(learnt: LearntRoutes) -> list[str]:
    return [route.key for route in learnt.routes]


@pytest.mark.parametrize("suffix", ["co.uk", "github.io", "com", "co.uk:8080", "blogspot.com", "example", "com.br"])
@pytest.mark.parametrize("count", [25, 60])
def test_hosts_of_different_owners_stay_apart(suffix: str, count: int) -> None:
    urls = [f"https://site{n}.{suffix}/about" for n in range(count) for _ in range(10)]
    learnt = learn_routes(urls)
    assert keys(learnt) == [*sorted(f"site{n}.{suffix}/about" for n in range(count)), "{other}"]


@pytest.mark.parametrize(
    "domain", ["shop.co.uk", "shop.example", "ada.github.io", "b.shop.example", "shop.example:8080"]
)
def test_hosts_of_one_owner_become_one(domain: str) -> None:
    urls = [f"https://user{n}.{domain}/about" for n in range(25)]
    learnt = learn_routes(urls)
    assert [route.pattern for route in learnt.routes] == [f"*://*.{domain}/about", "*://*:*/*"]
    assert learnt.routes[0].lines == len(urls)


@pytest.mark.parametrize("port", ["", ":8080"])
@pytest.mark.parametrize("scheme", ["https", "foo"])
def test_addresses_are_no_domains(port: str, scheme: str) -> None:
    for form in ("{}.0.0.5", "{}.1.2.3", "10.0.0.{}"):
        urls = [f"{scheme}://{form.format(n)}{port}/about" for n in range(1, 40) for _ in range(10)]
        learnt = learn_routes(urls)
        assert len(learnt.routes) == 40
        assert "*." not in learnt.text


def test_without_the_list_a_domain_has_to_be_among_the_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    from weburl._hosts import suffixes

    def missing(host: str) -> str:
        raise ImportError(name="publicsuffixlist")

    monkeypatch.setattr(suffixes, "registrable_domain", missing)
    assert "weburl._hosts.suffixes" in sys.modules
    urls = [f"https://user{n}.shop.example/about" for n in range(30) for _ in range(10)]
    assert len(learn_routes(urls).routes) == 31
    for host in ("shop.example", "www.shop.example"):
        assert "*://*.shop.example/about\n" in learn_routes([*urls, f"https://{host}/about"]).text


MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()


def word(random: Random) -> str:
    return "".join(random.choices(ascii_lowercase, k=random.randint(5, 9)))


def most_routes(urls: list[str], truths: list[int], learnt: LearntRoutes) -> dict[int, int]:
    """How many learnt routes each true one has."""
    found: dict[int, set[object]] = defaultdict(set)
    for truth, route in zip(truths, route_many(urls, learnt.patterns)["route"].to_pylist(), strict=True):
        found[truth].add(route)
    return {truth: len(routes) for truth, routes in found.items()}


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(8))
def test_levels_of_few_values_do_not_multiply(seed: int) -> None:
    """Below each of some names there are the same names, two or three levels deep, with other things between."""
    random = Random(seed)
    levels = []
    for _ in range(random.randint(2, 3)):
        size = random.randint(4, 12)
        levels.append(random.choice([MONTHS[:size], DAYS[: min(size, 7)], sorted({word(random) for _ in range(size)})]))
    between = [random.choice(["", "/2026", "/{n}", "/x"]) for _ in levels]
    urls, truths = [], []
    for n in range(6000):
        path = "".join(
            f"/{random.choice(level)}{text.replace('{n}', str(n))}" for level, text in zip(levels, between, strict=True)
        )
        urls.append(f"{HOST}{path}/{word(random)}-{word(random)}-{word(random)}")
        truths.append(0)
        if n % 4 == 0:
            urls.append(f"{HOST}/about")
            truths.append(1)
    learnt = learn_routes(urls)
    counts = most_routes(urls, truths, learnt)
    assert counts[1] == 1
    assert counts[0] <= 12
    assert sum(route.lines for route in learnt.routes) == len(urls)
    found = Counter(route_many(urls, learnt.patterns)["route"].to_pylist())
    assert {route.key: route.lines for route in learnt.routes if route.lines} == found


def test_pages_of_resources_are_not_parallel() -> None:
    """Names that differ from one resource to another stay, and so do last segments and known words."""
    random = Random(5)
    resources = [f"/{word(random)}" for _ in range(6)]
    urls = []
    for resource in resources:
        own = [word(random) for _ in range(4)]
        urls += [f"{HOST}{resource}/{n}/{name}/{n}" for name in own for n in range(15)]
        urls += [f"{HOST}{resource}/{action}" for action in ("new", "edit", "all", "search") for _ in range(15)]
    learnt = learn_routes(urls)
    assert len(learnt.routes) == 6 * 8 + 1


KINDS = "pods configmaps secrets endpoints leases".split()


def spaces(random: Random, frequent: list[str], rare: list[str], count: int) -> list[str]:
    """Pages of a few frequent names and of many rare ones, which have the same routes below them."""
    names = [*frequent * (4 * len(rare) // len(frequent)), *rare]
    return [f"{HOST}/spaces/{random.choice(names)}/{random.choice(KINDS)}/{n}" for n in range(count)]


@pytest.mark.parametrize("seed", range(4))
def test_a_frequent_value_is_not_a_name(seed: int) -> None:
    random = Random(seed)
    frequent, rare = [sorted({word(random) for _ in range(count)}) for count in (random.randint(2, 5), 60)]
    urls = spaces(random, frequent, rare, 12_000)
    learnt = learn_routes(urls)
    assert keys(learnt) == [*sorted(f"/spaces/{{slug}}/{kind}/{{int}}" for kind in KINDS), "{other}"]
    # A frequent page beside them, with routes of its own, is a name.
    urls += [f"{HOST}/spaces/overview/{page}/{n}" for page in ("day", "night", "noon") for n in range(900)]
    assert [key for key in keys(learn_routes(urls)) if key.startswith("/spaces/overview/")] == [
        "/spaces/overview/day/{int}", "/spaces/overview/night/{int}", "/spaces/overview/noon/{int}",
    ]  # fmt: skip


@pytest.mark.parametrize("packed", "asc br bz2 gz map md5 sha1 sig xz zst GZ".split())
def test_a_packed_file_keeps_the_extension_before(packed: str) -> None:
    random = Random(packed)
    urls = [
        f"{HOST}/files/{word(random)}{ending}"
        for ending in (f".jar.{packed}", f".pom.{packed}", f".{packed}", ".jar", ".v.jar")
        for _ in range(40)
    ]
    # These are longer than a segment of a template, and have an escape.
    urls += [f"{HOST}/files/{'x' * 90}.jar.{packed}", f"{HOST}/files/a%20b{word(random)}.jar.{packed}"]
    learnt = learn_routes(urls)
    found = {route.key: route.lines for route in learnt.routes if route.lines}
    assert found == {
        f"/files/{{slug}}.jar.{packed}": 42, f"/files/{{slug}}.pom.{packed}": 40, f"/files/{{slug}}.{packed}": 40,
        "/files/{slug}.jar": 80,
    }  # fmt: skip
    assert Counter(route_many(urls, learnt.patterns)["route"].to_pylist()) == found


def test_only_hosts_with_many_routes_get_fewer_names() -> None:
    """One site with many routes does not take the names of the others."""
    random = Random(7)
    sections = sorted({word(random) for _ in range(20)})
    urls = [f"https://small.example/{section}" for section in sections for _ in range(10)]
    for _ in range(30):
        top, pages = word(random), [word(random) for _ in range(30)]
        urls += [f"https://large.example/{top}/{page}" for page in pages for _ in range(10)]
    whole = learn_routes(urls)
    assert len(whole.routes) == 921
    learnt = learn_routes(urls, max_routes=200)
    assert len(learnt.routes) <= 200
    assert [key for key in keys(learnt) if key.startswith("small.")] == [f"small.example/{name}" for name in sections]


def tree_of_files(random: Random, start: str, endings: list[str], count: int) -> list[str]:
    folders = [word(random) for _ in range(random.randint(3, 9))]
    return [
        f"{HOST}{start}/{random.choice(folders)}"
        + "".join(f"/{word(random)}" for _ in range(random.randint(0, 4)))
        + f"/{word(random)}{random.choice(endings)}"
        for _ in range(count)
    ]


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
def test_a_tree_of_files_is_one_route_for_each_of_few_extensions(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    start = random.choice(["/files", "/a/-/raw/main"])
    few = [".js", ".md", ".tar.gz"]
    urls = tree_of_files(random, start, few, 4000)
    learnt = learn_routes(urls)
    assert keys(learnt) == [f"{start}/{{path}}{ending}" for ending in (".tar.gz", ".js", ".md")] + ["{other}"]
    assert learnt.routes[0].pattern == f"*://shop.example{start}/*.tar.gz"
    found = Counter(route_many(urls, learnt.patterns)["route"].to_pylist())
    assert {route.key: route.lines for route in learnt.routes if route.lines} == found
    # An update keeps them, and the page shows them.
    lines, routes, page = tmp_path / "urls.txt", tmp_path / "a.routes", tmp_path / "page.html"
    lines.write_text("\n".join(urls))
    routes.write_text(learnt.text)
    assert run("learn", str(lines), "--update", str(routes), "--report", str(page)).out == learnt.text
    assert "{path}" in page.read_text()
    # There are too many of these.
    many = [f".{a}{b}" for a in "xyz" for b in "klmno"]
    urls = tree_of_files(random, start, many, 4000) + [f"{HOST}{start}/latest"] * 20
    learnt = learn_routes(urls)
    assert keys(learnt) == [f"{start}/latest", f"{start}/{{path}}", "{other}"]
    assert learnt.routes[1].pattern == f"*://shop.example{start}/*"
    assert [route.lines for route in learnt.routes] == [20, 4000, 0]


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
def test_each_value_with_a_tree_of_files_has_one_route_for_it(seed: int) -> None:
    """Most files are in folders of other names, so the depth below each name that is frequent says little."""
    random = Random(seed)

    def project() -> str:
        return f"{HOST}/{word(random)}/{word(random)}"

    pages = [f"{project()}{page}" for page in ("", "/-/issues", "/-/tags") for _ in range(400)]
    pages += [f"{project()}/-/issues/{n}{rest}" for rest in ("", "/edit") for n in range(400)]
    files = [
        f"{project()}/-/raw/{random.choice(['main', 'next', word(random)])}"
        + "".join(f"/{word(random)}" for _ in range(random.randint(0, 3)))
        + f"/{word(random)}{random.choice(['.js', '.md', '.py'])}"
        for _ in range(4000)
    ]
    files += [f"{project()}/-/raw/main/{name}" for name in ("docs", "app") for _ in range(60)]
    files += [f"{project()}/-/raw/main/docs/{word(random)}.md" for _ in range(120)]
    learnt = learn_routes(files + pages)
    own = [
        f"/{{slug}}/{{slug}}{rest}" for rest in ("", "/-/issues", "/-/issues/{int}", "/-/issues/{int}/edit", "/-/tags")
    ]
    counts = {route.key: route.lines for route in learnt.routes}
    assert counts == {**dict.fromkeys(own, 400), "/{slug}/{slug}/-/raw/{path}": len(files), "{other}": 0}


@pytest.mark.parametrize("seed", range(4))
def test_emoji_are_values(seed: int) -> None:
    random = Random(seed)
    signs = random.sample([*map(chr, range(0x1F600, 0x1F640)), *map(chr, range(0x2705, 0x2715))], 24)
    urls = [
        f"{HOST}/reactions/{quote(sign)}/@me"
        for sign in (*signs, "1\ufe0f\u20e3")
        for _ in range(random.randint(10, 90))
    ]
    learnt = learn_routes(urls)
    assert keys(learnt) == ["/reactions/{slug}/@me", "{other}"]
    assert learnt.routes[0].lines == len(urls)
    # As many texts of letters stay, and so do few emoji.
    letters = sorted({word(random) for _ in range(20)})
    urls = [f"{HOST}/reactions/{name}/@me" for name in letters for _ in range(20)]
    assert len(learn_routes(urls).routes) == len(letters) + 1
    urls = [f"{HOST}/reactions/{quote(sign)}/@me" for sign in signs[:12] for _ in range(20)]
    assert len(learn_routes(urls).routes) == 13


@pytest.mark.parametrize("seed", range(4))
def test_names_that_multiply_are_values_if_some_are_values_elsewhere(seed: int) -> None:
    """Below one of the sections, a part of the months are in too few lines to be names."""
    random = Random(seed)
    months = "jan feb mar apr may jun jul aug sep oct nov dec".split()
    sections = sorted({word(random) for _ in range(8)})
    urls = []
    for place, section in enumerate(sections):
        for month in months:
            tail = f"{random.randint(1, 28)}/{word(random)}-{word(random)}-{word(random)}"
            urls += [f"{HOST}/{section}/{2000 + n % 20}/{month}/{tail}{n}" for n in range(30)]
            few = 15 if place or month in random.sample(months, 2) else 5
            urls += [f"{HOST}/{section}/live/{2000 + n % 20}/{month}/{tail}{n}" for n in range(few)]
    found = keys(learn_routes(urls))
    assert len(found) <= 2 * len(sections) + 1
    assert not [key for key in found if set(key.split("/")) & set(months)]


@pytest.mark.parametrize("count", [10, 40])
def test_an_api_is_no_tree_of_files(count: int) -> None:
    random = Random(count)
    names = sorted({word(random) for _ in range(count // 2)})
    urls = [
        f"{HOST}/api/{name}{rest}"
        for name in names
        for n in range(20)
        for rest in ("", f"/{n}", f"/{n}/items", f"/{n}/items/{n}")
    ]
    assert "{path}" not in learn_routes(urls).text
    assert len(learn_routes(urls).routes) == 4 * len(names) + 1


def test_a_site_is_no_tree_of_files() -> None:
    urls = tree_of_files(Random(2), "", [".js"], 4000)
    assert not any(key.startswith("/{path}") for key in keys(learn_routes(urls)))


@pytest.mark.parametrize("prefix", ["in-", "@", "~"])
def test_a_text_before_many_values_stays(prefix: str) -> None:
    random = Random(prefix)
    urls = [f"{HOST}/jobs/{prefix}{word(random)}" for _ in range(400)]
    urls += [f"{HOST}/jobs/{word(random)}-{word(random)}-{word(random)}" for _ in range(800)]
    learnt = learn_routes(urls)
    assert keys(learnt) == [f"/jobs/{prefix}{{slug}}", "/jobs/{slug}", "{other}"]
    assert [route.lines for route in learnt.routes] == [400, 800, 0]
    assert Counter(route_many(urls, learnt.patterns)["route"].to_pylist())["/jobs/{slug}"] == 800
    # Nothing stays if another text is nearly as frequent.
    urls += [f"{HOST}/jobs/near-{word(random)}" for _ in range(100)]
    assert keys(learn_routes(urls)) == ["/jobs/{slug}", "{other}"]


def test_a_page_beside_values_with_pages_below_is_a_name() -> None:
    random = Random(8)
    countries = sorted({word(random) for _ in range(90)})
    urls = [f"{HOST}/{random.choice(countries)}/{word(random)}" for _ in range(4000)]
    urls += [f"{HOST}/{country}" for country in countries] + [f"{HOST}/weather-map"] * 60
    assert keys(learn_routes(urls)) == ["/weather-map", "/{slug}", "/{slug}/{slug}", "{other}"]


def test_rare_names_together_are_a_value() -> None:
    urls = [f"{HOST}/docs/{page}" for page in ("alpha", "beta", "gamma") for _ in range(5)]
    urls += [f"{HOST}/docs/intro"] * 20
    learnt = learn_routes(urls)
    assert keys(learnt) == ["/docs/intro", "/docs/{slug}", "{other}"]
    assert [route.lines for route in learnt.routes] == [20, 15, 0]


def test_of_a_sample_names_that_are_cut_are_values() -> None:
    """Few of the rarer values are in the sample: the frequent ones are not all."""
    rows = [(f"shop.example/category/{chr(97 + n)}{'xyz' * (n % 3)}q", 3000 // (n + 1) + 500, 1) for n in range(26)]
    assert len(find_routes(rows, 100, 0)) == 26
    assert [found.segments for found in find_routes(rows, 100, 450)] == [("category", "{slug}")]
