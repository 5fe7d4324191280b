"""aiohttp takes a yarl.URL. Convert a URL to one, and back, and lose nothing."""

import pytest
from support.tasks import all_right, gives

pytest.importorskip("yarl", reason="yarl is not installed")

import yarl

from weburl import FrozenURL


def convert(link: str) -> tuple[str, str]:
    theirs = yarl.URL(str(FrozenURL(link)), encoded=True)
    return str(theirs), str(FrozenURL(str(theirs)))


def both(text: str) -> tuple[str, str]:
    return text, text


CHECKS = [
    gives("https://example.com/a?b=1#c", want=both("https://example.com/a?b=1#c")),
    gives("HTTPS://EXAMPLE.com/", want=both("https://example.com/")),
    gives(
        "https://example.com/a%2Fb?q=%2f", want=both("https://example.com/a%2Fb?q=%2f"), why="escapes are not decoded"
    ),
    gives(
        "https://example.com/?q=a%20b+c", want=both("https://example.com/?q=a%20b+c"), why="a space keeps its spelling"
    ),
    gives("https://example.com/a|b", want=both("https://example.com/a|b"), why="what a browser sends as it is stays"),
    gives("https://bücher.example/é", want=both("https://xn--bcher-kva.example/%C3%A9"), why="the URL is ASCII"),
    gives(
        "https://me:p%40ss@example.com/", want=both("https://me:p%40ss@example.com/"), why="the password stays encoded"
    ),
]


def test_convert() -> None:
    assert all_right(convert, CHECKS)
