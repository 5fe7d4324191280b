"""Links to a shop are books, users or files. Say which of them a link is, and its id."""

from support.tasks import AnyOf, Refused, all_right, gives

from weburl.patterns import PatternList
from weburl.percent import percent_decode_text

ROUTES = PatternList(
    {
        "book": "https://shop.example/books/:id([0-9]+)",
        "user": "https://shop.example/users/:id",
        "file": "https://*.shop.example/files/:id(.*)",
    }
)


def match_route(link: str) -> tuple[str, str] | None:
    found = ROUTES.first(link)
    return found and (found[0], percent_decode_text(found[1]["id"] or ""))


SHOP = "https://shop.example"
CHECKS = [
    gives(SHOP + "/books/7", want=("book", "7")),
    gives(SHOP + "/users/ann", want=("user", "ann")),
    gives("https://cdn.shop.example/files/a/b.txt", want=("file", "a/b.txt")),
    gives(SHOP + "/about", want=None),
    gives(SHOP + "/books/7?page=2#top", want=("book", "7"), why="query and fragment do not matter"),
    gives("HTTPS://SHOP.example:443/books/7", want=("book", "7"), why="this is another spelling of the same URL"),
    gives(SHOP + "/about/../books/./7", want=("book", "7"), why="dots are resolved before"),
    gives(SHOP + "/users/a%2Fb%20c", want=("user", "a/b c"), why="an encoded slash does not end the segment"),
    gives(SHOP + "/users/ann/edit", want=None, why="the path has a segment too many"),
    gives(SHOP + "/books/7x", want=None, why="the id is a number"),
    gives(SHOP + "/books/7%0A", want=None, why="in Python, $ matches before a line end"),
    gives(SHOP + "/books/\u0667", want=None, why="in Python, \\d matches these digits"),
    gives(SHOP + ".evil.example/books/7", want=None, why="shop.example is only the beginning of the host"),
    gives(
        "https://evil.example\\@shop.example/books/7", want=AnyOf(None, Refused()), why="the host ends at the backslash"
    ),
    gives("http://shop.example/books/7", want=None, why="the scheme is another one"),
    gives("not a URL", want=AnyOf(None, Refused()), why="what is not a URL is none of them"),
]


def test_match_route() -> None:
    assert all_right(match_route, CHECKS)
