"""The options of the commands: what argparse saw of them (LowArgs), and what is decided from it (HiArgs).

An option is a row here, or, if only one of the other commands has it, in the module of that command. What it means is
decided below, once; commands take what they need of that.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from weburl import URL, InvalidURL
from weburl._arrow.schedule import count_threads
from weburl.cli._arguments import LowArgs, Options, argument_text, option
from weburl.cli._edits import Edits
from weburl.cli._exit import UsageError
from weburl.cli._memory import MEMORY, most_threads
from weburl.cli._messages import quoted
from weburl.cli._output_fields import REDACTED, OutputField
from weburl.cli.readers.formats import FORMATS
from weburl.cli.readers.packings import PACKINGS
from weburl.cli.readers.reading import Reading
from weburl.cli.readers.records.log_format import LogFormat, log_format
from weburl.cli.writers.formats import WRITERS, ChosenWriter, chosen_writer
from weburl.cli.writers.output_file import is_same_file
from weburl.cli.writers.output_writer import OutputWriter

MAX_LINE: Final = 1 << 24  # bytes
SIZE: Final = re.compile("([0-9]{1,15})([KMG]?)", re.ASCII | re.IGNORECASE)
INVALID: Final = ("keep", "drop", "fail")
FILE: Final = "file="
HOSTS_HELP: Final = "a host on each line, names as in /etc/hosts, or a blocklist"


def _listed(names: Sequence[str], word: str) -> str:
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


def size(text: str) -> int:
    """A number of bytes, as --max-line takes it."""
    match = SIZE.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"SIZE is a number of bytes, as 65536, 64K, 16M or 1G, not {quoted(text)}")
    # More than anything has is as much as can be counted.
    return min(int(match[1]) << 10 * " KMG".index(match[2].upper() or " "), sys.maxsize >> 1)


class InvalidChoices(tuple[str, ...]):
    """What --invalid takes; also file=PATH, which no list of words has."""

    def __contains__(self, text: object) -> bool:
        return super().__contains__(text) or (isinstance(text, str) and text.startswith(FILE))


# What argparse sees.


def memory_option(group: str = "input") -> Any:
    return option(
        "--memory", group=group, metavar="SIZE", type=size, default=MEMORY,
        help="about how much memory the command may keep, as 64M or 4G (default: 128M). What needs more is kept on "
        "disk, or ends the command with status 3",
    )  # fmt: skip


class InputArgs(LowArgs):
    files: list[str] = option(
        "-f", "--file", group="input", metavar="FILE", action="extend", nargs="+", default=[],
        help=f"read URLs from the files up to the next option: one on each line, or {_listed([*FORMATS][1:], 'or')} "
        "if a name ends so. FILE may also be a folder or a glob in quotes; "
        f"{_listed([packing.name for packing in PACKINGS], 'and')} are unpacked; - is standard input",
    )  # fmt: skip
    column: str | None = option(
        "--column", group="input", metavar="NAME",
        help="the column of csv, tsv, parquet or arrow that has the URLs: its name, or its number (from 1) if there "
        "is no header",
    )  # fmt: skip
    field: str | None = option(
        "--field", group="input", metavar="NAME",
        help="the field of jsonl that has the URLs; a.b is the field b of the object a",
    )  # fmt: skip
    input_format: str | None = option(
        "--input", group="input", choices=list(FORMATS), help="the format of FILE, whatever its name"
    )
    log: LogFormat | None = option(
        "--log", group="input", metavar="FORMAT", type=lambda text: log_format(argument_text(text)),
        help="read access logs: common, combined, or a format of nginx or Apache, as '$remote_addr \"$request\"'. The "
        "URLs are those of the requests: at the log's host, or at that of --base",
    )  # fmt: skip
    max_line: int = option(
        "--max-line", group="input", metavar="SIZE", type=size, default=MAX_LINE,
        help="the most bytes of a line, or of a record of csv and tsv: 65536, 64K, 16M (the default) or 1G; 0 is no "
        "limit. A longer line is not held in memory: its row fails with too-long",
    )  # fmt: skip
    memory: int = memory_option()


class FileArgs(InputArgs):
    """Of commands whose arguments are files."""

    names: list[str] = option(nargs="*", metavar="FILE")


class URLArgs(LowArgs):
    urls: list[str] = option(nargs="*", metavar="URL", help="a URL; with --base also a relative one")
    version: bool = option(
        "--version", action="store_true",
        help="print the versions of weburl and of the URL Standard, and the kernels",
    )  # fmt: skip


WHICH: Final = "which URLs are printed"
CHANGES: Final = "changes, made in this order"
OUTPUT: Final = "output"
FAILURES: Final = "lines that are not URLs"
KEYS: Final = "keys"
OTHER_FILE: Final = "the other file"


def format_option(shown: str) -> Any:
    """-g, with the format that is used without it."""
    return option(
        "-g", "--get", group=OUTPUT, metavar="FORMAT",
        help="what to print for each URL, as '{hostname} {query:id}'; \\n \\t {{ }} are characters "
        f"(default: {shown}); "
        f"with {_listed([writer.option for writer in WRITERS], 'or')}, the columns",
    )  # fmt: skip


def _writer_options() -> Any:
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
    return option(
        "--invalid", group=FAILURES, choices=InvalidChoices(INVALID), metavar="{keep,drop,fail,file=PATH}",
        default=default,
        help="print an empty line (keep), skip it (drop), end at the first one (fail), or skip it and write it to PATH "
        "with its line and the reason (file=PATH); default: %(default)s",
    )  # fmt: skip


class ConvertArgs(InputArgs, URLArgs):
    match: list[str] = option(
        "--match", group=WHICH, metavar="PATTERN", action="append", default=[],
        help="only URLs that match, as 'https://*.example.com/books/:id'; {group:id} prints what :id is",
    )  # fmt: skip
    not_match: list[str] = option(
        "--not-match", group=WHICH, metavar="PATTERN", action="append", default=[], help="only URLs that do not match"
    )
    routes: str | None = option(
        "--routes", group=WHICH, metavar="FILE",
        help="{route} prints which pattern of FILE is the first that matches, and {group:NAME} a group of it; "
        "FILE has a pattern on each line, or a key, a tab and a pattern",
    )  # fmt: skip
    hosts: list[str] = option(
        "--hosts", group=WHICH, metavar="FILE", action="append", default=[],
        help=f"only URLs whose hosts are in FILE: {HOSTS_HELP}",
    )  # fmt: skip
    not_hosts: list[str] = option(
        "--not-hosts", group=WHICH, metavar="FILE", action="append", default=[],
        help="only URLs whose hosts are not in FILE",
    )  # fmt: skip
    base: str | None = option("--base", group=CHANGES, metavar="URL", help="resolve relative URLs against this URL")
    resolve_empty: bool = option(
        "--resolve-empty", group=CHANGES, action="store_true",
        help="resolve empty lines, too: to the URL of --base. Without it they are not URLs",
    )  # fmt: skip
    assignments: list[str] = option(
        "-s", "--set", group=CHANGES, metavar="PART=VALUE", action="append", default=[],
        help="set a part, as -s host=example.com; without VALUE, remove it",
    )  # fmt: skip
    iterations: list[str] = option(
        "--iterate", group=CHANGES, metavar="PART=ITEMS", action="append", default=[],
        help="print each URL once for each item, with the part set to it, as --iterate 'port=80 8080'",
    )  # fmt: skip
    globs: list[str] = option(
        "--qtrim", group=CHANGES, metavar="GLOB", action="append", default=[],
        help="remove the parameters whose names match, as --qtrim 'utm_*'",
    )  # fmt: skip
    replacements: list[str] = option(
        "--replace", group=CHANGES, metavar="NAME=VALUE", action="append", default=[],
        help="replace the parameter with this name, if there is one",
    )  # fmt: skip
    additions: list[str] = option(
        "-a", "--append", group=CHANGES, metavar="query=NAME=VALUE", action="append", default=[],
        help="add a parameter; or, with path=SEGMENT, a segment at the end of the path",
    )  # fmt: skip
    sort_query: bool = option("--sort-query", group=CHANGES, action="store_true", help="sort the parameters by name")
    policy: str | None = option(
        "--policy", group=CHANGES, metavar="POLICY",
        help="print the canonical form by this policy: whatwg, whatwg-no-fragment, crawl or surt",
    )  # fmt: skip
    format: str | None = format_option("{href}")
    writers: list[ChosenWriter] = _writer_options()
    keep: str | None = option(
        "--keep", group=OUTPUT, metavar="NAMES", nargs="?", const="*",
        help="keep all columns of the input beside the new ones, or those with these names: --keep=id,time; "
        "{column:NAME} in -g is one of them",
    )  # fmt: skip
    as_idn: bool = option(
        "--as-idn", group=OUTPUT, action="store_true", help="print hosts in Unicode, except those that may deceive"
    )
    output: str | None = option(
        "-o", "--output", group=OUTPUT, metavar="OUT", help="write to the file OUT, which is replaced at the end"
    )
    query_separator: str = option(
        "--query-separator", group=OUTPUT, metavar="CHARACTER", default="&",
        help="what is between the parameters, as ;, for {query:NAME} and for changes (default: &)",
    )  # fmt: skip
    default_port: bool = option(
        "--default-port", group=OUTPUT, action="store_true",
        help="print the scheme's default port as {port} where there is none",
    )  # fmt: skip
    accept_space: bool = option(
        "--accept-space", group=OUTPUT, action="store_true",
        help="for scripts of trurl: spaces in URLs are always encoded",
    )  # fmt: skip
    invalid: str = invalid_option("keep")
    verify: bool = option("--verify", group=FAILURES, action="store_true", help="exit with status 1 if there is one")
    threads: int | None = option(
        "--threads", group="speed", type=int, metavar="N",
        help="use at most N threads, instead of one for each core; and at most one for each 32 MiB of --memory",
    )  # fmt: skip


class KeyedArgs(ConvertArgs):
    """Of commands that compare rows by keys."""

    format: str | None = format_option("{input}")
    invalid: str = invalid_option("drop")
    key: str = option(
        "--key", group="keys", metavar="KEY", default="crawl",
        help="what is compared: host, site, or the canonical form by a policy, as crawl (the default) or whatwg",
    )  # fmt: skip


class JoinArgs(KeyedArgs):
    format: str | None = format_option("{input} and its columns")
    with_file: str = option("--with", group=OTHER_FILE, metavar="FILE", required=True, help="the other file")
    with_column: str | None = option(
        "--with-column", group=OTHER_FILE, metavar="NAME",
        help="its column that has the URLs, as --column is that of FILE",
    )  # fmt: skip
    with_field: str | None = option(
        "--with-field", group=OTHER_FILE, metavar="NAME",
        help="its field that has the URLs, as --field is that of FILE",
    )  # fmt: skip
    with_input: str | None = option(
        "--with-input", group=OTHER_FILE, choices=list(FORMATS), help="its format, whatever its name"
    )
    with_keep: str | None = option(
        "--with-keep", group=OTHER_FILE, metavar="NAMES",
        help="its columns to take, instead of all: --with-keep=id,owner. In formats and headers, they are with.id and "
        "with.owner",
    )  # fmt: skip
    left: bool = option(
        "--left", group="keys", action="store_true", help="also print rows of FILE that have no counterpart"
    )


# What is decided.


def reading_of(
    low: InputArgs, *, base: str | None = None, threads: int | None = None, takes_urls: bool = False
) -> Reading:
    return Reading(
        files=low.files,
        column=low.column,
        field=low.field,
        format=low.input_format,
        log=low.log,
        limit=low.max_line or sys.maxsize,
        memory=low.memory,
        threads=min(count_threads(threads), most_threads(low.memory)),
        base=base,
        takes_urls=takes_urls,
    )


def reading_of_names(low: FileArgs, base: str | None = None, threads: int | None = None) -> Reading:
    """The same for commands whose arguments are files."""
    reading = reading_of(low, base=base, threads=threads)
    return reading._replace(files=[*low.names, *low.files])


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
    base: str | None  # serialized
    resolve_empty: bool
    # Which URLs are printed.
    match: Sequence[str]
    not_match: Sequence[str]
    routes: str | None
    hosts: Sequence[str]
    not_hosts: Sequence[str]
    # How they are changed.
    edits: Edits
    policy: str | None
    # What is printed of them, and where.
    writer: type[OutputWriter]
    path: str | None
    format: str  # as it is spelled, for messages
    template: Sequence[str | OutputField] | None  # None if there is no format
    keeps_all: bool
    kept_names: Sequence[str] | None  # None without --keep
    as_idn: bool
    default_port: bool
    failures: Failures

    @property
    def redacts(self) -> bool:
        """Whether what is not asked for by name has no secrets."""
        return any(isinstance(part, OutputField) and part.name == REDACTED for part in self.template or ())


def decided(low: ConvertArgs) -> HiArgs:
    """What the options mean together; raises UsageError if that is nothing."""
    writer, path = chosen_writer(low.writers, low.output)
    failures = _failures(low)
    if failures.path is not None and path is not None and is_same_file(failures.path, path):
        raise UsageError(f"-o and --invalid file=PATH name one file: {quoted(path)}")
    format = "" if low.format is None else argument_text(low.format)
    template = None if low.format is None else writer.template(format, drop=failures.drop)
    must = [part for part in template or () if isinstance(part, OutputField) and part.must]
    if low.keep is not None and writer.keep is None:
        raise UsageError("--keep is for records, as --json and --csv: {column:NAME} in -g is one column")
    return HiArgs(
        urls=[argument_text(text) for text in low.urls],
        reading=reading_of(low, base=low.base, threads=low.threads, takes_urls=True),
        base=_base(low.base),
        resolve_empty=low.resolve_empty,
        match=low.match,
        not_match=low.not_match,
        routes=low.routes,
        hosts=low.hosts,
        not_hosts=low.not_hosts,
        edits=Edits(
            list(dict.fromkeys(must)),
            assignments=low.assignments,
            additions=low.additions,
            replacements=low.replacements,
            iterations=low.iterations,
            globs=low.globs,
            sort=low.sort_query,
            separator=low.query_separator,
        ),
        policy=low.policy,
        writer=writer,
        path=path,
        format=format,
        template=template,
        keeps_all=low.keep == "*",
        kept_names=None if low.keep is None else list(filter(None, argument_text(low.keep).split(","))),
        as_idn=low.as_idn,
        default_port=low.default_port,
        failures=failures,
    )


def _base(text: str | None) -> str | None:
    try:
        return None if text is None else URL(text).href
    except InvalidURL as error:
        raise UsageError(f"--base: {error}") from None


def _failures(low: ConvertArgs) -> Failures:
    path = None
    if low.invalid.startswith(FILE):
        path = low.invalid.removeprefix(FILE)
        if not path or path == "-":
            raise UsageError(f"--invalid file=PATH needs the name of a file, not {quoted(path)}")
    return Failures(low.invalid == "drop" or path is not None, low.invalid == "fail", path, low.verify)
