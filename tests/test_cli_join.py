"""weburl join: the rows of two files that have the same key."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command import run
from support.key_pairs_of import PAIR, pairs_of, store_of, taken_pairs
from support.peak import peak_of

from weburl import URL
from weburl._arrow import input
from weburl.cli.commands import join
from weburl.cli.keys.key_set import KeyIndex, Pairs
from weburl.cli.readers.rows.text_column import RowStore, TextColumn, kept_texts
from weburl.cli.writers.text import LineWriter

OWNERS = "site,owner\nexample.co.uk,ann\nhttp://www.example.org/,\nhttps://x.example.co.uk/,bob\nnone.example,cy\n"


@pytest.fixture
def owners(tmp_path: Path) -> str:
    path = tmp_path / "owners.csv"
    path.write_text(OWNERS)
    return str(path)


def lines(*texts: str) -> str:
    return "".join(f"{text}\n" for text in texts)


def test_lines(tmp_path: Path) -> None:
    (tmp_path / "seen").write_text(lines("http://a/?utm_source=2", "http://b/", "c", "http://A", "data:x"))
    options = ("--with", str(tmp_path / "seen"))
    given = lines("http://a/#x", "http://c/", "data:x", "x", "http://d/?")
    ended = run("join", *options, stdin=given)
    assert ended.lines == ["http://a/#x\thttp://a/?utm_source=2", "http://a/#x\thttp://A", "data:x\tdata:x"]
    assert ended.err == (
        f"weburl: {tmp_path}/seen: 1 of 5 lines is not a URL\n"
        "weburl: 1 of 5 lines is not a URL (missing-scheme-non-relative-URL: 1)\n"
    )
    ended = run("join", *options, "--left", "--invalid", "keep", stdin=given)
    assert ended.lines == [
        "http://a/#x\thttp://a/?utm_source=2", "http://a/#x\thttp://A", "http://c/\t", "data:x\tdata:x", "x\t",
        "http://d/?\t",
    ]  # fmt: skip
    ended = run("join", *options, "--key", "hostname", stdin=given.replace("d/?", "b/#"))
    assert ended.lines[2:] == ["http://b/#\thttp://b/"]
    assert run("join", *options, "--key", "hostname", "--csv", stdin=given).lines[:2] == [
        "input,with",
        "http://a/#x,http://a/?utm_source=2",
    ]
    assert run("join", *options, "http://b", "http://c").out == "http://b\thttp://b/\n"


def test_records(owners: str) -> None:
    options = ("--with", owners, "--with-column", "site", "--base", "http://h/", "--key", "registrable_domain")
    data = 'id,u\n1,http://a.example.co.uk/x\n2,http://example.org\n3,http://www.example.co.uk/\n"4"x\n'
    with_sites = ("--with", owners, "--with-column", "site", "--key", "registrable_domain")
    ended = run("join", *with_sites, "--column", "u", "--csv", "--keep", stdin=data)
    assert ended.lines == [
        "id,u,with.site,with.owner",
        "1,http://a.example.co.uk/x,https://x.example.co.uk/,bob",
        "2,http://example.org,http://www.example.org/,",
        "3,http://www.example.co.uk/,https://x.example.co.uk/,bob",
    ]
    assert f"weburl: {owners}: 2 of 4 lines are not URLs\n" in ended.err
    assert "invalid-record: 1" in ended.err
    ended = run("join", *with_sites, "--column", "u", "--json", "--keep=with.owner,id", "-g", "{host}", stdin=data)
    assert [json.loads(line) for line in ended.lines] == [
        {"with.owner": "bob", "id": "1", "host": "a.example.co.uk"},
        {"with.owner": "", "id": "2", "host": "example.org"},
        {"with.owner": "bob", "id": "3", "host": "www.example.co.uk"},
    ]  # fmt: skip
    ended = run(
        "join",
        *with_sites,
        "--with-keep",
        "owner",
        "-g",
        "{column:id} {column:with.owner}",
        "--column",
        "u",
        stdin=data,
    )
    assert ended.lines == ["1 bob", "2 ", "3 bob"]
    ended = run(
        "join",
        *with_sites,
        "--left",
        "--column",
        "u",
        "--csv",
        "--keep=id",
        "-g",
        "{error}",
        "--invalid",
        "keep",
        stdin=data,
    )
    assert ended.lines[-1] == ",invalid-record"
    data = '{"u":"http://a.example.co.uk/","n":[1]}\n{"u":1}\n'
    ended = run("join", *with_sites, "--field", "u", "--json", "--keep", "-g", "{host}", stdin=data)
    assert ended.lines == [
        '{"u":"http://a.example.co.uk/","n":[1],"with.site":"https://x.example.co.uk/","with.owner":"bob","host":"a.example.co.uk"}'
    ]
    assert run("join", *options, "http://h/x", "-g", "{column:with.owner}").lines == ["ann", "cy"]


def test_what_is_wrong(owners: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"u":"http://a/"}\n')
    for options, status, said in (
        (
            ["--with", owners],
            2,
            f"{owners}: --column must say which column has the URLs: the columns are 'site', 'owner'",
        ),
        (
            ["--with", owners, "--with-column", "x"],
            1,
            f"{owners}: there is no column 'x': the columns are 'site', 'owner'",
        ),
        (["--with", str(tmp_path / "no")], 3, "no: no such file or directory"),
        (
            ["--with", str(tmp_path / "a.jsonl"), "--with-field", "u"],
            2,
            "--with-keep needs names here, as --with-keep=id,",
        ),
        (
            ["--with", owners, "--with-column", "site", "--key", "x"],
            2,
            "--key takes hostname, registrable_domain or a policy",
        ),
        # Before the other file is read.
        (["--with", "none.csv", "--csv", "--policy", "surt"], 2, "the policy surt does not give URLs"),
        (["--with", "none.csv", "--csv", "--keep", "-g", "{column:a}"], 2, "--keep keeps all columns, so -g needs no"),
        (["--with", "none.csv", "-g", "{route}"], 2, "{route} needs --routes FILE"),
        ([], 2, "the following arguments are required: --with"),
        (["--with", "-", "-f", "-"], 2, "--with - and FILE are both standard input"),
    ):
        ended = run("join", *options, "http://a/")
        assert (ended.status, ended.out) == (status, "")
        assert said in ended.err


def test_both_are_standard_input() -> None:
    ended = run("join", "--left", "--with", "-", stdin="http://a/\n")
    assert (ended.status, ended.out) == (2, "")
    assert run("join", "--with", "-", "http://a", stdin="http://a/\n").out == "http://a\thttp://a/\n"


@pytest.mark.parametrize("theirs", ["https://h/?token=x1\n", "u\nhttps://h/?token=x1\nhttps://u:p a/\n"])
def test_secrets_of_the_other_file(theirs: str, tmp_path: Path) -> None:
    path = tmp_path / ("theirs.csv" if theirs[0] == "u" else "theirs")
    path.write_text(theirs)
    for options in ([], ["--json"], ["--csv"]):
        format = "{redacted} {column:with}"
        ended = run("join", "--with", str(path), *options, "-g", format, stdin="https://h/?token=x1\n")
        assert ended.status == 0
        assert ended.out.count("x1") == 0 < ended.out.count("https://h/?token=REDACTED")


@pytest.mark.parametrize(
    ("given", "data"),
    [
        ("--column", "with.owner,u\nmine,http://example.org/\n"),
        ("--field", '{"with.owner":1,"u":"http://example.org/"}\n'),
    ],
)
def test_a_column_with_a_name_of_theirs(given: str, data: str, owners: str) -> None:
    """It gives way, as to any new column."""
    options = ("--with", owners, "--with-column", "site", "--key", "registrable_domain", given, "u", "--json", "--keep")
    expected = '{"u":"http://example.org/","with.site":"http://www.example.org/","with.owner":""}'
    assert run("join", *options, "--with-keep=site,owner", stdin=data).lines == [expected]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(lines("http://a/", "b"))
    path = str(tmp_path / "a")
    for command in (["dedup"], ["join", "--with", path], ["--iterate", "port=1 2"]):
        for options in (["-o", "/dev/full"], ["--invalid", "file=/dev/full"], ["-o", str(tmp_path / "no" / "out")]):
            ended = run(*command, "-f", path, *options)
            assert ended.status == 3
            said = "No space left on device" if "full" in options[1] else "No such file or directory"
            assert ended.err.splitlines()[-1] == f"weburl: {options[1].removeprefix('file=')}: {said}"
    assert sorted(os.listdir(tmp_path)) == ["a"]


def test_lines_that_are_too_long(tmp_path: Path) -> None:
    (tmp_path / "seen").write_text(lines("http://a/", "x" * 50))
    options = ("--max-line", "20", "--invalid", "keep", "-g", "{error}|{column:with}")
    ended = run("join", "--with", str(tmp_path / "seen"), *options, stdin=lines("http://a/", "y" * 50, "z"))
    assert ended.lines == ["|http://a/", "too-long|", "missing-scheme-non-relative-URL|"]
    assert "(missing-scheme-non-relative-URL: 1, too-long: 1)" in ended.err


URLS = st.lists(st.sampled_from(["http://a/", "http://a/1", "http://b/", "x", "data:y", "http://c/"]), max_size=8)


@given(URLS, URLS, st.booleans(), st.sampled_from(["1", "2"]))
def test_it_is_a_join(ours: list[str], theirs: list[str], is_left: bool, threads: str) -> None:
    import tempfile

    expected = []
    for text in ours:
        url = URL.parse(text)
        if url is not None:
            found = [
                other for other in theirs if url.hostname and getattr(URL.parse(other), "hostname", "") == url.hostname
            ]
            expected += [f"{text}\t{other}" for other in found or ([""] if is_left else [])]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "with")
        path.write_text(lines(*theirs))
        options = ["--with", str(path), "--key", "hostname", "--threads", threads, *(["--left"] if is_left else [])]
        assert run("join", *options, stdin=lines(*ours)).lines == expected


SOURCE = Random(35)


def some_rows(count: int, keys: int) -> list[str]:
    """Rows of all lengths: few have many counterparts, and some are not URLs or have no host."""
    odd = ["x", "", "data:y", "http://a b/"]
    return [
        SOURCE.choice(odd)
        if SOURCE.random() < 0.1
        else f"http://h{int(keys * SOURCE.random() ** 3)}/{number}{'x' * int(300 * SOURCE.random() ** 4)}"
        for number in range(count)
    ]


WAYS: dict[str, list[str]] = {
    "lines": [],
    "left": ["--left", "--invalid", "keep", "--threads", "1"],
    "rows that fail": ["--invalid", "keep", "-g", "{input}|{error}|{column:with}", "-s", "port=1"],
    "CSV": ["--csv", "-g", "{hostname} {column:with}"],
    "filtered": ["--not-hosts", "hosts", "--left", "--json"],
    "written elsewhere": ["--invalid", "file=rejects", "--not-hosts", "hosts"],
    "the first that fails": ["--invalid", "fail"],
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", WAYS)
def test_steps_give_what_one_gives(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces that are too large for one step, rows that are, and texts on disk: all give the same, byte by byte."""
    monkeypatch.chdir(tmp_path)
    Path("hosts").write_text(lines("h0", "h3"))
    Path("with").write_text(lines(*some_rows(120, 20)))
    Path("ours").write_text(lines(*some_rows(120, 30)))
    arguments = ["join", "--with", "with", "--key", "hostname", "-f", "ours", "-o", "out", *WAYS[name]]

    def ended(*more: str) -> tuple[Any, ...]:
        found = run(*arguments, *more)
        read = [Path(path).read_text() if Path(path).exists() else None for path in ("out", "rejects")]
        for path in ("out", "rejects"):
            Path(path).unlink(missing_ok=True)
        return found, *read

    whole = ended()
    assert whole[0].status == (name == "the first that fails")
    assert whole[1] or whole[0].status
    for step, most in ((1, 1), (700, 700), (1 << 12, 1 << 13), (1 << 20, 1)):
        monkeypatch.setattr(join, "STEP", step)
        monkeypatch.setattr(join, "MOST", most)
        assert ended() == whole
        assert ended("--memory", "1") == whole


def test_steps_are_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is written at a time has about the bytes of a step, whatever the pairs have."""
    sizes: list[int] = []
    real = LineWriter.write

    def write(self: LineWriter, data: bytes) -> None:
        sizes.append(len(data))
        real(self, data)

    monkeypatch.setattr(LineWriter, "write", write)
    monkeypatch.setattr(join, "STEP", 1 << 14)
    monkeypatch.setattr(join, "MOST", 1 << 14)
    theirs = [f"http://h/{'y' * SOURCE.randrange(2000)}" for _ in range(200)]
    ours = [f"http://h/{'x' * SOURCE.randrange(2000)}" for _ in range(100)]
    (tmp_path / "with").write_text(lines(*theirs))
    ended = run("join", "--with", str(tmp_path / "with"), "--key", "hostname", stdin=lines(*ours))
    assert ended.lines == [f"{one}\t{other}" for one in ours for other in theirs]
    assert max(sizes) <= 1 << 14 < len(ended.out) // 100


def test_pairs() -> None:
    a, b, c = (letter * 16 for letter in (b"a", b"b", b"c"))
    given = (b + a + c + bytes(16), b"\1\1\1\0"), (a + b + a, b"\1\1\1")
    expected = [(0, 1), (1, 0), (1, 2), (3, -1)]
    assert taken_pairs(pairs_of(*given)) == expected
    assert taken_pairs(pairs_of(*given, is_left=True), PAIR) == [*expected[:3], (2, -1), expected[3]]
    pairs = pairs_of(*given)
    # The first pair is taken in any case.
    assert pairs.rows_within(0) == 0 < len(pairs.take(0)[0])
    assert [pairs.rows_within(most * PAIR) for most in (1, 2, 3)] == [0, 2, 3]
    pairs.skip(2)
    assert taken_pairs(pairs) == [(3, -1)]
    index, store = KeyIndex(bytearray(a), bytearray(b"\1")), store_of(["x"])
    for make, said in (
        (lambda: KeyIndex(bytearray(), bytearray(b"1")), "a key has 16 bytes"),
        (lambda: Pairs(index, store, b"", b"1", bytearray(8), False), "a key has 16 bytes"),
        (lambda: Pairs(index, store, a, b"1", bytearray(7), False), "a size has 8 bytes"),
        (lambda: Pairs(index, store_of(["x", "y"]), a, b"1", bytearray(8), False), "not that of these rows"),
        (lambda: store.append([]), "not the columns of rows"),
        (lambda: store_of(["x"], []), "not the columns of rows"),
        (lambda: RowStore(0), "rows have columns"),
    ):
        with pytest.raises(ValueError, match=said):
            make()


ROW = st.one_of(st.none(), st.text(max_size=5), st.integers(0, 1 << 15).map("x".__mul__))


@settings(max_examples=30)
@given(st.lists(st.tuples(ROW, ROW), max_size=30), st.lists(st.integers(-1, 40)), st.integers(0, 30))
def test_rows_on_disk(rows: list[tuple[str | None, str | None]], numbers: list[int], before: int) -> None:
    """They are those that were added, whenever they went to disk."""
    with closing(RowStore(2)) as store:
        for number, row in enumerate(rows):
            if number == before:
                store.spill()
            store.append(columns_of([row]))
        store.finish()
        found = store.take(b"".join(number.to_bytes(8, sys.byteorder, signed=True) for number in numbers))
        assert len(store) == len(rows)
        assert store.is_on_disk == (before < len(rows))
    expected = [rows[number] if 0 <= number < len(rows) else (None, None) for number in numbers]
    assert [*zip(*(column.texts(0, len(numbers)) for column in found), strict=True)] == expected


def columns_of(rows: list[tuple[str | None, ...]]) -> list[TextColumn]:
    columns = [input.from_objects(texts) for texts in zip(*rows, strict=True)]
    return [kept_texts(texts, 0, len(rows), b"\1" * len(rows)) for texts in columns]


def failing_file(number: int, path: Path) -> type[io.FileIO]:
    class Failing(io.FileIO):
        def __init__(self, **_: object) -> None:
            super().__init__(path, "w+")

        def write(self, data: object) -> int:
            raise OSError(number, "No space left on device")

    return Failing


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "with").write_text(lines("http://a/", "http://b/"))
    arguments = ["join", "--memory", "1", "--with", str(tmp_path / "with"), "-o", str(tmp_path / "out"), "http://a"]
    monkeypatch.setattr(tempfile, "TemporaryFile", failing_file(errno.ENOSPC, tmp_path / "rows"))
    assert run(*arguments) == (3, "", "weburl: a temporary file of rows: no space left on device\n")
    monkeypatch.undo()
    for number, said in ((errno.EROFS, "read-only file system"), (errno.EACCES, "permission denied")):

        def refuse(number: int = number, **_: object) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
        assert run(*arguments) == (3, "", f"weburl: a temporary file of rows: {said}\n")
    monkeypatch.undo()
    assert run(*arguments).status == 0
    assert not {"tmp", "out~"} & {*os.listdir(tmp_path)}


def test_a_disk_that_loses_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Losing(io.FileIO):
        def read(self, size: int | None = -1) -> bytes:
            return b""

    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: Losing(tmp_path / "rows", "w+"))
    (tmp_path / "with").write_text(lines("http://a/", "http://b/"))
    ended = run("join", "--memory", "1", "--with", str(tmp_path / "with"), "http://a")
    assert (ended.status, ended.err) == (3, "weburl: a temporary file of rows: it is cut off\n")


def test_a_list_of_keys_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "with"
    path.write_text(lines(*(f"http://h{number}/" for number in range(20_000))))
    ended = run("join", "--memory", "200K", "--with", str(path), "http://h1/")
    assert (ended.status, ended.out) == (3, "")
    more = "needs more than 200 KiB of memory: give it more with --memory, as --memory 1G"
    assert ended.err == f"weburl: {path}: the list of its keys {more}\n"
    assert run("join", "--memory", "2M", "--with", str(path), "http://h1/").out == "http://h1/\thttp://h1/\n"


HEAVY = "".join(f"http://h/{number}{'x' * 6000}\n" for number in range(1000))
BOMBS: dict[str, tuple[str, str, list[str]]] = {
    # Both files, and options. The output would have 12 GB: its begin is enough.
    "one key in all rows": (HEAVY, HEAVY, ["--key", "hostname"]),
    "one row of ours": ("http://h/\n", HEAVY * 10, ["--key", "hostname", "--csv"]),
    "one long row of ours": (f"http://h/{'y' * 1_000_000}\n", HEAVY, ["--key", "hostname", "--json"]),
    "one long row of theirs": (
        "http://h/\n" * 100_000,
        f"http://h/{'y' * 1_000_000}\n",
        ["--key", "hostname"],
    ),
    "short rows": ("http://h/\n" * 100_000, "http://h/\n" * 100_000, ["--key", "hostname", "--json"]),
    "a large file": (
        "http://none/\n" * 1000,
        "".join(f"{HEAVY}http://h{n}/\n" for n in range(9)),
        ["--memory", "9M"],
    ),
}


@pytest.mark.sample(3)
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer takes memory of its own")
@pytest.mark.parametrize("name", BOMBS)
def test_the_peak_of_the_process(name: str, tmp_path: Path) -> None:
    ours, theirs, options = BOMBS[name]
    (tmp_path / "ours").write_text(ours)
    (tmp_path / "with").write_text(theirs)
    command = ["join", "--with", str(tmp_path / "with"), "-f", str(tmp_path / "ours"), *options]
    status, peak = peak_of(command, 100 << 20)
    assert status in (0, 141)
    assert peak < 300 << 20
