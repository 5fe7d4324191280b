"""weburl stats with --by and --percentiles, and its filters, beside a model in Python; and rows that are joined."""

from __future__ import annotations

import csv
import json
import os
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from support.command import run
from support.peak import peak_of

from weburl import URL
from weburl.cli.commands import stats
from weburl.cli.counting.counts import Counts
from weburl.redact import path_template

FORMAT = '$host [$time_local] "$request" $status $body_bytes_sent $request_time'
LOG = ("--log", FORMAT)
HOSTS = ["a.example", "b.example", "www.c.example"]
Row = dict[str, Any]


def rows_of(seed: int, count: int) -> list[Row]:
    random = Random(seed)
    found = []
    for _ in range(count):
        path = random.choice(["/", "/users/{}", "/u/{}/x", "/{}.html", "/a b/{}", "/é{}"]).format(random.randrange(999))
        query = random.choice(["", "?q=1", "?q=%C3%A9", "?q", "?x=1&q=2"])
        minute = random.randrange(300)
        found.append(
            {
                "host": random.choice(HOSTS),
                "time": f"2026-11-{28 + minute // 200}T{minute // 60:02}:{minute % 60:02}:07+01:00",
                "target": path + query,
                "method": random.choice(["GET", "POST"]),
                "status": random.choice(["200"] * 5 + ["404", "500", "-"]),
                "bytes": random.choice(["-", "0", str(int(random.lognormvariate(6, 3)))]),
                "request_time": f"{random.lognormvariate(-3, 2):.3f}",
            }
        )
    return found


def line(row: Row) -> str:
    year, month, day, clock = re.findall(r"(\d+)-(\d+)-(\d+)T([\d:]+)", row["time"])[0]
    assert month == "11"
    return (
        f'{row["host"]} [{day}/Nov/{year}:{clock} +0100] "{row["method"]} {row["target"]} HTTP/1.1" '
        f"{row['status']} {row['bytes']} {row['request_time']}\n"
    )


def url_of(row: Row) -> URL:
    return URL(f"http://{row['host']}{row['target']}")


FIELDS: dict[str, Callable[[Row], str | None]] = {
    "hostname": lambda row: row["host"],
    "template": lambda row: path_template(url_of(row)),
    "status": lambda row: None if row["status"] == "-" else row["status"],
    "method": lambda row: row["method"],
    "column:method": lambda row: row["method"],
    "query:q": lambda row: url_of(row).search_params.get("q"),
    "search": lambda row: url_of(row).search,
    "day": lambda row: row["time"][:10],
    "hour": lambda row: row["time"][:13],
    "minute": lambda row: row["time"][:16],
    "href": lambda row: url_of(row).href,
}
NUMBERS: dict[str, Callable[[Row], float | None]] = {
    "length": lambda row: len(url_of(row).href),
    "bytes": lambda row: None if row["bytes"] == "-" else int(row["bytes"]),
    "request_time": lambda row: float(row["request_time"]),
}


def quantiles(values: Iterable[float | None]) -> dict[str, float] | None:
    known = sorted(value for value in values if value is not None)
    if not known:
        return None
    return {f"p{percent}": known[-(-len(known) * percent // 100) - 1] for percent in (50, 90, 99)}


def check_quantiles(found: dict[str, float] | None, rows: Sequence[Row], name: str) -> None:
    wanted = quantiles(map(NUMBERS[name], rows))
    assert (found is None) == (wanted is None)
    for key, value in (wanted or {}).items():
        assert found is not None
        # What is printed has three digits at least.
        assert value / 1.016 * 0.995 <= found[key] <= value * 1.005, (name, key)
        assert found[key] == value or value >= 128 or not value.is_integer()


def check_groups(
    found: dict[str, Any], by: Sequence[str], rows: Sequence[Row], numbers: Sequence[str], top: int
) -> None:
    groups: dict[str | None, list[Row]] = defaultdict(list)
    for row in rows:
        groups[FIELDS[by[0]](row)].append(row)
    ranked = sorted(groups, key=lambda name: (-len(groups[name]), name is None, name or ""))[:top]
    assert [each["name"] for each in found["top"]] == ranked
    assert (found["total"], found["distinct"], found["distinct_error"], found["too_low_by"]) == (
        len(rows), len(groups), 0, 0,
    )  # fmt: skip
    for each in found["top"]:
        inside = groups[each["name"]]
        assert (each["count"], each["too_low_by"]) == (len(inside), 0)
        assert list(each["percentiles"]) == ["length", *numbers]
        for name, values in each["percentiles"].items():
            check_quantiles(values, inside, name)
        if by[1:]:
            check_groups(each["groups"], by[1:], inside, numbers, top)
        else:
            assert "groups" not in each


@pytest.mark.parametrize("seed", range(15))
def test_groups_are_those_of_a_model(seed: int, tmp_path: Path) -> None:
    """Whatever the fields, filters, threads, files and formats."""
    random = Random(seed)
    rows = rows_of(seed, random.choice([1, 40, 9000]))
    by = random.sample([*FIELDS], random.randint(1, 4))
    numbers = random.sample(["bytes", "request_time"], random.randint(0, 2))
    top = random.choice([1, 3, 1000])
    options = ["--by", ",".join(by), "--top", str(top), "--json"]
    options += ["--percentiles", ",".join(numbers)] if numbers else []
    kept = rows
    if random.random() < 0.5:
        options += ["--match", "http://*.c.example/*", "--match", "http://a.example/users/*"]
        kept = [row for row in kept if "c.ex" in row["host"] or url_of(row).href.startswith("http://a.example/users/")]
    if random.random() < 0.5:
        options += ["--status", "2xx,500"]
        kept = [row for row in kept if row["status"] in ("200", "500")]
    text = "".join(map(line, rows))
    files = []
    for number, part in enumerate((rows[: len(rows) // 3], rows[len(rows) // 3 :])):
        files.append(tmp_path / f"{number}.log")
        files[-1].write_text("".join(map(line, part)))
    found = [run("stats", *LOG, *options, "--threads", threads, *map(str, files)) for threads in ("1", "2", "3")]
    found.append(run("stats", *LOG, *options, stdin=text))
    assert found == found[:1] * len(found)
    said = json.loads(found[0].out)
    assert (said["urls"], said["invalid"], said["by"]) == (len(kept), 0, by)
    check_groups(said["groups"], by, kept, numbers, top)
    assert [*said.get("percentiles", {})] == numbers
    for name in numbers:
        check_quantiles(said["percentiles"][name], kept, name)


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_other_formats(kind: str, tmp_path: Path) -> None:
    rows = rows_of(3, 2000)
    path = tmp_path / f"rows.{kind}"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["url", "status", "bytes", "time"])
        if kind == "csv":
            writer.writeheader()
        for row in rows:
            status, size = FIELDS["status"](row), NUMBERS["bytes"](row)
            record = {"url": url_of(row).href, "status": status, "bytes": size, "time": row["time"]}
            if kind == "csv":
                writer.writerow(record)
            else:
                file.write(json.dumps(record) + "\n")
    option = "--column" if kind == "csv" else "--field"
    ended = run(
        "stats", option, "url", "--by", "status,hour", "--percentiles", "bytes", "--top", "99", "--json", str(path)
    )
    groups = json.loads(ended.out)["groups"]
    for each in groups["top"]:
        # A cell of CSV that is empty is a text.
        each["name"] = each["name"] or None
    check_groups(groups, ["status", "hour"], rows, ["bytes"], 99)


def test_percentiles_without_groups() -> None:
    rows = rows_of(5, 3000)
    text = "".join(map(line, rows))
    said = json.loads(run("stats", *LOG, "--percentiles", "request_time,bytes", "--json", stdin=text).out)
    plain = json.loads(run("stats", *LOG, "--json", stdin=text).out)
    assert [*said["percentiles"]] == ["request_time", "bytes"]
    for name, values in said["percentiles"].items():
        check_quantiles(values, rows, name)
    assert said["percentile_error"] == 0.0156
    del said["percentiles"], said["percentile_error"]
    assert said == plain


@pytest.mark.parametrize(
    "text", ["", "-", "x", "1x", "-1", ".", "1e", "e5", "1e400", "nan", "0x10", "1 2", "١", "9" * 400]
)
def test_what_is_not_a_number(text: str) -> None:
    given = f"url\tn\nhttp://h/\t{text}\nhttp://h/\t7\n"
    ended = run("stats", "--input", "tsv", "--column", "url", "--percentiles", "n", "--json", stdin=given)
    assert json.loads(ended.out)["percentiles"] == {"n": {"p50": 7, "p90": 7, "p99": 7}}


@pytest.mark.parametrize("text", ["0", "127", "0.25", ".5", "5.", "1e3", "2.5E-3", "1e-320", "00012", "+5"])
def test_what_is_a_number(text: str) -> None:
    given = f"url\tn\nhttp://h/\t{text}\n"
    said = json.loads(
        run("stats", "--input", "tsv", "--column", "url", "--percentiles", "n", "--json", stdin=given).out
    )
    if text == "+5":
        assert said["percentiles"] == {"n": None}
    else:
        assert said["percentiles"]["n"]["p50"] == pytest.approx(float(text), rel=0.016)


def in_little_room(monkeypatch: pytest.MonkeyPatch, texts: int) -> None:
    monkeypatch.setattr(stats, "Counts", SimpleNamespace(within=lambda memory: Counts(texts)))


@pytest.mark.parametrize(("seed", "texts"), [(1, 700), (2, 1500), (3, 2500)])
def test_the_bounds_hold(seed: int, texts: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In little room: each count, and what it may be too low by; what is not shown; and the ranks of percentiles."""
    in_little_room(monkeypatch, texts)
    random = Random(seed)
    rows = rows_of(seed, 30_000)
    for row in rows:
        row["host"] = f"h{min(int(random.paretovariate(0.6)), 10**6)}.example"
    path = tmp_path / "a.log"
    path.write_text("".join(map(line, rows)))
    options = ("--by", "hostname,status", "--percentiles", "bytes", "--top", "100000", "--json", str(path))
    found = [run("stats", *LOG, "--threads", threads, *options).out for threads in ("1", "2", "3")]
    assert found == found[:1] * 3
    error = json.loads(found[0])["percentile_error"]
    assert 0.0156 < error <= 0.5
    said = json.loads(found[0])["groups"]
    exact: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        exact[row["host"]].append(row)
    assert said["total"] == len(rows)
    assert said["distinct"] == pytest.approx(len(exact), rel=5 * said["distinct_error"])
    assert said["too_low_by"] > 0
    shown = {each["name"] for each in said["top"]}
    assert 0 < len(shown) < len(exact)
    assert max(len(inside) for host, inside in exact.items() if host not in shown) <= said["too_low_by"]
    for each in said["top"]:
        inside = exact[each["name"]]
        assert each["count"] <= len(inside) <= each["count"] + each["too_low_by"]
        lengths = sorted(len(url_of(row).href) for row in inside)
        for key, percent in (("p50", 50), ("p90", 90), ("p99", 99)):
            length = each["percentiles"]["length"][key]
            below = bisect_right(lengths, length * (1.01 + error))
            assert below >= each["count"] * percent / 100 - 1
            assert len(lengths) - bisect_right(lengths, length - 1) >= each["count"] * (100 - percent) / 100
        inner = each["groups"]
        counts = Counter(FIELDS["status"](row) for row in inside)
        for one in inner["top"]:
            assert one["count"] <= counts[one["name"]] <= one["count"] + one["too_low_by"]
        names = {one["name"] for one in inner["top"]}
        assert all(count <= inner["too_low_by"] for name, count in counts.items() if name not in names)


def test_the_table() -> None:
    text = "".join(
        f'{host} [28/Nov/2026:10:00:00 +0000] "GET /{number}?t=\x1b HTTP/1.1" {status} {number * 1000} 0.5\n'
        for number, (host, status) in enumerate([("a", 200), ("a", 200), ("b", 404), ("a", "-")])
    )
    out = run("stats", *LOG, "--by", "status,hostname", "--percentiles", "bytes", stdin=text).out
    assert (
        out
        == """\
           4  URLs
           0  invalid

status: 3 different
                      length 50 %  length 90 %  length 99 %  bytes 50 %  bytes 90 %  bytes 99 %
           2  50.0%           13           13           13           0       1,000       1,000  200
           1  25.0%           13           13           13       2,000       2,000       2,000  404
           1  25.0%           13           13           13       2,976       2,976       2,976  (none)

hostname where status is 200: 1 different
                      length 50 %  length 90 %  length 99 %  bytes 50 %  bytes 90 %  bytes 99 %
           2 100.0%           13           13           13           0       1,000       1,000  a

hostname where status is 404: 1 different
                      length 50 %  length 90 %  length 99 %  bytes 50 %  bytes 90 %  bytes 99 %
           1 100.0%           13           13           13       2,000       2,000       2,000  b

hostname where status is (none): 1 different
                      length 50 %  length 90 %  length 99 %  bytes 50 %  bytes 90 %  bytes 99 %
           1 100.0%           13           13           13       2,976       2,976       2,976  a

lengths, in characters
          13  the shortest
        13.0  the mean
          13  the median: half of the URLs are not longer
          13  90 % are not longer
          13  99 % are not longer
          13  the longest

bytes
       1,000  the median: half are not more
       2,976  90 % are not more
       2,976  99 % are not more
"""
    )


def test_routes_and_hosts(tmp_path: Path) -> None:
    (tmp_path / "routes").write_text("user\t/users/:id\nhome\t/\n")
    (tmp_path / "hosts").write_text("a.example\n")
    (tmp_path / "urls").write_text(
        "http://a.example/users/1\nhttp://a.example/\nhttp://a.example/x\nhttp://b.example/\nno\n\n"
    )
    options = ("--json", "--by", "route", "--routes", str(tmp_path / "routes"), "--base", "http://a.example")
    said = json.loads(run("stats", *options, "--hosts", str(tmp_path / "hosts"), str(tmp_path / "urls")).out)
    assert {each["name"]: each["count"] for each in said["groups"]["top"]} == {"user": 1, "home": 1, "(none)": 2}
    said = json.loads(run("stats", "--json", "--not-match", "http://*/users/*", str(tmp_path / "urls")).out)
    assert (said["urls"], said["invalid"], said["hosts"]["distinct"]) == (3, 1, 2)


def test_blank_rows_and_errors() -> None:
    """They are counted as without groups."""
    text = "\n \nhttp://h/\nno\nhttp://a b/\n\t\nhttp://h/x\n"
    for base in ((), ("--base", "http://h/d/")):
        plain = json.loads(run("stats", "--json", *base, stdin=text).out)
        grouped = json.loads(run("stats", "--json", "--by", "template,host_type", *base, stdin=text).out)
        filtered = json.loads(run("stats", "--json", "--match", "*://*/*", *base, stdin=text).out)
        assert {key: grouped[key] for key in ("urls", "invalid", "errors", "lengths")} == {
            key: plain[key] for key in ("urls", "invalid", "errors", "lengths")
        }
        assert filtered == plain
        assert grouped["groups"]["total"] == plain["urls"]


def test_credentials_are_hidden() -> None:
    for options in (["--json"], []):
        out = run("stats", "--by", "href,search", *options, stdin="http://user:hunter2@h/?http://me:hunter3@x\n").out
        assert "hunter" not in out


@pytest.mark.parametrize(
    "options",
    [
        ["--by", ""], ["--by", ","], ["--by", "host,path,scheme,port,hash"], ["--by", "nothing"], ["--by", "x}{y"],
        ["--by", "{hostname}"], ["--by", "must:query"], ["--by", "route"], ["--by", "group:id"], ["--routes", "x"],
        ["--match", "http://[/"],
        [*LOG, "--by", "agent"], [*LOG, "--by", "column:x"], [*LOG, "--percentiles", "x"], ["--by", "\x1b"],
    ],
)  # fmt: skip
def test_usage(options: list[str]) -> None:
    ended = run("stats", *options, stdin="")
    assert (ended.status, ended.out) == (2, "")
    assert "\x1b" not in ended.err


@pytest.mark.parametrize("name", ["95", "length", "p95"])
def test_which_percentiles_there_are_is_not_chosen(name: str) -> None:
    ended = run("stats", *LOG, "--percentiles", name, stdin="")
    assert ended.status == 2
    assert f"the lines of the log have no '{name}': they have " in ended.err
    assert "--percentiles takes columns of numbers: it prints 50 %, 90 % and 99 %, and always of lengths" in ended.err
    assert "--percentiles" not in run("stats", *LOG, "--by", "column:x", stdin="").err.partition("weburl:")[2]


def test_columns_that_are_not_there() -> None:
    ended = run("stats", "--by", "status", stdin="http://h/\n")
    assert (ended.status, "its lines have no columns" in ended.err) == (2, True)
    ended = run("stats", "--input", "csv", "--column", "url", "--percentiles", "n", stdin="url\nhttp://h/\n")
    assert (ended.status, "there is no column 'n'" in ended.err) == (1, True)


def zipf(seed: int, count: int) -> str:
    random = Random(seed)
    given = [
        "http://h{0}.example/{0}?a{0}=1",
        "no{}",
        "",
        " ",
        "http://h/" + "x" * 300 + "{}",
        "http://h/\u00e9{}",
        "http://a b{}/",
    ]
    rows = [random.choice(given).format(int(random.paretovariate(0.8))) for _ in range(count)]
    return "".join(f"{row}{random.choice(('', '', chr(13)))}\n" for row in rows)


@pytest.mark.sample(1)
@pytest.mark.parametrize("most", [1, 64, 1000])
@pytest.mark.parametrize("worth", [0.0, 1.2, 1e9])
def test_rows_that_are_joined_count_as_often_as_they_occur(
    most: int, worth: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "urls.txt"
    path.write_text(zipf(most, 60_000), newline="")
    options = ("stats", "--json", "--top", "5000", "--max-line", "290", str(path))
    wanted = run(*options)
    assert json.loads(wanted.out)["errors"]["total"] > 10_000
    monkeypatch.setattr(stats, "MOST_ROWS", most)
    monkeypatch.setattr(stats, "LEAST_BYTES", 4096)
    monkeypatch.setattr(stats, "WORTH", worth)
    monkeypatch.setattr(stats, "ALONE", 3)
    for more in (["--threads", "1"], ["--threads", "3"], ["--base", "ftp://h/"], ["--match", "http://*.example/*"]):
        with monkeypatch.context() as plain:
            plain.setattr(stats, "MOST_ROWS", 1 << 17)
            plain.setattr(stats, "LEAST_BYTES", 1 << 20)
            same = run(*options, *more)
        assert run(*options, *more) == same
        assert same == wanted or "--threads" not in more


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer takes memory of its own")
def test_the_peak_of_the_process(tmp_path: Path) -> None:
    """Groups that are all different, with numbers that are, too."""
    path = tmp_path / "urls.tsv"
    path.write_text("u\tn\n" + "".join(f"http://h{i}.{'x' * 50}/{i}\t{i**2}\n" for i in range(150_000)))
    arguments = ("stats", "--column", "u", "--by", "hostname,pathname,href", "--percentiles", "n", str(path))
    for memory, most in (("4M", 130), ("128M", 300)):
        status, peak = peak_of([*arguments, "--memory", memory])
        assert (status, peak < most << 20) == (0, True), peak >> 20
