"""--status, --since and --until, beside a filter in Python."""

from __future__ import annotations

import csv
import io
import json
import re
import time
from calendar import monthrange
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.command import run
from support.log_lines import SAMPLES

from weburl.cli.readers.row_filter import moment
from weburl.cli.readers.rows.text_column import read_time

BASE = ("--base", "https://h.example")
LOG = ("--log", "combined", *BASE)
ZONES = [timezone(timedelta(hours=hours, minutes=minutes)) for hours, minutes in ((0, 0), (1, 0), (-7, 0), (5, 30))]
BEGIN = datetime(2026, 11, 28, 22, tzinfo=UTC)
STATUSES = ("200", "204", "301", "400", "404", "499", "500", "503", "-", "000", "1234")


def record(random: Random) -> tuple[datetime, str, str]:
    seconds = random.randrange(4 * 3600)
    path = f"/{random.randrange(1000)}"
    return (BEGIN + timedelta(seconds=seconds)).astimezone(random.choice(ZONES)), random.choice(STATUSES), path


def records(seed: int, count: int) -> list[tuple[datetime, str, str]]:
    random = Random(seed)
    return [record(random) for _ in range(count)]


def line(when: datetime, status: str, path: str) -> str:
    return f'127.0.0.1 - - [{when:%d/%b/%Y:%H:%M:%S %z}] "GET {path} HTTP/1.1" {status} 5 "-" "-"\n'


def is_in(status: str, ranges: str) -> bool:
    if not status.isdecimal() or status.startswith("0"):
        return False
    for part in ranges.split(","):
        low, _, high = part.partition("-")
        first, last = int(low.replace("x", "0")), int((high or low).replace("x", "9"))
        if first <= int(status) <= last:
            return True
    return False


def stays(when: datetime, status: str, ranges: str, since: datetime | None, until: datetime | None) -> bool:
    """Without a zone, a bound is for what the clocks of the record show."""

    def shown(bound: datetime) -> datetime:
        return when if bound.tzinfo else when.replace(tzinfo=None)

    return (
        (not ranges or is_in(status, ranges))
        and (since is None or shown(since) >= since)
        and (until is None or shown(until) < until)
    )


BOUNDS = [
    None,
    datetime(2026, 11, 29),
    datetime(2026, 11, 28, 23, 30),
    datetime(2026, 11, 29, 0, 15, 1, tzinfo=UTC),
    datetime(2026, 11, 29, 5, 30, tzinfo=ZONES[3]),
]


@pytest.mark.parametrize("seed", range(12))
def test_logs(seed: int, tmp_path: Path) -> None:
    """Whichever command reads them, in one file or several, with any number of threads: the same lines."""
    random = Random(seed)
    given = records(seed, 6000)
    ranges = random.choice(["", "404", "5xx", "2xx,404", "40x,500-503", "400-499,1234"])
    since, until = random.choice(BOUNDS), random.choice(BOUNDS)
    options = ["--status", ranges] if ranges else []
    options += ["--since", since.isoformat()] if since else []
    options += ["--until", until.isoformat(" ")] if until else []
    texts = [line(*each) for each in given]
    cut = random.randrange(len(texts))
    files = []
    for number, part in enumerate((texts[:cut], texts[cut:])):
        path = tmp_path / f"{number}.log"
        path.write_text("".join(part))
        files.append(str(path))
    wanted = [path for when, status, path in given if stays(when, status, ranges, since, until)]
    for threads in ("1", "2", "3"):
        ended = run(*LOG, *options, "-g", "{pathname}", "--threads", threads, "-f", *files)
        assert (ended.lines, ended.err) == (wanted, "")
    said = json.loads(run("stats", *LOG, *options, "--json", *files).out)
    assert said["urls"] == len(wanted)
    # Lines that are left out have numbers, too.
    numbers = [number for number, each in enumerate(given, 1) if stays(*each[:2], ranges, since, until)]
    (tmp_path / "whole.log").write_text("".join(texts))
    checked = run("check", *LOG[:2], "--base", "https://h.example/a b", *options, str(tmp_path / "whole.log")).lines
    assert all(int(each.rpartition("whole.log:")[2].partition(":")[0]) in numbers for each in checked)


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_other_records(kind: str, tmp_path: Path) -> None:
    """The columns can be among those that are kept, or not; times can be seconds."""
    given = records(7, 2000)
    path = tmp_path / f"records.{kind}"
    with path.open("w", newline="") as file:
        if kind == "csv":
            writer = csv.writer(file)
            writer.writerow(["url", "status", "more", "time"])
            for number, (when, status, place) in enumerate(given):
                shown = (when.isoformat(), f"{when.timestamp():.3f}", f"{when.timestamp() * 1000:.0f}")[number % 3]
                writer.writerow([f"http://h{place}", status, "a\nb", shown])
        else:
            for when, status, place in given:
                known = status.isdecimal() and not status.startswith("0")
                row = {"url": f"http://h{place}", "status": int(status) if known else None, "time": str(when)}
                file.write(json.dumps(row) + "\n")
    name = "--column" if kind == "csv" else "--field"
    since = datetime(2026, 11, 29, 0, 30, tzinfo=UTC)
    wanted = [place for when, status, place in given if stays(when, status, "2xx,404", since, None)]
    options = ("--status", "2xx,404", "--since", since.isoformat(), name, "url", "-f", str(path))
    assert run("-g", "{pathname}", *options).lines == wanted
    assert run("-g", "{pathname} {column:status}", *options).lines == [
        f"{place} {status}" for when, status, place in given if stays(when, status, "2xx,404", since, None)
    ]
    rows = [json.loads(row) for row in run("-g", "{pathname}", "--json", "--keep=status", *options).lines]
    assert [(row["pathname"], str(row["status"])) for row in rows] == [
        (place, status) for when, status, place in given if stays(when, status, "2xx,404", since, None)
    ]
    whole = [json.loads(row) for row in run("-g", "{query:status}", "--json", "--keep", *options).lines]
    assert len(whole) == len(wanted)
    if kind == "jsonl":
        assert all({"status", "time"} <= row.keys() for row in whole)
        return
    header = next(csv.reader(io.StringIO(run("-g", "{href}", "--csv", "--keep", *options).out)))
    assert {"status", "time"} <= set(header)


def test_lines_that_are_not_of_the_log_are_errors(tmp_path: Path) -> None:
    """Nobody knows their status. A line without a request has one."""
    path = tmp_path / "a.log"
    when = "[28/Nov/2026:10:00:00 +0000]"
    path.write_text(
        f'h - - {when} "GET /1 HTTP/1.1" 200 5 "-" "-"\ngarbage\nh - - {when} "-" 408 0 "-" "-"\n'
        f'h - - {when} "GET /4 HTTP/1.1" 404 5 "-" "-"\n' + "x" * 300 + "\n"
    )
    ended = run(*LOG, "--status", "404", "--max-line", "200", "-g", "{pathname}", "-f", str(path))
    assert ended.lines == ["", "/4", ""]
    assert "a.log:2:1: invalid-record" in ended.err
    assert "2 of 3 lines are not URLs (invalid-record: 1, too-long: 1)" in ended.err
    ended = run(*LOG, "--status", "408", "--invalid", "drop", "-f", str(path))
    assert "3 of 3 lines are not URLs (invalid-record: 3)" in ended.err


def test_what_no_record_has(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("url,status,time\nhttp://h/,OK,yesterday\n")
    for option, value, name in (("--status", "200", "status"), ("--since", "1d", "time")):
        for command in (("--column", "url", "-f"), ("stats", "--column", "url"), ("learn", "--column", "url")):
            ended = run(*command, str(path), option, value)
            assert (ended.status, ended.err) == (1, f"weburl: no record has a {name} that can be read\n")
    (tmp_path / "b.csv").write_text("url\nhttp://h/\n")
    ended = run("--column", "url", "--status", "200", "-f", str(tmp_path / "b.csv"))
    assert (ended.status, "no column 'status'" in ended.err) == (1, True)
    ended = run("--log", "$host $request", "--since", "1d", stdin="h GET /\n")
    assert (ended.status, "weburl: the lines of the log have no time\n" in ended.err) == (2, True)
    assert "its lines have no columns" in run("--status", "200", stdin="http://h/\n").err


def test_how_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime(2026, 11, 29, 12, tzinfo=UTC)
    monkeypatch.setattr(time, "time", now.timestamp)
    given = [now - timedelta(hours=hours) for hours in range(50)]
    log = "".join(line(when, "200", f"/{number}") for number, when in enumerate(given))
    for text, count in (("90m", 2), ("5400s", 2), ("12h", 13), ("1d", 25), ("2d", 49), ("1w", 50)):
        assert len(run(*LOG, "--since", text, stdin=log).lines) == count, text
        assert len(run(*LOG, "--until", text, stdin=log).lines) == 50 - count, text
    # Before all times that there are.
    for unit in "smhdw":
        text = f"999999999{unit}"
        assert len(run(*LOG, "--since", text, stdin=log).lines) == 50, text
        assert run(*LOG, "--until", text, stdin=log).lines == [], text


def test_ago_is_not_from_the_end_of_the_log(tmp_path: Path) -> None:
    said = "weburl: no record is left: --since 7d counts back from now, not from the end of the log\n"
    old, new = BEGIN - timedelta(days=400), datetime.now(UTC)
    (tmp_path / "old.log").write_text(line(old, "200", "/old"))
    (tmp_path / "new.log").write_text(line(old, "200", "/old") + line(new, "404", "/new"))
    for command in ([*LOG, "-f"], ["stats", *LOG], ["check", *LOG], ["dedup", *LOG, "-f"], ["learn", *LOG]):
        ended = run(*command, str(tmp_path / "old.log"), "--since", "7d")
        assert (ended.status, ended.err.removesuffix("0 URLs, nothing found\n")) == (0, said), command
        for more in (["--since", "7d"], ["--since", "2199-01-01"], ["--until", "9999w"], ["--status", "500"]):
            assert "counts back" not in run(*command, str(tmp_path / "new.log"), *more).err, (command, more)
    # Also if it is the status that leaves out what is new; not without records, and not twice if none can be read.
    assert run(*LOG, "--since", "7d", "--status", "200", "-f", str(tmp_path / "new.log")).err == said
    assert run(*LOG, "--since", "7d", stdin="").err == ""
    (tmp_path / "a.csv").write_text("url,time\nhttp://h/,soon\n")
    ended = run("--column", "url", "--since", "7d", "-f", str(tmp_path / "a.csv"))
    assert ended.err == "weburl: no record has a time that can be read\n"


@pytest.mark.parametrize(
    ("option", "texts"),
    [
        ("--status", ["", "x", "5x5", "-1", "404-", "500-400", "4xx-5xx", "200,", "9" * 30, "٤٠٤", "200-2xx"]),
        ("--since", ["", "1", "h", "1y", "2026", "2026-13-01", "2026-1-1", "12:00", "2026-11-28T", "2026-11-28T25:00",
                     "2026-11-28T10:00+1", "yesterday", "1764374400", "9999999999d",
                     "2026-02-29", "2100-02-29T10:00Z"]),
        ("--until", ["-1d", "2026-11-28 10"]),
    ],
)  # fmt: skip
def test_usage(option: str, texts: list[str]) -> None:
    for text in texts:
        ended = run(*LOG, f"{option}={text}", stdin="")
        assert ended.status == 2, text
        assert re.search(r"argument .*: (STATUS|TIME|expected)", ended.err), text


ISO = st.datetimes(datetime(1, 1, 2), datetime(9998, 1, 1), timezones=st.sampled_from([None, *ZONES]))


@given(ISO, st.sampled_from(["T", " "]), st.sampled_from(["auto", "seconds", "minutes", "milliseconds"]))
def test_times(when: datetime, separator: str, timespec: str) -> None:
    text = when.isoformat(separator, timespec)
    kept = datetime.fromisoformat(text)
    clock = (kept.replace(tzinfo=None) - datetime(1970, 1, 1)) // timedelta(microseconds=1)
    offset = kept.utcoffset()
    wanted = clock, None if offset is None else offset // timedelta(microseconds=1)
    assert read_time(text.encode()) == read_time(f'"{text}"'.encode()) == wanted
    if offset is not None:
        assert moment(text)[:2] == (clock - wanted[1], "instant")  # type: ignore[operator]
    else:
        assert moment(text)[:2] == (clock, "clock")


@pytest.mark.parametrize("year", [1900, 2000, 2023, 2024, 2100, 2400])
def test_days_of_months(year: int) -> None:
    for month in range(1, 13):
        last = monthrange(year, month)[1]
        assert [day for day in range(32) if read_time(f"{year}-{month:02}-{day:02}".encode())] == [*range(1, last + 1)]


@given(st.integers(10**9, 9 * 10**9), st.integers(0, 999_999))
def test_seconds(seconds: int, fraction: int) -> None:
    whole = seconds * 10**6
    for text, least in (
        (f"{seconds}", 0), (f"{seconds}.{fraction:06}", fraction), (f"{seconds}{fraction:06}", fraction),
        (f"{seconds}{fraction:06}999", fraction), (f"{seconds}{fraction // 1000:03}", fraction // 1000 * 1000),
    ):  # fmt: skip
        assert read_time(text.encode()) == (whole + least, 0), text


@given(st.binary(max_size=40))
@example(b"2026-11-29T10:00:00.")
@example(b'"')
@example(b"9" * 19)
def test_any_bytes(text: bytes) -> None:
    found = read_time(text)
    assert found is None or abs(found[0]) < 1 << 61


@pytest.mark.parametrize("name", SAMPLES)
def test_formats_of_logs_with_names(name: str) -> None:
    """Their records have a status and a time, too. W3C says so in the log."""
    sample = SAMPLES[name]
    log = ("--log", sample.format, *(("--base", sample.base) if sample.base else ()))
    found = run(*log, "--json", "--keep=time,status", "-g", "{error}", stdin=sample.text)
    every = [json.loads(text) for text in found.lines]
    rows = [row for row in every if row["error"] is None and row["status"] is not None]
    assert rows
    for status in {row["status"] for row in rows}:
        ended = run(*log, "--json", "--keep=status", "-g", "{error}", "--status", str(status), stdin=sample.text)
        kept = [json.loads(text) for text in ended.lines]
        assert [row["status"] for row in kept if row["error"] is None] == [
            row["status"] for row in rows if row["status"] == status
        ]
    for bound in {row["time"] for row in rows if row["time"] is not None}:
        left = {}
        for option in ("--since", "--until"):
            ended = run(*log, "--json", "--keep=time,status", "-g", "{error}", option, bound, stdin=sample.text)
            kept = [json.loads(text) for text in ended.lines]
            left[option] = [row for row in kept if row["error"] is None and row["status"] is not None]
        when = datetime.fromisoformat(bound)
        timed = [row for row in rows if row["time"] is not None]
        assert left["--since"] == [row for row in timed if datetime.fromisoformat(row["time"]) >= when]
        assert left["--until"] == [row for row in timed if datetime.fromisoformat(row["time"]) < when]


def test_a_log_of_w3c_without_a_status() -> None:
    """A later line #Fields: can have one."""
    first, last = (
        "#Fields: cs-method cs-uri-stem cs(Host)\nGET /a h.example\n",
        "#Fields: cs-uri-stem cs(Host) sc-status\n",
    )
    ended = run("--log", "w3c", "--status", "404", stdin=first)
    assert (ended.lines, ended.status) == ([], 1)
    assert "no record has a value in the field 'status'" in ended.err
    ended = run("--log", "w3c", "--status", "404", stdin=f"{first}{last}/b h.example 404\n/c h.example 200\n")
    assert (ended.lines, ended.status) == (["http://h.example/b"], 0)
