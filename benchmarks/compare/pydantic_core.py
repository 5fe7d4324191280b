from collections.abc import Iterable

from pydantic_core import Url

DISTRIBUTION = "pydantic-core"


def href(url: str, base: str | None = None) -> str | None:
    if base is not None:
        raise NotImplementedError
    try:
        return str(Url(url))
    except ValueError:
        return None


def parse(urls: Iterable[str]) -> None:
    for url in urls:
        Url(url)


def parse_parts(urls: Iterable[str]) -> None:
    for url in urls:
        parsed = Url(url)
        parsed.host
        parsed.path
        parsed.query


def normalize(urls: Iterable[str]) -> None:
    for url in urls:
        str(Url(url))


def fail(urls: Iterable[str]) -> None:
    for url in urls:
        try:
            Url(url)
        except ValueError:
            pass
