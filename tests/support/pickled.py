"""Objects of every public class that can be pickled, and plans of Polars, by names that 0.2.0 had, too; and what users
see of them.

Two builds run this: in `tiers.same_as_before`, the release pickles the objects, and both say what was in the pickles.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from weburl import URL, InvalidURL, PatternError, URLPattern, URLSearchParams, bulk, crawl, display, hosts, validation
from weburl.compat.w3lib import parse_data_uri
from weburl.patterns import PatternList
from weburl.redact import SECRET_NAMES, TOKEN_NAMES, LogPolicy, redact

PROTOCOLS = (2, pickle.HIGHEST_PROTOCOL)
# Functions and classes are pickled as names.
MODULES = (
    "weburl", "weburl.bulk", "weburl.compat.urllib", "weburl.compat.w3lib", "weburl.crawl", "weburl.display",
    "weburl.forms", "weburl.hosts", "weburl.patterns", "weburl.percent", "weburl.redact", "weburl.validation",
)  # fmt: skip
# A kind, what the object is made from, and the object.
Sample = tuple[str, str, Any]
TEXTS = (
    "http://User:pw@www.Example.co.uk:80/a/index.html?q=1&a=2&utm_source=x#f", "https://h//b/?b=2&a=1&a=1&a=1",
    "https://www2.example.com./login;jsessionid=0123456789abcdef0123456789abcdef?sid=1#!x", "file:///c|/d", "x:a b?#",
    "http://h/?sid=0123456789abcdef0123456789abcdef&token=secret&a@b=1&A%40B=2&gclid=3&ref=4", "data:,x", "http://[::1]:81/",
    "https://m.example.com/amp/?amp=1&pin=5&plate=AB1&sign=a1b2c3d4e5f6a7b8c9d0", "http://10.0.0.1/u/5/a1b2c3d4e5f6a7b8c9d0",
)  # fmt: skip
PATTERNS = (
    "https://*.example.com/books/:id", "http{s}?://*/*", "*://*/:a*", "https://h/(\\d+)/:b?", "x:*", "data\\:foobar",
    "https://u:p@:site.com/*?q=:q#:f",
)  # fmt: skip
HOSTS: tuple[list[str], ...] = (
    ["example.com", "*.example.org", "=a.b", "10.0.0.8", "[1::2]", "é.example"], [], ["*.com"], ["h", "[::1]"],
)  # fmt: skip
NAMES = (
    "example.com", "EXAMPLE.com.", "xn--pypal-4ve.com", "аpple.com", "10.0.0.1", "[1::2]", "a.b", "x.com", "localhost",
)  # fmt: skip
# Each setting alone, a few together, and names.
CRAWL: tuple[dict[str, Any], ...] = (
    {}, *({name: True} for name in ("remove_repeated_pairs", "remove_trailing_slash", "remove_trailing_dot",
        "remove_www", "remove_credentials", "merge_schemes")),
    {"remove_session_ids": False}, {"sort_query": False}, {"fragment": "keep"}, {"fragment": "hashbang"},
    {"tracking_parameters": {"ref", "id_*", "a@b", "x:y@z"}}, {"tracking_parameters": ()},
    {"index_names": {"a", "b@c"}}, {"index_names": ()},
    {"tracking_parameters": crawl.TRACKING_PARAMETERS | {"ref"}, "name": "shop", "version": 3},
    {"name": "shop"}, {"name": "custom"}, {"remove_www": True, "name": "logs"}, {"name": "paths"},
)  # fmt: skip
SURT: tuple[dict[str, Any], ...] = (
    {}, {"with_scheme": True}, {"trailing_comma": True}, {"keep_www": True}, {"name": "archive", "version": 2},
    {"keep_www": True, "with_scheme": True, "name": "otel"},
)  # fmt: skip
LOGS: tuple[dict[str, Any], ...] = (
    {}, {"secret_names": SECRET_NAMES | {"*plate"}}, {"secret_names": ()}, {"token_names": ()},
    {"token_names": TOKEN_NAMES - {"sign"}}, {"secret_names": {"plate"}, "token_names": {"q"}},
)  # fmt: skip


class Tagged(URL):
    """A class of a user, whose objects have attributes."""


def objects(rows: list[str | None]) -> Iterator[Sample]:
    """A kind, what the object is made from, and the object."""
    texts = [*TEXTS, *(row for row in rows if row is not None)]
    yield from of_urls(texts)
    yield from of_hosts()
    yield from of_patterns()
    yield from of_columns([*TEXTS, *rows])
    policies: tuple[tuple[Callable[..., Any], tuple[dict[str, Any], ...]], ...] = (
        (crawl.CrawlPolicy, CRAWL), (crawl.SurtPolicy, SURT), (LogPolicy, LOGS),
    )  # fmt: skip
    for kind, cases in policies:
        for settings in cases:
            yield kind.__name__, repr(settings), kind(**settings)
    for module in MODULES:
        found = import_module(module)
        for name in dir(found):
            # No modules, and no constants.
            if not name.startswith("_") and str(getattr(getattr(found, name), "__module__", "")).startswith("weburl"):
                yield "name", f"{module}.{name}", getattr(found, name)


def of_urls(texts: list[str]) -> Iterator[Sample]:
    for text in texts:
        url = URL.parse(text)
        if url is None:
            with suppress(ValueError):
                yield "InvalidURL", text, raised(partial(URL, text))
                yield "InvalidURL", text, raised(partial(bulk.normalize_many, ["a:", text], on_error="raise"))
        else:
            yield "URL", text, url
            yield "URLSearchParams", text, URLSearchParams(url.search)
            yield "Origin", text, hosts.Origin.of(url)
            if url.host_value is not None:
                yield "Host", text, url.host_value
            yield "DocumentBase", text, crawl.DocumentBase(url, "a/b?c", encoding="latin1")
        for error in validation.validate(text):
            yield "ValidationError", text, error
    yield "ParseDataURIResult", "data:", parse_data_uri("data:text/plain;charset=utf-8;base64,YQ==")
    tagged = Tagged(texts[0])
    tagged.note = ["a", URL("x:y")]  # type: ignore[attr-defined]
    yield "Tagged", texts[0], tagged
    for base, name in (("no", "base"), ("http://h/", "")):
        yield "InvalidURL", base, raised(partial(URL, "http://u:p@a b/", base))
        yield "InvalidURL", name, InvalidURL("x", base, name, None)


def of_hosts() -> Iterator[Sample]:
    for name in NAMES:
        yield "Host", name, hosts.parse_host(name)
        for risk in display.spoofing_risks(name):
            yield "SpoofingRisk", name, risk
    for entries in HOSTS:
        yield "HostSet", repr(entries), hosts.HostSet(entries)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "hosts")
        path.write_text("127.0.0.1 localhost a.example\n||ads.example^\nb c d\nhttp://x/\n*.x.y\n\n# z\n")
        skipped: list[Any] = []
        yield "HostSet", "a file", hosts.HostSet.read(path, on_skip=skipped.append)
        for line in skipped:
            yield "SkippedLine", repr(line), line


def of_patterns() -> Iterator[Sample]:
    for text in PATTERNS:
        for ignore_case in (False, True):
            pattern = URLPattern(text, ignore_case=ignore_case)
            yield "URLPattern", text, pattern
            for url in (*TEXTS, "https://www.example.com/books/5", "data:foobar", "https://h/5/a"):
                if (found := pattern.exec(url)) is not None:
                    yield "URLPatternComponentResult", text, found.pathname
    for length in range(len(PATTERNS) + 1):
        pairs = [(f"k{index}", text) for index, text in enumerate(PATTERNS[:length])]
        yield "PatternList", repr(length), PatternList(pairs)
    for text in ("(", "http://{a", "https://h/:", "https://u:p@h/(?=a)", "x", "https://h/*?+"):
        yield "PatternError", text, raised(partial(URLPattern, text))
        yield "PatternError", text, raised(partial(PatternList, ["a:", text]))
    yield "PatternError", "", PatternError("a", 3)


def of_columns(rows: list[str | None]) -> Iterator[Sample]:
    calls: dict[str, Callable[..., Any]] = {
        "parse_many": bulk.parse_many, "normalize_many": bulk.normalize_many, "can_parse_many": bulk.can_parse_many,
        "query_pairs_many": bulk.query_pairs_many, "canonicalize_many": bulk.canonicalize_many,
        "fingerprint_many": bulk.fingerprint_many, "is_private_url_many": bulk.is_private_url_many,
        "query_get_many": partial(bulk.query_get_many, key="q"), "redactions_many": bulk.redactions_many,
        "query_values_many": partial(bulk.query_values_many, keys=["q", "a"]),
        "views": partial(bulk.parse_many, views=True),
    }  # fmt: skip
    for name, call in calls.items():
        for part in (rows, rows[:1], []):
            made = call(part)
            yield type(made).__name__, f"{name} {len(part)}", made
    for name in ("pathname", "port", "host_type", "error"):
        yield "Column", name, bulk.component_many(rows, name)
    yield "Table", "links", crawl.page_links('<a href="/x?q">x</a><img src=y><a href="http://b c">z</a>', "http://h/")


def raised(call: Callable[[], object]) -> Exception:
    try:
        call()
    except ValueError as error:
        return error
    raise ValueError("it raises nothing")


# What users see.

COMPONENTS = ("protocol", "username", "password", "hostname", "port", "pathname", "search", "hash")
CRAWL_SETTINGS = (
    "tracking_parameters", "index_names", "remove_session_ids", "sort_query", "remove_repeated_pairs",
    "remove_trailing_slash", "remove_trailing_dot", "remove_www", "remove_credentials", "merge_schemes", "fragment",
)  # fmt: skip
ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "URL": ("href", "origin", "scheme", "query", "fragment", "host", "path_segments", *COMPONENTS),
    "Tagged": ("href",), "Host": ("host_type", "is_ip", "ip_address", "labels", "unicode"),
    "Origin": ("scheme", "host", "port", "domain", "is_opaque"), "DocumentBase": ("href", "encoding"),
    "InvalidURL": ("input", "base", "error", "part", "row"), "PatternError": ("pattern", "component", "row", "line"),
    "SpoofingRisk": ("kind", "label", "detail", "source"), "SkippedLine": ("line", "text", "reason"),
    "ValidationError": ("name", "position", "end", "failure"),
    "URLPattern": (*COMPONENTS, "ignore_case", "has_regexp_groups"), "URLPatternComponentResult": ("input", "groups"),
    "Column": ("errors",), "Table": ("errors", "column_names"), "CrawlPolicy": ("name", "version", *CRAWL_SETTINGS),
    "ParseDataURIResult": ("media_type", "media_type_parameters", "data"),
    "SurtPolicy": ("name", "version", "with_scheme", "trailing_comma", "keep_www"),
    "LogPolicy": ("name", "version", "secret_names", "token_names"),
    "name": ("__name__", "__qualname__"),
}  # fmt: skip
# What objects do.
USES: dict[str, Callable[[Any], object]] = {
    "URL": lambda url: [str(URL.parse("../x?y#z", url)), url.replace(query="a=b").href],
    "Tagged": lambda url: [url.href, url.note],
    "URLSearchParams": lambda params: [[*params.items()], params.get_all("a"), params.size],
    "HostSet": lambda found: [sorted(found), [name in found for name in NAMES], [found.match(name) for name in NAMES]],
    "Origin": lambda origin: [hosts.same_origin(origin, url) for url in ("http://h/", "http://www.example.co.uk:80")],
    "DocumentBase": lambda base: [str(base.resolve("x?é")), base.resolve_many(["../y", "//"]).to_pylist()],
    "URLPattern": lambda pattern: [groups_of(pattern.exec(url)) for url in TEXTS],
    "PatternList": lambda patterns: [len(patterns), [(patterns.first(url) or [None])[0] for url in TEXTS]],
    "CrawlPolicy": lambda policy: [crawl.canonicalize(url, policy) for url in TEXTS],
    "SurtPolicy": lambda policy: [crawl.canonicalize(url, policy) for url in TEXTS],
    "LogPolicy": lambda policy: [redact(url, policy) for url in TEXTS],
    "Column": lambda column: [len(column), column.to_pylist(), list(column[1:4])],
    "Table": lambda table: [len(table), table.to_pylist()],
}  # fmt: skip


def groups_of(result: Any) -> object:
    return result and result.groups


def written(rows: list[str | None]) -> Iterator[tuple[str, str, list[bytes]]]:
    """A kind, what the object is made from, and its pickle by each protocol."""
    for kind, source, thing in objects(rows):
        yield kind, source, [pickle.dumps(thing, protocol) for protocol in PROTOCOLS]


def told(kind: str, pickles: list[bytes]) -> dict[str, Any]:
    """What the object is that each of these pickles has, as texts, and lists and dicts of texts."""
    first, last = (pickle.loads(each) for each in pickles)
    found: dict[str, Any] = {"type": type(first).__name__, "equal": first == last}
    if kind != "name":
        found |= {"repr": repr(first), "str": str(first)}
    found |= {name: plain(getattr(first, name)) for name in ATTRIBUTES.get(kind, ())}
    return {**found, "use": plain(USES[kind](first))} if kind in USES else found


def plain(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value if isinstance(value, str | bytes | int | float | None) else str(value)


# Plans of Polars: a field or several, keys or groups, and their arguments.

PLANS: tuple[dict[str, Any], ...] = (
    *({"fields": (name,)} for name in (
        "href", "hostname", "host", "pathname", "port", "origin", "site", "public_suffix", "error", "valid",
        "query_pairs", "file", "authority", "userinfo", "is_private", "redacted", "template",
    )),
    {"fields": ("href", "site", "error"), "is_struct": True}, {"fields": ("scheme", "query"), "is_struct": True},
    {"fields": ("href",), "base": "http://h/%20?a=b&c"}, {"fields": ("redacted",), "base": "http://h/"},
    {"fields": (), "keys": ("q",)}, {"fields": (), "keys": ("b", "", "a"), "is_struct": True, "base": "http://h/"},
    {"fields": ("canonical",), "policy": "surt"}, {"fields": ("fingerprint",), "policy": "crawl/1"},
    {"fields": ("decoded",), "decode_errors": "strict"}, {"fields": ("host_in",), "hosts": "*.example.com h"},
)  # fmt: skip


def plans() -> Iterator[bytes]:
    """What 0.2.0 puts into a plan for each of them, in 0.2.0 itself."""
    jobs = import_module("weburl.ext._engines.jobs")
    pattern = jobs.patterns_of([("k", URLPattern("https://*.example.com/:id"))])
    with_patterns: tuple[dict[str, Any], ...] = (
        {"fields": ("pattern_test",), "patterns": pattern}, {"fields": ("route",), "patterns": pattern},
        {"fields": (), "is_struct": True, "groups": ("id",), "patterns": pattern},
    )  # fmt: skip
    for job in (*PLANS, *with_patterns):
        yield pickle.dumps(jobs.arguments(job), protocol=5)


def run_plan(plan: bytes, *, is_old: bool) -> list[Any]:
    """The column that a plan gives."""
    jobs = import_module(f"weburl.ext._engines.{'jobs' if is_old else 'polars_plans'}")
    engine = import_module("weburl.ext._polars")
    job = (jobs.job_of if is_old else jobs.job_from)(plan, 1)
    rows = import_module("weburl._columns.input" if is_old else "weburl._arrow.input").from_objects([*TEXTS, "x", None])
    return bulk.Column(engine.evaluate(job, [[rows]])).to_pylist()
