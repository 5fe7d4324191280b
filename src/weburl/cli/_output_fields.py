"""The fields that can be printed: those of `weburl.bulk`, the input itself, and values of the query."""

from __future__ import annotations

from typing import Final, NamedTuple

from weburl._columns.fields import PARSE_FIELDS, URL_FIELDS


class OutputField(NamedTuple):
    """A field to print: a column of `weburl.bulk`, or "input".

    `key` is the name in the query if the column is "query_get"; `label` is what a record calls the field.
    """

    name: str
    key: str | None
    label: str


def named(name: str, label: str | None = None) -> OutputField:
    return OutputField(name, None, label or name)


INPUT: Final = "input"
NAMES: Final = (*PARSE_FIELDS, INPUT)
# trurl's names.
ALIASES: Final = {"url": "href", "user": "username", "path": "pathname"}

HREF: Final = named("href")
# The fields of a record, if -g does not name them; "error" is the last.
RECORD: Final = [named(name) for name in (INPUT, *URL_FIELDS) if name != "error"]
PARAMS: Final = named("query_pairs", "params")
ERROR: Final = named("error")
