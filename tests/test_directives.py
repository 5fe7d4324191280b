"""RobotsDirectives: the header X-Robots-Tag, and meta elements for crawlers."""

from __future__ import annotations

import pickle
import random
import time
from datetime import UTC, datetime
from typing import Any

import pytest

from weburl._crawl.directives import of_metas, parse_date
from weburl.crawl import RobotsDirectives

parse = RobotsDirectives.parse


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ("", "(none)"), ([], "(none)"), (" , ,, ", "(none)"), ("NoIndex", "noindex"), (b"noindex", "noindex"),
        ("noindex,noindex , NOFOLLOW", "noindex, nofollow"), (["noindex", b"nofollow"], "noindex, nofollow"),
        ("googlebot: noindex, nofollow", "googlebot: noindex, nofollow"),
        # Headers that something on the way has joined.
        ("noarchive, googlebot: noindex, otherbot: nofollow, none", "noarchive; googlebot: noindex; otherbot: nofollow,"
         " none"),
        # A value is a line of the header: no agent of another one counts.
        (["googlebot: noindex", "nofollow"], "nofollow; googlebot: noindex"),
        (["a: x", "b: y", "A: z"], "a: x, z; b: y"), ("*: noindex", "noindex"), ("robots: noindex", "noindex"),
        ("max-snippet : 20, max-image-preview:large", "max-snippet:20, max-image-preview:large"),
        ("googlebot: max-snippet: 20", "googlebot: max-snippet:20"), ("bot:", "(none)"), (":noindex", ":noindex"),
        ("a b: noindex", "a b:noindex"), ("a: b: c", "a: b:c"),
        ("unavailable_after: Fri, 25 Jun 2032 15:00:00 GMT, noindex", "unavailable_after:fri, 25 jun 2032 15:00:00 gmt,"
         " noindex"),
        ("bot: unavailable_after: Friday, 25-Jun-32 15:00:00 GMT, b: none", "bot: unavailable_after:friday, 25-jun-32"
         " 15:00:00 gmt; b: none"),
        ("unavailable_after: fri", "unavailable_after:fri"), ("unavailable_after:", "unavailable_after:"),
        ("mon, noindex", "mon, noindex"), ("no index", "no index"), (b"\xe9\xff", "éÿ"), ("\0, noindex", "\0, noindex"),
    ],
)  # fmt: skip
def test_parse(values: Any, shown: str) -> None:
    assert repr(parse(values)) == f"<RobotsDirectives {shown}>"


def test_for_an_agent() -> None:
    robots = parse(["noarchive", "ExampleBot: noindex", "otherbot: nofollow"])
    assert (robots.noindex, robots.nofollow, robots.agents) == (False, False, ("examplebot", "otherbot"))
    for name in ("examplebot", "EXAMPLEBOT", " ExampleBot "):
        own = robots.for_agent(name)
        assert (own.noindex, own.nofollow, own.rules, own.agents) == (True, False, ("noarchive", "noindex"), ())
    for name in ("", "example", "examplebot2", "*", "robots", "é"):
        assert robots.for_agent(name) == parse("noarchive")
    # What is stricter counts.
    assert parse(["none", "examplebot: all, index, follow"]).for_agent("examplebot").noindex


@pytest.mark.parametrize(("text", "noindex", "nofollow"), [
    ("none", True, True), ("noindex", True, False), ("nofollow", False, True), ("all", False, False),
    ("index, noindex", True, False), ("noindexx", False, False), ("noindex nofollow", False, False), ("", False, False),
])  # fmt: skip
def test_what_may_be_done(text: str, noindex: bool, nofollow: bool) -> None:
    robots = parse(text)
    assert (robots.noindex, robots.nofollow, bool(robots)) == (noindex, nofollow, bool(text))


@pytest.mark.parametrize(("text", "date"), [
    ("25 Jun 2010 15:00:00 PST", "2010-06-25 23:00"), ("Friday, 25-Jun-2032 15:00:00 EST", "2032-06-25 20:00"),
    ("25-Aug-2007 15:00:00 EST", "2007-08-25 20:00"), ("2020-09-21", "2020-09-21 00:00"),
    ("2030-06-25T15:00:00Z", "2030-06-25 15:00"), ("2010-06-25T15:00:00+01:00", "2010-06-25 14:00"),
    ("Sat, 25 Jun 10 15:00 GMT", "2010-06-25 15:00"), ("25 Jun 2010 15:00:00", "2010-06-25 15:00"),
    ("25 jun 2010 15:00:00 +0200", "2010-06-25 13:00"),
    ("0001-01-01T00:00:00+14:00", None), ("9999-12-31T23:59:59-14:00", None), ("Wed, 99 Jun 2030 00:00:00 GMT", None),
    ("soon", None), ("", None), ("1" * 65, None), ("٢٠٣٠-01-01", None), ("2030-01-01" + " " * 100, "2030-01-01 00:00"),
    ("1 Jan 99999999999999999999 00:00 GMT", None), ("25 Jun 2010 15:00:00 +99999999999999", None),
])  # fmt: skip
def test_dates(text: str, date: str | None) -> None:
    expected = None if date is None else datetime.fromisoformat(date).replace(tzinfo=UTC)
    assert parse_date(text.lower()) == parse_date(text) == expected
    assert parse(f"noindex, unavailable_after: {text}, nofollow").unavailable_after == expected


def test_the_first_date_counts() -> None:
    robots = parse(["unavailable_after: 2031-01-01", "unavailable_after: never", "bot: unavailable_after: 2030-01-01"])
    both = robots.for_agent("bot")
    assert robots.unavailable_after == datetime(2031, 1, 1, tzinfo=UTC)
    assert both.unavailable_after == datetime(2030, 1, 1, tzinfo=UTC)
    assert "unavailable_after:never" in both.rules
    assert parse("noindex").unavailable_after is None


def test_metas() -> None:
    robots = of_metas([
        ("description", "tea, coffee"), ("robots", "NoArchive"), ("GoogleBot", " nofollow,foo"), ("ROBOTS ", "noindex"),
        ("otherbot", "whatever"), ("x y", "noindex"), ("", "noindex"), ("bot", "otherbot: noindex"),
    ])  # fmt: skip
    assert repr(robots) == "<RobotsDirectives noarchive, noindex; googlebot: nofollow, foo>"


@pytest.mark.parametrize("name", ["keywords", "Description", "news_keywords", "dc.subject", "citation_title", "rating"])
def test_metadata_is_no_agent(name: str) -> None:
    robots = of_metas([(name, "noindex, archive, seo"), ("examplebot", "noindex, new-rule")])
    assert repr(robots) == "<RobotsDirectives examplebot: noindex, new-rule>"


def test_both() -> None:
    one, other = parse(["noindex", "a: none"]), parse(["noindex, nofollow", "b: noindex", "a: noarchive"])
    both = one | other
    assert repr(both) == "<RobotsDirectives noindex, nofollow; a: none, noarchive; b: noindex>"
    assert both == parse(["noindex, nofollow", "a: none, noarchive", "b: noindex"])
    assert one | parse("") == one
    assert hash(parse("a: none, noindex")) == hash(parse("A:none,noindex"))
    assert one != other
    assert one != "noindex"
    with pytest.raises(TypeError):
        one | "noindex"  # type: ignore[operator]


def test_pickles_and_agents_of_metas() -> None:
    for robots in (parse("a: none, noindex"), parse(""), parse("x", agent="bot")):
        assert pickle.loads(pickle.dumps(robots)) == robots
    assert parse("a: noindex", agent="bot").agents == ("bot",)
    assert parse("noindex", agent="*") == parse("noindex", agent="robots") == parse("noindex")


def test_wrong_arguments() -> None:
    for values in (None, 1, [None], ["x", 1]):
        with pytest.raises(TypeError, match="values must be bytes, a str, or a list of these"):
            parse(values)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="agent must be a str or None"):
        parse("x", agent=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="agent must be a str"):
        parse("x").for_agent(None)  # type: ignore[arg-type]


WORDS = [
    "noindex",
    "none",
    "googlebot",
    "unavailable_after",
    "fri",
    "25 jun 2030 10:00 gmt",
    ":",
    ",",
    " ",
    "*",
    "é",
    "\0",
]


@pytest.mark.parametrize("seed", range(200))
def test_any_text(seed: int) -> None:
    """No exception; and what is strict for everyone is strict for each agent."""
    rng = random.Random(seed)
    values = ["".join(rng.choices(WORDS, k=rng.randrange(40))) for _ in range(rng.randrange(4))]
    robots = parse(values)
    assert parse(iter(values)) == robots
    assert parse([value.upper() for value in values if value.isascii()]) == parse(
        [value for value in values if value.isascii()]
    )
    for agent in (*robots.agents, "x"):
        own = robots.for_agent(agent)
        assert set(robots.rules) <= set(own.rules)
        assert (robots.noindex, robots.nofollow) <= (own.noindex, own.nofollow) or own.noindex
        assert own.unavailable_after is None or own.unavailable_after.tzinfo is UTC


@pytest.mark.timed
@pytest.mark.parametrize("unit", ["a:", "a: b,", "noindex,", "x", ", ", "unavailable_after: fri,", "bot: none,", " "])
def test_long_headers_take_linear_time(unit: str) -> None:
    start = time.process_time()
    robots = parse([unit * (2_000_000 // len(unit))])
    assert robots.noindex in (True, False)
    assert robots.unavailable_after is None
    assert time.process_time() - start < 10


@pytest.mark.parametrize("agent", ["ExampleBot/2.1", "ExampleBot (+https://example.com/bot)", "a b"])
def test_an_agent_is_no_header(agent: str) -> None:
    message = r"agent must be a name such as 'examplebot', not .*: use weburl.robots.product_token"
    with pytest.raises(ValueError, match=message):
        RobotsDirectives.parse("noindex").for_agent(agent)
