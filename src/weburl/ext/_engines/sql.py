"""The functions of SQL over Arrow's arrays: arguments that are single values in Python are columns here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from weburl._verbs.verb import Verb, engine_verbs
from weburl.ext._adapter import Sql
from weburl.ext._engines.arrays import give


def functions_of(sql: Sql) -> dict[str, tuple[Callable[..., Any], Verb]]:
    """Each function by its name, with its verb. It takes columns, and options such as `threads` by name."""
    return {name: (function_of(sql, name), verb) for name, verb in sql.verbs().items()}


def function_of(sql: Sql, name: str) -> Callable[..., Any]:
    # What is pickled for workers has no verb.
    def evaluate(*columns: Any, **common: Any) -> Any:
        verb = engine_verbs()[name].in_sql()
        own = OWN.get(verb.name)
        if own is not None:
            return own(verb, *columns, **common)
        rows = [whole(column) for column in columns[: len(verb.columns)]]
        options = verb.sql_options
        if verb.has_optional_columns and len(columns) == len(rows):
            options = ()
        if len(rows) + len(options) != len(columns):
            raise ValueError(
                f"{name}() takes {len(verb.columns) + len(verb.sql_options)} arguments, not {len(columns)}"
            )
        values = dict(zip([option.name for option in options], map(whole, columns[len(rows) :]), strict=True))
        return for_values(sql, verb, rows, values, {}, common)

    evaluate.__name__ = name
    return evaluate


def for_values(
    sql: Sql, verb: Verb, rows: list[Any], columns: dict[str, Any], values: dict[str, Any], common: Mapping[str, Any]
) -> Any:
    """The results, for each distinct value of the columns; null where one is null."""
    if not columns:
        return give(verb, tuple(rows), {**sql.options(verb, values), **common})
    name, column = next(iter(columns.items()))
    distinct = pc.unique(column)
    if len(distinct) == 1 and distinct[0].is_valid:
        rest = {other: each for other, each in columns.items() if other != name}
        return for_values(sql, verb, rows, rest, {**values, name: distinct[0].as_py()}, common)
    result = None
    for value in distinct.drop_null().to_pylist():
        mask = pc.fill_null(pc.equal(column, value), False)
        rest = {other: each.filter(mask) for other, each in columns.items() if other != name}
        some = for_values(sql, verb, [each.filter(mask) for each in rows], rest, {**values, name: value}, common)
        result = pa.nulls(len(column), some.type) if result is None else result
        result = pc.replace_with_mask(result, mask, some)
    return pa.nulls(len(column)) if result is None else result


def param(verb: Verb, urls: Any, keys: Any, **common: Any) -> Any:
    """`url_param(u, key)`"""
    distinct = pc.unique(keys).to_pylist()
    if len(distinct) == 1 and distinct[0] is not None:
        return give(verb, (urls,), {"key": distinct[0], **common})
    rows = zip(pairs_of(urls, **common), keys.to_pylist(), strict=True)
    values = [next((pair["value"] for pair in pairs or () if pair["name"] == key), None) for pairs, key in rows]
    return pa.array(values, pa.large_string())


def query(verb: Verb, urls: Any, *keys: Any, **common: Any) -> Any:
    """`url_query(u, key, ...)`: a map of the keys that the query has, with their first values."""
    if not keys:
        raise ValueError("url_query() takes a URL and keys")
    distinct = [pc.unique(column) for column in keys]
    if all(len(values) == 1 for values in distinct):
        names = verb.sql_options[0].read_sql([values[0].as_py() for values in distinct])
        return give(verb, (urls,), {"keys": names, **common})
    rows = zip(pairs_of(urls, **common), *(column.to_pylist() for column in keys), strict=True)
    return pa.array([first_values(*row) for row in rows], pa.map_(pa.large_string(), pa.large_string()))


def pairs_of(urls: Any, **common: Any) -> list[list[dict[str, str]] | None]:
    pairs: list[list[dict[str, str]] | None] = give(engine_verbs()["url_params"], (urls,), common).to_pylist()
    return pairs


def first_values(pairs: list[dict[str, str]] | None, *keys: str | None) -> dict[str, str] | None:
    if pairs is None:
        return None
    # The first pair is the last to be put.
    values = {pair["name"]: pair["value"] for pair in reversed(pairs)}
    return {key: values[key] for key in keys if key in values}


def part(verb: Verb, *columns: Any, **common: Any) -> Any:
    """`parse_url(u, part[, key])`"""
    if not 2 <= len(columns) <= 3:
        raise ValueError("parse_url() takes a URL, a part and perhaps a key")
    urls, parts, *keys = columns
    verb = engine_verbs()["parse_url"]
    result = pa.nulls(len(urls), pa.large_string())
    for name in pc.unique(parts).drop_null().to_pylist():
        if keys:
            verb.fields(verb.checked({"part": name, "key": ""}))
            values = param(engine_verbs()["url_param"], urls, *keys, **common)
        else:
            values = give(verb, (urls,), {"part": name, **common})
        result = pc.if_else(pc.equal(parts, name), values, result)
    return result


def whole(column: Any) -> Any:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


# Those whose keys and parts may be others in each row.
OWN: Final[dict[str, Callable[..., Any]]] = {"param": param, "query": query, "parse_url": part}
