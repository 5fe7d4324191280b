"""Compares every function of every engine with the functions for columns, over many hostile rows.

`bulk-agreement` compares those with the scalar functions. The rows come in the layouts that the engine takes: text,
bytes, views, dictionaries, chunks and slices, with nulls; more than 10,000 come in the first of these. Then the
functions run again and again, and the memory of the process must stay as it is. The engines are those of
tests/engines/requirements.txt.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from support.hostile import inputs
from support.verb_calls import ROUTES, VALUES, Call, calls_of
from tiers.bulk_agreement import of_verb

from weburl._verbs.make_functions import with_common
from weburl._verbs.verb import SQL_BASE, URL_FIELDS, Verb, column_names, engine_verbs
from weburl.hosts import HostSet
from weburl.robots import Robots

# Every function with every option that engines have.
CALLS: dict[str, Call] = {
    call.label: call
    for verb in engine_verbs().values()
    for call in calls_of(verb, with_common(verb, verb.engine_options))
}
# As SQL has them.
ROBOTS: dict[str, Robots] = {f"file {number}": each for number, each in enumerate(VALUES["robots"])}
# Without those of two columns, and without options that are not needed.
ONE_COLUMN = {label: call for label, call in CALLS.items() if len(call.verb.columns) == 1}
DEFAULTS = {label: call for label, call in ONE_COLUMN.items() if label == call.verb.name}
# The most rows that come in each layout.
ALL_LAYOUTS = 10_000
SHOWN_DIFFERENCES = 5
BATCHES = 50
# What the allocators of an engine may keep meanwhile, in bytes.
SLACK = 48 << 20

Rows = list[str | None]
Kind = TypeVar("Kind")
# A layout, and the results by the names of the functions.
Found = tuple[str, dict[str, list[Any]]]


def hostile_rows(count: int, seed: int) -> Rows:
    """Engines hold UTF-8, which has no surrogates. Some rows are null."""
    texts = (case.url.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for case in inputs(seed))
    return [None if index % 37 == 5 else text for index, text in enumerate(islice(texts, count))]


def right(rows: Rows) -> dict[str, list[Any]]:
    """What the functions for columns give."""
    found = {}
    for label, call in CALLS.items():
        columns = (rows[::-1], rows) if len(call.verb.columns) == 2 else (rows,)
        column = of_verb(call, columns, {}).to_pylist()
        if call.verb.result == "pairs":
            column = [row and [{"name": name, "value": value} for name, value in row] for row in column]
        found[label] = column
    return found


def chosen(kinds: Sequence[Kind], rows: Rows) -> Sequence[Kind]:
    """All kinds, or for many rows the first."""
    return kinds if len(rows) <= ALL_LAYOUTS else kinds[:1]


def layouts(rows: Rows) -> dict[str, Any]:
    """The same rows as Arrow's columns."""
    import pyarrow as pa

    text = pa.array(rows, pa.string())
    if len(rows) > ALL_LAYOUTS:
        return {"text": text}
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


def columns(ext: Any, url: Any, base: Any) -> dict[str, Any]:
    """The calls of the functions of an engine's module."""
    return {
        label: getattr(ext, call.verb.function)(*((base, url) if label not in ONE_COLUMN else (url,)), **call.options)
        for label, call in CALLS.items()
    }


def has_views(verb: Verb) -> bool:
    """Whether its strings can be views of the input."""
    return verb.views or (verb.field in column_names() and not verb.own_text)


def table(column: Any) -> Any:
    import pyarrow as pa

    base = pa.array(column.to_pylist()[::-1], None if isinstance(column.type, pa.DictionaryType) else column.type)
    return pa.table({"n": range(len(column)), "u": column, "base": base})


def in_pyarrow(rows: Rows) -> Iterator[Found]:
    import pyarrow as pa

    import weburl.ext.pyarrow as ext

    for layout, column in layouts(rows).items():
        for views in chosen((False, True), rows):
            found = {}
            for label, call in CALLS.items():
                options = {"views": True} if views and has_views(call.verb) else {}
                given = (column,) if label in ONE_COLUMN else (pa.array(rows[::-1]), column)
                result = getattr(ext, call.verb.function)(*given, **call.options, **options)
                result.validate(full=True)
                found[label] = result.to_pylist()
            yield f"{layout}{', views' * views}", found


def in_polars(rows: Rows) -> Iterator[Found]:
    import polars as pl

    import weburl.ext.polars

    assert weburl.ext.polars._is_native()  # type: ignore[attr-defined]
    for layout, column in layouts(rows).items():
        series = pl.Series("u", column)
        series = series.cast(pl.String) if layout == "dictionary" else series
        frame = pl.DataFrame([series, series.reverse().alias("base")])
        calls = {
            label: getattr(pl.col("u").weburl, call.verb.method)(**call.options)
            for label, call in ONE_COLUMN.items()
            # A plan has policies by their names.
            if isinstance(call.options.get("policy", ""), str)
        }
        calls |= {
            label: getattr(pl.col("base").weburl, call.verb.method)(pl.col("u"), **call.options)
            for label, call in CALLS.items()
            if label not in ONE_COLUMN
        }
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

    for dtype in chosen(("str", "object", "category", "string[python]", "large_string[pyarrow]"), rows):
        series = pd.Series(["x", *rows, None], dtype=dtype).iloc[1:-1]
        bases, refs = series.iloc[::-1].reset_index(drop=True), series.reset_index(drop=True)
        found = {}
        for label, call in CALLS.items():
            accessor, given = (series.weburl, ()) if label in ONE_COLUMN else (bases.weburl, (refs,))
            found[label] = plain(getattr(accessor, call.verb.method)(*given, **call.options))
        yield dtype, found


def sql_calls() -> dict[str, str]:
    """The calls in SQL, of a column u: those whose options are columns there, as texts."""
    calls = {}
    for label, call in CALLS.items():
        verb = call.verb.in_sql()
        columns = {option.name: option for option in verb.sql_options}
        base = {"base": SQL_BASE} if SQL_BASE in verb.sql_arguments and "base" in call.options else {}
        others = {*call.options} - {*columns, *base} - {"routes"}
        given = [call.options.get(name, option.default) for name, option in {**columns, **base}.items()]
        texts = [text for value in given if value is not None for text in sql_texts(value)]
        # Patterns are given as texts; a group is one value there, and has a test of its own.
        if not others and all(isinstance(text, str) for text in texts) and verb.name != "pattern_extract":
            arguments = [*(["base", "u"] if len(verb.columns) == 2 else ["u"]), *(f"'{text}'" for text in texts)]
            calls[label] = f"{verb.function}({', '.join(arguments)})"
    return calls


def sql_texts(value: Any) -> list[Any]:
    if isinstance(value, Robots):
        return [next(name for name, each in ROBOTS.items() if each is value)]
    if isinstance(value, HostSet) or value in VALUES["hosts"]:
        return [" ".join(value)]
    return value if isinstance(value, list) else [value]


def in_duckdb(rows: Rows) -> Iterator[Found]:
    import duckdb

    from weburl.ext.duckdb import register

    for kind in ("native", "arrow"):
        con = duckdb.connect(config={"threads": 3, "allow_unsigned_extensions": kind == "native"})
        assert register(con, routes=ROUTES, robots=ROBOTS) == kind
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
                for label in [label for label in found if CALLS[label].verb.name == "query"]:
                    keys = CALLS[label].options["keys"]
                    found[label] = [
                        dict.fromkeys(keys) if row is None else {key: row.get(key) for key in keys}
                        for row in found[label]
                    ]
                yield f"{kind}, {layout}, {'of Arrow' if source == 'given' else 'a table'}", found
        con.close()


def in_sqlite(rows: Rows) -> Iterator[Found]:
    import json
    import sqlite3

    from weburl.ext.sqlite import register

    con = sqlite3.connect(":memory:")
    register(con, routes=ROUTES, robots=ROBOTS)
    con.execute("create table t(n, u, base)")
    con.executemany("insert into t values (?, ?, ?)", zip(range(len(rows)), rows, rows[::-1], strict=True))
    found = {}
    for label, text in sql_calls().items():
        column = [row[0] for row in con.execute(f"select {text} from t order by n")]
        verb = CALLS[label].verb.in_sql()
        if verb.result in ("struct", "pairs", "texts", "map"):
            column = [row and json.loads(row) for row in column]
        elif verb.result == "bool":
            column = [None if row is None else bool(row) for row in column]
        elif verb.result == "number":
            column = [row % 2**64 if isinstance(row, int) else row for row in column]
        if verb.name == "query":
            keys = CALLS[label].options["keys"]
            column = [{key: (row or {}).get(key) for key in keys} for row in column]
        if verb.name == "parse":
            # An argument that is NULL gives NULL.
            column = [dict.fromkeys(URL_FIELDS) if row is None else row for row in column]
        found[label] = column
    yield "a table", found
    con.close()


def in_daft(rows: Rows) -> Iterator[Found]:
    import daft

    import weburl.ext.daft as ext

    for layout in chosen(("text", "large text", "large bytes", "chunks"), rows):
        frame = daft.from_arrow(table(layouts(rows)[layout]))
        calls = columns(ext, daft.col("u"), daft.col("base"))
        found: dict[str, list[Any]] = {}
        # Daft starts a step for each function by recursion: the stack of its thread has room for some 150.
        names = [*calls]
        for begin in range(0, len(names), 50):
            some = names[begin : begin + 50]
            made = frame.select("n", *(calls[name].alias(name) for name in some)).sort("n").to_pydict()
            found.update({name: made[name] for name in some})
        yield layout, found


def in_ray(rows: Rows) -> Iterator[Found]:
    import pyarrow as pa
    import ray

    import weburl.ext.ray as ext

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    for layout in chosen(("text", "large text", "large bytes", "chunks"), rows):
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
    kinds: list[tuple[str, Sequence[Any]]] = [("string", rows), ("binary", octets)]
    for layout, column in chosen(kinds, rows):
        given = zip(range(len(rows)), column, column[::-1], strict=True)
        frame = spark.createDataFrame(list(given), f"n int, u {layout}, base {layout}").repartition(3).cache()
        found = {}
        for name, call in columns(ext, "u", "base").items():
            result = frame.select("n", call.alias("x")).orderBy("n").collect()
            found[name] = [plain_row(row["x"]) for row in result]
        # A signed number, or bytes.
        for label in [label for label in found if CALLS[label].verb.result == "number"]:
            found[label] = [row % 2**64 if isinstance(row, int) else row for row in found[label]]
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
    "sqlite": in_sqlite,
    "daft": in_daft,
    "ray": in_ray,
    "spark": in_spark,
}
# Of these, the memory is this process's.
IN_PROCESS = ("pyarrow", "polars", "pandas", "duckdb", "sqlite")


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
    print(f"{engine}: {compared:,} results of {len(rows):,} rows compared, {differences} differ", flush=True)
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
    parts = [rows[:ALL_LAYOUTS], rows] if len(rows) > ALL_LAYOUTS else [rows]
    differences = 0
    for part in parts:
        expected = right(part)
        differences += sum(compare(engine, part, expected) for engine in engines)
    return int(differences > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
