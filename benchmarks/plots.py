"""Draws the pictures of docs/performance.md and README.md from the file of figures. It needs matplotlib
(docs/requirements.txt).

    make bench
    python benchmarks/plots.py
"""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import figures
import tables

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
OURS, THEIRS = "#2b6cb0", "#b0b7c0"
# Of a picture, in inches: as wide as the text of a page.
WIDTH = 7.6
# What ada's main takes of the time of ada 4.0, by its own figures of August 2026. It was not measured here.
ADAS_MAIN = 0.35
COLORS = ("#2b6cb0", "#b7791f", "#2f855a", "#9b2c2c", "#6b46c1", "#4a5568")

# The panels of the figure of everybody, and their titles.
PANELS = {
    "parse_parts, links": "URL and three of its parts",
    "normalize, links": "str to normalized str",
    "join, relative": "a reference joined to a base",
    "params_all, queries": "ten pairs: parsed, listed, written",
}

Report = dict[str, Any]


def main() -> None:
    draw(figures.read())
    subprocess.run([sys.executable, ROOT / "tools" / "pictures.py"], check=True)


def draw(report: Report) -> None:
    matplotlib = import_module("matplotlib")
    matplotlib.use("svg")
    # Text stays text, and the same figures are the same bytes.
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "weburl", "font.family": "sans-serif"})
    matplotlib.rcParams.update({"axes.spines.top": False, "axes.spines.right": False, "font.size": 10})
    everybody, lengths = report["scalar"]["everybody"], report["lengths"]
    compared = {name for key in PANELS for name in everybody[key]}
    draw_everybody(everybody, note(report, "scalar", compared))
    clock = ". Times are CPU time, or by the clock where a name says so."
    clock += f" Dotted lines are ada's main: about {ADAS_MAIN} of ada 4.0 by its own figures."
    draw_columns(report["bulk"]["limits"], note(report, "bulk", report["bulk"]["versions"], clock))
    draw_lengths(lengths["links"], lengths["shapes"], note(report, "lengths", lengths["versions"]))
    draw_threads(lengths["threads"], note(report, "lengths", ["weburl"], ". Time is by the clock."))


def note(report: Report, section: str, names: Iterable[str], more: str = "") -> str:
    """What is below a picture: the command, the day, the machine, and the versions of what is drawn."""
    text = tables.described(report, section, names).replace("`", "")
    return "\n".join(textwrap.wrap(text + more, 116))


def subplots(*shape: int, size: tuple[float, float]) -> tuple[Any, Any]:
    figure, axes = import_module("matplotlib.pyplot").subplots(*shape, figsize=size, layout="constrained")
    return figure, axes


def save(figure: Any, name: str, below: str) -> None:
    figure.supxlabel(below, x=0.01, ha="left", fontsize=8.5, color="#4a5568")
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
    axes.xaxis.set_major_formatter("{x:,.0f}")
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


def draw_everybody(everybody: Mapping[str, Mapping[str, Mapping[str, float]]], below: str) -> None:
    figure, grid = subplots(2, 2, size=(WIDTH, 6.9))
    drawn = [timing["best"] for key in PANELS for timing in everybody[key].values()]
    for axes, (key, title) in zip(grid.flat, PANELS.items(), strict=True):
        found = sorted((timing["best"], name) for name, timing in everybody[key].items())
        colors = [OURS if name == "weburl" else THEIRS for _, name in found]
        dots(axes, [name for _, name in found], [best for best, _ in found], colors)
        # One scale for all, with room for the number of the last dot.
        axes.set_xlim(min(drawn) / 2, max(drawn) * 4)
        axes.set_title(title, loc="left", fontsize=11)
        axes.set_xlabel("nanoseconds, logarithmic")
    save(figure, "peers", below)


def draw_columns(limits: Iterable[Mapping[str, Any]], below: str) -> None:
    ours = ("one thread", "two processes", "both apart", "component_many")
    # A bar of ours, and those of its peers below it. Each work is drawn once, by the first of its runs.
    groups: dict[str, tuple[float, dict[str, float]]] = {}
    for row in limits:
        if row["theirs"] and row["peer"] not in ours:
            work = row["work"] if row["inputs"] == "links" else f"{row['work']}, {row['inputs']}"
            _, peers = groups.setdefault(work, (row["ours"]["best"], {}))
            peers[row["peer"]] = row["theirs"]["best"]
    names: list[str] = []
    values: list[float] = []
    colors: list[str] = []
    places: list[float] = []
    for work, (best, peers) in groups.items():
        start = places[-1] + 1.5 if places else 0
        names += [work, *peers]
        values += [best, *peers.values()]
        colors += [OURS, *[THEIRS] * len(peers)]
        places += [start + number for number in range(len(peers) + 1)]
    figure, axes = subplots(size=(WIDTH, 0.25 * places[-1] + 1.5))
    bars(axes, names, values, colors, places=places)
    ada = [(place, value) for name, value, place in zip(names, values, places, strict=True) if name.startswith("ada::")]
    axes.vlines(
        [ADAS_MAIN * value for _, value in ada],
        [place - 0.4 for place, _ in ada],
        [place + 0.4 for place, _ in ada],
        colors="#1a202c",
        linestyles="dotted",
    )
    axes.set_xlabel("nanoseconds a row")
    axes.margins(y=0.01)
    save(figure, "columns", below)


def by_length(line: Mapping[str, float]) -> tuple[list[int], list[float]]:
    """The lengths, in order, and their times: in the file of figures, keys are sorted as texts."""
    points = sorted((int(length), time) for length, time in line.items())
    return [length for length, _ in points], [time for _, time in points]


def draw_lengths(
    lengths: Mapping[str, Mapping[str, float]], shapes: Mapping[str, Mapping[str, float]], below: str
) -> None:
    figure, (upper, lower) = subplots(2, 1, size=(WIDTH, 8.8))
    for color, (name, line) in zip(COLORS, lengths.items(), strict=False):
        upper.plot(*by_length(line), ".-", color=color, label=name)
    upper.set_title("links: one URL", loc="left", fontsize=11)
    upper.set_ylabel("nanoseconds")
    for color, (name, line) in zip(COLORS, shapes.items(), strict=True):
        lower.plot(*by_length(line), ".-", color=color, label=name)
    lower.set_title("weburl, hostile inputs: one byte", loc="left", fontsize=11)
    lower.set_ylabel("nanoseconds a byte: level is linear")
    for axes in (upper, lower):
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.yaxis.set_major_formatter("{x:,g}")
        axes.minorticks_off()
        axes.set_xlabel("length in bytes")
        axes.legend(fontsize=9, frameon=False, ncols=1 if axes is upper else 2)
    lower.set_ylim(top=20_000)
    save(figure, "length", below)


def draw_threads(threads: Mapping[str, float], below: str) -> None:
    figure, axes = subplots(size=(WIDTH, 1.7 + 0.35 * len(threads)))
    names = [f"{count} thread{'s' * (int(count) > 1)}" for count in threads]
    bars(axes, names, [rate / 1e6 for rate in threads.values()], [OURS] * len(threads), digits=1)
    axes.set_xlabel("million URLs a second: href, hostname, pathname, search")
    save(figure, "threads", below)


if __name__ == "__main__":
    main()
