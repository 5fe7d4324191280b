"""The disk has a file when it gets its name: if the machine stops, there is the old file or the new one, whole."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from support.command import run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="numbers of files and open folders are those of POSIX")
URLS = "".join(f"http://h{number % 3}/{number}?token=q8Zx{number}\n" for number in range(3000)) + "x\n"


class Disk:
    """What a disk surely has: how long each file was when it was flushed, and which folders wait since a name came."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, error: int | None = None) -> None:
        self.error = error
        self.sizes: dict[int, int] = {}
        self.named: list[str] = []
        self.early: list[str] = []
        self.waiting: set[int] = set()
        self.real_fsync = os.fsync
        self.real_names = {"replace": os.replace, "rename": os.rename}
        monkeypatch.setattr(os, "fsync", self.fsync)
        for name in ("replace", "rename"):
            monkeypatch.setattr(os, name, lambda source, target, name=name: self.name(name, source, target))

    def fsync(self, number: int) -> None:
        found = os.fstat(number)
        self.sizes[found.st_ino] = found.st_size
        self.waiting.discard(found.st_ino)
        if self.error is not None:
            raise OSError(self.error, os.strerror(self.error))
        self.real_fsync(number)

    def name(self, call: str, source: str, target: str) -> None:
        inside = [path for path in Path(source).rglob("*") if path.is_file()]
        for path in inside if os.path.isdir(source) else [Path(source)]:
            found = path.stat()
            if self.sizes.get(found.st_ino) != found.st_size:
                self.early.append(target)
        self.real_names[call](source, target)
        self.named.append(target)
        self.waiting.add(os.stat(os.path.dirname(target)).st_ino)


KINDS = {
    "lines": (["--csv", "-f", "urls", "-o", "out"], ["out"]),
    "two outputs": (["-f", "urls", "-o", "out", "--invalid", "file=wrong"], ["out", "wrong"]),
    "learn": (["learn", "-f", "urls", "-o", "out"], ["out"]),
    "redact": (["redact", "urls", "-o", "out"], ["out"]),
    "redact in place": (["redact", "urls", "-o", "urls"], ["urls"]),
    "redact gzip": (["redact", "urls", "-o", "out.gz"], ["out.gz"]),
    "a folder in place": (["redact", "logs", "-o", "logs"], ["logs/a", "logs/b"]),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("urls").write_text(URLS)
    Path("logs").mkdir()
    for name in ("a", "b"):
        Path("logs", name).write_text(URLS)
    return tmp_path


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_there", [False, True])
def test_data_before_names(kind: str, is_there: bool, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments, names = KINDS[kind]
    for name in names:
        if is_there and not Path(name).exists():
            Path(name).write_text("before")
    disk = Disk(monkeypatch)
    assert run(*arguments).status in (0, 1)
    assert {os.path.realpath(name) for name in names} <= {*disk.named}
    wanted = {os.path.realpath(name) for name in names}
    assert not wanted & {*disk.early}
    assert os.stat(folder).st_ino not in disk.waiting


def test_new_files_of_a_folder_do_not_wait(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They can be made again."""
    disk = Disk(monkeypatch)
    assert run("redact", "logs", "-o", "clean").status == 0
    assert {os.path.realpath(f"clean/{name}") for name in "ab"} <= {*disk.named}
    assert not disk.sizes


@pytest.mark.parametrize("error", [errno.EINVAL, errno.ENOSYS, errno.ENOTSUP])
def test_a_file_system_that_does_not_flush(error: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Disk(monkeypatch, error)
    assert run("-f", "urls", "-o", "out").status == 0
    assert Path("out").read_text().count("\n") == 3001


@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC])
def test_a_disk_that_fails_at_last(error: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("out").write_text("before")
    Disk(monkeypatch, error)
    ended = run("-f", "urls", "-o", "out")
    assert (ended.status, ended.out) == (3, "")
    assert os.strerror(error).lower() in ended.err.lower()
    assert Path("out").read_text() == "before"
    assert sorted(os.listdir()) == ["logs", "out", "urls"]
