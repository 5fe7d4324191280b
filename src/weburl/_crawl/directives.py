"""What a page, or the header X-Robots-Tag, tells crawlers to do with the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from weburl._core.arguments import wrong_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from typing import Any

# https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
DIRECTIVES: Final = frozenset(
    "all follow index indexifembedded max-image-preview max-snippet max-video-preview noai noarchive nocache nofollow "
    "noimageai noimageindex noindex nosnippet none noodp nositelinkssearchbox notranslate noydir "
    "unavailable_after".split()
)
# Those that have a value after a colon. What else stands before a colon is an agent.
WITH_VALUES: Final = frozenset(("max-image-preview", "max-snippet", "max-video-preview", "unavailable_after"))
AGENT: Final = r"[a-z0-9_.*-]+"
# In the dates of RFC 850 and RFC 822, a comma follows the day.
DAY: Final = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
# Dublin Core, and others that have a prefix.
METADATA: Final = ("dc.", "dcterms.", "citation_", "parsely-", "sailthru.")
WHITE_SPACE: Final = " \t\n\f\r"
LONGEST_DATE: Final = 64
# Names of meta elements that are not agents: those of the HTML Standard, and of its list of others
# (https://wiki.whatwg.org/wiki/MetaExtensions) those whose texts can have the word of a rule.
NOT_AGENTS: Final = frozenset(
    "abstract application-name audience author category classification color-scheme copyright creator date description "
    "distribution format-detection generator keywords language news_keywords page-topic pagename publisher rating "
    "referrer revisit-after search section subject subtitle summary supported-color-schemes tags theme-color title "
    "topic viewport".split()
)
EVERYONE: Final = "robots"


class RobotsDirectives:
    """Which rules a page has for crawlers: from the header X-Robots-Tag, or from its meta elements.

    >>> RobotsDirectives.parse(["noarchive", "googlebot: noindex, max-snippet: 20"])
    <RobotsDirectives noarchive; googlebot: noindex, max-snippet:20>

    `page_links(...).robots` has those of the meta elements. `parse` reads the header. `a | b` has the rules of both.
    """

    __slots__ = ("_by_agent",)

    _by_agent: dict[str, tuple[str, ...]]

    def __init__(self) -> None:
        self._by_agent = {}

    @classmethod
    def parse(cls, values: bytes | str | Iterable[bytes | str], *, agent: str | None = None) -> RobotsDirectives:
        """The rules in the header X-Robots-Tag, or in the `content` of a meta element.

        >>> robots = RobotsDirectives.parse(["googlebot: noindex", "nofollow"])
        >>> robots.noindex, robots.nofollow, robots.for_agent("Googlebot").noindex
        (False, True, True)

        `values` is the value of the header, or a list with a value for each line of the header. In a value, a name
        before a colon is the agent of the rules after it, up to the next such name.

        `agent` is the `name` of a meta element, such as "robots" or "googlebot": all rules are for this agent. Without
        it, `values` is a header.

        Text that is not a rule is kept in `rules`, but nothing else depends on it. No text raises an exception.
        """
        if agent is not None and not isinstance(agent, str):
            raise wrong_type(agent, "agent must be a str or None")
        found: dict[str, dict[str, None]] = {}
        for text in texts_of(values):
            current = EVERYONE if agent is None else name_of(agent)
            for piece in pieces_of(text):
                rule = piece
                name, colon, rest = (part.strip(WHITE_SPACE) for part in piece.partition(":"))
                if colon and agent is None and name not in WITH_VALUES and re.fullmatch(AGENT, name):
                    current, rule = name_of(name), rest
                    name, colon, rest = (part.strip(WHITE_SPACE) for part in rest.partition(":"))
                if colon:
                    rule = f"{name}:{rest}"
                if rule:
                    found.setdefault(current, {})[rule] = None
        return of_agents({name: tuple(rules) for name, rules in found.items()})

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that are for all agents, in lower case.

        >>> RobotsDirectives.parse("NoIndex, unavailable_after: 25 Jun 2030 15:00:00 GMT").rules
        ('noindex', 'unavailable_after:25 jun 2030 15:00:00 gmt')
        """
        return self._by_agent.get(EVERYONE, ())

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that have rules of their own, in lower case.

        >>> RobotsDirectives.parse("none, BingBot: all").agents
        ('bingbot',)
        """
        return tuple(name for name in self._by_agent if name != EVERYONE)

    def for_agent(self, agent: str) -> RobotsDirectives:
        """The rules that one agent has to follow: those for all agents, and its own.

        >>> RobotsDirectives.parse(["noindex", "examplebot: nofollow", "otherbot: noarchive"]).for_agent("ExampleBot")
        <RobotsDirectives noindex, nofollow>

        `agent` is the product token of a crawler, such as "examplebot", in any case. A part of
        the name does not match. A name with a version raises ValueError.
        """
        if not isinstance(agent, str):
            raise wrong_type(agent, "agent must be a str")
        if "/" in agent or " " in agent.strip():
            from weburl._diagnosis.messages import shown_argument

            what = "agent must be a name such as 'examplebot'"
            raise ValueError(f"{what}, not {shown_argument(agent)}: use weburl.robots.product_token()")
        own = self._by_agent.get(name_of(agent), ())
        return of_agents({EVERYONE: tuple(dict.fromkeys((*self.rules, *own)))})

    @property
    def noindex(self) -> bool:
        """Whether no agent may index the page. It is so for the rules `noindex` and `none`.

        >>> RobotsDirectives.parse("none").noindex, RobotsDirectives.parse("examplebot: noindex").noindex
        (True, False)

        After `unavailable_after`, the page may not be indexed either.
        """
        return "noindex" in self.rules or "none" in self.rules

    @property
    def nofollow(self) -> bool:
        """Whether no agent may follow the links of the page. It is so for the rules `nofollow` and `none`.

        >>> RobotsDirectives.parse("nofollow, index").nofollow
        True
        """
        return "nofollow" in self.rules or "none" in self.rules

    @property
    def unavailable_after(self) -> datetime | None:
        """From when on no agent may index the page, in UTC; None if there is no such date.

        >>> RobotsDirectives.parse("unavailable_after: Friday, 25-Jun-2032 15:00:00 EST").unavailable_after.isoformat()
        '2032-06-25T20:00:00+00:00'

        The dates of ISO 8601, RFC 822 and RFC 850 are read. A date without a zone is in UTC. Of several dates, it is
        the first in time. Text that is not a date is ignored; `rules` has it.
        """
        beginning = "unavailable_after:"
        texts = (rule.removeprefix(beginning) for rule in self.rules if rule.startswith(beginning))
        return min((date for date in map(parse_date, texts) if date is not None), default=None)

    def __or__(self, other: RobotsDirectives) -> RobotsDirectives:
        """The rules of both, such as those of a page and those of its header."""
        if not isinstance(other, RobotsDirectives):
            return NotImplemented
        names = dict.fromkeys((*self._by_agent, *other._by_agent))
        every = {
            name: tuple(dict.fromkeys((*self._by_agent.get(name, ()), *other._by_agent.get(name, ()))))
            for name in names
        }
        return of_agents(every)

    def __bool__(self) -> bool:
        """Whether there are any rules."""
        return bool(self._by_agent)

    def __eq__(self, other: object) -> bool:
        return self._by_agent == other._by_agent if isinstance(other, RobotsDirectives) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._by_agent.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return of_agents, (self._by_agent,)

    def __repr__(self) -> str:
        texts = [", ".join(self.rules)] if self.rules else []
        texts += [f"{name}: {', '.join(self._by_agent[name])}" for name in self.agents]
        return f"<RobotsDirectives {'; '.join(texts) or '(none)'}>"


RobotsDirectives.__module__ = "weburl.crawl"


def of_agents(by_agent: dict[str, tuple[str, ...]]) -> RobotsDirectives:
    """The directives with these rules; also for pickles."""
    directives = RobotsDirectives()
    directives._by_agent = {name: rules for name, rules in by_agent.items() if rules}
    return directives


def of_metas(metas: Iterable[tuple[str, str]]) -> RobotsDirectives:
    """The directives of meta elements, by their attributes `name` and `content`.

    Other names than "robots" can be those of agents, if they are not names of metadata. They count only if they have a
    rule that is known.
    """
    by_agent: dict[str, list[str]] = {}
    for name, content in metas:
        agent = name_of(name)
        if re.fullmatch(AGENT, agent) and agent not in NOT_AGENTS and not agent.startswith(METADATA):
            by_agent.setdefault(agent, []).append(content)
    every = RobotsDirectives()
    for agent, contents in by_agent.items():
        directives = RobotsDirectives.parse(contents, agent=agent)
        rules = next(iter(directives._by_agent.values()), ())
        if agent == EVERYONE or not DIRECTIVES.isdisjoint(rule.partition(":")[0] for rule in rules):
            every._by_agent.update(directives._by_agent)
    return every


def texts_of(values: bytes | str | Iterable[bytes | str]) -> Iterator[str]:
    must = "values must be bytes, a str, or a list of these"
    try:
        every = (values,) if isinstance(values, (bytes, str)) else iter(values)
    except TypeError:
        raise wrong_type(values, must) from None
    for value in every:
        if not isinstance(value, (bytes, str)):
            raise wrong_type(value, must)
        yield value if isinstance(value, str) else value.decode("latin-1")


def name_of(agent: str) -> str:
    name = agent.strip(WHITE_SPACE).lower()
    return EVERYONE if name == "*" else name


def pieces_of(text: str) -> Iterator[str]:
    """What commas separate, in lower case. A date stays whole."""
    date = None
    for part in text.lower().split(","):
        piece = part.strip(WHITE_SPACE)
        if date is not None:
            yield f"{date}, {piece}"
            date = None
        elif re.fullmatch(DAY, piece.rpartition(":")[2].lstrip(WHITE_SPACE)) and "unavailable_after" in piece:
            date = piece
        elif piece:
            yield piece
    if date is not None:
        yield date


def parse_date(text: str) -> datetime | None:
    """The time that a text names, in UTC, or None."""
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    text = text.strip(WHITE_SPACE).upper()
    if len(text) > LONGEST_DATE or not text.isascii():
        return None
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            date = parse(text)
            return date.astimezone(UTC) if date.tzinfo else date.replace(tzinfo=UTC)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return None
