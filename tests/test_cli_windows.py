"""What Windows does otherwise, simulated: its files, consoles, pipes and signals."""

from __future__ import annotations

import builtins
import errno
import gzip
import io
import ntpath
import os
import re
import select
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from support.command import run

from weburl import cli
from weburl._arrow import progress
from weburl.cli import _signals, _system
from weburl.cli._system import POSIX, SYSTEM, WINDOWS, System, openable, without_prefix
from weburl.cli.readers import byte_stream, file_names
from weburl.cli.redacting import mirror
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
def windows_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.parametrize("system", [POSIX, WINDOWS], ids=["posix", "windows"])
def test_the_signals_that_end_the_command(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    # The signal that this system does not have gets the number that nothing else has here.
    missing, other = ("SIGHUP", "SIGBREAK") if system is WINDOWS else ("SIGBREAK", "SIGHUP")
    for module in ("signal", "_signal"):
        monkeypatch.setattr(f"{module}.{other}", getattr(signal, "SIGUSR1", 21), raising=False)
        monkeypatch.delattr(f"{module}.{missing}", raising=False)
    monkeypatch.setattr(_signals, "SYSTEM", system)
    before = {name: signal.getsignal(getattr(signal, name)) for name in ("SIGTERM", other)}
    monkeypatch.setattr(sys, "argv", ["weburl", "--version"])
    ended = []

    def import_something(number: int) -> None:
        signal.raise_signal(number)
        ended.append(number)

    try:
        for name in before:
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        assert cli.main() == 0
        for name in before:
            number = getattr(signal, name)
            with pytest.raises(_signals.Terminated):
                signal.raise_signal(number)
            # Where an import of a module in C must not see it, it comes after that.
            with pytest.raises(_signals.Terminated), _signals.held_signals():
                import_something(number)
            assert ended.pop() == number
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
        assert byte_stream._readiness(file)() is False


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
    monkeypatch.setattr(file_names, "SYSTEM", system)
    assert file_names.partition_of(path) == keys


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


# Long paths.

LONG = _system.LONG
LIMIT = 260  # characters of a path that a program does not open without the prefix


@pytest.fixture
def windows_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path of LIMIT characters needs the prefix, and with the prefix it is taken as it is."""

    def real(path: Any, limit: int = LIMIT) -> Any:
        if not isinstance(path, str | os.PathLike):
            return path
        text = os.fspath(path)
        if text.startswith(LONG):
            # The system looks for folders that are named . and .. there.
            assert os.path.isabs(text.removeprefix(LONG))
            assert {".", ".."}.isdisjoint(text.split("/"))
            return text.removeprefix(LONG)
        if len(abspath(text)) >= limit:
            raise FileNotFoundError(errno.ENOENT, "The system cannot find the path specified", text)
        return text

    def replaced(owner: Any, name: str, paths: int = 1, limit: int = LIMIT) -> None:
        function: Callable[..., Any] = getattr(owner, name)

        def called(*arguments: Any, **options: Any) -> Any:
            return function(*(real(each, limit) for each in arguments[:paths]), *arguments[paths:], **options)

        monkeypatch.setattr(owner, name, called)

    def keeps_prefix(function: Callable[..., str]) -> Callable[..., str]:
        def called(path: Any, **options: Any) -> str:
            text = os.fspath(path)
            prefix = LONG if text.startswith(LONG) else ""
            return prefix + function(text.removeprefix(prefix), **options)

        return called

    def split(path: str) -> tuple[str, str]:
        prefix = LONG if path.startswith(LONG) else ""
        head, tail = split_before(path.removeprefix(prefix))
        return prefix + head, tail

    abspath, split_before, init = os.path.abspath, os.path.split, output_file._Raw.__init__
    for name in ("stat", "lstat", "open", "scandir", "listdir", "unlink", "remove", "rmdir"):
        replaced(os, name)
    # A folder has room for a name of 8.3.
    replaced(os, "mkdir", limit=LIMIT - 12)
    for name in ("replace", "rename"):
        replaced(os, name, 2)
    replaced(builtins, "open")
    monkeypatch.setattr(
        output_file._Raw, "__init__", lambda self, file, *more, **options: init(self, real(file), *more, **options)
    )
    monkeypatch.setattr(os.path, "abspath", keeps_prefix(os.path.abspath))
    monkeypatch.setattr(os.path, "realpath", keeps_prefix(os.path.realpath))
    monkeypatch.setattr(os.path, "split", split)
    monkeypatch.setattr(os.path, "splitdrive", lambda path: (LONG, path[4:]) if path.startswith(LONG) else ("", path))
    monkeypatch.setattr(_system, "SYSTEM", WINDOWS)


simulated = pytest.mark.skipif(os.name == "nt", reason="the simulation has paths of POSIX")


def path_of_length(folder: Path, length: int) -> str:
    """The path of a file in folders that are there."""
    path = str(folder)
    while length - len(path) > 120:
        path = f"{path}/{'d' * 99}"
        os.mkdir(LONG + path)
    return f"{path}/{'f' * (length - len(path) - 1)}"


LENGTHS = [*range(226, 264, 3), 258, 260, 261, 520, 1040]


@simulated
def test_the_rules_of_long_paths(windows_paths: None, tmp_path: Path) -> None:
    for length in LENGTHS:
        path = path_of_length(tmp_path, length)
        assert len(path) == length
        with open(LONG + path, "wb"):
            pass
        assert os.path.exists(path) == (length < LIMIT)
        os.unlink(LONG + path)
        while (path := os.path.dirname(path)) != str(tmp_path):
            os.rmdir(LONG + path)


@simulated
@pytest.mark.parametrize("length", LENGTHS)
def test_files_with_long_paths(length: int, windows_paths: None, tmp_path: Path) -> None:
    path = path_of_length(tmp_path, length)
    for _ in range(2):
        # The second time, it is replaced.
        ended = run("http://h/1", "-g", "{href}", "-o", path)
        assert (ended.status, ended.err) == (0, "")
    assert os.listdir(LONG + os.path.dirname(path)) == [os.path.basename(path)]
    for name in (path, LONG + path):
        assert run("-f", name, "-g", "{pathname}").lines == ["/1"]
    ended = run("-f", path, "-g", "{pathname}", "-o", path)
    assert (ended.status, ended.err) == (0, "")
    with open(LONG + path, "rb") as file:
        assert file.read() == b"/1\n"


@simulated
@pytest.mark.parametrize("length", LENGTHS)
def test_folders_with_long_paths_below(length: int, windows_paths: None, tmp_path: Path) -> None:
    source, target = str(tmp_path / "a"), str(tmp_path / "b")
    os.mkdir(source)
    path = path_of_length(Path(source), length)
    with open(LONG + path, "wb") as file:
        file.write(b"https://u:password@h/\n")
    os.utime(path, (0, 0))
    deep = "/*" * path.removeprefix(source).count("/")
    for prefix in ("", LONG):
        for name in (source, f"{source}/**", f"{source}/**/f*"):
            assert run("-f", prefix + name, "-g", "{host}").lines == ["h"], name
        # Python looks into the folders of a star.
        is_found = bool(prefix) or len(os.path.dirname(path)) < LIMIT
        assert run("-f", f"{prefix}{source}{deep}", "-g", "{host}").lines == ["h"] * is_found
    for prefix, said in (("", "2 secrets (credentials: 2)\n"), (LONG, "0 secrets; 1 done before\n")):
        # The second time, it is done already.
        ended = run("redact", prefix + source, "-o", target)
        assert (ended.status, ended.err) == (0, said)
    with open(LONG + target + path.removeprefix(source), "rb") as file:
        assert b"password" not in file.read()


@simulated
@pytest.mark.parametrize("length", LENGTHS)
def test_new_folders_with_long_paths(length: int, windows_paths: None, tmp_path: Path) -> None:
    path = path_of_length(tmp_path, length)
    name = "day=1/" + "e" * (length % 200) + "/part"
    with output_file.open_folder(path) as folder, folder.open(name) as out:
        out.write(b"x")
    with open(f"{LONG}{path}/{name}", "rb") as file:
        assert file.read() == b"x"
    assert os.listdir(LONG + os.path.dirname(path)) == [os.path.basename(path)]


@simulated
@pytest.mark.parametrize("length", [200, 300])
@pytest.mark.parametrize("end", ["", ".toml"])
def test_other_files_with_long_paths(end: str, length: int, windows_paths: None, tmp_path: Path) -> None:
    path = path_of_length(tmp_path, length) + end

    def write(text: bytes) -> None:
        with open(LONG + path, "wb") as file:
            file.write(text)

    urls = ["http://a.example/7?pin=q8Zx", "http://b.example/x"]
    (tmp_path / "urls").write_text("\n".join(urls))
    if end:
        write(b'base = "logs"\nhide = ["pin"]\n')
        shown = run(*urls, "-g", "{redacted}", "--log-policy", path)
        assert shown.lines == ["http://a.example/7?pin=REDACTED", "http://b.example/x"], shown
        # It is not replaced by what it decides about.
        for output in ("-o", "--metrics"):
            ended = run("redact", str(tmp_path / "urls"), "--log-policy", path, output, path)
            assert (ended.status, "names the file of the policy" in ended.err) == (2, True), ended
        with open(LONG + path, "rb") as file:
            assert file.read().startswith(b"base")
        return
    write(b"a.example\n")
    assert run(*urls, "-g", "{pathname}", "--hosts", path).lines == ["/7"]
    write(b"seven\t*://a.example/:n\nx\t*://b.example/x\n")
    assert run(*urls, "-g", "{route}", "--routes", path).lines == ["seven", "x"]
    ended = run("learn", str(tmp_path / "urls"), "--update", path)
    assert (ended.status, "seven\t" in ended.out) == (0, True)


@simulated
def test_a_link_with_a_short_path(windows_paths: None, tmp_path: Path) -> None:
    path = path_of_length(tmp_path, 300)
    os.symlink(path, tmp_path / "link")
    for _ in range(2):
        assert run("http://h/1", "-g", "{href}", "-o", str(tmp_path / "link")).status == 0
    with open(LONG + path, "rb") as file:
        assert file.read() == b"http://h/1\n"
    assert os.path.islink(tmp_path / "link")


@pytest.mark.parametrize(
    ("glob", "root"),
    [
        ("*.log", "."), ("a/*.log", "a"), ("/*.log", "\\"), ("C:*.log", "C:."), ("C:/*.log", "C:\\"),
        ("C:\\*.log", "C:\\"), ("C:/a/*.log", "C:\\a"), ("//s/d/*.log", "//s/d\\"),
        ("\\\\s\\d\\*.log", "\\\\s\\d\\"), ("\\\\?\\C:\\*.log", "\\\\?\\C:\\"),
    ],
)  # fmt: skip
def test_the_folder_of_a_glob(glob: str, root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "splitdrive", ntpath.splitdrive)
    monkeypatch.setattr(os, "sep", "\\")
    assert mirror._root(glob) == root


@simulated
def test_elsewhere_paths_have_no_prefix(windows_paths: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = path_of_length(tmp_path, 400)
    monkeypatch.setattr(_system, "SYSTEM", POSIX)
    for arguments in (["http://h", "-o", path], ["-f", path]):
        ended = run(*arguments)
        assert ended.status == 3
        assert ended.err.lower() == f"weburl: {path}: the system cannot find the path specified\n".lower()


@pytest.mark.parametrize(
    ("path", "long"),
    [
        ("C:\\{}", "\\\\?\\C:\\{}"),
        ("C:/a/./{}/../b", "\\\\?\\C:\\a\\b"),
        ("\\\\server\\share\\{}", "\\\\?\\UNC\\server\\share\\{}"),
        ("//server/share/{}", "\\\\?\\UNC\\server\\share\\{}"),
        ("\\\\?\\C:\\{}", "\\\\?\\C:\\{}"),
        ("\\\\?\\UNC\\server\\share\\{}", "\\\\?\\UNC\\server\\share\\{}"),
        ("\\\\.\\pipe\\{}", "\\\\.\\pipe\\{}"),
    ],
)
def test_prefixes(path: str, long: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_system, "SYSTEM", WINDOWS)
    monkeypatch.setattr(os.path, "abspath", ntpath.abspath)
    for size in (1, 100, 240, 250, 300, 5000):
        given, expected = (text.format("x" * size) for text in (path, long))
        is_long = len(ntpath.abspath(given)) >= 248
        found = openable(given)
        assert found == (expected if is_long else given)
        assert openable(found) == found
        assert openable(given, has_more_below=True) == expected
        if found != given:
            assert without_prefix(found) == ntpath.abspath(given)
    monkeypatch.setattr(_system, "SYSTEM", POSIX)
    for function in (openable, without_prefix):
        assert function(path.format("x" * 300)) == path.format("x" * 300)
