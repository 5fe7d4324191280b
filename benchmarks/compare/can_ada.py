from collections.abc import Iterable

from can_ada import URLSearchParams
from can_ada import can_parse as can_parse_url
from can_ada import parse as parse_url

DISTRIBUTION = "can_ada"


def href(url: str, base: str | None = None) -> str | None:
    try:
        return str((parse_url(url) if base is None else parse_url(base) + url).href)
    except ValueError:
        return None


def parse(urls: Iterable[str]) -> None:
    for url in urls:
        parse_url(url)


def parse_parts(urls: Iterable[str]) -> None:
    for url in urls:
        parsed = parse_url(url)
        parsed.hostname
        parsed.pathname
        parsed.search


def can_parse(urls: Iterable[str]) -> None:
    for url in urls:
        can_parse_url(url)


def normalize(urls: Iterable[str]) -> None:
    for url in urls:
        parse_url(url).href


def fail(urls: Iterable[str]) -> None:
    for url in urls:
        try:
            parse_url(url)
        except ValueError:
            pass


# can_ada.parse takes no base: a URL and a str are added.
def parse_relative(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        parse_url(base) + ref


def join(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        (parse_url(base) + ref).href


def can_parse_relative(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        can_parse_url(ref, base)


def params(queries: Iterable[str]) -> None:
    for query in queries:
        URLSearchParams(query)


def params_str(queries: Iterable[str]) -> None:
    for query in queries:
        str(URLSearchParams(query))
