from collections.abc import Iterable

from compare.str import make_compare as with_copies
from weburl import URL, FrozenURL, InvalidURL, URLPattern, URLSearchParams
from weburl import join as join_urls
from weburl import normalize as normalize_url
from weburl.compat.urllib import urljoin as urljoin_one
from weburl.compat.w3lib import canonicalize_url as canonicalize_one
from weburl.compat.w3lib import safe_url_string as make_safe
from weburl.crawl import fingerprint as fingerprint_one
from weburl.hosts import registrable_domain as registrable_domain_one
from weburl.patterns import PatternList
from weburl.percent import percent_decode as decode
from weburl.percent import percent_encode as encode

DISTRIBUTION = "weburl"
# Scheme, host, path, query and fragment.
Parts = tuple[str, str, str, str | None, str | None]


def href(url: str, base: str | None = None) -> str | None:
    parsed = URL.parse(url, base)
    return None if parsed is None else parsed.href


def parse(urls: Iterable[str]) -> None:
    for url in urls:
        URL(url)


def parse_frozen(urls: Iterable[str]) -> None:
    for url in urls:
        FrozenURL(url)


def parse_parts(urls: Iterable[str]) -> None:
    for url in urls:
        parsed = URL(url)
        parsed.hostname
        parsed.pathname
        parsed.search


def build(all_parts: Iterable[Parts]) -> None:
    for scheme, host, path, query, fragment in all_parts:
        URL.build(scheme=scheme, host=host, pathname=path, query=query, fragment=fragment)


def build_decoded(all_parts: Iterable[tuple[str, str, tuple[str, ...], str | None, str | None]]) -> None:
    for scheme, host, segments, query, fragment in all_parts:
        URL.build(scheme=scheme, host=host, path_segments=segments, query=query, fragment=fragment)


def add_segment(urls: Iterable[URL]) -> None:
    for url in urls:
        url / "x"


def join_segment(urls: Iterable[URL]) -> None:
    for url in urls:
        url.join("x")


def make_edit(urls: Iterable[str]) -> list[FrozenURL]:
    return [FrozenURL(url) for url in urls]


def edit(urls: Iterable[URL | FrozenURL]) -> None:
    for url in urls:
        url.with_params(page="2", q="a b")


def make_compare(urls: Iterable[str]) -> list[tuple[FrozenURL, FrozenURL]]:
    return [(FrozenURL(url), FrozenURL(other)) for url, other in with_copies(urls)]


make_take_hash = make_compare


def take_hash(pairs: Iterable[tuple[FrozenURL, FrozenURL]]) -> None:
    for url, _ in pairs:
        hash(url)


def compare(pairs: Iterable[tuple[FrozenURL, FrozenURL]]) -> None:
    for url, other in pairs:
        url == other  # noqa: B015


def can_parse(urls: Iterable[str]) -> None:
    for url in urls:
        URL.can_parse(url)


def normalize(urls: Iterable[str]) -> None:
    for url in urls:
        normalize_url(url)


def fail(urls: Iterable[str]) -> None:
    for url in urls:
        try:
            URL(url)
        except InvalidURL:
            pass


def parse_relative(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        URL(ref, base)


def join(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        join_urls(base, ref)


def can_parse_relative(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        URL.can_parse(ref, base)


def params(queries: Iterable[str]) -> None:
    for query in queries:
        URLSearchParams(query)


def params_list(queries: Iterable[str]) -> None:
    for query in queries:
        list(URLSearchParams(query))


def params_str(queries: Iterable[str]) -> None:
    for query in queries:
        str(URLSearchParams(query))


def params_all(queries: Iterable[str]) -> None:
    for query in queries:
        parsed = URLSearchParams(query)
        list(parsed)
        str(parsed)


def percent_encode(texts: Iterable[str]) -> None:
    for text in texts:
        encode(text, "component")


def percent_decode(texts: Iterable[str]) -> None:
    for text in texts:
        decode(text)


def safe_url_string(urls: Iterable[str]) -> None:
    for url in urls:
        make_safe(url)


def canonicalize_url(urls: Iterable[str]) -> None:
    for url in urls:
        canonicalize_one(url)


def urljoin(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        urljoin_one(base, ref)


def registrable_domain(hosts: Iterable[str]) -> None:
    for host in hosts:
        registrable_domain_one(host)


def fingerprint(urls: Iterable[str]) -> None:
    for url in urls:
        fingerprint_one(url)


def pattern(given: str | dict[str, str]) -> URLPattern:
    return URLPattern(given)


def make_patterns(patterns: Iterable[str | dict[str, str]]) -> None:
    for given in patterns:
        URLPattern(given)


def pattern_test(made: URLPattern, urls: Iterable[str]) -> None:
    for url in urls:
        made.test(url)


def pattern_groups(made: URLPattern, urls: Iterable[str]) -> None:
    for url in urls:
        match = made.exec(url)
        if match is not None:
            match.pathname.groups


def pattern_exec(pairs: Iterable[tuple[URLPattern, str]]) -> None:
    for made, url in pairs:
        made.exec(url)


def first_route(routes: PatternList, urls: Iterable[str]) -> None:
    for url in urls:
        routes.first(url)
