"""What a piece of an input becomes: columns of fields, as a plan says. The plan is decided from the options."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, compress

from weburl import URL, InvalidURL
from weburl._arrow import input
from weburl._arrow.cutting import Piece
from weburl._arrow.input import TooLong
from weburl._arrow.job import Job
from weburl._named_tuple import NamedTuple
from weburl._verbs.columns import FIELDS, decoded, query_values
from weburl._verbs.table import columns_of
from weburl.cli._edits import MISSING, NO_EDITS, Edits, MissingPart
from weburl.cli._exit import UsageError
from weburl.cli._made_fields import MadeFields
from weburl.cli._output_fields import (
    COLUMN,
    GROUP,
    HIDING,
    INPUT,
    MEMBERS,
    OWN_TEXTS,
    QUERY_VALUE,
    ROUTE,
    OutputField,
    named,
)
from weburl.cli._patterns import Patterns
from weburl.cli._unicode_hosts import FIELDS_WITH_HOST, with_unicode_host
from weburl.cli.readers.row_blocks import (
    C0_OR_SPACE,
    EMPTY,
    TOO_LONG_NAME,
    Fault,
    KeptColumn,
    Row,
    RowBlock,
    too_long_message,
)
from weburl.cli.readers.rows.text_column import TextColumn, kept_lines, kept_rows, kept_texts, taken_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from weburl._arrow.batch import Batch
    from weburl._arrow.columns import Field
    from weburl._arrow.input import Input
    from weburl._crawl.policy import Policy
    from weburl._patterns.columns import Matching
    from weburl._redact.redact import LogPolicy

# What counts of errors call a row that has no value.
NULL = "null"
NO_URLS: Final = "the policy surt does not give URLs: only {href}, {input} and {error} go with it"


class Cancelled(Exception):
    """Raised where work ends early, because nobody needs its result any more."""


class Converted(NamedTuple):
    """What a piece becomes. The first batch has no value in rows that fail; `errors` counts these by their error.

    `piece` has the rows of the batches, and `kept` the columns that are kept of them: those of `rows_read` that the
    filter leaves. In `replaced`, a batch with one column stands for a column of another.
    """

    batches: list[Batch]
    errors: Counter[str]
    piece: Piece
    rows_read: int
    kept: Sequence[KeptColumn]
    replaced: dict[tuple[int, int], Batch]


class Filtered(NamedTuple):
    """The rows of a piece that the filter leaves, and how many; None is all. `errors` are those of the others.

    `marks` has a byte for each row that was read: 0 where it is left out, by the filter or for its key.
    """

    block: RowBlock
    piece: Piece
    left: int | None
    errors: Counter[str]
    rows_read: int
    marks: bytes | None = None

    def marked(self, kept: bytes) -> Filtered:
        """With the marks of the rows that the filter leaves."""
        if self.marks is not None:
            left = iter(kept)
            kept = bytes(next(left, 0) if mark else 0 for mark in self.marks)
        return self._replace(marks=kept)


class RowPlan(NamedTuple):
    """What is made of rows: which of them stay, how they are changed, and their fields. `plan_rows` decides it."""

    base: str | None  # serialized
    skips_empty: bool  # empty rows are not URLs, although they would be that of the base
    limit: int  # the most bytes of a row
    filter: Sequence[tuple[Job, bool]]  # jobs that test rows, each with the answer that keeps a row
    edits: Edits
    policy: Policy | None  # of --policy: what makes canonical forms
    log_policy: LogPolicy | None  # of --log-policy: what {redacted} and {template} hide
    redacts: LogPolicy | None  # the policy for all other output, if {redacted} is printed
    as_idn: bool  # hosts are shown in Unicode
    # The fields: columns of verbs, values of names in the query, what Python makes, and the row itself.
    names: Sequence[str]
    keys: Sequence[str]
    made: MadeFields
    has_input: bool
    # The fields that patterns give: those with these names, and the groups of `matching`.
    matched: Sequence[str]
    matching: Matching | None

    @property
    def needs_gil(self) -> bool:
        """Whether most of the time goes into Python code, so that more threads do not help."""
        shows_unicode = self.as_idn and not set(self.names).isdisjoint(FIELDS_WITH_HOST)
        return bool(self.edits or shows_unicode or self.made.places)

    @property
    def only_forms(self) -> bool:
        """Whether all that is made of a URL is its canonical form."""
        is_alone = not self.as_idn and not self.keys and {"href", "error"}.issuperset(self.names)
        return self.policy is not None and is_alone


def plan_rows(
    fields: Sequence[OutputField],
    patterns: Patterns,
    filter: Sequence[tuple[Job, bool]],
    *,
    base: str | None,
    limit: int,
    skips_empty: bool = False,
    edits: Edits = NO_EDITS,
    policy: Policy | None = None,
    log_policy: LogPolicy | None = None,
    redacts: LogPolicy | None = None,
    as_idn: bool = False,
) -> RowPlan:
    """The plan for these fields; UsageError if they do not go together."""
    made = MadeFields(fields, edits.separator)
    others = (INPUT, GROUP, ROUTE, COLUMN, MEMBERS)
    of_urls = [field for field in fields if field.name not in others and (field.name, field.key) not in made.places]
    of_urls += [named(name) for name in made.needed]
    plan = RowPlan(
        base=base,
        skips_empty=skips_empty,
        limit=limit,
        filter=filter,
        edits=edits,
        policy=policy,
        log_policy=log_policy,
        redacts=redacts,
        as_idn=as_idn,
        names=list(dict.fromkeys(field.name for field in of_urls if field.key is None)),
        keys=list(dict.fromkeys(field.key for field in of_urls if field.key is not None)),
        made=made,
        has_input=any(field.name == INPUT for field in fields),
        matched=patterns.matched,
        matching=patterns.matching,
    )
    if policy is not None and not plan.only_forms and is_surt(policy):
        raise UsageError(NO_URLS)
    return plan


def is_surt(policy: Policy) -> bool:
    """Whether a policy gives SURTs, which are not URLs."""
    from weburl._crawl.policy import SurtPolicy

    return isinstance(policy, SurtPolicy)


class Conversion:
    """Conversion(plan, copies_input): makes the fields of rows.

    A piece is converted in steps. The filter removes rows. Each other step may add batches of columns: edits, the
    policy, the jobs of verbs, hosts in Unicode. `places` says which batch and column a field is in.
    """

    host_places: list[tuple[int, int]]
    ascii_places: dict[str, tuple[int, int]]

    def __init__(self, plan: RowPlan, *, copies_input: bool) -> None:
        self.plan: RowPlan = plan
        # Relative URLs are resolved in the first step.
        base = None if plan.edits else plan.base
        self.canonical: Job | None = None
        if plan.policy is not None:
            from weburl._crawl.columns import canonical_forms

            self.canonical = Job([canonical_forms(plan.policy)[0], FIELDS["error"]], is_struct=True, base=base)
            base = None
        self.jobs: list[Job] = []
        self.places: dict[tuple[str, str | None], tuple[int, int]] = {}
        self.unicode_fields: list[str] = []
        self.copies_input: bool = copies_input and plan.has_input
        matched, matching = plan.matched, plan.matching
        self.matched: Job | None = None
        # What a job that matches patterns gives, after its other fields.
        groups = [] if matching is None else matching.columns
        self.matched_fields: list[tuple[str, str | None]] = [
            *((name, None) for name in matched),
            *((GROUP, name) for name in groups),
        ]
        if matching is not None and (plan.edits or self.canonical):
            # Of the rows as they are read.
            from weburl._patterns.columns import matches

            self.matched = Job(matches(matching, matched), is_struct=True, base=plan.base)
            matched, matching = [], None
        if plan.only_forms:
            self.places["href", None] = 0, 0
        else:
            self._plan_jobs(plan.names, plan.keys, base, matched, matching, as_idn=plan.as_idn)
        self._place_others()

    def _plan_jobs(
        self,
        names: Sequence[str],
        keys: Sequence[str],
        base: str | None,
        matched: Sequence[str],
        matching: Matching | None,
        *,
        as_idn: bool,
    ) -> None:
        """One job makes the columns of all fields, of keys and of patterns; and each text that is not a part another.

        The first has the errors, too, if no part is asked for.
        """
        own = [name for name in names if name in OWN_TEXTS]
        if as_idn:
            self.unicode_fields = [name for name in names if name in FIELDS_WITH_HOST]
            names = [*names, *(name for name in ("hostname", "host_type") if name not in names)]
        names = [name for name in names if name not in OWN_TEXTS]
        places = [*((name, None) for name in names), *((QUERY_VALUE, key) for key in keys)]
        fields = [*columns_of(names), *query_values(tuple(keys))]
        if matching is not None:
            from weburl._patterns.columns import matches

            places += self.matched_fields
            fields += matches(matching, matched)
        if not {("error", None)}.issuperset(places) or not own:
            self._add_job(places, fields or [FIELDS["error"]], base)
            places, fields = [], []
        for name in own:
            verb = OWN_TEXTS[name]
            options = {"policy": self.plan.log_policy} if name in HIDING and self.plan.log_policy is not None else {}
            self._add_job([(name, None), *places], [*verb.fields(verb.checked(options)), *fields], base)
            places, fields = [], []

    def _add_job(self, places: Sequence[tuple[str, str | None]], fields: Sequence[Field], base: str | None) -> None:
        self.places |= {place: (len(self.jobs), index) for index, place in enumerate(places)}
        self.jobs.append(Job(fields, is_struct=True, base=base))

    def _place_others(self) -> None:
        """Places the columns of the batches that come after those of the jobs."""
        number = len(self.jobs)
        if self.canonical:
            self.places["error", None] = number, 1
            number += 1
        if self.plan.edits:
            self.places["error", None] = number, 0
            number += 1
        host_fields = ("hostname", "host_type") if self.unicode_fields else ()
        self.host_places = [self.places[name, None] for name in host_fields]
        self.ascii_places = {name: self.places[name, None] for name in self.unicode_fields}
        for name in self.unicode_fields:
            self.places[name, None] = number, 0
            number += 1
        for place in self.plan.made.places:
            self.places[place] = number, 0
            number += 1
        if self.matched:
            self.places |= {place: (number, index) for index, place in enumerate(self.matched_fields)}
            number += 1
        if self.copies_input:
            self.places[INPUT, None] = number, 0

    def place(self, field: OutputField, kept: Mapping[str, int]) -> tuple[int, int] | int | None:
        """The number of a field's batch, and of its column there; None if it is the text of the rows.

        Of a column of the input, it is its number, which `kept` has for those that are kept.
        """
        if field.name == COLUMN:
            return kept[str(field.key)]
        if field.name == MEMBERS:
            return 0
        return self.places.get((field.name, field.key))

    def cancel(self) -> None:
        others = [job for job in (self.canonical, self.matched) if job is not None]
        for job in (*self.jobs, *others, *(job for job, _ in self.plan.filter)):
            job.cancelled = True

    def filtered(self, block: RowBlock, piece: Piece) -> Filtered:
        if len(self.plan.edits.variants) > 1:
            return self._repeated(self._matching(block, piece))
        return self._matching(block, piece)

    def _repeated(self, filtered: Filtered) -> Filtered:
        """With a copy of each row for each of the variants."""
        count = (
            len(filtered.block.texts(filtered.piece.begin, filtered.piece.end))
            if filtered.left is None
            else filtered.left
        )
        copies = len(self.plan.edits.variants)
        numbers = array("q", (row for row in range(count) for _ in range(copies)))
        block, piece = taken(filtered.block, filtered.piece, count, numbers.tobytes())
        return filtered._replace(block=block, piece=piece, left=len(numbers), rows_read=filtered.rows_read or count)

    def _matching(self, block: RowBlock, piece: Piece) -> Filtered:
        if not self.plan.filter:
            return Filtered(block, piece, None, Counter(), 0)
        sound, faults = self._without_faults(block, piece)
        batches = [_run(job, sound.rows, sound.begin, sound.end) for job, _ in self.plan.filter]
        errors = Counter(batches[0].errors)
        _count_nulls(errors, _nulls(batches[0]), faults)
        kept = kept_rows(batches, tuple(answer for _, answer in self.plan.filter))
        return Filtered(*only(block, piece, kept), sum(kept), errors, len(kept), kept)

    def _without_faults(self, block: RowBlock, piece: Piece) -> tuple[Piece, dict[int, Fault]]:
        """The rows that jobs are given, with nulls for those that cannot be read or are empty; and these."""
        faults = _faults(block, piece)
        if self.plan.skips_empty:
            piece, empty = block.without_empty(piece)
            faults |= dict.fromkeys(empty, EMPTY)
        return piece, faults

    def convert(self, filtered: Filtered) -> Converted:
        converted = self._convert(filtered.block, filtered.piece)
        rows_read = converted.rows_read if filtered.left is None else filtered.rows_read
        return converted._replace(errors=converted.errors + filtered.errors, rows_read=rows_read)

    def _convert(self, block: RowBlock, piece: Piece) -> Converted:
        sound, faults = self._without_faults(block, piece)
        rows, begin, end = sound.rows, sound.begin, sound.end
        batches: list[Batch] = []
        errors: Counter[str] = Counter()
        replaced: dict[tuple[int, int], Batch] = {}
        nulls = 0
        if self.plan.edits:
            texts = block.texts(piece.begin, piece.end)
            for row, fault in faults.items():
                texts[row] = fault
            hrefs, names = self.plan.edits.hrefs(texts, self.plan.base)
            # A line that becomes several fails once.
            copies = len(self.plan.edits.variants)
            of_lines = (names[row : row + copies] for row in range(0, len(names), copies))
            errors.update(filter(None, (next(filter(None, line), None) for line in of_lines)))
            nulls = texts[::copies].count(None)
            faults = {}
            batches.append(_text_column(names))
            rows, begin, end = input.from_objects(hrefs), 0, len(hrefs)
        if self.canonical:
            batch = _run(self.canonical, rows, begin, end)
            if not self.plan.edits:
                nulls = _nulls(batch)
            errors.update(batch.errors)
            batches.insert(0, batch)
        if self.jobs:
            if self.canonical:
                from weburl._verbs.rows import Column

                [rows] = input.from_arrow(Column([batch.select(0)]))
                begin, end = 0, batch.length
            batches[:0] = [_run(job, rows, begin, end) for job in self.jobs]
            if not self.plan.edits and not self.canonical:
                nulls = _nulls(batches[0])
            errors.update(batches[0].errors)
        if self.unicode_fields:
            hosts, types = (batches[number].entries(index) for number, index in self.host_places)
            for name in self.unicode_fields:
                number, index = self.ascii_places[name]
                shown = zip(batches[number].entries(index), hosts, types, strict=True)
                batches.append(_text_column([with_unicode_host(name, *row) for row in shown]))
        if self.plan.made.places:
            columns = {name: batches[0].entries(self.places[name, None][1]) for name in self.plan.made.needed}
            batches += [_text_column(texts) for texts in self.plan.made.texts(columns)]
        if self.matched:
            batches.append(_run(self.matched, sound.rows, sound.begin, sound.end))
        if self.copies_input:
            batches.append(_text_column(block.texts(piece.begin, piece.end)))
        _count_nulls(errors, nulls, faults)
        if faults and ("error", None) in self.places:
            number, index = place = self.places["error", None]
            names = batches[number].entries(index)
            for row, fault in faults.items():
                names[row] = fault.name
            replaced[place] = _text_column(names)
        return Converted(batches, errors, piece, batches[0].length, block.kept, replaced)

    def why_not(self, row: Row, *, is_left: bool = True) -> tuple[str, str] | None:
        """The error of a row that fails, and a sentence that says why; None if it does not fail.

        A row that is left out is not changed.
        """
        if isinstance(row, Fault):
            return row.name, f"{row.name}: {row.message}"
        if isinstance(row, TooLong):
            return TOO_LONG_NAME, f"{TOO_LONG_NAME}: {too_long_message(self.plan.limit)}"
        if row is None:
            return NULL, "there is no value"
        if self.plan.skips_empty and not row.strip(C0_OR_SPACE):
            return EMPTY.name, f"{EMPTY.name}: {EMPTY.message}"
        try:
            # A policy also takes what it gives, which may not be a URL.
            if self.plan.policy is not None and not self.plan.edits and self.plan.base is None:
                from weburl.crawl import canonicalize

                canonicalize(row, self.plan.policy)
            elif not is_left:
                URL(row, self.plan.base)
            else:
                for number in range(len(self.plan.edits.variants)):
                    self.plan.edits.edited(URL(row, self.plan.base), number)
        except MissingPart as error:
            return MISSING, f"{MISSING}: {error}"
        except InvalidURL as error:
            if self.plan.redacts:
                from weburl.redact import redact

                error = InvalidURL(redact(error.input, self.plan.redacts), error.base, error.error, error.part)
            return error.error, str(error)
        return None


def _run(job: Job, rows: Input, begin: int, end: int) -> Batch:
    batch = job.run(rows, begin, end)
    if batch is None:
        raise Cancelled
    return batch


def only(block: RowBlock, piece: Piece, kept: bytes) -> tuple[RowBlock, Piece]:
    """The rows of a piece that are kept."""
    if isinstance(block.rows, bytes):
        lines = kept_lines(piece.rows, piece.begin, piece.end, kept)
        return RowBlock(lines, len(lines)), Piece(input.from_lines(lines), 0, len(lines))
    columns = [_kept_values(column, piece, kept) for column in block.kept]
    faults = _faults(block, piece)
    if faults:
        places = [0, *accumulate(kept)]
        faults = {places[row]: fault for row, fault in faults.items() if kept[row]}
    if isinstance(block.rows, TextColumn):
        rows = kept_texts(piece.rows, piece.begin, piece.end, kept)
        left = RowBlock(rows, len(rows), kept=columns, faults=faults)
        return left, left.whole()
    texts = list(compress(block.texts(piece.begin, piece.end), kept))
    left = RowBlock(texts, len(texts), kept=columns, faults=faults)
    return left, next(left.pieces(), Piece(input.from_objects([]), 0, 0))


def _kept_values(column: KeptColumn, piece: Piece, kept: bytes) -> KeptColumn:
    """The values of a column in the rows of a piece that are kept."""
    if isinstance(column.values, TextColumn):
        return column._replace(values=kept_texts(column.input(), piece.begin, piece.end, kept))
    import pyarrow

    from weburl.cli.readers.column_texts import filtered

    mask = pyarrow.array([bool(mark) for mark in kept], pyarrow.bool_())
    return column._replace(values=filtered(column.values.slice(piece.begin, piece.end - piece.begin), mask))


def taken(block: RowBlock, piece: Piece, count: int, rows: bytes) -> tuple[RowBlock, Piece]:
    """Rows of a piece, which has so many, by their numbers of 64 bits each."""
    texts = taken_texts(kept_texts(piece.rows, piece.begin, piece.end, b"\1" * count), rows)
    kept = [_taken_values(column, piece.begin, count, rows) for column in block.kept]
    wrong = block.faults
    if isinstance(block.rows, list):
        too_long = Fault(TOO_LONG_NAME, "", None)
        wrong = wrong | {row: too_long for row, text in enumerate(block.rows) if isinstance(text, TooLong)}
    known = {row - piece.begin: fault for row, fault in wrong.items()}
    faults = (
        {place: known[row] for place, row in enumerate(memoryview(rows).cast("q")) if row in known} if known else {}
    )
    left = RowBlock(texts, len(texts), names=block.names, kept=kept, faults=faults)
    return left, left.whole()


def _taken_values(column: KeptColumn, begin: int, count: int, rows: bytes) -> KeptColumn:
    if isinstance(column.values, TextColumn):
        values = kept_texts(column.input(), begin, begin + count, b"\1" * count)
        return column._replace(values=taken_texts(values, rows))
    import pyarrow

    from weburl.cli.readers import column_texts

    numbers = pyarrow.Array.from_buffers(pyarrow.int64(), len(rows) // 8, [None, pyarrow.py_buffer(rows)])
    return column._replace(values=column_texts.taken(column.values.slice(begin, count), numbers))


def _faults(block: RowBlock, piece: Piece) -> dict[int, Fault]:
    """The records that cannot be read among the rows of a piece."""
    return {row - piece.begin: fault for row, fault in block.faults.items() if piece.begin <= row < piece.end}


def _count_nulls(errors: Counter[str], nulls: int, faults: dict[int, Fault]) -> None:
    errors.update(fault.name for fault in faults.values())
    if nulls > len(faults):
        errors[NULL] += nulls - len(faults)


def _nulls(batch: Batch) -> int:
    return batch.null_count - sum(batch.errors.values())


def _text_column(texts: Sequence[Row]) -> Batch:
    """A batch whose only column has these texts."""
    escaped = [text.replace("%", "%25") if isinstance(text, str) else None for text in texts]
    return _run(Job([decoded("replace")]), input.from_objects(escaped), 0, len(escaped))
