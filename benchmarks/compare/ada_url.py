from collections.abc import Iterable

from ada_url import URL, URLSearchParams, join_url, normalize_url

DISTRIBUTION = "ada-url"


def href(url: str, base: str | None = None) -> str | None:
    try:
        return str(URL(url, base).href)
    except ValueError:
        return None


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
        URL.can_parse(url)


def normalize(urls: Iterable[str]) -> None:
    for url in urls:
        normalize_url(url)


def fail(urls: Iterable[str]) -> None:
    for url in urls:
        try:
            URL(url)
        except ValueError:
            pass


def parse_relative(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        URL(ref, base)


def join(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        join_url(base, ref)


def can_parse_relative(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        URL.can_parse(ref, base)


def params(queries: Iterable[str]) -> None:
    for query in queries:
        URLSearchParams(query)


def params_list(queries: Iterable[str]) -> None:
    for query in queries:
        list(URLSearchParams(query).items())


def params_str(queries: Iterable[str]) -> None:
    for query in queries:
        str(URLSearchParams(query))


def params_all(queries: Iterable[str]) -> None:
    for query in queries:
        parsed = URLSearchParams(query)
        list(parsed.items())
        str(parsed)
