"""Compares every function of every engine with the functions for columns, over many hostile rows.

`bulk-agreement` compares those with the scalar functions. The rows come in the layouts that the engine takes: text,
bytes, views, dictionaries, chunks and slices, with nulls. Then the functions run again and again, and the memory of the
process must stay as it is. The engines are those of tests/engines/requirements.txt.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from support.hostile import inputs

from weburl import bulk
from weburl._verbs.verb import engine_verbs
from weburl.hosts import HostSet
from weburl.patterns import PatternList, URLPattern

KEYS = ["q", "a", "é", "", "z"]
HOSTS = HostSet(["example.com", "*.example.co.uk", "ü.example", "=h.example", "1.2.0.3", "[1::2]", "h"])
PATTERN = URLPattern(hostname=":sub*", pathname="/:first*")
GROUPS = ["sub", "first", "protocol.0", "search.0"]
ROUTES = PatternList(
    {"file": "file:///*", "first": "*://*.example/*", "é": "http{s}?://*/*", "mail": URLPattern(protocol="mailto")}
)
PARTS = ("HOST", "PATH", "QUERY", "REF", "PROTOCOL", "FILE", "AUTHORITY", "USERINFO")
# The functions, by the names that methods have, with their arguments.
CALLS: dict[str, tuple[Any, ...]] = {
    "host": (), "path": (), "param": ("q",), "params": (), "query": (KEYS,), "parse": (), "normalize": (), "valid": (),
    "site": (), "public_suffix": (), "canonicalize": (), "fingerprint": (), "pattern_test": (PATTERN,),
    "pattern_extract": (PATTERN, GROUPS), "route": (ROUTES,), "host_in": (HOSTS,), "is_private": (), "redact": (),
    "path_template": (), "percent_decode": (),
    **{f"parse_url {part}": (part,) for part in PARTS},
}  # fmt: skip
# Others need no arguments, and give what the function of `weburl.bulk` gives.
OTHERS = [verb for verb in engine_verbs().values() if verb.name not in (*CALLS, "join", "parse_url")]
CALLS |= {verb.name: () for verb in OTHERS}
SHOWN_DIFFERENCES = 5
BATCHES = 50
# What the allocators of an engine may keep meanwhile, in bytes.
SLACK = 48 << 20

Rows = list[str | None]
# A layout, and the results by the names of the functions.
Found = tuple[str, dict[str, list[Any]]]


def hostile_rows(count: int, seed: int) -> Rows:
    """Engines hold UTF-8, which has no surrogates. Some rows are null."""
    texts = (case.url.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for case in inputs(seed))
    return [None if index % 37 == 5 else text for index, text in enumerate(islice(texts, count))]


def right(rows: Rows) -> dict[str, list[Any]]:
    """What the functions for columns give."""

    def structs(table: Any) -> list[Any]:
        columns = [table[name].to_pylist() for name in table.column_names]
        return [dict(zip(table.column_names, row, strict=True)) for row in zip(*columns, strict=True)]

    pairs = bulk.query_pairs_many(rows).to_pylist()
    parsed = bulk.parse_many(rows)
    userinfo = [
        None if name is None else name + (":" + password if password else "")
        for name, password in zip(parsed["username"].to_pylist(), parsed["password"].to_pylist(), strict=True)
    ]
    columns = [parsed[name].to_pylist() for name in ("host", "host_type", "pathname", "search")]
    authorities = [
        None if kind is None else f"{user}@{host}" if user else host
        for user, host, kind in zip(userinfo, *columns[:2], strict=True)
    ]
    files = [None if path is None else path + search for path, search in zip(*columns[2:], strict=True)]
    found: dict[str, Any] = {
        "host": parsed["hostname"],
        "path": parsed["pathname"],
        "param": bulk.query_get_many(rows, "q"),
        "params": [None if row is None else [{"name": name, "value": value} for name, value in row] for row in pairs],
        "query": structs(bulk.query_values_many(rows, KEYS)),
        "parse": structs(parsed),
        "join": bulk.join_many(rows[::-1], rows),
        "normalize": parsed["href"],
        "valid": bulk.can_parse_many(rows),
        "site": bulk.component_many(rows, "site"),
        "public_suffix": bulk.component_many(rows, "public_suffix"),
        "canonicalize": bulk.canonicalize_many(rows),
        "fingerprint": bulk.fingerprint_many(rows),
        "pattern_test": bulk.pattern_test_many(rows, PATTERN),
        "pattern_extract": structs(bulk.pattern_extract_many(rows, PATTERN, GROUPS)),
        "route": bulk.route_many(rows, ROUTES)["route"],
        "host_in": bulk.host_in_many(rows, HOSTS),
        "is_private": bulk.is_private_url_many(rows),
        "redact": bulk.redact_many(rows),
        "path_template": bulk.path_template_many(rows),
        "percent_decode": bulk.percent_decode_many(rows),
        "parse_url HOST": parsed["hostname"],
        "parse_url PATH": parsed["pathname"],
        "parse_url QUERY": parsed["query"],
        "parse_url REF": parsed["fragment"],
        "parse_url PROTOCOL": parsed["scheme"],
        "parse_url FILE": files,
        "parse_url AUTHORITY": authorities,
        "parse_url USERINFO": [user or None for user in userinfo],
    }
    found |= {verb.name: getattr(bulk, str(verb.bulk))(rows) for verb in OTHERS}
    return {name: column if isinstance(column, list) else column.to_pylist() for name, column in found.items()}


def layouts(rows: Rows) -> dict[str, Any]:
    """The same rows as Arrow's columns."""
    import pyarrow as pa

    text = pa.array(rows, pa.string())
    octets = [None if row is None else row.encode() for row in rows]
    third = len(rows) // 3
    # A dictionary in no order, with a null, with entries that no row has, and with indices that begin in the middle.
    entries = ["no row", None, *dict.fromkeys(rows[::-1]), "http://no.row/"]
    places = {row: place for place, row in enumerate(entries)}
    chosen = [None if row is None and number % 2 else places[row] for number, row in enumerate(rows)]
    indices = pa.array([0, 0, 0, *chosen, 0], pa.int32())
    return {
        "text": text,
        "large text": text.cast(pa.large_string()),
        "views": pa.array(rows, pa.string_view()),
        "bytes": text.cast(pa.binary()),
        "large bytes": text.cast(pa.large_binary()),
        "views of bytes": pa.array(octets, pa.binary_view()),
        "slice": pa.array(["x", None, "http://y/?q", *rows, "http://w/"])[3:-1],
        "dictionary": pa.DictionaryArray.from_arrays(indices, pa.array(entries))[3:-1],
        "chunks": pa.chunked_array([rows[:7], [], rows[7:third], rows[third:]], pa.string()),
    }


# The engines.


def method(call: str) -> str:
    return call.partition(" ")[0]


def function(call: str) -> str:
    return method(call) if " " in call else f"url_{call}"


def columns(ext: Any, url: Any, base: Any) -> dict[str, Any]:
    """The calls of the functions of an engine's module."""
    calls = {call: getattr(ext, function(call))(url, *given) for call, given in CALLS.items()}
    return {**calls, "join": ext.url_join(base, url)}


def table(column: Any) -> Any:
    import pyarrow as pa

    base = pa.array(column.to_pylist()[::-1], None if isinstance(column.type, pa.DictionaryType) else column.type)
    return pa.table({"n": range(len(column)), "u": column, "base": base})


def in_pyarrow(rows: Rows) -> Iterator[Found]:
    import pyarrow as pa

    import weburl.ext.pyarrow as ext

    for layout, column in layouts(rows).items():
        for views in (False, True):
            found = {}
            for call, arguments in CALLS.items():
                options = {"views": True} if views and call in ("host", "path", "parse", "query", "site") else {}
                result = getattr(ext, function(call))(column, *arguments, **options)
                result.validate(full=True)
                found[call] = result.to_pylist()
            found["join"] = ext.url_join(pa.array(rows[::-1]), column).to_pylist()
            yield f"{layout}{', views' * views}", found


def in_polars(rows: Rows) -> Iterator[Found]:
    import polars as pl

    import weburl.ext.polars

    assert weburl.ext.polars._is_native()  # type: ignore[attr-defined]
    for layout, column in layouts(rows).items():
        series = pl.Series("u", column)
        series = series.cast(pl.String) if layout == "dictionary" else series
        frame = pl.DataFrame([series, series.reverse().alias("base")])
        calls = {call: getattr(pl.col("u").weburl, method(call))(*given) for call, given in CALLS.items()}
        calls["join"] = pl.col("base").weburl.join(pl.col("u"))
        for engine in ("in-memory", "streaming"):
            lazy = frame.lazy().select(expression.alias(call) for call, expression in calls.items())
            yield f"{layout}, {engine}", lazy.collect(engine=engine).to_dict(as_series=False)


def in_pandas(rows: Rows) -> Iterator[Found]:
    import pandas as pd

    import weburl.ext.pandas

    assert weburl.ext.pandas

    def plain(result: Any) -> list[Any]:
        if isinstance(result, pd.DataFrame):
            columns = [plain(result[name]) for name in result.columns]
            return [dict(zip(result.columns, row, strict=True)) for row in zip(*columns, strict=True)]
        return [None if value is None or value is pd.NA or value != value else value for value in result]

    for dtype in ("str", "object", "category", "string[python]", "large_string[pyarrow]"):
        series = pd.Series(["x", *rows, None], dtype=dtype).iloc[1:-1]
        found = {call: plain(getattr(series.weburl, method(call))(*given)) for call, given in CALLS.items()}
        found["join"] = plain(series.iloc[::-1].reset_index(drop=True).weburl.join(series.reset_index(drop=True)))
        yield dtype, found


def sql_calls() -> dict[str, str]:
    """The calls in SQL, of a column u. Patterns have a test of their own there."""
    in_sql = {
        "param": "'q'", "query": ", ".join(f"'{key}'" for key in KEYS), "canonicalize": "'crawl'",
        "fingerprint": "'crawl'", "host_in": f"'{' '.join(HOSTS)}'",
    }  # fmt: skip
    left_out = ("pattern_test", "pattern_extract")
    calls = {
        call: f"url_{call}({', '.join(filter(None, ('u', in_sql.get(call))))})" for call in CALLS if " " not in call
    }
    calls |= {f"parse_url {part}": f"parse_url(u, '{part}')" for part in PARTS}
    calls["join"] = "url_join(base, u)"
    return {call: text for call, text in calls.items() if call not in left_out}


def in_duckdb(rows: Rows) -> Iterator[Found]:
    import duckdb

    from weburl.ext.duckdb import register

    for kind in ("native", "arrow"):
        con = duckdb.connect(config={"threads": 3, "allow_unsigned_extensions": kind == "native"})
        assert register(con, routes=ROUTES) == kind
        for layout, column in layouts(rows).items():
            if "bytes" in layout and kind == "arrow":
                continue
            con.register("given", table(column))
            con.execute("create or replace table t as select * from given")
            for source in ("given", "t"):
                found = {}
                for call, text in sql_calls().items():
                    result = con.execute(f"select {text} from {source} order by n").fetchall()
                    found[call] = [row[0] for row in result]
                found["query"] = [
                    dict.fromkeys(KEYS) if row is None else {key: row.get(key) for key in KEYS}
                    for row in found["query"]
                ]
                yield f"{kind}, {layout}, {'of Arrow' if source == 'given' else 'a table'}", found
        con.close()


def in_daft(rows: Rows) -> Iterator[Found]:
    import daft

    import weburl.ext.daft as ext

    for layout in ("large text", "large bytes", "chunks"):
        frame = daft.from_arrow(table(layouts(rows)[layout]))
        calls = columns(ext, daft.col("u"), daft.col("base"))
        found = frame.select("n", *(call.alias(name) for name, call in calls.items())).sort("n").to_pydict()
        yield layout, {name: found[name] for name in calls}


def in_ray(rows: Rows) -> Iterator[Found]:
    import pyarrow as pa
    import ray

    import weburl.ext.ray as ext

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    for layout in ("large text", "large bytes", "chunks"):
        data = ray.data.from_arrow(table(layouts(rows)[layout]))
        calls = columns(ext, ray.data.expressions.col("u"), ray.data.expressions.col("base"))
        for name, call in calls.items():
            data = data.with_column(name, call)
        made = pa.concat_tables([ray.get(block) for block in data.to_arrow_refs()]).sort_by("n")
        yield layout, {name: made[name].to_pylist() for name in calls}
    ray.shutdown()


def in_spark(rows: Rows) -> Iterator[Found]:
    from pyspark.sql import SparkSession

    import weburl.ext.pyspark as ext

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.driver.memory": "3g",
    }
    spark = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
    octets = [None if row is None else row.encode() for row in rows]
    for layout, column in (("string", rows), ("binary", octets)):
        given = zip(range(len(rows)), column, column[::-1], strict=True)
        frame = spark.createDataFrame(list(given), f"n int, u {layout}, base {layout}").repartition(3).cache()
        found = {}
        for name, call in columns(ext, "u", "base").items():
            result = frame.select("n", call.alias("x")).orderBy("n").collect()
            found[name] = [plain_row(row["x"]) for row in result]
        # A signed number.
        found["fingerprint"] = [row if row is None else row % 2**64 for row in found["fingerprint"]]
        yield layout, found
    spark.stop()


def plain_row(value: Any) -> Any:
    """Without Spark's class of rows."""
    if isinstance(value, list):
        return [plain_row(each) for each in value]
    return value.asDict() if hasattr(value, "asDict") else value


ENGINES: dict[str, Callable[[Rows], Iterator[Found]]] = {
    "pyarrow": in_pyarrow,
    "polars": in_polars,
    "pandas": in_pandas,
    "duckdb": in_duckdb,
    "daft": in_daft,
    "ray": in_ray,
    "spark": in_spark,
}
# Of these, the memory is this process's.
IN_PROCESS = ("pyarrow", "polars", "pandas", "duckdb")


def compare(engine: str, rows: Rows, expected: dict[str, list[Any]]) -> int:
    """Runs an engine; returns how many results differ."""
    differences = compared = 0
    for layout, found in ENGINES[engine](rows):
        for call, column in found.items():
            compared += len(column)
            wrong = [index for index, value in enumerate(column) if value != expected[call][index]]
            differences += len(wrong) + abs(len(column) - len(rows))
            for index in wrong[:SHOWN_DIFFERENCES]:
                print(f"{engine}, {layout}, {call}: {rows[index]!r:.200}", f"  gives {column[index]!r:.300}", sep="\n")
                print(f"  not {expected[call][index]!r:.300}", flush=True)
    print(f"{engine}: {compared:,} results compared, {differences} differ", flush=True)
    return differences


def memory() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def grows(engine: str, rows: Rows) -> bool:
    """Whether the process is larger after so many batches than after a few."""
    after = []
    for _ in range(BATCHES):
        for _ in ENGINES[engine](rows):
            pass
        gc.collect()
        after.append(memory())
    few = max(after[: BATCHES // 5])
    print(f"{engine}: {few >> 20} MiB after {BATCHES // 5} batches, {after[-1] >> 20} MiB after {BATCHES}", flush=True)
    return after[-1] > few + SLACK


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="?", type=int, default=10**5)
    parser.add_argument("--engine", action="append", choices=ENGINES, help="only this one; may be given again")
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--memory", action="store_true", help="only whether the memory grows")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    rows = hostile_rows(options.rows, options.seed)
    engines = options.engine or list(ENGINES)
    if options.memory:
        return int(sum(grows(engine, rows[:2000]) for engine in engines if engine in IN_PROCESS) > 0)
    expected = right(rows)
    return int(sum(compare(engine, rows, expected) for engine in engines) > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
