"""Functions in the engines that run them natively, measured in turns.

On two threads: the hosts of all links in DuckDB and in Polars' streaming engine, beside two processes with a thread and
half of the links each. On one: what a site costs above a host, and seven values of a query above one. And URLs of a
log, of 100 bytes each: beside the Arrow way of DuckDB, and beside ClickHouse, whose functions cut the text.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any

import corpora
import figures
from bench import describe_machine
from columns import Chdb

# Of the links' queries, most have none of these; of LONG_QUERIES, all have all.
KEYS = ["utm_source", "utm_medium", "utm_campaign", "q", "page", "id", "sort"]
ENGINES = ("Polars", "DuckDB", "pyarrow")
ROWS, ROUNDS = 2 * 10**6, 7
LOG_ROWS, LOG_ROUNDS = 4 * 10**5, 30
LOG_WORK = ("host", "path", "one parameter", "redact", "redact_text")
Work = dict[str, Callable[[], object]]


def links_of(kind: str, count: int) -> list[str]:
    if kind == "long queries":
        query = (
            "utm_source=news{0}&utm_medium=email&utm_campaign=spring%20{0}&q=caf%C3%A9+{0}&page={0}&id={0}&sort=price"
        )
        links = [f"https://www.shop{i % 97}.example.com/products/{i}?{query.format(i % 13)}" for i in range(48_000)]
    else:
        links = corpora.real_links() or corpora.links(20_000)
        if kind == "links with a query":
            links = [link for link in links if "?" in link]
    return list(islice(cycle(links), count))


def works(links: list[str], threads: int) -> Work:
    """Each counts the results, which must be made for that."""
    os.environ["POLARS_MAX_THREADS"] = str(threads)
    import duckdb
    import polars as pl
    import pyarrow as pa

    import weburl.ext.duckdb
    import weburl.ext.polars
    import weburl.ext.pyarrow as ext

    assert weburl.ext.polars
    frame = pl.DataFrame({"url": links}).lazy()
    table = pa.table({"url": links})
    con = duckdb.connect(config={"threads": threads, "allow_unsigned_extensions": "true"})
    assert weburl.ext.duckdb.register(con, native=True) == "native"
    con.register("given", table)
    con.execute("create table t as select * from given")
    urls = pl.col("url").weburl

    def polars(expression: Any) -> Callable[[], object]:
        whole = frame.select(u=expression)
        lazy = whole.unnest("u") if isinstance(whole.collect_schema()["u"], pl.Struct) else whole
        return lambda: lazy.select(pl.all().count()).collect(engine="streaming")

    def in_duckdb(call: str) -> Callable[[], object]:
        return lambda: con.execute(f"select count({call}) from t").fetchall()

    def pyarrow(function: Callable[..., Any], *arguments: Any) -> Callable[[], object]:
        return lambda: function(table["url"], *arguments, threads=threads).null_count

    seven = ", ".join(f"'{key}'" for key in KEYS)
    return {
        "Polars host": polars(urls.hostname()),
        "Polars site": polars(urls.registrable_domain()),
        "Polars one key": polars(urls.query(KEYS[-1:])),
        "Polars seven keys": polars(urls.query(KEYS)),
        "DuckDB host": in_duckdb("url_hostname(url)"),
        "DuckDB site": in_duckdb("url_registrable_domain(url)"),
        "DuckDB one key": in_duckdb(f"url_query(url, '{KEYS[-1]}')"),
        "DuckDB seven keys": in_duckdb(f"url_query(url, {seven})"),
        "pyarrow host": pyarrow(ext.url_hostname),
        "pyarrow site": pyarrow(ext.url_registrable_domain),
        "pyarrow one key": pyarrow(ext.url_query, KEYS[-1:]),
        "pyarrow seven keys": pyarrow(ext.url_query, KEYS),
    }


def log_urls(count: int) -> list[str]:
    """Of 100 bytes each."""
    draw = random.Random(44)
    urls = []
    for _ in range(min(count, 400_000)):
        url = f"https://www.example{draw.randrange(900)}.com/{draw.choice(('users', 'items', 'cart', 'api/v1/orders'))}"
        url += f"/{draw.randrange(10**6)}/view?utm_source=news{draw.randrange(30)}&q=term+{draw.randrange(999)}"
        url += f"&page={draw.randrange(99)}&s="
        urls.append(url + "x" * (100 - len(url)))
    return list(islice(cycle(urls), count))


def log_works(urls: list[str]) -> Work:
    """The same of each engine, on one thread. ClickHouse has no redaction."""
    os.environ["POLARS_MAX_THREADS"] = "1"
    import duckdb
    import polars as pl
    import pyarrow as pa

    import weburl.ext.duckdb
    import weburl.ext.polars

    assert weburl.ext.polars
    work: Work = {}
    calls = ("url_hostname(url)", "url_path(url)", "url_param(url, 'page')", "url_redact(url)", "url_redact_text(url)")
    table = pa.table({"url": urls})
    for way, native in (("native", True), ("Arrow", False)):
        con = duckdb.connect(config={"threads": 1})
        weburl.ext.duckdb.register(con, native=native)
        con.register("given", table)
        con.execute("create table t as select * from given")
        for name, call in zip(LOG_WORK, calls, strict=True):
            query = f"select count({call}) from t"
            work[f"DuckDB, {way}: {name}"] = lambda con=con, query=query: con.execute(query).fetchall()  # type: ignore[misc]
    frame, column = pl.DataFrame({"url": urls}), pl.col("url").weburl
    expressions = (column.hostname(), column.path(), column.param("page"), column.redact(), column.redact_text())
    for name, expression in zip(LOG_WORK, expressions, strict=True):
        work[f"Polars: {name}"] = lambda expression=expression: frame.select(expression.count())  # type: ignore[misc]
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder, "urls")
        lines.write_text("\n".join(urls), "utf-8")
        clickhouse = Chdb(lines)
    for name, call in zip(LOG_WORK, ("domain(url)", "path(url)", "extractURLParameter(url, 'page')")):  # noqa: B905
        work[f"ClickHouse: {name}"] = lambda call=call: clickhouse.selected(call)  # type: ignore[misc]
    return work


def logs(rows: int, rounds: int) -> list[dict[str, Any]]:
    """Nanoseconds a row of each engine."""
    best = measure(log_works(log_urls(rows)), rounds)
    found: dict[str, list[float]] = {}
    for name, seconds in best.items():
        found.setdefault(name.partition(":")[0], []).append(seconds / rows * 1e9)
    return [{"engine": engine, "nanoseconds": nanoseconds} for engine, nanoseconds in found.items()]


def half(number: int, rows: int) -> None:
    """One of two processes: does what a line names, and answers when it is done."""
    work = works(links_of("links", rows)[number::2], 1)
    for name in ("Polars host", "DuckDB host"):
        work[name]()
    print("ready", flush=True)
    for line in sys.stdin:
        work[line.rstrip()]()
        print(perf_counter(), flush=True)


def measure(work: Work, rounds: int) -> dict[str, float]:
    """The seconds of each: the shortest of the rounds."""
    for run in work.values():
        run()
    best = dict.fromkeys(work, float("inf"))
    for _ in range(rounds):
        for name, run in work.items():
            start = perf_counter()
            done = run()
            best[name] = min(best[name], (done if isinstance(done, float) else perf_counter()) - start)
    return best


def hosts(rows: int, rounds: int) -> dict[str, list[float]]:
    """Million rows a second of each engine: with two threads, and of two processes."""
    command = [sys.executable, __file__, "--rows", str(rows), "--half"]
    pair = [
        subprocess.Popen([*command, number], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for number in "01"
    ]

    def apart(name: str) -> float:
        for process in pair:
            assert process.stdin is not None
            process.stdin.write(f"{name}\n")
            process.stdin.flush()
        return max(float(process.stdout.readline()) for process in pair if process.stdout is not None)

    for process in pair:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    both = works(links_of("links", rows), 2)
    work: Work = {}
    for name in ("Polars host", "DuckDB host"):
        work |= {name: both[name], f"{name}, apart": lambda name=name: apart(name)}  # type: ignore[misc]
    best = measure(work, rounds)
    for process in pair:
        process.communicate()
    return {
        name.partition(" ")[0]: [rows / best[each] / 1e6 for each in (name, f"{name}, apart")]
        for name in ("Polars host", "DuckDB host")
    }


def costs(kind: str, rows: int, rounds: int, engine: str) -> list[float]:
    """Nanoseconds a row, of the host, the site, one key and seven."""
    work = {name: run for name, run in works(links_of(kind, rows), 1).items() if name.startswith(engine)}
    return [seconds / rows * 1e9 for seconds in measure(work, rounds).values()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a smoke run: 10^4 rows, one round")
    parser.add_argument("--rows", type=int, help=f"else {ROWS:,}, and {LOG_ROWS:,} URLs of a log")
    parser.add_argument("--rounds", type=int, help=f"else {ROUNDS}, and {LOG_ROUNDS} for URLs of a log")
    parser.add_argument("--half", type=int, choices=(0, 1), help=argparse.SUPPRESS)
    parser.add_argument("--only", choices=("hosts", "logs", *ENGINES), help="a part of it")
    parser.add_argument("--require-peers", action="store_true", help="fail when an engine is missing")
    options = figures.parsed(parser, "functions", lambda options: not options.rows and options.only in (None, "logs"))
    engines = [*map(str.lower, ENGINES), "chdb"]
    missing = [name for name in engines if find_spec(name) is None]
    if missing:
        print(*(f"MISSING PEER {name}: pip install {name}" for name in missing), sep="\n")
        return int(options.require_peers)
    rows, log_rows = ((options.rows or (10**4 if options.short else each)) for each in (ROWS, LOG_ROWS))
    rounds, log_rounds = ((options.rounds or (1 if options.short else each)) for each in (ROUNDS, LOG_ROUNDS))
    if options.half is not None:
        half(options.half, rows)
        return 0
    found: dict[str, Any] = {"hosts": {}, "costs": []}
    if options.only in (None, "hosts"):
        found["hosts"] = hosts(rows, rounds)
        for engine, speeds in found["hosts"].items():
            print(
                f"{engine:8} hosts, million rows a second: two threads {speeds[0]:.1f}, two processes {speeds[1]:.1f}"
            )
    print(f"\n{'nanoseconds a row':36}" + "".join(f"{name:>12}" for name in ("host", "site", "one key", "seven keys")))
    for engine in ENGINES:
        for kind in ("links", "links with a query", "long queries"):
            if options.only in (None, engine):
                nanoseconds = costs(kind, rows, rounds, engine)
                found["costs"].append({"engine": engine, "inputs": kind, "nanoseconds": nanoseconds})
                print(f"{engine:8}{kind:28}" + "".join(f"{each:12.1f}" for each in nanoseconds), flush=True)
    of_logs = logs(log_rows, log_rounds) if options.only in (None, "logs") else []
    if of_logs:
        print(f"\n{'URLs of a log, ns a row':28}" + "".join(f"{name:>14}" for name in LOG_WORK))
    for row in of_logs:
        print(f"{row['engine']:28}" + "".join(f"{each:14.1f}" for each in row["nanoseconds"]))
    if options.json:
        about = {"machine": describe_machine(), "versions": {name: version(name) for name in ("weburl", *engines)}}
        if options.only != "logs":
            figures.add(options.json, "functions", about | found | {"rows": rows, "rounds": rounds})
        if of_logs:
            measured = {"rows": log_rows, "rounds": log_rounds, "costs": of_logs}
            figures.add(options.json, "log functions", about | measured)
    return 0


if __name__ == "__main__":
    sys.exit(main())
