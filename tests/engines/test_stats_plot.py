"""weburl stats --plot."""

from __future__ import annotations

from pathlib import Path

import pytest

from weburl.cli import main

URLS = """\
http://h/?$x^2$&%1B%5B31m&日本&_a_&{}=\\frac
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
    for text in ("202 URLs, 1 invalid", "$x^2$", "\\x1b[31m", "\\u65e5\\u672c", "no site"):
        assert (f"<!-- {text} -->" in drawn) == (text != "no site")
    assert drawn.count("<!-- h1") < 60


def test_where_it_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "urls.txt").write_text(URLS)
    assert main(["stats", "--plot", str(tmp_path / "none" / "a.png"), str(tmp_path / "urls.txt")]) == 3
    assert capsys.readouterr().err.count("\n") == 1
