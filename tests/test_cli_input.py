"""The inputs of the command: text, tables, files, standard input."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.command import reading_by, run, url_of_line

from weburl.bulk import parse_lines
from weburl.cli.readers import byte_stream
from weburl.cli.readers.inputs import Inputs
from weburl.cli.readers.open_files import unlike_text
from weburl.cli.readers.row_blocks import Row


def read(data: bytes, *arguments: str, block: int | None = None) -> list[tuple[int, Row]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        if block is not None:
            patch.setattr(byte_stream, "BLOCK", block)
            patch.setattr(byte_stream, "PIPE", block)
        return [row for source in Inputs(reading_by(*arguments)) for row in source.numbered()]


def texts(data: bytes, *arguments: str, block: int | None = None) -> list[Row]:
    return [text for _, text in read(data, *arguments, block=block)]


LINES = [
    (b"", []),
    (b"\n", [""]),
    (b"a", ["a"]),
    (b"a\n", ["a"]),
    (b"a\n\n", ["a", ""]),
    (b"a\r\nb\r", ["a", "b"]),
    (b"a\rb", ["a\rb"]),
    (b"\r\r\n", ["\r"]),
    (b"\0\na\0b", ["\0", "a\0b"]),
    (b"\xff\n\xe2\x82\n\xc3\xa9", ["\ufffd", "\ufffd", "é"]),
    (b"\xef\xbb\xbfa\n\xef\xbb\xbfb", ["a", "\ufeffb"]),
    (b"\xef\xbb\xbf", []),
    (b"\xef\xbba", ["\ufffda"]),
    (b"\n\n\n\n", [""] * 4),
    (b"\xed\xa0\x80", ["\ufffd\ufffd\ufffd"]),
    (b"a\x0bb\x0cc\x1cd\x85\xe2\x80\xa8e", ["a\x0bb\x0cc\x1cd\ufffd\u2028e"]),
]


@pytest.mark.parametrize(("data", "expected"), LINES)
def test_lines(data: bytes, expected: list[str]) -> None:
    assert texts(data) == expected
    assert texts(gzip.compress(data)) == expected
    for block in range(1, 5):
        assert texts(data, block=block) == expected
        assert texts(gzip.compress(data), block=block) == expected


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16(encoding: str) -> None:
    data = "\ufeffhttp://a/\n".encode(encoding)
    for packed in (data, gzip.compress(data)):
        ended = run(stdin=packed)
        why = "it is in UTF-16: only UTF-8 is read: convert it, as with iconv -f UTF-16 -t UTF-8"
        assert ended == (3, "", f"weburl: standard input: {why}\n")
    assert texts(b"a\n" + data)[0] == "a"


@given(st.binary(), st.integers(1, 20))
@example(b'{"', 1)  # like JSON
def test_lines_are_those_of_bulk(data: bytes, block: int) -> None:
    if unlike_text(data) is not None or data.startswith(byte_stream.BOM):
        return
    errors = parse_lines(data, ["error"], base="http://h").to_pylist()
    rows = read(data, "--input", "text", block=block)
    assert [number for number, _ in rows] == list(range(1, len(errors) + 1))
    words = ["--input", "text", "--base", "http://h", "-g", "{error}{href}"]
    ended = run(*words, stdin=data)
    hrefs = parse_lines(data, ["href"], base="http://h").to_pylist()
    found = [(row["href"] or "") + (error["error"] or "") for row, error in zip(hrefs, errors, strict=True)]
    lines = (text if isinstance(text, str) else "" for _, text in rows)
    of_lines = zip(lines, found, strict=True)
    assert ended.lines == [
        "empty" if url_of_line(line, "http://h") is None and text == "http://h/" else text for line, text in of_lines
    ]
    assert run(*words, "--resolve-empty", stdin=data).lines == found


def test_members_of_gzip() -> None:
    data = gzip.compress(b"http://a/\nhttp:") + gzip.compress(b"//b/\n")
    assert texts(data) == ["http://a/", "http://b/"]


@pytest.mark.parametrize("end", [3, 12, 30, -9, -1])
def test_damaged_gzip(end: int) -> None:
    ended = run(stdin=gzip.compress(b"http://a/\n" * 100)[:end])
    assert (ended.status, ended.out) == (3, "")
    assert ended.err == "weburl: standard input: it is cut off: its gzip data has no end\n"


def test_other_damage_of_gzip() -> None:
    data = bytearray(gzip.compress(b"http://a/\n" * 100))
    data[15] ^= 0xFF
    ended = run(stdin=bytes(data))
    assert ended.status == 3
    assert ended.err.startswith("weburl: standard input: ")
    assert run(stdin=b"\x1f\x8bxxxxx").status == 3


# Tables.


@pytest.mark.parametrize(
    ("data", "options", "expected"),
    [
        ("a,u\n1,x\n2,y\n", "--column u", [(2, "x"), (3, "y")]),
        ("u\nx\n\ny", "--column u", [(2, "x"), (4, "y")]),
        ("u\r\nx\r\ny\r\n", "--input csv", [(2, "x"), (3, "y")]),
        ('a,u\n1,"x\n,""y"\n2\n3,z', "--column u", [(3, 'x\n,"y'), (4, None), (5, "z")]),
        ("x,1\ny,2", "--column 1", [(1, "x"), (2, "y")]),
        ("x,1\ny,2", "--column 3", [(1, None), (2, None)]),
        ("a\tb\nc\td,e\n", "--column b --input tsv", [(2, "d,e")]),
        ("u\nx\0y\n", "--column u", [(2, "x\0y")]),
        ("", "--column 1", []),
        ("u", "--column u", []),
        ("\ufeffu,v\nx,y", "--column u", [(2, "x")]),
        ('{"u": "x"}\n\n{"u": null}\n{}\n', "--field u", [(1, "x"), (3, None), (4, None)]),
        ('{"a": {"b": "x"}}\r\n{"a": {}}\n{"a": null}', "--field a.b", [(1, "x"), (2, None), (3, None)]),
        ('{"a.b": "x", "a": 1}', "--field a.b", [(1, "x")]),
        ('{"u": "\\u0000\\ud83d\\ude00"}', "--field u", [(1, "\0😀")]),
        ("", "--field u", []),
    ],
)
@pytest.mark.parametrize("block", [None, 1, 7])
def test_tables(data: str, options: str, expected: list[tuple[int, str | None]], block: int | None) -> None:
    assert read(data.encode(), *options.split(), block=block) == expected
    assert read(gzip.compress(data.encode()), *options.split(), block=block) == expected


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        ("a\n1", "--column " + "9" * 5000, f"there is no column '{'9' * 30}"),
        ("a,b\n1,2", "--column c", "there is no column 'c': the columns are 'a', 'b'"),
        ("a,b\n1,2", "--input csv", "--column must say which column has the URLs: the columns are 'a', 'b'"),
        ("", "--column c", "there is no column 'c': there are no columns"),
        ("a\n1", "--column 0", "--column counts from 1"),
        ('"u\nx\n', "--column u", "line 1: a quote has no end"),
        ('"u"v\nx\n', "--column u", "line 1: a delimiter must follow the closing quote"),
        ("u\rv\nx\n", "--column u", "line 1: a carriage return outside quotes must be before a newline"),
        ("{}", "--input jsonl", "--field must say which field has the URLs"),
    ],
)
def test_invalid_tables(data: str, options: str, said: str) -> None:
    ended = run(*options.split(), stdin=data)
    # It can be read, but no row has a value; or other options can read it.
    status = 1 if said.startswith("there is no column") else 2 if said.startswith("--") else 3
    assert (ended.status, ended.out) == (status, "")
    assert ended.err.startswith(f"weburl: standard input: {said}")


def test_a_number_of_a_column_that_no_row_has() -> None:
    for option in ((), ("--keep", "--csv")):
        ended = run("--column", "3", *option, stdin="x,1\ny,2\n")
        assert ended.status == 1
        assert "weburl: no record has a value in the column '3'\n" in ended.err
        assert run("--column", "3", *option, stdin="x,1\ny,2,\n").status == 0
    assert run("--column", "3", stdin="\n").status == 0


def test_rows_without_a_value() -> None:
    ended = run("--field", "u", "-g", "{error}|{href}", stdin='{}\n{"u": "x:"}\n{"u": "x"}\n')
    assert ended.lines == ["|", "|x:", "missing-scheme-non-relative-URL|"]
    assert ended.err == "weburl: 2 of 3 lines are not URLs (missing-scheme-non-relative-URL: 1, null: 1)\n"
    for more in ([], ["--sort-query"], ["--policy", "crawl"], ["--as-idn"]):
        ended = run(
            "--field", "u", "--base", "http://h", "--json", "-g", "{input}{href}", *more, stdin='{}\n{"u": "x"}'
        )
        assert ended.lines == ['{"input":null,"href":null}', '{"input":"x","href":"http://h/x"}']
        assert ended.err == "weburl: 1 of 2 lines is not a URL (null: 1)\n"
    ended = run("--field", "u", "--invalid", "fail", stdin='{"u": "x:"}\n\n{}\n')
    assert (ended.status, ended.err) == (1, "weburl: standard input:3: there is no value\n")
    assert run("--field", "u", "--verify", stdin="{}").status == 1


@pytest.mark.long
def test_rows_of_a_table_are_of_any_length() -> None:
    long = "http://h/" + "x" * 300_000
    assert run("--column", "u", stdin=f"u\n{long}\n").out == f"{long}\n"
    assert texts(f"u\n{'x' * 50}\n".encode() * 10, "--column", "1", block=60) == ["u", "x" * 50] * 10


# Files.


def test_kinds_by_name(tmp_path: Path) -> None:
    files = {
        "b.csv": b"u,v\nhttp://b,x", "c.tsv": b"u\tv\nhttp://c\tx", "d.jsonl": b'{"u": "http://d"}',
        "e.ndjson": b'{"u": "http://e"}', "f.csv.gz": gzip.compress(b"u\nhttp://f"), "g": b"u\nhttp://g",
    }  # fmt: skip
    arguments = ["--column", "u", "--field", "u"]
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        arguments += ["-f", str(tmp_path / name)]
    # The name has no known extension, but a column is given: CSV.
    assert run("-g", "{host}", *arguments) == (0, "b\nc\nd\ne\nf\ng\n", "")
    for name in ("a.txt", "a.gz", "a"):
        (tmp_path / name).write_bytes(gzip.compress(b"http://a"))
        assert run("-f", str(tmp_path / name)).out == "http://a/\n"
    assert run("--input", "text", "-f", str(tmp_path / "b.csv"), "-g", "{error}{host}").lines[1] == "b,x"


def test_several_files(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text(f"http://{name}\nhttp://{name}:x")
    ended = run("http://x", "-f", str(tmp_path / "a"), "-", "-f", str(tmp_path / "b"), stdin="http://-")
    assert ended.lines == ["http://x/", "http://a/", "", "http://-/", "http://b/", ""]
    assert ended.err == "weburl: 2 of 6 lines are not URLs (port-invalid: 2)\n"
    ended = run("-f", str(tmp_path / "a"), "-f", str(tmp_path / "b"), "--invalid", "fail")
    assert ended.err.startswith(f"weburl: {tmp_path}/a:2: ")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert run("-f", str(tmp_path / "x")) == (3, "", f"weburl: {tmp_path}/x: no such file or directory\n")
    name = str(tmp_path / "\x1b[31m")
    assert run("-f", name).err == f"weburl: {tmp_path}/\\x1b[31m: no such file or directory\n"
    assert run("check", "http://u:hunter2@h/").err == "weburl: http://***@h/: no such file or directory\n"


def test_a_file_without_the_right_to_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied", "x")

    monkeypatch.setattr("builtins.open", refuse)
    ended = run("-f", "x")
    monkeypatch.undo()
    assert ended == (3, "", "weburl: x: permission denied\n")


def test_nothing_to_read() -> None:
    assert run() == (0, "", "")
    assert run("--json") == (0, "", "")
    assert run("--csv", "-g", "{host}") == (0, "host\n", "")


def test_arguments_that_look_like_options() -> None:
    assert run("--base", "x:/", "--", "-g", "check", "--").lines == ["x:/-g", "x:/check", "x:/--"]
    assert run("a:", "-g", "{href}", "b:").lines == ["a:", "b:"]


def test_arguments_that_are_not_text() -> None:
    assert run("http://h/\udcff", "-g", "\udcff{pathname}{query:\udcff}").out == "\ufffd/%EF%BF%BD\n"


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ended = run("--column", "u", stdin=b"PAR1\x15")
    assert ended == (3, "", "weburl: standard input: Parquet needs pyarrow: pip install weburl[parquet]\n")
    ended = run("--parquet", str(tmp_path / "x"), "http://h")
    assert ended == (3, "", "weburl: Parquet needs pyarrow: pip install weburl[parquet]\n")
    assert list(tmp_path.iterdir()) == []
