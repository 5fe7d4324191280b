"""The page of DataFusion and chDB, and that DataFusion's functions give what the scalar API gives."""

from __future__ import annotations

import subprocess
import sys

import pyarrow as pa
from datafusion import SessionContext, udf
from rows import ROWS, SCALAR, scalar
from support.pages import DOCS

from weburl.ext import pyarrow as web

TEXT = pa.string_view()
TYPES = {"host": pa.large_string(), "fingerprint": pa.uint64(), "is_private": pa.bool_()}

# chDB brings a whole database into its process.
PAGE = """
import sys
from pathlib import Path
from support.pages import run_examples
print(run_examples(Path(sys.argv[1])))
"""


def test_the_page() -> None:
    command = [sys.executable, "-c", PAGE, str(DOCS / "engines/datafusion.md")]
    environment = {"PYTHONPATH": str(DOCS.parent / "tests")}
    assert subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout == "3\n"


def test_functions() -> None:
    context = SessionContext()
    context.from_arrow(pa.table({"url": pa.array(ROWS, TEXT), "n": range(len(ROWS))}), name="rows")
    for name, result in TYPES.items():
        context.register_udf(udf(getattr(web, f"url_{name}"), [TEXT], result, "immutable", name=name))
    calls = ", ".join(f"{name}(url) as {name}" for name in TYPES)
    found = context.sql(f"select {calls} from rows order by n").to_pydict()
    assert found == {name: scalar(SCALAR[name]) for name in TYPES}
