"""Show a URL to a person: short and readable, and nothing in it deceives about the host."""

from support.tasks import AnyOf, Shows, all_right, gives

from weburl import display


def display_url(link: str) -> str:
    return display.display_url(link)


CHECKS = [
    gives("https://example.com/a?b=1", want="https://example.com/a?b=1"),
    gives(
        "https://xn--bcher-kva.example/caf%C3%A9",
        want=AnyOf("https://bücher.example/café", "https://bücher.example/caf%C3%A9"),
    ),
    gives(
        "https://example.com/a%2Fb%20c",
        want=Shows("a%2Fb", hides=["a/b"]),
        why="a slash that was not there must not appear",
    ),
    gives(
        "https://bank.example@evil.example/",
        want=Shows("evil.example", hides=["bank.example"]),
        why="a user can look like a host",
    ),
    gives(
        "https://me:hunter2@example.com/",
        want=Shows("example.com", hides=["hunter2"]),
        why="people look over a shoulder",
    ),
    gives(
        "https://xn--pypal-4ve.com/",
        want=Shows("xn--pypal-4ve.com"),
        why="in Unicode it looks like paypal.com, and has a Cyrillic letter",
    ),
    gives(
        "https://example.com/%E2%80%AEfdp.exe", want=Shows(hides=["\u202e"]), why="this character turns the text around"
    ),
    gives(
        "https://example.com/%0Ahttps%3A//evil.example/",
        want=Shows(hides=["\n"]),
        why="a line end would begin a second URL",
    ),
    gives("https://example.com/%FF", want=Shows("%FF"), why="this byte is not text"),
    gives("https://example.com/%E2%80%8Ba", want=Shows(hides=["\u200b"]), why="a space without width is not seen"),
    gives("https://example.com/50%25", want=Shows("50%25"), why="a percent sign that is decoded looks like an escape"),
]


def test_display_url() -> None:
    assert all_right(display_url, CHECKS)
