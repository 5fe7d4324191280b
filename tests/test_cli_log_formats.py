"""Formats of logs that have names: what every command reads of ten lines of each, and of lines that were changed."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from support.command import run
from support.log_lines import CLOUDFRONT_FIELDS, IIS_FIELDS, SAMPLES, Sample, iis, span, spans
from support.log_mutants import check_lines, mutated

from weburl import URL
from weburl.cli.commands import COMMANDS
from weburl.cli.readers.records.log_formats import FORMATS

NAMES = pytest.mark.parametrize("name", SAMPLES)


def options(sample: Sample) -> list[str]:
    return ["--log", sample.format, *(["--base", sample.base] if sample.base else [])]


def test_each_format_has_a_sample() -> None:
    assert {sample.format for sample in SAMPLES.values()} | {"common"} == {*FORMATS}
    assert all(len(sample.lines) == 10 for sample in SAMPLES.values())


@NAMES
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_urls(name: str, end: str) -> None:
    sample = SAMPLES[name]
    ended = run(*options(sample), "--invalid", "file=/dev/null", stdin=sample.text.replace("\n", end))
    assert ended.lines == [URL(url).href for url in sample.urls if isinstance(url, str) and URL.can_parse(url)]


@NAMES
def test_what_does_not_fit(name: str) -> None:
    """`check` names the line and the column, and the reason."""
    sample = SAMPLES[name]
    ended = run("check", "--failures", *options(sample), stdin=sample.text)
    found = re.findall(r"standard input:(\d+):(\d+): invalid-record: (.*)", ended.out)
    expected = [url for url in sample.urls if not isinstance(url, str)]
    assert [(int(line), int(column), why) for line, column, why in found] == expected
    line, column, why = expected[0]
    place = line if name in ("Caddy", "Envoy in JSON", "ECS", "OTLP") else f"{line}:{column}"
    assert (
        f"weburl: standard input:{place}: invalid-record: {why}; the next"
        in run(*options(sample), stdin=sample.text).err
    )
    ended = run(*options(sample), "--invalid", "fail", stdin=sample.text)
    assert ended.status == 1


@NAMES
def test_columns(name: str) -> None:
    sample = SAMPLES[name]
    ended = run(*options(sample), "--json", "--keep", "-g", "{error}", stdin=sample.text)
    found = json.loads(ended.lines[0])
    assert {key: found.get(key) for key in sample.first} == sample.first
    assert len(ended.lines) == len(sample.urls)
    ended = run(*options(sample), "--csv", "--keep=status,bytes", "-g", "{href}", stdin=sample.text)
    assert ended.lines[1].startswith(f"{sample.first['status']},")


@NAMES
def test_no_secret_is_left(name: str) -> None:
    sample = SAMPLES[name]
    for keep in ("--keep", "--keep=method"):
        ended = run(*options(sample), "--json", keep, "-g", "{redacted}", stdin=sample.text)
        assert '"redacted":"http' in ended.out
        assert "s3cr3tval" not in ended.out


@NAMES
def test_redact(name: str) -> None:
    """Only the secrets change."""
    sample = SAMPLES[name]
    assert "s3cr3tval" in sample.text
    ended = run("redact", "--log", sample.format, stdin=sample.text)
    assert ended.status == 0
    assert ended.out == sample.text.replace("s3cr3tval", "REDACTED")


def test_redact_one_field() -> None:
    text = SAMPLES["logfmt"].text
    for field, changed in (
        ("url", "token=REDACTED"),
        ("query", "query=token=REDACTED"),
        ("referrer", '?token=REDACTED"'),
    ):
        ended = run("redact", "--log", "logfmt", "--field", field, stdin=text)
        assert changed in ended.out
        assert ended.out.count("REDACTED") == 1
    text = "path=/?token=s3cr3tval note=/?token=s3cr3tval\n"
    assert run("redact", "--log", "logfmt", "--field", "note", stdin=text).out.index("REDACTED") > 25
    otlp = spans(span("/?token=s3cr3tval", note="/?token=s3cr3tval", url__full="/?token=s3cr3tval"))
    for field, place in (
        ("name", '"name":"/?token=REDACTED"'),
        ("note", '"note","value":{"stringValue":"/?token=REDACTED"'),
    ):
        ended = run("redact", "--log", "otlp", "--field", field, stdin=otlp)
        assert place in ended.out
        assert ended.out.count("REDACTED") == 1
    ended = run("redact", "--log", "caddy", "--field", "request.headers.Referer[]", stdin=SAMPLES["Caddy"].text)
    assert ended.out.count("REDACTED") == 1


@pytest.mark.parametrize(
    ("format", "line"),
    [
        ("logfmt", "url=/?token=s3cr3tval url=/?token=s3cr3tval"),
        ("caddy", '{"request":{"uri":"/?token=s3cr3tval","uri":"/?token=s3cr3tval"}}'),
        ("caddy", '{"request":{"headers":{"\\u0052eferer":["/?token=s3cr3tval"]}}}'),
        ("otlp", spans(span("a", url__full="/?token=s3cr3tval")).replace(
            '"url.full",', '"url.full","value":{"stringValue":"/?token=s3cr3tval"},')),
    ],
)  # fmt: skip
def test_redact_repeated_names(format: str, line: str) -> None:
    """A name that is there twice has one value for the reader, but both are hidden."""
    ended = run("redact", "--log", format, stdin=line)
    assert ended.out == line.replace("s3cr3tval", "REDACTED")


def test_what_is_not_a_record_is_redacted_as_a_text() -> None:
    text = f"#Remark: https://u:s3cr3tval@h/\n{IIS_FIELDS}\ncut https://u:s3cr3tval@h/\n{iis('/x')}\n"
    ended = run("redact", "--log", "w3c", stdin=text)
    assert "s3cr3tval" not in ended.out
    assert IIS_FIELDS in ended.out


COMMANDS_WITH_LOGS = {
    "stats": ["--json"], "dedup": [], "learn": [], "check": [], "join": ["--with", "other"], "robots": ["robots"],
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_which_commands_take_logs(command: str) -> None:
    assert ("--log FORMAT" in run(command, "--help").out) == (command in (*COMMANDS_WITH_LOGS, "redact", "diff"))


@NAMES
@pytest.mark.parametrize("command", COMMANDS_WITH_LOGS)
def test_every_command(name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sample = SAMPLES[name]
    Path("log").write_text(sample.text)
    Path("other").write_text("https://shop.example/\nhttp://shop.example/x\nhttps://shop.s3.amazonaws.com/a.png\n")
    Path("robots").write_text("User-agent: *\nDisallow: /cart\n")
    ended = run(command, *COMMANDS_WITH_LOGS[command], *options(sample), "-f", "log")
    assert ended.status in (0, 1), ended.err
    urls = sum(isinstance(url, str) and URL.can_parse(url) for url in sample.urls)
    if command == "stats":
        found = json.loads(ended.out)
        assert (found["urls"], found["invalid"]) == (urls, len(sample.urls) - urls)
    elif command == "check":
        assert f"of {len(sample.urls)} URLs: " in ended.err
    elif command == "learn":
        assert f" of {urls} lines" in ended.out
    else:
        assert "shop." in ended.out


@NAMES
@pytest.mark.parametrize("seed", range(2))
def test_mutated_lines(name: str, seed: int) -> None:
    """A short form of `tests/tiers/logs.py`."""
    random = Random(f"{name} {seed}")
    lines = [mutated(random, SAMPLES[name]) for _ in range(400)]
    check_lines(SAMPLES[name], lines, random)


# W3C.


def test_the_fields_change_in_a_file() -> None:
    text = (
        f"GET /before\n{IIS_FIELDS}\n{iis('/a')}\n{IIS_FIELDS}\n{iis('/b')}\n#Fields:\n/c\n"
        "#Fields: cs-uri-stem x-extra cs-host\r\n/d 7 h.example\r\n"
        + "".join(
            f"#Fields: cs-host cs-uri-stem{' x' * (number % 3)}\nh{number} /e{' -' * (number % 3)}\n"
            for number in range(9)
        )
    )
    ended = run("--log", "w3c", "-g", "{href} {status}", stdin=text)
    expected = ["", "https://shop.example/a 200", "https://shop.example/b 200", "", "http://h.example/d"]
    assert [line.strip() for line in ended.lines] == [*expected, *(f"http://h{number}/e" for number in range(9))]
    assert "standard input:1:1: invalid-record: no line #Fields: is before it" in ended.err
    ended = run("--log", "w3c", "--json", "--keep", "-g", "{href}", stdin=text.partition("\n")[2])
    assert ended.status == 3
    assert "line 7 names a field that the first line #Fields: does not have, 'x-extra': --keep must name" in ended.err
    ended = run("--log", "w3c", "--json", "--keep=status,host,bytes", "-g", "{href}", stdin=text)
    assert json.loads(ended.lines[4]) == {
        "status": None,
        "host": "h.example",
        "bytes": None,
        "href": "http://h.example/d",
    }
    ended = run("--log", "w3c", "--json", "--keep=nothing", "-g", "{href}", stdin=text)
    assert ended.status == 1
    assert "no record has a value in the field 'nothing'" in ended.err


@NAMES
def test_counts_of_columns(name: str) -> None:
    """`stats` takes each column that `--json` has."""
    sample = SAMPLES[name]
    rows = [
        json.loads(row) for row in run(*options(sample), "--json", "--keep", "-g", "{href}", stdin=sample.text).lines
    ]
    columns = rows[0].keys() - {"href"}
    assert {"status", "time"} <= columns
    for column in sorted(columns):
        ended = run(
            "stats", *options(sample), "--json", "--by", f"column:{column}", "--percentiles", column, "--top", "99",
            stdin=sample.text,
        )  # fmt: skip
        found = {each["name"]: each["count"] for each in json.loads(ended.out)["groups"]["top"]}
        wanted = Counter(row[column] if row[column] is None else str(row[column]) for row in rows if row["href"])
        if any("s3cr3t" in value for value in wanted if value is not None):
            # Names of groups have no secrets.
            assert sorted(found.values()) == sorted(wanted.values()), column
        else:
            assert found == wanted, column


def test_counts_of_columns_that_only_lines_name() -> None:
    for format, text in {
        "logfmt": "url=http://h/ dyno=web.1 ms=5\nurl=http://h/ dyno=web.1 ms=7\nurl=http://h/a\n",
        "w3c": "#Fields: cs-uri dyno ms\nhttp://h/ web.1 5\nhttp://h/ web.1 7\nhttp://h/ - -\n",
        "caddy": "".join(
            f'{{"request":{{"host":"h","uri":"/"}}{more}}}\n'
            for more in (',"dyno":"web.1","ms":5', ',"dyno":"web.1","ms":7', "")
        ),
    }.items():
        ended = run("stats", "--log", format, "--json", "--by", "column:dyno", "--percentiles", "ms", stdin=text)
        top = json.loads(ended.out)["groups"]["top"]
        assert [(each["name"], each["count"]) for each in top] == [("web.1", 2), (None, 1)]
        assert top[0]["percentiles"]["ms"] == {"p50": 5, "p90": 7, "p99": 7}
        ended = run("stats", "--log", format, "--percentiles", "nothing", stdin=text)
        assert (ended.status, ended.err) == (1, "weburl: no record has a value in the field 'nothing'\n")


def test_escapes_of_logfmt_are_those_of_json() -> None:
    characters = [chr(number) for number in range(0x100)] + ["\u2028", "\uffff"]
    text = "".join(f"url=http://h/ msg={json.dumps(f'a{each}b')}\n" for each in characters)
    ended = run("--log", "logfmt", "--json", "--keep=msg", "-g", "{error}", stdin=text)
    assert [json.loads(row)["msg"] for row in ended.lines] == [f"a{each}b" for each in characters]


@pytest.mark.parametrize("separator", [" ", "\t"])
@pytest.mark.parametrize("absent", ["-", ""])
def test_a_time_of_w3c_without_its_date(separator: str, absent: str) -> None:
    """And a date without its time, which is no time."""
    if separator == " " and not absent:
        absent = '""'
    given = [("2026-11-22", "10:00:05"), (absent, "10:00:05"), ("2026-11-22", absent), (absent, absent)]
    text = "#Fields: date time cs-uri\n" + "".join(separator.join([*each, "http://h/"]) + "\n" for each in given)
    ended = run("--log", "w3c", "--json", "--keep=date,time", "-g", "{href}", stdin=text)
    assert [(row["date"], row["time"]) for row in map(json.loads, ended.lines)] == [
        ("2026-11-22", "2026-11-22T10:00:05+00:00"), (None, "10:00:05"), ("2026-11-22", None), (None, None)
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "#Version: 1.0\n", f"{IIS_FIELDS}\n", "#Fields:\n"])
def test_a_log_without_lines(text: str) -> None:
    assert run("--log", "w3c", "--json", "--keep=status", "-g", "{href}", stdin=text) == (0, "", "")
    assert run("--log", "w3c", stdin=text) == (0, "", "")


def test_a_line_of_fields_that_nobody_has() -> None:
    ended = run("--log", "w3c", "--base", "http://h", stdin=f"#Fields:{' cs-uri-stem' * 513}\n/x\n")
    assert "2:1: invalid-record: no line #Fields: is before it" in ended.err
    ended = run("--log", "w3c", "--base", "http://h", stdin=f"#Fields:{' cs-uri-stem' * 2}\n/x /y\n")
    assert ended.lines == ["http://h/x"]


def test_lines_that_are_too_long() -> None:
    long = iis("/" + "a" * 1000)
    for before in (f"{IIS_FIELDS}\n", ""):
        ended = run(
            "--log", "w3c", "--max-line", "500", "--json", "--keep=status", "-g", "{error}", stdin=f"{before}{long}\n"
        )
        assert json.loads(ended.out) == {"status": None, "error": "too-long"}
    ended = run("--log", "w3c", "--max-line", "500", stdin=f"{long}\n{IIS_FIELDS}\n{iis('/a')}\n")
    assert ended.lines == ["", "https://shop.example/a"]
    long = spans(span("a", url__full="http://h/" + "a" * 1000))
    ended = run("--log", "otlp", "--max-line", "900", stdin=f"{spans(span('a', url__full='http://h/'))}\n{long}\n")
    assert ended.lines == ["http://h/", ""]


def test_separators() -> None:
    head = "#Fields: cs-uri-stem cs-host sc-status\n"
    for line in ("/a h 200", "/a  h   200 ", "/a\th\t200", '"/a" "h" "200"', '"/a"\th\t200 '):
        assert run("--log", "w3c", "-g", "{href} {status}", stdin=f"{head}{line}\n").lines == ["http://h/a 200"], line
    # A quote that has no end is one.
    assert run("--log", "w3c", stdin=f'{head}"/a h 200\n').lines == [""]
    assert run("--log", "w3c", stdin=f'{head}/a"b h 200\n').lines == ["http://h/a%22b"]
    assert CLOUDFRONT_FIELDS.count(" ") == 19


# Other formats.


def test_fields_that_a_format_does_not_name() -> None:
    options = ("--json", "-g", "{href}")
    line = SAMPLES["Caddy"].lines[0]
    ended = run("--log", "caddy", *options, "--keep=logger,request.tls.proto", stdin=line)
    assert json.loads(ended.out) == {
        "logger": "http.log.access",
        "request.tls.proto": "h2",
        "href": "https://shop.example/",
    }
    ended = run("--log", "logfmt", *options, "--keep=at", stdin=SAMPLES["logfmt"].lines[0])
    assert json.loads(ended.out) == {"at": "info", "href": "https://shop.example/"}
    ended = run("--log", "caddy", *options, "--keep=nothing", stdin=line)
    assert ended.status == 1
    assert "nothing" in ended.err


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("1795341605", "2026-11-22T10:00:05+00:00"),
        ("1795341605.0", "2026-11-22T10:00:05+00:00"),
        ("1795341605.524102", "2026-11-22T10:00:05.524102+00:00"),
        ("1795341605524", "2026-11-22T10:00:05.524+00:00"),
        ("1795341605524102", "2026-11-22T10:00:05.524102+00:00"),
        ("1795341605524102003", "2026-11-22T10:00:05.524102003+00:00"),
        ("1795341605524.25", "2026-11-22T10:00:05.52425+00:00"),
        ("951782400", "2000-02-29T00:00:00+00:00"),
        ("4107542399", "2100-02-28T23:59:59+00:00"),
        ("99999999999", "5138-11-16T09:46:39+00:00"),
        *((text, text) for text in ("1.795e9", "1795341605.", "17953416.5", "1795341605.5x", "1" * 20, "x")),
    ],
)  # fmt: skip
def test_times(text: str, time: str) -> None:
    assert run("--log", "logfmt", "-g", "{time}", stdin=f"path=/ host=h ts={text}\n").lines == [time]


def test_envoys_own_formats() -> None:
    request = '"%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%"'
    format = f"%START_TIME% {request} %RESPONSE_CODE% %REQ(:AUTHORITY):40%\\n"
    line = 't "GET /a?b HTTP/2" 200 h.example'
    assert run("--log", format, "-g", "{href} {status} {method}", stdin=line).lines == ["http://h.example/a?b 200 GET"]
    ended = run("--log", "%START_TIME% %RESPONSE_CODE%", stdin=line)
    assert "has no %REQ(:PATH)%" in ended.err
    ended = run("--log", "%RESP(SERVER)% %REQ(:PATH)% %REQ(HOST)%", "-g", "{href} {column:server}", stdin="x /a h")
    assert ended.lines == ["http://h/a x"]


@pytest.mark.parametrize("format", [*FORMATS])
def test_long_hostile_lines(format: str) -> None:
    """Time is linear: a line of 4 MB of each kind is read in a moment, or is not of the format."""
    pieces = [
        '"',
        '\\"',
        ' "',
        '""',
        '"a ',
        "[",
        "[ ",
        "a=",
        'a="',
        "\t",
        "{",
        '{"a":',
        "[[",
        '{"attributes":[',
        "\\",
        " ",
        "#",
    ]
    head = f"#Fields:{' cs-uri-stem' * 512}\n" if format == "w3c" else ""
    text = head + "".join(f"{piece * ((1 << 18) // len(piece))}\n" for piece in pieces)
    ended = run("--log", format, "--base", "http://h", stdin=text)
    assert ended.status in (0, 1)
    assert "invalid-record" in ended.err
