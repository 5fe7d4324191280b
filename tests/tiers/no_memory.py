"""Checks what happens when memory runs out: MemoryError, no crash, and an object that is as it was before.

Each operation runs again and again: first with its first allocation failing, then with its second, and so on; once with
the later ones succeeding, and once with all of them failing, too. Two allocators are made to fail: Python's, by
_testcapi, and malloc, which is where the C code of the package has its buffers from. For the latter a small library is
compiled and preloaded: Linux with glibc only.
"""

from __future__ import annotations

import argparse
import copy
import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from importlib import import_module
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from support import command_calls

from weburl import (
    URL,
    FrozenURL,
    InvalidURL,
    PatternError,
    URLPattern,
    URLSearchParams,
    bulk,
    crawl,
    display,
    forms,
    hosts,
    join,
    normalize,
    percent,
    redact,
    robots,
    text,
    validate,
)
from weburl._arrow.cutting import cut_rows, open_column
from weburl._arrow.job import Job
from weburl._core.parser import set_max_length
from weburl._crawl.nesting import cut
from weburl._redact.columns import redact_each
from weburl._verbs.columns import query_map
from weburl._verbs.work import run_pieces
from weburl.patterns import PatternList

SHIM = """
#include <stddef.h>
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
static long left = -1, failed = 0;
static int for_good = 0;

void no_memory_after(long count, int always) { failed = 0; for_good = always; left = count; }
long no_memory_end(void) { left = -1; return failed; }

static int fails(void)
{
    if (left < 0 || left-- > 0)
        return 0;
    failed++;
    left = for_good ? 0 : -1;
    return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return fails() ? NULL : __libc_realloc(block, size); }
"""
PRELOADED = "WEBURL_NO_MEMORY"
# An operation that has succeeded this often, with the failing allocation one later each time, makes no more of them.
ENOUGH = 8
MOST = 20_000
# What "for good" is for Python's allocators: to handle an exception, CPython 3.11 asks for memory until it gets it.
SHORTAGE = 1000

LONG = "\u00e9" * 3000
HREF = f"https://user:p@b\u00fccher.example:8080/a/../{LONG}?a=1&\u00e9=2#f"
QUERY = f"a=%ff&{'%41' * 400}={LONG}&{LONG}={'%20' * 500}" + "&x" * 20
SET = hosts.HostSet(["h", "*.example", "=\u00e9", "[0::1]", "b" * 600])
PSL = hosts.PublicSuffixList(StringIO("example\n"))
SMALL = URLPattern("*://:host(.*)/:path(.*)?")
LARGE = URLPattern(pathname="/(.{0,99})*(x(?:a|b){1,70}(?:.*))")
AROUND = URLPattern(pathname="/((?!api|(?<=x)y).*(?<!z))")
MANY = PatternList([("a" * 300, "https://*/*"), ("b", SMALL), *((f"{i}", f"*://h/{i}") for i in range(100))])
ROUTES = [("a", "https://h/a/:id"), ("b", "https://*:*@*.example:8080/*"), ("c", "http{s}?://*/(a|b)")]
ROWS = [HREF, None, "no URL", f"http://h/?q={LONG}"]
MAP = Job([query_map(("a", "b", LONG))])
QUERIES = [HREF, None, f"http://h/?{QUERY}"]
OTHER_RULES = crawl.CrawlPolicy(
    sort_query=False, remove_repeated_pairs=True, remove_www=True, merge_schemes=True, fragment="keep"
)
# It is cut at the depth, at what is repeated and in its attributes.
DEEP_PAGE = (
    b"<div>" * 3000 + b"<p>" + b"<b>" * 400 + b"</p><p>x" * 5000 + b"<a " + b"b=c " * 300 + b">" + b"<svg>" * 3000
)
ROBOTS_TXT = "Sitemap: /a\nUser-agent: *\nAllow: /x/index.html\nDisalow: /%2f\n" + "".join(
    [f"Disallow: /*x{i}*y\nDisallow: /{i}\u00e9?a=/{i}$\n" for i in range(400)]
)
MANY_STARS = "User-agent: *\n" + "".join(f"Disallow: /*a{i}*b*c{i}$\n" for i in range(70))
MANY_STARS_URL = "https://h/" + "".join(f"a{i}" for i in range(70)) + "bc5"
ROBOTS_FILE = robots.Robots.parse(ROBOTS_TXT, agent="ExampleBot")
ROBOTS_URLS = [f"https://a/{'%c3%a9' * 200}?a=/b", f"https://a/x1{LONG}y", HREF * 9]
SECRET_ROWS = [*ROWS, f"{HREF}?token=1&b=%40#a@b.com", "https://h/5/%7Bint%7D/" + "a%40" * 1000]


class Operation(NamedTuple):
    """An object to make, and an operation on it."""

    make: Callable[[], Any]
    do: Callable[[Any], object]
    # Whether an exception passes functions in Python: CPython 3.11 loses it, if it has no memory for its traceback.
    unwinds: bool = False


def nothing() -> None:
    return None


def ignoring(call: Callable[[], object]) -> Callable[[Any], object]:
    return lambda _: call()


def made(href: str = HREF) -> Callable[[], URL]:
    def make() -> URL:
        url = URL(href)
        url.search_params.append("new", LONG)
        return url

    return make


def asked() -> URL:
    """A URL whose params are still a query."""
    url = URL(f"http://h/?{QUERY}")
    url.search_params.get("a")
    return url


def full() -> URL:
    """A URL of the maximum length."""
    before = set_max_length(len(URL(f"http://h/?{LONG}={LONG}").href))
    try:
        url = URL(f"http://h/?{LONG}={LONG}")
        url.search_params.get("a")
        return url
    finally:
        set_max_length(before)


def append_in_vain(url: URL) -> None:
    try:
        url.search_params.append("n", "v")
    except InvalidURL:
        return
    except MemoryError:
        # What has been counted until then is not taken for all.
        with suppress(InvalidURL):
            url.search_params.append("n", "v")
        raise


def pattern() -> URLPattern:
    return URLPattern(r"https://*:*@*.example:8080/:a\?*#((?:a|f)+)*")


def refused(text: str) -> str:
    try:
        URLPattern(text)
    except PatternError as error:
        return str(error)
    raise AssertionError(f"{text} is a pattern")


def groups_of(match: Any) -> Any:
    return match and (match.groups, match.pathname, match.hash.groups)


def restored(column: Any) -> Any:
    restore, arguments = column.__reduce__()
    return restore(*arguments).to_pylist()


def keys_of(found: Any) -> Any:
    return found and (found[0], found[1].groups)


def assign(name: str, value: object) -> Operation:
    return Operation(made(), lambda url: setattr(url, name, value))


def change(do: Callable[[URLSearchParams], object]) -> tuple[Operation, Operation]:
    """The operations for params alone, and for those of a URL."""
    return Operation(lambda: URLSearchParams("a=1&b=2&a=3"), do), Operation(made(), lambda url: do(url.search_params))


OPERATIONS: dict[str, Operation | tuple[Operation, Operation]] = {
    "URL": Operation(nothing, lambda _: URL(HREF)),
    "URL of a number": Operation(nothing, lambda _: URL("https://111.111.1/")),
    "URL of a number and a port": Operation(nothing, lambda _: URL("http://0x7f.1.1.255:0080/x")),
    "URL.can_parse of a number": Operation(nothing, lambda _: URL.can_parse("https://255.255.1/\u00e9")),
    "URL with a base": Operation(nothing, lambda _: URL("../\u00e9", HREF)),
    "URL with an encoding": Operation(nothing, lambda _: URL(HREF, encoding="shift_jis")),
    "URL with tabs": Operation(nothing, lambda _: URL("ht\ttp://h/" + "a\n" * 2000)),
    "URL.__init__": Operation(made(), lambda url: url.__init__("http://other/" + LONG)),
    "URL.build": Operation(
        nothing,
        lambda _: URL.build(
            scheme="http",
            host="b\u00fccher" + "a" * 600,
            username=LONG,
            port=81,
            pathname="/" + LONG,
            params={LONG: LONG},
        ),
    ),
    "URL.build of segments": Operation(
        nothing, lambda _: URL.build(scheme="x", path_segments=[LONG, "a/b"], query=LONG, fragment=LONG)
    ),
    "URL.parts": Operation(made(), lambda url: url.parts()),
    "FrozenURL": Operation(nothing, lambda _: FrozenURL(HREF).search_params.get("a")),
    "FrozenURL of a URL": Operation(made(), FrozenURL),
    "URL.with_params": Operation(made(), lambda url: url.with_params({LONG: [LONG, 1], "a": "\u00e9"})),
    "URL.add_params": Operation(made(), lambda url: url.add_params(a=LONG)),
    "URL.without_params": Operation(made(), lambda url: url.without_params("a", "b")),
    "URL.parent": Operation(made(), lambda url: (url.parent, url.name, url.suffix)),
    "URL.replace with None": Operation(lambda: URL("x://h/a?" + LONG), lambda url: url.replace(host=None)),
    "URL /": Operation(made(), lambda url: url / LONG),
    "URL.decoded_segments": Operation(lambda: URL("x:/%41" + "%C3%A9" * 400), lambda url: url.decoded_segments),
    "URL.can_parse": Operation(nothing, lambda _: URL.can_parse(HREF, HREF)),
    "URL.href": assign("href", "http://other/" + LONG),
    "URL.protocol": assign("protocol", "http" + "\t" * 2000),
    "URL.username": assign("username", LONG),
    "URL.password": assign("password", LONG),
    "URL.host": assign("host", "b\u00fccher" + "a" * 2000 + ":1"),
    "URL.hostname": assign("hostname", "%41" * 1000),
    "URL.port": assign("port", 81),
    "URL.pathname": assign("pathname", LONG),
    "URL.search": assign("search", "?a\t=" + LONG),
    "URL.search, no params": Operation(lambda: URL(HREF), lambda url: setattr(url, "search", "?a\t=" + LONG)),
    "URL.search, asked": Operation(asked, lambda url: setattr(url, "search", "?b=" + LONG)),
    "URL.hash": assign("hash", LONG),
    "URL.href, read": Operation(made(), lambda url: url.href),
    "URL.search_params": Operation(lambda: URL(HREF), lambda url: url.search_params),
    "URL.origin": Operation(lambda: URL("blob:" + HREF), lambda url: url.origin),
    "URL.join": Operation(made(), lambda url: url.join("../" + LONG)),
    "URL.replace": Operation(made(), lambda url: url.replace(hash=LONG, query=LONG)),
    "URL.replace of segments": Operation(made(), lambda url: url.replace(path_segments=[LONG], params={"a": LONG})),
    "URL, repr": Operation(made(), repr),
    "params": Operation(nothing, lambda _: URLSearchParams("a=%ff&" + LONG + "&b=" + LONG)),
    "params of pairs": Operation(nothing, lambda _: URLSearchParams([("a", "1"), (LONG, "\ud800" + LONG)])),
    "params.append": change(lambda params: params.append("n", LONG)),
    "params.delete": change(lambda params: params.delete("a")),
    "params.set": change(lambda params: params.set("a", LONG)),
    "params.sort": change(lambda params: params.sort()),
    "params.get": Operation(
        lambda: URLSearchParams([(str(n), "x") for n in range(40)]), lambda params: params.get("39")
    ),
    "params.get, of a query": Operation(
        lambda: URLSearchParams(QUERY), lambda params: [params.get(name) for name in ("A" * 400, LONG, "none") * 6]
    ),
    "params, str of a query": Operation(lambda: URLSearchParams(QUERY), str),
    "params.__init__ of a query": Operation(lambda: URLSearchParams(QUERY), lambda params: params.__init__(LONG)),
    "params.append in vain": Operation(full, append_in_vain),
    "params.__init__": change(lambda params: params.__init__([("a", LONG), (LONG, "b")])),  # type: ignore[misc]
    "params.__setitem__": change(lambda params: params.__setitem__("a", LONG)),
    "params.__delitem__": change(lambda params: params.__delitem__("a")),
    "params.delete, a value": change(lambda params: params.delete("a", "1")),
    "params.get_all": change(lambda params: params.get_all("a")),
    "params, walked": change(lambda params: (list(params.keys()), list(params.values()), list(params.items()))),
    "params, copied": change(lambda params: list(copy.copy(params))),
    "URL, copied": Operation(made(), lambda url: (copy.copy(url), copy.deepcopy(url))),
    "URL.replace, asked": Operation(asked, lambda url: url.replace(hash="x").href),
    "URL, ==": Operation(made(), lambda url: (url == URL(HREF), url.equals(URL(HREF), exclude_fragments=True))),
    "URL, parts": Operation(made(), lambda url: (url.path_segments, url.to_json(), url.serialize())),
    "URL.join that fails": Operation(made(), lambda url: URL.parse("http://:", url)),
    "params, str": Operation(lambda: URLSearchParams([("a", LONG)]), str),
    "normalize": Operation(nothing, lambda _: normalize(HREF)),
    "validate": Operation(nothing, lambda _: validate("http://b\u00fc cher/")),
    "URLPattern": Operation(
        nothing, lambda _: URLPattern("https://*.b\u00fccher.example/:id/((?:a|b){2}\\d+)*#\u00e9")
    ),
    "URLPattern of components": Operation(nothing, lambda _: URLPattern({"pathname": LONG + "/:a", "base_url": HREF})),
    "URLPattern that fails": Operation(nothing, lambda _: refused("https://h/:a/(?=" + LONG), unwinds=True),
    "URLPattern, lookarounds": Operation(nothing, lambda _: URLPattern(pathname="/((?!api|(?<=x)y).*(?<!z))")),
    "URLPattern.exec, lookarounds": Operation(nothing, lambda _: groups_of(AROUND.exec(f"https://h/{LONG}"))),
    "URLPattern.test": Operation(pattern, lambda made: (made.test(HREF), made.test("x:" + LONG))),
    "URLPattern.exec": Operation(pattern, lambda made: groups_of(made.exec(HREF))),
    "URLPattern.exec of components": Operation(
        pattern, lambda made: groups_of(made.exec({"pathname": "/" + LONG, "base_url": HREF}))
    ),
    "URLPattern.generate": Operation(
        lambda: URLPattern(pathname="/:a"), lambda made: made.generate("pathname", {"a": LONG})
    ),
    "URLPattern, the others": Operation(
        pattern, lambda made: (repr(made), hash(made), made == URLPattern(), URLPattern.compare("hash", made, made))
    ),
    "PatternList": Operation(nothing, lambda _: len(PatternList(ROUTES))),
    "PatternList.first": Operation(lambda: PatternList(ROUTES), lambda made: keys_of(made.first(HREF))),
    "PatternList.all": Operation(lambda: PatternList(ROUTES), lambda made: [key for key, _ in made.all(HREF)]),
    "PatternList.explain": Operation(lambda: PatternList(ROUTES), lambda made: made.explain("https://h/a/b")),
    "percent_encode": Operation(nothing, lambda _: percent.percent_encode(LONG, "form")),
    "percent_encode of bytes": Operation(nothing, lambda _: percent.percent_encode(b"\xff" * 1000, "form")),
    "join with an encoding": Operation(nothing, lambda _: join(HREF, "?\u00e9", encoding="latin1")),
    "join with a character that the encoding lacks": Operation(
        nothing, lambda _: join(HREF, "?\u00e9\u6f22", encoding="latin1")
    ),
    "from_path": Operation(nothing, lambda _: URL.from_path("C:\\" + "\u00e9" * 300, windows=True).href),
    "to_path": Operation(nothing, lambda _: URL("file:///C:/" + "%C3%A9" * 300).to_path(windows=True)),
    "percent_decode": Operation(nothing, lambda _: percent.percent_decode("%ff" * 1000)),
    "parse_form": Operation(nothing, lambda _: forms.parse_form(LONG)),
    "serialize_form": Operation(nothing, lambda _: forms.serialize_form([("a", LONG)] * 3)),
    "domain_to_unicode": Operation(nothing, lambda _: hosts.domain_to_unicode("xn--bcher-kva." * 50)),
    "Origin": Operation(nothing, lambda _: hosts.Origin.of(HREF)),
    "same_site": Operation(nothing, lambda _: hosts.same_site(HREF, HREF, psl=PSL)),
    "parse_host": Operation(nothing, lambda _: hosts.parse_host("b\u00fccher" + "a" * 600)),
    "domain_to_ascii": Operation(nothing, lambda _: hosts.domain_to_ascii("\u00e9" * 300)),
    "display_url": Operation(nothing, lambda _: display.display_url(HREF)),
    "canonicalize": Operation(nothing, lambda _: crawl.canonicalize(HREF)),
    "fingerprint": Operation(nothing, lambda _: crawl.fingerprint(HREF)),
    "canonicalize as a SURT": Operation(nothing, lambda _: crawl.canonicalize(HREF, "surt")),
    "canonicalize a SURT": Operation(nothing, lambda _: crawl.canonicalize(f"a,{'b' * 600})/c?d", "surt")),
    "canonicalize by other rules": Operation(lambda: OTHER_RULES, lambda policy: crawl.canonicalize(HREF, policy)),
    "CrawlPolicy": Operation(
        nothing,
        lambda _: crawl.canonicalize(
            "https://h/?a=1", crawl.CrawlPolicy(tracking_parameters=["a", "b" * 900, "c*"], index_names=["d"])
        ),
    ),
    "redirect_target": Operation(nothing, lambda _: crawl.redirect_target(b"/\xe9" * 30, HREF).href, unwinds=True),
    "cut": Operation(nothing, lambda _: cut(DEEP_PAGE)),
    "redact": Operation(nothing, lambda _: redact.redact(f"https://u:p@h/?token=1&ip=1.2.3.4&b=%40{QUERY}")),
    "redact of a text": Operation(nothing, lambda _: redact.redact("http://u:p@a b/?token=1&b=%40" + "c" * 2000)),
    "redact_text": Operation(
        nothing,
        lambda _: text.redact_text(
            r"\u00e9 https:\/\/u:p@h\/?token=1\u0026b=" + "c" * 2000 + f" /?a=%40{QUERY}&token=1 cookie: a=b"
        ),
    ),
    "redact_each": Operation(
        nothing,
        lambda _: redact_each(
            [f"\u00e9 {HREF}?token=1{QUERY}", "token=1", "a b", "/a", (1,)], bytes([0, 3, 1, 2, 0]), "logs"
        ),
    ),
    "explain_redaction": Operation(nothing, lambda _: text.explain_redaction("/?token=1 " * 30)),
    "redact_text_many": Operation(nothing, lambda _: bulk.redact_text_many(SECRET_ROWS, threads=1)),
    "redactions": Operation(nothing, lambda _: redact.redactions(HREF + "&token=1")),
    "path_template": Operation(nothing, lambda _: redact.path_template("https://h/5/" + "a%40" * 1000)),
    "LogPolicy": Operation(
        nothing,
        lambda _: redact.redact("https://h/?a=1", redact.LogPolicy(secret_names=["a", "*key*"], token_names=[])),
        unwinds=True,
    ),
    "LogPolicy of a file": Operation(
        nothing,
        lambda _: redact.redact(
            "https://u:p@h/a/b?c=1",
            redact.LogPolicy.from_toml(
                "base = 'otel'\nkeep = ['x']\npaths = ['/a/{secret}']\nrules = [{hosts = ['h'], hide = ['c']}]"
            ),
        ),
        unwinds=True,
    ),
    "find_urls": Operation(nothing, lambda _: text.find_urls(f"\u00e9 {HREF} {LONG} www.b\u00fccher.example " * 3)),
    "find_urls, escapes": Operation(
        nothing,
        lambda _: text.find_urls(
            ("http:\\/\\/a\\u00e9" + "b" * 900 + "c[.]d ").encode() * 9, syntax="json", defanged=True
        ),
    ),
    "Robots": Operation(
        nothing, lambda _: robots.Robots.parse(ROBOTS_TXT, agent="ExampleBot", compat="google").rule(f"//a/{LONG}")
    ),
    "Robots with many stars": Operation(
        nothing, lambda _: robots.Robots.parse(MANY_STARS, agent="ExampleBot").rule(MANY_STARS_URL)
    ),
    "Robots.allowed": Operation(nothing, lambda _: [ROBOTS_FILE.allowed(url) for url in ROBOTS_URLS]),
    "Robots.explain": Operation(nothing, lambda _: ROBOTS_FILE.explain(ROBOTS_URLS[0])),
    "robots_allowed_many": Operation(
        nothing, lambda _: bulk.robots_allowed_many([*ROBOTS_URLS, "no URL"], ROBOTS_FILE, threads=1)
    ),
    "URLSpan": Operation(
        lambda: text.find_urls(f"www.{'a' * 900}[.]b", defanged=True), lambda spans: spans[0].url.href
    ),
    "defang": Operation(nothing, lambda _: text.refang(text.defang(f"http://{'a.' * 300} \u00e9"))),
    "find_urls_many": Operation(nothing, lambda _: bulk.find_urls_many([HREF * 9, LONG, f"\u00e9 {HREF}"], threads=1)),
    "defang_many": Operation(nothing, lambda _: bulk.defang_many([f"\u00e9 http://{'a.' * 900}b"], threads=1)),
    "redact_many": Operation(nothing, lambda _: bulk.redact_many(SECRET_ROWS, threads=1)),
    "common_crawl_many": Operation(nothing, lambda _: bulk.common_crawl_many(ROWS, threads=1)),
    "redactions_many": Operation(nothing, lambda _: bulk.redactions_many(SECRET_ROWS, threads=1)),
    "path_template_many": Operation(nothing, lambda _: bulk.path_template_many(SECRET_ROWS, threads=1)),
    "parse_many": Operation(nothing, lambda _: bulk.parse_many(ROWS, threads=1)),
    "parse_many, views": Operation(nothing, lambda _: bulk.parse_many(ROWS, threads=1, views=True)),
    "component_many of sites": Operation(
        nothing, lambda _: bulk.component_many(ROWS, "registrable_domain", psl=PSL, threads=1)
    ),
    "parse_many, read": Operation(lambda: bulk.parse_many(ROWS, threads=1), list),
    "parse_lines": Operation(nothing, lambda _: bulk.parse_lines(b"http://h/\nx\n" * 200, threads=1)),
    "join_many": Operation(nothing, lambda _: bulk.join_many(ROWS, ROWS, threads=1)),
    "query_pairs_many": Operation(nothing, lambda _: bulk.query_pairs_many(ROWS, threads=1)),
    "canonicalize_many": Operation(nothing, lambda _: bulk.canonicalize_many(ROWS, threads=1)),
    "percent_decode_many": Operation(nothing, lambda _: bulk.percent_decode_many(ROWS, threads=1)),
    "query_get_many": Operation(nothing, lambda _: bulk.query_get_many(ROWS, "a", threads=1)),
    "query_values_many": Operation(nothing, lambda _: bulk.query_values_many(ROWS, ["a", "b", "q"], threads=1)),
    "query map": Operation(
        nothing,
        lambda _: [batch.entries(0) for batch in run_pieces(MAP, cut_rows(open_column(QUERIES)), 1, "null", None)],
    ),
    "is_private_url_many": Operation(nothing, lambda _: bulk.is_private_url_many(ROWS, threads=1)),
    "host_in_many": Operation(nothing, lambda _: bulk.host_in_many([*ROWS, "x://%c3%a9"], ["h", "é.a"], threads=1)),
    "host_in_many of a HostSet": Operation(nothing, lambda _: bulk.host_in_many(ROWS, SET, threads=1)),
    "pattern_test_many of a small automaton": Operation(
        nothing, lambda _: bulk.pattern_test_many(ROWS, SMALL, threads=1)
    ),
    "pattern_test_many of a large automaton": Operation(
        nothing, lambda _: bulk.pattern_test_many(ROWS, LARGE, threads=1)
    ),
    "pattern_extract_many of a small automaton": Operation(
        nothing, lambda _: bulk.pattern_extract_many(ROWS, SMALL, threads=1)
    ),
    "pattern_extract_many, views": Operation(
        nothing, lambda _: bulk.pattern_extract_many(ROWS, LARGE, ["pathname.1"], threads=1, views=True)
    ),
    "pattern_extract_many, read": Operation(
        lambda: bulk.pattern_extract_many(ROWS, SMALL, threads=1),
        lambda table: (list(table), len(table.__arrow_c_array__())),
    ),
    "route_many of many": Operation(nothing, lambda _: bulk.route_many(ROWS, MANY, threads=1)),
    "route_many of patterns": Operation(nothing, lambda _: bulk.route_many(ROWS, [("\u00e9", SMALL)], threads=1)),
    "route_many, read": Operation(
        lambda: bulk.route_many(ROWS, MANY, threads=1), lambda table: (list(table), len(table.__arrow_c_array__()))
    ),
    "HostSet": Operation(nothing, lambda _: hosts.HostSet(["h", "*.\u00e9.a", "=H", "a" * 900, "b" * 900, "a" * 900])),
    "HostSet, asked": Operation(
        nothing,
        lambda _: [
            URL(HREF) in SET,
            "\u00e9" in SET,
            SET.match("[::1]"),
            SET.match(URL("x://a%2eb"), schemes="x"),
            SET.match(hosts.parse_host("b" * 600)),
        ],
    ),
    "HostSet, as a value": Operation(
        nothing,
        lambda _: [list(SET), hosts.HostSet(SET) == SET, hosts.restore_host_set(SET.__reduce__()[1][0]) == SET],
    ),
    "pattern_test_many": Operation(pattern, lambda made: bulk.pattern_test_many(ROWS, made, threads=1)),
    "pattern_extract_many": Operation(
        pattern, lambda made: bulk.pattern_extract_many(ROWS, made, ["a", "hash.0", "pathname.a"], threads=1)
    ),
    "route_many": Operation(lambda: PatternList(ROUTES), lambda made: bulk.route_many(ROWS, made, threads=1)),
    "host_value": Operation(nothing, lambda _: URL(HREF).host_value),
    "fingerprint_many": Operation(nothing, lambda _: bulk.fingerprint_many(ROWS, threads=1)),
    "a column, taken apart": Operation(
        lambda: bulk.query_pairs_many(ROWS, threads=1), lambda column: (column[::2].to_pylist(), column[-1])
    ),
    "a column of views, pickled": Operation(
        lambda: bulk.component_many(ROWS, "href", threads=1, views=True),
        # Not by pickle, which says that a module cannot be imported.
        lambda column: restored(column[1:]),
        unwinds=True,
    ),
    "a column as Arrow": Operation(
        lambda: bulk.normalize_many(ROWS, threads=1), lambda column: bulk.can_parse_many(column, threads=1)
    ),
    **{f"the command's {name}": Operation(nothing, ignoring(call), True) for name, call in command_calls.CALLS.items()},
}


def state(thing: Any) -> object:
    """Everything that can be seen of an object."""
    if isinstance(thing, URL):
        return thing.href, list(thing.search_params)
    if isinstance(thing, URLPattern):
        return repr(thing), thing.test(HREF)
    if isinstance(thing, PatternList):
        return len(thing), keys_of(thing.first(HREF))
    if isinstance(thing, crawl.CrawlPolicy):
        return repr(thing)
    return list(thing) if thing is not None else None


def shown(result: Any) -> Any:
    """The part of a result that can be compared."""
    return result.to_pylist() if isinstance(result, bulk.Column | bulk.Table) else result


class Allocator(NamedTuple):
    """How to make allocations fail, after some of them, once or for good; and how to end that."""

    fail: Callable[[int, bool], object]
    end: Callable[[], object]


def python_allocator() -> Allocator:
    testcapi = import_module("_testcapi")
    return Allocator(
        lambda after, always: testcapi.set_nomemory(after, after + (SHORTAGE if always else 1)),
        testcapi.remove_mem_hooks,
    )


def c_allocator() -> Allocator:
    library = ctypes.CDLL(None)
    return Allocator(library.no_memory_after, library.no_memory_end)


def sweep(operation: Operation, allocator: Allocator, always: bool) -> tuple[int, list[str]]:
    """How often memory ran out, and what went wrong."""
    operation.do(operation.make())  # imports, and fills caches
    after = operation.make()
    expected = shown(operation.do(after)), state(after)
    failures, successes, problems = 0, 0, []
    for count in range(MOST):
        thing = operation.make()
        before = state(operation.make())
        problem: BaseException | None = None
        result: Any = None
        allocator.fail(count, always)
        try:
            result = operation.do(thing)
        except BaseException as error:
            allocator.end()
            problem = error
        else:
            allocator.end()
        found = state(thing)
        if problem is None:
            successes += 1
            if (shown(result), found) != expected:
                problems.append(f"{count}: it did not fail, and has not done what it should")
        else:
            failures += 1
            successes = 0
            is_lost = operation.unwinds and isinstance(problem, SystemError)
            if not isinstance(problem, MemoryError) and not is_lost:
                problems.append(f"{count}: {type(problem).__name__}: {problem!s:.200}")
            if found != before:
                problems.append(f"{count}: it failed, and the object has changed")
        if successes == ENOUGH:
            return failures, problems
    problems.append(f"more than {MOST} allocations")
    return failures, problems


def check(allocator: Allocator, what: str, only: str) -> int:
    """Runs the operations; returns how many go wrong."""
    total = bad = 0
    names = [name for name in OPERATIONS if name.startswith(only)]
    for name in names:
        operations = OPERATIONS[name]
        for operation in operations if not isinstance(operations, Operation) else (operations,):
            for always in (False, True):
                failures, problems = sweep(operation, allocator, always)
                total += failures
                bad += bool(problems)
                if problems:
                    print(
                        f"{name} ({what}, {'for good' if always else 'once'}):", *problems[:5], sep="\n  ", flush=True
                    )
    if not total:
        bad += 1
        print(f"{what}: memory has never run out")
    print(f"{what}: out of memory {total:,} times in {len(names)} operations; {bad} are wrong", flush=True)
    return bad


def run_preloaded(arguments: Sequence[str]) -> int:
    with ExitStack() as stack:
        library = Path(stack.enter_context(TemporaryDirectory())) / "no_memory.so"
        subprocess.run(
            ["cc", "-O1", "-fno-builtin", "-shared", "-fPIC", "-x", "c", "-", "-o", library],
            input=SHIM.encode(),
            check=True,
        )
        command = [sys.executable, __file__, *arguments]
        return subprocess.run(command, env={**os.environ, "LD_PRELOAD": str(library), PRELOADED: "1"}).returncode


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="?", default="", help="operations whose name starts so")
    options = parser.parse_args(arguments)
    if os.environ.get(PRELOADED):
        return 1 if check(c_allocator(), "malloc", options.only) else 0
    bad = check(python_allocator(), "Python's allocators", options.only)
    status = run_preloaded(arguments)
    if status not in (0, 1):
        print(f"with malloc failing the process ended with {status}")
    return 1 if bad or status else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
