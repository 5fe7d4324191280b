"""The options of verbs, with their types, defaults and checks.

A check imports what it needs itself, so that the table costs nothing to import.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from weburl._core.arguments import need_iterable, wrong_type
from weburl._verbs.columns import DECODE_ERRORS
from weburl._verbs.verb import URL_FIELDS, Option, column_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, Literal, TypeVar

    from weburl._crawl.policy import Policy
    from weburl._hosts.host_set import HostSet
    from weburl._hosts.suffixes import PublicSuffixList
    from weburl._patterns.pattern import URLPattern
    from weburl._patterns.pattern_list import PatternList
    from weburl._redact.redact import LogPolicy
    from weburl._robots.robots import Robots

    T = TypeVar("T")
    # What happens to a row that fails.
    OnError = Literal["null", "raise"]
    # A HostSet, or the hosts to make one from.
    Hosts = HostSet | str | Iterable[str]
    # A PatternList, or the patterns to make one from.
    Routes = PatternList | Iterable[str | URLPattern | tuple[str, str | URLPattern]] | Mapping[str, str | URLPattern]

# The fields of columns, by the names of parts that SQL's parse_url() has.
PART_FIELDS: Final = {
    "HOST": "hostname",
    "PATH": "pathname",
    "QUERY": "query",
    "REF": "fragment",
    "PROTOCOL": "scheme",
    "FILE": "file",
    "AUTHORITY": "authority",
    "USERINFO": "userinfo",
}


def shown(value: object) -> str:
    from weburl._diagnosis.messages import shown_argument

    return shown_argument(value)


def check_fields(fields: Iterable[str] | None) -> tuple[str, ...]:
    if fields is None:
        return URL_FIELDS
    names = (fields,) if isinstance(fields, str) else tuple(need_iterable(fields, "fields must be names"))
    known = column_names()
    for name in names:
        if name not in known:
            raise ValueError(f"a field must be one of {', '.join(known)}, not {shown(name)}")
    if len(set(names)) < len(names) or not names:
        raise ValueError("fields must be one or more names, each once")
    return tuple(map(str.__str__, names))


def check_field(field: str) -> str:
    return check_fields((field,))[0]


def check_key(key: str) -> str:
    if not isinstance(key, str):
        raise wrong_type(key, "key must be a str")
    return str.__str__(key)


def check_keys(keys: Iterable[str]) -> tuple[str, ...]:
    names = (keys,) if isinstance(keys, str) else tuple(need_iterable(keys, "keys must be a str or a list of them"))
    for name in names:
        if not isinstance(name, str):
            raise wrong_type(name, "a key must be a str")
        if "\0" in name:
            raise ValueError(f"a key is the name of a column, which has no U+0000: {shown(name)}")
    if not names:
        raise ValueError("keys must be one or more names, each once")
    return tuple(map(str.__str__, names))


def check_sql_keys(keys: Iterable[str | None]) -> tuple[str, ...]:
    """Those of any number of columns, where NULL is not a key."""
    return tuple(dict.fromkeys(key for key in keys if key is not None))


def check_policy(policy: str | Policy) -> Policy:
    from weburl._crawl.policy import find_policy

    return find_policy(policy)


def check_log_policy(policy: str | LogPolicy) -> LogPolicy:
    from weburl._redact.redact import find_log_policy

    return find_log_policy(policy)


def check_path_policy(policy: str | LogPolicy) -> LogPolicy:
    from weburl._redact.redact import find_path_policy

    return find_path_policy(policy)


def check_bits(bits: int) -> int:
    from weburl._crawl.canonical import check_bits

    return check_bits(bits)


def check_shards(n: int) -> int:
    from weburl._crawl.canonical import check_shards

    return check_shards(n)


def check_sql_shards(n: str) -> int:
    text = str(n)
    if not (text.isascii() and text.isdecimal() and len(text) < 11):
        raise ValueError(f"n must be an int from 1 to 2147483647, not {shown(text)}")
    return check_shards(int(text))


def check_errors(errors: str) -> str:
    if errors not in DECODE_ERRORS:
        raise ValueError(f"errors must be one of {', '.join(DECODE_ERRORS)}, not {shown(errors)}")
    return errors


def check_text_schemes(schemes: str | Iterable[str]) -> tuple[str, ...]:
    from weburl._hosts.schemes import parse_schemes

    names = tuple(sorted(parse_schemes(schemes)))
    if not names:
        raise ValueError("schemes must be one or more names")
    return names


def check_bare(bare: bool) -> bool:
    if bare:
        check_suffixes()
    return bool(bare)


def check_suffixes() -> None:
    """The list is there, or ImportError says what to install."""
    from weburl._hosts.suffixes import PublicSuffixList

    PublicSuffixList.default()


def check_syntax(syntax: str) -> str:
    from weburl._text.spans import SYNTAXES

    if syntax not in SYNTAXES:
        raise ValueError(f"syntax must be one of {', '.join(SYNTAXES)}, not {shown(syntax)}")
    return syntax


def check_pattern(pattern: str | URLPattern) -> URLPattern:
    from weburl._patterns.pattern_list import pattern_of

    return pattern_of(pattern)


def check_groups(groups: Iterable[str] | None) -> tuple[str, ...] | str | None:
    # One name, which is wrong, is for the pattern to refuse.
    return groups if groups is None or isinstance(groups, str) else tuple(need_iterable(groups, "groups must be names"))


def check_sql_group(group: str) -> tuple[str]:
    return (group,)


def check_routes(routes: Routes) -> PatternList:
    from weburl._patterns.pattern import URLPattern
    from weburl._patterns.pattern_list import PatternList

    if isinstance(routes, PatternList):
        return routes
    if isinstance(routes, (str, URLPattern)):
        raise wrong_type(routes, "routes must be a PatternList or patterns")
    return PatternList(need_iterable(routes, "routes must be a PatternList or patterns"))


def check_hosts(hosts: Hosts) -> HostSet:
    from weburl._hosts.host_set import HostSet

    return hosts if isinstance(hosts, HostSet) else HostSet(need_iterable(hosts, "hosts must be a HostSet or entries"))


def check_robots(robots: Robots) -> Robots:
    from weburl._robots.robots import Robots

    if not isinstance(robots, Robots):
        raise wrong_type(robots, "robots must be a Robots")
    return robots


# A query has the same text for each batch of rows.
@lru_cache(8)
def hosts_of(text: str) -> HostSet:
    """The set of entries with white space between them. No entry has any."""
    from weburl._hosts.host_set import HostSet

    if not isinstance(text, str):
        raise wrong_type(text, "hosts must be a text: a name, or host patterns with white space between them")
    return HostSet(text.split())


def check_psl(psl: PublicSuffixList | None) -> PublicSuffixList | None:
    if psl is not None:
        from weburl._hosts.columns import sites

        sites(psl)
    return psl


def check_part(part: str) -> str:
    """The name in upper case."""
    name = str(part).upper()
    if name not in PART_FIELDS:
        raise ValueError(f"part must be one of {', '.join(PART_FIELDS)}, not {shown(part)}")
    return name


# The texts of options in plans of Polars.


def policy_text(policy: Policy | LogPolicy) -> str:
    from weburl._crawl.policy import text_of

    return text_of(policy)


def hosts_text(hosts: HostSet) -> str:
    return " ".join(hosts)


def robots_text(robots: Robots) -> str:
    from weburl._robots.robots import plan_text

    return plan_text(robots)


def robots_from(text: str) -> Robots:
    from weburl._robots.robots import robots_of

    return robots_of(text)


def number_text(number: int) -> str:
    return str(int(number))


def number_from(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 10):
        raise ValueError(f"not a number of at most ten digits: {shown(text)}")
    return int(text)


def flag_from(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError("a flag is 0 or 1")
    return text == "1"


POLICY_DOC: Final = "A policy is a text: the name of one of weburl's own, or the `repr` of a policy."

FIELDS: Final = Option(
    "fields", "Iterable[str] | None", None, check_fields, sql="register",
    sql_doc="`fields` are those of `url_parse`, by default all.", several="field",
)  # fmt: skip
FIELD: Final = Option("field", "str", check=check_field)
KEY: Final = Option("key", "str", check=check_key, sql="column")
KEYS: Final = Option("keys", "Iterable[str]", check=check_keys, sql="column", sql_check=check_sql_keys, several="key")
POLICY: Final = Option(
    "policy", "str | Policy", "crawl/1", check_policy, sql="column", sql_optional=True, sql_doc=POLICY_DOC,
    to_text=policy_text,
)  # fmt: skip
BITS: Final = Option(
    "bits", "int", 64, check_bits, keyword=True, sql="register",
    sql_doc="`bits` are those of `url_fingerprint`: up to 64 give a number, 96 or 128 bytes.", to_text=number_text,
    from_text=number_from,
)  # fmt: skip
SHARDS: Final = Option(
    "n", "int", check=check_shards, sql="column", sql_check=check_sql_shards, to_text=number_text,
    from_text=number_from,
)  # fmt: skip
LOG_POLICY: Final = Option(
    "policy", "str | LogPolicy", "logs/1", check_log_policy, sql="column", sql_optional=True, sql_doc=POLICY_DOC,
    to_text=policy_text,
)  # fmt: skip
PATH_POLICY: Final = Option(
    "policy", "str | LogPolicy", "paths/1", check_path_policy, sql="column", sql_optional=True, sql_doc=POLICY_DOC,
    to_text=policy_text,
)  # fmt: skip
PATTERN: Final = Option("pattern", "str | URLPattern", check=check_pattern, sql="column")
GROUPS: Final = Option(
    "groups", "Iterable[str] | None", None, check_groups, sql="column", sql_check=check_sql_group, several="group",
)  # fmt: skip
ROUTES: Final = Option(
    "routes", "Routes", check=check_routes,
    doc="`routes` is a `PatternList`, or its patterns: a mapping of keys to patterns, or a list.", sql="register",
    sql_doc="`url_route` exists if you pass `routes`: a `PatternList`, or a list or mapping of patterns.",
)  # fmt: skip
HOSTS: Final = Option(
    "hosts", "Hosts", check=check_hosts, sql="named", sql_check=hosts_of,
    sql_doc="`hosts` gives names to sets: each is a `HostSet`, or a list of host patterns. The second argument of "
    "`url_host_in` is a text: one of these names, or host patterns with white space between them.",
    to_text=hosts_text, from_text=hosts_of,
)  # fmt: skip
ERRORS: Final = Option("errors", 'Literal["replace", "strict", "ignore"]', "replace", check_errors, keyword=True)
PART: Final = Option("part", "str", check=check_part, sql="column")
PART_KEY: Final = Option(
    "key", "str | None", None, lambda key: None if key is None else check_key(key), sql="column", sql_optional=True
)
TEXT_SCHEMES: Final = Option(
    "schemes", "str | Iterable[str]", ("http", "https", "ws", "wss", "ftp"), check_text_schemes, keyword=True,
    several="scheme",
)  # fmt: skip
BARE: Final = Option("bare", "bool", False, check_bare, keyword=True, to_text=number_text, from_text=flag_from)
DEFANGED: Final = Option("defanged", "bool", False, bool, keyword=True, to_text=number_text, from_text=flag_from)
SYNTAX: Final = Option(
    "syntax", 'Literal["text", "json", "html", "markdown", "shell"]', "text", check_syntax, keyword=True
)
SCHEMES: Final = Option(
    "schemes", "str | Iterable[str] | None", ("http", "https", "ws", "wss"), keyword=True, in_engines=False
)
ROBOTS: Final = Option(
    "robots", "Robots", check=check_robots, doc="`robots` is a `weburl.robots.Robots`.", sql="name",
    sql_doc="`url_robots_allowed` exists if you pass `robots`, which gives names to `Robots`; its second argument is "
    "such a name.",
    to_text=robots_text, from_text=robots_from,
)  # fmt: skip
PSL: Final = Option("psl", "PublicSuffixList | None", None, check_psl, keyword=True, in_engines=False)
