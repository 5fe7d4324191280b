"""URLs in PySpark: functions of columns, functions of SQL, and the parts of a column next to it.

    >>> from pyspark.sql import SparkSession
    >>> from weburl.ext.pyspark import parse_column, register, url_hostname, url_param
    >>> spark = SparkSession.builder.getOrCreate()
    >>> frame = spark.createDataFrame([("https://EXAMPLE.com:443/a?q=caf%C3%A9",), ("no URL",)], "url string")
    >>> [tuple(row) for row in frame.select(url_hostname("url"), url_param("url", "q")).collect()]
    [('example.com', 'café'), (None, None)]
    >>> register(spark)
    >>> spark.sql("select url_registrable_domain('https://www.example.co.uk/') d").collect()
    [Row(d='example.co.uk')]
    >>> parse_column(frame, "url", ["hostname", "error"]).columns
    ['url', 'url_hostname', 'url_error']

Each row gives what `weburl.bulk` gives for it: a row that is null or not a URL gives null. A column is a Column or its
name. The functions are Arrow UDFs of one thread: Spark runs a task on each core. The executors need weburl, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Union

from weburl.ext._adapter import Engine, ParsedColumns, Sql, type_of
from weburl.ext._engines.versions import needed

with needed("pyspark", "4.3"):
    from pyspark.sql.functions import arrow_udf
    from pyspark.sql.types import StringType, StructField, StructType

import pyarrow as pa

from weburl._verbs.verb import ENGINE_TYPES
from weburl.ext._engines.arrays import give_with, parsed_columns
from weburl.ext._engines.sql import functions_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

    from weburl.ext._adapter import Result

ColumnOrName = Union["Column", str]
RESULTS = {
    **{kind: each.spark for kind, each in ENGINE_TYPES.items()}, "texts": "array<string>",
    "pairs": "array<struct<name: string, value: string>>", "map": "map<string, string>",
}  # fmt: skip


def _udf(function: Callable[..., Any], result: Result) -> Callable[..., Column]:
    """A function of Spark, from one of arrays."""

    def run(*columns: pa.Array, **named: pa.Array) -> pa.Array:
        array = function(*columns, **named)
        if result == "digest":
            return array.cast(pa.binary())
        # Spark's numbers have a sign: these have the same bits.
        return array.view(pa.int64()) if array.type == pa.uint64() else array

    run.__name__ = function.__name__
    return arrow_udf(run, type_of(result, RESULTS, _struct))  # type: ignore[no-any-return]


def _struct(names: Iterable[str]) -> Any:
    return StructType([StructField(name, StringType()) for name in names])


ENGINE = Engine(
    "pyspark", column="ColumnOrName", result_type="Column", sql=True, sql_names={"parse_url": "session.parse_url"},
    types={"errors": "str"},
    words={"against the base.": "against the base. For one base there is `url_normalize(ref, base)`."},
    example={
        "imports": "import pyarrow\nfrom pyspark.sql import SparkSession",
        "frame": "frame = SparkSession.active().createDataFrame(pyarrow.table(rows))", "frame_column": '"{}"',
        "result": 'frame = frame.select({}.alias("result"))\n[row["result"] for row in frame.collect()]',
        "struct": 'frame = frame.select({}.alias("result"))\n[row["result"].asDict() for row in frame.collect()]',
        "pairs": 'frame = frame.select({}.alias("result"))\n'
        '[[pair.asDict() for pair in row["result"]] for row in frame.collect()]',
    },
)  # fmt: skip

__all__ = sorted(["parse_column", "register", *ENGINE.add_functions(globals(), give_with(_udf))])


def __dir__() -> list[str]:
    return __all__


@ENGINE.with_options_of(ParsedColumns)
def parse_column(frame: DataFrame, *, parts: ParsedColumns, keep: Iterable[str] | None = None) -> DataFrame:
    """The frame, {parts}

    >>> from pyspark.sql import SparkSession
    >>> frame = SparkSession.active().createDataFrame([("https://Example.com:8080/a",)], ["url"])
    >>> parse_column(frame, "url", ["hostname", "port"]).first().asDict()
    {'url': 'https://Example.com:8080/a', 'url_hostname': 'example.com', 'url_port': '8080'}

    This is `mapInArrow`, which takes Spark less time than `url_parse`, but all columns go through Python: `keep`
    those that are needed. With `keep=()` there are only the parts.
    """
    kept = frame.columns if keep is None else list(dict.fromkeys(keep))
    if keep is not None:
        frame = frame.select(*kept, *({parts.name} - {*kept}))
    schema = StructType([*frame.schema.fields[: len(kept)], *_struct(parts.columns).fields])
    index = frame.columns.index(parts.name)

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            columns = [*batch.columns[: len(kept)], *parsed_columns(parts, batch.column(index))]
            yield pa.RecordBatch.from_arrays(columns, [*kept, *parts.columns])

    return frame.mapInArrow(run, schema)


@ENGINE.with_options_of(Sql)
def register(spark: SparkSession, *, sql: Sql) -> None:
    """Gives a session the functions of SQL.

    >>> from pyspark.sql import SparkSession
    >>> spark = SparkSession.active()
    >>> register(spark)
    >>> spark.sql("SELECT url_hostname('https://Example.com:8080/a') AS host").first().host
    'example.com'

    {functions}

    `url_query` gives a map. Without `session.`, `parse_url` is Spark's own, unless
    `spark.sql.functionResolution.sessionOrder` is "first".
    """
    for name, function, result in functions_of(sql):
        spark.udf.register(name, _udf(function, result))
