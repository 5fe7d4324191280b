"""Checks that no public function leaks: the memory of the process after many calls, with those that fail.

Linux with glibc only, as is growth.py.
"""

from __future__ import annotations

import argparse
import copy
import gzip
import io
import os
import pickle
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from inspect import getattr_static
from ipaddress import IPv6Address
from pathlib import Path
from typing import Any

from support import command_calls
from support.archives import capture
from support.arrow import read_stream
from support.fields import ATTRIBUTES
from support.growth import EXACT, LIMIT, growth
from support.verb_calls import all_calls

from weburl import (
    URL,
    FrozenURL,
    InvalidURL,
    URLPattern,
    URLSearchParams,
    ValidationError,
    archives,
    bulk,
    crawl,
    display,
    explain,
    forms,
    hosts,
    is_valid,
    join,
    normalize,
    percent,
    redact,
    robots,
    text,
    validate,
)
from weburl._redact.columns import redact_each
from weburl.cli.redacting.addressed import AddressedStream, ColumnLines
from weburl.cli.redacting.lines import FieldLines
from weburl.compat import urllib, w3lib
from weburl.hosts import Origin, PublicSuffixList, parse_host
from weburl.patterns import PatternList, from_path_to_regexp, learn_routes

HREF = "https://user:pass@b\u00fccher.example:8080/a/../b/%c3?q=1&\u00e9=2#" + "f" * 600
LONG = "https://h/" + "\u00e9" * 400
url = URL(HREF)
other = URL(HREF)
params = url.search_params
pairs = [("a", "1"), ("\u00e9" * 300, "b&=")]
loose = URLSearchParams(pairs)
host = parse_host("b\u00fccher.example")
rows = [HREF, None, "no URL", "http://h/?q=%C3%A9", LONG]
table = bulk.parse_many(rows)
path_pattern = URLPattern(pathname="*/:a(.*)?/*")
host_set = hosts.HostSet(["example", "*.b\u00fccher.example", "=%41", "[::1]", "h" * 600])
psl = PublicSuffixList(io.StringIO("com\nco.uk\n*.ck\n!www.ck\n"))
document = crawl.DocumentBase(HREF, "../x", encoding="latin1")
policy = crawl.CrawlPolicy(tracking_parameters=["a"], index_names=["index.html"])
SECRETS = r'é https:\/\/u:p@h\/?token=1\u0026a "Cookie: a=b" /?pin=1 Authorization: Bearer ' + "x" * 900
FIELDS = b'{"a":{"b.c":"https://u:p@h/\\u00e9"}}\n{"a":[\na.b="https://u:p@h/" x\n{"a":"' + b"x" * 2000 + b'"}\n'
log_policy = redact.LogPolicy(secret_names=["a"], token_names=[])
PAGE = b"<meta charset=gbk><base href=/b/><a href='x?\xc4\xe3'>\xc4\xe3</a><img srcset='y 1x, z 2x'>" + b"<i>" * 600
pickled = pickle.dumps(url)
PATTERN = r"https://*.example:8080/b/:id\?*#*"
PATTERN_GETTERS = (
    "protocol username password hostname port pathname search hash ignore_case has_regexp_groups"
).split()
pattern = URLPattern(r"https://*:*@*:8080/b/:id\?*#*")
result = pattern.exec(HREF)
assert result is not None
matched = result
routes = PatternList([("a", pattern), ("b", "https://h/:x"), ("c", "https://*/(a|b)")])
BAD = "http://b\u00fc cher/"


def fails(function: Callable[..., object], *arguments: Any, **options: Any) -> Callable[[], None]:
    """A call that raises an error that it may raise."""

    def call() -> None:
        try:
            function(*arguments, **options)
        except (ValueError, TypeError, LookupError, OSError):
            return
        raise AssertionError(f"{function}{arguments} does not fail")

    return call


def assigns(name: str, *values: Any) -> Callable[[], None]:
    def call() -> None:
        for value in values:
            setattr(url, name, value)

    return call


def refuses(name: str, value: Any) -> Callable[[], None]:
    return fails(setattr, url, name, value)


def with_params(*changes: Callable[[URLSearchParams], object]) -> Callable[[], str]:
    """Changes the params of a new URL; returns the URL."""

    def call() -> str:
        made = URL("https://h/?a=1&b=2&a=3")
        for change in changes:
            change(made.search_params)
        return made.href

    return call


def gets(name: str) -> Callable[[], object]:
    return lambda: getattr(URL("http://1.2.3.4/?a=b"), name)


# Few of its lines are hosts.
LISTED = Path(__file__).with_name("lsan.txt")


class Node(URL):
    node: Node
    params: URLSearchParams


def cycle() -> None:
    node = Node(HREF)
    node.node = node
    node.params = node.search_params


# By public name, and what of it is called.
WARC = capture("https://example.com/", b"<a href=b>" * 90)
ROBOTS = (
    "Sitemap: /a\nUser-agent: *\nDisallow: /*a*b$\nAllow: /\u00e9%7e?a=/b\nDisalow: /%2f\nCrawl-delay: 1\n"
    "Content-Signal: a=b\nContent-Usage: /a b=c\nAllow: /x/index.html\nx\n"
    + "".join(f"Disallow: /*x{i}*y\n" for i in range(40))
)
MANY_STARS = "User-agent: *\n" + "".join(f"Disallow: /*a{i}*b*c{i}$\n" for i in range(100))

CASES: dict[str, Callable[[], object]] = {
    "URL": lambda: URL(HREF),
    "URL with a base": lambda: URL("../\u00e9", HREF),
    "URL with a URL as base": lambda: URL("../\u00e9", url),
    "URL with an encoding": lambda: URL(HREF, encoding="shift_jis"),
    "URL that fails": fails(URL, BAD),
    "URL of bytes": fails(URL, b"x"),
    "URL with a base that fails": fails(URL, "x", BAD),
    "URL with an unknown label": fails(URL, HREF, encoding="bogus"),
    "URL again": lambda: url.__init__(HREF),  # type: ignore[misc]
    "URL with a cycle": cycle,
    "URL.parse": lambda: (URL.parse(HREF), URL.parse(BAD), URL.parse("x", url)),
    "URL.build": lambda: (
        URL.build(
            scheme="https", host="b\u00fccher.example", port=8080, username="\u00e9", pathname="/" + LONG, query=LONG
        ),
        URL.build(scheme="x", path_segments=[LONG, "a/b"], params=pairs, fragment=LONG),
        URL.build(scheme="http", host=host),
    ),
    "URL.build that fails": (
        lambda: (
            fails(URL.build, scheme="http", host=BAD)(),
            fails(URL.build, scheme="http", host="h", path_segments=[LONG, ".."])(),
            fails(URL.build, scheme="http", host="1.2.3.256", query=LONG)(),
            fails(URL.build, scheme="http", host="h", pathname=LONG, fragment=1)(),
        )
    ),
    "URL.parts": lambda: URL.build(**url.parts()),
    "FrozenURL": lambda: (FrozenURL(HREF), FrozenURL(url), URL(FrozenURL(HREF)), FrozenURL.parse(BAD)),
    "FrozenURL that fails": fails(FrozenURL, BAD),
    "FrozenURL.search_params": lambda: (
        list(FrozenURL(HREF).search_params),
        fails(FrozenURL(HREF).search_params.append, "a", "b")(),
    ),
    "FrozenURL as a key": lambda: {FrozenURL(HREF): 1}[FrozenURL(HREF)],
    "URL.with_params": lambda: (url.with_params({LONG: [LONG, 1]}), url.with_params(a=LONG)),
    "URL.with_params that fails": fails(url.with_params, [("a", LONG), ("b", None)]),
    "URL.add_params": lambda: url.add_params(a=LONG),
    "URL.without_params": lambda: url.without_params(LONG),
    "URL.replace with None": lambda: URL("x://h/" + LONG).replace(host=None, fragment=None),
    "URL.parent": lambda: (url.parent, url.name, url.suffix),
    "URLSearchParams.update": lambda: URLSearchParams(pairs).update({LONG: LONG}, a="b"),
    "URLSearchParams.pop": lambda: URLSearchParams({LONG: LONG}).pop(LONG),
    "URLSearchParams.clear": lambda: URLSearchParams(pairs).clear(),
    "URLSearchParams.setdefault": lambda: URLSearchParams(pairs).setdefault("new", LONG),
    "URLSearchParams.to_dict_of_lists": lambda: URLSearchParams(pairs).to_dict_of_lists(),
    "URLSearchParams.from_dict_of_lists": lambda: URLSearchParams.from_dict_of_lists({LONG: [LONG]}),
    "URL /": lambda: url / LONG / "a",
    "URL / that fails": lambda: (fails(url.__truediv__, "..")(), fails(URL("mailto:a").__truediv__, LONG)()),
    "URL.can_parse": lambda: (URL.can_parse(HREF), URL.can_parse(BAD), URL.can_parse("x", HREF)),
    **{f"URL.{name}": gets(name) for name in ATTRIBUTES},
    "URL.href, assigned": assigns("href", HREF),
    "URL.href, refused": refuses("href", BAD),
    "URL.protocol, assigned": assigns("protocol", "http", "https", "x"),
    "URL.username, assigned": assigns("username", LONG, "u"),
    "URL.password, assigned": assigns("password", LONG, "p"),
    "URL.host, assigned": assigns("host", "\u00e9:1", "h:65536", "b\u00fccher.example:8080", "a b"),
    "URL.hostname, assigned": assigns("hostname", "\u00e9", "b\u00fccher.example", "a b"),
    "URL.port, assigned": assigns("port", 1, "8080", "x", 10**30),
    "URL.pathname, assigned": assigns("pathname", LONG, "a/../b"),
    "URL.set_search": lambda: URL(HREF).set_search(LONG, encoding="big5"),
    "URL.search, assigned": assigns("search", LONG, "?a\tb=c", "q=1"),
    "URL.hash, assigned": assigns("hash", LONG, "", "f"),
    "URL.hash, refused": refuses("hash", 1),
    "URL.join": lambda: url.join("../y"),
    "URL.join that fails": fails(url.join, "http://:"),
    "URL.join with an encoding": lambda: url.join("?\u00e9", encoding="latin1"),
    "URL.from_path": lambda: (URL.from_path(b"/\xff", windows=False), URL.from_path("C:\\" + LONG[9:], windows=True)),
    "URL.from_path that fails": fails(URL.from_path, "\\\\a b\\x", windows=True),
    "URL.to_path": lambda: URL("file://h/" + "%C3%A9" * 300).to_path(windows=True),
    "URL.to_path that fails": fails(URL("file:///C:/%ff").to_path, windows=True),
    "URL.replace": lambda: url.replace(scheme="http", host="h", port=None, query=None, fragment="\u00e9"),
    "URL.replace of segments and params": lambda: url.replace(path_segments=[LONG, "b"], params=pairs),
    "URL.replace that fails": fails(url.replace, port="x"),
    "URL.replace of segments that fails": fails(url.replace, path_segments=[LONG, "."]),
    "URL.serialize": lambda: url.serialize(exclude_fragment=True),
    "URL.equals": lambda: url.equals(other, exclude_fragments=True),
    "URL.equals that fails": fails(url.equals, "x"),
    "URL.to_json": url.to_json,
    "URL str, repr, ==": lambda: (str(url), repr(url), url == other, url != "x"),
    "URL copied": lambda: (copy.copy(url), copy.deepcopy(url)),
    "URL pickled": lambda: pickle.loads(pickle.dumps(url)),
    "URL unpickled from nonsense": fails(pickle.loads, pickled.replace(b"https:", b"ht ps:")),
    "URLSearchParams": lambda: (
        URLSearchParams("?a=%ff&b=" + LONG),
        URLSearchParams(pairs),
        URLSearchParams({"a": "b"}),
    ),
    "URLSearchParams that fails": fails(URLSearchParams, [("a", "b"), ("a",)]),
    "URLSearchParams of a number": fails(URLSearchParams, [("a", 1.5)]),
    "URLSearchParams.append": with_params(lambda params: params.append("\u00e9", LONG)),
    "URLSearchParams.append that fails": fails(params.append, "a", 1.5),
    "URLSearchParams.delete": with_params(lambda params: params.delete("a"), lambda params: params.delete("b", "2")),
    "URLSearchParams.get": lambda: (loose.get("a"), loose.get("none", "x")),
    "URLSearchParams.get_all": lambda: loose.get_all("a"),
    "URLSearchParams.has": lambda: (loose.has("a", "1"), "a" in loose),
    "URLSearchParams.set": with_params(
        lambda params: params.set("a", "2"), lambda params: params.__setitem__("c", "d")
    ),
    "URLSearchParams.sort": with_params(lambda params: params.sort()),
    "URLSearchParams.size": lambda: (loose.size, len(loose)),
    "URLSearchParams.keys": lambda: list(URLSearchParams("a=1&b=2").keys()),
    "URLSearchParams.values": lambda: list(URLSearchParams("a=1&b=2").values()),
    "URLSearchParams.items": lambda: (next(iter(URLSearchParams("a=1&b=2").items())), dict(loose)),
    "URLSearchParams[...]": with_params(lambda params: params["a"], lambda params: params.__delitem__("a")),
    "URLSearchParams[...] that fails": fails(loose.__getitem__, "none"),
    "URLSearchParams str, repr, ==": lambda: (str(loose), repr(loose), loose == params),
    "URLSearchParams copied": lambda: (copy.copy(loose), copy.deepcopy(loose), pickle.loads(pickle.dumps(loose))),
    "InvalidURL": lambda: repr(InvalidURL(BAD, HREF, "domain-to-ASCII")),
    "InvalidURL pickled": lambda: pickle.loads(pickle.dumps(InvalidURL(BAD))),
    "ValidationError": lambda: ValidationError("domain-to-ASCII", 0, 1, True, "x"),
    "explain": lambda: explain(BAD),
    "is_valid": lambda: (is_valid(HREF), is_valid(BAD), is_valid("a", HREF, kind="relative-url")),
    "join": lambda: join(HREF, "x"),
    "join that fails": fails(join, "x", "y"),
    "normalize": lambda: normalize(HREF),
    "normalize that fails": fails(normalize, BAD),
    "validate": lambda: validate(BAD),
    "PatternError": fails(URLPattern, "https://h/(?=a)" + LONG),
    "URLPattern": lambda: (URLPattern(PATTERN), URLPattern({"pathname": "/((?:a|b)+)/*"}, ignore_case=True)),
    "URLPattern that fails": lambda: (
        fails(URLPattern, "/" + LONG)(),
        fails(URLPattern, pathname="/(" + LONG)(),
        fails(URLPattern, pathname="/((?:a{0,99}){0,99})")(),
        fails(URLPattern, PATTERN, 1)(),
        fails(URLPattern, hostname=BAD)(),
        fails(URLPattern, "(a)://h/", regexp_groups=False)(),
    ),
    "URLPattern pickled": lambda: pickle.loads(pickle.dumps(pattern)),
    "URLPattern str, repr, ==": lambda: (repr(pattern), hash(pattern), pattern == URLPattern(PATTERN), pattern != 1),
    "URLPattern.compare": lambda: URLPattern.compare("pathname", pattern, URLPattern()),
    "URLPattern.exec": lambda: (pattern.exec(HREF), pattern.exec(url), pattern.exec("b/1", HREF), pattern.exec(BAD)),
    "URLPattern.exec of components": lambda: pattern.exec({"pathname": LONG, "base_url": HREF}),
    "URLPattern.exec that fails": fails(pattern.exec, {"pathname": "/"}, HREF),
    "URLPattern.explain": lambda: (pattern.explain(HREF), pattern.explain(BAD), pattern.explain({"pathname": LONG})),
    "URLPattern.generate": lambda: URLPattern(pathname="/:a").generate("pathname", {"a": "\u00e9" * 300}),
    "URLPattern.generate that fails": fails(pattern.generate, "pathname", {}),
    "URLPattern.match": lambda: pattern.match(HREF),
    "URLPattern.test": lambda: (pattern.test(HREF), pattern.test(LONG), pattern.test(url), pattern.test({})),
    **{f"URLPattern.{name}": partial(getattr, pattern, name) for name in PATTERN_GETTERS},
    "patterns.URLPattern": lambda: URLPattern(PATTERN).exec(HREF),
    "patterns.PatternError": fails(URLPattern, "("),
    "patterns.LearntRoutes": lambda: learn_routes([HREF] * 20, threads=1).patterns,
    "patterns.learn_routes": lambda: learn_routes([f"https://h/{n % 50}/{n}/x" for n in range(200)], threads=1).text,
    "patterns.from_path_to_regexp": lambda: URLPattern(pathname=from_path_to_regexp("/((?!api).*)")).test(HREF),
    "patterns.URLPatternResult": lambda: (matched["id"], matched.groups, matched.get("x"), repr(matched)),
    "patterns.URLPatternComponentResult": lambda: (matched.pathname, matched.hash.groups, matched.username.input),
    "patterns.PatternList": lambda: (
        PatternList([("a", PATTERN), ("b", "https://h/:x")]),
        PatternList(["https://h/(a)", pattern]),
        routes.first(HREF),
        routes.all(url),
        routes.explain(HREF),
        pickle.loads(pickle.dumps(routes)),
    ),
    "patterns.PatternList that fails": fails(PatternList, ["https://h/", "("]),
    "percent.percent_encode": lambda: (percent.percent_encode(LONG, "form"), percent.percent_encode("x", "path")),
    "percent.PercentEncodeSet": lambda: percent.percent_encode(LONG, percent.PercentEncodeSet.of("path", "a\u007f")),
    "percent.PercentEncodeSet that fails": fails(percent.PercentEncodeSet.of, "no set"),
    "percent.percent_encode to an encoding": lambda: percent.percent_encode("\u6f22\u00e9", "form", encoding="big5"),
    "percent.percent_encode of bytes": lambda: percent.percent_encode(b"\xff" * 400, "form"),
    "percent.percent_encode that fails": fails(percent.percent_encode, "x", "no set"),
    "percent.percent_decode": lambda: (percent.percent_decode("%ff" * 300), percent.percent_decode(b"%41")),
    "percent.percent_decode_text": lambda: percent.percent_decode_text("%ff" * 300),
    "percent.percent_decode_text that fails": fails(percent.percent_decode_text, "%ff", "strict"),
    "forms.parse_form": lambda: (
        forms.parse_form("a=%ff&" + LONG),
        forms.parse_form(b"a", encoding="gbk", isindex=True),
    ),
    "forms.parse_form that fails": fails(forms.parse_form, b"\xff", encoding="gbk"),
    "forms.serialize_form": lambda: (forms.serialize_form(pairs), forms.serialize_form(pairs, encoding="gbk")),
    "forms.serialize_form that fails": fails(forms.serialize_form, [("a",)]),
    "hosts.Host": lambda: (
        parse_host("1.2.3.4").ip_address,
        str(host),
        hash(host),
        host.labels,
        host.unicode,
        host < parse_host("a.b"),
        repr(host),
        pickle.loads(pickle.dumps(host)),
    ),
    "hosts.HostSet": lambda: (
        hosts.HostSet(["h", "*.example", "=B\u00dcCHER.example.", "H", "a" * 600]),
        url in host_set,
        host in host_set,
        "\u00e9" in host_set,
        host_set.match(url),
        host_set.match("1.1", schemes="x"),
        list(host_set),
        hash(hosts.HostSet(host_set)),
        hosts.HostSet(reversed(list(host_set))) == host_set,
        pickle.loads(pickle.dumps(host_set)),
        repr(host_set),
    ),
    "hosts.HostSet that fails": lambda: (
        fails(hosts.HostSet, ["h", "a b"])(),
        fails(hosts.HostSet, ["h" * 600, 1])(),
        fails(host_set.match, "a b")(),
        fails(host_set.__contains__, b"h")(),
        fails(hosts.HostSet.read, "no such file")(),
        fails(hosts.HostSet.read, __file__)(),
    ),
    "hosts.SkippedLine": lambda: hosts.HostSet.read(LISTED, on_skip=list),
    "hosts.Origin": lambda: (str(Origin.of(url)), Origin()),
    "hosts.PublicSuffixList": lambda: PublicSuffixList(io.StringIO("com\nco.uk\n")),
    "hosts.PublicSuffixList that fails": fails(PublicSuffixList, "no such file"),
    "hosts.default_port": lambda: (hosts.default_port("https"), hosts.default_port("x:")),
    "hosts.default_port that fails": fails(hosts.default_port, "a b"),
    "hosts.is_special_scheme": lambda: hosts.is_special_scheme("WSS:"),
    "hosts.domain_to_ascii": lambda: hosts.domain_to_ascii("\u05d0.b\u00fccher"),
    "hosts.domain_to_ascii that fails": fails(hosts.domain_to_ascii, "a b"),
    "hosts.domain_to_unicode": lambda: hosts.domain_to_unicode("xn--bcher-kva.a"),
    "hosts.host_matches": lambda: hosts.host_matches(url, ["*.example", "1.2.3.4"]),
    "hosts.host_matches that fails": fails(hosts.host_matches, "http://h", "a b"),
    "hosts.is_private_host": lambda: (hosts.is_private_host("[::1]"), hosts.is_private_host(IPv6Address("::1"))),
    "hosts.is_private_url": lambda: (hosts.is_private_url("http://[::1]/"), hosts.is_private_url("x://example.com")),
    "hosts.is_private_url that fails": fails(hosts.is_private_url, "localhost"),
    "hosts.is_safe_redirect": lambda: hosts.is_safe_redirect("/a", allow=["b.example", Origin.of(url)]),
    "hosts.is_safe_redirect that fails": fails(hosts.is_safe_redirect, None),
    "hosts.is_safe_link": lambda: (hosts.is_safe_link("/a?b&amp;c"), hosts.is_safe_link(url)),
    "hosts.is_safe_link that fails": fails(hosts.is_safe_link, b"/"),
    "hosts.url_host_matches": lambda: hosts.url_host_matches(url, ["*.example", "1.2.3.4"], schemes=["https", "x"]),
    "hosts.is_valid_domain": lambda: (hosts.is_valid_domain("a.b"), hosts.is_valid_domain("a b")),
    "hosts.is_valid_host": lambda: (hosts.is_valid_host("[::1]"), hosts.is_valid_host("1.2.3", opaque=True)),
    "hosts.parse_host": lambda: (parse_host("[1::]"), parse_host("\u00e9", opaque=True), parse_host("\u00e9.\u00e9")),
    "hosts.parse_host that fails": fails(parse_host, "a b"),
    "hosts.public_suffix": lambda: (hosts.public_suffix(url, psl=psl), hosts.public_suffix(host)),
    "hosts.registrable_domain": lambda: (hosts.registrable_domain(url, psl=psl), hosts.registrable_domain("1.2.3.4")),
    "hosts.registrable_domain that fails": fails(hosts.registrable_domain, "a b"),
    "hosts.same_origin": lambda: hosts.same_origin(url, other),
    "hosts.same_origin_domain": lambda: hosts.same_origin_domain(url, other),
    "hosts.same_site": lambda: hosts.same_site(url, other, psl=psl),
    "hosts.schemelessly_same_site": lambda: hosts.schemelessly_same_site(url, other, psl=psl),
    "display.SpoofingRisk": lambda: display.spoofing_risks("p\u0430ypal.com"),
    "display.display_host": lambda: (display.display_host(url), display.display_host(url, registrable_only=True)),
    "display.display_url": lambda: display.display_url(url, max_width=40),
    "display.display_url that fails": fails(display.display_url, BAD),
    "display.spoofing_risks": lambda: display.spoofing_risks(host),
    "crawl.CrawlPolicy": lambda: crawl.CrawlPolicy(tracking_parameters=["utm_source"], index_names=["index.html"]),
    "crawl.CrawlPolicy that fails": fails(crawl.CrawlPolicy, [1]),
    "crawl.CrawlPolicy, all knobs": lambda: (
        (
            every_knob := crawl.CrawlPolicy(
                sort_query=False,
                remove_repeated_pairs=True,
                remove_www=True,
                merge_schemes=True,
                fragment="keep",
                tracking_parameters=["a=hex32", "b@h"],
                merge_slashes=True,
                remove_amp=True,
                remove_mobile=True,
            )
        )
        and (
            crawl.canonicalize(HREF + "&%5b&[&[", every_knob),
            pickle.loads(pickle.dumps(every_knob)),
            hash(every_knob),
        )
    ),
    "crawl.SurtPolicy": lambda: crawl.canonicalize(HREF, crawl.SurtPolicy(with_scheme=True)),
    "crawl.SurtPolicy, as the archives": lambda: crawl.canonicalize(
        "http://h../a/(abcdefghijklmnopqrstuvwx)/b.aspx?cfid=1&cftoken=2&a%",
        crawl.SurtPolicy(archive_exact=True),
    ),
    "crawl.SurtPolicy that fails": fails(crawl.SurtPolicy, 1),
    "crawl.DocumentBase": lambda: crawl.DocumentBase(HREF, "x", encoding="latin1").resolve("?\u00e9"),
    "crawl.DocumentBase that fails": fails(crawl.DocumentBase, BAD),
    "crawl.DocumentBase.resolve_many": lambda: document.resolve_many(rows),
    "crawl.ImportantParams": lambda: crawl.important_params([HREF, "no URL"], [1, 2]).ignored,
    "crawl.ParameterUse": lambda: (
        crawl.important_params(["http://h/?a=1&b", "http://h/?a=2&b"], "xy", min_pairs=1).uses
    ),
    "crawl.important_params": lambda: crawl.important_params(
        ["http://h/?a=1&b", "http://h/?a=2&b"], "xy", max_groups=1
    ),
    "crawl.important_params that fails": fails(crawl.important_params, [HREF], []),
    "crawl.label_of": lambda: (crawl.label_of("cp936"), crawl.label_of("no label", None, "euc-kr")),
    "crawl.label_of that fails": fails(crawl.label_of, 1),
    "crawl.page_links": lambda: crawl.page_links(PAGE, HREF, kinds=("link", "image", "refresh")),
    "crawl.page_links that fails": fails(crawl.page_links, PAGE, BAD),
    "crawl.RobotsDirectives": lambda: (
        crawl.RobotsDirectives.parse(["a: none", b"unavailable_after: 25 Jun 2030 15:00:00 GMT"]).unavailable_after,
        pickle.loads(pickle.dumps(crawl.RobotsDirectives.parse("noindex").for_agent("a"))),
    ),
    "crawl.RobotsDirectives that fails": fails(crawl.RobotsDirectives.parse, [1]),
    "crawl.LinkTable": lambda: pickle.loads(pickle.dumps(crawl.LinkTable(crawl.link_header(b"<x>", HREF)._batches))),
    "crawl.PageEncoding": lambda: crawl.PageEncoding("utf-8", "text"),
    "crawl.link_header": lambda: crawl.link_header(b"<x>;rel=canonical;title*=UTF-8''%ff, <\xff>, junk", HREF),
    "crawl.link_header that fails": fails(crawl.link_header, b"<x>", BAD),
    "crawl.sitemap_links": lambda: (
        crawl.sitemap_links(b"<urlset><url><loc>http://h/</loc><lastmod>1</lastmod></url><url><loc>x", HREF),
        crawl.sitemap_links(b"<feed xml:base='a/'><entry><link href='b'/></entry></feed>", HREF),
        crawl.sitemap_links(b"\x1f\x8bx", HREF),
    ),
    "crawl.sitemap_links that fails": fails(crawl.sitemap_links, b"<urlset>", BAD),
    "crawl.redirect_target": lambda: (crawl.redirect_target(b"/\xe9#x", HREF), crawl.redirect_target("y", url)),
    "crawl.redirect_target that fails": fails(crawl.redirect_target, b"http://a b", HREF),
    "crawl.without_tracking": lambda: (crawl.without_tracking(url), crawl.without_tracking(HREF, ["a", "b*"])),
    "crawl.without_tracking that fails": fails(crawl.without_tracking, HREF, ["*"]),
    "crawl.canonicalize": lambda: (
        crawl.canonicalize(url),
        crawl.canonicalize(HREF, "surt"),
        crawl.canonicalize(HREF, policy),
    ),
    "crawl.canonicalize that fails": fails(crawl.canonicalize, BAD),
    "crawl.fingerprint": lambda: (crawl.fingerprint(url), crawl.fingerprint(HREF, bits=128)),
    "crawl.fingerprint that fails": fails(crawl.fingerprint, HREF, "no policy"),
    "crawl.host_group": lambda: (crawl.host_group(url), crawl.host_group("mailto:a"), crawl.host_group(HREF, psl=psl)),
    "crawl.host_group that fails": fails(crawl.host_group, BAD),
    "crawl.shard": lambda: (crawl.shard(url, 7), crawl.shard(HREF, 1 << 30, psl=psl)),
    "crawl.shard that fails": fails(crawl.shard, HREF, 0),
    "crawl.ssurt": lambda: (crawl.ssurt(url), crawl.ssurt("mailto:a")),
    "crawl.ssurt that fails": fails(crawl.ssurt, BAD),
    "crawl.surt_range": lambda: [crawl.surt_range(HREF, match) for match in ("exact", "prefix", "host", "domain")],
    "crawl.surt_range that fails": fails(crawl.surt_range, "mailto:a"),
    "crawl.trap_key": lambda: (crawl.trap_key(url), crawl.trap_key(HREF + "&a[1]=2&a[2]", encoding="latin1")),
    "crawl.trap_key that fails": fails(crawl.trap_key, BAD),
    "redact.LogPolicy": lambda: redact.LogPolicy(secret_names=["token"], token_names=["key*"]),
    "redact.LogPolicy that fails": fails(redact.LogPolicy, [1]),
    "redact.LogPolicy with rules": lambda: redact.redact(
        HREF, redact.LogPolicy(path_rules=["/a/{secret}"], host_rules=["h hide a", "b.h keep c"])
    ),
    "redact.LogPolicy with rules that fails": fails(redact.LogPolicy, host_rules=["h hide a", "h"]),
    "redact.LogPolicy.from_toml": lambda: redact.LogPolicy.from_toml("hide = ['a']\npaths = ['/a/{secret}']"),
    "redact.LogPolicy.from_toml that fails": fails(redact.LogPolicy.from_toml, "hide = [\n'A']"),
    "redact.redact": lambda: (redact.redact(url), redact.redact(HREF, log_policy), redact.redact("/a b?token=1")),
    "redact.redact that fails": fails(redact.redact, HREF, "no policy"),
    "redact.redactions": lambda: redact.redactions("https://u:p@h/?pin=1&x=a@b.com"),
    "redact.path_template": lambda: (redact.path_template(HREF), redact.path_template("/a/5/%7Bid%7D")),
    "redact.path_template that fails": fails(redact.path_template, BAD),
    "robots.Robots": lambda: (
        made := robots.Robots.parse(ROBOTS, agent="ExampleBot", compat="google"),
        repr(made),
        copy.copy(made),
        pickle.loads(pickle.dumps(made)),
        made.sitemaps,
        made.crawl_delay,
        made.content_signals,
        made.content_usage,
        made.warnings,
        made.explain(HREF),
    ),
    "archives.read_warc": lambda: [*archives.read_warc(io.BytesIO(gzip.compress(WARC)), bodies=True)],
    "archives.ArchiveError": fails(lambda data: [*archives.read_warc(io.BytesIO(data))], WARC[:-30]),
    "archives.ArchiveRecord": lambda: next(archives.read_warc(io.BytesIO(WARC))),
    "robots.Robots with large rules": lambda: robots.Robots.parse(ROBOTS * 50, agent="ExampleBot").allowed(LONG),
    "robots.Robots with many stars": lambda: robots.Robots.parse(MANY_STARS, agent="ExampleBot").allowed(
        "https://h/" + "".join(f"a{i}" for i in range(100)) + "bc5"
    ),
    "robots.Robots that fails": fails(robots.Robots.parse, "", agent="a b"),
    "robots.Robots.allowed that fails": fails(robots.Robots.parse(ROBOTS, agent="a").allowed, BAD),
    "robots.RobotsRule": lambda: robots.Robots.parse(ROBOTS, agent="ExampleBot").rule(LONG),
    "robots.RobotsWarning": lambda: robots.Robots.parse(b"<p>\n" * 2000, agent="ExampleBot").warnings[7],
    "robots.RobotsCache": lambda: (
        (cache := robots.RobotsCache("ExampleBot", max_origins=3)).put(HREF, 200, ROBOTS),
        [cache.put(f"https://h{i}/", 301, headers={"Location": "/a"}) for i in range(5)],
        cache.allowed(HREF),
    ),
    "robots.RobotsCache.failed": lambda: robots.RobotsCache("ExampleBot").failed(HREF),
    "robots.product_token": lambda: robots.product_token("Mozilla/5.0 (compatible; ExampleBot/2.1)"),
    "robots.robots_allowed_many": lambda: robots.robots_allowed_many(
        [HREF, LONG, None, BAD], robots.Robots.parse(ROBOTS * 5, agent="ExampleBot")
    ).to_pylist(),
    "text.URLSpan": lambda: (
        (span := text.find_urls(f"x {HREF} y")[0]).url,
        repr(span),
        hash(span),
        span == copy.copy(span),
        pickle.loads(pickle.dumps(span)),
    ),
    "text.find_urls": lambda: (
        text.find_urls(f"x {HREF}, www.b\u00fccher.example http://{LONG} " * 9),
        text.find_urls(HREF.encode() + b"\xff http://\xff", bare=True, syntax="json", defanged=True),
        text.find_urls(f"{HREF} " * 40, schemes=["https", "x"], syntax="markdown"),
    ),
    "text.find_urls that fails": fails(text.find_urls, HREF, syntax="xml"),
    "text.find_urls_many": lambda: text.find_urls_many(
        [HREF * 2, None, LONG, f"x {HREF} y http:\\/\\/b"], syntax="json"
    ),
    "text.replace_urls": lambda: text.replace_urls(f"x {HREF} y", lambda span: span.url),
    "text.defang": lambda: (text.defang(f"x {HREF} y"), text.defang(HREF.encode())),
    "text.refang": lambda: (text.refang("hxxp[:]//a[.]b \ud800"), text.refang(b"hxxp[:]//a[.]b\xff")),
    "bulk.find_urls_many": lambda: bulk.find_urls_many([f"x {HREF} y", LONG], bare=True)[::-1].to_pylist(),
    "bulk.defang_many": lambda: bulk.defang_many([f"x {HREF} y", LONG]),
    "bulk.refang_many": lambda: bulk.refang_many(["hxxp[:]//a[.]b", LONG]),
    "bulk.Column": lambda: (list(bulk.normalize_many(rows)), repr(bulk.normalize_many(rows))),
    "bulk.Column, read": lambda: (bulk.normalize_many(rows).to_pylist(), bulk.normalize_many(rows).errors),
    "bulk.Column, taken apart": lambda: (
        (column := bulk.query_pairs_many(rows))[0],
        column[::-1],
        pickle.loads(pickle.dumps(column)),
    ),
    "bulk.Column, with views": lambda: pickle.loads(pickle.dumps(bulk.component_many(rows, "origin", views=True)[1:])),
    "bulk.Column of URLs": lambda: bulk.normalize_many([url, other]),
    "bulk.Column as Arrow": lambda: read_stream(bulk.normalize_many(rows)),
    "bulk.Column as Arrow, not taken": lambda: bulk.normalize_many(rows).__arrow_c_array__(),
    "bulk.Table": lambda: (list(table), table["host"], table.errors),
    "bulk.Table, read": lambda: (table.to_pylist(), table.column_names, table["host"].to_pylist()),
    "bulk.Table that fails": fails(table.__getitem__, "none"),
    "bulk.Table as Arrow": lambda: (table.__arrow_c_schema__(), table.__arrow_c_array__(), read_stream(table)),
    "bulk.can_parse_many": lambda: bulk.can_parse_many(rows),
    "bulk.canonicalize_many": lambda: bulk.canonicalize_many(rows),
    "text.redact_text": lambda: (text.redact_text(SECRETS), text.redact_text(SECRETS.encode(), log_policy)),
    "text.redact_text that fails": fails(text.redact_text, 5),
    "redact_each": lambda: redact_each(
        [SECRETS, "/?token=1", "token=1", "a b", (1,), 5], bytes([0, 1, 3, 2, 0, 0]), "logs"
    ),
    "redact --field": lambda: (
        AddressedStream(log_policy, FieldLines('a."b.c"'), 900).finish(FIELDS),
        AddressedStream(log_policy, ColumnLines("2"), 900).finish(FIELDS),
    ),
    "text.explain_redaction": lambda: text.explain_redaction(SECRETS),
    "text.redact_text_many": lambda: text.redact_text_many([SECRETS, None]),
    "text.Redaction": lambda: text.Redaction(0, 1, "name", "*token", "RFC 6749"),
    "bulk.redact_text_many": lambda: bulk.redact_text_many([SECRETS, None, "a"]),
    "bulk.redact_many": lambda: bulk.redact_many([*rows, "https://u:p@h/?pin=1"]),
    "bulk.redactions_many": lambda: bulk.redactions_many([*rows, "https://u:p@h/?pin=1"]),
    "bulk.common_crawl_many": lambda: bulk.common_crawl_many(rows, psl=psl).to_pylist(),
    "bulk.path_template_many": lambda: bulk.path_template_many([*rows, "https://h/5/%7Bint%7D"]),
    "bulk.component_many": lambda: bulk.component_many(rows, "host", views=True),
    "bulk.component_many of Arrow": lambda: bulk.component_many(
        bulk.normalize_many(rows), "registrable_domain", psl=psl, views=True
    ),
    "bulk.fingerprint_many": lambda: (bulk.fingerprint_many(rows), bulk.fingerprint_many(rows, bits=128)),
    "bulk.host_group_many": lambda: bulk.host_group_many([*rows, "mailto:a", "http://[::1]/"]),
    "bulk.shard_many": lambda: bulk.shard_many(rows, 7),
    "bulk.shard_many that fails": fails(bulk.shard_many, rows, 0),
    "bulk.trap_key_many": lambda: bulk.trap_key_many(rows),
    "bulk.host_in_many": lambda: bulk.host_in_many([*rows, "x://%c3%a9.example"], ["h", "*.example", "::1".join("[]")]),
    "bulk.host_in_many that fails": fails(bulk.host_in_many, rows, ["h", "a b"]),
    "bulk.is_private_url_many": lambda: bulk.is_private_url_many([*rows, "x://%c3%a9.example"]),
    "bulk.join_many": lambda: (bulk.join_many(rows, rows), bulk.join_many(HREF, rows)),
    "bulk.join_many that fails": fails(bulk.join_many, rows, rows[1:]),
    "bulk.normalize_many": lambda: bulk.normalize_many(rows, encoding="latin1"),
    "bulk.normalize_many that fails": fails(bulk.normalize_many, rows, on_error="raise"),
    "bulk.normalize_many of numbers": fails(bulk.normalize_many, [1]),
    "bulk.parse_lines": lambda: (bulk.parse_lines(b"http://h/\nx\n"), bulk.parse_lines(io.BytesIO(b"http://h/\nx\n"))),
    "bulk.parse_lines that fails": fails(bulk.parse_lines, b"x\n", on_error="raise"),
    "bulk.parse_many": lambda: bulk.parse_many(rows, views=True),
    "bulk.pattern_extract_many": lambda: bulk.pattern_extract_many(rows, pattern, ["id", "hash.0"]),
    "bulk.pattern_extract_many that fails": fails(bulk.pattern_extract_many, rows, pattern, ["none"]),
    "bulk.pattern_test_many": lambda: (
        bulk.pattern_test_many(rows, pattern),
        bulk.pattern_test_many(rows, "https://*/((?:a|b)+)"),
    ),
    "bulk.pattern_test_many that fails": fails(bulk.pattern_test_many, rows, "https://*/(?=a)"),
    "bulk.percent_decode_many": lambda: bulk.percent_decode_many(rows),
    "bulk.query_get_many": lambda: bulk.query_get_many(rows, "q"),
    "bulk.query_values_many": lambda: list(bulk.query_values_many(rows, ["q", "a"])),
    "bulk.query_pairs_many": lambda: list(bulk.query_pairs_many(rows)),
    "bulk.pattern_extract_many as Arrow": lambda: read_stream(
        bulk.pattern_extract_many(rows, path_pattern, ["pathname.0", "a"], views=True)
    ),
    "bulk.route_many as Arrow": lambda: (
        read_stream(bulk.route_many(rows, routes)),
        list(bulk.route_many(rows, [("x", path_pattern)])),
        bulk.route_many(rows, routes).__arrow_c_array__(),
    ),
    "bulk.route_many": lambda: (bulk.route_many(rows, routes), bulk.route_many(rows, [("a", "https://h/:x?")])),
    "bulk.route_many that fails": fails(bulk.route_many, rows, ["https://h/", "("]),
    "urllib.parse_qsl": lambda: (urllib.parse_qsl("a=%ff&b"), urllib.parse_qsl(b"a=%ff;b", separator=b";")),
    "urllib.parse_qsl that fails": fails(urllib.parse_qsl, "a", strict_parsing=True),
    "urllib.quote": lambda: urllib.quote(LONG),
    "urllib.unquote": lambda: urllib.unquote("%ff" * 300),
    "urllib.urljoin": lambda: (urllib.urljoin(HREF, "x"), urllib.urljoin("a", "b")),
    "urllib.urlsplit": lambda: (urllib.urlsplit(HREF), urllib.urlsplit(b"//h/p")),
    "urllib.urlsplit that fails": fails(urllib.urlsplit, BAD),
    "w3lib.ParseDataURIResult": lambda: w3lib.parse_data_uri("data:text/plain;base64,aGk="),
    "w3lib.add_http_if_no_scheme": lambda: w3lib.add_http_if_no_scheme("h/x"),
    "w3lib.add_or_replace_parameter": lambda: w3lib.add_or_replace_parameter(HREF, "q", "2"),
    "w3lib.add_or_replace_parameters": lambda: w3lib.add_or_replace_parameters(HREF, {"q": "2", "r": "3"}),
    "w3lib.any_to_uri": lambda: w3lib.any_to_uri("/a b"),
    "w3lib.canonicalize_url": lambda: w3lib.canonicalize_url(HREF),
    "w3lib.file_uri_to_path": lambda: w3lib.file_uri_to_path("file:///a%20b"),
    "w3lib.is_url": lambda: w3lib.is_url(HREF),
    "w3lib.parse_data_uri": lambda: w3lib.parse_data_uri(b"data:,%ff"),
    "w3lib.parse_data_uri that fails": fails(w3lib.parse_data_uri, "http://h/"),
    "w3lib.parse_qsl_to_bytes": lambda: w3lib.parse_qsl_to_bytes("a=%ff&b", True),
    "w3lib.parse_url": lambda: w3lib.parse_url(HREF),
    "w3lib.path_to_file_uri": lambda: w3lib.path_to_file_uri("/a b"),
    "w3lib.safe_download_url": lambda: w3lib.safe_download_url(HREF),
    "w3lib.safe_url_string": lambda: w3lib.safe_url_string(LONG, "latin1"),
    "w3lib.safe_url_string that fails": fails(w3lib.safe_url_string, "http://h:x/"),
    "w3lib.url_query_cleaner": lambda: w3lib.url_query_cleaner(HREF, ["q"]),
    "w3lib.url_query_parameter": lambda: w3lib.url_query_parameter(HREF, "q"),
    **{f"the command's {name}": call for name, call in command_calls.CALLS.items()},
}
# The verbs that have no row of their own.
for called in all_calls():
    if called.verb.bulk and called.label == called.verb.name:
        function = getattr(bulk, called.verb.bulk)
        CASES.setdefault(
            f"bulk.{called.verb.bulk}", partial(function, *[rows] * len(called.verb.columns), **called.options)
        )

MODULES = (
    "",
    "percent",
    "forms",
    "hosts",
    "display",
    "crawl",
    "redact",
    "robots",
    "text",
    "bulk",
    "patterns",
    "compat.urllib",
    "compat.w3lib",
)


def public_names() -> set[str]:
    """The public names, which all need a case."""
    names = set()
    for module in MODULES:
        prefix = f"{module.rpartition('.')[2]}." if module else ""
        public = import_module(f"weburl.{module}".rstrip("."))
        names |= {prefix + name for name in public.__all__ if callable(getattr(public, name))}
    for kind in (URL, URLPattern, URLSearchParams):
        # But for names of other libraries, which are there to say what to use.
        own = {name for name in dir(kind) if type(getattr_static(kind, name)).__name__ != "Absent"}
        names |= {f"{kind.__name__}.{name}" for name in own if not name.startswith("_")}
    return names


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("calls", type=int, nargs="?", default=1_000_000, help="of each")
    parser.add_argument("--seconds", type=float, default=10, help="for each; 4,096 calls take as long as they take")
    parser.add_argument("--only", default="", help="cases whose name starts so")
    options = parser.parse_args(arguments)
    if not EXACT.items() <= os.environ.items():
        os.execve(sys.executable, [sys.executable, __file__, *(arguments or sys.argv[1:])], {**os.environ, **EXACT})
    missing = public_names() - {name.partition(",")[0].partition(" ")[0] for name in CASES}
    if missing:
        print("no case for", *sorted(missing))
        return 1
    start = time.monotonic()
    names = [name for name in CASES if name.startswith(options.only)]
    if not names or options.calls < 1:
        parser.error("nothing is called")
    leaks, most = [], 0
    for name in names:
        found = growth(CASES[name], options.calls, options.seconds)
        most = max(most, found)
        if found > LIMIT:
            leaks.append(name)
            print(f"{name}: {found:,} bytes", flush=True)
    print(
        f"{len(names)} cases, up to {options.calls:,} calls of each: {len(leaks)} leak; at most {most >> 10} KiB more "
        f"memory, resident or in use; {time.monotonic() - start:.0f} s"
    )
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main())
