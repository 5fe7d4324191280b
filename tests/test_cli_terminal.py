"""Output on a terminal: what would control it is escaped, in each format and command, and for files it is not."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from support.command import run
from support.terminal import Screen, run_all_in_terminal, run_in_terminal

from weburl.cli._terminal import CONTROL, Terminal, escape_controls

if os.name != "posix":
    pytest.skip("terminals are those of POSIX", allow_module_level=True)

# All of them, by Unicode's own properties.
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
CONTROLS = "".join(c for c in map(chr, range(0x110000)) if unicodedata.category(c) in ("Cc", "Zl", "Zp")) + BIDI
TITLE = "\x1b]0;owned\x07"
# What begins with many of them is not read as text.
PLAIN = 1000
# In a file's name there is no NUL and no solidus.
NAME = "".join(c for c in CONTROLS if c not in "\0\n\r") + TITLE


def texts() -> list[str]:
    """Each of them in the middle, at the begin and at the end of a text, and all at once."""
    return [text for c in CONTROLS for text in (f"a{c}b", f"{c}b", f"b{c}")] + [
        CONTROLS,
        TITLE,
        f"é{CONTROLS}\U0001f600",
    ]


def table(delimiter: str) -> bytes:
    """In each column, and in a name of a column."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(["u", f"name{CONTROLS}{TITLE}", "other"])
    writer.writerows([["http://h/", "plain", "plain"]] * PLAIN)
    for text in texts():
        writer.writerow([f"http://h/?q={text}#{text}", text, f'"{text},;\t'])
        writer.writerow([text, f"={text}", text])
    return file.getvalue().encode()


def objects() -> bytes:
    lines = ['{"u": "http://h/", "x": "plain"}'] * PLAIN
    for text in texts():
        for ensure_ascii in (True, False):
            record = {"u": f"http://h/?{text}={text}", f"k{text}": text, "list": [text, {text: text}]}
            lines.append(json.dumps(record, ensure_ascii=ensure_ascii))
    # White space between the tokens, what no JSON has in its strings, and what is no UTF-8.
    lines += ['{"u":\t"http://h/",\r"x":\r[1,\r2]\r}', '{"u": "http://h/", "x": "\x1b]0;a\x07"}']
    return "\n".join(lines).encode() + b'\n{"u": "http://h/", "x": "\x9b\xc2"}\n'


def rows() -> bytes:
    lines = ["http://h/"] * PLAIN
    lines += [
        f"{before}{text}" for text in texts() for before in ("", "http://h/", "http://h/?q=", "x:", "http://h", "x://")
    ]
    return "\n".join(lines).encode() + b"\nhttp://h/\x9b\xc2\nx:\x9b\n"


def page() -> bytes:
    parts = ["<p>plain</p>"] * PLAIN
    for text in texts():
        parts.append(
            f'<a href="http://h/{text}?{text}#{text}" rel="{text}">{text}</a><a href="http://{text}:x">{text}</a>'
        )
    return "".join(parts).encode()


COMMENT = "// plain\n" * PLAIN
FILES = {
    "t.csv": table(","),
    "t.tsv": table("\t"),
    "t.jsonl": objects(),
    "t.txt": rows(),
    "p.html": page(),
    "routes": f"{COMMENT}key{TITLE}{NAME}\thttp://h/*\n".encode(),
    "bad-routes": f"{COMMENT}key\thttp://h/({TITLE}{NAME}\n".encode(),
    f"n{NAME}.txt": b"http://h/\nhttp://a b\n",
    "one.txt": b"http://h/\n",
}
ODD = f"n{NAME}.txt"
COMMANDS: list[list[str]] = [
    ["-f", "t.txt"],
    ["-f", "t.txt", "-g", "{input} {href} {query:q} {hash} {error}"],
    ["-f", "t.txt", "-g", f"{TITLE}{{host}}\\r\\0{{query:{TITLE}}}"],
    ["-f", "t.txt", "-s", f"host={TITLE}"],
    ["-f", "t.txt", "--as-idn", "-g", "{host} {href} {input}"],
    ["-f", "t.txt", "-g", "{redacted} {input}"],
    ["-f", "t.txt", "-g", "{template}"],
    ["-f", "t.txt", "--policy", "surt"],
    ["-f", "t.txt", "--query-separator", ";", "-g", "{query:q} {query-all:q} {href}"],
    *([*form, "-f", "t.txt", *more] for form in (["--csv"], ["--csv-safe"], ["--json"])
      for more in ([], ["-g", "{input} {query:q}"], ["-g", f"{{query:{TITLE}{NAME}}}"], ["-s", "scheme=http"])),
    *([form, "--keep", "-f", file, "--column", "u"] for form in ("--csv", "--csv-safe", "--json")
      for file in ("t.csv", "t.tsv")),
    *([form, "--keep=list,x,k\x1b", "-f", "t.jsonl", "--field", "u"] for form in ("--csv", "--csv-safe", "--json")),
    ["--json", "--keep", "-f", "t.jsonl", "--field", "u"],
    ["-g", "{column:other} {href}", "-f", "t.csv", "--column", "u"],
    ["--routes", "routes", "-g", "{route} {href}", "-f", "t.txt"],
    ["--routes", "bad-routes", "-g", "{route}", "-f", "t.txt"],
    ["--match", f"http://h/:x({TITLE}", "-f", "t.txt"],
    ["--match", "http://h/*", "-g", "{group:pathname.0} {href}", "-f", "t.txt"],
    ["--invalid", "fail", "-f", "t.txt"],
    ["--invalid", "fail", "-f", ODD],
    ["--invalid", "drop", "-f", ODD, "-f", "t.txt"],
    [TITLE, f"http://{NAME}", "x", f"x:{NAME}"],
    ["--base", f"http://{TITLE}", "x"],
    [f"--{NAME}"],
    ["--policy", NAME],
    ["dedup", "-f", "t.txt", "--key", "hostname"],
    ["dedup", "--csv", "--keep", "-f", "t.csv", "--column", "u"],
    ["dedup", "--json", "--keep", "-f", "t.jsonl", "--field", "u"],
    ["join", "--key", "hostname", "--with", "t.csv", "--with-column", "u", "-f", "one.txt"],
    ["join", "--key", "hostname", "--csv", "--with", "t.csv", "--with-column", "u", "-f", "one.txt"],
    ["join", "--key", "hostname", "--json", "--with", "t.jsonl", "--with-field", "u", "--with-keep=list,x",
     "-f", "one.txt"],
    ["join", "--left", "--csv", "--keep", "--with", "one.txt", "-f", "t.csv", "--column", "u"],
    ["check", "t.txt"],
    ["check", "--json", "t.txt", ODD],
    ["check", "t.csv", "--column", "u"],
    ["check", ODD],
    ["stats", "t.txt", "--top", "1000"],
    ["stats", "--json", "t.txt"],
    ["find", "p.html"],
    ["find", "--json", "--bare", "p.html"],
    ["find", ODD],
    ["robots", "t.txt", "-f", "t.txt", "--explain"],
    ["robots", "t.txt", "-f", "t.txt", "--json"],
    ["robots", "t.txt", "-f", "t.txt", "--compat", "google"],
    ["robots", ODD],
    ["robots", "p.html", "--json"],
    ["links", "p.html"],
    ["links", "--json", "--base", "http://h/", "p.html"],
    ["links", "--base", f"http://{TITLE}", "p.html"],
    ["links", ODD],
    ["explain", f"http://h/{NAME}?{TITLE}#{NAME}"],
    ["explain", f"http://{NAME}"],
    ["explain", f"http://h/{NAME}", "--pattern", f"http://h/:a\\{TITLE}"],
    ["explain", f"http://h/{NAME}?{TITLE}", "--pattern", f"http://h/*{TITLE}"],
    ["explain", "x", "--base", f"http://{NAME}"],
    ["diff", f"http://h/{NAME}", f"http://h/{TITLE}"],
    ["diff", f"x:{NAME}", f"x:{TITLE}", "--base", f"x:{NAME}"],
    ["diff", f"http://{NAME}", f"x://{TITLE}"],
    ["completion", "bash"],
    ["--help"],
    ["dedup", "--help"],
    ["--version"],
]  # fmt: skip
# They end with status 3.
FAILING = [
    ["-g", f"{{column:name{CONTROLS}{TITLE}}}".replace("\0", ""), "-f", "t.csv", "--column", "u"],
    ["--csv", "--keep", "-f", "t.csv", "--column", TITLE],
    ["--csv", f"--keep={TITLE}", "-f", "t.csv", "--column", "u"],
    ["-f", f"no{NAME}"],
    ["-o", f"no/{NAME}", "http://h"],
    ["stats", f"no{NAME}"],
]
# So many run in one process.
TOGETHER = 12


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(data: bytes) -> None:
    """No byte that any terminal obeys, whatever its encoding is: UTF-8 is whole, and has no such character."""
    found = set(re.findall(CONTROL, data.decode())) - {"\n", "\t"}
    assert not found, found


def test_the_set_of_control_characters() -> None:
    assert "".join(re.findall(CONTROL, "".join(map(chr, range(0x110000))))) == "".join(sorted(CONTROLS))
    assert escape_controls("\x1b\x85\u202eé\t\n", "\t\n") == "%1B%C2%85%E2%80%AEé\t\n"


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("begin", range(0, len([*COMMANDS, *FAILING]), TOGETHER))
def test_no_command_controls_a_terminal(begin: int) -> None:
    commands = [*COMMANDS, *FAILING][begin : begin + TOGETHER]
    for command, shown in zip(commands, run_all_in_terminal(commands), strict=True):
        piped = run(*command)
        check(shown.out)
        check(shown.err)
        assert shown.status == piped.status, command
        # Without a column that was asked for, the status is 1.
        failed = piped.status == 3 or (piped.status == 1 and "there is no column" in piped.err)
        assert failed == (command in FAILING), command
        assert shown.err.decode() == escape_controls(piped.err, "\n\t"), command
        assert shown.out.decode() == escape_controls(piped.out, "\n\t"), command


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("command", [COMMANDS[0], COMMANDS[-1], FAILING[0]], ids=" ".join)
def test_a_process_of_its_own_shows_the_same(command: list[str]) -> None:
    assert [run_in_terminal(command)] == run_all_in_terminal([command])


@pytest.mark.usefixtures("place")
def test_files_and_pipes_get_it_as_it_is(place: Path) -> None:
    command = ["--csv", "--keep", "-g", "{host}", "-f", "t.csv", "--column", "u", "--invalid", "drop"]
    piped = run(*command).out
    for c in CONTROLS:
        assert f"a{c}b" in piped
    assert run(*command, "-o", "out").status == 0
    assert (place / "out").read_bytes() == piped.encode()
    # Also if only the messages are on a terminal.
    shown = run_in_terminal([*command, "-o", "out2"])
    assert (shown.status, shown.out) == (0, b"")
    assert (place / "out2").read_bytes() == piped.encode()


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("python", [[], ["-u"]], ids=["buffered", "not buffered"])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "cp1252", "ascii"])
def test_terminals_of_other_encodings(encoding: str, python: list[str]) -> None:
    """The bytes of UTF-8 from 80 to 9F are control characters for a terminal that takes one byte for a character."""
    command = ["--csv", "--keep", "-g", "{input}", "-f", "t.csv", "--column", "u"]
    shown = run_in_terminal(command, python=python, env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
    assert shown.status == 0
    text = shown.out.decode(encoding)
    assert not set(re.findall(CONTROL, text)) - {"\n", "\t"}
    expected = escape_controls(run(*command).out, "\n\t")
    assert text == expected.encode(encoding, "backslashreplace").decode(encoding)


@pytest.mark.usefixtures("place")
def test_a_terminal_that_is_named() -> None:
    """-o takes a device, and a device may be a terminal."""
    for command in (["-o"], ["--invalid", "drop", "--csv", "--keep", "-o"]):
        screen = Screen()
        arguments = [*command, os.ttyname(screen.slave), "-f", "t.csv", "--column", "u"]
        piped = run(*command, "-", "-f", "t.csv", "--column", "u")
        assert run(*arguments).status == piped.status == 0
        assert screen.close().decode() == escape_controls(piped.out, "\n\t")


def test_bytes_that_are_cut() -> None:
    """A character may come in pieces."""

    class Stream(io.StringIO):
        encoding = "utf-8"

    data = f"é{CONTROLS}\U0001f600{TITLE}".encode() + b"\x9b\xff"
    for size in range(1, 6):
        stream = Stream()
        buffer = Terminal(stream).buffer
        for begin in range(0, len(data), size):
            assert buffer.write(data[begin : begin + size]) == len(data[begin : begin + size])
        buffer.flush()
        assert stream.getvalue() == escape_controls(data.decode("utf-8", "replace"), "\n\t")


def test_progress_moves_the_cursor(tmp_path: Path) -> None:
    """The one thing that may, and it shows numbers only."""
    path = tmp_path / f"a{NAME}"
    path.write_bytes(b"http://h/\n" * 200_000)
    script = (
        "import sys; sys.modules['tqdm'] = None; from weburl.cli import _progress, main;"
        "_progress.AFTER = _progress.EVERY = 0; sys.argv[1:] = sys.argv[1:]; main()"
    )
    screen = Screen()
    command = [sys.executable, "-c", script, "-f", str(path), "-o", str(tmp_path / "out"), "-f", f"no{NAME}"]
    subprocess.run(command, stderr=screen.slave, check=False)
    progress, _, message = screen.close().decode().rpartition("\r")
    assert re.fullmatch(r"(\r\d( of \d)? MiB)+\r +", progress)
    assert message.startswith("weburl: no\\x01")
    check(message.encode())
