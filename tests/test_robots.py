"""weburl.robots: RFC 9309, Google's parser, files that are wrong, and the files of many origins."""

from __future__ import annotations

import copy
import json
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support import robots_model
from support.robots_files import body as hard_body
from support.robots_files import url as hard_url

from weburl import URL, FrozenURL, InvalidURL, bulk
from weburl.robots import Robots, RobotsCache, RobotsRule, product_token

AGENT = "ExampleBot"
MODES: tuple[Any, ...] = (None, "rfc9309", "google")
LINES = (Path(__file__).parent / "data" / "robots_verdicts.jsonl").read_text("utf-8").splitlines()
VERDICTS = [json.loads(line) for line in LINES]
DAY = 24 * 3600.0


def parse(*rules: str, compat: Any = None, agent: str = AGENT) -> Robots:
    return Robots.parse("User-agent: *\n" + "\n".join(rules), agent=agent, compat=compat)


def line_of(rule: RobotsRule | None) -> int | None:
    return None if rule is None else rule.line


def test_verdicts_of_googles_parser() -> None:
    assert len(VERDICTS) == 2000
    assert sum(not allowed for *_, allowed in VERDICTS) == 1000
    for body, agent, url, allowed in VERDICTS:
        assert Robots.parse(body.encode("latin-1"), agent=agent, compat="google").allowed(url) is allowed, (body, url)


@pytest.mark.sample(12)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("compat", MODES)
def test_the_model_agrees(compat: Any, seed: int) -> None:
    random = Random(f"{seed} {compat}")
    for _ in range(40):
        body, agent = hard_body(random), random.choice(["FooBot", "BarBot", "Foo"])
        robots = Robots.parse(body, agent=agent, compat=compat)
        again = pickle.loads(pickle.dumps(robots))
        groups = robots_model.groups_of(body, agent, compat)
        patterns = [rule.pattern.decode("utf-8", "replace") for rule in (*groups.own, *groups.others)]
        urls = [hard_url(random, patterns, compat is None) for _ in range(10)]
        expected: list[bool | None] = []
        for url in urls:
            try:
                allowed, line = robots_model.verdict(body, agent, url, compat)
            except InvalidURL:
                with pytest.raises(InvalidURL):
                    robots.allowed(url)
                expected.append(None)
                continue
            expected.append(allowed)
            assert (robots.allowed(url), line_of(robots.rule(url))) == (allowed, line), (body, url)
            assert (again.allowed(url), again.rule(url)) == (allowed, robots.rule(url)), (body, url)
            assert robots.explain(url).startswith("allowed" if allowed else "not allowed")
        assert robots.allowed_many(urls).to_pylist() == expected
        assert (again.warnings, again.sitemaps, again.crawl_delay) == (
            robots.warnings, robots.sitemaps, robots.crawl_delay,
        )  # fmt: skip


# https://www.rfc-editor.org/rfc/rfc9309.html#section-2.2.2 and following.
@pytest.mark.parametrize("compat", [None, "rfc9309"])
@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"),
        ("/foo/bar?baz=https%3a%2f%2ffoo.bar", "/foo/bar?baz=https://foo.bar"),
        ("/foo/bar/\u30c4", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%E3%83%84", "/foo/bar/\u30c4"),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
        ("/foo/bar/baz", "/foo/bar/%62%61%7a"),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html"),
        ("/path/foo-%24", "/path/foo-$"),
        ("/path/$x", "/path/%24x"),
        ("/a b", "/a%20b"),
        ("/*.gif$", "/a/b.gif"),
        ("*.gif$", "/a/b.gif"),
        ("/this/*/exactly", "/this/a/b/exactly?x"),
    ],
)
def test_rfc_9309_matches(rule: str, path: str, compat: Any) -> None:
    assert not parse(f"Disallow: {rule}", compat=compat).allowed("https://example.com" + path)


@pytest.mark.parametrize("compat", [None, "rfc9309"])
@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("/a%2Fb", "/a/b"),
        ("/a/b", "/a%2fb"),
        ("/*.gif$", "/a.gif?x"),
        ("/fish", "/Fish.asp"),
        ("fish", "/fish"),
        ("/x$y", "/x"),
        ("", "/a"),
        ("$", "/"),
        ("/robots", "/robots.txt"),
    ],
)
def test_rfc_9309_does_not_match(rule: str, path: str, compat: Any) -> None:
    assert parse(f"Disallow: {rule}", compat=compat).allowed("https://example.com" + path)


# https://www.rfc-editor.org/rfc/rfc9309.html#section-5.1
RFC_FILE = """\
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""


@pytest.mark.parametrize("compat", MODES)
@pytest.mark.parametrize(
    ("agent", "path", "allowed"),
    [
        ("other", "/a.gif", False),
        ("other", "/example/x", False),
        ("other", "/publications/", True),
        ("foobot", "/", False),
        ("FooBot", "/example/page.html", True),
        ("foobot", "/example/allowed.gif", True),
        ("barbot", "/example/page.html", False),
        ("BazBot", "/example/page.html", False),
        ("bazbot", "/a.gif", True),
        ("quxbot", "/example/page.html", True),
    ],
)
def test_the_file_of_rfc_9309(agent: str, path: str, allowed: bool, compat: Any) -> None:
    assert Robots.parse(RFC_FILE, agent=agent, compat=compat).allowed("https://example.com" + path) is allowed


def test_the_longest_rule_decides() -> None:
    robots = parse("Allow: /example/page/", "Disallow: /example/page/disallowed.gif")
    assert not robots.allowed("https://example.com/example/page/disallowed.gif")
    both = parse("Disallow: /a", "Allow: /a")
    assert both.rule("https://example.com/a") == RobotsRule(3, "Allow: /a", True)
    assert parse("Disallow: /a*", "Allow: /ab").rule("https://example.com/abc") == RobotsRule(3, "Allow: /ab", True)
    assert line_of(parse("Disallow: /a", "Disallow: /a").rule("https://example.com/a")) == 2


# Without escapes, all compare alike, wherever the stars of a rule and the delimiters of a query stand.
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("compat", [None, "rfc9309"])
def test_delimiters_in_queries(compat: Any, seed: int) -> None:
    random = Random(f"delimiters {seed}")
    found = set()
    for _ in range(2000):
        rule = "/" + "".join(random.choices("xy/?:=**", k=random.randrange(1, 8))) + random.choice(["", "$"])
        url = "https://example.com/" + "".join(random.choices("xy/?:=", k=random.randrange(16)))
        allowed = parse(f"Disallow: {rule}", compat="google").allowed(url)
        robots = parse(f"Disallow: {rule}", compat=compat)
        assert robots.allowed(url) is allowed, (rule, url)
        assert repr(robots).endswith(": 1 rule>")
        found.add(allowed)
    assert found == {False, True}
    robots = parse("Disallow: /*/page?x=/y", compat=compat)
    assert [robots.allowed(f"https://h/{url}") for url in ("a/page?x=%2Fy", "q?u=/page?x=/y")] == [False, False]
    # Which of the two spellings matches does not change what counts more.
    robots = parse("Disallow: /*?x=/y", "Allow: /*?x=**y", compat=compat)
    assert [line_of(robots.rule(f"https://h/{url}")) for url in ("?x=/y", "?u=?x=/y", "?u=?x=y")] == [2, 2, 3]


# A mark is one byte, and a part of an escape does not match it.
@pytest.mark.parametrize("compat", [None, "rfc9309"])
@pytest.mark.parametrize(
    ("rule", "path", "allowed"),
    [
        ("/*%", "/?a=/b", True),
        ("/*%", "/?a=%2Fb", False),
        ("/*2Fa", "/?u=/a", True),
        ("/*2Fa", "/?u=%2Fa", False),
        ("/*3", "/?u=a:b", True),
        ("/*F$", "/?u=a/", True),
        ("/x%2Fy", "/x/y", True),
        ("/x%2Fy", "/x%2fy", False),
        ("/*%2F*x=%3A", "/a%2Fb?x=:", False),
        ("/*%2F*x=%3A", "/a/b?x=:", True),
        ("/*?x=/", "/?u=%3Fx=%2F", False),
    ],
)
def test_parts_of_escapes(rule: str, path: str, allowed: bool, compat: Any) -> None:
    # Beside a rule with the escape of a delimiter.
    robots = parse("Disallow: /z?%2F", f"Disallow: {rule}", compat=compat)
    assert robots.allowed("https://example.com" + path) is allowed
    assert not robots.allowed("https://example.com/z?/")


# With more stars than are followed one by one.
@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("compat", MODES)
def test_many_stars(compat: Any, seed: int) -> None:
    random = Random(f"stars {seed}")
    found: set[int | None] = set()
    for _ in range(6):
        letters = random.choice(["ab", "abc", "aab/"])
        rules = [
            f"{random.choice(['Allow', 'Disallow'])}: /"
            + "*".join("".join(random.choices(letters, k=random.randrange(5))) for _ in range(random.randrange(1, 7)))
            + random.choice(["", "", "$"])
            for _ in range(random.randrange(150, 400))
        ]
        body = "User-agent: *\n" + "\n".join(rules)
        robots = Robots.parse(body, agent=AGENT, compat=compat)
        urls = [f"https://h/{''.join(random.choices(letters, k=random.randrange(200)))}" for _ in range(4)]
        expected = [robots_model.verdict(body.encode(), AGENT, url, compat) for url in urls]
        assert [(robots.allowed(url), line_of(robots.rule(url))) for url in urls] == expected
        assert robots.allowed_many(urls).to_pylist() == [allowed for allowed, _ in expected]
        found.update(line for _, line in expected)
    assert len(found) > 6


def test_groups_are_merged() -> None:
    body = (
        "User-agent: examplebot\nDisallow: /a\nUser-agent: other\nDisallow: /\nuser-agent: EXAMPLEBOT/1.0\nDisallow: /b"
    )
    robots = Robots.parse(body, agent=AGENT)
    assert [robots.allowed(f"https://example.com/{name}") for name in "abc"] == [False, False, True]
    assert Robots.parse("User-agent: MJ12bot\nDisallow: /", agent="MJ12bot").allowed("https://a/") is False
    assert Robots.parse("User-agent: MJ12bot\nDisallow: /", agent="MJ").allowed("https://a/") is True
    assert Robots.parse("User-agent: MJ12bot\nDisallow: /", agent="MJ", compat="google").allowed("https://a/") is False


def test_what_is_a_url() -> None:
    robots = parse("Disallow: /b")
    for url in (URL("https://example.com/a/../b"), FrozenURL("https://example.com/%62"), "//example.com/b", "b?"):
        assert not robots.allowed(url, "https://example.com/")
    for base in (URL("https://example.com/"), "https://example.com/c"):
        assert not robots.allowed("b", base)
    assert robots.allowed("mailto:/b".replace("/", ""))
    assert robots.allowed("https://example.com")
    assert not parse("Disallow: /").allowed("foo://example.com")
    assert not parse("Disallow: *").allowed("foo://h?x")
    with pytest.raises(InvalidURL):
        robots.allowed("b")
    for compat in MODES:
        for method in (parse(compat=compat).allowed, parse(compat=compat).rule, parse(compat=compat).explain):
            with pytest.raises(TypeError, match="url must be a str or a URL, not bytes"):
                method(b"https://example.com/")  # type: ignore[arg-type]
    assert not parse("Disallow: /b", compat="google").allowed(URL("https://example.com/a/../b"))
    assert parse("Disallow: /b", compat="google").allowed("https://example.com/a/../b")


def test_arguments() -> None:
    with pytest.raises(ValueError, match=r'must be a product token of letters, digits, - and _, not .*: write "Foo"'):
        Robots.parse("", agent="Foo/2.1")
    with pytest.raises(ValueError, match="product token"):
        Robots.parse("", agent="")
    with pytest.raises(TypeError, match="agent must be a str, not bytes"):
        Robots.parse("", agent=b"Foo")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="body must be bytes or a str, not int"):
        Robots.parse(1, agent="Foo")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match='compat must be None, "rfc9309" or "google", not '):
        Robots.parse("", agent="Foo", compat="bing")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"Robots.parse\(\) makes a Robots"):
        Robots()
    with pytest.raises(TypeError, match="robots must be a Robots, not str"):
        bulk.robots_allowed_many(["https://a/"], "User-agent: *")  # type: ignore[arg-type]
    assert Robots.parse("", agent="*").agent == "*"
    assert Robots.parse("", agent="Foo/2.1", compat="google").agent


def test_digits_in_agents() -> None:
    body = "User-agent: Bot2\nDisallow: /a\nUser-agent: *\nDisallow: /b"
    assert [Robots.parse(body, agent="Bot2").allowed(f"https://h/{name}") for name in "ab"] == [False, True]
    google = Robots.parse(body, agent="Bot2", compat="google")
    assert [google.allowed(f"https://h/{name}") for name in "ab"] == [True, False]
    for make in (
        lambda: Robots.parse(body, agent="Bot2", compat="rfc9309"),
        lambda: RobotsCache("B2", compat="rfc9309"),
    ):
        with pytest.raises(ValueError, match=r'with compat="rfc9309", agent .* letters, - and _, not .B'):
            make()
    compat: Any
    for compat in ([], {}, 1, b"google"):
        with pytest.raises(ValueError, match='compat must be None, "rfc9309" or "google", not '):
            Robots.parse("", agent="a", compat=compat)


def test_tokens() -> None:
    for header, token in [
        ("ExampleBot", "ExampleBot"),
        ("MJ12bot/v1.4.8 (http://mj12bot.com/)", "MJ12bot"),
        ("Mozilla/5.0 (compatible; Example-Bot/2.1; +https://example.com)", "Example-Bot"),
        ("Mozilla/5.0 (X11; Linux)", "Mozilla"),
        ("Mozilla/5.0 (compatible;)", "Mozilla"),
        ("", ""),
        ("\u00e9x", ""),
    ]:
        assert product_token(header) == token
    with pytest.raises(TypeError, match="user_agent must be a str, not bytes"):
        product_token(b"a")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        (b"User-agent: *\nDisallow: /a\0b\n", [(2, "nul")]),
        (b"\xef\xbb\xbfUser-agent: *\nDisallow: /a", []),
        ("User-agent: *\nDisallow: /a".encode("utf-16"), [(1, "utf-16")]),
        (b"\xfe\xff" + "User-agent: *\r\nDisallow: /a".encode("utf-16-be"), [(1, "utf-16")]),
        (b"\xff\xfe\x00", [(1, "utf-16"), (1, "no-colon")]),
        (b" <!doctype html>\n<p>a</p>", [(1, "html"), (1, "unknown-key"), (2, "no-colon")]),
        (b"User-agent: *\nDisallow: a\nCrawl-delay: x\nCrawl-delay: nan",
         [(2, "no-slash"), (3, "bad-delay"), (4, "bad-delay")]),
        (b"Disallow: /\n:x\n\nfoo bar baz\nfoo: x\nHost: a",
         [(1, "no-group"), (2, "unknown-key"), (4, "no-colon"), (5, "unknown-key")]),
        (b"\xff\xff: \xff", [(1, "unknown-key")]),
        (b"", []),
        (b"\0", [(1, "nul")]),
        (b"\r\r\n\n\r", []),
        (b"user agent: *\nDisalow:/b\ndisallow /a\ndisallow /a b",
         [(1, "misspelt"), (2, "misspelt"), (3, "missing-colon"), (4, "no-colon")]),
    ],
)  # fmt: skip
def test_warnings(body: bytes, codes: list[tuple[int, str]]) -> None:
    robots = Robots.parse(body, agent=AGENT)
    assert [(warning.line, warning.code) for warning in robots.warnings] == codes
    assert all(warning.message and isinstance(warning.text, str) for warning in robots.warnings)
    if b"/\0a" in body or b"/a" in body:
        assert not robots.allowed("https://example.com/a")


def test_many_warnings() -> None:
    robots = Robots.parse(b"<p>\n" * 5000, agent=AGENT)
    assert len(robots.warnings) == 1002
    assert robots.warnings[-1].code == "more"
    assert robots.warnings[-1].text == "4000"
    robots = parse(*["Crawl-delay: soon"] * 3000)
    assert len(robots.warnings) == 1001
    assert robots.warnings[-1] == (1001, "more", robots.warnings[-1].message, "2000")


def test_a_limit() -> None:
    body = b"User-agent: *\nDisallow: /a\nDisallow: /b"
    robots = Robots.parse(body, agent=AGENT, limit=30)
    assert [robots.allowed(f"https://a/{name}") for name in "ab"] == [False, True]
    assert [(warning.line, warning.code) for warning in robots.warnings] == [(3, "cut")]
    assert Robots.parse(body, agent=AGENT, limit=len(body)).warnings == []
    assert Robots.parse(body, agent=AGENT, limit=0).allowed("https://a/a")
    for encoding in ("utf-16-le", "utf-16-be"):
        wide = "\ufeff".encode(encoding) + body.decode().encode(encoding)
        for limit in range(56, 76):
            robots = Robots.parse(wide, agent=AGENT, limit=limit)
            assert [robots.allowed(f"https://a/{name}") for name in "ab"] == [False, True], (encoding, limit)


def test_long_lines() -> None:
    name = "a" * 16_652
    for extra, google in [(0, False), (1, False)]:
        body = f"User-agent: *\nDisallow: /{name}{'a' * extra}b"
        url = f"https://h/{name}"
        assert Robots.parse(body, agent=AGENT, compat="google").allowed(url) is google
        assert Robots.parse(body, agent=AGENT).allowed(url) is True
    assert Robots.parse(body, agent=AGENT, compat="google").warnings[0].code == "too-long-line"


def test_what_is_handed_over() -> None:
    body = (
        "Sitemap: https://example.com/1\nUser-agent: *\nCrawl-delay: 1\nContent-Signal: search=yes,  AI-Train=no,x\n"
        "User-agent: ExampleBot\nCrawl-delay: 0.5\nDisallow: /\nContent-Usage: train-ai=n, search=y\n"
        f"Content-Usage: /a/ train-ai=y\nSitemap: /{'x' * 3000}\nSitemap:\nContent-Signal: search=no"
    )
    robots = Robots.parse(body, agent=AGENT)
    assert robots.sitemaps == ["https://example.com/1", f"/{'x' * 3000}"]
    assert robots.crawl_delay == 0.5
    assert robots.content_usage == [("/", {"train-ai": "n", "search": "y"}), ("/a/", {"train-ai": "y"})]
    assert robots.content_signals == {"search": "no"}
    other = Robots.parse(body, agent="Other")
    assert (other.crawl_delay, other.content_usage[:1]) == (1.0, [("/", {"train-ai": "n", "search": "y"})])
    assert other.content_signals == {"search": "no", "ai-train": "no", "x": ""}


@pytest.mark.parametrize(
    ("text", "delay"), [("1e3", 1000.0), ("1_0", None), ("\u0663", None), ("nan", None), ("inf", None), ("-1", None)]
)
def test_delays(text: str, delay: float | None) -> None:
    assert parse(f"Crawl-delay: {text}").crawl_delay == delay


# Some rules are kept twice, and that does not show.
@pytest.mark.parametrize(("rule", "compat"), [("Allow: /index.html", "google"), ("Disallow: /*?a=/b", None)])
def test_copies_of_copies(rule: str, compat: Any) -> None:
    robots = parse(rule, "Disallow: /b", compat=compat)
    assert repr(robots) == "<Robots for ExampleBot: 2 rules>"
    first = pickle.dumps(robots)
    for _ in range(3):
        robots = pickle.loads(pickle.dumps(robots))
    assert pickle.dumps(robots) == first
    assert [line_of(robots.rule(f"https://h{path}")) for path in ("/", "/?a=/b", "/b")] in ([2, None, 3], [None, 2, 3])


def test_values() -> None:
    robots = parse("Disallow: /a", "Sitemap: https://a/")
    assert repr(robots) == "<Robots for ExampleBot: 1 rule>"
    assert copy.copy(robots) is copy.deepcopy(robots) is robots
    again = pickle.loads(pickle.dumps(robots))
    assert again.agent == AGENT
    assert again.explain("https://a/a") == robots.explain("https://a/a")


def test_a_cache_can_be_pickled() -> None:
    cache = RobotsCache(AGENT, max_age=100)
    cache.put("https://a/", 200, b"User-agent: *\nDisallow: /x")
    cache.put("https://b/", 301, headers={"Location": "https://c/robots.txt"})
    cache.failed("https://d/")
    again = pickle.loads(pickle.dumps(cache))
    urls = ("https://a/x", "https://a/y", "https://b/", "https://d/", "https://e/")
    assert (
        [again.allowed(url) for url in urls] == [cache.allowed(url) for url in urls] == [False, True, None, False, None]
    )
    assert again.robots_url("https://b/") == "https://c/robots.txt"
    # It is another one, with a lock of its own.
    again.put("https://e/", 404)
    assert (cache.allowed("https://e/"), again.allowed("https://e/")) == (None, True)


@pytest.mark.parametrize(
    "change",
    [
        {0: "a b"},
        {1: "bing"},
        {3: b"disallow:/a\rb\n"},
        {3: b"disallow:/a\n\n"},
        {4: []},
        {4: ["x"]},
        {5: [("evil", 1, "")]},
        {6: [(1, "evil", "")]},
        {5: [(1, 2)]},
    ],
)
def test_crafted_pickles(change: dict[int, Any]) -> None:
    restore, state = parse("Disallow: /a").__reduce__()
    with pytest.raises((ValueError, TypeError)):
        restore(*[change.get(place, value) for place, value in enumerate(state)])


def test_columns() -> None:
    robots = parse("Disallow: /*b$", "Allow: /ab")
    urls = [f"https://example.com/{'a' * (i % 7)}{'b' * (i % 3)}?{'' if i % 2 else '#b'}" for i in range(1000)]
    urls = [url.replace("?", "") if i % 3 else url for i, url in enumerate(urls)]
    urls[70:75] = ["", "no URL", "https://exa mple.com/", "mailto:b", "https://\u00e9/b"]
    column: list[str | None] = [*urls, None]
    for threads in (1, 3):
        found = robots.allowed_many(column, threads=threads)
        assert found.to_pylist() == [*[None if not URL.can_parse(url) else robots.allowed(url) for url in urls], None]
    with pytest.raises(InvalidURL):
        bulk.robots_allowed_many(column, robots, on_error="raise")
    google = parse("Disallow: /*b$", "Allow: /ab", compat="google")
    assert google.allowed_many(column).to_pylist() == [*map(google.allowed, urls), None]
    assert sum(not allowed for allowed in google.allowed_many(urls)) > 100


def test_threads() -> None:
    robots = parse(*[f"Disallow: /*a{i}$" for i in range(2000)])
    wrong: list[int] = []

    def ask(first: int) -> None:
        for i in range(first, 2000, 4):
            if robots.allowed(f"https://h/xa{i}") or not robots.allowed(f"https://h/xa{i}/"):
                wrong.append(i)

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


class Clock:
    def __init__(self) -> None:
        self.now = 1e9

    def __call__(self) -> float:
        return self.now


PAGE = "https://example.com/a"
FORBIDS = b"User-agent: *\nDisallow: /a"


@pytest.mark.parametrize(
    ("status", "allowed"),
    [(200, False), (204, True), (301, True), (304, True), (400, True), (401, True), (403, True), (404, True),
     (410, True), (429, False), (499, True), (500, False), (503, False), (599, False), (999, False), (100, False),
     (0, False)],
)  # fmt: skip
def test_statuses(status: int, allowed: bool) -> None:
    cache = RobotsCache(AGENT)
    assert cache.allowed(PAGE) is None
    assert cache.put(PAGE, status, FORBIDS if status == 200 else b"") is None
    assert cache.allowed(PAGE) is allowed
    assert cache.allowed("https://example.com/robots.txt") is True
    assert cache.allowed("http://example.com/a") is None
    assert cache.allowed("https://example.com:444/a") is None
    assert cache.allowed(URL("https://EXAMPLE.com:443/a?b")) is allowed


def test_too_many_requests() -> None:
    cache = RobotsCache(AGENT, too_many_requests="allow")
    cache.put(PAGE, 429)
    assert cache.allowed(PAGE) is True


def test_redirects() -> None:
    cache = RobotsCache(AGENT)
    for i in range(5):
        status = (301, 302, 303, 307, 308)[i]
        found = cache.put(PAGE, status, headers=[(b"x", b"y"), (b"LOCATION", f"../robots{i}.txt#x".encode())])
        assert found == f"https://example.com/robots{i}.txt" == cache.robots_url(PAGE)
        assert cache.allowed(PAGE) is None
    assert cache.put(PAGE, 301, headers={"Location": "/more"}) is None
    assert cache.allowed(PAGE) is True
    assert cache.robots_url(PAGE) == "https://example.com/robots.txt"
    other = RobotsCache(AGENT)
    assert other.put(PAGE, 302, headers={"location": "//other.example/r"}) == "https://other.example/r"
    assert other.put(PAGE, 200, FORBIDS) is None
    assert other.allowed(PAGE) is False
    assert other.allowed("https://other.example/a") is None
    for location in ("file:///etc/passwd", "https://a b/", ""):
        cache = RobotsCache(AGENT)
        found = cache.put(PAGE, 307, headers={"Location": location})
        assert found == (None if location else "https://example.com/robots.txt")


def test_time() -> None:
    clock = Clock()
    cache = RobotsCache(AGENT, clock=clock)
    cache.put(PAGE, 200, FORBIDS)
    clock.now += DAY - 1
    assert cache.allowed(PAGE) is False
    clock.now += 1
    assert cache.allowed(PAGE) is None
    cache.put(PAGE, 304)
    assert cache.allowed(PAGE) is False
    # What was read counts on for 30 days.
    clock.now += DAY
    cache.failed(PAGE)
    assert cache.allowed(PAGE) is False
    assert cache.allowed("https://example.com/b") is True
    clock.now += 600
    assert cache.allowed(PAGE) is None
    clock.now += 29 * DAY
    cache.put(PAGE, 503)
    assert cache.allowed("https://example.com/b") is False
    assert cache.robots(PAGE) is None
    clock.now += DAY
    cache.failed(PAGE)
    assert cache.allowed("https://example.com/b") is True
    # An answer begins anew.
    cache.put(PAGE, 404)
    clock.now += DAY
    cache.failed(PAGE)
    assert cache.allowed(PAGE) is False
    clock.now += 30 * DAY - 1
    cache.failed(PAGE)
    assert cache.allowed(PAGE) is False
    clock.now += 1
    cache.failed(PAGE)
    assert cache.allowed(PAGE) is True


def test_a_clock_that_is_set_back() -> None:
    clock = Clock()
    cache = RobotsCache(AGENT, clock=clock)
    answers: list[Callable[[], object]] = [lambda: cache.put(PAGE, 404), lambda: cache.failed(PAGE)]
    for answer in answers:
        answer()
        clock.now -= 1000 * DAY
        assert cache.allowed(PAGE) is None
        answer()
        assert cache.allowed(PAGE) is not None


@pytest.mark.parametrize("compat", MODES)
def test_a_cache_compares_as_its_files_do(compat: Any) -> None:
    cache = RobotsCache(AGENT, compat=compat)
    cache.put(PAGE, 200, b"User-agent: *\nDisallow: /b")
    robots = cache.robots(PAGE)
    assert robots is not None
    url = "https://example.com/a/../b"
    assert cache.allowed(url) is robots.allowed(url) is (compat is not None)
    assert cache.allowed(URL(url)) is robots.allowed(URL(url)) is False


def test_many_origins() -> None:
    cache = RobotsCache(AGENT, max_origins=3)
    for i in range(5):
        cache.put(f"https://{i}.example/", 200, FORBIDS)
        cache.allowed("https://0.example/a")
    assert len(cache) == 3
    assert repr(cache) == "<RobotsCache for ExampleBot: 3 origins>"
    assert [cache.allowed(f"https://{i}.example/a") for i in range(5)] == [False, None, None, False, False]


def test_a_cache_reads_no_more_than_its_limit() -> None:
    body = b"User-agent: *\n" + b"#" * 511_000 + b"\nDisallow: /b\n" + b"#" * 3000 + b"\nDisallow: /a"
    cache = RobotsCache(AGENT)
    cache.put(PAGE, 200, body)
    assert cache.allowed(PAGE) is True
    assert cache.allowed("https://example.com/b") is False
    robots = cache.robots(PAGE)
    assert robots is not None
    assert robots.warnings[0].code == "cut"
    large = RobotsCache(AGENT, limit=1 << 20)
    large.put(PAGE, 200, body)
    assert large.allowed(PAGE) is False


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: RobotsCache("a b"), ValueError, "product token"),
        (lambda: RobotsCache(AGENT, limit=511_999), ValueError, "limit must be at least 512000"),
        (lambda: RobotsCache(AGENT, max_origins=0), ValueError, "max_origins"),
        (lambda: RobotsCache(AGENT, too_many_requests="x"), ValueError, "too_many_requests"),  # type: ignore[arg-type]
        (lambda: RobotsCache(AGENT, compat="x"), ValueError, "compat"),  # type: ignore[arg-type]
        (lambda: RobotsCache(AGENT).allowed("mailto:a"), ValueError, "scheme is mailto"),
        (lambda: RobotsCache(AGENT).allowed("a"), InvalidURL, "missing-scheme"),
        (lambda: RobotsCache(AGENT).allowed(1), TypeError, "url must be a str or a URL"),  # type: ignore[arg-type]
        (lambda: RobotsCache(AGENT).put(PAGE, "200"), TypeError, "status must be an int"),  # type: ignore[arg-type]
    ],
)
def test_arguments_of_a_cache(make: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_what_was_fetched() -> None:
    cache = RobotsCache(AGENT)
    first, second = "https://example.com/robots.txt", "https://www.example.com/robots.txt"
    moved = {"Location": second}
    # Many threads report the same redirect, and the answer of another site comes along.
    for _ in range(20):
        assert cache.put(PAGE, 301, headers=moved, fetched=first) == second
    assert cache.put(PAGE, 404, fetched="https://other.example/robots.txt") == second
    assert cache.allowed(PAGE) is None
    assert cache.put(PAGE, 200, FORBIDS, fetched=URL(f"{second}#x")) is None
    assert cache.allowed(PAGE) is False
    # What is late changes nothing.
    assert cache.put(PAGE, 404, fetched=second) is None
    assert cache.allowed(PAGE) is False
    assert cache.put(PAGE, 404, fetched=first) is None
    assert cache.allowed(PAGE) is True
    with pytest.raises(InvalidURL):
        cache.put(PAGE, 404, fetched="robots.txt")


@pytest.mark.parametrize("url", ["ws://h/", "wss://h/a", "blob:https://h/a", "mailto:a", "data:,a", "file:///a"])
def test_schemes_without_a_file(url: str) -> None:
    cache = RobotsCache(AGENT)
    for method in (cache.robots_url, cache.allowed, cache.robots, cache.failed, lambda url: cache.put(url, 200)):
        with pytest.raises(
            ValueError, match=f"only http, https and ftp URLs have a robots.txt: the scheme is {url[:2]}"
        ):
            method(url)


@pytest.mark.parametrize(
    ("headers", "what"), [({1: "/a"}, "name"), ([(None, "/a")], "name"), ({"Location": 1}, "value")]
)
def test_headers_that_are_not_text(headers: Any, what: str) -> None:
    with pytest.raises(TypeError, match=f"the {what} of a header must be a str or bytes, not "):
        RobotsCache(AGENT).put(PAGE, 301, headers=headers)
