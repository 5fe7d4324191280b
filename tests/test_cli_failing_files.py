"""Files that vanish, are locked, or fail while they are read; full disks, closed pipes and signals: for dedup, join and
stats, and for all kinds of records. Each ends with a sentence and its status, and leaves no file.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from support.command import run
from support.waiting import wait_until_read

from weburl.cli.readers import byte_stream, file_names

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links, signals and descriptors are those of POSIX")
LINES = b"http://a.example/\nhttp://b.example/?q=1\n" * 20
LOG = b'h - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 1\n' * 20
# The file, what it has, and the command; {} is its name, {other} that of a file that can be read.
READ: dict[str, tuple[str, bytes, list[str]]] = {
    "dedup": ("a.txt", LINES, ["dedup", "-f", "{}"]),
    "dedup, spilled": ("a.txt", LINES, ["dedup", "--memory", "1", "-f", "{other}", "{}"]),
    "join": ("a.txt", LINES, ["join", "--with", "{other}", "-f", "{}"]),
    "join, the other file": ("a.txt", LINES, ["join", "--with", "{}", "-f", "{other}"]),
    "a log": ("a.log", LOG, ["--log", "common", "--base", "http://h", "-f", "{}"]),
    "dedup of a log": ("a.log", LOG, ["dedup", "--log", "common", "--base", "http://h", "-f", "{}"]),
    "CSV": ("a.csv", b"u,v\n" + b'"http://h/","1"\n' * 20, ["--column", "u", "--csv", "--keep", "-f", "{}"]),
    "JSON Lines": ("a.jsonl", b'{"u":"http://h/"}\n' * 20, ["--field", "u", "--json", "--keep", "-f", "{}"]),
}
COUNTED: dict[str, tuple[str, bytes, list[str]]] = {
    "stats": ("a.txt", LINES, ["stats", "{other}", "{}"]),
    "stats of a log": ("a.log", LOG, ["stats", "--log", "common", "--base", "http://h", "{}"]),
    "stats of CSV": ("a.csv", b"u,v\nhttp://h/,1\n", ["stats", "--column", "u", "--json", "{}"]),
    "stats of JSON Lines": ("a.jsonl", b'{"u":"http://h/"}\n', ["stats", "--field", "u", "{}"]),
    "check": ("a.txt", LINES, ["check", "{other}", "{}"]),
}


class Failing(io.FileIO):
    """A file of which the first bytes can be read; then the disk fails."""

    def readinto(self, buffer: Any) -> int:
        return self.limited(super().readinto(memoryview(buffer)[:64]))

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(min(size or 0, 64))
        self.limited(len(data))
        return data

    def limited(self, count: int) -> int:
        if self.tell() > 256:
            raise OSError(errno.EIO, "Input/output error")
        return count


def dangling(path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    path.rename(path.with_name("moved"))
    path.symlink_to("nowhere")
    return "no such file or directory"


def vanished(path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """It is there when names are looked for, and not when it is opened."""
    real = file_names.files_of

    def files_of(name: str) -> Iterator[str]:
        for found in [*real(name)]:
            path.unlink(missing_ok=True)
            yield found

    monkeypatch.setattr(file_names, "files_of", files_of)
    return "no such file or directory"


def opened_by(monkeypatch: pytest.MonkeyPatch, path: Path, other: Callable[[], Any]) -> None:
    real = builtins.open

    def opened(name: Any, *arguments: Any, **options: Any) -> Any:
        return other() if name == str(path) else real(name, *arguments, **options)

    monkeypatch.setattr("builtins.open", opened)


def locked(path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    def refuse() -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    opened_by(monkeypatch, path, refuse)
    return "permission denied"


def failing(path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    path.write_bytes(path.read_bytes() * 20)
    opened_by(monkeypatch, path, lambda: Failing(str(path)))
    monkeypatch.setattr(byte_stream, "BLOCK", 128)
    return "input/output error"


@pytest.mark.parametrize("way", [dangling, vanished, locked, failing], ids=lambda way: way.__name__)
@pytest.mark.parametrize("name", [*READ, *COUNTED])
def test_files_that_cannot_be_read(
    name: str, way: Callable[[Path, pytest.MonkeyPatch], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, data, command = (READ | COUNTED)[name]
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    path, other, out = tmp_path / file, tmp_path / "other.txt", tmp_path / "out"
    path.write_bytes(data)
    other.write_bytes(b"".join(b"http://h%d/\n" % number for number in range(5000)))
    out.write_text("before")
    arguments = [part.format(path, other=other) for part in command]
    assert run(*arguments).status in (0, 1)
    said = way(path, monkeypatch)
    ended = run(*arguments, *(["-o", str(out)] if name in READ else []))
    assert ended.status == 3
    assert ended.err == f"weburl: {path}: {said}\n"
    if not name.startswith("check"):
        assert ended.out == ""
    assert out.read_text() == "before"
    left = {each.name for each in tmp_path.iterdir()}
    assert left - {"moved", file} == {"temporary", "other.txt", "out"}
    assert [*temporary.iterdir()] == []


@pytest.mark.parametrize("command", ["links", "--hosts", "--not-hosts", "--routes"])
def test_other_files_that_cannot_be_read(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if command == "links":
        pytest.importorskip("selectolax", reason="selectolax is not installed")
    path = tmp_path / "a"
    path.write_text("http://h/\n")
    arguments = [command, str(path), *(["-g", "{route}"] if command == "--routes" else [])]
    arguments += [] if command == "links" else ["http://h/"]
    assert run(*arguments).status == 0
    said = locked(path, monkeypatch)
    assert run(*arguments) == (3, "", f"weburl: {path}: {said}\n")


# Processes.

MANY = b"".join(b"http://h%d.example/\n" % number for number in range(30_000))
WAITING: dict[str, list[str]] = {
    "dedup": ["dedup", "-o", "out"],
    "dedup, spilled": ["dedup", "--memory", "1", "-o", "out"],
    "join": ["join", "--with", "other.txt", "-o", "out"],
    "join, the other file": ["join", "--with", "-", "-f", "other.txt", "-o", "out"],
    "stats": ["stats"],
    "stats as JSON": ["stats", "--json", "-"],
}


def start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    (folder / "temporary").mkdir(exist_ok=True)
    (folder / "other.txt").write_bytes(b"http://h1.example/\nhttp://h2.example/\n")
    return subprocess.Popen(
        [sys.executable, "-m", "weburl", *arguments], cwd=folder, preexec_fn=heed,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(folder / "temporary")},
    )  # fmt: skip


def heed() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    ("number", "status", "said"), [(signal.SIGINT, 130, b"weburl: interrupted\n"), (signal.SIGTERM, 143, b"")]
)
@pytest.mark.parametrize("name", WAITING)
def test_signals(name: str, number: int, status: int, said: bytes, tmp_path: Path) -> None:
    process = start(tmp_path, *WAITING[name])
    assert process.stdin is not None
    process.stdin.write(MANY)
    process.stdin.flush()
    wait_until_read(process.stdin, process)
    process.send_signal(number)
    assert process.communicate() == (b"", said)
    assert process.returncode == status
    assert sorted(os.listdir(tmp_path)) == ["other.txt", "temporary"]
    # A name without "tmp" is of a file by which `tempfile` finds out whether it can write there.
    assert [name for name in os.listdir(tmp_path / "temporary") if name.startswith("tmp")] == []


PRINTING: dict[str, list[str]] = {
    "dedup": ["dedup"],
    "dedup, spilled": ["dedup", "--memory", "1"],
    "join": ["join", "--left", "--with", "other.txt"],
    "stats": ["stats"],
    "stats as JSON": ["stats", "--json"],
    "check": ["check", "--failures", "--base", "http://a"],
}


@pytest.mark.parametrize("name", PRINTING)
def test_pipes_that_are_closed(name: str, tmp_path: Path) -> None:
    process = start(tmp_path, *PRINTING[name])
    assert process.stdout is not None
    process.stdout.close()
    data = MANY + b"http://a b/\n" * 100
    assert process.stdin is not None
    assert process.stderr is not None
    for call in (lambda: process.stdin.write(data), process.stdin.close):
        with suppress(BrokenPipeError):
            call()
    # What is no URL is counted where all lines are read.
    assert process.stderr.read() in (b"", b"weburl: 100 of 30,100 lines are not URLs (domain-to-ASCII: 100)\n")
    assert process.wait() == 141
    process.stderr.close()
    assert sorted(os.listdir(tmp_path)) == ["other.txt", "temporary"]
    assert os.listdir(tmp_path / "temporary") == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("name", PRINTING)
def test_full_disks(name: str, tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_bytes(b"http://h1.example/\n")
    (tmp_path / "many.txt").write_bytes(MANY + b"http://a b/\n")
    command = [sys.executable, "-m", "weburl", *PRINTING[name]]
    places: list[tuple[str, list[str]]] = [("standard output", [])]
    if name.startswith(("dedup", "join")):
        places.append(("/dev/full", ["-o", "/dev/full"]))
    for place, more in places:
        with open("/dev/full" if not more else os.devnull, "wb") as out:
            done = subprocess.run([*command, "-f", "many.txt", *more], cwd=tmp_path, stdout=out, stderr=subprocess.PIPE)
        assert done.returncode == 3
        assert done.stderr == f"weburl: {place}: No space left on device\n".encode()
        assert sorted(os.listdir(tmp_path)) == ["many.txt", "other.txt"]


@pytest.mark.sample(2)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("format_", [[], ["--json"], ["--csv", "-g", "{host}"]])
@pytest.mark.parametrize("count", [1, 20_000])
def test_rejects_that_cannot_be_written(count: int, format_: list[str], tmp_path: Path) -> None:
    """The output is not replaced then, and each message names the file that fails."""
    rows = "http://a/\nx\n" * count
    out, rejects = tmp_path / "out", tmp_path / "rejects"
    out.write_text("old")
    for full, options in {
        "/dev/full": ["-o", str(out), "--invalid", "file=/dev/full"],
        "/dev/full ": ["-o", "/dev/full", "--invalid", f"file={rejects}"],
    }.items():
        ended = run(*options, *format_, stdin=rows)
        assert (ended.status, ended.err) == (3, f"weburl: {full.strip()}: No space left on device\n")
        assert out.read_text() == "old"
        assert [each.name for each in tmp_path.iterdir()] == ["out"]
