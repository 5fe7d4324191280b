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

Each row gives what `weburl.bulk` gives for it: a row that is null or not a URL gives null. A column is given as a
Column or by its name. The functions are Arrow UDFs of one thread: Spark runs a task on each core. The executors need
weburl, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Union

from weburl.ext._adapter import Engine, Sql, Task, needed

with needed("pyspark", "4.3"):
    from pyspark.sql.functions import arrow_udf
    from pyspark.sql.types import StringType, StructField, StructType

import pyarrow as pa

from weburl._verbs.verb import Verb, engine_verbs
from weburl._verbs.work import names_of
from weburl.ext._engines.arrays import function_of
from weburl.ext._engines.sql import functions_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import Column, DataFrame, SparkSession

    from weburl._robots.robots import Robots
    from weburl._verbs.options import Hosts, Routes
    from weburl.url import URL, FrozenURL

ColumnOrName = Union["Column", str]
RESULTS = {
    "text": "string",
    "bool": "boolean",
    "number": "bigint",
    "digest": "binary",
    "pairs": "array<struct<name: string, value: string>>",
    "texts": "array<string>",
    "map": "map<string, string>",
}


def _give(verb: Verb, columns: tuple[ColumnOrName, ...], options: dict[str, Any]) -> Column:
    task = Task(verb, options)
    return _udf(function_of(verb.function), task.result, **task.arguments)(*columns)


ENGINE = Engine(
    "pyspark", column="ColumnOrName", gives="Column", sql=True, sql_names={"parse_url": "session.parse_url"},
    types={"errors": "str"},
    words={"against the base.": "against the base. For one base there is `url_normalize(ref, base)`."},
    example={
        "imports": "import pyarrow\nfrom pyspark.sql import SparkSession",
        "frame": "frame = SparkSession.active().createDataFrame(pyarrow.table(rows))", "of": '"{}"',
        "result": 'frame = frame.select({}.alias("result"))\n[row["result"] for row in frame.collect()]',
        "struct": 'frame = frame.select({}.alias("result"))\n[row["result"].asDict() for row in frame.collect()]',
        "pairs": 'frame = frame.select({}.alias("result"))\n'
        '[[pair.asDict() for pair in row["result"]] for row in frame.collect()]',
    },
)  # fmt: skip

__all__ = sorted(["parse_column", "register", *ENGINE.add_functions(globals(), _give)])


def __dir__() -> list[str]:
    return __all__


def parse_column(
    frame: DataFrame,
    name: str,
    fields: Iterable[str] | None = None,
    *,
    base: str | URL | FrozenURL | None = None,
    encoding: str = "utf-8",
    keep: Iterable[str] | None = None,
) -> DataFrame:
    """The frame, with the parts of one of its columns: `url_hostname` and so on for a column `url`.

    >>> from pyspark.sql import SparkSession
    >>> frame = SparkSession.active().createDataFrame([("https://Example.com:8080/a",)], ["url"])
    >>> parse_column(frame, "url", ["hostname", "port"]).first().asDict()
    {'url': 'https://Example.com:8080/a', 'url_hostname': 'example.com', 'url_port': '8080'}

    This is `mapInArrow`, which takes Spark less time than `url_parse`, but all columns go through Python: `keep`
    those that are needed. With `keep=()` there are only the parts.
    """
    names = names_of(engine_verbs()["url_parse"], {"fields": fields}, base, encoding)
    columns = [f"{name}_{field}" for field in names]
    kept = frame.columns if keep is None else list(dict.fromkeys(keep))
    if keep is not None:
        frame = frame.select(*kept, *({name} - {*kept}))
    schema = StructType([*frame.schema.fields[: len(kept)], *_struct(columns).fields])
    index = frame.columns.index(name)

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        parse = function_of("url_parse")
        for batch in batches:
            parts = parse(batch.column(index), fields=names, base=base, encoding=encoding, threads=1).flatten()
            # Not dictionaries, which Spark does not read here.
            parts = [part.cast(pa.large_string()) for part in parts]
            yield pa.RecordBatch.from_arrays([*batch.columns[: len(kept)], *parts], [*kept, *columns])

    return frame.mapInArrow(run, schema)


def register(
    spark: SparkSession,
    fields: Iterable[str] | None = None,
    *,
    routes: Routes | None = None,
    hosts: Mapping[str, Hosts] | None = None,
    robots: Mapping[str, Robots] | None = None,
    bits: int = 64,
) -> None:
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
    sql = Sql(fields, routes, hosts, bits, robots)
    for name, (function, verb) in functions_of(sql).items():
        spark.udf.register(name, _udf(function, sql.result(verb)))


def _udf(function: Callable[..., Any], result: str | tuple[str, ...], **options: Any) -> Callable[..., Column]:
    """A function of Spark; `result` is its kind, or the names of a struct."""

    def run(*columns: pa.Array, **named: pa.Array) -> pa.Array:
        array = function(*columns, **named, **options, threads=1)
        if result == "digest":
            return array.cast(pa.binary())
        # Spark's numbers have a sign: these have the same bits.
        return array.view(pa.int64()) if array.type == pa.uint64() else array

    run.__name__ = function.__name__
    return arrow_udf(run, _struct(result) if isinstance(result, tuple) else RESULTS[result])  # type: ignore[no-any-return]


def _struct(names: Iterable[str]) -> Any:
    return StructType([StructField(name, StringType()) for name in names])


register.__doc__ = ENGINE.with_functions(register.__doc__)
