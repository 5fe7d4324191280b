"""NULL in each argument of each function of SQL gives the same in all engines."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import pytest

import weburl.ext.duckdb
import weburl.ext.sqlite
from weburl._verbs.verb import Verb, engine_verbs
from weburl.ext._adapter import Sql, sql_names
from weburl.robots import Robots

Arguments = list[str | None]

OPTIONS: dict[str, Any] = {
    "fields": ["hostname", "error"],
    "routes": {"first": "*://*/*"},
    "robots": {"site": Robots.parse("User-agent: *\nDisallow: /private", agent="ExampleBot")},
}
SQL = Sql(**OPTIONS)
VALUES = {
    "url": "http://ada@h.example/a?q=b&page=2", "text": "see http://h.example/%41?token=1",
    "base": "http://base.example/", "ref": "/a?q=b", "key": "q", "pattern": "*://*/:id", "group": "id",
    "hosts": "h.example", "robots": "site", "n": "4", "part": "QUERY",
}  # fmt: skip


def value_of(verb: Verb, name: str) -> str:
    policies = {option.name: str(option.default) for option in verb.options if option.name == "policy"}
    return {**VALUES, **policies}[name]


def calls() -> Iterator[tuple[str, Arguments]]:
    """Each function with every number of arguments that it takes, without NULL and with NULL for each."""
    for name, verb in SQL.verbs().items():
        values = [value_of(verb, each) for each in sql_names(verb)]
        lists = [[*values, "page", "none"]] if verb.any_number else [values[:count] for count in verb.sql_counts]
        for given in lists:
            yield name, [*given]
            yield from ((name, [*given[:place], None, *given[place + 1 :]]) for place in range(len(given)))
            yield name, [None] * len(given)


CALLS = [*calls()]


def in_sqlite(name: str, arguments: Arguments) -> Any:
    con = sqlite3.connect(":memory:")
    weburl.ext.sqlite.register(con, **OPTIONS)
    (found,) = con.execute(f"select {name}({', '.join('?' * len(arguments))})", arguments).fetchone()
    con.close()
    kind = SQL.result(SQL.verbs()[name])
    if kind == "number":
        return None if found is None else found % (1 << 64)
    # SQLite has these as JSON. A text of any other kind is wrong, and stays one. `kind` of a struct is its names.
    is_json = isinstance(kind, tuple) or kind in ("texts", "map", "pairs")
    return json.loads(found) if is_json and found is not None else found


def literal(value: str | None) -> str:
    return "null::varchar" if value is None else f"'{value}'"


def without_empty(value: Any) -> Any:
    """In DuckDB, a struct is never NULL."""
    return None if isinstance(value, dict) and value and {*value.values()} == {None} else value


@pytest.fixture(scope="module", params=["arrow", "native"])
def con(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "native" and duckdb.__version__ < "2":
        pytest.skip("this DuckDB has no native functions")
    with duckdb.connect(config={"allow_unsigned_extensions": str(request.param == "native").lower()}) as con:
        assert weburl.ext.duckdb.register(con, **OPTIONS) == request.param
        yield con


def ask(con: Any, query: str) -> list[Any]:
    return [without_empty(row[0]) for row in con.execute(query).fetchall()]


def test_every_argument_is_null_once() -> None:
    assert {name for name, _ in CALLS} == {*engine_verbs()}
    assert [arguments for name, arguments in CALLS if name == "url_query"][3] == [VALUES["url"], "q", None, "none"]


@pytest.mark.parametrize(("name", "arguments"), CALLS, ids=lambda each: each if isinstance(each, str) else None)
def test_null(con: Any, name: str, arguments: Sequence[str | None]) -> None:
    expected = without_empty(in_sqlite(name, [*arguments]))
    assert ask(con, f"select {name}({', '.join(map(literal, arguments))})") == [expected]
    # In some rows of a column.
    full = next(given for other, given in CALLS if other == name and len(given) == len(arguments))
    rows = ", ".join([f"({', '.join(map(literal, row))})" for row in (full, arguments, full)])
    columns = ", ".join([f"c{place}" for place in range(len(full))])
    right = without_empty(in_sqlite(name, full))
    assert right is not None
    assert ask(con, f"select {name}({columns}) from (values {rows}) t({columns})") == [right, expected, right]


def test_null_is_not_a_key() -> None:
    url = "https://h/?a=1"
    assert in_sqlite("url_query", [url, "a", None]) == {"a": "1"}
    assert in_sqlite("url_query", [url, None]) == {}
    assert in_sqlite("url_query", [None, "a"]) is None
