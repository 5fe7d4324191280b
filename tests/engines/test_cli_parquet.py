"""The command with Parquet files."""

from __future__ import annotations

import json
import os
import tracemalloc
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet
from support.command import run

from weburl.bulk import parse_many
from weburl.cli.readers.inputs import Inputs
from weburl.cli.readers.reading import Reading
from weburl.cli.writers import tables as _parquet

URLS = ["http://a.example.co.uk/?q=a%0Ab&q=2#f", "http://h:x", "x:", "http://é/\ud800", "", "http://[::1]:8/"]


def write(path: Path, column: pyarrow.Array, name: str = "u") -> str:
    parquet.write_table(pyarrow.table({"n": range(len(column)), name: column}), path)
    return str(path)


@pytest.mark.parametrize(
    "kind", [pyarrow.string(), pyarrow.large_string(), pyarrow.dictionary(pyarrow.int8(), pyarrow.string())]
)
def test_a_column_is_read(kind: pyarrow.DataType, tmp_path: Path) -> None:
    path = write(tmp_path / "urls.parquet", pyarrow.array(["http://a", None, "b", "http://c"]).cast(kind))
    ended = run("-f", path, "--column", "u", "-g", "{host}|{error}|{input}")
    assert ended.lines == ["a||http://a", "||", "|missing-scheme-non-relative-URL|b", "c||http://c"]
    assert ended.err == "weburl: 2 of 4 lines are not URLs (missing-scheme-non-relative-URL: 1, null: 1)\n"
    ended = run("-f", path, "--column", "u", "--sort-query", "--invalid", "fail")
    assert ended == (1, "http://a/\n", f"weburl: {path}:2: there is no value\n")


def test_many_rows(tmp_path: Path) -> None:
    urls = [f"http://h/{n}" for n in range(40_000)]
    path = write(tmp_path / "urls.parquet", pyarrow.array(urls))
    assert run("-f", path, "--column", "u").lines == urls
    out = str(tmp_path / "out.parquet")
    assert run("-f", path, "--column", "u", "--parquet", out, "-g", "{pathname} {input}", "--threads", "3").status == 0
    table = parquet.read_table(out)
    assert table["input"].to_pylist() == urls
    assert table["pathname"].to_pylist() == [f"/{n}" for n in range(40_000)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--column", "x"], "there is no column 'x': the columns are 'n', 'u'"),
        ([], "--column must say which column has the URLs: the columns are 'n', 'u'"),
        (["--column", "n"], "the column 'n' must be a column of strings"),
    ],
)
def test_no_column(options: list[str], said: str, tmp_path: Path) -> None:
    path = write(tmp_path / "urls.parquet", pyarrow.array(["http://a"]))
    ended = run("-f", path, *options)
    assert (ended.status, ended.out) == (1 if "there is no column" in said else 2 if said.startswith("--") else 3, "")
    assert ended.err.startswith(f"weburl: {path}: {said}")


def test_files_that_are_not_parquet(tmp_path: Path) -> None:
    path = tmp_path / "urls.parquet"
    for data in (b"", b"x", b"PAR1" * 10):
        path.write_bytes(data)
        ended = run("-f", str(path), "--column", "u")
        assert ended.status == 3
        assert ended.err.startswith(f"weburl: {path}: ")
        assert ended.err.count("\n") == 1


def test_the_table_is_that_of_json(tmp_path: Path) -> None:
    out = str(tmp_path / "out.parquet")
    data = "".join(json.dumps({"u": url}) + "\n" for url in URLS)
    for more in ([], ["--invalid", "drop"], ["--sort-query"], ["--policy", "crawl"], ["--as-idn"]):
        assert run("--field", "u", "--parquet", out, *more, stdin=data).out == ""
        rows = parquet.read_table(out).to_pylist()
        assert rows == [json.loads(line) for line in run("--field", "u", "--json", *more, stdin=data).lines]
    assert run("--field", "u", "--parquet", out, stdin=data).status == 0
    fields = ["href", "hostname", "query", "error"]
    assert parquet.read_table(out).select(fields).to_pylist() == parse_many(URLS, fields).to_pylist()


def test_columns_of_a_format(tmp_path: Path) -> None:
    out = str(tmp_path / "out.parquet")
    for more in ([], ["--invalid", "drop"]):
        run(
            "--parquet",
            out,
            "-g",
            "{query:q} {input} {registrable_domain} {query:z}",
            *more,
            "http://a.co.uk/?q=1",
            "http://b:x",
        )
        table = parquet.read_table(out)
        assert table.column_names == ["query:q", "input", "registrable_domain", "query:z"]
        assert table.to_pylist()[0] == {
            "query:q": "1",
            "input": "http://a.co.uk/?q=1",
            "registrable_domain": "a.co.uk",
            "query:z": None,
        }
        assert len(table) == 2 - len(more) // 2


def test_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row group has several pieces, up to a number of rows and of bytes."""
    path, out = tmp_path / "urls", str(tmp_path / "out.parquet")
    path.write_text("".join(f"http://h{n}/\n" for n in range(1000)))
    monkeypatch.setattr("weburl.cli.readers.byte_stream.BLOCK", 1024)
    monkeypatch.setattr("weburl._arrow.cutting.PIECE_BYTES", 100)
    groups = []
    for rows, size in ((1 << 17, 1 << 26), (300, 1 << 26), (1 << 17, 2000)):
        monkeypatch.setattr(_parquet, "GROUP_ROWS", rows)
        monkeypatch.setattr(_parquet, "GROUP_BYTES", size)
        assert run("-f", str(path), "--parquet", out, "-g", "{hostname}") == (0, "", "")
        assert parquet.read_table(out)["hostname"].to_pylist() == [f"h{n}" for n in range(1000)]
        groups.append(parquet.ParquetFile(out).num_row_groups)
    assert groups[0] == 1
    assert 2 < groups[1] < groups[2] < 10


def test_memory_is_constant(tmp_path: Path) -> None:
    """Neither the file nor a whole column of it is read at once."""
    path = str(tmp_path / "urls.parquet")
    urls = pyarrow.array([f"http://h/{'x' * 500}{n % 7}" for n in range(200_000)])
    for rows in (20_000, 200_000):
        table = pyarrow.table({"u": urls})
        parquet.write_table(table, path, compression="NONE", use_dictionary=False, row_group_size=rows)
        tracemalloc.start()
        before = most = pyarrow.total_allocated_bytes()
        for source in Inputs(Reading(files=[path], column="u")):
            for _ in source.blocks:
                most = max(most, pyarrow.total_allocated_bytes())
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most - before + peak < 50 << 20


def test_nothing(tmp_path: Path) -> None:
    out = str(tmp_path / "out.parquet")
    assert run("--parquet", out) == (0, "", "")
    assert parquet.read_table(out).num_rows == 0


def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    ended = run("--parquet", str(tmp_path / "out.parquet"), "--invalid", "fail", stdin="http://a\nb")
    assert ended.status == 1
    assert os.listdir(tmp_path) == []


def test_the_example_of_the_help(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("log.jsonl").write_text('{"request": {"url": "https://example.com/"}}\n')
    assert run("--parquet", "parts.parquet", "-f", "log.jsonl", "--field", "request.url") == (0, "", "")
    assert parquet.read_table("parts.parquet")["href"].to_pylist() == ["https://example.com/"]


def test_hosts(tmp_path: Path) -> None:
    hosts = tmp_path / "hosts.txt"
    hosts.write_text("example.co.uk")
    path = write(tmp_path / "urls.parquet", pyarrow.array([*URLS[:3], "http://other.example/", None]))
    out = str(tmp_path / "out.parquet")
    for option, right in (("--hosts", URLS[:1]), ("--not-hosts", ["x:", "http://other.example/"])):
        ended = run(option, str(hosts), "-f", path, "--column", "u", "--parquet", out, "-g", "{input}")
        assert ended.err.startswith("weburl: 2 of 5 lines are not URLs (")
        assert parquet.read_table(out)["input"].to_pylist() == right
