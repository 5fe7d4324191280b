"""URLs in SQLite: SQL functions, for connections of Python's `sqlite3`.

    >>> import sqlite3
    >>> import weburl.ext.sqlite
    >>> con = sqlite3.connect(":memory:")
    >>> weburl.ext.sqlite.register(con)
    >>> _ = con.execute("create table t as select 'https://EXAMPLE.com:443/?q=caf%C3%A9' as u")
    >>> con.execute("select url_hostname(u), url_param(u, 'q') from t").fetchall()
    [('example.com', 'café')]

`register` lists the functions. NULL gives NULL. So does a text that is not a URL, but `url_can_parse` and
`url_pattern_test` give 0, and `url_parse` an object of JSON in which only `error` is not null.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from weburl._arrow.input import from_objects
from weburl._verbs.rows import Table
from weburl._verbs.verb import ENGINE_TYPES, SQL_BASE, unchanged
from weburl._verbs.work import prepare
from weburl.ext._adapter import Engine, Sql, type_of

if TYPE_CHECKING:
    import sqlite3

    from weburl._arrow.job import Job
    from weburl._verbs.verb import Verb

ENGINE = Engine("sqlite", sql=True, functions=False)

__all__ = ["register"]

# How many different arguments of a function, such as keys and patterns, are kept ready.
_READY: Final = 256


def __dir__() -> list[str]:
    return __all__


@ENGINE.with_options_of(Sql)
def register(con: sqlite3.Connection, *, sql: Sql) -> None:
    """Gives the functions to a connection.

    >>> import sqlite3
    >>> connection = sqlite3.connect(":memory:")
    >>> register(connection)
    >>> connection.execute("SELECT url_hostname('https://Example.com:8080/a'), url_path('https://a.com/a/../b')").fetchall()
    [('example.com', '/b')]

    {functions}

    A struct, a list and a map are texts of JSON. Numbers of SQLite have a sign, so a fingerprint of 64 bits can be
    negative.

    All functions are deterministic, so an index can have them. If the index has a function whose result depends on the
    arguments of `register`, such as `url_route`, run `reindex` when you register others.
    """
    for name, verb in sql.verbs().items():
        for count in (-1,) if verb.any_number else verb.sql_counts:
            con.create_function(name, count, _function_of(sql, verb), deterministic=True)


def _function_of(sql: Sql, verb: Verb) -> Callable[..., Any]:
    """The function for one row."""
    inputs = len(verb.columns)
    with_base = verb.sql_counts[-1] if SQL_BASE in verb.sql_arguments else None
    store = type_of(sql.result(verb), _STORED, lambda names: _json)

    @lru_cache(_READY)
    def job_of(*values: str | None) -> Job:
        return prepare(verb, sql.options(verb, sql.values(verb, values)))

    def function(*arguments: Any) -> Any:
        base = None
        if len(arguments) == with_base:
            *arguments, base = arguments  # type: ignore[assignment]
        texts = [*map(_text, arguments)]
        # NULL gives NULL; only among the keys of `url_query` it is left out.
        if None in (texts[:inputs] if verb.any_number else texts):
            return None
        *bases, text = texts[:inputs]
        if base is not None:
            bases = [_text(base)]
        job = job_of(*texts[inputs:])
        rows = from_objects((text,))
        batch = job.run(rows, 0, 1, from_objects(tuple(bases)), 0) if bases else job.run(rows, 0, 1)
        if batch is None:
            return None
        value = next(iter(Table([batch]))) if verb.is_struct else batch.entry(0)
        return None if value is None else store(value)

    return function


def _text(value: str | float | bytes | None) -> str | None:
    """Of an argument, which may be a number or a BLOB."""
    if value is None or isinstance(value, str):
        return value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _pairs(pairs: list[tuple[str, str]]) -> str:
    return _json([{"name": name, "value": value} for name, value in pairs])


# What SQLite has for each kind of result. It has no lists and no structs: these are JSON, for its `json_extract`.
_STORED: Final[dict[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(ENGINE_TYPES, unchanged), "number": _signed,
    "texts": _json, "map": _json, "pairs": _pairs,
}  # fmt: skip
