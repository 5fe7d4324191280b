"""weburl redact: prints any text, such as a log, without its secrets."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, nullcontext, suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from weburl._arrow.schedule import in_order
from weburl.cli._arguments import LowArgs, flag, option, output_option
from weburl.cli._exit import ExitCode, InputError, UsageError
from weburl.cli._memory import limited_memory
from weburl.cli._messages import complain, listed, quoted
from weburl.cli._options import (
    column_option,
    count_of_threads,
    files_argument,
    input_option,
    limit_of,
    log_option,
    log_policy_option,
    max_line_option,
    memory_option,
    positive,
)
from weburl.cli._packings import PACKED, packed_output
from weburl.cli._parser import ArgumentParser
from weburl.cli._policies import log_policy
from weburl.cli._progress import is_terminal
from weburl.cli._system import openable
from weburl.cli.readers.file_names import files_of
from weburl.cli.readers.open_files import open_file
from weburl.cli.readers.reading import STDIN
from weburl.cli.readers.records.log_format import LogFormat
from weburl.cli.redacting.addressed import Address, too_long
from weburl.cli.redacting.mirror import RECORD, Record, Task, narrow, now, tasks_of
from weburl.cli.redacting.run import STANDARD_INPUT, Cancelled, Redaction
from weburl.cli.redacting.totals import Totals
from weburl.cli.writers.output_file import is_same_file, open_output

if TYPE_CHECKING:
    from weburl._redact.redact import LogPolicy

MAX_LINE: Final = 1 << 20
EXAMPLES: Final = r"""examples:
  weburl redact app.log > clean.log
  weburl redact app.log -o app.log
  cat app.log | weburl redact --log-policy logs-strict
  weburl redact --explain app.log
  weburl redact --field 'attributes."url.full"' spans.jsonl
  weburl redact --log combined access.log
  weburl redact logs/ -o clean/ --jobs 4

Only secrets change. They become REDACTED. Every other byte stays. With --field, --column or --log, only the values that
they name are looked at. The number of secrets of each kind is printed on
standard error.

A file that cannot be read is reported, and the command goes on with the next one. At its end, its status is 3.

"""


class RedactArgs(LowArgs):
    names: list[str] = files_argument(
        help="a file of any text, packed or not; a folder; a glob in quotes; - is standard input (default: -)"
    )
    output: str | None = output_option(
        "the input",
        more=f". If its name ends in {listed([*PACKED], 'or')}, it is compressed. If a FILE is a folder, or OUT is "
        "one, each file is written into the folder OUT, with the same name",
    )
    log_policy: str = log_policy_option("what is hidden (default: %(default)s)", default="logs")
    field: str | None = option(
        "--field",
        metavar="PATH",
        help="redact only this field of each line, which is an object of JSON or logfmt; a.b is the field b of the "
        'object a, a."url.full" has a name with a dot, and spans[].name is a field of each element of an array',
    )
    column: str | None = column_option(
        "redact only this column of csv or tsv; NAME is a name in the header, or the number of the column, from 1"
    )
    log: LogFormat | None = log_option(
        "redact only the URLs of logs, which are those of requests, referrers and redirects, or the field that --field "
        "names"
    )
    input_format: str | None = input_option(
        "with --column or --field: the format of FILE",
        formats=["csv", "tsv", "jsonl"],
        more=". Without it, --column reads tsv if the name ends in .tsv, and csv otherwise",
    )
    explain: bool = flag(
        "--explain",
        help="print where secrets are, and why they are hidden, one line for each. The text is written only with -o",
    )
    metrics: str | None = option(
        "--metrics",
        metavar="OUT",
        help="write numbers of bytes, lines, secrets and seconds to the file OUT, for Prometheus: at the end, and "
        "every 10 seconds before",
    )
    jobs: int | None = option(
        "--jobs",
        type=positive,
        metavar="N",
        help="with a folder OUT: work on at most N files at once (default: one for each core, but at most one for each "
        "32 MiB of --memory)",
    )
    max_line: int = max_line_option(
        "how much of a line is held in memory, in bytes, such as 64K or 1G (default: 1M); 0 means no limit. A longer "
        "line is read in parts. If a word or a header is longer than 64 KiB there, its rest is replaced, too",
        default=MAX_LINE,
    )
    memory: int = memory_option()


def make_parser() -> ArgumentParser:
    return ArgumentParser(
        "weburl redact",
        RedactArgs,
        description="Prints files of any text, or standard input, without their secrets.",
        examples=EXAMPLES,
    )


def main(arguments: list[str]) -> int:
    command = RedactCommand(decided(make_parser().parse_args(arguments, RedactArgs())))
    totals = command.totals
    try:
        command.run()
    except UsageError:
        # Nothing was read, and the file of the metrics may be one that must stay.
        totals.path = None
        raise
    except (InputError, OSError, MemoryError):
        totals.add_failure()
        raise
    finally:
        totals.write_metrics()
    if sys.stdout is not None:
        sys.stdout.flush()
    if sys.stderr is not None:
        print(totals.summary(), file=sys.stderr)
    if totals.failed:
        return command.status
    address, files = command.args.address, command.redaction.files
    missing = None if address is None else address.missing(files)
    for sentence in filter(None, (too_long(files), missing)):
        complain(sentence)
    return ExitCode.FOUND if missing else ExitCode.OK


class RedactHiArgs(NamedTuple):
    """What redact does."""

    names: Sequence[str]
    # Where the text goes: into a folder, into a file, or to standard output. Or nowhere.
    folder: str | None
    path: str | None
    writes: bool
    metrics: str | None
    policy: LogPolicy
    # The values that are looked at, if not all of the text is.
    address: Address | None
    explains: bool
    limit: int  # the most bytes of a line
    memory: int
    jobs: int
    shows_progress: bool


def decided(low: RedactArgs) -> RedactHiArgs:
    """Decides what the options mean together; UsageError if they contradict each other."""
    names = low.names or [STDIN]
    for name in names:
        check_name(name)
    if names.count(STDIN) > 1:
        raise UsageError("standard input can be read only once: give - once")
    if low.metrics is not None and low.output is not None and is_same_file(low.metrics, low.output):
        raise UsageError(f"-o and --metrics name one file: {quoted(low.output)}")
    if low.explain and sys.stdout is None:
        raise OSError("standard output is closed")
    check_streams(low, names)
    policy = log_policy("--log-policy", low.log_policy)
    address = address_of(low)
    folder = folder_of(names, low.output)
    if folder is not None and address is not None:
        raise UsageError(
            f"{address.option} is for files, one by one, and not for a folder: give it one FILE and -o OUT each time"
        )
    if folder is None and low.jobs is not None:
        raise UsageError("--jobs is for a folder: -o FOLDER says which one")
    return RedactHiArgs(
        names=names,
        folder=folder,
        path=None if low.output == STDIN else low.output,
        writes=not low.explain or low.output is not None,
        metrics=low.metrics,
        policy=policy,
        address=address,
        explains=low.explain,
        limit=limit_of(low.max_line),
        memory=low.memory,
        jobs=count_of_threads("--jobs", low.jobs, low.memory),
        shows_progress=low.output is not None or not is_terminal(sys.stdout),
    )


def address_of(low: RedactArgs) -> Address | None:
    """The values that --field, --column or --log name."""
    values = {"column": low.column, "log": low.log, "field": low.field}
    options = [name for name, value in values.items() if value is not None]
    if low.input_format is not None and options != ["field" if low.input_format == "jsonl" else "column"]:
        needed = "--field" if low.input_format == "jsonl" else "--column"
        raise UsageError(f"--input {low.input_format} is for {needed}, which says which values are redacted")
    if not options:
        return None
    if len(options) > 1 and options != ["log", "field"]:
        raise UsageError(f"--{options[0]} and --{options[1]} exclude each other: each says which values are redacted")
    if low.explain:
        option = f"--{options[0]}"
        raise UsageError(
            f"--explain is for whole texts, and does not go with {option}: without {option}, it explains all that is "
            f"hidden in the text; without --explain, {option} prints how many secrets of each kind there were"
        )
    address = Address(low.field, low.column, low.log, low.input_format)
    address.check()
    return address


def check_name(name: str) -> None:
    """Refuses a URL, which is not a file."""
    from weburl import URL

    if "://" in name and not os.path.lexists(name) and URL.can_parse(name):
        raise UsageError("a URL is not a file: weburl -g '{redacted}' URL prints a URL without its secrets")


def folder_of(names: Sequence[str], output: str | None) -> str | None:
    """The folder that is written, if it is not a file."""
    if output is None or output == STDIN:
        return None
    separators = tuple(filter(None, (os.sep, os.altsep)))
    if is_folder(output) or output.endswith(separators) or any(map(is_folder, names)):
        if STDIN in names:
            raise UsageError("standard input has no name in a folder: -o FILE says which file is written")
        if os.path.exists(openable(output.rstrip("".join(separators)) or output)) and not is_folder(output):
            folder = next(filter(is_folder, names), None)
            why = f", and the input {quoted(folder)} is one" if folder else ""
            raise UsageError(f"{quoted(output)} is not a folder{why}: -o FOLDER says which folder is written")
        return output
    return None


def is_folder(path: str) -> bool:
    return os.path.isdir(openable(path))


def check_metrics(metrics: str | None, paths: Iterable[str], what: str) -> None:
    """Refuses a file of metrics that would replace one of the others."""
    if metrics is not None:
        for path in paths:
            if is_same_file(metrics, path):
                raise UsageError(f"--metrics names a file that is {what}: {quoted(path)}")


def check_streams(low: RedactArgs, names: Sequence[str]) -> None:
    """Refuses a file that would replace the policy, or metrics that would replace what a stream is."""
    for name, path in (("--metrics", low.metrics), ("-o", low.output)):
        if path is not None and os.path.isfile(openable(low.log_policy)) and is_same_file(path, low.log_policy):
            raise UsageError(f"{name} names the file of the policy: {quoted(path)}")
    streams = [(0, "read")] if STDIN in names else []
    if low.output in (None, STDIN):
        streams.append((1, "written"))
    for number, what in streams:
        if low.metrics is not None and is_open_as(low.metrics, number):
            raise UsageError(f"--metrics names a file that is {what}: {quoted(low.metrics)}")


def is_open_as(path: str, number: int) -> bool:
    """Whether a file is what a descriptor has open. Devices can be written by both."""
    path = openable(path)
    try:
        return os.path.isfile(path) and os.path.samestat(os.stat(path), os.fstat(number))
    except OSError:
        return False


def inputs_of(names: Iterable[str]) -> Iterator[str]:
    for pattern in names:
        # What is wrong with an input is said when it is read.
        with suppress(InputError):
            yield from () if pattern == STDIN else files_of(pattern, ignore)


def ignore(error: InputError) -> None:
    pass


class RedactCommand:
    """The command, and the numbers of its run."""

    def __init__(self, args: RedactHiArgs) -> None:
        self.args = args
        self.totals: Totals = Totals(args.metrics)
        self.redaction: Redaction = Redaction(
            args.policy, args.limit, args.memory, self.totals, args.address, explains=args.explains
        )
        # Of the failures so far, the worst.
        self.status: int = ExitCode.OK

    def run(self) -> None:
        if self.args.folder is None:
            self.write_texts(self.args.path)
        else:
            self.write_folder(self.args.folder)

    def fail(self, error: InputError) -> None:
        self.totals.add_failure()
        self.status = max(self.status, error.status)
        if sys.stdout is not None:
            sys.stdout.flush()
        complain(str(error))

    def write_texts(self, path: str | None) -> None:
        """Writes all texts, one after the other, to one file, or to standard output if it is None.

        A file is replaced only if all could be read.
        """
        check_metrics(self.args.metrics, inputs_of(self.args.names), "read")
        fail = self.fail if path is None else raise_error
        with open_output(path) if self.args.writes else nullcontext() as out:
            packed = None if out is None or path is None else packed_output(path, out)
            for pattern in self.args.names:
                try:
                    for name in (STDIN,) if pattern == STDIN else files_of(pattern, fail):
                        try:
                            self.write_text(name, packed or out)
                        except InputError as error:
                            fail(error)
                except InputError as error:
                    fail(error)
            if packed is not None:
                packed.finish()

    def write_text(self, name: str, out: Any) -> None:
        pause = sys.stdout.flush if out is None else out.flush
        with limited_memory(STANDARD_INPUT if name == STDIN else name, self.args.memory, 1):
            self.redaction.run(name, out, pause, shows_progress=self.args.shows_progress)

    def write_folder(self, folder: str) -> None:
        """Writes a file into a folder for each file that is read, unless that was done before."""
        tasks = tasks_of(self.args.names, folder, self.fail)
        check_metrics(self.args.metrics, (task.source for task in tasks), "read")
        written = [RECORD, *(task.name for task in tasks)]
        check_metrics(self.args.metrics, (os.path.join(folder, name) for name in written), "written")
        os.makedirs(openable(folder), exist_ok=True)
        with closing(Record(openable(folder, has_more_below=True), self.args.policy)) as record:

            def work(task: Task) -> InputError | None:
                try:
                    self.write_file(task, openable(os.path.join(folder, task.name)), record)
                except InputError as error:
                    return error
                except OSError as error:
                    place = error.filename or task.source
                    return InputError(f"{place}: {(error.strerror or str(error)).lower()}")
                return None

            with (
                limited_memory(folder, self.args.memory, self.args.jobs),
                closing(in_order(tasks, work, self.args.jobs, self.cancel)) as ended,
            ):
                for _, error in ended:
                    if error is not None:
                        self.fail(error)

    def cancel(self) -> None:
        self.redaction.cancelled = True

    def write_file(self, task: Task, path: str, record: Record) -> None:
        if self.redaction.cancelled:
            raise Cancelled
        if record.is_done(task, path):
            self.totals.add_skipped()
            return
        os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
        with open_file(task.source) as opened:
            begin = now()
            source = os.fstat(opened.fileno())
            is_new = not os.path.exists(path)
            # For a small file, to wait takes longer than all the rest. What is new can be made again.
            with open_output(path, waits=not is_new) as out:
                if is_new:
                    narrow(out.fileno(), opened.fileno())
                packed = packed_output(path, out)
                self.redaction.run(task.source, packed or out, int, shows_progress=False, opened=opened)
                if packed is not None:
                    packed.finish()
        record.add(task, source, begin, path)


def raise_error(error: InputError) -> None:
    raise error
