"""URLs in pyarrow: functions of arrays, chunked arrays and tables, and of Arrow's compute engine.

    >>> import pyarrow as pa
    >>> from weburl.ext.pyarrow import parse_column, url_hostname, url_param
    >>> urls = pa.array(["https://EXAMPLE.com:443/a?q=caf%C3%A9", "no URL", None])
    >>> url_hostname(urls).to_pylist(), url_param(urls, "q").to_pylist()
    (['example.com', None, None], ['café', None, None])
    >>> parse_column(pa.table({"url": urls}), "url", ["hostname", "error"]).column_names
    ['url', 'url_hostname', 'url_error']

Each row gives what `weburl.bulk` gives for it: a row that is null or not a URL gives null. An array gives an array, and
a chunked array a chunked one. `options` are those of the functions of `weburl.bulk`, such as `threads`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from weburl.ext._adapter import Engine, needed

with needed("pyarrow", "18"):
    import pyarrow as pa
    import pyarrow.compute as pc

from weburl._verbs.rows import Table
from weburl._verbs.verb import engine_verbs
from weburl.bulk import parse_many
from weburl.ext._engines.arrays import give

if TYPE_CHECKING:
    from weburl.url import URL, FrozenURL

T = TypeVar("T", pa.Array, pa.ChunkedArray)


ENGINE = Engine(
    "pyarrow", column="T", bases="T | str | URL | FrozenURL", gives="T", plural=True, rest=True,
    words={"against the base.": "against the base. Bases may be one for all rows."},
    example={"imports": "import pyarrow as pa", "column": "pa.array({})", "result": "{}.to_pylist()"},
)  # fmt: skip

__all__ = sorted(["parse_column", "register", *ENGINE.add_functions(globals(), give)])


def __dir__() -> list[str]:
    return __all__


def parse_column(
    table: Any,
    name: str,
    fields: Iterable[str] | None = None,
    *,
    base: str | URL | FrozenURL | None = None,
    **options: Any,
) -> Any:
    """The table, with the parts of one of its columns: `url_hostname` and so on for a column `url`.

    >>> import pyarrow as pa
    >>> table = pa.table({"url": ["https://Example.com:8080/a", "example.com"]})
    >>> parse_column(table, "url", ["hostname", "port"]).select(["url_hostname", "url_port"]).to_pylist()
    [{'url_hostname': 'example.com', 'url_port': '8080'}, {'url_hostname': None, 'url_port': None}]

    A record batch gives a record batch. A reader, or any other object with a stream of record batches, such as a frame
    of Polars or a relation of DuckDB, gives a reader, which parses the batches as they are read.
    """
    if isinstance(table, (pa.Table, pa.RecordBatch)):
        return _with_parts(table, name, parse_many(table.column(name), fields, base=base, **options))
    reader = table if isinstance(table, pa.RecordBatchReader) else pa.RecordBatchReader.from_stream(table)
    # What is wrong is said before the work.
    names = parse_many((), fields, base=base, **options).column_names
    schema = parse_column(reader.schema.empty_table(), name, names).schema
    batches = (parse_column(batch, name, names, base=base, **options) for batch in reader)
    return pa.RecordBatchReader.from_batches(schema, batches)


def register(input_type: pa.DataType | None = None) -> None:
    """Gives the functions to Arrow's compute engine, for columns of one type.

    >>> import pyarrow as pa, pyarrow.compute as pc
    >>> register()
    >>> pc.call_function("url_hostname", [pa.array(["https://EXAMPLE.com:443/"])]).to_pylist()
    ['example.com']

    The type is string, unless another is given.

    They are `url_hostname`, `url_path`, `url_normalize`, `url_can_parse`, `url_registrable_domain` and, of two columns,
    `url_join`.
    """
    for name in ("url_hostname", "url_path", "url_normalize", "url_can_parse", "url_registrable_domain", "url_join"):
        verb = engine_verbs()[name]
        pc.register_scalar_function(
            _kernel(globals()[name]),
            name,
            {"summary": verb.doc, "description": "https://url.spec.whatwg.org/"},
            dict.fromkeys(verb.columns, input_type or pa.string()),
            pa.bool_() if verb.result == "bool" else pa.large_string(),
        )


def _kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(context: Any, *columns: Any) -> Any:
        # Beside columns, a scalar stands for a column.
        arrays = [
            pa.repeat(column, context.batch_length) if isinstance(column, pa.Scalar) else column for column in columns
        ]
        return function(*arrays, threads=1)

    return run


def _with_parts(table: Any, name: str, parts: Table) -> Any:
    columns = parts.to_pyarrow().columns if isinstance(table, pa.Table) else pa.array(parts).flatten()
    added = [
        pa.field(f"{name}_{field}", column.type) for field, column in zip(parts.column_names, columns, strict=True)
    ]
    schema = pa.schema([*table.schema, *added], table.schema.metadata)
    return type(table).from_arrays([*table.columns, *columns], schema=schema)
