"""A form asks for the address of a website. Store one spelling of it, and refuse what is not a web address."""

from support.tasks import AnyOf, Refused, all_right, gives, refuses

from weburl import URL


def validate_input(typed: str) -> str:
    url = URL(typed)
    if url.scheme not in ("http", "https"):
        raise ValueError(f"a web address begins with http:// or https://, not {url.protocol}")
    return url.href


CHECKS = [
    gives("https://example.com/a?b=1#c", want="https://example.com/a?b=1#c"),
    gives("HTTP://EXAMPLE.com:80/", want="http://example.com/"),
    refuses("example.com"),
    gives("  https://example.com/\n", want="https://example.com/", why="people copy spaces and line ends with a URL"),
    gives("https://bücher.example/straße", want="https://xn--bcher-kva.example/stra%C3%9Fe", why="servers get ASCII"),
    gives("http://0x7f.1/", want="http://127.0.0.1/", why="a browser reads this as an IPv4 address"),
    gives(
        "https:\\\\example.com\\@evil.example",
        want=AnyOf("https://example.com/@evil.example", Refused()),
        why="a browser reads a backslash as a slash, so the host ends before the @",
    ),
    refuses("javascript://example.com/%0Aalert(1)", why="it has a host, and runs a script"),
    refuses("https://exa mple.com/", why="a host cannot have a space"),
    refuses("https://example.com:99999/", why="the largest port is 65535"),
    refuses("http://1.2.3.256/", why="a host that ends in a number is an IPv4 address, and this is not one"),
    refuses("https://", why="there is no host"),
    refuses("https://example.com%2F.evil.example/", why="a percent-encoded slash in a host stays a slash"),
]


def test_validate_input() -> None:
    assert all_right(validate_input, CHECKS)
