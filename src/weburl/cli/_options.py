"""The options of the commands: what the arguments say (LowArgs), and what is decided from it (HiArgs).

An option is a row here, or beside what is decided from it: `EditArgs`, `PatternArgs`, `HostArgs`, and those of single
commands. What all options mean together is decided once, in `decided`; commands take what they need of that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial

from weburl import URL, InvalidURL
from weburl._arrow.schedule import count_threads
from weburl._named_tuple import NamedTuple
from weburl.cli._arguments import (
    CHANGES,
    OUTPUT,
    RESOLVES,
    LowArgs,
    Options,
    argument_text,
    base_option,
    flag,
    option,
    output_option,
)
from weburl.cli._conversion import RowPlan, plan_rows
from weburl.cli._edits import EditArgs, edits_of
from weburl.cli._exit import UsageError
from weburl.cli._host_filter import HostArgs, host_jobs
from weburl.cli._line_format import parse_columns
from weburl.cli._memory import MEMORY, most_threads
from weburl.cli._messages import listed, printable, quoted
from weburl.cli._output_fields import (
    COLUMN,
    COLUMN_NAMES,
    DEFAULT_PORT,
    HIDING,
    OF_TIMES,
    REDACTED,
    OutputField,
)
from weburl.cli._packings import UNPACKED
from weburl.cli._patterns import PatternArgs, patterns_of
from weburl.cli.readers.formats import FORMATS
from weburl.cli.readers.reading import Keep, Reading, RowFilter
from weburl.cli.writers.formats import WRITERS, ChosenWriter, chosen_writer
from weburl.cli.writers.output_file import is_same_file
from weburl.cli.writers.output_writer import TABLE_CODECS, Compression, OutputWriter, TableOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from weburl._crawl.policy import Policy
    from weburl._redact.redact import LogPolicy
    from weburl._robots.robots import Compat
    from weburl.cli.readers.reading import Moment
    from weburl.cli.readers.records.log_format import LogFormat

MAX_LINE: Final = 1 << 24  # bytes
SIZE_DIGITS: Final = 15
FILE: Final = "file="
INVALID: Final = ("keep", "drop", "fail", FILE)
INPUT: Final = "input"
ALL: Final = "*"  # what --keep without a value has
UNPACKED_NAMES: Final = [packing.name for packing in UNPACKED.values()]
FAILURES: Final = "lines that are not URLs"


def size(text: str) -> int:
    """A number of bytes, as --max-line takes it."""
    digits = text[:-1] if text[-1:].upper() in ("K", "M", "G") else text
    if not (digits.isascii() and digits.isdigit()) or len(digits) > SIZE_DIGITS:
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(f"SIZE is a number of bytes, as 65536, 64K, 16M or 1G, not {quoted(text)}")
    # More than anything has is as much as can be counted.
    return min(int(digits) << 10 * " KMG".index(text[len(digits) :].upper() or " "), sys.maxsize >> 1)


def positive(text: str) -> int:
    """A number of what there is at least one of."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(f"N is a number that is at least 1, not {quoted(text)}")
    # More than there are of anything.
    return min(number, sys.maxsize >> 1)


def _log_format(text: str) -> LogFormat:
    from weburl.cli.readers.records.log_formats import log_format

    return log_format(argument_text(text))


def compression(text: str) -> Compression:
    """What --compression takes."""
    name, colon, level = text.partition(":")
    levels_of = {codec.name: codec.most for codec in TABLE_CODECS}
    most = levels_of.get(name)
    if most is None or (colon and not (level.isascii() and level.isdigit() and 1 <= int(level[:3]) <= most)):
        from argparse import ArgumentTypeError

        levels = f"the level of {name} is 1 to {most}" if most else f"{name} has no level"
        wrong = f"the names are {listed([*levels_of], 'and')}" if most is None else levels
        raise ArgumentTypeError(f"{wrong}, not {quoted(text)}")
    return Compression(name, int(level) if colon else None)


def _statuses(text: str) -> tuple[tuple[int, int], ...]:
    from weburl.cli.readers.row_filter import statuses

    return statuses(argument_text(text))


def _moment(text: str) -> Moment:
    from weburl.cli.readers.row_filter import moment

    return moment(argument_text(text))


class InvalidChoices(tuple[str, ...]):
    """What --invalid takes; also file=PATH, which no list of words has."""

    def __contains__(self, text: object) -> bool:
        return super().__contains__(text) or (isinstance(text, str) and text.startswith(FILE))


# The tables.


def memory_option(group: str = "") -> Any:
    return option("--memory", group=group, metavar="SIZE", type=size, default=MEMORY,
        help="the most memory for data, such as 64M or 4G (default: 128M). If it is not enough, the command "
        "ends with status 3. But dedup and join put their keys into temporary files, and stats forgets rare "
        "names")  # fmt: skip


def threads_option(group: str = "") -> Any:
    return option("--threads", group=group, type=positive, metavar="N",
        help="use at most N threads (default: one for each core, but at most one for each 32 MiB of --memory)",
    )  # fmt: skip


def max_line_option(help: str, group: str = "", default: int = MAX_LINE) -> Any:
    return option("--max-line", group=group, metavar="SIZE", type=size, default=default, help=help)


def files_argument(**more: Any) -> Any:
    return option(nargs="*", metavar="FILE", **more)


def column_option(help: str, group: str = "", flag: str = "--column") -> Any:
    return option(flag, group=group, metavar="NAME", type=argument_text, help=help)


def input_option(
    of: str, group: str = "", flag: str = "--input", formats: Sequence[str] = list(FORMATS), more: str = ""
) -> Any:
    return option(flag, group=group, choices=formats, help=f"{of}, whatever its name{more}")


def log_option(what: str, group: str = "", more: str = "") -> Any:
    def help() -> str:
        from weburl.cli.readers.records.log_formats import names_of_formats

        formats = f"{names_of_formats()}; or a format of nginx, Apache or Envoy, such as '$remote_addr \"$request\"'"
        return f"{what}. FORMAT is {formats}{more}"

    return option("--log", group=group, metavar="FORMAT", type=_log_format, help=help)


def policy_option(what: str, group: str = "") -> Any:
    return option("--policy", group=group, metavar="POLICY", type=argument_text,
        help=f"{what}. POLICY is whatwg, whatwg-no-fragment, crawl, surt, or your own, such as "
        "CrawlPolicy(remove_www=True)")  # fmt: skip


def log_policy_option(what: str, group: str = "", default: str | None = None) -> Any:
    return option("--log-policy", group=group, metavar="POLICY", default=default,
        help=f"{what}. POLICY is logs, logs-strict, otel, a file such as shop.toml, or your own, such as "
        "\"LogPolicy(kept_names={'state'})\"")  # fmt: skip


class InputArgs(LowArgs):
    files: list[str] = option("-f", "--file", group=INPUT, metavar="FILE", action="extend", nargs="+", default=[],
        help="read URLs from these files; the list ends at the next option. A file has a URL on each line, unless its "
        f"name ends in {listed([*FORMATS][1:], 'or')}. {listed(UNPACKED_NAMES, 'and')} are decompressed. "
        "FILE can also be a folder, a glob in quotes, an object (s3://, gs:// or https://; pip install "
        "weburl[storage]), or - for standard input")  # fmt: skip
    column: str | None = column_option(
        "the column of csv, tsv, parquet or arrow that has the URLs. If there is no header, NAME is the number of the "
        "column, from 1", INPUT)  # fmt: skip
    field: str | None = option("--field", group=INPUT, metavar="NAME", type=argument_text,
        help="the field of jsonl that has the URLs; a.b is the field b of the object a")  # fmt: skip
    input_format: str | None = input_option("the format of FILE", INPUT)
    log: LogFormat | None = log_option(
        "read the requests of logs", INPUT, ". If its lines have no host, name it with --base"
    )
    statuses: tuple[tuple[int, int], ...] | None = option("--status", group=INPUT, metavar="STATUS", type=_statuses,
        help="read only requests with this status: 404, 5xx, 400-499, or several with commas between them. Other "
        "records than those of logs need a column or a field \"status\"")  # fmt: skip
    since: Moment | None = option("--since", group=INPUT, metavar="TIME", type=_moment,
        help="read only requests from this time on: 2026-11-28, 2026-11-28T14:30, 2026-11-28T14:30+01:00; or 30m, "
        "12h or 7d, counted back from now. Other records than those of logs need a column or a field \"time\". "
        "Without a zone, TIME is in the zone of each record")  # fmt: skip
    until: Moment | None = option("--until", group=INPUT, metavar="TIME", type=_moment,
        help="read only requests before this time")  # fmt: skip
    max_line: int = max_line_option(group=INPUT,
        help="the most bytes of a line, or of a record of csv and tsv, such as 64K or 1G (default: 16M); 0 means no "
        "limit. A longer line is not held in memory. It counts as not a URL: its error is too-long")  # fmt: skip
    memory: int = memory_option(INPUT)


class FileArgs(InputArgs):
    """Of commands whose arguments are files."""

    names: list[str] = files_argument()


class URLArgs(LowArgs):
    urls: list[str] = option(nargs="*", metavar="URL", help="a URL; with --base, it can be relative")
    version: bool = flag("--version",
        help="print the versions of weburl and of the URL Standard, and which instructions of the processor "
        "weburl uses")  # fmt: skip
    verbose: bool = flag("--verbose",
        help="with --version: also print how old the standards and lists are that weburl has")  # fmt: skip


class BaseArgs(LowArgs):
    base: str | None = base_option(RESOLVES, CHANGES)
    resolve_empty: bool = flag("--resolve-empty", group=CHANGES,
        help="resolve empty lines to the URL of --base; without this option, they are not URLs")  # fmt: skip


def format_option(shown: str) -> Any:
    """-g, with the format that is used without it."""
    return option("-g", "--get", group=OUTPUT, metavar="FORMAT",
        help="what to print for each URL, such as '{hostname} {query:id}'; \\n is a newline, \\t a tab, {{ and }} are "
        f"braces (default: {shown}). With {listed([writer.option for writer in WRITERS], 'or')}, the names are the "
        "columns")  # fmt: skip


def writer_options() -> Any:
    """An option for each of WRITERS."""
    rows = Options()
    for writer in WRITERS:
        more: dict[str, Any] = {"action": "append_const", "const": (writer, None)}
        if writer.takes_file:
            more = {"action": "append", "type": partial(_with_path, writer), "metavar": "OUT"}
        rows += option(writer.option, group=OUTPUT, help=writer.help, default=[], **more)
    return rows


def _with_path(writer: type[OutputWriter], path: str) -> ChosenWriter:
    return writer, path


def invalid_option(default: str) -> Any:
    return option("--invalid", group=FAILURES, choices=InvalidChoices(INVALID), metavar="{keep,drop,fail,file=PATH}",
        default=default,
        help="what to do with such a line: keep prints an empty line, drop leaves the line out, fail ends the command, "
        "file=PATH leaves the line out and writes it to PATH, with the reason (default: %(default)s)")  # fmt: skip


def _compression_help() -> str:
    names = ", ".join(
        f"{writer.option} with {listed(writer.codecs, 'or')} (default: {writer.usual_codec})"
        for writer in WRITERS
        if writer.codecs
    )
    levels = ", and ".join(f"1 to {codec.most} for {codec.name}" for codec in TABLE_CODECS if codec.most)
    return f"compress {names}. LEVEL is {levels}, as in zstd:3"


class TableArgs(LowArgs):
    """Of the writers of Parquet and Arrow."""

    compression: Compression | None = option("--compression", group=OUTPUT, type=compression, metavar="NAME[:LEVEL]",
        help=_compression_help)  # fmt: skip
    partition_by: str | None = option("--partition-by", group=OUTPUT, metavar="NAMES", type=argument_text,
        help="make OUT of --parquet or --arrow a new folder, with a folder for each value of these columns, as in "
        "host=a.example/date=2026-11-22. NAMES are as in -g; date is the day of the column time, in UTC, and hour "
        "its hour, as 2026-11-22T10")  # fmt: skip
    row_group: int | None = option("--row-group", group=OUTPUT, metavar="SIZE", type=size,
        help="write as many rows at a time as have SIZE bytes before they are compressed, such as 8M (default: 131,072 "
        "rows, or fewer that have 32M). SIZE is at most a quarter of --memory")  # fmt: skip


class ConvertArgs(EditArgs, BaseArgs, HostArgs, PatternArgs, InputArgs, TableArgs, URLArgs):
    policy: str | None = policy_option("print the canonical form of the URL", CHANGES)
    log_policy: str | None = log_policy_option("what {redacted} and {template} hide", OUTPUT)
    format: str | None = format_option("{href}")
    writers: list[ChosenWriter] = writer_options()
    keep: str | None = option("--keep", group=OUTPUT, metavar="NAMES", nargs="?", const=ALL,
        help="also write columns of the input: all of them, or those that you list, as in --keep=id,time. In -g, "
        "{column:NAME} is the column NAME")  # fmt: skip
    as_idn: bool = flag(
        "--as-idn", group=OUTPUT, help="print hosts in Unicode, except labels that may deceive a reader"
    )
    output: str | None = output_option("the input", group=OUTPUT, other=", or to the object OUT (s3:// or gs://)")
    default_port: bool = flag("--default-port", group=OUTPUT,
        help="if a URL has no port, print the default port of its scheme as {port}")  # fmt: skip
    accept_space: bool = flag("--accept-space", group=OUTPUT,
        help="does nothing, because spaces in URLs are always accepted. It lets scripts for trurl run")  # fmt: skip
    invalid: str = invalid_option("keep")
    verify: bool = flag("--verify", group=FAILURES, help="exit with status 1 if there is such a line")
    threads: int | None = threads_option("speed")


class KeyedArgs(ConvertArgs):
    """Of commands that compare rows by keys."""

    format: str | None = format_option("{input}")
    invalid: str = invalid_option("drop")
    key: str = option("--key", group="keys", metavar="KEY", default="crawl",
        help="which rows belong together: those with the same hostname, the same registrable_domain, or the same "
        "canonical form under a policy (default: crawl)",
    )  # fmt: skip


# What is decided.


def count_of_threads(option: str, threads: int | None, memory: int) -> int:
    """What an option with a number of threads decides."""
    try:
        return min(count_threads(threads), most_threads(memory))
    except ValueError as error:
        raise UsageError(f"{option}: {error}") from None


def limit_of(max_line: int) -> int:
    """The most bytes of a line, by --max-line."""
    return max_line or sys.maxsize


def reading_of(low: InputArgs, base: str | None = None, threads: int | None = None) -> Reading:
    """How the files are read. The arguments of a command may be files, too."""
    names = low.names if isinstance(low, FileArgs) else []
    if low.log is not None:
        _check_log(low, low.log, base)
    return Reading(
        files=[*names, *low.files],
        column=low.column,
        field=low.field,
        format=low.input_format,
        log=low.log,
        limit=limit_of(low.max_line),
        memory=low.memory,
        threads=count_of_threads("--threads", threads, low.memory),
        base=base,
        takes_urls=not isinstance(low, FileArgs),
        filter=_row_filter(low),
    )


def _row_filter(low: InputArgs) -> RowFilter | None:
    if low.statuses is None and low.since is None and low.until is None:
        return None
    row_filter = RowFilter(low.statuses or (), low.since, low.until)
    known = row_filter.columns if low.log is None or low.log.has_names_of_lines else low.log.columns
    missing = [name for name in row_filter.columns if name not in known]
    if missing:
        raise UsageError(f"the lines of the log have no {missing[0]}")
    return row_filter


def _check_log(low: InputArgs, log: LogFormat, base: str | None) -> None:
    for name, value in (("column", low.column), ("field", low.field), ("input", low.input_format)):
        if value is not None:
            raise UsageError(f"--log does not go with --{name}")
    if base is None and log.needs_base:
        raise UsageError("the lines of the log have no host: --base URL says whose log it is")
    if base is not None and not URL(base).host:
        raise UsageError("--base needs a host, which the requests of a log were for")


class Failures(NamedTuple):
    """What is done with rows that are not URLs."""

    drop: bool  # they are not printed
    fail: bool  # the first one ends the command
    path: str | None  # the file that they are written to
    verify: bool  # the command ends with status 1 if there are some


class HiArgs(NamedTuple):
    """What convert, dedup and join do."""

    urls: Sequence[str]
    reading: Reading
    # Which URLs are printed, how they are changed, and what is made of them.
    plan: RowPlan
    # What is printed of them, and where.
    writer: type[OutputWriter]
    path: str | None
    table: TableOptions
    template: Sequence[str | OutputField]
    keep: Keep  # the columns of the input that are read
    failures: Failures


# What is printed of a row without -g: by the writer, whether there is --keep, and whether rows that fail are left out.
DefaultTemplate = Callable[[type[OutputWriter], bool, bool], Sequence[str | OutputField]]


def default_template(writer: type[OutputWriter], keeps: bool, drop: bool) -> Sequence[str | OutputField]:
    """A table has the columns that are asked for."""
    return writer.template("{href} {error}" if keeps and writer.codecs else None, drop=drop)


def decided(low: ConvertArgs, default: DefaultTemplate = default_template) -> HiArgs:
    """Decides what the options mean together; UsageError if they contradict each other."""
    writer, path = chosen_writer(low.writers, low.output)
    failures = _failures(low)
    if failures.path is not None and path is not None and is_same_file(failures.path, path):
        raise UsageError(f"-o and --invalid file=PATH name one file: {quoted(path)}")
    format = "" if low.format is None else argument_text(low.format)
    asked = None if low.format is None else writer.template(format, drop=failures.drop)
    must = [part for part in asked or () if isinstance(part, OutputField) and part.must]
    if low.keep is not None and writer.keep is None:
        raise UsageError("--keep is for records, as --json and --csv: {column:NAME} in -g is one column")
    base = base_of(low.base)
    reading = reading_of(low, base, low.threads)
    edits = edits_of(low, list(dict.fromkeys(must)))
    hiding = [part for part in asked or () if isinstance(part, OutputField) and part.name in HIDING]
    log_policy = _log_policy(low.log_policy, hiding)
    redacts = _redacting(log_policy) if any(part.name == REDACTED for part in hiding) else None
    table = _table_options(low, writer, path)
    template = default(writer, low.keep is not None, failures.drop) if asked is None else asked
    template, keep = _kept(low.keep, template, table.partition_by, writer.keep or Keep())
    if low.default_port:
        port = OutputField("port", None, "port")
        template = [part._replace(name=DEFAULT_PORT) if part == port else part for part in template]
    fields = [part for part in template if isinstance(part, OutputField)]
    patterns = patterns_of(low, fields, format, base, low.memory)
    plan = plan_rows(
        fields,
        patterns,
        [*patterns.filters, *host_jobs(low, base, low.memory)],
        base=base,
        limit=reading.limit,
        skips_empty=base is not None and not low.resolve_empty,
        edits=edits,
        policy=_policy(low.policy),
        log_policy=log_policy,
        redacts=redacts,
        as_idn=low.as_idn,
    )
    return HiArgs(
        urls=[argument_text(text) for text in low.urls],
        reading=reading._replace(threads=1) if plan.needs_gil else reading,
        plan=plan,
        writer=writer,
        path=path,
        table=table,
        template=template,
        keep=keep._replace(redacts=redacts),
        failures=failures,
    )


def _kept(
    text: str | None, template: Sequence[str | OutputField], partitions: Sequence[OutputField], keep: Keep
) -> tuple[Sequence[str | OutputField], Keep]:
    """The template with the columns that --keep lists and those of partitions before it, and what is kept for it."""
    fields = [part for part in template if isinstance(part, OutputField)]
    listed = [] if text is None or text == ALL else list(dict.fromkeys(names_of(text)))
    # Tables have no column twice.
    labels = {*(field.label for field in fields), *listed}
    partition = [field for field in partitions if field.label not in labels]
    columns = [str(field.key) for field in fields if field.name == COLUMN and field not in partitions]
    new = frozenset(field.label for field in (*partition, *fields) if field.name != COLUMN)
    if text == ALL:
        if columns:
            name = columns[0] if columns[0] in COLUMN_NAMES else f"column:{columns[0]}"
            raise UsageError(f"--keep keeps all columns, so -g needs no {{{printable(name)}}}")
        return [*partition, *template], keep._replace(names=None, left_out=new)
    first = [name for name in listed if name not in new and name not in columns]
    of_partitions = [str(field.key) for field in partitions if field.name == COLUMN]
    names = tuple(dict.fromkeys((*first, *columns, *of_partitions)))
    before = [OutputField(COLUMN, name, name) for name in first]
    return [*before, *partition, *template], keep._replace(names=names, left_out=new)


def _table_options(low: ConvertArgs, writer: type[OutputWriter], path: str | None) -> TableOptions:
    """What the options of tables mean; only tables have them."""
    for spelling, value in (
        ("--compression", low.compression), ("--partition-by", low.partition_by), ("--row-group", low.row_group)
    ):  # fmt: skip
        if value is not None and not writer.codecs:
            raise UsageError(f"{spelling} is for --parquet and --arrow")
    packed = low.compression
    if packed is not None and packed.name not in writer.codecs:
        raise UsageError(f"{writer.option} takes --compression {listed(writer.codecs, 'or')}, not {packed.name}")
    if low.row_group is not None and not 0 < low.row_group <= low.memory >> 2:
        raise UsageError("--row-group is at least 1, and at most a quarter of --memory")
    fields: list[OutputField] = []
    if low.partition_by is not None:
        if path is None or path == "-":
            raise UsageError("--partition-by needs the name of a new folder, and not standard output")
        for name in low.partition_by.split(","):
            fields += [OF_TIMES[name]] if name in OF_TIMES else parse_columns(f"{{{name}}}")
    times = frozenset(["time"] if low.log is not None else [])
    return TableOptions(packed, tuple(dict.fromkeys(fields)), low.row_group, times)


def _policy(text: str | None) -> Policy | None:
    if text is None:
        return None
    from weburl.cli._policies import crawl_policy

    return crawl_policy("--policy", text)


def _log_policy(text: str | None, hiding: Sequence[OutputField]) -> LogPolicy | None:
    if text is None:
        return None
    if not hiding:
        raise UsageError("--log-policy is for {redacted} and {template} in -g")
    from weburl.cli._policies import log_policy

    return log_policy("--log-policy", text)


def _redacting(policy: LogPolicy | None) -> LogPolicy:
    """The policy for all other output when {redacted} is printed: --log-policy, or logs."""
    from weburl._redact.redact import find_log_policy

    return policy or find_log_policy("logs")


def names_of(text: str) -> list[str]:
    """Names with commas between them."""
    return [name for name in argument_text(text).split(",") if name]


def base_of(text: str | None) -> str | None:
    """What --base says, serialized."""
    try:
        return None if text is None else URL(text).href
    except InvalidURL as error:
        raise UsageError(f"--base: {error}") from None


def agent_of(text: str, compat: Compat) -> str:
    """What --agent says, a product token."""
    from weburl._robots.robots import check_agent

    try:
        return check_agent(text, compat)
    except ValueError as error:
        # The command has no `product_token()`.
        message = str(error).removesuffix(", or use product_token()")
        raise UsageError(f"--agent: {message}") from None


def _failures(low: ConvertArgs) -> Failures:
    path = None
    if low.invalid.startswith(FILE):
        path = low.invalid.removeprefix(FILE)
        if not path or path == "-":
            raise UsageError(f"--invalid file=PATH needs the name of a file, not {quoted(path)}")
    return Failures(low.invalid == "drop" or path is not None, low.invalid == "fail", path, low.verify)
