"""The native functions of a DuckDB database: registered once, for all its connections."""

from __future__ import annotations

import threading
from typing import Any
from weakref import WeakValueDictionary

import duckdb

from weburl._verbs.verb import engine_verbs
from weburl._verbs.work import prepare
from weburl.ext import _duckdb
from weburl.ext._adapter import Sql, is_older
from weburl.ext._engines import repository
from weburl.ext._engines.calls import calls
from weburl.ext._engines.library import path_of
from weburl.patterns import PatternList, URLPattern

# Older ones do not replace a native function by another.
OLDEST_NATIVE = "2.0"
# One thread at a time registers functions, also those in Python.
LOCK = threading.Lock()


class _Registration:
    """The native functions of a database, which keeps this."""

    def __init__(self, sql: Sql) -> None:
        self.fields = sql.fields
        self.bits = sql.bits
        self.functions = [_duckdb.Function(*call) for call in calls(sql)]
        self.named = {(each.name, each.columns): each for each in self.functions}
        self.functions.append(_duckdb.Function(REGISTRATION, ("url",), "text", self.identify))

    def can_be_for(self, sql: Sql) -> bool:
        names = {name for name, _ in self.named}
        return (self.fields, self.bits) == (sql.fields, sql.bits) and sql.verbs().keys() <= names

    def replace(self, sql: Sql) -> None:
        """From now on, the functions have these routes, sets of hosts and files of robots.txt."""
        for call in calls(sql):
            if any(option.sql in ("named", "register") for option in engine_verbs()[call.name].options):
                self.named[call.name, call.columns].replace(call.prepare)

    def identify(self) -> Any:
        """A job that gives the same key for every URL."""
        return prepare(engine_verbs()["url_route"], {"routes": PatternList({str(id(self)): URLPattern()})})


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
    raise ValueError(f"a database takes other fields, other bits, first routes or first robots {most} times")
