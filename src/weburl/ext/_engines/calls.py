"""The functions of SQL as DuckDB calls them natively: a row's own columns are "url" and perhaps "base" and "key".

A base before the URLs is that of `url_join`. After them it is optional: NULL is no base.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from weburl._arrow.job import Job
from weburl._verbs.verb import Verb
from weburl._verbs.work import prepare
from weburl.ext._adapter import Sql


class Call(NamedTuple):
    """`prepare` makes the job from the values of the columns that follow the URLs, without the key and the base.

    With `any_number`, more values follow than there are columns, and NULL is one.
    """

    name: str
    columns: tuple[str, ...]
    result: str | tuple[str, ...]
    prepare: Callable[..., Job]
    any_number: bool = False


def calls(sql: Sql) -> list[Call]:
    """Of all functions; url_route is there if there are routes."""
    made = []
    for name, verb in sql.verbs().items():
        rows = ("base", "url") if len(verb.columns) == 2 else ("url",)
        names = tuple([option.name for option in verb.sql_arguments])
        if name == "parse_url":
            made += [call_of(sql, verb, (*rows, "part")), call_of(sql, verb, (*rows, "part", "key"))]
        elif verb.any_number:
            made.append(call_of(sql, verb, rows, any_number=True))
        else:
            made += [call_of(sql, verb, (*rows, *names)[:count]) for count in verb.sql_counts]
    return made


def call_of(sql: Sql, verb: Verb, columns: tuple[str, ...], *, any_number: bool = False) -> Call:
    names = [name for name in columns[columns.index("url") + 1 :] if name != "base"]

    def make(*values: Any) -> Job:
        if any_number:
            if not values:
                raise ValueError(f"{verb.function}() takes a URL and keys")
            options: dict[str, Any] = {verb.sql_options[0].name: values}
        else:
            # The key is a row's own: the job has a place for it.
            options = dict(zip(names, (*values, *[""] * ("key" in names)), strict=True))
        return prepare(verb, sql.options(verb, options))

    return Call(verb.function, columns, sql.result(verb), make, any_number)
