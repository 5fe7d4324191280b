"""Functions as SQL calls them: arguments that are single values in Python are columns here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from weburl import bulk
from weburl._verbs.job import job_of
from weburl.ext import pyarrow
from weburl.ext._engines import functions as _functions
from weburl.ext._engines.hosts import hosts_of
from weburl.ext._engines.parts import check_part
from weburl.ext.pyarrow import (
    parse_url,
    url_canonicalize,
    url_fingerprint,
    url_host_in,
    url_param,
    url_pattern_extract,
    url_pattern_test,
)
from weburl.patterns import PatternList

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weburl.bulk import Routes
    from weburl.hosts import HostSet


def route_list(routes: Routes | None) -> PatternList | None:
    """The routes that a caller gives, as one object for all calls."""
    return routes if routes is None or isinstance(routes, PatternList) else PatternList(routes)


def param(urls: Any, keys: Any, **options: Any) -> Any:
    """`url_param(u, key)`"""
    distinct = pc.unique(keys).to_pylist()
    if len(distinct) == 1 and distinct[0] is not None:
        return url_param(urls, distinct[0], **options)
    rows = zip(bulk.query_pairs_many(urls, **options), keys.to_pylist(), strict=True)
    values = [next((value for name, value in pairs or () if name == key), None) for pairs, key in rows]
    return pa.array(values, pa.large_string())


def query(urls: Any, *keys: Any, threads: int | None = None) -> Any:
    """`url_query(u, key, ...)`: a map of the keys that the query has, with their first values."""
    if not keys:
        raise ValueError("url_query() takes a URL and keys")
    distinct = [pc.unique(column) for column in keys]
    if all(len(values) == 1 for values in distinct):
        names = dict.fromkeys(values[0].as_py() for values in distinct if values[0].is_valid)
        job = job_of(("query_map",), keys=tuple(names))
        return pa.array(bulk.Column(bulk._run(job, urls, threads, "null", None)))
    rows = zip(bulk.query_pairs_many(urls, threads=threads), *(column.to_pylist() for column in keys), strict=True)
    return pa.array([_first_values(*row) for row in rows], pa.map_(pa.large_string(), pa.large_string()))


def _first_values(pairs: list[tuple[str, str]] | None, *keys: str | None) -> dict[str, str] | None:
    if pairs is None:
        return None
    # The first pair is the last to be put.
    values = dict(reversed(pairs))
    return {key: values[key] for key in keys if key in values}


def part(*columns: Any, **options: Any) -> Any:
    """`parse_url(u, part[, key])`"""
    if not 2 <= len(columns) <= 3:
        raise ValueError("parse_url() takes a URL, a part and perhaps a key")
    urls, parts, *keys = columns
    result = pa.nulls(len(urls), pa.large_string())
    for name in pc.unique(parts).drop_null().to_pylist():
        if keys:
            check_part(name, keys)
        found = param(urls, *keys, **options) if keys else parse_url(urls, name, **options)
        result = pc.if_else(pc.equal(parts, name), found, result)
    return result


def host_in(urls: Any, hosts: Any, sets: Mapping[str, HostSet], **options: Any) -> Any:
    """`url_host_in(u, hosts)`: the name of one of the sets, or entries with white space between them."""

    def test(some: Any, text: str) -> Any:
        return url_host_in(some, sets[text] if text in sets else hosts_of(text), **options)

    return _by_value(_whole(urls), _whole(hosts), test)


def canonicalize(urls: Any, policies: Any, **options: Any) -> Any:
    """`url_canonicalize(u, policy)`"""
    return _by_value(_whole(urls), _whole(policies), url_canonicalize, **options)


def fingerprint(urls: Any, policies: Any, **options: Any) -> Any:
    """`url_fingerprint(u, policy)`"""
    return _by_value(_whole(urls), _whole(policies), url_fingerprint, **options)


def pattern_test(urls: Any, patterns: Any, **options: Any) -> Any:
    """`url_pattern_test(u, pattern)`"""
    return _by_value(_whole(urls), _whole(patterns), url_pattern_test, **options)


def pattern_extract(urls: Any, patterns: Any, groups: Any, **options: Any) -> Any:
    """`url_pattern_extract(u, pattern, group)`"""

    def extract(some: Any, group: str, pattern: str) -> Any:
        return url_pattern_extract(some, pattern, [group], **options).field(0)

    def extract_all(some: Any, pattern: str) -> Any:
        return _by_value(some[0], some[1], extract, pattern=pattern)

    urls, patterns, groups = map(_whole, (urls, patterns, groups))
    both = pa.StructArray.from_arrays([urls, groups], ["url", "group"])
    return _by_value(both, patterns, lambda some, pattern: extract_all(some.flatten(), pattern))


def _whole(column: Any) -> Any:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _by_value(rows: Any, values: Any, function: Callable[..., Any], **options: Any) -> Any:
    """The results of a function of some rows and their value, for each distinct value; null where that is null."""
    result = None
    distinct = pc.unique(values)
    if len(distinct) == 1 and distinct[0].is_valid:
        return function(rows, distinct[0].as_py(), **options)
    for value in distinct.drop_null().to_pylist():
        mask = pc.fill_null(pc.equal(values, value), False)
        found = function(rows.filter(mask), value, **options)
        result = pa.nulls(len(rows), found.type) if result is None else result
        result = pc.replace_with_mask(result, mask, found)
    return pa.nulls(len(rows)) if result is None else result


# Of each name in the list.
SQL_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    **{name: getattr(pyarrow, name) for name in _functions.FUNCTIONS},
    "url_canonicalize": canonicalize,
    "url_fingerprint": fingerprint,
    "url_host_in": host_in,
    "url_param": param,
    "url_query": query,
    "url_pattern_test": pattern_test,
    "url_pattern_extract": pattern_extract,
    "parse_url": part,
}
