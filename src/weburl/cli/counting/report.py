"""What weburl stats says: as a table, and as JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Any, Final, NamedTuple

from weburl._diagnosis.credentials import HIDDEN
from weburl.cli._messages import hide_credentials, printable
from weburl.cli.counting.counts import NAMES, STANDARD_ERROR, Counts

ERRORS: Final = "errors"
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


class Ranking(NamedTuple):
    """The most frequent names of a kind. No name that was forgotten occurs more than `too_low_by` times."""

    total: int  # names, as often as they occur
    distinct: int
    distinct_error: float  # the standard error of `distinct`, relative; 0 if it is exact
    too_low_by: int  # the largest of all names
    top: list[Named]


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


def make_report(counts: Counts, errors: Mapping[str, int], number: int, *, has_domains: bool) -> Report:
    """The report of what has been counted, with the `number` most frequent names of each kind."""
    failures = Counter(errors)
    failures[NO_SCHEME] -= counts.blank
    failures = +failures
    rankings = {
        name: None if name == "registrable_domains" and not has_domains else _ranking(counts, name, number)
        for name in NAMES
    }
    ranked = sorted(failures.items(), key=lambda item: (-item[1], item[0]))[:number]
    rankings[ERRORS] = Ranking(failures.total(), len(failures), 0.0, 0, [Named(*item, 0) for item in ranked])
    length_counts = counts.length_counts()
    lengths = _lengths(counts, length_counts) if counts.urls else None
    return Report(counts.urls, failures.total(), rankings, lengths, length_counts)


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
    for name, ranking in report.rankings.items():
        if ranking is not None:
            top = [asdict(each) for each in ranking.top]
            result[name] = ranking._replace(distinct_error=round(ranking.distinct_error, 4))._asdict() | {"top": top}
        else:
            result[name] = None
    lengths = report.lengths
    result["lengths"] = None if lengths is None else lengths._replace(mean=round(lengths.mean, 2))._asdict()
    return result


def shown(name: str) -> str:
    name = printable(name) or "(empty)"
    return name if len(name) <= SHOWN else f"{name[: SHOWN - 1]}…"


def words(name: str) -> str:
    """The name of a ranking, for people."""
    return name.replace("_", " ")


def heading(name: str, ranking: Ranking) -> str:
    """The kind of a ranking, how many names it has, and what is not exact."""
    name = words(name)
    if not ranking.distinct_error:
        return f"{name}: {ranking.distinct:,} different"
    error = f"{2 * ranking.distinct_error:.1%}".replace("%", " %")
    return (
        f"{name}: about {ranking.distinct:,} different (± {error}); "
        f"a count with a + may be up to {ranking.too_low_by:,} too low"
    )


def as_table(report: Report) -> Iterator[str]:
    yield f"{report.urls:>12,}  URLs"
    yield f"{report.invalid:>12,}  invalid"
    for name, ranking in report.rankings.items():
        if ranking is None:
            yield f"\n{words(name)}: to count them, pip install weburl[psl]"
        elif ranking.total:
            yield f"\n{heading(name, ranking)}"
            for each in ranking.top:
                mark = "+" if each.too_low_by else " "
                yield f"{each.count:>12,}{mark}{each.count / ranking.total:>6.1%}  {shown(each.name)}"
    if report.lengths is not None:
        lengths = report.lengths
        yield "\nlengths, in characters"
        yield f"{lengths.shortest:>12,}  the shortest"
        yield f"{lengths.mean:>12,.1f}  the mean"
        yield f"{lengths.median:>12,}  the median: half of the URLs are not longer"
        yield f"{lengths.p90:>12,}  90 % are not longer"
        yield f"{lengths.p99:>12,}  99 % are not longer"
        yield f"{lengths.longest:>12,}  the longest"
