"""--status, --since and --until, and stats --by and --percentiles, for Parquet and Arrow."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import feather, parquet
from support.command import run

BEGIN = datetime(2026, 11, 28, 23, tzinfo=UTC)
COUNT = 40_000
TIMES = {
    "text": pa.string(),
    "utc": pa.timestamp("us", "UTC"),
    "no zone": pa.timestamp("ms"),
    "zone": pa.timestamp("ns", "+05:30"),
}


def rows_of(seed: int) -> list[tuple[str, int | None, datetime]]:
    random = Random(seed)
    statuses = (200, 404, 500, None)
    seconds = [random.randrange(7200) for _ in range(COUNT)]
    return [(f"http://h/{n}", random.choice(statuses), BEGIN + timedelta(seconds=at)) for n, at in enumerate(seconds)]


def table_of(rows: list[tuple[str, int | None, datetime]], kind: str, status: Any) -> pa.Table:
    urls, statuses, times = zip(*rows, strict=True)
    kept = [time.isoformat() for time in times] if kind == "text" else times
    if kind == "no zone":
        kept = [time.replace(tzinfo=None) for time in times]
    texts = [None if each is None else str(each) for each in statuses]
    codes = pa.array(texts).dictionary_encode() if status == "dictionary" else pa.array(statuses, status)
    return pa.table({"url": pa.array(urls), "status": codes, "time": pa.array(kept, TIMES[kind])})


@pytest.mark.parametrize("status", [pa.int64(), pa.uint16(), "dictionary"], ids=str)
@pytest.mark.parametrize("kind", TIMES)
def test_columns_of_any_type(kind: str, status: Any, tmp_path: Path) -> None:
    rows = rows_of(len(kind))
    table = table_of(rows, kind, status)
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=7000)
    feather.write_feather(table, str(tmp_path / "a.arrow"), chunksize=9000)
    since = BEGIN + timedelta(minutes=30)
    wanted = [(url, status) for url, status, time in rows if status in (404, 500) and time >= since]
    for name in ("a.parquet", "a.arrow"):
        options = ("--column", "url", "--status", "404,5xx", "--since", since.isoformat(), "-f", str(tmp_path / name))
        if kind == "no zone":
            # What its clocks show.
            options = (*options[:5], since.replace(tzinfo=None).isoformat(), *options[6:])
        assert run(*options).lines == [url for url, _ in wanted]
        lines = run("-g", "{href}", "--json", "--keep=status", *options).lines
        assert [(row["href"], int(row["status"])) for row in map(json.loads, lines)] == wanted
        out = tmp_path / "out.parquet"
        assert run("-g", "{href}", "--parquet", str(out), "--keep", *options).status == 0
        written = parquet.read_table(out)
        assert written.column("href").to_pylist() == [url for url, _ in wanted]
        assert {"status", "time"} <= set(written.column_names)
        assert [int(each) for each in written.column("status").to_pylist()] == [status for _, status in wanted]


def test_groups(tmp_path: Path) -> None:
    rows = rows_of(9)
    parquet.write_table(table_of(rows, "utc", pa.int64()), tmp_path / "a.parquet")
    options = ("--column", "url", "--by", "hour,status", "--percentiles", "status", "--json")
    said = json.loads(run("stats", *options, str(tmp_path / "a.parquet")).out)
    for hour in said["groups"]["top"]:
        inside = [status for _, status, time in rows if time.isoformat()[:13] == hour["name"]]
        assert hour["count"] == len(inside)
        found = {each["name"]: each["count"] for each in hour["groups"]["top"]}
        assert found == {name and str(name): inside.count(name) for name in set(inside)}
    assert said["percentiles"]["status"] == {"p50": 404, "p90": 500, "p99": 500}


def test_a_time_that_is_none(tmp_path: Path) -> None:
    table = pa.table({"url": ["http://h/"], "time": pa.array([[1]]), "status": pa.array([{"a": 1}])})
    parquet.write_table(table, tmp_path / "a.parquet")
    for option in (("--since", "1d"), ("--status", "200")):
        ended = run("--column", "url", *option, "-f", str(tmp_path / "a.parquet"))
        assert (ended.status, "that can be read" in ended.err) == (1, True)
