"""The jobs of functions as SQL calls them natively: a row's own columns are "url" and perhaps "base" and "key"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from weburl._arrow.job import Job
from weburl._hosts.matching import HostPatterns
from weburl._hosts.patterns import WEB_SCHEMES
from weburl._verbs.job import job_of
from weburl.ext._engines.functions import FUNCTIONS, Function
from weburl.ext._engines.hosts import hosts_of
from weburl.ext._engines.parts import PART_FIELDS, check_part
from weburl.hosts import HostSet
from weburl.patterns import PatternList, pattern_of


class Call(NamedTuple):
    """`prepare` makes the job from the values of the columns that follow the URLs, without the key.

    With `any_number`, more values follow than there are columns, and NULL is one.
    """

    name: str
    columns: tuple[str, ...]
    result: str | tuple[str, ...]
    prepare: Callable[..., Job]
    any_number: bool = False


def query(*keys: str | None) -> Job:
    if not keys:
        raise ValueError("url_query() takes a URL and keys")
    return job_of(("query_map",), keys=tuple(dict.fromkeys(key for key in keys if key is not None)))


def pattern_test(pattern: str) -> Job:
    return job_of(("pattern_test",), matching=pattern_of(pattern)._matching())


def pattern_extract(pattern: str, group: str) -> Job:
    return job_of((), matching=pattern_of(pattern)._matching([group]))


def host_in(hosts: str, sets: dict[str, HostSet]) -> Job:
    found = sets[hosts] if hosts in sets else hosts_of(hosts)
    return job_of(("host_in",), hosts=HostPatterns(found, WEB_SCHEMES))


def part(name: str) -> Job:
    return job_of((PART_FIELDS[check_part(name)],))


def part_with_key(name: str) -> Job:
    check_part(name, "")
    return job_of((), keys=("",))


def route(routes: PatternList) -> Job:
    return job_of(("route",), matching=routes._matching(()))


JOBS: Final[dict[str, Callable[..., Job]]] = {
    "url_host": lambda: job_of(("hostname",)),
    "url_path": lambda: job_of(("pathname",)),
    "url_param": lambda: job_of((), keys=("",)),
    "url_params": lambda: job_of(("query_pairs",)),
    "url_query": query,
    "url_parse": lambda fields: job_of(fields, is_struct=True),
    "url_join": lambda: job_of(("href",)),
    "url_normalize": lambda: job_of(("href",)),
    "url_valid": lambda: job_of(("valid",)),
    "url_site": lambda: job_of(("site",)),
    "url_public_suffix": lambda: job_of(("public_suffix",)),
    "url_canonicalize": lambda policy: job_of(("canonical",), policy=policy),
    "url_fingerprint": lambda policy: job_of(("fingerprint",), policy=policy),
    "url_pattern_test": pattern_test,
    "url_pattern_extract": pattern_extract,
    "url_route": route,
    "url_host_in": host_in,
    "url_is_private": lambda: job_of(("is_private",)),
    "url_redact": lambda: job_of(("redacted",), redaction="logs/1"),
    "url_path_template": lambda: job_of(("template",), rules="paths/1"),
    "url_percent_decode": lambda: job_of(("decoded",), decode_errors="replace"),
    "parse_url": part,
}


def calls(fields: tuple[str, ...], routes: PatternList | None, sets: dict[str, HostSet]) -> list[Call]:
    """Of all functions; url_route is there if there are routes."""
    given: dict[str, dict[str, Any]] = {
        "url_parse": {"fields": fields}, "url_route": {"routes": routes}, "url_host_in": {"sets": sets},
    }  # fmt: skip
    made = []
    for name, function in FUNCTIONS.items():
        prepare = bound(JOBS[name], **given.get(name, {}))
        if name == "parse_url":
            made += [Call(name, columns_of(function, 2), "text", prepare)]
            made += [Call(name, (*columns_of(function, 2), "key"), "text", part_with_key)]
        elif name != "url_route" or routes is not None:
            kind = function.sql_result or function.result
            columns = columns_of(function, function.sql_columns or 1)
            result = fields if kind == "struct" else kind
            made.append(Call(name, columns, result, prepare, any_number=function.sql_columns is None))
    return made


def bound(prepare: Callable[..., Job], **given: Any) -> Callable[..., Job]:
    return lambda *values: prepare(*values, **given)


def columns_of(function: Function, count: int) -> tuple[str, ...]:
    rows = ("base", "url") if len(function.columns) == 2 else ("url",)
    return (*rows, *function.options[: count - len(rows)])
