"""Say whether two texts are the same URL."""

from support.tasks import all_right, gives

from weburl import URL


def compare_urls(a: str, b: str) -> bool:
    return URL(a) == URL(b)


CHECKS = [
    gives("https://example.com/a", "https://example.com/a", want=True),
    gives("https://example.com/a", "https://example.com/b", want=False),
    gives("http://example.com", "HTTP://Example.com:80/", want=True),
    gives("https://example.com/a/./b/../c", "https://example.com/a/c", want=True, why="dots in the path are resolved"),
    gives("https://example.com/%2e%2e/a", "https://example.com/a", want=True, why="percent-encoded dots are dots"),
    gives("https://example.com/a b", "https://example.com/a%20b", want=True, why="a browser encodes the space"),
    gives("https://example.com\\a", "https://example.com/a", want=True, why="a backslash is a slash"),
    gives(
        "https://bücher.example/",
        "https://XN--BCHER-KVA.example/",
        want=True,
        why="a host in Unicode and its ASCII form are one host",
    ),
    gives("http://0x7f.0.0.1/", "http://127.0.0.1/", want=True, why="an IPv4 address has many spellings"),
    gives("http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", want=True, why="an IPv6 address has many spellings"),
    gives("https://example.com/a%2Fb", "https://example.com/a/b", want=False, why="an encoded slash is not a slash"),
    gives("https://example.com/A", "https://example.com/a", want=False, why="case counts in paths"),
    gives("https://example.com/?a=%26", "https://example.com/?a=&", want=False, why="an encoded & is not a &"),
    gives("https://example.com/a/", "https://example.com/a", want=False, why="the last slash counts"),
    gives("http://example.com/", "https://example.com/", want=False, why="the scheme counts"),
    gives("https://example.com/?a=1&b=2", "https://example.com/?b=2&a=1", want=False, why="the order counts"),
]


def test_compare_urls() -> None:
    assert all_right(compare_urls, CHECKS)
