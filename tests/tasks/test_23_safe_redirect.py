"""After the login, a shop redirects to the `next` of the request. Say whether that stays on shop.example."""

from support.tasks import AnyOf, Refused, all_right, gives

from weburl.hosts import Origin, is_safe_redirect


def safe_redirect(target: str) -> bool:
    return is_safe_redirect(target, allow=[Origin.of("https://shop.example")])


# A target that is refused with an error does not lead away, either.
NO = AnyOf(False, Refused())
CHECKS = [
    gives("/basket?page=2", want=True),
    gives("https://shop.example/basket", want=True),
    gives("https://evil.example/", want=False),
    gives("basket", want=True),
    gives("//evil.example", want=NO, why="two slashes begin a host"),
    gives("/\\evil.example", want=NO, why="a backslash is a slash"),
    gives("\\\\evil.example", want=NO, why="two backslashes begin a host"),
    gives("/\t/evil.example", want=NO, why="a browser removes tabs"),
    gives("\x01//evil.example", want=NO, why="a browser removes control characters at the start"),
    gives("https:///evil.example", want=NO, why="how many slashes there are does not matter"),
    gives("javascript:alert(1)", want=NO, why="it runs a script"),
    gives("java\nscript:alert(1)", want=NO, why="a browser removes the line end, and runs the script"),
    gives("https://shop.example.evil.example/", want=NO, why="shop.example is only the beginning of the host"),
    gives("https://shop.example@evil.example/", want=NO, why="shop.example is a user here"),
    gives(
        "https://evil.example\\@shop.example/",
        want=NO,
        why="shop.example is in the path, as the host ends at the backslash",
    ),
    gives("https://shop.example:8080/", want=NO, why="on another port there may be another program"),
    gives("/search?next=https://evil.example/", want=True, why="a URL in the query is data"),
    gives("/a:b", want=True, why="a colon in the path is data"),
]


def test_safe_redirect() -> None:
    assert all_right(safe_redirect, CHECKS)
