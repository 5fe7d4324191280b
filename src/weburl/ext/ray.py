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

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from weburl.ext._adapter import Engine, Task, needed

with needed("ray", "2.60", "ray[data]"):
    from ray.data.datatype import DataType
    from ray.data.expressions import pyarrow_udf

import pyarrow as pa

from weburl._verbs.verb import Verb
from weburl.bulk import parse_many
from weburl.ext._engines.arrays import function_of

if TYPE_CHECKING:
    from ray.data import Dataset
    from ray.data.expressions import Expr

    from weburl.url import URL, FrozenURL

TEXT = pa.large_string()
RESULTS = {
    "text": TEXT,
    "bool": pa.bool_(),
    "number": pa.uint64(),
    "digest": pa.binary(),
    "pairs": pa.large_list(pa.struct([("name", TEXT), ("value", TEXT)])),
    "texts": pa.large_list(TEXT),
}


def _give(verb: Verb, columns: tuple[Any, ...], options: dict[str, Any]) -> Expr:
    task = Task(verb, options)
    function, arguments = function_of(verb.function), task.arguments
    result = task.result
    returns = pa.struct([(name, TEXT) for name in result]) if isinstance(result, tuple) else RESULTS[result]

    def run(*arrays: Any) -> Any:
        return function(*arrays, **arguments, threads=1).cast(returns)

    run.__name__ = verb.function
    return pyarrow_udf(DataType.from_arrow(returns))(run)(*columns)


ENGINE = Engine(
    "ray", column="Expr", bases="Expr | str", gives="Expr",
    types={"errors": "str"},
    words={"against the base.": "against the base. The base may be one for all rows."},
    example={
        "imports": "import pyarrow, ray\nfrom ray.data.expressions import col",
        "frame": "data = ray.data.from_arrow(pyarrow.table(rows))", "of": 'col("{}")',
        "result": 'data = data.with_column("result", {})\n[row["result"] for row in data.take_all()]',
    },
)  # fmt: skip

__all__ = sorted(["parse_column", *ENGINE.add_functions(globals(), _give)])


def __dir__() -> list[str]:
    return __all__


def parse_column(
    data: Dataset,
    name: str,
    fields: Iterable[str] | None = None,
    *,
    base: str | URL | FrozenURL | None = None,
    encoding: str = "utf-8",
) -> Dataset:
    """The data, with the parts of one of its columns: `url_hostname` and so on for a column `url`.

    >>> import ray
    >>> data = ray.data.from_items([{"url": "https://Example.com:8080/a"}])
    >>> parse_column(data, "url", ["hostname", "port"]).take_all()
    [{'url': 'https://Example.com:8080/a', 'url_hostname': 'example.com', 'url_port': '8080'}]
    """
    names = parse_many((), fields, base=base, encoding=encoding).column_names

    def run(table: pa.Table) -> pa.Table:
        parts = parse_many(table.column(name), names, base=base, encoding=encoding, threads=1).to_pyarrow()
        for field, part in zip(names, parts.columns, strict=True):
            # Not dictionaries, as in `url_parse`.
            table = table.append_column(f"{name}_{field}", part.cast(TEXT))
        return table

    return data.map_batches(run, batch_format="pyarrow", batch_size=None)
