"""The functions of a DuckDB database that run in Python, with Arrow arrays."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from weakref import WeakValueDictionary

import duckdb

from weburl._verbs.verb import ENGINE_TYPES, column_names
from weburl.ext._adapter import Sql, type_of
from weburl.ext._engines.duckdb import macros
from weburl.ext._engines.sql import function_of

RESULTS = {
    **{kind: each.duckdb for kind, each in ENGINE_TYPES.items()},
    "pairs": "STRUCT(name VARCHAR, value VARCHAR)[]",
    "texts": "VARCHAR[]",
    "map": "MAP(VARCHAR, VARCHAR)",
}


class Shared:
    """The functions that run as Arrow arrays, of all connections of a database, and the kinds of their results."""

    def __init__(self) -> None:
        self.functions: dict[str, Callable[..., Any]] = {}
        self.results: dict[str, str] = {}

    def caller(self, name: str) -> Callable[..., Any]:
        return lambda *columns: self.functions[name](*columns)


# A function that tells which of these a database has. It keeps them.
SHARED = "weburl_shared"
_shared: WeakValueDictionary[str, Shared] = WeakValueDictionary()


def shared_of(con: Any) -> Shared:
    """What the connections of this database share."""
    with suppress(duckdb.CatalogException):
        return _shared[con.cursor().execute(f"select {SHARED}()").fetchone()[0]]
    shared = Shared()
    key = str(id(shared))
    # It has the function, so that it lives as long as that.
    con.create_function(SHARED, lambda: shared and key, [], "VARCHAR")
    _shared[key] = shared
    return shared


def register(con: Any, sql: Sql) -> None:
    # DuckDB looks for a function by its name, and would find the macro.
    con.sql("; ".join(macros.removals(sql.verbs().values())))
    shared = shared_of(con)
    functions: dict[str, Callable[..., Any]] = {}
    for name, verb in sql.verbs().items():
        count = None if verb.any_number or len(verb.sql_counts) > 1 else verb.sql_counts[0]
        parameters = None if count is None else ["VARCHAR"] * count
        with suppress(duckdb.InvalidInputException):
            con.remove_function(name)
        result = type_of(sql.result(verb), RESULTS, lambda names: dict.fromkeys(names, "VARCHAR"))
        # Strings can point into the column of URLs.
        views = {"views": True} if verb.field in column_names() or verb.is_struct else {}
        functions[name] = function_of(sql, name, **views)
        shared.functions.setdefault(name, functions[name])
        try:
            con.create_function(
                name, call_of(shared.caller(name), count), parameters, result, type="arrow", null_handling="special"
            )
        except duckdb.CatalogException:
            # Another connection has made it, and only that one can make it anew.
            if shared.results.get(name) != str(result):
                raise ValueError(
                    f"{name} has another result on the connection that registered it first: register that one again"
                ) from None
        shared.results[name] = str(result)
    shared.functions.update(functions)


def call_of(function: Callable[..., Any], columns: int | None) -> Callable[..., Any]:
    """The function for so many columns. DuckDB counts the parameters."""
    if columns == 1:
        return lambda column: function(column)
    if columns == 2:
        return lambda first, second: function(first, second)
    if columns == 3:
        return lambda first, second, third: function(first, second, third)
    return function
