from collections.abc import Iterable

from yarl import URL

DISTRIBUTION = "yarl"


def href(url: str, base: str | None = None) -> str | None:
    try:
        return str(URL(url) if base is None else URL(base).join(URL(url)))
    except ValueError:
        return None


def parse(urls: Iterable[str]) -> None:
    for url in urls:
        URL(url)


def parse_parts(urls: Iterable[str]) -> None:
    for url in urls:
        parsed = URL(url)
        parsed.host
        parsed.raw_path
        parsed.raw_query_string


def build(all_parts: Iterable[tuple[str, str, str, str | None, str | None]]) -> None:
    for scheme, host, path, query, fragment in all_parts:
        URL.build(scheme=scheme, host=host, path=path, query_string=query or "", fragment=fragment or "")


def build_decoded(all_parts: Iterable[tuple[str, str, tuple[str, ...], str | None, str | None]]) -> None:
    for scheme, host, segments, query, fragment in all_parts:
        path = "/" + "/".join(segments)
        URL.build(scheme=scheme, host=host, path=path, query_string=query or "", fragment=fragment or "")


def make_edit(urls: Iterable[str]) -> list[URL]:
    return [URL(url) for url in urls]


def edit(urls: Iterable[URL]) -> None:
    for url in urls:
        url.update_query(page="2", q="a b")


def normalize(urls: Iterable[str]) -> None:
    for url in urls:
        str(URL(url))


def parse_relative(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        URL(base).join(URL(ref))


def join(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        str(URL(base).join(URL(ref)))
