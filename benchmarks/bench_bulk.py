"""Compare weburl.bulk with what engines and C++ do with columns of URLs: a table of the limits it is held to."""

from __future__ import annotations

import argparse
import ctypes
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from itertools import cycle, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter_ns, process_time_ns, thread_time_ns
from typing import Any
from zlib import crc32

import cli
import corpora
import figures
import records
from bench import Row, describe_machine, print_table
from columns import SIX_PARTS, CanAda, Chdb, DuckDB, Polars, PolarsIstr, Spark, Spent, timed
from programs import BUILT, Ada, Program, write_lines
from timing import Timing, alternate

from weburl import URL
from weburl.bulk import (
    can_parse_many,
    component_many,
    host_in_many,
    join_many,
    parse_many,
    path_template_many,
    redact_many,
    redactions_many,
)
from weburl.hosts import HostSet

FOUR = ("href", "hostname", "pathname", "search")
MEBIBYTE = 1 << 20
ENTRIES = 10**6
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
MILLISECOND = 1_000_000  # nanoseconds
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of malloc.h
HOSTILE = {
    "dot segments": "http://h/" + "a/../" * (MEBIBYTE // 5),
    "userinfo": "http://" + "@" * MEBIBYTE + "h",
    "query not ASCII": "http://h/?" + "é" * (MEBIBYTE // 2),
    "host not ASCII": "http://" + "é" * (MEBIBYTE // 2),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a smoke run, where no limit fails: 10^5 rows, 3 rounds")
    parser.add_argument("--rounds", type=int, help="rounds a row; else WEBURL_BENCH_ROUNDS, else 9")
    parser.add_argument("--require-peers", action="store_true", help="fail when a peer is missing")
    parser.add_argument("--ada", type=Path, metavar="FOLDER", help="a checkout of ada, as one more peer")
    parser.add_argument("--spark", action="store_true", help="Spark, too: it needs pyspark, and Java")
    arguments = figures.parsed(parser, "bulk")
    rounds = arguments.rounds or int(os.environ.get("WEBURL_BENCH_ROUNDS", "3" if arguments.short else "9"))
    count = 10**5 if arguments.short else 10**6
    # Polars reads it when it is imported.
    os.environ["POLARS_MAX_THREADS"] = "1"

    keep_memory()
    links = real_links(count)
    inputs = {"links": links, "long links": long_links(count)}
    with TemporaryDirectory() as name:
        folder = Path(name)
        lines = {kind: write_lines(folder / kind, texts) for kind, texts in inputs.items()}
        adas, missing = load_adas(BUILT, arguments.ada)
        peers, others = load_peers(links, lines["links"], spark=arguments.spark)
        missing += others
        versions = {name: version(name) for name in ("weburl", *(peer.DISTRIBUTION for peer in peers.values()))}
        versions |= {name: ada.version for name, ada in adas.items()}
        machine = describe_machine()
        print(f"{machine}, one thread, {count:,} rows, best of {rounds} rounds; load average {load_average()}")
        print(", ".join(f"{name} {number}" for name, number in versions.items()), end="\n\n")
        mean = {kind: path.stat().st_size / count - 1 for kind, path in lines.items()}
        print(", ".join(f"{kind} of {size:.0f} bytes" for kind, size in mean.items()), end="\n\n")
        programs = {
            name: {kind: ada.over(path, inputs[kind]) for kind, path in lines.items()} for name, ada in adas.items()
        }
        columns = {kind: to_column(texts) for kind, texts in inputs.items()}
        rows = print_limits(Bench(links, columns, programs, peers, rounds, folder))
        first = min(in_a_new_process(first_call, count) for _ in range(min(rounds, 5)))
        print(f"{', '.join(FOUR)}, the first call of a process, whose memory the system zeroes: {first:.0f} ns\n")
        print_differences(peers, folder, min(count, 10**5))
    print(f"load average {load_average()}")
    if arguments.json:
        measured = {
            "machine": machine,
            "versions": versions,
            "missing": missing,
            "rounds": rounds,
            "rows": count,
            "bytes": mean,
            "first call": first,
            "limits": [asdict(row) | {"ratio": row.ratio, "verdict": row.verdict} for row in rows],
        }
        figures.add(arguments.json, "bulk", measured)
    return 1 if missing and arguments.require_peers else 0


def keep_memory() -> None:
    """Makes glibc keep freed memory, as the allocators of chdb and Polars do. Else the time depends on what lies above
    the last result in memory, and on new pages that the system must zero."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if os.name == "posix" else None
    if mallopt:
        for parameter, size in ((M_TRIM_THRESHOLD, 1 << 30), (M_MMAP_THRESHOLD, 1 << 25)):
            mallopt(parameter, size)


def different_links() -> list[str]:
    links = corpora.real_links()
    if links is None:
        print("no real links (WEBURL_DATA is not set, or has none): generated ones instead")
        links = corpora.links(20_000)
    # One of the real links is not a URL: can_ada raises an exception for it.
    return [link for link in links if URL.can_parse(link)]


def real_links(count: int) -> list[str]:
    return list(islice(cycle(different_links()), count))


def long_links(count: int) -> list[str]:
    return list(islice(cycle(corpora.longer(different_links())), count))


def to_column(texts: Sequence[str]) -> Any:
    """An Arrow column, if pyarrow is installed."""
    try:
        return import_module("pyarrow").array(texts)
    except ImportError:
        return texts


def load_average() -> str:
    return " ".join(f"{load:.1f}" for load in os.getloadavg())


def load_adas(folder: Path, checkout: Path | None) -> tuple[dict[str, Ada], list[str]]:
    """The ada of the package ada-url, and the one of the checkout."""
    adas, missing = {}, []
    for name, sources in (("ada", None), ("the other ada", checkout)):
        if sources or name == "ada":
            try:
                adas[name] = Ada(folder, sources)
            except ImportError as error:
                missing.append(name)
                print(f"MISSING PEER {name}: {error}")
    return adas, missing


def load_peers(links: Sequence[str], lines: Path, *, spark: bool) -> tuple[dict[str, Any], list[str]]:
    peers: dict[str, Any] = {}
    missing = []
    makers: dict[str, Callable[[], object]] = {
        "can_ada": CanAda,
        "chdb": lambda: Chdb(lines),
        "polars-istr": lambda: PolarsIstr(links),
        "Polars": lambda: Polars(links),
        "DuckDB": lambda: DuckDB(to_column(links), peers.get("can_ada")),
    }
    if spark:
        makers["Spark"] = lambda: Spark(lines)
    for name, make in makers.items():
        try:
            peers[name] = make()
        except ImportError as error:
            missing.append(name)
            print(f"MISSING PEER {name}: {error}")
    return peers, missing


@dataclass(frozen=True)
class Bench:
    links: list[str]
    columns: dict[str, Any]
    adas: dict[str, dict[str, Program]]
    peers: dict[str, Any]
    rounds: int
    folder: Path

    @property
    def column(self) -> Any:
        return self.columns["links"]

    def limits(self) -> Iterator[Row]:
        yield from self.parts()
        yield from self.joins()
        yield from self.logs()
        yield from self.two_threads()
        yield from self.lines()
        yield from self.records()
        yield from self.engines()
        yield from self.host_sets()
        yield from self.hostile_rows()
        yield from self.memory()

    def against(
        self, work: str, inputs: str, ours: Spent, theirs: Mapping[str, tuple[float, Spent | None]]
    ) -> Iterator[Row]:
        """A row for each peer: how much of its time ours may take, and None where it is missing."""
        contenders = {"weburl": ours} | {name: spent for name, (_, spent) in theirs.items() if spent}
        timings = measure(contenders, len(self.links), self.rounds)
        for name, (limit, _) in theirs.items():
            yield Row(work, inputs, "ns", timings["weburl"], limit, name, timings.get(name))

    def against_ada(self, work: str, limit: float, inputs: str) -> dict[str, tuple[float, Spent | None]]:
        theirs: dict[str, tuple[float, Spent | None]] = {f"ada::{work} in C++": (limit, None)}
        for name, programs in self.adas.items():
            theirs[f"{name}::{work} in C++"] = (limit, partial(programs[inputs].spent, work))
        return theirs

    def parts(self) -> Iterator[Row]:
        column, chdb, istr = self.column, self.peers.get("chdb"), self.peers.get("polars-istr")
        yield from self.against(
            "component_many(urls, 'hostname')",
            "links",
            timed(process_time_ns, partial(component_many, column, "hostname", threads=1)),
            {
                "polars-istr": (0.25, istr and istr.host),
                "chdb domain()": (1, chdb and chdb.spent("domain(url)")),
                "": (22, None),
            },
        )
        for inputs, limit in (("links", 0.50), ("long links", 0.55)):
            yield from self.against(
                "href, hostname, pathname, search",
                inputs,
                timed(thread_time_ns, partial(parse_many, self.columns[inputs], FOUR, threads=1)),
                self.against_ada("parse", limit, inputs),
            )
        yield from self.against(
            "parse_many(urls)",
            "links",
            timed(process_time_ns, partial(parse_many, column, threads=1)),
            {
                "chdb, six parts": (1, chdb and chdb.spent(SIX_PARTS)),
                "chdb, six parts to Arrow": (1, chdb and chdb.spent(SIX_PARTS, "ArrowStream")),
            },
        )
        for inputs in self.columns:
            yield from self.against(
                "can_parse_many(urls)",
                inputs,
                timed(thread_time_ns, partial(can_parse_many, self.columns[inputs], threads=1)),
                self.against_ada("can_parse", 0.35, inputs),
            )

    def joins(self) -> Iterator[Row]:
        can_ada = self.peers.get("can_ada")
        pairs = list(islice(cycle(corpora.relative(20_000)), len(self.links)))
        # As pages have them, a base comes many times in a row; and then in no order.
        for inputs in ("relative", "relative, shuffled"):
            refs, bases = zip(*pairs, strict=True)
            yield from self.against(
                "join_many(bases, refs)",
                inputs,
                timed(thread_time_ns, partial(join_many, to_column(bases), to_column(refs), threads=1)),
                {"can_ada": (0.25, can_ada and can_ada.join(bases, refs))},
            )
            Random(1).shuffle(pairs)

    def logs(self) -> Iterator[Row]:
        """At least five million rows a second on each core."""
        for function in (redact_many, redactions_many, path_template_many):
            ours = timed(thread_time_ns, partial(function, self.column, threads=1))
            yield from self.against(f"{function.__name__}(urls)", "links", ours, {"": (200, None)})

    def two_threads(self) -> Iterator[Row]:
        """By the clock, against one thread and against two processes; and how much more work it is."""
        work = "four columns, two threads"

        def spent(threads: int, clock: Callable[[], int]) -> Spent:
            return timed(clock, partial(parse_many, self.column, FOUR, threads=threads))

        def by_the_clock(peer: str, limit: float, theirs: Spent) -> Row:
            """Five times, as others are at work on the machine: of each contender the best time of all."""
            ours: list[Timing] = []
            others: list[Timing] = []
            for _ in range(5):
                timings = measure({"two": spent(2, perf_counter_ns), peer: theirs}, len(self.links), self.rounds)
                ours.append(timings["two"])
                others.append(timings[peer])
                best, its_best = (min(each, key=lambda timing: timing.best) for each in (ours, others))
            return Row(work, "links, by the clock", "ns", best, limit, peer, its_best)

        # On an idle machine the time of one thread is its CPU time.
        yield by_the_clock("one thread", 1 / 1.8, spent(1, process_time_ns))
        with Halves(self.links, four_columns) as halves:
            yield by_the_clock("two processes", 1.05, halves.spent)
        contenders = {"one": spent(1, process_time_ns), "two": spent(2, process_time_ns)}
        timings = measure(contenders, len(self.links), self.rounds)
        yield Row(work, "links, CPU time", "ns", timings["two"], 2 / 1.8, "one thread", timings["one"])

    def lines(self) -> Iterator[Row]:
        """The command, from the start of its process to its end, over ten times as many lines."""
        path, count = self.folder / "lines", 10 * len(self.links)
        cli.write_lines(path, count)
        for work, command, least in (
            ("weburl -g '{hostname}'", cli.command(path, threads=2), cli.GOALS["hostname"]),
            ("weburl stats", cli.stats(path), cli.GOALS["stats"]),
            ("weburl dedup", cli.dedup(path), cli.GOALS["dedup"]),
        ):
            spent = [cli.run(command, path).seconds * 1e9 / count for _ in range(self.rounds)]
            yield Row(work, "lines, two threads", "ns", Timing(min(spent), median(spent)), 1e9 / least)
        path.unlink()

    def records(self) -> Iterator[Row]:
        """The command on CSV and JSON Lines, beside programs that only read the column: the time of all processors."""
        links, table, objects = (self.folder / name for name in ("lines", "lines.csv", "lines.jsonl"))
        count = 3 * len(self.links)
        cli.write_lines(links, count)
        records.write_records(links, table, objects, count)

        def spent(turn: int, command: list[str]) -> float:
            return cli.run(command, links).processor * 1e9 / count

        for kind, path in {"CSV": table, "JSON": objects}.items():
            commands = records.contenders(kind, path)
            for name, peer in records.PAIRS[kind]:
                pair = {each: partial(spent, command=commands[each]) for each in (name, peer) if each in commands}
                timings = alternate(pair, min(self.rounds, 3))
                inputs = f"records, {name.partition(', ')[2]}"
                yield Row(f"weburl, {kind}", inputs, "ns", timings[name], records.MOST, peer, timings.get(peer))
        for path in (links, table, objects):
            path.unlink()

    def engines(self) -> Iterator[Row]:
        polars, duckdb, spark = map(self.peers.get, ("Polars", "DuckDB", "Spark"))
        if polars:
            # As views, as in Polars.
            kernel = timed(process_time_ns, partial(component_many, polars.series, "hostname", threads=1, views=True))
            yield from self.against("Polars host()", "links", polars.host, {"component_many": (1.1, kernel)})
        if duckdb:
            theirs = {"Arrow UDF over can_ada": (0.25, duckdb.spent("ada_host") if "can_ada" in self.peers else None)}
            yield from self.against("DuckDB url_hostname(url)", "links", duckdb.spent("url_hostname"), theirs)
            yield from self.native_duckdb(duckdb, polars)
        if spark:
            theirs = {"try_parse_url six times": (0.25, spark.parts)}
            yield from self.against("Spark url_parse(url, six)", "links", spark.fields, theirs)

    def native_duckdb(self, arrow: DuckDB, polars: Polars | None) -> Iterator[Row]:
        """On one thread, and by the clock on two: as many as Polars has on the machine of the figures."""
        one, two = (DuckDB(self.column, threads=threads, native=True) for threads in (1, 2))
        theirs = {"the same in Python": (0.75, arrow.spent("url_hostname"))}
        yield from self.against("DuckDB url_hostname(url), native", "links", one.spent("url_hostname"), theirs)
        work = "DuckDB url_hostname(url), native, two threads"
        ours = two.spent("url_hostname", perf_counter_ns)
        streamed = {"Polars, streaming": (1.25, polars.streamed if polars else None)}
        yield from self.against(work, "links, by the clock", ours, streamed)
        with Halves(self.links, duckdb_hosts) as halves:
            yield from self.against(work, "links, by the clock", ours, {"two processes": (1.25, halves.spent)})

    def host_sets(self) -> Iterator[Row]:
        """A million entries. Of the links' hosts every other one is among them."""
        listed = [link for link in self.links if hash_of(link) % 2]
        names = list(dict.fromkeys(filter(None, component_many(listed, "hostname"))))
        names += blocklist(ENTRIES - len(names))
        hosts = HostSet(names)
        # In no order, so that hardly any entry is in a cache.
        strangers = [f"https://www.{name}/x?y" for name in (*blocklist(50_000, 2), *Random(3).sample(names, 50_000))]
        Random(4).shuffle(strangers)
        urls = [URL(link) for link in self.links[:100_000]]
        found = measure({"found": timed(thread_time_ns, partial(count_in, urls, hosts))}, len(urls), self.rounds)[
            "found"
        ]
        yield Row("url in hosts, 10^6 entries", "links", "ns", found, 300)
        for inputs, texts in (("links", self.links), ("half are entries", strangers)):
            ours = timed(thread_time_ns, partial(host_in_many, to_column(texts), hosts, schemes=None, threads=1))
            found = measure({"found": ours}, len(texts), self.rounds)["found"]
            yield Row("host_in_many(urls, hosts), the same", inputs, "ns", found, 300)
        made = measure({"made": timed(thread_time_ns, partial(HostSet, names))}, len(names), min(self.rounds, 3))[
            "made"
        ]
        yield Row("HostSet(names), an entry", "10^6 names", "ns", made, 1000)
        if sys.platform == "linux":
            used = in_a_new_process(memory_of_a_set, ENTRIES)
            yield Row("memory of a HostSet, an entry", "10^6 names", "bytes", Timing(used, used), 100)

    def hostile_rows(self) -> Iterator[Row]:
        """One of 1 MiB among the others takes what it takes alone."""
        middle = len(self.links) // 2
        for kind, hostile in HOSTILE.items():
            columns = {
                "with": to_column([*self.links[:middle], hostile, *self.links[middle:]]),
                "without": self.column,
                "alone": to_column([hostile]),
            }
            contenders = {
                name: timed(thread_time_ns, partial(parse_many, column, threads=1)) for name, column in columns.items()
            }
            timings = measure(contenders, len(self.links), self.rounds)
            rest, alone = timings["without"], timings["alone"]
            apart = Timing(rest.best + alone.best, rest.median + alone.median)
            yield Row("parse_many, one row of 1 MiB more", kind, "ns", timings["with"], 1.05, "both apart", apart)

    def memory(self) -> Iterator[Row]:
        if sys.platform != "linux" or isinstance(self.column, list):
            print("no figure for memory: it needs Linux, and pyarrow")
            return
        used = in_a_new_process(memory_beyond, len(self.links))
        yield Row("memory beyond input and output", "links", "bytes", Timing(used, used), 64)


class Halves:
    """Two processes that work on half of the links each, when told to, from the same moment on.

    `make` makes the work in each of them.
    """

    def __init__(self, links: Sequence[str], make: Callable[[Sequence[str]], Callable[[], object]]) -> None:
        self._links = links
        self._make = make

    def __enter__(self) -> Halves:
        context = get_context("spawn")
        self._ends, self._processes = [], []
        for half in (self._links[::2], self._links[1::2]):
            ours, theirs = context.Pipe()
            process = context.Process(target=work_on_half, args=(theirs, half, self._make), daemon=True)
            process.start()
            ours.recv()
            self._ends.append(ours)
            self._processes.append(process)
        return self

    def spent(self) -> float:
        start = perf_counter_ns() + MILLISECOND
        for end in self._ends:
            end.send(start)
        return float(max(end.recv() for end in self._ends) - start)

    def __exit__(self, *_: object) -> None:
        for end, process in zip(self._ends, self._processes, strict=True):
            end.send(None)
            process.join()


def four_columns(links: Sequence[str]) -> Callable[[], object]:
    return partial(parse_many, to_column(links), FOUR, threads=1)


def duckdb_hosts(links: Sequence[str]) -> Callable[[], object]:
    return DuckDB(to_column(links), native=True).spent("url_hostname")


def work_on_half(end: Connection, links: Sequence[str], make: Callable[[Sequence[str]], Callable[[], object]]) -> None:
    """Answers a moment, on the clock that all processes have, with the moment when it was done."""
    keep_memory()
    work = make(links)
    end.send(None)
    while (start := end.recv()) is not None:
        while perf_counter_ns() < start:
            pass
        work()
        end.send(perf_counter_ns())


def in_a_new_process(function: Callable[[int], float], count: int) -> float:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(function, count).result()


def first_call(count: int) -> float:
    """Nanoseconds a row, where all memory is new."""
    column = to_column(real_links(count))
    return timed(thread_time_ns, partial(parse_many, column, FOUR, threads=1))() / count


def memory_beyond(count: int) -> float:
    """Bytes a row, at the peak, in a process of its own."""
    links = real_links(count)
    column = to_column(links)
    Path("/proc/self/clear_refs").write_text("5")
    before = memory_status("VmRSS")
    table = parse_many(column).to_pyarrow()
    return (memory_status("VmHWM") - before - int(table.nbytes)) / count


def blocklist(count: int, seed: int = 1) -> list[str]:
    """Names as blocklists have them."""
    random = Random(seed)
    ends = ("com", "net", "org", "co.uk", "info", "ads.example", "de")
    return [f"{''.join(random.choices(LETTERS, k=random.randint(5, 16)))}.{random.choice(ends)}" for _ in range(count)]


def hash_of(link: str) -> int:
    """The same in each process."""
    return crc32(link.split("/")[2].encode("utf-8", "surrogatepass")) if link.count("/") > 1 else 0


def count_in(urls: Sequence[URL], hosts: HostSet) -> int:
    return sum([url in hosts for url in urls])


def memory_of_a_set(count: int) -> float:
    """Bytes an entry that a set takes, of names that nobody keeps."""
    names = (f"host-{number * 7919 % 10**7:07}.ads.example" for number in range(count))
    before = memory_status("VmRSS")
    hosts = HostSet(names)
    return (memory_status("VmRSS") - before) / len(hosts)


def memory_status(name: str) -> int:
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) << 10


def measure(contenders: Mapping[str, Spent], count: int, rounds: int) -> dict[str, Timing]:
    """Nanoseconds a row."""

    def a_row(spent: Spent) -> Callable[[int], float]:
        return lambda turn: spent() / count

    return alternate({name: a_row(spent) for name, spent in contenders.items()}, rounds)


def print_limits(bench: Bench) -> list[Row]:
    rows = []

    def cells() -> Iterator[list[str]]:
        for row in bench.limits():
            rows.append(row)
            yield row.cells()

    header = ("work", "inputs", "weburl", "peer", "its time", "ratio", "at most", "")
    print_table(header, cells(), (34, 19, 9, 24, 9, 5, 9, 7))
    return rows


def print_differences(peers: Mapping[str, Any], folder: Path, count: int) -> None:
    """How often the host is not the standard's; the empty string is as good as null."""
    crawl, changed = corpora.messy(count), corpora.not_normalized(count)
    rows = []
    for name, texts in (("links", real_links(count)), ("a crawl's", crawl), ("not normalized", changed)):
        lines = [text.strip("\n") for text in texts]
        theirs: dict[str, list[str | None]] = {}
        if "chdb" in peers:
            peers["chdb"].load(write_lines(folder / "urls", lines))
            theirs["chdb"] = peers["chdb"].hosts()
        if "polars-istr" in peers:
            theirs["polars-istr"] = PolarsIstr(lines).hosts()
        right = component_many(lines, "hostname").to_pylist()
        wrong = {
            key: sum((mine or "") != (host or "") for mine, host in zip(right, hosts, strict=True)) / len(lines)
            for key, hosts in theirs.items()
        }
        rows.append([name, *(f"{wrong[key]:.2%}" if key in wrong else "" for key in ("chdb", "polars-istr"))])
    print_table(("hosts that are not the standard's", "chdb domain()", "polars-istr"), rows, (33, 13, 11))


if __name__ == "__main__":
    sys.exit(main())
