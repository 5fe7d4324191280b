"""Records: columns that pass through, records that do not parse, and what fails in a file of its own."""

from __future__ import annotations

import csv
import io
import json
import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.command import run

from weburl.cli.readers.byte_stream import ByteStream
from weburl.cli.readers.reading import Keep, Reading
from weburl.cli.readers.records import delimited, line_records
from weburl.cli.readers.records.cells import cut_records, read_columns, read_fields
from weburl.cli.readers.row_blocks import RecordBlock

CSV = 'id,u,n\n1,http://a/,"x, ""y""\nz"\n2,b,\n"q"x,3,\n4,http://c/\n5,"http://d/\n'
JSONL = '{"id":1.0,"u":"http://a/","n":{"x":"\\u00e9\u202e"},"href":5}\n{"u":"b","t":[]}\n\n{"id":1,"u":\n{}\n{"u":7,"n":1}\n[1\n'

# The readers themselves.


def read_csv(data: bytes, columns: int) -> tuple[list[list[str | None]], list[int], dict[int, Any]]:
    wanted = tuple(reversed(range(columns)))
    found, lines, faults = read_columns(data, 0, len(data), ",", wanted, 1 << 20)
    return [column.texts(0, len(column)) for column in reversed(found)], list(lines), faults


PIECES = st.lists(st.sampled_from(["a", '"', '""', ",", "\n", "\r\n", "é", '",', '\n"', "b c", "\0"]))


@given(PIECES, st.integers(1, 20))
@example(['"', "a", "\n", "b", "\n", '"', "a"], 1)
def test_csv_is_that_of_the_csv_module(pieces: list[str], size: int) -> None:
    """Where csv finds no fault, records and lines are the same; elsewhere, those before the fault are."""
    text = "".join(pieces) + "\n"
    data = text.encode()
    columns, lines, faults = read_csv(data, 3)
    reader = csv.reader(io.StringIO(text.replace("\0", "\udc00"), newline=""), strict=True)
    expected: list[tuple[int, list[str | None]]] = []
    try:
        for row in reader:
            if row:
                cells: list[str | None] = [cell.replace("\udc00", "\0") for cell in row]
                expected.append((reader.line_num, (cells + [None] * 3)[:3]))
        assert faults == {}
    except csv.Error:
        assert faults
    rows = list(zip(lines, map(list, zip(*columns, strict=True)), strict=True))
    good = min(faults, default=len(rows))
    assert rows[:good] == expected[:good]
    assert len(expected) >= good
    # Pieces begin and end where records do.
    cuts = [0, *cut_records(data, ",", size, 1 << 20)]
    parts: list[tuple[int, list[str | None]]] = []
    for begin, end in pairwise(cuts):
        found, numbers, _ = read_columns(data, begin, end, ",", (0, 1, 2), 1 << 20)
        texts = map(list, zip(*(column.texts(0, 99) for column in found), strict=True))
        before = data.count(b"\n", 0, begin)
        parts += zip((number + before for number in numbers), texts, strict=True)
    assert parts == rows[: len(parts)]


@pytest.mark.parametrize(
    ("end", "error"), [("", None), ('x"y\n', "missing-scheme-non-relative-URL"), ('x"\ry\n', "invalid-record")]
)
def test_quotes_that_are_wrong_far_away(end: str, error: str | None) -> None:
    """Each line ends a quoted field and begins another one, and what is wrong comes after all of them."""
    ended = run("--column", "1", "-g", "{error}", "--csv", stdin='x","\n' * 1000 + end)
    assert ended.lines == ["error", *["invalid-record"] * 1000, *[error] * bool(end)]
    for last in ('","\n', "y\n", '""\n'):
        ended = run("--column", "1", "--invalid", "drop", stdin='x","\n' * 1000 + last + "http://h/\n")
        assert ended.lines == ["http://h/"]


def test_many_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    names = ",".join(f"c{number}" for number in range(65_536))
    path.write_text(f"\n\r\n\n{names}\n\nhttp://h/\n")
    assert run("-f", str(path), "--column", "c0", "-g", "{column:c65535}|{href}") == (0, "|http://h/\n", "")
    path.write_text(f"{names},x\nhttp://h/\n")
    for options in ([], ["--keep", "--csv"]):
        ended = run("-f", str(path), "--column", "c0", *options)
        assert ended == (3, "", f"weburl: {path}: line 1: the header has more than 65,536 columns\n")
    # Short lines have all columns, too: then fewer of them are read at a time.
    data = b"u" + b"".join(b",c%d" % number for number in range(2000)) + b"\n" + b"a\n" * 30_000
    reads = Reading(column="u"), Keep(None)
    rows = 0
    for block in delimited.read_csv(ByteStream(io.BytesIO(data), ""), *reads):
        if isinstance(block, RecordBlock):
            for part in (parse() for parse in block.parts()):
                assert part.size * (len(part.kept) + 1) <= 1 << 24
                rows += part.size
    assert rows == 30_000


@given(st.binary(max_size=60), st.integers(1, 9))
def test_any_bytes_are_records(data: bytes, size: int) -> None:
    columns, lines, faults = read_csv(data + b"\n", 2)
    assert len(columns[0]) == len(columns[1]) == len(lines)
    assert all(columns[0][row] is None for row in faults)
    assert all(lines[row] < lines[row + 1] for row in range(len(lines) - 1))
    cut_records(data, "\t", size, size)
    if not data.endswith(b"\n") and data:
        with pytest.raises(ValueError, match="the last record has no end"):
            read_csv(data, 2)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=3), values, max_size=3),
    max_leaves=5,
)


def scalar(text: Any) -> Any:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(text, str) else text


@given(st.dictionaries(st.sampled_from(["u", "a.b", "a", "é", '"', "\n"]) | st.text(max_size=2), JSON), st.booleans())
@example({"u": '\ud800\U0001f600\\"/\b\f\n\r\t\x7f'}, True)
@example({"a": {"b": {"b": 1}}, "a.b": None}, False)
@example({"a": []}, False)
def test_json_is_that_of_the_json_module(value: dict[str, Any], ascii_only: bool) -> None:
    line = json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":")).encode("utf-8", "replace")
    value = json.loads(line)
    wanted = (("u", False), ("a.b", True), ("é", True), ("\n", False))
    columns, lines, faults = read_fields(line, 0, len(line), wanted, frozenset({"u", "é"}))
    url, nested, other, newline, members = (column.texts(0, 1)[0] for column in columns)
    assert list(lines) == [1]
    if isinstance(value.get("u"), (str, type(None))):
        assert faults == {}
        assert url == scalar(value.get("u"))
    else:
        assert faults[0][0] == "the field 'u' is not a string"
    inner = value["a.b"] if "a.b" in value else value["a"].get("b") if isinstance(value.get("a"), dict) else None
    assert nested == (None if inner is None else json.dumps(inner, ensure_ascii=ascii_only, separators=(",", ":")))
    assert (other is None) == (value.get("é") is None)
    if isinstance(value.get("\n"), str):
        assert newline == scalar(value["\n"])
    left = {key: item for key, item in value.items() if key not in ("u", "é")}
    assert members == json.dumps(left, ensure_ascii=ascii_only, separators=(",", ":"))[1:-1]


EDGES = "7f 80 7ff 800 d7ff d800 d801 dbff dc00 dc01 dfff e000 ffff".split()


@pytest.mark.parametrize("first", EDGES)
def test_escapes_of_json_beside_the_edges_of_utf_8_and_utf_16(first: str) -> None:
    """One, two and three of them, and two with something between them."""
    escapes = [f"\\u{edge:>04}" for edge in EDGES]
    texts = ["", *escapes, *(one + other for one in escapes for other in escapes)]
    texts += [between + one for between in ("x", r"\n", r"\\", "u") for one in escapes]
    lines = [f'{{"u":"\\u{first:>04}{text}"}}\n' for text in texts]
    data = "".join(lines).encode()
    columns, _, faults = read_fields(data, 0, len(data), (("u", False),), None)
    assert faults == {}
    assert columns[0].texts(0, len(lines)) == [scalar(json.loads(line)["u"]) for line in lines]


@given(
    st.dictionaries(st.text(max_size=3), JSON).map(json.dumps),
    st.integers(0, 60),
    st.sampled_from(["", '"', "{", "}", ",", "\\", ":", "0", " ", "[", "]", "e", "\x01", "\t", "-", ".", "u"]),
    st.booleans(),
)
def test_what_is_not_json(text: str, place: int, other: str, replaces: bool) -> None:
    """A character that is put in, replaced or left out: it is JSON for us if it is for the json module."""
    line = (text[:place] + other + text[place + replaces :]).strip(" \t\r\n")
    if not line:
        return
    _, lines, faults = read_fields(line.encode(), 0, len(line.encode()), (("zzzzz", False),), None)
    try:
        value = json.loads(line)
    except ValueError:
        assert faults[0][0].startswith("it is not JSON: ")
    else:
        assert (0 in faults) == (not isinstance(value, dict))
    assert len(lines) == 1


def test_deep_json() -> None:
    for depth, fails in ((500, False), (600, True), (1_000_000, True)):
        line = b'{"a":' + b"[" * depth + b"]" * depth + b"}"
        assert bool(read_fields(line, 0, len(line), (("u", False),), None)[2]) == fails


def test_json_ends_where_it_is_wrong() -> None:
    for line, said in (
        ('{"é": 1,}', "character 9 is wrong"), ('{"u": "a', "it ends too early"), ("{} x", "character 4 is wrong"),
        ('{"u": tru}', "character 7 is wrong"), ("nul", "character 1 is wrong"),
        ('{"u": "a\tb"}', "character 9 is wrong"), ('{"u": 01}', "character 8 is wrong"),
    ):  # fmt: skip
        data = line.encode()
        assert read_fields(data, 0, len(data), (("u", False),), None)[2][0][0] == f"it is not JSON: {said}"


# What is kept.

AFTER_QUOTE = "invalid-record: a delimiter must follow the closing quote"
FAULT = f"weburl: standard input:5: {AFTER_QUOTE}; the next ones are only counted\n"
SUMMARY = "weburl: 3 of 5 lines are not URLs (invalid-record: 2, missing-scheme-non-relative-URL: 1)\n"


def test_csv_to_csv() -> None:
    ended = run("--column", "u", "--csv", "--keep", "-g", "{hostname} {error}", stdin=CSV)
    assert ended == (0, (
        'id,u,n,hostname,error\n1,http://a/,"x, ""y""\nz",a,\n2,b,,,missing-scheme-non-relative-URL\n'
        ",,,,invalid-record\n4,http://c/,,c,\n,,,,invalid-record\n"
    ), FAULT + SUMMARY)  # fmt: skip
    ended = run("--column", "u", "--csv", "--keep", "--invalid", "drop", "-g", "{hostname}", stdin=CSV)
    assert list(csv.reader(io.StringIO(ended.out)))[1:] == [
        ["1", "http://a/", 'x, "y"\nz', "a"],
        ["4", "http://c/", "", "c"],
    ]
    ended = run("--column", "2", "--csv", "--keep=3,1", "-g", "{host}", stdin="1,http://a/,x\n2,http://b/,\n")
    assert ended.out == "3,1,host\nx,1,a\n,2,b\n"


@pytest.mark.parametrize("more", [[], ["--sort-query"], ["--policy", "crawl"], ["--threads", "1"]])
def test_csv_to_json(more: list[str]) -> None:
    ended = run("--column", "u", "--json", "--keep=n,id", "-g", "{error}", *more, stdin=CSV)
    assert [json.loads(line) for line in ended.lines] == [
        {"n": 'x, "y"\nz', "id": "1", "error": None},
        {"n": "", "id": "2", "error": "missing-scheme-non-relative-URL"},
        {"n": None, "id": None, "error": "invalid-record"},
        {"n": None, "id": "4", "error": None},
        {"n": None, "id": None, "error": "invalid-record"},
    ]
    assert ended.err == FAULT + SUMMARY


def test_a_column_without_a_name() -> None:
    """As pandas writes its index."""
    text = "n,,u\n7,0,http://a/\n"
    assert run("--column", "u", "--csv", "--keep", "-g", "{host}", stdin=text).out == "n,,u,host\n7,0,http://a/,a\n"
    ended = run("--column", "u", "--json", "--keep", "-g", "{host}", stdin=text)
    assert ended.lines == ['{"n":"7","":"0","u":"http://a/","host":"a"}']
    assert run("--column", "u", "-g", "{column:} {host}", stdin=text).lines == ["0 a"]


def test_a_number_that_is_a_name() -> None:
    """A table of as many columns would take gigabytes."""
    assert run("--column", "20261123", stdin="n,20261123\n1,http://h/\n") == (0, "http://h/\n", "")
    assert run("--column", "9999999", "-g", "{error}", stdin="n\n").lines == [""]
    message = "weburl: standard input: there is no column '999999999': the columns are 'n'\n"
    assert run("--column", "999999999", stdin="n\n") == (1, "", message)


def test_formats() -> None:
    ended = run("--column", "u", "-g", "{column:id}|{host}|{column:n}|{error}|{column:id}", stdin=CSV)
    assert ended.lines[:2] == ['1|a|x, "y"%0Az||1', "2|||missing-scheme-non-relative-URL|2"]
    ended = run("--field", "u", "-g", "{column:id} {host} {column:n.x}", "--invalid", "drop", stdin=JSONL)
    assert ended.lines == ["1.0 a é%E2%80%AE"]


def test_json_to_json() -> None:
    ended = run("--field", "u", "--json", "--keep", "-g", "{href} {error}", stdin=JSONL)
    assert ended.lines == [
        '{"id":1.0,"u":"http://a/","n":{"x":"\\u00e9\\u202E"},"href":"http://a/","error":null}',
        '{"u":"b","t":[],"href":null,"error":"missing-scheme-non-relative-URL"}',
        '{"href":null,"error":"invalid-record"}',
        '{"href":null,"error":null}',
        '{"u":7,"n":1,"href":null,"error":"invalid-record"}',
        '{"href":null,"error":"invalid-record"}',
    ]
    assert "weburl: standard input:4:13: invalid-record: it is not JSON: it ends too early; " in ended.err
    ended = run("--field", "u", "--json", "--keep=n,zz", "-g", "{host}", stdin=JSONL)
    assert ended.lines[0] == '{"n":{"x":"\\u00e9\\u202E"},"zz":null,"host":"a"}'
    ended = run("--field", "u", "--csv", "--keep=n,id", "-g", "{host}", stdin=JSONL)
    assert ended.lines[1] == '"{""x"":""\\u00e9\u202e""}",1.0,a'


def test_filters() -> None:
    for more in (["--match", "http://c/*"], ["--not-match", "http://a/*"]):
        for form in (["--csv"], ["--json"]):
            ended = run("--column", "u", *form, "--keep=id", "-g", "{host}", *more, stdin=CSV)
            assert ended.lines[-1] == ("4,c" if form == ["--csv"] else '{"id":"4","host":"c"}')
            assert len(ended.lines) == 1 + (form == ["--csv"])
            assert ended.err == FAULT + SUMMARY


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        ("--keep --column u", 2, "--keep is for records, as --json and --csv: {column:NAME} in -g is one column"),
        ("--csv --keep -g {host},{column:id}", 2, "--keep keeps all columns, so -g needs no {column:id}"),
        ("--csv --keep -g {time},{host}", 2, "--keep keeps all columns, so -g needs no {time}"),
        ("--csv --keep -g {column:time}", 2, "--keep keeps all columns, so -g needs no {time}"),
        (
            "--csv --keep",
            2,
            "standard input: its lines have no columns: --column, --field or --log says that they are records",
        ),
        ("-g {column:id}", 2, "standard input: its lines have no columns: --column, --field or --log says that they"),
        (
            "--csv --keep=x --column u",
            1,
            "standard input: there is no column 'x' to keep: the columns are 'id', 'u', 'n'",
        ),
        (
            "--csv --keep --field u",
            2,
            "standard input: JSON Lines have no header: --keep needs names here, as --keep=id",
        ),
    ],
)
def test_what_cannot_be_kept(options: str, status: int, said: str) -> None:
    ended = run(*options.split(), stdin=CSV)
    assert (ended.status, ended.out) == (status, "")
    assert ended.err.splitlines()[-1].startswith(f"weburl: {said}")


def test_columns_of_one_name(tmp_path: Path) -> None:
    """--keep alone refuses them; --keep=NAME takes the first."""
    text = "u,a,b,a\nhttp://h/,1,2,3\n"
    said = "'a' is the name of more than one column: name the columns to keep (--keep=NAME,NAME)"
    assert run("--csv", "--keep", "--column", "u", stdin=text) == (2, "", f"weburl: standard input: {said}\n")
    assert run("--csv", "--keep=b,a", "--column", "u", "-g", "{host}", stdin=text).out == "b,a,host\n2,1,h\n"
    # A column that a new one replaces is not kept.
    text = text.replace("a", "host")
    assert run("--csv", "--keep", "--column", "u", "-g", "{host}", stdin=text).out == "u,b,host\nhttp://h/,2,h\n"
    assert run("--csv", "--keep", "--column", "u", stdin="u,,\nhttp://h/,1,2\n").err == (
        "weburl: standard input: '' is the name of more than one column: name the columns to keep (--keep=NAME,NAME)\n"
    )
    # Also in a file after the first, which has the same names.
    first, second = tmp_path / "1.csv", tmp_path / "2.csv"
    first.write_text("u,a\nhttp://h/,1\n")
    second.write_text("u,a,a\nhttp://i/,2,3\n")
    ended = run("-f", str(first), str(second), "--csv", "--keep", "--column", "u", "-g", "{host}")
    assert ended == (2, "u,a,host\nhttp://h/,1,h\n", f"weburl: {second}: {said}\n")
    # The column with the URLs counts, unless it is left out.
    text = "u,u,v\nhttp://h/,http://i/,1\n"
    assert run("--csv", "--keep", "--column", "u", "-g", "{host}", stdin=text).status == 2
    assert run("--csv", "--keep", "--column", "u", "-g", "{redacted}", stdin=text).out == "v,redacted\n1,http://h/\n"


def test_json_lines_after_columns(tmp_path: Path) -> None:
    """Their members have no header that could be compared."""
    first, second = tmp_path / "1.csv", tmp_path / "2.jsonl"
    first.write_text("u,a\nhttp://h/,1\n")
    second.write_text('{"u":"http://i/","a":2,"b":3}\n')
    options = ("-f", str(first), str(second), "--column", "u", "--field", "u", "-g", "{host}")
    for form in ("--csv", "--json"):
        ended = run(*options, form, "--keep")
        assert (ended.status, ended.lines[-1][-1:]) == (2, "h" if form == "--csv" else "}")
        said = "JSON Lines have no header: --keep needs names here, as --keep=id,time"
        assert ended.err == f"weburl: {second}: {said}\n"
        assert run(*options, form, "--keep=a").lines[-1] == ("2,i" if form == "--csv" else '{"a":2,"host":"i"}')


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (["--csv", "--keep", "-g", "{host}"], ["1,host", "http://h/,", "http://i/,j"]),
        (["--json", "-g", "{column:1} {host}"], ['{"1":"http://h/","host":null}', '{"1":"http://i/","host":"j"}']),
        (["--csv", "-g", "{host}"], ["host", '""', "j"]),
    ],
)
def test_a_number_that_the_first_record_does_not_have(options: list[str], lines: list[str]) -> None:
    data = "http://h/\nhttp://i/,http://j/\n"
    ended = run("--column", "2", *options, stdin=data)
    assert (ended.status, ended.lines) == (0, lines)
    assert ended.err == "weburl: 1 of 2 lines is not a URL (null: 1)\n"


def test_one_file_for_results_and_rejects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("out")
    for other in ("out", "./out", str(tmp_path / "out"), "link"):
        ended = run("-o", "out", "--invalid", f"file={other}", stdin="http://h/\n")
        assert (ended.status, ended.out) == (2, "")
        assert ended.err.endswith("weburl: -o and --invalid file=PATH name one file: 'out'\n")
    assert os.listdir() == ["link"]
    assert run("-o", os.devnull, "--invalid", f"file={os.devnull}", stdin="http://h/\n").status == 0


def test_with_redacted_the_urls_are_kept_by_name_only() -> None:
    redacted = "http://REDACTED:REDACTED@a/"
    for more in ([], ["--input", "csv"]):
        options = ["--csv", "--column", "u", "-g", "{redacted}", *more]
        text = "u,v\nhttp://u:p@a/,1\n"
        assert run("--keep", *options, stdin=text).out == f"v,redacted\n1,{redacted}\n"
        assert run("--keep=v,u", *options, stdin=text).out == f"v,u,redacted\n1,http://u:p@a/,{redacted}\n"
    line = '{"r":{"url":"http://u:p@a/"},"v":1,"r.url":2}'
    options = ["--json", "--field", "r.url", "-g", "{redacted}"]
    text = line.replace(',"r.url":2', "")
    assert run("--keep", *options, stdin=text).out == f'{{"v":1,"redacted":"{redacted}"}}\n'
    assert run("--keep", *options, stdin=line).out == '{"v":1,"redacted":null}\n'
    assert run("--keep=r", *options, stdin=line).out.startswith('{"r":{"url":"http://u:p@a/"},')
    ended = run("--csv", "--keep", "--column", "2", "-g", "{redacted}", stdin="1,http://u:p@a/,x\n")
    assert ended.out == f"1,3,redacted\n1,x,{redacted}\n"


def test_several_inputs(tmp_path: Path) -> None:
    for name, text in (("a.csv", "u,v\nhttp://a/,1\n"), ("b.csv", "v,u\n2,http://b/\n"), ("c.csv", "u,v,w\nx:,3,4\n")):
        (tmp_path / name).write_text(text)
    names = [str(tmp_path / name) for name in ("a.csv", "b.csv", "c.csv")]
    ended = run("-f", *names[:2], "--column", "u", "--csv", "--keep", "-g", "{host}")
    assert ended.lines == ["u,v,host", "http://a/,1,a", "http://b/,2,b"]
    ended = run("-f", *names, "--column", "u", "--csv", "--keep", "-g", "{host}")
    assert ended.status == 3
    assert ended.err == f"weburl: {names[2]}: its columns are not those of the first file: --keep must name some\n"
    ended = run("-f", *names, "--column", "u", "--csv", "--keep=v", "-g", "{href}")
    assert ended.lines == ["v,href", "1,http://a/", "2,http://b/", "3,x:"]
    ended = run("http://h/", "-f", names[0], "--column", "u", "--csv", "--keep=v", "-g", "{href}")
    assert ended.lines == ["v,href", ",http://h/", "1,http://a/"]
    ended = run("--column", "u", "--csv", "--keep", "-g", "{href}", stdin="u,v\n")
    assert ended == (0, "u,v,href\n", "")


# Records that do not parse.


@pytest.mark.parametrize("part", [1, 20, 1 << 18])
def test_faults_do_not_take_others_along(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (delimited, line_records):
        monkeypatch.setattr(module, "RECORD_BYTES", part)
    lines = ['"x"y,1', '"a', 'http://h/,"z', "b\rc,2", 'http://i/,"q""', '"http://j/"x']
    text = "u,v\nhttp://a/,1\n" + "".join(f"{line}\nhttp://ok{n}/,2\n" for n, line in enumerate(lines))
    ended = run("--column", "u", "-g", "{host}", "--invalid", "drop", stdin=text)
    assert ended.lines == ["a", *(f"ok{n}" for n in range(len(lines)))]
    ended = run("--column", "u", "-g", "{host}{error}", stdin=text)
    assert ended.lines.count("invalid-record") == 6
    text = "".join(f'{{"u":"http://a{n}/"}}\n{{"u":"x\n' for n in range(5))
    ended = run("--field", "u", "-g", "{host}", "--invalid", "drop", stdin=text)
    assert ended.lines == [f"a{n}" for n in range(5)]


def test_other_commands(tmp_path: Path) -> None:
    ended = run("check", "--column", "u", stdin=CSV)
    assert "standard input:5:1: invalid-record: a delimiter must follow the closing quote\n" in ended.out
    assert "standard input:7:1: invalid-record: a quote has no end\n" in ended.out
    counted = json.loads(run("stats", "--json", "--column", "u", stdin=CSV).out)
    assert (counted["urls"], counted["invalid"]) == (2, 3)
    errors = {each["name"]: each["count"] for each in counted["errors"]["top"]}
    assert errors == {"invalid-record": 2, "missing-scheme-non-relative-URL": 1}


def test_the_first_ends_it() -> None:
    ended = run(
        "--column", "u", "--invalid", "fail", "--csv", "--keep=id", "-g", "{host}", stdin=CSV.replace("b,", "b:,")
    )
    assert (ended.status, ended.lines) == (1, ["id,host", "1,a", "2,"])
    assert ended.err == "weburl: standard input:5: invalid-record: a delimiter must follow the closing quote\n"
    assert run("--column", "u", "--verify", stdin='u\n"x"y\n').status == 1


# Rejects.


def test_rejects(tmp_path: Path) -> None:
    path = tmp_path / "rejects"
    ended = run("--column", "u", "--invalid", f"file={path}", stdin=CSV)
    assert ended == (0, "http://a/\nhttp://c/\n", FAULT + SUMMARY)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [{key: row[key] for key in row if key not in ("message", "file")} for row in rows] == [
        {"line": 4, "error": "missing-scheme-non-relative-URL", "input": "b"},
        {"line": 5, "error": "invalid-record", "record": '"q"x,3,'},
        {"line": 7, "error": "invalid-record", "record": '5,"http://d/'},
    ]
    assert rows[0]["file"] == "standard input"
    assert rows[1]["message"] == "invalid-record: a delimiter must follow the closing quote"
    run("--field", "u", "--invalid", f"file={path}", "--max-line", "30", stdin=JSONL)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(row["line"], row["error"]) for row in rows] == [
        (1, "too-long"), (2, "missing-scheme-non-relative-URL"), (4, "invalid-record"), (5, "null"),
        (6, "invalid-record"), (7, "invalid-record"),
    ]  # fmt: skip
    assert rows[2]["record"] == '{"id":1,"u":'


def test_rejects_of_lines_and_filters(tmp_path: Path) -> None:
    path = tmp_path / "rejects"
    data = "http://a/\nb\nhttp://c/\nhttp://h:x/\n"
    ended = run("--match", "http://c/*", "--invalid", f"file={path}", stdin=data)
    assert ended.out == "http://c/\n"
    assert [json.loads(line)["line"] for line in path.read_text().splitlines()] == [2, 4]
    # What the filter leaves out is not changed, so that it cannot fail.
    options, data = ["--match", "http://*/*", "-s", "port=8", "--invalid"], "x:opaque\nhttp://a/\nb\n"
    assert run(*options, f"file={path}", stdin=data).out == "http://a:8/\n"
    assert [json.loads(line)["line"] for line in path.read_text().splitlines()] == [3]
    ended = run(*options, "fail", stdin=data)
    assert (ended.status, ended.out) == (1, "http://a:8/\n")
    assert ended.err.startswith("weburl: standard input:3: missing-scheme")
    # Nor does what is left out for its key.
    other, data = tmp_path / "other", "http://a/1\nx://a/2\nx:opaque\nhttp://b/\nb\n"
    other.write_text("http://a/\n")
    for command, lines in (("dedup", [3, 5]), (f"join --with {other}", [2, 5])):
        for more, left_out in ((["--not-match", "x:*"], 3), ([], 9)):
            options = [*command.split(), "--key", "hostname", "-s", "scheme=https", "--invalid", f"file={path}", *more]
            run(*options, stdin=data)
            found = [json.loads(line)["line"] for line in path.read_text().splitlines()]
            assert found == [line for line in lines if line != left_out]
    secret = "http://u:hunter2@h:x/?token=hunter2"
    run("--invalid", f"file={path}", "-g", "{redacted}", stdin=secret)
    assert "hunter2" not in path.read_text()
    run("--invalid", f"file={path}", stdin=secret)
    row = json.loads(path.read_text())
    assert row["input"] == secret
    assert "hunter2@" not in row["message"]


def test_rejects_need_a_file(tmp_path: Path) -> None:
    for choice in ("file=", "file=-"):
        assert run("--invalid", choice, "http://a").status == 2
    ended = run("--invalid", f"file={tmp_path}/no/such", "http://a")
    assert (ended.status, ended.out) == (3, "")
    # As any file that is written, it is there only if all went well.
    path = tmp_path / "rejects"
    assert run("--invalid", f"file={path}", "-f", str(tmp_path / "x")).status == 3
    assert not path.exists()
    assert run("--invalid", "files", "http://a").status == 2
