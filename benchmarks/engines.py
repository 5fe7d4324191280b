"""Columns of URLs in each engine and in weburl.bulk: rows a second on one core and on two.

Each engine reads the same Parquet files of links, and its result is thrown away. Each runs in a process of its own,
bound to as many cores as it may use; its CPU time is that of the process and all that it starts, such as Java. What two
cores can do is shown by two processes with a core and half of the files each, which begin at the same moment.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from time import perf_counter, process_time

import figures
from bench import describe_machine
from engine_work import CAN_ADA, ENGINES, FIELDS, ONE_CALL, OWN_SIX, SIX

HERE = Path(__file__).resolve()
FILES = 16
ROWS = 10**7
# So many run first, so that everything is started and compiled.
WARM = 2


# Processes, with so many cores each.
WAYS = ((1, 1), (1, 2), (2, 1))


@dataclass(frozen=True)
class Run:
    """The seconds that one engine took for one work, in some processes with some cores each."""

    engine: str
    work: str
    processes: int
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


def run_engine(engine: str, cores: int, folder: str, files: str) -> None:
    """In a process of its own: works as often as it is told to by a line, and answers with the seconds."""
    warm, paths = (sorted(map(str, Path(folder, part).iterdir())) for part in ("warm", files))
    for work, run in ENGINES[engine][0](cores):
        run(warm)
        print("READY", work, flush=True)
        sys.stdin.readline()
        cpu, start = cpu_seconds(), perf_counter()
        run(paths)
        print("RUN", perf_counter() - start, cpu_seconds() - cpu, flush=True)


def start_engine(engine: str, processes: int, cores: int, folder: str, number: int) -> subprocess.Popen[str]:
    files = "all" if processes == 1 else f"half{number}"
    # Warnings of the engines are not shown.
    return subprocess.Popen(
        [sys.executable, str(HERE), "--run", engine, str(cores), folder, files],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "POLARS_MAX_THREADS": str(cores)},
        preexec_fn=lambda: os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[number : number + cores]),
    )


def answers(process: subprocess.Popen[str], word: str) -> str | None:
    """What follows the word in the next line that begins with it; engines may print, too."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(word + " "):
            return line.removeprefix(word + " ").rstrip("\n")
    return None


def runs_of(engine: str, processes: int, cores: int, rows: int, folder: str) -> Iterator[Run]:
    started = [start_engine(engine, processes, cores, folder, number) for number in range(processes)]
    while all(works := [answers(process, "READY") for process in started]):
        for process in started:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        seconds = [tuple(map(float, (answers(process, "RUN") or "nan nan").split())) for process in started]
        wall, cpu = max(wall for wall, _ in seconds), sum(cpu for _, cpu in seconds)
        yield Run(engine, str(works[0]), processes, cores, rows, wall, cpu)
    for process in started:
        process.communicate()
        if process.returncode:
            raise SystemExit(f"{engine}, {processes} processes with {cores} cores failed: run it by itself to see why")


def write_links(links: list[str], rows: int, folder: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    for part in ("warm", "all", "half0", "half1"):
        Path(folder, part).mkdir()
    for number in range(FILES):
        begin, end = rows * number // FILES, rows * (number + 1) // FILES
        urls = [links[row % len(links)] for row in range(begin, end)]
        # Links repeated here are different ones in a crawl: no dictionary.
        name = f"{number:02}.parquet"
        pq.write_table(pa.table({"url": urls}), Path(folder, "all", name), use_dictionary=False)
        for part in ("warm",) * (number < WARM) + (f"half{number % 2}",):
            os.link(Path(folder, "all", name), Path(folder, part, name))


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


def measure(engines: list[str], rows: int, path: Path | None) -> None:
    """Measures; what the file has of other engines stays there."""
    links = Path(os.environ["WEBURL_DATA"], "urls", "web_links_48k.txt").read_text("utf-8").splitlines()
    document = {"versions": {}, "load": {}, "runs": []} | (figures.read(path).get("engines", {}) if path else {})
    document["runs"] = [run for run in document["runs"] if run["engine"] not in engines]
    java = subprocess.run(["java", "-version"], stderr=subprocess.PIPE, text=True).stderr.splitlines()[0]
    versions = {"java": java.split('"')[1]}
    for engine in engines:
        versions |= {package: version(package) for package in ENGINES[engine][1]}
    document["versions"] |= versions
    print(*(f"{name} {number}" for name, number in versions.items()), sep=", ")
    print(f"{rows:,} rows\n\n{'':54}{'rows/s':>12}{'ns/row':>9}{'CPU ns/row':>12}")
    runs: list[Run] = []
    with tempfile.TemporaryDirectory() as folder:
        write_links(links, rows, folder)
        for engine in engines:
            load = os.getloadavg()[0]
            for processes, cores in WAYS:
                for run in runs_of(engine, processes, cores, rows, folder):
                    runs.append(run)
                    speed = f"{run.rows / run.wall:12,.0f}{ns(run.wall, run):9,.0f}{ns(run.cpu, run):12,.0f}"
                    print(f"{named(run):54}{speed}", flush=True)
            document["load"][engine] = [load, os.getloadavg()[0]]
            print("load before and after: {:.1f} {:.1f}".format(*document["load"][engine]))
        document["bytes"] = count_bytes(links, folder)
    document["runs"] += map(asdict, runs)
    if path:
        figures.add(path, "engines", document | {"machine": describe_machine()})
    print_comparison(runs)


def named(run: Run) -> str:
    way = "two processes" if run.processes == 2 else ("one core", "two cores")[run.cores - 1]
    return f"{run.engine}, {run.work}, {way}"


def ns(seconds: float, run: Run) -> float:
    return seconds / run.rows * 1e9


def find(runs: list[Run], engine: str, work: str, cores: int = 1, processes: int = 1) -> Run:
    for run in runs:
        if (run.engine, run.work, run.cores, run.processes) == (engine, work, cores, processes):
            return run
    raise SystemExit(f"{engine}, {work}, {processes} processes, {cores} cores: not measured")


def print_comparison(runs: list[Run]) -> None:
    if not any(run.engine == "spark" for run in runs):
        return
    print(f"\n{'Spark, time as a share of':44}{'wall':>12}{'CPU':>9}")
    for work in (SIX, ONE_CALL):
        for peer in (OWN_SIX, CAN_ADA):
            for cores in (1, 2):
                ours, theirs = find(runs, "spark", work, cores), find(runs, "spark", peer, cores)
                name = f"{work} / {peer}, {cores} core{'s' * (cores > 1)}"
                print(f"{name:44}{ours.wall / theirs.wall:12.2f}{ours.cpu / theirs.cpu:9.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--engine", action="append", choices=ENGINES, help="only this one; may be given again")
    parser.add_argument("--run", nargs=4, metavar=("ENGINE", "CORES", "FOLDER", "FILES"), help=argparse.SUPPRESS)
    options = figures.parsed(parser, "engines", lambda options: options.rows == ROWS)
    if options.run:
        engine, cores, folder, files = options.run
        run_engine(engine, int(cores), folder, files)
    else:
        measure(options.engine or list(ENGINES), options.rows, options.json)


if __name__ == "__main__":
    main()
