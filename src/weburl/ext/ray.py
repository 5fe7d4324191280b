"""URLs in Ray Data: functions of expressions, and the parts of a column next to it.

    >>> import ray
    >>> from ray.data.expressions import col
    >>> from weburl.ext.ray import parse_column, url_hostname, url_param
    >>> data = ray.data.from_items([{"url": "https://EXAMPLE.com:443/a?q=caf%C3%A9"}, {"url": "no URL"}])
    >>> data.with_column("host", url_hostname(col("url"))).with_column("q", url_param(col("url"), "q")).take_all()[0]
    {'url': 'https://EXAMPLE.com:443/a?q=caf%C3%A9', 'host': 'example.com', 'q': 'café'}
    >>> [row["url_error"] for row in parse_column(data, "url", ["hostname", "error"]).take_all()]
    [None, 'missing-scheme-non-relative-URL']

Each row gives what `weburl.bulk` gives for it: a row that is null or not a URL gives null. One thread works on a block:
Ray runs a task on each core. The workers need weburl, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from weburl.ext._adapter import Engine, ParsedColumns
from weburl.ext._engines.versions import needed

with needed("ray", "2.60", "ray[data]"):
    from ray.data.datatype import DataType
    from ray.data.expressions import pyarrow_udf

import pyarrow as pa

from weburl.ext._engines.arrays import arrow_type, give_with, parsed_columns

if TYPE_CHECKING:
    from ray.data import Dataset
    from ray.data.expressions import Expr

    from weburl.ext._adapter import Result


def _udf(function: Callable[..., Any], result: Result) -> Callable[..., Expr]:
    """A function of Ray, from one of arrays."""
    returns = arrow_type(result)

    def run(*arrays: Any) -> Any:
        return function(*arrays).cast(returns)

    run.__name__ = function.__name__
    return pyarrow_udf(DataType.from_arrow(returns))(run)  # type: ignore[no-any-return]


ENGINE = Engine(
    "ray", column="Expr", bases="Expr | str", result_type="Expr",
    types={"errors": "str"},
    words={"against the base.": "against the base. The base may be one for all rows."},
    example={
        "imports": "import pyarrow, ray\nfrom ray.data.expressions import col",
        "frame": "data = ray.data.from_arrow(pyarrow.table(rows))", "frame_column": 'col("{}")',
        "result": 'data = data.with_column("result", {})\n[row["result"] for row in data.take_all()]',
    },
)  # fmt: skip

__all__ = sorted(["parse_column", *ENGINE.add_functions(globals(), give_with(_udf))])


def __dir__() -> list[str]:
    return __all__


@ENGINE.with_options_of(ParsedColumns)
def parse_column(data: Dataset, *, parts: ParsedColumns) -> Dataset:
    """The data, {parts}

    >>> import ray
    >>> data = ray.data.from_items([{"url": "https://Example.com:8080/a"}])
    >>> parse_column(data, "url", ["hostname", "port"]).take_all()
    [{'url': 'https://Example.com:8080/a', 'url_hostname': 'example.com', 'url_port': '8080'}]
    """

    def run(table: pa.Table) -> pa.Table:
        for name, column in zip(parts.columns, parsed_columns(parts, table.column(parts.name)), strict=True):
            table = table.append_column(name, column)
        return table

    return data.map_batches(run, batch_format="pyarrow", batch_size=None)
