"""The native functions of a DuckDB database: registered once, for all its connections.

Of the columns of a call, "url", "base" and "key" are a row's own. `url_join` has its base first. Other functions have
it last, and it may be NULL: then there is no base.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakValueDictionary

import duckdb

from weburl._arrow.job import Job
from weburl._verbs.verb import Verb, engine_verbs
from weburl._verbs.work import prepare
from weburl.ext import _duckdb
from weburl.ext._adapter import Sql
from weburl.ext._engines.duckdb import repository
from weburl.ext._engines.duckdb.library import path_of
from weburl.ext._engines.versions import is_older
from weburl.patterns import PatternList, URLPattern

if TYPE_CHECKING:
    from weburl.ext._adapter import Result

# Older ones do not replace a native function by another.
OLDEST_NATIVE = "2.0"
# One thread at a time registers functions, also those in Python.
LOCK = threading.Lock()


class Call(NamedTuple):
    """A function with one of the numbers of columns that it takes.

    `prepare` makes the job from the values of the columns that follow the URLs, without the key and the base. With
    `any_number` there may be more values than columns, and they may be NULL.
    """

    name: str
    columns: tuple[str, ...]
    result: Result
    prepare: Callable[..., Job]
    any_number: bool


def calls(sql: Sql) -> list[Call]:
    made = []
    for verb in sql.verbs().values():
        rows = ("base", "url") if len(verb.columns) == 2 else ("url",)
        names = [option.name for option in verb.sql_arguments]
        # Another key is as any other option: it is the same for all rows of a job.
        columns = (*rows, *[name if name != "key" or verb.finds_key else "value" for name in names])
        for count in (len(rows),) if verb.any_number else verb.sql_counts:
            made.append(call_of(sql, verb, columns[:count]))
    return made


def call_of(sql: Sql, verb: Verb, columns: tuple[str, ...]) -> Call:
    def make(*values: Any) -> Job:
        # The key is a row's own: the job has a place for it.
        keys = [""] * ("key" in columns)
        return prepare(verb, sql.options(verb, sql.values(verb, [*values, *keys])))

    return Call(verb.function, columns, sql.result(verb), make, verb.any_number)


class _Registration:
    """The native functions of a database, which keeps this."""

    def __init__(self, sql: Sql) -> None:
        self.results = results_of(sql)
        self.functions = [_duckdb.Function(*call) for call in calls(sql)]
        self.named = {(each.name, each.columns): each for each in self.functions}
        self.functions.append(_duckdb.Function(REGISTRATION, ("url",), "text", self.identify))

    def can_be_for(self, sql: Sql) -> bool:
        return results_of(sql).items() <= self.results.items()

    def replace(self, sql: Sql) -> None:
        """From now on, the functions have what was registered now."""
        for call in calls(sql):
            if any(option.is_argument_of_register for option in engine_verbs()[call.name].options):
                self.named[call.name, call.columns].replace(call.prepare)

    def identify(self) -> Any:
        """A job that gives the same key for every URL."""
        return prepare(engine_verbs()["url_route"], {"routes": PatternList({str(id(self)): URLPattern()})})


def results_of(sql: Sql) -> dict[str, Result]:
    """What DuckDB knows of the functions."""
    return {name: sql.result(verb) for name, verb in sql.verbs().items()}


# A function that tells which registration a database has.
REGISTRATION = "weburl_registration"
_registrations: WeakValueDictionary[str, _Registration] = WeakValueDictionary()


def permits(con: Any) -> bool:
    """Whether the settings of the database ask for extensions that DuckDB Labs has not signed."""
    found = setting(con, "allow_unsigned_extensions") == "true"
    found = found or setting(con, "allow_extension_repositories") == "allowed"
    return found and setting(con, "enable_external_access") == "true"


def setting(con: Any, name: str) -> str | None:
    """A setting as a text; None if this DuckDB does not have it."""
    found = con.cursor().execute("select value from duckdb_settings() where name = $1", [name]).fetchone()
    return found and str(found[0])


def register(con: Any, sql: Sql) -> None:
    if is_older(duckdb.__version__, OLDEST_NATIVE):
        raise duckdb.NotSupportedError(f"native functions need DuckDB {OLDEST_NATIVE}, not {duckdb.__version__}")
    # The functions of a database are those of all its connections. Another one leaves the results of this alone.
    con = con.cursor()
    with LOCK:
        before = registration_of(con)
        if before is not None and before.can_be_for(sql):
            before.replace(sql)
            return
        made = _Registration(sql)
        _load(con, made)
        _registrations[str(id(made))] = made


def registration_of(con: Any) -> _Registration | None:
    try:
        return _registrations.get(con.execute(f"select {REGISTRATION}('a:')").fetchone()[0])
    except duckdb.CatalogException:
        return None


def _load(con: Any, made: _Registration) -> None:
    platform = con.execute("pragma platform").fetchone()[0]
    try:
        for name in _duckdb.NAMES:
            _duckdb.expect(made.functions)
            if setting(con, "allow_unsigned_extensions") == "true":
                con.load_extension(path_of(name, platform))
            else:
                repository.load(con, name, platform)
            # A file whose name the database has loaded before is not loaded again.
            if not _duckdb.expect(None):
                return
    finally:
        _duckdb.expect(None)
    most = len(_duckdb.NAMES) - 1
    raise ValueError(f"a database takes other fields, more bits, first routes or first robots {most} times")
