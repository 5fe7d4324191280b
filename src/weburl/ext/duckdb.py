"""URLs in DuckDB: SQL functions.

    >>> import duckdb
    >>> import weburl.ext.duckdb
    >>> con = duckdb.connect()
    >>> weburl.ext.duckdb.register(con)
    >>> _ = con.execute("create table t as select 'https://EXAMPLE.com:443/?q=caf%C3%A9' as u")
    >>> con.sql("select url_host(u), url_param(u, 'q') from t").fetchall()
    [('example.com', 'café')]

| function | what |
|---|---|
| `url_host(u)` `url_path(u)` | the host without its port; the path |
| `url_param(u, key)` | the first value that the query has for a name, decoded |
| `url_parse(u)` | a struct with a field for each of `URL`'s attributes, and `error` |
| `url_join(base, ref)` | the reference, relative to the base |
| `url_normalize(u)` `url_valid(u)` | the serialization; whether it is a URL |
| `url_site(u)` | the registrable domain; it needs `weburl[psl]` |
| `parse_url(u, part[, key])` | HOST PATH QUERY REF PROTOCOL FILE AUTHORITY USERINFO; with a key, `url_param` |

NULL gives NULL, and so does what is no URL: but `url_valid` gives false for that. `url_parse` always gives a struct,
whose fields are NULL then, but for the `error` of what is no URL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

try:
    import duckdb
    from duckdb.sqltypes import BOOLEAN, VARCHAR
except ModuleNotFoundError as error:
    raise ImportError("this needs duckdb: pip install duckdb") from error

from weburl.bulk import parse_many
from weburl.ext import _sql
from weburl.ext.pyarrow import url_host, url_join, url_normalize, url_parse, url_path, url_site, url_valid

__all__ = ["register"]


def __dir__() -> list[str]:
    return __all__


def register(con: Any = None, fields: Iterable[str] | None = None) -> None:
    """Gives the functions to a connection or DuckDB's default one. `url_parse` has the fields, by default all."""
    con = duckdb.default_connection() if con is None else con
    names = parse_many((), fields).column_names
    functions: tuple[tuple[str, Callable[..., Any], list[Any] | None, Any], ...] = (
        ("url_host", lambda urls: url_host(urls, views=True), [VARCHAR], VARCHAR),
        ("url_path", lambda urls: url_path(urls, views=True), [VARCHAR], VARCHAR),
        ("url_param", lambda urls, keys: _sql.param(urls, keys), [VARCHAR, VARCHAR], VARCHAR),
        ("url_parse", lambda urls: url_parse(urls, names, views=True), [VARCHAR], dict.fromkeys(names, VARCHAR)),
        ("url_join", lambda bases, refs: url_join(bases, refs), [VARCHAR, VARCHAR], VARCHAR),
        ("url_normalize", lambda urls: url_normalize(urls, views=True), [VARCHAR], VARCHAR),
        ("url_valid", lambda urls: url_valid(urls), [VARCHAR], BOOLEAN),
        ("url_site", lambda urls: url_site(urls), [VARCHAR], VARCHAR),
        # None: any number of them.
        ("parse_url", lambda *columns: _sql.part(*columns), None, VARCHAR),
    )
    for name, function, parameters, result in functions:
        with suppress(duckdb.InvalidInputException):
            con.remove_function(name)
        con.create_function(name, function, parameters, result, type="arrow", null_handling="special")
