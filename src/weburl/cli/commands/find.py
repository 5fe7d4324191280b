"""weburl find: prints the URLs in files of any text, with their places."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final

from weburl.cli._arguments import LowArgs, argument_text, flag, option
from weburl.cli._exit import ExitCode, UsageError
from weburl.cli._memory import limited_memory
from weburl.cli._messages import hide_credentials, printable
from weburl.cli._options import MAX_LINE, memory_option, size
from weburl.cli._parser import ArgumentParser
from weburl.cli._progress import Progress, is_terminal
from weburl.cli.readers.files import ByteStream, file_size, name_in_errors
from weburl.cli.readers.names import files_of
from weburl.cli.readers.open_files import open_file
from weburl.cli.readers.reading import STDIN
from weburl.text import WEB_SCHEMES, URLSpan, find_urls

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

"""


class FindArgs(LowArgs):
    names: list[str] = option(
        nargs="*", metavar="FILE",
        help="a file of any text, packed or not; a folder; a glob in quotes; - is standard input (default: -)",
    )  # fmt: skip
    only: bool = flag("--only", help="print only the URLs, without their places")
    json: bool = flag("--json", help="print an object for each URL: file, line, column, text, href")
    count: bool = flag("--count", help="print how many URLs each file has")
    schemes: str = option(
        "--schemes",
        metavar="NAMES",
        default=",".join(WEB_SCHEMES),
        help="which schemes begin a URL (default: %(default)s)",
    )
    bare: bool = flag("--bare", help="also find domains without a scheme, such as example.com; needs weburl[psl]")
    defanged: bool = flag("--defanged", help="also find defanged URLs, such as hxxps[:]//example[.]com")
    syntax: Any = option(
        "--syntax",
        choices=list(SYNTAXES),
        default="text",
        help="what the text is: says which escapes are read (default: text)",
    )
    max_line: int = option(
        "--max-line", metavar="SIZE", type=size, default=MAX_LINE,
        help="how much of a line is held in memory, in bytes, such as 64K or 1G (default: 16M). A longer line is read "
        "in parts; a URL that is longer is cut",
    )  # fmt: skip
    memory: int = memory_option()


def make_parser() -> ArgumentParser:
    return ArgumentParser(
        "weburl find",
        FindArgs,
        description="Prints the URLs in files of any text, or in standard input, with their places.",
        examples=EXAMPLES,
    )


def main(arguments: list[str]) -> int:
    low = make_parser().parse_args(arguments, FindArgs())
    if low.only + low.json + low.count > 1:
        raise UsageError("--only, --json and --count do not go together")
    command = FindCommand(low)
    urls = files = found_in = 0
    for pattern in low.names or [STDIN]:
        for name in (STDIN,) if pattern == STDIN else files_of(pattern):
            count = command.run(name)
            urls += count
            files += 1
            found_in += count > 0
    if not low.json:
        sys.stdout.flush()
        word = "URL" if urls == 1 else "URLs"
        of = f" in {found_in} of {files} files" if files > 1 else ""
        if sys.stderr is not None:
            print(f"{urls} {word}{of}", file=sys.stderr)
    return ExitCode.OK


class FindCommand:
    """How URLs are found, and what is printed of them."""

    def __init__(self, low: FindArgs) -> None:
        self.low = low
        self.limit: int = low.max_line or sys.maxsize
        self.how: dict[str, Any] = {
            "schemes": [name for name in argument_text(low.schemes).split(",") if name],
            "bare": low.bare,
            "defanged": low.defanged,
            "syntax": low.syntax,
        }
        try:
            find_urls("", **self.how)
        except ValueError as error:
            raise UsageError(f"--schemes: {error}") from None

    def run(self, name: str) -> int:
        """Prints the URLs in a file; returns how many there are."""
        low = self.low
        shown = "standard input" if name == STDIN else name
        file = hide_credentials(shown)
        place = printable(file)
        count = 0
        with (
            limited_memory(shown, low.memory, 1),
            open_file(name) as opened,
            closing(Progress(file_size(opened), shown=not is_terminal(sys.stdout))) as progress,
        ):
            line = column = 1
            for data, done, pause in self._parts(opened, shown):
                lines = []
                at = 0
                for span in find_urls(data, **self.how):
                    line, column = moved(data, at, span.start, line, column)
                    at = span.start
                    count += 1
                    if not low.count:
                        lines.append(self._shown(file, place, line, column, span))
                line, column = moved(data, at, len(data), line, column)
                sys.stdout.write("".join(lines))
                if pause:
                    sys.stdout.flush()
                progress(done)
        if low.count:
            print(f"{place}: {count}")
        return count

    def _shown(self, file: str, place: str, line: int, column: int, span: URLSpan) -> str:
        href = span.url.href
        if self.low.only:
            return f"{href}\n"
        if self.low.json:
            text = bytes(span.text).decode("utf-8", "replace")  # type: ignore[arg-type]
            return f"{json.dumps({'file': file, 'line': line, 'column': column, 'text': text, 'href': href})}\n"
        return f"{place}:{line}:{column}: {href}\n"

    def _parts(self, file: Any, name: str) -> Iterator[tuple[bytes, int, bool]]:
        """The text in parts that no URL crosses; how many bytes have been read; and whether no more are there yet."""
        rest = b""
        with name_in_errors(name):
            for block in ByteStream(file, name, self.low.memory).blocks(self.limit):
                data = rest + block.rows[: block.size]
                end = len(data)
                if block.partial and end - (word := begin_of_word(data)) <= self.limit:
                    # The last word may go on, unless it alone is too long.
                    end = word
                rest = data[end:]
                begin = 0
                while begin < end:
                    found = END.search(data, begin + PART, end)
                    stop = found.end() if found else end
                    yield data[begin:stop], block.done, block.pause and stop == end
                    begin = stop
            if rest:
                yield rest, 0, True


def begin_of_word(data: bytes) -> int:
    """The place after the last byte that ends a URL, or 0."""
    return max(data.rfind(bytes([each])) for each in ENDS) + 1


def moved(data: bytes, begin: int, end: int, line: int, column: int) -> tuple[int, int]:
    """The line and the column of a place, from those of one before it."""
    newlines = data.count(b"\n", begin, end)
    if newlines:
        line += newlines
        column = 1
        begin = data.rfind(b"\n", begin, end) + 1
    return line, column + len(data[begin:end].decode("utf-8", "replace"))
