"""The work that benchmarks/engines.py measures, in each engine, over Parquet files. Results are thrown away."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

FIELDS = ["protocol", "hostname", "port", "pathname", "query", "fragment"]
SPARK_PARTS = ("PROTOCOL", "HOST", "AUTHORITY", "PATH", "QUERY", "REF")

HOST, SIX = "host", "six parts"
SCAN, HAND_OVER = "scan", "hand-over"
ONE_CALL = "six parts, parse_column"
OWN_SIX, OWN_ONE = "own parse_url, six parts", "own parse_url, host"
CAN_ADA = "can_ada, six parts"

# What an engine does with the paths of some files, by its name.
Work = Iterator[tuple[str, Callable[[list[str]], Any]]]


def in_bulk(cores: int) -> Work:
    import pyarrow.parquet as pq

    from weburl import bulk

    def over_batches(function: Callable[[Any], Any]) -> Callable[[list[str]], Any]:
        def run(paths: list[str]) -> None:
            for path in paths:
                for batch in pq.ParquetFile(path).iter_batches(1 << 17):
                    function(batch.column(0))

        return run

    yield SCAN, over_batches(len)
    yield HOST, over_batches(lambda urls: bulk.component_many(urls, "hostname", threads=cores))
    yield SIX, over_batches(lambda urls: bulk.parse_many(urls, FIELDS, threads=cores))


def in_polars(cores: int) -> Work:
    import polars as pl

    import weburl.ext.polars

    assert weburl.ext.polars and pl.thread_pool_size() == cores  # noqa: PT018  # imported for its namespace
    url = pl.col("url").weburl

    def sink(expression: pl.Expr) -> Callable[[list[str]], Any]:
        return lambda paths: pl.scan_parquet(paths).select(expression.count()).collect(engine="streaming")

    yield SCAN, sink(pl.col("url"))
    yield HOST, sink(url.hostname())
    yield SIX, sink(url.parse(FIELDS))


def in_duckdb(cores: int) -> Work:
    import duckdb

    from weburl.ext.duckdb import register

    con = duckdb.connect(config={"threads": cores, "allow_unsigned_extensions": True})
    register(con, FIELDS)

    def sink(expression: str) -> Callable[[list[str]], Any]:
        return lambda paths: con.execute(f"SELECT count({expression}) FROM read_parquet(?)", [paths]).fetchall()

    yield SCAN, sink("url")
    yield HOST, sink("url_hostname(url)")
    yield SIX, sink("url_parse(url)")


def in_pandas(cores: int) -> Work:
    import pandas as pd
    import pyarrow.parquet as pq

    import weburl.ext.pandas

    assert weburl.ext.pandas  # imported for its accessor

    def sink(function: Callable[[Any], Any]) -> Callable[[list[str]], Any]:
        def run(paths: list[str]) -> None:
            for path in paths:
                function(pq.read_table(path).to_pandas(types_mapper=pd.ArrowDtype)["url"].weburl)

        return run

    yield SCAN, sink(lambda urls: urls)
    yield HOST, sink(lambda urls: urls.hostname(threads=cores))
    yield SIX, sink(lambda urls: urls.parse(FIELDS, threads=cores))


def in_spark(cores: int) -> Work:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql import functions as F

    from weburl.ext import pyspark as ext

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
    spark = (
        SparkSession.builder.master(f"local[{cores}]")
        .config(map=settings | {"spark.driver.memory": "3g"})
        .getOrCreate()
    )

    def six_by_can_ada(urls: Any) -> Any:
        import pyarrow as pa
        from can_ada import parse

        rows: list[dict[str, str] | None] = []
        for text in urls.to_pylist():
            try:
                url = parse(text)
            except ValueError:
                rows.append(None)
            else:
                parts = (url.protocol, url.hostname, url.port, url.pathname, url.search, url.hash)
                rows.append(dict(zip(FIELDS, parts, strict=True)))
        return pa.array(rows, pa.struct([(field, pa.string()) for field in FIELDS]))

    def sink(change: Callable[[DataFrame], DataFrame]) -> Callable[[list[str]], Any]:
        return lambda paths: change(spark.read.parquet(*paths)).write.format("noop").mode("overwrite").save()

    struct = ", ".join(f"{field} string" for field in FIELDS)
    yield SCAN, sink(lambda frame: frame)
    yield HAND_OVER, sink(lambda frame: frame.select(F.arrow_udf(lambda urls: urls, "string")("url")))
    yield HOST, sink(lambda frame: frame.select(ext.url_hostname("url")))
    yield SIX, sink(lambda frame: frame.select(ext.url_parse("url", FIELDS)))
    yield ONE_CALL, sink(lambda frame: ext.parse_column(frame, "url", FIELDS, keep=()))
    yield OWN_SIX, sink(lambda frame: frame.select(*(F.try_parse_url("url", F.lit(part)) for part in SPARK_PARTS)))
    yield OWN_ONE, sink(lambda frame: frame.select(F.try_parse_url("url", F.lit("HOST"))))
    yield CAN_ADA, sink(lambda frame: frame.select(F.arrow_udf(lambda urls: six_by_can_ada(urls), struct)("url")))


def in_ray(cores: int) -> Work:
    import ray
    import ray.data
    from ray.data.expressions import col

    from weburl.ext import ray as ext

    ray.init(num_cpus=cores, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False

    def sink(change: Callable[[Any], Any]) -> Callable[[list[str]], Any]:
        def run(paths: list[str]) -> None:
            # Their folder: for many paths Ray starts threads, whose imports sometimes fail.
            for _ in change(ray.data.read_parquet(os.path.dirname(paths[0]))).iter_internal_ref_bundles():
                pass

        return run

    yield SCAN, sink(lambda data: data)
    yield HAND_OVER, sink(lambda data: data.map_batches(lambda table: table, batch_format="pyarrow", batch_size=None))
    yield HOST, sink(lambda data: data.with_column("host", ext.url_hostname(col("url"))))
    yield SIX, sink(lambda data: data.with_column("parts", ext.url_parse(col("url"), FIELDS)))
    yield ONE_CALL, sink(lambda data: ext.parse_column(data, "url", FIELDS))


def in_daft(cores: int) -> Work:
    import daft
    from daft.functions import parse_url

    from weburl.ext import daft as ext

    def sink(change: Callable[[Any], Any]) -> Callable[[list[str]], Any]:
        def run(paths: list[str]) -> None:
            for _ in change(daft.read_parquet(paths)).iter_partitions():
                pass

        return run

    yield SCAN, sink(lambda frame: frame)
    yield (
        HAND_OVER,
        sink(
            lambda frame: frame.select(
                daft.func.batch(return_dtype=str, use_process=False)(lambda urls: urls)(frame["url"])
            )
        ),
    )
    yield HOST, sink(lambda frame: frame.select(ext.url_hostname(frame["url"])))
    yield SIX, sink(lambda frame: frame.select(ext.url_parse(frame["url"], FIELDS)))
    yield ONE_CALL, sink(lambda frame: ext.parse_column(frame, "url", FIELDS))
    yield OWN_SIX, sink(lambda frame: frame.select(parse_url(frame["url"])))


# And what is installed for each, by name.
ENGINES: dict[str, tuple[Callable[[int], Work], tuple[str, ...]]] = {
    "bulk": (in_bulk, ("weburl", "pyarrow")),
    "pandas": (in_pandas, ("pandas",)),
    "polars": (in_polars, ("polars",)),
    "duckdb": (in_duckdb, ("duckdb",)),
    "daft": (in_daft, ("daft",)),
    "ray": (in_ray, ("ray",)),
    "spark": (in_spark, ("pyspark", "can_ada")),
}
