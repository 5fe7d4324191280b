"""What Windows does otherwise, simulated: its files, consoles, pipes and signals."""

from __future__ import annotations

import errno
import gzip
import io
import os
import re
import select
import signal
import stat
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from support.command import run

from weburl import cli
from weburl._arrow import progress
from weburl.cli._system import POSIX, SYSTEM, WINDOWS, System
from weburl.cli.readers import files, names
from weburl.cli.viewer.server import Server
from weburl.cli.writers import file_rights, output_file, partitions

URLS = b"http://h/1\nhttp://h/2\n"
# An input of each format that needs no other library, and the options that read it.
INPUTS = {
    "text": ("urls", URLS, []),
    "gzip": ("urls.gz", gzip.compress(URLS), []),
    "csv": ("urls.csv", b"u\n" + URLS, ["--column", "u"]),
    "jsonl": ("urls.jsonl", b'{"u": "http://h/1"}\n', ["--field", "u"]),
}


def is_open(path: str | os.PathLike[str]) -> bool:
    """Whether this process has the file open."""
    wanted = os.stat(path)
    for number in os.listdir("/proc/self/fd"):
        try:
            found = os.fstat(int(number))
        except OSError:
            continue
        if os.path.samestat(wanted, found):
            return True
    return False


@pytest.fixture
def windows_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is open, or that is read-only, is neither removed nor replaced."""
    replace, unlink = os.replace, os.unlink

    def check(path: Any) -> None:
        if os.path.exists(path) and (is_open(path) or not os.stat(path).st_mode & stat.S_IWUSR):
            raise PermissionError(errno.EACCES, "Access is denied", str(path))

    def windows_replace(source: Any, target: Any) -> None:
        check(target)
        if is_open(source):
            raise PermissionError(errno.EACCES, "Access is denied", str(source))
        replace(source, target)

    def windows_unlink(path: Any) -> None:
        check(path)
        unlink(path)

    monkeypatch.setattr(os, "replace", windows_replace)
    monkeypatch.setattr(os, "unlink", windows_unlink)
    monkeypatch.setattr(file_rights, "HAS_MODES", False)


needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")


@needs_proc
def test_the_rules_are_those_of_windows(windows_files: None, tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    a.touch()
    b.touch()
    with b.open(), pytest.raises(PermissionError):
        os.replace(a, b)
    b.chmod(0o444)
    with pytest.raises(PermissionError):
        os.unlink(b)
    b.chmod(0o644)
    os.replace(a, b)
    os.unlink(b)


@needs_proc
@pytest.mark.parametrize("command", [[], ["dedup"]])
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("kind", INPUTS)
def test_a_file_is_replaced_by_what_is_made_of_it(
    kind: str, threads: str, command: list[str], windows_files: None, tmp_path: Path
) -> None:
    name, data, options = INPUTS[kind]
    path = tmp_path / name
    path.write_bytes(data)
    more = [] if command else ["--threads", threads]
    ended = run(*command, "-f", str(path), *options, *more, "-o", str(path), "-g", "{pathname}")
    assert (ended.status, ended.err) == (0, "")
    assert path.read_bytes() == b"/1\n/2\n"[: 3 * data.count(b"http") or 6]
    assert os.listdir(tmp_path) == [name]


@needs_proc
def test_a_file_that_is_read_only(windows_files: None, tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"before")
    path.chmod(0o444)
    ended = run("http://h", "-o", str(path))
    assert (ended.status, ended.err) == (3, f"weburl: {path}: Access is denied\n")
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["out"]


@needs_proc
def test_a_file_that_somebody_has_open(windows_files: None, tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"before")
    with path.open():
        assert run("http://h", "-o", str(path)).err == f"weburl: {path}: Access is denied\n"
    assert os.listdir(tmp_path) == ["out"]


class ClosedPipe(io.RawIOBase):
    """A pipe whose reader has ended, as the C library of Windows shows it."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        raise OSError(errno.EINVAL, "Invalid argument")


@pytest.mark.parametrize("arguments", [["-g", "{host}"], ["stats"], ["check"]])
def test_a_pipe_that_is_closed(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    given = io.TextIOWrapper(io.BytesIO(b"http://h\nhttp:h\n"))
    monkeypatch.setattr(cli, "SYSTEM", WINDOWS)
    monkeypatch.setattr(sys, "stdin", given)
    out, err = io.TextIOWrapper(io.BufferedWriter(ClosedPipe())), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        assert cli.main(arguments) == 141
    assert err.getvalue() == ""
    with pytest.raises(OSError, match="Invalid"):
        out.close()


def test_another_error_of_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "SYSTEM", POSIX)
    out, err = io.TextIOWrapper(io.BufferedWriter(ClosedPipe())), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        assert cli.main(["http://h"]) == 3
    assert err.getvalue() == "weburl: standard output: Invalid argument\n"
    with pytest.raises(OSError, match="Invalid"):
        out.close()


class Console(io.RawIOBase):
    """A console: it takes a few characters at a time, in UTF-8, and only from this object."""

    def __init__(self) -> None:
        self.shown = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.shown += bytes(data[:7])
        return min(len(data), 7)

    def fileno(self) -> int:
        raise AssertionError("its descriptor takes another encoding")


class Unbuffered(io.StringIO):
    """sys.stdout of python -u."""

    def __init__(self, raw: Any) -> None:
        super().__init__()
        self.raw = raw

    @property
    def buffer(self) -> Any:
        return self.raw


def test_a_console_without_a_buffer() -> None:
    console = Console()
    with redirect_stdout(Unbuffered(console)):
        for _ in range(2):
            assert cli.main(["http://xn--bcher-kva.example/", "--as-idn", "-g", "{host}"]) == 0
    assert console.shown.decode() == "bücher.example\n" * 2
    assert not console.closed


def test_newlines_are_not_translated() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, "cp1252", newline="\r\n")
    with redirect_stdout(out):
        assert cli.main(["http://xn--bcher-kva.example/", "--as-idn"]) == 0
    assert raw.getvalue().decode() == "http://bücher.example/\n"


@pytest.mark.skipif(os.name != "posix", reason="needs PYTHONIOENCODING for a pipe")
def test_characters_that_a_code_page_does_not_have() -> None:
    command = [sys.executable, "-m", "weburl", "explain", "http://例え.example/"]
    ended = subprocess.run(command, env=os.environ | {"PYTHONIOENCODING": "cp437"}, capture_output=True, check=True)
    assert "\\u4f8b" in ended.stdout.decode("cp437")


def test_lines_that_windows_programs_write() -> None:
    assert run("-g", "{href}", stdin=b"\xef\xbb\xbfhttp://h/1\r\nhttp://h/2\r\n").lines == ["http://h/1", "http://h/2"]
    # PowerShell 5.1 redirects to UTF-16.
    ended = run(stdin="\ufeffhttp://h/1\r\n".encode("utf-16-le"))
    assert ended.status == 3
    assert "UTF-16" in ended.err


def test_the_signals_of_windows_end_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    # SIGBREAK has the number that nothing else has here.
    for module in ("signal", "_signal"):
        monkeypatch.delattr(f"{module}.SIGHUP", raising=False)
        monkeypatch.setattr(f"{module}.SIGBREAK", getattr(signal, "SIGUSR1", 21), raising=False)
    before = {name: signal.getsignal(getattr(signal, name)) for name in ("SIGTERM", "SIGBREAK")}
    monkeypatch.setattr(sys, "argv", ["weburl", "--version"])
    try:
        for name in before:
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        assert cli.main() == 0
        for name in before:
            number = getattr(signal, name)
            with pytest.raises(cli.Terminated):
                signal.raise_signal(number)
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def test_a_counter_is_cleared_without_sequences(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    bar = progress.Bar(200 << 20, leave=False)
    bar.show(150 << 20)
    bar.show(1 << 20)
    bar.close()
    shown = capsys.readouterr().err
    assert shown.isprintable() or re.fullmatch(r"[\r -~]*", shown)
    assert shown.endswith("\r" + " " * len("150 of 200 MiB") + "\r")


def test_a_pipe_that_cannot_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(select, "poll", raising=False)
    number, other = os.pipe()
    with open(number, "rb") as file, open(other, "wb"):
        assert files._readiness(file)() is False


@pytest.mark.parametrize(
    ("system", "path", "keys"),
    [
        (WINDOWS, "C:\\logs\\day=1\\x.csv", {"day": "1"}),
        (WINDOWS, "day=1/hour=2\\x", {"day": "1", "hour": "2"}),
        (WINDOWS, "x=1\\", {"x": "1"}),
        (POSIX, "day=1/x\\hour=2/y", {"day": "1"}),
        (POSIX, "x=1\\", {}),
    ],
)
def test_where_folders_are_cut(
    system: System, path: str, keys: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(names, "SYSTEM", system)
    assert names.partition_of(path) == keys


@pytest.mark.parametrize(
    ("system", "name"), [(WINDOWS, "a%3Cb%3E%7C%20c%2Fd"), (POSIX, "a<b>| c%2Fd")], ids=["windows", "posix"]
)
def test_names_of_folders(system: System, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "SYSTEM", system)
    assert partitions.escaped("a<b>| c/d") == name


def test_names_of_what_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output_file, "SYSTEM", POSIX)
    assert output_file._opened_before("/dev/fd/7") in (7, None)  # there are systems without /dev/fd
    assert output_file._opened_before("/dev/stderr") == 2
    monkeypatch.setattr(output_file, "SYSTEM", WINDOWS)
    for path in ("/dev/fd/7", "/dev/stdout", "/dev/stderr"):
        assert output_file._opened_before(path) is None


@pytest.mark.parametrize("system", [POSIX, WINDOWS])
def test_streams_that_do_not_wait(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    blocking = {0: True, 1: False, 2: True}
    monkeypatch.setattr(os, "get_blocking", blocking.__getitem__, raising=False)
    monkeypatch.setattr(os, "set_blocking", blocking.__setitem__, raising=False)
    monkeypatch.setattr(cli, "SYSTEM", system)
    cli._wait_for_streams()
    assert blocking[1] is system.shares_waiting


def test_the_system_is_this_one() -> None:
    assert (WINDOWS if os.name == "nt" else POSIX) is SYSTEM


def test_a_path_with_a_drive_is_not_a_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("C:x", "C:\\x"):
        (tmp_path / name).touch()
        ended = run(name)
        assert ended.status == 2
        assert "is a file, not a URL" in ended.err


@pytest.mark.skipif(sys.platform == "emscripten", reason="no port is ever taken there")
def test_the_viewer_shares_its_port_with_nobody() -> None:
    assert Server.allow_reuse_address == SYSTEM.takes_ports_again
    assert not WINDOWS.takes_ports_again
    with Server() as server, pytest.raises(OSError, match="in use"):
        Server(server.server_port)


def test_what_python_opens_is_binary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flags = []
    opened = os.open

    def noted(path: Any, given: int, *more: Any, **options: Any) -> int:
        flags.append(given)
        return opened(path, given & ~(1 << 30), *more, **options)

    monkeypatch.setattr(os, "O_BINARY", 1 << 30, raising=False)
    monkeypatch.setattr(os, "open", noted)
    with output_file.open_output(str(tmp_path / "out")) as out:
        out.write(b"\n")
    # The folder is opened, too.
    assert [given >> 30 & 1 for given in flags if given & os.O_CREAT] == [1]
