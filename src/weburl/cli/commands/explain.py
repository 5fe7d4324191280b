"""weburl explain: draws a URL, with its errors marked."""

from __future__ import annotations

from weburl import URL
from weburl import explain as explanation
from weburl.cli._arguments import ArgumentParser
from weburl.cli._exit import ExitCode

EXAMPLES = r"""examples:
  weburl explain 'https://user@ex ample.com:80/../a b'
  weburl explain '../c?d=1' --base https://example.com/a/b

The exit status is 1 if the URL does not parse.

"""


def make_parser() -> ArgumentParser:
    parser = ArgumentParser(
        "weburl explain",
        description="Shows how a URL parses: its errors, marked in place, its components, and how they change.",
        examples=EXAMPLES,
    )
    parser.add_argument("url", metavar="URL")
    parser.add_argument("--base", metavar="URL", help="resolve a relative URL against this URL")
    return parser


def main(arguments: list[str]) -> int:
    options = make_parser().parse_args(arguments)
    print(explanation(options.url, options.base))
    return ExitCode.OK if URL.can_parse(options.url, options.base) else ExitCode.FOUND
