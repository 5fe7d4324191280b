"""weburl view: opens a local page that shows what a browser makes of a URL, as it is typed."""

from __future__ import annotations

import webbrowser
from threading import Thread
from typing import Final, NamedTuple
from urllib.parse import urlencode

from weburl.cli._arguments import RESOLVES_ONE, LowArgs, argument_text, base_option, flag, option
from weburl.cli._exit import ExitCode, UsageError
from weburl.cli._messages import hide_credentials
from weburl.cli._options import agent_of
from weburl.cli._parser import ArgumentParser
from weburl.cli.readers.byte_stream import name_in_errors
from weburl.cli.readers.open_files import open_file
from weburl.cli.viewer.server import Server
from weburl.robots import Robots

EXAMPLES: Final = r"""examples:
  weburl view
  weburl view --port 8080 --no-browser
  weburl view '../a b' --base https://example.com/x/y
  weburl view https://www.example.com/book/7 --pattern 'https://*.example.com/books/:id'
  weburl view https://www.example.com/private --robots robots.txt --agent ExampleBot

The page is served on 127.0.0.1, to this machine only, until Ctrl-C. It loads nothing from elsewhere.

"""


MOST_ROBOTS: Final = 16 << 20  # bytes


def port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise ValueError
    return number


class ViewArgs(LowArgs):
    url: str = option(metavar="URL", nargs="?", default="", help="the URL that the page shows first")
    base: str = base_option(RESOLVES_ONE, default="")
    pattern: str = option("--pattern", metavar="PATTERN", default="", help="show how the URL matches this URLPattern")
    robots: str | None = option(
        "--robots", metavar="FILE", help="show whether this robots.txt allows a crawler to fetch the URL, and why"
    )
    agent: str | None = option(
        "--agent", metavar="NAME", type=argument_text, help="with --robots: the name of the crawler, such as ExampleBot"
    )
    port: int = option(
        "--port", type=port, default=0, metavar="PORT", help="the port to listen on (default: a free one)"
    )
    no_browser: bool = flag("--no-browser", help="do not open the page in a browser")


def make_parser() -> ArgumentParser:
    return ArgumentParser(
        "weburl view",
        ViewArgs,
        description="Opens a local page where you type a URL, a base and a pattern. The page shows their errors in "
        "place, the components and parameters, the URL as people read it, the result of urllib.parse, and how "
        "the URL matches.",
        examples=EXAMPLES,
    )


def fragment(texts: dict[str, str]) -> str:
    filled = {name: text for name, text in texts.items() if text}
    return f"#{urlencode(filled)}" if filled else ""


class ViewHiArgs(NamedTuple):
    """What view does."""

    start: dict[str, str]  # what the fields of the page have first
    port: int
    opens_browser: bool
    robots: str | None
    agent: str


def decided(low: ViewArgs) -> ViewHiArgs:
    if low.agent is not None and low.robots is None:
        raise UsageError("--agent goes with --robots only")
    agent = agent_of(low.agent or "*", None)
    texts = {"url": low.url, "base": low.base, "pattern": low.pattern}
    return ViewHiArgs(
        {name: argument_text(text) for name, text in texts.items()}, low.port, not low.no_browser, low.robots, agent
    )


def main(arguments: list[str]) -> int:
    start, port, opens_browser, path, agent = decided(make_parser().parse_args(arguments, ViewArgs()))
    robots = None
    if path is not None:
        with open_file(path) as file, name_in_errors(path):
            robots = Robots.parse(file.read(), agent=agent, limit=MOST_ROBOTS)
    with Server(port, robots) as server:
        # Browsers do not send the fragment.
        page, shown = (
            f"{server.origin}/{fragment(fields)}"
            for fields in (start, {name: hide_credentials(text) for name, text in start.items()})
        )
        print(f"{shown} (Ctrl-C ends it)", flush=True)
        if opens_browser:
            # A browser in this terminal returns only when it ends.
            Thread(target=webbrowser.open, args=[page], daemon=True).start()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
    return ExitCode.OK
