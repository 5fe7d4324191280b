"""Somebody typed a URL that is wrong. Say why, so that they can mend it; say nothing if it is right."""

from support.tasks import AnyOf, Shows, all_right, gives

from weburl import URL, InvalidURL


def explain_error(typed: str) -> str:
    try:
        URL(typed)
    except InvalidURL as error:
        return error.message
    return ""


CHECKS = [
    gives("https://example.com/", want=""),
    gives("https://example.com:80a/", want=Shows("port")),
    gives("https://example.com:99999/", want=Shows("port"), why="the port is a number, and too large"),
    gives("https://exa mple.com/", want=Shows("' '"), why="a space is hard to see"),
    gives("https://[::1/", want=AnyOf(Shows("]"), Shows("IPv6")), why="the bracket is missing"),
    gives("https://1.2.3.256/", want=AnyOf(Shows("256"), Shows("IPv4")), why="one number is too large"),
    gives("https://:80/", want=Shows("host"), why="the host is missing, not the port"),
    gives("example.com/a", want=AnyOf(Shows("scheme"), Shows("relative")), why="the scheme is missing"),
    gives("https://exam\u00adple.com/", want="", why="a browser drops a soft hyphen"),
    gives("https://example.com/a b|c", want="", why="a browser encodes what must be encoded"),
    gives("http://example.com\\a", want="", why="a browser takes a backslash"),
    gives(
        "https://me:hunter2@exa<mple.com/",
        want=AnyOf(Shows("<", hides=["hunter2"]), Shows("domain", hides=["hunter2"])),
        why="the message must not show the password",
    ),
]


def test_explain_error() -> None:
    assert all_right(explain_error, CHECKS)
