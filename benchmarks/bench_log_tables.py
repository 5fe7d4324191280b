"""Writes an access log as a table of Parquet, without secrets and with templates: the command, and Polars.

`python benchmarks/bench_log_tables.py` writes a log of 10,000,000 lines in a temporary folder, and half of it. Each is
read by a process of its own. Polars reads the lines with a regular expression, and has weburl's native functions.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

import figures
from bench import describe_machine
from records import repeat

LINES = 10_000_000
MOST_GROWTH = 2.3  # of half the lines
MOST_MEMORY = 300  # MB
BLOCK = 500_000  # lines that differ; a larger log repeats them
HOST = "https://shop.example"
COLUMNS = ["time", "status", "redacted", "template"]
POLARS = f"""\
import sys
import polars as pl
import weburl.ext.polars

line = r'^\\S+ \\S+ \\S+ \\[([^\\]]+)\\] "\\S+ (\\S+) [^"]*" (\\d+)'
groups = pl.col("line").str.extract_groups(line).struct
url = ("{HOST}" + groups.field("2")).weburl
log = pl.scan_csv(
    sys.argv[1], has_header=False, separator="\\x01", quote_char=None, schema={{"line": pl.String}}
)
log.select(
    time=groups.field("1").str.to_datetime("%d/%b/%Y:%H:%M:%S %z", time_unit="us"),
    status=groups.field("3").cast(pl.Int64),
    redacted=url.redact(),
    template=url.path_template(),
).sink_parquet(sys.argv[2], compression="zstd", compression_level=3)
"""
# What the system says of a process that has ended: the most memory that it had, and the time of processors.
MEASURED = "import resource, sys, subprocess; ended = subprocess.run(sys.argv[1:], capture_output=True, text=True); \
used = resource.getrusage(resource.RUSAGE_CHILDREN); \
print(used.ru_maxrss, used.ru_utime + used.ru_stime); sys.exit(ended.returncode and ended.stderr)"


def write_log(path: Path, lines: int) -> None:
    draw = random.Random(44)
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(3, 10))) for _ in range(2000)]
    block = []
    for number in range(min(BLOCK, lines)):
        target = draw.choice(
            (
                f"/products/{draw.choice(words)}/{number}",
                f"/users/{draw.randrange(100_000)}/orders?page={number % 90}",
                f"/search?q={draw.choice(words)}+{draw.choice(words)}&session={draw.getrandbits(128):032x}",
                f"/reset?token={draw.getrandbits(160):040x}",
                f"/static/{draw.choice(words)}.{draw.getrandbits(32):08x}.js",
            )
        )
        moment = f"{number // 25_000 + 1:02}/Nov/2026:{number % 24:02}:{number % 60:02}:{number % 59:02} +0100"
        size = draw.randrange(100_000)
        block.append(
            f'203.0.113.{number % 256} - - [{moment}] "GET {target} HTTP/1.1" {draw.choice((200, 200, 304, 404, 503))} '
            f'{size} "{HOST}/{draw.choice(words)}" "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0"\n'
        )
    with path.open("w", encoding="ascii", newline="\n") as file:
        repeat(file, block, lines)


def measured(command: list[str]) -> tuple[float, float, float]:
    """The seconds that a command takes, those of processors, and its most MB of memory."""
    begin = perf_counter()
    ended = subprocess.run([sys.executable, "-c", MEASURED, *command], check=True, capture_output=True, text=True)
    seconds = perf_counter() - begin
    most, processors = map(float, ended.stdout.split())
    # The unit is a byte on macOS.
    return seconds, processors, most / (1e6 if sys.platform == "darwin" else 1e6 / 1024)


def compare(ours: Path, theirs: Path, lines: int) -> None:
    """Both files have the same rows, in the same order."""
    from pyarrow import parquet

    files = [parquet.ParquetFile(path) for path in (ours, theirs)]
    assert all(file.metadata.num_rows == lines for file in files)
    kinds = [field.type for field in files[0].schema_arrow]
    batches = (file.iter_batches(1 << 16, columns=COLUMNS) for file in files)
    for pair in zip(*batches, strict=True):
        for column, other, kind in zip(pair[0].columns, pair[1].columns, kinds, strict=True):
            assert column == other.cast(kind)


def bench(lines: int) -> list[dict[str, Any]]:
    """The figures of each run."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        logs = {lines // 2: folder / "half.log", lines: folder / "whole.log"}
        write_log(logs[lines], lines)
        with logs[lines].open("rb") as whole, logs[lines // 2].open("wb") as half:
            half.writelines(islice(whole, lines // 2))
        format = " ".join(f"{{{column}}}" for column in COLUMNS)
        options = ["--log", "combined", "--base", HOST, "-g", format, "--compression", "zstd:3"]
        out = {name: folder / f"{name}.parquet" for name in ("weburl", "Polars")}
        print(f"{describe_machine()}; {lines:,} lines, {logs[lines].stat().st_size / 1e6:,.0f} MB\n")
        for name, path in out.items():
            for count, log in logs.items():
                command = [sys.executable, "-m", "weburl", "-f", str(log), "--parquet", str(path), *options]
                if name != "weburl":
                    command = [sys.executable, "-c", POLARS, str(log), str(path)]
                seconds, processors, most = measured(command)
                rows.append({
                    "program": name, "lines": count, "seconds": seconds, "cpu": processors, "most": most,
                    "size": path.stat().st_size / 1e6,
                })  # fmt: skip
        compare(out["weburl"], out["Polars"], lines)
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lines", type=int, nargs="?", help=f"lines of the log (default: {LINES:,})")
    parser.add_argument("--short", action="store_true", help="a smoke run: 100,000 lines")
    parser.add_argument("--require-peers", action="store_true", help="fail when pyarrow or Polars is missing")
    arguments = figures.parsed(parser, "log tables", lambda arguments: arguments.lines in (None, LINES))
    for name in ("pyarrow", "polars"):
        if find_spec(name) is None:
            print(f"MISSING PEER {name}: pip install {name}")
            return int(arguments.require_peers)
    rows = bench(arguments.lines or (100_000 if arguments.short else LINES))
    print("| | lines | s | CPU s | lines/s | most MB | MB written |\n|---|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        speed = f"{row['seconds']:.1f} | {row['cpu']:.1f} | {row['lines'] / row['seconds']:,.0f}"
        print(f"| {row['program']} | {row['lines']:,} | {speed} | {row['most']:.0f} | {row['size']:.0f} |")
    growth, most = rows[1]["cpu"] / rows[0]["cpu"], max(row["most"] for row in rows[:2])
    is_right = growth <= MOST_GROWTH and most <= MOST_MEMORY
    print(f"\ntwice the lines take {growth:.2f} x the CPU time, at most {MOST_GROWTH}")
    print(f"weburl has at most {most:.0f} MB of memory, at most {MOST_MEMORY}: {'OK' if is_right else 'MISS'}")
    if arguments.json:
        versions = {name: version(name) for name in ("polars", "pyarrow", "weburl")}
        figures.add(arguments.json, "log tables", {"machine": describe_machine(), "versions": versions, "rows": rows})
    return 0


if __name__ == "__main__":
    sys.exit(main())
