"""Tables that the command writes: their columns, times, compression, row groups and partitions."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import stat
import subprocess
import sys
from collections import defaultdict
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import duckdb
import pyarrow
import pytest
from pyarrow import dataset, ipc, parquet
from support.command import run
from support.log_lines import SAMPLES
from test_cli_max_line import MEASURE

from weburl.cli.writers import partitions
from weburl.cli.writers.partitions import NULL, escaped

LOG = ["--log", "common", "--base", "https://shop.example"]


def line(time: str, target: str = "/a", status: int = 200) -> str:
    return f'203.0.113.7 - - [{time}] "GET {target} HTTP/1.1" {status} 153\n'


def write(path: Path, columns: dict[str, Any]) -> str:
    parquet.write_table(pyarrow.table(columns), path)
    return str(path)


# Columns.


@pytest.mark.parametrize("option", ["--parquet", "--arrow"])
def test_a_table_has_the_columns_that_are_asked_for(option: str, tmp_path: Path) -> None:
    source = write(tmp_path / "in.parquet", {"id": [1, 2], "u": ["http://a.example/x", "b"], "z": [1.5, None]})
    out = tmp_path / "out"
    read = parquet.read_table if option == "--parquet" else lambda path: ipc.open_file(path).read_all()
    for asked, names in {
        ("--keep",): ["id", "u", "z", "href", "error"],
        ("--keep=z",): ["z", "href", "error"],
        ("--keep=z", "--invalid", "drop"): ["z", "href", "error"],
        ("--keep", "-g", "{hostname}"): ["id", "u", "z", "hostname"],
        ("-g", "{path} {column:id}"): ["path", "id"],
    }.items():
        assert run("-f", source, "--column", "u", option, str(out), *asked).status == 0
        table = read(str(out))
        assert table.column_names == names
        assert len(table) == (1 if "drop" in asked else 2)
    # Without both, all parts of a URL.
    assert run("-f", source, "--column", "u", option, str(out)).status == 0
    assert len(read(str(out)).column_names) > 15


def test_times_of_logs_are_timestamps(tmp_path: Path) -> None:
    draw = random.Random(44)
    times = []
    for _ in range(500):
        zone = timezone(timedelta(minutes=draw.randrange(-12 * 60, 14 * 60)))
        times.append(datetime.fromtimestamp(draw.randrange(0, 4_000_000_000), zone))
    log = "".join(line(f"{time:%d/%b/%Y:%H:%M:%S %z}") for time in times)
    for option, read in (("--parquet", parquet.read_table), ("--arrow", lambda path: ipc.open_file(path).read_all())):
        out = str(tmp_path / "out")
        assert run(*LOG, option, out, "-g", "{time} {status} {pathname}", stdin=log) == (0, "", "")
        table = read(out)
        assert table.schema.field("time").type == pyarrow.timestamp("us", "UTC")
        assert table["time"].to_pylist() == times
    # Other formats have the text.
    assert run(*LOG, "-g", "{time}", stdin=log).lines == [time.isoformat() for time in times]


@pytest.mark.parametrize("name", SAMPLES)
def test_times_of_formats_with_names_are_timestamps(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    log = ("--log", sample.format, *(("--base", sample.base) if sample.base else ()))
    out = str(tmp_path / "out.parquet")
    run(*log, "--parquet", out, "--keep=time,status", "-g", "{error}", stdin=sample.text)
    table = parquet.read_table(out)
    assert table.schema.field("time").type == pyarrow.timestamp("us", "UTC")
    assert table.schema.field("status").type == pyarrow.int64()
    ended = run(*log, "--json", "--keep=time", "-g", "{error}", stdin=sample.text)
    texts = [json.loads(text)["time"] for text in ended.lines]
    times = [None if text is None else datetime.fromisoformat(text) for text in texts]
    found = table["time"].to_pylist()
    assert any(found)
    assert found == times


def test_times_that_cannot_be_read_are_null_and_counted(tmp_path: Path) -> None:
    out = str(tmp_path / "out.parquet")
    good = "10/Oct/2000:13:55:36 -0700"
    bad = ["yesterday", "10/Oct/2000:13:55:36", "99/Oct/2000:13:55:36 -0700", "31/Feb/2000:00:00:00 +0000", "-"]
    log = "".join(map(line, [good, *bad, good]))
    ended = run(*LOG, "--parquet", out, "-g", "{time}", stdin=log)
    moment = datetime(2000, 10, 10, 20, 55, 36, tzinfo=UTC)
    assert parquet.read_table(out)["time"].to_pylist() == [moment, *[None] * len(bad), moment]
    # "-" is no value, and not a value that is wrong.
    assert ended == (0, "", "weburl: 4 times are not dates with a time and a zone: they are null\n")


def test_hours_are_partitions(tmp_path: Path) -> None:
    """In UTC. A time that cannot be read counts once, however many columns come of it."""
    out = tmp_path / "out"
    draw = random.Random(45)
    zones = [timezone(timedelta(minutes=draw.randrange(-12 * 60, 14 * 60))) for _ in range(60)]
    times = [datetime.fromtimestamp(1_795_300_000 + draw.randrange(20_000), zone) for zone in zones]
    log = "".join(line(f"{time:%d/%b/%Y:%H:%M:%S %z}") for time in times) + line("2026-11-22 10:00:05,123")
    ended = run(*LOG, "--parquet", str(out), "-g", "{time} {status}", "--partition-by", "date,hour", stdin=log)
    assert ended == (0, "", "weburl: 1 times are not dates with a time and a zone: they are null\n")
    found = {path.parent.relative_to(out).as_posix() for path in out.rglob("*.parquet")}
    null = "__HIVE_DEFAULT_PARTITION__"
    hours = {time.astimezone(UTC) for time in times}
    assert found == {f"date={time:%Y-%m-%d}/hour={time:%Y-%m-%dT%H}" for time in hours} | {f"date={null}/hour={null}"}
    for time in times:
        there = parquet.read_table(out / f"date={time.astimezone(UTC):%Y-%m-%d/hour=%Y-%m-%dT%H}")
        assert time in there["time"].to_pylist()


def test_a_column_that_is_called_hour_is_that_one(tmp_path: Path) -> None:
    out = tmp_path / "out"
    text = "u,time,hour\nhttp://a/,2026-11-22T10:00:00Z,7\n"
    ended = run("--column", "u", "--keep", "--parquet", str(out), "--partition-by", "hour", "-g", "{host}", stdin=text)
    assert ended == (0, "", "")
    assert [path.parent.name for path in out.rglob("*.parquet")] == ["hour=7"]


@pytest.mark.skipif(os.name != "posix", reason="numbers of files are those of POSIX")
def test_partitions_are_on_the_disk_before_their_folder_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: dict[int, int] = {}
    real, rename = os.fsync, os.rename

    def fsync(number: int) -> None:
        flushed[os.fstat(number).st_ino] = os.fstat(number).st_size
        real(number)

    def renamed(source: str, target: str) -> None:
        found = [Path(source), *Path(source).rglob("*")]
        assert all(flushed.get(path.stat().st_ino) == path.stat().st_size for path in found)
        assert len(found) > 6
        rename(source, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "rename", renamed)
    log = "".join(line(f"22/Nov/2026:{hour:02}:00:00 +0000") for hour in range(5))
    out = tmp_path / "out"
    ended = run(*LOG, "--parquet", str(out), "-g", "{time}", "--partition-by", "hour", stdin=log)
    assert ended == (0, "", "")
    assert os.stat(tmp_path).st_ino in flushed


def test_columns_that_are_kept_have_their_types(tmp_path: Path) -> None:
    columns = {
        "time": pyarrow.array([1, None], pyarrow.timestamp("ns", "Europe/Berlin")),
        "local": pyarrow.array([1, None], pyarrow.timestamp("ms")),
        "day": pyarrow.array([1, None], pyarrow.date32()),
        "kind": pyarrow.array(["a", None]).dictionary_encode(),
        "tags": pyarrow.array([["a"], None]),
        "u": ["http://a.example/", "http://b.example/"],
    }
    source = write(tmp_path / "in.parquet", columns)
    plain, parts = str(tmp_path / "out.parquet"), str(tmp_path / "parts")
    assert run("-f", source, "--column", "u", "--keep", "-g", "{host}", "--parquet", plain) == (0, "", "")
    before = parquet.read_table(source)
    assert parquet.read_table(plain).drop_columns("host").equals(before)
    more = ["--keep", "-g", "{host}", "--partition-by", "host"]
    assert run("-f", source, "--column", "u", *more, "--parquet", parts) == (0, "", "")
    after = dataset.dataset(parts, partitioning="hive").to_table().drop_columns("host")
    assert after.equals(before)


# Compression and row groups.


@pytest.mark.parametrize("text", ["zstd", "zstd:1", "zstd:19", "snappy", "gzip", "gzip:9", "none", None])
def test_compression_of_parquet(text: str | None, tmp_path: Path) -> None:
    out = str(tmp_path / "out.parquet")
    lines = "".join(f"http://a.example/{number % 977}\n" for number in range(5000))
    more = [] if text is None else ["--compression", text]
    assert run("--parquet", out, "-g", "{href}", *more, stdin=lines) == (0, "", "")
    column = parquet.ParquetFile(out).metadata.row_group(0).column(0)
    names = {"none": "UNCOMPRESSED", None: "SNAPPY"}
    assert column.compression == names.get(text, (text or "").partition(":")[0].upper())
    assert parquet.read_table(out)["href"].to_pylist() == lines.split()


def test_a_higher_level_is_used(tmp_path: Path) -> None:
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefgh", k=6)) for _ in range(300)]
    lines = "".join(f"http://a.example/{'/'.join(draw.choices(words, k=8))}\n" for _ in range(20_000))
    sizes = {}
    for name in ("--parquet", "--arrow"):
        for level in ("zstd:1", "zstd:19"):
            out = tmp_path / f"{name}{level}".replace(":", "")
            assert run(name, str(out), "-g", "{href}", "--compression", level, stdin=lines) == (0, "", "")
            sizes[name, level] = out.stat().st_size
        assert sizes[name, "zstd:19"] < sizes[name, "zstd:1"] < len(lines)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--parquet", "x", "--compression", "lz5"], "the names are zstd, snappy, gzip and none, not 'lz5'"),
        (["--parquet", "x", "--compression", ""], "the names are zstd, snappy, gzip and none, not ''"),
        (["--parquet", "x", "--compression", "zstd:23"], "the level of zstd is 1 to 22, not 'zstd:23'"),
        (["--parquet", "x", "--compression", "zstd:"], "the level of zstd is 1 to 22, not 'zstd:'"),
        (["--parquet", "x", "--compression", f"gzip:{'9' * 9000}"], "the level of gzip is 1 to 9, not "),
        (["--parquet", "x", "--compression", "snappy:1"], "snappy has no level, not 'snappy:1'"),
        (["--arrow", "x", "--compression", "gzip"], "--arrow takes --compression zstd or none, not gzip"),
        (["--csv", "--compression", "zstd"], "--compression is for --parquet and --arrow"),
        (["--row-group", "1M"], "--row-group is for --parquet and --arrow"),
        (["--json", "--partition-by", "host"], "--partition-by is for --parquet and --arrow"),
        (["--parquet", "x", "--row-group", "0"], "--row-group is at least 1, and at most a quarter of --memory"),
        (["--parquet", "x", "--row-group", "33M"], "--row-group is at least 1, and at most a quarter of --memory"),
        (["--parquet", "-", "--partition-by", "host"], "--partition-by needs the name of a new folder, and not"),
        (["--parquet", "x", "--partition-by", "hots"], "no field is named {hots}: did you mean {host}?"),
        (["--parquet", "x", "--partition-by", "host,"], "no field is named {}"),
        (["--parquet", "x", "--partition-by", ""], "no field is named {}"),
    ],
)
def test_options_that_are_wrong(options: list[str], said: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    ended = run(*options, "http://a.example/")
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err
    assert not [*tmp_path.iterdir()]


def test_row_groups_by_size(tmp_path: Path) -> None:
    out = str(tmp_path / "out.parquet")
    lines = "".join(f"http://a.example/{number:08}/{'x' * 200}\n" for number in range(40_000))
    counts = []
    for size in (1 << 16, 1 << 20, 1 << 22):
        assert run("--parquet", out, "-g", "{href}", "--row-group", str(size), stdin=lines) == (0, "", "")
        metadata = parquet.ParquetFile(out).metadata
        counts.append(metadata.num_row_groups)
        groups = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
        # A piece of the work is the least.
        assert all(rows * 230 >= size for rows in groups[:-1])
        assert max(groups) * 230 < 2 * max(size, 1 << 20)
        assert parquet.read_table(out)["href"].to_pylist() == lines.split()
    assert counts[0] > counts[1] > counts[2] > 1


# Partitions.


def test_partitions_of_a_log(tmp_path: Path) -> None:
    draw = random.Random(7)
    moments = [datetime(2026, 11, 20, tzinfo=UTC) + timedelta(seconds=draw.randrange(400_000)) for _ in range(3000)]
    # The day is that of UTC.
    zone = timezone(timedelta(hours=-9))
    log = "".join(
        line(f"{moment.astimezone(zone):%d/%b/%Y:%H:%M:%S %z}", f"http://{draw.choice('abc')}.example/{number}")
        for number, moment in enumerate(moments)
    )
    out = tmp_path / "out"
    more = ["-g", "{time} {pathname}", "--partition-by", "host,date", "--compression", "zstd:3"]
    assert run(*LOG, "--parquet", str(out), *more, stdin=log) == (0, "", "")
    files = sorted(path.relative_to(out).as_posix() for path in out.rglob("*.parquet"))
    assert len(files) == 15
    assert all(re.fullmatch(r"host=[abc]\.example/date=2026-11-2[0-4]/part-\d+\.parquet", name) for name in files)
    for path in out.rglob("*.parquet"):
        table = parquet.read_table(path, partitioning=None)
        assert table.column_names == ["time", "pathname"]
        assert {f"date={moment:%Y-%m-%d}" for moment in table["time"].to_pylist()} == {path.parent.name}
        numbers = [int(name[1:]) for name in table["pathname"].to_pylist()]
        # In the order of the lines.
        assert numbers == sorted(numbers)
        assert table["time"].to_pylist() == [moments[number] for number in numbers]
    whole = duckdb.sql(f"from read_parquet('{out}/**/*.parquet', hive_partitioning = true)")
    assert sorted(whole.columns) == ["date", "host", "pathname", "time"]
    assert duckdb.sql(f"select count(*), count(distinct date) from '{out}/**/*.parquet'").fetchall() == [(3000, 5)]
    # It is read again with its partitions.
    rows = run("-f", str(out), "--column", "pathname", "--base", "http://x/", "-g", "{column:host} {column:date}")
    assert len(set(rows.lines)) == 15


@pytest.mark.parametrize("fan", [2, 3, 64])
@pytest.mark.parametrize("option", ["--parquet", "--arrow"])
def test_partitions_of_random_values(option: str, fan: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values of all kinds of characters, in as many runs as levels of merging need."""
    monkeypatch.setattr(partitions, "FAN", fan)
    monkeypatch.setattr(partitions, "STEP", 1 << 10)
    draw = random.Random(fan)
    alphabet = [*map(chr, range(128)), "é", "日", "😀", "\x85"]
    values: list[str | None] = ["", None, "a/b", "..", ".", "=", "%2F", "a b", NULL]
    values += ["".join(draw.choices(alphabet, k=draw.randint(1, 9))) for _ in range(60)]
    rows = [(draw.choice(values), draw.choice([1, -5, None]), f"http://h/{number}") for number in range(5000)]
    columns = {
        "key": pyarrow.array([row[0] for row in rows]).dictionary_encode(),
        "number": [row[1] for row in rows],
        "u": [row[2] for row in rows],
    }
    source = write(tmp_path / "in.parquet", columns)
    out = tmp_path / "out"
    more = ["--keep=key,u", "-g", "{pathname}", "--partition-by", "column:key,column:number", "--row-group", "9000"]
    assert run("-f", source, "--column", "u", option, str(out), *more) == (0, "", "")
    wanted: dict[str, list[str]] = defaultdict(list)
    for key, number, url in rows:
        folder = f"key={escaped(key or '') or NULL}/number={NULL if number is None else number}"
        wanted[folder].append(url)
    found = {}
    for path in out.rglob(f"*.{option[2:]}"):
        table = ipc.open_file(path).read_all() if option == "--arrow" else parquet.read_table(path, partitioning=None)
        assert table.column_names == ["u", "pathname"]
        found[path.parent.relative_to(out).as_posix()] = table["u"].to_pylist()
        assert [name.removeprefix("http://h") for name in table["u"].to_pylist()] == table["pathname"].to_pylist()
    assert found == wanted
    # pyarrow reads the names as they were meant.
    form = option[2:]
    schema = pyarrow.schema([("key", pyarrow.string()), ("number", pyarrow.int64())])
    read = dataset.dataset(out, format=form, partitioning=dataset.partitioning(schema, flavor="hive")).to_table()
    again = zip(*(read[name].to_pylist() for name in ("key", "number", "u")), strict=True)
    # For Hive, the empty text and its name for null are null.
    meant = [(None if key in ("", NULL) else key, number, url) for key, number, url in rows]
    assert sorted(again, key=repr) == sorted(meant, key=repr)


def test_escapes_are_those_of_hive() -> None:
    """FileUtils.escapePathName of Hive 4."""
    special = "\"#%'*/:=?\\\x7f{[]^"
    for number in range(0x250):
        character = chr(number)
        is_escaped = number < 0x20 or character in special
        assert escaped(character) == (f"%{number:02X}" if is_escaped else character)


def test_many_partitions_take_bounded_memory(tmp_path: Path) -> None:
    """More partitions than files may be open, each in all parts of the input."""
    log = tmp_path / "log"
    with log.open("w") as file:
        for number in range(60_000):
            file.write(f"http://h{number % 3000}.example/{number}/{'x' * 600}\n")
    out = tmp_path / "out"
    more = ["-f", str(log), "-g", "{pathname}", "--parquet", str(out), "--partition-by", "host"]
    limits = (96, 96)
    # A process begins with the peak of the one that starts it, so one that is small starts it.
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, sys.executable, "-m", "weburl", *more],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limits),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stderr) < 300_000
    assert sum(1 for _ in out.rglob("part-*.parquet")) == 3000
    assert parquet.read_table(out / "host=h7.example").num_rows == 20


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-g", "{host}", "--partition-by", "host"], "no column is left beside those of --partition-by"),
        (["-g", "{host}", "--partition-by", "date"], "there is no column 'time'"),
        (["-g", "{host}", "--keep", "--partition-by", "date"], "there is no column 'time'"),
        (["-g", "{host}", "--partition-by", "column:tags"], "the column 'tags' is of the type list<element: string>"),
    ],
)
def test_partitions_that_cannot_be(options: list[str], said: str, tmp_path: Path) -> None:
    source = write(tmp_path / "in.parquet", {"u": ["http://a.example/"], "tags": [["a"]]})
    ended = run("-f", source, "--column", "u", *options, "--parquet", str(tmp_path / "out"))
    assert ended.status == (1 if "there is no" in said else 3)
    assert said in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_the_folder_is_new(tmp_path: Path) -> None:
    out = tmp_path / "out"
    more = ["--parquet", str(out), "--partition-by", "host", "-g", "{href}", "http://a.example/"]
    out.write_text("before")
    said = f"weburl: {out}: there is something: --partition-by needs a new folder\n"
    assert run(*more) == (3, "", said)
    assert out.read_text() == "before"
    out.unlink()
    out.mkdir()
    (out / "file").touch()
    assert run(*more) == (3, "", said)
    (out / "file").unlink()
    # An empty one is as good as none.
    assert run(*more) == (0, "", "")
    assert run(*more) == (3, "", said)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert [path.name for path in out.rglob("*")] == ["host=a.example", "part-0.parquet"]


@pytest.mark.parametrize("mode", [0o700, 0o750, 0o755])
def test_an_empty_folder_keeps_its_rights(mode: int, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    out.chmod(mode)
    assert run("--parquet", str(out), "--partition-by", "host", "-g", "{href}", "http://a.example/") == (0, "", "")
    assert stat.S_IMODE(out.stat().st_mode) == mode
    assert [path.name for path in out.rglob("*")] == ["host=a.example", "part-0.parquet"]


def test_a_folder_that_others_have_open_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell whose folder is replaced sees the old one, which is empty. A mount point would fail at the end."""
    more = ["--parquet", ".", "--partition-by", "host", "-g", "{href}", "http://a.example/"]
    monkeypatch.chdir(tmp_path)
    said = "cannot be replaced: --partition-by needs a new folder, such as one in it\n"
    assert run(*more) == (3, "", f"weburl: .: the current folder {said}")
    monkeypatch.chdir("/")
    monkeypatch.setattr(os.path, "ismount", lambda path: path == str(tmp_path))
    more[1] = str(tmp_path)
    assert run(*more) == (3, "", f"weburl: {tmp_path}: a mount point {said}")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("letter", ["x", "é", ":"])
def test_values_that_are_too_long_for_a_name(letter: str, tmp_path: Path) -> None:
    """Whoever sends one does not keep the others from their table. Each folder has all of its rows."""
    written = len(escaped(letter).encode())
    lengths = [*range(0, 10), *(247 // written + more for more in range(-4, 5)), 1000, 70_000]
    source = write(
        tmp_path / "in.parquet", {"key": [letter * n for n in lengths], "n": lengths, "u": ["a"] * len(lengths)}
    )
    out = tmp_path / "out"
    more = ["--column", "u", "--keep=n", "-g", "{column:n}", "--partition-by", "column:key"]
    ended = run("-f", source, "--base", "http://x", "--parquet", str(out), *more)
    said = f"weburl: 'key' has values that are too long for the name of a folder: they are in key={NULL}\n"
    assert ended == (0, "", said)
    for folder in out.iterdir():
        value = folder.name.removeprefix("key=")
        rows = sorted(parquet.read_table(folder, partitioning=None)["n"].to_pylist())
        if value == NULL:
            assert rows == [0, *(n for n in lengths if len(b"key=") + n * written > 255)]
        else:
            assert [letter * n for n in rows] == [re.sub("%3A", ":", value)]
    assert len([*out.iterdir()]) == 1 + sum(n > 0 and 4 + n * written <= 255 for n in lengths)


@pytest.mark.parametrize("option", ["--parquet", "--arrow"])
def test_what_fails_does_not_look_whole_in_a_pipe(option: str, tmp_path: Path) -> None:
    """An end is not written after an error, not even where the writer is removed."""
    first = write(tmp_path / "1.parquet", {"u": ["http://a.example/"] * 9, "n": range(9)})
    second = write(tmp_path / "2.parquet", {"u": ["http://a.example/"], "n": ["x"]})
    command = [sys.executable, "-m", "weburl", "-f", first, second, "--column", "u", "--keep", option, "-"]
    ended = subprocess.run([*command, "--row-group", "1"], capture_output=True)
    assert ended.returncode == 3
    assert b"'n' is of the type string here, and was int64 before" in ended.stderr
    assert len(ended.stdout) > 100
    ends = {"--parquet": b"PAR1", "--arrow": b"\xff\xff\xff\xff\0\0\0\0"}
    assert not ended.stdout.endswith(ends[option])
    ended = subprocess.run([*command[:5], *command[6:]], capture_output=True, check=True)
    assert ended.stdout.endswith(ends[option])
