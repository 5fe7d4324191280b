"""A program takes a URL on the command line. If it is wrong, the user reads why."""

from argparse import ArgumentError, ArgumentParser, ArgumentTypeError

from support.tasks import Shows, all_right, gives

from weburl import FrozenURL, InvalidURL


def url_argument(text: str) -> FrozenURL:
    try:
        return FrozenURL(text)
    except InvalidURL as error:
        raise ArgumentTypeError(str(error)) from None


def argparse_type(arguments: list[str]) -> str:
    parser = ArgumentParser(exit_on_error=False)
    parser.add_argument("url", type=url_argument)
    try:
        return str(parser.parse_args(arguments).url)
    except ArgumentError as error:
        return f"error: {error.message}"


CHECKS = [
    gives(["https://example.com/a"], want="https://example.com/a"),
    gives(["HTTPS://EXAMPLE.com/"], want="https://example.com/"),
    gives(
        ["https://exa mple.com/"],
        want=Shows("error: ", hides=["invalid url_argument value"]),
        why="the message must say the reason",
    ),
    gives(
        ["https://example.com:80a/"], want=Shows("error: ", "port"), why="the message must say that the port is wrong"
    ),
    gives(["https://:80/"], want=Shows("error: ", "host"), why="the message must say that there is no host"),
    gives(["example.com"], want=Shows("error: "), why="a URL begins with a scheme"),
    gives(
        ["https://me:hunter2@example.com:x/"],
        want=Shows("error: ", hides=["hunter2"]),
        why="what is printed may be in a log, and must not have a password",
    ),
]


def test_argparse_type() -> None:
    assert all_right(argparse_type, CHECKS)
