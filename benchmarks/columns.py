"""The peers of weburl.bulk: each has a column of URLs in its own form, and works on it in one thread."""

import json
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from time import perf_counter_ns, process_time_ns, thread_time_ns
from typing import Any

Spent = Callable[[], float]  # does the work, and says how many nanoseconds that took

SIX_PARTS = "protocol(url), domain(url), port(url), path(url), queryString(url), fragment(url)"

SPARK = {"spark.ui.enabled": False, "spark.ui.showConsoleProgress": False, "spark.log.level": "ERROR"}


def timed(clock: Callable[[], int], work: Callable[[], object]) -> Spent:
    def spent() -> float:
        start = clock()
        work()
        return clock() - start

    return spent


class CanAda:
    DISTRIBUTION = "can_ada"

    def __init__(self) -> None:
        self._parse = import_module("can_ada").parse

    def join(self, bases: Sequence[str], refs: Sequence[str]) -> Spent:
        parse = self._parse
        return timed(thread_time_ns, lambda: [(parse(base) + ref).href for base, ref in zip(bases, refs, strict=True)])

    def hostnames(self, urls: Sequence[str]) -> list[str]:
        parse = self._parse
        return [parse(url).hostname for url in urls]


class Chdb:
    """ClickHouse, in this process, over a table in memory."""

    DISTRIBUTION = "chdb"

    def __init__(self, lines: Path) -> None:
        self._session = import_module("chdb.session").Session()
        self._session.query("CREATE DATABASE bench")
        self._session.query("CREATE TABLE bench.urls (url String) ENGINE = Memory")
        self.load(lines)

    def load(self, lines: Path) -> None:
        self._session.query("TRUNCATE TABLE bench.urls")
        rows = f"SELECT * FROM file('{lines}', 'LineAsString', 'url String')"
        in_order = "max_threads = 1, input_format_parallel_parsing = 0"
        self._session.query(f"INSERT INTO bench.urls {rows} SETTINGS {in_order}")

    def spent(self, expressions: str, output: str = "Null") -> Spent:
        """With the output format Null the columns are made, and dropped."""
        return timed(process_time_ns, lambda: self._select(expressions, output))

    def selected(self, expressions: str) -> None:
        self._select(expressions, "Null")

    def hosts(self) -> list[str]:
        (column,) = json.loads(self._select("domain(url)", "JSONCompactColumns").bytes())
        return list(column)

    def _select(self, expressions: str, output: str) -> Any:
        return self._session.query(f"SELECT {expressions} FROM bench.urls SETTINGS max_threads = 1", output)


class PolarsIstr:
    DISTRIBUTION = "polars-istr"

    def __init__(self, urls: Sequence[str]) -> None:
        self._frame = import_module("polars").DataFrame({"url": urls})
        self._host = import_module("polars_istr").url_host

    def host(self) -> float:
        return timed(process_time_ns, self._select)()

    def hosts(self) -> list[str | None]:
        return list(self._select()["url"])

    def _select(self) -> Any:
        return self._frame.select(self._host("url"))


class Polars:
    """weburl's own expression."""

    DISTRIBUTION = "polars"

    def __init__(self, urls: Sequence[str]) -> None:
        import_module("weburl.ext.polars")
        self._polars = import_module("polars")
        self._frame = self._polars.DataFrame({"url": urls})
        self.series = self._frame["url"]

    def host(self) -> float:
        expression = self._polars.col("url").weburl.hostname()
        return timed(process_time_ns, lambda: self._frame.select(expression))()

    def streamed(self) -> float:
        """By the clock, on all threads of Polars."""
        lazy = self._frame.lazy().select(self._polars.col("url").weburl.hostname().count())
        return timed(perf_counter_ns, lambda: lazy.collect(engine="streaming"))()


class Spark:
    """weburl's function url_parse, and Spark's own, on one core: by the clock, since other processes work, too."""

    DISTRIBUTION = "pyspark"

    def __init__(self, lines: Path) -> None:
        self._functions = import_module("pyspark.sql.functions")
        self._weburl = import_module("weburl.ext.pyspark")
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder = import_module("pyspark.sql").SparkSession.builder.master("local[1]")
        for key, value in SPARK.items():
            builder = builder.config(key, value)
        self._session = builder.getOrCreate()
        self._frame = self._session.read.text(str(lines)).cache()
        self._frame.count()

    def fields(self) -> float:
        names = ("scheme", "hostname", "port", "pathname", "query", "fragment")
        return self._spent(self._weburl.url_parse("value", names))

    def parts(self) -> float:
        names = ("PROTOCOL", "HOST", "AUTHORITY", "PATH", "QUERY", "REF")
        return self._spent(*(self._functions.try_parse_url("value", self._functions.lit(name)) for name in names))

    def _spent(self, *columns: Any) -> float:
        writer = self._frame.select(*columns).write.format("noop").mode("overwrite")
        return timed(perf_counter_ns, writer.save)()


class DuckDB:
    """weburl's functions, and can_ada in an Arrow UDF: each result is counted, and must be made for that."""

    DISTRIBUTION = "duckdb"

    def __init__(self, column: Any, can_ada: CanAda | None = None, threads: int = 1, *, native: bool = False) -> None:
        config = {"threads": threads, "allow_unsigned_extensions": native}
        self._connection = import_module("duckdb").connect(config=config)
        import_module("weburl.ext.duckdb").register(self._connection, native=native)
        pyarrow = import_module("pyarrow")
        self._connection.register("given", pyarrow.table({"url": column}))
        self._connection.execute("CREATE TABLE urls AS FROM given")
        if can_ada is not None:
            self._connection.create_function(
                "ada_host",
                lambda urls: pyarrow.array(can_ada.hostnames(urls.to_pylist())),
                ["VARCHAR"],
                "VARCHAR",
                type="arrow",
                null_handling="special",
            )

    def spent(self, function: str, clock: Callable[[], int] = process_time_ns) -> Spent:
        query = f"SELECT count({function}(url)) FROM urls"
        return timed(clock, lambda: self._connection.execute(query).fetchall())
