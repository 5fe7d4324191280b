"""The pictures that tools/pictures.py draws are those of the pages."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pictures
import plots
import pytest

from weburl import explain

README = (pictures.ROOT / "README.md").read_text("utf-8")
TEXT = "{http://www.w3.org/2000/svg}text"


@pytest.mark.parametrize("name", ["explain.svg", "explain-phone.svg", "figures.svg"])
def test_the_picture_is_drawn_from_what_is_said_today(name: str) -> None:
    assert (pictures.IMAGES / name).read_text("utf-8") == pictures.drawn()[name], "run tools/pictures.py"


def test_explain_is_drawn_as_it_is_printed() -> None:
    """Each character is in its column."""
    url = re.fullmatch("weburl explain '(.*)'", pictures.COMMAND)
    assert url
    printed = f"$ {pictures.COMMAND}\n{explain(url[1])}".splitlines()
    drawn = [""] * len(printed)
    for text in ElementTree.fromstring(pictures.drawn()["explain.svg"]).iter(TEXT):
        row = round((float(text.attrib["y"]) - pictures.EDGE - 12) / pictures.LINE)
        column = round((float(text.attrib["x"]) - pictures.EDGE) / pictures.COLUMN)
        said = text.text or ""
        assert float(text.attrib["textLength"]) == pytest.approx(len(said) * pictures.COLUMN)
        drawn[row] = " " * column + said
    assert drawn == printed


def test_the_bars_are_as_long_as_the_figures() -> None:
    figures = list(pictures.read_figures(README))
    assert (
        len(figures)
        == README.partition("<!-- figures: headlines -->")[2].partition("<!-- /figures -->")[0].count("\n| ") - 1
    )
    assert len(figures) > 8
    for figure in figures:
        ours, theirs = (float(text.removesuffix(" ns").replace(",", "")) for text in (figure.ours, figure.theirs))
        assert figure.ratio == pytest.approx(ours / theirs, abs=0.02)
    root = ElementTree.fromstring(pictures.plot(figures, pictures.read_note(README)))
    bars = [float(bar.attrib["width"]) for bar in root.iter("{http://www.w3.org/2000/svg}rect")][1:]
    for figure, ours, theirs in zip(figures, bars[::2], bars[1::2], strict=True):
        assert ours / theirs == pytest.approx(figure.ratio, abs=0.01)


@pytest.mark.parametrize("path", sorted(pictures.IMAGES.glob("*.svg")), ids=lambda path: path.name)
def test_text_can_be_read_on_a_phone(path: Path) -> None:
    """A page lets a drawing scroll, so its text has the size in which it is drawn."""
    svg = path.read_text("utf-8")
    width = re.search(r'<svg[^>]* width="([\d.]+)(pt|)"', svg)
    view = re.search(r'viewBox="0 0 ([\d.]+) ', svg)
    assert width
    assert view
    pixels = float(width[1]) * (4 / 3 if width[2] else 1)
    assert pixels <= 760
    sizes = [float(size) for size in re.findall(r'font(?:-size="|-size: |: (?:\w+ )?)([\d.]+)', svg)]
    assert min(sizes) * pixels / float(view[1]) >= 11


def test_the_readme_has_a_picture_for_a_phone() -> None:
    """Pages of GitHub make a drawing as narrow as the text, which is 343 pixels on a phone of 375."""
    assert re.findall(r'<source media="[(]max-width: 600px[)]" srcset="(.*?)">', README) == [
        "docs/images/explain-phone.svg"
    ]
    drawing = ElementTree.fromstring(pictures.drawn()["explain-phone.svg"])
    assert float(drawing.attrib["width"]) <= 343
    said = "".join(text.text or "" for text in drawing.iter(TEXT)).replace(" ", "")
    url = pictures.COMMAND.split("'")[1]
    assert said == "".join(f"$ {pictures.COMMAND}\n{explain(url)}".split())


def test_no_picture_is_too_long() -> None:
    for path in pictures.IMAGES.glob("*.png"):
        assert int.from_bytes(path.read_bytes()[20:24], "big") <= 2400, path.name


def test_lines_are_drawn_in_the_order_of_lengths() -> None:
    """The file of figures has its keys in the order of texts."""
    assert plots.by_length({"1024": 3.0, "256": 2.0, "64": 1.0}) == ([64, 256, 1024], [1.0, 2.0, 3.0])
