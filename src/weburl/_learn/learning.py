"""Learns routes from pieces of columns and files, and writes them as a file of routes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

from weburl._arrow.job import Job
from weburl._arrow.pieces import Piece, cut_rows, open_column
from weburl._arrow.schedule import count_threads, in_order
from weburl._core.parts import need_path
from weburl._learn.summary import Summary, shapes
from weburl._learn.tree import OTHER, Found, find_routes, pattern_of
from weburl._named_tuple import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any, Final

    from weburl._arrow.batch import Batch

MOST_ROUTES: Final = 2000
EVERYTHING: Final = "*://*:*/*"


class LearntRoute(NamedTuple):
    """A route: its key, the text of its pattern, in how many lines it is, and whether it is new.

    Without `update`, all routes are new.
    """

    key: str
    pattern: str
    lines: int
    is_new: bool
    segments: tuple[str, ...]
    host: str
    notes: tuple[str, ...] = ()


class OldRoute(NamedTuple):
    """A line of a file of routes, and the comments above it."""

    key: str
    pattern: str
    notes: tuple[str, ...]


def read_old(path: str | PathLike[str]) -> list[OldRoute]:
    """The routes of a file that was learnt, but for `{other}`, which is learnt again, and without its counts."""
    found: list[OldRoute] = []
    notes: list[str] = []
    with open(need_path(path, "update must be a str or a path"), encoding="utf-8-sig") as file:
        for line in map(str.strip, file):
            if line.startswith("//"):
                if not is_count(line):
                    notes.append(line)
            elif line:
                pair = line.split("\t", 1)
                key, pattern = pair[0].strip(), pair[-1].strip()
                if not (key.endswith(OTHER) and is_rest(pattern)):
                    found.append(OldRoute(key, pattern, tuple(notes)))
                notes = []
    return found


def is_rest(pattern: str) -> bool:
    """Whether a pattern is that of all paths of a host, or of everything."""
    return pattern.startswith("*://") and pattern.endswith("/*") and pattern.count("/") == 3


def is_count(comment: str) -> bool:
    """Whether a comment is one that a file of learnt routes has."""
    words = comment[2:].split()
    return words[:2] == ["weburl", "learn:"] or (
        words[-1:] in (["lines"], ["line"]) and words[:-1] != [] and words[-2].replace(",", "").isdigit()
    )


class Learning:
    """What is learnt from pieces of rows: `count` is for any thread, `merge` for one.

    `patterns` makes a list of patterns, as PatternList does.
    """

    def __init__(
        self, patterns: Callable[[list[tuple[str, str]]], Any], base: str | None, old: Sequence[OldRoute] = ()
    ) -> None:
        self.job: Job = Job((shapes("paths"),), base=base)
        self.old = old
        self.routes: Job | None = None
        if old:
            from weburl._patterns.columns import matches

            numbered = patterns([(str(number), route.pattern) for number, route in enumerate(old)])
            self.routes = Job(matches(numbered._matching(()), ("route",)), base=base)
        self.summary: Summary = Summary()
        self.known: Summary = Summary()
        self.errors: Counter[str] = Counter()
        # For pieces; each is used again and again.
        self.free: list[tuple[Summary, Summary]] = []

    def count(self, piece: Piece) -> tuple[Summary, Summary, Batch]:
        batch = self.job.run(*piece)
        # Only a cancelled job gives None, and then the result is not read.
        assert batch is not None
        routes = None if self.routes is None else self.routes.run(*piece)
        try:
            summary, known = self.free.pop()
        except IndexError:
            summary, known = Summary(is_bounded=False), Summary(is_bounded=False)
        if routes is None:
            summary.add(batch)
        else:
            summary.add(batch, routes, known)
        return summary, known, batch

    def merge(self, counted: tuple[Summary, Summary, Batch]) -> None:
        summary, known, batch = counted
        self.summary.merge(summary)
        self.known.merge(known)
        self.errors.update(batch.errors)
        summary.clear()
        known.clear()
        self.free.append((summary, known))

    def cancel(self) -> None:
        self.job.cancelled = True
        if self.routes is not None:
            self.routes.cancelled = True

    def result(self, most: int) -> Learnt:
        """At most so many routes."""
        total = self.summary.total + self.known.total
        counts = {int(text): lines for text, lines, _ in self.known.rows()}
        old = [
            LearntRoute(route.key, route.pattern, counts.get(number, 0), False, (), "", route.notes)
            for number, route in enumerate(self.old)
        ]
        if len(old) >= most:
            # The first ones go that no line has.
            kept = sorted(range(len(old)), key=lambda number: (-old[number].lines, number))[: most - 1]
            old = [old[number] for number in sorted(kept)]
        found = find_routes(self.summary.rows(), most - 1 - len(old), self.summary.share)
        hosts = {each.host for each in found}
        is_single = len(hosts | {host_of(route.pattern) for route in self.old}) < 2
        new = [self._route(each, is_single) for each in found]
        taken = sum(route.lines for route in new)
        other = max(self.summary.total - taken, 0) + self.summary.without_host
        rest = LearntRoute(OTHER, EVERYTHING, other, True, (OTHER,), "")
        return Learnt(
            [*old, *new, rest], total + self.summary.without_host, sum(self.errors.values()), self.summary.halvings == 0
        )

    def _route(self, found: Found, is_single: bool) -> LearntRoute:
        path = "/" + "/".join(found.segments)
        # A line that begins with two slashes would be a comment.
        key = path if is_single and not path.startswith("//") else found.host + path
        return LearntRoute(key, pattern_of(found.host, found.segments), found.lines, True, found.segments, found.host)


def host_of(pattern: str) -> str:
    """The host of a pattern that was learnt."""
    return pattern.partition("://")[2].partition("/")[0]


class Learnt(NamedTuple):
    """The routes, in their order; how many lines were URLs, and how many were not; whether the counts are exact."""

    routes: list[LearntRoute]
    lines: int
    invalid: int
    is_exact: bool

    @property
    def new(self) -> list[LearntRoute]:
        return [route for route in self.routes if route.is_new and route.key != OTHER]

    @property
    def died(self) -> list[LearntRoute]:
        return [route for route in self.routes if not route.is_new and not route.lines]


def counted(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def text_of(learnt: Learnt) -> Iterator[str]:
    """The lines of a file of routes."""
    about = "" if learnt.is_exact else "about "
    yield f"// weburl learn: {counted(len(learnt.routes), 'route')} of {counted(learnt.lines, 'line')}"
    for route in learnt.routes:
        yield from route.notes
        yield f"// {about}{counted(route.lines, 'line')}"
        yield f"{route.key}\t{route.pattern}"


def learn(
    column: Any,
    most: int,
    base: str | None,
    old: Sequence[OldRoute],
    threads: int | None,
    patterns: Callable[[list[tuple[str, str]]], Any],
) -> Learnt:
    """What a column teaches."""
    learning = Learning(patterns, base, old)
    pieces = cut_rows(open_column(column))
    with closing(in_order(pieces, learning.count, count_threads(threads), learning.cancel)) as results:
        for _, each in results:
            learning.merge(each)
    return learning.result(most)
