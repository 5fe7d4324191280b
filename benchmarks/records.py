"""Records for the benchmarks of the command: CSV and JSON Lines, and programs that only read their column."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import IO, Final

MOST: Final = 2.0  # times of the reader alone
# Who is compared: the command, and a reader that does nothing with the URLs.
PAIRS: Final = {
    "CSV": (("weburl, 1 thread", "pyarrow.csv, 1"), ("weburl, 2 threads", "pyarrow.csv, 2")),
    "JSON": (
        ("weburl, 1 thread", "pyarrow.json, 1"), ("weburl, 2 threads", "pyarrow.json, 2"),
        ("weburl, 1 thread", "orjson, a loop"),
    ),
}  # fmt: skip
BLOCK: Final = 480_000  # records that differ; larger files repeat them
ARROW_CSV = """\
import sys
from pyarrow import csv
read = csv.ReadOptions(use_threads={})
for batch in csv.open_csv(sys.argv[1], read, convert_options=csv.ConvertOptions(include_columns=["url"])):
    pass
"""
ARROW_JSON = """\
import sys, pyarrow
from pyarrow import json
read = json.ReadOptions(use_threads={})
parse = json.ParseOptions(pyarrow.schema([("url", pyarrow.string())]), unexpected_field_behavior="ignore")
for batch in json.open_json(sys.argv[1], read, parse):
    pass
"""
ORJSON = """\
import sys, orjson
with open(sys.argv[1], "rb") as file:
    for line in file:
        orjson.loads(line)["url"]
"""
ARROW_PARQUET = """\
import sys
from pyarrow import csv, parquet
read = csv.open_csv(sys.argv[1], convert_options=csv.ConvertOptions(include_columns=["url"]))
with parquet.ParquetWriter(sys.argv[2], read.schema) as file:
    for batch in read:
        file.write_batch(batch)
"""


def repeat(file: IO[str], block: Sequence[str], count: int) -> None:
    while count > 0:
        file.writelines(block[:count])
        count -= len(block)


def write_records(links: Path, table: Path, objects: Path, count: int) -> None:
    """So many records, of the links of a file."""
    rows: list[str] = []
    texts: list[str] = []
    row = io.StringIO()
    writer = csv.writer(row, lineterminator="\n")
    with links.open(encoding="utf-8") as lines:
        for number, line in enumerate(islice(lines, min(count, BLOCK))):
            record = {"id": number, "time": "2026-11-22T10:00:00Z", "url": line[:-1], "status": 200}
            writer.writerow(record.values())
            rows.append(row.getvalue())
            row.seek(0)
            row.truncate()
            texts.append(json.dumps(record) + "\n")
    with table.open("w", encoding="utf-8", newline="") as file:
        file.write("id,time,url,status\n")
        repeat(file, rows, count)
    with objects.open("w", encoding="utf-8", newline="\n") as file:
        repeat(file, texts, count)


def contenders(kind: str, path: Path | str) -> dict[str, list[str]]:
    """Of CSV or JSON: the command, and readers in Python."""
    found = {}
    weburl = [sys.executable, "-m", "weburl", "-g", "{hostname}", "-f", str(path)]
    column, keep = (["--column", "url"], "--csv") if kind == "CSV" else (["--field", "url"], "--json")
    for threads in (2, 1):
        name = f"weburl, {threads} thread{'s' * (threads > 1)}"
        found[name] = [*weburl, *column, "--threads", str(threads)]
        found[f"{name}, --keep"] = [*weburl, *column, keep, "--keep", "--threads", str(threads)]
    if find_spec("pyarrow"):
        script = ARROW_CSV if kind == "CSV" else ARROW_JSON
        for threads in (2, 1):
            name = f"pyarrow.{kind.lower()}, {threads}"
            found[name] = [sys.executable, "-c", script.format(threads > 1), str(path)]
    else:
        print("MISSING PEER pyarrow: pip install pyarrow")
    if kind == "JSON":
        if find_spec("orjson"):
            found["orjson, a loop"] = [sys.executable, "-c", ORJSON, str(path)]
        else:
            print("MISSING PEER orjson: pip install orjson")
    return found


def programs(kind: str, path: Path | str) -> dict[str, list[str]]:
    """Programs that print the column."""
    if kind == "CSV":
        return {"mlr": ["mlr", "--icsv", "--onidx", "cut", "-f", "url", str(path)]}
    return {
        "mlr": ["mlr", "--ijsonl", "--onidx", "cut", "-f", "url", str(path)], "jq": ["jq", "-r", ".url", str(path)]
    }  # fmt: skip
