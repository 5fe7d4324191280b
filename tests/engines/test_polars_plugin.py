"""The native plugin: called by other programs, by threads, and by plans from elsewhere."""

from __future__ import annotations

import io
import os
import random
import resource
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.plugins import register_plugin_function
from rows import ROWS

import weburl.ext.polars
from weburl.ext import _polars

FRAME = pl.DataFrame({"url": ROWS})
COLUMN = pl.col("url")
URLS = weburl.ext.polars.WebURL(COLUMN)


def plugin(*columns: Any, **arguments: Any) -> Any:
    return register_plugin_function(
        plugin_path=_polars.__file__,
        function_name="run",
        args=columns or [COLUMN],
        kwargs=arguments,
        is_elementwise=True,
    )


# What a job may be, tests/test_polars_plans.py has.
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"job": "version=2&verb=nonsense"}, "ValueError: there is no function 'nonsense'"),
        ({"job": "version=3&verb=url_normalize"}, "ValueError: the job is from another version of weburl"),
        ({"job": "version=2&verb=url_normalize&base=no+base"}, "InvalidURL"),
        ({"job": "version=2&verb=url_normalize&base=http://user:secret@x:y/"}, "[*][*][*]"),
        ({"job": "version=2&verb=url_normalize&base=" + "x" * 5000}, "InvalidURL"),
        (
            {"job": "version=2&verb=url_fingerprint&policy=crawl/1&bits=4294967297"},
            "ValueError: bits must be an int from 1 to 64",
        ),
        ({}, "ValueError: these are not the arguments of a job"),
        ({"fields": ("href",)}, "ValueError: these are not the arguments of a job"),
        ({"job": os.system}, "ValueError: these are not the arguments of a job"),
        ({"job": "version=2&verb=url_normalize", "views": True}, "ValueError: these are not the arguments of a job"),
    ],
)
def test_foreign_jobs(arguments: dict[str, Any], message: str) -> None:
    lazy = FRAME.lazy().select(plugin(**arguments))
    with pytest.raises(pl.exceptions.ComputeError, match=message):
        lazy.collect_schema()
    with pytest.raises(pl.exceptions.ComputeError, match=message):
        lazy.collect()


@pytest.mark.parametrize("count", [2, 3])
def test_foreign_columns(count: int) -> None:
    lazy = FRAME.lazy().select(plugin(*[COLUMN] * count, job="version=2&verb=url_normalize&base=http://h/"))
    message = rf"ValueError: a job has one column or two(, and two without a base)?, not {count}"
    with pytest.raises(pl.exceptions.ComputeError, match=message):
        lazy.collect_schema()
    with pytest.raises(pl.exceptions.ComputeError, match=message):
        lazy.collect()


def test_damaged_plans(plan: Path) -> None:
    """The job's text is changed inside a plan that Polars still accepts."""
    whole = plan.read_bytes()
    at = whole.index(b"version=2&verb=url_hostname")
    source = random.Random(13)
    failed = 0
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(source.choice((1, 1, 3))):
            data[source.randrange(at, at + 24)] = source.randrange(128)
        try:
            pl.LazyFrame.deserialize(io.BytesIO(data)).collect()
        except pl.exceptions.ComputeError as error:
            failed += "ValueError" in str(error)
    assert failed > 250


def test_a_polars_that_refuses_plugins_of_this_version(monkeypatch: pytest.MonkeyPatch) -> None:
    is_native = weburl.ext.polars._is_native.__wrapped__  # type: ignore[attr-defined]
    assert is_native()

    def refuse(columns: object, job: object) -> Any:
        return pl.lit(0).map_batches(fail, return_dtype=pl.String)

    def fail(series: object) -> Any:
        raise pl.exceptions.ComputeError("this Polars engine doesn't support plugin version: 0-1")

    monkeypatch.setattr(weburl.ext.polars, "_plugin", refuse)
    assert not is_native()


def run(code: str, *arguments: object, **environment: str) -> str:
    process = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", textwrap.dedent(code), *map(str, arguments)],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        timeout=120,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan"
    path.write_bytes(FRAME.lazy().select(URLS.hostname().head(1)).serialize())
    return path


def test_a_plan_in_a_process_that_has_not_imported_weburl(plan: Path) -> None:
    code = """
        import sys, polars as pl
        plan = pl.LazyFrame.deserialize(sys.argv[1])
        assert "weburl" not in sys.modules
        print(plan.collect(engine="streaming").item())
        """
    assert run(code, plan) == "www.example.co.uk\n"


def test_a_plan_where_weburl_cannot_be_imported(plan: Path) -> None:
    code = """
        import sys, polars as pl
        sys.modules["weburl.ext._polars"] = None
        plan = pl.LazyFrame.deserialize(sys.argv[1])
        try:
            plan.collect()
        except pl.exceptions.ComputeError as error:
            print("weburl.ext._polars cannot be imported" in str(error))
        """
    assert run(code, plan) == "True\n"


def test_many_threads_under_dev_mode() -> None:
    """Threads of Polars release their memory, also while the interpreter ends."""
    code = """
        import sys, polars as pl, weburl.ext.polars
        texts = [f"https://h{i % 5000}.example.com/a/path/{i}?q=%41#f" for i in range(300_000)] + [None, "no URL", "http://ü/"]
        frame = pl.DataFrame({"url": texts})
        url = pl.col("url").weburl
        columns = {"host": url.hostname(), "q": url.param("q"), "pairs": url.params(), "ok": url.can_parse()}
        lazy = frame.lazy().select(url.parse(), **columns)
        assert pl.thread_pool_size() == 8
        for _ in range(3):
            found = lazy.collect(engine="streaming")
        print(found["host"].n_unique(), found["q"].null_count(), found["ok"].sum(), found["pairs"].null_count())
        """
    assert run(code, POLARS_MAX_THREADS="8") == "5002 3 300001 2\n"


def test_memory_is_given_back() -> None:
    frame = pl.DataFrame({"url": [f"http://h{i}.example.com/ä/{i}" for i in range(20_000)]})
    bad = plugin(job="version=2&verb=url_normalize&base=no+base")

    def work() -> None:
        frame.select(URLS.parse(), b=URLS.join(pl.lit("x")))
        with pytest.raises(pl.exceptions.ComputeError):
            frame.select(bad)

    for _ in range(10):
        work()
    before = resident()
    for _ in range(40):
        work()
    # The columns of one run are 8 MB.
    assert resident() - before < 32 << 20


def resident() -> int:
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
