"""weburl explain: draws a URL, with its errors marked."""

from __future__ import annotations

from weburl import URL
from weburl import explain as explanation
from weburl.cli._arguments import ArgumentParser, argument_text
from weburl.cli._exit import ExitCode, UsageError
from weburl.cli._patterns import read_patterns

EXAMPLES = r"""examples:
  weburl explain 'https://user@ex ample.com:80/../a b'
  weburl explain '../c?d=1' --base https://example.com/a/b
  weburl explain --pattern 'https://*.example.com/books/:id' https://www.example.com/book/7

The exit status is 1 if the URL does not parse, or does not match the pattern.

"""


def make_parser() -> ArgumentParser:
    parser = ArgumentParser(
        "weburl explain",
        description="Shows how a URL parses: its errors, marked in place, its components, and how they change. "
        "With --pattern: how it matches.",
        examples=EXAMPLES,
    )
    parser.add_argument("url", metavar="URL")
    parser.add_argument("--base", metavar="URL", help="resolve a relative URL against this URL")
    parser.add_argument(
        "--pattern", metavar="PATTERN", help="show which components match this URLPattern, and how far it comes"
    )
    return parser


def main(arguments: list[str]) -> int:
    parser = make_parser()
    options = parser.parse_args(arguments)
    url, base = argument_text(options.url), None if options.base is None else argument_text(options.base)
    if options.pattern is not None:
        try:
            (pattern,) = read_patterns([argument_text(options.pattern)], "--pattern", base)
        except UsageError as error:
            parser.refuse(str(error), *error.lines)
        print(pattern.explain(url, base))
        return ExitCode.OK if pattern.test(url, base) else ExitCode.FOUND
    print(explanation(url, base))
    return ExitCode.OK if URL.can_parse(url, base) else ExitCode.FOUND
