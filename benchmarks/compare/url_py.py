from collections.abc import Iterable

from url import URL, URLError

DISTRIBUTION = "url-py"


def href(url: str, base: str | None = None) -> str | None:
    try:
        return str(URL.parse(url) if base is None else URL.parse(base).join(url))
    except URLError:
        return None


def parse(urls: Iterable[str]) -> None:
    for url in urls:
        URL.parse(url)


def parse_parts(urls: Iterable[str]) -> None:
    for url in urls:
        parsed = URL.parse(url)
        parsed.host_str
        parsed.path
        parsed.query


def normalize(urls: Iterable[str]) -> None:
    for url in urls:
        str(URL.parse(url))


def fail(urls: Iterable[str]) -> None:
    for url in urls:
        try:
            URL.parse(url)
        except URLError:
            pass


def parse_relative(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        URL.parse(base).join(ref)


def join(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        str(URL.parse(base).join(ref))
