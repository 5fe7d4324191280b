from collections.abc import Iterable

from publicsuffixlist import PSLFILE
from upa_url import PSL, URL, URLPattern, URLSearchParams

DISTRIBUTION = "upa-url"
psl = PSL.load(PSLFILE)


def href(url: str, base: str | None = None) -> str | None:
    parsed = URL.parse(url, base)
    return None if parsed is None else str(parsed.href)


def parse(urls: Iterable[str]) -> None:
    for url in urls:
        URL(url)


def parse_parts(urls: Iterable[str]) -> None:
    for url in urls:
        parsed = URL(url)
        parsed.hostname
        parsed.pathname
        parsed.search


def can_parse(urls: Iterable[str]) -> None:
    for url in urls:
        URL.canParse(url)


def normalize(urls: Iterable[str]) -> None:
    for url in urls:
        URL(url).href


def fail(urls: Iterable[str]) -> None:
    for url in urls:
        try:
            URL(url)
        except RuntimeError:
            pass


def parse_relative(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        URL(ref, base)


def join(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        URL(ref, base).href


def can_parse_relative(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        URL.canParse(ref, base)


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


def registrable_domain(hosts: Iterable[str]) -> None:
    for host in hosts:
        psl.registrable_domain(host)


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
        made.exec(url)["pathname"]["groups"]
