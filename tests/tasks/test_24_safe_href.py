"""A profile has a link that its owner typed. Say whether a page may have it as a link: it must not run a script."""

from support.tasks import all_right, gives

from weburl.hosts import is_safe_link


def safe_href(href: str) -> bool:
    return is_safe_link(href)


CHECKS = [
    gives("https://example.com/", want=True),
    gives("/about", want=True),
    gives("mailto:ann@example.com", want=True),
    gives("javascript:alert(1)", want=False),
    gives("JavaScript:alert(1)", want=False, why="schemes have no case"),
    gives("java\nscript:alert(1)", want=False, why="a browser removes line ends"),
    gives(" \x01javascript:alert(1)", want=False, why="and spaces and control characters at the start"),
    gives("java\tscript\r:alert(1)", want=False, why="and tabs"),
    gives("javascript://example.com/%0Aalert(1)", want=False, why="it has a host"),
    gives("data:text/html,<script>alert(1)</script>", want=False, why="a page in a URL"),
    gives("vbscript:msgbox(1)", want=False, why="an old one"),
    gives("file:///etc/passwd", want=False, why="a file of the reader"),
    gives("javascript&colon;alert(1)", want=False, why="a template that does not escape lets the browser decode this"),
    gives("/a:b?c=javascript:d", want=True, why="a colon in the path is not a scheme"),
    gives("?q=a:b", want=True, why="nor in the query"),
    gives("https://exa mple/", want=False, why="it leads nowhere"),
]


def test_safe_href() -> None:
    assert all_right(safe_href, CHECKS)
