"""The page of Dask, and that partitions give what the scalar API gives."""

from __future__ import annotations

from typing import Any

import dask.dataframe as dd
import pandas as pd
from rows import ROWS, SCALAR, scalar
from support.pages import DOCS, run_examples

import weburl.ext.pandas  # noqa: F401


def test_the_page() -> None:
    assert run_examples(DOCS / "engines/dask.md") == 1


def test_partitions() -> None:
    def work(part: pd.DataFrame) -> pd.DataFrame:
        urls = part["url"].weburl
        return part.assign(
            host=urls.hostname(threads=1), key=urls.fingerprint(threads=1), ok=urls.is_private(threads=1)
        )

    frame = dd.from_pandas(pd.DataFrame({"url": pd.Series(ROWS, dtype="str")}), npartitions=7)
    found: Any = frame.map_partitions(work)
    types = found.dtypes.to_dict()
    result = found.compute()
    assert result.dtypes.to_dict() == types
    assert (types["key"], types["ok"]) == ("UInt64", "boolean")
    rows = {name: [None if pd.isna(value) else value for value in result[name]] for name in ("host", "key", "ok")}
    assert rows == {
        "host": scalar(SCALAR["hostname"]),
        "key": scalar(SCALAR["fingerprint"]),
        "ok": scalar(SCALAR["is_private"]),
    }
