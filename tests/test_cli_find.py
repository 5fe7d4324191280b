"""weburl find: what it prints, and that URLs cross the blocks in which a file is read."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from support.command import run
from support.text_shapes import hostile_text

from weburl.cli.commands import find
from weburl.cli.readers import byte_stream
from weburl.text import find_urls

LOG = "é see https://example.com/a, www.b.c\n\n\tx <http://BÜCHER.example/é>\r\nhttp://x.y:99999/ https://u:p@h/"
FOUND = [(1, 7, "https://example.com/a"), (1, 30, "http://www.b.c/"), (3, 5, "http://xn--bcher-kva.example/%C3%A9"),
         (4, 19, "https://u:p@h/")]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log").write_text(LOG, "utf-8", newline="")
    return tmp_path


def test_places(folder: Path) -> None:
    ended = run("find", "log")
    assert ended.out == "".join(f"log:{line}:{column}: {url}\n" for line, column, url in FOUND)
    assert (ended.status, ended.err) == (0, "4 URLs\n")
    assert run("find", stdin=LOG).out == ended.out.replace("log:", "standard input:")
    assert run("find", "-", stdin=LOG).out == ended.out.replace("log:", "standard input:")


def test_forms(folder: Path) -> None:
    assert run("find", "--only", "log").out.splitlines() == [url for _, _, url in FOUND]
    rows = [json.loads(line) for line in run("find", "--json", "log").out.splitlines()]
    assert [(row["line"], row["column"], row["href"]) for row in rows] == FOUND
    assert rows[2] == {"file": "log", "line": 3, "column": 5, "text": "http://BÜCHER.example/é", "href": FOUND[2][2]}
    (folder / "none").write_text("nothing")
    ended = run("find", "--count", "log", "none")
    assert (ended.out, ended.err) == ("log: 4\nnone: 0\n", "4 URLs in 1 of 2 files\n")
    for more in (["--only", "--json"], ["--json", "--count"], ["--schemes", "a b"], ["--syntax", "xml"]):
        assert run("find", *more, "log").status == 2
    assert run("find", "nothing").err == "weburl: nothing: no such file or directory\n0 URLs\n"


def test_how(folder: Path) -> None:
    (folder / "a").write_text(r'{"u":"http:\/\/a.b\/\u0026","v":"hxxp[:]//c[.]d example.com ssh://e"}')
    assert run("find", "--only", "a").out == ""
    assert run("find", "--only", "--syntax", "json", "a").out == "http://a.b/&\n"
    assert run("find", "--only", "--defanged", "a").out == "http://c.d/\n"
    assert run("find", "--only", "--bare", "a").out == "http://example.com/\n"
    assert run("find", "--only", "--schemes", "ssh,git", "a").out == "ssh://e\n"


def test_packed_files_and_folders(folder: Path) -> None:
    data = LOG.encode()
    (folder / "logs").mkdir()
    for name, packed in (("a.gz", gzip.compress(data)), ("b.bz2", bz2.compress(data)), ("c.xz", lzma.compress(data))):
        (folder / "logs" / name).write_bytes(packed)
    (folder / "logs" / "d").write_bytes(b"\xef\xbb\xbf" + data)
    expected = [url for _, _, url in FOUND] * 4
    assert run("find", "--only", "logs").out.splitlines() == expected
    ended = run("find", "--count", "logs/*")
    names = [os.path.join("logs", name) for name in ("a.gz", "b.bz2", "c.xz", "d")]
    assert ended.out == "".join(f"{name}: 4\n" for name in names)
    (folder / "logs" / "e").write_bytes(gzip.compress(data)[:-9])
    ended = run("find", "logs/e")
    assert (ended.status, ended.err) == (3, "weburl: logs/e: it is cut off: its gzip data has no end\n0 URLs\n")


def test_goes_on_after_what_cannot_be_read(folder: Path) -> None:
    """As grep does: each is reported, what was found before the damage is printed, and the status is 3."""
    data = b"".join(b"http://a.b/%d %s\n" % (n, os.urandom(60)) for n in range(100_000))
    root = folder / "logs"
    (root / "deep").mkdir(parents=True)
    for name in ("a", "deep/z", "m"):
        (root / name).write_text(f"see http://{name[0]}.example/")
    (root / "c.gz").write_bytes(gzip.compress(data, 1)[:-20])
    (root / "d.gz").write_bytes(gzip.compress(b"http://no.example/")[:8])
    reported = {f"logs{os.sep}c.gz", f"logs{os.sep}d.gz"}
    expected = ["http://a.example/", "http://m.example/", "http://d.example/"]
    if os.name == "posix":
        (root / "b").symlink_to("nowhere")
        (root / "l").symlink_to("a")
        (root / "loop").symlink_to(".")
        (folder / "linked").symlink_to("logs")
        reported.add(f"logs{os.sep}b")
        expected.insert(1, "http://a.example/")
    for names in (["logs"], ["logs/*"], ["nothing", "logs"], ["logs", "no*"]):
        ended = run("find", "--only", *names)
        found = ended.out.splitlines()
        assert ended.status == 3
        own = [url for url in found if "a.b/" not in url]
        assert own == expected or "logs/*" in names
        assert set(expected) <= set(own)
        # What comes before the damage is there.
        assert 50_000 < len(set(found)) - len(set(own)) <= 100_000
        lines = ended.err.splitlines()
        told = {line.split(": ")[1] for line in lines[:-1]}
        # A link that is named, as by a glob, is followed.
        linked = {f"logs{os.sep}loop{os.sep}{name}" for name in ("b", "c.gz", "d.gz")} if "logs/*" in names else set()
        assert told - linked == reported | {name for name in names if name.startswith("no")}
        assert lines[-1].startswith(f"{len(found)} URLs in ")
    ended = run("find", "--count", "logs")
    assert f"logs{os.sep}c.gz" not in ended.out
    assert f"logs{os.sep}m: 1\n" in ended.out
    assert ended.status == 3
    rows = [json.loads(line) for line in run("find", "--json", "logs").out.splitlines()]
    assert {row["href"] for row in rows if "a.b/" not in row["href"]} == set(expected)


def drop_rights() -> None:
    """Root can no longer read all files, once another program has begun: man capabilities."""
    if os.geteuid() == 0:
        import ctypes

        drop_from_bounding_set, dac_override, dac_read_search = 24, 1, 2
        for right in (dac_override, dac_read_search):
            assert ctypes.CDLL(None).prctl(drop_from_bounding_set, right, 0, 0, 0) == 0


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or (os.geteuid() == 0 and sys.platform != "linux"), reason="anybody can read all files"
)
def test_without_rights(folder: Path) -> None:
    for name in ("logs/a", "logs/closed/b", "logs/z"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"http://{path.name}.example/")
    (folder / "logs/a").chmod(0)
    (folder / "logs/closed").chmod(0)
    command = [sys.executable, "-m", "weburl", "find", "--only", "logs"]
    try:
        ended = subprocess.run(command, preexec_fn=drop_rights, capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stdout) == (3, "http://z.example/\n")
        assert sorted(ended.stderr.splitlines()[:2]) == [
            "weburl: logs/a: permission denied", "weburl: logs/closed: permission denied",
        ]  # fmt: skip
    finally:
        (folder / "logs/closed").chmod(0o700)


def test_a_folder_that_cannot_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for root, whom no right stops."""
    for name in ("logs/a/x", "logs/b/x", "logs/c/x"):
        path = folder / name
        path.parent.mkdir(parents=True)
        path.write_text(f"http://{path.parent.name}.example/")
    scandir = os.scandir

    def closed(path: str) -> object:
        if str(path).endswith("b"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", closed)
    ended = run("find", "--only", "logs")
    assert (ended.status, ended.out) == (3, "http://a.example/\nhttp://c.example/\n")
    assert ended.err.splitlines() == [
        f"weburl: {os.path.join('logs', 'b')}: permission denied",
        "2 URLs in 2 of 2 files",
    ]
    ended = run("-f", "logs")
    assert ended.status == 3


@pytest.mark.parametrize("seed", range(4))
def test_any_bytes_in_any_blocks(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The URLs of a file are those of its text, wherever it is cut."""
    random = Random(seed)
    path = tmp_path / "file"
    for _ in range(40):
        parts = [text for _ in range(30) if isinstance(text := hostile_text(random), bytes)]
        data = b" ".join(parts)
        if random.random() < 0.5:
            data = data.replace(b"\n", b" ")
        path.write_bytes(b"x" + data)
        for block in (1, 7, 64, 1 << 20):
            monkeypatch.setattr(byte_stream, "BLOCK", block)
            monkeypatch.setattr(find, "PART", random.choice((1, 50, 1 << 20)))
            limit = random.choice(("500", "0", "100K"))
            rows = [json.loads(line) for line in run("find", "--json", "--max-line", limit, str(path)).out.splitlines()]
            text = b"x" + data
            expected = []
            for span in find_urls(text):
                begin = text.rfind(b"\n", 0, span.start) + 1
                column = len(text[begin : span.start].decode("utf-8", "replace")) + 1
                expected.append((text.count(b"\n", 0, span.start) + 1, column, span.url.href))
            longest = max(map(len, re.split(rb'[\x00-\x20\x7f<>"`]', text)))
            if limit != "500" or longest < 500:
                assert [(row["line"], row["column"], row["href"]) for row in rows] == expected


def test_a_long_line_takes_constant_memory(tmp_path: Path) -> None:
    """A line of many parts, and a word that is longer than what is held."""
    path = tmp_path / "file"
    path.write_bytes(b"http://a.b/c " * 300_000 + b"\n" + b"http://a.b/" + b"d" * (3 << 20) + b"\nhttp://e")
    out = run("find", "--only", "--max-line", "64K", str(path)).out.splitlines()
    assert out[:300_000] == ["http://a.b/c"] * 300_000
    assert out[-1] == "http://e/"
    assert out[300_000].startswith("http://a.b/ddd")
    assert len(out) == 300_002


@pytest.mark.skipif(os.name != "posix", reason="reads a pipe while it is written")
def test_a_line_appears_at_once() -> None:
    command = [sys.executable, "-m", "weburl", "find", "--only"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"see http://a.b/c\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"http://a.b/c\n"
        process.stdin.write(b"see http://d.e\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"http://d.e/\n"
        process.stdin.close()
