"""weburl robots: says which URLs a robots.txt allows, and what is wrong with the file."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Final, NamedTuple

from weburl import URL, InvalidURL
from weburl._arrow.input import TooLong
from weburl.cli._arguments import RESOLVES, argument_text, base_option, flag, json_option, option
from weburl.cli._exit import ExitCode, UsageError
from weburl.cli._memory import limited_memory
from weburl.cli._messages import complain, hide_credentials, printable
from weburl.cli._options import InputArgs, agent_of, base_of, reading_of
from weburl.cli._parser import ArgumentParser
from weburl.cli.readers.byte_stream import name_in_errors
from weburl.cli.readers.inputs import Inputs
from weburl.cli.readers.open_files import open_file
from weburl.cli.readers.reading import STDIN, Reading
from weburl.cli.readers.row_blocks import TOO_LONG_NAME, Fault, blank_of
from weburl.robots import Robots

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weburl._robots.robots import Compat

EXAMPLES: Final = r"""examples:
  weburl robots robots.txt --agent ExampleBot -f pages.txt
  weburl robots robots.txt --agent ExampleBot --only allowed -f pages.txt > fetch.txt
  curl -sL https://example.com/robots.txt | weburl robots - --agent ExampleBot

Each URL is a line: allowed or forbidden, a tab, and the URL. With --explain, the rule that decides is between them.
With --json, each URL is an object with url, allowed, line, rule and error.

Without -f, it prints what the file says to the crawler, and what is wrong with it. Then the exit status is 1 if
something is wrong.

"""


class RobotsArgs(InputArgs):
    robots: str = option(metavar="FILE", help="a robots.txt; - is standard input")
    agent: str = option(
        "--agent", metavar="NAME", type=argument_text, default="*",
        help="the name of the crawler, such as ExampleBot (default: *, a crawler that no group names)",
    )  # fmt: skip
    compat: Compat = option(
        "--compat", choices=["rfc9309", "google"],
        help="how rules are compared with URLs: by RFC 9309 alone, or as Google's parser does (default: by RFC 9309, "
        "with URLs as a browser sends them)",
    )  # fmt: skip
    base: str | None = base_option(RESOLVES)
    only: str | None = option(
        "--only", choices=["allowed", "forbidden"], help="print only these URLs, and nothing else of them"
    )
    explain: bool = flag("--explain", help="print the rule that decides about each URL")
    json: bool = json_option("print an object for each URL, or for the file")


def make_parser() -> ArgumentParser:
    return ArgumentParser(
        "weburl robots",
        RobotsArgs,
        description="Says which URLs a robots.txt allows a crawler to fetch. Only their paths and queries count.",
        examples=EXAMPLES,
    )


class RobotsHiArgs(NamedTuple):
    """What robots does."""

    robots: str
    agent: str
    compat: Compat
    reading: Reading
    has_urls: bool
    base: str | None  # serialized
    blank: str  # the characters of a line that is skipped
    only: bool | None  # whether the URLs that are printed are allowed; None for both
    explains: bool
    as_json: bool


def decided(low: RobotsArgs) -> RobotsHiArgs:
    if (low.only is not None) + low.explain + low.json > 1:
        raise UsageError("--only, --explain and --json do not go together")
    if not low.files and (low.only is not None or low.explain or low.base is not None):
        raise UsageError("--only, --explain and --base need the URLs: -f FILE")
    if low.robots == STDIN and STDIN in low.files:
        raise UsageError("only one of the robots.txt and the URLs can be standard input")
    base = base_of(low.base)
    only = None if low.only is None else low.only == "allowed"
    return RobotsHiArgs(
        robots=low.robots,
        agent=agent_of(low.agent, low.compat),
        compat=low.compat,
        reading=reading_of(low, base),
        has_urls=bool(low.files),
        base=base,
        blank=blank_of(base),
        only=only,
        explains=low.explain,
        as_json=low.json,
    )


def main(arguments: list[str]) -> int:
    args = decided(make_parser().parse_args(arguments, RobotsArgs()))
    shown = "standard input" if args.robots == STDIN else args.robots
    with limited_memory(shown, args.reading.memory, 1):
        with open_file(args.robots) as file, name_in_errors(shown):
            body = file.read()
        robots = Robots.parse(body, agent=args.agent, compat=args.compat)
        return urls_of(robots, args) if args.has_urls else file_of(robots, hide_credentials(shown), args.as_json)


def file_of(robots: Robots, name: str, as_json: bool) -> int:
    """Prints what the file says, and what is wrong with it."""
    warnings = robots.warnings
    if as_json:
        said = {"crawl_delay": robots.crawl_delay, "sitemaps": robots.sitemaps}
        signals = {"content_signals": robots.content_signals, "content_usage": robots.content_usage}
        print(json.dumps({**said, **signals, "warnings": [warning._asdict() for warning in warnings]}))
    else:
        print(printable(repr(robots).strip("<>")))
        if robots.crawl_delay is not None:
            print(f"Crawl-delay: {robots.crawl_delay:g}")
        for sitemap in robots.sitemaps:
            print(f"Sitemap: {printable(sitemap)}")
        for warning in warnings:
            text = f": {printable(warning.text)}" if warning.text else ""
            print(f"{printable(name)}:{warning.line}: {warning.code}: {warning.message}{text}")
    return ExitCode.FOUND if warnings else ExitCode.OK


def urls_of(robots: Robots, args: RobotsHiArgs) -> int:
    """Prints which URLs are allowed."""
    inputs = Inputs(args.reading)
    count = wrong = 0
    for _, _, text in inputs.numbered(args.blank):
        count += 1
        error = text.name if isinstance(text, Fault) else TOO_LONG_NAME if isinstance(text, TooLong) else None
        if isinstance(text, str):
            try:
                for line in lines_of(robots, text, args):
                    print(line)
            except InvalidURL as raised:
                error = raised.error
        if error is not None:
            wrong += 1
            if args.as_json:
                url = text if isinstance(text, str) else None
                print(json.dumps({"url": url, "allowed": None, "line": None, "rule": None, "error": error}))
    if wrong:
        sys.stdout.flush()
        complain(f"{wrong} of {count} lines {'is not a URL' if wrong == 1 else 'are not URLs'}")
    return inputs.status


def lines_of(robots: Robots, text: str, args: RobotsHiArgs) -> Iterator[str]:
    """What is printed of a URL."""
    allowed = robots.allowed(text, args.base)
    href = text if args.compat is not None and args.base is None else URL(text, args.base).href
    if args.only is not None:
        if allowed is args.only:
            yield printable(href)
        return
    rule = robots.rule(text, args.base) if args.explains or args.as_json else None
    if args.as_json:
        line, said = (None, None) if rule is None else (rule.line, rule.text)
        yield json.dumps({"url": href, "allowed": allowed, "line": line, "rule": said, "error": None})
        return
    columns = ["allowed" if allowed else "forbidden", printable(href)]
    if args.explains:
        columns.insert(1, "no rule" if rule is None else f"line {rule.line}: {printable(rule.text)}")
    yield "\t".join(columns)
