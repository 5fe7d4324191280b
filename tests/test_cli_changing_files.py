"""Disks that fill up at any byte of what is written, and files that change while they are read."""

from __future__ import annotations

import errno
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.command import run

from weburl._arrow import cutting
from weburl.cli.readers import byte_stream

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits of a process are those of POSIX")
COUNT = 20_000
URLS = [b"http://h%d.example/some/path?q=%d" % (number * 7919 % COUNT, number) for number in range(COUNT)]
WRITING: dict[str, list[str]] = {
    "lines": ["-f", "a.txt", "-o", "out"],
    "CSV": ["--csv", "-f", "a.txt", "-o", "out"],
    "JSON Lines": ["--json", "-f", "a.txt", "-o", "out"],
    "dedup": ["dedup", "-f", "a.txt", "-o", "out"],
    "dedup, spilled": ["dedup", "--memory", "1", "-f", "a.txt", "-o", "out"],
    "join": ["join", "--with", "a.txt", "-f", "a.txt", "-o", "out"],
    "join, spilled": ["join", "--memory", "1M", "--with", "a.txt", "-f", "a.txt", "-o", "out"],
    "Parquet": ["--parquet", "out", "-f", "a.txt"],
    "Arrow": ["--arrow", "out", "-f", "a.txt"],
    "dedup as Parquet": ["dedup", "--memory", "1", "--parquet", "out", "-f", "a.txt"],
}


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """A write that makes a file larger writes less, and the next one fails: as on a disk that is full there."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.txt").write_bytes(b"\n".join(URLS))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", WRITING)
def test_a_disk_that_is_full_after_some_bytes(name: str, folder: Path) -> None:
    """The sizes go from nothing to one byte less than the whole output."""
    if name in ("Parquet", "Arrow", "dedup as Parquet"):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    out = folder / "out"
    assert run(*WRITING[name]).status == 0
    whole = out.read_bytes()
    sizes = {0, 1, 4, 4096, *(len(whole) * part // 8 for part in range(1, 8)), len(whole) - 1}
    for size in sorted(sizes):
        out.write_bytes(b"before")
        with largest_file(size):
            done = run(*WRITING[name])
        assert done.status == 3, size
        assert done.out == ""
        assert done.err.startswith(("weburl: out: ", "weburl: a temporary file of "))
        assert os.strerror(errno.EFBIG)[1:] in done.err
        assert out.read_bytes() == b"before"
        assert sorted(os.listdir(folder)) == ["a.txt", "out", "temporary"]
        assert os.listdir(folder / "temporary") == []
    assert run(*WRITING[name]).status == 0
    assert out.read_bytes() == whole


def shrink(path: Path) -> None:
    os.truncate(path, 100)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def grow(path: Path) -> None:
    with open(path, "ab") as file:
        file.write(b"\nhttp://grown.example/\n" * 5000)


def overwrite(path: Path) -> None:
    path.write_bytes(b"\0\xff\n" * 200_000)


def replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(b"http://other.example/\n")
    other.replace(path)


def delete(path: Path) -> None:
    path.unlink()


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


READING = {
    "lines": ["-f", "a.txt"],
    "dedup": ["dedup", "--memory", "1", "-f", "a.txt"],
    "stats": ["stats", "-f", "a.txt"],
    "join": ["join", "--with", "b.txt", "-f", "a.txt"],
    "join, the other file": ["join", "--with", "a.txt", "-f", "b.txt"],
}


@pytest.mark.parametrize("change", [shrink, empty, grow, overwrite, replace, delete, make_folder])
@pytest.mark.parametrize("name", READING)
def test_files_that_change_while_they_are_read(
    name: str, change: Callable[[Path], None], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command reads what the open file has, and is not killed."""
    (folder / "b.txt").write_bytes(b"http://h1.example/\n")
    path = folder / "a.txt"
    monkeypatch.setattr(byte_stream, "BLOCK", 1 << 15)
    real, calls, lock = cutting.whole_lines, [0], threading.Lock()

    def whole_lines(*arguments: Any) -> Iterator[Any]:
        for number, lines in enumerate(real(*arguments)):
            yield lines
            with lock:
                calls[0] += number == 1
                if number == 1 and calls[0] == 1:
                    change(path)

    monkeypatch.setattr(byte_stream, "whole_lines", whole_lines)
    done = run(*READING[name])
    assert calls[0] == 1
    assert done.status in (0, 1)
    assert "Traceback" not in done.err
    if change in (replace, delete, make_folder) and name == "lines":
        assert done.out.count("\n") == COUNT
