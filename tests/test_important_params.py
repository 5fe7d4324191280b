"""weburl.crawl.important_params: which parameters change the pages of a site."""

from __future__ import annotations

import tracemalloc
from random import Random
from typing import Any

import pytest

from weburl import URL
from weburl.crawl import CrawlPolicy, ParameterUse, canonicalize, important_params

# Which parameters of these sites change a page, and which do not.
SITES = {
    "shop.example": ({"id", "color"}, {"view", "from", "b@r"}),
    "news.co.uk": ({"from", "page"}, {"id", "ad[1]"}),
    "1.2.3.4": ({"q"}, {"t"}),
}


def visits(random: Random, count: int, noise: float = 0) -> list[tuple[str, object]]:
    """URLs with the content that their page has; some pages are never twice the same."""
    found: list[tuple[str, object]] = []
    for _ in range(count):
        site = random.choice(sorted(SITES))
        changing, ignored = SITES[site]
        pairs: dict[str, float] = {name: random.randrange(4) for name in changing}
        pairs |= {name: random.choice((0, 1, 2, 3, random.random())) for name in ignored}
        path = random.choice(("/a", "/b", "/c"))
        content = (site, path, *[pairs[name] for name in sorted(changing)])
        query = [f"{name}={value}" for name, value in pairs.items()]
        random.shuffle(query)
        host = random.choice((site, f"www.{site}")) if site != "1.2.3.4" else site
        content = (*content, host) if random.random() >= noise else (random.random(),)
        found.append((f"http://{host}{path}?{'&'.join(query)}", content))
    return found


def rules() -> set[str]:
    return {f"{name.replace('@', '%40')}@{site}" for site, (_, ignored) in SITES.items() for name in ignored}


@pytest.mark.parametrize("seed", range(3))
def test_a_site_whose_parameters_are_known(seed: int) -> None:
    rows = visits(Random(seed), 8000, noise=0.01)
    learnt = important_params(*zip(*rows, strict=True))
    verdicts = {(use.site, use.name): use.verdict for use in learnt.uses}
    for site, (changing, ignored) in SITES.items():
        for name in changing:
            assert verdicts[site, name] == "changes"
        for name in ignored:
            assert verdicts[site, name.replace("[", "%5B").replace("]", "%5D")] == "ignored"
    assert {rule.replace("%5b", "[").replace("%5d", "]") for rule in learnt.ignored} == rules()
    # As rules of a policy, they bring together what is one page, and nothing else.
    policy = CrawlPolicy(tracking_parameters=learnt.ignored)
    pages: dict[str, object] = {}
    for url, content in visits(Random(seed + 100), 4000):
        assert pages.setdefault(canonicalize(url, policy), content) == content
    assert len(pages) <= 2 * 3 * (16 + 16) + 3 * 4


@pytest.mark.parametrize("policy", ["whatwg", CrawlPolicy(fragment="keep")])
def test_a_fragment_is_not_in_the_query(policy: str | CrawlPolicy) -> None:
    """It is part of what two URLs must have in common."""
    rows = [(f"{url}#{number % 2}?id=1&zz={number}", key) for number, (url, key) in enumerate(visits(Random(1), 900))]
    names = {name for _, changing in SITES.items() for each in changing for name in each}
    learnt = important_params(*zip(*rows, strict=True), policy=policy)
    assert {use.name.replace("%5B", "[").replace("%5D", "]") for use in learnt.uses} <= names
    assert {use.pairs for use in learnt.uses} == {0}
    rows = [(f"{url.partition('#')[0]}#?zz=1", key) for url, key in rows]
    assert {use.verdict for use in important_params(*zip(*rows, strict=True), policy=policy).uses} > {"changes"}


@pytest.mark.parametrize("seed", range(5))
def test_the_order_makes_no_difference_to_the_verdicts(seed: int) -> None:
    random = Random(seed)
    rows = visits(Random(seed), 3000)
    first = important_params(*zip(*rows, strict=True)).ignored
    random.shuffle(rows)
    assert important_params(*zip(*rows, strict=True)).ignored == first


def test_counts() -> None:
    urls = ["http://h/?a=1&b=1", "http://h/?b=1&a=2", "http://h/?a=3&b=1#x", "http://h/?a=1&b=1", "http://h/?a=1&b=2"]
    learnt = important_params(urls, ["x", "x", "y", "z", "x"], min_pairs=2, threshold=0.5)
    assert learnt.uses == [
        ParameterUse("h", ("a", "b"), "a", 2, 1, "ignored"),
        ParameterUse("h", ("a", "b"), "b", 1, 0, "unknown"),
    ]
    assert learnt.ignored == {"a@h"}
    assert repr(learnt) == "<ImportantParams of 2 uses>"
    changed = important_params(urls, ["x", "x", "y", "z", "x"], min_pairs=2, threshold=0.4)
    assert changed.uses[0].verdict == "changes"
    assert changed.ignored == set()


def test_a_parameter_that_changes_pages_somewhere_is_never_ignored() -> None:
    urls = [f"http://h/?v={i}" for i in range(30)] + [f"http://h/?v={i}&list" for i in range(30)]
    learnt = important_params(urls, [0] * 30 + [*range(30)])
    assert {use.verdict for use in learnt.uses if use.name == "v"} == {"changes", "ignored"}
    assert learnt.ignored == set()
    # Rules match in any case.
    urls = [f"http://h/?V={i}" for i in range(30)] + [f"http://h/?v={i}" for i in range(30)]
    assert important_params(urls, [0] * 30 + [*range(30)]).ignored == set()
    assert important_params(urls, [0] * 60).ignored == {"v@h"}


@pytest.mark.parametrize(
    "start",
    [
        "http://h/?",
        "http://../?v",
        "foo://H/?v",
        "foo://%41/?v",
        "http://a../?v",
        "http://github.io/?v",
        "http://co.uk/?v",
    ],
)
def test_what_no_rule_can_say_is_not_ignored(start: str) -> None:
    """No rule is for an empty name, for a host that is not as in an http URL, or for a public suffix alone."""
    learnt = important_params([f"{start}={i}" for i in range(30)], [0] * 30)
    assert learnt.ignored == set()
    CrawlPolicy(tracking_parameters=learnt.ignored)


def test_what_is_skipped() -> None:
    many = "&".join(f"n{i}" for i in range(33))
    urls: list[Any] = ["no URL", "mailto:a@b?c=1", f"http://h/?{many}", URL("http://h/?a"), "http://[::1]/?a"]
    learnt = important_params(urls, range(5))
    assert learnt.skipped == 3
    assert [use.site for use in learnt.uses] == ["[::1]", "h"]


@pytest.mark.slow
def test_bounded_memory() -> None:
    """Of more groups than allowed, half are dropped; what is left says the same."""
    rows = [(f"http://h/{i}?t={j}&q={i % 7}", (i, i % 7)) for i in range(6000) for j in range(6)]
    tracemalloc.start()
    learnt = important_params((url for url, _ in rows), (content for _, content in rows), max_groups=1000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_500_000
    assert learnt.ignored == {"t@h"}
    # Names that never come again do not grow it, either.
    names = important_params((f"http://h/?{i}" for i in range(5000)), range(5000), max_groups=100)
    assert len(names.uses) == 100


def test_wrong_arguments() -> None:
    for keys, word in (([1], "fewer"), ([1, 2, 3], "more")):
        with pytest.raises(ValueError, match=f"as many content_keys as urls: there are {word}"):
            important_params(["http://a.com/?x", "http://a.com/?y"], keys)
    for wrong in ({"min_pairs": 0}, {"max_groups": 0}, {"threshold": 1}, {"threshold": -0.1}, {"min_pairs": 1.5}):
        with pytest.raises(ValueError, match="must be"):
            important_params([], [], **wrong)
    with pytest.raises(TypeError):
        important_params("http://h/", [1])
    with pytest.raises(TypeError):
        important_params([b"http://h/"], [1])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="policy must be"):
        important_params(["http://h/"], [1], policy="no policy")
