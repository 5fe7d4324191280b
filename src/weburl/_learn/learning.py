"""Learns routes from pieces of columns and files, and writes them as a file of routes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import accumulate, pairwise

from weburl._arrow.cutting import PIECE_ROWS, Piece, cut_rows, open_column
from weburl._arrow.job import Job
from weburl._arrow.schedule import count_threads, in_order
from weburl._core.arguments import need_path
from weburl._learn.summary import Summary, shapes
from weburl._learn.tree import OTHER, PATH, PLACEHOLDER, STRICT, Found, find_routes
from weburl._named_tuple import NamedTuple
from weburl.errors import PatternError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any, Final

    from weburl._arrow.batch import Batch

MOST_ROUTES: Final = 2000
EVERYTHING: Final = "*://*:*/*"
# The comments that a file of learnt routes has.
NUMBER: Final = r"\d{1,3}(?:,\d{3})*"
# Values of the placeholders that do not match any segment.
VALUES: Final = {
    "{date}": "2000-01-01",
    "{hex}": "a0000000",
    "{int}": "1",
    "{uuid}": "a0000000-0000-4000-8000-000000000000",
}
PORT: Final = re.compile(r":\d+\Z")
SPECIAL: Final = re.compile(r"([{}()*+?:\\])")
OWN: Final = re.compile(rf"// (?:weburl learn: {NUMBER} routes? of |about )?{NUMBER} lines?").fullmatch


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
    ending: tuple[str, ...] = ()


class OldRoute(NamedTuple):
    """A line of a file of routes, the comments above it, and the number of the line."""

    key: str
    pattern: str
    notes: tuple[str, ...]
    line: int = 0


class OldRoutes(NamedTuple):
    """A file of routes: its routes, the one that matches the rest, and the comments at its end."""

    routes: list[OldRoute]
    rest: OldRoute
    ending: tuple[str, ...]


NONE: Final = OldRoutes([], OldRoute(OTHER, EVERYTHING, ()), ())


def read_old(path: str | PathLike[str]) -> OldRoutes:
    """The routes of a file, without its counts. The route that matches everything comes last, whatever its name is."""
    found: list[OldRoute] = []
    rest: OldRoute | None = None
    notes: list[str] = []
    with open(need_path(path, "update must be a str or a path"), encoding="utf-8-sig") as file:
        for number, line in enumerate(map(str.strip, file), 1):
            if line.startswith("//"):
                if OWN(line) is None:
                    notes.append(line)
            elif line:
                pair = line.split("\t", 1)
                key, pattern = pair[0].strip(), pair[-1].strip()
                if pattern != EVERYTHING:
                    found.append(OldRoute(key, pattern, tuple(notes), number))
                elif rest is None:
                    rest = OldRoute(key, pattern, tuple(notes))
                else:
                    # No URL comes to a second one.
                    rest = OldRoute(rest.key, pattern, (*rest.notes, *notes))
                notes = []
    return OldRoutes(found, rest or NONE.rest, tuple(notes))


def pattern_of(host: str, segments: Iterable[str]) -> str:
    """The URL pattern of a route."""
    counts: dict[str, int] = {}

    def part(segment: str) -> str:
        if segment == OTHER:
            return "*"
        is_rest = segment.startswith(PATH)
        texts = PLACEHOLDER.split(segment[len(PATH) :] if is_rest else segment)
        pattern = ("*" if is_rest else "") + SPECIAL.sub(r"\\\1", texts[0])
        for index in range(1, len(texts), 2):
            name = texts[index]
            counts[name] = counts.get(name, 0) + 1
            number = "" if counts[name] == 1 else str(counts[name])
            rest = SPECIAL.sub(r"\\\1", texts[index + 1])
            group = f":{name}{number}"
            if name in STRICT:
                group += f"({STRICT[name]})"
            # A group goes on with what could be a part of its name.
            pattern += f"{{{group}}}{rest}" if pattern or (rest and not rest.startswith(".")) else f"{group}{rest}"
        return pattern

    return f"*://{host_pattern(host)}/" + "/".join(map(part, segments))


def host_pattern(host: str) -> str:
    # The colon of a port stays, and that of an address in brackets does not begin a name.
    name, colon, port = host.rpartition(":") if PORT.search(host) else (host, "", "")
    wildcard = name.startswith("*.")
    return ("*." if wildcard else "") + SPECIAL.sub(r"\\\1", name[2:] if wildcard else name) + colon + port


def example(text: str) -> str:
    """A URL with the host and the template of a path. Its scheme is one that changes neither of them."""
    host, _, path = text.partition("/")
    return f"x://{host}/{PLACEHOLDER.sub(lambda found: VALUES.get(found[0], found[0]), path)}"


def pieces_of(summary: Summary) -> Iterator[list[tuple[str, int, int]]]:
    for begin in range(0, len(summary), PIECE_ROWS):
        yield summary.kept(begin, begin + PIECE_ROWS)


def numbers_of(urls: list[str], matching: Job) -> Iterator[str | None]:
    for piece in cut_rows(open_column(urls)):
        batch = matching.run(*piece)
        assert batch is not None
        yield from batch.entries(0)


class Learning:
    """What is learnt from pieces of rows: `count` is for any thread, `merge` for one."""

    def __init__(self, base: str | None, old: OldRoutes = NONE) -> None:
        self.job: Job = Job((shapes("paths"),), base=base)
        self.old: OldRoutes = old
        self.routes: Job | None = None
        if old.routes:
            try:
                self.routes = self._matching([route.pattern for route in old.routes], base)
            except PatternError as error:
                row, error.row = error.row, None
                error.line = None if row is None else old.routes[row].line
                raise
        # If there are old routes: all, what none of them matches, and how many lines each has.
        self.summary: Summary
        self.fresh: Summary
        self.known: Summary
        self.summary, self.fresh, self.known = self._summaries(is_bounded=True)
        self.errors: Counter[str] = Counter()
        self.is_exact: bool = True
        # For pieces; each is used again and again.
        self.free: list[tuple[Summary, Summary, Summary]] = []

    def _summaries(self, is_bounded: bool) -> tuple[Summary, Summary, Summary]:
        """Texts with a mark are for counts: of all lines, or of those that no old route has."""
        is_first = self.routes is None
        return (
            Summary(is_bounded, has_marked=is_first),
            Summary(is_bounded, has_marked=not is_first),
            Summary(is_bounded, has_marked=False),
        )

    def _matching(self, texts: list[str], base: str | None = None) -> Job:
        """A job that gives each URL the number of the first pattern that matches it."""
        from weburl._patterns.columns import matches
        from weburl._patterns.pattern_list import PatternList

        numbered = PatternList([(str(number), text) for number, text in enumerate(texts)])
        return Job(matches(numbered._matching(()), ("route",)), base=base)

    def count(self, piece: Piece) -> tuple[tuple[Summary, Summary, Summary], Batch]:
        batch = self.job.run(*piece)
        # Only a cancelled job gives None, and then the result is not read.
        assert batch is not None
        routes = None if self.routes is None else self.routes.run(*piece)
        try:
            summaries = self.free.pop()
        except IndexError:
            summaries = self._summaries(is_bounded=False)
        summary, fresh, known = summaries
        summary.add(batch)
        if routes is not None:
            fresh.add(batch, routes, known)
        return summaries, batch

    def merge(self, counted: tuple[tuple[Summary, Summary, Summary], Batch]) -> None:
        summaries, batch = counted
        self.errors.update(batch.errors)
        for whole, part in zip((self.summary, self.fresh, self.known), summaries, strict=True):
            whole.merge(part)
            part.clear()
        self.free.append(summaries)

    def cancel(self) -> None:
        self.job.cancelled = True
        if self.routes is not None:
            self.routes.cancelled = True

    def result(self, most: int) -> Learnt:
        """At most so many routes.

        They are learnt from all lines, so that the same lines teach the same again. New are those that have lines
        which no old route matches.
        """
        total = self.summary.total + self.summary.without_host
        counts = {int(text): lines for text, lines, _ in self.known.rows()}
        old = [
            LearntRoute(route.key, route.pattern, counts.get(number, 0), False, (), "", route.notes)
            for number, route in enumerate(self.old.routes)
        ]
        left_out: list[LearntRoute] = []
        if len(old) >= most:
            # The first ones go that no line has.
            ranked = sorted(range(len(old)), key=lambda number: (-old[number].lines, number))
            left_out = [old[number] for number in sorted(ranked[most - 1 :])]
            old = [old[number] for number in sorted(ranked[: most - 1])]
        rows = self.summary.rows()
        found = find_routes(rows, most - 1, self.summary.share, None if self.routes is None else self._fresh(rows))
        patterns = {route.pattern for route in self.old.routes}
        hosts = {host_pattern(each.host) for each in found} | set(map(host_of, patterns))
        new = [self._route(each, len(hosts) < 2) for each in found if each.fresh]
        new = [route for route in new if route.pattern not in patterns]
        room = most - 1 - len(old)
        if len(new) > room:
            kept = set(sorted(new, key=lambda route: (-route.lines, route))[:room])
            new = [route for route in new if route in kept]
        # Others before it match what a route without lines matches.
        new = [route._replace(lines=lines) for route, lines in zip(new, self._count(new), strict=True) if lines]
        other = max(total - sum(route.lines for route in (*old, *new)), 0)
        rest = self.old.rest
        last = LearntRoute(rest.key, EVERYTHING, other, True, (OTHER,), "", rest.notes, self.old.ending)
        is_exact = self.is_exact and self.summary.halvings == 0
        return Learnt([*old, *new, last], total, sum(self.errors.values()), is_exact, tuple(left_out))

    def _fresh(self, rows: list[tuple[str, int, int]]) -> dict[str, int]:
        """The lines of texts that no old route matches. Those that are not in the sample of all lines come into it."""
        known = {text for text, _, _ in rows}
        found = {text: (lines, weight) for text, lines, weight in self.fresh.rows()}
        rows += [(text, *found[text]) for text in found if text not in known]
        return {text: lines for text, (lines, _) in found.items()}

    def _count(self, routes: list[LearntRoute]) -> list[int]:
        """How many lines have each route first, by its pattern, of the lines that no old route has.

        In a sample, the texts that were kept stand for all others: they share their lines.
        """
        summary = self.summary if self.routes is None else self.fresh
        matching = self._matching([route.pattern for route in routes])
        exact, sampled = [0] * len(routes), [0] * len(routes)
        kept, rest = 0, summary.total
        for rows in pieces_of(summary):
            found = numbers_of([example(text) for text, _, _ in rows], matching)
            for (_, lines, weight), number in zip(rows, found, strict=True):
                if weight == 1:
                    rest -= lines
                else:
                    kept += lines
                if number is not None:
                    (exact if weight == 1 else sampled)[int(number)] += lines
        rest = max(rest, kept)
        # Rounded so that the sum is right.
        shares = [before * rest // max(kept, 1) for before in accumulate(sampled, initial=0)]
        counts = [some + after - before for some, (before, after) in zip(exact, pairwise(shares), strict=True)]
        counts.append(summary.total - sum(counts))
        moves: Counter[tuple[int, int]] = Counter()
        for rows in pieces_of(summary.marked):
            # Of some templates, the patterns see more than the templates say.
            texts = [text.split("\1") for text, _, _ in rows]
            said = numbers_of([example(text) for text, _ in texts], matching)
            seen = numbers_of([example(text.partition("/")[0] + path) for text, path in texts], matching)
            for (_, lines, weight), one, other in zip(rows, said, seen, strict=True):
                if one != other:
                    at, to = (len(routes) if number is None else int(number) for number in (one, other))
                    moves[at, to] += lines * weight
        for (at, to), lines in sorted(moves.items()):
            moved = min(lines, counts[at])
            counts[at] -= moved
            counts[to] += moved
        self.is_exact = self.is_exact and not (moves and summary.marked.halvings)
        return counts[:-1]

    def _route(self, found: Found, is_single: bool) -> LearntRoute:
        path = "/" + "/".join(found.segments)
        # A line that begins with two slashes would be a comment.
        key = path if is_single and not path.startswith("//") else found.host + path
        return LearntRoute(key, pattern_of(found.host, found.segments), found.fresh, True, found.segments, found.host)


def host_of(pattern: str) -> str:
    """The host of a pattern that was learnt."""
    return pattern.partition("://")[2].partition("/")[0]


class Learnt(NamedTuple):
    """The routes, in their order; how many lines were URLs, and how many were not; whether the counts are exact.

    `left_out` are routes of the old file for which there is no room.
    """

    routes: list[LearntRoute]
    lines: int
    invalid: int
    is_exact: bool
    left_out: tuple[LearntRoute, ...] = ()

    @property
    def new(self) -> list[LearntRoute]:
        return [route for route in self.routes if route.is_new and route.pattern != EVERYTHING]

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
        yield from route.ending


def learn(column: Any, most: int, base: str | None, old: OldRoutes, threads: int | None) -> Learnt:
    """What a column teaches."""
    learning = Learning(base, old)
    pieces = cut_rows(open_column(column))
    with closing(in_order(pieces, learning.count, count_threads(threads), learning.cancel)) as results:
        for _, each in results:
            learning.merge(each)
    return learning.result(most)
