"""URLs in DuckDB: SQL functions.

    >>> import duckdb
    >>> import weburl.ext.duckdb
    >>> con = duckdb.connect()
    >>> weburl.ext.duckdb.register(con)
    'arrow'
    >>> _ = con.execute("create table t as select 'https://EXAMPLE.com:443/?q=caf%C3%A9' as u")
    >>> con.sql("select url_host(u), url_param(u, 'q') from t").fetchall()
    [('example.com', 'café')]

| function | what |
|---|---|
| `url_host(u)` `url_path(u)` | the host without its port; the path |
| `url_param(u, key)` | the first value that the query has for a name, decoded |
| `url_query(u, key, ...)` | a map of the keys that the query has, with their first values |
| `url_parse(u)` | a struct with the fields that `weburl.bulk.parse_many` gives by default |
| `url_params(u)` | all pairs of the query, decoded: a list of structs of `name` and `value` |
| `url_join(base, ref)` | the reference, relative to the base |
| `url_normalize(u)` `url_valid(u)` | the serialization; whether it is a URL |
| `url_site(u)` | the registrable domain; it needs `weburl[psl]` |
| `url_public_suffix(u)` | the public suffix; it needs `weburl[psl]` |
| `url_canonicalize(u, policy)` `url_fingerprint(u, policy)` | the canonical form under a policy; its fingerprint |
| `url_pattern_test(u, pattern)` | whether it matches a URL pattern |
| `url_pattern_extract(u, pattern, group)` | what a group of the pattern took |
| `url_percent_decode(text)` | the text, percent-decoded and decoded as UTF-8 |
| `url_host_in(u, hosts)` | whether the host is one of `hosts`: entries with spaces between, or a name of a set |
| `url_is_private(u)` | whether the host is private |
| `url_redact(u)` | the URL without its secrets |
| `url_path_template(u)` | the template of the path |
| `url_route(u)` | the key of the first pattern that matches, of those given to `register` |
| `parse_url(u, part[, key])` | HOST PATH QUERY REF PROTOCOL FILE AUTHORITY USERINFO; with a key, `url_param` |

NULL gives NULL. So does a text that is not a URL, but `url_valid` and `url_pattern_test` give false. `url_parse` always
gives a struct: its fields are then NULL, except `error` for a text that is not a URL.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakValueDictionary

from weburl.ext._engines.versions import is_older, needs

with needs("duckdb"):
    import duckdb

from weburl.bulk import parse_many
from weburl.ext import _duckdb
from weburl.ext._engines.calls import bound, calls, host_in, route
from weburl.ext._engines.functions import FUNCTIONS
from weburl.ext._engines.hosts import host_sets
from weburl.ext._engines.library import path_of
from weburl.patterns import PatternList, URLPattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weburl.bulk import Hosts, Routes
    from weburl.hosts import HostSet

__all__ = ["register"]

RESULTS = {
    "text": "VARCHAR",
    "bool": "BOOLEAN",
    "number": "UBIGINT",
    "pairs": "STRUCT(name VARCHAR, value VARCHAR)[]",
    "map": "MAP(VARCHAR, VARCHAR)",
}
# Their results can point into the column of URLs.
VIEWS = ("url_host", "url_path", "url_parse", "url_normalize")
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

    `url_route` is there if `routes` are given: a `PatternList`, or what makes one. `hosts` gives names to sets for
    `url_host_in`: each is a `HostSet`, or what makes one.

    The functions are "native", for all connections of the database, if DuckDB is 2.0 or later, the database was
    opened with `allow_unsigned_extensions`, and the library can be loaded. Otherwise DuckDB calls Python with Arrow
    arrays. The result says which. With `native=True`, what prevents native functions is raised; `native=False` does
    not try, and raises ValueError if the database has them.
    """
    con = duckdb.default_connection() if con is None else con
    names = parse_many((), fields).column_names
    patterns = routes if routes is None or isinstance(routes, PatternList) else PatternList(routes)
    sets = host_sets(hosts)
    has_native = _registration_of(con.cursor()) is not None
    if has_native and native is False:
        raise ValueError("the functions of this database are native until it is closed")
    if native or has_native or (native is None and _permits(con)):
        try:
            _register_native(con, names, patterns, sets)
            return "native"
        except (OSError, duckdb.Error):
            if native or has_native:
                raise
    with _lock:
        _register_arrow(con, names, patterns, sets)
    return "arrow"


# Native functions.

_lock = threading.Lock()


class _Registration:
    """The native functions of a database, which keeps this."""

    def __init__(self, fields: tuple[str, ...], routes: PatternList | None, sets: dict[str, HostSet]) -> None:
        self.fields = fields
        self.functions = [_duckdb.Function(*call) for call in calls(fields, routes, sets)]
        self.named = {each.name: each for each in self.functions}
        self.functions.append(_duckdb.Function(REGISTRATION, ("url",), "text", self.identify))

    def can_be_for(self, fields: tuple[str, ...], routes: PatternList | None) -> bool:
        return self.fields == fields and (routes is None or "url_route" in self.named)

    def replace(self, routes: PatternList | None, sets: dict[str, HostSet]) -> None:
        self.named["url_host_in"].replace(bound(host_in, sets=sets))
        if routes is not None:
            self.named["url_route"].replace(bound(route, routes=routes))

    def identify(self) -> Any:
        """A job that gives the same key for every URL."""
        return route(PatternList({str(id(self)): URLPattern()}))


# A function that tells which registration a database has.
REGISTRATION = "weburl_registration"
_registrations: WeakValueDictionary[str, _Registration] = WeakValueDictionary()


def _permits(con: Any) -> bool:
    query = "select current_setting('allow_unsigned_extensions') and current_setting('enable_external_access')"
    return bool(con.cursor().execute(query).fetchone()[0])


def _register_native(con: Any, fields: tuple[str, ...], routes: PatternList | None, sets: dict[str, HostSet]) -> None:
    if is_older(duckdb.__version__, OLDEST_NATIVE):
        raise duckdb.NotSupportedError(f"native functions need DuckDB {OLDEST_NATIVE}, not {duckdb.__version__}")
    # The functions of a database are those of all its connections. Another one leaves the results of this alone.
    con = con.cursor()
    with _lock:
        before = _registration_of(con)
        if before is not None and before.can_be_for(fields, routes):
            before.replace(routes, sets)
            return
        made = _Registration(fields, routes, sets)
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


def _register_arrow(con: Any, names: tuple[str, ...], routes: PatternList | None, sets: dict[str, HostSet]) -> None:
    from weburl.ext._engines.sql import SQL_FUNCTIONS

    options: dict[str, dict[str, Any]] = {name: {"views": True} for name in VIEWS}
    options["url_parse"]["fields"] = names
    options["url_host_in"] = {"sets": sets}
    options["url_route"] = {"routes": routes}
    for name, function in FUNCTIONS.items():
        if name == "url_route" and routes is None:
            continue
        parameters = None if function.sql_columns is None else ["VARCHAR"] * function.sql_columns
        with suppress(duckdb.InvalidInputException):
            con.remove_function(name)
        kind = function.sql_result or function.result
        result = dict.fromkeys(names, "VARCHAR") if kind == "struct" else RESULTS[kind]
        call = _call(SQL_FUNCTIONS[name], function.sql_columns, options.get(name, {}))
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
