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

from collections.abc import Callable
from typing import Any, TypeVar

from weburl.ext._adapter import Engine, ParsedColumns
from weburl.ext._engines.versions import needed

with needed("pyarrow", "18"):
    import pyarrow as pa
    import pyarrow.compute as pc

from weburl._verbs.verb import engine_verbs
from weburl._verbs.work import names_of
from weburl.bulk import parse_many
from weburl.ext._engines.arrays import arrow_type, give, of_batches

T = TypeVar("T", pa.Array, pa.ChunkedArray)

ENGINE = Engine(
    "pyarrow", column="T", bases="T | str | URL | FrozenURL", result_type="T", plural_names=True,
    takes_bulk_options=True, words={"against the base.": "against the base. Bases may be one for all rows."},
    example={"imports": "import pyarrow as pa", "column": "pa.array({})", "result": "{}.to_pylist()"},
)  # fmt: skip

__all__ = sorted(["parse_column", "register", *ENGINE.add_functions(globals(), give)])


def __dir__() -> list[str]:
    return __all__


@ENGINE.with_options_of(ParsedColumns)
def parse_column(table: Any, *, parts: ParsedColumns) -> Any:
    """The table, {parts}

    >>> import pyarrow as pa
    >>> table = pa.table({"url": ["https://Example.com:8080/a", "example.com"]})
    >>> parse_column(table, "url", ["hostname", "port"]).select(["url_hostname", "url_port"]).to_pylist()
    [{'url_hostname': 'example.com', 'url_port': '8080'}, {'url_hostname': None, 'url_port': None}]

    A record batch gives a record batch. A reader, or any other object with a stream of record batches, such as a frame
    of Polars or a relation of DuckDB, gives a reader, which parses the batches as they are read.
    """
    if isinstance(table, (pa.Table, pa.RecordBatch)):
        return _with_parts(table, parts)
    reader = table if isinstance(table, pa.RecordBatchReader) else pa.RecordBatchReader.from_stream(table)
    schema = _with_parts(reader.schema.empty_table(), parts).schema
    return pa.RecordBatchReader.from_batches(schema, (_with_parts(batch, parts) for batch in reader))


def _with_parts(table: Any, parts: ParsedColumns) -> Any:
    found = parse_many(table.column(parts.name), parts.fields, **parts.options)
    columns = found.to_pyarrow().columns if isinstance(table, pa.Table) else pa.array(found).flatten()
    added = [pa.field(name, column.type) for name, column in zip(parts.columns, columns, strict=True)]
    schema = pa.schema([*table.schema, *added], table.schema.metadata)
    return type(table).from_arrays([*table.columns, *columns], schema=schema)


def register(input_type: pa.DataType | None = None) -> None:
    """Gives the functions to Arrow's compute engine, for columns of one type.

    >>> import pyarrow as pa, pyarrow.compute as pc
    >>> register()
    >>> pc.call_function("url_hostname", [pa.array(["https://EXAMPLE.com:443/"])]).to_pylist()
    ['example.com']

    The type is string, unless another is given. The functions are those that need nothing but columns, such as
    `url_join`; their options have the defaults.
    """
    for name, verb in engine_verbs().items():
        if any(option.is_required for option in verb.engine_options):
            continue
        # Nothing runs before a function is called: what it needs, such as publicsuffixlist, may be missing.
        options = verb.checked({})
        returns = arrow_type(names_of(verb, options) if verb.is_struct else verb.result_with(options))
        pc.register_scalar_function(
            _kernel(of_batches(name, options), returns),
            name,
            {"summary": verb.doc, "description": "https://url.spec.whatwg.org/"},
            dict.fromkeys(verb.columns, input_type or pa.string()),
            returns,
        )


def _kernel(function: Callable[..., Any], returns: pa.DataType) -> Callable[..., Any]:
    def run(context: Any, *columns: Any) -> Any:
        # Beside columns, a scalar stands for a column.
        arrays = [
            pa.repeat(column, context.batch_length) if isinstance(column, pa.Scalar) else column for column in columns
        ]
        return function(*arrays).cast(returns)

    return run
