"""The page of DataFusion and chDB, and that DataFusion's functions give what the scalar API gives."""

from __future__ import annotations

import pyarrow as pa
from datafusion import SessionContext, udf
from rows import ROWS, SCALAR, scalar
from support.pages import DOCS, run_examples

from weburl.ext import pyarrow as web

TEXT = pa.string_view()
TYPES = {"hostname": pa.large_string(), "fingerprint": pa.uint64(), "is_private": pa.bool_()}


def test_the_page() -> None:
    assert run_examples(DOCS / "engines/datafusion.md") == 3


def test_functions() -> None:
    context = SessionContext()
    context.from_arrow(pa.table({"url": pa.array(ROWS, TEXT), "n": range(len(ROWS))}), name="rows")
    for name, result in TYPES.items():
        context.register_udf(udf(getattr(web, f"url_{name}"), [TEXT], result, "immutable", name=name))
    calls = ", ".join(f"{name}(url) as {name}" for name in TYPES)
    found = context.sql(f"select {calls} from rows order by n").to_pydict()
    assert found == {name: scalar(SCALAR[name]) for name in TYPES}
