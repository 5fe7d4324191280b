"""A frozen dataclass has a URL as a field. Objects with the same URL are equal, and a set has them once."""

from dataclasses import dataclass

from support.tasks import all_right, gives, refuses

from weburl import FrozenURL


@dataclass(frozen=True)
class Bookmark:
    url: FrozenURL
    title: str


def frozen_dataclass(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    bookmarks = {Bookmark(FrozenURL(link), title) for link, title in rows}
    return sorted((str(bookmark.url), bookmark.title) for bookmark in bookmarks)


CHECKS = [
    gives(
        [("https://example.com/a", "A"), ("https://example.com/a", "A"), ("https://example.com/b", "B")],
        want=[("https://example.com/a", "A"), ("https://example.com/b", "B")],
    ),
    gives(
        [("https://example.com", "Home"), ("https://EXAMPLE.com:443/", "Home")],
        want=[("https://example.com/", "Home")],
        why="these are two spellings of one URL",
    ),
    gives(
        [("https://straße.example/", "S"), ("https://xn--strae-oqa.example/", "S")],
        want=[("https://xn--strae-oqa.example/", "S")],
        why="a host in Unicode and its ASCII form are one host",
    ),
    gives(
        [("https://example.com/#a", "A"), ("https://example.com/#b", "A")],
        want=[("https://example.com/#a", "A"), ("https://example.com/#b", "A")],
        why="the fragment is a part of the URL",
    ),
    refuses([("https://example.com:port/", "A")], why="a wrong link is found when the object is made"),
]


def test_frozen_dataclass() -> None:
    assert all_right(frozen_dataclass, CHECKS)
