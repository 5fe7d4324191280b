"""weburl: prints URLs as a browser sees them, or parts of them."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing, nullcontext
from itertools import chain

from weburl import URL
from weburl._arrow import input
from weburl._arrow.cutting import Piece
from weburl._arrow.schedule import in_order
from weburl._named_tuple import NamedTuple
from weburl.cli._arguments import LowArgs, scanned
from weburl.cli._conversion import Conversion, Filtered
from weburl.cli._exit import ExitCode, InputError, MissingColumnError, UsageError
from weburl.cli._memory import too_little_memory
from weburl.cli._messages import complain, quoted
from weburl.cli._options import ConvertArgs, HiArgs, decided
from weburl.cli._output_fields import COLUMN, MEMBERS, OF_TIMES, OutputField
from weburl.cli._progress import Progress, is_terminal
from weburl.cli._system import openable
from weburl.cli.commands import COMMANDS, HINTS
from weburl.cli.readers import storage
from weburl.cli.readers.inputs import Inputs, OpenInput, piece_of
from weburl.cli.readers.reading import ALL_MEMBERS, Keep
from weburl.cli.readers.row_blocks import INVALID_RECORD, OTHER_COLUMNS, Fault, RowBlock, null_columns
from weburl.cli.writers import STANDARD_OUTPUT
from weburl.cli.writers.output_file import open_folder, open_output
from weburl.cli.writers.output_writer import OutputColumn, OutputWriter, Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import IO, Any, Final, TypeVar

    from weburl.cli._parser import ArgumentParser
    from weburl.cli._rejects import Rejects

    Low = TypeVar("Low", bound=ConvertArgs)
    Hi = TypeVar("Hi")

# Bytes that pyarrow takes for a column besides its values, and for each byte of its name, when it writes it.
ARROW_COLUMN: Final = 1 << 14
ARROW_NAME: Final = 1 << 5
EXAMPLES: Final = """\
examples:
  weburl 'HTTP://EXAMPLE.com:80/a/../b'                the URL that a browser sees
  weburl -g '{hostname} {query:id}' -f urls.txt        parts of each URL
  weburl --base https://example.com/docs/ ../a b       relative links, resolved
  weburl -s scheme=https -s port= -a query=lang=en http://example.com:8080/
  weburl --qtrim 'utm_*' --sort-query 'https://example.com/?b=1&utm_source=x&a=2'
  weburl --policy crawl -f links.txt.gz -o keys.txt    one key for each page
  weburl -g '{redacted}' -f urls.txt                   no passwords, tokens or e-mail addresses
  weburl -g '{template}' -f urls.txt | sort | uniq -c   the kinds of pages
  weburl --json 'https://example.com/?q=a+b'           all parts and parameters
  weburl --csv -g '{registrable_domain} {href}' -f log.csv --column url
  weburl --parquet parts.parquet -f log.jsonl --field request.url
  weburl --match 'https://*.example.com/books/:id' -g '{hostname} {group:id}' -f urls.txt
  weburl --routes routes.txt -g '{route}' -f urls.txt   the pattern that each URL matches first
  weburl --not-hosts blocklist.txt -f urls.txt         without the URLs of these hosts
  weburl --invalid drop -f urls.txt | sort -u
  weburl explain 'http://0x7f.1:80:80/'                what is wrong, and where

"""
DESCRIPTION: Final = f"""\
Prints each URL as a browser sees it. The URLs are the arguments, the lines of FILE, or the lines of standard input.

commands: weburl {" | ".join(COMMANDS)}
Each command has --help. If a URL is spelled like a command, write it after --."""


def make_parser(
    prog: str = "weburl",
    options: type[LowArgs] = ConvertArgs,
    description: str = DESCRIPTION,
    examples: str = EXAMPLES,
) -> ArgumentParser:
    from weburl.cli._parser import ArgumentParser

    usage = f"{prog} [option]... [URL]... [-f FILE...]"
    return ArgumentParser(prog, options, usage=usage, description=description, examples=examples)


def main(arguments: list[str]) -> int:
    meant = _meant(arguments)
    if meant is not None:
        raise UsageError(f"{quoted(arguments[0])} is not a command: {meant} A URL goes after --")
    return run_command(parsed(make_parser, arguments, ConvertArgs()), decided, ConvertCommand)


def parsed(make: Callable[[], ArgumentParser], arguments: list[str], low: Low, prog: str = "weburl") -> Low:
    """What the arguments say. All that follows -- are URLs: argparse would take some of them for options."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    if not scanned(arguments[:end], low):
        make().parse_intermixed_args(arguments[:end], low)
    for text in low.urls:
        if _is_file(text, low.base):
            raise UsageError(f"{quoted(text)} is a file, not a URL: -f reads it, as in {prog} -f FILE")
    low.urls.extend(arguments[end + 1 :])
    return low


def run_command(low: Low, decide: Callable[[Low], Hi], make: Callable[[Hi], ConvertCommand]) -> int:
    if low.version:
        from weburl.cli.commands import version

        return version.main(["--verbose"] if low.verbose else [])
    if low.verbose:
        raise UsageError("--verbose is for --version: weburl --version --verbose")
    if not low.urls and not low.files and is_terminal(sys.stdin):
        raise UsageError("there is nothing to read: give URLs, or -f FILE (-f - to type them)")
    command = make(decide(low))
    try:
        command.run()
    except InvalidRow as invalid:
        complain(str(invalid))
        return ExitCode.FOUND
    return command.exit_code()


def _meant(arguments: list[str]) -> str | None:
    """What the first argument may be meant for: a command, or an option. With --base it is a relative URL.

    A file with such a name is more likely meant itself.
    """
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if not options or not options[0].replace("_", "").isalpha() or any(text.startswith("--base") for text in options):
        return None
    if os.path.exists(options[0]):
        return None
    word = options[0].lower().replace("_", "")
    if word in HINTS:
        return f"{HINTS[word]}."
    from difflib import get_close_matches

    near = get_close_matches(word, COMMANDS, 1, 0.7)
    if near:
        return f"did you mean weburl {near[0]}?"
    near = get_close_matches(word, HINTS, 1, 0.8)
    return f"{HINTS[near[0]]}." if near else None


def _is_file(text: str, base: str | None) -> bool:
    """Whether an argument is a file, and not a URL. The letter of a drive is no scheme that anybody uses."""
    if base is not None or (URL.can_parse(text) and text[1:2] != ":"):
        return False
    try:
        return os.path.exists(openable(text))
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
    # Of the columns that are written.
    names: tuple[str, ...]

    def __init__(self, args: HiArgs) -> None:
        self.args = args
        self.writer: type[OutputWriter] = args.writer
        # Whether each row that fails is explained, and not only counted.
        self.explains: bool = bool(args.failures.path or args.urls) or args.failures.fail
        self.conversion: Conversion = Conversion(args.plan, copies_input=self.writer.copies_input)
        self.rows: int = 0
        self.errors: Counter[str] = Counter()
        self.status: int = ExitCode.OK
        self.rejects: Rejects | None = None

    def run(self) -> None:
        keep, failures, memory = self.args.keep, self.args.failures, self.args.reading.memory
        for path in (self.args.path, failures.path):
            if path is not None and storage.is_remote(path):
                # Before something is read: what is wrong with it is known, and what it takes is no part of --memory.
                storage.check_writable(path)
        inputs = Inputs(self.args.reading, keep, self.args.urls)
        sources = iter(inputs)
        source = first = None
        if keep.names != ():
            # Its columns are known when its begin is read, which is before anything is written.
            source = next(sources)
            first = next(source.blocks, None)
        self.names = keep.names or () if first is None or not isinstance(first, RowBlock) else first.names
        if source is not None and keep.as_arrow:
            size = sum(ARROW_COLUMN + ARROW_NAME * len(name.encode("utf-8", "surrogatepass")) for name in self.names)
            if size > memory:
                why = too_little_memory(f"writing {len(self.names):,} columns", memory)
                raise InputError(f"{source.name}: {why}")
        if keep.names is None and ALL_MEMBERS not in self.names:
            inputs.keep = keep._replace(names=self.names, is_exact=True)
        with (
            self._open_output() as out,
            # It is written before the output replaces a file.
            nullcontext() if failures.path is None else open_output(failures.path) as rejects,
            self.writer(out, self._columns(keep), drop=failures.drop) as writer,
        ):
            writer.name, writer.memory = storage.shown(self.args.path or STANDARD_OUTPUT), memory
            writer.table = self.args.table
            if rejects is not None:
                from weburl.cli._rejects import Rejects

                self.rejects = Rejects(rejects, self.args.plan.redacts)
            kept = first.kept if isinstance(first, RowBlock) and not first.size else null_columns(0, self.names)
            nothing = RowBlock([], 0, names=self.names, kept=kept)
            writer.start(self.head(writer, nothing, Piece(input.from_objects([]), 0, 0), 0))
            try:
                if source is not None:
                    blocks = source.blocks if first is None else chain((first,), source.blocks)
                    self._convert(source._replace(blocks=blocks), writer, out)
                for source in sources:
                    self._convert(source, writer, out)
                self.status = max(self.status, inputs.status)
            except InvalidRow:
                # Standard output gets the rows before it. A file is not kept.
                out.flush()
                raise

    def _open_output(self) -> AbstractContextManager[Any]:
        path = self.args.path
        if self.args.table.partition_by and path is not None:
            return open_folder(path)
        return open_output(path, is_text=self.writer.is_text)

    def _columns(self, keep: Keep) -> list[str | OutputColumn]:
        """The columns of the output. Those that are kept come before the new ones."""
        place = self.conversion.place
        kept = {name: number for number, name in enumerate((*self.names, *self.more_names))}
        # Those that --keep lists are in the template.
        names = [*kept] if keep.names is None else []
        before = [OutputField(MEMBERS if name == ALL_MEMBERS else COLUMN, name, name) for name in names]
        of_input = [part for label, part in OF_TIMES.items() if label in names]
        after = [part for part in self.args.template if part not in of_input]
        columns = [part for part in self.args.table.partition_by if part.name == COLUMN and part in after]
        missing = next((part.key for part in columns if part.key not in kept), None)
        if missing is not None:
            raise MissingColumnError(f"--partition-by: there is no column {quoted(missing)}")
        parts = [*before, *after]
        return [OutputColumn(part, place(part, kept)) if isinstance(part, OutputField) else part for part in parts]

    def _convert(self, source: OpenInput, writer: OutputWriter, out: IO[bytes]) -> None:
        def work(task: Any) -> Any:
            block, piece = piece_of(task)
            if block.names != self.names:
                raise InputError(f"{source.name}: {OTHER_COLUMNS}")
            return self.worked(writer, block, piece)

        before = self.rows
        has_fault = False
        shows_progress = self.args.path is not None or not is_terminal(sys.stdout)
        with (
            closing(Progress(source.size, shows_progress)) as progress,
            closing(in_order(source.tasks(), work, self.args.reading.threads, self.cancel)) as results,
        ):
            for converted in chain.from_iterable(self.settled(writer, result) for _, result in results):
                block = converted.block
                if converted.errors:
                    self.errors += converted.errors
                    if source.is_arguments or self.args.failures.verify:
                        self.status = ExitCode.FOUND
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

    def rendered(self, writer: OutputWriter, filtered: Filtered, block: RowBlock, piece: Piece) -> ConvertedPiece:
        done = self.conversion.convert(filtered)
        rendered = writer.render(Rows(done.batches, done.piece, done.kept, done.replaced))
        return ConvertedPiece(rendered, done.rows_read, done.errors, block, piece, filtered.marks)

    def head(self, writer: OutputWriter, block: RowBlock, piece: Piece, rows: int) -> Any:
        """The first rows of a piece, rendered."""
        first = block.head(piece, rows)
        return self.rendered(writer, self.conversion.filtered(block, first), block, first).rendered

    def _show_first_fault(self, source: OpenInput, block: RowBlock) -> None:
        row, fault = next((row, fault) for row, fault in block.faults.items() if fault.name == INVALID_RECORD)
        line = block.lines[row] if block.lines else row + 1
        place = f"{line}:{fault.column}" if fault.column else line
        complain(f"{source.name}:{place}: {fault.name}: {fault.message}; the next ones are only counted")

    def _complain(self, source: OpenInput, converted: ConvertedPiece, before: int, writer: OutputWriter) -> None:
        """Says why rows of a piece fail: each argument, and with --invalid fail the first row, which ends the command.

        With --invalid file=PATH it is written there. `before` is how many rows the input has before the piece.
        """
        fails = self.args.failures.fail
        if not fails and self.rejects is None and not source.is_arguments:
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
            if not source.is_arguments:
                column = f":{row.column}" if isinstance(row, Fault) and row.column else ""
                why = f"{source.name}:{line}{column}: {why}"
            if fails:
                writer.write(self.head(writer, block, piece, index))
                raise InvalidRow(why)
            complain(why)

    def exit_code(self) -> int:
        count = sum(self.errors.values())
        if count and (self.args.reading.files or not self.args.urls):
            ranked = sorted(self.errors.items(), key=lambda item: (-item[1], item[0]))
            reasons = ", ".join(f"{name}: {number:,}" for name, number in ranked)
            complain(f"{count:,} of {self.rows:,} lines {'is not a URL' if count == 1 else 'are not URLs'} ({reasons})")
        return self.status
