"""Columns of URLs in Spark, Ray Data, Daft and weburl.bulk: rows a second on one core and on two; a plan from them.

Each engine reads the same Parquet files of links, and its result is thrown away. Each runs in a process of its own,
bound to as many cores as it may use; its CPU time is that of the process and all that it starts, such as Java.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

HERE = Path(__file__).resolve()
MEASURED = HERE.with_suffix(".json")
FIELDS = ["protocol", "hostname", "port", "pathname", "query", "fragment"]
SPARK_PARTS = ("PROTOCOL", "HOST", "AUTHORITY", "PATH", "QUERY", "REF")
FILES = 16
# So many run first, so that everything is started and compiled.
WARM = 2

HOST, SIX = "host", "six parts"
SCAN, HAND_OVER = "scan", "hand-over"
ONE_CALL = "six parts, parse_column"
OWN_SIX, OWN_ONE = "own parse_url, six parts", "own parse_url, host"
CAN_ADA = "can_ada, six parts"


@dataclass(frozen=True)
class Run:
    """The seconds that one engine took for one work on some cores."""

    engine: str
    work: str
    cores: int
    rows: int
    wall: float
    cpu: float


# Measuring.


def cpu_seconds() -> float:
    """Of this process and its descendants, those that have ended and were waited for included."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended meanwhile
            parents[int(entry)] = int(fields[1])
            ticks[int(entry)] = sum(map(int, fields[11:15]))
    total = 0
    for process in parents:
        ancestor = process
        while ancestor not in (os.getpid(), 0):
            ancestor = parents.get(ancestor, 0)
        total += ticks[process] if ancestor else 0
    return total / os.sysconf("SC_CLK_TCK")


def in_bulk(cores: int) -> Iterator[tuple[str, Callable[[list[str]], Any]]]:
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


def in_spark(cores: int) -> Iterator[tuple[str, Callable[[list[str]], Any]]]:
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
    yield HOST, sink(lambda frame: frame.select(ext.url_host("url")))
    yield SIX, sink(lambda frame: frame.select(ext.url_parse("url", FIELDS)))
    yield ONE_CALL, sink(lambda frame: ext.parse_column(frame, "url", FIELDS, keep=()))
    yield OWN_SIX, sink(lambda frame: frame.select(*(F.try_parse_url("url", F.lit(part)) for part in SPARK_PARTS)))
    yield OWN_ONE, sink(lambda frame: frame.select(F.try_parse_url("url", F.lit("HOST"))))
    yield CAN_ADA, sink(lambda frame: frame.select(F.arrow_udf(lambda urls: six_by_can_ada(urls), struct)("url")))


def in_ray(cores: int) -> Iterator[tuple[str, Callable[[list[str]], Any]]]:
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
    yield HOST, sink(lambda data: data.with_column("host", ext.url_host(col("url"))))
    yield SIX, sink(lambda data: data.with_column("parts", ext.url_parse(col("url"), FIELDS)))
    yield ONE_CALL, sink(lambda data: ext.parse_column(data, "url", FIELDS))


def in_daft(cores: int) -> Iterator[tuple[str, Callable[[list[str]], Any]]]:
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
    yield HOST, sink(lambda frame: frame.select(ext.url_host(frame["url"])))
    yield SIX, sink(lambda frame: frame.select(ext.url_parse(frame["url"], FIELDS)))
    yield ONE_CALL, sink(lambda frame: ext.parse_column(frame, "url", FIELDS))
    yield OWN_SIX, sink(lambda frame: frame.select(parse_url(frame["url"])))


ENGINES: dict[str, tuple[Callable[[int], Iterator[tuple[str, Callable[[list[str]], Any]]]], tuple[str, ...]]] = {
    "bulk": (in_bulk, ("weburl", "pyarrow")),
    "daft": (in_daft, ("daft",)),
    "ray": (in_ray, ("ray",)),
    "spark": (in_spark, ("pyspark", "can_ada")),
}


def run_engine(engine: str, cores: int, rows: int, folder: str) -> None:
    """In a process of its own: a line of JSON for each work, after the word RUN."""
    warm, paths = (sorted(map(str, Path(folder, part).iterdir())) for part in ("warm", "all"))
    for work, run in ENGINES[engine][0](cores):
        run(warm)
        cpu, start = cpu_seconds(), perf_counter()
        run(paths)
        done = Run(engine, work, cores, rows, perf_counter() - start, cpu_seconds() - cpu)
        print("RUN", json.dumps(asdict(done)), flush=True)


def start_engine(engine: str, cores: int, rows: int, folder: str) -> Iterator[Run]:
    command = [sys.executable, str(HERE), "--run", engine, str(cores), str(rows), folder]
    # Warnings of the engines are not shown.
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores]),
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("RUN "):
                yield Run(**json.loads(line[4:]))
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed: run it by itself to see why")


def write_links(links: list[str], rows: int, folder: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    for part in ("warm", "all"):
        Path(folder, part).mkdir()
    for number in range(FILES):
        begin, end = rows * number // FILES, rows * (number + 1) // FILES
        urls = [links[row % len(links)] for row in range(begin, end)]
        # Links repeated here are different ones in a crawl: no dictionary.
        name = f"{number:02}.parquet"
        pq.write_table(pa.table({"url": urls}), Path(folder, "all", name), use_dictionary=False)
        if number < WARM:
            os.link(Path(folder, "all", name), Path(folder, "warm", name))


def count_bytes(links: list[str], folder: str) -> dict[str, float]:
    """Of one link on average, as text and in Parquet: the link, and its parts. And what writing those takes, in ns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from weburl import bulk

    def stored(table: pa.Table) -> float:
        path = Path(folder, "counted")
        pq.write_table(table, path)
        return path.stat().st_size / len(links)

    parts = bulk.parse_many(links, FIELDS).to_pyarrow()
    begun = process_time()
    for _ in range(10):
        stored(parts)
    writing = (process_time() - begun) / 10 / len(links) * 1e9
    text = {name: sum(len(text.encode()) for text in parts[name].to_pylist() if text) for name in FIELDS}
    return {
        "link": sum(len(link.encode()) for link in links) / len(links),
        "link stored": stored(pa.table({"url": links})),
        "parts": sum(text.values()) / len(links),
        "parts stored": stored(parts),
        "host": text["hostname"] / len(links),
        "writing": writing,
    }


def measure(engines: list[str], rows: int, path: Path) -> None:
    """Measures; what the file has of other engines stays there."""
    links = Path(os.environ["WEBURL_DATA"], "urls", "web_links_48k.txt").read_text("utf-8").splitlines()
    document = json.loads(path.read_text("utf-8")) if path.is_file() else {"versions": {}, "load": {}, "runs": []}
    document["runs"] = [run for run in document["runs"] if run["engine"] not in engines]
    java = subprocess.run(["java", "-version"], stderr=subprocess.PIPE, text=True).stderr.splitlines()[0]
    versions = {"python": platform.python_version(), "java": java}
    for engine in engines:
        versions |= {package: version(package) for package in ENGINES[engine][1]}
    document["versions"] |= versions
    print(*(f"{name} {number}" for name, number in versions.items()), sep=", ")
    print(f"{rows:,} rows\n\n{'':44}{'rows/s':>12}{'ns/row':>9}{'CPU ns/row':>12}")
    runs: list[Run] = []
    with tempfile.TemporaryDirectory() as folder:
        write_links(links, rows, folder)
        for engine in engines:
            load = os.getloadavg()[0]
            for cores in (1, 2):
                for run in start_engine(engine, cores, rows, folder):
                    runs.append(run)
                    name = f"{engine}, {run.work}, {cores} core{'s' * (cores > 1)}"
                    speed = f"{run.rows / run.wall:12,.0f}{ns(run.wall, run):9,.0f}{ns(run.cpu, run):12,.0f}"
                    print(f"{name:44}{speed}", flush=True)
            document["load"][engine] = [load, os.getloadavg()[0]]
            print("load before and after: {:.1f} {:.1f}".format(*document["load"][engine]))
        document["bytes"] = count_bytes(links, folder)
    document["runs"] += map(asdict, runs)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    print_comparison(runs)


def ns(seconds: float, run: Run) -> float:
    return seconds / run.rows * 1e9


def find(runs: list[Run], engine: str, work: str, cores: int = 1) -> Run:
    for run in runs:
        if (run.engine, run.work, run.cores) == (engine, work, cores):
            return run
    raise SystemExit(f"{engine}, {work}, {cores} cores: not measured")


def print_comparison(runs: list[Run]) -> None:
    print(f"{'a second core':44}{'throughput':>12}{'CPU':>9}")
    for run in runs:
        if run.cores == 1:
            two = find(runs, run.engine, run.work, 2)
            print(
                f"{run.engine + ', ' + run.work:44}{'x':>6}{run.wall / two.wall:6.2f}{'x':>4}{two.cpu / run.cpu:5.2f}"
            )
    if not any(run.engine == "spark" for run in runs):
        return
    print(f"\n{'Spark, time as a share of':44}{'wall':>12}{'CPU':>9}")
    for work in (SIX, ONE_CALL):
        for peer in (OWN_SIX, CAN_ADA):
            for cores in (1, 2):
                ours, theirs = find(runs, "spark", work, cores), find(runs, "spark", peer, cores)
                name = f"{work} / {peer}, {cores} core{'s' * (cores > 1)}"
                print(f"{name:44}{ours.wall / theirs.wall:12.2f}{ours.cpu / theirs.cpu:9.2f}")


# The plan.

LINKS = 3e9
NODE_CORES = 16
NODES = 100
NETWORK = 1.25e9  # bytes a second and node: 10 Gbit/s
PLANNED = (
    ("bulk", SIX),
    ("daft", ONE_CALL),
    ("ray", ONE_CALL),
    ("spark", ONE_CALL),
    ("spark", SIX),
    ("spark", OWN_SIX),
    ("spark", CAN_ADA),
)


def plan(document: dict[str, Any]) -> Iterator[str]:
    """What LINKS cost, from what was measured: CPU time divided by the cores, or the network if that is slower."""
    runs = [Run(**run) for run in document["runs"]]
    sizes = document["bytes"]
    moved = sizes["link stored"] + sizes["parts stored"]
    writing = LINKS * sizes["writing"] / 1e9
    network = LINKS * moved / NETWORK
    names = ["links to six parts", "CPU ns a link", "one core", f"a node of {NODE_CORES} cores", f"{NODES} nodes"]
    yield f"| {' | '.join(names)} | network in use |"
    yield "|---|---|---|---|---|---|"
    for engine, work in PLANNED:
        # On two cores, since a node has more than one.
        run = find(runs, engine, work, 2)
        alone = LINKS * run.cpu / run.rows + writing
        node = alone / NODE_CORES
        times = [duration(alone), duration(max(node, network)), duration(max(node, network) / NODES)]
        cells = [f"{engine}, {work}", f"{alone / LINKS * 1e9:,.0f}", *times, f"{min(network / node, 1):.0%}"]
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield "| bytes | a link | all links | one node's network | 100 nodes' |"
    yield "|---|---|---|---|---|"
    shuffled = sizes["host"] + 8
    for name, size in (
        ("links read, from Parquet", sizes["link stored"]),
        ("parts written, to Parquet", sizes["parts stored"]),
        ("Spark to Python and back, within a node", sizes["link"] + sizes["parts"] + 4 * (1 + len(FIELDS))),
        ("shuffled: host and a count, no partial sums", shuffled),
    ):
        seconds = LINKS * size / NETWORK
        times = ["", ""] if "within" in name else [duration(seconds), duration(seconds / NODES)]
        yield f"| {name} | {size:.0f} | {LINKS * size / 1e9:,.0f} GB | {' | '.join(times)} |"
    yield ""
    yield "| where the CPU time goes, ns a link | bulk | Spark, `parse_column` |"
    yield "|---|---|---|"
    read, parsed = (ns(find(runs, "bulk", work, 2).cpu, find(runs, "bulk", work, 2)) for work in (SCAN, SIX))
    scan, whole = (ns(find(runs, "spark", work, 2).cpu, find(runs, "spark", work, 2)) for work in (SCAN, ONE_CALL))
    for name, *costs in (
        ("reading Parquet", read, scan),
        ("weburl", parsed - read, parsed - read),
        ("rows to Arrow, to Python and back", 0, whole - scan - (parsed - read)),
        ("writing Parquet", sizes["writing"], sizes["writing"]),
    ):
        yield f"| {name} | {' | '.join(f'{cost:,.0f}' for cost in costs)} |"


def duration(seconds: float) -> str:
    if seconds < 600:
        return f"{seconds:.{seconds < 10:d}f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--engine", action="append", choices=ENGINES, help="only this one; may be given again")
    parser.add_argument("--save", type=Path, default=HERE.parent.parent / "build" / "engines.json", metavar="FILE")
    parser.add_argument(
        "--plan", nargs="?", type=Path, const=MEASURED, metavar="FILE", help="print the plan, measure nothing"
    )
    parser.add_argument("--run", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        engine, cores, rows, folder = options.run
        run_engine(engine, int(cores), int(rows), folder)
    elif options.plan:
        print(*plan(json.loads(options.plan.read_text("utf-8"))), sep="\n")
    else:
        measure(options.engine or list(ENGINES), options.rows, options.save)


if __name__ == "__main__":
    main()
