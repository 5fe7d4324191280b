"""The rows that every engine is tested with, and what the scalar API makes of them."""

from __future__ import annotations

import doctest
import itertools
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from support import hostile
from support.fields import FIELDS

from weburl import URL, URLPattern
from weburl.crawl import canonicalize, fingerprint, host_group, shard, trap_key
from weburl.hosts import HostSet, is_private_url, public_suffix, registrable_domain, url_host_matches
from weburl.patterns import PatternList
from weburl.redact import path_template, redact

DOCS = Path(__file__).resolve().parents[2] / "docs" / "engines"


def scalar_values(text: str) -> str:
    """Engines hold UTF-8, which has no surrogates."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


OWN: list[str | None] = [
    "https://user:secret@WWW.Example.co.uk:8080/a/../b?q=%C3%A9+z&x&q=2#f",
    "http://ü.example/ä?q=ü#ß",
    None,
    "no URL",
    "",
    "http://[1::2]:80/?q",
    "mailto:somebody@example.com?q=a%20b",
    "file:///C|/x",
    "file://host/x?a=b",
    "https://:secret@a.example.com/a/long/path/that/is/its/own/serialization?q=b#c",
    "https://user@a.example.com/?",
    " \thttp://exa\tmple.com/tabs\nin it ",
    "http://1.2.3/?q=a\x00b",
    "x://opaque%20host/",
    "https://user@h.example/users/7/me@example.com;token=1?%61ccess_token=1&ip=1.2.3.4#id_token=2",
    "//relative",
    "/relative?q=%ff",
    "http://h:99999/",
    "https://example.com/" + "a/" * 5000 + "?q=" + "b" * 5000,
]
ROWS = [*OWN, *(scalar_values(case.url) for case in itertools.islice(hostile.inputs(7), 2000)), None]

HOSTS = HostSet(["example.com", "*.example.co.uk", "ü.example", "=h.example", "1.2.0.3", "[1::2]", "localhost"])
# For each function of the engines that gives one value of a URL.
SCALAR: dict[str, Callable[[URL], object]] = {
    "hostname": lambda url: url.hostname,
    "path": lambda url: url.pathname,
    "param": lambda url: url.search_params.get("q"),
    "params": lambda url: [{"name": name, "value": value} for name, value in url.search_params],
    "normalize": lambda url: url.href,
    "registrable_domain": registrable_domain,
    "public_suffix": public_suffix,
    "canonicalize": canonicalize,
    "fingerprint": fingerprint,
    "host_group": host_group,
    "shard": lambda url: shard(url, 16),
    "trap_key": trap_key,
    "host_in": lambda url: url_host_matches(url, HOSTS),
    "is_private": is_private_url,
    "redact": redact,
    "path_template": path_template,
}


# Their arguments, and those in SQL.
ARGUMENTS: dict[str, tuple[Any, ...]] = {"param": ("q",), "host_in": (HOSTS,), "shard": (16,)}
IN_SQL = {
    "param": "'q'", "canonicalize": "'crawl'", "fingerprint": "'crawl/1'", "host_in": f"'{' '.join(HOSTS)}'",
    "shard": "'16'",
}  # fmt: skip


def sql_calls() -> dict[str, str]:
    """The calls of these functions for a column u."""
    return {name: f"url_{name}({', '.join(filter(None, ('u', IN_SQL.get(name))))})" for name in SCALAR}


def userinfo(url: URL) -> str:
    return url.username + (":" + url.password if url.password else "")


def authority(url: URL) -> str | None:
    if url.host_type is None:
        return None
    return (userinfo(url) + "@" if userinfo(url) else "") + url.host


# For each part of parse_url().
PARTS: dict[str, Callable[[URL], str | None]] = {
    "HOST": lambda url: url.hostname,
    "PATH": lambda url: url.pathname,
    "QUERY": lambda url: url.query,
    "REF": lambda url: url.fragment,
    "PROTOCOL": lambda url: url.scheme,
    "FILE": lambda url: url.pathname + url.search,
    "AUTHORITY": authority,
    "USERINFO": lambda url: userinfo(url) or None,
}


def scalar(function: Callable[[URL], Any], rows: list[str | None] = ROWS, base: str | None = None) -> list[Any]:
    return [None if row is None else of_row(function, row, base) for row in rows]


def of_row(function: Callable[[Any], Any], row: str, base: str | None) -> Any:
    url = URL.parse(row, base)
    # Some take other texts than URLs, too.
    takes_text = function is redact or (function is path_template and base is None and row.startswith("/"))
    return function(row) if url is None and takes_text else None if url is None else function(url)


PATTERN = URLPattern("*://:sub*.example.com/:first/*", "https://base.example/")
GROUPS = ["sub", "first", "pathname.0", "search.0"]
ROUTES = PatternList(
    {"file": "file:///*", "first": PATTERN, "é": "http{s}?://*/*", "mail": URLPattern(protocol="mailto")}
)


def with_bases(bases: list[str | None]) -> list[str | None]:
    """The rows, each resolved against its base if it has one."""
    found = []
    for row, base in zip(ROWS, bases, strict=True):
        url = None if row is None or (base is not None and URL.parse(base) is None) else URL.parse(row, base)
        found.append(None if url is None else url.href)
    return found


def matching(rows: list[str | None] = ROWS, base: str | None = None) -> list[bool | None]:
    return [None if row is None else PATTERN.test(row, base) for row in rows]


def extracted(rows: list[str | None] = ROWS, base: str | None = None) -> list[dict[str, str | None]]:
    found = [None if row is None else PATTERN.exec(row, base) for row in rows]
    return [
        dict.fromkeys(GROUPS)
        if one is None
        else {
            "sub": one["sub"],
            "first": one["first"],
            **{name: getattr(one, name.partition(".")[0]).groups["0"] for name in GROUPS[2:]},
        }
        for one in found
    ]


def routed(rows: list[str | None] = ROWS, base: str | None = None) -> list[str | None]:
    found = [None if row is None else ROUTES.first(row, base=base) for row in rows]
    return [None if one is None else one[0] for one in found]


def in_each(hosts: list[str | None]) -> list[bool | None]:
    """Whether the host of each row is under that of the same row."""
    urls = (None if row is None else URL.parse(row) for row in ROWS)
    return [
        None if url is None or host is None else url_host_matches(url, host)
        for url, host in zip(urls, hosts, strict=True)
    ]


def encoded(row: str | None) -> bytes | None:
    return None if row is None else row.encode()


def valid(rows: list[str | None] = ROWS) -> list[bool | None]:
    return [None if row is None else URL.can_parse(row) for row in rows]


def structs(rows: list[str | None] = ROWS) -> list[dict[str, str | None]]:
    found = scalar(lambda url: {field: getattr(url, field) for field in FIELDS}, rows)
    return [row or dict.fromkeys(FIELDS) for row in found]


KEYS = ["q", "a", "é", "", "z"]
MAP = "url_query(u, 'q', 'a', 'q', null, 'é', '', 'z')"


def values(rows: list[str | None] = ROWS) -> list[dict[str, str | None]]:
    """The values of the keys; all null where the row is not a URL."""
    found = scalar(lambda url: {key: url.search_params.get(key) for key in KEYS}, rows)
    return [row or dict.fromkeys(KEYS) for row in found]


def maps(keys: list[list[str | None]] | None = None) -> list[dict[str, str] | None]:
    """What SQL gives instead: a map of the keys that there are, of those of all rows or of each."""
    keys = [[*KEYS]] * len(ROWS) if keys is None else keys
    parsed = [None if row is None else URL.parse(row) for row in ROWS]
    return [
        None
        if url is None
        else {key: url.search_params[key] for key in wanted if key is not None and key in url.search_params}
        for url, wanted in zip(parsed, keys, strict=True)
    ]


def joined(bases: list[str | None], refs: list[str | None]) -> list[str | None]:
    results: list[str | None] = []
    for base, ref in zip(bases, refs, strict=True):
        url = None if base is None or ref is None or not URL.can_parse(base) else URL.parse(ref, base)
        results.append(None if url is None else url.href)
    return results


def check_examples(engine: str) -> None:
    """The examples of the module's docstrings, and those of the page for users."""
    ran = doctest.testmod(import_module(f"weburl.ext.{engine}"))
    assert ran.attempted > 0
    assert ran.failed == 0
    ran = doctest.testfile(str(DOCS / f"{engine}.md"), module_relative=False, encoding="utf-8")
    assert ran.attempted > 0
    assert ran.failed == 0
