"""weburl explain: draws a URL, with its errors marked."""

from __future__ import annotations

from weburl import URL
from weburl import explain as explanation
from weburl._named_tuple import NamedTuple
from weburl.cli._arguments import RESOLVES_ONE, LowArgs, argument_text, base_option, option
from weburl.cli._exit import ExitCode
from weburl.cli._parser import ArgumentParser
from weburl.cli._patterns import read_patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weburl.patterns import URLPattern

EXAMPLES = r"""examples:
  weburl explain 'https://user@ex ample.com:80/../a b'
  weburl explain '../c?d=1' --base https://example.com/a/b
  weburl explain --pattern 'https://*.example.com/books/:id' https://www.example.com/book/7

The exit status is 1 if the URL does not parse, or if it does not match the pattern.

"""


class ExplainArgs(LowArgs):
    url: str = option(metavar="URL")
    base: str | None = base_option(RESOLVES_ONE)
    pattern: str | None = option(
        "--pattern", metavar="PATTERN", help="show how the URL matches this pattern, and where it does not"
    )


def make_parser() -> ArgumentParser:
    return ArgumentParser(
        "weburl explain",
        ExplainArgs,
        description="Draws a URL: its errors, marked in place, its components, and how parsing changes them. With "
        "--pattern, it shows how the URL matches.",
        examples=EXAMPLES,
    )


class ExplainHiArgs(NamedTuple):
    """What explain does."""

    url: str
    base: str | None
    pattern: URLPattern | None


def decided(low: ExplainArgs) -> ExplainHiArgs:
    base = None if low.base is None else argument_text(low.base)
    pattern = None
    # What is wrong with a base is explained without the pattern.
    if low.pattern is not None and (base is None or URL.can_parse(base)):
        (pattern,) = read_patterns([low.pattern], "--pattern", base)
    return ExplainHiArgs(argument_text(low.url), base, pattern)


def main(arguments: list[str]) -> int:
    url, base, pattern = decided(make_parser().parse_args(arguments, ExplainArgs()))
    if pattern is not None:
        print(pattern.explain(url, base))
        return ExitCode.OK if pattern.test(url, base) else ExitCode.FOUND
    print(explanation(url, base))
    return ExitCode.OK if URL.can_parse(url, base) else ExitCode.FOUND
