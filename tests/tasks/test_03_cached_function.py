"""A cached function takes a URL. It runs once for each URL."""

from functools import cache

from support.tasks import all_right, gives

from weburl import FrozenURL


def cached_function(links: list[str]) -> list[str]:
    fetched = []

    @cache
    def fetch(url: FrozenURL) -> None:
        fetched.append(str(url))

    for link in links:
        fetch(FrozenURL(link))
    return fetched


CHECKS = [
    gives(
        ["https://example.com/a", "https://example.com/b", "https://example.com/a"],
        want=["https://example.com/a", "https://example.com/b"],
    ),
    gives(
        ["https://example.com:443", "https://EXAMPLE.com/", "https://example.com/./"],
        want=["https://example.com/"],
        why="three spellings of one URL are one argument",
    ),
    gives(
        ["http://example.com:443/", "http://example.com/"],
        want=["http://example.com:443/", "http://example.com/"],
        why="443 is the default port of https, not of http",
    ),
    gives(
        ["https://example.com/?a", "https://example.com/?a="],
        want=["https://example.com/?a", "https://example.com/?a="],
        why="a server can tell ?a from ?a=",
    ),
    gives(
        ["https://example.com/%2e%2e/a", "https://example.com/a"],
        want=["https://example.com/a"],
        why="percent-encoded dots are dots",
    ),
    gives(
        ["https://faß.example/", "https://fass.example/"],
        want=["https://xn--fa-hia.example/", "https://fass.example/"],
        why="browsers tell ß from ss",
    ),
]


def test_cached_function() -> None:
    assert all_right(cached_function, CHECKS)
