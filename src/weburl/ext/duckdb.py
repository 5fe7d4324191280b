"""URLs in DuckDB: SQL functions.

    >>> import duckdb
    >>> import weburl.ext.duckdb
    >>> con = duckdb.connect()
    >>> weburl.ext.duckdb.register(con)
    'arrow'
    >>> _ = con.execute("create table t as select 'https://EXAMPLE.com:443/?q=caf%C3%A9' as u")
    >>> con.sql("select url_hostname(u), url_param(u, 'q') from t").fetchall()
    [('example.com', 'café')]

`register` lists the functions. NULL gives NULL. So does a text that is not a URL, but `url_can_parse` and
`url_pattern_test` give false. `url_parse` always gives a struct: its fields are then NULL, except `error` for a text
that is not a URL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakValueDictionary

from weburl.ext._adapter import Engine, Sql, needed

with needed("duckdb", "1.4.4"):
    import duckdb

from weburl._verbs.verb import column_names
from weburl.ext._engines import macros
from weburl.ext._engines import native as native_functions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weburl._robots.robots import Robots
    from weburl._verbs.options import Hosts, Routes

ENGINE = Engine("duckdb", sql=True, functions=False)

__all__ = ["register"]

RESULTS = {
    "text": "VARCHAR",
    "bool": "BOOLEAN",
    "number": "UBIGINT",
    "digest": "BLOB",
    "pairs": "STRUCT(name VARCHAR, value VARCHAR)[]",
    "texts": "VARCHAR[]",
    "map": "MAP(VARCHAR, VARCHAR)",
}


def __dir__() -> list[str]:
    return __all__


def register(
    con: Any = None,
    fields: Iterable[str] | None = None,
    *,
    routes: Routes | None = None,
    hosts: Mapping[str, Hosts] | None = None,
    robots: Mapping[str, Robots] | None = None,
    bits: int = 64,
    native: bool | None = None,
) -> Literal["native", "arrow"]:
    """Gives the functions to a connection, or to DuckDB's default one.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> _ = register(connection)
    >>> connection.sql("SELECT url_hostname('https://Example.com:8080/a'), url_path('https://a.com/a/../b')").fetchall()
    [('example.com', '/b')]

    `url_parse` gives the fields, by default all.

    {functions}

    `url_route` exists if you pass `routes`: a `PatternList`, or a list or mapping of patterns. `hosts` gives names to
    sets: each is a `HostSet`, or a list of host patterns. The second argument of `url_host_in` is a text: one of these
    names, or host patterns with white space between them. `url_robots_allowed` exists if you pass `robots`, which gives
    names to `Robots`; its second argument is such a name. A policy is a text: the name of one of weburl's own, or the
    `repr` of a policy. `bits` are those of `url_fingerprint`: up to 64 give a UBIGINT, 96 or 128 a BLOB.

    The functions are "native", for all connections of the database, or "arrow": then DuckDB calls Python with Arrow
    arrays. The result says which. `native=True` makes them native or raises the reason. It needs DuckDB 2.0 or later,
    and writes to DuckDB's directories in your home directory: docs/engines/duckdb.md says what. `native=False` does not
    try, and raises ValueError if the database has native functions. Otherwise they are native if the database was
    opened with `allow_unsigned_extensions`, or with `allow_extension_repositories` as "allowed".

    On this connection, arguments have names: `url_redact(u, policy := 'logs/1')`. A base is a text, too; NULL is none.
    """
    con = duckdb.default_connection() if con is None else con
    sql = Sql(fields, routes, hosts, bits, robots)
    has_native = native_functions.registration_of(con.cursor()) is not None
    if has_native and native is False:
        raise ValueError("the functions of this database are native until it is closed")
    if native or has_native or (native is None and native_functions.permits(con)):
        try:
            native_functions.register(con, sql)
            # A connection whose results are not all fetched keeps the names that it has.
            with native_functions.LOCK, suppress(duckdb.ResourceInUseException):
                _name_arguments(con, sql)
            return "native"
        except (OSError, duckdb.Error):
            if native or has_native:
                raise
    with native_functions.LOCK:
        _register_arrow(con, sql)
        _name_arguments(con, sql)
    return "arrow"


def _name_arguments(con: Any, sql: Sql) -> None:
    con.sql("; ".join(macros.statements(sql.verbs().values())))


class _Shared:
    """The functions that run as Arrow arrays, of all connections of a database, and the kinds of their results."""

    def __init__(self) -> None:
        self.functions: dict[str, Callable[..., Any]] = {}
        self.results: dict[str, str] = {}

    def caller(self, name: str) -> Callable[..., Any]:
        return lambda *columns: self.functions[name](*columns)


# A function that tells which of these a database has. It keeps them.
_SHARED = "weburl_shared"
_shared: WeakValueDictionary[str, _Shared] = WeakValueDictionary()


def _shared_of(con: Any) -> _Shared:
    """What the connections of this database share."""
    with suppress(duckdb.CatalogException):
        return _shared[con.cursor().execute(f"select {_SHARED}()").fetchone()[0]]
    shared = _Shared()
    key = str(id(shared))
    # It has the function, so that it lives as long as that.
    con.create_function(_SHARED, lambda: shared and key, [], "VARCHAR")
    _shared[key] = shared
    return shared


def _register_arrow(con: Any, sql: Sql) -> None:
    from weburl.ext._engines.sql import functions_of

    # DuckDB looks for a function by its name, and would find the macro.
    con.sql("; ".join(macros.removals(sql.verbs().values())))
    shared = _shared_of(con)
    functions: dict[str, Callable[..., Any]] = {}
    for name, (function, verb) in functions_of(sql).items():
        count = None if verb.any_number or len(verb.sql_counts) > 1 else verb.sql_counts[0]
        parameters = None if count is None else ["VARCHAR"] * count
        with suppress(duckdb.InvalidInputException):
            con.remove_function(name)
        kind = sql.result(verb)
        result = dict.fromkeys(kind, "VARCHAR") if isinstance(kind, tuple) else RESULTS[kind]
        # Strings can point into the column of URLs.
        views = {"views": True} if verb.field in column_names() or verb.is_struct else {}
        functions[name] = partial(function, **views)
        shared.functions.setdefault(name, functions[name])
        try:
            con.create_function(
                name, _call(shared.caller(name), count), parameters, result, type="arrow", null_handling="special"
            )
        except duckdb.CatalogException:
            # Another connection has made it, and only that one can make it anew.
            if shared.results.get(name) != str(result):
                raise ValueError(
                    f"{name} has another result on the connection that registered it first: register that one again"
                ) from None
        shared.results[name] = str(result)
    shared.functions.update(functions)


def _call(function: Callable[..., Any], columns: int | None) -> Callable[..., Any]:
    """The function for so many columns. DuckDB counts the parameters."""
    if columns == 1:
        return lambda column: function(column)
    if columns == 2:
        return lambda first, second: function(first, second)
    if columns == 3:
        return lambda first, second, third: function(first, second, third)
    return function


register.__doc__ = ENGINE.with_functions(register.__doc__)
