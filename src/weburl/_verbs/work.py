"""The work of a verb: a job from its options, and the batches that the job gives for columns or for lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

from weburl._arrow import input
from weburl._arrow.cutting import Piece, cut_rows, open_column
from weburl._arrow.job import Job
from weburl._arrow.schedule import count_threads, run_job
from weburl._core.arguments import wrong_type
from weburl.errors import InvalidURL
from weburl.percent import percent_decode_text
from weburl.url import URL, FrozenURL

if TYPE_CHECKING:
    from weburl._arrow.batch import Batch
    from weburl._verbs.options import OnError
    from weburl._verbs.verb import Verb

# The arguments of a job, and those of every function of columns.
OF_JOBS = ("base", "encoding")
COMMON = (*OF_JOBS, "threads", "on_error", "views")


def prepare(
    verb: Verb,
    options: Mapping[str, Any],
    base: str | URL | FrozenURL | None = None,
    *,
    encoding: str = "utf-8",
    views: bool = False,
) -> Job:
    """The job of a verb. Everything that works on columns by a verb gets it here."""
    checked = verb.checked(options)
    href = href_of(base)
    if not isinstance(encoding, str):
        raise wrong_type(encoding, "encoding must be a str")
    fields = verb.fields(checked)
    return Job(fields, is_struct=verb.is_struct, views=views, base=href, encoding=encoding, any_text=True)


def split_options(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments of a job, and the options of its verb."""
    common = {name: value for name, value in options.items() if name in OF_JOBS}
    return common, {name: value for name, value in options.items() if name not in OF_JOBS}


def evaluate(verb: Verb, columns: tuple[Any, ...], arguments: Mapping[str, Any]) -> list[Batch]:
    """The batches for columns, with the options of the verb and those of every verb."""
    base, encoding, threads, on_error, views = map(arguments.get, COMMON, (None, "utf-8", None, "null", False))
    options = {name: value for name, value in arguments.items() if name not in COMMON}
    verb.refuse(base, arguments.get("encoding"))
    if len(columns) == 1:
        job = prepare(verb, options, base, encoding=encoding, views=bool(views))
        what = f"{verb.columns[0]}s"
        return run_pieces(job, cut_rows(open_column(columns[0], what)), threads, on_error, base)
    bases, refs = columns
    if isinstance(bases, (str, URL, FrozenURL)):
        job = prepare(verb, options, bases, encoding=encoding, views=bool(views))
        return run_pieces(job, cut_rows(open_column(refs, "refs")), threads, on_error, bases)
    base_chunks = open_column(bases, "base")
    chunks = open_column(refs, "refs")
    counts = sum(map(len, base_chunks)), sum(map(len, chunks))
    if counts[0] != counts[1]:
        raise ValueError(f"there are {counts[0]} bases for {counts[1]} references")
    job = prepare(verb, options, encoding=encoding, views=bool(views))
    return run_pieces(job, cut_rows(chunks, base_chunks), threads, on_error, None)


def names_of(
    verb: Verb, options: Mapping[str, Any], base: str | URL | FrozenURL | None = None, encoding: str = "utf-8"
) -> tuple[str, ...]:
    """The names of the columns that a verb gives; raises for wrong options, before any work."""
    return no_rows(prepare(verb, options, base, encoding=encoding)).names


def href_of(base: str | URL | FrozenURL | None) -> str | None:
    """The serialization of the base of all rows; InvalidURL with the error "base" if it does not parse."""
    if base is None:
        return None
    if not isinstance(base, (str, URL, FrozenURL)):
        raise wrong_type(base, "base must be a str, a URL or None")
    try:
        return URL(base).href
    except InvalidURL as error:
        raise InvalidURL("", error.input, "base") from None


def no_rows(job: Job) -> Batch:
    empty = job.run(input.from_objects(()), 0, 0)
    assert empty is not None
    return empty


def run_pieces(
    job: Job,
    pieces: Iterator[Piece],
    threads: int | None,
    on_error: OnError,
    base: str | URL | FrozenURL | None,
    report: Callable[[int], object] | None = None,
) -> list[Batch]:
    count = count_threads(threads)
    if on_error not in ("null", "raise"):
        from weburl._diagnosis.messages import shown_argument

        raise ValueError(f"on_error must be 'null' or 'raise', not {shown_argument(on_error)}")
    batches = []
    rows = done = 0
    with closing(run_job(job, pieces, count)) as results:
        for piece, batch in results:
            if on_error == "raise" and batch.first_failed >= 0:
                raise failure_of(job, piece, batch, rows, base)
            batches.append(batch)
            rows += batch.length
            done += piece.end - piece.begin
            if report is not None:
                report(done)
    if batches:
        return batches
    return [no_rows(job)]


def failure_of(job: Job, piece: Piece, batch: Batch, before: int, base: str | URL | FrozenURL | None) -> Exception:
    """What the scalar function would raise for the first row that failed, and the row's number."""
    index = batch.first_failed
    row = before + index
    text = job.row_text(piece.rows, piece.begin, piece.end, index) or ""
    if batch.first_error == "invalid-UTF-8":
        try:
            percent_decode_text(text, errors="strict")
        except UnicodeDecodeError as error:
            error.reason += f" (row {row})"
            return error
    if piece.bases is not None:
        own_base = job.row_text(piece.bases, piece.bases_begin, piece.bases_begin + batch.length, index)
    else:
        own_base = href_of(base) if isinstance(base, (URL, FrozenURL)) else base
    failure = InvalidURL(text, own_base, batch.first_error)
    failure.row = row
    return failure
