"""weburl stats --plot."""

from __future__ import annotations

import re
from pathlib import Path

import pictures
import pytest
from matplotlib.image import imread

from weburl.cli import main
from weburl.cli.counting import chart

URLS = """\
http://h/?$x^2$&%1B%5B31m&é&日本&_a_&{}=\\frac
http://xn--80ak6aa92e.example/?$%5Cfrac%7B1%7D&
no URL
"""


@pytest.mark.parametrize(("name", "start"), [("a.png", b"\x89PNG"), ("a.SVG", b"<?xml"), ("a.pdf", b"%PDF")])
def test_plots(name: str, start: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also for names that look like formulas or that no font has, and for no names."""
    for text in (URLS, "", "x:\n"):
        (tmp_path / "urls.txt").write_text(text)
        assert main(["stats", "--plot", str(tmp_path / name), str(tmp_path / "urls.txt")]) == 0
        assert capsys.readouterr() == ("", "")
        assert (tmp_path / name).read_bytes().startswith(start)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, "urls.txt"])


def test_what_is_shown(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text(URLS + "".join(f"http://h{i}/\n" for i in range(200)))
    assert main(["stats", "--top", "1000", "--plot", str(tmp_path / "a.svg"), str(tmp_path / "urls.txt")]) == 0
    drawn = (tmp_path / "a.svg").read_text()
    for text in ("202 URLs, 1 invalid", "$x^2$", "\\x1b[31m", "\\u65e5\\u672c", "é", "no site"):
        assert (f"<!-- {text} -->" in drawn) == (text != "no site")
    assert 0 < drawn.count("<!-- h1") < 60


def test_a_bar_of_one_is_not_as_long_as_one_of_thousands(tmp_path: Path) -> None:
    """Also if it is the longest of its kind."""
    (tmp_path / "urls.txt").write_text("http://h/\n" * 48_009 + "http://h/?once\nno URL\n")
    assert main(["stats", "--plot", str(tmp_path / "a.svg"), str(tmp_path / "urls.txt")]) == 0
    drawn = (tmp_path / "a.svg").read_text()
    bars = []
    for path in re.findall(r'<path d="M ([^"]*)z\s*" [^>]*fill: #(?:2f6ca8|b3402f)', drawn):
        places = [float(x) for x in re.findall(r"(?:^|L )([0-9.]+) ", path)]
        bars.append(max(places) - min(places))
    assert [text for text in re.findall("<!-- (.*?) -->", drawn) if " %" in text and "up to" not in text] == [
        "48,010  100 %", "48,010  100 %", "48,010  100 %", "1  100 %", "1  &lt; 0.01 %",
    ]  # fmt: skip
    *whole, parameter, error = bars[:5]
    assert min(whole) > 170
    assert 0 < parameter < 1
    assert 0 < error < 1


def test_long_names_are_folded(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text(f"http://{'w' * 60_000}.example/{'word/' * 15}\n")
    assert main(["stats", "--plot", str(tmp_path / "a.svg"), str(tmp_path / "urls.txt")]) == 0
    said = re.findall("<!-- (.*?) -->", (tmp_path / "a.svg").read_text())
    hosts = [text for text in said if text.startswith("www")]
    assert [text[-1] for text in hosts] == ["w", "…", "w", "…"]  # of the host, and of the site
    assert max(map(len, hosts)) < 60
    words = [text for text in said if text.startswith("word/") or text.startswith("/word/")]
    assert "".join(words) == "/" + "word/" * 15
    assert all(text.endswith("/") for text in words)


def test_the_picture_is_as_wide_as_a_phone(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text(URLS)
    assert main(["stats", "--plot", str(tmp_path / "a.png"), str(tmp_path / "urls.txt")]) == 0
    header = (tmp_path / "a.png").read_bytes()[16:24]
    assert int.from_bytes(header[:4], "big") == 770
    assert int.from_bytes(header[4:], "big") > 770
    # A page leaves 343 of a phone's 375 pixels: then the smallest text has 11.
    assert chart.SMALL / 72 * 343 / chart.WIDTH >= 11


def test_the_picture_in_the_docs(tmp_path: Path) -> None:
    """It is what is drawn today. The pixels are compared: zlib may pack them in other ways."""
    pictures.draw_stats(tmp_path / "stats.png")
    drawn, shown = imread(tmp_path / "stats.png"), imread(pictures.IMAGES / "stats.png")
    assert drawn.shape == shown.shape, "run tools/pictures.py"
    assert (drawn == shown).all(), "run tools/pictures.py"
    ink = (shown[:, :, :3] < 0.9).any(axis=2)
    assert 0.02 < ink.mean() < 0.3


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_one_input_gives_one_picture(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At any time."""
    (tmp_path / "urls.txt").write_text(URLS)
    for name, now in (("a", "1000000000"), ("b", "1100000000")):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", now)
        assert main(["stats", "--plot", str(tmp_path / f"{name}.{kind}"), str(tmp_path / "urls.txt")]) == 0
    assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


def test_where_it_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "urls.txt").write_text(URLS)
    assert main(["stats", "--plot", str(tmp_path / "none" / "a.png"), str(tmp_path / "urls.txt")]) == 3
    assert capsys.readouterr().err.count("\n") == 1


def test_groups(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text("http://h/1?q=a\nhttp://h/2?q=a\nhttp://i/x\n")
    arguments = ["--by", "hostname,query:q", "--plot", str(tmp_path / "a.svg"), str(tmp_path / "urls.txt")]
    assert main(["stats", *arguments]) == 0
    drawn = (tmp_path / "a.svg").read_text()
    for text in ("hostname: 2 different", "query:q where hostname is i: 1 different", "(none)", "2  67 %", "1  100 %"):
        assert f"<!-- {text} -->" in drawn
