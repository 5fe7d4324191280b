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
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from importlib import import_module
from itertools import accumulate
from mmap import mmap
from operator import index as index_of
from typing import IO, TYPE_CHECKING, Any, Literal, SupportsIndex, TypeVar, overload

from weburl._arrow import batch as _batch
from weburl._arrow import copies, export, input
from weburl._arrow.job import Job
from weburl._arrow.pieces import Piece, cut_file, cut_lines, cut_rows, open_column
from weburl._arrow.progress import Progress, reporting
from weburl._arrow.schedule import count_threads, run_job
from weburl._verbs.columns import DECODE_ERRORS
from weburl._verbs.fields import PARSE_FIELDS, URL_FIELDS
from weburl._verbs.job import job_of
from weburl.errors import InvalidURL
from weburl.percent import percent_decode_text
from weburl.url import URL

if TYPE_CHECKING:
    import numpy
    import pandas
    import polars
    import pyarrow

    from weburl._arrow.batch import Batch
    from weburl._crawl.policy import Policy
    from weburl._hosts.host_set import HostSet
    from weburl._hosts.suffixes import PublicSuffixList
    from weburl._redact.redact import LogPolicy
    from weburl.patterns import PatternList, URLPattern

    # What makes a HostSet, or one.
    Hosts = HostSet | str | Iterable[str]
    # What makes a PatternList, or one.
    Routes = PatternList | Iterable[str | URLPattern | tuple[str, str | URLPattern]] | Mapping[str, str | URLPattern]

__all__ = [
    "Column",
    "Table",
    "can_parse_many",
    "canonicalize_many",
    "component_many",
    "fingerprint_many",
    "host_in_many",
    "is_private_url_many",
    "join_many",
    "normalize_many",
    "parse_lines",
    "parse_many",
    "path_template_many",
    "pattern_extract_many",
    "pattern_test_many",
    "percent_decode_many",
    "query_get_many",
    "query_pairs_many",
    "query_values_many",
    "redact_many",
    "redactions_many",
    "route_many",
]


def __dir__() -> list[str]:
    return __all__


OnError = Literal["null", "raise"]


Rows = TypeVar("Rows", bound="_Batches")
PolicyT = TypeVar("PolicyT")


class _Batches:
    """Rows with the Arrow PyCapsule interface, which tables and columns share."""

    __slots__ = ("_batches",)

    def __init__(self, batches: list[Batch]) -> None:
        self._batches = batches

    def __len__(self) -> int:
        return sum(batch.length for batch in self._batches)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} rows, {sum(self.errors.values())} invalid>"

    @property
    def errors(self) -> dict[str, int]:
        """How many rows failed, by the standard's name for the error; the most frequent first."""
        counts: dict[str, int] = {}
        for batch in self._batches:
            for name, count in batch.errors.items():
                counts[name] = counts.get(name, 0) + count
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def __arrow_c_schema__(self) -> object:
        return export.schema_capsule(self._batches[0])

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return export.stream_capsule(self._batches)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        self._batches = [_batch.combine(self._batches)]
        return self.__arrow_c_schema__(), export.array_capsule(self._batches[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return restore_rows, (type(self), [copies.state_of(batch) for batch in self._batches])


def restore_rows(kind: type[Rows], states: list[tuple[Any, ...]]) -> Rows:
    """Makes a column or a table from its pickle."""
    batches = [copies.batch_of(state) for state in states]
    shapes = {copies.shape_of(batch) for batch in batches}
    if not issubclass(kind, (Column, Table)) or len(shapes) != 1 or batches[0].is_struct is issubclass(kind, Column):
        raise ValueError("the pickle of a column is damaged")
    return kind(batches)


class Column(_Batches):
    """Entries of one type: str, bool, int, bytes, a list of pairs, or a dict; None where a row is null or failed.

    `column[i]` is an entry and `column[i:j]` a column, with a copy of its rows and without their `errors`.
    """

    __slots__ = ("_starts",)

    _starts: tuple[list[Batch], list[int]]

    @overload
    def __getitem__(self, index: slice) -> Column: ...
    @overload
    def __getitem__(self, index: SupportsIndex) -> Any: ...
    def __getitem__(self, index: slice | SupportsIndex) -> Any:
        batches, starts = self._places()
        if isinstance(index, slice):
            rows = range(starts[-1])[index]
            turn = 1 if rows.step > 0 else -1
            ascending = rows[::turn]
            taken = []
            for batch, begin, end in zip(batches, starts, starts[1:], strict=False):
                part = ascending[bisect_left(ascending, begin) : bisect_left(ascending, end)][::turn]
                if part:
                    step = part.step if len(part) > 1 else 1
                    taken.append(copies.take_rows(batch, part.start - begin, len(part), step))
            return Column(taken[::turn] or [copies.take_rows(batches[0], 0, 0, 1)])
        try:
            row = range(starts[-1])[index_of(index)]
        except IndexError:
            raise IndexError("a column has no such row") from None
        place = bisect_right(starts, row) - 1
        return batches[place].entry(row - starts[place])

    def _places(self) -> tuple[list[Batch], list[int]]:
        """The batches, and where each begins and the last ends."""
        found = getattr(self, "_starts", None)
        batches = self._batches
        if found is None or found[0] is not batches:
            found = self._starts = batches, [*accumulate((batch.length for batch in batches), initial=0)]
        return found

    def __iter__(self) -> Iterator[Any]:
        for batch in self._batches:
            yield from batch.entries(0)

    def to_pylist(self) -> list[Any]:
        """The entries, as a list."""
        return list(self)

    def to_pyarrow(self) -> pyarrow.ChunkedArray:
        """A pyarrow column of the same memory."""
        return _package("pyarrow").chunked_array(self)

    def to_polars(self) -> polars.Series:
        """A series of Polars."""
        return _package("polars").Series(self)

    def to_pandas(self) -> pandas.Series[Any]:
        """A series of pandas; of type `UInt64` for integers and `boolean` for booleans, with or without nulls."""
        pandas = _package("pandas")
        array = _masked_array(self, pandas)
        return pandas.Series.from_arrow(self) if array is None else pandas.Series(array)

    def to_numpy(self) -> tuple[numpy.ndarray[Any, Any], numpy.ndarray[Any, Any]]:
        """Two arrays of NumPy: the values, and whether each row has one.

        Integers are `uint64`, booleans `bool`, and digests `V16`; where there is no value, these are 0. Others are
        `object`, with None. `numpy.ma.array(values, mask=~valid)` is the array with both.
        """
        numpy = _package("numpy")
        dtype = NUMPY_TYPES.get(copies.type_of(self._batches[0]))
        valid = _joined(self._batches, copies.valid_of, numpy, "bool")
        if dtype is not None:
            return _joined(self._batches, copies.values_of, numpy, dtype), valid
        return numpy.fromiter(self, "object", len(self)), valid

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray[Any, Any]:
        """The values, for `numpy.asarray`: those of `to_numpy`, or of type `object` with None if a row has none."""
        if copy is False:
            raise ValueError("a column cannot become an array without a copy")
        values, valid = self.to_numpy()
        if not valid.all():
            values = _package("numpy").fromiter(self, "object", len(self))
        return values if dtype is None else values.astype(dtype)


class Table(_Batches):
    """Columns of the same rows."""

    __slots__ = ()

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns, in order; `table[name]` is a `Column`."""
        return self._batches[0].names

    def __getitem__(self, name: str) -> Column:
        if name not in self.column_names:
            raise KeyError(name)
        index = self.column_names.index(name)
        return Column([batch.select(index) for batch in self._batches])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows."""
        names = self.column_names
        for batch in self._batches:
            for row in zip(*(batch.entries(index) for index in range(len(names))), strict=True):
                yield dict(zip(names, row, strict=True))

    def to_pylist(self) -> list[dict[str, Any]]:
        """The rows, as a list of dictionaries."""
        return list(self)

    def to_pyarrow(self) -> pyarrow.Table:
        """A pyarrow table of the same memory."""
        return _package("pyarrow").table(self)

    def to_polars(self) -> polars.DataFrame:
        """A data frame of Polars."""
        return _package("polars").DataFrame(self)

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame of pandas, with the types that `Column.to_pandas` gives."""
        pandas = _package("pandas")
        frame = pandas.DataFrame.from_arrow(self)
        for name in self.column_names:
            array = _masked_array(self[name], pandas)
            if array is not None:
                frame[name] = array
        return frame


NUMPY_TYPES = {"numbers": "uint64", "bits": "bool", "digests": "V16"}


def _joined(batches: list[Batch], part: Callable[[Batch], bytearray], numpy: Any, dtype: str) -> Any:
    return numpy.frombuffer(bytearray().join(map(part, batches)), dtype)


# https://pandas.pydata.org/docs/reference/arrays.html#nullable-integer
def _masked_array(column: Column, pandas: Any) -> Any:
    """The array of integers or booleans, which pandas would make floats or objects of where there are nulls."""
    kind = {"numbers": pandas.arrays.IntegerArray, "bits": pandas.arrays.BooleanArray}.get(
        copies.type_of(column._batches[0])
    )
    if kind is None:
        return None
    values, valid = column.to_numpy()
    return kind(values, ~valid)


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ImportError(f"this needs {name}: pip install {name}") from None


def parse_many(
    urls: Any,
    fields: Iterable[str] | None = None,
    base: str | URL | None = None,
    *,
    threads: int | None = None,
    on_error: OnError = "null",
    views: bool = False,
    psl: PublicSuffixList | None = None,
) -> Table:
    """A column for each of the fields, by default the parts of a URL, "origin", "host_type" and "error".

    A component is the same as in `URL`: if a URL does not have it, the empty string, but None for `query`, `fragment`
    and `host_type`. "error" is the standard's name for the error of a row that is not a URL, and None for other rows.
    With `views`, the columns of strings have Arrow's type string_view and point into the input, if it holds the same
    text; then a URL can have at most 2**30 characters ("too-long").

    There are two more fields: "site", which is the host's registrable domain, and "public_suffix". They follow the list
    `psl`, by default that of the publicsuffixlist package, and are None for hosts without them, such as IP addresses.
    """
    names = URL_FIELDS if fields is None else _names(fields)
    job = job_of(names, is_struct=True, views=bool(views), base=_href(base), psl=psl)
    return Table(_run(job, urls, threads, on_error, base))


def normalize_many(
    urls: Any,
    base: str | URL | None = None,
    *,
    encoding: str = "utf-8",
    threads: int | None = None,
    on_error: OnError = "null",
) -> Column:
    """The serialization of each URL. `encoding` is the encoding of queries, as for `URL`."""
    job = job_of(("href",), base=_href(base), encoding=encoding)
    return Column(_run(job, urls, threads, on_error, base))


def canonicalize_many(
    urls: Any,
    policy: str | Policy = "crawl",
    base: str | URL | None = None,
    *,
    threads: int | None = None,
    on_error: OnError = "null",
) -> Column:
    """The canonical form of each URL, as from `weburl.crawl.canonicalize`; with a base, each row is resolved first."""
    job = job_of(("canonical",), base=_href(base), policy=_given(policy, "a str or a CrawlPolicy"))
    return Column(_run(job, urls, threads, on_error, base))


def fingerprint_many(
    urls: Any,
    policy: str | Policy = "crawl",
    bits: int = 64,
    base: str | URL | None = None,
    *,
    threads: int | None = None,
    on_error: OnError = "null",
) -> Column:
    """The fingerprint of each URL, as from `weburl.crawl.fingerprint`.

    `bits` is at most 64, or 128. Up to 64 bits have Arrow's type uint64; 128 bits have fixed_size_binary: 16 bytes, the
    most significant first.
    """
    if not isinstance(bits, int) or not (1 <= bits <= 64 or bits == 128):
        raise ValueError("bits must be an int from 1 to 64, or 128")
    policy = _given(policy, "a str or a CrawlPolicy")
    job = job_of(("fingerprint",), base=_href(base), policy=policy, bits=bits)
    return Column(_run(job, urls, threads, on_error, base))


def redact_many(
    urls: Any,
    policy: str | LogPolicy = "logs/1",
    base: str | URL | None = None,
    *,
    threads: int | None = None,
    on_error: OnError = "null",
) -> Column:
    """Each URL without its secrets, as from `weburl.redact.redact`; null for a row that is not a URL."""
    job = job_of(("redacted",), base=_href(base), redaction=_given(policy, "a str or a LogPolicy"))
    return Column(_run(job, urls, threads, on_error, base))


def redactions_many(
    urls: Any,
    policy: str | LogPolicy = "logs/1",
    base: str | URL | None = None,
    *,
    threads: int | None = None,
    on_error: OnError = "null",
) -> Table:
    """How many secrets `redact_many` hides in each URL: a column for each kind of `weburl.redact.redactions`."""
    from weburl._redact.secrets import KINDS

    job = job_of(KINDS, is_struct=True, base=_href(base), redaction=_given(policy, "a str or a LogPolicy"))
    return Table(_run(job, urls, threads, on_error, base))


def path_template_many(
    urls: Any,
    rules: str = "paths/1",
    base: str | URL | None = None,
    *,
    threads: int | None = None,
    on_error: OnError = "null",
) -> Column:
    """The template of each URL's path, as from `weburl.redact.path_template`; null for a row that is not a URL."""
    if rules is None:
        raise TypeError("rules must be a str, not NoneType")
    job = job_of(("template",), base=_href(base), rules=rules)
    return Column(_run(job, urls, threads, on_error, base))


def can_parse_many(
    urls: Any, base: str | URL | None = None, *, threads: int | None = None, on_error: OnError = "null"
) -> Column:
    """Whether each row is a URL; null for a null row."""
    return Column(_run(job_of(("valid",), base=_href(base)), urls, threads, on_error, base))


def is_private_url_many(
    urls: Any, base: str | URL | None = None, *, threads: int | None = None, on_error: OnError = "null"
) -> Column:
    """Whether each URL's host is private, as from `weburl.hosts.is_private_url`; null for a row that is not a URL."""
    return Column(_run(job_of(("is_private",), base=_href(base)), urls, threads, on_error, base))


def host_in_many(
    urls: Any,
    hosts: Hosts,
    base: str | URL | None = None,
    *,
    schemes: str | Iterable[str] | None = ("http", "https", "ws", "wss"),
    threads: int | None = None,
    on_error: OnError = "null",
) -> Column:
    """Whether there is an entry for each URL's host among `hosts`, as from `weburl.hosts.url_host_matches`.

    There is none for a URL whose scheme is not one of `schemes`; None is for all schemes. A row that is not a URL is
    null. The time for a row does not depend on how many entries there are. `hosts` may be a `weburl.hosts.HostSet`.
    """
    from weburl._hosts.matching import HostPatterns

    job = job_of(("host_in",), base=_href(base), hosts=HostPatterns(hosts, schemes))
    return Column(_run(job, urls, threads, on_error, base))


def component_many(
    urls: Any,
    field: str,
    base: str | URL | None = None,
    *,
    threads: int | None = None,
    on_error: OnError = "null",
    views: bool = False,
    psl: PublicSuffixList | None = None,
) -> Column:
    """One of the columns of `parse_many`."""
    job = job_of(_names((field,)), views=bool(views), base=_href(base), psl=psl)
    return Column(_run(job, urls, threads, on_error, base))


def join_many(base: Any, refs: Any, *, threads: int | None = None, on_error: OnError = "null") -> Column:
    """The serialization of each reference, resolved against one base, or against the base in the same row of a column.

    If that base is not a URL, the error is "base"; if it is null, the result is null.
    """
    if isinstance(base, (str, URL)):
        return normalize_many(refs, base, threads=threads, on_error=on_error)
    bases = open_column(base, "base")
    rows = open_column(refs, "refs")
    counts = sum(map(len, bases)), sum(map(len, rows))
    if counts[0] != counts[1]:
        raise ValueError(f"there are {counts[0]} bases for {counts[1]} references")
    return Column(_run_pieces(job_of(("href",)), cut_rows(rows, bases), threads, on_error, None))


def query_get_many(
    urls: Any, key: str, base: str | URL | None = None, *, threads: int | None = None, on_error: OnError = "null"
) -> Column:
    """The first value that each URL's query has for a name, decoded; null if it has none."""
    if not isinstance(key, str):
        raise TypeError(f"key must be a str, not {type(key).__name__}")
    return Column(_run(job_of((), keys=(str.__str__(key),), base=_href(base)), urls, threads, on_error, base))


def query_values_many(
    urls: Any,
    keys: Iterable[str],
    base: str | URL | None = None,
    *,
    threads: int | None = None,
    on_error: OnError = "null",
    views: bool = False,
) -> Table:
    """A column for each of the names: its first value in each URL's query, decoded; null if there is none.

    All are found in one pass, which takes little longer than one name alone.
    """
    job = job_of((), is_struct=True, views=bool(views), keys=_keys(keys), base=_href(base))
    return Table(_run(job, urls, threads, on_error, base))


def query_pairs_many(
    urls: Any, base: str | URL | None = None, *, threads: int | None = None, on_error: OnError = "null"
) -> Column:
    """All pairs of each URL's query, decoded: a list of structs of `name` and `value`."""
    return Column(_run(job_of(("query_pairs",), base=_href(base)), urls, threads, on_error, base))


def pattern_test_many(
    urls: Any,
    pattern: str | URLPattern,
    base: str | URL | None = None,
    *,
    threads: int | None = None,
    on_error: OnError = "null",
) -> Column:
    """Whether each URL matches a pattern, as from `URLPattern.test`; false for what is not a URL, null for a null row.

    `pattern` is a URLPattern, or the text of one.
    """
    from weburl.patterns import pattern_of

    job = job_of(("pattern_test",), base=_href(base), matching=pattern_of(pattern)._matching())
    return Column(_run(job, urls, threads, on_error, base))


def pattern_extract_many(
    urls: Any,
    pattern: str | URLPattern,
    groups: Iterable[str] | None = None,
    base: str | URL | None = None,
    *,
    threads: int | None = None,
    on_error: OnError = "null",
    views: bool = False,
) -> Table:
    """A column for each group of a pattern: what it took of each URL, as from `URLPattern.exec`.

    By default these are the groups that have names. A name that two components have is with its component, such as
    `hostname.id` and `pathname.id`. `groups` names others, such as `id`, `pathname.id`, or `pathname.0`, which is the
    first of the path. A group is null in a row that does not match, and where it took no part in the match.
    """
    from weburl.patterns import pattern_of

    matching = pattern_of(pattern)._matching(groups)
    if not matching.columns:
        raise ValueError("the pattern has no groups with names: give groups, as ['pathname.0']")
    job = job_of((), is_struct=True, views=bool(views), base=_href(base), matching=matching)
    return Table(_run(job, urls, threads, on_error, base))


def route_many(
    urls: Any,
    routes: Routes,
    base: str | URL | None = None,
    *,
    threads: int | None = None,
    on_error: OnError = "null",
) -> Table:
    """Which of many patterns each URL matches first, as from `PatternList.first`.

    The column `route` has the pattern's key, and `groups` is a map of its groups that have names and took part. Both
    are null in a row that matches none. `routes` are a PatternList, or what makes one.
    """
    from weburl.patterns import PatternList

    matching = (routes if isinstance(routes, PatternList) else PatternList(routes))._matching()
    job = job_of(("route", "groups"), is_struct=True, base=_href(base), matching=matching)
    return Table(_run(job, urls, threads, on_error, base))


def percent_decode_many(
    texts: Any,
    errors: Literal["replace", "strict", "ignore"] = "replace",
    *,
    threads: int | None = None,
    on_error: OnError = "null",
) -> Column:
    """Each text, percent-decoded and decoded as UTF-8.

    Bytes that are not UTF-8 become U+FFFD ("replace") or are left out ("ignore"), or the row fails with "invalid-UTF-8"
    ("strict"); with `on_error="raise"` that raises a UnicodeDecodeError.
    """
    if errors not in DECODE_ERRORS:
        from weburl._diagnosis.messages import shown_argument

        raise ValueError(f"errors must be one of {', '.join(DECODE_ERRORS)}, not {shown_argument(errors)}")
    return Column(_run(job_of(("decoded",), decode_errors=errors), texts, threads, on_error, None, "texts"))


def parse_lines(
    source: str | os.PathLike[str] | bytes | bytearray | memoryview | mmap | IO[bytes],
    fields: Iterable[str] | None = None,
    base: str | URL | None = None,
    *,
    threads: int | None = None,
    on_error: OnError = "null",
    views: bool = False,
    psl: PublicSuffixList | None = None,
    progress: Progress = None,
) -> Table:
    """`parse_many` for the lines of a file, by its path or open in binary mode, or of bytes or a memory map.

    A line ends with a newline, and may have a carriage return before it. Bytes that are not UTF-8 become U+FFFD; a byte
    order mark at the begin is left out.
    `progress` is True for a bar on stderr (from `tqdm` if it is installed, else a plain counter), or a function of two
    arguments: how many bytes are done, and how many there are, or None if that is not known.
    """
    names = URL_FIELDS if fields is None else _names(fields)
    job = job_of(names, is_struct=True, views=bool(views), base=_href(base), psl=psl)
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb", buffering=0) as file:
            status = os.fstat(file.fileno())
            # The size of a pipe is not known.
            total = status.st_size if stat.S_ISREG(status.st_mode) else None
            pieces = cut_file(file, None if total is None else file.seek)
            return Table(_run_lines(job, pieces, total, threads, on_error, base, progress))
    if isinstance(source, (bytes, bytearray, memoryview, mmap)):
        with memoryview(source) as data:
            # Memory that others may write to is copied.
            lines: bytes | mmap = source if data.readonly and isinstance(source, (bytes, mmap)) else bytes(data)
        return Table(_run_lines(job, cut_lines(lines, is_begin=True), len(lines), threads, on_error, base, progress))
    if not hasattr(source, "read"):
        raise TypeError(f"source must be a path, bytes or a file, not {type(source).__name__}")
    return Table(_run_lines(job, cut_file(source), None, threads, on_error, base, progress))


def _names(fields: Iterable[str]) -> tuple[str, ...]:
    names = (fields,) if isinstance(fields, str) else tuple(fields)
    for name in names:
        if name not in PARSE_FIELDS:
            from weburl._diagnosis.messages import shown_argument

            raise ValueError(f"a field must be one of {', '.join(PARSE_FIELDS)}, not {shown_argument(name)}")
    if len(set(names)) < len(names) or not names:
        raise ValueError("fields must be one or more names, each once")
    return tuple(map(str.__str__, names))


def _keys(keys: Iterable[str]) -> tuple[str, ...]:
    names = (keys,) if isinstance(keys, str) else tuple(keys)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"a key must be a str, not {type(name).__name__}")
        if "\0" in name:
            from weburl._diagnosis.messages import shown_argument

            raise ValueError(f"a key is the name of a column, which has no U+0000: {shown_argument(name)}")
    if not names:
        raise ValueError("keys must be one or more names, each once")
    return tuple(map(str.__str__, names))


def _given(policy: PolicyT, kind: str) -> PolicyT:
    """The policy. In a job, None is none."""
    if policy is None:
        raise TypeError(f"policy must be {kind}, not NoneType")
    return policy


def _href(base: str | URL | None) -> str | None:
    return None if base is None else URL(base).href


def _run(
    job: Job, column: Any, threads: int | None, on_error: OnError, base: str | URL | None, what: str = "urls"
) -> list[Batch]:
    return _run_pieces(job, cut_rows(open_column(column, what)), threads, on_error, base)


def _run_lines(
    job: Job,
    pieces: Iterator[Piece],
    size: int | None,
    threads: int | None,
    on_error: OnError,
    base: str | URL | None,
    progress: Progress,
) -> list[Batch]:
    with reporting(progress, size) as report:
        return _run_pieces(job, pieces, threads, on_error, base, report)


def _run_pieces(
    job: Job,
    pieces: Iterator[Piece],
    threads: int | None,
    on_error: OnError,
    base: str | URL | None,
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
                raise _failure(job, piece, batch, rows, base)
            batches.append(batch)
            rows += batch.length
            done += piece.end - piece.begin
            if report is not None:
                report(done)
    if batches:
        return batches
    empty = job.run(input.from_objects(()), 0, 0)
    assert empty is not None
    return [empty]


def _failure(job: Job, piece: Piece, batch: Batch, before: int, base: str | URL | None) -> Exception:
    """What the scalar function would raise for the first row that failed, and the row's number."""
    index = batch.first_failed
    row = before + index
    text = job.row_text(piece.rows, piece.begin, piece.end, index) or ""
    if batch.first_error == "invalid-UTF-8":
        try:
            percent_decode_text(text, "strict")
        except UnicodeDecodeError as error:
            error.reason += f" (row {row})"
            return error
    if piece.bases is not None:
        own_base = job.row_text(piece.bases, piece.bases_begin, piece.bases_begin + batch.length, index)
    else:
        own_base = _href(base) if isinstance(base, URL) else base
    failure = InvalidURL(text, own_base, batch.first_error)
    failure.row = row
    return failure
