"""`weburl -g '{hostname}'` on CSV and JSON Lines, next to what pyarrow and orjson take to read the column alone.

Each run is a process of its own, from its start to its end, that reads a file and writes nowhere; the best of the
rounds, in which the contenders take turns. Processor time is the one that counts where a machine has other work.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import cli

MOST, LARGEST = 2.0, 250e6  # times of the reader alone, bytes of memory
# Who is compared: the command, and a reader that does nothing with the URLs.
PAIRS = (
    ("CSV, 1", "pyarrow.csv, 1"), ("CSV, 2", "pyarrow.csv, 2"), ("JSON, 1", "pyarrow.json, 1"),
    ("JSON, 2", "pyarrow.json, 2"), ("JSON, 1", "orjson, a loop"),
)  # fmt: skip
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=10**7, metavar="N", help="as many, instead of 10^7")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        links, table, objects = (Path(folder, name) for name in ("links", "links.csv", "links.jsonl"))
        cli.write_lines(links, options.lines)
        write_records(links, table, objects)
        print(
            f"CPython {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores; "
            f"{options.lines:,} records, CSV of {table.stat().st_size >> 20} MiB, JSON Lines of "
            f"{objects.stat().st_size >> 20} MiB; best of {options.rounds} rounds; "
            f"load average {os.getloadavg()[0]:.1f}"
        )
        spent = cli.measure(contenders(table, objects), links, options.rounds)
    cli.print_table(spent, options.lines)
    return 0 if holds(spent) else 1


def write_records(links: Path, table: Path, objects: Path) -> None:
    with (
        links.open(encoding="utf-8") as lines,
        table.open("w", encoding="utf-8", newline="") as rows,
        objects.open("w", encoding="utf-8", newline="\n") as texts,
    ):
        writer = csv.writer(rows, lineterminator="\n")
        writer.writerow(["id", "time", "url", "status"])
        for number, line in enumerate(lines):
            record = {"id": number, "time": "2026-11-22T10:00:00Z", "url": line[:-1], "status": 200}
            writer.writerow(record.values())
            texts.write(json.dumps(record) + "\n")


def contenders(table: Path, objects: Path) -> dict[str, list[str]]:
    found = {}
    weburl = [sys.executable, "-m", "weburl", "-g", "{hostname}", "-f"]
    for threads in (1, 2):
        use = ["--threads", str(threads)]
        found[f"CSV, {threads}"] = [*weburl, str(table), "--column", "url", *use]
        found[f"CSV, --keep, {threads}"] = [*weburl, str(table), "--column", "url", "--csv", "--keep", *use]
        found[f"JSON, {threads}"] = [*weburl, str(objects), "--field", "url", *use]
        found[f"JSON, --keep, {threads}"] = [*weburl, str(objects), "--field", "url", "--json", "--keep", *use]
    try:
        import pyarrow  # noqa: F401

        for threads in (1, 2):
            found[f"pyarrow.csv, {threads}"] = [sys.executable, "-c", ARROW_CSV.format(threads > 1), str(table)]
            found[f"pyarrow.json, {threads}"] = [sys.executable, "-c", ARROW_JSON.format(threads > 1), str(objects)]
        found["CSV to Parquet, 2"] = [*weburl, str(table), "--column", "url", "--parquet", os.devnull]
    except ImportError:
        print("MISSING PEER pyarrow: pip install pyarrow")
    try:
        import orjson  # noqa: F401

        found["orjson, a loop"] = [sys.executable, "-c", ORJSON, str(objects)]
    except ImportError:
        print("MISSING PEER orjson: pip install orjson")
    for program, arguments in {
        "mlr": ["--icsv", "--ojson", "cut", "-f", "url", str(table)], "jq": ["-r", ".url", str(objects)]
    }.items():  # fmt: skip
        if shutil.which(program):
            found[program] = [program, *arguments]
        else:
            print(f"MISSING PEER {program}: it is not on PATH")
    return found


def holds(spent: dict[str, cli.Spent]) -> bool:
    results = {}
    for ours, other in PAIRS:
        if other in spent:
            ratio = spent[ours].processor / spent[other].processor
            results[f"{ours}: {ratio:.2f} times the processor time of {other} (at most {MOST})"] = ratio <= MOST
    for name, each in spent.items():
        if name.startswith(("CSV", "JSON")):
            results[f"{name}: {each.memory / 1e6:.0f} MB of memory (less than {LARGEST / 1e6:.0f})"] = (
                each.memory < LARGEST
            )
    print()
    for text, held in results.items():
        print(f"{'ok' if held else 'MISS':4} {text}")
    return all(results.values())


if __name__ == "__main__":
    sys.exit(main())
