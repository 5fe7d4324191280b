"""Count how often each URL was visited, however it was spelled. List the URLs in order."""

from collections import Counter

from support.tasks import all_right, gives

from weburl import FrozenURL


def dict_key(links: list[str]) -> list[tuple[str, int]]:
    visits = Counter(map(FrozenURL, links))
    return [(str(url), visits[url]) for url in sorted(visits)]


CHECKS = [
    gives(
        ["https://example.com/b", "https://example.com/a", "https://example.com/b"],
        want=[("https://example.com/a", 1), ("https://example.com/b", 2)],
    ),
    gives(
        ["https://example.com", "HTTPS://EXAMPLE.com:443/", "https://example.com/a/.."],
        want=[("https://example.com/", 3)],
        why="case, the default port and dots in the path do not make another URL",
    ),
    gives(
        ["http://bücher.example/", "http://xn--bcher-kva.example/"],
        want=[("http://xn--bcher-kva.example/", 2)],
        why="a host in Unicode and its ASCII form are one host",
    ),
    gives(
        ["http://127.1/", "http://0x7f000001/", "http://127.0.0.1/"],
        want=[("http://127.0.0.1/", 3)],
        why="an IPv4 address has many spellings",
    ),
    gives(
        ["http://[::1]/", "http://[0:0:0:0:0:0:0:1]/"],
        want=[("http://[::1]/", 2)],
        why="an IPv6 address has many spellings, too",
    ),
    gives(
        ["https://example.com/a%2Fb", "https://example.com/a/b"],
        want=[("https://example.com/a%2Fb", 1), ("https://example.com/a/b", 1)],
        why="an encoded slash does not separate segments",
    ),
    gives(
        ["https://example.com/A", "https://example.com/a"],
        want=[("https://example.com/A", 1), ("https://example.com/a", 1)],
        why="the path is case-sensitive",
    ),
    gives(
        ["https://example.com/?q=1%2B1", "https://example.com/?q=1+1"],
        want=[("https://example.com/?q=1%2B1", 1), ("https://example.com/?q=1+1", 1)],
        why="in a query, + is a space and %2B is a plus",
    ),
]


def test_dict_key() -> None:
    assert all_right(dict_key, CHECKS)
