"""URLs in Daft: functions of expressions, functions of SQL, and the parts of a column next to it.

    >>> import daft
    >>> from weburl.ext.daft import parse_column, register, url_hostname, url_param
    >>> frame = daft.from_pydict({"url": ["https://EXAMPLE.com:443/a?q=caf%C3%A9", "no URL"]})
    >>> frame.select(url_hostname(frame["url"]).alias("host"), url_param(frame["url"], "q").alias("q")).to_pydict()
    {'host': ['example.com', None], 'q': ['café', None]}
    >>> register()
    >>> daft.sql("select url_registrable_domain(url) d from frame").to_pydict()
    {'d': ['example.com', None]}
    >>> parse_column(frame, "url", ["hostname", "error"]).column_names
    ['url', 'url_hostname', 'url_error']

Each row gives what `weburl.bulk` gives for it: a row that is null or not a URL gives null. One thread works on a batch:
Daft gives batches to all cores. The functions do not hold the GIL, so they run in Daft's own process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from typing import TYPE_CHECKING, Any

from weburl.ext._adapter import Engine, ParsedColumns, Sql, type_of
from weburl.ext._engines.versions import needed

with needed("daft", "0.7.13"):
    import daft
    from daft import DataType

import pyarrow as pa

from weburl._verbs.verb import ENGINE_TYPES
from weburl.ext._engines.arrays import give_with, parsed_columns
from weburl.ext._engines.sql import functions_of

if TYPE_CHECKING:
    from daft import DataFrame, Expression

    from weburl.ext._adapter import Result

TEXT = DataType.string()
_numbers = count()
RESULTS = {
    **{kind: DataType.from_arrow_type(pa.type_for_alias(each.arrow)) for kind, each in ENGINE_TYPES.items()},
    "pairs": DataType.list(DataType.struct({"name": TEXT, "value": TEXT})),
    "texts": DataType.list(TEXT),
    "map": DataType.map(TEXT, TEXT),
}


def _udf(function: Callable[..., Any], result: Result) -> Callable[..., Expression]:
    """A function of Daft, from one of arrays."""
    return _batch(function, type_of(result, RESULTS, _struct))


def _batch(function: Callable[..., Any], returns: Any, unnest: bool = False) -> Callable[..., Expression]:
    def run(*columns: daft.Series | str) -> Any:
        return function(*[column if isinstance(column, str) else column.to_arrow() for column in columns])

    # Daft takes functions of one plan for the same if their names, with a random number below a million, are.
    run.__name__ = function.__name__
    run.__qualname__ = f"{function.__name__}_{next(_numbers)}"
    return daft.func.batch(return_dtype=returns, unnest=unnest, use_process=False)(run)  # type: ignore[no-any-return]


def _struct(names: Iterable[str]) -> Any:
    return DataType.struct(dict.fromkeys(names, TEXT))


ENGINE = Engine(
    "daft", column="Expression", bases="Expression | str", result_type="Expression", sql=True,
    types={"errors": "str"},
    words={"against the base.": "against the base. The base may be one for all rows."},
    example={
        "imports": "import daft", "frame": "frame = daft.from_pydict(rows)", "frame_column": 'daft.col("{}")',
        "result": 'frame.select({}.alias("result")).to_pydict()["result"]',
    },
)  # fmt: skip

__all__ = sorted(["parse_column", "register", *ENGINE.add_functions(globals(), give_with(_udf))])


def __dir__() -> list[str]:
    return __all__


@ENGINE.with_options_of(ParsedColumns)
def parse_column(frame: DataFrame, *, parts: ParsedColumns) -> DataFrame:
    """The frame, {parts}

    >>> import daft
    >>> frame = daft.from_pydict({"url": ["https://Example.com:8080/a"]})
    >>> parse_column(frame, "url", ["hostname", "port"]).to_pydict()
    {'url': ['https://Example.com:8080/a'], 'url_hostname': ['example.com'], 'url_port': ['8080']}
    """

    def parse(urls: pa.Array) -> pa.Array:
        return pa.StructArray.from_arrays(parsed_columns(parts, urls), parts.columns)

    return frame.select(daft.col("*"), _batch(parse, _struct(parts.columns), unnest=True)(frame[parts.name]))


@ENGINE.with_options_of(Sql)
def register(*, sql: Sql) -> None:
    """Gives the session the functions of SQL.

    >>> import daft
    >>> register()
    >>> frame = daft.from_pydict({"url": ["https://Example.com:8080/a"]})
    >>> daft.sql("SELECT url_hostname(url) AS host FROM frame").to_pydict()
    {'host': ['example.com']}

    {functions}

    `url_query` gives a map.
    """
    for name, function, result in functions_of(sql):
        daft.attach_function(_udf(function, result), name)
