"""A profile has a link that its owner typed. Say whether a page may have it as a link: it must not run a script."""

from support.tasks import AnyOf, Refused, all_right, gives

from weburl.hosts import is_safe_link


def safe_href(href: str) -> bool:
    return is_safe_link(href)


# A link that is refused with an error is not in the page, either.
NO = AnyOf(False, Refused())
CHECKS = [
    gives("https://example.com/", want=True),
    gives("/about", want=True),
    gives("mailto:ann@example.com", want=True),
    gives("javascript:alert(1)", want=False),
    gives("JavaScript:alert(1)", want=NO, why="schemes have no case"),
    gives("java\nscript:alert(1)", want=NO, why="a browser removes line ends"),
    gives(" \x01javascript:alert(1)", want=NO, why="a browser removes spaces and control characters at the start"),
    gives("java\tscript\r:alert(1)", want=NO, why="a browser removes tabs"),
    gives("javascript://example.com/%0Aalert(1)", want=NO, why="it has a host, and runs a script"),
    gives("data:text/html,<script>alert(1)</script>", want=NO, why="a data: URL is a page of its own"),
    gives("vbscript:msgbox(1)", want=NO, why="vbscript: is an old scheme for scripts"),
    gives("file:///etc/passwd", want=NO, why="it opens a file of the reader"),
    gives("/a:b?c=javascript:d", want=True, why="a colon in the path is not a scheme"),
    gives("?q=a:b", want=True, why="a colon in the query is not a scheme"),
]


def test_safe_href() -> None:
    assert all_right(safe_href, CHECKS)
