"""weburl redact: prints any text, such as a log, without its secrets."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, nullcontext, suppress
from typing import Any, Final

from weburl._arrow.schedule import count_threads, in_order
from weburl.cli._arguments import LowArgs, flag, option
from weburl.cli._exit import ExitCode, InputError, UsageError
from weburl.cli._log_policy import log_policy
from weburl.cli._memory import limited_memory, most_threads
from weburl.cli._messages import complain, quoted
from weburl.cli._options import files_argument, max_line_option, memory_option, positive
from weburl.cli._parser import ArgumentParser
from weburl.cli._progress import is_terminal
from weburl.cli.readers.names import files_of
from weburl.cli.readers.open_files import open_file
from weburl.cli.readers.reading import STDIN
from weburl.cli.redacting.mirror import RECORD, Record, Task, narrow, now, tasks_of
from weburl.cli.redacting.run import STANDARD_INPUT, Cancelled, Redaction
from weburl.cli.redacting.tally import Tally
from weburl.cli.writers.output_file import is_same_file, open_output
from weburl.cli.writers.packed import packed_output

MAX_LINE: Final = 1 << 20
EXAMPLES: Final = r"""examples:
  weburl redact app.log > clean.log
  weburl redact app.log -o app.log
  cat app.log | weburl redact --policy logs-strict
  weburl redact --explain app.log
  weburl redact logs/ -o clean/ --jobs 4

Only secrets change. They become REDACTED. Every other byte stays. The number of secrets of each kind is printed on
standard error.

A file that cannot be read is reported, and the command goes on with the next one. At its end, its status is 3.

"""


class RedactArgs(LowArgs):
    names: list[str] = files_argument(
        help="a file of any text, packed or not; a folder; a glob in quotes; - is standard input (default: -)"
    )
    output: str | None = option(
        "-o",
        "--output",
        metavar="OUT",
        help="write to the file OUT, which may be the input. It is replaced only when all is written. If its name ends "
        "in .gz, .bz2, .xz or .zst, it is compressed. If a FILE is a folder, or OUT is one, each file is written into "
        "the folder OUT, with the same name",
    )
    policy: str = option(
        "--policy",
        metavar="POLICY",
        default="logs",
        help="what is hidden: logs, logs-strict, otel, a file of TOML, or your own, such as "
        "LogPolicy(whole_addresses=True) (default: %(default)s)",
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
    low = make_parser().parse_args(arguments, RedactArgs())
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
    tally = Tally(low.metrics)
    command = RedactCommand(low, Redaction(
        log_policy("--policy", low.policy), low.max_line or sys.maxsize, low.memory, tally, explains=low.explain
    ), tally)  # fmt: skip
    folder = folder_of(names, low.output)
    try:
        if folder is not None:
            command.write_folder(names, folder)
        elif low.jobs is not None:
            raise UsageError("--jobs is for a folder: -o FOLDER says which one")
        else:
            command.write_texts(names)
    except UsageError:
        # Nothing was read, and the file of the metrics may be one that must stay.
        tally.path = None
        raise
    except (InputError, OSError, MemoryError):
        tally.add_failure()
        raise
    finally:
        tally.write_metrics()
    if sys.stdout is not None:
        sys.stdout.flush()
    if sys.stderr is not None:
        print(tally.summary(), file=sys.stderr)
    return ExitCode.FAILED if tally.failed else ExitCode.OK


def check_name(name: str) -> None:
    """Refuses a URL, which is not a file."""
    from weburl import URL

    if "://" in name and not os.path.lexists(name) and URL.can_parse(name):
        raise UsageError("a URL is not a file: weburl -g '{redacted}' URL prints a URL without its secrets")


def folder_of(names: list[str], output: str | None) -> str | None:
    """The folder that is written, if it is not a file."""
    if output is None or output == STDIN:
        return None
    separators = tuple(filter(None, (os.sep, os.altsep)))
    if os.path.isdir(output) or output.endswith(separators) or any(map(os.path.isdir, names)):
        if STDIN in names:
            raise UsageError("standard input has no name in a folder: -o FILE says which file is written")
        if os.path.exists(output.rstrip("".join(separators)) or output) and not os.path.isdir(output):
            folder = next(filter(os.path.isdir, names), None)
            why = f", and the input {quoted(folder)} is one" if folder else ""
            raise UsageError(f"{quoted(output)} is not a folder{why}: -o FOLDER says which folder is written")
        return output
    return None


def check_metrics(metrics: str | None, paths: Iterable[str], what: str) -> None:
    """Refuses a file of metrics that would replace one of the others."""
    if metrics is not None:
        for path in paths:
            if is_same_file(metrics, path):
                raise UsageError(f"--metrics names a file that is {what}: {quoted(path)}")


def check_streams(low: RedactArgs, names: list[str]) -> None:
    """Refuses a file that would replace the policy, or metrics that would replace what a stream is."""
    for name, path in (("--metrics", low.metrics), ("-o", low.output)):
        if path is not None and os.path.isfile(low.policy) and is_same_file(path, low.policy):
            raise UsageError(f"{name} names the file of the policy: {quoted(path)}")
    streams = [(0, "read")] if STDIN in names else []
    if low.output in (None, STDIN):
        streams.append((1, "written"))
    for number, what in streams:
        if low.metrics is not None and is_open_as(low.metrics, number):
            raise UsageError(f"--metrics names a file that is {what}: {quoted(low.metrics)}")


def is_open_as(path: str, number: int) -> bool:
    """Whether a file is what a descriptor has open. Devices can be written by both."""
    try:
        return os.path.isfile(path) and os.path.samestat(os.stat(path), os.fstat(number))
    except OSError:
        return False


def inputs_of(names: list[str]) -> Iterator[str]:
    for pattern in names:
        # What is wrong with an input is said when it is read.
        with suppress(InputError):
            yield from () if pattern == STDIN else files_of(pattern, ignore)


def ignore(error: InputError) -> None:
    pass


class RedactCommand:
    """The command with its options."""

    def __init__(self, low: RedactArgs, redaction: Redaction, tally: Tally) -> None:
        self.low = low
        self.redaction = redaction
        self.tally = tally

    def fail(self, error: InputError) -> None:
        self.tally.add_failure()
        if sys.stdout is not None:
            sys.stdout.flush()
        complain(str(error))

    def write_texts(self, names: list[str]) -> None:
        """Writes all texts, one after the other, to standard output or to one file.

        A file is replaced only if all could be read.
        """
        check_metrics(self.low.metrics, inputs_of(names), "read")
        output = self.low.output
        is_file = output is not None and output != STDIN
        fail = raise_error if is_file else self.fail
        explains_only = self.low.explain and output is None
        with nullcontext() if explains_only else open_output(output) as out:
            packed = None if out is None or output is None or not is_file else packed_output(output, out)
            for pattern in names:
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
        shows_progress = self.low.output is not None or not is_terminal(sys.stdout)
        pause = sys.stdout.flush if out is None else out.flush
        with limited_memory(STANDARD_INPUT if name == STDIN else name, self.low.memory, 1):
            self.redaction.run(name, out, pause, shows_progress=shows_progress)

    def write_folder(self, names: list[str], folder: str) -> None:
        """Writes a file into a folder for each file that is read, unless that was done before."""
        tasks = tasks_of(names, folder, self.fail)
        check_metrics(self.low.metrics, (task.source for task in tasks), "read")
        written = [RECORD, *(task.name for task in tasks)]
        check_metrics(self.low.metrics, (os.path.join(folder, name) for name in written), "written")
        os.makedirs(folder, exist_ok=True)
        jobs = min(count_threads(self.low.jobs), most_threads(self.low.memory))
        with closing(Record(folder, self.redaction.policy)) as record:

            def work(task: Task) -> InputError | None:
                try:
                    self.write_file(task, os.path.join(folder, task.name), record)
                except InputError as error:
                    return error
                except OSError as error:
                    place = error.filename or task.source
                    return InputError(f"{place}: {(error.strerror or str(error)).lower()}")
                return None

            with (
                limited_memory(folder, self.low.memory, jobs),
                closing(in_order(tasks, work, jobs, self.cancel)) as ended,
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
            self.tally.add_skipped()
            return
        os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
        with open_file(task.source) as opened:
            begin = now()
            source = os.fstat(opened.fileno())
            is_new = not os.path.exists(path)
            with open_output(path) as out:
                if is_new:
                    narrow(out.fileno(), opened.fileno())
                packed = packed_output(path, out)
                self.redaction.run(task.source, packed or out, int, shows_progress=False, opened=opened)
                if packed is not None:
                    packed.finish()
        record.add(task, source, begin, path)


def raise_error(error: InputError) -> None:
    raise error
