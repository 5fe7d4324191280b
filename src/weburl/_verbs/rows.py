"""What verbs give: `Column` and `Table` of `weburl.bulk`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import accumulate
from operator import index as index_of

from weburl._arrow import batch as _batch
from weburl._arrow import export

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, SupportsIndex, TypeVar, overload

    Rows = TypeVar("Rows", bound="_Batches")

    import numpy
    import pandas
    import polars
    import pyarrow

    from weburl._arrow.batch import Batch


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
        """How many rows failed, by the standard's name for the error; the most frequent error first.

        >>> normalize_many(["https://example.com/", "example.com", "docs", "https://exa mple.com/", None]).errors
        {'missing-scheme-non-relative-URL': 2, 'domain-to-ASCII': 1}
        """
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
        return restore_rows, (type(self), [export.state_of(batch) for batch in self._batches])


def restore_rows(kind: type[Rows], states: list[tuple[Any, ...]]) -> Rows:
    """Makes a column or a table from its pickle."""
    batches = [export.batch_of(state) for state in states]
    shapes = {export.shape_of(batch) for batch in batches}
    if not issubclass(kind, (Column, Table)) or len(shapes) != 1 or batches[0].is_struct is issubclass(kind, Column):
        raise ValueError("the pickle of a column is damaged")
    return kind(batches)


class Column(_Batches):
    """The result of a function for columns: one value for each row, None where a row is null or failed.

    >>> hosts = component_many(["https://example.com/a", "mailto:ada@example.com", "example.com"], "hostname")
    >>> len(hosts), hosts[0], list(hosts)
    (3, 'example.com', ['example.com', '', None])

    Its values are str, bool, int, bytes, lists of pairs or of texts, or dicts.

    `column[i]` is an entry and `column[i:j]` a column, with a copy of its rows and without their `errors`.
    """

    __slots__ = ("_starts",)

    _starts: tuple[list[Batch], list[int]]

    if TYPE_CHECKING:

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
                    taken.append(export.take_rows(batch, part.start - begin, len(part), step))
            return Column(taken[::turn] or [export.take_rows(batches[0], 0, 0, 1)])
        try:
            row = range(starts[-1])[index_of(index)]
        except IndexError:
            raise IndexError("a column has no such row") from None
        place = bisect_right(starts, row) - 1
        return batches[place].entry(row - starts[place])

    def _places(self) -> tuple[list[Batch], list[int]]:
        """The batches, and where each begins and the last ends."""
        places = getattr(self, "_starts", None)
        batches = self._batches
        if places is None or places[0] is not batches:
            places = self._starts = batches, [*accumulate((batch.length for batch in batches), initial=0)]
        return places

    def __iter__(self) -> Iterator[Any]:
        for batch in self._batches:
            yield from batch.entries(0)

    def to_pylist(self) -> list[Any]:
        """The values, as a list.

        >>> query_get_many(["https://example.com/?q=a+b", "https://example.com/"], "q").to_pylist()
        ['a b', None]
        """
        return list(self)

    def to_pyarrow(self) -> pyarrow.ChunkedArray:
        """The column for pyarrow, as a `ChunkedArray` over the same memory.

        >>> normalize_many(["HTTPS://Example.com", None]).to_pyarrow().null_count
        1
        """
        return _package("pyarrow").chunked_array(self)

    def to_polars(self) -> polars.Series:
        """The column as a series of Polars.

        >>> normalize_many(["HTTPS://Example.com", None]).to_polars().to_list()
        ['https://example.com/', None]
        """
        return _package("polars").Series(self)

    def to_pandas(self) -> pandas.Series[Any]:
        """The column as a series of pandas.

        >>> can_parse_many(["https://example.com/", None]).to_pandas().dtype.name
        'boolean'

        It has the type `UInt64` for integers and `boolean` for booleans, with or without nulls.
        """
        pandas = _package("pandas")
        array = _masked_array(self, pandas)
        return pandas.Series.from_arrow(self) if array is None else pandas.Series(array)

    def to_numpy(self) -> tuple[numpy.ndarray[Any, Any], numpy.ndarray[Any, Any]]:
        """Two arrays of NumPy: the values, and a bool for each row, which is False if the row is null.

        >>> values, valid = can_parse_many(["https://example.com/", "example.com", None]).to_numpy()
        >>> values.tolist(), valid.tolist()
        ([True, False, False], [True, True, False])

        The types are `uint64` for integers, `bool` for booleans, and `V16` or `V12` for digests; a null row has 0
        there. All other columns are `object`, with None for a null row. `numpy.ma.array(values, mask=~valid)` is one
        array with both.
        """
        numpy = _package("numpy")
        dtype = NUMPY_TYPES.get(export.type_of(self._batches[0]))
        valid = _joined(self._batches, export.valid_of, numpy, "bool")
        if dtype is not None:
            return _joined(self._batches, export.values_of, numpy, dtype), valid
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
    """The result of a function that gives several columns: `table[name]` is a `Column`, iteration gives the rows.

    >>> table = parse_many(["https://example.com/a?q=1", "example.com"], ["hostname", "query", "error"])
    >>> len(table), table["hostname"].to_pylist(), table.errors
    (2, ['example.com', None], {'missing-scheme-non-relative-URL': 1})
    """

    __slots__ = ()

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns, in order.

        >>> query_values_many(["https://example.com/?q=tea&page=2"], ["page", "q"]).column_names
        ('page', 'q')
        """
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
        """The rows, as a list of dicts.

        >>> parse_many(["https://example.com:8080/a"], ["hostname", "port"]).to_pylist()
        [{'hostname': 'example.com', 'port': '8080'}]
        """
        return list(self)

    def to_pyarrow(self) -> pyarrow.Table:
        """The table for pyarrow, as a `Table` over the same memory.

        >>> parse_many(["https://example.com/a"], ["scheme", "hostname"]).to_pyarrow().column_names
        ['scheme', 'hostname']
        """
        return _package("pyarrow").table(self)

    def to_polars(self) -> polars.DataFrame:
        """The table as a data frame of Polars.

        >>> parse_many(["https://example.com/a"], ["scheme", "hostname"]).to_polars().row(0)
        ('https', 'example.com')
        """
        return _package("polars").DataFrame(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a data frame of pandas, with the types that `Column.to_pandas` gives.

        >>> parse_many(["https://example.com/a"], ["scheme", "hostname"]).to_pandas().shape
        (1, 2)
        """
        pandas = _package("pandas")
        frame = pandas.DataFrame.from_arrow(self)
        for name in self.column_names:
            array = _masked_array(self[name], pandas)
            if array is not None:
                frame[name] = array
        return frame


NUMPY_TYPES = {name: numpy for name, _, _, numpy in _batch.COLUMN_TYPES.values() if numpy}


def _joined(batches: list[Batch], part: Callable[[Batch], bytearray], numpy: Any, dtype: str) -> Any:
    return numpy.frombuffer(bytearray().join(map(part, batches)), dtype)


# https://pandas.pydata.org/docs/reference/arrays.html#nullable-integer
def _masked_array(column: Column, pandas: Any) -> Any:
    """The array of integers or booleans, which pandas would make floats or objects of where there are nulls."""
    kind = {"numbers": pandas.arrays.IntegerArray, "bits": pandas.arrays.BooleanArray}.get(
        export.type_of(column._batches[0])
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


# Where users and pickles find them.
Column.__module__ = "weburl.bulk"
Table.__module__ = "weburl.bulk"
restore_rows.__module__ = "weburl.bulk"
