"""Writes an access log as a table of Parquet, without secrets and with templates: the command, and Polars.

`python benchmarks/bench_log_tables.py` writes a log of 10,000,000 lines in a temporary folder, and half of it. Each is
read by a process of its own. Polars reads the lines with a regular expression, and has weburl's native functions.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from time import perf_counter

from pyarrow import parquet
from records import repeat

LINES = 10_000_000
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


def bench(lines: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        logs = {lines // 2: folder / "half.log", lines: folder / "whole.log"}
        write_log(logs[lines], lines)
        with logs[lines].open("rb") as whole, logs[lines // 2].open("wb") as half:
            half.writelines(islice(whole, lines // 2))
        format = " ".join(f"{{{column}}}" for column in COLUMNS)
        options = ["--log", "combined", "--base", HOST, "-g", format, "--compression", "zstd:3"]
        out = {name: folder / f"{name.partition(' ')[0]}.parquet" for name in ("weburl", f"Polars {version('polars')}")}
        print(f"{lines:,} lines, {logs[lines].stat().st_size / 1e6:,.0f} MB\n")
        print("| | lines | s | CPU s | lines/s | most MB | MB written |\n|---|---:|---:|---:|---:|---:|---:|")
        for name, path in out.items():
            processors = {}
            for count, log in logs.items():
                command = [sys.executable, "-m", "weburl", "-f", str(log), "--parquet", str(path), *options]
                if name != "weburl":
                    command = [sys.executable, "-c", POLARS, str(log), str(path)]
                seconds, processors[count], most = measured(command)
                size = path.stat().st_size / 1e6
                speed = f"{seconds:.1f} | {processors[count]:.1f} | {count / seconds:,.0f}"
                print(f"| {name} | {count:,} | {speed} | {most:.0f} | {size:.0f} |", flush=True)
            print(f"| | | | x {processors[lines] / processors[lines // 2]:.2f} | | | |")
        files = [parquet.ParquetFile(path) for path in out.values()]
        assert all(file.metadata.num_rows == lines for file in files)
        # The same rows, in the same order.
        batches = [file.iter_batches(1 << 16, columns=COLUMNS) for file in files]
        kinds = [field.type for field in files[0].schema_arrow]
        for ours, theirs in zip(*batches, strict=True):
            for ours_column, theirs_column, kind in zip(ours.columns, theirs.columns, kinds, strict=True):
                assert ours_column == theirs_column.cast(kind)


if __name__ == "__main__":
    bench(int(sys.argv[1]) if len(sys.argv) > 1 else LINES)
