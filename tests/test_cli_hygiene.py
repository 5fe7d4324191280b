"""What the command must not give away: secrets in messages, files to other users, formulas in CSV."""

from __future__ import annotations

import csv
import io
import os
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.command import Ended, run

from weburl.cli._messages import hide_credentials, quoted
from weburl.cli.commands import COMMANDS
from weburl.cli.viewer.server import Server

SECRET = "hunter2"
TEXTS = [
    f"https://user:{SECRET}@host/", f"https://user:{SECRET}@host", f"//user:{SECRET}@host/a b", f"http:u:{SECRET}@h",
    f"HTTPS:\\\\u:{SECRET}@h\\x", f"x://u:{SECRET}@h", f"ht\ttps://u\n:{SECRET}@h", f"x:/\t/u:{SECRET}@h/",
    f"/\\u:{SECRET}@h", f"blob:https://u:{SECRET}@h/x", f"https://u:a/{SECRET}@h/", f"https://u:{SECRET}@h:x/\u202e",
    f" http://u:x:{SECRET}@[::1", f"https://u:'{SECRET}\"@h", f"x:\\\\tom:{SECRET}@h", f"https://u@x:{SECRET}@h?@#@",
    f"{'a' * 90}https://u:{SECRET}@h", f"https://{'u' * 200}:{SECRET}@h", f"https://u:=,{{{SECRET}}}@h/",
]  # fmt: skip
# Each place for a text; @ stands for the text.
ARGUMENTS = [
    "--@", "-@", "-x@", "--json=@", "--base @", "--base=@ x", "-s @", "-s @=x", "-s host=@ x:", "-s port=@ http://h",
    "--set=@", "-a @", "-a @=x", "-a path=@ mailto:x", "--policy @", "--policy=@ http://h", "-g {@}", "-g @{", "-g {@",
    "-g {query:@ x", "-g {hostname:@}", "-g {@:x}", "--csv -g @", "--json -g {host}@", "--csv-safe -g x@{host}",
    "-f @", "--column @", "-f @ --column @", "--field @", "--field @ -f @", "--input @", "--max-line @", "-o @",
    "-o @/x http://h", "--output=@/", "--parquet @/x http://h", "--invalid @", "--threads @", "--verify=@",
    "--qtrim=@ @", "--match @", "--match @( http://h", "--not-match=@:( http://h", "--match (@ --base @", "--routes @",
    "--routes {file} -g {route}", "--routes {header} -g {route}", "--match *://* -g {group:@}",
    "--match @ -g {group:x}", "--match http://:a/@( -g {group:a}", "--routes {file} -g {group:@}", "-g {route} @",
    "-g {group:@} x",
    "--parquet x -o @", "--csv --json @", "--csv --csv-safe=@", "--invalid fail @ //", "--invalid fail --base @ x",
    "--column u -f {header}", "-f {header}", "-f {header} --column @", "-f {header} --column @ --input tsv",
    "-f {header} --field @", "-f {object} --field @", "-f {object} --field @.x", "-f {object} --field x.@",
    "-f {directory}", "-f {directory}/", "-o {directory}", "--parquet {directory} http://h", "-f {file} --invalid fail",
    "check @", "check --base @", "check -@", "check --base=@ x",
    "check {file}", "check {file} --json", "check {header}",
    "check --input @", "check --max-line=@", "check --column @ {header}", "check --failures=@",
    "diff @", "diff @ @ @", "diff @ http://h", "diff http://h @", "diff http://h x --base @", "diff @ x --@",
    "diff @ @x",
    "explain @", "explain x --base @", "explain @ @", "explain --base @ x", "explain --@ x", "explain @//",
    "stats @", "stats --base @", "stats --top @", "stats --plot @", "stats --plot @.png {file}", "stats --threads @",
    "stats {file}", "stats --json {file}", "stats --json --top 1 {header} --column @", "stats --input @",
    "links @", "links --base @", "links --base=@ {file}", "links --charset @ {file}", "links --kinds @", "links --@",
    "view --port @", "view --@", "view @ @", "view @ --port 99999", "view --no-browser=@",
    "completion @", "completion bash @", "completion --@", "completion",
]  # fmt: skip


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def filled(argument: str, text: str, places: Path) -> str:
    directory = places / f"{text[:150]}/".lstrip("/").replace("\0", "")
    for name in ("{directory}", "{file}"):
        if argument.startswith(name):
            directory.mkdir(parents=True, exist_ok=True)
            (directory / "urls").write_text(f"{text}\nhttp://a b/", "utf-8", newline="")
            return f"{text[:150]}{argument.removeprefix(name)}" if name == "{directory}" else f"{text[:150]}/urls"
    if argument == "{header}":
        with (places / "table.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([[text, "v", f"x{text}"], ["http://h", text, text]])
        return "table.csv"
    if argument == "{object}":
        (places / "objects.jsonl").write_text('{"x": [1]}\n[]', "utf-8")
        return "objects.jsonl"
    return argument.replace("@", text)


def said(command: str, text: str, places: Path) -> Ended:
    arguments = [filled(argument, text, places) for argument in shlex.split(command)]
    return run(*arguments, stdin=f"{text}\nhttp://a b\n")


def check(command: str, text: str, places: Path) -> None:
    ended = said(command, text, places)
    assert SECRET not in ended.err, ended.err
    assert all(line.isprintable() for line in ended.err.split("\n"))
    # A conversion prints the URL with its credentials, and so do the links of a page.
    if command.split()[0] in COMMANDS and not command.startswith("links"):
        assert SECRET not in ended.out, ended.out


@pytest.fixture(autouse=True)
def no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a viewer end at once."""
    monkeypatch.setattr(Server, "serve_forever", lambda self: None)
    monkeypatch.setattr("webbrowser.open", lambda page: None)


@pytest.mark.parametrize("command", ARGUMENTS)
def test_no_message_has_a_secret(command: str, places: Path) -> None:
    for text in TEXTS:
        check(command, text, places)


PARTS = st.sampled_from(["u", "@", ":", "/", "\\", "?", "#", "'", '"', "{", "}", "=", " ", "\t", "é", "%40", "x" * 100])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(ARGUMENTS), st.sampled_from(["https://", "x://", "//", "http:", "blob:ws:/", "\\\\", "h\ttp:/\n/"]),
    st.lists(PARTS, max_size=4).map("".join), st.lists(PARTS, max_size=4).map("".join),
)  # fmt: skip
@example("-f @", "https://", "user:", "")
def test_no_message_has_a_secret_wherever_it_stands(
    places: Path, command: str, before: str, user: str, after: str
) -> None:
    # These characters would end the authority.
    user = "".join(c for c in user if c not in "/\\?#")
    check(command, f"{before}{user}{SECRET}@{after}", places)


def test_a_port_in_use_has_no_secret(places: Path) -> None:
    with Server() as server:
        ended = run("view", "--port", str(server.server_port), TEXTS[0])
    assert (ended.status, ended.out) == (3, "")
    assert SECRET not in ended.err


def test_the_link_to_the_viewer() -> None:
    for text in TEXTS:
        ended = run("view", "--no-browser", text, "--base", text)
        assert ended.status == 0
        assert SECRET not in ended.out


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("https://user:x@host/: no such file", "https://***@host/: no such file"),
        ("a https://u:x@h/ and //v@i/", "a https://***@h/ and //***@i/"),
        ("h\ttps:/\n/u:x@h/ //v\t@i", "h\ttps:/\n/***@h/ //***@i"),
        ("a@b c@d", "a@b c@d"),
        ("/home/me@host/x: is a directory", "/home/me@host/x: is a directory"),
        ("mailto:a@b", "mailto:a@b"),
        ("", ""),
    ],
)
def test_what_is_hidden_of_a_message(text: str, hidden: str) -> None:
    assert hide_credentials(text) == hidden
    assert hide_credentials(hidden) == hidden


def test_what_is_quoted() -> None:
    assert quoted("a\x1b'") == repr("a\x1b'")
    assert quoted("u:x@h") == "'u:***@h'"
    assert len(quoted("x" * 1000)) == 105


def test_messages_of_bounded_length() -> None:
    long = "x" * 100_000
    for arguments in (["--" + long], ["--threads", long], ["--invalid", long], ["-s", long], ["-g", f"{{{long}}}"]):
        ended = run(*arguments)
        assert ended.status == 2
        assert len(ended.err) < 2000


# Files.


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The modes of files in the directory when they are created."""
    modes: list[int] = []
    really = os.open

    def noted(path: Any, flags: int, mode: int = 0o777, **options: Any) -> int:
        number = really(path, flags, mode, **options)
        if flags & os.O_CREAT and os.path.dirname(path) == str(tmp_path):
            modes.append(stat.S_IMODE(os.fstat(number).st_mode))
        return number

    monkeypatch.setattr(os, "open", noted)
    before = os.umask(0)
    yield modes
    os.umask(before)


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
@pytest.mark.parametrize(
    ("mode", "first"),
    [(0o600, 0o600), (0o640, 0o600), (0o644, 0o600), (0o400, 0o600), (0o4755, 0o600), (0o2770, 0o600), (None, 0o666)],
)
@pytest.mark.parametrize("command", ["-o @ http://h", "--csv -o @ http://h", "-f no -o @ http://h"])
def test_nobody_else_can_read_it(command: str, mode: int | None, first: int, opened: list[int], tmp_path: Path) -> None:
    path = tmp_path / "out"
    if mode is not None:
        path.write_text("before")
        path.chmod(mode)
    ended = run(*(str(path) if argument == "@" else argument for argument in command.split()))
    assert opened == [first]
    if ended.status == 0:
        assert stat.S_IMODE(path.stat().st_mode) == (0o666 if mode is None else mode & 0o777)
        assert path.read_text() != "before"
    assert [name for name in os.listdir(tmp_path) if name != "out"] == []


@pytest.mark.skipif(os.chmod not in os.supports_fd, reason="needs chmod() of an open file")
def test_the_mode_is_set_on_no_other_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever can write to the directory can put a link in the place of the temporary file."""
    path, other = tmp_path / "out", tmp_path / "other"
    for file, mode in ((path, 0o644), (other, 0o600)):
        file.write_text("")
        file.chmod(mode)
    really = os.open

    def replaced(given: Any, flags: int, mode: int = 0o777, **options: Any) -> int:
        number = really(given, flags, mode, **options)
        if flags & os.O_EXCL:
            os.unlink(given)
            os.symlink(other, given)
        return number

    monkeypatch.setattr(os, "open", replaced)
    run("-o", str(path), "http://h")
    assert stat.S_IMODE(other.stat().st_mode) == 0o600


@pytest.mark.skipif(not hasattr(os, "fchown"), reason="groups are those of POSIX")
def test_a_group_that_cannot_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out"
    path.write_text("")
    path.chmod(0o664)
    really = os.stat
    asked: list[tuple[int, int]] = []

    def other(given: Any, **options: Any) -> os.stat_result:
        found = really(given, **options)
        if given != str(path):
            return found
        return os.stat_result([*found[:5], found.st_gid + 1, *found[6:10]])

    def refuse(number: int, user: int, group: int) -> None:
        asked.append((user, group))
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "stat", other)
    monkeypatch.setattr(os, "fchown", refuse)
    assert run("-o", str(path), "http://h").status == 0
    monkeypatch.undo()
    assert asked == [(-1, path.stat().st_gid + 1)]
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


# CSV.

FORMULAS = ["=1+1", "+1", "-1", "@x", "\tx", "\rx", '=a,"b"', "=", "- ", "＝1", "＋1", "－1", "＠x"]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_formulas(text: str) -> None:
    written = text.replace("\t", "%09").replace("\r", "%0D")
    for options in (["--csv-safe"], ["--csv", "--csv-safe"]):
        ended = run(*options, "-g", "{input} {query:q} {pathname} {error}", "--", text, f"x:{text}?q={text}")
        header, *rows = csv.reader(io.StringIO(ended.out))
        assert header == ["input", "query:q", "pathname", "error"]
        assert [row[0] for row in rows] == [f"'{written}", f"x:{written}?q={written}"]
        assert rows[0][3] == "missing-scheme-non-relative-URL"
        if text.isascii() and "+" not in text and text[0] not in "\t\r" and text != "- ":
            assert rows[1][1:3] == [f"'{text}", f"'{text}"]
    plain = list(csv.reader(io.StringIO(run("--csv", "-g", "{input}", "--", text).out)))
    assert plain == [["input"], [written]]


def test_headers_without_control_characters() -> None:
    for control in "\x00\x1b\x7f\n\x9f\u061c\u200e\u2028\u202e\u2069":
        data = f'u,"{control}x"\nhttp://h/,1\n'
        ended = run("--csv-safe", "--keep", "--column", "u", "-g", "{host}", stdin=data)
        assert ended.out == f"u,{quote(control)}x,host\nhttp://h/,1,h\n"
    assert run("--csv-safe", "-g", "{query:\x1b[31m}", "http://h/?a").lines[0] == "query:%1B[31m"


def test_other_cells_are_as_they_are() -> None:
    arguments = ["-g", "{input} {port} {search} {error}", "x:a=b", "'=1", "http://h:8/?-", " =1"]
    assert run("--csv", *arguments) == run("--csv-safe", *arguments)
    assert run("--csv-safe", stdin="http://h/").lines[0] == run("--csv", stdin="http://h/").lines[0]


def test_safe_cells_have_no_control_characters() -> None:
    ended = run("--column", "1", "--csv-safe", "--keep=2", "-g", "{error}", stdin='http://h/,"a\tb\nc"\n')
    assert ended.out == "2,error\na%09b%0Ac,\n"


def test_no_formulas_after_semicolons() -> None:
    """Where a comma is the decimal sign, a spreadsheet begins a cell at a semicolon, and knows no other quotes."""
    ended = run("--csv-safe", "-g", "{input} {query:;=1} {href}", "--", "x:a;=1+1;b", 'x:,";"=1+1', "x:;;＝1;a;'=")
    assert ended.lines == [
        "input,query:;'=1,href",
        "x:a;'=1+1;b,,x:a;'=1+1;b",
        '"x:,"";\'""=1+1",,"x:,"";\'""=1+1"',
        "x:;;'＝1;a;'=,,x:;;%EF%BC%9D1;a;'=",
    ]
    assert run("--csv", "-g", "{href}", "--", "x:a;=1").lines == ["href", "x:a;=1"]


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_no_cell_begins_as_a_formula_does(texts: list[str]) -> None:
    ended = run("--csv-safe", "--base", "x:/", "-g", "{input} {query:} {hash} {href}", "--", *texts)
    for row in list(csv.reader(io.StringIO(ended.out)))[1:]:
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row)


@pytest.mark.parametrize("other", [["--json"], ["--parquet", "x"]])
def test_formats_other_than_csv(other: list[str]) -> None:
    ended = run("--csv-safe", *other, "http://h")
    assert (ended.status, ended.out) == (2, "")
    said = ended.err.splitlines()[-1]
    assert said in ("weburl: --json is not allowed with --csv-safe", "weburl: --csv-safe is not allowed with --parquet")


def test_the_help_says_so() -> None:
    words = " ".join(run("--help").out.split())
    assert "A spreadsheet runs a cell that begins with = + - or @ as a formula" in words
    assert "a ' before cells that begin with = + - @, a tab or a carriage return" in words
