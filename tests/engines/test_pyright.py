"""What pyright and editors see of `weburl.bulk` and of each engine: types, and the words that they show."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any

import pytest
import verb_pages
from support import everything

import weburl

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = ROOT / "build" / "axe" / "node_modules" / ".bin" / "pyright"
PYRIGHT = shutil.which("pyright") or (str(INSTALLED) if INSTALLED.exists() else None)
pytestmark = pytest.mark.skipif(PYRIGHT is None, reason="pyright is not installed")

# A right program, with the types that it reveals, and lines with errors.
PROGRAMS: dict[str, tuple[str, list[str], list[str]]] = {
    "bulk": (
        """
        from weburl import bulk
        from weburl.hosts import HostSet
        urls = ["http://h/"]
        reveal_type(bulk.parse_many(urls, ["hostname"], views=True, threads=1))
        reveal_type(bulk.parse_many(urls)["hostname"].to_pylist())
        reveal_type(bulk.canonicalize_many(urls, "surt", on_error="raise").errors)
        reveal_type(bulk.host_in_many(urls, HostSet(["h"]), schemes=None))
        reveal_type(bulk.route_many(urls, {"a": "*://*"}))
        """,
        ["Table", "list[Any]", "dict[str, int]", "Column", "Table"],
        [
            "bulk.query_get_many(urls, 5)", "bulk.query_get_many(urls)", "bulk.parse_many(urls, on_error='no')",
            "bulk.nothing_many(urls)", "bulk.percent_decode_many(urls, 'lax')",
        ],
    ),
    "polars": (
        """
        import polars as pl
        from weburl.ext.polars import WebURL
        url: WebURL[pl.Expr] = WebURL(pl.col("u"))
        reveal_type(url.hostname())
        reveal_type(url.param("q", base="http://h/"))
        reveal_type(WebURL(pl.Series(["http://h/"])).parse(["hostname"]))
        """,
        ["Expr", "Expr", "Series"],
        ["url.param()", "url.canonicalize(5)", "url.percent_decode('lax')", "url.nothing()"],
    ),
    "pandas": (
        """
        import pandas as pd
        from weburl.ext.pandas import WebURL
        url = WebURL(pd.Series(["http://h/"]))
        reveal_type(url.parse(threads=1))
        reveal_type(url.query(["a"]))
        """,
        ["DataFrame", "DataFrame"],
        ["url.param(5)", "url.param()", "url.nothing()"],
    ),
    "pyarrow": (
        """
        import pyarrow as pa
        from weburl.ext.pyarrow import register, url_hostname, url_param
        urls = pa.array(["http://h/"])
        url_param(urls, "q", base="http://h/", threads=1)
        reveal_type(register())
        """,
        ["None"],
        ["url_param(urls)", "url_param(urls, 5)", "url_hostname()"],
    ),
    "pyspark": (
        """
        from weburl.ext.pyspark import url_hostname, url_param, url_route
        reveal_type(url_hostname("u"))
        reveal_type(url_param(url_hostname("u"), "q"))
        reveal_type(url_route("u", {"a": "*://*"}))
        """,
        ["Column", "Column", "Column"],
        ["url_param('u')", "url_param('u', 5)", "url_hostname(5)", "url_route('u', 5)"],
    ),
    "daft": (
        """
        import daft
        from weburl.ext.daft import register, url_hostname, url_query
        reveal_type(url_hostname(daft.col("u")))
        reveal_type(url_query(daft.col("u"), ["a"]))
        reveal_type(register(fields=["hostname"]))
        """,
        ["Expression", "Expression", "None"],
        ["url_query(daft.col('u'))", "url_query(daft.col('u'), 5)", "url_hostname('u')"],
    ),
    "ray": (
        """
        from ray.data.expressions import col
        from weburl.ext.ray import url_hostname, url_param
        reveal_type(url_hostname(col("u")))
        reveal_type(url_param(col("u"), "q"))
        """,
        ["Expr", "Expr"],
        ["url_param(col('u'))", "url_param(col('u'), 5)", "url_hostname('u')"],
    ),
    "sqlite": (
        """
        import sqlite3
        from weburl.ext.sqlite import register
        reveal_type(register(sqlite3.connect(":memory:"), ["hostname"], bits=64))
        """,
        ["None"],
        ["register()", "register(sqlite3.connect(':memory:'), bits='64')"],
    ),
    "duckdb": (
        """
        import duckdb
        from weburl.ext.duckdb import register
        reveal_type(register(duckdb.connect(), native=False))
        """,
        ["Literal['native', 'arrow']"],
        ["register(native='no')", "register(nothing=1)"],
    ),
}  # fmt: skip


def check(program: Path) -> list[dict[str, Any]]:
    command = [str(PYRIGHT), "--pythonpath", sys.executable, "--outputjson", str(program)]
    done = subprocess.run(command, cwd=program.parent, capture_output=True, text=True, check=False)
    found: list[dict[str, Any]] = json.loads(done.stdout)["generalDiagnostics"]
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_a_type_checker_sees(name: str, tmp_path: Path) -> None:
    right, types, wrong = PROGRAMS[name]
    lines = [line.strip() for line in right.strip().splitlines()]
    program = tmp_path / "program.py"
    program.write_text("\n".join([*lines, *wrong]) + "\n")
    said = check(program)
    revealed = [
        each["message"].partition('" is "')[2].rstrip('"') for each in said if each["severity"] == "information"
    ]
    assert revealed == types
    failed = {each["range"]["start"]["line"] for each in said if each["severity"] == "error"}
    assert failed == {*range(len(lines), len(lines) + len(wrong))}


@pytest.mark.parametrize(
    "path", [path for path in verb_pages.files() if path.suffix == ".pyi"], ids=lambda path: path.stem
)
def test_the_words_are_in_what_editors_read(path: Path) -> None:
    """Editors show the docstrings of a stub."""
    functions = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)]
    assert len(functions) > (0 if path.stem in ("duckdb", "sqlite") else 15)
    assert {node.name for node in functions if not ast.get_docstring(node)} <= {"__init__"}


def test_all_public_types_are_known(tmp_path: Path) -> None:
    """Of what is installed, as by `pip install`: pyright finds the package by the `python` of the path."""
    environment = tmp_path / "environment"
    venv.create(environment, symlinks=True)
    paths = {"base": str(environment), "platbase": str(environment)}
    packages = Path(sysconfig.get_path("purelib", "venv", vars=paths))
    (packages / "weburl").symlink_to(Path(str(weburl.__file__)).parent)
    (packages / "others.pth").write_text("\n".join(path for path in sys.path if path.endswith("-packages")))
    scripts = sysconfig.get_path("scripts", "venv", vars=paths)
    command = [str(PYRIGHT), "--verifytypes", "weburl", "--ignoreexternal", "--outputjson"]
    path = os.pathsep.join([scripts, os.environ["PATH"]])
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    report = json.loads(done.stdout)["typeCompleteness"]
    wrong = [symbol["name"] for symbol in report["symbols"] if not symbol["isTypeKnown"] and symbol["isExported"]]
    assert wrong == []
    assert report["exportedSymbolCounts"]["withKnownType"] > 1500
    assert report["completenessScore"] == 1


def test_strictly_checked_a_program_that_uses_everything(tmp_path: Path) -> None:
    text = Path(str(everything.__file__)).read_text("utf-8")
    assert text.startswith("# pyright: strict\n")
    program = tmp_path / "program.py"
    program.write_text(text, "utf-8")
    assert check(program) == []


def test_a_url_is_not_a_key(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "from weburl import URL, FrozenURL, URLSearchParams\n"
        "keys = {FrozenURL('https://example.com/'): 1}\n"
        "wrong = {URL('https://example.com/'): 1}\n"
        "other = {URLSearchParams('a=1')}\n"
    )
    said = [(each["rule"], each["range"]["start"]["line"]) for each in check(program)]
    assert said == [("reportUnhashable", 2), ("reportUnhashable", 3)]
