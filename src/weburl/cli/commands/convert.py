"""weburl: prints URLs as a browser sees them, or parts of them."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing, nullcontext
from itertools import chain
from typing import IO, Any, Final, NamedTuple

from weburl import URL
from weburl._arrow import input
from weburl._arrow.pieces import Piece
from weburl._arrow.schedule import count_threads, in_order
from weburl.cli._arguments import ArgumentParser, argument_text
from weburl.cli._conversion import Conversion, Filtered
from weburl.cli._exit import ExitCode, InputError, UsageError
from weburl.cli._host_filter import add_filter_options
from weburl.cli._memory import most_threads, too_little_memory
from weburl.cli._messages import complain, quoted
from weburl.cli._output_fields import COLUMN, DEFAULT_PORT, MEMBERS, OutputField
from weburl.cli._patterns import add_pattern_options
from weburl.cli._progress import Progress, is_terminal
from weburl.cli._rejects import CHOICES, InvalidChoices, Rejects, rejects_path
from weburl.cli.commands import COMMANDS
from weburl.cli.readers.inputs import ARGUMENT, OpenInput, add_input_options, open_inputs, piece_of
from weburl.cli.readers.records.jsonl import ALL_MEMBERS
from weburl.cli.readers.rows import INVALID_RECORD, OTHER_COLUMNS, Keep, RowBlock, null_columns
from weburl.cli.writers.formats import add_format_options, chosen_writer
from weburl.cli.writers.output_file import STANDARD_OUTPUT, is_same_file, open_output
from weburl.cli.writers.output_writer import OutputColumn, OutputWriter, Rows

ARROW_COLUMN: Final = 1 << 14  # bytes that pyarrow takes for a column besides its values, when it writes it
STANDARD: Final = "2 July 2026 with the changes up to 7 October 2026"
EXAMPLES: Final = """\
examples:
  weburl 'HTTP://EXAMPLE.com:80/a/../b'                the URL that a browser sees
  weburl -g '{hostname} {query:id}' -f urls.txt        parts of the URL on each line
  weburl --base https://example.com/docs/ ../a b       relative links, resolved
  weburl -s scheme=https -s port= -a query=lang=en http://example.com:8080/
  weburl --qtrim 'utm_*' --sort-query 'https://example.com/?b=1&utm_source=x&a=2'
  weburl --policy crawl -f links.txt.gz -o keys.txt    one key for each page
  weburl --redact -f urls.txt                          no passwords, tokens or e-mail addresses
  weburl --template -f urls.txt | sort | uniq -c       what kinds of pages
  weburl --json 'https://example.com/?q=a+b'           all parts and parameters
  weburl --csv -g '{site} {href}' -f log.csv --column url
  weburl --parquet parts.parquet -f log.jsonl --field request.url
  weburl --match 'https://*.example.com/books/:id' -g '{hostname} {group:id}' -f urls.txt
  weburl --routes routes.txt -g '{route}' -f urls.txt   which of these patterns each URL matches
  weburl --not-hosts blocklist.txt -f urls.txt         without the URLs of these hosts
  weburl --invalid drop -f urls.txt | sort -u
  weburl explain 'http://0x7f.1:80:80/'                what is wrong, and where

"""
DESCRIPTION: Final = """\
Prints each URL as a browser sees it. The URLs are the arguments, the lines of FILE, or the lines of standard input.

commands: weburl explain | check | diff | dedup | join | stats | links | bench | view | completion; each has --help. A
URL spelled like a command goes after --."""


def make_parser(
    prog: str = "weburl", description: str = DESCRIPTION, examples: str = EXAMPLES, shown: str = "{href}"
) -> ArgumentParser:
    usage = f"{prog} [option]... [URL]... [-f FILE...]"
    parser = ArgumentParser(prog, usage=usage, description=description, examples=examples)
    add = parser.add_argument
    add("urls", nargs="*", metavar="URL", help="a URL; with --base also a relative one")
    add("--version", action="store_true", help="print the versions of weburl and of the URL Standard, and the kernels")
    add_input_options(parser)
    group = parser.add_argument_group("which URLs are printed")
    add_pattern_options(group)
    add_filter_options(group)
    group = parser.add_argument_group("changes, made in this order")
    add = group.add_argument
    add("--base", metavar="URL", help="resolve relative URLs against this URL")
    add("-s", "--set", metavar="PART=VALUE", action="append", default=[], dest="assignments",
        help="set a part, as -s host=example.com; without VALUE, remove it")  # fmt: skip
    add("--iterate", metavar="PART=ITEMS", action="append", default=[], dest="iterations",
        help="print each URL once for each item, with the part set to it, as --iterate 'port=80 8080'")  # fmt: skip
    add("--qtrim", metavar="GLOB", action="append", default=[], dest="globs",
        help="remove the parameters whose names match, as --qtrim 'utm_*'")  # fmt: skip
    add("--replace", metavar="NAME=VALUE", action="append", default=[], dest="replacements",
        help="replace the parameter with this name, if there is one")  # fmt: skip
    add("-a", "--append", metavar="query=NAME=VALUE", action="append", default=[], dest="additions",
        help="add a parameter; or, with path=SEGMENT, a segment at the end of the path")  # fmt: skip
    add("--sort-query", action="store_true", help="sort the parameters by name")
    add(
        "--policy",
        metavar="POLICY",
        help="print the canonical form by this policy: whatwg, whatwg-no-fragment, crawl or surt",
    )
    add("--redact", action="store_true", help="print URLs without their secrets, as in logs")
    add("--template", action="store_true", help="print the template of the path, as /users/{int}, in place of the URL")
    group = parser.add_argument_group("output")
    add = group.add_argument
    add("-g", "--get", metavar="FORMAT", dest="format",
        help="what to print for each URL, as '{hostname} {query:id}'; \\n \\t {{ }} are characters "
        f"(default: {shown}); "
        "with --json, --csv, --csv-safe, --parquet or --arrow, the columns")  # fmt: skip
    add_format_options(group)
    add("--keep", metavar="NAMES", nargs="?", const="*",
        help="keep all columns of the input beside the new ones, or those with these names: --keep=id,time; "
        "{column:NAME} in -g is one of them")  # fmt: skip
    add("--as-idn", action="store_true", help="print hosts in Unicode, except those that may deceive")
    add("-o", "--output", metavar="OUT", help="write to the file OUT, which is replaced at the end")
    add("--query-separator", metavar="CHARACTER", default="&",
        help="what is between the parameters, as ;, for {query:NAME} and for changes (default: &)")  # fmt: skip
    add("--default-port", action="store_true", help="print the scheme's default port as {port} where there is none")
    add("--accept-space", action="store_true", help="for scripts of trurl: spaces in URLs are always encoded")
    group = parser.add_argument_group("lines that are not URLs")
    add = group.add_argument
    add("--invalid", choices=InvalidChoices(CHOICES), metavar="{keep,drop,fail,file=PATH}", default="keep",
        help="print an empty line (keep), skip it (drop), end at the first one (fail), or skip it and write it to PATH "
        "with its line and the reason (file=PATH); default: %(default)s")  # fmt: skip
    add("--verify", action="store_true", help="exit with status 1 if there is one")
    group = parser.add_argument_group("speed")
    group.add_argument(
        "--threads",
        type=int,
        metavar="N",
        help="use at most N threads, instead of one for each core; and at most one for each 32 MiB of --memory",
    )
    return parser


def main(arguments: list[str]) -> int:
    parser = make_parser()
    end = arguments.index("--") if "--" in arguments else len(arguments)
    mistyped = _mistyped(arguments[:end])
    if mistyped is not None:
        parser.refuse(f"{quoted(arguments[0])} is not a command: did you mean weburl {mistyped}? A URL goes after --")
    options = parser.parse_intermixed_args(arguments[:end])
    for text in options.urls:
        if _is_file(text, options.base):
            parser.refuse(f"{quoted(text)} is a file, not a URL: -f reads it, as in weburl -f FILE")
    options.urls += arguments[end + 1 :]
    if options.version:
        from importlib.metadata import version

        from weburl._core.percent import kernel_name

        print(f"weburl {version('weburl')}, the URL Standard of {STANDARD}, kernels: {kernel_name()}")
        return ExitCode.OK
    return run_command(parser, options, ConvertCommand)


def run_command(parser: ArgumentParser, options: argparse.Namespace, kind: type[ConvertCommand]) -> int:
    if not options.urls and not options.files and is_terminal(sys.stdin):
        parser.refuse("there is nothing to read: give URLs, or -f FILE (-f - to type them)")
    try:
        command = kind(options)
    except UsageError as error:
        parser.refuse(str(error), *error.lines)
    except ValueError as error:
        parser.refuse(str(error))
    try:
        command.run()
    except InvalidRow as invalid:
        complain(str(invalid))
        return ExitCode.FOUND
    return command.exit_code()


def _mistyped(arguments: list[str]) -> str | None:
    """The command that the first argument may be meant for. With --base it is a relative URL."""
    if not arguments or not arguments[0].isalpha() or any(text.startswith("--base") for text in arguments):
        return None
    from difflib import get_close_matches

    return next(iter(get_close_matches(arguments[0].lower(), COMMANDS, 1, 0.7)), None)


def _is_file(text: str, base: str | None) -> bool:
    """Whether an argument is a file, and not a URL. The letter of a drive is no scheme that anybody uses."""
    if base is not None or (URL.can_parse(text) and text[1:2] != ":"):
        return False
    try:
        return os.path.exists(text)
    except ValueError:
        return False


class InvalidRow(Exception):
    """Raised when --invalid fail meets a row that is not a URL."""


class ConvertedPiece(NamedTuple):
    """A piece that the writer can write, with the number of its rows, and of those that fail by their error.

    `marks` are those of its `Filtered`.
    """

    rendered: Any
    rows: int
    errors: Counter[str]
    block: RowBlock
    piece: Piece
    marks: bytes | None


class ConvertCommand:
    """The command with its options, and the counts that its summary prints."""

    # Columns that rows get besides those of the input.
    more_names: tuple[str, ...] = ()

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.writer, self.path = chosen_writer(options)
        format = None if options.format is None else argument_text(options.format)
        self.rejects_path = rejects_path(options.invalid)
        if self.rejects_path is not None and self.path is not None and is_same_file(self.rejects_path, self.path):
            raise UsageError(f"-o and --invalid file=PATH name one file: {quoted(self.path)}")
        self.drop = options.invalid == "drop" or self.rejects_path is not None
        # Whether each row that fails is explained, and not only counted.
        self.explains = bool(self.rejects_path or options.urls) or options.invalid == "fail"
        self.template = self.format_of(format)
        if options.default_port:
            port = OutputField("port", None, "port")
            self.template = [part._replace(name=DEFAULT_PORT) if part == port else part for part in self.template]
        fields = [part for part in self.template if isinstance(part, OutputField)]
        options.keep = self._keep(fields)
        self.conversion = Conversion(options, fields, copies_input=self.writer.copies_input)
        threads = min(count_threads(options.threads), most_threads(options.memory))
        self.threads = 1 if self.conversion.needs_gil else threads
        self.rows = 0
        self.errors: Counter[str] = Counter()
        self.rejects: Rejects | None = None

    def format_of(self, format: str | None) -> Sequence[str | OutputField]:
        """What is printed of a row, by the FORMAT of -g."""
        return self.writer.template(format, drop=self.drop)

    def _keep(self, fields: list[OutputField]) -> Keep:
        """What is kept of the input: what --keep says, and what the format names."""
        given: str | None = self.options.keep
        if given is not None and self.writer.keep is None:
            raise UsageError("--keep is for records, as --json and --csv: {column:NAME} in -g is one column")
        new = frozenset(field.label for field in fields if field.name != COLUMN)
        named = [str(field.key) for field in fields if field.name == COLUMN]
        keep = (self.writer.keep or Keep())._replace(left_out=new.union(self.more_names), urls=not self.options.redact)
        if given == "*":
            if named:
                raise UsageError("--keep keeps all columns, so -g needs no {column:NAME}")
            return keep._replace(names=None)
        names = [
            name for name in ("" if given is None else argument_text(given)).split(",") if name and name not in new
        ]
        self.kept_first = [name for name in dict.fromkeys(names) if name not in named]
        names = [name for name in dict.fromkeys((*self.kept_first, *named)) if name not in self.more_names]
        return keep._replace(names=tuple(names))

    def run(self) -> None:
        sources = open_inputs(self.options, self.options.urls)
        keep: Keep = self.options.keep
        source = first = None
        if keep.names != ():
            # Its columns are known when its begin is read, which is before anything is written.
            source = next(sources)
            first = next(source.blocks, None)
        self.names = keep.names or () if first is None or not isinstance(first, RowBlock) else first.names
        if source is not None and keep.as_arrow and len(self.names) * ARROW_COLUMN > self.options.memory:
            why = too_little_memory(f"writing {len(self.names):,} columns", self.options.memory)
            raise InputError(f"{source.name}: {why}")
        if keep.names is None and ALL_MEMBERS not in self.names:
            self.options.keep = keep._replace(names=self.names, is_exact=True)
        with (
            nullcontext() if self.rejects_path is None else open_output(self.rejects_path) as rejects,
            open_output(self.path, is_text=self.writer.is_text) as out,
            self.writer(out, self._columns(keep), drop=self.drop) as writer,
        ):
            writer.name, writer.memory = self.path or STANDARD_OUTPUT, self.options.memory
            if rejects is not None:
                self.rejects = Rejects(rejects, self.options.redact)
            kept = first.kept if isinstance(first, RowBlock) and not first.size else null_columns(0, self.names)
            nothing = RowBlock([], 0, names=self.names, kept=kept)
            writer.start(self.head(writer, nothing, Piece(input.from_objects([]), 0, 0), 0))
            try:
                if source is not None:
                    blocks = source.blocks if first is None else chain((first,), source.blocks)
                    self._convert(source._replace(blocks=blocks), writer, out)
                for source in sources:
                    self._convert(source, writer, out)
            except InvalidRow:
                # Standard output gets the rows before it. A file is not kept.
                out.flush()
                raise

    def _columns(self, keep: Keep) -> list[str | OutputColumn]:
        """The columns of the output. Those that are kept come before the new ones."""
        place = self.conversion.place
        kept = {name: number for number, name in enumerate((*self.names, *self.more_names))}
        names = [*kept] if keep.names is None else self.kept_first
        before = [OutputField(MEMBERS if name == ALL_MEMBERS else COLUMN, name, name) for name in names]
        parts = [*before, *self.template]
        return [OutputColumn(part, place(part, kept)) if isinstance(part, OutputField) else part for part in parts]

    def _convert(self, source: OpenInput, writer: OutputWriter, out: IO[bytes]) -> None:
        def work(task: Any) -> Any:
            block, piece = piece_of(task)
            if block.names != self.names:
                raise InputError(f"{source.name}: {OTHER_COLUMNS}")
            return self.worked(writer, block, piece)

        before = self.rows
        has_fault = False
        shows_progress = self.options.output is not None or not is_terminal(sys.stdout)
        with (
            closing(Progress(source.size, shows_progress)) as progress,
            closing(in_order(source.tasks(), work, self.threads, self.cancel)) as results,
        ):
            for converted in chain.from_iterable(self.settled(writer, result) for _, result in results):
                block = converted.block
                if converted.errors:
                    self.errors += converted.errors
                    self._complain(source, converted, self.rows - before, writer)
                    if INVALID_RECORD in converted.errors and not has_fault:
                        has_fault = True
                        self._show_first_fault(source, block)
                writer.write(converted.rendered)
                if block.pause:
                    out.flush()
                self.rows += converted.rows
                progress(block.done)

    def cancel(self) -> None:
        """Ends the work of other threads."""
        self.conversion.cancel()

    def worked(self, writer: OutputWriter, block: RowBlock, piece: Piece) -> Any:
        """What `settled` needs of a piece. Several threads call this at once."""
        return self.rendered(writer, self.conversion.filtered(block, piece), block, piece)

    def settled(self, writer: OutputWriter, worked: Any) -> Iterable[ConvertedPiece]:
        """The piece, converted, in one or more parts. This is called in the order of the pieces, by one thread."""
        return (worked,)

    def rendered(self, writer: OutputWriter, given: Filtered, block: RowBlock, piece: Piece) -> ConvertedPiece:
        done = self.conversion.convert(given)
        rendered = writer.render(Rows(done.batches, done.piece, done.kept, done.replaced))
        return ConvertedPiece(rendered, done.rows_read, done.errors, block, piece, given.marks)

    def head(self, writer: OutputWriter, block: RowBlock, piece: Piece, rows: int) -> Any:
        """The first rows of a piece, rendered."""
        first = block.head(piece, rows)
        return self.rendered(writer, self.conversion.filtered(block, first), block, first).rendered

    def _show_first_fault(self, source: OpenInput, block: RowBlock) -> None:
        row, fault = next((row, fault) for row, fault in block.faults.items() if fault.name == INVALID_RECORD)
        line = block.lines[row] if block.lines else row + 1
        complain(f"{source.name}:{line}: {fault.name}: {fault.message}; the next ones are only counted")

    def _complain(self, source: OpenInput, converted: ConvertedPiece, before: int, writer: OutputWriter) -> None:
        """Says why rows of a piece fail: each argument, and with --invalid fail the first row, which ends the command.

        With --invalid file=PATH it is written there. `before` is how many rows the input has before the piece.
        """
        fails = self.options.invalid == "fail"
        if not fails and self.rejects is None and source.name != ARGUMENT:
            return
        block, piece, marks = converted.block, converted.piece, converted.marks
        for index, row in enumerate(block.texts(piece.begin, piece.end)):
            reason = self.conversion.why_not(row, is_left=marks is None or marks[index] != 0)
            if reason is None:
                continue
            error, why = reason
            line = block.lines[piece.begin + index] if block.lines else before + index + 1
            if self.rejects is not None:
                self.rejects.write(source.name, line, row, error, why)
                continue
            if source.name != ARGUMENT:
                why = f"{source.name}:{line}: {why}"
            if fails:
                writer.write(self.head(writer, block, piece, index))
                raise InvalidRow(why)
            complain(why)

    def exit_code(self) -> ExitCode:
        count = sum(self.errors.values())
        if count and (self.options.files or not self.options.urls):
            ranked = sorted(self.errors.items(), key=lambda item: (-item[1], item[0]))
            reasons = ", ".join(f"{name}: {number:,}" for name, number in ranked)
            complain(f"{count:,} of {self.rows:,} lines {'is not a URL' if count == 1 else 'are not URLs'} ({reasons})")
        return ExitCode.FOUND if count and self.options.verify else ExitCode.OK
