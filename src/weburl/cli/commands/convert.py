"""weburl: parts of URLs."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from weburl._columns.pieces import Piece
from weburl._columns.schedule import count_threads, in_order
from weburl.cli._conversion import Conversion, Done
from weburl.cli._parser import Parser
from weburl.cli._progress import Progress, is_terminal
from weburl.cli._status import Status, UsageError
from weburl.cli.readers.input import ARGUMENT, Block, Source, add_input_options, sources
from weburl.cli.writers.output import Write, complain, open_output, open_writer

STANDARD: Final = "2 July 2026"
EXAMPLES: Final = """\
examples:
  weburl 'HTTP://EXAMPLE.com:80/a/../b'                the URL that a browser would see
  weburl -g '{hostname} {query:id}' -f urls.txt        a part of each line's URL
  weburl --base https://example.com/docs/ ../a b       what links on a page stand for
  weburl -s scheme=https -s port= -a query=lang=en http://example.com:8080/
  weburl --qtrim 'utm_*' --sort-query 'https://example.com/?b=1&utm_source=x&a=2'
  weburl --policy crawl -f links.txt.gz -o keys.txt    one key for a page
  weburl --json 'https://example.com/?q=a+b'           all parts and parameters
  weburl --csv -g '{site} {href}' -f log.csv --column url
  weburl --parquet parts.parquet -f log.jsonl --field request.url
  weburl --invalid drop -f urls.txt | sort -u
  weburl explain 'http://0x7f.1:80:80/'                what is wrong, and where

"""
DESCRIPTION: Final = """\
What a browser makes of each URL: of the arguments, of the lines of a FILE, else of standard input.

commands: weburl explain | check | diff | stats | bench | view | completion, each with --help of its own; a URL that is
spelled so is given after --."""


def make_parser() -> Parser:
    parser = Parser(
        "weburl", usage="weburl [option]... [URL]... [-f FILE]...", description=DESCRIPTION, examples=EXAMPLES
    )
    add = parser.add_argument
    add("urls", nargs="*", metavar="URL", help="a URL; with --base also a relative one")
    add("--version", action="store_true", help="the versions of weburl and of the standard it follows")
    add_input_options(parser)
    group = parser.add_argument_group("what is made of each URL, in this order")
    add = group.add_argument
    add("--base", metavar="URL", help="what relative URLs are relative to")
    add("-s", "--set", metavar="PART=VALUE", action="append", default=[], dest="assignments",
        help="set a part, as -s host=example.com; no VALUE removes it")  # fmt: skip
    add("--qtrim", metavar="GLOB", action="append", default=[], dest="patterns",
        help="leave out the parameters with such names, as --qtrim 'utm_*'")  # fmt: skip
    add("-a", "--append", metavar="query=NAME=VALUE", action="append", default=[], dest="additions",
        help="add a parameter; or path=SEGMENT, at the end of the path")  # fmt: skip
    add("--sort-query", action="store_true", help="sort the parameters by name")
    add("--policy", metavar="POLICY", help="the canonical form, by the policy whatwg, crawl or surt")
    group = parser.add_argument_group("output")
    add = group.add_argument
    add("-g", "--get", metavar="FORMAT", dest="format",
        help="a line for each URL, as '{hostname} {query:id}'; \\n \\t {{ }} are characters (default: {href}); "
        "with the next three options, the columns")  # fmt: skip
    kinds = group.add_mutually_exclusive_group()
    kinds.add_argument("--json", action="store_true", help="JSON Lines: all parts and parameters")
    kinds.add_argument("--csv", action="store_true",
        help="CSV, with a header; spreadsheets run a cell as a formula if it begins with = + - or @: "
        "--csv-safe is for them")  # fmt: skip
    add("--csv-safe", action="store_true",
        help="CSV in which a ' stands before what begins with = + - @, a tab or a carriage return")  # fmt: skip
    kinds.add_argument("--parquet", metavar="OUT", help="a Parquet file (pip install weburl[parquet])")
    add("--as-idn", action="store_true", help="hosts as people read them, but those that may deceive")
    add("-o", "--output", metavar="OUT", help="where to write, once all is done, instead of standard output")
    group = parser.add_argument_group("what is no URL")
    add = group.add_argument
    add("--invalid", choices=("keep", "drop", "fail"), default="keep",
        help="an empty line (keep, the default), none (drop), or an end at the first (fail)")  # fmt: skip
    add("--verify", action="store_true", help="exit status 1 if there is any")
    add("--threads", type=int, metavar="N", help="as many threads, instead of one a core")
    return parser


def main(arguments: list[str]) -> int:
    parser = make_parser()
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_intermixed_args(arguments[:end])
    options.urls += arguments[end + 1 :]
    if options.version:
        from importlib.metadata import version

        print(f"weburl {version('weburl')}, the URL Standard of {STANDARD}")
        return Status.OK
    if not options.urls and not options.files and is_terminal(sys.stdin):
        parser.refuse("there is nothing to read: give URLs, or -f FILE (-f - to type them)")
    if options.csv_safe and (options.json or options.parquet is not None):
        parser.refuse("--csv-safe is CSV: --json and --parquet are not")
    if options.parquet and options.output:
        parser.refuse("--parquet OUT says where to write: -o OUT is one too many")
    try:
        conversion = Conversion(options)
        threads = count_threads(options.threads)
    except (UsageError, ValueError) as error:
        parser.refuse(str(error))
    run = Run(options, conversion, 1 if conversion.is_python else threads)
    try:
        run.work()
    except Stopped as stopped:
        complain(str(stopped))
        return Status.FOUND
    return run.status()


class Stopped(Exception):
    """At what is no URL; and why it is none."""


class Run:
    """One run of the command, and what is counted in it."""

    def __init__(self, options: argparse.Namespace, conversion: Conversion, threads: int) -> None:
        self.options = options
        self.conversion = conversion
        self.threads = threads
        self.rows = 0
        self.errors: Counter[str] = Counter()

    def work(self) -> None:
        path = self.options.parquet or self.options.output
        with open_output(path) as out, open_writer(out, self.conversion) as write:
            try:
                for source in sources(self.options, self.options.urls):
                    self._convert(source, write, self.options.output is not None or not is_terminal(sys.stdout))
            except Stopped:
                # A pipe has what comes before it; a file is given up.
                out.flush()
                raise

    def _convert(self, source: Source, write: Write, quiet: bool) -> None:
        convert = self.conversion
        before = self.rows
        with (
            closing(Progress(source.size, shown=quiet)) as progress,
            closing(in_order(_pieces(source), lambda one: convert(*one), self.threads, convert.cancel)) as results,
        ):
            for (block, piece), done in results:
                if done.errors:
                    self._invalid(source, block, piece, self.rows - before, done, write)
                write(block, piece, done)
                self.rows += done.rows
                progress(block.done)

    def _invalid(self, source: Source, block: Block, piece: Piece, before: int, done: Done, write: Write) -> None:
        self.errors += done.errors
        fails = self.options.invalid == "fail"
        if not fails and source.name != ARGUMENT:
            return
        for index, text in enumerate(block.texts(piece.begin, piece.end)):
            why = self.conversion.why_not(text)
            if why is not None:
                row = piece.begin + index if block.lines else before + index
                line = block.lines[row] if block.lines else row + 1
                why = why if source.name == ARGUMENT else f"{source.name}:{line}: {why}"
                if fails:
                    head = block.head(piece, index)
                    write(block, head, self.conversion(block, head))
                    raise Stopped(why)
                complain(why)

    def status(self) -> Status:
        count = sum(self.errors.values())
        if count and (self.options.files or not self.options.urls):
            ranked = sorted(self.errors.items(), key=lambda item: (-item[1], item[0]))
            reasons = ", ".join(f"{name}: {number:,}" for name, number in ranked)
            complain(f"{count:,} of {self.rows:,} lines {'is not a URL' if count == 1 else 'are not URLs'} ({reasons})")
        return Status.FOUND if count and self.options.verify else Status.OK


def _pieces(source: Source) -> Iterator[tuple[Block, Piece] | None]:
    """The pieces of an input; None where the next ones are not there yet."""
    for block in source.blocks:
        for piece in block.pieces():
            yield block, piece
        if block.pause:
            yield None
