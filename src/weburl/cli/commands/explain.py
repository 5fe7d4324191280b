"""weburl explain: the picture of how a URL parses."""

from __future__ import annotations

from weburl import URL
from weburl import explain as explanation
from weburl.cli._parser import Parser
from weburl.cli._status import Status

EXAMPLES = r"""examples:
  weburl explain 'https://user@ex ample.com:80/../a b'
  weburl explain '../c?d=1' --base https://example.com/a/b

The exit status is 1 where the URL does not parse.

"""


def make_parser() -> Parser:
    parser = Parser(
        "weburl explain",
        description="Shows how a URL parses: its errors, marked in place, its components, and what becomes of them.",
        examples=EXAMPLES,
    )
    parser.add_argument("url", metavar="URL")
    parser.add_argument("--base", metavar="URL", help="what a relative URL is relative to")
    return parser


def main(arguments: list[str]) -> int:
    options = make_parser().parse_args(arguments)
    print(explanation(options.url, options.base))
    return Status.OK if URL.can_parse(options.url, options.base) else Status.FOUND
