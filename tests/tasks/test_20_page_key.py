"""A crawler has seen a page. Say whether another URL leads there, too: fragment, order and trackers do not matter."""

from support.tasks import all_right, gives

from weburl.crawl import canonicalize


def page_key(seen: str, link: str) -> bool:
    return canonicalize(seen) == canonicalize(link)


CHECKS = [
    gives("https://example.com/a", "https://example.com/a", want=True),
    gives("https://example.com/a", "https://example.com/b", want=False),
    gives("https://example.com/a", "https://EXAMPLE.com:443/a#top", want=True),
    gives(
        "https://example.com/?a=1&b=2",
        "https://example.com/?b=2&a=1",
        want=True,
        why="the order of parameters does not matter",
    ),
    gives("https://example.com/a/../b", "https://example.com/b", want=True, why="dots in the path are resolved"),
    gives(
        "https://example.com/?a=1",
        "https://example.com/?a=1&utm_source=x&fbclid=y",
        want=True,
        why="tracking parameters do not matter",
    ),
    gives("https://example.com/a%2Fb", "https://example.com/a/b", want=False, why="an encoded slash is not a slash"),
    gives("https://example.com/?q=a%26b=1", "https://example.com/?q=a&b=1", want=False, why="an encoded & is not a &"),
    gives("https://example.com/?q=1%2B1", "https://example.com/?q=1+1", want=False, why="%2B is a plus, + is a space"),
    gives("https://example.com/?a=1&a=2", "https://example.com/?a=2", want=False, why="a parameter can be repeated"),
    gives(
        "https://example.com/article?sid=251",
        "https://example.com/article?sid=263",
        want=False,
        why="these are two articles",
    ),
]


def test_page_key() -> None:
    assert all_right(page_key, CHECKS)
