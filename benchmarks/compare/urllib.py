from collections.abc import Iterable
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit
from urllib.parse import urljoin as urljoin_one

DISTRIBUTION = ""  # the standard library


def href(url: str, base: str | None = None) -> str | None:
    try:
        return urlsplit(url if base is None else urljoin_one(base, url)).geturl()
    except ValueError:
        return None


def parse(urls: Iterable[str]) -> None:
    for url in urls:
        urlsplit(url)


def parse_parts(urls: Iterable[str]) -> None:
    for url in urls:
        parsed = urlsplit(url)
        parsed.hostname
        parsed.path
        parsed.query


def normalize(urls: Iterable[str]) -> None:
    for url in urls:
        urlsplit(url).geturl()


def join(pairs: Iterable[tuple[str, str]]) -> None:
    for ref, base in pairs:
        urljoin_one(base, ref)


urljoin = join


def params_list(queries: Iterable[str]) -> None:
    for query in queries:
        parse_qsl(query, keep_blank_values=True)


def params_all(queries: Iterable[str]) -> None:
    for query in queries:
        urlencode(parse_qsl(query, keep_blank_values=True))


def percent_encode(texts: Iterable[str]) -> None:
    for text in texts:
        quote(text, safe="")


def percent_decode(texts: Iterable[str]) -> None:
    for text in texts:
        unquote(text)
