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
| `url_params(u)` | all pairs of the query, decoded: a list of structs of `name` and `value` |
| `url_parse(u)` | a struct with the fields that `weburl.bulk.parse_many` gives by default |
| `url_join(base, ref)` | the reference, relative to the base |
| `url_normalize(u)` `url_valid(u)` | the serialization; whether it is a URL |
| `url_site(u)` | the registrable domain; it needs `weburl[psl]` |
| `url_pattern_test(u, pattern)` | whether it matches a URL pattern |
| `url_pattern_extract(u, pattern, group)` | what a group of the pattern took |
| `url_host_in(u, hosts)` | whether the host is one of `hosts`: entries with spaces between, or a name of a set |
| `url_is_private(u)` | whether the host is private |
| `url_redact(u)` | the URL without its secrets |
| `url_path_template(u)` | the template of the path |
| `url_route(u)` | the key of the first pattern that matches, of those given to `register` |
| `url_percent_decode(u)` | the text, percent-decoded |
| `parse_url(u, part[, key])` | HOST PATH QUERY REF PROTOCOL FILE AUTHORITY USERINFO; with a key, `url_param` |

NULL gives NULL. So does a text that is not a URL, but `url_valid` and `url_pattern_test` give false. `url_parse` always
gives a struct: its fields are then NULL, except `error` for a text that is not a URL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

try:
    import duckdb
    from duckdb.sqltypes import BOOLEAN, VARCHAR
except ModuleNotFoundError as error:
    raise ImportError("this needs duckdb: pip install duckdb") from error

from weburl.bulk import parse_many
from weburl.ext._engines import sql as _sql
from weburl.ext._engines.functions import FUNCTIONS
from weburl.ext._engines.sql import host_sets, route_list

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weburl.bulk import Hosts, Routes

__all__ = ["register"]

RESULTS: dict[str, Any] = {
    "text": VARCHAR,
    "bool": BOOLEAN,
    "pairs": duckdb.list_type(duckdb.struct_type({"name": VARCHAR, "value": VARCHAR})),
}
# Their results can point into the column of URLs.
VIEWS = ("url_host", "url_path", "url_parse", "url_normalize")


def __dir__() -> list[str]:
    return __all__


def register(
    con: Any = None,
    fields: Iterable[str] | None = None,
    routes: Routes | None = None,
    hosts: Mapping[str, Hosts] | None = None,
) -> None:
    """Gives the functions to a connection or DuckDB's default one. `url_parse` gives the fields, by default all.

    `url_route` is there if `routes` are given: a `PatternList`, or what makes one. `hosts` gives names to sets for
    `url_host_in`: each is a `HostSet`, or what makes one.
    """
    con = duckdb.default_connection() if con is None else con
    names = parse_many((), fields).column_names
    options: dict[str, dict[str, Any]] = {name: {"views": True} for name in VIEWS}
    options["url_parse"]["fields"] = names
    options["url_host_in"] = {"sets": host_sets(hosts)}
    options["url_route"] = {"routes": route_list(routes)}
    for name, function in FUNCTIONS.items():
        if name == "url_route" and routes is None:
            continue
        parameters = None if function.sql_columns is None else [VARCHAR] * function.sql_columns
        with suppress(duckdb.InvalidInputException):
            con.remove_function(name)
        kind = function.sql_result or function.result
        result = dict.fromkeys(names, VARCHAR) if kind == "struct" else RESULTS[kind]
        call = _call(_sql.SQL_FUNCTIONS[name], function.sql_columns, options.get(name, {}))
        con.create_function(name, call, parameters, result, type="arrow", null_handling="special")


def _call(function: Callable[..., Any], columns: int | None, options: dict[str, Any]) -> Callable[..., Any]:
    """The function with the options. DuckDB counts the parameters."""
    if columns == 1:
        return lambda column: function(column, **options)
    if columns == 2:
        return lambda first, second: function(first, second, **options)
    if columns == 3:
        return lambda first, second, third: function(first, second, third, **options)
    return lambda *all_columns: function(*all_columns, **options)
