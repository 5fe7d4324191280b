"""URLs in DuckDB: SQL functions.

    >>> import duckdb
    >>> import weburl.ext.duckdb
    >>> con = duckdb.connect()
    >>> weburl.ext.duckdb.register(con)
    'arrow'
    >>> _ = con.execute("create table t as select 'https://EXAMPLE.com:443/?q=caf%C3%A9' as u")
    >>> con.sql("select url_host(u), url_param(u, 'q') from t").fetchall()
    [('example.com', 'café')]

`register` lists the functions. NULL gives NULL. So does a text that is not a URL, but `url_valid` and
`url_pattern_test` give false. `url_parse` always gives a struct: its fields are then NULL, except `error` for a text
that is not a URL.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakValueDictionary

from weburl.ext._adapter import Engine, Sql, is_older, needed

with needed("duckdb", "1.4.4"):
    import duckdb

from weburl._verbs.verb import column_names, engine_verbs
from weburl._verbs.work import prepare
from weburl.ext import _duckdb
from weburl.ext._engines.calls import calls
from weburl.ext._engines.library import path_of
from weburl.patterns import PatternList, URLPattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weburl._verbs.options import Hosts, Routes

ENGINE = Engine("duckdb", sql=True, functions=False)

__all__ = ["register"]

RESULTS = {
    "text": "VARCHAR",
    "bool": "BOOLEAN",
    "number": "UBIGINT",
    "pairs": "STRUCT(name VARCHAR, value VARCHAR)[]",
    "map": "MAP(VARCHAR, VARCHAR)",
}
# Older ones do not replace a native function by another.
OLDEST_NATIVE = "2.0"


def __dir__() -> list[str]:
    return __all__


def register(
    con: Any = None,
    fields: Iterable[str] | None = None,
    routes: Routes | None = None,
    hosts: Mapping[str, Hosts] | None = None,
    *,
    native: bool | None = None,
) -> Literal["native", "arrow"]:
    """Gives the functions to a connection or DuckDB's default one. `url_parse` gives the fields, by default all.

    {functions}

    `url_route` is there if `routes` are given: a `PatternList`, or what makes one. `hosts` gives names to sets for
    `url_host_in`: each is a `HostSet`, or what makes one. The second argument of url_host_in is a text: entries of a
    `HostSet` with white space between them, or one of these names.

    The functions are "native", for all connections of the database, if DuckDB is 2.0 or later, the database was
    opened with `allow_unsigned_extensions`, and the library can be loaded. Otherwise DuckDB calls Python with Arrow
    arrays. The result says which. With `native=True`, what prevents native functions is raised; `native=False` does
    not try, and raises ValueError if the database has them.
    """
    con = duckdb.default_connection() if con is None else con
    sql = Sql(fields, routes, hosts)
    has_native = _registration_of(con.cursor()) is not None
    if has_native and native is False:
        raise ValueError("the functions of this database are native until it is closed")
    if native or has_native or (native is None and _permits(con)):
        try:
            _register_native(con, sql)
            return "native"
        except (OSError, duckdb.Error):
            if native or has_native:
                raise
    with _lock:
        _register_arrow(con, sql)
    return "arrow"


# Native functions.

_lock = threading.Lock()


class _Registration:
    """The native functions of a database, which keeps this."""

    def __init__(self, sql: Sql) -> None:
        self.fields = sql.fields
        self.functions = [_duckdb.Function(*call) for call in calls(sql)]
        self.named = {each.name: each for each in self.functions}
        self.functions.append(_duckdb.Function(REGISTRATION, ("url",), "text", self.identify))

    def can_be_for(self, sql: Sql) -> bool:
        return self.fields == sql.fields and sql.verbs().keys() <= self.named.keys()

    def replace(self, sql: Sql) -> None:
        """From now on, the functions have these routes and sets of hosts."""
        for call in calls(sql):
            if any(option.sql in ("named", "register") for option in engine_verbs()[call.name].options):
                self.named[call.name].replace(call.prepare)

    def identify(self) -> Any:
        """A job that gives the same key for every URL."""
        return prepare(engine_verbs()["url_route"], {"routes": PatternList({str(id(self)): URLPattern()})})


# A function that tells which registration a database has.
REGISTRATION = "weburl_registration"
_registrations: WeakValueDictionary[str, _Registration] = WeakValueDictionary()


def _permits(con: Any) -> bool:
    query = "select current_setting('allow_unsigned_extensions') and current_setting('enable_external_access')"
    return bool(con.cursor().execute(query).fetchone()[0])


def _register_native(con: Any, sql: Sql) -> None:
    if is_older(duckdb.__version__, OLDEST_NATIVE):
        raise duckdb.NotSupportedError(f"native functions need DuckDB {OLDEST_NATIVE}, not {duckdb.__version__}")
    # The functions of a database are those of all its connections. Another one leaves the results of this alone.
    con = con.cursor()
    with _lock:
        before = _registration_of(con)
        if before is not None and before.can_be_for(sql):
            before.replace(sql)
            return
        made = _Registration(sql)
        _load(con, made)
        _registrations[str(id(made))] = made


def _registration_of(con: Any) -> _Registration | None:
    try:
        return _registrations.get(con.execute(f"select {REGISTRATION}('a:')").fetchone()[0])
    except duckdb.CatalogException:
        return None


def _load(con: Any, made: _Registration) -> None:
    platform = con.execute("pragma platform").fetchone()[0]
    try:
        for name in _duckdb.NAMES:
            _duckdb.expect(made.functions)
            con.load_extension(path_of(name, platform))
            # A file whose name the database has loaded before is not loaded again.
            if not _duckdb.expect(None):
                return
    finally:
        _duckdb.expect(None)
    raise ValueError(f"a database takes other fields or first routes {len(_duckdb.NAMES) - 1} times")


# Functions in Python.


def _register_arrow(con: Any, sql: Sql) -> None:
    from weburl.ext._engines.sql import functions_of

    for name, (function, verb) in functions_of(sql).items():
        count = None if verb.any_number else len(verb.columns) + len(verb.sql_options)
        parameters = None if count is None else ["VARCHAR"] * count
        with suppress(duckdb.InvalidInputException):
            con.remove_function(name)
        kind = sql.result(verb)
        result = dict.fromkeys(kind, "VARCHAR") if isinstance(kind, tuple) else RESULTS[kind]
        # Strings can point into the column of URLs.
        views = {"views": True} if verb.field in column_names() or verb.is_struct else {}
        con.create_function(
            name, _call(function, count, views), parameters, result, type="arrow", null_handling="special"
        )


def _call(function: Callable[..., Any], columns: int | None, options: dict[str, Any]) -> Callable[..., Any]:
    """The function with the options. DuckDB counts the parameters."""
    if columns == 1:
        return lambda column: function(column, **options)
    if columns == 2:
        return lambda first, second: function(first, second, **options)
    if columns == 3:
        return lambda first, second, third: function(first, second, third, **options)
    return lambda *all_columns: function(*all_columns, **options)


register.__doc__ = ENGINE.with_functions(register.__doc__)
