"""weburl redact --field, --column and --log: only the values that they name change, wherever they are."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from support.missing import noticing

from weburl.cli import main
from weburl.cli.readers.field_path import EACH, field_names, field_path
from weburl.text import redact_text

# Hides nothing in these texts.
NOTHING = "LogPolicy(exact_names={'no-such-name'})"


class Ended(NamedTuple):
    status: int
    out: bytes
    err: str


def run(*arguments: str, stdin: bytes = b"", command: str = "redact") -> Ended:
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), io.StringIO()
    given = io.TextIOWrapper(io.BytesIO(stdin))
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", given), noticing():
        status = main([command, *arguments] if command else [*arguments])
    assert isinstance(out.buffer, io.BytesIO)
    return Ended(status, out.buffer.getvalue(), err.getvalue())


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a", ("a",)),
        ("a.b", ("a", "b")),
        ('a."url.full"', ("a", "url.full")),
        ('"url.full"', ("url.full",)),
        ('"a\\"b".c', ('a"b', "c")),
        ("spans[].name", ("spans", EACH, "name")),
        ("a[][]", ("a", EACH, EACH)),
        # These are names.
        ("", ("",)),
        ("a.", ("a.",)),
        (".a", (".a",)),
        ("a[0]", ("a[0]",)),
        ('a."b', ('a."b',)),
        ("[]", ("[]",)),
    ],
)
def test_paths(text: str, path: tuple[str | None, ...]) -> None:
    assert field_path(text) == path
    assert field_names(text) == ([*path] if len(path) == 1 else [text, *path])


# Lines, the arguments that address values in them, and how a line with a value is made.

SECRETS = ("https://u:p@h.example/a?token=q8ZxQ1", "/reset?password=q8ZxQ1", "GET /?access_token=q8ZxQ1", "a@b.example")
PLAIN = ("https://h.example/a?page=2", "/", "x y", "é\u2028", 'a"b\\', "")


def json_line(random: Random, value: str, other: str) -> str:
    nested = {"other": other, "url.full": value, "n": [1.5, None, {"url.full": other}]}
    members: list[tuple[str, Any]] = [("x", other), ("attributes", nested), ("url.full", other), ("z", True)]
    random.shuffle(members)
    spaces = random.choice(((",", ":"), (" , ", " : "), (",\t", ": ")))
    line = json.dumps(dict(members), ensure_ascii=random.random() < 0.5, separators=spaces)
    return line.replace("/", "\\/") if random.random() < 0.3 else line


def array_line(random: Random, value: str, other: str) -> str:
    spans = [{"name": value, "kind": other} for _ in range(random.randrange(1, 4))]
    return json.dumps({"name": other, "spans": [*spans, 7, {"x": [{"name": other}]}]})


def logfmt_line(random: Random, value: str, other: str) -> str:
    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    pairs = [f"url={quoted(value)}", f"msg={quoted('url=' + other)}", "flag", f"xurl={quoted(other)}", "n=1", "url"]
    random.shuffle(pairs)
    return " ".join(pairs)


def csv_line(random: Random, value: str, other: str) -> str:
    out = io.StringIO()
    quotes_all = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="")
    writer = random.choice((quotes_all, csv.writer(out, lineterminator="")))
    writer.writerow(["1", other + random.choice(("", "\n,x")), random.choice(("", "x,\n")) + value, other])
    return out.getvalue()


def log_line(random: Random, value: str, other: str) -> str:
    def escaped(text: str) -> str:
        return text.replace("\\", "\\\\").replace('"', '\\"')

    target = escaped(value).replace(" ", "%20") or "-"
    return f'1.2.3.4 - {"u"} [22/Nov/2026:10:00:00 +0000] "GET {target} HTTP/1.1" 200 5 "-" "{escaped(other)}"'


FORMATS: dict[str, tuple[list[str], str, Callable[[Random, str, str], str]]] = {
    "JSON": (["--field", 'attributes."url.full"'], "", json_line),
    "arrays": (["--field", "spans[].name"], "", array_line),
    "logfmt": (["--field", "url"], "", logfmt_line),
    "CSV": (["--column", "url"], "id,note,url,more\n", csv_line),
    "a number of a column": (["--column", "3"], "id,note,url,more\n", csv_line),
    "combined": (["--log", "combined"], "", log_line),
}


@pytest.mark.parametrize("seed", range(40))
def test_a_name_may_have_some_escapes(seed: int) -> None:
    """The bytes of a character can be those of others, so escapes and bytes are not mixed up."""
    random = Random(seed)
    characters = ["a", "\xe9", "\xff", "\xc3", "\xa9", "\u65e5", "\U0001f600", '"', "\\", "/"]

    def written(text: str) -> str:
        return "".join(
            json.dumps(character)[1:-1] if random.random() < 0.5 or character in '"\\' else character
            for character in text
        )

    def line(*found: str) -> str:
        members = ", ".join(f'"{written(name)}": "https://h.example/?token=q8ZxQ1{n}"' for n, name in enumerate(found))
        return f'{{"b": {{{members}}}}}\n'

    name = "".join(random.choices(characters, k=random.randint(1, 4)))
    others = [name.encode().decode("latin-1"), name.encode("utf-8")[:-1].decode("latin-1"), f"{name}a"]
    others = [other for other in others if other != name]
    given = "".join(line(name, *others) for _ in range(10))
    found = run("redact", "--field", f"b.{json.dumps(name, ensure_ascii=False)}", stdin=given.encode(), command="")
    assert found == (0, given.replace("q8ZxQ10", "REDACTED").encode(), "10 secrets (name: 10)\n")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("seed", range(3))
def test_only_the_values_change(name: str, seed: int) -> None:
    """The same line with what the value is redacted to in its place is what is printed: all other bytes stay."""
    random = Random(f"{name} {seed}")
    options, head, make = FORMATS[name]
    before, after, others = [head], [head], 0
    for _ in range(random.randrange(40, 90)):
        value, other = random.choice(SECRETS + PLAIN), random.choice(SECRETS)
        state = random.getstate()
        before.append(make(random, value, other))
        random.setstate(state)
        path = value.startswith("/") and "?" not in value
        after.append(
            make(random, redact_text(value + "?" * path).removesuffix("?") if path else redact_text(value), other)
        )
        ending = random.choice(("\n", "\r\n"))
        before.append(ending)
        after.append(ending)
        others += value in SECRETS
    # The last line may have no end.
    data, expected = ("".join(lines).encode() for lines in (before[:-1], after[:-1]))
    ended = run(*options, stdin=data)
    assert others
    assert ended.out.split(b"\n") == expected.split(b"\n")
    assert ended.status == 0
    # Again, nothing is hidden; and a policy that hides nothing changes nothing.
    assert run(*options, stdin=ended.out).out == ended.out
    assert run(*options, "--log-policy", NOTHING, stdin=data.replace(b"u:p@", b"")).out == data.replace(b"u:p@", b"")


@pytest.mark.parametrize("name", FORMATS)
def test_random_bytes(name: str) -> None:
    """What cannot be read is redacted as a text is; a policy that hides nothing changes no byte."""
    random = Random(name)
    options, head, make = FORMATS[name]
    good = make(random, "https://h/?token=q8ZxQ1", "x").encode()
    lines = [head.encode() or good + b"\n"]
    for _ in range(300):
        line = bytearray(random.choice((good, random.randbytes(random.randrange(60)))))
        for _ in range(random.randrange(3)):
            if line:
                line[random.randrange(len(line))] = random.choice(b'\0"{}[],: \t\\=\xff')
        lines.append(bytes(line) + random.choice((b"\n", b"\r\n")))
    data = b"".join(lines)
    assert run(*options, "--log-policy", NOTHING, stdin=data).out == data
    assert len(run(*options, stdin=data).out.split(b"\n")) <= len(data.split(b"\n"))


def test_a_line_that_is_not_of_the_format_has_no_secret_left() -> None:
    for options in (["--field", "a"], ["--log", "common"]):
        ended = run(*options, stdin=b'{"a":"x"} https://u:p@h/\n')
        assert ended.out == b'{"a":"x"} https://REDACTED:REDACTED@h/\n'
    short = run("--column", "b", stdin=b"a,b\nhttps://u:p@h/\n")
    assert short.out == b"a,b\nhttps://REDACTED:REDACTED@h/\n"


def test_values_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"a":1}\n{"b":{"c":"x"}}\n\n')
    for field in ("nope", "a", 'b."d"', "b[].c"):
        ended = run("--field", field, str(tmp_path / "a.jsonl"))
        assert ended.status == 1
        assert f"weburl: no record has a text in the field '{field}'\n" in ended.err
    for field in ("b.c", "b"):
        assert run("--field", field, str(tmp_path / "a.jsonl")).status == 0
    # Without a record, nothing is missing.
    assert run("--field", "a", stdin=b"\n").status == 0
    ended = run("--column", "c", stdin=b"a,b\n1,2\n")
    assert (ended.status, ended.out) == (1, b"")
    assert "weburl: standard input: there is no column 'c': the columns are 'a', 'b'\n" in ended.err
    # A file is not replaced, and what cannot be read is worse.
    (tmp_path / "a.csv").write_bytes(b"a,b\n1,2\n")
    assert run("--column", "c", str(tmp_path / "a.csv"), "-o", str(tmp_path / "a.csv")).status == 1
    assert (tmp_path / "a.csv").read_bytes() == b"a,b\n1,2\n"
    assert run("--column", "c", str(tmp_path / "a.csv"), str(tmp_path / "none")).status == 3
    assert run("--column", "c", str(tmp_path / "none"), str(tmp_path / "a.csv")).status == 3
    ended = run("--column", "3", stdin=b"a,b\n1,https://u:p@h/\n")
    assert (ended.status, ended.out) == (1, b"a,b\n1,https://REDACTED:REDACTED@h/\n")
    sentence = "no record that can be read has a value in the column '3': what cannot be read was redacted as text"
    assert f"weburl: {sentence}\n" in ended.err
    ended = run("--column", "a", stdin=b"a,b\n")
    assert ended.status == 0
    assert run("--column", "3", stdin=b"a,b\n1,2,3\n").status == 0
    ended = run("--log", "common", stdin=b"x\n")
    assert (ended.status, ended.err.splitlines()[1]) == (1, "weburl: no line is of this format and has a target")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--field", "a", "--column", "b"], "exclude each other"),
        (["--column", "a", "--log", "common"], "exclude each other"),
        (["--log", "common", "--field", "agent"], "the format has no field 'agent': its fields are 'client'"),
        (["--log", "x"], "is not common, combined, envoy, w3c, alb, s3, caddy, envoy-json, ecs, otlp or logfmt"),
        (["--field", "a", "--explain"], "--explain is for whole texts"),
    ],
)
def test_wrong_options(options: list[str], message: str) -> None:
    ended = run(*options, stdin=b"")
    assert ended.status == 2
    assert message in ended.err


def test_a_number_needs_no_header() -> None:
    for mark in (b"", b"\xef\xbb\xbf"):
        for cell in (b"https://u:p@h/", b'"https://u:p@h/,"'):
            line = mark + cell + b',"https://u:p@h/,",' + cell + b"\n"
            hidden = cell.replace(b"u:p", b"REDACTED:REDACTED")
            assert run("--column", "1", stdin=line).out == mark + hidden + line.removeprefix(mark + cell)
            assert run("--column", "3", stdin=line).out == line.removesuffix(cell + b"\n") + hidden + b"\n"


def test_folders_are_refused(tmp_path: Path) -> None:
    ended = run("--field", "a", str(tmp_path), "-o", str(tmp_path / "out"))
    assert ended.status == 2
    assert "--field is for files, one by one, and not for a folder: give it one FILE and -o OUT" in ended.err
    # What it says to do works.
    (tmp_path / "a.jsonl").write_bytes(b'{"a":"https://u:p@h/"}\n')
    assert run("--field", "a", str(tmp_path / "a.jsonl"), "-o", str(tmp_path / "b.jsonl")).status == 0
    assert (tmp_path / "b.jsonl").read_bytes() == b'{"a":"https://REDACTED:REDACTED@h/"}\n'
    ended = run("--field", "a", str(tmp_path / "a.jsonl"), "--explain")
    assert "without --explain, --field prints how many secrets of each kind there were" in ended.err
    assert "2 secrets (credentials: 2)\n" in run("--field", "a", str(tmp_path / "a.jsonl")).err


def test_other_fields_of_a_log() -> None:
    line = b'1.2.3.4 - - [22/Nov/2026:10:00:00 +0000] "GET /a?token=q8 HTTP/1.1" 200 5 "/?token=q8" "/?token=q8"\n'
    for field, count, place in (("referrer", 1, 1), ("agent", 1, 2), ("target", 1, 0)):
        shown = run("--log", "combined", "--field", field, stdin=line).out
        assert shown.count(b"REDACTED") == count
        assert shown.split(b"token=")[place + 1].startswith(b"REDACTED")


@pytest.mark.timed
@pytest.mark.parametrize("unit", ['{"a":', "[", '"a\\', "a=", 'a="', "\\", ",", '"', "a" * 9 + " "])
def test_hostile_lines_take_linear_time(unit: str) -> None:
    for options in (["--field", "a.b"], ["--column", "1"], ["--log", "combined"]):
        data = unit.encode() * (200_000 // len(unit)) + b"\n"
        begin = monotonic()
        assert run(*options, "--log-policy", NOTHING, stdin=b"a,b\n" + data).out == b"a,b\n" + data
        # Quadratic time would be minutes.
        assert monotonic() - begin < 20


def test_long_lines_are_redacted_as_texts() -> None:
    line = b'{"a":"' + b"x " * 2_000_000 + b'https://u:p@h/"}\n'
    ended = run("--field", "b", "--max-line", "4K", stdin=line + b'{"b":"https://u:p@h/","c":"https://u:p@h/"}\n')
    assert ended.out == redact_text(line) + b'{"b":"https://REDACTED:REDACTED@h/","c":"https://u:p@h/"}\n'


def test_quoted_names_are_read_by_the_other_commands() -> None:
    line = b'{"a":{"url.full":"https://u:p@h/users/7"},"a.b":"https://x/"}\n'
    fields = "{redacted} {template} {host}"
    ended = run("--input", "jsonl", "--field", 'a."url.full"', "-g", fields, stdin=line, command="")
    assert ended.out == b"https://REDACTED:REDACTED@h/users/7 /users/{int} h\n"
    assert run("--input", "jsonl", "--field", "a.b", stdin=line, command="").out == b"https://x/\n"
    ended = run("--input", "jsonl", "--field", 'a."url"', stdin=line, command="")
    assert ended.status == 1
    assert "no record has a text in the field 'a.\"url\"'" in ended.err


LINES = {
    ("redact",): (b"GET /?token=q8Zx\n", b"GET /?token=REDACTED\n"),
    ("redact", "--field", "url"): (b'{"url":"/?token=q8Zx"}\n', b'{"url":"/?token=REDACTED"}\n'),
    ("redact", "--log", "common"): (
        b'h - - [22/Nov/2026:10:00:00 +0000] "GET /?token=q8Zx HTTP/1.1" 200 5\n',
        b'h - - [22/Nov/2026:10:00:00 +0000] "GET /?token=REDACTED HTTP/1.1" 200 5\n',
    ),
    ("-g", "{template}", "-f", "-"): (b"https://h/users/7\n", b"/users/{int}\n"),
    ("-g", "{redacted}", "-f", "-"): (b"https://h/?token=q8Zx\n", b"https://h/?token=REDACTED\n"),
}


@pytest.mark.timed
@pytest.mark.parametrize("arguments", LINES, ids=" ".join)
def test_a_filter_prints_each_line_at_once(arguments: tuple[str, ...]) -> None:
    """In a pipe, as a program of a collector starts it: a line is there 100 ms after it was written."""
    line, expected = LINES[arguments]
    command = [sys.executable, "-m", "weburl", *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        waited = []
        for _ in range(20):
            process.stdin.write(line)
            process.stdin.flush()
            begin = monotonic()
            assert process.stdout.readline() == expected
            waited.append(monotonic() - begin)
        process.stdin.close()
        assert process.wait(300) == 0
    # The first line waits for the start of the program. Others may wait for another program, but not half of them.
    assert sorted(waited[1:])[9] < 0.1
