"""The functions of SQL over Arrow's arrays: arguments that are single values in Python are columns here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from weburl._arrow.cutting import open_column
from weburl._arrow.input import only_text
from weburl._verbs.rows import Column, Table
from weburl._verbs.verb import Verb, engine_verbs
from weburl.ext._adapter import Sql, sql_names
from weburl.ext._engines.arrays import give

if TYPE_CHECKING:
    from weburl.ext._adapter import Result

TEXTS: Final = frozenset(make().id for make in (pa.string, pa.large_string, pa.string_view))
# More of them are for threads.
FEW_ROWS: Final = 16_384


def functions_of(sql: Sql) -> Iterator[tuple[str, Callable[..., Any], Result]]:
    """Each name with its function, for one batch at a time in one thread, and the kind of its result."""
    for name, verb in sql.verbs().items():
        yield name, function_of(sql, name, threads=1), sql.result(verb)


def function_of(sql: Sql, name: str, **options: Any) -> Callable[..., Any]:
    """A function of columns, also by the names that `sql_names` gives. The options are such as `threads`."""

    # What is pickled for workers has no verb.
    def evaluate(*columns: Any, **named: Any) -> Any:
        common = {**named, **options}
        shape = shape_of(name)
        if shape.verb.any_number:
            return query(sql, shape.verb, *columns, **common)
        if len(columns) == shape.counts[0] == 1 and common.keys().isdisjoint(shape.names):
            # Most calls have the URLs only.
            return run(sql, shape.verb, [whole(columns[0])], {}, common)
        rows, given = shape.arguments(columns, common)
        bases = given.pop("base", None)
        if bases is None:
            return for_values(sql, shape.verb, rows, given, {}, common)
        if 0 < bases.null_count < len(bases):
            # pyarrow does not reorder views.
            common.pop("views", None)
        return with_bases(bases, rows, given, lambda rows, given: for_values(sql, shape.verb, rows, given, {}, common))

    evaluate.__name__ = name
    return evaluate


class Shape:
    """The verb of a function, and its arguments."""

    def __init__(self, name: str) -> None:
        self.verb = engine_verbs()[name].in_sql()
        self.names = sql_names(self.verb)
        self.counts = self.verb.sql_counts
        # The option of each name.
        own = (*self.verb.columns, *[option.name for option in self.verb.sql_arguments])
        self.own = dict(zip(self.names, own, strict=True))

    def arguments(self, columns: tuple[Any, ...], common: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The columns of rows, and the other columns by the names of the verb's options; these leave `common`."""
        given = dict(zip(self.names, columns, strict=False))
        given.update({name: common.pop(name) for name in self.names if name in common})
        if len(columns) > self.counts[-1] or any(name not in given for name in self.names[: self.counts[0]]):
            right = f"{self.counts[0]} to {self.counts[-1]}" if len(self.counts) > 1 else f"{self.counts[0]}"
            raise ValueError(f"{self.verb.function}() takes {right} arguments, not {len(columns)}")
        by_option = {self.own[name]: whole(column) for name, column in given.items()}
        return [by_option.pop(name) for name in self.verb.columns], by_option


@cache
def shape_of(name: str) -> Shape:
    return Shape(name)


def with_bases(
    bases: Any, rows: list[Any], columns: dict[str, Any], work: Callable[[list[Any], dict[str, Any]], Any]
) -> Any:
    """The results of rows that have a base in this column, and of those that have none."""
    if bases is None or bases.null_count == len(bases):
        return work(rows, columns)
    if not bases.null_count:
        return work([bases, *rows], columns)
    known = pc.is_valid(bases)
    parts = []
    for mask, some in ((pc.invert(known), rows), (known, [bases, *rows])):
        kept = {name: column.filter(mask) for name, column in columns.items()}
        parts.append(work([column.filter(mask) for column in some], kept))
    types = [part.type for part in parts if not pa.types.is_null(part.type)]
    parts = [part.cast(types[0]) if types and pa.types.is_null(part.type) else part for part in parts]
    # Where each row is now: sorting is stable, and sorting its result inverts it.
    return pa.concat_arrays(parts).take(pc.sort_indices(pc.sort_indices(pc.cast(known, pa.int8()))))


def for_values(
    sql: Sql, verb: Verb, rows: list[Any], columns: dict[str, Any], values: dict[str, Any], common: Mapping[str, Any]
) -> Any:
    """The results, for each distinct value of the columns; null where one is null."""
    if not columns:
        return run(sql, verb, rows, values, common)
    name, column = next(iter(columns.items()))
    value = one_value(column)
    if value is not None:
        rest = {other: each for other, each in columns.items() if other != name}
        return for_values(sql, verb, rows, rest, {**values, name: value}, common)
    if name == "key" and verb.finds_key:
        # Raises for a key of another part than the query.
        verb.fields(sql.options(verb, {**values, "key": ""}))
        return params(rows, column, common)
    result = None
    for value in pc.unique(column).drop_null().to_pylist():
        mask = pc.fill_null(pc.equal(column, value), False)
        rest = {other: each.filter(mask) for other, each in columns.items() if other != name}
        some = for_values(sql, verb, [each.filter(mask) for each in rows], rest, {**values, name: value}, common)
        result = pa.nulls(len(column), some.type) if result is None else result
        result = pc.replace_with_mask(result, mask, some)
    return pa.nulls(len(column)) if result is None else result


def run(sql: Sql, verb: Verb, rows: list[Any], values: dict[str, Any], common: Mapping[str, Any]) -> Any:
    """The results for values that are the same for all rows."""
    inputs = [open_column(column) for column in rows]
    if len(rows[-1]) > FEW_ROWS or any(len(chunks) != 1 for chunks in inputs):
        return give(verb, tuple(rows), {**sql.options(verb, values), **common})
    # Engines hand over a few thousand rows at a time, mostly for the same values.
    *bases, urls = [chunks[0] for chunks in inputs]
    base = bases[0] if bases else None
    batch = sql.job(verb, values, bool(common.get("views"))).run(urls, 0, len(urls), base)
    assert batch is not None
    return pa.array(Table([batch]) if verb.is_struct else Column([batch]))


def params(rows: list[Any], keys: Any, common: Mapping[str, Any]) -> Any:
    """The value of another key in each row."""
    found = [
        next((pair["value"] for pair in pairs or () if pair["name"] == key), None)
        for pairs, key in zip(pairs_of(rows, **common), keys.to_pylist(), strict=True)
    ]
    return pa.array(found, pa.large_string())


def query(sql: Sql, verb: Verb, urls: Any, *keys: Any, **common: Any) -> Any:
    """`url_query(u, key, ...)`: a map of the keys that the query has, with their first values."""
    values = [None if column.null_count == len(column) else one_value(column) for column in keys]
    if all(value is not None or column.null_count == len(column) for value, column in zip(values, keys, strict=True)):
        return run(sql, verb, [urls], sql.values(verb, values), common)
    rows = zip(pairs_of([urls], **common), *(column.to_pylist() for column in keys), strict=True)
    return pa.array([first_values(*row) for row in rows], pa.map_(pa.large_string(), pa.large_string()))


def pairs_of(rows: list[Any], **common: Any) -> list[list[dict[str, str]] | None]:
    pairs: list[list[dict[str, str]] | None] = give(engine_verbs()["url_params"], tuple(rows), common).to_pylist()
    return pairs


def first_values(pairs: list[dict[str, str]] | None, *keys: str | None) -> dict[str, str] | None:
    if pairs is None:
        return None
    # The first pair is the last to be put.
    values = {pair["name"]: pair["value"] for pair in reversed(pairs)}
    return {key: values[key] for key in keys if key in values}


def one_value(column: Any) -> Any:
    """The value that all rows have; None if they have none, or others."""
    if not len(column) or column.null_count:
        return None
    if isinstance(column, pa.Array) and column.type.id in TEXTS:
        return only_text(*open_column(column))
    return column[0].as_py() if pc.all(pc.equal(column, column[0])).as_py() else None


def whole(column: Any) -> Any:
    if not isinstance(column, pa.ChunkedArray):
        return column
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
