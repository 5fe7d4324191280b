"""weburl stats. Its plots are tested in tests/engines."""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from weburl._columns.job import Job
from weburl.cli import main
from weburl.cli.commands import stats

FILE = """\
https://www.example.co.uk/?b&a=1&b=2
http://EXAMPLE.com/?utm_source=x&%1B%5B31m=2

http://127.0.0.1/??a
mailto:a@b
foo
http://a b/
\t
http://user:secret@www.example.com:81/?=\r
"""
TABLE = """\
           5 URLs
           2 invalid

schemes: 3 different
           3  60.0%  http
           1  20.0%  https
           1  20.0%  mailto

hosts: 4 different
           1  25.0%  127.0.0.1
           1  25.0%  example.com
           1  25.0%  www.example.co.uk
           1  25.0%  www.example.com

sites: 2 different
           2  66.7%  example.com
           1  33.3%  example.co.uk

parameters: 6 different
           2  28.6%  b
           1  14.3%  (empty)
           1  14.3%  \\x1b[31m
           1  14.3%  ?a
           1  14.3%  a
           1  14.3%  utm_source

invalid: 2 different
           1  50.0%  domain-to-ASCII
           1  50.0%  missing-scheme-non-relative-URL
"""


@pytest.fixture
def urls(tmp_path: Path) -> Path:
    path = tmp_path / "urls.txt"
    path.write_text(FILE, newline="")
    return path


def test_a_table(urls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", str(urls)]) == 0
    assert capsys.readouterr() == (TABLE, "")


def test_top(urls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--top", "1", str(urls)]) == 0
    out = capsys.readouterr().out
    assert "hosts: 4 different\n           1  25.0%  127.0.0.1\n\n" in out
    assert out.count("%") == 5


def test_json(urls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--json", "--top", "2", str(urls)]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "urls": 5,
        "invalid": 2,
        "errors": {"domain-to-ASCII": 1, "missing-scheme-non-relative-URL": 1},
        "schemes": {"distinct": 3, "too_low_by": 0, "top": {"http": 3, "https": 1}},
        "hosts": {"distinct": 4, "too_low_by": 0, "top": {"127.0.0.1": 1, "example.com": 1}},
        "sites": {"distinct": 2, "too_low_by": 0, "top": {"example.com": 2, "example.co.uk": 1}},
        "parameters": {"distinct": 6, "too_low_by": 0, "top": {"b": 2, "": 1}},
    }


def packed(path: Path) -> list[str]:
    path = path.with_suffix(".gz")
    path.write_bytes(gzip.compress(FILE.encode()))
    return [str(path)]


def table(path: Path) -> list[str]:
    path = path.with_suffix(".csv")
    path.write_text("n,url\n" + "".join(f"1,{line}\n" for line in FILE.split("\n")))
    return [str(path), "--column", "url"]


def lines(path: Path) -> list[str]:
    path = path.with_suffix(".jsonl")
    path.write_text("".join(json.dumps({"url": line.removesuffix("\r")}) + "\n" for line in FILE.split("\n")))
    return [str(path), "--field", "url"]


@pytest.mark.parametrize("make", [packed, table, lines], ids=lambda make: make.__name__)
def test_inputs(make: Callable[[Path], list[str]], urls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", *make(urls)]) == 0
    assert capsys.readouterr().out == TABLE


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(FILE.encode())))
    assert main(["stats", "--threads", "2"]) == 0
    assert capsys.readouterr().out == TABLE


def test_a_base(urls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A blank line is skipped; it does not become the base."""
    assert main(["stats", "--json", "--base", "ftp://h/", str(urls)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["urls"], said["invalid"], said["schemes"]["top"]["ftp"]) == (6, 1, 1)
    assert main(["stats", "--base", "no", str(urls)]) == 2


@pytest.mark.parametrize("text", [b"", b"\n", b"  \r\n\n\t", b"\n\n\n\n"])
def test_nothing(text: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "urls.txt"
    path.write_bytes(text)
    assert main(["stats", str(path)]) == 0
    assert capsys.readouterr().out.split() == ["0", "URLs", "0", "invalid"]


def test_many_blocks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "urls.txt"
    lines = [f"http://h{i % 7}.example/{'a' * 40}?p{i % 3}=1\n" for i in range(200_000)]
    path.write_text("".join(lines))
    assert path.stat().st_size > 1 << 23
    assert main(["stats", "--json", str(path)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["urls"] == 200_000
    assert said["hosts"]["top"] == {f"h{i}.example": 200_000 // 7 + (i < 200_000 % 7) for i in range(7)}
    assert sum(said["parameters"]["top"].values()) == 200_000


def test_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rare hosts are forgotten; the output says by how much a count may be too low."""
    monkeypatch.setattr(stats, "DIFFERENT", 100)
    path = tmp_path / "urls.csv"
    hosts = [f"h{i}" for i in range(60_000)]
    path.write_text("".join(f"http://{host}/\nhttp://often/\n" for host in hosts))
    assert main(["stats", "--json", "--column", "1", str(path)]) == 0
    hosts_said = json.loads(capsys.readouterr().out)["hosts"]
    assert hosts_said["distinct"] <= 100
    often = hosts_said["top"]["often"]
    assert 60_000 - hosts_said["too_low_by"] <= often <= 60_000
    assert 0 < hosts_said["too_low_by"] < 100
    assert main(["stats", "--column", "1", str(path)]) == 0
    assert f"hosts: more than 50 different; the counts are up to {hosts_said['too_low_by']} too low" in (
        capsys.readouterr().out
    )


def test_long_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "urls.txt"
    path.write_text(f"http://h/?{'a' * 300}1\nhttp://h/?{'a' * 300}2\n")
    assert main(["stats", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["parameters"]["top"] == {"a" * 200 + "…": 2}
    assert main(["stats", str(path)]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 101


def test_without_extras(monkeypatch: pytest.MonkeyPatch, urls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    real: Any = Job

    def without_a_list(fields: tuple[str, ...], **options: Any) -> Any:
        if "site" in fields:
            raise ImportError("the Public Suffix List needs publicsuffixlist: pip install weburl[psl]")
        return real(fields, **options)

    monkeypatch.setattr("weburl.cli.commands.stats.Job", without_a_list)
    assert main(["stats", str(urls)]) == 0
    before, after = TABLE.split("sites: 2 different\n")
    assert (
        capsys.readouterr().out
        == before + "sites: to count them, pip install weburl[psl]\n\n" + after.partition("\n\n")[2]
    )
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["stats", "--plot", "hosts.png", str(urls)]) == 3
    assert capsys.readouterr().err == "weburl: --plot needs matplotlib: pip install weburl[plot]\n"


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--top", "0"], ["--top", "x"], ["--threads", "0"], ["--plot", "a.exe"], ["--plot", "png"]):
        assert main(["stats", *arguments]) == 2
    assert main(["stats", "no such file"]) == 3
    assert capsys.readouterr().out == ""
