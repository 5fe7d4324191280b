"""The command as a process: pipes, signals, terminals, and files that are written."""

from __future__ import annotations

import gzip
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.command import run
from support.waiting import unread, wait_for, wait_until_it_sleeps, wait_until_read
from test_cli_max_line import MEASURE

from weburl.cli import _progress
from weburl.cli.readers import byte_stream

COMMAND = [sys.executable, "-m", "weburl"]
needs_html = pytest.mark.skipif(find_spec("selectolax") is None, reason="needs selectolax")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and descriptors are those of POSIX")


def start(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    # Signals may be ignored if the tests run in the background or by nohup.
    return subprocess.Popen([*COMMAND, *arguments], preexec_fn=heed, **{**pipes, **options})


def heed() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def test_a_pipe_that_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"http://h/\n" * 100_000)
    for more in ("--json", "--sort-query", "--help"):
        process = start("-f", str(path), more)
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == (0 if more == "--help" else 141)
        process.communicate()


def test_all_is_written_without_a_buffer() -> None:
    given = b"http://h/\n" * 100_000
    process = start("-g", "{href}", env=os.environ | {"PYTHONUNBUFFERED": "1"})
    assert process.communicate(given) == (given, b"")


def test_it_answers_at_once() -> None:
    process = start("-g", "{host}")
    assert process.stdin is not None
    assert process.stdout is not None
    for host in (b"a", b"b", b"c"):
        process.stdin.write(b"http://%s\nhttp:" % host)
        process.stdin.flush()
        assert process.stdout.readline() == host + b"\n"
        process.stdin.write(b"//x\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"x\n"
    process.stdin.write(b"http://d")
    assert process.communicate()[0] == b"d\n"
    assert process.returncode == 0


def test_it_answers_at_once_after_a_long_record() -> None:
    process = start("--csv", "--column", "1", "-g", "{host}")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"http://a,1\n")
    process.stdin.flush()
    assert [process.stdout.readline() for _ in range(2)] == [b"host\n", b"a\n"]
    for host, text in ((b"b", b'"' + b"x\n" * 500_000), (b"c", b'"' + b"x\n" * 50_000), (b"e", b"x" * 500_000)):
        process.stdin.write(b"http://%s,%s" % (host, text))
        process.stdin.flush()
        wait_until_read(process.stdin, process)
        process.stdin.write(text[:1].replace(b"x", b"") + b"\nhttp://d,1\n")
        process.stdin.flush()
        assert [process.stdout.readline() for _ in range(2)] == [host + b"\n", b"d\n"]
    process.communicate()


@pytest.mark.parametrize(
    ("number", "status", "said"),
    [(signal.SIGINT, 130, b"weburl: interrupted\n"), (signal.SIGTERM, 143, b""), (signal.SIGHUP, 129, b"")],
)
def test_signals(number: int, status: int, said: bytes, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("before")
    process = start("-o", str(out))
    assert process.stdin is not None
    process.stdin.write(b"http://h/\n" * 10_000)
    process.stdin.flush()
    wait_for(lambda: any(path.stat().st_size for path in tmp_path.glob(".weburl-*")), process)
    process.send_signal(number)
    assert process.communicate() == (b"", said)
    assert process.returncode == status
    assert os.listdir(tmp_path) == ["out"]
    assert out.read_text() == "before"


@pytest.mark.parametrize("enough", [None, pytest.param(15, marks=pytest.mark.timed)])
def test_an_interrupt_amid_the_work(enough: int | None, tmp_path: Path) -> None:
    path = tmp_path / "lines"
    # Each of these lines takes long.
    path.write_bytes((b"http://h/" + b"a/../" * 100_000 + b"\n") * 50)
    process = start("-f", str(path), "-o", str(tmp_path / "out"), "--threads", "2")
    wait_for(lambda: len(os.listdir(tmp_path)) > 1, process)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=enough) == (b"", b"weburl: interrupted\n")
    assert process.returncode == 130
    assert os.listdir(tmp_path) == ["lines"]


def test_an_interrupt_in_a_text_that_is_executed(tmp_path: Path) -> None:
    """As amid an import that makes a named tuple: Python itself would then end by the signal."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys, types\n"
        "def main(arguments): exec('raise KeyboardInterrupt')\n"
        "sys.modules['weburl.cli.commands.version'] = types.SimpleNamespace(main=main)\n"
    )
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    process = start("--version", env={**os.environ, "PYTHONPATH": path})
    assert process.communicate() == (b"", b"weburl: interrupted\n")
    assert process.returncode == 130


@pytest.mark.parametrize(
    ("closed", "status", "out", "err"),
    [
        ("<&-", 3, "", "weburl: standard input: it is closed\n"),
        pytest.param("links <&-", 3, "", "weburl: standard input: it is closed\n", marks=needs_html),
        (">&-", 3, "", "weburl: standard output is closed\n"),
        ("2>&-", 0, "\n", ""),
        ("2>&- >&-", 3, "", ""),
        ("2>/dev/full", 0, "\n", ""),
        ("--no-such-option 2>/dev/full", 2, "", ""),
        ("-f no-such-file 2>/dev/full", 3, "", ""),
        ("check f >&-", 3, "", "weburl: standard output is closed\n"),
        ("diff a b >&-", 3, "", "weburl: standard output is closed\n"),
        ("redact >&-", 3, "", "weburl: standard output is closed\n"),
        ("redact --explain >&-", 3, "", "weburl: standard output is closed\n"),
        ("redact -o /dev/null >&-", 0, "", "0 secrets\n"),
        (">/dev/full", 3, "", "weburl: standard output: No space left on device\n"),
        ("-o /dev/full", 3, "", "weburl: /dev/full: No space left on device\n"),
        ("-o /dev/stdout", 0, "\n", "weburl: 1 of 1 lines is not a URL (missing-scheme-non-relative-URL: 1)\n"),
        ("-o -", 0, "\n", "weburl: 1 of 1 lines is not a URL (missing-scheme-non-relative-URL: 1)\n"),
    ],
)
def test_descriptors(closed: str, status: int, out: str, err: str) -> None:
    if "full" in closed and not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    script = f'"{sys.executable}" -m weburl {closed}'
    done = subprocess.run(["sh", "-c", script], input="x\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (status, out, err)


def test_memory_is_constant(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    used = []
    for count in (2, 6):
        path.write_bytes(b"http://www.example.com/a/path?with=a&query=as#usual\n" * 100_000 * count)
        # A process counts the memory of the one that it is a copy of, which is a small one here.
        command = [sys.executable, "-c", MEASURE, *COMMAND, "-f", str(path), "-g", "{hostname}", "--threads", "2"]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
        used.append(int(done.stderr))
    assert used[1] < used[0] + (15 << 10) * (1024 if sys.platform == "darwin" else 1)


@pytest.mark.long
def test_a_line_of_any_length(tmp_path: Path) -> None:
    path, out = tmp_path / "lines", tmp_path / "out"
    long = b"http://h/" + b"x" * (9 << 20)
    path.write_bytes(b"http://a\n%s\nhttp://b" % long)
    assert run("-f", str(path), "-o", str(out)) == (0, "", "")
    assert out.read_bytes() == b"http://a/\n%s\nhttp://b/\n" % long


# Files that are written.


def test_output_onto_the_input(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_text("HTTP://a\nHTTP://b")
    path.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to("lines")
    assert run("-f", str(path), "-o", str(link)) == (0, "", "")
    assert path.read_text() == "http://a/\nhttp://b/\n"
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ["lines", "link"]


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    run("http://h", "-o", str(tmp_path / "new"))
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_output_that_cannot_be_written(tmp_path: Path) -> None:
    assert run("http://h", "-o", str(tmp_path)) == (3, "", f"weburl: {tmp_path}: Is a directory\n")
    name = str(tmp_path / "no" / "out")
    assert run("http://h", "-o", name) == (3, "", f"weburl: {name}: No such file or directory\n")
    ended = run("http://h", "-o", "")
    assert (ended.status, ended.err.splitlines()[-1]) == (2, "weburl: OUT needs the name of a file, not ''")
    assert os.listdir(tmp_path) == []


def test_an_input_that_fails_leaves_the_output(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("before")
    damaged = gzip.compress(b'{"u": "http://h/"}')[:-9]
    for arguments in (["-f", str(tmp_path / "no")], ["--field", "u"]):
        assert run("http://h", *arguments, "-f", "-", "-o", str(out), stdin=damaged).status == 3
        assert out.read_text() == "before"
        assert os.listdir(tmp_path) == ["out"]


# Progress.


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(_progress, "is_terminal", lambda stream: stream is sys.stderr)
    monkeypatch.setattr(_progress, "AFTER", 0)
    monkeypatch.setattr(_progress, "EVERY", 0)
    return iter([None])


@pytest.mark.usefixtures("terminal")
def test_a_counter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setattr(byte_stream, "BLOCK", 1 << 23)
    path = tmp_path / "lines"
    path.write_bytes(b"http://h/\n" * 300_000)
    ended = run("-f", str(path), "-g", "{host}", "--threads", "1")
    assert re.fullmatch(r"(\r2 of 2 MiB)+\r {10}\r", ended.err)
    assert ended.out == "h\n" * 300_000
    assert re.fullmatch(r"(\r2 MiB)+\r {5}\r", run(stdin=path.read_bytes()).err)
    ended = run("http://a:x", "-f", str(path), "--invalid", "fail")
    assert ended.err.count("\n") == 1


@pytest.mark.usefixtures("terminal")
def test_a_bar(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls: list[Any] = []

    class Bar:
        def __init__(self, **options: Any) -> None:
            calls.append(options["total"])
            self.n = 0

        def update(self, more: int) -> None:
            self.n += more
            calls.append(self.n)

        def close(self) -> None:
            calls.append("closed")

    module = ModuleType("tqdm")
    module.tqdm = Bar  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tqdm", module)
    path = tmp_path / "lines"
    path.write_bytes(b"http://h/\n")
    assert run("-f", str(path)).err == ""
    assert calls == [10, 10, "closed"]


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("command", ["check", "stats"])
def test_a_counter_that_is_cleared_away(command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b'{"u": "http://h/"}\n' * 200_000)
    monkeypatch.setattr(byte_stream, "BLOCK", 1 << 23)
    ended = run(command, "--field", "u", str(path))
    assert ended.status == 0
    assert re.match(r"(\r3 of 3 MiB)+\r {10}\r", ended.err)
    monkeypatch.setattr(byte_stream, "BLOCK", 1 << 20)
    path.write_bytes(gzip.compress(path.read_bytes(), 0)[:-9])
    ended = run(command, "--field", "u", str(path))
    assert ended.status == 3
    assert re.fullmatch(r"(\r. of 3 MiB)+\r {10}\rweburl: .*: it is cut off: its gzip data has no end\n", ended.err)


def test_no_progress_but_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "AFTER", 0)
    assert run(stdin="http://h").err == ""


def test_a_terminal_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weburl.cli.commands.convert.is_terminal", lambda stream: True)
    ended = run(stdin="http://h")
    assert ended.status == 2
    assert "there is nothing to read" in ended.err
    assert run("-f", "-", stdin="http://h").out == "http://h/\n"


COMMANDS = {
    "convert": [], "find": ["find"], "find --only": ["find", "--only"], "check": ["check"],
    "stats": ["stats", "--top", "100000", "--json"], "links": ["links"], "dedup": ["dedup"],
    "csv": ["--csv", "-g", "{host}"],
}  # fmt: skip
PROGRAMS = [pytest.param(name, marks=needs_html) if name == "links" else name for name in COMMANDS]


@pytest.mark.sample(4)
@pytest.mark.parametrize("command", PROGRAMS)
def test_a_slow_reader_of_a_pipe_that_does_not_wait(command: str, tmp_path: Path) -> None:
    """Another program that shares it may have set O_NONBLOCK."""
    rows = [f"http://h{number}.example/a b" for number in range(20_000)]
    html = "".join(f'<a href="{row}">x</a>\n' for row in rows)
    path = tmp_path / "in"
    path.write_text(html if command == "links" else "\n".join(rows))
    arguments = [*COMMANDS[command], *(["-f"] if command in ("convert", "csv", "dedup") else []), "in"]
    expected = subprocess.run([*COMMAND, *arguments], cwd=tmp_path, capture_output=True, check=False)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with (
        subprocess.Popen([*COMMAND, *arguments], cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE) as process,
        open(reading, "rb") as pipe,
    ):
        os.close(writing)
        wait_for(lambda: unread(pipe) >= 1 << 15)
        assert pipe.read() == expected.stdout
        assert len(expected.stdout) > 1 << 17
    assert process.returncode == expected.returncode


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        (["-f", "-"], [b"http://a/", b"\nhttp://b", b"/\n"]),
        pytest.param(["links"], [b"<a href=http://a/>", b"</a><a href=http://b/>", b"</a>"], marks=needs_html),
        (["find", "--only"], [b"at http://a/ and", b" http://b", b"/\n"]),
    ],
)
def test_a_slow_writer_of_a_pipe_that_does_not_wait(command: list[str], parts: list[bytes]) -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with subprocess.Popen([*COMMAND, *command], stdin=reading, stdout=subprocess.PIPE) as process:
        os.close(reading)
        for part in parts:
            wait_until_it_sleeps(process)
            os.write(writing, part)
        os.close(writing)
        assert process.stdout is not None
        assert process.stdout.read().split() == [b"http://a/", b"http://b/"]


@pytest.mark.sample(8)
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", PROGRAMS)
def test_a_file_that_may_not_grow(command: str, unbuffered: str, tmp_path: Path) -> None:
    """As a disk that is nearly full: a write takes a part of what it is given."""
    import resource

    rows = [f"http://h{number}.example/a b" for number in range(20_000)]
    html = "".join(f'<a href="{row}">x</a>\n' for row in rows)
    (tmp_path / "in").write_text(html if command == "links" else "\n".join(rows))
    arguments = [*COMMANDS[command], *(["-f"] if command in ("convert", "csv", "dedup") else []), "in"]
    with open(tmp_path / "out", "wb") as out:
        done = subprocess.run(
            [*COMMAND, *arguments],
            cwd=tmp_path, stdout=out, stderr=subprocess.PIPE, check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000)),
        )  # fmt: skip
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1] == b"weburl: standard output: File too large"


@pytest.mark.parametrize("command", [[], ["find"], ["check"], ["stats"], pytest.param(["links"], marks=needs_html)])
@pytest.mark.parametrize("name", ["a.txt", ".", "link"])
def test_the_output_is_an_input(command: list[str], name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("http://a/\n")
    (tmp_path / "link").symlink_to("a.txt")
    if command == ["links"] and name == ".":
        return
    with path.open("ab") as out:
        arguments = [*command, *(["-f"] if not command else []), name]
        done = subprocess.run([*COMMAND, *arguments], cwd=tmp_path, stdout=out, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    assert b"standard output goes to this file: write to it with -o" in done.stderr
    assert path.read_text() == "http://a/\n"
