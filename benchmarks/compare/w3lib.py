from collections.abc import Iterable

from w3lib.url import canonicalize_url as canonicalize_one
from w3lib.url import safe_url_string as make_safe

DISTRIBUTION = "w3lib"


def safe_url_string(urls: Iterable[str]) -> None:
    for url in urls:
        make_safe(url)


def canonicalize_url(urls: Iterable[str]) -> None:
    for url in urls:
        canonicalize_one(url)
