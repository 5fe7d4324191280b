"""weburl stats. Its plots are tested in tests/engines."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from support.command import run
from support.peak import peak_of

from weburl import URL
from weburl._hosts.psl import shipped_list
from weburl._verbs.table import columns_of
from weburl.cli import main
from weburl.cli.commands import stats
from weburl.cli.counting.counts import Counts
from weburl.hosts import registrable_domain
from weburl.redact import path_template

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
           5  URLs
           2  invalid

schemes: 3 different
           3  60.0%  http
           1  20.0%  https
           1  20.0%  mailto

hosts: 4 different
           1  25.0%  127.0.0.1
           1  25.0%  example.com
           1  25.0%  www.example.co.uk
           1  25.0%  www.example.com

registrable domains: 2 different
           2  66.7%  example.com
           1  33.3%  example.co.uk

templates: 2 different
           4  80.0%  /
           1  20.0%  /{opaque}

parameters: 6 different
           2  28.6%  b
           1  14.3%  (empty)
           1  14.3%  \\x1b[31m
           1  14.3%  ?a
           1  14.3%  a
           1  14.3%  utm_source

errors: 2 different
           1  50.0%  domain-to-ASCII
           1  50.0%  missing-scheme-non-relative-URL

lengths, in characters
          10  the shortest
        30.0  the mean
          36  the median: half of the URLs are not longer
          44  90 % are not longer
          44  99 % are not longer
          44  the longest
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
    assert out.count("%") == 8  # six rankings and two lengths


def test_json(urls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--json", "--top", "2", str(urls)]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "urls": 5,
        "invalid": 2,
        "schemes": ranking(5, 3, [("http", 3), ("https", 1)]),
        "hosts": ranking(4, 4, [("127.0.0.1", 1), ("example.com", 1)]),
        "registrable_domains": ranking(3, 2, [("example.com", 2), ("example.co.uk", 1)]),
        "templates": ranking(5, 2, [("/", 4), ("/{opaque}", 1)]),
        "parameters": ranking(7, 6, [("b", 2), ("", 1)]),
        "errors": ranking(2, 2, [("domain-to-ASCII", 1), ("missing-scheme-non-relative-URL", 1)]),
        "lengths": {"shortest": 10, "mean": 30.0, "median": 36, "p90": 44, "p99": 44, "longest": 44},
    }


def ranking(total: int, distinct: int, top: list[tuple[str, int]]) -> dict[str, Any]:
    named = [{"name": name, "count": count, "too_low_by": 0} for name, count in top]
    return {"total": total, "distinct": distinct, "distinct_error": 0, "too_low_by": 0, "top": named}


def top(said: dict[str, Any], kind: str) -> dict[str, int]:
    return {each["name"]: each["count"] for each in said[kind]["top"]}


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
    assert (said["urls"], said["invalid"], top(said, "schemes")["ftp"]) == (6, 1, 1)
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
    assert top(said, "hosts") == {f"h{i}.example": 200_000 // 7 + (i < 200_000 % 7) for i in range(7)}
    assert sum(top(said, "parameters").values()) == 200_000


def in_little_room(monkeypatch: pytest.MonkeyPatch, texts: int) -> None:
    monkeypatch.setattr(stats, "Counts", SimpleNamespace(within=lambda memory: Counts(texts)))


def test_room_by_memory() -> None:
    counts = Counts.within(1 << 27)
    assert (counts.texts, counts.bytes) == (1 << 20, 1 << 26)
    assert (counts.share().texts, counts.share().bytes) == (1 << 16, 1 << 22)
    assert Counts.within(0).texts == 1
    # Their offsets have 32 bits.
    memory = min(1 << 40, sys.maxsize)
    assert Counts.within(memory).bytes == min(memory >> 1, (1 << 31) - 1)


BOMBS: dict[str, Callable[[int], str]] = {
    "hosts": lambda i: f"http://{i:x}.{'a' * 60}.{'b' * 60}.{'c' * 60}.example/",
    "parameters": lambda i: "http://h/?" + "&".join(f"{i:x}-{j}{'x' * 180}" for j in range(4)),
    "short parameters": lambda i: "http://h/?" + "&".join(f"{i:x}-{j}" for j in range(100)),
    "templates": lambda i: f"http://h/{'/'.join(chr(97 + int(digit)) * 9 for digit in str(i))}/{'y' * 160}",
    "schemes": lambda i: f"s{i:x}{'x' * 180}:",
    "all": lambda i: f"s{i:x}{'x' * 180}://{'.'.join(f'{i:x}')}.{'a' * 50}/{'y' * 99}?{i:x}{'x' * 180}",
}


@pytest.mark.sample(1)
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer takes memory of its own")
@pytest.mark.parametrize("name", BOMBS)
def test_the_peak_of_the_process(name: str, tmp_path: Path) -> None:
    """Many names that are all different, and as long as they are kept: the output says what is estimated."""
    path = tmp_path / "urls.txt"
    path.write_text("\n".join(map(BOMBS[name], range(60_000 if name != "short parameters" else 10_000))))
    for memory, most in (("4M", 100), ("128M", 300)):
        status, peak = peak_of(["stats", "--memory", memory, str(path)])
        assert (status, peak < most << 20) == (0, True)
    assert " different (± 1.6 %)" in run("stats", "--memory", "1M", str(path)).out


@pytest.mark.parametrize("threads", ["1", "2"])
def test_bounded(
    threads: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rare hosts are forgotten; the output says by how much a count may be too low, and what is estimated."""
    in_little_room(monkeypatch, 1000)
    path = tmp_path / "urls.txt"
    hosts = [f"h{i}" for i in range(60_000)]
    path.write_text("".join(f"http://{host}/\nhttp://often/\n" for host in hosts) + "http://late/\n" * 500)
    assert main(["stats", "--json", "--threads", threads, str(path)]) == 0
    said = json.loads(capsys.readouterr().out)["hosts"]
    assert said["total"] == 120_500
    assert said["distinct_error"] == 0.0081
    # Five times the standard error.
    assert said["distinct"] == pytest.approx(60_002, rel=0.041)
    assert 0 < said["too_low_by"] <= 2 * 120_500 / 800
    counts = {each["name"]: (each["count"], each["too_low_by"]) for each in said["top"]}
    # It was there from the begin, so its count is exact.
    assert counts["often"] == (60_000, 0)
    count, too_low_by = counts["late"]
    assert count == 500
    assert 0 < too_low_by <= said["too_low_by"]
    assert main(["stats", "--threads", threads, str(path)]) == 0
    out = capsys.readouterr().out
    assert re.search(
        r"hosts: about [0-9]{2},[0-9]{3} different \(± 1\.6 %\); a count with a \+ may be up to [0-9]+ too low", out
    )
    assert "      60,000  49.8%  often\n" in out
    assert "         500+  0.4%  late\n" in out


def test_the_number_of_threads_does_not_change_what_is_forgotten(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    in_little_room(monkeypatch, 2000)
    random = Random(1)
    path = tmp_path / "urls.txt"
    path.write_text("".join(f"http://h{int(random.paretovariate(0.5))}/{random.random()}\n" for _ in range(150_000)))
    found = []
    for threads in ("1", "2", "3"):
        assert main(["stats", "--json", "--top", "100", "--threads", threads, str(path)]) == 0
        said = json.loads(capsys.readouterr().out)
        found.append([said["hosts"]["top"], said["hosts"]["too_low_by"], said["templates"]["top"]])
    assert found[0][1] > 0
    assert found == found[:1] * 3


def test_the_bounds_hold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each count and what it may be too low by, and what is not shown, beside counts of all."""
    in_little_room(monkeypatch, 500)
    random = Random(2)
    hosts = [f"h{min(int(random.paretovariate(0.7)), 10**6)}.example" for _ in range(60_000)]
    path = tmp_path / "urls.txt"
    path.write_text("".join(f"http://{host}/\n" for host in hosts))
    assert main(["stats", "--json", "--top", "1000", str(path)]) == 0
    said = json.loads(capsys.readouterr().out)["hosts"]
    exact = Counter(hosts)
    assert 0 < len(said["top"]) <= 500
    for each in said["top"]:
        assert each["count"] <= exact[each["name"]] <= each["count"] + each["too_low_by"]
    names = {each["name"] for each in said["top"]}
    assert max(count for host, count in exact.items() if host not in names) <= said["too_low_by"]


@pytest.mark.long
def test_a_line_with_more_names_than_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    in_little_room(monkeypatch, 100_000)
    path = tmp_path / "urls.txt"
    names = [f"n{i}" for i in range(20_000)]
    path.write_text(f"http://h/?{'&'.join(names)}&{'&'.join(names)}\n")
    assert main(["stats", "--json", "--top", "20000", str(path)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert top(said, "parameters") == dict.fromkeys(names, 2)
    assert said["parameters"]["distinct_error"] == 0
    assert top(said, "hosts") == {"h": 1}


@pytest.mark.parametrize("texts", [1, 2, 50])
def test_hardly_any_room(
    texts: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    in_little_room(monkeypatch, texts)
    path = tmp_path / "urls.txt"
    path.write_text("".join(f"http://h{i % 300}/a{i}?n{i}\n" for i in range(3000)))
    assert main(["stats", "--json", str(path)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [said[kind]["total"] for kind in ("schemes", "hosts", "templates", "parameters")] == [3000] * 4
    assert said["hosts"]["too_low_by"] > 0


def test_counts_are_those_of_the_library(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Templates are made of paths here, and of URLs in weburl.redact."""
    given = [
        "http://h", "foo://h", "foo://h?a", "foo:", "foo:?q", "foo:#f", "foo:/", "foo:/.//p", "foo:a/b", "mailto:a@b",
        "data:,x", "file:///C:/1/2", "http://h/1/", "http://h/users/5/a=b;c/%31?x=1&x=2&%78", "javascript:1",
        "https://h/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ/a", "blob:https://h/1", "foo:///a",
    ]  # fmt: skip
    path = tmp_path / "urls.txt"
    path.write_text("".join(f"{url}\n" for url in given))
    assert main(["stats", "--json", "--top", "100", str(path)]) == 0
    said = json.loads(capsys.readouterr().out)
    urls = [URL(url) for url in given]
    assert top(said, "templates") == Counter(map(path_template, urls))
    assert top(said, "parameters") == Counter(name for url in urls for name, _ in url.search_params)
    assert top(said, "hosts") == Counter(url.hostname for url in urls if url.hostname)
    assert top(said, "schemes") == Counter(url.protocol[:-1] for url in urls)
    lengths = sorted(len(url.href) for url in urls)
    assert said["lengths"]["shortest"] == lengths[0]
    assert said["lengths"]["median"] == lengths[len(lengths) // 2 - 1]
    assert said["lengths"]["longest"] == lengths[-1]


@pytest.mark.parametrize("lines", [1, 5000])
def test_names_that_are_all_empty(lines: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They need no memory, and there is some, because nothing may be copied to where there is none."""
    path = tmp_path / "urls.txt"
    path.write_text("http://h/?=1&=2\n" * lines)
    assert main(["stats", "--json", str(path)]) == 0
    assert top(json.loads(capsys.readouterr().out), "parameters") == {"": 2 * lines}


def test_runs_of_the_same_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows one after the other that have one name, with others of its length, and lines that fail, between them."""
    random = Random(3)
    given: list[str] = []
    while len(given) < 50_000:
        host = random.choice(("one.example", "two.example", "a.one.example", "10.0.0.1", ""))
        line = f"{random.choice(('http', 'file', 'foo'))}://{host}/" if host else random.choice(("no", "foo:x", ""))
        given += [line] * random.choice((1, 1, 2, 7, 300))
    path = tmp_path / "urls.txt"
    path.write_text("".join(f"{line}\n" for line in given))
    assert main(["stats", "--json", "--top", "100", str(path)]) == 0
    said = json.loads(capsys.readouterr().out)
    urls = [URL(line) for line in given if URL.can_parse(line)]
    assert top(said, "schemes") == Counter(url.protocol[:-1] for url in urls)
    assert top(said, "hosts") == Counter(url.hostname for url in urls if url.hostname)
    domains = (registrable_domain(url) for url in urls)
    assert top(said, "registrable_domains") == Counter(domain for domain in domains if domain)


@pytest.mark.long
def test_long_lengths(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From 4,096 on, the median may be 1.6 % too low."""
    path = tmp_path / "urls.txt"
    for length in (4095, 4096, 4097, 8191, 8192, 99_999, 3_000_000):
        path.write_text(f"http://h/{'a' * (length - 9)}\n")
        assert main(["stats", "--json", str(path)]) == 0
        said = json.loads(capsys.readouterr().out)["lengths"]
        assert (said["shortest"], said["longest"], said["mean"]) == (length, length, length)
        assert length / 1.016 <= said["median"] <= length
        assert length > 4096 or said["median"] == length


@pytest.mark.parametrize("data", [b"\0" * 5000 + b"\n", bytes(range(256)) * 40, b"\xff\n" * 5000, b"foo\n" * 70_000])
def test_what_is_not_urls(data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "urls.txt"
    path.write_bytes(data)
    assert main(["stats", "--json", "--input", "text", str(path)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["urls"] == 0
    assert said["invalid"] == said["errors"]["total"] == sum(top(said, "errors").values()) > 0
    assert said["lengths"] is None


def test_names_have_no_credentials(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "urls.txt"
    given = ["/u:hunter2@h", "/a/u:hunter2@h/", "/?u:hunter2@h", "/?https%3A%2F%2Fu%3Ahunter2@h", "/x;u:hunter2@h"]
    given += [f"/u:hunter2{'a' * 300}@h", f"/?u:hunter2{'a' * 300}@h"]
    path.write_text("".join(f"{text}\n" for text in given))
    for options in ([], ["--json"]):
        assert main(["stats", "--base", "http://h", *options, str(path)]) == 0
        out = capsys.readouterr().out
        assert "hunter2" not in out
        assert "***" in out


def test_long_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names that only differ where they are not shown are different, and are cut between characters."""
    path = tmp_path / "urls.txt"
    path.write_text(f"http://h/?{'a' * 300}1\nhttp://h/?{'a' * 300}2\nhttp://{'b' * 60_000}/?a{'%C3%A9' * 120}\n")
    assert main(["stats", "--json", str(path)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in said["parameters"]["top"]] == ["a" * 200 + "…"] * 2 + ["a" + "é" * 99 + "…"]
    assert [each["name"] for each in said["hosts"]["top"]] == ["h", "b" * 200 + "…"]
    assert main(["stats", str(path)]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 102


def test_without_extras(monkeypatch: pytest.MonkeyPatch, urls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(
        "weburl.cli.commands.stats.columns_of", columns_whose_list_raises(ImportError(name="publicsuffixlist"))
    )
    assert main(["stats", str(urls)]) == 0
    before, after = TABLE.split("registrable domains: 2 different\n")
    assert (
        capsys.readouterr().out
        == before + "registrable domains: to count them, pip install weburl[psl]\n\n" + after.partition("\n\n")[2]
    )
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["stats", "--plot", "hosts.png", str(urls)]) == 3
    assert capsys.readouterr().err == "weburl: --plot needs matplotlib: pip install weburl[plot]\n"


def columns_whose_list_raises(error: Exception) -> Any:
    def columns(names: tuple[str, ...]) -> Any:
        if "registrable_domain" in names:
            raise error
        return columns_of(names)

    return columns


def test_an_extra_that_is_broken(
    monkeypatch: pytest.MonkeyPatch, urls: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the extra itself is said to be missing, not what it imports."""
    monkeypatch.setattr(
        "weburl.cli.commands.stats.columns_of", columns_whose_list_raises(ImportError("a part is broken"))
    )
    assert main(["stats", str(urls)]) == 3
    assert capsys.readouterr() == ("", "weburl: a part is broken\n")
    (tmp_path / "matplotlib.py").write_text("import a_part_of_it")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    assert main(["stats", "--plot", str(tmp_path / "a.png"), str(urls)]) == 3
    assert capsys.readouterr() == ("", "weburl: No module named 'a_part_of_it'\n")
    monkeypatch.setattr("pkgutil.get_data", lambda *_: None)
    with pytest.raises(ImportError, match="publicsuffixlist: pip install") as raised:
        shipped_list()
    assert raised.value.name == "publicsuffixlist"


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--top", "0"], ["--top", "x"], ["--threads", "0"], ["--plot", "a.exe"], ["--plot", "png"]):
        assert main(["stats", *arguments]) == 2
    assert main(["stats", "no such file"]) == 3
    assert capsys.readouterr().out == ""


def test_more_than_all(urls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = []
    for number in ("1000000", str(2**63 - 1), str(2**63), "9" * 40):
        assert main(["stats", "--json", "--top", number, str(urls)]) == 0
        given.append(capsys.readouterr().out)
    assert len(set(given)) == 1
