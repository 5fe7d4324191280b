"""Parses columns of URLs by the URL Standard, without the GIL and on all cores: https://url.spec.whatwg.org/

A column is an iterable of `str`, `URL` and `None`, or any object with the Arrow PyCapsule interface whose entries are
strings, or bytes in UTF-8: a column of Polars, pyarrow, pandas, nanoarrow. The result has that interface, too, and
`to_pylist`, `to_polars`, `to_pandas`, `to_pyarrow`. Each row gives what the scalar function gives for it. A null row
stays null. A row that is not a URL becomes null; `errors` counts these rows by the standard's name for the error.

All functions take `threads`, the largest number of threads (None: one for each core), and `on_error`: "null", or
"raise", which raises InvalidURL for the first row that fails.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any

from weburl._arrow.cutting import Piece, cut_file, cut_lines
from weburl._core.arguments import wrong_type
from weburl._verbs import table  # noqa: F401  # fills VERBS
from weburl._verbs.rows import Column, Table
from weburl._verbs.rows import restore_rows as restore_rows  # pickles name it
from weburl._verbs.verb import VERBS, Verb
from weburl._verbs.work import evaluate, prepare, run_pieces
from weburl.url import URL, FrozenURL

if TYPE_CHECKING:
    from mmap import mmap

    from weburl._arrow.batch import Batch
    from weburl._arrow.job import Job
    from weburl._arrow.progress import Progress
    from weburl._hosts.suffixes import PublicSuffixList
    from weburl._verbs.options import OnError

_VERBS = {verb.bulk: verb for verb in VERBS if verb.bulk}

__all__ = sorted(["Column", "Table", "parse_lines", *_VERBS])


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """The function of a verb, made when it is first asked for."""
    verb = _VERBS.get(name)
    if verb is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from weburl._verbs.make_functions import bulk_signature, make_function

    # Of threads that ask at once, the first one's: a pickle must find the same function again.
    return globals().setdefault(name, make_function(bulk_signature(verb, name), verb, _give, globals()))


def _give(verb: Verb, columns: tuple[Any, ...], options: dict[str, Any]) -> Column | Table:
    return (Table if verb.is_struct else Column)(evaluate(verb, columns, options))


def parse_lines(
    source: str | os.PathLike[str] | bytes | bytearray | memoryview | mmap | IO[bytes],
    fields: Iterable[str] | None = None,
    *,
    base: str | URL | FrozenURL | None = None,
    encoding: str = "utf-8",
    threads: int | None = None,
    on_error: OnError = "null",
    views: bool = False,
    psl: PublicSuffixList | None = None,
    progress: Progress = None,
) -> Table:
    """The columns of `parse_many` for the lines of a file, or of bytes.

    >>> parse_lines(b"https://example.com/a\\nexample.com\\r\\n", ["hostname", "error"]).to_pylist()
    [{'hostname': 'example.com', 'error': None}, {'hostname': None, 'error': 'missing-scheme-non-relative-URL'}]

    Pass the path of the file, a file that is open in binary mode, or bytes, which may be a memory map. A line ends with
    a newline, or with a carriage return and a newline. Bytes that are not UTF-8 become U+FFFD. A byte order mark at the
    beginning is removed.

    `progress=True` shows a bar on stderr if `tqdm` is installed, else a plain counter. `progress` can also be a
    function of two arguments: how many bytes are done, and how many there are, or None if that is not known.
    """
    from mmap import mmap

    options = {"fields": fields, "psl": psl}
    job = prepare(_VERBS["parse_many"], options, base, encoding=encoding, views=bool(views))
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb", buffering=0) as file:
            status = os.fstat(file.fileno())
            # The size of a pipe is not known.
            total = status.st_size if stat.S_ISREG(status.st_mode) else None
            pieces = cut_file(file, None if total is None else file.seek)
            return Table(_run(job, pieces, total, threads, on_error, base, progress))
    if isinstance(source, (bytes, bytearray, memoryview, mmap)):
        with memoryview(source) as data:
            # Memory that others may write to is copied.
            lines: bytes | mmap = source if data.readonly and isinstance(source, (bytes, mmap)) else bytes(data)
        return Table(_run(job, cut_lines(lines, is_begin=True), len(lines), threads, on_error, base, progress))
    if not hasattr(source, "read"):
        raise wrong_type(source, "source must be a path, bytes or a file")
    return Table(_run(job, cut_file(source), None, threads, on_error, base, progress))


def _run(
    job: Job,
    pieces: Iterator[Piece],
    size: int | None,
    threads: int | None,
    on_error: OnError,
    base: str | URL | FrozenURL | None,
    progress: Progress,
) -> list[Batch]:
    from weburl._arrow.progress import reporting

    with reporting(progress, size) as report:
        return run_pieces(job, pieces, threads, on_error, base, report)
