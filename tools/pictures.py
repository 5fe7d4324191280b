"""Draws docs/images/explain.svg, from what `explain` says, and explain-phone.svg, the same in narrow lines;
docs/images/figures.svg, from the figures of README.md; and docs/images/stats.png, by `weburl stats --plot`, which needs
matplotlib.

    python tools/pictures.py

tests/test_pictures.py and tests/engines/test_stats_plot.py compare them with what is drawn anew.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from weburl import explain
from weburl.cli import main

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
COMMAND = "weburl explain 'HTTP://B\u00dcCHER.example:80\\a/../b c?q=1'"

# A character of the terminal: its width and the height of its line. Each text is stretched to its columns, so that
# marks are below what they mark in every font.
COLUMN, LINE, EDGE = 7.2, 17, 16
# On a phone of 375 pixels, of which a page leaves 343. A character is 0.6 times as wide as it is high.
NARROW_COLUMNS, NARROW_COLUMN = 47, 6.6
PAPER, INK, QUIET, MARK, LINK = "#12151c", "#e6e9f0", "#a2abbd", "#ffc862", "#8fb0ff"

OURS, THEIRS, TEXT = "#2457d6", "#aab1be", "#1c2230"
LABEL, BAR, ROW = 296, 250, 36


def terminal(command: str, printed: str, column: float = COLUMN, longest: int = 1000) -> str:
    """A command and what it prints."""
    lines = [(f"$ {command}", INK, True), *((line, *style(line)) for line in printed.splitlines())]
    lines = [(part, color, is_bold) for line, color, is_bold in lines for part in wrap(line, longest)]
    width = max(len(line) for line, _, _ in lines) * column + 2 * EDGE
    height = len(lines) * LINE + 2 * EDGE
    drawn = [
        head(width, height, "What weburl explain prints for a URL with errors.", "monospace", round(column / 0.6)),
        f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{PAPER}"/>',
    ]
    for number, (line, color, is_bold) in enumerate(lines):
        text = line.lstrip()
        if text:
            x = EDGE + (len(line) - len(text)) * column
            y = EDGE + number * LINE + 12
            weight = ' font-weight="bold"' if is_bold else ""
            drawn.append(
                f'<text x="{x:g}" y="{y:g}" textLength="{len(text) * column:g}" fill="{color}"{weight} '
                f'xml:space="preserve">{escape(text, quote=False)}</text>'
            )
    return "\n".join([*drawn, "</svg>\n"])


def wrap(line: str, longest: int) -> list[str]:
    """The rest of a line that is too long begins two columns to the right. Only a link ends at a hyphen, and a space in
    quotes stays between them."""
    text = line.lstrip()
    indent = " " * (len(line) - len(text) + 2)
    kept = line.replace("' '", "'\u00a0'")
    parts = textwrap.wrap(kept, longest, subsequent_indent=indent, break_on_hyphens=text.startswith("https://"))
    return [part.replace("\u00a0", " ") for part in parts] or [""]


def style(line: str) -> tuple[str, bool]:
    """The colour of a line of `explain`, and whether it is bold."""
    if re.match(r" +\^", line) or re.match(r"  \d+\. ", line):
        return MARK, False
    if line.lstrip().startswith("https://url.spec.whatwg.org/"):
        return LINK, False
    return INK, line.startswith(("input", "href", "base", "Changes:"))


class Figure(NamedTuple):
    """A row of the figures in README.md."""

    work: str
    inputs: str
    ours: str
    peer: str
    theirs: str
    ratio: float


def read_figures(readme: str) -> Iterator[Figure]:
    rows = readme.partition("<!-- figures: headlines -->")[2].partition("<!-- /figures -->")[0]
    # The first row has the headings.
    for row in re.findall(r"^\| (.*) \|$", rows, re.MULTILINE)[1:]:
        work, inputs, ours, peer, theirs, ratio = row.replace("`", "").split(" | ")[:6]
        yield Figure(work, inputs, ours, peer, theirs, float(ratio))


def read_note(readme: str) -> list[str]:
    """What README.md says below the figures, in lines that are as wide as the picture."""
    found = readme.partition("<!-- figures: headlines -->")[2].partition("<!-- /figures -->")[0]
    return textwrap.wrap(found.strip().splitlines()[-1].replace("`", ""), 128)


def plot(figures: list[Figure], below: list[str]) -> str:
    """A pair of bars for each: all those of the peers have one length, and weburl's may be longer."""
    width, top = 760, 48
    end_of_bars = top + len(figures) * ROW
    height = end_of_bars + 16 + 15 * len(below)
    note = "shorter is faster; each pair has its own scale"
    drawn = [
        head(width, height, "Bars: the time of weburl, and that of its fastest peer, for each work.", "sans-serif", 12),
        f'<rect width="{width}" height="{height}" rx="8" fill="#fff"/>',
        f'<text x="16" y="24" fill="{TEXT}" font-size="14" font-weight="bold">weburl and its fastest peer</text>',
        f'<text x="{width - 16}" y="24" fill="{TEXT}" text-anchor="end">{note}</text>',
    ]
    for number, figure in enumerate(figures):
        y = top + number * ROW
        end = f'x="{LABEL - 12}" text-anchor="end"'
        drawn += [
            f'<text {end} y="{y + 11}" fill="{TEXT}">{escape(figure.work, quote=False)}</text>',
            f'<text {end} y="{y + 25}" fill="#586174" font-size="11">{figure.inputs}</text>',
            *bar(y, figure.ratio, OURS, figure.ours, "bold"),
            *bar(y + 14, 1, THEIRS, f"{figure.theirs}, {figure.peer}", "normal"),
        ]
    for number, line in enumerate(below):
        y = end_of_bars + 19 + 15 * number
        drawn.append(f'<text x="16" y="{y}" fill="#586174" font-size="11">{escape(line, quote=False)}</text>')
    return "\n".join([*drawn, "</svg>\n"])


def bar(y: int, share: float, color: str, text: str, weight: str) -> list[str]:
    length = max(share * BAR, 1)
    return [
        f'<rect x="{LABEL}" y="{y + 1}" width="{length:g}" height="11" fill="{color}"/>',
        f'<text x="{LABEL + length + 6:g}" y="{y + 11}" fill="{TEXT}" font-size="11" font-weight="{weight}">'
        f"{escape(text, quote=False)}</text>",
    ]


def head(width: float, height: float, label: str, family: str, size: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'font-family="{family}" font-size="{size}" role="img" aria-label="{label}">'
    )


def drawn() -> dict[str, str]:
    url = COMMAND.partition("'")[2][:-1]
    readme = (ROOT / "README.md").read_text("utf-8")
    return {
        "explain.svg": terminal(COMMAND, explain(url)),
        "explain-phone.svg": terminal(COMMAND, explain(url), NARROW_COLUMN, NARROW_COLUMNS),
        "figures.svg": plot(list(read_figures(readme)), read_note(readme)),
    }


# What a shop's visitors ask for: URLs, with the number of the visit in some of them, and how many visits there are.
VISITS = (
    ("https://shop.example.com/", 4100),
    ("https://shop.example.com/products/{0}", 2650),
    ("https://shop.example.com/search?q=tea&page={1}", 1480),
    ("https://shop.example.com/cart?utm_source=mail&utm_medium=link", 610),
    ("https://www.example.co.uk/blog/2026/11/{0}", 940),
    ("https://www.example.co.uk/?utm_source=feed&ref=x{1}", 330),
    ("https://b\u00fccher.example/users/{0}/orders/{0}?page=2", 270),
    ("http://203.0.113.7/login?next=%2Fcart", 58),
    ("mailto:help@example.com", 41),
    ("https://shop .example.com/", 36),
    ("/relative", 15),
    ("https://[::1", 2),
)


def draw_stats(path: Path) -> None:
    """The picture of `weburl stats --top 3 --plot`."""
    with TemporaryDirectory() as folder:
        urls = Path(folder, "urls.txt")
        lines = (url.format(visit, visit % 7 + 1) for url, visits in VISITS for visit in range(visits))
        urls.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        if main(["stats", "--top", "3", "--plot", str(path), str(urls)]):
            raise SystemExit(f"{path} is not drawn")


if __name__ == "__main__":
    for name, text in drawn().items():
        (IMAGES / name).write_text(text, "utf-8")
        print(IMAGES / name)
    draw_stats(IMAGES / "stats.png")
    print(IMAGES / "stats.png")
