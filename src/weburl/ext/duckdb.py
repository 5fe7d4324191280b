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

from contextlib import suppress
from typing import Any, Literal

from weburl.ext._adapter import Engine, Sql
from weburl.ext._engines.versions import needed

with needed("duckdb", "1.4.4"):
    import duckdb

from weburl.ext._engines.duckdb import macros
from weburl.ext._engines.duckdb import native as native_functions

ENGINE = Engine("duckdb", sql=True, functions=False)

__all__ = ["register"]


def __dir__() -> list[str]:
    return __all__


@ENGINE.with_options_of(Sql)
def register(con: Any = None, *, sql: Sql, native: bool | None = None) -> Literal["native", "arrow"]:
    """Gives the functions to a connection, or to DuckDB's default one.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> _ = register(connection)
    >>> connection.sql("SELECT url_hostname('https://Example.com:8080/a'), url_path('https://a.com/a/../b')").fetchall()
    [('example.com', '/b')]

    {functions}

    The functions are "native", for all connections of the database, or "arrow": then DuckDB calls Python with Arrow
    arrays. The result says which. `native=True` makes them native or raises the reason. It needs DuckDB 2.0 or later,
    and writes to DuckDB's directories in your home directory: docs/engines/duckdb.md says what. `native=False` does not
    try, and raises ValueError if the database has native functions. Otherwise they are native if the database was
    opened with `allow_unsigned_extensions`, or with `allow_extension_repositories` as "allowed".

    On this connection, arguments have names: `url_redact(u, policy := 'logs/1')`. A base is a text, too; NULL is none.
    """
    con = duckdb.default_connection() if con is None else con
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
    from weburl.ext._engines.duckdb import in_python

    with native_functions.LOCK:
        in_python.register(con, sql)
        _name_arguments(con, sql)
    return "arrow"


def _name_arguments(con: Any, sql: Sql) -> None:
    con.sql("; ".join(macros.statements(sql.verbs().values())))
