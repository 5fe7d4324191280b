"""The fields that can be printed: those of verbs, the input, values of the query, and groups of patterns."""

from __future__ import annotations

from weburl._named_tuple import NamedTuple
from weburl._verbs import table  # noqa: F401  # fills VERBS
from weburl._verbs.options import LOG_POLICY, PATH_POLICY
from weburl._verbs.verb import URL_FIELDS, VERBS, column_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final


class OutputField(NamedTuple):
    """A field to print: a column of a verb, "input", "route", "group" or "column".

    `key` is the name in the query if the column is "query_get", and the name of a group or of a column; `label` is
    what a record calls the field.
    """

    name: str
    key: str | None
    label: str
    must: bool = False  # a URL without it fails


def named(name: str, label: str | None = None) -> OutputField:
    return OutputField(name, None, label or name)


INPUT: Final = "input"
ROUTE: Final = "route"
# A column of the input, with its name as the key; and all members of an object of JSON.
COLUMN: Final = "column"
MEMBERS: Final = "members"
GROUP: Final = "group"
# Columns that need no "column:", as access logs have them.
COLUMN_NAMES: Final = ("method", "status", "bytes", "referrer", "time")
QUERY_VALUE: Final = "query_get"
# These are made of other columns, by Python.
QUERY_ALL: Final = "query_all"
DEFAULT_PORT: Final = "default_port"
# Texts that verbs make of whole URLs, with the options that they have by default. No other field is read from these.
OWN_TEXTS: Final = {
    verb.field: verb
    for verb in VERBS
    if verb.own_text and verb.columns == ("url",) and not any(option.is_required for option in verb.options)
}
REDACTED: Final = "redacted"
# What takes a policy of logs.
HIDING: Final = tuple(name for name, verb in OWN_TEXTS.items() if {LOG_POLICY, PATH_POLICY} & {*verb.options})
NAMES: Final = (*column_names(), *OWN_TEXTS, INPUT, ROUTE)
# What the names with a key, as in {query:id}, are fields of.
KEYED: Final = {"query": QUERY_VALUE, "query-all": QUERY_ALL, GROUP: GROUP, COLUMN: COLUMN}
# What -s sets, and {must:} asks for.
PARTS: Final = (
    "href", "protocol", "scheme", "username", "password", "host", "hostname", "port", "pathname", "search", "query",
    "hash", "fragment",
)  # fmt: skip
# trurl's names.
ALIASES: Final = {"url": "href", "user": "username", "path": "pathname"}
# What else names a part elsewhere, and what -s has for it.
OTHER_PARTS: Final = {
    "path_segments": "pathname, or -a path=SEGMENT", "params": "query, or -a query=NAME=VALUE",
    "origin": "scheme and host",
    "netloc": "username, password and host", "authority": "username, password and host", "query_string": "query",
    "search_params": "query, or -a query=NAME=VALUE", "port_number": "port", "ip_address": "host", "name": "pathname",
    "suffix": "pathname", "decoded_segments": "pathname", "anchor": "fragment", "domain": "hostname",
}  # fmt: skip

HREF: Final = named("href")
# The fields of a record, if -g does not name them; "error" is the last.
RECORD: Final = [named(name) for name in (INPUT, *URL_FIELDS) if name != "error"]
PARAMS: Final = named("query_pairs", "params")
ERROR: Final = named("error")
# Of --partition-by: the day and the hour of a column.
DATE: Final = OutputField(COLUMN, "time", "date")
HOUR: Final = OutputField(COLUMN, "time", "hour")
OF_TIMES: Final = {part.label: part for part in (DATE, HOUR)}
