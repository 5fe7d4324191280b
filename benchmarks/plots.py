"""Draws the figures of docs/performance.md and README.md, and writes their tables, from what the benchmarks say.

    make bench BENCH="--json build/bench.json"
    python benchmarks/plots.py build/bench.json

What cli.py has measured is a table of docs/command.md; for it alone, a file that has only that is enough. What a URL
costs against its length, and threads, it measures itself where the file does not have them, and adds them to it. It
needs matplotlib (docs/requirements.txt), valgrind, and all of the peers.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter_ns
from typing import Any

import corpora
import instructions
from programs import Ada, JavaScript, write_lines
from timing import Loop, alternate, measure

from weburl import URL
from weburl.bulk import parse_many

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
PAGES = (ROOT / "docs" / "performance.md", ROOT / "README.md")
COMMAND = ROOT / "docs" / "command.md"
WORKS = {
    "hostname": "`-g '{hostname}'`",
    "policy": "`--policy crawl`",
    "stats": "`stats`",
    "dedup": "`dedup`",
    "CSV": "CSV, `-g '{hostname}'`",
    "JSON": "JSON Lines, `-g '{hostname}'`",
    "Parquet": "CSV to Parquet, `-g '{href} {hostname}'`",
}
BEGIN, END = "<!-- figures -->\n", "<!-- /figures -->\n"
OURS, THEIRS = "#2b6cb0", "#b0b7c0"
COLORS = ("#2b6cb0", "#b7791f", "#2f855a", "#9b2c2c", "#6b46c1", "#4a5568")

# The panels of the figure of everybody, and their titles.
PANELS = {
    "parse_parts, links": "URL and three of its parts",
    "normalize, links": "str to normalized str",
    "join, relative": "a reference joined to a base",
    "params_all, queries": "a query of ten pairs: parsed, listed, written",
}
# The rows of README.md: the work, its input, the peer.
HEADLINES = (
    ("URL(s)", "links", "can_ada"),
    ("URL(s), hostname, pathname, search", "links", "can_ada"),
    ("URL(s)", "links", "Bun: new URL(s)"),
    ("normalize(s)", "links", "can_ada"),
    ("URL(s), raise and catch", "failing", "can_ada"),
    ("join(base, ref)", "relative", "can_ada"),
    ("URLSearchParams(q), list, str", "queries", "upa_url"),
    ("safe_url_string(s)", "links", "w3lib"),
    ("fingerprint(s)", "links", "scrapy"),
    ("component_many(urls, 'hostname')", "links", "polars-istr"),
    ("href, hostname, pathname, search", "links", "ada::parse in C++"),
    ("parse_many(urls)", "links", "chdb, six parts to Arrow"),
    ("DuckDB url_host(url)", "links", "Arrow UDF over can_ada"),
)

# Inputs of any length, by the number of the round: no cache has seen them.
SHAPES: dict[str, Callable[[int, int], str]] = {
    "a long path": lambda n, i: f"http://h{i}/" + "a" * n,
    "a/../ again and again": lambda n, i: f"http://h{i}/" + "a/../" * (n // 5),
    "@ again and again": lambda n, i: f"http://h{i}" + "@" * n + "h",
    "a query, not ASCII": lambda n, i: f"http://h{i}/?" + "é" * (n // 2),
    "a host, not ASCII": lambda n, i: f"http://h{i}" + "é" * (n // 2),
    "a host of combining marks": lambda n, i: f"http://h{i}" + "\u0301\u0323" * (n // 4),
}
LENGTHS = tuple(4**k for k in range(2, 11))
LINK_LENGTHS = tuple(4**k for k in range(3, 11))
FOUR = ("href", "hostname", "pathname", "search")

Report = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="what the benchmarks have written with --json")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of what is measured here")
    options = parser.parse_args()
    report: Report = json.loads(options.file.read_bytes())
    if "command" in report:
        write_figures(COMMAND, of_the_command(report["command"]))
    if report.keys() == {"command"}:
        return
    for name, measured in (("shapes", shapes), ("lengths", lengths), ("threads", threads)):
        if name not in report:
            report[name] = measured(options.rounds)
            options.file.write_text(json.dumps(report, indent=1), "utf-8")
    draw(report)
    for path in PAGES:
        write_figures(path, figures(report, path.name == "README.md"))
    subprocess.run([sys.executable, ROOT / "tools" / "pictures.py"], check=True)


def write_figures(path: Path, text: str) -> None:
    before, rest = path.read_text("utf-8").split(BEGIN)
    path.write_text(before + BEGIN + text + END + rest.split(END)[1], "utf-8")


def shapes(rounds: int) -> dict[str, dict[int, float]]:
    """Nanoseconds a byte."""
    found: dict[str, dict[int, float]] = {}
    for name, shape in SHAPES.items():
        for length in LENGTHS:
            count = max(1, 4096 // length)
            # One for the warming round, too.
            inputs = [[shape(length, turn * count + i) for i in range(count)] for turn in range(rounds + 1)]
            loop = Loop(parse_all, inputs)
            size = len(inputs[0][0].encode())
            found.setdefault(name, {})[length] = measure({name: loop}, rounds)[name].best / size
    return found


def parse_all(urls: Iterable[str]) -> None:
    for url in urls:
        URL.parse(url)


def lengths(rounds: int) -> dict[str, dict[int, float]]:
    """Nanoseconds a URL, of links that are as long as that."""
    found: dict[str, dict[int, float]] = {}
    weburl, can_ada = (import_module(f"compare.{name}").parse for name in ("weburl", "can_ada"))
    with TemporaryDirectory() as name:
        folder = Path(name)
        ada, bun = Ada(folder), JavaScript("Bun")
        for length in LINK_LENGTHS:
            urls = [link(length, i) for i in range(max(4, min(1000, 2**22 // length)))]
            lines = write_lines(folder / "links", urls)
            in_cpp, in_bun = ada.over(lines, len(urls)), bun.over(lines, urls)
            contenders: dict[str, Loop | Callable[[], float]] = {
                "weburl": Loop(weburl, [urls]),
                f"ada {ada.version.split()[0]} in C++": partial(in_cpp.a_line, "parse"),
                "can_ada": Loop(can_ada, [urls]),
                f"Bun {bun.version}": partial(in_bun.a_line, "URL.parse(s)"),
            }
            for contender, timing in measure(contenders, rounds).items():
                found.setdefault(contender, {})[length] = timing.best
            in_cpp.close()
            in_bun.close()
    return found


def link(length: int, number: int) -> str:
    start = f"https://www{number}.example.com/"
    return start + "".join(islice(cycle("articles/2026/a-name-page=1&q="), length - len(start)))


def threads(rounds: int) -> dict[int, float]:
    """Rows a second, by the clock."""
    links = corpora.real_links() or corpora.links(20_000)
    links = list(islice(cycle([each for each in links if URL.can_parse(each)]), 10**6))
    column = import_module("pyarrow").array(links)

    def spent(count: int) -> Callable[[int], float]:
        def run(turn: int) -> float:
            start = perf_counter_ns()
            parse_many(column, FOUR, threads=count)
            return perf_counter_ns() - start

        return run

    counts = range(1, (os.cpu_count() or 1) + 1)
    timings = alternate({str(count): spent(count) for count in counts}, 10 * rounds)
    return {count: len(links) / timings[str(count)].best * 1e9 for count in counts}


def draw(report: Report) -> None:
    matplotlib = import_module("matplotlib")
    matplotlib.use("svg")
    # Text stays text, and the same figures are the same bytes.
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "weburl", "font.family": "sans-serif"})
    matplotlib.rcParams.update({"axes.spines.top": False, "axes.spines.right": False, "font.size": 10})
    draw_everybody(report["everybody"])
    draw_columns(report["bulk"]["limits"])
    draw_lengths(report["lengths"], report["shapes"])
    draw_threads(report["threads"])


def subplots(*shape: int, size: tuple[float, float]) -> tuple[Any, Any]:
    figure, axes = import_module("matplotlib.pyplot").subplots(*shape, figsize=size, layout="constrained")
    return figure, axes


def save(figure: Any, name: str) -> None:
    IMAGES.mkdir(exist_ok=True)
    path = IMAGES / f"{name}.svg"
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    text = path.read_text("utf-8")
    path.write_text("".join(f"{line.rstrip()}\n" for line in text.splitlines()), "utf-8")


def bars(
    axes: Any,
    names: Sequence[str],
    values: Sequence[float],
    colors: Sequence[str],
    *,
    places: Sequence[float] = (),
    digits: int = 0,
) -> None:
    """From zero, the first on top, each with its number."""
    places = places or range(len(names))
    drawn = axes.barh(places, values, color=colors)
    axes.bar_label(drawn, [f"{value:,.{digits}f}" for value in values], padding=3, fontsize=9)
    label(axes, names, places)


def dots(axes: Any, names: Sequence[str], values: Sequence[float], colors: Sequence[str]) -> None:
    """On a logarithmic axis, which has no zero that a bar could start at."""
    places = range(len(names))
    axes.set_xscale("log")
    axes.hlines(places, 0, 1, transform=axes.get_yaxis_transform(), color="#e2e8f0", linewidth=0.8, zorder=0)
    axes.scatter(values, places, color=colors, s=40)
    for place, value in zip(places, values, strict=True):
        axes.annotate(f"{value:,.0f}", (value, place), (7, 0), textcoords="offset points", va="center", fontsize=9)
    label(axes, names, places)


def label(axes: Any, names: Sequence[str], places: Sequence[float]) -> None:
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.minorticks_off()
    axes.margins(x=0.15)
    axes.tick_params(axis="y", length=0)


def draw_everybody(everybody: Mapping[str, Mapping[str, Mapping[str, float]]]) -> None:
    figure, grid = subplots(2, 2, size=(10, 6.4))
    drawn = [timing["best"] for key in PANELS for timing in everybody[key].values()]
    for axes, (key, title) in zip(grid.flat, PANELS.items(), strict=True):
        found = sorted((timing["best"], name) for name, timing in everybody[key].items())
        colors = [OURS if name == "weburl" else THEIRS for _, name in found]
        dots(axes, [name for _, name in found], [best for best, _ in found], colors)
        # One scale for all, with room for the number of the last dot.
        axes.set_xlim(min(drawn) / 2, max(drawn) * 4)
        axes.set_title(title, loc="left", fontsize=11)
        axes.set_xlabel("nanoseconds, logarithmic")
    save(figure, "peers")


def draw_columns(limits: Iterable[Mapping[str, Any]]) -> None:
    ours = ("one thread", "two processes", "both apart", "component_many")
    names: list[str] = []
    values: list[float] = []
    places: list[float] = []
    for row in limits:
        work = row["work"] if row["inputs"] == "links" else f"{row['work']}, {row['inputs']}"
        if row["theirs"] and row["peer"] not in ours:
            # A bar of ours, and those of its peers below it.
            if work not in names:
                names.append(work)
                values.append(row["ours"]["best"])
                places.append(places[-1] + 1.5 if places else 0)
            names.append(row["peer"])
            values.append(row["theirs"]["best"])
            places.append(places[-1] + 1)
    figure, axes = subplots(size=(10, 0.25 * places[-1] + 1))
    peers = {row["peer"] for row in limits}
    bars(axes, names, values, [THEIRS if name in peers else OURS for name in names], places=places)
    axes.set_xlabel("nanoseconds a row, one thread")
    save(figure, "columns")


def draw_lengths(lengths: Mapping[str, Mapping[str, float]], shapes: Mapping[str, Mapping[str, float]]) -> None:
    figure, (left, right) = subplots(1, 2, size=(10, 4.4))
    for color, (name, line) in zip(COLORS, lengths.items(), strict=False):
        left.plot(list(map(int, line)), list(line.values()), ".-", color=color, label=name)
    left.set_title("links: one URL", loc="left", fontsize=11)
    left.set_ylabel("nanoseconds")
    for color, (name, line) in zip(COLORS, shapes.items(), strict=True):
        right.plot(list(map(int, line)), list(line.values()), ".-", color=color, label=name)
    right.set_title("weburl, hostile inputs: one byte", loc="left", fontsize=11)
    right.set_ylabel("nanoseconds a byte: level is linear")
    for axes in (left, right):
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.minorticks_off()
        axes.set_xlabel("length")
        axes.legend(fontsize=8, frameon=False, ncols=1 if axes is left else 2)
    right.set_ylim(top=20_000)
    save(figure, "length")


def draw_threads(threads: Mapping[str, float]) -> None:
    figure, axes = subplots(size=(6, 1.2 + 0.35 * len(threads)))
    names = [f"{count} thread{'s' * (int(count) > 1)}" for count in threads]
    bars(axes, names, [rate / 1e6 for rate in threads.values()], [OURS] * len(threads), digits=1)
    axes.set_xlabel("million URLs a second: href, hostname, pathname, search")
    save(figure, "threads")


def figures(report: Report, short: bool) -> str:
    scalar, bulk = report["limits"], report["bulk"]["limits"]
    if short:
        rows = {(row["work"], row["inputs"], row["peer"]): row for row in (*scalar, *bulk)}
        return f"{described(report)}\n\n{table([rows[key] for key in HEADLINES], goals=False)}"
    counts = report["instructions"]
    counted = "\n".join((f"{counts['build']}, {counts['valgrind']}.", "", *instructions.table(counts["rows"])))
    of_bulk = report["bulk"]
    sizes = ", ".join(f"{inputs} have {size:.0f} bytes" for inputs, size in of_bulk["bytes"].items())
    first = (
        f"Real links repeated to {of_bulk['rows']:,} rows, best of {of_bulk['rounds']} rounds; {versions(of_bulk)}. "
        f"On average, {sizes}."
    )
    return (
        f"{described(report)}\n\n### One at a time\n\n{table([row for row in scalar if row['unit']])}\n"
        f"### Columns\n\n{first}\n\n{table(bulk)}\n"
        f"### Instructions of an operation\n\n{counted}\n"
    )


def of_the_command(report: Report) -> str:
    lines = [f"{report['machine']}; {versions(report)}.", ""]
    lines += [
        "| work | program | million lines a second | processor time of a line | memory |",
        "|---|---|---:|---:|---:|",
    ]
    for key, title in WORKS.items():
        for name, spent in report["works"].get(key, {}).items():
            speed = spent["lines"] / spent["seconds"] / 1e6
            each = spent["processor"] / spent["lines"] * 1e9
            # What is on both sides of a vertical line is a pipeline.
            program = name.replace("|", "\\|")
            lines.append(f"| {title} | {program} | {speed:.1f} | {each:,.0f} ns | {spent['memory'] / 1e6:,.0f} MB |")
            title = ""
    return "\n".join(lines).replace("|  |", "| |") + "\n"


def described(report: Report) -> str:
    links = report["corpora"]["links"]
    return (
        f"{report['machine']}, one thread, best of {report['rounds']} rounds; {versions(report)}. The links are "
        f"{links['urls']:,} real ones; {links['kept_share']:.1%} are kept without a copy."
    )


def versions(report: Report) -> str:
    return ", ".join(f"{name} {number}" for name, number in report["versions"].items())


def table(rows: Iterable[Mapping[str, Any]], goals: bool = True) -> str:
    lines = ["| work | inputs | weburl | peer | its time | ratio |" + " goal |" * goals]
    lines.append("|---|---|---:|---|---:|---:|" + "---:|" * goals)
    for row in rows:
        unit, theirs = row["unit"], row["theirs"]
        work = f"`{row['work']}`" if "(" in row["work"] else row["work"]
        cells = [work, row["inputs"], amount(row["ours"]["best"], unit), row["peer"]]
        cells += [amount(theirs["best"], unit), f"{row['ratio']:.2f}"] if theirs else ["", ""]
        if goals:
            cells.append(f"{row['limit']:.2f}" if row["peer"] else f"{row['limit']:,.0f} {unit}")
        lines.append(f"| {' | '.join(cells)} |".replace("|  |", "| |").replace("|  |", "| |"))
    return "\n".join(lines) + "\n"


def amount(value: float, unit: str) -> str:
    return f"{value:,.{1 if unit == 'ms' else 0}f} {unit}"


if __name__ == "__main__":
    main()
