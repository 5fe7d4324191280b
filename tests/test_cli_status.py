"""The exit status of the command: over all commands, options that say what is done with rows, and ways to end."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest
from support.command import run

from weburl.cli import main
from weburl.cli._exit import InputError
from weburl.cli._signals import Terminated
from weburl.cli.commands import COMMANDS

GOOD, BAD = "http://a.example/", "http://b c/"
# Those that take arguments as URLs, and those that take them as files.
OF_URLS = ("", "dedup", "join")
OF_FILES = ("check", "stats", "find", "redact", "links")
INVALID = ("keep", "drop", "fail", "file")


def command(name: str, folder: Path) -> list[str]:
    """The words that call a command."""
    return {"": [], "join": ["join", "--with", str(folder / "good"), "--left"]}.get(name, [name])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good").write_text(f"{GOOD}\nhttp://c.example/x\n")
    (tmp_path / "bad").write_text(f"{GOOD}\n{BAD}\n")
    (tmp_path / "rows.jsonl").write_text(f'{{"u": "{GOOD}", "v": null}}\n{{"u": "http://c/", "v": 1}}\n')
    return tmp_path


def rows() -> Iterator[tuple[str, bool, bool, str, bool, str]]:
    """Commands; whether arguments and files have what is not a URL; what is done then; and a change."""
    for name, argument, file, invalid, verify in product(OF_URLS, (False, True), (False, True), INVALID, (False, True)):
        policy = "--key crawl" if name in ("dedup", "join") else "--policy crawl"
        for more in ("", policy, "--sort-query", "--match *://*/*", "--base http://h/", "-g {redacted}"):
            yield name, argument, file, invalid, verify, more


@pytest.mark.parametrize("name", OF_URLS)
@pytest.mark.parametrize("invalid", INVALID)
def test_rows(name: str, invalid: str, folder: Path) -> None:
    """1 if an argument is not a URL; and if a row is not, with --verify and --invalid fail."""
    choice = f"file={folder / 'rejects'}" if invalid == "file" else invalid
    for _, argument, file, _, verify, more in (row for row in rows() if row[0] == name and row[3] == invalid):
        words = [*command(name, folder), "--invalid", choice, *["--verify"] * verify, *more.split()]
        words += [BAD if argument else GOOD, "-f", "bad" if file else "good"]
        fails = argument or (file and (verify or invalid == "fail"))
        assert run(*words).status == int(fails), words
        # Without arguments, and without files.
        words = [*words[: words.index("-f") - 1], *words[words.index("-f") :]]
        assert run(*words).status == int(file and (verify or invalid == "fail")), words
        words = [*words[: words.index("-f")], BAD if argument else GOOD]
        assert run(*words).status == int(argument), words


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_wrong_command_lines(name: str, folder: Path) -> None:
    for more in (["--no-such-option"], ["--memory", "x"], ["--base"], ["--base", "no URL", GOOD]):
        if (name == "view" and "no URL" in more) or (name == "explain" and "no URL" in more):
            continue  # They show what is wrong with a base.
        ended = run(*command(name, folder), *more)
        assert (ended.status, ended.out) == (2, ""), more
        assert "usage: weburl" in ended.err


@pytest.mark.parametrize("name", [*OF_URLS, "check", "stats", "diff"])
def test_a_base_that_is_wrong(name: str, folder: Path) -> None:
    """It is refused in the same words by all."""
    more = {"diff": [GOOD, GOOD], "check": [], "stats": []}.get(name, [GOOD])
    for base in ("x", "", "\udcff"):
        ended = run(*command(name, folder), *more, "--base", base)
        assert (ended.status, ended.out) == (2, "")
        assert ended.err.splitlines()[-1].startswith("weburl: --base: missing-scheme-non-relative-URL in '")


@pytest.mark.parametrize("name", [*OF_URLS, "check", "stats"])
def test_options_of_logs_that_do_not_go_together(name: str, folder: Path) -> None:
    """Options alone decide that, before a file is looked for."""
    for more, said in (
        (["--base", GOOD, "--column", "u"], "--log does not go with --column"),
        (["--base", GOOD, "--field", "u"], "--log does not go with --field"),
        (["--base", GOOD, "--input", "text"], "--log does not go with --input"),
        (["--base", "x:y"], "--base needs a host, which the requests of a log were for"),
        ([], "the lines of the log have no host: --base URL says whose log it is"),
    ):
        ended = run(*command(name, folder), "--log", "%r", *more, "-f", "nothing")
        assert (ended.status, ended.err.splitlines()[-1]) == (2, f"weburl: {said}")


@pytest.mark.parametrize(
    "more",
    ["-g {route}", "-g {group:x}", "--csv --keep -g {column:x}", "--policy surt -g {host}", "--policy surt --json",
     "--policy x", "--key x", "-g {x}", "-s x", "--iterate port=1", "--keep", "--base x", "--threads 0",
     "--invalid file=", "--policy surt --as-idn"],
)  # fmt: skip
def test_wrong_options_of_join_are_known_before_its_file_is_read(more: str, folder: Path) -> None:
    ended = run("join", "--with", "nothing", *more.split(), GOOD)
    assert (ended.status, ended.out, "nothing" in ended.err) == (2, "", False)


def test_a_file_that_is_named_argument(folder: Path) -> None:
    """Its rows are rows of a file."""
    (folder / "argument").write_text(f"{BAD}\n{GOOD}\n")
    ended = run("-f", "argument")
    assert (ended.status, ended.err.count("\n")) == (0, 1)
    assert run("-f", "argument", "--invalid", "fail").err.startswith("weburl: argument:1: ")


@pytest.mark.parametrize("name", [*OF_URLS, *OF_FILES])
def test_files_and_the_system(name: str, folder: Path) -> None:
    (folder / "packed").write_bytes(b"PK\3\4")
    file = [] if name in OF_FILES else ["-f"]
    for path in ("nothing", "packed"):
        ended = run(*command(name, folder), *file, path)
        assert ended.status == 3
        assert path in ended.err
    if name not in OF_FILES:
        assert run(*command(name, folder), "-o", "no/such/folder", GOOD).status == 3


def test_what_is_found(folder: Path) -> None:
    cases: list[tuple[int, Sequence[str]]] = [
        (0, ["check", "good"]), (1, ["check", "bad"]), (0, ["stats", "good"]), (0, ["stats", "bad"]),
        (0, ["diff", "http://a", "HTTP://A/"]), (1, ["diff", "http://a", "http://b"]), (1, ["diff", GOOD, BAD]),
        (0, ["explain", GOOD]), (1, ["explain", BAD]), (0, ["explain", GOOD, "--pattern", "*://*/*"]),
        (1, ["explain", GOOD, "--pattern", "*://x/*"]), (0, ["links", "good"]), (0, ["completion", "bash"]),
        (0, ["find", "good"]), (0, ["redact", "good"]), (0, ["redact", "--explain", "good"]),
        (0, ["--version"]), *((0, [*command(name, folder), "--help"]) for name in ("", *COMMANDS)),
    ]  # fmt: skip
    for status, words in cases:
        assert run(*words).status == status, words


# What each command reads these files with, and the status.
COLUMNS_OF_FORMATS = [
    # The command line is wrong, for every file of the format.
    ("CSV", "--column 0", 2), ("TSV", "--column 0 --input tsv", 2), ("CSV", "--input csv", 2),
    ("JSON Lines", "--input jsonl", 2), ("JSON Lines", "", 2),
    # No row has it.
    ("CSV", "--column nope", 1), ("CSV", "--column 9", 1), ("JSON Lines", "--field nope", 1),
]  # fmt: skip
KEPT_COLUMNS = [("text", "", 2), ("CSV", "--column u", 1), ("JSON Lines", "--field u", 1)]
CONTENTS = {
    "text": f"{GOOD}\n",
    "CSV": f"u,v\n{GOOD},1\n",
    "TSV": f"u\tv\n{GOOD}\t1\n",
    "JSON Lines": f'{{"u": "{GOOD}"}}\n',
}


@pytest.mark.parametrize(
    ("name", "format", "options", "status"),
    [
        (name, *case)
        for name in ("", "dedup", "join", "check", "stats", "robots", "learn", "redact")
        for case in COLUMNS_OF_FORMATS
        # Without a column or a field, redact reads any text.
        if name != "redact" or "nope" in case[1] or "--column" in case[1]
    ],
)
def test_options_for_a_format(name: str, format: str, options: str, status: int, folder: Path) -> None:
    (folder / "rows").write_text(CONTENTS[format])
    words = [*command(name, folder), *options.split()]
    words += ["good"] if name == "robots" else []
    ended = run(*words, *([] if name == "redact" else ["-f"]), "rows")
    assert ended.status == status, ended.err
    if name == "join":
        words = [word.replace("--", "--with-") for word in options.split()]
        kept = ["--with-keep", "v"] if format == "JSON Lines" else []
        assert run("join", "--with", "rows", *words, *kept, "-f", "good").status == status


@pytest.mark.parametrize(("format", "options", "status"), KEPT_COLUMNS)
def test_columns_that_no_row_has(format: str, options: str, status: int, folder: Path) -> None:
    (folder / "rows").write_text(CONTENTS[format])
    for name in OF_URLS:
        words = [*command(name, folder), *options.split(), "-f", "rows"]
        for more in ("-g {column:nope}", "--csv --keep=nope", "-g {method}"):
            assert run(*words, *more.split()).status == status, (name, more)
    for more in ("--by column:nope", "--by method", "--percentiles nope"):
        assert run("stats", *options.split(), *more.split(), "rows").status == status, more
    if format == "JSON Lines":
        # Names are needed, whatever the field is.
        for field in ("u", "nope"):
            words = ["-f", "rows", "--field", field, "--with", "rows", "--with-field", "u"]
            assert run("join", *words).status == 2
            assert run("join", *words, "--with-keep=v").status == 1
            assert run("--csv", "--keep", *words[:4]).status == 2


def test_a_column_whose_name_is_0(folder: Path) -> None:
    """Formats that have no numbers of columns have this name."""
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    parquet.write_table(pyarrow.table({"0": [GOOD], "1": ["x"]}), folder / "rows.parquet")
    assert run("--column", "0", "-f", "rows.parquet").out == f"{GOOD}\n"


@pytest.mark.parametrize("name", [*OF_URLS, "check", "stats"])
def test_a_field_that_no_record_has(name: str, folder: Path) -> None:
    (folder / "more.jsonl").write_text('{"w": 1}\n')
    (folder / "none.jsonl").write_text("\n")
    words = [*command(name, folder), "-f", "rows.jsonl"]
    others = (
        ["u"] if name in OF_FILES else ["u", "u -g {column:v}", "u -g {column:w} -f more.jsonl", "u --csv --keep=v"]
    )
    for more in others:
        ended = run(*words, "--field", *more.split())
        assert (ended.status, "no record" in ended.err) == (0, False), more
    missing = [("x", "x"), ("u.x", "u.x")]
    if name in OF_URLS:
        missing += [("u -g {column:y}", "y"), ("u --csv --keep=v,y", "y"), ("u -g {column:u.x} -f more.jsonl", "u.x")]
    for more, field in missing:
        ended = run(*words, "--field", *more.split())
        assert ended.status == 1, more
        what = "value" if " " in more else "text"
        assert f"weburl: no record has a {what} in the field '{field}'\n" in ended.err
    assert run(*command(name, folder), "-f", "none.jsonl", "--field", "x").status == 0
    if name == "join":
        ended = run(*words, "--field", "u", "--with", "rows.jsonl", "--with-field", "x", "--with-keep=v")
        assert ended.status == 1


class Full(io.StringIO):
    """A standard output whose disk is full."""

    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_that_cannot_be_written(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("weburl.cli._discard_output", lambda: None)
    for out, said in ((Full(), "No space left on device"), (None, "standard output is closed")):
        monkeypatch.setattr("sys.stdout", out)
        assert main([*command(name, folder), "--help"]) == 3
        assert said in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_usage_is_never_among_the_output(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where standard error is closed."""
    monkeypatch.setattr("sys.stderr", None)
    assert main([*command(name, folder), "--no-such-option"]) == 2
    assert capsys.readouterr().out == ""


ENDS = [
    (KeyboardInterrupt(), 130), (BrokenPipeError(), 141), (Terminated(int(signal.SIGTERM)), 143), (Terminated(1), 129),
    (InputError("x"), 3), (OSError(5, "x"), 3), (ImportError("x"), 3), (MemoryError(), 3), (SystemExit(2), 2),
]  # fmt: skip


@pytest.mark.parametrize("name", ["", *COMMANDS])
@pytest.mark.parametrize(("raised", "status"), ENDS, ids=lambda value: type(value).__name__)
def test_ends(name: str, raised: BaseException, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> int:
        raise raised

    # No descriptor is closed in this process.
    monkeypatch.setattr("weburl.cli._discard_output", lambda: None)
    monkeypatch.setattr(import_module(f"weburl.cli.commands.{name or 'convert'}"), "main", fail)
    ended = run(*filter(None, [name]))
    assert ended.status == status
    assert bool(ended.err) == (status in (3, 130))


@pytest.mark.parametrize(
    ("text", "is_lost"),
    [
        ("<function f at 0x7> returned NULL without setting an exception", True),
        ("error return without exception set", True),
        ("bad argument to internal function", False),
    ],
)
def test_an_exception_that_cpython_has_lost(text: str, is_lost: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """CPython 3.11 does so where it has no memory for one. All else is a fault of a module in C."""

    def fail(_: object) -> int:
        raise SystemError(text)

    monkeypatch.setattr("weburl.cli.commands.convert.main", fail)
    if is_lost and sys.version_info < (3, 12):
        ended = run()
        assert (ended.status, ended.out) == (3, "")
        # A file that was read before in this process is named.
        assert re.fullmatch("weburl: (there is not enough memory|.* needs more than .* of memory: .*)\n", ended.err)
    else:
        with pytest.raises(SystemError, match=text):
            run()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ends_have_the_numbers_of_signals() -> None:
    assert [128 + number for number in (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGTERM)] == [
        129, 130, 141, 143,
    ]  # fmt: skip
