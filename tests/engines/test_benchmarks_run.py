"""The works of benchmarks/engines.py run: they name functions of the engines' modules."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from engine_work import ENGINES, SCAN


@pytest.mark.parametrize("engine", ["bulk", "polars", "duckdb", "pandas"])
def test_each_work_runs(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "urls.parquet"
    pq.write_table(pa.table({"url": ["https://example.com/?q=1", "no URL"]}), path)
    cores = pl.thread_pool_size()
    works = list(ENGINES[engine][0](cores))
    assert {SCAN, "host", "six parts"} <= {name for name, _ in works}
    for _, run in works:
        run([str(path)])
