"""From a piece of an input to what is written of it."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from weburl import URL, InvalidURL
from weburl._columns import input
from weburl._columns.input import TooLong
from weburl._columns.job import FIELDS, Job
from weburl._columns.pieces import Piece
from weburl.bulk import Column
from weburl.cli._change import Change
from weburl.cli._format import INPUT, Field, parse_format
from weburl.cli._lines import Layout
from weburl.cli._status import UsageError
from weburl.cli.readers.input import TOO_LONG_NAME, Block, Row, argument_text, too_long_message
from weburl.cli.writers.output import quoted, quoted_of
from weburl.crawl import canonicalize

if TYPE_CHECKING:
    from weburl._columns.batch import Batch
    from weburl._columns.input import Input
    from weburl.cli._lines import Part

HREF: Final = Field("href", None, "href")
ERROR: Final = Field("error", None, "error")
# What a record has, unless a format says what.
RECORD: Final = [Field(name, None, name) for name in (INPUT, *FIELDS) if name != "error"]
PARAMS: Final = Field("query_pairs", None, "params")
# What --as-idn shows in another way.
WITH_HOSTS: Final = ("href", "host", "hostname", "origin", "site", "public_suffix")
NULL: Final = "null"


class Cancelled(Exception):
    """Nobody waits for it any more."""


class Done(NamedTuple):
    """What was made of a piece: lines, if there is a layout; the batches where the columns are."""

    lines: bytes
    batches: list[Batch]
    rows: int
    errors: Counter[str]


class Conversion:
    """What is to be made of pieces, by the command's options."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.base = _base(options.base)
        self.change = Change(options.assignments, options.additions, options.patterns, options.sort_query)
        self.is_table = options.parquet is not None
        self.max_line: int = options.max_line
        self.drops = options.invalid == "drop"
        self.style: Literal["lines", "json", "csv", "csv-safe"] = "lines"
        if options.json:
            self.style = "json"
        elif options.csv or options.csv_safe:
            self.style = "csv-safe" if options.csv_safe else "csv"
        self.columns = self._columns(options.format)
        self.fields = [column for column in self.columns if isinstance(column, Field)]
        # Only what is parsed first is relative.
        base = None if self.change else self.base
        self.policy: str = options.policy
        self.canonical: Job | None = None
        if options.policy is not None:
            try:
                self.canonical = Job(("canonical", "error"), is_struct=True, base=base, policy=options.policy)
            except ValueError:
                raise UsageError(
                    f"--policy takes whatwg, crawl or surt, with /1 or without, not {quoted(options.policy)}"
                ) from None
            base = None
        self.jobs: list[Job] = []
        self.places: dict[tuple[str, str | None], tuple[int, int]] = {}
        self.shown: list[str] = []
        names = list(dict.fromkeys(field.name for field in self.fields if field.key is None and field.name != INPUT))
        if self.is_table and self.drops and "href" not in names:
            names.append("href")
        keys = list(dict.fromkeys(field.key for field in self.fields if field.key is not None))
        if self.canonical and not options.as_idn and not keys and {"href", "error"}.issuperset(names):
            self.places["href", None] = 0, 0
        elif self.canonical and options.policy.startswith("surt"):
            raise UsageError("what the policy surt gives is no URL: only {href}, {input} and {error} go with it")
        else:
            self._plan(names, keys, base, as_idn=options.as_idn)
        self._place_others()
        self.layout = None if self.is_table else self._layout()

    def _columns(self, format: str | None) -> list[str | Field]:
        if self.style == "lines" and not self.is_table:
            return [HREF] if format is None else parse_format(argument_text(format))
        if format is None:
            return [*RECORD, *([] if self.is_csv else [PARAMS]), ERROR]
        parts = parse_format(argument_text(format))
        for part in parts:
            if isinstance(part, str) and part.strip(" ,\t\n"):
                raise UsageError(
                    f"-g names the columns here, as '{{hostname}} {{query:id}}': {quoted_of(part, format)} is no name"
                )
        columns: list[str | Field] = list({part.label: part for part in parts if isinstance(part, Field)}.values())
        if not columns:
            raise UsageError("-g names the columns here, as '{hostname} {query:id}': it has none")
        return columns

    def _plan(self, names: list[str], keys: list[str], base: str | None, *, as_idn: bool) -> None:
        """The jobs: of all columns and one name in queries, and of each other name."""
        if as_idn:
            self.shown = [name for name in names if name in WITH_HOSTS]
            names += [name for name in ("hostname", "host_type") if name not in names]
        self.places |= {(name, None): (0, index) for index, name in enumerate(names)}
        for number, key in enumerate(keys or [None]):
            columns = [*([] if number else names), *([] if key is None else ["query_get"])]
            if key is not None:
                self.places["query_get", key] = number, len(columns) - 1
            self.jobs.append(Job(tuple(columns or ["error"]), is_struct=True, base=base, key=key))

    def _place_others(self) -> None:
        """Where the columns are that come after those of the jobs."""
        number = len(self.jobs)
        if self.canonical:
            self.places["error", None] = number, 1
            number += 1
        if self.change:
            self.places["error", None] = number, 0
            number += 1
        self.hosts = [self.places[name, None] for name in ("hostname", "host_type")] if self.shown else []
        self.given = {name: self.places[name, None] for name in self.shown}
        for name in self.shown:
            self.places[name, None] = number, 0
            number += 1

    def _layout(self) -> Layout:
        import json

        parts: list[Part] = []
        for number, column in enumerate(self.columns):
            if isinstance(column, str):
                parts.append(column.encode())
                continue
            if self.is_csv and number:
                parts.append(b",")
            elif self.style == "json":
                parts.append(f"{',' if number else '{'}{json.dumps(column.label)}:".encode())
            parts.append(None if column.name == INPUT else self.places[column.name, column.key])
        if self.style == "json":
            parts.append(b"}")
        says_why = any(field.name in (INPUT, "error") for field in self.fields)
        return Layout(tuple(parts), self.style, self.drops, self.style == "lines" and not says_why)

    @property
    def is_csv(self) -> bool:
        return self.style in ("csv", "csv-safe")

    @property
    def is_python(self) -> bool:
        """Whether most of the time goes to code that only one thread can run."""
        return bool(self.change or self.shown)

    def cancel(self) -> None:
        for job in (*self.jobs, *([self.canonical] if self.canonical else [])):
            job.cancelled = True

    def __call__(self, block: Block, piece: Piece) -> Done:
        rows, begin, end = piece.rows, piece.begin, piece.end
        batches: list[Batch] = []
        errors: Counter[str] = Counter()
        nulls = 0
        if self.change:
            texts = block.texts(begin, end)
            hrefs, names = self.change.texts(texts, self.base)
            errors.update(filter(None, names))
            nulls = texts.count(None)
            batches.append(_column(names))
            rows, begin, end = input.from_objects(hrefs), 0, len(hrefs)
        if self.canonical:
            batch = _run(self.canonical, rows, begin, end)
            if not self.change:
                nulls = _nulls(batch)
            errors.update(batch.errors)
            batches.insert(0, batch)
        if self.jobs:
            if self.canonical:
                [rows] = input.from_arrow(Column([batch.select(0)]))
                begin, end = 0, batch.length
            batches[:0] = [_run(job, rows, begin, end) for job in self.jobs]
            if not self.change and not self.canonical:
                nulls = _nulls(batches[0])
            errors.update(batches[0].errors)
        if self.shown:
            hosts, types = (batches[number].entries(index) for number, index in self.hosts)
            for name in self.shown:
                number, index = self.given[name]
                values = batches[number].entries(index)
                batches.append(_column([_with_host(name, *row) for row in zip(values, hosts, types, strict=True)]))
        if nulls:
            errors[NULL] += nulls
        lines = self.layout.write(batches, *piece[:3]) if self.layout else b""
        return Done(lines, batches, batches[0].length, errors)

    def arrow_columns(self, block: Block, piece: Piece, done: Done) -> dict[str, Column]:
        columns = {}
        for field in self.fields:
            if field.name == INPUT:
                columns[field.label] = Column([_column(block.texts(piece.begin, piece.end))])
            else:
                columns[field.label] = self._column_at(done, field.name, field.key)
        return columns

    def href(self, done: Done) -> Column:
        """A column that has no nulls but for rows that are no URLs."""
        return self._column_at(done, "href")

    def _column_at(self, done: Done, name: str, key: str | None = None) -> Column:
        number, index = self.places[name, key]
        return Column([done.batches[number].select(index)])

    def why_not(self, text: Row) -> str | None:
        """A sentence on what is wrong with a row; None where nothing is."""
        if isinstance(text, TooLong):
            return f"{TOO_LONG_NAME}: {too_long_message(self.max_line)}"
        if text is None:
            return "there is no value"
        try:
            # What a policy takes need not be a URL.
            if self.canonical and not self.change and self.base is None:
                canonicalize(text, self.policy)
            else:
                self.change.url(URL(text, self.base))
        except InvalidURL as error:
            return str(error)
        return None


def _base(text: str | None) -> str | None:
    try:
        return None if text is None else URL(text).href
    except InvalidURL as error:
        raise UsageError(f"--base: {error}") from None


def _run(job: Job, rows: Input, begin: int, end: int) -> Batch:
    batch = job.run(rows, begin, end)
    if batch is None:
        raise Cancelled
    return batch


def _nulls(batch: Batch) -> int:
    return batch.null_count - sum(batch.errors.values())


def _column(texts: Sequence[Row]) -> Batch:
    """A column of texts as they are."""
    escaped = [text.replace("%", "%25") if isinstance(text, str) else text for text in texts]
    return _run(Job(("decoded",), decode_errors="replace"), input.from_objects(escaped), 0, len(escaped))


def _with_host(name: str, text: str | None, host: str | None, host_type: str | None) -> str | None:
    """A part of a URL, with its host as people read it."""
    if not text or not host or host_type != "domain" or "xn--" not in host:
        return text
    shown = _shown(host)
    if name in ("site", "public_suffix"):
        return ".".join(shown.split(".")[-text.count(".") - 1 :])
    start = 0
    if name in ("href", "origin"):
        # Behind the credentials: the authority of a serialization ends at the next solidus.
        start = text.index("//") + 2
        start = max(start, text.rfind("@", start, text.find("/", start)) + 1)
    return f"{text[:start]}{shown}{text[start + len(host) :]}"


@lru_cache(1 << 16)
def _shown(host: str) -> str:
    from weburl.display import display_host, spoofing_risks
    from weburl.hosts import parse_host

    return host if spoofing_risks(host) else display_host(parse_host(host), isolate=False)
