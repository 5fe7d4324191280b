"""The picture of weburl stats: bars, in a column that is as wide as a phone."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final

from weburl.cli._exit import InputError
from weburl.cli._memory import allow_imports
from weburl.cli.counting.report import ERRORS, Named, Ranking, Report, heading, name_of
from weburl.cli.writers.output_file import open_output

SUFFIXES: Final = (".png", ".svg", ".pdf")
# Inches. A page shows the picture 343 pixels wide on a phone: then the small text has 11 pixels.
WIDTH: Final = 3.85
EDGE: Final = 0.15
BARS: Final = 2.5  # the longest bar; its figures come after it
THICK: Final = 0.1
LINE: Final = 0.18  # of text
GAP: Final = 0.21
HISTOGRAM: Final = 0.9
SIZE: Final = 10.0  # of text, in points
SMALL: Final = 9.0
MOST_LINES: Final = 2  # of a name
# The longest bar of a kind stands for its largest count, but at least for this share of all lines: the bar of a single
# error is not as long as that of thousands of URLs.
LEAST_SHARE: Final = 0.05
BINS: Final = 40
# Without the time, so that the same input gives the same file.
METADATA: Final[dict[str, dict[str, None]]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
LEAST_BAR: Final = 0.012  # so that a bar can be seen
INK, PALE, GRID, BLUE, RED = "#1f2328", "#59636e", "#e4e8ec", "#2f6ca8", "#b3402f"


def suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def import_pyplot() -> Any:
    allow_imports()
    try:
        import_module("matplotlib").use("agg")
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        raise InputError("--plot needs matplotlib: pip install weburl[plot]") from None
    return import_module("matplotlib.pyplot")


def draw(report: Report, path: str) -> None:
    """Draws the report into a file."""
    pyplot = import_pyplot()
    # Names come from the input: matplotlib must not read them as formulas.
    with pyplot.rc_context({"text.parse_math": False, "svg.hashsalt": "weburl"}):
        picture = _Picture(pyplot.figure(figsize=(WIDTH, 1.0), facecolor="white"))
        picture.add_report(report)
        picture.finish()
        with open_output(path, is_text=False) as file:
            kind = suffix(path)
            picture.figure.savefig(file, format=kind[1:], dpi=200, facecolor="white", metadata=METADATA.get(kind))
        pyplot.close(picture.figure)


class _Picture:
    """A figure that is filled from its top; `y` is how far, in inches. All places are in inches."""

    def __init__(self, figure: Any) -> None:
        self.figure = figure
        self.axes = figure.add_axes((0, 0, 1, 1))
        self.axes.axis("off")
        self.renderer = figure.canvas.get_renderer()
        self.dpi: float = figure.dpi
        font_manager = import_module("matplotlib.font_manager")
        font = font_manager.findfont(font_manager.FontProperties())
        self.known = frozenset(font_manager.get_font(font).get_charmap())
        self.y = EDGE
        self.least = 1

    def finish(self) -> None:
        height = self.y + EDGE
        self.figure.set_size_inches(WIDTH, height)
        self.axes.set(xlim=(0, WIDTH), ylim=(height, 0))

    def add_report(self, report: Report) -> None:
        self._text(EDGE, f"{report.urls:,} URLs, {report.invalid:,} invalid", SIZE + 2.5, weight="bold")
        self.y += 0.26
        self.least = max(int(LEAST_SHARE * (report.urls + report.invalid)), 1)
        for title, ranking in report.sections():
            if ranking is not None and ranking.total:
                is_error = title == ERRORS
                whole = report.urls + report.invalid if is_error else ranking.total
                self._add_ranking(title, ranking, whole, RED if is_error else BLUE)
        if report.lengths is not None:
            self._add_lengths(report)

    def _add_ranking(self, title: str, ranking: Ranking, whole: int, colour: str) -> None:
        self.y += GAP
        for line in self._folded(heading(title, ranking), SIZE, MOST_LINES, "bold"):
            self._text(EDGE, line, SIZE, weight="bold")
            self.y += LINE
        full = max(ranking.top[0].count, self.least)
        self.y += 0.04
        top = self.y
        for each in ranking.top:
            self._add_bar(each, whole, full, colour)
        # Each bar has its count, so there is no scale.
        self._line(EDGE, top, EDGE, self.y - 0.04)

    def _add_bar(self, each: Named, whole: int, full: int, colour: str) -> None:
        for line in self._folded(self._legible(each), SIZE, MOST_LINES):
            self._text(EDGE, line, SIZE)
            self.y += LINE
        share = each.count / whole
        length = max(BARS * each.count / full, LEAST_BAR)
        self.y += 0.02
        self._bar(EDGE, self.y, length, THICK, colour)
        figures = f"{each.count:,}{'+' if each.too_low_by else ''}  {_percent(share)}"
        self._text(EDGE + length + 0.07, figures, SMALL, self.y + THICK / 2, color=PALE, va="center_baseline")
        self.y += THICK + 0.08

    def _add_lengths(self, report: Report) -> None:
        """A histogram of the lengths that 99 % of the URLs have. The last bar is for all that are longer."""
        lengths = report.lengths
        assert lengths is not None
        self.y += GAP
        self._text(EDGE, "lengths, in characters", SIZE, weight="bold")
        self.y += LINE
        shares = {"half": lengths.median, "90 %": lengths.p90, "99 %": lengths.p99, "all": lengths.longest}
        said = ", ".join(f"{share} up to {length:,}" for share, length in shares.items())
        for line in self._folded(said, SMALL, MOST_LINES):
            self._text(EDGE, line, SMALL, color=PALE)
            self.y += LINE
        step = max(-(-(lengths.p99 + 1) // BINS), 1)
        n = lengths.p99 // step + 1
        bins = [0] * (n + 1)
        for length, count in report.length_counts:
            bins[min(length // step, n)] += count
        self.y += 0.08 + HISTOGRAM
        wide = (WIDTH - 2 * EDGE) / (n + 1)
        for index, count in enumerate(bins):
            tall = HISTOGRAM * count / max(bins)
            self._bar(EDGE + index * wide, self.y - tall, wide * 0.85, tall, RED if index == n else BLUE)
        self._line(EDGE, self.y, WIDTH - EDGE, self.y)
        self.y += 0.05
        for tick in _steps(n * step):
            if tick < n * step * 0.9:
                align = "center" if tick else "left"
                self._text(EDGE + tick / step * wide, f"{tick:,.0f}", SMALL, ha=align, color=PALE)
        self._text(WIDTH - EDGE, "longer", SMALL, ha="right", color=RED)
        self.y += LINE

    def _text(self, x: float, text: str, size: float, y: float | None = None, **options: Any) -> None:
        style = {"color": INK, "va": "top", **options}
        self.axes.text(x, self.y if y is None else y, text, fontsize=size, **style)

    def _bar(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        rectangle = import_module("matplotlib.patches").Rectangle
        self.axes.add_patch(rectangle((x, y), width, height, color=colour, linewidth=0))

    def _line(self, x: float, y: float, to_x: float, to_y: float) -> None:
        self.axes.plot((x, to_x), (y, to_y), color=GRID, linewidth=0.7, zorder=0)

    def _legible(self, each: Named) -> str:
        """A name whose characters the font has, and whose order on the page is that in memory; else escapes."""
        name = name_of(each)
        is_legible = all(ord(c) in self.known and unicodedata.bidirectional(c) not in ("R", "AL", "AN") for c in name)
        return name if is_legible else name.encode("ascii", "backslashreplace").decode()

    def _folded(self, text: str, size: float, most: int, weight: str = "normal") -> Iterator[str]:
        """The lines of a text; an ellipsis at the end of the last one says that there is more."""
        font = import_module("matplotlib.font_manager").FontProperties(size=size, weight=weight)

        def fits(text: str) -> bool:
            width: float = self.renderer.get_text_width_height_descent(text, font, ismath=False)[0]
            return width / self.dpi <= WIDTH - 2 * EDGE

        for line in range(most):
            end = _longest(text, fits)
            if end == len(text):
                yield text
                return
            if line == most - 1:
                yield f"{text[: _longest(text, lambda part: fits(part + '…'))]}…"
                return
            # After a space or a solidus, if there is one in the second half.
            cut = max(text.rfind(mark, end // 2, end) for mark in " /")
            end = cut + 1 if cut > 0 else end
            yield text[:end].rstrip()
            text = text[end:]


def _longest(text: str, fits: Callable[[str], bool]) -> int:
    """How many characters of a text fit; at least one."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(text[:middle]):
            low = middle
        else:
            high = middle - 1
    return low


def _percent(share: float) -> str:
    """A share with two digits that count, so that a small one is not 0."""
    percent = share * 100
    if 99.5 <= percent < 100:
        return "> 99 %"
    if percent >= 10:
        return f"{percent:.0f} %"
    if percent and percent < 0.01:
        return "< 0.01 %"
    return f"{percent:.2g} %"


def _steps(end: int) -> list[int]:
    """From 0, at most five round numbers up to an end."""
    step = 1
    while end / step >= 5:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return list(range(0, end + 1, step))
