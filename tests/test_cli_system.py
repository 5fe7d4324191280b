"""What a system may do to the command: few descriptors, small disks, pipes that stall, other clocks and locales."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count
from pathlib import Path

import pytest
from support.command import run
from support.waiting import sleeps, wait_for, wait_until_read

from weburl.cli import _progress, commands

pytestmark = pytest.mark.skipif(os.name != "posix", reason="descriptors, mounts and FIFOs are those of POSIX")
HOSTS = [f"http://h{number}.example/" for number in range(20_000)]
TEXT = "".join(f"{host}\n" for host in HOSTS).encode()
SMALL = 1 << 16  # bytes of a disk


def command(
    *arguments: str, files: int | None = None, stdin: bytes = b"", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own, which may have so many open files."""

    def limit() -> None:
        import resource

        if files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    done = subprocess.run(
        [sys.executable, "-m", "weburl", *arguments],
        input=stdin,
        capture_output=True,
        timeout=100,
        check=False,
        preexec_fn=limit,
        env={**os.environ, **(environment or {})},
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done


@pytest.mark.parametrize("is_folder", [False, True])
def test_more_files_than_may_be_open(is_folder: bool, tmp_path: Path) -> None:
    names = [tmp_path / f"{number:04}.txt" for number in range(1000)]
    for name, host in zip(names, HOSTS, strict=False):
        name.write_text(f"{host}\n")
    done = command("-f", *([str(tmp_path)] if is_folder else map(str, names)), files=64)
    assert (done.returncode, done.stdout.decode().split()) == (0, HOSTS[:1000])


@pytest.mark.parametrize("files", [6, 8, 10, 16, 64])
@pytest.mark.parametrize("other", [[], ["join", "--with"]], ids=["dedup", "join"])
def test_temporary_files_with_few_descriptors(other: list[str], files: int, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(TEXT)
    if other:
        done = command(*other, str(path), "--memory", "2M", "-g", "{href}", "-f", str(path), files=files)
    else:
        done = command("dedup", "--memory", "1", "-f", str(path), files=files)
    if done.returncode == 0:
        assert done.stdout.decode().split() == HOSTS
    else:
        assert done.returncode == 3
        assert done.stderr.startswith(b"weburl: ")


@pytest.fixture(params=["small", "read-only"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A disk that has 64 KiB, or that cannot be written."""
    folder = tmp_path / "disk"
    folder.mkdir()
    options = f"size={SMALL}" if request.param == "small" else f"size={SMALL},ro"
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("mounting a disk takes rights that this process does not have")
    yield folder
    subprocess.run(["umount", folder], check=True)


COMMANDS = {
    "lines": [],
    "CSV": ["--csv", "--field", "href"],
    "dedup": ["dedup"],
    "dedup, spilled": ["dedup", "--memory", "1"],
    "join": ["join", "--with", "{}"],
    "join, spilled": ["join", "--memory", "2M", "--with", "{}"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_an_output_on_such_a_disk(name: str, disk: Path, tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_bytes(TEXT)
    arguments = [each.format(source) for each in COMMANDS[name] if each not in ("--field", "href")]
    done = command(*arguments, "-o", str(disk / "out"), "-f", str(source))
    assert done.returncode == 3
    assert done.stderr.startswith(b"weburl: ")
    assert [*disk.iterdir()] == []


@pytest.mark.parametrize("name", ["dedup, spilled", "join, spilled"])
def test_temporary_files_on_such_a_disk(name: str, disk: Path, tmp_path: Path) -> None:
    source, out = tmp_path / "a.txt", tmp_path / "out"
    source.write_bytes(TEXT)
    out.write_text("before")
    arguments = [each.format(source) for each in COMMANDS[name]]
    done = command(*arguments, "-o", str(out), "-f", str(source), environment={"TMPDIR": str(disk)})
    # Python writes temporary files elsewhere, where a folder cannot be written.
    assert done.returncode in (0, 3)
    assert out.read_text() == "before" if done.returncode else out.stat().st_size > SMALL
    assert [*disk.iterdir()] == []
    assert {*tmp_path.iterdir()} == {disk, source, out}


def test_a_pipe_that_stalls(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)

    def write() -> None:
        with path.open("wb", buffering=0) as pipe:
            for part in (b"http://a.exa", b"mple/\nhttp", b"://b.example/"):
                pipe.write(part)
                wait_until_read(pipe)

    writer = threading.Thread(target=write)
    writer.start()
    done = command("-f", str(path))
    writer.join()
    assert (done.returncode, done.stdout) == (0, b"http://a.example/\nhttp://b.example/\n")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_pipe_that_nobody_writes_can_be_left(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    process = subprocess.Popen(
        [sys.executable, "-m", "weburl", "-f", str(path)], stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) and None,
    )  # fmt: skip
    # It sleeps, and Python handles the signal: while it starts, it would end in another way.
    wait_for(lambda: sleeps(process), process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert b"Traceback" not in err


class Terminal:
    """Standard error, as if it were a terminal."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


CLOCKS: dict[str, Callable[[], Iterator[float]]] = {
    "back": lambda: (1e6 - 100.0 * number for number in count()),
    "jumps": lambda: (1e9 * (number % 2) for number in count()),
    "stands": lambda: (5.0 for _ in count()),
    "far": lambda: (1e18 * number for number in count()),
}


@pytest.mark.parametrize("clock", CLOCKS)
def test_clocks(clock: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The progress asks a clock that should only go on; one that does not changes no row."""
    times = CLOCKS[clock]()
    monkeypatch.setattr(_progress, "monotonic", lambda: next(times))
    for total in (None, 0, 1, len(TEXT)):
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        progress = _progress.Progress(total, True)
        for done in (0, 1, 1000, len(TEXT), 2 * len(TEXT)):
            progress(done)
        progress.close()
        assert "nan" not in terminal.text
        assert "-" not in terminal.text.replace("--", "")
    path = tmp_path / "a.txt"
    path.write_bytes(TEXT)
    assert run("-f", str(path)).lines == HOSTS


LOCALES = [
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "POSIX"},
    {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    {"LC_ALL": "ja_JP.eucJP", "PYTHONIOENCODING": "euc_jp"},
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "latin-1"},
    {"PYTHONIOENCODING": "cp1254"},
]
ROWS = "http://I\u0130\u0131i.example/I?q=\u00e9\u4f60\nHTTP://FILE.example/\nno URL\n".encode()


# Each with standard input from its begin, in one process.
EACH = """
import os, sys
from weburl.cli import main
streams = sys.stdout, sys.stderr
for option in ("", "--json", "--csv", "stats", "check"):
    sys.argv[1:] = option.split()
    sys.stdin = os.fdopen(os.dup(0), encoding=sys.stdin.encoding)
    os.lseek(0, 0, os.SEEK_SET)
    sys.stdout, sys.stderr = streams
    status = main()
    sys.stdout.flush()
    os.write(1, b"status %d\\n" % status)
"""


def each(locale: dict[str, str], path: Path) -> bytes:
    with path.open("rb") as stdin:
        command = [sys.executable, "-c", EACH]
        done = subprocess.run(command, stdin=stdin, capture_output=True, env={**os.environ, **locale}, check=False)
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert done.returncode == 0
    return done.stdout


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("locales") / "rows"
    path.write_bytes(ROWS)
    return path


@pytest.fixture(scope="module")
def usual(rows: Path) -> bytes:
    return each({"LC_ALL": "C.UTF-8"}, rows)


def test_the_usual_locale(usual: bytes) -> None:
    assert re.findall(rb"status (\d)\n", usual) == [b"0", b"0", b"0", b"0", b"1"]


@pytest.mark.parametrize("locale", LOCALES, ids=str)
def test_locales(locale: dict[str, str], rows: Path, usual: bytes) -> None:
    """The results are the same bytes, whatever the locale says of letters, numbers and encodings."""
    assert each(locale, rows) == usual


def test_a_locale_of_a_process_of_its_own() -> None:
    usual = command("--json", stdin=ROWS, environment={"LC_ALL": "C.UTF-8"})
    done = command("--json", stdin=ROWS, environment=LOCALES[0])
    assert (done.returncode, done.stdout) == (usual.returncode, usual.stdout)


OPTIONS = [
    (command, action.option_strings[-1])
    for command in commands.COMMANDS
    if command not in ("view", "completion")
    for action in import_module(f"weburl.cli.commands.{command}").make_parser()._actions
    if action.option_strings and action.nargs != 0
]
NOT_UTF_8 = "\udcff"


@pytest.mark.sample(172)
@pytest.mark.parametrize(("command", "option"), OPTIONS, ids=lambda part: part)
@pytest.mark.parametrize("form", ["{}", "a{}={}", "a.{}", "http://a/{}"])
def test_options_that_are_not_utf_8(
    command: str, option: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each command, and with each kind of records: there are no surrogates in what is read and written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("u,k\nhttp://a/,1\n")
    (tmp_path / "a.jsonl").write_text('{"u": "http://a/", "k": 1}\n')
    (tmp_path / "a.txt").write_text("http://a/?a=b\n")
    text = form.replace("{}", NOT_UTF_8)
    own = [f"{option}={text}" if option.startswith("--") else f"{option}{text}"]
    for read in (["a.csv", "--column", "u"], ["a.jsonl", "--field", "u"], ["a.txt"]):
        given = {
            "diff": ["http://a", "http://b"],
            "explain": ["http://a"],
            "links": read[:1],
            "join": ["-f", *read, "--with", *read[:1], *(part.replace("--", "--with-") for part in read[1:])],
        }.get(command, ["-f", *read])
        ended = run(*([] if command == "convert" else [command]), *given, *own)
        assert ended.status in (0, 1, 2, 3)
        assert NOT_UTF_8 not in ended.err
