# pyright: strict
"""A program that uses every public name of weburl, but for those of weburl.ext and the functions of verbs.

tests/test_everything.py runs it, and has mypy and pyright check it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import TypedDict

from weburl import (
    URL,
    FrozenURL,
    InvalidURL,
    PatternError,
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
from weburl.compat import urllib as as_urllib
from weburl.compat import w3lib as as_w3lib
from weburl.patterns import (
    LearntRoutes,
    PatternList,
    URLPatternComponentResult,
    URLPatternResult,
    from_path_to_regexp,
    learn_routes,
)

PAGE = "https://Shop.Example.com:443/tea/../books/7?lang=fr&utm_source=x&q=caf%C3%A9#top"
BOOKS: list[str | URL | FrozenURL | None] = [PAGE, URL(PAGE), FrozenURL(PAGE), None, "no URL"]


class Visit(TypedDict):
    """What a crawler stores of a page."""

    key: int
    shown: str
    links: list[str]


class Link(URL):
    """A URL with a label: subclasses keep their type."""

    label: str = "home"


def urls() -> None:
    url = URL("../books/7?lang=fr#top", "https://shop.example.com/tea/", encoding="utf-8")
    assert normalize(PAGE) == "https://shop.example.com/books/7?lang=fr&utm_source=x&q=caf%C3%A9#top"
    assert join(url, "8") == "https://shop.example.com/books/8"
    assert URL.can_parse("a b", url) and not URL.can_parse("a b")
    parts: tuple[str, str, str, str] = (url.protocol, url.host, url.pathname, url.search + url.hash)
    assert parts == ("https:", "shop.example.com", "/books/7", "?lang=fr#top")
    assert (url.scheme, url.username, url.password, url.hostname, url.port) == ("https", "", "", "shop.example.com", "")
    port: int | None = url.port_number
    segments: tuple[str, ...] | None = url.path_segments
    decoded: tuple[str, ...] | None = URL("https://a.com/a%2Fb").decoded_segments
    assert (port, segments, decoded) == (443, ("books", "7"), ("a/b",))
    query: str | None = url.query
    fragment: str | None = url.fragment
    assert (query, fragment, url.origin, url.href[:5]) == ("lang=fr", "top", "https://shop.example.com", "https")
    address: IPv4Address | IPv6Address | None = URL("http://0x7f.1/").ip_address
    assert str(address) == "127.0.0.1" and url.host_type == "domain"
    flags: tuple[bool, bool, bool] = (url.is_special, url.has_opaque_path, url.includes_credentials)
    assert flags == (True, False, False)
    host: hosts.Host | None = url.host_value
    assert host is not None and host.labels[-1] == "com" and not host.is_ip and host.host_type == "domain"
    assert URL.build(**url.parts()) == url
    built: URL = URL.build(scheme="https", host=host, port=8080, path_segments=["a/b"], params={"q": "1&2"})
    assert built.href == "https://shop.example.com:8080/a%2Fb?q=1%262"
    assert built.serialize(exclude_fragment=True) == built.to_json() == str(built)
    assert url.equals(FrozenURL(url), exclude_fragments=True)
    changed: URL = url.replace(scheme="http", port=81, query=None, fragment=None) / "new book"
    assert changed.href == "http://shop.example.com:81/books/7/new%20book"
    assert (url.parent.href, url.name, URL("https://a.com/b.tar.gz").suffix) == (
        "https://shop.example.com/books", "7", ".gz",
    )  # fmt: skip
    url.port = 8443
    url.hash = ""
    assert url.href == "https://shop.example.com:8443/books/7?lang=fr"
    if (parsed := URL.parse("https://exa mple.com/")) is None:
        assert parsed is None
    link: Link = Link("https://example.com/").join("about")
    assert type(link) is Link and link.label == "home"
    match url:
        case URL(href):
            assert href == url.href
    file: URL = URL.from_path("/srv/a b.txt", windows=False)
    assert (file.href, file.to_path(windows=False)) == ("file:///srv/a%20b.txt", "/srv/a b.txt")


def values_and_edits() -> None:
    seen: dict[FrozenURL, int] = {FrozenURL(PAGE): 1}
    start: FrozenURL = FrozenURL("https://example.com/s?sig=a%2fb&q=old")
    link: URL = URL(PAGE)
    link.set_search("?q=\xe9", encoding="latin1")
    assert link.search == URL.build(scheme="https", host="h", query="q=\xe9", encoding="latin1").search == "?q=%E9"
    edited: FrozenURL = start.with_params(q="new", page=[1, 2]).add_params({"a-b": "1"}).without_params("page")
    assert edited.href == "https://example.com/s?sig=a%2fb&q=new&a-b=1"
    assert seen[FrozenURL(URL(PAGE))] == 1 and sorted([start, edited])[0] == edited
    params: URLSearchParams = URL(PAGE).search_params
    first: str | None = params.get("lang")
    other: str = params.get("page", "1")
    assert (first, other, params["q"], params.get_all("q")) == ("fr", "1", "café", ["café"])
    params.append("tag", "a")
    params.set("lang", "en")
    params.update({"page": "2"}, sort="price")
    params.delete("tag", "a")
    params.sort()
    popped: str | None = params.pop("utm_source", None)
    assert popped == "x" and params.setdefault("size", "20") == "20" and params.has("page", "2")
    lists: dict[str, list[str]] = params.to_dict_of_lists()
    assert URLSearchParams.from_dict_of_lists(lists) == params and params.size == len(params) == 5
    names: Iterator[str] = params.keys()
    assert [*names] == [name for name, _ in params.items()] and "café" in params.values()
    params.clear()
    assert str(params) == ""


def mistakes() -> None:
    try:
        URL("https://ada:secret@exa mple.com/")
    except InvalidURL as error:
        said: tuple[str, str | None, str, str | None, int | None] = (
            error.message, error.base, error.error, error.part, error.position,
        )  # fmt: skip
        assert said[2] == "domain-to-ASCII" and "secret" not in error.args[0] and error.row is None
        wrong: ValueError = error
        assert wrong is error
    try:
        URLPattern(pathname="/:id/:id")
    except PatternError as error:
        place: int | None = error.position
        assert error.component == "pathname" and place is not None and error.message
    found: list[ValidationError] = validate("https://example.com\\a", encoding="utf-8")
    assert [(each.name, each.position, each.end, each.failure) for each in found] == [
        ("invalid-reverse-solidus", 19, 20, False)
    ]
    assert found[0].message and not is_valid("a b", kind="url-query") and "host" in explain(PAGE)


def hosts_and_people() -> None:
    host: hosts.Host = hosts.parse_host("Bücher.example")
    assert (str(host), host.unicode, host.ip_address) == ("xn--bcher-kva.example", "bücher.example", None)
    blocked: hosts.HostSet = hosts.HostSet(["example.com", "=tracker.example"])
    entry: str | None = blocked.match("ads.example.com")
    assert entry == "example.com" and "ads.example.com" in blocked and len(blocked) == 2
    assert hosts.host_matches(host, ["*.example"]) and hosts.url_host_matches(PAGE, blocked, schemes=["https"])
    assert hosts.is_private_host("127.1") and hosts.is_private_url("http://2130706433/")
    assert hosts.is_safe_redirect("/home", allow=blocked) and not hosts.is_safe_link("java\nscript:alert(1)")
    assert hosts.default_port("https") == 443 and hosts.is_special_scheme("ws")
    assert hosts.domain_to_unicode(hosts.domain_to_ascii("faß.example")) == "faß.example"
    assert hosts.is_valid_domain("example.com") and hosts.is_valid_host("[::1]")
    own: hosts.PublicSuffixList = hosts.PublicSuffixList.default()
    suffix: str | None = hosts.public_suffix("www.example.co.uk", psl=own)
    assert (suffix, hosts.registrable_domain("www.example.co.uk", unicode=True)) == ("co.uk", "example.co.uk")
    origin: hosts.Origin = hosts.Origin.of(PAGE)
    assert (origin.scheme, origin.port, origin.domain, origin.is_opaque) == ("https", None, None, False)
    assert hosts.same_origin(PAGE, origin) and hosts.same_origin_domain(origin, origin)
    assert hosts.same_site(PAGE, "https://example.com/") and hosts.schemelessly_same_site(PAGE, "http://example.com/")
    risks: tuple[display.SpoofingRisk, ...] = display.spoofing_risks("аррӏе.com")
    assert [(risk.kind, risk.detail) for risk in risks] == [("ascii-lookalike", "looks like apple")] and risks[0].source
    shown: str = display.display_url("https://ada:pw@bücher.example/caf%C3%A9", max_width=80, omit_scheme=True)
    assert (shown, display.display_host(host)) == ("bücher.example/café", "bücher.example")


def read_blocklist(folder: Path) -> None:
    skipped: list[hosts.SkippedLine] = []
    path = folder / "blocklist.txt"
    path.write_text("ads.example\n||track.example^$third-party\n", "utf-8")
    assert list(hosts.HostSet.read(path, on_skip=skipped.append)) == ["ads.example"]
    assert (skipped[0].line, skipped[0].reason) == (2, "a rule with options") and skipped[0].text


def patterns() -> None:
    pattern: URLPattern = URLPattern("https://:shop.example.com/books/:id", ignore_case=True, regexp_groups=False)
    result: URLPatternResult | None = pattern.exec(PAGE)
    assert result is not None and pattern.test(PAGE) and pattern.match(PAGE) == result
    groups: dict[str, str | None] = result.groups
    component: URLPatternComponentResult = result.pathname
    assert (groups, component.input, component.groups, result["id"]) == (
        {"shop": "shop", "id": "7"}, "/books/7", {"id": "7"}, "7",
    )  # fmt: skip
    assert pattern.generate("pathname", {"id": "a b"}) == "/books/a%20b" and "matches" in pattern.explain(PAGE)
    assert URLPattern.compare("pathname", pattern, URLPattern(pathname="/*")) == 1
    assert pattern.hostname == ":shop.example.com" and not pattern.has_regexp_groups
    assert from_path_to_regexp("/:id([\\w-]+)", strict=False) == "/:id([\\w\\-]+){/}?"
    assert from_path_to_regexp("/:a{/:b}", version=8) == "/:a/:b?"
    learnt: LearntRoutes = learn_routes([f"https://h/a/{n}" for n in range(20)], max_routes=5, threads=1)
    assert [(route.key, route.lines) for route in learnt.routes] == [("/a/{int}", 20), ("{other}", 0)]
    assert learnt.patterns.first("https://h/a/7") is not None
    assert (learnt.lines, learnt.invalid, learnt.is_exact, learnt.died) == (20, 0, True, [])
    assert [route.pattern for route in learnt.new] == ["*://h/a/:int(\\d+)"]
    assert learnt.text.startswith("// weburl learn: ")
    routes: PatternList = PatternList({"new": "*://*/books/new", "book": pattern})
    first: tuple[str, URLPatternResult] | None = routes.first(PAGE)
    assert first is not None and first[0] == "book" and len(routes.all(PAGE)) == 1


def columns() -> None:
    parsed: bulk.Table = bulk.parse_many(BOOKS, ["hostname", "error"], threads=1)
    hostnames: bulk.Column = parsed["hostname"]
    counts: dict[str, int] = parsed.errors
    assert hostnames.to_pylist() == ["shop.example.com"] * 3 + [None] * 2 and sum(counts.values()) == 1
    assert bulk.parse_lines(b"https://a.com/\n", ["scheme"]).to_pylist() == [{"scheme": "https"}]
    texts: list[bulk.Column] = [
        bulk.component_many(BOOKS, "pathname"), bulk.normalize_many(BOOKS), bulk.canonicalize_many(BOOKS, "crawl/1"),
        bulk.query_get_many(BOOKS, "q"), bulk.redact_many(BOOKS), bulk.path_template_many(BOOKS),
        bulk.redact_text_many(["/?token=1"]), bulk.host_group_many(BOOKS), bulk.trap_key_many(BOOKS),
        bulk.percent_decode_many(["caf%C3%A9"], errors="strict"), bulk.join_many(PAGE, ["8", "?page=2"]),
    ]  # fmt: skip
    assert all(isinstance(column[0], str) for column in texts)
    bools = [
        bulk.can_parse_many(BOOKS), bulk.host_in_many(BOOKS, ["example.com"]), bulk.is_private_url_many(BOOKS),
        bulk.pattern_test_many(BOOKS, "*://*/books/:id"),
    ]  # fmt: skip
    assert [column[0] for column in bools] == [True, True, False, True]
    keys: bulk.Column = bulk.fingerprint_many(BOOKS, bits=128)
    assert bulk.shard_many(BOOKS, 4)[0] in range(4)
    assert keys[0] == keys[1] == keys[2] != keys[3] and bulk.query_pairs_many(BOOKS)[0][0] == ("lang", "fr")
    tables: list[bulk.Table] = [
        bulk.query_values_many(BOOKS, ["q", "lang"]), bulk.pattern_extract_many(BOOKS, "*://*/books/:id"),
        bulk.route_many(BOOKS, {"book": "*://*/books/:id"}), bulk.redactions_many(BOOKS),
    ]  # fmt: skip
    assert [table.column_names[0] for table in tables] == ["q", "id", "route", "credentials"]
    crawled: bulk.Table = bulk.common_crawl_many(BOOKS)
    assert crawled["url_host_registered_domain"][0] == "example.com" and crawled["url_port"][0] is None


def visit() -> Visit:
    policy: crawl.CrawlPolicy = crawl.CrawlPolicy(
        tracking_parameters=crawl.TRACKING_PARAMETERS | {"ref"}, index_names=crawl.INDEX_NAMES, remove_www=True
    )
    assert crawl.without_tracking("https://example.com/?id=7&utm_source=mail") == "https://example.com/?id=7"
    assert crawl.canonicalize(PAGE, crawl.SurtPolicy(with_scheme=True)).startswith("https://(com,example,shop)")
    learnt: crawl.ImportantParams = crawl.important_params([f"http://h/?v={i}" for i in range(30)], [0] * 30)
    uses: list[crawl.ParameterUse] = learnt.uses
    assert learnt.ignored == {"v@h"} and uses[0].verdict == "ignored"
    first: str = crawl.surt_range(PAGE, "host")[0]
    assert first == "com,example,shop)" and crawl.ssurt(PAGE).startswith("com,example,shop,//https:/")
    base: crawl.DocumentBase = crawl.DocumentBase(PAGE, "/docs/", encoding=crawl.label_of(None, "latin-1"))
    link: URL | None = base.resolve("search?q=é")
    assert link is not None and link.search == "?q=%E9" and base.encoding == "windows-1252" and base.href
    assert crawl.redirect_target(b"/caf\xe9", PAGE).pathname == "/caf%E9"
    group: str | None = crawl.host_group(PAGE)
    assert group == "example.com" and crawl.shard(PAGE, 1) == 0 and crawl.trap_key(PAGE).startswith("shop.example.com/")
    header: crawl.LinkTable = crawl.link_header(b"</next>; rel=next", PAGE)
    sitemap: crawl.LinkTable = crawl.sitemap_links(b"https://example.com/tea", PAGE, charset="utf-8")
    assert (header["rel"].to_pylist(), sitemap["kind"].to_pylist()) == (["next"], ["link"])
    robots: crawl.RobotsDirectives = crawl.RobotsDirectives.parse(["examplebot: noindex"]).for_agent("examplebot")
    assert robots.noindex and not robots.nofollow and robots.unavailable_after is None and not robots.agents
    key: int | bytes = crawl.fingerprint(PAGE, policy)
    assert isinstance(key, int)
    return {"key": key, "shown": display.display_url(PAGE), "links": [*base.resolve_many(["a", "b"])]}


def texts_and_secrets(folder: Path) -> None:
    pointers: percent.PercentEncodeSet = percent.PercentEncodeSet.of("fragment", "/~")
    assert percent.percent_encode("a/~", pointers) == "a%2F%7E" and "~" in pointers
    assert percent.percent_decode(percent.percent_encode("50% é", "component")) == "50% é".encode()
    assert percent.percent_decode_text("caf%C3%A9", errors="strict") == "café"
    pairs: list[tuple[str, str]] = forms.parse_form("q=a+b&page=2", use_charset=True)
    assert forms.serialize_form(pairs) == "q=a+b&page=2"
    policy: redact.LogPolicy = redact.LogPolicy(
        secret_names=redact.SECRET_NAMES | {"*plate"}, token_names=redact.TOKEN_NAMES
    )
    assert redact.redact("https://a.com/?plate=AB1", policy) == "https://a.com/?plate=REDACTED"
    shop = (
        "name = 'shop'\nkeep = ['token']\npaths = ['/reset/{secret}']\n[[rules]]\nhosts = ['b.com']\nhide = ['token']"
    )
    from_text: redact.LogPolicy = redact.LogPolicy.from_toml(shop, file="shop.toml")
    path = folder / "shop.toml"
    path.write_text(shop, "utf-8")
    own: dict[str, list[str]] = {"path_rules": ["/reset/{secret}"], "host_rules": ["b.com hide token"]}
    same = redact.LogPolicy(
        name="shop", kept_names=["token"], path_rules=own["path_rules"], host_rules=own["host_rules"], key_env=""
    )
    assert redact.LogPolicy.from_file(path) == from_text == same
    assert redact.redact("https://a.com/reset/1?token=2", from_text) == "https://a.com/reset/REDACTED?token=2"
    kinds: dict[str, int] = redact.redactions("https://ada:pw@a.com/")
    assert kinds["credentials"] == sum(kinds.values()) == 1 and redact.path_template("/users/123") == "/users/{int}"
    line = b"GET /?token=q8Zx"
    found: list[text.Redaction] = text.explain_redaction(line, "logs")
    assert text.redact_text(line) == b"GET /?token=REDACTED" and line[found[0].start : found[0].end] == b"q8Zx"
    assert (found[0].kind, found[0].rule, found[0].source) == ("name", "*token", "RFC 6749")


def urls_in_texts() -> None:
    mail = "See https://example.com/a?b#c, or hxxps[:]//evil[.]example."
    spans: list[text.URLSpan] = text.find_urls(mail, schemes=text.WEB_SCHEMES, syntax="text", defanged=True)
    assert (spans[0].start, spans[0].end, spans[0].text) == (4, 29, "https://example.com/a?b#c")
    found: FrozenURL = spans[1].url
    assert found.href == "https://evil.example/"
    shorter: str = text.replace_urls(mail, lambda span: span.url.replace(query=None, fragment=None))
    data: bytes = text.defang(b"http://a.b/")
    column: bulk.Column = text.find_urls_many([mail], defanged=True)
    assert text.redact_text_many([mail]) is not None
    assert column[0] == ["https://example.com/a?b#c", "https://evil.example/"]
    assert bulk.refang_many(bulk.defang_many([mail]).to_pylist(), bare=False)[0] == text.refang(mail)
    assert bulk.find_urls_many([None])[0] is None
    assert shorter.startswith("See https://example.com/a, or ") and text.refang(data) == b"http://a.b/"


def stored() -> None:
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>tea"
    names = ["WARC/1.0", "WARC-Type: response", "WARC-Target-URI: https://example.com/tea"]
    names.append(f"Content-Length: {len(page)}")
    file = io.BytesIO("\r\n".join([*names, "", ""]).encode() + page)
    records: list[archives.ArchiveRecord] = [*archives.read_warc(file, bodies=True, most=1000)]
    record = records[0]
    url: str | None = record.url
    body: bytes | None = record.body
    assert (url, body, record.type, record.status) == ("https://example.com/tea", b"<p>tea", "response", 200)
    assert (record.mime, record.charset, record.date, record.problem) == ("text/html", "utf-8", None, None)
    assert record.length == len(page) and record.offset == 0 and record.envelope is None
    try:
        next(archives.read_warc(io.BytesIO(b"WARC/1.0\r\n")))
    except archives.ArchiveError as error:
        assert "cut off" in str(error)


def may_it_fetch() -> None:
    body = b"User-agent: *\nDisallow: /tea\nDisalow: /books\nCrawl-delay: 2\nSitemap: https://example.com/map"
    rules: robots.Robots = robots.Robots.parse(body, agent=robots.product_token("ExampleBot/2.1"), compat="rfc9309")
    tea = "https://example.com/tea?a"
    rule: robots.RobotsRule | None = rules.rule(tea)
    assert not rules.allowed(tea) and rule is not None
    assert (rule.line, rule.text, rule.allowed) == (2, "Disallow: /tea", False)
    warning: robots.RobotsWarning = rules.warnings[0]
    assert (warning.line, warning.code, warning.text) == (3, "unknown-key", "Disalow: /books") and warning.message
    delay: float | None = rules.crawl_delay
    maps: list[str] = rules.sitemaps
    assert (rules.agent, delay, maps) == ("ExampleBot", 2.0, ["https://example.com/map"])
    signals: dict[str, str] = rules.content_signals
    usage: list[tuple[str, dict[str, str]]] = rules.content_usage
    assert not signals and not usage and rules.explain(tea).startswith("not allowed")
    columns: list[bulk.Column] = [rules.allowed_many([tea, None]), robots.robots_allowed_many([tea, None], rules)]
    assert all(column.to_pylist() == [False, None] for column in columns)
    assert bulk.robots_allowed_many([tea], rules)[0] is False
    cache: robots.RobotsCache = robots.RobotsCache("ExampleBot", clock=lambda: 0.0, max_origins=10)
    answer: bool | None = cache.allowed(tea)
    fetch: str | None = cache.robots_url(tea)
    assert answer is None and fetch == "https://example.com/robots.txt"
    fetch = cache.put(tea, 200, body, {"content-type": "text/plain"})
    file: robots.Robots | None = cache.robots(tea)
    assert fetch is None and file is not None and not cache.allowed(tea) and len(cache) == 1
    cache.failed("https://example.org/")
    assert cache.allowed("https://example.org/") is False


def other_apis() -> None:
    assert as_urllib.urlsplit(PAGE).netloc == "shop.example.com"
    assert as_urllib.urljoin(PAGE, "8") == "https://shop.example.com/books/8"
    assert as_urllib.unquote(as_urllib.quote("é/")) == "é/" and as_urllib.parse_qsl("a=1") == [("a", "1")]
    safe: str = as_w3lib.safe_url_string("http://a.com/b c")
    assert as_w3lib.safe_download_url(safe + "#top") == as_w3lib.canonicalize_url(safe) == safe
    assert as_w3lib.url_query_parameter("http://a.com/?id=1", "id") == "1"
    assert as_w3lib.url_query_cleaner("http://a.com/?id=1&x=2", ["id"]) == "http://a.com/?id=1"
    assert as_w3lib.add_or_replace_parameter("http://a.com/", "id", "1") == "http://a.com/?id=1"
    assert as_w3lib.add_or_replace_parameters("http://a.com/", {"id": "1"}) == "http://a.com/?id=1"
    assert as_w3lib.is_url(as_w3lib.add_http_if_no_scheme("a.com")) and as_w3lib.parse_url(safe).path == "/b%20c"
    assert as_w3lib.parse_qsl_to_bytes("q=%FF") == [(b"q", b"\xff")] and as_w3lib.any_to_uri("data:,") == "data:,"
    assert Path(as_w3lib.file_uri_to_path(as_w3lib.path_to_file_uri("/a b"))).name == "a b"
    data: as_w3lib.ParseDataURIResult = as_w3lib.parse_data_uri("data:text/plain;charset=utf-8,hi")
    assert (data.media_type, data.media_type_parameters, data.data) == ("text/plain", {"charset": "utf-8"}, b"hi")


def main(folder: Path) -> Visit:
    for step in (
        urls,
        values_and_edits,
        mistakes,
        hosts_and_people,
        patterns,
        columns,
        other_apis,
        urls_in_texts,
        stored,
        may_it_fetch,
    ):
        step()
    texts_and_secrets(folder)
    read_blocklist(folder)
    page: crawl.LinkTable | None = None
    try:
        page = crawl.page_links(b"<a href=' books/8 '>Tea</a>", PAGE, kinds="link", fallback_charset=lambda html: None)
        read: crawl.PageEncoding = page.encoding
        assert (read.name, read.source, page.canonical, page.warnings) == ("windows-1252", "default", None, ())
    except ImportError as error:
        assert "selectolax" in str(error)
    assert page is None or page["href"].to_pylist() == ["https://shop.example.com/books/books/8"]
    return visit()
