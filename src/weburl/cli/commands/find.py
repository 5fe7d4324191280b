"""weburl find: prints the URLs in files of any text, with their places."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict

from weburl.cli._arguments import LowArgs, argument_text, flag, json_option, option
from weburl.cli._exit import ExitCode, InputError, UsageError
from weburl.cli._memory import limited_memory
from weburl.cli._messages import complain, hide_credentials, printable
from weburl.cli._options import files_argument, limit_of, max_line_option, memory_option
from weburl.cli._parser import ArgumentParser
from weburl.cli._progress import Progress, is_terminal
from weburl.cli.readers.byte_stream import ByteStream, file_size, name_in_errors
from weburl.cli.readers.file_names import files_of
from weburl.cli.readers.open_files import open_file
from weburl.cli.readers.positions import moved
from weburl.cli.readers.reading import STDIN
from weburl.text import WEB_SCHEMES, URLSpan, find_urls

if TYPE_CHECKING:
    from weburl._text.replacing import Syntax

SYNTAXES: Final = ("text", "json", "html", "markdown", "shell")
# What ends a URL in every text. A text is cut after one of these.
ENDS: Final = bytes([*range(33), 127]) + b'<>"`'
END: Final = re.compile(rb'[\x00-\x20\x7f<>"`]')
PART: Final = 1 << 20  # bytes whose URLs are held at a time
EXAMPLES: Final = r"""examples:
  weburl find app.log
  weburl find --only docs/ | sort | uniq -c | sort -rn
  weburl find --json --syntax json app.log
  weburl find --bare --defanged app.log
  cat app.log | weburl find --only

Each URL is a line: file:line:column: URL. The URL is serialized, as a browser sees it. The column is in characters,
from 1. With --json, each URL is an object with file, line, column, text and href; text is what the file has.

A file that cannot be read is reported, and the command goes on with the next one. At its end, its status is 3.

"""


class How(TypedDict):
    """The arguments of find_urls."""

    schemes: list[str]
    bare: bool
    defanged: bool
    syntax: Syntax


class FindArgs(LowArgs):
    names: list[str] = files_argument(
        help="a file of any text, packed or not; a folder; a glob in quotes; - is standard input (default: -). In a "
        "folder, links to files are read, and links to folders are not followed"
    )
    only: bool = flag("--only", help="print only the URLs, without their places")
    json: bool = json_option("print an object for each URL: file, line, column, text, href")
    count: bool = flag("--count", help="print how many URLs each file has")
    schemes: str = option(
        "--schemes",
        metavar="NAMES",
        default=",".join(WEB_SCHEMES),
        help="which schemes begin a URL (default: %(default)s)",
    )
    bare: bool = flag("--bare", help="also find domains without a scheme, such as example.com; needs weburl[psl]")
    defanged: bool = flag("--defanged", help="also find defanged URLs, such as hxxps[:]//example[.]com")
    syntax: Syntax = option(
        "--syntax",
        choices=list(SYNTAXES),
        default="text",
        help="what the text is: says which escapes are read (default: text)",
    )
    max_line: int = max_line_option(
        "how much of a line is held in memory, in bytes, such as 64K or 1G (default: 16M). A longer line is read "
        "in parts; a URL that is longer is cut"
    )
    memory: int = memory_option()


def make_parser() -> ArgumentParser:
    return ArgumentParser(
        "weburl find",
        FindArgs,
        description="Prints the URLs in files of any text, or in standard input, with their places.",
        examples=EXAMPLES,
    )


class FindHiArgs(NamedTuple):
    """What find does."""

    names: Sequence[str]
    how: How
    limit: int  # the most bytes of a line
    memory: int
    line_of: Callable[[Place, URLSpan], str] | None  # makes the line of a URL; None with --count
    sums_up: bool  # says how many URLs there are


def decided(low: FindArgs) -> FindHiArgs:
    """Decides what the options mean together; UsageError if they contradict each other."""
    if low.only + low.json + low.count > 1:
        raise UsageError("--only, --json and --count do not go together")
    return FindHiArgs(
        names=low.names or [STDIN],
        how=how_of(low),
        limit=limit_of(low.max_line),
        memory=low.memory,
        line_of=lines_of(low),
        sums_up=not low.json,
    )


def main(arguments: list[str]) -> int:
    args = decided(make_parser().parse_args(arguments, FindArgs()))
    command = FindCommand(args)
    failed = False

    def fail(error: InputError) -> None:
        nonlocal failed
        failed = True
        sys.stdout.flush()
        complain(str(error))

    for pattern in args.names:
        try:
            for name in (STDIN,) if pattern == STDIN else files_of(pattern, fail):
                try:
                    command.run(name)
                except InputError as error:
                    fail(error)
        except InputError as error:
            fail(error)
    if args.sums_up:
        sys.stdout.flush()
        word = "URL" if command.urls == 1 else "URLs"
        of = f" in {command.found_in} of {command.files} files" if command.files > 1 else ""
        if sys.stderr is not None:
            print(f"{command.urls} {word}{of}", file=sys.stderr)
    return ExitCode.FAILED if failed else ExitCode.OK


def how_of(low: FindArgs) -> How:
    """The arguments of find_urls."""
    how: How = {
        "schemes": [name for name in argument_text(low.schemes).split(",") if name],
        "bare": low.bare,
        "defanged": low.defanged,
        "syntax": low.syntax,
    }
    try:
        find_urls("", **how)
    except ValueError as error:
        raise UsageError(f"--schemes: {error}") from None
    return how


class Place(NamedTuple):
    """Where a URL is."""

    file: str
    line: int
    column: int


def lines_of(low: FindArgs) -> Callable[[Place, URLSpan], str] | None:
    """What makes the line of a URL; None with --count."""
    if low.count:
        return None
    return line_of_url if low.only else line_of_json if low.json else line_with_place


def line_of_url(place: Place, span: URLSpan) -> str:
    return f"{span.url.href}\n"


def line_of_json(place: Place, span: URLSpan) -> str:
    text = bytes(span.text).decode("utf-8", "replace")  # type: ignore[arg-type]
    file, line, column = place
    return f"{json.dumps({'file': file, 'line': line, 'column': column, 'text': text, 'href': span.url.href})}\n"


def line_with_place(place: Place, span: URLSpan) -> str:
    return f"{printable(place.file)}:{place.line}:{place.column}: {span.url.href}\n"


class FindCommand:
    """The command, and how many URLs there were."""

    def __init__(self, args: FindHiArgs) -> None:
        self.args = args
        self.urls: int = 0
        self.files: int = 0
        self.found_in: int = 0

    def run(self, name: str) -> None:
        """Prints the URLs in a file."""
        shown = "standard input" if name == STDIN else name
        file = hide_credentials(shown)
        before = self.urls
        self.files += 1
        try:
            with (
                limited_memory(shown, self.args.memory, 1),
                open_file(name) as opened,
                closing(Progress(file_size(opened), shown=not is_terminal(sys.stdout))) as progress,
            ):
                self._print(opened, file, shown, progress)
        finally:
            self.found_in += self.urls > before
        if self.args.line_of is None:
            print(f"{printable(file)}: {self.urls - before}")

    def _print(self, opened: Any, file: str, shown: str, progress: Progress) -> None:
        line = column = 1
        for data, done, pause in self._parts(opened, shown):
            lines = []
            at = 0
            for span in find_urls(data, **self.args.how):
                line, column = moved(data, at, span.start, line, column)
                at = span.start
                self.urls += 1
                if self.args.line_of is not None:
                    lines.append(self.args.line_of(Place(file, line, column), span))
            line, column = moved(data, at, len(data), line, column)
            sys.stdout.write("".join(lines))
            if pause:
                sys.stdout.flush()
            progress(done)

    def _parts(self, file: Any, name: str) -> Iterator[tuple[bytes, int, bool]]:
        """The text in parts that no URL crosses; how many bytes have been read; and whether no more are there yet."""
        rest = b""
        with name_in_errors(name):
            for block in ByteStream(file, name, self.args.memory).blocks(self.args.limit):
                data = rest + block.rows[: block.size]
                end = len(data)
                if block.partial and end - (word := begin_of_word(data)) <= self.args.limit:
                    # The last word may go on, unless it alone is too long.
                    end = word
                rest = data[end:]
                begin = 0
                while begin < end:
                    match = END.search(data, begin + PART, end)
                    stop = match.end() if match else end
                    yield data[begin:stop], block.done, block.pause and stop == end
                    begin = stop
            if rest:
                yield rest, 0, True


def begin_of_word(data: bytes) -> int:
    """The place after the last byte that ends a URL, or 0."""
    return max(data.rfind(bytes([each])) for each in ENDS) + 1
