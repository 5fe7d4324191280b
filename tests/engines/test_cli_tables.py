"""The command with files of columns, and with files packed with zstd."""

from __future__ import annotations

import gzip
import io
import json
import random
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from backports import zstd
from pyarrow import feather, ipc, parquet
from support.command import run

from weburl.cli.readers.records import line_records
from weburl.cli.writers import tables

TABLE = pyarrow.table({"n": [1, 2, 3], "u": ["http://a/", None, "http://é/"], "l": [[1], [], None]})
PRINTED = ["http://a/", "", "http://xn--9ca/"]


def parquet_bytes(table: Any = TABLE) -> bytes:
    out = io.BytesIO()
    parquet.write_table(table, out)
    return out.getvalue()


def feather_bytes(table: Any = TABLE) -> bytes:
    out = io.BytesIO()
    feather.write_feather(table, out, "lz4")
    return out.getvalue()


def stream_bytes(table: Any = TABLE) -> bytes:
    out = io.BytesIO()
    with ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


WRITERS = {"parquet": parquet_bytes, "feather": feather_bytes, "arrows": stream_bytes}


@pytest.mark.parametrize("kind", WRITERS)
def test_a_file_is_what_it_has(kind: str, tmp_path: Path) -> None:
    """Whatever its name, packed, and in a pipe."""
    data = WRITERS[kind]()
    for packed in (data, gzip.compress(data), zstd.compress(data)):
        for name in (f"a.{kind}", "a.txt", "a.csv"):
            (tmp_path / name).write_bytes(packed)
            assert run("-f", str(tmp_path / name), "--column", "u").lines == PRINTED
        assert run("--column", "u", stdin=packed).lines == PRINTED
    ended = run("--column", "n", stdin=data)
    assert (ended.status, ended.out) == (3, "")
    assert ended.err.startswith("weburl: standard input: the column 'n' must be a column of strings")
    ended = run("--column", "x", stdin=data)
    said = "weburl: standard input: there is no column 'x': the columns are 'n', 'u', 'l'\n"
    assert ended == (1, "", said)


@pytest.mark.parametrize("kind", WRITERS)
def test_damage(kind: str) -> None:
    """Whatever is cut off or changed, the command ends with a sentence, or reads what is there."""
    data = WRITERS[kind]()
    for end in range(8, len(data) - 1, 7):
        ended = run("--column", "u", stdin=data[:end])
        assert ended.status in (0, 3)
        if ended.status == 3:
            assert ended.err.startswith("weburl: standard input: ")
            assert ended.err.count("\n") == 1
    cut = [run("--column", "u", stdin=data[: len(data) // part]).status for part in (2, 3)]
    assert cut == [3, 3]
    for place in range(8, len(data), 5):
        ended = run("--column", "u", stdin=data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
        assert ended.status in (0, 3)
        assert "Traceback" not in ended.err


def test_offsets_that_lead_elsewhere() -> None:
    """Arrow itself would read other memory."""
    urls = pyarrow.array(["http://a/", "http://b/"])
    data = stream_bytes(pyarrow.table({"u": urls}))
    offsets = b"\0\0\0\0\x09\0\0\0\x12\0\0\0"
    assert data.count(offsets) == 1
    ended = run("--column", "u", stdin=data.replace(offsets, b"\0\0\0\0\x09\0\0\0\xff\xff\0\0"))
    assert (ended.status, ended.out) == (3, "")
    assert ended.err.startswith("weburl: standard input: its Arrow data cannot be read: ")


def test_many_batches(tmp_path: Path) -> None:
    urls = [f"http://h/{n}" for n in range(50_000)]
    for kind in ("feather", "arrows"):
        path = tmp_path / f"a.{kind}"
        path.write_bytes(WRITERS[kind](pyarrow.table({"u": urls})))
        assert run("-f", str(path)).lines == urls


def test_partitions(tmp_path: Path) -> None:
    """The keys of Hive are columns, unless the file has a column of that name."""
    for day, site in (("2026-11-21", "a"), ("2026-11-22", "http%3A%2F%2Fb"), ("__HIVE_DEFAULT_PARTITION__", "c")):
        folder = tmp_path / "logs" / f"day={day}" / f"site={site}" / "n=7"
        folder.mkdir(parents=True)
        (folder / "part-0.parquet").write_bytes(parquet_bytes(pyarrow.table({"n": [1, 2], "u": ["http://a/", "x"]})))
        (folder / "_SUCCESS").touch()
    logs = str(tmp_path / "logs")
    assert run("-f", logs, "--column", "u", "--invalid", "drop").lines == ["http://a/"] * 3
    ended = run("-f", logs, "--column", "site", "--base", "http://h")
    assert ended.lines == ["http://h/a", "http://h/a", "http://b/", "http://b/", "http://h/c", "http://h/c"]
    ended = run("-f", logs, "--column", "day", "--base", "http://h", "-g", "{pathname}")
    assert ended.lines == ["/2026-11-21"] * 2 + ["/2026-11-22"] * 2 + [""] * 2
    assert "null: 2" in ended.err
    ended = run("-f", logs, "--column", "z")
    assert ended.err.endswith("there is no column 'z': the columns are 'n', 'u', 'day', 'site'\n")
    assert run("-f", logs, "--column", "n").status == 3
    one = str(tmp_path / "logs" / "day=2026-11-21" / "site=a" / "n=7" / "*.parquet")
    assert run("-f", one, "--column", "site", "-g", "{input}").lines == ["a", "a"]


def test_zstd(tmp_path: Path) -> None:
    lines = b"".join(b"http://h/%d\n" % n for n in range(100_000))
    frames = zstd.compress(lines[: 1 << 20]) + b"\x50\x2a\x4d\x18\3\0\0\0abc" + zstd.compress(lines[1 << 20 :])
    for data in (zstd.compress(lines), frames, b"\x5f\x2a\x4d\x18\0\0\0\0" + frames):
        path = tmp_path / "urls.txt.zst"
        path.write_bytes(data)
        for ended in (run("-f", str(path)), run(stdin=data)):
            assert (ended.status, ended.out) == (0, lines.decode())
        assert json.loads(run("stats", "--json", str(path)).out)["urls"] == 100_000
    ended = run(stdin=zstd.compress(lines)[:-9])
    assert ended.status == 3
    assert ended.err == "weburl: standard input: it is cut off: its zstd data has no end\n"
    ended = run(stdin=zstd.compress(b"http://a/\n") + b"more")
    assert ended.status == 3
    assert ended.err.startswith("weburl: standard input: its zstd data cannot be unpacked: ")
    assert run("-f", str(path), "--column", "u").status == 1


# What is kept.

TYPED = pyarrow.table(
    {
        "n": pyarrow.array([1, None, 1 << 60]), "u": ["http://a/", "b", "http://c/"], "f": [0.5, float("nan"), 2.0],
        "t": pyarrow.array([0, 1, None], pyarrow.timestamp("s")), "l": [[1, None], [], None], "b": [True, False, None],
        "d": pyarrow.array(["x", 'y"', None]).dictionary_encode(),
    }
)  # fmt: skip


@pytest.mark.parametrize("kind", WRITERS)
def test_columns_keep_their_types(kind: str, tmp_path: Path) -> None:
    """In Parquet and Arrow, all; elsewhere numbers, lists, true and false are those of JSON."""
    data = WRITERS[kind](TYPED)
    out = tmp_path / "out"
    for option, read in (("--parquet", parquet.read_table), ("--arrow", feather.read_table)):
        ended = run("--column", "u", option, str(out), "--keep", "-g", "{hostname} {error}", stdin=data)
        assert ended.status == 0
        table = read(out)
        assert table.column_names == [*TYPED.column_names, "hostname", "error"]
        # Parquet itself has no seconds, and reads what was a dictionary as the file says.
        for name in ("n", "u", "f", "l", "b"):
            assert table[name].type == TYPED[name].type
            assert str(table[name].to_pylist()) == str(TYPED[name].to_pylist())
        assert table["d"].to_pylist() == ["x", 'y"', None]
        assert table["hostname"].to_pylist() == ["a", None, "c"]
        ended = run(
            "--column", "u", option, str(out), "--keep=n", "-g", "{column:t}{host}", "--invalid", "drop", stdin=data
        )
        assert read(out)["n"].to_pylist() == [1, 1 << 60]
        assert read(out).column_names == ["n", "t", "host"]
        run("--column", "u", option, str(out), "--keep=n", "-g", "{host}", "--match", "http://c/", stdin=data)
        assert read(out).to_pylist() == [{"n": 1 << 60, "host": "c"}]
    ended = run("--column", "u", "--json", "--keep", "-g", "{host}", stdin=data)
    assert ended.lines == [
        '{"n":1,"u":"http://a/","f":0.5,"t":"1970-01-01T00:00:00","l":[1,null],"b":true,"d":"x","host":"a"}',
        '{"n":null,"u":"b","f":null,"t":"1970-01-01T00:00:01","l":[],"b":false,"d":"y\\"","host":null}',
        '{"n":1152921504606846976,"u":"http://c/","f":2.0,"t":null,"l":null,"b":null,"d":null,"host":"c"}',
    ]
    ended = run("--column", "u", "--csv", "--keep=n,l,d", "-g", "{host}", stdin=data)
    assert ended.lines == ["n,l,d,host", '1,"[1,null]",x,a', ',[],"y""",', "1152921504606846976,,,c"]


def test_records_to_columns(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for option, read in (("--parquet", parquet.read_table), ("--arrow", feather.read_table)):
        text = 'id,u\n1,http://a/\n"q"x\n3,b\n'
        ended = run("--column", "u", option, str(out), "--keep", "-g", "{host} {error}", stdin=text)
        assert "invalid-record: 1" in ended.err
        assert read(out).to_pylist() == [
            {"id": "1", "u": "http://a/", "host": "a", "error": None},
            {"id": None, "u": None, "host": None, "error": "invalid-record"},
            {"id": "3", "u": "b", "host": None, "error": "missing-scheme-non-relative-URL"},
        ]
        text = '{"u":"http://a/","n":{"x":"\\u00e9"}}\n{"u":"http://b/","n":"\\u00e9"}\n'
        run("--field", "u", option, str(out), "--keep=n", "-g", "{host}", stdin=text)
        assert read(out)["n"].to_pylist() == ['{"x":"\\u00e9"}', "é"]


def test_types_of_several_files(tmp_path: Path) -> None:
    for name, values in (("a", [1]), ("b", ["x"]), ("c", [2.0])):
        table = pyarrow.table({"n": values, "u": ["http://a/"]})
        (tmp_path / f"{name}.parquet").write_bytes(parquet_bytes(table))
    out = str(tmp_path / "out")
    names = [str(tmp_path / f"{name}.parquet") for name in "abc"]
    ended = run("-f", names[0], names[2], "--column", "u", "--keep=n", "--parquet", out, "-g", "{host}")
    assert parquet.read_table(out)["n"].to_pylist() == [1, 2]
    ended = run("-f", names[0], names[1], "--column", "u", "--keep=n", "--parquet", out, "-g", "{host}")
    assert (ended.status, ended.err) == (
        3, "weburl: the column 'n' is of the type string here, and was int64 before\n"
    )  # fmt: skip


def test_keys_of_partitions_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "day=2026-11-22"
    folder.mkdir()
    (folder / "a.parquet").write_bytes(parquet_bytes())
    ended = run("-f", str(tmp_path), "--column", "u", "--csv", "--keep=n,day", "-g", "{host}", "--invalid", "drop")
    assert ended.lines == ["n,day,host", "1,2026-11-22,a", "3,2026-11-22,xn--9ca"]
    ended = run("-f", str(tmp_path), "--column", "u", "--json", "--keep", "-g", "{host}", "--invalid", "drop")
    assert ended.lines[0] == '{"n":1,"u":"http://a/","l":[1],"day":"2026-11-22","host":"a"}'


def test_pipes(tmp_path: Path) -> None:
    """What one command writes, another reads."""
    import subprocess
    import sys

    weburl = [sys.executable, "-m", "weburl"]
    for option in ("--parquet", "--arrow"):
        first = subprocess.run(
            [*weburl, option, "-", "-g", "{href} {host}", "http://a/x", "http://b/"], capture_output=True
        )
        assert first.stderr == b""
        second = subprocess.run(
            [*weburl, "--column", "href", "-g", "{pathname} {column:host}"], input=first.stdout, capture_output=True
        )
        assert second.stdout == b"/x a\n/ b\n"


NAN = float("nan")


def kept(column: Any, form: str, tmp_path: Path) -> str:
    table = pyarrow.table({"u": ["http://h/"], "x": column})
    with ipc.new_file(tmp_path / "x.arrow", table.schema) as writer:
        writer.write_table(table)
    ended = run("-f", str(tmp_path / "x.arrow"), "--column", "u", form, "--keep=x", "-g", "{host}")
    assert (ended.status, ended.err) == (0, "")
    return ended.lines[-1]


@pytest.mark.parametrize(
    ("value", "kind", "csv", "json"),
    [
        (1767225600123456789, pyarrow.timestamp("ns"), "2026-01-01T00:00:00.123456789", None),
        pytest.param(
            *(1767225600123456789, pyarrow.timestamp("ns", "+05:30"), "2026-01-01T05:30:00.123456789+05:30", None),
            id="nanoseconds-and-offset",
        ),
        (1767225600123456, pyarrow.timestamp("us", "+05:30"), "2026-01-01T05:30:00.123456+05:30", None),
        (12345678901234, pyarrow.time64("ns"), "03:25:45.678901234", None),
        (2932897, pyarrow.date32(), "10000-01-01", None),
        (123456789000, pyarrow.duration("ns"), "0:02:03.456789", None),
        (123456789, pyarrow.duration("us"), "0:02:03.456789", None),
        (1767225600000000000, pyarrow.timestamp("ns"), "2026-01-01T00:00:00", None),
        (float("nan"), pyarrow.float64(), "nan", "null"),
        (float("-inf"), pyarrow.float32(), "-inf", "null"),
        (1.5, pyarrow.float64(), "1.5", "1.5"),
        ([1.5, NAN, float("inf")], pyarrow.list_(pyarrow.float64()), '"[1.5,null,null]"', "[1.5,null,null]"),
        ({"a": [NAN]}, pyarrow.struct([("a", pyarrow.list_(pyarrow.float64()))]), None, '{"a":[null]}'),
        ([("k", float("inf"))], pyarrow.map_(pyarrow.string(), pyarrow.float64()), None, '[["k",null]]'),
    ],
)  # fmt: skip
def test_values_that_json_or_python_do_not_have(
    value: Any, kind: Any, csv: str | None, json: str | None, tmp_path: Path
) -> None:
    column = pyarrow.array([value], kind)
    if csv is not None:
        assert kept(column, "--csv", tmp_path) == f"{csv},h"
    assert kept(column, "--json", tmp_path) == f'{{"x":{json or chr(34) + str(csv) + chr(34)},"host":"h"}}'


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (9223371331200000000, pyarrow.timestamp("us")),
        (2**62, pyarrow.timestamp("s")),
        (123456789, pyarrow.duration("ns")),
        (1, pyarrow.timestamp("s", "Mars/Phobos")),
    ],
)
def test_columns_that_cannot_be_text(value: Any, kind: Any, tmp_path: Path) -> None:
    table = pyarrow.table({"u": ["http://h/"], "x": pyarrow.array([value], kind)})
    with ipc.new_file(tmp_path / "x.arrow", table.schema) as writer:
        writer.write_table(table)
    for form in ("--csv", "--json"):
        ended = run("-f", str(tmp_path / "x.arrow"), "--column", "u", form, "--keep", "-g", "{host}")
        assert ended.status == 3
        assert ended.err.startswith(f"weburl: {tmp_path / 'x.arrow'}: the column 'x' cannot be written as text: ")
    assert run("-f", str(tmp_path / "x.arrow"), "--column", "u", "-g", "{host}").lines == ["h"]


def test_nanoseconds_in_an_object(tmp_path: Path) -> None:
    """Python has no object for them; pandas has one."""
    kind = pyarrow.struct([("a", pyarrow.timestamp("ns"))])
    table = pyarrow.table({"u": ["http://h/"], "x": pyarrow.array([{"a": 1767225600123456789}], kind)})
    with ipc.new_file(tmp_path / "x.arrow", table.schema) as writer:
        writer.write_table(table)
    ended = run("-f", str(tmp_path / "x.arrow"), "--column", "u", "--json", "--keep=x", "-g", "{host}")
    if find_spec("pandas") is None:
        assert ended.status == 3
        assert "the column 'x' cannot be written as text: " in ended.err
    else:
        assert ended.lines == ['{"x":{"a":"2026-01-01T00:00:00.123456789"},"host":"h"}']


ENCODINGS = ["PLAIN", "DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY", "dictionary"]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("other", ENCODINGS)
@pytest.mark.parametrize("seed", range(3))
def test_each_encoding_of_texts(encoding: str, other: str, seed: int, tmp_path: Path) -> None:
    """Of a column, beside another one, in row groups and pages of any size."""
    source = random.Random(f"{encoding} {other} {seed}")
    rows = source.choice([1, 7, 1030, 5000])
    texts = [[f"http://a/{source.choice('abc') * source.randrange(40)}" for _ in range(rows)] for _ in range(2)]
    table = pyarrow.table({"u": texts[0], "k": pyarrow.array([{"v": text} for text in texts[1]])})
    chosen = {"u": encoding, "k.v": other}
    path = tmp_path / "a.parquet"
    parquet.write_table(
        table,
        path,
        row_group_size=source.randint(1 + rows // 4, rows),
        data_page_size=source.choice([64, 4096, 1 << 20]),
        use_dictionary=[name for name, each in chosen.items() if each == "dictionary"],
        column_encoding={name: each for name, each in chosen.items() if each != "dictionary"},
    )
    ended = run("--column", "u", "--json", "--keep=k", "-g", "{href}", "-f", str(path))
    found = [json.loads(line) for line in ended.lines]
    assert found == [{"k": {"v": text}, "href": url} for url, text in zip(*texts, strict=True)]


@pytest.mark.parametrize("kind", [*WRITERS, "parquet groups"])
@pytest.mark.parametrize("seed", range(5))
def test_dictionaries_with_values_of_other_rows(kind: str, seed: int, tmp_path: Path) -> None:
    """In batches of any size, with nulls, and with dictionaries that many batches share or that follow each other."""
    source = random.Random(f"{kind} {seed}")
    index = source.choice([pyarrow.int32(), pyarrow.uint32(), pyarrow.int64()])
    batches: list[Any] = []
    expected: list[str | None] = []
    # pyarrow writes no others with nulls.
    nulls = source.choice([[], [None]]) if kind == "arrows" else []
    values = pyarrow.array(["http://a/"])
    for _ in range(source.randint(1, 12)):
        if not batches or (len(batches) % 5 == 0 and kind != "feather"):
            count = source.choice([1, 3, 100, 100_000])
            texts = [source.choice([*nulls, f"http://a/{number}"]) for number in range(count)]
            values = pyarrow.array(texts, pyarrow.string())
        rows = source.choice([0, 1, 2, 50])
        places = [source.choice([None, source.randrange(min(len(values), 127))]) for _ in range(rows)]
        column = pyarrow.DictionaryArray.from_arrays(pyarrow.array(places, index), values)
        batches.append(pyarrow.record_batch({"u": column, "k": column}))
        expected += [None if place is None else values[place].as_py() for place in places]
    table = pyarrow.Table.from_batches(batches)
    if kind == "parquet groups":
        out = io.BytesIO()
        parquet.write_table(table, out, row_group_size=7)
        data = out.getvalue()
    else:
        data = WRITERS[kind](table)
    ended = run("--column", "u", "--csv", "--keep=k", "-g", "{href}", stdin=data)
    assert ended.lines[1:] == [f"{text or ''},{text or ''}" for text in expected]
    # Written as columns, they have the same values.
    path = tmp_path / "a"
    for options in (["--parquet", str(path)], ["--arrow", str(path)]):
        ended = run("--column", "u", *options, "--keep=k", "-g", "{href}", stdin=data)
        if nulls and ended.status:
            assert (ended.status, ended.err.startswith(f"weburl: {path}: it cannot be written: ")) == (3, True), ended
            continue
        assert ended.status == 0, ended
        read = parquet.read_table(path) if options[0] == "--parquet" else ipc.open_file(path.read_bytes()).read_all()
        assert read["k"].to_pylist() == read["href"].to_pylist() == expected


@pytest.mark.parametrize("place", [-1, 5, 127])
def test_an_index_outside_a_dictionary_that_was_checked_before(place: int) -> None:
    values = pyarrow.array([f"http://a/{number}" for number in range(5)])
    batches = []
    for number in (4, place):
        index = pyarrow.array([0, number, 1], pyarrow.int8())
        column = pyarrow.DictionaryArray.from_arrays(index, values, safe=False)
        batches.append(pyarrow.record_batch({"u": column}))
    ended = run("--column", "u", stdin=stream_bytes(pyarrow.Table.from_batches(batches)))
    assert ended.status == 3
    assert ended.lines[:3] in ([], ["http://a/0", "http://a/4", "http://a/1"])
    assert ended.err.startswith("weburl: standard input: ")


@pytest.mark.parametrize("seed", range(3))
def test_an_arrow_file_has_one_dictionary(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several are one if they fit in a part of the file. If not, it is refused in words, and a stream is not."""
    source = random.Random(seed)
    monkeypatch.setattr(tables, "GROUP_ROWS", source.choice([1, 5, 9]))
    batches = []
    for number in range(source.randint(2, 9)):
        values = pyarrow.array([f"http://{number}.a/{place}" for place in range(source.randint(1, 9))])
        column = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * source.randint(1, 5), pyarrow.int8()), values)
        batches.append(pyarrow.record_batch({"u": column}))
    table = pyarrow.Table.from_batches(batches)
    options = "--column", "u", "--keep", "-g", "{hostname}"
    ended = run(*options, "--arrow", str(tmp_path / "a"), stdin=stream_bytes(table))
    if ended.status == 0:
        assert ipc.open_file((tmp_path / "a").read_bytes()).read_all()["u"].to_pylist() == table["u"].to_pylist()
    else:
        assert (ended.status, "it cannot be written: Dictionary replacement" in ended.err) == (3, True)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("columns", [1, 3, 20])
@pytest.mark.parametrize("groups", [1, 2, 7])
def test_the_footer_of_what_is_written(
    columns: int, groups: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pyarrow ends the process where it has no memory for it."""
    monkeypatch.setattr(tables, "GROUP_ROWS", 1)
    monkeypatch.setattr(tables, "MEMORY", 1)
    # More than other limits take.
    monkeypatch.setattr(tables, "CHUNK_BYTES", 1 << 16)
    monkeypatch.setattr(line_records, "RECORD_BYTES", 1)
    path = tmp_path / "a.parquet"
    members = ",".join(f'"c{number}": {number}' for number in range(columns))
    lines = f'{{"u": "http://a/", {members}}}\n'.encode() * groups
    names = ",".join(f"c{number}" for number in range(columns))
    names_bytes = sum(map(len, ["href", *names.split(",")]))
    # The names are held four times.
    fits = groups * ((columns + 1) * (1 << 16) + 4 * names_bytes)
    for memory in (fits, fits - 1):
        ended = run(
            *("--field", "u", f"--keep={names}", "-g", "{href}", "--parquet", str(path), "--threads", "1"),
            *("--memory", str(memory)),
            stdin=lines,
        )
        assert ended.status == (0 if memory == fits else 3), ended
        if ended.status:
            assert "a.parquet: its footer needs more than" in ended.err
        else:
            assert parquet.ParquetFile(path).num_row_groups == groups


COLUMNS = [
    pyarrow.RunEndEncodedArray.from_arrays(pyarrow.array([1], pyarrow.int32()), pyarrow.array(["x"])),
    pyarrow.UnionArray.from_sparse(pyarrow.array([0], pyarrow.int8()), [pyarrow.array([1])]),
    pyarrow.UnionArray.from_dense(
        pyarrow.array([0], pyarrow.int8()), pyarrow.array([0], pyarrow.int32()), [pyarrow.array([1])]
    ),
    pyarrow.array([[1]], pyarrow.list_view(pyarrow.int8())),
    pyarrow.array(["x"], pyarrow.string_view()),
    pyarrow.array([pyarrow.MonthDayNano([1, 2, 3])]),
    pyarrow.array([{}], pyarrow.struct([])),
    pyarrow.array([None], pyarrow.null()),
    pyarrow.array([[]], pyarrow.list_(pyarrow.null(), 0)),
    pyarrow.array([b""], pyarrow.binary(0)),
    pyarrow.array([[("a", 1)]], pyarrow.map_(pyarrow.string(), pyarrow.int8())),
    pyarrow.array([1 << 62], pyarrow.timestamp("s")),
    pyarrow.array([1], pyarrow.decimal256(70, 3)),
]


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: str(column.type))
@pytest.mark.parametrize("option", ["--parquet", "--arrow", "--csv", "--json"])
def test_columns_of_each_type_are_kept_or_refused(column: Any, option: str, tmp_path: Path) -> None:
    path = str(tmp_path / "a")
    options = [option, path] if option in ("--parquet", "--arrow") else [option, "-o", path]
    data = stream_bytes(pyarrow.table({"u": ["http://a/"], "k": column}))
    ended = run("--column", "u", "-g", "{href}", "--keep", *options, stdin=data)
    assert ended.status in (0, 3)
    assert (tmp_path / "a").exists() == (ended.status == 0)
    assert ended.err.startswith("weburl: ") == bool(ended.status), ended


@pytest.mark.parametrize("option", ["--parquet", "--arrow"])
@pytest.mark.parametrize("count", [1, 100, 4000])
@pytest.mark.parametrize("whole", [1 << 20, 3 << 20, 8 << 20, 10 << 20, 15 << 20])
def test_long_names_of_columns(whole: int, count: int, option: str, tmp_path: Path) -> None:
    """In a process of its own, which pyarrow would end where memory does."""
    names = ",".join(f"{number}{'n' * (whole // count)}" for number in range(count))
    path = tmp_path / "in.csv"
    path.write_text(f"u,{names}\n" + f"http://a/{',x' * count}\n" * 5)
    command = [sys.executable, "-m", "weburl", option, f"{tmp_path}/out", "--keep", "--column", "u", "-f", str(path)]
    done = subprocess.run([*command, "-g", "{hostname}"], capture_output=True, text=True, check=False)
    if done.returncode:
        assert done.returncode == 3
        assert "MiB of memory: give it more with --memory" in done.stderr
    assert sorted(each.name for each in tmp_path.iterdir()) == (["in.csv"] if done.returncode else ["in.csv", "out"])
    assert done.returncode or whole <= 3 << 20
