"""What weburl stats says: as a table, and as JSON."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final, NamedTuple

from weburl._diagnosis.credentials import HIDDEN
from weburl.cli._messages import hide_credentials, printable
from weburl.cli.counting.counts import NAMES, STANDARD_ERROR, Counts

ERRORS: Final = "errors"
GROUPS: Final = "groups"
LENGTH: Final = "length"
FINE: Final = 1 / 64  # how wide buckets are, for what they have, if there is room
ALL: Final = 0  # stands for the hash of the group that all rows are in
SHOWN: Final = 80  # characters of a name
# What looks like credentials in a path or in the name of a parameter; a name that is cut off may have an @ later.
CREDENTIALS: Final = re.compile(r"[^/\\?#]*:[^/\\?#]*(@|…\Z)")
# A blank row fails with it.
NO_SCHEME: Final = "missing-scheme-non-relative-URL"


@dataclass(frozen=True)
class Named:
    """A name, and how often it occurs: `count` times, and at most `too_low_by` more."""

    name: str
    count: int
    too_low_by: int


class Percentiles(NamedTuple):
    """Of numbers. They may be too low by the `percentile_error` of the report; without more than that of FINE, integers
    below 128 are exact."""

    p50: float
    p90: float
    p99: float


@dataclass(frozen=True)
class Group(Named):
    """A value of a field of --by, or "" and no value; the numbers of its URLs, and the groups within it."""

    has_value: bool
    numbers: dict[str, Percentiles | None]
    groups: Ranking | None


class Ranking(NamedTuple):
    """The most frequent names of a kind. No name that was forgotten occurs more than `too_low_by` times."""

    total: int  # names, as often as they occur
    distinct: int
    # The standard error of `distinct`, relative; 0 if it is exact, and None if there may be any number more.
    distinct_error: float | None
    too_low_by: int  # the largest of all names
    top: Sequence[Named]


class Lengths(NamedTuple):
    """Of URLs, in characters. From 4,096 on, the three in the middle may be 1.6 % too low."""

    shortest: int
    mean: float
    median: int
    p90: int
    p99: int
    longest: int


class Report(NamedTuple):
    urls: int
    invalid: int
    rankings: dict[str, Ranking | None]  # None for what needs a package that is not there
    lengths: Lengths | None
    length_counts: list[tuple[int, int]]
    numbers: dict[str, Percentiles | None]  # of columns
    percentile_error: float  # of Percentiles, relative
    by: Sequence[str] = ()  # the fields of groups, which are the first ranking

    def sections(self) -> Iterator[tuple[str, Ranking | None]]:
        """The rankings one after the other, with their titles for people."""
        for name, ranking in self.rankings.items():
            if self.by and name == GROUPS and ranking is not None:
                yield from _group_sections(self.by, "", ranking)
            else:
                yield name.replace("_", " "), ranking


def make_report(
    counts: Counts, errors: Mapping[str, int], number: int, names: Sequence[str] = (), *, has_domains: bool
) -> Report:
    """The report of what has been counted, with the `number` most frequent names of each kind.

    `names` are those of columns of numbers.
    """
    rankings = {
        name: None if name == "registrable_domains" and not has_domains else _ranking(counts, name, number)
        for name in NAMES
    }
    return _report(counts, errors, number, rankings, names)


def group_report(
    counts: Counts, errors: Mapping[str, int], number: int, by: Sequence[str], names: Sequence[str]
) -> Report:
    """The report of groups, with the `number` most frequent ones in each group of the field before."""
    # From the first level on: what is shown, by the hash of the group that it is in.
    levels: list[Mapping[int, tuple[int, Sequence[tuple[str | None, int, int, int]]]]] = []
    shown: list[int] = [ALL]
    for level in range(len(by)):
        levels.append(counts.groups(level, shown, number))
        shown = [group for _, tops in levels[-1].values() for *_, group in tops]
    hashes = [group for level in levels for _, tops in level.values() for *_, group in tops]
    buckets = counts.buckets(hashes)

    def ranking(level: int, parent: int, total: int) -> Ranking:
        known, tops = levels[level][parent]
        missed, error = counts.group_bounds(level)
        distinct = known
        if missed and level == 0:
            distinct = error
        top = [
            Group(
                "" if name is None else _safe(name),
                count,
                too_low_by,
                name is not None,
                {each: _percentiles(buckets[group].get(index)) for index, each in enumerate((LENGTH, *names))},
                ranking(level + 1, group, count) if level + 1 < len(by) else None,
            )
            for name, count, too_low_by, group in tops
        ]
        return Ranking(total, distinct, 0.0 if not missed else STANDARD_ERROR if level == 0 else None, missed, top)

    return _report(counts, errors, number, {GROUPS: ranking(0, ALL, counts.urls)}, names, by)


def _report(
    counts: Counts,
    errors: Mapping[str, int],
    number: int,
    rankings: dict[str, Ranking | None],
    names: Sequence[str],
    by: Sequence[str] = (),
) -> Report:
    failures = Counter(errors)
    failures[NO_SCHEME] -= counts.blank
    failures = +failures
    ranked = sorted(failures.items(), key=lambda item: (-item[1], item[0]))[:number]
    rankings[ERRORS] = Ranking(failures.total(), len(failures), 0.0, 0, [Named(*item, 0) for item in ranked])
    length_counts = counts.length_counts()
    lengths = _lengths(counts, length_counts) if counts.urls else None
    buckets = counts.buckets([ALL])[ALL]
    numbers = {name: _percentiles(buckets.get(index)) for index, name in enumerate(names, 1)}
    error = FINE * 2**counts.coarse
    return Report(counts.urls, failures.total(), rankings, lengths, length_counts, numbers, error, by)


def _percentiles(buckets: Sequence[tuple[float, int]] | None) -> Percentiles | None:
    """The least numbers that so many percent do not exceed."""
    if not buckets:
        return None
    ordered = sorted(buckets)
    ends = [*accumulate(count for _, count in ordered)]
    return Percentiles(*(ordered[bisect_left(ends, -(-ends[-1] * percent // 100))][0] for percent in (50, 90, 99)))


def _group_sections(by: Sequence[str], where: str, ranking: Ranking) -> Iterator[tuple[str, Ranking]]:
    yield f"{by[0]}{where}", ranking
    for each in ranking.top:
        if isinstance(each, Group) and each.groups is not None:
            inner = f"{' and' if where else ' where'} {by[0]} is {shown(each)}"
            yield from _group_sections(by[1:], f"{where}{inner}", each.groups)


def _ranking(counts: Counts, name: str, number: int) -> Ranking:
    error = 0.0 if counts.is_exact(name) else STANDARD_ERROR
    top = [Named(_safe(text), *each) for text, *each in counts.top(name, number)]
    return Ranking(counts.total(name), counts.different(name), error, counts.missed(name), top)


def _safe(name: str) -> str:
    """A name without what may be credentials."""
    return hide_credentials(CREDENTIALS.sub(rf"{HIDDEN}\1", name))


def _lengths(counts: Counts, length_counts: list[tuple[int, int]]) -> Lengths:
    def quantile(percent: int) -> int:
        # The least length that so many URLs do not exceed.
        wanted = -(-counts.urls * percent // 100)
        seen = accumulate(count for _, count in length_counts)
        return next(length for (length, _), so_far in zip(length_counts, seen, strict=True) if so_far >= wanted)

    mean = counts.characters / counts.urls
    return Lengths(counts.shortest, mean, quantile(50), quantile(90), quantile(99), counts.longest)


def as_json(report: Report) -> dict[str, Any]:
    result: dict[str, Any] = {"urls": report.urls, "invalid": report.invalid}
    if report.by:
        result["by"] = list(report.by)
    result |= {name: _json_of(ranking) for name, ranking in report.rankings.items()}
    lengths = report.lengths
    result["lengths"] = None if lengths is None else lengths._replace(mean=round(lengths.mean, 2))._asdict()
    if report.numbers:
        result["percentiles"] = _json_of_numbers(report.numbers)
    if report.numbers or report.by:
        result["percentile_error"] = round(report.percentile_error, 4)
    return result


def _json_of(ranking: Ranking | None) -> dict[str, Any] | None:
    if ranking is None:
        return None
    error = ranking.distinct_error
    result = ranking._replace(distinct_error=None if error is None else round(error, 4))._asdict()
    return result | {"top": [_json_of_name(each) for each in ranking.top]}


def _json_of_name(each: Named) -> dict[str, Any]:
    result: dict[str, Any] = {"name": each.name, "count": each.count, "too_low_by": each.too_low_by}
    if isinstance(each, Group):
        result["name"] = each.name if each.has_value else None
        result["percentiles"] = _json_of_numbers(each.numbers)
        if each.groups is not None:
            result[GROUPS] = _json_of(each.groups)
    return result


def _json_of_numbers(numbers: Mapping[str, Percentiles | None]) -> dict[str, Any]:
    return {
        name: None if each is None else {key: _rounded(number) for key, number in each._asdict().items()}
        for name, each in numbers.items()
    }


def _rounded(number: float) -> float:
    """An integer as one; of others, what can be known of them."""
    return int(number) if number >= 100 or number.is_integer() else float(f"{number:.3g}")


def name_of(each: Named) -> str:
    if isinstance(each, Group) and not each.has_value:
        return "(none)"
    return printable(each.name) or "(empty)"


def shown(each: Named) -> str:
    name = name_of(each)
    return name if len(name) <= SHOWN else f"{name[: SHOWN - 1]}…"


def heading(title: str, ranking: Ranking) -> str:
    """The kind of a ranking, how many names it has, and what is not exact."""
    if ranking.distinct_error == 0:
        return f"{title}: {ranking.distinct:,} different"
    too_low = f"a count with a + may be up to {ranking.too_low_by:,} too low"
    if ranking.distinct_error is None:
        return f"{title}: at least {ranking.distinct:,} different; {too_low}"
    error = f"{2 * ranking.distinct_error:.1%}".replace("%", " %")
    return f"{title}: about {ranking.distinct:,} different (± {error}); {too_low}"


def as_table(report: Report) -> Iterator[str]:
    yield f"{report.urls:>12,}  URLs"
    yield f"{report.invalid:>12,}  invalid"
    for title, ranking in report.sections():
        if ranking is None:
            yield f"\n{title}: to count them, pip install weburl[psl]"
        elif ranking.total:
            yield f"\n{heading(title, ranking)}"
            yield from _table_of(ranking)
    if report.lengths is not None:
        lengths = report.lengths
        yield "\nlengths, in characters"
        yield f"{lengths.shortest:>12,}  the shortest"
        yield f"{lengths.mean:>12,.1f}  the mean"
        yield f"{lengths.median:>12,}  the median: half of the URLs are not longer"
        yield f"{lengths.p90:>12,}  90 % are not longer"
        yield f"{lengths.p99:>12,}  99 % are not longer"
        yield f"{lengths.longest:>12,}  the longest"
    for name, numbers in report.numbers.items():
        yield f"\n{name}" if numbers is not None else f"\n{name}: no numbers"
        if numbers is not None:
            yield f"{_number(numbers.p50):>12}  the median: half are not more"
            yield f"{_number(numbers.p90):>12}  90 % are not more"
            yield f"{_number(numbers.p99):>12}  99 % are not more"
    if report.percentile_error > FINE:
        yield f"\npercentiles may be up to {report.percentile_error:.0%} too low".replace("%", " %")


def _table_of(ranking: Ranking) -> Iterator[str]:
    columns = [[*each.numbers] for each in ranking.top if isinstance(each, Group)][:1]
    heads = [f"{name} {percent}" for name in (columns or [[]])[0] for percent in ("50 %", "90 %", "99 %")]
    widths = [max(len(head), 9) for head in heads]
    if heads:
        yield " " * 20 + "".join(f"  {head:>{width}}" for head, width in zip(heads, widths, strict=True))
    for each in ranking.top:
        mark = "+" if each.too_low_by else " "
        cells = ""
        if isinstance(each, Group):
            numbers = [number for values in each.numbers.values() for number in values or (None,) * 3]
            texts = ("-" if number is None else _number(number) for number in numbers)
            cells = "".join(f"  {text:>{width}}" for text, width in zip(texts, widths, strict=True))
        yield f"{each.count:>12,}{mark}{each.count / ranking.total:>6.1%}{cells}  {shown(each)}"


def _number(number: float) -> str:
    return f"{_rounded(number):,}"
