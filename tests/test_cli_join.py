"""weburl join: the rows of two files that have the same key."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command import run

from weburl import URL
from weburl.cli.keys import table
from weburl.cli.keys.key_index import KeyIndex

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
    ended = run("join", *options, "--key", "host", stdin=given.replace("d/?", "b/#"))
    assert ended.lines[2:] == ["http://b/#\thttp://b/"]
    assert run("join", *options, "--key", "host", "--csv", stdin=given).lines[:2] == [
        "input,with",
        "http://a/#x,http://a/?utm_source=2",
    ]
    assert run("join", *options, "http://b", "http://c").out == "http://b\thttp://b/\n"


def test_records(owners: str) -> None:
    options = ("--with", owners, "--with-column", "site", "--base", "http://h/", "--key", "site")
    data = 'id,u\n1,http://a.example.co.uk/x\n2,http://example.org\n3,http://www.example.co.uk/\n"4"x\n'
    with_sites = ("--with", owners, "--with-column", "site", "--key", "site")
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


def test_what_is_wrong(owners: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.jsonl").write_text('{"u":"http://a/"}\n')
    for options, status, said in (
        (
            ["--with", owners],
            3,
            f"{owners}: --column must say which column has the URLs: the columns are 'site', 'owner'",
        ),
        (
            ["--with", owners, "--with-column", "x"],
            3,
            f"{owners}: there is no column 'x': the columns are 'site', 'owner'",
        ),
        (["--with", str(tmp_path / "no")], 3, "no: no such file or directory"),
        (
            ["--with", str(tmp_path / "a.jsonl"), "--with-field", "u"],
            3,
            "--with-keep needs names here, as --with-keep=id,",
        ),
        (
            ["--with", owners, "--with-column", "site", "--key", "x"],
            2,
            "--key takes host, site or the name of a policy",
        ),
        ([], 2, "the following arguments are required: --with"),
        (["--with", "-", "-f", "-"], 2, "--with - and FILE are both standard input"),
    ):
        ended = run("join", *options, "http://a/")
        assert (ended.status, ended.out) == (status, "")
        assert said in ended.err
    monkeypatch.setattr(table, "MOST", 3)
    (tmp_path / "same").write_text(lines("http://a/", "http://a/"))
    ended = run(
        "join", "--with", str(tmp_path / "same"), "-o", str(tmp_path / "out"), stdin=lines("http://a/", "http://a/")
    )
    assert (ended.status, ended.err) == (3, "weburl: rows have too many counterparts: more than 3 at once\n")
    assert not (tmp_path / "out").exists()


def test_both_are_standard_input() -> None:
    ended = run("join", "--left", "--with", "-", stdin="http://a/\n")
    assert (ended.status, ended.out) == (2, "")
    assert run("join", "--with", "-", "http://a", stdin="http://a/\n").out == "http://a\thttp://a/\n"


@pytest.mark.parametrize("theirs", ["https://h/?token=x1\n", "u\nhttps://h/?token=x1\nhttps://u:p a/\n"])
def test_secrets_of_the_other_file(theirs: str, tmp_path: Path) -> None:
    path = tmp_path / ("theirs.csv" if theirs[0] == "u" else "theirs")
    path.write_text(theirs)
    for options in ([], ["--json"], ["--csv"], ["-g", "{column:with}"]):
        ended = run("join", "--redact", "--with", str(path), *options, stdin="https://h/?token=x1\n")
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
    options = ("--with", owners, "--with-column", "site", "--key", "site", given, "u", "--json", "--keep")
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
        options = ["--with", str(path), "--key", "host", "--threads", threads, *(["--left"] if is_left else [])]
        assert run("join", *options, stdin=lines(*ours)).lines == expected


def test_an_index() -> None:
    index = KeyIndex(b"a" * 16 + b"b" * 16 + b"a" * 16, b"\1\1\1")
    found = index.pairs(b"b" * 16 + b"a" * 16 + b"c" * 16 + bytes(16), b"\1\1\1\0", False, 10)
    assert found is not None
    assert [list(memoryview(rows).cast("q")) for rows in found] == [[0, 1, 1, 3], [1, 0, 2, -1]]
    assert index.pairs(b"a" * 16, b"\1", False, 1) is None
    for make in (lambda: KeyIndex(b"", b"1"), lambda: index.pairs(b"", b"1", False, 1)):
        with pytest.raises(ValueError, match="a key has 16 bytes"):
            make()
